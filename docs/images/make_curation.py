"""Draw docs/images/curation.png, real comments in the guide: python docs/images/make_curation.py

The curves are those of the benchmark `curation`, whose data is not part of the project.
"""

import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pandas as pd

from skcorrupt.curation import AdversarialOrderDisplay
from skcorrupt.curation._adversarial_order_display import ACCURACY, AGREEMENT, WEAK
from skcorrupt.stats import clopper_pearson

REPLICATION = Path(__file__).parents[2] / "benchmarks" / "replication"
RESULTS = REPLICATION / "curation" / "results" / "curation.json"


def main() -> None:
    """Draw the curves and save the picture."""
    rows = pd.DataFrame(json.loads(RESULTS.read_text())["sections"]["classifier"])
    right = (rows["weak_accuracy"] * rows["n_rows"]).round()
    low, high = clopper_pearson(right, rows["n_rows"], 0.1)
    rows = rows.assign(weak_accuracy_low=low, weak_accuracy_high=high)
    named = {
        WEAK: "weak_accuracy",
        AGREEMENT: "agreement",
        ACCURACY: "accuracy",
    }
    parts = [
        pd.DataFrame(
            {
                "curve": name,
                "dataset": rows["dataset"],
                "n_rows": rows["n_rows"],
                "accuracy": rows[column],
                "ci_low": rows[f"{column}_low"],
                "ci_high": rows[f"{column}_high"],
            }
        )
        for name, column in named.items()
    ]
    display = AdversarialOrderDisplay(pd.concat(parts)).plot()
    display.figure_.savefig(Path(__file__).with_name("curation.png"), dpi=110)


if __name__ == "__main__":
    main()
