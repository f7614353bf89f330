"""Errors learned from a dirty table and its corrected version."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import MAR
from skcorrupt.base._struck import unhashable
from skcorrupt.corruptions import CorruptMissing
from skcorrupt.utils import Table, Target, as_table, check_table, check_target, shorten, warn
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._added_rows import AddedRows, added_rows
from ._learned_errors import LearnedErrors, report_frame
from ._learned_process import process_of
from ._row_rules import Broken, broken_rules
from ._together import together
from ._where import Place, Places, can_be_struck, examples, in_rows
from .gaps._gap_attribute import LABEL
from .kinds._category_kinds import seen_rule
from .kinds._compared import Compared, compare
from .kinds._explain_cells import Explained, explain_cells
from .kinds._match_rows import Matching, match_rows
from .kinds._row_kinds import Sources
from .kinds._wrong_cells import Rule, WrongCells

MAX_CONDITIONS = 3
N_BINS = 32
# of tables whose errors are anywhere, in which a place is told all the same
ALPHA = 0.01
_HIDDEN = (
    "quantiles",
    "seen",
    "letters",
    "values",
    "day_first",
    "whole",
    "shares",
    "zone",
    "as_text",
    "of_missing",
    "padded",
)
_MOST_SHOWN = 20


def learn_errors(
    dirty: TableLike,
    clean: TableLike | None = None,
    *,
    key: Any = None,
    y: ColumnLike | None = None,
    dirty_y: ColumnLike | None = None,
    rules: list[str] | None = None,
) -> LearnedErrors:
    """Learn from a dirty table and its corrected version what goes wrong, where, and how often.

    Rows are matched by a key, by index labels or by place, or, where all of these are lost, by what
    is in them. Every cell that differs is explained by the most economical kind of error. For each
    kind and column the clean columns, and the label if it is given, are searched for a readable
    pattern in which it strikes more often and for a smooth mechanism, as by `learn_gaps`; of what
    is found only what stands after correction for all that was tried is kept.

    Parameters
    ----------
    dirty : DataFrame or array of shape (n_dirty, n_features)
        The table with errors.
    clean : DataFrame or array of shape (n_clean, n_features) or None, default=None
        The same table without. Columns that only one of them has are left out, with a warning.
    key : label, list of labels or None, default=None
        Columns that tell which row is which.
    y : array-like of shape (n_clean,), default=None
        Correct labels, which may explain where errors strike.
    dirty_y : array-like of shape (n_dirty,), default=None
        Labels as they came, whose errors are learned too.
    rules : list of str or None, default=None
        In place of `clean`: what has to hold in every row, such as "age >= 18", "if married == 1
        then age >= 16", "key(id, day)" or "zip -> city". A cell that breaks a rule counts as an
        error whose clean value is not known.

    Returns
    -------
    LearnedErrors
        With `report`, one row per column and kind; `corruption`, which makes such errors in other
        clean data; and `template()`, `search_space()` and `budget()` for a search.

    Raises
    ------
    ValueError
        If not exactly one of `clean` and `rules` is given, the tables have no column in common or
        do not differ, or `key` does not tell the clean rows apart.

    Warns
    -----
    UserWarning
        If a column is in one of the tables only, or wrong labels cannot be made again.

    See Also
    --------
    learn_gaps : The same for missing values, from the dirty table alone.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.learned import learn_errors
    >>> clean = pd.DataFrame({"id": range(60), "price": [float(i) for i in range(1, 61)]})
    >>> dirty = clean.assign(price=clean["price"].mask(clean["id"] < 20, clean["price"] * 100))
    >>> learned = learn_errors(dirty, clean, key="id")
    >>> learned.report[["column", "kind", "n_cells"]]
      column   kind  n_cells
    0  price  scale       20
    """
    if (clean is None) == (rules is None):
        given = "neither" if clean is None else "both"
        raise ValueError(
            f"learn_errors got {given} of clean and rules; pass the corrected table as clean, or "
            "what has to hold in every row as rules."
        )
    dirty_table = _checked(dirty, "dirty")
    if rules is not None:
        return _by_rules(dirty_table, y, dirty_y, key, rules)
    clean_table = _checked(clean, "clean")
    columns = compare(dirty_table, clean_table)
    if not columns:
        raise ValueError(
            f"dirty and clean have no column in common: {dirty_table.labels[:10]} and "
            f"{clean_table.labels[:10]}. Rename the columns of one of them."
        )
    left_out = _left_out(dirty_table, clean_table, columns)
    target = check_target(y, clean_table.n_rows)
    dirty_target = check_target(dirty_y, dirty_table.n_rows)
    if dirty_target is not None and target is None:
        raise ValueError("dirty_y is given without y; pass the correct labels as y too.")
    matching = match_rows(dirty_table, clean_table, columns, key)
    sources = Sources(columns, matching)
    explained = explain_cells(sources)
    labels = _explained_labels(dirty_target, target, matching)
    if not (explained or labels or len(matching.lost) or len(matching.added)):
        raise ValueError(
            "dirty and clean do not differ, so there are no errors to learn from; pass the table "
            "as it was before it was corrected."
        )
    study = _Study(clean_table, target, sources)
    study.add_cells(explained)
    study.add_labels(labels)
    study.add_rows(added_rows(columns, matching, target, dirty_target))
    records = study.records()
    return LearnedErrors(
        process_of(clean_table, target, matching.clean, explained, records, []),
        report_frame(records),
        clean_table.n_rows,
        target is not None,
        matching.how,
        _asked(clean_table, key, None, dirty_target is not None) | {"left_out": left_out},
    )


def _left_out(dirty: Table, clean: Table, columns: list[Compared]) -> dict[str, list[Any]]:
    """Columns that only one of the tables has, which may have been renamed; with a warning."""
    both = [column.label for column in columns]
    found = {"dirty": _not_in(dirty.labels, both), "clean": _not_in(clean.labels, both)}
    said = [f"only {one} has {shorten(labels)}" for one, labels in found.items() if labels]
    if said:
        warn(
            f"dirty and clean do not have the same columns: {', '.join(said)}; left out. Rename "
            "those that have another name in one of the tables, and drop the rest."
        )
    return found


def _not_in(labels: Sequence[Any], others: list[Any]) -> list[Any]:
    named = {(type(each), each) for each in others}
    return [label for label in labels if (type(label), label) not in named]


def _asked(table: Table, key: Any, rules: list[str] | None, dirty_y: bool) -> dict[str, Any]:
    """What was asked for, as far as code that asks again has to say it."""
    return {
        "columns": list(table.labels),
        "key": list(key) if isinstance(key, (list, np.ndarray, pd.Index)) else key,
        "rules": None if rules is None else list(rules),
        "dirty_y": dirty_y,
    }


def _by_rules(
    table: Table, y: ColumnLike | None, dirty_y: ColumnLike | None, key: Any, rules: list[str]
) -> LearnedErrors:
    """Cells that break rules, as errors of which the clean value is not known."""
    if key is not None or dirty_y is not None:
        raise ValueError(
            "key and dirty_y go with clean; with rules pass the dirty table and y only."
        )
    target = check_target(y, table.n_rows)
    broken = broken_rules(table, rules)
    columns = compare(table, table)
    everything = np.arange(table.n_rows)
    none = np.empty(0, dtype=np.intp)
    same = Matching(everything, everything, none, none, none, "rules", none > 0)
    study = _Study(table, target, Sources(columns, same))
    for each in broken:
        study.add_broken(each)
    records = study.records()
    if not records:
        raise ValueError("dirty keeps all rules, so there are no errors to learn from.")
    wrong = _union([each.cells for each in broken])
    explained = [_of_unknown(columns[j], mask) for j, mask in sorted(wrong.items()) if mask.any()]
    hidden = [each.wrong.column.label for each in explained]
    return LearnedErrors(
        process_of(table, target, everything, explained, records, hidden),
        report_frame(records),
        table.n_rows,
        target is not None,
        "rules",
        _asked(table, None, rules, False),
    )


def _union(masks: list[dict[int, np.ndarray]]) -> dict[int, np.ndarray]:
    found: dict[int, np.ndarray] = {}
    for each in masks:
        for j, mask in each.items():
            found[j] = found[j] | mask if j in found else mask
    return found


def _of_unknown(column: Compared, mask: np.ndarray) -> Explained:
    """Wrong values of which it is not known what they should be."""
    at = np.flatnonzero(mask)
    wrong = WrongCells(column, at, np.full(len(at), -1), column.dirty[at])
    return Explained(
        wrong, [seen_rule(wrong, np.ones(len(at), dtype=bool))], np.zeros(len(at), int)
    )


def _checked(X: Any, name: str) -> Table:
    try:
        table = check_table(CorruptMissing(), X, reset=True)
    except (TypeError, ValueError) as error:
        said = str(error).replace(" by CorruptMissing", "")
        raise type(error)(f"{name}: {said}") from error
    twice = [label for label, count in Counter(table.labels).items() if count > 1]
    if twice:
        raise ValueError(
            f"{name} has more than one column called {twice[0]!r}; give them distinct names first."
        )
    for column in range(table.n_columns):
        if table.kind(column) == "text":
            try:
                pd.factorize(table.values(column))
            except TypeError:
                message = unhashable(table.labels[column])
                raise ValueError(f"{name}: {message}") from None
    return table


def _explained_labels(
    dirty: Target | None, clean: Target | None, matching: Matching
) -> list[Explained]:
    if dirty is None or clean is None:
        return []
    tables = [as_table(np.asarray(t.values).reshape(-1, 1)) for t in (dirty, clean)]
    return explain_cells(Sources(compare(*tables), matching))


class _Study:
    """Kinds of errors of a pair of tables, and where each strikes."""

    def __init__(self, clean: Table, target: Target | None, sources: Sources) -> None:
        matching = sources.matching
        self._clean, self._matching, self._sources = clean, matching, sources
        self._places = Places(clean, target, MAX_CONDITIONS, N_BINS, ALPHA)
        self._rows = self._places.rows
        self._there = in_rows(matching.clean, self._rows, clean.n_rows)
        self._found: list[dict[str, Any]] = []
        self._masks: list[tuple[np.ndarray, np.ndarray, list[int]]] = []

    def add_cells(self, explained: list[Explained]) -> None:
        """Wrong cells, column by column."""
        places = {column.column: i for i, column in enumerate(self._sources.columns)}
        for each in explained:
            column = each.wrong.column
            self._add_kinds(each, column.label, None, self._sources, places[column.column])

    def add_labels(self, explained: list[Explained]) -> None:
        """Wrong labels."""
        for each in explained:
            sources = Sources([each.wrong.column], self._matching)
            self._add_kinds(each, None, "labels", sources, 0)

    def _add_kinds(
        self, each: Explained, label: Any, kind: str | None, sources: Sources, i: int
    ) -> None:
        by_kind: dict[str, list[int]] = {}
        for number, rule in enumerate(each.rules):
            by_kind.setdefault(kind or rule.kind, []).append(number)
        for name, numbers in by_kind.items():
            cells = np.isin(each.which, numbers)
            if not cells.any():
                continue
            rules = [each.rules[number] for number in numbers]
            at = self._matching.clean[each.wrong.at[cells]]
            struck = in_rows(at, self._rows, self._clean.n_rows)
            able = can_be_struck(each, numbers, self._rows, sources, i)
            able = (able & self._there) | struck
            counts = [int((each.which == number).sum()) for number in numbers]
            self._found.append(
                {
                    "column": label,
                    "kind": name,
                    "n_cells": int(cells.sum()),
                    "share_explained": float(cells.mean()),
                    "parameters": _parameters(rules, counts),
                    "examples": examples(each.wrong, cells),
                }
            )
            self._masks.append((struck, able, []))

    def add_rows(self, added: list[AddedRows]) -> None:
        """Rows that are lost, and rows that are there twice."""
        lost = self._matching.lost
        parts: list[tuple[str, np.ndarray, int, int, dict[str, Any]]]
        parts = [("selection", lost, len(lost), len(lost), {})]
        parts += [
            ("duplicates", np.unique(each.source), each.n_rows, len(each.source), each.params)
            for each in added
        ]
        for kind, at, count, n_known, params in parts:
            if not count:
                continue
            facts = {"column": None, "kind": kind, "n_cells": count, "examples": ()}
            self._found.append(facts | {"share_explained": n_known / count, "parameters": params})
            self._masks.append((in_rows(at, self._rows, self._clean.n_rows), _all(self._rows), []))

    def add_broken(self, broken: Broken) -> None:
        """Cells that break a rule, and rows whose key was there before."""
        kinds: list[tuple[int | None, str, np.ndarray]]
        kinds = [(j, "unexplained", mask) for j, mask in broken.cells.items()]
        kinds += [] if broken.again is None else [(None, "duplicates", broken.again)]
        for j, kind, mask in kinds:
            if not mask.any():
                continue
            shown: tuple[tuple[Any, Any], ...] = ()
            if j is not None:
                wrong = _of_unknown(self._sources.columns[j], mask).wrong
                shown = examples(wrong, np.ones(wrong.n, dtype=bool))
            self._found.append(
                {
                    "column": None if j is None else self._clean.labels[j],
                    "kind": kind,
                    "n_cells": int(mask.sum()),
                    "share_explained": 0.0 if j is not None else 1.0,
                    "parameters": {"rule": broken.rule},
                    "examples": shown,
                }
            )
            # what a rule is about would explain that it is broken
            about = [] if broken.again is not None else sorted(broken.cells)
            self._masks.append((mask[self._rows], _all(self._rows), about))

    def records(self) -> list[dict[str, Any]]:
        """Rows of the report."""
        places = self._places.of(self._masks)
        struck = [(mask, able) for mask, able, _ in self._masks]
        # the columns of a rule are broken together by what it says
        columns = [f["column"] if "rule" not in f["parameters"] else None for f in self._found]
        others = together(struck, columns, ALPHA)
        return [
            facts | _where_facts(self._clean, place) | {"together_with": goes_with}
            for facts, place, goes_with in zip(self._found, places, others, strict=True)
        ]


def _all(rows: np.ndarray) -> np.ndarray:
    return np.ones(len(rows), dtype=bool)


def _parameters(rules: list[Rule], counts: list[int]) -> dict[str, Any]:
    """Parameters of the most frequent rule of a kind, with what the others add."""
    main = rules[int(np.argmax(counts))]
    shown = {k: v for k, v in main.params.items() if k not in _HIDDEN}
    if "table" in shown and main.form != "swap":
        shown["table"] = [list(row) for row in shown["table"][:_MOST_SHOWN]]
    shown = {"form": main.form} | shown
    size = _typical_size(main)
    if size is not None:
        shown["typical"] = size
    if len(rules) > 1:
        shown["others"] = len(rules) - 1
    return shown


def _typical_size(rule: Rule) -> float | None:
    """The median size of what was added: a few values far off say nothing of the others."""
    if rule.form == "moved":
        sizes, times = np.abs(np.array(rule.params["seen"], dtype=float)).T
        order = np.argsort(sizes, kind="stable")
        middle = np.searchsorted(np.cumsum(times[order]), times.sum() / 2)
        return float(sizes[order][middle])
    if rule.form == "noise":
        return float(np.median(np.abs(rule.params["quantiles"])))
    return None


def _where_facts(clean: Table, place: Place) -> dict[str, Any]:
    found = place.found
    facts: dict[str, Any] = {"rate": place.rate, "explained_by": (), "uses_y": False}
    facts |= {"pattern": None, "mechanism": None, "strength": math.nan}
    facts |= {"p_value": math.nan, "p_adjusted": place.p_adjusted} | place.rates
    if found is None:
        return facts
    names = tuple(clean.labels[j] for j in found.columns if j != LABEL)
    facts |= {"explained_by": names, "uses_y": LABEL in found.columns}
    facts |= {"p_value": math.exp(found.log_p), "pattern": found.pattern}
    if found.pattern is None:
        facts["strength"] = found.strength
        columns = names[0] if len(names) == 1 and isinstance(names[0], str) else list(names)
        facts["mechanism"] = MAR(columns, strength=round(found.strength, 6))
    return facts
