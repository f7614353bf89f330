"""The replication: rules of verdicts, registry, command, page, and hashes of data files."""

import hashlib
import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from benchmarks import _hashes, _results
from benchmarks.__main__ import PAPERS, main
from benchmarks._data import DataNotFoundError, load_adult, load_employee, require_file
from benchmarks._hashes import SHA256, DataDiffersError, coded_hash, require_shape
from benchmarks.replication import _page as _replicate_page, replicate
from benchmarks.replication._headlines import headlines
from benchmarks.replication._left import fewer, reasons
from benchmarks.replication._rows import (
    OURS,
    SHARE,
    VERDICTS,
    Sample,
    Saved,
    closed,
    judged,
    left_out,
    number,
    said,
    tolerance,
    value_of,
)
from benchmarks.replication.curation import _judged as _replicate_curation
from benchmarks.replication.esp import _judged as _replicate_esp
from benchmarks.replication.esp._claims import METRICS, PAIRED, SGD, TOOL, claim_verdict
from benchmarks.replication.fairness import _judged as _replicate_fairness
from benchmarks.replication.fairness._judged_findings import finding_rows
from benchmarks.replication.fairness._printed import PRINTED, runs_behind
from benchmarks.replication.responsiveness import _judged as _replicate_responsiveness
from benchmarks.replication.savage import _judged as _replicate_savage, _judged_cleaning
from benchmarks.replication.savage._judged_budgets import SERIES, SHOWN


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A folder for results and a page, without any."""
    monkeypatch.setattr(_results, "results_in", lambda name: tmp_path / "results")
    monkeypatch.setattr(_replicate_page, "PAGE", tmp_path / "page.md")
    (tmp_path / "results").mkdir()
    return tmp_path


def save(folder, benchmark, **sections):
    environment = {"python": "3", "date": "2000-01-01"}
    content = {"benchmark": benchmark, "environment": environment, "sections": sections}
    (folder / "results" / f"{benchmark}.json").write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("printed", "value", "half"),
    [
        ("0.783", 0.783, 5e-4),
        ("-.985", -0.985, 5e-4),
        ("−0.5", -0.5, 0.05),
        ("402", 402, 0.5),
        ("21,840", 21840, 0.5),
        ("97.9 %", 97.9, 0.05),
        ("0.8 ± 0.15", 0.8, 0.05),
    ],
)
def test_printed_numbers_are_read_with_their_digits(printed, value, half):
    assert value_of(printed) == value
    assert tolerance(printed) == pytest.approx(half)


def test_a_text_without_a_number_is_an_error():
    for read in (tolerance, value_of):
        with pytest.raises(ValueError, match="bars"):
            read("bars")


@pytest.mark.parametrize(
    ("low", "high", "options", "verdict"),
    [
        (0.7834, 0.7834, {}, "reproduced"),
        (0.7836, 0.7836, {}, "not reproduced"),
        (0.7836, 0.7836, {"reason": "why"}, "refuted"),
        (0.7836, 0.7836, {"aim": "lower"}, "not reproduced"),
        (0.7836, 0.7836, {"aim": "higher"}, "beaten"),
        (0.6, 0.7, {"aim": "lower"}, "beaten"),
        (0.6, 0.7, {}, "not reproduced"),
        (0.6, 0.9, {}, "reproduced"),
        (0.6, 0.7, {"printed_spread": 0.1}, "reproduced"),
        (0.7836, 0.7836, {"misprint": "a digit"}, "misprint"),
        (0.7836, 0.7836, {"misprint": "a digit", "reason": "why"}, "misprint"),
        (0.7833, 0.7833, {"misprint": "a digit"}, "reproduced"),
    ],
)
def test_verdicts_follow_the_rules(low, high, options, verdict):
    assert judged("0.783", low, high, **options) == verdict


def test_a_row_says_what_is_ours_and_over_what():
    sample = Sample.of([0.699, 0.701, 0.703], "{n} splits")
    row = number("t", "x", "70 %", sample, source="a: b", note="n")
    assert (row.ours, row.spread) == ("70.1 %", "69.6 % – 70.6 %, mean of 3 splits")
    assert (row.verdict, row.why) == ("reproduced", "n")
    same = Sample.of([2.0, 2.0], "{n} seeds")
    row = number("t", "x", "1", same, source="a: b", reason="r", note="n")
    assert (row.ours, row.spread) == ("2", "2, mean of 2 seeds")
    assert (row.verdict, row.why) == ("refuted", "r")


def test_more_seeds_make_it_harder_to_be_met_and_never_easier():
    few, many = (Sample(0.72, 0.04, n, "{n} seeds") for n in (4, 400))
    assert number("t", "x", "0.70 ± 0.001", few, source="a", printed_spread=0.001).verdict == (
        "reproduced"
    )
    assert number("t", "x", "0.70 ± 0.001", many, source="a", printed_spread=0.001).verdict == (
        "not reproduced"
    )
    assert few.interval()[0] < many.interval()[0] < 0.72 < many.interval()[1] < few.interval()[1]


def test_one_printed_run_is_left_open_where_single_runs_of_ours_reach_it():
    sample = Sample(0.72, 0.04, 400, "400 seeds")
    row = number("t", "x", "0.70", sample, source="a: b")
    assert row.verdict == "undecided" and "single runs go from" in row.why
    assert number("t", "x", "0.60", sample, source="a: b").verdict == "not reproduced"


def test_an_interval_wider_than_half_of_its_number_meets_nothing():
    row = number("t", "x", "56 %", Sample(0.25, 0.4, 8, "8 splits"), source="a: b")
    assert row.verdict == "undecided" and row.why.startswith(OURS)
    assert number("t", "x", "0", Sample(0.0, 0.4, 8, "8"), source="a: b").verdict == "reproduced"
    assert number("t", "x", "0.79", Sample(0.49, 0.13, 3, "3"), source="a").verdict == "undecided"
    near = Sample(0.5, 0.1, 8, "8 splits")
    assert number("t", "x", "56 %", near, source="a: b").verdict == "reproduced"


def test_an_interval_ends_where_the_quantity_does():
    sample = Sample.of([0.2, 0.9, 0.9], "{n} seeds", SHARE)
    assert (sample.interval()[1], sample.of_one()) == (1.0, (0.0, 1.0))
    assert Sample.of([0.2, 0.9, 0.9], "{n} seeds").interval()[1] > 1


@pytest.mark.parametrize(
    ("precision", "verdict"),
    [(0.99, "reproduced"), (0.951, "undecided"), (0.9, "not reproduced"), (None, "not run here")],
)
def test_precision_is_judged_by_the_interval_of_its_mean(empty, precision, verdict):
    facts = [{"fact": f"m, {n} points: precision", "std": 0.05, "n": 20} for n in (29, 30)]
    rows = [row | {"value": value} for row, value in zip(facts, (precision, 0.99), strict=True)]
    save(empty, replicate.FACTS, validation=rows if precision else [])
    found = {row.what: row for row in _replicate_responsiveness.rows(Saved())}
    assert found["German: precision from 29 points on, more than"].verdict == verdict


def test_a_row_without_a_result_says_how_to_run_it():
    row = number("t", "x", "1", None, source="curation: table")
    assert row.verdict == "not run here"
    assert "python -m benchmarks replicate" in row.why and "curation" in row.why


def test_only_known_verdicts_are_given():
    with pytest.raises(ValueError, match="fine"):
        said("t", "x", "1", "1", "fine", source="")


def test_without_results_nothing_is_invented(empty):
    for paper, rows_of in replicate.PAPERS.items():
        rows = rows_of(Saved())
        assert {row.verdict for row in rows} <= set(VERDICTS)
        for row in rows:
            # a verdict without saved results comes of the paper's own numbers alone
            alone = row.own or row.verdict in ("not run here", "not computable here")
            assert alone, (paper, row)
            assert row.why or row.verdict == "reproduced", (paper, row)


def test_no_number_is_there_twice():
    for paper, rows_of in replicate.PAPERS.items():
        counts = Counter((row.where, row.what) for row in rows_of(Saved()))
        assert not [name for name, n in counts.items() if n > 1], paper


def test_all_stages_and_cells_of_the_papers_are_there(empty):
    rows = _replicate_fairness.rows(Saved())
    stages = [row for row in rows if row.where in ("figure 3", "result file")]
    assert sum(len(row.printed) for row in stages) == 4 * len(PRINTED)
    assert sum(len(row.printed) for row in rows if row.where == "table 1") == 2 * 37
    assert sum(len(row.printed) for row in rows if row.where == "table 3") == 56
    cells = [row for row in _replicate_curation.rows(Saved()) if row.where == "table 1"]
    assert sum(len(row.printed) for row in cells) == 2 * 4 * 18


def test_p_values_of_ten_sets():
    assert _replicate_curation.p_of(-0.673) == pytest.approx(0.033, abs=5e-4)
    assert _replicate_curation.p_of(1.0) == 0.0


def test_fairness_verdicts_are_taken_over(empty):
    row = {"pipeline": "AC1", "stage": "LE", "std": 0.03, "n_splits": 9, "interval": [-1, 1]}
    row |= {"differs": "other trees", "printed_error": 0.0}
    numbers = {"spd": (-0.05, 0.05), "eod": (0.5, 0.05), "aod": (0.008, 0.0), "erd": (0.0, 0.0)}
    rows = [
        row | {"metric": metric, "ours": ours, "printed": printed}
        for metric, (ours, printed) in numbers.items()
    ]
    rows[2]["std"], rows[3]["printed_error"] = 0.3, 0.1
    save(empty, "stage-fairness", stages=rows)
    found = {row.what: row for row in _replicate_fairness.rows(Saved())}
    verdicts = [found[f"AC1 LE: SF_{metric.upper()}"].verdict for metric in numbers]
    assert verdicts == ["misprint", "not reproduced", "undecided", "undecided"]
    assert found["AC1 LE: SF_SPD"].why.startswith("the sign: ")
    assert "other trees" in found["AC1 LE: SF_EOD"].why
    assert "after 9 splits" in found["AC1 LE: SF_AOD"].why
    assert found["AC1 LE: SF_ERD"].why.startswith("the printed error")
    save(empty, replicate.FACTS, more_splits=[rows[2] | {"std": 0.003, "n_splits": 30}])
    found = {row.what: row for row in _replicate_fairness.rows(Saved())}
    assert found["AC1 LE: SF_AOD"].verdict == "not reproduced"
    assert found["AC1 LE: SF_AOD"].source.startswith(replicate.FACTS)
    # the library itself comes before what stands in for it
    real = rows[2] | {"ours": 0.5, "std": 0.003, "library": "boosters 2.0", "differs": None}
    save(empty, replicate.FACTS, boosters=[real], more_splits=[rows[2]])
    found = {row.what: row for row in _replicate_fairness.rows(Saved())}
    assert (found["AC1 LE: SF_AOD"].ours, found["AC1 LE: SF_AOD"].why) == ("0.500", "boosters 2.0")


@pytest.mark.parametrize("runs", [3, 7])
def test_runs_follow_from_errors_of_rounded_deviations(runs):
    rng = np.random.default_rng(0)
    errors = [round(round(std, 3) / runs**0.5, 4) for std in rng.uniform(0.01, 0.2, 100)]
    assert runs_behind(errors) == (runs, 100)
    # a fifth of other errors changes nothing
    assert runs_behind([*errors[:80], *np.round(rng.uniform(0.01, 0.1, 20), 4)])[0] == runs


def test_what_is_a_mean_of_runs_leaves_less_open_than_one_run():
    ours = Sample.of([-0.01, 0.0, 0.01] * 10, "{n} splits")
    single, five = (number("t", "x", "0.012", ours, source="a: b", runs=n) for n in (1, 5))
    assert (single.verdict, five.verdict) == ("undecided", "not reproduced")
    assert ours.of_others(1) == ours.of_one()
    assert ours.of_others(10**9) == pytest.approx(ours.interval())


CHANGED = {"std": 0.01, "n_splits": 30, "interval": [-0.02, 0.02], "differs": None}


def changes(folder, name, printed, *found):
    """Rows of figure 4 for a stage with these changes of accuracy and F1, more keys of each."""
    pipeline, _, stage = name.partition(" ")
    place = CHANGED | {"pipeline": pipeline, "stage": stage}
    metrics = [{"metric": metric} for metric in ("accuracy", "f1")]
    rows = [place | metric | more for metric, more in zip(metrics, found, strict=False)]
    filed = [{"fact": f"fairness, figure 4, {name}", "value": printed}]
    save(folder, replicate.FACTS, files=filed, stage_scores=rows)
    return [row for row in _replicate_fairness.rows(Saved()) if row.where == "figure 4"]


# the interval of a mean of 30 splits with an sd of .01 is 2.045 * .01 / 30 ** .5 = .0037 wide to
# either side, that of the mean of five others 2.045 * .01 * (1 / 5 + 1 / 30) ** .5 = .0099
@pytest.mark.parametrize(
    ("ours", "std", "printed", "verdict", "why"),
    [
        (0.0570, 0.01, 0.06, "reproduced", ""),
        (0.0550, 0.01, 0.06, "undecided", "5 runs are behind it, whose means go from"),
        (0.0498, 0.01, 0.06, "undecided", "5 runs are behind it, whose means go from"),
        (0.0494, 0.01, 0.06, "not reproduced", "no fault of the script is known"),
        (0.0550, 0.001, 0.06, "not reproduced", "no fault of the script is known"),
        (0.0020, 0.01, 0.004, "undecided", OURS),
        (0.0, 0.0, 0.0, "reproduced", ""),
        (0.0, 0.0, -0.001, "not reproduced", "no fault of the script is known"),
    ],
)
def test_changes_of_scores_are_judged_by_the_interval_of_their_mean(
    empty, ours, std, printed, verdict, why
):
    one = {"ours": ours, "std": std}
    rows = changes(empty, "GC8 SS", [printed, -printed], one, one | {"ours": -ours})
    assert [row.what for row in rows] == ["GC8 SS: accuracy", "GC8 SS: F1"]
    for row in rows:
        assert row.verdict == verdict and row.why.startswith(why) and bool(row.why) == bool(why)
        assert row.spread.endswith("mean of 30 splits" if std else "0.0000, mean of 30 splits")


def test_what_stands_in_is_told_of_changes_of_scores(empty):
    found = {"ours": 0.01, "library": "boosters 2.0", "differs": "a tenth of the rows"}
    rows = changes(empty, "BM1 LE", [0.01, 0.2], found, found)
    assert [row.verdict for row in rows] == ["reproduced", "not reproduced"]
    assert {row.why for row in rows} == {"boosters 2.0; a tenth of the rows"}


def test_a_change_of_a_score_may_be_turned_in_a_script(empty):
    turned, plain = {"ours": -0.05}, {"ours": -0.03}
    accuracy, f1 = changes(empty, "AC1 LE", [0.05, 0.1], turned, plain)
    assert (accuracy.verdict, f1.verdict) == ("misprint", "not reproduced")
    assert accuracy.why.startswith("the sign: ") and "exchanged" in accuracy.why
    # five runs may have the printed sign, the mean has not
    wide = {"ours": -0.05, "std": 0.12}
    assert changes(empty, "AC1 LE", [0.05, 0.1], wide)[0].verdict == "misprint"
    assert changes(empty, "GC8 SS", [0.05, 0.1], wide)[0].verdict == "undecided"
    # so has one that is too wide to tell the size
    (row, _) = changes(empty, "AC6 Custom(c)", [0.001, 0.1], {"ours": -0.0017, "std": 0.002})
    assert row.verdict == "misprint"
    # with a spread of ours that has both signs nothing is told
    (row, _) = changes(empty, "AC1 LE", [0.005, 0.1], {"ours": -0.004, "std": 0.05})
    assert row.verdict == "undecided" and row.why.startswith(OURS)
    # in a script that turns nothing it is no misprint, nor where it is met as it is printed
    assert changes(empty, "GC8 SS", [0.05, 0.1], turned)[0].verdict == "not reproduced"
    assert changes(empty, "AC6 Custom(f)", [-0.05, 0.1], turned)[0].verdict == "reproduced"


@pytest.mark.parametrize(
    ("ours", "interval", "with_fault", "other", "verdict"),
    [
        # nothing is found, the other sign is, and a smaller change of the same sign
        (0.001, [-0.01, 0.01], 0.05, 0.3, "refuted"),
        (-0.02, [-0.03, -0.01], 0.05, 0.3, "refuted"),
        (0.02, [0.01, 0.03], 0.05, 0.3, "not reproduced"),
        # the fault does not make the printed number, or not that of the other score
        (0.001, [-0.01, 0.01], 0.01, 0.3, "not reproduced"),
        (0.001, [-0.01, 0.01], 0.05, 0.2, "not reproduced"),
    ],
)
def test_a_printed_change_of_a_score_falls_where_its_fault_brings_it_back(
    empty, ours, interval, with_fault, other, verdict
):
    made = [{"ours": value, "std": 0.005, "n_splits": 10} for value in (with_fault, other)]
    rows = changes(
        empty,
        "AC4 SS",
        [0.05, 0.3],
        {"ours": ours, "interval": interval, "with_fault": made[0]},
        {"ours": -0.1, "interval": [-0.2, 0.1], "with_fault": made[1]},
    )
    assert rows[0].verdict == verdict
    assert f"(with that {with_fault:.3f} here)" in rows[0].why
    assert rows[0].why.startswith("comes back where") == (verdict == "refuted")


def test_all_changes_of_the_file_are_there_and_what_is_missing_says_so(empty):
    (row,) = changes(empty, "AC8 Stratify", [-0.002, -0.003])
    assert (row.verdict, row.printed) == ("not run here", ("-0.002", "-0.003"))
    assert "how the split is drawn" in row.why
    rows = changes(empty, "GC1 PCA", [-0.032, -0.048])
    assert [(row.verdict, row.source) for row in rows] == [
        ("not run here", "replication-facts: stage_scores")
    ] * 2
    (row, _) = changes(empty, "GC1 PCA", [-0.032, -0.048], {"ours": None, "message": "it fails"})
    assert (row.verdict, row.why) == ("not computable here", "not ablatable: it fails")
    save(empty, replicate.FACTS)
    rows = _replicate_fairness.rows(Saved())
    (row,) = (row for row in rows if row.where == "figure 4")
    assert row.verdict == "not run here"


def test_a_fault_is_made_again_with_the_library_itself(empty):
    about = {"pipeline": "AC4", "stage": "SS", "metric": "spd", "std": 0.004, "n_splits": 5}
    about |= {"printed": -0.081, "printed_error": 0.004}
    row = about | {"ours": -0.002, "interval": [-0.01, 0.01], "differs": None, "fault": "stale"}
    stands_in, real = about | {"with_fault": -0.081}, about | {"with_fault": -0.05}
    save(empty, "stage-fairness", faults=[stands_in])
    save(empty, replicate.FACTS, boosters=[row])
    what = "AC4 SS: SF_SPD"
    found = {each.what: each for each in _replicate_fairness.rows(Saved())}
    assert found[what].verdict == "refuted" and "with that -0.081" in found[what].why
    save(empty, replicate.FACTS, boosters=[row], booster_faults=[real])
    found = {each.what: each for each in _replicate_fairness.rows(Saved())}
    assert found[what].verdict == "not reproduced" and "with that -0.050" in found[what].why


def test_an_example_of_one_split_is_left_open_where_single_splits_reach_it(empty):
    about = {"pipeline": "example 2", "stage": "both", "metric": "effect on spd", "std": 0.059}
    about |= {"ours": 0.03, "n_splits": 100, "printed": 0.122, "interval": [-0.05, 0.11]}
    save(empty, "stage-fairness", examples=[about])
    row = {row.what: row for row in _replicate_fairness.rows(Saved())}
    assert row["example 2, both: effect on spd"].verdict == "undecided"
    assert "single splits go from" in row["example 2, both: effect on spd"].why


def test_the_command_saves_and_renders_one_paper_and_keeps_the_others(empty, capsys):
    save(empty, "curation", null=[{"sets": 10, "nested": True, "printed": 0.14, "permuted": 0.01}])
    assert main(["replicate", "--saved"]) == 0
    path = empty / "results" / "replication.json"
    first = json.loads(path.read_text())
    assert list(first["sections"]) == list(replicate.PAPERS) == list(PAPERS)
    assert first["sources"] == [{"results": "curation.json", "python": "3", "date": "2000-01-01"}]
    save(empty, "adult", clean=[{"f1": 0.5548, "auc": 0.8539}])
    assert main(["replicate", "savage", "--saved"]) == 0
    second = json.loads(path.read_text())
    assert second["sections"]["esp"] == first["sections"]["esp"]
    assert second["sections"]["savage"] != first["sections"]["savage"]
    last = second["summary"][-1]
    assert last["paper"] == "all"
    assert last["printed"] == sum(last[verdict] for verdict in VERDICTS)
    rows = [row for rows in second["sections"].values() for row in rows]
    unrun = [row for row in rows if row["verdict"] == "not run here"]
    assert last["not run here"] == sum(row["n_printed"] for row in unrun) > len(unrun)
    page = (empty / "page.md").read_text()
    assert "Our own spread leaves 0 of the 0 undecided numbers open." in page
    assert all(f"## {title}" in page for title in _replicate_page.TITLES.values())
    assert all(len(line) <= 100 for line in page.splitlines() if not line.startswith("|"))
    table = (empty / "results" / "replication.csv").read_text().splitlines()
    assert len(table) == 1 + last["rows"]
    assert "paper savage" in capsys.readouterr().out


def test_only_what_is_missing_runs(empty, monkeypatch, capsys):
    calls = []

    class Module:
        def __init__(self, name):
            self.name = name

        def run(self, sections=None):
            if self.name == "twitterbot":
                raise DataNotFoundError("no bots")
            calls.append((self.name, sections))

    monkeypatch.setattr(_results, "module_of", Module)
    save(empty, "recidivism", sizes=[{"n": 20}])
    save(empty, replicate.FACTS, sizes=[{"fact": "x"}])
    ran = replicate.run_missing(["responsiveness"])
    assert calls == [
        ("responsiveness", None),
        ("transplant", None),
        (replicate.FACTS, ["actions", "german", "validation"]),
    ]
    ran_facts = f"{replicate.FACTS}: actions, german, validation"
    assert ran == ["responsiveness", "transplant", ran_facts]
    assert "no bots" in capsys.readouterr().err
    calls.clear()
    replicate.run_missing(["responsiveness"], fresh=True)
    assert ("recidivism", None) in calls


def test_wrong_arguments_are_errors(capsys):
    with pytest.raises(ValueError, match="poetry"):
        replicate.run(["poetry"])
    with pytest.raises(ValueError, match="fresh=True"):
        replicate.run(["esp"], fresh=True, saved_only=True)
    for arguments in (["adult", "esp"], ["adult", "--saved"], ["replicate", "--saved", "--fresh"]):
        with pytest.raises(SystemExit):
            main(arguments)
        assert "usage" in capsys.readouterr().err


def test_needs_name_real_modules():
    for needs in replicate.NEEDS.values():
        for benchmark in needs:
            assert callable(_results.module_of(benchmark).run)


def test_another_file_is_refused_by_name_and_hash(tmp_path, monkeypatch):
    (tmp_path / "employee").mkdir()
    text = "Age,LeaveOrNot\n30,1\n"
    (tmp_path / "employee" / "employee.csv").write_text(text)
    monkeypatch.setenv("SKCORRUPT_DATA", str(tmp_path))
    found = hashlib.sha256(text.encode()).hexdigest()
    with pytest.raises(DataDiffersError) as caught:
        load_employee()
    for part in ("employee/employee.csv", found, SHA256["employee/employee.csv"]):
        assert part in str(caught.value)
    assert "SKCORRUPT_ANY_DATA=1" in str(caught.value)
    monkeypatch.setenv("SKCORRUPT_ANY_DATA", "1")
    assert load_employee()[0].shape == (1, 1)


def test_another_shape_is_refused(monkeypatch):
    table = pd.DataFrame(np.zeros((3, 2)))
    require_shape("this", table, (3, 2))
    with pytest.raises(DataDiffersError, match="this has 3 rows and 2 columns, expected 4 and 2"):
        require_shape("this", table, (4, 2))
    monkeypatch.setenv("SKCORRUPT_ANY_DATA", "1")
    require_shape("this", table, (4, 2))


def test_every_file_has_a_home_and_a_whole_hash():
    assert {name.split("/")[0] for name in SHA256} == set(_hashes.HOMES)
    assert all(len(value) == 64 and int(value, 16) for value in SHA256.values())


def test_coded_values_have_one_hash_whatever_they_are_kept_in():
    values = np.arange(6).reshape(3, 2)
    same = coded_hash(pd.DataFrame(values), pd.Series([1, 2, 3], dtype="int8"))
    assert same == coded_hash(np.asfortranarray(values), np.array([1, 2, 3]))
    assert same != coded_hash(values[::-1], np.array([1, 2, 3]))


def test_the_real_files_are_the_known_ones(data_dir):
    for name in SHA256:
        if (data_dir / name).is_file():
            require_file(data_dir, name)
    if (data_dir / "adult").is_dir():
        assert coded_hash(*load_adult()) == _hashes.ADULT_CODED


def test_a_number_of_two_rows_is_counted_once(empty):
    rows = [row.as_dict() for row in _replicate_esp.rows(Saved()) if row.where == "table 3"]
    for number_again in ("6 %", "8 %", "91 %", "86 %", "34 of 44", "47 of 77"):
        counts = [row["n_printed"] for row in rows if row["printed"] == [number_again]]
        assert sum(counts) == 1 and len(counts) >= 2
    assert all("again" not in row and "n" not in row for row in rows)


@pytest.mark.parametrize(
    ("least", "off", "five", "axis"),
    [
        (0.79, 0.0, "refuted", "refuted"),
        # another axis does not explain it
        (0.79, 0.1, "not reproduced", "not reproduced"),
        (0.4, 0.0, "beaten", "refuted"),
    ],
)
def test_the_abstract_is_judged_at_its_budget_and_figure_7_at_those_of_its_files(
    empty, least, off, five, axis
):
    save(empty, "adult", clean=[{"auc": 0.854, "f1": 0.555}])
    found = [{"error": "labels", "found": least}, {"error": "selection", "found": least}]
    files = [
        {"fact": f"figure 7, {series}, {10 * k}%: h2o", "value": float(value) + off}
        for error, series in SERIES.items()
        for k, value in enumerate(SHOWN[error], 1)
    ]
    figure_7 = [row | {"budget_percent": 5} for row in found]
    employee = [row | {"clean": 0.75} for row in found]
    save(empty, replicate.FACTS, figure_7=figure_7, files=files, employee=employee)
    rows = {(row.where, row.what): row for row in _replicate_savage.rows(Saved())}
    what = "errors in around 5 % of the rows severely impact performance"
    row, other = rows["abstract", what], rows["abstract", f"{what}, Employee"]
    assert (row.verdict, other.verdict) == (five, "not computable here")
    assert f"{least:.3f} (labels)" in row.ours and f"{least:.3f} (labels)" in other.ours
    given = rows["figure 7", "budgets on the axis, label errors and selection bias on Adult"]
    assert (given.printed, given.verdict) == (("5 to 25 %",), axis)


@pytest.mark.parametrize(("f1", "verdict"), [(0.32, "beaten"), (0.52, "not reproduced")])
def test_a_wider_gap_is_beaten_only_at_the_printed_f1(empty, f1, verdict):
    row = {"error": "labels", "method": "none", "clean": 0.18, "gap": 0.5, "f1": f1}
    save(empty, replicate.FACTS, equal_opportunity=[row])
    rows = {(row.where, row.what): row for row in _replicate_savage.rows(Saved())}
    row = rows["table 5", "Adult, label errors to widen EO, nothing debiased: EO"]
    assert row.verdict == verdict


@pytest.mark.parametrize(
    ("f1", "clean", "verdict", "of_clean"),
    [(0.02, 0.5, "part of", "part of"), (0.3, 0.1, "not reproduced", "not reproduced")],
)
def test_fair_representations_are_judged_under_errors_of_another_model(
    empty, f1, clean, verdict, of_clean
):
    row = {"error": "labels", "method": "LFR", "gap": 0.02, "f1": f1, "library": "fair 1.0"}
    row |= {"clean_f1": clean, "clean_gap": 0.01}
    save(empty, replicate.FACTS, equal_opportunity=[row])
    rows = {(row.where, row.what): row for row in _replicate_savage.rows(Saved())}
    found = rows["table 5", "Adult, label errors to widen EO, LFR: F1 and EO"]
    assert found.verdict == verdict and found.why.startswith("fair 1.0")
    assert rows["section 5.3", "clean F1 of debiased models, at least"].verdict == of_clean
    other = rows["table 6", "Adult, selection bias to widen EO, LFR: F1 and EO"]
    assert other.verdict == "not run here"


@pytest.mark.parametrize(
    ("std", "found", "verdict"),
    [(0.0, 0.59, "beaten"), (0.05, 0.59, "reproduced"), (0.0, 0.6, "reproduced")],
)
def test_a_published_mean_is_met_within_its_interval(empty, std, found, verdict):
    cell = {
        "key": ["adult", "h2o", "LR", "Label", 3016],
        "published": 0.6,
        "std": std,
        "found": found,
        "theirs": [0.6],
        "budget_percent": 10.0,
    }
    save(empty, "published", cells=[cell])
    rows = [row for row in _replicate_savage.rows(Saved()) if row.source == "published: cells"]
    (row,) = [row for row in rows if row.where == "figure 7"]
    assert row.verdict == verdict and "axis says 5 %" in row.why


@pytest.mark.parametrize(
    ("nested", "least_drop", "verdict"),
    [
        (0.7, 0.01, "reproduced"),
        (0.7, -0.01, "as searched, not confirmed"),
        (0.75, 0.01, "not reproduced"),
    ],
)
def test_coverage_has_to_fall_for_both_methods_on_new_rows_too(empty, nested, least_drop, verdict):
    rows = [
        {"target": 0.8, "method": "split", "clean": 0.8, "found": 0.7},
        {"target": 0.8, "method": "mda-nested", "clean": 0.8, "found": nested},
    ]
    more = {"table": 8, "new_drop_interval": [least_drop, 0.1], "new_worst": 0.7}
    more["row_fraction"] = 0.2
    save(empty, "search", conformal=[row | more for row in rows])
    found = {row.what: row for row in _replicate_savage.rows(Saved())}
    assert found["coverage of both methods falls, target 0.8, by more than"].verdict == verdict
    other = found["coverage of both methods falls, target 0.95, by more than"]
    assert other.verdict == "not run here"


def test_no_f1_is_above_what_its_accuracy_allows():
    rows = {row.what: row for row in _replicate_fairness.rows(Saved())}
    assert rows["GC10: F1"].verdict == "refuted" and "no F1 is above 0.75" in rows["GC10: F1"].why
    over = [name for name, row in rows.items() if "no F1 is above" in row.why]
    assert over == ["GC10: F1"]


def test_labels_and_one_hot_columns_of_ac1_change_places(empty):
    facts = {"AC1: F1": 0.56, "AC1, one-hot: F1": 0.66}
    rows = [{"fact": k, "value": v, "std": 0.001, "n": 10} for k, v in facts.items()]
    save(empty, replicate.FACTS, performance=rows)
    row = {row.what: row for row in _replicate_fairness.rows(Saved())}["AC1: F1"]
    assert (row.printed, row.verdict) == (("0.66",), "misprint") and "exchanged" in row.why


def test_first_claims_of_every_paper_are_judged_by_their_rows():
    sections = _results.saved("replication")["sections"]
    found = headlines(sections)
    assert [row["paper"] for row in found] == sorted(
        (row["paper"] for row in found), key=list(replicate.PAPERS).index
    )
    assert {row["paper"] for row in found} == set(replicate.PAPERS)
    assert {row["verdict"] for row in found} <= set(VERDICTS)
    five, other = (row for row in sections["savage"] if row["where"] == "abstract")
    five["verdict"] = "reproduced"
    assert headlines(sections)[0]["verdict"] == "reproduced"
    assert five["ours"] in found[0]["why"] and other["ours"] in found[0]["why"]


def test_a_claim_has_the_worst_verdict_of_its_rows_and_two_tables_count_once():
    sections = _results.saved("replication")["sections"]
    rows = [row for row in sections["savage"] if row["source"] == "published: cells"]
    run = [row for row in rows if row["where"] != "table 9" and row["ours"]]
    of_tables = Counter(row["verdict"] for row in run)
    found = headlines(sections)[1]
    assert found["verdict"] == "refuted"
    assert f"{of_tables['beaten']} of {of_tables.total()} of its worst cases" in found["why"]
    (rising,) = (row for row in sections["savage"] if "curves that get better" in row["what"])
    rising["verdict"] = "reproduced"
    assert headlines(sections)[1]["verdict"] == "not reproduced"
    # those of exact sets as well as those of convex ones
    gaming = [row for row in sections["responsiveness"] if "in truth" in row["what"]]
    for row in gaming:
        row["verdict"] = "reproduced"
    (claim,) = (row for row in headlines(sections) if row["claim"].startswith("exact reachable"))
    assert claim["verdict"] == "reproduced"
    next(row for row in gaming if row["what"].startswith("Exact"))["verdict"] = "not reproduced"
    (claim,) = (row for row in headlines(sections) if row["claim"].startswith("exact reachable"))
    assert claim["verdict"] == "not reproduced"


def test_the_first_table_is_one_screen():
    content = _results.saved("replication")
    page = _replicate_page.page(content)
    head, _, rest = page.partition("## Verdicts")
    assert head.count("\n| ") - 2 == sum(row["first"] for row in content["headlines"]) <= 15
    assert all(len(line) < 260 for line in head.splitlines())
    assert all(row["claim"] in rest for row in content["headlines"] if not row["first"])


@pytest.mark.parametrize(
    ("least", "verdict"), [(5, "reproduced"), (3, "reproduced"), (2, "refuted")]
)
def test_forests_vary_less_in_general_or_the_claim_falls(empty, least, verdict):
    facts = {"spread: budgets": 5, "spread: budgets at which forests vary least": least}
    save(empty, replicate.FACTS, files=[{"fact": k, "value": v} for k, v in facts.items()])
    rows = {row.what: row for row in _replicate_savage.rows(Saved())}
    row = rows["Adult, in general methods differ least with forests"]
    assert (row.verdict, row.ours) == (verdict, f"at {least} of 5 budgets")


@pytest.mark.parametrize(
    ("unscaled", "scaled", "verdict"),
    [
        ([-0.5, 0.7], [-0.01, 0.01], "undecided"),
        ([-0.01, 0.02], [-0.01, 0.01], "not reproduced"),
        ([0.06, 0.2], [-0.01, 0.01], "part of"),
    ],
)
def test_columns_of_little_importance(empty, unscaled, scaled, verdict):
    rows = [
        {
            "data": "d",
            "metric": "F1",
            "model": model,
            "error": "noise",
            "feature": name,
            "aepc": sum(interval) / 2 + k / 1000,
            "interval": interval,
            "importance": k,
            "correlation": k / 10,
        }
        for model, interval in (("SGD", scaled), ("SGD, not scaled", unscaled))
        for k, name in enumerate("abc")
    ]
    save(
        empty, replicate.FACTS, features=rows, named=[row for row in rows if row["feature"] == "a"]
    )
    found = {row.what: row for row in _replicate_esp.rows(Saved())}
    row = found["columns of little importance destabilise SGD when corrupted"]
    assert row.verdict == verdict and row.ours.endswith("of 2 (SGD, not scaled)")
    assert row.why.startswith(OURS) == (verdict == "undecided")


def test_weak_labels_that_are_all_right_do_not_fall(empty):
    rows = [
        {"data": "crowdsourcing", "labeler": "majority", "way": str(k), "rho": None}
        for k in range(4)
    ]
    save(empty, "curation", table=rows)
    found = {row.what: row for row in _replicate_curation.rows(Saved())}
    row = found["Crowdsourcing, Majority Vote: rho, four orders"]
    assert (row.verdict, row.ours) == ("not reproduced", "none, none, none, none")
    assert found["Crowdsourcing, Snorkel: rho, four orders"].verdict == "not run here"


def test_snorkel_itself_is_counted_before_the_model_in_its_place(empty):
    about = {"way": "confidence, selected", "splits": 20, "undefined": 0, "permuted": 0.1}
    ours = about | {"data": "spam", "labeler": "generative", "mean": -0.9, "std": 0.01}
    save(empty, "curation", table=[ours])
    what = "Snorkel: rho, confidence, selected"
    alone = {row.what: row for row in _replicate_curation.rows(Saved())}
    assert (alone[f"Spam, {what}"].ours, alone[f"Spam, {what}"].again) == ("-0.9000", False)
    theirs = ours | {"labeler": "Snorkel", "mean": -0.673, "library": "snorkel 2.0"}
    save(empty, "curation", table=[ours, theirs])
    both = {row.what: row for row in _replicate_curation.rows(Saved())}
    row = both[f"Spam, {what}"]
    assert (row.verdict, row.again) == ("reproduced", False)
    assert row.why.endswith("snorkel 2.0")
    assert row.spread.endswith("20 orders of tied rows and seeds")
    again = both["Spam, our generative model: rho, confidence, selected"]
    assert (again.verdict, again.again) == ("steeper, unexplained", True)


@pytest.mark.parametrize(("covered", "verdict"), [(0.96, "part of"), (0.9, "refuted")])
def test_intervals_of_either_labeler_have_to_hold(empty, covered, verdict):
    rows = [
        {"successes": successes, "copies": copies, "covered": covered, "below": 0.0}
        for successes in ("confidence", "agreement")
        for copies in (1, 20)
    ]
    save(empty, replicate.FACTS, majority=rows)
    found = {row.what: row for row in _replicate_curation.rows(Saved())}
    what = "95 % intervals hold the chance that a label is right"
    assert found[f"{what}, majority vote"].verdict == verdict
    assert found[f"{what}, generative model"].verdict == "not run here"


@pytest.mark.parametrize(("precision", "verdict"), [(None, "reproduced"), (0.5, "not reproduced")])
def test_recall_and_precision_both_have_to_be_none(empty, precision, verdict):
    row = {"model": "m", "n": 10, "recall": 0.0, "specificity": 1.0, "error": 0.1}
    row["precision"] = precision
    more = row | {"n": 30, "precision": 0.98}
    save(empty, "responsiveness", validation=[row, more])
    found = {row.what: row for row in _replicate_responsiveness.rows(Saved())}
    assert found["German: recall and precision up to 28 points"].verdict == verdict


def test_rows_of_models_coded_here_are_own(empty):
    facts = {"actionable": 8, "mutable": 8, "rules": 11, "features": 20}
    rows = [{"fact": f"recidivism: {k}", "value": v, "spread": None} for k, v in facts.items()]
    save(empty, replicate.FACTS, actions=rows)
    found = {row.what: row for row in _replicate_responsiveness.rows(Saved())}
    for what, printed in (
        ("actionable features", "7"),
        ("mutable features", "18"),
        ("rules", "27"),
    ):
        row = found[f"recidivism: {what}"]
        assert (row.printed, row.own, row.verdict) == ((printed,), True, "not reproduced")
    assert found["recidivism: features"].own


def test_closed_rows_count_what_they_hold():
    row = closed("t", "x", ("1", "2"), "secret").as_dict()
    assert row["n_printed"] == 2 and row["verdict"] == "not computable here"


def test_what_nobody_built_is_told_apart_from_what_nobody_can(empty):
    row = left_out("t", "x", ("1", "2"), "not built").as_dict()
    assert row["n_printed"] == 2 and row["verdict"] == "not run here"
    row = left_out("t", "x", 30, "not built").as_dict()
    assert (row["n_printed"], row["printed"]) == (30, ["30 numbers"])
    rows = [row for rows_of in replicate.PAPERS.values() for row in rows_of(Saved())]
    shut = [row for row in rows if row.verdict == "not computable here"]
    known = ("not public", "not published", "agreement", "picture", "stated", "machine", "not said")
    assert all(any(why in row.why for why in known) for row in shut)


def cleaning_row(pipeline, drop, data="Adult"):
    numbers = {"confirmed_clean": 0.85, "confirmed": 0.85 - drop, "drop": drop}
    about = {"data": data, "pipeline": pipeline, "status": "ok", "drop_high": 1}
    return about | numbers | {"drop_low": drop - 0.01}


@pytest.mark.parametrize(
    ("left", "verdicts"),
    [
        (1.0, ["reproduced", "reproduced", "reproduced"]),
        # half of the harm and more is taken away on all tables
        (0.1, ["not reproduced", "not reproduced", "reproduced"]),
    ],
)
def test_what_cleaning_is_worth_is_judged_by_new_rows(empty, monkeypatch, left, verdicts):
    monkeypatch.setattr(_judged_cleaning, "TABLES", ["Adult", "SQF"])

    def rows_of(drop, tables=("Adult", "SQF")):
        return [
            cleaning_row(name, drop * (1.0 if name == "plain" else left), data)
            for name in ("plain", "BoostClean", "FLAML")
            for data in tables
        ]

    def judged_rows():
        every = _replicate_savage.rows(Saved())
        return [row for row in every if row.source.startswith("cleaning")]

    errors = {"missing": rows_of(0.1), "labels": rows_of(0.2), "selection": rows_of(0.3)}
    save(empty, "cleaning", **errors)
    rows = judged_rows()
    assert [row.verdict for row in rows] == verdicts
    assert rows[0].again and not rows[1].again
    assert "on Adult" in rows[0].ours
    # what was not run on every table is a part, and one table makes no technique safe
    save(empty, "cleaning", **errors | {"selection": rows_of(0.3, ("Adult",))})
    part = judged_rows()[1]
    assert part.verdict == ("part of" if left == 1.0 else "not reproduced")
    save(empty, "cleaning", **{error: rows_of(0.2, ("Adult",)) for error in errors})
    assert "by 0 of 6 techniques" in judged_rows()[1].ours
    save(empty, "cleaning", missing=errors["missing"], labels=errors["labels"])
    assert judged_rows()[2].verdict == "part of" and "selection" not in judged_rows()[2].ours


def test_cleaning_that_was_not_run_is_not_judged(empty):
    save(empty, "cleaning", missing=[cleaning_row("plain", 0.1)])
    rows = [row for row in _replicate_savage.rows(Saved()) if row.source.startswith("cleaning")]
    assert [row.verdict for row in rows] == ["reproduced", "not run here", "not run here"]


@pytest.mark.parametrize(
    ("found", "n", "verdict"),
    [(0.5, 20, "reproduced"), (0.79, 20, "not reproduced"), (0.79, 1, "undecided")],
)
def test_subpopulations_have_to_fall_twice_as_much(empty, found, n, verdict):
    rows = [{"clean": 0.8, "inside": 0.79, "found": found}] * n
    save(empty, replicate.FACTS, subpopulations=rows)
    (row,) = (row for row in _replicate_savage.rows(Saved()) if row.where == "figure 10")
    assert (row.verdict, row.why.startswith(OURS)) == (verdict, verdict == "undecided")


def test_a_pipeline_is_judged_by_the_scores_that_differ_least_from_it(empty):
    one = {"fact": "TT1: F1", "value": 0.5, "std": 0.01, "n": 30, "differs": "a; b"}
    other = one | {"value": 0.83, "differs": "a"}
    for rows in ([one, other], [other, one]):
        save(empty, replicate.FACTS, performance=rows)
        found = {row.what: row for row in _replicate_fairness.rows(Saved())}["TT1: F1"]
        assert (found.ours, found.verdict, found.why) == ("0.830", "reproduced", "a")


@pytest.mark.parametrize(
    ("most", "ours", "met"),
    [
        ("SGD (3 of 8)", "SGD (3 of 8)", True),
        ("SGD (1 of 8)", "no model (each 1 of 8)", False),
        ("SGD (1 of 1)", "SGD (1 of 1)", True),
    ],
)
def test_where_all_are_alike_none_is_most_sensitive(most, ours, met):
    found = {how: {"most_sensitive": most} for how in (PAIRED, TOOL)}
    given = claim_verdict("online shoppers", METRICS[0], SGD, found)
    assert given["ours"] == given["tool"] == ours
    assert given["verdict"] == ("part of" if met else "not reproduced")


def test_models_with_as_many_significant_scenarios_are_named(empty):
    place = {"data": "online shoppers", "metric": METRICS[0]}
    models = [
        place | {"model": model, "losses": losses, "gains": gains, "best": 0.1, "best_of": "noise"}
        for model, losses, gains in (("a", 2, 0), ("b", 1, 1), ("c", 1, 0))
    ]
    claims = [
        place | {"how": how, "most_sensitive": "a (2 of 5)", "share": 0.1, "positive": 0.1}
        for how in (PAIRED, TOOL)
    ]
    save(empty, "error-sensitivity", claims=claims, models=models)
    rows = {row.what: row for row in _replicate_esp.rows(Saved())}
    assert rows[f"online shoppers, {METRICS[0]}: {SGD}"].why.startswith("2 each have a, b; ")


def test_all_that_is_not_run_has_a_reason_on_the_page():
    content = _results.saved("replication")
    groups = reasons(content["sections"])
    assert groups == content["left"]["reasons"]
    (everything,) = [row for row in content["summary"] if row["paper"] == "all"]
    assert sum(group["numbers"] for group in groups) == everything["not run here"]
    page = _replicate_page.page(content)
    assert all(group["why"] and group["why"] in page for group in groups)


def test_hours_are_fits_times_seconds_of_a_fit(empty):
    draws = [{"error": "mean", "seconds": 30.0, "n_fits": 300}]
    graphs = [
        {"imputer": name, "label": label, "seed": seed, "fits": 450}
        for name in ("mean", "median")
        for label in ("forced", "allowed")
        for seed in range(4)
    ]
    studies = [
        {"data": f"{data}, {metric}", "mean": 0.5, "scenarios": 2, "repeats": 3}
        for data in ("online shoppers", "south german credit")
        for metric in METRICS
    ]
    others = ("online shoppers", "south german credit")
    costs = [{"data": data, "model": "MLP", "seconds": 6.0} for data in others]
    save(empty, "adult", random_search=draws)
    save(empty, "error-sensitivity", speed=studies)
    save(empty, replicate.FACTS, random_graphs=graphs, costs=costs)
    hours = {row["what"]: row["hours"] for row in fewer({}, Saved())}
    # 16 more seeds of four times 450 fits, a tenth of a second each
    assert hours["table 9: seeds of random graphs"] == pytest.approx(16 * 4 * 450 * 0.1 / 3600)
    # nothing is left where all are saved
    all_seeds = [row | {"seed": seed} for row in graphs for seed in range(20)]
    save(empty, replicate.FACTS, random_graphs=all_seeds, costs=costs)
    assert "table 9: seeds of random graphs" not in {row["what"] for row in fewer({}, Saved())}
    # two data sets by two classes, thirty repeats of nine scores, of eight models and one more
    fits = 2 * 2 * 30 * (4 * 2 + 1)
    expected = fits * (8 * 0.5 + 6) / 3600
    assert hours["table 3: families and repeats"] == pytest.approx(expected)


def test_numbers_that_tell_a_split_of_compas_are_judged_by_all_splits(empty):
    script = [[0.01 * k] * 4 for k in range(5)]
    row = {"data": "compas", "stage": "PCA", "script": script, "once": [0.02] * 4}
    same = {
        "stage": "SelectFpr",
        "printed": [0.0] * 4,
        "script": [[0.0] * 4] * 5,
        "once": [0.0] * 4,
    }
    rows = [
        row | {"model": "SVC", "printed": [0.03] * 4},
        row | {"model": "LRG", "printed": [0.03] * 4},
        row | {"model": "KNC", "printed": [0.01] * 4},
        # at every split
        row | same | {"model": "SVC"},
        row | same | {"model": "LRG"},
    ]
    save(empty, replicate.FACTS, transformers=rows)
    found = {each.what: each for each in finding_rows(Saved()) if each.where == "figure 5"}
    tells = found["COMPAS, SVC, PCA: SF_SPD"]
    assert "mean of 5 splits" in tells.spread and "at the split" not in tells.why
    told = found["COMPAS, LRG, PCA: SF_SPD"]
    assert (told.ours, told.verdict) == ("0.0300", "reproduced")
    assert told.why.startswith("at the split of seed 3, ") and told.why.endswith("0% of cases")
    other = found["COMPAS, KNC, PCA: SF_SPD"]
    assert other.verdict == "not reproduced" and other.why.endswith("in each version")
    assert found["COMPAS, LRG, SelectFpr: SF_SPD"].why == ""


def test_seeds_that_would_tell_follow_from_the_width(empty):
    row = {"where": "figure 5", "verdict": "undecided", "why": f"{OURS}: wide", "n_printed": 1}
    row |= {"printed": ["0.010"], "spread": "0.000 – 0.010, mean of 10 seeds"}
    left = [
        row | {"what": "German, DCT, Standard: SF_SPD"},
        row | {"what": "German, DCT, Standard: SF_EOD", "spread": "0.000 – 0.100, mean of …"},
    ]
    costs = [{"data": "german, figure 5", "model": "DCT", "seconds": 1.0}]
    drawn = [{"data": "german", "model": "DCT", "stage": "Standard", "script": [[0.0] * 4] * 10}]
    save(empty, replicate.FACTS, costs=costs, transformers=drawn)
    (found,) = (each for each in fewer({"fairness": left}, Saved()) if "German" in each["what"])
    # twice as narrow takes four times ten seeds; twenty times as narrow takes 4,000
    assert (found["here"][:2], found["more"]) == ("2,", "1000 seeds would tell 1 of them")
    # plain, seven scalers, and six others; three samplers, two of them drawn
    assert found["hours"] == pytest.approx((1000 * (1 + 7 + 6 + 1) + 2000) / 3600)


def test_what_is_open_on_other_data_is_counted_apart(empty):
    row = {"where": "figure 5", "verdict": "undecided", "why": f"{OURS}: wide", "n_printed": 1}
    names = ("German, DCT", "COMPAS, DCT", "Adult, DCT", "Adult, GBC")
    rows = [row | {"what": f"{name}, Standard: SF_SPD"} for name in names]
    (found,) = (
        each for each in fewer({"fairness": rows}, Saved()) if each["what"].startswith("figure 5")
    )
    assert found["what"].startswith("figure 5, COMPAS (1) and Adult: ") and found["here"] == "3"
    assert not any("figure 5" in each["what"] for each in fewer({"fairness": rows[:1]}, Saved()))
