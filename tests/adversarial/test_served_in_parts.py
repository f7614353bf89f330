"""Served rows in tables larger than memory: the search finds what it finds in memory."""

import pickle
import shutil

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.dataset as ds
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from skcorrupt import (
    MAR,
    AdversarialCorruptionSearch,
    CorruptCategories,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    CorruptShiftRows,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.checks import MissingShare
from skcorrupt.metrics import make_fairness_scorer, make_row_scorer
from skcorrupt.utils import _held_columns, _held_rows, _sources

N_ROWS = 600
SPACE = SearchSpace(max_conditions=2, n_bins=3)
RESULTS = ("certificate_", "phases_", "alternatives_")


def table(n=N_ROWS):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(17, 90, n),
            "weight": rng.normal(70, 12, n),
            "job": rng.choice(["clerk", "nurse", "smith"], n),
            "owns": rng.random(n) < 0.4,
        }
    )
    signal = frame["age"] / 30 + (frame["job"] == "nurse").cast(int) * 2 - frame["owns"].cast(int)
    signal += pl.Series(rng.normal(size=n))
    rows = pl.arange(0, n)
    return frame.with_columns(
        # some parts have no missing value, so that they would be read as integers by themselves
        age=pl.when(rows > n - 50).then(None).otherwise(pl.col("age")),
        owns=pl.when(rows < 20).then(None).otherwise(pl.col("owns")),
        job=pl.when(rows % 40 == 0).then(None).otherwise(pl.col("job")),
        paid=pl.Series(np.where(signal > signal.median(), "yes", "no")),
    )


def in_pandas(frame):
    """A frame with NaN for what is missing, as a file of values is read by pandas."""
    found = frame.to_pandas()
    # Polars gives None, which is a category to the imputer, where the column is of objects.
    return found.where(found.notna(), np.nan)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_sources, "PART_ROWS", 200)
    monkeypatch.setattr(_held_rows, "FEW_ROWS", 210)


def logistic(frame):
    filled = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder())
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    columns = make_column_transformer((numbers, ["age", "weight"]), (filled, ["job", "owns"]))
    return make_pipeline(columns, LogisticRegression()).fit(frame.drop(columns="paid"), frame.paid)


def boosting(frame):
    columns = make_column_transformer(
        ("passthrough", ["age", "weight"]),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["job", "owns"]),
    )
    model = HistGradientBoostingClassifier(max_iter=8, random_state=0)
    return make_pipeline(columns, model).fit(frame.drop(columns="paid"), frame.paid)


