"""What is tried: for every public name how it is called when all is well."""

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

import skcorrupt
from skcorrupt import (
    AdversarialCorruptionSearch,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    ErrorSensitivityProfiler,
    NaturalAdversarialCurator,
    Pattern,
    ResponsivenessAuditor,
    SelectionBias,
    StageFairnessAblator,
)
from skcorrupt.adversarial import AdversarialSearchDisplay, BeamSearch, SearchSpace
from skcorrupt.attributes import FeatureDomain
from skcorrupt.checks import MissingShare
from skcorrupt.curation import (
    AdversarialOrderDisplay,
    LabelingFunction,
    LabelingFunctionSelector,
    MajorityVoteLabeler,
)
from skcorrupt.fairness import StageFairnessDisplay
from skcorrupt.learned import LearnedErrorsDisplay, learn_errors, learn_gaps
from skcorrupt.patterns import Condition
from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    CausalEffect,
    LinearEffect,
    OneHot,
    ReachableSampler,
    ResponsivenessDisplay,
)
from skcorrupt.robustness import (
    CheckSuggestions,
    RobustnessComparisonDisplay,
    compare_robustness,
    suggest_checks,
)
from skcorrupt.sensitivity import ErrorSensitivityDisplay, Strategy

from .models import Passes, Takes, TakesNumbers

# What of these is for users is exported at the top as well; the rest is called by rooms above.
# adapters need libraries that may not be here
PLUMBING = {"utils", "cli", "base", "evaluation", "integrations"}
N = 40
Make = Callable[[], Any]


# valid data and objects


