"""Containers, column types and labels that a search meets, and those that it refuses."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from cheap_models import Centroids, Levels
from flat_search import flat_search
from skcorrupt import MAR, BaseCorruption, CorruptMissing, Pattern
from small_searches import ONE_SPLIT, quick, results, small_data

pytestmark = pytest.mark.usefixtures("few_fits")


def mixed_table(n=120):
    """Every kind of column a pandas table has, with gaps; cell values are easy to compare."""
    rng = np.random.default_rng(0)
    days = pd.to_datetime("2024-02-27") + pd.to_timedelta(rng.integers(0, 90, n), unit="D")
    X = pd.DataFrame(
        {
            "whole": rng.integers(-3, 40, n),
            "real": rng.normal(size=n).round(3),
            "small": rng.normal(size=n).astype(np.float32),
            "flag": rng.random(n) < 0.4,
            "maybe": pd.array(rng.choice([True, False, None], n), dtype="boolean"),
            "count": pd.array(rng.choice([1, 2, 3, 50, None], n), dtype="Int64"),
            "text": rng.choice(["u", "v", "it's", 'say "w"', "p and q"], n),
            "kind": pd.Categorical(rng.choice(["low", "mid", "high"], n)),
            "order": pd.Categorical(
                rng.choice(["s", "m", "l"], n), categories=["s", "m", "l"], ordered=True
            ),
            "day": days,
            "zone": days.tz_localize("Europe/Berlin"),
            "took": pd.to_timedelta(rng.integers(1, 100, n), unit="h"),
            "mixed": pd.Series(rng.choice(np.array([1, "1", 2.5, "x"], dtype=object), n)),
        }
    )
    for column in ["real", "text", "kind", "day", "took", "mixed"]:
        X.loc[rng.random(n) < 0.1, column] = None
    y = pd.Series(np.where(rng.random(n) < 0.5, "no", "yes"), name="y")
    return X, y


def ignore_columns():
    """A pipeline that any table passes through."""
    return make_pipeline(
        FunctionTransformer(lambda X: np.arange(len(X), dtype=float)[:, None] % 3), Centroids()
    )


class TestColumns:
    @pytest.mark.long
    def test_every_kind_of_column_can_be_hit_and_conditioned(self):
        X, y = mixed_table()
        search = quick("missing", ignore_columns(), max_conditions=1, n_calls=6).fit(X, y)
        table = results(search)
        assert {columns[0] for columns in table["columns"]} == set(X)
        train = ONE_SPLIT[0][0]
        for row in table.itertuples():
            struck = np.floor(row.rate * row.pattern.mask(X, y)[train].sum() + 0.5 + 1e-9)
            assert row.row_fraction == pytest.approx(struck / len(train), abs=1e-12), row.pattern

    def test_conditions_take_observed_values_and_print_shortly(self):
        X, y = mixed_table()
        search = quick(
            "missing",
            ignore_columns(),
            corrupt_columns=["real", "whole"],
            pattern_columns=[],
            exhaustive=True,
        ).fit(X, y)
        for text in search.cv_results_["pattern"]:
            assert len(text) < 60
            bounds = Pattern.parse(text).conditions
            for column in set(bounds) - {"y"}:
                for bound in bounds[column].bounds.values():
                    assert len(repr(bound)) <= 7

    @pytest.mark.long
    def test_missing_cells_in_a_strings_and_numbers_pipeline(self):
        X, y = mixed_table()
        X = X[["whole", "real", "text", "kind"]]
        model = make_pipeline(
            make_column_transformer(
                (make_pipeline(SimpleImputer(), StandardScaler()), ["whole", "real"]),
                (OneHotEncoder(handle_unknown="ignore"), ["text", "kind"]),
            ),
            LogisticRegression(),
        )
        search = quick("missing", model, scoring="roc_auc", max_conditions=1, n_calls=2).fit(X, y)
        assert search.worst_score_ < search.baseline_score_
        assert {c[0] for c in results(search)["columns"]} == set(X)

    @pytest.mark.many
    @pytest.mark.parametrize(
        "labels",
        [
            [10, 20, 30],
            pd.MultiIndex.from_tuples([("p", "a"), ("p", "b"), ("q", "a")]),
            ["y", "first name", "x`y"],
        ],
        ids=["integers", "MultiIndex", "odd names"],
    )
    def test_labels_of_columns(self, labels):
        X, y = small_data()
        plain = quick(n_calls=2).fit(X, y)
        X.columns = labels
        search = quick(n_calls=2).fit(X, y)
        assert search.worst_score_ == plain.worst_score_
        named = dict(zip("abc", X.columns, strict=True))
        assert search.worst_columns_ == [named[c] for c in plain.worst_columns_]
        X_dirty = search.worst_corruption_.fit(X, y).corrupt(X, y).X
        assert X_dirty.isna().any(axis=0).sum() == 1
        again = BaseCorruption.from_dict(search.worst_corruption_.to_dict())
        assert again.corrupt(X, y).X.equals(X_dirty)

    def test_columns_of_one_name_are_refused(self):
        X, y = small_data()
        X.columns = ["a", "b", "a"]
        with pytest.raises(ValueError, match=r"columns? (called|names).*a"):
            quick().fit(X, y)

    @pytest.mark.long
    def test_identifiers_are_left_out_with_a_warning(self):
        X, y = small_data()
        X["id"] = np.arange(1000, 1000 + len(X))
        X["name"] = [f"person {i}" for i in range(len(X))]
        search = quick("missing", ignore_columns())
        with pytest.warns(UserWarning, match="`id`, `name` left out of patterns") as caught:
            search.fit(X, y)
        assert len(caught) == 1
        assert not any({"id", "name"} & set(p.columns) for p in results(search).pattern)
        # asked for in no pattern and hit by no error, it is nobody's business
        quick("missing", ignore_columns(), corrupt_columns=["a"], pattern_columns=["b"]).fit(X, y)

    def test_constant_and_unhashable_columns_do_no_harm(self):
        X, y = small_data()
        X["same"] = 1.5
        X["lists"] = [[i] for i in range(len(X))]
        search = quick("missing", ignore_columns(), n_calls=2)
        with pytest.warns(UserWarning, match="`lists` left out of patterns: cells such as lists"):
            search.fit(X, y)
        used = {c for p in results(search).pattern for c in p.columns}
        assert used <= {"a", "b", "c"}

    @pytest.mark.filterwarnings("ignore:The clean pipeline scores")
    @pytest.mark.parametrize("apply_to", ["train", "test"])
    def test_times_that_no_text_tells_are_left_out(self, apply_to):
        X, y = small_data()
        X["far"] = np.arange(len(X)).astype("M8[D]").astype("M8[s]")
        X.loc[X.index[3], "far"] = np.datetime64("12024-01-01", "s")
        search = quick("missing", ignore_columns(), n_calls=2, apply_to=apply_to)
        search.set_params(scoring="accuracy")
        with pytest.warns(
            UserWarning, match="`far` left out of patterns: times outside the years 1 to 9999"
        ):
            search.fit(X, y)
        assert not any("far" in p.columns for p in results(search).pattern)


class TestContainers:
    @pytest.mark.long
    def test_arrays_frames_lists_and_polars_agree(self):
        polars = pytest.importorskip("polars")
        X, y = small_data()
        expected = quick().fit(X, y)
        for other, labels in [
            (X.to_numpy(), y.to_numpy()),
            (X.to_numpy().tolist(), y.tolist()),
            (polars.from_pandas(X), polars.from_pandas(y)),
            (polars.from_pandas(X), y.to_numpy()),
            (X, tuple(y)),
            (X.set_index(np.arange(len(X))[::-1] * 7), y.to_numpy()),
        ]:
            search = quick().fit(other, labels)
            np.testing.assert_allclose(
                search.cv_results_["mean_test_score"],
                expected.cv_results_["mean_test_score"],
                rtol=0,
                atol=1e-12,
            )
            assert search.baseline_score_ == expected.baseline_score_

    @pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
    @pytest.mark.slow
    def test_sparse_tables(self, make):
        X, y = small_data()
        dense = X.to_numpy() * (np.arange(len(X)) % 2)[:, None]
        model = make_pipeline(SimpleImputer(), BernoulliNB())
        params = {"n_calls": 2, "max_conditions": 1}
        expected = quick("missing", model, **params).fit(dense, y)
        search = quick("missing", model, **params).fit(make(dense), y)
        assert search.worst_columns_ == expected.worst_columns_
        np.testing.assert_allclose(search.worst_score_, expected.worst_score_, atol=1e-12)

    def test_sparse_tables_are_refused_by_name_where_the_pipeline_has_no_use_for_them(self):
        X, y = small_data()
        with pytest.raises(TypeError, match=r"[Ss]parse"):
            quick().fit(sparse.csr_matrix(X.to_numpy()), y)

    @pytest.mark.parametrize("corruption", ["missing", "labels", "selection"])
    @pytest.mark.many
    def test_inputs_are_left_as_they_were(self, corruption):
        X, y = small_data()
        kept_X, kept_y = X.copy(deep=True), y.copy(deep=True)
        template = {"missing": CorruptMissing()}.get(corruption, corruption)
        quick(template, refit=True, confirm_size=0.25, cv=3, n_calls=2, max_conditions=1).fit(X, y)
        pd.testing.assert_frame_equal(X, kept_X)
        pd.testing.assert_series_equal(y, kept_y)
        if corruption == "missing":
            assert template.get_params() == CorruptMissing().get_params()


class TestLabels:
    @pytest.mark.parametrize(
        ("spoil", "message"),
        [
            (lambda y: y.where(y.index > 2), r"Input y contains NaN in 3 of 120 rows"),
            (lambda y: y.astype(object).where(y.index > 2, None), r"Input y contains NaN in 3"),
            (lambda y: np.c_[y, y], r"y has shape \(120, 2\), several labels a row"),
            (lambda y: pd.DataFrame({"p": y, "q": y}), r"several labels a row"),
            (lambda y: y[:-1], r"X has 120 rows, y has 119"),
            (lambda _: None, r"requires y to be passed, but the target y is None"),
        ],
    )
    def test_unusable_labels_are_refused(self, spoil, message):
        X, y = small_data()
        with pytest.raises(ValueError, match=message):
            quick().fit(X, spoil(y))

    def test_infinite_labels_are_refused(self):
        X, y = small_data()
        with pytest.raises(ValueError, match="Input y contains infinity"):
            quick("missing", Levels()).fit(X, y.astype(float).replace(1.0, np.inf))

    @pytest.mark.long
    def test_a_column_of_labels_is_flattened(self):
        X, y = small_data()
        expected = quick().fit(X, y).worst_score_
        assert quick().fit(X, y.to_frame()).worst_score_ == expected
        with pytest.warns(UserWarning, match="column-vector y was passed"):
            search = quick().fit(X, y.to_numpy()[:, None])
        assert search.worst_score_ == expected

    def test_a_single_class(self):
        X, _ = small_data()
        with pytest.raises(ValueError, match="y holds one class only"):
            quick("missing", DummyClassifier()).fit(X, np.zeros(len(X)))

    @pytest.mark.long
    def test_nan_in_X_is_left_to_the_pipeline(self):
        X, y = small_data()
        X.loc[::7, "a"] = np.nan
        assert quick().fit(X, y).worst_score_ <= quick().fit(X, y).baseline_score_
        with pytest.raises(ValueError, match="NaN"):
            quick("labels", LogisticRegression()).fit(X, y)

    def test_an_empty_table(self):
        with pytest.raises(ValueError, match=r"0 sample\(s\)"):
            quick().fit(np.empty((0, 2)), [])


class TestTemplates:
    @pytest.mark.parametrize(
        ("corruption", "error", "message"),
        [
            ("typo", ValueError, r"corruption='typo' should be one of 'categories', .*'missing'"),
            (3, TypeError, r"corruption=3 should be one of"),
            (CorruptMissing(when="always"), ValueError, r'when="always".*pass it with when="fit"'),
            (CorruptMissing(rate=3), ValueError, r"The 'rate' parameter of CorruptMissing"),
            (CorruptMissing(pattern="zz <= 3"), ValueError, r"no column zz in X\. The columns"),
            (CorruptMissing("zz"), ValueError, r"no column 'zz'.*a, b, c"),
        ],
    )
    def test_what_cannot_be_searched_is_said_at_once(self, corruption, error, message):
        X, y = small_data()
        with pytest.raises(error, match=message):
            quick(corruption).fit(X, y)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("budget", 0.0),
            ("budget", 1.5),
            ("max_conditions", -1),
            ("min_support", 1.0),
            ("beam_width", 0),
            ("optimizer", "annealing"),
            ("n_calls", 0),
            ("n_bins", 1),
            ("confirm_size", 1.0),
            ("error_score", "ignore"),
            ("exclude", "a"),
            ("refit", 2),
        ],
    )
    def test_parameters_are_validated(self, name, value):
        X, y = small_data()
        search = quick(**{name: value})
        with pytest.raises(ValueError, match=f"The '{name}' parameter of"):
            search.fit(X, y)
        with pytest.raises(ValueError, match=f"The '{name}' parameter of"):
            search.plan(X, y)

    def test_a_mechanism_that_depends_on_other_columns(self):
        X, y = small_data()
        search = quick(CorruptMissing(mechanism=MAR(strength=3.0)), n_calls=2).fit(X, y)
        assert search.worst_corruption_.mechanism == MAR(strength=3.0)
        assert {c[0] for c in results(search)["columns"]} == {"a", "b", "c"}


def test_columns_lost_after_an_array_valued_step():
    X, y = small_data()
    template = ColumnTransformer([("keep", "passthrough", ["a", "b", "c"])])
    model = make_pipeline(template, Centroids())
    search = flat_search(
        model, "missing", cv=ONE_SPLIT, confirm_size=None, n_calls=2, random_state=0
    ).fit(X, y)
    assert search.worst_columns_[0] in X
