"""What all displays share: the kind of picture first, then the axes to draw on."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

import fitted_systems
from skcorrupt.adversarial import AdversarialSearchDisplay
from skcorrupt.curation import AdversarialOrderDisplay
from skcorrupt.fairness import StageFairnessDisplay
from skcorrupt.responsiveness import ResponsivenessDisplay
from skcorrupt.sensitivity import ErrorSensitivityDisplay
from skcorrupt.utils import fitted_text

MAKERS = {
    "search": (AdversarialSearchDisplay.from_search, "scores"),
    "profiler": (ErrorSensitivityDisplay.from_profiler, "heatmap"),
    "ablator": (StageFairnessDisplay.from_ablator, "effects"),
    "auditor": (ResponsivenessDisplay.from_auditor, "verdicts"),
    "curator": (AdversarialOrderDisplay.from_curator, "bounds"),
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(params=MAKERS)
def display_and_kind(request):
    make, kind = MAKERS[request.param]
    return make(getattr(fitted_systems, request.param)()), kind


@pytest.mark.many
def test_a_kind_comes_first_and_axes_second(display_and_kind):
    display, kind = display_and_kind
    _, ax = plt.subplots()
    assert display.plot(kind, ax).ax_ is ax
    assert display.plot(ax=ax, kind=kind).figure_ is ax.figure
    assert display.plot(kind).ax_ is not ax


@pytest.mark.many
def test_what_is_no_kind_and_what_are_no_axes_is_refused(display_and_kind):
    display, kind = display_and_kind
    with pytest.raises(ValueError, match="kind="):
        display.plot("nothing")
    with pytest.raises(TypeError, match="ax=3 should be matplotlib Axes"):
        display.plot(kind, 3)


@pytest.mark.parametrize("width", [3.0, 6.5, 10.0])
def test_a_long_title_ends_within_its_figure(width):
    figure = Figure(figsize=(width, 3), layout="constrained")
    ax = figure.subplots()
    ax.set_yticks([0], ["a long name of a row"])
    said = "Losing values in most rows where area > 1800 and smoothness > 0.14: 0.967 → 0.805. " * 2
    title = ax.set_title(fitted_text(said, ax), fontsize="medium", loc="left")
    figure.canvas.draw()
    assert " ".join(title.get_text().split()) == said.strip()
    assert title.get_window_extent().x1 <= figure.bbox.x1
