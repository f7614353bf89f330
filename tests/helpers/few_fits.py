"""Searches of fewer fits around the search itself."""


def make_few_fits(monkeypatch):
    """Draw random errors and noisy leaders less often, and do not try what defaults leave out.

    A process is climbed from one place, and once. Scores teach twice what to score next, and two
    of the worst are refined, as on tables of very many rows.
    """
    from skcorrupt.adversarial import _alternatives, _draws, _run
    from skcorrupt.adversarial.strategies import (
        _process_climb,
        _screening,
        _screening_run,
        _settling,
        _workload,
    )

    for module in (_screening, _screening_run):
        monkeypatch.setattr(module, "JUDGED", 8)
    for module in (_draws, _run):
        monkeypatch.setattr(module, "N_DRAWS", 2)
    monkeypatch.setattr(_settling, "LEAST", 0)
    monkeypatch.setattr(_settling, "FIRST", 2)
    monkeypatch.setattr(_settling, "AT_ONCE", 1)
    for name in ("LEAST_ROUNDS", "MOST_ROUNDS", "MOST_LEADERS"):
        monkeypatch.setattr(_workload, name, 2)
    for name in ("STARTS", "PAIRED", "ROUNDS"):
        monkeypatch.setattr(_process_climb, name, 1)
    monkeypatch.setattr(_alternatives.Alternatives, "relax", lambda self: None)
