"""The audit: who can, and who cannot, change their prediction."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from numbers import Integral, Real
from os import PathLike
from typing import Any, Literal, Self, cast

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skcorrupt.evaluation._described import text_of
from skcorrupt.evaluation._holds_data import HoldsData
from skcorrupt.patterns import as_pattern
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.stats import minimum_informative_size, sample_size_for_test
from skcorrupt.utils import (
    N_JOBS,
    Source,
    as_source,
    as_table,
    calls_back,
    check_arguments,
    check_is_estimator,
    check_table,
    draw_seed,
    seed_array,
    spawn_seeds,
    user_function,
    warn_of_order,
)
from skcorrupt.utils._compat import CallbackSupportMixin, HasMethods, Interval, StrOptions
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._typing import (
    ColumnLike,
    Estimator,
    FilePath,
    RandomState,
    Side,
    TableLike,
)
from skcorrupt.utils._warn import warn

from ..actions._action_set import ActionSet
from ..actions._people_checked import check_people, person_of
from ..sampling._reachable_space import ReachableSpace
from ._acting_on import acting_on
from ._different_people import DifferentPeople
from ._few_people import harmful
from ._hits import Judge, count_all, reached, weighed
from ._importance import ALIKE, Aim, importance_size
from ._in_words import audit_in_words
from ._kept_results import RESULTS
from ._people_in_parts import PeopleInParts
from ._targets import truth_values
from ._verdicts import (
    N_PEOPLE,
    decide,
    group_labels,
    how_many,
    merged_groups,
    named_groups,
    tallied,
)

AT_LEAST_ONE = Interval(Integral, 1, None, closed="left")
DIRECTIONS = ("at_most", "at_least")
# what each task claims
TASKS: dict[str, Side] = {"preclusion": "at_most", "gaming": "at_least"}
ESTIMATE = ["responsiveness", "ci_low", "ci_high", "n", "hits", "exact"]
COLUMNS = ["prediction", *ESTIMATE, "p_value", "p_adjusted", "verdict", "method"]


class ResponsivenessAuditor(CallbackSupportMixin, HoldsData, BaseEstimator):
    """Estimate and test how responsive predictions are to what people can do.

    The responsiveness of a prediction is the share of a person's interventions that lead to a
    target prediction (definition 1 of [1]_). Where all of them can be listed it is known exactly;
    else it is estimated from independent uniform draws, with a Clopper–Pearson interval and a
    test. A fitted auditor holds the people, for `examples` and `audit`, and so do its pickles;
    `drop_data` lets go of them. The action set stays, which lists the values of text columns.

    Parameters
    ----------
    estimator : estimator
        The fitted model; pipelines take the data as they are.
    actions : ActionSet
        What people can change, and the rules on it.
    target : label, set or list of labels, (low, high), "flip" or callable
        The target prediction: for a model that predicts numbers an interval, None for an open
        end; "flip" is any other prediction than the present one; a callable is asked as
        `target(y_new, y_old, X)`, all of the same length, X being the people as they are.
    task : {"preclusion", "gaming"} or None, default=None
        Both leave out those who have the target prediction already. "preclusion" claims that
        responsiveness is below `epsilon`, where a single way is enough to be responsive;
        "gaming" claims that it is `epsilon` or more. None is for all other questions, about
        everybody.
    direction : {"at_most", "at_least"} or None, default=None
        What is claimed where it can be shown: that responsiveness is below `epsilon`, or above.
        None is what the task says, and "at_most" without a task.
    epsilon : float in (0, 1), default=0.1
        The threshold.
    alpha : float in (0, 1), default=0.05
        Level of tests and, one minus it, of intervals.
    beta : float in (0, 1), default=0.2
        With `n_samples="auto"`, how often a true claim may be missed.
    delta : float, default=0.05
        With `n_samples="auto"`, the distance from `epsilon` that is to be found; at most that to
        the end of the range.
    n_samples : int, "auto" or "importance", default="auto"
        Points drawn for a person who has more than 5,000, and more than this; all others are
        seen in full. "auto" is `sample_size_for_test`, which is for the test of one person: what
        `multiplicity` takes from many is not made up for. "importance" is for shares as rare as
        `epsilon`: of up to ten million draws a person, it predicts 100 / `epsilon`, most of them
        where a guess of the model's score expects hits, and weighs them; where that promises
        little, it warns and draws all alike.
    multiplicity : {"bh", "bonferroni"} or None, default="bh"
        How the number of people tested is allowed for: by the false discovery rate (Benjamini and
        Hochberg), the family-wise error rate, or not.
    population : Pattern, str, dict, callable or None, default=None
        Who is audited: a pattern on X in which y is the prediction, or a callable
        `(X, predictions) -> bool`; None is everybody, or whom the task has in mind.
    n_jobs : int or None, default=None
        Number of workers; the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Source of all draws.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    results_ : DataFrame
        One row per person, by the index of X: `prediction, responsiveness, ci_low, ci_high, n,
        hits, exact, p_value, p_adjusted, verdict, method`. Verdicts are "responsive",
        "unresponsive" and "undecided". Of a table that is read in parts one row per different
        person, by the position at which they are met first, and `n_people`, how many they are.
    direction_ : {"at_most", "at_least"}
        What was claimed.
    n_samples_ : int
        Points drawn for a person; by importance, points predicted at most.
    interrupted_ : bool
        Whether Ctrl-C, SIGTERM or a callback ended the audit early: `results_` then has the people
        audited until that moment.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if they have string names.

    References
    ----------
    .. [1] "Reliable Models via Responsiveness Verification", section 3.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor
    >>> X = pd.DataFrame({"age": [25, 31, 45, 60], "savings": [0, 3, 1, 3]})
    >>> model = DecisionTreeClassifier(random_state=0).fit(X, ["no", "yes", "no", "yes"])
    >>> actions = ActionSet.from_data(X, actionable=["savings"])
    >>> auditor = ResponsivenessAuditor(model, actions, target="yes", task="preclusion").fit(X)
    >>> auditor.results_[["prediction", "responsiveness", "verdict"]]
      prediction  responsiveness     verdict
    0         no            0.25  responsive
    2         no            0.25  responsive
    """

    _first_results = ("results_", "n_samples_")
    _expected_results = RESULTS
    _private_results = ("_seed", "_by_importance", "_target", "_attributions", "_rows", "_possible")
    _rows_in = ("_X", "_actions", "_parts")
    _models_in = ("_model",)
    # of results that were saved before there was a choice
    _by_importance = False
    # of a table that is read in parts: where everybody held is met first, and how often
    _first: np.ndarray | None = None
    _times: np.ndarray | None = None
    _parts: PeopleInParts | None

    _parameter_constraints: dict[str, Any] = {
        "estimator": [HasMethods("predict")],
        "actions": [ActionSet],
        "target": "no_validation",
        "task": [StrOptions(set(TASKS)), None],
        "direction": [StrOptions(set(DIRECTIONS)), None],
        "epsilon": [Interval(Real, 0, 1, closed="neither")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "beta": [Interval(Real, 0, 1, closed="neither")],
        "delta": [Interval(Real, 0, 1, closed="neither")],
        "n_samples": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"auto", "importance"}),
        ],
        "multiplicity": [StrOptions({"bh", "bonferroni"}), None],
        "population": "no_validation",
        "n_jobs": N_JOBS,
        "random_state": "no_validation",
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        estimator: Estimator,
        actions: ActionSet,
        *,
        target: Any,
        task: Literal["preclusion", "gaming"] | None = None,
        direction: Side | None = None,
        epsilon: float = 0.1,
        alpha: float = 0.05,
        beta: float = 0.2,
        delta: float = 0.05,
        n_samples: int | Literal["auto", "importance"] = "auto",
        multiplicity: Literal["bh", "bonferroni"] | None = "bh",
        population: PatternLike | Callable[..., Any] | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.actions = actions
        self.target = target
        self.task = task
        self.direction = direction
        self.epsilon = epsilon
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.n_samples = n_samples
        self.multiplicity = multiplicity
        self.population = population
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @calls_back
    def fit(self, X: TableLike | FilePath, y: Any = None) -> Self:
        """Audit people.

        Of a table that is read in parts, people with the same values in all columns of the action
        set are audited once, and count as often as there are such people. Where all points of a
        person are seen, results are those of the table in memory; where they are drawn, equal
        people share the draws of the first of them. `audit_to_parquet` writes a row for each row.

        Parameters
        ----------
        X : table of shape (n_people, n_features), or table in parts
            The people, with the columns of the action set in its order. In parts: a Parquet file
            or a folder of such, a polars LazyFrame, a pyarrow Dataset or a Dask DataFrame, of
            which other columns are not looked at. Its different people have to fit in memory.
        y : None
            Not used.

        Returns
        -------
        self : ResponsivenessAuditor
            With `results_`.

        Raises
        ------
        ValueError
            If the model is not fitted or predicts at random, never predicts the target, people
            break the rules as they are, the points are too few for a test, or `direction`
            contradicts `task`; and of a table in parts if it lacks a column, has no fixed order of
            rows, or `population` is a function.
        """
        source = as_source(X)
        if source is not None:
            self._fit_parts(source)
            # the path is nobody's concern
            is_path = isinstance(X, (str, PathLike))
            self._data_facts["container"] = "Parquet" if is_path else type(X).__name__
            return self
        self._check_given()
        self._set_up(cast("TableLike", X))
        self._audit_all(keep=True)
        return self

    def _fit_parts(self, source: Source, *, keep: bool = True) -> DifferentPeople:
        """Audit the different people of a table that is read in parts."""
        self._check_given()
        if callable(self.population):
            raise ValueError(
                "population is a function, which would be asked of different people, not of all "
                "rows; pass a pattern."
            )
        columns = [element.name for element in self.actions]
        people = DifferentPeople.of(source, columns, self.n_jobs)
        self._set_up(people.X)
        self._first, self._times = people.first, people.times
        n_rows = int(people.times.sum())
        self._parts = PeopleInParts(source, people.frame, n_rows, self.n_jobs)
        self._data_facts["rows"] = n_rows
        self._audit_all(keep=keep)
        return people

    def _check_given(self) -> None:
        check_is_estimator(self.estimator, methods=("predict",))
        self._validate_params()

    def _set_up(self, X: TableLike) -> None:
        """Check what was given, and keep it."""
        table = check_table(self, X, reset=True)
        self.direction_ = self._claim()
        self.n_samples_ = self._sample_size()
        self._by_importance = self.n_samples == "importance"
        # what is changed later must not mix with what was found
        self._X, self._seed = table.take(np.arange(table.n_rows)), draw_seed(self.random_state)
        self._first, self._times, self._parts = None, None, None
        self._note_data(self._X)
        self._actions = copy.deepcopy(self.actions)
        # before a model is asked, which would say less of it
        self._actions._check_columns(table)
        self._possible = _possible(self._actions)
        self._model = self.estimator
        self._target = self.target
        self._attributions: pd.DataFrame | None = None
        self.interrupted_ = False

    def _audit_all(self, *, keep: bool) -> None:
        """Find `results_`; with `keep` those of some people are kept where it is ended early."""
        self._rows, self.results_ = self._audited({"": self._model}, self._actions, keep=keep)[""]
        missing = self._actions._missing_rules(self._actions.codes(self._X))
        self._possible["missing"] = [text_of(rule) for rule in missing]

    def _positions(self, rows: np.ndarray) -> np.ndarray:
        """Positions in the X of `fit` of people who are held."""
        return rows if self._first is None else self._first[rows]

    def _number(self, people: np.ndarray) -> int:
        """How many people these are, given by where among those who are held they are."""
        return len(people) if self._times is None else int(self._times[people].sum())

    def _seeds(self) -> list[int]:
        """A seed for everybody who is held: that of their position in the X of `fit`."""
        if self._first is None:
            return spawn_seeds(self._seed, as_table(self._X).n_rows)
        seeds: list[int] = seed_array(self._seed, int(self._first.max()) + 1)[self._first].tolist()
        return seeds

    def audit(self, models: Mapping[str, Estimator]) -> pd.DataFrame:
        """Audit other models on the people and the reachable points of `fit`.

        Each model has its own population where that depends on predictions, as with the task
        "preclusion", which is about those without the target.

        Parameters
        ----------
        models : mapping of str to estimator
            Fitted models.

        Returns
        -------
        DataFrame
            As `results_`, with the `model` as first column, one model after the other.
        """
        check_is_fitted(self, "results_")
        if not isinstance(models, Mapping) or not models:
            raise ValueError(
                f"models={models!r} should be a mapping of names to fitted models, one or more."
            )
        for name, model in models.items():
            check_is_estimator(model, f"models: {name}", methods=("predict",))
        found = self._audited(models, self._actions)
        for name, (_, results) in found.items():
            results.insert(0, "model", name)
        return pd.concat([results for _, results in found.values()])

    def examples(self, i: int) -> Any:
        """The points with the target prediction that a person reached in the audit.

        Parameters
        ----------
        i : int
            Position of the person in the X of `fit`; of a table that is read in parts, that at
            which such a person is met first, as in the index of `results_`.

        Returns
        -------
        table of shape (hits, n_features)
            Different points, in the container of X.
        """
        check_is_fitted(self, "results_")
        table = as_table(self._X)
        i = self._held(i, table.n_rows)
        space = ReachableSpace(self._actions)
        _, person = person_of(self._actions, table.take(np.array([i])))
        seed = self._seeds()[i]
        judge = Judge.of(self._model, self._target, self._X)
        aim = self._aim
        found: Any = reached(space, person, self.n_samples_, seed, draw=aim is None)
        if found is None and aim is not None:
            found = weighed(judge, space, self._X, i, person, seed, aim)
        values = np.unique(found.values, axis=0)
        people = np.full(len(values), i)
        points = space.points(self._X, people, values)
        hits = judge.hits(points, people, self._X)
        examples = as_table(points).take(np.flatnonzero(hits))
        return examples.reset_index(drop=True) if isinstance(examples, pd.DataFrame) else examples

    def _held(self, i: int, n: int) -> int:
        """Where among those who are held somebody is, given by a position in the X of `fit`."""
        whole = isinstance(i, (int, np.integer))
        if self._first is None:
            if not whole or not 0 <= i < n:
                raise ValueError(f"i={i!r} should be a position from 0 to {n - 1}.")
            return i
        at = np.flatnonzero(self._first == i) if whole else np.zeros(0, dtype=int)
        if not len(at):
            raise ValueError(
                f"i={i!r} is no position at which a person is met first; results_.index has those "
                "of all who were audited."
            )
        return int(at[0])

    def summary(self, by: str | ColumnLike | None = None, *, min_group_size: int = 5) -> str:
        """Say what was found, in a sentence or two, or in one for each group.

        Parameters
        ----------
        by : str, array-like of shape (n_people,) or None, default=None
            A column of X or one group per person; None is one group. A table in parts is read
            once more for a column that is not in the action set, and for one group per row.
        min_group_size : int, default=5
            The fewest people of a group that is told of, as in `by_group`; numbers of fewer people
            with a verdict, and what they would follow from, are left out too.

        Returns
        -------
        str
            How many people were audited, shares of verdicts and the mean responsiveness.
        """
        found = self.by_group(by, min_group_size=min_group_size)
        rows = self._data_facts["rows"]
        return audit_in_words(
            found,
            rows,
            grouped=by is not None,
            least=min_group_size,
            keep=harmful(self.direction_),
            cut_short=getattr(self, "interrupted_", False),
        )

    def by_group(
        self, by: str | ColumnLike | None = None, *, min_group_size: int = 1
    ) -> pd.DataFrame:
        """Count responsiveness and verdicts of all people, or of groups.

        Parameters
        ----------
        by : str, array-like of shape (n_people,) or None, default=None
            A column of X or one group per person; None is one group. A table in parts is read
            once more for a column that is not in the action set, and for one group per row.
        min_group_size : int, default=1
            The fewest people of a group that has a row of its own. Smaller groups share one, with
            as many larger ones as it takes that none follows from the others and the whole.

        Returns
        -------
        DataFrame
            One row per group: `n_people`, the mean `responsiveness`, the share of people of whom
            it is `exact`, and the shares of verdicts.
        """
        check_arguments("by_group", {"min_group_size": [AT_LEAST_ONE]}, locals())
        results, labels = self._grouped(by)
        return tallied(results, merged_groups(labels, min_group_size, how_many(results)))

    def _grouped(self, by: str | ColumnLike | None) -> tuple[pd.DataFrame, pd.Series]:
        """Results, of a table in parts a row for each group that people are in, and the groups."""
        check_is_fitted(self, "results_")
        held = by is None or (isinstance(by, str) and by in self._data_facts["columns"])
        n_rows = self._data_facts["rows"]
        # results that were read, or hold no data, have no rows to compare with
        warn_of_order(by, vars(self).get("_X"), "by")
        if held or N_PEOPLE not in self.results_:
            # only a column's name needs the data
            X = self._X if isinstance(by, str) else None
            return self.results_, group_labels(by, X, self._rows, n_rows)
        if self._parts is None:
            raise ValueError(
                "by is no column of the action set, and the table that was read in parts is not "
                "in this pickle; fit again, or pass one of "
                f"{listed_labels(map(on_one_line, self._data_facts['columns']))}."
            )
        if not isinstance(by, str):
            by = group_labels(by, None, np.arange(n_rows), n_rows).to_numpy()
        people, groups, times = self._parts.grouped(by)
        audited = np.isin(people, self._rows)
        places = np.searchsorted(self._rows, people[audited])
        results = self.results_.iloc[places].assign(**{N_PEOPLE: times[audited]})
        name = by if isinstance(by, str) else "group"
        return results, named_groups(groups[audited], len(results), name)

    def __getstate__(self) -> dict[str, Any]:
        # some tables cannot be handed on, and the path is nobody's concern
        state: dict[str, Any] = super().__getstate__()
        return state | ({"_parts": None} if "_parts" in state else {})

    def _complete(self) -> None:
        if not getattr(self, "_left_out", ""):
            self.attributions_  # noqa: B018

    @property
    def attributions_(self) -> pd.DataFrame:
        """Responsiveness to each actionable column alone, with what rules move along with it.

        What other columns and rules do is left out. One row per person and column: `row` (position
        in the X of `fit`), `feature, responsiveness, ci_low, ci_high, n, hits, exact`, and
        `n_people` where `results_` has it. Computed when first asked for.
        """
        check_is_fitted(self, "results_")
        if self._attributions is None:
            parts = []
            for name in (element.name for element in self._actions if element.actionable):
                alone = acting_on(self._actions, name)
                what = f"Acting on {name} alone"
                rows, results = self._audited({"": self._model}, alone, what=what)[""]
                parts.append(results.assign(row=self._positions(rows), feature=name))
            columns = ["row", "feature", *ESTIMATE]
            columns += [N_PEOPLE] if self._times is not None else []
            found = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
            self._attributions = found[columns]
        return self._attributions

    def _claim(self) -> Side:
        """The direction of the test."""
        if self.task is None:
            return self.direction or "at_most"
        claimed = TASKS[self.task]
        if self.direction not in (None, claimed):
            raise ValueError(
                f"direction={self.direction!r} contradicts task={self.task!r}, which claims "
                f"{claimed!r}; leave direction out, or pass task=None and a population."
            )
        return claimed

    @property
    def _aim(self) -> Aim | None:
        """What points by importance are to find out, None for points that are drawn alike."""
        if not self._by_importance:
            return None
        return Aim(self.n_samples_, self.epsilon, self.alpha, self.direction_)

    def _sample_size(self) -> int:
        direction = self.direction_
        least = minimum_informative_size(self.alpha, self.epsilon, direction=direction)
        if self.n_samples == "importance":
            return max(least, importance_size(self.epsilon))
        if self.n_samples == "auto":
            # nobody's responsiveness is further from the threshold than 0 or 1
            room = self.epsilon if direction == "at_most" else 1 - self.epsilon
            return sample_size_for_test(
                self.alpha, self.beta, self.epsilon, min(self.delta, room), direction=direction
            )
        if self.n_samples < least:
            raise ValueError(
                f"n_samples={self.n_samples} are too few to claim anything at "
                f"epsilon={self.epsilon} and alpha={self.alpha}; pass {least} or more, or 'auto'."
            )
        return int(self.n_samples)

    def _audited(
        self,
        models: Mapping[str, Estimator],
        actions: ActionSet,
        *,
        keep: bool = False,
        what: str = "Auditing",
    ) -> dict[str, tuple[np.ndarray, pd.DataFrame]]:
        X, table = self._X, as_table(self._X)
        if self.population is None and self.task is None:
            # before a model is asked about rows that it may not take
            self._check_people(np.arange(table.n_rows))
        judges = {name: Judge.of(model, self._target, X) for name, model in models.items()}
        chosen = {name: self._population(judge) for name, judge in judges.items()}
        anyone = np.flatnonzero(np.any(list(chosen.values()), axis=0))
        if not len(anyone):
            why = "" if self.task is None else ", as a task leaves those out who have the target"
            raise ValueError(
                f"population={self.population!r} and task={self.task!r} leave nobody of "
                f"{self._data_facts['rows']} people to audit{why}."
            )
        self._check_people(anyone)
        counted, seen, cause = count_all(
            list(judges.values()),
            actions,
            X,
            anyone,
            self._seeds(),
            self.n_samples_,
            self._aim,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            keep=keep,
            what=what,
        )
        n_anyone = self._number(anyone)
        if cause:
            self.interrupted_ = True
            n_seen = self._number(seen)
            warn(
                f"The audit was ended by {cause} after {n_seen} of {n_anyone} people: "
                "results_ has those alone."
            )
            anyone, n_anyone = seen, n_seen
        # what can be reached is the same for all models
        unsound = counted[0][~counted[0]["sound"]]
        if len(unsound):
            n_unsound, how = self._number(anyone[unsound.index]), unsound["method"].iloc[0]
            warn(
                f"{n_unsound} of {n_anyone} people: {how.rstrip('.')}. "
                "Such points are dependent, or not all were within reach: no interval and no test, "
                "and a verdict only where a hit settles it. Bounds nearer to what the rules allow, "
                "or fewer rules, let them be drawn independently; results_['method'] says whose "
                "they are.",
            )
        alike = np.any([each["method"].str.contains(ALIKE) for each in counted], axis=0)
        if alike.any():
            n_alike = self._number(anyone[alike])
            warn(
                f"n_samples='importance' gains little for {n_alike} of {n_anyone} people, as no "
                "score of the model tells where their hits are: their points are drawn uniformly, "
                "and their intervals are as wide as of so many. Pass a larger number as n_samples "
                "for narrower ones."
            )
        if self._first is not None:
            index = pd.Index(self._first, name="row")
        else:
            index = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(table.n_rows)
        found = {}
        for (name, judge), facts in zip(judges.items(), counted, strict=True):
            mine = chosen[name][anyone]
            rows = anyone[mine]
            counts = facts[mine].assign(prediction=judge.old[rows])
            results = decide(
                counts.set_index(index[rows]),
                direction=self.direction_,
                epsilon=self.epsilon,
                alpha=self.alpha,
                multiplicity=self.multiplicity,
                one_is_enough=self.task == "preclusion",
                times=None if self._times is None else self._times[rows],
            )[COLUMNS]
            found[name] = rows, self._with_numbers(results, rows)
        return found

    def _with_numbers(self, results: pd.DataFrame, rows: np.ndarray) -> pd.DataFrame:
        """Results with how many people each row of them is about, where that may be several."""
        return results if self._times is None else results.assign(**{N_PEOPLE: self._times[rows]})

    def _check_people(self, rows: np.ndarray) -> None:
        """Refuse people who break the rules as they are."""
        times = None if self._times is None else self._times[rows]
        check_people(self._actions, as_table(self._X).take(rows), self._positions(rows), times)

    def _population(self, judge: Judge) -> np.ndarray:
        old = judge.old
        mask = np.ones(len(old), dtype=bool)
        if self.task is not None:
            mask &= ~judge.hit(old, old, self._X)
        if callable(self.population):
            ask = user_function("population", self.population, ("X", "predictions"))
            mask &= truth_values("population", ask(self._X, old), len(mask), "people")
        elif self.population is not None:
            pattern = as_pattern(self.population)
            mask &= pattern.mask(self._X, old if pattern.uses_y else None)
        return mask


def _possible(actions: ActionSet) -> dict[str, Any]:
    """What can be changed, without values of other columns, which could tell who people are."""
    names = ["name", "kind", "lb", "ub", "values", "direction", "step", "change"]
    movable = [element for element in actions if element.actionable]
    rows = [[getattr(element, name) for name in names] for element in movable]
    return {
        "elements": pd.DataFrame(rows, columns=names),
        "fixed": len(actions) - len(movable),
        "rules": [text_of(rule) for rule in (*actions.constraints, *actions.effects)],
        "missing": [],
        "settings": _settings(actions),
    }


def _settings(actions: ActionSet) -> dict[str, Any] | None:
    """What `ActionSet.from_dict` needs besides the data; None where a rule cannot be written."""
    try:
        whole = actions.to_dict()
    except (TypeError, ValueError):
        # a function of the user's
        return None
    used = {*actions.movable, *(name for effect in actions.effects for name in effect.targets)}
    columns = {name: each for name, each in whole["columns"].items() if name in used}
    return {"columns": columns, "rules": whole["rules"]}
