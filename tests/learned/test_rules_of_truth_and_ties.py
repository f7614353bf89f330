"""Rules about truth values however they are written, and about values equally frequent."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned._row_rules import broken_rules
from skcorrupt.utils import as_table

TRUE = np.array([True, False, True, False, True])
AGE = [10, 10, 40, 40, 20]
COLUMNS = {
    "truth": TRUE,
    "numbers": TRUE.astype(int),
    "floats": TRUE.astype(float),
    "words": np.where(TRUE, "True", "False"),
    "small words": np.where(TRUE, "true", "false"),
    "figures": np.where(TRUE, "1", "0"),
    "objects": TRUE.astype(object),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize(
    "said", ["married == True", "married == 1", "married in [True]", "married in [1, 7]"]
)
def test_true_is_one_however_it_is_written(name, said):
    table = as_table(pd.DataFrame({"married": COLUMNS[name], "age": AGE}))
    [rule] = broken_rules(table, [f"if {said} then age >= 18"])
    assert rule.cells[1].tolist() == [True, False, False, False, False]
    [rule] = broken_rules(table, [said])
    assert rule.cells[0].tolist() == (~TRUE).tolist()


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("said", ["married != False", "married > 0", "married not in [0]"])
def test_false_is_zero(name, said):
    table = as_table(pd.DataFrame({"married": COLUMNS[name], "age": AGE}))
    [rule] = broken_rules(table, [said])
    assert rule.cells[0].tolist() == (~TRUE).tolist()


def test_where_no_value_is_what_most_rows_have_all_of_them_break_a_rule():
    X = pd.DataFrame(
        {
            "zip": [1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4],
            "city": ["a", "b", "a", "a", "c", "x", "x", "y", "y", "z", "q"],
        }
    )
    [rule] = broken_rules(as_table(X), ["zip -> city"])
    expected = []
    for code in X["zip"].unique():
        counts = X.loc[X["zip"] == code, "city"].value_counts()
        best = counts[counts == counts.max()].index
        right = best[0] if len(best) == 1 else None
        expected += [city != right for city in X.loc[X["zip"] == code, "city"]]
    assert rule.cells[1].tolist() == expected
    # one tie, one row that differs, one tie of three values
    assert sum(expected) == 2 + 1 + 5
