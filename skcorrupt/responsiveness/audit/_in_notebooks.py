"""What a notebook shows of an audit, in numbers of people."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._responsiveness_auditor import ResponsivenessAuditor
from ._responsiveness_display import ResponsivenessDisplay


@shows(ResponsivenessAuditor)
def _finding(auditor: ResponsivenessAuditor) -> str:
    verdicts = auditor.by_group().rename_axis("group").reset_index()
    draw = partial(ResponsivenessDisplay.from_auditor(auditor).plot, "verdicts")
    shown = verdicts.rename(columns={"n_people": "people"})
    return finding_html(auditor.summary(), shown, draw, (6.5, 1.8))
