"""Checks as a schema of pandera."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.checks import BaseCheck
from skcorrupt.checks._share_check import ShareCheck
from skcorrupt.utils import as_table


def schema_of(named: Sequence[tuple[str, BaseCheck]]) -> Any:
    """A schema that asks for the columns of the reference, and for every check to pass.

    Parameters
    ----------
    named : sequence of (str, BaseCheck)
        Fitted checks.

    Returns
    -------
    pandera.DataFrameSchema
        With checks of columns for those that mark single values, and of the frame for all others.

    Raises
    ------
    ImportError
        If pandera is not installed.
    """
    import pandera.pandas as pa

    columns: dict[str, list[Any]] = {
        str(name): [] for _, check in named for name in check.feature_names_in_
    }
    whole = []
    for name, check in named:
        told = f"{name} raises an alarm"
        if not isinstance(check, ShareCheck):
            whole.append(pa.Check(partial(_passes, check), name=name, error=told))
            continue
        for line, column in enumerate(check.lines_["column"]):
            # a gap is a value like others for the share that is marked
            marked = pa.Check(
                partial(_tolerated, check, line), name=name, error=told, ignore_na=False
            )
            columns[str(column)].append(marked)
    made = {name: pa.Column(checks=checks, nullable=True) for name, checks in columns.items()}
    return pa.DataFrameSchema(made, checks=whole)


def _passes(check: BaseCheck, batch: pd.DataFrame) -> bool:
    """Whether a batch passes, whatever columns it has beside those of the reference."""
    return check.passes(batch[[*check.feature_names_in_]])


def _tolerated(check: ShareCheck, line: int, values: pd.Series) -> pd.Series:
    """False for the marked values of a column where these are too many for so many rows."""
    marks = check._marks(as_table(values.to_frame()), line, 0)
    _, most = check._limits_of(len(values))
    return pd.Series(~marks | (np.mean(marks) <= most[line]), index=values.index)
