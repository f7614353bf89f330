"""Seeds, workers, what is kept in memory, and dirty training data."""

import pickle

import numpy as np
import pandas as pd
import pytest
from imblearn.over_sampling import SMOTE
from imblearn.pipeline import Pipeline as SamplingPipeline
from imblearn.under_sampling import RandomUnderSampler
from joblib import parallel_config
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    PowerTransformer,
    StandardScaler,
)
from sklearn.random_projection import GaussianRandomProjection
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import (
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    SelectionBias,
    StageFairnessAblator,
)
from skcorrupt.evaluation import seeded_clone
from skcorrupt.fairness import _splits, compare_transformers
from skcorrupt.utils import spawn_seeds

TABLES = ["stage_effects_", "global_fairness_", "performance_effects_", "dropped_rows_"]
CV = StratifiedKFold(3, shuffle=True, random_state=0)


def data(n=180, seed=0):
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, n)
    X = pd.DataFrame({"sex": sex, "a": rng.normal(size=n) + sex, "b": rng.normal(size=n)})
    X["c"] = rng.exponential(size=n)
    return X, (X["a"] + X["b"] + rng.normal(size=n) > 0.5).astype(int)


def random_pipeline():
    """Every stage and the model draw from seeds that are not set."""
    prep = ColumnTransformer([("num", StandardScaler(), ["a", "b"])], remainder="passthrough")
    union = FeatureUnion([("pca", PCA(2, svd_solver="randomized")), ("same", "passthrough")])
    tree = DecisionTreeClassifier(max_features=1, max_depth=4)
    return SamplingPipeline(
        [("prep", prep), ("rows", RandomUnderSampler()), ("union", union), ("model", tree)]
    )


def ablate(pipeline=None, xy=None, **params):
    X, y = data() if xy is None else xy
    params = {
        "sensitive_features": "sex",
        "privileged": 1,
        "pos_label": 1,
        "cv": CV,
        "random_state": 0,
    } | params
    return StageFairnessAblator(pipeline or random_pipeline(), **params).fit(X, y)


def same(one, other, tables=TABLES):
    for name in tables:
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))
    return True


class TestSeeds:
    @pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
    def test_equal_seeds_give_equal_results(self, seed):
        found = ablate(random_state=seed, noise_floor=True, cv=ShuffleSplit(3))
        again = ablate(random_state=seed, noise_floor=True, cv=ShuffleSplit(3))
        assert same(found, again, [*TABLES, "noise_floor_"])
        # a generator with the seed gives the same twice, too
        rng = [np.random.default_rng(seed) for _ in range(2)]
        assert same(ablate(random_state=rng[0]), ablate(random_state=rng[1]))

    def test_other_seeds_give_other_results(self):
        first, second = (ablate(random_state=s).stage_effects_ for s in (0, 1))
        assert not first["mean"].equals(second["mean"])

    @pytest.mark.many
    @pytest.mark.parametrize("cv", [ShuffleSplit(2), KFold(2, shuffle=True), KFold(2), 2])
    def test_splitters_without_a_seed_are_seeded(self, cv):
        assert same(ablate(cv=cv), ablate(cv=cv))
        if not isinstance(cv, int):
            assert cv.random_state is None

    @pytest.mark.parametrize("fixed", [3, np.int64(3)])
    def test_the_noise_floor_has_other_seeds_where_the_user_set_them(self, fixed):
        pipeline = Pipeline(
            [
                ("projection", GaussianRandomProjection(2, random_state=fixed)),
                ("model", DecisionTreeClassifier(max_features=1, random_state=fixed)),
            ]
        )
        found = ablate(pipeline, noise_floor=True)
        floor = found.noise_floor_
        assert (floor[["mean_size", "change_rate"]] > 0).all(axis=None)
        # all else has the seeds of the user
        assert same(found, ablate(pipeline, random_state=1))
        assert pipeline.get_params()["projection__random_state"] is fixed
        steady = Pipeline([("scale", StandardScaler()), ("model", GaussianNB())])
        assert (ablate(steady, noise_floor=True).noise_floor_["mean_size"] == 0).all()

    def test_the_global_state_is_left_alone(self):
        before = np.random.get_state()[1].copy()  # noqa: NPY002
        ablate(noise_floor=True)
        assert (np.random.get_state()[1] == before).all()  # noqa: NPY002

    @pytest.mark.parametrize("seed", [-1, "zero", 1.5])
    def test_wrong_seeds_are_named(self, seed):
        with pytest.raises(ValueError, match="random_state="):
            ablate(random_state=seed)

    @pytest.mark.parametrize("backend", ["threading", "loky"])
    def test_workers_make_no_difference(self, backend):
        with parallel_config(backend=backend):
            assert same(ablate(n_jobs=2), ablate())


