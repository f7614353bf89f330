"""What errors of every kind do, as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import score

from ._search_pictures import COLOURS, name_rows


def plot_kinds(table: pd.DataFrame, metric: str, ax: Any) -> None:
    """Draw the drop under the worst error of each kind, with what rows not searched say of it.

    Parameters
    ----------
    table : DataFrame
        `kind, columns, drop, confirmed_low, confirmed_high`, the largest drop first; a row for
        each kind is drawn, its first.
    metric : str
        What the score is called.
    ax : matplotlib Axes
        Where to draw.
    """
    table = table.drop_duplicates("kind")
    rows, drops = np.arange(len(table)), table["drop"].to_numpy(dtype=float)
    low, high = (table[f"confirmed_{end}"].to_numpy(dtype=float) for end in ("low", "high"))
    known = np.isfinite(low) & np.isfinite(high)
    # harm that rows not searched do not show is not to alarm
    sure = known & (low > 0)
    ax.axvline(0.0, color=COLOURS["clean"], linewidth=1, zorder=0)
    if known.any():
        label = "95 % interval of the drop on rows not searched"
        ax.hlines(rows[known], low[known], high[known], color="0.75", linewidth=5, label=label)
    for some, colour, label in (
        (sure, COLOURS["worst"], "drop found, confirmed"),
        (~sure, COLOURS["random"], "drop found, not confirmed"),
    ):
        if some.any():
            ax.plot(drops[some], rows[some], "o", color=colour, ms=6, label=label)
    for row, drop in zip(rows, drops, strict=True):
        ax.annotate(
            score(drop), (drop, row), xytext=(0, 5), textcoords="offset points", ha="center",
            fontsize="x-small",
        )  # fmt: skip
    # whole rows and labels are in brackets, which the kind says already
    hit = [columns if columns[:1] != "(" else "" for columns in table["columns"]]
    name_rows(ax, [": ".join(filter(None, each)) for each in zip(table["kind"], hit, strict=True)])
    ax.set_xlabel(f"drop of {metric}")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.set_title(
        "What hurts most, by kind of error and worst column", fontsize="medium", loc="left"
    )
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
