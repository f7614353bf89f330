"""Results that were put together, with a digest that is right, are refused by name when read."""

import copy
import json

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from cheap_models import Centroids
from fitted_systems import SYSTEMS, table
from skcorrupt import AdversarialCorruptionSearch, CorruptScale
from skcorrupt.adversarial import SearchSpace
from skcorrupt.evaluation._fitted_results import _digest
from skcorrupt.report import write_html
from skcorrupt.robustness import RobustSearchCV, compare_robustness

pytestmark = [pytest.mark.usefixtures("few_fits"), pytest.mark.slow]

SETTINGS = {"cv": 2, "space": SearchSpace(max_conditions=1, n_bins=2), "random_state": 0}


def robust():
    grid = {"var_smoothing": [1e-9, 0.1]}
    given = {"apply_to": "test", "confirm_size": None, **SETTINGS}
    return RobustSearchCV(GaussianNB(), grid, CorruptScale("a"), **given).fit(*table())


def comparison():
    models = {"bayes": GaussianNB(), "near": Centroids()}
    return compare_robustness(
        models, *table(), corruptions=["scale"], budgets=(0.1,), confirm_size=None, **SETTINGS
    )


MAKERS = {
    **SYSTEMS,
    "curve": lambda: SYSTEMS["search"](budget=[0.1, 0.2]),
    "robust": robust,
    "comparison": comparison,
}


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """The class of every system, and what its file holds."""
    folder = tmp_path_factory.mktemp("results")
    made = {name: make() for name, make in MAKERS.items()}
    files = {name: each.to_json(folder / f"{name}.json") for name, each in made.items()}
    return {name: (type(made[name]), json.loads(file.read_text())) for name, file in files.items()}


def forged(content, folder, change):
    """A file of changed content with the digest of that."""
    content = copy.deepcopy(content)
    change(content)
    content.pop("digest")
    content["digest"] = _digest(content)
    file = folder / "forged.json"
    file.write_text(json.dumps(content))
    return file


def expected_of(cls):
    """What is expected of a system, by the part of the file and the name."""
    parts = {"results": cls._expected_results, "params": cls._expected_arguments}
    return [(part, name, each) for part, all_of in parts.items() for name, each in all_of.items()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MAKERS)
def test_what_is_missing_or_of_another_kind_is_refused_by_its_name(contents, tmp_path, name):
    cls, content = contents[name]
    looked = 0
    for part, result, expected in expected_of(cls):
        if result not in content[part]:
            assert not expected.needed
            continue
        looked += 1

        def lose(changed, part=part, result=result):
            del changed[part][result]

        def swap(changed, part=part, result=result):
            changed[part][result] = {"set": [1]}

        with pytest.raises(ValueError, match=f"{part}.{result}.* should be"):
            cls.from_json(forged(content, tmp_path, swap))
        if expected.needed or expected.beside in content[part]:
            with pytest.raises(ValueError, match=f"{part}.{result} is missing"):
                cls.from_json(forged(content, tmp_path, lose))
        else:
            read = cls.from_json(forged(content, tmp_path, lose))
            write_html(read, tmp_path / "page.html")
    assert looked > 7


@pytest.mark.parametrize("name", MAKERS)
def test_a_table_that_lacks_a_column_is_refused(contents, tmp_path, name):
    cls, content = contents[name]
    for part, result, expected in expected_of(cls):
        kept = content[part].get(result)
        if not (isinstance(kept, dict) and "frame" in kept and "columns " in expected.what):
            continue
        column = expected.what.split(", ")[-1]

        def rename(changed, part=part, result=result, column=column):
            labels = changed[part][result]["frame"]["columns"]["array"]["values"]
            labels[labels.index(column)] = "other"

        with pytest.raises(ValueError, match=f"{result} should be .*; {column} is missing"):
            cls.from_json(forged(content, tmp_path, rename))


def test_numbers_that_are_texts_are_refused(contents, tmp_path):
    cls, content = contents["curve"]

    def change(changed):
        pairs = changed["results"]["cv_results_"]["dict"]
        [scores] = [pair for pair in pairs if pair[0] == "mean_test_score"]
        n = len(scores[1]["array"]["values"])
        scores[1]["array"] = {"dtype": "<U2", "shape": [n], "values": ["x"] * n}

    with pytest.raises(ValueError, match=r"cv_results_ should .*mean_test_score should hold num"):
        cls.from_json(forged(content, tmp_path, change))


def test_what_does_not_fit_together_is_refused(contents, tmp_path):
    cls, content = contents["curator"]

    def change(changed):
        changed["results"]["order_"]["array"]["values"][0] = 10**6

    with pytest.raises(ValueError, match="results do not fit together"):
        cls.from_json(forged(content, tmp_path, change))
    assert np.isfinite(
        AdversarialCorruptionSearch.from_json(
            forged(contents["search"][1], tmp_path, lambda changed: None)
        ).baseline_score_
    )
