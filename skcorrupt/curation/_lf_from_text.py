"""Labeling functions made of words and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pandas.api.types import is_list_like

from skcorrupt.utils import check_arguments, cut
from skcorrupt.utils._typing import ColumnLike, TableLike

from ._labeling_function import LabelingFunction
from ._lf_from_columns import LONGEST_NAME, checked_label, made
from ._texts import texts_of
from ._votes import ABSTAIN


@dataclass(frozen=True)
class _TextVotes:
    """The label where an expression is found in the text."""

    regex: re.Pattern[str]
    label: int
    column: Hashable | None

    def __call__(self, X: TableLike | ColumnLike) -> np.ndarray:
        search = self.regex.search
        found = [text is not None and bool(search(text)) for text in texts_of(X, self.column)]
        return np.where(found, self.label, ABSTAIN)


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
    return made(_TextVotes(regex, checked_label(label), column), shown, label, name)


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
            deep = isinstance(error, RecursionError)
            reason = "its groups are nested too deeply" if deep else str(error)
            raise ValueError(
                f"regex={cut(regex, LONGEST_NAME)!r} is not a regular expression: {reason}; "
                "lf_from_keywords takes plain words."
            ) from None
    else:
        raise ValueError(f"regex={regex!r} should be a string or a compiled expression of one.")
    shown = f"/{compiled.pattern}/"
    return made(_TextVotes(compiled, checked_label(label), column), shown, label, name)
