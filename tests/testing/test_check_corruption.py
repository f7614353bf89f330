"""The common check suite: shipped classes pass, one broken corruption a rule fails."""

import dataclasses
import random
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from skcorrupt import (
    MAR,
    MNAR,
    CorruptCategories,
    CorruptClip,
    CorruptDates,
    CorruptDuplicates,
    CorruptExchange,
    CorruptionProcess,
    CorruptLabels,
    CorruptMissing,
    CorruptNoise,
    CorruptOutliers,
    CorruptRounding,
    CorruptScale,
    CorruptSentinel,
    CorruptShiftRows,
    CorruptStuck,
    CorruptText,
    CorruptType,
    FeatureCorruption,
    SampleCorruption,
    SelectionBias,
)
from skcorrupt.base import CorruptionResult, Edit, Noise
from skcorrupt.testing import check_corruption, yield_corruption_checks
from skcorrupt.utils import Cells

FRAMES = {"mixed frame", "numeric frame", "polars frame"}
ARRAYS = {"float array", "integer array", "object array"}
SPARSE = {"sparse csr", "sparse csc"}
EVERYTHING = FRAMES | ARRAYS | SPARSE
WITH_TEXT = {"mixed frame", "object array", "polars frame"}

SHIPPED = [
    (CorruptMissing(), EVERYTHING),
    (CorruptMissing("x0", rate=0.3, pattern="x1 > 0"), EVERYTHING),
    (CorruptMissing(["x0", "x1"], mechanism=MNAR(strength=2.0)), EVERYTHING),
    (CorruptMissing("x1", mechanism=MAR(strength=-1.0), when="always"), EVERYTHING),
    (
        CorruptMissing(["x0", "x2"], mechanism=MAR("x1"), same_rows=False),
        EVERYTHING,
    ),
    (CorruptNoise(), EVERYTHING),
    (CorruptNoise(scale=0.1, same_rows=False, when="always"), EVERYTHING),
    (CorruptOutliers(), EVERYTHING),
    (
        CorruptOutliers("x1", magnitude=3.0, pattern={"x0": (None, 1)}, when="always"),
        EVERYTHING - {"integer array"},
    ),
    (CorruptCategories(), WITH_TEXT),
    (CorruptCategories("x2"), FRAMES | ARRAYS),
    (CorruptCategories(kind="typo", when="always"), WITH_TEXT),
    (CorruptCategories("x1", kind="unseen"), FRAMES | ARRAYS),
    (
        CorruptCategories(kind="branch", hierarchy={"red": "warm", "blue": "cold", "a": 1, "c": 2}),
        WITH_TEXT,
    ),
    (
        CorruptCategories(kind="branch", hierarchy={"S": 0, "M": 1, "a": 0, "b": 1}, when="always"),
        WITH_TEXT,
    ),
    (
        CorruptCategories(transition={"red": {"blue": 1, "teal": 2}, "a": "c"}, when="always"),
        WITH_TEXT,
    ),
    (CorruptClip(), EVERYTHING),
    (CorruptClip(lower=-0.5, upper={"x0": 0.5, "x1": 20}, when="always"), EVERYTHING),
    (CorruptDates(), {"mixed frame", "polars frame"}),
    (CorruptDates(kind="time_zone", when="always"), {"mixed frame", "polars frame"}),
    (CorruptDates("x5", kind="year", years=4, rate=0.3), {"mixed frame", "polars frame"}),
    (CorruptDates(kind="format", when="always"), {"mixed frame"}),
    (CorruptRounding(), EVERYTHING),
    (CorruptRounding(step=0.5, same_rows=False, pattern="x1 > 0"), EVERYTHING - {"integer array"}),
    (CorruptRounding(step={"x1": 10}, when="always", same_rows=False), EVERYTHING),
    (CorruptScale(), EVERYTHING),
    (CorruptScale(["x1"], factor=-0.5, when="always"), EVERYTHING),
    (CorruptScale(factor=1.0, offset=0.5, rate=0.3), EVERYTHING),
    (CorruptSentinel(), EVERYTHING),
    (CorruptSentinel(value=-1, when="always", same_rows=False), EVERYTHING),
    (CorruptSentinel(["x2"], value="unknown", pattern="x1 > 0"), WITH_TEXT),
    (CorruptStuck(), EVERYTHING),
    (CorruptStuck(["x0", "x1"], order="x2", same_rows=False), EVERYTHING),
    (CorruptStuck("x0", order="x1", group="x2", pattern="x1 > 0"), WITH_TEXT | SPARSE),
    (CorruptShiftRows(), EVERYTHING),
    (CorruptShiftRows(["x1"], offset=-3, order="x0", mechanism=MAR("x0")), EVERYTHING),
    (CorruptExchange(), EVERYTHING),
    (CorruptExchange(["x1", "x0"], when="always"), EVERYTHING),
    *((CorruptText(kind=kind), WITH_TEXT) for kind in ("typo", "ocr", "case")),
    (CorruptText(kind="truncate"), {"mixed frame", "polars frame"}),
    (CorruptText(kind="whitespace", when="always", same_rows=False), WITH_TEXT),
    (CorruptText("x2", kind="abbreviate", pattern="x1 > 0"), {"mixed frame", "polars frame"}),
    (CorruptType(), {"mixed frame", "numeric frame", "object array"}),
    (
        CorruptType("x1", kind="unit", when="always"),
        {"mixed frame", "numeric frame", "object array"},
    ),
    (CorruptLabels(), EVERYTHING - {"numeric frame"}),
    (CorruptLabels(missing_label=-1), EVERYTHING),
    (CorruptLabels(missing_label=float("nan"), pattern="x0 >= 0"), EVERYTHING),
    (
        CorruptLabels(shift=1.5),
        {"numeric frame", "float array", "polars frame"} | SPARSE,
    ),
    (CorruptLabels(transition={"a": {"b": 0.7, "c": 0.3}}), {"mixed frame", "object array"}),
    (CorruptLabels(transition=[[0, 1, 1], [1, 9, 0], [0, 0, 1]]), None),
    (
        CorruptLabels(pattern="y == 1"),
        {"float array", "integer array", "polars frame"} | SPARSE,
    ),
    (SelectionBias(), EVERYTHING),
    (SelectionBias(pattern="x0 <= 0", rate=0.5), EVERYTHING - {"integer array"}),
    (CorruptDuplicates(), EVERYTHING),
    (CorruptDuplicates(pattern="y == 'a'"), {"mixed frame", "object array"}),
    (CorruptDuplicates(jitter=0.5), EVERYTHING),
    (CorruptDuplicates(wrong_labels=True, jitter=0.1), EVERYTHING - {"numeric frame"}),
    (
        CorruptionProcess(
            [
                ("missing", CorruptMissing("x0", pattern="x1 >= 0")),
                ("labels", CorruptLabels(rate=0.3)),
                ("bias", SelectionBias(rate=0.2)),
                ("copies", CorruptDuplicates()),
            ],
            noise={"shared": ["missing", "labels"]},
        ),
        EVERYTHING - {"numeric frame"},
    ),
    (CorruptionProcess([("unit", CorruptScale("x0")), ("far", CorruptOutliers("x1"))]), EVERYTHING),
]


