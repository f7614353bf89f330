"""Columns of decimals, as databases and Parquet files have them, stay columns of decimals."""

import decimal
import io

import numpy as np
import pandas as pd
import pytest

from skcorrupt import (
    CorruptClip,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
)

PRICES = np.random.default_rng(0).integers(100, 9999, 60)
TABLE = pd.DataFrame(
    {
        "price": pd.Series(
            [
                decimal.Decimal(cents) / 100 if i % 7 else None
                for i, cents in enumerate(PRICES.tolist())
            ],
            dtype=object,
        ),
        "size": 1.5,
    }
)


@pytest.mark.parametrize(
    "error",
    [
        CorruptScale("price", factor=10),
        CorruptNoise("price"),
        CorruptOutliers("price"),
        CorruptRounding("price", step=10),
        CorruptClip("price", upper=50),
        CorruptSentinel("price", value=-999.5),
        CorruptMissing("price"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_decimals_stay_decimals(error):
    struck = error.set_params(rate=0.5, random_state=0).fit_transform(TABLE)["price"]
    known = struck.dropna()
    assert {type(value) for value in known} == {decimal.Decimal}
    plain = TABLE.assign(price=TABLE["price"].astype(float))
    expected = error.fit_transform(plain)["price"]
    np.testing.assert_allclose(struck.astype(float), expected, rtol=1e-12)
    if not isinstance(error, CorruptMissing):
        assert not (struck.astype(float) == plain["price"]).all()
    pytest.importorskip("pyarrow")
    struck.to_frame().to_parquet(io.BytesIO())
