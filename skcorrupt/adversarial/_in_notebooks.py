"""What a notebook shows of a search."""

from __future__ import annotations

from functools import partial

import pandas as pd

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._adversarial_corruption_search import AdversarialCorruptionSearch
from .display import AdversarialSearchDisplay


@shows(AdversarialCorruptionSearch)
def _finding(search: AdversarialCorruptionSearch) -> str:
    display = AdversarialSearchDisplay.from_search(search)
    scores = pd.DataFrame(list(display.scores.items()), columns=["data", display.metric])
    return finding_html(search.summary(), scores, partial(display.plot, "scores"))
