"""Kinds of error as people who do not code call them."""

from __future__ import annotations

WORDS = {
    "categories": "wrong categories",
    "clip": "values cut off at a limit",
    "dates": "wrong dates",
    "duplicates": "duplicate rows",
    "exchange": "values in the wrong column",
    "labels": "wrong labels",
    "missing": "missing values",
    "noise": "noisy values",
    "outliers": "outliers",
    "rounding": "rounded values",
    "scale": "wrong units",
    "selection": "rows left out",
    "sentinel": "placeholders in place of values",
    "shift": "values in the wrong row",
    "stuck": "stuck values",
    "text": "damaged texts",
    "type": "values of another type",
}
# before a name that is not known
OTHER = "errors of the kind "


def kind_in_words(kind: str) -> str:
    """What errors of a kind are called in a sentence.

    Parameters
    ----------
    kind : str
        A short name, as in `short_names`, one with a number for the second of its kind, or any
        other name.

    Returns
    -------
    str
        Words for the kind, in the plural.

    Examples
    --------
    >>> from skcorrupt.corruptions._kind_in_words import kind_in_words
    >>> kind_in_words("scale"), kind_in_words("scale-2"), kind_in_words("lost ages")
    ('wrong units', 'wrong units (scale-2)', 'errors of the kind lost ages')
    """
    if kind in WORDS:
        return WORDS[kind]
    short, _, number = kind.rpartition("-")
    if short in WORDS and number.isdigit():
        return f"{WORDS[short]} ({kind})"
    return f"{OTHER}{kind}"
