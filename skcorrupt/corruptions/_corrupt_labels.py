"""Label errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Tags

from skcorrupt.base import Edit, Mechanism, Noise, ReadOnce, Reference, SampleCorruption
from skcorrupt.base._strikes_outside import OUTSIDE_RATIO, StrikesOutside
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import (
    LARGEST,
    MISSING,
    Cells,
    Table,
    Target,
    is_number,
    shorten,
)
from skcorrupt.utils._typing import RandomState, Sampling

from ._facts import shifted
from ._label_moves import moves_of

# ways in which a label changes, of which one is given; a factor and a shift go together
_WAYS = (("transition",), ("factor", "shift"), ("noise",), ("missing_label",))


class CorruptLabels(StrikesOutside, SampleCorruption):
    """Flip, erase, rescale, shift or blur labels.

    A struck label always changes. Without further parameters it becomes one of the other classes,
    uniformly; several classes are drawn by the segments of a transition (example 2 of [1]_ and
    its multi-class extension).

    Parameters
    ----------
    transition : dict, DataFrame, array of shape (n_classes, n_classes) or None, default=None
        Where labels go: `{"a": "b"}`, `{"a": {"b": 0.7, "c": 0.3}}`, a frame with a row for each
        label and a column for each that it becomes, such as `pandas.crosstab(y, dirty_y)`, or a
        matrix with a row and a column for each class in sorted order. The diagonal is ignored and
        rows are renormalised; classes with nowhere to go are not matched. Going to a label that y
        does not have is allowed, with a warning.
    shift : float or None, default=None
        For regression: added to struck labels, after `factor` if that is given.
    missing_label : object or None, default=None
        Struck labels are erased to this value, for example −1 or NaN (example 1 of [1]_).
    factor : float or None, default=None
        For regression: struck labels are multiplied by it, as by a wrong unit.
    noise : float or None, default=None
        For regression: standard deviation of normal noise that is added to struck labels, in units
        of that of y.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    outside_ratio : float in [0, 1], default=0.0
        Rate outside the pattern, as a ratio to `rate`: what goes wrong elsewhere.
        Needs a pattern; 0 is the rule that only matched rows are struck.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels seen in `fit`; absent but for flips.
    record_ : CorruptionRecord
        What the last `fit_resample` changed.
    sample_indices_ : ndarray of int, shape (n_out,)
        Input position of every row; all rows stay.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import numpy as np
    >>> from skcorrupt import CorruptLabels
    >>> X, y = np.arange(4.0).reshape(-1, 1), np.array(["a", "b", "c", "a"])
    >>> CorruptLabels(transition={"a": "c"}, rate=1.0).fit_resample(X, y)[1]
    array(['c', 'b', 'c', 'c'], dtype='<U1')
    """

    short_name = "labels"
    strikes = "labels"
    title = "wrong labels"
    _parameter_constraints: dict[str, Any] = {
        **SampleCorruption._parameter_constraints,
        **OUTSIDE_RATIO,
        "transition": "no_validation",
        "shift": "no_validation",
        "missing_label": "no_validation",
        "factor": "no_validation",
        "noise": "no_validation",
    }

    def __init__(
        self,
        *,
        transition: Mapping[Any, Any] | pd.DataFrame | ArrayLike | None = None,
        shift: float | None = None,
        missing_label: Any = None,
        factor: float | None = None,
        noise: float | None = None,
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
        self.transition = transition
        self.shift: Any = shift
        self.missing_label = missing_label
        self.factor: Any = factor
        self.noise: Any = noise
        self.outside_ratio = outside_ratio

    def _fit(self, X: Any, y: Any, read: ReadOnce | None = None) -> tuple[Table, Target | None]:
        found = super()._fit(X, y, read)
        if "classes" in self.reference_.extra:
            self.classes_ = self.reference_.extra["classes"]
        return found

    def _learn(self, table: Table, target: Target | None) -> Reference:
        super()._learn(table, target)
        if target is None:
            raise ValueError(
                "CorruptLabels requires y to be passed, but the target y is None. "
                "Pass the labels to change."
            )
        given = [[n for n in way if getattr(self, n) is not None] for way in _WAYS]
        given = [way for way in given if way]
        if len(given) > 1:
            raise ValueError(
                f"{' and '.join(way[0] for way in given)} were both given; a struck label can "
                "change in one way. Pass one of them."
            )
        values = target.values
        if self.missing_label is not None:
            if not np.isscalar(self.missing_label) and self.missing_label is not pd.NA:
                raise ValueError(
                    f"missing_label={self.missing_label!r} should be a single value, for example "
                    "-1 or NaN."
                )
            return Reference()
        if self._of_numbers:
            self._check_numbers(values)
            if self.noise is None:
                return Reference()
            _, std = target.moments().mean_and_std()
            if not std > 0:
                raise ValueError(
                    f"noise={shorten(self.noise)} is in units of the standard deviation of y, "
                    "which does not vary; use shift=."
                )
            return Reference(extra={"size": std * self.noise})
        classes = target.classes
        fractional = classes.dtype.kind == "f" and bool(np.any(classes != np.floor(classes)))
        if fractional and self.transition is None:
            raise ValueError(
                "Unknown label type: continuous. y holds real numbers, which have no other class "
                "to go to; pass shift=, factor= or noise= to move them or missing_label= to "
                "erase them."
            )
        moves = moves_of(self.transition, classes)
        return Reference(extra={"classes": classes, "moves": moves})

    @property
    def _of_numbers(self) -> bool:
        """Whether labels are numbers that are moved."""
        return any(each is not None for each in (self.shift, self.factor, self.noise))

    def _check_numbers(self, values: np.ndarray) -> None:
        allowed: dict[str, tuple[Callable[[float], bool], str]] = {
            "shift": (lambda x: x != 0, "other than 0, in units of y"),
            "factor": (lambda x: x not in (0, 1), "other than 0 and 1"),
            "noise": (lambda x: x > 0, "above 0, in standard deviations of y"),
        }
        for name, (fits, what) in allowed.items():
            value = getattr(self, name)
            if value is None:
                continue
            if values.dtype.kind not in "iuf":
                raise ValueError(
                    f"{name}={shorten(value)} needs numeric labels; y holds {values.dtype} values. "
                    "Use transition= for classes."
                )
            if not is_number(value) or not abs(value) <= LARGEST or not fits(value):
                raise ValueError(f"{name}={shorten(value)} should be a finite number {what}.")

    def _moved(self, values: np.ndarray) -> np.ndarray:
        if self.factor is None:
            return self._shifted(values)
        with np.errstate(over="ignore", invalid="ignore"):
            out = values.astype(float) * float(self.factor) + float(self.shift or 0)
        whole = values.dtype.kind in "iu" and np.all(out == np.round(out))
        limit = float(np.iinfo(np.int64).max)
        if whole and np.all(np.abs(out) < limit):
            return out.astype(np.int64)
        return out

    def _shifted(self, values: np.ndarray) -> np.ndarray:
        if values.dtype.kind == "f":
            with np.errstate(over="ignore"):
                return values + float(self.shift)
        # integers would wrap around at the limits of their dtype
        ends = [int(values.min(initial=0)), int(values.max(initial=0))]
        limits = np.iinfo(np.int64)
        moved = [end + self.shift for end in ends]
        if min(*ends, *moved) < limits.min or max(*ends, *moved) > limits.max:
            return values.astype(float) + float(self.shift)
        return values.astype(np.int64) + self.shift

    def _eligible(
        self, matched: np.ndarray | None, target: Any, reference: Reference
    ) -> np.ndarray | None:
        values = target.values
        if "moves" in reference.extra:
            can_move = np.array([len(to) > 0 for to, _ in reference.extra["moves"]] + [False])
            can_change = can_move[target.places(reference.extra["classes"])][target.coded[0]]
        else:
            can_change = ~np.asarray(pd.isna(values))
        if self.noise is not None:
            can_change &= np.isfinite(values)
        elif self._of_numbers:
            # infinite and very large labels would not move, nor would those that a factor keeps
            can_change &= self._moved(values) != values
        elif self.missing_label is not None and not pd.isna(self.missing_label):
            can_change &= np.asarray(values != self.missing_label)
        if matched is not None:
            return can_change & matched
        return None if can_change.all() else can_change

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        if self.missing_label is not None:
            return "Erasing the label"
        if self.noise is not None:
            return "Noise in the label"
        if self.factor is not None:
            by = f"Multiplying the label by {self.factor:g}"
            return by + (f" and adding {self.shift:g}" if self.shift is not None else "")
        if self.shift is not None:
            return f"Shifting the label by {self.shift:g}"
        return "Flipping the label" + (f" to {target!r}" if target is not None else "")

    @property
    def _erased_label(self) -> Any:
        return self.missing_label

    @property
    def _flips(self) -> bool:  # type: ignore[override]
        return self.transition is None and self.missing_label is None and not self._of_numbers

    def _targets(self, classes: Sequence[Any]) -> list[Any]:
        return list(classes) if self._flips and len(classes) > 2 else []

    def _aimed_at(self, target: Any, classes: Sequence[Any]) -> Self:
        aimed: Self = clone(self)
        return aimed.set_params(transition={c: target for c in classes if c != target})

    def _simulated_as(self, *, classifier: bool) -> str | None:
        if self.mechanism is not None or self.sampling != "uniform" or self.outside_ratio:
            return None
        # classes are moved to other numbers by a shift, which may be no classes
        moved = self.shift is not None and self.factor is None and not classifier
        plain = self._flips or moved
        return "labels" if plain else None

    def _why_nothing_can_change(self, reference: Reference) -> str:
        classes = reference.extra.get("classes", ())
        if not len(classes) or any(len(to) for to, _ in reference.extra["moves"]):
            return ""
        if len(classes) > 1:
            return (
                f"transition={shorten(self.transition)} moves no label to another one. Pass what "
                "labels become, such as {'a': 'b'}; the diagonal of a matrix does not count."
            )
        return (
            f"y holds one class, {classes.tolist()[0]!r}, so that no label has another to go to. "
            "Pass labels of two classes or more, or transition= with a label of your own."
        )

    def _strike_rows(
        self,
        rows: np.ndarray,
        table: Table,
        target: Any,
        reference: Reference,
        noise: Noise,
    ) -> Edit:
        if self.missing_label is not None:
            erased = pd.isna(self.missing_label)
            return Edit(labels=Cells(rows, MISSING if erased else self.missing_label))
        values = target.values[rows]
        if self.noise is not None:
            blurred = shifted(values, noise.draws(rows, 0).normal(), reference.extra["size"])
            return Edit(labels=Cells(rows, blurred, rows))
        if self._of_numbers:
            return Edit(labels=Cells(rows, self._moved(values), rows))
        classes, moves = reference.extra["classes"], reference.extra["moves"]
        codes = target.places(classes)[target.coded[0][rows]]
        dtype = np.result_type(classes.dtype, *(to.dtype for to, _ in moves))
        if all(len(to) < 2 for to, _ in moves):
            ways = zip(classes, moves, strict=True)
            only = [to[0] if len(to) else label for label, (to, _) in ways]
            return Edit(labels=Cells(rows, np.array(only, dtype=dtype)[codes]))
        new = np.empty(len(rows), dtype=dtype)
        u = noise.draws(rows, 0).uniform()
        for code in np.flatnonzero(np.bincount(codes)):
            to, cumulative = moves[code]
            here = codes == code
            picks = np.searchsorted(cumulative, u[here], side="right")
            new[here] = to[np.minimum(picks, len(to) - 1)]
        return Edit(labels=Cells(rows, new))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
