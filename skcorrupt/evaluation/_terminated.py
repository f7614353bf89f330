"""SIGTERM as an interrupt from the keyboard."""


class Terminated(KeyboardInterrupt):
    """Somebody asked the process to end, as `kill` and batch systems do."""
