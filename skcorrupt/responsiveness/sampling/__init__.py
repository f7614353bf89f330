"""Sampling: the points that a person can reach, listed or drawn."""

from ._reachable_sampler import ReachableSampler

__all__ = ["ReachableSampler"]
