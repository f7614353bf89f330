"""Label models beside those of crowd-kit: time, accuracy and log-loss on the same votes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from benchmarks._data import DataNotFoundError
from benchmarks.peers._common import Found, described, raised, side_by_side
from benchmarks.replication.curation.curation import load_crowd, load_openi, load_spam, simulated
from skcorrupt.curation import GenerativeLabelModel, MajorityVoteLabeler

PEERS = ("crowd-kit",)
N_ITER = 100
# votes beyond which models that take minutes are left out
FEW = 8_000
MODELS = ("MajorityVote", "DawidSkene", "GLAD", "MACE")


def measure(peer: str, quick: bool) -> Found:
    """Times and quality of all models on all votes.

    Parameters
    ----------
    peer : {"crowd-kit"}
        The peer.
    quick : bool
        Whether simulated votes alone are enough.

    Yields
    ------
    tuple of str and dict
        Section and row.
    """
    about = {"peer": peer, "version": described(peer)}
    for name, (L, y) in votes(quick).items():
        for model in MODELS[:2] if quick or (L >= 0).sum() > FEW else MODELS:
            yield "labels", {"votes": name, "model": model, **about, **compared(model, L, y)}


def votes(quick: bool) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Votes and labels: real ones where they are at hand, and made-up ones."""
    found = {}
    if not quick:
        for name, load in (
            ("comments", load_spam),
            ("tweets", lambda: load_crowd(0)),
            ("reports", load_openi),
        ):
            try:
                L, y = load()[:2]  # type: ignore[operator]
            except DataNotFoundError:
                continue
            found[f"{name}, {L.shape[0]} × {L.shape[1]}"] = L, y
    n = 20 if quick else 1
    for name, rows, m in (("alarms", 3_265, 62), ("recommendations", 850_000, 5)):
        found[f"{name}, made up, {rows // n:,} × {m}"] = simulated(rows // n, m, 0)
    return found


def compared(model: str, L: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """One of their models beside the one of ours that does the same.

    Parameters
    ----------
    model : str
        Name of the model in crowd-kit.
    L : ndarray of int, shape (n, m)
        Votes, -1 for none.
    y : ndarray of int, shape (n,)
        Labels, 0 or 1.

    Returns
    -------
    dict
        Times, and quality over rows on which somebody voted.
    """
    from crowdkit import aggregation

    rows, functions = np.nonzero(L >= 0)
    # the form that it takes; making it is not timed
    long = pd.DataFrame({"task": rows, "worker": functions, "label": L[rows, functions]})
    params = {"DawidSkene": {"n_iter": N_ITER}, "MACE": {"random_state": 0}}.get(model, {})
    kind = MajorityVoteLabeler if model == "MajorityVote" else GenerativeLabelModel

    def own() -> Any:
        return kind(classes=[0, 1]).fit(L).predict_proba(L)

    def theirs() -> Any:
        return getattr(aggregation, model)(**params).fit_predict_proba(long)

    row = {"ours_model": kind.__name__, **side_by_side(own, theirs, 5)}
    voted = (L >= 0).any(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        row |= {f"ours_{k}": v for k, v in _quality(own()[voted], y[voted]).items()}
        if row["theirs"] is None:
            return row
        try:
            proba = theirs().reindex(index=np.flatnonzero(voted), columns=[0, 1]).fillna(0)
        except Exception as error:
            return row | {"said": raised(error)}
    return row | {f"theirs_{k}": v for k, v in _quality(proba.to_numpy(), y[voted]).items()}


def _quality(proba: np.ndarray, y: np.ndarray) -> dict[str, float]:
    proba = np.clip(np.asarray(proba, dtype=float), 1e-6, 1)
    proba /= proba.sum(axis=1, keepdims=True)
    return {
        "accuracy": float((proba.argmax(axis=1) == y).mean()),
        "loss": float(log_loss(y, proba, labels=[0, 1])),
    }
