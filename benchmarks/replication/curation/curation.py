"""Natural adversarial curation: the paper's table on public data, and Snorkel side by side."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kstest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline

from benchmarks._data import data_folder, require_file
from benchmarks._hashes import require_shape
from benchmarks._results import Results, section_tables
from benchmarks.replication.curation._coverage import COVERAGE, coverage_rows
from benchmarks.replication.curation._rho import rho_row
from benchmarks.replication.curation._snorkel import (
    EPOCHS,
    MORE_EPOCHS,
    SnorkelLabels,
    snorkel_version,
)
from skcorrupt.curation import (
    GenerativeLabelModel,
    LabelingFunctionSelector,
    MajorityVoteLabeler,
    NaturalAdversarialCurator,
    votes_from_long,
)

SENTIMENTS = {"Negative": 0, "Positive": 1}
# what table 1 prints: confidence with all functions and with the selected ones, lower bound alike
PRINTED = {
    ("spam", "majority"): (-0.985, -0.985, -0.767, -0.767),
    ("spam", "generative"): (-0.673, -0.673, -0.656, -0.656),
    ("crowdsourcing", "majority"): (-0.864, -0.988, -0.864, -0.976),
    ("crowdsourcing", "generative"): (-0.976, -0.988, -0.864, -0.976),
    ("cross modal", "majority"): (-1.000, -1.000, -0.879, -0.782),
    ("cross modal", "generative"): (-1.000, -0.988, -0.624, -0.806),
}
WAYS = (
    ("confidence, all functions", "confidence", False),
    ("confidence, selected", "confidence", True),
    ("lower bound, all functions", "lower_bound", False),
    ("lower bound, selected", "lower_bound", True),
)
# where weak labels can be wrong
LONGER = ("spam", "cross modal")
IMPORT_SECONDS = 1.5
DEEP = ("torch", "tensorflow", "keras", "jax", "snorkel")
SIZES = (("alarms", 3_265, 62), ("recommendations", 850_000, 5))
SETTINGS = (
    ("balanced", 2, 0.5, False),
    ("balanced, one-sided", 2, 0.5, True),
    ("prior .8 known", 2, 0.8, False),
    ("prior .8 known, one-sided", 2, 0.8, True),
    ("four classes", 4, 0.25, False),
)
COLUMNS = {
    "table": {
        "data": "data",
        "labeler": "labeler",
        "way": "ordered by",
        "splits": "splits",
        "undefined": "of them without rho",
        "printed": "printed rho",
        "rho": "ours, median",
        "mean": "mean",
        "least": "least",
        "most": "most",
        "pvalue": "printed kind of p",
        "permuted": "permutation p",
        "verdict": "verdict",
    },
    "speed": {
        "votes": "votes",
        "model": "model",
        "ours": "ours, s",
        "snorkel": "Snorkel, s",
        "ratio": "ratio",
        "required": "required",
        "met": "met",
    },
    "quality": {
        "setting": "setting",
        "functions": "functions",
        "accuracy": "accuracy, ours",
        "snorkel_accuracy": "Snorkel",
        "majority_accuracy": "majority",
        "loss": "log-loss, ours",
        "snorkel_loss": "Snorkel",
        "majority_loss": "majority",
        "met": "no worse by more than .005",
    },
    "null": {
        "sets": "sets N",
        "nested": "nested",
        "orders": "random orders",
        "printed": "valid by the printed p",
        "permuted": "valid by permutation",
        "printed_distance": "distance of the printed p from uniform",
        "distance": "distance of the permutation p",
    },
    "coverage": {
        "classes": "classes",
        "rows": "rows",
        "one_sided": "one-sided",
        "copies": "copies of each function",
        "successes": "successes",
        "covered": "bounds that hold the chance of being right",
        "least": "least of the seeds",
        "below": "chance below the lower bound",
        "width": "mean width",
    },
    "import": {
        "times": "imports",
        "least": "least, s",
        "median": "median, s",
        "required": "required, s",
        "deep": "deep-learning libraries loaded",
        "met": "met",
    },
    "classifier": {
        "dataset": "set",
        "n_rows": "rows",
        "lower_bound": "least bound",
        "agreement": "model agrees with weak labels",
        "accuracy": "model is right",
        "weak_accuracy": "weak labels are right",
    },
}


def run(quick: bool = False) -> None:
    """Run all parts and save them as they come.

    Parameters
    ----------
    quick : bool, default=False
        Fewer simulations, small matrices.
    """
    results = Results("curation", quick)
    for data, sets in (
        ("spam", in_other_orders(load_spam()[:3], 2 if quick else 20)),
        ("crowdsourcing", [load_crowd(seed) for seed in range(2 if quick else 20)]),
        (
            "crowdsourcing, less sure gold too",
            [load_crowd(seed, sure=False) for seed in range(2 if quick else 20)],
        ),
        ("cross modal", in_other_orders(load_openi(), 2 if quick else 20)),
    ):
        for row in table_rows(data, sets):
            results.add("table", row)
    for row in classifier_rows():
        results.add("classifier", row)
    for setting in COVERAGE:
        for row in coverage_rows(*setting, n_seeds=2 if quick else 20):
            results.add("coverage", row)
    for n_sets in (10, 50):
        for nested in (True, False):
            results.add("null", null_row(n_sets, nested, 100 if quick else 5000))
    results.add("import", import_row(2 if quick else 15))
    if find_spec("snorkel") is None:
        print("Snorkel is not installed here; its comparison is left out.")
        return
    for name, n, m in SIZES:
        for row in speed_rows(name, n // 20 if quick else n, m):
            results.add("speed", row)
    for setting in SETTINGS:
        for m in (5, 10, 30):
            results.add("quality", quality_row(*setting, m, 2 if quick else 10))


def load_spam() -> tuple[np.ndarray, np.ndarray, np.ndarray, pd.Series]:
    """Votes and labels of YouTube comments; further votes; the comments.

    Returns
    -------
    L : ndarray of shape (370, 10)
        Votes on the validation and test rows.
    y : ndarray of shape (370,)
        Their labels.
    L_more : ndarray of shape (1586, 10)
        Votes on the training rows.
    texts : Series of shape (370,)
        The comments.
    """
    train, valid, test = _parts("youtube_spam", ("train", "valid", "test"))
    shown = pd.concat([valid, test], ignore_index=True)
    names = [name for name in shown if name not in ("gold", "text")]
    votes = shown[names].to_numpy(), shown["gold"].to_numpy(), train[names].to_numpy()
    require_shape("YouTube comments", votes[0], (370, 10))
    require_shape("YouTube comments, training rows", votes[2], (1586, 10))
    return (*votes, shown["text"].fillna(""))


def load_openi() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Votes and labels of radiology reports, and further votes.

    Returns
    -------
    L : ndarray of shape (754, 18)
        Votes on the development and test rows.
    y : ndarray of shape (754,)
        Their labels.
    L_more : ndarray of shape (2630, 18)
        Votes on the training rows.
    """
    train, dev, test = _parts("openi", ("train", "dev", "test"))
    shown = pd.concat([dev, test], ignore_index=True)
    names = [name for name in shown if name != "gold"]
    L, L_more = shown[names].to_numpy(), train[names].to_numpy()
    require_shape("Radiology reports", L, (754, 18))
    require_shape("Radiology reports, training rows", L_more, (2630, 18))
    return L, shown["gold"].to_numpy(), L_more


