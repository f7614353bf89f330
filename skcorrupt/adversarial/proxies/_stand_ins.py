"""The built-in proxies of a search: whether they can stand in for its pipeline, and scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier

from skcorrupt.evaluation import take_rows
from skcorrupt.patterns import PatternMasks

from ..candidates import Candidate, CandidateSpace, SearchTask, Template
from ..optimizers import Point
from ._boosting_proxy import BoostingProxy
from ._encoded_groups import with_codes
from ._linear_proxy import BATCH, LinearProxy
from ._model_of import model_of
from ._proxy import Proxy
from ._proxy_groups import CodedColumn, Groups, coded_columns, make_groups
from ._proxy_score import ProxyScore
from ._screen import Found, Screen
from ._single_tree_proxy import SingleTreeProxy
from ._tree_proxy import TreeProxy

# where a model suits several, the first
PROXIES: dict[str, type[Proxy]] = {
    "boosting": BoostingProxy,
    "single_tree": SingleTreeProxy,
    "tree": TreeProxy,
    "linear": LinearProxy,
}
# more groups than this are screened on a sample, and looked at again on a larger one
MOST_GROUPS = 6_000
SCREENED_ROWS = 4_500
CLOSER_ROWS = 40_000
# sparse text and the like would not fit into memory as groups
MOST_COLUMNS = 2_000


class Judged(NamedTuple):
    """A candidate with its place in the grid."""

    template: Template
    point: Point
    candidate: Candidate


class StandIns:
    """Weighted models on grouped data, in the place of a pipeline.

    Parameters
    ----------
    task : SearchTask
        The search for one kind of error.
    seed : int
        Seed of samples and trees.
    complete : bool
        Whether all points are screened at any cost.
    """

    def __init__(self, task: SearchTask, seed: int, *, complete: bool = False) -> None:
        self.task, self.seed, self.complete = task, seed, complete
        self.estimator = task.evaluator.estimator
        self.classifier = is_classifier(self.estimator)
        kind = task.space.template._simulated_as(classifier=self.classifier)
        # groups hold clean test rows
        self.kind = kind if kind and task.clean_tests else ""
        self._groups: dict[int, Groups] = {}
        # what budgets have in common
        self._screens: dict[tuple[str, int, str], Screen] = {}

    @property
    def groups(self) -> Groups:
        """The rows on which all candidates are screened."""
        return self.grouped(SCREENED_ROWS)

    @property
    def closer(self) -> Groups:
        """The rows on which the best are looked at again."""
        return self.groups if self.groups.share == 1 else self.grouped(CLOSER_ROWS)

    @cached_property
    def _coded(self) -> list[CodedColumn]:
        return coded_columns(self.task.space)

    @cached_property
    def _masks(self) -> PatternMasks:
        """Which of the rows that are screened patterns match."""
        space, rows = self.task.space, self.groups.rows
        return PatternMasks(
            take_rows(space.table.source, rows), take_rows(space.target.for_patterns, rows)
        )

    def grouped(self, rows: int) -> Groups:
        """The rows of the search in groups, a sample where there are many."""
        if rows not in self._groups:
            groups = make_groups(
                self.task.space,
                self.task.evaluator.splits,
                self._coded,
                classifier=self.classifier,
                most_rows=rows,
                most_groups=MOST_GROUPS,
                seed=self.seed,
            )
            self._groups[rows] = with_codes(groups, self.estimator, self.task.space.table)
        return self._groups[rows]

    def names(self) -> list[str]:
        """Those that can stand in for the pipeline, the one first that suits its model."""
        if not self.kind or self.task.space.table.n_columns > MOST_COLUMNS:
            return []
        model = type(model_of(self.estimator)).__name__
        names = sorted(PROXIES, key=lambda name: not PROXIES[name].suits(model))
        return [name for name in names if PROXIES[name].is_compared(model) and self.can(name)]

    def saving(self) -> list[str]:
        """Those of `names` that take much less time than the pipeline."""
        return [name for name in self.names() if PROXIES[name].saves(self.groups)]

    def can(self, name: str) -> bool:
        """Whether one of them can."""
        if not self.kind:
            return False
        kind_of = PROXIES[name]
        return kind_of.simulates(self.kind) and kind_of.takes(self.groups.n_classes)

    def obstacle(self, name: str) -> str:
        """Why one of them cannot."""
        if not self.task.clean_tests:
            return "test data with errors of its own is not simulated"
        if not self.kind:
            shown = repr(self.task.space.template).replace("\n", "")
            return (
                f"{shown} is not simulated, only missing and changed values, labels, selection "
                "and duplicates without mechanism, outside_ratio, transition, missing_label or "
                "sampling are, with same_rows=True, and errors of your own that define "
                "_simulated_values"
            )
        if not PROXIES[name].simulates(self.kind):
            return f"a {name} proxy does not simulate what becomes of changed values"
        return f"a {name} proxy takes {PROXIES[name].taken}"

    def screen(
        self, name: str, groups: Groups, space: CandidateSpace, kind: str | None = None
    ) -> Screen:
        """The screen of one budget on one proxy, with all that budgets have in common."""
        kind = kind or self.kind
        key = (name, len(groups.rows), kind)
        if key not in self._screens:
            evaluator = self.task.evaluator
            score = ProxyScore(self.task.scoring, evaluator.scorer, groups, evaluator.splits)
            proxy = PROXIES[name].of(self.estimator, self.task.space.table, groups, self.seed)
            self._screens[key] = Screen(space, groups, proxy, score, kind)
        screen = self._screens[key].within(space)
        screen.deadline, screen.bar = self.task.evaluator.deadline, self.task.evaluator.bar
        if self.complete:
            screen.most_visits = np.inf
        return screen

    def first_screen(self, name: str, space: CandidateSpace) -> Screen:
        """The screen that all candidates go through: that of a slow proxy is a linear one."""
        if PROXIES[name].prefiltered and self.can("linear"):
            # missing values work on a tree like a flag, which is what selection is to a line
            kind = "selection" if self.kind == "missing" else self.kind
            return self.screen("linear", self.groups, space, kind)
        return self.screen(name, self.groups, space)

    def scores(
        self,
        name: str,
        candidates: Sequence[Judged],
        space: CandidateSpace,
        groups: Groups | None = None,
    ) -> np.ndarray:
        """Scores of candidates by converged models.

        Parameters
        ----------
        name : str
            The proxy, one of `PROXIES`.
        candidates : sequence of Judged
            The candidates.
        space : CandidateSpace
            The budget they are of.
        groups : Groups or None, default=None
            The rows; None is those on which all candidates are screened.

        Returns
        -------
        ndarray of shape (n_candidates,)
            NaN where a candidate is not feasible on these rows.
        """
        n = len(candidates)
        templates, points = [c.template for c in candidates], [c.point for c in candidates]
        given = Found(templates, points, np.zeros(n))
        scored = self.screen(name, groups or self.groups, space).rescore(given, n, polish=True)
        by_point = dict(
            zip(zip(scored.templates, scored.points, strict=True), scored.scores, strict=True)
        )
        return np.array([by_point.get((c.template, c.point), np.nan) for c in candidates])

    def scores_of_rows(
        self, name: str, candidates: Sequence[Candidate], space: CandidateSpace, *, polish: bool
    ) -> np.ndarray:
        """Scores of candidates off the grid, by the rows that they strike.

        Parameters
        ----------
        name : str
            The proxy, one of `PROXIES`.
        candidates : sequence of Candidate
            The candidates.
        space : CandidateSpace
            The budget they are of.
        polish : bool
            Whether linear models are converged.

        Returns
        -------
        ndarray of shape (n_candidates,)
            The lower the worse.
        """
        groups, table = self.groups, space.table
        screen = self.screen(name, groups, space)
        total = np.bincount(groups.of_row, groups.weights, groups.n_groups)
        by_hit: dict[tuple[tuple[int, ...], Any], list[int]] = {}
        for i, each in enumerate(candidates):
            columns = tuple(table.labels.index(label) for label in each.columns)
            by_hit.setdefault((columns, each.target), []).append(i)
        scores = np.full(len(candidates), np.nan)
        for (columns, target), places in by_hit.items():
            able = groups.eligible[target] & groups.able.get(columns, True)
            for some in np.split(places, range(BATCH, len(places), BATCH)):
                self.task.evaluator.deadline.check()
                matched = [
                    np.bincount(
                        groups.of_row, groups.weights * self._masks.of(c.pattern), len(total)
                    )
                    for c in (candidates[i] for i in some)
                ]
                shares = (np.stack(matched) / total * able).astype(np.float32)
                rates = np.array([candidates[i].rate for i in some])
                scores[some], _ = screen.scores(columns, target, shares, rates, polish=polish)
        return scores
