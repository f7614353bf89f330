"""From what happened on each split to estimates, intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.evaluation import Outcome
from skcorrupt.stats import adjusted_pvalues, corrected_interval
from skcorrupt.stats._expanded_percentiles import expanded_percentiles

from ._gaps import CHANGES
from ._harms import is_rare
from ._problem import Problem
from ._sensitive import GroupPair
from ._splits import SplitResult, unscored
from ._stages import Variant

N_RESAMPLES = 2_000
# resamples of people, as regressors need them, are drawn in parts of this many values
CHUNK = 2**22
# how what is said last of a gap begins
UNDEFINED = "undefined on"
GROUPS = ("unprivileged", "privileged")
ESTIMATE = ["mean", "std", "ci_low", "ci_high"]
TEST = ["p_value", "p_adjusted", "significant"]
STAGE_COLUMNS = [
    *["stage", "reference", "sensitive", "group", "metric", *ESTIMATE, *TEST, *CHANGES],
    *[f"{name}_{group}" for name in CHANGES[1:] for group in GROUPS],
    *["n_splits", "status", "message"],
]
LEVELS = [
    f"{side}_stage{end}" for side in ("with", "without") for end in ("", "_std", "_low", "_high")
]
GLOBAL_COLUMNS = [
    *["stage", "reference", "sensitive", "group", "metric", *LEVELS, "n_splits", "status"],
]
PERFORMANCE_COLUMNS = [
    *["stage", "reference", "metric", *ESTIMATE, *TEST, "with_stage", "without_stage"],
    *["n_splits", "status", "message"],
]
NOISE_COLUMNS = [
    *["sensitive", "group", "metric", "mean", "std", "mean_size", "change_rate", "n_splits"]
]
DROPPED_COLUMNS = ["stage", "sensitive", "group", "n_rows", "n_dropped", "dropped", "n_copied"]


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
        self.results, self.problem, self.alpha = results, problem, alpha
        self.gaps, self.pairs = problem.gaps, problem.pairs
        self.whole = [result.whole for result in results]

    def variant(self, k: int) -> list[Outcome]:
        """What a variant made of each split."""
        return [result.variants[k] for result in self.results]

    def tables(
        self, new: Sequence[Outcome], old: Sequence[Outcome], pair: GroupPair
    ) -> list[np.ndarray]:
        """One table of two pipelines for each split on which both worked."""
        return [
            self.gaps.table(split.y_test, one.predictions, other.predictions, pair.rows[split.test])
            for split, one, other in zip(self.problem.splits, new, old, strict=True)
            if one.predictions is not None and other.predictions is not None
        ]

    def interval(self, values: pd.DataFrame) -> pd.DataFrame:
        """Mean, interval and test of values over splits.

        Parameters
        ----------
        values : DataFrame of shape (n_splits, n_names)
            The values; those that are undefined are left out.

        Returns
        -------
        DataFrame
            One row per name: `mean, std, ci_low, ci_high, p_value, n_splits`.
        """
        found = corrected_interval(values.to_numpy(), self.problem.test_ratio, alpha=self.alpha)
        frame = pd.DataFrame(found._asdict(), index=values.columns)
        return frame.assign(n_splits=np.isfinite(values).sum())

    def estimate(
        self, tables: list[np.ndarray], value: Callable[[np.ndarray], dict[str, Any]]
    ) -> pd.DataFrame:
        """Mean, interval and test of something that is computed of the table of a split.

        Parameters
        ----------
        tables : list of ndarray
            One table per split.
        value : callable
            What is computed for each metric, for one table or for many.

        Returns
        -------
        DataFrame
            One row per metric, as `interval` gives it; with one split by a bootstrap over its
            people.
        """
        found = self.interval(self.by_split(tables, value))
        if len(self.results) == 1 and tables:
            parts = [value(part) for part in self._resamples(tables[0])]
            for metric in self.gaps.metrics:
                if not found.loc[metric, "n_splits"]:
                    continue
                drawn = np.concatenate([part[metric] for part in parts])
                people = self.gaps.people(tables[0], metric)
                bounds = expanded_percentiles(drawn, people, alpha=self.alpha)
                found.loc[metric, ["ci_low", "ci_high", "p_value"]] = bounds
        return found

    def by_split(
        self, tables: list[np.ndarray], value: Callable[[np.ndarray], dict[str, Any]]
    ) -> pd.DataFrame:
        """What is computed of the table of each split: one row per split, one column per metric."""
        rows = [value(table) for table in tables]
        return pd.DataFrame(rows, columns=list(self.gaps.metrics), dtype=float)

    def _resamples(self, table: np.ndarray) -> Iterator[np.ndarray]:
        """Resamples of the people of a split, the same for every estimate."""
        rng = np.random.default_rng(self.problem.seed)
        size = max(1, CHUNK // table.size)
        for start in range(0, N_RESAMPLES, size):
            yield self.gaps.resampled(table, min(size, N_RESAMPLES - start), rng)

    def stages(self, variants: Sequence[Variant]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Effects of stages, and the gaps with and without them.

        Parameters
        ----------
        variants : sequence of Variant
            The stages.

        Returns
        -------
        effects, levels : DataFrame
            One row per stage, pair of groups and metric.
        """
        effects, levels = [], []
        for k, variant in enumerate(variants):
            names, note = self._stage(k, variant)
            for pair in self.pairs:
                whole = self.tables(self.whole, self.whole, pair)
                both = self.tables(self.whole, self.variant(k), pair)
                changes = pd.DataFrame([self.gaps.changes(table) for table in both]).mean()
                effect = self.estimate(both, self.gaps.effect)
                shared = names | pair.names
                effect = effect.assign(**shared, **changes)
                effect["message"] = [
                    joined(note, pair.message, _undefined(len(both) - n, len(both)))
                    for n in effect["n_splits"]
                ]
                effects.append(effect)
                # the whole pipeline counts wherever it worked
                with_stage = self.estimate(whole, lambda table: self.gaps.levels(table)[0])
                without = self.estimate(both, lambda table: self.gaps.levels(table)[1])
                level = named(with_stage, "with_stage").join(named(without, "without_stage"))
                levels.append(level.assign(**shared, n_splits=with_stage["n_splits"]))
        tested = self.tested(by_metric(effects))
        adjusted = self.adjusted(tested, ["sensitive", "group", "metric"])
        return (
            adjusted.reindex(columns=STAGE_COLUMNS),
            by_metric(levels).reindex(columns=GLOBAL_COLUMNS),
        )

    def _stage(self, k: int, variant: Variant) -> tuple[dict[str, str], str]:
        """What tells the rows of a stage from others, and what to keep in mind."""
        never, said = failures(self.variant(k))
        names = {
            "stage": variant.stage.path,
            "reference": variant.reference,
            "status": "not_ablatable" if never else "ok",
        }
        return names, said if never else joined(variant.warning, said)

    def performance(self, variants: Sequence[Variant]) -> pd.DataFrame:
        """What stages do to the scores.

        Parameters
        ----------
        variants : sequence of Variant
            The stages.

        Returns
        -------
        DataFrame
            One row per stage and score.
        """
        effects = []
        new = scores_of(self.whole)
        alone = "a single split gives no interval" if len(self.results) == 1 else ""
        for k, variant in enumerate(variants):
            names, note = self._stage(k, variant)
            old = scores_of(self.variant(k)).reindex(columns=new.columns)
            pairs = zip(self.whole, self.variant(k), strict=True)
            errors = [error for a, b in pairs if (error := unscored(a) or unscored(b))]
            if errors:
                unsaid = f"{len(errors)} of {len(self.results)} splits unscored: {errors[0]}"
                note = joined(note, unsaid)
            effect = self.interval(new - old).assign(
                **names,
                with_stage=new.mean(),
                without_stage=old[new.notna()].mean(),
                message=joined(note, alone),
            )
            effects.append(effect)
        return self.adjusted(by_metric(effects), ["metric"])[PERFORMANCE_COLUMNS]

    def tested(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Without tests of gaps undefined on most splits, as the others may hold the same few."""
        rarely = is_rare(frame["n_splits"], len(self.results))
        return frame.assign(p_value=frame["p_value"].mask(rarely))

    def adjusted(self, frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
        """Benjamini–Hochberg over stages, within each of the other questions."""
        p_values = frame["p_value"].groupby([frame[name] for name in by], sort=False)
        p_adjusted = p_values.transform(adjusted_pvalues).astype(float)
        return frame.assign(p_adjusted=p_adjusted, significant=p_adjusted <= self.alpha)

    def noise_floor(self) -> pd.DataFrame:
        """How far the whole pipeline is from itself under another seed.

        Returns
        -------
        DataFrame
            One row per pair of groups and metric: `mean, std, mean_size` of the effect that a seed
            alone has, and the `change_rate`.
        """
        frames = []
        other = [result.other_seed or Outcome() for result in self.results]
        for pair in self.pairs:
            tables = self.tables(self.whole, other, pair)
            changes = pd.DataFrame([self.gaps.changes(table) for table in tables]).mean()
            values = self.by_split(tables, self.gaps.effect)
            found = self.interval(values).assign(
                **pair.names,
                mean_size=values.abs().mean(),
                change_rate=changes.get("change_rate", np.nan),
            )
            frames.append(found)
        return by_metric(frames)[NOISE_COLUMNS]

    def dropped_rows(self) -> pd.DataFrame:
        """What samplers leave out of the training data, by group.

        Returns
        -------
        DataFrame
            One row per sampler, pair of groups and group: mean `n_rows` that came to it,
            `n_dropped` of them, their share `dropped`, and the copies `n_copied`; rows that are
            made up are of no group. NaN where none of the rows that come out is one that went in,
            such as where a filter changes values as well, as then nothing is known of who was left
            out.
        """
        rows = []
        for stage in dict.fromkeys(s for r in self.results for s in r.samplers):
            samplers = [r.samplers[stage] for r in self.results if stage in r.samplers]
            for pair in self.pairs:
                for a, name in ((0, pair.unprivileged), (1, pair.privileged)):
                    counts = [_dropped(sampler, pair.rows == a) for sampler in samplers]
                    came, dropped, copied = np.mean(counts, axis=0)
                    share = dropped / came if came else np.nan
                    rows.append((stage, pair.sensitive, name, came, dropped, share, copied))
        return pd.DataFrame(rows, columns=DROPPED_COLUMNS)


def scores_of(predictions: Sequence[Outcome]) -> pd.DataFrame:
    """Scores, one row per split and one column per score, NaN where there is none."""
    names = list(dict.fromkeys(name for each in predictions for name in each.score))
    scores = pd.DataFrame([each.score for each in predictions], columns=names, dtype=float)
    return scores.where(np.isfinite(scores))


def failures(predictions: Sequence[Outcome]) -> tuple[bool, str]:
    """Whether a pipeline failed on every split, and how it failed."""
    errors = [each.error for each in predictions if each.predictions is None]
    n = len(predictions)
    if len(errors) == n:
        return True, errors[0]
    return False, f"{len(errors)} of {n} splits failed: {errors[0]}" if errors else ""


def named(estimate: pd.DataFrame, name: str) -> pd.DataFrame:
    """The mean and interval of an estimate as columns of that name."""
    ends = {"mean": name, "std": f"{name}_std", "ci_low": f"{name}_low", "ci_high": f"{name}_high"}
    return estimate[list(ends)].rename(columns=ends)


def by_metric(estimates: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Estimates below each other, what they are of as a column."""
    return pd.concat(estimates).rename_axis("metric").reset_index()


def joined(*notes: str) -> str:
    """Notes as one text."""
    said = [note for note in notes if note]
    return "; ".join([*(note.removesuffix(".") for note in said[:-1]), *said[-1:]])


def _undefined(n: int, n_splits: int) -> str:
    about = "where a group has nobody whom the metric is about"
    return f"{UNDEFINED} {n} of {n_splits} splits, {about}" if n else ""


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
