"""Natural adversarial curation: which real samples are hard, when there are no labels."""

from . import _in_notebooks as _in_notebooks
from ._adversarial_order_display import AdversarialOrderDisplay
from ._apply_lfs import apply_lfs
from ._generative_label_model import GenerativeLabelModel
from ._labeling_function import LabelingFunction, labeling_function
from ._labeling_function_selector import LabelingFunctionSelector
from ._lf_from_classifier import lf_from_classifier
from ._lf_from_columns import lf_from_pattern, lf_from_threshold
from ._lf_from_text import lf_from_keywords, lf_from_regex
from ._lf_summary import lf_summary
from ._majority_vote_labeler import MajorityVoteLabeler
from ._natural_adversarial_curator import NaturalAdversarialCurator
from ._ordering_score import OrderingScore
from ._votes_from_long import votes_from_long

__all__ = [
    "AdversarialOrderDisplay",
    "GenerativeLabelModel",
    "LabelingFunction",
    "LabelingFunctionSelector",
    "MajorityVoteLabeler",
    "NaturalAdversarialCurator",
    "OrderingScore",
    "apply_lfs",
    "labeling_function",
    "lf_from_classifier",
    "lf_from_keywords",
    "lf_from_pattern",
    "lf_from_regex",
    "lf_from_threshold",
    "lf_summary",
    "votes_from_long",
]
