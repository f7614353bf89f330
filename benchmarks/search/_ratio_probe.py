"""One measurement in the checkout that it is run in, this one or an old one.

It is a script, `python _ratio_probe.py WHAT DATA ERROR`, run in the folder of a checkout, as
nothing but the interpreter is the same in both. It prints a line of JSON.
"""

import gc
import json
import os
import resource
import sys
import time

sys.path[0] = os.getcwd()
IS_OLD = not os.path.isdir(os.path.join("benchmarks", "search"))
if IS_OLD:
    from benchmarks import _search_speed as speed
    from benchmarks._data import load_adult
    from benchmarks._search_data import load_wide_adult
    from benchmarks.adult import estimator_for
else:
    from benchmarks._data import load_adult
    from benchmarks.replication.savage.adult import estimator_for
    from benchmarks.search import _speed as speed
    from benchmarks.search._data import load_wide_adult

TREES = 512


def main(what, data, error):
    """Measure one thing."""
    if what == "million":
        row = speed.million_run(error, int(data))
        return {"seconds": row["processor_seconds"], "gigabytes": row["gigabytes"]}
    if what.startswith("curve"):
        spent = [] if IS_OLD else _spent_on_more()
        search, clock, _ = speed._curve_search(
            estimator_for("mean"), speed.BUDGETS, speed.FINE_BINS, load_adult()
        )
        more = sum(spent) if what == "curve, what both do" else 0.0
        return {"seconds": clock.processor - more, "worst": float(search.worst_score_)}
    table = load_adult() if data == "8" else load_wide_adult()
    pipeline = estimator_for(speed._strategy(error)) if data == "8" else speed._wide_pipeline()
    screen, run, tree = _screens(pipeline, error, table)
    # what imports left behind is collected by chance in one or the other
    gc.collect()
    started = time.process_time()
    found = run()
    seconds, n = time.process_time() - started, screen.coverage.n_distinct
    if what == "tree":
        stand_in = tree()
        started = time.process_time()
        n = len(stand_in.rescore(found, TREES, polish=True).scores)
        seconds = time.process_time() - started
    return {"seconds": seconds, "n": n, "least": float(found.scores[0])}


def _spent_on_more():
    """Processor seconds, once there are any, of the phases that the old search has not."""
    from skcorrupt import AdversarialCorruptionSearch
    from skcorrupt.adversarial import _run
    from skcorrupt.adversarial.strategies._search import Search

    spent = []

    def timed(phase):
        def run(*args):
            started = time.process_time()
            try:
                return phase(*args)
            finally:
                spent.append(time.process_time() - started)

        return run

    whole = AdversarialCorruptionSearch.fit

    def fit(*args, **kwargs):
        # what ran before the fit that is timed is not in its seconds
        spent.clear()
        return whole(*args, **kwargs)

    AdversarialCorruptionSearch.fit = fit
    # the worst refined at full resolution and drawn again, and the worst of every class of patterns
    Search._refine_and_settle = timed(Search._refine_and_settle)
    _run._find_alternatives = timed(_run._find_alternatives)
    return spent


def _screens(pipeline, error, table):
    if IS_OLD:
        screen, proxied = speed.screening_of(pipeline, error, table)
        beam = proxied.beam
        return (
            screen,
            lambda: screen.run(beam.allowed, beam.required, 3),
            lambda: proxied._screening("tree", proxied.groups, proxied.spaces[0], proxied.kind),
        )
    screen = speed.screening_of(pipeline, error, table)
    return screen, screen.run, lambda: speed.tree_screen(screen)


if __name__ == "__main__":
    result = main(*sys.argv[1:])
    result["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps(result))
