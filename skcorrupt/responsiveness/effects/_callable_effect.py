"""Effects that a function computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from skcorrupt.utils import Reader

from ..rules._people import Columns, Person
from ._effect import Effect


class CallableEffect(Effect):
    """An effect that a function of one's own computes for a batch of interventions.

    Parameters
    ----------
    function : callable
        `function(X, A, rng) -> R`: frames of the person's columns (one row per intervention) and of
        their changes so far, both with numbers only (a category as its position), and a
        Generator; R has shape (n, n_targets) and is added to the targets.
    sources, targets : str or sequence of str
        Columns that the function looks at, and that it changes.
    is_random : bool, default=True
        Whether the same intervention can have different effects; then points are drawn, never
        listed.
    outside : {"clip", "redraw", "refuse"}, default="clip"
        What becomes of a value beyond the bounds.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt.responsiveness import CallableEffect
    >>> raise_taxes = CallableEffect(
    ...     lambda X, A, rng: 0.3 * np.maximum(A["income"], 0), "income", "tax", is_random=False
    ... )
    >>> raise_taxes.targets
    ('tax',)
    """

    adds_sources = False

    def __init__(
        self,
        function: Callable[[pd.DataFrame, pd.DataFrame, np.random.Generator], Any],
        sources: str | Sequence[str],
        targets: str | Sequence[str],
        *,
        is_random: bool = True,
        outside: Literal["clip", "redraw", "refuse"] = "clip",
    ) -> None:
        if not callable(function):
            raise TypeError(f"function={function!r} should be a function (X, A, rng) -> R.")
        self.function = function
        self.sources = Reader(sources, "sources").name_or_names(least=0)
        self.targets = Reader(targets, "targets").name_or_names()
        self.is_random = is_random
        self.outside = outside

    def _draw(self, before: Person, after: Columns, n: int, rng: np.random.Generator) -> np.ndarray:
        names = list(before)
        X = pd.DataFrame({name: np.full(n, before[name]) for name in names})
        moved = {name: np.broadcast_to(after[name], (n,)) - before[name] for name in names}
        found = np.asarray(self.function(X, pd.DataFrame(moved), rng), dtype=float)
        if found.size != n * len(self.targets):
            raise ValueError(
                f"{self} returned shape {found.shape}; it should be ({n}, {len(self.targets)})."
            )
        return found.reshape(n, len(self.targets))

    def to_dict(self) -> dict[str, Any]:
        """Not possible: a function has no JSON.

        Returns
        -------
        dict
            Never.

        Raises
        ------
        ValueError
            Always.
        """
        raise ValueError(
            f"{self} has no JSON, because it is a function; use LinearEffect, NoiseEffect or "
            "CausalEffect, or add it after reading the action set."
        )
