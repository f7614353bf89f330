"""Which cells of a dirty table are wrong, and by which kind of error."""
