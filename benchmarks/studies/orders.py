"""Which successes of a bound put the samples of public sets of votes in the right order."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from benchmarks._results import Results, markdown_table
from benchmarks.replication.curation.curation import load_crowd, load_openi, load_spam
from skcorrupt import NaturalAdversarialCurator
from skcorrupt.curation import (
    GenerativeLabelModel,
    LabelingFunctionSelector,
    MajorityVoteLabeler,
)

N_CROWDS = 5


def run(quick: bool = False) -> None:
    """Order every set by both and save what true labels say of it.

    Parameters
    ----------
    quick : bool, default=False
        Fewer permutations and crowds.
    """
    results = Results("orders", quick)
    sets = [("comments", *load_spam()[:3]), ("X-rays", *load_openi())]
    for seed in range(1 if quick else N_CROWDS):
        sets.append((f"tweets {seed}", *load_crowd(seed, sure=False)))
    for data, L, y, L_more in sets:
        for row in order_rows(L, y, L_more, 99 if quick else 9999):
            results.add("orders", {"data": data, **row})


def order_rows(
    L: np.ndarray, y: np.ndarray, L_more: np.ndarray, n_permutations: int
) -> list[dict[str, Any]]:
    """A row for every label model, with and without a selector, and what is counted.

    Parameters
    ----------
    L : ndarray of shape (n_samples, n_lfs)
        Votes.
    y : ndarray of shape (n_samples,)
        True labels.
    L_more : ndarray of shape (n_more, n_lfs)
        Votes from which models learn too.
    n_permutations : int
        Random orders of a test.

    Returns
    -------
    list of dict
        The rows.
    """
    rows = []
    models = {
        "majority": MajorityVoteLabeler(classes=[0, 1]),
        "generative": GenerativeLabelModel(classes=[0, 1]),
    }
    for name, model in models.items():
        for selects in (False, True):
            for successes in ("agreement", "confidence"):
                selector = LabelingFunctionSelector() if selects else None
                scores = []
                for nested in (True, False):
                    curator = NaturalAdversarialCurator(
                        model, selector, successes=successes, nested=nested, random_state=0
                    )
                    with warnings.catch_warnings():
                        warnings.filterwarnings("ignore", "(Generative|Majority)")
                        curator.fit(L, L_more=L_more)
                    scores.append(curator.score_ordering(y, n_permutations=n_permutations))
                whole, apart = scores
                rows.append(
                    {
                        "model": name,
                        "selects": selects,
                        "successes": successes,
                        "rho": float(whole.rho),
                        "rho_apart": float(apart.rho),
                        "pvalue_apart": float(apart.permutation_pvalue),
                        "valid_apart": bool(apart.permutation_valid),
                    }
                )
    return rows


def tables(content: dict[str, Any]) -> dict[str, str]:
    """Markdown tables of saved results, by name."""
    found = pd.DataFrame(content["sections"]["orders"])
    found["kind"] = found["data"].str.split().str[0]
    rows = []
    for (kind, model), part in found.groupby(["kind", "model"], sort=False):
        row: dict[str, Any] = {"kind": kind, "model": model}
        for successes, here in part.groupby("successes"):
            row[f"rho {successes}"] = float(here["rho_apart"].mean())
            row[f"valid {successes}"] = f"{int(here['valid_apart'].sum())} of {len(here)}"
        rows.append(row)
    columns = {"kind": "set", "model": "label model"}
    for successes in ("agreement", "confidence"):
        columns |= {f"rho {successes}": f"{successes}: mean rho", f"valid {successes}": "valid"}
    return {"orders": markdown_table(rows, columns)}
