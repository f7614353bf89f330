"""What to do where a score of two classes, or of a positive one, is asked of other labels."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import ColumnLike

# what scikit-learn says of scores of a positive class where none of the classes is 1, and of scores
# of two classes where there are more
OF_POSITIVE = re.compile(r"pos_label=\S+ is not a valid label")
OF_TWO_CLASSES = "average='binary'"
OF_TWO_RANKED = "multi_class must be in"
SAY_POSITIVE = (
    " Say which label is positive, as in scoring=make_scorer(f1_score, pos_label=…), pass labels of"
    " 0 and 1, or take an average over classes, as 'f1_macro'."
)


def remedy_of_classes(error: str, y: ColumnLike) -> str:
    """A sentence to put after an error of a score, with a space before it.

    Parameters
    ----------
    error : str
        What scikit-learn says.
    y : array-like of shape (n_samples,)
        The labels.

    Returns
    -------
    str
        What to pass instead, "" where the error is another one.
    """
    if OF_TWO_RANKED in error:
        return " For more than two classes pass scoring='roc_auc_ovr' or 'roc_auc_ovo'."
    if OF_TWO_CLASSES not in error and OF_POSITIVE.search(error) is None:
        return ""
    if pd.Series(np.asarray(y)).nunique() > 2:
        return " For more than two classes pass an average of the score, as 'f1_macro'."
    return SAY_POSITIVE
