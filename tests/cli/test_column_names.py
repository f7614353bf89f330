"""Names that would tear lines, as commands print and take them."""

import argparse

from skcorrupt.cli._column_names import as_in_file, set_as_in_file
from skcorrupt.cli._output import table_text

COLUMNS = ["line\nbreak", "a\tb", r"a\tb", "c\nd", "plain", 3]


def test_cells_of_tables_are_on_one_line():
    assert table_text([["column", "n"], ["line\nbreak", "1"]]).splitlines() == [
        "column       n",
        "line\\nbreak  1",
    ]


def test_a_name_is_taken_as_it_is_printed_and_as_it_is():
    given = [r"line\nbreak", "c\nd", "plain", "other"]
    assert as_in_file(given, COLUMNS) == ["line\nbreak", "c\nd", "plain", "other"]
    # a column that is called so comes first
    assert as_in_file([r"a\tb"], COLUMNS) == [r"a\tb"]


def test_all_options_that_name_columns_are_read_so():
    args = argparse.Namespace(label=r"c\nd", drop=[r"line\nbreak"], by=None, out=r"c\nd")
    set_as_in_file(args, COLUMNS)
    assert vars(args) == {"label": "c\nd", "drop": ["line\nbreak"], "by": None, "out": r"c\nd"}
