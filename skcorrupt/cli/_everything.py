"""Every kind of error tried on a file, and ranked by what it does."""

from __future__ import annotations

import argparse
import copy
import math
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.base import clone

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._time_too_short import TimeTooShort
from skcorrupt.adversarial.display import found_in_words, plot_kinds, reads_label, score_unit
from skcorrupt.corruptions import CorruptExchange, short_names
from skcorrupt.evaluation import CTRL_C, SIGTERM
from skcorrupt.utils._as_text import counted

from ._command_error import CommandError, one_line
from ._found import KINDS, KINDS_PICTURE, LABEL_READ, save_search
from ._output import (
    csv_text,
    in_options,
    interval_text,
    score_text,
    table_text,
    write_image,
    write_texts,
)
from ._planned import planned
from ._scoring import with_hint
from ._typed import listed, typed

# a first look at every kind: patterns of one condition, few bounds of each
FEW_CALLS, FEW_CONDITIONS, PAIR_CONDITIONS = 8, 1, 2
# what is most often wrong in tables comes first, where time may not suffice for all
LIKELY = ("missing", "labels", "sentinel", "scale", "selection", "duplicates", "categories")
# rows of the table that are printed
SHOWN = 20
CUT_SHORT = (
    "a share of --max-time ended a search, or the draws that confirm it, early; give more, or "
    "search such a kind by itself"
)


@dataclass
class _Tried:
    """What became of the kinds that were tried."""

    found: dict[str, AdversarialCorruptionSearch] = field(default_factory=dict)
    not_tried: dict[str, str] = field(default_factory=dict)
    warned: dict[str, list[str]] = field(default_factory=dict)
    ended: bool = False


def search_everything(
    hunt: AdversarialCorruptionSearch,
    X: pd.DataFrame,
    y: pd.Series | None,
    args: argparse.Namespace,
    out: Path | None,
) -> None:
    """Search for the worst error of each kind in turn, and rank all of them.

    Parameters
    ----------
    hunt : AdversarialCorruptionSearch
        The search of one kind.
    X : DataFrame of shape (n_samples, n_features)
        Features.
    y : Series of shape (n_samples,) or None
        Labels.
    args : Namespace
        The arguments.
    out : Path or None
        Folder of the results.

    Raises
    ------
    CommandError
        If no kind can be tried.
    """
    if isinstance(args.budget, list):
        raise CommandError(
            "--corruption all takes one --budget; name one kind for a curve of several budgets"
        )
    tried = _try_all(hunt, X, y, args)
    if not tried.found:
        why = next(iter(tried.not_tried.values()), "interrupted before the first was done")
        raise CommandError(f"no kind of error could be tried: {with_hint(args.scoring, why)}")
    table = _ranked(tried.found)
    lines = _report(tried, table, args)
    print("\n".join(lines))
    if out is None:
        return
    worst = tried.found[table["kind"].iloc[0]]
    # for the page, also one that is made again from the file of results
    worst._of_every_kind = table
    save_search(worst, args, out)
    write_texts(out, {KINDS: csv_text(table)})
    print(f"Every kind and column: {out / KINDS}")
    _draw(table, worst.metric_name_, out / KINDS_PICTURE)


def _draw(table: pd.DataFrame, metric: str, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 1.6 + 0.36 * table["kind"].nunique()), layout="constrained")
    plot_kinds(table, metric, figure.subplots())
    write_image(figure, path)


