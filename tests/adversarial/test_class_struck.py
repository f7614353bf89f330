"""What is told of an error that strikes nearly all rows of a class."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsClassifier

from cheap_models import Centroids
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptDuplicates,
    CorruptLabels,
    SelectionBias,
)
from skcorrupt.adversarial import SearchSpace
from small_searches import quick, small_data

SAID = re.compile(r"This takes (\S+(?: %)?) of the rows where (y == \S+)\.")


def rare(n_beyond):
    """A label that a third has, all of them but some within one range of a column."""
    X = pd.DataFrame({"a": np.arange(120.0) % 60, "b": np.tile([0.0, 1.0, 2.0], 40)})
    y = np.where(X["a"] < 20, "rare", np.where(X["b"] == 0, "usual", "other"))
    y[np.flatnonzero(X["a"] >= 40)[:n_beyond]] = "rare"
    return X, y


def lost(pattern, budget=0.45, n_beyond=0, estimator=None, **params):
    """A search that can choose one error only."""
    X, y = rare(n_beyond)
    if estimator is not None:
        y = (y == "rare").astype(int)
    params |= {"budget": budget, "cv": [(np.arange(120), np.arange(120))]}
    search = quick(SelectionBias(pattern=pattern), estimator, **params)
    return search.fit(X, y), X, y


@pytest.mark.parametrize(("n_beyond", "said"), [(0, "all"), (3, "93 %"), (8, None)])
def test_a_class_of_which_hardly_a_row_is_left_is_told(n_beyond, said):
    search, X, y = lost("a < 20", n_beyond=n_beyond)
    assert search.score_drop_ > 0
    share = (X["a"] < 20)[y == "rare"].mean()
    told = SAID.search(search.summary())
    if said is None:
        assert share < 0.9 and told is None
    else:
        assert told.groups() == (said, "y == 'rare'")
        assert said == ("all" if share == 1 else f"{100 * share:.0f} %")


def test_shares_count_the_rate():
    X, y = rare(0)
    for budget, said in ((0.32, "95 %"), (0.29, None)):
        bias = SelectionBias(pattern="a < 20 and y == 'rare'")
        split = [(np.arange(120), np.arange(120))]
        model = KNeighborsClassifier(9)
        search = quick(bias, model, budget=budget, cv=split, scoring="accuracy").fit(X, y)
        assert search.score_drop_ > 0
        told = SAID.search(search.summary())
        assert (told and told[1]) == said


def test_it_is_not_told_of_what_says_it_itself_or_has_no_classes():
    assert (
        SAID.search(lost("y == 'rare'", space=SearchSpace(max_conditions=0))[0].summary()) is None
    )
    assert SAID.search(lost("a < 20", estimator=Ridge())[0].summary()) is None
    X, y = small_data()
    served = quick("scale", Centroids().fit(X, y), apply_to="test", cv=None, scoring=None).fit(X, y)
    assert SAID.search(served.summary()) is None


def test_it_is_kept_in_files(tmp_path):
    search = lost("a < 20")[0]
    search.to_json(tmp_path / "search.json")
    again = AdversarialCorruptionSearch.from_json(tmp_path / "search.json")
    assert again.summary() == search.summary()


@pytest.mark.parametrize(
    "corruption",
    [
        CorruptLabels(transition={"usual": "rare", "other": "rare"}, pattern="a < 40"),
        CorruptDuplicates(pattern="a < 20"),
    ],
)
def test_rows_that_are_kept_with_their_label_are_not_taken(corruption):
    X, y = rare(0)
    split = [(np.arange(120), np.arange(120))]
    search = quick(corruption, budget=0.7, cv=split).fit(X, y)
    assert SAID.search(search.summary()) is None
