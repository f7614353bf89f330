"""The smallest set of checks: against brute force, with the search alone, written to files."""

import copy
import itertools
import os
import re
import subprocess
import sys
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptCategories,
    CorruptionProcess,
    CorruptMissing,
    CorruptScale,
    CorruptSentinel,
)
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.checks import (
    BaseCheck,
    Drift,
    KnownCategories,
    MissingShare,
    RowCount,
    SegmentShare,
    UniqueKeys,
    ValueRange,
)
from skcorrupt.robustness import CheckSuggestions, suggest_checks
from skcorrupt.robustness._answers import answers_to
from skcorrupt.robustness._suggest_checks import _smallest_cover

KINDS = ["missing", CorruptScale(factor=50.0), CorruptCategories(kind="unseen")]


@cache
def rows(n=3000, seed=0):
    """Two numbers and a category that labels depend on, and a date that they do not."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(3, 1, n),
            "b": rng.gamma(2, 1, n),
            "city": rng.choice(["Oslo", "no info", "Bonn"], n),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, n), "D"),
        }
    )
    signal = X["a"] - 3 + X["b"] - 2 + (X["city"] == "Oslo") * 2 - 0.6
    return X, np.where(signal + rng.normal(size=n) > 0, "yes", "no")


@cache
def fitted(kinds=None, **params):
    """A search over rows that are served."""
    X, y = rows()
    model = make_pipeline(
        make_column_transformer(
            (make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
            (OneHotEncoder(handle_unknown="ignore"), ["city"]),
        ),
        LogisticRegression(),
    ).fit(X, y)
    settings = {"apply_to": "test", "budget": 0.2, "confirm_size": None, "random_state": 0}
    space = SearchSpace(max_conditions=1, corrupt_columns=["a", "b", "city"])
    kinds = KINDS if kinds is None else list(kinds)
    return AdversarialCorruptionSearch(model, kinds, space=space, **settings, **params).fit(X, y)


@cache
def found():
    """Checks for it."""
    return suggest_checks(fitted(), batch_size=70, max_errors=4)


@pytest.mark.long
def test_what_is_told():
    result = found()
    assert isinstance(result, CheckSuggestions)
    assert len(result.checks_) == len(result.results_) >= 1
    assert all(isinstance(check, BaseCheck) for check in result.checks_)
    assert (result.results_["false_alarm"] == 0.01).all()
    # binomial: 7 of 100 at 1 % has a probability below 1e-4
    assert (result.results_["false_alarm_rate"] < 0.07).all()
    left = result.results_["undetected_damage"]
    assert left.is_monotonic_decreasing
    assert left.iloc[-1] == result.undetected_["damage"].max() or result.undetected_.empty
    assert result.errors_["damage"].is_monotonic_decreasing
    assert result.errors_["damage"].iloc[0] == pytest.approx(fitted().score_drop_)
    caught = result.errors_["caught_by"].notna()
    assert (result.errors_.loc[caught, "alarm_rate"] >= 0.8).all()
    assert (result.errors_.loc[~caught, "best_alarm_rate"] < 0.8).all()
    text = result.summary()
    assert all(name in text for name in result.results_["check"])
    assert f"caught {caught.sum()} of {len(caught)}" in text


@pytest.mark.long
def test_an_adversary_who_knows_the_checks():
    """Their best answer is that of a search with the checks, and passes these."""
    result, (X, y) = found(), rows()
    (answer,) = result.answers_.to_dict("records")
    again = copy.copy(fitted()).set_params(checks=result.checks_, random_state=fitted().seed_)
    again.fit(X, y)
    assert answer["damage"] == result.adaptive_damage_ == pytest.approx(again.score_drop_)
    assert 0 < answer["damage"] < result.errors_["damage"].iloc[0]
    assert answer["pattern"] == str(again.worst_pattern_)
    error, n_alarms = answer["corruption"].fit(X), 0
    for i in range(40):
        struck = error.set_params(random_state=i).corrupt(X.sample(70, random_state=i)).X
        n_alarms += not all(check.passes(struck) for check in result.checks_)
    # each of the checks may alarm in a tenth of the batches
    assert n_alarms <= 40 * 0.1 * len(result.checks_) + 8
    assert f"still takes {answer['damage']:.3f}, of" in result.summary()
    # the search that was given stays as it was
    assert fitted().checks == () and fitted().score_drop_ > answer["damage"]


@pytest.mark.long
@pytest.mark.usefixtures("few_fits")
def test_an_adversary_with_several_errors_at_once():
    X, y = (part[:120] for part in rows())
    process = CorruptionProcess([("lost", CorruptMissing("a")), ("wrong", CorruptScale("b"))])
    search = AdversarialCorruptionSearch(
        fitted().estimator, process, apply_to="test", budget=0.3, confirm_size=None,
        space=SearchSpace(max_conditions=1, n_bins=2, pattern_columns=["b"]), random_state=0,
        strategy=ExhaustiveSearch(),
    ).fit(X, y)  # fmt: skip
    result = copy.copy(found())
    result.answers_ = answers_to([RowCount(batch_size=20).fit(X)], [search])
    (answer,) = result.answers_.to_dict("records")
    assert answer["kind"].startswith("process(") and answer["damage"] == search.score_drop_ > 0
    assert np.isnan(answer["rate"]) and "nan" not in result.summary()
    assert f"where {answer['pattern']}." in result.summary()


@pytest.mark.long
def test_a_table_that_is_read_in_parts_has_a_reference_of_its_own():
    polars = pytest.importorskip("polars")
    X, y = rows()
    X = X.drop(columns="day")
    parts = polars.from_pandas(X.assign(y=y)).lazy()
    search = AdversarialCorruptionSearch(
        fitted().estimator, CorruptScale("b", factor=50.0), apply_to="test", confirm_size=None,
        space=SearchSpace(max_conditions=1, n_bins=2), random_state=0,
    ).fit(parts, "y")  # fmt: skip
    with pytest.raises(ValueError, match=r"read in parts.*pass X_reference, a sample"):
        suggest_checks(search)
    result = suggest_checks(search, X, y, batch_size=70, max_errors=1)
    assert result.checks_ and result.answers_.empty


def test_what_cannot_be_repeated_has_no_answer():
    alone = suggest_checks(fitted(), batch_size=70, max_errors=1, adaptive=False)
    dropped = copy.copy(fitted()).drop_data()
    without = suggest_checks(dropped, rows()[0], batch_size=70, max_errors=1)
    for each in (alone, without):
        assert each.answers_.empty and np.isnan(each.adaptive_damage_)
        assert "adversary" not in each.summary()


@pytest.mark.long
def test_checks_are_ready_and_notice_the_error():
    result, X = found(), rows(seed=5)[0]
    alarms = []
    for i in range(20):
        batch = X.sample(70, random_state=i)
        error = fitted().worst_corruption_.fit(X)
        struck = error.set_params(random_state=i).corrupt(batch).X
        alarms.append(any(not check.passes(struck) for check in result.checks_))
        assert all(check.n_reference_ == 3000 for check in result.checks_)
    assert np.mean(alarms) >= 0.5


@pytest.mark.parametrize("seed", range(12))
def test_the_smallest_set_is_that_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    shares = rng.random((rng.integers(1, 9), rng.integers(1, 9)))
    caught = shares > 0.6
    chosen = _smallest_cover(caught, shares, rng.random(shares.shape[1]) / 100)
    can = caught.any(axis=1)
    assert caught[:, chosen].any(axis=1).tolist() == can.tolist()
    fewest = next(
        size
        for size in range(caught.shape[1] + 1)
        for some in itertools.combinations(range(caught.shape[1]), size)
        if np.array_equal(caught[:, list(some)].any(axis=1), can)
    )
    assert len(chosen) == fewest


def test_the_same_again_and_nothing_changed():
    X, _ = rows()
    before, state = X.copy(), np.random.get_state()[1].copy()  # noqa: NPY002
    one, two = (
        suggest_checks(fitted(), batch_size=70, max_errors=2, adaptive=False) for _ in range(2)
    )
    pd.testing.assert_frame_equal(one.results_, two.results_)
    pd.testing.assert_frame_equal(X, before)
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002


def test_several_searches_and_a_reference():
    X, _ = rows(seed=3)
    other = fitted((CorruptSentinel(),))
    result = suggest_checks([fitted(), other], X, batch_size=70, max_errors=6, adaptive=False)
    assert {"missing", "sentinel"} <= set(result.errors_["kind"])
    assert len(suggest_checks(other, X, batch_size=70, max_errors=1, adaptive=False).errors_) == 1


def mirrored(*errors, budget=0.2):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(10, 2, 4000)})
    y = (X["a"] - 10 + rng.normal(size=4000) > 0).astype(int)
    return AdversarialCorruptionSearch(
        LogisticRegression().fit(X, y),
        list(errors) if len(errors) > 1 else errors[0],
        budget=budget,
        apply_to="test",
        confirm_size=None,
        space=SearchSpace(max_conditions=0),
        random_state=0,
    ).fit(X, y)


LOUD, QUIET = CorruptScale(factor=1000.0), CorruptScale(factor=-1.0, offset=20.0)


def test_errors_of_one_kind_from_several_searches_are_several():
    alone = suggest_checks(mirrored(QUIET, budget=0.09), batch_size=100, adaptive=False)
    assert not len(alone.results_)
    searches = mirrored(LOUD), mirrored(QUIET, budget=0.09)
    for given, names in ((searches, ["scale", "scale-2"]), (searches[::-1], ["scale-2", "scale"])):
        found = suggest_checks(given, batch_size=100, adaptive=False)
        assert found.errors_["kind"].tolist() == names
        assert [isinstance(by, str) for by in found.errors_["caught_by"]] == [True, False]
        left = alone.errors_["damage"].max()
        assert found.results_["undetected_damage"].tolist() == [pytest.approx(left)]
        assert "1 of 2" in found.summary()
    both = suggest_checks(mirrored(LOUD, QUIET, budget=0.09), batch_size=100, adaptive=False)
    assert sorted(both.errors_["kind"]) == ["scale", "scale-2"]


class Overflowing(LogisticRegression):
    """A model that does not take large values of its last column."""

    def predict(self, X):
        if np.abs(np.asarray(X)[:, -1]).max() > 1000:
            raise ValueError("too large")
        return super().predict(X)


@pytest.mark.filterwarnings(
    "ignore:The fitted model cannot predict rows", "ignore:The pipeline failed"
)
def test_what_breaks_a_model_is_told_by_the_names_of_all_kinds():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(10, 2, (1000, 2)), columns=["a", "b"])
    y = (X["a"] + X["b"] > 20).astype(int)
    given = {"apply_to": "test", "confirm_size": None, "space": SearchSpace(max_conditions=0)}
    small = AdversarialCorruptionSearch(
        LogisticRegression().fit(X, y), CorruptScale(factor=2.0), random_state=0, **given
    ).fit(X, y)
    large = AdversarialCorruptionSearch(
        Overflowing().fit(X, y),
        [CorruptScale(factor=1e6), CorruptScale(factor=2.0)],
        random_state=1,
        **given,
    ).fit(X, y)
    found = suggest_checks([small, large], batch_size=25, adaptive=False)
    assert set(found.errors_["kind"]) == {"scale", "scale-2"}
    assert found.broken_by_ == ["`b` (scale-2)"]


def test_one_error_in_fewer_rows_is_another():
    error = CorruptScale(factor=1.5)
    searches = [mirrored(error, budget=budget) for budget in (0.9, 0.02)]
    found = suggest_checks(searches, batch_size=100, adaptive=False)
    assert found.errors_["kind"].tolist() == ["scale", "scale"]
    assert found.errors_["rate"].is_monotonic_decreasing
    # the same searches again say nothing new
    again = suggest_checks([*searches, *searches], batch_size=100, adaptive=False)
    pd.testing.assert_frame_equal(
        again.errors_.drop(columns="corruption"), found.errors_.drop(columns="corruption")
    )


def test_arrays_have_no_names():
    X, y = rows()
    numbers = X[["a", "b"]].to_numpy()
    search = AdversarialCorruptionSearch(
        LogisticRegression().fit(numbers, y),
        CorruptScale(factor=50.0),
        apply_to="test",
        space=SearchSpace(max_conditions=1),
        confirm_size=None,
        random_state=0,
    ).fit(numbers, y)
    result = suggest_checks(search, adaptive=False)
    assert result.checks_[0].batch_size == 75
    with pytest.raises(ValueError, match=r"the reference has none.*DataFrame"):
        result.to_pytest("nowhere.py")


@pytest.mark.long
def test_a_polars_reference():
    polars = pytest.importorskip("polars")
    X, _ = rows()
    same = polars.DataFrame({name: X[name].to_numpy() for name in ("a", "b", "day")})
    same = same.insert_column(2, polars.Series("city", X["city"].tolist()))
    of_polars = suggest_checks(fitted(), same, batch_size=70, max_errors=2, adaptive=False)
    of_pandas = suggest_checks(fitted(), batch_size=70, max_errors=2, adaptive=False)
    assert of_polars.results_["check"].tolist() == of_pandas.results_["check"].tolist()


@pytest.mark.long
def test_lost_rows_of_a_category_are_noticed_by_its_share():
    X, y = rows()
    space = SearchSpace(max_conditions=1, pattern_columns=["city"])
    search = AdversarialCorruptionSearch(
        fitted().estimator, "selection", apply_to="test", budget=0.3, confirm_size=None,
        space=space, random_state=0,
    ).fit(X[:600], y[:600])  # fmt: skip
    result = suggest_checks(search, X, batch_size=70, adaptive=False)
    assert result.results_["check"].tolist() == ["SegmentShare(city)"]
    assert result.results_["columns"].tolist() == [["city"]] and result.undetected_.empty
    left = X[~search.worst_pattern_.mask(X)]
    assert result.checks_[0].passes(X.head(70)) and not result.checks_[0].passes(left.head(70))


@pytest.mark.long
def test_shares_of_gaps_and_of_rare_categories_in_a_file(tmp_path):
    rng, shares = np.random.default_rng(0), [0.5, 0.3, 0.01, 0.19]
    cells = rng.choice(["x", "y", "rare", None], 3000, p=shares)
    X = pd.DataFrame({"cell": cells, "yes": np.arange(3000) % 3 == 0})
    result = copy.copy(found())
    result.checks_ = [SegmentShare(batch_size=100).fit(X)]
    namespace = {}
    text = result.to_pytest(tmp_path / "test_batch.py").read_text(encoding="utf-8")
    exec(compile(text, "test_batch.py", "exec"), namespace)
    test = namespace["test_1_segment_share"]
    told = set()
    for i in range(60):
        batch = X.sample(100, random_state=i)
        cell, yes = batch["cell"], batch["yes"]
        if i % 3 == 1:
            cell = cell.where(batch.index > 50 * i)
        elif i % 3 == 2:
            cell, yes = cell.replace("y", "new" if i % 2 else "rare"), yes | (batch.index > 30 * i)
        batch = batch.assign(cell=cell, yes=yes)
        told.add(_passes(test, batch))
        assert _passes(test, batch) == result.checks_[0].passes(batch)
    assert told == {True, False}
    result.checks_ = [SegmentShare([("cell", "yes")], batch_size=100).fit(X)]
    with pytest.raises(ValueError, match=r"combinations of columns.*to_pandera"):
        result.to_pytest(tmp_path / "test_batch.py")


def test_what_cannot_be_caught_is_told():
    result = suggest_checks(fitted(), batch_size=2, max_errors=2, adaptive=False)
    assert not result.checks_
    assert result.undetected_.equals(result.errors_)
    said = "No check catches any of 2 harmful errors in batches of 2 rows."
    assert result.summary().startswith(said)
    # their size was asked for
    assert "too few rows" not in result.summary()
    with pytest.raises(ValueError, match=r"to_pytest has nothing to write.*larger batch_size"):
        result.to_pytest("nowhere.py")


def test_batches_are_as_large_as_the_reference_allows_which_is_told():
    X, y = rows()
    named = {"a": "a, raised", "b": "b"}
    model = make_pipeline(SimpleImputer(), LogisticRegression())
    X = X[["a", "b"]].rename(columns=named)
    search = AdversarialCorruptionSearch(
        model.fit(X, y), "missing", apply_to="test", budget=0.2, confirm_size=None,
        random_state=0, space=SearchSpace(max_conditions=1),
    ).fit(X, y)  # fmt: skip
    result = suggest_checks(search, adaptive=False)
    # half of 3,000 rows has twenty such batches
    assert result.batch_size_ == 75 == result.checks_[0].batch_size
    said = result.summary()
    assert "in batches of 75 rows" in said
    assert "The reference has too few rows for larger batches" in said
    assert all("`a, raised`" in name for name in result.results_["check"] if "raised" in name)
    assert any("raised" in name for name in result.results_["check"])
    small = suggest_checks(search, batch_size=75, adaptive=False)
    assert "too few rows" not in small.summary()
    assert small.results_.equals(result.results_)


@pytest.mark.long
def test_refusals():
    X, _ = rows()
    with pytest.raises(TypeError, match="fitted AdversarialCorruptionSearch"):
        suggest_checks(LogisticRegression())
    with pytest.raises(ValueError, match="holds no search"):
        suggest_checks([])
    trained = AdversarialCorruptionSearch(LogisticRegression(), "missing")
    with pytest.raises(NotFittedError):
        suggest_checks(trained)
    with pytest.raises(ValueError, match=r"min_damage=5 from the score.*larger budget"):
        suggest_checks(fitted(), min_damage=5)
    with pytest.raises(ValueError, match=r"X_reference has columns.*same columns"):
        suggest_checks(fitted(), X[["a"]])
    with pytest.raises(ValueError, match="power"):
        suggest_checks(fitted(), power=2)
    dropped = copy.copy(fitted()).drop_data()
    with pytest.raises(ValueError, match=r"drop_data was called.*pass X_reference"):
        suggest_checks(dropped)
    assert suggest_checks(dropped, X, batch_size=70, max_errors=1).checks_
    copied = copy.copy(fitted()).set_params(apply_to="train")
    with pytest.raises(ValueError, match=r"apply_to='test' or 'both'"):
        suggest_checks(copied)
    with pytest.warns(UserWarning, match=r"batch_size=200 asks for a reference of 8000 rows"):
        suggest_checks(fitted(), batch_size=200, max_errors=1)


@pytest.mark.long
def test_what_alarms_without_an_error_catches_nothing():
    with pytest.warns(UserWarning, match="asks for a reference"):
        # rows come up twice in batches of more than there are
        found = suggest_checks(fitted(), batch_size=4000, adaptive=False)
    assert (found.results_["false_alarm_rate"] <= 0.2).all()
    assert not found.results_["check"].eq("UniqueKeys").any()
    assert not found.errors_["best_check"].eq("UniqueKeys").any()


# files


def run(path, batch):
    """What pytest says of a batch."""
    data = path.parent / "batch.csv"
    batch.to_csv(data, index=False)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, path],
        env={**os.environ, "BATCH_PATH": str(data)},
        cwd=path.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def watched():
    """Every sort of check that a file can hold, over every sort of column."""
    X, _ = rows()
    makers = [MissingShare, ValueRange, KnownCategories, Drift, SegmentShare, UniqueKeys, RowCount]
    checks = [make(batch_size=70, false_alarm=0.001).fit(X) for make in makers]
    result = copy.copy(found())
    result.checks_ = checks
    return result


@pytest.mark.slow
def test_a_file_of_all_checks(tmp_path):
    file = watched().to_pytest(tmp_path / "test_batch.py")
    text = file.read_text(encoding="utf-8")
    assert "import skcorrupt" not in text
    assert "from skcorrupt" not in text
    X, _ = rows(seed=7)
    good = X.head(70)
    assert run(file, good)[0] == 0
    # everything at once: pytest takes long to begin
    bad = pd.concat([good, good, X[200:300]]).assign(day="2031-05-01")
    bad = bad.assign(a=bad["a"].where(bad["b"] > 2), b=bad["b"] * 100, city="Osl0")
    status, told = run(file, bad)
    assert status == 1
    several = ("missing_share", "value_range", "known_categories", "drift_of_numbers")
    for name in (*several, "segment_share"):
        assert f"{name}[" in told
    for name in ("drift_of_categories[", "unique_keys", "row_count"):
        assert name in told
    # no row of the batch, which logs should not hold
    assert "rows x" not in told and "batch =" not in told


@pytest.mark.long
def test_a_file_agrees_with_the_checks(tmp_path):
    """Without pytest, on many batches: shares alike, drift noticed no more than by the check."""
    checks = watched()
    namespace = {}
    file = checks.to_pytest(tmp_path / "test_batch.py")
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    X, _ = rows(seed=9)
    tests = {name: test for name, test in namespace.items() if name.startswith("test_")}
    for i in range(30):
        batch = X.sample(70, random_state=i)
        if i % 2:
            batch = batch.assign(
                a=(batch["a"] + 0.15 * i).where(batch["b"] > 0.02 * i),
                city=batch["city"].where(batch["b"] > 0.05 * i, "Rome"),
            )
        for k, check in enumerate(checks.checks_[:6]):
            names = [name for name in tests if name.startswith(f"test_{k + 1}_")]
            passes = all(_passes(tests[name], batch) for name in names)
            if type(check).__name__ == "Drift":
                assert passes >= check.passes(batch)
            else:
                assert passes == check.passes(batch)


def _passes(test, batch):
    """Whether a test of the file passes for all its lines."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    names, lines = marks[0].args if marks else ((), [()])
    try:
        for line in lines:
            test(batch, **dict(zip(names, line, strict=True)))
    except pytest.fail.Exception:
        return False
    return True


