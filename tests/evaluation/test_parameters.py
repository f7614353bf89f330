"""What goes along with X and y: rows of any container, seeds, scorers."""

import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import DBSCAN, KMeans
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import silhouette_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cheap_models import Centroids
from skcorrupt import MNAR, CorruptionProcess, CorruptLabels, CorruptMissing
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import (
    ReplayedEstimator,
    make_splits,
    run_tasks,
    sample_aligned,
    seeded_clone,
    single_scorer,
    take_rows,
)
from skcorrupt.evaluation._parameters import reseeded
from small_searches import small_data

CONTAINERS = {
    "array": np.array,
    "list": list,
    "tuple": tuple,
    "Series": lambda v: pd.Series(v, index=np.arange(len(v))[::-1]),
    "Categorical": pd.Categorical,
    "Index": pd.Index,
    "nullable": lambda v: pd.array(v, dtype="Int64"),
    "frame": lambda v: pd.DataFrame({"v": v}),
    "sparse": lambda v: sparse.csc_matrix(np.array(v)[:, None]),
}


@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
@given(rows=st.lists(st.integers(0, 5), max_size=8))
def test_rows_are_taken_from_any_container(make, rows):
    values = [3, 1, 4, 1, 5, 9]
    taken = take_rows(make(values), np.array(rows, dtype=int))
    dense = taken.toarray() if sparse.issparse(taken) else np.asarray(taken)
    assert dense.ravel().tolist() == [values[i] for i in rows]


def test_rows_of_polars():
    polars = pytest.importorskip("polars")
    rows = np.array([2, 0])
    assert take_rows(polars.Series([5, 6, 7]), rows).to_list() == [7, 5]
    assert take_rows(polars.DataFrame({"v": [5, 6, 7]}), rows)["v"].to_list() == [7, 5]


def test_only_parameters_with_an_entry_a_row_are_cut():
    params = {
        "weights": np.arange(4), "names": ["a", "b", "c", "d"], "text": "four", "none": None,
        "number": 4, "shorter": [1, 2], "mapping": {1: 1, 2: 2, 3: 3, 4: 4},
        "matrix": sparse.csr_matrix(np.eye(4)), "wide": sparse.csr_matrix(np.ones((2, 4))),
    }  # fmt: skip
    cut = sample_aligned(params, np.array([3, 1]), 4)
    np.testing.assert_array_equal(cut["weights"], [3, 1])
    assert cut["names"] == ["d", "b"]
    assert cut["matrix"].shape == (2, 4)
    for name in ("text", "none", "number", "shorter", "mapping", "wide"):
        assert cut[name] is params[name]


def test_unset_random_states_are_seeded_at_every_depth():
    model = make_pipeline(
        CorruptMissing(), RandomForestClassifier(random_state=5), DecisionTreeClassifier()
    )
    first, again, other = (seeded_clone(model, seed) for seed in (0, 0, 1))
    assert first.get_params()["randomforestclassifier__random_state"] == 5
    for name in ("corruptmissing", "decisiontreeclassifier"):
        seed = first.get_params()[f"{name}__random_state"]
        assert isinstance(seed, int)
        assert seed == again.get_params()[f"{name}__random_state"]
        assert seed != other.get_params()[f"{name}__random_state"]
        assert model.get_params()[f"{name}__random_state"] is None
    zero = seeded_clone(DecisionTreeClassifier(random_state=0), 3)
    assert zero.random_state == 0


def split_of(X, y, seed=3):
    [split] = make_splits(X, y, [(np.arange(10), np.arange(10, 20))], [seed])
    return split


