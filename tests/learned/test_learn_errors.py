"""Errors planted in tables: their kind, their place, their rate, and how they are made again."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from skcorrupt import (
    CorruptCategories,
    CorruptDates,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    CorruptSentinel,
    Pattern,
)
from skcorrupt.adversarial import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.learned import LearnedErrors, learn_errors
from skcorrupt.testing import check_corruption

N = 1200


def people(n=N, seed=0):
    """A clean table of numbers, names and times."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "income": rng.normal(40_000, 9_000, n).round(2),
            "city": rng.choice(["Paris", "Rome", "Oslo", "Helsinki", "Vienna"], n),
            "sex": rng.choice(["f", "m"], n),
            "seen": pd.Timestamp("2020-01-05") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
        }
    )


PLANTED = {
    "missing": (CorruptMissing("income"), "missing", {}),
    "default": (CorruptSentinel("income"), "sentinel", {"value": -999}),
    "word": (CorruptSentinel("city", value="N/A"), "sentinel", {"value": "N/A"}),
    "factor": (CorruptScale("income", factor=1000.0), "scale", {"factor": 1000, "offset": 0}),
    "line": (
        CorruptScale("income", factor=1.8, offset=32.0),
        "scale",
        {"factor": 1.8, "offset": 32},
    ),
    "noise": (CorruptNoise("income", scale=0.5), "noise", {}),
    "far": (CorruptOutliers("income"), "outliers", {}),
    "swap": (CorruptCategories("city"), "categories", {"kind": "swap"}),
    "typo": (CorruptCategories("city", kind="typo"), "text", {"kind": "typo"}),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_errors_are_found_where_they_are(name):
    corruption, kind, parameters = PLANTED[name]
    clean = people()
    pattern = Pattern({"age": (None, 40), "sex": "f"})
    corruption.set_params(pattern=pattern, rate=0.6, random_state=1)
    dirty = corruption.fit(clean).corrupt(clean).X
    row = learn_errors(dirty, clean).report.iloc[0]
    assert row["kind"] == kind
    assert row["share_explained"] == 1.0
    assert parameters.items() <= row["parameters"].items()
    planted, found = pattern.mask(clean), row["pattern"].mask(clean)
    assert (planted & found).sum() >= 0.95 * (planted | found).sum()
    assert row["rate_inside_low"] <= 0.6 <= row["rate_inside_high"]
    assert row["rate_outside"] == 0
    assert row["p_value"] <= row["p_adjusted"] < 0.01
    assert len(row["examples"]) == min(3, row["n_cells"]) or kind in ("sentinel", "missing")


CHANGES = {
    "upper case": ("city", str.upper, "text", {"kind": "case", "how": "upper"}),
    "space": ("city", lambda text: text + " ", "text", {"kind": "whitespace", "how": "after"}),
    "cut": ("city", lambda text: text[:3], "text", {"kind": "truncate", "length": 3}),
    "unit": ("age", lambda age: f"{age} years", "type", {"suffix": " years"}),
    "comma": ("income", lambda x: str(x).replace(".", ","), "type", {"kind": "decimal_comma"}),
    "tens": ("age", lambda age: round(age / 10) * 10, "rounding", {"step": 10}),
    "limit": ("age", lambda age: min(max(age, 30), 60), "clip", {"lower": 30, "upper": 60}),
    "hours": ("seen", lambda t: t + pd.Timedelta(hours=2), "dates", {"hours": 2}),
    "year": (
        "seen",
        lambda t: t - pd.DateOffset(years=1),
        "dates",
        {"years": -1},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_are_told_by_what_they_do_to_values(name):
    column, change, kind, parameters = CHANGES[name]
    clean = people()
    struck = np.random.default_rng(3).uniform(size=N) < 0.4
    values = clean[column].astype(object)
    new = values.where(~struck, values.map(change))
    dirty = clean.assign(**{column: new.infer_objects() if kind != "type" else new})
    report = learn_errors(dirty, clean).report
    row = report.loc[report["n_cells"].idxmax()]
    assert row["kind"] == kind
    assert row["share_explained"] >= 0.97
    assert parameters.items() <= row["parameters"].items()


def times(n=400):
    """Times of day and days as texts."""
    minutes = np.random.default_rng(5).integers(0, 1440, n)
    clock = [f"{m // 60 % 12 or 12}:{m % 60:02d} {'ap'[m // 720]}.m." for m in minutes]
    days = pd.Timestamp("2011-01-01") + pd.to_timedelta(minutes % 300, unit="D")
    return pd.DataFrame({"clock": clock, "day": days.strftime("%d/%m/%Y"), "row": minutes})


def test_texts_of_times_are_read():
    clean = times()
    struck = np.arange(len(clean)) % 3 == 0
    dirty = clean.copy()
    dirty.loc[struck, "clock"] = "12/1/2011 " + clean.loc[struck, "clock"]
    dirty.loc[struck, "day"] = clean.loc[struck, "day"].str.replace(
        r"(\d+)/(\d+)/(\d+)", r"\2/\1/\3", regex=True
    )
    report = learn_errors(dirty, clean).report.set_index("column")
    assert report.loc["day", "kind"] == "dates"
    # days above 12 are exchanged with months too, which is another way of writing
    assert report.loc["day", "parameters"]["date_format"] == "%m/%d/%Y"
    later = clean.assign(clock=[_plus_an_hour(text) for text in clean["clock"]])
    found = learn_errors(later, clean).report.iloc[0]
    assert found["kind"] == "dates"
    assert found["parameters"]["hours"] == 1
    again = learn_errors(later, clean).corruption.fit_resample(clean, None)[0]
    assert again["clock"].tolist() == later["clock"].tolist()


def _plus_an_hour(text):
    stamp = pd.Timestamp("2020-01-01 " + text.replace(".", "").upper()) + pd.Timedelta(hours=1)
    return f"{stamp.hour % 12 or 12}:{stamp.minute:02d} {'ap'[stamp.hour // 12]}.m."


def test_values_from_elsewhere_are_told_from_swaps():
    clean = people().assign(other=lambda X: X["income"].to_numpy()[::-1].copy())
    struck = np.flatnonzero(np.random.default_rng(2).uniform(size=N) < 0.2)
    struck = struck[struck > 0]
    dirty = clean.copy()
    dirty.loc[struck, ["income", "other"]] = clean.loc[struck, ["other", "income"]].to_numpy()
    assert set(learn_errors(dirty, clean).report["kind"]) == {"exchange"}
    stuck = clean.copy()
    at = clean.columns.get_loc("city")
    for row in struck:
        stuck.iloc[row, at] = stuck.iloc[row - 1, at]
    assert learn_errors(stuck, clean).report["kind"].tolist() == ["stuck"]
    shifted = clean.copy()
    shifted.loc[200:600, "income"] = clean["income"].shift(2).loc[200:600]
    row = learn_errors(shifted, clean).report.iloc[0]
    assert (row["kind"], row["parameters"]["offset"]) == ("shift", 2)


def test_errors_at_random_rows_are_not_explained():
    claimed = 0
    clean = people(400)[["age", "income", "city"]]
    for seed in range(12):
        dirty = CorruptNoise("income", rate=0.2, random_state=seed).fit(clean).corrupt(clean).X
        report = learn_errors(dirty, clean).report
        claimed += int((report["pattern"].notna() | report["mechanism"].notna()).any())
    # at level 0.05 more than three of twelve have a chance of 0.2 %
    assert claimed <= 3


def test_only_values_that_can_change_count():
    clean = people().assign(gain=np.where(np.arange(N) % 10 == 0, np.arange(N) + 1.0, 0.0))
    dirty = CorruptScale("gain", rate=0.5, random_state=0).fit(clean).corrupt(clean).X
    row = learn_errors(dirty, clean).report.iloc[0]
    assert row["pattern"] is None
    assert row["rate"] == pytest.approx(0.5)


def test_labels_and_rows_are_looked_at_too():
    clean = people()
    y = pd.Series(np.where(clean["income"] > 40_000, "yes", "no"))
    flipped = CorruptLabels(transition={"yes": "no"}, pattern="age <= 30", rate=0.8, random_state=0)
    dirty_y = flipped.fit_resample(clean, y)[1]
    kept = ~((clean["city"] == "Oslo") & (np.arange(N) % 2 == 0)).to_numpy()
    dirty, dirty_y = clean[kept].reset_index(drop=True), dirty_y[kept].reset_index(drop=True)
    learned = learn_errors(dirty, clean, y=y, dirty_y=dirty_y)
    report = learned.report.set_index("kind")
    assert learned.matched_by == "content"
    assert report.loc["selection", "n_cells"] == (~kept).sum()
    assert report.loc["selection", "pattern"] == Pattern({"city": "Oslo"})
    assert "age" in report.loc["labels", "pattern"].columns
    X_again, y_again = learned.corruption.set_params(random_state=0).fit_resample(clean, y)
    assert len(X_again) == len(dirty)
    assert learned.template("labels").transition == {"yes": {"no": pytest.approx(1, abs=1e4)}}
    assert set(y_again) == {"yes", "no"}


def test_what_is_made_is_like_what_was_seen():
    clean, other = people(seed=0), people(seed=1)
    rng = np.random.default_rng(4)
    dirty = clean.astype({"city": object})
    struck = (clean["sex"] == "f").to_numpy() & (rng.uniform(size=N) < 0.5)
    dirty.loc[struck, "city"] = clean.loc[struck, "city"] + ", EU"
    dirty.loc[struck, "income"] = np.nan
    learned = learn_errors(dirty, clean)
    made = learned.corruption.set_params(random_state=0).fit_resample(other, None)[0]
    wrong = made["income"].isna()
    # both columns of a row go wrong together, where the pattern is, and on the value of the row
    assert ((made["city"] != other["city"]) == wrong).all()
    assert (made.loc[wrong, "city"] == other.loc[wrong, "city"] + ", EU").all()
    assert (other.loc[wrong, "sex"] == "f").all()
    inside = other["sex"] == "f"
    assert wrong[inside].mean() == pytest.approx(
        struck.sum() / (clean["sex"] == "f").sum(), abs=0.02
    )


@pytest.mark.parametrize("kind", ["labels", "lost rows", "rows added"])
def test_errors_of_rows_are_made_as_often_inside_a_pattern_and_outside(kind):
    clean = people().assign(number=np.arange(N))
    y = np.random.default_rng(5).choice(["no", "yes"], N)
    inside = (clean["sex"] == "f").to_numpy()
    struck = np.random.default_rng(6).uniform(size=N) < np.where(inside, 0.5, 0.1)
    labels = np.where(struck & (kind == "labels"), np.where(y == "no", "yes", "no"), y)
    rows = np.arange(N)[~struck | (kind != "lost rows")]
    if kind == "rows added":
        rows = np.concatenate([rows, rows[struck]])
    dirty = clean.iloc[rows].reset_index(drop=True)
    learned = learn_errors(dirty, clean, key="number", y=y, dirty_y=labels[rows])
    out, made = learned.corruption.set_params(random_state=0).fit_resample(clean, y)
    numbers = out["number"].to_numpy()
    times = np.bincount(numbers, minlength=N)
    wrong = np.bincount(numbers, np.asarray(made) != y[numbers], minlength=N) > 0
    again = wrong if kind == "labels" else times != 1
    for some in (inside, ~inside):
        assert again[some].mean() == pytest.approx(struck[some].mean(), abs=0.02)


def test_made_errors_keep_the_contract_of_corruptions():
    clean = people()
    dirty = CorruptScale("income", pattern="age <= 40", rate=0.5, random_state=0).fit(clean)
    error = dict(learn_errors(dirty.corrupt(clean).X, clean).corruption.corruptions)["cells"]
    error.set_params(random_state=7)
    masks = {}
    for rate in (0.1, 0.2, 0.4):
        result = error.set_params(rate=rate).fit(clean).corrupt(clean)
        masks[rate] = result.record.X_mask.any(axis=1)
        assert result.record.n_corrupted == int(rate * result.record.n_matched + 0.5 + 1e-9)
        untouched = ~np.asarray(result.record.X_mask)[:, 1]
        assert (result.X["income"][untouched] == clean["income"][untouched]).all()
    assert not (masks[0.1] & ~masks[0.2]).any()
    assert not (masks[0.2] & ~masks[0.4]).any()
    always = error.set_params(rate=None, when="always")
    whole = always.fit_transform(clean)
    parts = pd.concat([always.transform(clean.iloc[:500]), always.transform(clean.iloc[500:])])
    pd.testing.assert_frame_equal(whole, parts)
    read = BaseCorruption.from_dict(json.loads(json.dumps(error.to_dict())))
    assert read.get_params() == error.get_params()


def test_made_errors_pass_the_check_of_corruptions():
    clean = people(60).drop(columns="seen")
    dirty = clean.assign(city=clean["city"].mask(np.arange(60) % 4 == 0, "?"))
    dirty.loc[::3, "income"] *= 100
    error = dict(learn_errors(dirty, clean).corruption.corruptions)["cells"]
    error.set_params(columns="income", random_state=0)
    check_corruption(error, X=clean)
    check_corruption(error.set_params(when="always"), X=clean)
    with pytest.raises(ValueError, match="no errors were seen in 'age'"):
        error.set_params(columns=["age"]).fit(clean)


def test_rows_are_matched_by_what_they_have():
    clean = people(300)
    rng = np.random.default_rng(8)
    dirty = CorruptScale("income", rate=0.3, random_state=0).fit(clean).corrupt(clean).X
    order = rng.permutation(300)
    by_index = dirty.iloc[order]
    by_content = by_index.reset_index(drop=True).drop(index=range(20))
    by_content = pd.concat([by_content, by_content.iloc[:7]], ignore_index=True)
    kept = by_index.iloc[20:]
    for table, how in ((by_index, "index"), (by_content, "content"), (dirty, "place")):
        learned = learn_errors(table, clean)
        report = learned.report.set_index("kind")
        struck = (clean["income"] != dirty["income"]).loc[kept.index if how == "content" else order]
        assert learned.matched_by == how
        assert report.loc["scale", "n_cells"] == struck.sum()
        if how == "content":
            assert report.loc["selection", "n_cells"] == 20
            assert report.loc["duplicates", "n_cells"] == 7


def test_what_was_learned_is_read_again():
    clean = people()
    dirty = CorruptMissing("income", pattern="age <= 40", rate=0.5, random_state=0).fit(clean)
    learned = learn_errors(dirty.corrupt(clean).X, clean)
    again = LearnedErrors.from_dict(json.loads(json.dumps(learned.to_dict())))
    assert str(again) == str(learned)
    pd.testing.assert_frame_equal(again.report, learned.report)
    assert again.corruption.to_dict() == learned.corruption.to_dict()
    with pytest.raises(ValueError, match="n_rows is missing"):
        LearnedErrors.from_dict({k: v for k, v in learned.to_dict().items() if k != "n_rows"})


def test_bounds_for_a_search():
    clean = people()
    dirty = CorruptMissing("income", pattern="age <= 40", rate=0.5, random_state=0).fit(clean)
    learned = learn_errors(dirty.corrupt(clean).X, clean)
    template = learned.template("income")
    assert isinstance(template, CorruptMissing)
    assert (template.columns, template.rate) == ("income", None)
    assert "age" in template.pattern.columns
    assert repr(learned.template()) == "CorruptMissing(columns='income')"
    space = learned.search_space()
    assert isinstance(space, SearchSpace)
    assert (space.corrupt_columns, space.pattern_columns) == (None, {"income": ["age"]})
    assert learned.search_space("income").corrupt_columns == ["income"]
    share = learned.report.loc[0, "n_cells"] / N
    assert learned.budget(2) == pytest.approx(2 * share)
    with pytest.raises(KeyError, match="name='city' should be a column in which errors were seen"):
        learned.template("city")
    with pytest.raises(ValueError, match="factor='income' should be a number above 0"):
        learned.budget("income")


def test_rules_in_place_of_a_clean_table():
    X = people().assign(code=lambda X: X["city"].str[:2], row=np.arange(N))
    X.loc[X["sex"].eq("f") & (X.index % 3 == 0), "age"] = -1
    X.loc[X["city"].eq("Rome") & (X.index % 9 == 0), "code"] = "??"
    X = pd.concat([X, X.iloc[:25]], ignore_index=True)
    learned = learn_errors(X, rules=["age >= 0", "city -> code", "key(row)"])
    report = learned.report.set_index("column")
    assert learned.matched_by == "rules"
    assert report.loc["age", "n_cells"] == (X["age"] < 0).sum()
    assert report.loc["age", "pattern"] == Pattern({"sex": "f"})
    assert report.loc["code", "n_cells"] == (X["code"] == "??").sum()
    assert report.loc["code", "kind"] == "unexplained"
    assert learned.report.query("kind == 'duplicates'")["n_cells"].tolist() == [25]
    clean = people(seed=9).assign(code="xx", row=np.arange(N))
    made = learned.corruption.set_params(random_state=0).fit_resample(clean, None)[0]
    assert set(made["age"]) - set(clean["age"]) == {-1}
    assert (made["sex"][made["age"] < 0] == "f").all()


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("age", "is no comparison"),
        ("age >= 'x'", "words are compared by"),
        ("median(age)", r"the only function is key\(columns\)"),
        ("if age >= 3", "its words are not in their order"),
        ("height >= 3", "height"),
        ("age >=", "cannot be read"),
        ("body height >= 3", r"write 'body height' in backticks, `body height`"),
        ("key(age, sex, age)", "names 'age' twice"),
        (f"key({'age, ' * 20_000}sex)", "names 'age' twice"),
        (f"{'age, ' * 20_000}sex -> city", "names 'age' twice"),
        ("city -> age, age", "names 'age' twice"),
    ],
)
def test_rules_that_cannot_be_read(rule, why):
    with pytest.raises(ValueError, match=why):
        learn_errors(people(50).assign(**{"body height": 2.0}), rules=[rule])


def test_what_is_refused():
    clean = people(50)
    with pytest.raises(ValueError, match="got neither of clean and rules"):
        learn_errors(clean)
    with pytest.raises(ValueError, match="got both of clean and rules"):
        learn_errors(clean, clean, rules=["age >= 0"])
    with pytest.raises(ValueError, match="dirty and clean do not differ"):
        learn_errors(clean, clean)
    with pytest.raises(ValueError, match="have no column in common"):
        learn_errors(clean, clean.rename(columns=str.upper))
    with pytest.raises(ValueError, match="key='sex' does not tell the rows of clean apart"):
        learn_errors(clean, clean, key="sex")
    with pytest.raises(ValueError, match=r"clean apart: 4 is there more than once"):
        learn_errors(pd.DataFrame({"id": [4, 5]}), pd.DataFrame({"id": [4, 4]}), key="id")
    with pytest.raises(ValueError, match="key='x': 'x' is no column of both tables"):
        learn_errors(clean, clean, key="x")
    with pytest.raises(ValueError, match="dirty_y is given without y"):
        learn_errors(clean, clean, dirty_y=np.zeros(50))
    with pytest.raises(ValueError, match="dirty keeps all rules"):
        learn_errors(clean, rules=["age >= 0"])


def two_columns(rng, n=1000):
    return pd.DataFrame({"a": rng.integers(0, 50, n), "b": rng.choice(list("xy"), n)})


def test_tables_of_few_columns_stay_in_their_order():
    rng = np.random.default_rng(0)
    clean = two_columns(rng)
    wrong = rng.random(len(clean)) < 0.3
    learned = learn_errors(clean.assign(a=clean["a"] + wrong), clean)
    assert learned.matched_by == "place"
    assert learned.report[["column", "kind", "n_cells"]].values.tolist() == [
        ["a", "scale", int(wrong.sum())]
    ]


def test_index_labels_that_were_given_anew_say_nothing():
    rng = np.random.default_rng(0)
    whole = two_columns(rng).assign(c=rng.normal(size=1000))
    clean = whole[whole["c"] > -0.5]
    dirty = clean.reset_index(drop=True)
    dirty.loc[:20, "c"] = np.nan
    learned = learn_errors(dirty, clean)
    assert learned.matched_by == "place"
    assert learned.report[["column", "kind", "n_cells"]].values.tolist() == [["c", "missing", 21]]


def test_a_row_that_slipped_in_does_not_make_all_others_wrong():
    rng = np.random.default_rng(0)
    clean = two_columns(rng).assign(c=rng.normal(size=1000))
    dirty = pd.concat([clean[:600], clean[3:4], clean[600:-1]], ignore_index=True)
    learned = learn_errors(dirty, clean)
    assert learned.matched_by == "content"
    assert set(learned.report["kind"]) <= {"selection", "duplicates"}


def test_errors_that_fit_some_rows_are_given_to_as_many_as_were_seen():
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, 1000), unit="D")
    clean = pd.DataFrame({"d": days, "x": 0.0})
    dirty = CorruptDates("d", rate=1.0).fit_transform(clean)
    error = learn_errors(dirty, clean).corruption.corruptions[0][1]
    struck = []
    for rate, expected in ((None, int((dirty["d"] != clean["d"]).sum())), (0.2, 200), (0.1, 100)):
        made = error.set_params(rate=rate, random_state=0).fit_transform(clean)
        struck.append(set(np.flatnonzero(made["d"] != clean["d"])))
        assert len(struck[-1]) == expected
    assert struck[2] < struck[1] < struck[0]