@pytest.mark.parametrize("texts", [["1", "2", "3"], ["a", "NA", "null"]])
def test_a_file_reads_texts_of_csv_as_the_reference_has_them(tmp_path, texts):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"code": rng.choice(texts, 2000), "size": rng.normal(size=2000)})
    X.loc[::10, "code"] = None
    result = copy.copy(found())
    makers = [KnownCategories, SegmentShare, Drift]
    result.checks_ = [make(batch_size=70, false_alarm=0.001).fit(X) for make in makers]
    file = result.to_pytest(tmp_path / "test_batch.py")
    batch = X.sample(70, random_state=0)
    batch.to_csv(tmp_path / "batch.csv", index=False)
    namespace = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    read = namespace["table"].__wrapped__ if hasattr(namespace["table"], "__wrapped__") else None
    assert read is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BATCH_PATH", str(tmp_path / "batch.csv"))
        rows_read = read()
    assert rows_read["code"].isna().tolist() == batch["code"].isna().tolist()
    assert rows_read["code"].dropna().tolist() == batch["code"].dropna().tolist()
    tests = [namespace[name] for name in namespace if name.startswith("test_") and name[5] in "123"]
    assert len(tests) >= 4 and all(_passes(test, rows_read) for test in tests)


def far_times(end, unit):
    """Rows of which a third has an open end, as far away as its unit allows."""
    hours = pd.Series(pd.date_range("2020", periods=3000, freq="h")).astype(f"datetime64[{unit}]")
    far = hours.where(np.arange(3000) % 3 > 0, pd.Timestamp(end).as_unit(unit))
    return pd.DataFrame({"valid_to": far, "size": np.random.default_rng(0).normal(size=3000)})


