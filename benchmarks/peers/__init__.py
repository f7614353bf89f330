"""The same work by other packages."""
