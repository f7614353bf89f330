"""What is raised where work cannot go to another process."""


class UnpicklableError(TypeError):
    """Something cannot go to another process, which no data can mend."""
