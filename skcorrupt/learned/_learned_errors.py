"""What the errors in a table look like."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from skcorrupt.attributes import SearchSpace
from skcorrupt.attributes._search_space import Use
from skcorrupt.base import BaseCorruption
from skcorrupt.base._serialise import decode, encode
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation._expected import check_expected
from skcorrupt.evaluation._fitted_results import bundle_of, finding_of
from skcorrupt.utils import Reader, checked_path, document, from_file, is_finite_number, shorten
from skcorrupt.utils._typing import FilePath

from ._in_words import error_in_words
from ._kept_errors import ROW
from ._kind_templates import template_of
from ._sentences import ROWS, left_out, name_of, sentence

REPORT = (
    "column",
    "kind",
    "n_cells",
    "rate",
    "share_explained",
    "parameters",
    "explained_by",
    "uses_y",
    "pattern",
    "rate_inside",
    "rate_inside_low",
    "rate_inside_high",
    "rate_outside",
    "rate_outside_low",
    "rate_outside_high",
    "mechanism",
    "strength",
    "p_value",
    "p_adjusted",
    "together_with",
    "examples",
)
OBJECTS = (
    "column", "kind", "parameters", "explained_by", "pattern", "mechanism", "together_with",
    "examples",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class LearnedErrors:
    """Errors as they were observed: as a corruption, as a table, and as bounds for a search.

    Made by `learn_errors`.

    Attributes
    ----------
    corruption : CorruptionProcess
        Makes errors like those observed in other clean data. Its member "cells" is a
        `CorruptAsSeen`; "labels", "lost rows", "rows added" and "rows added with
        wrong labels" are there where such were seen.
    report : DataFrame
        One row per column and kind of error: `column` (None for labels and whole rows), `kind` (the
        short name of a kind of corruption, or "column", a value of another column, or
        "unexplained"), `n_cells`, `rate` (of the cells that could be struck),
        `share_explained` (of the column's errors), `parameters`, `explained_by` (columns, as a
        tuple), `uses_y`, `pattern` (Pattern or None), `rate_inside, rate_outside` with their 95 %
        intervals `_low, _high` (without a pattern inside is everywhere), `mechanism` (MAR or None),
        `strength`, `p_value` (corrected for all that was tried for this row), `p_adjusted` (and for
        all rows), `together_with` (other columns that mostly go wrong in the same rows, as a
        tuple), `examples` (up to three pairs of a dirty and a clean value).
    n_rows : int
        Number of clean rows; with `rules` that of dirty ones.
    y_seen : bool
        Whether the label could have been an explanation.
    matched_by : str
        What rows were matched by: "key", "index", "place", "content", or "rules".
    given : dict
        What was asked for: `columns` (labels of the table), `key`, `rules`, `dirty_y`, whether
        labels as they came were given, and `left_out`, columns that only the "dirty" or only the
        "clean" table has.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from skcorrupt.learned import learn_errors
    >>> rng = np.random.default_rng(0)
    >>> clean = pd.DataFrame({"age": rng.integers(18, 80, 500), "height": rng.normal(170, 9, 500)})
    >>> dirty = clean.copy()
    >>> dirty.loc[(clean["age"] <= 30) & (rng.uniform(size=500) < 0.7), "height"] /= 100
    >>> print(learn_errors(dirty, clean))
    height: another unit (factor 0.01) in 13.8 % of rows; 69.0 % where age <= 30, 0.0 % elsewhere
    """

    corruption: CorruptionProcess | None
    report: pd.DataFrame
    n_rows: int
    y_seen: bool
    matched_by: str
    given: dict[str, Any] = field(default_factory=dict)

    def template(self, name: Hashable | None = None) -> BaseCorruption | list[BaseCorruption]:
        """The kind of error to search for, with the pattern that it was seen under.

        Parameters
        ----------
        name : label, "labels", "lost rows", "rows added" or None, default=None
            A column, of which the most frequent kind is taken with its parameters and pattern,
            which a search keeps and extends. None is all kinds that were seen, each in its column
            and without a pattern, as for use with `search_space()`. Columns that go wrong together
            in the same way are struck together.

        Returns
        -------
        BaseCorruption or list of BaseCorruption
            Without a rate, which is the search's to choose.

        Raises
        ------
        KeyError
            If there are no errors of that name.
        ValueError
            If nothing is known to make such errors.
        """
        if name is not None:
            main = self._rows(name).iloc[0].to_dict()
            made = template_of(main, placed=True, columns=self._group(main))
            if made is None and main["kind"] == "labels":
                raise ValueError(
                    f"name={name!r}: no corruption makes wrong labels of the form "
                    f"{main['parameters'].get('form')!r}; make the label a column of both tables "
                    "instead of passing y, or write a corruption of your own."
                )
            if made is None:
                raise ValueError(
                    f"name={name!r} has errors of the kind {main['kind']!r}, for which no "
                    "corruption is known that a search could aim; use .corruption, which repeats "
                    "them."
                )
            return made
        found: list[BaseCorruption] = []
        for row in self.report.sort_values("n_cells", ascending=False).to_dict("records"):
            made = template_of(row, placed=False, columns=self._group(row))
            if made is not None and all(repr(made) != repr(each) for each in found):
                found.append(made)
        if not found:
            raise ValueError("Only errors were seen of which no kind can be searched for.")
        return found[0] if len(found) == 1 else found

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return bundle_of(self)

    def _repr_html_(self) -> str:
        return f"<p><strong>LearnedErrors</strong></p>{finding_of(self)}"

    def search_space(self, name: Hashable | None = None) -> SearchSpace:
        """What a search may try to keep to what was observed.

        The search then strikes columns in which errors were seen, under patterns on what explains
        where they strike. Where nothing explains that, all columns may.

        Parameters
        ----------
        name : label or None, default=None
            One column; None is all.

        Returns
        -------
        SearchSpace
            To be passed on with `template()` and `budget()`.
        """
        rows = self.report if name is None else self._rows(name)
        by_hit: dict[Any, list[Any]] = {}
        explained = True
        for row in rows.to_dict("records"):
            if row["column"] is None:
                continue
            hit = [row["column"]] if name is not None else self._group(row)
            for struck in hit:
                columns = by_hit.setdefault(struck, [])
                columns += [each for each in row["explained_by"] if each not in columns]
            explained &= bool(row["explained_by"]) or row["uses_y"]
        placed = rows[(rows["explained_by"].map(len) > 0) | rows["uses_y"].astype(bool)]
        label: Use = "allowed"
        if self.y_seen and not placed["uses_y"].any():
            label = "forbidden"
        most = max([1, *placed["explained_by"].map(len)])
        corrupt_columns: list[Any] | None = None
        if name is not None and by_hit:
            group = tuple(self._group(rows.iloc[0].to_dict()))
            corrupt_columns = [group] if len(group) > 1 else list(group)
        return SearchSpace(
            # templates name their own columns
            corrupt_columns=corrupt_columns,
            pattern_columns=by_hit if by_hit and explained and all(by_hit.values()) else None,
            own_column="allowed",
            label=label,
            max_conditions=most if explained and len(placed) else 3,
        )

    def budget(self, factor: float = 1.0, name: Hashable | None = None) -> float:
        """The share of rows with errors, as a budget.

        Parameters
        ----------
        factor : float, default=1.0
            What it is multiplied by; the result is at most 1.
        name : label or None, default=None
            One column; None is the one with the fewest errors, so that no candidate strikes more
            of a column than was seen.

        Returns
        -------
        float
            The budget.
        """
        if not is_finite_number(factor) or factor <= 0:
            raise ValueError(
                f"factor={shorten(factor)} should be a number above 0; a column goes in name=."
            )
        rows = self.report if name is None else self._rows(name)
        names = [name_of(row) for row in rows.to_dict("records")]
        totals = rows["n_cells"].groupby(pd.Series(names, index=rows.index, dtype=object)).sum()
        return min(1.0, factor * float(totals.min()) / max(self.n_rows, 1))

    def to_dict(self) -> dict[str, Any]:
        """What was learned as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `from_dict`.
        """
        records = self.report.to_dict("records")
        return {
            "corruption": None if self.corruption is None else self.corruption.to_dict(),
            "report": [{str(k): encode(value) for k, value in row.items()} for row in records],
            "n_rows": self.n_rows,
            "y_seen": self.y_seen,
            "matched_by": self.matched_by,
            "given": encode(self.given),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LearnedErrors:
        """What was learned, read again.

        Parameters
        ----------
        data : dict
            As made by `to_dict`.

        Returns
        -------
        LearnedErrors
            The same.

        Raises
        ------
        ValueError
            If a part is missing or not what it should be; the message names its place.
        """
        fields = document(data).fields(
            ["corruption", "report", "n_rows", "y_seen", "matched_by"], ["given"]
        )
        records = []
        for each in fields["report"].items("a list of rows"):
            row = each.fields(REPORT, what="a row of the report")
            records.append({key: decode(value) for key, value in row.items()})
            check_expected(records[-1], ROW, f"{each.place}.")
            _check_made(each, records[-1])
        process = None
        if fields["corruption"].value is not None:
            process = BaseCorruption.from_dict(fields["corruption"].value)
            if not isinstance(process, CorruptionProcess):
                fields["corruption"].refuse("a CorruptionProcess")
        return cls(
            process,
            report_frame(records),
            fields["n_rows"].integer(0),
            fields["y_seen"].boolean(),
            fields["matched_by"].text(),
            _given(fields.get("given")),
        )

    def to_json(self, path: FilePath) -> None:
        """Write what was learned to a file.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        text = json.dumps(self.to_dict(), indent=1, allow_nan=False)
        checked_path("path", path).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def from_json(cls, path: FilePath) -> LearnedErrors:
        """Read what `to_json` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        LearnedErrors
            What was learned.
        """
        found: LearnedErrors = from_file(path, cls.from_dict)
        return found

    def _group(self, row: Mapping[Hashable, Any]) -> list[Any]:
        """The column of a row of the report, and those that go wrong with it in the same way."""
        if row["column"] is None:
            return []
        own = repr(template_of(row, placed=False, columns=[row["column"]]))
        group = {row["column"]}
        for each in self.report.to_dict("records"):
            if each["kind"] == row["kind"] and each["column"] in row["together_with"]:
                alike = template_of(each, placed=False, columns=[row["column"]])
                if each["kind"] != "exchange" and repr(alike) == own:
                    group.add(each["column"])
        named = self.report["column"]
        return [label for label in dict.fromkeys(named.dropna()) if label in group]

    def _rows(self, name: Hashable) -> pd.DataFrame:
        """Rows of the report of a column, the most frequent kind first."""
        names = [name_of(row) for row in self.report.to_dict("records")]
        mine = self.report[[type(each) is type(name) and each == name for each in names]]
        if mine.empty:
            raise KeyError(
                f"name={shorten(name)} should be a column in which errors were seen: "
                f"{shorten(list(dict.fromkeys(names)))}."
            )
        return mine.sort_values("n_cells", ascending=False, kind="stable")

    def __str__(self) -> str:
        said = [sentence(row, self.n_rows) for row in self.report.to_dict("records")]
        return "\n".join([*said, *left_out(self.given)])


def _given(reader: Reader | None) -> dict[str, Any]:
    if reader is None:
        return {}
    found = decode(reader)
    if not isinstance(found, dict):
        reader.refuse("an object")
    return dict(found)


def _check_made(reader: Reader, row: Mapping[Any, Any]) -> None:
    """Refuse a row of the report of which nothing can be said or made."""
    if row["column"] is None and row["kind"] not in ROWS:
        reader.at("column").refuse("a column, as errors of this kind are in cells")
    try:
        sentence(row, 1)
        error_in_words(row)
        template_of(row, placed=True)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        reader.refuse(
            f"a row of a report, and its parameters those of its kind ({type(error).__name__}: "
            f"{shorten(str(error), 120)})"
        )


def report_frame(records: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows as the table of a report."""
    frame = pd.DataFrame(
        {key: [row[key] for row in records] for key in REPORT if key not in OBJECTS}
    )
    for key in OBJECTS:
        frame[key] = pd.Series([row[key] for row in records], dtype=object, index=frame.index)
    return frame[list(REPORT)]
