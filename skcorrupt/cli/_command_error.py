"""What went wrong, for the person at the terminal."""

from __future__ import annotations

from typing import NoReturn

LONGEST = 500


class CommandError(Exception):
    """An error that ends a command with one line and exit status 2.

    Parameters
    ----------
    message : str
        What is wrong, what is allowed and what to do.
    """


def one_line(text: object) -> str:
    """A message of any length and shape as one line that fits a terminal window."""
    line = " ".join(str(text).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 2] + " …"


def fail(doing: str, error: BaseException) -> NoReturn:
    """Raise a command error for an exception of someone else's code.

    Parameters
    ----------
    doing : str
        What failed, the start of the sentence.
    error : BaseException
        The exception.

    Raises
    ------
    CommandError
        Always.
    """
    raise CommandError(f"{doing}: {type(error).__name__}: {error}") from error
