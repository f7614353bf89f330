"""Passes over tables in parts that go on where they ended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ._sources import Source


class KeptParts(Protocol):
    """A file of what came of parts, such as a journal."""

    def read_parts(self, name: str, form: Callable[[int, Any], Any]) -> dict[int, Any]:
        """What is kept of a pass, by the first row of each part."""

    def write_part(self, name: str, first: int, kept: Any) -> None:
        """Keep what came of a part."""


class Keepable(Protocol):
    """What is done with every part, and how what comes of it is kept."""

    def __call__(self, frame: Any, first: int) -> Any:
        """What comes of a part."""

    def plain(self, found: Any) -> Any:
        """The same as JSON holds it, None where it is too large for that."""

    def taken(self, kept: Any, first: int, n_rows: int) -> Any:
        """What was kept, as it was; a ValueError if it cannot be that."""


@dataclass
class _Placed:
    """A job that tells which part it did, and leaves those that are done."""

    job: Keepable
    done: frozenset[int]

    def is_done(self, first: int) -> bool:
        """Whether the part that begins at a row need not be read."""
        return first in self.done

    def __call__(self, frame: Any, first: int) -> tuple[int, Any]:
        return first, self.job(frame, first)


def run_kept(
    source: Source,
    job: Keepable,
    columns: Sequence[str],
    *,
    kept: KeptParts | None,
    name: str,
    n_jobs: int | None = None,
) -> list[Any]:
    """What a job gives for all parts, those that are kept taken from there and not read.

    Parameters
    ----------
    source : Source
        The table.
    job : Keepable
        What is done with every part.
    columns : sequence of str
        Columns that it takes.
    kept : KeptParts or None
        Where each part is kept as it comes; None keeps nothing. Only of files it is known whether
        they are the same as before, of other tables nothing is kept.
    name : str
        What tells the job from others, the table aside.
    n_jobs : int or None, default=None
        Number of workers.

    Returns
    -------
    list
        As of `Source.run`.
    """
    cut = source.parts
    if kept is None or cut is None:
        return source.run(job, columns, n_jobs=n_jobs)
    told = json.dumps([name, source.stamp, cut])
    key = hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()
    lengths = dict(cut)

    def form(first: int, value: Any) -> Any:
        if first not in lengths:
            raise ValueError("no part begins there")
        return job.taken(value, first, lengths[first])

    found = kept.read_parts(key, form)
    placed = _Placed(job, frozenset(found))
    for each in source.stream(placed, columns, n_jobs=n_jobs):
        # parts that are done were not read
        if each is not None:
            first, result = each
            found[first] = result
            plain = job.plain(result)
            if plain is not None:
                kept.write_part(key, first, plain)
    return [found[first] for first, _ in cut]
