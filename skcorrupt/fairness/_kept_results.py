"""What an ablator keeps in a file."""

from skcorrupt.evaluation._expected import FLAG, WHOLE, Expected, table

STAGE, GROUP = "stage reference metric status", "sensitive group"
EFFECT = "mean std ci_low ci_high p_value p_adjusted"

RESULTS: dict[str, Expected] = {
    "stage_effects_": table(
        f"{STAGE} {GROUP} significant message",
        f"{EFFECT} change_rate to_favourable to_unfavourable n_splits",
    ),
    "global_fairness_": table(
        f"{STAGE} {GROUP}",
        "with_stage with_stage_low with_stage_high without_stage without_stage_low "
        "without_stage_high n_splits",
    ),
    "performance_effects_": table(
        f"{STAGE} significant message", f"{EFFECT} with_stage without_stage n_splits"
    ),
    "dropped_rows_": table(f"stage {GROUP}", "n_rows n_dropped dropped n_copied"),
    "noise_floor_": table().optional,
    "n_splits_": WHOLE,
    "n_fits_": WHOLE,
    "interrupted_": FLAG,
    "n_features_in_": WHOLE,
}
