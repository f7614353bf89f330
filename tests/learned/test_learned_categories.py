"""Values of a column in another's place, defaults, and texts that changed by a rule."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptCategories, CorruptText
from skcorrupt.learned import LearnedErrors, learn_errors
from skcorrupt.learned._in_words import kind_in_words

N = 3000


def towns(values=("Graz", "Bad Ischl", "Linz"), shares=(0.5, 0.25, 0.25), seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"town": rng.choice(values, N, p=shares), "size": rng.normal(size=N).round(3)}
    )


def struck(seed=1):
    return np.random.default_rng(seed).uniform(size=N) < 0.3


def only(learned):
    assert len(learned.report) == 1
    return learned.report.iloc[0]


@pytest.mark.parametrize("seed", range(5))
def test_each_value_that_becomes_one_other_is_no_default(seed):
    clean = towns(seed=seed)
    other = {"Graz": "Bad Ischl", "Bad Ischl": "Linz", "Linz": "Bad Ischl"}
    dirty = clean.assign(town=clean["town"].mask(struck(seed + 100), clean["town"].map(other)))
    row = only(learn_errors(dirty, clean))
    assert row["kind"] == "categories"
    assert row["pattern"] is None
    assert row["mechanism"] is None
    assert row["rate_inside_low"] <= struck(seed + 100).mean() <= row["rate_inside_high"]


def test_one_value_that_mostly_becomes_a_certain_other_is_no_default():
    clean = towns(("a", "b", "c", "d"), (0.85, 0.09, 0.04, 0.02))
    hit = struck() & (clean["town"] == "a").to_numpy()
    new = np.random.default_rng(2).choice(["b", "c"], N, p=[0.9, 0.1])
    row = only(learn_errors(clean.assign(town=clean["town"].mask(hit, new)), clean))
    assert row["kind"] == "categories"
    # what it becomes is told of this value only, so that it is no place of its own
    assert row["pattern"] is None
    assert row["rate"] == pytest.approx(struck()[clean["town"] == "a"].mean())


@pytest.mark.parametrize("value", ["Graz", "Linz"])
def test_all_values_that_become_one_of_them_are_a_default(value):
    clean = towns()
    row = only(learn_errors(clean.assign(town=clean["town"].mask(struck(), value)), clean))
    assert (row["kind"], row["parameters"]["value"]) == ("sentinel", value)
    assert row["pattern"] is None


def test_what_a_value_becomes_is_made_again():
    clean = towns()
    other = {"Graz": "Bad Ischl", "Bad Ischl": "Linz", "Linz": "Bad Ischl"}
    dirty = clean.assign(town=clean["town"].mask(struck(), clean["town"].map(other)))
    corruption = learn_errors(dirty, clean).corruption.set_params(random_state=0)
    made, _ = corruption.fit_resample(clean, None)
    changed = made["town"] != clean["town"]
    assert changed.mean() == pytest.approx(struck().mean(), abs=0.03)
    assert (made["town"] == clean["town"].map(other))[changed].all()


def test_a_search_swaps_by_what_each_value_became():
    clean = towns()
    hit = struck() & (clean["town"] == "Graz").to_numpy()
    new = np.random.default_rng(2).choice(["Linz", "Bad Ischl"], N, p=[0.9, 0.1])
    learned = learn_errors(clean.assign(town=clean["town"].mask(hit, new)), clean)
    template = LearnedErrors.from_dict(learned.to_dict()).template("town")
    counts = pd.Series(new[hit]).value_counts()
    assert template.transition == {"Graz": counts.to_dict()}
    words = kind_in_words(only(learned))
    assert words.endswith("of the same column, most often “Linz” in place of “Graz”")


def test_a_search_swaps_for_any_other_where_values_do():
    clean = towns()
    error = CorruptCategories("town", rate=0.3, random_state=0)
    row = learn_errors(error.fit(clean).corrupt(clean).X, clean)
    assert row.template("town").transition is None


@pytest.mark.parametrize("kind", ["order", "accent", "ocr", "case", "whitespace", "abbreviate"])
def test_texts_of_few_values_that_changed_by_a_rule_are_no_defaults(kind):
    clean = towns(("No", "Bad Ischl", "Yes"))
    error = CorruptText("town", kind=kind, rate=0.4, random_state=0)
    dirty = error.fit(clean).corrupt(clean).X
    row = only(learn_errors(dirty, clean))
    assert (row["kind"], row["parameters"]["kind"]) == ("text", kind)
    # of the texts that can be changed so
    assert row["rate_inside_low"] <= 0.4 <= row["rate_inside_high"]
    assert row["pattern"] is None


def test_words_in_another_order_are_made_again():
    clean = towns(("Bad Ischl", "Sankt Veit", "Linz"))
    dirty = clean.assign(town=clean["town"].mask(struck(), "Ischl Bad"))
    dirty["town"] = dirty["town"].where(clean["town"] == "Bad Ischl", clean["town"])
    learned = learn_errors(dirty, clean)
    assert learned.template("town").kind == "order"
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(clean, None)
    assert set(made["town"]) - set(clean["town"]) <= {"Ischl Bad", "Veit Sankt"}
    assert (made["town"] == "Ischl Bad").any()


def confused(n=300, seed=0):
    """Rome became Bari or Kyiv and Oslo became Rome, only where people are young."""
    rng = np.random.default_rng(seed)
    towns = rng.choice(["Rome", "Oslo", "Bari", "Kyiv"], n)
    clean = pd.DataFrame({"town": towns, "age": rng.integers(18, 80, n)})
    hit = (clean["age"] < 45) & (rng.uniform(size=n) < 0.2)
    other = np.where(towns == "Rome", rng.choice(["Bari", "Kyiv"], n), "Rome")
    hit &= np.isin(towns, ["Rome", "Oslo"])
    return clean.assign(town=clean["town"].mask(hit, other)), clean


def test_what_never_went_wrong_and_values_that_were_not_seen_stay():
    learned = [learn_errors(*confused(seed=seed)) for seed in range(4)]
    rng = np.random.default_rng(9)
    new = pd.DataFrame(
        {
            "town": rng.choice(["Rome", "Oslo", "Bari", "Kyiv", "Milan"], N),
            "age": rng.integers(18, 80, N),
        }
    )
    for each in learned:
        assert only(each)["kind"] == "categories"
        seen = {(c, d) for c, ds in each.template("town").transition.items() for d in ds}
        made, _ = each.corruption.set_params(random_state=0).fit_resample(new, None)
        hit = made["town"] != new["town"]
        assert hit.any()
        assert set(zip(new["town"][hit], made["town"][hit], strict=True)) <= seen


def test_a_table_without_the_values_that_go_wrong_stays_with_a_warning():
    corruption = learn_errors(*confused()).corruption.set_params(random_state=0)
    new = pd.DataFrame({"town": ["Milan"] * 50, "age": [30] * 50})
    with pytest.warns(UserWarning, match="changed nothing in 50 rows"):
        made, _ = corruption.fit_resample(new, None)
    assert made["town"].tolist() == ["Milan"] * 50


@pytest.mark.parametrize("dtype", ["bool", "boolean", "int64"])
def test_truth_values_are_told_as_such(dtype):
    rng = np.random.default_rng(0)
    clean = pd.DataFrame({"ok": rng.random(300) < 0.5, "n": rng.normal(size=300)})
    dirty = clean.copy()
    dirty.loc[rng.choice(300, 22, replace=False), "ok"] ^= True
    dirty["ok"] = dirty["ok"].astype(dtype)
    row = learn_errors(dirty, clean).report.iloc[0]
    told = [*row["examples"], *(pair[:2] for pair in row["parameters"]["table"])]
    assert {type(value) for pair in told for value in pair} == {bool}
    assert {(clean, dirty) for clean, dirty, _ in row["parameters"]["table"]} == {
        (True, False),
        (False, True),
    }
