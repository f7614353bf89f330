"""Selection of independent labeling functions, against enumeration and other libraries."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import contingency
from sklearn.base import clone

from skcorrupt.curation import LabelingFunctionSelector


def maximal_cliques(adjacent):
    """By looking at every set of nodes."""
    n = len(adjacent)
    sets = [
        frozenset(nodes)
        for size in range(1, n + 1)
        for nodes in itertools.combinations(range(n), size)
        if all(adjacent[i, j] for i, j in itertools.combinations(nodes, 2))
    ]
    return [one for one in sets if not any(one < other for other in sets)]


def cliques_of(adjacent, **settings):
    """What the selector counts where functions are associated as a graph says.

    In two rows for each edge its ends vote alike, while all others stay at their mean.
    """
    rows = [np.ones(len(adjacent), dtype=int)]
    for i, j in zip(*np.nonzero(np.triu(adjacent)), strict=True):
        for vote in (0, 2):
            rows.append(np.ones(len(adjacent), dtype=int))
            rows[-1][[i, j]] = vote
    selector = LabelingFunctionSelector(0.05, **settings).fit(np.array(rows))
    shown = selector.association_ > 0.05
    np.fill_diagonal(shown, False)
    np.testing.assert_array_equal(shown, adjacent)
    return selector.n_cliques_


graphs = st.integers(1, 8).flatmap(lambda n: hnp.arrays(bool, (n, n)))


@given(graphs)
def test_cliques_against_enumeration(drawn):
    adjacent = np.triu(drawn, 1)
    adjacent = adjacent | adjacent.T
    cliques = maximal_cliques(adjacent)
    expected = [sum(node in one for one in cliques) for node in range(len(adjacent))]
    assert cliques_of(adjacent).tolist() == expected
    assert cliques_of(adjacent, max_cliques=len(cliques)) is not None
    if len(cliques) > 1:
        with pytest.warns(UserWarning, match="maximal cliques"):
            assert cliques_of(adjacent, max_cliques=len(cliques) - 1) is None


votes = st.tuples(st.integers(2, 30), st.integers(1, 7)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(-1, 2))
)


@pytest.mark.parametrize("association", ["pearson", "cramers_v"])
@given(L=votes, threshold=st.sampled_from([0.0, 0.2, 0.5, 0.9]))
def test_what_stays_is_independent_and_no_more_could(association, L, threshold):
    found = LabelingFunctionSelector(threshold, association=association).fit(L)
    size = abs(found.association_)
    kept, gone = np.flatnonzero(found.support_), np.flatnonzero(~found.support_)
    for i, j in itertools.combinations(kept, 2):
        assert size[i, j] <= threshold
    for j in gone:
        assert (size[j, kept] > threshold).any()
    adjacent = size > threshold
    np.fill_diagonal(adjacent, False)
    # the printed algorithm by hand
    cliques = maximal_cliques(adjacent)
    n_cliques = [sum(j in one for one in cliques) for j in range(L.shape[1])]
    coverage = (L >= 0).mean(axis=0)
    ranking = sorted(range(L.shape[1]), key=lambda j: (-n_cliques[j], -coverage[j], j))
    left = set(range(L.shape[1]))
    for j in ranking:
        if j in left:
            left -= {k for one in cliques if j in one for k in one} - {j}
    assert left == set(kept) and found.ranking_.tolist() == ranking
    np.testing.assert_array_equal(found.transform(L), L[:, kept])


@pytest.mark.long
@given(L=votes)
def test_associations_against_other_libraries(L):
    pearson = LabelingFunctionSelector().fit(L).association_
    cramer = LabelingFunctionSelector(association="cramers_v").fit(L).association_
    for i, j in itertools.combinations(range(L.shape[1]), 2):
        a, b = L[:, i], L[:, j]
        if len(set(a)) == 1 or len(set(b)) == 1:
            assert pearson[i, j] == cramer[i, j] == 0
            continue
        assert pearson[i, j] == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-9)
        table = pd.crosstab(a, b).to_numpy()
        expected = contingency.association(table, method="cramer")
        assert cramer[i, j] == pytest.approx(expected, abs=1e-7)


def test_cramers_v_does_not_depend_on_the_numbers_of_classes():
    rng = np.random.default_rng(0)
    L = rng.integers(-1, 3, (200, 3))
    L[:, 1] = np.where(rng.random(200) < 0.7, L[:, 0], L[:, 1])
    other = np.array([-1, 9, 0, 4])[L + 1]
    by = LabelingFunctionSelector(association="cramers_v")
    np.testing.assert_allclose(clone(by).fit(L).association_, by.fit(other).association_)
    pearson = LabelingFunctionSelector()
    assert not np.allclose(clone(pearson).fit(L).association_, pearson.fit(other).association_)


def test_too_many_cliques():
    # pairs of opposites: all functions go together except each with its own twin
    n = 12
    adjacent = ~np.eye(n, dtype=bool)
    for i in range(0, n, 2):
        adjacent[i, i + 1] = adjacent[i + 1, i] = False
    assert cliques_of(adjacent, max_cliques=10**6).tolist() == [2 ** (n // 2 - 1)] * n
    rng = np.random.default_rng(0)
    L = np.repeat(rng.integers(0, 2, (300, 2)), [3, 2], axis=1)
    L = np.where(rng.random(L.shape) < 0.1, 1 - L, L)
    few = LabelingFunctionSelector(max_cliques=1)
    with pytest.warns(UserWarning, match="more than max_cliques=1 maximal cliques"):
        few.fit(L)
    assert few.n_cliques_ is None and few.support_.sum() == 2
    enough = LabelingFunctionSelector(max_cliques=2).fit(L)
    assert enough.n_cliques_.tolist() == [1] * 5


def test_it_is_a_selector():
    L = np.array([[0, 0, 1], [1, 1, -1], [0, 0, 0], [1, 1, 1]])
    found = LabelingFunctionSelector().fit(L)
    assert found.get_support(indices=True).tolist() == [0, 2]
    assert found.n_features_in_ == 3 and clone(found).get_params() == found.get_params()
    assert found.fit_transform(L).shape == (4, 2)
    with pytest.raises(ValueError, match=r"L has 2 functions, but .*Selector was fitted on 3"):
        found.transform(L[:, :2])
    with pytest.raises(ValueError, match="'threshold' parameter"):
        LabelingFunctionSelector(1.5).fit(L)


def test_names_of_functions():
    L = pd.DataFrame({"a": [0, 1, 0, 1], "b": [0, 1, 0, 1], "c": [1, -1, 0, 1]})
    found = LabelingFunctionSelector().fit(L)
    assert found.feature_names_in_.tolist() == ["a", "b", "c"]
    assert found.get_feature_names_out().tolist() == ["a", "c"]
    kept = found.set_output(transform="pandas").transform(L)
    pd.testing.assert_frame_equal(kept, L[["a", "c"]])
    with pytest.raises(ValueError, match="feature names should match"):
        found.transform(L[["b", "a", "c"]])
    twice = LabelingFunctionSelector().fit(L.set_axis(["a", "a", "c"], axis=1))
    assert twice.get_feature_names_out().tolist() == ["x0", "x2"]
