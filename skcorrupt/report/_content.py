"""What a page says, whatever it looks like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from skcorrupt.utils._typing import ColumnLike

from ._html import Html
from ._settings import shown


@dataclass(frozen=True)
class Picture:
    """A picture, drawn when the page is written.

    Attributes
    ----------
    caption : str
        What it shows, below it.
    alt : str
        What can be seen in it, for those who cannot see it.
    draw : callable
        Draws on the axes that it is given.
    size : (float, float)
        Width and height in inches.
    optional : bool
        Whether it is left out without a word where there is nothing to draw, a ValueError.
    hints : bool
        Whether a mouse that rests on a point or bar is told its row and number; not where these
        may be few people's.
    """

    caption: str
    alt: str
    draw: Callable[[Any], Any]
    size: tuple[float, float] = (6.5, 3.6)
    optional: bool = False
    hints: bool = True


@dataclass(frozen=True)
class Asked:
    """What the user wants on the page.

    Attributes
    ----------
    labels : dict of label to str
        What labels mean.
    by : str, array-like or None
        Groups of people.
    command : str
        The command line that ran, "" where none did.
    source : str
        What is known of the file that the command read, as a sentence.
    """

    labels: dict[Any, str] = field(default_factory=dict)
    by: str | ColumnLike | None = None
    command: str = ""
    source: str = ""

    def label(self, value: Any) -> str:
        """A label as readers know it."""
        known = {str(label): text for label, text in self.labels.items()}
        return known.get(str(value), f"the prediction `{shown(value)}`")

    def legend(self) -> list[str]:
        """What labels mean, as a sentence, none where nothing was said."""
        means = ", ".join(f"`{label}` is {text}" for label, text in self.labels.items())
        return [f"What labels mean: {means}."] if means else []


@dataclass(frozen=True)
class Data:
    """The data, without a row of it.

    Attributes
    ----------
    rows : int or None
        Number of rows, None where it was not kept.
    columns : list of str
        Names.
    container : str
        What it came in, "" where that was not kept.
    row, column : str
        What a row and a column are.
    notes : list of str
        What else there is to say.
    """

    rows: int | None
    columns: list[str]
    container: str = ""
    row: str = "rows"
    column: str = "columns"
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Repeat:
    """How the run is repeated.

    Attributes
    ----------
    variable : str
        Name of the fitted object in the code.
    fit : str
        The call of `fit`; "" where a function makes the result.
    after : list of str
        Further lines.
    given : dict of str to str
        Parameters that cannot be written as code, and what they were.
    before : list of str
        Lines that make what parameters are.
    needs : dict of str to str
        Names in these lines, and the modules they are imported from.
    """

    variable: str
    fit: str = "fit(X, y)"
    after: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    needs: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Glance:
    """What a reader who does not go on should know.

    Attributes
    ----------
    wrong : str
        What could go wrong.
    bad : str
        How bad it is.
    sure : str
        How sure that is.
    do : str
        What to do.
    harm : {0, 1, 2}
        0 where no harm was found, 1 where there may be some, 2 where it was shown. Pages of several
        studies begin with the worst.
    """

    wrong: str
    bad: str
    sure: str
    do: str
    harm: int

    def parts(self) -> dict[str, str]:
        """The four, by the question that each answers."""
        asked = ("What could go wrong", "How bad", "How sure", "What to do")
        return dict(zip(asked, (self.wrong, self.bad, self.sure, self.do), strict=True))


@dataclass(frozen=True)
class Content:
    """All that is particular to one system.

    Attributes
    ----------
    heading : str
        Title of the page, where the user gives none.
    glance : Glance
        The first that is read.
    question : str
        What was asked, in a sentence.
    answer : list of str
        What was found, in sentences.
    results : list of (str, list of Html)
        Headings and what stands below them.
    pictures : list of Picture
        The pictures.
    limits : list of str
        What was not searched, and what the page does not show.
    data : Data
        The data.
    seed : int or None
        The seed that all draws came from, None where it was not kept.
    repeat : Repeat
        How it is repeated.
    no_pictures : str
        Why there is no picture, where there is none.
    seed_note : str
        What is to be known of the seed, where the result is the same for every seed.
    settings : Html or None
        The settings, None for those of an estimator.
    code : str or None
        The code that repeats it, None for the call of an estimator.
    """

    heading: str
    glance: Glance
    question: str
    answer: list[str]
    results: list[tuple[str, list[Html]]]
    pictures: list[Picture]
    limits: list[str]
    data: Data
    seed: int | None
    repeat: Repeat
    no_pictures: str = ""
    seed_note: str = ""
    settings: Html | None = None
    code: str | None = None
