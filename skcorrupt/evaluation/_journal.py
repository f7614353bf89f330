"""Finished work on the disk, so that what was interrupted can go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import joblib
from sklearn.base import clone

from skcorrupt.utils._typing import FilePath

# another process may be writing, each time for a few milliseconds
PATIENCE = 60.0


class Journal:
    """An SQLite file that several processes may write to at the same time.

    What is written is there or not there, never in part, whenever a process ends.

    Parameters
    ----------
    path : str or Path
        The file, made where it is missing.
    tables : mapping of str to str
        The tables it holds: names, and columns in SQL.

    Raises
    ------
    ValueError
        If the file is something else, or cannot be written.
    """

    def __init__(self, path: FilePath, tables: Mapping[str, str]) -> None:
        self.path = path
        wanted = {name: f"CREATE TABLE {name} ({columns})" for name, columns in tables.items()}
        try:
            with self.transaction() as connection:
                there = dict(
                    connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
                )
                if not there:
                    for sql in wanted.values():
                        connection.execute(sql)
        except (sqlite3.Error, TypeError) as error:
            raise ValueError(
                f"journal={str(path)!r} is no journal that can be written ({error}); name a new "
                "file in a folder that exists."
            ) from error
        if there and _plain(there) != _plain(wanted):
            raise ValueError(
                f"journal={str(path)!r} is no journal of this kind: it holds the tables "
                f"{', '.join(sorted(there))}; name a new file."
            )

    def _open(self) -> sqlite3.Connection:
        # an absolute path, as SQLite keeps what is called "" or ":memory:" in no file
        path = Path(self.path).absolute()
        return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else writes beside; an error or a kill undoes what was done.

        Yields
        ------
        sqlite3.Connection
            Within a transaction that ends with the block.
        """
        with closing(self._open()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def select(self, query: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows that an SQL query finds.

        Parameters
        ----------
        query : str
            The query, with `?` for parameters.
        parameters : tuple, default=()
            Their values.

        Returns
        -------
        list of tuple
            The rows.
        """
        with closing(self._open()) as connection:
            return connection.execute(query, parameters).fetchall()

    def insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows, all of them or none; a row of equal key is replaced.

        Parameters
        ----------
        table : str
            Name of the table.
        rows : iterable of tuple
            A value a column.

        Raises
        ------
        OSError
            If the file cannot be written any more.
        """
        rows = list(rows)
        if not rows:
            return
        places = ", ".join("?" * len(rows[0]))
        try:
            with self.transaction() as connection:
                connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", rows)
        except sqlite3.Error as error:
            raise OSError(
                f"journal={str(self.path)!r} cannot be written any more ({error}); make room, and "
                "fit again to go on."
            ) from error


def _plain(tables: Mapping[str, str]) -> dict[str, str]:
    """Definitions of tables, however they are broken into lines."""
    return {name: " ".join(sql.split()) for name, sql in tables.items()}


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
