"""Audit: predictions of reachable points, tests and verdicts, and their picture."""

from ._responsiveness_auditor import ResponsivenessAuditor
from ._responsiveness_display import ResponsivenessDisplay

__all__ = ["ResponsivenessAuditor", "ResponsivenessDisplay"]
