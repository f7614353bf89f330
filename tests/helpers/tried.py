"""What was tried: models, data and settings, each with an error that a small search looks for.

The table of docs/tried.md is made of `TRIED` by `table`.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, StackingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from skcorrupt import CorruptDates, CorruptMissing, CorruptText

N = 60


@dataclass(frozen=True)
class Tried:
    """One line of the table.

    Attributes
    ----------
    name : str
        What was tried.
    make : callable
        `make() -> (estimator, X, y)`.
    error : str or BaseCorruption
        The kind of error.
    libraries : tuple of str
        What has to be installed.
    fit_params : callable or None
        `fit_params(X, y) -> dict`, passed to `fit`.
    routing : bool
        Whether scikit-learn's metadata routing is switched on.
    served : bool
        Whether errors strike what the model is served, once it is fitted.
    refused : str
        The text of the message, where it cannot work.
    note : str
        What to know.
    """

    name: str
    make: Callable[[], tuple[Any, Any, Any]]
    error: Any = "missing"
    libraries: tuple[str, ...] = ()
    fit_params: Callable[[Any, Any], dict[str, Any]] | None = None
    routing: bool = False
    served: bool = False
    refused: str = ""
    note: str = field(default="", kw_only=True)


@functools.cache
def numbers() -> tuple[pd.DataFrame, pd.Series]:
    """Two columns of numbers, and two classes."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=N), "b": rng.normal(size=N)})
    return X, pd.Series((X["a"] + X["b"] / 2 > 0).astype(int), name="y")


def kinds() -> tuple[pd.DataFrame, pd.Series]:
    """A column of numbers and one of categories."""
    X, y = numbers()
    return X.assign(b=pd.Categorical(np.where(X["b"] > 0, "high", "low"))), y


def of_numbers(estimator: Any, change: Callable[[pd.DataFrame], Any] = lambda X: X) -> Any:
    X, y = numbers()
    return estimator, change(X), y


def imputed(model: Any) -> Any:
    return make_pipeline(SimpleImputer(), model)


def of(module: str, name: str, **params: Any) -> Any:
    return getattr(import_module(module), name)(**params)


def boosted(module: str, name: str, **params: Any) -> Callable[[], tuple[Any, Any, Any]]:
    return lambda: (of(module, name, **params), *kinds())


def texts() -> tuple[pd.DataFrame, pd.Series]:
    X, y = numbers()
    words = np.where(y == 1, "a very good house", "a bad small flat")
    return X.assign(text=words)[["a", "text"]], y


def of_texts(step: Any) -> Callable[[], tuple[Any, Any, Any]]:
    def make() -> tuple[Any, Any, Any]:
        columns = ColumnTransformer([("words", step, "text")])
        return make_pipeline(columns, MultinomialNB()), *texts()

    return make


def filled(texts: pd.Series) -> pd.Series:
    return texts.fillna("")


def days() -> tuple[Any, pd.DataFrame, pd.Series]:
    X, y = numbers()
    X = X.assign(day=pd.Timestamp("2024-01-15") + pd.to_timedelta(np.arange(N), unit="D"))
    counted = FunctionTransformer(day_of_year)
    return make_pipeline(ColumnTransformer([("day", counted, ["day"])]), GaussianNB()), X, y


def day_of_year(frame: pd.DataFrame) -> np.ndarray:
    return pd.to_datetime(frame["day"]).dt.dayofyear.to_numpy(float, na_value=0)[:, None]


def arrow(X: pd.DataFrame) -> pd.DataFrame:
    import pyarrow

    return X.astype(pd.ArrowDtype(pyarrow.float64()))


def strings(dtype: Callable[[], Any]) -> Callable[[], tuple[Any, pd.DataFrame, pd.Series]]:
    def make() -> tuple[Any, pd.DataFrame, pd.Series]:
        X, y = kinds()
        model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), MultinomialNB())
        return model, X[["b"]].astype(dtype()), y

    return make


def arrow_strings() -> pd.ArrowDtype:
    import pyarrow

    return pd.ArrowDtype(pyarrow.string())


