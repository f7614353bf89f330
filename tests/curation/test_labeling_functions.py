"""Labeling functions and applying them: votes, faults, containers, workers."""

import copy
import functools
import inspect
import pickle
import subprocess
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from joblib import parallel_config
from scipy import sparse

from skcorrupt.curation import LabelingFunction, apply_lfs, labeling_function


@labeling_function
def decorated(row):
    """One where x is positive."""
    return int(row["x"] > 0)


@labeling_function("named", resources={"least": 2}, abstain=-9)
def with_arguments(row, least):
    """One where x is large."""
    return 1 if row["x"] >= least else -9


def plain(row):
    """One where x is positive."""
    return int(row["x"] > 0)


class Callable:
    """A function that is an object."""

    def __call__(self, row):
        """One."""
        return 1


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 2)), columns=["x", "z"], index=range(100, 160))
    return X.assign(text=np.where(X["x"] > 0, "yes", "no"), whole=np.arange(60))


def function_of_value(value):
    """A function of a row that returns a value."""
    return LabelingFunction(lambda row: value, name="fixed")


def vectorized(value):
    """A function of all rows that returns a value."""
    return LabelingFunction(lambda X: value, name="fixed", vectorized=True)


class TestLabelingFunction:
    def test_decorator_bare_and_with_arguments(self):
        assert isinstance(decorated, LabelingFunction)
        assert (decorated.name, decorated.resources, decorated.vectorized) == (
            "decorated",
            {},
            False,
        )
        assert decorated({"x": 3}) == 1
        assert with_arguments.name == "named"
        assert with_arguments({"x": 3}) == 1
        assert with_arguments({"x": 1}) == -9

    def test_empty_brackets(self):
        @labeling_function()
        def empty(row):
            return 1

        assert (empty.name, empty(0)) == ("empty", 1)

    def test_it_keeps_what_the_function_tells_of_itself(self):
        assert decorated.__doc__ == "One where x is positive."
        assert inspect.signature(decorated) == inspect.signature(plain)

    def test_repr(self):
        assert repr(decorated) == "LabelingFunction('decorated')"
        assert repr(with_arguments) == "LabelingFunction('named', resources=['least'], abstain=-9)"
        assert repr(vectorized(1)) == "LabelingFunction('fixed', vectorized=True)"

    @pytest.mark.parametrize(
        ("function", "name"),
        [
            (plain, "plain"),
            (Callable(), "Callable"),
            (functools.partial(functools.partial(plain)), "plain"),
            (len, "len"),
        ],
    )
    def test_names_of_their_own(self, function, name):
        assert LabelingFunction(function).name == name

    @pytest.mark.parametrize("function", [decorated, with_arguments, LabelingFunction(Callable())])
    def test_pickle_and_copies(self, function):
        for again in (pickle.loads(pickle.dumps(function)), copy.deepcopy(function)):
            assert repr(again) == repr(function)
            assert again({"x": 3}) == function({"x": 3}) == 1

    @pytest.mark.slow
    def test_a_function_of_a_script_travels(self):
        script = """
import pickle
from skcorrupt.curation import labeling_function
@labeling_function(resources={"least": 2})
def of_script(row, least):
    return int(row >= least)
print(pickle.dumps(of_script).hex())
"""
        command = [sys.executable, "-c", script]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        again = pickle.loads(bytes.fromhex(printed))
        assert (again.name, again(1), again(2)) == ("of_script", 0, 1)

    def test_a_pickle_has_the_resources_of_now(self):
        function = LabelingFunction(plain_member, resources={"words": {"a"}})
        function.resources["words"].add("b")
        assert pickle.loads(pickle.dumps(function))("b")

    def test_resources_are_copied(self):
        given = {"least": 2}
        function = LabelingFunction(with_arguments.function, resources=given)
        given["least"] = 5
        assert function({"x": 3}) == 1

    @pytest.mark.parametrize(
        ("params", "kind", "message"),
        [
            ({"function": "f"}, TypeError, "function='f' should be a plain function"),
            ({"function": decorated}, TypeError, "should be a plain function"),
            ({"name": ""}, ValueError, "name='' should be a string that is not empty"),
            ({"name": 3}, ValueError, "name=3 should be"),
            ({"resources": ["a"]}, ValueError, r"resources=\['a'\] should be a dict"),
            ({"resources": {1: 2}}, ValueError, "should be a dict of keyword arguments"),
            ({"vectorized": 1}, ValueError, "vectorized=1 should be True or False"),
            ({"abstain": 0.5}, ValueError, "abstain=0.5 should be a whole number such as -1"),
            ({"abstain": "no"}, ValueError, "abstain='no' should be a whole number"),
            ({"abstain": False}, ValueError, "abstain=False should be"),
            ({"resources": {"least": 2}}, TypeError, "unexpected keyword argument 'least'"),
            ({"function": with_arguments.function}, TypeError, "'with_arguments' is called with a"),
            ({"function": lambda: 1}, TypeError, "too many positional arguments"),
        ],
    )
    def test_refused_parameters(self, params, kind, message):
        with pytest.raises(kind, match=message):
            LabelingFunction(**{"function": plain} | params)


