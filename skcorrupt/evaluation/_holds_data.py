"""Systems that hold the data they were fitted to."""

from __future__ import annotations

from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from skcorrupt.utils import as_table

from ._fitted_results import FittedResults


class HoldsData(FittedResults):
    """A system that holds rows of the data after `fit`, and so in its pickles, until it is told."""

    _data_facts: dict[str, Any]

    def drop_data(self) -> Self:
        """Let go of the data that `fit` was given, so that pickles hold no rows of it.

        Results stay. What needs the data raises a ValueError afterwards, until the next `fit`.
        Parameters stay as they are, a fitted model among them, which may hold rows of its own.

        Returns
        -------
        self : estimator
            Without the data.

        Raises
        ------
        NotFittedError
            If nothing was fitted.
        """
        check_is_fitted(self, list(self._first_results))
        self._complete()
        for name in self._rows_in:
            vars(self).pop(name, None)
        self._left_out = "drop_data() took them out"
        return self

    def _note_data(self, X: Any) -> None:
        """Remember what is said of the data where its rows are not there, such as in reports."""
        self._data_facts = data_facts(X)
        self._left_out = ""


def data_facts(X: Any) -> dict[str, Any]:
    """What is said of data where no row of it is, such as in reports.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The data.

    Returns
    -------
    dict
        `rows`, `columns` and `container`.
    """
    table = as_table(X)
    return {
        "rows": table.n_rows,
        "columns": [str(label) for label in table.labels],
        "container": type(X).__name__,
    }
