"""Stages as readers are told them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import pandas as pd

# what make_pipeline, make_column_transformer and make_union call what they make
_MADE = re.compile(r"(pipeline|columntransformer|featureunion)(-\d+)?")


def stage_names(paths: Iterable[str]) -> dict[str, str]:
    """Paths of stages without the parts that nobody has named.

    Parameters
    ----------
    paths : iterable of str
        Parameter paths of stages, such as "columntransformer__pipeline__simpleimputer".

    Returns
    -------
    dict of str to str
        For each path a name that no other one has, such as "simpleimputer".
    """
    known = list(dict.fromkeys(paths))
    short = [_named(path) for path in known]
    times = Counter(short)
    pairs = zip(known, short, strict=True)
    return {path: name if times[name] == 1 else path for path, name in pairs}


def named(table: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """A table with names of stages in place of paths, in what is said of them too."""
    new = table.assign(stage=[names.get(path, path) for path in table["stage"]])
    if "message" in table:
        pairs = zip(table["stage"], table["message"], strict=True)
        new["message"] = [text.replace(path, names.get(path, path), 1) for path, text in pairs]
    return new


def _named(path: str) -> str:
    *parts, last = path.split("__")
    return "__".join([*(part for part in parts if not _MADE.fullmatch(part)), last])
