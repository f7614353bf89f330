"""What went wrong, for the person at the terminal."""

from __future__ import annotations

from pathlib import Path
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


def cannot_write(option: str, out: Path, error: OSError) -> CommandError:
    """An error for a folder that cannot be written to.

    Parameters
    ----------
    option : str
        The option that names it.
    out : Path
        The folder.
    error : OSError
        Why.

    Returns
    -------
    CommandError
        To be raised.
    """
    if out.exists() and not out.is_dir():
        return CommandError(f"{option} {out} is a file; name a folder")
    return CommandError(f"{option} {out}: cannot write there ({error.strerror or error})")
