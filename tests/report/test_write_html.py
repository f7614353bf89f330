"""The page says what was found, stands by itself, and shows nobody's data."""

import copy
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import fitted_systems
from cheap_models import Centroids
from fitted_systems import SYSTEMS
from flat_search import flat_search
from html_faults import Page, undated
from skcorrupt import AdversarialCorruptionSearch, NaturalAdversarialCurator
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.curation import MajorityVoteLabeler
from skcorrupt.report import write_html
from skcorrupt.report._auditor_people import at_upper_ends, people_by_bin
from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor
from small_searches import small_data

HEADINGS = [
    "The question",
    "The answer",
    "Results",
    "Pictures",
    "What was not searched, and what this does not show",
    "Settings",
    "Data",
    "Versions, date and seeds",
    "How to repeat it",
]
GLANCE = ["What could go wrong", "How bad", "How sure", "What to do"]
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)> & $x_{$',
    "`tick` ]]> </style>\x00\u202e \u4e2d",
]


@pytest.fixture(scope="module")
def made():
    return fitted_systems.made()


def read(fitted, folder, **options):
    return write_html(fitted, folder / "page.html", **options).read_text(encoding="utf-8")


@pytest.mark.many
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_page_is_whole_and_stands_by_itself(made, tmp_path, name):
    source = read(made[name], tmp_path)
    page = Page(source)
    assert page.faults == []
    assert [text for level, text in page.headings if level == 2] == HEADINGS
    assert 1 <= len(page.images) <= 12
    assert "http" not in re.sub(r"data:image/png;base64,[^\"]*|http-equiv", "", source)
    assert "default-src &#x27;none&#x27;" in source
    assert list(tmp_path.iterdir()) == [tmp_path / "page.html"]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.slow
def test_every_page_has_settings_versions_date_and_seed(made, tmp_path, name):
    page = Page(read(made[name], tmp_path))
    for parameter in made[name].get_params(deep=False):
        assert parameter in page.text
    versions = [sys.modules["skcorrupt"].__version__, np.__version__, pd.__version__]
    assert all(version in page.text for version in versions)
    assert re.search(r"page written 20\d\d-\d\d-\d\d \d\d:\d\d UTC", page.text)
    assert "Seed that was set (random_state)0" in page.text
    prose = page.text[: page.text.index("All settings, as they are")]
    assert not re.search(r"[{}]|\bNone\b|\bnan\b|  ", prose)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_first_screen_says_what_how_bad_how_sure_and_what_to_do(made, tmp_path, name):
    text = Page(read(made[name], tmp_path)).text
    first = text[text.index("At a glance.") : text.index("Results", text.index("At a glance."))]
    places = [first.index(part) for part in GLANCE]
    assert places == sorted(places)
    assert all(
        b - a > len(part) + 10 for a, b, part in zip(places, places[1:], GLANCE, strict=False)
    )


@pytest.mark.long
def test_a_page_of_a_whole_model_begins_with_the_worst(made, tmp_path):
    fitted = list(made.values())
    source = read(fitted, tmp_path, labels={1: "credit granted"}, by="c")
    page = Page(source)
    assert page.faults == [] and page.headings[0] == (1, "What could go wrong with this model")
    assert next(text for level, text in page.headings if level == 2) == "At a glance"
    parts = [text for level, text in page.headings if level == 3]
    assert all(parts.count(name) == len(SYSTEMS) for name in [*HEADINGS[:7], HEADINGS[8], "Seeds"])
    overview = source[source.index("What was found") : source.index("</table>")]
    links = re.findall(r'href="#study-(\d)"', overview)
    assert sorted(links) == list("12345")
    bad = [fitted[int(k) - 1].summary() for k in links]
    assert made["profiler"].profiles_["significant"].any()
    assert bad[0] == made["profiler"].summary()
    assert source.count(np.__version__) == 1
    with pytest.raises(ValueError, match="fitted is an empty list"):
        write_html([], tmp_path / "none.html")
    with pytest.raises(ValueError, match="by is for the people of a ResponsivenessAuditor"):
        write_html(made["search"], tmp_path / "none.html", by="c")
    with pytest.raises(TypeError, match=r"labels=\{1: 2\} should say in words"):
        write_html(made["search"], tmp_path / "none.html", labels={1: 2})


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.slow
def test_names_cannot_inject_anything(tmp_path, name):
    names = [*HOSTILE, "d", "e"][: 4 if name == "auditor" else 5 if name == "curator" else 3]
    fitted = SYSTEMS[name](names=names)
    source = read(fitted, tmp_path, title=HOSTILE[1])
    page = Page(source)
    assert page.faults == []
    assert source.count("<script") == 1 and "onerror=alert(1)>" not in source
    assert HOSTILE[0] in page.text and HOSTILE[1] in page.headings[0][1]
    assert "\x00" not in source and "\u202e" not in source
    assert "could not be drawn" not in page.text


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.slow
def test_the_same_page_comes_again_and_nothing_is_left_changed(made, tmp_path, name):
    import matplotlib
    import matplotlib.pyplot as plt

    before = dict(vars(made[name]))
    settings = dict(matplotlib.rcParams)
    pages = [undated(read(made[name], tmp_path)) for _ in range(2)]
    assert pages[0] == pages[1]
    assert plt.get_fignums() == [] and dict(matplotlib.rcParams) == settings
    assert vars(made[name]).keys() == before.keys()
    assert all(vars(made[name])[key] is value for key, value in before.items())


