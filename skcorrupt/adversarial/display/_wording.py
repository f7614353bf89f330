"""What was found, in a sentence."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, cast

import numpy as np

from skcorrupt.base import BaseCorruption
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.patterns import Pattern
from skcorrupt.utils._as_text import largest, percent_in_words, score
from skcorrupt.utils._readable import on_one_line

from ._any_rows import any_rows
from ._findings import Findings

# columns that are named where there are many
MOST_BROKEN = 5

# what the candidates of a phase are called
PHASES = {
    "enumerating": "of the shortest patterns",
    "enumerating pairs": "of two conditions",
    "screening": "chosen by proxies",
    "searching by beam": "chosen by beam",
    "learning": "chosen by what scores teach",
    "growing": "with one more condition",
    "refining": "near the worst",
    "deciding": "again on all rows",
}
ON_A_SAMPLE = " on a sample"


# what a condition on the label asks for, where features are lost or changed
LABEL_READ = (
    "`y` is the true label; where errors cannot depend on it, pass SearchSpace(label='forbidden')."
)


LABEL_BEFORE = "In conditions, `y` is the label as it was before the error."


def of_labels(search: Findings) -> str:
    """What `y` means in the worst pattern; "" where it does not look at labels."""
    if reads_label(search):
        return LABEL_READ
    changes = any(strikes != "cells" and uses for strikes, uses in _uses_of_label(search))
    return LABEL_BEFORE if changes else ""


def _uses_of_label(search: Findings) -> list[tuple[str, bool]]:
    """What the worst error strikes, and whether by a condition on the label, by member."""
    worst, pattern = search.worst_corruption_, search.worst_pattern_
    if worst is None:
        return []
    if not isinstance(worst, CorruptionProcess):
        return [(worst.strikes, pattern.uses_y)]
    return [(member.strikes, pattern[name].uses_y) for name, member in worst.corruptions]


def reads_label(search: Findings) -> bool:
    """Whether the worst error strikes features by a condition on the label, and needs it."""
    others = getattr(search, "alternatives_", None)
    if others is not None:
        without = others.loc[~others["uses_label"].astype(bool), "score"]
        if (without <= search.worst_score_).any():
            return False
    return any(strikes == "cells" and uses for strikes, uses in _uses_of_label(search))


def error_in_words(
    corruption: BaseCorruption, columns: list[Any], target: Any, pattern: Any
) -> str:
    """What an error does in which rows; for a process, a part for each member."""
    if not isinstance(corruption, CorruptionProcess):
        return on_one_line(f"{corruption.phrase(columns, target)} {where(corruption, pattern)}")
    parts = []
    for name, member in corruption.corruptions:
        hit = getattr(member, "columns", None)
        hit = () if hit is None else (hit,) if isinstance(hit, str) else tuple(hit)
        parts.append(f"{member.phrase(hit, target)} {where(member, pattern[name])}")
    return on_one_line("; ".join([parts[0], *(p[0].lower() + p[1:] for p in parts[1:])]))


def score_unit(search: Findings) -> float:
    """The unit of a search's scores, as texts have it."""
    return largest(
        search.baseline_score_,
        search.worst_score_,
        search.random_score_,
        getattr(search, "confirmed_baseline_score_", np.nan),
        getattr(search, "confirmed_score_", np.nan),
    )


def found_in_words(search: Findings) -> str:
    """What a fitted search found, beside random errors and on rows that it did not see."""
    if search.worst_corruption_ is None:
        most = 100 * float(np.max(search.budget))
        within = f"within a budget of {most:g} % of the rows"
        said = f"No feasible error {within}."
        if "failed" in search.cv_results_["status"]:
            said = f"No error {within} has a score: the {_what_raises(search)} raises."
        return f"{said}{_cut_short(search)}{_counted(search)}"
    what = error_in_words(
        search.worst_corruption_, search.worst_columns_, search._target, search.worst_pattern_
    )
    unit = score_unit(search)
    found = (
        f"{what}: {search.metric_name_} {score(search.baseline_score_, unit)} → "
        f"{score(search.worst_score_, unit)}{_by_chance(search)}"
    )
    if getattr(search, "apply_to", "train") == "test":
        found += _of_any_rows(search)
    if getattr(search, "checks", ()) and search.score_drop_ > 0:
        # errors that some check notices are none that the search takes
        found += "; no check given would have noticed"
    if search.score_drop_ <= 0:
        found += "; no candidate lowers the score"
    found += _confirmed(search, unit)
    found += (
        f"{_without_conditions(search)}.{_nearly_a_class(search)}{_broken(search)}{_done(search)}"
    )
    return f"{found}{_cut_short(search)}{_counted(search)}"


