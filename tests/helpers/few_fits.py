"""Searches of fewer fits around the search itself."""


def draws_many(item):
    """Whether a test is about what draws decide; other slow ones are so for their time alone."""
    markers = {marker.name for marker in item.iter_markers()}
    return "slow" in markers and not markers & {"long", "many"}


def make_few_fits(monkeypatch, *, few_draws=True):
    """Draw random errors and noisy leaders less often, and do not try what defaults leave out.

    A process is climbed from one place, and once. Scores teach twice what to score next, and two
    of the worst are refined, as on tables of very many rows. Without `few_draws`, leaders are
    drawn until it is clear which is the worst, if in small steps.
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
    make_few_draws(monkeypatch)
    if not few_draws:
        monkeypatch.setattr(_settling, "SHARE", 0.25)
        monkeypatch.setattr(_settling, "MOST", 16)
    for name in ("LEAST_ROUNDS", "MOST_ROUNDS", "MOST_LEADERS"):
        monkeypatch.setattr(_workload, name, 2)
    for name in ("STARTS", "PAIRED", "ROUNDS"):
        monkeypatch.setattr(_process_climb, name, 1)
    monkeypatch.setattr(_alternatives.Alternatives, "relax", lambda self: None)


def make_few_draws(monkeypatch):
    """Draw a leader whose score depends on draws twice, and no others for its sake."""
    from skcorrupt.adversarial.strategies import _settling

    for name in ("SHARE", "LEAST"):
        monkeypatch.setattr(_settling, name, 0)
    for name in ("FIRST", "MOST"):
        monkeypatch.setattr(_settling, name, 2)
    monkeypatch.setattr(_settling, "AT_ONCE", 1)
