"""The name `confirm`, which is a parameter and a method."""

from __future__ import annotations

from typing import Any


class ConfirmSwitch:
    """Descriptor by which `search.confirm = False` sets the parameter and `search.confirm(X, y)`
    confirms.

    The value lives in the instance's dictionary under its own name, as any parameter does, so
    that `clone`, pickle and scikit-learn's checks see an ordinary estimator.
    """

    def __set__(self, search: Any, value: Any) -> None:
        search.__dict__["confirm"] = value

    def __get__(self, search: Any, owner: type | None = None) -> Any:
        return self if search is None else search._confirm_on_test

    @staticmethod
    def value(search: Any) -> bool:
        """The parameter's value."""
        return search.__dict__["confirm"]
