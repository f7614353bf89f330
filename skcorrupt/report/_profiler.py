"""What an error sensitivity profile has to say."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from skcorrupt.corruptions._kind_in_words import kind_in_words
from skcorrupt.sensitivity import ErrorSensitivityDisplay
from skcorrupt.sensitivity._error_sensitivity_display import map_size
from skcorrupt.sensitivity._in_words import change_in_words, error_in_words, failed_in_words
from skcorrupt.sensitivity._scenario import EVERY_ROW, ROWS, rows_in_words
from skcorrupt.utils._as_text import cell, counted, interval, largest

from ._code import HOW, PRIORITIES, PROFILES
from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html
from ._tables import Column, called, capital, table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from skcorrupt.sensitivity import ErrorSensitivityProfiler

MOST_PROFILES = 40
MOST_CURVES = 3
MOST_MAPPED = 40
MOST_TOLD = 2
KEYS = ["model", "corruption", "features"]
_PROFILES = [
    Column("model", "Model"),
    Column("corruption", "Error"),
    Column("features", "In columns", meaning="Several that are struck together are one row."),
    Column("baseline", "Clean", "score", "{Score} without errors, mean over the repeats."),
    Column(
        "aepc",
        "Mean change",
        "signed percent",
        "AEPC: mean change of the {score} from no errors to the highest level, that is the area "
        "between the curve and its baseline over that level, as a share of what it is without "
        "errors. Below 0 is a loss.",
    ),
    Column("aepc_interval", "95 % interval", meaning="Of the mean change, over the repeats."),
    Column(
        "epc",
        "Steadiness",
        "signed",
        "EPC, from -1 to 1: 1 where the {score} falls steadily as errors grow.",
    ),
    Column("p_adjusted", "p-value", "chance", "Of the highest level, adjusted for all rows."),
    Column(
        "significant",
        "Matters",
        meaning="The p-value is at most `alpha` and the mean change is larger than `tau`.",
    ),
    Column("flags", "Remarks"),
]
_RANKING = [
    Column("model", "Model"),
    Column("baseline", "Clean", "score", "{Score} without errors."),
    Column("score", "With errors", "score", "Mean {score} over all errors and levels."),
    Column(
        "loss",
        "Mean loss",
        "signed percent",
        "Mean over all errors, of the clean {score}.",
    ),
    Column("loss_interval", "95 % interval", meaning="Of the mean loss, over the repeats."),
    Column("profiles", "Errors"),
    Column("failed", "Failed", meaning="Errors with which the model could not be scored."),
    Column("significant_losses", "Losses that matter"),
    Column("worst_loss", "Worst loss", "signed percent"),
    Column("worst_corruption", "By"),
    Column("worst_features", "In columns"),
]
_LEVELS = [
    *_PROFILES[:3],
    Column(
        "level",
        "Errors",
        "share",
        "Share that is struck of the training rows, with a pattern of those that it matches.",
    ),
    Column("mean", "{Score}", "score", "Mean over the repeats."),
    Column("std", "Spread", "score", "Standard deviation over the repeats."),
    Column("count", "Repeats"),
]


def profiler_content(profiler: ErrorSensitivityProfiler, asked: Asked) -> Content:
    """Collect what is known of a fitted profiler.

    Parameters
    ----------
    profiler : ErrorSensitivityProfiler
        The fitted profiler.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    frame = profiler.profiles_
    models = frame["model"].unique()
    errors = [kind_in_words(str(error)) for error in frame["corruption"].unique()]
    levels = sorted(profiler.curves_["level"].unique())
    data = Data(**profiler._data_facts)
    return Content(
        heading="How performance moves as errors grow",
        glance=_glance(profiler),
        question=(
            f"As more and more of the training data go wrong ({', '.join(errors)}), how "
            f"much does the {profiler.metric_name_} of {counted(len(models), 'model')} fall, and "
            "for which columns is it worth most to keep the data clean?"
        ),
        answer=[*_answer(profiler), *asked.legend()],
        results=_results(profiler),
        pictures=_pictures(profiler),
        limits=_limits(profiler, data, levels),
        data=data,
        seed=None,
        repeat=Repeat("profiler", after=["print(profiler.summary())", PROFILES, PRIORITIES]),
    )


