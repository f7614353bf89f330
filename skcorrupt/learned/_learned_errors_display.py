"""Learned errors as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from skcorrupt.utils import axes_for, check_choice, cut

from ._in_words import KINDS as NAMES
from ._learned_errors import LearnedErrors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind: TypeAlias = Literal["cells", "rates"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_ROWS = 20
_LONGEST = 60
_DARK, _LIGHT = "#1d3557", "0.45"
# shades of grey of the fewest and the most errors
LIGHTEST, DARKEST = 0.18, 0.45


class LearnedErrorsDisplay:
    """What goes wrong in which column, and how often where.

    Parameters
    ----------
    report : DataFrame
        As `LearnedErrors.report`.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    table_ : DataFrame
        The numbers in the picture: with "cells" a row a column and a column a kind, with "rates"
        rows of the report.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.learned import LearnedErrorsDisplay, learn_errors
    >>> clean = pd.DataFrame({"id": range(60), "price": [float(i) for i in range(1, 61)]})
    >>> dirty = clean.assign(price=clean["price"].mask(clean["id"] < 20, clean["price"] * 100))
    >>> learned = learn_errors(dirty, clean, key="id")
    >>> display = LearnedErrorsDisplay.from_learned(learned).plot()  # doctest: +SKIP
    """

    def __init__(self, report: pd.DataFrame) -> None:
        self.report = report

    @classmethod
    def from_learned(cls, learned: LearnedErrors) -> LearnedErrorsDisplay:
        """Take what was learned.

        Parameters
        ----------
        learned : LearnedErrors
            As returned by `learn_errors`.

        Returns
        -------
        LearnedErrorsDisplay
            To be plotted.

        Raises
        ------
        TypeError
            If it is something else.
        """
        if not isinstance(learned, LearnedErrors):
            raise TypeError(
                f"learned is of type {type(learned).__name__}; it should be LearnedErrors, as "
                "returned by learn_errors."
            )
        return cls(learned.report)

    def plot(self, kind: Kind = "cells", ax: Axes | None = None) -> LearnedErrorsDisplay:
        """Draw one of the pictures.

        At most 20 columns or kinds are drawn, those with the most errors; the axis says where
        there are more.

        Parameters
        ----------
        kind : {"cells", "rates"}, default="cells"
            "cells": how many cells, or rows, went wrong in each column by each kind of error.
            "rates": for each kind in each column the share that went wrong within its pattern and
            elsewhere, with 95 % intervals; one share where no pattern was found.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        self : LearnedErrorsDisplay
            With `ax_`, `figure_` and `table_`.

        Raises
        ------
        ValueError
            If there is no such picture, or nothing was learned.
        """
        check_choice("kind", kind, KINDS)
        if self.report.empty:
            raise ValueError(
                "There is nothing to draw, as the report has no rows; pass what learn_errors "
                "learned from tables that differ."
            )
        if kind == "cells":
            table, n_all = _counts(self.report)
            self.ax_ = axes_for(ax, (2.6 + 0.9 * table.shape[1], 1.6 + 0.4 * len(table)))
            _plot_cells(table, self.ax_)
        else:
            n_all = len(self.report)
            ranked = self.report.sort_values("n_cells", ascending=False, kind="stable")
            table = ranked.head(MOST_ROWS).reset_index(drop=True)
            self.ax_ = axes_for(ax, (7.5, 1.6 + 0.5 * len(table)))
            _plot_rates(table, self.ax_)
        if n_all > len(table):
            said = self.ax_.get_xlabel()
            self.ax_.set_xlabel(f"{said}\nthe {len(table)} of {n_all} with the most errors")
        self.figure_ = self.ax_.figure
        self.table_ = table
        return self


def _counts(report: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Wrong cells by column and kind, the most first, and how many columns there are."""
    names = [_column(row) for row in report.to_dict("records")]
    kinds = [NAMES[kind] for kind in report["kind"]]
    long = pd.DataFrame({"column": names, "kind": kinds, "n": report["n_cells"].to_numpy()})
    table = long.pivot_table(
        index="column", columns="kind", values="n", aggfunc="sum", fill_value=0, sort=False
    ).astype(int)
    rows = table.sum(axis=1).sort_values(ascending=False, kind="stable").index
    shown = table.loc[rows[:MOST_ROWS]]
    totals = shown.sum().sort_values(ascending=False, kind="stable")
    return shown[totals.index[totals > 0]], len(table)


def _column(row: dict[Any, Any]) -> str:
    if row["column"] is not None:
        return str(row["column"])
    return "labels" if row["kind"] == "labels" else "whole rows"


def _plot_cells(table: pd.DataFrame, ax: Axes) -> None:
    values = table.to_numpy()
    most = max(int(values.max()), 1)
    # few errors are told from none, and many are still light enough for black figures
    shades = np.where(values > 0, LIGHTEST + (DARKEST - LIGHTEST) * np.sqrt(values / most), 0.0)
    ax.imshow(shades, cmap="Greys", vmin=0, vmax=1, aspect="auto")
    for line in range(1, len(values)):
        ax.axhline(line - 0.5, color="0.85", linewidth=0.8)
    for i, j in zip(*np.nonzero(values), strict=True):
        ax.text(j, i, f"{values[i, j]:,}", ha="center", va="center", color="black")
    names = [cut(name, _LONGEST) for name in table.index]
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xticks(range(table.shape[1]), [name.replace(" ", "\n", 1) for name in table.columns])
    ax.tick_params(length=0)
    for edge in ("left", "bottom"):
        ax.spines[edge].set_visible(False)
    ax.set_xlabel("what went wrong (number of errors; darker: more)")


def _plot_rates(rows: pd.DataFrame, ax: Axes) -> None:
    placed = rows["pattern"].notna().to_numpy()
    at = np.arange(len(rows), dtype=float)
    for mask, side, shift, style, colour, filled, label in (
        (placed, "inside", -0.13, "o", _DARK, True, "where the pattern holds"),
        (placed, "outside", 0.13, "s", _LIGHT, False, "elsewhere"),
        (~placed, "inside", 0.0, "D", _DARK, False, "everywhere, as no pattern was found"),
    ):
        part = rows[mask]
        if part.empty:
            continue
        rate, low, high = (part[f"rate_{side}{end}"].to_numpy() for end in ("", "_low", "_high"))
        ax.errorbar(
            100 * rate,
            at[mask] + shift,
            xerr=100 * np.nan_to_num(np.array([rate - low, high - rate])).clip(0),
            fmt=style,
            color=colour,
            markerfacecolor=colour if filled else "white",
            capsize=3,
            label=label,
        )
    names = [_named(row) for row in rows.to_dict("records")]
    ax.set_yticks(at, names, parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    ax.set_xlabel("% of the cells that could go wrong (95 % intervals)")
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    ax.legend(
        frameon=False,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=3,
        fontsize="small",
        handlelength=1.0,
        columnspacing=1.0,
    )


def _named(row: dict[Any, Any]) -> str:
    kind = NAMES[str(row["kind"])]
    name = kind if row["column"] is None else f"{cut(str(row['column']), _LONGEST)}: {kind}"
    return name if row["pattern"] is None else f"{name}\n{cut(str(row['pattern']), _LONGEST)}"
