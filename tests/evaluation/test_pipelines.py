"""Every step of a pipeline is met, with the columns that come to it."""

import pandas as pd
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.ensemble import RandomForestRegressor
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from skcorrupt.evaluation import last_step, walk
from skcorrupt.evaluation._pipelines import stages_of
from skcorrupt.utils import as_table

X = as_table(pd.DataFrame({"a": [1.0, 2.0], "b": [0.5, 0.1], "c": ["x", "y"], "d": [1.0, 3.0]}))


def steps_in(estimator):
    return [(type(step).__name__, columns) for step, columns in walk(estimator, X)]


def prepared():
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", 1]),
            ("letters", OneHotEncoder(), make_column_selector(dtype_exclude="number")),
            ("gone", "drop", slice("d", "d")),
        ],
        remainder=MinMaxScaler(),
    )


def test_columns_are_followed_as_long_as_they_have_their_places():
    assert steps_in(make_pipeline(prepared(), StandardScaler(), Ridge())) == [
        ("SimpleImputer", [0, 1]),
        ("StandardScaler", [0, 1]),
        ("OneHotEncoder", [2]),
        ("MinMaxScaler", []),
        ("StandardScaler", None),
        ("Ridge", None),
    ]


def test_a_remainder_gets_what_nothing_names():
    columns = ColumnTransformer([("a", StandardScaler(), ["a"])], remainder=MinMaxScaler())
    assert steps_in(columns) == [("StandardScaler", [0]), ("MinMaxScaler", [1, 2, 3])]


def test_a_union_hands_every_part_all_columns():
    union = FeatureUnion([("one", StandardScaler()), ("other", MinMaxScaler()), ("no", "drop")])
    assert steps_in(make_pipeline(union, Ridge())) == [
        ("StandardScaler", [0, 1, 2, 3]),
        ("MinMaxScaler", [0, 1, 2, 3]),
        ("Ridge", None),
    ]


def test_pipelines_inside_meta_estimators():
    inner = make_pipeline(SimpleImputer(), LogisticRegression())
    outer = make_pipeline(StandardScaler(), GridSearchCV(inner, {}))
    assert [name for name, _ in steps_in(outer)] == [
        "StandardScaler",
        "SimpleImputer",
        "LogisticRegression",
    ]
    assert type(last_step(outer)) is LogisticRegression
    assert type(last_step(TransformedTargetRegressor(make_pipeline(Ridge())))) is Ridge


def test_an_imputer_is_a_step_whatever_predicts_for_it():
    imputer = IterativeImputer(RandomForestRegressor())
    assert steps_in(make_pipeline(imputer, Ridge()))[0] == ("IterativeImputer", [0, 1, 2, 3])


def test_stages_are_the_leaves_before_the_model():
    pipeline = make_pipeline(prepared(), make_pipeline(StandardScaler(), Ridge()))
    assert [stage.path for stage in stages_of(pipeline)] == [
        "columntransformer__numbers__simpleimputer",
        "columntransformer__numbers__standardscaler",
        "columntransformer__letters",
        "columntransformer__remainder",
        "pipeline__standardscaler",
    ]
