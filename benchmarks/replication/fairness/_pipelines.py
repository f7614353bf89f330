"""The study's pipelines over German, Adult, Bank and COMPAS as scikit-learn pipelines."""

from __future__ import annotations

from imblearn.over_sampling import SMOTE
from imblearn.pipeline import Pipeline as RowPipeline
from imblearn.under_sampling import AllKNN
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.replication.fairness._case import (
    XGBOOST,
    Case,
    boosting,
    complete_rows,
    custom,
    integers,
    one_hot,
    row_filter,
)
from benchmarks.replication.fairness._columns import (
    Drop,
    Keep,
    bank_groups,
    coarse_adult,
    duration_groups,
    low_or_high,
    married_or_not,
    ranked_outcome,
    text_age_and_hours,
)
from benchmarks.replication.fairness._data import screened_in_time

NO_GRID = "without the grid search"
FEWER_TREES = "fewer trees"
TENTH = "a tenth of the rows"


def german_cases() -> list[Case]:
    """GC1 to GC10."""

    def case(name, steps, stages, *, sensitive="age", differs="", **options):
        data = "german, raw age" if sensitive == "sex" else "german"
        resamples = any(hasattr(step, "fit_resample") for _, step in steps)
        return Case(
            name,
            data,
            (RowPipeline if resamples else Pipeline)(steps),
            stages,
            sensitive,
            differs=differs,
            **options,
        )

    scaler, code = ("scale", StandardScaler()), ("encode", one_hot())
    forest = ("model", RandomForestClassifier(n_jobs=1))
    two = [code, ("pca", PCA(3)), ("select", SelectKBest(k=2)), forest]
    two_stages = {"pca": "PCA", "select": "SB"}
    features = ["age", "sex", "employment", "housing", "savings", "n_credits", "credit_amount"]
    features += ["month", "purpose"]
    votes = VotingClassifier(
        [
            ("lr", LogisticRegression()),
            ("forest", RandomForestClassifier(50)),
            ("svc", SVC(probability=False)),
            ("knn", KNeighborsClassifier()),
            ("mlp", MLPClassifier()),
            ("tree", DecisionTreeClassifier()),
        ]
    )
    return [
        case("GC1", two, two_stages, sensitive="sex"),
        case(
            "GC2",
            [code, scaler, ("smote", SMOTE()), ("model", boosting(learning_rate=0.05))],
            {"scale": "SS", "smote": "SMOTE"},
            differs=XGBOOST,
        ),
        case(
            "GC3", [code, ("pca", PCA(16)), ("model", boosting())], {"pca": "PCA"}, differs=XGBOOST
        ),
        case(
            "GC4",
            [("encode", integers()), scaler, ("model", SVC())],
            {"encode__code": "LE", "scale": "SS"},
        ),
        case(
            "GC5",
            [code, scaler, ("model", votes)],
            {"scale": "SS"},
            differs=f"{NO_GRID}; votes counted, not averaged",
        ),
        case(
            "GC6",
            [
                ("columns", custom(Keep(features))),
                ("encode", integers()),
                scaler,
                ("pca", PCA()),
                ("model", RandomForestClassifier(max_depth=10, n_jobs=1)),
            ],
            {"encode__code": "LE", "scale": "SS", "pca": "PCA"},
            differs=NO_GRID,
        ),
        case("GC7", two, two_stages, sensitive="sex"),
        case("GC8", [code, scaler, ("model", KNeighborsClassifier(10))], {"scale": "SS"}),
        case(
            "GC9",
            [code, ("smote", SMOTE()), ("model", DecisionTreeClassifier())],
            {"smote": "SMOTE"},
        ),
        case(
            "GC10",
            [code, ("under", AllKNN()), ("model", DecisionTreeClassifier())],
            {"under": "Usamp"},
        ),
    ]


