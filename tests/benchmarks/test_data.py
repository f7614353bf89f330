"""Loaders of the benchmarks: coding on small files, and the real ones where they are at hand."""

import numpy as np
import pandas as pd
import pytest

from benchmarks._data import (
    DataNotFoundError,
    code_adult,
    load_adult,
    load_credit_card_default,
    load_employee,
    read_adult,
    read_coded,
)

TRAIN = """\
39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, \
2174, 0, 40, United-States, <=50K
50, Self-emp-not-inc, 83311, Doctorate, 13, Married-AF-spouse, Exec-managerial, Wife, Black, \
Female, 0, 0, 41, United-States, >50K
38, ?, 215646, HS-grad, 9, Divorced, Handlers-cleaners, Not-in-family, White, Male, 0, 0, 40, \
United-States, <=50K
45, Private, 215646, Assoc-voc, 9, Widowed, Handlers-cleaners, Husband, White, Male, 0, 0, 80, \
United-States, >50K
"""
TEST = "|1x3 Cross validator\n" + TRAIN.replace("50K\n", "50K.\n")


@pytest.mark.parametrize(("text", "skiprows"), [(TRAIN, 0), (TEST, 1)])
def test_adult_is_coded_as_published(tmp_path, text, skiprows):
    path = tmp_path / "adult.csv"
    path.write_text(text)
    X, y = code_adult(read_adult(path, skiprows=skiprows))
    expected = pd.DataFrame(
        {
            "age": [0, 1, 1],
            "workclass": [2, 6, 7],
            "education": [10, 15, 13],
            "marital": [0, 2, 1],
            "relationship": [0, 1, 1],
            "race": [1, 0, 1],
            "gender": [1, 0, 1],
            "hours": [0, 1, 1],
        }
    )
    pd.testing.assert_frame_equal(X, expected)
    assert y.tolist() == [0, 1, 1]


def test_an_unknown_category_is_an_error(tmp_path):
    path = tmp_path / "adult.csv"
    path.write_text(TRAIN.replace("Doctorate", "Nursery"))
    with pytest.raises(ValueError, match="Nursery"):
        code_adult(read_adult(path))


def test_text_columns_become_ranks_and_the_label_is_taken_out(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("city,age,left\nRome,30,1\nOslo,41,0\nRome,25,0\n")
    X, y = read_coded(path, "left")
    assert X.to_dict("list") == {"city": [1, 0, 1], "age": [30, 41, 25]}
    assert y.tolist() == [1, 0, 0]


@pytest.mark.parametrize("load", [load_adult, load_employee, load_credit_card_default])
def test_a_folder_without_the_file_is_named(tmp_path, monkeypatch, load):
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    with pytest.raises(DataNotFoundError, match="SKCORRUPT_DATA"):
        load()


def test_the_real_files_have_the_published_shapes(data_dir):
    if not (data_dir / "adult").is_dir():
        pytest.skip("the folder of real data sets has no adult")
    X, y, X_test, y_test = load_adult()
    assert X.shape == (30162, 8)
    assert X_test.shape == (15060, 8)
    assert set(np.unique(np.concatenate([y, y_test]))) == {0, 1}
