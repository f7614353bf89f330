"""Tables that are read in parts: the rows of them that a search holds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skcorrupt.base import DrawnRows, checked_key, drawn_rows
from skcorrupt.utils import Source, spawn_seeds
from skcorrupt.utils._readable import listed_labels, on_one_line

from .candidates import Stream


@dataclass(frozen=True)
class InParts:
    """A table that is read in parts, with those of its rows that are held.

    Attributes
    ----------
    source : Source
        The table.
    labels : list of str
        Columns of features.
    y : str
        That of labels.
    groups : str or None
        That of groups.
    drawn : DrawnRows
        The rows that are held.
    n_jobs : int or None
        Number of workers that read parts.
    """

    source: Source
    labels: list[str]
    y: str
    groups: str | None
    drawn: DrawnRows
    n_jobs: int | None

    @property
    def held(self) -> tuple[Any, Any, Any]:
        """Features, labels and groups of the rows, as tables in memory are."""
        frame, handed_out = self.drawn.frame, self.source.handed_out
        groups = None if self.groups is None else handed_out(frame.get_column(self.groups))
        return handed_out(frame.select(self.labels)), handed_out(frame.get_column(self.y)), groups

    @property
    def nullable(self) -> frozenset[str]:
        """Columns of whole numbers and truth values that are read as others, for missing values."""
        from polars import Boolean, selectors

        features = self.drawn.frame.select(self.labels)
        some = features.select(selectors.by_dtype(Boolean) | selectors.integer())
        return frozenset(series.name for series in some if series.null_count())


def held_rows(
    source: Source,
    y: Any,
    params: Mapping[str, Any],
    fit_params: Mapping[str, Any],
    *,
    groups: Any,
    key: Any,
    seed: int,
) -> InParts:
    """The rows of a table that a search holds: all, or as many as are asked for.

    Parameters
    ----------
    source : Source
        The table.
    y : str or None
        Name of the column of labels.
    params : mapping
        Parameters of the search.
    fit_params : mapping
        What is passed to the estimator.
    groups : str or None
        Name of the column of groups.
    key : str, list of str or None
        Columns that tell all rows apart.
    seed : int
        Seed of the search.

    Returns
    -------
    InParts
        The table.

    Raises
    ------
    ValueError
        If a column is absent, or something is given that needs the whole table in memory.
    """
    if y is None:
        raise ValueError(
            f"y=None: {source.name} is read in parts and holds its labels itself; pass the name of "
            f"their column, one of {', '.join(source.schema)}."
        )
    features = source.features(y)
    keys = checked_key(source, key, features)
    _check_aligned(source, features, groups, fit_params)
    # what tells rows apart or puts them together is no feature
    labels = [name for name in features if name not in (*keys, groups)]
    if not labels:
        raise ValueError(f"{source.name} has no column of features besides {', '.join(keys)}.")
    more = [name for name in (*keys, groups, y) if name is not None]
    size = rows_to_hold(params["sample_size"], params["confirm_size"])
    (drawn_by,) = spawn_seeds(seed, 1, Stream.SAMPLE)
    drawn = drawn_rows(
        source, [*labels, *dict.fromkeys(more)], size, drawn_by, key=keys, n_jobs=params["n_jobs"]
    )
    if params["journal"] is not None and params["random_state"] is None and not drawn.whole:
        raise ValueError(
            f"journal={params['journal']!r} goes on with the same rows, and which {size} of the "
            f"{drawn.n_rows} rows of {source.name} are drawn depends on random_state=None; pass a "
            "number."
        )
    return InParts(source, labels, y, groups, drawn, params["n_jobs"])


def rows_to_hold(sample_size: int, confirm_size: float | None) -> int:
    """So many that `sample_size` are left where a share of them is set aside."""
    return math.ceil(sample_size / (1 - (confirm_size or 0.0)))


def _check_aligned(
    source: Source, features: Sequence[str], groups: Any, fit_params: Mapping[str, Any]
) -> None:
    """Refuse what has an entry for each row, but for columns of the table."""
    if groups is not None and not (isinstance(groups, str) and groups in features):
        raise ValueError(
            f"groups should be the name of a column of {source.name}, which is read in parts, or "
            f"None; these are: {listed_labels(map(on_one_line, features))}."
        )
    for name, value in fit_params.items():
        if hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping)):
            raise ValueError(
                f"{name} has {len(value)} entries, which cannot be told apart by rows of "
                f"{source.name}: it is read in parts. Leave it out, or pass a table in memory, for "
                "example a sample."
            )
