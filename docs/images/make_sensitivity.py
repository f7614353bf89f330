"""Draw docs/images/sensitivity.png, the guide's picture: python docs/images/make_sensitivity.py"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import CorruptLabels, CorruptNoise
from skcorrupt.sensitivity import ErrorSensitivityDisplay, ErrorSensitivityProfiler


def main() -> None:
    """Run the guide's profile and save its display."""
    data = load_breast_cancer(as_frame=True)
    X = data.data[["worst area", "worst texture", "mean symmetry"]]
    models = {
        "linear": make_pipeline(StandardScaler(), LogisticRegression()),
        "bayes": GaussianNB(),
    }
    profiler = ErrorSensitivityProfiler(
        models,
        corruptions={"noise": CorruptNoise(scale=5.0), "labels": CorruptLabels()},
        levels=(0, 0.1, 0.2, 0.4),
        n_repeats=15,
        random_state=0,
    ).fit(X, data.target_names[data.target])
    display = ErrorSensitivityDisplay.from_profiler(profiler).plot()
    display.figure_.savefig(Path(__file__).with_name("sensitivity.png"), dpi=110)


if __name__ == "__main__":
    main()
