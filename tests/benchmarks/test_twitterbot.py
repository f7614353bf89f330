"""The Twitterbot study on made-up accounts: coding, actions, choice of models and tables."""

import numpy as np
import pandas as pd
import pytest

from benchmarks import _results
from benchmarks._data import DataNotFoundError
from benchmarks.replication.responsiveness import _gaming, twitterbot
from benchmarks.replication.responsiveness._gaming import (
    audited,
    gameable,
    gameable_shares,
    misjudged,
)
from benchmarks.replication.responsiveness._twitterbot import (
    AGES,
    FOLLOWERS,
    RATIO,
    SOURCES,
    read_twitterbot,
    twitterbot_actions,
    twitterbot_pools,
)
from skcorrupt.responsiveness import ReachableSampler

VARIANTS = (
    {"linkage": ">="},
    {"linkage": "<="},
    {"linkage": None},
    {"linkage": ">=", "sources": True},
)


def write_accounts(folder, n=16):
    rng = np.random.default_rng(0)
    for kind in ("bots", "humans"):
        (folder / kind).mkdir()
        for tier in FOLLOWERS:
            human = kind == "humans"
            table = pd.DataFrame(
                {
                    "user_tweeted": rng.poisson(3 if human else 9, n) * rng.integers(0, 2, n),
                    "user_retweeted": rng.poisson(4, n),
                    "user_replied": rng.poisson(5, n) * rng.integers(0, 2, n),
                    "follower_friend_ratio": rng.lognormal(2, 1, n) - (tier == "1k"),
                    "age_of_account_in_days": rng.uniform(20, 3000, n),
                    "urls_count": rng.poisson(2 if human else 8, n),
                    "source_identity": rng.choice(["[2]", "[2;1]"] if human else ["[0]", "[1;3]"]),
                }
            )
            table.to_csv(folder / kind / f"{kind}.{tier}.csv", index=False)


@pytest.fixture(scope="module")
def accounts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("twitterbot")
    write_accounts(folder)
    return read_twitterbot(folder)


def test_accounts_are_coded_as_in_table_8(accounts):
    X, y = accounts
    assert X.shape == (128, 20)
    assert y.tolist() == [0] * 64 + [1] * 64
    assert X["followers>=1k"].eq(1).all()
    assert X["followers>=10M"].sum() == 32
    for name in ("tweets", "retweets", "replies"):
        assert ((X[f"no_{name}"] == 1) == (X[f"num_{name}"] == 0)).all()
    assert (X[list(AGES)].diff(axis=1).iloc[:, 1:] <= 0).all(axis=None)
    assert X[RATIO].min() >= 0
    assert X.loc[y == 1, "source_mobile"].eq(1).all()
    assert X["source_news"].eq(0).all()


def test_a_folder_without_the_files_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    with pytest.raises(DataNotFoundError, match=r"bots\.1k"):
        twitterbot.load_twitterbot()


@pytest.mark.parametrize("variant", VARIANTS)
def test_everybody_keeps_the_rules(accounts, variant):
    assert twitterbot_actions(accounts[0], **variant).validate(accounts[0]).empty


@pytest.mark.parametrize("variant", VARIANTS)
def test_points_are_within_the_rules(accounts, variant):
    X, _ = accounts
    quiet = X[(X["num_tweets"] == 0) & (X["source_mobile"] == 0)].iloc[[0]]
    points = ReachableSampler(twitterbot_actions(X, **variant)).sample(quiet, 300, random_state=0)
    before = quiet.iloc[0]
    tweets = points["num_tweets"] - before["num_tweets"]
    links = points["urls_count"] - before["urls_count"]
    assert tweets.min() >= 0
    assert tweets.max() > 1_000
    assert (points[RATIO] <= before[RATIO]).all()
    if variant["linkage"] is None:
        assert links.min() >= 0 and (links < tweets).any() and (links > tweets).any()
        assert set(points["no_tweets"]) == {0, 1}
        assert points["source_mobile"].max() == 1
        return
    assert ((points["no_tweets"] == 1) == (points["num_tweets"] == 0)).all()
    assert (points[list(AGES)] >= before[list(AGES)]).all(axis=None)
    assert (links >= tweets).all() if variant["linkage"] == ">=" else (links <= tweets).all()
    new_sources = (points[list(SOURCES)] - before[list(SOURCES)]).max(axis=1)
    assert new_sources.max() == int(variant.get("sources", False))
    assert (new_sources <= tweets).all()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_relaxation_reaches_all_that_the_rules_do(accounts, variant):
    X, _ = accounts
    person = X.iloc[[0]]
    points = ReachableSampler(twitterbot_actions(X, **variant)).sample(person, 200, random_state=0)
    relaxed = twitterbot_actions(X, None)
    before = person.iloc[0]
    for name in points:
        element, moved = relaxed[name], points[name] - before[name]
        assert element.actionable or (moved == 0).all()
        assert element.direction != "increase" or moved.min() >= 0
        assert element.direction != "decrease" or moved.max() <= 0
        assert points[name].between(element.lb, element.ub).all()


