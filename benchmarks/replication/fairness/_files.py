"""What the fairness study's published result files say of its own findings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchmarks._data import data_folder, require_file

FOLDER = "fair_preprocessing_results"
EFFECTS = ["SF_SPD", "SF_EOD", "SF_AOD", "SF_ERD"]
LEVELS = ["SPD", "EOD", "AOD", "ERD"]
# the range of section 5.3 in accuracy and F1
SMALL = 0.005
# numbers with three digits that are one less another
ROUNDED = 0.0011
MOST_BIASED = (("TT7", "LE"), ("TT8", "CT(f)"), ("TT4", "CT(f)"), ("TT1", "MV"), ("GC8", "SS"))


def file_facts() -> dict[str, Any]:
    """Counts and means by name.

    Returns
    -------
    dict of str to object
        Values by name.

    Raises
    ------
    DataNotFoundError
        If SKCORRUPT_DATA does not hold the files.
    """
    return {**_performance(), **_transformers(), **_composition(), **_downstream()}


def _table(name: str) -> pd.DataFrame:
    path = require_file(data_folder(), f"{FOLDER}/{name}.csv")
    return pd.read_csv(path, encoding="utf-8-sig").dropna(how="all").reset_index(drop=True)


def _performance() -> dict[str, Any]:
    """Figure 4: what stages do to accuracy and F1."""
    table = _table("rq1-performance").assign(Model=lambda frame: frame["Model"].ffill())
    changes = table[["Accuracy change", "F1 score change"]]
    most = dict(table.set_index(["Model", "Stage"])[[*changes]].iterrows())
    better = [max(most[key]) > 0 for key in MOST_BIASED]
    # by the names of figure 3, which says Custom where this one says CT
    printed = {
        f"figure 4, {model} {stage.replace('CT(', 'Custom(')}": list(map(float, most[model, stage]))
        for model, stage in most
    }
    return {
        **printed,
        "figure 4: stages": len(table),
        "figure 4: both changes small": int((changes.abs() <= SMALL).all(axis=1).sum()),
        "figure 4: one change a gain": int((changes > SMALL).any(axis=1).sum()),
        "figure 4: most biased": len(better),
        "figure 4: most biased that gain": int(sum(better)),
    }


def _transformers() -> dict[str, Any]:
    """Figure 5: the mean size of effects, of the four metrics, by kind of transformer."""
    table = _table("rq2-transformers")
    table["size"] = table[EFFECTS].abs().mean(axis=1)
    by_kind = table.pivot_table(index="dataset", columns="Categories", values="size")
    out: dict[str, Any] = {"figure 5: cells": len(table), "figure 5: data": len(by_kind)}
    out |= {
        f"figure 5: cells, {data}": int(n) for data, n in table["dataset"].value_counts().items()
    }
    for kind, size in table.groupby("Categories")["size"].mean().items():
        out[f"figure 5, {kind}"] = float(size)
    largest = by_kind.idxmax(axis=1)
    out["figure 5: largest by data"] = dict(largest.items())
    for data, size in table.groupby("dataset")["size"].mean().items():
        out[f"figure 5, {data}"] = float(size)
    # a kind and one of its transformers are both called PCA
    for stage, size in table.groupby("Stage")["size"].mean().filter(like="Select").items():
        out[f"figure 5, {stage}"] = float(size)
    fair = table["Categories"].isin(["Scaling", "Non-linear transfromer"])
    middle = float(table["size"].median())
    out["figure 5: fair cells"] = int(fair.sum())
    out["figure 5: fair cells below the median"] = int((table.loc[fair, "size"] < middle).sum())
    # the third of its kind is said to do little
    chosen = table["Stage"].isin(["SelectBest", "SelectPercentile"])
    out["figure 5: selection cells"] = int(chosen.sum())
    out["figure 5: selection cells above the median"] = int(
        (table.loc[chosen, "size"] > middle).sum()
    )
    return out


def _composition() -> dict[str, Any]:
    """Figure 6: effects of stages beside changes of the whole pipeline's fairness."""
    local, total = _table("rq3-local-fairness"), _table("rq3-global-fairness")
    gap = np.abs(local[[f"V_{name}" for name in LEVELS]].to_numpy() - total[LEVELS].to_numpy())
    models = local["Model"].ffill() + " " + local["Stage"]
    three = (gap[:, :3] <= ROUNDED).all(axis=1)
    return {
        "figure 6: stages": len(local),
        "figure 6: the same in SPD, EOD and AOD": int(three.sum()),
        "figure 6: the others": models[~three].tolist(),
        "figure 6: the same in ERD": int((gap[:, 3] <= ROUNDED).sum()),
    }


def _downstream() -> dict[str, Any]:
    """Figure 7: levels of fairness after under-sampling and a scaler."""
    table = _table("rq3-figure6")
    table = table[table["Stage"] != "Stage"]
    out: dict[str, Any] = {}
    for model, part in table.groupby("Model"):
        levels = part.set_index("Stage")[LEVELS].astype(float)
        out[f"figure 7, {model}"] = {str(k).upper(): list(v) for k, v in levels.iterrows()}
    return out
