"""What a notebook shows of a curation."""

from __future__ import annotations

from functools import partial

import pandas as pd

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._notebook import finding_html

from ._adversarial_order_display import AdversarialOrderDisplay
from ._natural_adversarial_curator import NaturalAdversarialCurator


@shows(NaturalAdversarialCurator)
def _finding(curator: NaturalAdversarialCurator) -> str:
    sets = pd.DataFrame(
        [
            (k, len(rows), float(curator.lower_bound_[rows].min()))
            for k, rows in enumerate(curator.datasets_, start=1)
        ],
        columns=["set", "samples", "lowest bound"],
    )
    draw = partial(AdversarialOrderDisplay.from_curator(curator).plot, "bounds")
    return finding_html(curator.summary(), sets, draw)
