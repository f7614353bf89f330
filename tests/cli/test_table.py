"""Files that commands read: compressed, Parquet, without a header."""

import pandas as pd
import pytest

from skcorrupt.cli._command_error import CommandError
from skcorrupt.cli._table import load_table

TABLE = pd.DataFrame({"age": [31.5, 40.25, 22.0], "city": ["Rome", "Oslo", "Rome"], "y": [0, 1, 0]})


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.bz2", "t.csv.xz", "t.zip"])
def test_compressed_files(name, tmp_path):
    TABLE.to_csv(tmp_path / name, index=False)
    pd.testing.assert_frame_equal(load_table(tmp_path / name, ","), TABLE)


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    TABLE.to_parquet(tmp_path / "t.parquet")
    pd.testing.assert_frame_equal(load_table(tmp_path / "t.parquet", ","), TABLE)
    (tmp_path / "no.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(CommandError, match=r"cannot read .*no\.parquet as Parquet"):
        load_table(tmp_path / "no.parquet", ",")


def test_a_file_without_a_header_is_noticed(tmp_path):
    path = tmp_path / "t.csv"
    TABLE.to_csv(path, index=False, header=False)
    with pytest.raises(
        CommandError, match=r"first line reads as values \(31.5, Rome, 0\).*--header"
    ):
        load_table(path, ",")
    read = load_table(path, ",", header=False)
    assert list(read.columns) == ["x0", "x1", "x2"] and len(read) == 3
    assert len(load_table(path, ",", header=True)) == 2


@pytest.mark.parametrize(
    "names", [["0", "1", "2"], ["2021", "2022", "2023"], ["a", "b", "c"], ["a", "b", "1.5"]]
)
def test_names_of_columns_are_no_values(names, tmp_path):
    table = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=names)
    table.to_csv(tmp_path / "t.csv", index=False)
    assert list(load_table(tmp_path / "t.csv", ",").columns) == names
