"""First steps of screenings, candidates that take most of a class, batches of any size."""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from proxy_setups import counted_data, group_share, laid_out, some_candidates
from skcorrupt.adversarial.proxies import StruckGroups, _linear_proxy, _rough_steps, _screen

KINDS = ["missing", "labels", "selection"]


def set_up(kind, budget=0.2, **params):
    X, y = counted_data()
    X = X[["a", "b"]].assign(d=np.arange(len(X)) * 7 % 5)
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    params = {"scoring": "roc_auc", **params}
    if kind == "missing":
        params["corrupt_columns"] = ["a"]
    return laid_out(model, kind, X, y, budget=budget, **params)


def struck(setup, n, seed=0):
    found = some_candidates(setup, n, seed)
    share = np.stack([group_share(setup, mask, c.rate) for _, _, c, mask in found])
    return StruckGroups(
        setup.stand_ins.kind, share, found[0][0].columns, setup.screen._flipped(None)
    )


@pytest.mark.parametrize("most_newton", [0, 40])
@pytest.mark.parametrize("budget", [0.1, 0.5])
@pytest.mark.parametrize("kind", KINDS)
def test_many_first_steps_end_where_converged_models_do(kind, budget, most_newton, monkeypatch):
    monkeypatch.setattr(_linear_proxy, "MOST_NEWTON", most_newton)
    for steps in ("SCREEN_STEPS", "SCREEN_STEPS_LBFGS"):
        monkeypatch.setattr(_linear_proxy, steps, dict.fromkeys(KINDS, 40))
    setup = set_up(kind, budget)
    batch = struck(setup, 12)
    many, _ = setup.proxy.fit(0, batch, polish=False)
    converged, left = setup.proxy.fit(0, batch, polish=True)
    assert left.max() < 1e-4
    np.testing.assert_allclose(many, converged, atol=5e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("boldest", [0.01, 4.0])
def test_steps_of_which_no_change_is_asked_for_are_as_bold(kind, boldest, monkeypatch):
    monkeypatch.setattr(_rough_steps, "BOLDEST", boldest)
    setup = set_up(kind, 0.5)
    batch = struck(setup, 12)
    told, left = setup.proxy.fit(0, batch, polish=False)
    untold, unknown = setup.proxy.fit(0, batch, polish=False, told=False)
    np.testing.assert_allclose(untold, told, rtol=1e-6, atol=1e-7)
    assert np.isinf(unknown).all() and np.isfinite(left).all()
    # some of the last steps are shortened, or none of them
    assert (left > boldest).any() == (boldest < 1)


@pytest.mark.parametrize("kind", KINDS)
def test_those_that_take_most_of_a_class_have_the_score_of_converged_models(kind):
    setup = set_up(kind, 0.6, n_bins=6, max_conditions=1)
    y, groups = setup.groups.y, setup.groups
    shares = np.stack([0.95 * (y == 1), 0.95 * (y == 0), 0.3 * (y == 1)]).astype(np.float32)
    columns, rates = (0,) if kind == "missing" else (), np.full(3, 0.9)
    misjudged = setup.proxy.misjudges(kind, shares, rates, setup.screen.score)
    assert misjudged.tolist() == [True, True, False]
    found, left = setup.screen.scores(columns, None, shares, rates, polish=False)
    known, _ = setup.screen.scores(columns, None, shares, rates, polish=True)
    np.testing.assert_allclose(found[:2], known[:2], atol=1e-9)
    assert (left[:2] < 1e-3).all() and abs(found[2] - known[2]) > 1e-9
    # the third is a formula's, which claims nothing
    assert np.isinf(left[2])
    assert groups.n_classes == 2


@pytest.mark.parametrize("kind", KINDS)
def test_what_has_converged_on_the_way_is_not_fitted_again(kind, monkeypatch):
    setup = set_up(kind, 0.6, n_bins=6, max_conditions=1)
    screen, fitted = setup.screen, []
    found = screen.run()
    n_exact, fit = screen.coverage.n_converged, setup.proxy.fit

    def counted(fold, struck, **params):
        fitted.append(len(struck.share))
        return fit(fold, struck, **params)

    monkeypatch.setattr(setup.proxy, "fit", counted)
    again = screen.rescore(found, len(found.scores), polish=True)
    assert n_exact > 0 and sum(fitted) == len(again.scores) - n_exact
    # the same as by models that are all fitted anew
    fresh = set_up(kind, 0.6, n_bins=6, max_conditions=1).screen
    known = fresh.rescore(found, len(found.scores), polish=True)
    np.testing.assert_allclose(again.scores, known.scores, atol=1e-9)
    assert screen.largest_left <= 1e-6 and again.points == known.points


def test_a_screening_says_how_many_scores_are_converged():
    setup = set_up("selection", 0.6)
    found = setup.screen.run()
    coverage = setup.screen.coverage
    assert 0 < coverage.n_converged < coverage.n_distinct
    before = coverage.n_converged
    setup.screen.rescore(found, 20, polish=True)
    assert before < coverage.n_converged <= before + 20
    tree = set_up("selection", name="tree")
    tree.screen.run()
    assert tree.screen.coverage.n_converged == tree.screen.coverage.n_distinct > 0


@pytest.mark.many
@pytest.mark.parametrize("name", ["linear", "tree"])
@pytest.mark.parametrize("kind", KINDS)
def test_scores_do_not_depend_on_the_batch(kind, name, monkeypatch):
    known = {}
    for batch, at_once in ((64, 512), (3, 7)):
        monkeypatch.setattr(_screen, "BATCH", batch)
        monkeypatch.setattr(_screen, "MASKS_AT_ONCE", at_once)
        found = set_up(kind, 0.4, name=name, n_bins=3).screen.run()
        places = list(zip(found.templates, found.points, strict=True))
        known[batch] = dict(zip(places, found.scores, strict=True))
    assert known[64].keys() == known[3].keys() and len(known[64]) > 64
    np.testing.assert_allclose(
        [known[3][k] for k in known[64]], list(known[64].values()), atol=1e-5
    )
