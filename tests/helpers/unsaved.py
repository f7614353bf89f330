"""Commands that leave no folder, page and pictures, which take longer than small searches."""


def unsaved(argv):
    """The arguments, with --no-save where no folder is named."""
    named = {"--out", "--output"} & set(argv)
    return [*argv] if named else [*argv, "--no-save"]
