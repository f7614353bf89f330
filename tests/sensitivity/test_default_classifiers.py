"""Every family fits whatever table it is given, without a warning."""

import pickle
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from skcorrupt import CorruptMissing, CorruptNoise
from skcorrupt.sensitivity import ErrorSensitivityProfiler, default_classifiers

FAMILIES = [
    "linear SVM",
    "extra trees",
    "random forest",
    "k neighbours",
    "LDA",
    "MLP",
    "logistic regression",
    "naive Bayes",
    "decision tree",
    "QDA",
    "SGD",
    "ridge",
    "AdaBoost",
    *(["XGBoost"] if find_spec("xgboost") else []),
]
CATEGORIES = ["jan", "feb", "mar"]


def mixed_table(n=400):
    """A table with all kinds of columns, gaps in most, and labels that follow from it."""
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, n)
    month = rng.choice(CATEGORIES, n)
    weekend = rng.random(n) < 0.5
    X = pd.DataFrame(
        {
            "age": age,
            "income": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(10, 1, n)),
            "children": pd.array(rng.integers(0, 4, n), dtype="Int64"),
            "month": pd.Series(month).mask(rng.random(n) < 0.1),
            "grade": pd.Categorical(rng.choice(["low", "high"], n)),
            "weekend": weekend,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "id": [f"person {i}" for i in range(n)],
            "constant": 1,
            "copy": age * 2.0,
        }
    )
    X.loc[::9, "children"] = pd.NA
    noise = rng.normal(0, 0.3, n)
    y = np.where((age - 49) / 18 + (month == "jan") - weekend + noise > 0, "yes", "no")
    return X, y


@pytest.fixture(scope="module")
def parts():
    X, y = mixed_table()
    return train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)


def test_the_families_of_the_paper():
    models = default_classifiers()
    assert list(models) == FAMILIES
    assert all(model.steps[0][0] == "prepare" for model in models.values())


@pytest.mark.parametrize("name", FAMILIES)
def test_all_families_learn_from_a_raw_table(parts, name):
    X_train, X_test, y_train, y_test = parts
    model = default_classifiers(random_state=0)[name].fit(X_train, y_train)
    assert set(model.classes_) == {"no", "yes"}
    assert balanced_accuracy_score(y_test, model.predict(X_test)) > 0.7


@pytest.mark.parametrize("name", FAMILIES)
def test_corrupted_training_data_and_clean_test_data(parts, name):
    X_train, X_test, y_train, _ = parts
    columns = ["age", "month", "grade", "weekend"]
    missing = CorruptMissing(columns=columns, rate=0.5, random_state=0)
    struck, y, _ = missing.fit(X_train, y_train).corrupt(X_train, y_train)
    noise = CorruptNoise(columns=["income"], rate=0.5, scale=100.0, random_state=0)
    struck, y, _ = noise.fit(struck, y).corrupt(struck, y)
    assert struck["weekend"].dtype == object and struck["age"].isna().any()
    model = default_classifiers(random_state=0)[name].fit(struck, y)
    assert set(model.predict(X_test)) == {"no", "yes"}


@pytest.mark.parametrize("name", FAMILIES)
def test_three_classes_and_more_columns_than_rows(name):
    rng = np.random.default_rng(0)
    y = np.repeat([1, 2, 5], 14)
    X = rng.normal(size=(42, 60))
    X[:, :5] += 2 * y[:, None]
    model = default_classifiers(random_state=0)[name].fit(X, y)
    assert balanced_accuracy_score(y, model.predict(X)) > 0.6


def prepared(X_train, X_test):
    prepare = default_classifiers()["ridge"]["prepare"]
    return prepare.fit(X_train), prepare.transform(X_test)


def test_numbers_are_scaled_and_categories_become_indicators():
    X = pd.DataFrame({"a": [1.0, 3.0, np.nan, 2.0], "b": ["x", None, "y", "x"]})
    _, out = prepared(X, X)
    spread = np.sqrt(0.5)
    np.testing.assert_allclose(out[:, 0], np.array([-1, 1, 0, 0]) / spread)
    assert out[:, 1:].tolist() == [[1, 0], [1, 0], [0, 1], [1, 0]]


def test_indicators_of_a_column_are_limited():
    X = pd.DataFrame({"id": [f"person {i}" for i in range(500)], "a": range(500)})
    assert prepared(X, X)[1].shape == (500, 21)


def test_columns_without_any_value_stay():
    X = pd.DataFrame({"a": [np.nan] * 3, "b": pd.Series([None] * 3, dtype="str"), "c": [1, 2, 3]})
    test = X.assign(a=[1.0, 2.0, np.nan], b=["u", "v", "w"])
    out = prepared(X, test)[1]
    assert np.isfinite(out).all() and out.shape == prepared(X, X)[1].shape


