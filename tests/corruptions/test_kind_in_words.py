"""Kinds of error in the words of pages and sentences."""

import pytest

from skcorrupt.corruptions import short_names
from skcorrupt.corruptions._kind_in_words import WORDS, kind_in_words


def test_every_kind_of_this_package_has_words_of_its_own():
    own = {name for name, cls in short_names().items() if cls.__module__.startswith("skcorrupt.")}
    assert own == set(WORDS)
    assert len({*WORDS.values()}) == len(WORDS)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "missing values"),
        ("scale-3", "wrong units (scale-3)"),
        ("lost ages", "errors of the kind lost ages"),
        ("scale-up", "errors of the kind scale-up"),
    ],
)
def test_other_names_stay_as_they_are(kind, words):
    assert kind_in_words(kind) == words
