"""The pictures show the numbers of the audit."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.tree import DecisionTreeClassifier

from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor, ResponsivenessDisplay


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"a": rng.integers(0, 5, 60), "b": rng.integers(0, 3, 60), "g": rng.integers(0, 2, 60)}
    )


@pytest.fixture(scope="module")
def auditor(X):
    model = DecisionTreeClassifier(max_depth=3, random_state=0)
    model.fit(X, (X["a"] + X["b"] + X["g"] > 4).astype(int))
    actions = ActionSet.from_data(X, actionable=["a", "b"])
    return ResponsivenessAuditor(model, actions, target=1, task="preclusion", random_state=0).fit(X)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_distribution(auditor, X):
    display = ResponsivenessDisplay.from_auditor(auditor, by="g").plot()
    assert display.figure_ is display.ax_.figure
    labels = [line.get_label() for line in display.ax_.get_lines()]
    groups = auditor.by_group(by="g")["n_people"]
    assert labels == [f"{g} ({n})" for g, n in groups.items()] + ["threshold"]
    x, y = display.ax_.get_lines()[0].get_data()
    lines = display.ax_.get_lines()[:-1]
    assert len({line.get_linestyle() for line in lines}) == len(lines) > 1
    shares = auditor.results_["responsiveness"][X["g"] == 0]
    assert y[x <= 0.3].max() == pytest.approx((shares <= 0.3).mean())


def test_verdicts(auditor):
    ax = ResponsivenessDisplay.from_auditor(auditor, by="g").plot("verdicts").ax_
    widths = np.array([[bar.get_width() for bar in part] for part in ax.containers]).T
    expected = auditor.by_group(by="g")[["responsive", "undecided", "unresponsive"]]
    np.testing.assert_allclose(widths, expected.to_numpy())
    # the form that texts and tables have, where there is room
    told = [text.get_text() for text in ax.texts if text.get_text()]
    assert sorted(told) == sorted(f"{100 * w:.1f} %" for w in widths.ravel() if w >= 0.12)


def test_people_without_a_group_are_shown(auditor):
    groups = np.array([None, "p", "q"] * 20, dtype=object)
    groups = groups[: len(auditor.results_)]
    display = ResponsivenessDisplay(auditor.results_, groups=groups).plot("verdicts")
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    counts = pd.Series(groups).fillna("missing").value_counts()
    assert sorted(names) == [f"{name} ({counts[name]})" for name in sorted(counts.index)]


def test_attributions(auditor):
    _, ax = plt.subplots()
    display = ResponsivenessDisplay.from_auditor(auditor, attributions=True)
    assert display.plot("attributions", ax=ax).ax_ is ax
    means = auditor.attributions_.groupby("feature")["responsiveness"].mean()
    bars = dict(zip([t.get_text() for t in ax.get_yticklabels()], ax.patches, strict=True))
    assert {name: bar.get_width() for name, bar in bars.items()} == pytest.approx(means.to_dict())
    low, high = ax.collections[0].get_segments()[0][:, 0]
    assert low < max(means) < high


@pytest.mark.parametrize("direction", ["at_most", "at_least"])
def test_power(auditor, direction):
    display = ResponsivenessDisplay(
        auditor.results_, n_samples=203, epsilon=0.1, alpha=0.05, direction=direction
    ).plot("power")
    truth, power = display.ax_.get_lines()[0].get_data()
    s = np.arange(204)
    if direction == "at_most":
        claims = binom.cdf(s, 203, 0.1) <= 0.05
    else:
        claims = binom.sf(s - 1, 203, 0.1) <= 0.05
    k = 25
    assert power[k] == pytest.approx(binom.pmf(s, 203, truth[k])[claims].sum())
    assert np.all(power[(truth >= 0.1) if direction == "at_most" else (truth <= 0.1)] <= 0.05)


def test_tables_hold_what_is_drawn(auditor):
    display = ResponsivenessDisplay.from_auditor(auditor, by="g", attributions=True)
    verdicts = display.plot("verdicts").table_.set_index("group")
    summary = auditor.by_group(by="g")
    pd.testing.assert_frame_equal(
        verdicts, summary[["n_people", *verdicts.columns[1:]]], check_names=False
    )
    drawn = display.plot("distribution").table_
    assert len(drawn) == len(auditor.results_)
    for line, (_, part) in zip(display.ax_.get_lines(), drawn.groupby("group"), strict=False):
        np.testing.assert_array_equal(line.get_xdata()[1:-1], part["responsiveness"])
    table = display.plot("attributions").table_
    assert table["responsiveness"].tolist() == [bar.get_width() for bar in display.ax_.patches]
    assert (table["ci_low"] <= table["responsiveness"]).all()
    line = display.plot("power").ax_.get_lines()[0]
    np.testing.assert_array_equal(display.table_["power"], line.get_ydata())


def test_an_audit_of_nobody_has_pictures(auditor):
    display = ResponsivenessDisplay(auditor.results_.head(0))
    for kind in ("distribution", "verdicts"):
        assert display.plot(kind).table_.empty


def test_what_cannot_be_drawn_is_refused(auditor):
    display = ResponsivenessDisplay(auditor.results_)
    with pytest.raises(ValueError, match="kind='pie' should be one of"):
        display.plot("pie")
    with pytest.raises(ValueError, match=r"it is None.*attributions=True to"):
        display.plot("attributions")
    with pytest.raises(ValueError, match="kind='power' needs n_samples="):
        display.plot("power")
    assert len(display.plot("verdicts").ax_.get_yticks()) >= 1


def test_kind_comes_before_axes(auditor):
    _, ax = plt.subplots()
    display = ResponsivenessDisplay.from_auditor(auditor)
    assert display.plot("verdicts", ax).ax_ is ax and display.figure_ is ax.figure
    with pytest.raises(ValueError, match="kind='pie' should be one of"):
        display.plot("pie")
    with pytest.raises(TypeError, match="ax='here' should be matplotlib Axes"):
        display.plot("verdicts", "here")
