"""
Do prediction intervals still hold?
===================================

Conformal prediction promises intervals that hold four true values in five, as long as new rows are
like the rows it was calibrated on. What is left of the promise when values get lost?
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skcorrupt import CorruptMissing, cross_validate_corrupted
from skcorrupt.metrics import ConformalRegressor, make_coverage_scorer

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X = X[["bmi", "bp", "s5"]]
regressor = make_pipeline(SimpleImputer(), LinearRegression())


def width(estimator, X, y):
    """Mean width of the intervals, which buys coverage."""
    low, high = estimator.predict_interval(X).T
    return (high - low).mean()


# %%
# Half of the values of ``bmi`` and ``s5`` are lost at random, or all of them where the disease went
# far; in training data, or in test data alone.

scoring = {"coverage": make_coverage_scorer(), "width": width}
at_random = CorruptMissing(["bmi", "s5"], rate=0.5)
where_high = CorruptMissing(["bmi", "s5"], pattern="y >= 140", rate=1.0)
errors = {
    "clean": (None, "train"),
    "at random, in training": (at_random, "train"),
    "where y is high, in training": (where_high, "train"),
    "at random, in test": (at_random, "test"),
    "where y is high, in test": (where_high, "test"),
}
found = {}
for method in ("split", "mda-nested"):
    conformal = ConformalRegressor(regressor, alpha=0.2, method=method, random_state=0)
    for name, (error, part) in errors.items():
        scores = cross_validate_corrupted(
            conformal, X, y, error, apply_to=part, scoring=scoring, n_repeats=3, random_state=0
        )
        found[method, name] = scores["test_coverage"].mean(), scores["test_width"].mean()
        print(f"{method:11} {name:29} {found[method, name][0]:.2f} {found[method, name][1]:.0f}")

# %%
# Errors in training data do not break the promise here, as they reach the calibration rows too: the
# intervals get wider instead. Errors that only come later do break that of split conformal
# prediction. "mda-nested" hides values of calibration rows as they are hidden in the row to
# predict, and nearly keeps it. Read both pictures: an interval that is wide enough holds anything.

fig, axes = plt.subplots(1, 2, figsize=(10, 3.4), sharey=True, layout="constrained")
for k, method in enumerate(("split", "mda-nested")):
    places = [i + 0.35 * k for i in range(len(errors))]
    for j, ax in enumerate(axes):
        values = [found[method, name][j] for name in errors]
        ax.barh(places, values, height=0.35, label=method)
axes[0].axvline(0.8, color="k", linestyle=":")
axes[0].set(xlabel="share of true values held, promised: 0.8", xlim=(0, 1))
axes[0].set_yticks([i + 0.17 for i in range(len(errors))], list(errors))
axes[0].invert_yaxis()
axes[1].set(xlabel="mean width")
axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()
