"""Imports run downwards only, private names are touched in one file, a class has its own file."""

import subprocess
import sys
from pathlib import Path

import pytest

from source_rules import (
    CLASS_FILE_EXCEPTIONS,
    SUB_ROOMS,
    internal_imports,
    layering_violations,
    misplaced_classes,
    module_level_imports_of,
    private_library_imports,
    snake_case,
)
from type_rules import untyped_parameters

PACKAGE_DIR = Path(__file__).resolve().parents[1] / "skcorrupt"


def test_imports_run_downwards_only():
    assert layering_violations(PACKAGE_DIR) == []


def test_private_names_of_other_libraries_are_touched_in_one_file_only():
    assert private_library_imports(PACKAGE_DIR) == []


def test_what_has_a_type_of_ours_is_not_any():
    assert untyped_parameters(PACKAGE_DIR) == []


def test_any_is_found_where_a_type_of_ours_exists(tmp_path):
    room = tmp_path / "planted" / "adversarial"
    room.mkdir(parents=True)
    (room / "_a.py").write_text("def run(problem: Any, y: Any): ...\ndef as_task(task: Any): ...\n")
    assert untyped_parameters(room.parent) == ["adversarial/_a.py:1: run(problem: Any)"]


def test_matplotlib_is_imported_inside_functions_only():
    assert module_level_imports_of(PACKAGE_DIR, "matplotlib") == []


def test_every_public_class_has_a_file_named_after_it():
    assert misplaced_classes(PACKAGE_DIR) == []


def test_no_class_file_exception_is_stale():
    excused = {
        f"{relative}: {name} belongs in _{snake_case(name)}.py"
        for relative, names in CLASS_FILE_EXCEPTIONS.items()
        for name in names
    }
    assert excused <= set(misplaced_classes(PACKAGE_DIR, exceptions={}))


def test_the_checkers_read_the_whole_package():
    files, imports = internal_imports(PACKAGE_DIR)
    assert {f"skcorrupt.{room}" for room in ("utils", "patterns", "base")} <= files.keys()
    assert len(imports) > len(files)


def test_import_loads_neither_matplotlib_nor_extras_and_leaves_the_random_state_alone():
    """What the other required libraries load themselves does not count against the package."""
    script = """
import sys
import imblearn, joblib, numpy as np, pandas, scipy, sklearn, skopt, tqdm
np.random.seed(3)
before = np.random.get_state()
loaded = set(sys.modules)
import skcorrupt
after = np.random.get_state()
assert before[0] == after[0] and (before[1] == after[1]).all() and before[2:] == after[2:]
late = {"matplotlib", "optuna", "polars", "pyarrow", "dask", "distributed"}
print(sorted(late & (set(sys.modules) - loaded)))
"""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=PACKAGE_DIR.parent,
    )
    assert (result.returncode, result.stdout.strip()) == (0, "[]"), result.stderr


def plant(tmp_path, sources):
    """Write a small package of the given files, its rooms' ``__init__`` included."""
    package_dir = tmp_path / "planted"
    package_dir.mkdir()
    for relative, source in {"__init__.py": "", **sources}.items():
        path = package_dir / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        init = path.parent / "__init__.py"
        if not init.exists():
            init.write_text("", encoding="utf-8")
    return package_dir


