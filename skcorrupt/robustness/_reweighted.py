"""A model fitted to training rows that count as often as a population has such rows."""

from __future__ import annotations

from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from skcorrupt.stats._rake import rake
from skcorrupt.utils import (
    Table,
    check_is_estimator,
    check_table,
    fit_on_copies,
    resolve_columns,
    shorten,
    warn,
)
from skcorrupt.utils._compat import HasMethods, check_sample_weight
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLike, Estimator, TableLike

from ._margins import Margin, Margins, held, margins_in
from ._submodels import Submodels
from ._wrapping import Wrapping

# shares that are off by less are as they should be
NOTICED = 0.01


class Reweighted(Wrapping):
    """What the classifier and the regressor have in common."""

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods(["fit", "predict"])],
        "margins": "no_validation",
        "max_weight": [NumberInterval(Real, 1, None, closed="neither")],
    }

    def __init__(self, estimator: Estimator, margins: Margins, *, max_weight: float = 10.0) -> None:
        self.estimator = estimator
        self.margins = margins
        self.max_weight = max_weight

    def fit(self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None) -> Self:
        """Weigh the rows, and fit the estimator to them.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            Weights to start from; None is 1 for every row.

        Returns
        -------
        self : estimator
            The fitted estimator.

        Raises
        ------
        TypeError
            If the margins are no mappings.
        ValueError
            If a column of the margins is not there, no training row has a level of them, or the
            estimator takes no weights or predicts what another class is for.

        Warns
        -----
        UserWarning
            If a share is still off by more than .01: no training row is of that level, or too few
            for the largest weight.
        """
        self._validate_params()
        check_is_estimator(self.estimator)
        self._check_kind()
        name = weight_parameter(self.estimator)
        if name is None:
            raise ValueError(
                f"estimator={shorten(self.estimator)}: its last step takes no sample_weight in "
                "fit, or a step resamples rows; pass a model that takes weights, such as "
                "LogisticRegression(), and put what holds other models around this."
            )
        table = check_table(self, X, reset=True)
        y = self._checked(y, table.n_rows)
        given = np.asarray(
            check_sample_weight(sample_weight, table.source, ensure_non_negative=True), dtype=float
        )
        if not given.any():
            raise ValueError("sample_weight is 0 for every row; give some rows weight.")
        self.weights_ = self._weights(table, given)
        shares = self.weights_ / self.weights_.max()
        self.effective_n_samples_ = float(shares.sum() ** 2 / (shares**2).sum())
        # a pipeline is told which step they are for, which it is not asked while it routes
        with config_context(enable_metadata_routing=False):
            self.estimator_ = fit_on_copies(
                clone(self.estimator), table.source, y, {name: self.weights_}
            )
        return self

    def _weights(self, table: Table, given: np.ndarray) -> np.ndarray:
        margins = margins_in(table, self.margins)
        within = [_within_reach(table, margin, given) for margin in margins]
        raked = rake([m.codes for m in margins], within, given, self.max_weight)
        # what the shares of levels without rows became is no gap of those with rows
        self.share_gaps_ = {
            margin.label: dict(
                zip(margin.levels, (found + share - margin.shares).tolist(), strict=False)
            )
            for margin, share, found in zip(margins, within, raked.gaps, strict=True)
        }
        self._warn_of_gaps(margins, within, bool(raked.factors.max() > 0.999 * self.max_weight))
        weights: np.ndarray = given * raked.factors
        return weights

    def _warn_of_gaps(self, margins: list[Margin], within: list[np.ndarray], cut: bool) -> None:
        """Say which shares are off and why, without numbers, which every fit of a search has."""
        far = [
            label
            for label, gaps in self.share_gaps_.items()
            if any(abs(gap) > NOTICED for gap in gaps.values())
        ]
        # values that are no level have the rest, and may have no rows either; many rare levels
        # without rows have as much of the others' shares as a frequent one
        without_rows = [
            margin.label
            for margin, share in zip(margins, within, strict=True)
            if margin.shares[share == 0].sum() > NOTICED
        ]
        if far and without_rows:
            warn(
                f"margins: some levels of {shorten(without_rows)}, or all values beside them, have "
                "a share, but no training row; share_gaps_ tells by how much shares are off. Get "
                "such rows, or leave their column out of margins."
            )
        elif far and cut:
            warn(
                f"margins: some levels of {shorten(far)} have too few training rows for their "
                f"share, as none may count more than max_weight={self.max_weight:g}; share_gaps_ "
                "tells which. Get more of them, or pass a larger max_weight."
            )
        elif far:
            warn(
                f"margins: no weights give all levels of {shorten(far)} their shares; share_gaps_ "
                "tells by how much they are off. Leave one of the columns out."
            )


def _within_reach(table: Table, margin: Margin, given: np.ndarray) -> np.ndarray:
    """The shares of a margin among the levels that rows are of."""
    has_rows = np.bincount(margin.codes, weights=given, minlength=len(margin.shares)) > 0
    shares: np.ndarray = np.where(has_rows, margin.shares, 0.0)
    if not shares.sum() > 0:
        (column,) = resolve_columns(table, [margin.label], parameter="margins")
        raise ValueError(
            f"margins[{margin.label!r}] has the levels {shorten(margin.levels)}, and no training "
            f"row is of one that has a share: the column holds {held(table, column)}. Give shares "
            "of these."
        )
    return shares / shares.sum()


def weight_parameter(estimator: Any) -> str | None:
    """The parameter of `fit` by which a model, or the last step of a pipeline, takes weights.

    Parameters
    ----------
    estimator : estimator
        The model or pipeline.

    Returns
    -------
    str or None
        Such as `"logisticregression__sample_weight"`; None where there is none.
    """
    if isinstance(estimator, Pipeline) and estimator.steps:
        if any(hasattr(step, "fit_resample") for _, step in estimator.steps):
            # weights are of the rows that were there before
            return None
        name, last = estimator.steps[-1]
        inner = weight_parameter(last)
        return None if inner is None else f"{name}__{inner}"
    if isinstance(estimator, (GridSearchCV, RandomizedSearchCV, Submodels)):
        return weight_parameter(estimator.estimator)
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else None
