"""Whether a proxy keeps what is worst: candidates scored by it and by the pipeline."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._data import load_adult, load_credit_card_default
from benchmarks._results import Results
from benchmarks.search._common import met, on_test_set, subsample
from benchmarks.search._data import halves
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.adversarial.candidates import CandidateSpace, Template
from skcorrupt.adversarial.proxies import (
    LEAST_AGREEMENT,
    SCREENED_ROWS,
    Judged,
    Screened,
    agreement_of,
    on_fewer_rows,
    preferred,
    shrunken,
)
from skcorrupt.adversarial.strategies._screening_run import ScreeningRun

N_CANDIDATES = 150
N_WORST = 10
N_FIRST = 30
REQUIRED = 0.9
BUDGET = 0.1
LEAST_SUPPORT = 0.005
MOST_CONDITIONS = 3
# random forests on all rows of both data sets would take an hour
MOST_TRAIN, MOST_TEST = 12_000, 6_000


def models() -> dict[str, Any]:
    """The three models, each after mean imputation."""
    return {
        "logistic regression": make_pipeline(
            SimpleImputer(), StandardScaler(), LogisticRegression(solver="newton-cholesky")
        ),
        "random forest": make_pipeline(
            SimpleImputer(), RandomForestClassifier(n_estimators=50, random_state=0)
        ),
        "histogram boosting": make_pipeline(
            SimpleImputer(), HistGradientBoostingClassifier(random_state=0)
        ),
    }


def recall(results: Results, quick: bool) -> None:
    """Rank correlation, and which of the worst are among the first; saved rows are left alone."""
    known = {(row["data"], row["error"], row["model"]) for row in results.rows("recall")}
    sources = {"Adult": load_adult(), "Credit Card Default": halves(*load_credit_card_default())}
    for error in ("missing", "labels"):
        for data_name, data in sources.items():
            some = subsample(data, MOST_TRAIN, MOST_TEST)
            for model_name, model in models().items():
                if (data_name, error, model_name) in known:
                    continue
                row = recalled(model, error, some, 40 if quick else N_CANDIDATES)
                results.add(
                    "recall",
                    {
                        "data": data_name,
                        "error": error,
                        "model": model_name,
                        **row,
                        "required": REQUIRED,
                        "met": met(row["recall"], REQUIRED, at_most=False),
                    },
                )


def recalled(model: Any, error: str, data: tuple, n_candidates: int) -> dict[str, Any]:
    """Random candidates by the proxy that "auto" takes and by the pipeline.

    Parameters
    ----------
    model : estimator
        The pipeline.
    error : {"missing", "labels", "selection"}
        The kind of error.
    data : tuple
        The training and the test set.
    n_candidates : int
        How many.

    Returns
    -------
    dict
        The proxy, its `agreement` on 30 that judge it, `spearman` and `recall` on the candidates.
    """
    both, labels, cv = on_test_set(data)
    search = AdversarialCorruptionSearch(
        model,
        error,
        budget=BUDGET,
        scoring="roc_auc",
        cv=cv,
        confirm_size=None,
        strategy="screening",
        space=SearchSpace(min_support=LEAST_SUPPORT, max_conditions=MOST_CONDITIONS),
        random_state=0,
    )
    problem = search.lay_out(both, labels)
    run = ScreeningRun(
        proxy="auto",
        n_rerank=1,
        beam=BeamSearch(),
        complete=False,
        task=problem.task,
        told=Screened(),
        decide=lambda *_: None,
        without=lambda _: None,
    )
    stand_ins, space = run.stand_ins, problem.task.space
    judged, real, agreements = run.judge(stand_ins.names())
    chosen = random_candidates(space, n_candidates)
    started = time.perf_counter()
    true = run.pipeline_scores(chosen)
    pipeline_seconds = time.perf_counter() - started
    started = time.perf_counter()
    # on the rows by which the search chooses what it scores again
    scores = {each: stand_ins.scores(each, chosen, space, stand_ins.closer) for each in agreements}
    name = preferred(agreements) or "clone"
    if not agreements.get(name, np.nan) >= LEAST_AGREEMENT:
        name = "clone"
        agreements[name], scores[name] = _cloned(run, judged, real, chosen)
    proxy_seconds = time.perf_counter() - started
    said = {each: _compared(true, each_scores) for each, each_scores in scores.items()}
    return {
        "proxy": name if agreements[name] >= LEAST_AGREEMENT else f"none, as {name} is too unlike",
        "agreement": agreements[name],
        "candidates": len(chosen),
        "spearman": said[name][0],
        "recall": said[name][1],
        "others": {each: [agreements[each], *said[each]] for each in said if each != name},
        "worst": float(true.min()),
        "pipeline_seconds": pipeline_seconds,
        "proxy_seconds": proxy_seconds,
    }


def _cloned(
    run: ScreeningRun, judged: list[Judged], real: np.ndarray, chosen: list[Judged]
) -> tuple[float, np.ndarray]:
    """Agreement and scores of the smaller clone that is tried after the built-in proxies."""
    small = shrunken(run.evaluator.estimator)
    if small is None:
        return np.nan, np.full(len(chosen), np.nan)
    cheap = on_fewer_rows(run.task, small, SCREENED_ROWS, run.clone_seed)
    cheap.evaluate([each.candidate for each in [*judged, *chosen]])
    first, last = (
        np.array([cheap.done[each.candidate.key].score for each in part])
        for part in (judged, chosen)
    )
    return agreement_of(real, first), last


def random_candidates(space: CandidateSpace, n: int) -> list[Judged]:
    """Different feasible candidates of up to three conditions, templates and points at random."""
    rng = np.random.default_rng(1)
    hits = list(space.allowed)
    chosen: dict[bytes, Judged] = {}
    while len(chosen) < n:
        columns = hits[rng.integers(len(hits))]
        need, allowed = space.required[columns], space.allowed[columns]
        others = [j for j in allowed if j not in need]
        depth = int(rng.integers(max(1, len(need)), MOST_CONDITIONS + 1))
        more = rng.permutation(others)[: depth - len(need)].tolist()
        template = Template(columns, need | frozenset(more))
        point = tuple(int(rng.integers(m)) for m in space.grid(template).shape)
        candidate = space.candidate(template, point)
        if not candidate.refused:
            chosen.setdefault(candidate.key, Judged(template, point, candidate))
    return list(chosen.values())


def _compared(true: np.ndarray, proxy: np.ndarray) -> tuple[float, float]:
    """Rank correlation, and the share of the truly worst that the proxy puts first."""
    known = np.isfinite(true)
    # what a proxy cannot score, it puts last
    guessed = np.where(np.isfinite(proxy), proxy, np.inf)[known]
    worst = set(np.argsort(true[known], kind="stable")[:N_WORST].tolist())
    first = set(np.argsort(guessed, kind="stable")[:N_FIRST].tolist())
    both = np.isfinite(guessed)
    rank = float(spearmanr(true[known][both], guessed[both]).statistic)
    return rank, len(worst & first) / N_WORST