class Light(ClassifierMixin, BaseEstimator):
    """A rule that takes no time."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        signal = X["age"].fillna(40) / 30 + 2 * (X["job"] == "nurse") - (X["owns"] == True)  # noqa: E712
        return self.classes_[(signal + X["weight"].fillna(0) / 50 > 3.9).to_numpy().astype(int)]


@pytest.fixture(scope="module")
def models():
    frame = in_pandas(table())
    light = Light().fit(frame, frame.paid)
    return {
        "logistic": FrozenEstimator(logistic(frame)),
        "boosting": boosting(frame),
        "light": light,
    }


def folder(path, frame, cuts):
    """The frame in files that end at some rows."""
    path.mkdir()
    for i, (first, last) in enumerate(zip([0, *cuts], [*cuts, frame.height], strict=True)):
        frame[first:last].write_parquet(path / f"f{i}.parquet", row_group_size=130)
    return path


def search_of(model, corruption="missing", **params):
    given = {"space": SPACE, "confirm_size": None, "random_state": 0, "budget": 0.1, **params}
    return AdversarialCorruptionSearch(model, corruption, apply_to="test", **given)


def assert_same(found, expected):
    assert found.worst_score_ == expected.worst_score_ < expected.baseline_score_
    assert found.baseline_score_ == expected.baseline_score_
    assert repr(found.worst_corruption_) == repr(expected.worst_corruption_)
    assert found.random_score_ == expected.random_score_
    assert found.summary() == expected.summary()
    for name in RESULTS:
        pair = [getattr(each, name).copy() for each in (found, expected)]
        pd.testing.assert_frame_equal(
            *(each.drop(columns="corruption", errors="ignore") for each in pair)
        )


@pytest.mark.parametrize(
    ("model", "scoring"),
    [
        ("logistic", "accuracy"),
        ("logistic", "neg_log_loss"),
        pytest.param("logistic", None, marks=pytest.mark.slow),
        ("logistic", "roc_auc"),
        ("logistic", make_row_scorer(lambda y, p: (y != p) * (1.0 + 4 * (y == "yes")))),
        (
            "logistic",
            make_fairness_scorer(
                "spd", sensitive_features="job", privileged="clerk", pos_label="yes"
            ),
        ),
        pytest.param("boosting", "accuracy", marks=pytest.mark.slow),
        ("boosting", "balanced_accuracy"),
    ],
)
def test_the_worst_is_that_of_a_table_in_memory(models, tmp_path, model, scoring):
    frame = in_pandas(table())
    search = search_of(models[model], scoring=scoring)
    expected = search.fit(frame.drop(columns="paid"), frame.paid)
    source = folder(tmp_path / "rows", table(), [250])
    found = search_of(models[model], scoring=scoring).fit(source, "paid")
    assert_same(found, expected)


@pytest.mark.parametrize(
    "cuts",
    [
        [3, 300, 301, 599],
        [200, 200, 400],
        pytest.param([], marks=pytest.mark.slow),
        pytest.param([1], marks=pytest.mark.slow),
    ],
)
def test_the_same_however_the_table_is_cut(models, tmp_path, cuts):
    frame = in_pandas(table())
    expected = search_of(models["light"]).fit(frame.drop(columns="paid"), frame.paid)
    found = search_of(models["light"]).fit(folder(tmp_path / "rows", table(), cuts), "paid")
    assert_same(found, expected)


def sources(frame, path):
    import dask.dataframe as dd

    return {
        "one file": folder(path, frame, []) / "f0.parquet",
        "glob": str(path / "*.parquet"),
        "data set": ds.dataset(path),
        "Arrow table": frame.to_arrow(),
        "Dask frame": dd.from_pandas(frame.to_pandas(), npartitions=4),
    }


@pytest.mark.long
def test_the_same_for_every_engine(models, tmp_path):
    # of columns of objects Dask makes texts
    rows = table().with_columns(pl.col("owns").fill_null(False))
    frame = in_pandas(rows)
    expected = search_of(models["light"]).fit(frame.drop(columns="paid"), frame.paid)
    for source in sources(rows, tmp_path / "rows").values():
        assert_same(search_of(models["light"]).fit(source, "paid"), expected)


@pytest.mark.long
def test_models_of_polars_frames_get_those_of_a_lazy_frame():
    def numbers(X):
        assert isinstance(X, pl.DataFrame)
        return X.select(pl.col("age").fill_null(40), pl.col("job").eq("nurse").fill_null(False))

    frame = table()
    X, y = frame.drop("paid"), frame["paid"]
    model = make_pipeline(FunctionTransformer(numbers), LogisticRegression()).fit(X, y)
    expected = search_of(model).fit(X, y)
    assert_same(search_of(model).fit(frame.lazy(), "paid"), expected)


@pytest.mark.parametrize(
    "corruption",
    [
        CorruptScale(factor=1.7),
        CorruptNoise(["weight"], pattern="age >= 30"),
        pytest.param(CorruptCategories("job"), marks=pytest.mark.slow),
        pytest.param(CorruptShiftRows("job"), marks=pytest.mark.slow),
        CorruptMissing("job", rate=0.5),
    ],
)
def test_other_kinds_of_error(models, corruption):
    assert_same_curves(models["light"], corruption)


@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_several_kinds_of_error(models):
    # patterns of two conditions are those of each kind alone
    space = SearchSpace(max_conditions=1, n_bins=3)
    assert_same_curves(models["light"], ["missing", "scale", "selection"], space=space)


def assert_same_curves(model, corruption, **params):
    frame = table()
    search = search_of(model, corruption, budget=[0.1, 0.3], **params)
    pandas = in_pandas(frame)
    expected = search.fit(pandas.drop(columns="paid"), pandas.paid)
    found = search_of(model, corruption, budget=[0.1, 0.3], **params)
    found.fit(frame.to_arrow(), "paid")
    assert_same(found, expected)
    pd.testing.assert_frame_equal(
        found.budget_curve_.drop(columns="corruption"),
        expected.budget_curve_.drop(columns="corruption"),
    )


@pytest.mark.slow
def test_regression_and_columns_with_more_values_than_are_told_apart(monkeypatch):
    monkeypatch.setattr(_held_columns, "MOST_LEVELS", 64)
    frame = table().with_columns(paid=pl.col("weight") * 2 + pl.col("age").fill_null(0))
    pandas = in_pandas(frame)
    X, y = pandas.drop(columns="paid"), pandas.paid
    columns = make_column_transformer((SimpleImputer(), ["age", "weight"]))
    model = make_pipeline(columns, LinearRegression()).fit(X, y)
    for scoring in ("r2", "neg_root_mean_squared_error"):
        expected = search_of(model, scoring=scoring).fit(X, y)
        assert_same(search_of(model, scoring=scoring).fit(frame.to_arrow(), "paid"), expected)


@pytest.mark.long
def test_without_labels_changed_predictions_count(models):
    frame = in_pandas(table()).drop(columns="paid")
    expected = search_of(models["boosting"]).fit(frame)
    assert_same(search_of(models["boosting"]).fit(table().drop("paid").to_arrow()), expected)


@pytest.mark.slow
def test_rows_set_aside_confirm_the_same(models, tmp_path):
    frame = in_pandas(table())
    params = {"confirm_size": 0.25, "budget": [0.05, 0.1]}
    expected = search_of(models["light"], **params)
    expected.fit(frame.drop(columns="paid"), frame.paid)
    found = search_of(models["light"], n_jobs=2, **params)
    found.fit(folder(tmp_path / "rows", table(), [250]), "paid")
    assert_same(found, expected)
    assert found.confirmed_interval_ == expected.confirmed_interval_
    assert found.confirmed_score_ == expected.confirmed_score_ < found.confirmed_baseline_score_
    own = table(300)
    rows = in_pandas(own).drop(columns="paid"), own["paid"].to_numpy()
    assert found.confirm(*rows).confirmed_score_ == expected.confirm(*rows).confirmed_score_


def test_the_plan_counts_as_in_memory(models):
    frame = in_pandas(table())
    plan = search_of(models["light"]).plan(frame.drop(columns="paid"), frame.paid)
    found = search_of(models["light"]).plan(table().to_arrow(), "paid")
    assert found.n_evaluations == plan.n_evaluations


def test_only_the_columns_that_are_named_are_held(models, monkeypatch):
    asked = []
    hold = _held_rows.PartedTable.hold

    def noted(self, names):
        asked.append([*names])
        hold(self, names)

    monkeypatch.setattr(_held_rows.PartedTable, "hold", noted)
    frame = in_pandas(table())
    space = SearchSpace(corrupt_columns=["job"], pattern_columns=["weight"], max_conditions=1)
    expected = search_of(models["light"], space=space)
    expected.fit(frame.drop(columns="paid"), frame.paid)
    found = search_of(models["light"], space=space).fit(table().to_arrow(), "paid")
    assert_same(found, expected)
    assert asked == [["weight", "job", "paid"]]


def test_results_outlive_the_table(models, tmp_path):
    source = folder(tmp_path / "rows", table(), [250])
    search = search_of(models["light"]).fit(source, "paid")
    again = pickle.loads(pickle.dumps(search))
    assert again.summary() == search.summary()
    assert again.drop_data().summary() == search.summary()


class Reading:
    """A data set that fails, or gives other rows, from some pass on."""

    def __init__(self, path, turn):
        self.given, self.turn, self.n_passes = ds.dataset(path), turn, 0
        self.schema = self.given.schema

    def make(self):
        def open_batches(columns):
            if not columns:
                return self.schema
            self.n_passes += 1
            batches = self.given.to_batches(columns=columns, batch_size=150)
            return self.turn(self.n_passes, list(batches))

        return _sources.ArrowBatches("X, an Arrow Dataset", open_batches, ordered=True)


def test_a_part_that_fails_to_read_is_no_fault_of_the_model(models, tmp_path):
    source = folder(tmp_path / "rows", table(), [250])
    data = (source / "f1.parquet").read_bytes()
    (source / "f1.parquet").write_bytes(data[:40] + bytes(1200) + data[1240:])
    with pytest.raises(ValueError, match=r"f1\.parquet cannot be read"):
        search_of(models["light"]).fit(source, "paid")

    def fails(n, batches):
        if n == 4:
            raise OSError("the disk is gone")
        return batches

    shutil.copytree(folder(tmp_path / "others", table(), [250]), tmp_path / "sound")
    said = r"an Arrow Dataset cannot be read \(OSError: the disk is gone\); write it to Parquet"
    with pytest.raises(ValueError, match=said):
        search_of(models["light"]).fit(Reading(tmp_path / "sound", fails).make(), "paid")


def test_rows_in_another_order_are_noticed(models, tmp_path):
    path = folder(tmp_path / "rows", table(), [250])
    source = Reading(path, lambda n, batches: batches[:: -1 if n == 3 else 1]).make()
    with pytest.raises(ValueError, match="rows in another order"):
        search_of(models["light"]).fit(source, "paid")
    lost = Reading(path, lambda n, batches: batches[: -1 if n == 3 else None]).make()
    with pytest.raises(ValueError, match=r"gave 600 rows .* and .* now"):
        search_of(models["light"]).fit(lost, "paid")


@pytest.mark.filterwarnings("ignore:scoring=.* is a function of yours")
@pytest.mark.parametrize(
    ("params", "y", "message"),
    [
        ({}, "wage", r"y='wage' should be the name of the column of labels"),
        ({}, np.zeros(N_ROWS), "should be the name of the column of labels"),
        ({}, None, "scoring='accuracy' needs labels"),
        ({"checks": [MissingShare()]}, "paid", "checks watch batches .* sample"),
        ({"journal": "x.sqlite"}, "paid", "journal='x.sqlite'"),
        (
            {"scoring": lambda model, X, y: float(np.mean(model.predict(X) == y))},
            "paid",
            "make_row",
        ),
        ({"corruption": CorruptMissing(mechanism=MAR("age"))}, "paid", "'missing'.*mechanism"),
        (
            {"corruption": CorruptNoise("age"), "scoring": "roc_auc"},
            "paid",
            "values of errors are drawn",
        ),
    ],
)
def test_what_needs_the_table_in_memory_is_refused(models, params, y, message):
    model = models["logistic" if params.get("scoring") == "roc_auc" else "light"]
    search = search_of(model, **{"corruption": "missing", "scoring": "accuracy", **params})
    with pytest.raises(ValueError, match=message):
        search.fit(table().to_arrow(), y)


def test_both_parts_groups_and_empty_tables_are_refused(models):
    source = table().to_arrow()
    search = AdversarialCorruptionSearch(LogisticRegression(), "missing", apply_to="both")
    with pytest.raises(ValueError, match=r"FrozenEstimator.*sample of the rows in memory"):
        search.fit(source, "paid")
    with pytest.raises(ValueError, match="groups: arrays"):
        search_of(models["light"]).fit(source, "paid", groups=np.zeros(N_ROWS))
    with pytest.raises(ValueError, match="has no rows"):
        search_of(models["light"]).fit(table().clear().to_arrow(), "paid")