def _glance(profiler: ErrorSensitivityProfiler) -> Glance:
    glance, failed = _glance_at_losses(profiler), failed_in_words(profiler.curves_)
    if not failed:
        return glance
    scored = profiler.profiles_["aepc"].notna().any()
    # a model that stops working loses more than any number says
    return replace(
        glance,
        wrong=" ".join([*failed, *([glance.wrong] if glance.harm and scored else [])]),
        bad=f"Of what could be scored: {glance.bad}" if scored else "It gives no predictions.",
        do="Put a step into the pipeline that takes such cells, as imputers do with those that are "
        f"missing, or keep such errors out of it. {glance.do}",
        harm=2,
    )


def _glance_at_losses(profiler: ErrorSensitivityProfiler) -> Glance:
    frame, metric = profiler.profiles_, profiler.metric_name_
    known = frame.dropna(subset="aepc").sort_values("aepc", kind="stable")
    n = profiler.curves_["repeat"].nunique()
    sure = (
        f"95 % intervals and tests over {counted(n, 'random split')}, adjusted for "
        f"{counted(len(frame), 'pair')} of a model and an error."
        if n > 1
        else "Not known: with one repeat nothing can be tested."
    )
    losses = known[known["aepc"] < 0]
    sure_losses = losses[losses["significant"]]
    fall = _largest_fall(profiler)
    rows = (sure_losses if len(sure_losses) else losses).head(MOST_TOLD).to_dict("records")
    each = [
        f"{_error(row)} change the {metric} of `{row['model']}` by "
        f"{change_in_words(row['aepc'])} on average" + (told if n > 1 else "")
        for row in rows
        for told in [f" ({interval(row['aepc_low'], row['aepc_high'], 'signed percent')})"]
    ]
    bad = f"The largest losses: {'; '.join(each)}." if each else "No loss on average."
    if sure_losses.empty:
        # beside an interval without 0 "none was seen" would contradict itself
        apart = losses[losses["aepc_high"] < 0]
        wrong = "Whether an error does harm could not be tested with one repeat."
        if n > 1:
            wrong = (
                f"No error that was tried was seen to lower the {metric} by more than noise and by "
                f"more than {100 * profiler.tau:g} %."
                if apart.empty
                else _not_sure(profiler, apart)
            )
        return Glance(
            wrong,
            " ".join([bad, *fall]),
            sure,
            "Try other kinds of error, and errors that gather in certain rows; more repeats show "
            "smaller losses.",
            harm=1 if n == 1 or known.empty or len(apart) else 0,
        )
    return Glance(
        f"{counted(len(sure_losses), 'error')} in training data can lower the {metric} so that "
        f"it matters, {_error(rows[0])} the most.",
        " ".join([bad, *fall]),
        sure,
        f"{_first(rows[0])}; {HOW} says what comes next.",
        harm=2,
    )


def _not_sure(profiler: ErrorSensitivityProfiler, apart: pd.DataFrame) -> str:
    """Errors of which the interval says that they do harm, but not the test or the size."""
    small = int((apart["p_adjusted"] <= profiler.alpha).sum())
    many, n = f"{100 * profiler.tau:g} %", len(apart)
    said = f"{counted(n, 'error')} may lower the {profiler.metric_name_}"
    told = [f"of {small if small < n else 'all'} the loss is no more than {many}"] if small else []
    if small < n:
        which = "the others may do so" if small else "may do so"
        told.append(f"{which} by chance, as {len(profiler.profiles_)} were tried")
    return f"{said}, but {'; '.join(told)}."


def _first(row: dict[Any, Any]) -> str:
    """What to do before all else."""
    if row["features"] == ROWS[0]:
        return f"First prevent {kind_in_words(str(row['corruption']))}"
    return f"Keep `{row['features']}` clean first"


def _error(row: dict[Any, Any]) -> str:
    """What goes wrong, and in which columns."""
    return error_in_words(str(row["corruption"]), str(row["features"]))