def table():
    """Numbers of few and of many values, zeros and ones."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 6, N).astype(float)
    return pd.DataFrame({"a": a, "b": rng.normal(size=N).round(3), "c": np.arange(N) % 2 * 1.0})


def in_pounds():
    """What was learned of a table in which some numbers are in another unit."""
    rows = table()["a"] > 2
    return learn_errors(table().assign(b=table()["b"].where(~rows, table()["b"] * 2.2)), table())


def written_errors():
    """A file of what was learned."""
    in_pounds().to_json("errors.json")
    return "errors.json"


def texts():
    """The same with a column of texts."""
    return table().assign(d=["u", "v", "w", "u"] * (N // 4))


def dates():
    """The same with a column of dates as texts."""
    return table().assign(d=[f"2024-0{i % 9 + 1}-1{i % 3}" for i in range(N)])


def gaps():
    """The same with one that has no value where another is large."""
    X = pd.concat([table()] * 5, ignore_index=True)
    return X.assign(b=X["b"].mask(X["a"] > 3))


def labels():
    """Two classes."""
    return (table()["a"] + np.arange(N) % 2 > 2.5).to_numpy().astype(int)


def margins():
    """Shares of the levels of a column."""
    return {"c": {0: 0.4, 1: 0.6}}


def numbers():
    """A target of numbers."""
    return np.linspace(0, 1, N)


def votes():
    """Votes of four functions for two classes, or none."""
    rng = np.random.default_rng(1)
    L = np.where(rng.random((N, 4)) < 0.8, labels()[:, None], 1 - labels()[:, None])
    return pd.DataFrame(np.where(rng.random((N, 4)) < 0.3, -1, L), columns=list("efgh"))


def sexes():
    """Two groups."""
    return np.array(["f", "m"] * (N // 2))


def pipeline():
    """Two stages and a model."""
    return Pipeline([("one", Passes()), ("two", Passes()), ("model", Takes())])


def actions():
    """People who can change two of three columns."""
    return ActionSet.from_data(table().round(1), actionable=["a", "c"])


def person():
    """One of them."""
    return table().round(1).iloc[[0]]


def long_votes():
    """A row for each judgement."""
    rows = [(i, w, (i + (w == "q")) % 2) for i in range(10) for w in "pqr"]
    return pd.DataFrame(rows, columns=["item", "worker", "label"])


def says_one(row):
    """A labeling function."""
    return 1 if row["a"] > 2 else -1


SEARCH = {
    "scoring": "accuracy",
    "cv": 2,
    "space": SearchSpace(max_conditions=1, n_bins=3),
    "strategy": BeamSearch(beam_width=1, n_calls=2),
    "confirm_size": None,
    "random_state": 0,
}
GROUPS = {"sensitive_features": "c", "privileged": 1.0, "pos_label": 1}
FAIRNESS = GROUPS | {"cv": 2, "random_state": 0}
PROFILE = {"corruptions": [CorruptNoise()], "levels": (0, 0.5), "n_repeats": 8, "random_state": 0}
STRATEGY = {"corruptions": [CorruptMissing(), CorruptNoise(scale=2.0)], "levels": (0, 0.5)}


COMPARISON = {
    "budgets": 0.2,
    "cv": 2,
    "space": lambda: SearchSpace(max_conditions=1, n_bins=2),
    "strategy": "exhaustive",
    "random_state": 0,
}


@cache
def comparison():
    """A comparison of a pipeline with itself."""
    models = {"one": Takes(), "other": Takes()}
    settings = COMPARISON | {"space": SearchSpace(max_conditions=1, n_bins=2)}
    return compare_robustness(
        models, table(), labels(), corruptions="selection", confirm_size=None, **settings
    )


@cache
def search():
    """A fitted search with a refitted estimator."""
    settings = SEARCH | {"refit": True, "confirm_size": 0.25}
    return AdversarialCorruptionSearch(Takes(), "missing", **settings).fit(table(), labels())


@cache
def served():
    """A fitted search for errors in rows that are served."""
    settings = SEARCH | {"apply_to": "test", "refit": False}
    return AdversarialCorruptionSearch(Takes(), "missing", **settings).fit(table(), labels())


@cache
def suggested():
    """Checks that would notice them."""
    with warnings.catch_warnings():
        # few rows make weak checks
        warnings.simplefilter("ignore")
        errors = suggest_checks(served(), batch_size=2).errors_
        check = MissingShare(batch_size=2).fit(texts())
    row = {"check": "MissingShare", "false_alarm": 0.01, "undetected_damage": 0.1}
    return CheckSuggestions([check], pd.DataFrame([row]), errors, True, {"batch_size": 2})


@cache
def profiler():
    """A fitted profiler."""
    return ErrorSensitivityProfiler({"takes": Takes()}, **PROFILE).fit(table(), labels())


@cache
def ablator():
    """A fitted ablator."""
    return StageFairnessAblator(pipeline(), **FAIRNESS).fit(table(), labels())


@cache
def auditor():
    """A fitted auditor."""
    model = Takes().fit(table(), labels())
    audit = ResponsivenessAuditor(model, actions(), target=1, random_state=0)
    return audit.fit(table().round(1))


@cache
def curator():
    """A fitted curator."""
    model, selector = MajorityVoteLabeler(), LabelingFunctionSelector()
    return NaturalAdversarialCurator(model, selector, n_datasets=4, random_state=0).fit(votes())


def checked(check):
    """A fitted check."""
    return check(batch_size=2).fit(texts())


def mean_of_rows(rows, generator):
    """A statistic."""
    return float(np.mean(rows))


def strategy_file():
    """A file with a strategy."""
    Strategy(**STRATEGY).to_json("strategy.json")
    return "strategy.json"


def applied(rule):
    """What a person can do under a rule or an effect."""
    changed = actions()
    changed.add(rule)
    return ReachableSampler(changed).sample(person(), 3, random_state=0)


def called(function):
    """Votes of a labeling function."""
    return skcorrupt.curation.apply_lfs(table(), [function])


def scored(scorer):
    """The score of a model."""
    return scorer(Takes().fit(table(), labels()), table(), labels())


def decorated(decorator):
    """Votes of a function that was decorated."""
    return called(decorator(says_one))


# How a name is called when all is well


@dataclass(frozen=True)
class Entry:
    """How a class or a function is called when all is well.

    Attributes
    ----------
    given : mapping
        Arguments that are always given, in the place of those in `VALID`; those of a method as
        "method.argument". A value that is a function of the trial without parameters is called.
    ready : callable or None
        Makes the object whose methods are tried; None: the class is called and fitted.
    then : callable or None
        What is done with what the class or function gave; None: its methods fit and so on.
    words : tuple of str
        What a refusal may name in the place of a parameter.
    only_methods : bool
        Whether users never make one of these by hand.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    ready: Make | None = None
    then: Callable[[Any], Any] | None = None
    words: tuple[str, ...] = ()
    only_methods: bool = False


