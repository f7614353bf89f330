"""Damaged input of any kind is read or refused, and never run."""

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.security._readers import TARGETS
from skcorrupt.evaluation import Journal
from skcorrupt.evaluation._outcome import Outcome
from skcorrupt.evaluation._result_forms import Forms
from skcorrupt.patterns import Pattern
from skcorrupt.sensitivity import Strategy
from skcorrupt.utils import _reader, document

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_what_is_damaged_is_read_or_refused(name):
    target = TARGETS[name]()
    for sound in target.sound:
        target.read(target.written(sound))

    @settings(max_examples=12)
    @given(st.integers(0, 2**32))
    def damaged(seed):
        try:
            target.read(target.make(random.Random(seed), target.sound))
        except ValueError as refused:
            assert str(refused)

    damaged()


@given(st.text(max_size=60))
def test_any_text_is_a_pattern_or_refused(text):
    try:
        pattern = Pattern.parse(text)
    except ValueError:
        return
    assert Pattern.parse(str(pattern)) == pattern


WATCHED = """
import os, time
from benchmarks.security import fuzz
fuzz.PATIENCE = 1
watch = fuzz.Watch()
def refuse(given):
    raise ValueError
def fail(given):
    raise KeyError
for read in (eval, os.system, refuse, fail, len, lambda given: time.sleep(5)):
    print(watch.outcome(read, "1"))
"""


@pytest.mark.long
def test_the_fuzzer_notices_what_it_looks_for():
    done = subprocess.run(
        [sys.executable, "-c", WATCHED],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    expected = ["executed", "executed", "refused", "other_errors", "read", "hangs"]
    assert done.stdout.split() == expected, done.stderr


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    file = tmp_path / "strategy.json"
    file.write_text('{"corruptions": [{"kind": "missing"}]}', encoding="utf-8")
    Strategy.from_json(file)
    monkeypatch.setattr(_reader, "MOST_BYTES", 20)
    with pytest.raises(ValueError, match="has 38 bytes, more than the 20 that are read"):
        Strategy.from_json(file)


def test_texts_that_claim_to_take_much_memory_are_refused():
    claimed = {"array": {"dtype": "<U500000000", "shape": [1], "values": ["a"]}}
    with pytest.raises(ValueError, match=r"array\.dtype='<U500000000' should be a type of which"):
        Forms().read(document(claimed))


@pytest.mark.parametrize("columns", [0, 1])
def test_an_index_with_more_rows_than_can_be_counted_is_refused(columns):
    index = {"range": [0, 2**63, 1], "name": None}
    arrays = [{"dtype": "<f8", "shape": [1], "values": [0.5]}] * columns
    names = {"range": [0, columns, 1], "name": None}
    frame = {"index": index, "columns": names, "arrays": arrays}
    with pytest.raises(ValueError, match=r"frame\.index\.range: .* too large"):
        Forms().read(document({"frame": frame}))


class TestJournal:
    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "journal.sqlite"
        self.study(path).write("kind", [(b"key", "said", [Outcome(0.5, 1.0, 1.0, 0.1)])])
        return path

    @staticmethod
    def study(path):
        journal = Journal(path)
        journal.seed({"a": "b"}, 3, drawn=False)
        journal.begin(None, [(np.arange(3), np.arange(2))])
        return journal

    @pytest.mark.parametrize(
        "outcomes",
        [
            "[",
            "[" * 100_000,
            "{}",
            "[1]",
            '[{"score": 0.5}]',
            '[{"score": 0.5, "fit_time": 1, "score_time": 1, "row_fraction": 0, "error": "", '
            '"infeasible": false, "estimator": "x"}]',
            '[{"score": "x", "fit_time": 1, "score_time": 1, "row_fraction": 0, "error": "", '
            '"infeasible": false}]',
        ],
        ids=lambda text: text[:25],
    )
    def test_a_forged_row_with_a_digest_of_its_own_is_refused(self, path, outcomes):
        journal = self.study(path)
        assert journal.read("kind")[b"key"][0].score == 0.5
        with journal.transaction() as connection:
            row = (journal._study, "kind", b"key", "said", 0.5, outcomes)
            journal.add(connection, "outcomes", [row])
        with pytest.raises(ValueError, match="is no journal that can be used: it is damaged"):
            journal.read("kind")

    def test_a_file_with_a_trigger_is_no_journal(self, path):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(
                "CREATE TRIGGER lie AFTER INSERT ON outcomes BEGIN DELETE FROM studies; END"
            )
        with pytest.raises(ValueError, match="no journal of this kind"):
            Journal(path)
