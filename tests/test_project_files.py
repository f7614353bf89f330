"""The README's commands, the version and the lower bounds agree with what they are read by."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import skcorrupt

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = [
    "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/python -m skcorrupt demo",
    'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/python -m pytest',
]


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_readme_gives_the_two_commands_in_bash_blocks():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```bash\n(.*?)^```", readme, flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    assert [line for line in lines if line.startswith("python3 -m venv")] == COMMANDS
    # .ci/run takes the first two such lines of the file, wherever they stand.
    assert [line for line in readme.splitlines() if line.startswith("python3 -m venv")] == COMMANDS


def test_every_lower_bound_is_pinned_for_the_oldest_run_and_no_other(project):
    extras = project["optional-dependencies"]
    tested = [*project["dependencies"], *extras["test"]]
    included = [Requirement(line) for line in tested if line.startswith("skcorrupt[")]
    tested += [line for own in included for extra in own.extras for line in extras[extra]]
    bounds = {}
    for requirement in map(Requirement, tested):
        if requirement.name != "skcorrupt":
            (bound,) = requirement.specifier
            assert bound.operator == ">="
            bounds[requirement.name] = bound.version
    lines = (ROOT / ".ci" / "constraints-oldest.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert pins == bounds


def test_the_required_libraries_are_the_agreed_ones(project):
    assert {Requirement(line).name for line in project["dependencies"]} == {
        "numpy",
        "scipy",
        "pandas",
        "scikit-learn",
        "imbalanced-learn",
        "scikit-optimize",
        "matplotlib",
        "joblib",
        "tqdm",
    }
    assert set(project["optional-dependencies"]) == {
        "tpe",
        "dask",
        "completion",
        "polars",
        "skrub",
        "skore",
        "mlflow",
        "pandera",
        "models",
        "test",
        "docs",
        "dev",
    }


def test_the_changelog_has_a_section_for_the_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## \[(.+?)\]", changelog, flags=re.MULTILINE)
    released = ".dev" not in skcorrupt.__version__
    assert sections[0] == (skcorrupt.__version__ if released else "Unreleased")


def test_the_citation_and_the_recipe_have_the_version_and_what_is_required(project):
    version = skcorrupt.__version__.removesuffix(".dev0")
    citation = read_yaml("CITATION.cff")
    assert citation["version"] == version and citation["license"] == project["license"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if version == skcorrupt.__version__:
        assert f"## [{version}] - {citation['date-released']}\n" in changelog
    recipe = read_yaml(".ci/conda/recipe.yaml")
    assert recipe["context"]["version"] == version
    needed = recipe["requirements"]["run"]
    expected = [line.replace("matplotlib", "matplotlib-base") for line in project["dependencies"]]
    assert [line.replace(" ", "") for line in needed] == [
        f"python{project['requires-python']}",
        *expected,
    ]


def test_every_supported_python_is_run_and_released(project):
    said = [line.rsplit(" ", 1)[1] for line in project["classifiers"] if ":: Python :: 3." in line]
    assert f">={said[0]}" == project["requires-python"]
    for workflow, job in [("nightly", "suite"), ("release", "offline")]:
        jobs = read_yaml(f".github/workflows/{workflow}.yml")["jobs"]
        assert jobs[job]["strategy"]["matrix"]["python-version"] == said


def test_only_the_upload_may_act_in_the_name_of_the_project():
    for path in sorted((ROOT / ".github" / "workflows").iterdir()):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, path.name
        more = {
            name: job["permissions"]
            for name, job in workflow["jobs"].items()
            if "permissions" in job
        }
        upload = {"publish": {"id-token": "write"}, "notes": {"contents": "write"}}
        assert more == (upload if path.stem == "release" else {}), path.name


def test_actions_are_pinned_and_every_job_ends():
    for path in sorted((ROOT / ".github" / "workflows").iterdir()):
        for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
            assert job["timeout-minutes"] <= 120, f"{path.name}, {name}"
            for step in (step for step in job["steps"] if "uses" in step):
                # a tag can be moved to other code, a commit cannot
                assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
                if step["uses"].startswith("actions/checkout@"):
                    assert step["with"] == {"persist-credentials": False}, f"{path.name}, {name}"


def test_issue_forms_have_fields_with_names_of_their_own():
    forms = [read_yaml(f".github/ISSUE_TEMPLATE/{name}.yml") for name in ("bug", "idea")]
    for form in forms:
        assert {"name", "description", "body"} <= set(form)
        fields = [each for each in form["body"] if each["type"] != "markdown"]
        assert len({each["id"] for each in fields}) == len(fields) > 1
        assert all(each["attributes"]["label"] for each in fields)
    assert {form["labels"][0] for form in forms} == {"bug", "enhancement"}


def read_yaml(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_package_is_marked_as_typed():
    assert (Path(skcorrupt.__file__).parent / "py.typed").is_file()


@pytest.mark.long
def test_parts_of_the_tests_are_all_of_them():
    def collected(part):
        argv = [sys.executable, "-m", "pytest", "tests/attributes", "--collect-only", "-q", "-n0"]
        env = {**os.environ, "SKCORRUPT_TEST_PART": part}
        said = subprocess.run(argv, cwd=ROOT, env=env, capture_output=True, text=True)
        return said.stdout.splitlines(), said.stderr

    whole, first, second = ({*collected(part)[0]} for part in ("", "0/2", "1/2"))
    names = {line for line in whole if "::" in line}
    parts = [{line for line in part if "::" in line} for part in (first, second)]
    assert set.union(*parts) == names and not set.intersection(*parts)
    assert all(len(part) > len(names) / 3 for part in parts)
    assert "from 0/8 to 7/8" in "".join(collected("2/2")[1])
