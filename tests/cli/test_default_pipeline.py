"""The pipeline of commands that are given none, on the types that Parquet files have."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from skcorrupt import CorruptMissing
from skcorrupt.cli._load import default_pipeline, split_label
from skcorrupt.cli._table import with_dates

N = 120
RNG = np.random.default_rng(0)
CENTS = RNG.integers(100, 9999, N)
DAYS = RNG.integers(0, 900, N)
PLAIN = pd.DataFrame(
    {
        "price": CENTS / 100,
        "day": pd.Timestamp("2021-01-01") + pd.to_timedelta(DAYS, unit="D"),
        "city": pd.Series(RNG.choice(["Ulm", "Bonn"], N), dtype="str"),
        "paid": RNG.random(N) < 0.5,
    }
).mask(RNG.random((N, 4)) < 0.1)
Y = pd.Series(np.where(CENTS + 5 * DAYS > 7000, "yes", "no"))


def as_decimals(column):
    return column.map(lambda v: None if pd.isna(v) else decimal.Decimal(f"{v:.2f}")).astype(object)


def as_days(column):
    return pd.Series([None if pd.isna(v) else v.date() for v in column], dtype=object)


OTHERWISE = {
    "decimals": PLAIN.assign(price=as_decimals(PLAIN["price"])),
    "Python's dates": PLAIN.assign(day=as_days(PLAIN["day"])),
    "nullable": PLAIN.convert_dtypes(),
    "Arrow": PLAIN.convert_dtypes(dtype_backend="pyarrow"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_values_are_prepared_alike_whatever_their_type(name):
    if name == "Arrow":
        pytest.importorskip("pyarrow")
    plain, X = with_dates(PLAIN), with_dates(OTHERWISE[name])
    pipeline, said = default_pipeline(plain, Y)
    own, own_said = default_pipeline(X, Y)
    assert own_said == said
    expected = pipeline.fit(plain, Y).predict_proba(plain)
    np.testing.assert_allclose(own.fit(X, Y).predict_proba(X), expected, rtol=1e-6)
    for column in X:
        error = CorruptMissing(column, rate=0.5, random_state=0)
        struck = clone(error).fit_transform(X), clone(error).fit_transform(plain)
        np.testing.assert_allclose(
            own.predict_proba(struck[0]), pipeline.predict_proba(struck[1]), rtol=1e-6
        )


def test_a_label_of_decimals_is_a_quantity(tmp_path):
    frame = pd.DataFrame({"x": np.arange(40.0), "price": as_decimals(pd.Series(CENTS[:40] / 100))})
    frame.loc[3, "price"] = None
    X, y = split_label(frame, "price", [], tmp_path / "t.parquet")
    assert y.dtype == float
    assert len(y) == 39
    assert "ridge" in default_pipeline(X, y)[1]


def test_dates_of_python_are_times():
    dates = [datetime.date(2024, 2, 29), None, datetime.date(2025, 1, 1)]
    read = with_dates(pd.DataFrame({"d": pd.Series(dates, dtype=object)}))["d"]
    assert read.dropna().tolist() == [pd.Timestamp("2024-02-29"), pd.Timestamp("2025-01-01")]
    assert read.isna().tolist() == [False, True, False]
