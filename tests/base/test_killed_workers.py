"""Workers that are killed: what is written and counted is what it would be without."""

import os
import signal

import numpy as np
import polars as pl
import pytest
from joblib import parallel_config
from joblib.externals.loky.process_executor import TerminatedWorkerError

from skcorrupt import FeatureCorruption
from skcorrupt.evaluation import corrupt_to_parquet
from skcorrupt.utils import _sources
from two_workers import two_workers

pytest.importorskip("distributed", reason="dask[distributed] is not installed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
    # a cluster inside a test leaves sockets and loops for the garbage collector to close
    pytest.mark.filterwarnings("ignore"),
]
N_FILES, N_ROWS = 4, 100


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "clean"
    path.mkdir()
    for i in range(N_FILES):
        a = np.arange(N_ROWS) + N_ROWS * i
        pl.DataFrame({"a": a, "y": a % 2}).write_parquet(path / f"{i}.parquet")
    return path


@pytest.fixture
def _two_workers():
    # a cluster each: one that lost a worker counts it until it has noticed, and of a single
    # worker joblib does the work itself
    with two_workers() as (_, client):
        client.wait_for_workers(2)
        yield


def killed_once(mark, out=None):
    """A function that kills the first process to call it once there is a part, but not this one."""
    here = os.getpid()

    def call():
        ready = out is None or any(out.glob("part-*.parquet"))
        if ready and os.getpid() != here and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    return call


def deadly(mark, out=None):
    kill = killed_once(mark, out)

    class Negative(FeatureCorruption):
        _kinds = ("integer",)

        def _new_values(self, struck):
            kill()
            return -np.asarray(struck.values) - 1

    return Negative("a", pattern="y == 1", rate=0.25, random_state=0)


def expected(error, source):
    frame = pl.read_parquet(source / "*.parquet")
    return error.corrupt(frame.drop("y"), frame["y"]).X["a"]


@pytest.mark.usefixtures("_two_workers")
def test_a_cluster_does_the_part_of_a_killed_worker_again(source, tmp_path):
    mark = tmp_path / "killed"
    error = deadly(mark)
    with parallel_config("dask"):
        written = corrupt_to_parquet(error, source, tmp_path / "dirty", y="y", n_jobs=2)
    assert mark.exists()
    assert written.X.collect()["a"].equals(expected(error, source))
    assert len(list((tmp_path / "dirty").glob("*.parquet"))) == N_FILES
    assert (written.record.n_matched, written.record.n_corrupted) == (200, 50)


@pytest.mark.usefixtures("_two_workers")
def test_a_cluster_does_the_partition_of_a_killed_worker_again(source, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    mark = tmp_path / "killed"
    error = deadly(mark, tmp_path / "dirty")
    written = corrupt_to_parquet(error, dd.read_parquet(source), tmp_path / "dirty", y="y")
    assert mark.exists()
    assert written.X.collect()["a"].equals(expected(error, source))
    assert len(list((tmp_path / "dirty").glob("*.parquet"))) == N_FILES
    assert (written.record.n_matched, written.record.n_corrupted) == (200, 50)


def deadly_always(frame, first):
    if first == N_ROWS:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.usefixtures("_two_workers")
def test_a_cluster_of_which_every_worker_dies_says_so(source):
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    frame = _sources.as_source(dd.read_parquet(source))
    with pytest.raises(distributed.KilledWorker):
        frame.run(deadly_always, ["a"])


@pytest.mark.usefixtures("_two_workers")
def test_a_cluster_counts_nothing_twice(source, tmp_path):
    mark = tmp_path / "killed"
    kill = killed_once(mark)

    def count(frame, first):
        if first == N_ROWS:
            kill()
        return frame.height, frame["a"].sum()

    with parallel_config("dask"):
        found = [*_sources.as_source(source).stream(count, ["a"], n_jobs=2)]
    n = N_FILES * N_ROWS
    assert mark.exists()
    assert np.sum(found, axis=0).tolist() == [n, n * (n - 1) // 2]


def test_without_a_cluster_the_same_call_goes_on(source, tmp_path):
    mark, out = tmp_path / "killed", tmp_path / "dirty"
    error = deadly(mark, out)
    with parallel_config("loky"):
        with pytest.raises(TerminatedWorkerError):
            corrupt_to_parquet(error, source, out, y="y", n_jobs=2)
        assert mark.exists()
        before = {part: part.stat().st_mtime_ns for part in out.glob("*.parquet")}
        assert 0 < len(before) < N_FILES
        written = corrupt_to_parquet(error, source, out, y="y", n_jobs=2)
    assert {part: part.stat().st_mtime_ns for part in before} == before
    assert len(list(out.glob("*.parquet"))) == N_FILES
    assert written.X.collect()["a"].equals(expected(error, source))
    assert (written.record.n_matched, written.record.n_corrupted) == (200, 50)
