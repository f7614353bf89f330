"""Models and data of all kinds: a search finds an error, and what cannot work says why."""

from pathlib import Path

import numpy as np
import pytest
from sklearn import config_context
from sklearn.model_selection import ShuffleSplit

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from tried import TRIED, table

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
        cv=ShuffleSplit(1, test_size=0.3, random_state=0),
        confirm_size=None,
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
        search.fit(X, y, **params)
    assert search.worst_corruption_ is not None
    assert np.isfinite([search.baseline_score_, search.worst_score_]).all()
    assert (search.cv_results_["status"] == "ok").any()
    assert max(search.cv_results_["row_fraction"]) > 0


def test_the_table_of_the_guide_is_that_of_what_is_tried():
    assert table() in GUIDE.read_text(encoding="utf-8")
