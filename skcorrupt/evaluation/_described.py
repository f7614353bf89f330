"""What stands in a result that was read from JSON for what JSON cannot hold."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sklearn.utils import Tags, TargetTags

from skcorrupt.utils._compat import EXPERIMENTAL

LONGEST = 3_000


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
        classes = {type(part) for part in parts_of(value)}
        modules = {each.__name__: public_module(each) for each in classes}
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
        elif inspect.isroutine(value):
            text = f"<function {getattr(value, '__qualname__', type(value).__name__)}>"
        else:
            text = repr(value)
    except Exception:
        # an object of someone else's that cannot be shown is named at least
        text = f"<{type(value).__name__}>"
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", text)


def _whole(estimator: Any) -> str:
    """The text of an estimator without the gaps that scikit-learn leaves in long ones."""
    try:
        return estimator.__repr__(N_CHAR_MAX=2 * LONGEST)
    except TypeError:
        return repr(estimator)


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
