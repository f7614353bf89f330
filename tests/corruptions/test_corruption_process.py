"""Several corruptions of the same clean data (definition 3 of paper 000)."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from skcorrupt import (
    MAR,
    MNAR,
    CorruptCategories,
    CorruptDuplicates,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptScale,
    SampleCorruption,
    SelectionBias,
)
from skcorrupt.base import Edit
from skcorrupt.utils import Cells

N = 200
RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "age": RNG.permutation(N).astype(float),
        "pay": RNG.normal(size=N),
        "job": RNG.permutation(list("abcd") * (N // 4)),
    },
    index=RNG.permutation(N),
)
Y = pd.Series(RNG.permutation([0, 1] * (N // 2)), index=X.index, name="label")


def test_patterns_are_evaluated_on_the_clean_data():
    process = CorruptionProcess(
        [
            ("scale", CorruptScale("age", factor=-1.0, rate=1.0)),
            ("flip", CorruptLabels(rate=1.0)),
            ("hide", CorruptMissing("pay", pattern="age >= 50 and y == 1", rate=1.0)),
            ("drop", SelectionBias(pattern="y == 0 and age < 20", rate=1.0)),
        ],
        random_state=0,
    )
    X_out, y_out = process.fit_resample(X, Y)
    kept = ~((Y == 0) & (X["age"] < 20))
    pd.testing.assert_series_equal(X_out["age"], -X["age"][kept])
    pd.testing.assert_series_equal(y_out, 1 - Y[kept])
    hidden = ((X["age"] >= 50) & (Y == 1))[kept]
    pd.testing.assert_series_equal(X_out["pay"].isna(), hidden, check_names=False)


@pytest.mark.parametrize("first", ["drop", "hide"])
def test_selection_comes_first_and_counts_are_taken_among_what_it_leaves(first):
    members = [
        ("drop", SelectionBias(pattern="age < 100", rate=0.5)),
        ("hide", CorruptMissing("pay", pattern="age < 120", rate=0.2)),
        ("flip", CorruptLabels(rate=0.1)),
        ("copy", CorruptDuplicates(rate=0.3)),
    ]
    members.sort(key=lambda member: member[0] != first)
    process = CorruptionProcess(members, random_state=1)
    X_out, _ = process.fit_resample(X, Y)
    record = process.record_
    # 50 of 100 dropped; 70 of 120 left for hiding, 150 left for the others
    assert len(X_out) == N - 50 + 45
    first_rows = record.sample_indices[:150]
    assert (np.diff(first_rows) > 0).all()
    assert (X["age"].iloc[np.setdiff1d(np.arange(N), first_rows)] < 100).all()
    assert X_out["pay"].iloc[:150].isna().sum() == 14
    assert record.y_mask[:150].sum() == 15
    assert record.row_fraction == record.n_corrupted / N


def test_copies_carry_corrupted_values_and_labels():
    process = CorruptionProcess(
        [
            ("copy", CorruptDuplicates(rate=1.0)),
            ("hide", CorruptMissing("pay", rate=0.5)),
            ("flip", CorruptLabels(rate=0.5)),
        ],
        random_state=2,
    )
    X_out, y_out = process.fit_resample(X, Y)
    pd.testing.assert_frame_equal(X_out.iloc[:N], X_out.iloc[N:])
    pd.testing.assert_series_equal(y_out.iloc[:N], y_out.iloc[N:])
    assert X_out["pay"].isna().sum() == N and (y_out.iloc[:N] != Y).sum() == N // 2
    record = process.record_
    np.testing.assert_array_equal(record.X_mask[:N], record.X_mask[N:])
    np.testing.assert_array_equal(record.y_mask[:N], record.y_mask[N:])
    assert record.n_corrupted == N
    events = record.to_frame()["event"].value_counts().to_dict()
    assert events == {"cell": N, "label": N, "duplicated": N}


def test_shared_noise_nests_rows_and_own_noise_does_not():
    members = [("hide", CorruptMissing("pay", rate=0.2)), ("flip", CorruptLabels(rate=0.5))]

    def overlap(noise, seed):
        process = CorruptionProcess(members, noise=noise, random_state=seed)
        process.fit_resample(X, Y)
        hidden = process.record_.X_mask[:, 1]
        return process.record_.y_mask[hidden].mean()

    assert overlap({"shared": ["hide", "flip"]}, 0) == 1.0
    assert np.mean([overlap(None, seed) for seed in range(30)]) == pytest.approx(0.5, abs=0.06)


def test_members_draw_apart_and_the_seed_decides_all():
    process = CorruptionProcess(
        [("a", CorruptMissing("age", rate=0.5)), ("b", CorruptMissing("pay", rate=0.5))],
        random_state=7,
    )
    X_out, _ = process.fit_resample(X, Y)
    assert not X_out["age"].isna().equals(X_out["pay"].isna())
    pd.testing.assert_frame_equal(clone(process).fit_resample(X, Y)[0], X_out)
    assert not clone(process).set_params(random_state=8).fit_resample(X, Y)[0].equals(X_out)
    seed = process.record_.seed
    pd.testing.assert_frame_equal(process.set_params(random_state=seed).corrupt(X, Y).X, X_out)


def test_a_member_keeps_a_seed_of_its_own():
    alone = CorruptNoise("pay", rate=0.5, random_state=3)
    process = CorruptionProcess([("far", alone), ("b", CorruptMissing("age"))], random_state=0)
    out = process.fit_resample(X, Y)[0]["pay"]
    pd.testing.assert_series_equal(out, clone(alone).fit_transform(X)["pay"])


def test_a_process_of_one_does_what_its_member_does():
    for member, column in (
        (CorruptMissing("pay", mechanism=MNAR()), "pay"),
        (SelectionBias(), "x"),
    ):
        member.set_params(rate=0.25, random_state=5)
        out = CorruptionProcess([("only", member)]).corrupt(X, Y)
        alone = clone(member).corrupt(X, Y)
        pd.testing.assert_frame_equal(out.X, alone.X)
        pd.testing.assert_series_equal(out.y, alone.y)
        assert out.record.n_matched == alone.record.n_matched == N, column


def test_nested_parameters_are_exposed():
    process = CorruptionProcess([("hide", CorruptMissing("pay")), ("flip", CorruptLabels())])
    assert process.get_params()["hide__columns"] == "pay"
    process.set_params(hide__rate=1.0, flip=SelectionBias(rate=0.5), random_state=0)
    X_out, _ = process.fit_resample(X, Y)
    assert len(X_out) == N // 2 and X_out["pay"].isna().all()
    with pytest.raises(ValueError, match="Invalid parameter 'speed'"):
        process.set_params(hide__speed=1)


def test_members_are_not_fitted_or_changed():
    member = CorruptMissing("pay")
    process = CorruptionProcess([("hide", member)]).fit(X, Y)
    process.corrupt(X, Y)
    assert set(vars(member)) == set(member.get_params())


class Relabel(SampleCorruption):
    def _strike_rows(self, rows, table, target, reference, noise):
        return Edit(labels=Cells(rows, 7))


@pytest.mark.parametrize(
    ("members", "noise", "error", "message"),
    [
        ([], None, ValueError, "is empty"),
        ("missing", None, ValueError, "'corruptions' parameter"),
        ([("a", "drop")], None, TypeError, "'a' is a str"),
        (["a"], None, TypeError, "should be a pair"),
        ([CorruptMissing()], None, TypeError, "should be a pair"),
        ([("a", CorruptionProcess([]))], None, TypeError, "single corruptions"),
        ([("a", CorruptMissing()), ("a", CorruptLabels())], None, ValueError, "not unique"),
        ([("a__b", CorruptMissing())], None, ValueError, "must not contain __"),
        ([("a", CorruptMissing("pay")), ("b", CorruptNoise(["age", "pay"]))], None, ValueError,
         "'a' and 'b' both strike column 'pay'"),
        ([("a", CorruptLabels()), ("b", CorruptLabels(pattern="y == 1"))], None, ValueError,
         "'a' and 'b' both strike the labels"),
        ([("a", CorruptLabels()), ("b", Relabel())], None, ValueError, "strike the labels"),
        ([("a", CorruptMissing(when="always"))], None, ValueError, 'use when="fit"'),
        ([("a", CorruptMissing("pay"))], {"g": ["a", "z"]}, ValueError, "group 'g'"),
        ([("a", CorruptMissing("pay"))], {"g": ["a"]}, ValueError, "at least two"),
        (
            [("a", CorruptMissing("pay")), ("b", CorruptMissing("age")), ("c", CorruptLabels())],
            {"g": ["a", "b"], "h": ["b", "c"]},
            ValueError,
            "member 'b' is in group 'g' and in group 'h'; it should be in one group",
        ),
        ([("a", CorruptMissing("pay", rate=2))], None, ValueError, "'rate' parameter"),
        ([("a", CorruptMissing("wage"))], None, ValueError, "no column 'wage'"),
        ([("a", CorruptScale(factor=1))], None, ValueError, "factor=1"),
        ([("a", SelectionBias(rate=1.0))], None, ValueError, "would drop all"),
    ],
)  # fmt: skip
def test_members_that_do_not_go_together_are_refused(members, noise, error, message):
    with pytest.raises(error, match=message):
        CorruptionProcess(members, noise=noise).fit_resample(X, Y)


def test_a_member_without_effect_warns_under_its_own_name():
    process = CorruptionProcess(
        [("hide", CorruptMissing("pay", pattern="age > 999")), ("flip", CorruptLabels())]
    )
    with pytest.warns(UserWarning, match="CorruptMissing changed nothing"):
        process.fit_resample(X, Y)


def test_labels_are_required_where_a_member_needs_them():
    assert CorruptionProcess([("a", CorruptLabels())]).__sklearn_tags__().target_tags.required
    needs = CorruptionProcess([("a", CorruptMissing(pattern="y == 1"))])
    assert needs.__sklearn_tags__().target_tags.required
    with pytest.raises(ValueError, match="y is needed"):
        needs.fit_resample(X)
    free = CorruptionProcess([("a", CorruptMissing())])
    assert not free.__sklearn_tags__().target_tags.required
    assert free.fit_resample(X)[1] is None


def test_sparse_tables_go_in_unless_a_member_refuses_them():
    tags = CorruptionProcess([("a", CorruptMissing())]).__sklearn_tags__()
    assert tags.input_tags.sparse
    tags = CorruptionProcess([("a", CorruptMissing()), ("b", CorruptCategories())])
    assert not tags.__sklearn_tags__().input_tags.sparse


def graph():
    return CorruptionProcess(
        [
            ("hide", CorruptMissing("pay", mechanism=MAR(), pattern="job == 'a' and y == 1")),
            ("flip", CorruptLabels(pattern="age < 30")),
            ("drop", SelectionBias(pattern="y == 0")),
            ("copy", CorruptDuplicates()),
        ],
        noise={"both": ["hide", "flip"]},
    ).dependency_graph(X, Y)


def test_dependency_graph_as_text():
    assert graph().to_text().splitlines() == [
        "pay* <- pay, job, y, age, N_both",
        "y* <- y, age, N_both",
        "S <- y, N_drop",
        "copies <- N_copy",
    ]
    assert str(graph()) == graph().to_text()


def test_dependency_graph_nodes_and_edges():
    g = graph()
    assert g.nodes["pay*"] == "corrupted" and g.nodes["pay"] == "original"
    assert g.nodes["S"] == "selection" and g.nodes["copies"] == "copies"
    children = {child for _, child in g.edges}
    parents = {parent for parent, _ in g.edges}
    assert not children & parents
    assert {node for node, kind in g.nodes.items() if kind == "noise"} == {
        "N_both",
        "N_drop",
        "N_copy",
    }
    assert set(g.nodes) == children | parents


def test_dependency_graph_as_mermaid():
    lines = graph().to_mermaid().splitlines()
    assert lines[0] == "flowchart LR"
    names = {line.split("[")[0].split("(")[0].strip() for line in lines[1:] if "-->" not in line}
    arrows = [line.split("-->") for line in lines if "-->" in line]
    assert len(arrows) == len(graph().edges)
    assert {name.strip() for arrow in arrows for name in arrow} == names
    assert '    n0["pay"]' in lines


def test_dependency_graph_of_cells_missing_together_depends_on_all_of_them():
    member = CorruptMissing(["age", "pay"], mechanism=MNAR())
    text = CorruptionProcess([("m", member)]).dependency_graph().to_text()
    assert text.splitlines() == ["age* <- age, pay, N_m", "pay* <- pay, age, N_m"]
    member.set_params(same_rows=False)
    text = CorruptionProcess([("m", member)]).dependency_graph().to_text()
    assert text.splitlines() == ["age* <- age, N_m", "pay* <- pay, N_m"]


def test_dependency_graph_without_data_and_with_a_column_called_y():
    process = CorruptionProcess(
        [("m", CorruptMissing(pattern="`y` > 3 and y == 1")), ("s", CorruptScale("y"))]
    )
    assert process.dependency_graph().to_text().splitlines() == [
        "X* <- X, `y`, y, N_m",
        "`y`* <- `y`, N_s",
    ]


def test_a_process_within_itself_is_refused_by_name():
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0]}), [0, 1, 0]
    one = CorruptionProcess([("m", CorruptMissing("a"))])
    other = CorruptionProcess([("one", one)])
    itself = CorruptionProcess([("m", CorruptMissing("a"))])
    itself.corruptions.append(("again", itself))
    one.corruptions.append(("other", other))
    for process, name in ((itself, "again"), (one, "one"), (other, "other")):
        for act in (
            lambda p: p.fit(X, y),
            lambda p: p.corrupt(X, y),
            lambda p: p.fit_resample(X, y),
            lambda p: p.to_dict(),
            lambda p: p.get_params(),
            lambda p: p.set_params(m__rate=0.1),
            lambda p: p.dependency_graph(),
            clone,
        ):
            with pytest.raises(ValueError, match=f"corruptions: '{name}' is the process itself"):
                act(process)
        assert repr(process) == "CorruptionProcess([a member of itself])"


def test_one_corruption_listed_twice_is_two_members():
    twice = CorruptLabels(rate=0.5)
    with pytest.raises(ValueError, match="'a' and 'b' both strike the labels"):
        CorruptionProcess([("a", twice), ("b", twice)]).fit([[1.0], [2.0]], [0, 1])
    twice = SelectionBias(rate=0.25)
    process = CorruptionProcess([("a", twice), ("b", twice)], random_state=0)
    assert len(process.fit_resample(np.arange(8.0)[:, None])[0]) in (4, 5, 6)