def test_a_sound_package_has_no_fault(tmp_path):
    package_dir = plant(
        tmp_path,
        {
            "__init__.py": "from .base import Base\nfrom .adversarial._search import Search\n",
            "__main__.py": "from .cli import main\n",
            "utils/_seeds.py": "import numpy\n",
            "stats/_tests.py": "from ..utils import _seeds\n",
            "patterns/__init__.py": "from ._pattern import Pattern\n",
            "patterns/_pattern.py": "from ..attributes._kind import Kind\nclass Pattern: pass\n",
            "attributes/_kind.py": "class Kind: pass\n",
            "base/__init__.py": "from planted.base._base import Base\n",
            "base/_base.py": "from planted.patterns import Pattern\nclass Base: pass\n",
            "adversarial/_search.py": "from ..base import Base\nclass Search: pass\n",
            "cli/__init__.py": "def main():\n    from ..adversarial._search import Search\n",
        },
    )
    assert layering_violations(package_dir) == []
    assert misplaced_classes(package_dir) == []
    assert private_library_imports(package_dir) == []


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        pytest.param(
            {"base/_a.py": "from ..evaluation._b import f\n", "evaluation/_b.py": "f = 1\n"},
            ["planted.base._a:1: imports planted.evaluation._b, upwards from base to evaluation"],
            id="upward-relative",
        ),
        pytest.param(
            {"base/_a.py": "from planted.metrics import f\n", "metrics/__init__.py": "f = 1\n"},
            ["planted.base._a:1: imports planted.metrics, upwards from base to metrics"],
            id="upward-absolute",
        ),
        pytest.param(
            {"base/_a.py": "x = 1\nimport planted.metrics._b as b\n", "metrics/_b.py": ""},
            ["planted.base._a:2: imports planted.metrics._b, upwards from base to metrics"],
            id="upward-plain-import",
        ),
        pytest.param(
            {"base/_a.py": "from .. import metrics\n", "metrics/__init__.py": ""},
            ["planted.base._a:1: imports planted.metrics, upwards from base to metrics"],
            id="upward-from-the-top",
        ),
        pytest.param(
            {"base/_a.py": "def f():\n    from ..metrics import g\n", "metrics/__init__.py": ""},
            ["planted.base._a:2: imports planted.metrics, upwards from base to metrics"],
            id="upward-function-level",
        ),
        pytest.param(
            {
                "base/_a.py": "class A:\n    def f(self):\n        if self:\n"
                "            import planted.report\n",
                "report/__init__.py": "",
            },
            ["planted.base._a:4: imports planted.report, upwards from base to report"],
            id="upward-method-level",
        ),
        pytest.param(
            {
                "base/_a.py": "import importlib\nimportlib.import_module('planted.cli')\n",
                "cli/__init__.py": "",
            },
            ["planted.base._a:2: imports planted.cli, upwards from base to cli"],
            id="upward-import-module",
        ),
        pytest.param(
            {"fairness/_a.py": "from ..curation import g\n", "curation/__init__.py": "g = 1\n"},
            [
                "planted.fairness._a:1: imports planted.curation, "
                "a sibling: fairness and curation stand on one layer"
            ],
            id="sibling-systems",
        ),
        pytest.param(
            {"report/_a.py": "from ..testing import g\n", "testing/__init__.py": "g = 1\n"},
            [
                "planted.report._a:1: imports planted.testing, "
                "a sibling: report and testing stand on one layer"
            ],
            id="sibling-leaves",
        ),
        pytest.param(
            {"utils/_a.py": "from ..stats import g\n", "stats/__init__.py": "g = 1\n"},
            [
                "planted.utils._a:1: imports planted.stats, "
                "a sibling: utils and stats stand on one layer"
            ],
            id="utils-on-stats",
        ),
        pytest.param(
            {"base/_a.py": "from planted import thing\n"},
            ["planted.base._a:1: imports planted, the package's __init__, from inside it"],
            id="top-level-absolute",
        ),
        pytest.param(
            {"base/_a.py": "from .. import thing\n"},
            ["planted.base._a:1: imports planted, the package's __init__, from inside it"],
            id="top-level-relative",
        ),
        pytest.param(
            {"__init__.py": "from .cli import main\n", "cli/__init__.py": "main = 1\n"},
            ["planted:1: imports planted.cli, a leaf"],
            id="leaf-from-init",
        ),
        pytest.param(
            {"attic/_a.py": ""},
            [
                "planted.attic: room 'attic' has no place in the layer order",
                "planted.attic._a: room 'attic' has no place in the layer order",
            ],
            id="unknown-room",
        ),
        pytest.param(
            {"base/_a.py": "from . import _b\n", "base/_b.py": "from ._a import f\n"},
            ["circular import: planted.base._a -> planted.base._b -> planted.base._a"],
            id="circular",
        ),
        pytest.param(
            {
                "base/_a.py": "from ._b import f\n",
                "base/_b.py": "def f():\n    from ._c import g\n",
                "base/_c.py": "from ._a import h\n",
            },
            [
                "circular import: planted.base._a -> planted.base._b"
                " -> planted.base._c -> planted.base._a"
            ],
            id="circular-hidden-in-a-function",
        ),
        pytest.param(
            {
                "base/__init__.py": "from ._a import A\n",
                "base/_a.py": "from planted.base import _b\nfrom . import A\n",
                "base/_b.py": "",
            },
            ["circular import: planted.base -> planted.base._a -> planted.base"],
            id="circular-through-the-rooms-init",
        ),
        pytest.param(
            {
                "patterns/_a.py": "from ..attributes._b import g\n",
                "attributes/_b.py": "from ..patterns._a import f\n",
            },
            [
                "rooms attributes and patterns import each other",
                "circular import: planted.attributes._b -> planted.patterns._a -> "
                "planted.attributes._b",
            ],
            id="circular-between-patterns-and-attributes",
        ),
        pytest.param(
            {
                "patterns/_a.py": "from ..attributes._b import g\n",
                "patterns/_c.py": "",
                "attributes/_b.py": "",
                "attributes/_d.py": "from ..patterns._c import f\n",
            },
            ["rooms attributes and patterns import each other"],
            id="patterns-and-attributes-both-ways",
        ),
    ],
)
def test_a_planted_import_is_reported(tmp_path, sources, expected):
    assert layering_violations(plant(tmp_path, sources)) == expected


