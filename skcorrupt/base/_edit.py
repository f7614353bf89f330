"""What corruptions ask to change, and the one function that changes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.utils import Cells, Table, Target, as_table, some_values
from skcorrupt.utils._typing import ColumnLike

from ._corruption_record import CorruptionRecord
from ._corruption_result import CorruptionResult

_NO_ROWS = np.empty(0, dtype=np.intp)


@dataclass
class Edit:
    """Changes to clean data, all in terms of input rows.

    Attributes
    ----------
    matched : ndarray of bool, shape (n_rows,), or None
        Rows that could be struck; None for all.
    cells : dict of int to Cells
        New values by column position.
    labels : Cells or None
        New labels.
    dropped, copied : ndarray of int
        Rows dropped, rows that appear once more.
    copied_cells : dict of int to Cells
        New values by column position that copies have and the rows themselves do not.
    copied_labels : Cells or None
        New labels that copies have and the rows themselves do not.
    inert : list
        Labels of struck columns in which every struck cell kept its value.
    """

    matched: np.ndarray | None = None
    cells: dict[int, Cells] = field(default_factory=dict)
    labels: Cells | None = None
    dropped: np.ndarray = field(default_factory=lambda: _NO_ROWS)
    copied: np.ndarray = field(default_factory=lambda: _NO_ROWS)
    copied_cells: dict[int, Cells] = field(default_factory=dict)
    copied_labels: Cells | None = None
    inert: list[Any] = field(default_factory=list)

    def touched(self) -> list[np.ndarray]:
        """Arrays of the rows that the edit changes, drops or copies."""
        cells = {id(c.rows): c.rows for c in self.cells.values()}
        labels = [self.labels.rows] if self.labels is not None else []
        return [*cells.values(), *labels, self.dropped, self.copied]


def apply_edits(
    table: Table, y: ColumnLike | None, target: Target | None, edits: list[Edit], seed: int
) -> CorruptionResult:
    """Apply edits that touch different columns to one clean table.

    Parameters
    ----------
    table : Table of shape (n_rows, n_features)
        The clean features.
    y : array-like of shape (n_rows,) or None
        The clean labels as they were given.
    target : Target or None
        The same labels behind their adapter.
    edits : list of Edit
        What to change.
    seed : int
        Kept in the record.

    Returns
    -------
    CorruptionResult
        New X, new y and the record; what is not touched is shared with the input, never changed.
    """
    n = table.n_rows
    cells = {j: c for edit in edits for j, c in edit.cells.items() if len(c.rows)}
    relabelled = [edit.labels for edit in edits if edit.labels is not None]
    if len(relabelled) > 1:
        raise ValueError(
            f"{len(relabelled)} corruptions of one process strike the labels; join them into one, "
            "or use two processes one after the other."
        )
    labels = relabelled[0] if relabelled else None
    indices, copies = _rows_left(edits, n)
    if indices is not None and not len(indices) and table.part is None:
        raise ValueError(
            f"The selection would drop all {n} rows; lower its rate or narrow its pattern."
        )
    X_out = table.with_cells(cells) if cells or indices is None else table.source
    if indices is not None:
        X_out = (as_table(X_out) if cells else table).take(indices)
    y_mask = np.zeros(n, dtype=bool)
    y_out = y
    if target is not None and (labels is not None or indices is not None):
        rows, values = labels[:2] if labels is not None else (_NO_ROWS, None)
        y_mask[rows] = True
        y_out = target.build(rows, values, indices)

    touched = [rows for edit in edits for rows in edit.touched() if len(rows)]
    n_corrupted = len(touched[0]) if len(touched) == 1 else int(_flags(touched, n).sum())
    struck = {j: c.rows for j, c in cells.items()}
    if indices is None:
        X_mask = table.mask_of(struck)
    elif cells:
        X_mask = table.mask_of(struck)[indices]
    else:
        X_mask = as_table(X_out).mask_of({})
    y_mask = y_mask if indices is None else y_mask[indices]
    sources = {j: (c.rows, c.sources) for j, c in cells.items() if c.sources is not None}
    if labels is not None and labels.sources is not None:
        sources[-1] = labels.rows, labels.sources
    for edit in edits:
        own = {
            j: _of_copies(c, copies, struck.get(j, _NO_ROWS)) for j, c in edit.copied_cells.items()
        }
        own = {j: c for j, c in own.items() if len(c.rows)}
        if own:
            X_out = as_table(X_out).with_cells(own)
            X_mask = X_mask + as_table(X_out).mask_of({j: c.rows for j, c in own.items()})
            _add_sources(sources, own, indices)
        if edit.copied_labels is not None:
            flipped = labels.rows if labels is not None else _NO_ROWS
            new = _of_copies(edit.copied_labels, copies, flipped)
            y_out = Target(y_out).build(new.rows, new.values, None)
            y_mask[new.rows] = True
    record = CorruptionRecord(
        X_mask=X_mask,
        y_mask=y_mask,
        sample_indices=np.arange(n) if indices is None else indices,
        n_matched=matched_by(edits, n),
        n_corrupted=n_corrupted,
        row_fraction=n_corrupted / n,
        seed=seed,
        n_samples_in=n,
        feature_names=tuple(table.labels),
        sources=sources,
    )
    return CorruptionResult(X_out, y_out, record)


def _rows_left(edits: list[Edit], n: int) -> tuple[np.ndarray | None, np.ndarray]:
    """The input row of every output row, None where all stay, and each row's copy, -1 for none."""
    copies = np.full(n, -1)
    if not any(len(edit.dropped) or len(edit.copied) for edit in edits):
        return None, copies
    keep = ~_flags([edit.dropped for edit in edits], n)
    if not any(len(edit.copied) for edit in edits):
        return np.flatnonzero(keep), copies
    again = _flags([edit.copied for edit in edits], n)
    indices = np.concatenate([np.flatnonzero(keep), np.flatnonzero(keep & again)])
    copies[keep & again] = np.arange(int(keep.sum()), len(indices))
    return indices, copies


def _flags(rows: list[np.ndarray], n: int) -> np.ndarray:
    """Boolean mask of shape (n,), True at all the given rows."""
    flags = np.zeros(n, dtype=bool)
    for some in rows:
        flags[some] = True
    return flags


def _of_copies(cells: Cells, copies: np.ndarray, struck: np.ndarray) -> Cells:
    """Cells of copies by output row; copies of struck cells stay as they are.

    `copies` is the output row of the copy of every input row, −1 where there is none.
    """
    places = copies.copy()
    places[struck] = -1
    here = places[cells.rows]
    return Cells(here[here >= 0], some_values(cells.values, here >= 0))


def _add_sources(sources: dict[int, Any], cells: dict[int, Cells], indices: Any) -> None:
    """Note that cells of copies are made of those that are copied."""
    for j, own in cells.items():
        rows = indices[own.rows]
        known = sources.get(j, (_NO_ROWS, _NO_ROWS))
        sources[j] = tuple(np.concatenate([each, rows]) for each in known)


def matched_by(edits: list[Edit], n: int) -> int:
    """Number of rows that any edit could strike."""
    masks = [edit.matched for edit in edits if edit.matched is not None]
    if len(masks) < len(edits):
        return n
    return int(np.logical_or.reduce(masks).sum())
