"""What errors in served rows do, column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

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
        ", ".join(map(str, columns)) + (f" ({kind})" if several else "")
        for columns, kind in zip(scored["columns"], scored["kind"], strict=True)
    ]
    scored = scored.assign(error=said)
    return scored.sort_values("readable_score", kind="stable", ignore_index=True)


def plot_damage(table: pd.DataFrame, clean: float, ax: Any) -> None:
    """Draw three scores a column: random rows, the worst condition, any rows.

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
    lowest = table[["any_rows_score", "readable_score"]].min(axis=1).to_numpy(dtype=float)
    ax.hlines(rows, lowest, clean, color="0.8", linewidth=1.5, zorder=1)
    for column, marker, face, colour, label in (
        ("random_score", "o", COLOURS["random"], COLOURS["random"], "random rows"),
        ("any_rows_score", "|", COLOURS["other"], COLOURS["other"], "any rows"),
        ("readable_score", "o", COLOURS["worst"], COLOURS["worst"], "worst condition"),
    ):
        values = table[column].to_numpy(dtype=float)
        if np.isfinite(values).any():
            size = 12 if marker == "|" else 6
            ax.plot(values, rows, marker, color=colour, mfc=face, ms=size, label=label)
    name_rows(ax, list(table["error"]))
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
