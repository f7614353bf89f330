"""Checks of incoming data that watch a search: which errors they let pass."""

from __future__ import annotations

import bisect
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption
from skcorrupt.checks import BaseCheck
from skcorrupt.checks._standard_checks import all_checks
from skcorrupt.evaluation import reseeded
from skcorrupt.utils import Table, as_table, shorten
from skcorrupt.utils._typing import TableLike

from ._row_effects import resamples

# batches by which a check is judged, and rows of those of foreign checks
N_BATCHES = 200
FOREIGN_BATCH = 1000
# shares of the largest rate that are tried
N_RATES = 32
# a check that alarms more often notices an error
UNNOTICED = 0.1
NOTICED = 0.8
BATCH_SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
# of the rows at hand, a default check learns from this many batches
DEFAULT_BATCHES = 20


# positions of the rows of batches, which may be of several lengths
Served = np.ndarray | list[np.ndarray]


class Watch:
    """Checks that watch rows as they are served.

    Parameters
    ----------
    checks : sequence
        Fitted checks of `skcorrupt.checks`, callables `frame -> bool`, schemas of pandera.
    table : Table
        Clean rows, of which batches are drawn.
    seed : int
        Seed of the batches and of which of their rows are struck.
    """

    def __init__(self, checks: Sequence[Any], table: Table, seed: int) -> None:
        self.table, self.seed = table, seed
        self.watchers = [_Watcher(check, name, table, seed) for name, check in named_checks(checks)]
        self._joined: dict[Any, Table] = {}

    def __bool__(self) -> bool:
        return bool(self.watchers)

    @property
    def is_quick(self) -> bool:
        """Whether all checks are the room's own, which look at many batches at once."""
        return all(watcher.resizes for watcher in self.watchers)

    def largest_rate(
        self,
        corruption: BaseCorruption,
        key: Any,
        struck: TableLike | None,
        matched: np.ndarray,
        rate: float,
    ) -> float:
        """The largest rate, on a grid, at which no check notices an error; 0 if there is none.

        Parameters
        ----------
        corruption : BaseCorruption
            The error.
        key : object
            What tells the struck rows from others.
        struck : table of shape (n_samples, n_features), or None
            All rows struck; None where rows are dropped or come twice.
        matched : ndarray of bool, shape (n_samples,)
            Rows that can be struck.
        rate : float
            The rate if nobody watched.

        Returns
        -------
        float
            A multiple of a 32nd of `rate`.
        """
        batches = self._batches_of(corruption, key, struck, matched)
        unnoticed = N_RATES
        for watcher in self.watchers:
            unnoticed = self._unnoticed(watcher, batches, rate, unnoticed)
            if not unnoticed:
                return 0.0
        return rate * unnoticed / N_RATES

    @staticmethod
    def _unnoticed(watcher: _Watcher, batches: Batches, rate: float, most: int) -> int:
        """How many of the parts of a rate a check does not notice, at most so many."""

        def noticed(parts: int) -> bool:
            return watcher.notices(batches, rate * parts / N_RATES)

        # the more is struck, the more is noticed; often all is, or nothing
        if not noticed(most):
            return most
        if most == 1 or noticed(1):
            return 0
        return bisect.bisect_left(range(2, most), True, key=noticed) + 1

    def detection(
        self,
        corruption: BaseCorruption,
        struck: TableLike | None,
        matched: np.ndarray,
        rate: float,
        tick: Callable[[], None],
    ) -> Iterator[dict[str, Any]]:
        """How often each check, and each of the room's own, alarms on an error, and from when.

        Parameters
        ----------
        corruption : BaseCorruption
            The error.
        struck : table of shape (n_samples, n_features), or None
            All rows struck; None where rows are dropped or come twice.
        matched : ndarray of bool, shape (n_samples,)
            Rows that can be struck.
        rate : float
            The rate of the error.
        tick : callable
            Called before every look at batches.

        Yields
        ------
        dict
            A row a check.
        """
        batches = self._batches_of(corruption, "worst", struck, matched)
        others = [
            _Watcher(check, name, self.table, self.seed)
            for name, check in default_checks(self.table)
        ]
        for watcher in [*self.watchers, *others]:

            def share(rate: float, size: int | None = None, by: _Watcher = watcher) -> float:
                tick()
                return by.alarm_share(batches, rate, size)

            def clear(i: int, by: _Watcher = watcher) -> bool:
                tick()
                return by.alarm_share(batches, i / N_RATES) >= NOTICED

            yield {
                "check": watcher.name,
                "alarm_rate": share(rate),
                "min_batch_size": next(
                    (size for size in watcher.sizes if share(rate, size) >= NOTICED), np.nan
                ),
                "min_rate": _first(clear, one_by_one=watcher.resizes) / N_RATES,
            }

    def _batches_of(
        self, corruption: BaseCorruption, key: Any, struck: TableLike | None, matched: np.ndarray
    ) -> Batches:
        joined = self.table if struck is None else self._join(key, struck)
        return Batches(corruption, key, joined, matched)

    def _join(self, key: Any, struck: TableLike) -> Table:
        """Clean rows and the same rows struck, one below the other."""
        if key not in self._joined:
            clean = self.table.source
            if isinstance(clean, np.ndarray):
                self._joined[key] = as_table(np.concatenate([clean, np.asarray(struck)]))
            else:
                both = [_frame(self.table), _frame(as_table(struck))]
                self._joined[key] = as_table(pd.concat(both))
        return self._joined[key]


