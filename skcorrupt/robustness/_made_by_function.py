"""What results of functions have as estimators do: parameters, a seed, a form in notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcorrupt.evaluation._fitted_results import bundle_of, finding_of


class MadeByFunction:
    """A result that a function returns, which remembers what the function was given.

    Parameters
    ----------
    settings : mapping of str to object
        Parameters of the function, the data aside.
    data : mapping or None
        Number of rows, names of columns and container of the data, of which no row is kept.
    """

    def __init__(self, settings: Mapping[str, Any], data: Mapping[str, Any] | None) -> None:
        self.settings = dict(settings)
        self._data_facts = {"rows": None, "columns": []} if data is None else dict(data)

    @property
    def random_state(self) -> Any:
        """The source of seeds that was given."""
        return self.settings.get("random_state")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters that it was made with.

        Parameters
        ----------
        deep : bool, default=True
            Makes no difference; estimators have it.

        Returns
        -------
        dict of str to object
            Those of the function that made it, the data aside.
        """
        return dict(self.settings)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return bundle_of(self)

    def _repr_html_(self) -> str:
        return f"<p><strong>{type(self).__name__}</strong></p>{finding_of(self)}"
