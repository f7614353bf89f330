"""Questions that end in a strategy."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_integer_dtype

from skcorrupt.base._sampling import SAMPLINGS
from skcorrupt.corruptions import short_names
from skcorrupt.evaluation._silhouette import SILHOUETTE, check_scoring_name
from skcorrupt.patterns import Pattern
from skcorrupt.sensitivity import Strategy
from skcorrupt.sensitivity._checks import checked_levels
from skcorrupt.sensitivity._scenario import STRATEGIES, scenarios_of
from skcorrupt.sensitivity._screening import SCREENINGS
from skcorrupt.utils._readable import on_one_line

from ._arguments import add_seed_and_file_options, at_least, file_path, names
from ._column_names import as_in_file
from ._command_error import CommandError, fail
from ._load import check_columns, split_label
from ._profile import LINEAR, bundled_models, is_quantity
from ._table import DURATION, read
from ._typed import listed, typed

USUAL_LABELS = ("label", "target", "class", "outcome", "y")
USUAL_ERRORS = ("missing", "noise", "outliers")
ALL, NONE = "all", "none"
# names of columns that number rows: id, customer_id, customerId, index
ID_NAME = re.compile(r"(?i:(.*[\W_])?id|index)|.*[a-z]I[dD]")
DATE = r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([ T]\d.*)?"
# with more columns, a study of some of them is suggested
MANY_COLUMNS, MOST_COLUMNS = 40, 20


def add_configure_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `configure`."""
    add = parser.add_argument
    add("data", type=file_path, metavar="data.csv", help="a CSV or Parquet file")
    add(
        "--out",
        type=file_path,
        default=Path("strategy.json"),
        metavar="FILE",
        help="the file to write (default: strategy.json)",
    )
    add("--overwrite", action="store_true", help="replace the file where there is one")
    add(
        "--answers",
        type=file_path,
        metavar="FILE",
        help="answers, one line a question, instead of the terminal; an empty or missing line "
        "takes what is suggested",
    )
    add_seed_and_file_options(parser)


def configure(args: argparse.Namespace) -> None:
    """Ask, show the plan and write the strategy.

    Parameters
    ----------
    args : Namespace
        The arguments.

    Raises
    ------
    CommandError
        If something the user gave does not work.
    """
    try:
        there, in_folder = args.out.exists(), args.out.parent.is_dir()
    except OSError as error:
        raise CommandError(f"--out {args.out}: {error.strerror}") from None
    if there and not args.overwrite:
        raise CommandError(f"--out {args.out} exists; name another file or pass --overwrite")
    if not in_folder:
        raise CommandError(f"--out {args.out}: there is no folder {args.out.parent}; make it first")
    frame = read(args, args.data)
    dialogue = _Dialogue(args.answers, _lines(args.answers))
    print(f"{args.data}: {frame.shape[0]} rows, {frame.shape[1]} columns. Enter takes [this].")
    strategy, X, y = _ask(dialogue, frame, args)
    dialogue.end()
    try:
        # before the plan, which can fail when all questions are answered
        strategy.to_json(args.out)
    except OSError as error:
        raise CommandError(f"--out {args.out}: cannot write it ({error.strerror})") from None
    words: list[object] = ["profile", args.data, args.out, "--out", "results"]
    if strategy.scoring == SILHOUETTE:
        words += ["--pipeline", "MODULE:OBJECT"]
        print(f"\nNo plan: {SILHOUETTE} is for clusterers, of which --pipeline names yours.")
    else:
        print(f"\nPlan: {_planned(strategy, X, y, args.out)}.")
    print(f"Written: {args.out}. Run it:")
    print(f"  {typed(args, *words)}")


