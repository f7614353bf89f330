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
from benchmarks.search._common import Counted, met, on_test_set, subsample
from benchmarks.search._data import halves
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import SearchSpace
from skcorrupt.adversarial.candidates import Template
from skcorrupt.adversarial.proxies import (
    LEAST_AGREEMENT,
    Found,
    Groups,
    agreement_of,
    preferred,
    shrunken,
)
from skcorrupt.adversarial.strategies._proxied import CLOSER_ROWS, SCREENED_ROWS, ProxiedSearch

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
    problem = search._prepare(both, labels, None, {})
    problem.evaluator.bar = Counted()
    proxied = ProxiedSearch(search, problem, [BUDGET])
    proxied.groups = proxied._grouped(SCREENED_ROWS)
    wanted = [name for name in proxied._families() if proxied._can(name)]
    judged, real, agreements = proxied.judge(wanted)
    chosen = random_candidates(proxied, n_candidates)
    started = time.perf_counter()
    true = proxied._pipeline_scores(chosen)
    pipeline_seconds = time.perf_counter() - started
    started = time.perf_counter()
    closer = proxied.groups if proxied.groups.share == 1 else proxied._grouped(CLOSER_ROWS)
    scores = {each: _last_scores(proxied, each, closer, chosen) for each in agreements}
    name = preferred(agreements) or "clone"
    if not agreements.get(name, np.nan) >= LEAST_AGREEMENT:
        name = "clone"
        agreements[name], scores[name] = _cloned(proxied, judged, real, chosen)
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
    proxied: ProxiedSearch, judged: list[tuple], real: np.ndarray, chosen: list[tuple]
) -> tuple[float, np.ndarray]:
    """Agreement and scores of the smaller clone that is tried after the built-in proxies."""
    small = shrunken(proxied.search.estimator)
    if small is None:
        return np.nan, np.full(len(chosen), np.nan)
    cheap = proxied._cheap_evaluator(small, SCREENED_ROWS)
    cheap.evaluate([candidate for _, _, candidate in [*judged, *chosen]])
    first, last = (
        np.array([cheap.done[c.key].score for _, _, c in part]) for part in (judged, chosen)
    )
    return agreement_of(real, first), last


def random_candidates(proxied: ProxiedSearch, n: int) -> list[tuple]:
    """Different feasible candidates of up to three conditions, templates and points at random."""
    rng = np.random.default_rng(1)
    space, beam = proxied.spaces[0], proxied.beam
    hits = list(beam.allowed)
    chosen: dict[bytes, tuple] = {}
    while len(chosen) < n:
        columns = hits[rng.integers(len(hits))]
        need, allowed = beam.required[columns], beam.allowed[columns]
        others = [j for j in allowed if j not in need]
        depth = int(rng.integers(max(1, len(need)), MOST_CONDITIONS + 1))
        more = rng.permutation(others)[: depth - len(need)].tolist()
        template = Template(columns, need | frozenset(more))
        point = tuple(int(rng.integers(m)) for m in space.grid(template).shape)
        candidate = space.candidate(template, point)
        if not candidate.refused:
            chosen.setdefault(candidate.key, (template, point, candidate))
    return list(chosen.values())


def _last_scores(
    proxied: ProxiedSearch, name: str, groups: Groups, chosen: list[tuple]
) -> np.ndarray:
    """What a proxy says on the rows by which the search chooses what it scores again."""
    screening = proxied._screening(name, groups, proxied.spaces[0], proxied.kind)
    places = {(template, point): i for i, (template, point, _) in enumerate(chosen)}
    given = Found([t for t, _, _ in chosen], [p for _, p, _ in chosen], np.zeros(len(chosen)))
    found = screening.rescore(given, len(chosen), polish=True)
    scores = np.full(len(chosen), np.nan)
    for template, point, score in zip(found.templates, found.points, found.scores, strict=True):
        scores[places[template, point]] = score
    return scores


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
