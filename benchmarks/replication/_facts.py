"""Printed numbers that no benchmark is about: shapes, sample sizes, accuracies, figure 7."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._data import (
    data_folder,
    load_adult,
    load_credit_card_default,
    load_employee,
    require_file,
)
from benchmarks._hashes import require_shape
from benchmarks._results import Results
from benchmarks.replication.curation.curation import load_crowd, load_openi, load_spam
from benchmarks.replication.esp._studies import load_online_shoppers, load_south_german_credit
from benchmarks.replication.fairness._data import load_fair
from benchmarks.replication.fairness.stage_fairness import all_cases, splits_of
from benchmarks.replication.responsiveness._recidivism import recidivism_actions, synthetic_cohort
from benchmarks.replication.responsiveness._twitterbot import load_twitterbot, twitterbot_actions
from benchmarks.replication.savage.adult import estimator_for
from benchmarks.speed._german import german_actions, load_german
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import Screening
from skcorrupt.responsiveness import (
    minimum_informative_size,
    sample_size_for_test,
    sample_size_for_width,
)
from skcorrupt.stats import clopper_pearson

NAME = "replication-facts"
# in per cent: those printed in figure 7, and what they are when doubled
FIGURE_7 = (5, 10, 15, 20, 25, 30, 40, 50)
N_SPLITS = 3
N_FORESTS = 5
N_GERMAN = 20


class Facts(Results):
    """Results of which a run replaces some sections and leaves the others alone."""

    def __init__(self) -> None:
        super().__init__(NAME, quick=False)
        if self.path.is_file():
            saved = json.loads(self.path.read_text(encoding="utf-8"))
            self.content["sections"] = saved["sections"]

    def begin(self, section: str) -> None:
        """Leave out what an earlier run has of a section."""
        self.content["sections"][section] = []

    def fact(self, section: str, name: str, value: Any, spread: Sequence[float] = ()) -> None:
        """Add a value by name, with its range where it has one."""
        self.add(section, {"fact": name, "value": value, "spread": list(spread) or None})

    def over(self, section: str, name: str, values: Sequence[float]) -> None:
        """Add the mean of some values, with their range."""
        self.fact(section, name, float(np.mean(values)), [min(values), max(values)])


def run(sections: Sequence[str] = ()) -> None:
    """Compute sections and put them beside those that an earlier run saved.

    Parameters
    ----------
    sections : sequence of str, default=()
        Keys of `SECTIONS`; none means all.
    """
    facts = Facts()
    for name in sections or SECTIONS:
        facts.begin(name)
        SECTIONS[name](facts)


def shapes(facts: Facts) -> None:
    """Rows, columns and shares of the data sets."""

    def shape(name: str, X: Any) -> None:
        facts.fact("shapes", f"{name}: rows", int(X.shape[0]))
        facts.fact("shapes", f"{name}: columns", int(X.shape[1]))

    X, _, X_test, _ = load_adult()
    shape("adult, coded", pd.concat([X, X_test]))
    shape("employee", load_employee()[0])
    shape("credit card", load_credit_card_default()[0])
    sqf = pd.read_csv(require_file(data_folder(), "sqf/sqf_train.csv"))
    require_shape("Stop, question and frisk", sqf, (48605, 18))
    shape("sqf", sqf.drop(columns="frisked"))
    shape("diabetes", load_diabetes().data)
    for name in ("german", "adult, incomplete", "bank", "titanic", "compas"):
        shape(f"fairness, {name}", load_fair(name)[0])
    shape("compas, screened in time", load_fair("compas, screened in time")[0])
    adult = load_fair("adult, incomplete")[0]
    facts.fact("shapes", "adult: rows with a missing value", float(adult.isna().any(axis=1).mean()))
    titanic = load_fair("titanic")[0]
    missing = titanic.isna()
    facts.fact("shapes", "titanic: rows with a missing value", float(missing.any(axis=1).mean()))
    few = missing.drop(columns="Cabin").any(axis=1).mean()
    facts.fact("shapes", "titanic: without counting the cabin", float(few))
    names = titanic["Name"].str.split(",").str[0]
    facts.fact("shapes", "titanic: surnames", int(names.nunique()))
    X, y = load_online_shoppers()
    shape("online shoppers", X)
    facts.fact("shapes", "online shoppers: purchases", float(y.mean()))
    numbers = X.select_dtypes("number").assign(Revenue=y)
    for one, other in (
        ("BounceRates", "ExitRates"),
        ("ProductRelated", "ProductRelated_Duration"),
        ("PageValues", "Revenue"),
    ):
        value = float(numbers[one].corr(numbers[other]))
        facts.fact("shapes", f"online shoppers: correlation of {one} and {other}", value)
    X, y = load_south_german_credit()
    shape("south german credit", X)
    facts.fact("shapes", "south german credit: good", float(y.mean()))
    L, _, more, _ = load_spam()
    facts.fact("shapes", "spam: training rows", len(more))
    facts.fact("shapes", "spam: rows ordered", len(L))
    facts.fact("shapes", "spam: functions", int(L.shape[1]))
    L, _, more = load_openi()
    facts.fact("shapes", "cross modal: training rows", len(more))
    facts.fact("shapes", "cross modal: rows ordered", len(L))
    facts.fact("shapes", "cross modal: functions", int(L.shape[1]))
    L, _, more = load_crowd(0)
    facts.fact("shapes", "crowdsourcing: rows in all", len(L) + len(more))
    facts.fact("shapes", "crowdsourcing: functions", int(L.shape[1]))


def sizes(facts: Facts) -> None:
    """Sample sizes and bounds of the responsiveness paper."""
    facts.fact("sizes", "example 4", sample_size_for_width(0.05, 0.1))
    for rule in ("paper", "exact", "stable"):
        n = sample_size_for_test(0.01, 0.2, 0.1, 0.05, rule=rule)
        facts.fact("sizes", f"example 6, rule {rule!r}", n)
    facts.fact("sizes", "upper bound, 4 of 254", float(clopper_pearson(4, 254, 0.02)[1]))
    # the most hits of 254 that claim, and the chance of as few where the truth is .05
    most = int(np.flatnonzero(clopper_pearson(np.arange(255), 254, 0.02)[1] < 0.1).max())
    facts.fact("sizes", "power of 254", float(binom.cdf(most, 254, 0.05)))
    facts.fact("sizes", "remark 7, epsilon .1, alpha .05", minimum_informative_size(0.05, 0.1))
    facts.fact("sizes", "upper bound, 0 of 20", float(clopper_pearson(0, 20, 0.1)[1]))


def actions(facts: Facts) -> None:
    """Features, rules and parts of the intervention models."""
    X, _ = load_german()
    german = german_actions(X)
    models = {
        "german": german,
        "twitterbot": twitterbot_actions(load_twitterbot()[0]),
        "recidivism": recidivism_actions(synthetic_cohort(300)[0]),
    }
    for name, model in models.items():
        facts.fact("actions", f"{name}: features", len(model))
        facts.fact("actions", f"{name}: actionable", sum(e.actionable for e in model))
        facts.fact("actions", f"{name}: mutable", len(model.movable))
        facts.fact("actions", f"{name}: rules", len(model.constraints) + len(model.effects))
    facts.fact("actions", "german: rows", len(X))
    facts.fact("actions", "german: parts", n_parts(german))
    facts.fact("actions", "twitterbot: rows", len(load_twitterbot()[0]))


def n_parts(model: Any) -> int:
    """Groups of columns that no rule ties together."""
    group = {name: name for name in model.columns}
    for rule in (*model.constraints, *model.effects):
        tied = [name for name in model.columns if name in _columns_of(rule)]
        for name in tied[1:]:
            old, new = group[name], group[tied[0]]
            group = {key: new if value == old else value for key, value in group.items()}
    return len(set(group.values()))


def _columns_of(rule: Any) -> set[str]:
    if hasattr(rule, "columns"):
        return set(rule.columns)
    return {rule.target, *rule.sources}


def forests(facts: Facts) -> None:
    """Importances and accuracy of random forests on the data of the sensitivity paper."""
    for data, load in (
        ("online shoppers", load_online_shoppers),
        ("south german credit", load_south_german_credit),
    ):
        X, y = load()
        text = [str(name) for name in X if not pd.api.types.is_numeric_dtype(X[name])]
        X = X.assign(**{name: pd.factorize(X[name])[0] for name in text})
        weights, scores = [], []
        for seed in range(N_FORESTS):
            parts = train_test_split(X, y, test_size=0.2, stratify=y, random_state=seed)
            forest = RandomForestClassifier(random_state=seed).fit(parts[0], parts[2])
            weights.append(forest.feature_importances_)
            scores.append(accuracy_score(parts[3], forest.predict(parts[1])))
        for name, values in zip(X, np.transpose(weights), strict=True):
            facts.over("forests", f"{data}: importance of {name}", values)
        facts.over("forests", f"{data}: accuracy", scores)


def german(facts: Facts) -> None:
    """The two models of the validation study, 80/20 splits."""
    X, y = load_german()
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosting": HistGradientBoostingClassifier(max_iter=50, random_state=0),
    }
    for name, model in models.items():
        found: dict[str, list[float]] = {}
        for seed in range(N_GERMAN):
            split = train_test_split(X, y, test_size=0.2, stratify=y, random_state=seed)
            model = clone(model).fit(split[0], split[2])
            for part, features, labels in (
                ("train", split[0], split[2]),
                ("test", split[1], split[3]),
            ):
                said = model.predict(features)
                values = {
                    "AUC": roc_auc_score(labels, model.predict_proba(features)[:, 1]),
                    "error": 1 - accuracy_score(labels, said),
                    "positive": float((said == 1).sum()),
                }
                for key, value in values.items():
                    found.setdefault(f"{name}, {part}: {key}", []).append(float(value))
        for key, each in found.items():
            facts.over("german", key, each)


def figure_7(facts: Facts) -> None:
    """Label errors and selection bias on Adult, all budgets of an error in one search."""
    X, y, X_test, y_test = load_adult()
    both = pd.concat([X, X_test], ignore_index=True)
    labels = pd.concat([y, y_test], ignore_index=True)
    for error in ("labels", "selection"):
        search = AdversarialCorruptionSearch(
            estimator_for(error),
            error,
            scoring="roc_auc",
            budget=[percent / 100 for percent in FIGURE_7],
            cv=[(np.arange(len(X)), np.arange(len(X), len(both)))],
            confirm_size=None,
            strategy="screening",
            random_state=0,
        ).fit(both, labels)
        for _, found in search.budget_curve_.iterrows():
            row = {
                "error": error,
                "budget_percent": round(100 * found["budget"]),
                "found": found["worst_score"],
                "pattern": found["pattern"],
            }
            facts.add("figure_7", row)


def table_9(facts: Facts) -> None:
    """The worst missing values of half of the rows for an imputer that learns."""
    X, y, X_test, y_test = load_adult()
    search = AdversarialCorruptionSearch(
        make_pipeline(
            IterativeImputer(random_state=0), LogisticRegression(solver="newton-cholesky")
        ),
        "missing",
        scoring="roc_auc",
        budget=0.5,
        cv=[(np.arange(len(X)), np.arange(len(X), len(X) + len(X_test)))],
        confirm_size=None,
        strategy=Screening(n_rerank=20),
        random_state=0,
    ).fit(pd.concat([X, X_test], ignore_index=True), pd.concat([y, y_test], ignore_index=True))
    facts.fact("table_9", "iterative", search.worst_score_)


def performance(facts: Facts) -> None:
    """Accuracy and F1 of the rebuilt pipelines of the fairness study."""
    data: dict[str, Any] = {}
    for case in all_cases():
        if case.data not in data:
            data[case.data] = load_fair(case.data)
        X, y = data[case.data]
        scores: list[tuple[float, float]] = []
        for train, test in splits_of(len(X), N_SPLITS):
            with warnings.catch_warnings():
                # models that do not converge on raw data are part of the study
                warnings.simplefilter("ignore")
                model = clone(case.pipeline).fit(X.iloc[train], y.iloc[train])
                said = model.predict(X.iloc[test])
            truth = y.iloc[test]
            scores.append((accuracy_score(truth, said), f1_score(truth, said)))
        for name, values in zip(("accuracy", "F1"), np.transpose(scores), strict=True):
            facts.add(
                "performance",
                {
                    "fact": f"{case.name}: {name}",
                    "value": float(np.mean(values)),
                    "spread": [float(min(values)), float(max(values))],
                    "differs": case.differs or None,
                },
            )


SECTIONS: dict[str, Callable[[Facts], None]] = {
    "shapes": shapes,
    "sizes": sizes,
    "actions": actions,
    "forests": forests,
    "german": german,
    "figure_7": figure_7,
    "table_9": table_9,
    "performance": performance,
}
