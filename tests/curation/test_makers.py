"""Ready-made labeling functions, and votes from tables of judgements."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from skcorrupt.curation import (
    LabelingFunction,
    apply_lfs,
    lf_from_classifier,
    lf_from_keywords,
    lf_from_pattern,
    lf_from_regex,
    lf_from_threshold,
    votes_from_long,
)
from skcorrupt.patterns import Pattern


@pytest.fixture
def people():
    return pd.DataFrame(
        {"age": [70.0, 50.0, np.nan, 61.0], "sex": ["F", "M", "F", None], "y": [1, 2, 3, 4]}
    )


def votes(X, *functions, **params):
    """The votes of functions, a list a function."""
    return apply_lfs(X, list(functions), **params).T.tolist()


class TestPattern:
    @pytest.mark.parametrize(
        "pattern",
        ["age > 60 and sex == 'F'", Pattern.parse("age > 60 and sex == 'F'")],
    )
    def test_votes_where_it_matches(self, people, pattern):
        function = lf_from_pattern(pattern, 2)
        for X in (people, pl.from_pandas(people)):
            assert votes(X, function) == [[2, -1, -1, -1]]
        assert function.vectorized
        assert function.name == "age > 60 and sex == 'F' -> 2"

    def test_a_dict_an_array_and_every_row(self, people):
        assert votes(people, lf_from_pattern({"age": (None, 50)}, 0)) == [[-1, 0, -1, -1]]
        array = people[["age"]].to_numpy()
        assert votes(array, lf_from_pattern("x0 > 60", 0)) == [[0, -1, -1, 0]]
        assert votes(people, lf_from_pattern(None, 1)) == [[1, 1, 1, 1]]

    def test_the_label_is_not_there_but_a_column_of_that_name_may_be(self, people):
        with pytest.raises(ValueError, match="reads the label y, which labeling functions are to"):
            lf_from_pattern("age > 60 and y == 1", 1)
        assert votes(people, lf_from_pattern("`y` >= 3", 1)) == [[-1, -1, 1, 1]]

    def test_an_absent_column_is_a_fault_that_is_told(self, people):
        with pytest.warns(UserWarning, match="there is no column wage in X; perhaps age is meant"):
            assert votes(people, lf_from_pattern("wage > 3", 1)) == [[-1] * 4]


class TestThreshold:
    @pytest.mark.parametrize(
        ("bounds", "name", "expected"),
        [
            ({"above": 61}, "age > 61 -> 1", [1, -1, -1, -1]),
            ({"below": 61}, "age < 61 -> 1", [-1, 1, -1, -1]),
            ({"above": 50, "below": 70.0}, "50 < age < 70 -> 1", [-1, -1, -1, 1]),
            ({"above": 0}, "age > 0 -> 1", [1, 1, -1, 1]),
        ],
    )
    def test_bounds_are_strict_and_missing_abstains(self, people, bounds, name, expected):
        function = lf_from_threshold("age", **bounds, label=1)
        assert function.name == name
        for X in (people, pl.from_pandas(people)):
            assert votes(X, function) == [expected]

    def test_columns_of_arrays(self, people):
        array = people[["y", "age"]].to_numpy()
        for column in (1, "x1", "1"):
            function = lf_from_threshold(column, above=60, label=0)
            assert votes(array, function) == [[0, -1, -1, 0]]

    def test_names_that_are_not_words_and_dates(self):
        X = pd.DataFrame(
            {"heart rate": [100, 130], "y": pd.to_datetime(["2020-01-01", "2021-01-01"])}
        )
        assert votes(X, lf_from_threshold("heart rate", above=120, label=1)) == [[-1, 1]]
        since = lf_from_threshold("y", above=pd.Timestamp("2020-06-01"), label=1)
        assert votes(X, since) == [[-1, 1]]

    @pytest.mark.parametrize(
        ("bounds", "message"),
        [
            ({}, "above and below are both None"),
            ({"above": 5, "below": 3}, "column='age', above=5, below=3: .*make two functions"),
            ({"above": 5, "below": 5}, "above=5, below=5: "),
            ({"above": float("nan")}, "above=nan"),
        ],
    )
    def test_refused(self, bounds, message):
        with pytest.raises(ValueError, match=message):
            lf_from_threshold("age", **bounds, label=1)


TEXTS = ["Win a FREE prize", "the window", None, "credit\n  card", "c++ is fun", "", "free"]


class TestKeywords:
    @pytest.mark.parametrize(
        ("keywords", "params", "expected"),
        [
            (["win", "free"], {}, [1, -1, -1, -1, -1, -1, 1]),
            ("win", {"whole_words": False}, [1, 1, -1, -1, -1, -1, -1]),
            ("free", {"case": True}, [-1, -1, -1, -1, -1, -1, 1]),
            ("credit card", {}, [-1, -1, -1, 1, -1, -1, -1]),
            ("C++", {}, [-1, -1, -1, -1, 1, -1, -1]),
            (".", {"whole_words": False}, [-1] * 7),
            (("w(in", "prize"), {}, [1, -1, -1, -1, -1, -1, -1]),
        ],
    )
    def test_what_counts(self, keywords, params, expected):
        function = lf_from_keywords(keywords, 1, **params)
        frame = pd.DataFrame({"id": range(7), "text": TEXTS})
        named = lf_from_keywords(keywords, 1, column="text", **params)
        for X in (TEXTS, frame["text"], pl.Series(TEXTS), frame[["text"]]):
            assert votes(X, function) == [expected]
        array = np.array(TEXTS, dtype=object)
        for X in (array, array[:, None]):
            assert votes(X, function) == [expected]
        for X in (frame, pl.from_pandas(frame), frame.to_dict("records")):
            assert votes(X, named) == [expected]

    def test_other_scripts_have_words_too(self):
        function = lf_from_keywords(["été", "straße"], 0)
        assert votes(["un Été chaud", "étés", "STRASSE", "Straße!"], function) == [[0, -1, -1, 0]]

    def test_names(self):
        assert lf_from_keywords(["a", "b"], 1).name == "'a', 'b' -> 1"
        assert lf_from_keywords("a", np.int8(1), name="mine").name == "mine"
        assert len(lf_from_keywords([f"word{i}" for i in range(50)], 1).name) < 80

    @pytest.mark.parametrize("keywords", [[], "", ["a", " "], [1], [None]])
    def test_refused(self, keywords):
        with pytest.raises(ValueError, match="should be a word or a list of words, none of them"):
            lf_from_keywords(keywords, 1)

    @pytest.mark.parametrize(
        ("X", "column", "message"),
        [
            (["a", 3.5], None, "X holds 3.5 in row 1, which is not a text"),
            ([["a"], ["b"]], None, r"X holds \['a'\] in row 0, which is not a text"),
            (pd.DataFrame({"t": [1, 2]}), "t", "column 't' holds 1 in row 0, which is not a text"),
            (pd.DataFrame({"a": ["x"], "b": ["x"]}), None, "X has 2 columns; name the one that"),
            (pd.DataFrame({"text": ["x"]}), "txt", "X has no column 'txt'"),
            (["a"], "text", "column='text', but X is a list without columns"),
            (pd.Series(["a"]), "text", "column='text', but X is a Series without columns"),
        ],
    )
    def test_where_there_is_no_text_is_a_fault_that_is_told(self, X, column, message):
        with pytest.warns(UserWarning, match=message):
            assert set(votes(X, lf_from_keywords("a", 1, column=column))[0]) == {-1}


class TestRegex:
    def test_search_case_and_compiled(self):
        texts = ["Check it out", "checkout", "out", None]
        assert votes(texts, lf_from_regex("check.*out", 1)) == [[1, 1, -1, -1]]
        assert votes(texts, lf_from_regex("check.*out", 1, case=True)) == [[-1, 1, -1, -1]]
        assert votes(texts, lf_from_regex(re.compile("^Check"), 1)) == [[1, -1, -1, -1]]
        assert lf_from_regex("check.*out", 1).name == "/check.*out/ -> 1"

    def test_a_column(self):
        X = pd.DataFrame({"a": ["x1", "x"], "b": ["y", "y2"]})
        assert votes(X, lf_from_regex(r"\d", 0, column="b")) == [[-1, 0]]

    @pytest.mark.parametrize(
        ("regex", "message"),
        [
            ("a(", r"regex='a\(' is not a regular expression: .*lf_from_keywords"),
            (re.compile(b"a"), "should be a string or a compiled expression of one"),
            (3, "regex=3 should be"),
            ("(" * 3000 + ")" * 3000, r"regex='\({60}…' is not .* groups are nested too deeply"),
            ("a{99999999999}", "not a regular expression: the repetition number is too large"),
            ("(?<=a+)b", "not a regular expression: look-behind requires fixed-width"),
        ],
        ids=["open", "bytes", "number", "deep", "large", "look-behind"],
    )
    def test_refused(self, regex, message):
        with pytest.raises(ValueError, match=message):
            lf_from_regex(regex, 1)


@pytest.fixture
def sure():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    y = (X["a"] + rng.normal(size=200) > 0).astype(int)
    return X, y


class TestClassifier:
    def test_votes_where_it_is_sure(self, sure):
        X, y = sure
        model = LogisticRegression().fit(X, y)
        proba = model.predict_proba(X)
        for least in (0.0, 0.7, 0.9):
            function = lf_from_classifier(model, min_confidence=least)
            expected = np.where(proba.max(axis=1) >= least, model.predict(X), -1)
            assert votes(X, function) == [expected.tolist()]
        assert function.name == "LogisticRegression (confidence >= 0.9)"

    def test_exactly_sure_enough(self):
        model = DummyClassifier(strategy="prior").fit(np.zeros((10, 1)), [0] * 2 + [1] * 8)
        X = np.zeros((2, 1))
        assert votes(X, lf_from_classifier(model, min_confidence=0.8)) == [[1, 1]]
        assert votes(X, lf_from_classifier(model, min_confidence=0.81)) == [[-1, -1]]

    def test_classes_that_are_no_votes_are_mapped(self, sure):
        X, y = sure
        names = np.array(["no", "yes"])[y]
        model = LogisticRegression().fit(X, names)
        with pytest.raises(ValueError, match=r"classes \['no', 'yes'\], .*labels={'no': 0, 'yes'"):
            lf_from_classifier(model)
        with pytest.raises(ValueError, match=r"has no vote for \['yes'\] among the classes"):
            lf_from_classifier(model, labels={"no": 0})
        with pytest.raises(ValueError, match=r"labels\['yes'\]='b' should be a class"):
            lf_from_classifier(model, labels={"no": 0, "yes": "b"})
        with pytest.raises(ValueError, match=r"labels=\[0, 1\] should be a dict"):
            lf_from_classifier(model, labels=[0, 1])
        mapped = lf_from_classifier(model, min_confidence=0, labels={"no": 4, "yes": 2})
        expected = [{"no": 4, "yes": 2}[each] for each in model.predict(X)]
        assert votes(X, mapped) == [expected]

    @pytest.mark.parametrize(
        ("classes", "expected"), [([2.0, 7.0], [2, 7]), ([False, True], [0, 1]), ([3, 9], [3, 9])]
    )
    def test_numbers_stay(self, sure, classes, expected):
        X, y = sure
        model = LogisticRegression().fit(X, np.array(classes)[y])
        assert set(votes(X, lf_from_classifier(model, min_confidence=0))[0]) == set(expected)

    @pytest.mark.parametrize("classes", [[-1, 1], [0.5, 1.5]])
    def test_numbers_that_are_no_votes(self, sure, classes):
        X, y = sure
        model = DummyClassifier().fit(X, pd.Series(classes)[y].astype(str).to_numpy())
        model.classes_ = np.array(classes)
        with pytest.raises(ValueError, match="but votes are whole numbers from 0"):
            lf_from_classifier(model)

    def test_columns(self, sure):
        X, y = sure
        wide = X.assign(text="x")
        model = LogisticRegression().fit(X[["c", "a"]], y)
        expected = model.predict(X[["c", "a"]]).tolist()
        function = lf_from_classifier(model, columns=["c", "a"], min_confidence=0)
        assert votes(wide, function) == [expected]
        plain = LogisticRegression().fit(X[["c", "a"]].to_numpy(), y)
        for columns in (["x2", "x0"], [2, 0]):
            function = lf_from_classifier(plain, columns=columns, min_confidence=0)
            assert votes(X.to_numpy(), function) == [expected]
            assert votes(sparse.csr_array(X.to_numpy()), function) == [expected]
        from_polars = RandomForestClassifier(5, random_state=0).fit(pl.from_pandas(X[["a"]]), y)
        function = lf_from_classifier(from_polars, columns=["a"], min_confidence=0)
        expected = from_polars.predict(pl.from_pandas(X[["a"]])).tolist()
        assert votes(pl.from_pandas(X), function) == [expected]

    def test_a_model_of_text(self):
        texts = pd.DataFrame({"n": range(4), "text": ["win", "win free", "hello you", "hello"]})
        model = make_pipeline(CountVectorizer(), MultinomialNB()).fit(texts["text"], [1, 1, 0, 0])
        function = lf_from_classifier(model, columns="text", min_confidence=0.6)
        for X in (texts, pl.from_pandas(texts), texts.to_numpy()):
            named = (
                function
                if X is not None and hasattr(X, "columns")
                else lf_from_classifier(model, columns=1, min_confidence=0.6)
            )
            assert votes(X, named) == [[1, 1, 0, 0]]
        whole = lf_from_classifier(model, min_confidence=0.6)
        assert votes(texts["text"].tolist(), whole) == [[1, 1, 0, 0]]

    def test_refused_estimators(self, sure):
        X, y = sure
        with pytest.raises(NotFittedError):
            lf_from_classifier(LogisticRegression())
        with pytest.raises(TypeError, match=r"LinearSVC has no predict_proba .*CalibratedClassif"):
            lf_from_classifier(LinearSVC().fit(X, y))
        with pytest.raises(TypeError, match="LinearRegression has no predict_proba"):
            lf_from_classifier(LinearRegression().fit(X, y))
        several = MultiOutputClassifier(LogisticRegression()).fit(X, np.column_stack([y, y]))
        with pytest.raises(TypeError, match="predicts 2 outputs"):
            lf_from_classifier(several)
        for least in (-0.1, 1.1, "a", True, np.nan):
            with pytest.raises(ValueError, match="should be from 0 to 1"):
                lf_from_classifier(LogisticRegression().fit(X, y), min_confidence=least)


class TestEveryMaker:
    @pytest.mark.parametrize("label", ["spam", -1, 0.5, None, np.nan, [1]])
    def test_labels_that_are_no_classes(self, label):
        for make in (
            lambda: lf_from_pattern("a > 1", label),
            lambda: lf_from_threshold("a", above=1, label=label),
            lambda: lf_from_keywords("a", label),
            lambda: lf_from_regex("a", label),
        ):
            with pytest.raises(ValueError, match=r"label=.* should be a class as a whole number"):
                make()

    def test_they_pickle_and_run_in_parallel_and_keep_to_their_own_abstention(self, sure):
        X, y = sure
        X = X.assign(text=np.where(y == 1, "yes", "no"))
        functions = [
            lf_from_pattern("a > 0", 0),
            lf_from_threshold("b", above=0, label=1, name="b"),
            lf_from_keywords("yes", True, column="text"),
            lf_from_regex("o$", np.int64(0), column="text"),
            lf_from_classifier(LogisticRegression().fit(X[["a"]], y), columns=["a"]),
        ]
        assert all(isinstance(function, LabelingFunction) for function in functions)
        expected = apply_lfs(X, functions)
        assert ((expected >= 0).any(axis=0) & (expected == -1).any(axis=0)).all()
        again = pickle.loads(pickle.dumps(functions))
        np.testing.assert_array_equal(apply_lfs(X, again, abstain=0), expected)
        np.testing.assert_array_equal(apply_lfs(X, functions, n_jobs=2), expected)


@pytest.fixture
def long():
    return pd.DataFrame(
        {
            "tweet": [7, 7, 3, 3, 9, 7],
            "who": ["Ann", "Bo", "Bo", "Cy", "Ann", "Ann"],
            "said": ["sun", "rain", "sun", "sun", None, "sun"],
        }
    )


KEYS = {"item": "tweet", "worker": "who", "label": "said"}


class TestVotesFromLong:
    def test_a_column_a_worker_and_a_row_an_item(self, long):
        for table in (long, pl.from_pandas(long)):
            L, items, workers, classes = votes_from_long(table, **KEYS)
            assert L.dtype == np.int64
            assert L.tolist() == [[1, 0, -1], [-1, 1, 1], [-1, -1, -1]]
            assert items.tolist() == [7, 3, 9]
            assert workers.tolist() == ["Ann", "Bo", "Cy"]
            assert classes.tolist() == ["rain", "sun"]

    def test_arrays(self, long):
        L, *_ = votes_from_long(long.to_numpy(), item="x0", worker=1, label="x2")
        assert L.tolist() == [[1, 0, -1], [-1, 1, 1], [-1, -1, -1]]

    def test_labels_give_the_order_of_classes(self, long):
        for labels in (["snow", "sun", "rain"], {"sun": 1, "rain": 2, "snow": 0}):
            L, _, _, classes = votes_from_long(long, **KEYS, labels=labels)
            assert L.tolist() == [[1, 2, -1], [-1, 1, 1], [-1, -1, -1]]
            assert classes.tolist() == ["snow", "sun", "rain"]

    @pytest.mark.parametrize("nothing", [None, -1])
    def test_a_label_may_be_an_abstention(self, long, nothing):
        L, *_, classes = votes_from_long(long, **KEYS, labels={"sun": 0, "rain": nothing})
        assert L.tolist() == [[0, -1, -1], [-1, 0, 0], [-1, -1, -1]]
        assert classes.tolist() == ["sun"]

    def test_numbers_are_coded_by_their_order(self, long):
        said = pd.Series([5, 2, 5, 5, np.nan, 5])
        L, _, _, classes = votes_from_long(long.assign(said=said), **KEYS)
        assert classes.tolist() == [2.0, 5.0]
        assert L.tolist() == [[1, 0, -1], [-1, 1, 1], [-1, -1, -1]]

    def test_items_chooses_rows_and_keeps_columns_and_classes(self, long):
        L, items, workers, classes = votes_from_long(long, **KEYS, items=[1, 3])
        assert L.tolist() == [[-1, -1, -1], [-1, 1, 1]]
        assert (items.tolist(), len(workers), len(classes)) == ([1, 3], 3, 2)

    def test_the_same_judgement_twice_counts_once_and_different_ones_are_refused(self, long):
        torn = pd.concat([long, pd.DataFrame({"tweet": [7], "who": ["Ann"], "said": ["rain"]})])
        message = (
            r"differently 1 time\(s\), such as worker 'Ann' item 7, as 'sun' and as 'rain'; pass"
        )
        with pytest.raises(ValueError, match=message):
            votes_from_long(torn, **KEYS)
        L, *_ = votes_from_long(torn, **KEYS, conflicts="first")
        assert L[0].tolist() == [1, 0, -1]
        L, items, workers, _ = votes_from_long(torn[::-1], **KEYS, conflicts="first")
        assert (items[0], workers[0], L[0, 0]) == (7, "Ann", 0)
        L, *_ = votes_from_long(torn, **KEYS, conflicts="abstain")
        assert L[0].tolist() == [-1, 0, -1]
        # no vote and a vote do not contradict each other
        L, *_ = votes_from_long(torn, **KEYS, labels={"sun": 0, "rain": None})
        assert L[0].tolist() == [0, -1, -1]
        # nor do judgements on an item that is left out
        L, *_ = votes_from_long(torn, **KEYS, items=[3])
        assert L.tolist() == [[-1, 1, 1]]

    @pytest.mark.parametrize(
        ("changes", "params", "message"),
        [
            ({}, {"item": "twet"}, "item: X has no column 'twet'.*Did you mean 'tweet'"),
            ({}, {"conflicts": "last"}, r"conflicts='last' should be one of \['raise', 'abstain'"),
            ({"who": None}, {}, "worker='who' is missing in row 0 of the table; drop such rows"),
            ({"tweet": np.nan}, {}, "item='tweet' is missing in row 0"),
            ({}, {"labels": ["sun"]}, "labels has no class for 'rain'; .*It has 'sun'"),
            ({}, {"labels": ["sun", "sun"]}, "names a label twice"),
            ({}, {"labels": {"sun": 0, "rain": 0}}, r"maps to the classes \[0, 0\]; each of 0, 1"),
            ({}, {"labels": {"sun": 1, "rain": 2}}, r"maps to the classes \[1, 2\]; .*without gap"),
            ({}, {"labels": {"sun": "a", "rain": 0}}, "maps 'sun' to 'a'; a class is a whole"),
            ({}, {"labels": {"sun": -2, "rain": 0}}, "maps 'sun' to -2"),
            ({}, {"items": [3, 3]}, "items names 3 more than once"),
            ({}, {"items": ["3"]}, "items has none of the items of the table, such as 7, 3, 9"),
            ({"said": [-1, 1, 1, 1, 1, -1]}, {}, r"label holds -1, which may be a class or an abs"),
            ({"said": [1, "a", 1, 1, 1, 1]}, {}, r"label holds values that have no order, 1, 'a';"),
        ],
    )
    def test_refused(self, long, changes, params, message):
        with pytest.raises(ValueError, match=message):
            votes_from_long(long.assign(**changes), **(KEYS | params))

    @pytest.mark.parametrize("column", ["tweet", "who", "said"])
    @pytest.mark.parametrize("cell", [[1], {"a": 1}, {1}, np.arange(2), (1, [2])], ids=str)
    def test_cells_that_cannot_be_compared(self, long, column, cell):
        cells = np.empty(len(long), dtype=object)
        cells[:] = [cell] * len(long)
        with pytest.raises(ValueError, match=rf"='{column}' holds values that cannot be compared"):
            votes_from_long(long.assign(**{column: cells}), **KEYS)

    @pytest.mark.parametrize("name", ["labels", "items"])
    def test_values_that_cannot_be_compared(self, long, name):
        for values in ([[7], [3]], [(1, [2])]):
            with pytest.raises(ValueError, match=f"{name}=.* holds values that no cell can be"):
                votes_from_long(long, **KEYS, **{name: values})
        with pytest.raises(ValueError, match=f"{name}=3 should be a list"):
            votes_from_long(long, **KEYS, **{name: 3})

    def test_no_rows(self, long):
        with pytest.raises(ValueError, match="table has no rows"):
            votes_from_long(long[:0], **KEYS)

    def test_negative_classes_can_be_told(self, long):
        said = [-1, 1, 1, 1, 0, -1]
        L, *_, classes = votes_from_long(long.assign(said=said), **KEYS, labels=[-1, 0, 1])
        assert L.tolist() == [[0, 2, -1], [-1, 2, 2], [1, -1, -1]]
        assert classes.tolist() == [-1, 0, 1]

    @given(
        st.lists(
            st.tuples(
                st.sampled_from("abcd"), st.integers(0, 3), st.sampled_from(["x", "y", None])
            ),
            min_size=1,
            max_size=25,
        ),
        st.sampled_from(["abstain", "first"]),
    )
    def test_against_a_loop(self, rows, conflicts):
        table = pd.DataFrame(rows, columns=["item", "worker", "label"]).astype({"label": object})
        table["label"] = [label for *_, label in rows]
        before = table.copy(deep=True)
        L, items, workers, classes = votes_from_long(
            table, item="item", worker="worker", label="label", conflicts=conflicts
        )
        for i, item in enumerate(items):
            for j, worker in enumerate(workers):
                said = [lab for it, wo, lab in rows if (it, wo) == (item, worker) and lab]
                expected = said[0] if said else None
                if conflicts == "abstain" and len(set(said)) > 1:
                    expected = None
                assert (classes[L[i, j]] if L[i, j] >= 0 else None) == expected
        assert sorted(items) == sorted({it for it, *_ in rows})
        pd.testing.assert_frame_equal(table, before)
