"""What of each system's results goes into a run of MLflow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.curation import NaturalAdversarialCurator
from skcorrupt.fairness import StageFairnessAblator
from skcorrupt.report._auditor_people import FEWEST, VERDICTS, verdict_counts
from skcorrupt.responsiveness import ResponsivenessAuditor
from skcorrupt.responsiveness.audit._verdicts import how_many
from skcorrupt.robustness import RobustnessComparison, RobustSearchCV
from skcorrupt.sensitivity import ErrorSensitivityProfiler

Numbers = Callable[[Any], Mapping[str, float]]


@dataclass(frozen=True)
class Logged:
    """What is logged of one system.

    Attributes
    ----------
    params : tuple of str
        Attributes that are parameters of the run.
    metrics : tuple of str
        Attributes that are metrics; those that are not there, or not finite, are left out.
    more : callable or None
        `more(result)` gives further metrics by name.
    tables : dict of str to callable
        `tables[name](result)` gives the table of a file; None for none.
    errors : dict of str to str
        Attributes that hold a corruption, by the name of the file.
    results : bool
        Whether what `to_json` writes goes along, which for results by person has their labels.
    """

    params: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    more: Numbers | None = None
    tables: dict[str, Callable[[Any], pd.DataFrame | None]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    results: bool = True


def _table(name: str) -> Callable[[Any], pd.DataFrame | None]:
    return lambda result: getattr(result, name, None)


def _candidates(search: Any) -> pd.DataFrame:
    found = pd.DataFrame({name: [*values] for name, values in search.cv_results_.items()})
    return found.drop(columns=["corruption", "worst_corruption"], errors="ignore")


def _of_profiles(profiler: ErrorSensitivityProfiler) -> dict[str, float]:
    profiles = profiler.profiles_
    return {
        "n_scenarios": len(profiles),
        "n_significant": len(profiler.significant()),
        "lowest_aepc": profiles["aepc"].min(),
    }


def _of_stages(ablator: StageFairnessAblator) -> dict[str, float]:
    effects = ablator.stage_effects_
    return {
        "n_significant": int(effects["significant"].sum()),
        "largest_effect": effects["mean"].abs().max(),
    }


def _of_people(auditor: ResponsivenessAuditor) -> dict[str, float]:
    n_people = int(how_many(auditor.results_).sum())
    if n_people < FEWEST:
        return {"n_people": n_people}
    # as on pages, a share of few people is not told, nor one from which it would follow
    _, hidden = verdict_counts(auditor)
    untold = {name for name, kept in zip(VERDICTS, hidden, strict=True) if kept}
    told = auditor.by_group().iloc[0]
    return {str(name): value for name, value in told.items() if name not in untold}


def _of_order(curator: NaturalAdversarialCurator) -> dict[str, float]:
    return {
        "n_samples": len(curator.order_),
        "lowest_bound": curator.lower_bound_.min(),
        "highest_bound": curator.lower_bound_.max(),
    }


def _of_pipelines(comparison: RobustnessComparison) -> dict[str, float]:
    columns = ["estimator", "corruption", "budget", "worst", "confirmed"]
    rows: Iterator[Any] = comparison.results_[columns].itertuples(index=False)
    found: dict[str, float] = {}
    for row in rows:
        name = f"{row.estimator}.{row.corruption}.{row.budget:g}"
        found |= {f"worst.{name}": row.worst, f"confirmed.{name}": row.confirmed}
    return found


LOGGED: dict[type, Logged] = {
    AdversarialCorruptionSearch: Logged(
        ("corruption", "budget", "apply_to", "metric_name_", "strategy_", "seed_"),
        (
            *("baseline_score_", "worst_score_", "random_score_", "score_drop_"),
            *("confirmed_score_", "confirmed_baseline_score_", "n_evaluations_"),
        ),
        tables={"candidates": _candidates, "budgets": _table("budget_curve_")},
        errors={"worst_corruption": "worst_corruption_"},
    ),
    RobustSearchCV: Logged(
        ("corruption", "budget", "apply_to", "max_clean_loss", "metric_name_", "best_params_"),
        (
            *("best_score_", "best_clean_score_", "baseline_worst_score_"),
            *("baseline_clean_score_", "confirmed_worst_", "baseline_confirmed_worst_"),
            *("confirmed_gain_", "confirmed_clean_loss_"),
        ),
        tables={"candidates": _candidates},
        errors={
            "worst_corruption": "worst_corruption_",
            "baseline_worst_corruption": "baseline_worst_corruption_",
        },
    ),
    RobustnessComparison: Logged(
        ("metric_name_", "seed_"),
        more=_of_pipelines,
        tables={
            "pipelines": lambda comparison: comparison.results_.drop(columns="error"),
            "transfer": _table("transfer_"),
            "ranks": _table("ranks_"),
        },
    ),
    ErrorSensitivityProfiler: Logged(
        ("corruptions", "strategy", "levels", "n_repeats", "metric_name_"),
        ("n_fits_",),
        _of_profiles,
        {"profiles": _table("profiles_"), "curves": _table("curves_")},
    ),
    StageFairnessAblator: Logged(
        ("sensitive_features", "privileged", "pos_label", "corruption"),
        ("n_splits_", "n_fits_"),
        _of_stages,
        {
            "stage_effects": _table("stage_effects_"),
            "global_fairness": _table("global_fairness_"),
            "performance_effects": _table("performance_effects_"),
        },
    ),
    ResponsivenessAuditor: Logged(
        ("target", "direction_", "epsilon", "alpha", "n_samples_", "population"),
        more=_of_people,
        results=False,
    ),
    NaturalAdversarialCurator: Logged(
        ("label_model", "n_datasets", "alpha", "successes", "order_by"),
        more=_of_order,
        tables={"sets": _table("curve_")},
        results=False,
    ),
}
