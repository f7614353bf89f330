"""Arguments that are none: one sentence with their name, where Python's own errors came through."""

import decimal
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from flat_search import flat_search
from skcorrupt import (
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptScale,
    ErrorSensitivityProfiler,
    FeatureDomain,
    NaturalAdversarialCurator,
    ResponsivenessAuditor,
    StageFairnessAblator,
    cross_validate_corrupted,
)
from skcorrupt.adversarial import AdversarialSearchDisplay
from skcorrupt.corruptions import DependencyGraph
from skcorrupt.curation import (
    AdversarialOrderDisplay,
    GenerativeLabelModel,
    MajorityVoteLabeler,
    apply_lfs,
    lf_from_keywords,
    lf_summary,
    votes_from_long,
)
from skcorrupt.fairness import compare_transformers, suggest_downstream
from skcorrupt.learned import learn_gaps
from skcorrupt.metrics import (
    ConformalRegressor,
    make_fairness_scorer,
    stage_fairness,
    statistical_parity_difference,
)
from skcorrupt.responsiveness import (
    ActionElement,
    ActionSet,
    CallableEffect,
    LinearEffect,
    ReachableSampler,
    minimum_informative_size,
    sample_size_for_test,
)
from skcorrupt.sensitivity import Strategy, area_error_performance
from skcorrupt.stats import bootstrap_interval, corrected_interval, least_repeats
from skcorrupt.testing import assert_robust
from skcorrupt.utils import (
    N_JOBS,
    as_column,
    as_table,
    check_arguments,
    check_choice,
    describe_columns,
)

HUGE = 10**400
N = 20
X = pd.DataFrame({"a": np.arange(N) % 7, "b": np.arange(N) % 3, "sex": np.arange(N) % 2})
Y = np.arange(N) // 2 % 2
LISTS = [[1], [2, 3]] * (N // 2)
PIPELINE = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])
GROUPS = {"sensitive_features": "sex", "privileged": 1, "pos_label": 1}
AGE = ActionElement("age", "integer", 0, 5)
VOTES = np.array([[0, 1, 1], [1, 1, -1], [0, 0, 1], [1, 0, 0]])


def validated(**params):
    return cross_validate_corrupted(GaussianNB(), X, Y, CorruptLabels(), **params)


def compared(y=Y, **params):
    return compare_transformers(PIPELINE, **{"stage": "scale", "X": X, "y": y, **GROUPS, **params})


def suggested(**params):
    return suggest_downstream(PIPELINE, **{"after": "scale", "X": X, "y": Y, **GROUPS, **params})


def curator():
    return NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2).fit(VOTES)


def audited(target):
    model = GaussianNB().fit(X, Y)
    return ResponsivenessAuditor(model, ActionSet.from_data(X), target=target).fit(X)


def acted(rule):
    return ReachableSampler(ActionSet.from_data(X).add(rule))


def robust(**params):
    return assert_robust(GaussianNB(), X, Y, corruption="labels", max_drop=1, **params)


def study(**params):
    settings = {"levels": (0, 0.5), "n_repeats": 2, "random_state": 0} | params
    return ErrorSensitivityProfiler(GaussianNB(), corruptions=[CorruptNoise()], **settings)


def profiler():
    return study().fit(X, Y)


def spd(y_true=Y, y_pred=Y, **groups):
    given = {"sensitive_features": X["sex"], "privileged": 1, "pos_label": 1} | groups
    return statistical_parity_difference(y_true, y_pred, **given)


