"""The result of a search among the checks of a skore report."""

from __future__ import annotations

import math
from typing import Any, Literal

from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.utils import is_number


class RobustnessCheck:
    """A check for `report.checks.add([…])`: the worst realistic error costs little.

    It is an issue of the report where the drop is larger than `max_drop`. The search is fitted
    beforehand; nothing is computed when the report is made.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        The fitted search, for the model that the report is about.
    max_drop : float, default=0.05
        Largest drop of the score that is no issue, in units of the score.
    code : str, default="SKC001"
        What the check goes by in the report; several need different ones.

    Attributes
    ----------
    title, severity, report_types, docs_url, slow
        What skore asks of a check.

    Raises
    ------
    TypeError
        If it is no search.
    ValueError
        If `max_drop` is no number, 0 or more.
    NotFittedError
        If the search is not fitted.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt import AdversarialCorruptionSearch
    >>> from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
    >>> from skcorrupt.integrations import RobustnessCheck
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> search = AdversarialCorruptionSearch(
    ...     GaussianNB(),
    ...     "labels",
    ...     strategy=ExhaustiveSearch(),
    ...     space=SearchSpace(max_conditions=0),
    ...     confirm_size=None,
    ...     random_state=0,
    ... ).fit(X, y)
    >>> RobustnessCheck(search, max_drop=1.0).check_function(None) is None
    True
    """

    title = "Realistic data errors cost much"
    severity: Literal["issue", "tip"] = "issue"
    docs_url: str | None = None
    slow = False

    def __init__(
        self,
        search: AdversarialCorruptionSearch,
        *,
        max_drop: float = 0.05,
        code: str = "SKC001",
    ) -> None:
        if not isinstance(search, AdversarialCorruptionSearch):
            raise TypeError(
                f"search should be a fitted AdversarialCorruptionSearch, not a "
                f"{type(search).__name__}."
            )
        check_is_fitted(search, "cv_results_")
        if not is_number(max_drop) or not 0 <= max_drop < math.inf:
            raise ValueError(f"max_drop={max_drop!r} should be a number, 0 or more.")
        self.search = search
        self.max_drop = max_drop
        self.code = code
        self.report_types = ["estimator", "cross-validation"]

    def check_function(self, report: Any) -> str | None:
        """What there is to say.

        Parameters
        ----------
        report : EstimatorReport or CrossValidationReport
            Not looked at.

        Returns
        -------
        str or None
            The worst error in words, on rows that were not searched where there are such; None
            where it costs no more than is allowed.
        """
        search = self.search
        drop = search.score_drop_
        confirmed = getattr(search, "confirmed_score_", math.nan)
        if math.isfinite(confirmed):
            drop = search.confirmed_baseline_score_ - confirmed
        return search.summary() if drop > self.max_drop else None
