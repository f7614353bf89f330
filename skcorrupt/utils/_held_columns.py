"""Columns of a table that is read in parts, each held in as few bytes a row as it takes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ._frames import Table, as_table

# distinct values up to which a column of numbers is held as places among them
MOST_LEVELS = 1 << 16


class HeldColumn:
    """A column as its distinct values and the place of every row's among them, or as it is.

    Attributes
    ----------
    levels : polars.Series
        Distinct values in order of appearance, a missing one among them; without `codes` the
        values of all rows.
    codes : ndarray of int, shape (n_rows,), or None
        Places of the rows' values.
    """

    def __init__(self, levels: Any, codes: np.ndarray | None, container: str) -> None:
        self.levels, self.codes, self._container = levels, codes, container

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.levels) if self.codes is None else len(self.codes)

    @property
    def n_bytes(self) -> int:
        """Bytes that are held."""
        return int(self.levels.estimated_size()) + (0 if self.codes is None else self.codes.nbytes)

    @cached_property
    def table(self) -> Table:
        """The levels as a table of one column, in the container that the rows have."""
        frame = self.levels.to_frame()
        return as_table(in_container(frame, self._container, [self.levels.name]))

    def at(self, rows: Any) -> Any:
        """The values of some rows, as a polars series."""
        if self.codes is not None:
            return self.levels.gather(self.codes[rows])
        return self.levels[rows] if isinstance(rows, slice) else self.levels.gather(rows)

    def by_row(self, of_levels: np.ndarray, rows: Any) -> np.ndarray:
        """What is known of the levels, for some rows."""
        return of_levels[rows if self.codes is None else self.codes[rows]]


class GrowingColumn:
    """A column that is put together part by part.

    Parameters
    ----------
    name : str
        What it is called.
    dtype : polars data type
        What it holds.
    """

    def __init__(self, name: str, dtype: Any) -> None:
        import polars as pl

        self.name, self.dtype = name, dtype
        self._is_text = dtype == pl.String
        known = self._is_text or dtype == pl.Boolean or isinstance(dtype, pl.Enum)
        self._is_coded = known or dtype.is_numeric() or dtype.is_temporal()
        self._levels = pl.DataFrame(schema={"value": dtype, "place": pl.UInt32})
        self._codes: list[np.ndarray] = []
        self._values: list[Any] = []
        self._n_rows = 0

    def add(self, values: Any) -> None:
        """Go on with the rows of another part.

        Parameters
        ----------
        values : polars.Series
            The column in the part.
        """
        self._n_rows += len(values)
        if not self._is_coded:
            self._values.append(values)
            return
        self._codes.append(self._places(values))
        n_levels = self._levels.height
        # texts are longer than their places, numbers are not
        most = self._n_rows // 2 if self._is_text else 0
        if n_levels > max(MOST_LEVELS, most):
            levels = self._levels["value"]
            self._is_coded = False
            self._values = [levels.gather(codes) for codes in self._codes]
            self._codes = []

    def _places(self, values: Any) -> np.ndarray:
        import polars as pl

        frame = pl.DataFrame({"value": values})
        known: dict[str, Any] = {"on": "value", "nulls_equal": True, "maintain_order": "left"}
        places = frame.join(self._levels, how="left", **known)["place"]
        if places.null_count():
            new = values.filter(places.is_null()).unique(maintain_order=True)
            n = self._levels.height
            numbers = pl.arange(n, n + len(new), dtype=pl.UInt32, eager=True)
            self._levels.vstack(pl.DataFrame({"value": new, "place": numbers}), in_place=True)
            places = frame.join(self._levels, how="left", **known)["place"]
        small = np.min_scalar_type(max(self._levels.height - 1, 0))
        return np.asarray(places.to_numpy()).astype(small)

    def held(self, container: str) -> HeldColumn:
        """The column, once all parts are there.

        Parameters
        ----------
        container : {"pandas", "polars"}
            What rows are given out as.

        Returns
        -------
        HeldColumn
            In as few bytes as it takes.
        """
        import polars as pl

        if self._is_coded:
            levels = self._levels["value"].alias(self.name)
            return HeldColumn(levels, np.concatenate(self._codes), container)
        values = pl.concat(self._values, rechunk=True).alias(self.name)
        return HeldColumn(values, None, container)


def in_container(frame: Any, container: str, nullable: Collection[str] = ()) -> Any:
    """A polars frame as one that models are given.

    Parameters
    ----------
    frame : polars.DataFrame of shape (n_rows, n_columns)
        The rows.
    container : {"pandas", "polars"}
        As what.
    nullable : collection of str, default=()
        Columns in which values are missing somewhere, if not here.

    Returns
    -------
    DataFrame
        In the types that the whole table would have.
    """
    if container == "polars":
        return frame
    import polars as pl

    dtypes = frame.schema
    whole = [name for name in nullable if name in dtypes and dtypes[name].is_integer()]
    frame = frame.with_columns(pl.col(name).cast(pl.Float64) for name in _with_nulls(frame, whole))
    out = frame.to_pandas()
    for name, dtype in dtypes.items():
        gaps = frame.get_column(name).null_count() if out[name].dtype == object else 0
        if gaps:
            # what scikit-learn's imputers take for missing
            out[name] = out[name].where(out[name].notna(), np.nan)
        elif dtype == pl.Boolean and name in nullable and out[name].dtype != object:
            out[name] = out[name].astype(object)
    return out


def _with_nulls(frame: Any, names: Sequence[str]) -> list[str]:
    """Columns that hold whole numbers here and would not in the whole table."""
    return [name for name in names if not frame.get_column(name).null_count()]
