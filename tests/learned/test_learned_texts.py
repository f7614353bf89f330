"""What learned errors say of themselves: columns left out, shares, dates, and short texts."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptionProcess, CorruptMissing
from skcorrupt.learned import CorruptAsSeen, LearnedErrors, learn_errors

N = 400


def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "town": rng.choice(["Rome", "Oslo"], N),
            "age": rng.integers(18, 80, N),
            "day": pd.Timestamp("2019-03-01") + pd.to_timedelta(rng.integers(0, 900, N), unit="D"),
        }
    )


def test_columns_that_one_table_lacks_are_named():
    clean = table()
    dirty = clean.assign(age=clean["age"].mask(clean["age"] < 30, 99))
    renamed = dirty.rename(columns={"town": "city"})
    with pytest.warns(UserWarning, match=r"only dirty has \['city'\], only clean has \['town'\]"):
        learned = learn_errors(renamed, clean)
    assert learned.given["left_out"] == {"dirty": ["city"], "clean": ["town"]}
    for each in (learned, LearnedErrors.from_dict(learned.to_dict())):
        assert str(each).endswith(
            "Only the dirty table has 'city'\nOnly the clean table has 'town'"
        )
        assert "Only the dirty table has" in each._repr_html_()
    assert learn_errors(dirty, clean).given["left_out"] == {"dirty": [], "clean": []}


def test_a_share_says_what_it_is_of():
    clean = table()
    some = np.random.default_rng(1).uniform(size=N)
    gaps = clean.assign(age=clean["age"].where(some > 0.25))
    lost = (some > 0.25) & (some < 0.5)
    learned = learn_errors(gaps.assign(age=gaps["age"].mask(lost)), gaps)
    share = 100 * lost.mean()
    rate = 100 * lost.sum() / (some > 0.25).sum()
    assert f"{rate:.1f} % of rows that had a value ({share:.1f} % of all)" in str(learned)
    whole = learn_errors(clean.assign(age=clean["age"].mask(lost)), clean)
    assert f"missing in {share:.1f} % of rows;" in str(whole)


@pytest.mark.parametrize(
    ("moved", "said"),
    [
        (pd.Timedelta(days=-365), "date or time (365 days earlier)"),
        (pd.Timedelta(hours=2), "date or time (2 hours later)"),
        (pd.DateOffset(years=-1), "date or time (1 year earlier)"),
    ],
)
def test_dates_are_moved_in_words(moved, said):
    clean = table()
    hit = np.random.default_rng(2).uniform(size=N) < 0.4
    dirty = clean.assign(day=clean["day"].mask(hit, clean["day"] + moved))
    assert said in str(learn_errors(dirty, clean))


def test_a_printed_corruption_is_short_and_its_repr_whole():
    clean = table()
    hit = np.random.default_rng(3).uniform(size=N) < 0.4
    dirty = clean.assign(age=clean["age"].mask(hit, clean["age"] + 7))
    process = learn_errors(dirty, clean).corruption
    member = process.corruptions[0][1]
    assert str(member) == "CorruptAsSeen(seen=<errors in ['age']>)"
    assert str(process) == f"CorruptionProcess(corruptions=[('cells', {member})])"
    names = {"CorruptAsSeen": CorruptAsSeen, "CorruptionProcess": CorruptionProcess}
    again = eval(repr(process), names)
    assert again.corruptions[0][1].seen == member.seen
    plain = CorruptionProcess([("gaps", CorruptMissing("age"))])
    assert str(plain) == repr(plain)
