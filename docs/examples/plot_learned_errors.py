"""
Errors learned from a table and its corrected version
=====================================================

Somebody has corrected a table. ``learn_errors`` compares the two, tells what went wrong and where,
and makes such errors in other data. Here the errors are made by ourselves, in measurements of 569
tumours, so that the truth is known.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from skcorrupt.learned import LearnedErrorsDisplay, learn_errors

columns = ["mean radius", "mean texture", "mean perimeter", "mean smoothness"]
clean = load_breast_cancer(as_frame=True).data[columns]

# %%
# Small radii often come in another unit, textures are rounded now and then, and a perimeter that
# nobody measured is -1.

rng = np.random.default_rng(0)
draws = rng.uniform(size=(len(clean), 3))
dirty = clean.copy()
dirty.loc[(clean["mean radius"] < 12) & (draws[:, 0] < 0.5), "mean radius"] *= 10
dirty.loc[draws[:, 1] < 0.2, "mean texture"] = clean["mean texture"].round()
dirty.loc[(clean["mean smoothness"] > 0.11) & (draws[:, 2] < 0.7), "mean perimeter"] = -1
learned = learn_errors(dirty, clean)
print(learned)

# %%
# How many errors there are of each kind, in names rather than codes:

LearnedErrorsDisplay.from_learned(learned).plot()
plt.show()

# %%
# How often they strike where a pattern was found, and elsewhere:

LearnedErrorsDisplay.from_learned(learned).plot("rates")
plt.show()

# %%
# ``write_html(learned, "page.html")`` of ``skcorrupt.report`` puts this on a page in plain words.
# The corruption that was learned strikes as many rows again:

again, _ = learned.corruption.set_params(random_state=1).fit_resample(clean, None)
print((dirty != clean).sum().to_frame("seen").assign(made=(again != clean).sum()))