def plain_member(row, words):
    """Whether the row is a word."""
    return row in words


class TestVotes:
    @pytest.mark.parametrize(
        ("value", "vote"),
        [
            (0, 0),
            (3, 3),
            (True, 1),
            (False, 0),
            (2.0, 2),
            (np.int8(2), 2),
            (np.uint64(2), 2),
            (np.float32(2), 2),
            (np.bool_(True), 1),
            (np.array(2), 2),
            (None, -1),
            (np.nan, -1),
            (float("nan"), -1),
            (np.float32("nan"), -1),
            (pd.NA, -1),
            (pd.NaT, -1),
            (-1, -1),
            (-1.0, -1),
            (np.int64(-1), -1),
        ],
    )
    def test_what_a_vote_may_be(self, value, vote):
        L = apply_lfs([0, 0], [function_of_value(value)])
        assert L.dtype == np.int64
        assert L.tolist() == [[vote], [vote]]

    @pytest.mark.parametrize(
        ("value", "remedy"),
        [
            ("spam", "map the classes to 0, 1, …"),
            ("1", "map the classes to 0, 1, …"),
            (-2, "if it stands for an abstention, pass abstain=-2"),
            (0.7, "return the class, not a score or a probability"),
            (np.inf, "return the class"),
            (2.0**60, "return the class"),
            ([1], "return a single vote, or pass vectorized=True"),
            (np.array([1]), "return a single vote, or pass vectorized=True"),
            (pd.Series([1]), "return a single vote"),
            ({"a": 1}, "return a single vote"),
            (1 + 0j, "return one of these"),
            (np.timedelta64(1, "s"), "return"),
            (np.datetime64("2020-01-01"), "return one of these"),
        ],
    )
    def test_what_is_refused(self, value, remedy):
        with pytest.raises(ValueError, match="function 'fixed', row 0: returned ") as caught:
            apply_lfs([0, 0], [function_of_value(value)])
        assert "a vote is a class as a whole number from 0, an abstention is None, NaN or -1" in (
            str(caught.value)
        )
        assert remedy in str(caught.value)

    @pytest.mark.long
    def test_the_first_bad_row_is_named_whatever_the_order_of_functions(self):
        late = LabelingFunction(lambda x: "a" if x == 40 else 1, name="late")
        early = LabelingFunction(lambda x: "b" if x == 7 else 1, name="early")
        for n_jobs in (1, 2):
            with pytest.raises(ValueError, match="function 'early', row 7: returned 'b'"):
                apply_lfs(list(range(50)), [late, early], n_jobs=n_jobs)

    def test_with_abstain_0_classes_stay_what_they_are(self):
        values = [0, 1, 2, None, 0.0, False]
        function = LabelingFunction(lambda x: x, name="same")
        assert apply_lfs(values, [function], abstain=0).ravel().tolist() == [-1, 1, 2, -1, -1, -1]
        with pytest.raises(ValueError, match=r"returned -1; .*whole number from 1, .* or 0: if it"):
            apply_lfs([-1], [function], abstain=0)

    def test_without_an_abstain_number_only_missing_votes_abstain(self):
        function = LabelingFunction(lambda x: x, name="same")
        assert apply_lfs([0, None], [function], abstain=None).ravel().tolist() == [0, -1]
        with pytest.raises(ValueError, match=r"returned -1; .* an abstention is None or NaN: "):
            apply_lfs([-1], [function], abstain=None)

    def test_a_functions_own_abstain_value_comes_first(self):
        own = LabelingFunction(lambda x: x, name="own", abstain=5)
        other = LabelingFunction(lambda x: x, name="other")
        assert apply_lfs([5, 0], [own, other], abstain=0).tolist() == [[-1, 5], [0, -1]]

    @given(
        st.lists(st.one_of(st.none(), st.integers(-1, 4), st.booleans()), min_size=1, max_size=20),
        st.sampled_from([-1, 0, 3]),
    )
    def test_vectorized_and_by_row_agree(self, values, abstain):
        by_row = LabelingFunction(lambda i: values[i], name="row")
        at_once = LabelingFunction(lambda X: values, name="all", vectorized=True)
        rows = list(range(len(values)))
        found = []
        for function in (by_row, at_once):
            try:
                found.append(apply_lfs(rows, [function], abstain=abstain).ravel().tolist())
            except ValueError:
                found.append("refused")
        assert found[0] == found[1]
        expected = [-1 if v is None or v == abstain else int(v) for v in values]
        refused = any(v == -1 and abstain != -1 for v in values)
        assert found[0] == ("refused" if refused else expected)


