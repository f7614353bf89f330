"""What long work will cost, before it runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """What long work will cost at most.

    Attributes
    ----------
    n_scenarios : int
        What is studied: the errors on columns of a profile, for one model; the templates that a
        search begins with.
    n_evaluations : int
        What is scored, each on all splits: pairs of a model and a level of a scenario in a profile,
        distinct candidates in a search.
    n_fits : int
        Fits, all splits, confirmation and random draws included.
    seconds_per_fit : float
        Mean time of one fit and score, measured on clean data.
    n_workers : int, default=1
        Workers that the work is spread over.
    unit : str, default="evaluations"
        What evaluations are called.
    note : str, default=""
        What else to know.
    without_proxy : Plan or None, default=None
        Of a search that may find no proxy that agrees with the pipeline, what it costs then.
    """

    n_scenarios: int
    n_evaluations: int
    n_fits: int
    seconds_per_fit: float
    n_workers: int = 1
    unit: str = "evaluations"
    note: str = ""
    without_proxy: Plan | None = None

    @property
    def seconds(self) -> float:
        """Seconds of fits and scores on these workers; all else is not counted."""
        return self.n_fits * self.seconds_per_fit / self.n_workers

    @property
    def time(self) -> str:
        """The seconds as a text."""
        return f"{self.seconds:.0f} s" if self.seconds < 120 else f"{self.seconds / 60:.0f} min"

    def __str__(self) -> str:
        spread = f" on {self.n_workers} workers" if self.n_workers > 1 else ""
        said = (
            f"at most {self.n_evaluations} {self.unit} and {self.n_fits} fits of "
            f"{self.seconds_per_fit:.3f} s each: up to {self.time}{spread}"
        )
        if self.without_proxy is not None:
            other = self.without_proxy
            return (
                f"{said} besides screening; if no proxy agrees with the pipeline, at most "
                f"{other.n_evaluations} {self.unit}: up to {other.time}"
            )
        return f"{said}; {self.note}" if self.note else said