@pytest.mark.long
@pytest.mark.parametrize(
    ("end", "unit"),
    [
        ("9999-12-31", "us"),
        ("9999-12-31 23:59:59", "s"),
        ("0001-01-01", "us"),
        (pd.Timestamp.min, "ns"),
        (pd.Timestamp.max, "ns"),
    ],
)
def test_a_file_holds_ranges_of_times_without_an_end(tmp_path, end, unit):
    X = far_times(end, unit)
    result = copy.copy(found())
    result.checks_ = [ValueRange(batch_size=100, false_alarm=0.001).fit(X)]
    file = result.to_pytest(tmp_path / "test_batch.py")
    namespace = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    tested = namespace["test_1_value_range"]
    batch = X.sample(100, random_state=0)
    assert _passes(tested, batch) and result.checks_[0].passes(batch)
    # as CSV has them
    texts = batch.assign(valid_to=batch["valid_to"].astype(str))
    assert _passes(tested, texts)
    outside = "2120-05-01" if pd.Timestamp(end).year < 2000 else "1970-05-01"
    for wrong in (outside, "never"):
        assert not _passes(tested, texts.assign(valid_to=wrong))
    # where pandas reads texts as nanoseconds only
    far = namespace["far_off"]
    assert far("9999-12-31") == far("9999-12-31T00:00Z") == pytest.approx(2.534022144e20)
    assert all(np.isnan(far(cell)) for cell in ("2020-01-01", "never", None, 3.5))


