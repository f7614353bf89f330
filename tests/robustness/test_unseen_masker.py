"""Values that training rows had only as gaps."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import hypergeom
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from skcorrupt import CorruptMissing
from skcorrupt.robustness import UnseenMasker, suggest_hardening
from skcorrupt.robustness._hidden import _surprise

HOUR = pd.Timedelta("1h")


def people(n=600, seed=0):
    """Offices, a column of numbers with many values, whole ones with few, and who they are."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "office": rng.choice([*"abc"], n),
            "year": rng.integers(2012, 2019, n),
            "pay": rng.normal(50, 10, n),
            "sex": rng.choice(["f", "m"], n),
        }
    )


def struck(X, column, pattern):
    """The table with gaps in a column, wherever a pattern matches."""
    return CorruptMissing(column, pattern=pattern, rate=1.0).fit(X).corrupt(X).X


def masked_by(X, column, pattern, **params):
    """What gaps at a pattern in one sample make missing in another, and where the pattern is."""
    masker, other = UnseenMasker(**params).fit(struck(X, column, pattern)), people(seed=1)
    found = masker.transform(other)
    unchanged = other.columns.drop(column)
    pd.testing.assert_frame_equal(found[unchanged], other[unchanged])
    return masker, found[column].isna(), struck(other, column, pattern)[column].isna()


@pytest.mark.parametrize(
    ("column", "pattern"),
    [
        ("office", "office == 'c'"),
        ("year", "year == 2018"),
        ("year", "year == 2014"),
        ("year", "year <= 2014"),
        ("office", "office == 'c' and sex == 'f'"),
        ("sex", "sex == 'f' and office in ('a', 'b')"),
        ("year", "year >= 2017 and sex == 'm'"),
        ("sex", "sex == 'm' and year <= 2013"),
    ],
)
def test_values_that_gaps_hide_are_masked_where_they_were_and_nowhere_else(column, pattern):
    masker, masked, hidden = masked_by(people(), column, pattern)
    np.testing.assert_array_equal(masked, hidden)
    pairs = " and " in pattern
    assert len(masker.hidden_) > 0 if pairs else masker.hidden_.empty


def test_numbers_of_many_values_are_masked_beyond_their_range_and_by_ranges():
    _, masked, hidden = masked_by(people(), "pay", "pay >= 60")
    assert (masked & ~hidden).mean() <= 0.02 and masked[hidden].mean() >= 0.95
    masker, masked, hidden = masked_by(people(), "pay", "pay >= 50 and sex == 'f'")
    # the range in which the pattern ends was seen in part
    assert (masked & ~hidden).mean() <= 0.02 and masked[hidden].mean() >= 0.7
    told = masker.hidden_
    assert set(told["column"]) == {"pay"} and set(told["value_beside"]) == {"f"}
    assert all(low is not None and low >= 49 for low, _ in told["value"])
    assert (told["expected"] >= 12).all()


def test_numbers_beside_one_that_many_rows_share_are_told_apart_from_it():
    X, other = people(2000), people(seed=1)
    for Z in (X, other):
        Z["gain"] = np.where(np.random.default_rng(len(Z)).random(len(Z)) < 0.8, 0, Z["pay"] - 30)
    pattern = "gain > 0 and year >= 2014"
    masker = UnseenMasker().fit(struck(X, "gain", pattern))
    masked, hidden = masker.transform(other)["gain"].isna(), struck(other, "gain", pattern)
    assert (masked & hidden["gain"].notna()).mean() <= 0.01
    assert masked[hidden["gain"].isna()].mean() >= 0.95


def test_what_is_expected_is_told_by_rows_with_few_gaps():
    X = people(1400)
    # of all rows that show an office, one in sixteen shows this one, and one in three in 2018
    gaps = struck(X, "office", "office == 'c' and year <= 2017")
    told = UnseenMasker().fit(gaps).hidden_.query("beside == 'year'")
    assert told["value"].eq("c").all() and sorted(told["value_beside"]) == [*range(2012, 2018)]
    shown = X["year"][gaps["office"].notna()]
    rows = shown.value_counts()[told["value_beside"]].to_numpy()
    np.testing.assert_allclose(told["expected"] / rows, 1 / 3, atol=0.08)


