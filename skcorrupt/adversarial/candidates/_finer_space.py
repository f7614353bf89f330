"""The candidates of a budget with more bins."""

from __future__ import annotations

from dataclasses import replace

from skcorrupt.attributes._attribute import Attribute, learn_column
from skcorrupt.attributes._fine_attribute import RANGED
from skcorrupt.patterns._times import with_dates

from ._candidate_space import CandidateSpace


def finer_space(space: CandidateSpace, n_bins: int) -> CandidateSpace:
    """The candidates whose conditions on numbers lie on more bins, where these are fewer.

    Parameters
    ----------
    space : CandidateSpace
        The candidates of a budget.
    n_bins : int
        Most levels of a number or a time.

    Returns
    -------
    CandidateSpace
        With the conditions on categories as they are.
    """
    finer = {j: _finer(space, attribute, n_bins) for j, attribute in space.attributes.items()}
    return replace(space, attributes=finer)


def _finer(space: CandidateSpace, attribute: Attribute, n_bins: int) -> Attribute:
    table, j = space.table, attribute.column
    if with_dates(table, j)[1] not in RANGED:
        return attribute
    found = learn_column(table, j, key=attribute.key, outcome=None, n_bins=n_bins)
    return found if found is not None and found.n_atoms > attribute.n_atoms else attribute
