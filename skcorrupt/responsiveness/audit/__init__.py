"""Audit: predictions of reachable points, tests and verdicts, and their picture."""

from . import _in_notebooks as _in_notebooks
from ._audit_to_parquet import audit_to_parquet
from ._responsiveness_auditor import ResponsivenessAuditor
from ._responsiveness_display import ResponsivenessDisplay

__all__ = ["ResponsivenessAuditor", "ResponsivenessDisplay", "audit_to_parquet"]
