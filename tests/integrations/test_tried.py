"""Models and data of all kinds: a search finds an error, and what cannot work says why."""

from pathlib import Path

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch, CorruptMissing
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from tried import TRIED, numbers, table

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "tried.md"


@pytest.mark.usefixtures("few_fits")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tried", TRIED, ids=lambda tried: tried.name)
def test_it_was_tried(tried):
    for library in tried.libraries:
        pytest.importorskip(library)
    with config_context(enable_metadata_routing=tried.routing):
        estimator, X, y = tried.make()
    search = AdversarialCorruptionSearch(
        estimator,
        tried.error,
        budget=0.3,
        cv=None if tried.served else ShuffleSplit(1, test_size=0.3, random_state=0),
        confirm_size=None,
        apply_to="test" if tried.served else "train",
        space=SearchSpace(max_conditions=0, own_column="allowed", label="allowed", n_bins=2),
        strategy=ExhaustiveSearch(),
        error_score="raise",
        random_state=0,
    )
    params = {} if tried.fit_params is None else tried.fit_params(X, y)
    with config_context(enable_metadata_routing=tried.routing):
        if tried.refused:
            with pytest.raises(ValueError, match=tried.refused):
                search.fit(X, y, **params)
            return
        if tried.served:
            estimator.fit(X, y, **params)
            search.fit(X, y)
        else:
            search.fit(X, y, **params)
        assert changes(search.worst_corruption_, estimator, X, y, params, served=tried.served)
    assert search.worst_corruption_ is not None
    assert np.isfinite([search.baseline_score_, search.worst_score_]).all()
    assert (search.cv_results_["status"] == "ok").any()
    assert max(search.cv_results_["row_fraction"]) > 0


def changes(error, estimator, X, y, params, *, served):
    """Whether what the model says is other than without the error."""
    dirty = clone(error).fit(X, y).corrupt(X, y)
    if served:
        return not np.allclose(answers(estimator, dirty.X), answers(estimator, X))
    fitted = [clone(estimator).fit(*rows, **params) for rows in ((X, y), (dirty.X, dirty.y))]
    return not np.allclose(*(answers(each, X) for each in fitted))


def answers(model, X):
    """What a model says, as finely as it can."""
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


@pytest.mark.usefixtures("few_fits")
def test_a_model_that_never_sees_the_error_is_noticed():
    X, y = numbers()
    error = CorruptMissing("b", rate=0.3, random_state=0)
    for served in (False, True):
        for column, seen in (("a", False), ("b", True)):
            only = ColumnTransformer([("kept", SimpleImputer(), [column])])
            model = make_pipeline(only, GaussianNB()).fit(X, y)
            assert changes(error, model, X, y, {}, served=served) == seen


def test_the_table_of_the_guide_is_that_of_what_is_tried():
    assert table() in GUIDE.read_text(encoding="utf-8")
