"""What keeps work from going to other processes, said in words."""

from __future__ import annotations

import pickle
import reprlib
from typing import Any

from joblib.externals.loky.backend.reduction import dumps


def is_of_pickling(error: BaseException) -> bool:
    """Whether work could not be sent to another process, or its result not back."""
    # workers tell of it as what Python raises, or as a broken pool
    if not isinstance(error, (pickle.PicklingError, TypeError, AttributeError, RuntimeError)):
        return False
    words = f"{error} {error.__cause__ or ''}"
    return any(sign in words for sign in ("pickle", "un-serialize", "serialize object"))


def unpicklable(sent: list[tuple[Any, ...]], n_jobs: int | None, error: BaseException) -> str:
    """Say what does not pickle, by its place among the parameters where it has one."""
    culprit = next(
        (found for task in sent for part in task if (found := _culprit(part)) is not None),
        f"what came of a fit does not pickle ({error})",
    )
    return (
        f"n_jobs={n_jobs}: {culprit}, so it cannot go from process to process. Pass n_jobs=1, "
        'work in threads, as in `with joblib.parallel_config(backend="threading"):`, or make '
        "what does not pickle (locks, open files, connections) only when it is needed."
    )


def _culprit(part: Any) -> str | None:
    """What in an object does not pickle, None where all does."""
    try:
        pickle.loads(dumps(part))
    except Exception as error:
        if isinstance(part, dict):
            inner = {str(key): value for key, value in part.items()}
        else:
            inner = part.get_params() if hasattr(part, "get_params") else {}
        for name, value in inner.items():
            found = _culprit(value)
            if found is not None:
                return f"{name}: {found}" if not found.startswith(f"{name}") else found
        return f"{reprlib.repr(part)} of type {type(part).__name__} does not pickle ({error})"
    return None
