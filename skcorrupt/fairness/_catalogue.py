"""Transformers to try in the place of a stage (table 2 of Biswas and Rajan 2021)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from sklearn.decomposition import PCA, KernelPCA, MiniBatchSparsePCA, SparsePCA
from sklearn.feature_selection import SelectFpr, SelectKBest, SelectPercentile, f_classif
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from skcorrupt.utils import named_estimators, warn
from skcorrupt.utils._typing import Estimator

N_COMPONENTS = 5
N_QUANTILES = 100


def f_of_columns(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """F statistics and p-values as `f_classif` has them, NaN where a column is constant.

    Selectors take no such column, so that nobody has to be warned of it on every split.
    """
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.filterwarnings("ignore", r"Features .* are constant", UserWarning)
        return f_classif(X, y)


TRANSFORMERS = {
    "scaling": {
        "StandardScaler": StandardScaler(),
        "MinMaxScaler": MinMaxScaler(),
        "MaxAbsScaler": MaxAbsScaler(),
        "RobustScaler": RobustScaler(),
        "Normalizer(l1)": Normalizer("l1"),
        "Normalizer(l2)": Normalizer("l2"),
        "QuantileTransformer": QuantileTransformer(n_quantiles=N_QUANTILES),
        "PowerTransformer": PowerTransformer(),
    },
    "selection": {
        "SelectKBest": SelectKBest(f_of_columns, k=N_COMPONENTS),
        "SelectFpr": SelectFpr(f_of_columns),
        "SelectPercentile": SelectPercentile(f_of_columns, percentile=50),
    },
    "projection": {
        "PCA": PCA(n_components=N_COMPONENTS),
        "SparsePCA": SparsePCA(n_components=N_COMPONENTS),
        "MiniBatchSparsePCA": MiniBatchSparsePCA(n_components=N_COMPONENTS),
        "KernelPCA": KernelPCA(n_components=N_COMPONENTS, kernel="rbf"),
    },
}
Part: TypeAlias = Literal["scaling", "sampling", "selection", "projection"]
PARTS: tuple[Part, ...] = get_args(Part)
Candidates: TypeAlias = Part | Sequence[Estimator] | Mapping[str, Estimator]
# a kernel between all pairs of more rows would not fit into memory
MOST_KERNEL_ROWS = 5_000


def candidates_of(candidates: Candidates, n_rows: int) -> dict[str, Estimator]:
    """Candidates by name.

    Parameters
    ----------
    candidates : {"scaling", "sampling", "selection", "projection"}, list or mapping
        A part of the catalogue, or transformers and samplers.
    n_rows : int
        Training rows; kernels are left out of the catalogue where there are many, with a warning.

    Returns
    -------
    dict of str to estimator
        The candidates.

    Raises
    ------
    ValueError
        If there is no such part, or no candidate.
    """
    if isinstance(candidates, str):
        if candidates not in PARTS:
            raise ValueError(
                f"candidates={candidates!r} should be one of {list(PARTS)}, or a list of "
                "transformers."
            )
        found = dict(_samplers() if candidates == "sampling" else TRANSFORMERS[candidates])
        if "KernelPCA" in found and n_rows > MOST_KERNEL_ROWS:
            del found["KernelPCA"]
            warn(
                f"candidates={candidates!r}: KernelPCA is left out, as a kernel between all pairs "
                f"of {n_rows} rows takes too much memory; pass it by itself to try it.",
            )
        return found
    return named_estimators(candidates, "candidates", methods=("fit",))


def _samplers() -> dict[str, Estimator]:
    # imported where they are used: they would be a fifth of the time of importing the package
    from imblearn.combine import SMOTEENN
    from imblearn.over_sampling import SMOTE
    from imblearn.under_sampling import AllKNN, RandomUnderSampler

    return {
        "SMOTE": SMOTE(),
        "RandomUnderSampler": RandomUnderSampler(),
        "AllKNN": AllKNN(),
        "SMOTEENN": SMOTEENN(),
    }
