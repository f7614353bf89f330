"""The same results on a dask cluster as in this process."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from skcorrupt import CorruptLabels, cross_validate_corrupted

distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")


# a cluster inside a test leaves sockets and loops for the garbage collector to close
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_dask_gives_the_same_scores():
    X, y = load_iris(return_X_y=True)

    def scores():
        return cross_validate_corrupted(
            GaussianNB(), X, y, CorruptLabels(rate=0.4), n_jobs=2, n_repeats=2, random_state=0
        )["test_score"]

    here = scores()
    with (
        distributed.Client(processes=False, dashboard_address=None, n_workers=1),
        parallel_config("dask"),
    ):
        there = scores()
    np.testing.assert_array_equal(here, there)
