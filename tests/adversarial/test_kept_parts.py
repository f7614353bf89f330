"""Journals of searches over files in parts: what was counted or predicted is not read again."""

import json
import sqlite3
from collections import Counter
from contextlib import closing

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from cheap_models import Centroids, share_right
from flat_search import flat_search
from skcorrupt import AdversarialCorruptionSearch, CorruptNoise, CorruptScale
from skcorrupt.adversarial import SearchSpace, _all_rows
from skcorrupt.evaluation import Journal, _journal
from skcorrupt.utils import _held_rows, _kept_answers, _sources

N_ROWS, HELD = 1000, 300
CUTS = [pytest.param([], marks=pytest.mark.slow), [90, 300, 450, 600, 900]]


def table():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(17, 90, N_ROWS) / 30,
            "hours": rng.normal(size=N_ROWS),
            "job": rng.choice(["clerk", "nurse", "smith"], N_ROWS),
        }
    )
    paid = frame["age"] + (frame["job"] == "nurse") + pl.Series(rng.normal(size=N_ROWS)) > 2
    return frame.with_columns(paid=paid.cast(pl.Int64))


def folder(path, cuts, frame=None):
    """The table in files that end at some rows."""
    path.mkdir()
    frame = table() if frame is None else frame
    for i, (first, last) in enumerate(zip([0, *cuts], [*cuts, N_ROWS], strict=True)):
        frame[first:last].write_parquet(path / f"f{i}.parquet", row_group_size=130)
    return path


@pytest.fixture
def files(tmp_path):
    return folder(tmp_path / "rows", [400])


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.fixture
def reads(monkeypatch):
    """Parts that were read since it was cleared, with the number of their columns."""
    found, read = [], _sources._read_part

    def noted(path, first, n_rows, columns):
        found.append((path, first, len(columns)))
        return read(path, first, n_rows, columns)

    monkeypatch.setattr(_sources, "_read_part", noted)
    return found


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_sources, "PART_ROWS", 130)
    monkeypatch.setattr(_held_rows, "FEW_ROWS", 100)


def run_sql(path, sql, *values):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(sql, values).fetchall()


def n_kept(path):
    return run_sql(path, "SELECT COUNT(*) FROM parts")[0][0]


# -- errors in training data: counts -------------------------------------------------------------


class Ages(Centroids):
    """Centroids of two columns."""

    def fit(self, X, y):
        return super().fit(X[["age", "hours"]], y)

    def predict_proba(self, X):
        return super().predict_proba(X[["age", "hours"]])


def counting(journal=None, corruption="missing", **params):
    settings = {"scoring": share_right, "random_state": 0, "sample_size": HELD}
    settings |= {"cv": [(np.arange(0, 200), np.arange(200, HELD))], "confirm_size": None}
    settings |= {"own_column": "required", "label": "required", "exhaustive": True}
    settings |= {"max_conditions": 1, "n_bins": 2}
    return flat_search(Ages(), corruption, **{**settings, **params}, journal=journal)


def counts(fitted):
    """What was found, with all that was counted."""
    told = pd.DataFrame(fitted.cv_results_).filter(regex="pattern|columns|score$|all_rows|status")
    return fitted.summary(), repr(told.to_dict("list")), repr(fitted.alternatives_["score"])


@pytest.fixture
def interrupted(monkeypatch):
    """A function after which the count of a part raises, but for the first ones."""
    count = _all_rows._Count.__call__

    def after(n):
        calls = []

        def stops(self, frame, first):
            calls.append(first)
            if len(calls) > n:
                raise KeyboardInterrupt
            return count(self, frame, first)

        monkeypatch.setattr(_all_rows._Count, "__call__", stops)

    yield after


@pytest.mark.long
def test_a_count_that_was_interrupted_goes_on(files, path, reads, interrupted):
    expected = counts(counting().fit(files, "paid"))
    whole = Counter(reads)
    n_parts = len(_sources.as_source(files).parts)
    for n in (3, 2):
        interrupted(n)
        with pytest.warns(UserWarning, match="while candidates were counted on all 1000 rows"):
            counting(path).fit(files, "paid")
    assert n_kept(path) == 5 < n_parts
    interrupted(N_ROWS)
    reads.clear()
    assert counts(counting(path).fit(files, "paid")) == expected
    # the rows that are held are drawn anew, and each part is counted once in all
    spared = whole - Counter(reads)
    assert sum(spared.values()) == 5
    reads.clear()
    interrupted(0)
    assert counts(counting(path).fit(files, "paid")) == expected
    assert sum((whole - Counter(reads)).values()) == n_parts


