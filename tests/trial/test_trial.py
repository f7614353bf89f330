"""Bad and odd calls of every public name: refused with a reason, or done, and nothing else."""

import random

import pytest

from trial.calls import calls, targets
from trial.entries import ENTRIES, Left, public_names

TRIED = [name for name, entry in ENTRIES.items() if not isinstance(entry, Left)]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Odd paths are written here."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text("not what you expect")


def report(tried):
    """A line for everything that is wrong with calls."""
    return [f"{call}: {fault}" for call in tried for fault in call.faults()]


def test_every_public_name_has_an_entry():
    assert set(ENTRIES) == set(public_names())


@pytest.mark.parametrize("name", TRIED)
def test_valid_calls_are_without_fault(name):
    for target in targets(name):
        given = target.arguments()
        target.call(**given)


def test_a_sample_of_odd_calls():
    every = [call for name in TRIED for call in calls(name)]
    found = report(random.Random(0).sample(every, 60))
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIED)
def test_odd_calls(name):
    found = report(calls(name))
    assert not found, "\n".join(found)
