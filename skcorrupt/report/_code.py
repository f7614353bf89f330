"""The code that repeats a run."""

from __future__ import annotations

import ast
import builtins
import re

from skcorrupt.evaluation._described import modules_of, public_module
from skcorrupt.utils._typing import Estimator

from ._content import Repeat
from ._settings import defaults_of, is_default, maker_of, params_of, shown

_DATA = {
    "X": "the table of features, its columns as named under Data",
    "y": "the labels of its rows",
    "attributes": "what tells the groups of its rows apart",
    "L": "the votes, a row for each sample and a column for each labeling function",
}
# the heading of the part of the page that has the code
HOW = '"How to repeat it", below,'
MENDS = (
    "# what may mend the model, to be compared:\n"
    "# skcorrupt.robustness.suggest_hardening(estimator, corruption)"
)
NOTICES = (
    "# checks that would notice an error, after an AdversarialCorruptionSearch for it:\n"
    "# skcorrupt.robustness.suggest_checks(search)"
)
EFFECTS = "# a row for each step, gap and group: ablator.stage_effects_"
PROFILES = "# a row for each model and error: profiler.profiles_"
PRIORITIES = "# what to clean first: profiler.cleaning_priorities()"
TRUTH = (
    "# whether the order is right, by true labels y: curator.score_ordering(y)\n"
    "# how a model does along the order: curator.evaluate(model, X, y)"
)
PEOPLE = (
    "# a row for each person: auditor.results_\n"
    "# what each column does alone: auditor.attributions_"
)
CONFIRMS = "# the same error on further rows: search.confirm(X_test, y_test)"
_NUMPY = ("nan", "inf", "array")


def repeat_code(fitted: Estimator, repeat: Repeat, seed: int | None) -> str:
    """Python code that makes the system again and fits it to data of the reader's.

    Parameters
    ----------
    fitted : estimator
        The system.
    repeat : Repeat
        How it is fitted.
    seed : int or None
        The seed that was drawn, which stands in for one that was not set.

    Returns
    -------
    str
        Code that can be parsed; what cannot be written as code is a name with a comment.
    """
    params, defaults = params_of(fitted), defaults_of(fitted)
    maker = maker_of(fitted)
    modules = {maker.__name__: public_module(maker)}
    before, lines, trees = [], [], []
    for name, value in params.items():
        if name == "random_state" and seed is not None and not isinstance(value, int):
            lines.append(f"    random_state={seed},  # the seed that was drawn")
        elif name in repeat.given:
            before += _comment(f"{name}: {repeat.given[name]}")
            lines.append(f"    {name}={name},")
        elif not is_default(value, defaults.get(name, ast)):
            text = shown(value)
            tree = _parsed(text)
            if tree is None:
                before += _comment(f"{name}: {text}")
                lines.append(f"    {name}={name},")
            else:
                trees.append(tree)
                modules |= modules_of(value)
                lines.append(f"    {name}={text},")
    used = {n.id for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Name)}
    used |= {maker.__name__, *repeat.needs}
    modules |= repeat.needs
    imports, unknown = imports_for(used, modules)
    before = _comment(_named(repeat)) + before
    if unknown:
        before = _comment(f"of your own: {', '.join(sorted(unknown))}") + before
    call = f"{repeat.variable} = {maker.__name__}("
    # a function takes the data itself
    lines = lines if repeat.fit else ["    X=X,", "    y=y,", *lines]
    end = [f"{repeat.variable}.{repeat.fit}"] if repeat.fit else []
    return "\n".join(
        [*imports, *before, *repeat.before, "", call, *lines, ")", *end, *repeat.after]
    )


def _named(repeat: Repeat) -> str:
    """What names of data stand for, as far as the code takes them."""
    taken = [name for name in _DATA if re.search(rf"\b{name}\b", repeat.fit or "X, y")]
    return "; ".join(f"{name}: {_DATA[name]}" for name in taken)


def _parsed(text: str) -> ast.AST | None:
    """The tree of an expression, None where the text is none."""
    try:
        return ast.parse(f"({text}\n)", mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def imports_for(used: set[str], modules: dict[str, str]) -> tuple[list[str], set[str]]:
    """Import statements for the names that are used, and the names that have none.

    Parameters
    ----------
    used : set of str
        Names in the code.
    modules : dict of str to str
        Where they can be imported from.

    Returns
    -------
    tuple of list of str and set of str
        The statements, and names without a module.
    """
    by_module: dict[str, list[str]] = {}
    unknown = set()
    for name in used - set(dir(builtins)):
        module = modules.get(name, "")
        if name in _NUMPY and not module:
            module = "numpy"
        if module:
            by_module.setdefault(module, []).append(name)
        else:
            unknown.add(name)
    lines = [f"from {m} import {', '.join(sorted(names))}" for m, names in by_module.items()]
    return sorted(lines), unknown
