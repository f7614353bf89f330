"""Results as a page that can be handed on."""

from ._write_html import write_html

__all__ = ["write_html"]
