"""Splits and groups that cannot be used are refused alike by every system that takes them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from cheap_models import Centroids
from skcorrupt import (
    CorruptMissing,
    NaturalAdversarialCurator,
    StageFairnessAblator,
    cross_validate_corrupted,
)
from skcorrupt.curation import MajorityVoteLabeler
from small_searches import quick, small_data

pytestmark = pytest.mark.usefixtures("few_fits")

N = 60
TRAIN, TEST = np.arange(40), np.arange(40, N)
X, Y = small_data(N)


def cross_validated(cv, groups=None):
    results = cross_validate_corrupted(
        Centroids(), X, Y, CorruptMissing("a"), cv=cv, groups=groups, random_state=0
    )
    return results["test_score"].tolist()


def searched(cv, groups=None):
    search = quick("labels", cv=cv, n_calls=2, max_conditions=0).fit(X, Y, groups=groups)
    return search.cv_results_["mean_test_score"].tolist()


def ablated(cv, groups=None):
    ablator = StageFairnessAblator(
        make_pipeline(StandardScaler(), GaussianNB()), sensitive_features="c", privileged=1.0,
        pos_label=1, cv=cv, random_state=0,
    ).fit(X, Y, groups=groups)  # fmt: skip
    return ablator.stage_effects_["mean"].tolist()


def curated(cv):
    L = np.c_[Y, Y, np.where(np.arange(N) % 5, Y, 1 - Y)]
    curator = NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2).fit(L)
    return curator.evaluate(LogisticRegression(), X[["b"]], Y, cv=cv)


SYSTEMS = [cross_validated, searched, ablated, curated]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([], r"cv=\[\] gives no split"),
        ([(TRAIN, [*TEST, N])], "cv=.*the test rows of split 0 have the position 60, but there "),
        ([(TRAIN, TEST), ([-1, 2], TEST)], "the training rows of split 1 have the position -1"),
        ([(TRAIN, TEST / 1.0)], "the test rows of split 0 are .*positions of rows, whole numbers"),
        ([(TRAIN.astype(str), TEST)], "the training rows of split 0 are .*whole numbers from 0 to"),
        ([(TRAIN, [])], "the test rows of split 0 are none"),
        ([(TRAIN[:0], TEST)], "the training rows of split 0 are none"),
        ([(TRAIN < 50, TEST)], "the training rows of split 0 are .*a mask of 60 truth values"),
        ([(np.zeros(N, bool), TEST)], "the training rows of split 0 are none"),
        ([([TRAIN], TEST)], "the training rows of split 0 are"),
        ([([[1, 2], [3]], TEST)], "the training rows of split 0 are"),
        ([(TRAIN, TEST, TEST)], "split 0 is .*should be a pair"),
        ([TRAIN], "split 0 is .*should be a pair"),
        ([3], "split 0 is 3; it should be a pair"),
        (["ab"], "split 0 is 'ab'"),
        (1, "cv=1"),
        (0, "cv=0"),
        (True, "cv=True"),
        ("five", "cv='five'"),
        (2.5, r"cv=2\.5"),
        (KFold(90), "cv=KFold.*n_splits=90"),
    ],
    ids=lambda value: "" if isinstance(value, list) else str(value)[:40],
)
def test_splits_that_cannot_be_are_refused_by_name(system, cv, message):
    with pytest.raises(ValueError, match=message):
        system(cv)


class Strange(KFold):
    """A splitter that gives something else."""

    def split(self, X, y=None, groups=None):
        return iter([("train", "test", "rest")])


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_splitter_gives_is_checked_too(system):
    with pytest.raises(ValueError, match=r"cv=Strange.*split 0 is .*should be a pair"):
        system(Strange())


@pytest.mark.parametrize("system", SYSTEMS[:3])
def test_masks_are_splits_too(system):
    rows = np.arange(N)
    by_mask = system([(rows < 40, rows >= 40), (TEST, TRAIN.tolist())])
    assert len(by_mask) > 0
    np.testing.assert_array_equal(by_mask, system([(TRAIN, TEST), (TEST, TRAIN)]))


def test_masks_test_every_row_once():
    rows = np.arange(N)
    by_mask = curated([(rows < 40, rows >= 40), (TEST, TRAIN.tolist())])
    pd.testing.assert_frame_equal(by_mask, curated([(TRAIN, TEST), (TEST, TRAIN)]))


@pytest.mark.parametrize("system", SYSTEMS[:3])
@pytest.mark.parametrize(
    "splitter",
    [GroupKFold(3), GroupShuffleSplit(2), StratifiedGroupKFold(3), LeaveOneGroupOut()],
    ids=lambda splitter: type(splitter).__name__,
)
@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (None, "cv=.*groups"),
        (np.ones(N - 1), r"groups has shape \(59,\)"),
        (np.ones((N, 1)), r"groups has shape \(60, 1\)"),
        (np.r_[np.nan, np.arange(N - 1)], "groups has 1 missing values, the first in row 0"),
        (np.array(["a", 1] * (N // 2), dtype=object), "groups mixes types"),
        (["a", None] * (N // 2), "groups has 30 missing values"),
    ],
    ids=["none", "too few", "a table", "missing", "mixed", "None"],
)
def test_groups_that_cannot_be_are_refused_by_name(system, splitter, groups, message):
    with pytest.raises(ValueError, match=message):
        system(splitter, groups)


@pytest.mark.parametrize("system", SYSTEMS[:3])
@pytest.mark.parametrize("splitter", [GroupKFold(3), GroupShuffleSplit(2), LeaveOneGroupOut()])
def test_a_single_group_cannot_be_split(system, splitter):
    with pytest.raises(ValueError, match=f"cv={type(splitter).__name__}"):
        system(splitter, ["only"] * N)


def test_a_single_group_cannot_be_set_aside():
    search = quick("labels", cv=2, n_calls=2, confirm_size=0.25)
    with pytest.raises(ValueError, match=r"groups has the single group 'only'.*confirm_size=None"):
        search.fit(X, Y, groups=["only"] * N)


def test_a_single_group_confirms_without_an_interval():
    search = quick("labels", n_calls=2, max_conditions=0, cv=2).fit(X, Y)
    with pytest.raises(ValueError, match=r"groups has shape \(3,\)"):
        search.confirm(X, Y, groups=[1, 2, 3])
    with pytest.warns(UserWarning, match="no interval: a single group holds all of the 60 rows"):
        search.confirm(X, Y, groups=["only"] * N)
    assert np.isfinite(search.confirmed_score_) and np.isnan(search.confirmed_interval_).all()


def test_folds_without_a_label_to_learn_from_are_refused():
    L = np.c_[Y, Y, Y]
    curator = NaturalAdversarialCurator(MajorityVoteLabeler(), n_datasets=2).fit(L)
    told = np.where(np.arange(N) < 30, Y, np.nan)
    with pytest.raises(ValueError, match="no training row of split 0 has a label"):
        curator.evaluate(LogisticRegression(), X[["b"]], told, cv=KFold(2))