@pytest.mark.usefixtures("undrawn")
def test_a_search_says_what_was_found_and_what_was_not(made, tmp_path):
    search = made["search"]
    page = Page(read(search, tmp_path))
    for sentence in (search.summary(), search.worst_corruption_.__class__.__name__):
        assert sentence.replace("`", "") in page.text.replace("`", "")
    for score in (search.baseline_score_, search.worst_score_, search.confirmed_score_):
        assert f"{score:.3f}" in page.text
    assert "at most 10 % of the training data" in page.text
    assert "mean of 2 splits" in page.text
    narrow = fitted_systems.search(
        corrupt_columns=["a"],
        pattern_columns=["a"],
        confirm_size=None,
        exclude=["b > 1.25"],
        min_support=0.05,
    )
    page = Page(read(narrow, tmp_path))
    assert "Columns in which no error was tried: b, c." in page.text
    assert "Columns that no condition on rows looked at: b, c." in page.text
    assert "was not confirmed" in page.text and "b > 1.25" in page.text
    assert "less than 5 % of the rows" in page.text


@pytest.mark.usefixtures("undrawn")
def test_a_search_that_found_nothing_has_a_page(tmp_path):
    with pytest.warns(UserWarning, match="No candidate is feasible"):
        search = fitted_systems.search(min_support=0.99, confirm_size=None)
    page = Page(read(search, tmp_path))
    assert page.faults == [] and "No feasible error" in page.text
    assert "The table has no rows." in page.text


@pytest.mark.usefixtures("undrawn")
def test_a_search_shows_what_else_it_knows(made, tmp_path):
    search = copy.copy(made["search"])
    search.budget = [0.05, 0.2]
    search.budget_curve_ = pd.DataFrame(
        {"budget": [0.05, 0.2], "worst_score": [0.71, 0.61], "confirmed": [0.7, np.nan]}
    )
    search.certificate_ = search.certificate_.head(1).assign(
        budget=0.2, proxy="linear", complete_conditions=2, n_points=1234
    )[["budget", "proxy", "complete_conditions", "n_points"]]
    search.proxy_agreement_ = 0.93
    search.interrupted_, search.random_score_ = True, np.nan
    page = Page(read(search, tmp_path))
    assert "up to 5 % or 20 % of the training data" in page.text
    for text in ("5 %0.7100.700", "20 %0.610–", "20 %linear21,234", "0.930"):
        assert text in page.text
    assert "How complete the search is" in page.text
    assert "1,234 errors were screened on a stand-in" in page.text
    assert "no error was tried" not in page.text
    assert "The search was ended early: less was tried than set." in page.text
    assert "at random do was not measured." in page.text


