"""A learner of skrub's DataOps as an estimator over X and y."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import InnerMethods, as_table, where_inner_has
from skcorrupt.utils._typing import ColumnLike, Estimator, TableLike

# what skrub calls the values that stand for what was marked as X and y
MARKED = {"X": "_skrub_X", "y": "_skrub_y"}


class DataOpEstimator(InnerMethods, BaseEstimator):
    """Put a learner of skrub, which takes an environment, where an estimator is expected.

    X and y go into the environment under the names of their variables; what else the learner
    needs, such as tables that are joined, is in `environment` and stays as it is.

    Parameters
    ----------
    learner : SkrubLearner
        What `data_op.skb.make_learner()` gives. It should give one prediction a row of X.
    environment : mapping of str to object or None, default=None
        Values of further variables.
    X_name : str, default="X"
        The variable that stands for the features; "X" is that of `skrub.X()`, or, where the plan
        has no such variable, what it marks by `.skb.mark_as_X()`.
    y_name : str, default="y"
        The variable that stands for the labels; "y" is that of `skrub.y()`, or what the plan marks
        by `.skb.mark_as_y()`.

    Attributes
    ----------
    learner_ : SkrubLearner
        The fitted learner.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt.integrations import DataOpEstimator
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> import skrub  # doctest: +SKIP
    >>> plan = skrub.X().skb.apply(GaussianNB(), y=skrub.y())  # doctest: +SKIP
    >>> DataOpEstimator(plan.skb.make_learner()).fit(X, y).score(X, y)  # doctest: +SKIP
    0.96
    """

    def __init__(
        self,
        learner: Estimator,
        *,
        environment: Mapping[str, Any] | None = None,
        X_name: str = "X",
        y_name: str = "y",
    ) -> None:
        self.learner = learner
        self.environment = environment
        self.X_name = X_name
        self.y_name = y_name

    def fit(self, X: TableLike, y: ColumnLike | None = None) -> Self:
        """Fit the learner.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,), default=None
            Labels.

        Returns
        -------
        self : DataOpEstimator
            The fitted estimator.

        Raises
        ------
        ValueError
            If the plan has no variable of that name and marks nothing in its place.
        """
        self.learner_ = clone(self.learner).fit(self._around(X, y))
        if hasattr(self.learner_, "classes_"):
            self.classes_ = self.learner_.classes_
        return self

    def _around(self, X: TableLike, y: ColumnLike | None = None) -> dict[str, Any]:
        given = {self._name_of("X", self.X_name): X}
        if y is not None:
            given[self._name_of("y", self.y_name)] = y
        return {**(self.environment or {}), **given}

    def _name_of(self, part: str, name: str) -> str:
        """What the plan knows the features or the labels by."""
        plan = getattr(getattr(self.learner, "data_op", None), "skb", None)
        if plan is None:
            # a learner of somebody's own
            return name
        known = plan.get_vars()
        if name in known:
            return name
        if name == part and part in plan.find_X_y():
            return MARKED[part]
        # what it does not know would be left out without a word
        raise ValueError(
            f"{part}_name={name!r} is no variable of the plan, whose variables are "
            f"{', '.join(map(repr, known)) or 'none'}; name one of these, or mark what stands for "
            f"{part} by .skb.mark_as_{part}()."
        )

    def _inner_has(self, name: str) -> bool:
        return hasattr(self.learner, name)

    def _ask(self, name: str, X: TableLike) -> Any:
        check_is_fitted(self, "learner_")
        answers = getattr(self.learner_, name)(self._around(X))
        n_rows = as_table(X).n_rows
        if hasattr(answers, "__len__") and len(answers) != n_rows:
            raise ValueError(
                f"The learner's {name} gives {len(answers)} answers for {n_rows} rows of X; its "
                "plan should neither drop nor add rows, and read X, not a table of the environment."
            )
        return answers

    @where_inner_has("score")
    def score(self, X: TableLike, y: ColumnLike) -> float:
        """The learner's own score.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Labels.

        Returns
        -------
        float
            Greater is better.
        """
        check_is_fitted(self, "learner_")
        return float(self.learner_.score(self._around(X, y)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.learner)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
