"""Figure 5 and table 3 of the study, as its scripts make them and as they say."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from imblearn import FunctionSampler
from imblearn.combine import SMOTEENN
from imblearn.over_sampling import SVMSMOTE
from sklearn.base import clone
from sklearn.decomposition import PCA, KernelPCA, SparsePCA
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import SelectFpr, SelectKBest, SelectPercentile
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import (
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks._data import data_folder, require_file
from benchmarks.replication.fairness._boosters import CATBOOST, XGBOOST, installed, version_of
from benchmarks.replication.fairness._columns import low_or_high
from benchmarks.replication.fairness._data import load_fair
from benchmarks.replication.fairness._nearest import all_nearest
from benchmarks.replication.fairness._printed import METRICS
from skcorrupt.metrics import stage_fairness

SAMPLERS: dict[str, Callable[[int], Any]] = {
    # the kind of the scripts; what they call by its name draws otherwise
    "SMOTE": lambda seed: SVMSMOTE(random_state=seed),
    "Usamp": lambda seed: FunctionSampler(func=all_nearest, validate=False),
    "Combined": lambda seed: SMOTEENN(random_state=seed),
}
# by the abbreviation of table 3
SCALERS = {
    "SS": ("Standard", StandardScaler()),
    "MM": ("MinMax", MinMaxScaler()),
    "MA": ("MaxAbs", MaxAbsScaler()),
    "RO": ("Robust", RobustScaler()),
    "NO": ("Normalizer", Normalizer("l1")),
    # of as many rows as it took by default when the study was made
    "QT": ("QuantileTrans", QuantileTransformer(subsample=100_000)),
    "PT": ("PowerTrans", PowerTransformer()),
}
SCALER_OF = dict(SCALERS.values())
OTHERS = {
    "PCA": PCA(5),
    "SparsePCA": SparsePCA(5, random_state=0),
    "KernelPCA": KernelPCA(5),
    "SelectBest": SelectKBest(k=5),
    "SelectFpr": SelectFpr(),
    "SelectPercentile": SelectPercentile(),
}
# of the splits of the German and the Adult script
SEED, TEST = 42, 0.3
# of what draws on German credit, and of the splits of COMPAS: its script draws one of these
N_SEEDS = 100
# of a tree on Adult, which has forty times as many rows; of samplers there, and of boosting, whose
# ties are drawn
SOME_SEEDS, FEW_SEEDS = 30, 5
# so many rows are too many for a table of their products; with a linear kernel it is the same as
# the first components, but for signs
MOST_KERNEL_ROWS = 10_000


class Model(NamedTuple):
    """A model of the study.

    Attributes
    ----------
    make : callable
        `make(seed)` gives it, not fitted.
    n_seeds : int, default=1
        Over how many seeds it is run.
    library : tuple, default=None
        What it is of, if not of scikit-learn.
    """

    make: Callable[[int], Any]
    n_seeds: int = 1
    library: tuple[str, str, dict[str, Any]] | None = None


@dataclass(frozen=True)
class Script:
    """What the study's script of a data set reads, fits and draws.

    Attributes
    ----------
    data : str
        The data set, by its name in the study's files.
    table : callable
        `table()` gives features, all numbers, and labels.
    sensitive : str
        The column of groups, 1 for the privileged one.
    models : dict of str to Model
        By their names in its files.
    n_drawn : int
        How often what a sampler draws is drawn.
    splits : tuple of int
        Seeds of its splits, one for each draw, or one for all.
    """

    data: str
    table: Callable[[], tuple[pd.DataFrame, pd.Series]]
    sensitive: str
    models: dict[str, Model]
    n_drawn: int
    splits: tuple[int, ...] = (SEED,)

    def split(self, seed: int) -> Split:
        """Training and test rows."""
        X, y = self.table()
        return Split(self.sensitive, *train_test_split(X, y, test_size=TEST, random_state=seed))


@dataclass(frozen=True)
class Split:
    """Training and test rows of a script.

    Attributes
    ----------
    sensitive : str
        The column of groups, 1 for the privileged one.
    X, X_test : DataFrame
        Features.
    y, y_test : Series
        Labels.
    """

    sensitive: str
    X: pd.DataFrame
    X_test: pd.DataFrame
    y: pd.Series
    y_test: pd.Series

    def predicted(self, model: Any, X: Any, y: Any, *tests: Any) -> list[np.ndarray]:
        """Decisions on one or several tables of test rows of a model fitted to some rows."""
        with warnings.catch_warnings():
            # models that do not converge on raw data are among the study's
            warnings.simplefilter("ignore")
            fitted = clone(model).fit(np.asarray(X), y)
        return [np.ravel(fitted.predict(np.asarray(X_test))) for X_test in tests]

    def scaled(self, scaler: Any, X: Any) -> tuple[Any, Any, Any]:
        """Rows, test rows by the scaler fitted again to them, as the script has it, and once."""
        with warnings.catch_warnings():
            # fewer test rows than quantiles
            warnings.simplefilter("ignore")
            fitted, again = clone(scaler).fit(X), clone(scaler).fit(self.X_test)
            return fitted.transform(X), again.transform(self.X_test), fitted.transform(self.X_test)

    def staged(self, stage: str, seed: int) -> tuple[Any, Any, list[Any]]:
        """Rows and labels behind a transformer, and test rows: as the script has them, and once."""
        if stage in SAMPLERS:
            return *SAMPLERS[stage](seed).fit_resample(self.X, self.y), [self.X_test]
        if stage in SCALER_OF:
            rows, *tests = self.scaled(SCALER_OF[stage], self.X)
            return rows, self.y, tests
        many = len(self.X) > MOST_KERNEL_ROWS
        other = OTHERS["PCA" if many and stage == "KernelPCA" else stage]
        fitted = clone(other).fit(self.X, self.y)
        return fitted.transform(self.X), self.y, [fitted.transform(self.X_test)]

    def effects(self, with_stage: np.ndarray, without: np.ndarray) -> list[float]:
        """SF in the four metrics; the scripts take label 1 for the favourable one everywhere."""
        return [
            float(
                stage_fairness(
                    self.y_test,
                    with_stage,
                    without,
                    sensitive_features=self.X_test[self.sensitive],
                    metric=metric,
                    privileged=1,
                    pos_label=1,
                )
            )
            for metric in METRICS
        ]


def german_table() -> tuple[pd.DataFrame, pd.Series]:
    """German credit with the raw age, and one-hot columns."""
    X, y = load_fair("german, raw age")
    return pd.get_dummies(X).astype(float), y


def adult_table() -> tuple[pd.DataFrame, pd.Series]:
    """Adult without incomplete rows, and one-hot columns."""
    X, y = load_fair("adult")
    return pd.get_dummies(X).astype(float), y


def compas_table() -> tuple[pd.DataFrame, pd.Series]:
    """COMPAS screened in time, age in four bins, the score as low or high."""
    X, y = load_fair("compas, screened in time")
    bins = KBinsDiscretizer(4, encode="ordinal", strategy="uniform")
    X["age"] = bins.fit_transform(X[["age"]]).ravel()
    X["score_text"] = low_or_high(X)["score_text"] == "Low"
    recidivist = X.pop("is_recid")
    coded = X.assign(is_recid_no=recidivist == 0, is_recid_yes=recidivist == 1)
    return coded.astype(float), y


def scripts() -> list[Script]:
    """The study's scripts that can be run: of the bank there is a tenth."""
    return [german(), compas(), adult()]


