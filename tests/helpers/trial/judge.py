"""What is wrong with how a call went: raw errors and warnings, changed inputs, draws, hangs."""

import copy
import dis
import faulthandler
import inspect
import random
import re
import signal
import sys
import traceback
import warnings
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.exceptions import FitFailedWarning

import skcorrupt

SECONDS = 20.0
# beyond this, C code that listens to no signal hangs: all threads are shown and the process ends
LAST_RESORT = 120
DEEP = 12

OURS = str(Path(skcorrupt.__file__).parent)
# Their checks name what is wrong with data and parameters.
THEIRS = ("/sklearn/", "/imblearn/")
USERS = str(Path(__file__).parent)
# Checks of a corruption fail like those of a test suite.
ASSERTIONS = f"{OURS}/testing/"
DELIBERATE = (ValueError, TypeError, AttributeError, ImportError, OSError, NotImplementedError)
RAW_WARNINGS = (RuntimeWarning, FutureWarning, DeprecationWarning, SyntaxWarning, BytesWarning)
# What Python, NumPy and pandas say, by itself or behind a name.
RAW_MESSAGE = re.compile(
    r"""(\w+:\ )?(
    '[\w.]+'\ object\ |unhashable\ type|cannot\ unpack|invalid\ literal|could\ not\ convert
    |[\w.<>]+\(\)\ (got|takes|missing|argument)|argument\ of\ type|The\ truth\ value
    |unsupported\ operand|'\S+'\ not\ supported|index\ \S+\ (is\ )?out|maximum\ recursion
    |must\ be\ real|embedded\ null|operands\ could|int\ too\ large|Python\ int|setting\ an
    |cannot\ convert|Exceeds\ the\ limit|iteration\ over)""",
    re.VERBOSE,
)
# Kept by a fitted object when they are first asked for.
CACHES = {"_attributions"}
# Places that a message may name in place of the parameter: data and parts of it.
PLACES = set(
    re.findall(
        r"\w+",
        """X y L data array input matrix column columns feature features sample samples n_samples
        row rows label labels class target targets vote votes estimator model scorer scorers split
        splits pattern corruptions parameter""",
    )
)


class Hang(BaseException):
    """A call took longer than any may; no `except Exception` swallows it."""


class Planted(Exception):
    """What an odd model, scorer or function of the trial raises; it may come through as it is."""


def faults(call, inputs, names, seconds=SECONDS):
    """What is wrong with how a call goes, as texts; none if it went well or was refused well.

    Parameters
    ----------
    call : callable
        Called without arguments.
    inputs : object
        All that is handed to it, which may not change.
    names : set of str
        Names, one of which a refusal has to mention.
    seconds : float
        How long it may take.
    """
    before = picture(inputs)
    draws = global_draws()
    found = []
    with raw_warnings() as raw:
        try:
            with deadline(seconds):
                call()
        except Hang as hang:
            found.append(f"hang of {seconds:g} s at {place(hang)}")
        except (Exception, SystemExit) as error:
            found += error_faults(error, names)
    found += raw
    if global_draws() != draws:
        found.append("draws from or seeds the global random state")
    if picture(inputs) != before:
        found.append("changes an input")
    return found


@contextmanager
def deadline(seconds):
    """Raise `Hang` in what takes longer, again and again in case it is swallowed."""

    def stop(signum, frame):
        raise Hang

    previous = signal.signal(signal.SIGALRM, stop)
    faulthandler.dump_traceback_later(LAST_RESORT, exit=True, file=sys.__stderr__)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, previous)


