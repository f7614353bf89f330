"""Names as options take them."""

import pytest
from hypothesis import given, strategies as st

from skcorrupt.cli._arguments import names
from skcorrupt.cli._typed import listed

# a name has no line breaks, is no space and has none at its ends
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)


@given(st.lists(NAMES, min_size=1), st.sampled_from([",", ", "]))
def test_names_that_are_listed_are_read_back(columns, between):
    assert names(listed(columns, between)) == columns


@pytest.mark.parametrize("name", ["age, years", 'income "net"', '"net", all', "größe"])
def test_names_with_commas_and_quotes(name):
    assert names(listed(["id", name, "x"])) == ["id", name, "x"]