def test_a_search_shows_what_the_worst_owes_to_its_conditions(made, tmp_path):
    search = made["search"]
    page = Page(read(search, tmp_path))
    assert page.faults == [] and "could not be drawn" not in page.text
    assert "With and without some conditions" in page.text
    found = search.alternatives_[search.alternatives_["score"].notna()]
    assert {"searched", "relaxed"} <= set(found["status"])
    # what is compared is told with its numbers, pattern by pattern
    assert all(text in page.text for text in found["pattern"])
    assert "How far the score drops by what the condition on rows looks at." in page.text
    assert "Not tried:" not in page.text and "of others not all" not in page.text
    cut = copy.copy(search)
    cut.alternatives_ = search.alternatives_.copy()
    cut.alternatives_.loc[cut.alternatives_["status"] == "relaxed", ["status", "score"]] = (
        "not tried",
        np.nan,
    )
    n = int((cut.alternatives_["status"] == "not tried").sum())
    text = Page(read(cut, tmp_path)).text
    assert f"Not tried: {n} other sort{'s' * (n > 1)} of conditions." in text
    assert "of others not all were looked for, and none is the worst error." in text
    assert "with a quarter of the effort, and never" not in text


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_kinds_that_were_never_scored_are_told_apart_from_those_that_were(tmp_path):
    search = copy.copy(fitted_systems.search(corruption=["missing", "selection"]))
    kept = search.cv_results_["kind"] == "missing"
    search.cv_results_ = {name: values[kept] for name, values in search.cv_results_.items()}
    search.interrupted_ = True
    text = Page(read(search, tmp_path)).text
    assert "Only errors of one kind were scored: values that get lost." in text
    assert re.search("without a score, as the search was ended before: rows that get lost", text)
    assert "This run was ended early." in text
    assert "the same result again" not in text


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_a_search_of_several_kinds_names_them(tmp_path):
    page = Page(read(fitted_systems.search(corruption=["missing", "selection"]), tmp_path))
    assert page.faults == []
    assert "Only errors of 2 kinds were scored, one at a time" in page.text
    assert "of one of these kinds" in page.text
    kinds = page.text[page.text.index("Errors that were tried on the model") :]
    assert "missing" in kinds and "selection" in kinds


@pytest.mark.usefixtures("undrawn")
def test_a_search_without_a_stand_in_says_that_it_is_not_complete(made, tmp_path):
    search = copy.copy(made["search"])
    # what proxy="auto" leaves where no proxy agrees
    assert not search.certificate_["n_points"].any()
    page = Page(read(search, tmp_path))
    assert "does not try all there are: a worse one may exist" in page.text
    assert "How complete the search is" not in page.text


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The linear proxy orders candidates unlike")
def test_a_screened_search_says_what_the_model_did_not_see(tmp_path):
    search = fitted_systems.search(
        proxy="linear", n_rerank=1, budget=[0.1, 0.2], own_column="allowed"
    )
    page = Page(read(search, tmp_path))
    assert page.faults == []
    assert "were screened on a stand-in for the model" in page.text
    assert "no error was tried" not in page.text
    # every column of both tables is explained, and none is a name in code
    for text in ("Complete up to", "Lower end of the 95 % interval", "scored on the model itself"):
        assert text in page.text
    for name in ("complete conditions", "n polished", "confirmed drop low"):
        assert name not in page.text


@pytest.mark.usefixtures("undrawn")
def test_a_profile_says_what_matters(made, tmp_path):
    profiler = made["profiler"]
    page = Page(read(profiler, tmp_path))
    worst = profiler.profiles_.sort_values("aepc").iloc[0]
    assert f"{100 * worst['aepc']:.1f} %" in page.text
    n = int(profiler.profiles_["significant"].sum())
    assert f"6 pairs of a model and an error were studied; in {n} of them" in page.text
    assert "0 %, 50 %, 100 % of the training rows" in page.text
    with pytest.warns(UserWarning, match="nothing can be tested"):
        few = fitted_systems.profiler(n_repeats=1, screening="variance", max_features=1)
    page = Page(read(few, tmp_path))
    assert "With one repeat nothing can be tested." in page.text
    assert "Columns in which no error was studied: " in page.text and "Screening" in page.text


