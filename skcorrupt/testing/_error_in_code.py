"""Code that shows what an error does to a pipeline, or to a fitted model."""

from __future__ import annotations

from sklearn.base import clone

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.adversarial._served import is_fitted
from skcorrupt.base import BaseCorruption, Mechanism
from skcorrupt.metrics._change_scorer import CHANGE
from skcorrupt.utils import as_table
from skcorrupt.utils._typing import ColumnLike, TableLike


def _as_it_is(search: AdversarialCorruptionSearch) -> bool:
    """Whether a fitted model was scored, which no fit is to change."""
    return search.apply_to == "test" and is_fitted(search.estimator)


def on_all_rows(search: AdversarialCorruptionSearch, X: TableLike, y: ColumnLike) -> str:
    """What the code for a fitted model prints.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        Fitted, with a worst error.
    X, y : table of shape (n_samples, n_features), array-like of shape (n_samples,)
        Clean data.

    Returns
    -------
    str
        A line; "" for pipelines, which are cross-validated.
    """
    # of a table in parts y is a name
    if not _as_it_is(search) or _reads_rows(search) or isinstance(y, str):
        return ""
    model, scorer = search.estimator, search.scorer_
    try:
        struck = clone(search.worst_corruption_).fit(X, y).corrupt(X, y)
        clean, dirty = (scorer(model, *rows) for rows in ((X, y), (struck.X, struck.y)))
    except Exception:
        # rows set aside that the model cannot take are not what failed
        return ""
    return (
        f"On all {as_table(X).n_rows} rows the fitted model scores {clean:.4g} without it, and "
        f"{dirty:.4g} with one draw of it.\n"
    )


def _reads_rows(search: AdversarialCorruptionSearch) -> bool:
    """Whether the score compares predictions of struck rows with those of clean ones."""
    return bool(getattr(search.scorer_, "reads_rows", False))


def _scoring(search: AdversarialCorruptionSearch) -> str:
    """The parameter `scoring` in code."""
    if isinstance(search.scoring, str) and search.scoring == CHANGE:
        # scikit-learn has no such name
        return "make_change_scorer()"
    return repr(search.scoring) if isinstance(search.scoring, str | None) else "scoring"


def _lines_for_model(search: AdversarialCorruptionSearch) -> tuple[list[str], list[str]]:
    """Imports, and what scores a fitted model as it is, with and without the worst error."""
    scoring = search.scoring
    if _reads_rows(search):
        how = f"apply_to='test', scoring={_scoring(search)}, cv=[(rows, rows)], random_state=0"
        return ["from sklearn.frozen import FrozenEstimator"], [
            "rows = range(len(X))",
            "for error in (None, worst):",
            # what is frozen is scored on the rows as it is
            f"    found = cross_validate_corrupted(FrozenEstimator(pipeline), X, y, error, {how})",
            '    print(found["test_score"].mean())',
        ]
    imports, called = [], "scoring(pipeline, rows, labels)"
    if scoring is None:
        called = "pipeline.score(rows, labels)"
    elif isinstance(scoring, str):
        imports = ["from sklearn.metrics import get_scorer"]
        called = f"get_scorer({scoring!r})(pipeline, rows, labels)"
    return imports, [
        "struck = worst.fit(X, y).corrupt(X, y)",
        "for rows, labels in ((X, y), (struck.X, struck.y)):",
        f"    print({called})",
    ]


def code_of(search: AdversarialCorruptionSearch, worst: BaseCorruption) -> str:
    """Python that scores the pipeline with and without an error.

    Parameters
    ----------
    search : AdversarialCorruptionSearch
        By which it was found.
    worst : BaseCorruption
        The error.

    Returns
    -------
    str
        Indented lines.
    """
    trains, as_it_is = search.apply_to == "train", _as_it_is(search)
    caller = "CorruptedEstimator" if trains else "cross_validate_corrupted"
    names = {"Pattern": "skcorrupt"}
    if not as_it_is or _reads_rows(search):
        names[caller] = "skcorrupt"
    if _scoring(search).startswith("make_"):
        names["make_change_scorer"] = "skcorrupt.metrics"
    for part in [worst, *worst.get_params(deep=True).values()]:
        if isinstance(part, (BaseCorruption, Mechanism)):
            module = type(part).__module__
            names[type(part).__name__] = "skcorrupt" if module.startswith("skcorrupt.") else module
    lines = [
        f"from {module} import {', '.join(sorted(n for n in names if names[n] == module))}"
        for module in sorted(set(names.values()))
    ]
    scoring = _scoring(search)
    cv = "3" if search.cv is None else repr(search.cv) if isinstance(search.cv, int) else "cv"
    if trains:
        lines = [
            "from sklearn.model_selection import cross_val_score",
            *lines,
            f"worst = {worst!r}",
            "for model in (pipeline, CorruptedEstimator(pipeline, worst)):",
            f"    print(cross_val_score(model, X, y, scoring={scoring}, cv={cv}).mean())",
        ]
    elif as_it_is:
        imports, scored = _lines_for_model(search)
        lines = [*imports, *lines, f"worst = {worst!r}", *scored]
    else:
        # in front of a pipeline it would strike training data alone
        how = f"apply_to={search.apply_to!r}, scoring={scoring}, cv={cv}, random_state=0"
        lines = [
            *lines,
            f"worst = {worst!r}",
            "for error in (None, worst):",
            f"    found = cross_validate_corrupted(pipeline, X, y, error, {how})",
            '    print(found["test_score"].mean())',
        ]
    return "\n".join(f"    {line}" for line in lines)
