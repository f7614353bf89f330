"""Texts that a pipeline turns into numbers, as numbers in groups too."""

from __future__ import annotations

import dataclasses

import numpy as np
from sklearn.preprocessing import OrdinalEncoder

from skcorrupt.evaluation import walk
from skcorrupt.utils import Table
from skcorrupt.utils._typing import Estimator

from ._proxy_groups import CLIP, Feature, Groups


def with_codes(groups: Groups, estimator: Estimator, table: Table) -> Groups:
    """The groups with columns of texts as the codes that an OrdinalEncoder gives them.

    Parameters
    ----------
    groups : Groups
        The data, with an indicator for each category.
    estimator : estimator
        The pipeline.
    table : Table
        Its features.

    Returns
    -------
    Groups
        The same where there is no such encoder.
    """
    orders = _orders(groups, estimator, table)
    if not orders:
        return groups
    weights = groups.trains.sum(axis=0)
    features, columns, spreads, start = [], [], [], 0
    for j, feature in enumerate(groups.features):
        columns_of_it, spreads_of_it = (
            groups.design[:, feature.block],
            groups.spreads[feature.block],
        )
        coded = feature
        if j in orders:
            coded = _coded(feature, orders[j], weights)
            columns_of_it = np.append(coded.design[:, 0], 0.0)[coded.levels][:, None]
            spreads_of_it = np.array([coded.spread])
        stop = start + columns_of_it.shape[1]
        features.append(dataclasses.replace(coded, block=slice(start, stop)))
        columns.append(columns_of_it)
        spreads.append(spreads_of_it)
        start = stop
    design = np.hstack([*columns, groups.design[:, -1:]]).astype(np.float32)
    return dataclasses.replace(
        groups, features=features, design=design, spreads=np.concatenate(spreads)
    )


def _orders(groups: Groups, estimator: Estimator, table: Table) -> dict[int, np.ndarray]:
    """The code of every level of columns that are encoded."""
    found: dict[int, np.ndarray] = {}
    for step, columns in walk(estimator, table):
        if not isinstance(step, OrdinalEncoder):
            continue
        for place, j in enumerate(columns or ()):
            feature = groups.features[j]
            if feature.numeric or j in found:
                continue
            names = _names(groups, table, j)
            given = step.categories
            order = sorted(set(names)) if isinstance(given, str) else list(given[place])
            known = {name: float(code) for code, name in enumerate(order)}
            found[j] = np.array([known.get(name, -1.0) for name in names])
    return found


def _names(groups: Groups, table: Table, j: int) -> list[str]:
    """The category of every level, of those that no group has too."""
    levels = groups.features[j].levels[groups.of_row]
    values = table.values(j)[groups.rows]
    names = [""] * len(groups.features[j].values)
    there, first = np.unique(levels, return_index=True)
    for level, row in zip(there.tolist(), first.tolist(), strict=True):
        if level < len(names):
            names[level] = values[row]
    return names


def _coded(feature: Feature, codes: np.ndarray, weights: np.ndarray) -> Feature:
    """A column of texts as one of numbers, its levels in the order of the codes."""
    order = np.argsort(codes, kind="stable")
    rank = np.append(np.argsort(order, kind="stable"), len(codes))
    levels, values = rank[feature.levels], codes[order]
    counts = np.bincount(levels, weights=weights, minlength=len(values) + 1)[: len(values)]
    total = max(float(counts.sum()), 1.0)
    centre = float(counts @ values / total)
    spread = float(np.sqrt(counts @ (values - centre) ** 2 / total)) or 1.0
    design = np.clip((values - centre) / spread, -CLIP, CLIP)[:, None]
    return Feature(levels, values, feature.block, design, True, centre, spread)
