"""Blocks of the guides that show no output: programs run, commands are taken by the parser."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import skcorrupt
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.adversarial.strategies import _workload
from skcorrupt.cli._main import _parser

pytestmark = pytest.mark.usefixtures("few_fits")

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])
# begins with, runs in
PROGRAMS = {
    "def pipeline()": "model",
    "import json\nfrom skcorrupt import BaseCorruption": "saved",
    "from dask.distributed import Client, LocalCluster": "dask",
    "from dask_jobqueue import SLURMCluster": "dask",
    "from ray.util.joblib import register_ray": "ray, in tests/base/test_ray.py",
    "from mapie.regression import SplitConformalRegressor": "mapie",
    "from skcorrupt.testing import assert_robust": "pytest",
}


def blocks(language):
    """Blocks of a language with the page they stand on."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(r"^```(\w*)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
            if match[1] in language:
                found.append((page.name, match[2]))
    return found


def program(start):
    """The program that begins so."""
    (found,) = [code for _, code in blocks(("python",)) if code.startswith(start)]
    return found


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = pd.DataFrame({"a": 2 * y + rng.normal(size=200), "b": rng.integers(0, 3, 200) / 2})
    return X, y


@pytest.fixture
def search():
    return AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), GaussianNB()),
        "missing",
        budget=0.3,
        scoring="roc_auc",
        cv=2,
        space=SearchSpace(max_conditions=1),
        strategy=BeamSearch(n_calls=2),
        confirm_size=None,
        random_state=0,
    )


def test_every_program_is_known():
    plain = [code for _, code in blocks(("python", "py")) if ">>>" not in code]
    unknown = [code[:60] for code in plain if not code.startswith(tuple(PROGRAMS))]
    assert not unknown, f"not run by any test: {unknown}"
    assert len(plain) == len(PROGRAMS)


def test_a_model_of_the_command_line(data):
    names = "from sklearn.linear_model import LogisticRegression\n"
    names += "from sklearn.preprocessing import StandardScaler\n"
    space = {"make_pipeline": make_pipeline, "SimpleImputer": SimpleImputer}
    exec(names + program("def pipeline()"), space)
    assert space["pipeline"]().fit(*data).score(*data) > 0.5


@pytest.mark.long
def test_a_saved_corruption(data, search, tmp_path, monkeypatch):
    import json

    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    found = search.fit(*data).worst_corruption_
    (tmp_path / "results" / "worst_corruption.json").write_text(json.dumps(found.to_dict()))
    space = {"pipeline": make_pipeline(SimpleImputer(), GaussianNB())}
    exec(program("import json\nfrom skcorrupt import BaseCorruption"), space)
    assert space["worst"].get_params() == found.get_params()


CLUSTERS = """
import sys
import types

import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import BeamSearch, SearchSpace

rng = np.random.default_rng(0)
y = rng.integers(0, 2, 90)
X = pd.DataFrame({"a": y + rng.normal(size=90), "b": rng.integers(0, 3, 90) / 2})
search = AdversarialCorruptionSearch(
    make_pipeline(SimpleImputer(), GaussianNB()), "missing", scoring="roc_auc", budget=0.3,
    strategy=BeamSearch(n_calls=2), space=SearchSpace(n_bins=2, max_conditions=1), cv=2,
    confirm_size=None, random_state=0,
)
if __name__ == "__main__":
    alone = search.fit(X, y).worst_score_
    # what SLURM would give out
    from dask.distributed import LocalCluster

    class Given(LocalCluster):
        def __init__(self, cores, memory, walltime):
            super().__init__(n_workers=1, threads_per_worker=1)

        def scale(self, jobs):
            pass

    sys.modules["dask_jobqueue"] = types.SimpleNamespace(SLURMCluster=Given)
    del search.worst_score_
    exec(SECOND if len(sys.argv) > 1 else FIRST)
    print("the same" if search.worst_score_ == alone else "another result")
"""


@pytest.mark.slow
@pytest.mark.parametrize("which", [[], ["second"]])
def test_clusters(tmp_path, which):
    pytest.importorskip("dask.distributed")
    first = program("from dask.distributed import Client, LocalCluster")
    second = program("from dask_jobqueue import SLURMCluster")
    names = "from dask.distributed import Client\nfrom joblib import parallel_config\n"
    path = tmp_path / "on_a_cluster.py"
    given = f"FIRST = {first.replace('n_workers=4', 'n_workers=1')!r}\n"
    given += f"SECOND = {names + second!r}\n"
    path.write_text(given + CLUSTERS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, path, *which], capture_output=True, text=True, timeout=120, check=False,
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.strip() == "the same", done.stderr[-2000:]


def test_another_library_of_intervals(data):
    code = program("from mapie.regression import SplitConformalRegressor")
    compile(code, "objectives.md", "exec")
    pytest.importorskip("mapie", reason="mapie is not installed")
    from sklearn.linear_model import Ridge

    space = {"__name__": "objectives"}
    exec(code, space)
    X, y = data
    model = space["Mapie"](Ridge(), random_state=0).fit(X, y.astype(float))
    assert model.predict_interval(X).shape == (len(X), 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:A worse error may have been passed by")
def test_an_assertion_of_a_test_suite(data, monkeypatch):
    # patterns of one condition suffice
    for name in ("FEW_ROWS_SEEN", "FEW_ROWS_SEEN_TRUSTED"):
        monkeypatch.setattr(_workload, name, 0)
    space = {}
    exec(program("from skcorrupt.testing import assert_robust"), space)
    X, y = data
    with pytest.raises(AssertionError, match="max_drop"):
        space["test_missing_values_cost_little"](Forgetful(), X, y)


class Forgetful(GaussianNB):
    """Guesses the other way round where anything was missing."""

    def fit(self, X, y):
        self.turned_ = X.isna().any(axis=None)
        return super().fit(X.fillna(0.0), y)

    def predict_proba(self, X):
        p = super().predict_proba(X.fillna(0.0))
        return 1 - p if self.turned_ else p


def commands():
    """Calls of skcorrupt in the guides, a line each."""
    found = []
    for page, code in blocks(("bash", "")):
        for line in code.replace("\\\n", " ").splitlines():
            _, there, rest = line.partition("python -m skcorrupt ")
            if there:
                found.append((page, rest))
    return found


@pytest.mark.parametrize(("page", "line"), commands())
def test_a_command_is_taken(page, line, capsys):
    args = shlex.split(line)
    if args in (["--help"], ["--version"]):
        with pytest.raises(SystemExit) as ended:
            _parser().parse_args(args)
        assert ended.value.code == 0
        assert skcorrupt.__version__ in capsys.readouterr().out or args == ["--help"]
    else:
        assert _parser().parse_args(args).command == args[0]


def test_there_are_commands_of_every_kind():
    assert {line.split()[0] for _, line in commands()} >= {
        "demo", "search", "audit", "ablate", "configure", "profile", "curate"
    }  # fmt: skip
