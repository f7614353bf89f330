"""A fitted system shows its finding in a notebook, below what scikit-learn shows of it."""

import base64
import html
import re

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone

import fitted_systems
from fitted_systems import SYSTEMS
from skcorrupt.learned import learn_errors

CODES = ("aepc", "params", "sensitive", "corruption", "features", "baseline", "n", "kind")


@pytest.fixture(scope="module")
def made():
    return fitted_systems.made()


@pytest.mark.many
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_sentence_a_table_and_a_picture(made, name):
    fitted = made[name]
    bundle = fitted._repr_mimebundle_()
    assert bundle["text/plain"] == repr(fitted)
    usual, shown = clone(fitted)._repr_html_(), bundle["text/html"]
    said = re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(fitted.summary()))
    assert said not in usual
    finding = shown[shown.rindex("<div><p>") :]
    assert finding.startswith(f"<div><p>{said}</p><table")
    # headings are words
    heads = re.findall("<th>([^<]*)</th>", finding)
    assert heads and not any("_" in head or head in CODES for head in heads)
    assert finding in fitted._repr_html_()
    [picture] = re.findall(r'src="data:image/png;base64,([^"]*)"', finding)
    assert base64.b64decode(picture).startswith(b"\x89PNG")
    assert 1 < finding.count("<tr") <= 8
    with config_context(display="text"):
        assert "text/html" not in fitted._repr_mimebundle_()


@pytest.mark.long
def test_names_are_no_html():
    fitted = fitted_systems.profiler(names=("<script>alert(1)</script>", "b & <i>", "c"))
    shown = fitted._repr_html_()
    finding = shown[shown.rindex("<div><p>") :]
    assert "<script" not in finding and "&lt;script&gt;alert(1)" in finding


def test_a_picture_that_fails_leaves_the_rest(made, monkeypatch):
    from skcorrupt.fairness import StageFairnessDisplay

    def broken(self, *args, **kwargs):
        raise RuntimeError("no ink")

    monkeypatch.setattr(StageFairnessDisplay, "plot", broken)
    shown = made["ablator"]._repr_html_()
    assert "<table" in shown and "data:image" not in shown[shown.rindex("<div><p>") :]


def test_tables_tell_numbers_as_sentences_do(made):
    """Shares of people are percentages, gaps have signs and names."""
    audit = made["auditor"]
    shown = audit._repr_html_()
    share = f"{100 * audit.by_group()['unresponsive'].iloc[0]:.1f} %"
    finding = shown[shown.rindex("<div><p>") :]
    assert share in audit.summary() and f"<td>{share}</td>" in finding
    shown = made["ablator"]._repr_html_()
    finding = shown[shown.rindex("<div><p>") :]
    assert re.search("<td>[+-]0[.]", finding) and not re.search("<td>0[.]", finding)
    assert "<td>favourable decisions (SPD)</td>" in finding and "<td>spd</td>" not in finding


def test_results_that_are_no_estimators_keep_to_the_setting_of_displays():
    clean = pd.DataFrame({"key": range(20), "age": np.arange(20.0)})
    dirty = clean.assign(age=clean["age"].where(clean["age"] > 5))
    learned = learn_errors(dirty, clean, key="key")
    assert "text/html" in learned._repr_mimebundle_()
    with config_context(display="text"):
        assert learned._repr_mimebundle_() == {"text/plain": repr(learned)}
