"""What a notebook shows of learned errors."""

from __future__ import annotations

from functools import partial

import pandas as pd

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._as_text import cell
from skcorrupt.utils._notebook import finding_html

from ._in_words import KINDS as NAMES, error_in_words
from ._learned_errors import LearnedErrors
from ._learned_errors_display import LearnedErrorsDisplay
from ._sentences import left_out


@shows(LearnedErrors)
def _finding(learned: LearnedErrors) -> str:
    rows = learned.report.sort_values("n_cells", ascending=False, kind="stable")
    said = " ".join(error_in_words(rows.iloc[0].to_dict())) if len(rows) else "No error was seen."
    said = " ".join([said, *(f"{line}." for line in left_out(learned.given))])
    shown = pd.DataFrame(
        {
            "column": rows["column"],
            "what goes wrong": [NAMES[kind] for kind in rows["kind"]],
            "errors": rows["n_cells"],
            "share": [cell(rate, "percent") for rate in rows["rate"]],
            "where": rows["pattern"],
        }
    )
    draw = partial(LearnedErrorsDisplay.from_learned(learned).plot, "cells")
    return finding_html(said, shown, draw)
