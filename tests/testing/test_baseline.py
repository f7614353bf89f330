"""Scores that are kept: what may be compared, what is refused, and that none gets lost."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from cheap_models import Centroids, share_right
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.testing import assert_robust
from skcorrupt.testing._baseline import Baseline
from small_searches import ONE_SPLIT, small_data

pytestmark = pytest.mark.usefixtures("few_fits")


class Good(Centroids):
    """What was released."""


class Bad(Centroids):
    """Right as often on clean data, and worse where labels are wrong."""

    def fit(self, X, y):
        self.turned_ = bool((y != small_data()[1][y.index]).any())
        return super().fit(X, y)

    def predict(self, X):
        found = super().predict(X)
        return 1 - found if self.turned_ else found


def asserted(file, model=None, X=None, y=None, **params):
    if X is None:
        X, y = small_data()
    settings = {
        "corruption": "labels",
        "budget": 0.2,
        "scoring": share_right,
        "judge": "searched",
        "cv": ONE_SPLIT,
        "confirm_size": None,
        "strategy": BeamSearch(n_calls=2),
        "space": SearchSpace(max_conditions=1, n_bins=2),
        "name": "labels",
    }
    return assert_robust(model or Good(), X, y, baseline=file, **{**settings, **params})


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        from few_fits import make_few_fits

        make_few_fits(patch)
        file = tmp_path_factory.mktemp("kept") / "robustness.json"
        search = asserted(file, update_baseline=True)
    return file, search


def test_what_is_kept_is_the_score_under_the_worst_error(kept):
    file, search = kept
    entry = json.loads(file.read_text(encoding="utf-8"))["labels"]
    assert entry["score"] == pytest.approx(search.worst_score_)
    assert entry["clean"] == search.baseline_score_
    assert asserted(file, verbose=0).worst_score_ == search.worst_score_


def test_a_lower_score_fails_unless_it_is_tolerated(kept):
    file, search = kept
    with pytest.raises(AssertionError, match="Bad scores") as failure:
        asserted(file, Bad())
    worse = failure.value.search
    lost = search.worst_score_ - worse.worst_score_
    assert worse.baseline_score_ == search.baseline_score_ and lost > 0.01
    for part in (f"has {search.worst_score_:.4g} for 'labels'", worse.summary(), "CorruptLabels("):
        assert part in str(failure.value)
    asserted(file, Bad(), tolerance=lost + 1e-9)
    with pytest.raises(AssertionError, match="tolerance="):
        asserted(file, Bad(), tolerance=lost - 1e-9)


@pytest.mark.long
def test_a_bound_holds_beside_the_baseline(kept, tmp_path):
    file, search = kept
    with pytest.raises(AssertionError, match="more than max_drop=0"):
        asserted(file, max_drop=0)
    asserted(file, max_drop=search.score_drop_)
    with pytest.raises(AssertionError, match="more than max_drop=0"):
        asserted(tmp_path / "new.json", max_drop=0, update_baseline=True)
    assert not list(tmp_path.iterdir())
    # the bound that failed is told, not that nothing could be kept
    with pytest.raises(AssertionError, match="more than max_drop=0"):
        asserted(tmp_path / "new.json", max_drop=0)
    with pytest.raises(ValueError, match=r"new\.json"):
        asserted(tmp_path / "new.json", max_drop=search.score_drop_)


def test_what_is_passed_to_fit_is_a_setting(tmp_path):
    n, file = len(small_data()[1]), tmp_path / "kept.json"
    groups, others = {"groups": [i % 7 for i in range(n)]}, {"groups": [i % 5 for i in range(n)]}
    asserted(file, update_baseline=True, fit_params=groups)
    asserted(file, fit_params=groups)
    with pytest.raises(ValueError, match="fit_params"):
        asserted(file, fit_params=others)


def test_what_cannot_be_compared_is_refused_before_the_search(kept, tmp_path):
    X, y = small_data()
    file, _ = kept
    for params, said in [
        ({"budget": 0.1}, r"budget was 0\.2 and is 0\.1"),
        ({"judge": "searched", "space": SearchSpace(max_conditions=2)}, "space was SearchSpace"),
        ({"X": X.assign(a=X["a"] + 1), "y": y}, r"data was '\w{16}' and is '\w{16}'"),
        ({"name": "other"}, "no entry name='other', only 'labels'; pass update_baseline=True"),
    ]:
        with pytest.raises(ValueError, match=said):
            asserted(file, **params)
    with pytest.raises(ValueError, match="no entry name='labels', only nothing"):
        asserted(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "should be an object with an entry for each assertion"),
        ('{"labels": 1}', "labels=1 should be an object with score"),
        ('{"labels": {"score": "x", "clean": 1, "settings": {}, "skcorrupt": ""}}', "labels.score"),
        ('{"labels": {"score": 1, "clean": 1, "settings": {"a": 1}, "skcorrupt": ""}}', "gs.a=1"),
        ("{", "it is no JSON at line 1"),
    ],
)
def test_a_damaged_file_is_told_and_left_alone(tmp_path, content, said):
    file = tmp_path / "robustness.json"
    file.write_text(content, encoding="utf-8")
    for update in (False, True):
        with pytest.raises(ValueError, match=said):
            asserted(file, update_baseline=update)
    assert file.read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"file": None}, "leave nothing to compare with"),
        ({"file": 3}, "baseline=3 should be a str or Path"),
        ({"tolerance": -1}, "tolerance=-1 should be a number, 0 or more"),
        ({"name": 3}, "name"),
        ({"update_baseline": "yes"}, "update_baseline"),
    ],
)
def test_wrong_use_is_named(tmp_path, params, said):
    with pytest.raises((TypeError, ValueError), match=said):
        asserted(**{"file": tmp_path / "robustness.json", **params})


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(IsADirectoryError, match=r"baseline=.* is a folder"):
        asserted(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"baseline=.* does not exist"):
        asserted(tmp_path / "none" / "robustness.json")


def test_many_may_keep_scores_at_the_same_moment(tmp_path):
    file = tmp_path / "robustness.json"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: Baseline(file, f"test {i}", {}).keep(i / 100, 1.0), range(24)))
    assert len(json.loads(file.read_text(encoding="utf-8"))) == 24
    assert [Baseline(file, f"test {i}", {}).score() for i in range(24)] == [
        i / 100 for i in range(24)
    ]
    assert [each.name for each in tmp_path.iterdir()] == ["robustness.json"]
