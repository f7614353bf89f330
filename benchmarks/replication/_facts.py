"""Printed numbers that no benchmark is about: shapes, sample sizes, accuracies, figure 7."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks import _results
from benchmarks._data import (
    data_folder,
    load_adult,
    load_credit_card_default,
    load_employee,
    require_file,
)
from benchmarks._hashes import require_shape
from benchmarks._results import Results
from benchmarks.replication._costs import cost_rows
from benchmarks.replication.curation._coverage import COVERAGE, coverage_rows
from benchmarks.replication.curation.curation import load_crowd, load_openi, load_spam
from benchmarks.replication.esp._features import feature_rows, named_rows
from benchmarks.replication.esp._studies import load_online_shoppers, load_south_german_credit
from benchmarks.replication.fairness._boosters import REAL, version_of, with_library
from benchmarks.replication.fairness._case import Case
from benchmarks.replication.fairness._data import load_fair
from benchmarks.replication.fairness._faults import faults, score_changes
from benchmarks.replication.fairness._files import file_facts as fairness_files
from benchmarks.replication.fairness._pipelines import one_hot_in_ac1
from benchmarks.replication.fairness._scores import score_rows
from benchmarks.replication.fairness._transformers import (
    downstream_rows,
    scripts,
    transformer_rows,
)
from benchmarks.replication.fairness._verdicts import OUR_ERROR, stage_rows, with_verdicts
from benchmarks.replication.fairness.stage_fairness import ablate, all_cases, splits_of
from benchmarks.replication.responsiveness._recidivism import recidivism_actions, synthetic_cohort
from benchmarks.replication.responsiveness._twitterbot import load_twitterbot, twitterbot_actions
from benchmarks.replication.responsiveness._validation import validation_values
from benchmarks.replication.savage._debiasing import gap_rows
from benchmarks.replication.savage._enumerated import enumerated_rows
from benchmarks.replication.savage._files import file_facts as savage_files
from benchmarks.replication.savage._published_cells import MODELS, PREPARED, load_published_sqf
from benchmarks.replication.savage._random_graphs import random_graph_rows
from benchmarks.replication.savage._subpopulations import subpopulation_rows
from benchmarks.replication.savage.adult import estimator_for
from benchmarks.search import conformal as search_conformal
from benchmarks.speed._german import german_actions, load_german
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.responsiveness import (
    minimum_informative_size,
    sample_size_for_test,
    sample_size_for_width,
)
from skcorrupt.stats import clopper_pearson

NAME = "replication-facts"
# in per cent: those printed in figure 7, and what they are when doubled
FIGURE_7 = (5, 10, 15, 20, 25, 30, 40, 50)
# what the abstract calls a small fraction
FIVE = 0.05
N_SPLITS, N_OF_ADULT = 30, 10
N_FORESTS = 5
# of CatBoost's thousand trees, which take half a minute
SLOW = {"AC4": 5}

N_GERMAN = 20
N_SIMULATED = 20


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

    def fact(self, section: str, name: str, value: Any) -> None:
        """Add a value by name."""
        self.add(section, {"fact": name, "value": value})

    def over(self, section: str, name: str, values: Sequence[float], **more: Any) -> None:
        """Add the mean of some values, their standard deviation and how many there are."""
        row = {"fact": name, "value": float(np.mean(values)), "n": len(values)}
        self.add(section, row | {"std": float(np.std(values, ddof=1)), **more})


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
    credit = load_credit_card_default()[0]
    shape("credit card", credit)
    once = {re.sub(r"_?\d+$", "", str(name)) for name in credit}
    facts.fact("shapes", "credit card: columns, months as one", len(once))
    shape("sqf, as published", load_published_sqf()[0])
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
        facts.fact("actions", f"{name}: rules", n_rules(model))
    facts.fact("actions", "german: rows", len(X))
    facts.fact("actions", "german: parts", n_parts(german))
    facts.fact("actions", "twitterbot: rows", len(load_twitterbot()[0]))


def n_rules(model: Any) -> int:
    """Rules as the paper counts them: what follows three columns follows by three linkages."""
    return len(model.constraints) + sum(len(effect.sources) for effect in model.effects)


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


def features(facts: Facts) -> None:
    """Errors in single columns of the sensitivity paper's data sets."""
    for row in feature_rows():
        facts.add("features", row)


