"""Pipelines made to stand errors better, and what is left of the harm."""