class TestVectorized:
    @pytest.mark.parametrize(
        "votes",
        [
            [1, None, 0],
            (1, -1, 0),
            np.array([1, -1, 0], dtype=np.int8),
            np.array([1.0, np.nan, 0.0]),
            np.array([1, None, False], dtype=object),
            np.ma.masked_array([1, 7, 0], mask=[False, True, False]),
            pd.Series([1, np.nan, 0]),
            pd.array([1, None, 0], dtype="Int64"),
            pd.array([True, None, False], dtype="boolean"),
            pd.Categorical([1, None, 0]),
            pd.Index([1, -1, 0]),
            pl.Series([1, None, 0]),
            pl.Series([True, None, False]),
        ],
        ids=lambda votes: type(votes).__name__,
    )
    def test_votes_in_any_container(self, votes):
        assert apply_lfs(["a", "b", "c"], [vectorized(votes)]).ravel().tolist() == [1, -1, 0]

    @pytest.mark.parametrize(
        ("votes", "message"),
        [
            ([1, 0], r"returned shape \(2,\) for 3 rows; .* one vote a row, so shape \(3,\)"),
            (np.ones((3, 1)), r"returned shape \(3, 1\) for 3 rows; .*ravel"),
            (pd.DataFrame({"a": [1, 1, 1]}), r"returned shape \(3, 1\)"),
            (np.array(1), r"returned shape \(\) for 3 rows"),
            (1, "returned 1 for 3 rows; .*leave out vectorized=True"),
            (None, "returned None for 3 rows; "),
            ("abc", "returned 'abc' for 3 rows; "),
            ({1: 1, 2: 1, 3: 1}, "returned {1: 1, 2: 1, 3: 1} for 3 rows; "),
            (["a", 1, 1], "returned 'a'; .*This is row 0"),
            ([1, "a", 1], "returned 'a'; .*This is row 1"),
            (np.array([1, 1, -3]), "returned -3; .*This is row 2"),
            (np.array([1, 0.5, 1]), "returned 0.5; .*This is row 1"),
            (np.array([1, np.inf, 1]), "returned inf; "),
            (np.array(["1", "1", "1"]), "returned '1'; .*map the classes"),
            (pd.Series(["a", "b", "c"], dtype="category"), "returned 'a'; .*map the classes"),
            (np.array(["2020"] * 3, dtype="M8[ns]"), "returned .*2020"),
            (np.array([1, 1, 1], dtype="m8[ns]"), "returned .*timedelta64"),
        ],
    )
    def test_what_is_refused(self, votes, message):
        with pytest.raises(ValueError, match=f"^Labeling function 'fixed': {message}"):
            apply_lfs(["a", "b", "c"], [vectorized(votes)])

    def test_a_series_in_another_order_is_refused(self, frame):
        shuffled = LabelingFunction(
            lambda X: X["whole"].sort_values(ascending=False), name="sorted", vectorized=True
        )
        with pytest.raises(ValueError, match=r"'sorted': returned a Series with the index of X in"):
            apply_lfs(frame, [shuffled])

    def test_a_series_under_another_index_goes_by_position(self, frame):
        votes = pd.Series(np.arange(60) % 3)
        assert (apply_lfs(frame, [vectorized(votes)]).ravel() == votes).all()

    @pytest.mark.many
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_it_always_gets_every_row(self, frame, n_jobs):
        by_row = LabelingFunction(lambda row: 1, name="row")
        above = LabelingFunction(lambda X: X["x"] > X["x"].median(), name="above", vectorized=True)
        assert apply_lfs(frame, [by_row, above], n_jobs=n_jobs)[:, 1].sum() == 30


