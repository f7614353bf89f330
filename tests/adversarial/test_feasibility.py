"""Which corrupted training data no pipeline could learn from."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from skcorrupt import CorruptionRecord
from skcorrupt.adversarial.candidates import FeasibilityCheck

MAKERS = {
    "array": np.asarray,
    "series": pd.Series,
    "objects": lambda y: pd.Series(y, dtype=object),
    "list": list,
    "column": lambda y: pd.DataFrame({"y": y}),
    "nullable": lambda y: pd.Series(y).convert_dtypes(),
    "categories": lambda y: pd.Series(y).astype("category"),
}


def record_of(n, n_columns=2):
    return CorruptionRecord(
        X_mask=np.zeros((n, n_columns), dtype=bool),
        y_mask=np.zeros(n, dtype=bool),
        sample_indices=np.arange(n),
        n_matched=n,
        n_corrupted=0,
        row_fraction=0.0,
        seed=0,
        n_samples_in=n,
        feature_names=("a", "b"),
    )


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@given(
    labels=st.one_of(
        st.lists(st.integers(-1, 2), min_size=1, max_size=6),
        st.lists(st.sampled_from([0.0, 1.5, -1.0, np.nan]), min_size=1, max_size=6),
        st.lists(st.booleans(), min_size=1, max_size=6),
        st.lists(st.sampled_from(["u", "v", "lost"]), min_size=1, max_size=6),
    ),
    erased=st.sampled_from([[], [-1], ["lost"], [-1, "lost"], [2**70]]),
)
def test_two_classes_are_needed_of_those_that_are_no_erased_label(make, labels, erased):
    known = {label for label in labels if label == label and label not in erased}
    X = pd.DataFrame({"a": np.arange(len(labels)), "b": 1.0})
    records = [record_of(len(labels))]
    said = FeasibilityCheck(True, erased)(X, make(labels), records)
    assert said == ("" if len(known) > 1 else "one class is left")
    assert FeasibilityCheck(False, erased)(X, make(labels), records) == ""


def test_no_rows():
    check = FeasibilityCheck(True)
    assert check(pd.DataFrame({"a": []}), pd.Series([]), [record_of(0, 1)]) == "no rows are left"


def test_a_column_that_errors_left_empty():
    X = pd.DataFrame({"a": [np.nan, np.nan], "b": [1.0, 2.0]})
    record = record_of(2)
    assert FeasibilityCheck(True)(X, [0, 1], [record]) == ""
    record.X_mask[0, 0] = True
    assert FeasibilityCheck(True)(X, [0, 1], [record]) == "column 'a' is missing everywhere"
