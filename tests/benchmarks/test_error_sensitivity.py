"""The studies of error sensitivity: their scenarios, and the rules by which claims are judged."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control

from benchmarks import _results
from benchmarks.replication._rows import Saved
from benchmarks.replication.esp import _judged, error_sensitivity
from benchmarks.replication.esp._claims import (
    GAINS,
    METRICS,
    PAIRED,
    SGD,
    SHARE,
    TOOL,
    adjusted,
    claim_verdict,
    claims,
    with_first_baseline,
)
from benchmarks.replication.esp._studies import (
    LEVELS,
    UNSCALED,
    correlated_pairs,
    load_online_shoppers,
    load_south_german_credit,
    models,
    paper_errors,
    seconds_in,
)
from skcorrupt.sensitivity import ErrorSensitivityProfiler


@pytest.fixture
def small():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    X["d"] = X["a"] + 0.1 * rng.normal(size=80)
    return X, pd.Series((X["b"] + rng.normal(size=80) > 0).astype(int))


@pytest.mark.parametrize(
    ("load", "shape", "pearson", "n"),
    [
        (load_online_shoppers, (12_330, 17), 0.8, 41),
        (load_south_german_credit, (1000, 20), 0.6, 45),
    ],
)
def test_scenarios_are_those_that_the_paper_lists(data_dir, load, shape, pearson, n):
    X, y = load()
    assert X.shape == shape and set(y) == {0, 1}
    assert len(paper_errors(X, int(y.mode()[0]), pearson)) == n


def test_pairs_and_errors(small):
    X, _ = small
    assert correlated_pairs(X, 0.8) == [("a", "d")]
    errors = paper_errors(X, 1, 0.8)
    assert len(errors) == 2 * 5 + 3 and errors["noise in a + d"].columns == ["a", "d"]
    assert str(errors["duplicates of class 1"].pattern) == "{'y': 1}"


def test_models_write_down_their_time(small, tmp_path):
    timed = models(tmp_path)["ridge"]
    timed.fit(*small).predict(small[0])
    timed.predict(small[0])
    assert len(seconds_in(tmp_path)) == 2 and (seconds_in(tmp_path) > 0).all()
    assert UNSCALED in models() and len(models()) == 9


@pytest.mark.slow
def test_a_reused_baseline_and_claims(small):
    X, y = small
    profiler = ErrorSensitivityProfiler(
        models()["naive Bayes"],
        corruptions=paper_errors(X, int(y.mode()[0]), 0.8),
        strategy="custom",
        levels=LEVELS,
        n_repeats=4,
        random_state=0,
    ).fit(X, y)
    reused = with_first_baseline(profiler.curves_)
    scores = profiler.curves_.pivot_table(
        index=["corruption", "repeat"], columns="level", values="score"
    )
    for row in reused.to_dict("records"):
        runs = scores.loc[row["corruption"]].to_numpy()
        base = runs[0, 0]
        gaps = [np.trapezoid([0, *(run[1:] - base)], LEVELS) / 0.8 / base for run in runs]
        assert row["aepc"] == pytest.approx(np.mean(gaps))
    again = adjusted(profiler.profiles_)
    by_hand = false_discovery_control(profiler.profiles_["p_wilcoxon"].fillna(1.0), method="by")
    np.testing.assert_allclose(again["p_adjusted"].fillna(1.0), by_hand)
    marked = again.assign(significant=[True, True, *[False] * 11], aepc=[0.1, -0.1, *[0.0] * 11])
    row = claims("small", "F1", "ours", marked)
    assert (row["significant"], row["positive"], row["profiles"]) == (2, 0.5, 13)
    assert row["most_sensitive"] == "Pipeline (2 of 2)"
    assert claims("small", "F1", "ours", marked.assign(significant=False))["positive"] is None


@pytest.mark.parametrize(
    ("claim", "paired", "tool", "metric", "verdict"),
    [
        (SHARE, 0.07, 0.2, 0, "part of"),
        (SHARE, 0.02, 0.09, 0, "refuted"),
        # the paper's F1 is another one
        (SHARE, 0.02, 0.09, 1, "not reproduced"),
        (SHARE, 0.02, 0.2, 0, "not reproduced"),
        (GAINS, None, 0.85, 0, "refuted"),
        (SGD, "LDA (2 of 3)", "SGD (2 of 3)", 0, "refuted"),
    ],
)
def test_a_claim_falls_where_only_the_published_way_brings_it_back(
    claim, paired, tool, metric, verdict
):
    key = {SHARE: "share", GAINS: "positive", SGD: "most_sensitive"}[claim]
    found = {PAIRED: {key: paired}, TOOL: {key: tool}}
    given = claim_verdict("south german credit", METRICS[metric], claim, found)
    assert given["verdict"] == verdict


def test_claims_are_judged_as_the_replication_has_them():
    shown = error_sensitivity.tables(_results.saved("error-sensitivity"))
    rows = [row for row in _judged.rows(Saved()) if row.source == _judged.CLAIMS]
    for row in rows:
        data, _, claim = row.what.partition(", ")
        metric, _, claim = claim.partition(": ")
        assert (
            f"| {data} | {claim} ({metric}) | {row.printed[0]} | {row.ours} |"
            in (shown["error-sensitivity-judged"])
        )
        assert f"| {row.verdict} |" in shown["error-sensitivity-judged"]
    assert len(rows) == 12


def test_cost_is_judged():
    row = {"data": "online shoppers, F1", "minutes": 41.0, "ratio": 1.05, "scenarios": 41}
    facts = error_sensitivity.cost_facts([row, row | {"ratio": 1.2, "scenarios": 8}])
    assert [fact["verdict"] for fact in facts] == ["missed", "met", "missed"]
    assert error_sensitivity.pair_verdict(
        pd.DataFrame({"a": [1, 2, 4], "b": [1, 3, 2]}), 1, 0.2
    ) == ("misprint: the largest is 0.33; here those above 0.2 are taken, 1")
