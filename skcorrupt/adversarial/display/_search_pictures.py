"""The pictures of a search besides that of its scores, each drawn on given axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.utils._as_text import signed

COLOURS = {"clean": "#4c956c", "random": "#8d99ae", "worst": "#c1121f", "other": "#30638e"}
MOST_LETTERS = 44


def plot_budgets(curve: pd.DataFrame, clean: float, ax: Any) -> None:
    """Draw scores against the budget: random, worst and, where they are, confirmed ones.

    Parameters
    ----------
    curve : DataFrame
        Rows of `budget_curve_` that have a winner.
    clean : float
        Score on clean data.
    ax : matplotlib Axes
        Where to draw.
    """
    budget = 100 * curve["budget"]
    ax.axhline(clean, color=COLOURS["clean"], linewidth=1, label="clean")
    for name, column, label in (
        ("random", "random_score", "random, same size"),
        ("worst", "worst_score", "worst found"),
    ):
        if column in curve:
            ax.plot(budget, curve[column], "o-", color=COLOURS[name], label=label)
    if "confirmed_score" in curve and np.isfinite(curve["confirmed_score"]).any():
        base, score = curve["confirmed_baseline"], curve["confirmed_score"]
        ax.plot(budget, base, ":", color=COLOURS["clean"], label="clean, confirmed")
        low, high = base - curve["confirmed_drop_high"], base - curve["confirmed_drop_low"]
        ax.errorbar(
            budget,
            score,
            # a bootstrap interval need not hold the score itself
            yerr=np.nan_to_num(np.maximum([score - low, high - score], 0.0)),
            fmt="s",
            color=COLOURS["worst"],
            markerfacecolor="white",
            capsize=3,
            label="worst, confirmed",
        )
    if len(budget) == 1 or np.diff(budget).min() > 0.04 * np.ptp(budget):
        ax.set_xticks(budget, [f"{each:g}" for each in budget])
    ax.set_xlabel("budget: rows struck at most, in %")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.spines[["top", "right"]].set_visible(False)


def plot_tree(tree: pd.DataFrame, clean: float, common: list[str], ax: Any) -> None:
    """Draw a tree of patterns as an outline, a line a set of columns.

    Parameters
    ----------
    tree : DataFrame
        As `tree_of` gives it.
    clean : float
        Score on clean data.
    common : list of str
        Attributes that every pattern looks at, which are left out of the names.
    ax : matplotlib Axes
        Where to draw.
    """
    ax.axvline(clean, color=COLOURS["clean"], linewidth=1, zorder=0)
    for row, (parent, score, on_path) in enumerate(
        zip(tree["parent"], tree["score"], tree["on_path"], strict=True)
    ):
        colour = COLOURS["worst" if on_path else "other"]
        if parent >= 0:
            start = tree["score"].iloc[parent]
            line = {"color": colour if on_path else "0.75", "linewidth": 1.6 if on_path else 0.8}
            ax.plot([start, start, score], [parent, row, row], zorder=2 if on_path else 1, **line)
        ax.plot(score, row, "o", color=colour, markersize=6, zorder=3)
    names = [_short(_tree_label(tree, row, common)) for row in range(len(tree))]
    name_rows(ax, names, align="left")


def _tree_label(tree: pd.DataFrame, row: int, common: list[str]) -> str:
    """What a set adds to the one it extends; of a root, what is hit and where."""
    hit, looks_at, parent = (tree[name].iloc[row] for name in ("hit", "looks_at", "parent"))
    if parent >= 0:
        (new,) = set(looks_at) - set(tree["looks_at"].iloc[parent])
        return "    " * int(tree["level"].iloc[row]) + "+ " + new
    own = ", ".join(name for name in looks_at if name not in common)
    own = own or ", ".join(common) or "every row"
    its_own = set(looks_at) - set(common) == set(hit)
    kind = tree["kind"].iloc[row]
    said = f"{', '.join(hit)} by {own}" if hit and not its_own else own
    return f"{kind}: {said}" if kind else said


def plot_effects(effects: pd.DataFrame, clean: float, ax: Any) -> None:
    """Draw what patterns with each column reach, beside those without it.

    Parameters
    ----------
    effects : DataFrame
        As `effects_of` gives it.
    clean : float
        Score on clean data.
    ax : matplotlib Axes
        Where to draw.
    """
    rows = np.arange(len(effects))
    ax.axvline(clean, color=COLOURS["clean"], linewidth=1, zorder=0)
    for shift, name, marker, colour in (
        (-0.14, "lowest", "o", COLOURS["worst"]),
        (0.2, "median", "D", COLOURS["random"]),
    ):
        within, without, at = effects[name], effects[f"{name}_without"], rows + shift
        ax.hlines(at, within, without, color=colour, linewidth=1.5, alpha=0.6)
        size = 6 if name == "lowest" else 4
        ax.plot(without, at, marker, color=colour, mfc="white", ms=size, label=f"{name} without it")
        ax.plot(within, at, marker, color=colour, ms=size, label=f"{name} with it")
    pairs = zip(effects["column"], effects["difference"], strict=True)
    name_rows(ax, [f"{_short(column)}  {signed(difference)}" for column, difference in pairs])
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))


def name_rows(ax: Any, names: list[str], *, align: str = "right") -> None:
    """Names at the rows, the first on top, in letters as small as the rows ask for."""
    # points of height that a row has in the figure, of which letters take no more than most
    room = 72 * 0.75 * ax.figure.get_figheight() / (len(names) + 1)
    size = float(np.clip(0.8 * room, 5.0, 9.0))
    ax.set_yticks(range(len(names)), names, fontsize=size, parse_math=False)
    if align == "left":
        # an outline is indented from the left, so that names have to begin at one place
        for label in ax.get_yticklabels():
            label.set_horizontalalignment("left")
        ax.tick_params(axis="y", pad=max(_width(name, size) for name in names))
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.margins(x=0.06)
    ax.locator_params(axis="x", nbins=7)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", color="0.93", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _short(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else name[: MOST_LETTERS - 1] + "…"


def _width(name: str, size: float) -> float:
    """Width of a name in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    # a dollar sign would be read as a formula, and blanks at the start would not count
    text = name.replace("$", "S").replace("    ", "nn")
    width = TextPath((0, 0), text, prop=FontProperties(size=size)).get_extents().width
    # on a screen letters stand a little further apart than on paper
    return 1.08 * float(width) + 4.0
