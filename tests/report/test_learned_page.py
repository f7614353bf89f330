"""The page of errors that were learned."""

import re

import numpy as np
import pandas as pd
import pytest

from html_faults import Page
from skcorrupt.learned import LearnedErrors, learn_errors
from skcorrupt.report import write_html

N = 400
HOSTILE = '"><img src=x onerror=alert(1)> & $x_{$'


def tables(name="income"):
    rng = np.random.default_rng(0)
    clean = pd.DataFrame({"id": np.arange(N), "age": rng.integers(18, 80, N)})
    clean[name] = rng.normal(40, 9, N).round(2)
    clean["city"] = rng.choice(["Paris", "Rome", "Oslo"], N)
    dirty = clean.copy()
    dirty.loc[clean["age"] <= 30, name] *= 100
    dirty.loc[np.arange(N) % 8 == 0, "city"] = "n/a"
    return dirty, clean


def read(learned, folder):
    source = write_html(learned, folder / "page.html").read_text(encoding="utf-8")
    page = Page(source)
    assert page.faults == []
    return source, page


def test_the_first_screen_says_it_in_words(tmp_path):
    dirty, clean = tables()
    learned = learn_errors(dirty, clean, key="id")
    _, page = read(learned, tmp_path)
    answer = page.text[page.text.index("The answer") : page.text.index("Errors, the most first")]
    n = int((clean["age"] <= 30).sum())
    assert f"In {N} rows there are {n + N // 8} wrong cells in 2 columns." in answer
    for part in (
        f"In income, values are multiplied by 100: {n} cells",
        "Where age is at most 30 it happens in 100.0 % (95 % interval",
        "“n/a” stands in place of values: 50 cells, 12.5 %",
        "Nothing in the table explains in which rows",
    ):
        assert part in answer
    assert not re.search(r"\bnan\b|\bNone\b|==|<=", answer)
    assert len(page.images) == 2 and "could not be drawn" not in page.text


def test_the_code_of_the_page_runs_and_is_complete(tmp_path):
    dirty, clean = tables()
    learned = learn_errors(dirty, clean, key="id")
    _, page = read(LearnedErrors.from_dict(learned.to_dict()), tmp_path)
    code = page.text[page.text.index("from skcorrupt") :]
    assert "learn_errors(dirty, clean, key='id')" in code
    names = {"dirty": dirty, "clean": clean, "X": clean}
    exec(code, names)
    assert str(names["learned"]) == str(learned)
    [scaled] = [each for each in names["kinds"] if type(each).__name__ == "CorruptScale"]
    made = scaled.fit(clean).corrupt(clean).X
    assert made["income"].to_numpy() == pytest.approx(dirty["income"].to_numpy())


def test_rules_labels_and_rows_have_a_page_too(tmp_path):
    dirty, clean = tables()
    rules = ["income <= 100", "key(id)"]
    _, page = read(learn_errors(dirty, rules=rules), tmp_path)
    assert "the rule income <= 100 is broken" in page.text
    assert f"learn_errors(dirty, rules={rules!r})" in page.text
    y = np.where(clean["age"] > 50, "yes", "no")
    dirty_y = np.where(np.arange(N) % 10 == 0, np.where(y == "yes", "no", "yes"), y)
    more = pd.concat([dirty, dirty.iloc[:20]], ignore_index=True)
    learned = learn_errors(more, clean, key="id", y=y, dirty_y=np.append(dirty_y, dirty_y[:20]))
    _, page = read(learned, tmp_path)
    assert "Labels or whole rows went wrong, too." in page.text
    assert "y=y, dirty_y=dirty_y" in page.text
    assert "Rows are there more than once" in page.text


def test_names_cannot_inject_anything(tmp_path):
    source, page = read(learn_errors(*tables(HOSTILE), key="id"), tmp_path)
    assert "onerror=alert(1)>" not in source
    assert HOSTILE in page.text
