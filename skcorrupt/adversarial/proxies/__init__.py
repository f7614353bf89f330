"""Stand-ins for a pipeline, on which thousands of candidates can be screened."""

from ._fewer_rows import on_fewer_rows
from ._linear_proxy import LinearProxy
from ._proxy import Proxy
from ._proxy_choice import LEAST_AGREEMENT, agreement_of, judged_of, preferred
from ._proxy_groups import Groups, coded_columns, make_groups
from ._proxy_score import ProxyScore, ScorerRefuses, known_metric
from ._screen import CONVERGED, MOST_VISITS, Found, Screen
from ._screened import Screened
from ._shrunken import shrunken
from ._stand_ins import CLOSER_ROWS, PROXIES, SCREENED_ROWS, Judged, StandIns
from ._struck_groups import StruckGroups
from ._tree_proxy import TreeProxy

__all__ = [
    "CLOSER_ROWS",
    "CONVERGED",
    "LEAST_AGREEMENT",
    "MOST_VISITS",
    "PROXIES",
    "SCREENED_ROWS",
    "Found",
    "Groups",
    "Judged",
    "LinearProxy",
    "Proxy",
    "ProxyScore",
    "ScorerRefuses",
    "Screen",
    "Screened",
    "StandIns",
    "StruckGroups",
    "TreeProxy",
    "agreement_of",
    "coded_columns",
    "judged_of",
    "known_metric",
    "make_groups",
    "on_fewer_rows",
    "preferred",
    "shrunken",
]