@pytest.mark.long
@pytest.mark.parametrize("cuts", CUTS)
def test_counts_of_files_cut_in_other_ways_are_not_taken(files, path, tmp_path, reads, cuts):
    expected = counts(counting(path).fit(files, "paid"))
    other = folder(tmp_path / "others", cuts)
    reads.clear()
    assert counts(counting(path).fit(other, "paid")) == expected
    n_read = len(reads)
    reads.clear()
    counting().fit(other, "paid")
    assert len(reads) == n_read


@pytest.mark.long
def test_counts_of_others_are_not_taken(files, path):
    counting(path).fit(files, "paid")
    n_parts = n_kept(path)
    for changed in ({"corruption": CorruptScale(factor=3.0)}, {"random_state": 1}):
        found = counting(path, **changed).fit(files, "paid")
        assert counts(found) == counts(counting(**changed).fit(files, "paid"))
        assert n_kept(path) > n_parts
        n_parts = n_kept(path)
    # other values in rows that are not held
    held = counting().fit(files, "paid").sample_indices_
    rows = pl.int_range(N_ROWS, eager=True).is_in(held.tolist())
    frame = table().with_columns(age=pl.when(rows).then("age").otherwise(3.0))
    for each in files.iterdir():
        each.unlink()
    frame.write_parquet(files / "f0.parquet", row_group_size=130)
    found = counting(path).fit(files, "paid")
    assert counts(found) == counts(counting().fit(files, "paid"))
    assert n_kept(path) > n_parts


@pytest.mark.long
def test_tables_that_are_no_files_are_counted_anew(path):
    expected = counts(counting().fit(table().to_arrow(), "paid"))
    assert counts(counting(path).fit(table().to_arrow(), "paid")) == expected
    assert counts(counting(path).fit(table().to_arrow(), "paid")) == expected
    assert n_kept(path) == 0


def forged(path, kept):
    """A part of which the digest is right, as it is known how it is made."""
    name, first = run_sql(path, "SELECT pass, first FROM parts")[0]
    with Journal(path).transaction() as connection:
        Journal.add(connection, "parts", [(name, first, kept)])


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_counts_that_cannot_be_are_refused(files, path):
    counting(path).fit(files, "paid")
    n = len(json.loads(run_sql(path, "SELECT kept FROM parts")[0][0]))
    wrong = ["[1]", "{}", "3", "no JSON", "[" * 9000, " " * (_journal.MOST_KEPT + 1), None]
    for kept in [*wrong, json.dumps([N_ROWS + 1] * n), json.dumps([True] * n)]:
        forged(path, kept)
        with pytest.raises(ValueError, match=r"damaged.*not of the form in which it is written"):
            counting(path).fit(files, "paid")
    run_sql(path, "UPDATE parts SET first = first + 1")
    with pytest.raises(ValueError, match="a row of 'parts' is not as it was written"):
        counting(path).fit(files, "paid")


@pytest.mark.long
def test_what_is_too_long_is_not_kept(files, path, monkeypatch):
    monkeypatch.setattr(_journal, "MOST_KEPT", 20)
    expected = counts(counting().fit(files, "paid"))
    for _ in range(2):
        assert counts(counting(path).fit(files, "paid")) == expected
    assert n_kept(path) == 0


@pytest.mark.usefixtures("few_fits")
@pytest.mark.long
def test_a_journal_from_before_parts_were_kept_goes_on(files, path):
    expected = counts(counting(path).fit(files, "paid"))
    n = n_kept(path)
    run_sql(path, "DROP TABLE parts")
    assert counts(counting(path).fit(files, "paid")) == expected
    assert n_kept(path) == n


# -- errors in served rows: predictions ----------------------------------------------------------

# rows that models were asked about, one entry a call
ASKED = []


class Rule(ClassifierMixin, BaseEstimator):
    """A rule that takes no time, and is interrupted after so many rows."""

    most = np.inf

    def __init__(self, weight=1.0):
        self.weight = weight

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def _signal(self, X):
        if sum(ASKED) > self.most:
            raise KeyboardInterrupt
        ASKED.append(len(X))
        signal = X["age"].fillna(4) + self.weight * (X["job"] == "nurse") + X["hours"].fillna(1) / 9
        return signal.to_numpy() - 1.9

    def predict(self, X):
        return self.classes_[(self._signal(X) > 0).astype(int)]

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-self._signal(X)))
        return np.column_stack([1 - p, p])


