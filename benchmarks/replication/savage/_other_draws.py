"""What patterns score under other draws of the rows that they strike, where they strike a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.replication.savage._published_cells import (
    DATA_NAMES,
    KINDS,
    PREPARED,
    Cell,
    corruption_of,
    pipeline_of,
)
from benchmarks.search._common import Data, on_test_set
from skcorrupt import (
    CorruptLabels,
    CorruptMissing,
    SelectionBias,
    cross_validate_corrupted,
)
from skcorrupt.base import BaseCorruption

N_DRAWS = 20
SHOWN = {
    "data": "data",
    "pipeline": "pipeline",
    "error": "error",
    "budget": "budget",
    "whose": "pattern of",
    "pattern": "pattern",
    "rate": "share of its rows",
    "published": "published",
    "mean": f"mean of {N_DRAWS} draws",
    "std": "standard deviation",
    "lowest": "lowest",
}
OURS: dict[str, Callable[[list[str]], BaseCorruption]] = {
    "missing": lambda columns: CorruptMissing(columns),
    "labels": lambda columns: CorruptLabels(),
    "selection": lambda columns: SelectionBias(),
}


def is_asked(row: dict[str, Any]) -> bool:
    """Whether a saved cell is above the published score with a pattern that strikes a part."""
    return bool(row["found"] > row["published"] and row["rate"] < 1)


def draws_of(cell: Cell, row: dict[str, Any], data: Data) -> Iterator[dict[str, Any]]:
    """The published patterns of a cell and ours, each under the same draws.

    Parameters
    ----------
    cell : Cell
        The cell.
    row : dict
        Its saved row.
    data : tuple
        Training and test set.

    Yields
    ------
    dict
        What a pattern scores.
    """
    X, y, cv = on_test_set(data)
    ours = OURS[cell.kind](row["columns"]).set_params(pattern=row["pattern"], rate=row["rate"])
    tried = [("ours", ours)]
    for ranges in cell.patterns:
        corruption = corruption_of(ranges, cell.kind, data[0], data[1], cell.rows)
        if str(corruption) not in [str(known) for _, known in tried]:
            tried.append(("the study", corruption))
    for whose, corruption in tried:
        scores = [
            cross_validate_corrupted(
                pipeline_of(cell), X, y, corruption, cv=cv, scoring="roc_auc", random_state=seed
            )["test_score"].mean()
            for seed in range(N_DRAWS)
        ]
        yield {
            "key": list(cell.key),
            "whose": whose,
            "pattern": str(corruption.pattern),
            "rate": float(corruption.rate),
            "budget_percent": row["budget_percent"],
            "published": cell.mean,
            "mean": float(np.mean(scores)),
            "std": float(np.std(scores, ddof=1)),
            "lowest": float(np.min(scores)),
        }


def shown(row: dict[str, Any]) -> dict[str, Any]:
    """A saved row as the page shows it."""
    data, pipeline, _, series, _ = row["key"]
    return {
        **row,
        "data": DATA_NAMES[data],
        "pipeline": PREPARED[pipeline][0],
        "error": KINDS[series],
        "budget": f"{row['budget_percent']:.0f} %",
    }
