"""An interrupted study goes on, and gives what it would have given."""

import contextlib
import random
import shutil
import signal
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB

from children import alive, started, wait_for
from interrupted_study import Dies, n_kept, study
from skcorrupt import CorruptLabels, CorruptMissing, CorruptNoise

N_FITS = 3 * (1 + 3 * 2)


class Listed(GaussianNB):
    """Takes a long list."""

    def __init__(self, many=()):
        super().__init__()
        self.many = many


@pytest.fixture(autouse=True)
def _no_counts_left():
    Dies.n_fits, Dies.last, Dies.interrupts = 0, None, False
    yield
    Dies.n_fits, Dies.last, Dies.interrupts = 0, None, False


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.fixture(scope="module")
def expected():
    made, X, y = study(None)
    return made.fit(X, y).curves_


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The journal of a study that has ended."""
    journal = tmp_path_factory.mktemp("whole") / "journal.sqlite"
    fitted(journal)
    return journal


@pytest.fixture
def ended(whole, path):
    """A copy of it."""
    return shutil.copy(whole, path)


def fitted(journal, **params):
    made, X, y = study(journal, **params)
    return made.fit(X, y)


@pytest.mark.long
def test_ten_interruptions(path, expected):
    """Each at a random fit; what is finished is not fitted again."""
    draw = random.Random(5)
    for _ in range(10):
        kept = n_kept(path)
        if kept == N_FITS:
            path.unlink()
            kept = 0
        Dies.n_fits, Dies.interrupts = 0, True
        Dies.last = draw.randint(1, min(6, N_FITS - kept))
        with contextlib.suppress(KeyboardInterrupt), warnings.catch_warnings():
            # after a whole repeat there is something to show, before it there is not
            warnings.filterwarnings("ignore", "The profile was ended by Ctrl-C")
            fitted(path)
        # a level of a scenario is what is kept at once, here one fit: no finished one is lost
        assert n_kept(path) == kept + Dies.last - 1
    kept = n_kept(path)
    Dies.n_fits, Dies.last = 0, None
    done = fitted(path)
    assert done.n_fits_ == Dies.n_fits == N_FITS - kept
    pd.testing.assert_frame_equal(done.curves_, expected)


@pytest.mark.slow
def test_ten_killed_processes(path, expected):
    """Each dies at a random fit, as it would without power; no finished one is lost."""
    draw = random.Random(7)
    code = "import sys, interrupted_study as m; m.main(sys.argv[1], int(sys.argv[2]))"
    kept = 0
    for _ in range(10):
        last = draw.randint(1, 3)
        with started(code, path, last) as child:
            assert child.wait() == 9
        kept += last - 1
        assert n_kept(path) == kept
    assert 0 < kept < N_FITS
    done = fitted(path)
    assert done.n_fits_ == N_FITS - kept
    pd.testing.assert_frame_equal(done.curves_, expected)


def test_a_finished_study_is_read_and_nothing_is_fitted(ended, expected):
    Dies.n_fits = 0
    again = fitted(ended)
    assert again.n_fits_ == Dies.n_fits == 0
    pd.testing.assert_frame_equal(again.curves_, expected)
    again = fitted(str(ended))
    assert again.n_fits_ == 0


@pytest.mark.long
@pytest.mark.parametrize("other", [{"seed": 4}, {"shift": 1.0}])
def test_other_seeds_and_data_do_not_mix(ended, expected, other):
    path = ended
    apart = fitted(path, **other)
    assert apart.n_fits_ == N_FITS
    pd.testing.assert_frame_equal(apart.curves_, fitted(None, **other).curves_)
    pd.testing.assert_frame_equal(fitted(path).curves_, expected)
    assert n_kept(path) == 2 * N_FITS


@pytest.mark.many
@pytest.mark.parametrize(
    "change",
    [
        {"estimators": {"dies": GaussianNB()}},
        {"levels": (0, 0.3, 0.7)},
        {"cv": ShuffleSplit(3, random_state=0)},
        {"scoring": "accuracy"},
        {"corruptions": [CorruptNoise(scale=2.0), CorruptLabels()]},
        {"corruptions": [CorruptNoise(sampling="normal"), CorruptLabels()]},
        {"corruptions": [CorruptNoise(), CorruptLabels(pattern="a > 0")]},
        {"corruptions": [CorruptNoise(["b", "a"]), CorruptLabels()], "strategy": "custom"},
    ],
)
def test_other_settings_do_not_mix(ended, change):
    made, X, y = study(ended)
    made.set_params(**change)
    alone = study(None)[0].set_params(**made.get_params(deep=False) | {"journal": None})
    made.fit(X, y)
    assert made.n_fits_ > 0
    pd.testing.assert_frame_equal(made.curves_, alone.fit(X, y).curves_)


@pytest.mark.many
@pytest.mark.filterwarnings("ignore:With one split:UserWarning")
@pytest.mark.parametrize("n_repeats", [1, 2, 5])
def test_more_or_fewer_repeats_go_on_from_the_same_file(ended, n_repeats):
    made, X, y = study(ended)
    before = made.n_repeats
    alone = study(None)[0].set_params(n_repeats=n_repeats).fit(X, y)
    made.set_params(n_repeats=n_repeats).fit(X, y)
    assert made.n_fits_ == max(0, n_repeats - before) * N_FITS // before
    pd.testing.assert_frame_equal(made.curves_, alone.curves_)
    pd.testing.assert_frame_equal(made.profiles_, alone.profiles_)


@pytest.mark.long
def test_lists_of_splits_that_begin_alike_do_not_mix(path):
    rows = np.arange(60)
    first, second, third = ((rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3))
    made, X, y = study(path)
    made.set_params(cv=[first, second]).fit(X, y)
    made.set_params(cv=[first, third]).fit(X, y)
    assert made.n_fits_ == 2 * N_FITS // 3
    alone = study(None)[0].set_params(cv=[first, third]).fit(X, y)
    pd.testing.assert_frame_equal(made.curves_, alone.curves_)


def test_failures_are_kept_but_raised_where_they_should_be(path):
    made, X, y = study(path)
    made.set_params(estimators={"dies": GaussianNB()}, corruptions=[CorruptMissing()])
    with pytest.warns(UserWarning, match="fits failed"):
        made.fit(X, y)
    with pytest.warns(UserWarning, match="fits failed"):
        assert made.fit(X, y).n_fits_ == 0
    with pytest.raises(ValueError, match="NaN"):
        made.set_params(error_score="raise").fit(X, y)


@pytest.mark.many
@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
def test_a_generator_of_the_same_state_goes_on(path, make):
    first = fitted(path, seed=make(3))
    again = fitted(path, seed=make(3))
    assert (first.n_fits_, again.n_fits_) == (N_FITS, 0)
    pd.testing.assert_frame_equal(first.curves_, again.curves_)
    assert fitted(path, seed=make(4)).n_fits_ == N_FITS


def test_what_cannot_be_told_apart_is_refused(path):
    made, X, y = study(path)
    made.set_params(scoring=lambda model, X, y: 0.5)
    with pytest.raises(ValueError, match=r"journal: .*top level of a module") as caught:
        made.fit(X, y)
    said = str(caught.value)
    assert said.count("pickle") == 1 and "PicklingError" not in said and "\n" not in said
    assert caught.value.__suppress_context__


@pytest.mark.long
def test_models_that_print_alike_do_not_mix(path):
    """A printed model is cut short."""
    made, X, y = study(path)
    many = list(range(2000))
    for k in (5, 7):
        many[1000] = k
        made.set_params(estimators={"nb": Listed(list(many))}).fit(X, y)
        assert made.n_fits_ == N_FITS


def test_workers_make_no_difference(path, expected):
    made, X, y = study(path)
    made.set_params(n_jobs=2).fit(X, y)
    assert n_kept(path) == N_FITS
    pd.testing.assert_frame_equal(made.curves_, expected)
    assert fitted(path).n_fits_ == 0


@pytest.mark.slow
def test_two_processes_may_share_a_file(path):
    code = "import sys, interrupted_study as m; m.main(sys.argv[1])"
    with started(code, path, PAUSE="0.01") as one, started(code, path, PAUSE="0.01") as other:
        said = []
        for child in (one, other):
            out, err = child.communicate(timeout=240)
            assert child.returncode == 0, err
            said.append(out)
    assert said[0] == said[1] != ""
    assert n_kept(path) == N_FITS


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_what_is_kept_and_no_worker(path, expected, sent):
    code = "import sys, interrupted_study as m; m.main(sys.argv[1], n_jobs=2)"
    with started(code, path, PAUSE="0.3") as child:
        wait_for(lambda: n_kept(path) >= 3)
        child.send_signal(sent)
        assert child.wait(60) == -sent
        wait_for(lambda: not alive(child.pid))
    kept = n_kept(path)
    assert 3 <= kept < N_FITS
    done = fitted(path)
    assert done.n_fits_ == N_FITS - kept
    pd.testing.assert_frame_equal(done.curves_, expected)
