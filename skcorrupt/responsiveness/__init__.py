"""Responsiveness: who can, and who cannot, change their prediction."""

from ._sample_sizes import minimum_informative_size, sample_size_for_test, sample_size_for_width

__all__ = ["minimum_informative_size", "sample_size_for_test", "sample_size_for_width"]
