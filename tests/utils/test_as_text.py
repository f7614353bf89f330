"""Numbers as readers are told them, in sentences as in tables."""

import pytest

from skcorrupt.utils._as_text import percent, percent_in_words


@pytest.mark.parametrize(
    ("share", "table", "sentence"),
    [
        (0.0853, "8.5 %", "8.5 %"),
        (0.7, "70.0 %", "70 %"),
        (1, "100.0 %", "100 %"),
        (0, "0.0 %", "0 %"),
        (0.0011, "0.1 %", "0.1 %"),
        (0.00041, "0.04 %", "0.04 %"),
        (-0.0126, "-1.3 %", "-1.3 %"),
    ],
)
def test_a_share_has_one_form(share, table, sentence):
    assert (percent(share), percent_in_words(share)) == (table, sentence)