def test_copies_for_fits_are_clones_of_one_seed():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    forest = RandomForestClassifier(3, random_state=np.random.RandomState(4))
    scaler = StandardScaler().set_output(transform="pandas")
    with config_context(enable_metadata_routing=True):
        scaler.set_fit_request(sample_weight=True)
    model = make_pipeline(scaler, CorruptMissing(rate=0.1), SimpleImputer(), forest).fit(X, y)
    split = split_of(X, y)
    expected = seeded_clone(model, 3)
    first, second = split.unfitted(model), split.unfitted(model)
    assert [*map(repr, first[:3])] == [*map(repr, expected[:3])]
    assert first[0]._sklearn_output_config == {"transform": "pandas"}
    assert first[0]._metadata_request.fit.requests == {"sample_weight": True}
    assert not hasattr(first[0], "mean_") and hasattr(model[0], "mean_")
    # what one fit does to its copy reaches no other one
    answer = first.fit(X, y).predict_proba(X)
    assert not hasattr(second[0], "mean_")
    np.testing.assert_array_equal(second.fit(X, y).predict_proba(X), answer)
    np.testing.assert_array_equal(expected.fit(X, y).predict_proba(X), answer)
    # another pipeline is another one, and workers get none
    assert type(split.unfitted(Ridge())) is Ridge
    assert pickle.loads(pickle.dumps(split))._seeded is None


def test_what_says_how_it_is_cloned_is_asked():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    frozen = FrozenEstimator(StandardScaler().fit(X))
    model = make_pipeline(frozen, LogisticRegression())
    assert split_of(X, y).unfitted(model)[0] is frozen


def test_callbacks_are_shared_and_not_copied():
    pytest.importorskip("sklearn.callback", reason="scikit-learn has no callbacks before 1.9")
    shared = [threading.Lock()]
    model = make_pipeline(StandardScaler(), LogisticRegression())
    # where scikit-learn puts them
    model[1]._skl_callbacks = shared
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    assert split_of(X, y).unfitted(model)[1]._skl_callbacks is shared


def test_a_single_score_is_asked_for():
    assert single_scorer(Centroids(), "roc_auc") is not None
    with pytest.raises(ValueError, match=r"\['roc_auc', 'f1'\] names several scores"):
        single_scorer(Centroids(), ["roc_auc", "f1"])


