"""The worst error with and without some conditions, as a part of the page of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from skcorrupt.adversarial._alternatives import NOT_TRIED
from skcorrupt.utils._as_text import counted

from ._html import Html, paragraph
from ._tables import OF_WHICH, Column, called, table

if TYPE_CHECKING:
    from skcorrupt.adversarial import AdversarialCorruptionSearch

_ALTERNATIVES = [
    Column("kind", "Kind", meaning="The kind of error."),
    Column("n_conditions", "Looks at", meaning="How many columns the condition on rows looks at."),
    Column("uses_label", "At the label", meaning="Whether it looks at the label, too."),
    Column("uses_own_column", "At what is hit", meaning="Whether at a column that is hit."),
    Column("columns", "Columns hit", meaning="Where values are changed; empty for whole rows."),
    Column("pattern", "Rows hit", meaning="The condition on rows; y is the label."),
    Column("rate", "Rate", "percent", OF_WHICH),
    Column("score", "{Score}", "score", "Mean over the splits; lower is worse."),
    Column("drop", "Drop", "score", "Clean less this."),
    Column(
        "status",
        "Found by",
        meaning="searched: the search was for such errors too; relaxed: looked for afterwards, "
        "with a quarter of the search's effort; enumerated: the same, and all of them were scored.",
    ),
]


def alternatives_part(search: AdversarialCorruptionSearch) -> list[tuple[str, list[Html]]]:
    """What errors do whose conditions lack the label, the column hit, or some columns.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        The fitted search.

    Returns
    -------
    list of (str, list of Html)
        A heading with what stands below it; empty where there is nothing to tell.
    """
    alternatives = getattr(search, "alternatives_", None)
    if alternatives is None or alternatives["score"].isna().all():
        return []
    scored = alternatives[alternatives["score"].notna()]
    scored = scored.sort_values("drop", ascending=False, kind="stable")
    for name in ("uses_label", "uses_own_column"):
        scored[name] = np.where(scored[name].astype(bool), "yes", "no")
    said = paragraph(
        "A condition on the label, or on the value that is lost, asks for more than chance: "
        "something must tie the errors to them. The table has the worst error found with such "
        "conditions, and without where that was tried, so that one can see what harm remains. But "
        "for the worst error above, none of these was scored on rows that the search did not see."
    )
    n = int((alternatives["status"] == NOT_TRIED).sum())
    left = f" Not tried: {counted(n, 'other sort')} of conditions." if n else ""
    caption = f"The worst error found, by what its condition looks at.{left}"
    columns = called(_ALTERNATIVES, search.metric_name_)
    return [("With and without some conditions", [said, table(scored, columns, caption)])]
