"""A fitted model that is served rows with errors, and is scored as if they were clean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._fitted_view import RESPONSES
from ._sheltered import Sheltered


class ServedView(Sheltered):
    """A fitted estimator that answers from struck rows where it is asked about the clean ones.

    A scorer then takes labels, groups and rows of a subgroup from clean data, and predictions
    from what was served.

    Parameters
    ----------
    estimator : fitted estimator
        What answers.
    clean : table of shape (n_samples, n_features)
        Rows that scorers are given.
    struck : table of shape (n_samples, n_features)
        The same rows with errors.
    """

    def __init__(self, estimator: Any, clean: Any, struck: Any) -> None:
        super().__init__(estimator)
        self._clean, self._struck = clean, struck

    @property
    def on_clean_rows(self) -> Any:
        """The estimator as it answers where nothing is struck."""
        return Sheltered(self._estimator)

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        asked = name in RESPONSES or name == "score"
        if asked and args and args[0] is self._clean:
            args = self._struck, *args[1:]
        return super()._ask(name, method, *args, **params)
