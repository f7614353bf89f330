"""What every test file shares: settings that must come first, and the real data."""

import os

# Read by matplotlib when it is first imported, so it has to be set before any test file is.
os.environ["MPLBACKEND"] = "Agg"
# The two workers share the cores; read by OpenMP and BLAS when first loaded, in workers too.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from few_fits import make_few_fits

DATA_VARIABLE = "SKCORRUPT_DATA"

# a shell has programs in the background ignore Ctrl-C, which some tests send to themselves
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("local", deadline=None, database=None, max_examples=50)
settings.register_profile(
    "ci", deadline=None, database=None, max_examples=50, derandomize=True, print_blob=True
)
settings.load_profile("ci" if os.environ.get("CI") else "local")


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
def few_fits(monkeypatch):
    """Searches of fewer fits around the search itself, for tests that are not about these."""
    make_few_fits(monkeypatch)


@pytest.fixture
def no_alternatives(monkeypatch):
    """Searches that try no other classes when they are done, for tests that do not look at these.

    What they find is the same.
    """
    from skcorrupt.adversarial._alternatives import Alternatives

    monkeypatch.setattr(Alternatives, "relax", lambda self: None)


@pytest.fixture(autouse=True)
def _no_figure_left_open():
    """Close what a test drew: matplotlib warns about many open figures, which is an error here."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
