"""What reads texts and documents that others wrote, and sound ones of each."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.security._inputs import damaged_document, damaged_file, damaged_text
from benchmarks.security._systems import (
    SYSTEMS,
    baselines,
    damaged_bytes,
    journals,
    outcomes,
    read_baseline,
    read_journal,
    read_outcomes,
    results_of,
)
from skcorrupt import (
    MAR,
    BaseCorruption,
    CorruptCategories,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptScale,
    NaturalAdversarialCurator,
    Pattern,
    SelectionBias,
)
from skcorrupt.attributes import FeatureDomain, infer_domains
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.learned import LearnedErrors, learn_errors
from skcorrupt.responsiveness import ActionSet
from skcorrupt.sensitivity import Strategy

N = 12
X = pd.DataFrame(
    {
        "age": np.arange(20, 20 + N),
        "a b": np.linspace(1.5, 9.5, N),
        "city": ["Rome", "Oslo", "Bonn"] * (N // 3),
        "b1": [0, 1] * (N // 2),
        "n": [0, 1, 2] * (N // 3),
    }
)
PATTERNS = (
    "18 <= age <= 30 and `a b` in (1, 2.5) and y == 1",
    "city in ('Rome', \"Oslo\") and n < 2",
    "every row",
    "age == -1.5e3 and `a ``b` > -inf",
    "city == 'it\\'s' and 3 > n >= -2 and when >= '2020-01-31'",
)
RULES = (
    "delta(age) <= delta(n)",
    "if b1 == 1 then n == 0 else n >= 1",
    "age := delta(n) + 2 * delta(b1)",
    "b1 + 2 * n - 0.5 * age <= 30 / 2",
    "abs(delta(age)) + abs(delta(n)) <= 3",
)
ROW_RULES = (
    "age >= 22",
    "city -> b1",
    "if b1 == 1 then n >= 1 else n == 0",
    "key(city, n)",
    "age <= 2 * `a b` + 1",
)


@dataclass(frozen=True)
class Target:
    """A reader, and what makes inputs for it.

    Attributes
    ----------
    read : callable
        Reads one input; raises a ValueError where it is refused.
    make : callable
        Makes a damaged input of sound ones.
    sound : tuple
        Those, all of which can be read.
    """

    read: Callable[[Any], Any]
    make: Callable[[random.Random, tuple[Any, ...]], Any]
    sound: tuple[Any, ...]

    def written(self, sound: Any) -> Any:
        """A sound one as it is read."""
        return json.dumps(sound).encode() if self.make is damaged_file else sound


def _target(
    read: Callable[[Any], Any],
    make: Callable[[random.Random, tuple[Any, ...]], Any],
    sound: Callable[[], tuple[Any, ...]],
) -> Callable[[], Target]:
    """What makes a target, of which the sound ones are made only then."""
    return lambda: Target(read, make, sound())


def _forged(name: str) -> Callable[[], Target]:
    def target() -> Target:
        content, read = results_of(name)
        return Target(read, damaged_document, (content,))

    return target


def _pattern(text: str) -> None:
    pattern = Pattern.parse(text)
    if Pattern.parse(str(pattern)) != pattern:
        raise AssertionError("what was read is not read again as it was")


def _rule(text: str) -> None:
    _actions().add(text)


def _actions() -> ActionSet:
    return ActionSet.from_data(X.drop(columns="city"), actionable=["age", "n", "b1"])


def _row_rule(text: str) -> None:
    learn_errors(X, rules=[text])


def _corruption(data: Any) -> None:
    repr(BaseCorruption.from_dict(data))


def _corruptions() -> tuple[dict[str, Any], ...]:
    lost = CorruptMissing(["age"], pattern="n <= 1 and y == 1", mechanism=MAR(("n",)), rate=0.5)
    return tuple(
        each.to_dict()
        for each in (
            lost,
            CorruptCategories("city", kind="typo", rate=0.5),
            CorruptScale("a b", factor=1000.0),
            CorruptLabels(
                transition={"a": {"b": 1.0}}, pattern=Pattern({"city": {"Rome", "Oslo"}})
            ),
            CorruptionProcess([("lost", lost), ("gone", SelectionBias(rate=0.1))]),
        )
    )


def _action_sets() -> tuple[dict[str, Any], ...]:
    plain = _actions()
    ruled = _actions()
    for rule in RULES[:3]:
        ruled.add(rule)
    return plain.to_dict(), ruled.to_dict()


def _strategies() -> tuple[dict[str, Any], ...]:
    entry = {"kind": "noise", "columns": ["age"], "params": {"scale": 3.0}}
    several = {
        "corruptions": [entry, {"kind": "missing", "pattern": "age >= 60", "name": "lost"}],
        "levels": [0, 0.1, 0.5],
        "n_repeats": 5,
        "models": ["a"],
    }
    return {"corruptions": [entry]}, several


def _learned() -> tuple[dict[str, Any], ...]:
    dirty = X.copy()
    dirty.loc[:3, "a b"] *= 1000
    dirty.loc[::4, "city"] = None
    return (learn_errors(dirty, X).to_dict(),)


def _results() -> tuple[Any, ...]:
    votes = np.random.default_rng(0).integers(-1, 2, size=(20, 3))
    fitted = NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2).fit(votes)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.json"
        fitted.to_json(file)
        return (json.loads(file.read_text(encoding="utf-8")),)


def _from_file(read: Callable[[Path], Any], content: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(content)
        file.flush()
        read(Path(file.name))


def _strategy_file(content: bytes) -> None:
    _from_file(Strategy.from_json, content)


def _results_file(content: bytes) -> None:
    _from_file(NaturalAdversarialCurator.from_json, content)


def _pattern_documents() -> tuple[dict[str, Any], ...]:
    return tuple(Pattern.parse(text).to_dict() for text in PATTERNS[:3])


def _domains() -> tuple[dict[str, Any], ...]:
    return tuple(domain.to_dict() for domain in infer_domains(X).values())


# all readers by name; a call makes the target
TARGETS: dict[str, Callable[[], Target]] = {
    "patterns": _target(_pattern, damaged_text, lambda: PATTERNS),
    "rules of actions": _target(_rule, damaged_text, lambda: RULES),
    "rules of rows": _target(_row_rule, damaged_text, lambda: ROW_RULES),
    "patterns, JSON": _target(Pattern.from_dict, damaged_document, _pattern_documents),
    "corruptions, JSON": _target(_corruption, damaged_document, _corruptions),
    "action sets, JSON": _target(ActionSet.from_dict, damaged_document, _action_sets),
    "domains, JSON": _target(FeatureDomain.from_dict, damaged_document, _domains),
    "strategies, JSON": _target(Strategy.from_dict, damaged_document, _strategies),
    "learned errors, JSON": _target(LearnedErrors.from_dict, damaged_document, _learned),
    "files of strategies": _target(_strategy_file, damaged_file, _strategies),
    "files of results": _target(_results_file, damaged_file, _results),
    **{f"results of {name}": _forged(name) for name in SYSTEMS},
    "files of baselines": _target(read_baseline, damaged_file, baselines),
    "files of journals": _target(read_journal, damaged_bytes, journals),
    "rows of journals": _target(read_outcomes, damaged_document, outcomes),
}
