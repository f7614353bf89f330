"""Actions: all that people can do, with the rules on it and the effects that follow."""

from ._action_set import ActionSet
from ._people_checked import check_people, person_of
from ._suggest_constraints import suggest_constraints

__all__ = ["ActionSet", "check_people", "person_of", "suggest_constraints"]
