"""What an error does to every row that a fitted model is served."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import BaseCorruption, FeatureCorruption
from skcorrupt.evaluation import (
    Split,
    Starting,
    corrupted_split,
    error_in_words,
    reseeded,
    run_tasks,
)
from skcorrupt.metrics import RowScore, row_score_of, surrogate_of
from skcorrupt.metrics._ranks import JointChanges
from skcorrupt.utils import Sheltered, as_table, duplicate, resolve_columns, spawn_seeds
from skcorrupt.utils._typing import TableLike

from ..candidates import Stream, _deadline
from ._company import COMPARED, alike, company_matters, compared_rows, shown_alone
from ._effects import Harm

# draws of errors whose values are random, over which the effect on a row is averaged
N_VALUES = 8
# columns of which errors are looked at in the same rows
TOGETHER = 12
# numbers that are kept of draws of values
MOST_KEPT = 1 << 25
# of scores that differ by the order in which rows are added up
ROUNDING = 1e-12


class RowEffects:
    """Contributions of rows to a score, clean and struck, by columns hit.

    Parameters
    ----------
    splits : sequence of Split
        With fitted models; their test parts are served.
    scorer : callable
        The score.
    seed : int
        Seed of values that are random, and of the rows compared.
    n_jobs : int or None
        Number of workers that predict.
    first_order : bool, default=False
        Whether rows are taken one by one where the score is no sum over them, which says which
        errors may be bad, not how bad they are.
    tick : callable
        Called after every prediction, to end a search whose time is over.
    clean_scores : sequence of float, default=()
        The score of every split without errors, where it is known.
    """

    def __init__(
        self,
        splits: Sequence[Split],
        scorer: Callable[..., Any],
        seed: int,
        n_jobs: int | None,
        *,
        first_order: bool = False,
        tick: Callable[[], None] = lambda: None,
        clean_scores: Sequence[float] = (),
    ) -> None:
        self.splits, self.seed, self.starting = splits, seed, Starting(n_jobs)
        self.clean_scores = clean_scores
        self.seconds = 0.0
        # seconds of a prediction of struck rows, at most, on the clock of limits
        self.slowest = 0.0
        # and those of starting workers
        self.of_start = 0.0
        self.tick = tick
        self.n_compared = 0
        self._harm: dict[tuple[Any, ...], tuple[list[Harm], bool]] = {}
        # what models answer for struck rows, where scores are computed from all of it
        self._answers: dict[tuple[Any, ...], list[np.ndarray]] | None = {} if first_order else None
        self._joint: dict[tuple[Any, ...], list[JointChanges] | None] = {}
        # and for rows that are all struck by one draw of values, by split, error and seed
        self._draws: dict[tuple[Any, ...], np.ndarray | None] = {}
        self._failed: dict[tuple[Any, ...], str] = {}
        # columns in which errors change what is predicted for other rows
        self._spreading: set[tuple[Any, ...]] = set()
        contributions = surrogate_of if first_order else row_score_of
        found = [
            contributions(scorer, Sheltered(s.model), s.X_test, s.y_test, s.score_params)
            for s in splits
        ]
        self.scores: list[RowScore] = [each for each in found if each is not None]
        self.additive = len(self.scores) == len(splits)
        started = time.perf_counter()
        self.answers: list[Any] = []
        if self.additive:
            self.answers = [
                score.ask(Sheltered(split.model), duplicate(split.X_test))
                for score, split in zip(self.scores, splits, strict=True)
            ]
        pairs = zip(self.scores, self.answers, strict=False)
        self.clean = [np.asarray(score.each(each), dtype=float) for score, each in pairs]
        self.seconds += time.perf_counter() - started
        self.alone = self.additive and self._independent()

    def _independent(self) -> bool:
        """Whether a row is predicted alike whatever rows are predicted with it."""
        rng = np.random.default_rng(self.seed)
        for i, split in enumerate(self.splits):
            table = as_table(split.X_test)
            # some have to stay away
            n_some = min(COMPARED, max(1, table.n_rows // 2))
            some = rng.permutation(table.n_rows)[:n_some]
            few = self.scores[i].ask(Sheltered(split.model), table.take(some))
            whole = self.answers[i]
            self.n_compared += len(some)
            if not alike(np.asarray(few), np.asarray(whole)[some]):
                return False
        return True

    @property
    def form(self) -> str:
        """How scores follow from sums of contributions."""
        return self.scores[0].form

    @property
    def spreading(self) -> bool:
        """Whether an error in some columns changes what is predicted for other rows."""
        return bool(self._spreading)

    @property
    def has_random_values(self) -> bool:
        """Whether the values of some errors are drawn."""
        return any(is_random for _, is_random in self._harm.values())

    def sums(self) -> list[float]:
        """The sum of clean contributions of every split.

        Where it is the score itself, it is that to the last digit, so that errors that do nothing
        take nothing away.
        """
        pairs = zip(self.scores, self.clean, strict=True)
        sums = [float(clean.sum()) + score.offset for score, clean in pairs]
        if self.form != "sum" or not self.clean_scores:
            return sums
        same = zip(self.clean_scores, sums, strict=True)
        return [
            score if math.isclose(score, each, rel_tol=ROUNDING) else each for score, each in same
        ]

    def of(
        self, kind: str, template: FeatureCorruption, columns: tuple[Any, ...]
    ) -> tuple[list[Harm], bool]:
        """What striking every row takes from its contribution, and whether values are random.

        Parameters
        ----------
        kind : str
            The name of the kind of error.
        template : FeatureCorruption
            The error.
        columns : tuple of labels
            The columns hit.

        Returns
        -------
        harm : list of Harm
            By split; of random values the mean over draws.
        is_random : bool
            Whether other draws are other values.
        """
        self.prepare(kind, template, [columns])
        return self._harm[(kind, *columns)]

    def failure(self, kind: str, template: FeatureCorruption, columns: tuple[Any, ...]) -> str:
        """Why rows with an error cannot be predicted, or ""."""
        self.prepare(kind, template, [columns])
        return self._failed.get((kind, *columns), "")

    def looked_at(self, kind: str, columns: tuple[Any, ...]) -> bool:
        """Whether rows with an error were predicted, or tried to be."""
        key = kind, *columns
        return key in self._harm or key in self._failed or key in self._spreading

    def known(self, kind: str, template: FeatureCorruption, columns: tuple[Any, ...]) -> bool:
        """Whether an error acts on every row by itself, and the rows with it are predicted."""
        self.prepare(kind, template, [columns])
        return (kind, *columns) in self._harm and (kind, *columns) not in self._spreading

    def prepare(
        self,
        kind: str,
        template: FeatureCorruption,
        groups: Sequence[tuple[Any, ...]],
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Predict the rows with errors in groups of columns, those that are not known yet.

        Parameters
        ----------
        kind : str
            The name of the kind of error.
        template : FeatureCorruption
            The error.
        groups : sequence of tuple of labels
            Columns that are hit together.
        over : callable
            Whether no other group is begun behind the first one, which is looked at in any case.
        """
        new = [columns for columns in groups if not self.looked_at(kind, columns)]
        if not new:
            return
        started = time.perf_counter()
        ready: dict[tuple[Any, ...], BaseCorruption] = {}
        last, starts, n = _deadline.now(), self.starting.needed, len(self.splits)

        def done(struck: _Struck) -> None:
            nonlocal last, starts
            here = _deadline.now()
            seconds = here - last
            if starts and not self.starting.needed:
                # the first of workers that were not there takes the time of their start, too
                starts, self.of_start = False, max(0.0, seconds - struck.seconds)
                seconds = struck.seconds
            self.slowest, last = max(self.slowest, seconds), here
            self.tick()

        def tasks() -> Iterator[tuple[Any, ...]]:
            # workers take them one after another, so that time may be over between them
            for columns in new:
                if ready and over():
                    return
                ready[columns] = _ready(template, columns)
                for i, split in enumerate(self.splits):
                    yield split, self.scores[i], ready[columns], self._seeds(), self.clean[i]

        waiting, found = tasks(), []
        if starts:
            # by the first ones it is known whether workers are worth the time that they take
            found = run_tasks(_struck, islice(waiting, n), n_jobs=1, done=done)
        n_jobs = self.starting.jobs(n * len(new) - len(found), self.slowest)
        found += run_tasks(_struck, waiting, n_jobs=n_jobs, done=done)
        by_columns = {columns: found[k * n : (k + 1) * n] for k, columns in enumerate(ready)}
        mixing = self._mixing(ready, by_columns)
        for columns, own in by_columns.items():
            errors = [each.error for each in own if each.error]
            if errors:
                self._failed[(kind, *columns)] = errors[0]
                continue
            if any(each.spreads for each in own) or columns in mixing:
                self._spreading.add((kind, *columns))
                continue
            is_random = any(each.is_random for each in own)
            self._harm[(kind, *columns)] = [each.harm for each in own], is_random
            if self._answers is not None and not is_random:
                self._answers[(kind, *columns)] = [each.answers for each in own]
        self.seconds += time.perf_counter() - started

    def _mixing(
        self,
        ready: dict[tuple[Any, ...], BaseCorruption],
        struck: Mapping[tuple[Any, ...], Sequence[_Struck]],
    ) -> set[tuple[Any, ...]]:
        """Columns in which struck rows change what is predicted for others in their company."""
        found: set[tuple[Any, ...]] = set()
        for i, (split, score) in enumerate(zip(self.splits, self.scores, strict=True)):
            own = {c: each[i].few for c, each in struck.items() if all(s.known for s in each)}
            alone = {c[0]: few for c, few in own.items() if len(c) == 1 and few is not None}
            labels = [*alone]
            sure: set[tuple[Any, ...]] = set()
            for start in range(0, len(labels), TOGETHER):
                some = {label: alone[label] for label in labels[start : start + TOGETHER]}
                corruption = ready[(labels[start],)]
                seen = shown_alone(split, score, corruption, self.answers[i], some)
                sure |= {(label,) for label in seen}
            for columns, answers in own.items():
                if columns not in sure and columns not in found:
                    if company_matters(split, score, ready[columns], self.answers[i], answers):
                        found.add(columns)
            self.tick()
        return found

    def score(
        self,
        i: int,
        kind: str,
        template: FeatureCorruption,
        columns: tuple[Any, ...],
        rows: np.ndarray,
        seed: int,
    ) -> float | None:
        """The score of a split of which some rows are struck, from what is known of all of them.

        What a row draws does not depend on which others are struck, so for a draw of values the
        model is asked once for all rows and all patterns.

        Parameters
        ----------
        i : int
            The position of the split.
        kind : str
            The name of the kind of error.
        template : FeatureCorruption
            The error.
        columns : tuple of labels
            The columns hit.
        rows : ndarray of int
            The struck rows, as positions in the split.
        seed : int
            Seed of the draw.

        Returns
        -------
        float or None
            None where the score is not known of rows alone.
        """
        score, key = self.scores[i], (kind, *columns)
        _, is_random = self._harm.get(key, ([], False))
        struck: np.ndarray | None = None
        if not is_random:
            known = (self._answers or {}).get(key)
            struck = None if known is None or score.whole is None else known[i]
        elif score.beyond is None and (score.whole is not None or self._answers is None):
            struck = self._draw(i, kind, template, columns, seed)
        if struck is None:
            return None
        mixed = np.array(self.clean[i] if score.whole is None else self.answers[i])
        mixed[rows] = struck[rows]
        return score.total(mixed) if score.whole is None else score.whole(mixed)

    def joint(self, kind: str, columns: tuple[Any, ...]) -> list[JointChanges] | None:
        """What pairs of rows with an error change beside what each changes, by split.

        Parameters
        ----------
        kind : str
            The name of the kind of error.
        columns : tuple of labels
            The columns hit, which are known.

        Returns
        -------
        list of JointChanges or None
            None where scores are sums over rows, or this is not known of pairs.
        """
        key = kind, *columns
        if key not in self._joint:
            answers = (self._answers or {}).get(key, [])
            pairs = zip(self.scores, answers, strict=False)
            found = [score.joint(each) if score.joint else None for score, each in pairs]
            known = [each for each in found if each is not None]
            kept = len(self._joint) + 1
            if kept * sum(each.each.size for each in known) > MOST_KEPT:
                self._joint.clear()
            self._joint[key] = known if len(known) == len(self.splits) else None
        return self._joint[key]

    def forget_draws(self) -> None:
        """Leave no answers for draws of values, to measure how long these take."""
        self._draws.clear()

    def _draw(
        self,
        i: int,
        kind: str,
        template: FeatureCorruption,
        columns: tuple[Any, ...],
        seed: int,
    ) -> np.ndarray | None:
        """What comes of every row of a split where all are struck by one draw of values."""
        key = i, kind, columns, seed
        if key not in self._draws:
            split, score = self.splits[i], self.scores[i]
            if (len(self._draws) + 1) * len(split.test) > MOST_KEPT:
                self._draws.clear()
            self._draws[key] = _struck_by_draw(split, score, _ready(template, columns), seed)
        return self._draws[key]

    def among(self, i: int, rows: np.ndarray) -> float | None:
        """The score of some clean rows of a split, which may come twice, None where not known."""
        among = self.scores[i].among
        return None if among is None else among(np.asarray(self.answers[i]), rows)

    def _seeds(self) -> list[int]:
        return spawn_seeds(self.seed, N_VALUES, Stream.VALUES)


