"""The demo: missing values and label errors in the breast cancer data."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from skcorrupt.adversarial import AdversarialCorruptionSearch, Screening, SearchSpace
from skcorrupt.adversarial.display import found_in_words, reads_label
from skcorrupt.report import write_html

from ._found import LABEL_READ
from ._output import interval_text, save_picture, score_text, table_text

COLUMNS = ("mean radius", "mean texture", "mean smoothness", "mean compactness", "mean symmetry")
ERRORS = {"missing": "missing values", "labels": "label errors"}
BUDGETS = (0.05, 0.1)
INTRODUCTION = """\
569 tumours, five measurements each, malignant or benign (scikit-learn's breast cancer data).
The pipeline fills gaps with 0, scales, and fits a logistic regression. Which error in at most
5 % or 10 % of the training rows does most harm on clean test data?
"""
CALL = """\
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skcorrupt import AdversarialCorruptionSearch
from skcorrupt.adversarial import Screening, SearchSpace

data = load_breast_cancer(as_frame=True)
X = data.data[{columns}]
y = data.target.map({{0: "malignant", 1: "benign"}})
pipeline = make_pipeline(
    SimpleImputer(strategy="constant", fill_value=0), StandardScaler(), LogisticRegression()
)
search = AdversarialCorruptionSearch(
    pipeline,
    "{corruption}",
    budget={budget},
    scoring="balanced_accuracy",
    space=SearchSpace(max_conditions={max_conditions}),
    strategy=Screening(n_rerank={n_rerank}),
    random_state=0,
)
search.fit(X, y)
print(search.summary())"""


def demo(
    out: Path,
    *,
    n_jobs: int = 1,
    verbose: bool = True,
    columns: Sequence[str] = COLUMNS,
    max_conditions: int = 2,
    n_rerank: int = 16,
    errors: Mapping[Any, str] = ERRORS,
    budgets: Sequence[float] = BUDGETS,
) -> None:
    """Run the four searches, print what they found and draw it.

    Parameters
    ----------
    out : Path
        Folder of the image and the page.
    n_jobs : int, default=1
        Number of workers.
    verbose : bool, default=True
        Whether to show progress bars.
    columns : sequence of str
        Columns of the data that the pipeline sees.
    max_conditions, n_rerank : int
        Size of the searches.
    errors : mapping of str to str
        Kinds of error, each with its name for people.
    budgets : sequence of float
        Largest shares of rows.
    """
    started = time.perf_counter()
    X, y = _data(columns)
    print(INTRODUCTION, flush=True)
    titles: list[str] = []
    found: list[Any] = []
    for corruption, name in errors.items():
        for budget in budgets:
            titles.append(f"{name.capitalize()}, {100 * budget:g} % of rows")
            print(f"[{len(titles)}/{len(errors) * len(budgets)}] {titles[-1]}", flush=True)
            search = AdversarialCorruptionSearch(
                _pipeline(),
                corruption,
                budget=budget,
                scoring="balanced_accuracy",
                random_state=0,
                n_jobs=n_jobs,
                verbose=int(verbose),
                space=SearchSpace(max_conditions=max_conditions),
                strategy=Screening(n_rerank=n_rerank),
            )
            # five columns are not worth a second thread, which would only wait in a busy loop
            with threadpool_limits(1):
                search.fit(X, y)
            print(f"{search.n_evaluations_} candidates. {found_in_words(search)}", flush=True)
            if not any(map(reads_label, found)) and reads_label(search):
                print(LABEL_READ)
            print()
            found.append(search)
            if search.interrupted_:
                break
        if found[-1].interrupted_:
            print("The demo was ended early; what follows is what it had found until then.\n")
            break
    print(_table(found, titles))
    worst = min(range(len(found)), key=lambda i: found[i].worst_score_)
    print(f"\nThe worst of all, in words:\n{found[worst].summary()}")
    print(f"\nThe same as an object to drop into a pipeline:\n{found[worst].worst_corruption_!r}")
    call = demo_call(
        found[worst].corruption, found[worst].budget, columns, max_conditions, n_rerank
    )
    print(f"\nThe call that found it, to copy into Python:\n\n{call}\n")
    n_scored = sum(search.n_evaluations_ for search in found)
    seconds = time.perf_counter() - started
    print(f"{n_scored} candidates scored in {seconds:.0f} s.\n")
    print(_saved(found, titles, found[worst], out))


def demo_call(
    corruption: str, budget: float, columns: Sequence[str], max_conditions: int, n_rerank: int
) -> str:
    """One of the demo's searches as Python source.

    Parameters
    ----------
    corruption : str
        Kind of error.
    budget : float
        Largest share of rows.
    columns : sequence of str
        Columns of the data.
    max_conditions, n_rerank : int
        Size of the search.

    Returns
    -------
    str
        Source that loads the data, searches and prints the sentence.
    """
    lines = "".join(f'    "{name}",\n' for name in columns)
    return CALL.format(
        columns=f"[\n{lines}]",
        corruption=corruption,
        budget=budget,
        max_conditions=max_conditions,
        n_rerank=n_rerank,
    )


def _data(columns: Sequence[str]) -> tuple[Any, Any]:
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer(as_frame=True)
    return data.data[list(columns)], data.target.map({0: "malignant", 1: "benign"})


def _pipeline() -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(
        SimpleImputer(strategy="constant", fill_value=0), StandardScaler(), LogisticRegression()
    )


def _table(found: list[Any], titles: list[str]) -> str:
    metric = found[0].metric_name_.capitalize()
    head = ["error", "clean", "random", "worst", "confirmed: clean", "worst", "drop (95 %)"]
    rows = [
        [
            title,
            score_text(search.baseline_score_),
            score_text(search.random_score_),
            score_text(search.worst_score_),
            score_text(search.confirmed_baseline_score_),
            score_text(search.confirmed_score_),
            interval_text(search.confirmed_interval_),
        ]
        for title, search in zip(titles, found, strict=True)
    ]
    return (
        f"{metric} on clean test data. random: as many errors in random rows; confirmed: scored\n"
        f"on rows that took no part in the search.\n\n{table_text([head, *rows])}"
    )


def _saved(found: list[Any], titles: list[str], worst: Any, out: Path) -> str:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"No image: cannot make the folder {out} ({error.strerror}); pass another --out DIR."
    said = save_picture(found, titles, out / "skcorrupt-demo.png")
    try:
        page = write_html(worst, out / "skcorrupt-demo.html")
    except OSError as error:
        return f"{said}\nNo page: cannot write into {out} ({error.strerror or error})."
    return f"{said}\nPage of the worst of all, to open in a browser: {page}"
