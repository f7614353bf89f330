"""A made-up cohort with the columns of the paper's table 5, and what people can do there.

Nobody in it is real, and no rate is taken from real people: it shows how such an audit is set up.
Time served is that of earlier sentences, so that a cleared history looks like that of people who
never had one.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from skcorrupt.responsiveness import ActionSet, LinearEffect, Reachability

ARRESTS = ("prior_arrests=1", "prior_arrests>=2", "prior_arrests>=5")
# what is cleared with the arrests: eight columns that follow three make 24 linkages
HISTORY = (
    "time_served<=1_year",
    "time_served>1_year",
    "time_served>2_years",
    "time_served>5_years",
    "prior_arrests_for_misdemeanor",
    "prior_arrests_for_felony",
    "prior_arrests_for_general_violence",
    "any_prior_prb_or_fine",
)
PROGRAMMES = ("edu_program_participation", "voc_program_participation")
SUBSTANCES = ("drug", "alcohol")
YOUNGEST, OLDEST = 17.3, 83.9
AGE_EDGES = (16, 19, 23, 27, 30, 35, 40, 45)
AGE_GROUPS = ("up to 18", "19–29", "30 and over")


def synthetic_cohort(
    n: int = 6000, random_state: int = 0
) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """People released from prison, all made up.

    Recorded arrests grow with age and an unseen conduct, and are more for non-white people of the
    same conduct; so is rearrest, which depends on age, conduct, record, abuse and programmes.

    Parameters
    ----------
    n : int, default=6000
        Number of people.
    random_state : int, default=0
        Seed.

    Returns
    -------
    X : DataFrame of shape (n, 20)
        The columns of table 5, in its order.
    y : Series of shape (n,)
        1 for those arrested again within three years, about half.
    race : Series of shape (n,)
        "white" or "non-white", which is no feature.
    """
    rng = np.random.default_rng(random_state)
    policed = rng.random(n) < 0.55
    female = rng.random(n) < 0.1
    conduct = rng.gamma(1.5, 1 / 1.5, n)
    age = np.clip(YOUNGEST + rng.gamma(1.8, 7.5, n), YOUNGEST, OLDEST).round(1)
    arrests = rng.poisson(0.11 * (age - 14) * conduct * np.where(policed, 1.4, 0.9))
    served = np.where(arrests > 0, rng.gamma(1.2, 0.7 + 0.25 * np.minimum(arrests, 12), n), 0.0)

    def ever(chance: float) -> np.ndarray:
        """Whether it was so for one arrest or more."""
        return rng.random(n) > (1 - chance) ** arrests

    def some(chance: float | np.ndarray) -> np.ndarray:
        return rng.random(n) < chance

    felony = ever(0.35)
    drugs, alcohol = some(np.minimum(0.25 + 0.25 * conduct, 0.9)), some(0.35)
    columns = {
        "prior_arrests=1": arrests == 1,
        "prior_arrests>=2": arrests >= 2,
        "prior_arrests>=5": arrests >= 5,
        "no_prior_arrests": arrests == 0,
        "time_served<=1_year": (arrests > 0) & (served <= 1),
        "time_served>1_year": served > 1,
        "time_served>2_years": served > 2,
        "time_served>5_years": served > 5,
        # an arrest is for a misdemeanor if it is for no felony
        "prior_arrests_for_misdemeanor": ever(0.5) | ((arrests > 0) & ~felony),
        "prior_arrests_for_felony": felony,
        "prior_arrests_for_general_violence": ever(0.15),
        "any_prior_prb_or_fine": ever(0.4),
        "drug_abuser": drugs,
        "drug_treatment": drugs & some(0.3),
        "alcohol_abuser": alcohol,
        "alcohol_treatment": alcohol & some(0.3),
        "edu_program_participation": some(0.3),
        "voc_program_participation": some(0.25),
    }
    X = pd.DataFrame({name: values.astype(int) for name, values in columns.items()})
    X["age_at_release"], X["female"] = age, female.astype(int)
    treated = X["drug_treatment"] + X["alcohol_treatment"] + X[list(PROGRAMMES)].sum(axis=1)
    risk = (
        0.7 * conduct
        + 0.4 * np.log1p(arrests)
        - 0.1 * np.minimum(age - 30, 15)
        + 0.6 * (drugs.astype(int) + alcohol)
        - 0.2 * treated
        - 0.5 * female
        + 0.3 * policed
    )
    chance = 1 / (1 + np.exp(np.median(risk) - risk))
    y = pd.Series(some(chance.to_numpy()).astype(int), name="rearrested")
    return X, y, pd.Series(np.where(policed, "non-white", "white"), name="race")


def recidivism_actions(
    X: pd.DataFrame, *, linkages: bool = True, reachability: bool = True
) -> ActionSet:
    """The intervention model of appendix C.1.2, for the columns that X has.

    People can take part in programmes, be treated for what they abuse, and have their record
    cleared as a whole, which takes along all that table 5 links to it. A linkage changes a column
    by as much as the arrests change, within 0 and 1: as printed, without these bounds, it would
    let nobody clear anything, because nobody has served both up to a year and more.

    Parameters
    ----------
    X : DataFrame
        The people.
    linkages : bool, default=True
        Whether the history follows the arrests.
    reachability : bool, default=True
        Whether a record is cleared as a whole only, and treatment is for those who abuse.

    Returns
    -------
    ActionSet
        Seven columns to act on, and the indicator of no arrests, which follows them.
    """
    treatments = [f"{name}_treatment" for name in SUBSTANCES]
    more = [name for name in (*treatments, *PROGRAMMES) if name in X]
    indicator = ["no_prior_arrests"] if reachability else []
    actions = ActionSet.from_data(X, actionable=[*ARRESTS, *indicator, *more], rules=())
    for name in ARRESTS:
        actions[name].direction = "decrease"
    for name in (*indicator, *more):
        actions[name].direction = "increase"
    if reachability:
        cleared = np.eye(4, dtype=int)
        cleared[:, 0] = 1
        records = [[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0]]
        actions.add(Reachability([*ARRESTS, "no_prior_arrests"], records, cleared))
        for name in SUBSTANCES:
            if f"{name}_abuser" in X and f"{name}_treatment" in X:
                states = [[0, 0], [1, 0], [1, 1], [0, 1]]
                treated = np.eye(4, dtype=int)
                treated[1, 2] = 1
                actions.add(Reachability([f"{name}_abuser", f"{name}_treatment"], states, treated))
    if linkages:
        for name in HISTORY:
            actions.add(LinearEffect(name, dict.fromkeys(ARRESTS, 1.0)))
    return actions


def age_bins(X: pd.DataFrame) -> np.ndarray:
    """Indicators of the nine ages of appendix C.1.1, shape (n, 9)."""
    position = np.digitize(X["age_at_release"].to_numpy(), AGE_EDGES)
    return (position[:, np.newaxis] == np.arange(len(AGE_EDGES) + 1)).astype(float)


def age_groups(X: pd.DataFrame) -> np.ndarray:
    """The age group of the paper's figure 2 that each person is in."""
    position = np.digitize(X["age_at_release"].to_numpy(), (19, 30))
    return np.asarray(AGE_GROUPS, dtype=object)[position]