class Slow(BaseEstimator, TransformerMixin):
    """Counts how often it is fitted."""

    fits: list = []

    def __init__(self, name="", by=1):
        self.name = name
        self.by = by

    def fit(self, X, y=None):
        Slow.fits.append(self.name)
        return self

    def transform(self, X):
        return np.asarray(X, float) * self.by


class TestWhatIsKept:
    @pytest.mark.long
    def test_memory_makes_no_difference(self, monkeypatch, tmp_path):
        expected = ablate(noise_floor=True)
        monkeypatch.setattr(_splits, "CACHE_BYTES", 0)
        found = ablate(noise_floor=True)
        assert same(found, expected)
        assert found.n_fits_ > expected.n_fits_
        # room for some of it only
        monkeypatch.setattr(_splits, "CACHE_BYTES", 12_000)
        some = ablate(noise_floor=True)
        assert same(some, expected)
        assert found.n_fits_ > some.n_fits_ > expected.n_fits_

    def test_a_pipeline_with_memory(self, tmp_path):
        cached = random_pipeline().set_params(memory=str(tmp_path / "cache"))
        assert same(ablate(cached), ablate())
        assert not (tmp_path / "cache").exists()
        assert cached.memory == str(tmp_path / "cache")

    def test_prefixes_are_fitted_once(self):
        """Of m stages in a row the k-th is fitted for the whole and each of the k - 1 before."""
        Slow.fits.clear()
        names = "pqrs"
        steps = [(name, Slow(name)) for name in names]
        ablator = ablate(Pipeline([*steps, ("model", GaussianNB())]))
        counts = {name: Slow.fits.count(name) // 3 for name in names}
        assert counts == {"p": 1, "q": 2, "r": 3, "s": 4}
        assert ablator.n_fits_ == 3 * (10 + 5)

    def test_branches_are_fitted_once(self):
        """A stage of one branch is not fitted anew because of another."""
        Slow.fits.clear()
        left = Pipeline([("p", Slow("p")), ("q", Slow("q"))])
        prep = ColumnTransformer([("left", left, ["a", "b"]), ("right", Slow("r"), ["c"])])
        ablator = ablate(Pipeline([("prep", prep), ("after", Slow("s")), ("model", GaussianNB())]))
        counts = {name: Slow.fits.count(name) // 3 for name in "pqrs"}
        assert counts == {"p": 1, "q": 2, "r": 1, "s": 4}
        assert ablator.n_fits_ == 3 * (8 + 5)

    def test_candidates_of_one_class_are_told_apart(self):
        """Two transformers that differ in a parameter alone do not share results."""
        X, y = data()
        pipeline = Pipeline([("scale", StandardScaler()), ("model", GaussianNB())])
        common = {"sensitive_features": "sex", "privileged": 1, "pos_label": 1, "cv": CV}
        both = compare_transformers(
            pipeline, "scale", X, y, candidates=[Normalizer("l1"), Normalizer("max")], **common
        )
        alone = compare_transformers(
            pipeline, "scale", X, y, candidates=[Normalizer("max")], **common
        )
        gaps = [
            frame.loc[frame["candidate"] == name].set_index("metric").loc["spd", "gap"]
            for frame, name in ((both, "Normalizer-2"), (alone, "Normalizer"))
        ]
        assert gaps[0] == gaps[1]

    @pytest.mark.long
    def test_models_with_other_seeds_do_not_share_random_stages(self):
        X, y = data()
        few = RandomUnderSampler(sampling_strategy={0: 15, 1: 15})
        pipeline = random_pipeline().set_params(rows=few)
        common = {"sensitive_features": "sex", "privileged": 1, "pos_label": 1, "cv": CV}
        models = {"nb": GaussianNB(), "tree": pipeline.named_steps["model"]}
        both, alone = (
            compare_transformers(
                pipeline,
                "union__pca",
                X,
                y,
                candidates=[PCA(1)],
                estimators=chosen,
                random_state=0,
                **common,
            )
            for chosen in (models, {"tree": models["tree"]})
        )
        assert_same_of_model(both, alone, "tree")

    @pytest.mark.long
    def test_models_that_are_pipelines_do_not_share_their_steps(self):
        """Steps of one name in two final pipelines are not one stage."""
        X, y = data()
        models = {
            f"d{d}": make_pipeline(PolynomialFeatures(d, include_bias=False), GaussianNB())
            for d in (1, 3)
        }
        pipeline = Pipeline([("scale", StandardScaler()), ("model", GaussianNB())])
        both, alone = (
            compare_transformers(
                pipeline,
                "scale",
                X,
                y,
                candidates=[MinMaxScaler()],
                estimators=chosen,
                sensitive_features="sex",
                privileged=1,
                pos_label=1,
                cv=CV,
                random_state=0,
            )
            for chosen in (models, {"d3": models["d3"]})
        )
        assert_same_of_model(both, alone, "d3")
        gaps = [both.loc[both["model"] == name, "gap"].to_numpy() for name in models]
        assert (gaps[0] != gaps[1]).any()

    @pytest.mark.many
    @pytest.mark.parametrize("in_place", [False, True])
    @pytest.mark.long
    def test_a_score_that_fits_anew_gets_its_own_data(self, in_place):
        def refitted(model, X, y):
            model = model if in_place else clone(model)
            return model.fit(X, y).score(X, y)

        X, y = data()
        few = RandomUnderSampler(sampling_strategy={0: 15, 1: 15}, random_state=0)
        steps = [("scale", MinMaxScaler()), ("rows", few)]
        pipeline = SamplingPipeline([*steps, ("best", SelectKBest(k=1)), ("nb", GaussianNB())])
        ablator = ablate(pipeline, scoring=refitted)
        assert same(ablator, ablate(pipeline), ["stage_effects_", "dropped_rows_"])
        scores = ablator.performance_effects_
        for path in ("scale", "rows", "best"):
            pairs = []
            for _, test in CV.split(X, y):
                whole, without = (
                    clone(pipeline),
                    clone(pipeline).set_params(**{path: "passthrough"}),
                )
                pairs.append([refitted(p, X.iloc[test], y.iloc[test]) for p in (whole, without)])
            row = scores.set_index("stage").loc[path]
            expected = np.mean(pairs, axis=0).tolist()
            assert row[["with_stage", "without_stage"]].to_list() == pytest.approx(expected)


def assert_same_of_model(both, alone, model):
    """A model is measured as it is without the others, but for what is said over all models."""
    tables = [
        frame[frame["model"] == model].reset_index(drop=True).filter(regex="^(?!.*(p_adj|signif))")
        for frame in (both, alone)
    ]
    assert len(tables[0]) > 0
    pd.testing.assert_frame_equal(*tables)


def test_inputs_are_left_as_they_are():
    X, y = data()
    sex = X.pop("sex")
    X.index = [5] * len(X)
    before = pickle.dumps((X, y, sex))

    class Careless(StandardScaler):
        def fit(self, X, y=None, sample_weight=None):
            X["new"] = 1.0
            X.iloc[0, 0] = 99.0
            return super().fit(X, y)

        def transform(self, X, copy=None):
            X["new"] = 1.0
            X.iloc[:, 0] = 0.0
            return super().transform(X)

    pipeline = Pipeline([("careless", Careless()), ("scale", MinMaxScaler()), ("nb", GaussianNB())])
    ablator = StageFairnessAblator(
        pipeline, sensitive_features=None, privileged=1, pos_label=1, cv=CV
    )
    ablator.fit(X, y, sensitive_features=sex)
    assert pickle.dumps((X, y, sex)) == before
    # without the careless stage the first column is as it was
    columns = {"sensitive_features": None, "privileged": 1, "pos_label": 1, "cv": CV}
    clean = Pipeline([("scale", MinMaxScaler()), ("nb", GaussianNB())])
    expected = StageFairnessAblator(clean, **columns).fit(X, y, sensitive_features=sex)
    levels = [a.global_fairness_.iloc[0] for a in (ablator, expected)]
    assert levels[0]["without_stage"] == levels[1]["with_stage"]


CORRUPTIONS = [
    CorruptNoise(["a"], scale=3.0, rate=0.5),
    CorruptScale(["b"], rate=0.3, when="always"),
    CorruptLabels(rate=0.3, pattern="sex == 0"),
    SelectionBias(rate=0.6, pattern="sex == 0 and y == 1"),
    CorruptDuplicates(rate=0.4, pattern="y == 1"),
    CorruptionProcess(
        [("cells", CorruptNoise(["a"], rate=0.5)), ("labels", CorruptLabels(rate=0.2))]
    ),
]


class TestCorruption:
    @pytest.mark.slow
    @pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda c: type(c).__name__)
    def test_training_data_is_dirty_and_test_data_clean(self, corruption):
        X, y = data()
        pipeline = Pipeline(
            [("scale", StandardScaler()), ("power", PowerTransformer()), ("nb", GaussianNB())]
        )
        ablator = ablate(pipeline, corruption=corruption)
        found = ablator.global_fairness_.set_index(["stage", "metric"])
        seeds = spawn_seeds(0, 3)
        for path in ("scale", "power"):
            pairs = []
            for (train, test), seed in zip(CV.split(X, y), seeds, strict=True):
                # the same dirty rows for the pipeline with the stage and without it
                seeded = seeded_clone(corruption, seed).set_params(random_state=seed)
                if isinstance(corruption, CorruptionProcess):
                    seeded.set_params(cells__random_state=None, labels__random_state=None)
                dirty_X, dirty_y, _ = seeded.fit(X.iloc[train], y.iloc[train]).corrupt(
                    X.iloc[train], y.iloc[train]
                )
                pair = []
                for change in ({}, {path: "passthrough"}):
                    fresh = seeded_clone(pipeline, seed).set_params(**change)
                    guess = fresh.fit(dirty_X, dirty_y).predict(X.iloc[test])
                    sex = X["sex"].iloc[test]
                    pair.append(guess[sex == 0].mean() - guess[sex == 1].mean())
                pairs.append(pair)
            row = found.loc[(path, "spd")]
            expected = np.mean(pairs, axis=0).tolist()
            assert row[["with_stage", "without_stage"]].to_list() == pytest.approx(expected)

    def test_members_of_a_process_strike_rows_of_their_own(self):
        """A cell and a label of one person are not struck together every time."""
        process = CorruptionProcess(
            [("cells", CorruptMissing(["a"], rate=0.5)), ("labels", CorruptLabels(rate=0.5))]
        )
        seen = []

        class Spy(GaussianNB):
            def fit(self, X, y):
                seen.append((np.isnan(np.asarray(X)[:, 1]), np.asarray(y)))
                return super().fit(np.nan_to_num(X), y)

        _, y = data()
        cv = [(np.arange(120), np.arange(120, 180))]
        pipeline = Pipeline([("power", PowerTransformer()), ("model", Spy())])
        ablate(pipeline, corruption=process, cv=cv)
        missing, labels = seen[0]
        flipped = labels != y.to_numpy()[:120]
        assert missing.sum() == flipped.sum() == 60
        assert 15 < (missing & flipped).sum() < 45

    @pytest.mark.parametrize("kind", ["frame", "array"])
    def test_integers_of_test_data_are_floats_where_training_data_has_gaps(self, kind):
        """Some steps refuse to transform another type than they were fitted on."""
        X, y = data()
        X = X[["sex"]].assign(a=(10 * X["a"]).round().astype(int), b=X["b"] > 0, c=X["c"])
        X["b"] = X["b"].astype(int)
        names = ["a", "b"] if kind == "frame" else [1, 2]
        types = []

        class Spy(GaussianNB):
            def predict(self, X):
                types.append(np.asarray(X).dtype)
                return super().predict(X)

        prep = ColumnTransformer([("impute", SimpleImputer(), names)])
        found = ablate(
            Pipeline([("prep", prep), ("model", Spy())]),
            xy=(X if kind == "frame" else X[["sex", "a", "b"]].to_numpy(), y),
            sensitive_features="sex" if kind == "frame" else 0,
            corruption=CorruptMissing(names, rate=0.3),
            references={"prep__impute": SimpleImputer(strategy="constant", fill_value=-99.0)},
        ).stage_effects_
        assert (found["status"] == "ok").all(), found["message"].tolist()
        assert (found["n_splits"] == 3).all()
        assert set(types) == {np.dtype(float)}

    @pytest.mark.long
    def test_the_seed_of_the_corruption_is_replaced(self):
        fixed = CorruptLabels(rate=0.4, random_state=3)
        assert same(ablate(corruption=fixed), ablate(corruption=CorruptLabels(rate=0.4)))
        assert fixed.random_state == 3

    def test_rows_are_followed_through_corruption_and_sampler(self):
        bias = SelectionBias(rate=1.0, pattern="sex == 0 and a < 0")
        ablator = ablate(corruption=bias)
        X, y = data()
        rows = ablator.dropped_rows_.set_index("group")
        for name, sex in (("0", 0), ("1", 1)):
            left = X[(X["sex"] == sex) & ((X["sex"] == 1) | (X["a"] >= 0))].index
            expected = np.mean([np.isin(train, left).sum() for train, _ in CV.split(X, y)])
            assert rows.loc[name, "n_rows"] == expected

    def test_with_a_sampler_and_lists_as_splits(self):
        steps = [("smote", SMOTE(k_neighbors=2)), ("nb", GaussianNB())]
        cv = [(list(map(int, train)), list(map(int, test))) for train, test in CV.split(*data())]
        masks = [(np.isin(np.arange(180), train), test) for train, test in cv]
        common = {"corruption": CorruptDuplicates(rate=0.2)}
        found = [ablate(SamplingPipeline(steps), cv=c, **common) for c in (CV, cv, masks)]
        assert same(*found[:2])
        assert same(*found[1:])

    def test_a_name_is_no_corruption(self):
        with pytest.raises(ValueError, match="'corruption' parameter"):
            ablate(corruption="labels")