@dataclass(frozen=True)
class Left:
    """Why a name is not tried."""

    reason: str


RESULT = Left("a result, which only the package makes, and without methods that take arguments")
BY_SEARCH = Left("called by a search, with what it has checked")

# arguments that mean the same everywhere
VALID = {
    "X": table,
    "y": labels,
    "L": votes,
    "x": person,
    "estimator": Takes,
    "estimators": lambda: {"takes": Takes()},
    "models": lambda: {"takes": Takes().fit(table(), labels())},
    "corruption": CorruptMissing,
    "corruptions": lambda: [CorruptMissing()],
    "pipeline": pipeline,
    "actions": actions,
    "pattern": "a <= 2",
    "y_true": labels,
    "y_pred": lambda: labels()[::-1].copy(),
    "y_pred_without": lambda: np.roll(labels(), 1),
    "sensitive_features": sexes,
    "privileged": "m",
    "pos_label": 1,
    "levels": lambda: [0.0, 0.2, 0.4, 0.6],
    "scores": lambda: [0.9, 0.8, 0.75, 0.6],
    "label": 1,
    "name": "a",
    "path": "out.file",
    "random_state": 0,
}
CORRUPTION = Entry({"X": texts})
RULE = Entry(then=applied)
METRIC = Entry()
CHECK = Entry({"X_reference": texts, "batch_size": 2})

