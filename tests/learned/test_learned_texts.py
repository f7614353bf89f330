"""What learned errors say of themselves: columns left out, shares, dates, and short texts."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptionProcess, CorruptMissing
from skcorrupt.learned import CorruptAsSeen, LearnedErrors, learn_errors


def only(learned):
    [row] = learned.report.to_dict("records")
    return row


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


def test_one_text_that_is_written_otherwise_is_no_default():
    rng = np.random.default_rng(0)
    grade = rng.choice(["Good", "Fair", "Very Good", "Ideal"], 1200, p=[0.3, 0.3, 0.3, 0.1])
    clean = pd.DataFrame({"grade": grade, "n": rng.integers(0, 9, 1200)})
    half = rng.uniform(size=1200) < 0.5
    for change in (
        lambda text: text.replace(" ", "_"),
        lambda text: "  " + text if text == "Very Good" else text,
        lambda text: text.replace("Ve", "V"),
    ):
        wrong = clean["grade"].where(~half, clean["grade"].map(change))
        row = only(learn_errors(clean.assign(grade=wrong), clean))
        assert row["kind"] == "text"
    # what a text is not made of is still a default, of whichever it stands for
    for default in ("n/a", "unknown"):
        wrong = clean["grade"].mask(half & (clean["grade"] == "Ideal"), default)
        row = only(learn_errors(clean.assign(grade=wrong), clean))
        assert (row["kind"], row["parameters"]["value"]) == ("sentinel", default)


@pytest.mark.parametrize(("old", "new"), [(" ", "_"), ("-", ""), ("-", " - "), ("e", "3")])
def test_a_character_that_is_replaced_wherever_it_stands(old, new):
    rng = np.random.default_rng(1)
    words = [
        "red deer",
        "sea eel - free",
        "tee-shirt-press",
        "re-entry fee",
        "bee",
        "three-two-one",
    ]
    clean = pd.DataFrame({"name": rng.choice(words, 1500), "n": rng.integers(0, 9, 1500)})
    hit = (rng.uniform(size=1500) < 0.5) & (clean["n"] > 4)
    wrong = clean["name"].mask(hit, clean["name"].str.replace(old, new, regex=False))
    learned = learn_errors(clean.assign(name=wrong), clean)
    row = only(learned)
    assert row["kind"] == "text"
    assert (row["parameters"]["old"], row["parameters"]["new"]) == (old, new)
    assert row["pattern"].mask(clean).tolist() == (clean["n"] > 4).tolist()
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    changed = made["name"] != clean["name"]
    assert (made["name"] == clean["name"].str.replace(old, new, regex=False))[changed].all()