def each_kind_first():
    """The first of every class, and the others, which take longer than all tests of them alone."""
    seen = set()
    for corruption, data in SHIPPED:
        others = [pytest.mark.slow] if type(corruption) in seen else []
        seen.add(type(corruption))
        yield pytest.param(corruption, data, marks=others, id=repr(corruption)[:70])


@pytest.mark.parametrize(("corruption", "data"), list(each_kind_first()))
@pytest.mark.many
def test_shipped_corruptions_keep_every_rule(corruption, data):
    checks = list(yield_corruption_checks(corruption))
    for check in checks:
        check()
    covered = {check.__name__.split("[")[1].rstrip("]") for check in checks}
    if data is not None:
        assert covered == data


def test_the_data_given_is_checked_as_it_is():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"age": rng.permutation(50), "job": rng.permutation(list("abcde") * 10)})
    checks = list(
        yield_corruption_checks(
            CorruptMissing("age", pattern="job in ('a', 'b', 'c') and y == 'no'"),
            X=X,
            y=rng.permutation(["yes", "no"] * 25),
        )
    )
    for check in checks:
        check()
    assert {check.__name__.split("[")[1] for check in checks} == {
        "the given data]",
        "the given data under duplicate index labels]",
    }


class CorruptSign(FeatureCorruption):
    """A sound corruption of a user's own, without anything of its own but the error."""

    _kinds = ("integer", "real")

    def _new_values(self, struck):
        return -struck.values


class DropRows(SampleCorruption):
    """A sound sampler of a user's own."""

    def _strike_rows(self, rows, table, target, reference, noise):
        return Edit(dropped=rows)


@pytest.mark.many
@pytest.mark.parametrize("corruption", [CorruptSign(), CorruptSign("x0", rate=0.4), DropRows()])
def test_a_sound_corruption_of_a_users_own_passes(corruption):
    check_corruption(corruption)


