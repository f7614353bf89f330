"""The FICO study on made-up applicants: special values, actions, effects and tables."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import _results
from benchmarks._data import DataNotFoundError
from benchmarks.studies import fico
from benchmarks.studies._fico import (
    ACTIONABLE,
    MONTHS,
    NEEDED,
    OPTIONAL,
    WAIT,
    WITH_BALANCE,
    alike,
    fico_actions,
    read_fico,
)
from skcorrupt.responsiveness import ReachableSampler

INQUIRY, DELINQUENCY = "MSinceMostRecentInqexcl7days", "MSinceMostRecentDelq"
BURDEN, BALANCES = "NetFractionRevolvingBurden", "NumRevolvingTradesWBalance"


def raw_applicants(n=300):
    rng = np.random.default_rng(0)
    opened = rng.integers(0, 25, n)
    inquiries, balances = rng.integers(0, 3, n), rng.integers(0, 4, n)
    burden = np.where(balances > 0, rng.integers(1, 90, n), 0)
    table = pd.DataFrame(
        {
            "RiskPerformance": (burden + 8 * inquiries + rng.normal(0, 10, n) < 30).astype(int),
            "ExternalRiskEstimate": rng.integers(50, 90, n),
            WAIT: rng.integers(60, 300, n),
            "MSinceMostRecentTradeOpen": opened,
            "AverageMInFile": rng.integers(20, 120, n),
            DELINQUENCY: np.where(rng.random(n) < 0.5, -7, rng.integers(0, 84, n)),
            INQUIRY: np.where(rng.random(n) < 0.2, -8, rng.integers(0, 25, n)),
            "NumTradesOpeninLast12M": np.where(opened >= 12, 0, rng.integers(1, 3, n)),
            "NumInqLast6M": inquiries,
            "NumInqLast6Mexcl7days": np.minimum(inquiries, 1),
            BURDEN: burden,
            "NetFractionInstallBurden": np.where(rng.random(n) < 0.3, -8, rng.integers(0, 100, n)),
            BALANCES: balances,
            "NumInstallTradesWBalance": rng.integers(0, 4, n),
            "NumBank2NatlTradesWHighUtilization": np.minimum(balances, rng.integers(0, 3, n)),
            WITH_BALANCE: rng.integers(0, 101, n),
        }
    )
    table.loc[:2, table.columns != "RiskPerformance"] = -9
    table.loc[3, WITH_BALANCE] = -8
    return table


@pytest.fixture(scope="module")
def applicants(tmp_path_factory):
    path = tmp_path_factory.mktemp("fico") / "fico.csv"
    raw_applicants().to_csv(path, index=False)
    return read_fico(path)


def points_of(X, person, n=400, only=ACTIONABLE):
    known = [name for name in (DELINQUENCY, INQUIRY) if person[name].notna().all()]
    actions = fico_actions(X, known, only)
    return ReachableSampler(actions).sample(person, n, random_state=0)


def test_special_values_are_missing_and_people_without_a_record_left_out(applicants):
    X, y = applicants
    assert len(X) == len(y) == 297
    assert X.min().min() >= 0
    assert X[DELINQUENCY].isna().any()
    assert X.index.equals(y.index)


def test_a_folder_without_the_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    with pytest.raises(DataNotFoundError, match="fico_data"):
        fico.load_fico()


def test_people_are_parted_by_what_is_known_of_them(applicants):
    X, _ = applicants
    parts = list(alike(X))
    assert sum(len(people) for people, _ in parts) == X[list(NEEDED)].notna().all(axis=1).sum()
    for people, known in parts:
        assert people[known].notna().all(axis=None)
        assert fico_actions(X, known).validate(people).empty


def test_waiting_makes_things_older_and_lets_others_lapse(applicants):
    X, _ = applicants
    person = X[(X["NumInqLast6M"] == 2) & X[DELINQUENCY].between(1, 60) & (X[BURDEN] > 5)].iloc[[0]]
    before, points = person.iloc[0], points_of(X, person)
    waited = points[WAIT] - before[WAIT]
    assert waited.between(0, MONTHS).all()
    for name in ("AverageMInFile", "MSinceMostRecentTradeOpen", DELINQUENCY):
        assert (points[name] - before[name] == waited).all()
    assert (points.loc[waited >= 6, "NumInqLast6M"] == 0).all()
    assert (points.loc[waited == 0, "NumInqLast6M"] == 2).all()
    old = points["MSinceMostRecentTradeOpen"] >= 12
    assert (old == (points["NumTradesOpeninLast12M"] == 0)).all()


def test_debt_is_paid_off_together(applicants):
    X, _ = applicants
    person = X[(X[BALANCES] == 3) & (X[BURDEN] > 5)].iloc[[0]]
    before, points = person.iloc[0], points_of(X, person)
    paid = before[BALANCES] - points[BALANCES]
    assert set(paid) == {0, 1, 2, 3}
    assert (before[BURDEN] - points[BURDEN] >= paid).all()
    assert (points.loc[paid == 3, BURDEN] == 0).all()
    balances = before[BALANCES] + before["NumInstallTradesWBalance"]
    expected = before[WITH_BALANCE] * (1 - paid / balances)
    assert (abs(points[WITH_BALANCE] - expected) <= 0.5 + 1e-9).all()


def test_nothing_moves_by_a_rule_alone(applicants):
    X, _ = applicants
    person = X[(X["NumInqLast6M"] == 2) & (X[BURDEN] > 5)].iloc[[0]]
    points = points_of(X, person, 50, only=("NumInqLast6M",))
    pd.testing.assert_frame_equal(
        points.drop_duplicates().reset_index(drop=True), person.reset_index(drop=True)
    )


@pytest.mark.slow
def test_a_study_gives_sane_tables(applicants, tmp_path, monkeypatch):
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path)
    results = _results.Results("fico", quick=True)
    X, y = applicants
    known = X[list(OPTIONAL)].notna().all(axis=1)
    fico.study(X[known], y[known], results)
    for row in results.rows("audit"):
        shares = [row[name] for name in ("responsive", "precluded", "below", "undecided")]
        assert sum(shares) == pytest.approx(1.0)
        assert 0 < row["audited"] <= row["denied"]
    ways = pd.DataFrame(results.rows("ways"))
    assert set(ways["what"]) == {*ACTIONABLE, *fico.BUNDLES}
    assert (ways["has_way"] <= ways["can_act"]).all()
    together = ways.set_index(["model", "what"])["has_way"].unstack()
    assert (together["revolving debt"] >= together[BURDEN]).all()
    tables = fico.tables(results.content)
    assert tables["fico-audit"].count("\n") == 3
    assert tables["fico-ways"].count("\n") == len(ACTIONABLE) + len(fico.BUNDLES) + 1


def test_the_real_applicants_keep_the_rules(data_dir):
    if not (data_dir / "fico").is_dir():
        pytest.skip("the folder of real data sets has no fico")
    X, y = fico.load_fico()
    assert X.shape == (9871, 23)
    assert y.sum() == 4735
    for people, known in alike(X):
        assert fico_actions(X, known).validate(people).empty