@pytest.mark.many
@pytest.mark.parametrize("zone", [None, "America/New_York"])
@pytest.mark.long
def test_a_file_tells_times_by_the_clocks_of_the_column(tmp_path, zone):
    hours = pd.Series(pd.date_range("2024-03-01", periods=2, freq="h", tz=zone))
    X = pd.DataFrame({"t": hours.take(np.random.default_rng(0).integers(0, 2, 3000)).array})
    result = copy.copy(found())
    result.checks_ = [ValueRange(batch_size=70).fit(X), SegmentShare("t", batch_size=70).fit(X)]
    file = result.to_pytest(tmp_path / "test_batch.py")
    namespace, offset = {}, "" if zone is None else "-05:00"
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    ranges, shares = (namespace[name] for name in ("test_1_value_range", "test_2_segment_share"))
    batch = X.sample(70, random_state=0)
    late, alike = (X[:70].assign(t=time) for time in (hours[1] + pd.Timedelta(days=1), hours[0]))
    # as Parquet and CSV have them
    for made in (lambda frame: frame, lambda frame: frame.astype(str)):
        for test, check in zip((ranges, shares), result.checks_, strict=True):
            for each in (batch, late, alike):
                assert _passes(test, made(each)) == check.passes(each)
    (mark,) = ranges.pytestmark
    first = "2024-03-01" if zone is None else f"2024-03-01 00:00:00{offset}"
    assert mark.kwargs["ids"] == [f"t-{first}-2024-03-01 01:00:00{offset}"]
    status, told = run(file, late)
    assert status == 1
    assert f"t: 100 % outside {first} … 2024-03-01 01:00:00{offset}, limit" in told
    assert f"t: 0 % 2024-03-01 00:00:00{offset}, limits" in told or "0 % 2024-03-01 01" in told


