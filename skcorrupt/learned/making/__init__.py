"""Errors as they were seen, made in other data."""
