"""What errors in served rows do, column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._readable import listed_labels

from ..candidates import ROUNDING
from ._search_pictures import COLOURS, name_rows


def damage_by_column(certificate: pd.DataFrame) -> pd.DataFrame:
    """Rows of the largest budget that have a score, in words, the worst first.

    Parameters
    ----------
    certificate : DataFrame
        As `AdversarialCorruptionSearch.certificate_` with `apply_to="test"`.

    Returns
    -------
    DataFrame
        Its rows with a score, and `error`, the columns hit with the kind of error.
    """
    last = certificate[certificate["budget"] == certificate["budget"].max()]
    scored = last[last["readable_score"].notna()]
    several = scored["kind"].nunique() > 1
    said = [
        listed_labels(columns) + (f" ({kind})" if several else "")
        for columns, kind in zip(scored["columns"], scored["kind"], strict=True)
    ]
    scored = scored.assign(error=said)
    return scored.sort_values("readable_score", kind="stable", ignore_index=True)


def plot_damage(table: pd.DataFrame, clean: float, ax: Any) -> None:
    """Draw scores of each column: random rows, the worst condition, or its bound, any rows.

    Parameters
    ----------
    table : DataFrame
        As `damage_by_column` gives it.
    clean : float
        Score on clean rows.
    ax : matplotlib Axes
        Where to draw.
    """
    rows = np.arange(len(table))
    ax.axvline(clean, color=COLOURS["clean"], linewidth=1, zorder=0)
    scores = ["any_rows_score", "readable_bound", "readable_score"]
    lowest = table[scores].min(axis=1).to_numpy(dtype=float)
    ax.hlines(rows, lowest, clean, color="0.8", linewidth=1.5, zorder=1)
    # of columns that cannot be worst it is not looked for what is worst in them
    found, bound = (table[name].to_numpy(dtype=float) for name in ("readable_score", scores[1]))
    is_worst = ~(bound < found - ROUNDING * np.maximum(1.0, np.abs(found)))
    every, worst = np.ones(len(table), dtype=bool), COLOURS["worst"]
    for column, some, marker, face, colour, label in (
        ("random_score", every, "o", COLOURS["random"], COLOURS["random"], "random rows"),
        ("any_rows_score", every, "|", COLOURS["other"], COLOURS["other"], "any rows"),
        ("readable_score", is_worst, "o", worst, worst, "worst condition"),
        ("readable_score", ~is_worst, "o", "white", worst, "condition found"),
        ("readable_bound", ~is_worst, "<", "white", worst, "bound of all conditions"),
    ):
        values = np.where(some, table[column].to_numpy(dtype=float), np.nan)
        if np.isfinite(values).any():
            size = 14 if column == "any_rows_score" else 6
            ax.plot(values, rows, marker, color=colour, mfc=face, ms=size, label=label)
    name_rows(ax, list(table["error"]))
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
