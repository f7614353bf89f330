"""The study's pipelines over Titanic as scikit-learn pipelines."""

from __future__ import annotations

import numpy as np
import pandas as pd
from imblearn.pipeline import Pipeline
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import RFECV
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import (
    KBinsDiscretizer,
    OrdinalEncoder,
    StandardScaler,
)

from benchmarks.replication.fairness._case import (
    XGBOOST,
    Case,
    boosting,
    complete_rows,
    custom,
    integers,
    one_hot,
    row_filter,
    text_columns,
)
from benchmarks.replication.fairness._data import known_cabin

FAMILIAR = ("Mr", "Mrs", "Miss", "Master")
SAME_TITLE = {"Mlle": "Miss", "Ms": "Miss", "Mme": "Mrs"}
NOBLE = ("Jonkheer", "Don", "Sir", "the Countess", "Dona", "Lady")
WOMEN = ("Miss", "Mrs", "Ms", "Mlle", "Lady", "Mme", "the Countess", "Dona")
PORT = ["Embarked"]
PORTS = {"S": 1, "C": 2, "Q": 3}
FARE_QUARTILES = (7.91, 14.45, 31.0)
AGE_GROUPS = (0, 5, 12, 18, 24, 35, 60)
AGE_GROUP_OF_TITLE = {"Mr": 5, "Miss": 4, "Mrs": 6, "Master": 1, "Misc": 6}
BAD_TICKETS = tuple("345678ALW")


def titanic_cases() -> list[Case]:
    """TT1 to TT8."""

    def case(name, steps, stages, *, data="titanic", differs="", **options):
        named = [*steps[:-1], ("model", steps[-1])]
        return Case(name, data, Pipeline(named), stages, "Sex", differs=differs, **options)

    port = SimpleImputer(strategy="constant", fill_value="S")
    fill = ("fill", _on(("age", SimpleImputer(strategy="median"), ["Age"]), ("port", port, PORT)))
    names, code = ("names", custom(_without_names)), ("encode", one_hot())
    binned = ColumnTransformer(
        [
            ("fare", KBinsDiscretizer(4, encode="ordinal", quantile_method="linear"), ["Fare"]),
            ("age", KBinsDiscretizer(5, encode="ordinal", strategy="uniform"), ["Age"]),
            ("text", _integers(), text_columns),
        ],
        remainder="passthrough",
    )
    mean_age = _on(("age", SimpleImputer(), ["Age"]), ("port", port, PORT))
    leaves = {"min_samples_split": 6, "n_jobs": 1, "random_state": 1}
    minus_one = SimpleImputer(strategy="constant", fill_value=-1.0)
    first = [
        fill,
        ("cabins", row_filter(known_cabin)),
        ("family", custom(family_and_title)),
        names,
        ("encode", binned),
        boosting(learning_rate=0.01, max_depth=4, max_iter=300),
    ]
    return [
        case(
            "TT1",
            first,
            {"cabins": "MV"},
            differs=f"{XGBOOST}; people without a cabin are tested too",
        ),
        case(
            "TT1",
            first,
            {"family": "Custom(f)", "encode": "Encode"},
            data="titanic, with cabin",
            references={"encode": one_hot()},
            differs=XGBOOST,
        ),
        case(
            "TT2",
            [
                ("family", custom(any_family)),
                ("fill", mean_age),
                names,
                code,
                RandomForestClassifier(n_jobs=1),
            ],
            {"fill": "MV", "family": "Custom(f)"},
            references={"fill": row_filter(complete_rows)},
            differs="mean age for a random one; compared with dropping rows",
        ),
        case(
            "TT3",
            [
                ("groups", custom(groups)),
                ("fill", _on(("age", KNNImputer(), ["Age"]))),
                ("names", custom(_without_tickets)),
                ("encode", one_hot(_text_and_class)),
                BaggingClassifier(n_estimators=30),
            ],
            {"fill__age": "Impute", "groups": "Custom(f)"},
            references={"fill__age": "passthrough"},
            differs="fewer trees",
        ),
        case(
            "TT4",
            [
                ("fill", _on(("age", SimpleImputer(), ["Age"]))),
                ("groups", custom(rank_and_ticket)),
                ("names", custom(_without_ports)),
                code,
                ("select", RFECV(LogisticRegression(max_iter=50), cv=2, step=0.1)),
                LogisticRegression(solver="liblinear"),
            ],
            {"groups": "Custom(f)", "fill__age": "Impute", "select": "RFECV"},
            references={"fill__age": minus_one.set_output(transform="pandas")},
            differs="features eliminated a tenth at a time",
        ),
        case(
            "TT5",
            [
                ("ports", custom(ranked_ports)),
                ("groups", custom(age_groups)),
                ("fill", _on(("age", SimpleImputer(strategy="median"), ["Age"]))),
                names,
                code,
                GradientBoostingClassifier(),
            ],
            {"groups": "Custom(f)"},
        ),
        case(
            "TT6",
            [("groups", custom(many_features)), fill, names, code, boosting(max_depth=4)],
            {"groups": "Custom(f)"},
            differs=XGBOOST,
        ),
        case(
            "TT7",
            [
                fill,
                ("groups", custom(surnames)),
                ("names", custom(_without_tickets)),
                ("encode", integers()),
                ("scale", StandardScaler()),
                RandomForestClassifier(100, max_depth=7, min_samples_leaf=6, **leaves),
            ],
            {"scale": "SS", "encode__code": "LE", "groups": "Custom(f)"},
            differs="fewer trees; fares and ages not binned",
        ),
        case(
            "TT8",
            [
                fill,
                ("groups", custom(coded_features)),
                names,
                code,
                RandomForestClassifier(50, max_depth=9, min_samples_leaf=4, **leaves),
            ],
            {"groups": "Custom(f)"},
            differs="median age for one that a forest predicts",
        ),
    ]