class TestFaults:
    def test_faults_are_counted_and_not_fatal(self, frame):
        def picky(row):
            if row["whole"] % 20 == 3:
                raise KeyError(f"bad {row['whole']}")
            return 1

        def broken(X):
            raise RuntimeError("no model")

        functions = [
            LabelingFunction(picky),
            LabelingFunction(broken, vectorized=True),
            LabelingFunction(plain),
        ]
        with pytest.warns(UserWarning) as caught:
            L, faults = apply_lfs(frame, functions, return_faults=True)
        assert len(caught) == 1
        assert str(caught[0].message) == (
            "2 of 3 labeling functions raised, and abstain there: 'picky' on 3 of 60 rows, first "
            "row 3: KeyError: 'bad 3'; 'broken' on 60 of 60 rows, first RuntimeError: no model. "
            "Correct them, or see all with return_faults=True."
        )
        assert caught[0].filename == __file__
        assert np.flatnonzero(L[:, 0] == -1).tolist() == [3, 23, 43]
        assert (L[:, 1] == -1).all()
        assert (L[:, 2] != -1).all()
        expected = {
            "name": ["picky", "broken", "plain"],
            "faults": [3, 60, 0],
            "first_error": ["row 3: KeyError: 'bad 3'", "RuntimeError: no model", None],
        }
        assert faults.to_dict("list") == expected

    def test_without_faults_there_is_no_warning(self, frame):
        L, faults = apply_lfs(frame, [plain], return_faults=True)
        assert L.tolist() == (frame[["x"]] > 0).astype(int).to_numpy().tolist()
        assert faults.to_dict("list") == {"name": ["plain"], "faults": [0], "first_error": [None]}

    def test_long_errors_are_cut(self):
        def verbose(text):
            raise ValueError("x" * 10_000)

        with pytest.warns(UserWarning) as caught:
            apply_lfs(["a"], [verbose])
        assert len(str(caught[0].message)) < 500

    def test_an_interrupt_is_not_a_fault(self):
        def interrupted(text):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            apply_lfs(["a"], [interrupted])


class TestWorkers:
    @pytest.mark.long
    def test_the_result_is_the_same_for_any_number(self, frame):
        def shy(row):
            if row["x"] > 1:
                raise ValueError(f"x is {row['x']:.3f}")
            return 1 if row["x"] > 0 else None

        functions = [
            LabelingFunction(shy),
            LabelingFunction(lambda X: X["z"] > X["z"].mean(), name="above", vectorized=True),
            LabelingFunction(lambda row: row["text"] == "yes", name="yes"),
            LabelingFunction(lambda X: X["no"] > 0, name="broken", vectorized=True),
        ]
        results = []
        for backend, n_jobs in [("loky", 1), ("loky", 2), ("threading", 3), ("loky", None)]:
            with parallel_config(backend=backend), pytest.warns(UserWarning) as caught:
                L, faults = apply_lfs(frame, functions, n_jobs=n_jobs, return_faults=True)
            results.append((L.tolist(), faults.to_dict("list"), str(caught[0].message)))
        assert all(result == results[0] for result in results)
        assert 0 < results[0][1]["faults"][0] < 60

    def test_more_workers_than_rows(self):
        assert apply_lfs(["a", "bb"], [lambda text: len(text)], n_jobs=2).tolist() == [[1], [2]]

    @pytest.mark.slow
    def test_what_cannot_be_sent_is_named(self):
        fine = LabelingFunction(lambda x: 1, name="fine")
        stuck = LabelingFunction(
            lambda x, lock: 1, name="stuck", resources={"lock": threading.Lock()}
        )
        with pytest.raises(TypeError, match=r"n_jobs=2: labeling function 'stuck' cannot be sent"):
            apply_lfs([1, 2, 3], [fine, stuck], n_jobs=2)
        assert apply_lfs([1, 2], [fine, stuck], n_jobs=1).tolist() == [[1, 1], [1, 1]]
        with parallel_config(backend="threading"):
            assert apply_lfs([1, 2], [fine, stuck], n_jobs=2).tolist() == [[1, 1], [1, 1]]

    def test_progress(self, capsys):
        apply_lfs(["a"], [lambda text: 1], verbose=1)
        assert "labeling functions" in capsys.readouterr().err
        apply_lfs(["a"], [lambda text: 1])
        assert capsys.readouterr().err == ""


