"""The API reference, made of the package itself whenever the site is built."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from typing import Any

INTRODUCTION = """\
# API reference

Every public name, with its signature and its first line of documentation; `help(name)` shows the
rest, with parameters, attributes and an example. Names marked with a star can also be imported from
`skcorrupt` itself. Names that begin with an underscore, and the packages `skcorrupt.utils` and
`skcorrupt.cli`, are not public.
"""

# What each package is for, and the order in which readers want its names.
SECTIONS = {
    "skcorrupt.corruptions": (
        "Kinds of error. Those before `CorruptLabels` change cells and are transformers; it and "
        "the next two change labels or rows and are samplers, as is a process. Their methods are "
        "those of `FeatureCorruption` and `SampleCorruption`, [below](#skcorruptbase). See "
        "[Corruptions](corruptions.md).",
        [
            "CorruptMissing",
            "CorruptNoise",
            "CorruptOutliers",
            "CorruptScale",
            "CorruptSentinel",
            "CorruptRounding",
            "CorruptClip",
            "CorruptType",
            "CorruptText",
            "CorruptDates",
            "CorruptCategories",
            "CorruptExchange",
            "CorruptShiftRows",
            "CorruptStuck",
            "CorruptLabels",
            "SelectionBias",
            "CorruptDuplicates",
            "CorruptionProcess",
            "DependencyGraph",
            "corruption_from",
            "short_names",
        ],
    ),
    "skcorrupt.patterns": (
        "Where errors strike. See [Patterns](corruptions.md#patterns-where-errors-strike).",
        ["Pattern", "Condition", "as_pattern"],
    ),
    "skcorrupt.attributes": (
        "What values a column can take, and what a search may try.",
        ["infer_domains", "FeatureDomain", "SearchSpace"],
    ),
    "skcorrupt.learned": (
        "What errors data has. See [Realism](realism.md).",
        [
            "learn_errors",
            "LearnedErrors",
            "LearnedErrorsDisplay",
            "learn_gaps",
            "LearnedGaps",
            "CorruptAsSeen",
        ],
    ),
    "skcorrupt.adversarial": (
        "The search for the worst error, and ways to search; what is plausible is a `SearchSpace`, "
        "which can be imported from here as well. See [Search](search.md). The last three names "
        "are for those who write an optimizer, `SearchStrategy` for those who write a way to "
        "search.",
        [
            "AdversarialCorruptionSearch",
            "AdversarialSearchDisplay",
            "AutoSearch",
            "BeamSearch",
            "Screening",
            "WarmStart",
            "ExhaustiveSearch",
            "SearchTask",
            "Screened",
            "SearchStrategy",
            "make_optimizer",
            "GridOptimizer",
            "Grid",
        ],
    ),
    "skcorrupt.responsiveness": (
        "Who can, and who cannot, change their prediction: what people can do, the points they "
        "reach, the audit of a model, and how many points an estimate or a test needs. See "
        "[Responsiveness](responsiveness.md).",
        [
            "ResponsivenessAuditor",
            "ResponsivenessDisplay",
            "audit_to_parquet",
            "ActionSet",
            "ActionElement",
            "suggest_constraints",
            "OneHot",
            "Thermometer",
            "IfThen",
            "DirectionalLinkage",
            "Reachability",
            "MutabilitySwitch",
            "LinearConstraint",
            "Constraint",
            "LinearEffect",
            "NoiseEffect",
            "CausalEffect",
            "CallableEffect",
            "Effect",
            "ReachableSampler",
            "sample_size_for_width",
            "sample_size_for_test",
            "minimum_informative_size",
        ],
    ),
    "skcorrupt.fairness": (
        "Which preprocessing stage makes a pipeline unfair, and what to use instead. See "
        "[Stage fairness](fairness.md).",
        [
            "StageFairnessAblator",
            "StageFairnessDisplay",
            "compare_transformers",
            "suggest_downstream",
        ],
    ),
    "skcorrupt.metrics": (
        "Fairness of predictions, as numbers and as scorers, see "
        "[What is measured](fairness.md#what-is-measured); scores of a part of the rows, and of "
        "prediction intervals, see [Objectives](objectives.md).",
        [
            "statistical_parity_difference",
            "equal_opportunity_difference",
            "average_odds_difference",
            "error_rate_difference",
            "stage_fairness",
            "make_fairness_scorer",
            "make_row_scorer",
            "make_subgroup_scorer",
            "make_change_scorer",
            "make_coverage_scorer",
            "ConformalRegressor",
        ],
    ),
    "skcorrupt.checks": (
        "What watches incoming data, and how large an error has to be before it is noticed. See "
        "[Checks](checks.md).",
        [
            "MissingShare",
            "ValueRange",
            "KnownCategories",
            "Drift",
            "SegmentShare",
            "RowCount",
            "UniqueKeys",
            "BaseCheck",
        ],
    ),
    "skcorrupt.robustness": (
        "Compare, choose and harden pipelines by their worst case. See "
        "[Robustness](robustness.md).",
        [
            "compare_robustness",
            "RobustnessComparison",
            "RobustnessComparisonDisplay",
            "RobustSearchCV",
            "make_worst_case_scorer",
            "suggest_hardening",
            "suggest_checks",
            "CheckSuggestions",
            "RangeClipper",
            "UnseenMasker",
            "ColumnDropper",
            "SubmodelClassifier",
            "SubmodelRegressor",
            "DoubtfulLabelClassifier",
            "ReweightedClassifier",
            "ReweightedRegressor",
            "population_margins",
        ],
    ),
    "skcorrupt.sensitivity": (
        "How performance moves as each error grows. See [Error sensitivity](sensitivity.md).",
        [
            "ErrorSensitivityProfiler",
            "ErrorSensitivityDisplay",
            "Strategy",
            "default_classifiers",
            "error_performance_correlation",
            "area_error_performance",
            "piecewise_slopes",
        ],
    ),
    "skcorrupt.curation": (
        "Which real samples are hard, when there are no labels. See [Curation](curation.md).",
        [
            "NaturalAdversarialCurator",
            "OrderingScore",
            "AdversarialOrderDisplay",
            "MajorityVoteLabeler",
            "GenerativeLabelModel",
            "LabelingFunctionSelector",
            "LabelingFunction",
            "labeling_function",
            "lf_from_pattern",
            "lf_from_threshold",
            "lf_from_keywords",
            "lf_from_regex",
            "lf_from_classifier",
            "votes_from_long",
            "apply_lfs",
            "lf_summary",
        ],
    ),
    "skcorrupt.evaluation": (
        "Pipelines under corruption. See "
        "[Cross-validation](corruptions.md#cross-validation-under-a-corruption) and "
        "[large tables](large-tables.md).",
        [
            "CorruptedEstimator",
            "cross_validate_corrupted",
            "corrupt_to_parquet",
            "Plan",
            "Journal",
            "Split",
            "Outcome",
        ],
    ),
    "skcorrupt.base": (
        "What corruptions are built on, for those who write their own. See "
        "[Your own kind of error](corruptions.md#your-own-kind-of-error).",
        [
            "BaseCorruption",
            "FeatureCorruption",
            "SampleCorruption",
            "MAR",
            "MNAR",
            "CorruptionRecord",
            "CorruptionResult",
            "PartitionedRecord",
            "Struck",
            "Draws",
            "Edit",
        ],
    ),
    "skcorrupt.report": (
        "Results as a page to hand on. See [Reports](report.md).",
        ["write_html"],
    ),
    "skcorrupt.testing": (
        "Robustness as a test of a test suite, see "
        "[In a test suite](objectives.md#in-a-test-suite), and checks of the rules that every "
        "corruption keeps.",
        ["assert_robust", "check_corruption", "yield_corruption_checks"],
    ),
    "skcorrupt.integrations": (
        "Libraries that you already use. See [Integrations](integrations.md).",
        ["DataOpEstimator", "RobustnessCheck", "log_to_mlflow"],
    ),
    "skcorrupt.stats": (
        "Statistics on plain arrays.",
        [
            "adjusted_pvalues",
            "bootstrap_interval",
            "clopper_pearson",
            "corrected_interval",
            "CorrectedInterval",
            "least_repeats",
            "wilcoxon_pvalue",
            "sample_size_for_width",
            "sample_size_for_test",
            "minimum_informative_size",
        ],
    ),
}


def signature(name: str, thing: Any, *, method: bool = False) -> str:
    """A call of `thing` as its definition has it, annotations and `self` aside."""
    parameters = list(inspect.signature(thing).parameters.values())
    if method and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]
    return name + str(inspect.Signature(plain))


def summary(thing: Any) -> str:
    """The first paragraph of the docstring, as one line, without references to its notes."""
    first = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return re.sub(r" \([^()]*\[\d+\]_[^()]*\)", "", first)


def members(cls: type, listed: set[type]) -> list[str]:
    """A line for every public method and property, those that a listed superclass has aside."""
    lines: dict[str, str] = {}
    above = [other for other in cls.__mro__[1:] if other in listed]
    for owner in cls.__mro__:
        foreign = not owner.__module__.startswith("skcorrupt.")
        if owner is not cls and (foreign or any(issubclass(other, owner) for other in above)):
            continue
        for name in vars(owner):
            # scikit-learn makes methods such as set_fit_request for every estimator
            if name.startswith("_") or name.endswith("_request"):
                continue
            method = getattr(cls, name)
            if callable(method) or isinstance(method, property):
                call = signature(name, method, method=True) if callable(method) else name
                lines.setdefault(name, f"- `{call}`: {summary(method)}")
    return list(lines.values())


def wrapped(line: str) -> str:
    """A line of at most 100 characters, as far as its words allow."""
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(
        line, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def entry(module: Any, name: str, starred: bool, listed: set[type]) -> str:
    """Heading, signature, summary and members of one name."""
    thing = getattr(module, name)
    call = signature(name, thing)
    if len(call) > 100:
        inner = call[len(name) + 1 : -1].replace(", ", ",\n    ")
        call = f"{name}(\n    {inner},\n)"
    parts = [
        f"### {name}{' ★' if starred else ''}",
        f"```text\n{call}\n```",
        wrapped(summary(thing)),
    ]
    lines = members(thing, listed) if inspect.isclass(thing) else []
    if lines:
        parts.append("\n".join(map(wrapped, lines)))
    return "\n\n".join(parts)


def render() -> str:
    """The whole page."""
    top = importlib.import_module("skcorrupt")
    modules = {path: importlib.import_module(path) for path in SECTIONS}
    listed = {getattr(modules[path], name) for path in SECTIONS for name in SECTIONS[path][1]}
    parts = [INTRODUCTION.rstrip()]
    for path, (text, names) in SECTIONS.items():
        parts += [f"## {path}", wrapped(text)]
        for name in names:
            starred = getattr(top, name, None) is getattr(modules[path], name)
            parts.append(entry(modules[path], name, starred, listed))
    parts += ["## skcorrupt", "- `__version__`: the version, as text"]
    return "\n\n".join(parts) + "\n"
