"""What stands in a result that was read from JSON for what JSON cannot hold."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.compose import make_column_selector
from sklearn.utils import Tags, TargetTags

from skcorrupt.utils._compat import EXPERIMENTAL, scorer_parts

LONGEST = 3_000
_SELECTS = ("pattern", "dtype_include", "dtype_exclude")


class Described:
    """The text of an object that is not there.

    Parameters
    ----------
    text : str
        What the object's representation was.
    modules : mapping of str to str, default={}
        Classes that the text names, and the modules they can be imported from.
    attributes : mapping of str to object, default={}
        Attributes of the object that were kept.
    """

    def __init__(
        self,
        text: str,
        modules: Mapping[str, str] | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> None:
        self.text = text
        self.modules = dict(modules or {})
        self.attributes = dict(attributes or {})
        vars(self).update(self.attributes)

    @classmethod
    def of(cls, value: Any, attributes: tuple[str, ...] = ()) -> Described:
        """Describe an object.

        Parameters
        ----------
        value : object
            The object.
        attributes : tuple of str, default=()
            Names of attributes to keep, as far as it has them.

        Returns
        -------
        Described
            Its description.
        """
        modules = modules_of(value)
        return cls(
            text_of(value),
            {name: module for name, module in sorted(modules.items()) if module != "builtins"},
            {name: getattr(value, name) for name in attributes if hasattr(value, name)},
        )

    def __repr__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Described) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __sklearn_tags__(self) -> Tags:
        return Tags(estimator_type=None, target_tags=TargetTags(required=False))


def text_of(value: Any) -> str:
    """The text of an object that is no container: no address in memory, no gap in a long one."""
    try:
        if hasattr(value, "get_params"):
            text = _whole(value)
        elif (code := code_of(value)) is not None:
            text = code
        elif inspect.isroutine(value):
            text = f"<function {getattr(value, '__qualname__', type(value).__name__)}>"
        else:
            text = repr(value)
    except Exception:
        # an object of someone else's that cannot be shown is named at least
        text = f"<{type(value).__name__}>"
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", text)


def _whole(estimator: Any) -> str:
    """The text of an estimator without gaps, and without objects in it that are no code."""
    try:
        text: str = estimator.__repr__(N_CHAR_MAX=2 * LONGEST)
    except TypeError:
        text = repr(estimator)
    for part in parts_of(estimator):
        # scikit-learn shows these by their address, which says which is which
        if inspect.isroutine(part) or isinstance(part, np.ufunc):
            name, module = _importable(part)
            text = text.replace(repr(part), name) if module else text
        elif (code := code_of(part)) is not None:
            text = text.replace(repr(part), code)
    return text


def code_of(value: Any) -> str | None:
    """Code that makes a scorer or a selector of columns, None for all else.

    scikit-learn shows the first without the quotes of its parameters, the second by its address.

    Parameters
    ----------
    value : object
        Any object.

    Returns
    -------
    str or None
        The call of `make_scorer` or `make_column_selector`.
    """
    if isinstance(value, make_column_selector):
        given = {name: getattr(value, name) for name in _SELECTS}
        told = [f"{name}={_type_text(each)}" for name, each in given.items() if each is not None]
        return f"make_column_selector({', '.join(told)})"
    parts = _made_scorer(value)
    if parts is None:
        return None
    func, sign, params, response = parts
    name, module = _importable(func)
    given = {} if response == "predict" else {"response_method": response}
    given |= {"greater_is_better": False} if sign < 0 else {}
    told = [f"{key}={each!r}" for key, each in (given | params).items()]
    return f"make_scorer({', '.join([name if module else text_of(func), *told])})"


def _made_scorer(value: Any) -> tuple[Any, int, dict[str, Any], Any] | None:
    """What `make_scorer` made; scorers with a text of their own are theirs."""
    ours = type(value).__module__.startswith("sklearn.")
    return scorer_parts(value) if ours and not isinstance(value, type) else None


def _importable(func: Any) -> tuple[str, str]:
    """Name and module of a function that can be imported, the module empty for all others."""
    name = getattr(func, "__name__", "")
    if isinstance(func, np.ufunc):
        return name, "numpy" if getattr(np, name, None) is func else ""
    if not inspect.isfunction(func) or func.__module__ == "__main__":
        return name, ""
    found = getattr(sys.modules.get(func.__module__), name, None) is func
    return name, public_module(func) if found else ""


def _type_text(value: Any) -> str:
    """Types as they are written, in a list too."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_type_text, value))}]"
    return value.__name__ if isinstance(value, type) else repr(value)


def modules_of(value: Any) -> dict[str, str]:
    """Names that the text of a value has, and the modules they can be imported from.

    Parameters
    ----------
    value : object
        Any object.

    Returns
    -------
    dict of str to str
        The modules by name, empty for what is of a script.
    """
    modules: dict[str, str] = {}
    for part in parts_of(value):
        modules[type(part).__name__] = public_module(type(part))
        modules |= part.modules if isinstance(part, Described) else {}
        if inspect.isroutine(part) or isinstance(part, np.ufunc):
            name, module = _importable(part)
            modules |= {name: module} if module else {}
        elif isinstance(part, make_column_selector):
            modules["make_column_selector"] = "sklearn.compose"
            kinds = parts_of([getattr(part, name) for name in _SELECTS])
            modules |= {kind.__name__: kind.__module__ for kind in kinds if isinstance(kind, type)}
        elif (parts := _made_scorer(part)) is not None:
            modules["make_scorer"] = "sklearn.metrics"
            name, module = _importable(parts[0])
            modules |= {name: module} if module else modules_of(parts[0])
    return modules


def parts_of(value: Any) -> list[Any]:
    """A value and all objects within it that its text may name."""
    inner: Iterable[Any] = ()
    if isinstance(value, (list, tuple, set, frozenset)):
        inner = value
    elif isinstance(value, dict):
        inner = value.values()
    elif hasattr(value, "get_params") and not isinstance(value, type):
        inner = value.get_params(deep=False).values()
    return [value, *(part for each in inner for part in parts_of(each))]


def public_module(cls: type | Callable[..., Any]) -> str:
    """The shortest module without a private part that a class, or function, can be imported from.

    It is empty where there is none, as for a class of a script.
    """
    if cls.__module__ == "__main__":
        return ""
    if cls.__module__ in EXPERIMENTAL:
        return cls.__module__
    parts = cls.__module__.split(".")
    # a corruption or system can be imported from the package itself
    for k in range(1, len(parts) + 1):
        module = ".".join(parts[:k])
        if parts[k - 1].startswith("_"):
            break
        if getattr(sys.modules.get(module), cls.__name__, None) is cls:
            return module
    return cls.__module__
