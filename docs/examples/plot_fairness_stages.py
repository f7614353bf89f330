"""
Which step makes the pipeline unfair?
=====================================

442 people with diabetes; those of whom a pipeline predicts much progression are offered a
programme. The pipeline scales, projects and classifies. Which of the steps treats the sexes
differently, and what could stand in its place?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import StageFairnessAblator
from skcorrupt.fairness import StageFairnessDisplay, compare_transformers

X, progression = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
y = np.where(progression > 140, "programme", "none")
pipeline = Pipeline(
    [("scale", StandardScaler()), ("project", PCA(2)), ("model", LogisticRegression())]
)
people = {"sensitive_features": "sex", "privileged": 1, "pos_label": "programme"}
ablator = StageFairnessAblator(pipeline, **people, random_state=0).fit(X, y)

# %%
# The effect of a stage is the gap of the pipeline less the gap without the stage. Bars whose
# interval holds 0 have shown nothing.

display = StageFairnessDisplay.from_ablator(ablator).plot()
plt.show()

# %%
# The projection widens the gap, and brings no accuracy:

display.plot("performance")
plt.show()

# %%
# Other transformers in its place, by the gap in the rate of offers that is left:

table = compare_transformers(
    pipeline, "project", X, y, candidates=[SelectKBest(k=2), PCA(5)], **people, random_state=0
)
shown = ["candidate", "gap", "change", "significant", "accuracy"]
print(table.loc[table["metric"] == "spd", shown].round(2).to_string(index=False))
