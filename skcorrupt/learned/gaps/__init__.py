"""Where cells of a table are missing, and what explains it."""