def _confirmed(search: Findings, unit: float) -> str:
    """What became of the worst error on rows that the search did not see, if it was to be told."""
    if not hasattr(search, "confirmed_score_"):
        return ""
    if not np.isfinite(search.confirmed_score_):
        return "; not confirmed on other rows"
    found = (
        f"; on rows not searched {score(search.confirmed_baseline_score_, unit)} → "
        f"{score(search.confirmed_score_, unit)}, "
    )
    low, high = _interval(search)
    if not np.isfinite([low, high]).all():
        return f"{found}without an interval"
    if low == high == 0:
        # resamples of rows that all came out the same say nothing of others
        return f"{found}no row made a difference"
    if high < 0:
        return f"{found}no drop but a gain of {score(-high, unit)} to {score(-low, unit)}"
    found += f"a drop of {score(low, unit)} to {score(high, unit)}"
    return f"{found}, which may be none" if low <= 0 else found


def _broken_places(search: Findings) -> list[tuple[str, tuple[Any, ...]]]:
    """Kinds and columns of errors that have no score, as the model failed on all that were tried.

    A failure that `error_score` gives a score counts like any other error.
    """
    found = search.cv_results_
    kinds = found.get("kind", [""] * len(found["status"]))
    scored = np.isfinite(np.asarray(found["mean_test_score"], dtype=float))
    statuses: dict[tuple[str, tuple[Any, ...]], set[str]] = {}
    rows = zip(kinds, found["columns"], found["status"], scored, strict=True)
    for kind, columns, status, has_score in rows:
        seen = "ok" if has_score else status
        statuses.setdefault((kind, tuple(columns)), set()).add(seen)
    return [
        place
        for place, seen in statuses.items()
        if place[1] and "failed" in seen and "ok" not in seen
    ]


def broken_by(
    searches: Sequence[Findings],
    known: Container[Any] = (),
    called: Sequence[Mapping[str, str]] | None = None,
) -> list[str]:
    """Columns whose errors have no score, in backticks, with the kind where there are several.

    Errors of a kind and columns that are `known` are left out, as another search scored them. What
    the kinds of each search are `called` tells those of one name apart.
    """
    names = called or [{} for _ in searches]
    kinds = {
        name.get(kind, kind)
        for each, name in zip(searches, names, strict=True)
        for kind in each.cv_results_.get("kind", ())
    }
    several = len(kinds) > 1
    places = dict.fromkeys(
        (name.get(kind, kind), columns)
        for each, name in zip(searches, names, strict=True)
        for kind, columns in _broken_places(each)
    )
    return [
        " and ".join(f"`{on_one_line(column)}`" for column in columns)
        + (f" ({kind})" if several else "")
        for kind, columns in places
        if (kind, columns) not in known
    ]


def _broken(search: Findings) -> str:
    """Which errors are worse than any score, as a sentence."""
    columns, failed = broken_by([search]), _failed(search)
    if not columns:
        return failed
    more = f" and {len(columns) - MOST_BROKEN} more" if len(columns) > MOST_BROKEN else ""
    # columns that are hit together are joined by "and"
    apart = "; " if any(" and " in each for each in columns) else ", "
    which = f"{apart.join(columns[:MOST_BROKEN])}{more}"
    return f" Errors in {which} have no score: the {_what_raises(search)} raises.{failed}"


def _failed(search: Findings) -> str:
    """How many errors, besides those of columns that are named, have no score, as a sentence."""
    found, named = search.cv_results_, set(_broken_places(search))
    without = ~np.isfinite(np.asarray(found["mean_test_score"], dtype=float))
    kinds = found.get("kind", [""] * len(without))
    failed = [
        status == "failed" and (kind, tuple(hit)) not in named
        for kind, hit, status in zip(kinds, found["columns"], found["status"], strict=True)
    ]
    n = int(np.count_nonzero(without & np.array(failed, dtype=bool)))
    if not n:
        return ""
    have = "has" if n == 1 else "have"
    return f" {n} of {len(failed)} candidates {have} no score: the {_what_raises(search)} raises."


def _what_raises(search: Findings) -> str:
    return "model" if getattr(search, "apply_to", "train") == "test" else "pipeline"


def _cut_short(search: Findings) -> str:
    """That not all was tried, as a sentence."""
    if not getattr(search, "_cut_short", False):
        return ""
    n = len(search.cv_results_["mean_test_score"])
    said = (
        f" The search was ended early after {n:,} candidate{'s' * (n != 1)}: a worse error may "
        "exist."
    )
    if getattr(search, "_few_draws", False):
        said += (
            f" This one was {_times(search.n_draws_)} only, and the lowest of many draws is lucky: "
            "on average it may do less harm."
        )
    return said


