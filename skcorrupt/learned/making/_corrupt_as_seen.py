"""Errors like those of a dirty and a clean table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import Tags

from skcorrupt.base import BaseCorruption, Edit, FeatureCorruption, Mechanism, Noise, Reference
from skcorrupt.base._serialise import literal
from skcorrupt.base._strike import smallest, strike_count
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Cells, Table, Target, column_keys, draw_seed, resolve_columns, shorten
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._error_groups import ErrorGroups
from ._seen_checked import check_seen
from ._seen_rules import SeenRules

_DONOR = 1
_TRIES = 5
# rows on which fit looks how many of a group errors fit
MOST_TRIED = 5_000


class CorruptAsSeen(FeatureCorruption):
    """Make errors like those that a dirty table was seen to have.

    Made by `learn_errors`. Every row belongs to a group of rows in which alike things went wrong;
    a struck row gets the errors of a wrong row of its group, all columns at once, each made of the
    value that the row itself has.

    Parameters
    ----------
    seen : dict
        What was seen: groups of rows, wrong rows and the rules by which values went wrong.
    columns : label, list of labels or None, default=None
        Columns to strike; None is all in which errors were seen.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck than was seen; None is nothing.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is what was seen, group by group. Groups keep
        their shares relative to each other.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    when : {"fit", "always"}, default="fit"
        Corrupt in `fit_transform` only, or in every `transform`.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed.

    Notes
    -----
    A name that was not seen goes, with all rows that have it, to one of the groups that names were
    parted into, as likely as rows went there. What a struck row gets may spare some of the columns;
    its errors in the others are those of a row that was seen.

    Some errors fit some rows only: what is in capitals already cannot be put in capitals. In `fit`
    another row of the group takes the place of one that no error of its group fits. With
    `when="always"` a row is struck whatever other rows there are, so `fit` learns in how many rows
    of each group errors fit, of at most 5,000 rows, and strikes the others more often, as often as
    was seen in all.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.learned import learn_errors
    >>> clean = pd.DataFrame({"size": ["12", "16"] * 20, "sort": ["a", "b"] * 20})
    >>> dirty = clean.assign(size=clean["size"] + " oz")
    >>> learned = learn_errors(dirty, clean)
    >>> error = learned.corruption.corruptions[0][1]
    >>> error.fit_transform(pd.DataFrame({"size": ["24"], "sort": ["b"]}))["size"].tolist()
    ['24 oz']
    """

    _required_parameters = ["seen"]
    title = "errors as they were seen"
    _draws_values = True
    same_rows = True
    _parameter_constraints: dict[str, Any] = {
        **{
            name: rule
            for name, rule in FeatureCorruption._parameter_constraints.items()
            if name != "same_rows"
        },
        "seen": [dict],
    }

    def __init__(
        self,
        seen: dict[str, Any],
        columns: ColumnLabels | None = None,
        *,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        self.seen = seen
        self.columns = columns
        self.pattern = pattern
        self.mechanism = mechanism
        self.rate = rate
        self.sampling = sampling
        self.when = when
        self.random_state = random_state

    def __str__(self) -> str:
        text = repr(self)
        if not isinstance(self.seen, dict) or "columns" not in self.seen:
            return text
        # what was seen is thousands of characters, which only repr needs
        return text.replace(literal(self.seen), f"<errors in {shorten(self.seen['columns'])}>")

    def _check_params(self) -> None:
        super()._check_params()
        check_seen(self.seen)

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns("Errors as they were seen", columns)

    def _applies_to(self, table: Table, j: int) -> bool:
        return table.labels[j] in self.seen["columns"]

    def _learn(self, table: Table, target: Target | None) -> Reference:
        places = [resolve_columns(table, [label])[0] for label in self.seen["columns"]]
        wanted = places
        if self.columns is not None:
            wanted = resolve_columns(table, self.columns)
            strange = [table.labels[j] for j in wanted if j not in places]
            if strange:
                raise ValueError(
                    f"columns={self.columns!r}: no errors were seen in {strange[0]!r}; they were "
                    f"in {self.seen['columns']}."
                )
        reference = Reference([j for j in places if j in wanted], streams=column_keys(table))
        reference.extra["places"] = places
        struck = [k for k, j in enumerate(places) if j in reference.columns]
        reference.extra["groups"] = ErrorGroups(self.seen, struck)
        return reference

    def _learn_drivers(self, mechanism: Mechanism, source: Table, reference: Reference) -> Any:
        hit = reference.columns
        return [
            mechanism._learn(
                source, hit, hit, named=getattr(mechanism, "columns", None) is not None
            )
        ]

    def _learn_thresholds(self, table: Table, reference: Reference) -> None:
        self._refuse_what_transform_does_not_see()
        reference.extra["seed"] = draw_seed(self.random_state)
        noise = self._noise(table, reference, reference.extra["seed"])
        group, scores, matched = self._order(table, None, reference, noise, None)
        fits = _shares_that_fit(_Given(table, reference, noise, self.seen), group, matched)
        reference.extra["fits"] = fits
        reference.extra["threshold"] = 1.0
        if self.rate is not None:
            # a row counts as much as it is likely to be given errors
            weight, held = fits[group[matched]], scores[matched] * fits[group[matched]]
            order = np.argsort(held, kind="stable")
            count = strike_count(self._rate, len(held))
            if count == 0:
                BaseCorruption._warn_of_no_effect(self, Edit(matched=matched), table, reference)
            at = np.searchsorted(np.cumsum(weight[order]), count - 1e-9)
            reference.extra["threshold"] = -np.inf
            if count:
                reference.extra["threshold"] = np.append(held[order], np.inf)[at]

    def _refuse_what_transform_does_not_see(self) -> None:
        if self._needs_y():
            raise ValueError(
                "These errors depend on the label, or pattern= does, which transform does not see; "
                'use when="fit".'
            )

    def _order(
        self,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
        among: np.ndarray | None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The group of every row, scores of which the smallest are struck, and which can be."""
        groups: ErrorGroups = reference.extra["groups"]
        group = groups.of_rows(table, target, noise.row_seed)
        share = groups.shares[group]
        scores = self._scores(noise, 0, table, target, reference)
        matched = self._matched(table, target, among)
        matched = share > 0 if matched is None else matched & (share > 0)
        if self.mechanism is not None or self.sampling != "uniform":
            # these only order rows; places in the order are spread evenly again
            places = np.argsort(np.argsort(scores, kind="stable"), kind="stable")
            scores = (places + 0.5) / max(len(scores), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return group, scores / share, matched

    def _edit(
        self,
        table: Table,
        target: Target | None,
        reference: Reference,
        noise: Noise,
        among: np.ndarray | None,
    ) -> Edit:
        group, scores, matched = self._order(table, target, reference, noise, among)
        rate = self.rate
        if self.when == "always":
            below = scores * reference.extra["fits"][group] <= reference.extra["threshold"]
            rows = np.flatnonzero(matched & below)
        else:
            if rate is None:
                shares = reference.extra["groups"].shares[group[matched]]
                rate = float(shares.mean()) if len(shares) else 0.0
            rows = smallest(scores, matched, rate)
        given = _Given(table, reference, noise, self.seen)
        done = given.to(rows, group[rows])
        if self.when == "fit" and not done.all():
            wanting = rows[~done]
            rest = np.setdiff1d(np.flatnonzero(matched), rows)
            rest = rest[np.argsort(scores[rest], kind="stable")]
            others = _in_their_place(given, rest, group, group[wanting])
            rows = np.sort(np.concatenate([rows[done], others]))
        else:
            rows = rows[done]
        return Edit(matched=matched, cells=given.cells(rows))

    def _needs_y(self) -> bool:
        found = self.seen if isinstance(self.seen, dict) else {}
        readings = found.get("readings", [])
        # of what rows could be told apart by, the tree of groups asks for some
        asked = {node["reading"] for node in found.get("nodes", []) if "reading" in node}
        uses = any(readings[i].get("column", "") is None for i in asked if i < len(readings))
        return uses or super()._needs_y()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


class _Given:
    """Errors of wrong rows, given to rows of a table.

    Parameters
    ----------
    table : Table
        The clean table.
    reference : Reference
        Columns and groups.
    noise : Noise
        What a row gets depends on its own draws alone.
    seen : dict
        What was seen.
    """

    def __init__(
        self, table: Table, reference: Reference, noise: Noise, seen: dict[str, Any]
    ) -> None:
        self.noise, self.streams = noise, reference.streams
        self.groups: ErrorGroups = reference.extra["groups"]
        places = reference.extra["places"]
        self.hit = [(k, j) for k, j in enumerate(places) if j in reference.columns]

        def place(label: Any) -> int:
            return resolve_columns(table, [label])[0]

        self.rules = {j: SeenRules(seen["rules"][k], table, j, place) for k, j in self.hit}

    def to(self, rows: np.ndarray, group: np.ndarray, *, alone: bool = False) -> np.ndarray:
        """Whether each of some rows got the errors of a wrong row of its group.

        Where each is looked at alone, no other row counts as struck.
        """
        done = np.zeros(len(rows), dtype=bool)
        if not len(rows):
            return done
        draws = self.noise.draws(rows, _DONOR)
        uniform = {j: self.noise.draws(rows, self.streams[j]).uniform() for _, j in self.hit}
        pending = np.arange(len(rows))
        for _ in range(_TRIES):
            chosen = self.groups.donors(group[pending], draws.uniform()[pending])
            struck = set() if alone else set(rows.tolist())
            made = [
                self.rules[j].put(rows, pending, chosen[:, k], uniform[j], struck)
                for k, j in self.hit
            ]
            right = np.logical_and.reduce(made)
            done[pending[right]] = True
            pending = pending[~right]
            if not len(pending):
                break
        return done

    def cells(self, rows: np.ndarray) -> dict[int, Cells]:
        """The wrong values of rows that got some."""
        if not len(rows):
            return {j: Cells(rows, rows) for _, j in self.hit}
        return {j: self.rules[j].cells(rows) for _, j in self.hit}


def _shares_that_fit(given: _Given, group: np.ndarray, matched: np.ndarray) -> np.ndarray:
    """In how many of the rows of each group errors of its wrong rows fit, 1 where none is there."""
    rows = np.flatnonzero(matched)
    if len(rows) > MOST_TRIED:
        rows = np.sort(np.random.default_rng(0).permutation(rows)[:MOST_TRIED])
    n_groups = len(given.groups.shares)
    n = np.bincount(group[rows], minlength=n_groups)
    done = given.to(rows, group[rows], alone=True)
    fit = np.bincount(group[rows[done]], minlength=n_groups)
    return np.where(fit > 0, fit / np.maximum(n, 1), 1.0)


def _in_their_place(
    given: _Given, rest: np.ndarray, group: np.ndarray, wanted: np.ndarray
) -> np.ndarray:
    """Other rows of the groups of those that could not be given errors, the next in order."""
    found = [np.empty(0, dtype=np.intp)]
    for g, n_wanted in zip(*np.unique(wanted, return_counts=True), strict=True):
        own = rest[group[rest] == g]
        left = int(n_wanted)
        while left and len(own):
            some, own = own[: 2 * left], own[2 * left :]
            able = some[given.to(some, group[some])][:left]
            found.append(able)
            left -= len(able)
    return np.concatenate(found)
