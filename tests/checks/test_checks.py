"""What raises an alarm, what the report says, and what goes in."""

import datetime as dt
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from drawn_tables import drawn
from skcorrupt import (
    CorruptCategories,
    CorruptDuplicates,
    CorruptMissing,
    CorruptScale,
    CorruptSentinel,
    SelectionBias,
)
from skcorrupt.checks import (
    BaseCheck,
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
    _unique_keys,
)
from skcorrupt.utils import as_table

SIZE = 200
ALL = [Drift, KnownCategories, MissingShare, RowCount, SegmentShare, UniqueKeys, ValueRange]
LEARNING = [check for check in ALL if check is not RowCount]


@pytest.fixture(scope="module")
def reference():
    return drawn(np.random.default_rng(0), 20 * SIZE).assign(key=np.arange(20 * SIZE))


@pytest.fixture
def batch():
    return drawn(np.random.default_rng(1), SIZE).assign(key=np.arange(10**6, 10**6 + SIZE))


def alarms(check, reference, batch):
    report = check.set_params(batch_size=SIZE).fit(reference).report(batch)
    return report[report["alarm"]]


@pytest.mark.parametrize("check", ALL)
def test_a_batch_like_the_reference_passes(check, reference, batch):
    fitted = check(batch_size=SIZE).fit(reference.drop(columns="key"))
    assert fitted.passes(batch.drop(columns="key"))


@pytest.mark.parametrize(
    ("check", "corruption", "columns"),
    [
        (MissingShare(), CorruptMissing("normal", rate=0.05), ["normal"]),
        (MissingShare(), CorruptMissing("category", rate=0.05), ["category"]),
        (ValueRange(), CorruptScale("normal", rate=0.1), ["normal"]),
        (ValueRange(), CorruptSentinel("ties", rate=0.05), ["ties"]),
        (ValueRange(), CorruptSentinel("when", rate=0.05), ["when"]),
        (ValueRange("normal"), CorruptSentinel("normal", value=np.float64(-999)), ["normal"]),
        (KnownCategories(), CorruptCategories("category", kind="typo"), ["category"]),
        (KnownCategories(), CorruptSentinel("category with gaps"), ["category with gaps"]),
        (Drift(), CorruptScale("normal", factor=0.1, rate=0.6), ["normal"]),
        (Drift(), CorruptMissing("gaps", rate=0.5), ["gaps"]),
        (Drift(), CorruptCategories("category", rate=0.5), ["category"]),
        (Drift(), CorruptSentinel("rarely", rate=0.2), ["rarely"]),
        (SegmentShare(), CorruptSentinel("category", value="c", rate=0.3), ["category"]),
        (SegmentShare(), CorruptMissing("rarely", rate=0.1), ["rarely"]),
    ],
    ids=lambda value: repr(value)[:50],
)
def test_an_obvious_error_raises_an_alarm_in_its_column(
    check, corruption, columns, reference, batch
):
    X = corruption.set_params(random_state=0).fit_transform(batch)
    found = alarms(clone(check), reference.drop(columns="key"), X.drop(columns="key"))
    assert found["column"].unique().tolist() == columns


def test_lost_and_copied_rows_raise_an_alarm(reference, batch):
    y = np.zeros(SIZE)
    lost = SelectionBias(pattern="category == 'a'", rate=0.9, random_state=0)
    lost, _ = lost.fit_resample(batch, y)
    twice, _ = CorruptDuplicates(rate=0.05, random_state=0).fit_resample(batch, y)
    found = alarms(SegmentShare("category"), reference, lost)
    assert (found["segment"] == "a").sum() == 1
    assert len(alarms(RowCount(), reference, lost)) == 1
    for key in ("key", None, ["key", "normal"]):
        assert len(alarms(UniqueKeys(key), reference, twice)) == 1
        assert len(alarms(UniqueKeys(key), reference, batch)) == 0