@pytest.mark.parametrize(
    ("column", "pattern"),
    [
        # few rows beside each range of the pay
        ("sex", "sex == 'f' and pay >= 50"),
        ("year", "year >= 2017 and pay >= 50"),
        # next to nothing is left to be seen of the year and of the office
        ("year", "office == 'c' and year >= 2013"),
        ("office", "year == 2015 and office in ('b', 'c')"),
    ],
)
def test_pairs_too_rare_to_tell_something_alone_tell_it_together(column, pattern):
    masker, masked, hidden = masked_by(people(500), column, pattern, min_missing=1)
    # the range in which the pattern ends was seen in part
    assert (masked & ~hidden).mean() <= 0.05 and masked[hidden].mean() >= 0.8
    assert (masker.hidden_["expected"] < 12).any()


@pytest.mark.parametrize(
    ("column", "pattern"),
    [("office", "office == 'c' and sex == 'f'"), ("sex", "sex == 'f' and pay >= 50")],
)
def test_a_few_rows_that_show_a_pair_do_not_undo_it(column, pattern):
    X, other = people(1000), people(seed=1)
    hides = CorruptMissing(column, pattern=pattern, rate=0.98, random_state=0)
    gaps = hides.fit(X).corrupt(X).X
    masker, hidden = UnseenMasker().fit(gaps), struck(other, column, pattern)[column].isna()
    masked = masker.transform(other)[column].isna()
    # the range in which the pattern ends was seen in part
    assert (masked & ~hidden).mean() <= 0.05 and masked[hidden].mean() >= 0.8
    # training rows that show it are read as the others
    assert masker.transform(gaps)[column].isna().sum() > gaps[column].isna().sum()


@pytest.mark.parametrize(("column", "value"), [("office", "c"), ("year", 2014)])
def test_a_few_rows_that_show_a_level_do_not_undo_it(column, value):
    X, other = people(1000), people(seed=1)
    where = X.index[X[column] == value]
    # fewer rows than new values may have by chance, and more
    for n_left, hidden in ((5, 1.0), (30, 0.0)):
        gaps = X.assign(**{column: X[column].mask(X.index.isin(where[n_left:]))})
        masker = UnseenMasker().fit(gaps)
        masked = masker.transform(other)[column].isna()
        assert masked[other[column] == value].mean() == hidden
        assert not masked[other[column] != value].any()
        assert masker.transform(gaps)[column].isna().sum() == len(where) - n_left * (1 - hidden)


def test_rare_levels_stay_where_few_gaps_may_hide_them():
    X = people(1000).assign(office=lambda Z: Z["office"].mask(Z.index < 8, "rare"))
    gaps = X.assign(office=X["office"].mask(X.index >= 950))
    # 8 rows are more than a tenth of 50 gaps
    assert UnseenMasker().fit(gaps).transform(X)["office"].notna().all()
    gaps["office"] = X["office"].mask(X.index >= 900)
    assert (UnseenMasker().fit(gaps).transform(X)["office"].isna() == (X.index < 8)).all()


@pytest.mark.long
def test_the_chance_that_little_is_seen_is_within_that_of_fishers_test():
    n_seen, of_others, n_rows, n_others = np.random.default_rng(0).integers(0, 60, (4, 5000))
    n_seen //= 6
    n_values = n_seen + of_others
    n_others, n_rows = n_others + of_others, n_rows + 12 * n_seen
    n = n_rows + n_others
    surprise = _surprise(n_seen, n_values, n_rows, n_others)
    chance = -hypergeom.logcdf(n_seen, n, n_values, n_rows)
    none = n_seen == 0
    np.testing.assert_allclose(surprise[none], chance[none], atol=1e-9)
    rare = n_seen <= 0.25 * n_values * n_rows / n
    assert (rare & ~none).sum() > 1000 and (surprise[rare] <= chance[rare] + 1e-9).all()


