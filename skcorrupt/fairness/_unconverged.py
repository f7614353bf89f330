"""What does not converge without a stage, told of the stage in place of the model."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sklearn.exceptions import ConvergenceWarning

from skcorrupt.utils import warn

from ._stages import Variant


@contextmanager
def hearing_unconverged() -> Iterator[list[str]]:
    """A block of which warnings that a fit did not converge are kept, and not shown.

    Yields
    ------
    list of str
        The first line of each, once the block has ended.
    """
    found: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        # whoever is told of warnings is the same for all threads
        yield found
        return
    with warnings.catch_warnings(record=True) as heard:
        yield found
    for each in heard:
        if issubclass(each.category, ConvergenceWarning):
            found.append(str(each.message).partition("\n")[0].strip(" .:"))
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def tell_unconverged(variants: Sequence[Variant], heard: Sequence[Sequence[Sequence[str]]]) -> None:
    """Warn once of each stage without which fits do not converge.

    Parameters
    ----------
    variants : sequence of Variant
        What was fitted.
    heard : sequence of sequence of sequence of str
        For every split and variant, what did not converge.
    """
    for k, variant in enumerate(variants):
        said = [mine[k][0] for mine in heard if mine[k]]
        if not said:
            continue
        left_out = variant.estimator is None or isinstance(variant.estimator, str)
        instead = "left out" if left_out else f"replaced by {variant.reference}"
        warn(
            f"With {variant.stage.path} {instead}, a fit does not converge on {len(said)} of "
            f"{len(heard)} splits ({said[0]}), which counts as the stage's own effect; a larger "
            "max_iter of the model may take it away.",
            ConvergenceWarning,
        )