@pytest.fixture
def asked(monkeypatch):
    """Sets after how many rows the rule is interrupted, and forgets which it was asked about."""

    def most(n=np.inf):
        ASKED.clear()
        monkeypatch.setattr(Rule, "most", n)

    most()
    return most


def model(y=None, **params):
    frame = table().to_pandas()
    return Rule(**params).fit(frame.drop(columns="paid"), frame.paid if y is None else y)


def served(journal=None, estimator=None, corruption="missing", **params):
    settings = {"scoring": "accuracy", "confirm_size": None, "random_state": 0, **params}
    settings.setdefault("space", SearchSpace(max_conditions=1, n_bins=3))
    return AdversarialCorruptionSearch(
        estimator or model(), corruption, apply_to="test", journal=journal, **settings
    )


def found(fitted):
    told = pd.DataFrame(fitted.cv_results_).filter(regex="pattern|columns|score$|status")
    confirmed = getattr(fitted, "confirmed_interval_", None)
    own = fitted.baseline_score_, fitted.worst_score_, fitted.random_score_, confirmed
    return fitted.summary(), repr(told.to_dict("list")), repr(own)


@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize(
    "corruption", ["missing", pytest.param(CorruptNoise("age"), marks=pytest.mark.slow)]
)
def test_predictions_that_were_interrupted_go_on(files, path, reads, asked, corruption):
    frame = table().to_pandas()
    given = {"corruption": corruption}
    expected = found(served(**given).fit(frame.drop(columns="paid"), frame.paid))
    asked()
    reads.clear()
    assert found(served(**given).fit(files, "paid")) == expected
    whole, n_rows = Counter(reads), sum(ASKED)
    n_before = 0
    for most in (450, 900):
        asked(most)
        with pytest.raises(KeyboardInterrupt):
            served(path, **given).fit(files, "paid")
        assert n_kept(path) > n_before
        n_before = n_kept(path)
    asked()
    reads.clear()
    assert found(served(path, **given).fit(files, "paid")) == expected
    # no part is read of which the answers are there
    assert sum((whole - Counter(reads)).values()) == n_before
    assert sum(ASKED) < n_rows
    reads.clear()
    asked()
    assert found(served(path, **given).fit(files, "paid")) == expected
    # some rows, which are fetched and compared, are all that is asked about again
    assert sum(ASKED) < n_rows / 2
    assert n_kept(path) == sum((whole - Counter(reads)).values())


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_draws_that_confirm_are_kept_too(files, path, asked):
    given = {"confirm_size": 0.25, "budget": [0.05, 0.1]}
    expected = found(served(**given).fit(files, "paid"))
    n_rows = sum(ASKED)
    for _ in range(2):
        asked()
        assert found(served(path, **given).fit(files, "paid")) == expected
    assert sum(ASKED) < n_rows / 2


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize("cuts", CUTS)
def test_predictions_of_files_cut_in_other_ways_are_not_taken(files, path, tmp_path, asked, cuts):
    expected = found(served(path).fit(files, "paid"))
    n_rows = sum(ASKED)
    asked()
    assert found(served(path).fit(folder(tmp_path / "others", cuts), "paid")) == expected
    assert sum(ASKED) == n_rows


