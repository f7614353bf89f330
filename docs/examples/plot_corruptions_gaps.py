"""
Random and not so random gaps
=============================

A fifth of the values of a column is lost. Whether that matters depends on which ones: at random,
more often the higher they are, or where a pattern says. The data is the chemical analysis of 178
wines.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from skcorrupt import MNAR, CorruptMissing

X, y = load_wine(return_X_y=True, as_frame=True)

# %%
# Three corruptions lose the same number of values. The count is exact, and the record says which
# cells were struck.

lost = {
    "at random": CorruptMissing("alcohol", rate=0.2, random_state=0),
    "more often where high": CorruptMissing(
        "alcohol", rate=0.2, mechanism=MNAR(strength=3.0), random_state=0
    ),
    "where proline >= 1000": CorruptMissing(
        "alcohol", pattern="proline >= 1000", rate=0.84, random_state=0
    ),
}
left = {}
for name, corruption in lost.items():
    result = corruption.fit(X, y).corrupt(X, y)
    left[name] = result.X["alcohol"].dropna()
    print(f"{name}: {result.record.n_corrupted} lost, mean of the others {left[name].mean():.2f}")
print(f"none lost: mean {X['alcohol'].mean():.2f}")

# %%
# What is left looks like the whole in the first case only. Nothing in the other two tells a mean
# imputer that it fills in too little.

fig, axes = plt.subplots(1, 3, figsize=(10, 3), sharex=True, sharey=True, layout="constrained")
for ax, (name, values) in zip(axes, left.items(), strict=True):
    ax.hist(X["alcohol"], bins=15, range=(11, 15), color="0.85", label="all wines")
    ax.hist(values, bins=15, range=(11, 15), color="C0", alpha=0.7, label="alcohol known")
    ax.axvline(values.mean(), color="C0")
    ax.axvline(X["alcohol"].mean(), color="0.4", linestyle=":")
    ax.set(title=name, xlabel="alcohol")
axes[0].set_ylabel("wines")
axes[0].legend()
plt.show()
