"""The recidivism template: the made-up people, what they can do, and the tables of the audit."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.replication.responsiveness import recidivism
from benchmarks.replication.responsiveness._recidivism import (
    ARRESTS,
    HISTORY,
    age_bins,
    age_groups,
    recidivism_actions,
    synthetic_cohort,
)
from skcorrupt.responsiveness import ReachableSampler

ALL_RECORDS = [*ARRESTS, "no_prior_arrests", *HISTORY]


@pytest.fixture(scope="module")
def cohort():
    return synthetic_cohort(600, random_state=3)


def test_people_are_consistent(cohort):
    X, y, race = cohort
    assert X.shape == (600, 20)
    pd.testing.assert_frame_equal(X, synthetic_cohort(600, random_state=3)[0])
    assert (X[["prior_arrests=1", "prior_arrests>=2", "no_prior_arrests"]].sum(axis=1) == 1).all()
    assert (X["prior_arrests>=5"] <= X["prior_arrests>=2"]).all()
    for less, more in ((2, 1), (5, 2)):
        unit = "year" if more == 1 else "years"
        assert (X[f"time_served>{less}_years"] <= X[f"time_served>{more}_{unit}"]).all()
    served = X["time_served<=1_year"] + X["time_served>1_year"]
    assert (served == 1 - X["no_prior_arrests"]).all()
    assert (X.loc[X["no_prior_arrests"] == 1, list(HISTORY)] == 0).all(axis=None)
    for name in ("drug", "alcohol"):
        assert (X[f"{name}_treatment"] <= X[f"{name}_abuser"]).all()
    assert 0.4 < y.mean() < 0.6
    assert set(race) == {"white", "non-white"}


@pytest.mark.parametrize("linkages", [True, False])
@pytest.mark.parametrize("reachability", [True, False])
def test_everybody_keeps_the_rules(cohort, linkages, reachability):
    actions = recidivism_actions(cohort[0], linkages=linkages, reachability=reachability)
    assert actions.validate(cohort[0]).empty


def test_a_record_is_cleared_as_a_whole(cohort):
    X, _, _ = cohort
    person = X.loc[[X.index[X["prior_arrests>=5"] == 1][0]]]
    points = ReachableSampler(recidivism_actions(X)).enumerate(person)
    records = points[ALL_RECORDS].drop_duplicates().reset_index(drop=True)
    assert len(records) == 2
    kept = (points[ALL_RECORDS] == person[ALL_RECORDS].iloc[0]).all(axis=1)
    cleared = points.loc[~kept, ALL_RECORDS]
    assert (cleared["no_prior_arrests"] == 1).all()
    assert (cleared.drop(columns="no_prior_arrests") == 0).all(axis=None)
    assert len(cleared) == kept.sum()


def test_only_those_who_abuse_are_treated(cohort):
    X, _, _ = cohort
    sampler = ReachableSampler(recidivism_actions(X))
    for abuses in (0, 1):
        person = X[(X["drug_abuser"] == abuses) & (X["drug_treatment"] == 0)].iloc[[0]]
        points = sampler.enumerate(person)
        assert (points["drug_abuser"] == abuses).all()
        assert points["drug_treatment"].max() == abuses


def test_without_rules_nothing_follows(cohort):
    X, _, _ = cohort
    person = X.loc[[X.index[X["prior_arrests>=5"] == 1][0]]]
    actions = recidivism_actions(X, linkages=False, reachability=False)
    points = ReachableSampler(actions).enumerate(person)
    follow = [*HISTORY, "no_prior_arrests"]
    assert (points[follow] == person[follow].iloc[0]).all(axis=None)
    assert points["prior_arrests>=5"].nunique() == 2


def test_ages_fall_into_bins_and_groups():
    X = pd.DataFrame({"age_at_release": [17.3, 19.0, 29.9, 30.0, 83.9]})
    assert age_bins(X).argmax(axis=1).tolist() == [1, 2, 4, 5, 8]
    assert (age_bins(X).sum(axis=1) == 1).all()
    assert age_groups(X).tolist() == ["up to 18", "19–29", "19–29", "30 and over", "30 and over"]


def test_shares_agree_with_the_audit(cohort):
    X, y, race = cohort
    model = recidivism.fitted(X, y)
    auditor = recidivism.audited(model, recidivism_actions(X), X)
    rows = recidivism.shares(auditor, race.to_numpy() + ", " + age_groups(X))
    assert sum(row["predicted"] for row in rows) == (model.predict(X) == 1).sum()
    assert sum(row["fixed"] * row["predicted"] for row in rows) == pytest.approx(
        (auditor.results_["hits"] == 0).sum()
    )
    for row in rows:
        assert row["exact"]
        assert row["idle"] <= row["fixed"] <= row["below"] <= 1
        assert row["interval"][0] <= row["fixed"] <= row["interval"][1]


def test_twenty_points_can_claim_nothing():
    people = pd.DataFrame({"responsiveness": [0.0, 0.0, 1 / 32, 0.25, 0.5], "n": [1, 8, 32, 8, 4]})
    rows = {row["n"]: row for row in recidivism.sample_sizes(people, 50)}
    assert list(rows) == [20, 28, 29, 203, "all 1 to 32"]
    assert rows[20]["bound"] == pytest.approx(1 - 0.05 ** (1 / 20))
    assert rows[20]["bound"] == pytest.approx(0.139, abs=5e-4)
    assert not rows[20]["informative"] and rows[20]["recall"] == 0
    assert rows[20]["verdict"] == "refuted"
    assert rows[29]["informative"] and rows[29]["recall"] > 0.6
    assert rows[20]["overlooked"] > rows[203]["overlooked"]


@pytest.mark.parametrize(("n", "taken"), [(20, False), (28, False), (29, True)])
def test_the_auditor_takes_informative_sizes_only(cohort, n, taken):
    X, y, _ = cohort
    model = recidivism.fitted(X, y)
    assert recidivism.accepted(model, recidivism_actions(X), X[:20], n) is taken


def test_columns_can_be_left_out(cohort):
    X, y, _ = cohort
    for settings in recidivism.ABLATIONS.values():
        kept = X.drop(columns=settings.get("columns", []))
        model = recidivism.fitted(kept, y)
        assert np.isfinite(recidivism.auc(model, kept, y))
        assert recidivism_actions(kept).validate(kept).empty
