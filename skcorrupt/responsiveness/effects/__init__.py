"""Effects: what follows from an action without being part of it."""

from ._callable_effect import CallableEffect
from ._causal_effect import CausalEffect
from ._effect import Effect
from ._linear_effect import LinearEffect
from ._no_points_error import NoPointsError
from ._noise_effect import NoiseEffect

__all__ = [
    "CallableEffect",
    "CausalEffect",
    "Effect",
    "LinearEffect",
    "NoPointsError",
    "NoiseEffect",
]
