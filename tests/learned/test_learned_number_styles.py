"""Numbers that became texts in the ways in which exports and forms write them."""

import numpy as np
import pandas as pd
import pytest

from skcorrupt.learned import learn_errors

N = 1500
RNG = np.random.default_rng(0)
HALF = RNG.uniform(size=N) < 0.5
TABLE = pd.DataFrame(
    {"amount": RNG.lognormal(9, 1, N).round(2), "shop": RNG.choice(["north", "south"], N)}
)
TABLE.loc[::3, "amount"] = TABLE.loc[::3, "amount"].round()
WRITTEN = {
    "${:,}": "unit",
    "{:,.2f} €": "unit",
    "{:,.2f}": "format",
    "USD {:.2f}": "unit",
    "{}": "format",
}


@pytest.mark.parametrize("form", WRITTEN)
def test_numbers_written_with_signs_are_one_kind_of_error(form: str) -> None:
    struck = (TABLE["shop"] == "south") & HALF
    texts = TABLE["amount"].map(form.format)
    dirty = TABLE.assign(amount=TABLE["amount"].astype(object).mask(struck, texts))
    learned = learn_errors(dirty, TABLE)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["parameters"]["kind"]) == ("type", WRITTEN[form])
    assert row["n_cells"] == struck.sum()
    assert str(row["pattern"]) == "shop == 'south'"
    inside = HALF[TABLE["shop"] == "south"].mean()
    assert row["rate_inside"] == pytest.approx(inside)
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(TABLE, None)
    wrong = made["amount"].map(lambda value: isinstance(value, str))
    assert wrong.sum() == pytest.approx(struck.sum(), rel=0.1)
    assert (made["amount"][wrong].astype(object) == texts[wrong].astype(object)).all()


def test_points_and_commas_that_are_exchanged() -> None:
    texts = TABLE["amount"].map(lambda value: f"{value:,.2f}".translate(str.maketrans(",.", ".,")))
    dirty = TABLE.assign(amount=TABLE["amount"].astype(object).mask(HALF, texts))
    learned = learn_errors(dirty, TABLE)
    [row] = learned.report.to_dict("records")
    assert (row["kind"], row["n_cells"]) == ("type", HALF.sum())
    assert row["pattern"] is None
    made, _ = learned.corruption.set_params(random_state=0).fit_resample(TABLE, None)
    wrong = made["amount"].map(lambda value: isinstance(value, str))
    assert (made["amount"][wrong].astype(object) == texts[wrong].astype(object)).all()
