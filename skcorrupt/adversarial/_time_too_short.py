"""A limit of time within which nothing can be found."""


class TimeTooShort(ValueError):
    """`max_time` was over before a candidate was scored.

    Parameters
    ----------
    message : str
        What is said.
    needed : float
        Seconds that would do.
    """

    def __init__(self, message: str, needed: float) -> None:
        super().__init__(message, needed)
        self.needed = needed

    def __str__(self) -> str:
        return str(self.args[0])
