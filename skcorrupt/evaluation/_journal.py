"""Finished work on the disk, so that what was interrupted can go on."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import joblib
from sklearn.base import clone

from skcorrupt.utils import checked_path
from skcorrupt.utils._typing import FilePath

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


class Journal:
    """An SQLite file that several processes may write to at the same time.

    What is written is there or not there, never in part, whenever a process ends. Each row has a
    digest, so that one that a person or a failing disk has changed is not taken for a result.

    Parameters
    ----------
    path : str or Path
        The file, made where it is missing; `~` is the home folder.
    tables : mapping of str to str
        The tables it holds: names, and columns in SQL.

    Raises
    ------
    ValueError
        If no file can have that name, or the file is something else, damaged, locked by another
        process or not to be written.
    """

    def __init__(self, path: FilePath, tables: Mapping[str, str]) -> None:
        self._file = _file_of(path)
        self.path = os.fsdecode(path)
        wanted = {
            name: f"CREATE TABLE {name} (digest TEXT, {columns})"
            for name, columns in tables.items()
        }
        with self.transaction() as connection:
            there = dict(
                connection.execute(
                    "SELECT name, sql FROM sqlite_master "
                    "WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
            )
            if there and _plain(there) != _plain(wanted):
                raise ValueError(
                    f"journal={self.path!r} is no journal of this kind: it holds the tables "
                    f"{', '.join(sorted(map(str, there)))}; name a new file."
                )
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError(" ".join(found.split()))
            if not there:
                for sql in wanted.values():
                    connection.execute(sql)
            else:
                # that it may not be written shows only when something is, which is taken back
                connection.execute("PRAGMA user_version = 1")
                connection.execute("ROLLBACK")
                connection.execute("BEGIN")

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
    def rows(
        connection: sqlite3.Connection, table: str, study: str | None = None
    ) -> list[tuple[Any, ...]]:
        """Rows as they were written, within a transaction.

        Parameters
        ----------
        connection : sqlite3.Connection
            That of the transaction.
        table : str
            Name of the table.
        study : str or None, default=None
            Only rows with this value in the column `study`; None is all.

        Returns
        -------
        list of tuple
            A value a column.
        """
        where, values = ("", ()) if study is None else (" WHERE study = ?", (study,))
        found = []
        for digest, *row in connection.execute(f"SELECT * FROM {table}{where}", values):
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
            A value a column.
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


def _plain(tables: Mapping[str, str]) -> dict[str, str]:
    """Definitions of tables, however they are broken into lines."""
    return {name: " ".join(str(sql).split()) for name, sql in tables.items()}


def content_hash(value: Any) -> str:
    """What an estimator or a scoring is made of, whatever its place in memory.

    Parameters
    ----------
    value : object
        Estimators are taken as if they were not fitted.

    Returns
    -------
    str
        The same in other processes.

    Raises
    ------
    ValueError
        If it holds what cannot be told from others, such as a lambda.
    """
    try:
        return joblib.hash(clone(value) if hasattr(value, "get_params") else value)
    except Exception as error:
        # the causes of what cannot be pickled are told one below the other
        cause = str(error.args[0] if error.args else error).partition("\n")[0]
        raise ValueError(
            f"journal: {value!r} cannot be told from others ({cause}); use functions that are "
            "defined at the top level of a module, not lambda, or journal=None."
        ) from None