def suits_rows(template: BaseCorruption) -> bool:
    """Whether matched rows are struck alike, all columns of a group together.

    What becomes of a row then does not depend on which others are struck.
    """
    return (
        isinstance(template, FeatureCorruption)
        and template.mechanism is None
        and template.sampling == "uniform"
        and template.same_rows
        and template._reads != "spared"
    )


def resamples(template: BaseCorruption) -> str:
    """Whether rows are dropped ("selection"), come twice ("duplicates"), or neither ("")."""
    what = template._simulated_as(classifier=True)
    return what if what in ("selection", "duplicates") else ""


def _ready(template: FeatureCorruption, columns: tuple[Any, ...]) -> BaseCorruption:
    """The error in every row."""
    ready = reseeded(template, 0)
    ready.set_params(rate=1.0, pattern=None)
    if columns:
        ready.set_params(columns=list(columns))
    return ready


@dataclass(frozen=True, eq=False)
class _Struck:
    """What models make of struck rows.

    Attributes
    ----------
    harm : Harm
        What is taken from contributions to the score, the mean over draws.
    is_random : bool
        Whether other draws are others.
    spreads : bool
        Whether they fail only where all rows are struck.
    error : str
        What went wrong, or "".
    answers : ndarray or None
        All answers, where scores are computed from them.
    few : ndarray or None
        The answers for some rows, None where they are random.
    seconds : float
        How long it took.
    """

    harm: Harm
    is_random: bool = False
    spreads: bool = False
    error: str = ""
    answers: Any = None
    few: np.ndarray | None = None
    seconds: float = 0.0

    @property
    def known(self) -> bool:
        """Whether there are answers."""
        return not (self.error or self.spreads)


