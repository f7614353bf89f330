"""Scored candidates on the disk, so that a search that was interrupted can go on."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

import joblib
import numpy as np
import pandas as pd
import sklearn

from skcorrupt.base import CorruptionRecord
from skcorrupt.evaluation import Journal, Outcome, Split, content_hash
from skcorrupt.utils import Table, Target, as_table, row_keys
from skcorrupt.utils._typing import FilePath

from ._fit_data import FitData

# what a search finds does not depend on them
LEFT_OUT = frozenset({"journal", "n_jobs", "random_state", "refit", "verbose", "cv"})
STUDY, EVALUATIONS, DRAWS = "study", "evaluations", "draws"
_SCORED = "study TEXT, key BLOB, score REAL, said TEXT, outcomes TEXT, PRIMARY KEY (study, key)"
TABLES = {
    STUDY: "id INTEGER PRIMARY KEY CHECK (id = 1), hash TEXT, settings TEXT",
    EVALUATIONS: _SCORED,
    DRAWS: _SCORED,
}
MOST_NAMED = 5
MOST_SHOWN = 90
_OF_RECORD = ("n_matched", "n_corrupted", "row_fraction", "seed", "n_samples_in")


class SearchJournal(Journal):
    """Scored candidates of one search in an SQLite file, a row each.

    Parameters
    ----------
    path : str or Path
        The file, made where it is missing.

    Raises
    ------
    ValueError
        If the file is something else, or cannot be used.
    """

    def __init__(self, path: FilePath) -> None:
        super().__init__(path, TABLES)
        self._hash = ""

    def seed(self, drawn: int) -> int:
        """Seed of the search that the file is of; of a new file, a seed that was drawn for it.

        Of several processes that begin one at the same moment, all get that of the first.
        """
        with self.transaction() as connection:
            settings = self._settings(connection)
            if settings is None:
                # until the splits are known, a search of no other settings
                self.add(connection, STUDY, [(1, "", json.dumps({"seed": drawn}))])
                return drawn
        return settings[1]["seed"]

    def _settings(self, connection: sqlite3.Connection) -> tuple[str, dict[str, Any]] | None:
        """Hash and settings of the search that the file is of, None where it is of none yet."""
        rows = self.rows(connection, STUDY)
        if not rows and self._n_scored(connection):
            raise sqlite3.DatabaseError("the settings of its search are missing")
        return (rows[0][1], json.loads(rows[0][2])) if rows else None

    @staticmethod
    def _n_scored(connection: sqlite3.Connection) -> int:
        return connection.execute(f"SELECT COUNT(*) FROM {EVALUATIONS}").fetchone()[0]

    def begin(self, settings: dict[str, Any]) -> None:
        """Go on with the search that the file keeps, or make it the file of this one.

        Parameters
        ----------
        settings : dict
            What tells the search from others, to be written as JSON.

        Raises
        ------
        ValueError
            If candidates of another search are kept, naming what differs.
        """
        text = json.dumps(settings, indent=1, ensure_ascii=False)
        self._hash = joblib.hash({name: _content_of(value) for name, value in settings.items()})
        with self.transaction() as connection:
            kept, n_scored = self._settings(connection), self._n_scored(connection)
            if kept is None or n_scored == 0:
                # nothing is lost with the name of a search that scored nothing
                self.add(connection, STUDY, [(1, self._hash, text)])
                return
        if kept[0] != self._hash:
            differences = _differences(kept[1], settings)
            raise ValueError(
                f"journal={self.path!r} keeps {n_scored} candidates of another search: "
                f"{'; '.join(differences)}. Name a new file, or set the search up as it was."
            )

    def read(self, table: str) -> dict[bytes, list[Outcome]]:
        """What is kept of this search, by key."""
        with self.transaction() as connection:
            rows = self.rows(connection, table, self._hash)
        return {key: [_outcome(o) for o in json.loads(text)] for _, key, _, _, text in rows}

    def write(self, table: str, key: bytes, said: str, outcomes: list[Outcome]) -> None:
        """Keep what came of one candidate, or of one draw, on every split."""
        score = float(np.mean([np.nan if o.infeasible else o.score for o in outcomes]))
        text = json.dumps([_plain_outcome(o) for o in outcomes])
        with self.transaction(running=True) as connection:
            kept = self._settings(connection)
            if kept is None or kept[0] != self._hash:
                raise OSError(
                    f"journal={self.path!r} was taken for another search meanwhile; name a "
                    "new file, and fit again."
                )
            self.add(connection, table, [(self._hash, key, score, said, text)])


def _plain_outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "score": float(outcome.score),
        "fit_time": outcome.fit_time,
        "score_time": outcome.score_time,
        "error": outcome.error,
        "infeasible": outcome.infeasible,
        "records": [
            {name: _plain(getattr(record, name)) for name in _OF_RECORD}
            for record in outcome.records
        ],
    }


def _outcome(kept: dict[str, Any]) -> Outcome:
    records = [
        CorruptionRecord(None, None, None, **record, feature_names=())  # type: ignore[arg-type]
        for record in kept.pop("records")
    ]
    return Outcome(**kept, records=records)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def settings_of(params: Mapping[str, Any], data: FitData, splits: list[Split]) -> dict[str, Any]:
    """What tells a search from others, by names that a reader knows.

    Parameters
    ----------
    params : dict
        Parameters of the search, of which those do not count that make no difference to what is
        found.
    data : FitData
        What was given to `fit`, and the seed.
    splits : list of Split
        The rows of every split, which stand for `cv`.

    Returns
    -------
    dict
        Plain values, or `{"text": …, "content": …}` of what is more than a plain value.
    """
    table = as_table(data.X)
    rows = [(split.train, split.test) for split in splits]
    settings: dict[str, Any] = {
        "X": _of_table(table),
        "column names": [str(label) for label in table.labels],
        "y": _of_values(data.y),
        "groups": None if data.groups is None else _of_values(data.groups),
        "fit parameters": _described(data.fit_params),
        "score parameters": _described(data.score_params),
        "cv": {"text": f"rows of {len(splits)} splits", "content": joblib.hash(rows)},
        "seed": data.seed,
    }
    for name, value in _flat(params):
        if name == "strategy.search":
            settings[name] = _of_search(value)
        elif name == "budget" and not isinstance(value, Real):
            settings[name] = _described(sorted({float(budget) for budget in value}))
        elif name not in LEFT_OUT:
            settings[name] = _described(value)
    # the package itself imports this module, so that its version cannot be imported here
    for package in (sys.modules[__name__.partition(".")[0]], sklearn, np):
        settings[f"{package.__name__} version"] = package.__version__
    return settings


def _flat(params: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Parameters, those of the space and the strategy by names such as "space.n_bins"."""
    for name, value in params.items():
        if name.partition(".")[0] in ("space", "strategy") and hasattr(value, "get_params"):
            if not hasattr(value, "cv_results_"):
                yield name, type(value).__name__
                own = value.get_params(deep=False)
                yield from _flat({f"{name}.{key}": own[key] for key in own})
                continue
        yield name, value


