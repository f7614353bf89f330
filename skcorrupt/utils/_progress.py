"""Progress bars, and lines in their place where nothing can be written over."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

from ._callbacks import told

# seconds from one line of a log to the next
EVERY = 10.0


class ProgressBar(tqdm):
    """A bar that may count one thing after the other."""

    n: float

    def turn_to(self, name: str, n: int, total: int | None) -> None:
        """Count something else from here on.

        Parameters
        ----------
        name : str
            What is counted.
        n : int
            How many steps of it are done.
        total : int or None
            How many it has.
        """
        if (self.desc, self.n) != (f"{name}: ", n):
            # the speed is that of these steps, and of none before them
            self.start_t = self.last_print_t = self._time()
            self.initial = self.last_print_n = self.n = n
        self.total = total
        self.set_description(name)


class _Lines(ProgressBar):
    """A bar for files and pipes: a line for all that is counted, and one every few seconds."""

    def __init__(self, **options: Any) -> None:
        self._named: set[str] = set()
        self._last: tuple[Any, ...] = ()
        self._due = 0.0
        # what is left at the end is a line of its own
        super().__init__(**options, leave=False, miniters=1, mininterval=1.0)

    def display(self, msg: str | None = None, pos: int | None = None) -> bool:
        """Write a line where one is due; nothing was written that would have to be cleaned up."""
        if msg is None and (self._name_said not in self._named or self._time() >= self._due):
            self._say()
        return False

    def clear(self, *_: Any, **__: Any) -> None:
        """Do nothing: lines stay."""

    def close(self) -> None:
        """Write how far it came."""
        if not self.disable:
            self._say()
        super().close()

    @property
    def _name_said(self) -> str:
        # tqdm adds the colon when a name is changed
        return self.desc.removesuffix(": ")

    def _say(self) -> None:
        now = self._name_said, self.n, self.total
        if now != self._last:
            self.fp.write(f"{self._line()}\n")
            self.fp.flush()
        self._named.add(self._name_said)
        self._last, self._due = now, self._time() + EVERY

    def _line(self) -> str:
        known = self.format_dict
        of = "" if self.total is None else f" of {self.total:,}"
        parts = [f"{self._name_said}: {self.n:,}{of}"]
        done, seconds = self.n - self.initial, known["elapsed"]
        if done > 0:
            parts.append(f"{self.format_interval(seconds)} so far")
        if done > 0 and self.total is not None and self.n < self.total:
            left = seconds / done * (self.total - self.n)
            parts.append(f"about {self.format_interval(left)} left")
        return ", ".join([*parts, known["postfix"]] if known["postfix"] else parts)


class _Telling(ProgressBar):
    """A bar that tells callbacks what it shows."""

    _told: Any = None
    _name: str
    _total: int | None

    def __enter__(self) -> Any:
        self._told = told()
        if self._told is not None:
            self._told.begin(self._name, self._total)
        return super().__enter__()

    def __exit__(self, *raised: Any) -> Any:
        if self._told is not None:
            self._told.end()
        return super().__exit__(*raised)

    def update(self, n: float | None = 1) -> Any:
        """Count steps that are done."""
        if self._told is not None:
            self._told.step(int(n or 0))
        return super().update(n)


class _TellingLines(_Telling, _Lines):
    """Lines of a bar that tells callbacks."""


def progress_bar(total: int | None, verbose: int, description: str) -> ProgressBar:
    """A bar on the standard error stream, silent unless `verbose`.

    Where that stream is no terminal and no notebook, a file that keeps all that is written, there
    are whole lines in its place, few of them.

    Parameters
    ----------
    total : int or None
        Number of steps; None where it is not known.
    verbose : int
        0 for a silent bar.
    description : str
        What is counted.

    Returns
    -------
    ProgressBar
        The bar, a context manager.
    """
    return _bar((ProgressBar, _Lines), total, verbose, description)


def telling_bar(total: int | None, verbose: int, description: str) -> ProgressBar:
    """A bar as `progress_bar` makes it, of which callbacks of the fit under way are told, too.

    Parameters
    ----------
    total : int or None
        Number of steps; None where it is not known.
    verbose : int
        0 for a silent bar.
    description : str
        What is counted.

    Returns
    -------
    ProgressBar
        The bar, a context manager.
    """
    bar = _bar((_Telling, _TellingLines), total, verbose, description)
    if isinstance(bar, _Telling):
        # a silent bar keeps neither
        bar._name, bar._total = description, total
    return bar


def _bar(
    kinds: tuple[type[ProgressBar], type[_Lines]],
    total: int | None,
    verbose: int,
    description: str,
) -> ProgressBar:
    options = {"total": total, "disable": not verbose, "desc": description, "file": sys.stderr}
    if _can_be_written_over(sys.stderr):
        # a bar below another one goes when it has ended
        return kinds[0](**options, dynamic_ncols=True, leave=None)
    return kinds[1](**options)


def _can_be_written_over(stream: Any) -> bool:
    """Whether a line that is written there can be begun again."""
    # a notebook is no terminal, but shows a bar as one does
    in_notebook = type(stream).__module__.partition(".")[0] == "ipykernel"
    return in_notebook or bool(stream.isatty())
