"""A user's file and pipeline, with errors that say what to do."""

from __future__ import annotations

import difflib
import importlib
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import joblib
import numpy as np
import pandas as pd
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import from_file
from skcorrupt.utils._as_text import counted
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._validation import ALIKE

from ._command_error import CommandError, fail
from ._typed import listed

Made = TypeVar("Made")

SHOWN_COLUMNS = 20
# what may stand between cells in place of a comma
OTHER_SEPARATORS = (";", "\t", "|")
# a numeric label with more values than this is taken for a quantity, not for classes
MOST_CLASSES = 20
MOST_CATEGORIES = 20
# up to here a float is one whole number alone
MOST_EXACT = 2**53
# signs in one name of a header that look like what stands between names
SEVERAL = 2
# what pandas says of objects that are numbers
NUMBERS = ("decimal", "floating", "integer", "mixed-integer-float")
MODEL_FILES = (".joblib", ".pkl", ".pickle")


def load_json(option: str, path: Path, read: Callable[[Any], Made], remedy: str) -> Made:
    """What a JSON file describes.

    Parameters
    ----------
    option : str
        The option that names it, or "".
    path : Path
        The file.
    read : callable
        `read(data)` makes it of what the file holds.
    remedy : str
        How to come by such a file.

    Returns
    -------
    object
        What was read.

    Raises
    ------
    CommandError
        If there is no such file, or none that describes it.
    """
    try:
        return from_file(path, read)
    except OSError as error:
        raise CommandError(
            f"cannot read {option}{path} ({error.strerror or error}); {remedy}"
        ) from None
    except ValueError as error:
        raise CommandError(f"{option}{error}") from None


def split_label(
    frame: pd.DataFrame, label: str, drop: list[str], path: Path
) -> tuple[pd.DataFrame, pd.Series]:
    """Part the label from the features, of rows that have a label.

    Parameters
    ----------
    frame : DataFrame
        The whole table.
    label : str
        The label's column.
    drop : list of str
        Columns to leave out.
    path : Path
        The file, for messages.

    Returns
    -------
    X : DataFrame
        The features.
    y : Series
        The labels.

    Raises
    ------
    CommandError
        If a column is unknown, no feature is left, or the label is missing or constant.
    """
    check_columns("--label", [label], list(frame.columns))
    check_columns("--drop", drop, list(frame.columns), several=True)
    if label in drop:
        raise CommandError(f"--drop {label!r} is the --label; drop other columns")
    y = frame[label]
    X = frame.drop(columns=[label, *drop])
    if X.shape[1] == 0:
        raise CommandError(f"{path} has no column besides --label {label!r}")
    missing = y.isna()
    if missing.all():
        raise CommandError(f"the label {label!r} is missing in every row of {path}; name another")
    X, y = X[~missing], _without_gaps(y)
    if y.nunique() == 1:
        raise CommandError(
            f"the label {label!r} is {y.iloc[0]} in every row of {path}; it should have two values "
            "or more"
        )
    if not pd.api.types.is_numeric_dtype(y) and 2 * y.nunique() > len(y):
        raise CommandError(
            f"the label {label!r} has {y.nunique()} different values in {len(y)} rows of {path}, "
            "as names have; it should be a number or one of a few classes"
        )
    return X, y


def _without_gaps(y: pd.Series) -> pd.Series:
    """Labels that are there: truth values and whole numbers, if gaps made other types of them.

    Decimals become floats.
    """
    known = y.dropna().infer_objects()
    if known.dtype == object and pd.api.types.infer_dtype(known) == "decimal":
        return known.astype(float)
    gaps = len(known) < len(y) and known.dtype == float
    # above these floats are whole whatever they stand for
    whole = gaps and (known % 1 == 0).all() and (known.abs() < MOST_EXACT).all()
    return known.astype("int64") if whole else known