@pytest.mark.many
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.8])
def test_gaps_at_random_hide_nothing(rate):
    # another generator than that of the people, whose offices would go by zip codes
    rng, counts = np.random.default_rng(1000), []
    for seed in range(10):
        X, other = people(2000, seed), people(seed=100 + seed)
        X["zip"], other["zip"] = (rng.integers(0, 300, len(Z)).astype(str) for Z in (X, other))
        gaps = X.mask(rng.random(X.shape) < rate)
        masker = UnseenMasker().fit(gaps)
        assert masker.hidden_.empty and masker.kinds_.empty
        counts.append(masker.transform(other).isna().mean())
        assert not UnseenMasker(false_alarm=0).fit(gaps).transform(other).isna().any(axis=None)
    assert (np.mean(counts, axis=0) <= 0.012).all()


@pytest.mark.parametrize("gone", [0.5, 0.95, 1.0])
def test_rows_that_nearly_always_had_a_gap_have_it_whatever_they_hold(gone):
    X, other, rng = people(2000), people(seed=1), np.random.default_rng(0)
    # one year did not ask for the office, which is asked for now
    often = np.where(X["year"] == 2015, gone, 0.03)
    gaps = X.assign(office=X["office"].mask(rng.random(len(X)) < often))
    for min_missing in (0.75, 1.0):
        masker = UnseenMasker(min_missing=min_missing).fit(gaps)
        masked = masker.transform(other)["office"].isna()
        assert masker.hidden_.empty
        if gone < min_missing:
            assert masker.kinds_.empty and not masked.any()
            continue
        np.testing.assert_array_equal(masked, other["year"] == 2015)
        (kind,) = masker.kinds_.to_dict("records")
        n_missing = gaps["office"].isna()[X["year"] == 2015].sum()
        assert kind == {
            "column": "office",
            "where": {"year": [2015.0]},
            "n_rows": (X["year"] == 2015).sum(),
            "n_missing": n_missing,
        }


def test_rows_of_which_enough_showed_the_value_keep_it():
    X, rng = people(20_000), np.random.default_rng(0)
    # 24 rows that show it are few, 60 are not
    for n_left, masked in ((24, True), (60, False)):
        asked = rng.permutation(np.flatnonzero(X["year"] == 2015))[:n_left]
        gaps = X.assign(office=X["office"].where((X["year"] != 2015) | X.index.isin(asked)))
        masker = UnseenMasker().fit(gaps)
        assert len(masker.kinds_) == masked
        found = masker.transform(X)["office"].isna()
        np.testing.assert_array_equal(found, masked & (X["year"] == 2015))


@pytest.mark.parametrize(("n_left", "n_kinds"), [(14, 0), (8, 1)])
def test_of_a_column_that_is_mostly_missing_a_kind_lacks_far_more_than_others(n_left, n_kinds):
    office = np.repeat([*"aabc"], 400)
    # an eighth of the others show it
    shown = np.concatenate([np.arange(1200) % 8 == 0, np.arange(400) < n_left])
    X = pd.DataFrame({"office": office, "pay": np.where(shown, np.arange(1600.0), np.nan)})
    assert len(UnseenMasker(false_alarm=0).fit(X).kinds_) == n_kinds


