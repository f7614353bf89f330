"""The same work by this package and by what would be taken instead, and how cost grows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from benchmarks import _results
from benchmarks._results import markdown_table, section_tables
from benchmarks.peers import _growth
from benchmarks.peers._common import TABLES, measured, tell_children
from benchmarks.search import _rivals_compared
from benchmarks.search._common import ResumedResults, check_sections

# peers of each section; the tables that it fills are in TABLES
PEERS: dict[str, tuple[str, ...]] = {
    "injection": ("tab-err", "pyampute", "mdatagen", "imbalanced-learn"),
    "search": ("optuna",),
    "labels": ("crowd-kit",),
    "recourse": ("dice-ml",),
    "fairness": ("fairlearn",),
}
# models of votes that we have no equal of, so that the times of both say nothing of either
OTHER_MODELS = ("GLAD", "MACE")
PEER = {"peer": "peer", "version": "version"}
TIMES = {"ours": "ours, ms", "theirs": "peer, ms", "ratio": "peer / ours"}
COLUMNS = {
    "injection": {
        "error": "error",
        "data": "data",
        **PEER,
        "call": "call",
        **TIMES,
        "said": "said",
    },
    "injection-checks": {
        "error": "error",
        **PEER,
        "call": "call",
        "ours_shown": "ours keeps",
        "theirs_shown": "peer keeps",
        "theirs_failed_shown": "where the peer fails",
        "absent_shown": "not offered",
    },
    "search-asks": {
        "calls": "calls of a run",
        "optimizer": "ours",
        "batch": "asked at a time",
        **PEER,
        "ours": "ours, ms a call",
        "theirs": "peer, ms a call",
        "ratio": "peer / ours",
        "said": "said",
    },
    "search-found": {
        "template": "template",
        "candidates": "candidates",
        "fits": "fits",
        "optimizer": "ours",
        **PEER,
        "ours": "ours, mean",
        "theirs": "peer, mean",
        "least": "lowest there is",
        "lower": "seeds with ours lower",
        "same": "within .002",
        "higher": "higher",
    },
    "labels": {
        "votes": "votes",
        "ours_model": "ours",
        "model": "the peer's",
        **PEER,
        **TIMES,
        "ours_accuracy": "accuracy, ours",
        "theirs_accuracy": "peer",
        "ours_loss": "log-loss, ours",
        "theirs_loss": "peer",
        "said": "said",
    },
    "recourse": {
        **PEER,
        "method": "method",
        "told": "it is told",
        "people": "people",
        "without_a_way": "without a way",
        "ours": "ours, ms a person",
        "theirs": "peer, median ms",
        "ratio": "peer / ours",
        "broken": "of its points break a rule",
        "age": "leave the age behind",
        "missed": "way not found",
        "promised": "promised without a way",
        "said": "said",
    },
    "fairness": {
        "metric": "metric",
        "data": "data",
        **PEER,
        "call": "call",
        "value": "ours",
        "away": "apart",
        "same": "same to 1e-12",
        **TIMES,
        "said": "said",
    },
    "fairness-odd": {
        "case": "data",
        "metric": "metric",
        **PEER,
        "ours": "ours",
        "theirs": "the peer",
    },
    "growth": {
        "system": "system",
        "what": "what grows",
        "rest": "the rest",
        "points": "sizes: seconds",
        "fits": "fits",
        "slope": "exponent",
        "end": "of the last step",
        "doubled": "from there on twice as much takes",
    },
}


def run(quick: bool = False, sections: Sequence[str] = ()) -> None:
    """Run sections and put them beside those that an earlier run saved.

    Parameters
    ----------
    quick : bool, default=False
        A short run that shows that all of it works.
    sections : sequence of str, default=()
        Keys of `TABLES`; none means all.

    Raises
    ------
    ValueError
        If there is no such section.
    """
    check_sections(sections, TABLES)
    tell_children()
    results = ResumedResults("peers", quick)
    for topic in sections or TABLES:
        for name in TABLES[topic]:
            results.begin(name)
        if topic == "growth":
            for row in _growth.growth(quick):
                results.add("growth", row)
        for peer in PEERS.get(topic, ()):
            for name, row in measured(topic, peer, quick):
                results.add(name, row)


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, and of what other benchmarks saved about peers, by name."""
    sections = dict(content["sections"])
    sections["injection-checks"] = [_kept(row) for row in sections.get("injection-checks", [])]
    sections["growth"] = [_grown(row) for row in sections.get("growth", [])]
    return {
        **section_tables({**content, "sections": sections}, COLUMNS),
        "peers-summary": markdown_table(
            list(summary(content["sections"])),
            {
                "work": "work",
                **PEER,
                "cases": "cases",
                "won": "we are faster",
                "lost": "we are slower",
                "median": "median of peer / ours",
                "least": "least",
            },
        ),
        "peers-rivals": markdown_table(
            _rivals(),
            {
                "rival": "against",
                "way": "compared at",
                "settings": "settings",
                "ours": 'proxy="auto", mean',
                "theirs": "mean of the other",
                "lower": "ours lower",
                "same": "within .002",
                "higher": "ours higher",
            },
        ),
        "peers-snorkel": markdown_table(
            _saved("curation", "speed"),
            {
                "votes": "votes",
                "model": "model",
                "ours": "ours, s",
                "snorkel": "Snorkel, s",
                "ratio": "Snorkel / ours",
            },
        ),
        "peers-snorkel-quality": markdown_table(
            _saved("curation", "quality"),
            {
                "setting": "setting",
                "functions": "functions",
                "accuracy": "accuracy, ours",
                "snorkel_accuracy": "Snorkel",
                "loss": "log-loss, ours",
                "snorkel_loss": "Snorkel",
            },
        ),
    }


