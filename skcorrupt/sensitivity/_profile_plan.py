"""What a profile will take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProfilePlan:
    """What a profile will take.

    Attributes
    ----------
    n_scenarios : int
        Errors on columns, for one model.
    n_fits : int
        Fits in all.
    seconds : float
        Estimated time of fits and scores on one worker, from one timed fit a model.
    least_repeats : int
        Repeats below which nothing can be significant.
    """

    n_scenarios: int
    n_fits: int
    seconds: float
    least_repeats: int

    def __str__(self) -> str:
        minutes = self.seconds / 60
        took = f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min"
        return f"{self.n_scenarios} scenarios, {self.n_fits} fits, about {took} on one worker"
