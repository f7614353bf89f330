"""Attributes a pattern can use, coded so that every condition is a range of small integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from skcorrupt.patterns import Condition
from skcorrupt.patterns._times import has_written_year, mixes_zones, with_dates
from skcorrupt.utils import Table, are_names, are_running_numbers, shortest_between

from ._fine_attribute import plain
from ._levels import named_levels, sorted_levels

# categories that are named; of more than these the commonest, and none together
MAX_LEVELS = 64
# why a column is left out
OWN_VALUES = "nearly every row has a value of its own, as identifiers do"
NOT_COMPARED = "cells such as lists cannot be compared"
MIXED_ZONES = (
    "times with and without time zones cannot be compared before pandas.to_datetime(…, utc=True)"
)
ODD_YEARS = "times outside the years 1 to 9999 have no ISO 8601 text"


@dataclass
class Attribute:
    """One attribute with its levels in order and the conditions that can be put on it.

    Attributes
    ----------
    key : str
        Key of the attribute in a Pattern.
    column : int
        Position of the column, −1 for the label.
    codes : ndarray of int, shape (n_samples,)
        Level of every row, `n_levels` where the attribute is missing.
    atoms : ndarray of int, shape (n_atoms, 2)
        First and last level of every condition.
    conditions : list of Condition
        The condition of every atom.
    """

    key: str
    column: int
    codes: np.ndarray
    atoms: np.ndarray
    conditions: list[Condition]

    @property
    def n_atoms(self) -> int:
        """Number of conditions."""
        return len(self.atoms)

    def mask(self, atom: int) -> np.ndarray:
        """Rows that a condition matches."""
        # numbers without a type of their own are compared in that of the codes
        first, last = self.atoms[atom].tolist()
        return (self.codes >= first) & (self.codes <= last)


def learn_attribute(
    values: np.ndarray,
    missing: np.ndarray,
    kind: str,
    *,
    key: str,
    column: int,
    outcome: np.ndarray | None,
    n_bins: int,
    zone: Any = None,
) -> Attribute | None:
    """Code one attribute, or None where no condition can tell its rows apart.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        The attribute.
    missing : ndarray of bool, shape (n_samples,)
        Where it is missing.
    kind : str
        What it holds.
    key : str
        Its key in a Pattern.
    column : int
        Its position, −1 for the label.
    outcome : ndarray of shape (n_samples, n_outcomes) or None
        Indicator of the classes, or the regression label, by which categories are ordered.
    n_bins : int
        Most levels of a numeric attribute, and most groups of a categorical one.
    zone : tzinfo or None
        Time zone that conditions are told in, of times whose `values` are those of UTC.

    Returns
    -------
    Attribute or None
        The coded attribute.
    """
    if kind in ("integer", "real", "datetime", "timedelta"):
        return _numeric(values, missing, kind, key, column, n_bins, zone)
    return _categorical(values, missing, key, column, outcome, n_bins)


def learn_column(
    table: Table, column: int, *, key: str, outcome: np.ndarray | None, n_bins: int
) -> Attribute | None:
    """Code one column of a table, with the parameters and the result of `learn_attribute`."""
    values, kind, zone = with_dates(table, column)
    return learn_attribute(
        values,
        table.missing(column),
        kind,
        key=key,
        column=column,
        outcome=outcome,
        n_bins=n_bins,
        zone=zone,
    )


def _numeric(
    values: np.ndarray,
    missing: np.ndarray,
    kind: str,
    key: str,
    column: int,
    n_bins: int,
    zone: Any,
) -> Attribute | None:
    levels = sorted_levels(values, missing)
    distinct = levels.values
    if levels.n_levels < 2:
        return None
    ends = levels.bin_ends(n_bins)
    codes = np.searchsorted(ends, levels.codes).astype(np.uint16)
    n_levels = len(ends)
    atoms = [(a, b) for a in range(n_levels) for b in range(a, n_levels)]
    atoms.remove((0, n_levels - 1))
    whole_levels = n_levels == levels.n_levels
    cuts = distinct[ends[:-1]] if whole_levels else _cuts(distinct, ends[:-1])
    conditions = []
    for first, last in atoms:
        if whole_levels and first == last:
            conditions.append(Condition(one_of=[plain(distinct[first], zone)]))
            continue
        high = plain(cuts[last], zone) if last < n_levels - 1 else None
        if first and (kind == "integer" or whole_levels):
            low = {"ge": plain(distinct[ends[first - 1] + 1], zone)}
        else:
            low = {"gt": plain(cuts[first - 1], zone)} if first else {}
        conditions.append(Condition(**low, le=high))
    return Attribute(key, column, codes, np.array(atoms), conditions)


def _cuts(distinct: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Upper ends of bins: observed values, or readable ones up to the next."""
    if distinct.dtype.kind != "f":
        return distinct[ends]
    pairs = zip(distinct[ends], distinct[ends + 1], strict=True)
    return np.array([shortest_between(low, high) for low, high in pairs], dtype=distinct.dtype)