def _largest_fall(profiler: ErrorSensitivityProfiler) -> list[str]:
    """The lowest mean score at any level, which a mean over levels hides."""
    means = profiler.curves_.groupby([*KEYS, "level"], sort=False)["score"].mean().reset_index()
    means = means.merge(profiler.profiles_[[*KEYS, "baseline"]], on=KEYS)
    means["fall"] = means["baseline"] - means["score"]
    rows_of = rows_in_words(profiler.corruptions)
    means = means[means["fall"] > 0].sort_values("fall", ascending=False, kind="stable")
    return [
        f"The largest fall at any level: with {_error(row)} in {100 * row['level']:g} % of "
        f"{rows_of[row['corruption']]} the {profiler.metric_name_} of "
        f"`{row['model']}` goes from {cell(row['baseline'], 'score', unit)} to "
        f"{cell(row['score'], 'score', unit)}."
        for row in means.head(1).to_dict("records")
        for unit in [largest(row["baseline"], row["score"])]
    ]


def _answer(profiler: ErrorSensitivityProfiler) -> list[str]:
    said = [profiler.summary()]
    if profiler.profiles_["aepc"].isna().all():
        return said
    ranking = profiler.model_ranking()
    if len(ranking) > 1 and np.isfinite(ranking["loss"].iloc[0]):
        first = ranking.iloc[0]
        said.append(
            f"Of the models `{first['model']}` loses least, {cell(first['loss'], 'percent')} of "
            f"its {profiler.metric_name_} on average; with errors it has "
            f"{cell(first['score'], 'score')}."
        )
    return said


def _results(profiler: ErrorSensitivityProfiler) -> list[tuple[str, list[Html]]]:
    frame, metric = profiler.profiles_, profiler.metric_name_
    frame = frame.assign(
        aepc_interval=[
            interval(low, high, "signed percent")
            for low, high in zip(frame["aepc_low"], frame["aepc_high"], strict=True)
        ]
    ).sort_values(["significant", "aepc"], ascending=[False, True], kind="stable")
    if not frame["flags"].astype(bool).any():
        frame = frame.drop(columns="flags")
    ranking = profiler.model_ranking()
    ranking = ranking.assign(
        loss_interval=[
            interval(low, high, "signed percent")
            for low, high in zip(ranking["loss_low"], ranking["loss_high"], strict=True)
        ]
    )
    order = "those that matter first, then the largest losses"
    results = [
        (
            "What each error does",
            [
                table(
                    frame,
                    called(_PROFILES, metric),
                    f"One row per model and error; {order}.",
                    most=MOST_PROFILES,
                    order=order,
                )
            ],
        ),
        (
            "Models",
            [
                table(
                    ranking,
                    called(_RANKING, metric),
                    "Models, those that lose least first. Losses are above 0.",
                )
            ],
        ),
    ]
    levels = profiler.curves_.groupby([*KEYS, "level"], sort=False)["score"]
    curves = levels.agg(["mean", "std", "count"]).reset_index()
    first = frame[KEYS].head(2 * MOST_CURVES)
    shown = first.merge(curves, on=KEYS, how="left")
    caption = f"{capital(metric)} at each level, for the first pairs of the table above."
    results.append(("Level by level", [table(shown, called(_LEVELS, metric), caption)]))
    if profiler.screening is not None:
        columns = [
            Column("feature", "Column"),
            Column("value", "Value", meaning="What columns were chosen by."),
            Column("kept", "Studied"),
        ]
        caption = f"How columns were chosen, by {profiler.screening}."
        results.append(("Screening", [table(profiler.screening_, columns, caption)]))
    return results


