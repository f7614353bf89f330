"""Score candidates on the user's pipeline, each distinct one once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcorrupt.evaluation import Outcome, Split, evaluate_split, run_tasks
from skcorrupt.utils import Target, as_table

from ._search_space import Candidate


class FeasibilityCheck:
    """Refuse corrupted training data that no pipeline could learn from.

    Parameters
    ----------
    classifier : bool
        Whether at least two classes are needed.
    missing_label : object, default=None
        What erased labels hold, which is not a class.
    """

    def __init__(self, classifier: bool, missing_label: Any = None):
        self.classifier = classifier
        self.missing_label = missing_label

    def __call__(self, X: Any, y: Any, records: list) -> str:
        if len(y) == 0:
            return "no rows are left"
        if self.classifier:
            classes = Target(y).coded[1]
            if sum(label != self.missing_label for label in classes.tolist()) < 2:
                return "one class is left"
        struck = records[0].X_mask
        columns = np.unique(struck.nonzero()[1])
        table = as_table(X)
        for j in columns:
            if table.missing(int(j)).all():
                return f"column {table.labels[int(j)]!r} is missing everywhere"
        return ""


@dataclass
class Evaluation:
    """A candidate and what came of it on every split."""

    candidate: Candidate
    outcomes: list[Outcome]
    order: int

    @property
    def scores(self) -> np.ndarray:
        """One score a split."""
        if self.infeasible:
            return np.full(len(self.outcomes), np.nan)
        return np.array([outcome.score for outcome in self.outcomes], dtype=float)

    @property
    def score(self) -> float:
        """Mean score; NaN where a split failed."""
        return float(np.mean(self.scores))

    @property
    def infeasible(self) -> bool:
        """Whether some split refused the corrupted data."""
        return any(outcome.infeasible for outcome in self.outcomes)

    @property
    def error(self) -> str:
        """The first error or reason, or ""."""
        return next((outcome.error for outcome in self.outcomes if outcome.error), "")

    @property
    def row_fraction(self) -> float:
        """Largest share of training rows struck in a split."""
        shares = [outcome.records[0].row_fraction for outcome in self.outcomes if outcome.records]
        return max(shares, default=np.nan)


def evaluate_task(estimator, split, scorer, corruption, seed, check, error_score) -> Outcome:
    """One fit, as a task for a worker."""
    outcome = evaluate_split(
        estimator,
        split,
        scorer,
        corruption=corruption,
        corruption_seed=seed,
        check=check,
        error_score=error_score,
    )
    # masks of all fits together would fill the memory; the search needs their shares alone
    for record in outcome.records:
        object.__setattr__(record, "X_mask", None)
        object.__setattr__(record, "y_mask", None)
        object.__setattr__(record, "sample_indices", None)
    return outcome


@dataclass
class Evaluator:
    """Scores candidates and remembers those it has scored.

    Attributes
    ----------
    done : dict of bytes to Evaluation
        Distinct candidates by key, in the order of evaluation.
    busy_seconds : float
        Seconds spent in fits and scores, over all workers.
    """

    estimator: Any
    splits: list[Split]
    scorer: Any
    check: FeasibilityCheck
    error_score: Any
    n_jobs: int | None
    bar: Any
    done: dict[bytes, Evaluation] = field(default_factory=dict)
    busy_seconds: float = 0.0
    started: float = field(default_factory=time.perf_counter)

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        """Score those candidates that are new."""
        new = {c.key: c for c in candidates if c.key not in self.done}
        tasks = [(c.corruption, split, None) for c in new.values() for split in self.splits]
        seen = 0

        def progress(_: Outcome) -> None:
            nonlocal seen
            seen += 1
            if seen % len(self.splits) == 0:
                self.bar.update()

        outcomes = self.run(tasks, done=progress)
        for i, (key, candidate) in enumerate(new.items()):
            part = outcomes[i * len(self.splits) : (i + 1) * len(self.splits)]
            self.done[key] = Evaluation(candidate, part, len(self.done))

    def run(self, tasks: Sequence[tuple], done: Any = None) -> list[Outcome]:
        """Fit and score `(corruption, split, seed)` tasks; a seed of None is the split's."""
        full = [
            (
                self.estimator,
                split,
                self.scorer,
                corruption,
                seed,
                self._check(corruption),
                self.error_score,
            )
            for corruption, split, seed in tasks
        ]
        outcomes = run_tasks(evaluate_task, full, n_jobs=self.n_jobs, done=done)
        self.busy_seconds += sum(o.fit_time + o.score_time for o in outcomes)
        return outcomes

    def _check(self, corruption: Any) -> FeasibilityCheck | None:
        return None if corruption is None else self.check

    def ranked(self) -> list[Evaluation]:
        """Feasible evaluations, the lowest score first, earlier ones first among equals."""
        scored = [e for e in self.done.values() if np.isfinite(e.score)]
        return sorted(scored, key=lambda e: (e.score, e.order))
