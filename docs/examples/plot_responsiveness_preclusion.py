"""
Who has a way to another prediction?
====================================

A model says of 442 people with diabetes whether their disease will progress much. People can change
their weight and their blood pressure, within limits. For whom does the prediction change with
anything they can do, and for whom never?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import ResponsivenessAuditor
from skcorrupt.responsiveness import ActionSet, ResponsivenessDisplay

X, progression = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X = X[["age", "sex", "bmi", "bp", "s5"]].astype({"age": int, "sex": int})
X["bmi"], X["bp"] = X["bmi"].round(), X["bp"].round()
y = np.where(progression > 140, "much", "little")
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)

# %%
# The body mass index can go down by at most six, the mean blood pressure by fifteen, in whole steps
# and not below what is healthy, and nobody does both to the full: together at most twelve steps.

actions = ActionSet.from_data(X, actionable=["bmi", "bp"])
actions["bmi"].change = (-6, 0)
actions["bmi"].lb = 18
actions["bp"].change = (-15, 0)
actions["bp"].lb = 60
actions.add("abs(delta(bmi)) + abs(delta(bp)) <= 12")
auditor = ResponsivenessAuditor(model, actions, target="little", task="preclusion").fit(X)
print(auditor.results_[["prediction", "responsiveness", "n", "exact", "verdict"]].head(4))

# %%
# Responsiveness is the share of a person's interventions that lead to the target. All of them were
# looked at, so "unresponsive" is a certificate: within these actions there is no way.

print(auditor.by_group(by="sex")[["n_people", "responsiveness", "unresponsive"]].round(2))
display = ResponsivenessDisplay.from_auditor(auditor, by="sex")
fig, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
display.plot("verdicts", ax=axes[0])
display.plot("distribution", ax=axes[1])
plt.show()

# %%
# What one person can do, and what each column does alone:

someone = auditor.results_.query("verdict == 'responsive'").index[0]
print(X.loc[[someone]].to_string())
print(auditor.examples(someone).head(3).to_string())
print(auditor.attributions_.groupby("feature")["responsiveness"].mean().round(3).to_dict())
