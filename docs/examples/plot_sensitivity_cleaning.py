"""
What to clean first
===================

The column that matters most on clean data is not always the one in which errors cost most. A
regression predicts how far diabetes has gone from six measurements, some of which may hold wild
values.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from skcorrupt import CorruptOutliers, ErrorSensitivityProfiler

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X = X[["age", "bmi", "bp", "s3", "s5", "s6"]]
profiler = ErrorSensitivityProfiler(
    LinearRegression(),
    corruptions=CorruptOutliers(magnitude=5.0),
    levels=(0, 0.1, 0.2, 0.4),
    n_repeats=20,
    scoring="r2",
    random_state=0,
).fit(X, y)
priorities = profiler.cleaning_priorities()
print(priorities[["feature", "loss", "significant", "importance"]].round(3).to_string())

# %%
# ``loss`` is what errors in the column cost on average, as a share of R². ``importance`` is what
# shuffling the column costs on clean test data. Only the first says what cleaning is worth. Here
# both give nearly the same order, which could not be known beforehand.

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.scatter(priorities["importance"], priorities["loss"])
for row in priorities.itertuples():
    ax.annotate(row.feature, (row.importance, row.loss), xytext=(5, 4), textcoords="offset points")
ax.set(xlabel="importance on clean data", ylabel="loss by wild values, share of R²")
ax.axhline(0, color="0.8")
ax.margins(0.15)
plt.show()

# %%
# How much cleaning? Most of the damage is done by the first tenth, so that half a cleaning brings
# little.

curves = profiler.curves_
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for feature in priorities["feature"].head(3):
    mean = curves[curves["features"] == feature].groupby("level")["score"].mean()
    ax.plot(mean.index, mean, marker="o", label=feature)
ax.set(xlabel="share of training rows with a wild value", ylabel="R² on clean test rows")
ax.legend(title="wild values in")
plt.show()
