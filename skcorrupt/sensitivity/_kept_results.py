"""What a profiler keeps in a file."""

from skcorrupt.evaluation._expected import (
    FLAG,
    LIST,
    OBJECT,
    TEXT,
    WHOLE,
    Expected,
    table,
)

SCENARIO = "model corruption features"

RESULTS: dict[str, Expected] = {
    "curves_": table(f"{SCENARIO} error", "repeat level score"),
    "profiles_": table(
        f"{SCENARIO} slopes slopes_low slopes_high regimes significant flags",
        "baseline baseline_low baseline_high epc epc_low epc_high aepc aepc_low aepc_high "
        "epc_of_mean area p_value p_adjusted p_wilcoxon n_defined",
    ),
    "runs_": table(f"{SCENARIO} slopes", "repeat epc aepc area"),
    "screening_": table("feature kept", "value").optional,
    "metric_name_": TEXT,
    "n_fits_": WHOLE,
    "interrupted_": FLAG,
    "n_features_in_": WHOLE,
    "_studied": LIST,
    "_data_facts": OBJECT,
}
