"""A search that screens candidates on a proxy and scores the best on the user's pipeline."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.linear_model import LinearRegression

from skcorrupt.evaluation import sample_aligned, take_rows
from skcorrupt.utils import spawn_seeds

from .._preflight import first_line
from ..candidates._candidate_space import Candidate, SearchSpace
from ..candidates._evaluator import Evaluator
from ..candidates._imputation import fills_of, is_scaled, last_step
from ..proxies._linear_proxy import LinearProxy
from ..proxies._proxy_choice import (
    LEAST_AGREEMENT,
    Proxied,
    agreement_of,
    error_kind,
    judged_of,
    preferred,
)
from ..proxies._proxy_groups import Groups, make_groups
from ..proxies._proxy_score import ProxyScore, ScorerRefuses
from ..proxies._screen import MOST_VISITS, Found, Screening, templates_of_depth
from ..proxies._shrunken import shrunken
from ..proxies._tree_proxy import TreeProxy
from ._beam import BeamSearch

# real fits by which proxies are judged
JUDGED = 30
# most candidates do hardly any harm, and noise orders those: so they are chosen from many
JUDGED_OF = 240
JUDGED_VISITS = MOST_VISITS / 4
TRIES = 1_200
# more groups than this are screened on a sample, and looked at again on a larger one
MOST_GROUPS = 6_000
SCREENED_ROWS = 4_500
CLOSER_ROWS = 40_000
LEAST_OF_CLASS = 200
POLISHED = 512
PREFILTERED = 1_024
GROUP_STREAM, JUDGED_STREAM, CLONE_STREAM = 11, 12, 13
BUILT_IN = ("linear", "tree")
# sparse text and the like would not fit into memory as groups
MOST_COLUMNS = 2_000
TREES = ("Tree", "Forest", "Boosting", "XGB", "LGBM", "CatBoost", "Bagging")


class ProxiedSearch:
    """The search of all budgets on a proxy.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        Its parameters.
    problem : Problem
        The search laid out.
    budgets : list of float
        Budgets, the smallest first.
    """

    def __init__(self, search: Any, problem: Any, budgets: Sequence[float]) -> None:
        self.search, self.problem, self.budgets = search, problem, list(budgets)
        self.evaluator: Evaluator = problem.evaluator
        self.beam: BeamSearch = problem.beam
        self.spaces = [
            dataclasses.replace(problem.beam.space, budget=float(budget)) for budget in budgets
        ]
        self.classifier = is_classifier(search.estimator)
        self.kind = error_kind(problem.template, self.classifier) or ""
        if search.test_corruption is not None:
            # groups hold clean test rows
            self.kind = ""
        self.groups: Any = None
        given = search.proxy
        predicts = hasattr(given, "predict") and not isinstance(given, type)
        if not isinstance(given, str) and not predicts:
            raise TypeError(
                f"proxy={given!r} should be 'auto', 'linear', 'tree', None, or an estimator that "
                "predicts, such as make_pipeline(SimpleImputer(), LogisticRegression())."
            )
        # what budgets have in common
        self.screenings: dict[tuple[Any, ...], Screening] = {}
        seed = problem.data.seed
        self.seeds = {
            stream: spawn_seeds(seed, 1, stream)[0]
            for stream in (GROUP_STREAM, JUDGED_STREAM, CLONE_STREAM)
        }

    def run(self) -> Proxied:
        """Choose a proxy, screen with it, and score the best on the pipeline."""
        proxy = self.search.proxy
        asked = proxy if isinstance(proxy, str) else None
        wanted = [asked] if asked in BUILT_IN else list(self._families()) if asked else []
        wanted = wanted if self.kind else []
        if wanted:
            self.groups = self._grouped(SCREENED_ROWS)
            wanted = [name for name in wanted if self._can(name)]
        if asked in BUILT_IN and not wanted:
            raise ValueError(
                f"proxy={asked!r} cannot stand in for this search: "
                f"{self._obstacle(asked)}; pass proxy='auto', an estimator, or None."
            )
        judged, real, agreements = self.judge(wanted)
        best = preferred(agreements)
        if best is not None and (asked in BUILT_IN or agreements[best] >= LEAST_AGREEMENT):
            if not agreements[best] >= LEAST_AGREEMENT:
                self._warn_of_disagreement(best, agreements[best])
            self.problem.proxied = Proxied(best, agreements[best], agreements)
            self._screen(best)
            return self.problem.proxied
        return self._with_estimator(judged, real, agreements)

    def judge(
        self, wanted: Sequence[str]
    ) -> tuple[list[tuple[Any, ...]], np.ndarray, dict[str, float]]:
        """Compare proxies with the pipeline on random candidates and on each proxy's worst.

        Parameters
        ----------
        wanted : sequence of str
            Built-in proxies.

        Returns
        -------
        tuple
            The candidates, the pipeline's scores of them, and the agreement of each proxy that
            the scorer takes.

        Raises
        ------
        ValueError
            If a proxy was asked for by its name and the scorer does not take it.
        """
        pool = self._random_candidates(self._n_pool(wanted))
        scores: dict[str, np.ndarray] = {}
        for name in wanted:
            try:
                scores[name] = self._proxy_scores(name, pool)
            except ScorerRefuses as error:
                if self.search.proxy == name:
                    raise ValueError(
                        f"proxy={name!r} cannot stand in for this search: scoring="
                        f"{self.search.scoring!r} asks for more than predictions for the test rows "
                        f"({error}); pass proxy='auto', an estimator, or None."
                    ) from error
        chosen = judged_of(len(pool), scores.values(), JUDGED)
        judged = [pool[i] for i in chosen]
        real = self._pipeline_scores(judged)
        return (
            judged,
            real,
            {name: agreement_of(real, each[chosen]) for name, each in scores.items()},
        )

    def _n_pool(self, wanted: Sequence[str]) -> int:
        """How many candidates proxies may score to be judged."""
        space = self._middle_space
        costs = [self._screening(name, self.groups, space, self.kind).cost for name in wanted]
        affordable = JUDGED_VISITS / max(costs, default=np.inf)
        return int(np.clip(affordable, JUDGED, JUDGED_OF))

    @property
    def _middle_space(self) -> SearchSpace:
        return self.spaces[len(self.spaces) // 2]

    def _families(self) -> Iterable[str]:
        """Built-in proxies that may stand in for the pipeline's model."""
        if self.spaces[0].table.n_columns > MOST_COLUMNS:
            return ()
        name = type(last_step(self.search.estimator)).__name__
        return ("tree", "linear") if any(part in name for part in TREES) else ("linear", "tree")

    def _can(self, name: str) -> bool:
        return name == "tree" or self.groups.n_classes in (0, 2)

    def _obstacle(self, name: str) -> str:
        if self.search.test_corruption is not None:
            return "test data with errors of its own is not simulated"
        if not self.kind:
            shown = repr(self.problem.template).replace("\n", "")
            return (
                f"{shown} is not simulated, only missing values, labels, selection and duplicates "
                "without mechanism, outside_ratio, transition, missing_label or sampling are"
            )
        return f"a {name} proxy takes two classes, or numbers"

    def _grouped(self, rows: int) -> Groups:
        return make_groups(
            self.spaces[0],
            self.problem.splits,
            classifier=self.classifier,
            most_rows=rows,
            most_groups=MOST_GROUPS,
            seed=self.seeds[GROUP_STREAM],
        )

    def _proxy(self, name: str, groups: Groups) -> LinearProxy | TreeProxy:
        if name == "tree":
            return TreeProxy(groups, self.seeds[GROUP_STREAM] % 2**31)
        model = last_step(self.search.estimator)
        strength = getattr(model, "C", None)
        usual = 0.0 if isinstance(model, LinearRegression) else 1.0
        penalty = 1.0 / float(strength) if strength else getattr(model, "alpha", usual)
        penalty = float(penalty) if isinstance(penalty, (int, float)) else 1.0
        fills = fills_of(self.search.estimator, self.spaces[0].table)
        return LinearProxy(groups, fills, penalty, is_scaled(self.search.estimator))

    def _screening(self, name: str, groups: Groups, space: SearchSpace, kind: str) -> Screening:
        key = (name, len(groups.rows), kind)
        if key not in self.screenings:
            score = ProxyScore(
                self.search.scoring, self.evaluator.scorer, groups, self.problem.splits
            )
            made = Screening(space, groups, self._proxy(name, groups), score, kind)
            self.screenings[key] = made
        other = self.screenings[key].within(space)
        if self.search.optimizer == "exhaustive":
            other.most_visits = np.inf
        return other

    def _random_candidates(self, most: int) -> list[tuple[Any, ...]]:
        """Random candidates of the middle budget, those first that fill it."""
        space = self._middle_space
        rng = np.random.default_rng(self.seeds[JUDGED_STREAM])
        templates = (
            [
                template
                for depth in range(self.search.max_conditions + 1)
                for template in templates_of_depth(
                    self.beam.allowed, self.beam.required, depth, self.search.max_conditions
                )
                if depth <= max(2, len(self.beam.required[template.columns]))
            ]
            if self._few_templates()
            else self.beam.seeds()
        )
        full: dict[bytes, tuple[Any, ...]] = {}
        partial: dict[bytes, tuple[Any, ...]] = {}
        for _ in range(TRIES if templates else 0):
            template = templates[rng.integers(len(templates))]
            shape = space.grid(template).shape
            point = tuple(int(rng.integers(m)) for m in shape)
            candidate = space.candidate(template, point)
            if candidate.refused:
                continue
            into = full if candidate.rate < 1 else partial
            into.setdefault(candidate.key, (template, point, candidate))
            if len(full) >= most:
                break
        return [*full.values(), *partial.values()][:most]

    def _few_templates(self) -> bool:
        n = max((len(attributes) for attributes in self.beam.allowed.values()), default=0)
        return len(self.beam.allowed) * n * n < 20_000

    def _pipeline_scores(self, judged: list[tuple[Any, ...]]) -> np.ndarray:
        evaluator = self.evaluator
        if max(len(split.train) for split in self.problem.splits) > CLOSER_ROWS:
            # so many rows are enough to see in which order the pipeline puts candidates
            evaluator = self._cheap_evaluator(self.search.estimator, CLOSER_ROWS)
        evaluator.evaluate([candidate for _, _, candidate in judged])
        if evaluator is not self.evaluator:
            self.evaluator.busy_seconds += evaluator.busy_seconds
        return np.array([evaluator.done[c.key].score for _, _, c in judged])

    def _proxy_scores(self, name: str, candidates: list[tuple[Any, ...]]) -> np.ndarray:
        screening = self._screening(name, self.groups, self._middle_space, self.kind)
        n = len(candidates)
        found = Found([t for t, _, _ in candidates], [p for _, p, _ in candidates], np.zeros(n))
        scored = screening.rescore(found, n, polish=True)
        by_point = {
            (template, point): score
            for template, point, score in zip(
                scored.templates, scored.points, scored.scores, strict=True
            )
        }
        return np.array([by_point.get((t, p), np.nan) for t, p, _ in candidates])

    def _screen(self, name: str) -> None:
        rows = []
        self.problem.proxied = self.problem.proxied or Proxied(name)
        closer = self.groups if self.groups.share == 1 else self._grouped(CLOSER_ROWS)
        for budget, space in zip(self.budgets, self.spaces, strict=True):
            self._say("Screening")
            if name == "tree" and self._can("linear"):
                # missing values work on a tree like a flag, which is what selection is to a line
                kind = "selection" if self.kind == "missing" else self.kind
                first = self._screening("linear", self.groups, space, kind)
            else:
                first = self._screening(name, self.groups, space, self.kind)
            found = first.run(self.beam.allowed, self.beam.required, self.search.max_conditions)
            last = self._screening(name, closer, space, self.kind)
            most = PREFILTERED if name == "tree" else POLISHED
            polished = last.rescore(found, most, polish=True)
            n_reranked = self._rerank(space, polished)
            rows.append(
                {
                    "budget": budget,
                    "proxy": name,
                    "complete_conditions": first.coverage.depth,
                    "n_rows": len(self.groups.rows),
                    "n_points": first.coverage.n_points,
                    "n_distinct": first.coverage.n_distinct,
                    "n_polished": len(polished.scores),
                    "largest_step": last.largest_left if name == "linear" else np.nan,
                    "n_reranked": n_reranked,
                }
            )
            self.problem.proxied.certificate = pd.DataFrame(rows)

    def _rerank(self, space: SearchSpace, found: Found) -> int:
        """Score the best on the pipeline."""
        chosen: dict[bytes, Candidate] = {}
        for template, point in zip(found.templates, found.points, strict=True):
            candidate = space.candidate(template, point)
            if not candidate.refused:
                chosen.setdefault(candidate.key, candidate)
            if len(chosen) >= self.search.n_rerank:
                break
        self._decide(space.budget, list(chosen.values()))
        return len(chosen)

    def _decide(self, budget: float, candidates: list[Candidate]) -> None:
        """Let the pipeline decide on the best of a budget."""
        self._say("Searching")
        self.evaluator.evaluate(candidates)

    def _say(self, doing: str) -> None:
        """Let the bar say why it stands still."""
        describe = getattr(self.evaluator.bar, "set_description", None)
        if describe is not None:
            describe(doing)

    def _with_estimator(
        self, judged: list[tuple[Any, ...]], real: np.ndarray, agreements: dict[str, float]
    ) -> Proxied:
        """A cheaper estimator in the pipeline's place, and the pipeline if there is none."""
        given = not isinstance(self.search.proxy, str)
        estimator = self.search.proxy if given else shrunken(self.search.estimator)
        name = "estimator" if given else "clone"
        if estimator is None and max(len(s.train) for s in self.problem.splits) <= SCREENED_ROWS:
            # a clone on all rows would be the pipeline itself
            return self._without(agreements)
        estimator = self.search.estimator if estimator is None else estimator
        cheap = self._cheap_evaluator(estimator, SCREENED_ROWS)
        middle = self.budgets[len(self.budgets) // 2]
        cheap.evaluate([candidate for _, _, candidate in judged])
        cheaply = [cheap.done[c.key] for _, _, c in judged]
        failed = [e.error for e in cheaply if e.error and not e.infeasible]
        if given and failed and len(failed) == len(cheaply):
            raise ValueError(
                f"proxy={estimator!r} failed on every candidate ({first_line(failed[0])}); pass an "
                "estimator that takes X with such errors, as with the same preprocessing, and that "
                f"scoring={self.search.scoring!r} can score."
            )
        scores = np.array([e.score for e in cheaply])
        agreement = agreement_of(real, scores)
        agreements = {**agreements, name: agreement}
        if not given and not agreement >= LEAST_AGREEMENT:
            self.evaluator.busy_seconds += cheap.busy_seconds
            return self._without(agreements)
        self.problem.proxied = Proxied(name, agreement, agreements)
        if given and not agreement >= LEAST_AGREEMENT:
            self._warn_of_disagreement(name, agreement)
        rows = []
        for budget, space in zip(self.budgets, self.spaces, strict=True):
            before = len(cheap.done)
            beam = dataclasses.replace(
                self.beam,
                space=space,
                evaluator=cheap,
                n_templates=0,
                refused=type(self.beam.refused)(),
            )
            beam.run()
            # those so far keep to this budget on all rows, if perhaps not on these; those judged
            # need not, and where they were scored they need not be again
            done = self.evaluator.done
            judged_keys = {c.key for _, _, c in judged if c.key in done or budget < middle}
            ranked = [e.candidate for e in cheap.ranked() if e.candidate.key not in judged_keys]
            chosen = ranked[: self.search.n_rerank]
            self._decide(budget, chosen)
            rows.append(
                {
                    "budget": budget,
                    "proxy": name,
                    "complete_conditions": -1,
                    "n_rows": sum(len(split.train) + len(split.test) for split in cheap.splits[:1]),
                    "n_points": len(cheap.done) - before,
                    "n_distinct": len(cheap.done) - before,
                    "n_polished": 0,
                    "largest_step": np.nan,
                    "n_reranked": len(chosen),
                }
            )
            self.problem.proxied.certificate = pd.DataFrame(rows)
        self.evaluator.busy_seconds += cheap.busy_seconds
        return self.problem.proxied

    def _cheap_evaluator(self, estimator: Any, most_rows: int) -> Evaluator:
        """Splits of fewer rows, for an estimator that stands in for the pipeline."""
        rng = np.random.default_rng(self.seeds[CLONE_STREAM])
        splits = []
        for split in self.problem.splits:
            train, test = (
                self._some_rows(part, most_rows, rng) for part in (split.train, split.test)
            )
            small = dataclasses.replace(
                split,
                train=split.train[train],
                test=split.test[test],
                X_train=take_rows(split.X_train, train),
                y_train=take_rows(split.y_train, train),
                X_test=take_rows(split.X_test, test),
                y_test=take_rows(split.y_test, test),
                fit_params=sample_aligned(split.fit_params, train, len(split.train)),
                score_params=sample_aligned(split.score_params, test, len(split.test)),
                reused=None,
            )
            splits.append(small)
        return Evaluator(
            estimator,
            splits,
            self.evaluator.scorer,
            self.evaluator.check,
            np.nan,
            self.search.n_jobs,
            bar=self.evaluator.bar,
        )

    def _some_rows(self, part: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
        """Places of at most so many rows, of every class as many as there are or a fair share."""
        order = rng.permutation(len(part))
        if len(part) <= most:
            return np.arange(len(part))
        if not self.classifier:
            return np.sort(order[:most])
        labels = np.unique(self.problem.beam.space.target.values[part], return_inverse=True)[1]
        counts = np.bincount(labels)
        wanted = np.maximum(np.minimum(counts, LEAST_OF_CLASS), counts * most // len(part))
        chosen = [order[labels[order] == k][:n] for k, n in enumerate(wanted.tolist())]
        return np.sort(np.concatenate(chosen))

    def _without(self, agreements: dict[str, float]) -> Proxied:
        """The beam search on the pipeline itself."""
        plan = self.search._plan(self.problem)
        most = max(plan.n_evaluations, plan.without_proxy.n_evaluations)
        if most > plan.n_evaluations:
            said = ", ".join(f"{name} {each:.2f}" for name, each in agreements.items())
            warnings.warn(
                "proxy='auto' takes no proxy: "
                + (f"none agrees with the pipeline ({said}; " if said else "none can be made (")
                + f"{LEAST_AGREEMENT} is asked for), so every candidate is scored on the pipeline, "
                f"at most {most} of them. Pass an estimator as proxy, or proxy=None.",
                UserWarning,
                stacklevel=5,
            )
        self.evaluator.bar.total = most
        self.problem.proxied = Proxied(agreements=agreements)
        run_beams(self.beam, self.spaces)
        return self.problem.proxied

    @staticmethod
    def _warn_of_disagreement(name: str, agreement: float) -> None:
        said = (
            f"The {name} proxy could not be compared with the pipeline, for want of candidates or "
            "because all score alike"
            if np.isnan(agreement)
            else f"The {name} proxy orders candidates unlike the pipeline (Spearman "
            f"{agreement:.2f} on up to {JUDGED} of them, where {LEAST_AGREEMENT} is asked for)"
        )
        warnings.warn(
            f"{said}: what it screens out may be worse than what was found. Pass proxy='auto', "
            "another estimator, or None.",
            UserWarning,
            stacklevel=5,
        )


def run_beams(beam: BeamSearch, spaces: list[SearchSpace]) -> None:
    """One beam search a budget, with the scores of the others at hand."""
    for space in spaces:
        dataclasses.replace(beam, space=space, n_templates=0).run()
