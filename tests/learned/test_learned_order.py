"""Values that repeat or come from other rows, in an order within groups."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptShiftRows, CorruptStuck
from skcorrupt.learned import LearnedErrors, learn_errors


def readings(seed=0, n_devices=12, n_times=50, stamps=False):
    """Devices whose readings have their times, the rows of all in no order."""
    rng = np.random.default_rng(seed)
    time = np.tile(np.arange(n_times), n_devices)
    table = pd.DataFrame(
        {
            "time": pd.Timestamp("2024-01-01") + pd.to_timedelta(time, unit="D")
            if stamps
            else time,
            "device": np.repeat([f"d{i}" for i in range(n_devices)], n_times),
            "level": rng.normal(size=n_devices * n_times).round(4),
        }
    )
    return table.iloc[rng.permutation(len(table))].reset_index(drop=True)


def before(table, offset):
    """The value so many rows before, by the library's own groups."""
    ordered = table.sort_values(["device", "time"])
    return ordered.groupby("device")["level"].shift(offset).reindex(table.index)


def planted(table, offset, seed=1):
    source = before(table, offset)
    struck = (np.random.default_rng(seed).random(len(table)) < 0.15) & source.notna()
    return table.assign(level=table["level"].where(~struck, source)), struck


@pytest.mark.parametrize("stamps", [False, True])
@pytest.mark.parametrize("offset", [2, -1])
def test_shifts_within_groups_are_learned_and_made_again(offset, stamps):
    clean = readings(stamps=stamps)
    dirty, struck = planted(clean, offset)
    learned = LearnedErrors.from_dict(learn_errors(dirty, clean).to_dict())
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("shift", struck.sum())
    assert row["parameters"] == {
        "form": "row",
        "offset": offset,
        "order": "time",
        "group": "device",
    }
    # only rows with a row so far before them can be struck
    assert row["rate"] == pytest.approx(struck.sum() / before(clean, offset).notna().sum())
    fresh = readings(seed=7, stamps=stamps)
    made = learned.corruption.set_params(random_state=0).fit_resample(fresh, None)[0]
    wrong = made["level"] != fresh["level"]
    assert abs(wrong.sum() - struck.sum()) <= 2
    assert (made["level"] == before(fresh, offset))[wrong].all()
    template = learned.template("level")
    assert isinstance(template, CorruptShiftRows)
    assert (template.offset, template.order, template.group) == (offset, "time", "device")


def test_stuck_values_within_groups_are_learned_and_made_again():
    clean = readings()
    ordered = clean.sort_values(["device", "time"])
    first = ~ordered["device"].duplicated()
    struck = (np.random.default_rng(3).random(len(clean)) < 0.2) & ~first.to_numpy()
    level = ordered["level"].where(~struck).groupby(ordered["device"]).ffill()
    dirty = clean.assign(level=level.reindex(clean.index))
    learned = learn_errors(dirty, clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("stuck", struck.sum())
    assert row["parameters"] == {"form": "stuck", "order": "time", "group": "device"}
    fresh = readings(seed=7)
    made = learned.corruption.set_params(random_state=0).fit_resample(fresh, None)[0]
    wrong = made["level"] != fresh["level"]
    assert abs(wrong.sum() - struck.sum()) <= 2
    ordered = fresh.sort_values(["device", "time"])
    again = ordered["level"].mask(wrong.reindex(ordered.index))
    again = again.groupby(ordered["device"]).ffill()
    assert (again.reindex(fresh.index) == made["level"]).all()
    assert isinstance(learned.template("level"), CorruptStuck)


def test_rows_without_a_group_supply_nothing():
    clean = readings()
    clean.loc[clean.index % 10 == 0, "device"] = None
    dirty, _ = planted(clean, 1)
    learned = learn_errors(dirty, clean)
    made = learned.corruption.set_params(random_state=0).fit_resample(clean, None)[0]
    wrong = made["level"] != clean["level"]
    assert wrong.any() and clean.loc[wrong, "device"].notna().all()
    assert (made["level"] == before(clean, 1))[wrong].all()