def whole(X: pd.DataFrame) -> pd.DataFrame:
    flag = (X["b"] > 0).astype("boolean")
    return X.assign(a=(10 * X["a"]).round().astype("Int64"), b=flag)


def polars() -> tuple[Any, Any, Any]:
    X, y = numbers()
    return imputed(GaussianNB()), of("polars", "DataFrame", data=X.to_dict("list")), y.to_numpy()


def sparse(X: pd.DataFrame) -> Any:
    from scipy.sparse import csr_array

    return csr_array(X.clip(lower=0).to_numpy())


def many_classes() -> tuple[Any, Any, Any]:
    X, _ = numbers()
    return GaussianNB(), X, pd.Series(np.digitize(X["a"], [-0.5, 0.5]))


def two_targets() -> tuple[Any, Any, Any]:
    X, y = numbers()
    return imputed(Ridge()), X, pd.DataFrame({"one": y, "two": 1 - y})


def sampled() -> tuple[Any, Any, Any]:
    from imblearn.pipeline import make_pipeline as with_samplers
    from imblearn.under_sampling import RandomUnderSampler

    return of_numbers(
        with_samplers(SimpleImputer(), RandomUnderSampler(random_state=0), GaussianNB())
    )


def early_stopped() -> Any:
    return HistGradientBoostingClassifier(max_iter=4, early_stopping=True, random_state=0)


def stacked() -> Any:
    return StackingClassifier([("nb", GaussianNB())], LogisticRegression(), cv=2)


def catboost(iterations: int = 3) -> Any:
    quiet = {"verbose": 0, "allow_writing_files": False}
    return of("catboost", "CatBoostClassifier", iterations=iterations, thread_count=1, **quiet)


def weights(X: Any, y: Any) -> dict[str, Any]:
    return {"sample_weight": np.linspace(0.5, 1.5, N)}


def evaluated(X: Any, y: Any) -> dict[str, Any]:
    return {"eval_set": [(X.iloc[:10], y.iloc[:10])]}


def stopped(X: Any, y: Any) -> dict[str, Any]:
    return {**evaluated(X, y), "early_stopping_rounds": 2}


def stopped_lightgbm(X: Any, y: Any) -> dict[str, Any]:
    return {**evaluated(X, y), "callbacks": [of("lightgbm", "early_stopping", stopping_rounds=2)]}


def routed() -> Any:
    return GaussianNB().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)


