"""A scorer that tells the worst that errors in served rows make of a fitted model's score."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from sklearn import config_context
from sklearn.exceptions import FitFailedWarning
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import get_scorer
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._kinds import templates_of
from skcorrupt.adversarial._template import members_of
from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation._silhouette import check_scoring_name
from skcorrupt.metrics import metric_name
from skcorrupt.metrics._change_scorer import CHANGE
from skcorrupt.utils import shorten, warn
from skcorrupt.utils._compat import check_sample_weight
from skcorrupt.utils._typing import ColumnLike, Estimator, Scoring, TableLike

from ._attack import Attack

# a score has to be the same whenever it is asked for, and a scorer has no seed to be given
SEED = 0
# scores that estimators have of their own
OWN = {"accuracy": "accuracy", "R²": "r2"}


@dataclass(frozen=True, repr=False, eq=False)
class WorstCaseScorer:
    """The worst score that a search finds for a fitted model on the rows that are scored.

    Parameters
    ----------
    corruption : BaseCorruption, str or list of these
        The kind of error.
    budget : float
        Largest fraction of the rows that are struck.
    scoring : str, callable or None
        The score.
    space : SearchSpace or None
        What is plausible.
    """

    corruption: BaseCorruption | str | Sequence[BaseCorruption | str]
    budget: float
    scoring: Scoring
    space: SearchSpace | None

    @property
    def __name__(self) -> str:
        """What the score is called where it is shown."""
        scoring = self.scoring
        if scoring is not None and not isinstance(scoring, str):
            scoring = getattr(scoring, "__name__", type(scoring).__name__)
        return f"worst {'score' if scoring is None else scoring}"

    def __call__(
        self,
        estimator: Estimator,
        X: TableLike,
        y: ColumnLike | None = None,
        sample_weight: ColumnLike | None = None,
        **routed: Any,
    ) -> float:
        check_is_fitted(estimator)
        if sample_weight is not None:
            check_sample_weight(sample_weight, X, ensure_non_negative=True)
        given = {"sample_weight": sample_weight, **routed}
        params = {name: value for name, value in given.items() if value is not None}
        scoring = _asking(self.scoring, estimator, params) if params else self.scoring
        search = AdversarialCorruptionSearch(
            # a model that keeps to itself that it is fitted is used as it is, too
            FrozenEstimator(estimator),
            self.corruption,
            budget=self.budget,
            apply_to="test",
            scoring=scoring,
            space=self.space,
            confirm_size=None,
            # what calls a scorer has workers of its own
            n_jobs=1,
            random_state=SEED,
        )
        with warnings.catch_warnings():
            # models say of every candidate what they think of its values
            warnings.simplefilter("ignore")
            # routing is what brings such things to a score and to no fit
            with config_context(**({"enable_metadata_routing": True} if params else {})):
                attack = Attack.on(search, X, y, params)
                attack.run()
        if attack.failures:
            warn(
                f"The model failed on {len(attack.failures)} errors, which do not count for the "
                f"worst score; the first: {attack.failures[0]}. Give the pipeline a step that "
                "takes such values.",
                FitFailedWarning,
            )
        if attack.worst is None:
            n_rows = len(attack.problem.search_rows)
            reasons = "; ".join(attack.refusals[:3]) or "no column can tell rows apart"
            if self.budget * n_rows < 1:
                reasons = "the budget is less than one row"
            warn(
                f"No error is feasible within budget={self.budget:g} on {n_rows} rows, so the "
                f"worst score is that on clean rows: {reasons}. Raise the budget, score more rows "
                "at a time, such as with fewer folds, or relax the space."
            )
        return float(attack.worst_score)

    def get_metadata_routing(self) -> Any:
        """What the score asks for, such as `sample_weight`.

        Returns
        -------
        MetadataRequest
            That of the score itself.
        """
        scoring = self.scoring
        known = isinstance(scoring, str) and scoring != CHANGE
        return get_routing_for_object(get_scorer(scoring) if known else scoring)

    def __repr__(self) -> str:
        said = [repr(self.corruption), f"budget={self.budget!r}"]
        said += [
            f"{name}={value!r}"
            for name, value in (("scoring", self.scoring), ("space", self.space))
            if value is not None
        ]
        return f"make_worst_case_scorer({', '.join(said)})"


def _asking(scoring: Scoring, estimator: Estimator, params: Mapping[str, Any]) -> Any:
    """The score, asking for what it was passed, under the names that it has there."""
    if scoring is None:
        scoring = OWN.get(metric_name(None, estimator))
    scorer: Any = scoring
    if isinstance(scoring, str) and scoring != CHANGE:
        scorer = get_scorer(scoring)
    if not hasattr(scorer, "set_score_request"):
        what = "weights" if [*params] == ["sample_weight"] else "such parameters"
        raise ValueError(
            f"{', '.join(params)} was passed, but scoring={shorten(scoring)} takes no {what}; pass "
            "scoring by its name, such as 'accuracy', or one made by make_scorer."
        )
    with config_context(enable_metadata_routing=True):
        return copy.copy(scorer).set_score_request(**dict.fromkeys(params, True))


def make_worst_case_scorer(
    corruption: BaseCorruption | str | Sequence[BaseCorruption | str],
    *,
    budget: float = 0.1,
    scoring: Scoring = None,
    space: SearchSpace | None = None,
) -> WorstCaseScorer:
    """A scorer of the worst that errors in the rows that are scored make of a fitted model.

    It gives the `worst_score_` of `AdversarialCorruptionSearch(apply_to="test",
    confirm_size=None)` for the model as it is: greater is better, and the worst is the lowest.
    Where the score is a sum over rows, such as accuracy, and rows are predicted one by one, it is
    the worst of all patterns of the grid, without a prediction for each; other scores take longer.
    It goes wherever scikit-learn calls a scorer with a fitted model and rows, so not into
    `TunedThresholdClassifierCV`, which takes those of `make_scorer` apart.

    Parameters
    ----------
    corruption : BaseCorruption, str or list of these
        The kind of error as a template, or its short name, such as "missing" or "noise", a
        `CorruptionProcess`, or a list of kinds, of which the worst counts. What a template leaves
        unset is searched.
    budget : float in (0, 1], default=0.1
        Largest fraction of the rows scored that errors strike.
    scoring : str, callable or None, default=None
        The score that is made worst, as everywhere in scikit-learn; None is the estimator's own,
        "change" minus the share of predictions that errors change.
    space : SearchSpace or None, default=None
        What is plausible; None is `SearchSpace()`.

    Returns
    -------
    callable
        `scorer(estimator, X, y, sample_weight=None) -> float`, which can be pickled. Weights are
        those of the score, which has to take them; errors still strike at most the budget's share
        of the rows, whatever these weigh. With metadata routing it asks for what `scoring` asks
        for, and hands it on. It has no state and its seed is always 0: what is drawn is the same
        for every model and every call with the same rows, so that models are compared on the same
        draws. Give a template a `random_state` only where its own seed should count. Where no error
        is feasible, as in few rows with a small budget, it gives the score on clean rows, with a
        warning.

    Raises
    ------
    ValueError, TypeError
        If an error strikes labels, which no model is served, or something else cannot be searched.

    Notes
    -----
    A score of few rows is noisy, and its minimum over many errors more so. Compare models by it,
    on the same rows; `RobustSearchCV` confirms what it chooses.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt.robustness import make_worst_case_scorer
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> scorer = make_worst_case_scorer("scale", budget=0.2)
    >>> scorer
    make_worst_case_scorer('scale', budget=0.2)
    >>> cross_val_score(GaussianNB(), X, y, cv=3).round(2)
    array([0.92, 0.94, 0.96])
    >>> cross_val_score(GaussianNB(), X, y, cv=3, scoring=scorer).round(2)
    array([0.72, 0.74, 0.76])
    """
    if not isinstance(budget, Real) or isinstance(budget, bool) or not 0 < budget <= 1:
        raise ValueError(
            f"budget={budget!r} should be a number above 0 and up to 1: the largest fraction of "
            "the rows scored that errors strike."
        )
    if isinstance(scoring, (list, tuple, set, Mapping)):
        raise ValueError(
            f"scoring={scoring!r} names several scores, but one is needed; pass a single name or "
            "callable, and make a scorer for each."
        )
    named = scoring is not None and not callable(scoring)
    if named and not (isinstance(scoring, str) and scoring == CHANGE):
        check_scoring_name(scoring)
        # of those that it names, one is none of scikit-learn's
        get_scorer(scoring)
    if space is not None and not isinstance(space, SearchSpace):
        raise TypeError(f"space={space!r} should be a SearchSpace or None.")
    for name, template in templates_of(corruption).items():
        if any(member.strikes == "labels" or member._flips for member in members_of(template)):
            raise ValueError(
                f"corruption: {name!r} changes labels, which a fitted model is not served. Pass "
                "errors in features or rows; for wrong labels in training data use "
                "RobustSearchCV(apply_to='train') or AdversarialCorruptionSearch."
            )
    return WorstCaseScorer(corruption, float(budget), scoring, space)
