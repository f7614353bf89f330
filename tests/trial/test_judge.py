"""The judge of the trial: planted faults are seen, good calls and good refusals are not."""

import random
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from skcorrupt import CorruptMissing
from trial.calls import Call, targets
from trial.judge import OURS, RAW_MESSAGE, faults, picture
from trial.models import raises


def planted(body):
    """A function that looks as if it were the package's own."""
    source = "\n    ".join(["def planted(thing=None):", *body.splitlines()])
    space = {"np": np, "warnings": warnings}
    exec(compile(source, f"{OURS}/planted.py", "exec"), space)
    return space["planted"]


def judged(body, names=("rate",)):
    """What the judge says of a function of the package with such a body."""
    return faults(planted(body), None, set(names))


@pytest.mark.parametrize(
    "body",
    [
        "None.shape",
        "{}['x']",
        "[][0]",
        "hash([])",
        "int('x')",
        "1 / 0",
        "float(10**400)",
        "'x' < 1",
        "bool(np.zeros(2))",
        "planted(no_such_argument=1)",
        "planted()",
        "assert False, 'rate'",
        "raise KeyError('rate')",
        "raise IndexError('rate')",
        "raise RuntimeError('rate')",
        "raise SystemExit('rate')",
        "raise ValueError('rate') if thing else None.rate",
    ],
)
def test_raw_errors_are_seen(body):
    (fault,) = judged(body)
    assert fault.startswith("not ")
    assert "planted.py" in fault


@pytest.mark.parametrize(
    "message",
    [
        "'NoneType' object has no attribute 'rate'",
        "unhashable type: 'list'",
        "f() got an unexpected keyword argument 'rate'",
        "could not convert string to float: 'rate'",
        "The truth value of an array is ambiguous: rate",
        "'<' not supported between instances of 'str' and 'int', rate",
        "embedded null byte in rate",
    ],
)
def test_raw_messages_are_seen_where_they_are_handed_on(message):
    assert RAW_MESSAGE.match(message)
    (fault,) = judged(f"raise ValueError({message!r})")
    assert fault.startswith("raw message")


def test_a_refusal_names_the_parameter_or_the_place():
    assert judged("raise ValueError('rate=2 should be at most 1')") == []
    assert judged("raise TypeError('column a holds lists')") == []
    (fault,) = judged("raise ValueError('this should be at most 1')")
    assert fault.startswith("names nothing")
    (fault,) = judged("raise ValueError('this should be at most 1')", names=["limit"])
    assert fault.startswith("names nothing")


def test_an_error_from_elsewhere_is_no_refusal():
    def elsewhere():
        raise ValueError("rate should be at most 1")

    (fault,) = faults(elsewhere, None, {"rate"})
    assert fault.startswith("not raised on purpose")
    # what the trial's own models and scorers raise may come through
    assert faults(raises, None, set()) == []


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: np.zeros(3), "thing[0] = 1"),
        (lambda: [1, [2]], "thing[1].append(3)"),
        (lambda: {"a": {1}}, "thing['a'].add(2)"),
        (lambda: pd.DataFrame({"a": [1.0, 2.0]}), "thing.iloc[0, 0] = 5"),
        (lambda: pd.DataFrame({"a": [1.0, 2.0]}), "thing.columns = ['b']"),
        (lambda: pd.DataFrame({"a": [1.0, 2.0]}), "thing.index = [5, 6]"),
        (lambda: pd.DataFrame({"a": [1, 2]}), "thing['a'] = thing['a'].astype(float)"),
        (lambda: pd.DataFrame({"a": [[1], [2]]}), "thing['a'][0].append(2)"),
        (lambda: pd.Series([1, 2]), "thing.iloc[1] = 1"),
        (lambda: sparse.csr_matrix(np.eye(2)), "thing.data[0] = 7"),
        (lambda: CorruptMissing(), "thing.rate = 0.5"),
        (lambda: CorruptMissing(columns=["a"]), "thing.columns.append('b')"),
    ],
)
def test_changed_inputs_are_seen(make, change):
    thing = make()
    assert faults(lambda: planted("thing")(thing), {"X": thing}, set()) == []
    found = faults(lambda: planted(change)(thing), {"X": thing}, set())
    assert found == ["changes an input"]


def test_a_read_only_array_that_is_made_writeable_is_seen():
    array = np.zeros(3)
    array.flags.writeable = False
    before = picture(array)
    array.flags.writeable = True
    assert picture(array) != before


def test_a_hang_is_seen_even_where_everything_is_caught():
    body = """import time
while True:
    try:
        time.sleep(0.01)
    except Exception:
        pass"""
    began = time.monotonic()
    (fault,) = faults(planted(body), None, set(), seconds=0.2)
    assert fault.startswith("hang") and "planted.py" in fault
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("draw", ["np.random.rand()", "np.random.seed(0)"])
def test_use_of_the_global_generator_is_seen(draw):
    state = np.random.get_state()  # noqa: NPY002
    assert judged(draw) == ["draws from or seeds the global random state"]
    np.random.set_state(state)  # noqa: NPY002
    state = random.getstate()
    assert faults(random.random, None, set()) == ["draws from or seeds the global random state"]
    random.setstate(state)


def test_raw_warnings_are_seen():
    (fault,) = judged("np.zeros(2) / np.zeros(2)")
    assert fault.startswith("RuntimeWarning") and "planted.py" in fault
    assert judged("warnings.warn('rate is high', UserWarning)") == []


@pytest.mark.parametrize("body", ["None.shape", "thing.X.iloc[0, 0] = 7"])
def test_faults_planted_in_a_class_are_seen_by_its_calls(monkeypatch, body):
    def spoilt(self, X, y=None):
        return planted(body)(type("Given", (), {"X": X}))

    monkeypatch.setattr(CorruptMissing, "corrupt", spoilt)
    target = next(targets("CorruptMissing"))
    assert Call(target, "rate", "0.3", lambda _: 0.3).faults() != []
