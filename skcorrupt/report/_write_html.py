"""A fitted system as one page."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from skcorrupt.adversarial import AdversarialCorruptionSearch
from skcorrupt.curation import NaturalAdversarialCurator
from skcorrupt.fairness import StageFairnessAblator
from skcorrupt.learned import LearnedErrors
from skcorrupt.responsiveness import ResponsivenessAuditor
from skcorrupt.robustness import RobustnessComparison
from skcorrupt.sensitivity import ErrorSensitivityProfiler
from skcorrupt.utils import checked_file, replace_file

from ._ablator import ablator_content
from ._auditor import auditor_content
from ._comparison import comparison_content
from ._content import Content
from ._curator import curator_content
from ._learned import learned_content
from ._page import page
from ._profiler import profiler_content
from ._search import search_content

# What each system is fitted to have, and what writes its part of the page.
_SYSTEMS: dict[type, tuple[list[str], Callable[[Any], Content]]] = {
    AdversarialCorruptionSearch: (["worst_score_", "cv_results_"], search_content),
    ErrorSensitivityProfiler: (["profiles_"], profiler_content),
    StageFairnessAblator: (["stage_effects_"], ablator_content),
    ResponsivenessAuditor: (["results_"], auditor_content),
    NaturalAdversarialCurator: (["datasets_"], curator_content),
    LearnedErrors: ([], learned_content),
    RobustnessComparison: (["results_"], comparison_content),
}


def write_html(fitted: Any, path: str | os.PathLike[str], *, title: str | None = None) -> Path:
    """Write the result of a system as one page that a reviewer can read without code.

    The page has the question, the answer, tables, pictures, what was not searched, all settings,
    the versions, the date, the seeds and the code to repeat it. It is a single file that loads
    nothing from elsewhere and runs no script, and it holds no row of the data.

    Parameters
    ----------
    fitted : AdversarialCorruptionSearch, ErrorSensitivityProfiler, StageFairnessAblator, \
            ResponsivenessAuditor, NaturalAdversarialCurator, LearnedErrors or RobustnessComparison
        A fitted system, or what `learn_errors` or `compare_robustness` returned.
    path : str or path-like
        The file, in a folder that exists. A file that is there already is replaced at once, by a
        page that is complete.
    title : str or None, default=None
        The title; None is the name of the kind of study.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    TypeError
        If `fitted` is none of these, or `path` or `title` is of another type.
    ValueError
        If `path` has a NUL.
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
    """
    attributes, content = _system(fitted)
    if attributes and hasattr(fitted, "fit"):
        check_is_fitted(fitted, attributes)
    if title is not None and (not isinstance(title, str) or not title.strip()):
        raise TypeError(f"title={title!r} should be a text that is not empty, or None.")
    file = checked_file(path)
    now = datetime.datetime.now(datetime.UTC)
    replace_file(file, page(content(fitted), fitted, title, now))
    return file


def _system(fitted: Any) -> tuple[list[str], Callable[[Any], Content]]:
    for system, found in _SYSTEMS.items():
        if isinstance(fitted, system):
            return found
    names = ", ".join(system.__name__ for system in _SYSTEMS)
    what = f"the class {fitted.__name__}" if isinstance(fitted, type) else type(fitted).__name__
    raise TypeError(f"fitted is {what}; it should be a fitted object of one of {names}.")
