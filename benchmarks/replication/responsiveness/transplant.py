"""Organ transplants: does the Transplant Benefit Score rise when a patient gets cancer?"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._results import Results, markdown_table
from benchmarks.replication.responsiveness._transplant import cancer_actions, simulated_cohort
from benchmarks.replication.responsiveness._transplant_score import (
    PARTS,
    TransplantBenefitScore,
    default_cases,
    load_coefficients,
)
from skcorrupt.responsiveness import (
    ActionSet,
    ReachableSampler,
    ResponsivenessAuditor,
    sample_size_for_width,
)

TUMOURS = {"small, 2 cm": 2.0, "large, 5 cm": 5.0}
AGES = ("30–39", "40–49", "50–59", "60–69", "70–80")
MIDDLE, ENDS = "50–59", ("30–39", "70–80")
# survival of the calculator's default case without and with a transplant, as the tests of a
# public port give it to a day (github.com/bogdan-kulynych/transplantbenefit)
PRINTED_DAYS = {"need": ("without", 1387), "utility": ("with", 1596)}
PATIENTS_AT_ONCE = 100
COLUMNS = {
    "score": {"quantity": "quantity", "value": "ours", "printed": "printed", "verdict": "verdict"},
    "claims": {"printed": "printed", "tumours": "tumours", "found": "ours", "verdict": "verdict"},
    "violations": {
        "tumours": "tumours",
        "age": "age",
        "patients": "patients",
        "need": "need",
        "utility": "utility",
        "benefit": "whole score",
        "benefit_interval": "its 95 % interval",
        "shown": "patients shown to be below 10 %",
    },
    "causes": {
        "tumours": "tumours",
        "age": "age",
        "both": "cancer and variation",
        "cancer": "cancer alone, exact",
        "variation": "variation alone",
        "up_to": "tumours up to this size",
    },
    "days": {
        "tumours": "tumours",
        "age": "age",
        "need_before": "without transplant, before",
        "need_after": "after",
        "utility_before": "with transplant, before",
        "utility_after": "after",
        "benefit_before": "score, before",
        "benefit_after": "after",
    },
}


def run(quick: bool = False) -> None:
    """Run all parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Fewer patients and draws.
    """
    results = Results("transplant", quick)
    coefficients = load_coefficients()
    models = {part: TransplantBenefitScore(coefficients, part).fit() for part in PARTS}
    patients = simulated_cohort(150 if quick else 1000)
    n_draws = 100 if quick else sample_size_for_width(alpha=0.05, width=0.1)
    check_score(models, patients, n_draws, results)
    alone = violations(models, patients, cancer_actions(None), n_draws)
    for tumours, size in TUMOURS.items():
        both = violations(models, patients, cancer_actions(size), n_draws)
        certain = violations(models, patients, cancer_actions(size, varying=False), n_draws)
        smaller = violations(models, patients, cancer_actions(size, up_to=True), n_draws)
        for age in AGES:
            where = {"tumours": tumours, "age": age}
            results.add("violations", {**where, **both[age]})
            results.add(
                "causes",
                {
                    **where,
                    "both": both[age]["benefit"],
                    "cancer": certain[age]["benefit"],
                    "variation": alone[age]["benefit"],
                    "up_to": smaller[age]["benefit"],
                },
            )
        for row in average_days(models, patients, cancer_actions(size), n_draws):
            results.add("days", {"tumours": tumours, **row})
    for row in claims(results.rows("violations"), results.rows("days")):
        results.add("claims", row)


def check_score(
    models: dict[str, TransplantBenefitScore], X: pd.DataFrame, n_draws: int, results: Results
) -> None:
    """The default case beside a published check of it, and the speed of the score."""
    for part, (how, printed) in PRINTED_DAYS.items():
        days = abs(float(models[part].predict(default_cases(1))[0]))
        results.add(
            "score",
            {
                "quantity": f"days of the default case {how} a transplant",
                "value": days,
                "printed": printed,
                "verdict": "reproduced" if abs(days - printed) <= 1 else "refuted",
            },
        )
    many = X.loc[X.index.repeat(n_draws)]
    started = time.process_time()
    models["benefit"].predict(many)
    seconds = time.process_time() - started
    what = f"seconds for the benefit of {len(many)} patients"
    results.add("score", {"quantity": what, "value": seconds})


def violations(
    models: dict[str, TransplantBenefitScore], X: pd.DataFrame, actions: ActionSet, n_draws: int
) -> dict[str, dict[str, Any]]:
    """Share of what can happen after which a patient is less urgent than before, by age.

    Parameters
    ----------
    models : dict of str to TransplantBenefitScore
        The score and its parts.
    X : DataFrame
        Patients without cancer.
    actions : ActionSet
        What happens.
    n_draws : int
        Points drawn for a patient, where the effect is random.

    Returns
    -------
    dict of str to dict
        For each age group the mean shares, that of the whole score and the difference of its
        parts with 95 % intervals over patients, and the share of patients for whom it is shown
        that the whole score is violated in less than 10 %.
    """
    auditor = ResponsivenessAuditor(
        models["benefit"],
        actions,
        target=lambda y_new, y_old, X: y_new < y_old,
        n_samples=n_draws,
        random_state=0,
    ).fit(X)
    ages = age_groups(X)
    found = auditor.audit(models)
    shares = {
        part: found.loc[found["model"] == part, "responsiveness"].to_numpy() for part in PARTS
    }
    shown = auditor.by_group(by=ages)["unresponsive"]
    out = {}
    for age in AGES:
        rows = ages == age
        if not rows.any():
            continue
        row: dict[str, Any] = {"patients": int(rows.sum())}
        for part in PARTS:
            row[part] = float(shares[part][rows].mean())
        low, high = interval(shares["benefit"][rows])
        row["benefit_interval"] = [max(0.0, low), min(1.0, high)]
        # paired, because the draws are the same
        row["utility_over_need"] = interval((shares["utility"] - shares["need"])[rows])
        out[age] = {**row, "shown": float(shown[age])}
    return out


def interval(values: np.ndarray) -> list[float]:
    """The 95 % interval of a mean over patients."""
    margin = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    return [float(values.mean() - margin), float(values.mean() + margin)]


def average_days(
    models: dict[str, TransplantBenefitScore], X: pd.DataFrame, actions: ActionSet, n_draws: int
) -> list[dict[str, Any]]:
    """Days before, and on average over what can happen, by age (figure 8)."""
    sampler = ReachableSampler(actions)
    after: dict[str, list[np.ndarray]] = {part: [] for part in PARTS}
    for start in range(0, len(X), PATIENTS_AT_ONCE):
        some = range(start, min(start + PATIENTS_AT_ONCE, len(X)))
        points = pd.concat([sampler.sample(X.iloc[[i]], n_draws, random_state=i) for i in some])
        for part, model in models.items():
            after[part].append(model.predict(points).reshape(len(some), n_draws).mean(axis=1))
    days: dict[str, np.ndarray] = {}
    for part, model in models.items():
        # survival without a transplant is what the need is the negative of
        sign = -1 if part == "need" else 1
        days[f"{part}_before"] = sign * model.predict(X)
        days[f"{part}_after"] = sign * np.concatenate(after[part])
    groups = {age: age_groups(X) == age for age in AGES}
    return [
        {"age": age, **{name: float(values[rows].mean()) for name, values in days.items()}}
        for age, rows in groups.items()
        if rows.any()
    ]


def age_groups(X: pd.DataFrame) -> np.ndarray:
    """The age group of every patient."""
    decades = X["rage_tbs"].to_numpy() // 10 - 3
    return np.asarray(AGES, dtype=object)[np.minimum(decades, len(AGES) - 1)]


def claims(shares: list[dict[str, Any]], days: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the paper says about its figures 3 and 8, beside what came out.

    Its text has no numbers for them. "Seldom" is taken for less than half as often as in either of
    the youngest and oldest, "significantly" for an interval of the difference above 0, "can fall"
    for most of the time.

    Parameters
    ----------
    shares, days : list of dict
        Rows of the sections "violations" and "days".

    Returns
    -------
    list of dict
        A row a claim and size of tumours, with a verdict.
    """
    rows = []
    for tumours in TUMOURS:
        share = {row["age"]: row for row in shares if row["tumours"] == tumours}
        day = {row["age"]: row for row in days if row["tumours"] == tumours}
        middle, ends = share[MIDDLE], [share[age] for age in ENDS]
        falls = [age for age in AGES if day[age]["need_after"] < day[age]["need_before"]]
        benefits = [row["benefit"] for row in ends]
        low, high = middle["utility_over_need"]
        lowest = min(AGES, key=lambda age: share[age]["benefit"])
        found = [
            (
                "the need is seldom violated in the middle",
                f"{middle['need']:.2f}, at the ends {ends[0]['need']:.2f} and "
                f"{ends[1]['need']:.2f}",
                middle["need"] < min(row["need"] for row in ends) / 2,
            ),
            (
                "there the utility is violated significantly more often than the need",
                f"{middle['utility']:.2f} and {middle['need']:.2f}, difference "
                f"{low:.2f} to {high:.2f}",
                low > 0,
            ),
            (
                "the whole score is seldom violated in the middle",
                f"{middle['benefit']:.2f}, the lowest at {lowest}",
                lowest == MIDDLE and middle["benefit"] < min(benefits) / 2,
            ),
            (
                "the score of young and old can fall with cancer",
                f"in {benefits[0]:.2f} and {benefits[1]:.2f}",
                min(benefits) > 0.5,
            ),
            (
                "average survival without a transplant falls in the middle only",
                f"falls at {', '.join(falls) or 'no age'}",
                bool(falls) and not set(falls) & set(ENDS),
            ),
        ]
        rows += [
            {
                "printed": printed,
                "tumours": tumours,
                "found": text,
                "verdict": "reproduced" if holds else "refuted",
            }
            for printed, text, holds in found
        ]
    return rows


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    return {
        f"transplant-{name}": markdown_table(content["sections"][name], headings)
        for name, headings in COLUMNS.items()
    }
