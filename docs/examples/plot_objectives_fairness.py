"""
The error that makes a model unfair
===================================

The search makes any score as low as it can. With a fairness scorer, which is minus the gap between
two groups, it looks for the data error that makes the pipeline most unfair, and that need not be
the one that costs most accuracy.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import AdversarialCorruptionSearch, CorruptedEstimator
from skcorrupt.adversarial import BeamSearch, SearchSpace
from skcorrupt.metrics import make_fairness_scorer, statistical_parity_difference

X, progression = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
y = np.where(progression > 140, "programme", "none")
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
pipeline = make_pipeline(StandardScaler(), LogisticRegression())
people = {"sensitive_features": "sex", "privileged": 1, "pos_label": "programme"}

# %%
# Two searches for wrong labels in at most a tenth of the rows, one for each objective:

worst = {}
for name, scoring in [
    ("accuracy", "accuracy"),
    ("parity of the sexes", make_fairness_scorer("spd", **people)),
]:
    search = AdversarialCorruptionSearch(
        pipeline,
        "labels",
        budget=0.1,
        scoring=scoring,
        strategy=BeamSearch(n_calls=8),
        space=SearchSpace(pattern_columns=["sex", "bmi", "bp"], n_bins=4, max_conditions=1),
        cv=3,
        confirm_size=None,
        random_state=0,
    ).fit(X_train, y_train)
    worst[f"worst for {name}"] = search.worst_corruption_
    print(f"{name}: {search.worst_pattern_}")

# %%
# On test rows that no search has seen:

rows = {}
for name, corruption in [("right labels", None), *worst.items()]:
    model = pipeline if corruption is None else CorruptedEstimator(pipeline, corruption)
    predicted = model.fit(X_train, y_train).predict(X_test)
    groups = people | {"sensitive_features": X_test["sex"]}
    rows[name] = {
        "accuracy": accuracy_score(y_test, predicted),
        "gap in offers": abs(statistical_parity_difference(y_test, predicted, **groups)),
    }
table = pd.DataFrame(rows).T
print(table.round(3))
ax = table.plot.barh(figsize=(8, 3), xlim=(0, 1))
ax.invert_yaxis()
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.tight_layout()
plt.show()
