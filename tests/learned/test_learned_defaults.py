"""Defaults that are round numbers, cells that are missing, and which cells count."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned import learn_errors

N = 1500
RNG = np.random.default_rng(0)
HALF = RNG.uniform(size=N) < 0.5
TABLE = pd.DataFrame(
    {
        "amount": RNG.normal(50, 20, N).round(2),
        "count": RNG.integers(1, 40, N),
        "size": RNG.normal(0, 1, N).round(3),
        "shop": RNG.choice(["north", "south", "east", "west"], N),
        "paid": RNG.uniform(size=N) < 0.5,
    }
)


def told(dirty: pd.DataFrame, clean: pd.DataFrame = TABLE) -> dict:
    [row] = learn_errors(dirty, clean).report.to_dict("records")
    return row


@pytest.mark.parametrize("name", ["amount", "count", "size"])
@pytest.mark.parametrize("value", [0, 1000])
def test_a_round_default_is_not_a_rounding(name: str, value: float) -> None:
    struck = (TABLE["shop"] == "south") & HALF
    row = told(TABLE.assign(**{name: TABLE[name].mask(struck, value)}))
    assert (row["kind"], row["parameters"]["value"]) == ("sentinel", value)
    assert str(row["pattern"]) == "shop == 'south'"


@pytest.mark.parametrize("name", ["amount", "count"])
@pytest.mark.parametrize("value", [0, 100, 5, -1])
@pytest.mark.parametrize("n_cells", [10, 25])
def test_few_cells_with_one_value_are_a_default_and_no_noise(name, value, n_cells) -> None:
    struck = np.arange(N) % (N // n_cells) == 7
    found = learn_errors(TABLE.assign(**{name: TABLE[name].mask(struck, value)}), TABLE)
    (row,) = found.report.to_dict("records")
    assert (row["kind"], row["parameters"]["value"]) == ("sentinel", value)
    assert f"(value {value})" in str(found)


def test_roundings_beside_such_a_default_are_told_from_it() -> None:
    step = TABLE["amount"].where(~HALF, (TABLE["amount"] / 20).round() * 20)
    dirty = TABLE.assign(amount=step.mask(TABLE["shop"] == "west", 0))
    report = learn_errors(dirty, TABLE).report.set_index("kind")
    assert set(report.index) == {"rounding", "sentinel"}
    assert report.loc["rounding", "parameters"]["step"] == 20
    assert report.loc["sentinel", "parameters"]["value"] == 0


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "Float64"])
def test_missing_values_of_types_that_have_their_own(dtype: str) -> None:
    name = {"boolean": "paid", "Int64": "count", "Float64": "amount"}[dtype]
    clean = TABLE.astype({name: dtype})
    struck = (TABLE["shop"] == "south") & HALF
    row = told(clean.assign(**{name: clean[name].mask(struck)}), clean)
    assert (row["kind"], row["n_cells"], str(row["pattern"])) == (
        "missing",
        struck.sum(),
        "shop == 'south'",
    )


def test_cells_that_are_missing_anyhow_do_not_count_where_none_was_struck() -> None:
    # which shops leave amounts out says nothing of where 99999 is put for those that are there
    clean = TABLE.assign(amount=TABLE["amount"].mask(TABLE["shop"] == "north"))
    learned = learn_errors(
        clean.assign(amount=clean["amount"].mask(HALF & clean["amount"].notna(), 99999.0)), clean
    )
    [row] = learned.report.to_dict("records")
    assert row["kind"] == "sentinel"
    assert row["pattern"] is None
    assert row["rate"] == pytest.approx(HALF[clean["amount"].notna()].mean())
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    assert made["amount"].isna().equals(clean["amount"].isna())


def test_a_default_in_place_of_missing_cells_only_stays_with_them() -> None:
    gone = RNG.uniform(size=N) < 0.3
    clean = TABLE.assign(amount=TABLE["amount"].mask(gone))
    learned = learn_errors(clean.assign(amount=clean["amount"].fillna(-1.0)), clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["pattern"], row["rate"]) == ("sentinel", None, 1.0)
    other = TABLE.assign(amount=TABLE["amount"].mask(~gone))
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(other, None)
    assert (made["amount"][gone] == TABLE["amount"][gone]).all()
    assert (made["amount"][~gone] == -1.0).mean() > 0.9


@pytest.mark.parametrize("n_values", [2, 3, 4, 5, 7])
def test_confusions_of_some_values_at_random_rows_have_no_place(n_values: int) -> None:
    names = np.array([f"town {i}" for i in range(12)])
    clean = TABLE.assign(town=np.random.default_rng(1).choice(names, N))
    becomes = dict(zip(names[:n_values], np.roll(names[:n_values], 1), strict=True))
    struck = HALF & clean["town"].isin(becomes)
    row = told(clean.assign(town=clean["town"].mask(struck, clean["town"].map(becomes))), clean)
    assert (row["kind"], row["n_cells"]) == ("categories", struck.sum())
    assert row["pattern"] is None
    assert row["mechanism"] is None
    # of the values that are confused
    assert row["rate"] == pytest.approx(HALF[clean["town"].isin(becomes)].mean())


@pytest.mark.parametrize("n_values", [2, 3, 4, 5])
def test_confusions_in_a_place_are_told_by_it_alone(n_values: int) -> None:
    names = np.array([f"town {i}" for i in range(8)])
    clean = TABLE.assign(town=np.random.default_rng(1).choice(names, N))
    becomes = dict(zip(names[:n_values], np.roll(names[:n_values], 1), strict=True))
    struck = HALF & clean["town"].isin(becomes) & (clean["amount"] <= 50)
    row = told(clean.assign(town=clean["town"].mask(struck, clean["town"].map(becomes))), clean)
    assert row["kind"] == "categories"
    assert row["explained_by"] == ("amount",)


def test_a_cycle_is_not_taken_for_values_that_are_stuck() -> None:
    # the shop is mostly that of the row before in its group
    group = np.repeat(np.arange(N // 10), 10)
    shop = np.array(["north", "south", "east"])[group % 3]
    clean = TABLE.assign(group=group, shop=shop)
    becomes = {"north": "south", "south": "east", "east": "north"}
    struck = RNG.uniform(size=N) < 0.8
    row = told(clean.assign(shop=clean["shop"].mask(struck, clean["shop"].map(becomes))), clean)
    assert (row["kind"], row["n_cells"]) == ("categories", struck.sum())


def test_a_default_that_few_values_lie_beyond_is_no_limit() -> None:
    # zeros are there, and one in a hundred is below them, as years of experience that were computed
    years = np.maximum(np.random.default_rng(2).integers(-10, 60, N), -1 * (np.arange(N) % 70 == 0))
    clean = TABLE.assign(years=np.where(years < 0, np.minimum(years, TABLE["count"] - 20), years))
    struck = HALF & (clean["years"] > 0) & (TABLE["shop"] == "south")
    row = told(clean.assign(years=clean["years"].mask(struck, 0)), clean)
    assert (row["kind"], row["parameters"]["value"]) == ("sentinel", 0)


def test_values_at_a_limit_of_many_digits_do_not_count() -> None:
    # decimals of single precision have more digits than are kept
    sizes = (np.random.default_rng(3).integers(1, 20, N) / 10).astype("float32").astype(float)
    clean = TABLE.assign(size=sizes)
    limit = np.float64(np.float32(0.7))
    row = told(clean.assign(size=clean["size"].mask(HALF, clean["size"].clip(upper=limit))), clean)
    assert (row["kind"], row["pattern"]) == ("clip", None)
    assert row["rate"] == pytest.approx(HALF[sizes > limit].mean())


@pytest.mark.parametrize("zone", [None, "America/New_York"])
def test_a_default_of_times_is_told_and_made_by_the_clocks_of_the_column(zone):
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 400, 600), unit="D")
    clean = pd.DataFrame({"t": days.tz_localize(zone), "b": rng.normal(size=600)})
    default = pd.Timestamp("1900-01-01", tz=zone)
    dirty = clean.assign(t=clean["t"].mask(rng.random(600) < 0.2, default))
    learned = learn_errors(dirty, clean)
    assert learned.template().value == default
    assert zone is None or default.isoformat() in str(learned)
    for out in (
        learned.corruption.fit(clean).corrupt(clean).X["t"],
        learned.template().set_params(rate=0.2).fit_transform(clean)["t"],
    ):
        assert out.dtype == clean["t"].dtype
        assert set(out[out != clean["t"]]) == {default}
