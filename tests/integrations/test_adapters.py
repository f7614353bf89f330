"""Adapters for skrub, skore and MLflow, each with the library itself where it is installed."""

import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB

import fitted_systems
from cheap_models import Centroids, share_right
from fitted_systems import SYSTEMS
from skcorrupt import AdversarialCorruptionSearch, BaseCorruption
from skcorrupt.adversarial import ExhaustiveSearch, SearchSpace
from skcorrupt.integrations import DataOpEstimator, RobustnessCheck, log_to_mlflow
from skcorrupt.robustness import RobustSearchCV, compare_robustness
from small_searches import small_data

pytestmark = [pytest.mark.usefixtures("few_fits"), pytest.mark.filterwarnings("ignore")]
X, Y = small_data()
HURTS = SearchSpace(max_conditions=1, n_bins=2)


def search(estimator=None, corruption="labels", X=X, **params):
    settings = {
        "cv": ShuffleSplit(1, random_state=0),
        "strategy": ExhaustiveSearch(),
        "space": SearchSpace(max_conditions=0),
        "confirm_size": None,
        "budget": 0.3,
        "random_state": 0,
        **params,
    }
    return AdversarialCorruptionSearch(estimator or Centroids(), corruption, **settings).fit(X, Y)


@pytest.fixture(scope="module")
def made():
    return fitted_systems.made()


@pytest.fixture
def found(few_fits):
    return search(scoring=share_right, confirm_size=0.25, space=HURTS)


class Learner(BaseEstimator):
    """What skrub makes of a plan, as far as it is asked."""

    _estimator_type = "classifier"

    def fit(self, environment):
        self.model_ = Centroids().fit(environment["rows"], environment["labels"])
        self.classes_, self.seen_ = self.model_.classes_, set(environment)
        return self

    def predict(self, environment):
        return self.model_.predict(environment["rows"])

    def score(self, environment):
        return float(np.mean(self.predict(environment) == environment["labels"]))


def test_what_a_learner_can_do_its_estimator_can():
    model = DataOpEstimator(Learner(), environment={"more": 1}, X_name="rows", y_name="labels")
    assert hasattr(model, "predict") and hasattr(model, "score")
    for name in ("predict_proba", "decision_function", "transform"):
        assert not hasattr(model, name)
    with pytest.raises(NotFittedError):
        model.predict(X)
    features = X.fillna(0)
    fitted = clone(model).fit(features, Y)
    assert fitted.learner_.seen_ == {"more", "rows", "labels"}
    np.testing.assert_array_equal(
        fitted.predict(features), Centroids().fit(features, Y).predict(features)
    )
    assert fitted.score(features, Y) == np.mean(fitted.predict(features) == Y)


def test_what_is_no_search_is_refused_by_name():
    model = Centroids().fit(X.fillna(0), Y)
    for call in (log_to_mlflow, RobustnessCheck):
        with pytest.raises(TypeError, match=r"AdversarialCorruptionSearch.*, not a Centroids"):
            call(model)
        with pytest.raises(NotFittedError):
            call(AdversarialCorruptionSearch(model, "missing"))


def test_answers_for_other_rows_are_refused():
    class Deaf(Learner):
        def predict(self, environment):
            return np.zeros(7)

    with pytest.raises(ValueError, match=r"predict gives 7 answers for 5 rows of X"):
        DataOpEstimator(Deaf(), X_name="rows", y_name="labels").fit(X.fillna(0), Y).predict(X[:5])


