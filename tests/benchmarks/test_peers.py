"""The benchmark of peers: without any of them, its checks, its verdicts, its tables."""

import json
import sys
import time
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

from benchmarks import _results
from benchmarks.__main__ import PEERS, main
from benchmarks._results import render
from benchmarks.peers import _common as _peers_common, _growth as _peers_growth, peers
from benchmarks.peers._checks import CHECKS, Injection, checked, struck, table
from benchmarks.peers._common import (
    MARK,
    NOT_INSTALLED,
    described,
    interpreter,
    measured,
    side_by_side,
    tell_children,
)
from benchmarks.peers._fairness import odd_cases, told
from benchmarks.peers._growth import series, slope
from benchmarks.peers._injection import Case, _by, _missing, compared, hit
from benchmarks.peers._recourse import Seen, TookTooLong, judge, limited
from skcorrupt import CorruptLabels, CorruptMissing, CorruptNoise, SelectionBias

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell and SIGPROF")


@pytest.fixture
def nobody(tmp_path, monkeypatch):
    """A folder for results, and no Python that has a peer."""
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path)
    monkeypatch.setattr(_peers_common, "interpreter", lambda peer: None)
    return tmp_path / "peers.json"


def ours(columns, **params):
    def inject(X, y, rate, seed):
        made = CorruptMissing(list(columns), rate=rate, random_state=seed, **params)
        result = made.fit(X, y).corrupt(X, y)
        return result.X, result.y

    return inject


def failed(injection):
    return {name for name, (holds, _) in checked(injection).items() if holds is False}


def test_a_peer_that_is_not_installed_has_a_row_that_says_so(nobody):
    peers.run(sections=["injection", "fairness"])
    sections = json.loads(nobody.read_text())["sections"]
    assert sections["injection"] == [
        {"peer": name, "version": NOT_INSTALLED} for name in peers.PEERS["injection"]
    ]
    assert sections["fairness"] == [{"peer": "fairlearn", "version": NOT_INSTALLED}]
    assert "labels" not in sections


def test_a_search_that_fails_is_shown_and_gone_when_it_runs_again(nobody, monkeypatch):
    def broken(topic, peer, quick):
        row = {"peer": peer, "version": "installed", "said": "failed"}
        yield _peers_common.TABLES[topic][0], row

    monkeypatch.setattr(peers, "measured", broken)
    peers.run(sections=["search"])
    tables = peers.tables(json.loads(nobody.read_text()))
    assert "| failed |" in tables["peers-search-asks"]
    monkeypatch.setattr(peers, "measured", measured)
    peers.run(sections=["search"])
    sections = json.loads(nobody.read_text())["sections"]
    assert sections["search-asks"] == [{"peer": "optuna", "version": NOT_INSTALLED}]


@pytest.mark.parametrize("topic", [topic for topic in peers.TABLES if topic != "growth"])
def test_what_is_said_of_a_whole_peer_goes_into_a_table_of_its_topic(topic, monkeypatch):
    monkeypatch.setattr(_peers_common, "interpreter", lambda peer: None)
    ((section, row),) = measured(topic, "nothing", True)
    assert section == peers.TABLES[topic][0]
    assert set(row) <= set(peers.COLUMNS[section])
    assert "said" in peers.COLUMNS[section]


def test_no_saved_row_is_without_a_table():
    saved = _results.saved("peers")
    assert set(saved["sections"]) <= set(peers.COLUMNS)


def test_the_command_takes_sections_and_they_are_rendered(nobody, tmp_path):
    assert main(["peers", "recourse"]) == 0
    tables = peers.tables(json.loads(nobody.read_text()))
    page = tmp_path / "performance.md"
    page.write_text("\n".join(f"<!-- table: {name} -->\n<!-- end -->" for name in tables))
    render(tables, page)
    assert "| dice-ml | not installed | – |" in page.read_text()
    with pytest.raises(ValueError, match=r"performance\.md has no mark"):
        render({"another": "| A |"}, page)


def test_the_page_has_a_mark_for_every_table():
    text = _results.page_of("peers").read_text(encoding="utf-8")
    for name in peers.tables({"benchmark": "peers", "sections": {}}):
        assert f"<!-- table: {name} -->" in text


def test_sections_are_the_same_for_the_command():
    assert list(PEERS) == list(peers.TABLES)
    with pytest.raises(ValueError, match="colour"):
        peers.run(sections=["colour"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["peers", "savage"], "some of injection, search"),
        (["replicate", "growth"], "some of savage, esp"),
        (["adult", "growth"], "nothing but its options"),
    ],
)
def test_parts_that_a_benchmark_does_not_have_are_refused(arguments, message, capsys):
    with pytest.raises(SystemExit):
        main(arguments)
    assert message in capsys.readouterr().err


def test_an_interpreter_is_found_by_what_it_has_installed(monkeypatch):
    monkeypatch.delenv(_peers_common.VARIABLE, raising=False)
    interpreter.cache_clear()
    assert interpreter("numpy") == sys.executable
    assert interpreter("no-such-distribution") is None


