"""
Which model suffers least as errors grow?
=========================================

Three models tell three kinds of wine apart by four measurements. Noise grows in one measurement at
a time, and labels are switched. Every model is fitted on the same rows with the same errors, and
scored on the same clean rows.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcorrupt import CorruptLabels, CorruptNoise, ErrorSensitivityProfiler
from skcorrupt.sensitivity import ErrorSensitivityDisplay

X, y = load_wine(return_X_y=True, as_frame=True)
X = X[["alcohol", "color_intensity", "flavanoids", "hue"]]
models = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "decision tree": DecisionTreeClassifier(random_state=0),
}
profiler = ErrorSensitivityProfiler(
    models,
    corruptions={"noise": CorruptNoise(scale=3.0), "labels": CorruptLabels()},
    levels=(0, 0.2, 0.4),
    n_repeats=15,
    random_state=0,
).fit(X, y)

# %%
# AEPC is the mean change of the score from no errors to the highest level, that is the area between
# the curve and its baseline over that level, as a share of the score without errors. The intervals
# are over repeats, that is over other splits of these wines.

ranking = profiler.model_ranking()
print(ranking[["model", "baseline", "score", "loss", "loss_low", "loss_high"]].round(3).to_string())

# %%
# One profile: the mean curve with its band, and what is computed of it.

display = ErrorSensitivityDisplay.from_profiler(profiler)
display.plot(model="decision tree", corruption="labels")
plt.show()

# %%
# All of noise at a glance.

display.plot("heatmap", corruption="noise")
plt.show()
