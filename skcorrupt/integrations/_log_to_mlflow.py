"""What a search found, in the run of MLflow that is under way."""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path

import pandas as pd
from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.report import write_html
from skcorrupt.utils import shorten

PARAMETERS = ("corruption", "budget", "apply_to", "metric_name_", "strategy_", "seed_")
METRICS = (
    *("baseline_score_", "worst_score_", "random_score_", "score_drop_"),
    *("confirmed_score_", "confirmed_baseline_score_", "n_evaluations_"),
)


def log_to_mlflow(search: AdversarialCorruptionSearch, *, prefix: str = "robustness") -> None:
    """Log settings, scores, the sentence, the worst error, the table and the page of a search.

    They go to the run that is under way, or a new one, as MLflow's own functions do. No row of the
    data is logged.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        The fitted search.
    prefix : str, default="robustness"
        What metrics and artifacts begin with: `robustness.worst_score`, `robustness/page.html`.

    Raises
    ------
    ImportError
        If MLflow is not installed.
    TypeError
        If it is no search.
    NotFittedError
        If the search is not fitted.

    Examples
    --------
    >>> import mlflow  # doctest: +SKIP
    >>> with mlflow.start_run():  # doctest: +SKIP
    ...     log_to_mlflow(search)
    """
    if not isinstance(search, AdversarialCorruptionSearch):
        raise TypeError(
            f"log_to_mlflow takes a fitted AdversarialCorruptionSearch, not a "
            f"{type(search).__name__}; of other results log a page, "
            "mlflow.log_artifact(skcorrupt.report.write_html(result, 'page.html'))."
        )
    check_is_fitted(search, "cv_results_")
    try:
        import mlflow
    except ImportError:
        raise ImportError(
            "log_to_mlflow needs MLflow: pip install 'skcorrupt[mlflow]', or mlflow itself."
        ) from None
    given = {name: shorten(getattr(search, name), 200) for name in PARAMETERS}
    mlflow.log_params({f"{prefix}.{name.removesuffix('_')}": said for name, said in given.items()})
    scores = {name: getattr(search, name, math.nan) for name in METRICS}
    for name, score in scores.items():
        if math.isfinite(score):
            mlflow.log_metric(f"{prefix}.{name.removesuffix('_')}", float(score))
    mlflow.log_text(search.summary(), f"{prefix}/summary.txt")
    with tempfile.TemporaryDirectory() as folder:
        write_html(search, Path(folder) / "page.html")
        search.to_json(Path(folder) / "results.json")
        if search.worst_corruption_ is not None:
            worst = json.dumps(search.worst_corruption_.to_dict(), indent=1)
            (Path(folder) / "worst_corruption.json").write_text(worst, encoding="utf-8")
        found = pd.DataFrame(search.cv_results_).drop(columns="corruption")
        found.to_csv(Path(folder) / "candidates.csv", index=False)
        if hasattr(search, "budget_curve_"):
            search.budget_curve_.to_csv(Path(folder) / "budgets.csv", index=False)
        mlflow.log_artifacts(folder, artifact_path=prefix)
