"""Rows of the replication: a printed number, ours, and a verdict by stated rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks import _results

# how the source of a row begins that compares numbers of a paper with each other
OWN = "paper: "
VERDICTS = (
    "reproduced",
    "beaten",
    "refuted",
    "not reproduced",
    "undecided",
    "not run",
    "not computable here",
)
RULES = (
    "*tolerance*: half of the last printed digit, or the printed spread where that is more.",
    "*reproduced*: ours, or the range of ours over seeds or splits, meets the printed number "
    "within its tolerance.",
    "*beaten*: it does not, a lower or a higher number is the aim, and all of ours is beyond.",
    "*refuted*: it does not, and there is a reason, which stands in the row.",
    "*not reproduced*: it does not, and no reason is known.",
    "*undecided*: noise, or a part that had to be replaced, leaves it open.",
    "*not run*: no result is saved; the row says what to run.",
    "*not computable here*: data or method are not public or not stated, as the row says.",
)


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

    @property
    def own(self) -> bool:
        """Whether it was only checked against the paper itself, its numbers or coded tables."""
        return self.source.startswith(OWN)

    def as_dict(self) -> dict[str, Any]:
        """The row as it is saved."""
        row = asdict(self)
        more = {"n_printed": 0 if row.pop("again") else len(self.printed), "own": self.own}
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

    def fact(self, section: str, name: str) -> tuple[Any, Sequence[float] | None]:
        """Value and range of a fact, None where it is not saved."""
        row = self.one("replication-facts", section, fact=name)
        return (None, None) if row is None else (row["value"], row["spread"])

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
) -> str:
    """The verdict on a printed number.

    Parameters
    ----------
    printed : str
        The number.
    low, high : float
        The range of ours, the same number twice where it has none.
    printed_spread : float, default=0.0
        The spread printed with it.
    aim : {"lower", "higher"} or None, default=None
        What a method of this kind tries to reach, if anything.
    reason : str, default=""
        Why the number cannot be met, where that is known.

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
    return "refuted" if reason else "not reproduced"


def number(
    where: str,
    what: str,
    printed: str,
    ours: float | None,
    spread: Sequence[float] | None = None,
    *,
    of: str = "",
    source: str,
    printed_spread: float = 0.0,
    aim: str | None = None,
    reason: str = "",
    note: str = "",
) -> Row:
    """A row of one number.

    Parameters
    ----------
    where, what : str
        As in `Row`.
    printed : str
        The number as printed; with "%" ours, a share, is compared in per cent.
    ours : float or None
        Ours, None if it is not saved.
    spread : sequence of two floats or None, default=None
        Its range.
    of : str, default=""
        What the range is over, where there is one.
    source : str
        Benchmark and section, "BENCHMARK: SECTION".
    printed_spread, aim, reason
        As in `judged`; the reason is shown where the number is not met.
    note : str, default=""
        What is shown anyway.

    Returns
    -------
    Row
        The row.
    """
    if ours is None:
        return not_run(where, what, (printed,), source)
    factor = 100.0 if "%" in printed else 1.0
    low, high = (factor * each for each in (spread or (ours, ours)))
    verdict = judged(printed, low, high, printed_spread=printed_spread, aim=aim, reason=reason)
    digits = min(_decimals(printed) + 1, 4)
    digits = 0 if "." not in printed and float(factor * ours).is_integer() else digits
    unit = " %" if factor > 1 else ""

    def text(value: float) -> str:
        return f"{value:.{digits}f}{unit}"

    shown = None
    if spread is not None:
        ends = list(dict.fromkeys([text(low), text(high)]))
        shown = f"{' – '.join(ends) if len(ends) > 1 else 'none'}, {of}"
    if printed_spread and "±" not in printed:
        printed = f"{printed} ± {printed_spread:g}"
    why = note if verdict in ("reproduced", "beaten") else reason or note
    return Row(where, what, (printed,), text(factor * ours), shown, verdict, why, source)


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
    return Row(where, what, tuple(printed), None, None, "not run", how, source)


def closed(where: str, what: str, printed: Sequence[str], why: str) -> Row:
    """A row of numbers that cannot be computed here."""
    return Row(where, what, tuple(printed), None, None, "not computable here", why)
