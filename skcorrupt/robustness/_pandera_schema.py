"""Checks as a schema of pandera, by its own checks where these say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcorrupt.checks import BaseCheck, KnownCategories, MissingShare, ValueRange

from ._plausible import NUMBERS


def schema_of(named: Sequence[tuple[str, BaseCheck]]) -> Any:
    """A schema that asks for the watched columns, and for every check to pass.

    Parameters
    ----------
    named : sequence of (str, BaseCheck)
        Fitted checks.

    Returns
    -------
    pandera.DataFrameSchema
        With pandera's own checks of columns for those that tolerate no row, and functions for all
        others.

    Raises
    ------
    ImportError
        If pandera is not installed.
    """
    import pandera.pandas as pa

    columns: dict[str, dict[str, Any]] = {
        str(name): {"nullable": True, "checks": []}
        for _, check in named
        for name in check.feature_names_in_
    }
    whole = []
    for name, check in named:
        told = f"{name} raises an alarm"
        if not _tolerates_none(check):
            whole.append(pa.Check(check.passes, name=name, error=told))
            continue
        for i, column in enumerate(check.lines_["column"]):
            if isinstance(check, MissingShare):
                columns[column]["nullable"] = False
            elif isinstance(check, ValueRange):
                ends = (check.lines_[end][i] for end in ("least", "largest"))
                columns[column]["checks"].append(pa.Check.in_range(*ends, name=name, error=told))
            elif isinstance(check, KnownCategories):
                known = pa.Check.isin(check._levels[i].values, name=name, error=told)
                columns[column]["checks"].append(known)
    made = {name: pa.Column(**settings) for name, settings in columns.items()}
    return pa.DataFrameSchema(made, checks=whole)


def _tolerates_none(check: BaseCheck) -> bool:
    """Whether a single value raises the alarm, and a check of pandera would say the same."""
    if type(check) not in (MissingShare, ValueRange, KnownCategories):
        return False
    # ends are shown without a time zone and to the microsecond, which columns are not held by
    if isinstance(check, ValueRange) and any(what != NUMBERS for what, *_ in check._ranges):
        return False
    _, upper = check._limits_of(check.batch_size)
    return bool(np.all(upper * check.batch_size < 1))
