"""Actions: all that people can do, with the rules on it and the effects that follow."""

from ._action_set import ActionSet

__all__ = ["ActionSet"]
