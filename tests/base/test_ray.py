"""The same results on a Ray cluster as in this process."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from joblib import parallel_config
from joblib.pool import PicklingPool
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptLabels,
    CorruptMissing,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.evaluation import corrupt_to_parquet

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "long-runs.md"

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray", reason="ray is not installed")
    from ray.util.joblib import register_ray

    # Ray puts its own pool under joblib's, for whatever comes after it as well
    bases = PicklingPool.__bases__
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        register_ray()
        yield
        ray.shutdown()
    PicklingPool.__bases__ = bases


@pytest.mark.usefixtures("cluster")
def test_scores_and_files_are_the_same(tmp_path):
    X, y = load_iris(return_X_y=True)
    source = tmp_path / "clean"
    source.mkdir()
    for i in range(3):
        part = pl.DataFrame({"a": np.arange(50) + 50 * i, "y": [0, 1] * 25})
        part.write_parquet(source / f"{i}.parquet")

    def found(name):
        scores = cross_validate_corrupted(
            GaussianNB(), X, y, CorruptLabels(rate=0.4), n_jobs=2, n_repeats=2, random_state=0
        )["test_score"]
        error = CorruptMissing("a", pattern="y == 1", rate=0.2, random_state=0)
        written = corrupt_to_parquet(error, source, tmp_path / name, y="y", n_jobs=2)
        return scores, written.X.collect()

    scores, table = found("here")
    with parallel_config("ray"):
        scores_there, table_there = found("there")
    np.testing.assert_array_equal(scores, scores_there)
    assert table.equals(table_there)
    assert table["a"].null_count() == 15


@pytest.mark.usefixtures("cluster")
def test_the_program_of_the_guide():
    text = GUIDE.read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(from ray\..*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    X, y = load_iris(return_X_y=True)
    alone, search = (
        AdversarialCorruptionSearch(
            GaussianNB(), "labels", budget=0.2, cv=2, confirm_size=None,
            strategy=BeamSearch(n_calls=4),
            space=SearchSpace(n_bins=3, max_conditions=1), random_state=0,
        )
        for _ in range(2)
    )  # fmt: skip
    alone.fit(X, y)
    exec(code, {"parallel_config": parallel_config, "search": search, "X": X, "y": y})
    assert search.worst_score_ == alone.worst_score_
