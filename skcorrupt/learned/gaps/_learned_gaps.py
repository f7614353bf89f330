"""What the gaps in a table look like."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sklearn.base import clone

from skcorrupt.attributes import SearchSpace
from skcorrupt.attributes._search_space import Use
from skcorrupt.base._serialise import encode
from skcorrupt.corruptions import CorruptionProcess, CorruptMissing
from skcorrupt.utils import is_finite_number, shorten


@dataclass(frozen=True, eq=False)
class LearnedGaps:
    """Gaps as they were observed: as a corruption, as a table, and as bounds for a search.

    Made by `learn_gaps`; `gaps["income"]` is the corruption of one column.

    Attributes
    ----------
    corruption : CorruptionProcess
        One `CorruptMissing` for every column with gaps, or for every group of columns that are
        always missing together; members whose gaps mostly fall together draw the same noise. On
        complete data it makes gaps like those observed.
    report : DataFrame
        One row per column with gaps: `column`, `member` (its name in the corruption), `n_missing`,
        `rate`, `explained_by` (columns, as a tuple), `uses_y` (whether the label explains too),
        `pattern` (Pattern or None), `rate_inside, rate_outside` (of the pattern; NaN without),
        `mechanism` (MAR or None), `strength` (of the mechanism, else NaN),
        `deviance_explained` (0 to 1), `f1` (score of predicting the gaps by the explanation, NaN
        without), `p_value` (corrected for everything that was tried).
    y_seen : bool
        Whether the label could have been an explanation.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from skcorrupt.learned import learn_gaps
    >>> rng = np.random.default_rng(0)
    >>> X = pd.DataFrame({"age": rng.integers(18, 80, 500), "income": rng.normal(40, 9, 500)})
    >>> X.loc[(X["age"] <= 30) & (rng.uniform(size=500) < 0.7), "income"] = np.nan
    >>> gaps = learn_gaps(X)
    >>> print(gaps)
    income: 13.8 % missing; 69.0 % where age <= 30, 0.0 % elsewhere
    >>> gaps.search_space().pattern_columns
    {'income': ['age']}
    """

    corruption: CorruptionProcess
    report: pd.DataFrame
    y_seen: bool

    def __getitem__(self, column: Any) -> CorruptMissing:
        """The unfitted corruption that strikes a column; KeyError if it has no gaps."""
        members: dict[str, Any] = dict(self.corruption.corruptions)
        for name, label in zip(self.report["member"], self.report["column"], strict=True):
            if type(label) is type(column) and label == column:
                return members[name]
        raise KeyError(
            f"{column!r} is no column with gaps that was looked at; there are "
            f"{self.report['column'].tolist()}."
        )

    def template(self, name: Hashable | None = None) -> CorruptMissing:
        """The kind of error to search for, with the pattern of a column.

        Parameters
        ----------
        name : label or None, default=None
            A column, whose pattern a search keeps and extends. None leaves all of that to the
            search, as for use with `search_space()`.

        Returns
        -------
        CorruptMissing
            Without a rate, and without losses outside its pattern.
        """
        if name is None:
            return CorruptMissing()
        return clone(self[name]).set_params(outside_ratio=0.0, rate=None)

    def search_space(self, name: Hashable | None = None) -> SearchSpace:
        """What a search may try to keep to what was observed.

        The search then erases explained columns only, under patterns on what explains their gaps.
        Where the label was looked at and explains nothing, patterns do not use it; where it
        explains all, they have to.

        Parameters
        ----------
        name : label or None, default=None
            One explained column; None is all of them.

        Returns
        -------
        SearchSpace
            To be passed on with `template()` and `budget()`.

        Raises
        ------
        ValueError
            If nothing explains the gaps.
        """
        rows = self._explained(name)
        by_hit = {
            label: list(columns)
            for label, columns in zip(rows["column"], rows["explained_by"], strict=True)
        }
        label: Use = "required" if rows["uses_y"].all() else "allowed"
        if self.y_seen and not rows["uses_y"].any():
            label = "forbidden"
        return SearchSpace(
            corrupt_columns=list(by_hit),
            pattern_columns=by_hit,
            own_column="allowed",
            label=label,
            max_conditions=max(map(len, by_hit.values())),
        )

    def budget(self, factor: float = 1.0, name: Hashable | None = None) -> float:
        """The share of rows with gaps, as a budget.

        Parameters
        ----------
        factor : float, default=1.0
            What it is multiplied by; the result is at most 1.
        name : label or None, default=None
            One explained column; None is the explained column that has the fewest gaps, so that
            no candidate erases more of a column than was missing.

        Returns
        -------
        float
            The budget.

        Raises
        ------
        ValueError
            If nothing explains the gaps, or `factor` is no positive number.
        """
        if not is_finite_number(factor) or factor <= 0:
            raise ValueError(
                f"factor={shorten(factor)} should be a number above 0; a column goes in name=."
            )
        return min(1.0, factor * float(self._explained(name)["rate"].min()))

    def to_dict(self) -> dict[str, Any]:
        """What was learned as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            `corruption`, to be read by `BaseCorruption.from_dict`; `report`, a list with one
            dictionary per row; `y_seen`.
        """
        records = self.report.to_dict("records")
        return {
            "corruption": self.corruption.to_dict(),
            "report": [{str(k): encode(value) for k, value in row.items()} for row in records],
            "y_seen": self.y_seen,
        }

    def _explained(self, name: Hashable | None) -> pd.DataFrame:
        rows = self.report
        if name is not None:
            self[name]
            rows = rows[[label == name for label in rows["column"]]]
        rows = rows[(rows["explained_by"].map(len) > 0) | rows["uses_y"]]
        if rows.empty:
            where = "of any column" if name is None else f"of {name!r}"
            raise ValueError(
                f"Nothing was found that explains the gaps {where}, so they set no bounds on "
                "patterns; cross_validate_corrupted(…) with the corruption shows what they do."
            )
        return rows

    def __str__(self) -> str:
        return "\n".join(_sentence(row) for row in self.report.to_dict("records"))


def _sentence(row: Mapping[Hashable, Any]) -> str:
    start = f"{row['column']}: {100 * row['rate']:.1f} % missing; "
    if row["pattern"] is not None:
        return (
            f"{start}{100 * row['rate_inside']:.1f} % where {row['pattern']}, "
            f"{100 * row['rate_outside']:.1f} % elsewhere"
        )
    if row["mechanism"] is not None:
        names = " and ".join(map(str, row["explained_by"]))
        end = "high" if row["strength"] > 0 else "low"
        return f"{start}more often where {names} is {end} (strength {row['strength']:.2f})"
    return f"{start}nothing here explains it"
