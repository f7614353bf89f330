"""What a search for parameters and a comparison keep in a file."""

from skcorrupt.evaluation._expected import (
    ERROR,
    FLAG,
    INTERVAL,
    LIST,
    NUMBER,
    OBJECT,
    TEXT,
    WHOLE,
    Expected,
    array,
    columns,
    table,
)

CHOICE: dict[str, Expected] = {
    "best_index_": WHOLE,
    "best_params_": OBJECT,
    "best_score_": NUMBER,
    "best_clean_score_": NUMBER,
    "worst_corruption_": ERROR.or_none,
    "baseline_index_": WHOLE,
    "baseline_params_": OBJECT,
    "baseline_clean_score_": NUMBER,
    "baseline_worst_score_": NUMBER,
    "baseline_worst_corruption_": ERROR.or_none,
    "confirmed_worst_": NUMBER.there_with("confirmed_gain_"),
    "confirmed_gain_": NUMBER.there_with("confirmed_worst_"),
    "confirmed_gain_interval_": INTERVAL.there_with("confirmed_worst_"),
    "confirmed_clean_loss_": NUMBER.there_with("confirmed_worst_"),
    "baseline_confirmed_worst_": NUMBER.there_with("confirmed_worst_"),
    "cv_results_": columns(
        "params worst_corruption status",
        "mean_clean_score std_clean_score worst_score rung rank_worst_score",
    ),
    "left_out_": table("corruption columns message").optional,
    "metric_name_": TEXT,
    "search_indices_": array("iu"),
    "splits_": LIST,
    "n_splits_": WHOLE,
    "seed_": WHOLE,
    "interrupted_": FLAG,
    "refit_time_": NUMBER.optional,
    "n_features_in_": WHOLE,
    "_data_facts": OBJECT,
}

COMPARED: dict[str, Expected] = {
    "results": table(
        "estimator corruption status rank worst_from columns pattern error message",
        "budget clean clean_low clean_high random worst worst_low worst_high drop confirmed_clean "
        "confirmed confirmed_low confirmed_high confirmed_drop rate n_failed",
    ),
    "transfer": table("found_for scored_on corruption status message", "budget score drop"),
    "ranks": table(
        "corruption estimator rank other other_rank significant",
        "budget score other_score difference difference_low difference_high p_value p_adjusted",
    ),
    "metric": TEXT,
    "seed": WHOLE.or_none,
    "interrupted": FLAG,
    "settings": OBJECT,
    "data": OBJECT,
}