def _counted(search: Findings) -> str:
    """Which numbers rest on which rows of a table of which some were held, as a sentence."""
    table = search.certificate_
    if "n_rows_counted" not in table or not len(table):
        return ""
    rows = table.iloc[-1]
    n_confirmed = f", confirmed on {rows['n_rows_confirmed']:,} others"
    return (
        f" Support and budget hold for all {rows['n_rows_counted']:,} rows; scores rest on "
        f"{rows['n_rows_searched']:,} of them{n_confirmed if rows['n_rows_confirmed'] else ''}."
    )


def _by_chance(search: Findings) -> str:
    """The score under random errors, nothing where the search ended before they were drawn."""
    by_chance = search.random_score_
    return f" (random {score(by_chance, score_unit(search))})" if np.isfinite(by_chance) else ""


def _done(search: Findings) -> str:
    """What the default strategy did, as a sentence."""
    phases = getattr(search, "phases_", None)
    if phases is None or not len(phases) or getattr(search, "apply_to", "train") == "test":
        return ""
    sampled = phases["phase"].str.endswith(ON_A_SAMPLE)
    parts = []
    for some, where in ((phases[sampled], " on a sample of the rows"), (phases[~sampled], "")):
        names = some["phase"].str.removesuffix(ON_A_SAMPLE)
        # screening has the name of the proxy behind it
        names = names.str.replace(r" on the .*", "", regex=True)
        counts = some["n_candidates"].groupby(names, sort=False).sum()
        said = [f"{n} {PHASES[phase]}" for phase, n in counts.items() if n and phase in PHASES]
        if said:
            parts.append(f"{', '.join(said)}{where}")
    return f" Candidates scored: {'; '.join(parts)}." if parts else ""


def _interval(search: Findings) -> tuple[float, float]:
    return getattr(search, "confirmed_interval_", (np.nan, np.nan))


def _of_any_rows(search: Findings) -> str:
    """How many rows are struck, and what the worst choice of rows would bring, readable or not."""
    found = search.cv_results_
    struck = found["row_fraction"][np.argmin(found["rank_test_score"])]
    said = f" at {percent_in_words(float(struck))} of rows"
    known = any_rows(search.certificate_)
    return f"{said}; {known.said(score_unit(search))}" if known.is_told else said


def _nearly_a_class(search: Findings) -> str:
    """That hardly a row of a class is left as it was, as a sentence."""
    of_class = getattr(search, "_class_struck", None)
    if not of_class or search.score_drop_ <= 0:
        return ""
    share = "all" if of_class["share"] >= 0.9995 else percent_in_words(of_class["share"])
    return f" This takes {share} of the rows where {on_one_line(of_class['condition'])}."


def _without_conditions(search: Findings) -> str:
    """What is left of the worst error where patterns lack a condition that it has."""
    alternatives = getattr(search, "alternatives_", None)
    if alternatives is None or search.score_drop_ <= 0:
        return ""
    scored = alternatives[alternatives["score"].notna()]
    # the same rows may be struck by patterns of other conditions
    same = scored["score"] == search.worst_score_
    worst = scored[same & (scored["pattern"] == str(search.worst_pattern_))].head(1)
    parts = []
    for column, what in (("uses_label", "the label"), ("uses_own_column", "the column hit")):
        without = scored[~scored[column].astype(bool)]
        if not (worst[column].any() and len(without)):
            continue
        # what may be lower by luck stands in where there is nothing else
        drawn = without.drop(index=getattr(search, "_lucky_alternatives", ()), errors="ignore")
        least = (drawn if len(drawn) else without).nsmallest(1, "score").iloc[0]
        luck = "" if len(drawn) else f" ({_times(least['n_draws'])} only, which may be luck)"
        parts.append(f"on {what} {score(least['score'], score_unit(search))}{luck}")
    return f"; without a condition {', '.join(parts)}" if parts else ""


def _times(n_draws: int) -> str:
    """How often an error was drawn, in words."""
    return "drawn once" if n_draws == 1 else f"drawn {n_draws} times"


def where(corruption: BaseCorruption, pattern: Pattern) -> str:
    """Which rows, as the middle of a sentence."""
    rate = float(cast("float", corruption.rate))
    share = "every row" if rate >= 1 else f"{percent_in_words(rate)} of rows"
    # rows are dropped or copied, values are lost in rows
    link = "" if corruption.strikes == "rows" else "in "
    condition = "" if pattern == Pattern() else f" where {pattern}"
    return f"{link}{share}{condition}"
