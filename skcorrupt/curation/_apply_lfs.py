"""Applying labeling functions to data."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
from joblib import effective_n_jobs, wrap_non_picklable_objects

from skcorrupt.utils._typing import ColumnLike, TableLike
from skcorrupt.utils._warn import warn

from ..evaluation import run_tasks, take_rows
from ..utils import N_JOBS, check_arguments, cut, progress_bar
from ._labeling_function import LabelingFunction, check_abstain
from ._returned_votes import read_vote, read_votes
from ._samples import Samples, n_samples, rows_of, whole
from ._votes import ABSTAIN

_CONSTRAINTS: dict[str, list[Any]] = {
    "n_jobs": N_JOBS,
    "return_faults": ["boolean"],
    "verbose": ["verbose"],
}
PARTS_A_WORKER = 4


class Task(NamedTuple):
    """Functions, all by row or all vectorised, and where the rows they are to label begin."""

    places: list[int]
    start: int
    stop: int


class Tally(NamedTuple):
    """What one function did on some rows."""

    votes: np.ndarray
    faults: int = 0
    first_error: str | None = None
    # the row and what was wrong with what it returned there
    refused: tuple[int, str] | None = None


def apply_lfs(
    X: TableLike | ColumnLike,
    lfs: Sequence[LabelingFunction | Callable[[Any], Any]],
    *,
    abstain: int | None = -1,
    n_jobs: int | None = None,
    return_faults: bool = False,
    verbose: int = 0,
) -> Any:
    """Apply labeling functions to data.

    Parameters
    ----------
    X : frame, array, Series or list with n_samples entries
        The samples: a pandas or polars frame or Series, an array of any dimension, a sparse
        matrix, or a list of texts, dicts or objects. It is not changed.
    lfs : sequence of LabelingFunction or callable
        The functions, each under a name of its own. A plain function is taken to be one of a row.
    abstain : int or None, default=-1
        The number by which functions abstain that do not say it themselves. With 0, as in paper
        002, the classes are the whole numbers from 1, and stay what they are. None and NaN are
        abstentions in any case, and the only ones with None.
    n_jobs : int or None, default=None
        Number of workers, as in joblib. The result is the same for any number.
    return_faults : bool, default=False
        Whether to return the table of faults too.
    verbose : int, default=0
        1 shows progress.

    Returns
    -------
    L : ndarray of int64, shape (n_samples, n_lfs)
        The votes; −1 where a function abstains, whatever `abstain` is.
    faults : DataFrame
        Only with `return_faults`: one row per function, `name`, `faults` (rows on which it
        raised) and `first_error` (None where there is none).

    Raises
    ------
    ValueError
        If `X` or `lfs` is empty, a name is used twice, or a function returns what is no vote: a
        string, a fraction, a negative number other than the abstain value, or not one vote per row.
    TypeError
        If `X` or a function is of the wrong kind, or one cannot be sent to the workers.

    Warns
    -----
    UserWarning
        If functions raise. They abstain there: on that row, or on all rows where vectorised.

    Notes
    -----
    Workers share the rows for functions of a row. A vectorised function always gets all of X, so
    that it may use medians and the like.

    Examples
    --------
    >>> from skcorrupt.curation import apply_lfs, labeling_function
    >>> @labeling_function
    ... def prize(text):
    ...     return 1 if "prize" in text else None
    >>> @labeling_function
    ... def long(text):
    ...     return 0 if len(text) > 20 else None
    >>> apply_lfs(["win a prize", "see you at the station"], [prize, long])
    array([[ 1, -1],
           [-1,  0]])
    """
    check_arguments("apply_lfs", _CONSTRAINTS, locals())
    n = n_samples(X)
    functions = _checked(lfs)
    default = check_abstain(abstain)
    n_workers = effective_n_jobs(n_jobs)
    tasks = _tasks(functions, n, n_workers)
    calls = (
        (
            [functions[j] for j in places],
            X if (start, stop) == (0, n) else take_rows(X, np.arange(start, stop)),
            start,
            default,
        )
        for places, start, stop in tasks
    )
    with progress_bar(len(tasks), verbose, "labeling functions") as bar:

        def done(tallies: list[Tally]) -> None:
            if n_workers == 1:
                # joblib warns of work not used when workers are stopped
                _raise_refused(tallies)
            bar.update()

        try:
            found = run_tasks(_vote, calls, n_jobs=n_jobs, done=done)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            _raise_unsendable(functions, n_jobs, error)
    for tallies in found:
        _raise_refused(tallies)
    L, faults = _gathered(functions, tasks, found, n)
    _warn(faults, n)
    return (L, faults) if return_faults else L


def _checked(
    lfs: Sequence[LabelingFunction | Callable[[Any], Any]],
) -> list[LabelingFunction]:
    if callable(lfs):
        lfs = [lfs]
    if isinstance(lfs, (str, dict)) or not pd.api.types.is_list_like(lfs):
        raise TypeError(f"lfs={lfs!r} should be a list of labeling functions.")
    functions = [f if isinstance(f, LabelingFunction) else LabelingFunction(f) for f in lfs]
    if not functions:
        raise ValueError("lfs is empty; pass at least one labeling function.")
    names = Counter(function.name for function in functions)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise ValueError(
            f"lfs: {', '.join(map(repr, twice))} is the name of more than one function; give each "
            "its own, such as labeling_function(name=…)."
        )
    return functions


def _tasks(functions: list[LabelingFunction], n: int, n_workers: int) -> list[Task]:
    """Functions of a row share the rows among workers; others, which need all rows, are shared."""
    by_row = [j for j, function in enumerate(functions) if not function.vectorized]
    vectorized = [j for j, function in enumerate(functions) if function.vectorized]
    tasks = []
    if by_row:
        edges = np.linspace(0, n, min(n, PARTS_A_WORKER * n_workers) + 1).astype(int).tolist()
        tasks = [Task(by_row, *ends) for ends in pairwise(edges)]
    # sending X costs most, so it goes out a few times only
    n_parts = len(vectorized) if n_workers == 1 else min(len(vectorized), 2 * n_workers)
    parts = np.array_split(vectorized, n_parts) if vectorized else []
    return tasks + [Task(part.tolist(), 0, n) for part in parts]


def _vote(
    functions: list[LabelingFunction], X: Samples, start: int, default: int | None
) -> list[Tally]:
    return [
        (_vote_at_once if function.vectorized else _vote_by_row)(
            function, X, start, default if function.abstain is None else function.abstain
        )
        for function in functions
    ]


def _vote_by_row(function: LabelingFunction, X: Samples, start: int, abstain: int | None) -> Tally:
    votes = np.full(n_samples(X), ABSTAIN, dtype=np.int64)
    faults, first = 0, None
    for i, row in enumerate(rows_of(X)):
        try:
            value = function(row)
        except Exception as error:
            faults += 1
            first = first or f"row {start + i}: {_told(error)}"
            continue
        try:
            votes[i] = read_vote(value, abstain)
        except ValueError as error:
            message = f"Labeling function {function.name!r}, row {start + i}: {error}"
            return Tally(votes, refused=(start + i, message))
    return Tally(votes, faults, first)


def _vote_at_once(function: LabelingFunction, X: Samples, start: int, abstain: int | None) -> Tally:
    n = n_samples(X)
    votes = np.full(n, ABSTAIN, dtype=np.int64)
    try:
        values = function(whole(X))
    except Exception as error:
        return Tally(votes, n, _told(error))
    try:
        return Tally(read_votes(values, X, n, abstain))
    except ValueError as error:
        return Tally(votes, refused=(start, f"Labeling function {function.name!r}: {error}"))


def _told(error: Exception) -> str:
    return cut(f"{type(error).__name__}: {error}")


def _raise_refused(tallies: list[Tally]) -> None:
    """Refuse at the first row, so that it is the same however rows are shared."""
    refused = [tally.refused for tally in tallies if tally.refused is not None]
    if refused:
        raise ValueError(min(refused, key=lambda each: each[0])[1])


def _gathered(
    functions: list[LabelingFunction], tasks: list[Task], found: list[list[Tally]], n: int
) -> tuple[np.ndarray, pd.DataFrame]:
    L = np.full((n, len(functions)), ABSTAIN, dtype=np.int64)
    faults = [0] * len(functions)
    errors: list[str | None] = [None] * len(functions)
    for task, tallies in zip(tasks, found, strict=True):
        for j, tally in zip(task.places, tallies, strict=True):
            L[task.start : task.stop, j] = tally.votes
            faults[j] += tally.faults
            errors[j] = errors[j] or tally.first_error
    first_error = pd.Series(errors, dtype=object)
    names = [function.name for function in functions]
    return L, pd.DataFrame({"name": names, "faults": faults, "first_error": first_error})


def _warn(faults: pd.DataFrame, n: int) -> None:
    faulty = faults[faults["faults"] > 0]
    if faulty.empty:
        return
    told = [
        f"{row['name']!r} on {row['faults']} of {n} rows, first {row['first_error'].rstrip('.')}"
        for row in faulty.to_dict("records")
    ]
    warn(
        f"{len(told)} of {len(faults)} labeling functions raised, and abstain there: "
        f"{'; '.join(told)}. Correct them, or see all with return_faults=True."
    )


def _raise_unsendable(
    functions: list[LabelingFunction], n_jobs: int | None, error: Exception
) -> NoReturn:
    for function in functions:
        try:
            pickle.dumps(wrap_non_picklable_objects(function))
        except Exception as reason:
            raise TypeError(
                f"n_jobs={n_jobs!r}: labeling function {function.name!r} cannot be sent to the "
                f"workers, because it or one of its resources {list(function.resources)} does "
                f"not pickle ({_told(reason)}); use n_jobs=1, or open it inside the function."
            ) from error
    raise error
