"""Responsiveness: who can, and who cannot, change their prediction."""

from skcorrupt.stats import (
    minimum_informative_size,
    sample_size_for_test,
    sample_size_for_width,
)

from .actions import ActionSet, suggest_constraints
from .audit import ResponsivenessAuditor, ResponsivenessDisplay, audit_to_parquet
from .effects import CallableEffect, CausalEffect, Effect, LinearEffect, NoiseEffect
from .rules import (
    ActionElement,
    Constraint,
    DirectionalLinkage,
    IfThen,
    LinearConstraint,
    MutabilitySwitch,
    OneHot,
    Reachability,
    Thermometer,
)
from .sampling import ReachableSampler

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
    "audit_to_parquet",
    "minimum_informative_size",
    "sample_size_for_test",
    "sample_size_for_width",
    "suggest_constraints",
]
