"""Several corruptions of the same clean data as one process."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import Tags, get_tags

from skcorrupt.base import BaseCorruption, Edit, Reference, SampleCorruption, noise_for
from skcorrupt.utils import Table, Target, draw_seed, spawn_seeds
from skcorrupt.utils._compat import BaseComposition
from skcorrupt.utils._typing import ColumnLike, RandomState, TableLike

from ._dependency_graph import DependencyGraph


class CorruptionProcess(BaseComposition, SampleCorruption):
    """Corruptions that act together (data corruption process, definition 3 of [1]_).

    Every pattern is evaluated on the clean data. Selection is decided first, and the other
    members' counts are taken among the rows it leaves. Copies carry corrupted values.

    Parameters
    ----------
    corruptions : list of (str, BaseCorruption)
        Named members. Two members cannot strike one column, or both the labels. A member's
        parameters are reached as `name__parameter`.
    noise : dict of str to list of str or None, default=None
        Groups of members that draw the same noise value for a row, such as
        `{"shared": ["missing", "labels"]}`: they then tend to strike the same rows.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the process; members with a seed of their own keep it.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_resample` changed.
    sample_indices_ : ndarray of int, shape (n_out,)
        Input position of every output row.

    References
    ----------
    .. [1] Zhu et al., "Stress-Testing ML Pipelines with Adversarial Data Corruption", 2025.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptionProcess, CorruptMissing, SelectionBias
    >>> X = pd.DataFrame({"age": [25, 32, 47, 51], "sex": ["f", "m", "f", "m"]})
    >>> process = CorruptionProcess(
    ...     [
    ...         ("missing", CorruptMissing("age", pattern="sex == 'f'", rate=1.0)),
    ...         ("bias", SelectionBias(pattern="age >= 50", rate=1.0)),
    ...     ]
    ... )
    >>> process.fit_resample(X)[0]
        age sex
    0   NaN   f
    1  32.0   m
    2   NaN   f
    """

    _required_parameters = ["corruptions"]
    title = "several errors at once"

    _parameter_constraints: dict[str, Any] = {
        "corruptions": [list],
        "noise": [dict, None],
        "random_state": BaseCorruption._parameter_constraints["random_state"],
    }

    def __init__(
        self,
        corruptions: Sequence[tuple[str, BaseCorruption]],
        *,
        noise: Mapping[str, Sequence[str]] | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.corruptions = corruptions
        self.noise = noise
        self.random_state = random_state

    # a process has members instead of a pattern, a mechanism and a rate of its own
    pattern = None
    mechanism = None
    rate = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters, with `deep` those of the members as `name__parameter`.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the members and their parameters.

        Returns
        -------
        dict
            Parameter names and values.
        """
        self._raise_if_circular()
        return self._get_params("corruptions", deep=deep)

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the process, its members (`name`) or theirs (`name__parameter`).

        Parameters
        ----------
        **params : dict
            Parameter names and values.

        Returns
        -------
        self : CorruptionProcess
            The process.
        """
        self._set_params("corruptions", **params)
        return self

    def _members(self) -> list[tuple[str, BaseCorruption]]:
        """Pairs of name and member, which may not have been checked."""
        items = self.corruptions if isinstance(self.corruptions, list) else []
        return [item for item in items if isinstance(item, tuple) and len(item) == 2]

    def _at_share(self, share: float) -> Self:
        """An unfitted copy with all members at a share of their rates."""
        lower = clone(self)
        for _, member in lower.corruptions:
            member.rate = share * (1.0 if member.rate is None else member.rate)
        return lower

    def _struck_columns(self, reference: Reference) -> list[int]:
        members = reference.extra["members"]
        return [j for name, each in self.corruptions for j in each._struck_columns(members[name])]

    def _settled(self, table: Table) -> Self:
        settled = copy.copy(self)
        settled.corruptions = [(name, each._settled(table)) for name, each in self.corruptions]
        return settled

    def _raise_if_circular(self, above: tuple[CorruptionProcess, ...] = ()) -> None:
        for name, member in self._members():
            if not isinstance(member, CorruptionProcess):
                continue
            if any(member is process for process in (*above, self)):
                raise ValueError(
                    f"corruptions: {name!r} is the process itself, or one that it is a member of; "
                    "members should be single corruptions such as CorruptMissing."
                )
            member._raise_if_circular((*above, self))

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        try:
            self._raise_if_circular()
        except ValueError:
            return f"{type(self).__name__}([a member of itself])"
        return super().__repr__(N_CHAR_MAX)

    def __str__(self) -> str:
        text = repr(self)
        for _, member in self._members():
            # some members have a shorter text for people
            if not isinstance(member, CorruptionProcess):
                text = text.replace(repr(member), str(member))
        return text

    def _check_params(self) -> None:
        super()._check_params()
        self._check_members()
        for _, member in self.corruptions:
            member._check_params()

    def _learn(self, table: Table, target: Target | None) -> Reference:
        members = {name: member._refer(table, target) for name, member in self.corruptions}
        owners: dict[int, str] = {}
        for name in members:
            for j in members[name].columns:
                if j in owners:
                    raise ValueError(
                        f"corruptions: {owners[j]!r} and {name!r} both strike column "
                        f"{table.labels[j]!r}; set their columns so that each is struck by one."
                    )
                owners[j] = name
        return Reference(extra={"members": members})

    def _check_members(self) -> None:
        if not self.corruptions:
            raise ValueError("corruptions=[] is empty; pass at least one (name, corruption).")
        for item in self.corruptions:
            if not (isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)):
                raise TypeError(
                    f"corruptions: {item!r} should be a pair of a name and a corruption, such as "
                    "('missing', CorruptMissing())."
                )
        names = [name for name, _ in self.corruptions]
        self._validate_names(names)
        labels = []
        for name, member in self.corruptions:
            if not isinstance(member, BaseCorruption) or isinstance(member, CorruptionProcess):
                raise TypeError(
                    f"corruptions: {name!r} is a {type(member).__name__}; members should be "
                    "single corruptions such as CorruptMissing."
                )
            if getattr(member, "when", "fit") == "always":
                raise ValueError(
                    f'corruptions: {name!r} has when="always", but a process acts in '
                    'fit_resample only; use when="fit".'
                )
            if member.strikes == "labels":
                labels.append(name)
        if len(labels) > 1:
            raise ValueError(
                f"corruptions: {' and '.join(map(repr, labels))} both strike the labels; "
                "join them into one, or use two processes one after the other."
            )
        for group, shared in (self.noise or {}).items():
            several = isinstance(shared, (list, tuple))
            if not several or len(shared) < 2 or any(name not in names for name in shared):
                raise ValueError(
                    f"noise: group {group!r} should name at least two members out of {names}; "
                    f"got {shared!r}."
                )
        home: dict[str, Any] = {}
        for group, shared in (self.noise or {}).items():
            for name in shared:
                if name in home:
                    raise ValueError(
                        f"noise: member {name!r} is in group {home[name]!r} and in group "
                        f"{group!r}; it should be in one group, once. Leave it out of one of them, "
                        "or join the groups."
                    )
                home[name] = group

    def _edits(
        self, table: Table, target: Target | None, reference: Reference, seed: int
    ) -> list[Edit]:
        shared = {name: g for g, group in enumerate((self.noise or {}).values()) for name in group}
        order = sorted(self.corruptions, key=lambda item: not item[1]._drops)
        position = {name: i for i, (name, _) in enumerate(self.corruptions)}
        among: np.ndarray | None = None
        edits: list[Edit] = []
        for name, member in order:
            own = spawn_seeds(seed, 1, 0, position[name])[0]
            if member.random_state is not None:
                own = draw_seed(member.random_state)
            rows = spawn_seeds(seed, 1, 1, shared[name])[0] if name in shared else own
            noise = noise_for(table, rows, own)
            learnt = reference.extra["members"][name]
            edit = member._edit(table, target, learnt, noise, among)
            cuts = None if table.part is None else table.part.cuts
            if cuts is None:
                member._warn_of_no_effect(edit, table, learnt)
            elif cuts.waiting and member.strikes == "rows":
                # others are struck among the rows that are left
                return [*edits, edit]
            if len(edit.dropped):
                among = np.ones(table.n_rows, dtype=bool) if among is None else among.copy()
                among[edit.dropped] = False
            edits.append(edit)
        return edits

    def dependency_graph(
        self, X: TableLike | None = None, y: ColumnLike | None = None
    ) -> DependencyGraph:
        """The process as a graph of attributes, noise and selection (definition 1 of [1]_).

        Parameters
        ----------
        X : table of shape (n_samples, n_features), default=None
            Data whose columns members with `columns=None` strike; not needed otherwise.
        y : array-like of shape (n_samples,), default=None
            Labels, where a member needs them.

        Returns
        -------
        DependencyGraph
            Nodes and edges, as text and as Mermaid.
        """
        self._check_members()
        return DependencyGraph.from_process(self, X, y)

    def _member_tags(self) -> list[Any]:
        # tags are asked for before the members are checked
        members = [member for _, member in self._members()]
        return [
            get_tags(member)
            for member in members
            if isinstance(member, BaseCorruption) and not isinstance(member, CorruptionProcess)
        ]

    def _needs_y(self) -> bool:
        return any(tags.target_tags.required for tags in self._member_tags())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = all(member.input_tags.sparse for member in self._member_tags())
        return tags
