"""The same search on the processes of a dask cluster as in this one."""

import signal

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config

from cheap_models import Centroids, share_right
from flat_search import flat_search
from interrupted_search import n_kept
from skcorrupt import CorruptMissing
from skcorrupt.evaluation import Journal
from small_searches import quick, small_data
from two_workers import two_workers

pytest.importorskip("distributed", reason="dask[distributed] is not installed")

# a cluster inside a test leaves sockets and loops for the garbage collector to close
pytestmark = [
    pytest.mark.usefixtures("few_fits"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def cluster():
    with two_workers() as (cluster, _):
        yield cluster


def fitted(**params):
    X, y = small_data()
    search = flat_search(
        Centroids(),
        "missing",
        scoring=share_right,
        cv=2,
        n_calls=2,
        max_conditions=1,
        refit=True,
        n_jobs=2,
        random_state=0,
        **params,
    )
    return search.fit(X, y)


def table_of(search):
    table = pd.DataFrame(search.cv_results_).drop(columns=["mean_fit_time", "mean_score_time"])
    return table.assign(corruption=table.corruption.astype(str))


@pytest.mark.parametrize("test_corruption", [None, CorruptMissing(rate=0.2)])
@pytest.mark.long
def test_a_cluster_finds_the_same(cluster, tmp_path, test_corruption):
    here = fitted(test_corruption=test_corruption)
    journal = tmp_path / "journal.sqlite"
    with parallel_config("dask"):
        there = fitted(test_corruption=test_corruption, journal=journal)
    pd.testing.assert_frame_equal(table_of(here), table_of(there), check_exact=True)
    assert repr(here.worst_corruption_) == repr(there.worst_corruption_)
    assert here.worst_score_ == there.worst_score_
    assert here.random_score_ == there.random_score_
    assert here.confirmed_score_ == there.confirmed_score_
    np.testing.assert_equal(here.confirmed_interval_, there.confirmed_interval_)
    assert there.n_evaluations_ == n_kept(journal) > 10


@pytest.mark.long
def test_the_work_is_done_by_the_cluster(cluster):
    def there_only(model, X, y):
        from distributed import get_worker

        get_worker()
        return float(np.mean(model.predict(X) == np.asarray(y)))

    X, y = small_data()
    search = quick(scoring=there_only, cv=2, error_score="raise", max_conditions=1)
    with pytest.raises(ValueError, match="No worker found"):
        search.fit(X, y)
    with parallel_config("dask"):
        search.fit(X, y)
    assert search.n_evaluations_ > 3


@pytest.mark.long
def test_ctrl_c_leaves_the_cluster_at_work(cluster, tmp_path, monkeypatch):
    here = fitted()
    write, calls = Journal.write, []

    def interrupted(self, *row):
        write(self, *row)
        calls.append(row)
        if len(calls) == 5:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Journal, "write", interrupted)
    journal = tmp_path / "journal.sqlite"
    with parallel_config("dask"):
        with pytest.warns(UserWarning, match="interrupted after 4 candidates"):
            stopped = fitted(journal=journal)
        whole = fitted(journal=journal)
    assert stopped.interrupted_
    assert not whole.interrupted_
    pd.testing.assert_frame_equal(table_of(here), table_of(whole), check_exact=True)
    assert whole.random_score_ == here.random_score_