def _planned(strategy: Strategy, X: pd.DataFrame, y: pd.Series, out: Path) -> str:
    models = bundled_models(X, y)
    try:
        # without names, `profile` takes the linear model where it is given no other
        plan = strategy.profiler(models if strategy.models else models[LINEAR]).plan(X, y)
    except Exception as error:
        failed = f"{out} is written, but the plan failed"
        if isinstance(error, (ValueError, TypeError)):
            raise CommandError(f"{failed}: {error}") from error
        fail(failed, error)
    return str(plan)


@dataclass
class _Dialogue:
    """Questions to the terminal, or to a file of answers."""

    path: Path | None
    lines: list[str]
    n_asked: int = 0

    def ask(self, question: str, default: str, read: Callable[[str], Any]) -> Any:
        """What `read` makes of an answer; one that it refuses is asked for again."""
        self.n_asked += 1
        question, default = on_one_line(question), on_one_line(default)
        prompt = f"{self.n_asked}. {question} [{default}]: "
        while True:
            answer = self._answer(prompt) or default
            try:
                return read(answer)
            except (CommandError, ValueError, argparse.ArgumentTypeError) as error:
                if self.path is not None:
                    raise CommandError(
                        f"--answers {self.path}, line {self.n_asked}: {error}"
                    ) from None
                print(f"   {error}")

    def end(self) -> None:
        """Refuse answers that nobody asked for."""
        if any(line.strip() for line in self.lines[self.n_asked :]):
            raise CommandError(
                f"--answers {self.path} has {len(self.lines)} lines for {self.n_asked} questions; "
                "remove the last ones"
            )

    def _answer(self, prompt: str) -> str:
        if self.path is None:
            try:
                return input(prompt).strip()
            except EOFError:
                raise CommandError(
                    "there is no terminal to ask; pass --answers FILE, which may be empty"
                ) from None
        line = self.lines[self.n_asked - 1] if self.n_asked <= len(self.lines) else ""
        print(f"{prompt}{line.strip()}")
        return line.strip()


def _lines(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"cannot read --answers {path} ({error})") from None


