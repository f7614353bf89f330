"""A model, and one without each column for rows in which that column is in doubt."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation import run_tasks, sample_aligned
from skcorrupt.utils import (
    N_JOBS,
    Cells,
    Sheltered,
    Table,
    as_table,
    check_is_estimator,
    check_table,
    fit_on_copies,
    resolve_columns,
)
from skcorrupt.utils._compat import HasMethods
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import ColumnLabels, ColumnLike, Estimator, TableLike

from ._plausible import plausible, usual_row
from ._wrapping import Wrapping


class Submodels(Wrapping):
    """What the classifier and the regressor have in common."""

    # what models say that is averaged where several columns of a row are in doubt
    _averaged = "predict"
    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods(["fit", "predict"])],
        "columns": "no_validation",
        "false_alarm": [NumberInterval(Real, 0, 1, closed="left")],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        estimator: Estimator,
        *,
        columns: ColumnLabels | None = None,
        false_alarm: float = 0.01,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.columns = columns
        self.false_alarm = false_alarm
        self.n_jobs = n_jobs

    def fit(self, X: TableLike, y: ColumnLike, **fit_params: Any) -> Self:
        """Fit the model, and one without each column.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Targets.
        **fit_params : dict
            Such as `sample_weight`, passed to `fit` of the estimator and of all submodels; what is
            doubtful, and fill values, do not depend on them.

        Returns
        -------
        self : estimator
            The fitted estimator.

        Raises
        ------
        ValueError
            If a named column is not there, or the estimator predicts what another class is for.
        TypeError
            If `fit` of the estimator does not take a parameter.
        """
        self._validate_params()
        check_is_estimator(self.estimator)
        self._check_kind()
        params = self._routed(fit_params)
        table = check_table(self, X, reset=True)
        y = self._checked(y, table.n_rows)
        chosen: Any = range(table.n_columns)
        if self.columns is not None:
            chosen = resolve_columns(table, self.columns)
        rows = {int(j): usual_row(table, j) for j in chosen}
        self._usual = {
            j: table.values_at(j, np.array([row]))[0] for j, row in rows.items() if row is not None
        }
        self._known = {}
        if self.false_alarm:
            self._known = {j: plausible(table, j, self.false_alarm) for j in self._usual}
        models = run_tasks(fit_on_copies, self._tasks(table, y, params), n_jobs=self.n_jobs)
        self.estimator_ = models[0]
        self._without = dict(zip(self._usual, models[1:], strict=True))
        self.submodels_ = {table.labels[j]: model for j, model in self._without.items()}
        self.fill_values_ = {table.labels[j]: value for j, value in self._usual.items()}
        return self

    def _routed(self, params: dict[str, Any]) -> dict[str, Any]:
        """What the estimator and the submodels are given."""
        if params and get_config()["enable_metadata_routing"]:
            routed: dict[str, Any] = process_routing(self, "fit", **params).estimator.fit
            return routed
        known = inspect.signature(self.estimator.fit).parameters
        takes_any = any(each.kind is each.VAR_KEYWORD for each in known.values())
        unknown = [name for name in params if name not in known and not takes_any]
        if unknown:
            raise TypeError(
                f"fit of {type(self.estimator).__name__} takes no {', '.join(unknown)}; leave it "
                "out, or pass an estimator that takes it."
            )
        return params

    def get_metadata_routing(self) -> MetadataRouter:
        """How parameters such as `sample_weight` go to the estimator.

        Returns
        -------
        MetadataRouter
            The routing.
        """
        router = MetadataRouter(owner=self).add_self_request(self)
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def _tasks(self, table: Table, y: Any, params: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        if not get_tags(self.estimator).input_tags.allow_nan:
            gaps = {j: np.flatnonzero(table.missing(j)) for j in self._usual}
            filled = {j: Cells(at, self._usual[j]) for j, at in gaps.items() if len(at)}
            table = as_table(table.with_cells(filled)) if filled else table
        yield clone(self.estimator), table.source, y, params
        rows = self._rows_of_submodels(y)
        if rows is not None:
            params = sample_aligned(params, rows, table.n_rows)
            table, y = as_table(table.take(rows)), np.asarray(y)[rows]
        every = np.arange(table.n_rows)
        for j, value in self._usual.items():
            # a column that is the same everywhere says nothing, and pipelines that name it go on
            yield clone(self.estimator), table.with_cells({j: Cells(every, value)}), y, params

    def _rows_of_submodels(self, y: Any) -> np.ndarray | None:
        """The rows that submodels learn from; None is all."""
        return None

    def doubtful_cells(self, X: TableLike) -> np.ndarray:
        """Which cells no prediction looks at.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray of bool, shape (n_rows, n_features)
            True where a cell is missing or implausible.
        """
        check_is_fitted(self, "estimator_")
        return self._doubtful(check_table(self, X, reset=False))

    def _doubtful(self, table: Table) -> np.ndarray:
        found = np.zeros((table.n_rows, table.n_columns), dtype=bool)
        for j in self._usual:
            missing = np.asarray(table.missing(j), dtype=bool)
            known = self._known.get(j)
            found[:, j] = missing if known is None else missing | known.doubts(table, j)
        return found

    def _inner_has(self, name: str) -> bool:
        return name == "predict" or (name == self._averaged and hasattr(self.estimator, name))

    def _ask(self, name: str, X: TableLike) -> np.ndarray:
        check_is_fitted(self, "estimator_")
        table = check_table(self, X, reset=False)
        doubtful = self._doubtful(table)
        n_doubtful = doubtful.sum(axis=1)
        if not n_doubtful.any():
            return _answer(self.estimator_, name, table.source)
        filled = as_table(
            table.with_cells(
                {
                    j: Cells(np.flatnonzero(doubtful[:, j]), value)
                    for j, value in self._usual.items()
                    if doubtful[:, j].any()
                }
            )
        )
        parts = []
        if not n_doubtful.all():
            sure = np.flatnonzero(n_doubtful == 0)
            parts.append((sure, _answer(self.estimator_, name, filled.take(sure))))
        for j, model in self._without.items():
            rows = np.flatnonzero(doubtful[:, j] & (n_doubtful == 1))
            if len(rows):
                parts.append((rows, _answer(model, name, filled.take(rows))))
        several = np.flatnonzero(n_doubtful > 1)
        if len(several):
            parts.append((several, self._together(name, filled, doubtful, several)))
        first = parts[0][1]
        kind = np.result_type(*(answer.dtype for _, answer in parts))
        joined = np.empty((table.n_rows, *first.shape[1:]), dtype=kind)
        for rows, answer in parts:
            joined[rows] = answer
        return joined

    def _together(
        self, name: str, filled: Table, doubtful: np.ndarray, rows: np.ndarray
    ) -> np.ndarray:
        """What the models without each of several columns say on average."""
        total: Any = 0.0
        for j, model in self._without.items():
            those = np.flatnonzero(doubtful[rows, j])
            if len(those):
                said = self._said(model, filled.take(rows[those]))
                if np.ndim(total) == 0:
                    total = np.zeros((len(rows), *said.shape[1:]))
                total[those] += said
        counts = doubtful[rows].sum(axis=1).reshape(-1, *[1] * (total.ndim - 1))
        return self._of_average(name, total / counts)

    def _said(self, model: Any, X: Any) -> np.ndarray:
        """What is averaged."""
        return _answer(model, self._averaged, X)

    def _of_average(self, name: str, average: np.ndarray) -> np.ndarray:
        """The answer that follows from an average."""
        return average

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # a gap in a served row reaches no model
        tags.input_tags.allow_nan = True
        return tags


def _answer(model: Any, name: str, X: Any) -> np.ndarray:
    return np.asarray(getattr(Sheltered(model), name)(X))
