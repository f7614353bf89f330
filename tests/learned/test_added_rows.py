"""Rows that are there more than once: how near, with which labels, how often."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt import CorruptDuplicates
from skcorrupt.learned import LearnedErrors, learn_errors

N = 800


def people(seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "id": np.arange(N),
            "age": rng.integers(18, 80, N).astype(float),
            "height": rng.normal(170, 9, N).round(3),
            "income": rng.normal(40_000, 9_000, N).round(1),
            "city": rng.choice(["Paris", "Rome", "Oslo"], N),
        }
    )
    return X, np.where(rng.random(N) < 0.4, "yes", "no")


def copies(X, rows, jitter, seed=1):
    """Copies with noise of their own making."""
    rng = np.random.default_rng(seed)
    made = X.iloc[rows].copy()
    for name in ("age", "height", "income"):
        made[name] += rng.normal(size=len(rows)) * jitter * X[name].std(ddof=0)
    return made


def added(learned):
    report = learned.report
    return report[report["kind"] == "duplicates"].to_dict("records")


@pytest.mark.parametrize(
    ("jitter", "key"), [(0.0, "id"), (0.01, "id"), (0.1, "id"), (0.0, None), (0.01, None)]
)
def test_small_differences_are_learned_and_made(jitter, key):
    X, _ = people()
    X = X if key else X.drop(columns="id")
    rows = np.flatnonzero(np.random.default_rng(3).random(N) < 0.2)
    dirty = pd.concat([X, copies(X, rows, jitter)], ignore_index=True)
    learned = LearnedErrors.from_dict(learn_errors(dirty, X, key=key).to_dict())
    [row] = added(learned)
    assert len(learned.report) == 1
    assert row["n_cells"] == len(rows)
    # the median of 3 * 160 normal values is within a sixth of theirs
    assert row["parameters"].get("jitter", 0.0) == pytest.approx(jitter, rel=1 / 6)
    assert row["share_explained"] > 0.85
    template = learned.template("rows added")
    assert isinstance(template, CorruptDuplicates)
    assert template.jitter == row["parameters"].get("jitter", 0.0)
    fresh, _ = people(5)
    fresh = fresh if key else fresh.drop(columns="id")
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(fresh, None)
    assert len(made) - N == pytest.approx(row["rate"] * N, abs=1)
    off = made["height"].iloc[N:] - fresh["height"].loc[made.index[N:]]
    assert off.std() / fresh["height"].std() == pytest.approx(jitter, rel=0.25, abs=1e-9)


def test_whole_numbers_and_texts_tell_how_near_copies_are():
    X, _ = people()
    whole = X[["id"]].assign(score=(X["income"] / 100).round().astype(int))
    rows = np.arange(0, N, 4)
    noise = np.random.default_rng(0).normal(size=len(rows)) * 0.05 * whole["score"].std(ddof=0)
    near = whole.iloc[rows].assign(score=lambda t: (t["score"] + noise).round().astype(int))
    [row] = added(learn_errors(pd.concat([whole, near], ignore_index=True), whole, key="id"))
    assert row["parameters"]["jitter"] == pytest.approx(0.05, rel=1 / 6)
    names = X[["id", "city"]]
    near = names.iloc[rows].copy()
    near.iloc[: len(rows) // 4, 1] = "Paaris"
    [row] = added(learn_errors(pd.concat([names, near], ignore_index=True), names, key="id"))
    assert row["parameters"] == {"jitter": 0.25}


@pytest.mark.parametrize("part", [1.0, 0.5])
def test_wrong_labels_of_copies_are_learned_and_made(part):
    X, y = people()
    rows = np.flatnonzero(y == "yes")[:200]
    wrong = np.arange(len(rows)) < part * len(rows)
    labels = np.where(wrong, "no", y[rows])
    dirty = pd.concat([X, X.iloc[rows]], ignore_index=True)
    learned = learn_errors(dirty, X, key="id", y=y, dirty_y=np.concatenate([y, labels]))
    found = {bool(row["parameters"].get("wrong_labels")): row["n_cells"] for row in added(learned)}
    expected = {True: int(wrong.sum())} | ({False: int((~wrong).sum())} if part < 1 else {})
    assert found == expected
    made, y_made = learned.corruption.set_params(random_state=0).fit_resample(X, y)
    other = y_made[N:] != y[made.index[N:]]
    assert other.sum() == pytest.approx(wrong.sum(), abs=2)
    assert len(made) - N == pytest.approx(len(rows), rel=0.2)
    names = [name for name, _ in learned.corruption.corruptions]
    assert "rows added with wrong labels" in names


def test_labels_that_are_numbers_are_not_wrong_classes():
    X, _ = people()
    y = X["income"].to_numpy() / 7
    dirty = pd.concat([X, X.iloc[:50]], ignore_index=True)
    learned = learn_errors(dirty, X, key="id", y=y, dirty_y=np.concatenate([y, y[:50] + 1.5]))
    assert [row["parameters"] for row in added(learned)] == [{}]


def test_how_many_copies_a_row_has_is_told():
    X, _ = people()
    rows = np.repeat(np.arange(0, N, 10), 3)
    learned = learn_errors(pd.concat([X, X.iloc[rows]], ignore_index=True), X, key="id")
    [row] = added(learned)
    assert row["parameters"] == {"copies": 3.0}
    assert row["rate"] == pytest.approx(0.1)
    assert "rows added (copies 3.0)" in str(learned)


def test_the_copy_is_the_row_that_is_less_like_the_right_one():
    X, _ = people()
    rows = np.arange(0, N, 5)
    # copies come before their rows
    dirty = pd.concat([copies(X, rows, 0.05), X], ignore_index=True)
    assert learn_errors(dirty, X, key="id").report["kind"].tolist() == ["duplicates"]


def test_rows_of_somebody_else_are_no_copies():
    X, _ = people()
    X = X.drop(columns="id")
    strange = people(11)[0].drop(columns="id").iloc[:80]
    [row] = added(learn_errors(pd.concat([X, strange], ignore_index=True), X))
    assert row["share_explained"] < 0.3
    assert row["n_cells"] == 80


def shops(seed=0, n=3000):
    """Few values in most columns, so that rows have much in common with others."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "weight": rng.normal(70, 9, n).round(1),
            "gain": np.where(rng.random(n) < 0.9, 0, rng.integers(100, 90_000, n)),
            "years": rng.integers(1, 17, n),
            "hours": rng.choice([20, 40, 40, 40, 60], n),
        }
        | {f"word{i}": rng.choice(["red", "green", "blue", "grey"], n) for i in range(5)}
    )
    return X, rng.choice(["yes", "no"], n)


