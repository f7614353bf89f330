"""What every test file shares: settings that must come first, and the real data."""

import os

# Read by matplotlib when it is first imported, so it has to be set before any test file is.
os.environ["MPLBACKEND"] = "Agg"

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

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
    """Searches of fewer fits around the search itself, for tests that are not about these.

    Random errors and noisy leaders are drawn less often, and what the defaults leave out is not
    tried afterwards.
    """
    from skcorrupt.adversarial import _alternatives, _draws, _run
    from skcorrupt.adversarial.strategies import (
        _process_climb,
        _screening,
        _screening_run,
        _settling,
    )

    for module in (_screening, _screening_run):
        monkeypatch.setattr(module, "JUDGED", 8)
    for module in (_draws, _run):
        monkeypatch.setattr(module, "N_DRAWS", 2)
    monkeypatch.setattr(_settling, "LEAST", 0)
    monkeypatch.setattr(_settling, "FIRST", 2)
    monkeypatch.setattr(_settling, "AT_ONCE", 1)
    for name in ("STARTS", "PAIRED", "ROUNDS"):
        monkeypatch.setattr(_process_climb, name, 1)
    monkeypatch.setattr(_alternatives.Alternatives, "relax", lambda self: None)


@pytest.fixture(autouse=True)
def _no_figure_left_open():
    """Close what a test drew: matplotlib warns about many open figures, which is an error here."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