def load_crowd(seed: int, sure: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Judgements of weather tweets by crowd workers, a random hundred of them to be ordered.

    Parameters
    ----------
    seed : int
        Which hundred; the paper's split is not published.
    sure : bool, default=True
        Only tweets of which all judges of the second round agreed, as in the paper.

    Returns
    -------
    L : ndarray of shape (100, n_workers)
        Votes; a worker is a labeling function.
    y : ndarray of shape (100,)
        What all judges of a second round agreed on.
    L_more : ndarray of shape (187, n_workers)
        Votes on the other tweets.
    """
    folder = "weather_tweets"
    raw = pd.read_csv(require_file(data_folder(), f"{folder}/weather-non-agg-DFE.csv"))
    gold = pd.read_csv(require_file(data_folder(), f"{folder}/weather-evaluated-agg-DFE.csv"))
    right = gold["correct_category"] == "Yes"
    if sure:
        right &= gold["correct_category_conf"] == 1
    gold = gold[right & gold["sentiment"].isin(list(SENTIMENTS))].drop_duplicates("tweet_id")
    judged = raw[raw["tweet_id"].isin(gold["tweet_id"]) & raw["emotion"].isin(list(SENTIMENTS))]
    L, items, _, _ = votes_from_long(
        judged,
        item="tweet_id",
        worker="worker_id",
        label="emotion",
        labels=SENTIMENTS,
        items=gold["tweet_id"].tolist(),
        conflicts="abstain",
    )
    y = gold.set_index("tweet_id").loc[items, "sentiment"].map(SENTIMENTS).to_numpy()
    if sure:
        require_shape("Weather tweets", L, (287, 102))
    chosen = np.random.default_rng(seed).permutation(len(y))
    shown, rest = chosen[:100], chosen[100:]
    return L[shown], y[shown], L[rest]


def _parts(folder: str, names: tuple[str, ...]) -> list[pd.DataFrame]:
    paths = [require_file(data_folder(), f"{folder}/votes_{name}.csv") for name in names]
    return [pd.read_csv(path) for path in paths]


def table_rows(data: str, sets: list[tuple]) -> list[dict[str, Any]]:
    """The four columns of table 1 for all labelers, medians over splits where rho is defined."""
    labelers: dict[str, Any] = {
        "majority": MajorityVoteLabeler(classes=[0, 1]),
        "generative": GenerativeLabelModel(classes=[0, 1]),
    }
    if find_spec("snorkel") is not None:
        labelers["Snorkel"] = SnorkelLabels()
        if data in LONGER:
            labelers[f"Snorkel, {MORE_EPOCHS} epochs"] = SnorkelLabels(n_epochs=MORE_EPOCHS)
    return [row for name in labelers for row in labeler_rows(data, sets, name, labelers[name])]


def labeler_rows(data: str, sets: list[tuple], labeler: str, model: Any) -> list[dict[str, Any]]:
    """The four columns of table 1 for one labeler.

    Parameters
    ----------
    data : str
        Name of the data set.
    sets : list of tuple
        Votes, labels and further votes of every split.
    labeler : str
        Name of the label model; Snorkel's numbers are printed beside those of ours, too.
    model : label model
        The label model.

    Returns
    -------
    list of dict
        A row a column of the table.
    """
    rows = []
    theirs = labeler.startswith("Snorkel")
    about = {"library": snorkel_version()} if theirs else {}
    beside = "generative" if theirs else labeler
    for (way, order_by, selects), printed in zip(
        WAYS, PRINTED[data.partition(",")[0], beside], strict=True
    ):
        found = []
        for seed, (L, y, L_more) in enumerate(sets):
            if theirs:
                # where its optimiser begins is drawn
                model.set_params(seed=seed)
            selector = LabelingFunctionSelector() if selects else None
            curator = NaturalAdversarialCurator(
                # as in the paper
                model,
                selector,
                successes="confidence",
                order_by=order_by,
                random_state=0,
            )
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "(Generative|Majority|Snorkel)")
                score = curator.fit(L, L_more=L_more).score_ordering(y)
            found.append((score.rho, score.pvalue, score.permutation_pvalue))
        known = [each for each in found if np.isfinite(each[0])]
        rho, pvalue, permuted = np.median(known, axis=0) if known else [None] * 3
        rhos = [each[0] for each in known]
        rows.append(
            {
                "data": data,
                "labeler": labeler,
                "way": way,
                "splits": len(found),
                "undefined": len(found) - len(known),
                "printed": printed,
                "rho": rho,
                "mean": float(np.mean(rhos)) if rhos else None,
                "std": float(np.std(rhos, ddof=1)) if len(rhos) > 1 else None,
                "least": min(rhos, default=None),
                "most": max(rhos, default=None),
                "pvalue": pvalue,
                "permuted": permuted,
                **about,
            }
        )
    return rows


def classifier_rows() -> list[dict[str, Any]]:
    """A text classifier along the sets of spam comments, which the paper leaves for later."""
    L, y, L_more, texts = load_spam()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(Generative|Majority)")
        curator = NaturalAdversarialCurator(GenerativeLabelModel(), successes="confidence")
        curator.fit(L, L_more=L_more)
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10))
    return curator.evaluate(model, texts, y).to_dict("records")


def null_row(n_sets: int, nested: bool, n_orders: int) -> dict[str, Any]:
    """How often a random order is valid."""
    rng = np.random.default_rng(0)
    L = np.zeros((1000, 1), dtype=int)
    L[rng.random(1000) < 0.5] = 1
    curator = NaturalAdversarialCurator(
        MajorityVoteLabeler(),
        successes="confidence",
        n_datasets=n_sets,
        nested=nested,
        # every order is compared with random ones of its own
        random_state=np.random.RandomState(0),
    ).fit(L)
    counts = np.zeros(2)
    pvalues = []
    for _ in range(n_orders):
        wrong = rng.random(1000) < 0.3
        y = np.where(wrong, 1 - curator.labels_, curator.labels_)
        score = curator.score_ordering(y, n_permutations=499)
        counts += score.valid, score.permutation_valid
        pvalues.append((score.permutation_pvalue, score.pvalue))
    printed, permuted = counts / n_orders
    return {
        "sets": n_sets,
        "nested": nested,
        "orders": n_orders,
        "printed": printed,
        "permuted": permuted,
        "distance": kstest([each for each, _ in pvalues], "uniform").statistic,
        "printed_distance": kstest([each for _, each in pvalues], "uniform").statistic,
    }


def import_row(n_times: int) -> dict[str, Any]:
    """How long a fresh process takes to import the package, and what it does not load."""
    script = (
        "import sys, time; t = time.perf_counter(); import skcorrupt; t = time.perf_counter() - t; "
        f"print(t, *[name for name in {DEEP!r} if name in sys.modules])"
    )
    seconds, loaded = [], set()
    for _ in range(n_times):
        said = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.split()
        seconds.append(float(said[0]))
        loaded |= set(said[1:])
    return {
        "times": n_times,
        "least": min(seconds),
        "median": float(np.median(seconds)),
        "required": IMPORT_SECONDS,
        "deep": ", ".join(sorted(loaded)) or "none",
        "met": float(np.median(seconds)) < IMPORT_SECONDS and not loaded,
    }


def in_other_orders(votes: tuple, n_orders: int) -> list[tuple]:
    """The same votes in other orders of the rows, on which the order of ties depends."""
    L, y, L_more = votes
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(n_orders)]
    return [(L[order], y[order], L_more) for order in orders]


def simulated(
    n: int, m: int, seed: int, n_classes: int = 2, prior: float = 0.5, one_sided: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Votes of functions that are independent given the label.

    Parameters
    ----------
    n, m : int
        Rows and functions.
    seed : int
        Seed.
    n_classes : int, default=2
        Classes.
    prior : float, default=0.5
        Share of the first.
    one_sided : bool, default=False
        Whether each function votes for one class only.

    Returns
    -------
    L : ndarray of int, shape (n, m)
        Votes.
    y : ndarray of int, shape (n,)
        Labels.
    """
    rng = np.random.default_rng(seed)
    rest = (1 - prior) / (n_classes - 1)
    y = rng.choice(n_classes, n, p=[prior] + [rest] * (n_classes - 1))
    L = np.full((n, m), -1)
    for j in range(m):
        wrong = (y + rng.integers(1, n_classes, n)) % n_classes
        voted = np.where(rng.random(n) < rng.uniform(0.6, 0.95), y, wrong)
        casts = rng.random(n) < rng.uniform(0.2, 0.8)
        if one_sided:
            casts &= voted == j % n_classes
        L[casts, j] = voted[casts]
    return L, y


def speed_rows(name: str, n: int, m: int) -> list[dict[str, Any]]:
    """Fits of both label models and of majority votes beside Snorkel's, in one process."""
    models = import_module("snorkel.labeling.model")
    L, _ = simulated(n, m, 0)

    def theirs() -> None:
        model = models.LabelModel(cardinality=2, verbose=False)
        model.fit(L, n_epochs=EPOCHS, seed=0, progress_bar=False)

    def voted() -> None:
        models.MajorityLabelVoter(cardinality=2).predict_proba(L)

    pairs = (
        ("generative", lambda: GenerativeLabelModel().fit(L), theirs, 10 if m > 10 else 3),
        ("majority", lambda: MajorityVoteLabeler().fit(L).predict_proba(L), voted, 20),
    )
    rows = []
    for model, ours, other, required in pairs:
        # both warmed up, in turn, and the medians of as many
        ours(), other()
        timed = [(_seconds(ours), _seconds(other)) for _ in range(5 if n > 100_000 else 15)]
        seconds, others = (float(each) for each in np.median(timed, axis=0))
        rows.append(
            {
                "votes": f"{name}, {n} × {m}, coverage {(L >= 0).mean():.2f}",
                "model": model,
                "ours": seconds,
                "snorkel": others,
                "ratio": others / seconds,
                "required": required,
                "met": others / seconds >= required,
            }
        )
    return rows


def _seconds(function: Any) -> float:
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def quality_row(
    setting: str, n_classes: int, prior: float, one_sided: bool, m: int, n_seeds: int
) -> dict[str, Any]:
    """Accuracy and log-loss beside Snorkel's, means over simulated votes."""
    models = import_module("snorkel.labeling.model")
    shares = [prior] + [(1 - prior) / (n_classes - 1)] * (n_classes - 1)
    found = []
    for seed in range(n_seeds):
        L, y = simulated(3000, m, seed, n_classes, prior, one_sided)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "GenerativeLabelModel")
            ours = GenerativeLabelModel(shares, classes=range(n_classes)).fit(L)
        snorkel = models.LabelModel(cardinality=n_classes, verbose=False)
        snorkel.fit(L, n_epochs=EPOCHS, seed=0, class_balance=shares, progress_bar=False)
        majority = MajorityVoteLabeler(classes=range(n_classes)).fit(L)
        row: list[float] = []
        for model in (ours, snorkel, majority):
            proba = np.clip(model.predict_proba(L), 1e-12, 1)
            proba /= proba.sum(axis=1, keepdims=True)
            row += [np.mean(proba.argmax(axis=1) == y), log_loss(y, proba, labels=range(n_classes))]
        found.append(row)
    mean = np.mean(found, axis=0)
    return {
        "setting": setting,
        "functions": m,
        "accuracy": mean[0],
        "snorkel_accuracy": mean[2],
        "majority_accuracy": mean[4],
        "loss": mean[1],
        "snorkel_loss": mean[3],
        "majority_loss": mean[5],
        "met": bool(mean[0] >= mean[2] - 0.005 and mean[1] <= mean[3] + 0.005),
    }


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    sections = content["sections"]
    rows = [row | {"verdict": _verdict(row)} for row in sections.get("table", [])]
    return section_tables(content | {"sections": sections | {"table": rows}}, COLUMNS)


def _verdict(row: dict[str, Any]) -> str | None:
    """That of the replication; none where gold labels or settings are further ones."""
    further = "," in row["data"] or "," in row["labeler"]
    return None if further else rho_row("", f"{row['printed']:.3f}", row).verdict
