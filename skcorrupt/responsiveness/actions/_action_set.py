"""What people can change about themselves, and the rules on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from skcorrupt.utils import (
    Reader,
    Table,
    as_table,
    cut,
    document,
    is_finite_number,
    shorten,
)
from skcorrupt.utils._readable import listed_labels, on_one_line
from skcorrupt.utils._typing import TableLike
from skcorrupt.utils._warn import warn

from ..effects._effect import Effect
from ..rules._action_element import ActionElement
from ..rules._constraint import Constraint, movable_of
from ..rules._numbers import HUGE, tolerance
from ..rules._parse_rule import parse_rule
from ..rules._people import People
from ._found_rules import found_rules
from ._learned_element import learned_element, plain_value

MOST_NAMED = 3


class ActionSet:
    """The actions that people can take, column by column and jointly.

    Parameters
    ----------
    elements : sequence of ActionElement
        A column each, in the order of the data.
    rules : sequence of Constraint, Effect or str, default=()
        Rules on several columns, kept by x + a, and effects that follow, in this order.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt.responsiveness import ActionSet
    >>> X = pd.DataFrame({"age": [25, 60], "works": [0, 1], "income": [10.5, 32.25]})
    >>> actions = ActionSet.from_data(X, actionable=["works"])
    >>> actions["works"].direction = "increase"
    >>> actions.add("delta(income) <= 20 * delta(works)")
    ActionSet(3 columns, 2 can move, 1 rule)
    """

    def __init__(
        self, elements: Sequence[ActionElement], rules: Sequence[Constraint | Effect | str] = ()
    ) -> None:
        elements = _listed(elements, "elements", "an ActionElement")
        if not all(isinstance(element, ActionElement) for element in elements):
            raise TypeError(f"elements={shorten(elements)} should list objects of ActionElement.")
        self._elements = {element.name: element for element in elements}
        if len(self._elements) < len(elements):
            names = [element.name for element in elements]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(
                f"elements has {names.count(twice)} elements for the column {twice!r}; there "
                "should be one for each column. Leave the others out, or rename the columns."
            )
        self._constraints: list[Constraint] = []
        self._effects: list[Effect] = []
        self._told = False
        for rule in [rules] if isinstance(rules, str) else _listed(rules, "rules", "a rule"):
            self.add(rule)

    @classmethod
    def from_data(
        cls,
        X: TableLike,
        actionable: Sequence[str] | None = None,
        *,
        rules: Sequence[Constraint | Effect | str] | Literal["suggested"] | None = None,
    ) -> ActionSet:
        """An action set with bounds, kinds and steps as the data have them.

        Columns of 0 and 1 are truth values, whole numbers are integers with every value from
        least to most, other numbers are real, all else is a category.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The data.
        actionable : sequence of str, default=None
            Columns that people can act on; None is all of them.
        rules : sequence of Constraint, Effect or str, "suggested" or None, default=None
            Rules to begin with; "suggested" is what `suggest_constraints` proposes. None is no
            rule, with a warning where the data seem to keep one.

        Returns
        -------
        ActionSet
            With these rules.

        Raises
        ------
        ValueError
            If a column has no value, or a name is not a column.

        Warns
        -----
        UserWarning
            If `rules` is None and columns that people act on keep a rule in every row, such as
            those of a one-hot encoding.
        """
        table = as_table(X)
        names = [str(label) for label in table.labels]
        if actionable is not None:
            one = [actionable] if isinstance(actionable, str) else actionable
            given = _listed(one, "actionable", "the name of a column")
            actionable = _columns_of(given, names)
        acted_on = names if actionable is None else actionable
        elements = [learned_element(table, j, n, n in acted_on) for j, n in enumerate(names)]
        if isinstance(rules, str) and rules == "suggested":
            actions = cls(elements)
            for rule in actions._missing_rules(actions.codes(X)):
                actions.add(rule)
            return actions
        actions = cls(elements, () if rules is None else rules)
        if rules is None:
            actions._warn_of_missing_rules(actions.codes(X))
        # who says which rules there are is not told again
        actions._told = True
        return actions

    def add(self, rule: Constraint | Effect | str) -> ActionSet:
        """Add a rule or an effect.

        Parameters
        ----------
        rule : Constraint, Effect or str
            A constraint, an effect, or a line of text such as "delta(urls) <= delta(tweets)",
            "if none == 1 then n == 0 else n >= 1" or "age := delta(residence)".

        Returns
        -------
        self : ActionSet
            The action set.

        Raises
        ------
        ValueError
            If the rule cannot be read, or does not fit the columns.
        """
        if isinstance(rule, str):
            found = parse_rule(rule)
        elif isinstance(rule, Constraint):
            found = [rule]
        elif isinstance(rule, Effect):
            rule._check(self._elements)
            self._effects.append(rule)
            return self
        else:
            raise TypeError(
                f"rule={shorten(rule)} should be a constraint, such as OneHot([…]), an effect, "
                "such as NoiseEffect(…), or a line of text."
            )
        for constraint in found:
            constraint._check(self._elements)
        self._constraints += found
        return self

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The rules, in the order they were added."""
        return tuple(self._constraints)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects, in the order they were added, in which they follow."""
        return tuple(self._effects)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns."""
        return tuple(self._elements)

    @property
    def movable(self) -> tuple[str, ...]:
        """Columns that people act on, and those that a rule lets move with them."""
        return movable_of(self._elements, self._constraints)

    def __getitem__(self, name: str) -> ActionElement:
        if name not in self._elements:
            raise KeyError(
                f"{name!r} is not a column; the columns are "
                f"{listed_labels(map(on_one_line, self.columns))}."
            )
        return self._elements[name]

    def __iter__(self) -> Iterator[ActionElement]:
        return iter(self._elements.values())

    def __len__(self) -> int:
        return len(self._elements)

    def _check_columns(self, table: Table) -> None:
        names = tuple(str(label) for label in table.labels)
        if names != self.columns:
            raise ValueError(
                f"X has the columns {listed_labels(map(on_one_line, names))}; the action set has, "
                f"in this order, {listed_labels(map(on_one_line, self.columns))}."
            )

    def codes(self, X: TableLike) -> np.ndarray:
        """The data as numbers, categories as their position, NaN where there is no value.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Data with the columns of the action set, in its order.

        Returns
        -------
        ndarray of float, shape (n_samples, n_features)
            The numbers.

        Raises
        ------
        ValueError
            If the columns are others.
        """
        table = as_table(X)
        self._check_columns(table)
        out = np.empty((table.n_rows, table.n_columns))
        for j, element in enumerate(self):
            if element.kind == "categorical":
                rows = np.arange(table.n_rows)
                codes, distinct = table.coded(j, rows)
                known = {value: i for i, value in enumerate(element.values)}
                positions = np.array(
                    [known.get(plain_value(v), np.nan) for v in distinct] + [np.nan]
                )
                out[:, j] = positions[codes]
            else:
                out[:, j] = _as_numbers(table.values(j))
        return out

    def validate(self, X: TableLike) -> pd.DataFrame:
        """The rows that break a rule as they are.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The data.

        Returns
        -------
        DataFrame
            One row per person and rule: `row` (position), `rule`, `message`.

        Warns
        -----
        UserWarning
            If columns that people act on keep a rule in every row which the action set does not
            ask for; once for an action set, and not for one of `from_data`, which told already.
        """
        codes = self.codes(X)
        self._warn_of_missing_rules(codes)
        found: list[tuple[int, str, str]] = []
        movable = {*self.movable, *(name for e in self._effects for name in e.targets)}
        needed = movable.union(
            *(rule.columns for rule in self._constraints), *(e.sources for e in self._effects)
        )
        for element, values in zip(self, codes.T, strict=True):
            name = element.name
            if name not in needed:
                continue
            for i in np.flatnonzero(~_known(values)).tolist():
                said = f"{name} is missing or none of its values"
                if np.isfinite(values[i]):
                    said = f"{name}={values[i]:g} is beyond {HUGE:g}; measure the column in larger "
                    said += "units"
                found.append((i, name, said))
            if name in movable:
                with np.errstate(invalid="ignore"):
                    slack = tolerance(values)
                    outside = (values < element.lb - slack) | (values > element.ub + slack)
                limits = f"[{element.lb:g}, {element.ub:g}]"
                for i in np.flatnonzero(outside).tolist():
                    found.append((i, name, f"{name}={values[i]:g} is outside of {limits}"))
        present = People(self._elements, dict(zip(self.columns, codes.T, strict=True)))
        for constraint in self._constraints:
            # values that are too large to be added up are left out after that
            with np.errstate(over="ignore", invalid="ignore"):
                kept = np.broadcast_to(constraint._holds(present, present), len(codes))
            known = _known(np.stack([present[name] for name in constraint.columns])).all(axis=0)
            for i in np.flatnonzero(~kept & known).tolist():
                found.append((i, str(constraint), f"{cut(str(constraint))} does not hold"))
        found.sort(key=lambda each: each[0])
        return pd.DataFrame(found, columns=["row", "rule", "message"]).astype({"row": int})

    def _missing_rules(self, codes: np.ndarray) -> list[Constraint]:
        """Rules that the data keep and that nothing asks for."""
        return found_rules(self._elements, (*self._constraints, *self._effects), codes)

    def _warn_of_missing_rules(self, codes: np.ndarray) -> None:
        missing = [] if self._told else self._missing_rules(codes)
        if not missing:
            return
        self._told = True
        named = "; ".join(cut(str(rule)) for rule in missing[:MOST_NAMED])
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        warn(
            "Columns that people act on keep a rule in every row of the data that the action set "
            "does not ask for, so that people could be given what nobody can have: "
            f"{named}{more}. Add the rules that suggest_constraints(X, actions) proposes, or "
            'begin with ActionSet.from_data(X, actionable, rules="suggested"); rules=() says that '
            "there are none."
        )

    def to_dict(self) -> dict[str, Any]:
        """The action set as a JSON-serialisable dictionary.

        Returns
        -------
        dict
            To be read by `from_dict`.
        """
        return {
            "columns": {element.name: element.to_dict() for element in self},
            "rules": [rule.to_dict() for rule in (*self._constraints, *self._effects)],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ActionSet:
        """The action set that `to_dict` described.

        Parameters
        ----------
        data : mapping
            With "columns", a mapping of names to settings, and "rules", a list of constraints and
            effects as dictionaries, or constraints as text.

        Returns
        -------
        ActionSet
            The action set.

        Raises
        ------
        ValueError
            If a part is missing, unknown or wrong; the message names its place in `data`.
        """
        fields = document(data).fields(["columns"], ["rules"], "an action set")
        columns = fields["columns"].entries("an object of columns")
        actions = cls([ActionElement._read(name, each) for name, each in columns.items()])
        for rule in fields["rules"].items("a list of rules") if "rules" in fields else ():
            rule.made(actions.add, _rule(rule))
        return actions

    def __repr__(self) -> str:
        n_rules = len(self._constraints) + len(self._effects)
        return (
            f"ActionSet({len(self)} columns, {len(self.movable)} can move, "
            f"{n_rules} rule{'' if n_rules == 1 else 's'})"
        )


def _listed(values: Any, name: str, what: str) -> list[Any]:
    if isinstance(values, (str, bytes)) or not pd.api.types.is_list_like(values):
        raise TypeError(f"{name}={shorten(values)} should list {what} for each.")
    return list(values)


def _columns_of(given: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Names of columns that people can act on.

    Raises
    ------
    ValueError
        If one is no name of a column; of a position the name is told.
    """
    # what numpy holds reads as what it was made of
    given = [each.item() if isinstance(each, np.generic) else each for each in given]
    unknown = [each for each in given if str(each) not in names]
    if unknown:
        places = [k for k in unknown if isinstance(k, int) and not isinstance(k, bool)]
        places = [k for k in places if 0 <= k < len(names)]
        hint = "; pass names of these"
        if places:
            called = [f"column {k} is called {names[k]!r}" for k in places[:MOST_NAMED]]
            hint = f"; pass columns by their names: {', '.join(called)}"
        raise ValueError(
            f"actionable={shorten(given)}: {', '.join(map(repr, unknown[:MOST_NAMED]))} "
            f"{'is' if len(unknown) == 1 else 'are'} not among the columns "
            f"{listed_labels(map(on_one_line, names))}{hint}."
        )
    return [str(each) for each in given]


def _as_numbers(values: np.ndarray) -> np.ndarray:
    """Numbers as floats, NaN for what is none that a float holds."""
    try:
        numbers = np.asarray(pd.to_numeric(pd.Series(values), errors="coerce"))
    except OverflowError:
        numbers = np.array([value if is_finite_number(value) else np.nan for value in values])
    return np.full(len(values), np.nan) if np.iscomplexobj(numbers) else numbers


def _known(values: np.ndarray) -> np.ndarray:
    """Which numbers are there and can be added up."""
    return abs(values) <= HUGE


def _rule(reader: Reader) -> Constraint | Effect | str:
    if isinstance(reader.value, str):
        return reader.value
    if "effect" in reader.entries("a text, or an object with rule or effect"):
        return Effect._read(reader)
    return Constraint._read(reader)
