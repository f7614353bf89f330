"""A callback's wish as an interrupt from the keyboard."""


class Stopped(KeyboardInterrupt):
    """A callback asked for an end."""