@pytest.mark.parametrize(
    ("train", "test"),
    [
        # as booleans and integers are after some of them went missing
        ([True, None, False, True], [True, False]),
        (["1", "2", None, "2"], [1.0, 2.0]),
        (["1", "2", None, "2"], [1, 2]),
    ],
)
def test_a_category_is_the_same_in_another_dtype(train, test):
    train = pd.DataFrame({"a": pd.Series(train, dtype=object)})
    out = prepared(train, pd.DataFrame({"a": test}))[1]
    assert sorted(out.tolist()) == [[0, 1], [1, 0]]


def test_an_unknown_category_and_a_text_among_numbers_are_no_error():
    train = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "x"]})
    test = pd.DataFrame({"a": pd.Series(["2", "typo", None], dtype=object), "b": ["z", "x", "y"]})
    out = prepared(train, test)[1]
    np.testing.assert_allclose(out, [[0, 0, 0], [0, 1, 0], [0, 0, 1]], atol=1e-12)


def test_all_containers_are_read_alike():
    pl = pytest.importorskip("polars")
    X = pd.DataFrame(
        {"a": [1, 2, 4, 5], "b": ["x", "y", None, "x"], "c": [True, False, True, True]}
    )
    expected = prepared(X, X)[1]
    array = X.to_numpy(dtype=object)
    frame = pl.DataFrame(
        {name: [*X[name].astype(object).where(X[name].notna(), None)] for name in X}
    )
    for table in (array, frame):
        np.testing.assert_array_equal(prepared(table, table)[1], expected)


def test_times_are_numbers():
    X = pd.DataFrame({"t": pd.to_datetime(["2020-01-01", "2020-01-03", None, "2020-01-02"])})
    out = prepared(X, X)[1]
    np.testing.assert_allclose(out.ravel(), np.array([-1, 1, 0, 0]) / np.sqrt(0.5), atol=1e-6)


def test_seeds_are_given_or_left_to_the_profiler(parts):
    X_train, X_test, y_train, _ = parts

    def seeds(random_state):
        models = default_classifiers(random_state=random_state).values()
        params = [model["classify"].get_params() for model in models]
        return [each["random_state"] for each in params if "random_state" in each]

    assert set(seeds(None)) == {None}
    assert seeds(3) == seeds(3) != seeds(4)
    assert len(set(seeds(3))) == len(seeds(3))
    once, again = (
        default_classifiers(random_state=3)["MLP"].fit(X_train, y_train).predict_proba(X_test)
        for _ in range(2)
    )
    np.testing.assert_array_equal(once, again)


@pytest.mark.long
def test_a_model_is_told_by_its_repr_and_can_be_pickled(parts):
    X_train, X_test, y_train, _ = parts
    for model in default_classifiers(random_state=0).values():
        assert " at 0x" not in repr(model) and " object" not in repr(model)
    model = default_classifiers(random_state=0)["naive Bayes"].fit(X_train, y_train)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X_test), model.predict(X_test))


@pytest.mark.long
def test_the_profiler_takes_them_as_they_are():
    X, y = mixed_table(150)
    models = {k: v for k, v in default_classifiers().items() if k in ("LDA", "SGD", "k neighbours")}
    corruptions = [CorruptMissing(columns=["age", "weekend"]), CorruptNoise(columns=["age"])]
    profiler = ErrorSensitivityProfiler(
        models, corruptions=corruptions, levels=(0, 0.8), n_repeats=2, random_state=0
    ).fit(X, y)
    assert (profiler.curves_["error"] == "").all()
    loss = profiler.profiles_.groupby("features")["aepc"].mean()
    assert loss["age"] < 0


def read_shoppers(folder):
    X = pd.read_csv(folder / "online_shoppers" / "online_shoppers_intention.csv", header=None)
    X.columns = [f"x{j}" for j in range(X.shape[1])]
    return X, "x17"


def read_credit(folder):
    path = folder / "south_german_credit" / "SouthGermanCredit.asc"
    return pd.read_csv(path, sep=" "), "credit_risk"


@pytest.mark.parametrize("read", [read_shoppers, read_credit])
def test_real_data(data_dir, read):
    X, label = read(data_dir)
    X = X.sample(800, random_state=0)
    y = X.pop(label)
    X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
    for name, model in default_classifiers(random_state=0).items():
        found = balanced_accuracy_score(y_test, model.fit(X_train, y_train).predict(X_test))
        assert found > 0.55, name


def test_xgboost_takes_any_labels(parts):
    pytest.importorskip("xgboost")
    X_train, X_test, y_train, _ = parts
    model = default_classifiers()["XGBoost"].set_params(classify__random_state=2**32 - 1)
    model.fit(X_train, y_train)
    best = model.classes_[model.predict_proba(X_test).argmax(axis=1)]
    np.testing.assert_array_equal(best, model.predict(X_test))
