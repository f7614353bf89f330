"""What a search scored, by the columns that patterns look at: a tree, and what columns add."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption
from skcorrupt.patterns import Pattern

LABEL = "y"


def pattern_sets(results: Any) -> pd.DataFrame:
    """The scored candidates, a row a set of columns.

    Bounds, rates, budgets and target labels are no part of a set, so that a set counts once,
    however many candidates the search spent on it.

    Parameters
    ----------
    results : dict or DataFrame
        As `AdversarialCorruptionSearch.cv_results_`.

    Returns
    -------
    DataFrame
        Columns `kind` ("" where all are of one kind), `hit` and `looks_at` (tuples of str, the
        label is y), `n_candidates`, `score` (the lowest of the set), the lowest first.
    """
    table = pd.DataFrame(results)
    scores: dict[tuple[Any, ...], list[float]] = {}
    names: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    kinds = table["kind"] if "kind" in table else pd.Series("", index=table.index)
    if kinds.nunique() < 2:
        kinds = pd.Series("", index=table.index)
    rows = zip(kinds, table["columns"], table["corruption"], table["mean_test_score"], strict=True)
    for kind, columns, corruption, score in rows:
        if corruption is None or not np.isfinite(score):
            continue
        hit, looks_at = tuple(map(_named, columns)), _looks_at(corruption)
        key = kind, hit, frozenset(looks_at)
        names.setdefault(key, looks_at)
        scores.setdefault(key, []).append(float(score))
    sets = pd.DataFrame(
        [(*key[:2], names[key], len(found), min(found)) for key, found in scores.items()],
        columns=["kind", "hit", "looks_at", "n_candidates", "score"],
    )
    return sets.sort_values("score", kind="stable", ignore_index=True)


def _looks_at(corruption: BaseCorruption) -> tuple[str, ...]:
    """Attributes in the patterns of a corruption, or of its members, in order."""
    params = corruption.get_params(deep=True).values()
    patterns = [each for each in params if isinstance(each, Pattern)]
    found = [_named(name) for pattern in patterns for name in pattern.columns]
    found += [LABEL for pattern in patterns if pattern.uses_y]
    return tuple(dict.fromkeys(found))


def _named(column: Any) -> str:
    """A column's name, told apart from the label."""
    return f"`{column}`" if str(column) == LABEL else str(column)


def looked_at_by_all(sets: pd.DataFrame) -> list[str]:
    """Attributes that every pattern looks at."""
    each = [set(names) for names in sets["looks_at"]]
    return [name for name in sets["looks_at"].iloc[0] if all(name in names for names in each)]


def tree_of(sets: pd.DataFrame, most: int) -> pd.DataFrame:
    """The sets as a tree: each below the worst of those that it extends by one attribute.

    Parameters
    ----------
    sets : DataFrame
        As `pattern_sets` gives it.
    most : int
        Most rows. Those with the lowest scores stay, with all that they extend.

    Returns
    -------
    DataFrame
        The rows of `sets` in the order of an outline, the branch of the lowest score on top, with
        `parent` (row of the set extended, −1 for none), `level` (0 for a root) and `on_path`
        (whether the set is the worst or one that the worst grew from).
    """
    of_sets = zip(sets["kind"], sets["hit"], strict=True)
    keys = list(zip(of_sets, map(frozenset, sets["looks_at"]), strict=True))
    place = {key: i for i, key in enumerate(keys)}
    parents = [
        min(
            (place[hit, used - {name}] for name in used if (hit, used - {name}) in place),
            default=-1,
        )
        for hit, used in keys
    ]
    kept: set[int] = set()
    for i in range(len(keys)):
        line = [i]
        while parents[line[-1]] >= 0:
            line.append(parents[line[-1]])
        if len(kept | set(line)) > most:
            break
        kept |= set(line)
    best = _best_of_branches(sets["score"].to_numpy(), parents, kept)
    children: dict[int, list[int]] = {}
    for i in sorted(kept, key=lambda i: best[i]):
        children.setdefault(parents[i], []).append(i)
    order: list[tuple[int, int, int]] = []
    waiting = [(i, -1, 0) for i in reversed(children.get(-1, []))]
    while waiting:
        i, parent, level = waiting.pop()
        waiting += [(j, len(order), level + 1) for j in reversed(children.get(i, []))]
        order.append((i, parent, level))
    on_path, i = set(), 0
    while i >= 0:
        on_path.add(i)
        i = parents[i]
    shown, above, levels = (list(column) for column in zip(*order, strict=True))
    tree = sets.iloc[shown].reset_index(drop=True)
    return tree.assign(parent=above, level=levels, on_path=[i in on_path for i in shown])


def _best_of_branches(scores: np.ndarray, parents: list[int], kept: set[int]) -> dict[int, float]:
    """The lowest score in the branch below each set."""
    best: dict[int, float] = {}
    for i in kept:
        j = i
        while j >= 0:
            best[j] = min(best.get(j, np.inf), float(scores[i]))
            j = parents[j]
    return best


def effects_of(sets: pd.DataFrame) -> pd.DataFrame:
    """The scores of sets with an attribute beside those of sets without it.

    Parameters
    ----------
    sets : DataFrame
        As `pattern_sets` gives it.

    Returns
    -------
    DataFrame
        A row an attribute that some sets look at or hit and others do not: `column`, `n_with`,
        `n_without` (sets), `lowest`, `lowest_without`, `median`, `median_without` (of the sets'
        lowest scores) and `difference` (`lowest_without − lowest`), the largest first.
    """
    uses = [
        dict.fromkeys((*looks_at, *hit))
        for hit, looks_at in zip(sets["hit"], sets["looks_at"], strict=True)
    ]
    scores = sets["score"].to_numpy()
    rows = []
    for name in dict.fromkeys(name for names in uses for name in names):
        here = np.array([name in names for names in uses])
        if here.all():
            continue
        within, without = scores[here], scores[~here]
        rows.append(
            {
                "column": name,
                "n_with": len(within),
                "n_without": len(without),
                "lowest": within.min(),
                "lowest_without": without.min(),
                "median": np.median(within),
                "median_without": np.median(without),
                "difference": without.min() - within.min(),
            }
        )
    effects = pd.DataFrame(rows)
    if effects.empty:
        return effects
    # columns of one winner may tie, and the median then tells them apart
    effects["tie"] = effects["median_without"] - effects["median"]
    effects = effects.sort_values(["difference", "tie"], ascending=False, kind="stable")
    return effects.drop(columns="tie").reset_index(drop=True)
