"""A scorer of the rows that a pattern matches."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import check_scoring, get_scorer
from sklearn.utils.metadata_routing import get_routing_for_object

from skcorrupt.patterns import as_pattern
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import RESPONSES, FittedView, ScorerError, Target, as_score, as_table, warn
from skcorrupt.utils._compat import scorer_function
from skcorrupt.utils._typing import Scoring, TableLike


class SubgroupScorer:
    """A score on the rows that a pattern matches.

    Parameters
    ----------
    scoring : str, callable or None
        The score; None is the estimator's own.
    pattern : Pattern, str, dict or None
        Which rows.
    """

    # the rows are chosen as they were before errors struck them
    reads_rows = True

    def __init__(self, scoring: Scoring, pattern: PatternLike) -> None:
        self.scoring = scoring
        self.pattern = as_pattern(pattern)

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        scoring = "score" if self.scoring is None else self.scoring
        if not isinstance(scoring, str):
            scoring = getattr(scorer_function(scoring), "__name__", type(scoring).__name__)
        return f"{scoring} where {self.pattern}"

    def __call__(self, estimator: Any, X: Any, y_true: Any, **params: Any) -> float:
        mask = np.asarray(self.pattern.mask(X, y_true))
        rows = np.flatnonzero(mask)
        if not len(rows):
            return self._undefined(
                f"matches none of the {len(mask)} rows, as a misspelt value does"
            )
        scorer = check_scoring(estimator, scoring=self.scoring)
        target = Target(y_true)
        y = target.build(np.empty(0, dtype=np.intp), None, rows)
        part = as_table(X).take(rows)
        cut = {name: _cut(value, rows, len(mask)) for name, value in params.items()}
        n_left, n_labels = (pd.unique(part).size for part in (target.values[rows], target.values))
        lacking = n_left < 2 or (is_classifier(estimator) and n_left < n_labels)
        try:
            with warnings.catch_warnings():
                if lacking:
                    # what scikit-learn says of it does not name the subgroup
                    warnings.simplefilter("ignore", UndefinedMetricWarning)
                found = scorer(SubgroupView(estimator, X, part, rows), part, y, **cut)
                score = as_score(found, self.scoring or scorer)
        except ScorerError:
            raise
        except ValueError as error:
            if not lacking:
                raise
            score, reason = float("nan"), f" ({error})"
        else:
            reason = ""
        if np.isnan(score) and lacking:
            return self._undefined(f"leaves {n_left} of {n_labels} labels{reason}")
        return score

    def _undefined(self, why: str) -> float:
        warn(
            f"{self.__name__} is undefined: the pattern {why}. Widen the pattern, score on more "
            "rows, such as cv=2, or choose a score that a single label has.",
            UndefinedMetricWarning,
        )
        return float("nan")

    def get_metadata_routing(self) -> Any:
        """What the score asks for, such as `sample_weight`.

        Returns
        -------
        MetadataRequest
            That of the score itself.
        """
        scoring = self.scoring
        return get_routing_for_object(get_scorer(scoring) if isinstance(scoring, str) else scoring)

    def __repr__(self) -> str:
        return f"make_subgroup_scorer({self.scoring!r}, pattern={str(self.pattern)!r})"


class SubgroupView(FittedView):
    """A fitted estimator that predicts for all rows and shows some.

    A search asks for the same test rows again and again and keeps the predictions for them.

    Parameters
    ----------
    estimator : fitted estimator
        What predicts.
    X : table of shape (n_samples, n_features)
        All rows.
    part : table of shape (n_rows, n_features)
        Some of them.
    rows : ndarray of int, shape (n_rows,)
        Which.
    """

    def __init__(self, estimator: Any, X: TableLike, part: TableLike, rows: np.ndarray) -> None:
        super().__init__(estimator)
        self._X = X
        self._part = part
        self._rows = rows

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        # a scorer may change the features before it asks
        if name in RESPONSES and len(args) == 1 and args[0] is self._part and not params:
            return method(self._X)[self._rows]
        return method(*args, **params)


def make_subgroup_scorer(scoring: Scoring, pattern: PatternLike) -> SubgroupScorer:
    """A scorer of some rows only, those that a pattern matches.

    The error that is worst for one group may lie in another.

    Parameters
    ----------
    scoring : str, callable or None
        The score, as everywhere in scikit-learn; None is the estimator's own.
    pattern : Pattern, str, dict or None
        Which rows of the raw X that is scored; `"sex == 'Female' and y == 1"` looks at the label
        as well.

    Returns
    -------
    callable
        `scorer(estimator, X, y) -> float`; NaN, with a warning, where no row matches or the score
        needs several labels and one is left. Arrays with one entry per row, such as
        `sample_weight`, are cut to the rows that match.

    Raises
    ------
    ValueError
        If the pattern or the name of the score cannot be read; when scoring, if the pattern names
        a column that is not there.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.metrics import make_subgroup_scorer
    >>> X = pd.DataFrame({"score": [1, 2, 3, 4], "female": [1, 1, 0, 0]})
    >>> y = ["no", "yes", "yes", "yes"]
    >>> stump = DecisionTreeClassifier(max_depth=1).fit(X[["score"]].assign(female=0), y)
    >>> make_subgroup_scorer("accuracy", "female == 0")(stump, X, ["no", "no", "no", "yes"])
    0.5
    """
    if isinstance(scoring, (list, tuple, set, Mapping)):
        raise ValueError(
            f"scoring={scoring!r} names several scores, but one is needed; pass a single name or "
            "callable."
        )
    if isinstance(scoring, str):
        get_scorer(scoring)
    return SubgroupScorer(scoring, pattern)


def _cut(value: Any, rows: np.ndarray, n_samples: int) -> Any:
    """An array with one entry per row at some rows, anything else as it is."""
    if np.ndim(value) == 0 or len(value) != n_samples:
        return value
    return np.asarray(value)[rows]