def example_2() -> Case:
    """The second motivating example, its two transformers one by one and together."""
    union = FeatureUnion([("pca", PCA(2)), ("select", SelectKBest(k=6))])
    pipeline = Pipeline(
        [("encode", one_hot()), ("union", union), ("model", RandomForestClassifier(n_jobs=1))]
    )
    stages = {"union": "both", "union__pca": "PCA", "union__select": "SelectKBest"}
    return Case("example 2", "german, raw age", pipeline, stages, "sex", n_splits=100)


def adult_cases() -> list[Case]:
    """AC1 to AC10."""

    def case(name, steps, stages, *, data="adult", **options):
        # a sampler may stand in the place of a step
        return Case(name, data, RowPipeline(steps), stages, "race", **options)

    scaler, code, labels = (
        ("scale", StandardScaler()),
        ("encode", one_hot()),
        ("encode", integers()),
    )
    missing = SimpleImputer(strategy="constant", fill_value="X").set_output(transform="pandas")
    mode = SimpleImputer(strategy="most_frequent").set_output(transform="pandas")
    gaps = ["workclass", "occupation", "country"]
    kept = ["workclass", "education_num", "marital", "race", "gender", "relationship"]
    kept += ["capital_gain", "capital_loss"]
    dropped = ["workclass", "education", "occupation", "relationship", "country"]
    forest = RandomForestClassifier(25, n_jobs=1)

    def filled(imputer):
        parts = [("fill", imputer, gaps)]
        out = ColumnTransformer(parts, remainder="passthrough", verbose_feature_names_out=False)
        return out.set_output(transform="pandas")

    return [
        case(
            "AC1",
            [labels, scaler, ("model", LogisticRegression())],
            {"scale": "SS", "encode__code": "LE"},
        ),
        case(
            "AC2",
            [("fill", filled(missing)), labels, ("model", forest.set_params(max_features=5))],
            {"fill": "MV"},
            data="adult, incomplete",
            references={"fill": row_filter(complete_rows)},
            differs=f"{FEWER_TREES}; incomplete people are tested too",
            n_splits=5,
        ),
        case(
            "AC3",
            [("columns", custom(Keep(kept))), code, ("model", boosting(max_leaf_nodes=8))],
            {"columns": "Custom(f)"},
            differs="histogram boosting for exact boosting",
        ),
        case(
            "AC4",
            [labels, scaler, ("pca", PCA(14)), ("model", boosting())],
            {"scale": "SS", "pca": "PCA"},
            differs="histogram boosting for CatBoost",
        ),
        case(
            "AC5",
            [labels, ("model", boosting(learning_rate=0.35))],
            {"encode__code": "LE"},
            differs=XGBOOST,
        ),
        case(
            "AC6",
            [
                ("marital", custom(married_or_not)),
                ("columns", custom(Drop(dropped))),
                ("encode", one_hot(text_age_and_hours)),
                ("model", boosting(max_iter=50)),
            ],
            {"columns": "Custom(f)", "marital": "Custom(c)"},
            differs=f"{XGBOOST}; fewer trees",
            n_splits=5,
        ),
        case(
            "AC7",
            [
                ("coarse", custom(coarse_adult)),
                labels,
                scaler,
                ("pca", PCA(2)),
                ("model", RandomForestClassifier(25, n_jobs=1)),
            ],
            {"coarse": "Custom(f)", "scale": "SS", "pca": "PCA"},
            differs=FEWER_TREES,
            n_splits=5,
        ),
        case(
            "AC8",
            [
                ("marital", custom(married_or_not)),
                code,
                scaler,
                ("model", DecisionTreeClassifier(min_samples_leaf=75)),
            ],
            {"scale": "SS", "marital": "Custom(f)"},
        ),
        case("AC9", [code, scaler, ("model", DecisionTreeClassifier())], {"scale": "SS"}),
        case(
            "AC10",
            [("fill", filled(mode)), code, ("model", DecisionTreeClassifier())],
            {"fill__fill": "Impute"},
            data="adult, incomplete",
            references={"fill__fill": missing},
        ),
    ]


