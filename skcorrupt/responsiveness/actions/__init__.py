"""Actions: all that people can do, with the rules on it and the effects that follow."""

from ._action_set import ActionSet
from ._person_of import person_of

__all__ = ["ActionSet", "person_of"]