@pytest.mark.parametrize(("n_levels", "n_kinds"), [(4, 1), (16, 0)])
def test_a_kind_is_weighed_against_all_sets_of_levels(n_levels, n_kinds):
    level = np.append(np.arange(320) % (n_levels - 1), np.full(19, n_levels - 1)).astype(str)
    # nineteen rows of a level have gaps, and three in ten of others
    gaps = np.append(np.arange(320) // (n_levels - 1) % 10 < 3, np.ones(19, dtype=bool))
    X = pd.DataFrame({"level": level, "pay": np.where(gaps, np.nan, np.arange(339.0) % 7)})
    assert len(UnseenMasker().fit(X).kinds_) == n_kinds


@pytest.mark.many
@pytest.mark.parametrize(
    ("effect", "alone", "masked"),
    # the kind is nearly all of one class, and it is like the others
    [(4.0, 0.78, 0.88), (0.0, 0.85, 0.79)],
)
def test_a_kind_gives_what_its_rows_have_in_common_and_costs_what_values_say(effect, alone, masked):
    """The two accuracies that the guide tells."""
    rng = np.random.default_rng(2)

    def sample(n_rows):
        X = pd.DataFrame(
            {
                "site": pd.Categorical(rng.choice([*"abcd"], n_rows)),
                "dose": rng.normal(size=n_rows),
                "age": rng.normal(size=n_rows),
            }
        )
        y = 2 * X["dose"] + X["age"] + effect * (X["site"] == "d") + rng.normal(size=n_rows) > 0
        return X, y

    (X, y), (X_test, y_test) = sample(2000), sample(20_000)
    gaps = X.assign(dose=X["dose"].mask(X["site"] == "d"))
    boosting = HistGradientBoostingClassifier(random_state=0)
    assert boosting.fit(gaps, y).score(X_test, y_test) == pytest.approx(alone, abs=0.02)
    both = make_pipeline(UnseenMasker(), clone(boosting)).fit(gaps, y)
    assert both.score(X_test, y_test) == pytest.approx(masked, abs=0.02)


@pytest.mark.many
@pytest.mark.parametrize("n_rows", [1000, 5000])
@pytest.mark.parametrize(("usual", "more"), [(0.1, 0.8), (0.78, 0.86), (0.3, 0.6)])
def test_nothing_is_taken_from_a_model_that_has_nothing_to_heal(n_rows, usual, more):
    def sample(seed, n_rows):
        rng, X = np.random.default_rng(seed), people(n_rows, seed)
        y = 0.2 * (X["pay"] - 50) + (X["sex"] == "f") + rng.normal(size=n_rows) > 0.5
        often = np.where(X["office"] == "c", more, usual)
        gaps = X.assign(pay=X["pay"].mask(rng.random(n_rows) < often))
        return X, gaps, y

    _, gaps, y = sample(0, n_rows)
    X_test, gaps_test, y_test = sample(1, 5000)
    masker = UnseenMasker().fit(gaps)
    assert masker.hidden_.empty and masker.kinds_.empty
    boosting = HistGradientBoostingClassifier(categorical_features=["office", "sex"])
    masked = make_pipeline(UnseenMasker(), boosting).fit(gaps, y)
    for table in (X_test, gaps_test):
        alone = clone(boosting).fit(gaps, y).score(table, y_test)
        assert masked.score(table, y_test) >= alone - 0.005


def test_a_kind_has_the_share_of_gaps_beyond_what_a_search_of_kinds_finds_by_luck():
    n_found = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(rng.normal(size=(120, 5)), columns=[*"abcde"])
        X["team"] = rng.choice([*"uvwx"], len(X))
        often = np.where(X["team"] == "u", 0.7, 0.02)
        X["a"] = X["a"].mask(rng.random(len(X)) < often)
        n_found += len(UnseenMasker().fit(X).kinds_)
    assert n_found <= 2


@pytest.mark.parametrize("n_levels", [12, 40, 300])
def test_a_kind_keeps_what_it_shows_however_many_levels_there_are(n_levels):
    X, other = people(8000), people(8000, seed=1)
    for seed, Z in enumerate((X, other)):
        drawn = np.minimum(np.random.default_rng(seed).geometric(6 / n_levels, len(Z)), n_levels)
        Z["zip"] = [f"z{level:03}" for level in drawn]
    # one year lost all zip codes but the most frequent ones, and another one all but the rest
    for kept in (other["zip"].value_counts().index[:6], other["zip"].value_counts().index[6:]):
        lost = (X["year"] == 2018) & ~X["zip"].isin(kept)
        masker = UnseenMasker().fit(X.assign(zip=X["zip"].mask(lost)))
        masked = masker.transform(other)["zip"].isna()
        of_kind = other["year"] == 2018
        often = other["zip"].map(X["zip"].value_counts()).fillna(0) >= 40
        assert not masked[often & (~of_kind | other["zip"].isin(kept))].any()


def test_a_kind_of_rows_loses_rare_levels_as_well():
    X, other = people(2000), people(seed=1).assign(office="o5")
    X["office"] = [f"o{level}" for level in np.random.default_rng(0).integers(0, 200, len(X))]
    masked = UnseenMasker().fit(struck(X, "office", "year == 2015")).transform(other)["office"]
    np.testing.assert_array_equal(masked.isna(), other["year"] == 2015)


@pytest.mark.parametrize("of", [lambda n: n, lambda n: pd.Timestamp("2024-01-01") + n * HOUR])
def test_a_kind_ends_where_training_rows_do(of):
    n = 4000
    X = people(n).assign(at=[of(i) for i in range(n)])
    # an outage until the day of training
    masker = UnseenMasker().fit(X.assign(pay=X["pay"].mask(X.index >= n - 500)))
    (kind,) = masker.kinds_.to_dict("records")
    assert kind["where"] == {"at": (of(n - 500), of(n - 1))}
    assert masker.transform(X)["pay"].isna().to_numpy()[-500:].all()
    later = X.assign(at=[of(n + i) for i in range(n)])
    assert masker.transform(later)["pay"].isna().mean() <= 0.01


def test_columns_of_one_name_are_told_apart_in_kinds():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (900, 3)).astype(float), columns=["a", "a", "v"])
    X.iloc[:, 2] = X["v"].mask((X["a"] == 1).all(axis=1))
    assert list(UnseenMasker().fit(X).kinds_["where"]) in ([{0: [1], 1: [1]}], [{1: [1], 0: [1]}])


