"""A fitted model that is asked about tables larger than memory, part by part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skcorrupt.evaluation import Journal
from skcorrupt.evaluation._settings import model_content
from skcorrupt.metrics import own_metric
from skcorrupt.utils import RESPONSES, FittedView, HeldRows, Sheltered
from skcorrupt.utils._typing import Estimator


class ModelInParts(FittedView):
    """A fitted estimator whose answers for rows of a table in parts are put together.

    What it answers for clean rows is asked once.

    Parameters
    ----------
    estimator : fitted estimator
        What answers.
    journal : Journal or None
        Where answers are kept part by part, as far as they are few different ones.
    """

    def __init__(self, estimator: Estimator, journal: Journal | None) -> None:
        super().__init__(estimator)
        self._journal = journal
        self._said = "" if journal is None else model_content(estimator)

    def _ask(self, name: str, method: Callable[..., Any], *args: Any, **params: Any) -> Any:
        rows = args[0] if args else params.get("X")
        if not isinstance(rows, HeldRows):
            return method(*args, **params)
        if name == "score":
            return self._score(*args, **params)
        if name not in RESPONSES:
            raise ValueError(
                f"scoring: {type(self._estimator).__name__}.{name} is asked for, which looks at "
                "all rows at once, and X is read in parts. Pass a score of predictions, such as "
                "'accuracy', or a sample of the rows in memory."
            )
        known = rows.whole.known
        key = name, rows.key
        if rows.changes or key not in known:
            found = rows.ask(Sheltered(self._estimator), name, kept=self._journal, said=self._said)
            if rows.changes:
                return found
            known[key] = found
        return known[key]

    def _score(self, X: HeldRows, y: Any, **params: Any) -> float:
        """The estimator's own score, where it is a standard one."""
        metric = own_metric(self._estimator)
        if metric is None:
            raise ValueError(
                f"scoring=None is {type(self._estimator).__name__}.score, which looks at all rows "
                "at once, and X is read in parts. Pass a score of predictions, such as 'accuracy', "
                "or a sample of the rows in memory."
            )
        return float(metric(y, self.predict(X), **params))