@pytest.mark.long
def test_a_file_with_an_open_end_runs(tmp_path):
    X = far_times("9999-12-31", "us")
    result = copy.copy(found())
    result.checks_ = [ValueRange(batch_size=100, false_alarm=0.001).fit(X)]
    file = result.to_pytest(tmp_path / "test_batch.py")
    batch = X.sample(100, random_state=0)
    assert run(file, batch)[0] == 0
    status, told = run(file, batch.assign(valid_to="1970-05-01"))
    assert status == 1
    assert "valid_to: 100 % outside 2020-01-01 01:00:00 … 9999-12-31, limit" in told


@pytest.mark.long
def test_too_few_rows_and_no_file(tmp_path):
    file = found().to_pytest(tmp_path / "test_batch.py")
    status, told = run(file, rows()[0].head(20))
    assert status == 1
    assert "20 rows are fewer than the 70" in told
    # the others are skipped
    assert "1 failed" in told and "::test_batch_is_there - Failed: 20 rows" in told
    assert "error" not in told.lower()
    with pytest.raises(ValueError, match=r"variable='a b' should be the name"):
        found().to_pytest(tmp_path / "test_batch.py", variable="a b")


@pytest.mark.many
@pytest.mark.parametrize("name", ["gone.csv", "gone.parquet", "folder", "empty.csv"])
@pytest.mark.long
def test_a_path_without_a_file_or_rows_fails_once(tmp_path, name):
    file = found().to_pytest(tmp_path / "test_batch.py")
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.csv").touch()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, file],
        env={**os.environ, "BATCH_PATH": name},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    told = "is an empty file" if name == "empty.csv" else "names no file"
    assert f"BATCH_PATH='{name}' {told}" in done.stdout
    assert "1 failed" in done.stdout and "error" not in done.stdout.lower()


