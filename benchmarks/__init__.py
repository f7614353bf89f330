"""Benchmarks of skcorrupt: `python -m benchmarks adult|optimizers|core-speed|all [--quick]`."""