def check_columns(
    option: str, names: list[str], columns: list[str], *, several: bool = False
) -> None:
    """Refuse names of columns that are not there.

    Parameters
    ----------
    option : str
        The option, for the message.
    names : list of str
        Names the user gave.
    columns : list of str
        Names there are.
    several : bool, default=False
        Whether the option takes several names, with those in quotes that have a comma.

    Raises
    ------
    CommandError
        If one is unknown.
    """
    for name in names:
        if name in columns:
            continue
        close = difflib.get_close_matches(name, columns, n=1, cutoff=ALIKE)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        joined = [c for c in columns if max(map(c.count, OTHER_SEPARATORS)) >= SEVERAL]
        if len(columns) == 1:
            hint = f" There is one column only; {sep_hint(columns)}."
        elif joined and not close:
            hint = f" A column seems to hold several; {sep_hint(joined)}."
        rest = len(columns) - SHOWN_COLUMNS
        more = f", … (+{rest} more)" if rest > 0 else ""
        some = list(map(on_one_line, columns[:SHOWN_COLUMNS]))
        shown = (listed(some, ", ") if several else listed_labels(some)) + more
        raise CommandError(f"{option} {name!r} is not a column.{hint} The columns are: {shown}")


def sep_hint(columns: list[str]) -> str:
    """What to do about what seems to stand between the names of a header line.

    Parameters
    ----------
    columns : list of str
        The one name that was read.

    Returns
    -------
    str
        Half a sentence.
    """
    seen = {sign: columns[0].count(sign) for sign in (",", *OTHER_SEPARATORS)}
    sign = max(seen, key=lambda each: seen[each])
    if not seen[sign]:
        return "if the file has more, say with --sep what separates its cells"
    name, option = ("a tab", "tab") if sign == "\t" else (f"'{sign}'", f"'{sign}'")
    return f"if cells are separated by {name}, pass --sep {option}"


def load_object(spec: str, *, option: str) -> Any:
    """Import what stands in a module as `module:object`.

    Parameters
    ----------
    spec : str
        The module's dotted name and the object's.
    option : str
        Where it was given, for messages.

    Returns
    -------
    object
        Whatever it is.

    Raises
    ------
    CommandError
        If it cannot be imported.
    """
    option = f"{option} {spec!r}"
    module_name, _, path = spec.partition(":")
    if "/" in module_name or "\\" in module_name or module_name.endswith(".py"):
        raise CommandError(
            f"{option} names a file; name the module, {Path(module_name).stem}:{path or 'object'}, "
            "and run the command in its folder"
        )
    if not all(part.isidentifier() for part in [*module_name.split("."), *path.split(".")]):
        raise CommandError(
            f"{option} should be module:object, such as model:pipeline for the object 'pipeline' "
            "in model.py"
        )
    thing = _import(module_name, option)
    for part in path.split("."):
        if not hasattr(thing, part):
            names = [name for name in dir(thing) if not name.startswith("_")]
            close = difflib.get_close_matches(part, names, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise CommandError(f"{option}: {module_name!r} has no {part!r}{hint}")
        thing = getattr(thing, part)
    return thing


def load_pipeline(spec: str, *, option: str = "--pipeline") -> Any:
    """Import an estimator that stands in a module as `module:object`.

    Parameters
    ----------
    spec : str
        The module's dotted name and the object's, which is an estimator or a function of no
        arguments that returns one.
    option : str, default="--pipeline"
        Where it was given, for messages.

    Returns
    -------
    estimator
        The estimator, not fitted here.

    Raises
    ------
    CommandError
        If it cannot be imported or is not an estimator.
    """
    thing = load_object(spec, option=option)
    option = f"{option} {spec!r}"
    if callable(thing) and (isinstance(thing, type) or not hasattr(thing, "fit")):
        thing = _call(thing, option)
    if isinstance(thing, type) or not hasattr(thing, "fit") or not hasattr(thing, "get_params"):
        raise CommandError(
            f"{option} is of type {type(thing).__name__}, not an estimator; it should be an object "
            "with fit and get_params, or a function of no arguments that returns one"
        )
    return thing


def load_model(spec: str, *, trusted: bool) -> Any:
    """A fitted model, from a module or from a file.

    Parameters
    ----------
    spec : str
        `module:object`, or the path of a file of joblib or pickle.
    trusted : bool
        Whether a file may be loaded, which runs whatever code is in it.

    Returns
    -------
    estimator
        The model.

    Raises
    ------
    CommandError
        If it cannot be loaded, is not trusted, or is not fitted.
    """
    option = f"--model {spec!r}"
    if Path(spec).suffix in MODEL_FILES:
        if not trusted:
            raise CommandError(
                f"{option} is a file that may run any code when it is loaded; add --trust if you "
                "know where it comes from, or name a module:object"
            )
        try:
            model = joblib.load(spec)
        except Exception as error:
            _fail_at(f"{option}: loading it failed", error)
    else:
        model = load_pipeline(spec, option="--model")
    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):
        raise CommandError(
            f"{option} is of type {type(model).__name__} and not a fitted model; fit it where it "
            "is made, or pass --pipeline, which is fitted here"
        ) from None
    return model


