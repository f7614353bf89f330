"""
The worst wrong labels
======================

A classifier of tumours is trained on two measurements, and one label in ten may be wrong. At random
such errors do next to nothing. Which ones would do most?
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import AdversarialSearchDisplay, BeamSearch

data = load_breast_cancer(as_frame=True)
X = data.data[["worst area", "worst smoothness"]]
y = data.target_names[data.target]
pipeline = make_pipeline(StandardScaler(), LogisticRegression(solver="liblinear"))

search = AdversarialCorruptionSearch(
    pipeline,
    "labels",
    budget=0.1,
    scoring="accuracy",
    strategy=BeamSearch(n_calls=16),
    random_state=0,
).fit(X, y)
print(search.summary())

# %%
# The scores to believe are the confirmed ones, on rows that took no part in the search. The bar is
# a 95 % interval of the drop, from the clean score.

AdversarialSearchDisplay.from_search(search).plot()
plt.show()

# %%
# The winner is a corruption that goes into any pipeline. Fitted on the same rows, the model with
# wrong labels draws its border elsewhere: a few wrong labels at the far end turn it.

worst = search.worst_corruption_
_, y_wrong = worst.fit_resample(X, y)
struck = worst.record_.y_mask
print(worst.record_.n_corrupted, "of", len(y), "labels are wrong")

area, smoothness = np.meshgrid(np.linspace(0, 4400, 200), np.linspace(0.05, 0.25, 200))
places = pd.DataFrame(np.column_stack([area.ravel(), smoothness.ravel()]), columns=X.columns)

fig, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
for ax, labels, title in [(axes[0], y, "right labels"), (axes[1], y_wrong, "the worst ones")]:
    model = pipeline.fit(X, labels)
    malignant = (model.predict(places) == "malignant").reshape(area.shape)
    ax.contourf(area, smoothness, malignant, levels=1, colors=["C0", "C1"], alpha=0.2)
    for color, label in [("C0", "benign"), ("C1", "malignant")]:
        ax.scatter(*X[y == label].to_numpy().T, s=8, color=color, label=label)
    ax.set(title=f"{title}: accuracy {model.score(X, y):.3f}", xlabel=X.columns[0])
axes[0].set_ylabel(X.columns[1])
axes[1].scatter(*X[struck].to_numpy().T, s=30, facecolors="none", edgecolors="k", label="wrong")
axes[1].legend()
plt.show()
