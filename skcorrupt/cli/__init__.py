"""The command line: a demo on bundled data, and a search on a file of one's own."""

from ._main import main

__all__ = ["main"]
