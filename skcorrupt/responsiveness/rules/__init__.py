"""Rules: what one column can become, and what ties several together."""

from ._action_element import ActionElement
from ._constraint import Constraint
from ._directional_linkage import DirectionalLinkage
from ._if_then import IfThen
from ._linear_constraint import LinearConstraint
from ._mutability_switch import MutabilitySwitch
from ._one_hot import OneHot
from ._parse_rule import parse_rule
from ._reachability import Reachability
from ._thermometer import Thermometer

__all__ = [
    "ActionElement",
    "Constraint",
    "DirectionalLinkage",
    "IfThen",
    "LinearConstraint",
    "MutabilitySwitch",
    "OneHot",
    "Reachability",
    "Thermometer",
    "parse_rule",
]