def _ask(
    dialogue: _Dialogue, frame: pd.DataFrame, args: argparse.Namespace
) -> tuple[Strategy, pd.DataFrame, pd.Series]:
    """All questions in turn, and the data that the answers leave."""

    def label_of(answer: str) -> str:
        # as it is, or in quotes as it was shown
        given = [answer] if answer in frame.columns else names(answer)
        [chosen] = as_in_file(given if len(given) == 1 else [answer], list(frame.columns))
        _, y = split_label(frame, chosen, [], args.data)
        _check_classes(y)
        return chosen

    def columns_of(answer: str) -> list[str]:
        return as_in_file(names(answer), list(frame.columns))

    def drop_of(answer: str) -> list[str]:
        chosen = [] if answer == NONE else list(dict.fromkeys(columns_of(answer)))
        split_label(frame, label, chosen, args.data)
        return chosen

    def features_of(answer: str) -> list[str]:
        chosen = list(X.columns) if answer == ALL else list(dict.fromkeys(columns_of(answer)))
        check_columns("the column", chosen, list(X.columns), several=True)
        return chosen

    def strategy_of(answer: str) -> str:
        if answer not in STRATEGIES:
            raise CommandError(f"{answer!r} should be one of {', '.join(STRATEGIES)}")
        study = Strategy(strategy=answer, corruptions=entries)
        errors = study.profiler({}).corruptions
        scenarios_of(answer, errors, X, study.correlation_threshold)
        return answer

    columns = listed([*frame.columns], ", ")
    label = dialogue.ask(f"Column to predict ({columns})", _usual_label(frame, args), label_of)
    ids = _id_like(frame.drop(columns=label))
    drop = dialogue.ask("Columns to leave out, such as ids", listed(ids, ", ") or NONE, drop_of)
    X, y = split_label(frame, label, drop, args.data)
    features = dialogue.ask("Columns that can be wrong, as A,B", ALL, features_of)
    possible = _possible_errors(X, y, features)
    many = len(features) > MANY_COLUMNS
    usual = [kind for kind in USUAL_ERRORS if kind in possible]
    entries = dialogue.ask(
        f"Errors ({', '.join(possible)})",
        listed(usual, ", "),
        lambda answer: _entries(names(answer), possible, X, features),
    )
    study = dialogue.ask(
        f"What is wrong together ({', '.join(STRATEGIES)})", "one-feature", strategy_of
    )
    screening, max_features = dialogue.ask(
        f"Of many columns, only the 20 (or so) of most {', '.join(SCREENINGS)}",
        f"{SCREENINGS[0]} {MOST_COLUMNS}" if many and study != "custom" else ALL,
        lambda answer: _screening(answer, study),
    )
    entries = dialogue.ask(
        "Rows that can be wrong, such as age >= 60 and y == 1",
        ALL,
        lambda answer: _with_pattern(answer, entries, X, y),
    )
    entries = dialogue.ask(
        f"Where errors gather in the order of rows ({', '.join(SAMPLINGS)})",
        SAMPLINGS[0],
        lambda answer: _with_sampling(answer, entries),
    )
    limited = any("pattern" in each for each in entries)
    those = "these rows that are wrong" if limited else "wrong rows"
    levels = dialogue.ask(f"Shares of {those}, from 0", "0, 0.2, 0.4, 0.6, 0.8", _levels)
    known = list(bundled_models(X, y))
    models = dialogue.ask(
        f"Models ({', '.join(known)}, {ALL})", LINEAR, lambda answer: _models(answer, known)
    )
    repeats = dialogue.ask("Repeats", "30", at_least(1))
    scoring = dialogue.ask(
        "Score",
        "r2" if is_quantity(y) else "f1_macro",
        lambda answer: _scoring(answer, models),
    )
    strategy = Strategy(
        corruptions=entries,
        strategy=study,
        screening=screening,
        max_features=max_features,
        levels=levels,
        n_repeats=repeats,
        scoring=scoring,
        random_state=args.seed,
        label=label,
        drop=drop,
        models=models,
    )
    return strategy, X, y


def _usual_label(frame: pd.DataFrame, args: argparse.Namespace) -> str:
    """A column that is called as labels are, else the last one that can be predicted."""
    called = [name for name in frame.columns if name.lower() in USUAL_LABELS]
    for name in [*called, *reversed(frame.columns)]:
        try:
            split_label(frame, name, [], args.data)
        except CommandError:
            continue
        return name
    return frame.columns[-1]


def _check_classes(y: pd.Series) -> None:
    """Refuse classes that cannot be in training and in test data."""
    counts = y.value_counts()
    rare = counts.index[counts == 1]
    if is_quantity(y) or rare.empty:
        return
    others = f" and {len(rare) - 1} more" if len(rare) > 1 else ""
    # the header is line 1
    line = int((y == rare[0]).to_numpy().argmax()) + 2
    raise CommandError(
        f"the label {y.name!r} has one row only of the class {str(rare[0])!r} (line {line})"
        f"{others}; a class should have at least two, one to train on and one to test on: remove "
        "such rows or give them another class, or name another column"
    )


def _id_like(X: pd.DataFrame) -> list[str]:
    """Columns that tell rows apart, as names and ids do."""
    found = [str(name) for name in X if _is_id(X[name])]
    return found if len(found) < X.shape[1] else []


def _is_id(column: pd.Series) -> bool:
    """Whether it is text other in nearly every row, times aside, or a number that counts rows."""
    if is_integer_dtype(column):
        if not column.is_unique or len(column) < 2:
            return False
        named = ID_NAME.fullmatch(str(column.name)) is not None
        return named or bool((np.diff(column.to_numpy()) == 1).all())
    if pd.api.types.is_numeric_dtype(column) or 2 * column.nunique() <= len(column):
        return False
    return not column.dropna().astype(str).str.fullmatch(f"{DATE}|{DURATION}").all()