def _on(*parts: tuple) -> ColumnTransformer:
    """Steps on some columns of a frame that stays one."""
    out = ColumnTransformer(list(parts), remainder="passthrough", verbose_feature_names_out=False)
    return out.set_output(transform="pandas")


def _integers() -> OrdinalEncoder:
    return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)


def _without_names(X: pd.DataFrame) -> pd.DataFrame:
    return X.drop(columns=["PassengerId", "Name"], errors="ignore")


def _without_tickets(X: pd.DataFrame) -> pd.DataFrame:
    return X.drop(columns=["PassengerId", "Name", "Ticket"], errors="ignore")


def _without_ports(X: pd.DataFrame) -> pd.DataFrame:
    return X.drop(columns=["PassengerId", "Name", "Embarked"], errors="ignore")


def _text_and_class(X: pd.DataFrame) -> list[str]:
    return [*text_columns(X), "Pclass"]


def title(X: pd.DataFrame) -> pd.Series:
    """How people are addressed."""
    return X["Name"].str.extract(r", ([^.]+)\.", expand=False).str.strip()


def usual_title(X: pd.DataFrame) -> pd.Series:
    """The four common titles, and one for all others."""
    found = title(X).replace(SAME_TITLE)
    return found.where(found.isin(FAMILIAR), "Misc")


def family_size(X: pd.DataFrame) -> pd.Series:
    """People of a family on board."""
    return X["SibSp"] + X["Parch"] + 1


def family_and_title(X: pd.DataFrame) -> pd.DataFrame:
    """Size of the family, whether alone, title; cabin and ticket go (TT1)."""
    size = family_size(X)
    out = X.assign(FamilySize=size, IsAlone=(size == 1).astype(int), Title=usual_title(X))
    return out.drop(columns=["Cabin", "Ticket", "Parch"])


def any_family(X: pd.DataFrame) -> pd.DataFrame:
    """Whether there is a family; cabin and ticket go (TT2)."""
    out = X.assign(Family=(family_size(X) > 1).astype(int))
    return out.drop(columns=["SibSp", "Parch", "Cabin", "Ticket"])


def groups(X: pd.DataFrame) -> pd.DataFrame:
    """Title, groups of family sizes and of fares a head (TT3)."""
    size = family_size(X)
    fare = X["Fare"] / size
    found = title(X).replace(SAME_TITLE)
    return X.assign(
        title=found.where(found.isin(FAMILIAR), "rare"),
        family_size=size,
        is_alone=(size == 1).astype(int),
        family_group=_binned(size, (1, 4), "loner small large"),
        calculated_fare=fare,
        fare_group=_binned(fare, (4, 10, 20, 45), "very_low low mid high very_high"),
    )


def rank_and_ticket(X: pd.DataFrame) -> pd.DataFrame:
    """Title by rank, letters of the ticket, kinds of families (TT4)."""
    found = title(X).replace(SAME_TITLE)
    rank = found.where(found.isin(FAMILIAR), "Officer").mask(found.isin(NOBLE), "Royalty")
    letters = X["Ticket"].str.replace(r"[./]", "", regex=True).str.extract(r"^([A-Za-z]\w*)")[0]
    size = family_size(X)
    return X.assign(
        Title=rank,
        Ticket=letters.fillna("without"),
        Cabin=X["Cabin"].fillna("U"),
        FamilySize=size,
        Family_Single=(size == 1).astype(int),
        Family_Small=size.between(2, 4).astype(int),
        Family_Large=(size >= 5).astype(int),
    )


