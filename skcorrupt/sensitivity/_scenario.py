"""What is corrupted together, at growing rates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sklearn.base import clone

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.corruptions import CorruptionProcess, corruption_from
from skcorrupt.patterns import Pattern, as_pattern
from skcorrupt.patterns._check_matches import check_matches
from skcorrupt.utils import Table, Target, as_table, named, resolve_columns, warn
from skcorrupt.utils._typing import TableLike

from ._groups import correlated_groups

STRATEGIES = ("one-feature", "correlated", "custom")
ROWS = ("rows",)
EVERY_ROW = "the training rows"
SET_BY_STUDY = {"rate": "levels", "random_state": "random_state"}
NO_COLUMN = "applies to no column of X by itself; leave it out, or name columns that it can strike."


Corruptions = BaseCorruption | Sequence[BaseCorruption] | Mapping[str, BaseCorruption]


@dataclass(frozen=True)
class Scenario:
    """An error on some features.

    Attributes
    ----------
    corruption : BaseCorruption
        The error, its columns set.
    name : str
        What the error is called.
    features : tuple of str
        The columns that it strikes, all that its members strike where it is a process; ("rows",)
        for errors of labels or rows, and a process with any of them.
    """

    corruption: BaseCorruption
    name: str
    features: tuple[str, ...]

    @property
    def label(self) -> str:
        """The columns as one text."""
        return " + ".join(self.features)

    def at(self, level: float) -> BaseCorruption:
        """The error at a rate, of all members where it is a process."""
        copy = clone(self.corruption)
        rates = [name for name in copy.get_params() if name.rpartition("__")[2] == "rate"]
        return copy.set_params(**dict.fromkeys(rates, level))


def set_by_study(parameter: str) -> str:
    """Why a parameter of an error should be left out."""
    return f"is set by {SET_BY_STUDY[parameter]} of the study; leave it out."


def named_corruptions(corruptions: Corruptions) -> dict[str, BaseCorruption]:
    """Corruptions by name, their kind where they have none.

    Parameters
    ----------
    corruptions : BaseCorruption or str, sequence of these, or mapping of str to these
        The errors; a string is a short name such as "noise".

    Returns
    -------
    dict of str to BaseCorruption
        At least one.

    Raises
    ------
    ValueError
        If there is none.
    TypeError
        If one is no corruption.
    """
    found = named(corruptions)
    if not found:
        raise ValueError(f"corruptions={corruptions!r} has none; name one or more.")
    return {name: corruption_from(each, f"corruptions: {name}") for name, each in found.items()}


def rows_in_words(corruptions: Corruptions) -> dict[str, str]:
    """Of which training rows a level of each error is a share.

    Parameters
    ----------
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors.

    Returns
    -------
    dict of str to str
        By name, all rows or those that a pattern matches.
    """
    found = {}
    for name, corruption in named(corruptions).items():
        joined = isinstance(corruption, CorruptionProcess)
        members = [each for _, each in corruption.corruptions] if joined else [corruption]
        # the name of a kind has none, and neither has what a file left out
        given = [getattr(each, "pattern", None) for each in members]
        patterns = list(dict.fromkeys(map(as_pattern, given)))
        limited = patterns != [Pattern()]
        match = f"match {patterns[0]}" if len(patterns) == 1 else "each of its patterns matches"
        found[name] = f"{EVERY_ROW} that {match}" if limited else EVERY_ROW
    return found


def check_errors(corruptions: Corruptions, table: Table, target: Target | None) -> None:
    """Refuse errors that no fit can be spent on, or that say what the study sets.

    Parameters
    ----------
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors.
    table : Table
        The data.
    target : Target or None
        The labels.

    Raises
    ------
    ValueError
        If one has a rate, or a pattern that no row matches or that names no column of the data.
    """
    for name, corruption in named_corruptions(corruptions).items():
        place = f"corruptions: {name}"
        if corruption.rate is not None:
            raise ValueError(f"{place}: rate={corruption.rate!r} {set_by_study('rate')}")
        if not isinstance(corruption, CorruptionProcess):
            check_matches(as_pattern(corruption.pattern), table, target, place)
            continue
        corruption._check_members()
        for each, member in corruption.corruptions:
            check_matches(as_pattern(member.pattern), table, target, f"{place}: {each}")


def struck_columns(corruptions: Corruptions, table: Table) -> list[int]:
    """Columns that some error may strike.

    Parameters
    ----------
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors.
    table : Table
        The data.

    Returns
    -------
    list of int
        Their positions, in the order of the data.
    """
    found = {
        j
        for corruption in named_corruptions(corruptions).values()
        if corruption.strikes == "cells"
        for j in _applies(corruption, table)
    }
    return sorted(found)


def empty_columns(corruptions: Corruptions, table: Table) -> list[str]:
    """Columns without any value, in which nothing is looked for by errors that name no columns.

    Parameters
    ----------
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors.
    table : Table
        The data.

    Returns
    -------
    list of str
        Their names, in the order of the data.
    """
    unnamed = {
        name: corruption
        for name, corruption in named_corruptions(corruptions).items()
        if corruption.strikes == "cells" and corruption.columns is None
    }
    struck = struck_columns(unnamed, table) if unnamed else []
    return [str(table.labels[j]) for j in struck if table.missing(j).all()]


def _applies(corruption: FeatureCorruption, table: Table) -> list[int]:
    if corruption.columns is not None:
        return resolve_columns(table, corruption.columns, parameter="columns")
    return corruption._unnamed_columns(table)


def _struck(corruption: BaseCorruption, table: Table) -> list[int] | None:
    """Columns that an error strikes by itself, or None if it is one of labels or rows."""
    if corruption.strikes == "cells":
        return _applies(corruption, table)
    if not isinstance(corruption, CorruptionProcess):
        return None
    corruption._check_members()
    found: list[int] = []
    for _, member in corruption.corruptions:
        if member.strikes != "cells":
            return None
        found += _applies(member, table)
    return list(dict.fromkeys(found))


def scenarios_of(
    strategy: str,
    corruptions: Corruptions,
    X: TableLike,
    correlation_threshold: float,
    kept: Collection[str] | None = None,
) -> list[Scenario]:
    """All scenarios of a strategy.

    Warns of errors that have none while others do.

    Parameters
    ----------
    strategy : {"one-feature", "correlated", "custom"}
        How columns are chosen.
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors; columns that one names are those it is about.
    X : table of shape (n_samples, n_features)
        The data.
    correlation_threshold : float
        Of columns that go together, among those that are kept and that some error may strike.
    kept : collection of str, default=None
        Columns that screening leaves; None is all.

    Returns
    -------
    list of Scenario
        Errors of labels or rows are one scenario each, and so are processes, whose columns are
        left as they are.

    Raises
    ------
    ValueError
        If there is none.
    """
    table = as_table(X)
    labels = [str(label) for label in table.labels]
    errors = named_corruptions(corruptions)
    studied = [j for j in struck_columns(errors, table) if kept is None or labels[j] in kept]
    empty = empty_columns(errors, table)
    together = strategy == "correlated"
    groups = correlated_groups(X, correlation_threshold, studied) if together else []
    found: list[Scenario] = []
    without: list[str] = []
    for name, corruption in errors.items():
        struck = _struck(corruption, table)
        if struck is None:
            found.append(Scenario(corruption, name, ROWS))
            continue
        if len(set(labels)) < len(labels):
            raise ValueError(
                "X has several columns of the same name, which a profile cannot tell apart; give "
                "them names of their own."
            )
        if not struck:
            without.append(f"{name} {NO_COLUMN}")
        elif corruption.strikes != "cells":
            found.append(Scenario(corruption, name, tuple(labels[j] for j in struck)))
        else:
            among = {j for j in studied if labels[j] not in empty or corruption.columns is not None}
            hits = corruption._hit_groups(table, [j for j in struck if j in among])
            least = [tuple(labels[j] for j in hit) for hit in hits]
            chosen = _chosen(strategy, least, groups)
            for some in chosen:
                columns = [table.labels[labels.index(each)] for each in some]
                found.append(Scenario(clone(corruption).set_params(columns=columns), name, some))
            if not chosen:
                threshold = correlation_threshold if together else None
                without.append(f"{name} applies to {_lacking(threshold, kept is not None)}")
    if not found:
        raise ValueError(f"strategy={strategy!r} gives no scenario: {' '.join(without)}")
    if without:
        warn(f"corruptions: {' '.join(without)}")
    return found


def _chosen(
    strategy: str, least: list[tuple[str, ...]], groups: list[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """What is struck together of the fewest columns that an error strikes at once."""
    if strategy == "one-feature":
        return least
    if strategy == "custom":
        features = tuple(dict.fromkeys(each for some in least for each in some))
        return [features] if features else []
    parts = []
    for group in groups:
        inside = [some for some in least if {*some}.issubset(group)]
        parts.append(tuple(each for each in group if any(each in some for some in inside)))
    return [part for part in parts if len(part) > 1]


def _lacking(threshold: float | None, screened: bool) -> str:
    """Why an error has columns but no scenario, and what to do about it."""
    if threshold is None:
        return "none of the columns that screening keeps; raise max_features."
    where = "columns that screening keeps and" if screened else "columns"
    remedy = "raise max_features, lower it" if screened else "lower it"
    return (
        f"no {where} that go together at correlation_threshold={threshold:g}; {remedy}, or use "
        "strategy='one-feature'."
    )
