"""Rows of the replication: a printed number, ours, and a verdict by stated rules."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import t

from benchmarks import _results

# how the source of a row begins that compares numbers of a paper with each other
OWN = "paper: "
# how the reason begins where our own spread leaves a number open
OURS = "our spread"
STEEPER = "steeper, unexplained"
SEARCHED = "as searched, not confirmed"
NOT_RUN, CLOSED = "not run here", "not computable here"
VERDICTS = (
    "reproduced",
    "part of",
    "beaten",
    SEARCHED,
    STEEPER,
    "misprint",
    "refuted",
    "not reproduced",
    "undecided",
    NOT_RUN,
    CLOSED,
)
RULES = (
    "*tolerance*: half of the last printed digit, or the 95 % interval of the printed mean where "
    "its spread and its number of runs are known.",
    "*reproduced*: ours, or the 95 % interval of the mean of ours over seeds or splits, meets the "
    "printed number within its tolerance. The interval narrows with seeds and splits.",
    "*part of*: so for the part that can be checked; the row says which part.",
    "*beaten*: ours is beyond, the same thing is measured, and a lower or a higher number was the "
    "aim.",
    f"*{SEARCHED}*: so on the rows that a search reported, as the paper has it; on rows that it "
    "never saw the interval of the drop holds zero.",
    f"*{STEEPER}*: beyond the printed number, which nobody aims at, and why is not known.",
    "*misprint*: a digit, a count or a label is wrong; what is claimed stays.",
    "*refuted*: what is claimed falls, for a reason that stands in the row. A fault of a script is "
    "one where it is made again here and brings the number back.",
    "*not reproduced*: ours does not meet it; what differs or is known stands in the row. It makes "
    "no difference whether a part had to be replaced: then *reproduced* is as weak.",
    "*undecided*: the spread of what is printed leaves it open, or that of a single run where one "
    "run is printed, or of the mean of so many. Where it is ours, as where an interval is wider "
    "than half of the number, and more splits or hours would tell, the reason begins with *our "
    "spread*.",
    f"*{NOT_RUN}*: data and method can be had, and nobody has run it here: no result is saved, or "
    "it is not built; the row says which.",
    f"*{CLOSED}*: data, method or the printed value are not public or not stated, or are times of "
    "another machine, as the row says.",
)
LEVEL = 0.95
# what a number, a share or a score, and a correlation can be
ANY, SHARE, RHO = (-math.inf, math.inf), (0.0, 1.0), (-1.0, 1.0)


@dataclass(frozen=True)
class Sample:
    """Several values of ours, such as one a seed or a split.

    Attributes
    ----------
    mean, std : float
        Of the values, the standard deviation with n - 1.
    n : int
        How many there are.
    over : str
        What they are over, "20 splits".
    within : tuple of float
        What a value can be; intervals end there.
    """

    mean: float
    std: float
    n: int
    over: str
    within: tuple[float, float] = ANY

    @classmethod
    def of(cls, values: Sequence[float], over: str, within: tuple[float, float] = ANY) -> Sample:
        """Two values or more, "{n}" in `over` for their number."""
        n, std = len(values), float(np.std(values, ddof=1))
        return cls(float(np.mean(values)), std, n, over.format(n=n), within)

    def interval(self) -> tuple[float, float]:
        """Of the mean; it narrows with every value."""
        return self._around(self.half_width(self.std, self.n))

    def of_one(self) -> tuple[float, float]:
        """Where another single value falls, 95 %."""
        return self.of_others(1)

    def of_others(self, n: int) -> tuple[float, float]:
        """Where the mean of n other values falls, 95 %."""
        return self._around(self.half_width(self.std, self.n) * np.sqrt(self.n / n + 1))

    def _around(self, half: float) -> tuple[float, float]:
        low, high = self.within
        return max(self.mean - half, low), min(self.mean + half, high)

    @staticmethod
    def half_width(std: float, n: int) -> float:
        """Half of the interval of a mean of n values with this standard deviation."""
        return float(t.ppf((1 + LEVEL) / 2, n - 1) * std / np.sqrt(n))


@dataclass(frozen=True)
class Row:
    """One or, where nothing can be computed, several printed numbers.

    Attributes
    ----------
    where : str
        Table, figure or section.
    what : str
        The setting.
    printed : tuple of str
        As printed.
    ours : str or None
        What was found.
    spread : str or None
        How far ours goes, and over what.
    verdict : str
        One of `VERDICTS`.
    why : str
        The reason, or what has to be known.
    source : str
        File and section of the saved results.
    again : bool
        Whether the printed number is counted in another row already.
    n : int or None
        How many numbers there are where `printed` only says so.
    """

    where: str
    what: str
    printed: tuple[str, ...]
    ours: str | None
    spread: str | None
    verdict: str
    why: str = ""
    source: str = ""
    again: bool = False
    n: int | None = None

    @property
    def own(self) -> bool:
        """Whether it was only checked against the paper itself, its numbers or coded tables."""
        return self.source.startswith(OWN)

    def as_dict(self) -> dict[str, Any]:
        """The row as it is saved."""
        row = asdict(self)
        n = len(self.printed) if self.n is None else self.n
        more = {"n_printed": 0 if self.again else n, "own": self.own}
        del row["again"], row["n"]
        return row | {"printed": list(self.printed)} | more


class Saved:
    """Results of benchmarks as they are saved, and which of them were asked for."""

    def __init__(self) -> None:
        self.files: dict[str, dict[str, Any] | None] = {}

    def rows(self, benchmark: str, section: str, **match: Any) -> list[dict[str, Any]]:
        """Rows of a section with some values, none where the section is not saved.

        Parameters
        ----------
        benchmark, section : str
            File and section.
        **match : object
            Values by key that rows have to have.

        Returns
        -------
        list of dict
            The rows.
        """
        if benchmark not in self.files:
            self.files[benchmark] = _results.saved(benchmark)
        content = self.files[benchmark] or {"sections": {}}
        rows = content["sections"].get(section, [])
        return [row for row in rows if all(row.get(key) == match[key] for key in match)]

    def one(self, benchmark: str, section: str, **match: Any) -> dict[str, Any] | None:
        """The first such row, None where there is none."""
        rows = self.rows(benchmark, section, **match)
        return rows[0] if rows else None

    def fact(self, section: str, name: str) -> Any:
        """The value of a fact, None where it is not saved."""
        row = self.one("replication-facts", section, fact=name)
        return None if row is None else row["value"]

    def sample(
        self, section: str, name: str, over: str, within: tuple[float, float] = ANY
    ) -> Sample | None:
        """The values that a fact is the mean of, "{n}" in `over` for their number."""
        row = self.one("replication-facts", section, fact=name)
        if row is None:
            return None
        return Sample(row["value"], row["std"], row["n"], over.format(n=row["n"]), within)

    def environments(self) -> list[dict[str, Any]]:
        """Date and versions of the files that rows were taken from."""
        found = []
        for name, content in sorted(self.files.items()):
            if content is not None:
                found.append({"results": f"{name}.json", **content["environment"]})
        return found


def tolerance(printed: str) -> float:
    """Half of the last digit of a number as it is printed.

    Parameters
    ----------
    printed : str
        The number; a sign, "%" and text around it do not count.

    Returns
    -------
    float
        The tolerance.
    """
    match = re.search(r"\d*\.?\d+", printed.replace(",", ""))
    if match is None:
        raise ValueError(f"printed={printed!r} should hold a number.")
    return 0.5 * 10.0 ** -_decimals(match[0])


def _decimals(printed: str) -> int:
    """Digits after the point of the first number of a text."""
    match = re.search(r"\d*\.(\d+)|\d", printed)
    return 0 if match is None or match[1] is None else len(match[1])


def value_of(printed: str) -> float:
    """A number as it is printed, in per cent where it is."""
    match = re.search(r"-?\d*\.?\d+", printed.replace(",", "").replace("−", "-"))
    if match is None:
        raise ValueError(f"printed={printed!r} should hold a number.")
    return float(match[0])


def judged(
    printed: str,
    low: float,
    high: float,
    *,
    printed_spread: float = 0.0,
    aim: str | None = None,
    reason: str = "",
    misprint: str = "",
) -> str:
    """The verdict on a printed number.

    Parameters
    ----------
    printed : str
        The number.
    low, high : float
        The interval of ours, the same number twice where it has none.
    printed_spread : float, default=0.0
        Half of the interval printed with it.
    aim : {"lower", "higher"} or None, default=None
        What a method of this kind tries to reach, if anything.
    reason : str, default=""
        Why what is claimed falls where the number is not met.
    misprint : str, default=""
        Why the number is wrong and the claim stays.

    Returns
    -------
    str
        One of `VERDICTS`.
    """
    # sums of floats in another order are no difference
    size = max(tolerance(printed), printed_spread) + 1e-9
    least, most = value_of(printed) - size, value_of(printed) + size
    if low <= most and high >= least:
        return "reproduced"
    if (aim == "lower" and high < least) or (aim == "higher" and low > most):
        return "beaten"
    if misprint:
        return "misprint"
    return "refuted" if reason else "not reproduced"


def number(
    where: str,
    what: str,
    printed: str,
    ours: float | Sample | None,
    *,
    source: str,
    printed_spread: float = 0.0,
    aim: str | None = None,
    reason: str = "",
    misprint: str = "",
    note: str = "",
    runs: int = 1,
) -> Row:
    """A row of one number.

    Parameters
    ----------
    where, what : str
        As in `Row`.
    printed : str
        The number as printed; with "%" ours, a share, is compared in per cent.
    ours : float, Sample or None
        Ours, a sample where there are several of it, None if it is not saved. Of a sample the
        interval of its mean is judged; a number printed without a spread may be one run.
    source : str
        Benchmark and section, "BENCHMARK: SECTION".
    printed_spread, aim, reason, misprint
        As in `judged`; the reason is shown where the number is not met.
    note : str, default=""
        What is shown anyway.
    runs : int, default=1
        Of how many runs the number is the mean, where it is printed without a spread.

    Returns
    -------
    Row
        The row.
    """
    if ours is None:
        return not_run(where, what, (printed,), source)
    factor = 100.0 if "%" in printed else 1.0
    middle = ours.mean if isinstance(ours, Sample) else ours
    ends = ours.interval() if isinstance(ours, Sample) else (ours, ours)
    how: dict[str, Any] = {"printed_spread": printed_spread, "aim": aim}
    how |= {"reason": reason, "misprint": misprint}
    verdict = judged(printed, *(factor * end for end in ends), **how)
    digits = min(_decimals(printed) + 1, 4)
    digits = 0 if "." not in printed and float(factor * middle).is_integer() else digits
    unit = " %" if factor > 1 else ""

    def text(value: float) -> str:
        return f"{factor * value:.{digits}f}{unit}"

    shown = None
    why = note if verdict in ("reproduced", "beaten") else misprint or reason or note
    if isinstance(ours, Sample):
        ends_shown = list(dict.fromkeys(text(end) for end in ends))
        shown = f"{' – '.join(ends_shown)}, mean of {ours.over}"
        target = value_of(printed)
        wide = 2 * factor * (ends[1] - ends[0]) > abs(target) > 0
        if verdict == "reproduced" and wide and abs(factor * middle - target) > tolerance(printed):
            verdict = "undecided"
            why = f"{OURS}: the interval is wider than half of the number; {note}"
            why = why.removesuffix("; ")
        elif not printed_spread and verdict not in ("reproduced", "beaten"):
            others = ours.of_others(runs)
            if judged(printed, *(factor * end for end in others)) == "reproduced":
                low, high = map(text, others)
                verdict = "undecided"
                why = f"one run may be printed, and single runs go from {low} to {high} here"
                if runs > 1:
                    why = f"{runs} runs are behind it, whose means go from {low} to {high} here"
                why += f"; {note}" if note else ""
    if printed_spread and "±" not in printed:
        printed = f"{printed} ± {printed_spread:.2g}"
    return Row(where, what, (printed,), text(middle), shown, verdict, why, source)


def said(
    where: str, what: str, printed: str, ours: str, verdict: str, why: str = "", *, source: str
) -> Row:
    """A row whose verdict is given, such as that on a claim in words."""
    if verdict not in VERDICTS:
        raise ValueError(f"verdict={verdict!r} should be one of {list(VERDICTS)}.")
    return Row(where, what, (printed,), ours, None, verdict, why, source)


def not_run(where: str, what: str, printed: Sequence[str], source: str) -> Row:
    """A row without a saved result."""
    how = f"`python -m benchmarks replicate` runs {source.partition(':')[0]}"
    return Row(where, what, tuple(printed), None, None, NOT_RUN, how, source)


def left_out(where: str, what: str, printed: Sequence[str] | int, why: str) -> Row:
    """A row of numbers, or of so many, that could be computed, and that nothing here computes."""
    return _unknown(where, what, printed, NOT_RUN, why)


def closed(where: str, what: str, printed: Sequence[str] | int, why: str) -> Row:
    """A row of numbers, or of so many, that cannot be computed here."""
    return _unknown(where, what, printed, CLOSED, why)


def _unknown(where: str, what: str, printed: Sequence[str] | int, verdict: str, why: str) -> Row:
    n = printed if isinstance(printed, int) else len(printed)
    shown = (f"{n} numbers",) if isinstance(printed, int) else tuple(printed)
    return Row(where, what, shown, None, None, verdict, why, n=n)
