"""A search laid out with its groups and a proxy, and the rows its candidates strike."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from flat_search import flat_search
from skcorrupt.adversarial.proxies import Judged, StandIns, StruckGroups


def counted_data(n=240, seed=0):
    """Columns of few values, one far out, one of texts, and labels of two classes."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, n),
            "b": np.where(rng.random(n) < 0.02, 30, rng.integers(0, 4, n)),
            "c": np.array(["red", "green", "blue"])[rng.integers(0, 3, n)],
        }
    )
    chance = X.a / 3 + 0.1 * X.b + (X.c == "red") + rng.normal(size=n)
    return X, pd.Series((chance > 1.3).astype(int), name="label")


def laid_out(estimator, corruption, X, y, *, name="linear", budget=0.2, **params):
    """A search that has not begun: its task, groups, screen and proxy."""
    n = len(y)
    cut = n * 2 // 3
    settings = {"cv": [(np.arange(cut), np.arange(cut, n))], "confirm_size": None}
    settings |= {"random_state": 0, "n_bins": 4, "max_conditions": 2, **params}
    search = flat_search(estimator, corruption, budget=budget, **settings)
    problem = search.lay_out(X, y)
    stand_ins = StandIns(problem.task, seed=0)
    screen = stand_ins.screen(name, stand_ins.groups, problem.task.space)
    return SimpleNamespace(
        search=search,
        problem=problem,
        stand_ins=stand_ins,
        groups=stand_ins.groups,
        space=problem.task.space,
        screen=screen,
        proxy=screen.proxy,
    )


def templates(setup, depth):
    """Templates of the search with so many conditions on features."""
    return list(setup.space.templates_of_depth(depth))


def some_candidates(setup, n, seed=0, depth=2):
    """Candidates at random that can be tried: template, point, candidate, rows matched."""
    rng = np.random.default_rng(seed)
    space, chosen, found = setup.space, templates(setup, depth), {}
    for _ in range(50 * n):
        template = chosen[rng.integers(len(chosen))]
        point = tuple(int(rng.integers(m)) for m in space.grid(template).shape)
        candidate = space.candidate(template, point)
        if not candidate.refused and candidate.key not in found:
            y = space.target.values if candidate.pattern.uses_y else None
            mask = candidate.pattern.mask(space.table.source, y)
            found[candidate.key] = (template, point, candidate, mask & space.eligible(None))
        if len(found) == n:
            break
    return list(found.values())


def group_share(setup, mask, rate):
    """Share of every group's rows that is struck, from a mask of rows."""
    share = np.zeros(setup.groups.n_groups, dtype=np.float32)
    share[setup.groups.of_row] = rate * mask[setup.groups.rows]
    return share


def struck_groups(setup, candidates, flipped=None):
    """A batch of candidates that hit the same columns."""
    share = np.stack([group_share(setup, mask, c.rate) for _, _, c, mask in candidates])
    (columns,) = {template.columns for template, _, _, _ in candidates}
    changes = setup.screen._changes(columns)
    return StruckGroups(setup.stand_ins.kind, share, columns, flipped, changes)


def pipeline_and_proxy(setup, candidates, name="linear", n_draws=1):
    """Scores of candidates by the pipeline, in the mean over draws, and by a proxy."""
    evaluator = setup.problem.evaluator
    evaluator.evaluate([candidate for _, _, candidate, _ in candidates])
    evaluator.draw_again([*evaluator.done.values()], n_draws)
    real = [evaluator.done[candidate.key].score for _, _, candidate, _ in candidates]
    judged = [Judged(template, point, candidate) for template, point, candidate, _ in candidates]
    return np.array(real), setup.stand_ins.scores(name, judged, setup.space)


def assert_like_pipelines(setup, model, X, y, outcomes, *, asked=None, depth=1, atol=1e-3):
    """Candidates of rate 1 make of the proxy what dirty rows make of the pipeline.

    `outcomes` are functions of struck rows, one for each of the equally likely things that happen
    to them: all rows are written out once for each.
    """
    whole = [each for each in some_candidates(setup, 40, depth=depth) if each[2].rate == 1][:4]
    assert len(whole) >= 3
    found, left = setup.proxy.fit(0, struck_groups(setup, whole), polish=True)
    assert left.max() < 1e-4
    train = setup.problem.splits[0].train
    asked = np.arange(len(X)) if asked is None else np.flatnonzero(asked)
    margins = (setup.proxy.Z.astype(float) @ found.T).T[:, setup.groups.of_row]
    for each, (_, _, _, mask) in zip(margins, whole, strict=True):
        parts = []
        for outcome in outcomes:
            part = X.iloc[train].copy()
            hit = mask[train]
            part = pd.concat([part[~hit], outcome(part[hit])]).astype(X.dtypes)
            parts.append(part)
        dirty = pd.concat(parts)
        known = clone(model)
        last = known.steps[-1][0]
        if isinstance(known.steps[-1][1], LogisticRegression):
            known.set_params(**{f"{last}__C": known.steps[-1][1].C / len(outcomes)})
            known.fit(dirty, y.loc[dirty.index])
            expected = known.decision_function(X.iloc[asked])
        else:
            known.set_params(**{f"{last}__alpha": known.steps[-1][1].alpha * len(outcomes)})
            expected = known.fit(dirty, y.loc[dirty.index]).predict(X.iloc[asked])
        np.testing.assert_allclose(each[asked], expected, atol=atol)