def _struck(*task: Any) -> _Struck:
    """What is taken from contributions of clean rows, and how long that took."""
    started = time.perf_counter()
    struck = _struck_rows(*task)
    return replace(struck, seconds=time.perf_counter() - started)


def _struck_rows(
    split: Split,
    score: RowScore,
    corruption: BaseCorruption,
    seeds: Sequence[int],
    clean: np.ndarray,
) -> _Struck:
    """What is taken from contributions of clean rows, the mean over draws of values."""
    model = Sheltered(split.model)
    found: list[np.ndarray] = []
    first: list[pd.Series] = []
    answers: Any = None
    few: np.ndarray | None = None
    for seed in seeds if corruption._draws_values is not False else seeds[:1]:
        drawn = reseeded(corruption, seed).fit(split.X_train, split.y_train)
        with warnings.catch_warnings():
            # candidates of columns in which nothing can change are refused for it
            warnings.simplefilter("ignore", UserWarning)
            struck = drawn.corrupt(split.X_test, split.y_test).X
        if corruption._draws_values is None:
            columns = _struck_columns(struck, corruption)
            if not found:
                first = columns
            elif len(found) == 1 and all(a.equals(b) for a, b in zip(first, columns, strict=True)):
                break
        try:
            answers = score.ask(model, struck)
        except Exception as error:
            # all rows struck at once may be what no model takes
            partly = company_matters(split, score, corruption, None, None)
            said = error_in_words(error) if partly else ""
            return _Struck(Harm.of(np.empty(0)), spreads=not partly, error=said)
        try:
            found.append(np.asarray(score.each(answers), dtype=float))
        except ValueError:
            # what is not defined for a single row may be for all rows of a pattern
            return _Struck(Harm.of(np.empty(0)), spreads=True)
    is_random = len(found) > 1
    kept = None if score.whole is None or is_random else np.asarray(answers)
    few = None if is_random else np.asarray(answers)[compared_rows(len(found[0]))]
    harm = Harm.of(clean - np.mean(found, axis=0))
    return _Struck(harm, is_random, answers=kept, few=few)


def _struck_by_draw(
    split: Split, score: RowScore, corruption: BaseCorruption, seed: int
) -> np.ndarray | None:
    """What a draw makes of every row where all are struck, None where that is not known.

    What the model answers where the score is computed from all of it, else contributions.
    """
    with warnings.catch_warnings():
        # of some columns it may happen that no value changes
        warnings.simplefilter("ignore", UserWarning)
        found, _ = corrupted_split(split, corruption, seed, "test")
    try:
        answers = score.ask(Sheltered(split.model), found.X_test)
        return np.asarray(score.each(answers) if score.whole is None else answers)
    except Exception:
        # all rows struck at once may be what no model takes, or no score is defined for
        return None


def _struck_columns(X: TableLike, corruption: BaseCorruption) -> list[pd.Series]:
    """The columns that an error hits."""
    table = as_table(X)
    hit = resolve_columns(table, getattr(corruption, "columns", None) or [])
    return [pd.Series(table.values(j)) for j in hit]
