"""Compare, choose and harden pipelines by their worst case."""

from . import _in_notebooks as _in_notebooks
from ._check_suggestions import CheckSuggestions
from ._column_dropper import ColumnDropper
from ._compare_robustness import compare_robustness
from ._doubtful_label_classifier import DoubtfulLabelClassifier
from ._make_worst_case_scorer import make_worst_case_scorer
from ._margins import population_margins
from ._range_clipper import RangeClipper
from ._reweighted_classifier import ReweightedClassifier
from ._reweighted_regressor import ReweightedRegressor
from ._robust_search_cv import RobustSearchCV
from ._robustness_comparison import RobustnessComparison
from ._robustness_comparison_display import RobustnessComparisonDisplay
from ._submodel_classifier import SubmodelClassifier
from ._submodel_regressor import SubmodelRegressor
from ._suggest_checks import suggest_checks
from ._suggest_hardening import suggest_hardening
from ._unseen_masker import UnseenMasker

__all__ = [
    "CheckSuggestions",
    "ColumnDropper",
    "DoubtfulLabelClassifier",
    "RangeClipper",
    "ReweightedClassifier",
    "ReweightedRegressor",
    "RobustSearchCV",
    "RobustnessComparison",
    "RobustnessComparisonDisplay",
    "SubmodelClassifier",
    "SubmodelRegressor",
    "UnseenMasker",
    "compare_robustness",
    "make_worst_case_scorer",
    "population_margins",
    "suggest_checks",
    "suggest_hardening",
]
