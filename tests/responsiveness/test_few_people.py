"""Numbers of few people are not told, nor do they follow from what is."""

import copy
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from html_faults import Page, undated
from skcorrupt import ResponsivenessAuditor
from skcorrupt.report import write_html
from skcorrupt.responsiveness import ActionSet
from skcorrupt.responsiveness.audit._few_people import NOT_TOLD, number_text, share_text, untold

LEAST = 5


def test_small_numbers_and_the_one_they_would_follow_from_are_not_told():
    assert not untold(np.array([[90, 10, 0]]), LEAST).any()
    # the other of two follows, and nobody is no person
    np.testing.assert_array_equal(untold(np.array([[97, 3, 0]]), LEAST), [[True, True, False]])
    # of 3 and 2 together 5 is known, and neither of them
    np.testing.assert_array_equal(untold(np.array([[95, 3, 2]]), LEAST), [[False, True, True]])
    # 1 and 2 are 3, so a third one goes; what readers want most stays
    assert untold(np.array([[1, 2, 40, 57]]), LEAST, keep=3).tolist() == [[True, True, True, False]]
    # in the column of a sum, too
    hidden = untold(np.array([[20, 30, 3], [25, 35, 40], [22, 31, 50]]), LEAST)
    assert hidden[0, 2] and hidden[:, 2].sum() >= 2
    assert (number_text(3, True, 5), number_text(30, True, 5)) == ("fewer than 5", "not told")
    assert (number_text(3, False, 5), share_text(3, 100, True, 5)) == ("3", "below 5.0 %")


def test_a_kind_that_nobody_is_of_is_told_and_hides_nothing():
    hidden = untold(np.array([[38, 28, 0], [3, 40, 0], [30, 35, 0]]), LEAST, keep=1)
    assert not hidden[:, 2].any() and hidden[1, :2].all()
    # in the row of the one that stands in for the other column
    assert (hidden[:, :2].sum(axis=0) >= 2).all() and (hidden[:, :2].sum(axis=1) % 2 == 0).all()


def test_nothing_of_few_follows_in_random_tables():
    rng = np.random.default_rng(0)
    for _ in range(300):
        counts = rng.integers(0, 12, size=(rng.integers(1, 5), 3)) * rng.choice(2, 3, p=[0.2, 0.8])
        hidden = untold(counts, LEAST)
        # that nobody is of a kind is known where the sum is
        assert not hidden[:, ~counts.any(axis=0)].any()
        counts, hidden = (each[:, counts.any(axis=0)] for each in (counts, hidden))
        assert hidden[(counts > 0) & (counts < LEAST)].all()
        lines = [*zip(counts, hidden, strict=True)]
        lines += zip(counts.T, hidden.T, strict=True) if len(counts) > 1 else []
        for numbers, kept in lines:
            if kept.any() and not kept.all():
                assert kept.sum() > 1 and numbers[kept].sum() >= LEAST


def audit(ages, groups):
    """Of people of 70 nobody can get the target, whatever they save."""
    X = pd.DataFrame({"age": ages, "savings": np.arange(len(ages)) % 4, "group": groups})
    fit = pd.DataFrame({"age": [20, 20, 70, 70], "savings": [0, 3, 0, 3], "group": 0})
    model = DecisionTreeClassifier(random_state=0).fit(fit, ["no", "yes", "no", "no"])
    actions = ActionSet.from_data(X, ["savings"], rules=())
    return ResponsivenessAuditor(model, actions, target="yes", random_state=0).fit(X)


@pytest.fixture(scope="module")
def audited():
    return audit([20] * 57 + [70] * 3, np.repeat([0, 1], 30))


def test_pages_and_sentences_do_not_tell_of_three_people(audited, tmp_path):
    counts = audited.results_["verdict"].value_counts()
    assert counts.to_dict() == {"responsive": 57, "unresponsive": 3}
    text = audited.summary()
    assert "audited. Fewer than 5 (below 8.3 %) are unresponsive, and how many" in text
    assert "how many are responsive is left out, as others would follow from it." in text
    # nor the mean, from which it may follow
    assert "on average" not in text and "on average" in audited.summary(min_group_size=1)
    assert text.endswith("fewer than 5 people are left out; min_group_size=1 shows them.")
    assert "57" not in text and "95.0" not in text and "5.0 %" not in text
    whole = audited.summary(min_group_size=1)
    assert "57 (95.0 %) are responsive, and 3 (5.0 %) are not; on" in whole
    assert "left out" not in whole
    for by in (None, "group"):
        path = write_html(audited, tmp_path / "page.html", by=by)
        page = Page(path.read_text(encoding="utf-8"))
        told = page.text.partition("What people can do")[0]
        told = undated(told)
        assert "For fewer than 5 of 60 people less than 10 %" in told
        assert not re.search(r"\b57\b|95\.0 %|\b27\b|90\.0 %|10\.0 % \(", told)
        alts = " ".join(str(image) for image in page.images)
        assert "95.0 %" not in alts


@pytest.mark.parametrize("n_others", [2, 7])
def test_a_range_over_some_groups_does_not_pass_for_that_of_all(tmp_path, n_others):
    """Where all but 2 people of the worst group are shut out, its share is not told."""
    counts = [10, 30, 11, 29, 12, 28, 14, 26, n_others, 40 - n_others]
    auditor = audit(np.repeat([20, 70] * 5, counts), np.repeat([0, 1, 2, 3, 4], 40))
    assert auditor.by_group("group")["unresponsive"].idxmax() == 4
    source = write_html(auditor, tmp_path / "page.html", by="group").read_text(encoding="utf-8")
    text, untold = Page(source).text, n_others < LEAST
    assert ("By group, from " in text) == (not untold)
    assert ("Verdicts by group, the worst first;" in text) == (not untold)
    assert ("Among groups whose share is told, from " in text) == untold
    assert ("What is not told of the others may be less or more." in text) == untold
    said = "the worst of those told first; what is not told comes last and may be worse;"
    assert (said in text) == untold
    # a mean would tell about how many are responsive
    mean = auditor.by_group("group")["responsiveness"][4]
    row = text.partition("Verdicts by group")[2].partition("group = 4")[2]
    row = re.split("group =|What", row)[0]
    assert row.strip().endswith(NOT_TOLD if untold else f"{100 * mean:.1f} %")


def test_sentence_table_and_page_leave_out_the_same_numbers(audited, tmp_path):
    """50, 20 and all would tell of 3, were 50 in the table and 20 in the sentence."""
    results = pd.DataFrame(
        {"verdict": np.repeat(["unresponsive", "undecided", "responsive"], [50, 20, 3])}
    )
    results = results.assign(prediction="no", responsiveness=0.0, exact=False, n=203, hits=0)
    results = results.assign(ci_low=0.0, ci_high=0.1, method="203 draws (enumeration)")
    told = copy.copy(audited)
    told.results_ = results.reindex(columns=audited.results_.columns)
    told._rows, told._data_facts = np.arange(73), audited._data_facts | {"rows": 73}
    text = told.summary()
    assert "Fewer than 5 (below 6.8 %) are responsive, 50 (68.5 %) are not, and how" in text
    assert "20" not in text and "how many are undecided is left out" in text
    path = write_html(told, tmp_path / "page.html")
    page = Page(path.read_text(encoding="utf-8")).text.partition("What people can do")[0]
    page = undated(page)
    assert "68.5 %" in page and "27.4" not in page and not re.search(r"\b20\b", page)
    assert "it could not be decided" not in audited.summary(min_group_size=1)