def _import(name: str, option: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise CommandError(
                f"{option}: there is no module {error.name!r} in the current folder or among the "
                "installed ones"
            ) from None
        _fail_at(f"{option}: importing {name!r} failed", error)
    except (Exception, SystemExit) as error:
        _fail_at(f"{option}: importing {name!r} failed", error)


def _call(factory: Callable[[], Any], option: str) -> Any:
    try:
        return factory()
    except Exception as error:
        _fail_at(f"{option}: calling it without arguments failed", error)


def _fail_at(doing: str, error: BaseException) -> NoReturn:
    """Fail with the line of the user's file in which it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith("<") and f.filename != __file__]
    if isinstance(error, SyntaxError) and error.filename:
        # it has not run, so it is in no frame
        place = f"{Path(error.filename).name}, line {error.lineno}"
        raise CommandError(f"{doing} ({place}): SyntaxError: {error.msg}") from error
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    fail(doing + place, error)


def default_pipeline(X: pd.DataFrame, y: pd.Series) -> tuple[Any, str]:
    """A pipeline for those who bring none.

    Parameters
    ----------
    X : DataFrame of shape (n_samples, n_features)
        Features.
    y : Series of shape (n_samples,)
        Labels.

    Returns
    -------
    pipeline : Pipeline
        Imputer and scaler for numbers and times, one-hot encoding for all else, a linear model.
    description : str
        The same in words.
    """
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

    held: dict[str, list[Any]] = {}
    for name in X.columns:
        held.setdefault(_prepared_as(X[name]), []).append(name)
    numbers, dates, durations, others = (
        held.get(each, []) for each in ("numbers", "dates", "durations", "others")
    )
    parts: list[tuple[Any, ...]] = []
    said = []
    if numbers:
        # an all-missing column keeps its place, so that a candidate cannot fail for that
        imputer = SimpleImputer(strategy="median", keep_empty_features=True)
        any_objects = any(X[name].dtype == object for name in numbers)
        read = [FunctionTransformer(floats_of)] if any_objects else []
        parts.append((make_pipeline(*read, imputer, StandardScaler()), numbers))
        said.append(f"median imputer and scaler for {counted(len(numbers), 'column')} of numbers")
    if dates:
        imputer = SimpleImputer(strategy="median", keep_empty_features=True)
        days = make_pipeline(FunctionTransformer(days_of), imputer, StandardScaler())
        parts.append((days, dates))
        said.append(f"days, imputed and scaled, for {counted(len(dates), 'column')} of dates")
    if durations:
        imputer = SimpleImputer(strategy="median", keep_empty_features=True)
        seconds = make_pipeline(FunctionTransformer(seconds_of), imputer, StandardScaler())
        parts.append((seconds, durations))
        said.append(
            f"seconds, imputed and scaled, for {counted(len(durations), 'column')} of durations"
        )
    if others:
        encoder = OneHotEncoder(
            handle_unknown="infrequent_if_exist", max_categories=MOST_CATEGORIES
        )
        nullable = any(getattr(X[name].dtype, "na_value", None) is pd.NA for name in others)
        read = [FunctionTransformer(with_nan)] if nullable else []
        parts.append((make_pipeline(*read, encoder) if nullable else encoder, others))
        said.append(f"one-hot encoding for {counted(len(others), 'other' if said else 'column')}")
    quantity = pd.api.types.is_numeric_dtype(y) and y.nunique() > MOST_CLASSES
    model = Ridge() if quantity else LogisticRegression(max_iter=1000)
    said.append("ridge regression" if quantity else "logistic regression")
    return make_pipeline(make_column_transformer(*parts), model), ", ".join(said)


def _prepared_as(column: pd.Series) -> str:
    """Which part of a default pipeline takes a column."""
    dtypes = pd.api.types
    if column.dtype == object:
        return "numbers" if dtypes.infer_dtype(column, skipna=True) in NUMBERS else "others"
    if column.dtype.kind in "mM":
        return "durations" if column.dtype.kind == "m" else "dates"
    is_number = dtypes.is_numeric_dtype(column) and not dtypes.is_bool_dtype(column)
    return "numbers" if is_number else "others"


def floats_of(numbers: pd.DataFrame) -> pd.DataFrame:
    """Numbers of any type, such as decimals, as floats.

    Parameters
    ----------
    numbers : DataFrame of shape (n_samples, n_columns)
        Columns of numbers, missing ones among them.

    Returns
    -------
    DataFrame of shape (n_samples, n_columns)
        Floats.
    """
    return numbers.astype(object).where(numbers.notna(), np.nan).astype(float)


def with_nan(names: pd.DataFrame) -> pd.DataFrame:
    """Cells as objects, NaN where they are missing, as encoders take them.

    Parameters
    ----------
    names : DataFrame of shape (n_samples, n_columns)
        Columns of categories.

    Returns
    -------
    DataFrame of shape (n_samples, n_columns)
        The same without `pandas.NA`.
    """
    return names.astype(object).where(names.notna(), np.nan)


def days_of(dates: pd.DataFrame) -> pd.DataFrame:
    """Dates as days since 1970, NaN where there is no date.

    Parameters
    ----------
    dates : DataFrame of shape (n_samples, n_columns)
        Columns of dates, or of what errors made of them.

    Returns
    -------
    DataFrame of shape (n_samples, n_columns)
        Days, with their fractions.
    """
    start, day = pd.Timestamp("1970-01-01", tz="UTC"), pd.Timedelta(days=1)
    read = (pd.to_datetime(dates[name], errors="coerce", utc=True) for name in dates)
    return pd.DataFrame(
        {name: (each - start) / day for name, each in zip(dates, read, strict=True)}
    )


def seconds_of(durations: pd.DataFrame) -> pd.DataFrame:
    """Durations as seconds, NaN where there is none.

    Parameters
    ----------
    durations : DataFrame of shape (n_samples, n_columns)
        Columns of durations, or of what errors made of them.

    Returns
    -------
    DataFrame of shape (n_samples, n_columns)
        Seconds, with their fractions.
    """
    second = pd.Timedelta(seconds=1)
    return pd.DataFrame(
        {name: pd.to_timedelta(durations[name], errors="coerce") / second for name in durations}
    )


def said_of(path: Path, X: pd.DataFrame, label: str | None, n_read: int) -> str:
    """What a command works on, in a line.

    Parameters
    ----------
    path : Path
        The file.
    X : DataFrame of shape (n_samples, n_features)
        Features.
    label : str or None
        The label's column.
    n_read : int
        Rows of the file; those beyond `n_samples` have no label.

    Returns
    -------
    str
        Numbers of rows and features, and the label.
    """
    labelled = "no label" if label is None else f"label {label!r}"
    features = counted(X.shape[1], "feature")
    said = f"{path}: {X.shape[0]} rows, {features}, {labelled}"
    left_out = counted(n_read - len(X), "row")
    return said if n_read == len(X) else f"{said}; {left_out} without a label left out"


def import_from_here() -> None:
    """Let modules of the current folder be imported, here and by workers."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
