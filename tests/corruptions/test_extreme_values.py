"""Cells at the limits of their dtype, and cells that are no plain numbers, texts or times."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline

from cheap_models import Centroids
from skcorrupt import (
    MAR,
    MNAR,
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptText,
    CorruptType,
    SelectionBias,
    infer_domains,
)
from skcorrupt.learned import learn_gaps
from skcorrupt.responsiveness import ActionSet
from skcorrupt.sensitivity import ErrorSensitivityProfiler

N = 40
LIMITS = np.iinfo(np.int64)
WHOLE = np.array([LIMITS.min, LIMITS.max, 0, -1, LIMITS.max - 1, *range(1, N - 4)])
LARGE = np.array([0, 2**64 - 1, 2**63, *range(1, N - 2)], dtype=np.uint64)


def objects(values):
    cells = np.empty(N, dtype=object)
    cells[:] = values
    return cells


COLUMNS = {
    "int64": WHOLE,
    "Int64": pd.array(WHOLE, dtype="Int64"),
    "Int64 with a gap": pd.array([None, *WHOLE[1:]], dtype="Int64"),
    "arrow int64": pd.Series(WHOLE, dtype="int64[pyarrow]"),
    "uint64": LARGE,
    "UInt64": pd.array(LARGE, dtype="UInt64"),
    "beyond int64": objects([10**30 + i for i in range(N)]),
    "beyond float": objects([10**400 + i for i in range(N)]),
    "large floats": np.array([1e308, -1e308] * (N // 2)),
    "float16": np.array([65504, -65504, 1, 2] * (N // 4), dtype=np.float16),
    "longdouble": np.arange(N).astype(np.longdouble),
    "infinite": np.array([np.inf, -np.inf, 1, 2] * (N // 4)),
    "complex": np.arange(N) * 1j,
    "complex objects": objects([complex(i) for i in range(N)]),
    "intervals": pd.interval_range(0, N),
    "intervals of time": pd.interval_range(pd.Timestamp("2020"), periods=N),
    "interval objects": pd.Series(pd.interval_range(0.0, float(N))).astype(object),
    "interval categories": pd.cut(np.arange(N), 4),
    "far times": np.array(["0001-01-01", "9999-01-01"] * (N // 2), dtype="M8[s]"),
    "far durations": pd.Series([pd.Timedelta.min, pd.Timedelta.max] * (N // 2)),
    "dicts": objects([{"a": i} for i in range(N)]),
}
CORRUPTIONS = [
    CorruptMissing(),
    CorruptMissing("c", mechanism=MNAR()),
    CorruptMissing("b", mechanism=MAR()),
    CorruptNoise(),
    CorruptOutliers(),
    CorruptCategories(),
    CorruptCategories(kind="typo"),
    CorruptCategories(kind="unseen"),
    CorruptCategories("c"),
    CorruptCategories("c", kind="unseen"),
    CorruptScale(),
    CorruptScale("c", factor=-1.0),
    CorruptScale("c", factor=0.5),
    CorruptSentinel(),
    CorruptSentinel("c", value=-1e300),
    CorruptRounding(),
    CorruptRounding("c", step=0.3),
    CorruptRounding("c", step=1e300),
    CorruptRounding("c", step="year"),
    CorruptClip(),
    CorruptClip("c", lower=-1e300, upper=1e300),
    CorruptClip("c", upper=-2.5),
    CorruptText(),
    CorruptText(kind="mojibake"),
    CorruptDates(),
    CorruptDates("c", kind="year", years=-9000),
    CorruptDates("c", kind="time_zone"),
    CorruptDates("c", kind="format"),
    CorruptType(),
    CorruptType("c", kind="thousands"),
]


def table(name):
    if name == "beyond float" and int(pd.__version__.split(".")[0]) < 3:
        pytest.skip("pandas 2 itself raises where it counts or maps such numbers")
    # with its dtype, which older versions of pandas would infer anew
    column = pd.Series(COLUMNS[name], dtype=COLUMNS[name].dtype)
    return pd.DataFrame({"c": column, "b": np.arange(float(N))})


@pytest.mark.many
@pytest.mark.filterwarnings("ignore:.*(changed nothing|kept their|Nothing will be|no two diff)")
@pytest.mark.parametrize("when", ["fit", "always"])
@pytest.mark.parametrize("name", COLUMNS)
def test_extreme_columns_are_struck_or_refused_by_name(name, when):
    X = table(name)
    before = X.copy(deep=True)
    struck = 0
    for corruption in CORRUPTIONS:
        corruption.set_params(rate=0.5, when=when, random_state=0)
        try:
            out = corruption.fit_transform(X)
        except ValueError as error:
            assert "'c'" in str(error) and str(error).startswith(("columns:", "Corrupt"))
            continue
        mask = corruption.record_.X_mask
        struck += mask.any()
        for j, column in enumerate(X):
            kept = ~mask[:, j]
            assert (
                list(out[column][kept]) == list(X[column][kept])
                or (out[column][kept].isna() == X[column][kept].isna()).all()
            )
    assert struck >= 4
    pd.testing.assert_frame_equal(X, before)


def array(columns):
    return np.column_stack([*columns.values()])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, array])
def test_numbers_at_the_limits_do_not_wrap_around(make):
    for values, ends in ((WHOLE, (LIMITS.min, LIMITS.max)), (LARGE, (0, 2**64 - 1))):
        X = make({"x0": values, "x1": values})
        for corruption, expected in (
            (CorruptScale("x0", factor=-1.0, rate=1.0), [-float(v) for v in values]),
            (CorruptScale("x0", factor=2.0, rate=1.0), [2 * float(v) for v in values]),
        ):
            out = corruption.fit_transform(X)
            column = out["x0"] if hasattr(out, "columns") else out[:, 0]
            assert [float(v) for v in column] == expected
        out = CorruptCategories("x0", kind="unseen", rate=1.0).fit_transform(X)
        unseen = {int(v) for v in (out["x0"] if hasattr(out, "columns") else out[:, 0])}
        assert len(unseen) == 1 and not unseen & set(values.tolist())
        assert ends[0] <= unseen.pop() <= ends[1]


@pytest.mark.parametrize(
    ("y", "shift", "expected"),
    [
        (np.array([LIMITS.max - 1, 0, 5]), 1, [LIMITS.max, 1, 6]),
        # no float beyond the largest integer is one more than it
        (np.array([LIMITS.max, 0, 5]), 1, [LIMITS.max, 1, 6]),
        (np.array([LIMITS.min, 0, 5]), -1, [LIMITS.min, -1, 4]),
        (np.array([2**64 - 1, 0, 5], dtype=np.uint64), 1, [2**64 - 1, 1, 6]),
        (np.array([2**64 - 1, 0, 5], dtype=np.uint64), -1, [2**64 - 1, -1, 4]),
        (np.array([LIMITS.max, 0]), 2**63, [2.0**64, 2.0**63]),
        (np.array([1, 2]), 10**25, [1e25, 1e25]),
        (np.array([1e308, 0.0]), 1e308, [np.inf, 1e308]),
        (pd.array([LIMITS.max, 1], dtype="Int64"), 1, [LIMITS.max, 2]),
    ],
)
def test_shifted_labels_do_not_wrap_around(y, shift, expected):
    out = CorruptLabels(shift=shift, rate=1.0).fit_resample(np.zeros((len(y), 1)), y)[1]
    assert [int(v) if isinstance(v, np.integer) else v for v in out] == expected


def test_far_times_move_by_their_own_spread():
    X = table("far times")[["c"]]
    out = CorruptNoise(scale=0.01, rate=1.0, random_state=0).fit_transform(X)
    years = (out["c"].astype("int64") - X["c"].astype("int64")) / 3.15e7
    assert 1 < abs(years).mean() < 200


def test_an_interval_category_gains_an_unseen_one():
    X = table("interval categories")
    out = CorruptOutliers("c", rate=0.5, random_state=0).fit_transform(X)["c"]
    assert (out == "unseen").sum() == N // 2 and out.cat.ordered
    assert out.cat.categories[:-1].tolist() == X["c"].cat.categories.tolist()


@pytest.mark.parametrize("dtype", [complex, np.complex64])
def test_arrays_of_complex_numbers_and_records_are_refused(dtype):
    X = np.ones((4, 2), dtype=dtype)
    for corruption in (CorruptMissing(), SelectionBias(), CorruptDuplicates()):
        with pytest.raises(ValueError, match="Complex data not supported: X holds complex numbers"):
            corruption.fit(X)
        with pytest.raises(ValueError, match=r"X has the dtype .V4, of records or bytes"):
            corruption.fit(np.zeros((4, 2), dtype="V4"))
    with pytest.raises(ValueError, match="Column 'x0' holds values that cannot be compared"):
        ActionSet.from_data(X * np.array([[1j], [2], [3], [4]]))


@pytest.mark.parametrize("name", ["large floats", "dicts", "far times", "complex", "beyond float"])
def test_columns_like_these_beside_others_do_not_stop_a_study(name):
    X = table(name)
    model = make_pipeline(make_column_transformer(("passthrough", ["b"])), Centroids())
    study = ErrorSensitivityProfiler(
        model, corruptions=CorruptMissing(), screening="association", max_features=1,
        levels=(0, 0.5), n_repeats=6, random_state=0,
    )  # fmt: skip
    assert study.fit(X, np.arange(N) % 2).curves_["score"].notna().all()
    infer_domains(X)
    gaps = X.assign(b=X["b"].where(np.arange(N) % 3 > 0))
    assert learn_gaps(gaps).report["n_missing"].tolist() == [14]


@pytest.mark.parametrize("as_frame", [True, False])
def test_times_as_objects_stay_times(as_frame):
    days = np.empty((N, 1), dtype=object)
    days[:, 0] = [dt.datetime(2020, 1, 1 + i % 20) for i in range(N)]
    X = pd.DataFrame({"x0": pd.Series(days[:, 0], dtype=object)}) if as_frame else days
    out = CorruptNoise(scale=0.1, rate=0.5, random_state=0).fit_transform(X)
    cells = list(out["x0"]) if as_frame else out[:, 0].tolist()
    assert all(isinstance(cell, dt.datetime) for cell in cells)
    assert sum(a != b for a, b in zip(cells, days[:, 0], strict=True)) == N // 2


@pytest.mark.parametrize("corruption", [CorruptNoise("c"), CorruptOutliers("c")])
def test_times_that_no_dtype_holds_are_refused(corruption):
    aware = pd.Timestamp("2020-01-01", tz="UTC")
    for cells in ([aware, aware], [aware, pd.Timestamp("2020-01-02")]):
        X = pd.DataFrame({"c": pd.Series(objects(cells * (N // 2)), dtype=object)})
        with pytest.raises(ValueError, match="columns: 'c' holds times as Python objects"):
            corruption.fit(X)
    with pytest.raises(ValueError, match="columns: 'c' holds times as Python objects"):
        CorruptMissing("c", mechanism=MNAR()).fit(X)