def german() -> Script:
    """German credit."""
    models = {
        "KNC": Model(lambda seed: KNeighborsClassifier(10)),
        "SVC": Model(lambda seed: SVC()),
        "DCT": Model(lambda seed: DecisionTreeClassifier(random_state=seed), N_SEEDS),
        "RFT": Model(lambda seed: RandomForestClassifier(random_state=seed), N_SEEDS),
        **_boosting(),
    }
    return Script("german", german_table, "sex", models, N_SEEDS)


def compas() -> Script:
    """COMPAS; its script splits by a seed of a hundred, and does not say which."""
    models = {
        "LRG": Model(lambda seed: LogisticRegression()),
        "DCT": Model(lambda seed: DecisionTreeClassifier(random_state=seed)),
        "SVC": Model(lambda seed: SVC()),
        "KNC": Model(lambda seed: KNeighborsClassifier(10)),
        **_boosting(),
    }
    return Script("compas", compas_table, "race", models, 1, tuple(range(N_SEEDS)))


def adult() -> Script:
    """Adult."""
    cat = installed(CATBOOST)
    models = {
        "LRG": Model(lambda seed: LogisticRegression()),
        "GBC": Model(lambda seed: GradientBoostingClassifier(random_state=seed), FEW_SEEDS),
        "DCT": Model(lambda seed: DecisionTreeClassifier(random_state=seed), SOME_SEEDS),
        **_boosting(),
        **({} if cat is None else {"CBC": Model(lambda seed: cat, library=CATBOOST)}),
    }
    return Script("adult", adult_table, "race", models, FEW_SEEDS)


