"""What a search keeps in a file."""

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

RESULTS: dict[str, Expected] = {
    "baseline_score_": NUMBER,
    "worst_score_": NUMBER,
    "score_drop_": NUMBER,
    "random_score_": NUMBER,
    "worst_corruption_": ERROR.or_none,
    "worst_columns_": LIST,
    "n_draws_": WHOLE,
    "confirmed_score_": NUMBER.there_with("confirmed_interval_"),
    "confirmed_baseline_score_": NUMBER.there_with("confirmed_score_"),
    "confirmed_interval_": INTERVAL.there_with("confirmed_score_"),
    "cv_results_": columns(
        "kind pattern columns target corruption status message",
        "rate row_fraction n_draws depth mean_test_score std_test_score rank_test_score",
    ),
    "alternatives_": table(
        "uses_label uses_own_column columns pattern corruption status",
        "n_conditions rate score drop",
    ),
    "budget_curve_": table(
        "kind pattern columns corruption", "budget worst_score random_score score_drop rate"
    ).optional,
    "certificate_": table("kind proven", "budget n_patterns n_pruned"),
    "detection_": table("check", "alarm_rate min_batch_size min_rate").optional,
    "phases_": table("phase", "budget n_candidates worst_score"),
    "proxy_": TEXT,
    "proxy_agreement_": NUMBER,
    "proxy_agreements_": OBJECT,
    "screening_time_": NUMBER,
    "overhead_": NUMBER.optional,
    "metric_name_": TEXT,
    "n_evaluations_": WHOLE,
    "search_indices_": array("iu"),
    "splits_": LIST,
    "seed_": WHOLE,
    "interrupted_": FLAG,
    "n_features_in_": WHOLE,
    "_ended_by": TEXT,
    "_cut_short": FLAG.optional,
    "_few_draws": FLAG.optional,
    "_data_facts": OBJECT,
}
