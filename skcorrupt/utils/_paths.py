"""Paths that users give."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def checked_path(name: str, path: Any) -> Path:
    """A path that a system can be asked for.

    Parameters
    ----------
    name : str
        The parameter, for the message.
    path : str or path-like
        What was given.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If it has a character that no file can have in its name.
    """
    if not isinstance(path, (str, os.PathLike)) or isinstance(os.fspath(path), bytes):
        raise TypeError(f"{name}={path!r} should be a str or Path, such as 'results/file.txt'.")
    if "\0" in os.fspath(path):
        raise ValueError(f"{name}={os.fspath(path)!r} has a NUL, which no path can; leave it out.")
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ValueError(f"{name}={os.fspath(path)!r} cannot be a path ({error}).") from None
    return Path(path)
