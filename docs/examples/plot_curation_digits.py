"""
Easy and hard digits
====================

Threes and eights, written by hand, eight by eight pixels each. An eight closes its loops on the
left, a three does not: some rules that look at single places already tell which digits are hard.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from skcorrupt import NaturalAdversarialCurator
from skcorrupt.curation import MajorityVoteLabeler, apply_lfs, labeling_function

digits = load_digits()
chosen = np.isin(digits.target, (3, 8))
images, truth = digits.images[chosen], (digits.target[chosen] == 8).astype(int)

# %%
# A rule looks at the ink in one place, and abstains where it is neither much nor little. Class 1 is
# the eight.


def ink_at(rows, columns, name):
    """A rule on the mean ink of some pixels, from 0 to 16."""

    @labeling_function(vectorized=True, name=name)
    def rule(images):
        ink = images[:, rows, columns].mean(axis=(1, 2))
        return np.where(ink > 8, 1, np.where(ink < 3, 0, -1))

    return rule


rules = [
    ink_at(slice(1, 3), slice(2, 3), "upper left"),
    ink_at(slice(2, 4), slice(2, 3), "left, above the waist"),
    ink_at(slice(4, 6), slice(2, 3), "left, below the waist"),
    ink_at(slice(5, 7), slice(2, 3), "lower left"),
    ink_at(slice(3, 4), slice(2, 4), "waist, from the left"),
]
L = apply_lfs(images, rules)
curator = NaturalAdversarialCurator(MajorityVoteLabeler(), uncovered="drop", random_state=0).fit(L)
score = curator.score_ordering(truth)
print("accuracy of the weak labels:", score.accuracies.round(2))
print(f"rho {score.rho:.2f}, p-value by permutation {score.permutation_pvalue:.4f}")

# %%
# The first and the last of the order, with the weak label of each, in red where it is wrong. What
# is hard for these rules need not be hard for an eye, or for a model that sees all pixels.

fig, axes = plt.subplots(2, 10, figsize=(10, 2.8), layout="constrained")
order = curator.order_
for line, rows, title in [(axes[0], order[:10], "easiest"), (axes[1], order[-10:], "hardest")]:
    for ax, row in zip(line, rows, strict=True):
        ax.imshow(images[row], cmap="gray_r")
        label = curator.labels_[row]
        ax.set_title("38"[label], color="k" if label == truth[row] else "red")
        ax.set(xticks=[], yticks=[])
    line[0].set_ylabel(title)
plt.show()
