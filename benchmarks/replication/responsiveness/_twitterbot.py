"""Twitter accounts in the coding of the paper's table 8, what their owners can do, and models."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks._data import data_folder, require_file
from benchmarks._hashes import require_shape
from skcorrupt.responsiveness import ActionSet, Thermometer

# the files are parted by followers, of which nothing else is known
FOLLOWERS = {"1k": 1_000, "100k": 100_000, "1M": 1_000_000, "10M": 10_000_000}
DAYS = (180, 365, 730, 1825)
# the codes 0 to 6 are not explained; table 8 lists four of its partitions 9 to 15, taken in order
SOURCES = {"source_web": 1, "source_mobile": 2, "source_app": 3, "source_news": 6}
COUNTS = {"tweets": "user_tweeted", "retweets": "user_retweeted", "replies": "user_replied"}
MOST = {"num_tweets": 35_000, "num_retweets": 3_000, "num_replies": 6_991, "urls_count": 13_013}
RATIO = "follower_friend_ratio"
AGES = tuple(f"age_of_account>={days}_days" for days in DAYS)
IMMOVABLE = (*(f"followers>={tier}" for tier in FOLLOWERS), *SOURCES)
# columns that a model has or does without
GROUPS = {
    "tweets": ("num_tweets",),
    "links": ("urls_count",),
    "retweets": ("num_retweets",),
    "replies": ("num_replies",),
    "dummies": tuple(f"no_{name}" for name in COUNTS),
    "age and ratio": (*AGES, RATIO),
}
# share of the l1 penalty and inverse strength
PENALTIES = ((1.0, 0.03), (0.0, 1.0))
Pools = dict[str, dict[str, Any]]


def load_twitterbot() -> tuple[pd.DataFrame, pd.Series]:
    """The 3,431 accounts in the 20 features of table 8, and whether humans own them.

    Returns
    -------
    X : DataFrame of shape (3431, 20)
        Features.
    y : Series of shape (3431,)
        1 for humans, 0 for bots.

    Raises
    ------
    DataNotFoundError
        Without the files.
    """
    kinds = [f"{kind}/{kind}" for kind in ("bots", "humans")]
    paths = [
        require_file(data_folder(), f"twitterbot/{kind}.{tier}.csv")
        for kind in kinds
        for tier in FOLLOWERS
    ]
    X, y = read_twitterbot(paths[0].parents[1])
    require_shape("Twitterbot", X, (3431, 20))
    return X, y


def read_twitterbot(folder: Path) -> tuple[pd.DataFrame, pd.Series]:
    """The accounts of a folder with `bots/bots.TIER.csv` and `humans/humans.TIER.csv`.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    X : DataFrame of shape (n_accounts, 20)
        Features.
    y : Series of shape (n_accounts,)
        1 for humans, 0 for bots.

    Raises
    ------
    DataNotFoundError
        Without the files.
    """
    parts = []
    for kind in ("bots", "humans"):
        for tier, followers in FOLLOWERS.items():
            part = pd.read_csv(require_file(folder, f"{kind}/{kind}.{tier}.csv"))
            parts.append(part.assign(followers=followers, human=int(kind == "humans")))
    raw = pd.concat(parts, ignore_index=True)
    sources = raw["source_identity"].str.strip("[]").str.get_dummies(sep=";")
    features = {f"followers>={tier}": raw["followers"] >= n for tier, n in FOLLOWERS.items()}
    for name, column in COUNTS.items():
        features[f"num_{name}"] = raw[column]
        features[f"no_{name}"] = raw[column] == 0
        if name == "tweets":
            features["urls_count"] = raw["urls_count"]
    for name, days in zip(AGES, DAYS, strict=True):
        features[name] = raw["age_of_account_in_days"] >= days
    # one ratio is below the bound of 0 in table 8
    features[RATIO] = raw["follower_friend_ratio"].clip(lower=0.0)
    features |= {name: sources.get(str(code), raw["human"] * 0) for name, code in SOURCES.items()}
    X = pd.DataFrame(features)
    return X.astype({name: int for name in X if X[name].dtype == bool}), raw["human"]


def twitterbot_actions(
    X: pd.DataFrame, linkage: str | None = ">=", *, sources: bool = False
) -> ActionSet:
    """The intervention model of table 8, or what is left of it without its joint rules.

    Parameters
    ----------
    X : DataFrame
        The accounts.
    linkage : {">=", "<="} or None, default=">="
        Whether links grow by at least or at most as many as tweets; None is every feature that a
        rule may move on its own, within its bounds and sign, links and sources among them, so that
        no point of the exact sets is left out.
    sources : bool, default=False
        With rules, whether new tweets can come from new sources, as section 4 has it.

    Returns
    -------
    ActionSet
        Eleven columns to act on.
    """
    dummies = [f"no_{name}" for name in COUNTS]
    numbers = [f"num_{name}" for name in COUNTS]
    actions = ActionSet.from_data(X, actionable=[*numbers, *dummies, *AGES, RATIO], rules=())
    for name, most in MOST.items():
        actions[name].lb, actions[name].ub = 0, most
        actions[name].direction = "increase"
    actions[RATIO].lb = 0.0
    for name in (*dummies, RATIO):
        actions[name].direction = "decrease"
    if linkage is None:
        for name in ("urls_count", *AGES, *SOURCES):
            actions[name].actionable, actions[name].direction = True, "increase"
        return actions
    for name in COUNTS:
        actions.add(f"if no_{name} == 0 then num_{name} >= 1 else num_{name} == 0")
    # appendix B.2 has the account grow older; table 8 lists no rule for it
    actions.add(Thermometer(list(AGES)))
    actions.add(f"delta(urls_count) {linkage} delta(num_tweets)")
    for name in SOURCES if sources else ():
        actions[name].direction = "increase"
        actions.add(f"delta({name}) <= delta(num_tweets)")
    return actions


def twitterbot_pools(X: pd.DataFrame, y: pd.Series, *, n_groups: int = len(GROUPS)) -> Pools:
    """Fitted models that come into question.

    Parameters
    ----------
    X : DataFrame of shape (n_accounts, 20)
        Accounts to train on.
    y : Series of shape (n_accounts,)
        1 for humans.
    n_groups : int
        How many of the groups of columns models may do without.

    Returns
    -------
    dict of str to dict of str to estimator
        Pools of models by name: penalised logistic regressions on followers, on what nobody can
        change, and on all columns without some of the groups; ensembles of trees on all columns.
    """
    subsets = {}
    for choice in product((False, True), repeat=n_groups):
        left_out = [name for name, leave in zip(GROUPS, choice, strict=False) if leave]
        gone = {column for name in left_out for column in GROUPS[name]}
        label = f"without {', '.join(left_out)}" if left_out else "all columns"
        subsets[label] = [str(column) for column in X if column not in gone]
    trees: dict[str, Any] = {}
    for depth in (1, 2, 3):
        boosting = HistGradientBoostingClassifier(max_depth=depth, random_state=0)
        trees[f"boosting, depth {depth}"] = boosting.fit(X, y)
    for leaf in (5, 20, 50):
        forest = RandomForestClassifier(50, min_samples_leaf=leaf, random_state=0)
        trees[f"forest, leaves of {leaf}"] = forest.fit(X, y)
    return {
        "followers": _regressions(X, y, {"followers": list(IMMOVABLE[: len(FOLLOWERS)])}),
        "immovable": _regressions(X, y, {"followers and sources": list(IMMOVABLE)}),
        "regressions": _regressions(X, y, subsets),
        "trees": trees,
    }


def _regressions(X: pd.DataFrame, y: pd.Series, subsets: dict[str, list[str]]) -> dict[str, Any]:
    """Logistic regressions for every set of columns and penalty, by name."""
    models = {}
    for (label, columns), (l1_ratio, C) in product(subsets.items(), PENALTIES):
        regression = LogisticRegression(
            C=C, l1_ratio=l1_ratio, solver="liblinear" if l1_ratio else "lbfgs", max_iter=1000
        )
        chosen = ColumnTransformer([("chosen", StandardScaler(), columns)])
        name = f"l{2 - int(l1_ratio)}, C={C:g}, {label}"
        models[name] = make_pipeline(chosen, regression).fit(X, y)
    return models
