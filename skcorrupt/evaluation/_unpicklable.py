"""What keeps work from going to other processes, said in words."""

from __future__ import annotations

import pickle
from typing import Any

from joblib import effective_n_jobs

from skcorrupt.utils import UnpicklableError, shorten
from skcorrupt.utils._compat import dumps


def raise_if_of_pickling(
    error: BaseException, sent: list[tuple[Any, ...]], n_jobs: int | None
) -> None:
    """Say what does not pickle, where that is why work in other processes failed.

    Parameters
    ----------
    error : BaseException
        How the work failed.
    sent : list of tuple
        The last task that was sent.
    n_jobs : int or None
        Number of workers.

    Raises
    ------
    UnpicklableError
        From the error, with the remedy.
    """
    # workers tell of it as what Python raises, or as a broken pool
    kinds = (pickle.PicklingError, TypeError, AttributeError, RuntimeError)
    words = f"{error} {error.__cause__ or ''}"
    signs = ("pickle", "un-serialize", "serialize object")
    if not isinstance(error, kinds) or not any(sign in words for sign in signs):
        return
    if effective_n_jobs(n_jobs) == 1:
        return
    found = [culprit for task in sent for part in task if (culprit := _culprit(part)) is not None]
    raise UnpicklableError(
        f"n_jobs={n_jobs}: {found[0] if found else f'what came of a fit does not pickle ({error})'}"
        ", so it cannot go from process to process. Pass n_jobs=1, work in threads, as in "
        '`with joblib.parallel_config(backend="threading"):`, or make what does not pickle (locks, '
        "open files, connections) only when it is needed."
    ) from error


def _culprit(part: Any, name: str = "") -> str | None:
    """What in an object does not pickle, None where all does."""
    try:
        pickle.loads(dumps(part))
    except Exception as error:
        inner: dict[str, Any] = {}
        if isinstance(part, dict):
            inner = {str(key): value for key, value in part.items()}
        elif hasattr(part, "get_params"):
            inner = part.get_params()
        # the longest name is that of the smallest part
        for key in sorted(inner, key=len, reverse=True):
            found = _culprit(inner[key], key)
            if found is not None:
                return found
        said = f"{name}={shorten(part)}" if name else shorten(part)
        return f"{said} of type {type(part).__name__} does not pickle ({error})"
    return None