@not_on_windows
def test_rows_come_from_a_process_and_its_failure_is_a_row(tmp_path, monkeypatch):
    good = tmp_path / "good"
    good.write_text(f'#!/bin/sh\necho chatter\necho \'{MARK}["labels", {{"ratio": 2.0}}]\'\n')
    bad = tmp_path / "bad"
    bad.write_text("#!/bin/sh\necho 'ImportError: no torch' >&2\nexit 1\n")
    for program in (good, bad):
        program.chmod(0o755)
    monkeypatch.setattr(_peers_common, "interpreter", lambda peer: str(good))
    assert list(measured("labels", "crowd-kit", True)) == [("labels", {"ratio": 2.0})]
    monkeypatch.setattr(_peers_common, "interpreter", lambda peer: str(bad))
    ((section, row),) = measured("labels", "crowd-kit", True)
    assert section == "labels"
    assert row["said"] == "failed: ImportError: no torch"


def test_a_version_says_what_it_needs_where_this_is_not_what_is_here(monkeypatch):
    tell_children()
    assert described("no-such-distribution") == NOT_INSTALLED
    assert "needs" not in described("scikit-learn")
    monkeypatch.setenv(f"{_peers_common.VARIABLE}_PARENT", json.dumps({"numpy": "0.1"}))
    assert "(needs numpy" in described("scikit-learn")


def test_times_are_medians_and_a_raising_peer_is_quoted():
    row = side_by_side(lambda: None, lambda: sum(range(200_000)), 3)
    assert row["ratio"] > 1
    assert row["turns"] == 3

    def broken():
        raise TypeError("no text\n  please")

    row = side_by_side(lambda: None, broken, 3)
    assert row["theirs"] is None
    assert row["said"] == "TypeError: no text please"


@pytest.mark.parametrize(
    ("corruption", "scope", "columns"),
    [
        (_by(CorruptNoise), "cells", ("c0",)),
        (_missing, "cells", ("c0", "c1", "c2")),
        (lambda columns, **params: CorruptLabels(**params), "labels", ()),
        (lambda columns, **params: SelectionBias(**params), "drop", ()),
    ],
)
def test_ours_keeps_all_and_is_judged_like_a_peer(corruption, scope, columns):
    on = {0: "", 1: "one", 3: "all"}[len(columns)]
    label = "y == 1" if scope == "drop" else None

    def theirs(columns):
        return lambda X, y, rate, seed: (X, y)

    row = compared(Case("error", "call", corruption, theirs, scope, on, label))
    assert (row["ours_kept"], row["ours_failed"]) == (len(CHECKS), 0)
    # what changes nothing has the wrong rate; all else is kept
    assert [text.split(":")[0] for text in row["theirs_said"]] == ["rate"]
    assert row["theirs_missing"] == ["pattern", "new rows"]


def test_what_a_peer_does_wrong_is_found():
    def global_state(X, y, rate, seed):
        np.random.seed(seed)  # noqa: NPY002
        struck_rows = np.random.choice(len(X), round(rate * len(X)), replace=False)  # noqa: NPY002
        X = X.copy()
        X.iloc[struck_rows, 0] = np.nan
        return X, y

    assert failed(Injection("cells", ("c0",), global_state)) == {"global state"}

    def in_place(X, y, rate, seed):
        X.iloc[: round(rate * len(X)), 0] = np.nan
        return X, y

    assert "input" in failed(Injection("cells", ("c0",), in_place))

    def by_label(X, y, rate, seed):
        rows = np.random.default_rng(seed).choice(X.index, round(rate * len(X)), replace=False)
        X = X.copy()
        X.loc[rows, "c0"] = np.nan
        return X.rename(columns={"c2": "other"}), y

    found = failed(Injection("cells", ("c0",), by_label))
    assert {"index", "nothing else"} <= found

    def unseeded(X, y, rate, seed):
        return ours(["c0"])(X, y, rate, None)

    assert {"seed", "seed 0"} <= failed(Injection("cells", ("c0",), unseeded))
    answers = checked(Injection("cells", ("c0",), unseeded, seeded=False))
    assert answers["seed"] == (None, "takes no seed")


def test_rows_are_counted_by_what_became_of_them():
    X, y = table()
    out = pd.concat([X, X.iloc[[0, 0, 5]]])
    n = struck(Injection("copy", (), None), X, y, (out, y))
    assert n[0] == 2
    assert n.sum() == 3
    assert struck(Injection("drop", (), None), X, y, (X.iloc[3:], y)).sum() == 3


def test_columns_are_those_that_the_table_has():
    X, _ = table()
    case = Case("typos", "Typo", _missing, None, on="word")
    assert list(hit(case, X)) == []
    assert list(hit(case, X.assign(word="a"))) == [("word",)]


class Rich:
    """Likes those whose savings exist."""

    def predict(self, X):
        return X["savings"].to_numpy().astype(int)


