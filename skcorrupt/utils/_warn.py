"""Warnings that point at the line of the user's that caused them."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from pathlib import Path

import imblearn
import joblib
import sklearn

# of the package, and of what calls it for the user
_NOT_THE_USERS = (
    *(
        f"{folder}{os.sep}"
        for folder in (
            Path(__file__).parents[1],
            *(Path(module.__file__).parent for module in (sklearn, imblearn, joblib)),
        )
    ),
    contextlib.__file__,
)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line that belongs neither to the package nor to scikit-learn.

    Parameters
    ----------
    message : str
        What is said.
    category : type of Warning, default=UserWarning
        Its kind.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_NOT_THE_USERS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
