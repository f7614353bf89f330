"""Tables whose columns are awkward for checks: ties, heavy tails, rare categories, gaps."""

import numpy as np
import pandas as pd


def drawn(rng, n):
    """Rows that are drawn independently of one another."""
    return pd.DataFrame(
        {
            "normal": rng.normal(size=n),
            "cauchy": rng.standard_cauchy(n),
            "ties": rng.poisson(2, n),
            "gaps": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "few gaps": np.where(rng.random(n) < 0.001, np.nan, rng.exponential(size=n)),
            "constant": np.ones(n),
            "category": np.array(list("abcdefgh"))[np.minimum(rng.geometric(0.4, n) - 1, 7)],
            "long tail": np.array([f"w{k}" for k in np.minimum(rng.zipf(1.8, n), 10**6)]),
            "rarely": rng.random(n) < 0.02,
            "category with gaps": np.array(["x", "y", "z", None])[rng.integers(0, 4, n)],
            "key": [f"k{k}" for k in rng.integers(0, 50_000, n)],
            "when": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 10**6, n), unit="s"),
        }
    )
