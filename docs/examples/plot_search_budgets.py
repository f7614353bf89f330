"""
How bad can it get? Several budgets and a proxy
===============================================

With ``strategy="screening"`` thousands of errors are screened on a stand-in for the pipeline, and
only the best go to the pipeline itself. A list of budgets gives the worst case as a curve.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import AdversarialSearchDisplay, Screening

data = load_breast_cancer(as_frame=True)
X = data.data[["mean concave points", "worst texture", "worst area"]]
y = data.target_names[data.target]
pipeline = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())

search = AdversarialCorruptionSearch(
    pipeline,
    "missing",
    budget=[0.1, 0.2, 0.4],
    scoring="roc_auc",
    strategy=Screening(n_rerank=6),
    random_state=0,
).fit(X, y)
print(search.summary())
columns = ["budget", "worst_score", "random_score", "confirmed_score", "pattern"]
print(search.budget_curve_[columns].round(3).to_string(index=False))

# %%
# Up to a fifth of the rows this pipeline can hardly be harmed by missing values, then it can. The
# interval at the largest budget says whether the confirmed drop is more than luck.

display = AdversarialSearchDisplay.from_search(search).plot(kind="budgets")
plt.show()

# %%
# Which columns do the harm? A set of columns counts by the lowest score of its candidates.

display.plot(kind="attributes")
plt.show()

# %%
# How much was looked at, and how well the stand-in agrees with the pipeline:

print(f"proxy {search.proxy_!r}, rank correlation {search.proxy_agreement_:.2f}")
shown = ["budget", "screened_conditions", "n_distinct", "n_reranked"]
print(search.certificate_[shown].to_string(index=False))
