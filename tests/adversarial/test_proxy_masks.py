"""Masks of candidates as bits over groups, against the patterns themselves."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from cheap_models import Centroids
from proxy_setups import counted_data, laid_out, templates
from skcorrupt import CorruptDuplicates, CorruptLabels, SelectionBias
from skcorrupt.adversarial.candidates import Template
from skcorrupt.adversarial.proxies import coded_columns, make_groups

# the models here learn nothing
pytestmark = pytest.mark.filterwarnings(
    "ignore:The clean pipeline scores",
    "ignore:.*left out of patterns",
    # a few rows of a class may all be in the other part of a split
    "ignore:y_pred contains classes not in y_true",
)


def rows_of(setup, bits):
    """Masks over rows from bits over groups."""
    return setup.screen.masks.unpack(bits).astype(bool)[:, setup.groups.of_row]


def expected_mask(setup, template, point):
    space = setup.space
    candidate = space.candidate(template, (*point, 0))
    y = space.target.values if candidate.pattern.uses_y else None
    target = space.label_choices[point[-1]].target
    return candidate.pattern.mask(space.table.source, y) & space.eligible(target)


@st.composite
def tables(draw):
    """Small tables of all kinds of columns, with gaps, and labels."""
    n = draw(st.integers(24, 90))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = {}
    for name in "abcd"[: draw(st.integers(2, 4))]:
        kind = draw(st.sampled_from(["integer", "real", "text", "bool", "datetime", "nullable"]))
        levels = draw(st.integers(2, 12))
        codes = np.append(np.arange(levels), rng.integers(0, levels, n - levels))
        gaps = rng.random(n) < 0.2 * draw(st.booleans())
        if kind == "integer":
            X[name] = pd.Series(codes - 3)
        elif kind == "real":
            X[name] = pd.Series(np.where(gaps, np.nan, rng.normal(size=n).round(levels)))
        elif kind == "text":
            X[name] = pd.Series([None if g else f"t{c}" for c, g in zip(codes, gaps, strict=True)])
        elif kind == "bool":
            X[name] = pd.Series(codes % 2 == 0)
        elif kind == "datetime":
            X[name] = pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(codes, "D"))
            X[name] = X[name].where(~gaps)
        else:
            X[name] = pd.Series(codes, dtype="Int64").mask(gaps)
    n_classes = draw(st.integers(2, 3))
    y = np.append(np.tile(np.arange(n_classes), 8), rng.integers(0, n_classes, n))[:n]
    labels = draw(st.sampled_from(["numbers", "texts"]))
    return pd.DataFrame(X), y if labels == "numbers" else np.array(["p", "q", "r"])[y]


class Ignoring(Centroids):
    """Takes every column and learns nothing."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        return np.tile(self.shares_, (len(X), 1))


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(
    table=tables(),
    template=st.sampled_from(
        [
            SelectionBias(),
            CorruptLabels(),
            CorruptDuplicates(),
            SelectionBias(pattern="a == a0"),
            CorruptLabels(pattern={"y": "first"}),
        ]
    ),
    require_label=st.booleans(),
    seed=st.integers(0, 99),
)
def test_masks_and_keys_are_those_of_the_patterns(table, template, require_label, seed):
    X, y = table
    template = template.__class__(**template.get_params())
    if template.pattern is not None:
        known = X.a.dropna().iloc[0]
        own = {"a": known} if isinstance(template.pattern, str) else {"y": y[0]}
        template.set_params(pattern=own)
    setup = laid_out(
        Ignoring(), template, X, y, name="tree", label="required" if require_label else "allowed",
        scoring="balanced_accuracy",
    )  # fmt: skip
    rng = np.random.default_rng(seed)
    masks = setup.screen.masks
    chosen = templates(setup, 2) or templates(setup, 1)
    for k in rng.permutation(len(chosen))[:3]:
        parts = list(masks.points(chosen[k]))
        points = np.concatenate([part.points for part in parts])
        bits = np.concatenate([part.bits for part in parts])
        assert len(points) <= masks.size(chosen[k])
        # points that match nothing are dropped on the way, no other ones
        assert len(np.unique(points, axis=0)) == len(points)
        some = rng.permutation(len(points))[:40]
        found = rows_of(setup, bits[some])
        expected = [expected_mask(setup, chosen[k], tuple(points[i].tolist())) for i in some]
        np.testing.assert_array_equal(found, np.array(expected))
        np.testing.assert_array_equal(masks.bits_of(chosen[k], points[some]), bits[some])
        keys = masks.keys(bits)
        _, same = np.unique(bits, axis=0, return_inverse=True)
        assert len(np.unique(keys)) == same.max() + 1
        for key in np.unique(keys):
            assert len(np.unique(same[keys == key])) == 1


def every_point(setup, beam_templates):
    """All points of all templates by plain loops, with the rows that they match."""
    space = setup.space
    for template in beam_templates:
        levels = [range(len(space.attributes[j].atoms)) for j in sorted(template.attributes)]
        for point in itertools.product(*levels, range(len(space.label_choices))):
            yield template, point, expected_mask(setup, template, point)


