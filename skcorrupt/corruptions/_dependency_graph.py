"""The dependency graph of a corruption process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pandas.api.types import is_list_like

from skcorrupt.base import MAR, MNAR, BaseCorruption
from skcorrupt.patterns import as_pattern
from skcorrupt.utils import as_table, check_target, resolve_columns
from skcorrupt.utils._typing import ColumnLike, TableLike


@dataclass(frozen=True)
class DependencyGraph:
    """Which clean attributes and noise decide which corrupted attributes (definition 1).

    Attributes
    ----------
    nodes : dict of str to str
        Kind of every node: "original", "corrupted", "noise", "selection" or "copies".
    edges : tuple of (str, str)
        Pairs (parent, child). Noise has no parents; corrupted attributes, selection and copies
        have no children.

    Examples
    --------
    >>> from skcorrupt import CorruptionProcess, CorruptLabels
    >>> process = CorruptionProcess([("flip", CorruptLabels(pattern="sex == 'f'"))])
    >>> print(process.dependency_graph())
    y* <- y, sex, N_flip
    """

    nodes: dict[str, str]
    edges: tuple[tuple[str, str], ...]

    @classmethod
    def from_process(
        cls, process: Any, X: TableLike | None = None, y: ColumnLike | None = None
    ) -> DependencyGraph:
        """Draw up the graph of a corruption process.

        Parameters
        ----------
        process : CorruptionProcess
            The process.
        X : table of shape (n_samples, n_features), default=None
            Data whose columns members with `columns=None` strike.
        y : array-like of shape (n_samples,), default=None
            Labels, where a member needs them.

        Returns
        -------
        DependencyGraph
            The graph.
        """
        if not (hasattr(process, "corruptions") and hasattr(process, "noise")):
            raise TypeError(f"process={process!r} should be a CorruptionProcess.")
        shared = {name: g for g, names in (process.noise or {}).items() for name in names}
        nodes: dict[str, str] = {}
        edges: list[tuple[str, str]] = []
        for name, member in process.corruptions:
            noise = f"N_{shared.get(name, name)}"
            pattern = as_pattern(member.pattern)
            conditions = [*map(_named, pattern.columns), *(["y"] if pattern.uses_y else [])]
            children = _children(member, X, y)
            hit = [original for _, _, original in children]
            for child, kind, original in children:
                mechanism = _mechanism_columns(member, hit, X)
                own = [original] if original else []
                parents = [*own, *member._also_read(hit), *conditions, *mechanism, noise]
                for parent in dict.fromkeys(parents):
                    nodes.setdefault(parent, "noise" if parent == noise else "original")
                    edges.append((parent, child))
                nodes[child] = kind
        return cls(nodes, tuple(dict.fromkeys(edges)))

    def to_text(self) -> str:
        """A line for every corrupted attribute, selection or copy, with its parents.

        Returns
        -------
        str
            Lines such as "y* <- y, sex, N_flip".
        """
        children = [node for node, kind in self.nodes.items() if kind not in ("original", "noise")]
        return "\n".join(
            f"{child} <- {', '.join(parent for parent, to in self.edges if to == child)}"
            for child in children
        )

    def to_mermaid(self) -> str:
        """The graph as a Mermaid flowchart, which many documentation tools draw.

        Returns
        -------
        str
            Mermaid source.
        """
        number = {node: f"n{i}" for i, node in enumerate(self.nodes)}
        shapes = {"noise": ("((", "))"), "original": ("[", "]")}
        lines = ["flowchart LR"]
        for node, kind in self.nodes.items():
            left, right = shapes.get(kind, ("([", "])"))
            text = node.replace('"', "#quot;")
            lines.append(f'    {number[node]}{left}"{text}"{right}')
        lines += [f"    {number[parent]} --> {number[child]}" for parent, child in self.edges]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()


def _children(member: BaseCorruption, X: Any, y: Any) -> list[tuple[str, str, str | None]]:
    """Nodes a member decides: (name, kind, the original attribute or None)."""
    if member.strikes == "labels":
        return [("y*", "corrupted", "y")]
    if member.strikes == "rows":
        return [("copies", "copies", None)] if member._copies else [("S", "selection", None)]
    if X is not None:
        table = as_table(X)
        columns = member._learn(table, check_target(y, table.n_rows)).columns
        names = [_named(table.labels[j]) for j in columns]
    elif member.columns is None:
        names = ["X"]
    else:
        names = _labels(member.columns)
    return [(f"{name}*", "corrupted", name) for name in names]


def _labels(columns: Any) -> list[str]:
    return [_named(label) for label in (columns if is_list_like(columns) else [columns])]


def _named(label: Any) -> str:
    # a column called y is not the label
    return "`y`" if label == "y" else str(label)


def _mechanism_columns(member: BaseCorruption, hit: list[Any], X: Any) -> list[str]:
    mechanism = member.mechanism
    if isinstance(mechanism, MNAR):
        return hit if getattr(member, "same_rows", True) else []
    if not isinstance(mechanism, MAR):
        return []
    struck = getattr(member, "columns", ())
    if X is None:
        if mechanism.columns is None:
            return ["other columns"]
        return _labels(mechanism.columns)
    table = as_table(X)
    positions = resolve_columns(table, struck) if member.strikes == "cells" else []
    return [_named(table.labels[j]) for j in mechanism._columns(table, [], positions)]
