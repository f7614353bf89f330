"""What long work will cost, before it runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """What long work will cost, at most and as is expected.

    Attributes
    ----------
    n_scenarios : int
        What is studied: the errors on columns of a profile, for one model; the templates that a
        search begins with.
    n_evaluations : int
        What is scored, each on all splits: pairs of a model and a level of a scenario in a profile,
        distinct candidates in a search.
    n_fits : int
        Fits, or scores of a fitted model: all splits, confirmation and random draws included.
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
    expected_evaluations, expected_fits : int or None, default=None
        How many are expected; None is the most.
    other_seconds : float, default=0
        Seconds that are expected to go into other things than fits, such as stand-ins.
    limit : float or None, default=None
        Seconds after which the work ends wherever it is, apart from what it is not for.
    free_seconds : float, default=0
        Seconds, at most, of that part of the work which the limit is not for.
    work : {"fits", "scores"}, default="fits"
        What there is to do: a model that is fitted already is only scored.
    """

    n_scenarios: int
    n_evaluations: int
    n_fits: int
    seconds_per_fit: float
    n_workers: int = 1
    unit: str = "evaluations"
    note: str = ""
    without_proxy: Plan | None = None
    expected_evaluations: int | None = None
    expected_fits: int | None = None
    other_seconds: float = 0.0
    limit: float | None = None
    free_seconds: float = 0.0
    work: str = "fits"

    @property
    def seconds(self) -> float:
        """Seconds that are expected on these workers, within the limit."""
        n_fits = self.n_fits if self.expected_fits is None else self.expected_fits
        expected = n_fits * self.seconds_per_fit / self.n_workers + self.other_seconds
        return self._limited(expected)

    @property
    def most_seconds(self) -> float:
        """Seconds if all fits have to be made, within the limit."""
        return self._limited(self._most_seconds)

    @property
    def _most_seconds(self) -> float:
        return self.n_fits * self.seconds_per_fit / self.n_workers + self.other_seconds

    def _limited(self, seconds: float) -> float:
        return seconds if self.limit is None else min(seconds, self.limit + self.free_seconds)

    @property
    def time(self) -> str:
        """The seconds as a text."""
        return time_text(self.seconds)

    def __str__(self) -> str:
        spread = f" on {self.n_workers} workers" if self.n_workers > 1 else ""
        most = (
            f"at most {self.n_evaluations} {self.unit} and {self.n_fits} {self.work} of "
            f"{self.seconds_per_fit:.3f} s each: up to {time_text(self._most_seconds)}{spread}"
        )
        parts = []
        if self.expected_evaluations is not None:
            n = self.expected_evaluations
            unit = self.unit.removesuffix("s") if n == 1 else self.unit
            parts.append(f"about {n} {unit} in {self.time}")
        if self.limit is not None and self.most_seconds >= self.limit + self.free_seconds:
            # the most is of a search that nothing ends
            end = "partly ended" if self.free_seconds else "ended"
            late = " at the latest" if self.seconds < self.most_seconds else ""
            parts.append(f"{end} by max_time={self.limit:g} s{late}")
            said = f"{', '.join(parts)}; without it {most}"
        else:
            said = ", ".join([*parts, most])
        if self.without_proxy is not None:
            other = self.without_proxy
            return (
                f"{said}; if no proxy agrees with the pipeline, at most "
                f"{other.n_evaluations} {self.unit}: about {other.time}"
            )
        return f"{said}; {self.note}" if self.note else said


def time_text(seconds: float) -> str:
    """Seconds as people say them."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
