"""Whom samplers and row filters leave out."""

import numpy as np
import pytest
from imblearn import FunctionSampler
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.pipeline import Pipeline as SamplingPipeline
from imblearn.under_sampling import RandomUnderSampler
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from skcorrupt import CorruptDuplicates, CorruptLabels
from stages_for_tests import ablate, paths, table


def without_low(X, y):
    keep = X[:, 1] > -0.5
    return X[keep], y[keep]


class TestDroppedRows:
    columns = ColumnTransformer([("keep", "passthrough", ["sex", "a", "b"])])

    def ablate(self, sampler, X=None, y=None, **params):
        steps = [("columns", self.columns), ("rows", sampler), ("model", GaussianNB())]
        return ablate(SamplingPipeline(steps), X, y, **params)

    def expected(self, kept):
        """Mean rows and dropped rows by group, over the two halves of unshuffled folds."""
        X, y = table()
        found = {0: [], 1: []}
        for train, _ in StratifiedKFold(2).split(X, y):
            for sex in (0, 1):
                group = train[X["sex"].iloc[train] == sex]
                found[sex].append((len(group), len(group) - kept(X, y, group)))
        return {sex: np.mean(counts, axis=0) for sex, counts in found.items()}

    def check(self, ablator, kept):
        rows = ablator.dropped_rows_.set_index("group")
        expected = self.expected(kept)
        for name, sex in (("0", 0), ("1", 1)):
            n_rows, n_dropped = expected[sex]
            assert rows.loc[name, "n_rows"] == n_rows
            assert rows.loc[name, "n_dropped"] == n_dropped
            assert rows.loc[name, "dropped"] == pytest.approx(n_dropped / n_rows)
        return rows

    def test_row_filters(self):
        ablator = self.ablate(FunctionSampler(func=without_low))
        self.check(ablator, lambda X, y, rows: (X["a"].iloc[rows] > -0.5).sum())
        assert paths(ablator) == ["rows"]
        assert (ablator.stage_effects_["status"] == "ok").all()

    def test_filters_by_label_among_equal_rows(self):
        """Rows of equal content and different label are told apart."""
        X, y = table()
        X = X.assign(a=X["a"].round(), b=0.0)

        def only(X, y):
            keep = (y == 1) | (np.arange(len(y)) % 2 == 0)
            return X[keep], y[keep]

        ablator = self.ablate(FunctionSampler(func=only), X, y)
        counted = ablator.dropped_rows_["n_dropped"].sum()
        gone = [
            ((y.iloc[train] == 0) & (np.arange(len(train)) % 2 == 1)).sum()
            for train, _ in StratifiedKFold(2).split(X, y)
        ]
        assert counted == np.mean(gone)
        # the group is nothing that the filter sees
        X["a"] = 1.0
        keep = ColumnTransformer([("keep", "passthrough", ["a", "b"])])
        last = FunctionSampler(func=lambda X, y: (X[y == 1], y[y == 1]))
        steps = [("keep", keep), ("last", last), ("model", DummyClassifier())]
        rows = ablate(SamplingPipeline(steps), X, y).dropped_rows_.set_index("group")
        halves = [train for train, _ in StratifiedKFold(2).split(X, y)]
        for name, sex in (("0", 0), ("1", 1)):
            gone = [((X["sex"] == sex) & (y == 0)).iloc[train].sum() for train in halves]
            assert rows.loc[name, "n_dropped"] == np.mean(gone)
        flipped = self.ablate(FunctionSampler(func=lambda X, y: (X, 1 - y)), X, y)
        assert (flipped.dropped_rows_["n_dropped"] == 0).all()

    def test_over_and_under_sampling(self):
        over = self.ablate(RandomOverSampler()).dropped_rows_
        assert (over["n_dropped"] == 0).all()
        assert over["n_copied"].sum() > 0
        made_up = self.ablate(SMOTE()).dropped_rows_
        assert (made_up[["n_dropped", "n_copied"]] == 0).all(axis=None)
        X, y = table()
        under = self.ablate(RandomUnderSampler(), X, y).dropped_rows_
        halves = [y.iloc[train] for train, _ in StratifiedKFold(2).split(X, y)]
        gone = [len(half) - 2 * min((half == 0).sum(), (half == 1).sum()) for half in halves]
        assert under["n_dropped"].sum() == np.mean(gone)

    def test_copies_that_came_in_are_not_dropped(self):
        """Duplicated training rows pass a filter that keeps everything."""
        keep = FunctionSampler(func=lambda X, y: (X, y))
        rows = self.ablate(keep, corruption=CorruptDuplicates(rate=0.3)).dropped_rows_
        assert rows["n_rows"].sum() == 130
        assert (rows[["n_dropped", "n_copied"]] == 0).all(axis=None)

    def test_several_samplers_one_after_the_other(self):
        low = FunctionSampler(func=without_low)
        steps = [("columns", self.columns), ("smote", SMOTE()), ("low", low), ("nb", GaussianNB())]
        rows = ablate(SamplingPipeline(steps)).dropped_rows_.set_index(["stage", "group"])
        first = rows.loc["smote"]
        second = rows.loc["low"]
        # rows that are made up are of no group
        assert (first["n_rows"] == second["n_rows"]).all()
        assert (second["n_dropped"] > 0).all()

    def test_rows_whose_values_change_cannot_be_followed(self):
        """Nothing is known of who was left out, which is not the same as everybody."""

        def narrow(X, y):
            X, y = without_low(X, y)
            return X.astype(np.float32) / 3, y

        low = FunctionSampler(func=without_low)
        steps = [("columns", self.columns), ("narrow", FunctionSampler(func=narrow)), ("low", low)]
        ablator = ablate(SamplingPipeline([*steps, ("model", GaussianNB())]))
        rows = ablator.dropped_rows_.set_index("stage")
        first, second = rows.loc["narrow"], rows.loc["low"]
        assert first["n_rows"].sum() == 100
        assert first[["n_dropped", "dropped", "n_copied"]].isna().all(axis=None)
        assert second[["n_rows", "n_dropped", "dropped", "n_copied"]].isna().all(axis=None)

    def test_a_corruption_as_a_stage(self):
        rows = self.ablate(CorruptLabels(rate=0.3)).dropped_rows_
        assert (rows["n_dropped"] == 0).all()
