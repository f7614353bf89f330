"""What the search says of settings that cannot work, and of results that are no harm."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from cheap_models import Centroids
from skcorrupt import AdversarialCorruptionSearch, CorruptMissing, Pattern
from skcorrupt.adversarial import AdversarialSearchDisplay, SearchSpace
from skcorrupt.adversarial.display import LABEL_READ, found_in_words
from small_searches import quick, small_data


def found(low, high):
    corruption = CorruptMissing(columns="a", rate=0.2)
    return SimpleNamespace(
        worst_corruption_=corruption, worst_columns_=["a"], _target=None,
        worst_pattern_=Pattern({"b": 1}),
        metric_name_="AUC", baseline_score_=0.9, worst_score_=0.8, random_score_=0.89,
        score_drop_=0.1, confirmed_baseline_score_=0.9, confirmed_score_=0.9 - (low + high) / 2,
        confirmed_interval_=(low, high), budget=0.1, certificate_=pd.DataFrame(),
        cv_results_={"columns": [("a",)], "status": ["ok"], "mean_test_score": [0.8]},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.02, 0.06, "a drop of 0.020 to 0.060."),
        (-0.01, 0.06, "a drop of -0.010 to 0.060, which may be none."),
        (-0.06, -0.02, "no drop but a gain of 0.020 to 0.060."),
        (0.0, 0.0, "no row made a difference."),
    ],
)
def test_a_gain_is_not_called_a_drop(low, high, said):
    assert found_in_words(found(low, high)).endswith(said)


def test_a_pattern_of_a_misspelt_value_shows_the_values_there_are():
    X, y = small_data()
    X["sex"] = np.arange(len(X)) % 2 + 1.0
    with pytest.raises(ValueError, match=r"'sex == 3' matches none by itself.* 1\.0, 2\.0"):
        quick(CorruptMissing(pattern="sex == 3 and b > 0")).fit(X, y)
    with pytest.raises(ValueError, match=r"'y == 7' matches none by itself.* 0, 1"):
        quick(CorruptMissing(pattern="y == 7")).fit(X, y)
    X["twin"] = X["sex"]
    with pytest.raises(ValueError, match="each of its conditions matches some, but no row"):
        quick(CorruptMissing(pattern="sex == 1 and twin == 2")).fit(X, y)


def test_errors_outside_the_pattern_are_not_searched():
    X, y = small_data()
    template = CorruptMissing(columns="b", pattern="a <= 2", rate=0.5, outside_ratio=0.1)
    with pytest.raises(ValueError, match=r"outside_ratio=0.1, .*set_params\(outside_ratio=0"):
        quick(template).fit(X, y)
    template.set_params(outside_ratio=0, rate=None)
    search = quick(template, own_column="allowed").fit(X, y)
    assert "a <= 2" in str(search.worst_pattern_)


@pytest.mark.parametrize("budget", [np.array(0.1), np.array([[0.1]]), "0.1"])
def test_budgets_that_are_none(budget):
    with pytest.raises(ValueError, match=r"'budget' parameter|budget=.* should be a number"):
        quick(budget=budget).fit(*small_data())


def test_what_is_no_search_to_start_from():
    X, y = small_data()
    with pytest.raises(TypeError, match="should be a fitted AdversarialCorruptionSearch"):
        quick(warm_start=AdversarialCorruptionSearch).fit(X, y)
    with pytest.warns(UserWarning, match="No candidate is feasible"):
        empty = quick(min_support=0.99).fit(X, y)
    with pytest.raises(ValueError, match="has a score, so there is nothing"):
        quick(warm_start=empty).fit(X, y)


@pytest.mark.slow
def test_pictures_of_several_budgets_are_of_the_largest():
    X, y = small_data()
    several = quick(budget=[0.05, 0.4], max_conditions=2).fit(X, y)
    display = AdversarialSearchDisplay.from_search(several)
    kept = pd.DataFrame(display.candidates)
    assert 0 < len(kept) < several.n_evaluations_
    assert ((kept["row_fraction"] > 0.05) | (kept["rate"] == 1)).all()
    alone = quick(budget=0.4, max_conditions=2).fit(X, y)
    assert len(AdversarialSearchDisplay.from_search(alone).candidates["rate"]) == (
        alone.n_evaluations_
    )


def test_a_misspelt_score():
    with pytest.raises(ValueError, match=r"scoring='auc' .*did you mean .*roc_auc"):
        quick(scoring="auc").fit(*small_data())


@pytest.mark.long
def test_missing_texts_of_pandas_have_a_remedy_that_works():
    X, y = small_data()
    texts = pd.Series(np.where(X.iloc[:, 0] > 0, "high", "low"), dtype="string")
    texts = pd.DataFrame({"a": texts.mask(X.index % 10 == 0), "b": X.iloc[:, 1]})
    model = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["a"]), remainder="passthrough"), Centroids()
    )
    search = AdversarialCorruptionSearch(
        model,
        "missing",
        strategy="exhaustive",
        space=SearchSpace(max_conditions=0, corrupt_columns=["b"]),
        cv=2,
        confirm_size=None,
        random_state=0,
    )
    with pytest.raises((TypeError, ValueError), match=r"pass X\.astype\(object\)\.where"):
        search.fit(texts, y)
    search.fit(texts.astype(object).where(texts.notna(), np.nan), y)
    assert list(search.worst_columns_) == ["b"]


@pytest.mark.parametrize("frame", [True, False])
def test_columns_of_texts_are_named_with_a_remedy_that_works(frame):
    X, y = small_data()
    X["city"] = np.resize(["Rome", "Oslo", "Bonn"], len(X))
    named, at = ("city", r"\['city'\]") if frame else ("x3", r"\[3\]")
    given = X if frame else X.to_numpy()
    said = (
        rf"^RidgeClassifier does not accept texts, which X has in {named}; add an encoder .*"
        rf"make_column_transformer\(\(OneHotEncoder\(handle_unknown='ignore'\), {at}\), remainder="
    )
    space = SearchSpace(max_conditions=0)
    with pytest.raises(ValueError, match=said):
        quick("scale", RidgeClassifier(), space=space).fit(given, y)
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["city"] if frame else [3]),
        remainder="passthrough",
    )
    model = make_pipeline(encoder, RidgeClassifier())
    quick("scale" if frame else "categories", model, space=space).fit(given, y)


def test_columns_that_earlier_steps_took_are_not_blamed():
    X, y = small_data()
    X["city"] = np.resize(["Rome", "Oslo", "Bonn"], len(X))
    X["kind"] = np.resize(["p", "q"], len(X))
    encoder = make_column_transformer((OneHotEncoder(), ["city"]), remainder="passthrough")
    said = r"step 'ridgeclassifier' \(RidgeClassifier\) does not accept texts, and some of those "
    said += r"that X has in kind reach it; put an encoder for these before it, as in OneHotEncoder"
    with pytest.raises(ValueError, match=said):
        quick("scale", make_pipeline(encoder, RidgeClassifier())).fit(X, y)
    X = small_data()[0].assign(a=lambda X: X["a"].where(X["a"] < 1))
    X["a\nb"] = X["a"]
    imputer = make_column_transformer((SimpleImputer(), ["a"]), remainder="passthrough")
    said = r"does not accept missing values, and some of those that X has in a, a\\nb reach it; put"
    with pytest.raises(ValueError, match=said):
        quick("scale", make_pipeline(imputer, RidgeClassifier())).fit(X, y)


def test_texts_that_are_encoded_are_not_blamed_for_labels():
    X, _ = small_data()
    X["city"] = np.resize(["Rome", "Oslo", "Bonn"], len(X))
    encoder = make_column_transformer((OneHotEncoder(), ["city"]), remainder="passthrough")
    model = make_pipeline(encoder, LinearRegression())
    with pytest.raises(ValueError, match="as they are: could not convert string to float"):
        quick("scale", model).fit(X, np.resize([*"ab"], len(X)))


def test_a_score_of_two_classes_has_one_of_more_named():
    X, _ = small_data()
    three = np.resize([*"abc"], len(X))
    with pytest.raises(ValueError, match=r"than two classes pass an average .* as 'f1_macro'"):
        quick("labels", scoring="f1").fit(X, three)
    with pytest.raises(ValueError, match="pass scoring='roc_auc_ovr' or 'roc_auc_ovo'"):
        quick("labels", LogisticRegression(), scoring="roc_auc").fit(X, three)


def test_a_score_of_a_positive_class_has_it_named():
    X, _ = small_data()
    named = (
        r"\['a' 'b'\]\. Say which label is positive by a scorer of that metric with pos_label, as "
        r"in scoring=make_scorer\(f1_score, "
    )
    with pytest.raises(ValueError, match=named):
        quick("labels", scoring="f1").fit(X, np.resize([*"ab"], len(X)))


def test_names_of_columns_stay_on_one_line():
    X, y = small_data()
    X = X.rename(columns={name: f"{name}\nx" for name in X})
    said = quick("missing").fit(X, y).summary()
    assert "\n" not in said and r"\nx`" in said


def test_what_was_not_drawn_is_not_told():
    assert "(random 0.890)" in found_in_words(found(0.02, 0.06))
    search = found(0.02, 0.06)
    search.random_score_ = np.nan
    assert "random" not in found_in_words(search) and "nan" not in found_in_words(search)


@pytest.mark.long
def test_a_summary_says_what_a_condition_on_the_label_asks_for():
    X, y = small_data()
    search = quick(CorruptMissing()).fit(X, y)
    assert search.worst_pattern_.uses_y
    assert search.summary() == f"{found_in_words(search)} {LABEL_READ}"
    # wrong labels depend on the label by themselves
    assert LABEL_READ not in quick("labels").fit(X, y).summary()
    assert LABEL_READ not in quick(CorruptMissing(), label="forbidden").fit(X, y).summary()
    # the picture's title is the finding alone, without marks of code
    title = AdversarialSearchDisplay.from_search(search).title
    assert title == found_in_words(search).replace("`", "")


def test_scores_of_a_small_unit_are_told_with_their_digits():
    search = found(0.02, 0.06)
    for name, value in vars(search).items():
        if name.startswith(("baseline", "worst_score", "random", "confirmed", "score")):
            setattr(search, name, np.multiply(value, 1e-9))
    said = found_in_words(search)
    assert "AUC 9e-10 → 8e-10 (random 8.9e-10)" in said
    assert said.endswith("9e-10 → 8.6e-10, a drop of 2e-11 to 6e-11.")


@pytest.mark.parametrize(
    ("kind", "wanted"), [("dates", "datetime, text"), ("categories", "text, bool")]
)
def test_an_error_of_other_columns_says_which_it_strikes(kind, wanted):
    X, y = small_data()
    X = X.select_dtypes("number")
    held = rf"none of the columns .*, which hold .*, not {wanted}\. Convert .* another kind"
    with pytest.raises(ValueError, match=held):
        quick(kind).fit(X.astype(float), y)
    # of the sort that it strikes, but there is none to exchange it with
    with pytest.raises(ValueError, match=r"applies to none of the columns a\.$"):
        quick("exchange").fit(X[["a"]], y)


def test_a_class_of_a_single_row_is_told_of():
    X, y = small_data()
    y = pd.Series(np.arange(len(X)) == 0).astype(int)
    with pytest.raises(ValueError, match="training part holds one class only: drop a class"):
        quick("missing", LogisticRegression(), cv=KFold(2)).fit(X, y)
