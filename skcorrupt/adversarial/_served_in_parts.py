"""Searches for errors in served rows of tables that are read in parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Journal
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import HeldRows, Source, Unread

from ._kinds import templates_of
from ._served import is_fitted
from ._template import members_of
from .candidates import Evaluator
from .serving import ModelInParts, ServedEvaluator, resamples

SAMPLE = "pass a sample of the rows in memory"


def laid_out_in_parts(
    source: Source, y: Any, params: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[HeldRows, Any, dict[str, Any]]:
    """Rows, labels and parameters of a search over a table that is read in parts.

    Parameters
    ----------
    source : Source
        The table.
    y : str or None
        Name of the column of labels.
    params : mapping
        Parameters of the search.
    given : mapping
        Groups and parameters of `fit`, None where there are none.

    Returns
    -------
    rows : HeldRows
        Its rows, once they were read.
    y : ndarray of shape (n_samples,) or None
        Their labels.
    params : dict
        The parameters, with a model that is asked about parts.

    Raises
    ------
    ValueError
        If something needs the whole table in memory, with the remedy.
    """
    _check(source, params, given)
    labels = source.features(y)
    held = _looked_at(params, labels)
    journal = None if params["journal"] is None else Journal(params["journal"])
    model = ModelInParts(params["estimator"], journal)
    rows = HeldRows.of(source, labels, held if y is None else [*held, y], params["n_jobs"])
    # workers are given parts, not errors
    own = {**params, "estimator": model, "n_jobs": 1}
    return rows, None if y is None else rows.whole.popped(y), own


def _check(source: Source, params: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse what needs the whole table in memory."""
    apply_to = params["apply_to"]
    what = f"X is read in parts ({type(source).__name__})"
    if apply_to != "test" or not is_fitted(params["estimator"]):
        raise ValueError(
            f"{what}, which goes with errors in training data, and in the rows that a fitted model "
            f"is served: pass apply_to='train', or FrozenEstimator(model) and apply_to='test', in "
            f"place of apply_to={apply_to!r} and this estimator, or {SAMPLE}."
        )
    if params["checks"]:
        raise ValueError(f"checks watch batches of rows, and {what}; {SAMPLE}, or checks=().")
    if params["journal"] is not None and source.stamp is None:
        raise ValueError(
            f"journal={params['journal']!r} goes on with the same rows, and of files alone it is "
            f"known whether they are the same; {what}: write it to Parquet and pass the files, or "
            "journal=None."
        )
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise ValueError(
            f"{', '.join(extra)}: arrays of an entry for each row do not go with X, as {what}; "
            f"leave them out, or {SAMPLE}."
        )


def _looked_at(params: Mapping[str, Any], labels: Sequence[str]) -> list[str]:
    """Columns that are looked at as a whole, all where it is not said which."""
    space = params["space"] or SearchSpace()
    templates = templates_of(params["corruption"])
    members = [member for each in templates.values() for member in members_of(each)]
    own = [getattr(member, "columns", None) for member in members]
    by_pattern = space.pattern_columns
    if by_pattern is None or (space.corrupt_columns is None and None in own):
        return [*labels]
    named = [as_pattern(member.pattern).columns for member in members]
    mentioned = str([own, named, by_pattern, space.corrupt_columns])
    # what is not found here is read when it is asked for
    return [label for label in labels if repr(label) in mentioned]


def raise_if_asked_often(
    evaluator: Evaluator, templates: Mapping[str, BaseCorruption], rows: Any
) -> None:
    """Refuse searches of tables in parts in which a model has to predict for every candidate.

    Parameters
    ----------
    evaluator : Evaluator
        That of the search, with what errors do to every row.
    templates : mapping of str to BaseCorruption
        The kinds of error.
    rows : Table
        The rows searched.

    Raises
    ------
    ValueError
        With the reason and the remedy.
    """
    if not isinstance(rows, HeldRows):
        return
    served = cast("ServedEvaluator", evaluator)
    known = served.effects or served.leading
    beginning = "X is read in parts, so that predictions are made once for each column hit, but "
    if known is None or not known.additive:
        raise ValueError(
            f"{beginning}scoring={served.scorer!r} does not say what each row contributes; pass a "
            f"score such as 'accuracy' or 'neg_log_loss', make_row_scorer(…), or {SAMPLE}."
        )
    if not known.alone or known.spreading:
        raise ValueError(f"{beginning}the model predicts rows by those beside them; {SAMPLE}.")
    for name, template in templates.items():
        if not (served.suits(template) or resamples(template)):
            raise ValueError(
                f"{beginning}what corruption {name!r} does to a row depends on which others it "
                f"strikes; leave out its mechanism and same_rows=False, or {SAMPLE}."
            )
    if served.effects is None and known.has_random_values:
        raise ValueError(
            f"{beginning}scoring={served.scorer!r} is no mean over rows, and values of errors are "
            f"drawn; pass a score such as 'accuracy' or 'neg_log_loss', or {SAMPLE}."
        )


@contextmanager
def failures_to_read() -> Iterator[None]:
    """Raise what kept a table in parts from being read, where no model is to blame."""
    try:
        yield
    except Unread as stop:
        raise stop.args[0] from stop.args[0].__cause__
