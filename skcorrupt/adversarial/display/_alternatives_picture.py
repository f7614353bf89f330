"""The drops by what conditions look at: with and without the label, the column hit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import score

from ._search_pictures import COLOURS, name_rows


def alternatives_with_scores(alternatives: pd.DataFrame) -> pd.DataFrame:
    """The classes that have a score, in words, the largest drop first.

    Parameters
    ----------
    alternatives : DataFrame
        As `AdversarialCorruptionSearch.alternatives_`.

    Returns
    -------
    DataFrame
        Its rows with a score, and `conditions`, what the patterns of each look at.
    """
    scored = alternatives[alternatives["score"].notna()]
    hits = any(len(columns) for columns in scored["columns"])
    said = [conditions_in_words(row, hits=hits) for row in scored.to_dict("records")]
    scored = scored.assign(conditions=said)
    return scored.sort_values("drop", ascending=False, kind="stable", ignore_index=True)


def conditions_in_words(row: dict[Any, Any], *, hits: bool) -> str:
    """What the patterns of a class look at, such as "label, column hit, 1 other"."""
    own = bool(row["uses_own_column"])
    n_others = int(row["n_conditions"]) - own
    noun = ("other" if own else "other column") if hits else "column"
    several = "s" if n_others > 1 else ""
    parts = ["label"] * bool(row["uses_label"]) + ["column hit"] * own
    parts += [f"{n_others} {noun}{several}"] * (n_others > 0)
    kind = f"{row['kind']}: " if row.get("kind") else ""
    return kind + (", ".join(parts) or "no condition")


def plot_alternatives(table: pd.DataFrame, ax: Any) -> None:
    """Draw the drop of each class, full where the search was for it, open where it was not.

    Parameters
    ----------
    table : DataFrame
        As `alternatives_with_scores` gives it.
    ax : matplotlib Axes
        Where to draw.
    """
    rows, drops = np.arange(len(table)), table["drop"].to_numpy(dtype=float)
    searched = (table["status"] == "searched").to_numpy()
    ax.axvline(0.0, color=COLOURS["clean"], linewidth=1, zorder=0)
    ax.hlines(rows, 0.0, drops, color="0.8", linewidth=1.5, zorder=1)
    for some, face, label in (
        (searched, COLOURS["worst"], "searched"),
        (~searched, "white", "relaxed: beyond the defaults"),
    ):
        if some.any():
            colour = COLOURS["worst"]
            ax.plot(drops[some], rows[some], "o", color=colour, mfc=face, ms=6, label=label)
    for row, drop in zip(rows, drops, strict=True):
        ax.annotate(
            score(drop),
            (drop, row),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize="x-small",
        )
    name_rows(ax, list(table["conditions"]))
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