class TestSkrub:
    @pytest.fixture
    def skrub(self):
        return pytest.importorskip("skrub")

    def learner(self, skrub):
        return skrub.X().skb.apply(skrub.TableVectorizer()).skb.apply(
            LogisticRegression(), y=skrub.y()
        )  # fmt: skip

    def test_a_learner_is_an_estimator(self, skrub):
        model = DataOpEstimator(self.learner(skrub).skb.make_learner())
        assert is_classifier(model) and not hasattr(model, "transform")
        with pytest.raises(NotFittedError):
            model.predict(X)
        fitted = clone(model).fit(X, Y)
        plain = skrub.tabular_pipeline(LogisticRegression()).fit(X, Y)
        assert fitted.score(X, Y) == np.mean(fitted.predict(X) == Y)
        assert fitted.predict_proba(X).shape == (len(X), 2)
        assert list(fitted.classes_) == list(plain.classes_) == [0, 1]
        assert search(model).worst_corruption_ is not None

    def test_further_tables_are_in_the_environment(self, skrub):
        features, labels, more = skrub.var("rows"), skrub.var("labels"), skrub.var("more")
        joined = features.merge(more, on="c", how="left")
        plan = joined.skb.mark_as_X().skb.apply(LogisticRegression(), y=labels.skb.mark_as_y())
        table = pd.DataFrame({"c": [0.0, 1.0], "d": [3.0, 5.0]})
        model = DataOpEstimator(
            plan.skb.make_learner(), environment={"more": table}, X_name="rows", y_name="labels"
        ).fit(X, Y)
        assert model.predict(X).shape == (len(X),)

    def test_what_is_marked_stands_for_X_and_y(self, skrub):
        """A plan on one table must not go on with the table that it was made with."""
        frame = X.assign(label=Y)
        data = skrub.var("data")
        plan = data.drop(columns="label").skb.mark_as_X().skb.apply(skrub.TableVectorizer())
        plan = plan.skb.apply(LogisticRegression(), y=data["label"].skb.mark_as_y())
        model = DataOpEstimator(plan.skb.make_learner(), environment={"data": frame})
        fitted = clone(model).fit(X[:60], Y[:60])
        assert len(fitted.predict(X[:5])) == 5
        turned = clone(model).fit(X[:60], 1 - Y[:60])
        assert np.mean(fitted.predict(X) == turned.predict(X)) < 0.2
        assert search(model).score_drop_ > 0

    def test_names_that_the_plan_lacks_are_refused(self, skrub):
        model = DataOpEstimator(self.learner(skrub).skb.make_learner(), X_name="rows")
        with pytest.raises(ValueError, match=r"X_name='rows' is no variable.*'X', 'y'"):
            model.fit(X, Y)
        rows = skrub.var("rows")
        plan = rows.skb.apply(LogisticRegression(), y=skrub.var("labels"))
        with pytest.raises(ValueError, match=r"mark what stands for X by \.skb\.mark_as_X"):
            DataOpEstimator(plan.skb.make_learner()).fit(X, Y)

    @pytest.mark.parametrize("container", ["pandas", "polars"])
    def test_pipelines_of_skrub(self, skrub, container):
        frame = X.assign(city=np.where(X["c"] > 0, "Rome", "Oslo"))
        if container == "polars":
            polars = pytest.importorskip("polars")
            frame = polars.from_dict({name: frame[name].to_list() for name in frame})
        chosen = skrub.SelectCols(skrub.selectors.numeric() | ["city"])
        for model in (
            skrub.tabular_pipeline(LogisticRegression()),
            skrub.tabular_pipeline("classification").set_params(
                histgradientboostingclassifier__max_iter=2
            ),
        ):
            model.steps.insert(0, ("chosen", chosen))
            assert search(model, "missing", frame).worst_corruption_ is not None


class TestSkore:
    def test_an_issue_where_the_drop_is_larger(self, found):
        drop = found.confirmed_baseline_score_ - found.confirmed_score_
        assert RobustnessCheck(found, max_drop=max(drop, 0)).check_function(None) is None
        if drop > 0:
            check = RobustnessCheck(found, max_drop=drop * (1 - 1e-9))
            assert check.check_function(None) == found.summary()
        only_searched = search(scoring=share_right, space=HURTS)
        assert only_searched.score_drop_ > 0
        assert RobustnessCheck(only_searched, max_drop=0).check_function(None)

    def test_wrong_use(self, found):
        with pytest.raises(ValueError, match="max_drop=-1 should be a number"):
            RobustnessCheck(found, max_drop=-1)
        with pytest.raises(NotFittedError):
            RobustnessCheck(AdversarialCorruptionSearch(Centroids(), "labels"))

    def test_it_is_in_the_summary_of_a_report(self):
        skore = pytest.importorskip("skore")
        found = search(scoring=share_right, space=HURTS)
        report = skore.EstimatorReport(
            LogisticRegression(), X_train=X, y_train=Y, X_test=X, y_test=Y
        )
        report.checks.add([RobustnessCheck(found, max_drop=0.0, code="SKC007")])
        issues = report.checks.summarize(fast_mode=True).frame(section="issue")
        assert found.summary() in issues.astype(str).to_string(max_colwidth=None)


