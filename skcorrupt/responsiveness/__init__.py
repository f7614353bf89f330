"""Responsiveness: who can, and who cannot, change their prediction."""

from ._action_element import ActionElement
from ._action_set import ActionSet
from ._callable_effect import CallableEffect
from ._causal_effect import CausalEffect
from ._constraint import Constraint
from ._directional_linkage import DirectionalLinkage
from ._effect import Effect
from ._if_then import IfThen
from ._linear_constraint import LinearConstraint
from ._linear_effect import LinearEffect
from ._mutability_switch import MutabilitySwitch
from ._noise_effect import NoiseEffect
from ._one_hot import OneHot
from ._reachability import Reachability
from ._reachable_sampler import ReachableSampler
from ._responsiveness_auditor import ResponsivenessAuditor
from ._responsiveness_display import ResponsivenessDisplay
from ._sample_sizes import minimum_informative_size, sample_size_for_test, sample_size_for_width
from ._thermometer import Thermometer

__all__ = [
    "ActionElement",
    "ActionSet",
    "CallableEffect",
    "CausalEffect",
    "Constraint",
    "DirectionalLinkage",
    "Effect",
    "IfThen",
    "LinearConstraint",
    "LinearEffect",
    "MutabilitySwitch",
    "NoiseEffect",
    "OneHot",
    "Reachability",
    "ReachableSampler",
    "ResponsivenessAuditor",
    "ResponsivenessDisplay",
    "Thermometer",
    "minimum_informative_size",
    "sample_size_for_test",
    "sample_size_for_width",
]
