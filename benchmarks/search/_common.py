"""What the sections of the benchmark of the search have in common: results, splits, timing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._results import Results
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial.candidates import Progress
from skcorrupt.adversarial.proxies import Screened

Data = tuple[pd.DataFrame, pd.Series, pd.DataFrame, pd.Series]


class ResumedResults(Results):
    """Results of which a run replaces or continues some sections and leaves the others alone.

    Parameters
    ----------
    name : str
        Name of the benchmark, and of its file.
    quick : bool
        Whether it is a short run.
    """

    def __init__(self, name: str, quick: bool):
        super().__init__(name, quick)
        self.own: set[str] = set()
        self.content["sections"] = self._saved()

    def begin(self, section: str) -> None:
        """Leave out what an earlier run has of a section."""
        self.own.add(section)
        self.content["sections"][section] = []

    def go_on(self, section: str) -> list[dict[str, Any]]:
        """What an earlier run has of a section, which stays."""
        self.own.add(section)
        return list(self.content["sections"].setdefault(section, []))

    def add(self, section: str, row: dict[str, Any]) -> None:
        """Append a row to a section, print it and save all."""
        self.own.add(section)
        super().add(section, row)

    def save(self) -> None:
        """Write the file, with what other processes have put there meanwhile."""
        sections = self._saved()
        sections |= {name: self.content["sections"].get(name, []) for name in self.own}
        self.content["sections"] = sections
        super().save()

    def _saved(self) -> dict[str, Any]:
        if not self.path.is_file():
            return {}
        return json.loads(self.path.read_text(encoding="utf-8"))["sections"]


def check_sections(sections: Sequence[str], known: Iterable[str]) -> None:
    """Refuse sections of a benchmark that there are not.

    Raises
    ------
    ValueError
        With those that there are.
    """
    unknown = [name for name in sections if name not in known]
    if unknown:
        raise ValueError(f"sections={unknown!r} should be some of {list(known)}.")


@dataclass
class Clock:
    """Wall and processor seconds."""

    wall: float = 0.0
    processor: float = 0.0


@contextmanager
def timed() -> Iterator[Clock]:
    """Time what is done within; the clock is set at the end."""
    clock, wall, processor = Clock(), time.perf_counter(), time.process_time()
    yield clock
    clock.wall = time.perf_counter() - wall
    clock.processor = time.process_time() - processor


def on_test_set(data: Data) -> tuple[pd.DataFrame, pd.Series, list]:
    """All rows, with one split that trains on the training set and scores on the test set."""
    X, y, X_test, y_test = data
    both = pd.concat([X, X_test], ignore_index=True)
    labels = pd.concat([y, y_test], ignore_index=True)
    return both, labels, [(np.arange(len(X)), np.arange(len(X), len(both)))]


def subsample(data: Data, most_train: int, most_test: int) -> Data:
    """At most so many random rows of each part."""
    rng = np.random.default_rng(0)
    X, y, X_test, y_test = data
    train = np.sort(rng.permutation(len(X))[:most_train])
    test = np.sort(rng.permutation(len(X_test))[:most_test])
    parts = (X.iloc[train], y.iloc[train], X_test.iloc[test], y_test.iloc[test])
    return tuple(part.reset_index(drop=True) for part in parts)  # type: ignore[return-value]


class Spent(Exception):
    """The limit is reached."""


def searched(
    search: AdversarialCorruptionSearch, X: pd.DataFrame, y: pd.Series, bar: Progress | None = None
) -> tuple[Any, Screened]:
    """The search alone: no random errors of the same size, no confirmation.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        What is run.
    X : DataFrame
        Features.
    y : Series
        Labels.
    bar : Progress, default=None
        What is told of every candidate, and may end the search by raising `Spent`.

    Returns
    -------
    problem : Problem
        With the evaluator, which holds all scores.
    told : Screened
        What it was screened on.
    """
    problem, told = search.lay_out(X, y), Screened()
    if bar is not None:
        problem.evaluator.bar = bar
    with suppress(Spent):
        problem.search.run(told)
    return problem, told


def met(value: float, required: float, *, at_most: bool) -> bool:
    """Whether a requirement holds."""
    return bool(value <= required if at_most else value >= required)
