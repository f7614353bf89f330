"""A search laid out with its groups and a proxy, and the rows its candidates strike."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from flat_search import flat_search
from skcorrupt.adversarial.proxies import StandIns


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