class TestContainers:
    def test_every_container_gives_the_same_votes(self, frame):
        names = ["x", "z"]
        by_name = LabelingFunction(lambda row: row["x"] > row["z"], name="by name")
        by_place = LabelingFunction(lambda row: row[0] > row[1], name="by place")
        expected = (frame["x"] > frame["z"]).astype(int).tolist()
        records = frame.to_dict("records")
        for X in (frame, pl.from_pandas(frame), records, tuple(records)):
            assert apply_lfs(X, [by_name]).ravel().tolist() == expected
        values = frame[names].to_numpy()
        for X in (values, np.asfortranarray(values), values.tolist()):
            assert apply_lfs(X, [by_place]).ravel().tolist() == expected
        in_row = LabelingFunction(lambda row: row.toarray()[0, 0] > row.toarray()[0, 1], name="s")
        for kind in (sparse.csr_array, sparse.coo_array, sparse.csc_matrix):
            assert apply_lfs(kind(values), [in_row]).ravel().tolist() == expected

    @pytest.mark.parametrize("n_jobs", [1, 2])
    @pytest.mark.slow
    def test_texts(self, frame, n_jobs):
        is_yes = LabelingFunction(lambda text: text == "yes", name="yes")
        texts = frame["text"]
        expected = (texts == "yes").astype(int).tolist()
        for X in (
            texts,
            texts.astype("category"),
            texts.tolist(),
            texts.to_numpy(dtype=object),
            texts.to_numpy(dtype=str),
            texts.array,
            pd.Index(texts),
            pl.Series(texts.tolist()),
        ):
            assert apply_lfs(X, [is_yes], n_jobs=n_jobs).ravel().tolist() == expected

    def test_what_a_row_is(self, frame):
        kinds = []

        def note(row):
            kinds.append((type(row).__name__, getattr(row, "shape", None), getattr(row, "name", 0)))

        apply_lfs(frame.iloc[:1], [note])
        apply_lfs(pl.from_pandas(frame[:1]), [note])
        apply_lfs(np.zeros((1, 4)), [note])
        apply_lfs(np.zeros((1, 4, 2)), [note])
        apply_lfs(sparse.csr_array(np.eye(1)), [note])
        apply_lfs([object()], [note])
        assert kinds == [
            ("Series", (4,), 100),
            ("dict", None, 0),
            ("ndarray", (4,), 0),
            ("ndarray", (4, 2), 0),
            ("csr_array", (1, 1), 0),
            ("object", None, 0),
        ]

    def test_windows_of_time_series(self):
        windows = np.random.default_rng(0).normal(size=(20, 50, 3))
        high = LabelingFunction(lambda X: X[:, :, 0].max(axis=1) > 2, name="high", vectorized=True)
        assert (apply_lfs(windows, [high]).ravel() == (windows[:, :, 0].max(axis=1) > 2)).all()

    @pytest.mark.parametrize(
        ("X", "kind", "message"),
        [
            ([], ValueError, "X has no rows"),
            (pd.DataFrame({"a": []}), ValueError, "X has no rows"),
            (np.empty((0, 3)), ValueError, "X has no rows"),
            (sparse.csr_array((0, 3)), ValueError, "X has no rows"),
            ("text", TypeError, r"not a str; try \[X\]"),
            ({"a": [1]}, TypeError, r"not a dict; try pandas.DataFrame\(X\)"),
            (None, TypeError, "X should be a pandas or polars frame or Series"),
            (3, TypeError, "not a int"),
            (np.array(3), TypeError, "not a ndarray"),
            ({1, 2}, TypeError, r"not a set; try list\(X\)"),
            ((x for x in "ab"), TypeError, r"not a generator; try list\(X\)"),
            (pl.LazyFrame({"a": [1]}), TypeError, r"try X.collect\(\)"),
        ],
    )
    def test_refused_samples(self, X, kind, message):
        with pytest.raises(kind, match=message):
            apply_lfs(X, [plain])

    @pytest.mark.parametrize(
        ("lfs", "kind", "message"),
        [
            ([], ValueError, "lfs is empty"),
            (None, TypeError, "lfs=None should be a list of labeling functions"),
            ("abc", TypeError, "lfs='abc' should be a list"),
            ({"a": plain}, TypeError, "should be a list"),
            ([1], TypeError, "function=1 should be a plain function"),
            ([plain, plain], ValueError, "'plain' is the name of more than one function"),
            ([plain, decorated, len, len], ValueError, "'len' is the name of more"),
        ],
    )
    def test_refused_functions(self, lfs, kind, message):
        with pytest.raises(kind, match=message):
            apply_lfs([1], lfs)

    def test_refused_abstain(self):
        with pytest.raises(ValueError, match="abstain='x' should be a whole number"):
            apply_lfs([1], [lambda x: 1], abstain="x")

    def test_one_function_alone_and_duplicate_column_names(self):
        X = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
        assert apply_lfs(X, LabelingFunction(lambda row: row.sum())).tolist() == [[3], [7]]


