"""
Gaps learned from data that has some
====================================

Given a table with gaps, ``learn_gaps`` looks for what explains them, and makes
the same kind of gaps in complete data. Here the truth is known, since we make the gaps ourselves,
in the measurements of 569 tumours.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from skcorrupt import MAR, CorruptionProcess, CorruptMissing
from skcorrupt.learned import learn_gaps

complete, y = load_breast_cancer(return_X_y=True, as_frame=True)
complete = complete[["mean area", "mean texture", "mean smoothness", "mean symmetry"]]

# %%
# Texture is lost for large tumours, smoothness more often the larger they are, and symmetry now and
# then at random.

truth = CorruptionProcess(
    [
        ("texture", CorruptMissing("mean texture", pattern="`mean area` >= 900", rate=0.8)),
        (
            "smoothness",
            CorruptMissing("mean smoothness", rate=0.3, mechanism=MAR(["mean area"], strength=1.5)),
        ),
        ("symmetry", CorruptMissing("mean symmetry", rate=0.1)),
    ],
    random_state=0,
)
X, _ = truth.fit_resample(complete, y)
observed = learn_gaps(X)
print(observed)

# %%
# The pattern, the smooth mechanism and the gaps without a reason are all told apart. What was
# learned is a corruption like any other:

again, _ = observed.corruption.set_params(random_state=1).fit_resample(complete, y)

fig, axes = plt.subplots(1, 3, figsize=(10, 3), sharey=True, layout="constrained")
edges = np.quantile(complete["mean area"], np.linspace(0, 1, 9))
middle = (edges[:-1] + edges[1:]) / 2
part = np.digitize(complete["mean area"], edges[1:-1])
for ax, column in zip(axes, ["mean texture", "mean smoothness", "mean symmetry"], strict=True):
    for table, label in [(X, "observed"), (again, "made from what was learned")]:
        ax.plot(middle, table[column].isna().groupby(part).mean(), marker="o", label=label)
    ax.set(title=column, xlabel="mean area")
axes[0].set_ylabel("share missing")
axes[0].legend()
plt.show()