REFUSED = {
    "params": (lambda: validated(params="x"), "'params' parameter .* Got 'x'"),
    "flag": (lambda: validated(return_records=np.zeros(2)), "'return_records' parameter"),
    "no jobs": (lambda: validated(n_jobs=0), "'n_jobs' parameter .* Got 0"),
    "jobs": (lambda: apply_lfs(X, [len], n_jobs=HUGE), "'n_jobs' parameter"),
    "level": (lambda: compared(alpha=None), "'alpha' parameter .* Got None"),
    "stage": (lambda: compared(stage=[]), r"stages: \[\] is not a stage"),
    "who": (lambda: compared(sensitive_features=[[]]), r"sensitive_features=\[\[\]\] should name"),
    "no one": (
        lambda: suggested(sensitive_features=()),
        r"sensitive_features=\(\) names no column",
    ),
    "label": (lambda: compared(pos_label=[1]), "'pos_label' parameter"),
    "NA": (lambda: compared(pos_label=pd.NA), "pos_label=<NA> should be one of the labels"),
    "0-d": (lambda: compared(privileged=np.array(7)), r"privileged=array\(7\): nobody"),
    "y of lists": (lambda: compared(y=LISTS), "y holds rows of unequal length"),
    "one y": (lambda: suggested(y=[1]), "X has 20 rows, y has 1"),
    "size": (lambda: suggested(confirm_size=1e-9), "confirm_size=1e-09 leaves a part"),
    "metric": (lambda: make_fairness_scorer([], **GROUPS), r"metric=\[\] should be one of"),
    "metrics": (
        lambda: stage_fairness(Y, Y, Y, metric=np.zeros(2), **GROUPS),
        r"metric=array.* should be one of",
    ),
    "labels": (lambda: spd(y_true=pd.Series(LISTS)), r"y_true holds \[1\], which"),
    "process": (lambda: DependencyGraph.from_process(None), "process=None should be a Corruption"),
    "shift": (lambda: CorruptLabels(shift=HUGE).fit(X, Y), "shift=.* should be a finite number"),
    "matrix": (lambda: CorruptLabels(transition=HUGE).fit(X, Y), "transition=.* should be a dict"),
    "scale": (lambda: CorruptNoise(scale=HUGE).fit(X), "'scale' parameter"),
    "factor": (lambda: CorruptScale(factor=-HUGE).fit(X), "'factor' parameter"),
    "magnitude": (lambda: CorruptOutliers(magnitude=HUGE).fit(X), "'magnitude' parameter"),
    "strength": (
        lambda: GenerativeLabelModel(prior_strength=HUGE).fit(VOTES),
        "'prior_strength' parameter",
    ),
    "prior": (lambda: GenerativeLabelModel(HUGE).fit(VOTES), "class_prior=.* should be one of"),
    "ragged X": (lambda: CorruptMissing().fit([[1, 2], [3]]), "X holds rows of unequal length"),
    "ragged y": (lambda: CorruptLabels().fit(X, LISTS), "y holds rows of unequal length"),
    "y of dicts": (lambda: CorruptLabels().fit(X, [{}] * N), r"y holds \{\}, which"),
    "samples": (lambda: curator().datasets(-1), "X should be .* not a int"),
    "truth": (lambda: curator().score_ordering(None), "y is None"),
    "orders": (lambda: curator().score_ordering([0] * 4, n_permutations=HUGE), "'n_permutations'"),
    "objects": (lambda: curator().score_ordering([object()] * 4), "labels of the types object"),
    "learns": (
        lambda: NaturalAdversarialCurator(GaussianNB()).fit(VOTES),
        r"label_model=GaussianNB\(\) should learn from votes alone",
    ),
    "keywords": (lambda: lf_from_keywords(None, 1), "keywords=None should be a word"),
    "case": (lambda: lf_from_keywords("a", 1, case=pd.NA), "'case' parameter"),
    "names": (lambda: lf_summary(VOTES, names=0), "names=0 should list a name for each column"),
    "items": (
        lambda: votes_from_long(X, item="a", worker="b", label="sex", items=[[]]),
        r"items=\[\] holds values that no cell can be compared with",
    ),
    "conflicts": (
        lambda: votes_from_long(X, item="a", worker="b", label="sex", conflicts=np.zeros(2)),
        "conflicts=.* should be one of",
    ),
    "elements": (lambda: ActionSet("a"), "elements='a' should list an ActionElement"),
    "element": (lambda: ActionSet([1]), r"elements=\[1\] should list objects of ActionElement"),
    "rules": (lambda: ActionSet([], 3), "rules=3 should list a rule"),
    "actionable": (lambda: ActionSet.from_data(X, 3), "actionable=3 should list the name"),
    "complex": (lambda: ActionSet.from_data(X + 1j), "Column 'a' holds values that cannot be"),
    "table": (
        lambda: ReachableSampler(ActionSet.from_data(X), max_table="x"),
        "max_table='x' should",
    ),
    "present": (lambda: AGE.grid(None), "age: present=None should be a finite number"),
    "endless": (lambda: AGE.n_values(np.inf), "age: present=inf should be a finite number"),
    "values": (lambda: AGE.allows(2, "x"), "values='x' should be a number or numbers"),
    "outside": (lambda: acted(LinearEffect("a", {"b": 1}, outside=[1])), r"outside=\[1\] should"),
    "random": (
        lambda: acted(CallableEffect(len, ["a"], ["b"], is_random=2)),
        "is_random=2 should be True or False",
    ),
    "points": (
        lambda: ReachableSampler(ActionSet.from_data(X)).sample(X[:1], HUGE),
        "n=1.* should be a whole number, 1 or more and at most 1,000,000,000",
    ),
    "rule": (
        lambda: sample_size_for_test(0.05, 0.2, 0.1, 0.05, rule=np.zeros(2)),
        "rule=.* should be one of",
    ),
    "delta": (lambda: sample_size_for_test(0.05, 0.2, 0.1, HUGE), "delta=1.* should be above 0"),
    "side": (
        lambda: minimum_informative_size(0.05, 0.1, direction=[]),
        r"direction=\[\] should be one of",
    ),
    "normalize": (
        lambda: area_error_performance([0, 1], [1, 0], normalize=np.zeros(2)),
        "'normalize' parameter",
    ),
    "kind": (lambda: FeatureDomain("a", pd.NA), "kind=<NA> should be one of"),
    "step": (lambda: FeatureDomain("a", "real", 0, 1, step=np.zeros(2)), "step=.* should be 1 for"),
    "ratio": (lambda: corrected_interval([1, 2], HUGE), "test_ratio=1.* should be a finite number"),
    "bytes": (lambda: validated(cv=b"a"), "cv=b'a' should be a number of splits"),
    "0-d cv": (lambda: validated(cv=np.array(0.5)), r"cv=array\(0\.5\) should be a number of"),
    "judge": (lambda: robust(judge=np.zeros(2)), "judge=.* should be one of"),
    "fit_params": (lambda: robust(fit_params=3), "'fit_params' parameter .* Got 3"),
    "profiles": (lambda: profiler().significant(alpha=""), "alpha='' should be above 0"),
    "size of tau": (lambda: profiler().significant(tau=HUGE), "tau=1.* 0 or more"),
    "true": (
        lambda: ReachableSampler(ActionSet.from_data(X)).sample(X[:1], True),
        "n=True should be a whole number",
    ),
    "studies": (lambda: study(n_repeats=HUGE).fit(X, Y), "'n_repeats' parameter"),
    "tau": (lambda: study(tau=HUGE).fit(X, Y), "'tau' parameter"),
    "levels": (lambda: study(levels=np.array(0.5)).fit(X, Y), "levels=array.* should be two"),
    "entries": (lambda: Strategy(corruptions=np.array(1)), "corruptions=array.* should be a list"),
    "resamples": (
        lambda: bootstrap_interval(lambda rows, rng: 1.0, 3, n_resamples=HUGE),
        "n_resamples=1.* at most 1,000,000,000",
    ),
    "stages": (
        lambda: StageFairnessAblator(PIPELINE, stages=[[]], **GROUPS).fit(X, Y),
        r"stages: \[\] is not a stage",
    ),
    "tiny": (lambda: minimum_informative_size(1e-320, 0.1), "alpha=1e-320 should be 1e-100 or"),
    "repeats": (lambda: validated(n_repeats=HUGE), "'n_repeats' parameter"),
    "loss": (lambda: suggested(max_loss=HUGE), "'max_loss' parameter"),
    "few": (lambda: suggested(sensitive_features=X["sex"][:3]), "sensitive_features has 3 rows"),
    "tol": (lambda: GenerativeLabelModel(tol=HUGE).fit(VOTES), "'tol' parameter"),
    "classes": (
        lambda: MajorityVoteLabeler(classes=[None, {}]).fit(VOTES),
        "classes holds {}, which is not a single value",
    ),
    "target": (lambda: audited(pd.NA), r"target=<NA>: the model never predicts <NA>, but"),
    "0-d target": (lambda: audited(np.array(7)), r"target=array\(7\)"),
    "truth of times": (
        lambda: lf_summary(VOTES, np.zeros(4, dtype="M8[ns]")),
        "a true class is a whole number from 0",
    ),
    "votes": (
        lambda: GenerativeLabelModel(prior_strength=1e308).fit(VOTES),
        "'prior_strength' parameter",
    ),
    "words": (
        lambda: ConformalRegressor(LinearRegression()).fit(X, ["u"] * N),
        "y should hold one",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arguments_are_refused_by_name(case):
    call, message = REFUSED[case]
    with pytest.raises((ValueError, TypeError), match=message):
        call()


@pytest.mark.parametrize(
    "display",
    [
        AdversarialSearchDisplay({"clean": 0.9}),
        AdversarialOrderDisplay(pd.DataFrame({"curve": ["a"]})),
    ],
)
@pytest.mark.parametrize("ax", [b"x", 3, pd.DataFrame()])
def test_what_is_no_axes_is_refused(display, ax):
    with pytest.raises(TypeError, match=r"(?s)ax=.* should be matplotlib Axes"):
        display.plot(ax=ax)


@pytest.mark.parametrize("kind", [np.zeros(2), pd.DataFrame(), pd.NA])
def test_what_is_no_kind_of_picture_is_refused(kind):
    with pytest.raises(ValueError, match=r"(?s)kind=.* should be one of \['scores', 'budgets'"):
        AdversarialSearchDisplay({"clean": 0.9}).plot(kind=kind)


def test_n_jobs_is_a_number_of_workers():
    check_arguments("f", {"n_jobs": N_JOBS}, {"n_jobs": -1, "other": 0})
    search = flat_search(GaussianNB(), "labels", n_jobs=0)
    with pytest.raises(ValueError, match="'n_jobs' parameter of AdversarialCorruptionSearch"):
        search.fit(X, Y)


def test_a_choice_is_one_of_some_texts():
    check_choice("way", "up", ("up", "down"))
    with pytest.raises(ValueError, match=re.escape("way=None should be one of ['up', 'down'].")):
        check_choice("way", None, iter(("up", "down")))


def test_a_column_has_one_value_a_row():
    assert as_column([[1], [2]], "z").tolist() == [1, 2]
    assert as_column(pd.Series(["a", 1], dtype=object), "z").tolist() == ["a", 1]
    for odd in (3, [[1, 2]], np.zeros((2, 2, 2))):
        with pytest.raises(ValueError, match="z has shape"):
            as_column(odd, "z")


def test_whole_numbers_that_no_float_holds_are_categories():
    frame = pd.DataFrame({"a": [HUGE, 1, None, 2] * 5}, dtype=object)
    for corruption in (CorruptNoise(rate=0.5), CorruptOutliers(rate=0.5), CorruptMissing(rate=0.5)):
        out = corruption.fit_transform(frame)
        assert out["a"].dtype == object
        assert 0 < corruption.record_.n_corrupted <= 10


def test_noise_beyond_what_floats_hold_is_infinite():
    out = CorruptNoise("a", scale=1e308, rate=1.0, random_state=0).fit_transform(X)
    assert np.isinf(out["a"]).any()


@pytest.mark.parametrize("dtype", ["float16", "longdouble"])
def test_labels_of_rare_floats_are_flipped(dtype):
    y = Y.astype(dtype)
    out = CorruptLabels(rate=0.5, random_state=0).fit_resample(X, y)[1]
    assert out.dtype == y.dtype
    assert int((out != y).sum()) == N // 2


@pytest.mark.many
@pytest.mark.parametrize("dtype", ["float16", "longdouble"])
def test_groups_of_rare_floats_are_compared(dtype):
    assert len(compared(y=Y.astype(dtype), cv=2, random_state=0))


def test_votes_of_float16_are_read():
    found = MajorityVoteLabeler().fit(VOTES.astype("float16")).predict(VOTES)
    assert (found == MajorityVoteLabeler().fit(VOTES).predict(VOTES)).all()


def test_true_labels_beyond_whole_numbers_are_told_apart():
    with pytest.raises(ValueError, match=r"y has the labels .*inf"):
        curator().score_ordering([np.inf] * 4)


def test_decimals_are_no_levels():
    with pytest.raises(ValueError, match="'alpha' parameter"):
        compared(alpha=decimal.Decimal("0.5"))


def test_an_alpha_that_needs_endless_rows_is_said():
    with pytest.warns(UserWarning, match="needs inf calibration rows"):
        ConformalRegressor(LinearRegression(), alpha=1e-320).fit(X, np.arange(N))


def test_a_model_that_predicts_other_labels_is_told_so():
    class Says(GaussianNB):
        def predict(self, X):
            return np.full(len(X), "no such class")

    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    L = np.where(rng.random((60, 5)) < 0.8, y[:, None], 1 - y[:, None])
    made = NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2).fit(L)
    with pytest.raises(ValueError, match=r"estimator predicts \['no such class'\]"):
        made.evaluate(Says(), rng.normal(size=(60, 1)), cv=2)


def test_an_error_of_the_clean_pipeline_is_said_to_be_one():
    class Odd(GaussianNB):
        def fit(self, X, y):
            raise TypeError("no such thing")

    search = flat_search(Odd(), "labels", cv=2, max_conditions=1, random_state=0)
    with pytest.raises(TypeError, match=r"fitted and scored on X and y .* no such thing"):
        search.fit(X, Y)


def test_complex_and_huge_numbers_are_no_values_of_people():
    actions = ActionSet.from_data(X)
    assert np.isnan(actions.codes(X + 1j)).all()
    huge = X.astype(object)
    huge.iloc[0, 0] = HUGE
    assert np.argwhere(np.isnan(actions.codes(huge))).tolist() == [[0, 0]]


def test_repeats_for_more_scenarios_than_floats_count():
    assert least_repeats(2**60) - least_repeats(2**50) == 10
    assert least_repeats(HUGE) > 1300


def test_a_range_is_a_list_of_samples():
    assert apply_lfs(range(3), [lambda i: i]).ravel().tolist() == [0, 1, 2]


def test_columns_of_another_byte_order_are_read():
    swapped = X.to_numpy(dtype=">f8")
    assert str(ActionSet.from_data(swapped)) == str(ActionSet.from_data(X.to_numpy(dtype=float)))


def test_a_column_of_infinities_has_no_bounds():
    with pytest.raises(ValueError, match="Column 'x0' has no finite value"):
        ActionSet.from_data(np.full((3, 1), np.inf))


def test_what_is_infinite_is_on_no_step():
    assert AGE.allows(2, np.array([np.inf, 3.0])).tolist() == [False, True]


def test_gaps_under_more_conditions_than_there_are_columns():
    gaps = X.assign(b=X["b"].mask(X["a"] > 3))
    many, few = (learn_gaps(gaps, max_conditions=n) for n in (HUGE, 3))
    assert many.report["n_missing"].equals(few.report["n_missing"])


def test_names_with_a_comma_are_told_apart():
    X = as_table(pd.DataFrame(0, index=[0], columns=["a", "b, c", "d`e"]))
    assert describe_columns(X) == "a, `b, c`, `d``e`"
