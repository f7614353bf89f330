"""The command of the benchmarks, `python -m benchmarks NAME`."""

from __future__ import annotations

import argparse
import sys

from benchmarks._data import DataNotFoundError
from benchmarks._hashes import DataDiffersError
from benchmarks._results import MODULES, module_of, page_of, render, saved

# named here so that nothing is imported for a benchmark that is not run
PAPERS = ("savage", "esp", "curation", "fairness", "responsiveness")
PEERS = ("injection", "search", "labels", "recourse", "fairness", "growth")
SERVED = ("speed", "sets", "rows", "month", "single", "memory", "watched")
HARDENING = (
    *("served", "each", "folds", "looked", "hidden", "further", "in_order", "best"),
    *("trained", "effort", "causes", "weights"),
)
CLEANING = ("missing", "labels", "selection")
USAGE = f"""\
NAME is one of {", ".join(MODULES)}; or

  peers [{"|".join(PEERS)} ...]
      some sections alone
  served [{"|".join(SERVED)} ...]
      the same
  hardening [{"|".join(HARDENING)} ...]
      the same
  cleaning [{"|".join(CLEANING)} ...]
      the same
  replicate [{"|".join(PAPERS)}|all] [--saved|--fresh]
      every printed number beside ours, from saved results or new ones
  all
      all of them, and replicate, which takes what they saved
  render
      saved results into the pages beside them
"""


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
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [*MODULES, "replicate", "all", "render"]
    parser.add_argument("name", choices=names, metavar="NAME", help="what to run")
    parser.add_argument(
        "parts", nargs="*", help="of `replicate`, a paper or all; of `peers`, some sections"
    )
    parser.add_argument("--quick", action="store_true", help="a short run that shows it works")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--saved", action="store_true", help="`replicate` without running anything")
    how.add_argument("--fresh", action="store_true", help="`replicate`, saved results or not")
    options = parser.parse_args(arguments)
    sections = {"replicate": (*PAPERS, "all"), "peers": PEERS, "served": SERVED}
    sections |= {"hardening": HARDENING, "cleaning": CLEANING}
    known = sections.get(options.name, ())
    unknown = [part for part in options.parts if part not in known]
    if unknown:
        allowed = f"some of {', '.join(known)}" if known else "nothing but its options"
        parser.error(f"{options.name} takes {allowed}, not {', '.join(unknown)}.")
    if options.name == "replicate":
        papers = PAPERS if not options.parts or "all" in options.parts else options.parts
        module_of("replication").run(papers, fresh=options.fresh, saved_only=options.saved)
        return 0
    if options.saved or options.fresh:
        parser.error(f"{options.name} takes no --saved or --fresh; replicate does.")
    if options.name == "render":
        render_all()
        return 0
    for name in MODULES if options.name == "all" else [options.name]:
        sections = {"sections": options.parts} if options.parts else {}
        try:
            module_of(name).run(quick=options.quick, **sections)
        except (DataNotFoundError, DataDiffersError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
    # a short run saves elsewhere, so that there would be nothing new to judge
    if options.name == "all" and not options.quick:
        module_of("replication").run(PAPERS)
    return 0


def render_all() -> None:
    """Put the saved full results into the pages of their folders."""
    for name in MODULES:
        render(saved_tables(name), page_of(name))


def saved_tables(name: str) -> dict[str, str]:
    """Tables of a benchmark's saved full results.

    Parameters
    ----------
    name : str
        A key of `MODULES`.

    Returns
    -------
    dict of str to str
        Markdown by name, empty where nothing is saved.
    """
    content = saved(name)
    return {} if content is None else module_of(name).tables(content)


if __name__ == "__main__":
    sys.exit(main())
