"""The candidates of a search, what they are made of, and their scores on the pipeline."""

from ._calibration import MEASURED, scored_in_time, seconds_per_fit, some_candidates, timed
from ._candidate import ROUNDING, Candidate, LabelChoice, Shape, Sketch, Template
from ._candidate_space import CandidateSpace
from ._change import Change
from ._deadline import Deadline, OutOfTime
from ._evaluation import Evaluation
from ._evaluator import Evaluator
from ._feasibility_check import FeasibilityCheck
from ._filled_space import filled_space, filled_spaces, fills
from ._finer_space import finer_space
from ._fit_data import FitData
from ._hits import hit_columns, hit_groups, labelled_groups, named_groups
from ._kinds_task import KindEvaluator, KindsTask
from ._make_space import KnownAttributes, candidate_space
from ._member_evaluator import MemberEvaluator
from ._member_space import MemberSpace
from ._overlap import Overlap, Part
from ._pattern_class import PatternClass, class_of, class_space, n_given, place_of
from ._process_candidate import Choice, ProcessCandidate, ProcessMaker, member_columns
from ._progress import Progress
from ._search_results import FittedSearch, SearchResults
from ._search_settings import search_settings
from ._search_task import ProcessTask, SearchTask
from ._streams import Stream

__all__ = [
    "MEASURED",
    "ROUNDING",
    "Candidate",
    "CandidateSpace",
    "Change",
    "Choice",
    "Deadline",
    "Evaluation",
    "Evaluator",
    "FeasibilityCheck",
    "FitData",
    "FittedSearch",
    "KindEvaluator",
    "KindsTask",
    "KnownAttributes",
    "LabelChoice",
    "MemberEvaluator",
    "MemberSpace",
    "OutOfTime",
    "Overlap",
    "Part",
    "PatternClass",
    "ProcessCandidate",
    "ProcessMaker",
    "ProcessTask",
    "Progress",
    "SearchResults",
    "SearchTask",
    "Shape",
    "Sketch",
    "Stream",
    "Template",
    "candidate_space",
    "class_of",
    "class_space",
    "filled_space",
    "filled_spaces",
    "fills",
    "finer_space",
    "hit_columns",
    "hit_groups",
    "labelled_groups",
    "member_columns",
    "n_given",
    "named_groups",
    "place_of",
    "scored_in_time",
    "search_settings",
    "seconds_per_fit",
    "some_candidates",
    "timed",
]
