"""What a stage of a pipeline made of its data, kept for other pipelines that begin alike."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone

from skcorrupt.utils import as_table, duplicate
from skcorrupt.utils._hashing import row_keys

Key = tuple[Any, ...]


class Cache:
    """Results of stages, the oldest forgotten first when they are too large.

    Parameters
    ----------
    max_bytes : float
        Most memory that the results may take.
    keeps_variants : bool, default=True
        Whether results that only a single variant of a pipeline has are asked for again.

    Attributes
    ----------
    role : {"train", "test"} or None
        Which data the pipeline gets: those it is fitted on, those it is asked about, or others
        such as a scorer may make up, of which nothing is kept. Every thread has its own.
    n_fits : int
        Number of fits that were not found here.
    """

    def __init__(self, max_bytes: float, *, keeps_variants: bool = True) -> None:
        self.max_bytes, self.keeps_variants = max_bytes, keeps_variants
        self.n_fits = 0
        self._now = threading.local()
        self._kept: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
        self._bytes = 0

    @property
    def role(self) -> str | None:
        return getattr(self._now, "role", None)

    @role.setter
    def role(self, role: str | None) -> None:
        self._now.role = role

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_now"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _now=threading.local())

    def get(self, key: Key) -> Any:
        """What was kept, or None."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: Key, value: Any, size: int) -> None:
        """Keep a value of `size` bytes, if there is room for it at all."""
        if size > self.max_bytes or key in self._kept:
            return
        self._kept[key] = value, size
        self._bytes += size
        while self._bytes > self.max_bytes:
            _, (_, freed) = self._kept.popitem(last=False)
            self._bytes -= freed

    def __deepcopy__(self, memo: dict[int, Any]) -> Cache:
        # clones of a stage share what was kept
        return self


