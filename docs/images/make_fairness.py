"""Draw docs/images/fairness.png, the picture in the guide: python docs/images/make_fairness.py"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import StageFairnessAblator
from skcorrupt.fairness import StageFairnessDisplay


def main() -> None:
    """Run the guide's first ablation and save its display."""
    X, progression = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    y = np.where(progression > 140, "programme", "none")
    pipeline = Pipeline(
        [("scale", StandardScaler()), ("project", PCA(2)), ("model", LogisticRegression())]
    )
    ablator = StageFairnessAblator(
        pipeline, sensitive_features="sex", privileged=1, pos_label="programme", random_state=0
    ).fit(X, y)
    display = StageFairnessDisplay.from_ablator(ablator).plot()
    display.figure_.savefig(Path(__file__).with_name("fairness.png"), dpi=110)


if __name__ == "__main__":
    main()
