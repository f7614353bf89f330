"""What a system says that no longer has the data."""


class LeftOutError(ValueError, AttributeError):
    """Rows or a fitted model are asked for that a system was stored without.

    It is an AttributeError too, as scikit-learn's NotFittedError is, so that whoever only looks
    what there is, such as a notebook, sees that it is not there.
    """
