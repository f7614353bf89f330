"""Label errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Tags

from skcorrupt.base import Edit, Mechanism, Noise, Reference, SampleCorruption
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import (
    LARGEST,
    MISSING,
    Cells,
    Table,
    Target,
    close_to,
    is_number,
    shorten,
    warn,
)
from skcorrupt.utils._typing import RandomState, Sampling


class CorruptLabels(SampleCorruption):
    """Flip, erase or shift labels.

    A struck label always changes. Without further parameters it becomes one of the other classes,
    uniformly; several classes are drawn by the segments of a transition (example 2 of [1]_ and
    its multi-class extension).

    Parameters
    ----------
    transition : dict, array of shape (n_classes, n_classes) or None, default=None
        Where labels go: `{"a": "b"}`, `{"a": {"b": 0.7, "c": 0.3}}`, or a matrix with a row and
        a column for each class in sorted order. The diagonal is ignored and rows are renormalised;
        classes with nowhere to go are not matched. Going to a label that y does not have is
        allowed, with a warning.
    shift : float or None, default=None
        For regression: added to struck labels.
    missing_label : object or None, default=None
        Struck labels are erased to this value, for example −1 or NaN (example 1 of [1]_).
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels seen in `fit`; absent with `shift` and `missing_label`.
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
        "transition": "no_validation",
        "shift": "no_validation",
        "missing_label": "no_validation",
    }

    def __init__(
        self,
        *,
        transition: Mapping[Any, Any] | ArrayLike | None = None,
        shift: float | None = None,
        missing_label: Any = None,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
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

    def _fit(self, X: Any, y: Any) -> tuple[Table, Target | None]:
        read = super()._fit(X, y)
        if "classes" in self.reference_.extra:
            self.classes_ = self.reference_.extra["classes"]
        return read

    def _learn(self, table: Table, target: Target | None) -> Reference:
        if target is None:
            raise ValueError(
                "CorruptLabels requires y to be passed, but the target y is None. "
                "Pass the labels to change."
            )
        given = {"transition": self.transition, "shift": self.shift}
        given["missing_label"] = self.missing_label
        given = {name: value for name, value in given.items() if value is not None}
        if len(given) > 1:
            raise ValueError(
                f"{' and '.join(given)} were both given; a struck label can change in one way. "
                "Pass one of them."
            )
        values = target.values
        if self.missing_label is not None:
            if not np.isscalar(self.missing_label) and self.missing_label is not pd.NA:
                raise ValueError(
                    f"missing_label={self.missing_label!r} should be a single value, for example "
                    "-1 or NaN."
                )
            return Reference()
        if self.shift is not None:
            self._check_shift(values)
            return Reference()
        classes = target.classes
        fractional = classes.dtype.kind == "f" and bool(np.any(classes != np.floor(classes)))
        if fractional and self.transition is None:
            raise ValueError(
                "Unknown label type: continuous. y holds real numbers, which have no other class "
                "to go to; pass shift= to move them or missing_label= to erase them."
            )
        moves = _moves(self.transition, classes)
        return Reference(extra={"classes": classes, "moves": moves})

    def _check_shift(self, values: np.ndarray) -> None:
        if values.dtype.kind not in "iuf":
            raise ValueError(
                f"shift={shorten(self.shift)} needs numeric labels; y holds {values.dtype} values. "
                "Use transition= for classes."
            )
        if not is_number(self.shift) or not 0 < abs(self.shift) <= LARGEST:
            raise ValueError(
                f"shift={shorten(self.shift)} should be a finite number other than 0, in units of "
                "y."
            )

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
            can_change = can_move[_positions(target, reference)][target.coded[0]]
        else:
            can_change = ~np.asarray(pd.isna(values))
        if self.shift is not None:
            # infinite and very large labels would not move
            can_change &= self._shifted(values) != values
        elif self.missing_label is not None and not pd.isna(self.missing_label):
            can_change &= np.asarray(values != self.missing_label)
        if matched is not None:
            return can_change & matched
        return None if can_change.all() else can_change

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        if self.missing_label is not None:
            return "Erasing the label"
        if self.shift is not None:
            return f"Shifting the label by {self.shift:g}"
        return "Flipping the label" + (f" to {target!r}" if target is not None else "")

    @property
    def _erased_label(self) -> Any:
        return self.missing_label

    @property
    def _flips(self) -> bool:  # type: ignore[override]
        return self.transition is None and self.shift is None and self.missing_label is None

    def _targets(self, classes: Sequence[Any]) -> list[Any]:
        return list(classes) if self._flips and len(classes) > 2 else []

    def _aimed_at(self, target: Any, classes: Sequence[Any]) -> Self:
        aimed: Self = clone(self)
        return aimed.set_params(transition={c: target for c in classes if c != target})

    def _simulated_as(self, *, classifier: bool) -> str | None:
        if self.mechanism is not None or self.sampling != "uniform":
            return None
        # classes are moved to other numbers by a shift, which may be no classes
        plain = self._flips or (self.shift is not None and not classifier)
        return "labels" if plain else None

    def _why_nothing_can_change(self, reference: Reference) -> str:
        classes = reference.extra.get("classes", ())
        if len(classes) != 1 or any(len(to) for to, _ in reference.extra["moves"]):
            return ""
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
        if self.shift is not None:
            return Edit(labels=Cells(rows, self._shifted(values), rows))
        codes = _positions(target, reference)[target.coded[0][rows]]
        classes, moves = reference.extra["classes"], reference.extra["moves"]
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


def _positions(target: Target, reference: Reference) -> np.ndarray:
    """For each code of the labels its position in the sorted classes, −1 where it has none.

    A last entry of −1 stands for missing labels, whose code is −1.
    """
    classes, distinct = reference.extra["classes"], target.coded[1]
    # left to infer a dtype, pandas would copy texts into strings of its own
    # and it has no index of the rarer floats
    rare = {classes.dtype, distinct.dtype} & {np.dtype("float16"), np.dtype("longdouble")}
    is_object = "O" in (classes.dtype.kind, distinct.dtype.kind) or rare
    dtype = object if is_object else None
    positions = pd.Index(classes, dtype=dtype).get_indexer(pd.Index(distinct, dtype=dtype))
    return np.append(positions, -1)


def _moves(transition: Any, classes: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """For every class the classes it can go to and their cumulative probabilities."""
    if transition is None:
        weights = np.ones((len(classes), len(classes)))
        return [_row(weights[i], i, classes) for i in range(len(classes))]
    if isinstance(transition, Mapping):
        return _mapped_moves(transition, classes)
    try:
        matrix = np.asarray(transition, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"transition={transition!r} should be a dict of labels, such as {{'a': 'b'}}, or a "
            "matrix of weights."
        ) from error
    if matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"transition has shape {matrix.shape}; it should have a row and a column for each of "
            f"the {len(classes)} classes {classes.tolist()}, in that order."
        )
    return [_row(matrix[i], i, classes) for i in range(len(classes))]


def _mapped_moves(transition: Mapping[Any, Any], classes: np.ndarray) -> list[Any]:
    known = classes.tolist()
    targets = list(known)
    rows: dict[int, Mapping[Any, float]] = {}
    for source, to in transition.items():
        if not isinstance(to, Mapping):
            if not np.isscalar(to):
                raise ValueError(
                    f"transition: {source!r} goes to {to!r}; it should go to one label or, with "
                    "weights, to several: {'b': 0.7, 'c': 0.3}."
                )
            to = {to: 1.0}
        if not all(isinstance(weight, Real) for weight in to.values()):
            raise ValueError(
                f"transition: weights from {source!r} are {list(to.values())}; they should be "
                "numbers."
            )
        for label in [source, *to]:
            if not _same_type(label, known):
                raise ValueError(f"transition: {label!r} is not of the type of the labels {known}.")
        targets += [label for label in to if label not in targets]
        if source in known:
            rows[known.index(source)] = to
    new = [label for label in targets[len(known) :] if not pd.isna(label)]
    if new:
        close = close_to(str(new[0]), map(str, known))
        warn(
            f"transition: {new[0]!r} is no label of y, where it will be a class of its own"
            f"{close}; the labels there are {shorten(known)}."
        )
    if not rows:
        raise ValueError(
            f"transition={dict(transition)!r} starts from none of the labels {known}; "
            "name the labels to change as its keys."
        )
    dtype = classes.dtype if len(targets) == len(known) else None
    labels = np.array(targets, dtype=object if classes.dtype.kind == "O" else dtype)
    moves = []
    for i in range(len(known)):
        weights = [rows.get(i, {}).get(label, 0.0) for label in targets]
        moves.append(_row(np.array(weights, dtype=float), i, labels))
    return moves


def _same_type(label: Any, known: list[Any]) -> bool:
    numbers = (int, float, np.number)
    if not known or isinstance(label, type(known[0])):
        return True
    return isinstance(label, numbers) and isinstance(known[0], numbers)


def _row(weights: np.ndarray, i: int, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise ValueError(
            f"transition: weights from {labels[i]!r} are {weights.tolist()}; they should be "
            "finite and not negative."
        )
    weights = weights.copy()
    weights[i] = 0.0
    to = np.flatnonzero(weights)
    return labels[to], np.cumsum(weights[to]) / max(weights.sum(), 1e-300)
