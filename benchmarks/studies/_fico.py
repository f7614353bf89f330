"""FICO's home equity applicants, and what those who are denied can do within a year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks._data import data_folder, require_file
from benchmarks._hashes import require_shape
from skcorrupt.responsiveness import ActionSet, CallableEffect, LinearEffect

LABEL = "RiskPerformance"
# no record, no usable trade or inquiry, and nothing such as a delinquency that ever happened
NO_VALUE = (-9, -8, -7)
MONTHS = 12
WAIT = "MSinceOldestTradeOpen"
TIME = (WAIT, "NumTradesOpeninLast12M", "NumInqLast6M", "NumInqLast6Mexcl7days")
INSTALMENTS = "NetFractionInstallBurden"
DEBT = (
    "NetFractionRevolvingBurden",
    "NumRevolvingTradesWBalance",
    "NumBank2NatlTradesWHighUtilization",
)
OLDER = ("AverageMInFile", "MSinceMostRecentTradeOpen")
# months that not everybody has, such as since a delinquency
RECENT = ("MSinceMostRecentDelq", "MSinceMostRecentInqexcl7days")
WITH_BALANCE = "PercentTradesWBalance"
ACTIONABLE = (*TIME, INSTALMENTS, *DEBT)
# what does not apply to somebody does not move; the others have to be known
OPTIONAL = (*RECENT, INSTALMENTS)
NEEDED = (*TIME, *DEBT, *OLDER, WITH_BALANCE)


def load_fico() -> tuple[pd.DataFrame, pd.Series]:
    """The applicants with a record, as they come, and whether they paid.

    Returns
    -------
    X : DataFrame of shape (9871, 23)
        Features, NaN for the special values -7, -8 and -9.
    y : Series of shape (9871,)
        1 for those who paid.

    Raises
    ------
    DataNotFoundError
        Without the file.
    """
    X, y = read_fico(require_file(data_folder(), "fico/fico_data.csv"))
    require_shape("FICO", X, (9871, 23))
    return X, y


def read_fico(path: Path) -> tuple[pd.DataFrame, pd.Series]:
    """The applicants of a file with a record.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    X : DataFrame of shape (n_applicants, n_features)
        Features, NaN for special values.
    y : Series of shape (n_applicants,)
        1 for those who paid.
    """
    raw = pd.read_csv(path)
    y = raw.pop(LABEL)
    X = raw.mask(raw.isin(NO_VALUE)).astype(float)
    recorded = X.notna().any(axis=1)
    return X[recorded].reset_index(drop=True), y[recorded].reset_index(drop=True)


def alike(X: pd.DataFrame) -> Iterator[tuple[pd.DataFrame, list[str]]]:
    """Applicants of whom all that has to be known is, by which of the optional columns they have.

    Parameters
    ----------
    X : DataFrame
        All applicants.

    Yields
    ------
    people : DataFrame
        Some of them.
    known : list of str
        The optional columns they have values of.
    """
    complete = X[X[list(NEEDED)].notna().all(axis=1)]
    has = complete[list(OPTIONAL)].notna()
    for key, people in complete.groupby([has[name] for name in OPTIONAL]):
        yield people, [name for name, there in zip(OPTIONAL, key, strict=True) if there]


def fico_actions(
    X: pd.DataFrame, known: Sequence[str], only: Sequence[str] = ACTIONABLE
) -> ActionSet:
    """What applicants can do within a year without a new account, inquiry or missed payment.

    Parameters
    ----------
    X : DataFrame
        All applicants, whose values are the bounds.
    known : sequence of str
        The optional columns that have values.
    only : sequence of str
        Of the columns to act on, those that are in question.

    Returns
    -------
    ActionSet
        Up to eight columns to act on and five that follow.
    """
    movable = [n for n in ACTIONABLE if n in only and (n not in OPTIONAL or n in known)]
    actions = ActionSet.from_data(X, actionable=movable, rules=())
    for name in ACTIONABLE:
        actions[name].direction = "decrease"
        actions[name].lb = 0
    for name in (WAIT, *OLDER):
        actions[name].ub += MONTHS
    actions[WAIT].direction = "increase"
    actions[WAIT].change = (0, MONTHS)
    for name in OLDER:
        actions.add(f"{name} := delta({WAIT})")
    # in the data one holds just where the other does not
    actions.add(
        "if MSinceMostRecentTradeOpen >= 12 then NumTradesOpeninLast12M == 0 "
        "else NumTradesOpeninLast12M >= 1"
    )
    actions.add("NumInqLast6Mexcl7days <= NumInqLast6M")
    # what lapses does so by and by, and inquiries within six months
    lapsing = " and ".join(f"delta({name}) == 0" for name in TIME[1:])
    actions.add(f"if delta({WAIT}) == 0 then {lapsing}")
    actions.add(f"if delta({WAIT}) >= 6 then NumInqLast6M == 0")
    actions.add("NumBank2NatlTradesWHighUtilization <= NumRevolvingTradesWBalance")
    actions.add("if NumRevolvingTradesWBalance == 0 then NetFractionRevolvingBurden == 0")
    # sums on the left: a change that stands alone there would move by itself
    actions.add("delta(NetFractionRevolvingBurden) - delta(NumRevolvingTradesWBalance) <= 0")
    if INSTALMENTS in known:
        # three points of a hundred a month pay a loan back within three years
        actions.add(f"delta({INSTALMENTS}) + 3 * delta({WAIT}) >= 0")
    for name in set(RECENT).intersection(known):
        actions.add(LinearEffect(name, {WAIT: 1.0}))
    paid_off = CallableEffect(
        _share_with_balance, ["NumRevolvingTradesWBalance"], WITH_BALANCE, is_random=False
    )
    return actions.add(paid_off)


def _share_with_balance(
    X: pd.DataFrame, A: pd.DataFrame, rng: np.random.Generator
) -> pd.Series | np.ndarray:
    """Trades with a balance become fewer in proportion to those that are paid off."""
    balances = X["NumRevolvingTradesWBalance"] + X["NumInstallTradesWBalance"].fillna(0)
    return X[WITH_BALANCE] * A["NumRevolvingTradesWBalance"] / balances.clip(lower=1)