class TestMlflow:
    def test_a_run_has_all_of_it(self, found, tmp_path, monkeypatch):
        mlflow = pytest.importorskip("mlflow")
        monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
        monkeypatch.chdir(tmp_path)
        mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
        with mlflow.start_run() as run:
            log_to_mlflow(found)
        metrics = mlflow.get_run(run.info.run_id).data.metrics
        assert metrics["robustness.worst_score"] == found.worst_score_
        assert metrics["robustness.confirmed_score"] == found.confirmed_score_
        folder = mlflow.artifacts.download_artifacts(
            run_id=run.info.run_id, artifact_path="robustness", dst_path=str(tmp_path / "got")
        )
        names = {"summary.txt", "page.html", "results.json", "worst_corruption.json"}
        there = {path.name: path for path in Path(folder).iterdir()}
        assert set(there) == {*names, "candidates.csv"}
        worst = json.loads(there["worst_corruption.json"].read_text(encoding="utf-8"))
        assert repr(BaseCorruption.from_dict(worst)) == repr(found.worst_corruption_)
        again = AdversarialCorruptionSearch.from_json(there["results.json"])
        assert again.summary() == there["summary.txt"].read_text(encoding="utf-8")

    def test_without_mlflow_the_remedy_is_named(self, found, monkeypatch):
        monkeypatch.setitem(sys.modules, "mlflow", None)
        with pytest.raises(ImportError, match=r"pip install 'skcorrupt\[mlflow\]'"):
            log_to_mlflow(found)

    @pytest.mark.many
    @pytest.mark.usefixtures("undrawn")
    @pytest.mark.parametrize("name", [*SYSTEMS, "robust", "comparison"])
    def test_every_system_is_logged(self, made, name, tmp_path, monkeypatch):
        result = MADE[name]() if name in MADE else made[name]
        mlflow = Noted(tmp_path)
        monkeypatch.setitem(sys.modules, "mlflow", mlflow)
        log_to_mlflow(result, prefix="found")
        assert mlflow.metrics and all(np.isfinite([*mlflow.metrics.values()]))
        assert mlflow.params and all(len(said) <= 250 for said in mlflow.params.values())
        assert mlflow.texts == {"found/summary.txt": result.summary()}
        names = {path.name for path in tmp_path.iterdir()}
        by_row = name in ("auditor", "curator")
        assert names == {"page.html"} | TABLES[name] | (set() if by_row else {"results.json"})
        for path in tmp_path.glob("*.csv"):
            assert len(pd.read_csv(path))
        if name == "auditor":
            assert mlflow.metrics["found.n_people"] == len(result.results_)
            kept = [*tmp_path.iterdir()]
            assert "key-" not in "".join(each.read_text(encoding="utf-8") for each in kept)
        if name == "comparison":
            worst = result.results_.set_index("estimator")["worst"]
            assert mlflow.metrics["found.worst.near_ones.scale.0.1"] == worst["near:ones"]

    def test_a_few_people_have_no_shares(self, tmp_path, monkeypatch):
        mlflow = Noted(tmp_path)
        monkeypatch.setitem(sys.modules, "mlflow", mlflow)
        log_to_mlflow(SYSTEMS["auditor"](n=3, task=None))
        assert mlflow.metrics == {"robustness.n_people": 3}

    def test_a_verdict_on_few_people_has_no_share(self, tmp_path, monkeypatch):
        auditor = SYSTEMS["auditor"](task=None)
        verdicts = ["unresponsive", *["responsive"] * (len(auditor.results_) - 1)]
        auditor.results_["verdict"] = verdicts
        for few in (True, False):
            mlflow = Noted(tmp_path)
            monkeypatch.setitem(sys.modules, "mlflow", mlflow)
            log_to_mlflow(auditor)
            told = {name.removeprefix("robustness.") for name in mlflow.metrics}
            assert {"n_people", "responsiveness"} < told
            assert bool(told & {"unresponsive", "responsive"}) is not few
            auditor.results_["verdict"] = verdicts[1]


class Noted:
    """MLflow, as far as it is asked."""

    def __init__(self, folder):
        self.folder, self.params, self.metrics, self.texts = folder, {}, {}, {}

    def log_params(self, params):
        self.params |= params

    def log_metric(self, name, value):
        assert re.fullmatch(r"[\w.\- /]+", name)
        self.metrics[name] = value

    def log_text(self, text, name):
        self.texts[name] = text

    def log_artifacts(self, folder, artifact_path):
        shutil.copytree(folder, self.folder, dirs_exist_ok=True)


TABLES = {
    "search": {"candidates.csv", "worst_corruption.json"},
    "robust": {"candidates.csv", "worst_corruption.json", "baseline_worst_corruption.json"},
    "comparison": {"pipelines.csv", "transfer.csv", "ranks.csv"},
    "profiler": {"profiles.csv", "curves.csv"},
    "ablator": {"stage_effects.csv", "global_fairness.csv", "performance_effects.csv"},
    "auditor": set(),
    "curator": {"sets.csv"},
}
SMALL = {"cv": 2, "space": HURTS, "confirm_size": None, "random_state": 0}
MADE = {
    "robust": lambda: RobustSearchCV(
        GaussianNB(), {"var_smoothing": [0.1]}, "scale", apply_to="test", **SMALL
    ).fit(X, Y),
    "comparison": lambda: compare_robustness(
        {"bayes": GaussianNB(), "near:ones": Centroids()},
        X,
        Y,
        corruptions=["scale"],
        budgets=(0.1,),
        **SMALL,
    ),
}