class Memo(BaseEstimator):
    """A stage whose results are shared by pipelines that agree in all that comes before it.

    Parameters
    ----------
    stage : estimator
        The stage, with its seeds set.
    key : tuple
        What the results depend on.
    cache : Cache
        Where they are kept.
    keep : bool
        Whether they are.
    """

    def __init__(self, stage: Any, key: Key, cache: Cache, keep: bool):
        self.stage = stage
        self.key = key
        self.cache = cache
        self.keep = keep

    def _kept(self, role: str, kind: str) -> Any:
        """A result that was kept for the data at hand, or None."""
        return self.cache.get((kind, *self.key)) if self.cache.role == role else None

    def _is_kept(self, role: str, size: int) -> bool:
        """Whether a result is asked for again and worth a copy."""
        return self.cache.role == role and self.keep and size <= self.cache.max_bytes

    def __sklearn_clone__(self) -> Any:
        return type(self)(self.stage, self.key, self.cache, self.keep)

    def __sklearn_tags__(self) -> Any:
        return self.stage.__sklearn_tags__()

    def __sklearn_is_fitted__(self) -> bool:
        return "stage_" in vars(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("stage", "stage_", "key", "cache", "keep"):
            raise AttributeError(name)
        return getattr(vars(self).get("stage_", self.stage), name)


# the stage itself wraps its output in the container that is asked for
class MemoTransformer(  # type: ignore[call-arg]
    TransformerMixin, Memo, auto_wrap_output_keys=None
):
    """A transformer, kept with what it made of the training and of the test data."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> MemoTransformer:
        """Fit the stage, or take it from the cache."""
        self.fit_transform(X, y, **params)
        return self

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fit and transform, or take both from the cache."""
        kept = self._kept("train", "fit")
        if kept is None:
            stage = clone(self.stage)
            self.cache.n_fits += 1
            if hasattr(stage, "fit_transform"):
                out = stage.fit_transform(X, y, **params)
            else:
                out = stage.fit(X, y, **params).transform(X)
            kept = stage, out
            size = n_bytes(out) + state_bytes(stage)
            if self._is_kept("train", size):
                self.cache.put(("fit", *self.key), (stage, duplicate(out)), size)
            self.stage_ = stage
            return out
        self.stage_, out = kept
        return duplicate(out)

    def transform(self, X: Any) -> Any:
        """Transform, or take it from the cache if this data was transformed before."""
        kept = self._kept("test", "transform")
        if kept is not None:
            return duplicate(kept)
        out = self.stage_.transform(X)
        if self._is_kept("test", n_bytes(out)):
            self.cache.put(("transform", *self.key), duplicate(out), n_bytes(out))
        return out


class MemoSampler(Memo):
    """A sampler, kept with what it made of the training data and which rows it left."""

    def fit_resample(self, X: Any, y: Any, **params: Any) -> tuple[Any, Any]:
        """Resample, or take it from the cache."""
        kept = self._kept("train", "fit")
        if kept is None:
            stage = clone(self.stage)
            self.cache.n_fits += 1
            out, labels = stage.fit_resample(duplicate(X), y, **params)
            self.stage_ = stage
            if self.cache.role != "train":
                # what a scorer fits anew is not what is reported
                return out, labels
            rows = kept_rows(stage, (X, y), (out, labels))
            size = n_bytes(out) + n_bytes(labels) + rows.nbytes + state_bytes(stage)
            if self._is_kept("train", size):
                kept = stage, duplicate(out), duplicate(labels), rows
                self.cache.put(("fit", *self.key), kept, size)
            self.rows_ = rows
            return out, labels
        self.stage_, out, labels, self.rows_ = kept
        return duplicate(out), duplicate(labels)


def kept_rows(sampler: Any, before: tuple[Any, Any], after: tuple[Any, Any]) -> np.ndarray:
    """Where the rows that a sampler gives come from.

    Parameters
    ----------
    sampler : fitted sampler
        What it says itself is taken first; otherwise rows are found by their content, label
        included, and those left over by their content alone, as labels may have been changed.
    before, after : (table, array-like)
        Data and labels that it was given, and those that it gave.

    Returns
    -------
    ndarray of int, shape (n_out,)
        Positions in the data it was given, -1 for rows that are not in it. All are -1 where a
        filter changes values as well, as then no row can be followed.
    """
    if hasattr(sampler, "record_"):
        return np.asarray(sampler.record_.sample_indices)
    n_out = as_table(after[0]).n_rows
    told = np.asarray(getattr(sampler, "sample_indices_", ()))
    if told.shape == (n_out,):
        return told
    given, left = (_contents(*part) for part in (before, after))
    found = np.full(n_out, -1, dtype=np.intp)
    for by in (["key", "label"], ["key"]):
        there = given[~given["row"].isin(found)]
        open_rows = left[found < 0]
        pairs = [part.assign(copy=part.groupby(by).cumcount()) for part in (open_rows, there)]
        matched = pairs[0].merge(pairs[1], on=[*by, "copy"], suffixes=("", "_given"))
        found[matched["row"]] = matched["row_given"]
    return found


def _contents(X: Any, y: Any) -> pd.DataFrame:
    keys = row_keys(as_table(X))
    labels = pd.factorize(np.asarray(y, dtype=object).reshape(len(keys), -1)[:, 0])
    names = np.append(np.array([str(label) for label in labels[1]], dtype=object), "")
    return pd.DataFrame({"key": keys, "label": names[labels[0]], "row": np.arange(len(keys))})


def state_bytes(stage: Any) -> int:
    """About how much memory a fitted stage takes, such as one that keeps its training data."""
    kinds = (np.ndarray, pd.DataFrame, pd.Series, sparse.sparray, sparse.spmatrix)
    return sum(n_bytes(part) for part in vars(stage).values() if isinstance(part, kinds))


def n_bytes(data: Any) -> int:
    """About how much memory the data takes."""
    if sparse.issparse(data):
        parts = [getattr(data, name, None) for name in ("data", "indices", "indptr", "row", "col")]
        return sum(getattr(part, "nbytes", 0) for part in parts)
    if isinstance(data, (pd.DataFrame, pd.Series)):
        return int(np.sum(data.memory_usage(index=True)))
    size = getattr(data, "nbytes", None)
    if size is None and hasattr(data, "estimated_size"):
        return int(data.estimated_size())
    return int(size) if size is not None else 0