XGBOOST = {"n_estimators": 3, "enable_categorical": True, "n_jobs": 1}
LIGHTGBM = {"n_estimators": 3, "min_child_samples": 3, "verbose": -1, "n_jobs": 1}
CLEAN_SET = "The evaluation set stays clean."
BOOSTING = "Gaps and categories go to the model as they are."
TRIED = [
    Tried(
        "XGBoost",
        boosted("xgboost", "XGBClassifier", **XGBOOST),
        libraries=("xgboost",),
        note=BOOSTING,
    ),
    Tried(
        "XGBoost, early stopping on a set of its own",
        boosted(
            "xgboost",
            "XGBClassifier",
            **{**XGBOOST, "n_estimators": 9, "early_stopping_rounds": 2},
        ),
        libraries=("xgboost",),
        fit_params=evaluated,
        note=CLEAN_SET,
    ),
    Tried(
        "LightGBM",
        boosted("lightgbm", "LGBMClassifier", **LIGHTGBM),
        libraries=("lightgbm",),
        note=BOOSTING,
    ),
    Tried(
        "LightGBM, early stopping on a set of its own",
        boosted("lightgbm", "LGBMClassifier", **{**LIGHTGBM, "n_estimators": 9}),
        libraries=("lightgbm",),
        fit_params=stopped_lightgbm,
        note=CLEAN_SET,
    ),
    Tried("CatBoost, gaps", lambda: of_numbers(catboost()), libraries=("catboost",)),
    Tried(
        "CatBoost, early stopping on a set of its own",
        lambda: of_numbers(catboost(9)),
        libraries=("catboost",),
        fit_params=stopped,
        note=CLEAN_SET,
    ),
    Tried(
        "CatBoost, categories",
        lambda: (catboost(), *kinds()),
        "categories",
        libraries=("catboost",),
        fit_params=lambda X, y: {"cat_features": ["b"]},
        note="Pass `cat_features` to `fit`: scikit-learn cannot clone a CatBoost model that has "
        "it. CatBoost takes no gaps in categories.",
    ),
    Tried(
        "early stopping within the training rows",
        lambda: of_numbers(early_stopped()),
        note="Rows held back for it have errors too.",
    ),
    Tried("calibrated", lambda: of_numbers(imputed(CalibratedClassifierCV(GaussianNB(), cv=2)))),
    Tried("stacked", lambda: of_numbers(imputed(stacked()))),
    Tried(
        "threshold tuned",
        lambda: of_numbers(imputed(TunedThresholdClassifierCV(GaussianNB(), cv=2, thresholds=5))),
    ),
    Tried(
        "threshold fixed",
        lambda: of_numbers(imputed(FixedThresholdClassifier(GaussianNB(), threshold=0.4))),
    ),
    Tried(
        "`TransformedTargetRegressor`",
        lambda: of_numbers(
            TransformedTargetRegressor(imputed(Ridge()), func=np.log1p, inverse_func=np.expm1)
        ),
    ),
    Tried("texts, damaged", of_texts(TfidfVectorizer()), CorruptText("text")),
    Tried(
        "texts, lost",
        of_texts(make_pipeline(FunctionTransformer(filled), TfidfVectorizer())),
        CorruptMissing("text"),
        note="`TfidfVectorizer` takes no gaps: fill them before it.",
    ),
    Tried("dates", days, CorruptDates("day"), note="Dates become numbers within the pipeline."),
    Tried(
        "nullable dtypes",
        lambda: of_numbers(
            HistGradientBoostingClassifier(max_iter=3), lambda X: X.astype("Float64")
        ),
    ),
    Tried(
        "Arrow dtypes",
        lambda: of_numbers(HistGradientBoostingClassifier(max_iter=3), arrow),
        libraries=("pyarrow",),
    ),
    Tried(
        "`Int64` and `boolean`",
        lambda: of_numbers(HistGradientBoostingClassifier(max_iter=3), whole),
    ),
    Tried("`string` dtype", strings(pd.StringDtype), "categories"),
    Tried("strings of Arrow", strings(arrow_strings), "categories", libraries=("pyarrow",)),
    Tried("polars frames", polars, libraries=("polars", "pyarrow")),
    Tried("sparse matrices", lambda: of_numbers(MultinomialNB(), sparse), "labels"),
    Tried("several classes", many_classes, "labels"),
    Tried(
        "several targets",
        two_targets,
        refused="several labels a row; pass one column",
        note="One target at a time; wrap a model for each.",
    ),
    Tried("imbalanced-learn's samplers", sampled),
    Tried("weights of rows", lambda: of_numbers(GaussianNB()), "labels", fit_params=weights),
    Tried(
        "metadata routing",
        lambda: of_numbers(routed()),
        "labels",
        fit_params=weights,
        routing=True,
    ),
    Tried(
        "XGBoost, served",
        boosted("xgboost", "XGBClassifier", **XGBOOST),
        libraries=("xgboost",),
        served=True,
    ),
    Tried(
        "LightGBM, served",
        boosted("lightgbm", "LGBMClassifier", **LIGHTGBM),
        libraries=("lightgbm",),
        served=True,
    ),
    Tried("CatBoost, served", lambda: of_numbers(catboost()), libraries=("catboost",), served=True),
    Tried(
        "calibrated, served",
        lambda: of_numbers(imputed(CalibratedClassifierCV(GaussianNB(), cv=2))),
        served=True,
    ),
    Tried("polars frames, served", polars, libraries=("polars", "pyarrow"), served=True),
]


def table() -> str:
    """The table of the guide."""
    lines = ["| tried | error | works | note |", "|---|---|---|---|"]
    for each in TRIED:
        error = each.error if isinstance(each.error, str) else type(each.error).__name__
        works = "refused" if each.refused else "yes"
        lines.append(f"| {each.name} | `{error}` | {works} | {each.note} |")
    return "\n".join(lines)
