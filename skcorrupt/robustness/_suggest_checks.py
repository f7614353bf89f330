"""The fewest checks that notice the worst errors that a search found."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp
from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._kinds import free_name, kind_name, templates_of
from skcorrupt.adversarial.display import broken_by
from skcorrupt.base import BaseCorruption
from skcorrupt.checks import (
    BaseCheck,
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
)
from skcorrupt.evaluation import reseeded
from skcorrupt.evaluation._described import text_of
from skcorrupt.evaluation._holds_data import data_facts
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import (
    LARGEST,
    HeldRows,
    Table,
    as_table,
    check_arguments,
    check_target,
    draw_seed,
    resolve_columns,
    shorten,
    spawn_seeds,
    warn,
    warned_once,
)
from skcorrupt.utils._compat import Interval
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._readable import listed_labels
from skcorrupt.utils._typing import ColumnLike, RandomState, TableLike

from ._answers import answers_to
from ._batches_with_errors import alarms_on
from ._check_suggestions import LARGEST_BATCH, CheckSuggestions

N_BATCHES = 100
ENOUGH_BATCHES = 20
# share of clean batches on which a check alarms from which its alarms say nothing
MOST_FALSE = 0.2
WATCHERS: dict[str, Callable[..., BaseCheck]] = {
    "MissingShare": MissingShare,
    "ValueRange": ValueRange,
    "KnownCategories": KnownCategories,
    "Drift": Drift,
    "SegmentShare": SegmentShare,
}
# those that watch categories
OF_CATEGORIES = ("KnownCategories", "SegmentShare")
_CONSTRAINTS: dict[str, list[Any]] = {
    "batch_size": [Interval(Integral, 1, 10**7, closed="both"), None],
    "false_alarm": [Interval(Real, 0, 1, closed="neither")],
    "power": [Interval(Real, 0, 1, closed="right")],
    "min_damage": [Interval(Real, 0, LARGEST, closed="both")],
    "max_errors": [NumberInterval(Integral, 1, 10_000, closed="both")],
    "adaptive": ["boolean"],
}


@warned_once()
def suggest_checks(
    search: AdversarialCorruptionSearch | Sequence[AdversarialCorruptionSearch],
    X_reference: TableLike | None = None,
    y_reference: ColumnLike | None = None,
    *,
    batch_size: int | None = None,
    false_alarm: float = 0.01,
    power: float = 0.8,
    min_damage: float = 0.0,
    max_errors: int = 20,
    adaptive: bool = True,
    random_state: RandomState = 0,
) -> CheckSuggestions:
    """Find the fewest checks of incoming data that notice the worst errors of a search.

    The errors are the worst one, its alternatives, and the worst of every kind and columns that the
    search scored, as far as they lower the score. Checks learn from one half of the reference, and
    meet batches of the other, with each error and without. Those that alarm often enough catch it.
    The smallest set that catches all that can be caught is found exactly, by integer programming,
    and learns from the whole reference.

    Parameters
    ----------
    search : AdversarialCorruptionSearch or list of these
        Fitted, with `apply_to="test"` or "both".
    X_reference : table of shape (n_samples, n_features) or None, default=None
        Rows as they should be, with the columns of the search. None is the rows that the first
        search was given, which it holds unless `drop_data` was called.
    y_reference : array-like of shape (n_samples,) or None, default=None
        Their labels, needed where patterns of errors look at labels.
    batch_size : int or None, default=None
        Rows of a batch, as they will be checked. None is the largest, up to 1,000, of which half
        of the reference has 20.
    false_alarm : float in (0, 1), default=0.01
        Probability that a check alarms without a cause, for each of them.
    power : float in (0, 1], default=0.8
        Share of 100 batches with an error in which a check has to alarm to catch it.
    min_damage : float, default=0.0
        What an error has to take from the score, at least, to count.
    max_errors : int, default=20
        Number of errors, the most harmful ones.
    adaptive : bool, default=True
        Whether to repeat the search against the checks, for the damage of an adversary who knows
        them. It takes several times as long as the search took. A search without its data, of a
        table that is read in parts, or with text in place of its model, is not repeated.
    random_state : None, int, RandomState or Generator, default=0
        Source of the halves and batches.

    Returns
    -------
    CheckSuggestions
        The fitted checks, in the order in which they take most damage away, and what passes them.

    Raises
    ------
    TypeError
        If `search` is no search.
    ValueError
        If a search strikes training data, found no harmful error, or let go of its data and no
        reference is given; if a pattern looks at labels that are not given.
    NotFittedError
        If a search is not fitted.

    Warns
    -----
    UserWarning
        If the reference is small for `batch_size`.

    See Also
    --------
    skcorrupt.checks : The checks.
    CheckSuggestions.to_pytest : The checks as a file of tests.

    Notes
    -----
    Tried are shares of missing values, ranges (also without the outermost hundredth), unknown
    categories, shares of categories, and drift, each for all columns, for all that are hit, and for
    every one of them; the number of rows, and repeated rows. One that alarms on more than a fifth
    of the batches without an error is not taken, and told as `left_out_`. Of errors that strike
    whole rows the columns of their patterns count as hit. Among sets of equal size the one that
    alarms more on the errors is taken. The search proves what is worst for errors that nobody
    watches; an adversary who knows these checks does less or something else: with `adaptive` the
    search is repeated with them as its `checks`, and `adaptive_damage_` is what it still finds.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from skcorrupt import AdversarialCorruptionSearch
    >>> from skcorrupt.adversarial import SearchSpace
    >>> from skcorrupt.robustness import suggest_checks
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    >>> X = X[["bmi", "bp", "s5"]].sample(4000, replace=True, random_state=0)
    >>> y = y[X.index]
    >>> search = AdversarialCorruptionSearch(
    ...     Ridge().fit(X, y),
    ...     "scale",
    ...     apply_to="test",
    ...     space=SearchSpace(max_conditions=1),
    ...     confirm_size=None,
    ...     random_state=0,
    ... ).fit(X, y)
    >>> found = suggest_checks(search, batch_size=100)
    >>> found.results_[["check", "n_caught", "undetected_damage"]]
                         check  n_caught  undetected_damage
    0  ValueRange(bmi, bp, s5)         4                0.0
    >>> print(f"{search.score_drop_:.3g} → {found.adaptive_damage_:.3g}")
    1.25e+06 → 1.42e+05
    """
    check_arguments("suggest_checks", _CONSTRAINTS, locals())
    searches = _searches(search)
    table, y = _reference(searches[0], X_reference, y_reference)
    called = _kinds_of(searches)
    errors = _errors(searches, called, min_damage, max_errors)
    size = _batch_size(table.n_rows, batch_size)
    seeds = spawn_seeds(draw_seed(random_state), 2)
    shuffled = np.random.default_rng(seeds[0]).permutation(table.n_rows)
    first, second = shuffled[: table.n_rows // 2], shuffled[table.n_rows // 2 :]
    watchers = _watchers(table, errors, size, false_alarm)
    fitted = [(name, check) for name, check in watchers if _fits(check, table.take(first))]
    rng = np.random.default_rng(seeds[1])
    drawn = [rng.choice(second, size, replace=size > len(second)) for _ in range(N_BATCHES)]
    clean = alarms_on(None, fitted, table, y, drawn)
    rates = clean.mean(axis=1)
    loud = [(fitted[i][0], float(rates[i])) for i in np.flatnonzero(rates > MOST_FALSE)]
    quiet = np.flatnonzero(rates <= MOST_FALSE)
    fitted, clean = [fitted[i] for i in quiet], clean[quiet]
    seen = [alarms_on(error, fitted, table, y, drawn) for error in errors["corruption"]]
    shares = np.array([alarms.mean(axis=1) for alarms in seen])
    chosen = _smallest_cover(shares >= power, shares, clean.mean(axis=1))
    results, told, checks = _suggested(table, fitted, errors, chosen, (clean, seen, shares), power)
    found = CheckSuggestions(
        checks,
        results,
        told,
        _is_named(table),
        {
            "batch_size": batch_size,
            "false_alarm": false_alarm,
            "power": power,
            "min_damage": min_damage,
            "max_errors": max_errors,
            "adaptive": adaptive,
            "random_state": random_state,
        },
        metric=searches[0].metric_name_,
        data=data_facts(table.source),
        batch_size=size,
    )
    found.left_out_ = pd.DataFrame(loud, columns=["check", "false_alarm_rate"])
    known = {*zip(errors["kind"], errors["columns"], strict=True)}
    found.broken_by_ = broken_by(searches, known, called)
    if adaptive and found.checks_:
        found.answers_ = answers_to(found.checks_, searches)
    return found


def _searches(given: Any) -> list[AdversarialCorruptionSearch]:
    """The searches, of errors in rows that are served."""
    searches = list(given) if isinstance(given, (list, tuple)) else [given]
    if not searches:
        raise ValueError("search=[] holds no search; pass a fitted AdversarialCorruptionSearch.")
    for each in searches:
        if not isinstance(each, AdversarialCorruptionSearch):
            raise TypeError(
                f"search={shorten(each)} should be a fitted AdversarialCorruptionSearch, or a list "
                "of these."
            )
        check_is_fitted(each, "worst_score_")
        if each.apply_to == "train":
            raise ValueError(
                "search: apply_to='train' strikes what a model learns from, and checks watch what "
                "it is served; fit a search with apply_to='test' or 'both'."
            )
    return searches


def _reference(
    search: AdversarialCorruptionSearch, X: Any, y: Any
) -> tuple[Table, ColumnLike | None]:
    """Rows as they should be, and their labels."""
    if X is None:
        data = getattr(search, "_data", None)
        if data is None:
            raise ValueError(
                "search holds no data any more (drop_data was called, or it was read from a file); "
                "pass X_reference, rows as they should be."
            )
        if isinstance(data.X, HeldRows):
            raise ValueError(
                "search was given a table that is read in parts, and checks learn from rows in "
                "memory; pass X_reference, a sample of these rows."
            )
        return as_table(data.X), data.y if y is None else y
    table = as_table(X)
    names = getattr(search, "feature_names_in_", None)
    if names is not None and [*names] != table.labels:
        raise ValueError(
            f"X_reference has columns {shorten(table.labels)}, but the search was given "
            f"{shorten([*names])}; pass rows with the same columns in the same order."
        )
    if table.n_columns != search.n_features_in_:
        raise ValueError(
            f"X_reference has {table.n_columns} columns, but the search was given "
            f"{search.n_features_in_}; pass rows with the same columns."
        )
    if y is not None:
        check_target(y, table.n_rows)
    return table, y


def _batch_size(n_rows: int, given: int | None) -> int:
    """Rows of a batch; told where the reference is small for them."""
    half = n_rows // 2
    if half < 2:
        raise ValueError(
            f"The reference has {n_rows} rows, which cannot be halved; pass X_reference with more."
        )
    if given is None:
        return max(1, min(LARGEST_BATCH, half // ENOUGH_BATCHES))
    if half < ENOUGH_BATCHES * given:
        warn(
            f"batch_size={given} asks for a reference of {2 * ENOUGH_BATCHES * given} rows, and it "
            f"has {n_rows}: false alarms may be more than promised, and rates are rough. Pass "
            "X_reference with more rows, or a smaller batch_size."
        )
    return given


def _errors(
    searches: list[AdversarialCorruptionSearch],
    called: list[dict[str, str]],
    min_damage: float,
    max_errors: int,
) -> pd.DataFrame:
    """The errors that harm most, of each search one a kind, columns and number of conditions."""
    rows = []
    for search, names in zip(searches, called, strict=True):
        scored = pd.DataFrame(search.cv_results_)
        # one on which the model fails has a score where error_score gives it one
        scored = scored[np.isfinite(scored["mean_test_score"].astype(float))]
        scored = scored.sort_values("mean_test_score", kind="stable")
        scored = scored.drop_duplicates(["kind", "columns"])
        parts = [
            scored.rename(columns={"mean_test_score": "score"}),
            search.alternatives_.assign(status="ok"),
        ]
        for part in parts:
            for row in part.to_dict("records"):
                error, damage = row["corruption"], search.baseline_score_ - row["score"]
                if isinstance(error, BaseCorruption) and damage > min_damage:
                    kind = row.get("kind", error.short_name)
                    rows.append(
                        {
                            "kind": names.get(kind, kind),
                            "pattern": str(row["pattern"]),
                            "columns": tuple(row["columns"]),
                            "rate": row["rate"],
                            "damage": float(damage),
                            "corruption": error,
                            # searches have seeds of their own
                            "same": text_of(reseeded(error, 0)),
                        }
                    )
    columns = ["kind", "pattern", "columns", "rate", "damage", "corruption", "same"]
    found = pd.DataFrame(rows, columns=columns).sort_values(
        "damage", ascending=False, kind="stable"
    )
    found = found.drop_duplicates("same").drop(columns="same").head(max_errors)
    if found.empty:
        raise ValueError(
            f"No error of the search takes more than min_damage={min_damage:g} from the score, so "
            "there is nothing to watch for; pass a smaller min_damage, or search with a larger "
            "budget or other kinds of error."
        )
    return found.reset_index(drop=True)


def _kinds_of(searches: list[AdversarialCorruptionSearch]) -> list[dict[str, str]]:
    """What the kinds of each search are called among those of all, as in a search of several."""
    called: dict[str, str] = {}
    found = []
    for search in searches:
        try:
            templates = templates_of(search.corruption)
        except (TypeError, ValueError):
            # of a search that was read from a file its text alone may be left
            templates = {}
        names = {}
        for kind, template in templates.items():
            content = text_of(reseeded(template, 0))
            if content not in called:
                called[content] = free_name(kind_name(template), called.values())
            names[kind] = called[content]
        found.append(names)
    return found


def _watchers(
    table: Table, errors: pd.DataFrame, size: int, false_alarm: float
) -> list[tuple[str, BaseCheck]]:
    """All checks that are tried, with names."""
    touched = [
        name
        for columns, error in zip(errors["columns"], errors["corruption"], strict=True)
        for name in columns or _conditioned(error, table)
    ]
    hit = [c for c in table.labels if c in touched]
    chosen = [[column] for column in hit]
    if len(hit) > 1:
        chosen.append(hit)
    if len(hit) < table.n_columns:
        chosen.append(table.labels)
    common: dict[str, Any] = {"batch_size": size, "false_alarm": false_alarm}
    found: list[tuple[str, BaseCheck]] = []
    kinds = dict(zip(table.labels, map(table.kind, range(table.n_columns)), strict=True))
    for name, make in WATCHERS.items():
        for columns in chosen:
            watched = [c for c in columns if _watches(name, kinds[c])]
            if not watched:
                continue
            told = f"{name}({listed_labels(watched)})"
            if told not in dict(found):
                found.append((told, make(watched, **common)))
                if name == "ValueRange":
                    inner = ValueRange(watched, coverage=0.99, **common)
                    found.append((f"{told[:-1]}, coverage=0.99)", inner))
    found.append(("RowCount", RowCount(**common)))
    found.append(("UniqueKeys", UniqueKeys(**common)))
    return found


def _watches(name: str, kind: str) -> bool:
    """Whether a check is for a kind of column."""
    if name == "ValueRange":
        return kind in ValueRange._kinds
    return name not in OF_CATEGORIES or kind in ("text", "bool")


def _conditioned(error: BaseCorruption, table: Table) -> list[Any]:
    """The columns that tell which rows an error strikes."""
    patterns = [getattr(member, "pattern", None) for _, member in error._members()]
    return [
        table.labels[j]
        for pattern in patterns
        for j in resolve_columns(table, list(as_pattern(pattern).columns))
    ]


def _fits(check: BaseCheck, X: Any) -> bool:
    """Fit a check, and say whether it has anything to watch."""
    with warnings.catch_warnings():
        # that the reference is small was said
        warnings.filterwarnings("ignore", ".*learns from")
        check.fit(X)
    return len(check.lines_) > 0


def _smallest_cover(caught: np.ndarray, shares: np.ndarray, clean: np.ndarray) -> list[int]:
    """Positions of the fewest checks that catch every error that any of them catches.

    Of sets of equal size the one whose checks alarm most on the errors and least without.
    """
    can = caught[caught.any(axis=1)]
    if not len(can):
        return []
    n = caught.shape[1]
    # all of these together weigh less than one check
    better = (shares.mean(axis=0) + 1 - clean) / (2 * (n + 1))
    found = milp(
        1 - better,
        integrality=np.ones(n),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(can.astype(float), lb=1.0),
    )
    return np.flatnonzero(found.x > 0.5).tolist()


def _suggested(
    table: Table,
    fitted: list[tuple[str, BaseCheck]],
    errors: pd.DataFrame,
    chosen: list[int],
    alarms: tuple[np.ndarray, list[np.ndarray], np.ndarray],
    power: float,
) -> tuple[pd.DataFrame, pd.DataFrame, list[BaseCheck]]:
    """What the chosen checks catch, who catches each error, and the checks, fitted on all rows."""
    clean, seen, shares = alarms
    caught, damage = shares >= power, errors["damage"].to_numpy()
    left, rows, order = np.ones(len(errors), dtype=bool), [], []
    first: list[Any] = [None] * len(errors)
    while chosen:
        # the one that leaves least, and of these the one that catches more
        at = min(
            chosen,
            key=lambda i: (max(damage[left & ~caught[:, i]], default=0.0), -caught[left, i].sum()),
        )
        chosen = [i for i in chosen if i != at]
        name, check = fitted[at]
        for row in np.flatnonzero(left & caught[:, at]):
            first[row] = name
        left &= ~caught[:, at]
        order.append(at)
        rows.append(
            {
                "check": name,
                "columns": [c for c in dict.fromkeys(check.lines_["column"]) if c in table.labels],
                "false_alarm": check.false_alarm,
                "false_alarm_rate": float(clean[at].mean()),
                "n_caught": int(caught[:, at].sum()),
                "undetected_damage": float(max(damage[left], default=0.0)),
            }
        )
        _fits(check, table.source)
    best = shares.argmax(axis=1)
    together = [float(np.any(each[order], axis=0).mean()) if order else 0.0 for each in seen]
    told = errors.assign(
        caught_by=pd.Series(first, dtype=object),
        alarm_rate=together,
        best_check=[fitted[i][0] for i in best],
        best_alarm_rate=shares.max(axis=1),
    )
    names = ["check", "columns", "false_alarm", "false_alarm_rate", "n_caught", "undetected_damage"]
    return pd.DataFrame(rows, columns=names), told, [fitted[i][1] for i in order]


def _is_named(table: Table) -> bool:
    """Whether a table names its columns."""
    named = table.container in ("pandas", "polars")
    return named and all(isinstance(label, str) for label in table.labels)