def test_the_report_has_a_row_a_line(reference, batch):
    batch.loc[:19, "normal"] = np.nan
    check = MissingShare(["normal", "gaps"], batch_size=SIZE).fit(reference)
    report = check.report(batch)
    assert report.columns.tolist() == ["column", "reference", "statistic", "threshold", "alarm"]
    assert report["column"].tolist() == ["normal", "gaps"]
    assert report["statistic"][0] == 0.1 and report["alarm"].tolist() == [True, False]
    # a batch at its threshold passes
    at = round(report["threshold"][0] * SIZE)
    assert 0 < at < 10
    for n, passes in ((at, True), (at + 1, False)):
        batch["normal"] = np.where(np.arange(SIZE) < n, np.nan, 0.0)
        assert check.passes(batch) is passes
    report = SegmentShare([("category", "rarely")], batch_size=SIZE).fit(reference).report(batch)
    assert {"segment", "lower"} < {*report.columns}
    assert report["segment"][0] == ("a", False)
    assert report["column"][0] == ("category", "rarely")
    assert report["statistic"].sum() == pytest.approx(1) == report["reference"].sum()
    report = ValueRange(["ties", "when"], batch_size=SIZE).fit(reference).report(batch)
    assert report["least"][1] == reference["when"].min()
    assert report["largest"][0] == reference["ties"].max()
    assert Drift(batch_size=SIZE).fit(reference).lines_["test"].value_counts()["ks"] == 8


@pytest.mark.parametrize("check", ALL)
def test_many_batches_at_once_are_judged_as_one_by_one(check, reference, batch):
    X = CorruptSentinel(rate=0.03, random_state=0).fit_transform(batch)
    rows = np.random.default_rng(0).integers(0, SIZE, (20, 50))
    fitted = check(batch_size=50).fit(reference)
    together = fitted._alarms(as_table(X), rows)
    assert together.tolist() == [not fitted.passes(X.iloc[some]) for some in rows]


def test_distances_are_those_of_scipy(reference, batch):
    from scipy.stats import chi2_contingency, ks_2samp

    report = Drift(batch_size=SIZE).fit(reference).report(batch).set_index("column")
    for column in ("normal", "cauchy", "ties", "constant"):
        expected = ks_2samp(reference[column], batch[column], method="asymp").statistic
        assert report["statistic"][column] == pytest.approx(expected)
    filled = [frame["gaps"].fillna(-1e9) for frame in (reference, batch)]
    expected = ks_2samp(*filled, method="asymp").statistic
    assert report["statistic"]["gaps"] == pytest.approx(expected)
    counts = [
        frame["category with gaps"].fillna("?").value_counts().sort_index()
        for frame in (reference, batch)
    ]
    expected = chi2_contingency(np.array(counts), correction=False).statistic
    assert report["statistic"]["category with gaps"] == pytest.approx(expected)


@pytest.mark.parametrize("check", ALL)
def test_containers_and_dtypes_agree(check):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=4000).round(1), "b": rng.choice(list("xyz"), 4000)})
    nullable = X.convert_dtypes().astype({"b": "category"})
    reports = []
    for reference in (X, nullable, pl.DataFrame(X.to_dict("list")), X.to_numpy(dtype=object)):
        batch = reference[:SIZE]
        # the batch may come in another container than the reference
        fitted = check(batch_size=SIZE).fit(reference)
        reports.append(fitted.report(batch).drop(columns="column"))
        if not isinstance(reference, np.ndarray):
            pd.testing.assert_frame_equal(fitted.report(X[:SIZE]).iloc[:, 1:], reports[-1])
    for other in reports[1:]:
        pd.testing.assert_frame_equal(other, reports[0], check_dtype=False)


@pytest.mark.parametrize("check", [MissingShare, ValueRange, Drift, UniqueKeys, RowCount])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix])
def test_sparse_gives_what_dense_gives(check, make):
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(4000, 3)) * (rng.random((4000, 3)) < 0.3)
    fitted, other = (check(batch_size=SIZE).fit(X) for X in (dense, make(dense)))
    batch = dense[:SIZE] * 2
    pd.testing.assert_frame_equal(fitted.report(batch), other.report(make(batch)))


@pytest.mark.parametrize("check", ALL)
def test_a_copy_a_pickle_and_a_second_fit_say_the_same(check, reference, batch):
    before = reference.copy(deep=True)
    fitted = check(batch_size=SIZE).fit(reference)
    report = fitted.report(batch)
    for other in (
        pickle.loads(pickle.dumps(fitted)),
        clone(fitted).fit(reference),
        fitted.fit(reference),
    ):
        pd.testing.assert_frame_equal(other.report(batch), report)
    pd.testing.assert_frame_equal(reference, before)
    assert isinstance(fitted, BaseCheck) and isinstance(fitted.passes(batch), bool)


@pytest.mark.parametrize("check", LEARNING)
def test_a_small_reference_is_warned_of(check, reference):
    with pytest.warns(UserWarning, match="learns from 4000 rows, .* batch_size=201"):
        check(batch_size=201).fit(reference)


