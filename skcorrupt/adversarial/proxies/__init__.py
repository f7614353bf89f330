"""Stand-ins for a pipeline, on which thousands of candidates can be screened."""

from ._fewer_rows import on_fewer_rows
from ._linear_proxy import LinearProxy, Struck
from ._proxy_choice import LEAST_AGREEMENT, Screened, agreement_of, judged_of, preferred
from ._proxy_groups import Groups, make_groups
from ._proxy_score import ProxyScore, ScorerRefuses, known_metric
from ._screen import MOST_VISITS, Found, Screen
from ._shrunken import shrunken
from ._stand_ins import CLOSER_ROWS, SCREENED_ROWS, Judged, ProxyName, StandIns
from ._tree_proxy import TreeProxy

__all__ = [
    "CLOSER_ROWS",
    "LEAST_AGREEMENT",
    "MOST_VISITS",
    "SCREENED_ROWS",
    "Found",
    "Groups",
    "Judged",
    "LinearProxy",
    "ProxyName",
    "ProxyScore",
    "ScorerRefuses",
    "Screen",
    "Screened",
    "StandIns",
    "Struck",
    "TreeProxy",
    "agreement_of",
    "judged_of",
    "known_metric",
    "make_groups",
    "on_fewer_rows",
    "preferred",
    "shrunken",
]