ENTRIES: dict[str, Entry | Left] = {
    # the top
    "AdversarialCorruptionSearch": Entry(
        {
            "estimator": Takes,
            "corruption": "missing",
            **SEARCH,
            "confirm.X_test": table,
            "confirm.y_test": labels,
        },
        ready=search,
    ),
    "BaseCorruption": Entry(
        {"from_dict.data": lambda: CorruptMissing(pattern="a <= 1", columns=["a"]).to_dict()},
        ready=CorruptMissing,
        only_methods=True,
    ),
    "MAR": Entry({"columns": ["a"]}),
    "MNAR": Entry(),
    "corruption_from": Entry({"given": "missing"}),
    "short_names": Left("it takes nothing"),
    "CorruptCategories": Entry({"X": texts, "columns": "d", "pattern": None}),
    "CorruptClip": CORRUPTION,
    "CorruptDates": Entry({"X": dates, "columns": "d"}),
    "CorruptDuplicates": CORRUPTION,
    "CorruptExchange": CORRUPTION,
    "CorruptLabels": CORRUPTION,
    "CorruptMissing": Entry({"X": texts}),
    "CorruptNoise": CORRUPTION,
    "CorruptOutliers": CORRUPTION,
    "CorruptRounding": CORRUPTION,
    "CorruptScale": CORRUPTION,
    "CorruptSentinel": CORRUPTION,
    "CorruptShiftRows": CORRUPTION,
    "CorruptStuck": CORRUPTION,
    "CorruptText": Entry({"X": texts, "columns": "d"}),
    "CorruptType": CORRUPTION,
    "CorruptedEstimator": Entry({"corruption": CorruptLabels}),
    "CorruptionProcess": Entry(
        {"corruptions": lambda: [("gaps", CorruptMissing()), ("bias", SelectionBias())]},
        words=("Names",),
    ),
    "CorruptionRecord": RESULT,
    "CorruptionResult": RESULT,
    "ErrorSensitivityProfiler": Entry({"estimators": Takes, **PROFILE}, ready=profiler),
    "FeatureCorruption": Entry(ready=lambda: CorruptNoise().fit(table()), only_methods=True),
    "FeatureDomain": Entry(
        {
            "kind": "real",
            "lower": 0.0,
            "upper": 1.0,
            "contains.values": lambda: [0.5, 2.0],
            "from_dict.data": lambda: FeatureDomain("d", "categorical", values=("u",)).to_dict(),
        }
    ),
    "NaturalAdversarialCurator": Entry(
        {
            "label_model": MajorityVoteLabeler,
            "n_datasets": 4,
            "evaluate.X": table,
            "n_permutations": 9,
        },
        ready=curator,
    ),
    "Pattern": Entry(
        {
            "conditions": lambda: {"a": (None, 2)},
            "parse.text": "a <= 2",
            "from_dict.data": lambda: Pattern({"a": (0, 2), "d": {"u", "v"}, "y": 1}).to_dict(),
        },
        ready=lambda: Pattern({"a": (None, 2), "y": 1}),
    ),
    "ResponsivenessAuditor": Entry(
        {
            "estimator": lambda: Takes().fit(table(), labels()),
            "target": 1,
            "X": lambda: table().round(1),
            "examples.i": 0,
        },
        ready=auditor,
    ),
    "SampleCorruption": Entry(ready=SelectionBias, only_methods=True),
    "SelectionBias": CORRUPTION,
    "StageFairnessAblator": Entry(FAIRNESS, ready=ablator),
    "__version__": Left("a text"),
    "cross_validate_corrupted": Entry({"cv": 2, "scoring": "accuracy"}),
    "infer_domains": Entry(),
    # adversarial
    "AdversarialSearchDisplay": Entry(
        {"from_search.search": search},
        ready=lambda: AdversarialSearchDisplay.from_search(search()),
        only_methods=True,
    ),
    "Grid": BY_SEARCH,
    "AutoSearch": BY_SEARCH,
    "BeamSearch": BY_SEARCH,
    "GridOptimizer": BY_SEARCH,
    "ExhaustiveSearch": BY_SEARCH,
    "Screened": BY_SEARCH,
    "Screening": BY_SEARCH,
    "SearchSpace": BY_SEARCH,
    "SearchStrategy": BY_SEARCH,
    "SearchTask": BY_SEARCH,
    "WarmStart": BY_SEARCH,
    "make_optimizer": BY_SEARCH,
    # corruptions
    "DependencyGraph": Entry(
        {"process": lambda: CorruptionProcess([("gaps", CorruptMissing(columns="a"))])},
        only_methods=True,
        ready=lambda: None,
    ),
    # learned
    "CorruptAsSeen": Entry(
        {"seen": lambda: dict(in_pounds().corruption.corruptions)["cells"].seen},
    ),
    "LearnedErrors": Entry(
        {
            "from_dict.data": lambda: in_pounds().to_dict(),
            "from_json.path": lambda: written_errors(),
            "to_json.path": "errors.json",
        },
        ready=lambda: in_pounds(),
        only_methods=True,
    ),
    "LearnedErrorsDisplay": Entry(
        {"from_learned.learned": in_pounds},
        ready=lambda: LearnedErrorsDisplay.from_learned(in_pounds()),
        only_methods=True,
    ),
    "learn_errors": Entry({"dirty": lambda: table().assign(b=1.0), "clean": table}),
    "LearnedGaps": Entry(ready=lambda: learn_gaps(gaps()), only_methods=True),
    "learn_gaps": Entry({"X": gaps, "y": lambda: np.tile(labels(), 5)}),
    # curation
    "AdversarialOrderDisplay": Entry(
        {"from_curator.curator": curator},
        ready=lambda: AdversarialOrderDisplay.from_curator(curator(), labels()),
        only_methods=True,
    ),
    "GenerativeLabelModel": Entry({"max_iter": 20, "tol": 0.01}),
    "LabelingFunction": Entry({"function": lambda: says_one}, then=called),
    "LabelingFunctionSelector": Entry(),
    "MajorityVoteLabeler": Entry(),
    "OrderingScore": RESULT,
    "apply_lfs": Entry({"lfs": lambda: [LabelingFunction(says_one)]}),
    "labeling_function": Entry(then=decorated),
    "lf_from_classifier": Entry(
        {"estimator": lambda: LogisticRegression().fit(table(), labels())}, then=called
    ),
    "lf_from_keywords": Entry({"keywords": lambda: ["u"], "column": "d"}),
    "lf_from_pattern": Entry(then=called),
    "lf_from_regex": Entry({"regex": "u+", "column": "d"}),
    "lf_from_threshold": Entry({"column": "a", "above": 2}, then=called),
    "lf_summary": Entry(),
    "votes_from_long": Entry(
        {"table": long_votes, "item": "item", "worker": "worker", "label": "label"}
    ),
    # fairness
    "StageFairnessDisplay": Entry(
        {"from_ablator.ablator": ablator},
        ready=lambda: StageFairnessDisplay.from_ablator(ablator()),
        only_methods=True,
    ),
    "compare_transformers": Entry(
        {**FAIRNESS, "stage": "one", "candidates": lambda: {"same": Passes()}}
    ),
    "suggest_downstream": Entry(
        {**FAIRNESS, "after": "one", "candidates": lambda: {"same": Passes()}}
    ),
    # robustness
    "RobustSearchCV": Entry(
        {
            "estimator": Takes,
            "param_grid": lambda: {},
            "corruption": "missing",
            "budget": 0.2,
            "apply_to": "test",
            "scoring": "accuracy",
            "cv": 2,
            "space": SEARCH["space"],
            "confirm_size": None,
            "random_state": 0,
        },
    ),
    "make_worst_case_scorer": Entry(
        {"corruption": "missing", "budget": 0.2, "space": SEARCH["space"]}, then=scored
    ),
    "RobustnessComparison": RESULT,
    "RobustnessComparisonDisplay": Entry(
        {"from_comparison.comparison": lambda: comparison()},
        ready=lambda: RobustnessComparisonDisplay.from_comparison(comparison()),
        only_methods=True,
    ),
    "compare_robustness": Entry(COMPARISON),
    # metrics
    "ConformalRegressor": Entry({"estimator": TakesNumbers, "y": numbers}),
    "average_odds_difference": METRIC,
    "equal_opportunity_difference": METRIC,
    "error_rate_difference": METRIC,
    "make_change_scorer": Entry(then=None),
    "make_coverage_scorer": Entry(then=None),
    "make_row_scorer": Entry({"row_loss": lambda: lambda y, p: (y != p) * 1.0}, then=scored),
    "make_fairness_scorer": Entry(
        {"metric": "spd", "sensitive_features": "c", "privileged": 1.0}, then=scored
    ),
    "make_subgroup_scorer": Entry({"scoring": "accuracy"}, then=scored),
    "stage_fairness": METRIC,
    "statistical_parity_difference": METRIC,
    # checks
    "BaseCheck": Entry(
        {"X_reference": texts, "X_batch": texts},
        ready=lambda: checked(MissingShare),
        only_methods=True,
    ),
    "Drift": CHECK,
    "KnownCategories": CHECK,
    "MissingShare": CHECK,
    "RowCount": CHECK,
    "SegmentShare": CHECK,
    "UniqueKeys": CHECK,
    "ValueRange": CHECK,
    # robustness
    "ColumnDropper": Entry({"columns": "a"}),
    "DoubtfulLabelClassifier": Entry(),
    "RangeClipper": Entry(),
    "ReweightedClassifier": Entry({"margins": margins}),
    "ReweightedRegressor": Entry({"estimator": TakesNumbers, "y": numbers, "margins": margins}),
    "UnseenMasker": Entry(),
    "population_margins": Entry(),
    "SubmodelClassifier": Entry(),
    "SubmodelRegressor": Entry({"estimator": TakesNumbers, "y": numbers}),
    "CheckSuggestions": Entry(ready=suggested, only_methods=True),
    "suggest_checks": Entry({"search": served, "batch_size": 1}),
    "suggest_hardening": Entry(),
    # patterns
    "Condition": Entry(
        {
            "ge": 0,
            "describe.name": "a",
            "from_spec.spec": lambda: (0, 1),
            "from_dict.data": lambda: Condition(ge=0, lt=2).to_dict(),
        },
        words=("bound", "bounds", "range", "set", "condition", "value"),
    ),
    "as_pattern": Entry({"spec": "a <= 2"}),
    # report
    "write_html": Entry({"fitted": profiler}),
    # responsiveness
    "ActionElement": Entry(
        {
            "kind": "integer",
            "ub": 5,
            "present": 2,
            "values": lambda: (),
            "allows.values": lambda: np.array([1, 2]),
            "from_dict.data": lambda: ActionElement("a", "integer", 0, 5).to_dict(),
        },
        words=("step", "steps", "bounds"),
    ),
    "ActionSet": Entry(
        {
            "elements": lambda: [ActionElement("a", "integer", 0, 5)],
            "X": lambda: table().round(1),
            "rule": "a <= 4",
            "from_dict.data": lambda: ActionSet(
                [ActionElement("a", "integer", 0, 5), ActionElement("b", "integer", 0, 5)],
                ["a + b <= 3", LinearEffect("b", {"a": 1})],
            ).to_dict(),
        },
        ready=actions,
    ),
    "CallableEffect": Entry(
        {
            "function": lambda: lambda before, after, rng: np.zeros((len(after), 1)),
            "sources": lambda: ["a"],
            "targets": lambda: ["b"],
        },
        then=applied,
    ),
    "CausalEffect": Entry({"equations": lambda: {"b": "a"}}, then=applied),
    "Constraint": Entry(
        {"from_dict.data": lambda: OneHot(["a", "b"]).to_dict()}, OneHot, only_methods=True
    ),
    "DirectionalLinkage": Entry({"source": "a", "targets": lambda: ["c"]}, then=applied),
    "Effect": Entry(
        {"from_dict.data": lambda: LinearEffect("a", {"b": 1.5}).to_dict()},
        CausalEffect,
        only_methods=True,
    ),
    "IfThen": Entry({"condition": "a >= 1", "then": "c >= 0"}, then=applied),
    "LinearConstraint": Entry({"expression": "a + c <= 20"}, then=applied),
    "LinearEffect": Entry({"target": "b", "coefficients": lambda: {"a": 1.0}}, then=applied),
    "MutabilitySwitch": Entry(
        {"switch": "c", "targets": lambda: ["a"]},
        then=applied,
        # the switch, by its name
        words=("c",),
    ),
    "NoiseEffect": Entry({"targets": lambda: ["b"], "scale": 0.1}, then=applied),
    "OneHot": Entry({"columns": lambda: ["c", "d"]}),
    "Reachability": Entry(
        {
            "columns": lambda: ["c"],
            "values": lambda: [[0], [1]],
            "matrix": lambda: [[1, 1], [0, 1]],
        },
        then=applied,
    ),
    "ReachableSampler": Entry({"n": 3, "x": person}),
    "ResponsivenessDisplay": Entry(
        {"from_auditor.auditor": auditor},
        ready=lambda: ResponsivenessDisplay.from_auditor(auditor()),
        only_methods=True,
    ),
    "Thermometer": Entry({"columns": lambda: ["c", "d"]}),
    "audit_to_parquet": Left("its table is none of those that the trial changes; it has a test"),
    "minimum_informative_size": Entry({"alpha": 0.05, "epsilon": 0.1}),
    "sample_size_for_test": Entry({"alpha": 0.05, "beta": 0.2, "epsilon": 0.1, "delta": 0.05}),
    "sample_size_for_width": Entry({"alpha": 0.05, "width": 0.2}),
    "suggest_constraints": Entry({"X": lambda: table().round(1), "actions": actions}),
    # sensitivity
    "ErrorSensitivityDisplay": Entry(
        {"from_profiler.profiler": profiler},
        ready=lambda: ErrorSensitivityDisplay.from_profiler(profiler()),
        only_methods=True,
    ),
    "Strategy": Entry(
        {
            **STRATEGY,
            "from_dict.data": lambda: Strategy(**STRATEGY).to_dict(),
            "from_json.path": strategy_file,
        }
    ),
    "area_error_performance": Entry(),
    "default_classifiers": Entry(),
    "error_performance_correlation": Entry(),
    "piecewise_slopes": Entry(),
    # stats
    "CorrectedInterval": RESULT,
    "adjusted_pvalues": Entry({"p_values": lambda: [0.01, 0.2, 0.04]}),
    "bootstrap_interval": Entry(
        {"statistic": lambda: mean_of_rows, "n_samples": 20, "n_resamples": 9}
    ),
    "clopper_pearson": Entry({"successes": 3, "n": 10}),
    "least_repeats": Entry({"n_scenarios": 3}),
    "wilcoxon_pvalue": Entry({"baseline": lambda: [0.9, 0.8, 0.75, 0.7]}),
    "corrected_interval": Entry({"values": lambda: [0.1, 0.2, 0.15], "test_ratio": 0.25}),
    # testing
    "assert_robust": Entry(
        {**SEARCH, "corruption": "missing", "max_drop": 1.0, "confirm_size": 0.25}
    ),
    "check_corruption": Entry(),
    "yield_corruption_checks": Entry(then=list),
}


