"""Results of a fitted system as a file of JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sklearn import get_config
from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import Reader, checked_file, document, from_file, replace_file, shorten
from skcorrupt.utils._typing import FilePath
from skcorrupt.utils._version import __version__

from ._described import Described
from ._expected import Expected, check_expected
from ._left_out_error import LeftOutError
from ._result_forms import Forms

FORMAT = 1
# what comes of results that were put together
_UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
FROM_FILE = "it was read from a file, which keeps results only"


class FittedResults:
    """A system whose results are kept in JSON, without rows of the data or fitted models.

    A subclass says what is its own: `_first_results`, the attributes that are there after `fit`
    whatever happens; `_expected_results` and `_expected_arguments`, what results and parameters
    may be; `_private_results`, those with an underscore that results rest on; `_rows_in` and
    `_models_in`, attributes that hold rows of the data and fitted models; and
    `_described_results`, objects of which a text is kept, with some of their attributes.
    """

    _first_results: ClassVar[tuple[str, ...]]
    _expected_results: ClassVar[dict[str, Expected]] = {}
    _expected_arguments: ClassVar[dict[str, Expected]] = {}
    _private_results: ClassVar[tuple[str, ...]] = ()
    _rows_in: ClassVar[tuple[str, ...]] = ()
    _models_in: ClassVar[tuple[str, ...]] = ()
    _described_results: ClassVar[dict[str, tuple[str, ...]]] = {}
    # classes of settings that are made again from their parameters
    _settings: ClassVar[tuple[type, ...]] = ()

    def to_json(self, path: FilePath) -> Path:
        """Write the results and the parameters to a file.

        Tables, arrays, patterns and corruptions are kept exactly, index labels included. Rows of
        the data and fitted models are not; of the estimator, and of other parameters that have no
        form in JSON, the text is.

        Parameters
        ----------
        path : str or Path
            The file, in a folder that exists. One that is there already is replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        NotFittedError
            If nothing was fitted.
        OSError
            If the file cannot be written.
        """
        self._check_there()
        self._complete()
        file, forms = checked_file(path), Forms(self._settings)
        results = {name: forms.write(self._kept(name)) for name in vars(self) if self._keeps(name)}
        params = self._arguments()
        content = {
            "skcorrupt": {"format": FORMAT, "version": __version__},
            "system": type(self).__name__,
            "params": {name: forms.write(value) for name, value in params.items()},
            "results": results,
        }
        content["digest"] = _digest(content)
        replace_file(file, json.dumps(content, allow_nan=False) + "\n")
        return file

    def _shown_finding(self) -> str:
        """What was found, as a notebook shows it below the parameters."""
        if not all(name in vars(self) for name in self._first_results):
            return ""
        return finding_of(self)

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + self._shown_finding()  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += self._shown_finding()
        return bundle

    def _check_there(self) -> None:
        check_is_fitted(self, list(self._first_results))

    def _arguments(self) -> dict[str, Any]:
        """What the class is made with."""
        params: dict[str, Any] = self.get_params(deep=False)  # type: ignore[attr-defined]
        return params

    def _complete(self) -> None:
        """Compute what is computed when it is asked for, while the data is there."""

    @classmethod
    def from_json(cls, path: FilePath) -> Self:
        """Read what `to_json` wrote.

        `summary()`, the display and `skcorrupt.report.write_html` give what they gave before.
        What needs rows of the data or a fitted model raises a ValueError that says so.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        self : estimator
            The system with its results.

        Raises
        ------
        ValueError
            If the file is of another system or format, or was changed; the message names the
            place.
        OSError
            If it cannot be read.
        """
        return from_file(path, lambda data: cls._read(document(data)))

    @classmethod
    def _read(cls, reader: Reader) -> Self:
        known = ["skcorrupt", "system", "params", "results", "digest"]
        fields = reader.fields(known, what="a file of results")
        about = fields["skcorrupt"].fields(["format", "version"])
        if about["format"].value != FORMAT:
            about["format"].refuse(
                f"{FORMAT}, the format that this version of skcorrupt reads; read it with "
                f"skcorrupt {about['version'].text()}, which wrote it, or write it again"
            )
        fields["system"].one_of([cls.__name__], "; call from_json of the class that it names")
        forms = Forms(cls._settings)
        given = fields["params"].arguments(cls)
        params = {name: forms.read(each) for name, each in given.items()}
        check_expected(params, cls._expected_arguments, "params.")
        made = fields["params"].made(cls, **params)
        results = fields["results"].entries()
        for name, each in results.items():
            if not cls._may_have(name):
                raise ValueError(f"{each.place} is no result of {cls.__name__}; take it out.")
        vars(made).update({name: forms.read(each) for name, each in results.items()})
        check_expected(vars(made), cls._expected_results, "results.")
        if fields["digest"].text() != _digest(reader.value):
            fields["digest"].refuse(
                "the digest of all the rest, which was changed after it was written; write it "
                "again with to_json"
            )
        vars(made)["_left_out"] = FROM_FILE
        try:
            made.summary()  # type: ignore[attr-defined]
        except _UNFIT as error:
            raise ValueError(
                f"the results do not fit together, or the parameters do not fit them: no summary "
                f"can be made of them ({type(error).__name__}: {shorten(str(error), 120)}). Write "
                "them again with to_json."
            ) from error
        return made

    @classmethod
    def _may_have(cls, name: str) -> bool:
        """Whether an attribute is a result."""
        if name in (*cls._rows_in, *cls._models_in):
            return False
        public = name.endswith("_") and not name.startswith("_") and not hasattr(cls, name)
        return public or name in (*cls._private_results, "_data_facts")

    def _keeps(self, name: str) -> bool:
        return self._may_have(name)

    def _kept(self, name: str) -> Any:
        value = vars(self)[name]
        if name in self._described_results and value is not None:
            return (
                value
                if isinstance(value, Described)
                else Described.of(value, self._described_results[name])
            )
        return value

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            left_out = vars(self).get("_left_out", "")
            if left_out and name in (*self._rows_in, *self._models_in):
                what = "rows of the data" if name in self._rows_in else f"`{name}`, a fitted model"
                raise LeftOutError(
                    f"This needs {what}, which this {type(self).__name__} no longer has: "
                    f"{left_out}. Fit it again, with the data and the models themselves."
                )
            # says why not, where a method or property is there but does not apply
            return super().__getattribute__(name)


_FINDINGS: dict[type, Callable[[Any], str]] = {}


def finding_of(fitted: Any) -> str:
    """What notebooks show of a result, "" where nothing was said of its class."""
    makers = (_FINDINGS[cls] for cls in type(fitted).__mro__ if cls in _FINDINGS)
    return next((make(fitted) for make in makers), "")


def bundle_of(found: Any) -> dict[str, str]:
    """What a notebook shows of a result that is no estimator, by the setting of scikit-learn."""
    bundle = {"text/plain": repr(found)}
    if get_config()["display"] == "diagram":
        bundle["text/html"] = found._repr_html_()
    return bundle


def shows(system: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Say what notebooks show of a fitted system, beside its room's pictures.

    Parameters
    ----------
    system : type
        The class.

    Returns
    -------
    callable
        Decorates a function of a fitted system that returns HTML.
    """

    def noted(make: Callable[[Any], str]) -> Callable[[Any], str]:
        _FINDINGS[system] = make
        return make

    return noted


def _digest(content: dict[str, Any]) -> str:
    """What tells whether anything but the digest was changed."""
    rest = {name: value for name, value in content.items() if name != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