@dataclass(frozen=True, eq=False)
class Batches:
    """What batches with an error are made of.

    Attributes
    ----------
    corruption : BaseCorruption
        The error.
    key : object
        What tells the struck rows from others.
    joined : Table
        Clean rows, and the same rows struck below them, where errors strike cells.
    matched : ndarray of bool, shape (n_samples,)
        Rows that can be struck.
    """

    corruption: BaseCorruption
    key: Any
    joined: Table
    matched: np.ndarray


class _Watcher:
    """One check with the batches by which it is judged."""

    def __init__(self, check: Any, name: str, table: Table, seed: int) -> None:
        self.check, self.name, self.table, self.seed = check, name, table, seed
        self.resizes = isinstance(check, BaseCheck)
        self.size = check.batch_size if self.resizes else FOREIGN_BATCH
        if self.resizes and not check._takes_repeats:
            # a larger batch would hold a row twice, which is what it watches for
            self.size = min(self.size, table.n_rows)
        false_alarm = check.false_alarm if self.resizes else 0.0
        self.most = max(2 * false_alarm, UNNOTICED)
        self._encoded: dict[Any, Any] = {}
        self._drawn: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    @property
    def sizes(self) -> Sequence[int]:
        """Sizes of batches by which it is told from when on it notices an error."""
        if not self.resizes or not self.check._is_of_any_size:
            return ()
        most = np.inf if self.check._takes_repeats else self.table.n_rows
        return [size for size in BATCH_SIZES if size <= most]

    def alarm_share(self, batches: Batches, rate: float, size: int | None = None) -> float:
        """Share of the batches in which the check alarms."""
        rows, served = self._struck(batches, rate, size)
        if not isinstance(self.check, BaseCheck):
            return sum(self._alarms(batches, rate, rows, served)) / len(rows)
        if batches.key not in self._encoded:
            self._encoded[batches.key] = self.check._encoded(batches.joined)
        n_alarms = 0
        for places in _by_length(served):
            statistics = self.check._statistics(self._encoded[batches.key], places)
            lower, upper = self.check._limits_of(places.shape[1])
            n_alarms += int(np.any((statistics > upper) | (statistics < lower), axis=1).sum())
        return n_alarms / len(rows)

    def notices(self, batches: Batches, rate: float) -> bool:
        """Whether the check alarms in more batches than it may without noticing an error."""
        if isinstance(self.check, BaseCheck):
            return self.alarm_share(batches, rate) > self.most
        rows, served = self._struck(batches, rate, None)
        most, n_alarms = self.most * len(rows), 0
        for i, alarm in enumerate(self._alarms(batches, rate, rows, served)):
            n_alarms += alarm
            # the batches that are left decide nothing
            if n_alarms > most or n_alarms + len(rows) - i - 1 <= most:
                break
        return n_alarms > most

    def _struck(self, batches: Batches, rate: float, size: int | None) -> tuple[np.ndarray, Served]:
        """Rows of the batches, and where those that are served stand in the joined table."""
        n = len(batches.matched)
        rows, noise = self._batches(n, self.size if size is None else size)
        able = batches.matched[rows]
        counts = np.floor(rate * able.sum(axis=1) + 0.5 + 1e-9)
        ranks = np.argsort(np.argsort(np.where(able, noise, 2.0), axis=1), axis=1)
        struck = ranks < counts[:, None]
        resampled = resamples(batches.corruption)
        if not resampled:
            return rows, np.where(struck, rows + n, rows)
        if resampled == "selection":
            return rows, [own[~lost] for own, lost in zip(rows, struck, strict=True)]
        return rows, [np.append(own, own[twice]) for own, twice in zip(rows, struck, strict=True)]

    def _alarms(
        self, batches: Batches, rate: float, rows: np.ndarray, served: Served
    ) -> Iterator[bool]:
        """What a check says that looks at batches as they are served."""
        ready = self.table.container in ("pandas", "numpy")
        drawn = reseeded(batches.corruption, self.seed).set_params(rate=rate)
        if not ready:
            drawn.fit(self.table.source)
        # rows that are dropped or come twice are rows as they were
        ready = ready or bool(resamples(batches.corruption))
        for i, (batch, place) in enumerate(zip(rows, served, strict=True)):
            if np.array_equal(batch, place):
                frame = self.table.take(batch)
            elif ready:
                frame = batches.joined.take(place)
            else:
                frame = drawn.set_params(random_state=i).corrupt(self.table.take(batch)).X
            yield not self._passes(frame)

    def _batches(self, n: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the batches, and what decides on which of them are struck first."""
        if size not in self._drawn:
            rng = np.random.default_rng([self.seed, size])
            # rows that come twice would be noticed for that alone
            again = size > n
            rows = [rng.choice(n, size, replace=again) for _ in range(N_BATCHES)]
            self._drawn[size] = np.array(rows), rng.random((N_BATCHES, size))
        return self._drawn[size]

    def _passes(self, batch: TableLike) -> bool:
        validate = getattr(self.check, "validate", None)
        if validate is None:
            return bool(self.check(batch))
        try:
            validate(batch)
        except Exception as error:
            if "Schema" in type(error).__name__:
                return False
            raise
        return True


def named_checks(checks: Sequence[Any]) -> list[tuple[str, Any]]:
    """Checks with names that tell them apart.

    Raises
    ------
    TypeError
        If one of them is no check.
    """
    found: list[tuple[str, Any]] = []
    for check in checks:
        known = isinstance(check, BaseCheck) or callable(check) or hasattr(check, "validate")
        if not known or isinstance(check, type):
            raise TypeError(
                f"checks holds {shorten(check)}; its entries should be fitted checks of "
                "skcorrupt.checks, functions frame -> bool, or schemas of pandera."
            )
        name = getattr(check, "__name__", type(check).__name__)
        n_alike = sum(each.split("-")[0] == name for each, _ in found)
        found.append((f"{name}-{n_alike + 1}" if n_alike else name, check))
    return found


def default_checks(table: Table) -> list[tuple[str, Any]]:
    """The room's own checks, which learn from the clean rows."""
    size = max(1, min(FOREIGN_BATCH, table.n_rows // DEFAULT_BATCHES))
    with warnings.catch_warnings():
        # few rows make weak checks, which is what there is
        warnings.simplefilter("ignore")
        found = all_checks(table.source, size)
    return [(f"{type(check).__name__} (default)", check) for check in found]


def _by_length(served: Served) -> Iterator[np.ndarray]:
    """Batches of one length together, as arrays of shape (n_batches, n_rows)."""
    if isinstance(served, np.ndarray):
        yield served
        return
    lengths = np.array([len(own) for own in served])
    for length in np.unique(lengths):
        yield np.array([own for own in served if len(own) == length])


def _first(holds: Callable[[int], bool], *, one_by_one: bool) -> float:
    """The first of so many rates for which something holds, NaN if none.

    What takes long to find out is taken to hold for all higher ones too.
    """
    if one_by_one:
        return next((float(i) for i in range(1, N_RATES + 1) if holds(i)), np.nan)
    if not holds(N_RATES):
        return np.nan
    return float(bisect.bisect_left(range(1, N_RATES), True, key=holds) + 1)


def _frame(table: Table) -> pd.DataFrame:
    """A table as a frame, columns by their labels."""
    if isinstance(table.source, pd.DataFrame):
        return table.source
    return pd.DataFrame({label: table.values(j) for j, label in enumerate(table.labels)})
