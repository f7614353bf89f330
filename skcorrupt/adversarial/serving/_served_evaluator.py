"""Scores of errors in served rows, in closed form where every row counts for itself."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from skcorrupt.base import BaseCorruption, FeatureCorruption, strike_count
from skcorrupt.base._noise import Noise
from skcorrupt.base._strike import smallest
from skcorrupt.corruptions import CorruptionProcess
from skcorrupt.evaluation import Outcome, Split, error_in_words, reseeded
from skcorrupt.utils import Sheltered, spawn_seeds

from ..candidates import Candidate, Evaluation, Evaluator, Stream, timed
from ..candidates._calibration import ENOUGH_SECONDS, scratch_of, works_alone
from ..candidates._evaluator import in_words
from ._effects import Harm, Outlook
from ._joint_effects import JointEffects
from ._row_effects import N_VALUES, RowEffects, resamples, suits_rows
from ._watched_rows import WatchedRows

# parameters by which candidates of one kind differ
SEARCHED = ("columns", "pattern", "rate", "random_state")
# of a pattern of which some rows are struck, where scores follow from what is known; of more rows,
# whose draws differ less, there is one
FIRST_DRAWS, MOST_ROWS_DRAWN = 4, 5_000


@dataclass
class ServedEvaluator(Evaluator):
    """Scores errors in the rows that fitted models are served.

    Where the score is a sum over rows and a row is predicted alike in any company, the mean over
    all draws of struck rows is computed from what the error does to each row.

    Attributes
    ----------
    watched : WatchedRows
        The rows searched.
    effects : RowEffects or None
        What errors do to rows; None where the score is no sum over rows.
    leading : RowEffects or None
        What errors do to one row at a time where the score is no sum.
    joint : JointEffects or None
        What several errors at once do to rows; None where the score is no sum over rows.
    """

    watched: WatchedRows = field(kw_only=True)
    effects: RowEffects | None = None
    leading: RowEffects | None = None
    joint: JointEffects | None = None
    # those of which the values are drawn, whose scores hold for some draws
    conditional: set[bytes] = field(default_factory=set)
    _kinds: dict[str, str] = field(default_factory=dict)
    _drawn: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    _means: dict[tuple[str, bytes], bool] = field(default_factory=dict)
    # rows that were predicted in other company
    n_compared: int = 0

    def know_rows(self, clean_scores: Sequence[float]) -> None:
        """Find out what every clean row contributes to the scores, once models are fitted."""
        given = self.splits, self.scorer, self.seed, self.n_jobs
        effects = RowEffects(*given, tick=self._tick, clean_scores=clean_scores)
        if not effects.additive:
            self.leading = RowEffects(*given, first_order=True, tick=self._tick)
            self.n_compared = self.leading.n_compared
            return
        self.n_compared, self.effects = effects.n_compared, effects
        if effects.alone and effects.form == "sum":
            self.joint = JointEffects(effects, self.watched.matched)

    @property
    def understands_score(self) -> bool:
        """Whether it is known what single rows do to the score, once the rows are known."""
        return self.effects is not None or (self.leading is not None and self.leading.additive)

    def _tick(self) -> None:
        self.deadline.check(found=self.found_any)

    @property
    def model_seconds(self) -> float:
        """Seconds spent in models and scores, predictions of rows with errors included."""
        known = self.effects or self.leading
        return self.busy_seconds + (0.0 if known is None else known.seconds)

    def beside(self) -> ServedEvaluator:
        """An evaluator that knows what this one scored, and keeps to itself what it scores."""
        beside = cast("ServedEvaluator", super().beside())
        beside.conditional = set(self.conditional)
        return beside

    def in_closed_form(self, template: BaseCorruption) -> bool:
        """Whether scores of a kind of error are known without drawing it."""
        known = self.effects is not None and self.effects.alone
        return known and self.suits(template)

    def suits(self, template: BaseCorruption) -> bool:
        """Whether what an error makes of each row searched is known, whichever rows are struck."""
        alone = len(self.splits) == 1 and len(self.splits[0].test) == self.watched.rows.n_rows
        # of rows that supply values some may be missing from a part of the rows
        return suits_rows(template) and (alone or template._reads == "row")

    def failures(
        self,
        kind: str,
        template: BaseCorruption,
        groups: Sequence[tuple[Any, ...]],
        share: float = 1.0,
    ) -> dict[tuple[Any, ...], str]:
        """Why rows with an error in groups of columns cannot be predicted, or "", by group.

        Parameters
        ----------
        kind : str
            The name of the kind of error.
        template : BaseCorruption
            The error.
        groups : sequence of tuple of labels
            Columns that are hit together.
        share : float, default=1
            Of the time that is left, where it is limited, what this may take.

        Returns
        -------
        dict
            Without groups that there was no time for; the first one is looked at in any case.
        """
        end = self.deadline.spent() + share * self.deadline.left()

        def over() -> bool:
            return self.deadline.spent() >= end

        known = self.effects or self.leading
        if known is not None and known.additive and self.suits(template):
            feature = cast("FeatureCorruption", template)
            known.prepare(kind, feature, groups, over)
            some = [group for group in groups if known.looked_at(kind, group)]
            return {group: known.failure(kind, feature, group) for group in some}
        found: dict[tuple[Any, ...], str] = {}
        for group in groups:
            if found and over():
                break
            found[group] = self.failure_alone(template, group)
            self._tick()
        return found

    def seconds_unread(self, seconds_per_score: float) -> float:
        """Seconds of the errors that are looked at before any candidate, where time was too short.

        Parameters
        ----------
        seconds_per_score : float
            Those of a score of clean rows.

        Returns
        -------
        float
            Of one group of columns of every kind of error, no matter which were looked at already.
        """
        known = self.effects or self.leading
        slowest = known.slowest if known is not None else 0.0
        # rows with errors are predicted for some draws of values, and in other company
        slowest = slowest or (N_VALUES + 2) * seconds_per_score
        n_kinds = sum(len(each._members()) for each in self.watched.templates.values())
        return n_kinds * (len(self.splits) * slowest + 2 * seconds_per_score)

    @property
    def seconds_of_start(self) -> float:
        """Seconds of starting workers that predict rows with errors, which come once."""
        known = self.effects or self.leading
        return 0.0 if known is None else known.of_start

    def failure_alone(self, template: BaseCorruption, columns: tuple[Any, ...]) -> str:
        """What the model says of rows with an error in some columns, "" where it takes them."""
        split = self.splits[0]
        ready = reseeded(template, self.seed).set_params(rate=1.0, pattern=None)
        drawn = ready.set_params(columns=[*columns]).fit(split.X_train, split.y_train)
        try:
            with warnings.catch_warnings():
                # of some columns it may happen that no value changes
                warnings.simplefilter("ignore", UserWarning)
                struck = drawn.corrupt(split.X_test, split.y_test).X
            Sheltered(split.model).predict(struck)
        except Exception as error:
            return error_in_words(error)
        return ""

    def is_led(self, template: BaseCorruption) -> bool:
        """Whether it is known which patterns may be bad, where it is not known how bad."""
        known = self.leading is not None and self.leading.additive and self.leading.alone
        return known and self.suits(template)

    def evaluate(self, candidates: Sequence[Candidate]) -> None:
        """Score those candidates that are new."""
        new = {c.key: c for c in candidates if c.key not in self.done}
        new = self._passing(new)
        if self.joint is not None:
            self.joint.prepare(new.values())
        closed = {key: c for key, c in new.items() if self.knows_mean(c)}
        others = {key: c for key, c in new.items() if key not in closed}
        self._evaluate(others)
        self._draw_led(others.values())
        try:
            for key, candidate in closed.items():
                self._tick()
                outcomes, is_random = self._closed_form(candidate)
                self._note(key, candidate, outcomes)
                if is_random:
                    self.conditional.add(key)
        finally:
            self._keep_closed(closed)

    def _draw_led(self, candidates: Iterable[Candidate]) -> None:
        """Draw more often what strikes some of the rows of a pattern, where no model is asked.

        What a single draw flatters would lead, and what it spares would be lost.
        """
        if sum(len(split.test) for split in self.splits) > MOST_ROWS_DRAWN:
            return
        led = [
            self.done[each.key]
            for each in candidates
            if each.rate < 1 and each.corruption is not None and self.is_led(each.corruption)
        ]
        if led:
            self.draw_again([each for each in led if not each.error], FIRST_DRAWS)

    def _keep_closed(self, closed: Mapping[bytes, Candidate]) -> None:
        """Keep in the journal what is scored in closed form, which is as quick to do as to read."""
        if self.journal is None:
            return
        known = self.kept.setdefault(self.table, {})
        fresh = [key for key in closed if key in self.done and key not in known]
        new = {key: self.done[key].outcomes for key in fresh}
        if new:
            rows = [(key, in_words(closed[key]), outcomes) for key, outcomes in new.items()]
            self.journal.write(self.table, rows)
            known.update(new)

    @property
    def form(self) -> str:
        """How scores follow from sums over rows."""
        return "sum" if self.effects is None else self.effects.form

    def acts_alone(self, kind: str, template: BaseCorruption, columns: tuple[Any, ...]) -> bool:
        """Whether an error in some columns acts on every row by itself, and can be predicted."""
        effects = self.effects or self.leading
        if effects is None or not (effects.additive and effects.alone):
            return False
        known = self.suits(template)
        return known and effects.known(kind, cast("FeatureCorruption", template), columns)

    def knows_mean(self, candidate: Candidate) -> bool:
        """Whether the score is the mean over all draws of struck rows, in closed form."""
        corruption = candidate.corruption
        if self.joint is not None and isinstance(corruption, CorruptionProcess):
            return self.joint.knows(candidate)
        key = candidate.kind, candidate.key
        if key not in self._means:
            self._means[key] = self._knows_mean_of_one(candidate)
        return self._means[key]

    def _knows_mean_of_one(self, candidate: Candidate) -> bool:
        """The same of what is no process, asked over and over where draws are added."""
        corruption = candidate.corruption
        if not isinstance(corruption, FeatureCorruption) or not self.in_closed_form(corruption):
            return False
        template = self.watched.template_of(candidate)
        return self.acts_alone(candidate.kind, template, candidate.columns)

    def _closed_form(self, candidate: Candidate) -> tuple[list[Outcome], bool]:
        """What comes of a candidate on every split, and whether other draws have another score."""
        if isinstance(candidate.corruption, CorruptionProcess):
            return cast("JointEffects", self.joint).outcomes(candidate), False
        corruption = cast("FeatureCorruption", candidate.corruption)
        matched = self.watched.matched(corruption, candidate.columns)
        return self._scores(candidate.kind, corruption, candidate.columns, matched)

    def _scores(
        self,
        kind: str,
        corruption: FeatureCorruption,
        columns: tuple[Any, ...],
        matched: np.ndarray,
        rates: Sequence[float] | None = None,
    ) -> tuple[list[Outcome], bool]:
        effects = cast("RowEffects", self.effects)
        template = self.watched.templates[kind or next(iter(self.watched.templates))]
        harm, is_random = effects.of(kind, cast("FeatureCorruption", template), columns)
        sums, found = effects.sums(), []
        for i, split in enumerate(self.splits):
            rate = float(cast("float", corruption.rate)) if rates is None else rates[i]
            own = matched[split.test]
            n_matched = int(np.count_nonzero(own))
            n_struck = strike_count(rate, n_matched)
            share = n_struck / max(n_matched, 1)
            loss = Outlook(effects.form, [sums[i]]).loss(np.array([[share * harm[i].total(own)]]))
            if 0 < n_struck < n_matched and effects.form != "sum":
                # the root of a mean is not the mean of roots, and neither is the size of a gap that
                # draws turn round
                values = np.sort(harm[i].each[own])
                ends = sums[i] - values[:n_struck].sum(), sums[i] - values[-n_struck:].sum()
                is_random |= effects.form == "root" or ends[0] * ends[1] < 0
            found.append(Outcome(score=-float(loss[0]), row_fraction=n_struck / len(own)))
        return found, is_random

    def draw_again(self, evaluations: Sequence[Evaluation], n_draws: int) -> None:
        """Draw errors that are random until each was drawn so often.

        Parameters
        ----------
        evaluations : sequence of Evaluation
            What was scored; what was scored for some draws of values is drawn afresh.
        n_draws : int
            How often at least.
        """
        choices = [each for each in evaluations if self._draws_rows_alone(each.candidate)]
        for each in choices:
            self._tick()
            outcomes = self._over_choices(each.candidate)
            self.done[each.candidate.key] = replace(each, outcomes=outcomes)
            self.conditional.discard(each.candidate.key)
        others = [each for each in evaluations if each not in choices]
        # the draws of values by which an error was found flatter it
        before = {
            each.candidate.key: each for each in others if each.candidate.key in self.conditional
        }
        afresh = [
            replace(each, outcomes=[]) if each.candidate.key in before else each for each in others
        ]
        self.done.update({each.candidate.key: each for each in afresh})
        try:
            super().draw_again(afresh, n_draws)
        finally:
            for key, each in before.items():
                if self.done[key].outcomes:
                    self.conditional.discard(key)
                else:
                    # an interruption leaves what there was
                    self.done[key] = each

    def seconds_per_draw(self, candidates: Sequence[Candidate]) -> tuple[float, float]:
        """Seconds of a draw of errors that are scored in closed form for some draws of values.

        Parameters
        ----------
        candidates : sequence of Candidate
            A few; the evaluator is left as it is.

        Returns
        -------
        first, again : float
            The median for a split, of a draw and of the same draw in other rows; NaN where nothing
            has to be drawn.
        """
        alone = works_alone(self.estimator)
        found: list[tuple[float, float]] = []
        for candidate in candidates:
            scratch = cast("ServedEvaluator", scratch_of(self))
            scratch.conditional = set()
            scratch.evaluate([candidate])
            (scored,) = scratch.done.values()
            drawn = scored.candidate.key in scratch.conditional
            if not drawn or scratch._draws_rows_alone(scored.candidate):
                continue
            if scratch.effects is not None:
                scratch.effects.forget_draws()

            def draw(scratch: ServedEvaluator = scratch, scored: Evaluation = scored) -> float:
                _, seconds = timed(
                    lambda: scratch.draw_again([replace(scored, outcomes=[])], 1), alone=alone
                )
                return seconds

            found.append((draw(), draw()))
            if sum(map(sum, found)) > ENOUGH_SECONDS:
                break
        if not found:
            return np.nan, np.nan
        first, again = np.median(found, axis=0) / len(self.splits)
        return float(first), float(again)

    def _draws_rows_alone(self, candidate: Candidate) -> bool:
        """Whether scores of draws differ by the rows struck alone, and what each does is known."""
        if candidate.key not in self.conditional or not self.knows_mean(candidate):
            return False
        return not self._effects_of(candidate)[1]

    def _over_choices(self, candidate: Candidate) -> list[Outcome]:
        """What comes of a candidate on every split, on average over which rows are struck.

        Few draws would be lucky ones, and lower than the bound that holds for their mean.
        """
        corruption = cast("FeatureCorruption", candidate.corruption)
        effects = cast("RowEffects", self.effects)
        harm, _ = self._effects_of(candidate)
        matched = self.watched.matched(corruption, candidate.columns)
        sums, found = effects.sums(), []
        seeds = spawn_seeds(self.seed, len(self.splits), Stream.STRUCK_ROWS)
        for i, split in enumerate(self.splits):
            own = matched[split.test]
            n_struck = strike_count(cast("float", corruption.rate), int(np.count_nonzero(own)))
            outlook, values = Outlook(effects.form, [sums[i]]), harm[i].each[own]
            loss = outlook.over_choices(values, n_struck, np.random.default_rng(seeds[i]))
            found.append(Outcome(score=-loss, row_fraction=n_struck / len(own)))
        return found

    def _effects_of(self, candidate: Candidate) -> tuple[list[Harm], bool]:
        """What a candidate's error does to every row, and whether it draws values."""
        template = cast("FeatureCorruption", self.watched.template_of(candidate))
        effects = cast("RowEffects", self.effects)
        return effects.of(candidate.kind, template, candidate.columns)

    def is_random(self, candidate: Candidate) -> bool:
        """Whether another draw of a candidate's errors has another score."""
        if not self.knows_mean(candidate):
            return super().is_random(candidate)
        evaluation = self.done.get(candidate.key)
        drawn = evaluation is not None and evaluation.n_draws > 1
        return candidate.key in self.conditional or drawn

    def draw(self, tasks: Mapping[bytes, list[tuple[Any, ...]]]) -> list[Outcome]:
        """Score draws of errors of one kind, each a list of `(corruption, split, seed)`."""
        first = next(iter(tasks.values()))
        corruption = first[0][0]
        named = self._template_of(corruption)
        closed = self.form == "sum" and self.in_closed_form(corruption)
        if named is None or not closed or not self.acts_alone(*named, tuple(corruption.columns)):
            return super().draw(tasks)
        kind, columns = named[0], tuple(corruption.columns)
        matched = self.watched.matched(corruption, columns)
        rates = [float(each.rate) for each, _, _ in first]
        outcomes, _ = self._scores(kind, corruption, columns, matched, rates)
        return outcomes

    def _template_of(self, corruption: BaseCorruption) -> tuple[str, FeatureCorruption] | None:
        """The kind of error that a corruption is of, None where that is not clear."""
        said = _settings(corruption)
        if not self._kinds:
            self._kinds.update({k: _settings(t) for k, t in self.watched.templates.items()})
        alike = [k for k, own in self._kinds.items() if own == said]
        if len(alike) != 1 or not isinstance(self.watched.templates[alike[0]], FeatureCorruption):
            return None
        name = "" if len(self.watched.templates) == 1 else alike[0]
        return name, cast("FeatureCorruption", self.watched.templates[alike[0]])

    def _outcomes(
        self, full: Sequence[tuple[Any, ...]], noted: Callable[[Any], None], **params: Any
    ) -> list[Any]:
        """Outcomes of tasks, those of known answers without asking a model."""
        placed, others = [], []
        for task in full:
            found = self._mixed(task[2], task[4], task[5])
            if found is None:
                found = self._resampled(task[2], task[4], task[5])
            if found is None:
                others.append(task)
            else:
                placed.append((task[0], found))
                noted(placed[-1])
        return placed + super()._outcomes(others, noted, **params)

    def _mixed(
        self, split: Split, corruption: BaseCorruption | None, seed: int | None
    ) -> Outcome | None:
        """The score of a draw from answers that are known, None where they are not."""
        effects = self.effects or self.leading
        if effects is None or corruption is None or not self._is_known(corruption):
            return None
        named = self._template_of(corruption)
        feature = cast("FeatureCorruption", corruption)
        columns = tuple(cast("Sequence[Any]", feature.columns or ()))
        if named is None or not self.acts_alone(*named, columns):
            return None
        rows = self._drawn_rows(split, self.watched.matched(feature, columns), feature, seed)
        draw = self._place(split), *named, columns, rows, cast("int", seed)
        return self._scored(split, len(rows), lambda: effects.score(*draw))

    def _is_known(self, corruption: BaseCorruption) -> bool:
        """Whether scores of a kind of error follow from what it does to each row."""
        return self.in_closed_form(corruption) or self.is_led(corruption)

    def _resampled(
        self, split: Split, corruption: BaseCorruption | None, seed: int | None
    ) -> Outcome | None:
        """The same where rows are dropped, or come twice."""
        effects = self.effects or self.leading
        if corruption is None or effects is None or not (effects.additive and effects.alone):
            return None
        what = resamples(corruption)
        if not what:
            return None
        rows = self._drawn_rows(split, self.watched.meets_pattern(corruption), corruption, seed)
        every = np.arange(len(split.test))
        left = np.delete(every, rows) if what == "selection" else np.append(every, rows)
        if not len(rows) or not len(left):
            return None
        place = self._place(split)
        return self._scored(split, len(rows), lambda: effects.among(place, left))

    def _scored(
        self, split: Split, n_struck: int, score: Callable[[], float | None]
    ) -> Outcome | None:
        """What comes of asking for a score that is known without a model, None where it is not."""
        started = time.perf_counter()
        outcome = Outcome(row_fraction=n_struck / len(split.test))
        try:
            found = score()
        except Exception as error:
            if self.error_score == "raise":
                raise
            outcome.score, outcome.error = self.error_score, error_in_words(error)
        else:
            if found is None:
                return None
            outcome.score = found
        outcome.score_time = time.perf_counter() - started
        return outcome

    def _place(self, split: Split) -> int:
        return next(i for i, each in enumerate(self.splits) if each is split)

    def _drawn_rows(
        self, split: Split, matched: np.ndarray, corruption: BaseCorruption, seed: int | None
    ) -> np.ndarray:
        """The rows of a split that a draw strikes."""
        noise = self._noise(len(split.test), cast("int", seed) + 1)
        return smallest(noise, matched[split.test], cast("float", corruption.rate))

    def _noise(self, n_rows: int, seed: int) -> np.ndarray:
        """What decides on which rows a draw strikes first, the same as in the corruption."""
        key = n_rows, seed
        if key not in self._drawn:
            self._drawn[key] = Noise(n_rows, seed, seed).rows(0)
        return self._drawn[key]


def _settings(corruption: BaseCorruption) -> str:
    """What a kind of error is, wherever it strikes."""
    params = corruption.get_params(deep=False)
    own = sorted((name, repr(value)) for name, value in params.items() if name not in SEARCHED)
    return f"{type(corruption)}{own}"