def test_kinds_are_told_by_three_columns_of_many():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 3, (3000, 40))).rename(columns=str)
    lost = (X["7"] == 0) & (X["21"] == 2) & (X["38"] != 0)
    masker = UnseenMasker(min_missing=1).fit(X.assign(**{"0": X["0"].mask(lost)}))
    (where,) = masker.kinds_["where"]
    assert {name: sorted(values) for name, values in where.items()} == {
        "7": [0], "21": [2], "38": [1, 2],
    }  # fmt: skip


@pytest.mark.parametrize("rate", [0.05, 0.3])
def test_gaps_at_random_hide_nothing_of_columns_that_go_together(rate):
    counts = []
    for seed in range(10):
        rng = np.random.default_rng(seed)

        def sample(rng=rng):
            shared = rng.normal(size=1500)
            X = pd.DataFrame({k: shared + rng.normal(size=1500) / 2 for k in "abc"})
            X["level"] = pd.cut(shared, 5, labels=[*"uvwxy"]).astype(str)
            return X.assign(site=rng.choice([*"st"], 1500))

        X, other = sample(), sample()
        # gaps go by a column that has nothing to do with the others
        often = np.where(X["site"] == "s", rate, 2 * rate)[:, None]
        masker = UnseenMasker().fit(X.mask((rng.random(X.shape) < often) & (X.columns != "site")))
        assert masker.hidden_.empty and masker.kinds_.empty
        counts.append(masker.transform(other).isna().mean())
    assert (np.mean(counts, axis=0) <= 0.012).all()


def test_gaps_that_are_there_anyway_explain_no_pair():
    X = people(3000)
    X["team"] = np.where(X["office"] == "a", "u", np.where(X["sex"] == "f", "u", "v"))
    # no row of this team is of that office, and gaps go by another one
    often = np.where(X["office"] == "c", 0.7, 0.3)
    gaps = X.assign(team=X["team"].mask(np.random.default_rng(0).random(len(X)) < often))
    assert UnseenMasker().fit(gaps).hidden_.query("beside == 'office'").empty


@pytest.mark.parametrize(
    ("column", "pattern", "told"),
    [
        ("sex", "office in ('a', 'c')", {"office": ["a", "c"]}),
        ("office", "year >= 2016 and sex == 'f'", {"year": [2016.0, 2017.0, 2018.0], "sex": ["f"]}),
        ("sex", "2014 <= year <= 2015", {"year": [2014.0, 2015.0]}),
        ("year", "office == 'b' and sex == 'm'", {"office": ["b"], "sex": ["m"]}),
    ],
)
def test_kinds_of_rows_are_told_by_several_values_and_columns(column, pattern, told):
    masker, masked, hidden = masked_by(people(), column, pattern)
    np.testing.assert_array_equal(masked, hidden)
    (where,) = masker.kinds_["where"]
    assert {column: sorted(values) for column, values in where.items()} == told


