"""A file of scores under the worst error, which later versions of a pipeline may not fall below."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pandas as pd

from skcorrupt.utils import (
    Target,
    as_table,
    checked_file,
    document,
    from_file,
    replace_file,
    row_keys,
    shorten,
)
from skcorrupt.utils._typing import ColumnLike, FilePath, TableLike
from skcorrupt.utils._version import __version__

SCORES = ("score", "clean")
# seconds after which the mark of another process is taken for that of one that was killed
STALE = 10.0


class Baseline:
    """What is kept of an assertion, under its name, in a file of JSON.

    Parameters
    ----------
    path : str or path-like
        The file.
    name : str
        The name of the assertion.
    settings : mapping of str to object
        What has to be the same for two scores to be compared.

    Raises
    ------
    ValueError
        If the file holds something else.
    OSError
        If its folder does not exist, or it cannot be read.
    """

    def __init__(self, path: FilePath, name: str, settings: Mapping[str, Any]) -> None:
        self.path = checked_file(path, "baseline")
        self.name = name
        self.settings = {key: _in_words(value) for key, value in settings.items()}
        # a damaged file is better known before a search than after it
        self._entries()

    def score(self) -> float:
        """The score that is kept.

        Returns
        -------
        float
            The score under the worst error.

        Raises
        ------
        ValueError
            If none is kept under the name, or one of other data or settings.
        """
        kept = self._entries()
        if self.name not in kept:
            there = ", ".join(map(repr, kept)) or "nothing"
            raise ValueError(
                f"baseline={str(self.path)!r} has no entry name={self.name!r}, only {there}; pass "
                "update_baseline=True once (with pytest's fixture: --robustness-update) to keep "
                "what is found."
            )
        before = kept[self.name]["settings"]
        changed = [
            f"{key} was {before.get(key, 'not kept')} and is {value}"
            for key, value in self.settings.items()
            if before.get(key) != value
        ]
        if changed:
            raise ValueError(
                f"baseline={str(self.path)!r}: {self.name!r} was kept for something else "
                f"({'; '.join(changed)}), so that scores cannot be compared; undo the change, pass "
                "another name=, or update_baseline=True to begin anew."
            )
        return float(kept[self.name]["score"])

    def keep(self, score: float, clean: float) -> None:
        """Write what was found, in place of what was kept under the name.

        Parameters
        ----------
        score : float
            The score under the worst error.
        clean : float
            The score on clean data.
        """
        with _alone(self.path):
            entries = self._entries() | {
                self.name: {
                    "score": score,
                    "clean": clean,
                    "settings": self.settings,
                    "skcorrupt": __version__,
                }
            }
            text = json.dumps(dict(sorted(entries.items())), indent=1, ensure_ascii=False)
            replace_file(self.path, text + "\n")

    def _entries(self) -> dict[str, Any]:
        return from_file(self.path, _entries) if self.path.exists() else {}


def data_digest(X: TableLike, y: ColumnLike) -> str:
    """A digest of rows and labels that does not depend on the version of a library.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Features.
    y : array-like of shape (n_samples,)
        Labels.

    Returns
    -------
    str
        Hexadecimal; nobody can tell values from it.
    """
    digest = hashlib.sha256()
    for table in (as_table(X), as_table(pd.DataFrame({"y": Target(y).values}))):
        digest.update(row_keys(table).tobytes())
    return digest.hexdigest()[:16]


def _entries(data: Any) -> dict[str, Any]:
    """Entries by name, each checked."""
    found = document(data).entries("an object with an entry for each assertion")
    for each in found.values():
        fields = each.fields([*SCORES, "settings", "skcorrupt"])
        for score in SCORES:
            fields[score].number()
        for setting in fields["settings"].entries().values():
            setting.text()
        fields["skcorrupt"].text()
    return {name: reader.value for name, reader in found.items()}


def _in_words(value: Any) -> str:
    # where an object happens to be in memory is another place next time
    return re.sub(r" at 0x[0-9a-fA-F]+", "", shorten(value, 200))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """A block in which no other process changes the file."""
    mark = path.with_name(f".{path.name}.lock")
    while True:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            with suppress(FileNotFoundError):
                if time.time() - mark.stat().st_mtime > STALE:
                    mark.unlink()
            time.sleep(0.01)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)