def _possible_errors(
    X: pd.DataFrame, y: pd.Series, features: list[str]
) -> dict[str, list[str] | None]:
    """Kinds of errors, each with the features it applies to, None for errors of rows."""
    found: dict[str, list[str] | None] = {}
    for kind, cls in short_names().items():
        if cls.strikes != "cells":
            # wrong labels are other classes, and a quantity has none
            if kind != "labels" or not is_quantity(y):
                found[kind] = None
            continue
        try:
            scenarios = scenarios_of("one-feature", cls(), X, 1.0)
        except ValueError:
            continue
        known = [each.features for each in scenarios if {*each.features}.issubset(features)]
        applies = list(dict.fromkeys(feature for each in known for feature in each))
        if applies:
            found[kind] = applies
    return found


def _entries(
    kinds: list[str],
    possible: dict[str, list[str] | None],
    X: pd.DataFrame,
    features: list[str],
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for kind in dict.fromkeys(kinds):
        if kind not in possible:
            known = kind in short_names()
            reason = "does not apply to these columns" if known else "is not an error"
            raise CommandError(f"{kind!r} {reason}; choose among {', '.join(possible)}")
        applies = possible[kind]
        every = applies is None or len(features) == X.shape[1]
        found.append({"kind": kind} if every else {"kind": kind, "columns": applies})
    return found


def _models(answer: str, known: list[str]) -> list[str] | None:
    """Names of models; None for the linear one, whose place any `--pipeline` takes later."""
    chosen = known if answer == ALL else list(dict.fromkeys(names(answer)))
    for name in chosen:
        if name not in known:
            if known == [LINEAR]:
                raise CommandError(
                    f"{name!r} is not a model here: the label is a quantity, for which there is "
                    f"{LINEAR} alone; `profile --pipeline` takes one of your own"
                )
            raise CommandError(f"{name!r} is not a model here; choose among {', '.join(known)}")
    return None if chosen == [LINEAR] else chosen


def _screening(answer: str, study: str) -> tuple[str | None, int]:
    """What columns are chosen by, and how many."""
    if answer == ALL:
        return None, MOST_COLUMNS
    by, _, number = answer.partition(" ")
    if by not in SCREENINGS:
        raise CommandError(
            f"{answer!r} should be {ALL}, or one of {', '.join(SCREENINGS)} and a number, such as "
            f"{SCREENINGS[0]} {MOST_COLUMNS}"
        )
    if study == "custom":
        raise CommandError(f"{answer!r}: custom studies strike the columns named above; use {ALL}")
    return by, at_least(1)(number.strip() or str(MOST_COLUMNS))


def _with_pattern(
    answer: str, entries: list[dict[str, Any]], X: pd.DataFrame, y: pd.Series
) -> list[dict[str, Any]]:
    if answer == ALL:
        return entries
    if not Pattern.parse(answer).mask(X, y).any():
        raise CommandError(f"{answer!r} matches no row; widen it, or use {ALL}")
    return [entry | {"pattern": answer} for entry in entries]


def _with_sampling(answer: str, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if answer not in SAMPLINGS:
        raise CommandError(f"{answer!r} should be one of {', '.join(SAMPLINGS)}")
    if answer == SAMPLINGS[0]:
        return entries
    return [entry | {"params": {"sampling": answer}} for entry in entries]


def _levels(answer: str) -> list[float]:
    try:
        # in brackets too, as messages and files have them
        levels: Any = [float(part) for part in answer.strip("[]").split(",")]
    except ValueError:
        levels = answer
    return checked_levels(levels)


def _scoring(answer: str, models: list[str] | None) -> str:
    check_scoring_name(answer)
    if answer == SILHOUETTE and models is not None:
        raise CommandError(
            f"{answer!r} is for clusterers, which the models above are not; choose another score, "
            f"or start again and answer {LINEAR} there, whose place --pipeline takes"
        )
    return answer
