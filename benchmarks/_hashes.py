"""What the raw files of the benchmarks are: their sha256, and where they come from."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

ANY_DATA_VARIABLE = "SKCORRUPT_ANY_DATA"

UCI = "https://archive.ics.uci.edu/dataset"
# by folder; a file "as prepared" is the public one without names, or made from it
HOMES = {
    "adult": f"{UCI}/2/adult",
    "bank": f"{UCI}/222/bank+marketing",
    "compas": "https://github.com/propublica/compas-analysis, as prepared: names, birth dates and "
    "case numbers left out",
    "credit_card_default": f"{UCI}/350/default+of+credit+card+clients, as CSV",
    "employee": "Kaggle, Employee dataset (LeaveOrNot)",
    "fair_preprocessing_results": "https://github.com/sumonbis/FairPreprocessing, as prepared",
    "fico": "FICO's Explainable Machine Learning Challenge, on request",
    "german": f"{UCI}/144/statlog+german+credit+data",
    "online_shoppers": f"{UCI}/468/online+shoppers+purchasing+intention+dataset, without a header",
    "openi": "https://github.com/HazyResearch/cross-modal-ws-demo, as prepared: votes",
    "savage_results": "https://github.com/lodino/savage, folder jsons, as prepared: one table",
    "south_german_credit": f"{UCI}/522/south+german+credit, English column names",
    "sqf": "https://github.com/lodino/savage",
    "titanic": "https://www.kaggle.com/c/titanic/data, train.csv",
    "transplant": "https://github.com/SurgicalInformatics/transplantbenefit, folder data",
    "twitterbot": "Gilani and others, 2017, as prepared: screen names left out",
    "weather_tweets": "CrowdFlower, weather sentiment",
    "youtube_spam": "https://github.com/snorkel-team/snorkel-tutorials, as prepared: votes",
}

SHA256 = {
    "adult/adult.data": "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    "adult/adult.test": "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
    "bank/bank-additional.csv": "7e59cf650004d65d1c9d6b08553bad2ee9a9ad70d594f536e3c584ee6ed5df50",
    "compas/compas-scores-two-years.csv": (
        "3bbc3288b268942fe3166bb6bfc0b6dbde3f31ed839ea636fffa1a6457d2c9f4"
    ),
    "credit_card_default/credit_card_default.csv": (
        "4edce6da569b2c30788a85fd98a9bafb1a983e8ca1a7aac875dd7ff853cbd0bb"
    ),
    "employee/employee.csv": "055e72945922c6e59e08c197a27ce656d96d554b0ee01d04eeddae0de23674a3",
    "fair_preprocessing_results/rq1-performance.csv": (
        "765247ce8ce55277e7159d572da7c8fdc146199f65c0636b28ba3259dc1b9985"
    ),
    "fair_preprocessing_results/rq2-transformers.csv": (
        "c10f0c1a7acc08a10888f30c60b917d972d246374cba33dff0f33fb3503c9191"
    ),
    "fair_preprocessing_results/rq3-figure6.csv": (
        "1a8290dc6ebc08db53f9456880f426d09088084e44133c2cd9a57a8a4dfc803d"
    ),
    "fair_preprocessing_results/rq3-global-fairness.csv": (
        "2fab82692db34467b399214d2826f26aace6fd8fada37a493029ce9e5611756f"
    ),
    "fair_preprocessing_results/rq3-local-fairness.csv": (
        "1912b563a83b66811c41fa3a7a74652dc72d12e1e9b02222e15808c98b563625"
    ),
    "fico/fico_data.csv": "c6e937b84ae2ba4b75dc5aa4ce7d94fe57ab641acf3a565a3d6b9bbdfbeae4f2",
    "german/german.data": "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
    "online_shoppers/online_shoppers_intention.csv": (
        "f478bab98d0a47125518aab1a3c3cf1e3527b31bb06aa27bd0cc0b93e0a11185"
    ),
    "openi/votes_dev.csv": "166de19fb8b6ade7520f4e65b566108499518462724ed70adffa67976b81f7bb",
    "openi/votes_test.csv": "0affbd6acca7b5a700371791bdd5c57a1ea120c06da97110aa1f19e7b4d9a5e3",
    "openi/votes_train.csv": "deb4f3c1029b6982a95ba48f9d300b15e0eae166bcaa3b2001150a10a60693fe",
    "savage_results/results.csv": (
        "846207067c7f42da42becf5b099ab1e204ec3b03f89456b57a156189405ed2c6"
    ),
    "south_german_credit/SouthGermanCredit.asc": (
        "fc41f36d43482df98c90e0de996c097f1219db6177b136a26514e1face28f3aa"
    ),
    "sqf/sqf_test.csv": "b43cba57fca509f89bf9c2be3ba412d5257409cb5bb51286a61ebb2f1c02941c",
    "sqf/sqf_train.csv": "8089260ad010cfcfa5225f5c7c6774e520afa61b606afb4d4b14e7d7c085ce47",
    "titanic/titanic.csv": "7d118fef8b6ccf7f81111877bc388536f7b1e498a655e3d649d19aaa010e9f6f",
    "transplant/betas.csv": "6650f6ce2bd4045ab98ce8c3227fc7bf0409b8011969714ed105526ba4d5ef09",
    "transplant/surv_cancer.csv": (
        "6ede4b48b6777f22c80f50c8ae7ff6695784b80bc57a7cfe257137d4947d724e"
    ),
    "transplant/surv_noncancer.csv": (
        "69251fd1ae68d7806d22be8cb7b4dd09217fa71f1ff9f2e2b9ba1050b87ed79f"
    ),
    "twitterbot/bots/bots.100k.csv": (
        "6a361745819eb27a9b22c01d19c14007f5bc9ae7737aa4efdf4da006a3e457de"
    ),
    "twitterbot/bots/bots.10M.csv": (
        "b64c98ea5f630aa73894a0160db617ba382e27ef2049e1e96e54a085076ad95c"
    ),
    "twitterbot/bots/bots.1M.csv": (
        "cc8743c598ba47bfe242403d5aaa4a5a7e4925e309b40c9afd86092849d85f8a"
    ),
    "twitterbot/bots/bots.1k.csv": (
        "7ebbc98f2ee5caeea0cad301014854a3c0e47735ad1ae81bc3d702e6f9057f25"
    ),
    "twitterbot/humans/humans.100k.csv": (
        "9efb0e7e28b456ac8a50fcb9075961f50003885d0002cc23ebd8a18f00af958d"
    ),
    "twitterbot/humans/humans.10M.csv": (
        "c4f55d32ab6802406746951fec0fbb84c0633c81e8729e603b050e1de631ab52"
    ),
    "twitterbot/humans/humans.1M.csv": (
        "7428b284262043886eec17c596eefd29d4f323a6aca41d7f3864d35092613083"
    ),
    "twitterbot/humans/humans.1k.csv": (
        "b5ad8bcd6c2854c9aca039b7f74b52e7a4f298bbdc7bb13e5c68ffcdf05c7de3"
    ),
    "weather_tweets/weather-evaluated-agg-DFE.csv": (
        "3d89efbdb70b5c6712ad66595e32209b9b69ccea373f3d57343908ea6c45752c"
    ),
    "weather_tweets/weather-non-agg-DFE.csv": (
        "a7e0527d10fe395027b9bf607ccd1c91d6f0bc586781e48d4151be02f2a5b6f8"
    ),
    "youtube_spam/votes_test.csv": (
        "a5d46822d65167cb4f7698d59401846465df05d3e498850a9db6955d277f6a79"
    ),
    "youtube_spam/votes_train.csv": (
        "40f414b7dfd751552a11cd2b03b92e2aa1988e68fb29d4d042dc81a7352f76e2"
    ),
    "youtube_spam/votes_valid.csv": (
        "2eb2ac480139a441aa7986d831334f8b78f18ca2ffab86b05c91171c10c65610"
    ),
}
# of the coded features and labels of Adult, wherever they come from
ADULT_CODED = "ce27d4a724bff0dab4474a7f3e2a10a3f75947acb957deeef9acbee3141d4cb8"


class DataDiffersError(ValueError):
    """A file or a table is not the one that the printed and saved numbers belong to."""


def any_data() -> bool:
    """Whether other data are taken as well, which `SKCORRUPT_ANY_DATA=1` says."""
    return os.environ.get(ANY_DATA_VARIABLE, "") not in ("", "0")


def require_hash(path: Path, name: str) -> None:
    """Stop at a file that is not the known one of its name.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        Its name in the folder of data; names that `SHA256` does not have pass.

    Raises
    ------
    DataDiffersError
        If its hash is not the known one and `SKCORRUPT_ANY_DATA` is not set.
    """
    if name not in SHA256 or any_data():
        return
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256[name]:
        raise DataDiffersError(
            f"{name} ({path}) has sha256 {found}, expected {SHA256[name]}. Take the file from "
            f"{HOMES[name.split('/')[0]]}, or set {ANY_DATA_VARIABLE}=1 to run on this one; its "
            "results do not compare with those saved."
        )


def require_shape(name: str, table: Any, shape: tuple[int, int]) -> None:
    """Stop at a table whose shape is not that of the data set.

    Parameters
    ----------
    name : str
        The data set.
    table : DataFrame or ndarray
        Its features.
    shape : tuple of int
        Rows and columns that it has to have.

    Raises
    ------
    DataDiffersError
        If it has others and `SKCORRUPT_ANY_DATA` is not set.
    """
    if tuple(table.shape) != shape and not any_data():
        raise DataDiffersError(
            f"{name} has {table.shape[0]} rows and {table.shape[1]} columns, expected {shape[0]} "
            f"and {shape[1]}. Take the files that benchmarks/_hashes.py names, or set "
            f"{ANY_DATA_VARIABLE}=1 to run on these; their results do not compare with those saved."
        )


def coded_hash(*tables: Any) -> str:
    """The sha256 of whole numbers, whatever file or service they were read from.

    Parameters
    ----------
    *tables : DataFrame, Series or ndarray
        Tables of whole numbers, in order.

    Returns
    -------
    str
        The hash.
    """
    digest = hashlib.sha256()
    for table in tables:
        values = table.to_numpy() if hasattr(table, "to_numpy") else table
        digest.update(str(values.shape).encode() + values.astype("<i8").tobytes(order="C"))
    return digest.hexdigest()
