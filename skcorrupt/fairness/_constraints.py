"""What arguments of several functions may be."""

from collections.abc import Hashable
from numbers import Real
from typing import Any

from skcorrupt.utils import N_JOBS
from skcorrupt.utils._compat import Interval

COMMON: dict[str, list[Any]] = {
    "pos_label": [Hashable],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    "n_jobs": N_JOBS,
    "verbose": ["verbose"],
}
