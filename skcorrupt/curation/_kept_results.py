"""What a curator keeps in a file."""

from skcorrupt.evaluation._expected import FLAG, LIST, WHOLE, Expected, array, table

NUMBERS, POSITIONS = array("biuf"), array("iu")
INTERVALS = "agreement agreement_low agreement_high accuracy accuracy_low accuracy_high"

RESULTS: dict[str, Expected] = {
    "labels_": array(),
    "classes_": array(),
    "confidence_": NUMBERS,
    "lower_bound_": NUMBERS,
    "upper_bound_": NUMBERS,
    "n_votes_": NUMBERS,
    "order_": POSITIONS,
    "datasets_": LIST,
    "curve_": table(
        numbers=f"dataset n_rows lower_bound n_covered n_labelled {INTERVALS}"
    ).optional,
    "n_contradicted_": WHOLE.optional,
    "n_features_in_": WHOLE,
    "_nested": FLAG,
    "_other_order": POSITIONS,
}