@pytest.mark.long
def test_what_is_checked_stays_as_it_was():
    corruption = CorruptMissing("x0", rate=0.3, random_state=np.random.RandomState(3))
    before = corruption.random_state.get_state()[1].tolist()
    check_corruption(corruption)
    assert set(vars(corruption)) == set(corruption.get_params())
    assert corruption.random_state.get_state()[1].tolist() == before


def with_record(result, **changes):
    return CorruptionResult(result.X, result.y, dataclasses.replace(result.record, **changes))


class Both(CorruptSign):
    def fit_resample(self, X, y=None):
        return X, y


class ConvertsParameter(CorruptSign):
    def __init__(
        self,
        columns=None,
        *,
        pattern=None,
        rate=None,
        same_rows=True,
        when="fit",
        random_state=None,
    ):
        super().__init__(
            columns,
            pattern=pattern,
            rate=0.1 if rate is None else rate,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )


class AnyRate(CorruptSign):
    _parameter_constraints = {**CorruptSign._parameter_constraints, "rate": "no_validation"}


class ForgetsOnPickling(CorruptSign):
    def __getstate__(self):
        return {**super().__getstate__(), "rate": None}


class OpaqueRepr(CorruptSign):
    def __repr__(self, N_CHAR_MAX=700):
        return "<a corruption>"


class ReprWithoutRate(CorruptSign):
    def __init__(
        self,
        columns=None,
        *,
        pattern=None,
        rate=0.2,
        same_rows=True,
        when="fit",
        random_state=None,
    ):
        super().__init__(
            columns,
            pattern=pattern,
            rate=rate,
            same_rows=same_rows,
            when=when,
            random_state=random_state,
        )

    def __repr__(self, N_CHAR_MAX=700):
        return "ReprWithoutRate(rate=0.9)"


class JsonWithoutSeed(CorruptSign):
    @classmethod
    def from_dict(cls, data):
        return cls()

    def to_dict(self):
        return {**super().to_dict(), "corruption": "CorruptSign"}