def _try_all(
    hunt: AdversarialCorruptionSearch,
    X: pd.DataFrame,
    y: pd.Series | None,
    args: argparse.Namespace,
) -> _Tried:
    tried, started = _Tried(), time.monotonic()
    searches = _searches(hunt, args)
    if args.max_time is None:
        print(f"Planning {len(searches)} kinds ...", flush=True)
    print(f"Plan: {planned([*searches.values()], ('kind', 'kinds'), X, y, args)}.", flush=True)
    left, least = math.inf, 0.0
    for i, (kind, search) in enumerate(searches.items()):
        print(f"[{i + 1}/{len(searches)}] {kind}", flush=True)
        # with too small a share a kind is tried once more with what it needs, as do those after it
        for _ in range(2):
            if args.max_time is not None:
                left = args.max_time - (time.monotonic() - started)
                if left <= least:
                    break
                search.set_params(max_time=max(least, left / (len(searches) - i)))
            needed = _try(search, kind, X, y, tried, args)
            if needed <= least:
                break
            least = needed
        if kind not in tried.found and left <= least:
            too_few = f"{left:.0f} s were left, and a kind needs {least:.0f} s"
            why = too_few if round(left) > 0 else "no time was left"
            rest = dict.fromkeys([*searches][i:], why)
            tried.not_tried = {**rest, **tried.not_tried}
            break
        if tried.ended:
            tried.not_tried |= dict.fromkeys([*searches][i + 1 :], "interrupted")
            break
    return tried


def _searches(
    hunt: AdversarialCorruptionSearch, args: argparse.Namespace
) -> dict[str, AdversarialCorruptionSearch]:
    """The search of each kind, the likely ones first."""
    known = sorted(short_names())
    kinds = [kind for kind in LIKELY if kind in known]
    kinds += [kind for kind in known if kind not in kinds]
    searches = {}
    for kind in kinds:
        # a clone would unfit a model that is served as it is
        search = copy.copy(hunt).set_params(corruption=kind, space=clone(hunt.space))
        if issubclass(short_names()[kind], CorruptExchange):
            # a condition on each of the two columns that are exchanged
            most = max(PAIR_CONDITIONS, args.max_conditions or 0)
            search.set_params(space__max_conditions=most)
        searches[kind] = search
    return searches


