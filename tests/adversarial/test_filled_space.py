"""Ranges that just fill a budget, between the ends of bins."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skcorrupt import Pattern
from skcorrupt.adversarial.candidates import filled_space, filled_spaces, fills
from skcorrupt.adversarial.proxies import Screened, StandIns
from skcorrupt.adversarial.strategies._auto_run import AutoRun
from skcorrupt.utils import column_key
from small_searches import ONE_SPLIT, quick, small_data

values = st.lists(st.integers(0, 40) | st.none(), min_size=20, max_size=60)


def space_of(X, y, kind, budget, cv):
    return quick(kind, budget=budget, n_bins=3, cv=cv).lay_out(X, y).task.spaces[0]


def ranges_by_enumeration(X, y, parts, budget, labels):
    """Rows of the largest ranges with an open end within a budget, and of the next larger ones."""
    found = set()
    for label in labels:
        able = np.ones(len(X), dtype=bool) if label is None else y.to_numpy() == label
        for down in (False, True):
            within, over = None, None
            for value in sorted(X["x"].dropna().unique(), reverse=not down):
                mask = (X["x"] <= value if down else X["x"] >= value).to_numpy()
                if all(np.sum((mask & able)[part]) <= budget * len(part) + 1e-9 for part in parts):
                    within = mask
                elif over is None:
                    over = mask
            # what matches no row of some part is no candidate
            if within is not None and all((within & able)[part].any() for part in parts):
                found |= {(label, mask.tobytes()) for mask in (within, over) if mask is not None}
    return found


@given(values, st.sampled_from([0.1, 0.25, 0.4]), st.booleans(), st.data())
@settings(max_examples=60)
def test_ranges_that_just_fill_the_budget_are_there(column, budget, halves, data):
    X = pd.DataFrame({"x": np.array(column, dtype=float), "z": np.arange(len(column)) % 3.0})
    y = pd.Series(data.draw(st.lists(st.integers(0, 1), min_size=len(X), max_size=len(X))))
    rows = np.arange(len(X))
    parts = [rows[::2], rows[1::2]] if halves else [rows]
    if min(np.unique(y[part]).size for part in parts) < 2 or X["x"].nunique() < 3:
        return
    space = space_of(X, y, "selection", budget, [(part, rows) for part in parts])
    filled = filled_space(space)
    old, new = space.attributes[0], filled.attributes[0]
    for atom in range(new.n_atoms):
        pattern = Pattern({column_key("x"): new.conditions[atom]})
        np.testing.assert_array_equal(new.mask(atom), pattern.mask(X))
    for atom in range(old.n_atoms):
        np.testing.assert_array_equal(new.mask(atom), old.mask(atom))
        assert new.conditions[atom] == old.conditions[atom]
    labels = {choice.atom for choice in space.label_choices}
    assert len(labels) > 1
    masks = [new.mask(atom) for atom in range(new.n_atoms)]
    known = X["x"].notna().to_numpy()
    for label, wanted in ranges_by_enumeration(X, y, parts, budget, labels):
        mask = np.frombuffer(wanted, dtype=bool)
        able = known if label is None else known & (y == label).to_numpy()
        # all values are no condition
        assert mask[known].all() or any(np.array_equal(each & able, mask & able) for each in masks)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
def test_the_pipeline_scores_what_fills_the_budget(kind):
    X, y = small_data()
    task = quick(kind, budget=0.15, n_bins=3).lay_out(X, y).task
    (space,) = task.spaces
    run = AutoRun(task, Screened())
    filling = run.filling(space)
    on_grid = run.first(space)
    assert filling and not {each.key for each in filling} & on_grid.keys()
    train = ONE_SPLIT[0][0]
    for each in filling:
        assert each.depth == 1 and fills(space, each)
        matched = each.pattern.mask(X, y)[train]
        assert 0.8 * 0.15 - 1e-9 <= matched.mean() <= 1.25 * 0.15 + 1e-9
        assert each.rate == pytest.approx(min(1, 12 / matched.sum()))
    assert any(each.rate == 1 for each in filling) and any(each.rate < 1 for each in filling)
    run.run()
    assert all(each.key in task.evaluator.done for each in filling)


def test_many_conditions_on_a_label_are_not_told_apart():
    X, _ = small_data()
    X["b"] = np.round(X["b"], 2)
    labels = pd.Series(np.arange(120) % 8)
    space = quick("selection", budget=0.2, n_bins=3, scoring=lambda *_: 0.5)
    space = space.lay_out(X, labels).task.spaces[0]
    added = filled_space(space).attributes[1].n_atoms - space.attributes[1].n_atoms
    assert 0 < added <= 4


def test_what_budgets_share_changes_nothing_that_a_proxy_says():
    X, y = small_data()
    pipeline = make_pipeline(SimpleImputer(), LogisticRegression())
    search = quick("missing", pipeline, budget=[0.1, 0.3], n_bins=3, scoring="roc_auc")
    task = search.lay_out(X, y).task
    filled = filled_spaces(task.spaces)
    shared = StandIns(replace(task, space=filled[-1]), 0)
    for space, own in zip(task.spaces, filled, strict=True):
        single = filled_space(space)
        alone = StandIns(replace(task, space=single, budgets=(space.budget,)), 0)
        said = []
        for stand_ins, grid in ((shared, own), (alone, single)):
            found = stand_ins.first_screen("linear", grid).run()
            made = [
                grid.candidate(*each) for each in zip(found.templates, found.points, strict=True)
            ]
            said.append(
                {(c.columns, str(c.pattern)): s for c, s in zip(made, found.scores, strict=True)}
            )
        assert len(said[0]) > 200 and said[0].keys() == said[1].keys()
        both = np.array([[one[key] for key in said[0]] for one in said])
        np.testing.assert_allclose(both[0], both[1], atol=1e-3)
