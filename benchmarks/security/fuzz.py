"""Damaged texts and documents, read as fast as they can be made."""

from __future__ import annotations

import random
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

import pandas as pd

from benchmarks._results import Results, section_tables

# an hour for all readers
SECONDS = 180.0
# an input that takes longer hangs
PATIENCE = 20
WATCHED = (
    *("exec", "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen"),
    *("socket.connect", "socket.bind", "pickle.find_class", "marshal.loads", "ctypes.dlopen"),
    *("os.rename", "shutil.rmtree"),
)
COLUMNS = {
    "readers": {
        "reader": "what is read",
        "inputs": "inputs",
        "read": "read",
        "refused": "refused",
        "other_errors": "other errors",
        "hangs": "hangs",
        "executed": "executed",
        "crashes": "crashes",
        "slowest": "slowest, s",
    }
}


class Hang(BaseException):
    """An input that takes too long; no reader catches it."""


def run(quick: bool = False) -> None:
    """Read damaged inputs with every reader, and save the counts.

    Parameters
    ----------
    quick : bool, default=False
        Two seconds each.
    """
    from benchmarks.security._readers import TARGETS

    results = Results("fuzz", quick)
    for name in TARGETS:
        results.add("readers", fuzzed(name, 2.0 if quick else SECONDS))


def fuzzed(name: str, seconds: float, seed: int = 0) -> dict[str, Any]:
    """Counts of one reader, which runs in a process of its own, as it might crash.

    Parameters
    ----------
    name : str
        The reader.
    seconds : float
        How long inputs are made.
    seed : int, default=0
        Seed of the inputs.

    Returns
    -------
    dict
        A row.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(_fuzz, name, seconds, seed).result()
        except BrokenProcessPool:
            return {"reader": name, "crashes": 1}


def _fuzz(name: str, seconds: float, seed: int) -> dict[str, Any]:
    from benchmarks.security._readers import TARGETS

    warnings.simplefilter("ignore")
    target = TARGETS[name]()
    for sound in target.sound:
        # what libraries import late is there before anything is watched
        target.read(target.written(sound))
    # as it is for the refusal that shows a table
    repr(pd.DataFrame([0]))
    draw = random.Random(seed)
    watch = Watch()
    counts: Counter[str] = Counter()
    slowest, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        given = target.make(draw, target.sound)
        began = time.perf_counter()
        outcome = watch.outcome(target.read, given)
        slowest = max(slowest, time.perf_counter() - began)
        if outcome not in ("read", "refused") and counts[outcome] < 3:
            print(f"{name}: {outcome}: {str(given)[:500]!r}", file=sys.stderr, flush=True)
        counts[outcome] += 1
    outcomes = ("read", "refused", "other_errors", "hangs", "executed")
    found = {outcome: counts[outcome] for outcome in outcomes}
    return {"reader": name, "inputs": counts.total(), **found, "crashes": 0, "slowest": slowest}


class Watch:
    """Says what comes of reading an input, and whether anything runs meanwhile."""

    def __init__(self) -> None:
        self.is_on = False
        self.seen: list[str] = []
        # a hook of auditing stays for as long as the process does
        sys.addaudithook(self._heard)
        signal.signal(signal.SIGALRM, self._too_long)

    def _heard(self, event: str, arguments: Any) -> None:
        if self.is_on and event in WATCHED:
            self.seen.append(event)

    @staticmethod
    def _too_long(*of_the_signal: Any) -> None:
        raise Hang

    def outcome(self, read: Callable[[Any], Any], given: Any) -> str:
        """What comes of reading one input.

        Parameters
        ----------
        read : callable
            The reader.
        given : object
            The input.

        Returns
        -------
        str
            One of the counts of a row.
        """
        self.seen.clear()
        self.is_on = True
        signal.alarm(PATIENCE)
        try:
            read(given)
            outcome = "read"
        except Hang:
            outcome = "hangs"
        except ValueError:
            outcome = "refused"
        except Exception as error:
            traceback.print_exception(error, limit=-4)
            outcome = "other_errors"
        finally:
            signal.alarm(0)
            self.is_on = False
        return "executed" if self.seen else outcome


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results.

    Parameters
    ----------
    content : dict
        The saved file.

    Returns
    -------
    dict of str to str
        Tables by name.
    """
    return section_tables(content, COLUMNS)
