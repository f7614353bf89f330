"""Checks of incoming data that watch a search: which errors they let pass."""

from __future__ import annotations

import bisect
import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption
from skcorrupt.checks import BaseCheck
from skcorrupt.checks._standard_checks import all_checks
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation import reseeded, take_rows
from skcorrupt.utils import Table, as_table, shorten
from skcorrupt.utils._typing import TableLike

from ._quick_watch import N_RATES, QuickWatch, Watching
from ._row_effects import resamples

# batches by which a check is judged, and rows of those of foreign checks
N_BATCHES = 200
FOREIGN_BATCH = 1000
# rows of several batches that are struck together
MOST_TOGETHER = 200_000
# a check that alarms more often notices an error
UNNOTICED = 0.1
NOTICED = 0.8
BATCH_SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
# what schemas of pandera raise where a batch does not pass
SCHEMA_ERRORS = {"SchemaError", "SchemaErrors"}
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
        # rows of batches by their size, the same ones for all checks
        self._drawn: dict[int, np.ndarray] = {}
        self.watchers = [self._watcher(name, check) for name, check in named_checks(checks)]
        self._joined: dict[Any, Table] = {}
        self._watchings: list[Watching] = []
        self._quick: dict[Any, QuickWatch] = {}

    def __bool__(self) -> bool:
        return bool(self.watchers)

    @property
    def is_quick(self) -> bool:
        """Whether all checks are the room's own, which look at many batches at once."""
        return all(watcher.resizes for watcher in self.watchers)

    def quickly(
        self, key: Any, struck: Callable[[], TableLike], columns: Sequence[Any]
    ) -> QuickWatch:
        """What checks of the room say of an error that strikes every row by itself.

        Parameters
        ----------
        key : object
            What tells the struck rows from others.
        struck : callable
            Gives all rows struck.
        columns : sequence of labels
            The columns hit.

        Returns
        -------
        QuickWatch
            The same one for the same key.
        """
        if not self._watchings:
            self._watchings = [each.watching() for each in self.watchers]
        if key not in self._quick:
            places = [self.table.labels.index(label) for label in columns]
            joined = functools.cache(lambda: self._both(struck()))
            self._quick[key] = QuickWatch(self._watchings, joined, places)
        return self._quick[key]

    def largest_rate(
        self,
        corruption: BaseCorruption,
        key: Any,
        struck: TableLike | None,
        matched: np.ndarray | None,
        rate: float,
        labels: Any = None,
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
        matched : ndarray of bool, shape (n_samples,), or None
            Rows that can be struck; None where that is not all that decides on it, and batches are
            cut from rows that the error itself struck.
        rate : float
            The rate if nobody watched; of a process 1, all of its rates.
        labels : array-like of shape (n_samples,) or None, default=None
            Labels of the rows, which patterns may be about.

        Returns
        -------
        float
            A multiple of a 32nd of `rate`.
        """
        batches = self._batches_of(corruption, key, struck, matched, labels)
        unnoticed, passed = N_RATES, dict.fromkeys(self.watchers, 0)
        # one that let a higher rate pass may notice the lower one that another one asks for
        while unnoticed and any(parts != unnoticed for parts in passed.values()):
            for watcher in self.watchers:
                if passed[watcher] != unnoticed:
                    unnoticed = self._unnoticed(watcher, batches, rate, unnoticed)
                    if not unnoticed:
                        break
                    passed[watcher] = unnoticed
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
        matched: np.ndarray | None,
        rate: float,
        tick: Callable[[], None],
        labels: Any = None,
    ) -> Iterator[dict[str, Any]]:
        """How often each check, and each of the room's own, alarms on an error, and from when.

        Parameters
        ----------
        corruption : BaseCorruption
            The error.
        struck : table of shape (n_samples, n_features), or None
            All rows struck; None where rows are dropped or come twice.
        matched : ndarray of bool, shape (n_samples,), or None
            Rows that can be struck; None where that is not all that decides on it.
        rate : float
            The rate of the error; of a process 1, all of its rates.
        tick : callable
            Called before every look at batches.
        labels : array-like of shape (n_samples,) or None, default=None
            Labels of the rows.

        Yields
        ------
        dict
            A row a check.
        """
        batches = self._batches_of(corruption, "worst", struck, matched, labels)
        others = [self._watcher(name, check) for name, check in default_checks(self.table)]
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

    def _watcher(self, name: str, check: Any) -> _Watcher:
        return _Watcher(check, name, self.table, self.seed, self._drawn)

    def _batches_of(
        self,
        corruption: BaseCorruption,
        key: Any,
        struck: TableLike | None,
        matched: np.ndarray | None,
        labels: Any,
    ) -> Batches:
        joined = self.table if struck is None else self._join(key, struck)
        return Batches(corruption, key, joined, matched, labels)

    def _join(self, key: Any, struck: TableLike) -> Table:
        """Clean rows and the same rows struck, one below the other."""
        if key not in self._joined:
            self._joined[key] = self._both(struck)
        return self._joined[key]

    def _both(self, struck: TableLike) -> Table:
        clean = self.table.source
        if isinstance(clean, np.ndarray):
            return as_table(np.concatenate([clean, np.asarray(struck)]))
        return as_table(pd.concat([_frame(self.table), _frame(as_table(struck))]))


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
    matched : ndarray of bool, shape (n_samples,), or None
        Rows that can be struck; None where that is not all that decides on it.
    labels : array-like of shape (n_samples,) or None
        Labels of the rows.
    """

    corruption: BaseCorruption
    key: Any
    joined: Table
    matched: np.ndarray | None
    labels: Any = None

    def at(self, rate: float) -> BaseCorruption:
        """The error at a rate, of a process at that share of its rates."""
        if isinstance(self.corruption, CorruptionProcess):
            return reseeded(self.corruption._at_share(rate), 0)
        return reseeded(self.corruption, 0).set_params(rate=rate)


class _Watcher:
    """One check with the batches by which it is judged."""

    def __init__(
        self, check: Any, name: str, table: Table, seed: int, drawn: dict[int, np.ndarray]
    ) -> None:
        self.check, self.name, self.table, self.seed = check, name, table, seed
        self.resizes = isinstance(check, BaseCheck)
        self.size = check.batch_size if self.resizes else FOREIGN_BATCH
        if self.resizes and not check._takes_repeats:
            # a larger batch would hold a row twice, which is what it watches for
            self.size = min(self.size, table.n_rows)
        false_alarm = check.false_alarm if self.resizes else 0.0
        self.most = max(2 * false_alarm, UNNOTICED)
        self._encoded: dict[Any, Any] = {}
        self._limits: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._drawn = drawn

    def watching(self) -> Watching:
        """What is known of a check of the room before there is an error."""
        rows = self._batches(self.table.n_rows, self.size)
        return Watching.of(self.check, rows, self.most, self.table)

    @property
    def sizes(self) -> Sequence[int]:
        """Sizes of batches by which it is told from when on it notices an error."""
        if not self.resizes or not self.check._is_of_any_size:
            return ()
        most = np.inf if self.check._takes_repeats else self.table.n_rows
        return [size for size in BATCH_SIZES if size <= most]

    def alarm_share(self, batches: Batches, rate: float, size: int | None = None) -> float:
        """Share of the batches in which the check alarms."""
        if batches.matched is None:
            return float(np.mean([*self._alarms_along(batches, rate, size)]))
        rows, served = self._struck(batches, rate, size)
        if not isinstance(self.check, BaseCheck):
            return sum(self._alarms(batches, rate, rows, served)) / len(rows)
        if batches.key not in self._encoded:
            self._encoded[batches.key] = self.check._encoded(batches.joined)
        return self._n_alarms(self._encoded[batches.key], served) / len(rows)

    def _n_alarms(self, encoded: Any, served: Served) -> int:
        """In how many batches of encoded rows one of the room's own checks alarms."""
        n_alarms = 0
        for places in _by_length(served):
            if not places.shape[1] and self.check._is_of_any_size:
                # of a batch that lost all of its rows, only their number tells
                continue
            statistics = self.check._statistics(encoded, places)
            lower, upper = self._limits_of(places.shape[1])
            n_alarms += int(np.any((statistics > upper) | (statistics < lower), axis=1).sum())
        return n_alarms

    def _limits_of(self, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
        # batches that lost some of their rows are of few lengths, each of them at every look
        if n_rows not in self._limits:
            self._limits[n_rows] = self.check._limits_of(n_rows)
        return self._limits[n_rows]

    def _alarms_along(self, batches: Batches, rate: float, size: int | None) -> Iterator[float]:
        """What a check says of batches that are cut from rows that were struck together.

        Yields
        ------
        float
            Of one batch whether it alarms, of several its share; they are as many each time.
        """
        size = self.size if size is None else size
        rows = self._batches(self.table.n_rows, size)
        error = batches.at(rate).fit(self.table.source, batches.labels)
        n_chunks = -(-rows.size // MOST_TOGETHER)
        each = -(-len(rows) // n_chunks)
        # so that chunks are as long
        while len(rows) % each:
            each -= 1
        for start in range(0, len(rows), each):
            some = rows[start : start + each].ravel()
            y = None if batches.labels is None else take_rows(batches.labels, some)
            error.set_params(random_state=self.seed + start)
            with warnings.catch_warnings():
                # at low rates it may happen that nothing is struck
                warnings.simplefilter("ignore", UserWarning)
                struck, _, record = error.corrupt(self.table.take(some), y)
            table, batch = as_table(struck), record.sample_indices // size
            served = [np.flatnonzero(batch == i) for i in range(each)]
            if isinstance(self.check, BaseCheck):
                yield self._n_alarms(self.check._encoded(table), served) / each
                continue
            for place in served:
                yield float(not self._passes(table.take(place)))

    def notices(self, batches: Batches, rate: float) -> bool:
        """Whether the check alarms in more batches than it may without noticing an error."""
        if isinstance(self.check, BaseCheck) or batches.matched is None:
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
        matched = cast("np.ndarray", batches.matched)
        n = len(matched)
        rows = self._batches(n, self.size if size is None else size)
        able = matched[rows]
        places = np.cumsum(able, axis=1)
        counts = np.floor(rate * places[:, -1:] + 0.5 + 1e-9)
        # rows stand in the order in which they are struck
        struck = able & (places <= counts)
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

    def _batches(self, n: int, size: int) -> np.ndarray:
        """Rows of the batches, those first that are struck first."""
        if size not in self._drawn:
            rng = np.random.default_rng([self.seed, size])
            # rows that come twice would be noticed for that alone
            again = size > n
            rows = [rng.choice(n, size, replace=again) for _ in range(N_BATCHES)]
            order = np.argsort(rng.random((N_BATCHES, size)), axis=1)
            self._drawn[size] = np.take_along_axis(np.array(rows), order, axis=1)
        return self._drawn[size]

    def _passes(self, batch: TableLike) -> bool:
        validate = getattr(self.check, "validate", None)
        if validate is None:
            found = self.check(batch)
            # None, of a function without a return, would be an alarm in every batch
            if not isinstance(found, bool | np.bool_):
                name = getattr(self.check, "__name__", type(self.check).__name__)
                raise TypeError(
                    f"checks: {name!r} gave {shorten(found)} for a batch; it should return True "
                    "where the batch passes, or False."
                )
            return bool(found)
        try:
            validate(batch)
        except Exception as error:
            # a schema that cannot be applied lets nothing pass and nothing fail
            if SCHEMA_ERRORS.isdisjoint(each.__name__ for each in type(error).__mro__):
                raise
            return False
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
        name = getattr(check, "__name__", type(check).__name__)
        if isinstance(check, type) and hasattr(check, "to_schema"):
            # models of pandera are classes
            check = check.to_schema()
        known = isinstance(check, BaseCheck) or callable(check) or hasattr(check, "validate")
        if not known or isinstance(check, type):
            raise TypeError(
                f"checks holds {shorten(check)}; its entries should be fitted checks of "
                "skcorrupt.checks, functions frame -> bool, or schemas of pandera."
            )
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
