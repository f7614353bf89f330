"""Other Python processes that tests start, and what becomes of them."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60


@contextmanager
def started(code, *arguments, **environment):
    """A process that runs code, in a group of its own of which nothing is left behind.

    What it imports has the names that it has here, so that its journals can be gone on from.
    """
    folders = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")])
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": folders, "OMP_NUM_THREADS": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=os.name == "posix",
    ) as child:
        try:
            yield child
        finally:
            if os.name != "posix":
                child.kill()
            elif alive(child.pid):
                os.killpg(child.pid, signal.SIGKILL)


def wait_for(condition):
    """Return once it holds, fail where it does not within a minute."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(group):
    """Whether any process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
