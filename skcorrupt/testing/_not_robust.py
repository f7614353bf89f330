"""What `assert_robust` raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skcorrupt.adversarial import AdversarialCorruptionSearch


class NotRobust(AssertionError):
    """The worst error costs more than is allowed.

    Parameters
    ----------
    message : str
        What was found.
    search : AdversarialCorruptionSearch
        The fitted search, of which a page can be written.
    """

    def __init__(self, message: str, search: AdversarialCorruptionSearch) -> None:
        super().__init__(message)
        self.search = search