def named(facts: Facts) -> None:
    """Errors in the columns that the sensitivity paper names as harmful to SGD."""
    for row in named_rows():
        facts.add("named", row)


def majority(facts: Facts) -> None:
    """Coverage of the intervals of labels that functions vote for, one vote each."""
    for setting in COVERAGE:
        for row in coverage_rows(*setting, n_seeds=N_SIMULATED, labeler=MajorityVoteLabeler):
            facts.add("majority", row)


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


def validation(facts: Facts) -> None:
    """What thirty points tell of the models of the validation study, 80/20 splits."""
    for key, values in validation_values().items():
        facts.over("validation", key, values)


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


def employee(facts: Facts) -> None:
    """Label errors and selection bias on Employee at the abstract's budget, coded as published."""
    X, y = load_employee()
    X = pd.get_dummies(X, columns=["City"], dtype=int)
    train, test = train_test_split(np.arange(len(X)), test_size=0.2, random_state=42)
    for error in ("labels", "selection"):
        search = AdversarialCorruptionSearch(
            make_pipeline(*PREPARED["h2o"][1](), MODELS["LR"]()),
            error,
            scoring="roc_auc",
            budget=FIVE,
            cv=[(train, test)],
            confirm_size=None,
            strategy="screening",
            random_state=0,
        ).fit(X, y)
        found = {"clean": search.baseline_score_, "found": search.worst_score_}
        facts.add("employee", {"error": error, **found, "pattern": str(search.worst_pattern_)})


def equal_opportunity(facts: Facts) -> None:
    """What errors that aim at the gap of mean probabilities among positives do on Adult."""
    for row in gap_rows(load_adult()):
        facts.add("equal_opportunity", row)


def subpopulations(facts: Facts) -> None:
    """Labels flipped in subpopulations of Adult, beside as many that a search flips."""
    for row in subpopulation_rows(load_adult()):
        facts.add("subpopulations", row)


def enumerated(facts: Facts) -> None:
    """The least AUC that errors by one attribute and the label can reach on Adult."""
    for row in enumerated_rows(load_adult()):
        facts.add("enumerated", row)


def random_graphs(facts: Facts) -> None:
    """What random search finds on Adult where graphs are drawn from all there are."""
    for row in random_graph_rows(load_adult()):
        facts.add("random_graphs", row)


def conformal(facts: Facts) -> None:
    """Tables 7 and 8, the values of all splits behind the means that the search benchmark has."""
    for table, alpha, method in search_conformal.PRINTED:
        runs = [
            search_conformal.of_split(alpha, method, seed)
            for seed in range(search_conformal.N_REPEATS)
        ]
        for name in ("clean", "found", "row_fraction"):
            values = [run[name] for run in runs]
            facts.over("conformal", f"table {table}, {method}: {name}", values)


def files(facts: Facts) -> None:
    """What the result files of two studies say of their own claims."""
    for name, value in savage_files().items():
        facts.fact("files", name, value)
    for name, value in fairness_files().items():
        facts.fact("files", f"fairness, {name}", value)


def more_splits(facts: Facts) -> None:
    """Stages again that the splits of the fairness benchmark leave open by their own error."""
    saved = _results.saved("stage-fairness") or {"sections": {"stages": []}}
    rows = with_verdicts(saved["sections"]["stages"])
    left = {row["pipeline"] for row in rows if row["verdict"] == OUR_ERROR}
    # the large table last
    for case in sorted(all_cases(), key=lambda case: "adult" in case.data):
        if case.name in left:
            for row in stage_rows(case, ablate(case, *load_fair(case.data), N_SPLITS)):
                facts.add("more_splits", row)


