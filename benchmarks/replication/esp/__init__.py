"""The error sensitivity profile."""
