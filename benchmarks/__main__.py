"""`python -m benchmarks adult|optimizers|core-speed|responsiveness|all|render [--quick]`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from ._data import DataNotFoundError
from ._results import RESULTS, render

MODULES = {
    "adult": "adult",
    "optimizers": "optimizers",
    "core-speed": "core_speed",
    "responsiveness": "responsiveness",
    "transplant": "transplant",
    "recidivism": "recidivism",
    "twitterbot": "twitterbot",
    "fico": "fico",
    "stage-fairness": "stage_fairness",
    "error-sensitivity": "error_sensitivity",
    "curation": "curation",
}


def main(arguments: list[str] | None = None) -> int:
    """Run benchmarks, or put their saved results into the documentation.

    Parameters
    ----------
    arguments : list of str, default=None
        Arguments of the command line; None takes them from it.

    Returns
    -------
    int
        Exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", choices=[*MODULES, "all", "render"])
    parser.add_argument("--quick", action="store_true", help="a short run that shows it works")
    options = parser.parse_args(arguments)
    if options.name == "render":
        render_all()
        return 0
    for name in MODULES if options.name == "all" else [options.name]:
        try:
            _module(name).run(quick=options.quick)
        except DataNotFoundError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
    return 0


def render_all() -> None:
    """Put the saved full results into docs/benchmarks.md."""
    for name in MODULES:
        path = RESULTS / f"{name}.json"
        if path.is_file():
            render(_module(name).tables(json.loads(path.read_text(encoding="utf-8"))))


def _module(name: str):
    return importlib.import_module(f"{__package__}.{MODULES[name]}")


if __name__ == "__main__":
    sys.exit(main())