def test_parquet_in_a_file_and_in_a_folder(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    namespace = {}
    file = found().to_pytest(tmp_path / "test_batch.py")
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    batch = rows()[0].head(70).reset_index(drop=True)
    (tmp_path / "several.parquet").mkdir()
    for place in ("one.parquet", "several.parquet/part.parquet"):
        batch.to_parquet(tmp_path / place)
    for name in ("one.parquet", "several.parquet"):
        monkeypatch.setenv("BATCH_PATH", str(tmp_path / name))
        assert namespace["table"].__wrapped__()["a"].tolist() == batch["a"].tolist()


def test_names_of_tests_have_dates_as_dates(tmp_path):
    namespace = {}
    file = watched().to_pytest(tmp_path / "test_batch.py")
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    (mark,) = namespace["test_2_value_range"].pytestmark
    ids = dict(zip((line[0] for line in mark.args[1]), mark.kwargs["ids"], strict=True))
    assert re.fullmatch(r"day-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d", ids["day"])
    assert re.fullmatch(r"a--?[\d.]+-[\d.]+", ids["a"])


def test_a_file_says_what_is_wrong_in_a_sentence(tmp_path, monkeypatch):
    namespace = {}
    file = watched().to_pytest(tmp_path / "test_batch.py")
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    X, _ = rows(seed=9)
    batch = X.head(70)

    def told(name, batch):
        test = namespace[f"test_{name}"]
        columns, lines = test.pytestmark[0].args
        with pytest.raises(pytest.fail.Exception) as failed:
            for line in lines:
                test(batch, **dict(zip(columns, line, strict=True)))
        return str(failed.value)

    assert re.fullmatch(
        r"a: 100 % missing, limit [\d.]+ %", told("1_missing_share", batch.assign(a=None))
    )
    found = told("2_value_range", batch.assign(a=1e9))
    assert re.fullmatch(r"a: 100 % outside -?[\d.]+ … [\d.]+, limit [\d.]+ %", found)
    found = told("2_value_range", batch.assign(day="2200-01-01"))
    assert re.match(r"day: 100 % outside \d{4}-\d\d-\d\d.* … \d{4}-\d\d-\d\d", found)
    assert "city: 100 % never seen before, such as 'Rome'" in told(
        "3_known_categories", batch.assign(city="Rome")
    )
    assert "moved by" in told("4_drift_of_numbers", batch.assign(a=1e9))
    assert "moved by a chi-square of" in told("4_drift_of_categories", batch.assign(city="Rome"))
    found = told("5_segment_share", batch.assign(city="Rome"))
    assert re.fullmatch(r"city: 0 % \w+, limits [\d.]+ % and [\d.]+ %", found)
    for name in ("1_missing_share", "2_value_range", "5_segment_share"):
        lost = batch.drop(columns=["city", "b"])
        assert re.match("(city|b): the batch has no such column, but a,", told(name, lost))
    with pytest.raises(pytest.fail.Exception, match=r"repeated rows, limit .* %"):
        namespace["test_6_unique_keys"](batch.iloc[[0] * 70])
    with pytest.raises(pytest.fail.Exception, match=r"^9 rows, limits \d+ and \d+$"):
        namespace["test_7_row_count"](batch.head(9))
    # refused once by the test that is there for it, by which the others are skipped
    monkeypatch.delenv("BATCH_PATH", raising=False)
    with pytest.raises(pytest.skip.Exception, match="BATCH_PATH is not set"):
        namespace["table"].__wrapped__()


def test_pandera():
    pandera = pytest.importorskip("pandera.pandas")
    schema, (X, _) = found().to_pandera(), rows(seed=7)
    assert isinstance(schema, pandera.DataFrameSchema)
    schema.validate(X.head(70))
    with pytest.raises(pandera.errors.SchemaError, match="raises an alarm"):
        schema.validate(X.head(70).assign(a=np.nan, b=-5.0))
    with pytest.raises(pandera.errors.SchemaError, match="city"):
        schema.validate(X.head(70).drop(columns="city"))


def test_pandera_names_values_and_agrees_with_the_checks():
    pandera = pytest.importorskip("pandera.pandas")
    X, _ = rows(20_000)
    X = X.drop(columns="day")
    checks = [make(batch_size=20).fit(X) for make in (MissingShare, ValueRange, KnownCategories)]
    loose = ValueRange(["a"], batch_size=20, coverage=0.9).fit(X)
    result = copy.copy(found())
    result.checks_ = [*checks, loose, Drift(batch_size=20).fit(X)]
    result.results_ = pd.DataFrame({"check": ["gaps", "range", "known", "loose", "drift"]})
    schema = result.to_pandera()
    assert [check.name for check in schema.checks] == ["drift"]
    assert [c.name for c in schema.columns["city"].checks] == ["gaps", "known"]
    told = {True: 0, False: 0}
    for batch in (X.head(20), X.sample(2000, random_state=0)):
        first = np.arange(len(batch)) == 0
        for changed in (
            batch, batch.assign(a=batch["a"].mask(first)), batch.assign(a=batch["a"].where(first)),
            batch.assign(b=-1.0), batch.assign(b=batch["b"].mask(first, -1.0)),
            batch.assign(city="Rome"), batch.assign(city=batch["city"].mask(first, "Rome")),
        ):  # fmt: skip
            passes = all(check.passes(changed) for check in result.checks_)
            told[passes] += 1
            # columns that nobody watches, and another order, are no matter
            given = changed[[*changed.columns[::-1]]].assign(other=1)
            if passes:
                schema.validate(given)
            else:
                with pytest.raises(pandera.errors.SchemaError, match="raises an alarm"):
                    schema.validate(given)
    assert min(told.values()) >= 5
    with pytest.raises(pandera.errors.SchemaError, match="Rome"):
        schema.validate(X.head(20).assign(city="Rome"))


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_ranges_of_times_are_the_same_in_pandera(zone):
    pandera = pytest.importorskip("pandera.pandas")
    X, _ = rows(20_000)
    X = X[["day"]].assign(day=X["day"].dt.tz_localize(zone))
    result = copy.copy(found())
    result.checks_ = [ValueRange(batch_size=20).fit(X)]
    result.results_ = pd.DataFrame({"check": ["range"]})
    schema, batch = result.to_pandera(), X.head(20)
    schema.validate(batch)
    with pytest.raises(pandera.errors.SchemaError, match="range raises an alarm"):
        schema.validate(batch.assign(day=pd.Timestamp("1900-01-01", tz=zone)))


def test_without_pandera(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandera.pandas", None)
    with pytest.raises(ImportError, match=r"pip install pandera.*to_pytest"):
        found().to_pandera()


def test_checks_that_alarm_without_an_error_are_told():
    """A batch larger than half of the reference has rows twice."""
    X, _ = rows()
    quiet = suggest_checks(fitted(), X, batch_size=70, adaptive=False)
    assert quiet.left_out_.empty and "Not taken" not in quiet.summary()
    with pytest.warns(UserWarning, match="asks for a reference of 4000 rows"):
        loud = suggest_checks(fitted(), X.head(120), batch_size=100, adaptive=False)
    told = dict(loud.left_out_.itertuples(index=False))
    assert told["UniqueKeys"] == 1.0
    assert all(0.2 < rate <= 1 for rate in told.values())
    assert not set(told) & {*loud.results_["check"], *loud.errors_["best_check"]}
    assert "UniqueKeys (on 100 % of them)" in loud.summary()


def breaking(kind="missing", **params):
    """A search on a model that takes no gaps in `late`."""
    X, y = rows()
    X = X[["a", "b"]].assign(late=X["day"] > pd.Timestamp("2024-06-01"))
    model = make_pipeline(
        make_column_transformer((SimpleImputer(), ["a", "b"]), remainder="passthrough"),
        LogisticRegression(),
    )
    search = AdversarialCorruptionSearch(
        model.fit(X, y), kind, apply_to="test", budget=0.2, confirm_size=None, random_state=0,
        space=SearchSpace(max_conditions=1), **params,
    )  # fmt: skip
    return search, X, y


@pytest.mark.long
def test_errors_that_break_the_model_are_told():
    search, X, y = breaking()
    with (
        pytest.warns(UserWarning, match="corrupt_columns"),
        pytest.warns(FitFailedWarning),
    ):
        search.fit(X, y)
    broken = suggest_checks(search, batch_size=70, adaptive=False)
    assert broken.broken_by_ == ["`late`"]
    assert "those in `late`, under which the model raises" in broken.summary()
    assert "late" not in {name for names in broken.errors_["columns"] for name in names}
    assert found().broken_by_ == [] and "raises" not in found().summary()
    # of another kind of error in that column the model has a score
    other, X, y = breaking("scale")
    both = suggest_checks([search, other.fit(X, y)], batch_size=70, adaptive=False)
    assert both.broken_by_ == ["`late` (missing)"]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_errors_that_break_the_model_and_have_a_score_are_errors_like_others():
    search, X, y = breaking(error_score=0.0)
    search.fit(X, y)
    assert search.worst_score_ == 0.0 and list(search.worst_columns_) == ["late"]
    assert "no score" not in search.summary()
    told = suggest_checks(search, batch_size=70, adaptive=False)
    assert told.errors_["columns"].iloc[0] == ("late",)
    assert told.broken_by_ == [] and "raises" not in told.summary()
    # a search without it says nothing of the same errors that is not known
    unscored = breaking()[0].fit(X, y)
    assert suggest_checks([unscored, search], batch_size=70, adaptive=False).broken_by_ == []


def test_a_file_reads_csv_as_it_is_told(tmp_path, monkeypatch):
    X, _ = rows()
    result = copy.copy(found())
    result.checks_ = [ValueRange(["a", "b"], batch_size=100, false_alarm=0.001).fit(X)]
    monkeypatch.chdir(tmp_path)
    reading = {"sep": ";", "decimal": ",", "header": None, "names": list(X)}
    test = result.to_pytest(tmp_path / "test_batch.py", read_csv=reading)
    X[:500].to_csv("batch.csv", sep=";", decimal=",", header=False, index=False)
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        str(test),
    ]
    env = {**os.environ, "BATCH_PATH": str(tmp_path / "batch.csv")}
    ended = subprocess.run(run, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
    for wrong, message in (
        ({"dtype": str}, "read_csv has dtype, which the tests set themselves"),
        ({"date_format": object()}, "read_csv=.*should hold texts, numbers"),
        ({1: "x"}, "read_csv=.*should map parameters of pandas.read_csv"),
        (0, "read_csv=0 should map parameters of pandas.read_csv"),
    ):
        with pytest.raises(ValueError, match=message):
            result.to_pytest(test, read_csv=wrong)
