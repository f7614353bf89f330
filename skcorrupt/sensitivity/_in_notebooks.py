"""What a notebook shows of a profile."""

from __future__ import annotations

from functools import partial

from skcorrupt.evaluation._fitted_results import shows
from skcorrupt.utils._as_text import cell
from skcorrupt.utils._notebook import finding_html

from ._error_sensitivity_display import ErrorSensitivityDisplay
from ._error_sensitivity_profiler import ErrorSensitivityProfiler


@shows(ErrorSensitivityProfiler)
def _finding(profiler: ErrorSensitivityProfiler) -> str:
    names = ["model", "corruption", "features", "baseline", "aepc", "significant"]
    rows = profiler.profiles_.sort_values(["significant", "aepc"], ascending=[False, True])
    model, corruption, features = (str(rows[name].iloc[0]) for name in names[:3])
    display = ErrorSensitivityDisplay.from_profiler(profiler)
    draw = partial(display.plot, "profile", model=model, corruption=corruption, features=features)
    shown = rows[names].assign(aepc=[cell(value, "signed percent") for value in rows["aepc"]])
    shown.columns = [
        *("model", "error", "in columns", f"clean {profiler.metric_name_}", "mean change"),
        "matters",
    ]
    return finding_html(profiler.summary(), shown, draw)