@pytest.mark.parametrize(("n_rows", "apart", "found"), [(2000, 0.04, 0.9), (20_000, 0.06, 0.8)])
def test_kinds_of_rows_are_told_by_ranges(n_rows, apart, found):
    masker, masked, hidden = masked_by(people(n_rows), "office", "pay >= 55")
    # the range in which the pattern begins has gaps in part, and of many rows many show the office
    assert (masked != hidden).mean() <= apart and masked[hidden].mean() >= found
    assert (masker.kinds_["n_missing"] >= 0.75 * masker.kinds_["n_rows"]).all()
    ((low, high),) = (where["pay"] for where in masker.kinds_["where"])
    assert abs(low - 55) <= 2 and high == people(n_rows)["pay"].max()


def test_values_that_the_other_rows_of_a_kind_show_stay():
    X, other = people(2000), people(2000, seed=1)
    for Z in (X, other):
        # one office has hardly any men, and women did not say so after some year
        few = (Z["office"] == "c") & (np.random.default_rng(0).random(len(Z)) < 0.8)
        Z["sex"] = Z["sex"].mask(few, "f")
    masker = UnseenMasker().fit(struck(X, "sex", "sex == 'f' and year >= 2013"))
    assert (masker.kinds_["n_missing"] >= 0.75 * masker.kinds_["n_rows"]).all()
    assert any("office" in where for where in masker.kinds_["where"])
    masked = masker.transform(other)["sex"].isna()
    np.testing.assert_array_equal(masked, (other["sex"] == "f") & (other["year"] >= 2013))


def test_rows_that_lack_another_column_or_hold_a_new_value_there_are_of_no_kind():
    X = people(1000)
    gaps = X.assign(office=X["office"].mask(X["sex"] == "f"), sex=X["sex"].mask(X["sex"] == "f"))
    masker = UnseenMasker().fit(gaps)
    assert masker.kinds_.empty
    gaps = X.assign(office=X["office"].mask(X["sex"] == "f"))
    other = X.assign(sex=["f", "d", None, "m"] * 250)
    masked = UnseenMasker().fit(gaps).transform(other)["office"].isna()
    np.testing.assert_array_equal(masked, other["sex"] == "f")


def test_numbers_of_few_rows_are_not_called_new():
    X = pd.DataFrame({"a": np.random.default_rng(0).normal(size=100)}).mask(lambda Z: Z < -1)
    assert UnseenMasker().fit(X).transform(X.fillna(-5)).notna().all(axis=None)
    one = pd.DataFrame({"a": [3.0] + [np.nan] * 99})
    assert UnseenMasker().fit(one).transform(one.fillna(4)).notna().all(axis=None)


def test_times_go_on():
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(400), "D")
    X = pd.DataFrame({"day": days}).mask(np.random.default_rng(0).random((400, 1)) < 0.1)
    masker = UnseenMasker().fit(X[:300])
    pd.testing.assert_frame_equal(masker.transform(X[300:]), X[300:])


@pytest.mark.parametrize("decimals", [0, 1])
@pytest.mark.parametrize(
    "other", [lambda Z: Z.astype("float32"), lambda Z: Z * 1.1 / 1.1, lambda Z: Z.astype(str)]
)
def test_the_same_numbers_in_another_type_are_not_new(decimals, other):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"few": rng.choice([0.1, 0.2, 0.7], 5000), "many": rng.uniform(0, 99, 5000)})
    X = X.round({"many": decimals})
    masker = UnseenMasker().fit(X.mask(rng.random(X.shape) < 0.1))
    assert masker.transform(other(X)).isna().mean().max() <= 0.01
    # a finer sensor
    finer = X.assign(many=X["many"] + 0.3 / 10**decimals)
    assert masker.transform(finer)["many"].isna().mean() <= 0.01


@pytest.mark.parametrize("start", [0, 2**60])
def test_whole_numbers_of_any_size(start):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": (start + rng.integers(0, 30, 900) * 2**10)}, dtype="Int64")
    masker = UnseenMasker().fit(X.mask(rng.random(X.shape) < 0.1))
    assert not masker.transform(X).isna().any(axis=None)


