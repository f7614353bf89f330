"""Which rows are struck: exact counts, nesting, uniformity, smooth mechanisms."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import optimize, stats
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skcorrupt import (
    MAR,
    MNAR,
    AdversarialCorruptionSearch,
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    SelectionBias,
)
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.checks import MissingShare, RowCount
from skcorrupt.corruptions import short_names

quiet = pytest.mark.filterwarnings("ignore:.*(changed nothing|kept their values)")


def struck(corruption, X, y=None):
    """Struck rows, read from what came out, not from the record."""
    out = corruption.corrupt(X, y).X
    return np.flatnonzero(np.isnan(out).any(axis=1))


@quiet
@given(
    n=st.integers(1, 60),
    rate=st.floats(0, 1),
    seed=st.integers(0, 2**63 - 1),
    threshold=st.floats(-2, 2),
)
def test_count_is_exact_and_within_the_pattern(n, rate, seed, threshold):
    X = np.random.default_rng(0).normal(size=(n, 2))
    matched = X[:, 1] <= threshold
    corruption = CorruptMissing(
        "x0", pattern={"x1": (None, threshold)}, rate=rate, random_state=seed
    )
    rows = struck(corruption, X)
    assert len(rows) == math.floor(rate * matched.sum() + 0.5 + 1e-9)
    assert matched[rows].all()


@quiet
@given(
    low=st.floats(0, 1),
    high=st.floats(0, 1),
    seed=st.integers(0, 1000),
    strength=st.floats(-5, 5),
    same_rows=st.booleans(),
)
def test_rows_and_values_are_nested_in_the_rate(low, high, seed, strength, same_rows):
    low, high = sorted((low, high))
    X = np.random.default_rng(1).normal(size=(40, 3))
    missing = CorruptMissing(
        mechanism=MNAR(strength=strength), same_rows=same_rows, random_state=seed
    )
    few = np.isnan(missing.set_params(rate=low).corrupt(X).X)
    many = np.isnan(missing.set_params(rate=high).corrupt(X).X)
    assert not np.any(few & ~many)
    noise = CorruptNoise(same_rows=same_rows, random_state=seed)
    few = noise.set_params(rate=low).corrupt(X).X
    many = noise.set_params(rate=high).corrupt(X).X
    both = few != X
    np.testing.assert_array_equal(few[both], many[both])


def test_rates_that_round_at_one_half():
    X = np.zeros((10, 1)) + np.arange(10)[:, None]
    # 0.35 · 10 is 3.4999999999999996 in floating point
    assert len(struck(CorruptMissing(rate=0.35), X)) == 4
    assert len(struck(CorruptMissing(rate=0.25), X)) == 3
    assert len(struck(CorruptMissing(rate=0.05), X)) == 1
    assert len(struck(CorruptMissing(rate=1.0), X)) == 10


def test_unset_rate_is_a_tenth():
    assert len(struck(CorruptMissing(random_state=0), np.arange(40.0).reshape(40, 1))) == 4


@pytest.mark.long
def test_every_row_is_as_likely_as_any_other():
    X, counts = np.arange(12.0).reshape(12, 1), np.zeros(12)
    for seed in range(1500):
        counts[struck(CorruptMissing(rate=0.25, random_state=seed), X)] += 1
    assert counts.sum() == 1500 * 3
    # within one draw rows exclude each other, which shrinks the statistic by (n − k) / (n − 1)
    statistic = ((counts - 375) ** 2 / 375).sum() * 11 / 9
    assert 1e-3 < stats.chi2.sf(statistic, 11) < 1 - 1e-3


@pytest.mark.long
def test_pairs_of_rows_are_independent():
    X, seen = np.arange(6.0).reshape(6, 1), {}
    for seed in range(1500):
        pair = tuple(struck(CorruptMissing(rate=2 / 6, random_state=seed), X))
        seen[pair] = seen.get(pair, 0) + 1
    assert len(seen) == 15
    assert stats.chisquare(list(seen.values())).pvalue > 1e-3


@pytest.mark.many
@pytest.mark.parametrize("sampler", [SelectionBias, CorruptDuplicates, CorruptLabels])
def test_samplers_strike_uniformly(sampler):
    X, y, counts = np.zeros((8, 1)), np.array(list("abababab")), np.zeros(8)
    for seed in range(1000):
        record = sampler(rate=0.25, random_state=seed).corrupt(X, y).record
        times = np.bincount(record.sample_indices, minlength=8)
        counts[(times != 1) if sampler is not CorruptLabels else record.y_mask] += 1
    assert counts.sum() == 2000
    assert stats.chi2.sf(((counts - 250) ** 2 / 250).sum() * 7 / 6, 7) > 1e-3


def test_seeds_near_each_other_give_unrelated_rows():
    X = np.arange(400.0).reshape(400, 1)
    masks = [
        np.isnan(CorruptMissing(rate=0.5, random_state=seed).corrupt(X).X) for seed in range(20)
    ]
    overlaps = [np.mean(a == b) for a, b in itertools.pairwise(masks)]
    assert abs(np.mean(overlaps) - 0.5) < 0.03


def coefficient(s, hit):
    model = LogisticRegression(C=1e9, tol=1e-8, max_iter=500).fit(s.reshape(-1, 1), hit)
    return model.coef_[0, 0]


def standardised(values):
    return (values - np.nanmean(values)) / np.nanstd(values)


@pytest.mark.parametrize("strength", [1.5, -0.7, 0.0])
def test_mnar_follows_a_logistic_model(strength):
    x = np.random.default_rng(0).gamma(2.0, 40.0, size=60_000)
    corruption = CorruptMissing(mechanism=MNAR(strength=strength), rate=0.3, random_state=5)
    out = corruption.fit_transform(x.reshape(-1, 1)).ravel()
    assert np.isnan(out).sum() == 18_000
    assert coefficient(standardised(x), np.isnan(out)) == pytest.approx(strength, abs=0.06)


def test_mar_follows_the_mean_of_the_other_columns():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60_000, 3)) * [1, 10, 100]
    out = CorruptMissing("x0", mechanism=MAR(strength=1.2), rate=0.2, random_state=2)
    hit = np.isnan(out.fit_transform(X)[:, 0])
    s = (standardised(X[:, 1]) + standardised(X[:, 2])) / 2
    assert coefficient(s, hit) == pytest.approx(1.2, abs=0.08)
    # the erased column itself plays no part
    assert coefficient(X[:, 0], hit) == pytest.approx(0, abs=0.05)


def test_mar_on_named_columns_and_within_a_pattern():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.normal(size=50_000), "b": rng.normal(size=50_000)})
    X["c"] = rng.normal(size=50_000)
    corruption = CorruptMissing(
        "a", mechanism=MAR("b", strength=1.0), pattern="c <= 0", rate=0.4, random_state=3
    )
    out, matched = corruption.fit_transform(X), X["c"] <= 0
    assert not out["a"].isna()[~matched].any()
    assert out["a"].isna().sum() == math.floor(0.4 * matched.sum() + 0.5)
    s = standardised(X["b"].to_numpy())[matched]
    assert coefficient(s, out["a"].isna()[matched]) == pytest.approx(1.0, abs=0.08)


def test_several_columns_share_their_rows_unless_told_otherwise():
    X = np.random.default_rng(0).normal(size=(200, 3))
    same = np.isnan(CorruptMissing(rate=0.3, random_state=0).fit_transform(X))
    assert (same.all(axis=1) == same.any(axis=1)).all()
    own = np.isnan(CorruptMissing(rate=0.3, same_rows=False, random_state=0).fit_transform(X))
    assert own.sum(axis=0).tolist() == [60, 60, 60]
    # independent rows: about 0.3³ of the rows are struck in all three columns
    assert 0 < own.all(axis=1).sum() < 20


def test_mnar_on_several_columns_uses_their_mean_or_each_its_own():
    X = np.random.default_rng(4).normal(size=(40_000, 2))
    corruption = CorruptMissing(mechanism=MNAR(strength=2.0), rate=0.3, random_state=0)
    joint = np.isnan(corruption.fit_transform(X)[:, 0])
    s = (standardised(X[:, 0]) + standardised(X[:, 1])) / 2
    assert coefficient(s, joint) == pytest.approx(2.0, abs=0.1)
    own = np.isnan(corruption.set_params(same_rows=False).fit_transform(X))
    for j in range(2):
        assert coefficient(standardised(X[:, j]), own[:, j]) == pytest.approx(2.0, abs=0.1)


def test_text_enters_a_mechanism_by_frequency():
    X = pd.DataFrame({"hit": np.arange(4000.0), "kind": ["common"] * 3000 + ["rare"] * 1000})
    corruption = CorruptMissing(
        "hit", mechanism=MAR("kind", strength=8.0), rate=0.5, random_state=0
    )
    hit = corruption.fit_transform(X)["hit"].isna()
    assert hit[:3000].mean() > 0.6 > 0.1 > hit[3000:].mean()


@pytest.mark.parametrize(
    "driver",
    [np.full(300, 3.0), np.full(300, np.nan), np.full(300, "same"), np.full(300, np.inf)],
    ids=["constant", "missing", "text", "infinite"],
)
def test_a_driver_without_information_counts_as_nothing(driver):
    X = pd.DataFrame({"a": np.arange(300.0), "b": driver})
    corruption = CorruptMissing("a", rate=0.3, random_state=0)
    plain = corruption.fit_transform(X)["a"].isna()
    corruption.set_params(mechanism=MAR(strength=50.0))
    with pytest.warns(UserWarning, match=r"mechanism=MAR\(strength=50\.0\): 'b' holds no two"):
        hit = corruption.fit_transform(X)["a"].isna()
    pd.testing.assert_series_equal(hit, plain)
    with pytest.warns(UserWarning, match=r"mechanism=MNAR\(\): 'b' holds .* struck at random"):
        corruption.set_params(columns="b", mechanism=MNAR()).fit(X)
    # without strength nothing was asked for, and other columns may still tell rows apart
    corruption.set_params(mechanism__strength=0.0).fit(X)
    corruption.set_params(columns=None, mechanism__strength=1.0).fit(X)
    with pytest.warns(UserWarning, match=r"'b' holds .* could go by\. Name"):
        corruption.set_params(columns=["a", "b"]).fit(X)


@pytest.mark.parametrize(
    "corruption",
    [
        CorruptNoise(),
        CorruptNoise(same_rows=False),
        CorruptNoise(when="always"),
        CorruptOutliers(),
        CorruptMissing(mechanism=MNAR(), same_rows=False),
        CorruptMissing(mechanism=MNAR()),
        CorruptMissing(mechanism=MNAR(), when="always", same_rows=False),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "labels",
    [list("abcde"), [3, 0, 2, 1, 10**6], [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("b", 3)]],
    ids=["texts", "integers", "tuples"],
)
def test_a_column_is_struck_alike_wherever_it_stands(corruption, labels):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 5)))
    X.columns = pd.Index(labels, tupleize_cols=True)
    corruption.set_params(rate=0.4, random_state=3)
    plain = corruption.fit_transform(X)
    turned = corruption.fit_transform(X.iloc[:, [4, 2, 0, 3, 1]])
    pd.testing.assert_frame_equal(turned.iloc[:, [2, 4, 1, 3, 0]], plain)


def test_a_frame_without_names_is_struck_as_an_array_is():
    X = np.random.default_rng(0).normal(size=(30, 3))
    for corruption in (CorruptNoise(same_rows=False), CorruptNoise(when="always")):
        corruption.set_params(rate=0.4, random_state=1)
        expected = corruption.fit_transform(X)
        for frame in (pd.DataFrame(X), pd.DataFrame(X, columns=["x0", "x1", "x2"])):
            np.testing.assert_array_equal(corruption.fit_transform(frame), expected)


def test_columns_of_one_name_draw_values_of_their_own():
    X = pd.DataFrame(np.zeros((40, 3)), columns=["a", "a", "b"]) + np.arange(40.0)[:, None]
    noisy = CorruptNoise(rate=1.0, random_state=0).fit_transform(X).to_numpy()
    assert len(np.unique(noisy[0])) == 3
    turned = CorruptNoise(rate=1.0, random_state=0).fit_transform(X.iloc[:, [2, 0, 1]])
    np.testing.assert_array_equal(turned.to_numpy(), noisy[:, [2, 0, 1]])


def test_missing_cells_of_a_driver_count_as_average():
    x = np.r_[np.full(100, -1.0), np.full(100, np.nan), np.full(100, 1.0)]
    X = np.c_[np.arange(300.0), x]
    corruption = CorruptMissing("x0", mechanism=MAR(strength=40.0), rate=0.5, random_state=0)
    hit = np.isnan(corruption.fit_transform(X)[:, 0])
    assert [hit[:100].sum(), hit[100:200].sum(), hit[200:].sum()] == [0, 50, 100]


@pytest.mark.parametrize(
    ("corruption", "message"),
    [
        (CorruptMissing(mechanism=MAR()), r"mechanism=MAR\(\) needs columns that stay"),
        (CorruptMissing(mechanism=MAR("zz")), "mechanism: columns: X has no column"),
        (CorruptMissing(mechanism=MAR([])), "needs columns that stay"),
        (
            CorruptMissing(mechanism="mar"),
            r"mechanism='mar' should be MAR\(columns",
        ),
        (CorruptLabels(mechanism=MNAR), "mechanism=<class .* should be MAR"),
        (CorruptNoise(mechanism=MNAR(math.inf)), "'strength' parameter of MNAR"),
        (SelectionBias(mechanism=MNAR()), r"SelectionBias strikes whole rows; use MAR\(columns\)"),
        (CorruptDuplicates(mechanism=MNAR()), "CorruptDuplicates strikes whole rows"),
    ],
    ids=repr,
)
def test_mechanisms_that_cannot_work_are_refused(corruption, message):
    with pytest.raises(ValueError, match=message):
        corruption.corrupt(np.ones((4, 2)), np.arange(4) % 2)
    with pytest.raises(ValueError, match=message):
        CorruptionProcess([("one", corruption)]).fit_resample(np.ones((4, 2)), np.arange(4) % 2)


@pytest.mark.parametrize("strength", [1.5, -0.7])
@pytest.mark.parametrize(
    "corruption",
    [
        CorruptLabels(),
        CorruptLabels(missing_label=-1),
        CorruptNoise("x1"),
        CorruptOutliers("x1"),
        CorruptScale("x1"),
        SelectionBias(),
        CorruptDuplicates(),
    ],
    ids=repr,
)
def test_every_kind_of_error_can_depend_on_a_column(corruption, strength):
    rng = np.random.default_rng(0)
    X, y = rng.gamma(2.0, 40.0, size=(40_000, 2)), rng.integers(0, 3, 40_000)
    corruption.set_params(mechanism=MAR("x0", strength), rate=0.3, random_state=1)
    record = corruption.corrupt(X, y).record
    hit = record.X_mask.any(axis=1) | record.y_mask
    if corruption.strikes == "rows":
        counts = np.bincount(record.sample_indices, minlength=len(X))
        hit = counts != 1
    assert hit.sum() == 12_000
    assert coefficient(standardised(X[:, 0]), hit) == pytest.approx(strength, abs=0.06)
    # the other column plays no part
    assert coefficient(standardised(X[:, 1]), hit) == pytest.approx(0, abs=0.06)


def test_labels_can_depend_on_themselves():
    rng = np.random.default_rng(0)
    X, prices = np.zeros((40_000, 1)), rng.gamma(2.0, 40.0, 40_000)
    corruption = CorruptLabels(shift=5.0, mechanism=MNAR(1.5), rate=0.2, random_state=0)
    hit = corruption.corrupt(X, prices).record.y_mask
    assert coefficient(standardised(prices), hit) == pytest.approx(1.5, abs=0.06)
    # classes enter by their frequency
    kinds = rng.choice(["common", "rare", "rarer"], p=[0.7, 0.2, 0.1], size=40_000)
    corruption = CorruptLabels(mechanism=MNAR(-1.0), rate=0.3, random_state=0)
    hit = corruption.corrupt(X, kinds).record.y_mask
    frequency = pd.Series(kinds).map(pd.Series(kinds).value_counts(normalize=True)).to_numpy()
    assert coefficient(standardised(frequency), hit) == pytest.approx(-1.0, abs=0.06)


def test_a_mechanism_is_an_object_with_parameters():
    corruption = CorruptLabels(mechanism=MAR(["age", "pay"], strength=2.0))
    copy = clone(corruption)
    assert copy.mechanism == corruption.mechanism and copy.mechanism is not corruption.mechanism
    assert hash(copy.mechanism) == hash(corruption.mechanism)
    copy.set_params(mechanism__strength=3.0)
    assert copy.mechanism != corruption.mechanism == MAR(["age", "pay"], 2.0)
    assert MAR() != MNAR() and MNAR() != 1.0
    assert repr(corruption) == "CorruptLabels(mechanism=MAR(columns=['age', 'pay'], strength=2.0))"
    text = json.loads(json.dumps(corruption.to_dict()))
    assert BaseCorruption.from_dict(text).mechanism == corruption.mechanism
    text["params"]["mechanism"]["params"]["strength"] = "high"
    with pytest.raises(ValueError, match=r"params.mechanism.params.*'strength' parameter"):
        BaseCorruption.from_dict(text)
    text["params"]["mechanism"] = {"mechanism": "CorruptLabels"}
    with pytest.raises(ValueError, match="MAR, MNAR"):
        BaseCorruption.from_dict(text)


SAMPLINGS = {
    "uniform": lambda t: np.ones_like(t),
    "normal": stats.norm(0.5, 1 / 6).pdf,
    "exponential": stats.expon(scale=1 / 5).pdf,
}


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_errors_gather_by_the_weight_of_positions(sampling, share):
    n, draws = 6000, 40
    X = np.arange(float(n)).reshape(n, 1)
    pattern = {"x0": (None, share * n - 1)}
    hit = np.zeros(n, dtype=bool)[None].repeat(draws, axis=0)
    for seed in range(draws):
        corruption = CorruptMissing(pattern=pattern, rate=0.3, sampling=sampling, random_state=seed)
        hit[seed, struck(corruption, X)] = True
    # by ten equal parts of the matched rows: odds over weight are the same everywhere
    chance = hit[:, : int(share * n)].mean(axis=0).reshape(10, -1)
    weight = SAMPLINGS[sampling]((np.arange(int(share * n)) + 0.5) / n).reshape(10, -1)

    def expected(scale):
        return (scale * weight / (1 + scale * weight)).mean(axis=1)

    scale = optimize.brentq(lambda c: expected(c).mean() - 0.3, 1e-6, 1e6)
    deviation = np.sqrt(0.25 / (draws * chance.shape[1]))
    assert abs(chance.mean(axis=1) - expected(scale)).max() < 4 * deviation


@quiet
@given(
    low=st.floats(0, 1),
    high=st.floats(0, 1),
    seed=st.integers(0, 1000),
    sampling=st.sampled_from(sorted(SAMPLINGS)),
    mechanism=st.sampled_from([None, MNAR(), MAR("x0", 2.0)]),
)
def test_rows_that_gather_are_nested_in_the_rate(low, high, seed, sampling, mechanism):
    low, high = sorted((low, high))
    X = np.random.default_rng(1).normal(size=(40, 2))
    missing = CorruptMissing(mechanism=mechanism, sampling=sampling, random_state=seed)
    few = np.isnan(missing.set_params(rate=low).corrupt(X).X)
    many = np.isnan(missing.set_params(rate=high).corrupt(X).X)
    assert not np.any(few & ~many)
    assert few.any(axis=1).sum() == math.floor(low * 40 + 0.5 + 1e-9)


@pytest.mark.parametrize("sampler", [SelectionBias, CorruptDuplicates, CorruptLabels])
def test_samplers_gather_too(sampler):
    X, y = np.zeros((900, 1)), np.arange(900) % 2
    changed = sampler(rate=0.1, sampling="exponential", random_state=0)
    _, out, record = changed.corrupt(X, y)
    if sampler is CorruptLabels:
        rows = np.flatnonzero(out != y)
    else:
        rows = np.flatnonzero(np.bincount(record.sample_indices, minlength=900) != 1)
    assert len(rows) == 90 and np.median(rows) < 250


def test_rows_in_a_process_gather_too():
    X = np.arange(900.0).reshape(900, 1)
    process = CorruptionProcess(
        [
            ("bias", SelectionBias(rate=0.1, sampling="normal")),
            ("missing", CorruptMissing(rate=0.1, sampling="exponential")),
        ],
        random_state=0,
    )
    out, _, record = process.corrupt(X, np.zeros(900))
    dropped = np.setdiff1d(np.arange(900), record.sample_indices)
    assert np.quantile(dropped, 0.25) > 300 and np.quantile(dropped, 0.75) < 600
    assert np.median(record.sample_indices[np.isnan(out[:, 0])]) < 250


def test_the_order_of_rows_means_nothing_to_a_transform():
    with pytest.raises(ValueError, match=r"sampling='normal' goes by the order of rows"):
        CorruptMissing(sampling="normal", when="always").fit(np.zeros((9, 1)))
    with pytest.raises(ValueError, match="'sampling' parameter of CorruptMissing must be"):
        CorruptMissing(sampling="poisson").fit(np.zeros((9, 1)))


@pytest.mark.parametrize("params", [{"rate": True}, {"outside_ratio": False}])
def test_truth_values_are_no_shares(params):
    (name,) = params
    with pytest.raises(ValueError, match=f"The '{name}' parameter of CorruptMissing must be a fl"):
        CorruptMissing(**params).fit(np.ones((4, 1)))


def test_one_seed_strikes_the_same_rows_of_every_column_unless_they_are_told_apart():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])

    def rows(column, **params):
        return struck(CorruptMissing(column, rate=0.3, **params), X).tolist()

    assert rows("a", random_state=0) == rows("b", random_state=0) != rows("b", random_state=1)
    apart = {"random_state": 0, "same_rows": False}
    assert rows("a", **apart) != rows("b", **apart)
    members = [(name, CorruptMissing(name, rate=0.3)) for name in X]
    gaps = CorruptionProcess(members, random_state=0).corrupt(X).X.isna()
    assert (gaps["a"] != gaps["b"]).any()


def ordered_labels(container):
    grades = np.resize(["low", "high", "middle"], 30)
    if container == "polars":
        return grades, pl.Series("grade", grades, dtype=pl.Enum(["low", "middle", "high"]))
    kept = pd.Categorical(grades, categories=["low", "middle", "high"], ordered=True)
    return grades, kept if container == "categorical" else pd.Series(kept, name="grade")


@pytest.mark.parametrize("container", ["series", "categorical", "polars"])
@pytest.mark.parametrize("text", ["y >= 'middle'", "'low' < y <= 'middle'"])
def test_labels_with_an_order_have_ranges(container, text):
    grades, y = ordered_labels(container)
    meant = {"middle", "high"} if text.startswith("y") else {"middle"}
    X = np.ones((30, 2))
    rows = struck(CorruptMissing([0], pattern=text, rate=1.0, random_state=0), X, y)
    assert set(grades[rows]) == meant and len(rows) == 10 * len(meant)
    flipped = CorruptLabels(pattern=text, rate=1.0, random_state=0).corrupt(X, y).y
    assert set(grades[np.asarray(flipped) != grades]) == meant
    kept = SelectionBias(pattern=text, rate=1.0, random_state=0).corrupt(X, y).y
    assert set(np.asarray(kept)) == set(grades) - meant


def test_a_search_keeps_to_labels_with_an_order():
    grades, y = ordered_labels("series")
    X = pd.DataFrame({"a": y.cat.codes + 0.0, "b": np.arange(30.0)})
    error = CorruptMissing(["a"], pattern="y >= 'middle'", random_state=0)
    search = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), LogisticRegression()), error, budget=0.2,
        strategy=ExhaustiveSearch(), space=SearchSpace(max_conditions=1), cv=3,
        confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    result = search.worst_corruption_.corrupt(X, y)
    assert "y >= 'middle'" in str(search.worst_pattern_)
    assert set(grades[result.X["a"].isna()]) <= {"middle", "high"} and result.record.n_corrupted


@pytest.mark.parametrize("container", ["series", "categorical"])
@pytest.mark.parametrize("checks", [(), (RowCount, MissingShare)])
def test_a_search_of_served_rows_keeps_to_labels_with_an_order(container, checks):
    grades, y = ordered_labels(container)
    grades, y = np.tile(grades, 4), pd.concat([pd.Series(y)] * 4, ignore_index=True)
    y = y if container == "series" else y.array
    X = pd.DataFrame({"a": pd.Series(y).cat.codes + 0.0, "b": np.arange(120.0)})
    search = AdversarialCorruptionSearch(
        LogisticRegression().fit(X, y), SelectionBias(pattern="y >= 'middle'"), budget=0.2,
        apply_to="test", checks=[each(batch_size=5).fit(X) for each in checks],
        scoring="accuracy", strategy=ExhaustiveSearch(),
        space=SearchSpace(max_conditions=1), confirm_size=None, random_state=0,
    ).fit(X, y)  # fmt: skip
    kept = search.worst_corruption_.corrupt(X, y).record.sample_indices
    assert "y >= 'middle'" in str(search.worst_pattern_)
    assert set(np.delete(grades, kept)) <= {"middle", "high"} and len(kept) < 120


@quiet
@pytest.mark.parametrize(
    "kind", [name for name, each in short_names().items() if each()._draws_values is False]
)
@given(size=st.integers(2, 40), seed=st.integers(0, 9))
def test_where_no_value_is_drawn_and_all_rows_are_struck_nothing_is_left_to_chance(
    kind, size, seed
):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=size),
            "b": rng.integers(0, 9, size).astype(float),
            "text": rng.choice(["ab cd", "x y", "qq ww"], size),
            "day": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.integers(0, 900, size), "D"),
        }
    )
    error = short_names()[kind](pattern="b <= 6", rate=1.0)
    first, *others = [clone(error).set_params(random_state=s).corrupt(X).X for s in (0, 1, 7)]
    for other in others:
        pd.testing.assert_frame_equal(other, first)


def test_rows_told_by_their_content_stay_those_that_were_learned():
    X = pd.DataFrame({"a": np.arange(100.0), "b": np.arange(100.0) % 9})
    error = CorruptMissing(columns=["a"], when="always", rate=0.3, random_state=0).fit(X)
    struck = error.transform(X)["a"].isna()
    assert struck.sum() == 30
    # the rate is one of what is fitted
    assert error.set_params(rate=1.0).transform(X)["a"].isna().equals(struck)
    assert error.fit(X).transform(X)["a"].isna().all()