@pytest.mark.usefixtures("undrawn")
def test_an_ablation_says_what_each_step_adds(made, tmp_path):
    ablator = made["ablator"]
    page = Page(read(ablator, tmp_path))
    effect = ablator.stage_effects_.query("stage == 'select'").iloc[0]
    level = ablator.global_fairness_.query("stage == 'select'").iloc[0]
    assert effect["metric"] == level["metric"] == "spd"
    assert f"{level['with_stage']:+.3f}{level['without_stage']:+.3f}" in page.text
    assert "Of 2 steps," in page.text and "sex: 0 / 1" in page.text
    assert "(`noise_floor`)" not in page.text and "noise_floor" in page.text


@pytest.mark.usefixtures("undrawn")
def test_an_audit_shows_numbers_of_people_and_nobody(made, tmp_path):
    auditor = made["auditor"]
    source = read(auditor, tmp_path)
    counts = auditor.results_["verdict"].value_counts()
    assert f"{len(auditor.results_)} of 60 people were audited" in Page(source).text
    assert f"{counts['responsive']} (" in Page(source).text
    assert "person-" not in source and "key-" not in source
    assert "Column by column" not in source
    auditor = copy.deepcopy(auditor)
    assert len(auditor.attributions_)
    assert "Column by column" in Page(read(auditor, tmp_path)).text


@pytest.mark.usefixtures("undrawn")
def test_an_audit_says_what_is_allowed_and_what_predictions_mean(tmp_path):
    auditor = fitted_systems.auditor(change=("-20%", 1))
    text = Page(read(auditor, tmp_path, labels={1: "credit granted"})).text
    assert "20 % less to 1 more" in text
    assert "anybody who cannot get credit granted, whatever they do" in text
    assert "the prediction 1" not in text


@pytest.mark.usefixtures("undrawn")
def test_groups_of_an_audit_are_large_and_none_follows_by_subtraction(tmp_path):
    auditor = fitted_systems.auditor(n=90)
    groups = np.full(90, "large")
    groups[auditor._rows[:3]], groups[auditor._rows[3:15]] = "tiny", "small"
    sizes = auditor.by_group(groups)["n_people"]
    assert sizes["tiny"] == 3 < 5 < sizes["small"] < sizes["large"]
    text = Page(read(auditor, tmp_path, by=groups)).text
    assert "tiny" not in text and "small" not in text.replace("smaller", "")
    assert f"2 groups together{sizes['tiny'] + sizes['small']}" in text
    assert f"large{sizes['large']}" in text


def test_an_audit_of_few_people_says_how_many_and_no_more(tmp_path):
    auditor = fitted_systems.auditor(population=lambda X, old: np.arange(len(X)) < 5)
    assert 0 < len(auditor.results_) < 5
    page = Page(read(auditor, tmp_path))
    assert page.faults == [] and page.images == []
    assert "too few to say more" in page.text and "Verdicts" not in dict(page.headings).values()
    assert [text for level, text in page.headings if level == 3] == ["What people can do"]


def test_a_curation_shows_its_sets(made, tmp_path):
    curator = made["curator"]
    page = Page(read(curator, tmp_path))
    assert f"{curator.lower_bound_[curator.datasets_[0]].min():.3f}" in page.text
    assert f"{100 * curator.curve_['accuracy'].iloc[-1]:.1f} %" in page.text
    assert "1 of 5 labeling functions were left out" in page.text
    plain = fitted_systems.curator(evaluate=False, nested=False, uncovered="drop")
    page = Page(read(plain, tmp_path))
    assert "No model was tried" in page.text and "They share no samples" in page.text
    assert len(page.images) == 1


@pytest.mark.usefixtures("undrawn")
def test_long_tables_are_cut_and_say_so(made, tmp_path):
    curator = fitted_systems.curator(evaluate=False, n_datasets=60)
    text = Page(read(curator, tmp_path)).text
    assert "Shown are 50 of 60 rows; 10 rows are left out." in text


@pytest.mark.usefixtures("undrawn")
def test_settings_tell_defaults_from_what_was_set(made, tmp_path):
    source = read(made["search"], tmp_path).replace("<wbr>", "")
    rows = dict(re.findall(r'<th scope="row"><code>(\w+)</code></th>(.*?)</tr>', source))
    assert ">default<" in rows["refit"] and "under the winner" in rows["refit"]
    assert ">default<" in rows["error_score"] and "nan" in rows["error_score"]
    assert "<strong>set</strong>" in rows["strategy"] and "n_calls=4" in rows["strategy"]
    assert "<strong>set</strong>" in rows["estimator"] and "Centroids()" in rows["estimator"]


