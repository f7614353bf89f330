"""Audits of gaming: which accounts that a model calls bots can come to look human."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom, false_discovery_control

from skcorrupt.responsiveness import ActionSet, ResponsivenessAuditor

EPSILON, ALPHA, N_DRAWS = 0.05, 0.05, 402
# a model passes with at most this share of gameable accounts among those it calls bots
MOST_GAMEABLE = 0.1


def audited(models: dict[str, Any], actions: ActionSet, X: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The audit of models over the same reachable points, of the accounts each calls bots."""
    # a model that calls nobody a bot has nothing to game
    asked = {name: model for name, model in models.items() if (model.predict(X) == 0).any()}
    auditor = ResponsivenessAuditor(
        next(iter(asked.values())),
        actions,
        target=1,
        task="gaming",
        epsilon=EPSILON,
        alpha=ALPHA,
        n_samples=N_DRAWS,
        random_state=seed,
    )
    return auditor.fit(X).audit(asked)


def gameable(results: pd.DataFrame, epsilon: float = EPSILON) -> np.ndarray:
    """Where the audit of a model certifies a responsiveness of `epsilon` or more.

    At the audit's own threshold these are its verdicts; at others its counts are tested again.

    Parameters
    ----------
    results : DataFrame
        A row an account.
    epsilon : float
        The threshold.

    Returns
    -------
    ndarray of bool, shape (n_accounts,)
        Whether it is gameable.
    """
    n, hits, exact = (results[name].to_numpy() for name in ("n", "hits", "exact"))
    q = np.ones(len(results))
    if (~exact).any():
        q[~exact] = false_discovery_control(binom.sf(hits[~exact] - 1, n[~exact], epsilon))
    return np.where(exact, hits >= epsilon * n, q <= ALPHA)


def gameable_shares(
    results: pd.DataFrame, models: Iterable[str], epsilon: float = EPSILON
) -> dict[str, float]:
    """For every model the share of the accounts it calls bots that can game it."""
    shares = dict.fromkeys(models, 0.0)
    for name, part in results.groupby("model"):
        shares[str(name)] = float(gameable(part, epsilon).mean())
    return shares


def misjudged(relaxed: pd.DataFrame, exact: pd.DataFrame, models: Iterable[str]) -> dict[str, Any]:
    """What the relaxed actions say of accounts and models, beside the exact ones.

    Parameters
    ----------
    relaxed, exact : DataFrame
        Audits of the same models on the same accounts.
    models : iterable of str
        The models to look at.

    Returns
    -------
    dict
        Numbers of judgements (a model and an account it calls a bot) and of models, those wrong
        either way, and the largest true share among models that pass the relaxed check.
    """
    audits = [dict(iter(each.groupby("model"))) for each in (relaxed, exact)]
    both = [[gameable(each[name]) for each in audits] for name in models if name in audits[0]]
    passes = [[each.mean() <= MOST_GAMEABLE for each in pair] for pair in both]
    passing = [e.mean() for (_, e), (ok, _) in zip(both, passes, strict=True) if ok]
    return {
        "judgements": sum(len(r) for r, _ in both),
        "looks_safe": sum(int((~r & e).sum()) for r, e in both),
        "looks_gameable": sum(int((r & ~e).sum()) for r, e in both),
        "models": len(both),
        "models_look_safe": sum(r and not e for r, e in passes),
        "models_look_gameable": sum(e and not r for r, e in passes),
        "worst_passing": float(max(passing)) if passing else None,
    }
