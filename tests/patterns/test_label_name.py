"""The name of a Series of labels in a pattern."""

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import AdversarialCorruptionSearch, CorruptMissing
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.patterns import Pattern


class TestTheNameOfALabel:
    X = pd.DataFrame({"age": [4, 30, 50]})
    survived = pd.Series([1, 0, 1], name="Survived")

    def test_means_the_label(self):
        pattern = Pattern.parse("Survived == 1 and age <= 40")
        assert pattern.mask(self.X, self.survived).tolist() == [True, False, False]
        assert str(pattern.labelled(self.X, self.survived)) == "y == 1 and age <= 40"

    def test_a_column_of_that_name_comes_first(self):
        X, pattern = self.X.assign(Survived=[0, 1, 0]), Pattern.parse("Survived == 1")
        assert pattern.mask(X, self.survived).tolist() == [False, True, False]
        assert pattern.labelled(X, self.survived) == pattern

    @pytest.mark.parametrize("y", [None, [1, 0, 1], pd.Series([1, 0, 1], name="died")])
    def test_no_other_label_has_it(self, y):
        with pytest.raises(ValueError, match="there is no column Survived in X"):
            Pattern.parse("Survived == 1").mask(self.X, y)

    def test_both_names_of_it_are_one_condition(self):
        pattern = Pattern.parse("Survived == 1 and y in (0, 1)")
        assert str(pattern.labelled(self.X, self.survived)) == "y == 1"

    def test_errors_strike_where_it_says(self):
        error = CorruptMissing("age", pattern="Survived == 1", rate=1.0)
        struck = error.corrupt(self.X, self.survived).X
        assert struck["age"].isna().tolist() == [True, False, True]

    @pytest.mark.slow
    def test_a_search_prints_y(self):
        rng = np.random.default_rng(0)
        X = pd.DataFrame({"age": rng.integers(1, 80, 90).astype(float)})
        y = (X["age"] + rng.normal(0, 15, 90) > 40).astype(int).rename("Survived")
        search = AdversarialCorruptionSearch(
            make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=2, random_state=0)),
            CorruptMissing(pattern="Survived == 1"),
            space=SearchSpace(max_conditions=1),
            strategy=BeamSearch(n_calls=2),
            confirm_size=None,
            random_state=0,
        ).fit(X, y)
        assert str(search.worst_pattern_).startswith("y == 1 and")
