"""Peers: where they are installed, and rows that are measured there in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._results import HERE

VARIABLE = "SKCORRUPT_PEERS"
NOT_INSTALLED = "not installed"
# tables that each topic fills; what is said of a peer as a whole goes into the first
TABLES: dict[str, tuple[str, ...]] = {
    "injection": ("injection", "injection-checks"),
    "search": ("search-asks", "search-found"),
    "labels": ("labels",),
    "recourse": ("recourse",),
    "fairness": ("fairness", "fairness-odd"),
    "growth": ("growth",),
}
# versions that decide whether a peer can live beside the package
SHARED = ("numpy", "pandas", "scikit-learn")
# lines of a child process that hold a row; peers print what they like between them
MARK = "row of peers: "
MOST_REPEATS = 9
# seconds in which a slow peer has its repeats
PATIENCE = 8.0
SAID = 160

Row = dict[str, Any]
Found = Iterator[tuple[str, Row]]


@cache
def interpreter(peer: str) -> str | None:
    """A Python that has a peer installed.

    The running one is asked first, then those in the folder that SKCORRUPT_PEERS names, in the
    order of their names.

    Parameters
    ----------
    peer : str
        Name of its distribution.

    Returns
    -------
    str or None
        The program, None if none has it.
    """
    folder = os.environ.get(VARIABLE)
    found = sorted(Path(folder).glob("*/bin/python")) if folder else []
    for program in (sys.executable, *map(str, found)):
        asked = [program, "-c", f"from importlib.metadata import version; version({peer!r})"]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return program
    return None


def measured(topic: str, peer: str, quick: bool) -> Found:
    """Rows of a topic with one peer, measured by a Python that has it.

    Parameters
    ----------
    topic : str
        Ending of the module `_TOPIC` that has a function `measure`.
    peer : str
        Name of the peer's distribution.
    quick : bool
        Whether a short run is enough.

    Yields
    ------
    tuple of str and dict
        Section and row; in the first of `TABLES` one row "not installed" where no Python has the
        peer, and one with its last words where the process fails.
    """
    program = interpreter(peer)
    if program is None:
        yield TABLES[topic][0], {"peer": peer, "version": NOT_INSTALLED}
        return
    asked = [program, "-m", f"{__package__}._common", topic, peer]
    paths = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(
            asked + ["--quick"] * quick,
            cwd=HERE.parent,
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as child,
    ):
        for line in child.stdout or ():
            if line.startswith(MARK):
                section, row = json.loads(line.removeprefix(MARK))
                yield section, row
        if child.wait() != 0:
            errors.seek(0)
            last = (errors.read().strip().splitlines() or ["no message"])[-1]
            about = {"peer": peer, "version": "installed"}
            yield TABLES[topic][0], {**about, "said": f"failed: {last[:SAID]}"}


def described(peer: str) -> str:
    """The version of a peer, and what it needs that is not what the package is developed with.

    Parameters
    ----------
    peer : str
        Name of its distribution.

    Returns
    -------
    str
        As in "0.2.1 (needs pandas<2.4.0,>=2.3.0)".
    """
    try:
        found = version(peer)
    except PackageNotFoundError:
        return NOT_INSTALLED
    # the first numbers of the parent's versions are the only ones that peers are pinned to
    parent = json.loads(os.environ.get(f"{VARIABLE}_PARENT", "{}"))
    other = [name for name in SHARED if parent.get(name, version(name)) != version(name)]
    needs = [line for line in requires(peer) or () if line.startswith(tuple(other) or ("\0",))]
    return f"{found} (needs {', '.join(needs)})" if needs else found


def tell_children() -> None:
    """Note the versions here, so that children can say where theirs differ."""
    os.environ[f"{VARIABLE}_PARENT"] = json.dumps({name: version(name) for name in SHARED})


def side_by_side(
    ours: Callable[[], Any], theirs: Callable[[], Any], most: int = MOST_REPEATS
) -> Row:
    """Median seconds of both, taken in turns after one run each that does not count.

    Parameters
    ----------
    ours, theirs : callable
        What is timed.
    most : int, default=9
        Turns, fewer where one takes seconds.

    Returns
    -------
    dict
        Milliseconds of both and how many times as long theirs takes; "said" instead of their time
        where the peer raises.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = seconds(ours)
        try:
            first += seconds(theirs)
        except Exception as error:
            return {
                "ours": 1000 * seconds(ours),
                "theirs": None,
                "ratio": None,
                "said": raised(error),
            }
        turns = int(np.clip(PATIENCE / first, 1, most))
        times = [(seconds(ours), seconds(theirs)) for _ in range(turns)]
    own, other = (float(each) for each in np.median(times, axis=0))
    return {"ours": 1000 * own, "theirs": 1000 * other, "ratio": other / own, "turns": turns}


def seconds(function: Callable[[], Any]) -> float:
    """Processor seconds of a call, threads of this process included."""
    started = time.process_time()
    function()
    return time.process_time() - started


def raised(error: Exception) -> str:
    """An exception as a cell of a table: its kind and the beginning of its message."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:SAID]


def main(arguments: list[str]) -> None:
    """Measure a topic with one peer and print its rows.

    Parameters
    ----------
    arguments : list of str
        Topic, peer, and --quick.
    """
    topic, peer, *rest = arguments
    module = import_module(f"{__package__}._{topic}")
    for section, row in module.measure(peer, "--quick" in rest):
        print(MARK + json.dumps([section, row], default=plain), flush=True)


def plain(value: Any) -> Any:
    """What JSON has no word for, as what it has."""
    return value.item() if isinstance(value, np.generic) else str(value)


if __name__ == "__main__":
    main(sys.argv[1:])
