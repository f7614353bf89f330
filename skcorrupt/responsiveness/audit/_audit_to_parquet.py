"""Audits of tables that need not fit in memory, where equal people are audited once."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from skcorrupt.evaluation._corrupt_to_parquet import _folder, _name, _write
from skcorrupt.utils import Reader, Source, as_source
from skcorrupt.utils._typing import FilePath, TableLike

from ._responsiveness_auditor import COLUMNS, ResponsivenessAuditor
from ._verdicts import N_PEOPLE

# what names begin with that no table has: of the position of a row or person, of whether they are
# in the population, and of results
OWN = "\0"
ROW, KNOWN = f"{OWN}row", f"{OWN}known"


@dataclass
class _Results:
    """Writes the results of the people of a part."""

    columns: list[str]
    key: list[str]
    results: Any
    folder: Path
    name: str

    def __call__(self, frame: Any, first: int) -> int:
        import polars as pl

        found = frame.with_row_index(ROW, offset=first).join(
            self.results, on=self.columns, how="left", nulls_equal=True, maintain_order="left"
        )
        if found[KNOWN].null_count():
            raise ValueError(
                f"{self.name} has rows that it did not have a moment ago; write it to files, and "
                "pass these."
            )
        told = {name: pl.col(f"{OWN}{name}") for name in COLUMNS}
        audited = found.filter(pl.col(KNOWN)).select(pl.col(ROW).alias("row"), *self.key, **told)
        _write(audited, self.folder / _name(first))
        return int(audited.height)


def audit_to_parquet(
    auditor: ResponsivenessAuditor,
    X: TableLike | FilePath,
    path: FilePath,
    *,
    key: str | Sequence[str] = (),
) -> Any:
    """Audit the people of a table that need not fit in memory, and write Parquet files.

    The table is read twice: people with the same values in all columns of the action set are
    audited once, and then each row gets the results of its person. So memory holds the different
    people, and of rows no more than a seed and a p-value each. Tests allow for all rows, as in
    memory.

    Parameters
    ----------
    auditor : ResponsivenessAuditor
        The auditor, which is left as it is.
    X : table in parts
        A Parquet file or a folder of such, a polars LazyFrame, a pyarrow Dataset or a Dask
        DataFrame, with the columns of the action set; others are not looked at.
    path : str or Path
        A folder to write to, new or empty; a file for every part.
    key : str or sequence of str, default=()
        Further columns of the table that are written beside the results, such as a number that
        tells people.

    Returns
    -------
    polars.LazyFrame
        The results as they were written: a row for each row of the table that was audited, its
        position `row`, the key, and the columns of `results_`.

    Raises
    ------
    TypeError
        If X is a table in memory, or the auditor is none.
    ValueError
        If the table lacks a column, has no fixed order of rows, or the folder holds something; and
        what `fit` refuses.

    Notes
    -----
    Where all points of a person are seen, results are those of `fit` on the table in memory. Where
    they are drawn, equal people share the draws of the first of them, which are those of `fit`, so
    that results are the same however the table is cut.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pandas as pd
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor, audit_to_parquet
    >>> X = pd.DataFrame({"age": [25, 31, 45, 60], "savings": [0, 3, 1, 3]})
    >>> model = DecisionTreeClassifier(random_state=0).fit(X, ["no", "yes", "no", "yes"])
    >>> auditor = ResponsivenessAuditor(
    ...     model, ActionSet.from_data(X, actionable=["savings"]), target="yes", task="preclusion"
    ... )
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> pd.concat([X] * 3).to_parquet(folder / "people.parquet")
    >>> found = audit_to_parquet(auditor, folder / "people.parquet", folder / "results")
    >>> found.select("row", "responsiveness", "verdict").collect().rows()[:2]
    [(0, 0.25, 'responsive'), (2, 0.25, 'responsive')]
    """
    if not isinstance(auditor, ResponsivenessAuditor):
        raise TypeError(f"auditor is a {type(auditor).__name__}; pass a ResponsivenessAuditor.")
    source = as_source(X)
    if source is None:
        raise TypeError(
            f"X is a {type(X).__name__}, in memory; call auditor.fit(X), or pass a Parquet file, a "
            "folder of such, a LazyFrame, a Dataset or a Dask DataFrame."
        )
    import polars as pl

    beside = _beside(source, Reader(key, "key").name_or_names(least=0))
    folder = _folder("path", path, source)
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"path={str(folder)!r} holds files already; pass a new folder.")
    alone = copy.copy(auditor)
    # files of some of the people would look as if these were all
    people = alone._fit_parts(source, keep=False)
    columns = people.frame.columns
    results = alone.results_.drop(columns=N_PEOPLE).reset_index(drop=True)
    told = pl.from_pandas(results).rename(lambda name: f"{OWN}{name}")
    rows = pl.Series(ROW, alone._rows.astype(np.uint32))
    told = told.with_columns(rows, pl.lit(True).alias(KNOWN))
    there = people.frame.with_row_index(ROW)
    joined = there.join(told, on=ROW, how="left").drop(ROW)
    job = _Results(
        columns, beside, joined.with_columns(pl.col(KNOWN).fill_null(False)), folder, source.name
    )
    for _ in source.stream(job, [*dict.fromkeys([*columns, *beside])], n_jobs=auditor.n_jobs):
        pass
    return pl.scan_parquet(folder / _name("*"))


def _beside(source: Source, key: Sequence[str]) -> list[str]:
    """Columns that are written beside the results, which have to be there."""
    wrong = [name for name in key if name not in source.schema]
    if wrong:
        raise ValueError(
            f"{source.name} has no column {wrong[0]!r}; its columns are: "
            f"{', '.join(source.schema)}."
        )
    taken = [name for name in key if name in ("row", *COLUMNS)]
    if taken:
        raise ValueError(f"key: {taken[0]!r} is what a column of the results is called; rename it.")
    return [*key]
