"""Duplicated rows."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.base import Edit, Mechanism, Noise, Reference, SampleCorruption, Struck
from skcorrupt.base._strikes_outside import OUTSIDE_RATIO, StrikesOutside
from skcorrupt.base._struck import are_strange_times
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Cells, Table, Target, column_keys
from skcorrupt.utils._number_interval import NumberInterval
from skcorrupt.utils._typing import RandomState, Sampling

from ._facts import learn_scale, shifted
from ._typos import misspelt

_NUMERIC = ("integer", "real", "datetime", "timedelta")


class CorruptDuplicates(StrikesOutside, SampleCorruption):
    """Append copies of rows, exact ones, near ones, or ones with wrong labels.

    Every struck row appears once more, at the end, in source order, under its index label. The
    values of a copy come from the row that is copied.

    Parameters
    ----------
    jitter : float in [0, 1], default=0.0
        How far copies are from their rows: normal noise of so many fitted standard deviations is
        added to numbers and times, rounded in columns of integers, and each text is misspelt with
        this chance, as by `CorruptCategories(kind="typo")`. 0 makes exact copies.
    wrong_labels : bool, default=False
        Whether each copy has another label than its row, one of the other classes, uniformly.
        With a pattern these are the rows that a subpopulation attack adds (SubPop in [1]_).
    pattern : Pattern, str, dict or None, default=None
        Rows that can be duplicated; None is every row.
    mechanism : MAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is duplicated; None is 0.1.
    outside_ratio : float in [0, 1], default=0.0
        Rate outside the pattern, as a ratio to `rate`: what is copied elsewhere.
        Needs a pattern; 0 is the rule that only matched rows are struck.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_resample` changed.
    sample_indices_ : ndarray of int, shape (n_out,)
        Input position of every output row.

    Notes
    -----
    Truth values, lists and the like, and what is missing are copied as they are. A pandas
    categorical gains misspelt texts as categories. In a process copies carry what other members
    put into their rows; such cells and labels are copied without a difference. Rows without a
    label are not matched where labels are to be wrong.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import CorruptDuplicates
    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 0])
    >>> CorruptDuplicates(pattern="y == 0", rate=1.0).fit_resample(X, y)[0].ravel()
    array([1., 2., 3., 1., 3.])
    >>> CorruptDuplicates(wrong_labels=True, rate=1.0).fit_resample(X, y)[1]
    array([0, 1, 0, 1, 0, 1])
    """

    short_name = "duplicates"
    title = "rows that are there twice"
    _copies = True
    _why_not_in_parts = "appends copies of rows to the end of the table"
    _parameter_constraints: dict[str, Any] = {
        **SampleCorruption._parameter_constraints,
        **OUTSIDE_RATIO,
        "jitter": [NumberInterval(Real, 0, 1, closed="both")],
        "wrong_labels": ["boolean"],
    }

    def __init__(
        self,
        *,
        jitter: float = 0.0,
        wrong_labels: bool = False,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        outside_ratio: float = 0.0,
        sampling: Sampling = "uniform",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            random_state=random_state,
        )
        self.jitter = jitter
        self.wrong_labels = wrong_labels
        self.outside_ratio = outside_ratio

    def _learn(self, table: Table, target: Target | None) -> Reference:
        super()._learn(table, target)
        reference = Reference(streams=column_keys(table) if self.jitter else [])
        if self.jitter:
            columns = [
                j
                for j in range(table.n_columns)
                if table.kind(j) in (*_NUMERIC, "text") and not are_strange_times(table, j)
            ]
            # they are not struck, so that another member of a process can strike them
            reference.extra["columns"] = columns
            numeric = [j for j in columns if table.kind(j) in _NUMERIC]
            reference.facts = {j: learn_scale(table, j).std for j in numeric}
        if self.wrong_labels:
            reference.extra["classes"] = _classes(target)
        return reference

    def _eligible(
        self, matched: np.ndarray | None, target: Target | None, reference: Reference
    ) -> np.ndarray | None:
        if not self.wrong_labels or target is None:
            return matched
        able = ~np.asarray(pd.isna(target.values))
        if len(reference.extra["classes"]) < 2:
            able[:] = False
        return able if matched is None else able & matched

    def _why_nothing_can_change(self, reference: Reference) -> str:
        if not self.wrong_labels or len(reference.extra["classes"]) > 1:
            return ""
        return (
            "y holds one class only, so that no copy has another label to get. Pass more classes."
        )

    def _strike_rows(
        self,
        rows: np.ndarray,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
    ) -> Edit:
        edit = Edit(copied=rows)
        if self.wrong_labels and target is not None:
            classes = reference.extra["classes"]
            edit.copied_labels = Cells(rows, _others(target.values[rows], classes, noise, rows))
        if self.jitter:
            columns = reference.extra["columns"]
            moved = {j: self._moved(rows, table, j, reference, noise) for j in columns}
            edit.copied_cells = {j: cells for j, cells in moved.items() if len(cells.rows)}
        return edit

    def _moved(
        self, rows: np.ndarray, table: Table, j: int, reference: Reference, noise: Noise
    ) -> Cells:
        """Values of a column near those of some rows, for all of them that get others."""
        draws = noise.draws(rows, reference.streams[j])
        if j in reference.facts:
            old = table.values_at(j, rows)
            new = shifted(old, draws.normal(), self.jitter * reference.facts[j])
            new = np.rint(new) if table.kind(j) == "integer" else new
            differs = np.asarray(new != old) & ~table.missing(j)[rows]
            return Cells(rows[differs], new[differs])
        chosen = rows[draws.uniform() < self.jitter]
        is_text = [isinstance(value, str) for value in table.values_at(j, chosen)]
        chosen = chosen[np.array(is_text, dtype=bool)]
        if not len(chosen):
            return Cells(chosen, chosen)
        again = noise.draws(chosen, reference.streams[j])
        # what decided on the text does not decide on its slip
        again.uniform()
        return Cells(chosen, misspelt(Struck(table, j, chosen, None, again)))

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        what = "Nearly duplicating" if self.jitter else "Duplicating"
        return f"{what} with other labels" if self.wrong_labels else what

    @property
    def _flips(self) -> bool:  # type: ignore[override]
        return self.wrong_labels

    def _simulated_as(self, *, classifier: bool) -> str | None:
        exact = not self.jitter and not self.wrong_labels
        plain = self.mechanism is None and self.sampling == "uniform" and not self.outside_ratio
        return "duplicates" if plain and exact else None

    def _needs_y(self) -> bool:
        return bool(self.wrong_labels) or super()._needs_y()


def _classes(target: Target | None) -> np.ndarray:
    """The classes that there are.

    Raises
    ------
    ValueError
        If there are no labels, or they are no classes.
    """
    if target is None:
        raise ValueError(
            "CorruptDuplicates(wrong_labels=True) requires y to be passed, but the target y is "
            "None. Pass the labels, of which copies get others."
        )
    classes = target.classes
    if classes.dtype.kind == "f" and np.any(classes != np.floor(classes)):
        raise ValueError(
            "Unknown label type: continuous. y holds real numbers, which have no other class to "
            "go to; pass wrong_labels=False, or move labels with CorruptLabels(shift=…)."
        )
    return classes


def _others(labels: np.ndarray, classes: np.ndarray, noise: Noise, rows: np.ndarray) -> np.ndarray:
    """For each label one of the other classes, uniformly."""
    known = _places(labels, classes)
    drawn = noise.draws(rows, 0).integers(np.where(known >= 0, len(classes) - 1, len(classes)))
    return classes[drawn + ((known >= 0) & (drawn >= known))]


def _places(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Positions of labels among the classes, −1 where one was not there when these were learnt."""
    place = {label: i for i, label in enumerate(classes.tolist())}
    codes, distinct = pd.factorize(labels)
    return np.array([*(place.get(label, -1) for label in distinct.tolist()), -1])[codes]
