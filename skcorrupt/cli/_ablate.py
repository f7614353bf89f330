"""Stage fairness of a user's own file."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.base import is_regressor

from skcorrupt.fairness import StageFairnessAblator, StageFairnessDisplay
from skcorrupt.fairness._effects import UNDEFINED
from skcorrupt.fairness._harms import gap_units
from skcorrupt.fairness._in_words import GAPS, SHORT_GAPS
from skcorrupt.fairness._stage_fairness_display import KINDS
from skcorrupt.fairness._with_stage_names import with_stage_names
from skcorrupt.metrics import metric_name
from skcorrupt.patterns import Pattern
from skcorrupt.utils._as_text import cell, largest

from ._arguments import add_meaning_option, add_seed_and_file_options, at_least, file_path, names
from ._command_error import CommandError, fail
from ._folder import add_folder_options, folder_of, save_results
from ._load import (
    check_columns,
    default_pipeline,
    import_from_here,
    load_pipeline,
    said_of,
    split_label,
)
from ._output import (
    csv_text,
    in_options,
    score_text,
    table_text,
    write_image,
    write_texts,
)
from ._scoring import HELP, checked_scoring, load_scoring
from ._table import read, with_dates


def add_ablate_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ablate`."""
    add = parser.add_argument
    add("data", type=file_path, metavar="data.csv", help="a CSV or Parquet file")
    add("--label", required=True, metavar="COL", help="column to predict")
    add(
        "--sensitive",
        required=True,
        action="append",
        metavar="COL",
        help="column with a sensitive attribute, dropped from the features or not; may be repeated",
    )
    add(
        "--privileged",
        required=True,
        action="append",
        metavar="WHO",
        help='its privileged values as A,B or a pattern such as "age >= 25"; one for each '
        "--sensitive, in the same order",
    )
    add("--favourable", metavar="VALUE", help="the favourable label; not for numbers")
    add(
        "--pipeline",
        metavar="MODULE:OBJECT",
        help="Pipeline, or function that returns one, in a module that can be imported from here "
        "(default: a simple linear model)",
    )
    add("--stages", type=names, metavar="A,B", help="stages by path (default: all)")
    add("--scoring", metavar="NAME", help=f"{HELP} (default: accuracy and F1, or R²)")
    add("--cv", type=at_least(2), metavar="K", help="number of folds (default: 70/30 splits)")
    add("--drop", type=names, default=[], metavar="A,B", help="columns to leave out, such as ids")
    add("--noise-floor", action="store_true", help="measure what another seed alone does")
    add_seed_and_file_options(parser)
    add_meaning_option(parser, "a label")
    add_folder_options(parser, "ablate")


