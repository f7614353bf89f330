"""Checks that would notice the worst errors, and what they let pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from skcorrupt.checks import BaseCheck
from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.utils import checked_file, replace_file
from skcorrupt.utils._as_text import counted, largest, percent_in_words, score
from skcorrupt.utils._typing import FilePath

from ._answers import COLUMNS
from ._check_file import file_of
from ._made_by_function import MadeByFunction
from ._pandera_schema import schema_of

# rows of a batch, at most, where they are left open
LARGEST_BATCH = 1000
# checks that a summary names, of those that were not taken
SHOWN_CHECKS = 3


class CheckSuggestions(MadeByFunction):
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
    settings : mapping of str to object
        Parameters of `suggest_checks`, the search and the reference aside.
    metric : str, default="score"
        What the score of the search is called.
    data : mapping or None, default=None
        Number of rows, names of columns and container of the reference, of which no row is kept.
    batch_size : int or None, default=None
        Rows of a batch where `settings` leave them open.

    Attributes
    ----------
    batch_size_ : int
        Rows of the batches that checks were tried on.
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
        error in which one of the checks alarms, as they learned from half of the reference; those
        in `checks_` learned from all of it, and may alarm more), `best_check` and
        `best_alarm_rate` of all checks tried, `corruption`.
    undetected_ : DataFrame
        The rows of `errors_` that no check catches.
    left_out_ : DataFrame
        A row a check that was not taken, as it alarms on more than a fifth of the batches without
        errors: `check, false_alarm_rate`.
    broken_by_ : list of str
        Columns, in backticks, whose errors have no score, as the model raises under them; no check
        is chosen for these.
    answers_ : DataFrame
        What an adversary does who knows the checks: a row for each search that was repeated with
        them, with the worst error that passes all: `kind, pattern, columns, rate` (NaN for a
        process), `damage, corruption`. Empty where none was repeated.
    adaptive_damage_ : float
        The largest damage among these, in units of the score; NaN where there is none.

    See Also
    --------
    suggest_checks : Chooses the checks.
    """

    def __init__(
        self,
        checks: list[BaseCheck],
        results: pd.DataFrame,
        errors: pd.DataFrame,
        named: bool,
        settings: Mapping[str, Any],
        *,
        metric: str = "score",
        data: Mapping[str, Any] | None = None,
        batch_size: int | None = None,
    ) -> None:
        super().__init__(settings, data)
        self._batch_size = batch_size
        self.checks_ = checks
        self.results_ = results
        self.errors_ = errors
        self.undetected_ = errors[errors["caught_by"].isna()].reset_index(drop=True)
        self.left_out_ = pd.DataFrame(columns=["check", "false_alarm_rate"])
        self.broken_by_: list[str] = []
        self.answers_ = pd.DataFrame(columns=COLUMNS)
        self.metric_name_ = metric
        self._named = named

    @property
    def batch_size_(self) -> int:
        """Rows of the batches that checks were tried on."""
        return cast("int", self.settings["batch_size"] or self._batch_size)

    @property
    def adaptive_damage_(self) -> float:
        """The largest damage of an adversary who knows the checks; NaN where it is not known."""
        return float(self.answers_["damage"].max()) if len(self.answers_) else np.nan

    def __repr__(self) -> str:
        return f"CheckSuggestions({self.results_['check'].tolist()})"

    def summary(self) -> str:
        """What to watch, in a few sentences.

        Returns
        -------
        str
            How many checks catch how many errors, what is left, which alarm without an error, and
            what an adversary who knows the checks can still do.
        """
        return " ".join(self.sentences())

    def sentences(self) -> list[str]:
        """What to watch, sentence by sentence.

        Returns
        -------
        list of str
            Those of `summary()`.
        """
        batch = counted(self.batch_size_, "row")
        n, caught = len(self.errors_), len(self.errors_) - len(self.undetected_)
        if self.checks_:
            said = [
                f"{', '.join(self.results_['check'])}: caught {caught} of {n} harmful errors in "
                f"batches of {batch}, false alarms at most "
                f"{sum(self.results_['false_alarm']):.2g} a batch."
            ]
        else:
            said = [f"No check catches any of {n} harmful errors in batches of {batch}."]
        if self.settings["batch_size"] is None and self.batch_size_ < LARGEST_BATCH:
            said.append(
                "The reference has too few rows for larger batches, in which checks notice more; "
                "if yours are larger, give their size, and a larger reference."
            )
        if len(self.undetected_):
            worst, unit = self.undetected_.iloc[0], largest(self.errors_["damage"])
            said.append(
                f"Of those that pass the worst takes {score(worst['damage'], unit)} from the "
                f"score: {error_in_words(worst)}, noticed in "
                f"{percent_in_words(worst['best_alarm_rate'])} of batches at best."
            )
        if len(self.left_out_):
            told = self.left_out_.head(SHOWN_CHECKS).itertuples(index=False)
            loud = ", ".join(f"{name} (on {percent_in_words(rate)} of them)" for name, rate in told)
            more = len(self.left_out_) - SHOWN_CHECKS
            end = f", and {more} more (left_out_)." if more > 0 else "."
            said.append(f"Not taken, for alarms on batches without an error: {loud}{end}")
        if self.broken_by_:
            named = ", ".join(self.broken_by_[:SHOWN_CHECKS])
            more = len(self.broken_by_) - SHOWN_CHECKS
            said.append(
                f"Not among these errors are those in {named}{f' and {more} more' * (more > 0)}, "
                "under which the model raises and has no score: mend it, or watch for them too."
            )
        answered = self._answered()
        return [*said, answered] if answered else said

    def _answered(self) -> str:
        """What an adversary does who knows the checks."""
        if not len(self.answers_):
            return ""
        worst = self.answers_.iloc[0]
        if not worst["damage"] > 0:
            return "Of an adversary who knows the checks no error passes that does harm."
        unit = largest(self.errors_["damage"])
        of_rows = f", in {percent_in_words(worst['rate'])} of these rows that can change"
        return (
            f"An adversary who knows the checks still takes {score(worst['damage'], unit)}, of "
            f"{score(self.errors_['damage'].iloc[0], unit)} without them: {error_in_words(worst)}"
            f"{of_rows if np.isfinite(worst['rate']) else ''}."
        )

    def to_pandera(self) -> Any:
        """The checks as a schema of pandera.

        Returns
        -------
        pandera.DataFrameSchema
            It asks for the columns of the reference, in any order and beside others, and for every
            check to pass, with the limits for as many rows as the batch has. Missing values, values
            out of range and unknown categories are checks of columns, so that it names the values;
            all others are checks of the whole frame. Batches are frames of pandas.

        Raises
        ------
        ImportError
            If pandera is not installed.
        ValueError
            If no check was found, or the reference had no names of columns.
        """
        self._check_written("to_pandera")
        try:
            return schema_of([*zip(self.results_["check"], self.checks_, strict=True)])
        except ImportError:
            raise ImportError(
                "to_pandera needs pandera, which is not installed; run pip install pandera, or "
                "call to_pytest(path), which needs pandas only."
            ) from None

    def to_pytest(
        self,
        path: FilePath,
        *,
        variable: str = "BATCH_PATH",
        read_csv: Mapping[str, Any] | None = None,
    ) -> Path:
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
            `table` reads it, and can be replaced. Where it is not set or names no file, one test
            fails and the others are skipped.
        read_csv : mapping of str to object or None, default=None
            How `pandas.read_csv` reads CSV, where that is not as usual, such as
            `{"sep": ";", "decimal": ","}`.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ValueError
            If no check was found, the reference had no names of columns, `variable` is no name,
            `read_csv` has what tests set or no plain values, or categories are no texts, numbers
            or truth values.
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
        replace_file(file, file_of(named, variable, {} if read_csv is None else read_csv))
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


def error_in_words(error: pd.Series) -> str:
    """Which values of which rows, of a row of `errors_` or `answers_`."""
    columns, rows = columns_in_words(error["columns"]), error["pattern"]
    return f"{kind_in_words(error['kind'])} in {columns} where {rows}"


def columns_in_words(columns: Any) -> str:
    """Columns in a sentence; rows where there are none."""
    return ", ".join(f"`{name}`" for name in columns) or "rows"
