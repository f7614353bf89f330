"""Completion of commands, options and files in a shell."""

from __future__ import annotations

import argparse

from ._arguments import file_path
from ._command_error import CommandError

SHELLS = ("bash", "zsh", "tcsh")


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `completion`."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def print_completion(parser: argparse.ArgumentParser, shell: str) -> None:
    """Print a script that completes the command in a shell.

    Parameters
    ----------
    parser : ArgumentParser
        That of the whole command.
    shell : str
        The shell.

    Raises
    ------
    CommandError
        If shtab, which writes it, is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise CommandError(
            "completion is written by shtab, which is not installed; pip install shtab, or "
            "skcorrupt[completion]"
        ) from None
    for each in _with_commands(parser):
        for action in each._actions:
            if action.type is file_path:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, shell=shell))


def _with_commands(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    found = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += action.choices.values()
    return found
