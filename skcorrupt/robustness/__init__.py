"""Compare, choose and harden pipelines by their worst case."""