class TestInputsStay:
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_functions_that_write_do_not_reach_the_data_or_each_other(self, frame, n_jobs):
        def scribble(row):
            row["x"] = -99
            return 1

        def scribble_all(X):
            X["x"] = 5
            X.loc[X.index[0], "z"] = 5
            X.iloc[1, 1] = 5
            return np.ones(len(X))

        functions = [
            LabelingFunction(scribble),
            LabelingFunction(scribble_all, vectorized=True),
            LabelingFunction(lambda row: row["x"] > 0, name="row"),
            LabelingFunction(lambda X: X["x"] > 0, name="all", vectorized=True),
        ]
        expected = (frame["x"] > 0).astype(int).tolist()
        for X in (frame, frame[["x", "z"]]):
            before = X.copy(deep=True)
            L = apply_lfs(X, functions, n_jobs=n_jobs)
            pd.testing.assert_frame_equal(X, before)
            assert L[:, 2].tolist() == L[:, 3].tolist() == expected
        records = frame.to_dict("records")
        L = apply_lfs(records, [functions[0], functions[2]], n_jobs=n_jobs)
        assert L[:, 1].tolist() == expected
        assert records == frame.to_dict("records")

    @pytest.mark.parametrize("dtype", [float, object])
    def test_arrays(self, dtype):
        def scribble(row):
            row[:] = 0
            return 1

        X = np.arange(6.0).reshape(3, 2).astype(dtype)
        before = X.copy()
        assert (apply_lfs(X, [scribble]) == 1).all()
        with pytest.warns(UserWarning, match="read-only"):
            apply_lfs(X, [LabelingFunction(scribble, vectorized=True)])
        np.testing.assert_array_equal(X, before)
        assert X.flags.writeable

    def test_read_only_data(self, frame):
        X = frame[["x", "z"]].to_numpy(copy=True)
        X.flags.writeable = False
        functions = [
            LabelingFunction(lambda row: row[0] > 0, name="row"),
            LabelingFunction(lambda X: X[:, 0] > 0, name="all", vectorized=True),
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            L = apply_lfs(X, functions, n_jobs=2)
        np.testing.assert_array_equal(L, (X[:, [0, 0]] > 0).astype(int))

    def test_lists_and_polars_frames(self):
        def shorten(X):
            X.clear() if isinstance(X, list) else X.insert_column(0, pl.Series("new", [1, 2]))
            return [1, 1]

        texts, table = ["a", "b"], pl.DataFrame({"a": [1, 2]})
        apply_lfs(texts, [LabelingFunction(shorten, vectorized=True)])
        apply_lfs(table, [LabelingFunction(shorten, vectorized=True)])
        assert texts == ["a", "b"]
        assert table.columns == ["a"]