@pytest.mark.long
def test_certificates_are_the_verdicts_of_the_audit(accounts):
    X, y = accounts
    models = twitterbot_pools(X, y, n_groups=0)["regressions"]
    found = audited(models, twitterbot_actions(X), X, 0)
    assert set(found["model"]) == set(models)
    for name, part in found.groupby("model"):
        claimed = gameable(part)
        assert (claimed == (part["verdict"] == "responsive")).all()
        assert gameable_shares(found, models)[name] == claimed.mean()
        assert gameable(part, 0.9).sum() <= claimed.sum()


def test_what_relaxed_rules_miss_is_counted():
    n, everybody, nobody = 402, [402] * 4, [0] * 4

    def audit(hits):
        parts = {"a": hits[:4], "b": hits[4:]}
        return pd.concat(
            pd.DataFrame({"model": name, "n": n, "hits": each, "exact": False})
            for name, each in parts.items()
        )

    relaxed, exact = audit(nobody + everybody), audit([402, 402, 402, 0, *nobody])
    found = misjudged(relaxed, exact, ["a", "b"])
    assert found == {
        "judgements": 8,
        "looks_safe": 3,
        "looks_gameable": 4,
        "models": 2,
        "models_look_safe": 1,
        "models_look_gameable": 1,
        "worst_passing": 0.75,
    }


@pytest.mark.slow
def test_a_study_gives_sane_tables(accounts, tmp_path, monkeypatch):
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path)
    monkeypatch.setattr(_gaming, "N_DRAWS", 60)
    results = _results.Results("twitterbot", quick=True)
    twitterbot.study(*accounts, 0, results, n_groups=0)
    chosen = pd.DataFrame(results.rows("chosen"))
    assert set(chosen["procedure"]) <= set(twitterbot.PROCEDURES)
    assert (
        chosen[["perceived", "at_least", "at_most", "sources", "auc"]].stack().between(0, 1).all()
    )
    manual = chosen[chosen["procedure"] == "manual, followers"]
    assert manual[["at_least", "at_most"]].eq(0).all(axis=None)
    passing = pd.DataFrame(results.rows("epsilons"))
    assert (passing["robust"] <= passing["models"]).all()
    assert set(passing["epsilon"]) == set(twitterbot.EPSILONS)
    tables = twitterbot.tables(results.content)
    assert set(tables) == {
        "twitterbot-chosen",
        "twitterbot-misjudged",
        "twitterbot-epsilons",
    }
    assert tables["twitterbot-chosen"].count("\n") == len(twitterbot.PROCEDURES) + 1
    assert tables["twitterbot-misjudged"].count("\n") == 7


def test_the_real_accounts_keep_the_rules(data_dir):
    if not (data_dir / "twitterbot").is_dir():
        pytest.skip("the folder of real data sets has no twitterbot")
    X, y = twitterbot.load_twitterbot()
    assert X.shape == (3431, 20)
    assert y.sum() == 1939
    for variant in VARIANTS:
        assert twitterbot_actions(X, **variant).validate(X).empty


def test_a_printed_share_is_judged_by_the_mean_over_splits_and_not_by_their_range():
    # .754 and .571 are printed, the best of eight splits is near, and single ones go beyond
    test = pd.DataFrame({"auc": [0.72] * 7 + [0.74], "sources": [0.0] * 7 + [0.571]})
    assert twitterbot.verdict("relaxed", test) == "AUC not reproduced; truly undecided"
    same = test.assign(auc=0.754, sources=0.571)
    assert twitterbot.verdict("relaxed", same) == "AUC reproduced; truly reproduced"
    assert twitterbot.verdict("relaxed, trees too", same) == "not printed"
    assert twitterbot.verdict("relaxed", same[:1]) == "AUC reproduced; truly reproduced"
