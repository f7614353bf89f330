"""The strongest search there is, which decides by itself what to do."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from typing import cast

from skcorrupt.base import FeatureCorruption

from ..candidates import (
    CandidateSpace,
    MemberEvaluator,
    MemberSpace,
    ProcessTask,
    SearchTask,
)
from ..proxies import Screened
from ..serving import ServedEvaluator, suits_rows
from ._auto_plan import (
    expected_beside,
    expected_explored,
    most_explored,
)
from ._auto_run import AutoRun
from ._beam_search import BeamSearch
from ._exactly import (
    draws_values,
    enumerate_exactly,
    expected_exactly,
    expected_seconds_exactly,
    is_exact,
    most_exactly,
    refine_exactly,
)
from ._growth import Growth
from ._process_climb import ProcessClimb
from ._refinement import Refinement
from ._screening import Screening
from ._search_strategy import SearchStrategy
from ._workload import leaders_of, on_all_rows

# draws added for each candidate that was scored for some draws of its values, in the mean: those
# that lead are the lucky ones, so that one after the other is drawn afresh
DRAWN_EACH = 2.0

NOT_ALONE = (
    "what is predicted for a row depends on the rows beside it, or the score is not defined for "
    "some struck rows, so patterns were scored one by one"
)

NOT_UNDERSTOOD = (
    "the score is none that is understood, so patterns were scored one by one (where it is a mean "
    "over rows, pass scoring=make_row_scorer(loss) with the loss of each row)"
)

FROM_OTHERS = (
    "values come from other rows, so that what becomes of a row depends on those beside it and "
    "patterns were scored one by one"
)


class AutoSearch(SearchStrategy):
    """All patterns of one condition on the pipeline, longer ones where proxies and growth lead.

    Every pattern of one condition is scored on the pipeline, and ranges that just fill the budget
    besides. What proxies make of the same candidates says which of them may choose among the longer
    ones: their worst of every number of conditions, of every column hit and of those that strike
    most of a class go to the pipeline, and a proxy that the pipeline contradicts is not heard at
    that budget. The first that is heard changes its worst piece by piece as well. Where no proxy
    orders candidates much as the pipeline does, all patterns of two conditions are scored first if
    they are a few thousand on a few hundred rows. Where none does, or none to the end, longer
    patterns are searched by beam, too, and a Gaussian process learns from the scores of the
    pipeline, by the rows that candidates strike, descends on what it expects from the best of every
    sort of pattern, and chooses what is scored next. The worst then get one more condition, any of
    them, and every piece of them is changed at full resolution, round by round. Where that would
    take too many fits on too many rows, all of it happens on a sample of the rows, and the pipeline
    decides on the worst. What is done depends on rows, columns, grid, kind of estimator and
    agreement alone.

    Attributes
    ----------
    phases_ : list of dict
        What was done, in order: `phase`, `budget`, `n_candidates` that it scored on the pipeline,
        `worst_score` after it.

    Examples
    --------
    >>> from skcorrupt.adversarial import AutoSearch
    >>> AutoSearch()
    AutoSearch()
    """

    note = "less where nothing gets worse"

    def run(self, task: SearchTask, told: Screened) -> None:
        """Enumerate, screen, grow and refine.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        told : Screened
            Filled in with what candidates were screened on.
        """
        self.phases_ = told.phases
        if is_exact(task):
            if not told.served:
                enumerate_exactly({"": task}, {"": told})
            refine_exactly(task, told)
        else:
            AutoRun(task, told).run()
            if isinstance(task.evaluator.root, ServedEvaluator):
                told.gaps[:] = _why_not_exact(task)

    def begin_kinds(
        self, tasks: Mapping[str, SearchTask | ProcessTask], told: Mapping[str, Screened]
    ) -> None:
        """Enumerate kinds of error together where that is done in closed form.

        Parameters
        ----------
        tasks : dict of str to SearchTask or ProcessTask
            The searches for the kinds, by name.
        told : dict of str to Screened
            Filled in with what was covered, by kind.
        """
        exact = {
            kind: task
            for kind, task in tasks.items()
            if isinstance(task, SearchTask) and is_exact(task)
        }
        if exact:
            enumerate_exactly(exact, told)

    def run_process(self, climb: ProcessClimb, told: Screened) -> None:
        """Every member alone, exactly where that can be done, then one after the other by beams.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.
        told : Screened
            Filled in with why members were not searched to the end.
        """
        exact = _exact_members(climb)
        for name, member in exact.items():
            evaluator = MemberEvaluator(climb.evaluator, cast("MemberSpace", member.space))
            alone = dataclasses.replace(
                member, space=evaluator.alone, evaluator=evaluator, budgets=tuple(climb.shares)
            )
            own = Screened()
            enumerate_exactly({name: alone}, {name: own})
            refine_exactly(dataclasses.replace(alone, budgets=tuple(climb.whole)), own)
            told.gaps.extend(gap for gap in own.gaps if gap not in told.gaps)

        def search(member: SearchTask) -> None:
            space = cast("MemberSpace", member.space)
            if space.held or space.name not in exact:
                BeamSearch().run(member, Screened())

        climb.up(search)

    def most_processes(self, climb: ProcessClimb) -> int:
        """Most processes that are scored on the pipeline.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        int
            Over all budgets.
        """
        exact = sum(map(most_exactly, _exact_members(climb).values()))
        return BeamSearch().most_processes(climb) + exact

    def expected_processes(self, climb: ProcessClimb) -> float:
        """As many processes as are expected to be scored on the pipeline.

        Parameters
        ----------
        climb : ProcessClimb
            The search of the members together.

        Returns
        -------
        float
            Over all budgets.
        """
        exact = sum(map(most_exactly, _exact_members(climb).values()))
        return BeamSearch().expected_processes(climb) + exact

    def most_evaluations(self, task: SearchTask) -> int:
        """Most candidates that it scores on the pipeline.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            Over all budgets.
        """
        return most_exactly(task) if is_exact(task) else most_explored(task)

    def most_refined(self, task: SearchTask) -> int:
        """Most candidates near the worst of a budget that are scored in the end.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        int
            For each budget; none where the worst were refined already, in closed form.
        """
        return 0 if is_exact(task) else super().most_refined(task)

    def look_again(self, task: SearchTask, space: CandidateSpace, most: int) -> int:
        """Grow and refine the worst anew where draws put another candidate first.

        Of each set of columns the worst grew alone, which may have been a lucky draw.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        space : CandidateSpace
            The candidates of the budget.
        most : int
            Most candidates that it may score.

        Returns
        -------
        int
            How many of these are left.
        """
        if is_exact(task) or not on_all_rows(task):
            return most
        growth, evaluator = Growth(task, space, beside=True), task.evaluator
        for _ in range(max(1, space.max_conditions)):
            grown = {each.key: each for each in growth.grown() if each.key not in evaluator.done}
            if not grown or len(grown) > most:
                break
            before = evaluator.within(space.budget)[0].score
            evaluator.evaluate([*grown.values()])
            near = min(most - len(grown), growth.most_refined)
            refinement = Refinement(task, near, max(growth.width, leaders_of(task)))
            refinement.refine(space)
            most -= len(grown) + near - refinement.left
            if not evaluator.within(space.budget)[0].score < before:
                break
        return most

    def asks_a_sample(self, task: SearchTask) -> bool:
        """Whether a sample of the rows tells what is scored on all of them, which comes last.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.

        Returns
        -------
        bool
            True where fits on all rows would take too long.
        """
        return not is_exact(task) and not on_all_rows(task)

    def expected_evaluations(self, task: SearchTask) -> float:
        """As many candidates as it is expected to score on the pipeline.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error, which is left as it is.

        Returns
        -------
        float
            Over all budgets.
        """
        if is_exact(task):
            return expected_exactly(task)
        counted = dataclasses.replace(task, refused=Counter())
        return expected_explored(counted)

    def expected_draws(self, task: SearchTask, n_candidates: float) -> float:
        """As many draws of random errors as are expected to be added.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error.
        n_candidates : float
            How many are scored.

        Returns
        -------
        float
            Several of each where the draws of values that it was scored for flatter it.
        """
        if draws_values(task):
            return DRAWN_EACH * n_candidates
        return super().expected_draws(task, n_candidates)

    def expected_seconds(self, task: SearchTask) -> float:
        """Seconds of proxies and of fits on a sample, by a little of both.

        Parameters
        ----------
        task : SearchTask
            The search for one kind of error, which is left as it is.

        Returns
        -------
        float
            Over all budgets, on one core.
        """
        if is_exact(task):
            return expected_seconds_exactly(task)
        if isinstance(task.space, MemberSpace):
            return BeamSearch().expected_seconds(task)
        counted = dataclasses.replace(task, refused=Counter())
        return Screening().expected_seconds(task) + expected_beside(counted)


def _exact_members(climb: ProcessClimb) -> dict[str, SearchTask]:
    """The members of a process of which the worst pattern is told by themselves."""
    # beside errors that are kept, other patterns of the rest are worst
    if climb.maker.kept:
        return {}
    return {name: member for name, member in climb.task.members.items() if is_exact(member)}


def _why_not_exact(task: SearchTask) -> list[str]:
    """Why errors in served rows had to be drawn, where that is no choice of the user's."""
    template = task.space.template
    if isinstance(template, FeatureCorruption) and template._reads != "row":
        return [FROM_OTHERS]
    if not suits_rows(template):
        return []
    served = cast("ServedEvaluator", task.evaluator.root)
    return [NOT_ALONE if served.understands_score else NOT_UNDERSTOOD]
