"""
Decisions that hang on the noise of a measurement
=================================================

A second biopsy would not give the very same numbers. For which patients might the decision of the
model be another one?
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import ResponsivenessAuditor
from skcorrupt.responsiveness import ActionSet, NoiseEffect, ResponsivenessDisplay

data = load_breast_cancer(as_frame=True)
X = data.data[["mean radius", "mean texture", "mean smoothness"]]
y = data.target_names[data.target]
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)

# %%
# Nobody acts here; normal noise of a standard deviation of one in radius and two in texture does.
# The claim tested is that less than a tenth of such second measurements flip the decision.

actions = ActionSet.from_data(X, actionable=[])
actions.add(NoiseEffect("mean radius", 1.0))
actions.add(NoiseEffect("mean texture", 2.0))
auditor = ResponsivenessAuditor(model, actions, target="flip", epsilon=0.1, random_state=0).fit(
    X_test
)
results = auditor.results_
print(results["verdict"].value_counts().to_dict(), "with", auditor.n_samples_, "draws each")

# %%
# "unresponsive" patients have been shown to be stable, with the false discovery rate kept over all
# of them. The others have not been shown to be unstable: that would be another test.

fig, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
for verdict, part in results.groupby("verdict"):
    rows = X_test.loc[part.index]
    ax.scatter(rows["mean radius"], rows["mean texture"], s=14, label=f"{verdict} ({len(rows)})")
shown = results["responsiveness"] > 0.1
ax.scatter(
    *X_test.loc[shown, ["mean radius", "mean texture"]].to_numpy().T,
    s=50,
    facecolors="none",
    edgecolors="k",
    label=f"flips in more than a tenth of the draws ({shown.sum()})",
)
ax.set(xlabel="mean radius", ylabel="mean texture")
ax.legend()
plt.show()

# %%
# How often the test shows what is true, by how responsive somebody is:

ResponsivenessDisplay.from_auditor(auditor).plot("power")
plt.show()