def test_infinite_numbers_that_were_seen_are_not_new():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": np.where(rng.random(900) < 0.2, np.inf, rng.normal(size=900))})
    gaps = X.mask(rng.random(X.shape) < 0.1)
    found = UnseenMasker().fit(gaps).transform(X)
    assert not found["a"][np.isinf(X["a"])].isna().any()
    few = pd.DataFrame({"a": rng.choice([1e-3, 1.0, np.inf], 900)})
    masker = UnseenMasker().fit(few.mask(rng.random(few.shape) < 0.1))
    assert masker.transform(few).notna().all(axis=None)
    assert masker.transform(few.replace(1.0, 2e-3))["a"].isna().sum() == (few["a"] == 1).sum()
    alone = pd.DataFrame({"a": [np.inf] * 20 + [np.nan] * 20})
    pd.testing.assert_frame_equal(UnseenMasker().fit_transform(alone), alone)


def test_hidden_times_are_told_as_times():
    X = people()
    day = np.random.default_rng(1).integers(0, 7, len(X))
    X["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(day, "D")
    told = UnseenMasker().fit(struck(X, "day", "day >= '2020-01-05' and sex == 'f'")).hidden_
    found = set(told.loc[told["column"] == "day", "value"])
    assert found == {pd.Timestamp("2020-01-05") + pd.Timedelta(i, "D") for i in range(3)}


def test_columns_that_cannot_be_compared_are_left_out_unless_asked_for():
    X = struck(people(), "year", "year == 2018")
    lists = X.assign(lists=[[1], [2]] * 300)
    lists.loc[:29, "lists"] = None
    found = UnseenMasker().fit(lists).transform(lists.assign(year=2018))
    assert found["year"].isna().all() and found["lists"].notna().sum() == 570
    with pytest.raises(ValueError, match="'lists' holds unhashable values"):
        UnseenMasker("lists").fit(lists)


def test_what_never_comes_together_is_no_hidden_value_without_gaps_there():
    X = people()
    X["team"] = np.where(X["sex"] == "f", "u", "v")
    # gaps in the column, none of them where the pair would be
    gaps = X.assign(team=X["team"].mask((X["sex"] == "m") & (X["office"] == "a")))
    told = UnseenMasker().fit(gaps).hidden_
    assert not ((told["value"] == "v") & (told["value_beside"] == "f")).any()


def test_tables_without_gaps_are_left_as_they_are():
    X = people()
    masker = UnseenMasker().fit(X)
    other = people(seed=1).assign(office="z", year=1900, pay=1e9)
    assert masker.transform(other) is other and masker.hidden_.empty


def test_some_columns_only():
    X = struck(struck(people(), "office", "office == 'c'"), "sex", "sex == 'f'")
    found = UnseenMasker("office").fit(X).transform(people())
    assert found["office"].isna().any() and not found["sex"].isna().any()
    with pytest.raises(ValueError, match=r"has no column 'offise'\. Did you mean 'office'"):
        UnseenMasker("offise").fit(X)


def test_few_gaps_hide_nothing():
    X = people()
    at = np.flatnonzero(X["office"] == "c")[:7]
    X.loc[at, "office"] = np.nan
    assert UnseenMasker().fit(X).transform(people().assign(office="z"))["office"].eq("z").all()


@pytest.mark.parametrize("false_alarm", [-0.1, 1, "no"])
def test_a_share_that_is_none(false_alarm):
    with pytest.raises(ValueError, match="'false_alarm' parameter of UnseenMasker"):
        UnseenMasker(false_alarm=false_alarm).fit(people())


@pytest.mark.parametrize("of", [pl.from_pandas, lambda X: X.convert_dtypes(), lambda X: X.copy()])
def test_containers_are_kept_and_inputs_too(of):
    gaps, other = of(struck(people(), "year", "year == 2018")), of(people(seed=1))
    before = other.clone() if isinstance(other, pl.DataFrame) else other.copy()
    found = UnseenMasker().fit(gaps).transform(other)
    assert type(found) is type(other) and other.equals(before)
    years = pd.Series(np.asarray(found["year"].to_numpy(), dtype=object))
    np.testing.assert_array_equal(years.isna(), people(seed=1)["year"] == 2018)


def test_arrays_and_matrices():
    X = people()[["year", "pay"]]
    gaps = struck(X, "year", "year == 2018").to_numpy(dtype=float)
    found = UnseenMasker().fit(gaps).transform(people(seed=1)[["year", "pay"]].to_numpy())
    np.testing.assert_array_equal(np.isnan(found[:, 0]), people(seed=1)["year"] == 2018)


@pytest.mark.long
@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(["office", "year", "pay", "sex"]))
def test_masking_is_the_same_row_by_row_and_twice(seed, column):
    X = people(200, seed)
    gaps = X.assign(**{column: X[column].where(X["year"] != 2015)})
    masker = UnseenMasker().fit(gaps)
    other = people(15, seed + 1)
    whole = masker.transform(other)
    rows = [masker.transform(other.iloc[[i]]) for i in range(len(other))]
    np.testing.assert_array_equal(pd.concat(rows).isna(), whole.isna())
    pd.testing.assert_frame_equal(masker.transform(whole), whole)


