"""From what happened on each split to estimates, intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm, t

from skcorrupt.stats import adjusted_pvalues, corrected_interval

from ._gaps import CHANGES, Gaps
from ._problem import Problem
from ._sensitive import GroupPair
from ._splits import Prediction, SplitResult, Variant

N_RESAMPLES = 2_000
# resamples of people, as regressors need them, are drawn in parts of this many values
CHUNK = 2**22
BY_GROUP = ["to_favourable", "to_unfavourable"]
STAGE_COLUMNS = [
    *["stage", "reference", "sensitive", "group", "metric", "mean", "std", "ci_low", "ci_high"],
    *["p_value", "q_value", "significant", *CHANGES],
    *[f"{name}_{group}" for name in BY_GROUP for group in ("unprivileged", "privileged")],
    *["n_splits", "status", "message"],
]
GLOBAL_COLUMNS = [
    *["stage", "reference", "sensitive", "group", "metric", "with_stage", "with_std"],
    *["with_ci_low", "with_ci_high", "without_stage", "without_std", "without_ci_low"],
    *["without_ci_high", "n_splits", "status"],
]
PERFORMANCE_COLUMNS = [
    *["stage", "reference", "metric", "mean", "std", "ci_low", "ci_high", "p_value", "q_value"],
    *["significant", "with_stage", "without_stage", "n_splits", "status", "message"],
]


class Estimates:
    """Estimates from the splits of one run.

    Parameters
    ----------
    results : list of SplitResult
        What happened on each split.
    problem : Problem
        The splits and groups.
    alpha : float
        Level of tests; one minus that of intervals.
    """

    def __init__(self, results: Sequence[SplitResult], problem: Problem, alpha: float) -> None:
        self.results, self.problem = results, problem
        self.gaps, self.pairs = problem.gaps, problem.pairs
        self.alpha = alpha

    def tables(
        self, new: Sequence[Prediction], old: Sequence[Prediction], pair: GroupPair
    ) -> list[np.ndarray | None]:
        """A table a split of two pipelines, None where one of them failed."""
        tables = []
        for split, one, other in zip(self.problem.splits, new, old, strict=True):
            failed = one.values is None or other.values is None
            group = pair.rows[split.test]
            tables.append(
                None if failed else self.gaps.table(split.y_test, one.values, other.values, group)
            )
        return tables

    def stages(self, variants: Sequence[Variant]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Effects of stages, and the gaps with and without them.

        Parameters
        ----------
        variants : sequence of Variant
            The stages.

        Returns
        -------
        effects, levels : DataFrame
            A row a stage, pair of groups and metric.
        """
        effects, levels = [], []
        for k, variant in enumerate(variants):
            state = self._state(k, variant)
            for pair in self.pairs:
                new = [result.whole for result in self.results]
                old = [result.variants[k] for result in self.results]
                whole = _there(self.tables(new, new, pair))
                found = _there(self.tables(new, old, pair))
                changes = _means([self.gaps.changes(table) for table in found])
                for metric in self.gaps.metrics:
                    row = {
                        "stage": variant.stage.path,
                        "reference": str(variant.reference),
                        "sensitive": pair.sensitive,
                        "group": f"{pair.unprivileged} / {pair.privileged}",
                        "metric": metric,
                        **state,
                    }
                    effect = self.estimate(found, metric, partial(_effect, self.gaps, metric))
                    n_undefined = len(found) - effect["n_splits"]
                    undefined = (
                        f"undefined on {n_undefined} of {len(found)} splits, where a group has "
                        "nobody whom the metric is about"
                    )
                    parts = (state["message"], pair.message, undefined if n_undefined else "")
                    message = "; ".join(filter(None, parts))
                    effects.append(row | changes | effect | {"message": message})
                    levels.append(row | self._levels(whole, found, metric))
        frame = pd.DataFrame(effects, columns=STAGE_COLUMNS)
        self.adjust(frame, ["sensitive", "group", "metric"])
        return frame, pd.DataFrame(levels, columns=GLOBAL_COLUMNS)

    def _state(self, k: int, variant: Variant) -> dict[str, str]:
        errors = [result.variants[k].error for result in self.results]
        failed = [error for error in errors if error]
        if len(failed) == len(errors):
            return {"status": "not_ablatable", "message": failed[0]}
        message = f"{len(failed)} of {len(errors)} splits failed: {failed[0]}" if failed else ""
        return {
            "status": "ok",
            "message": "; ".join(filter(None, (variant.reference.warning, message))),
        }

    def estimate(
        self, tables: list[np.ndarray], metric: str, value: Callable[[np.ndarray], Any]
    ) -> dict[str, Any]:
        """Mean, interval and p-value of something that is computed of the table of a split.

        Parameters
        ----------
        tables : list of ndarray
            A table a split.
        metric : str
            The gap that it is about.
        value : callable
            What is computed, for one table or for many.

        Returns
        -------
        dict
            As `interval`, with one split by a bootstrap over its people, and `n_splits`.
        """
        values = np.array([float(value(table)) for table in tables])
        values = values[np.isfinite(values)]
        found = self.interval(values)
        if len(self.results) == 1 and len(values) == 1:
            drawn = np.concatenate([value(part) for part in self._resamples(tables[0])])
            found |= self._percentiles(drawn, self.gaps.people(tables[0], metric))
        return found | {"n_splits": len(values)}

    def _resamples(self, table: np.ndarray) -> Iterator[np.ndarray]:
        """Resamples of the people of a split, the same for every metric."""
        rng = np.random.default_rng(self.problem.seed)
        size = max(1, CHUNK // table.size)
        for start in range(0, N_RESAMPLES, size):
            yield self.gaps.resampled(table, min(size, N_RESAMPLES - start), rng)

    def interval(self, values: Any) -> dict[str, Any]:
        """Mean, interval and p-value of a value a split.

        Parameters
        ----------
        values : array-like of shape (n_splits,)
            The values; those that are undefined are left out.

        Returns
        -------
        dict
            `mean, std, ci_low, ci_high, p_value`.
        """
        values = np.asarray(values, dtype=float)
        values = values[np.isfinite(values)]
        if not len(values):
            return dict.fromkeys(("mean", "std", "ci_low", "ci_high", "p_value"), np.nan)
        found = corrected_interval(values, self.problem.test_ratio, alpha=self.alpha)
        return {name: float(value) for name, value in found._asdict().items()}

    def _percentiles(self, drawn: np.ndarray, people: int) -> dict[str, float]:
        """Expanded percentile interval and two-sided p-value of a paired bootstrap.

        A bootstrap of few people is too narrow as a normal interval with their plain variance
        would be, which larger percentiles make up for (Hesterberg 2015).
        """
        drawn = drawn[np.isfinite(drawn)]
        if not len(drawn) or people < 2:
            return {}
        wider = np.sqrt(people / (people - 1))
        tail = norm.cdf(wider * t.ppf(self.alpha / 2, people - 1))
        low, high = np.quantile(drawn, [tail, 1 - tail])
        beyond = min((drawn <= 0).sum(), (drawn >= 0).sum()) + 1
        plain = min(1.0, 2 * beyond / (len(drawn) + 1))
        return {
            "ci_low": float(low),
            "ci_high": float(high),
            "p_value": float(2 * t.cdf(norm.ppf(plain / 2) / wider, people - 1)),
        }

    def _levels(
        self, whole: list[np.ndarray], both: list[np.ndarray], metric: str
    ) -> dict[str, Any]:
        """The gap of the pipeline, wherever it worked, and of it without the stage."""
        found: dict[str, Any] = {"n_splits": len(both)}
        for k, (side, tables) in enumerate((("with", whole), ("without", both))):
            estimate = self.estimate(tables, metric, partial(_level, self.gaps, k, metric))
            found[f"{side}_stage"] = estimate["mean"]
            for name in ("std", "ci_low", "ci_high"):
                found[f"{side}_{name}"] = estimate[name]
        return found

    def performance(self, variants: Sequence[Variant]) -> pd.DataFrame:
        """What stages do to the scores.

        Parameters
        ----------
        variants : sequence of Variant
            The stages.

        Returns
        -------
        DataFrame
            A row a stage and score.
        """
        names = list(dict.fromkeys(n for r in self.results for n in r.whole.scores))
        rows = []
        for k, variant in enumerate(variants):
            state = self._state(k, variant)
            unscored = [r.whole.score_error or r.variants[k].score_error for r in self.results]
            unscored = [error for error in unscored if error]
            if unscored:
                message = f"{len(unscored)} of {len(self.results)} splits unscored: {unscored[0]}"
                state["message"] = "; ".join(filter(None, (state["message"], message)))
            for name in names:
                pairs = np.array(
                    [
                        (r.whole.scores.get(name, np.nan), r.variants[k].scores.get(name, np.nan))
                        for r in self.results
                    ]
                )
                known = np.isfinite(pairs).all(axis=1)
                alone = "a single split gives no interval" if len(self.results) == 1 else ""
                rows.append(
                    {
                        "stage": variant.stage.path,
                        "reference": str(variant.reference),
                        "metric": name,
                        **self.interval(pairs[known, 0] - pairs[known, 1]),
                        "with_stage": _mean(pairs[np.isfinite(pairs[:, 0]), 0]),
                        "without_stage": _mean(pairs[known, 1]),
                        "n_splits": int(known.sum()),
                        **state,
                        "message": "; ".join(filter(None, (state["message"], alone))),
                    }
                )
        frame = pd.DataFrame(rows, columns=PERFORMANCE_COLUMNS)
        self.adjust(frame, ["metric"])
        return frame

    def adjust(self, frame: pd.DataFrame, by: list[str]) -> None:
        """Benjamini–Hochberg over stages, within each of the other questions."""
        for _, rows in frame[frame["p_value"].notna()].groupby(by, sort=False):
            frame.loc[rows.index, "q_value"] = adjusted_pvalues(rows["p_value"])
        frame["q_value"] = frame["q_value"].astype(float) if "q_value" in frame else np.nan
        frame["significant"] = frame["q_value"] <= self.alpha

    def noise_floor(self) -> pd.DataFrame:
        """How far the whole pipeline is from itself under another seed.

        Returns
        -------
        DataFrame
            A row a pair of groups and metric: `mean, std, mean_size` of the effect that a seed
            alone has, and the `change_rate`.
        """
        rows = []
        for pair in self.pairs:
            new = [result.whole for result in self.results]
            old = [result.other_seed or Prediction() for result in self.results]
            tables = _there(self.tables(new, old, pair))
            changes = _means([self.gaps.changes(table) for table in tables])
            for metric in self.gaps.metrics:
                values = np.array([float(self.gaps.effect(table)[metric]) for table in tables])
                values = values[np.isfinite(values)]
                rows.append(
                    {
                        "sensitive": pair.sensitive,
                        "group": f"{pair.unprivileged} / {pair.privileged}",
                        "metric": metric,
                        "mean": _mean(values),
                        "std": float(np.std(values, ddof=1)) if len(values) > 1 else np.nan,
                        "mean_size": _mean(abs(values)),
                        "change_rate": changes.get("change_rate", np.nan),
                        "n_splits": len(values),
                    }
                )
        return pd.DataFrame(rows)

    def dropped_rows(self) -> pd.DataFrame:
        """What samplers leave out of the training data, by group.

        Returns
        -------
        DataFrame
            A row a sampler, pair of groups and group: mean `n_rows` that came to it, `n_dropped`
            of them, their share `dropped`, and the copies `n_copied`; rows that are made up are of
            no group. NaN where none of the rows that come out is one that went in, such as where
            a filter changes values as well, as then nothing is known of who was left out.
        """
        rows = []
        for stage in dict.fromkeys(s for r in self.results for s in r.samplers):
            for pair in self.pairs:
                for a, name in ((0, pair.unprivileged), (1, pair.privileged)):
                    counts = [
                        _dropped(r.samplers[stage], pair.rows == a)
                        for r in self.results
                        if stage in r.samplers
                    ]
                    n_rows, n_dropped, n_copies = np.mean(counts, axis=0)
                    rows.append(
                        {
                            "stage": stage,
                            "sensitive": pair.sensitive,
                            "group": name,
                            "n_rows": n_rows,
                            "n_dropped": n_dropped,
                            "dropped": n_dropped / n_rows if n_rows else np.nan,
                            "n_copied": n_copies,
                        }
                    )
        columns = ["stage", "sensitive", "group", "n_rows", "n_dropped", "dropped", "n_copied"]
        return pd.DataFrame(rows, columns=columns)


def _effect(gaps: Gaps, metric: str, table: np.ndarray) -> Any:
    return gaps.effect(table)[metric]


def _level(gaps: Gaps, side: int, metric: str, table: np.ndarray) -> Any:
    return gaps.levels(table)[side][metric]


def _there(tables: list[np.ndarray | None]) -> list[np.ndarray]:
    return [table for table in tables if table is not None]


def _dropped(sampler: tuple[np.ndarray, np.ndarray], group: np.ndarray) -> tuple[float, ...]:
    rows, origin = sampler
    if (rows < 0).all():
        return np.nan, np.nan, np.nan
    # rows that an earlier sampler made up are of no group
    here = (rows >= 0) & group[rows]
    left = origin[origin >= 0]
    left = left[here[left]]
    came, kept = int(here.sum()), len(np.unique(left))
    if (origin < 0).all():
        return came, np.nan, np.nan
    return came, came - kept, len(left) - kept


def _mean(values: np.ndarray) -> float:
    return float(np.mean(values)) if len(values) else np.nan


def _means(found: list[dict[str, float]]) -> dict[str, float]:
    """Means of what is defined, as a small group may have nobody on some splits."""
    if not found:
        return {}
    values = {name: np.array([each[name] for each in found]) for name in found[0]}
    return {name: _mean(each[np.isfinite(each)]) for name, each in values.items()}