@pytest.mark.parametrize("check", ALL)
def test_what_is_wrong_is_said(check, reference, batch):
    with pytest.raises(NotFittedError):
        check().passes(batch)
    fitted = check(batch_size=SIZE).fit(reference)
    with pytest.raises(ValueError, match="feature names"):
        fitted.passes(batch.rename(columns={"normal": "other"}))
    with pytest.raises(ValueError, match="feature names"):
        fitted.report(batch.drop(columns="normal"))
    for given in ({"batch_size": 0}, {"batch_size": 1.5}, {"false_alarm": 0}, {"false_alarm": 1}):
        with pytest.raises(ValueError, match=f"'{next(iter(given))}' parameter"):
            check(**given).fit(reference)
    if check is not RowCount:
        with pytest.raises(ValueError, match="no column 'nowhere'"):
            check("nowhere", batch_size=SIZE).fit(reference)
        with pytest.raises(ValueError, match="names no column"):
            check([], batch_size=SIZE).fit(reference)
        with pytest.raises(ValueError, match="0 sample"):
            fitted.passes(batch[:0])


def test_an_empty_batch_has_no_rows():
    reference = pd.DataFrame({"a": [1.0, 2.0]})
    check = RowCount(batch_size=SIZE).fit(reference)
    assert not check.passes(reference[:0])
    assert check.report(reference[:0])["statistic"].tolist() == [0]
    with pytest.raises(ValueError, match="feature names"):
        check.passes(reference[:0].rename(columns={"a": "b"}))


def test_columns_of_another_kind_are_refused(reference):
    with pytest.raises(ValueError, match="'category' holds text values, but ValueRange is for"):
        ValueRange("category").fit(reference)
    with pytest.raises(ValueError, match="'when' holds datetime values, but KnownCategories"):
        KnownCategories("when").fit(reference)
    with pytest.raises(ValueError, match="'a' holds unhashable values"):
        UniqueKeys().fit(pd.DataFrame({"a": [[1], [2]]}))


@pytest.mark.parametrize(
    ("check", "kind"),
    [(ValueRange, "category"), (KnownCategories, "normal"), (SegmentShare, "ties")],
)
def test_a_check_without_a_column_says_so_and_passes(check, kind, reference, batch):
    with pytest.warns(UserWarning, match="never raise an alarm"):
        fitted = check(batch_size=SIZE).fit(reference[[kind]])
    assert fitted.passes(batch[[kind]]) and fitted.report(batch[[kind]]).empty
    assert not fitted._alarms(as_table(batch[[kind]]), np.arange(20).reshape(2, 10)).any()


def test_values_that_are_no_numbers_are_out_of_range():
    numbers = np.random.default_rng(0).normal(size=4000)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(4000) % 100, unit="D")
    X = pd.DataFrame({"a": numbers, "t": days})
    check = ValueRange(batch_size=SIZE).fit(X)
    texts = X[:SIZE].assign(a=[*["12 kg"] * 20, *numbers[20:SIZE].astype(str)])
    assert check.report(texts)["statistic"].tolist() == [0.1, 0.0]
    assert Drift(batch_size=SIZE).fit(X).report(texts)["statistic"][0] >= 0.09
    late = X[:SIZE].assign(t=dt.datetime(2100, 1, 1))
    assert check.report(late)["statistic"].tolist() == [0.0, 1.0]
    assert check.report(X[:SIZE].assign(t=1.0))["statistic"].tolist() == [0.0, 1.0]
    infinite = X[:SIZE].assign(a=np.where(np.arange(SIZE) < 20, np.inf, 0.0))
    assert check.report(infinite)["statistic"].tolist() == [0.1, 0.0]
    endless = ValueRange("a", batch_size=SIZE).fit(X.assign(a=np.where(numbers > 2, np.inf, 0)))
    assert endless.report(infinite)["statistic"].tolist() == [0.0]


def test_columns_that_hold_nothing_or_one_value():
    X = pd.DataFrame({"none": np.full(4000, np.nan), "one": 3.0, "text": "u", "gap": None})
    for check in LEARNING:
        fitted = check(batch_size=SIZE)
        if check is UniqueKeys:
            # all rows are equal
            assert fitted.fit(X).report(X[:SIZE])["threshold"][0] == (SIZE - 1) / SIZE
        assert fitted.fit(X).passes(X[:SIZE])
    moved = X[:SIZE].assign(one=4.0)
    assert alarms(ValueRange(), X, moved)["column"].tolist() == ["one"]
    assert alarms(Drift(), X, moved)["column"].tolist() == ["one"]
    told = X[:SIZE].assign(text="v", gap="w")
    assert alarms(KnownCategories(), X, told)["column"].tolist() == ["text", "gap"]
    # a category that was never there is among the others
    assert "(other)" in alarms(SegmentShare("text"), X, told)["segment"].tolist()


