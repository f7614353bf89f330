"""The error of a person who is left without points."""


class NoPointsError(ValueError):
    """No point of one person can be drawn, whatever holds for others."""
