"""Rules as a line of text."""

from __future__ import annotations

from skcorrupt.utils import shorten

from ._condition_text import parse_column, parse_sum, split_keywords
from ._conditions import CHANGE
from ._constraint import Constraint
from ._directional_linkage import DirectionalLinkage
from ._if_then import IfThen
from ._linear_constraint import LinearConstraint

FORMS = (
    '"delta(urls) <= delta(tweets)", "if none == 1 then n == 0 else n >= 1" or '
    '"age := delta(residence) + 2 * delta(employed)"'
)


def parse_rule(text: str) -> list[Constraint]:
    """The constraints that a line of text states.

    Parameters
    ----------
    text : str
        A comparison, "if … then … else …", or "column := sum of changes".

    Returns
    -------
    list of Constraint
        One, or a linkage for every term of a sum.

    Raises
    ------
    ValueError
        If the text is none of these.
    """
    parts = split_keywords(text)
    words = parts[1::2]
    if not words:
        return [LinearConstraint(text)]
    if words == [":="]:
        return _linkages(text, parts[0], parts[2])
    if parts[0] == "" and words in (["if", "then"], ["if", "then", "else"]):
        return [IfThen(*parts[2::2])]
    raise ValueError(f"Rule {shorten(text)} cannot be read; it should look like {FORMS}.")


def _linkages(text: str, target: str, right: str) -> list[Constraint]:
    form = parse_sum(right.lstrip("+ ") if right.lstrip().startswith("+") else right)
    if any(term.kind != CHANGE for term in form.terms) or form.constant or not form.terms:
        raise ValueError(
            f"Rule {shorten(text)}: after := there should be changes only, as in "
            "age := delta(residence) + 2 * delta(employed)."
        )
    name = parse_column(target)
    return [DirectionalLinkage(term.column, name, term.factor) for term in form.terms]
