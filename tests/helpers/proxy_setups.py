"""A search laid out with its groups and a proxy, and the rows its candidates strike."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial._problem import prepare
from skcorrupt.adversarial.proxies._screen import templates_of_depth
from skcorrupt.adversarial.strategies._proxied import SCREENED_ROWS, ProxiedSearch


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
    """A search that has not begun: its problem, groups, screening and proxy."""
    n = len(y)
    cut = n * 2 // 3
    settings = {"cv": [(np.arange(cut), np.arange(cut, n))], "confirm": False, "random_state": 0}
    settings |= {"n_bins": 4, "proxy": name, "max_conditions": 2, **params}
    search = AdversarialCorruptionSearch(estimator, corruption, budget=budget, **settings)
    search._validate_params()
    problem = prepare(search, X, y, None, {}, False)
    problem.evaluator.bar = SimpleNamespace(update=lambda *_: None)
    proxied = ProxiedSearch(search, problem, [budget])
    proxied.groups = proxied._grouped(SCREENED_ROWS)
    space = proxied.spaces[0]
    screening = proxied._screening(name, proxied.groups, space, proxied.kind)
    return SimpleNamespace(
        search=search,
        problem=problem,
        proxied=proxied,
        groups=proxied.groups,
        space=space,
        screening=screening,
        proxy=screening.proxy,
    )


def templates(setup, depth):
    """Templates of the search with so many conditions on features."""
    beam = setup.problem.beam
    return list(templates_of_depth(beam.allowed, beam.required, depth, 2))


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
