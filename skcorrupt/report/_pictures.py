"""Pictures as parts of the page."""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Sequence
from typing import Any

from skcorrupt.utils._axes import AS_TEXT

from ._content import Picture
from ._hints import hints_of
from ._html import Html, escape, rich, tag

DOTS_PER_INCH = 144


def rendered(pictures: Sequence[Picture]) -> list[Html]:
    """Draw pictures, each within its figure, or say why one is missing.

    Parameters
    ----------
    pictures : sequence of Picture
        What is drawn.

    Returns
    -------
    list of Html
        Figures with captions and texts in their place.
    """
    import matplotlib
    from matplotlib import style
    from matplotlib.figure import Figure

    shown = []
    # the user's style would not suit the page, and names and numbers are as in texts
    with (
        style.context("default"),
        matplotlib.rc_context(AS_TEXT),
        warnings.catch_warnings(),
    ):
        # letters that the font lacks are boxes in the picture, and whole in the tables
        warnings.simplefilter("ignore")
        for picture in pictures:
            try:
                shown.append(_figure(picture, Figure))
            except Exception as error:
                if picture.optional and isinstance(error, ValueError):
                    continue
                # a picture less is better than no page
                said = f"{type(error).__name__}: {error}"
                shown.append(
                    tag(
                        "p",
                        "A picture is missing (",
                        rich(picture.caption),
                        "). It could not be drawn: ",
                        escape(said[:300]),
                    )
                )
    return shown


def _figure(picture: Picture, Figure: Any) -> Html:
    figure = Figure(figsize=picture.size, layout="constrained")
    picture.draw(figure.subplots())
    file = io.BytesIO()
    # the name of the software would be all that differs between two machines
    figure.savefig(file, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    encoded = base64.b64encode(file.getvalue()).decode("ascii")
    image = tag(
        "img",
        src=f"data:image/png;base64,{encoded}",
        alt=picture.alt,
        width=round(96 * picture.size[0]),
    )
    over = hints_of(figure) if picture.hints else []
    return tag(
        "figure", tag("div", image, *over, class_="plot"), tag("figcaption", rich(picture.caption))
    )