class TestSilhouette:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60) + np.repeat([0, 5, 10], 20), "b": rng.random(60)})
    train, test = X[::2], X[1::2]

    def test_clusters_of_test_rows_are_scored(self):
        model = KMeans(3, n_init=1, random_state=0).fit(self.train)
        score = single_scorer(model, "silhouette")(model, self.test, None)
        labels = model.predict(self.test)
        assert score == silhouette_score(self.test, labels)
        # by hand: of each row, how much nearer its own cluster is than the next
        distances = np.linalg.norm(self.test.to_numpy()[:, None] - self.test.to_numpy(), axis=2)
        each = []
        for i, own in enumerate(labels):
            inside = distances[i, labels == own].sum() / ((labels == own).sum() - 1)
            outside = min(distances[i, labels == k].mean() for k in set(labels) - {own})
            each.append((outside - inside) / max(outside, inside))
        assert score == pytest.approx(np.mean(each))

    @pytest.mark.parametrize("nested", [False, True])
    def test_of_a_pipeline_what_the_last_step_sees(self, nested):
        test = self.test.assign(city="Rome")
        test.iloc[3, 0] = np.nan
        encoded = make_column_transformer(
            (make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
            (OneHotEncoder(), ["city"]),
        )
        clusters = KMeans(3, n_init=1, random_state=0)
        corruption = CorruptMissing(["b"], rate=0.5, random_state=0)
        steps = [corruption, encoded, "passthrough"]
        model = make_pipeline(*steps, make_pipeline(clusters) if nested else clusters)
        model.fit(self.train.assign(city="Rome"))
        seen = model[1].transform(test)
        score = single_scorer(model, "silhouette")(model, test, None)
        assert score == silhouette_score(seen, model.predict(test))

    def test_one_cluster_or_as_many_as_rows_have_none(self):
        one, all_rows = KMeans(1).fit(self.train), KMeans(5, n_init=1).fit(self.train[::6])
        assert np.isnan(single_scorer(one, "silhouette")(one, self.test, None))
        assert np.isnan(single_scorer(all_rows, "silhouette")(all_rows, self.train[::6], None))

    @pytest.mark.parametrize(
        ("model", "told"),
        [
            (LogisticRegression(), "is for clusterers, and LogisticRegression predicts labels"),
            (make_pipeline(StandardScaler(), Ridge()), "and Pipeline predicts labels"),
            (DBSCAN(), "and DBSCAN has no predict; use one that has, such as KMeans"),
        ],
    )
    def test_what_is_no_clusterer_is_refused(self, model, told):
        with pytest.raises(ValueError, match=r"scoring='silhouette'") as caught:
            single_scorer(model, "silhouette")
        assert told in str(caught.value)


def test_splits_hold_their_rows_and_parameters():
    X, y = small_data()
    train, test = np.arange(80), np.arange(80, 120)
    (split,) = make_splits(
        X, y, [(train, test)], [4],
        fit_params={"sample_weight": np.arange(120)}, score_params={"w": list(range(120))},
    )  # fmt: skip
    pd.testing.assert_frame_equal(split.X_train, X.iloc[train])
    pd.testing.assert_series_equal(split.y_test, y.iloc[test])
    np.testing.assert_array_equal(split.fit_params["sample_weight"], train)
    assert split.score_params["w"] == test.tolist()
    assert split.seed == 4
    (without,) = make_splits(X, None, [(train, test)], [4])
    assert without.y_train is None


def test_tasks_come_back_in_order_and_are_announced():
    seen = []
    results = run_tasks(pow, [(n, 2) for n in range(6)], done=seen.append)
    assert results == seen == [0, 1, 4, 9, 16, 25]


class OwnScore(LogisticRegression):
    """A classifier whose score is not its accuracy."""

    def score(self, X, y):
        return float(self.predict_proba(X)[np.arange(len(y)), np.asarray(y)].mean())


class TestReplay:
    def setup_method(self):
        X, y = small_data()
        self.model = LogisticRegression().fit(X.iloc[:80], y.iloc[:80])
        self.X, self.y = X.iloc[80:], y.iloc[80:]
        self.rows = np.random.default_rng(0).integers(40, size=40)

    @pytest.mark.parametrize("scoring", [None, "accuracy", "roc_auc", "neg_log_loss", "f1"])
    def test_a_replayed_score_is_the_score(self, scoring):
        scorer = single_scorer(self.model, scoring)
        replay = ReplayedEstimator(self.model, self.X, self.y, {})
        expected = scorer(self.model, self.X.iloc[self.rows], self.y.iloc[self.rows])
        assert replay.score_on(scorer, self.rows) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("scoring", [None, "accuracy"])
    def test_weights_are_resampled(self, scoring):
        weights = np.arange(40.0)
        scorer = single_scorer(self.model, scoring)
        replay = ReplayedEstimator(self.model, self.X, self.y, {"sample_weight": weights})
        expected = scorer(
            self.model, self.X.iloc[self.rows], self.y.iloc[self.rows],
            sample_weight=weights[self.rows],
        )  # fmt: skip
        assert replay.score_on(scorer, self.rows) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("kind", ["category", "string", "object"])
    def test_accuracy_on_labels_of_other_types(self, kind):
        names = self.y.map({0: "no", 1: "yes"}).astype(kind)
        model = LogisticRegression().fit(self.X, np.asarray(names, dtype=object))
        replay = ReplayedEstimator(model, self.X, names, {})
        expected = (model.predict(self.X) == names.astype(object))[self.y.index[self.rows]].mean()
        assert replay.score_on(single_scorer(model, None), self.rows) == expected

    def test_scorers_that_look_at_other_data_get_its_predictions(self):
        def moved(model, X, y):
            return float(np.mean(model.predict(X.assign(b=X.b + 1)) == y))

        replay = ReplayedEstimator(self.model, self.X, self.y, {})
        expected = moved(self.model, self.X.iloc[self.rows], self.y.iloc[self.rows])
        assert replay.score_on(moved, self.rows) == expected

    @pytest.mark.parametrize(
        "make",
        [
            LogisticRegression,
            lambda: make_pipeline(StandardScaler(), LogisticRegression()),
            lambda: GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2, scoring="roc_auc"),
            OwnScore,
        ],
        ids=["plain", "pipeline", "searched", "own score"],
    )
    @pytest.mark.parametrize("frozen", [False, True])
    @pytest.mark.parametrize("moved", [False, True])
    def test_its_own_score_is_that_of_the_rows_it_is_served(self, make, frozen, moved):
        model = make().fit(self.X, self.y)
        model = FrozenEstimator(model) if frozen else model
        # the last rows are lost, where rows move
        kept = np.arange(30 if moved else 40)
        struck = self.X.iloc[kept].assign(a=-3.0)
        rows = self.rows[np.isin(self.rows, kept)]
        replay = ReplayedEstimator(model, self.X, self.y, {}, (struck, kept))
        expected = model.score(struck.iloc[rows], self.y.iloc[rows])
        assert expected != model.score(self.X.iloc[rows], self.y.iloc[rows])
        found = replay.score_on(single_scorer(model, None), self.rows)
        assert found == pytest.approx(expected, abs=1e-12)

    def test_no_score_is_nan(self):
        def fails(model, X, y):
            raise KeyError("group")

        replay = ReplayedEstimator(self.model, self.X, self.y, {})
        assert np.isnan(replay.score_on(fails, self.rows))


