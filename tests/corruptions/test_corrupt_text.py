"""Slips in texts: each is one that its kind has, each text that can have one gets one."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

from skcorrupt import CorruptText
from skcorrupt.utils import as_table

KINDS = (
    "typo", "ocr", "case", "whitespace", "truncate", "abbreviate", "mojibake", "accent", "order",
    "extra", "replace",
)  # fmt: skip
KEYBOARD = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"]
# letters that touch on a keyboard are at most one place further to the left or right a row below
PLACES = {key: (row, at) for row, keys in enumerate(KEYBOARD) for at, key in enumerate(keys)}
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12) | st.from_regex(r"[ a-z01l]{0,9}\Z")


def struck(texts, kind, seed=0, **params):
    X = pd.DataFrame({"t": pd.Series(texts, dtype=object)})
    if kind == "replace":
        params.setdefault("replace", {"a": "4", "ss": "ß", "l": ""})
    corruption = CorruptText(kind=kind, rate=1.0, random_state=seed, **params)
    return corruption, X, corruption.corrupt(X)


def near(one, other):
    """Whether two keys are side by side, by rows and places alone."""
    if one == other or one not in PLACES or other not in PLACES:
        return False
    (row, at), (other_row, other_at) = PLACES[one], PLACES[other]
    if one.isdigit() != other.isdigit() or abs(row - other_row) > 1:
        return False
    return abs(at - other_at) <= 1


def is_typo(old, new):
    n = len(old)
    if len(new) == n - 1:
        return any(old[:i] + old[i + 1 :] == new for i in range(n))
    if len(new) == n + 1:
        doubled = any(old[: i + 1] + old[i:] == new for i in range(n))
        return doubled or any(
            new[: i + 1] + new[i + 2 :] == old and near(new[i].lower(), new[i + 1].lower())
            for i in range(n)
        )
    differ = [i for i in range(n) if old[i] != new[i]]
    if len(differ) == 1:
        i = differ[0]
        return near(old[i].lower(), new[i].lower()) and old[i].isupper() == new[i].isupper()
    i, j = differ
    return j == i + 1 and (old[i], old[j]) == (new[j], new[i])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*kept their values")
@given(texts=st.lists(TEXTS, min_size=1, max_size=6), kind=st.sampled_from(KINDS))
def test_what_can_change_changes_and_nothing_else(texts, kind):
    corruption, X, result = struck(texts, kind)
    able = corruption._can_change(as_table(X), 0)
    changed = [a != b for a, b in zip(result.X["t"], texts, strict=True)]
    assert changed == able.tolist() == result.record.X_mask[:, 0].tolist()
    assert all(able[i] for i, text in enumerate(texts) if text and kind in ("typo", "extra"))


@given(text=st.text("abcXYZ 0123éß", min_size=1, max_size=8), seed=st.integers(0, 99))
def test_a_typo_is_a_slip_of_the_hand(text, seed):
    [new] = struck([text], "typo", seed)[2].X["t"]
    assert is_typo(text, new)


def test_typos_of_all_kinds_occur():
    made = set(struck(["was"] * 3000, "typo")[2].X["t"])
    # left out, exchanged, doubled, a neighbour in place of a key, and one behind it
    assert {"as", "aws", "wwas", "qas", "wsa", "wasd", "waas", "wad"} <= made
    assert all(is_typo("was", new) for new in made)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*kept their values")
@given(text=TEXTS)
def test_kinds_by_their_own_rules(text):
    for kind in KINDS:
        [new] = struck([text], kind)[2].X["t"]
        if new == text:
            continue
        if kind == "case":
            assert new in (text.upper(), text.lower(), text.swapcase())
        elif kind == "truncate":
            assert text.startswith(new) and 0 < len(new) < len(text)
        elif kind == "whitespace":
            assert re.sub(r"[ \u00a0]", "", new) == re.sub(r"[ \u00a0]", "", text)
            assert len(new) - len(text) in (0, 1)
        elif kind == "mojibake":
            latin = new.encode("latin-1", "ignore").decode("utf-8", "replace")
            windows = new.encode("cp1252", "ignore").decode("utf-8", "replace")
            # characters that a code page lacks are there as Latin-1 has them
            assert text in (latin, windows) or any("\x80" <= c <= "\x9f" for c in new)
        elif kind == "order":
            assert sorted(new.split()) == sorted(text.split()) and len(new) == len(text)
        elif kind == "extra":
            assert new == f"{text} (?)"
        elif kind == "abbreviate":
            assert "." in new and new[0] == text[0]
        elif kind == "accent":
            assert len(new) == len(text) and sum(a != b for a, b in zip(text, new)) == 1  # noqa: B905


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("ocr", "rn", {"m", "rh", "rri"}),
        ("ocr", "0", {"O", "o", "D"}),
        ("ocr", "5", {"S", "s"}),
        ("case", "Rome", {"ROME", "rome", "rOME"}),
        ("case", "rome", {"ROME"}),
        ("whitespace", "a b", {" a b", "a b ", "a b\u00a0", "a  b", "a\u00a0b"}),
        ("truncate", "Rome", {"R", "Ro", "Rom"}),
        ("abbreviate", "Main Street", {
            "M. Street", "Ma. Street", "Main S.", "Main St.", "Main Str.", "M. S.",
        }),
        ("mojibake", "Köln", {"KÃ¶ln"}),
        ("mojibake", "5 €", {"5 â‚¬", "5 \xe2\x82\xac"}),
        ("accent", "Köln", {"Koln"}),
        ("accent", "Bern", {"Bérn"}),
        ("order", "New York City", {"York New City", "New City York"}),
        ("replace", "hassle", {"h4ssle", "haßle", "hasse"}),
    ],
)  # fmt: skip
def test_all_slips_of_a_kind_occur(kind, text, expected):
    made = set(struck([text] * 300, kind)[2].X["t"])
    assert made <= expected if kind == "ocr" else made == expected
    if kind == "ocr":
        assert len(made) >= 2


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("typo", ["", None, 3]),
        ("ocr", ["xX", "", None]),
        ("case", ["12", "…", ""]),
        ("truncate", ["a", ""]),
        ("abbreviate", ["ab 12", "of it"]),
        ("mojibake", ["Rome", ""]),
        ("accent", ["Xyz", ""]),
        ("order", ["Rome", " a ", "a a"]),
        ("replace", ["Xyz", ""]),
    ],
)
def test_texts_that_have_no_such_slip_stay(kind, texts):
    with pytest.warns(UserWarning, match="changed nothing in .* kept their values"):
        _, X, result = struck([*texts, None], kind)
    pd.testing.assert_frame_equal(result.X, X)
    assert result.record.n_corrupted == 0


@pytest.mark.parametrize("dtype", [object, "string", "string[pyarrow]", "category", "str"])
def test_dtypes_of_texts_are_kept(dtype):
    words = pd.Series(["Köln", None, "Bern", "Köln", "Ulm"], dtype=object).astype(dtype)
    X = pd.DataFrame({"t": words}).set_axis([1, 1, 2, 3, 3])
    corruption = CorruptText(rate=1.0, random_state=0)
    out = corruption.fit_transform(X)["t"]
    assert out.dtype == words.dtype or dtype == "category"
    # older versions of pandas make a word of None
    assert out.isna().tolist() == words.isna().tolist()
    if dtype == "category":
        assert out.cat.categories.tolist()[:3] == words.cat.categories.tolist()
    frame = pl.DataFrame({"t": ["Köln", None, "Bern", "Köln", "Ulm"]})
    made = corruption.fit_transform(frame)["t"].to_list()
    known = [0, 2, 3, 4]
    assert made[1] is None and [made[i] for i in known] == out.iloc[known].tolist()


def test_arrays_of_texts_and_categories_of_polars():
    X = np.array([["ab", "cd"], ["ef", "gh"]])
    out = CorruptText(kind="extra", rate=1.0).fit_transform(X)
    assert out.tolist() == [["ab (?)", "cd (?)"], ["ef (?)", "gh (?)"]]
    frame = pl.DataFrame({"t": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"]))})
    assert CorruptText(kind="case", rate=1.0).fit_transform(frame)["t"].dtype == pl.String


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"kind": "spelling"}, "'kind' parameter"),
        ({"kind": "extra", "template": "value"}, r"template='value' should have \{value\} once"),
        ({"kind": "extra", "template": "{value}"}, "something else"),
        ({"kind": "replace"}, "replace=None should have texts"),
        ({"kind": "replace", "replace": {"": "a"}}, "none of them empty"),
        ({"kind": "replace", "replace": {"a": 1}}, "texts in their place"),
    ],
)
def test_what_no_slip_can_be_made_of_is_refused(params, message):
    with pytest.raises(ValueError, match=message):
        CorruptText(**params).fit(pd.DataFrame({"t": ["a"]}))


def test_cells_that_cannot_be_compared_are_refused_by_name():
    with pytest.raises(ValueError, match="columns: 't' holds unhashable"):
        CorruptText(rate=1.0).fit_transform(pd.DataFrame({"t": [["a"], ["b"]]}))
