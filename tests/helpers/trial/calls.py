"""The calls of the trial: every argument of every public name, one odd value at a time."""

import inspect
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from . import data, values
from .entries import ENTRIES, Left, arguments, close_figures, own_methods, public_names, valid
from .judge import faults

# what is called on a new object, in this order, where it is there
CHAIN = (
    "fit",
    "corrupt",
    "predict",
    "predict_interval",
    "transform",
    "enumerate",
    "summary",
)
DATA = set(data.BY_NAME)


@dataclass(frozen=True)
class Target:
    """Something to call, with valid arguments.

    Attributes
    ----------
    name : str
        As users write it.
    takes : tuple of str
        The arguments that are tried.
    words : tuple of str
        What a refusal may name as well.
    arguments : callable
        Makes valid arguments.
    call : callable
        Called with all arguments, odd and valid ones.
    """

    name: str
    takes: tuple[str, ...]
    words: tuple[str, ...]
    arguments: Callable[[], dict[str, Any]]
    call: Callable[..., Any]


@dataclass(frozen=True)
class Call:
    """One odd call."""

    target: Target
    argument: str
    odd: str
    make: Callable[[Any], Any]

    def __str__(self):
        return f"{self.target.name}({self.argument}={self.odd})"

    def faults(self, **settings):
        """What is wrong with how it goes."""
        given = self.target.arguments()
        with warnings.catch_warnings():
            # such as of matrices, which are odd for that
            warnings.simplefilter("ignore")
            given[self.argument] = self.make(given.get(self.argument))
        names = {self.argument, self.argument.rstrip("s"), f"{self.argument}s"}
        names |= {*given, *self.target.takes, *self.target.words}
        if self.argument == "data":
            # places within a dictionary
            names |= {*re.findall(r"\w{2,}", self.odd), *self.target.arguments()["data"]}
        try:
            return faults(lambda: self.target.call(**given), given, names, **settings)
        finally:
            close_figures()


def targets(name):
    """What is called of a public name."""
    entry, thing = ENTRIES[name], public_names()[name]
    if isinstance(entry, Left):
        return
    if not inspect.isclass(thing):
        given, call = partial(valid, thing, entry), partial(used, thing, entry)
        yield Target(name, tuple(arguments(thing)), entry.words, given, call)
        return
    if not entry.only_methods:
        chain = [step for step in CHAIN if callable(getattr(thing, step, None))]

        def both():
            given = valid(thing, entry)
            for step in chain if entry.then is None else ():
                given |= only_data(valid(getattr(thing, step), entry, step))
            return given

        takes = dict.fromkeys([*arguments(thing), *only_data(both())])
        yield Target(name, tuple(takes), entry.words, both, partial(built, thing, entry, chain))
    for method in own_methods(thing):
        function = getattr(thing, method)
        done = DATA if method in CHAIN and not entry.only_methods else set()
        takes = tuple(argument for argument in arguments(function) if argument not in done)
        given, call = partial(valid, function, entry, method), partial(asked, thing, entry, method)
        yield Target(f"{name}.{method}", takes, entry.words, given, call)


def used(function, entry, **given):
    """Call a function, and use what it gives."""
    result = invoke(function, given)
    return result if entry.then is None else entry.then(result)


def built(cls, entry, chain, **given):
    """Make an object of a class, and use it."""
    names = arguments(cls)
    made = cls(**{name: value for name, value in given.items() if name in names})
    if entry.then is not None:
        return entry.then(made)
    for step in chain:
        if hasattr(made, step):
            takes = arguments(getattr(made, step))
            taken = {name: value for name, value in only_data(given).items() if name in takes}
            invoke(getattr(made, step), taken)
    return made


def asked(cls, entry, method, **given):
    """Call a method of an object that is ready for it."""
    if isinstance(inspect.getattr_static(cls, method), (classmethod, staticmethod)):
        return invoke(getattr(cls, method), given)
    made = ready(cls, entry)
    # what a method is delegated to need not have it
    return invoke(getattr(made, method), given) if hasattr(made, method) else None


def invoke(function, given):
    """Call with names, the first one without, as scikit-learn wraps some methods."""
    parameters = list(inspect.signature(function).parameters.values())[:1]
    first = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD and p.name in given]
    rest = {name: value for name, value in given.items() if name not in first}
    return function(*(given[name] for name in first), **rest)


def only_data(given):
    """The arguments that are data."""
    return {name: value for name, value in given.items() if name in DATA}


def ready(cls, entry):
    """A valid object, fitted if it can be."""
    if entry.ready is not None:
        return entry.ready()
    made = cls(**valid(cls, entry))
    if hasattr(made, "fit"):
        made.fit(**only_data(valid(made.fit, entry, "fit")))
    return made


def calls(name):
    """All odd calls of a public name."""
    for target in targets(name):
        given = target.arguments()
        for argument in target.takes:
            for odd, make in odd_values(argument, given).items():
                yield Call(target, argument, odd, make)


def odd_values(argument, given):
    """What is put in an argument's place: makers that get the valid value."""
    plain = values.VALUES | values.BY_NAME.get(argument, {})
    found = {odd: lambda _, make=make: make() for odd, make in plain.items()}
    found |= data.BY_NAME.get(argument, {}) if argument in given else {}
    if argument == "data":
        changes = values.mutants(given["data"])
        found |= {odd: lambda _, value=value: value for odd, value in changes}
    if argument == "n_jobs":
        # these are right, and start processes
        found = {odd: make for odd, make in found.items() if odd not in ("-1", "2")}
    return found
