"""The transplant study: the score on small made-up tables, the patients, what happens to them."""

import numpy as np
import pandas as pd
import pytest

from benchmarks._data import DataNotFoundError
from benchmarks.replication.responsiveness import transplant
from benchmarks.replication.responsiveness._transplant import (
    COVARIANCE,
    LIVER,
    cancer_actions,
    exogenous_values,
    liver_parameters,
    simulated_cohort,
)
from benchmarks.replication.responsiveness._transplant_score import (
    FEATURES,
    PARTS,
    TransplantBenefitScore,
    default_cases,
    load_coefficients,
)
from skcorrupt.responsiveness import ReachableSampler

MODELS = ("m1", "m2")
KINDS = ("cancer", "noncancer")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder with five of the terms and four days."""
    (tmp_path / "transplant").mkdir()
    betas = pd.DataFrame(
        {
            "parameter": [
                "RAGE - MEAN(RAGE)",
                "RAGE SQUARED - MEAN(RAGE SQUARED)",
                "LN(RBILIRUBIN)*RSODIUM - MEAN(LN(RBILIRUBIN)*RSODIUM)",
                "RTWO TUMOUR",
                "RDISEASE GROUP=4*RAGE",
            ],
            "m1_cancer_beta": [0.02, -0.001, 0.003, 0.4, 0.0],
            "m1_noncancer_beta": [0.01, 0.0, 0.002, 0.0, 0.05],
            "m2_cancer_beta": [0.01, 0.0, 0.0, 0.1, 0.0],
            "m2_noncancer_beta": [0.005, 0.0, 0.0, 0.0, 0.0],
            "m1_cancer_mean": [55.0, 3000.0, 420.0, 0.0, 0.0],
            "m1_noncancer_mean": [50.0, 0.0, 500.0, 0.0, 0.0],
            "m2_cancer_mean": [55.0, 0.0, 0.0, 0.0, 0.0],
            "m2_noncancer_mean": [50.0, 0.0, 0.0, 0.0, 0.0],
        }
    )
    betas.to_csv(tmp_path / "transplant" / "betas.csv", index=False)
    for kind, last in (("cancer", 0.6), ("noncancer", 0.3)):
        survival = {"m1_surv": [1.0, 0.9, 0.9, last], "m2_surv": [1.0, 0.95, 0.95, 0.9]}
        path = tmp_path / "transplant" / f"surv_{kind}.csv"
        pd.DataFrame(survival).to_csv(path, index=False)
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    monkeypatch.setenv("SKCORRUPT_ANY_DATA", "1")
    return tmp_path


@pytest.fixture
def models(folder):
    coefficients = load_coefficients()
    return {part: TransplantBenefitScore(coefficients, part).fit() for part in PARTS}


def test_the_score_is_the_sum_of_survival_over_days(models):
    patients = default_cases(3).assign(
        rdisease_primary_tbs=[3, 1, 4], rtumour_number_tbs=[1, 2, 1], rage_tbs=[40, 60, 50]
    )
    bilirubin = np.log(20) * 135
    without = [
        0.01 * (40 - 50) + 0.002 * (bilirubin - 500),
        0.02 * (60 - 55) - 0.001 * (60**2 - 3000) + 0.003 * (bilirubin - 420) + 0.4,
        0.002 * (bilirubin - 500) + 0.05 * 50,
    ]
    last = [0.3, 0.6, 0.3]
    need = [1 + 2 * 0.9 ** np.exp(p) + s ** np.exp(p) for p, s in zip(without, last, strict=True)]
    np.testing.assert_allclose(models["need"].predict(patients), np.negative(need), rtol=1e-8)
    whole = models["utility"].predict(patients) + models["need"].predict(patients)
    np.testing.assert_allclose(models["benefit"].predict(patients), whole)


def test_any_of_three_diseases_and_an_earlier_transplant_count(models):
    cases = default_cases(4).assign(
        rdisease_secondary_tbs=[9, 4, 1, 4], previous_tx_tbs=[0, 0, 0, 1]
    )
    alcohol, secondary, cancer, again = models["need"].predict(cases)
    # 3 ranks before 4, and group 10 has no term here
    assert alcohol == secondary == again
    assert cancer != alcohol


def test_a_term_that_is_not_known_is_named(folder):
    coefficients = load_coefficients()
    coefficients["betas"].loc[0, "parameter"] = "RHEIGHT - MEAN(RHEIGHT)"
    with pytest.raises(ValueError, match="RHEIGHT"):
        TransplantBenefitScore(coefficients).fit()
    with pytest.raises(ValueError, match="part='luck'"):
        TransplantBenefitScore(coefficients, "luck").fit()


def test_a_folder_without_the_tables_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    with pytest.raises(DataNotFoundError, match="betas"):
        load_coefficients()


def test_patients_are_within_the_bounds_of_the_table_and_have_no_cancer():
    X = simulated_cohort(300, random_state=1)
    assert list(X.columns) == list(FEATURES)
    for name, (kind, low, high, _) in FEATURES.items():
        assert X[name].between(low, high).all(), name
        assert pd.api.types.is_integer_dtype(X[name]) == (kind != "real"), name
    assert (X["rdisease_primary_tbs"] == 3).all()
    pd.testing.assert_frame_equal(X, simulated_cohort(300, random_state=1))
    assert X[LIVER].corr().iloc[0, 1] > 0.2 > 0 > X[LIVER].corr().iloc[0, 3]


def test_abduction_finds_what_caused_the_liver_parameters():
    U = np.random.default_rng(0).multivariate_normal(np.zeros(4), COVARIANCE, 200)
    liver = liver_parameters(U)
    again = liver_parameters(exogenous_values(liver))
    np.testing.assert_allclose(again, liver)
    low, high = np.array([20, 126, 0.9, 50]), np.array([199, 144, 2.39, 199])
    inside = ((liver > low) & (liver < high)).all(axis=1)
    found = exogenous_values(liver[inside])
    # sodium is a whole number, 5 of which make one of its exogenous value
    assert inside.sum() > 100
    assert abs(found - U[inside]).max() <= 0.1 + 1e-12


@pytest.mark.parametrize("up_to", [False, True])
def test_cancer_comes_with_two_tumours_and_other_liver_parameters(up_to):
    X = simulated_cohort(20)
    actions = cancer_actions(2.0, up_to=up_to)
    assert actions.validate(X).empty
    points = ReachableSampler(actions).sample(X.iloc[[3]], 200, random_state=0)
    assert (points["rdisease_primary_tbs"] == 1).all()
    assert (points["rtumour_number_tbs"] == 2).all()
    sizes = points["rmax_tumour_size_tbs"]
    assert sizes.between(0, 2, inclusive="right").all()
    assert sizes.nunique() == (200 if up_to else 1)
    others = points.columns.difference(
        [*LIVER, "rdisease_primary_tbs", "rtumour_number_tbs", "rmax_tumour_size_tbs"]
    )
    assert (points[others] == X.iloc[3][others]).all(axis=None)
    assert points["rsodium_tbs"].between(125, 145).all()
    assert points["rsodium_tbs"].nunique() > 5


def test_cancer_alone_is_one_exact_point():
    X = simulated_cohort(5)
    sampler = ReachableSampler(cancer_actions(5.0, varying=False))
    assert len(sampler.enumerate(X.iloc[[0]])) == 1


@pytest.mark.long
def test_shares_and_days_are_told_by_age(models):
    X = simulated_cohort(60)
    found = transplant.violations(models, X, cancer_actions(2.0), 40)
    assert sum(row["patients"] for row in found.values()) == 60
    for row in found.values():
        assert all(0 <= row[part] <= 1 for part in (*PARTS, "shown"))
        low, high = row["benefit_interval"]
        assert low <= row["benefit"] <= high
    days = transplant.average_days(models, X, cancer_actions(2.0), 40)
    assert [row["age"] for row in days] == list(found)
    for row in days:
        for when in ("before", "after"):
            assert 1 <= row[f"need_{when}"] <= 4
            difference = row[f"utility_{when}"] - row[f"need_{when}"]
            assert row[f"benefit_{when}"] == pytest.approx(difference)


def test_claims_are_judged_by_the_numbers():
    low = {"need": 0.1, "utility": 0.4, "benefit": 0.1, "utility_over_need": [0.2, 0.4]}
    high = {"need": 0.9, "utility": 0.4, "benefit": 0.8, "utility_over_need": [-0.6, -0.4]}
    shares, days = [], []
    for tumours in transplant.TUMOURS:
        for age in transplant.AGES:
            middle = age == transplant.MIDDLE
            shares.append({"tumours": tumours, "age": age, **(low if middle else high)})
            after = 900.0 if middle else 1100.0
            days.append(
                {"tumours": tumours, "age": age, "need_before": 1000.0, "need_after": after}
            )
    assert {row["verdict"] for row in transplant.claims(shares, days)} == {"reproduced"}
    turned = [{**row, "need": 1 - row["need"], "benefit": 1 - row["benefit"]} for row in shares]
    verdicts = [row["verdict"] for row in transplant.claims(turned, days)[:5]]
    assert verdicts == ["refuted", "reproduced", "refuted", "refuted", "reproduced"]


def test_the_default_case_has_the_published_days(data_dir):
    if not (data_dir / "transplant").is_dir():
        pytest.skip("the folder of real data sets has no transplant")
    coefficients = load_coefficients()
    for part, (_, printed) in transplant.PRINTED_DAYS.items():
        model = TransplantBenefitScore(coefficients, part).fit()
        assert abs(model.predict(default_cases(1))[0]) == pytest.approx(printed, abs=1)
