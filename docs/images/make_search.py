"""Draw the pictures of a search in README and guide: python docs/images/make_search.py"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import AdversarialSearchDisplay, BeamSearch


def main() -> None:
    """Run the README's search and the guide's, and save their displays."""
    data = load_breast_cancer(as_frame=True)
    y = data.target_names[data.target]
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(solver="liblinear"))
    search = AdversarialCorruptionSearch(
        pipeline, "labels", budget=0.1, scoring="accuracy", random_state=0
    ).fit(data.data[["worst area", "worst smoothness"]], y)
    _save(search, "scores", "search.png")
    search = AdversarialCorruptionSearch(
        pipeline,
        "labels",
        budget=[0.05, 0.1, 0.2, 0.3],
        scoring="accuracy",
        strategy=BeamSearch(n_calls=16),
        random_state=0,
    ).fit(data.data[["worst area", "worst smoothness", "worst texture", "mean concavity"]], y)
    for kind in ("budgets", "tree", "attributes"):
        _save(search, kind, f"search-{kind}.png")
    search = AdversarialCorruptionSearch(
        make_pipeline(SimpleImputer(), DecisionTreeClassifier(max_depth=3, random_state=0)),
        "missing",
        budget=0.1,
        strategy=BeamSearch(n_calls=16),
        random_state=0,
    ).fit(data.data[["mean concave points", "worst texture"]], y)
    _save(search, "alternatives", "search-alternatives.png")


def _save(search: AdversarialCorruptionSearch, kind: str, name: str) -> None:
    print(search.summary())
    display = AdversarialSearchDisplay.from_search(search).plot(kind=kind)
    display.figure_.savefig(Path(__file__).with_name(name), dpi=110)


if __name__ == "__main__":
    main()
