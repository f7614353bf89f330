"""Draw docs/images/search.png, the picture in the README: python docs/images/make_search.py"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import AdversarialSearchDisplay


def main() -> None:
    """Run the README's search and save its display."""
    data = load_breast_cancer(as_frame=True)
    X = data.data[["worst area", "worst smoothness"]]
    y = data.target_names[data.target]
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(solver="liblinear"))
    search = AdversarialCorruptionSearch(
        pipeline, "labels", budget=0.1, scoring="accuracy", n_calls=16, random_state=0
    ).fit(X, y)
    print(search.summary())
    display = AdversarialSearchDisplay.from_search(search).plot()
    display.figure_.savefig(Path(__file__).with_name("search.png"), dpi=110)


if __name__ == "__main__":
    main()
