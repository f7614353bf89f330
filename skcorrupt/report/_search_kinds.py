"""What a quick look at every kind of error found, as a part of the page of the worst of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from skcorrupt.adversarial.display import plot_kinds

from ._content import Picture
from ._html import Html, paragraph
from ._tables import Column, called, table

if TYPE_CHECKING:
    from skcorrupt.adversarial import AdversarialCorruptionSearch

_KINDS = [
    Column("kind", "Kind", meaning="The kind of error."),
    Column("columns", "Columns hit", meaning="Where values are changed."),
    Column("worst", "{Score}", "score", "Under the worst error found."),
    Column("drop", "Drop", "score", "Clean less this; the largest of a quick look, too large."),
    Column(
        ("confirmed_low", "confirmed_high"),
        "Drop, rows not searched",
        "score",
        "95 % interval; for the worst of each kind.",
    ),
    Column("pattern", "Rows hit", meaning="The condition on rows; y is the label."),
]


def of_every_kind(search: AdversarialCorruptionSearch) -> pd.DataFrame | None:
    """The worst of each kind and column, None where one kind was searched."""
    return getattr(search, "_of_every_kind", None)


def kinds_part(search: AdversarialCorruptionSearch) -> list[tuple[str, list[Html]]]:
    """What errors of every kind do.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        The search for the worst of them.

    Returns
    -------
    list of (str, list of Html)
        A heading with what stands below it; empty where one kind was searched.
    """
    found = of_every_kind(search)
    if found is None:
        return []
    said = paragraph(
        "Every kind of error was tried quickly, in turn; the rest of this page is about the worst. "
        "Search those that can happen in this data thoroughly."
    )
    columns = called(_KINDS, search.metric_name_)
    caption = "The worst error of each kind in each column, what does most harm first."
    return [("Every kind of error", [said, table(found, columns, caption)])]


def kinds_pictures(search: AdversarialCorruptionSearch) -> list[Picture]:
    """The worst of each kind as a picture, none where one kind was searched."""
    found = of_every_kind(search)
    if found is None:
        return []
    n = found["kind"].nunique()
    return [
        Picture(
            "The drop under the worst error of each kind.",
            "A point a kind; the table of kinds has the numbers.",
            partial(plot_kinds, found, search.metric_name_),
            (9.0, 1.6 + 0.36 * n),
        )
    ]


def limit_by_every_kind(found: pd.DataFrame) -> str:
    """What a quick look leaves open."""
    n = found["kind"].nunique()
    return (
        f"Errors of {n} kinds were tried, one at a time and quickly: with short conditions and few "
        "bounds. A thorough search may find worse ones, and several at once may hurt more."
    )