def _try(
    search: AdversarialCorruptionSearch,
    kind: str,
    X: pd.DataFrame,
    y: pd.Series | None,
    tried: _Tried,
    args: argparse.Namespace,
) -> float:
    """Note what became of a kind; the seconds it needs where it had too few, otherwise 0."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            search.fit(X, y)
        except KeyboardInterrupt:
            tried.not_tried[kind], tried.ended = "interrupted", True
            return 0.0
        except TimeTooShort as error:
            tried.not_tried[kind] = one_line(error)
            return error.needed
        except Exception as error:
            tried.not_tried[kind] = one_line(error)
            return 0.0
    tried.not_tried.pop(kind, None)
    if search.worst_corruption_ is None:
        tried.not_tried[kind] = "no such error is possible within the budget"
        return 0.0
    tried.found[kind] = search
    said = [in_options(one_line(each.message), args) for each in caught]
    # the clock ends a kind, a signal all of them
    signals = any(signal in text for text in said for signal in (CTRL_C, SIGTERM))
    tried.ended = search.interrupted_ and signals
    for text in dict.fromkeys(said):
        if "--max-time" in text and not tried.ended:
            # each kind has another share of the time, so each would say it in other words
            text = CUT_SHORT
        told = tried.warned.setdefault(text, [])
        told += [] if kind in told else [kind]
    return 0.0


def _ranked(found: dict[str, AdversarialCorruptionSearch]) -> pd.DataFrame:
    """The worst error of each kind in each column, what does most harm first."""
    rows: list[dict[str, Any]] = []
    for kind, search in found.items():
        scored = pd.DataFrame(
            {
                name: search.cv_results_[name]
                for name in ("columns", "pattern", "mean_test_score", "corruption")
            }
        ).dropna(subset="mean_test_score")
        scored["hit"] = [_hit(kind, columns) for columns in scored["columns"]]
        order = scored.sort_values("mean_test_score", kind="stable").drop_duplicates("hit")
        for row in order.to_dict("records"):
            own = row["hit"] == _hit(kind, search.worst_columns_)
            score = search.worst_score_ if own else row["mean_test_score"]
            entry = {"kind": kind, "columns": row["hit"], "clean": search.baseline_score_}
            entry |= {"worst": score, "drop": search.baseline_score_ - score}
            if own and hasattr(search, "confirmed_interval_"):
                low, high = search.confirmed_interval_
                entry |= {"confirmed_low": low, "confirmed_high": high}
            pattern = search.worst_pattern_ if own else row["pattern"]
            rows.append(entry | {"pattern": str(pattern)})
    table = pd.DataFrame(rows)
    for name in ("confirmed_low", "confirmed_high"):
        if name not in table:
            table[name] = float("nan")
    return table.sort_values("drop", ascending=False, kind="stable", ignore_index=True)


def _hit(kind: str, columns: Any) -> str:
    return listed(columns) if len(columns) else f"({short_names()[kind].strikes})"


def _report(tried: _Tried, table: pd.DataFrame, args: argparse.Namespace) -> list[str]:
    worst = tried.found[table["kind"].iloc[0]]
    unit = score_unit(worst)
    head = ["kind", "columns", "worst", "drop", "drop on rows not searched", "rows hit"]
    cells = [head]
    for row in table.head(SHOWN).to_dict("records"):
        confirmed = interval_text((row["confirmed_low"], row["confirmed_high"]), unit)
        scores = [score_text(row["worst"], unit), score_text(row["drop"], unit), confirmed]
        cells.append([row["kind"], row["columns"], *scores, row["pattern"]])
    rest = len(table) - SHOWN
    lines = [
        "",
        f"What hurts most, by kind and column ({worst.metric_name_} "
        f"{score_text(worst.baseline_score_, unit)} without errors)",
        table_text(cells, n_left=2, prose_last=True),
        *([f"… and {rest} more rows"] if rest > 0 else []),
        _of_drops(table),
    ]
    if tried.not_tried:
        lines += ["", "Not possible, or not tried"]
        lines += [f"  {kind}: {why}" for kind, why in tried.not_tried.items()]
    lines += [f"Warning ({', '.join(kinds)}): {text}" for text, kinds in tried.warned.items()]
    lines += ["", "The worst of all", found_in_words(worst)]
    if any(map(reads_label, tried.found.values())):
        lines += ["", LABEL_READ]
    return [*lines, "", "Search that kind thoroughly:", f"  {_next(worst, args)}"]


def _of_drops(table: pd.DataFrame) -> str:
    """What the columns of drops are, and of which there is no interval."""
    said = "The drop is the largest of a quick look, hence too large"
    confirmed = table["confirmed_low"].notna()
    if not confirmed.any():
        return f"{said}; it was not measured on rows not searched."
    said += "; the interval, for the worst of each kind,\ncomes from rows not searched."
    left = [kind for kind in table["kind"].unique() if not confirmed[table["kind"] == kind].any()]
    if not left:
        return said
    worst = table["kind"].iloc[0]
    if worst not in left:
        return f"{said} Of {counted(len(left), 'kind')} there is none."
    others = f" and {counted(len(left) - 1, 'other kind')}" if len(left) > 1 else ""
    return f"{said} Of {worst}, the worst of all,{others} there is none."


def _next(worst: AdversarialCorruptionSearch, args: argparse.Namespace) -> str:
    """The command that searches the worst kind in the column that it hurts."""
    words: list[object] = ["search", args.data]
    for option in ("label", "pipeline", "model", "scoring", "positive", "cv", "checks"):
        value = getattr(args, option)
        words += [] if value is None else [f"--{option}", value]
    words += ["--corruption", worst.corruption, "--budget", args.budget]
    if len(worst.worst_columns_) == 1:
        words += ["--corrupt-columns", listed(worst.worst_columns_)]
    for option in ("serving", "trust"):
        words += [f"--{option}"] if getattr(args, option) else []
    for option in ("label_condition", "own_column"):
        value = getattr(args, option)
        words += [] if value is None else [f"--{option.replace('_', '-')}", value]
    for option in ("drop", "pattern_columns"):
        value = getattr(args, option)
        words += [f"--{option.replace('_', '-')}", listed(value)] if value else []
    words += ["--exclude", *args.exclude] if args.exclude else []
    return typed(args, *words)