@pytest.mark.parametrize("label", ["UNKNOWN", None])
def test_labels_that_became_something_else_become_it_again(label):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=1000)})
    y = pd.Series(np.where(X["x"] > 0, "yes", "no"))
    learned = learn_errors(X, X, y=y, dirty_y=y.mask(rng.random(1000) < 0.3, label))
    made = pd.Series(learned.corruption.fit_resample(X, y)[1])
    others = made[~made.isin(["yes", "no"])]
    assert 0.25 < len(others) / 1000 < 0.35
    assert (others.isna() if label is None else others == label).all()


def test_labels_that_cannot_be_made_wrong_again_are_left_out_with_a_word():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=500)})
    y = pd.Series(rng.normal(size=500))
    wrong = y.where(rng.random(500) < 0.3, y.clip(upper=0.5))
    with pytest.warns(UserWarning, match="cannot be made again"):
        learned = learn_errors(X, X, y=y, dirty_y=wrong)
    assert learned.corruption is None and learned.report["kind"].tolist() == ["labels"]


def test_long_keys_are_compared_digit_by_digit():
    clean = pd.DataFrame({"key": 2**60 + np.arange(300), "x": 0})
    dirty = clean.copy()
    dirty.loc[::3, "key"] += 1
    assert learn_errors(dirty, clean).report["n_cells"].tolist() == [100]


