"""Example data that corruptions are checked on."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

N_ROWS = 60


@dataclass(frozen=True)
class Case:
    """Example data under a name, with what one corruption made of it at the rates tried."""

    name: str
    X: Any
    y: Any
    results: dict[float, Any] = field(default_factory=dict)

    def data(self) -> tuple[Any, Any]:
        """Fresh copies of X and y."""
        return copy.deepcopy(self.X), copy.deepcopy(self.y)


def example_cases() -> list[Case]:
    """One case a container; columns are called x0, x1, … in all of them, rows are distinct."""
    rng = np.random.default_rng(0)
    classes = rng.permutation(np.arange(N_ROWS) % 3)
    floats = rng.normal(size=(N_ROWS, 3))
    frame = _mixed_frame(rng, floats)
    letters = pd.Series(np.array(["a", "b", "c"])[classes], index=frame.index, name="label")
    numbers = pd.DataFrame(floats, columns=["x0", "x1", "x2"], index=rng.permutation(N_ROWS))
    integers = rng.permutation(N_ROWS * 3).reshape(N_ROWS, 3)
    objects = np.empty((N_ROWS, 3), dtype=object)
    objects[:, :2], objects[:, 2] = floats[:, :2], letters
    matrix = floats * (rng.uniform(size=floats.shape) < 0.7)
    cases = [
        Case("mixed frame", frame, letters),
        Case("numeric frame", numbers.astype({"x1": np.float32}), pd.Series(floats[:, 2])),
        Case("float array", floats, classes),
        Case("integer array", integers, classes == 1),
        Case("object array", objects, letters.to_numpy(dtype=object)),
        Case("sparse csr", sparse.csr_array(matrix), classes),
        Case("sparse csc", sparse.csc_matrix(matrix), classes),
    ]
    return cases + _polars_cases(frame, classes)


def _mixed_frame(rng: np.random.Generator, floats: np.ndarray) -> pd.DataFrame:
    words = np.array(["red", "green", "blue", None], dtype=object)[rng.integers(4, size=N_ROWS)]
    sizes = np.array(["S", "M", "L"])[rng.integers(3, size=N_ROWS)]
    counts = pd.array(rng.integers(50, size=N_ROWS), dtype="Int64")
    counts[::7] = pd.NA
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(900, size=N_ROWS), unit="D")
    frame = pd.DataFrame(
        {
            "x0": np.where(rng.uniform(size=N_ROWS) < 0.1, np.nan, floats[:, 0]),
            "x1": rng.permutation(N_ROWS),
            "x2": pd.Series(words, dtype=object),
            "x3": rng.uniform(size=N_ROWS) < 0.5,
            "x4": pd.Categorical(sizes, categories=["S", "M", "L"], ordered=True),
            "x5": pd.DatetimeIndex(days).tz_localize("Europe/Paris"),
            "x6": counts,
        }
    )
    # labels that occur twice tell apart what goes by position from what goes by label
    frame.index = pd.Index([f"r{i % 40}" for i in range(N_ROWS)], name="row")
    return frame


def _polars_cases(frame: pd.DataFrame, classes: np.ndarray) -> list[Case]:
    try:
        import polars
    except ImportError:
        return []
    columns = {
        "x0": polars.Series(frame["x0"].tolist(), nan_to_null=True),
        "x1": polars.Series(frame["x1"].tolist()),
        "x2": polars.Series(frame["x2"].tolist()),
        "x3": polars.Series(frame["x3"].tolist()),
        "x4": polars.Series(frame["x4"].tolist()).cast(polars.Enum(["S", "M", "L"])),
        "x5": polars.Series([day.date() for day in frame["x5"]]),
    }
    return [Case("polars frame", polars.DataFrame(columns), polars.Series("label", classes))]


def given_cases(X: Any, y: Any) -> list[Case]:
    """The user's own data and, for a pandas frame, the same under duplicate index labels."""
    cases = [Case("the given data", X, y)]
    if isinstance(X, pd.DataFrame) and X.index.is_unique and len(X) > 1:
        twice = X.set_axis(pd.Index(np.arange(len(X)) // 2), axis=0)
        cases.append(Case("the given data under duplicate index labels", twice, y))
    return cases
