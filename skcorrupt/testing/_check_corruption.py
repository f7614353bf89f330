"""The common check suite of corruptions."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone

from skcorrupt.base import BaseCorruption
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._cases import Case, example_cases, given_cases
from ._object_checks import COPY_CHECKS, OBJECT_CHECKS
from ._result_checks import RESULT_CHECKS
from ._variants import at_rate


def check_corruption(
    corruption: BaseCorruption, *, X: TableLike | None = None, y: ColumnLike | None = None
) -> None:
    """Check that a corruption keeps the rules that every corruption keeps.

    The corruption is run on a mixed pandas frame, arrays, sparse matrices and, where installed,
    a polars frame; data that it refuses with a ValueError or a TypeError is passed over. The
    rules: exact counts, rows nested in the rate, the same result for the same seed and in any order
    of the columns, inputs and global random state untouched, cells outside the mask bit-identical,
    container, dtypes, index and columns kept, a consistent record, only matched rows struck, no
    state set by `corrupt`, and clones, pickles, representations and JSON that give the corruption
    back.

    Parameters
    ----------
    corruption : BaseCorruption
        An unfitted corruption, of a class shipped or of your own; it is cloned, not changed.
    X : DataFrame, array or sparse matrix of shape (n_samples, n_features), default=None
        Data to check on in place of the built-in examples, whose columns are called x0, x1, …;
        needed where the corruption names other columns. Twenty rows or more, best all different.
    y : array-like of shape (n_samples,), default=None
        Labels that go with `X`.

    Returns
    -------
    None
        Where every rule is kept.

    Raises
    ------
    AssertionError
        If a rule is broken; the message begins with the rule, then names the class.

    See Also
    --------
    yield_corruption_checks : The same checks one by one, for a test runner.

    Examples
    --------
    >>> from skcorrupt import CorruptMissing
    >>> from skcorrupt.testing import check_corruption
    >>> check_corruption(CorruptMissing("x0", rate=0.3))
    """
    for check in yield_corruption_checks(corruption, X=X, y=y):
        check()


def yield_corruption_checks(
    corruption: BaseCorruption, *, X: TableLike | None = None, y: ColumnLike | None = None
) -> Iterator[Callable[[], None]]:
    """Every check of `check_corruption` on every example, to be called one by one.

    Parameters
    ----------
    corruption : BaseCorruption
        An unfitted corruption.
    X : DataFrame, array or sparse matrix of shape (n_samples, n_features), default=None
        Data to check on in place of the built-in examples.
    y : array-like of shape (n_samples,), default=None
        Labels that go with `X`.

    Yields
    ------
    callable
        A check without arguments that raises AssertionError if its rule is broken. Its
        `__name__` holds the rule and the data.

    Raises
    ------
    TypeError
        If `corruption` is not a corruption.
    AssertionError
        If the corruption refuses all the data, or fails on some of it without saying why.

    Examples
    --------
    >>> from skcorrupt import SelectionBias
    >>> from skcorrupt.testing import yield_corruption_checks
    >>> checks = list(yield_corruption_checks(SelectionBias()))
    >>> checks[0].__name__
    'check_transformer_or_sampler[mixed frame]'
    """
    if not isinstance(corruption, BaseCorruption):
        raise TypeError(
            f"corruption={corruption!r} should be an instance of a subclass of BaseCorruption."
        )
    corruption = _with_plain_seeds(corruption)
    cases = _accepted(corruption, example_cases() if X is None else given_cases(X, y), X is None)
    for check in OBJECT_CHECKS:
        yield _named(check, corruption, cases[0])
    for case in cases:
        for check in RESULT_CHECKS:
            yield _named(check, corruption, case)
    for check in COPY_CHECKS:
        yield _named(check, corruption, cases[0])


def _with_plain_seeds(corruption: BaseCorruption) -> BaseCorruption:
    """A clone with an integer where the seed is a generator, which has no literal or JSON."""
    params = corruption.get_params(deep=True)
    seeds = {
        name: 0
        for name, value in params.items()
        if name.endswith("random_state") and not isinstance(value, (int, np.integer, type(None)))
    }
    return clone(corruption).set_params(**seeds)


def _accepted(corruption: BaseCorruption, cases: list[Case], may_refuse: bool) -> list[Case]:
    """The cases that the corruption takes; it may refuse built-in ones, if it says why."""
    accepted, refusals = [], []
    for case in cases:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = at_rate(corruption, 0.5).corrupt(*case.data())
        except Exception as error:
            if not isinstance(error, (TypeError, ValueError)) or len(str(error).split()) < 3:
                message = f"fails on {case.name} without a clear ValueError or TypeError: {error!r}"
                raise _broken("check_refuses_clearly", corruption, message) from error
            refusals.append(f"{case.name}: {error}")
        else:
            if result.record.n_corrupted:
                accepted.append(case)
            else:
                refusals.append(f"{case.name}: nothing is struck")
    if not accepted or (refusals and not may_refuse):
        message = f"refuses the data; pass X and y that fit it. {refusals[0]}"
        raise _broken("check_takes_data", corruption, message)
    return accepted


def _named(check: Callable[..., Any], corruption: BaseCorruption, case: Case) -> Callable[[], None]:
    run = functools.partial(_run, check, corruption, case)
    run.__name__ = f"{check.__name__}[{case.name}]"  # type: ignore[attr-defined]
    return run


def _run(check: Callable[..., Any], corruption: BaseCorruption, case: Case) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(clone(corruption), case)
    except AssertionError as error:
        raise _broken(check.__name__, corruption, f"{error} (on {case.name})") from None
    except Exception as error:
        message = f"raised {type(error).__name__}: {error} (on {case.name})"
        raise _broken(check.__name__, corruption, message) from error


def _broken(rule: str, corruption: BaseCorruption, message: str) -> AssertionError:
    return AssertionError(f"{rule}: {type(corruption).__name__} {message}")
