"""Files that commands read: compressed, Parquet, without a header."""

import pandas as pd
import pytest

from skcorrupt.cli._command_error import CommandError
from skcorrupt.cli._table import load_table, with_dates

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


@pytest.mark.parametrize("header", [None, True])
@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("a,b,a,y", "named 'a'; one is called 'a.1'.$"),
        ("a,a,a,y", "named 'a'; one is called 'a.1', and 1 more"),
    ],
)
def test_a_name_that_is_repeated_is_told(names, message, header, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"{names}\n1,2,3,0\n4,5,6,1\n")
    with pytest.warns(UserWarning, match=message):
        read = load_table(path, ",", header=header)
    assert read.columns.is_unique
    path.write_text("a,a.1,,\n1,2,3,0\n4,5,6,1\n")
    assert len(load_table(path, ",", header=header).columns) == 4


@pytest.mark.parametrize(
    ("cells", "decimal", "message"),
    [
        (["3,5", "-4,25", "7"], ".", "'b' holds texts such as '3,5', .*, pass --decimal ,.$"),
        (["1.5", ".25"], ",", "'b' holds texts such as '1.5', .*, pass --decimal ..$"),
        (["1,234", "12,345.5", "8"], ".", "such as '1,234', .*in the file without ','.$"),
        (["0,125", "1,500"], ".", r"'0,125', .* numbers, pass --decimal ,.$"),
        (["1,250", "2,500"], ".", "pass --decimal ,, or, if ',' stands between thousands, write"),
        (["1.234,5", "17", "2.000"], ",", "such as '1.234,5', .*in the file without '.'.$"),
    ],
)
def test_texts_that_look_like_numbers_are_told(cells, decimal, message, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c\n" + "".join(f"{i};{cell};u,v\n" for i, cell in enumerate(cells)))
    with pytest.warns(UserWarning, match=message):
        load_table(path, ";", decimal=decimal)


def test_columns_of_a_remedy_are_told_together(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c;d\n1;3,5;0,5;x, y\n2;4,5;1,5;z\n")
    with pytest.warns(UserWarning, match="'b', and 1 more column, hold texts such as '3,5'"):
        load_table(path, ";")


def test_decimal_commas(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c\n1;3,5;x,y\n2;;1,5 kg\n3;-4;2\n")
    read = load_table(path, ";", decimal=",")
    assert read["b"].tolist()[::2] == [3.5, -4.0]
    assert pd.isna(read["b"][1])
    assert read["c"].tolist() == ["x,y", "1,5 kg", "2"]


def test_texts_that_are_all_dates_become_dates():
    table = pd.DataFrame(
        {
            "day": ["2026-01-31", None, "2025-12-01"],
            "time": ["2026-01-31 12:30", "2026-02-01T00:00:59", "2026-02-01"],
            "no day": ["2026-02-30", "2026-01-01", "2026-01-02"],
            "some": ["2026-01-01", "soon", "2026-01-02"],
            "number": [20260101, 20260102, 20260103],
            "empty": [None, None, None],
        }
    )
    before = table.copy()
    found = with_dates(table)
    dated = found.select_dtypes("datetime")
    assert list(dated.columns) == ["day", "time"]
    assert found["day"].isna().tolist() == [False, True, False]
    assert found["time"].max() == pd.Timestamp("2026-02-01 00:00:59")
    pd.testing.assert_frame_equal(
        found.drop(columns=["day", "time"]), before.drop(columns=["day", "time"])
    )
    pd.testing.assert_frame_equal(table, before)


def test_times_that_all_have_their_zone_become_times_in_it():
    winter, summer = "2026-01-31 12:30:00+01:00", "2026-07-31 12:30:00+02:00"
    table = pd.DataFrame(
        {
            "one": [winter, None, "2026-02-01 00:00:00+01:00"],
            # as a table with a zone is written
            "two": [winter, None, summer],
            "utc": ["2026-01-31T12:30Z", "2026-02-01T00:00:00.5Z", "2026-02-01T00:00Z"],
            "hours": ["2026-01-31 12:30-05", "2026-02-01 00:00-05", None],
            "some": [winter, "2026-02-01 00:00:00", winter],
            "no day": ["2026-02-30 12:30+01:00", winter, winter],
        }
    )
    found = with_dates(table)
    assert list(found.select_dtypes("datetimetz").columns) == ["one", "two", "utc", "hours"]
    assert str(found["one"].dt.tz) == "UTC+01:00" and str(found["two"].dt.tz) == "UTC"
    moment = pd.Timestamp("2026-01-31 11:30", tz="UTC")
    assert found["one"][0] == found["two"][0] == moment and found["one"].isna().sum() == 1
    assert found["two"][2] == pd.Timestamp("2026-07-31 10:30", tz="UTC")
    assert found["hours"][0] == pd.Timestamp("2026-01-31 17:30", tz="UTC")
    unread = ["some", "no day"]
    pd.testing.assert_frame_equal(found[unread], table[unread])


def test_texts_that_are_all_durations_become_durations():
    spent = pd.Series(pd.to_timedelta(["90s", None, "-1h", "40h", "0.25s"]))
    table = pd.DataFrame(
        {
            "spent": spent.astype(str).where(spent.notna(), None),
            "whole": ["1 days", "2 days", "1 day", "3 days", None],
            "some": ["1 days", "2 days", "soon", "3 days", "4 days"],
            # no duration of nanoseconds is as long
            "long": ["999999999 days", "2 days", "1 days", "3 days", "4 days"],
            "clock": ["12:30:00", "01:00:00", "02:00:00", "03:00:00", "04:00:00"],
        }
    )
    found = with_dates(table)
    assert list(found.select_dtypes("timedelta").columns) == ["spent", "whole"]
    assert (found["spent"].dropna() == spent.dropna()).all() and found["spent"].isna().sum() == 1
    pd.testing.assert_frame_equal(
        found.drop(columns=["spent", "whole"]), table.drop(columns=["spent", "whole"])
    )