def ranked_ports(X: pd.DataFrame) -> pd.DataFrame:
    """Ports as numbers (TT5)."""
    return X.assign(Embarked=X["Embarked"].fillna("S").map(PORTS))


def age_groups(X: pd.DataFrame) -> pd.DataFrame:
    """Groups of ages and fares, whether there is a cabin, title (TT5)."""
    found = usual_title(X)
    group = pd.Series(np.digitize(X["Age"].fillna(-1), AGE_GROUPS), index=X.index)
    return X.assign(
        Age=X["Age"].fillna(-0.5),
        AgeGroup=group.where(X["Age"].notna(), found.map(AGE_GROUP_OF_TITLE)),
        CabinBool=X["Cabin"].notna().astype(int),
        Title=found.map({name: i for i, name in enumerate((*FAMILIAR, "Misc"), 1)}),
        FareBand=1 + np.digitize(X["Fare"], FARE_QUARTILES),
    ).drop(columns=["Fare", "Cabin", "Ticket"])


def many_features(X: pd.DataFrame) -> pd.DataFrame:
    """Some twenty features from age, cabin, family, ticket, title and fare (TT6)."""
    kind, shared = X["Ticket"].str[0], X.groupby("Ticket")["Ticket"].transform("count")
    known_as, fare = title(X), X["Fare"] / shared
    young = (X["Age"] <= 30) | known_as.isin(["Master", "Miss", "Mlle"])
    return X.assign(
        Child=(X["Age"] <= 10).astype(int),
        Cabin_known=X["Cabin"].notna().astype(int),
        Age_known=X["Age"].notna().astype(int),
        Family=X["SibSp"] + X["Parch"],
        Alone=(family_size(X) == 1).astype(int),
        Large_Family=((X["SibSp"] > 2) | (X["Parch"] > 3)).astype(int),
        Deck=X["Cabin"].str[0].fillna("U"),
        Ttype=kind,
        Title=known_as,
        Fare_cat=np.log10(X["Fare"] + 1).astype(int),
        Bad_ticket=kind.isin(BAD_TICKETS).astype(int),
        Young=young.astype(int),
        Shared_ticket=(shared > 1).astype(int),
        Ticket_group=shared,
        Fare_eff=fare,
        Fare_eff_cat=np.digitize(fare, (8.5, 16.0)),
    ).drop(columns=["Ticket", "Fare", "Cabin"])


def surnames(X: pd.DataFrame) -> pd.DataFrame:
    """Deck, kind of family, people on a ticket, title and surname (TT7)."""
    deck = X["Cabin"].str[0].fillna("M").replace({"T": "A"})
    for together in ("ABC", "DE", "FG"):
        deck = deck.replace(dict.fromkeys(together, together))
    found = title(X)
    other = found.where(found.isin(("Mr", "Master")), "Noble")
    return X.assign(
        Deck=deck,
        Family_Size=family_size(X),
        Family_Size_Grouped=_binned(family_size(X), (1, 4, 6), "alone small medium large"),
        Ticket_Frequency=X.groupby("Ticket")["Ticket"].transform("count"),
        Title=other.mask(found.isin(WOMEN), "Women"),
        Is_Married=(found == "Mrs").astype(int),
        Family=X["Name"].str.split(",").str[0],
    ).drop(columns=["Cabin"])


def coded_features(X: pd.DataFrame) -> pd.DataFrame:
    """Deck, family, length of the name, number of the ticket and title as numbers (TT8)."""
    size, length = family_size(X), X["Name"].str.len()
    number = X["Ticket"].str.extract(r"(\d{2,})", expand=False).astype(float)
    decks = {letter: i for i, letter in enumerate("ABCDEFGTZ")}
    return X.assign(
        Embarked=X["Embarked"].map(PORTS),
        Deck=X["Cabin"].str[0].fillna("Z").map(decks),
        FamilySize=size,
        FsizeD=np.digitize(size, (2, 5)),
        NameLength=length,
        NlengthD=np.digitize(length, (20, 40, 57), right=True),
        TicketNumber=number.fillna(number.median()),
        Title=usual_title(X).map({name: i for i, name in enumerate((*FAMILIAR, "Misc"))}),
    ).drop(columns=["Cabin", "Ticket", "Parch"])


def _binned(values: pd.Series, bounds: tuple, names: str) -> np.ndarray:
    return np.asarray(names.split(), dtype=object)[np.digitize(values, bounds, right=True)]
