"""Stage fairness."""
