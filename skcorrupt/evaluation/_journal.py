"""Finished work on the disk, so that what was interrupted can go on."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from skcorrupt.utils import checked_path, shorten
from skcorrupt.utils._typing import FilePath, Folds

from ._outcome import Outcome
from ._settings import content_of

# seconds that another process may take to write: nobody should wait long to learn of a mistake
START_PATIENCE = 5.0
PATIENCE = 60.0
# what is the matter, and what to do
_NO_FILE = ("it is a folder or a device", "take a file in that folder")
_NO_FOLDER = ("its folder does not exist", "make the folder")
_GONE = ("it has been deleted", "put it back")
_DAMAGED = ("it is damaged, or no SQLite file", "put back a copy of it")
_REFUSED = ("it may not be written", "give permission to write the file and its folder")
_CAUSES = {
    sqlite3.SQLITE_CANTOPEN: _REFUSED,
    sqlite3.SQLITE_PERM: _REFUSED,
    sqlite3.SQLITE_READONLY: _REFUSED,
    sqlite3.SQLITE_FULL: ("the disk is full", "make room"),
    sqlite3.SQLITE_IOERR: ("the disk fails, or is full", "make room, or take another disk"),
}
TABLES = {
    "studies": (
        "study TEXT PRIMARY KEY, settings TEXT, seed TEXT, drawn INTEGER, cv TEXT, said TEXT"
    ),
    "outcomes": (
        "study TEXT, kind TEXT, key BLOB, said TEXT, score REAL, outcomes TEXT, "
        "PRIMARY KEY (study, kind, key)"
    ),
    "parts": "pass TEXT, first INTEGER, kept TEXT, PRIMARY KEY (pass, first)",
}
# characters that are kept of a part of a table, some four for each of its rows
MOST_KEPT = 2**20
KEPT = ("score", "fit_time", "score_time", "row_fraction", "error", "infeasible")


class Journal:
    """An SQLite file of finished evaluations that several processes may write to at the same time.

    It holds several studies, such as searches and profiles, which are told apart by their settings
    and data; each study goes on from its own evaluations. What is written is there or not there,
    never in part, whenever a process ends. Each row has a digest, so that one that a person or a
    failing disk has changed is not taken for a result.

    Parameters
    ----------
    path : str or Path
        The file, made where it is missing; `~` is the home folder.

    Raises
    ------
    ValueError
        If no file can have that name, or the file is something else, damaged, locked by another
        process or not to be written.
    """

    def __init__(self, path: FilePath) -> None:
        self._file = _file_of(path)
        self.path = os.fsdecode(path)
        self._settings = self._study = self._said = ""
        self._seed, self._drawn = 0, False
        wanted = {
            name: f"CREATE TABLE {name} (digest TEXT, {columns})"
            for name, columns in TABLES.items()
        }
        with self.transaction() as connection:
            there = dict(
                connection.execute(
                    "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
                )
            )
            if not _plain(there).items() <= _plain(wanted).items():
                raise ValueError(
                    f"journal={self.path!r} is no journal of this kind: it holds the tables "
                    f"{', '.join(sorted(map(str, there)))}; name a new file."
                )
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError(" ".join(found.split()))
            missing = wanted.keys() - there.keys()
            if missing:
                for name in sorted(missing):
                    connection.execute(wanted[name])
            else:
                # that it may not be written shows only when something is, which is taken back
                connection.execute("PRAGMA user_version = 1")
                connection.execute("ROLLBACK")
                connection.execute("BEGIN")

    def seed(self, settings: Mapping[str, Any], seed: int, *, drawn: bool) -> int:
        """Name the study, and take the seed that is kept for it.

        Of several processes that begin one at the same moment, all get that of the first.

        Parameters
        ----------
        settings : mapping
            What tells the study from others, its seed and its splits left out, to be written as
            JSON.
        seed : int
            The seed, or one that was drawn in case there is none yet.
        drawn : bool
            Whether it was drawn, as with `random_state=None`.

        Returns
        -------
        int
            The seed of the study.
        """
        content = {name: content_of(value) for name, value in settings.items()}
        self._settings, self._seed, self._drawn = joblib.hash(content), seed, drawn
        with self.transaction() as connection:
            for _, _, kept, was_drawn, *_ in self._studies(connection):
                if drawn and was_drawn:
                    self._seed = _seed(kept)
            self._said = json.dumps({**settings, "seed": self._seed}, indent=1, ensure_ascii=False)
            if drawn:
                self._add_study(connection, "", "")
        return self._seed

    def begin(self, cv: Folds, splits: list[tuple[np.ndarray, np.ndarray]]) -> None:
        """Go on with the study that was named, or make it one of those in the file.

        Parameters
        ----------
        cv : int, splitter, iterable of splits or None
            What the splits come from.
        splits : list of (ndarray, ndarray)
            Training and test rows that stand for all splits of the study.

        Raises
        ------
        ValueError
            If the splitter gave other splits the last time, so that nothing could ever go on.
        """
        given = "" if isinstance(cv, Iterable) and not hasattr(cv, "split") else _hash_of(cv)
        rows = joblib.hash(splits)
        self._study = joblib.hash((self._settings, self._seed, rows))
        with self.transaction() as connection:
            (lost,) = connection.execute(
                "SELECT COUNT(*) FROM outcomes WHERE study NOT IN (SELECT study FROM studies)"
            ).fetchone()
            if lost:
                raise sqlite3.DatabaseError("the settings of some evaluations are missing")
            for study, _, seed, _, kept, _ in self._studies(connection):
                if given and kept == given and study != self._study and _seed(seed) == self._seed:
                    raise ValueError(
                        f"cv={shorten(cv, 80)} draws other splits every time, so that a journal is "
                        "of no use; set its random_state."
                    )
            self._add_study(connection, rows, given)

    @property
    def study(self) -> str:
        """What tells the study that was begun from others."""
        return self._study

    def _studies(self, connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
        """All studies of the same settings."""
        return self._rows(connection, "studies", settings=self._settings)

    def _add_study(self, connection: sqlite3.Connection, rows: str, cv: str) -> None:
        study = joblib.hash((self._settings, self._seed, rows))
        # what is there already stays as it is, to the byte
        if not self._rows(connection, "studies", study=study):
            row = (study, self._settings, str(self._seed), int(self._drawn), cv, self._said)
            self.add(connection, "studies", [row])

    def read(self, kind: str) -> dict[bytes, list[Outcome]]:
        """What is kept of the study, by key.

        Parameters
        ----------
        kind : str
            The kind of evaluations.

        Returns
        -------
        dict of bytes to list of Outcome
            Without records and estimators.
        """
        with self.transaction() as connection:
            rows = self._rows(connection, "outcomes", study=self._study, kind=kind)
            return {key: _outcomes(kept) for _, _, key, *_, kept in rows}

    def write(self, kind: str, found: Iterable[tuple[bytes, str, list[Outcome]]]) -> None:
        """Keep what came of some evaluations, all of them or none.

        Parameters
        ----------
        kind : str
            The kind of evaluations.
        found : iterable of (bytes, str, list of Outcome)
            Keys, what is evaluated in words, and outcomes.
        """
        rows = []
        for key, said, outcomes in found:
            score = float(np.mean([np.nan if o.infeasible else o.score for o in outcomes]))
            kept = [{name: _number(getattr(o, name)) for name in KEPT} for o in outcomes]
            rows.append((self._study, kind, key, said, score, json.dumps(kept)))
        with self.transaction(running=True) as connection:
            self.add(connection, "outcomes", rows)

    def read_parts(self, name: str, form: Callable[[int, Any], Any]) -> dict[int, Any]:
        """What is kept of a pass over a table that is read in parts.

        Parameters
        ----------
        name : str
            What tells the pass, its table and its parts from others, of any study.
        form : callable
            `form(first, value)` makes of what JSON held of a part what it was, and raises a
            ValueError where it was never written so.

        Returns
        -------
        dict of int to object
            By the first row of each part.
        """
        with self.transaction() as connection:
            rows = self._rows(connection, "parts", **{"pass": name})
            return {first: _part(form, first, kept) for _, first, kept in rows}

    def write_part(self, name: str, first: int, kept: Any) -> None:
        """Keep what came of a part, if it is not too long.

        Parameters
        ----------
        name : str
            What tells the pass from others.
        first : int
            The first row of the part.
        kept : object
            Its result as JSON holds it.
        """
        text = json.dumps(kept)
        if len(text) <= MOST_KEPT:
            with self.transaction(running=True) as connection:
                self.add(connection, "parts", [(name, first, text)])

    @contextmanager
    def transaction(self, *, running: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else writes beside; an error or a kill undoes what was done.

        Parameters
        ----------
        running : bool, default=False
            Whether work is under way, so that other processes are waited for longer.

        Yields
        ------
        sqlite3.Connection
            Within a transaction that ends with the block.

        Raises
        ------
        ValueError
            If the file cannot be used, before work is under way.
        OSError
            If it cannot be written any more, while work is.
        """
        patience = PATIENCE if running else START_PATIENCE
        try:
            if (running or os.path.exists(self._file)) and not os.path.isfile(self._file):
                # SQLite would make a new one, or write to a device
                raise sqlite3.OperationalError("there is no file")
            connection = sqlite3.connect(self._file, timeout=patience, isolation_level=None)
            with closing(connection):
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        except (sqlite3.Error, UnicodeDecodeError) as error:
            what, remedy = self._cause(error, patience)
            if running:
                raise OSError(
                    f"journal={self.path!r} cannot be written any more: {what} ({error}); "
                    f"{remedy}, and fit again to go on from what is kept."
                ) from error
            raise ValueError(
                f"journal={self.path!r} is no journal that can be used: {what} ({error}); "
                f"{remedy}, or name a new file."
            ) from error

    def _cause(self, error: Exception, patience: float) -> tuple[str, str]:
        """What is the matter, and what to do."""
        # what Python finds itself, such as text that is none, has no code
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"another process has held it for {patience:g} s", "let that one end"
        if not os.path.isdir(self._file.parent):
            return _NO_FOLDER
        if not os.path.exists(self._file):
            return _CAUSES.get(code, _GONE)
        return _CAUSES.get(code, _DAMAGED) if os.path.isfile(self._file) else _NO_FILE

    @staticmethod
    def _rows(connection: sqlite3.Connection, table: str, **where: str) -> list[tuple[Any, ...]]:
        """Rows with some values, as they were written."""
        condition = " AND ".join(f"{column} = ?" for column in where)
        sql = f"SELECT * FROM {table} WHERE {condition}"
        found = []
        for digest, *row in connection.execute(sql, tuple(where.values())):
            if digest != _digest(row):
                raise sqlite3.DatabaseError(f"a row of {table!r} is not as it was written")
            found.append(tuple(row))
        return found

    @staticmethod
    def add(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows within a transaction; a row of equal key is replaced.

        Parameters
        ----------
        connection : sqlite3.Connection
            That of the transaction.
        table : str
            Name of the table.
        rows : iterable of tuple
            A value for each column.
        """
        for row in rows:
            kept = [_kept(value) for value in row]
            places = ", ".join("?" * (len(kept) + 1))
            sql = f"INSERT OR REPLACE INTO {table} VALUES ({places})"
            connection.execute(sql, (_digest(kept), *kept))


def _file_of(path: FilePath) -> Path:
    """Where a journal is, even when the process goes to another folder later."""
    name = str(checked_path("journal", path)) if path != "" else ""
    if not name or name == ":memory:" or name.startswith("file:"):
        raise ValueError(
            f"journal={name!r} should be the path of a file, as nothing else outlives the process; "
            "pass one, such as 'journal.sqlite'."
        )
    return Path(os.path.expanduser(name)).absolute()


def _kept(value: Any) -> Any:
    """A value as SQLite gives it back."""
    if isinstance(value, float):
        # neither NaN nor the sign of zero is kept
        return None if value != value else float(value) + 0.0
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


def _digest(row: Iterable[Any]) -> str:
    # of 1 and 1.0, SQLite gives back the one that the column is for
    plain = [float(value) if isinstance(value, int) else value for value in row]
    return hashlib.sha256(repr(plain).encode("utf-8", "backslashreplace")).hexdigest()


def _seed(kept: Any) -> int:
    if not isinstance(kept, str) or not re.fullmatch(r"[0-9]{1,20}", kept):
        raise sqlite3.DatabaseError("a seed is no whole number")
    return int(kept)


def _part(form: Callable[[int, Any], Any], first: Any, kept: Any) -> Any:
    """What was kept of a part, of which a digest says nothing about who wrote it."""
    try:
        if len(kept) > MOST_KEPT:
            raise ValueError("it is too long")
        return form(first, json.loads(kept))
    except (TypeError, ValueError, KeyError, RecursionError) as error:
        raise sqlite3.DatabaseError(
            "what is kept of a part is not of the form in which it is written"
        ) from error


def _outcomes(kept: Any) -> list[Outcome]:
    """What was kept of outcomes, of which a digest says nothing about who wrote them."""
    try:
        found = json.loads(kept)
    except (TypeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(map(_is_outcome, found)):
        raise sqlite3.DatabaseError("an evaluation is not of the form in which they are written")
    return [Outcome(**each) for each in found]


def _is_outcome(value: Any) -> bool:
    if not isinstance(value, dict) or set(value) != set(KEPT):
        return False
    scores = value["score"].values() if isinstance(value["score"], dict) else [value["score"]]
    numbers = [*scores, *(value[name] for name in ("fit_time", "score_time", "row_fraction"))]
    return (
        all(type(each) in (int, float) for each in numbers)
        and isinstance(value["error"], str)
        and isinstance(value["infeasible"], bool)
    )


def _plain(tables: Mapping[str, str]) -> dict[str, str]:
    """Definitions of tables, however they are broken into lines."""
    return {name: " ".join(str(sql).split()) for name, sql in tables.items()}


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _hash_of(cv: Any) -> str:
    """What a splitter is made of, "" where that cannot be told."""
    try:
        return joblib.hash(cv)
    except Exception:
        return ""