@pytest.mark.parametrize("kind", ["missing", "labels", "selection"])
@pytest.mark.parametrize("own_column", ["required", "allowed"])
def test_complete_enumeration_is_complete(kind, own_column):
    X, y = counted_data(n=120)
    setup = laid_out(
        Ignoring(), kind, X, y, name="linear", n_bins=3, own_column=own_column,
        scoring="balanced_accuracy", pattern_columns=["a", "c"],
    )  # fmt: skip
    screening = setup.screen
    found = screening.run()
    assert screening.coverage.depth == 2
    by_hit, n_points = {}, 0
    for depth in (0, 1, 2):
        for template, point, mask in every_point(setup, templates(setup, depth)):
            n_points += 1
            if not mask.any():
                continue
            candidate = setup.space.candidate(template, (*point, 0))
            if not candidate.refused:
                by_hit.setdefault((template.columns, mask.tobytes()), (template, point, candidate))
    kept = {
        (t.columns, expected_mask(setup, t, p[:-1]).tobytes())
        for t, p in zip(found.templates, found.points, strict=True)
    }
    assert len(kept) == len(found.points) == screening.coverage.n_distinct
    assert screening.coverage.n_points == n_points
    # all that the search could try were scored, but those that leave next to nothing of a class
    missed = set(by_hit) - kept
    cut = 80
    for key in missed:
        _, _, candidate = by_hit[key]
        mask = np.frombuffer(key[1], dtype=bool)[:cut]
        assert kind == "selection"
        shares = [np.mean((y[:cut] == k) & ~mask) for k in (0, 1)]
        assert min(shares) < 0.02
        assert candidate.rate > 0.9
    assert len(by_hit) - len(missed) > 50


def test_points_around_one():
    X, y = counted_data()
    setup = laid_out(Ignoring(), "selection", X, y, scoring="balanced_accuracy")
    masks = setup.screen.masks
    child = Template((), frozenset({0, 1, 2}))
    (part,) = masks.around(child, {0: 1, 2: 0}, 1, 1)
    assert len(part.points) == len(setup.space.attributes[1].atoms)
    for point, bits in zip(part.points.tolist(), part.bits, strict=True):
        expected = expected_mask(setup, child, tuple(point))
        np.testing.assert_array_equal(rows_of(setup, bits[None])[0], expected)
        assert (point[0], point[2], point[3]) == (1, 0, 1)
    assert sorted(part.points[:, 1]) == list(range(len(part.points)))


def test_groups_are_rows_that_are_equal():
    X, y = counted_data()
    setup = laid_out(Ignoring(), "selection", X, y, scoring="balanced_accuracy")
    groups = setup.groups
    assert groups.n_groups == len(X.assign(y=y).drop_duplicates())
    frame = X.assign(y=y)
    for k in range(groups.n_groups):
        assert len(frame[groups.of_row == k].drop_duplicates()) == 1
    (split,) = setup.problem.splits
    np.testing.assert_array_equal(
        groups.trains[0], np.bincount(groups.of_row[split.train], minlength=groups.n_groups)
    )
    np.testing.assert_array_equal(
        groups.tests[0], np.bincount(groups.of_row[split.test], minlength=groups.n_groups)
    )


def test_rows_that_a_split_takes_twice_count_twice():
    X, y = counted_data()
    rng = np.random.default_rng(0)
    train = rng.integers(0, 160, 160)
    setup = laid_out(
        Ignoring(), "selection", X, y, cv=[(train, np.arange(160, 240))],
        scoring="balanced_accuracy",
    )  # fmt: skip
    groups = setup.groups
    assert groups.trains.sum() == 160
    np.testing.assert_array_equal(
        groups.trains[0], np.bincount(groups.of_row[train], minlength=groups.n_groups)
    )


def test_a_sample_keeps_the_shares_of_the_classes():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=9000), "b": rng.normal(size=9000)})
    y = (rng.random(9000) < 0.2).astype(int)
    setup = laid_out(Ignoring(), "selection", X, y, scoring="balanced_accuracy")
    coded = coded_columns(setup.space)
    groups = make_groups(
        setup.space, setup.problem.splits, coded, classifier=True, most_rows=1500, most_groups=50,
        seed=1,
    )  # fmt: skip
    assert len(groups.rows) == len(set(groups.rows)) == len(groups.of_row) == 1500
    assert groups.share == pytest.approx(1 / 6)
    assert y[groups.rows].mean() == pytest.approx(y.mean(), abs=0.001)
    np.testing.assert_array_equal(groups.y[groups.of_row], y[groups.rows])
    assert groups.trains.sum() + groups.tests.sum() == 1500
    again = make_groups(
        setup.space, setup.problem.splits, coded, classifier=True, most_rows=1500, most_groups=50,
        seed=1,
    )  # fmt: skip
    np.testing.assert_array_equal(groups.rows, again.rows)


def test_a_sample_has_enough_of_a_rare_class_at_its_weight():
    rng = np.random.default_rng(0)
    n = 30_000
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    y = np.zeros(n, dtype=int)
    y[rng.permutation(n)[:300]] = 1
    setup = laid_out(
        Ignoring(), "selection", X, y, scoring="balanced_accuracy",
        cv=[(np.arange(0, n, 2), np.arange(1, n, 2))],
    )  # fmt: skip
    groups = setup.groups
    assert groups.share < 0.2
    assert (groups.y[groups.of_row] == 1).sum() == 200
    total = groups.trains.sum() + groups.tests.sum()
    rare = (groups.trains + groups.tests)[:, groups.y == 1].sum()
    assert rare / total == pytest.approx(0.01, rel=0.02)


def test_values_too_large_to_square():
    X, y = counted_data()
    X = X.assign(b=np.where(X.b > 2, np.inf, X.b), d=np.where(X.a > 2, 1e300, 0.5))
    setup = laid_out(Ignoring(), "selection", X, y, scoring="balanced_accuracy")
    assert np.isfinite(setup.groups.design).all()
