"""A limit of time within which nothing can be found."""

import math


def seconds_up(seconds: float) -> str:
    """Seconds that suffice, in two digits or more, as a text."""
    step = 10.0 ** (math.floor(math.log10(seconds)) - 1) if 0 < seconds < 10 else 1.0
    return f"{math.ceil(seconds / step - 1e-9) * step:.6g}"


class TimeTooShort(ValueError):
    """`max_time` was over before a candidate was scored.

    Parameters
    ----------
    message : str
        What is said.
    needed : float
        Seconds that would do.
    """

    def __init__(self, message: str, needed: float) -> None:
        super().__init__(message, needed)
        self.needed = needed

    def __str__(self) -> str:
        return str(self.args[0])
