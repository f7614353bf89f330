"""
Hard samples without labels
===========================

Rules of thumb about tumours vote on 569 samples. Where many good rules agree a sample is easy,
where few speak or they disagree it is hard. The order is made without labels; here they are known,
so that it can be checked.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcorrupt import NaturalAdversarialCurator
from skcorrupt.curation import (
    AdversarialOrderDisplay,
    GenerativeLabelModel,
    apply_lfs,
    lf_from_pattern,
    lf_from_threshold,
    lf_summary,
)

data = load_breast_cancer(as_frame=True)
X, truth = data.data, 1 - data.target.to_numpy()  # 1 is malignant

# %%
# Somebody who knows tumours a little writes down what speaks for and against malignancy.

functions = [
    lf_from_threshold("mean radius", above=16, label=1, name="large"),
    lf_from_threshold("mean radius", below=13, label=0, name="small"),
    lf_from_threshold("mean concavity", above=0.12, label=1, name="dented"),
    lf_from_threshold("mean concavity", below=0.05, label=0, name="smooth outline"),
    lf_from_threshold("mean texture", above=22, label=1, name="rough"),
    lf_from_threshold("mean texture", below=16, label=0, name="even"),
    lf_from_pattern("`worst symmetry` > 0.35 and `mean radius` > 14", 1, name="crooked"),
    lf_from_threshold("area error", below=20, label=0, name="all alike"),
]
L = apply_lfs(X, functions)
names = [each.name for each in functions]
print(lf_summary(L, truth, names=names)[["name", "coverage", "conflicts", "accuracy"]].round(2))

# %%
# Ten nested sets, each harder than the one before. Judge the order by the p-value by permutation.

curator = NaturalAdversarialCurator(GenerativeLabelModel(), random_state=0).fit(L)
score = curator.score_ordering(truth)
print("accuracy of the weak labels:", score.accuracies.round(2))
print(f"rho {score.rho:.2f}, p-value by permutation {score.permutation_pvalue:.4f}")

# %%
# A model along the order. It learned in folds from the true labels, so that it can stay right where
# rules of thumb no longer are.

model = make_pipeline(StandardScaler(), LogisticRegression())
curator.evaluate(model, X, truth)
AdversarialOrderDisplay.from_curator(curator, truth).plot()
plt.show()