def test_columns_of_lists_are_refused_by_name():
    clean = pd.DataFrame({"a": range(40), "q": [[i] for i in range(40)]})
    dirty = clean.assign(a=clean["a"].where(clean["a"] > 10, 99))
    with pytest.raises(ValueError, match="'q' holds unhashable values such as lists"):
        learn_errors(dirty, clean)


def test_exchanged_columns_and_dates_as_defaults_can_be_searched_for():
    rng = np.random.default_rng(0)
    clean = pd.DataFrame(
        {
            "first": rng.choice(["Ann", "Bo"], 500),
            "last": rng.choice(["Dee", "Eli"], 500),
            "since": pd.date_range("2020", periods=500),
        }
    )
    dirty = clean.copy()
    wrong = rng.random(500) < 0.3
    dirty.loc[wrong, ["first", "last"]] = clean.loc[wrong, ["last", "first"]].to_numpy()
    dirty.loc[~wrong, "since"] = pd.Timestamp("1900-01-01")
    templates = learn_errors(dirty, clean).template()
    assert [type(each).__name__ for each in templates] == ["CorruptSentinel", "CorruptExchange"]
    made = templates[0].set_params(rate=1.0).fit_transform(clean)
    assert (made["since"] == pd.Timestamp("1900-01-01")).all()
    made = templates[1].set_params(rate=1.0).fit_transform(clean)
    assert (made["first"] == clean["last"]).all()


