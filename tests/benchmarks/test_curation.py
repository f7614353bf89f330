"""The curation benchmark: its data, its simulated votes, and its verdicts."""

from collections import Counter

import numpy as np
import pytest

from benchmarks import _results
from benchmarks.replication._rows import Saved
from benchmarks.replication.curation import _judged, curation
from benchmarks.replication.curation._coverage import coverage_rows
from benchmarks.replication.curation._rho import rho_row


def test_sizes_of_the_data(data_dir):
    L, y, L_more, texts = curation.load_spam()
    assert L.shape == (370, 10) and L_more.shape == (1586, 10) and len(y) == len(texts) == 370
    L, y, L_more = curation.load_openi()
    assert L.shape == (754, 18) and L_more.shape == (2630, 18) and set(y) == {0, 1}
    L, y, L_more = curation.load_crowd(0)
    assert len(L) == len(y) == 100 and len(L_more) == 187
    assert len(curation.load_crowd(0, sure=False)[2]) > 187


@pytest.mark.parametrize("one_sided", [False, True])
def test_simulated_votes(one_sided):
    L, y = curation.simulated(4000, 6, 0, 3, 0.5, one_sided)
    assert set(np.unique(L)) == {-1, 0, 1, 2} and np.mean(y == 0) == pytest.approx(0.5, abs=0.03)
    for j in range(6):
        voted = L[:, j] >= 0
        assert 0.5 < np.mean(L[voted, j] == y[voted]) < 1
        assert not one_sided or set(L[voted, j]) == {j % 3}


@pytest.mark.parametrize(
    ("mean", "verdict"),
    [
        (-0.9, "reproduced"),
        (-0.87, "undecided"),
        (-0.5, "not reproduced"),
        (-0.99, "steeper, unexplained"),
        (0.9, "not reproduced"),
        (None, "not reproduced"),
    ],
)
def test_a_correlation_is_judged_by_the_interval_of_its_mean(mean, verdict):
    row = {"mean": mean, "std": 0.02, "splits": 20, "undefined": 0, "permuted": 0.01}
    assert rho_row("x", "-0.900", row).verdict == verdict
    page = row | {"data": "spam", "labeler": "Snorkel", "printed": -0.9}
    assert curation._verdict(page) == verdict
    assert curation._verdict(page | {"data": "spam, other labels"}) is None
    assert curation._verdict(page | {"labeler": "Snorkel, more epochs"}) is None


def test_its_page_has_the_verdicts_of_the_replication():
    page = curation.tables(_results.saved("curation"))["curation-table"]
    shown = Counter(line.split(" | ")[-1].removesuffix(" |") for line in page.splitlines()[2:])
    rows = [row for row in _judged.rows(Saved()) if ": rho" in row.what]
    public = [row for row in rows if row.source == "curation: table"]
    counts = Counter()
    for row in public:
        counts[row.verdict] += len(row.printed)
    shown.pop("–")
    assert shown == counts


def test_orders_and_bounds_of_nothing_and_of_something():
    row = curation.null_row(5, True, 40)
    assert row["printed"] < 0.5 and row["permuted"] <= 0.1
    once, copied = (
        {r["successes"]: r for r in coverage_rows(2, 300, False, n, 1)} for n in (1, 20)
    )
    assert once["confidence"]["covered"] > 0.95 > copied["confidence"]["covered"]
    # what is counted is no surer than the votes are
    assert once["agreement"]["below"] <= 0.025
