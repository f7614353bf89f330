"""Checks that would notice the worst errors, and what they let pass."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd

from skcorrupt.checks import BaseCheck
from skcorrupt.utils import checked_file, replace_file
from skcorrupt.utils._typing import FilePath

from ._check_file import file_of


class CheckSuggestions:
    """Checks that would notice the worst errors, and what they let pass.

    Users do not make one; `suggest_checks` gives it.

    Parameters
    ----------
    checks : list of BaseCheck
        Fitted checks, in order.
    results : DataFrame
        A row a check.
    errors : DataFrame
        A row an error.
    named : bool
        Whether the reference names its columns.

    Attributes
    ----------
    checks_ : list of BaseCheck
        The suggested checks, fitted on the reference, the one that takes away most damage first.
    results_ : DataFrame
        A row a check: `check`, `columns` that it watches, `false_alarm` as promised,
        `false_alarm_rate` as seen on batches without errors, `n_caught` (errors that it catches),
        `undetected_damage` (largest damage, in units of the score, of an error that neither it nor
        those before it catch).
    errors_ : DataFrame
        A row an error, the most harmful first: `kind, pattern, columns, rate, damage`, `caught_by`
        (the first check that catches it, None if none), `alarm_rate` (share of batches with the
        error in which one of the checks alarms), `best_check` and `best_alarm_rate` of all checks
        tried, `corruption`.
    undetected_ : DataFrame
        The rows of `errors_` that no check catches.

    See Also
    --------
    suggest_checks : Chooses the checks.
    """

    def __init__(
        self, checks: list[BaseCheck], results: pd.DataFrame, errors: pd.DataFrame, named: bool
    ) -> None:
        self.checks_ = checks
        self.results_ = results
        self.errors_ = errors
        self.undetected_ = errors[errors["caught_by"].isna()].reset_index(drop=True)
        self._named = named

    def __repr__(self) -> str:
        return f"CheckSuggestions({self.results_['check'].tolist()})"

    def summary(self) -> str:
        """What to watch, in a few sentences.

        Returns
        -------
        str
            How many checks catch how many errors, and what is left.
        """
        n, caught = len(self.errors_), len(self.errors_) - len(self.undetected_)
        if not self.checks_:
            text = f"No check catches any of {n} harmful errors."
        else:
            names = ", ".join(self.results_["check"])
            text = f"{names}: caught {caught} of {n} harmful errors"
            text += f", false alarms at most {sum(self.results_['false_alarm']):.2g} a batch."
        if len(self.undetected_):
            worst = self.undetected_.iloc[0]
            text += (
                f" Of those that pass the worst takes {worst['damage']:.3g} from the score: "
                f"{worst['kind']} in {_listed(worst['columns'])} where {worst['pattern']}, noticed "
                f"in {100 * worst['best_alarm_rate']:.0f} % of batches at best."
            )
        return text

    def to_pandera(self) -> Any:
        """The checks as a schema of pandera.

        Returns
        -------
        pandera.DataFrameSchema
            It asks for the watched columns, and for every check to pass. Batches are frames of
            pandas.

        Raises
        ------
        ImportError
            If pandera is not installed.
        ValueError
            If no check was found, or the reference had no names of columns.
        """
        self._check_written("to_pandera")
        try:
            import pandera.pandas as pa
        except ImportError:
            raise ImportError(
                "to_pandera needs pandera, which is not installed; run pip install pandera, or "
                "call to_pytest(path), which needs pandas only."
            ) from None
        names = dict.fromkeys(
            str(name) for check in self.checks_ for name in check.feature_names_in_
        )
        checks = [
            pa.Check(check.passes, name=name, error=f"{name} raises an alarm")
            for name, check in zip(self.results_["check"], self.checks_, strict=True)
        ]
        columns = {name: pa.Column(nullable=True) for name in names}
        return pa.DataFrameSchema(columns, checks=checks)

    def to_pytest(self, path: FilePath, *, variable: str = "BATCH_PATH") -> Path:
        """Write the checks as a file of tests that needs pandas and pytest only.

        What was learned of the reference is written as numbers and categories. Of distributions of
        numbers 200 values are written, so that drift is noticed a little later than by the check,
        and false alarms are no more. No rows are in the file, but single values are.

        Parameters
        ----------
        path : str or Path
            The file, such as "test_batch.py", in a folder that exists. One that is there already is
            replaced.
        variable : str, default="BATCH_PATH"
            Environment variable that will name the file of the batch, CSV or Parquet. The fixture
            `table` reads it, and can be replaced.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ValueError
            If no check was found, the reference had no names of columns, `variable` is no name, or
            categories are no texts, numbers or truth values.
        OSError
            If the file cannot be written.
        """
        self._check_written("to_pytest")
        if not isinstance(variable, str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
            raise ValueError(
                f"variable={variable!r} should be the name of an environment variable, of letters, "
                "digits and underscores, such as 'BATCH_PATH'."
            )
        file = checked_file(path)
        named = []
        for i, check in enumerate(self.checks_):
            words = re.sub(r"(?<!^)(?=[A-Z])", "_", type(check).__name__).lower()
            named.append((f"{i + 1}_{words}", check))
        replace_file(file, file_of(named, variable))
        return file

    def _check_written(self, method: str) -> None:
        if not self.checks_:
            raise ValueError(
                f"{method} has nothing to write: no check catches any of the errors. undetected_ "
                "says how close the best came; try a larger batch_size."
            )
        if not self._named:
            raise ValueError(
                f"{method} asks for columns by name, and the reference has none; call "
                "suggest_checks with X_reference as a DataFrame with columns named by strings."
            )


def _listed(columns: Any) -> str:
    """Columns in a sentence; rows where there are none."""
    return ", ".join(f"`{name}`" for name in columns) or "rows"
