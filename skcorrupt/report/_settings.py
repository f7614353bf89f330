"""All settings of a system, with what they mean."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from skcorrupt.evaluation._described import text_of
from skcorrupt.robustness import (
    CheckSuggestions,
    RobustnessComparison,
    compare_robustness,
    suggest_checks,
)
from skcorrupt.utils._typing import Estimator

from ._html import Html, escape, rich, tag
from ._tables import breakable

LONGEST = 3_000
MOST_ITEMS = 20
_MAKERS: dict[type, Callable[..., Any]] = {
    RobustnessComparison: compare_robustness,
    CheckSuggestions: suggest_checks,
}
_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^(\w[\w, ]*?) : [^\n]*\n((?: {4}[^\n]*\n|\n)*)", re.MULTILINE)


def settings_table(fitted: Estimator) -> Html:
    """A row a parameter: its value, whether that is the default, and what it means.

    Parameters
    ----------
    fitted : estimator
        The system.

    Returns
    -------
    Html
        The table.
    """
    defaults, meanings = defaults_of(fitted), meanings_of(maker_of(fitted))
    rows = []
    for name, value in params_of(fitted).items():
        usual = is_default(value, defaults.get(name, inspect.Parameter.empty))
        text = shown(value)
        rows.append(
            tag(
                "tr",
                tag("th", tag("code", breakable(escape(name))), scope="row"),
                tag("td", tag("pre", text) if "\n" in text else tag("code", text)),
                tag("td", "default" if usual else tag("strong", "set")),
                tag("td", rich(meanings.get(name, "")), class_="long"),
            )
        )
    head = [tag("th", text, scope="col") for text in ("Setting", "Value", "", "Meaning")]
    head[2] = tag("th", "Default or set", scope="col")
    caption = tag("caption", "All settings, as they are when this page is written.")
    inner = tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows))
    return tag(
        "div", inner, class_="wide settings", tabindex="0", role="region", aria_label="Settings"
    )


def maker_of(fitted: Any) -> Callable[..., Any]:
    """What a result is made with: its class, or the function that returns it."""
    return _MAKERS.get(type(fitted), type(fitted))


def params_of(fitted: Any) -> dict[str, Any]:
    """All parameters, in the order of the documentation, not of the alphabet."""
    params = fitted.get_params(deep=False)
    known = [name for name in inspect.signature(maker_of(fitted)).parameters if name in params]
    return {name: params[name] for name in [*known, *(n for n in params if n not in known)]}


def defaults_of(fitted: Any) -> dict[str, Any]:
    """Default values of the parameters that have one."""
    parameters = inspect.signature(maker_of(fitted)).parameters
    return {name: p.default for name, p in parameters.items() if p.default is not p.empty}


def is_default(value: Any, default: Any) -> bool:
    """Whether a value is what the system takes where nothing is said."""
    if default is inspect.Parameter.empty:
        return False
    # NaN is not equal to itself, and 1 and True are equal
    return value is default or (type(value) is type(default) and repr(value) == repr(default))


def meanings_of(system: Callable[..., Any]) -> dict[str, str]:
    """What each parameter means, from the system's own documentation."""
    found = _SECTION.search(inspect.getdoc(system) or "")
    meanings = {}
    for names, text in _ENTRY.findall(f"{found[1]}\n" if found else ""):
        for name in names.split(","):
            meanings[name.strip()] = re.sub(r"\[\d+\]_", "the paper", " ".join(text.split()))
    return meanings


def shown(value: Any) -> str:
    """A value as a reader can use it: no addresses in memory, and no data at length.

    Parameters
    ----------
    value : object
        The value.

    Returns
    -------
    str
        Its text, cut where it is very long.
    """
    text = _text(value)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]} … ({len(text) - LONGEST:,} more characters)"
    return text


def _text(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    shape = getattr(value, "shape", None)
    if shape is not None and not hasattr(value, "get_params"):
        return f"<{type(value).__name__} of shape {tuple(shape)}>"
    if type(value) in (list, tuple, set, frozenset):
        items = [_text(item) for item in list(value)[:MOST_ITEMS]]
        more = [f"… {len(value) - MOST_ITEMS:,} more"] if len(value) > MOST_ITEMS else []
        inner = ", ".join(items + more)
        if isinstance(value, tuple):
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]" if isinstance(value, list) else f"{{{inner}}}"
    if isinstance(value, Mapping):
        pairs = [f"{_text(key)}: {_text(each)}" for key, each in list(value.items())[:MOST_ITEMS]]
        more = [f"… {len(value) - MOST_ITEMS:,} more"] if len(value) > MOST_ITEMS else []
        return f"{{{', '.join(pairs + more)}}}"
    return text_of(value)