def _pictures(profiler: ErrorSensitivityProfiler) -> list[Picture]:
    scored = profiler.curves_.groupby(KEYS)["score"].count()
    rows, metric = profiler.profiles_, profiler.metric_name_
    rows = rows[[scored[key] > 0 for key in rows[KEYS].itertuples(index=False, name=None)]]
    if rows.empty:
        return []
    rows = rows.sort_values("aepc", key=lambda area: -area.abs(), kind="stable")
    display = ErrorSensitivityDisplay.from_profiler(profiler)
    pictures = []
    for _, row in rows.head(MOST_CURVES).iterrows():
        which = {key: row[key] for key in KEYS}
        # in the text for those who cannot see, marks of code would be read out
        name = f"{row['model']}, {_error(dict(row)).replace('`', '')}"
        pictures.append(
            Picture(
                f"{name}: the mean {metric} as errors grow, with the 95 % interval of the mean, "
                f"and the {metric} without errors (dashed). Numbers at the curve are slopes.",
                f"Curve of the {metric} of {name}, {cell(row['baseline'], 'score')} without "
                f"errors; mean change {cell(row['aepc'], 'signed percent')}.",
                partial(_plot, display, "profile", which),
                (6.5, 4.5),
            )
        )
    for error in rows["corruption"].unique():
        part = rows[rows["corruption"] == error]
        if part["features"].nunique() < 2:
            continue
        largest = part["features"].drop_duplicates().head(MOST_MAPPED)
        part = part[part["features"].isin(largest)]
        # the other errors stay in, so that all maps have the colours of one scale
        shown = rows[(rows["corruption"] != error) | rows["features"].isin(largest)]
        mapped = ErrorSensitivityDisplay(profiler.curves_, shown, metric=metric)
        left = rows.loc[rows["corruption"] == error, "features"].nunique() - len(largest)
        more = f" {left} columns with smaller changes are left out." if left else ""
        size = map_size(part["model"].nunique(), len(largest))
        pictures.append(
            Picture(
                f"{error}: mean change of the {metric} by column and model, as a share of the "
                f"clean {metric}; losses that matter are red, with a star. What is faint may be "
                f"noise.{more}",
                f"Map of the mean change by column and model under {error}; the table of results "
                "has its numbers.",
                partial(_plot, mapped, "heatmap", {"corruption": error}),
                size,
            )
        )
    return pictures


def _plot(
    display: ErrorSensitivityDisplay,
    kind: Literal["profile", "heatmap"],
    which: dict[str, str],
    ax: Axes,
) -> None:
    display.plot(kind, ax=ax, **which)


def _limits(profiler: ErrorSensitivityProfiler, data: Data, levels: list[float]) -> list[str]:
    frame, curves = profiler.profiles_, profiler.curves_
    shares = ", ".join(f"{100 * level:g} %" for level in levels)
    limited = {*rows_in_words(profiler.corruptions).values()} != {EVERY_ROW}
    of_matched = ", of errors with a pattern of those that it matches" if limited else ""
    limits = [
        f"Only these errors were studied: {', '.join(map(str, frame['corruption'].unique()))}.",
        f"Errors were put into {shares} of the training rows{of_matched}, at random where the "
        "error itself says no more. Errors that gather in certain rows can do more harm.",
        "Only training data had errors. Test data were clean.",
        "Models were taken as they are set; they were not tuned again for data with errors.",
    ]
    if getattr(profiler, "interrupted_", False):
        n_repeats = curves["repeat"].nunique()
        limits.insert(0, f"The study was ended early after {counted(n_repeats, 'repeat')}.")
    never = [name for name in data.columns if name not in profiler._studied]
    if never:
        named = ", ".join(f"`{name}`" for name in never[:30])
        more = f" and {len(never) - 30:,} more" if len(never) > 30 else ""
        limits.append(f"Columns in which no error was studied: {named}{more}.")
    n = curves["repeat"].nunique()
    limits.append(
        f"Intervals are over {counted(n, 'random split')} of the same rows into training and test "
        "data. They are for other splits of this data, not for other data."
    )
    if n < 2:
        limits.append("With one repeat nothing can be tested. That none matters says nothing here.")
    limits.append("That a change is not found to matter does not show that there is none.")
    lost = curves["score"].isna()
    if lost.any():
        first = curves.loc[lost & curves["error"].astype(bool), "error"]
        why = f", the first for: {first.iloc[0]}" if len(first) else ""
        limits.append(f"{int(lost.sum()):,} of {len(curves):,} scores are missing{why}.")
    limits.append(
        "How important columns are on clean data is not shown; `cleaning_priorities()` tells."
    )
    return limits
