"""Paths that users give."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import uuid
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


def checked_file(path: Any, name: str = "path") -> Path:
    """A path at which a file can be written.

    Parameters
    ----------
    path : str or path-like
        What was given.
    name : str, default="path"
        The parameter, for messages.

    Returns
    -------
    Path
        The path.

    Raises
    ------
    FileNotFoundError
        If its folder does not exist.
    IsADirectoryError
        If it is a folder.
    """
    file = checked_path(name, path)
    if not file.parent.is_dir():
        raise FileNotFoundError(
            errno.ENOENT,
            f"{name}={str(file)!r}: the folder {str(file.parent)!r} does not exist; make it, or "
            "pass a path in one that does",
        )
    if file.is_dir() or not file.name:
        raise IsADirectoryError(
            errno.EISDIR,
            f"{name}={str(file)!r} is a folder; pass a file in it, such as results.html",
        )
    return file


def replace_file(file: Path, text: str) -> None:
    """Write a file in one go, so that nobody ever finds half of it.

    Parameters
    ----------
    file : Path
        The file, there or not.
    text : str
        What it is to hold.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    try:
        # what a link points to is replaced, not the link
        target = file.resolve()
        if target.is_symlink():
            # newer versions of Python return links that go round in a circle, older ones raise
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        part = target.parent / f".{uuid.uuid4().hex}.tmp"
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        finally:
            # a disk that takes nothing refuses this too, but for the reason that is told
            with contextlib.suppress(OSError):
                part.unlink()
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OSError(
            getattr(error, "errno", errno.ELOOP),
            f"path={str(file)!r} cannot be written ({reason}); pass another path",
        ) from error
