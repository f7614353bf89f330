"""Which of several pipelines stands errors best."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np
from sklearn.base import is_classifier, is_regressor

from skcorrupt.adversarial._kinds import free_name, kind_name
from skcorrupt.adversarial._problem import DEFAULT_FOLDS
from skcorrupt.adversarial._served import is_fitted
from skcorrupt.adversarial._settings import budgets_of, checked_settings
from skcorrupt.adversarial._template import as_template, check_labels
from skcorrupt.adversarial.strategies import SearchStrategy
from skcorrupt.attributes import SearchSpace
from skcorrupt.base import BaseCorruption
from skcorrupt.evaluation import Journal, checked_splitter, settings_of, terminable
from skcorrupt.evaluation._described import Described
from skcorrupt.metrics import metric_name
from skcorrupt.utils import (
    N_JOBS,
    as_table,
    check_arguments,
    check_groups,
    draw_seed,
    named_estimators,
    shorten,
    warn,
    warned_once,
)
from skcorrupt.utils._compat import Interval, StrOptions
from skcorrupt.utils._typing import (
    ApplyTo,
    ColumnLike,
    Estimator,
    FilePath,
    Folds,
    RandomState,
    Scoring,
    TableLike,
)

from ._comparison_tables import ranks_of, results_of, transfer_of
from ._contest import Contest
from ._robustness_comparison import RobustnessComparison
from ._verdict import Verdict, verdicts_of

_CONSTRAINTS: dict[str, list[Any]] = {
    "apply_to": [StrOptions({"train", "test", "both"})],
    "space": [SearchSpace, None],
    "confirm_size": [Interval(Real, 0, 1, closed="neither"), None],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    "journal": [str, os.PathLike, None],
    "max_time": [Interval(Real, 0, None, closed="neither"), None],
    "n_jobs": N_JOBS,
    "verbose": ["verbose"],
}


@warned_once()
def compare_robustness(
    estimators: Mapping[str, Estimator] | Sequence[tuple[str, Estimator]] | Sequence[Estimator],
    X: TableLike,
    y: ColumnLike,
    *,
    corruptions: BaseCorruption
    | str
    | Sequence[BaseCorruption | str]
    | Mapping[str, BaseCorruption | str],
    budgets: float | Sequence[float] | np.ndarray = (0.05, 0.1, 0.2),
    apply_to: ApplyTo = "train",
    scoring: Scoring = None,
    cv: Folds = None,
    space: SearchSpace | None = None,
    strategy: Literal["auto", "beam", "screening", "exhaustive"] | SearchStrategy = "auto",
    confirm_size: float | None = 0.25,
    alpha: float = 0.05,
    groups: ColumnLike | None = None,
    journal: FilePath | None = None,
    max_time: float | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = None,
    verbose: int = 0,
) -> RobustnessComparison:
    """Compare pipelines by the worst that realistic errors can do to each.

    For every pipeline and kind of error the worst error within each budget is searched, on the
    same splits with the same draws. Each is then scored on all other pipelines as well, and the
    worst of all counts, so that none is ahead only because its own search found little. That one
    is made anew with 20 draws and scored on rows that no search saw; on resamples of these rows,
    the same for all, differences of pipelines are tested.

    Parameters
    ----------
    estimators : mapping of str to estimator, or list of (str, estimator)
        The pipelines by name; those of a list that have no name are named after their class. With
        `apply_to="test"` fitted or frozen ones are used as they are, if all of them are.
    X : DataFrame, array or sparse matrix of shape (n_samples, n_features)
        Clean features.
    y : array-like of shape (n_samples,)
        Clean labels.
    corruptions : BaseCorruption, str, list of these, or mapping of str to one of these
        Kinds of error as templates or short names, such as "missing", each searched by itself.
        Those without a name have their short name.
    budgets : float in (0, 1] or list of float, default=(0.05, 0.1, 0.2)
        Largest shares of rows that are struck, in every split.
    apply_to : {"train", "test", "both"}, default="train"
        Where errors strike, as in `AdversarialCorruptionSearch`.
    scoring : str, callable or None, default=None
        The score, greater is better; None is the estimators' own.
    cv : int, splitter, iterable of splits or None, default=None
        None is 3 folds, stratified for classifiers. A splitter without a seed gets one, so that
        all pipelines have the same splits.
    space : SearchSpace or None, default=None
        What is plausible; None is `SearchSpace()`.
    strategy : {"auto", "beam", "screening", "exhaustive"} or SearchStrategy, default="auto"
        How each search goes, as in `AdversarialCorruptionSearch`.
    confirm_size : float in (0, 1) or None, default=0.25
        Share of the rows set aside, on which the worst errors are confirmed and pipelines compared;
        None sets none aside, and the splits of the searches decide, which flatter the searches.
    alpha : float in (0, 1), default=0.05
        Level of the tests; one minus the coverage of intervals.
    groups : array-like of shape (n_samples,), default=None
        Groups for the splitter; rows set aside are whole groups, as in a search.
    journal : str, Path or None, default=None
        SQLite file in which every scored candidate is kept: after an interruption the same call
        goes on from there, to the same result. With `random_state=None` the seed is kept there too.
        Without one, too, Ctrl-C or SIGTERM ends the searches only: pipelines that were searched
        until then are compared, with a warning; a second one is raised.
    max_time : float or None, default=None
        Seconds that the searches may take together, each an equal share of what is left, which
        then end with the worst until then and a warning. Trying each one's errors on all others
        and confirming the worst comes on top. None is no limit.
    n_jobs : int or None, default=None
        Number of workers; without `max_time` the result does not depend on it.
    random_state : None, int, RandomState or Generator, default=None
        Source of all seeds.
    verbose : int, default=0
        1 shows progress bars.

    Returns
    -------
    RobustnessComparison
        Tables `results_`, `transfer_` and `ranks_`, and `summary()`. A pipeline that cannot be
        searched, such as one that takes no missing values, has rows with `status` "failed" and a
        `message`.

    Raises
    ------
    ValueError, TypeError
        If parameters are not what they should be: names that are given twice, classifiers beside
        regressors, fitted beside unfitted ones with `apply_to="test"`, or what the search refuses.

    See Also
    --------
    skcorrupt.AdversarialCorruptionSearch : The worst error for one pipeline.

    Notes
    -----
    A difference of confirmed scores is tested by its spread over 200 resamples of the rows set
    aside [1]_ and of the draws, by a t distribution, and p-values are adjusted over all pairs,
    kinds and budgets by Benjamini and Yekutieli, whatever they have to do with each other. The
    models are those fitted on the rows searched: other training rows may rank pipelines otherwise.
    Intervals of `clean`, `random` and `worst` are corrected resampled t intervals over the splits.

    References
    ----------
    .. [1] B. Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7, 1979.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.impute import SimpleImputer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.adversarial import SearchSpace
    >>> from skcorrupt.robustness import compare_robustness
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> comparison = compare_robustness(
    ...     {
    ...         "mean": make_pipeline(SimpleImputer(), GaussianNB()),
    ...         "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    ...     },
    ...     X[["worst radius", "worst texture"]],
    ...     y,
    ...     corruptions="missing",
    ...     budgets=0.4,
    ...     space=SearchSpace(max_conditions=1, n_bins=2),
    ...     strategy="exhaustive",
    ...     random_state=0,
    ... )
    >>> comparison.results_[["estimator", "clean", "worst", "worst_from", "rank"]].round(2)
      estimator  clean  worst worst_from rank
    0      mean   0.92   0.52       mean    2
    1      tree   0.92   0.62       tree    1
    """
    given = {name: value for name, value in locals().items() if name not in ("X", "y")}
    check_arguments("compare_robustness", _CONSTRAINTS, locals())
    models = checked_estimators(estimators, apply_to)
    templates = _templates(corruptions)
    shares = budgets_of(budgets, "budgets")
    table = as_table(X)
    y = check_labels(_present(y), next(iter(models.values())), table.n_rows)
    check_groups(groups, table.n_rows)
    seed = draw_seed(random_state)
    kept = None if journal is None else Journal(journal)
    if kept is not None:
        told = {name: given[name] for name in _TOLD} | {
            "system": "comparison",
            "estimators": list(models.items()),
            "corruptions": list(templates.items()),
            "budgets": list(shares),
        }
        settings = settings_of(X, y, groups, told, {})
        seed = kept.seed(settings, seed, drawn=random_state is None)
    params = {
        "apply_to": apply_to,
        "scoring": scoring,
        "cv": _repeatable(cv, seed),
        "space": space,
        "strategy": strategy,
        "confirm_size": confirm_size,
        "journal": journal,
        "n_jobs": n_jobs,
        "random_state": seed,
        "verbose": verbose,
    }
    contest = Contest(X, y, groups, shares, params, max_time)
    for model in models.values():
        for template in templates.values():
            search = contest.search_of(model, template)
            search._validate_params()
            settled = checked_settings(search.get_params(deep=False), table, y)
        checked_splitter(
            DEFAULT_FOLDS if cv is None else params["cv"], y, classifier=settled.classifier
        )
    with terminable():
        contestants = contest.run(models, templates)
        verdicts = _verdicts(contest, kept)
    metric = metric_name(scoring, *models.values())
    n_units = _n_units(contest)
    results = results_of(contestants, verdicts, shares, n_units=n_units, alpha=alpha, metric=metric)
    ranks, places = ranks_of(contestants, verdicts, results, n_units=n_units, alpha=alpha)
    return RobustnessComparison(
        results=results.assign(rank=places),
        transfer=transfer_of(contestants, shares),
        ranks=ranks,
        settings={
            **given,
            "estimators": models,
            "corruptions": templates,
            # no entry for a row goes along with the results
            "groups": None if groups is None else Described(f"<groups of {table.n_rows} rows>"),
        },
        metric=metric,
        seed=seed,
        data={
            "rows": table.n_rows,
            "columns": [str(label) for label in table.labels],
            "container": type(X).__name__,
        },
        interrupted=bool(contest.interruption.causes) or contest.out_of_time,
    )


# what makes a difference to what is found
_TOLD = ("apply_to", "scoring", "space", "strategy", "confirm_size")


def _verdicts(contest: Contest, kept: Journal | None) -> dict[tuple[str, str, float], Verdict]:
    """The worst errors on the rows set aside, told where there is nothing to confirm."""
    searched, params = contest.searched, contest.params
    if not searched:
        first = contest.contestants[0]
        warn(
            f"None of the {len({c.estimator for c in contest.contestants})} estimators could be "
            f"compared; the first: {first.estimator} under {first.corruption}: {first.failure}"
        )
    elif kept is not None:
        splits = searched[0].problem.splits  # type: ignore[union-attr]
        kept.begin(params["cv"], [(split.train, split.test) for split in splits])
    return verdicts_of(
        contest.contestants,
        journal=kept,
        interruption=contest.interruption,
        n_jobs=params["n_jobs"],
        verbose=params["verbose"],
    )


def _n_units(contest: Contest) -> int:
    """Rows set aside, or groups of them."""
    if not contest.searched:
        return 0
    rows = contest.searched[0].problem.confirm_rows  # type: ignore[union-attr]
    return len(rows) if contest.groups is None else len(np.unique(np.asarray(contest.groups)[rows]))


def checked_estimators(given: Any, apply_to: str) -> dict[str, Any]:
    """Pipelines by name, of one kind and in one state."""
    _check_names("estimators", given)
    models = named_estimators(given)
    kinds = {
        "classifiers": [name for name, each in models.items() if is_classifier(each)],
        "regressors": [name for name, each in models.items() if is_regressor(each)],
    }
    if all(kinds.values()):
        said = " and ".join(f"{kind} ({', '.join(names)})" for kind, names in kinds.items())
        raise ValueError(f"estimators holds {said}, which no score compares; pass one kind.")
    fitted = [name for name, each in models.items() if is_fitted(each)]
    if apply_to == "test" and 0 < len(fitted) < len(models):
        rest = ", ".join(name for name in models if name not in fitted)
        raise ValueError(
            f"estimators: fitted are {', '.join(fitted)}, to be scored as they are, and not fitted "
            f"{rest}, to be fitted on splits, so that they share no rows; fit all of them, or pass "
            "clones."
        )
    return models


def _templates(given: Any) -> dict[str, BaseCorruption]:
    """Kinds of error by name."""
    _check_names("corruptions", given)
    single = isinstance(given, (str, BaseCorruption)) or not isinstance(given, (Mapping, Sequence))
    parts: Any = [given] if single else given
    if not len(parts):
        raise ValueError(
            f"corruptions={given!r} holds no kind of error; pass one or several, as in "
            "['missing', 'labels']."
        )
    if isinstance(parts, Mapping):
        return {str(name): as_template(each) for name, each in parts.items()}
    found: dict[str, BaseCorruption] = {}
    for part in parts:
        if isinstance(part, tuple) and len(part) == 2:
            found[str(part[0])] = as_template(part[1])
            continue
        template = as_template(part)
        found[free_name(kind_name(template), found)] = template
    return found


def _check_names(parameter: str, given: Any) -> None:
    """Refuse names that are no texts, or given twice."""
    if isinstance(given, Mapping):
        names = list(given)
    elif isinstance(given, Sequence) and not isinstance(given, str):
        names = [each[0] for each in given if isinstance(each, tuple) and len(each) == 2]
    else:
        return
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise TypeError(
                f"{parameter} has the name {shorten(name)}; names should be texts, as in "
                "{'linear': LogisticRegression()}."
            )
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ValueError(
            f"{parameter} has the name {twice[0]!r} twice; give each a name of its own."
        )


def _present(y: Any) -> Any:
    if y is None:
        raise ValueError("y is None, but pipelines are compared by their scores on labels; pass y.")
    return y


def _repeatable(cv: Any, seed: int) -> Any:
    """The splitter, with a seed where it has none, so that every search gets the same splits."""
    if hasattr(cv, "__next__"):
        return list(cv)
    random_state = getattr(cv, "random_state", 0)
    # folds that are not shuffled refuse a seed
    if isinstance(random_state, (int, np.integer)) or not getattr(cv, "shuffle", True):
        return cv
    fixed = copy.copy(cv)
    fixed.random_state = seed % 2**32
    return fixed
