"""The description of a study, as a file that people can read and write."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from skcorrupt.evaluation._silhouette import check_scoring_name
from skcorrupt.utils import Reader, checked_path, document, from_file, named_estimators
from skcorrupt.utils._typing import Estimator

from ._checks import MOST_FEATURES, checked_levels
from ._error_entries import corruption_of, entries_of
from ._error_sensitivity_profiler import ErrorSensitivityProfiler
from ._scenario import STRATEGIES
from ._screening import SCREENINGS

OF_DATA = ("label", "drop", "models")
# bounds of numbers, and whether each bound itself is allowed
BOUNDS = {
    "correlation_threshold": (0.0, False, 1.0, True),
    "alpha": (0.0, False, 1.0, False),
    "tau": (0.0, True, float("inf"), False),
}


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """What a study of error sensitivity does, without its data and models.

    A strategy is a JSON object with the attributes below as keys. Only `corruptions` is required;
    what is left out has its default, null means none. An entry of `corruptions` is an object::

        {
            "name": "lost income",
            "kind": "missing",
            "columns": ["income"],
            "pattern": "age >= 60",
            "params": {"mechanism": {"mechanism": "MAR"}},
        }

    - `kind`, required: "missing", "noise", "outliers", "categories", "scale", "labels",
      "selection", "duplicates" or another short name, or the name of a corruption's class.
    - `name`: what the results call it; the kind, if left out.
    - `columns`: list of columns that it may strike; all it applies to, if left out. Not for
      errors of labels or rows.
    - `pattern`: text such as "age >= 60 and city == 'Rome'", for the rows that can be struck;
      every row, if left out.
    - `params`: object of further parameters of the class, as its `to_dict` writes them, such as
      `{"sampling": "exponential"}` for errors that gather in the first rows. The rate and the
      seed are the study's, and training data alone is struck.

    Attributes
    ----------
    corruptions : list of dict
        Entries as above, one or more. A corruption, a list or a mapping of names to corruptions
        is turned into entries; their rates and seeds are left out.
    strategy : {"one-feature", "correlated", "custom"}, default="one-feature"
        What is struck together: each column by itself, columns that go together, or all columns
        of an entry.
    levels : list of float, default=[0, 0.2, 0.4, 0.6, 0.8]
        Rates, growing from 0, to 1 at most.
    n_repeats : int, default=30
        Random splits into training and test data, 80 % and 20 %, where `cv` is left out.
    cv : int or None, default=None
        Number of folds, each of which is a repeat, instead of random splits.
    correlation_threshold : float in (0, 1], default=0.8
        With "correlated", the association from which columns go together.
    screening : {"importance", "variance", "association"} or None, default=None
        Of wide data, which columns are studied; None is all. Not with "custom".
    max_features : int, default=20
        With `screening`, how many.
    scoring : str or None, default=None
        Name of a score of scikit-learn, or "silhouette" for clusterers; None is each model's own.
    alpha : float in (0, 1), default=0.05
        False discovery rate.
    tau : float, default=0.05
        Size of AEPC, as a fraction, above which a significant profile matters.
    random_state : int or None, default=0
        Seed of splits and errors; None draws a fresh one each time.
    label : str or None, default=None
        Column to predict, for commands that read a file.
    drop : list of str, default=[]
        Columns to leave out, for commands that read a file.
    models : list of str or None, default=None
        Names of the models to study; None is all that are given.

    Raises
    ------
    ValueError
        If a field has a value that it cannot have; the message names both, and a remedy.
    TypeError
        If a corruption is neither an entry nor a corruption.

    See Also
    --------
    ErrorSensitivityProfiler : Carries it out.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt.sensitivity import Strategy
    >>> strategy = Strategy.from_dict(
    ...     {"corruptions": [{"kind": "noise", "params": {"scale": 3.0}}], "n_repeats": 14}
    ... )
    >>> print(strategy.profiler(GaussianNB()).plan(*load_iris(return_X_y=True)).n_scenarios)
    4
    """

    corruptions: Any
    strategy: str = "one-feature"
    levels: Sequence[float] = (0, 0.2, 0.4, 0.6, 0.8)
    n_repeats: int = 30
    cv: int | None = None
    correlation_threshold: float = 0.8
    screening: str | None = None
    max_features: int = MOST_FEATURES
    scoring: str | None = None
    alpha: float = 0.05
    tau: float = 0.05
    random_state: int | None = 0
    label: str | None = None
    drop: Sequence[str] = ()
    models: Sequence[str] | None = None

    # it holds lists, and equal numbers such as 2 and 2.0 have different JSON
    __hash__ = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        changed: dict[str, Any] = {"corruptions": entries_of(self.corruptions)}
        Reader(self.strategy, "strategy").one_of(STRATEGIES)
        changed["levels"] = checked_levels(self.levels)
        if self.screening is not None:
            otherwise = ", or be left out for all columns"
            Reader(self.screening, "screening").one_of(SCREENINGS, otherwise)
        if self.screening is not None and self.strategy == "custom":
            raise ValueError(
                f"screening={self.screening!r} chooses columns, which strategy='custom' leaves to "
                "the corruptions; leave it out, or use another strategy."
            )
        for name, least in (("n_repeats", 1), ("cv", 2), ("max_features", 1), ("random_state", 0)):
            if name not in ("cv", "random_state") or getattr(self, name) is not None:
                reader = Reader(getattr(self, name), name)
                changed[name] = reader.integer(least, ", or be left out")
        for name in BOUNDS:
            changed[name] = _number(name, getattr(self, name))
        if self.scoring is not None:
            check_scoring_name(self.scoring)
        if self.label is not None and not isinstance(self.label, str):
            Reader(self.label, "label").refuse("the name of a column, or be left out")
        changed["drop"] = _names("drop", self.drop)
        if self.label in changed["drop"]:
            raise ValueError(f"drop={self.drop!r} has the label {self.label!r}; take it out.")
        if self.models is not None:
            changed["models"] = _names("models", self.models)
            if not changed["models"]:
                raise ValueError("models=[] has none; name one or more, or leave it out for all.")
        for name, value in changed.items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """The strategy as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `Strategy.from_dict`.
        """
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Strategy:
        """The strategy that `to_dict`, or a person, described.

        Parameters
        ----------
        data : mapping
            Values by field.

        Returns
        -------
        Strategy
            The strategy.

        Raises
        ------
        ValueError
            If a field is unknown or missing, or its value is wrong; the message names its place.
        """
        reader = document(data)
        known = [field.name for field in fields(cls)]
        reader.fields(["corruptions"], known[1:], "a strategy")
        return reader.made(cls, **data)

    def to_json(self, path: str | Path) -> None:
        """Write a JSON file.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        checked_path("path", path).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def from_json(cls, path: str | Path) -> Strategy:
        """Read a JSON file.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        Strategy
            The strategy.

        Raises
        ------
        ValueError
            If it is no JSON, or a field is unknown, missing, wrong or there twice; the message
            names the file and the place in it.
        OSError
            If there is no such file.
        """
        return from_file(path, cls.from_dict)

    def profiler(
        self, estimators: Estimator | Sequence[Estimator] | Mapping[str, Estimator], **changes: Any
    ) -> ErrorSensitivityProfiler:
        """The profiler that carries it out.

        Parameters
        ----------
        estimators : estimator, sequence of estimators, or mapping of str to estimator
            The models, of which `models` names those to study.
        **changes : object
            Parameters of the profiler that the strategy does not have, such as `journal` and
            `n_jobs`, or that should differ from it.

        Returns
        -------
        ErrorSensitivityProfiler
            Not fitted.

        Raises
        ------
        ValueError
            If a model is not among the estimators.
        """
        if self.models is not None:
            estimators = named_estimators(estimators)
            for name in self.models:
                if name not in estimators:
                    raise ValueError(
                        f"models: {name!r} is not among the estimators, which are "
                        f"{', '.join(map(str, estimators))}; rename it, or leave models out."
                    )
            estimators = {name: estimators[name] for name in self.models}
        settings = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in OF_DATA
        }
        settings["corruptions"] = {each["name"]: corruption_of(each) for each in self.corruptions}
        return ErrorSensitivityProfiler(estimators, **(settings | changes))


def _number(name: str, value: Any) -> float:
    low, with_low, high, with_high = BOUNDS[name]
    least = f"{'at least' if with_low else 'above'} {low:g}"
    most = "" if high == float("inf") else f" and {'at most' if with_high else 'below'} {high:g}"
    reader, what = Reader(value, name), f"a number {least}{most}, or be left out"
    number = float(reader.number(what))
    if not (low < number or (with_low and number == low)) or not (
        number < high or (with_high and number == high)
    ):
        reader.refuse(what)
    return number


def _names(name: str, values: Any) -> list[str]:
    what = 'a list of different names, such as ["a", "b"], or be left out for the default'
    return list(Reader(values, name).names(what))
