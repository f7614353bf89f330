"""Who would notice the worst error, from which size of batches on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import percent

from ._search_pictures import COLOURS, name_rows

# of batches with an error, those in which a check alarms that notices it
NOTICED = 0.8
# where checks stand that notice it at no size, to the right of those that do
NONE = 3.5
LEAST, MOST = 20.0, 10_000.0


def checks_by_size(detection: pd.DataFrame) -> pd.DataFrame:
    """Checks in the order in which they notice an error.

    Parameters
    ----------
    detection : DataFrame
        As `AdversarialCorruptionSearch.detection_`.

    Returns
    -------
    DataFrame
        The same rows, those that need the fewest rows first.
    """
    rank = np.where(detection["alarm_rate"] >= NOTICED, 0, 1)
    ordered = detection.assign(rank=rank).sort_values(
        ["min_batch_size", "rank", "alarm_rate"], ascending=[True, True, False], kind="stable"
    )
    return ordered.drop(columns="rank").reset_index(drop=True)


def plot_detection(table: pd.DataFrame, ax: Any) -> None:
    """Draw the size of batches from which each check notices an error.

    Parameters
    ----------
    table : DataFrame
        As `checks_by_size` gives it.
    ax : matplotlib Axes
        Where to draw.
    """
    rows, sizes = np.arange(len(table)), table["min_batch_size"].to_numpy(dtype=float)
    share = table["alarm_rate"].to_numpy(dtype=float)
    known = np.isfinite(sizes)
    # of some checks no other sizes can be tried, so that their share says all
    other = ~known & (share >= NOTICED)
    never = ~known & ~other
    most = np.max(sizes[known], initial=MOST)
    none = most * NONE
    if known.any():
        ax.hlines(rows[known], sizes[known], most, color=COLOURS["clean"], linewidth=3, alpha=0.35)
    for some, at, colour, face, label in (
        (known, sizes, COLOURS["clean"], COLOURS["clean"], "alarms in 80 % from this size on"),
        (other, np.full(len(rows), none), COLOURS["clean"], "white", "notices it, of one size"),
        (never, np.full(len(rows), none), COLOURS["worst"], "white", "does not notice it"),
    ):
        if some.any():
            ax.plot(at[some], rows[some], "o", color=colour, mfc=face, ms=7, label=label)
    pairs = zip(table["check"], share, strict=True)
    name_rows(ax, [f"{name}  {percent(each)}" for name, each in pairs])
    ax.set_xscale("log")
    least = np.min(sizes[known], initial=LEAST)
    ticks = [size for size in (20, 100, 500, 2000, 10_000) if size >= least]
    ax.set_xlim(least / 1.3, none * 1.6)
    ax.set_xticks([*ticks, none], [*(f"{size:,}" for size in ticks), "none"])
    ax.minorticks_off()
    ax.set_xlabel("rows of a batch")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
