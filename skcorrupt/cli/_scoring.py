"""The score of a command: a name of scikit-learn's, or an object of the user's."""

from __future__ import annotations

import difflib
import inspect
from typing import Any

import pandas as pd
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from skcorrupt.evaluation._scores_of_classes import SAY_POSITIVE
from skcorrupt.utils._compat import scorer_parts

from ._command_error import CommandError
from ._load import load_object

HELP = "a scikit-learn score, or MODULE:OBJECT, a scorer(estimator, X, y)"


def checked_scoring(name: str | None) -> str | None:
    """Refuse a score that scikit-learn does not have, before anything is read.

    Parameters
    ----------
    name : str or None
        What was given.

    Returns
    -------
    str or None
        The same.

    Raises
    ------
    CommandError
        With names that are close to it.
    """
    if name is None or ":" in name or name in get_scorer_names():
        return name
    close = difflib.get_close_matches(name, get_scorer_names(), n=3)
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "such as roc_auc or r2."
    raise CommandError(
        f"--scoring {name!r} is not a score of scikit-learn; {hint} A scorer of your own is "
        "module:object"
    )


def load_scoring(name: str | None, positive: str | None, y: pd.Series | None) -> Any:
    """What is scored with.

    Parameters
    ----------
    name : str or None
        A score of scikit-learn, a scorer as `module:object`, or None.
    positive : str or None
        The label that counts as positive.
    y : Series or None
        The labels.

    Returns
    -------
    str, callable or None
        What `scoring=` takes.

    Raises
    ------
    CommandError
        If there is no such scorer or label, or the score knows no positive label.
    """
    scoring: Any = name
    if name is not None and ":" in name:
        scoring = load_object(name, option="--scoring")
        if not callable(scoring) or isinstance(scoring, type):
            raise CommandError(
                f"--scoring {name!r} is of type {type(scoring).__name__}; it should be a scorer, "
                "a function of estimator, X and y, such as make_scorer returns"
            )
    if positive is None:
        return scoring
    return _positive(scoring, name, positive, y)


def _positive(scoring: Any, name: str | None, positive: str, y: pd.Series | None) -> Any:
    known = {} if y is None else {str(label): label for label in y.unique().tolist()}
    if positive not in known:
        shown = ", ".join(known) or "none; pass --label"
        raise CommandError(f"--positive {positive!r} is not among the labels: {shown}")
    if not isinstance(scoring, str):
        raise CommandError(
            "--positive is for a score of scikit-learn that has a positive label; pass --scoring, "
            "such as f1, precision or recall"
        )
    parts = scorer_parts(get_scorer(scoring))
    if parts is None:
        raise CommandError(f"--scoring {name} was not made by make_scorer; leave --positive out")
    score, sign, params, response = parts
    takes = "pos_label" in inspect.signature(score).parameters
    if not takes or "pos_label" in params:
        raise CommandError(
            f"--scoring {name} is the same whatever label is positive; leave --positive out, or "
            "take a score such as f1, precision, recall or average_precision"
        )
    return make_scorer(
        score,
        response_method=response,
        greater_is_better=sign > 0,
        pos_label=known[positive],
        **params,
    )


def with_hint(name: str | None, error: object) -> str:
    """The message of an error, and what to do about a score that does not go with the labels."""
    if name in get_scorer_names() and "could not convert string to float" in str(error):
        return (
            f"--scoring {name} is for labels that are numbers, and these are texts; take one for "
            f"classes, such as accuracy or balanced_accuracy. ({error})"
        )
    if name is None or "pos_label" not in str(error):
        return str(error)
    macro = f"{name}_macro"
    other = macro if macro in get_scorer_names() else "balanced_accuracy"
    said = str(error).removesuffix(SAY_POSITIVE)
    return (
        f"{said.rstrip('. ')}. --scoring {name} takes labels 0 and 1; {other} takes any, and "
        "--positive says which of yours is the positive one."
    )
