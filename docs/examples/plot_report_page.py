"""
A page to hand on, and a test to keep
=====================================

What a search found, as one HTML file for somebody who does not code, and as a test for a test
suite.
"""

import re
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import AdversarialSearchDisplay, BeamSearch, SearchSpace
from skcorrupt.report import write_html
from skcorrupt.testing import assert_robust

iris = load_iris(as_frame=True)
X = iris.data[["petal length (cm)", "petal width (cm)"]]
y = iris.target_names[iris.target]
pipeline = make_pipeline(SimpleImputer(), GaussianNB())
settings = {
    "budget": 0.2,
    "scoring": "accuracy",
    "strategy": BeamSearch(n_calls=8),
    "space": SearchSpace(max_conditions=1),
}
search = AdversarialCorruptionSearch(pipeline, "missing", **settings, random_state=0).fit(X, y)

# %%
# The page loads nothing and runs nothing, so it can be mailed and archived. Its parts:

with tempfile.TemporaryDirectory() as folder:
    path = write_html(search, Path(folder) / "report.html", title="Lost petals")
    page = path.read_text(encoding="utf-8")
print(f"{len(page) / 1000:.0f} kB")
for heading in re.findall(r"<h2[^>]*>(.*?)</h2>", page):
    print("-", heading)

# %%
# The first picture on it:

AdversarialSearchDisplay.from_search(search).plot()
plt.show()

# %%
# The same search as a test, which fails when the worst error costs more than is allowed, and says
# how to see it:

try:
    assert_robust(pipeline, X, y, corruption="missing", **settings, max_drop=0.01)
except AssertionError as failure:
    print(failure)
