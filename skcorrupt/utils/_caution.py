"""Warnings that point at the user's line."""

from __future__ import annotations

import sys
import warnings

# frames of these are on the way from the user's line to what is wrong
_ON_THE_WAY = {"skcorrupt", "sklearn", "imblearn", "joblib", "contextlib"}


def caution(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of something at the line of the user's code that led here.

    Parameters
    ----------
    message : str
        What is wrong, and the remedy.
    category : type, default=UserWarning
        Class of the warning.
    """
    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in _ON_THE_WAY:
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(message, category, stacklevel=level)
