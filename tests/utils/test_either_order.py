"""Every display takes a kind of picture and axes in either order."""

import pytest

import fitted_systems
from skcorrupt.adversarial import AdversarialSearchDisplay
from skcorrupt.curation import AdversarialOrderDisplay
from skcorrupt.responsiveness import ResponsivenessDisplay

plt = pytest.importorskip("matplotlib.pyplot")

MAKERS = {
    "search": AdversarialSearchDisplay.from_search,
    "auditor": ResponsivenessDisplay.from_auditor,
    "curator": AdversarialOrderDisplay.from_curator,
}
KINDS = {
    "search": ("scores", "attributes"),
    "auditor": ("distribution", "verdicts"),
}


@pytest.fixture(scope="module")
def displays():
    return {name: make(fitted_systems.SYSTEMS[name]()) for name, make in MAKERS.items()}


@pytest.fixture
def ax():
    yield plt.subplots()[1]
    plt.close("all")


def label_of(display):
    return display.ax_.get_xlabel()


@pytest.mark.parametrize("name", MAKERS)
def test_axes_come_first_or_by_name(displays, ax, name):
    display = displays[name]
    assert display.plot(ax).ax_ is ax
    assert display.plot(ax=ax).ax_ is ax and display.figure_ is ax.figure
    assert len(display.table_)
    assert display.plot().ax_ is not ax


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_comes_first_second_or_by_name(displays, ax, name):
    display, (first, other) = displays[name], KINDS[name]
    assert label_of(display.plot(kind=first)) != label_of(display.plot(kind=other))
    wanted = label_of(display)
    for args, kwargs in (
        ((other,), {}),
        ((other,), {"ax": ax}),
        ((ax,), {"kind": other}),
        ((None,), {"kind": other}),
        ((), {"kind": other, "ax": ax}),
    ):
        ax.clear()
        display.plot(first)
        assert label_of(display.plot(*args, **kwargs)) == wanted
        assert (display.ax_ is ax) == (ax in args or "ax" in kwargs)


@pytest.mark.parametrize("name", ["auditor"])
def test_both_may_stand_in_either_order(displays, ax, name):
    display, other = displays[name], KINDS[name][1]
    wanted = label_of(display.plot(other))
    for args in ((other, ax), (ax, other)):
        ax.clear()
        assert label_of(display.plot(*args)) == wanted and display.ax_ is ax


@pytest.mark.parametrize("name", KINDS)
def test_what_is_given_twice_is_refused(displays, ax, name):
    display, other = displays[name], KINDS[name][1]
    with pytest.raises(TypeError, match="was given kind twice"):
        display.plot(other, kind=other)
    with pytest.raises(TypeError, match="was given ax twice"):
        display.plot(ax, ax=ax)


@pytest.mark.parametrize("name", KINDS)
def test_other_arguments_are_refused(displays, ax, name):
    with pytest.raises(ValueError, match="kind='pie' should be one of"):
        displays[name].plot("pie")
    with pytest.raises(TypeError, match="positional argument"):
        displays[name].plot(KINDS[name][0], ax, 3)
