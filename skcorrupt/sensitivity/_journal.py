"""Finished fits on the disk, so that what was interrupted can go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from ._curves import Fit

TABLE = """
CREATE TABLE IF NOT EXISTS fits (
    study TEXT, model TEXT, scenario INTEGER, repeat INTEGER, level REAL,
    score REAL, error TEXT, seconds REAL,
    PRIMARY KEY (study, model, scenario, repeat, level)
)
"""


class Journal:
    """Finished fits of studies in an SQLite file.

    Parameters
    ----------
    path : str or Path
        The file, made where it is missing.
    study : str
        What tells the fits of one study from those of others in the same file: data, models,
        errors and seeds.

    Raises
    ------
    ValueError
        If the file is no journal.
    """

    def __init__(self, path: Any, study: str):
        self.path, self.study = Path(path), study
        try:
            with closing(self._open()) as connection, connection:
                connection.execute(TABLE)
            self.read()
        except sqlite3.Error as error:
            raise ValueError(
                f"journal={str(path)!r} is no journal that can be written ({error}); name a new "
                "file in a folder that exists."
            ) from error

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=60)

    def read(self) -> list[Fit]:
        """All finished fits of the study."""
        with closing(self._open()) as connection:
            rows = connection.execute(
                "SELECT model, scenario, repeat, level, score, error, seconds FROM fits "
                "WHERE study = ?",
                (self.study,),
            ).fetchall()
        return [
            Fit(model, scenario, repeat, level, float("nan") if score is None else score, *rest)
            for model, scenario, repeat, level, score, *rest in rows
        ]

    def write(self, fits: Iterable[Fit]) -> None:
        """Add finished fits, all of them or none."""
        rows = [
            (self.study, f.model, f.scenario, f.repeat, f.level, f.score, f.error, f.seconds)
            for f in fits
        ]
        try:
            with closing(self._open()) as connection, connection:
                connection.executemany(
                    "INSERT OR REPLACE INTO fits VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows
                )
        except sqlite3.Error as error:
            raise OSError(
                f"journal={str(self.path)!r} cannot be written any more ({error}); make room, and "
                "fit again to go on."
            ) from error
