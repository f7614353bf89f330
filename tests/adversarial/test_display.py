"""The pictures of a search besides that of its scores."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from cheap_models import Centroids
from skcorrupt import AdversarialCorruptionSearch, CorruptLabels, CorruptMissing, Pattern
from skcorrupt.adversarial import AdversarialSearchDisplay
from small_searches import quick, results, small_data

pytestmark = pytest.mark.usefixtures("few_fits")


def candidates(rows):
    """A table of candidates from (columns hit, pattern, score)."""
    patterns = [Pattern() if text is None else Pattern.parse(text) for _, text, _ in rows]
    kinds = [
        CorruptMissing(list(hit), pattern=pattern) if hit else CorruptLabels(pattern=pattern)
        for (hit, _, _), pattern in zip(rows, patterns, strict=True)
    ]
    return {
        "columns": [hit for hit, _, _ in rows],
        "corruption": kinds,
        "mean_test_score": [score for _, _, score in rows],
    }


def display_of(rows, clean=0.9):
    return AdversarialSearchDisplay({"clean": clean}, candidates=candidates(rows))


def names_in(display):
    return [label.get_text().strip() for label in display.ax_.get_yticklabels()]


@pytest.fixture(scope="module")
def several():
    X, y = small_data()
    return quick("labels", cv=2, confirm_size=0.25, budget=[0.001, 0.1, 0.3], max_conditions=2).fit(
        X, y
    )


class TestBudgets:
    @pytest.mark.slow
    def test_a_point_a_budget_that_allows_an_error(self, several):
        curve = several.budget_curve_
        assert list(curve["corruption"].isna()) == [True, False, False]
        display = AdversarialSearchDisplay.from_search(several).plot(kind="budgets")
        lines = {line.get_label(): line for line in display.ax_.lines}
        for label, column in {
            "random, same size": "random_score",
            "worst found": "worst_score",
            "clean, confirmed": "confirmed_baseline",
        }.items():
            np.testing.assert_allclose(lines[label].get_xdata(), [10, 30])
            np.testing.assert_allclose(lines[label].get_ydata(), curve[column][1:])
        assert set(lines["clean"].get_ydata()) == {several.baseline_score_}
        assert "1 smaller" in display.ax_.get_title(loc="left")
        assert list(display.table_["budget"]) == [0.1, 0.3]

    @pytest.mark.long
    def test_confirmed_scores_have_their_interval(self, several):
        display = AdversarialSearchDisplay.from_search(several).plot(kind="budgets")
        (confirmed,) = display.ax_.containers
        np.testing.assert_allclose(
            confirmed.lines[0].get_ydata().astype(float),
            several.budget_curve_["confirmed_score"][1:],
        )
        (bars,) = confirmed.lines[2]
        for bar, row in zip(bars.get_segments(), display.table_.itertuples(), strict=True):
            ends = sorted(row.confirmed_baseline - each for each in row[7:9])
            ends = min(ends[0], row.confirmed_score), max(ends[1], row.confirmed_score)
            np.testing.assert_allclose(sorted(bar[:, 1]), ends)

    def test_without_confirmation_there_are_three_lines(self):
        X, y = small_data()
        search = quick("labels", budget=[0.1, 0.2], max_conditions=1).fit(X, y)
        display = AdversarialSearchDisplay.from_search(search).plot(kind="budgets")
        labels = [line.get_label() for line in display.ax_.lines]
        assert labels == ["clean", "random, same size", "worst found"]

    def test_one_budget_is_refused(self):
        X, y = small_data()
        search = quick("labels", max_conditions=1).fit(X, y)
        with pytest.raises(ValueError, match="needs a search with a list of budgets"):
            AdversarialSearchDisplay.from_search(search).plot(kind="budgets")

    def test_no_feasible_error_is_refused(self):
        X, y = small_data()
        with pytest.warns(UserWarning, match="No candidate is feasible"):
            search = quick("labels", budget=[0.001, 0.002]).fit(X, y)
        display = AdversarialSearchDisplay.from_search(search)
        with pytest.raises(ValueError, match="no candidate is feasible"):
            display.plot(kind="budgets")
        with pytest.raises(ValueError, match="look at; 0 of them"):
            display.plot(kind="tree")


class TestTree:
    @pytest.mark.parametrize("corruption", ["labels", "missing"])
    def test_nodes_are_the_sets_that_were_scored(self, corruption):
        X, y = small_data()
        search = quick(corruption, budget=0.3).fit(X, y)
        tree = AdversarialSearchDisplay.from_search(search).plot(kind="tree").table_
        lowest = {}
        for row in results(search).itertuples():
            key = tuple(row.columns), frozenset([*row.pattern.columns, "y"])
            lowest[key] = min(lowest.get(key, np.inf), row.mean_test_score)
        keys = list(zip(tree["hit"], map(frozenset, tree["looks_at"]), strict=True))
        assert dict(zip(keys, tree["score"], strict=True)) == pytest.approx(lowest)
        assert len(keys) == len(lowest) > 3
        assert tree["n_candidates"].sum() == search.n_evaluations_
        for (hit, used), parent in zip(keys, tree["parent"], strict=True):
            smaller = {key for key in keys if key[0] == hit and key[1] < used}
            smaller = {key for key in smaller if len(key[1]) == len(used) - 1}
            if smaller:
                assert keys[parent] in smaller
                assert lowest[keys[parent]] == min(lowest[key] for key in smaller)
            else:
                assert parent == -1

    def test_the_path_to_the_worst_is_on_top(self):
        rows = [
            ((), "c > 0 and y == 1", 0.7),
            ((), "a > 0 and y == 1", 0.8),
            ((), "a > 0 and b > 0 and y == 1", 0.5),
            ((), "a > 1 and b > 0 and y == 1", 0.6),
            ((), "a > 0 and c > 0 and y == 1", 0.65),
        ]
        display = display_of(rows).plot(kind="tree")
        assert names_in(display) == ["a", "+ b", "c", "+ a"]
        assert list(display.table_["parent"]) == [-1, 0, -1, 2]
        assert list(display.table_["on_path"]) == [True, True, False, False]
        points = [line for line in display.ax_.lines if line.get_marker() == "o"]
        drawn = [(*line.get_xdata(), *line.get_ydata()) for line in points]
        assert drawn == [(0.8, 0), (0.5, 1), (0.7, 2), (0.65, 3)]
        assert "all look at y too" in display.ax_.get_title(loc="left")

    def test_columns_hit_are_named_where_patterns_look_elsewhere(self):
        rows = [
            (("a",), "a > 0", 0.7),
            (("a",), "b > 0", 0.8),
            (("b",), "a > 0 and b > 0", 0.6),
            (("b",), None, 0.85),
        ]
        display = display_of(rows).plot(kind="tree")
        assert names_in(display) == ["b by a, b", "a", "a by b", "b by every row"]

    def test_large_trees_are_cut_to_the_worst(self):
        names = [f"column_{i}" for i in range(9)]
        pairs = list(itertools.combinations(names, 2))
        rng = np.random.default_rng(0)
        rows = [((), f"{a} > 0", score) for a, score in zip(names, rng.random(9), strict=True)]
        rows += [
            ((), f"{a} > 0 and {b} > 0", score)
            for (a, b), score in zip(pairs, rng.random(36), strict=True)
        ]
        display = display_of(rows).plot(kind="tree")
        tree = display.table_
        assert 25 <= len(tree) <= 30
        assert f"{len(tree)} of 45 sets" in display.ax_.get_title(loc="left")
        left_out = np.sort([score for *_, score in rows])[len(tree) :]
        leaves = ~tree.index.isin(tree["parent"])
        assert tree["score"][leaves].max() < left_out.max()
        assert tree["score"].min() == min(score for *_, score in rows)
        assert (tree["parent"] < np.arange(len(tree))).all()

    def test_odd_names(self):
        rows = [((), "`y` > 0 and y == 1", 0.7), ((), "`a $x_$ b` > 0 and y == 1", 0.8)]
        rows.append(((), f"`{'long ' * 20}` > 0 and y == 1", 0.85))
        display = display_of(rows).plot(kind="tree")
        display.figure_.canvas.draw()
        first, second, third = names_in(display)
        assert (first, second) == ("`y`", "a $x_$ b")
        assert len(third) < 50


class TestAttributes:
    def test_numbers_by_hand(self):
        rows = [
            ((), "a > 0", 0.8),
            ((), "a > 1", 0.7),
            ((), "b > 0", 0.75),
            ((), "a > 0 and b > 0", 0.5),
            ((), "c > 0", 0.85),
            ((), "c > 0", np.nan),
            ((), "d > 0", np.nan),
        ]
        display = display_of(rows).plot(kind="attributes")
        table = display.table_.set_index("column")
        # sets: a .7, b .75, ab .5, c .85
        expected = pd.DataFrame(
            [
                [2, 2, 0.5, 0.75, 0.6, 0.8, 0.25],
                [2, 2, 0.5, 0.7, 0.625, 0.775, 0.2],
                [1, 3, 0.85, 0.5, 0.85, 0.7, -0.35],
            ],
            index=pd.Index(["a", "b", "c"], name="column"),
            columns=table.columns,
        )
        pd.testing.assert_frame_equal(table, expected)
        assert [name.split()[0] for name in names_in(display)] == ["a", "b", "c"]
        assert [name.split()[1] for name in names_in(display)] == ["+0.250", "+0.200", "-0.350"]

    def test_columns_hit_count_and_columns_of_all_do_not(self):
        rows = [(("a",), "c > 0 and y == 1", 0.7), (("b",), "c > 0 and y == 1", 0.8)]
        table = display_of(rows).plot(kind="attributes").table_
        assert list(table["column"]) == ["a", "b"]
        np.testing.assert_allclose(table["difference"], [0.1, -0.1])

    def test_many_columns_are_cut(self):
        rows = [((), f"column_{i} > 0", 0.5 + i / 100) for i in range(35)]
        display = display_of(rows).plot(kind="attributes")
        assert list(display.table_["column"]) == [f"column_{i}" for i in range(30)]
        assert "30 of 35 columns" in display.ax_.get_title(loc="left")


@pytest.mark.long
def test_every_kind_draws_where_it_is_told(several):
    import matplotlib.pyplot as plt

    display = AdversarialSearchDisplay.from_search(several)
    for kind in ("scores", "budgets", "tree", "attributes"):
        _, ax = plt.subplots()
        assert display.plot(kind, ax) is display
        assert display.ax_ is ax
        assert display.figure_ is ax.figure
        assert len(display.table_) > 0


@pytest.mark.long
def test_the_first_kind_is_the_default(several):
    display = AdversarialSearchDisplay.from_search(several).plot()
    assert dict(display.table_.itertuples(index=False, name=None)) == display.scores


def test_what_is_refused():
    display = display_of([((), "a > 0", 0.7), ((), "a > 1", 0.8)])
    with pytest.raises(ValueError, match=r"kind='beam' should be one of \['scores', 'budgets'"):
        display.plot(kind="beam")
    for kind in ("tree", "attributes"):
        with pytest.raises(ValueError, match="look at; 1 of them"):
            display.plot(kind=kind)
        with pytest.raises(ValueError, match="needs candidates="):
            AdversarialSearchDisplay({"clean": 0.9}).plot(kind=kind)
    with pytest.raises(NotFittedError):
        AdversarialSearchDisplay.from_search(AdversarialCorruptionSearch(Centroids(), "labels"))


@pytest.mark.parametrize(("interval", "sure"), [((0.02, 0.2), True), ((-0.05, 0.2), False)])
def test_a_confirmed_drop_that_may_be_none_is_not_in_red(interval, sure):
    scores = dict.fromkeys(["clean", "random, same size", "clean, confirmed"], 0.9)
    scores |= {"worst found": 0.7, "worst, confirmed": 0.8}
    ax = AdversarialSearchDisplay(scores, interval=interval, metric="accuracy").plot().ax_
    colours = {line.get_ydata()[0]: line.get_color() for line in ax.get_lines()[:-1]}
    (found, confirmed), random = (colours[k] for k in (3, 4)), colours[1]
    assert (confirmed == found) == sure
    assert (confirmed == random) == (not sure)