BARE = str.maketrans("éèüçñÖ", "eeucnO")
TOWNS = ["Orléans", "Genève", "Zürich", "Besançon", "Logroño", "Özd", "Oslo", "Rome"]


@pytest.mark.parametrize("n_letters", ["all", "one"])
def test_accents_that_are_lost(n_letters):
    rng = np.random.default_rng(0)
    towns = [f"{a} {b}" for a in TOWNS for b in TOWNS]
    clean = pd.DataFrame({"town": rng.choice(towns, N), "x": rng.normal(size=N).round(3)})
    bare = clean["town"].str.translate(BARE)
    if n_letters == "one":
        # the first of them only
        bare = clean["town"].map(
            lambda t: re.sub("[éèüçñÖ]", lambda m: m[0].translate(BARE), t, count=1)
        )
    able = bare != clean["town"]
    struck = able & (rng.random(N) < 0.4)
    dirty = clean.assign(town=clean["town"].where(~struck, bare))
    learned = learn_errors(dirty, clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["parameters"]["kind"]) == ("text", "accent")
    assert row["parameters"]["how"] == {"all": "all", "one": "anywhere"}[n_letters]
    if n_letters == "all":
        # Oslo and Rome have none to lose
        assert row["rate"] == pytest.approx(struck.sum() / able.sum())
        made = learned.corruption.set_params(random_state=0).fit_resample(clean, None)[0]["town"]
        wrong = made != clean["town"]
        assert abs(wrong.sum() - struck.sum()) <= 3
        assert (made[wrong] == bare[wrong]).all()
    assert repr(learned.template("town").set_params(pattern=None)) == (
        "CorruptText(columns='town', kind='accent')"
    )