# What there is


def public_names():
    """Map every public name, a package's own first, to what it stands for."""
    rooms = [module.name for module in pkgutil.iter_modules(skcorrupt.__path__) if module.ispkg]
    modules = [skcorrupt] + [
        importlib.import_module(f"skcorrupt.{room}") for room in rooms if room not in PLUMBING
    ]
    return {name: getattr(module, name) for module in modules for name in module.__all__}


def own_methods(cls):
    """Public methods that a class defines itself and that take arguments.

    What it has from a base that has no public name counts as its own where nothing else is there.
    """
    base = cls.__mro__[1]
    hidden = base.__module__.startswith("skcorrupt.") and base.__name__ not in public_names()
    for name, member in {
        **(vars(base) if hidden and cls.__bases__[0] is base else {}),
        **vars(cls),
    }.items():
        # these are scikit-learn's
        is_public = not name.startswith(("_", "get_", "set_"))
        is_method = inspect.isroutine(member) or hasattr(member, "__get__")
        if is_public and is_method and callable(getattr(cls, name)):
            if arguments(getattr(cls, name)):
                yield name


def arguments(function):
    """Names of what a function or method takes, and whether it has to be given."""
    return {
        parameter.name: parameter.default is parameter.empty
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name not in ("self", "cls")
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


def takes_more(function):
    """Whether it takes arguments of any name."""
    kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
    return inspect.Parameter.VAR_KEYWORD in kinds


def valid(function, entry, method=None):
    """Valid arguments of a call: what is required, what the entry gives, and labels."""
    found = {}
    for name, required in arguments(function).items():
        key = f"{method}.{name}"
        if key in entry.given:
            found[name] = entry.given[key]
        elif name in entry.given and (method is None or required or name in "XyL"):
            found[name] = entry.given[name]
        elif required or name in ("y", "random_state"):
            found[name] = VALID[name]
    if method is None and takes_more(function):
        found |= {name: value for name, value in entry.given.items() if "." not in name}
    return {name: made(value) for name, value in found.items()}


def made(value):
    """What a factory makes, anything else as it is."""
    is_factory = inspect.isfunction(value) or isinstance(value, type)
    return value() if is_factory or hasattr(value, "cache_info") else value


def close_figures():
    """Forget what was drawn."""
    plt.close("all")
