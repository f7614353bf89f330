"""Labeling functions made of patterns, thresholds, words, classifiers and crowd workers."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_list_like
from sklearn.utils.validation import check_is_fitted

from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils._typing import ColumnLabels

from ..patterns import Pattern, as_pattern
from ..utils import Sheltered, as_table, check_arguments, resolve_columns
from ._labeling_function import LabelingFunction
from ._returned_votes import read_vote
from ._texts import texts_of
from ._votes import ABSTAIN

_LONGEST_NAME = 60


@dataclass(frozen=True)
class _PatternVotes:
    """The label where a pattern matches."""

    pattern: Pattern
    label: int

    def __call__(self, X: Any) -> np.ndarray:
        return np.where(self.pattern.mask(X), self.label, ABSTAIN)


@dataclass(frozen=True)
class _TextVotes:
    """The label where an expression is found in the text."""

    regex: re.Pattern[str]
    label: int
    column: Any

    def __call__(self, X: Any) -> np.ndarray:
        search = self.regex.search
        found = [text is not None and bool(search(text)) for text in texts_of(X, self.column)]
        return np.where(found, self.label, ABSTAIN)


@dataclass(frozen=True, eq=False)
class _ClassifierVotes:
    """The class of a classifier where it is sure."""

    estimator: Any
    votes: np.ndarray
    min_confidence: float
    columns: Any

    def __call__(self, X: Any) -> np.ndarray:
        proba = np.asarray(Sheltered(self.estimator).predict_proba(_columns_of(X, self.columns)))
        # a probability of .8 that comes as a mean of others can be a little less
        sure = proba.max(axis=1) >= self.min_confidence - 1e-9
        return np.where(sure, self.votes[proba.argmax(axis=1)], ABSTAIN)


def lf_from_pattern(
    pattern: PatternLike, label: int, *, name: str | None = None
) -> LabelingFunction:
    """Make a labeling function that votes where a pattern matches.

    Parameters
    ----------
    pattern : Pattern, str, dict or None
        The condition on the columns, such as "age > 60 and pulse > 120"; None is every row.
    label : int
        The class it votes for, from 0.
    name : str, default=None
        What it is called; None takes the pattern and the label.

    Returns
    -------
    LabelingFunction
        A vectorised one. Missing values match nothing, so it abstains there.

    Raises
    ------
    ValueError
        If the pattern is refused or reads the label, or `label` is no class.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.curation import apply_lfs, lf_from_pattern
    >>> X = pd.DataFrame({"age": [70, 50], "pulse": [130, 130]})
    >>> apply_lfs(X, [lf_from_pattern("age > 60 and pulse > 120", 1)])
    array([[ 1],
           [-1]])
    """
    condition = as_pattern(pattern)
    if condition.uses_y:
        raise ValueError(
            f"pattern={str(condition)!r} reads the label y, which labeling functions are to find; "
            "use the other columns, and backticks for a column called y."
        )
    return _made(_PatternVotes(condition, _checked_label(label)), str(condition), label, name)


def lf_from_threshold(
    column: Hashable,
    *,
    above: float | None = None,
    below: float | None = None,
    label: int,
    name: str | None = None,
) -> LabelingFunction:
    """Make a labeling function that votes where a column is above or below a number.

    Parameters
    ----------
    column : label
        The column; for arrays x0, x1, … or its position.
    above, below : float, default=None
        It votes where the value is greater than `above` and less than `below`; dates are possible
        for a column of dates.
    label : int
        The class it votes for, from 0.
    name : str, default=None
        What it is called; None takes the condition and the label.

    Returns
    -------
    LabelingFunction
        A vectorised one. It abstains where the value is missing.

    Raises
    ------
    ValueError
        If neither threshold is given, no value can satisfy both, or `label` is no class.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.curation import apply_lfs, lf_from_threshold
    >>> X = pd.DataFrame({"pulse": [130.0, 70.0, None]})
    >>> fast = lf_from_threshold("pulse", above=120, label=1)
    >>> slow = lf_from_threshold("pulse", below=90, label=0)
    >>> apply_lfs(X, [fast, slow])
    array([[ 1, -1],
           [-1,  0],
           [-1, -1]])
    >>> fast.name
    'pulse > 120 -> 1'
    """
    if above is None and below is None:
        raise ValueError("above and below are both None; give one of them, or both for a range.")
    bounds = {key: value for key, value in (("gt", above), ("lt", below)) if value is not None}
    try:
        condition = Pattern.from_dict({"conditions": [{"column": str(column), **bounds}]})
    except ValueError as error:
        raise ValueError(
            f"column={column!r}, above={above!r}, below={below!r}: {error} Both hold at once; for "
            "one or the other make two functions."
        ) from None
    return _made(_PatternVotes(condition, _checked_label(label)), str(condition), label, name)


def lf_from_keywords(
    keywords: str | Sequence[str],
    label: int,
    *,
    column: Hashable | None = None,
    name: str | None = None,
    case: bool = False,
    whole_words: bool = True,
) -> LabelingFunction:
    """Make a labeling function that votes where a text has one of some keywords.

    Parameters
    ----------
    keywords : str or sequence of str
        Words or phrases; a space in a phrase stands for any white space.
    label : int
        The class it votes for, from 0.
    column : label, default=None
        The column, or the key of dicts, that holds the texts; None where the samples are texts.
    name : str, default=None
        What it is called; None takes the keywords and the label.
    case : bool, default=False
        Whether upper and lower case differ.
    whole_words : bool, default=True
        Whether a keyword counts only as a word of its own: "win", not "window".

    Returns
    -------
    LabelingFunction
        A vectorised one. It abstains where the text is missing.

    Raises
    ------
    ValueError
        If there are no keywords, one is empty, or `label` is no class.

    Examples
    --------
    >>> from skcorrupt.curation import apply_lfs, lf_from_keywords
    >>> spam = lf_from_keywords(["win", "free"], 1)
    >>> apply_lfs(["Win a prize", "The window is open", None], [spam])
    array([[ 1],
           [-1],
           [-1]])
    """
    check_arguments("lf_from_keywords", {"case": ["boolean"], "whole_words": ["boolean"]}, locals())
    one = isinstance(keywords, str) or not is_list_like(keywords)
    words: list[Any] = [keywords] if one else list(keywords)
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise ValueError(
            f"keywords={keywords!r} should be a word or a list of words, none of them empty."
        )
    either = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    # \b would never match beside a keyword that ends in a sign
    expression = rf"(?<!\w)(?:{either})(?!\w)" if whole_words else either
    regex = re.compile(expression, 0 if case else re.IGNORECASE)
    shown = ", ".join(map(repr, words))
    return _made(_TextVotes(regex, _checked_label(label), column), shown, label, name)


def lf_from_regex(
    regex: str | re.Pattern[str],
    label: int,
    *,
    column: Hashable | None = None,
    case: bool = False,
    name: str | None = None,
) -> LabelingFunction:
    r"""Make a labeling function that votes where a regular expression is found in the text.

    Parameters
    ----------
    regex : str or compiled expression
        What is searched for, anywhere in the text.
    label : int
        The class it votes for, from 0.
    column : label, default=None
        The column, or the key of dicts, that holds the texts; None where the samples are texts.
    case : bool, default=False
        Whether upper and lower case differ; a compiled expression keeps its own flags.
    name : str, default=None
        What it is called; None takes the expression and the label.

    Returns
    -------
    LabelingFunction
        A vectorised one. It abstains where the text is missing.

    Raises
    ------
    ValueError
        If the expression is not valid, is too large or nested too deeply, or `label` is no class.

    Notes
    -----
    The time of a search has no limit. Repeats within repeats that can share out a text in many
    ways, such as `(a+)+$`, take twice as long for every character of a text that nearly matches:
    years for 60 of them. Write such an expression without the inner repeat, `a+$`, or so that it
    does not give back what it has taken, `(?>a+)+$`.

    Examples
    --------
    >>> from skcorrupt.curation import apply_lfs, lf_from_regex
    >>> apply_lfs(["Check out www.a.com", "Nice song"], [lf_from_regex(r"check.*out", 1)])
    array([[ 1],
           [-1]])
    """
    check_arguments("lf_from_regex", {"case": ["boolean"]}, locals())
    if isinstance(regex, re.Pattern) and isinstance(regex.pattern, str):
        compiled = regex
    elif isinstance(regex, str):
        try:
            compiled = re.compile(regex, 0 if case else re.IGNORECASE)
        except (re.error, RecursionError, OverflowError) as error:
            shown = regex if len(regex) <= _LONGEST_NAME else f"{regex[:_LONGEST_NAME]}…"
            deep = isinstance(error, RecursionError)
            reason = "its groups are nested too deeply" if deep else str(error)
            raise ValueError(
                f"regex={shown!r} is not a regular expression: {reason}; lf_from_keywords takes "
                "plain words."
            ) from None
    else:
        raise ValueError(f"regex={regex!r} should be a string or a compiled expression of one.")
    shown = f"/{compiled.pattern}/"
    return _made(_TextVotes(compiled, _checked_label(label), column), shown, label, name)


def lf_from_classifier(
    estimator: Any,
    *,
    min_confidence: float = 0.8,
    columns: ColumnLabels | None = None,
    labels: Mapping[Any, int] | None = None,
    name: str | None = None,
) -> LabelingFunction:
    """Make a labeling function of a fitted classifier, which votes where it is sure.

    Parameters
    ----------
    estimator : classifier
        Fitted, with `predict_proba`; it is not copied.
    min_confidence : float in [0, 1], default=0.8
        It votes where its largest probability is at least this, and otherwise abstains. Equal
        probabilities go to the first class.
    columns : label or list of labels, default=None
        The columns that it takes: a list gives it a table, a single one, as for text, a
        one-dimensional column. None gives it X.
    labels : dict of class to int, default=None
        What it votes for each of its classes; needed where these are not whole numbers from 0.
    name : str, default=None
        What it is called; None takes the estimator's class and the confidence.

    Returns
    -------
    LabelingFunction
        A vectorised one.

    Raises
    ------
    ValueError
        If the classes are not whole numbers from 0 and `labels` does not map them, or
        `min_confidence` is not in [0, 1].
    TypeError
        If the estimator has no `predict_proba`, or has several outputs.
    sklearn.exceptions.NotFittedError
        If it is not fitted.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcorrupt.curation import apply_lfs, lf_from_classifier
    >>> model = GaussianNB().fit([[0.0], [1.0], [9.0], [10.0]], ["low", "low", "high", "high"])
    >>> rule = lf_from_classifier(model, labels={"low": 0, "high": 1})
    >>> apply_lfs(np.array([[0.5], [5.0], [9.5]]), [rule])
    array([[ 0],
           [-1],
           [ 1]])
    """
    kind = type(estimator).__name__
    check_is_fitted(estimator)
    if not (hasattr(estimator, "predict_proba") and hasattr(estimator, "classes_")):
        raise TypeError(
            f"estimator: {kind} has no predict_proba or no classes_, so it cannot say how sure it "
            "is of a class; put a classifier in sklearn.calibration.CalibratedClassifierCV."
        )
    inside = isinstance(min_confidence, Real) and 0 <= min_confidence <= 1
    if not inside or isinstance(min_confidence, bool):
        raise ValueError(f"min_confidence={min_confidence!r} should be from 0 to 1, such as 0.8.")
    votes = np.array(_class_votes(estimator, labels), dtype=np.int64)
    function = _ClassifierVotes(estimator, votes, float(min_confidence), columns)
    shown = f"{kind} (confidence >= {min_confidence:g})"
    name = shown if name is None else name
    return LabelingFunction(function, name=name, vectorized=True, abstain=ABSTAIN)


def _made(function: Any, shown: str, label: Any, name: str | None) -> LabelingFunction:
    if name is None:
        short = shown if len(shown) <= _LONGEST_NAME else f"{shown[:_LONGEST_NAME]}…"
        name = f"{short} -> {int(label)}"
    return LabelingFunction(function, name=name, vectorized=True, abstain=ABSTAIN)


def _checked_label(label: Any, parameter: str = "label") -> int:
    """A class as an int."""
    try:
        vote = read_vote(label, ABSTAIN)
    except ValueError:
        vote = ABSTAIN
    if vote == ABSTAIN:
        raise ValueError(
            f"{parameter}={label!r} should be a class as a whole number from 0; map other classes "
            "to 0, 1, … first."
        )
    return vote


def _class_votes(estimator: Any, labels: Mapping[Any, int] | None) -> list[int]:
    """What is voted for each class of a classifier."""
    classes = estimator.classes_
    if isinstance(classes, list) and len(classes) and np.ndim(classes[0]):
        raise TypeError(
            f"estimator: {type(estimator).__name__} predicts {len(classes)} outputs; pass a "
            "classifier of one."
        )
    known = np.asarray(classes).tolist()
    if labels is None:
        try:
            return [_checked_label(each) for each in known]
        except ValueError:
            raise ValueError(
                f"estimator has the classes {known}, but votes are whole numbers from 0; say which "
                f"by labels, such as labels={ {each: i for i, each in enumerate(known[:2])} }."
            ) from None
    if not isinstance(labels, Mapping):
        raise ValueError(f"labels={labels!r} should be a dict of class to vote, or None.")
    absent = [each for each in known if each not in labels]
    if absent:
        raise ValueError(
            f"labels={dict(labels)!r} has no vote for {absent} among the classes {known}; map "
            "every class to a whole number from 0."
        )
    return [_checked_label(labels[each], f"labels[{each!r}]") for each in known]


def _columns_of(X: Any, columns: Any) -> Any:
    """The columns that a classifier takes, in the container of X."""
    if columns is None:
        return X
    table = as_table(X)
    if not pd.api.types.is_list_like(columns):
        position = resolve_columns(table, [columns])[0]
        if table.container == "pandas":
            return table.source.iloc[:, position]
        return table.values(position)
    positions = resolve_columns(table, columns)
    if table.container == "pandas":
        return table.source.iloc[:, positions]
    return table.source[:, positions]
