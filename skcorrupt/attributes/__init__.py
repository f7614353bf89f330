"""What patterns and errors may be made of: the columns of a search, and the conditions on them."""

from ._search_space import SearchSpace

__all__ = ["SearchSpace"]
