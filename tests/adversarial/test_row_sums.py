"""What errors do to rows, summed in the cells of grids, beside sums row by row."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from skcorrupt.adversarial.serving import _row_sums
from skcorrupt.adversarial.serving._condition_tree import ConditionTree
from skcorrupt.adversarial.serving._covers import covers
from skcorrupt.adversarial.serving._effects import Harm, Part
from skcorrupt.adversarial.serving._row_sums import RowSums
from skcorrupt.attributes._attribute import Attribute

SIZES = {0: 3, 1: 2, 4: 4, 7: 3}


def tree_of(codes, n_levels):
    atoms = np.array([(a, b) for a in range(n_levels) for b in range(a, n_levels)])
    return ConditionTree.of(Attribute("x", 0, codes, atoms, []))


@pytest.mark.parametrize("rows_a_cell", [1, 10_000])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_corners_hold_the_rows_below_them(monkeypatch, depth, rows_a_cell):
    """Whether grids are summed one by one or several at once."""
    monkeypatch.setattr(_row_sums, "ROWS_A_CELL", rows_a_cell)
    rng = np.random.default_rng(depth)
    n = 400
    codes = {j: rng.integers(size + 1, size=n) for j, size in SIZES.items()}
    trees = {j: tree_of(codes[j], size) for j, size in SIZES.items()}
    harm = [rng.normal(size=n) * (rng.random(n) < share) for share in (0.1, 0.9, 0.5)]
    able = [np.ones(n, bool), rng.random(n) < 0.7, np.ones(n, bool)]
    among = rng.random(n) < 0.8
    part = Part(np.arange(n), 0.0, [Harm.of(each) for each in harm], able)
    sums = RowSums(trees, part, among)
    sets = [*itertools.combinations(SIZES, depth)]
    wanted = [(s, np.array([2, 0] if i % 2 else [0, 1, 2])) for i, s in enumerate(sets)]
    for (attributes, hits), (table, own, shape) in zip(wanted, sums.tables(wanted), strict=True):
        assert shape == tuple(SIZES[j] + 1 for j in attributes)
        for k, corner in enumerate(np.ndindex(*shape)):
            below = np.all([codes[j] < c for j, c in zip(attributes, corner, strict=True)], axis=0)
            for i, h in enumerate(hits):
                hit = harm[h][below & among & able[h]]
                expected = [
                    (below & among & able[h]).sum(),
                    hit[hit > 0].sum(),
                    -hit[hit < 0].sum(),
                ]
                np.testing.assert_allclose(table[own[:, i], k], expected, atol=1e-9)


@given(
    st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=3), min_size=1, unique=True),
    st.lists(st.integers(2, 5), min_size=7, max_size=7),
    st.integers(0, 400),
)
def test_every_set_is_in_one_cover_that_is_small_enough(sets, sizes, most):
    wanted = [tuple(sorted(each)) for each in sets]
    held_by = {}
    for cover, held in covers(wanted, dict(enumerate(sizes)), most):
        assert len(cover) == len(set(cover))
        assert math.prod(sizes[j] for j in cover) <= most or cover in wanted
        for place in held:
            assert held_by.setdefault(place, cover) == cover
            assert set(wanted[place]) <= set(cover)
    assert sorted(held_by) == [*range(len(wanted))]


def test_many_pairs_take_few_covers():
    pairs = [*itertools.combinations(range(12), 2)]
    found = [*covers(pairs, dict.fromkeys(range(12), 9), 9**4)]
    # of the 66 pairs a set of four holds six
    assert 11 <= len(found) <= 20
