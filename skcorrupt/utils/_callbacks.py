"""What scikit-learn's callbacks are told of long work, from the places where bars are moved."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from ._compat import with_callbacks
from ._warned_once import warned_once


class Told:
    """The callbacks of the outermost fit under way, and where in it work is.

    Parameters
    ----------
    estimator : estimator
        Whose callbacks they are.
    context : CallbackContext
        That of its fit.
    """

    def __init__(self, estimator: Any, context: Any) -> None:
        self.estimator = estimator
        self._open = [context]
        self._left: list[int | None] = [None]
        self.stopped = False

    def begin(self, name: str, total: int | None) -> None:
        """Open a phase; `total` is how many steps it has, None where that is not certain."""
        context = self._open[-1].subcontext(task_name=name, max_subtasks=total or None)
        context.call_on_fit_task_begin(estimator=self.estimator)
        self._open.append(context)
        self._left.append(total or None)

    def end(self) -> None:
        """Close the phase."""
        self._left.pop()
        self._open.pop().call_on_fit_task_end(estimator=self.estimator)

    def step(self, n: int) -> bool:
        """Tell of steps that are done; True where a callback asks to stop, the first time."""
        asked = False
        for _ in range(n):
            left = self._left[-1]
            if left == 0:
                break
            self._left[-1] = None if left is None else left - 1
            step = self._open[-1].subcontext(task_name="step")
            step.call_on_fit_task_begin(estimator=self.estimator)
            asked |= bool(step.call_on_fit_task_end(estimator=self.estimator))
        first = asked and not self.stopped
        self.stopped |= asked
        return first

    @contextmanager
    def handed_on(self, estimator: Any) -> Iterator[None]:
        """A block in which a nested estimator is fitted, with those callbacks that go further."""
        leaf = self._open[-1].subcontext(task_name="nested fit")
        leaf.call_on_fit_task_begin(estimator=self.estimator)
        with leaf.propagate_callback_context(estimator):
            yield
        leaf.call_on_fit_task_end(estimator=self.estimator)


# where scikit-learn keeps those that were set
_OWN = "_skl_callbacks"
_TOLD: ContextVar[Told | None] = ContextVar("told", default=None)


def told() -> Told | None:
    """What is told of the work under way; None where nobody listens."""
    return _TOLD.get()


def calls_back(fit: Callable[..., Any]) -> Callable[..., Any]:
    """A `fit` that tells callbacks of its beginning, steps and end, and the same warning once.

    Parameters
    ----------
    fit : callable
        The method.

    Returns
    -------
    callable
        The same where no callbacks were set and no other fit with callbacks is around it.
    """

    @functools.wraps(fit)
    def watched(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if not any(hasattr(self, name) for name in (_OWN, "_parent_callback_ctx")):
            with warned_once():
                return fit(self, X, *args, **kwargs)
        context = self._init_callback_context(max_subtasks=None)
        y = args[0] if args else kwargs.get("y")
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        before = _TOLD.set(Told(self, context))
        try:
            with warned_once():
                made = fit(self, X, *args, **kwargs)
        finally:
            _TOLD.reset(before)
        context.call_on_fit_task_end(estimator=self, **_made_known(self, X, y, kwargs))
        return made

    return with_callbacks(watched)


def unheard(estimator: Any) -> Any:
    """An estimator to which nobody listens any more, for work that is not the user's fit."""
    vars(estimator).pop(_OWN, None)
    return estimator


def _made_known(estimator: Any, X: Any, y: Any, params: dict[str, Any]) -> dict[str, Any]:
    """What callbacks get at the end of a fit: data, weights and, of what predicts, a copy."""
    weights = params.get("sample_weight")
    metadata = None if weights is None else {"sample_weight": weights}
    # a monitor cannot score what does not predict, nor a table that is not in memory, of which
    # y is the name of a column
    predicts = hasattr(estimator, "predict") and not isinstance(y, str)
    copy_of: dict[str, Any] | None = {} if predicts else None
    return {"X": X, "y": y, "metadata": metadata, "reconstruction_attributes": copy_of}


def handed_on(owner: Any, nested: Any) -> Any:
    """A block in which an estimator fits another one, in this process.

    Parameters
    ----------
    owner : estimator
        The one whose `fit` is under way.
    nested : estimator
        The other one.

    Returns
    -------
    context manager
        It hands those callbacks on that go further, where there are any.
    """
    listens = told()
    if listens is None or listens.estimator is not owner:
        return nullcontext()
    return listens.handed_on(nested)
