"""What cleaning is worth under the worst errors: imputers, label cleaning, BoostClean and AutoML.

Run `OMP_NUM_THREADS=1 python -m benchmarks cleaning [section ...]`, in an environment with
`requirements.txt` beside this file. A run goes on where an earlier one stopped, a comparison at a
time. The plain pipeline fills gaps by means, scales, and fits a logistic regression; this is what
the Savage study calls H2O.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import pandas as pd
from sklearn.base import clone
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._data import data_folder, load_credit_card_default, load_employee, require_file
from benchmarks._results import markdown_table
from benchmarks.replication.savage._published_cells import DATA_NAMES, published_data
from benchmarks.robustness._boost_clean import BoostClean
from benchmarks.search._common import ResumedResults, check_sections, on_test_set
from skcorrupt.adversarial import Screening, SearchSpace
from skcorrupt.robustness import DoubtfulLabelClassifier, compare_robustness

SECTIONS = ("missing", "labels", "selection")
NEEDED = ("cleanlab", "flaml")
BUDGET = 0.1
# rows of a table that are searched and confirmed on, and right ones that no error gets to
ROWS, RIGHT_ROWS = 4_000, 500
CONFIRM_SIZE = 0.25
CONDITIONS = 2
PLAIN = "plain"
BOOST_CLEAN, TOLD = "BoostClean", "BoostClean, told 500 right rows"
AUTOML = "FLAML"
# what is called saved: this share of the plain pipeline's drop is left, and this is lost when clean
SHARE_LEFT, CLEAN_LOSS = 0.5, 0.01
# names of the study's result files, by pipeline and by section
STUDIED = {
    PLAIN: "h2o",
    "median": "MedianImputer",
    "KNN": "KNNImputer",
    "iterative": "IterativeImputer",
    BOOST_CLEAN: "boostclean",
    AUTOML: "autosklearn",
    "Diffprep": "diffprep",
}
SERIES = {"missing": "MNAR", "labels": "Label", "selection": "Sampling"}
Table = tuple[pd.DataFrame, pd.Series, pd.DataFrame, pd.Series]


def run(quick: bool = False, sections: Sequence[str] = SECTIONS) -> None:
    """Compare, and save the rows of every comparison as soon as they are there.

    Parameters
    ----------
    quick : bool, default=False
        One table and three pipelines, without the libraries.
    sections : sequence of {"missing", "labels", "selection"}
        Kinds of error.
    """
    check_sections(sections, SECTIONS)
    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent and not quick:
        told = "pip install -r benchmarks/robustness/requirements.txt"
        print(f"cleaning: not run without {' and '.join(absent)}; {told}", file=sys.stderr)
        return
    results = ResumedResults("cleaning", quick)
    for error in sections:
        done = {row["data"] for row in results.go_on(error)}
        for data, load in list(TABLES.items())[: 1 if quick else None]:
            if data not in done:
                for row in compared(data, error, load(), quick):
                    results.add(error, row)
    if not quick:
        results.begin("published")
        for row in published():
            results.add("published", row)


def plain() -> Any:
    """Means for gaps, scaled numbers, logistic regression."""
    return filled_by(SimpleImputer())


def filled_by(imputer: Any) -> Any:
    """The same with another imputer."""
    return make_pipeline(imputer, StandardScaler(), LogisticRegression())


def pipelines(error: str, right: tuple[Any, Any], quick: bool = False) -> dict[str, Any]:
    """The pipelines of a leaderboard, the plain one first.

    Parameters
    ----------
    error : {"missing", "labels", "selection"}
        What they are to be cleaned of.
    right : tuple of DataFrame and Series
        Features and labels that no error gets to.
    quick : bool, default=False
        Whether three of them are enough.

    Returns
    -------
    dict of str to classifier
        Unfitted, by name.
    """
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    boosted = BoostClean(scaled)
    found = {PLAIN: plain(), BOOST_CLEAN: boosted}
    if error == "missing":
        found["median"] = filled_by(SimpleImputer(strategy="median"))
    if quick:
        return found
    found[TOLD] = clone(boosted).set_params(X_valid=right[0], y_valid=right[1])
    from benchmarks.robustness._libraries import CleanlabClassifier, FlamlClassifier

    if error == "missing":
        found["mean, and where gaps were"] = filled_by(SimpleImputer(add_indicator=True))
        found["KNN"] = filled_by(KNNImputer(n_neighbors=10))
        found["iterative"] = filled_by(IterativeImputer(max_iter=10, random_state=42))
    if error == "labels":
        found["cleanlab"] = CleanlabClassifier(
            plain(), cv_n_folds=5, seed=0, find_label_issues_kwargs={"n_jobs": 1}
        )
        found["doubtful labels left out"] = DoubtfulLabelClassifier(plain(), random_state=0)
    if error == "selection":
        balanced = LogisticRegression(class_weight="balanced")
        found["balanced classes"] = make_pipeline(SimpleImputer(), StandardScaler(), balanced)
    return found | {AUTOML: FlamlClassifier()}


def of_study(name: str) -> Callable[[], Table]:
    """A table as the study has it."""
    return lambda: sampled(*on_test_set(published_data()[name])[:2])


def employee() -> Table:
    """Employee, all rows but 153."""
    return sampled(*load_employee())


def credit_card() -> Table:
    """Credit Card, six months as one, as the study has it: eight columns."""
    X, y = load_credit_card_default()
    months = X.columns.str.replace(r"_?\d+$", "", regex=True)
    return sampled(X.T.groupby(months, sort=False).mean().T, y)


TABLES: dict[str, Callable[[], Table]] = {
    "Adult": of_study("adult"),
    "Employee": employee,
    "Credit Card": credit_card,
    "SQF": of_study("sqf"),
}


def sampled(X: pd.DataFrame, y: pd.Series) -> Table:
    """Rows to search on, and other ones that stay right."""
    sizes: dict[str, Any] = {"train_size": ROWS, "test_size": RIGHT_ROWS}
    X, X_right, y, y_right = train_test_split(X, y, stratify=y, random_state=0, **sizes)
    parts: list[Any] = [each.reset_index(drop=True) for each in (X, y, X_right, y_right)]
    return tuple(parts)  # type: ignore[return-value]


def compared(data: str, error: str, table: Table, quick: bool = False) -> list[dict[str, Any]]:
    """A leaderboard of one table under one kind of error, a row a pipeline.

    Parameters
    ----------
    data : str
        Name of the table.
    error : {"missing", "labels", "selection"}
        The kind of error.
    table : tuple
        Features and labels to search on, and right ones.
    quick : bool, default=False
        Whether three pipelines are enough.

    Returns
    -------
    list of dict
        What each loses.
    """
    X, y, *right = table
    models = pipelines(error, (right[0], right[1]), quick)
    seconds = {name: _seconds_of_a_fit(model, X, y, right) for name, model in models.items()}
    started = time.process_time()
    comparison = compare_robustness(
        models, X, y, corruptions=error, budgets=BUDGET, apply_to="train", scoring="roc_auc",
        cv=StratifiedShuffleSplit(1, test_size=1 / 3, random_state=0),
        space=SearchSpace(label="allowed", max_conditions=CONDITIONS),
        strategy=Screening("linear", n_rerank=16), confirm_size=CONFIRM_SIZE, random_state=0,
    )  # fmt: skip
    spent = time.process_time() - started
    moved = comparison.transfer_
    moved = moved[moved["found_for"] == PLAIN].set_index("scored_on")["score"]
    rows = []
    for found in comparison.results_.to_dict("records"):
        name = found["estimator"]
        hit = ", ".join(map(str, found["columns"]))
        numbers = ("clean", "random", "worst", "confirmed_clean", "confirmed")
        rows.append(
            {"data": data, "pipeline": name, "status": found["status"]}
            | {key: found[key] for key in numbers}
            | {
                "drop": found["confirmed_drop"],
                "drop_low": found["confirmed_drop_low"],
                "drop_high": found["confirmed_drop_high"],
                "rank": found["rank"],
                "under_plains_worst": float(moved.get(name, float("nan"))),
                "worst_from": found["worst_from"],
                "found": f"{hit}: {found['pattern']}" if error == "missing" else found["pattern"],
                "rate": found["rate"],
                "seconds_of_a_fit": seconds[name],
                "seconds_of_all": spent,
                "message": found["message"],
            }
        )
    return rows


def _seconds_of_a_fit(model: Any, X: pd.DataFrame, y: pd.Series, right: Sequence[Any]) -> float:
    """Processor seconds of one fit on the rows of a search and one score, after one before."""
    n = int(ROWS * (1 - CONFIRM_SIZE) * 2 / 3)
    for _ in range(2):
        started = time.process_time()
        fitted = clone(model).fit(X[:n], y[:n])
        roc_auc_score(right[1], fitted.predict_proba(right[0])[:, 1])
    return time.process_time() - started


def published() -> list[dict[str, Any]]:
    """What the study's result files have at the same budget, for logistic regression."""
    table = pd.read_csv(require_file(data_folder(), "savage_results/results.csv"))
    table = table[(table["model"] == "LR") & (table["metric"] == "AUC")]
    found = []
    for error, series in SERIES.items():
        for key, data in DATA_NAMES.items():
            here = table[(table["error"] == series) & (table["dataset"] == key)]
            # the files go up to half of the rows
            budget = here["budget_rows"].max() // 5
            for method in STUDIED.values():
                of = here[here["pipeline"] == method]
                clean = of.loc[of["budget_rows"] == 0, "mean"]
                worst = of.loc[(of["budget_rows"] - budget).abs() <= 1, ["mean", "std"]]
                if len(clean) and len(worst):
                    found.append(
                        {
                            "error": error,
                            "data": data,
                            "method": method,
                            "clean": float(clean.iloc[0]),
                            "worst": float(worst["mean"].iloc[0]),
                            "std": float(worst["std"].iloc[0]),
                        }
                    )
    return found