def one_hot_in_ac1() -> Case:
    """AC1 with one-hot columns in the place of labels."""
    steps = [("encode", one_hot()), ("scale", StandardScaler()), ("model", LogisticRegression())]
    return Case("AC1, one-hot", "adult", Pipeline(steps), {"scale": "SS"}, "race")


def bank_cases() -> list[Case]:
    """BM1 to BM7, as far as they can be rebuilt."""

    def case(name, steps, stages, *, differs=""):
        why = "; ".join(filter(None, (TENTH, differs)))
        return Case(name, "bank", Pipeline(steps), stages, "age", differs=why)

    scaler, code, labels = (
        ("scale", StandardScaler()),
        ("encode", one_hot()),
        ("encode", integers()),
    )
    outcome = ("outcome", custom(ranked_outcome))
    return [
        case(
            "BM1",
            [("bins", custom(duration_groups)), outcome, labels, scaler, ("model", boosting())],
            {"bins": "Custom", "encode__code": "LE", "scale": "SS"},
            differs=XGBOOST,
        ),
        case(
            "BM2",
            [labels, ("model", boosting(learning_rate=0.05, max_iter=150))],
            {"encode__code": "LE"},
            differs="histogram boosting for LightGBM",
        ),
        case(
            "BM3",
            [
                ("bins", custom(bank_groups)),
                outcome,
                labels,
                scaler,
                ("model", GradientBoostingClassifier()),
            ],
            {"encode__code": "LE", "scale": "SS", "bins": "Custom(f)"},
        ),
        case(
            "BM4",
            [("columns", custom(Drop(["duration"]))), code, scaler, ("model", boosting())],
            {"scale": "SS", "columns": "SS (in truth: duration dropped)"},
            differs=XGBOOST,
        ),
        case("BM5", [code, scaler, ("model", SVC(gamma=0.1))], {"scale": "SS"}),
        case(
            "BM6",
            [
                ("columns", custom(Drop(["marital", "education"]))),
                code,
                scaler,
                ("model", GradientBoostingClassifier()),
            ],
            {"columns": "FS", "scale": "SS"},
        ),
        case(
            "BM7",
            [("columns", custom(Drop(["pdays"]))), code, ("model", boosting(learning_rate=0.08))],
            {"columns": "FS"},
            differs=XGBOOST,
        ),
    ]


def compas_cases() -> list[Case]:
    """CP1, the first motivating example, by its script: its filter, and all that follows it."""
    recidivist = Pipeline(
        [("impute", SimpleImputer()), ("encode", OneHotEncoder(handle_unknown="ignore"))]
    )
    age = Pipeline(
        [
            ("impute", SimpleImputer()),
            ("bins", KBinsDiscretizer(4, encode="ordinal", strategy="uniform")),
        ]
    )
    score = Pipeline([("binarize", custom(low_or_high)), ("code", OrdinalEncoder())])
    coded = ColumnTransformer(
        [
            ("recidivist", recidivist, ["is_recid"]),
            ("age", age, ["age"]),
            ("score", score, ["score_text"]),
            ("days", SimpleImputer(), ["days_b_screening_arrest"]),
        ],
        remainder="passthrough",
        sparse_threshold=0.0,
    )
    steps = [
        ("filter", row_filter(screened_in_time)),
        ("code", coded),
        ("model", LogisticRegression()),
    ]
    later = {
        "code__recidivist__impute": "Impute1",
        "code__recidivist__encode": "Encode",
        "code__age__impute": "Impute2",
        "code__age__bins": "Kbins",
        "code__score__binarize": "Binarize",
    }
    nothing = dict.fromkeys(("code__recidivist__impute", "code__age__impute"), "passthrough")
    return [
        Case(
            "CP1",
            "compas",
            RowPipeline(steps),
            {"filter": "Filter"},
            "race",
            differs="people outside the filter are tested too",
            pos_label=0,
        ),
        Case(
            "CP1",
            "compas, screened in time",
            Pipeline(steps[1:]),
            later,
            "race",
            references=nothing,
            pos_label=0,
        ),
    ]
