"""Values that training rows had only as gaps."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from skcorrupt import CorruptMissing
from skcorrupt.robustness import UnseenMasker, suggest_hardening


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


def masked_by(X, column, pattern):
    """What gaps at a pattern in one sample make missing in another, and where the pattern is."""
    masker, other = UnseenMasker().fit(struck(X, column, pattern)), people(seed=1)
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


def test_what_is_expected_is_told_by_rows_with_few_gaps():
    X = people(1400)
    # of all rows that show an office, one in sixteen shows this one, and one in three in 2018
    gaps = struck(X, "office", "office == 'c' and year <= 2017")
    told = UnseenMasker().fit(gaps).hidden_.query("beside == 'year'")
    assert told["value"].eq("c").all() and sorted(told["value_beside"]) == [*range(2012, 2018)]
    rows = X["year"].value_counts()[told["value_beside"]].to_numpy()
    np.testing.assert_allclose(told["expected"] / rows, 1 / 3, atol=0.08)


@pytest.mark.parametrize("rate", [0.05, 0.3])
def test_gaps_at_random_hide_nothing(rate):
    rng, counts = np.random.default_rng(0), []
    for seed in range(20):
        X, other = people(seed=seed), people(seed=100 + seed)
        gaps = X.mask(rng.random(X.shape) < rate)
        masker = UnseenMasker().fit(gaps)
        assert masker.hidden_.empty
        counts.append(masker.transform(other).isna().mean())
    # about the share that false_alarm says, of columns with values of their own
    assert (np.mean(counts, axis=0) <= 0.02).all()
    assert UnseenMasker(false_alarm=0).fit(gaps).transform(X).isna().mean().max() < 0.02


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


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(["office", "year", "pay", "sex"]))
def test_masking_is_the_same_row_by_row_and_twice(seed, column):
    X = people(200, seed)
    gaps = X.assign(**{column: X[column].where(X["year"] != 2015)})
    masker = UnseenMasker().fit(gaps)
    whole = masker.transform(people(40, seed + 1))
    rows = [masker.transform(people(40, seed + 1).iloc[[i]]) for i in range(40)]
    np.testing.assert_array_equal(pd.concat(rows).isna(), whole.isna())
    pd.testing.assert_frame_equal(masker.transform(whole), whole)


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