@pytest.mark.parametrize("wrong_labels", [False, True])
@pytest.mark.parametrize("jitter", [0.0, 0.1])
def test_copies_without_a_key_are_of_the_nearest_row(jitter, wrong_labels):
    X, y = shops()
    error = CorruptDuplicates(
        jitter=jitter, wrong_labels=wrong_labels, pattern="age <= 35", rate=0.5, random_state=0
    )
    result = error.fit(X, y).corrupt(X, y)
    dirty = result.X.reset_index(drop=True)
    learned = learn_errors(dirty, X, y=y, dirty_y=result.y)
    row = max(added(learned), key=lambda each: each["n_cells"])
    assert row["n_cells"] >= 0.99 * (len(dirty) - len(X))
    assert bool(row["parameters"].get("wrong_labels")) == wrong_labels
    assert row["parameters"].get("jitter", 0.0) == pytest.approx(jitter, rel=0.1)
    inside = X["age"] <= 35
    found = row["pattern"].mask(X)
    assert (found & inside).sum() >= 0.9 * (found | inside).sum()
    assert row["rate_inside_low"] <= 0.5 <= row["rate_inside_high"] + 0.02
    made = learned.corruption.set_params(random_state=0).fit_resample(X, y)[0].iloc[len(X) :]
    # copies are off by a year or two at the limit of the pattern
    assert (X.loc[made.index, "age"] <= 35).mean() > 0.98


def test_copies_of_equal_rows_are_of_one_each_and_their_labels_say_nothing():
    X = pd.DataFrame({"size": np.repeat(np.arange(40.0), 5), "town": ["Graz", "Linz"] * 100})
    y = np.array(["yes", "no"] * 100)[np.random.default_rng(0).permutation(200)]
    learned = learn_errors(pd.concat([X, X], ignore_index=True), X, y=y, dirty_y=np.r_[y, y[::-1]])
    kinds = added(learned)
    assert [row["parameters"] for row in kinds] == [{}]
    assert kinds[0]["rate"] == 1.0


def test_small_differences_of_small_whole_numbers_are_not_missed():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": np.arange(N), "grade": rng.integers(1, 6, N)})
    X["level"], X["age"] = rng.integers(0, 3, N), rng.integers(18, 80, N)
    error = CorruptDuplicates(jitter=0.1, rate=0.5, random_state=0)
    dirty = error.fit(X.drop(columns="id")).corrupt(X.drop(columns="id"))
    dirty = dirty.X.assign(id=dirty.record.sample_indices)
    [row] = added(learn_errors(dirty, X, key="id"))
    assert row["parameters"]["jitter"] == pytest.approx(0.1, rel=0.15)


def test_rows_of_nobody_are_counted_not_told_as_a_share():
    rng = np.random.default_rng(0)
    clean = pd.DataFrame({"id": np.arange(200), "a": rng.normal(size=200).round(3)})
    new = pd.DataFrame({"id": np.arange(900, 930), "a": rng.normal(size=30).round(3)})
    only_new = learn_errors(pd.concat([clean, new]), clean, key="id")
    assert "rows added: 30, none of them a copy of a row" in str(only_new)
    both = learn_errors(pd.concat([clean, new, clean.iloc[:20]]), clean, key="id")
    assert "rows added: 50, of which 20 are copies, of 10.0 % of rows" in str(both)
    copies = learn_errors(pd.concat([clean, clean.iloc[:20]]), clean, key="id")
    assert "rows added: 10.0 % of rows" in str(copies)