@pytest.mark.parametrize("n_columns", [3, 12])
def test_kinds_by_chance_are_rare(n_columns):
    found = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(
            rng.integers(0, 12, (150, n_columns)), columns=[*"abcdefghijkl"][:n_columns]
        )
        X["a"] = [*"abcdefghijkl"] * 12 + [*"abcdef"]
        gaps = X.astype({"b": float}).assign(b=X["b"].where(rng.random(150) > 0.6))
        found += len(UnseenMasker(min_missing=0.5).fit(gaps).kinds_)
    assert not found


def test_it_takes_away_what_a_gap_takes_from_another_column():
    X, other = people(3000), people(3000, seed=1)
    y, truth = (
        (Z["year"] >= 2016) ^ (np.random.default_rng(0).random(len(Z)) < 0.1) for Z in (X, other)
    )
    gaps = struck(X, "pay", "year >= 2016")
    prepared = make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), ["pay"]),
        (StandardScaler(), ["year"]),
    )
    pipeline = make_pipeline(prepared, LogisticRegression())
    clean = pipeline.fit(X, y).score(other, truth)
    assert pipeline.fit(gaps, y).score(other, truth) < clean - 0.1
    masked = make_pipeline(UnseenMasker(), pipeline)
    assert masked.fit(gaps, y).score(other, truth) == pytest.approx(clean, abs=0.02)


def test_it_takes_away_what_hidden_values_do_to_a_model():
    X, other = people(2000), people(2000, seed=1)
    y, truth = ((Z["office"] == "c") ^ (Z["pay"] > 65) for Z in (X, other))
    gaps = struck(X, "office", "office == 'c'")
    filled = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    pipeline = make_pipeline(
        make_column_transformer((filled, ["office", "sex"]), (SimpleImputer(), ["pay"])),
        LogisticRegression(max_iter=5000),
    )
    clean = pipeline.fit(X, y).score(other, truth)
    assert pipeline.fit(gaps, y).score(other, truth) < clean - 0.2
    (remedy,) = [
        each for each in suggest_hardening(pipeline, "missing") if "UnseenMasker" in repr(each)
    ]
    params = {path: values[0] for path, values in remedy.items()}
    mended = pipeline.set_params(**params).fit(gaps, y)
    assert mended.score(other, truth) == pytest.approx(clean, abs=0.01)


def test_rare_numbers_do_not_make_random_gaps_go_by_a_column():
    """One gap in a level of one row is no sign; such levels are counted together."""
    n_told = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        mean = np.exp(0.7 * rng.normal(size=(1000, 1)) + 0.2)
        counts = np.minimum(rng.poisson(mean, (1000, 10)), 15).astype(float)
        X = pd.DataFrame(counts).rename(columns=str)
        n_told += len(UnseenMasker().fit(X.mask(rng.random(X.shape) < 0.03)).hidden_) > 0
    assert n_told <= 1


def test_repeated_names_are_told_by_position_throughout():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (900, 4)).astype(float))
    X[3] = X[3].mask(X[[0, 1, 2]].all(axis=1))
    named = UnseenMasker().fit(X.set_axis([*"abcv"], axis=1)).kinds_
    told = UnseenMasker().fit(X.set_axis(["a", 2, "a", "v"], axis=1)).kinds_
    (where,), (expected,) = told["where"], named["where"]
    assert told["column"].tolist() == [3]
    assert where == {"abc".index(name): levels for name, levels in expected.items()}
    assert len(where) == 3
