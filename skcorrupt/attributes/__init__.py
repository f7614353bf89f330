"""What columns hold, and what patterns may be made of: domains, levels, the space of a search."""

from ._feature_domain import FeatureDomain
from ._infer_domains import infer_domains
from ._search_space import SearchSpace

__all__ = ["FeatureDomain", "SearchSpace", "infer_domains"]
