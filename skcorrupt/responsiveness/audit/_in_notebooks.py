"""What a notebook shows of an audit, in numbers of people."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._as_text import cell
from skcorrupt.utils._notebook import finding_html

from ._responsiveness_auditor import ResponsivenessAuditor
from ._responsiveness_display import ResponsivenessDisplay

HEADINGS = {
    "n_people": "people",
    "responsiveness": "mean responsiveness",
    "exact": "computed exactly",
}


@shows(ResponsivenessAuditor)
def _finding(auditor: ResponsivenessAuditor) -> str:
    verdicts = auditor.by_group().rename_axis("group").reset_index()
    draw = partial(ResponsivenessDisplay.from_auditor(auditor).plot, "verdicts")
    for name in verdicts.columns.difference(["group", "n_people"]):
        verdicts[name] = [cell(value, "percent") for value in verdicts[name]]
    return finding_html(auditor.summary(), verdicts.rename(columns=HEADINGS), draw, (6.5, 1.8))
