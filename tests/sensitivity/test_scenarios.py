"""What is struck together, in every kind of table."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import contingency, f_oneway, pearsonr, spearmanr
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score, root_mean_squared_error, silhouette_score
from sklearn.naive_bayes import GaussianNB

from skcorrupt import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptExchange,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
)
from skcorrupt.sensitivity import ErrorSensitivityProfiler
from skcorrupt.sensitivity._groups import association
from training_spy import Spy

pytestmark = pytest.mark.filterwarnings("ignore:With one split:UserWarning")


@pytest.fixture(autouse=True)
def _nothing_seen():
    Spy.seen.clear()
    yield
    Spy.seen.clear()


def profiler(corruptions, estimators=None, **params):
    params = {"levels": (0, 0.3, 0.6), "n_repeats": 1, "random_state": 0} | params
    return ErrorSensitivityProfiler(estimators or Spy(), corruptions=corruptions, **params)


def features(fitted):
    return fitted.profiles_["features"].tolist()


@pytest.fixture
def mixed():
    rng = np.random.default_rng(3)
    n = 80
    X = pd.DataFrame(
        {
            "real": rng.normal(size=n),
            "whole": rng.integers(0, 9, n),
            "kind": pd.Categorical(rng.choice(["x", "y", "z"], n)),
            "flag": rng.random(n) < 0.5,
            "Int": pd.array(rng.integers(0, 9, n), dtype="Int64"),
            "bool": pd.array(rng.random(n) < 0.5, dtype="boolean"),
            "text": rng.choice(["u", "v"], n),
        },
        index=[7] * n,
    )
    for k, name in enumerate(["real", "kind", "Int", "bool", "text"]):
        X.iloc[k, X.columns.get_loc(name)] = None
    return X, pd.Series(rng.integers(0, 2, n), index=X.index)


def n_missing(frame):
    return int(pd.isna(frame).to_numpy().sum())


class TestStrategies:
    def test_one_feature_in_every_kind_of_column(self, mixed):
        X, y = mixed
        fitted = profiler([CorruptNoise(), CorruptMissing(), CorruptScale()]).fit(X, y)
        assert (fitted.curves_["error"] == "").all()
        assert features(fitted) == [*X.columns, *X.columns, "real", "whole", "Int"]
        changed = Spy.seen[1:3][1][0]
        clean = Spy.seen[0][0]
        assert list(changed.columns) == list(X.columns)
        pd.testing.assert_frame_equal(changed.drop(columns="real"), clean.drop(columns="real"))

    def test_only_named_columns_are_struck(self, mixed):
        fitted = profiler([CorruptNoise("real"), CorruptMissing(["text", "flag"])]).fit(*mixed)
        assert features(fitted) == ["real", "text", "flag"]

    def test_nothing_is_studied_in_a_column_without_a_value_unless_it_is_named(self, mixed):
        """It would count as an error that changes nothing, in adjusted p-values too."""
        X, y = mixed
        X = X.assign(empty=np.nan)
        with pytest.warns(UserWarning, match="X has no value in 'empty', which errors"):
            fitted = profiler([CorruptNoise(), CorruptMissing("real")]).fit(X, y)
        assert features(fitted) == [*X.columns.drop("empty"), "real"]
        with pytest.warns(UserWarning, match=r"the cells of \['empty'\] .* kept their values"):
            named = profiler(CorruptSentinel(["real", "empty"])).fit(X, y)
        assert features(named) == ["real", "empty"]
        with pytest.raises(ValueError, match="gives no scenario"), pytest.warns(UserWarning):
            profiler(CorruptNoise()).fit(X[["empty"]], y)

    def test_errors_of_labels_and_rows_count_once(self, mixed):
        errors = [CorruptLabels(), CorruptDuplicates(pattern="y == 1"), CorruptNoise("real")]
        for strategy in ("one-feature", "custom"):
            fitted = profiler(errors, strategy=strategy).fit(*mixed)
            assert features(fitted) == ["rows", "rows", "real"]
        y_clean, y_flipped, y_more = (np.asarray(Spy.seen[k][1]) for k in (0, 1, 3))
        assert (y_clean != y_flipped).sum() == round(0.3 * len(y_clean))
        assert len(y_more) == len(y_clean) + round(0.3 * (y_clean == 1).sum())
        assert (y_more[len(y_clean) :] == 1).all()

    def test_custom_strikes_several_columns_on_the_same_rows(self, mixed):
        X, y = mixed
        X = X.fillna({"real": 0.0, "Int": 0})
        error = CorruptMissing(["real", "Int"], pattern="whole >= 4 and y == 1")
        fitted = profiler(error, strategy="custom").fit(X, y)
        assert features(fitted) == ["real + Int"]
        clean, low, high = (frame.reset_index(drop=True) for frame, _ in Spy.seen)
        could = (clean["whole"] >= 4).to_numpy() & (np.asarray(Spy.seen[0][1]) == 1)
        for level, frame in ((0.3, low), (0.6, high)):
            struck = frame["real"].isna().to_numpy()
            assert (struck == frame["Int"].isna().to_numpy()).all()
            assert struck.sum() == np.floor(level * could.sum() + 0.5) and could[struck].all()
        assert low["real"].isna()[high["real"].isna()].sum() == low["real"].isna().sum()

    def test_what_tells_the_order_of_rows_is_not_struck_unless_it_is_named(self, mixed):
        stuck, shift = CorruptStuck(order="real", group="kind"), CorruptShiftRows(["whole"])
        fitted = profiler([stuck, shift]).fit(*mixed)
        assert features(fitted) == ["whole", "flag", "Int", "bool", "text", "whole"]

    def test_an_exchange_takes_two_columns_of_a_kind_or_all_that_have_another(self, mixed):
        X, y = mixed
        fitted = profiler(CorruptExchange()).fit(X, y)
        pairs = ["real + whole", "real + Int", "whole + Int", "kind + text", "flag + bool"]
        assert features(fitted) == pairs
        named = CorruptExchange(["text", "whole", "real"])
        assert features(profiler(named).fit(X, y)) == ["real + whole"]
        lonely = X.rename(columns={"kind": "Kind"}).drop(columns="text")
        fitted = profiler(CorruptExchange(), strategy="custom").fit(lonely, y)
        assert features(fitted) == ["real + whole + Int + flag + bool"]
        words = X["kind"].map({"x": "p", "y": "q", "z": "r"}).astype(object)
        twins = X.assign(copy=2 * X["whole"], word=words)
        fitted = profiler(CorruptExchange(), strategy="correlated").fit(twins, y)
        assert features(fitted) == ["whole + copy", "kind + word"]

    def test_a_process_gets_the_rate_in_all_members(self, mixed):
        X, y = mixed
        error = CorruptionProcess(
            [("lost", CorruptMissing("whole", rate=0.01)), ("flipped", CorruptLabels())]
        )
        profiler(error).fit(X, y)
        clean, low, high = Spy.seen
        for level, (frame, labels) in ((0.3, low), (0.6, high)):
            n = np.floor(level * len(frame) + 0.5)
            assert pd.isna(frame["whole"]).sum() == n
            assert (np.asarray(labels) != np.asarray(clean[1])).sum() == n

    def test_a_process_is_of_the_columns_that_its_members_strike(self, mixed):
        X, y = mixed
        lost, noisy = CorruptMissing(["text", "whole"]), CorruptNoise("real")
        errors = {
            "several": CorruptionProcess([("lost", lost), ("noisy", noisy)]),
            "all": CorruptionProcess([("scale", CorruptScale())]),
            "labels too": CorruptionProcess([("noisy", noisy), ("flipped", CorruptLabels())]),
            "twice": CorruptionProcess([("lost", lost), ("twice", CorruptDuplicates())]),
        }
        expected = ["text + whole + real", "real + whole + Int", "rows", "rows"]
        for strategy in ("one-feature", "custom"):
            assert features(profiler(errors, strategy=strategy).fit(X, y)) == expected
        with pytest.raises(TypeError, match="should be a pair of a name and a corruption"):
            profiler(CorruptionProcess([noisy])).plan(X, y)

    def test_names(self, mixed):
        errors = [CorruptNoise("real"), CorruptNoise("whole"), CorruptLabels()]
        found = profiler(errors).fit(*mixed).profiles_["corruption"].tolist()
        assert found == ["noise", "noise-2", "labels"]
        named = profiler({"small": CorruptNoise("real"), "large": CorruptNoise("real", scale=5)})
        assert named.fit(*mixed).profiles_["corruption"].tolist() == ["small", "large"]

    def test_a_column_called_rows_is_a_column(self):
        X = pd.DataFrame({"rows": np.arange(40.0), "b": np.arange(40.0) % 7})
        fitted = profiler([CorruptNoise(), CorruptLabels()], GaussianNB()).fit(X, np.arange(40) % 2)
        found = fitted.cleaning_priorities()
        assert set(found["feature"]) == {"rows", "b"} and set(found["corruption"]) == {"noise"}
        noise = fitted.profiles_.set_index(["corruption", "features"])["aepc"]["noise"]
        assert (found.set_index("feature")["loss"] + noise == 0).all()

    def test_a_column_called_as_two_together_is_one(self):
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.normal(size=(80, 3)), columns=["a", "b", "a + b"])
        errors = {"both": CorruptNoise(["a", "b"], scale=3.0), "one": CorruptNoise("a + b")}
        fitted = profiler(errors, GaussianNB(), strategy="custom").fit(X, (X["a"] > 0).astype(int))
        [row] = fitted.cleaning_priorities().to_dict("records")
        assert (row["feature"], row["corruption"]) == ("a + b", "one")
        assert row["loss"] == -fitted.profiles_.set_index("corruption")["aepc"]["one"]

    @pytest.mark.parametrize("strategy", ["one-feature", "custom", "correlated"])
    def test_no_scenario(self, strategy):
        X = pd.DataFrame({"a": ["u", "v"] * 20, "b": ["u", "u", "v", "v"] * 10})
        with pytest.raises(ValueError, match="gives no scenario"):
            profiler(CorruptScale(), strategy=strategy).fit(X, [0, 1] * 20)

    def test_errors_without_a_scenario_are_named(self):
        X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])
        y = [0, 1] * 30
        errors = {"noise": CorruptNoise(), "typos": CorruptCategories(kind="typo")}
        with pytest.warns(
            UserWarning, match="corruptions: typos applies to no column of X"
        ) as seen:
            assert profiler(errors).plan(X, y).n_scenarios == 2
        assert len(seen) == 1 and seen[0].filename == __file__
        with pytest.raises(ValueError, match="gives no scenario: typos applies to no column"):
            profiler({"typos": CorruptCategories(kind="typo")}).plan(X, y)
        only = CorruptionProcess([("typos", CorruptCategories(kind="typo"))])
        with pytest.warns(UserWarning, match="corruptions: process applies to no column"):
            assert profiler({"noise": CorruptNoise(), "process": only}).plan(X, y).n_scenarios == 2
        alone = profiler({"labels": CorruptLabels(), "noise": CorruptNoise()})
        alone.set_params(strategy="correlated")
        told = "noise applies to no columns that go together at correlation_threshold=0.8; lower it"
        with pytest.warns(UserWarning, match=told):
            assert alone.plan(X, y).n_scenarios == 1

    def test_mistakes(self, mixed):
        X, y = mixed
        with pytest.raises(ValueError, match=r"corruptions=\[\] has none"):
            profiler([]).fit(X, y)
        with pytest.raises(TypeError, match=r"corruptions: GaussianNB=.* should be one of"):
            profiler([GaussianNB()]).fit(X, y)
        with pytest.raises(ValueError, match="no column 'reel'"):
            profiler(CorruptNoise("reel")).fit(X, y)
        with pytest.raises(ValueError, match="several columns of the same name"):
            profiler(CorruptNoise()).fit(X.set_axis(list("aabcdef"), axis=1), y)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            profiler(CorruptNoise()).fit(X, y[:-1])


def corrected_cramers_v(counts):
    """Bergsma (2013), with chi2 by scipy."""
    n, (r, k) = counts.sum(), counts.shape
    chi2 = contingency.chi2_contingency(counts, correction=False).statistic
    phi2 = max(0, chi2 / n - (k - 1) * (r - 1) / (n - 1))
    r, k = r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)
    return np.sqrt(phi2 / min(k - 1, r - 1))


class TestCorrelated:
    @pytest.fixture
    def table(self):
        rng = np.random.default_rng(1)
        n = 200
        base = rng.normal(size=n)
        group = rng.integers(0, 3, n)
        return pd.DataFrame(
            {
                "a": base,
                "idle": rng.normal(size=n),
                "exp": np.exp(4 * base),
                "near": base + 0.2 * rng.normal(size=n),
                "team": np.array(["r", "g", "b"])[group],
                "code": np.array(["k", "l", "m"])[np.where(rng.random(n) < 0.05, 0, group)],
                "pay": 5.0 * group + rng.normal(size=n),
                "name": [f"n{k}" for k in range(n)],
                "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 999, n), "D"),
            }
        )

    def test_against_scipy(self, table):
        found = pd.DataFrame(association(table), table.columns, table.columns)
        a, e = table["a"], table["exp"]
        assert found.loc["a", "exp"] == pytest.approx(spearmanr(a, e).statistic)
        expected = max(abs(f(a, table["near"]).statistic) for f in (pearsonr, spearmanr))
        assert found.loc["a", "near"] == pytest.approx(expected)
        counts = pd.crosstab(table["team"], table["code"]).to_numpy()
        expected = corrected_cramers_v(counts)
        assert found.loc["team", "code"] == pytest.approx(expected)
        parts = [part.to_numpy() for _, part in table.groupby("team")["pay"]]
        # epsilon squared by way of F, with k - 1 and n - k degrees of freedom
        f, k = f_oneway(*parts).statistic, len(parts)
        expected = np.sqrt((f - 1) / (f + (len(table) - k) / (k - 1)))
        assert found.loc["team", "pay"] == pytest.approx(expected)
        assert (found == found.T).all(axis=None) and (np.diag(found) == 1).all()

    def test_names_and_times_go_with_nothing_by_chance(self, table):
        found = pd.DataFrame(association(table), table.columns, table.columns)
        assert (found["name"].drop("name") == 0).all()
        assert (found["when"].drop("when") < 0.3).all()

    @pytest.mark.parametrize("seed", range(5))
    def test_many_categories_go_with_nothing_by_chance(self, seed):
        rng = np.random.default_rng(seed)
        names = np.array([f"n{k}" for k in range(200)])
        X = pd.DataFrame(
            {
                "number": rng.normal(size=200),
                "nearly unique": [*names[:199], names[0]],
                "twice": rng.permutation(np.tile(names[:100], 2)),
                "other": rng.permutation(np.tile(names[:100], 2)),
                "city": rng.choice(names[:30], 200),
                "sex": rng.choice(["f", "m"], 200),
            }
        )
        assert association(X)[~np.eye(6, dtype=bool)].max() < 0.6
        with pytest.raises(ValueError, match="no columns that go together"):
            profiler(CorruptMissing(), strategy="correlated").plan(X, rng.integers(0, 2, 200))

    def test_what_tells_the_other_is_associated_to_1(self):
        kinds = np.arange(200) % 60
        X = pd.DataFrame({"id": kinds, "name": [f"n{k}" for k in kinds], "no": kinds.max() - kinds})
        X["town"] = "t" + X["name"]
        assert association(X) == pytest.approx(np.ones((4, 4)))

    def test_few_rows_say_nothing(self):
        X = pd.DataFrame({"a": np.arange(40.0), "b": np.arange(40.0) * 2, "c": ["u", "v"] * 20})
        X.loc[9:, "a"] = np.nan
        assert association(X)[0].tolist() == [1, 0, 0]
        X.loc[9, "a"] = 9.0
        assert association(X)[0, 1] == pytest.approx(1.0)

    def test_missing_values_are_left_out_pair_by_pair(self, table):
        rng = np.random.default_rng(0)
        table = table[["a", "exp", "near"]].round(1)
        table = table.mask(rng.random(table.shape) < 0.2)
        found = association(table)
        for i, one in enumerate(table):
            for j, other in enumerate(table):
                both = table[[one, other]].dropna() if i != j else table[[one]].dropna()
                x, y = both[one], both[other]
                expected = max(abs(f(x, y).statistic) for f in (pearsonr, spearmanr))
                assert found[i, j] == pytest.approx(expected)

    def test_missing_and_constant_columns(self, table):
        table = table[["a", "near"]].assign(constant=1.0)
        table.loc[:20, "a"] = np.nan
        found = association(table)
        assert found[0, 1] > 0.9 and not np.isnan(found).any() and not found[2, :2].any()

    def test_groups_are_struck_together(self, table):
        y = [0, 1] * 100
        fitted = profiler(CorruptMissing(), strategy="correlated", correlation_threshold=0.8)
        assert features(fitted.fit(table, y)) == ["a + exp + near", "team + code + pay"]
        for frame, _ in Spy.seen[1:3]:
            assert (frame["a"].isna() == frame["near"].isna()).all()
            assert n_missing(frame) == 3 * frame["a"].isna().sum()
        only = profiler(CorruptMissing(["pay", "team", "a"]), strategy="correlated").fit(table, y)
        assert features(only) == ["team + pay"]

    def test_what_no_error_strikes_joins_nothing(self, table):
        """a and far go together only through near."""
        rng = np.random.default_rng(4)
        X = table[["a", "near"]].assign(far=table["near"] + 0.2 * rng.normal(size=200))
        found = pd.DataFrame(association(X), X.columns, X.columns)
        cut = (found.loc["a", "far"] + min(found.loc["near", ["a", "far"]])) / 2
        for columns, expected in ((None, ["a + near + far"]), (["a", "far"], None)):
            make = profiler(CorruptNoise(columns), strategy="correlated", correlation_threshold=cut)
            if expected is None:
                with pytest.raises(ValueError, match="noise applies to no columns that go"):
                    make.plan(X, [0, 1] * 100)
            else:
                assert features(make.fit(X, [0, 1] * 100)) == expected

    def test_copies_at_the_highest_threshold(self, table):
        table = table[["a", "idle"]].assign(copy=table["a"] * 3.3 + 0.1)
        fitted = profiler(CorruptNoise(), strategy="correlated", correlation_threshold=1.0)
        assert features(fitted.fit(table, [0, 1] * 100)) == ["a + copy"]


class TestContainers:
    def test_arrays(self):
        X = np.random.default_rng(0).normal(size=(60, 2))
        kept = X.copy()
        fitted = profiler(CorruptOutliers(), GaussianNB(), n_repeats=2).fit(X, X[:, 0] > 0)
        assert features(fitted) == ["x0", "x1"] and fitted.curves_["score"].notna().all()
        assert not hasattr(fitted, "feature_names_in_") and fitted.n_features_in_ == 2
        np.testing.assert_array_equal(X, kept)
        lists = profiler(CorruptOutliers(), GaussianNB(), n_repeats=2)
        lists.fit(X.tolist(), (X[:, 0] > 0).tolist())
        pd.testing.assert_frame_equal(lists.curves_, fitted.curves_)

    def test_polars(self):
        pl = pytest.importorskip("polars")
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
        y = (X["a"] > 0).astype(int)
        fitted = profiler(CorruptNoise(), GaussianNB(), n_repeats=2).fit(X, y)
        other = profiler(CorruptNoise(), GaussianNB(), n_repeats=2)
        other.fit(pl.from_pandas(X), pl.Series("y", y.to_numpy()))
        pd.testing.assert_frame_equal(other.curves_, fitted.curves_)
        pd.testing.assert_frame_equal(other.cleaning_priorities(), fitted.cleaning_priorities())
        profiler(CorruptNoise()).fit(pl.from_pandas(X), pl.Series("y", y.to_numpy()))
        assert all(isinstance(frame, pl.DataFrame) for frame, _ in Spy.seen)

    @pytest.mark.parametrize("kind", ["Int64", "boolean", "category", "str"])
    def test_labels(self, kind):
        X = pd.DataFrame({"a": np.arange(60.0)})
        y = pd.Series(np.arange(60) % 2 == 0).astype(kind)
        fitted = profiler([CorruptNoise(), CorruptLabels()]).fit(X, y)
        assert (fitted.curves_["error"] == "").all()

    def test_clusters_without_labels(self):
        rng = np.random.default_rng(0)
        X = np.r_[rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 9]
        fitted = profiler(CorruptNoise(), KMeans(2, n_init=5), scoring=silhouette, n_repeats=3).fit(
            X
        )
        frame = fitted.curves_
        assert (frame["error"] == "").all() and (frame[frame["level"] == 0]["score"] > 0.7).all()
        assert set(fitted.cleaning_priorities()["feature"]) == {"x0", "x1"}


def silhouette(model, X, y=None):
    return silhouette_score(X, model.predict(X))


def test_regression():
    X = pd.DataFrame(np.random.default_rng(7).normal(size=(100, 2)), columns=["a", "b"])
    y = 3 * X["a"] + 1
    for scoring, metric in (
        ("neg_root_mean_squared_error", lambda t, p: -root_mean_squared_error(t, p)),
        (None, r2_score),
    ):
        fitted = profiler(CorruptNoise("a", scale=2.0), LinearRegression(), scoring=scoring)
        frame = fitted.set_params(n_repeats=3).fit(X, y).curves_
        table = frame.pivot(index="repeat", columns="level", values="score")
        assert (table[0.6] < table[0.0]).all()
        assert table[0.0].to_numpy() == pytest.approx(metric(y, y), abs=1e-9)
        row = fitted.profiles_.iloc[0]
        # a perfect error of 0 is no baseline that a share could be of
        assert np.isnan(row["aepc"]) == (scoring is not None) and row["area"] < 0
        assert row["epc"] > 0


def test_repeats_whose_score_is_0_without_errors_count_as_the_others():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=150), "b": rng.normal(size=150)})
    y = (X["a"] + rng.normal(size=150) > 1.7).astype(int)
    study = profiler([CorruptLabels(), CorruptNoise("a")], GaussianNB(), scoring="recall")
    study.set_params(n_repeats=30).fit(X, y)
    scores = study.curves_.pivot(index=["corruption", "repeat"], columns="level", values="score")
    levels, runs = scores.columns.to_numpy(), scores.to_numpy()
    assert (runs[:, 0] == 0).any() and (runs[:, 0] > 0).any()
    for name in scores.index.levels[0]:
        own = runs[scores.index.get_level_values(0) == name]
        row = study.profiles_.set_index("corruption").loc[name]
        areas = np.trapezoid(own - own[:, :1], levels, axis=1) / levels[-1]
        assert row["aepc"] == pytest.approx(areas.mean() / own[:, 0].mean())
        assert (row["n_defined"], row["flags"].count("close to 0")) == (len(own), 1)


def _next_of(scores, *_):
    return next(scores)


def test_one_repeat_that_collapses_leaves_the_others_their_share():
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame({"a": rng.normal(size=60)}), rng.normal(size=60)
    clean = rng.uniform(0.35, 0.45, 30)
    for worst in (-7.0, -7.9, -8.5, -12.0):
        runs = np.stack([clean, clean - 0.1, clean - 0.2], axis=1)
        runs[0, 2] = worst
        served = iter(runs.ravel())
        scoring = partial(_next_of, served)
        study = profiler(CorruptNoise("a"), LinearRegression(), scoring=scoring)
        row = study.set_params(n_repeats=30).fit(X, y).profiles_.iloc[0]
        areas = np.trapezoid(runs - runs[:, :1], [0, 0.3, 0.6], axis=1) / 0.6
        assert row["n_defined"] == 30
        assert row["aepc"] == pytest.approx(areas.mean() / clean.mean(), rel=0.1)
