"""Proxies that change their worst at full resolution, before the pipeline is asked."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from skcorrupt import AdversarialCorruptionSearch, CorruptLabels, cross_validate_corrupted
from skcorrupt.adversarial.candidates import filled_space
from skcorrupt.adversarial.candidates._shape import Shapes
from skcorrupt.adversarial.proxies import Judged, StandIns
from skcorrupt.adversarial.strategies._growth import Growth
from skcorrupt.adversarial.strategies._proxy_descent import ProxyDescent, fitted_candidates
from small_searches import ONE_SPLIT, quick, small_data

LINEAR = make_pipeline(SimpleImputer(), LogisticRegression())


def task_of(kind, estimator=LINEAR, X=None, y=None, **params):
    if X is None:
        X, y = small_data()
        X.loc[::9, "b"] = np.nan
    search = quick(kind, estimator, **{"budget": 0.2, "n_bins": 4, "scoring": "roc_auc", **params})
    return search.lay_out(X, y).task


def shortest(task):
    """All patterns of the fewest conditions, with their places in the grid."""
    (space,) = task.spaces
    for template in space.first_templates():
        grid = space.grid(template)
        for point in map(tuple, grid.points(np.arange(grid.size)).tolist()):
            candidate = space.candidate(template, point)
            if not candidate.refused:
                yield Judged(template, point, candidate)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
@pytest.mark.parametrize("n_rows", [120, 7000])
def test_by_rows_a_candidate_scores_what_it_scores_on_the_grid(kind, n_rows):
    X, y = small_data(n_rows)
    X.loc[::9, "b"] = np.nan
    half = n_rows // 2
    task = task_of(kind, X=X, y=y, cv=[(np.arange(half), np.arange(half, n_rows))])
    (space,), known = task.spaces, [*shortest(task)][::2]
    stand_ins = StandIns(task, 0)
    on_grid = stand_ins.scores("linear", known, space)
    by_rows = stand_ins.scores_of_rows(
        "linear", [each.candidate for each in known], space, polish=True
    )
    there = np.isfinite(on_grid)
    assert there.sum() > 10
    # on a sample of the rows, rates are those of all rows
    tolerance = 1e-4 if n_rows == 120 else 0.02
    np.testing.assert_allclose(by_rows[there], on_grid[there], atol=tolerance)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
def test_what_matched_too_many_rows_fits_by_another_range(kind):
    task = task_of(kind)
    (space,), shapes = task.spaces, Shapes(task.space)
    known = [each.candidate for each in shortest(task)]
    task.evaluator.evaluate(known[::2])
    found = fitted_candidates(task, space, known[1::2])
    assert len(found) > 20 and len({each.key for each in found}) == len(found)
    assert not {each.key for each in found} & task.evaluator.done.keys()
    train = ONE_SPLIT[0][0]
    wide = [each for each in known if each.rate < 1]
    rows = [shapes.rows(space, shapes.of(each))[train] for each in wide]
    for each in found:
        struck = shapes.rows(space, shapes.of(each))[train]
        assert each.rate == 1 and 0 < struck.sum() <= 0.2 * len(train)
        # a part of what matched too many, on the same columns and label
        assert any((struck <= own).all() for own in rows)
    assert len(fitted_candidates(task, space, most=7)) == 7


@given(
    st.lists(st.sampled_from("abcdefg"), min_size=24, max_size=60),
    st.sampled_from([0.1, 0.3, 0.5]),
    st.booleans(),
)
@settings(max_examples=40)
def test_sets_of_categories_take_all_that_fit(column, budget, halves):
    X = pd.DataFrame({"x": column, "z": np.arange(len(column)) % 3.0})
    y = pd.Series(np.arange(len(X)) // 2 % 2)
    if X["x"].nunique() < 3:
        return
    rows = np.arange(len(X))
    parts = [rows[::2], rows[1::2]] if halves else [rows]
    cv = [(part, rows) for part in parts]
    encoded = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    task = task_of("labels", encoded, X=X, y=y, cv=cv, budget=budget)
    (space,), shapes = task.spaces, Shapes(task.space)
    known = [each.candidate for each in shortest(task)]
    on_z = [each for each in known if each.pattern.columns == ("z",)]
    for each in on_z:
        shape = shapes.of(each)
        whole = np.ones(X["x"].nunique(), dtype=bool)
        wide = replace(shape, chosen={**shape.chosen, 0: whole})
        matched = shapes.rows(space, shape)
        for levels in shapes.fitted_sets(space, wide, 0):
            mask = shapes.fine(0).mask(levels) & matched
            assert all(mask[part].sum() <= budget * len(part) + 1e-9 for part in parts)
            others = set(X["x"][matched & np.isin(rows, np.concatenate(parts))])
            for category in others - set(X["x"][shapes.fine(0).mask(levels)]):
                more = mask | (matched & (X["x"] == category).to_numpy())
                assert any(more[part].sum() > budget * len(part) for part in parts)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
def test_it_ends_with_what_no_single_change_makes_worse_on_the_proxy(kind):
    task = task_of(kind)
    (space,) = task.spaces
    grid = filled_space(space)
    stand_ins = StandIns(replace(task, space=grid), 0)
    known = [each.candidate for each in shortest(task)]
    start = stand_ins.scores_of_rows("linear", known, grid, polish=True)
    descent = ProxyDescent(task, space, stand_ins, grid, "linear")
    descent.run([known[i] for i in np.argsort(start)])
    found = descent.worst()
    scores = stand_ins.scores_of_rows("linear", found, grid, polish=True)
    assert (np.diff(scores) >= -1e-6).all() and scores[0] <= start.min() + 1e-9
    assert not task.evaluator.done
    shapes = Shapes(task.space)
    shape = shapes.of(found[0])
    near = [shapes.made(space, other) for piece in shapes.near(shape) for other in piece]
    near = [each for each in near if not each.refused]
    around = stand_ins.scores_of_rows("linear", near, grid, polish=True)
    # rough scores choose which of them are looked at closely
    assert around.min() >= scores[0] - 5e-3


@given(st.lists(st.integers(0, 9) | st.none(), min_size=30, max_size=60))
@settings(max_examples=30)
def test_a_further_range_leaves_out_as_few_rows_as_it_can(column):
    X = pd.DataFrame({"x": np.array(column, dtype=float), "z": np.arange(len(column)) % 4.0})
    y = pd.Series(np.arange(len(X)) // 2 % 2)
    if X["x"].nunique() < 3:
        return
    rows = np.arange(len(X))
    task = task_of("labels", X=X, y=y, cv=[(rows, rows)], max_conditions=2)
    (space,), shapes = task.spaces, Shapes(task.space)
    known = [each.candidate for each in shortest(task)]
    on_z = next(c for c in known if c.pattern.columns == ("z",))
    shape = shapes.of(on_z)
    held = X["x"].to_numpy()[shapes.rows(space, shape) & X["x"].notna()]
    values = np.unique(X["x"].dropna())
    wanted = set()
    for few in (1, 3, 9):
        above = [int((held <= v).sum()) for v in values[:-1] if (held <= v).sum() >= few]
        below = [int((held >= v).sum()) for v in values[1:] if (held >= v).sum() >= few]
        wanted |= {min(counts) for counts in (above, below) if counts}
    made = [shapes.fine(0).mask(levels) for levels in shapes.without_few(space, shape, 0)]
    left_out = {int((~mask & shapes.rows(space, shape) & X["x"].notna()).sum()) for mask in made}
    assert left_out == wanted
    task.evaluator.evaluate([on_z])
    grown = {each.key for each in Growth(task, space, beside=True).grown()}
    for levels in shapes.without_few(space, shape, 0):
        longer = shapes.made(space, replace(shape, chosen={**shape.chosen, 0: levels}))
        assert longer.refused or longer.key in grown


@pytest.mark.many
def test_a_second_condition_that_spares_one_row_is_found():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "a": rng.lognormal(size=160).round(2),
            "b": rng.normal(size=160).round(2),
            "c": rng.integers(0, 9, 160).astype(float),
            "d": rng.exponential(size=160).round(2),
        }
    )
    y = pd.Series((np.log(X.a) + X.b + 0.2 * X.c + rng.normal(size=160) > 1).astype(int))
    cv = [(np.arange(100), np.arange(100, 160))]
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    search = AdversarialCorruptionSearch(
        pipeline, "labels", budget=0.3, scoring="roc_auc", cv=cv, confirm_size=None, random_state=0
    ).fit(X, y)
    # bounds that lie between bins, or leave out a row or two
    rival = CorruptLabels(pattern="b > -0.09 and c > 0 and d <= 3.4 and y == 1", rate=1.0)
    known = cross_validate_corrupted(pipeline, X, y, rival, cv=cv, scoring="roc_auc")
    assert search.worst_score_ <= known["test_score"].mean() + 0.002
