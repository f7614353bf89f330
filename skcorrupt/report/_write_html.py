"""A fitted system as one page."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.curation import NaturalAdversarialCurator
from skcorrupt.fairness import StageFairnessAblator
from skcorrupt.learned import LearnedErrors
from skcorrupt.responsiveness import ResponsivenessAuditor
from skcorrupt.robustness import CheckSuggestions, RobustnessComparison, RobustSearchCV
from skcorrupt.sensitivity import ErrorSensitivityProfiler
from skcorrupt.utils import checked_file, replace_file, shorten
from skcorrupt.utils._typing import ColumnLike

from ._ablator import ablator_content
from ._auditor import auditor_content
from ._checks import checks_content
from ._comparison import comparison_content
from ._content import Asked, Content
from ._curator import curator_content
from ._learned import learned_content
from ._page import page
from ._profiler import profiler_content
from ._robust_search import robust_search_content
from ._search import search_content

# What each system is fitted to have, and what writes its part of the page.
_System = tuple[list[str], Callable[[Any, Asked], Content]]
_SYSTEMS: dict[type, _System] = {
    AdversarialCorruptionSearch: (["worst_score_", "cv_results_"], search_content),
    ErrorSensitivityProfiler: (["profiles_"], profiler_content),
    StageFairnessAblator: (["stage_effects_"], ablator_content),
    ResponsivenessAuditor: (["results_"], auditor_content),
    NaturalAdversarialCurator: (["datasets_"], curator_content),
    LearnedErrors: ([], learned_content),
    RobustnessComparison: (["results_"], comparison_content),
    RobustSearchCV: (["cv_results_"], robust_search_content),
    CheckSuggestions: ([], checks_content),
}


def write_html(
    fitted: Any,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    labels: Mapping[Any, str] | None = None,
    by: str | ColumnLike | None = None,
) -> Path:
    """Write the results of one system, or of several, as a page for readers who do not code.

    First the page says what could go wrong, how bad it is, how sure that is and what to do. Then
    come sentences, tables, pictures, what was not searched, all settings, the versions, the date,
    the seeds and the code to repeat it. It is a single file that loads nothing from elsewhere; its
    one script, which sorts tables, is in it. It holds no row of the data.

    Parameters
    ----------
    fitted : AdversarialCorruptionSearch, ErrorSensitivityProfiler, StageFairnessAblator, \
            ResponsivenessAuditor, NaturalAdversarialCurator, LearnedErrors, \
            RobustnessComparison, RobustSearchCV, CheckSuggestions, or a list of these
        A fitted system, or what `learn_errors`, `compare_robustness` or `suggest_checks` returned.
        A list makes one page of a whole model, which begins with the worst that was found.
    path : str or path-like
        The file, in a folder that exists. A file that is there already is replaced at once, by a
        page that is complete.
    title : str or None, default=None
        The title; None is the name of the kind of study.
    labels : mapping of label to str or None, default=None
        What labels and predictions mean, such as `{1: "credit granted"}`.
    by : str, array-like of shape (n_people,) or None, default=None
        Groups of people that an audit tells apart, as in `ResponsivenessAuditor.by_group`: a
        column, or one group per person.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TypeError
        If `fitted` is none of these, or `path`, `title` or `labels` is of another type.
    ValueError
        If `path` has a NUL, `fitted` is an empty list, or `by` is given but there is no audit.
    NotFittedError
        If it is not fitted.
    FileNotFoundError
        If the folder does not exist.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from skcorrupt import NaturalAdversarialCurator
    >>> from skcorrupt.curation import MajorityVoteLabeler
    >>> from skcorrupt.report import write_html
    >>> votes = np.random.default_rng(0).integers(-1, 2, size=(200, 6))
    >>> curator = NaturalAdversarialCurator(MajorityVoteLabeler()).fit(votes)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_html(curator, Path(folder) / "report.html", title="Which are hard?")
    ...     "<h1>Which are hard?</h1>" in page.read_text(encoding="utf-8")
    True

    One page of several studies of the same model:

    >>> from sklearn.linear_model import LogisticRegression
    >>> from skcorrupt import ErrorSensitivityProfiler
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> profiler = ErrorSensitivityProfiler(
    ...     LogisticRegression(), corruptions=["noise"], levels=(0, 1), n_repeats=6, random_state=0
    ... ).fit(X, (X[:, 0] > 0).astype(int))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_html([curator, profiler], Path(folder) / "model.html")
    ...     "At a glance" in page.read_text(encoding="utf-8")
    True
    """
    several = list(fitted) if isinstance(fitted, (list, tuple)) else [fitted]
    if not several:
        raise ValueError("fitted is an empty list; pass one fitted system or more.")
    writers = []
    for each in several:
        attributes, content = _system(each)
        if attributes and hasattr(each, "fit"):
            check_is_fitted(each, attributes)
        writers.append(content)
    if title is not None and (not isinstance(title, str) or not title.strip()):
        raise TypeError(f"title={title!r} should be a text that is not empty, or None.")
    if by is not None and auditor_content not in writers:
        raise ValueError("by is for the people of a ResponsivenessAuditor; leave it out.")
    return _written(several, checked_file(path), title, Asked(_meanings(labels), by))


def write_page_of_command(
    fitted: Any, path: str | os.PathLike[str], title: str | None, asked: Asked
) -> Path:
    """Write the page of a result that a command found, which tells the command.

    Parameters
    ----------
    fitted : estimator or other result
        As in `write_html`.
    path : str or path-like
        The file.
    title : str or None
        The title.
    asked : Asked
        What labels mean, groups of people, and the command.

    Returns
    -------
    Path
        The file.
    """
    return _written([fitted], checked_file(path), title, asked)


def _written(several: list[Any], file: Path, title: str | None, asked: Asked) -> Path:
    now = datetime.datetime.now(datetime.UTC)
    studies = [(_system(each)[1](each, asked), each) for each in several]
    replace_file(file, page(studies, title, now, asked))
    return file


def _meanings(labels: Mapping[Any, str] | None) -> dict[Any, str]:
    if labels is None:
        return {}
    texts = labels.values() if isinstance(labels, Mapping) else [None]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise TypeError(
            f"labels={shorten(labels)} should say in words what each label means, such as "
            "{1: 'credit granted'}, or be None."
        )
    return dict(labels)


def _system(fitted: Any) -> _System:
    for system, found in _SYSTEMS.items():
        if isinstance(fitted, system):
            return found
    names = ", ".join(system.__name__ for system in _SYSTEMS)
    what = f"the class {fitted.__name__}" if isinstance(fitted, type) else type(fitted).__name__
    raise TypeError(f"fitted is {what}; it should be a fitted object of one of {names}.")