def summary(sections: dict[str, list[dict[str, Any]]]) -> Iterable[dict[str, Any]]:
    """Ratios of times by section and peer, without models that only the peer has.

    Parameters
    ----------
    sections : dict of str to list of dict
        Saved rows.

    Yields
    ------
    dict
        How often ours is faster and slower, the median ratio and the least one.
    """
    for name in ("injection", "search-asks", "labels", "recourse", "fairness"):
        rows = [row for row in sections.get(name, []) if row.get("model") not in OTHER_MODELS]
        for peer in dict.fromkeys(row["peer"] for row in rows):
            mine = [row for row in rows if row["peer"] == peer]
            ratios = sorted(row["ratio"] for row in mine if row.get("ratio") is not None)
            yield {
                "work": name,
                "peer": peer,
                "version": mine[0]["version"],
                "cases": len(mine),
                "won": sum(ratio > 1 for ratio in ratios),
                "lost": sum(ratio <= 1 for ratio in ratios),
                "median": median(ratios) if ratios else None,
                "least": ratios[0] if ratios else None,
            }


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    if "theirs_kept" not in row:
        return row
    shown = {
        f"{who}_shown": f"{row[f'{who}_kept']} of {row[f'{who}_kept'] + row[f'{who}_failed']}"
        for who in ("ours", "theirs")
    }
    return {
        **row,
        **shown,
        "theirs_failed_shown": "; ".join(row["theirs_said"]) or None,
        "absent_shown": ", ".join(row["theirs_missing"]) or None,
    }


def _grown(row: dict[str, Any]) -> dict[str, Any]:
    points = "; ".join(f"{size:,}: {_results.show(seconds)}" for size, seconds in row["sizes"])
    fits = ", ".join(str(n) for n in row["n_fits"]) if row.get("n_fits") else None
    doubled = f"{2 ** row['end']:.1f} times as long"
    return {**row, "points": points, "fits": fits, "doubled": doubled}


def _rivals() -> list[dict[str, Any]]:
    return _rivals_compared.summary(_saved("search", "rivals-once"))


def _saved(name: str, section: str) -> list[dict[str, Any]]:
    content = _results.saved(name)
    return [] if content is None else content["sections"].get(section, [])
