"""What a notebook shows of learned errors."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._in_words import error_in_words
from ._learned_errors import LearnedErrors
from ._learned_errors_display import LearnedErrorsDisplay


@shows(LearnedErrors)
def _finding(learned: LearnedErrors) -> str:
    rows = learned.report.sort_values("n_cells", ascending=False, kind="stable")
    said = " ".join(error_in_words(rows.iloc[0].to_dict())) if len(rows) else "No error was seen."
    names = ["column", "kind", "n_cells", "rate", "pattern"]
    draw = partial(LearnedErrorsDisplay.from_learned(learned).plot, "cells")
    return finding_html(said, rows[names], draw)
