"""Errors that checks notice, and those that pass, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils._readable import listed_labels
from skcorrupt.utils._shorten import cut

from ._check_suggestions import CheckSuggestions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CAUGHT, MISSED, ADVERSARY = "#8d99ae", "#c1121f", "#1d3557"
MOST_ERRORS = 20
LONGEST = 48


def plot_checks(found: CheckSuggestions, ax: Axes) -> None:
    """Draw what each error takes from the score, and whether a check notices it.

    Parameters
    ----------
    found : CheckSuggestions
        As `suggest_checks` returns it.
    ax : matplotlib Axes
        Where to draw.
    """
    errors = found.errors_.head(MOST_ERRORS)
    names = [
        cut(f"{kind_in_words(error['kind'])}, {_columns(error['columns'])}", LONGEST)
        for error in errors.to_dict("records")
    ]
    heights = range(len(errors))
    caught = errors["caught_by"].notna().to_numpy()
    for which, colour, label in (
        (caught, CAUGHT, "a check notices it"),
        (~caught, MISSED, "passes all checks"),
    ):
        if which.any():
            at = [height for height, one in zip(heights, which, strict=True) if one]
            ax.barh(at, errors["damage"][which], color=colour, height=0.7, label=label)
    if len(found.answers_):
        left = found.adaptive_damage_
        ax.axvline(
            left, color=ADVERSARY, ls="--", lw=1.2, label="an adversary who knows the checks"
        )
    ax.set_yticks(heights, names, fontsize="small", parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel(f"taken from the {found.metric_name_}")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize="small", loc="lower right")


def _columns(columns: tuple[str, ...]) -> str:
    return listed_labels(columns) or "whole rows"
