"""What to do where a score of two classes, or of a positive one, is asked of other labels."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from skcorrupt.utils._typing import ColumnLike

# what scikit-learn says of scores of a positive class where none of the classes is 1, and of scores
# of two classes where there are more
OF_POSITIVE = re.compile(r"pos_label(=\S+ is not a valid label| is not specified)")
OF_TWO_CLASSES = "average='binary'"
OF_TWO_RANKED = "multi_class must be in"
# what solvers say of a training part
OF_ONE_CLASS = "needs samples of at least 2 classes"
SAY_POSITIVE = (
    " Say which label is positive by a scorer of that metric with pos_label, as in"
    " scoring=make_scorer(f1_score, pos_label=…), pass labels of 0 and 1, or take a score of all"
    " classes, such as 'f1_macro' or 'neg_log_loss'."
)


def with_remedy(error: object, y: ColumnLike) -> str:
    """An error of a score, and what to pass instead.

    Parameters
    ----------
    error : object
        What scikit-learn says.
    y : array-like of shape (n_samples,)
        The labels.

    Returns
    -------
    str
        The error as it is where it is another one.
    """
    said = str(error)
    if OF_ONE_CLASS in said:
        remedy = (
            " A training part holds one class only: drop a class of so few rows, pass fewer and"
            " stratified parts as cv, or more of its rows."
        )
    elif OF_TWO_RANKED in said:
        remedy = " For more than two classes pass scoring='roc_auc_ovr' or 'roc_auc_ovo'."
    elif OF_TWO_CLASSES not in said and OF_POSITIVE.search(said) is None:
        return said
    elif pd.Series(np.ravel(np.asarray(y))).nunique() > 2:
        remedy = " For more than two classes pass an average of the score, as 'f1_macro'."
    else:
        remedy = SAY_POSITIVE
    return f"{said.rstrip('. ')}.{remedy}"
