"""A table that is read in parts, of which only what was counted over all parts is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from skcorrupt.utils import Moments, Source, Table, Target
from skcorrupt.utils._frames import PolarsTable

# of one column; more would not be an aggregate any more
MOST_DISTINCT = 1_000_000
_NUMBERS = ("bool", "integer", "real", "datetime", "timedelta")


class SurveyTable(Table):
    """What corruptions learn from, where the whole table is not in memory.

    Parameters
    ----------
    source : Source
        The table.
    labels : list of str
        Its columns of features.
    wanted : list of str
        Those that are looked at in every pass that is made over it.
    exact_kinds : bool
        Whether it matters that whole numbers with gaps are read as real ones.
    n_jobs : int or None
        Number of workers.
    """

    container = "polars"

    def __init__(
        self,
        source: Source,
        labels: Sequence[str],
        wanted: Sequence[str],
        exact_kinds: bool,
        n_jobs: int | None,
    ) -> None:
        import polars as pl

        self.labels = list(labels)
        self.n_columns = len(self.labels)
        self.source = pl.DataFrame(schema={name: source.schema[name] for name in self.labels})
        self._empty = PolarsTable(self.source)
        self._source = source
        self._wanted = list(wanted)
        self._exact_kinds = exact_kinds
        self._n_jobs = n_jobs

    @cached_property
    def nullable(self) -> frozenset[str]:
        """Columns of whole numbers and truth values in which some are missing."""
        kinds = ("integer", "bool")
        columns = self._of_kinds(kinds)
        if not columns or not self._exact_kinds:
            return frozenset()
        parts = self._source.run(_null_counts, columns, n_jobs=self._n_jobs)
        return frozenset(name for counts in parts for name, n in counts.items() if n)

    @cached_property
    def n_rows(self) -> int:  # type: ignore[override]
        """Number of rows of all parts."""
        return sum(self._source.run(_height, [], n_jobs=self._n_jobs))

    def kind(self, j: int) -> str:
        kind = self._empty.kind(j)
        return "real" if kind == "integer" and self.labels[j] in self.nullable else kind

    def time_zone(self, j: int) -> Any:
        return self._empty.time_zone(j)

    def only_days(self, j: int) -> bool:
        return self._empty.only_days(j)

    def categories(self, j: int) -> list[Any] | None:
        return self._empty.categories(j)

    def takes_texts(self, j: int) -> bool:
        return self._empty.takes_texts(j)

    def type_name(self, j: int) -> str:
        import polars as pl

        dtype = self.source.dtypes[j]
        if dtype not in (pl.String, pl.Categorical, pl.Enum):
            raise ValueError(
                f"columns: of {self.labels[j]!r} ({dtype}) is not known what its cells hold, as X "
                "is read in parts; name columns of texts, numbers or times, or fit the corruption "
                "on a sample in memory, corruption.fit(sample), and then call corrupt(X)."
            )
        return "str"

    def values_at(self, j: int, rows: np.ndarray) -> np.ndarray:
        return self._empty.values_at(j, rows) if not len(rows) else self._refuse(j)

    def values(self, j: int) -> np.ndarray:
        self._refuse(j)

    def missing(self, j: int) -> np.ndarray:
        self._refuse(j)

    def moments(self, j: int) -> Moments:
        if j not in self._all_moments:
            columns = self._alike(j, _NUMBERS)
            for part in self._source.run(_moments, columns, n_jobs=self._n_jobs):
                for name, moments in part.items():
                    self._all_moments.setdefault(self._at(name), Moments()).merge(moments)
        return self._all_moments[j]

    def counts(self, j: int) -> pd.Series:
        counts = self._counted(j)["count"].to_numpy()
        return pd.Series(counts, index=pd.Index(self.distinct_values(j).to_list(), dtype=object))

    def distinct(self, j: int) -> np.ndarray:
        return PolarsTable(self._counted(j)).distinct(0)

    def distinct_values(self, j: int) -> Any:
        """The values of a column, missing ones aside, as a polars series."""
        return self._counted(j).to_series(0)

    def _counted(self, j: int) -> Any:
        """The values of a column, missing ones aside, each with its number of rows."""
        import polars as pl

        if j not in self._all_counts:
            columns = self._alike(j, ("text",))
            parts = self._source.run(_value_counts, columns, n_jobs=self._n_jobs)
            for name in columns:
                empty = self.source.select(name).with_columns(count=pl.lit(0, dtype=pl.UInt32))
                both = pl.concat([empty, *(part[name] for part in parts)])
                total = both.group_by(name).agg(pl.col("count").cast(pl.Int64).sum()).sort(name)
                self._raise_if_many(name, total.height)
                self._all_counts[self._at(name)] = total
        return self._all_counts[j]

    @cached_property
    def _all_moments(self) -> dict[int, Moments]:
        return {}

    @cached_property
    def _all_counts(self) -> dict[int, Any]:
        return {}

    def _alike(self, j: int, kinds: Sequence[str]) -> list[str]:
        """Columns that are counted in one pass with a column."""
        found = self._of_kinds(kinds)
        return found if self.labels[j] in found else [self.labels[j]]

    def _of_kinds(self, kinds: Sequence[str]) -> list[str]:
        return [name for name in self._wanted if self._empty.kind(self._at(name)) in kinds]

    def _at(self, name: str) -> int:
        return self.labels.index(name)

    def _raise_if_many(self, name: str, n_distinct: int) -> None:
        if n_distinct > MOST_DISTINCT:
            raise ValueError(
                f"columns: {name!r} has {n_distinct} different values, which are not kept beyond "
                f"{MOST_DISTINCT}; leave it out, or fit the corruption on a sample in memory first."
            )

    def _refuse(self, j: int) -> NoReturn:
        raise ValueError(
            f"columns: what this error learns of {self.labels[j]!r} needs the whole column at "
            "once, and X is read in parts. Give it as a parameter, or fit the corruption on a "
            "sample in memory, corruption.fit(sample), and then call corrupt(X)."
        )


class SurveyTarget(Target):
    """Labels that are read in parts, of which the different ones and sums are known when asked for.

    Parameters
    ----------
    source : Source
        The table.
    y : str
        Name of the column of labels.
    n_jobs : int or None
        Number of workers.
    """

    def __init__(self, source: Source, y: str, n_jobs: int | None) -> None:
        self._survey = SurveyTable(source, [y], [y], True, n_jobs)
        super().__init__(self._survey.source.to_series(0))

    @cached_property
    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        return Target(self._survey.distinct_values(0)).coded

    def moments(self) -> Moments:
        return self._survey.moments(0)


def _height(frame: Any, first: int) -> int:
    return int(frame.height)


def _null_counts(frame: Any, first: int) -> dict[str, int]:
    return {name: frame.get_column(name).null_count() for name in frame.columns}


def _moments(frame: Any, first: int) -> dict[str, Moments]:
    table = PolarsTable(frame)
    return {name: Moments().add(table.numbers(j)) for j, name in enumerate(table.labels)}


def _value_counts(frame: Any, first: int) -> dict[str, Any]:
    import polars as pl

    return {
        name: frame.select(name).drop_nulls().group_by(name).agg(pl.len().alias("count"))
        for name in frame.columns
    }
