"""What a user can import is annotated, so that type checkers and editors can tell its types."""

import importlib
import inspect
import pkgutil
from importlib.resources import files

import pytest

import skcorrupt

# What a user passes under these names is of one type wherever it is taken.
ONE_TYPE = {
    # a strategy is kept as JSON
    "random_state": {"RandomState", "int | None"},
    "pattern": {"PatternLike"},
    "n_jobs": {"int | None"},
    "verbose": {"int"},
}
DATA = ("TableLike", "ColumnLike")
INTERNAL_ROOM = "utils"


def public_callables():
    """Map the import path of each public function, constructor and method of ours to it."""
    rooms = [module.name for module in pkgutil.iter_modules(skcorrupt.__path__) if module.ispkg]
    modules = [skcorrupt] + [
        importlib.import_module(f"skcorrupt.{room}") for room in rooms if room != INTERNAL_ROOM
    ]
    found = {}
    for module in modules:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                found.update(own_methods(thing))
            elif callable(thing):
                found[f"{thing.__module__}.{name}"] = thing
    return found


def own_methods(cls):
    """Its methods, properties and constructor, inherited ones of the package included."""
    for owner in cls.__mro__:
        if owner.__module__.split(".")[0] != "skcorrupt":
            continue
        for name, member in vars(owner).items():
            if name.startswith("_") and name not in ("__init__", "__new__"):
                continue
            function = getattr(member, "fget", None) or getattr(member, "func", None) or member
            function = inspect.unwrap(getattr(function, "__func__", function))
            if inspect.isfunction(function) and function.__module__ == owner.__module__:
                yield f"{owner.__module__}.{owner.__name__}.{name}", function


CALLABLES = public_callables()


def lacking(function):
    """Names of its parameters without an annotation, and "return"."""
    signature = inspect.signature(function)
    bare = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls")
    ]
    return bare + ["return"] * (signature.return_annotation is signature.empty)


def test_the_package_says_that_it_is_typed():
    assert files("skcorrupt").joinpath("py.typed").is_file()


def test_the_public_callables_were_found():
    ends = {path.rsplit(".", 2)[-2] + "." + path.rsplit(".", 1)[-1] for path in CALLABLES}
    assert {
        "AdversarialCorruptionSearch.__init__",
        "BaseCorruption.fit",
        "CorruptionRecord.to_frame",
        "CorruptedEstimator.predict_proba",
        "ResponsivenessAuditor.attributions_",
        "_write_html.write_html",
    } <= ends


@pytest.mark.parametrize("path", CALLABLES)
def test_public_callable_is_annotated(path):
    assert lacking(CALLABLES[path]) == []


def test_what_lacks_an_annotation_is_told():
    def half(self, X: int, y, *rest, **params: int):
        return X

    assert lacking(half) == ["y", "rest", "return"]


@pytest.mark.parametrize(("name", "types"), ONE_TYPE.items())
def test_shared_parameters_have_one_type(name, types):
    found = {
        path: inspect.signature(function).parameters[name].annotation
        for path, function in CALLABLES.items()
        if name in inspect.signature(function).parameters
    }
    assert len(found) > 2
    assert {path: given for path, given in found.items() if given not in types} == {}


def test_features_are_typed_as_data():
    """`Any` would tell a user nothing about what can be passed as X."""
    found = {
        path: inspect.signature(function).parameters["X"].annotation
        for path, function in CALLABLES.items()
        if "X" in inspect.signature(function).parameters
    }
    assert len(found) > 20
    assert {path: given for path, given in found.items() if not given.startswith(DATA)} == {}
