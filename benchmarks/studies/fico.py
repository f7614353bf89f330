"""FICO: which denied applicants have a way to an approval within a year, and by what."""

from __future__ import annotations

import time
from typing import Any

import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._results import Results, markdown_table
from benchmarks.studies._fico import DEBT, INSTALMENTS, TIME, alike, fico_actions, load_fico
from skcorrupt.responsiveness import ResponsivenessAuditor

EPSILON, DELTA, ALPHA = 0.05, 0.025, 0.05
BUNDLES = {
    "time and what lapses": TIME,
    "time and instalments": (*TIME, INSTALMENTS),
    "revolving debt": DEBT,
}


def run(quick: bool = False) -> None:
    """Run all parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Fewer applicants.
    """
    X, y = load_fico()
    study(X, y, Results("fico", quick), n_people=400 if quick else None)


def study(X: pd.DataFrame, y: pd.Series, results: Results, *, n_people: int | None = None) -> None:
    """Fit two models, audit those they deny and say what helps whom.

    Parameters
    ----------
    X : DataFrame of shape (n_applicants, 23)
        All applicants.
    y : Series of shape (n_applicants,)
        1 for those who paid.
    results : Results
        Where rows go.
    n_people : int or None, default=None
        How many applicants are audited; None is all.
    """
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, train_size=0.8, stratify=y, random_state=0
    )
    regression = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True),
        StandardScaler(),
        LogisticRegression(max_iter=1000),
    )
    boosting = make_pipeline(
        SimpleImputer(strategy="median", add_indicator=True),
        HistGradientBoostingClassifier(max_depth=3, random_state=0),
    )
    people = X if n_people is None else X.sample(n_people, random_state=0)
    for name, model in (("logistic regression", regression), ("boosting", boosting)):
        model.fit(X_train, y_train)
        auc = roc_auc_score(y_test, model.predict_proba(X_test)[:, 1])
        audit(X, people, name, model, float(auc), results)
        bundles(X, people, name, model, results)


def audit(
    X: pd.DataFrame, people: pd.DataFrame, name: str, model: Any, auc: float, results: Results
) -> None:
    """The audit of everybody denied, and every column on its own."""
    started = time.process_time()
    auditors = [
        auditor_of(model, fico_actions(X, known)).fit(part)
        for part, known in alike(people)
        if (model.predict(part) == 0).any()
    ]
    audited = time.process_time()
    alone = pd.concat([each.attributions_ for each in auditors])
    attributed = time.process_time()
    found = pd.concat([each.results_ for each in auditors])
    verdicts = found["verdict"].value_counts(normalize=True)
    precluded = float((found["exact"] & (found["hits"] == 0)).mean())
    results.add(
        "audit",
        {
            "model": name,
            "auc": auc,
            "denied": int((model.predict(people) == 0).sum()),
            "audited": len(found),
            "exact": float(found["exact"].mean()),
            "responsive": verdicts.get("responsive", 0.0),
            "precluded": precluded,
            "below": verdicts.get("unresponsive", 0.0) - precluded,
            "undecided": verdicts.get("undecided", 0.0),
            "mean": float(found["responsiveness"].mean()),
            "points": int(found["n"].sum()),
            "seconds": audited - started,
            "seconds_alone": attributed - audited,
        },
    )
    for feature, part in alone.groupby("feature", sort=False):
        ways(name, str(feature), part, len(found), results)


def bundles(X: pd.DataFrame, people: pd.DataFrame, name: str, model: Any, results: Results) -> None:
    """What groups of columns do together that rules tie together."""
    for bundle, columns in BUNDLES.items():
        found = pd.concat(
            [
                auditor_of(model, fico_actions(X, known, columns)).fit(part).results_
                for part, known in alike(people)
                if (model.predict(part) == 0).any()
            ]
        )
        ways(name, bundle, found, len(found), results)


def ways(model: str, what: str, found: pd.DataFrame, n_people: int, results: Results) -> None:
    """One row of what columns do: those without values of a column have no way by it."""
    results.add(
        "ways",
        {
            "model": model,
            "what": what,
            "can_act": len(found) / n_people,
            "has_way": float((found["hits"] > 0).sum()) / n_people,
            "mean": float(found["responsiveness"].sum()) / n_people,
        },
    )


def auditor_of(model: Any, actions: Any) -> ResponsivenessAuditor:
    """The audit of preclusion, on Good as the target."""
    return ResponsivenessAuditor(
        model,
        actions,
        target=1,
        task="preclusion",
        epsilon=EPSILON,
        delta=DELTA,
        alpha=ALPHA,
        random_state=0,
    )


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    models = [row["model"] for row in sections["audit"]]
    by_what: dict[str, dict[str, Any]] = {}
    for row in sections["ways"]:
        mine = by_what.setdefault(row["what"], {"what": row["what"], "can_act": row["can_act"]})
        mine |= {f"{key} {row['model']}": row[key] for key in ("has_way", "mean")}
    ways_by_model = {
        f"{key} {model}": f"{model}: {label}"
        for model in models
        for key, label in (("has_way", "have a way"), ("mean", "mean responsiveness"))
    }
    return {
        "fico-audit": markdown_table(
            sections["audit"],
            {
                "model": "model",
                "auc": "AUC",
                "denied": "denied",
                "audited": "audited",
                "exact": "all points listed",
                "responsive": "responsive",
                "precluded": "precluded for certain",
                "below": f"below {100 * EPSILON:g} %, tested",
                "undecided": "undecided",
                "mean": "mean responsiveness",
                "points": "points",
                "seconds": "seconds",
                "seconds_alone": "and column by column",
            },
        ),
        "fico-ways": markdown_table(
            list(by_what.values()), {"what": "moved", "can_act": "have it", **ways_by_model}
        ),
    }
