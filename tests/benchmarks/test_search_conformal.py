"""Tables 7 and 8: every printed figure has a found one and a verdict on it."""

import numpy as np
import pytest

from benchmarks._results import markdown_table
from benchmarks.search import conformal as search_conformal

pytestmark = [pytest.mark.usefixtures("few_fits"), pytest.mark.slow]


@pytest.fixture(scope="module")
def run():
    return search_conformal.of_split(0.2, "split", 0)


@pytest.mark.slow
def test_a_search_on_one_split(run):
    assert run["found"] < run["clean"]
    assert 0 < run["row_fraction"] <= search_conformal.BUDGET
    assert 0.5 < run["new_worst"] <= 1


def test_a_row_for_each_printed_figure(run, monkeypatch):
    asked = []

    def same(*given):
        asked.append(given)
        return run

    monkeypatch.setattr(search_conformal, "of_split", same)
    rows = search_conformal.rows(quick=True)
    keys = [(row["table"], round(1 - row["target"], 2), row["method"]) for row in rows]
    assert keys == list(search_conformal.PRINTED)
    assert asked == [(*key[1:], seed) for key in keys for seed in (0, 1)]
    for row in rows:
        assert row.keys() == search_conformal.COLUMNS.keys()
        # two runs that agree leave no doubt
        assert row["new_drop_interval"] == pytest.approx([run["new_clean"] - run["new_worst"]] * 2)
    assert markdown_table(rows, search_conformal.COLUMNS).count("\n") == 5


@pytest.mark.parametrize(
    ("found", "low", "expected"),
    [
        (0.892, 0.01, ("reached", "lower")),
        (0.893, 0.01, ("reached within the printed spread", "lower")),
        (0.912, -0.01, ("reached within the printed spread", "perhaps no lower")),
        (0.913, np.nan, ("not reached", "perhaps no lower")),
    ],
)
def test_verdicts(found, low, expected):
    reached, lower = expected
    verdict = search_conformal._verdict(found, 0.89, 0.022, low)
    assert verdict == f"{reached}; on new rows {lower} than clean"