def saves(row: dict[str, Any], plain_row: dict[str, Any]) -> bool:
    """Whether a pipeline keeps half of what the plain one loses, and loses little when clean.

    Parameters
    ----------
    row, plain_row : dict
        Saved rows of the same table and kind of error.

    Returns
    -------
    bool
        The answer; no where the plain one loses nothing.
    """
    lost = plain_row["confirmed_clean"] - plain_row["confirmed"]
    left = plain_row["confirmed_clean"] - row["confirmed"]
    clean_loss = plain_row["confirmed_clean"] - row["confirmed_clean"]
    return bool(lost > 0 and left <= SHARE_LEFT * lost and clean_loss <= CLEAN_LOSS)


def shown(
    rows: Sequence[dict[str, Any]], studied: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Saved rows of one kind of error as the page has them.

    Parameters
    ----------
    rows : sequence of dict
        What each pipeline loses.
    studied : sequence of dict
        What is published of the same kind.

    Returns
    -------
    list of dict
        With the share of the plain pipeline's drop that is left.
    """
    plains = {row["data"]: row for row in rows if row["pipeline"] == PLAIN}
    known = {(row["data"], row["method"]): row for row in studied}
    found = []
    for row in rows:
        base = plains[row["data"]]
        lost = base["confirmed_clean"] - base["confirmed"]
        its = known.get((row["data"], STUDIED.get(row["pipeline"], "")))
        found.append(
            row
            | {
                "drop_interval": [row["drop_low"], row["drop_high"]],
                "share_left": (base["confirmed_clean"] - row["confirmed"]) / lost,
                "saves": None if row["pipeline"] == PLAIN else saves(row, base),
                "published": None if its is None else [its["clean"], its["worst"]],
            }
        )
    return found


def counted(sections: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """By kind of error and pipeline: on how many tables it saves.

    Parameters
    ----------
    sections : dict of str to list of dict
        Saved rows by kind of error.

    Returns
    -------
    list of dict
        A row a kind of error and pipeline.
    """
    found = []
    for error in SECTIONS:
        rows = shown(sections.get(error, []), [])
        for name in dict.fromkeys(row["pipeline"] for row in rows):
            of = [row for row in rows if row["pipeline"] == name and row["status"] == "ok"]
            shares = [row["share_left"] for row in of]
            found.append(
                {
                    "error": error,
                    "pipeline": name,
                    "tables": len(of),
                    "harmed": sum(row["drop_low"] > 0 for row in of),
                    "large": sum(row["drop"] > 0.05 for row in of),
                    "least_left": min(shares, default=None),
                    "most_left": max(shares, default=None),
                    "saves": None if name == PLAIN else sum(row["saves"] for row in of),
                    "seconds": sum(row["seconds_of_a_fit"] for row in of) / max(len(of), 1),
                }
            )
    return found


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    each = {
        "data": "data", "pipeline": "pipeline", "clean": "clean", "random": "random",
        "worst": "worst", "confirmed_clean": "clean, new rows", "confirmed": "worst, new rows",
        "drop_interval": "drop", "share_left": "share of plain's drop", "saves": "saves",
        "rank": "rank", "under_plains_worst": "under plain's worst", "worst_from": "worst was for",
        "found": "worst error", "published": "published, clean – worst",
    }  # fmt: skip
    sums = {
        "error": "error", "pipeline": "pipeline", "tables": "tables", "harmed": "confirmed harm",
        "large": "drops over .05", "least_left": "share left, least", "most_left": "most",
        "saves": "saves", "seconds": "seconds of a fit",
    }  # fmt: skip
    printed = {
        "error": "error", "data": "data", "method": "method", "clean": "clean", "worst": "worst",
        "std": "deviation",
    }  # fmt: skip
    sections = content["sections"]
    studied = sections.get("published", [])
    made = {"cleaning-counts": markdown_table(counted(sections), sums)}
    for error in SECTIONS:
        theirs = [row for row in studied if row["error"] == error]
        rows = shown(sections.get(error, []), theirs)
        made[f"cleaning-{error}"] = markdown_table(rows, each)
    made["cleaning-published"] = markdown_table(studied, printed)
    return made
