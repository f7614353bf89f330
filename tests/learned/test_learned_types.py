"""Texts among numbers and times, whose type is what is wrong."""

import re

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptDates, CorruptScale, CorruptType
from skcorrupt.learned import LearnedErrors, learn_errors

N = 1500


def stays(zone=None, seed=0):
    rng = np.random.default_rng(seed)
    day = pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 9e7, N), unit="s"))
    return pd.DataFrame(
        {
            "price": rng.normal(9000, 2000, N).round(2),
            "guests": rng.integers(1, 5000, N),
            "day": day if zone is None else day.dt.tz_localize(zone, ambiguous=True),
            "house": rng.choice(["a", "b", "c"], N),
        }
    )


def texts(column):
    return [value for value in column if isinstance(value, str)]


@pytest.mark.parametrize("column", ["price", "guests"])
@pytest.mark.parametrize("kind", ["scientific", "plain", "thousands", "decimal_comma"])
def test_numbers_that_became_texts_are_learned_and_made(kind, column):
    clean = stays()
    error = CorruptType(column, kind=kind, pattern="house == 'a'", rate=0.6, random_state=0)
    dirty = error.fit(clean).corrupt(clean).X
    learned = LearnedErrors.from_dict(learn_errors(dirty, clean).to_dict())
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("type", len(texts(dirty[column])))
    assert str(row["pattern"]) == "house == 'a'"
    assert row["rate_inside_low"] <= 0.6 <= row["rate_inside_high"]
    assert learned.template(column).kind == kind
    assert learned.template(column).fit(clean).corrupt(clean).record.n_corrupted > 0
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    shape = {
        text.translate(str.maketrans("123456789", "000000000")) for text in texts(dirty[column])
    }
    new = texts(made[column])
    assert abs(len(new) - row["n_cells"]) <= 2
    assert {text.translate(str.maketrans("123456789", "000000000")) for text in new} & shape


@pytest.mark.parametrize("zone", [None, "Europe/Vienna"])
@pytest.mark.parametrize("date_format", [None, "%d.%m.%Y"])
@pytest.mark.many
def test_times_that_became_texts_are_learned_and_made(date_format, zone):
    clean = stays(zone)
    error = CorruptDates(
        "day", kind="format", date_format=date_format, pattern="house == 'b'", rate=0.6,
        random_state=0,
    )  # fmt: skip
    dirty = error.fit(clean).corrupt(clean).X
    learned = LearnedErrors.from_dict(learn_errors(dirty, clean).to_dict())
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("dates", len(texts(dirty["day"])))
    assert str(row["pattern"]) == "house == 'b'"
    assert learned.template("day").date_format == (date_format or "%d/%m/%Y %H:%M:%S")
    again = learned.template("day").set_params(rate=1.0).fit(clean).corrupt(clean).X["day"]
    made = learned.corruption.set_params(random_state=0).fit_resample(clean, None)[0]["day"]
    is_text = made.map(lambda value: isinstance(value, str))
    assert abs(is_text.sum() - row["n_cells"]) <= 2
    assert (made == again)[is_text].all()


def test_a_table_read_as_texts_has_no_wrong_types():
    clean = stays()
    dirty = clean.astype(str)
    dirty["price"] = [repr(value) for value in clean["price"]]
    dirty.loc[:99, "house"] = "x"
    assert learn_errors(dirty, clean).report["column"].tolist() == ["house"]


def test_numbers_among_texts_keep_their_own_errors():
    clean = stays()
    scaled = CorruptScale("price", factor=100, pattern="house == 'a'", rate=0.5, random_state=0)
    dirty = scaled.fit(clean).corrupt(clean).X
    kept = (dirty["price"] == clean["price"]) & (clean["house"] == "b")
    dirty["price"] = dirty["price"].astype(object)
    dirty.loc[kept, "price"] = [str(value) for value in clean["price"][kept]]
    report = learn_errors(dirty, clean).report
    scaled_cells = (dirty["price"] != clean["price"]) & (clean["house"] == "a")
    assert dict(zip(report["kind"], report["n_cells"], strict=True)) == {
        "type": kept.sum(),
        "scale": scaled_cells.sum(),
    }


def test_lines_name_units_without_empty_parameters_and_times_in_hours():
    clean = stays()
    kg = CorruptType("guests", kind="unit", unit="kg", rate=0.5, random_state=0)
    said = str(learn_errors(kg.fit(clean).corrupt(clean).X, clean))
    assert "way of writing (suffix kg, kind unit)" in said
    off = pd.to_timedelta(np.random.default_rng(1).normal(0, 9000, N).round(), unit="s")
    hit = np.random.default_rng(2).random(N) < 0.4
    said = str(learn_errors(clean.assign(day=clean["day"].mask(hit, clean["day"] + off)), clean))
    assert re.search(r"noise \(spread 2\.[45]\d? hours\)", said)


def test_lines_name_a_handful_of_many_values():
    rng = np.random.default_rng(0)
    clean = pd.DataFrame({"size": rng.normal(size=9000).round(3), "code": rng.choice(20, 9000)})
    clean["code"] = "c" + clean["code"].astype(str)
    hit = clean["code"].isin([f"c{i}" for i in range(0, 20, 2)]) & (rng.random(9000) < 0.6)
    learned = learn_errors(clean.assign(size=clean["size"].mask(hit)), clean)
    assert len(learned.report["pattern"].iloc[0].conditions["code"].values) > 5
    assert "'c16', ... 10 values)" in str(learned)


def spans(unit):
    minutes = np.random.default_rng(0).permutation(300)
    span = pd.Series(pd.to_timedelta(minutes, unit="min")).astype(f"m8[{unit}]")
    return pd.DataFrame({"id": np.arange(300), "span": span})


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
class TestDurations:
    def test_gaps_are_learned(self, unit):
        clean = spans(unit)
        dirty = clean.assign(span=clean["span"].where(clean["id"] >= 30))
        [row] = learn_errors(dirty, clean, key="id").report.to_dict("records")
        assert (row["column"], row["kind"], row["rate"]) == ("span", "missing", 0.1)

    def test_durations_that_became_others_are_made_again(self, unit):
        clean = spans(unit)
        longer = clean["span"] + pd.Timedelta("1h")
        dirty = clean.assign(span=clean["span"].mask(clean["id"] < 15, longer))
        learned = LearnedErrors.from_dict(learn_errors(dirty, clean, key="id").to_dict())
        made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
        assert made["span"].dtype == clean["span"].dtype
        new = made["span"][made["span"] != clean["span"]]
        assert len(new) == 15
        assert set(new) <= set(longer[:15])

    def test_added_rows_are_learned(self, unit):
        clean = spans(unit)
        moved = clean[:20].assign(span=clean["span"][:20] + pd.to_timedelta(range(20), unit="min"))
        dirty = pd.concat([clean, moved], ignore_index=True)
        [row] = learn_errors(dirty, clean, key="id").report.to_dict("records")
        assert (row["kind"], row["n_cells"]) == ("duplicates", 20)
