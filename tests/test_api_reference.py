"""The API reference, which the site is built with, has every public name and says what is true."""

import importlib
import inspect
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import skcorrupt

DOCS = Path(__file__).resolve().parents[1] / "docs"
MADE = runpy.run_path(str(DOCS / "make_api.py"))
SECTIONS = {package: names for package, (_, names) in MADE["SECTIONS"].items()}
INTERNAL = {"utils", "cli"}
REMEDY = "put it into SECTIONS of docs/make_api.py, or take it out there"


@pytest.fixture(scope="module")
def page():
    return MADE["render"]()


def public_packages():
    """Import paths of the packages that users import from."""
    return [
        f"skcorrupt.{module.name}"
        for module in pkgutil.iter_modules(skcorrupt.__path__)
        if module.ispkg and module.name not in INTERNAL
    ]


def listed():
    """All names of the reference with what they stand for, in its order."""
    modules = {package: importlib.import_module(package) for package in SECTIONS}
    return [(name, getattr(modules[p], name)) for p, names in SECTIONS.items() for name in names]


def test_there_is_a_section_for_every_package_and_no_other():
    assert set(SECTIONS) == set(public_packages()), REMEDY


# The foundation's own names are for those who write corruptions; the page lists a choice of them.
@pytest.mark.parametrize("package", [p for p in public_packages() if p != "skcorrupt.base"])
def test_every_public_name_is_listed(package):
    module = importlib.import_module(package)
    missing = {name for name in module.__all__ if (name, getattr(module, name)) not in listed()}
    assert not missing, f"the reference lacks {sorted(missing)} of {package}; {REMEDY}"


@pytest.mark.parametrize("package", SECTIONS)
def test_every_listed_name_is_public_and_there_once(package):
    gone = set(SECTIONS[package]) - set(importlib.import_module(package).__all__)
    assert not gone, f"the reference lists {sorted(gone)}, which {package} does not have; {REMEDY}"


def test_no_class_is_listed_twice():
    # else the site would have two pages of it, and refuses that
    names = [name for name, thing in listed() if inspect.isclass(thing)]
    assert len(names) == len(set(names))


def test_every_name_of_the_package_itself_is_starred(page):
    starred = set(re.findall(r"^### (\w+) ★$", page, flags=re.MULTILINE))
    assert starred == {name for name in skcorrupt.__all__ if not name.startswith("__")}, REMEDY
    assert "`__version__`" in page


def test_the_page_has_signatures_first_lines_and_members(page):
    assert len(re.findall(r"^### ", page, flags=re.MULTILINE)) == sum(map(len, SECTIONS.values()))
    entry = re.search(r"^### Pattern ★\n(.*?)^###? ", page, flags=re.MULTILINE | re.DOTALL)[1]
    assert "```text\nPattern(conditions=None)\n```" in entry
    assert inspect.getdoc(skcorrupt.Pattern).splitlines()[0] in entry
    assert "- `mask(X, y=None)`: " in entry and "- `parse(" in entry
    assert "self" not in entry and "_read" not in entry


def test_what_a_superclass_shows_is_not_shown_again(page):
    entry = re.search(r"^### CorruptNoise ★\n(.*?)^###? ", page, flags=re.MULTILINE | re.DOTALL)[1]
    assert "- `" not in entry


def test_what_guides_import_from_the_search_is_among_its_names():
    assert "SearchSpace" in importlib.import_module("skcorrupt.adversarial").__all__