class WritesIntoX(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if isinstance(X, pd.DataFrame):
            X.iloc[0, 1] = 99
        return result


class WritesIntoY(SelectionBias):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if isinstance(y, np.ndarray):
            y.flags.writeable = True
            y[0] = y[-1] if y[0] != y[-1] else y[y != y[-1]][0]
        return result


class RefusesReadOnly(CorruptSign):
    def corrupt(self, X, y=None):
        if isinstance(X, np.ndarray):
            X[:] = X
        return super().corrupt(X, y)


class GlobalNumpy(CorruptSign):
    def _new_values(self, struck):
        np.random.random()  # noqa: NPY002
        return -struck.values


class GlobalPython(CorruptSign):
    def _new_values(self, struck):
        random.random()
        return -struck.values


class RemembersCorrupt(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        self.last_ = result.record.n_corrupted
        return result


class ZeroIsNoSeed(CorruptSign):
    def _seed(self, reference):
        return super()._seed(reference) if self.random_state else np.random.SeedSequence().entropy


class OneSeed(CorruptSign):
    def _seed(self, reference):
        return 1


class WrongSeedInRecord(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return with_record(result, seed=result.record.seed + 1)


class MakesArrays(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        X_out = result.X.to_numpy() if isinstance(X, pd.DataFrame) else result.X
        return CorruptionResult(X_out, result.y, result.record)


class AnyFormat(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return result._replace(X=result.X.tocoo() if sparse.issparse(X) else result.X)


class TurnsColumnsRound(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        X_out = result.X.iloc[:, ::-1] if isinstance(X, pd.DataFrame) else result.X
        return result._replace(X=X_out)


class LosesIndex(DropRows):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        X_out = result.X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else result.X
        return result._replace(X=X_out)


class LosesNameOfY(CorruptDuplicates):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return result._replace(y=result.y.rename(None) if isinstance(y, pd.Series) else result.y)


class CountsWrong(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return with_record(result, n_corrupted=result.record.n_corrupted + 1)


class WrongFraction(CorruptSign):
    def corrupt(self, X, y=None):
        return with_record(super().corrupt(X, y), row_fraction=0.123)


class ShortIndices(DropRows):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return with_record(result, sample_indices=result.record.sample_indices[:-1])


class ShufflingTransformer(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        return with_record(result, sample_indices=result.record.sample_indices[::-1])


class EmptyMask(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if isinstance(X, np.ndarray) and X.dtype.kind == "f" and result.record.n_corrupted:
            X_out = result.X.copy()
            X_out[0, 0] += 0.5
            mask = result.record.X_mask.copy()
            mask[0, 0] = False
            mask[0, 1] = mask[0].any() or struck_before(result, 0)
            return with_record(result._replace(X=X_out), X_mask=mask)
        return result


def struck_before(result, row):
    return bool(result.record.X_mask[row].any())


class NegatesZero(CorruptSign):
    """−0.0 equals 0.0, but its bits are others."""

    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if sparse.issparse(X) or not isinstance(X, np.ndarray) or X.dtype.kind != "f":
            return result
        return result._replace(X=np.where(result.X == 0, -0.0, result.X))


class TurnedMask(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if isinstance(X, np.ndarray):
            return with_record(result, X_mask=result.record.X_mask[:, :-1])
        return result


class ChangesOtherLabels(SelectionBias):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if isinstance(y, np.ndarray) and y.dtype.kind == "i" and result.record.n_corrupted:
            return result._replace(y=result.y + 1)
        return result


class WidensEverything(CorruptSign):
    def corrupt(self, X, y=None):
        result = super().corrupt(X, y)
        if isinstance(X, pd.DataFrame) and "x3" in X and result.record.n_corrupted:
            return result._replace(X=result.X.astype({"x3": object}))
        return result


class KeepsSomeLabels(SampleCorruption):
    def _strike_rows(self, rows, table, target, reference, noise):
        values = target.values[rows]
        return Edit(labels=Cells(rows, np.roll(values, 1)))


class IgnoresPattern(DropRows):
    def _matched(self, table, target, among):
        return None


class WarnsAtZero(CorruptSign):
    def fit(self, X, y=None):
        if self.rate == 0:
            warnings.warn("rate is 0", UserWarning, stacklevel=2)
        return super().fit(X, y)


class AtLeastOne(CorruptSign):
    @property
    def _rate(self):
        return max(0.1, super()._rate)


class SilentWithoutEffect(CorruptSign):
    def _warn_of_no_effect(self, edit, table, reference):
        return None


class ChangesNothing(CorruptSign):
    def _new_values(self, struck):
        return struck.values


class OneTooMany(CorruptSign):
    @property
    def _rate(self):
        rate = super()._rate
        return rate + 0.05 if 0 < rate < 0.95 else rate


class RoundsDown(DropRows):
    @property
    def _rate(self):
        rate = super()._rate
        return rate if rate == 1 else 0.9 * rate


class RateInTheSeed(CorruptSign):
    def _noise(self, table, reference, seed):
        return Noise(table.n_rows, seed + int(self._rate * 1000), seed)


class ValuesDependOnRate(FeatureCorruption):
    _kinds = ("real",)

    def _new_values(self, struck):
        return struck.values + np.random.default_rng(struck.size).normal(size=struck.size)


class ValuesDependOnPosition(CorruptSign):
    def _edit(self, table, target, reference, noise, among):
        edit = super()._edit(table, target, reference, noise, among)
        edit.cells = {j: Cells(c.rows, c.values * (j + 1)) for j, c in edit.cells.items()}
        return edit


class FitTransformsOtherwise(CorruptSign):
    def fit_transform(self, X, y=None):
        self.fit(X, y)
        result = self.set_params(rate=0.9).corrupt(X, y)
        self.record_ = result.record
        return result.X


class KeepsNoRecord(DropRows):
    def fit_resample(self, X, y=None):
        result = self.fit(X, y).corrupt(X, y)
        return result.X, result.y


class AlwaysCorrupts(CorruptSign):
    def transform(self, X):
        return self.corrupt(X).X


class TaggedDeterministic(CorruptSign):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = False
        return tags


class DependsOnPosition(CorruptSign):
    def _noise(self, table, reference, seed):
        return Noise(table.n_rows, seed, seed)


class ScaledByTheBatch(CorruptSign):
    def _edit(self, table, target, reference, noise, among):
        self._factor = table.n_rows
        edit = super()._edit(table, target, reference, noise, among)
        del self._factor
        return edit

    def _new_values(self, struck):
        return -struck.values * self._factor


class DtypeInTheNoise(CorruptSign):
    def _noise(self, table, reference, seed):
        kind = ord(table.values(0).dtype.kind)
        return super()._noise(table, reference, seed + kind)


class CrashesOnStrings(CorruptSign):
    def corrupt(self, X, y=None):
        if isinstance(X, pd.DataFrame):
            raise KeyError("x9")
        return super().corrupt(X, y)


class RefusesEverything(CorruptSign):
    def corrupt(self, X, y=None):
        raise ValueError("this corruption takes no data at all")


BROKEN = [
    ("check_transformer_or_sampler", Both()),
    ("check_parameters", ConvertsParameter()),
    ("check_bad_rate_refused", AnyRate()),
    ("check_pickle", ForgetsOnPickling()),
    ("check_repr_evaluates", OpaqueRepr()),
    ("check_repr_evaluates", ReprWithoutRate()),
    ("check_json_round_trip", JsonWithoutSeed(rate=0.3)),
    ("check_inputs_untouched", WritesIntoX()),
    ("check_inputs_untouched", WritesIntoY()),
    ("check_inputs_untouched", RefusesReadOnly()),
    ("check_global_random_state_untouched", GlobalNumpy()),
    ("check_global_random_state_untouched", GlobalPython()),
    ("check_corrupt_sets_no_state", RemembersCorrupt()),
    ("check_same_seed_same_result", ZeroIsNoSeed()),
    ("check_other_seed_other_rows", OneSeed()),
    ("check_record_seed_reproduces", WrongSeedInRecord()),
    ("check_container_kept", MakesArrays()),
    ("check_container_kept", AnyFormat()),
    ("check_columns_kept", TurnsColumnsRound()),
    ("check_index_kept", LosesIndex()),
    ("check_index_kept", LosesNameOfY()),
    ("check_record_consistent", CountsWrong()),
    ("check_record_consistent", WrongFraction()),
    ("check_record_consistent", ShortIndices()),
    ("check_record_consistent", ShufflingTransformer()),
    ("check_outside_mask_identical", EmptyMask()),
    ("check_outside_mask_identical", TurnedMask()),
    ("check_outside_mask_identical", ChangesOtherLabels()),
    ("check_dtypes_kept", WidensEverything()),
    ("check_struck_labels_change", KeepsSomeLabels()),
    ("check_pattern_respected", IgnoresPattern()),
    ("check_rate_zero_changes_nothing", WarnsAtZero()),
    ("check_rate_zero_changes_nothing", AtLeastOne()),
    ("check_no_effect_warns", SilentWithoutEffect()),
    ("check_changes_something", ChangesNothing()),
    ("check_exact_count", OneTooMany()),
    ("check_exact_count", RoundsDown()),
    ("check_rows_nested_in_rate", RateInTheSeed()),
    ("check_rows_nested_in_rate", ValuesDependOnRate()),
    ("check_column_order", ValuesDependOnPosition()),
    ("check_fit_and_corrupt_agree", FitTransformsOtherwise()),
    ("check_fit_and_corrupt_agree", KeepsNoRecord()),
    ("check_when_fit_passes_through", AlwaysCorrupts()),
    ("check_when_fit_passes_through", TaggedDeterministic()),
    ("check_when_always_follows_content", DependsOnPosition()),
    ("check_when_always_follows_content", ScaledByTheBatch()),
    ("check_when_always_follows_content", DtypeInTheNoise()),
    ("check_refuses_clearly", CrashesOnStrings()),
    ("check_takes_data", RefusesEverything()),
]


@pytest.mark.many
@pytest.mark.parametrize(
    ("rule", "corruption"), BROKEN, ids=[type(corruption).__name__ for _, corruption in BROKEN]
)
def test_a_broken_corruption_fails_by_the_name_of_its_rule(rule, corruption):
    with pytest.raises(AssertionError) as caught:
        check_corruption(corruption)
    assert str(caught.value).startswith(f"{rule}: {type(corruption).__name__} ")


def test_every_rule_has_a_broken_corruption():
    checks = yield_corruption_checks(CorruptSign())
    rules = {check.__name__.split("[")[0] for check in checks}
    assert rules <= {rule for rule, _ in BROKEN}


def test_bits_count_not_equality():
    X = np.c_[np.arange(40.0), np.zeros(40), np.arange(40.0)[::-1]]
    with pytest.raises(AssertionError, match="check_outside_mask_identical: NegatesZero"):
        for check in yield_corruption_checks(NegatesZero("x0"), X=X):
            if "outside" in check.__name__:
                check()


class OutOfPaper(CorruptSign):
    def fit_transform(self, X, y=None):
        raise RuntimeError("out of paper")


def test_a_crash_inside_a_check_names_the_rule():
    with pytest.raises(AssertionError, match="OutOfPaper raised RuntimeError: out of paper"):
        check_corruption(OutOfPaper())


def test_data_of_the_users_own_may_not_be_refused():
    with pytest.raises(AssertionError, match=r"check_takes_data: CorruptMissing .*income"):
        check_corruption(CorruptMissing("income"), X=np.ones((30, 2)))


def test_a_corruption_for_other_columns_asks_for_data():
    with pytest.raises(AssertionError, match="pass X and y"):
        check_corruption(CorruptMissing("income"))


def test_only_corruptions_are_checked():
    with pytest.raises(TypeError, match="subclass of BaseCorruption"):
        check_corruption("missing")
