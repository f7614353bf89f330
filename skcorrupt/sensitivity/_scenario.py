"""What is corrupted together, at growing rates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.evaluation import reseeded
from skcorrupt.utils import Table, as_table, named, resolve_columns

from ._groups import correlated_groups

STRATEGIES = ("one-feature", "correlated", "custom")
ROWS = ("rows",)


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
        The columns that it strikes; ("rows",) for errors of labels or rows.
    """

    corruption: BaseCorruption
    name: str
    features: tuple[str, ...]

    @property
    def label(self) -> str:
        """The columns as one text."""
        return " + ".join(self.features)

    def at(self, level: float, seed: int) -> BaseCorruption:
        """The error at a rate.

        Parameters
        ----------
        level : float
            The rate, of all members where it is a process.
        seed : int
            Seed of its draws; the same seed strikes the same rows and more at a higher rate.

        Returns
        -------
        BaseCorruption
            An unfitted copy.
        """
        copy = reseeded(self.corruption, seed)
        rates = [name for name in copy.get_params() if name.rpartition("__")[2] == "rate"]
        return copy.set_params(**dict.fromkeys(rates, level))


def named_corruptions(corruptions: Any) -> dict[str, BaseCorruption]:
    """Corruptions by name, their class where they have none.

    Parameters
    ----------
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors.

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
    for name, each in found.items():
        if not isinstance(each, BaseCorruption):
            raise TypeError(
                f"corruptions: {name}={each!r} should be a corruption, such as CorruptMissing()."
            )
    return found


def named_models(estimators: Any) -> dict[str, Any]:
    """Models by name, their class where they have none.

    Parameters
    ----------
    estimators : estimator, sequence or mapping of str to estimator
        The models.

    Returns
    -------
    dict of str to estimator
        At least one.

    Raises
    ------
    ValueError
        If there is none, or one is no estimator.
    """
    found = named(estimators)
    odd = [
        name
        for name, each in found.items()
        if isinstance(each, type) or not hasattr(each, "fit") or not hasattr(each, "get_params")
    ]
    if odd or not found:
        raise ValueError(
            f"estimators={estimators!r} should be one or more estimators, such as "
            "LogisticRegression()."
        )
    return found


def struck_columns(corruptions: Any, table: Table) -> list[int]:
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
        if isinstance(corruption, FeatureCorruption)
        for j in _applies(corruption, table)
    }
    return sorted(found)


def _applies(corruption: FeatureCorruption, table: Table) -> list[int]:
    if corruption.columns is not None:
        return resolve_columns(table, corruption.columns, parameter="columns")
    return [j for j in range(table.n_columns) if table.kind(j) in corruption._kinds]


def scenarios_of(
    strategy: str,
    corruptions: Any,
    X: Any,
    correlation_threshold: float,
    kept: Collection[str] | None = None,
) -> list[Scenario]:
    """All scenarios of a strategy.

    Parameters
    ----------
    strategy : {"one-feature", "correlated", "custom"}
        How columns are chosen.
    corruptions : BaseCorruption, sequence or mapping of str to BaseCorruption
        The errors; columns that one names are those it is about.
    X : table of shape (n_samples, n_features)
        The data.
    correlation_threshold : float
        Of columns that go together.
    kept : collection of str, default=None
        Columns that are studied; None is all.

    Returns
    -------
    list of Scenario
        Errors of labels or rows are one scenario each.

    Raises
    ------
    ValueError
        If there is none.
    """
    table = as_table(X)
    labels = [str(label) for label in table.labels]
    groups = correlated_groups(X, correlation_threshold) if strategy == "correlated" else []
    found: list[Scenario] = []
    for name, corruption in named_corruptions(corruptions).items():
        if not isinstance(corruption, FeatureCorruption):
            found.append(Scenario(corruption, name, ROWS))
            continue
        if len(set(labels)) < len(labels):
            raise ValueError(
                "X has several columns of the same name, which a profile cannot tell apart; give "
                "them names of their own."
            )
        features = tuple(labels[j] for j in _applies(corruption, table))
        if kept is not None:
            features = tuple(each for each in features if each in kept)
        if strategy == "custom":
            chosen = [features]
        elif strategy == "one-feature":
            chosen = [(feature,) for feature in features]
        else:
            struck = [tuple(each for each in group if each in features) for group in groups]
            chosen = [group for group in struck if len(group) > 1]
        for some in filter(None, chosen):
            columns = [table.labels[labels.index(each)] for each in some]
            found.append(Scenario(clone(corruption).set_params(columns=columns), name, some))
    if not found:
        raise ValueError(
            f"strategy={strategy!r} gives no scenario: no columns go together at "
            f"correlation_threshold={correlation_threshold:g}, or the errors apply to no column."
        )
    return found
