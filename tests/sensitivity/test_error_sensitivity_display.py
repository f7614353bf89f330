"""The pictures show the numbers of the profiler."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import CorruptLabels, CorruptNoise, CorruptOutliers
from skcorrupt.sensitivity import ErrorSensitivityDisplay, ErrorSensitivityProfiler

KEYS = ["model", "corruption", "features"]


@pytest.fixture(scope="module")
def profiler():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3)), columns=["a", "b", "c"])
    y = (X["a"] + 0.3 * X["b"] > 0).astype(int)
    return ErrorSensitivityProfiler(
        {"tree": DecisionTreeClassifier(max_depth=3), "bayes": GaussianNB()},
        corruptions={
            "noise": CorruptNoise(scale=3.0),
            "outliers": CorruptOutliers(),
            "labels": CorruptLabels(),
        },
        levels=(0, 0.4, 0.8),
        n_repeats=16,
        random_state=0,
    ).fit(X, y)


@pytest.fixture(scope="module")
def display(profiler):
    return ErrorSensitivityDisplay.from_profiler(profiler)


def row_of(display, **wanted):
    rows = display.profiles
    for name, value in wanted.items():
        rows = rows[rows[name] == value]
    return rows.iloc[0]


def scores_of(display, row):
    curves = display.curves
    here = (curves[KEYS] == row[KEYS].to_numpy()).all(axis=1)
    return curves[here].pivot(index="repeat", columns="level", values="score").to_numpy()


def line_of(ax, label):
    return {line.get_label(): line for line in ax.get_lines()}[label]


@pytest.mark.slow
def test_profile(display):
    row = row_of(display, model="bayes", corruption="noise", features="a")
    display.plot(model="bayes", corruption="noise", features="a")
    ax = display.ax_
    assert display.figure_ is ax.figure and list(display.axes_) == [ax]
    scores = scores_of(display, row)
    level, mean = line_of(ax, "mean").get_data()
    assert level.tolist() == [0, 0.4, 0.8]
    np.testing.assert_allclose(mean, scores.mean(axis=0))
    np.testing.assert_allclose(line_of(ax, "baseline").get_ydata(), row["baseline"])
    assert line_of(ax, "baseline").get_linestyle() == "--"
    half = t.ppf(0.975, 15) * scores.std(axis=0, ddof=1) / np.sqrt(16)
    band = ax.collections[0].get_paths()[0].vertices
    for x, low, high in zip(level, mean - half, mean + half, strict=True):
        at = band[np.isclose(band[:, 0], x), 1]
        np.testing.assert_allclose([at.min(), at.max()], [low, high])
    assert [text.get_text() for text in ax.texts] == [f"{slope:+.2g}" for slope in row["slopes"]]
    places = [np.mean(regime) for regime in row["regimes"]]
    np.testing.assert_allclose([text.xy[0] for text in ax.texts], places)
    title = ax.get_title()
    assert title.startswith("bayes, noise: a\n")
    # with the digits that texts and tables have
    ends = ("", "_low", "_high")
    change = [float(number) / 100 for number in re.findall(r"([+-]\d+\.\d) %", title)]
    np.testing.assert_allclose(change, row[[f"aepc{end}" for end in ends]].tolist(), atol=5.1e-4)
    steadiness = [float(number) for number in re.findall(r"[+-]\d\.\d{3}", title)]
    np.testing.assert_allclose(steadiness, row[[f"epc{end}" for end in ends]].tolist(), atol=5.1e-4)
    assert (", matters\n" in title) == row["significant"]
    assert ax.get_ylabel() == "accuracy"
    display.figure_.canvas.draw()
    assert "20 %" in [label.get_text() for label in ax.get_xticklabels()]


@pytest.mark.parametrize(
    ("metric", "top"), [("accuracy", 1.0), ("AUC", 1.0), ("R²", 1.0), ("score", 1.4)]
)
def test_a_band_ends_where_the_score_does(metric, top):
    rows = [
        {"model": "m", "corruption": "noise", "features": "a", "repeat": repeat, "level": level,
         "score": score, "error": ""}
        for level in (0.0, 0.5) for repeat, score in enumerate((0.8, 1.0))
    ]  # fmt: skip
    row = dict.fromkeys(["epc", "epc_low", "epc_high", "aepc", "aepc_low", "aepc_high"], 0.0)
    profile = {"model": "m", "corruption": "noise", "features": "a", "baseline": 0.9,
               "slopes": [0.0], "regimes": [(0.0, 0.5)], "significant": False, **row}  # fmt: skip
    display = ErrorSensitivityDisplay(pd.DataFrame(rows), pd.DataFrame([profile]), metric=metric)
    band = display.plot().ax_.collections[0].get_paths()[0].vertices[:, 1]
    assert band.max() == pytest.approx(1.0) if top == 1 else band.max() > top
    assert band.min() == pytest.approx(0.0) if metric in ("accuracy", "AUC") else band.min() < 0


def test_the_shaded_area_is_that_between_curve_and_baseline():
    """A curve that goes below its baseline, and above it from halfway between two levels."""
    curves = pd.DataFrame(
        {
            "model": "m",
            "corruption": "c",
            "features": "f",
            "repeat": 0,
            "level": [0.0, 0.2, 0.4],
            "score": [0.8, 0.7, 0.9],
            "error": "",
        }
    )
    profile = {"model": "m", "corruption": "c", "features": "f", "baseline": 0.8}
    profile |= {"epc": -0.5, "epc_low": np.nan, "epc_high": np.nan, "aepc": np.nan}
    profile |= {"aepc_low": np.nan, "aepc_high": np.nan, "slopes": [-0.5, 1.0]}
    profile |= {"regimes": [(0.0, 0.2), (0.2, 0.4)], "significant": False}
    ax = ErrorSensitivityDisplay(curves, pd.DataFrame([profile])).plot().ax_
    assert ax.get_title() == (
        "m, c: f\nmean change (AEPC) undefined\nmay be noise, or too small\nsteadiness (EPC) -0.500"
    )
    areas = []
    for part in ax.collections[1:]:
        x, y = part.get_paths()[0].vertices.T
        areas.append(abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2)
    # two triangles: below over 0 to .3, above over .3 to .4
    np.testing.assert_allclose(areas, [0.3 * 0.1 / 2, 0.1 * 0.1 / 2])


@pytest.mark.long
def test_without_being_asked_it_is_the_largest_area(display):
    profiles = display.profiles
    largest = profiles.loc[profiles["aepc"].abs().idxmax()]
    expected = f"{largest['model']}, {largest['corruption']}: {largest['features']}"
    assert display.plot().ax_.get_title().startswith(expected)
    mine = profiles[(profiles["model"] == "tree") & (profiles["corruption"] == "outliers")]
    largest = mine.loc[mine["aepc"].abs().idxmax()]
    title = display.plot(model="tree", corruption="outliers").ax_.get_title()
    assert title.startswith(f"tree, outliers: {largest['features']}\n")


@pytest.mark.long
def test_on_given_axes(display):
    _, ax = plt.subplots()
    assert display.plot("heatmap", ax).ax_ is ax
    _, ax = plt.subplots()
    assert display.plot(ax=ax).ax_ is ax
    with pytest.raises(ValueError, match="ax should be None with kind='grid'"):
        display.plot("grid", ax)


@pytest.mark.long
def test_grid(display):
    display.plot("grid", model="bayes")
    rows = display.profiles[display.profiles["model"] == "bayes"]
    rows = rows.iloc[np.argsort(-rows["aepc"].abs().to_numpy(), kind="stable")]
    assert len(display.axes_) == len(rows) == 7 == len(display.figure_.axes)
    assert display.ax_ is display.axes_[0]
    assert display.figure_.get_suptitle() == "bayes"
    for ax, (_, row) in zip(display.axes_, rows.iterrows(), strict=True):
        features, corruption, area = ax.get_title().split("\n")
        assert (features, corruption) == (row["features"], row["corruption"])
        assert float(area.split()[0]) / 100 == pytest.approx(row["aepc"], abs=5.1e-4)
        assert area.endswith("*") == row["significant"]
        mean = line_of(ax, "mean").get_ydata()
        np.testing.assert_allclose(mean, scores_of(display, row).mean(axis=0))
        # what may be noise is not in red
        red = any(part.get_facecolor()[0, 0] > 0.7 for part in ax.collections)
        assert red == row["significant"]
    assert rows["significant"].any() and not rows["significant"].all()


def test_grid_of_a_corruption_and_of_many_scenarios(display):
    display.plot("grid", corruption="outliers")
    assert display.figure_.get_suptitle() == "tree"
    assert sorted(ax.get_title()[0] for ax in display.axes_) == ["a", "b", "c"]
    twice = [
        pd.concat([table, table.assign(corruption=table["corruption"] + " again")])
        for table in (display.curves, display.profiles)
    ]
    many = ErrorSensitivityDisplay(*twice).plot("grid")
    assert many.axes_.shape == (12,)
    areas = [abs(float(ax.get_title().split("\n")[2].split()[0])) for ax in many.axes_]
    assert areas == sorted(areas, reverse=True)


def test_heatmap(display):
    ax = display.plot("heatmap", corruption="outliers").ax_
    rows = display.profiles[display.profiles["corruption"] == "outliers"]
    models = [label.get_text() for label in ax.get_xticklabels()]
    features = [label.get_text() for label in ax.get_yticklabels()]
    assert models == ["tree", "bayes"] and sorted(features) == ["a", "b", "c"]
    shown = np.asarray(ax.images[0].get_array())
    assert (np.diff(shown.mean(axis=1)) >= 0).all()
    stars = {text.get_position() for text in ax.texts if text.get_text().endswith(" % *")}
    written = {text.get_position(): float(text.get_text().split()[0]) / 100 for text in ax.texts}
    strength = ax.images[0].get_alpha()
    for _, row in rows.iterrows():
        j, i = models.index(row["model"]), features.index(row["features"])
        assert shown[i, j] == pytest.approx(row["aepc"])
        assert ((j, i) in stars) == row["significant"] == (strength[i, j] == 1)
        assert written[j, i] == pytest.approx(row["aepc"], abs=5.1e-4)
    low, high = ax.images[0].get_clim()
    # the same for every error, so that pictures compare
    assert low == -high == -display.profiles["aepc"].abs().max()


def test_heatmap_of_labels_and_of_cells_that_are_not_known(display):
    ax = display.plot("heatmap", corruption="labels", model="bayes").ax_
    assert [label.get_text() for label in ax.get_yticklabels()] == ["rows"]
    profiles = display.profiles.copy()
    noise = profiles["corruption"] == "noise"
    profiles.loc[noise & (profiles["features"] == "a"), ["aepc", "significant"]] = np.nan, False
    ax = ErrorSensitivityDisplay(display.curves, profiles).plot("heatmap").ax_
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "a"
    assert ax.images[0].get_array().mask.tolist() == [[False] * 2, [False] * 2, [True] * 2]


@pytest.mark.parametrize("kind", ["profile", "grid", "heatmap"])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "forest"}, r"model='forest' should be one of \['tree', 'bayes'\]"),
        ({"corruption": "x"}, "corruption='x' should be one of .*'noise'.*'labels'"),
        (
            {"corruption": "labels", "features": "a"},
            r"features='a' should be one of \['rows'\]",
        ),
    ],
)
def test_wrong_arguments_are_named(display, kind, settings, message):
    with pytest.raises(ValueError, match=message):
        display.plot(kind, **settings)


def test_a_picture_that_there_is_not(display):
    with pytest.raises(ValueError, match="kind='pie' should be one of"):
        display.plot("pie")


@pytest.mark.parametrize("kind", ["profile", "grid", "heatmap"])
def test_nothing_to_show(display, kind):
    failed = ErrorSensitivityDisplay(display.curves.assign(score=np.nan), display.profiles)
    with pytest.raises(ValueError, match=r"has no score; the column 'error' of curves_"):
        failed.plot(kind)


def test_a_level_that_failed_is_left_out(display):
    curves = display.curves.copy()
    curves.loc[curves["level"] == 0.4, "score"] = np.nan
    ax = ErrorSensitivityDisplay(curves, display.profiles).plot().ax_
    assert line_of(ax, "mean").get_xdata().tolist() == [0, 0.8]


def test_without_a_baseline_there_is_no_area(display):
    profiles = display.profiles.assign(baseline=np.nan)
    ax = ErrorSensitivityDisplay(display.curves, profiles).plot().ax_
    assert "baseline" not in [line.get_label() for line in ax.get_lines()]
    assert len(ax.collections) == 1


def test_a_profiler_that_is_not_fitted_is_refused(profiler):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        ErrorSensitivityDisplay.from_profiler(clone(profiler))


def test_tables_hold_what_is_drawn(display):
    table = display.plot("profile", model="bayes", features="a", corruption="noise").table_
    line = display.ax_.get_lines()[0]
    np.testing.assert_array_equal(table["level"], line.get_xdata())
    np.testing.assert_array_equal(table["mean"], line.get_ydata())
    assert (table[KEYS] == ["bayes", "noise", "a"]).all(axis=None)
    assert (table["low"] < table["mean"]).any() and (table["mean"] <= table["high"]).all()
    table = display.plot("grid", model="tree").table_
    drawn = [line for ax in display.axes_ for line in ax.get_lines() if line.get_label() == "mean"]
    np.testing.assert_array_equal(
        table["mean"], np.concatenate([line.get_ydata() for line in drawn])
    )
    table = display.plot("heatmap", corruption="noise").table_
    (image,) = display.ax_.get_images()
    np.testing.assert_allclose(
        np.sort(table["aepc"]), np.sort(np.asarray(image.get_array()).ravel())
    )
