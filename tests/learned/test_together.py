"""Columns that go wrong in the same rows: told, struck together, and only where they do."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.learned import LearnedErrors, learn_errors
from skcorrupt.learned._learn_errors import ALPHA
from skcorrupt.report import write_html

N = 900


def places(seed=0):
    rng = np.random.default_rng(seed)
    names = ["lat", "lon", "height", "age"]
    return pd.DataFrame(rng.normal(50, 9, (N, 4)).round(3), columns=names)


def struck(seed, share):
    return np.random.default_rng(100 + seed).uniform(size=N) < share


def lost_together():
    """Both coordinates are lost where the age is high, heights anywhere."""
    clean = places()
    dirty = clean.copy()
    dirty.loc[(clean["age"] > 55) & struck(0, 0.6), ["lat", "lon"]] = np.nan
    dirty.loc[struck(1, 0.2), "height"] = np.nan
    return dirty, clean


def test_columns_that_go_wrong_together_are_told_and_struck_together():
    learned = learn_errors(*lost_together())
    told = learned.report.set_index("column")["together_with"].to_dict()
    assert told == {"lat": ("lon",), "lon": ("lat",), "height": ()}
    assert "mostly in the same rows as lon" in str(learned)
    one = learned.template("lon")
    assert one.columns == ["lat", "lon"]
    assert set(one.pattern.columns) == {"age"}
    assert learned.search_space("lon").corrupt_columns == [("lat", "lon")]
    assert sorted(map(str, (each.columns for each in learned.template()))) == [
        "['lat', 'lon']",
        "height",
    ]
    again = LearnedErrors.from_dict(learned.to_dict())
    assert again.report["together_with"].tolist() == learned.report["together_with"].tolist()


@pytest.mark.usefixtures("few_fits", "undrawn")
def test_a_search_loses_them_together():
    dirty, clean = lost_together()
    y = pd.Series((clean["lat"] + clean["lon"] > 100).astype(int))
    learned = learn_errors(dirty, clean)
    found = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), LogisticRegression()),
        learned.template("lat"),
        budget=learned.budget(name="lat"),
        space=learned.search_space("lat"),
        cv=2,
        confirm_size=None,
        random_state=0,
    ).fit(clean, y)
    hit = {tuple(np.ravel(columns)) for columns in found.cv_results_["columns"]}
    assert hit == {("lat", "lon")}


def test_the_page_says_so(tmp_path):
    page = tmp_path / "learned.html"
    write_html(learn_errors(*lost_together()), page)
    assert "goes wrong in the same rows" in page.read_text(encoding="utf-8")


def test_kinds_that_differ_are_not_struck_by_one_template():
    clean = places()
    dirty = clean.copy()
    both = struck(2, 0.3)
    dirty.loc[both, "lat"] = np.nan
    dirty.loc[both, "lon"] = -999.0
    learned = learn_errors(dirty, clean)
    assert learned.report["together_with"].tolist() == [("lon",), ("lat",)]
    assert learned.template("lat").columns == "lat"
    assert learned.search_space("lat").corrupt_columns == ["lat"]


@pytest.mark.slow
def test_errors_that_know_nothing_of_each_other_are_not_together():
    n_tried, wrong = 20, 0
    for seed in range(n_tried):
        clean = places(seed)
        dirty = clean.copy()
        for i, name in enumerate(clean):
            # so common that chance alone lets most rows share two of them
            dirty.loc[struck(4 * seed + i, 0.7), name] = np.nan
        wrong += any(learn_errors(dirty, clean).report["together_with"])
    # of those allowed, by chance
    assert wrong <= binom.ppf(0.999, n_tried, ALPHA)
