"""Which columns of wide data are studied, and where in the order of rows errors gather."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import contingency, f_oneway, spearmanr
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from skcorrupt import CorruptDuplicates, CorruptLabels, CorruptMissing, CorruptNoise
from skcorrupt.sensitivity import ErrorSensitivityProfiler, Strategy
from skcorrupt.sensitivity._screening import screened
from skcorrupt.utils import as_table
from training_spy import Spy

pytestmark = pytest.mark.filterwarnings("ignore:With one split:UserWarning")


@pytest.fixture(autouse=True)
def _nothing_seen():
    Spy.seen.clear()
    yield
    Spy.seen.clear()


@pytest.fixture
def wide():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 40))).add_prefix("c")
    y = (X["c30"] + 0.5 * X["c7"] > 0).map({True: "yes", False: "no"})
    return X, y


def profiler(corruptions=None, estimators=None, **params):
    params = {"levels": (0, 0.5), "n_repeats": 1, "random_state": 0} | params
    errors = CorruptNoise() if corruptions is None else corruptions
    return ErrorSensitivityProfiler(estimators or Spy(), corruptions=errors, **params)


class TestScreening:
    @pytest.mark.parametrize("by", ["importance", "association"])
    def test_columns_that_matter_are_found(self, wide, by):
        X, y = wide
        make = profiler([CorruptNoise(), CorruptLabels()], screening=by, max_features=2)
        assert make.plan(X, y).n_scenarios == 3
        fitted = make.fit(X, y)
        assert set(fitted.profiles_["features"]) == {"c30", "c7", "rows"}
        kept = fitted.screening_.query("kept")
        assert kept["feature"].tolist() == ["c30", "c7"]
        assert len(fitted.screening_) == 40
        assert fitted.screening_["value"].is_monotonic_decreasing

    @pytest.mark.long
    def test_importance_is_that_of_a_forest(self, wide):
        X, y = wide
        found = profiler(screening="importance").fit(X, y).screening_.set_index("feature")["value"]
        assert found.sum() == pytest.approx(1.0)
        several = [
            RandomForestClassifier(random_state=seed).fit(X, y).feature_importances_
            for seed in range(10)
        ]
        mean, spread = np.mean(several, axis=0), np.std(several, axis=0, ddof=1)
        assert (abs(found[X.columns] - mean) < 5 * spread).all()

    def test_association_with_labels_of_any_kind(self):
        rng = np.random.default_rng(1)
        X = pd.DataFrame(
            {
                "number": rng.normal(size=200),
                "kind": rng.choice(["u", "v", "w"], 200),
                "constant": 1.0,
            }
        )
        quantity = X["number"] ** 3 + rng.normal(size=200)
        # errors do nothing to a constant, which is not kept
        make = profiler(estimators=LinearRegression(), screening="association", max_features=1)
        make = make.set_params(corruptions=CorruptNoise(["number", "constant"]))
        numeric = make.fit(X[["number", "constant"]], quantity).screening_
        rank = spearmanr(X["number"], quantity).statistic
        pearson = np.corrcoef(X["number"], quantity)[0, 1]
        assert numeric["value"].tolist() == [pytest.approx(max(rank, pearson)), 0.0]
        label = np.where(rng.random(200) < 0.7, X["kind"], "u")
        table = pd.crosstab(X["kind"], label).to_numpy()
        make = profiler(CorruptNoise("kind"), screening="association")
        (found,) = make.fit(X, label).screening_["value"]
        # Bergsma (2013); of as many categories on both sides
        excess = (len(table) - 1) ** 2 / 199
        phi2 = contingency.association(table, method="cramer") ** 2 * (len(table) - 1)
        expected = np.sqrt((phi2 - excess) / (len(table) - 1 - excess))
        assert table.shape == (3, 3) and found == pytest.approx(expected)

    def test_variance_of_numbers_and_categories(self):
        X = pd.DataFrame(
            {
                "even": [0, 1] * 20,
                "text": ["a", "b"] * 20,
                "rare": [0.0] * 39 + [7.0],
                "none": [3] * 40,
                "gaps": [None, 0.0, 10.0, None] * 10,
                "empty": [np.nan] * 40,
            }
        )
        make = profiler(screening="variance", max_features=3).fit(X, [0, 1] * 20)
        found = make.screening_.set_index("feature")["value"]
        assert found["even"] == found["text"] == found["gaps"] == 0.25
        assert found["rare"] == pytest.approx(1 / 40 * 39 / 40)
        assert found["none"] == found["empty"] == 0
        assert make.screening_.query("kept")["feature"].tolist() == ["even", "text", "gaps"]

    def test_a_number_of_columns_without_screening_is_refused(self, wide):
        X, y = wide
        make = profiler(max_features=1)
        for method in (make.fit, make.plan):
            with pytest.raises(ValueError, match="max_features=1 needs screening, and screening=N"):
                method(X, y)

    @pytest.mark.long
    def test_a_quantity_has_a_forest_of_its_own(self, wide):
        X, _ = wide
        y = X["c3"] + 0.01 * X["c4"]
        make = profiler(estimators=LinearRegression(), screening="importance", max_features=1)
        found = make.fit(X, y).screening_
        assert found.query("kept")["feature"].tolist() == ["c3"]
        forest = RandomForestRegressor(random_state=0).fit(X, y)
        assert found["value"][0] == pytest.approx(forest.feature_importances_[3], abs=0.01)

    @pytest.mark.many
    @pytest.mark.parametrize("dtype", [int, float, "Int64", object])
    @pytest.mark.long
    def test_whole_numbers_can_be_a_quantity(self, wide, dtype):
        """Prices, in a table where a forest of hundreds of classes would find nothing."""
        X, _ = wide
        prices = (100_000 + 20_000 * X["c3"]).round().astype(int).astype(dtype)
        make = profiler(estimators=LinearRegression(), screening="importance", max_features=1)
        value = make.fit(X, prices.astype(int)).screening_["value"][0]
        table = as_table(X)
        for classes in (False, None):
            found = screened(table, prices, list(range(40)), "importance", 1, 0, classes=classes)
            assert found["feature"][0] == "c3" and found["value"][0] > 0.9
        assert value == pytest.approx(found["value"][0], abs=0.05)

    def test_what_labels_are_can_be_told(self, wide):
        X, _ = wide
        grades = pd.cut(X["c3"], 4, labels=False)
        table = as_table(X[["c3"]])

        def found(y, classes):
            return screened(table, y, [0], "association", 1, 0, classes=classes)["value"][0]

        parts = [part.to_numpy() for _, part in X["c3"].groupby(grades)]
        f = f_oneway(*parts).statistic
        as_classes = np.sqrt((f - 1) / (f + 296 / 3))
        pearson = np.corrcoef(X["c3"], grades)[0, 1]
        as_numbers = max(pearson, spearmanr(X["c3"], grades).statistic)
        assert found(grades, True) == found(grades, None) == pytest.approx(as_classes)
        assert found(grades, False) == pytest.approx(as_numbers)
        # names of classes are no quantity, whatever the models
        assert found(grades.map(list("abcd").__getitem__), False) == pytest.approx(as_classes)

    def test_of_named_columns_only(self, wide):
        X, y = wide
        errors = [CorruptMissing(["c2"]), CorruptNoise(["c1", "c7"])]
        fitted = profiler(errors, screening="variance", max_features=3).fit(X, y)
        assert set(fitted.screening_["feature"]) == {"c1", "c2", "c7"}
        assert fitted.profiles_["features"].tolist() == ["c2", "c1", "c7"]
        few = profiler(errors, screening="importance", max_features=1)
        told = "corruptions: missing applies to none of the columns that screening keeps"
        with pytest.warns(UserWarning, match=told):
            assert few.plan(X, y).n_scenarios == 1

    def test_groups_of_what_is_kept(self, wide):
        X, y = wide
        X = X.assign(twin=X["c30"] * 2, other=X["c0"] + 0.0)
        make = profiler(strategy="correlated", screening="association", max_features=3)
        assert make.fit(X, y).profiles_["features"].tolist() == ["c30 + twin"]
        with pytest.raises(ValueError, match=r"no columns that screening keeps .* max_features"):
            make.set_params(max_features=1).plan(X, y)

    @pytest.mark.parametrize("by", ["importance", "association"])
    def test_mistakes(self, wide, by):
        X, y = wide
        with pytest.raises(ValueError, match=f"screening='{by}' needs labels, but y is None"):
            profiler(screening=by).fit(X)
        with pytest.raises(ValueError, match="chooses columns, which strategy='custom' leaves"):
            profiler(screening=by, strategy="custom").fit(X, y)
        with pytest.raises(ValueError, match="'screening' parameter"):
            profiler(screening="luck").fit(X, y)

    def test_a_strategy_carries_it(self, wide, tmp_path):
        written = Strategy(corruptions={"kind": "noise"}, screening="variance", max_features=4)
        written.to_json(tmp_path / "study.json")
        read = Strategy.from_json(tmp_path / "study.json")
        assert read == written and read.profiler(GaussianNB()).plan(*wide).n_scenarios == 4

    @pytest.mark.long
    def test_workers_make_no_difference(self, wide):
        make = profiler(screening="importance", max_features=3, n_repeats=2)
        one = make.fit(*wide).curves_
        pd.testing.assert_frame_equal(one, make.set_params(n_jobs=2).fit(*wide).curves_)


def test_errors_gather_in_the_order_of_the_data(wide):
    """Splits are random, and yet the first rows of the data are the first of a training part."""
    X, y = wide
    X = X.assign(c0=np.arange(300.0))
    error = CorruptMissing("c1", sampling="exponential")
    profiler(error, levels=(0, 0.2)).fit(X, y)
    train, _ = Spy.seen[1]
    assert train["c0"].is_monotonic_increasing and train["c1"].isna().sum() == 48
    assert train["c0"][train["c1"].isna()].median() < 80


def test_rows_of_one_class_can_be_doubled(wide):
    """Row-level scenarios, such as the oversampling of one class."""
    X, y = wide
    doubled = {"no twice": CorruptDuplicates(pattern="y == 'no'")}
    fitted = profiler(doubled, strategy="custom", levels=(0, 0.5, 1)).fit(X, y)
    clean, half, full = (labels.value_counts() for _, labels in Spy.seen)
    assert full["no"] == 2 * clean["no"] and half["no"] == round(1.5 * clean["no"])
    assert full["yes"] == half["yes"] == clean["yes"]
    assert fitted.profiles_["features"].tolist() == ["rows"]
    entry = {"name": "no twice", "kind": "duplicates", "pattern": "y == 'no'"}
    study = Strategy(corruptions=[entry], strategy="custom", levels=[0, 0.5, 1], n_repeats=1)
    again = study.profiler(Spy()).fit(X, y)
    pd.testing.assert_frame_equal(again.curves_, fitted.curves_)
