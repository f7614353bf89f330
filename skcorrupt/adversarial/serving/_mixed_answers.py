"""Answers of a model for rows of which some are struck, put together from what is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from skcorrupt.utils import RESPONSES, FittedView, Sheltered
from skcorrupt.utils._typing import TableLike


class Answers:
    """What a fitted model answers for clean rows, and for the same rows all struck.

    Parameters
    ----------
    model : fitted estimator
        Asked once for each kind of response.
    clean, struck : table of shape (n_samples, n_features)
        The rows.
    """

    def __init__(self, model: Any, clean: TableLike, struck: TableLike) -> None:
        self.model, self.clean, self.struck = model, clean, struck
        self._known: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Clean and struck answers to one method."""
        if name not in self._known:
            ask = getattr(Sheltered(self.model), name)
            self._known[name] = np.asarray(ask(self.clean)), np.asarray(ask(self.struck))
        return self._known[name]


class MixedAnswers(FittedView):
    """A fitted estimator that answers about clean rows as if some of them were struck.

    Parameters
    ----------
    answers : Answers
        What is known.
    rows : ndarray of int
        The struck rows.
    """

    def __init__(self, answers: Answers, rows: np.ndarray) -> None:
        super().__init__(Sheltered(answers.model))
        self._answers, self._struck_rows = answers, rows

    @property
    def on_clean_rows(self) -> Any:
        """The estimator as it answers where nothing is struck."""
        return MixedAnswers(self._answers, np.empty(0, dtype=np.intp))

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        if name not in RESPONSES or not args or args[0] is not self._answers.clean:
            return method(*args, **params)
        clean, struck = self._answers.of(name)
        mixed = clean.copy()
        mixed[self._struck_rows] = struck[self._struck_rows]
        return mixed