def ablate(args: argparse.Namespace) -> None:
    """Load, ablate, print and save.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    checked_scoring(args.scoring)
    frame = read(args, args.data)
    X, y = split_label(frame, args.label, args.drop, args.data)
    check_columns("--sensitive", args.sensitive, list(frame.columns), several=True)
    if len(args.sensitive) != len(args.privileged):
        raise CommandError(
            f"{len(args.sensitive)} --sensitive and {len(args.privileged)} --privileged; give one "
            "for each"
        )
    privileged = {
        name: _privileged(text, frame[name])
        for name, text in zip(args.sensitive, args.privileged, strict=True)
    }
    out = folder_of(args, args.data)
    import_from_here()
    print(said_of(args.data, X, args.label, len(frame)))
    if args.pipeline is None:
        X = with_dates(X)
        pipeline, description = default_pipeline(X, y)
        print(f"No --pipeline given: {description}.")
    else:
        pipeline = load_pipeline(args.pipeline)
    ablator = StageFairnessAblator(
        pipeline,
        sensitive_features=args.sensitive,
        privileged=privileged,
        pos_label=_favourable(args.favourable, pipeline, y),
        stages=args.stages,
        scoring=load_scoring(args.scoring, None, y),
        cv=args.cv,
        noise_floor=args.noise_floor,
        n_jobs=args.jobs,
        random_state=args.seed,
        verbose=int(not args.quiet),
    )
    try:
        with warnings.catch_warnings():
            # it stands below the table
            warnings.filterwarnings("ignore", message=".* is not left out, as ")
            ablator.fit(X, y, sensitive_features=frame.loc[X.index, args.sensitive])
    except (ValueError, TypeError) as error:
        raise CommandError(str(error)) from error
    except Exception as error:
        fail("the ablation failed", error)
    print("\n".join(_report(ablator, args)))
    if out is not None:
        _save(ablator, out)
        save_results(ablator, out, args)


def _privileged(text: str, column: pd.Series) -> Any:
    """Values of a column from their text, or a pattern."""
    known = {str(value): value for value in column.dropna().unique().tolist()}
    if text in known:
        return known[text]
    try:
        values = names(text)
    except argparse.ArgumentTypeError:
        # quotes are those of a pattern
        values = [text]
    if all(value in known for value in values):
        return [known[value] for value in values]
    try:
        return Pattern.parse(text)
    except ValueError:
        some = ", ".join(sorted(known)[:20])
        raise CommandError(
            f"--privileged {text!r} is neither a value of {column.name!r} ({some}) nor a pattern "
            'such as "age >= 25"'
        ) from None


def _favourable(text: str | None, pipeline: Any, y: pd.Series) -> Any:
    if text is None:
        if is_regressor(pipeline):
            return None
        raise CommandError(
            f"--favourable is missing; name one of the labels {', '.join(map(str, y.unique()))}"
        )
    known = {str(label): label for label in y.unique().tolist()}
    if text not in known and not is_regressor(pipeline):
        raise CommandError(f"--favourable {text!r} is not among the labels {', '.join(known)}")
    return known.get(text, text)


def _report(ablator: StageFairnessAblator, args: argparse.Namespace) -> list[str]:
    """For each pair of groups a table of stages, and what to keep in mind."""
    ablator = with_stage_names(ablator)
    effects, levels = ablator.stage_effects_, ablator.global_fairness_
    scores = ablator.performance_effects_
    scores = scores[scores["metric"] == scores["metric"].iloc[0]]
    units = gap_units(ablator.global_fairness_)
    units |= {
        str(metric): largest(its[["with_stage", "without_stage"]])
        for metric, its in scores.groupby("metric")
    }
    lines = []
    for (sensitive, group), mine in effects.groupby(["sensitive", "group"], sort=False):
        rows = pd.concat([mine, scores])
        pair = levels[(levels["sensitive"] == sensitive) & (levels["group"] == group)]
        whole = pd.concat([pair, scores]).groupby("metric", sort=False)["with_stage"].first()
        table = [
            ["stage", *map(_short, whole.index)],
            [
                "(whole pipeline)",
                *(
                    _cell(value, units.get(name, 1.0), sign=name in GAPS)
                    for name, value in whole.items()
                ),
            ],
        ]
        for stage, its in rows.groupby("stage", sort=False):
            name = " instead of ".join(filter(None, (stage, its["reference"].iloc[0])))
            added = zip(its["mean"], its["metric"], its["significant"], strict=True)
            cells = [_cell(mean, units.get(metric, 1.0), sure) for mean, metric, sure in added]
            table.append([name, *cells])
        lines += ["", f"{sensitive}: {group}; what each stage adds", table_text(table)]
        if ablator.noise_floor:
            floor = ablator.noise_floor_
            floor = floor[(floor["sensitive"] == sensitive) & (floor["group"] == group)]
            sizes = zip(floor["metric"], floor["mean_size"], strict=True)
            said = ", ".join(
                f"{_short(metric)} {score_text(size, units.get(metric, 1.0))}"
                for metric, size in sizes
            )
            lines.append(f"another seed alone: {said}")
    gaps = [GAPS[metric] for metric in effects["metric"].unique() if metric in GAPS]
    lines += ["", f"Gaps are in {'; '.join(gaps)}."] if gaps else []
    lines += ["", f"* significant at {100 * ablator.alpha:g} % over all stages"]
    return lines + [in_options(remark, args) for remark in _remarks(effects)]


def _remarks(effects: pd.DataFrame) -> list[str]:
    """What to keep in mind, each remark once for all stages and gaps of which it is made."""
    pairs = effects["sensitive"] + ": " + effects["group"]
    said = effects.assign(message=effects["message"].map(_apart), pair=pairs).explode("message")
    about: dict[str, Callable[[Any], str]] = {"pair": str, "stage": str, "metric": _short}
    n_all = {name: said[name].nunique() for name in about}
    remarks = []
    groups = said[said["message"] != ""].groupby(["message", "status"], sort=False)
    for (text, status), its in groups:
        message, heads = str(text), []
        for name, called in about.items():
            some = its[name].unique()
            # a stage of one by itself has its name in what is said of it
            named = len(some) < n_all[name] or (name == "stage" and n_all[name] == 1)
            if named and not (name == "stage" and message.startswith(some[0])):
                heads.append(", ".join(map(called, some)))
        heads += [] if status == "ok" else [str(status)]
        remarks.append(f"{'; '.join(heads)}: {message}" if heads else message)
    return remarks


def _apart(message: str) -> list[str]:
    """What is said of a stage, and that a gap is undefined somewhere, which all stages share."""
    of_stage, _, last = message.rpartition("; ")
    return [of_stage, last] if last.startswith(UNDEFINED) else [message]


def _short(metric: str) -> str:
    """The heading of a column: a gap's letters, which a line below spells out, or a name."""
    if metric in GAPS:
        return (
            metric.upper() if GAPS[metric].endswith(f"({metric.upper()})") else SHORT_GAPS[metric]
        )
    return metric_name(metric)


def _cell(value: float, unit: float, significant: bool = False, *, sign: bool = True) -> str:
    """A number as on the page: gaps and what is added to them or to a score have a sign."""
    text = cell(value, "signed" if sign else "score", unit)
    return text + ("*" if significant else " ")


def _save(ablator: StageFairnessAblator, out: Path) -> None:
    names = ["stage_effects", "global_fairness", "performance_effects", "dropped_rows"]
    names += ["noise_floor"] if ablator.noise_floor else []
    texts = {f"{name}.csv": csv_text(getattr(ablator, f"{name}_")) for name in names}
    write_texts(out, texts)
    print(f"\nSaved in {out}: {', '.join(texts)}")
    from matplotlib.figure import Figure

    if not (ablator.stage_effects_["status"] == "ok").any():
        return
    n_stages = ablator.stage_effects_["stage"].nunique()
    figure = Figure(figsize=(9, 4.5 + 1.5 * n_stages), layout="constrained")
    for kind, ax in zip(KINDS, figure.subplots(len(KINDS), 1), strict=True):
        StageFairnessDisplay.from_ablator(ablator).plot(kind, ax=ax)
    write_image(figure, out / "stage_fairness.png")
