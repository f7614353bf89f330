"""What values the columns of a table can take."""

from ._feature_domain import FeatureDomain
from ._infer import infer_domains

__all__ = ["FeatureDomain", "infer_domains"]