def boosters(facts: Facts) -> None:
    """Stages of pipelines with XGBoost, LightGBM or CatBoost, where these are installed."""
    for case, library, n in _with_libraries():
        for row in stage_rows(case, ablate(case, *load_fair(case.data), n)):
            facts.add("boosters", row | {"library": library})


def booster_faults(facts: Facts) -> None:
    """The faults of scripts again, in pipelines with these libraries."""
    for case, library, n in _with_libraries():
        for row in faults([case], load_fair, n):
            facts.add("booster_faults", row | {"library": library})


def stage_scores(facts: Facts) -> None:
    """Figure 4 of the fairness study: accuracy and F1 with a stage less those without it."""
    data: dict[str, Any] = {}
    for case in all_cases():
        # COMPAS is not in the figure
        if case.data.startswith("compas"):
            continue
        if case.data not in data:
            data[case.data] = load_fair(case.data)
        X, y = data[case.data]
        n, real = N_OF_ADULT if "adult" in case.data else N_SPLITS, with_library(case)
        more = {}
        if real is not None:
            case, n = real, SLOW.get(case.name, n)
            more["library"] = version_of(REAL[case.name][0])
        for row in score_rows(case, ablate(case, X, y, n), score_changes(case, X, y, n)):
            facts.add("stage_scores", row | more)


def _with_libraries() -> Iterator[tuple[Case, str, int]]:
    """Pipelines with an installed library, its version, and over how many splits they are run."""
    for case in map(with_library, all_cases()):
        if case is not None:
            n = case.n_splits if "adult" in case.data else N_SPLITS
            yield case, version_of(REAL[case.name][0]), SLOW.get(case.name, n)


def transformers(facts: Facts) -> None:
    """Figure 5 of the fairness study, but for the bank, and table 3, which is on German credit."""
    for script in scripts():
        for row in transformer_rows(script):
            facts.add("transformers", row)
    for row in downstream_rows():
        facts.add("transformers", row)


def costs(facts: Facts) -> None:
    """What one fit takes of models that are run less often than in a study, or not at all."""
    for row in cost_rows():
        facts.add("costs", row)


def performance(facts: Facts) -> None:
    """Accuracy and F1 of the rebuilt pipelines of the fairness study."""
    data: dict[str, Any] = {}
    cases = [case for case in all_cases() if case.data != "compas"]
    for case in [*cases, one_hot_in_ac1()]:
        if case.data not in data:
            data[case.data] = load_fair(case.data)
        X, y = data[case.data]
        scores: list[tuple[float, float]] = []
        for train, test in splits_of(len(X), N_OF_ADULT if "adult" in case.data else N_SPLITS):
            with warnings.catch_warnings():
                # models that do not converge on raw data are part of the study
                warnings.simplefilter("ignore")
                model = clone(case.pipeline).fit(X.iloc[train], y.iloc[train])
                said = model.predict(X.iloc[test])
            truth = y.iloc[test]
            scores.append((accuracy_score(truth, said), f1_score(truth, said)))
        for name, values in zip(("accuracy", "F1"), np.transpose(scores), strict=True):
            facts.over("performance", f"{case.name}: {name}", values, differs=case.differs or None)


SECTIONS: dict[str, Callable[[Facts], None]] = {
    "shapes": shapes,
    "sizes": sizes,
    "actions": actions,
    "forests": forests,
    "features": features,
    "named": named,
    "majority": majority,
    "validation": validation,
    "german": german,
    "figure_7": figure_7,
    "employee": employee,
    "equal_opportunity": equal_opportunity,
    "subpopulations": subpopulations,
    "enumerated": enumerated,
    "random_graphs": random_graphs,
    "conformal": conformal,
    "files": files,
    "performance": performance,
    "transformers": transformers,
    "more_splits": more_splits,
    "boosters": boosters,
    "booster_faults": booster_faults,
    "stage_scores": stage_scores,
    "costs": costs,
}
