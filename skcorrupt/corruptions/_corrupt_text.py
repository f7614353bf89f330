"""Errors in texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.utils import Tags

from skcorrupt.base import FeatureCorruption, Mechanism, Struck
from skcorrupt.base._struck import unhashable
from skcorrupt.patterns._pattern import PatternLike
from skcorrupt.utils import Coded, Table
from skcorrupt.utils._compat import StrOptions
from skcorrupt.utils._typing import ColumnLabels, RandomState, Sampling, When

from ._slips import PLACE, SLIPS, Slips, replacing, within_template

TextKind = Literal[
    "typo", "ocr", "case", "whitespace", "truncate", "abbreviate", "mojibake", "accent", "order",
    "extra", "replace",
]  # fmt: skip


class CorruptText(FeatureCorruption):
    """Misspell texts, misread, cut, shorten or wrap them, spoil their case, spaces or encoding.

    Every struck text becomes another one, by one slip.

    Parameters
    ----------
    columns : label, list of labels or None, default=None
        Columns to strike; None is all of texts and categories.
    kind : {"typo", "ocr", "case", "whitespace", "truncate", "abbreviate", "mojibake", "accent", \
"order", "extra", "replace"}, default="typo"
        "typo": at one of its characters a neighbour on the keyboard stands in its place or slips
        in behind it, or it is left out, changes places with the next, or is doubled. "ocr": what
        scanners take for one another, such as 0 and O, 1, l and I, 5 and S, rn and m, cl and d.
        "case": all capitals, all small, or both exchanged. "whitespace": a space before or behind
        it, a space within doubled, or one that does not break. "truncate": only its beginning is
        left. "abbreviate": the first letters of a word, or of all words, with a point. "mojibake":
        UTF-8 read as Latin-1 or as Windows' code page 1252. "accent": a letter loses its accent, or
        a vowel gets one. "order": two words side by side change places. "extra": the text stands in
        `template`. "replace": all places of one of the parts that `replace` has become what it
        says.
    template : str, default="{value} (?)"
        What `kind="extra"` makes of a text, which stands for {value}.
    replace : dict of str to str or None, default=None
        With `kind="replace"` what becomes of parts of texts, such as {"ß": "ss"}.
    pattern : Pattern, str, dict or None, default=None
        Rows that can be struck; None is every row.
    mechanism : MAR, MNAR or None, default=None
        What makes rows more likely to be struck; None is completely at random.
    rate : float in [0, 1] or None, default=None
        Share of the matched rows that is struck; None is 0.1.
    sampling : {"uniform", "normal", "exponential"}, default="uniform"
        Where in the order of rows errors gather: nowhere, around the middle, or at the beginning.
    same_rows : bool, default=True
        Whether several columns are struck on the same rows.
    when : {"fit", "always"}, default="fit"
        Corrupt in `fit_transform` only, or in every `transform`.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the draw.

    Attributes
    ----------
    record_ : CorruptionRecord
        What the last `fit_transform` changed.

    Notes
    -----
    Cells that have no such slip stay and do not count among the rows that match: missing and empty
    ones, those that are no text, texts without a character that is misread, without letters, of
    one character to be cut, without a word of three letters to be shortened, of one word to be put
    in another order, without what is replaced, or of ASCII characters only, which all encodings
    share. A pandas categorical gains the new texts as categories; a
    polars one becomes a string column.

    Examples
    --------
    >>> import pandas as pd
    >>> from skcorrupt import CorruptText
    >>> X = pd.DataFrame({"city": ["Köln", "Rome"]})
    >>> CorruptText(kind="mojibake", rate=1.0, random_state=0).fit_transform(X)["city"].tolist()
    ['KÃ¶ln', 'Rome']
    """

    short_name = "text"
    title = "errors in texts"
    _kinds = ("text",)

    _parameter_constraints: dict[str, Any] = {
        **FeatureCorruption._parameter_constraints,
        "kind": [StrOptions({*SLIPS, "extra", "replace"})],
        "template": [str],
        "replace": [dict, None],
    }

    def __init__(
        self,
        columns: ColumnLabels | None = None,
        *,
        kind: TextKind = "typo",
        template: str = "{value} (?)",
        replace: Mapping[str, str] | None = None,
        pattern: PatternLike = None,
        mechanism: Mechanism | None = None,
        rate: float | None = None,
        sampling: Sampling = "uniform",
        same_rows: bool = True,
        when: When = "fit",
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            columns,
            pattern=pattern,
            mechanism=mechanism,
            rate=rate,
            sampling=sampling,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )
        self.kind = kind
        self.template = template
        self.replace = replace

    def _check_params(self) -> None:
        super()._check_params()
        if self.kind == "extra" and (self.template.count(PLACE) != 1 or self.template == PLACE):
            raise ValueError(
                f"template={self.template!r} should have {PLACE} once, where the text stands, and "
                "something else, such as 'approx. {value}'."
            )
        replace = self.replace or {}
        texts = all(isinstance(each, str) for pair in replace.items() for each in pair)
        if self.kind == "replace" and not (replace and texts and "" not in replace):
            raise ValueError(
                f"replace={self.replace!r} should have texts to be replaced, none of them empty, "
                "with texts in their place, such as {'ß': 'ss'}."
            )

    @property
    def _draws_values(self) -> bool:  # type: ignore[override]
        return self.kind != "extra"

    @property
    def _slips(self) -> Slips:
        if self.kind == "extra":
            return within_template(self.template)
        return replacing(self.replace or {}) if self.kind == "replace" else SLIPS[self.kind]

    def _phrase(self, columns: Sequence[Any], target: Any) -> str:
        return self._in_columns(_PHRASES[self.kind], columns)

    def _can_change(self, table: Table, column: int) -> np.ndarray:
        try:
            codes, distinct = table.coded(column, np.arange(table.n_rows))
        except TypeError:
            raise ValueError(unhashable(table.labels[column])) from None
        return np.append(self._counts(distinct) > 0, False)[codes]

    def _counts(self, distinct: np.ndarray) -> np.ndarray:
        """How many slips each value can have."""
        count = self._slips.count
        each = [count(value) if isinstance(value, str) else 0 for value in distinct]
        return np.array(each, dtype=np.int64)

    def _new_values(self, struck: Struck) -> Any:
        codes, distinct = struck.coded
        counts = np.append(self._counts(distinct), 0)[codes]
        picks = struck.draws.integers(counts)
        # equal texts with equal slips are made once
        width = int(counts.max(initial=0)) or 1
        keys = np.where(counts == 0, -1, codes * width + picks)
        keys, new = np.unique(keys, return_inverse=True)
        make = self._slips.make
        texts = [make(distinct[key // width], key % width) for key in keys.tolist() if key >= 0]
        values = np.empty(len(texts), dtype=object)
        values[:] = texts
        return Coded(new - int(keys[0] < 0), values)

    def _simulated_values(self, kind: str, numbers: np.ndarray, std: float) -> Literal["unseen"]:
        return "unseen"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


_PHRASES = {
    "typo": "Misspelling texts",
    "ocr": "Misreading texts",
    "case": "Texts in another case",
    "whitespace": "White space",
    "truncate": "Cutting texts",
    "abbreviate": "Shortening texts",
    "mojibake": "Texts in another encoding",
    "accent": "Wrong accents",
    "order": "Words in another order",
    "extra": "Additions to texts",
    "replace": "Replaced parts of texts",
}