def _boosting() -> dict[str, Model]:
    boosting = installed(XGBOOST)
    return {} if boosting is None else {"XGB": Model(lambda seed: boosting, library=XGBOOST)}


def stages() -> list[str]:
    """The transformers of figure 5."""
    return [*SAMPLERS, *SCALER_OF, *OTHERS]


def transformer_rows(script: Script) -> Iterator[dict[str, Any]]:
    """Figure 5: each transformer alone in front of a model.

    Parameters
    ----------
    script : Script
        The study's script of a data set.

    Yields
    ------
    dict
        A row a model and transformer: effects as the script has them, one list a seed, and the
        mean with the scaler fitted once.
    """
    printed, split_of = published(script.data), functools.cache(script.split)
    n_splits = len(script.splits)

    @functools.cache
    def plain(name: str, seed: int, split_seed: int) -> np.ndarray:
        split, model = split_of(split_seed), script.models[name].make(seed)
        return split.predicted(model, split.X, split.y, split.X_test)[0]

    for stage in stages():
        found: dict[str, list[list[list[float]]]] = {name: [] for name in script.models}
        is_drawn = stage in SAMPLERS and stage != "Usamp"
        wanted = {
            name: script.n_drawn if is_drawn and n_splits == 1 else max(model.n_seeds, n_splits)
            for name, model in script.models.items()
        }
        for seed in range(max(wanted.values())):
            split_seed = script.splits[seed % n_splits]
            split = split_of(split_seed)
            if seed == 0 or is_drawn or n_splits > 1:
                X, y, tests = split.staged(stage, seed)
            for name, model in script.models.items():
                if seed >= wanted[name]:
                    continue
                of_model = seed if n_splits > 1 else seed % model.n_seeds
                without = plain(name, of_model, split_seed)
                said = split.predicted(model.make(of_model), X, y, *tests)
                found[name].append([split.effects(each, without) for each in said])
        for name, each in found.items():
            # shares of at most some ten thousand people need no more digits
            effects = np.round(each, 6)
            row = {"data": script.data, "model": name, "stage": stage}
            row |= {"printed": printed[name, stage], "script": effects[:, 0].tolist()}
            yield _from(script, name, row | {"once": effects[:, -1].mean(axis=0).tolist()})


def published(data: str) -> dict[tuple[str, str], list[float]]:
    """The study's effects in the four metrics, by model and transformer."""
    table = pd.read_csv(
        require_file(data_folder(), "fair_preprocessing_results/rq2-transformers.csv")
    )
    table = table[table["dataset"] == data].set_index(["Model", "Stage"])
    effects = table[[f"SF_{metric.upper()}" for metric in METRICS]]
    return {key: [float(value) for value in row] for key, row in effects.iterrows()}


def _from(script: Script, model: str, row: dict[str, Any]) -> dict[str, Any]:
    """A row with the library of its model, where that is not scikit-learn."""
    library = script.models[model].library
    return row if library is None else row | {"library": version_of(library)}


def downstream_rows() -> Iterator[dict[str, Any]]:
    """Table 3: scalers after under-sampling, in front of the nearest neighbours and XGBoost.

    Yields
    ------
    dict
        A row a model and scaler: effects as the script has them, where both stages are left out,
        and of the scaler alone, fitted once.
    """
    script = german()
    split = script.split(SEED)
    X, y = SAMPLERS["Usamp"](0).fit_resample(split.X, split.y)
    for name in ("KNC", "XGB"):
        if name not in script.models:
            continue
        model = script.models[name].make(0)
        (plain,) = split.predicted(model, split.X, split.y, split.X_test)
        (sampled,) = split.predicted(model, X, y, split.X_test)
        for stage, (_, scaler) in SCALERS.items():
            rows, *tests = split.scaled(scaler, X)
            again, once = split.predicted(model, rows, y, *tests)
            row = {"after": name, "stage": stage, "script": split.effects(again, plain)}
            yield _from(script, name, row | {"alone": split.effects(once, sampled)})
