"""What a natural adversarial curation has to say."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from skcorrupt.curation import AdversarialOrderDisplay
from skcorrupt.utils._as_text import chance, counted, interval, percent, score, signed

from ._code import HOW, TRUTH
from ._content import Asked, Content, Data, Glance, Picture, Repeat
from ._html import Html
from ._tables import Column, capital, table

if TYPE_CHECKING:
    from skcorrupt.curation import NaturalAdversarialCurator

_SETS = [
    Column("dataset", "Set", meaning="The easiest first."),
    Column("n_rows", "Samples"),
    Column("lower_bound", "Lowest bound", "score", "Of the confidence in the labels of the set."),
    Column("confidence", "Confidence", "score", "Mean of the label model's, in the set."),
    Column("n_votes", "Votes", "score", "Mean number of functions that say something."),
    Column("silent", "Without a vote", "percent", "Share of samples."),
    Column("n_labelled", "True labels", meaning="Samples whose true label is known."),
    Column("accuracy", "Weak labels right", "percent", "By these true labels."),
]
_CLASSES = [
    Column("label", "Label"),
    Column("n_rows", "Samples"),
    Column("share", "Share", "percent"),
    Column("confidence", "Mean confidence", "score"),
]
_FUNCTIONS = [
    Column("name", "Labeling function"),
    Column("kept", "Used"),
    Column("coverage", "Says something", "percent", "Share of samples on which it votes."),
    Column("conflicts", "Contradicted", "percent", "Share of samples: another one says otherwise."),
    Column("accuracy", "Right", "percent", "Of its votes where the true label is known."),
]
_CURVE = [
    Column("dataset", "Set"),
    Column("n_rows", "Samples"),
    Column("agreement", "Agreement", "percent", "Of the model with the weak labels."),
    Column("agreement_interval", "90 % interval, agreement"),
    Column("n_labelled", "Samples with true labels"),
    Column("accuracy", "Accuracy", "percent", "Of the model, by true labels."),
    Column("accuracy_interval", "90 % interval, accuracy"),
    Column("weak_accuracy", "Accuracy of the weak labels", "percent", "By true labels."),
]


def curator_content(curator: NaturalAdversarialCurator, asked: Asked) -> Content:
    """Collect what is known of a fitted curator.

    Parameters
    ----------
    curator : NaturalAdversarialCurator
        The fitted curator.
    asked : Asked
        What labels mean.

    Returns
    -------
    Content
        For the page.
    """
    names = [str(name) for name in getattr(curator, "feature_names_in_", ())]
    names = names or [f"lf{j}" for j in range(curator.n_features_in_)]
    return Content(
        heading="Which real samples are hard",
        glance=_glance(curator),
        question=(
            f"There are {len(curator.labels_):,} samples, and {len(names):,} rules "
            "of thumb that say something about some of them. Which samples are easy, which are "
            "hard, and how does a model fare as they grow harder?"
        ),
        answer=[*_answer(curator), *asked.legend()],
        results=_results(curator, names),
        pictures=_pictures(curator),
        limits=_limits(curator, names),
        data=Data(len(curator.labels_), names, row="samples", column="labeling functions"),
        seed=None,
        repeat=Repeat("curator", "fit(L)", [TRUTH]),
        seed_note="none; the order draws nothing, but for a label model that does",
    )


def _glance(curator: NaturalAdversarialCurator) -> Glance:
    easy, hard = curator.datasets_[0], np.setdiff1d(curator.order_, curator.datasets_[-2])
    hard = hard if curator.nested else curator.datasets_[-1]
    bounds = [score(float(curator.lower_bound_[rows].mean())) for rows in (easy, hard)]
    curve = getattr(curator, "curve_", None)
    what = next((n for n in ("accuracy", "agreement") if curve is not None and n in curve), None)
    wrong = f"{len(hard):,} of {counted(len(curator.order_), 'sample')} are the hardest: a model "
    wrong += "can fail on them unseen, as a mean over all samples hides it."
    if curve is None or what is None:
        bad = f"Not known: no model was tried along the order ({HOW} says how)."
        harm = 1
    else:
        first, last = curve.iloc[0], curve.iloc[-1]
        meant = "is right on" if what == "accuracy" else "agrees with the weak labels on"
        bad = (
            f"A model {meant} {percent(first[what])} of the easiest set and {percent(last[what])} "
            "of the last."
        )
        if last[what] > first[what]:
            bad += " So what this order calls hard is not harder for this model."
        harm = 2 if last[f"{what}_high"] < first[f"{what}_low"] else 1
    return Glance(
        wrong,
        bad,
        f"The labels are weak. Their confidence is at least {bounds[0]} on average among the "
        f"easiest samples and {bounds[1]} among the hardest. {_verdict(curator)}",
        "Let somebody label some of the hardest samples, and try the model on them.",
        harm,
    )


def _verdict(curator: NaturalAdversarialCurator) -> str:
    """Whether the order is right by true labels, where some were given."""
    ordering = getattr(curator, "_ordering", None)
    if ordering is None:
        return f"Whether the order is right only true labels tell: {HOW} says how."
    known, first = int(ordering["n_labelled"].max()), ordering.iloc[0]
    shares = [percent(float(ordering["accuracy"].iloc[k])) for k in (0, -1)]
    if np.isnan(first["rho"]):
        return (
            f"By the true labels of {counted(known, 'sample')} the weak labels are right as often "
            "in all sets, which says nothing of the order."
        )
    # each holds the ones before it
    last = "the last, which is all samples" if curator.nested else "the last"
    valid = "valid" if first["valid"] else "not valid"
    said = (
        f"By the true labels of {counted(known, 'sample')} the order is {valid}: of the weak "
        f"labels {shares[0]} are right in the first set and {shares[1]} in {last} (Spearman's rho "
        f"of set and accuracy {signed(first['rho'])}, p by permutation {chance(first['p'])})."
    )
    if first["remedy"]:
        said += f" {capital(str(first['remedy']))}."
    return said


def _answer(curator: NaturalAdversarialCurator) -> list[str]:
    said = [curator.summary()]
    silent = int((curator.n_votes_ == 0).sum())
    if silent:
        comes, is_out = ("comes", "is") if silent == 1 else ("come", "are")
        where = f"{comes} last" if curator.uncovered == "last" else f"{is_out} left out"
        said.append(f"No function says anything about {counted(silent, 'sample')}, which {where}.")
    if getattr(curator, "curve_", None) is None:
        said.append("No model was tried along the order (`evaluate`).")
    return said


def _results(curator: NaturalAdversarialCurator, names: list[str]) -> list[tuple[str, list[Html]]]:
    votes, labels = curator.n_votes_, curator.labels_
    sets = pd.DataFrame(
        [
            {
                "dataset": i,
                "n_rows": len(rows),
                "lower_bound": float(curator.lower_bound_[rows].min()),
                "confidence": float(curator.confidence_[rows].mean()),
                "n_votes": float(votes[rows].mean()),
                "silent": float((votes[rows] == 0).mean()),
            }
            for i, rows in enumerate(curator.datasets_, start=1)
        ]
    )
    ordering = getattr(curator, "_ordering", None)
    if ordering is not None:
        sets = sets.join(ordering[["n_labelled", "accuracy"]])
    held = "Each holds the one before it." if curator.nested else "They share no samples."
    classes = pd.DataFrame(
        [
            {
                "label": str(label),
                "n_rows": int((labels == label).sum()),
                "share": float((labels == label).mean()),
                "confidence": (
                    float(curator.confidence_[labels == label].mean())
                    if (labels == label).any()
                    else np.nan
                ),
            }
            for label in curator.classes_
        ]
    )
    results = [("The sets", [table(sets, _SETS, f"Sets of samples that grow harder. {held}")])]
    curve = getattr(curator, "curve_", None)
    if curve is not None:
        for name in ("agreement", "accuracy"):
            if name in curve:
                pairs = zip(curve[f"{name}_low"], curve[f"{name}_high"], strict=True)
                texts = [interval(low, high, "percent") for low, high in pairs]
                curve = curve.assign(**{f"{name}_interval": texts})
        results.append(("A model along the order", [table(curve, _CURVE, "A model, set by set.")]))
    results.append(("Weak labels", [table(classes, _CLASSES, "Labels that the votes lead to.")]))
    kept = _kept(curator, len(names))
    functions = pd.DataFrame({"name": names, "kept": kept})
    known = getattr(curator, "_functions", None)
    coverage = getattr(curator.selector_, "coverage_", None)
    if known is not None and len(known) == len(names):
        # accuracy only where true labels were given
        shown = [n for n in ("coverage", "conflicts", "accuracy") if n in known]
        functions = functions.join(known[shown].dropna(axis="columns", how="all"))
    elif coverage is not None and len(coverage) == len(names):
        functions["coverage"] = coverage
    caption = "Rules of thumb whose votes were given."
    results.append(("Labeling functions", [table(functions, _FUNCTIONS, caption)]))
    return results


def _kept(curator: NaturalAdversarialCurator, n: int) -> np.ndarray:
    """Which functions the selector kept; all where it does not say."""
    support = getattr(curator.selector_, "support_", None)
    return np.ones(n, dtype=bool) if support is None or len(support) != n else np.asarray(support)


def _pictures(curator: NaturalAdversarialCurator) -> list[Picture]:
    display = AdversarialOrderDisplay.from_curator(curator)
    pictures = [
        Picture(
            "The lower bound of the confidence of each sample, along the order: where it is low, "
            "samples are hard.",
            "A falling line of the lower bound along the order; the table of sets has numbers.",
            partial(display.plot, "bounds"),
        )
    ]
    if getattr(curator, "curve_", None) is not None:
        pictures.append(
            Picture(
                "A model along sets that grow harder, with 90 % bands.",
                "Lines of agreement or accuracy by set; the table has the numbers.",
                partial(display.plot, "curves"),
                (6.5, 4.5),
            )
        )
    return pictures


def _limits(curator: NaturalAdversarialCurator, names: list[str]) -> list[str]:
    limits = [
        "Labels are weak: they come from rules of thumb, not from anybody who looked.",
        "Whether the order is right cannot be known without true labels of some samples, and is "
        "not on this page (`score_ordering`)."
        if getattr(curator, "_ordering", None) is None
        else "Whether the order is right was seen on the samples whose true label is known; it "
        "holds for the others if these are a random part of all.",
        "The order says what is hard for these rules of thumb. A model that sees what they do not "
        "look at may find other samples hard.",
        "Bounds take the rules of thumb for independent. Where they copy one another the bounds "
        "are too high.",
    ]
    if curator.nested:
        limits.append("Sets share samples, so that differences between them are not independent.")
    silent = int((curator.n_votes_ == 0).sum())
    if silent:
        limits.append(f"Nothing is known of {counted(silent, 'sample')}: no function votes there.")
    against = getattr(curator, "n_contradicted_", 0)
    if against:
        limits.append(
            f"Of {counted(against, 'sample')} all votes agree, and the label is another: some "
            "labeling functions depend on one another or are worse than chance, or the shares of "
            "the classes that the label model assumes do not fit."
        )
    left = int((~_kept(curator, len(names))).sum())
    if left:
        limits.append(
            f"{left:,} of {len(names):,} labeling functions were left out as repetitions."
        )
    empty = [str(label) for label in curator.classes_ if not (curator.labels_ == label).any()]
    if empty:
        limits.append(f"No sample has the weak label {', '.join(f'`{name}`' for name in empty)}.")
    if getattr(curator, "curve_", None) is None:
        limits.append("No model was tried along the order (`evaluate`).")
    limits.append("Samples themselves are not on this page; `order_` and `datasets_` name them.")
    return limits