def _of_table(table: Table) -> dict[str, str]:
    X = table.source
    types = [str(t) for t in (X.dtypes if hasattr(X, "dtypes") else [X.dtype])]
    categories = [table.categories(j) for j in range(table.n_columns)]
    return {
        "text": f"{table.n_rows} rows × {table.n_columns} columns, {table.container}",
        "content": joblib.hash((row_keys(table), types, categories)),
    }


def _of_values(values: Any) -> dict[str, str]:
    values = Target(values).values
    keys = row_keys(as_table(pd.DataFrame({"values": values})))
    return {
        "text": f"{len(values)} values of {values.dtype}",
        "content": joblib.hash((keys, str(values.dtype))),
    }


def _of_search(search: Any) -> dict[str, str]:
    """A search to start from, of which what it found counts."""
    found = getattr(search, "cv_results_", {})
    rows = [[*map(str, found.get(name, ()))] for name in ("pattern", "columns", "target", "rate")]
    scores = [*map(float, found.get("mean_test_score", ()))]
    text = f"a search of {len(scores)} candidates"
    return {"text": text, "content": joblib.hash((rows, scores))}


def _described(value: Any) -> Any:
    value = _plain(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(value, Mapping):
        content = joblib.hash([(str(k), content_hash(v)) for k, v in value.items()])
    else:
        content = content_hash(value)
    return {"text": _short(value), "content": content}


def _short(value: Any) -> str:
    # a function's repr holds its place in memory
    name = getattr(value, "__qualname__", None)
    text = value if isinstance(value, str) else name or " ".join(repr(value).split())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _differences(there: dict[str, Any], here: dict[str, Any]) -> list[str]:
    """What differs between the settings of two searches, in words."""
    found = []
    for name in [*here, *(n for n in there if n not in here)]:
        if name not in there or name not in here:
            found.append(f"{name} is set {'here' if name in here else 'there'} only")
            continue
        old, new = there[name], here[name]
        if json.dumps(_content_of(old)) == json.dumps(_content_of(new)):
            continue
        if _text_of(old) == _text_of(new):
            found.append(f"{name} differs in its content ({_text_of(new)})")
        else:
            found.append(f"{name} was {_text_of(old)} and is {_text_of(new)}")
    if len(found) > 1:
        # other rows are a consequence of other data or seeds
        found = [each for each in found if not each.startswith("cv differs")]
    rest = len(found) - MOST_NAMED
    return found if rest <= 0 else [*found[:MOST_NAMED], f"and {rest} more"]


def _text_of(setting: Any) -> str:
    return setting["text"] if isinstance(setting, dict) else _short(setting)


def _content_of(setting: Any) -> Any:
    return setting["content"] if isinstance(setting, dict) else setting
