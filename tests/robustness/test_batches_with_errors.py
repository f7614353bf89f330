"""Batches put together from struck rows, beside those that errors make one by one."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import (
    MAR,
    CorruptDuplicates,
    CorruptMissing,
    CorruptScale,
    CorruptShiftRows,
    SelectionBias,
)
from skcorrupt.checks import Drift, MissingShare, RowCount, UniqueKeys, ValueRange
from skcorrupt.robustness import _batches_with_errors
from skcorrupt.robustness._batches_with_errors import _all_struck, _struck_rows, alarms_on
from skcorrupt.utils import as_table

SIZE, N_BATCHES = 60, 80


def rows(n=2400):
    """Two numbers, one of them with gaps."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.gamma(2, 1, n).round(2)})
    X.loc[::9, "b"] = np.nan
    return X


def drawn(n):
    rng = np.random.default_rng(1)
    return [rng.choice(n, SIZE, replace=False) for _ in range(N_BATCHES)]


@pytest.fixture(scope="module")
def watchers():
    makers = [MissingShare, ValueRange, Drift, RowCount, UniqueKeys]
    return [(make.__name__, make(batch_size=SIZE).fit(rows())) for make in makers]


AT_ONCE = [
    CorruptMissing("b", pattern="b > 1", rate=0.3),
    CorruptScale(["a"], pattern="a > 0", factor=50.0, rate=0.5),
    CorruptScale(factor=3.0, rate=0.2),
    SelectionBias(pattern="a > 0", rate=0.9),
    CorruptDuplicates(pattern="a > 0", rate=0.2),
]


@pytest.mark.many
@pytest.mark.parametrize("error", AT_ONCE, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("form", ["frame", "array"])
def test_alarms_are_those_of_batches_made_one_by_one(error, form, watchers, monkeypatch):
    X = rows()
    if form == "array":
        columns = {"a": 0, "b": 1}
        X = X.to_numpy()
        watchers = [(name, type(check)(batch_size=SIZE).fit(X)) for name, check in watchers]
        params = {"pattern": error.pattern and str(error.pattern).replace("a", "`0`")}
        params["pattern"] = params["pattern"] and params["pattern"].replace("b", "`1`")
        if getattr(error, "columns", None) is not None:
            params["columns"] = [columns[c] for c in np.atleast_1d(error.columns)]
        error = type(error)(**{**error.get_params(), **params})
    table = as_table(X)
    assert _all_struck(error, table) is not None
    quick = alarms_on(error, watchers, table, None, drawn(len(X)))
    monkeypatch.setattr(_batches_with_errors, "_all_struck", lambda *_: None)
    slow = alarms_on(error, watchers, table, None, drawn(len(X)))
    assert quick.shape == slow.shape == (len(watchers), N_BATCHES)
    # rows are struck by other draws, as many of them
    np.testing.assert_allclose(quick.mean(axis=1), slow.mean(axis=1), atol=0.2)
    assert slow.mean(axis=1).max() > 0.5


def test_as_many_rows_are_struck_as_by_the_error_itself():
    X = rows()
    error, batches = AT_ONCE[0], drawn(len(X))
    for places, own in zip(_struck_rows(error, as_table(X), None, batches), batches, strict=True):
        np.testing.assert_array_equal(places % len(X), own)
        batch = X.iloc[own]
        # gaps that are there are no values to lose
        matched = (batch["b"] > 1).to_numpy()
        assert (places >= len(X)).sum() == int(0.3 * matched.sum() + 0.5)
        assert matched[places >= len(X)].all()


def test_a_selection_leaves_no_batch_without_rows():
    X, error = rows(), SelectionBias(pattern="a > 0", rate=1.0)
    batches = [np.array([i]) for i in range(40)]
    left = _struck_rows(error, as_table(X), None, batches)
    assert [len(own) for own in left] == [1] * 40
    watchers = [("MissingShare", MissingShare(batch_size=1).fit(X))]
    assert alarms_on(error, watchers, as_table(X), None, batches).shape == (1, 40)


@pytest.mark.parametrize(
    "error",
    [
        CorruptShiftRows("a", rate=0.3),
        CorruptMissing("b", rate=0.3, mechanism=MAR(["a"])),
        CorruptMissing(rate=0.3, same_rows=False),
        CorruptScale("a", pattern="a > 0", factor=50.0, rate=0.5, when="always"),
        CorruptDuplicates(rate=0.2, jitter=0.1),
    ],
    ids=["rows", "mechanism", "columns", "thresholds", "jitter"],
)
def test_what_needs_other_rows_is_made_batch_by_batch(error, watchers):
    table = as_table(rows())
    assert _all_struck(error, table) is None
    assert alarms_on(error, watchers, table, None, drawn(table.n_rows)[:5]).shape == (5, 5)
