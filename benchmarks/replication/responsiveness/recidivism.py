"""A template of a preclusion audit, on made-up people: who stays predicted to be arrested again?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from benchmarks._results import Results, markdown_table
from benchmarks.replication.responsiveness._recidivism import (
    AGE_GROUPS,
    PROGRAMMES,
    SUBSTANCES,
    age_bins,
    age_groups,
    recidivism_actions,
    synthetic_cohort,
)
from skcorrupt.responsiveness import (
    ActionSet,
    ResponsivenessAuditor,
    minimum_informative_size,
    sample_size_for_test,
)
from skcorrupt.stats import clopper_pearson

EPSILON, ALPHA, BETA, DELTA = 0.1, 0.05, 0.2, 0.05
PAPERS_SIZE = 20
RACES = ("white", "non-white")
TREATMENTS = [f"{name}_treatment" for name in SUBSTANCES]
ABUSE = [f"{name}_abuser" for name in SUBSTANCES]
# as in table 7, and the linkages alone
ABLATIONS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "age": {"columns": ["age_at_release"]},
    "treatment": {"columns": TREATMENTS},
    "abuse and treatment": {"columns": [*ABUSE, *TREATMENTS]},
    "programmes": {"columns": list(PROGRAMMES)},
    "the 24 linkages": {"linkages": False},
    "all rules": {"linkages": False, "reachability": False},
}


def run(quick: bool = False) -> None:
    """Run all parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Fewer people and trials.
    """
    results = Results("recidivism", quick)
    X, y, race = synthetic_cohort(1500 if quick else 6000)
    groups = race.to_numpy() + ", " + age_groups(X)
    train, test = train_test_split(np.arange(len(X)), train_size=0.8, stratify=y, random_state=0)
    for dropped, settings in ABLATIONS.items():
        kept = X.drop(columns=settings.get("columns", []))
        rules = {key: settings[key] for key in ("linkages", "reachability") if key in settings}
        model = fitted(kept.iloc[train], y.iloc[train])
        actions = recidivism_actions(kept, **rules)
        auditor = audited(model, actions, kept)
        fixed = shares(auditor, groups)
        for row in fixed if dropped == "nothing" else []:
            results.add("audit", row)
        if dropped == "nothing":
            for row in sample_sizes(auditor.results_, 20 if quick else 200):
                if isinstance(row["n"], int):
                    row["accepted"] = accepted(model, actions, kept[:50], row["n"])
                results.add("sizes", row)
        results.add(
            "ablation",
            {
                "dropped": dropped,
                **{row["group"]: row["fixed"] for row in fixed},
                "auc_train": auc(model, kept.iloc[train], y.iloc[train]),
                "auc_test": auc(model, kept.iloc[test], y.iloc[test]),
            },
        )


def fitted(X: pd.DataFrame, y: pd.Series) -> Pipeline:
    """A penalised logistic regression on raw columns, age in nine bins."""
    ages = ["age_at_release"] if "age_at_release" in X else []
    columns = make_column_transformer(
        (FunctionTransformer(age_bins), ages),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    return make_pipeline(columns, LogisticRegression(C=1.0, max_iter=1000)).fit(X, y)


def auc(model: Pipeline, X: pd.DataFrame, y: pd.Series) -> float:
    """Area under the ROC curve."""
    return float(roc_auc_score(y, model.predict_proba(X)[:, 1]))


def audited(model: Pipeline, actions: ActionSet, X: pd.DataFrame) -> ResponsivenessAuditor:
    """The audit of those predicted to be arrested again, who should have a way to be not."""
    return ResponsivenessAuditor(
        model, actions, target=0, task="preclusion", epsilon=EPSILON, alpha=ALPHA, random_state=0
    ).fit(X)


def shares(auditor: ResponsivenessAuditor, groups: np.ndarray) -> list[dict[str, Any]]:
    """Fixed predictions by race and age.

    Parameters
    ----------
    auditor : ResponsivenessAuditor
        After `fit`.
    groups : ndarray of shape (n_people,)
        A name of race and age for everybody.

    Returns
    -------
    list of dict
        A row a group: people predicted to be arrested again, the share of them who have no way
        out, with its 95 % interval, that of those who have nothing left to do at all, that of
        those who are below `EPSILON`, and the mean responsiveness.
    """
    results = auditor.results_.assign(group=groups[auditor.results_.index])
    rows = []
    for group in (f"{race}, {age}" for race in RACES for age in AGE_GROUPS):
        people = results[results["group"] == group]
        if people.empty:
            continue
        fixed = int((people["verdict"] == "unresponsive").sum())
        low, high = clopper_pearson(fixed, len(people), ALPHA)
        rows.append(
            {
                "group": group,
                "predicted": len(people),
                "exact": bool(people["exact"].all()),
                "fixed": fixed / len(people),
                "interval": [float(low), float(high)],
                "idle": float((people["n"] == 1).mean()),
                "below": float((people["responsiveness"] < EPSILON).mean()),
                "responsiveness": float(people["responsiveness"].mean()),
            }
        )
    return rows


def sample_sizes(people: pd.DataFrame, n_trials: int) -> list[dict[str, Any]]:
    """What tests on draws could say, beside the truth from all points.

    Independent uniform draws from points of which the share `responsiveness` is hits make a
    binomial number of hits.

    Parameters
    ----------
    people : DataFrame
        Results of the exact audit.
    n_trials : int
        Repetitions of the draws.

    Returns
    -------
    list of dict
        A row a number of draws, the last for all points.
    """
    truth = people["responsiveness"].to_numpy()
    unresponsive, way = truth < EPSILON, truth > 0
    least = minimum_informative_size(ALPHA, EPSILON)
    enough = sample_size_for_test(ALPHA, BETA, EPSILON, DELTA)
    rng = np.random.default_rng(0)
    rows = []
    for n in (PAPERS_SIZE, least - 1, least, enough):
        # one-sided at alpha, as in proposition 5
        bounds = clopper_pearson(np.arange(n + 1), n, 2 * ALPHA)[1]
        hits = rng.binomial(n, truth, size=(n_trials, len(truth)))
        claimed = bounds[hits] < EPSILON
        informative = bool(bounds[0] < EPSILON)
        verdict = "reproduced" if informative else "refuted"
        rows.append(
            {
                "n": n,
                "bound": float(bounds[0]),
                "informative": informative,
                "recall": float(claimed[:, unresponsive].mean()),
                "wrong": float(claimed[:, ~unresponsive].mean()),
                "overlooked": float((hits[:, way] == 0).mean()),
                "printed": "enough (remark 7)" if n == PAPERS_SIZE else None,
                "verdict": verdict if n == PAPERS_SIZE else None,
            }
        )
    points = people["n"]
    exact = {"n": f"all {points.min()} to {points.max()}", "informative": True}
    return [*rows, {**exact, "recall": 1.0, "wrong": 0.0, "overlooked": 0.0}]


def accepted(model: Pipeline, actions: ActionSet, X: pd.DataFrame, n: int) -> bool:
    """Whether the auditor takes this number of draws."""
    auditor = ResponsivenessAuditor(
        model, actions, target=0, epsilon=EPSILON, alpha=ALPHA, n_samples=n
    )
    try:
        auditor.fit(X)
    except ValueError as error:
        if "n_samples" not in str(error):
            raise
        return False
    return True


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    groups = [f"{race}, {age}" for race in RACES for age in AGE_GROUPS]
    columns = {
        "audit": {
            "group": "group",
            "predicted": "predicted to be arrested again",
            "exact": "all points",
            "fixed": "no way out",
            "interval": "95 % interval",
            "idle": "nothing left to do",
            "below": "below 10 %",
            "responsiveness": "mean responsiveness",
        },
        "ablation": {
            "dropped": "dropped",
            **dict(zip(groups, groups, strict=True)),
            "auc_train": "AUC, train",
            "auc_test": "AUC, test",
        },
        "sizes": {
            "n": "points a person",
            "bound": "upper bound at no hits",
            "informative": "can claim",
            "recall": "of those below 10 % found",
            "wrong": "of the others claimed",
            "overlooked": "a way, but no hit",
            "accepted": "the auditor takes it",
            "printed": "printed",
            "verdict": "verdict",
        },
    }
    return {
        f"recidivism-{name}": markdown_table(content["sections"][name], headings)
        for name, headings in columns.items()
    }