def test_ranges_of_far_times():
    far = np.array(["0001-01-01", "9999-12-31T23:59:59"] * 2000, dtype="M8[s]")
    spans = pd.Series([pd.Timedelta.min, pd.Timedelta.max] * 2000)
    X = pd.DataFrame({"far": far, "span": spans})
    check = ValueRange(batch_size=SIZE).fit(X)
    assert check.passes(X[:SIZE])
    assert check.lines_["largest"][0] == pd.Timestamp(far[1])
    seconds = check.lines_["least"][1].total_seconds()
    assert seconds == pytest.approx(spans[0].total_seconds())


def test_a_range_may_leave_far_values_out():
    values = np.arange(4000.0).reshape(-1, 1)
    lines = ValueRange(coverage=0.9, batch_size=SIZE).fit(values).lines_
    assert lines[["least", "largest"]].iloc[0].tolist() == [200.0, 3799.0]
    assert lines["reference"][0] == 0.1
    lines = ValueRange(coverage=1e-9, batch_size=SIZE).fit(values).lines_
    assert lines["least"][0] <= lines["largest"][0]


def test_rare_segments_and_those_beyond_fifty_are_one():
    codes = pd.DataFrame({"a": np.arange(12_000) % 60, "b": ["x", "y"] * 6000})
    check = SegmentShare(["a", ("b", "a")], batch_size=600).fit(codes)
    assert check.lines_["column"].map(str).value_counts().tolist() == [51, 51]
    others = check.lines_[check.lines_["segment"] == "(other)"]
    assert others["reference"].tolist() == pytest.approx([10 / 60, 10 / 60])
    batch = codes[:SIZE].assign(a=1000)
    report = check.report(batch)
    assert report[report["segment"] == "(other)"]["statistic"].tolist() == [1.0, 1.0]
    rare = SegmentShare("a", batch_size=200).fit(codes)
    assert rare.lines_["segment"].tolist() == ["(other)"]
    gaps = pd.DataFrame({"a": ["u", None] * 2000})
    assert SegmentShare(batch_size=SIZE).fit(gaps).lines_["segment"].tolist() == [
        "u",
        None,
        "(other)",
    ]


def test_a_batch_may_be_larger_than_the_reference():
    X = pd.DataFrame({"a": np.arange(100.0), "b": ["x", "y"] * 50})
    large = pd.concat([X] * 3, ignore_index=True)
    large["a"] += np.arange(300) / 1000
    for check in LEARNING:
        with pytest.warns(UserWarning, match="learns from 100 rows"):
            fitted = check(batch_size=50).fit(X)
        assert fitted.passes(X) and len(fitted.report(large)) == len(fitted.lines_)


def test_the_limit_of_keys_is_one_of_batches_looked_at_whole(monkeypatch):
    """Where few rows share a key the others are left out, which changes nothing."""
    X = pd.DataFrame({"id": np.append(np.arange(380), np.arange(20) // 3)})
    check = UniqueKeys("id", batch_size=20).fit(X)
    usual = [check._drawn(n_rows) for n_rows in (20, 150)]
    monkeypatch.setattr(_unique_keys, "FEW_SHARED", 0.0)
    for few, n_rows in zip(usual, (20, 150), strict=True):
        assert few.any()
        np.testing.assert_array_equal(check._drawn(n_rows), few)


@pytest.mark.parametrize("dtype", ["datetime64", object])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", None])
def test_times_are_told_in_the_zone_of_their_column(zone, dtype):
    days = pd.Series(pd.to_datetime(["2024-03-01", "2024-03-02"]).tz_localize(zone))
    times = days if dtype == "datetime64" else days.astype(object)
    X = pd.DataFrame({"t": times.take(np.arange(2000) % 2).array, "u": ["a", "b"] * 1000})
    check = ValueRange(batch_size=100).fit(X)
    assert check.report(X[:100])[["least", "largest"]].iloc[0].tolist() == days.tolist()
    assert str(check.lines_["least"][0]) == str(days[0])
    check = SegmentShare("t", batch_size=100).fit(X)
    assert check.report(X[:100])["segment"].tolist() == [*days, "(other)"]
    assert check.passes(X[:100]) and not check.passes(X[X["t"] == days[0]][:100])
    both = SegmentShare(("u", "t"), batch_size=100).fit(X)
    assert both.lines_["segment"].tolist() == [("a", days[0]), ("b", days[1]), "(other)"]
