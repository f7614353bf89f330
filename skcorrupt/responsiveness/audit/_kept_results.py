"""What an auditor keeps in a file."""

import pandas as pd

from skcorrupt.evaluation._expected import (
    FLAG,
    OBJECT,
    TEXT,
    WHOLE,
    Expected,
    array,
    one,
    table,
)

RESULTS: dict[str, Expected] = {
    "results_": table(
        "prediction exact verdict method",
        "responsiveness ci_low ci_high n hits p_value p_adjusted",
    ),
    "direction_": TEXT,
    "n_samples_": WHOLE,
    "interrupted_": FLAG,
    "n_features_in_": WHOLE,
    "_seed": WHOLE,
    "_by_importance": FLAG.optional,
    "_attributions": one("a table", pd.DataFrame).or_none.optional,
    "_rows": array("iu"),
    "_possible": OBJECT,
    "_data_facts": OBJECT,
}