@pytest.mark.filterwarnings("ignore:The clean pipeline scores")
@pytest.mark.usefixtures("few_fits")
@pytest.mark.parametrize("some", [slice(1, 3), pytest.param(slice(4), marks=pytest.mark.slow)])
def test_predictions_are_those_of_a_model_an_error_and_a_table(files, path, asked, some):
    served(path).fit(files, "paid")
    changed = [
        {"estimator": model(weight=0.2)},
        # of the same parameters
        {"estimator": FrozenEstimator(model(y=np.arange(N_ROWS) % 3 + 5))},
        {"corruption": CorruptScale(factor=3.0)},
        {"corruption": CorruptScale(factor=4.0)},
    ]
    for each in changed[some]:
        before = n_kept(path)
        assert found(served(path, **each).fit(files, "paid")) == found(
            served(**each).fit(files, "paid")
        )
        assert n_kept(path) > before
    # another budget asks the same of the model
    before = n_kept(path)
    served(path, budget=0.3).fit(files, "paid")
    assert n_kept(path) == before
    for each in files.iterdir():
        each.unlink()
    table().with_columns(pl.col("age") * 0.9).write_parquet(files / "f0.parquet")
    assert found(served(path).fit(files, "paid")) == found(served().fit(files, "paid"))


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_probabilities_are_asked_for_again(files, path, asked, monkeypatch):
    monkeypatch.setattr(_kept_answers, "MOST_LEVELS", 1)
    expected = found(served(scoring="neg_log_loss").fit(files, "paid"))
    n_rows = sum(ASKED)
    for _ in range(2):
        asked()
        assert found(served(path, scoring="neg_log_loss").fit(files, "paid")) == expected
        assert sum(ASKED) == n_rows
    assert n_kept(path) == 0


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_workers_and_labels_make_no_difference(files, path, asked):
    expected = found(served(scoring=None).fit(files, "paid"))
    named = pl.col("paid").replace_strict({0: "no", 1: "yes"}, return_dtype=pl.String)
    texts = folder(files.parent / "texts", [400], table().with_columns(named))
    in_words = model(y=np.where(table()["paid"] == 1, "yes", "no"))
    for _ in range(2):
        assert found(served(path, scoring=None, n_jobs=2).fit(files, "paid"))[1:] == expected[1:]
        again = served(path, in_words, scoring=None).fit(texts, "paid")
        assert again.worst_score_ == served(scoring=None).fit(files, "paid").worst_score_


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_answers_that_cannot_be_are_refused(files, path, asked):
    served(path).fit(files, "paid")
    kept = json.loads(run_sql(path, "SELECT kept FROM parts")[0][0])
    other = {"n": 1}
    for wrong in (
        {"levels": kept["levels"][:1]},
        {"levels": ["no", "yes"]},
        {"dtype": "O,O"},
        {"dtype": "V8"},
        {"shape": [2**40]},
        {"shape": [*kept["shape"], 10**30]},
        {"codes": "bm90IHpsaWI="},
        {"levels": [0, 2**70]},
        {"shape": []},
        {"codes": "eJwDAAAAAAE="},
        {"codes": 3},
        None,
    ):
        other = {} if wrong is None else kept | wrong
        forged(path, json.dumps(other))
        with pytest.raises(ValueError, match=r"damaged.*not of the form in which it is written"):
            served(path).fit(files, "paid")


@pytest.mark.parametrize(
    "answers",
    [
        np.array([0, 1, 1], dtype=np.int8),
        np.array([2**63, 0, 5], dtype=np.uint64),
        np.array([[0.1, -0.0], [np.nan, np.inf], [0.0, 0.1]]),
        np.array([True, False, True]),
        np.array(["yes", "naïve \ud800", ""]),
        np.array(["yes", "no", "no"], dtype=object),
        np.empty((0, 2), dtype=np.float32),
    ],
)
def test_answers_come_back_as_they_were(answers):
    kept = json.loads(json.dumps(_kept_answers.packed(answers)))
    again = _kept_answers.unpacked(kept, len(answers))
    assert again.dtype == answers.dtype
    assert again.shape == answers.shape
    if answers.dtype == object:
        assert again.tolist() == answers.tolist()
    else:
        assert again.tobytes() == answers.tobytes()


@pytest.mark.parametrize(
    "answers",
    [
        np.array([1, "yes"], dtype=object),
        np.array([None, "yes"], dtype=object),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.random.default_rng(0).random(_kept_answers.MOST_LEVELS + 1),
    ],
)
def test_other_answers_are_not_kept(answers):
    assert _kept_answers.packed(answers) is None


def test_only_files_are_known_to_be_the_same(path):
    with pytest.raises(ValueError, match=r"of files alone .* write it to Parquet and pass"):
        served(path).fit(table().to_arrow(), "paid")
    assert not path.exists()


@pytest.mark.usefixtures("few_fits")
@pytest.mark.long
def test_a_journal_tells_fitted_models_apart_in_memory_too(path, asked):
    frame = table().to_pandas()
    X, y = frame.drop(columns="paid"), frame.paid
    # draws are scored one by one, and kept
    given = {"corruption": CorruptNoise("age", pattern="hours >= 0"), "scoring": "roc_auc"}
    given["space"] = SearchSpace(max_conditions=0)
    for each in (LogisticRegression(), LogisticRegression()):
        y = 1 - y
        each.fit(X[["age", "hours"]], y)
        expected = found(served(estimator=each, **given).fit(X[["age", "hours"]], y))
        for _ in range(2):
            again = served(path, each, **given).fit(X[["age", "hours"]], y)
            assert found(again) == expected
