"""What was found, in the run of MLflow that is under way."""

from __future__ import annotations

import json
import math
import re
import tempfile
from pathlib import Path
from typing import Any

from skcorrupt.base import BaseCorruption
from skcorrupt.report import write_html
from skcorrupt.utils import shorten

from ._logged import LOGGED

# of names of metrics, MLflow takes these
NOT_IN_NAMES = re.compile(r"[^\w.\- /]")


def log_to_mlflow(result: Any, *, prefix: str = "robustness") -> None:
    """Log settings, scores, the sentence, tables, the worst error and the page of what was found.

    They go to the run that is under way, or a new one, as MLflow's own functions do. No row of the
    data is logged. Of an audit and of an order of samples no table by row is, either, and nothing
    that `from_json` reads.

    Parameters
    ----------
    result : AdversarialCorruptionSearch, RobustSearchCV, RobustnessComparison, \
            ErrorSensitivityProfiler, StageFairnessAblator, ResponsivenessAuditor or \
            NaturalAdversarialCurator
        The fitted system, or what `compare_robustness` gave.
    prefix : str, default="robustness"
        What metrics and artifacts begin with: `robustness.worst_score`, `robustness/page.html`.

    Raises
    ------
    ImportError
        If MLflow is not installed.
    TypeError
        If it is none of these.
    NotFittedError
        If it is not fitted.

    Examples
    --------
    >>> import mlflow  # doctest: +SKIP
    >>> with mlflow.start_run():  # doctest: +SKIP
    ...     log_to_mlflow(search)
    """
    logged = next((LOGGED[each] for each in type(result).__mro__ if each in LOGGED), None)
    if logged is None:
        raise TypeError(
            f"log_to_mlflow takes a fitted {', '.join(each.__name__ for each in LOGGED)}, not a "
            f"{type(result).__name__}. Of other results log a page, "
            "mlflow.log_artifact(skcorrupt.report.write_html(result, 'page.html'))."
        )
    result._check_there()
    try:
        import mlflow
    except ImportError:
        raise ImportError(
            "log_to_mlflow needs MLflow: pip install 'skcorrupt[mlflow]', or mlflow itself."
        ) from None
    given = {name: shorten(getattr(result, name), 200) for name in logged.params}
    mlflow.log_params({f"{prefix}.{name.removesuffix('_')}": said for name, said in given.items()})
    numbers = {name.removesuffix("_"): getattr(result, name, math.nan) for name in logged.metrics}
    numbers |= logged.more(result) if logged.more is not None else {}
    for name, number in numbers.items():
        if math.isfinite(number):
            mlflow.log_metric(f"{prefix}.{NOT_IN_NAMES.sub('_', name)}", float(number))
    mlflow.log_text(str(result.summary()), f"{prefix}/summary.txt")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_html(result, folder / "page.html")
        if logged.results:
            result.to_json(folder / "results.json")
        for name, attribute in logged.errors.items():
            error = getattr(result, attribute)
            if isinstance(error, BaseCorruption):
                text = json.dumps(error.to_dict(), indent=1)
                (folder / f"{name}.json").write_text(text, encoding="utf-8")
        for name, table_of in logged.tables.items():
            table = table_of(result)
            if table is not None:
                table.to_csv(folder / f"{name}.csv", index=False)
        mlflow.log_artifacts(str(folder), artifact_path=prefix)
