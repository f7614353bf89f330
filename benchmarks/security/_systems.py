"""Files that fitted systems, assertions and journals keep, and their readers."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptScale,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    ResponsivenessAuditor,
    StageFairnessAblator,
)
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.evaluation import Journal, Outcome
from skcorrupt.evaluation._fitted_results import _digest
from skcorrupt.responsiveness import ActionSet
from skcorrupt.robustness import RobustSearchCV, compare_robustness
from skcorrupt.testing._baseline import Baseline

SPACE = SearchSpace(max_conditions=1, n_bins=2)
SETTINGS = {"cv": 2, "space": SPACE, "confirm_size": None, "random_state": 0}


def _table() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 6, 80).astype(float), "s": rng.integers(0, 2, 80)})
    return X, (X["a"] + rng.normal(size=80) > 3).astype(int)


def _search() -> AdversarialCorruptionSearch:
    strategy = ExhaustiveSearch()
    error = CorruptScale("a")
    return AdversarialCorruptionSearch(GaussianNB(), error, strategy=strategy, **SETTINGS).fit(
        *_table()
    )


def _profiler() -> ErrorSensitivityProfiler:
    error = CorruptScale("a")
    return ErrorSensitivityProfiler(
        GaussianNB(), corruptions=error, levels=(0, 0.5, 1), cv=2, random_state=0
    ).fit(*_table())


def _ablator() -> StageFairnessAblator:
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    return StageFairnessAblator(
        pipeline, sensitive_features="s", privileged=1, pos_label=1, cv=2, random_state=0
    ).fit(*_table())


def _auditor() -> ResponsivenessAuditor:
    X, y = _table()
    actions = ActionSet.from_data(X, actionable=["a"])
    return ResponsivenessAuditor(GaussianNB().fit(X, y), actions, target=1).fit(X.head(8))


def _curator() -> NaturalAdversarialCurator:
    votes = np.random.default_rng(0).integers(-1, 2, size=(20, 3))
    return NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2).fit(votes)


def _choice() -> RobustSearchCV:
    grid = {"var_smoothing": [0.1]}
    return RobustSearchCV(GaussianNB(), grid, CorruptScale("a"), apply_to="test", **SETTINGS).fit(
        *_table()
    )


def _comparison() -> Any:
    models = {"one": GaussianNB(), "other": GaussianNB(var_smoothing=0.1)}
    return compare_robustness(
        models, *_table(), corruptions=[CorruptScale("a")], budgets=(0.1,), **SETTINGS
    )


SYSTEMS = {
    "searches": _search,
    "profiles": _profiler,
    "ablations": _ablator,
    "audits": _auditor,
    "orders of samples": _curator,
    "choices of parameters": _choice,
    "comparisons": _comparison,
}


def results_of(name: str) -> tuple[dict[str, Any], Callable[[Any], None]]:
    """What the file of a fitted system holds, and what reads one with a digest made anew.

    Parameters
    ----------
    name : str
        One of `SYSTEMS`.

    Returns
    -------
    content : dict
        The document.
    read : callable
        Reads a document.
    """
    fitted = SYSTEMS[name]()
    with tempfile.TemporaryDirectory() as folder:
        file = fitted.to_json(Path(folder) / "results.json")
        content = json.loads(file.read_text(encoding="utf-8"))

    def read(document: Any) -> None:
        if isinstance(document, dict) and "digest" in document:
            # as a forger would
            document = {**document, "digest": _digest(document)}
        _from_file(lambda file: type(fitted).from_json(file), json.dumps(document).encode())

    return content, read


def baselines() -> tuple[dict[str, Any], ...]:
    """Documents of baselines."""
    entry = {"score": 0.8, "clean": 0.9, "settings": {"budget": "0.1"}, "skcorrupt": "0.1.0"}
    return {"a": entry}, {"a": entry, "b": {**entry, "score": -1}}


def read_baseline(content: bytes) -> None:
    """Read a file of scores."""
    _from_file(lambda file: Baseline(file, "a", {"budget": 0.1}).score(), content)


def journals() -> tuple[bytes, ...]:
    """Files of journals."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.sqlite"
        _study(file).write("kind", [(b"key", "said", [_outcome()]), (b"other", "", [_outcome()])])
        return (file.read_bytes(),)


def damaged_bytes(draw: random.Random, sound: tuple[bytes, ...]) -> bytes:
    """A file some bytes of which are others, are missing or were added.

    Parameters
    ----------
    draw : random.Random
        Source of chance.
    sound : tuple of bytes
        Files that can be read.

    Returns
    -------
    bytes
        The content.
    """
    content = bytearray(draw.choice(sound))
    for _ in range(draw.choice((1, 1, 3, 10, 100))):
        # what SQLite reads first is what it believes
        at = draw.randrange(draw.choice((100, len(content))))
        content[at : at + draw.choice((0, 1, 1, 1, 4))] = draw.randbytes(draw.choice((1, 1, 4)))
    return bytes(content[: draw.choice((len(content), len(content), draw.randrange(5000)))])


def read_journal(content: bytes) -> None:
    """Go on from a file."""
    _from_file(lambda file: _study(file).read("kind"), content)


def outcomes() -> tuple[Any, ...]:
    """Documents of which rows of journals are made."""
    kept = {"score": 0.5, "fit_time": 1.0, "score_time": 1.0, "row_fraction": 0.1}
    row = {**kept, "error": "", "infeasible": False}
    return [row], [row, {**row, "score": {"a": 0.5, "b": 1.0}}]


def read_outcomes(document: Any) -> None:
    """Read what a row of a journal holds, the digest of which is right."""
    # folders that are taken away would count as a deed of the reader
    with tempfile.NamedTemporaryFile() as file:
        study = _study(Path(file.name))
        row = (study._study, "kind", b"key", "said", 0.5, json.dumps(document))
        with study.transaction() as connection:
            study.add(connection, "outcomes", [row])
        study.read("kind")


def _outcome() -> Outcome:
    return Outcome(0.5, 1.0, 1.0, 0.1)


def _study(file: Path) -> Journal:
    journal = Journal(file)
    journal.seed({"a": "b"}, 3, drawn=False)
    journal.begin(None, [(np.arange(3), np.arange(2))])
    return journal


def _from_file(read: Callable[[Path], Any], content: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        read(Path(file.name))