@pytest.mark.usefixtures("undrawn")
def test_what_is_long_or_has_an_address_is_shown_short(tmp_path):
    splits = [(np.arange(0, 80), np.arange(80, 120))]
    search = fitted_systems.search(
        cv=splits, confirm_size=None, exclude=[lambda pattern, X, y: False], max_conditions=1
    )
    source = read(search, tmp_path)
    assert "0x" not in Page(source).text and "ndarray of shape (80,)" in Page(source).text
    assert "a single split of the data" in Page(source).text


def code_of(page):
    text = page.text[
        page.text.index("How to repeat it", page.text.index("The data that was given")) :
    ]
    return text[text.index("from ") :].strip()


@pytest.mark.usefixtures("undrawn")
def test_the_code_on_the_page_of_an_audit_repeats_it(tmp_path):
    rules = ["if c == 1 then a >= 0", "delta(b) == 0.5 * delta(a)"]
    auditor = fitted_systems.auditor(change=(None, 2), rules=rules)
    code = code_of(Page(read(auditor, tmp_path)))
    known = {"X": auditor._X, "estimator": auditor.estimator}
    exec(compile(code.replace("print(", "str("), "page", "exec"), known)
    pd.testing.assert_frame_equal(known["auditor"].results_, auditor.results_)
    assert known["actions"].to_dict()["rules"] == auditor.actions.to_dict()["rules"]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
@pytest.mark.usefixtures("few_fits")
def test_the_code_on_the_page_makes_scorers_and_selectors_again(tmp_path):
    X, y = fitted_systems.table()
    X["city"] = np.where(X["a"] > 2, "Rome", "Oslo")
    y = np.where(y == 1, "yes", "no")
    names = make_column_selector(dtype_exclude=["number"])
    numbers = make_column_selector(dtype_include=np.number)
    encode = (OneHotEncoder(handle_unknown="ignore"), names)
    prepare = make_column_transformer((FunctionTransformer(np.cbrt), numbers), encode)
    search = flat_search(
        make_pipeline(prepare, DecisionTreeClassifier(max_depth=2, random_state=0)),
        "labels",
        scoring=make_scorer(f1_score, pos_label="yes", average="binary"),
        n_calls=4,
        max_conditions=1,
        cv=2,
        random_state=0,
    ).fit(X, y)
    search.to_json(tmp_path / "result.json")
    read_again = AdversarialCorruptionSearch.from_json(tmp_path / "result.json")
    for each in (search, read_again):
        code = code_of(Page(read(each, tmp_path)))
        known = {"X": X, "y": y}
        exec(compile(code.replace("print(", "str("), "page", "exec"), known)
        assert known["search"].summary() == search.summary()


@pytest.mark.many
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", ["search", "profiler", "ablator", "curator"])
def test_the_code_on_the_page_repeats_the_run(made, tmp_path, name):
    code = code_of(Page(read(made[name], tmp_path)))
    names = {"ablator": ("a", "b", "sex")}.get(name, ("a", "b", "c"))
    X, y = fitted_systems.table(200 if name == "ablator" else 120, names)
    known = {"X": X, "y": y, "L": None}
    if name == "curator":
        code = code.replace(".fit(L)", "")
    exec(compile(code.replace("print(", "str("), "page", "exec"), known)
    if name != "curator":
        again = known[name]
        table = {"search": "cv_results_", "profiler": "profiles_", "ablator": "stage_effects_"}
        first, second = (pd.DataFrame(getattr(each, table[name])) for each in (made[name], again))
        shared = [c for c in first if "time" not in c and c != "corruption"]
        pd.testing.assert_frame_equal(first[shared], second[shared])
        # what the page says, not a frame that a terminal cuts
        assert f"print({name}.summary())" in code
    else:
        assert repr(known["curator"]) == repr(made["curator"])


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_a_seed_that_was_drawn_is_on_the_page(tmp_path):
    search = fitted_systems.search(random_state=None)
    text = Page(read(search, tmp_path)).text
    (seed,) = re.findall(r"random_state=(\d+),  # the seed that was drawn", text)
    assert f"Seed that all draws came from{seed}" in text
    assert fitted_systems.search(random_state=int(seed)).summary() == search.summary()
    profiler = fitted_systems.profiler(random_state=None)
    text = Page(read(profiler, tmp_path)).text
    assert "not kept" in text and "not the same" in text


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_arrays_without_names_will_do(tmp_path):
    X, y = fitted_systems.table()
    search = clone(fitted_systems.search()).fit(X.to_numpy(), y)
    page = Page(read(search, tmp_path))
    assert page.faults == [] and "x0, x1, x2" in page.text and "ndarray" in page.text