class Modelled(CorruptMissing):
    """An error whose parameter could be changed in place."""

    def __init__(self, columns=None, *, model=None, random_state=None):
        super().__init__(columns, random_state=random_state)
        self.model = model


def plain_params(corruption):
    """Parameters in words, but for seeds and what holds others."""
    params = corruption.get_params().items()
    holds = (list, BaseCorruption)
    return {k: repr(v) for k, v in params if "random_state" not in k and not isinstance(v, holds)}


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize(
    "corruption",
    [
        CorruptMissing(["a"], pattern="a > 1", rate=0.3, random_state=5),
        CorruptLabels(pattern={"b": (0, None)}, random_state=np.random.RandomState(3)),
        CorruptMissing(mechanism=MNAR(), rate=0.5),
        Modelled(model=Ridge(), random_state=1),
        CorruptionProcess([("one", CorruptMissing(random_state=1)), ("two", CorruptLabels())]),
    ],
)
def test_another_seed_is_all_that_a_reseeded_error_differs_in(corruption, fitted):
    X, y = small_data()
    corruption = clone(corruption)
    if fitted:
        corruption.fit(X, y)
    before = plain_params(corruption)
    made = reseeded(corruption, 11)
    assert type(made) is type(corruption) and made is not corruption
    assert made.random_state == 11
    assert not hasattr(made, "reference_") and hasattr(corruption, "reference_") == fitted
    assert plain_params(made) == before
    members = [v for k, v in made.get_params().items() if k.endswith("__random_state")]
    assert set(members) <= {None}
    assert getattr(made, "model", None) is None or made.model is not corruption.model
    expected = clone(corruption).set_params(random_state=11)
    expected.set_params(**{k: None for k in expected.get_params() if k.endswith("__random_state")})
    pd.testing.assert_frame_equal(made.corrupt(X, y).X, expected.corrupt(X, y).X)
    pd.testing.assert_series_equal(made.corrupt(X, y).y, expected.corrupt(X, y).y)
    # what is done to the copy does not reach the error
    made.set_params(**dict.fromkeys({"rate", "pattern"} & made.get_params().keys()))
    if isinstance(getattr(made, "columns", None), list):
        made.columns.append("b")
    assert plain_params(corruption) == before


class Counting(CorruptMissing):
    """An error that keeps what is none of its parameters."""

    def fit(self, X, y=None):
        self.n_fits_ = 1
        return super().fit(X, y)


class Seedless(CorruptMissing):
    """An error without a seed of its own."""

    def __init__(self, columns=None):
        super().__init__(columns)


def test_what_is_no_parameter_is_left_behind():
    counted = Counting(["a"])
    counted.n_fits_ = 1
    assert not hasattr(reseeded(counted, 2), "n_fits_")
    with pytest.raises(ValueError, match="random_state"):
        reseeded(Seedless(), 2)
