"""Labels by majority vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy.special import softmax

from skcorrupt.utils._compat import StrOptions

from ._label_model import LabelModel, vote_counts


class MajorityVoteLabeler(LabelModel):
    r"""Label by majority vote ([1]_, all weights 1).

    Parameters
    ----------
    confidence : {"softmax", "share"}, default="softmax"
        Probability of a class: :math:`e^{n_y} / \sum_k e^{n_k}` of the numbers of votes, as in the
        paper, or the share of votes.
    classes : sequence of int or None, default=None
        All classes; None is those that are voted.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of labeling functions.
    feature_names_in_ : ndarray of shape (n_lfs,)
        Their names, where the votes had any.

    Notes
    -----
    The softmax of counts is what a model of independent functions gives that are all right with
    probability .731 (two classes).

    References
    ----------
    .. [1] Pugh et al., "Curating Naturally Adversarial Datasets for Trustworthy AI in
       Healthcare", 2023.

    Examples
    --------
    >>> from skcorrupt.curation import MajorityVoteLabeler
    >>> L = [[0, 0, -1], [1, -1, 1], [0, 1, 1], [-1, -1, -1]]
    >>> MajorityVoteLabeler(confidence="share").fit(L).predict_proba(L).round(2)
    array([[1.  , 0.  ],
           [0.  , 1.  ],
           [0.33, 0.67],
           [0.5 , 0.5 ]])
    """

    _parameter_constraints: dict[str, Any] = {
        "confidence": [StrOptions({"softmax", "share"})],
        "classes": "no_validation",
    }

    def __init__(
        self,
        confidence: Literal["softmax", "share"] = "softmax",
        *,
        classes: Sequence[int] | None = None,
    ) -> None:
        self.confidence = confidence
        self.classes = classes

    def _proba(self, codes: np.ndarray) -> np.ndarray:
        counts: Any = vote_counts(codes, len(self.classes_))
        if self.confidence == "softmax":
            return softmax(counts, axis=1)
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
