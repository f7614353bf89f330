"""What models answer for the rows of a part, in few bytes and as JSON holds it."""

from __future__ import annotations

import base64
import re
import zlib
from typing import Any

import numpy as np
import pandas as pd

# different answers of a part up to which they are kept, each as its place among them
MOST_LEVELS = 1 << 12
# bytes of a number that a whole number of as many stands for
LARGEST_NUMBER = 8


def packed(answers: np.ndarray) -> dict[str, Any] | None:
    """Answers such as classes, in a bit or two a row.

    Parameters
    ----------
    answers : ndarray of shape (n_rows, ...)
        An entry for each row.

    Returns
    -------
    dict or None
        None where too many are different, as probabilities are, or it is not numbers or texts.
    """
    flat, dtype = np.ravel(answers), answers.dtype
    texts = dtype.kind in "UO"
    if texts:
        cells = flat.tolist()
        if not all(type(each) is str for each in cells):
            return None
        # pandas loses hold of texts that UTF-8 cannot hold, and takes one for another
        places = {each: k for k, each in enumerate(dict.fromkeys(cells))}
        codes = np.array([places[each] for each in cells], dtype=int)
        levels = np.array(list(places), dtype=object)
    elif dtype.kind in "biuf" and dtype.itemsize <= LARGEST_NUMBER:
        # by their bits, so that no NaN and no sign of zero is lost
        codes, levels = pd.factorize(flat.view(f"u{dtype.itemsize}"))
    else:
        return None
    if len(levels) > MOST_LEVELS:
        return None
    small = codes.astype(np.min_scalar_type(max(len(levels) - 1, 0)))
    return {
        "dtype": dtype.str,
        "shape": [*answers.shape],
        "levels": [str(each) if texts else int(each) for each in levels],
        "codes": base64.b64encode(zlib.compress(small.tobytes())).decode(),
    }


def unpacked(kept: dict[str, Any], n_rows: int) -> np.ndarray:
    """Answers as they were before `packed`.

    Parameters
    ----------
    kept : dict
        What it gave.
    n_rows : int
        Number of rows of the part that were asked about.

    Returns
    -------
    ndarray of shape (n_rows, ...)
        The answers.

    Raises
    ------
    ValueError, TypeError or KeyError
        If it is something else.
    """
    shape, levels = kept["shape"], kept["levels"]
    if not re.fullmatch(r"[|<>]([biuf][1248]|U\d{1,5}|O)", kept["dtype"]):
        raise ValueError("no type of answers that are kept")
    dtype = np.dtype(kept["dtype"])
    wanted = str if dtype.kind in "UO" else int
    n = int(np.prod(shape, dtype=object))
    if shape[:1] != [n_rows] or not all(type(each) is wanted for each in levels):
        raise ValueError("no answers of this part")
    places = np.dtype(np.min_scalar_type(max(len(levels) - 1, 0)))
    n_bytes = n * places.itemsize
    try:
        # what is decompressed may be much larger than what was kept
        found = zlib.decompressobj().decompress(base64.b64decode(kept["codes"]), n_bytes + 1)
    except (zlib.error, OverflowError) as error:
        raise ValueError("places that were never compressed, or too many") from error
    codes = np.frombuffer(found, dtype=places)
    if len(found) != n_bytes or (n and codes.max() >= len(levels)):
        raise ValueError("places beyond the answers that there are")
    if wanted is str:
        values = np.array(levels, dtype=object).astype(dtype)
    elif all(0 <= each < 1 << 8 * dtype.itemsize for each in levels):
        values = np.array(levels, dtype=f"u{dtype.itemsize}").view(dtype)
    else:
        raise ValueError("answers beyond their type")
    return values[codes].reshape(shape)