ROOMS = ("low", "middle", "high")


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        pytest.param(
            {
                "base/high/_a.py": "from ..low._b import f\n",
                "base/low/_b.py": "from ._c import f\n",
                "base/low/_c.py": "f = 1\n",
                "base/__init__.py": "from .high._a import f\nfrom ._top import g\n",
                "base/_top.py": "from .high import _a\nfrom .low import _b\n",
            },
            [],
            id="sound",
        ),
        pytest.param(
            {"base/low/_a.py": "from ..high._b import f\n", "base/high/_b.py": "f = 1\n"},
            ["planted.base.low._a:1: imports planted.base.high._b, upwards from low to high"],
            id="upward",
        ),
        pytest.param(
            {
                "base/low/_a.py": "def f():\n    from planted.base.middle import g\n",
                "base/middle/__init__.py": "g = 1\n",
            },
            ["planted.base.low._a:2: imports planted.base.middle, upwards from low to middle"],
            id="upward-inside-a-function",
        ),
        pytest.param(
            {"base/high/_a.py": "from .._top import f\n", "base/_top.py": "f = 1\n"},
            ["planted.base.high._a:1: imports planted.base._top, upwards from high to _top"],
            id="upward-to-a-file-beside-the-rooms",
        ),
        pytest.param(
            {"base/low/_a.py": "from .. import f\n", "base/__init__.py": "f = 1\n"},
            ["planted.base.low._a:1: imports planted.base, the room's __init__, from inside it"],
            id="the-rooms-init",
        ),
        pytest.param(
            {
                "base/low/_a.py": "from ..middle._b import f\n",
                "base/middle/_b.py": "from ..low._a import g\n",
            },
            [
                "planted.base.low._a:1: imports planted.base.middle._b, upwards from low to middle",
                "circular import: planted.base.low._a -> planted.base.middle._b"
                " -> planted.base.low._a",
            ],
            id="circular-between-rooms",
        ),
        pytest.param(
            {"base/low/_a.py": "from . import _b\n", "base/low/_b.py": "from ._a import f\n"},
            ["circular import: planted.base.low._a -> planted.base.low._b -> planted.base.low._a"],
            id="circular-between-files-of-one",
        ),
        pytest.param(
            {"base/attic/_a.py": ""},
            ["planted.base.attic: 'attic' has no place among the rooms of base"],
            id="unknown",
        ),
    ],
)
def test_a_planted_import_within_a_room_is_reported(tmp_path, monkeypatch, sources, expected):
    monkeypatch.setitem(SUB_ROOMS, "base", ROOMS)
    assert layering_violations(plant(tmp_path, sources)) == expected


