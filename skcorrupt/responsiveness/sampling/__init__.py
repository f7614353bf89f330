"""Sampling: the points that a person can reach, listed or drawn."""

from ._reachable_sampler import ReachableSampler
from ._reachable_space import ReachableSpace

__all__ = ["ReachableSampler", "ReachableSpace"]
