"""What Ctrl-C ends: first a phase of the search, then all of it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from skcorrupt.utils import warn
from skcorrupt.utils._typing import FilePath


class Interruption:
    """A context in which the first Ctrl-C is a warning, and the next one is raised.

    Parameters
    ----------
    enough : callable
        `enough() -> bool` says whether anything was found that can be handed back; where nothing
        was, Ctrl-C is raised.

    Attributes
    ----------
    happened : bool
        Whether a phase was interrupted.
    """

    def __init__(self, enough: Callable[[], bool]) -> None:
        self._enough = enough
        self._said: Callable[[], str] = str
        self.happened = False

    def ends(self, said: Callable[[], str]) -> Interruption:
        """A phase, and what is said of it where it was interrupted."""
        self._said = said
        return self

    def __enter__(self) -> Interruption:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        first = not self.happened and self._enough()
        if kind is None or not issubclass(kind, KeyboardInterrupt) or not first:
            return False
        self.happened = True
        warn(self._said())
        return True


def interrupted_search(n_scored: int, journal: FilePath | None) -> str:
    """What is said of a search that Ctrl-C ended."""
    return (
        f"The search was interrupted after {n_scored} candidates. The worst of them is compared "
        "with random errors, and confirmed where asked for; Ctrl-C again stops that by raising. "
        f"{_going_on(journal)}"
    )


def interrupted_confirmation(journal: FilePath | None) -> str:
    """What is said of a finished search whose comparison or confirmation Ctrl-C ended."""
    return (
        "Interrupted after the search was done, while its winner was compared with random errors "
        "and confirmed: scores that are missing are NaN. Call confirm(X_test, y_test) with rows of "
        f"your own. {_going_on(journal)}"
    )


def interrupted_alternatives(journal: FilePath | None) -> str:
    """What is said of a finished search whose look at other classes of patterns Ctrl-C ended."""
    return (
        "Interrupted after the search was done, while errors without some of the conditions were "
        f"searched: alternatives_ has those found until then. {_going_on(journal)}"
    )


def _going_on(journal: FilePath | None) -> str:
    if journal is None:
        return "With journal=PATH a second fit would go on from here."
    return f"A second fit goes on from journal={str(journal)!r}."
