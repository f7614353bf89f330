"""Everything a user can import says what it takes, gives and raises, as numpydoc has it."""

import dataclasses
import importlib
import inspect
import pkgutil

import pytest
from numpydoc.validate import validate

import skcorrupt

# On top of what `numpydoc lint` asks of the whole package.
CHECKS = {"GL08", "SS01", "SS03", "PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT03", "YD01"}
INTERNAL_ROOMS = {"utils", "base", "cli"}


def public_objects():
    """Map the import path of each public class, method and function to the object itself."""
    rooms = [module.name for module in pkgutil.iter_modules(skcorrupt.__path__) if module.ispkg]
    modules = [skcorrupt] + [
        importlib.import_module(f"skcorrupt.{room}") for room in rooms if room not in INTERNAL_ROOMS
    ]
    found = {}
    for module in modules:
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing) or id(thing) in {id(known) for known in found.values()}:
                continue
            found[f"{module.__name__}.{name}"] = thing
            if inspect.isclass(thing):
                found.update(
                    (f"{module.__name__}.{name}.{key}", getattr(thing, key))
                    for key, value in vars(thing).items()
                    if not key.startswith("_") and is_documentable(value)
                )
    return found


def is_documentable(member):
    return inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)


def is_record(thing):
    return dataclasses.is_dataclass(thing) or hasattr(thing, "_fields")


@pytest.mark.parametrize(("path", "thing"), public_objects().items())
def test_public_docstring(path, thing):
    # what a record is made of is documented once, under Attributes
    checks = CHECKS - {"PR01"} if is_record(thing) else CHECKS
    faults = [f"{code}: {text}" for code, text in validate(path)["errors"] if code in checks]
    assert faults == []


@pytest.mark.parametrize(("path", "thing"), public_objects().items())
def test_records_document_every_field(path, thing):
    if not is_record(thing):
        return
    fields = getattr(thing, "_fields", None) or [f.name for f in dataclasses.fields(thing)]
    text = thing.__doc__.replace(",", " ")
    assert [name for name in fields if name not in text.split()] == []
