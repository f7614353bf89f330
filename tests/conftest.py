"""What every test file shares: settings that must come first, and the real data."""

import functools
import gc
import inspect
import os

# Read by matplotlib when it is first imported, so it has to be set before any test file is.
os.environ["MPLBACKEND"] = "Agg"
# The two workers share the cores; read by OpenMP and BLAS when first loaded, in workers too.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import re
import signal
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies
from sklearn.base import BaseEstimator

from few_fits import draws_many, make_few_draws, make_few_fits

# Python 3.12 keeps the answer for each class, before it a third of the time in which
# scikit-learn checks a table goes into asking for it again
if sys.version_info < (3, 12):
    inspect._shadowed_dict = functools.lru_cache(inspect._shadowed_dict)

# scikit-learn reads the names of parameters off a signature with each clone, a tenth of the time
# of searches whose fits take milliseconds; a class has the same ones all the time
BaseEstimator._get_param_names = classmethod(
    functools.cache(BaseEstimator._get_param_names.__func__)
)

DATA_VARIABLE = "SKCORRUPT_DATA"
PART_VARIABLE = "SKCORRUPT_TEST_PART"

# a shell has programs in the background ignore Ctrl-C, which some tests send to themselves
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the same examples in each run, so that what passes here passes elsewhere; others are looked for
# with --hypothesis-profile=random
settings.register_profile(
    "same", deadline=None, database=None, max_examples=50, derandomize=True, print_blob=True
)
settings.register_profile("random", settings.get_profile("same"), derandomize=False)
settings.load_profile("same")


@settings(max_examples=1, database=None)
@given(strategies.none())
def _first_example(_):
    """Have hypothesis make its generator of random numbers: it looks for it among what is live."""


# modules and tests stay to the end, so that looking for garbage among them, again and again as
# their number grows and in every full collection while tests run, finds nothing and takes time
@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect the tests, and leave what they are made of out of what is looked through later."""
    gc.disable()
    try:
        return (yield)
    finally:
        # hypothesis warns of a generator that nothing holds, and cannot see what is frozen
        _first_example()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Leave what takes long to the slow checks, and of many cases all but the first.

    Of all tests those of one part are run where one is asked for.
    """
    seen = set()
    for item in items:
        whole = item.nodeid.partition("[")[0]
        is_later = item.get_closest_marker("many") is not None and whole in seen
        if is_later or item.get_closest_marker("long") is not None:
            item.add_marker("slow")
        seen.add(whole)
    asked = os.environ.get(PART_VARIABLE)
    if asked:
        config.hook.pytest_deselected(items=_keep_part(items, asked))


def _keep_part(items, asked):
    """Cut the tests down to one of several parts, the same on every machine; return the others."""
    found = re.fullmatch(r"(\d+)/(\d+)", asked)
    if not found or int(found[1]) >= int(found[2]):
        raise pytest.UsageError(
            f"{PART_VARIABLE}={asked!r} should be a part and how many there are, from 0/8 to 7/8"
        )
    part, n_parts = map(int, found.groups())
    kept = [zlib.crc32(item.nodeid.encode()) % n_parts == part for item in items]
    others = [item for item, keep in zip(items, kept, strict=True) if not keep]
    items[:] = [item for item, keep in zip(items, kept, strict=True) if keep]
    return others


@pytest.fixture(scope="session")
def data_dir():
    """The folder of real data sets, or a skip that says how to get at it."""
    value = os.environ.get(DATA_VARIABLE)
    if not value:
        pytest.skip(f"{DATA_VARIABLE} is unset; point it at the folder of real data sets")
    path = Path(value)
    if not path.is_dir():
        pytest.fail(f"{DATA_VARIABLE}={value} is not a folder", pytrace=False)
    return path


@pytest.fixture
def few_fits(request, monkeypatch):
    """Searches of fewer fits around the search itself, for tests that are not about these."""
    make_few_fits(monkeypatch, few_draws=not draws_many(request.node))


@pytest.fixture
def few_draws(request, monkeypatch):
    """Searches that hardly draw their leaders again, for tests that are not about which leads."""
    if not draws_many(request.node):
        make_few_draws(monkeypatch)


@pytest.fixture
def no_alternatives(monkeypatch):
    """Searches that try no other classes when they are done, for tests that do not look at these.

    What they find is the same.
    """
    from skcorrupt.adversarial._alternatives import Alternatives

    monkeypatch.setattr(Alternatives, "relax", lambda self: None)
    monkeypatch.setattr(Alternatives, "draw", lambda self: None)


@pytest.fixture
def undrawn(monkeypatch):
    """Pages with captions but no pictures, for tests of what texts and tables say."""
    from skcorrupt.report import _pictures
    from skcorrupt.report._html import rich, tag

    def captioned(picture, _):
        return tag("figure", tag("figcaption", rich(picture.caption)))

    monkeypatch.setattr(_pictures, "_figure", captioned)


@pytest.fixture(autouse=True)
def _no_figure_left_open():
    """Close what a test drew: matplotlib warns about many open figures, which is an error here."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