@pytest.mark.usefixtures("undrawn")
def test_paths(made, tmp_path, monkeypatch):
    path = write_html(made["curator"], str(tmp_path / "a page.html"))
    assert path == tmp_path / "a page.html" and isinstance(path, Path)
    monkeypatch.chdir(tmp_path)
    assert write_html(made["curator"], "other.html") == Path("other.html")
    with pytest.raises(FileNotFoundError, match=r"the folder .*nowhere.* does not exist; make it"):
        write_html(made["curator"], tmp_path / "nowhere" / "page.html")
    with pytest.raises(IsADirectoryError, match="is a folder; pass a file in it"):
        write_html(made["curator"], tmp_path)
    with pytest.raises(TypeError, match="path=3 should be a str or Path"):
        write_html(made["curator"], 3)
    for title in ("", " ", 3):
        with pytest.raises(TypeError, match="title="):
            write_html(made["curator"], tmp_path / "page.html", title=title)


@pytest.mark.usefixtures("undrawn")
def test_a_file_is_replaced_whole_or_not_at_all(made, tmp_path, monkeypatch):
    real, link = tmp_path / "real.html", tmp_path / "link.html"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    write_html(made["curator"], link)
    assert link.is_symlink() and real.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert real.stat().st_mode & 0o777 == 0o640
    real.write_text("old", encoding="utf-8")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match=r"cannot be written \(No space left on device\)"):
        write_html(made["curator"], real)
    assert real.read_text(encoding="utf-8") == "old"
    assert sorted(tmp_path.iterdir()) == [link, real]


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (LogisticRegression(), "fitted is LogisticRegression"),
        (AdversarialCorruptionSearch, "the class AdversarialCorruptionSearch"),
        (None, "fitted is NoneType"),
    ],
)
def test_other_things_are_refused_with_the_five_named(tmp_path, thing, said):
    names = "ErrorSensitivityProfiler, StageFairnessAblator, ResponsivenessAuditor"
    with pytest.raises(TypeError, match=said) as error:
        write_html(thing, tmp_path / "page.html")
    assert names in str(error.value) and "NaturalAdversarialCurator" in str(error.value)


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_not_fitted_is_refused(made, tmp_path, name):
    fitted = made[name]
    fresh = type(fitted)(**fitted.get_params(deep=False))
    with pytest.raises(NotFittedError):
        write_html(fresh, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_that_fails_leaves_the_page(made, tmp_path, monkeypatch):
    from skcorrupt.fairness import StageFairnessDisplay

    def broken(self, *args, **kwargs):
        raise RuntimeError("no <ink>")

    monkeypatch.setattr(StageFairnessDisplay, "plot", broken)
    page = Page(read(made["ablator"], tmp_path))
    assert page.faults == [] and page.images == []
    assert "could not be drawn: RuntimeError: no <ink>" in page.text


def test_a_subclass_is_one_of_the_five(tmp_path):
    class Mine(NaturalAdversarialCurator):
        """A curator of one's own."""

    votes = np.random.default_rng(0).integers(-1, 2, size=(50, 4))
    page = Page(read(Mine(MajorityVoteLabeler()).fit(votes), tmp_path))
    assert page.faults == [] and "Mine, page written" in page.text


def test_the_cause_is_told_where_nothing_can_be_written(made, tmp_path, monkeypatch):
    """On a disk that is read-only even what is not there cannot be removed."""

    def read_only(self, *args, **kwargs):
        raise OSError(30, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "write_text", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    told = r"path='.*page.html' cannot be written \(Read-only file system\); pass another path"
    with pytest.raises(OSError, match=told) as caught:
        write_html(made["curator"], tmp_path / "page.html")
    assert caught.value.errno == 30


def test_links_that_lead_nowhere_and_paths_that_cannot_be_are_named(made, tmp_path):
    loop = tmp_path / "loop.html"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match=r"path='.*loop.html' cannot be written"):
        write_html(made["curator"], loop)
    with pytest.raises(ValueError, match=r"path='a\\x00b.html' has a NUL"):
        write_html(made["curator"], "a\0b.html")
    with pytest.raises(TypeError, match=r"path=b'page.html' should be a str or Path"):
        write_html(made["curator"], b"page.html")


def test_neighbouring_bins_of_few_people_are_put_together_and_so_is_the_curve():
    known = pd.Series([0.0] * 6 + [0.05, 0.13, 0.22, 0.28, 0.31] + [0.9] * 7 + [1.0, 1.0])
    once = np.ones(len(known), dtype=int)
    bins = people_by_bin(known, once)
    assert bins["people"].sum() == len(known)
    assert not bins["people"].between(1, 4).any()
    assert bins["responsiveness"].iloc[:2].tolist() == ["0 %", "above 0 % to 40 %"]
    steps = at_upper_ends(known, once).value_counts()
    assert (steps >= 5).all() and {0.0, 0.4} <= {*steps.index}
    # the same people, told once for each responsiveness
    counted = known.value_counts(sort=False)
    shares, times = counted.index.to_series().reset_index(drop=True), counted.to_numpy()
    pd.testing.assert_frame_equal(people_by_bin(shares, times), bins)
    repeated = at_upper_ends(shares, times).repeat(times).value_counts()
    assert repeated.to_dict() == steps.to_dict()


@pytest.mark.usefixtures("undrawn")
def test_people_with_the_same_label_are_each_in_the_chart(tmp_path):
    X = pd.DataFrame({"a": [0, 1, 2, 3] * 10, "b": [0, 1] * 20})
    model = LogisticRegression().fit(X, X["a"] > 1)
    actions = ActionSet.from_data(X, ["a"], rules=())
    auditor = ResponsivenessAuditor(model, actions, target=True, random_state=0)
    pages = [
        undated(read(auditor.fit(X.set_axis(index, axis=0)), tmp_path))
        for index in (range(40), [0, 1] * 20)
    ]
    assert pages[0] == pages[1]


@pytest.mark.usefixtures("undrawn")
def test_rules_that_actions_lack_are_named_first(tmp_path):
    rng = np.random.default_rng(0)
    home = pd.get_dummies(pd.Series(rng.choice(["rents", "owns", "free"], 100)), dtype=int)
    home["age"] = rng.integers(20, 60, 100)
    actions = ActionSet.from_data(home, ["rents", "owns", "free"], rules=())
    model = LogisticRegression().fit(home, (home["owns"] + rng.random(100) > 0.7).astype(int))
    auditor = ResponsivenessAuditor(model, actions, target=1, random_state=0).fit(home)
    text = Page(read(auditor, tmp_path, by=(home["age"] > 40).rename("old"))).text
    assert "First add the 1 rule that holds in every row" in text
    assert "OneHot(columns=['free', 'owns', 'rents'])" in text
    assert text.index("First add") < text.index("All settings, as they are")
    assert "old = True" in text


@pytest.mark.many
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("kind", ["labels", "missing"])
@pytest.mark.long
def test_what_y_means_stands_where_a_condition_looks_at_it(kind, tmp_path):
    X, y = small_data()
    search = AdversarialCorruptionSearch(
        Centroids(), kind, budget=0.2, cv=2, confirm_size=None, random_state=0,
        space=SearchSpace(max_conditions=1, label="required"), scoring="accuracy",
        strategy=BeamSearch(n_calls=4),
    ).fit(X, y)  # fmt: skip
    assert search.worst_pattern_.uses_y
    page = Page(read(search, tmp_path))
    meant = "as it was before the error" if kind == "labels" else "is the true label"
    first = page.text[: page.text.index("How bad")]
    assert "and the label is " in first or "where the label is " in first
    assert len(re.findall(f"y {meant}|y is the label {meant}", page.text)) == 1