def _categorical(
    values: np.ndarray,
    missing: np.ndarray,
    key: str,
    column: int,
    outcome: np.ndarray | None,
    n_bins: int,
) -> Attribute | None:
    levels = named_levels(values, missing)
    if levels.n_levels < 2:
        return None
    known = None if outcome is None else outcome[~missing]
    score = _order_scores(levels.codes[~missing], levels.counts, known)
    levels = levels.ordered(np.lexsort((np.arange(levels.n_levels), score)))
    names = [plain(value) for value in levels.values]

    common = np.sort(np.argsort(-levels.counts, kind="stable")[:MAX_LEVELS])
    atoms = [(int(i), int(i)) for i in common]
    # a list of dozens is no pattern that anybody reads, and in the order of labels it tells them
    ends = _group_ends(levels.counts, n_bins) if levels.n_levels <= MAX_LEVELS else []
    starts = [0, *[end + 1 for end in ends[:-1]]]
    for a, first in enumerate(starts):
        atoms += [(first, last) for last in ends[a:] if last > first]
    atoms = [atom for atom in dict.fromkeys(atoms) if atom != (0, len(names) - 1)]
    conditions = [Condition(one_of=names[first : last + 1]) for first, last in atoms]
    codes = levels.codes.astype(np.uint32)
    return Attribute(key, column, codes, np.array(atoms), conditions)


def _order_scores(codes: np.ndarray, counts: np.ndarray, outcome: np.ndarray | None) -> np.ndarray:
    """One score a category by its label rate; for many classes their first component.

    The component is the one of correspondence analysis: for two classes it orders by rate.
    """
    if outcome is None:
        return -counts.astype(float)
    totals = np.column_stack(
        [
            np.bincount(codes, weights=outcome[:, k], minlength=len(counts))
            for k in range(outcome.shape[1])
        ]
    )
    overall = totals.sum(axis=0) / counts.sum()
    # one observation of prior keeps rare categories from the ends of the order
    rates = (totals + overall) / (counts[:, None] + 1.0) - overall
    if rates.shape[1] == 1:
        return rates[:, 0]
    _, _, components = np.linalg.svd(rates * np.sqrt(counts)[:, None], full_matrices=False)
    direction = components[0] * (1.0 if components[0][-1] >= 0 else -1.0)
    return rates @ direction


def _group_ends(counts: np.ndarray, n_bins: int) -> list[int]:
    """Last category of every group; groups hold about equal numbers of rows."""
    if len(counts) <= n_bins:
        return list(range(len(counts)))
    share = np.cumsum(counts) / counts.sum()
    ends = np.unique(np.searchsorted(share, np.arange(1, n_bins) / n_bins))
    return [*ends[ends < len(counts) - 1].tolist(), len(counts) - 1]


def is_id_like(values: np.ndarray, missing: np.ndarray, kind: str) -> bool:
    """Whether nearly every row has a text of its own, or a running number."""
    known = values[~missing]
    if kind == "text":
        return are_names(len(pd.unique(known)), len(known))
    return kind == "integer" and are_running_numbers(known)


def outcome_matrix(labels: np.ndarray, classes: np.ndarray | None) -> np.ndarray:
    """Class indicators of shape (n_samples, n_classes), or the label as one column."""
    if classes is None:
        return labels.astype(float).reshape(-1, 1)
    return (labels[:, None] == classes[None, :]).astype(float)


def learn_attributes(
    table: Table,
    columns: list[int],
    keys: list[str],
    outcome: np.ndarray,
    n_bins: int,
    known: dict[tuple[int, int], Attribute | str | None] | None = None,
) -> tuple[list[Attribute], dict[str, list[str]]]:
    """Code the attributes and name those left out, such as those that look like identifiers.

    What is learned is noted in `known`, by column and number of bins, and taken from there where
    the table and the outcome are the same.

    Returns
    -------
    attributes : list of Attribute
        Coded attributes.
    left_out : dict of str to list of str
        Keys of the columns left out, by why they are.
    """
    known = {} if known is None else known
    attributes: list[Attribute] = []
    left_out: dict[str, list[str]] = {}
    for j in columns:
        if (j, n_bins) not in known:
            known[j, n_bins] = _attribute_or_why_none(table, j, keys[j], outcome, n_bins)
        found = known[j, n_bins]
        if isinstance(found, Attribute):
            attributes.append(found)
        elif found is not None:
            left_out.setdefault(found, []).append(keys[j])
    return attributes, left_out


def _attribute_or_why_none(
    table: Table, j: int, key: str, outcome: np.ndarray, n_bins: int
) -> Attribute | str | None:
    """A column coded, why it is left out, or None where it tells nothing."""
    try:
        values, kind, _ = with_dates(table, j)
        missing = table.missing(j)
        if is_id_like(values, missing, kind):
            return OWN_VALUES
        if kind == "datetime" and values.dtype.kind == "O" and mixes_zones(values[~missing]):
            return MIXED_ZONES
        if values.dtype.kind == "M" and not has_written_year(values[~missing]).all():
            return ODD_YEARS
        return learn_column(table, j, key=key, outcome=outcome, n_bins=n_bins)
    except (TypeError, ValueError):
        return NOT_COMPARED