def test_all_rooms_within_rooms_are_there():
    for room, names in SUB_ROOMS.items():
        folders = {path.parent.name for path in (PACKAGE_DIR / room).glob("*/__init__.py")}
        assert folders == {name for name in names if not name.startswith("_")}, room


def test_two_separate_circles_are_both_reported(tmp_path):
    sources = {
        f"{room}/_{name}.py": f"from . import _{other}\n"
        for room in ("base", "metrics")
        for name, other in (("a", "b"), ("b", "a"))
    }
    assert len(layering_violations(plant(tmp_path, sources))) == 2


def test_private_library_imports_are_reported_outside_compat_only(tmp_path):
    lines = (
        "from sklearn.utils._tags import get_tags\n"
        "from sklearn.base import BaseEstimator, _fit_context\n"
        "def f():\n    import imblearn._config\n"
        "from sklearn.utils import check_array, __version__\n"
        "from scipy.stats import _qmc\n"
    )
    package_dir = plant(tmp_path, {"utils/_compat.py": lines, "base/_a.py": lines})
    assert private_library_imports(package_dir) == [
        "base/_a.py:1: sklearn.utils._tags _tags",
        "base/_a.py:2: sklearn.base _fit_context",
        "base/_a.py:4: imblearn._config _config",
    ]


def test_module_level_matplotlib_is_reported(tmp_path):
    package_dir = plant(
        tmp_path,
        {
            "report/_a.py": "import matplotlib.pyplot as plt\n",
            "report/_b.py": "try:\n    from matplotlib import cm\nexcept ValueError:\n    0\n",
            "report/_c.py": "class A:\n    def plot(self):\n        import matplotlib\n",
            "report/_d.py": "if TYPE_CHECKING:\n    import matplotlib\n",
        },
    )
    assert module_level_imports_of(package_dir, "matplotlib") == [
        "report/_a.py:1: matplotlib.pyplot",
        "report/_b.py:2: matplotlib",
    ]


def test_misplaced_classes_are_reported(tmp_path):
    package_dir = plant(
        tmp_path,
        {
            "utils/__init__.py": "from ._tables import Table, Cells\n",
            "utils/_tables.py": "class Table: pass\nclass Cells: pass\n",
            "patterns/__init__.py": "from ._pattern import Pattern\nfrom ._pair import Pair, Two\n",
            "patterns/_pattern.py": "class Pattern: pass\nclass Helper: pass\n",
            "patterns/_pair.py": "class Pair: pass\nclass Two: pass\n",
            "attributes/__init__.py": "from planted.attributes._wrong import FeatureDomain\n",
            "attributes/_wrong.py": "class FeatureDomain: pass\n",
            "base/__init__.py": "from ._noise import Noise, Draws\n",
            "base/_noise.py": "class Noise: pass\nclass Draws: pass\n",
        },
    )
    assert misplaced_classes(package_dir, {"base/_noise.py": {"Draws"}}) == [
        "attributes/_wrong.py: FeatureDomain belongs in _feature_domain.py",
        "patterns/_pair.py: holds Pair, Two",
        "patterns/_pair.py: Two belongs in _two.py",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Pattern", "pattern"),
        ("CorruptMissing", "corrupt_missing"),
        ("AdversarialCorruptionSearch", "adversarial_corruption_search"),
        ("TPEOptimizer", "tpe_optimizer"),
        ("GPSearch2D", "gp_search2_d"),
    ],
)
def test_snake_case(name, expected):
    assert snake_case(name) == expected
