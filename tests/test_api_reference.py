"""docs/api.md lists every public name, nothing that is not there, and signatures that are true."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import skcorrupt

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
INTERNAL = {"utils", "cli"}
REMEDY = "run docs/make_api.py, after naming it in SECTIONS there if it is new"


def listed():
    """Map each package to its entries on the page: name, whether starred, signature, members."""
    found = {}
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        package, _, text = section.partition("\n")
        entries = {}
        for entry in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
            heading = re.match(r"(\w+)( ★)?\n", entry)
            fence = re.search(r"^```text\n(.*?)^```", entry, flags=re.MULTILINE | re.DOTALL)
            members = re.findall(r"^- `(\w+)(?:\((.*)\))?`:", entry, flags=re.MULTILINE)
            entries[heading[1]] = (heading[2] is not None, fence[1], dict(members))
        found[package] = entries
    return found


LISTED = listed()
NAMES = [(package, name) for package, entries in LISTED.items() for name in entries]


def public_packages():
    """Import paths of the packages that users import from."""
    return [
        f"skcorrupt.{module.name}"
        for module in pkgutil.iter_modules(skcorrupt.__path__)
        if module.ispkg and module.name not in INTERNAL
    ]


def squeezed(text):
    """A signature without the spaces and commas that line breaks bring."""
    return re.sub(r",?\)$", ")", re.sub(r"\s+", "", text))


def plain_signature(thing):
    """The parameters of a call, without annotations, `self` and `cls`."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(thing).parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    return str(inspect.Signature(parameters))


def test_the_page_was_read():
    assert "AdversarialCorruptionSearch" in LISTED["skcorrupt.adversarial"]
    assert "plan" in LISTED["skcorrupt.adversarial"]["AdversarialCorruptionSearch"][2]


# The foundation's own names are for those who write corruptions; the page lists a choice of them.
@pytest.mark.parametrize("package", [p for p in public_packages() if p != "skcorrupt.base"])
def test_every_public_name_is_listed(package):
    missing = set(importlib.import_module(package).__all__) - set(LISTED.get(package, {}))
    assert not missing, f"docs/api.md lacks {sorted(missing)} of {package}; {REMEDY}"


def test_every_name_of_the_package_itself_is_listed_and_starred():
    starred = {name for entries in LISTED.values() for name, entry in entries.items() if entry[0]}
    assert starred == {name for name in skcorrupt.__all__ if not name.startswith("__")}, REMEDY
    assert "`__version__`" in PAGE


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_every_listed_name_is_public_and_has_this_signature(package, name):
    starred, call, members = LISTED[package][name]
    module = importlib.import_module(package)
    assert name in module.__all__, f"docs/api.md lists {name}, which {package} does not have"
    thing = getattr(module, name)
    if starred:
        assert getattr(skcorrupt, name) is thing
    assert squeezed(call) == squeezed(name + plain_signature(thing)), REMEDY
    for member, parameters in members.items():
        assert hasattr(thing, member), f"docs/api.md lists {name}.{member}, which is not there"
        if callable(getattr(thing, member)):
            shown = squeezed(f"({parameters})")
            assert shown == squeezed(plain_signature(getattr(thing, member))), REMEDY