@contextmanager
def raw_warnings():
    """Collect warnings that our own code let come through from below, where they come from."""
    found = []

    def note(message, category, filename, lineno, file=None, line=None):
        if not issubclass(category, RAW_WARNINGS) or issubclass(category, FitFailedWarning):
            return
        frame = sys._getframe(1)
        # what shows a warning once only hands it on
        while frame is not None and (
            frame.f_code.co_filename.endswith("_warned_once.py")
            or not is_known(frame.f_code.co_filename, (USERS,))
        ):
            frame = frame.f_back
        if frame is not None and frame.f_code.co_filename.startswith(OURS):
            where = f"{short(frame.f_code.co_filename)}:{frame.f_lineno}"
            found.append(f"{category.__name__}: {str(message)[:120]} at {where}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        yield found
        found[:] = dict.fromkeys(found)


def is_known(filename, others=()):
    return filename.startswith((OURS, *others)) or any(part in filename for part in THEIRS)


def error_faults(error, names):
    """What is wrong with an exception: not deliberate, raw, or naming nothing."""
    if isinstance(error, Planted):
        return []
    said = f"{type(error).__name__}: {str(error)[:160]!r} at {place(error)}"
    # of look-ups a KeyError is expected, with a sentence that says what there is
    look_up = isinstance(error, (KeyError, IndexError)) and " " in str(error) and was_raised(error)
    frame = list(traceback.walk_tb(error.__traceback__))[-1][0]
    innermost = frame.f_code.co_filename
    checked = isinstance(error, AssertionError) and innermost.startswith(ASSERTIONS)
    if not isinstance(error, DELIBERATE) and not look_up and not checked:
        return [f"not a deliberate error: {said}"]
    if isinstance(error, OSError) and error.filename is not None:
        # the system names the file
        return []
    if not is_known(innermost) or not was_raised(error):
        return [f"not raised on purpose: {said}"]
    if RAW_MESSAGE.match(str(error)):
        return [f"raw message: {said}"]
    words = set(re.findall(r"\w+", str(error)))
    words |= {word.lower() for word in words}
    if not words & (names | PLACES):
        return [f"names nothing: {said}"]
    return []


def was_raised(error):
    """Whether a `raise` statement made the exception, where it came from."""
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    operation = last.tb_frame.f_code.co_code[last.tb_lasti]
    return dis.opname[operation] in ("RAISE_VARARGS", "RERAISE")


def place(error):
    """Innermost frame, and the innermost one of ours where that is another."""
    frames = [
        f"{short(frame.f_code.co_filename)}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    ours = [
        f"{short(frame.f_code.co_filename)}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith(OURS)
    ]
    if not ours or ours[-1] == frames[-1]:
        return frames[-1]
    return f"{frames[-1]}, from {ours[-1]}"


def short(filename):
    """The end of a path."""
    return "/".join(Path(filename).parts[-2:])


def global_draws():
    """State of the two global generators."""
    name, keys, position, has_gauss, cached = np.random.get_state()  # noqa: NPY002
    return name, keys.tobytes(), position, has_gauss, cached, random.getstate()


def picture(thing, depth=0, seen=()):
    """A value that differs where a thing was changed, built of plain Python."""
    if depth > DEEP or id(thing) in seen:
        return type(thing).__name__
    inner = {"depth": depth + 1, "seen": (*seen, id(thing))}
    if isinstance(thing, (type, ModuleType)) or inspect.isroutine(thing):
        return repr(thing)
    if isinstance(thing, np.ma.MaskedArray):
        return picture(thing.data, **inner), picture(np.ma.getmaskarray(thing), **inner)
    if isinstance(thing, np.ndarray):
        plain = thing.dtype != object
        cells = thing.tobytes() if plain else tuple(picture(c, **inner) for c in thing.ravel())
        return str(thing.dtype), thing.shape, thing.flags.writeable, cells
    if sparse.issparse(thing):
        coo = copy.copy(thing).tocoo(copy=True)
        parts = (coo.row, coo.col, coo.data)
        return type(thing).__name__, thing.shape, str(thing.dtype), *map(picture, parts)
    if isinstance(thing, pd.DataFrame):
        columns = [picture(thing.iloc[:, j], **inner) for j in range(thing.shape[1])]
        return "frame", picture(thing.columns, **inner), picture(thing.index, **inner), columns
    if isinstance(thing, (pd.Series, pd.Index)):
        index = picture(thing.index, **inner) if isinstance(thing, pd.Series) else None
        return str(thing.dtype), str(thing.name), index, repr(thing.tolist())
    if isinstance(thing, (list, tuple, set, frozenset)):
        return type(thing).__name__, [picture(each, **inner) for each in thing]
    if isinstance(thing, dict):
        return [(picture(k, **inner), picture(v, **inner)) for k, v in thing.items()]
    if hasattr(thing, "to_dict") and type(thing).__module__.startswith("polars"):
        return repr(thing.to_dict(as_series=False) if hasattr(thing, "columns") else list(thing))
    if isinstance(thing, np.random.RandomState | np.random.Generator):
        # drawing from it is what it is given for
        return type(thing).__name__
    if hasattr(thing, "__dict__"):
        state = {name: value for name, value in vars(thing).items() if name not in CACHES}
        return type(thing).__name__, picture(state, **inner)
    if isinstance(thing, int):
        # Python writes no more than some thousand digits
        return "int", thing
    return type(thing).__name__, repr(thing)[:1000]
