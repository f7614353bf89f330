"""Finished fits on the disk, so that a study that was interrupted can go on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple

from skcorrupt.evaluation import Journal
from skcorrupt.utils._typing import FilePath

from ._curves import Fit

COLUMNS = """
    study TEXT, model TEXT, scenario INTEGER, repeat INTEGER, level REAL,
    score REAL, error TEXT, seconds REAL,
    PRIMARY KEY (study, model, scenario, repeat, level)
"""


class FitJournal(Journal):
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
        If the file is something else, or cannot be used.
    """

    def __init__(self, path: FilePath, study: str) -> None:
        super().__init__(path, {"fits": COLUMNS})
        self.study = study

    def read(self) -> list[Fit]:
        """All finished fits of the study."""
        with self.transaction() as connection:
            rows = self.rows(connection, "fits", self.study)
        return [
            Fit(model, scenario, repeat, level, float("nan") if score is None else score, *rest)
            for _, model, scenario, repeat, level, score, *rest in rows
        ]

    def write(self, fits: Iterable[Fit]) -> None:
        """Add finished fits, all of them or none."""
        with self.transaction(running=True) as connection:
            self.add(connection, "fits", ((self.study, *astuple(fit)) for fit in fits))