@pytest.mark.parametrize(
    ("direction", "change"),
    [("nearest", lambda x: np.floor(x / 5 + 0.5)), ("down", lambda x: x // 5), ("up", np.ceil)],
)
def test_the_direction_of_rounding_is_kept(direction, change):
    clean = people()[["age", "income"]].assign(age=lambda X: X["age"] + 0.25)
    to = change(clean["age"] / 5) * 5 if direction == "up" else change(clean["age"]) * 5
    struck = np.random.default_rng(3).random(N) < 0.4
    learned = learn_errors(clean.assign(age=clean["age"].where(~struck, to)), clean)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["parameters"]["step"]) == ("rounding", 5)
    template = learned.template("age")
    assert template.direction == direction
    again = template.set_params(rate=1.0).fit(clean).corrupt(clean).X["age"]
    assert (again == to).all()
    made = learned.corruption.set_params(random_state=0).fit_resample(clean, None)[0]["age"]
    wrong = made != clean["age"]
    assert (made[wrong] == to[wrong]).all()
    assert abs(wrong.sum() - struck.sum()) <= 3


def test_a_number_in_a_rule_is_no_name_that_lacks_backticks():
    with pytest.raises(ValueError, match="cannot be read") as raised:
        learn_errors(people(50).rename(columns={"age": "3"}), rules=["sex >= 3 and"])
    assert "in backticks, `3`" not in str(raised.value)


@pytest.mark.parametrize("container", ["pandas", "polars"])
@pytest.mark.parametrize("column", ["time", "zoned", "length", "truth"])
@pytest.mark.parametrize("kind", ["lost", "default"])
def test_times_and_truth_values_that_went_wrong_keep_their_type(container, column, kind):
    rng = np.random.default_rng(0)
    hours = pd.to_timedelta(rng.integers(1, 900, 300), "h").astype("timedelta64[us]")
    clean = pd.DataFrame(
        {
            "number": np.arange(300),
            "time": pd.Timestamp("2021-03-01").as_unit("us") + hours,
            "zoned": pd.Timestamp("2021-03-01", tz="Europe/Berlin").as_unit("us") + hours,
            "length": hours,
            "truth": rng.integers(0, 2, 300).astype(bool),
        }
    )
    wrong = rng.uniform(size=300) < 0.3
    default = clean[column].iloc[0] if kind == "default" else None
    if kind == "default" and column == "truth":
        # beside gaps, truth values are objects
        dirty = clean[column].where(~wrong, ~clean[column]).astype(object)
        dirty[rng.uniform(size=300) < 0.1] = None
    else:
        dirty = clean[column].where(~wrong, default)
    dirty = clean.assign(**{column: dirty})
    if container == "polars":
        polars = pytest.importorskip("polars")
        clean, dirty = polars.from_pandas(clean), polars.from_pandas(dirty)
    learned = learn_errors(dirty, clean, key="number")
    out, _ = learned.corruption.set_params(random_state=1).fit_resample(clean, None)
    if container == "polars":
        assert out[column].dtype == clean[column].dtype
        out, clean, dirty = out.to_pandas(), clean.to_pandas(), dirty.to_pandas()
    elif column != "truth":
        assert out[column].dtype == clean[column].dtype
    assert set(map(type, out[column].dropna())) == set(map(type, clean[column]))
    assert out[column].isna().sum() == pytest.approx(dirty[column].isna().sum(), abs=12)
    different = [(each[column] != clean[column]) & each[column].notna() for each in (out, dirty)]
    assert different[0].sum() == pytest.approx(different[1].sum(), abs=12)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("factor", "offset"), [(5 / 9, -160 / 9), (1.8, 32), (1 / 2.54, 0), (10, 0), (3, -7)]
)
@pytest.mark.parametrize("decimals", [1, 2, None])
def test_units_of_factors_without_end_and_of_single_precision(dtype, factor, offset, decimals):
    rng = np.random.default_rng(0)
    values = rng.normal(70, 20, 800)
    values = values if decimals is None else values.round(decimals)
    clean = pd.DataFrame({"number": np.arange(800), "x": values.astype(dtype)})
    wrong = rng.uniform(size=800) < 0.2
    moved = clean["x"] * np.dtype(dtype).type(factor) + np.dtype(dtype).type(offset)
    dirty = clean.assign(x=clean["x"].where(~wrong, moved))
    report = learn_errors(dirty, clean, key="number").report
    assert report["kind"].tolist() == ["scale"]
    assert report["rate"].item() == pytest.approx(wrong.mean(), abs=1e-4)
    found = report["parameters"].item()
    close = 1e-6 if dtype == "float64" else 1e-5
    assert found["factor"] == pytest.approx(factor, rel=close)
    assert found.get("offset", 0) == pytest.approx(offset, rel=close, abs=1e-9)


def test_labels_that_can_go_wrong_are_told_from_all():
    rng = np.random.default_rng(0)
    clean = pd.DataFrame({"number": np.arange(900), "half": rng.choice(["N", "S"], 900)})
    y = rng.choice(["a", "b", "c"], 900)
    wrong = (y == "a") & (clean["half"] == "S").to_numpy() & (rng.uniform(size=900) < 0.4)
    learned = learn_errors(clean, clean, key="number", y=y, dirty_y=np.where(wrong, "b", y))
    of_able, of_all = 100 * wrong[y == "a"].mean(), 100 * wrong.mean()
    told = f"labels: {of_able:.1f} % of rows that it can happen to ({of_all:.1f} % of all); "
    assert str(learned).startswith(told)
