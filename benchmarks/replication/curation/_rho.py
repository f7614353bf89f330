"""The verdict on a rank correlation of table 1, over orders of the rows by which ties go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchmarks.replication._rows import NOT_RUN, RHO, STEEPER, Row, Sample, number, value_of

SOURCE = "curation: table"
ALL_RIGHT = "every weak label is right by the study's gold labels, and no order falls"


def rho_row(what: str, printed: str, saved: dict[str, Any] | None) -> Row:
    """A printed correlation beside ours.

    Parameters
    ----------
    what : str
        The setting.
    printed : str
        As printed.
    saved : dict or None
        A row of the section `table`, None where it is not saved.

    Returns
    -------
    Row
        The mean over orders of tied rows is judged; one of them is printed.
    """
    where, ours = "table 1", None
    if saved is not None and saved["mean"] is None:
        return Row(where, what, (printed,), None, None, "not reproduced", ALL_RIGHT, SOURCE)
    if saved is not None:
        n = saved["splits"] - saved["undefined"]
        over = f"{n} orders of tied rows"
        # a library of which every order has another seed
        over += " and seeds" if saved.get("library") else ""
        ours = Sample(saved["mean"], saved["std"], n, over, RHO)
    made = number(where, what, printed, ours, source=SOURCE)
    if saved is None or ours is None or made.verdict == NOT_RUN:
        return made
    why = "; ".join(filter(None, (made.why, f"by permutation p = {saved['permuted']:.3f}")))
    steeper = made.verdict == "not reproduced" and ours.mean < value_of(printed) < 0
    return replace(made, verdict=STEEPER if steeper else made.verdict, why=why)