def test_points_are_held_against_all_that_can_be_reached():
    reach = pd.DataFrame({"Age": [30, 31, 30], "years": [0, 1, 0], "savings": [0, 0, 1]})
    seen = Seen()
    offers = pd.DataFrame({"Age": [30, 30, 30], "years": [0, 1, 2], "savings": [1, 0, 1]})
    judge(seen, Rich(), offers.astype(float), reach)
    assert seen.points == 3
    assert seen.counts["breaks a rule"] == 1
    assert seen.counts["age left behind"] == 1
    # of the two that can be reached one is still denied
    assert seen.counts["does not hold"] == 1
    assert seen.counts["way not found"] == 0
    judge(seen, Rich(), offers.iloc[:0], reach)
    assert seen.counts["way not found"] == seen.counts["nothing, though there is a way"] == 1
    judge(seen, Rich(), offers.iloc[:1], reach.iloc[:2])
    assert seen.counts["promised without a way"] == 1


@not_on_windows
def test_a_search_without_end_is_given_up():
    with pytest.raises(TookTooLong, match=r"0\.05 s"), limited(0.05):
        until = time.monotonic() + 20
        while time.monotonic() < until:
            # what a peer would catch is not what ends it
            with suppress(Exception):
                sum(range(1000))


def test_what_is_said_of_odd_data_is_a_number_a_warning_or_a_message():
    def first(y, p, s):
        return float(p[0])

    def raising(y, p, s):
        raise ValueError("no groups")

    three = odd_cases()["three groups"]
    assert told(first, three) == "1.000"
    assert told(raising, three) == "ValueError: no groups"


def test_exponents_are_those_of_the_logarithms():
    assert slope([10, 100, 1000], [0.2, 2.0, 20.0]) == pytest.approx(1)
    assert slope([2, 4, 8], [3, 12, 48]) == pytest.approx(2)
    row = series("a", "b", "c", (1, 2), lambda n: lambda: sum(range(100_000 * n)) and None)
    assert [size for size, _ in row["sizes"]] == [1, 2]
    assert row["n_fits"] is None
    row = series("a", "b", "c", (1, 2), lambda n: lambda: 3 * n)
    assert row["n_fits"] == [3, 6]


@pytest.mark.parametrize("part", ["corruptions", "curation", "responsiveness", "ablator"])
def test_every_series_can_be_run_at_a_small_size(part):
    for _, _, _, sizes, prepare in getattr(_peers_growth, part)():
        assert list(sizes) == sorted(sizes)
        # the least size alone, and only where it is small
        if sizes[0] <= 100:
            prepare(sizes[0])()


def test_growth_is_shown_in_words():
    row = {
        "system": "search",
        "what": "rows",
        "sizes": [[1000, 0.5], [2000, 1.0]],
        "n_fits": [3, 3],
        "slope": 1.0,
        "end": 1.0,
    }
    content = {"benchmark": "peers", "sections": {"growth": [row]}}
    shown = peers.tables(content)["peers-growth"]
    assert "1,000: 0.500; 2,000: 1.000 | 3, 3 | 1.000 | 1.000 | 2.0 times as long" in shown


def test_the_summary_counts_both_ways():
    rows = [{"peer": "p", "version": "1", "ratio": ratio} for ratio in (0.5, 2.0, 8.0, None)]
    (row,) = peers.summary({"labels": rows})
    assert (row["won"], row["lost"], row["cases"]) == (2, 1, 4)
    assert (row["median"], row["least"]) == (2.0, 0.5)


def test_models_that_only_the_peer_has_are_no_case():
    names = ("MajorityVote", "DawidSkene", "GLAD", "MACE")
    rows = [{"peer": "p", "version": "1", "model": name, "ratio": 3.0} for name in names]
    (row,) = peers.summary({"labels": rows})
    assert (row["cases"], row["won"]) == (2, 2)


def test_all_rivals_are_shown_random_candidates_too(nobody, tmp_path):
    names = ("random", "tpe", "gp", "forest")
    row = {"ours": 0.5} | {f"{name}_{way}": 0.6 for name in names for way in ("fits", "time")}
    (tmp_path / "search.json").write_text(json.dumps({"sections": {"rivals-once": [row]}}))
    found = peers.tables({"benchmark": "peers", "sections": {}})["peers-rivals"]
    assert found.count("| equal fits |") == found.count("| equal time |") == 4
    assert "| random |" in found


def test_tables_of_other_benchmarks_are_taken_from_what_they_saved(nobody, tmp_path):
    speed = {"votes": "v", "model": "generative", "ours": 1.0, "snorkel": 5.0, "ratio": 5.0}
    (tmp_path / "curation.json").write_text(json.dumps({"sections": {"speed": [speed]}}))
    found = peers.tables({"benchmark": "peers", "sections": {}})
    assert "| v | generative | 1.000 | 5.000 | 5.000 |" in found["peers-snorkel"]
    assert found["peers-rivals"].count("\n") == 1
