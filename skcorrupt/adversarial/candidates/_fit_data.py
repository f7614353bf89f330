"""What a search was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skcorrupt.utils._typing import ColumnLike, TableLike


@dataclass
class FitData:
    """What was given to `fit`, by reference, and the seed of everything drawn from it."""

    X: TableLike
    y: ColumnLike
    fit_params: dict[str, Any]
    score_params: dict[str, Any]
    groups: ColumnLike | None
    seed: int
