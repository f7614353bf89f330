"""Tables in parts get the rows and values that tables in memory get, however they are cut."""

import pickle
import shutil
from datetime import time
from pathlib import Path

import dask
import dask.dataframe as dd
import numpy as np
import polars as pl
import pyarrow.dataset as ds
import pytest
from hypothesis import given, strategies as st
from joblib import parallel_config, register_parallel_backend
from joblib._parallel_backends import ThreadingBackend
from polars.io.plugins import register_io_source

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
    FeatureCorruption,
    SampleCorruption,
    SelectionBias,
)
from skcorrupt.base import Edit
from skcorrupt.base._row_order import RowOrder, order_mark
from skcorrupt.evaluation import corrupt_to_parquet
from skcorrupt.utils import _sources

N_ROWS = 900


def table(n=N_ROWS):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "id": np.arange(n),
            "age": rng.integers(17, 90, n),
            "weight": rng.normal(70, 12, n),
            "job": rng.choice(["clerk", "nurse", "smith"], n),
            "owns": rng.random(n) < 0.4,
            "y": rng.choice(["no", "yes"], n),
        }
    )
    # some parts have no missing value, so that they would be read as integers by themselves
    age = pl.when(pl.col("id") > n - 50).then(None).otherwise(pl.col("age"))
    since = pl.datetime(2020, 1, 1) + pl.duration(hours=pl.col("id"))
    return frame.with_columns(age.alias("age"), since=since)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(_sources, "PART_ROWS", 200)
    monkeypatch.setattr(_sources, "AT_ONCE", 3)


def in_memory(corruption, frame, key=None):
    result = corruption.corrupt(frame.drop("y"), frame["y"], key=key)
    return result.X.with_columns(result.y).select(frame.columns), result.record


def folder(path, frame, cuts):
    """The frame in files that end at some rows."""
    path.mkdir()
    for i, (first, last) in enumerate(zip([0, *cuts], [*cuts, frame.height], strict=True)):
        frame[first:last].write_parquet(path / f"f{i}.parquet", row_group_size=130)
    return path


KINDS = {
    "missing": CorruptMissing(["age", "job"], rate=0.1),
    "missing by pattern": CorruptMissing(pattern="age >= 40 and y == 'yes'", same_rows=False),
    "missing outside": CorruptMissing("job", pattern="age >= 40", rate=0.2, outside_ratio=0.5),
    "missing by others": CorruptMissing("weight", mechanism=MAR(["age", "job"])),
    "missing by itself": CorruptMissing(["weight", "age"], mechanism=MNAR()),
    "missing early": CorruptMissing("weight", sampling="exponential"),
    "noise": CorruptNoise(["age", "weight", "job", "owns", "since"]),
    "outliers": CorruptOutliers(["age", "weight", "job", "since"]),
    "whole factor": CorruptScale("age", factor=2.0),
    "factor": CorruptScale(["age", "weight"], factor=2.2),
    "sentinel": CorruptSentinel(),
    "categories": CorruptCategories("job"),
    "typos": CorruptCategories("job", kind="typo"),
    "text": CorruptText(),
    "dates": CorruptDates("since"),
    "rounding": CorruptRounding(["age", "weight"], step=5),
    "clip": CorruptClip("weight", lower=60, upper=80),
    "exchange": CorruptExchange(["age", "id"]),
    "labels": CorruptLabels(mechanism=MAR("age"), rate=0.3),
    "labels outside": CorruptLabels(pattern="age >= 40", rate=0.2, outside_ratio=0.5),
    "selection outside": SelectionBias(pattern="age >= 40", rate=0.4, outside_ratio=0.2),
    "selection": SelectionBias(pattern="y == 'no'", rate=0.9),
    "process": CorruptionProcess(
        [
            ("gaps", CorruptMissing("weight", pattern="y == 'no'", rate=0.3)),
            ("bias", SelectionBias(pattern="age <= 40", rate=0.5)),
            ("labels", CorruptLabels(rate=0.1)),
        ],
        noise={"shared": ["gaps", "labels"]},
    ),
}


@pytest.mark.many
@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_a_table_in_memory(kind):
    corruption = KINDS[kind].set_params(random_state=3)
    frame = table()
    expected, record = in_memory(corruption, frame)
    result = corruption.corrupt(frame.lazy(), "y")
    found = result.X.collect()
    assert found.schema == expected.schema == result.X.collect_schema()
    assert found.equals(expected)
    assert result.y.collect().equals(expected.select("y"))
    assert result.record.n_corrupted == record.n_corrupted > 0
    assert result.record.n_matched == record.n_matched
    assert result.record.row_fraction == record.row_fraction


@pytest.mark.parametrize("columns", [["job", "task"], ["task", "grade"], None])
def test_texts_are_exchanged_as_in_memory(columns):
    kinds = {"clerk": "files", "nurse": None, "smith": "iron"}
    task = pl.col("job").replace_strict(kinds).reverse()
    grade = pl.col("job").cast(pl.Categorical).alias("grade")
    # the first part has no task at all
    task = pl.when(pl.col("id") >= 250).then(task)
    frame = table().with_columns(task.alias("task"), grade)
    error = CorruptExchange(columns, rate=0.4, random_state=3)
    expected, record = in_memory(error, frame)
    result = error.corrupt(frame.lazy(), "y")
    assert result.X.collect().equals(expected)
    assert result.record.n_corrupted == record.n_corrupted > 0


def test_cells_of_which_the_kind_is_not_known_are_not_exchanged_in_parts():
    frame = table(300).with_columns(pl.concat_list("id", "age").alias("both"))
    frame = frame.with_columns(pl.concat_list("id", "id").alias("twice"))
    error = CorruptExchange(["both", "twice"], rate=0.4, random_state=3)
    with pytest.raises(ValueError, match=r"'both' \(List\(Int64\)\) .* on a sample in memory"):
        error.corrupt(frame.lazy(), "y")
    expected, _ = in_memory(error, frame)
    fitted = error.fit(frame.drop("y")[:100], frame["y"][:100])
    assert fitted.corrupt(frame.lazy(), "y").X.collect().equals(expected)


@pytest.mark.parametrize("pattern", ["since < '2020-01-20'", "size >= 'middle'", "job <= 'nurse'"])
def test_patterns_of_texts_ask_the_columns_that_they_name(pattern):
    sizes = pl.Enum(["small", "middle", "large"])
    size = pl.col("job").replace_strict(["clerk", "nurse", "smith"], sizes.categories)
    # a part has the columns that it takes, among which others stand at their places
    frame = table().with_columns(size.cast(sizes).alias("size"))
    corruption = CorruptMissing("weight", pattern=pattern, rate=0.3, random_state=3)
    if pattern.startswith("job"):
        jobs = pl.Enum(["smith", "nurse", "clerk"])
        frame = frame.with_columns(pl.col("job").cast(jobs))
    expected, record = in_memory(corruption, frame)
    result = corruption.corrupt(frame.lazy(), "y")
    assert result.X.collect().equals(expected)
    assert result.record.n_matched == record.n_matched > 0


@pytest.mark.parametrize("way", [{"noise": 0.5}, {"factor": 2.5, "shift": 1}])
def test_labels_that_are_numbers(way):
    frame = table().drop("y").rename({"weight": "y"})
    for y in (pl.col("y"), pl.col("y").round().cast(pl.Int64)):
        error = CorruptLabels(rate=0.3, random_state=3, **way)
        expected, record = in_memory(error, frame.with_columns(y))
        result = error.corrupt(frame.with_columns(y).lazy(), "y")
        assert result.y.collect().equals(expected.select("y"))
        assert result.record.n_corrupted == record.n_corrupted > 0


@pytest.mark.parametrize("cuts", [[], [1], [450], [3, 300, 301, 899]])
def test_the_same_rows_however_the_table_is_cut(tmp_path, cuts):
    corruption = CorruptMissing("job", pattern="weight >= 60", rate=0.3, random_state=1)
    frame = table()
    expected, record = in_memory(corruption, frame)
    source = folder(tmp_path / "clean", frame, cuts)
    result = corrupt_to_parquet(
        corruption, source, tmp_path / "dirty", y="y", record_path=tmp_path / "record"
    )
    assert result.X.collect().equals(expected)
    events, wanted = result.record.to_lazy().collect(), record.to_frame()
    for name in ("event", "source", "column"):
        assert events[name].to_list() == wanted[name].tolist()


def test_rows_struck_at_a_lower_rate_are_among_those_of_a_higher_one():
    struck = []
    for rate in (0.05, 0.2, 0.6):
        error = CorruptMissing("job", rate=rate, random_state=0)
        record = error.corrupt(table().lazy(), "y").record
        assert record.n_corrupted == round(rate * N_ROWS)
        struck.append(set(record.to_lazy().collect()["source"]))
    assert struck[0] < struck[1] < struck[2]


def test_a_first_part_that_misleads():
    # the mechanism strikes at the end, so that the first parts say little of where the cut is
    n = 30_000
    frame = pl.DataFrame({"x": np.linspace(-1.0, 1.0, n) ** 9, "y": np.zeros(n, dtype=int)})
    error = CorruptMissing("x", mechanism=MNAR(8.0), rate=0.05, random_state=0)
    expected, _ = in_memory(error, frame)
    for rows in (1000, 5000):
        _sources.PART_ROWS = rows
        assert error.corrupt(frame.lazy(), "y").X.collect().equals(expected)


def sources(frame, path):

    return {
        "folder": folder(path, frame, [400]),
        "one file": path / "f0.parquet",
        "glob": str(path / "*.parquet"),
        "data set": ds.dataset(path),
        "Arrow table": frame.to_arrow(),
        "lazy frame": pl.scan_parquet(path / "*.parquet"),
        "Dask frame": dd.from_pandas(frame.to_pandas(), npartitions=4),
    }


def test_the_same_for_every_engine(tmp_path):
    frame = table().drop("since")
    error = CorruptNoise(["weight", "job"], pattern="owns == True", random_state=0)
    for name, source in sources(frame, tmp_path / "clean").items():
        expected, _ = in_memory(error, frame[:400] if name == "one file" else frame)
        assert error.corrupt(source, "y").X.collect().equals(expected), name


def test_keys_do_without_an_order():
    frame = table()
    error = CorruptNoise(["weight", "job"], pattern="y == 'no'", rate=0.3, random_state=0)
    expected, record = in_memory(error, frame, key="id")
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=0)
    result = error.corrupt(shuffled.lazy(), "y", key="id")
    assert result.X.sort("id").collect().equals(expected)
    assert result.record.n_corrupted == record.n_corrupted
    events = result.record.to_lazy().filter(pl.col("column") == "job").collect()
    assert sorted(events["id"]) == np.flatnonzero(record.X_mask[:, 3]).tolist()
    assert in_memory(error, frame)[1].n_corrupted == record.n_corrupted
    assert not in_memory(error, frame)[0].equals(expected)


def test_only_what_is_asked_for_is_made():
    error = CorruptMissing("job", rate=0.3, random_state=0)
    result = error.corrupt(table().lazy(), "y")
    some = result.X.filter(pl.col("job").is_null()).select("id", "job").head(7).collect()
    assert some.shape == (7, 2)
    assert result.X.select("age").collect().equals(table().select("age"))
    assert result.X.head(5).collect().equals(in_memory(error, table())[0][:5])


def test_a_fitted_error_keeps_what_it_learned():
    sample = table()[:100]
    error = CorruptClip("weight", random_state=0).fit(sample.drop("y"))
    expected, _ = in_memory(error, table())
    assert error.corrupt(table().lazy(), "y").X.collect().equals(expected)
    always = CorruptNoise("weight", when="always", random_state=0).fit(sample.drop("y"))
    expected, _ = in_memory(always, table())
    assert always.corrupt(table().lazy(), "y").X.collect().equals(expected)
    with pytest.raises(ValueError, match=r"corruption\.fit\(sample\)"):
        CorruptClip("weight").corrupt(table().lazy())


@pytest.mark.parametrize("workers", [1, 2])
def test_a_call_that_stopped_is_taken_up_again(tmp_path, workers):
    error = CorruptOutliers("weight", rate=0.2, random_state=0)
    source, out = folder(tmp_path / "clean", table(), [300, 600]), tmp_path / "dirty"
    expected, _ = in_memory(error, table())
    corrupt_to_parquet(error, source, out, y="y")
    parts = sorted(out.glob("*.parquet"))
    before = [part.stat().st_mtime_ns for part in parts]
    parts[1].unlink()
    with parallel_config(backend="threading"):
        result = corrupt_to_parquet(error, source, out, y="y", n_jobs=workers)
    assert result.X.collect().equals(expected)
    assert [part.stat().st_mtime_ns == t for part, t in zip(parts, before, strict=True)] == [
        i != 1 for i in range(len(parts))
    ]
    with pytest.raises(ValueError, match="holds files of something else"):
        corrupt_to_parquet(error.set_params(rate=0.3), source, out, y="y")


@pytest.mark.parametrize(
    ("corruption", "options", "message"),
    [
        (CorruptStuck("weight"), {}, "CorruptStuck takes values from other rows"),
        (CorruptShiftRows("weight"), {}, "CorruptShiftRows takes values from other rows"),
        (CorruptDuplicates(), {}, "CorruptDuplicates appends copies"),
        (CorruptMissing(when="always"), {}, "fit it on a sample in memory first"),
        (CorruptLabels(mechanism=MNAR()), {}, "learns from all labels at once"),
        (CorruptMissing(), {"key": "id"}, "'id' would be struck itself; .* columns=\\['age', "),
        (CorruptMissing("id"), {"key": "id"}, "itself; take another key, or leave 'id' out of col"),
        (CorruptMissing("job"), {"key": "nobody"}, "key='nobody' should name columns"),
        (CorruptMissing("job"), {"key": "age"}, "'age' has missing values"),
        (CorruptMissing("job"), {"key": "owns"}, "key='owns': rows that should be told apart"),
        (CorruptMissing("job", sampling="normal"), {"key": "id"}, "goes by the order of rows"),
        (CorruptMissing("job"), {"y": "label"}, "y='label' should be the name of the column"),
        (SelectionBias(rate=1.0), {}, "would drop all 900 rows"),
    ],
)
def test_what_cannot_be_done_in_parts_is_refused(corruption, options, message):
    with pytest.raises(ValueError, match=message):
        corruption.corrupt(table().lazy(), **{"y": "y", **options})


def test_kinds_of_ones_own():
    class Reversed(FeatureCorruption):
        _kinds = ("text",)

        def _new_values(self, struck):
            return np.array([value[::-1] for value in struck.values], dtype=object)

    class First(SampleCorruption):
        def _edit(self, table, target, reference, noise, among):
            return Edit(dropped=np.arange(5))

    class Half(SampleCorruption):
        def _strike_rows(self, rows, table, target, reference, noise):
            return Edit(dropped=rows)

    class Again(SampleCorruption):
        def _strike_rows(self, rows, table, target, reference, noise):
            return Edit(copied=rows)

    error = Reversed("job", rate=0.2, random_state=0)
    assert error.corrupt(table().lazy(), "y").X.collect().equals(in_memory(error, table())[0])
    with pytest.raises(ValueError, match="First looks at all rows together"):
        First().corrupt(table().lazy(), "y")
    drops = [("half", Half(rate=0.5)), ("gaps", CorruptMissing("job", rate=0.5))]
    error = CorruptionProcess(drops, random_state=0)
    assert error.corrupt(table().lazy(), "y").X.collect().equals(in_memory(error, table())[0])
    # polars has not always handed out an error of a source as it was raised
    wrapped = (ValueError, pl.exceptions.ComputeError)
    with pytest.raises(wrapped, match="appends copies of rows"):
        Again(random_state=0).corrupt(table().lazy(), "y").X.collect()


def test_faults_of_files_are_named(tmp_path):
    error = CorruptMissing("job", random_state=0)
    source = folder(tmp_path / "clean", table(), [300])
    table()[:0].write_parquet(source / "empty.parquet")
    assert error.corrupt(source, "y").record.n_samples_in == N_ROWS
    (source / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ValueError, match=r"broken\.parquet cannot be read as Parquet"):
        error.corrupt(source, "y")
    (source / "broken.parquet").unlink()
    table().cast({"weight": pl.String}).write_parquet(source / "other.parquet")
    with pytest.raises(ValueError, match=r"other\.parquet holds 'weight' as String, not as Float"):
        error.corrupt(source, "y")
    table().drop("age").write_parquet(source / "other.parquet")
    with pytest.raises(ValueError, match=r"other\.parquet has no column 'age'"):
        error.corrupt(source, "y")
    with pytest.raises(ValueError, match="is no file and no folder"):
        error.corrupt(tmp_path / "nothing")
    (source / "other.parquet").unlink()
    (source / "year=2020").mkdir()
    table().write_parquet(source / "year=2020" / "f.parquet")
    with pytest.raises(ValueError, match=r"hive_partitioning=True"):
        error.corrupt(source, "y")
    shutil.rmtree(source / "year=2020")
    with pytest.raises(ValueError, match="is where X is read from"):
        corrupt_to_parquet(error, source, source / "below", y="y")
    with pytest.raises(TypeError, match="which can be read once"):
        error.corrupt(table().to_arrow().to_reader())
    with pytest.raises(ValueError, match="has no rows"):
        error.corrupt(table()[:0].lazy(), "y")


def test_a_file_without_a_value_in_a_column_may_come_first(tmp_path):
    frame = table()
    source = folder(tmp_path / "clean", frame, [300])
    frame[:300].with_columns(job=pl.lit(None)).write_parquet(source / "f0.parquet")
    error = CorruptMissing("job", rate=0.3, random_state=0)
    jobs = pl.when(pl.col("id") >= 300).then(pl.col("job"))
    expected, record = in_memory(error, frame.with_columns(jobs))
    result = error.corrupt(source, "y")
    assert result.X.collect().equals(expected)
    assert result.record.n_corrupted == record.n_corrupted
    frame[:300].with_columns(job=pl.lit(None)).write_parquet(source / "f2.parquet")
    frame.cast({"job": pl.Categorical}).write_parquet(source / "f3.parquet")
    with pytest.raises(ValueError, match=r"f3\.parquet holds 'job' as Cat.*not as String"):
        error.corrupt(source, "y")


def test_files_that_change_once_rows_were_counted_are_refused(tmp_path):
    error = CorruptMissing("job", pattern="age >= 40", random_state=0)
    source = folder(tmp_path / "clean", table(), [300])
    result = error.corrupt(source, "y")
    table()[300:].reverse().write_parquet(source / "f1.parquet", row_group_size=130)
    # polars has not always handed out an error of a source as it was raised
    wrapped = (ValueError, pl.exceptions.ComputeError)
    for made in (result.X, result.record.to_lazy()):
        with pytest.raises(wrapped, match=r"f1\.parquet was changed after it was first read"):
            made.collect()
    (source / "f1.parquet").unlink()
    with pytest.raises(wrapped, match=r"f1\.parquet cannot be read"):
        result.X.collect()


def test_files_that_change_while_they_are_read_are_refused(tmp_path, monkeypatch):
    source = folder(tmp_path / "clean", table(), [300])
    read = _sources._read_part

    def other_meanwhile(path, first, n_rows, columns):
        if path.endswith("f1.parquet"):
            table()[300:].with_columns(pl.lit("clerk").alias("job")).write_parquet(path)
        return read(path, first, n_rows, columns)

    monkeypatch.setattr(_sources, "_read_part", other_meanwhile)
    with pytest.raises(ValueError, match=r"f1\.parquet was changed after it was first read"):
        CorruptMissing("job", random_state=0).corrupt(source, "y")


def test_columns_of_one_name_are_refused():
    error = CorruptMissing("job", random_state=0)
    frame = table()
    twice = frame.to_arrow().append_column("age", frame["age"].to_arrow())
    with pytest.raises(ValueError, match=r"X, an Arrow table has several columns .* 'age'; rename"):
        error.corrupt(twice, "y")
    pandas = frame.to_pandas()
    twice = dd.from_pandas(pandas.join(pandas[["age"]].rename(columns={"age": "b"})), npartitions=2)
    twice.columns = [*pandas.columns, "age"]
    with pytest.raises(ValueError, match=r"a Dask DataFrame has several columns .* 'age'; rename"):
        error.corrupt(twice, "y")


def test_errors_of_nobody_are_told():
    with pytest.warns(UserWarning, match="changed nothing in 900 rows"):
        CorruptMissing("job", pattern="age > 200").corrupt(table().lazy(), "y")


def test_the_label_may_be_called_by_its_name():
    frame = table().rename({"y": "answer"})
    error = CorruptMissing("job", pattern="answer == 'yes'", random_state=0)
    expected = error.corrupt(frame.drop("answer"), frame["answer"]).X
    assert error.corrupt(frame.lazy(), "answer").X.drop("answer").collect().equals(expected)


def in_turns(*frames):
    """A LazyFrame that gives another frame each time it is read."""
    left = list(frames)

    def read(with_columns, predicate, n_rows, batch_size):
        frame = left.pop(0) if len(left) > 1 else left[0]
        frame = frame if with_columns is None else frame.select(with_columns)
        yield frame if n_rows is None else frame.head(n_rows)

    return register_io_source(read, schema=frames[0].schema)


def test_rows_that_come_in_another_order_are_refused(tmp_path):
    frame = table()
    other = frame.sample(fraction=1.0, shuffle=True, seed=0)
    error = CorruptMissing("job", pattern="age >= 40 and y == 'yes'", rate=0.3, random_state=0)
    expected, _ = in_memory(error, frame)
    assert error.corrupt(in_turns(frame), "y").X.collect().equals(expected)
    # when they are counted, and when they are struck
    # some versions of polars say that a source failed, and how
    wrapped = (ValueError, pl.exceptions.ComputeError)
    with pytest.raises(wrapped, match=r"another order.*key=.*sort it.*sink_parquet"):
        error.corrupt(in_turns(frame, frame, frame, other), "y").X.collect()
    many = in_turns(*[frame.sample(fraction=1.0, shuffle=True, seed=i) for i in range(9)])
    with pytest.raises(wrapped, match="in another order"):
        error.corrupt(many, "y").X.collect()
    many = in_turns(*[frame.sample(fraction=1.0, shuffle=True, seed=i) for i in range(9)])
    with pytest.raises(ValueError, match="in another order"):
        corrupt_to_parquet(error, many, tmp_path / "out", y="y")
    # keys do without
    many = in_turns(*[frame.sample(fraction=1.0, shuffle=True, seed=i) for i in range(9)])
    keyed, _ = in_memory(error, frame, key="id")
    assert error.corrupt(many, "y", key="id").X.sort("id").collect().equals(keyed)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_the_mark_of_an_order_is_that_of_its_parts(values, random):
    frame = pl.DataFrame({"a": values})
    whole = order_mark(frame, ["a"], 0)
    cut = random.randint(0, len(values))
    order = RowOrder(["a"])
    order.add(frame[:cut], 0)
    order.add(frame[cut:], cut)
    assert order.mark == whole
    other = values.copy()
    random.shuffle(other)
    assert (order_mark(pl.DataFrame({"a": other}), ["a"], 0) == whole) == (other == values)


def test_what_is_no_file_is_written_anew(tmp_path):
    """Nothing tells whether it is the same table, cut in the same way."""
    out = tmp_path / "dirty"
    error = CorruptMissing("job", rate=0.2, random_state=0)
    frame = table().drop("since")
    first = corrupt_to_parquet(error, frame.lazy(), out, y="y").X.collect()
    other = frame.with_columns(pl.col("weight") + 1)
    second = corrupt_to_parquet(error, other.lazy(), out, y="y").X.collect()
    assert second.equals(in_memory(error, other)[0]) and not second.equals(first)
    for n in (4, 3):
        parts = dd.from_pandas(frame.to_pandas(), npartitions=n)
        result = corrupt_to_parquet(error, parts, tmp_path / "parts", y="y")
        assert result.X.select(pl.len()).collect().item() == N_ROWS
    # positions of rows without an order are others each time
    shuffled = [frame.sample(fraction=1.0, shuffle=True, seed=i) for i in range(30)]
    for _ in range(2):
        keyed = corrupt_to_parquet(error, in_turns(*shuffled), tmp_path / "keyed", y="y", key="id")
    assert keyed.X.sort("id").collect().equals(in_memory(error, frame, key="id")[0])


class ReadOnly(ThreadingBackend):
    """Results come back as from the shared memory of a cluster."""

    def submit(self, func, callback=None):
        # its name before joblib 1.5
        usual = getattr(super(), "submit", None) or super().apply_async
        return usual(lambda: _read_only(func()), callback)

    apply_async = submit


def _read_only(result):
    buffers = []
    data = pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
    held = [bytes(buffer.raw()) for buffer in buffers]
    return pickle.loads(data, buffers=held)


def test_workers_may_hand_back_what_is_read_only(tmp_path):
    register_parallel_backend("read-only", ReadOnly)
    source = folder(tmp_path / "clean", table(), [300, 600])
    error = CorruptNoise(["weight", "age"], pattern="y == 'no'", same_rows=False, random_state=0)
    expected, _ = in_memory(error, table())
    with parallel_config("read-only", n_jobs=2):
        result = corrupt_to_parquet(error, source, tmp_path / "dirty", y="y", n_jobs=2)
    assert result.X.collect().equals(expected)


def test_files_of_a_folder_and_addresses(tmp_path):
    frame = table().drop("since")
    source = folder(tmp_path / "clean", frame, [300])
    (source / "f1.parquet").rename(source / "f1.snappy.pq")
    for left in ("_temporary", ".hidden"):
        (source / left).mkdir()
        (source / left / "f9.parquet").write_bytes(b"not written to its end")
    error = CorruptMissing("job", random_state=0)
    assert error.corrupt(source, "y").record.n_samples_in == N_ROWS
    pattern = str(tmp_path / "cl*" / "*.p*q*")
    assert error.corrupt(pattern, "y").record.n_samples_in == N_ROWS
    for address in ("s3://bucket/a.parquet", Path("s3://bucket/a.parquet")):
        with pytest.raises(ValueError, match=r"scan_parquet\('s3://bucket/a\.parquet'\)"):
            error.corrupt(address)


def test_a_frame_that_cannot_be_read_is_named(tmp_path):
    table().write_parquet(tmp_path / "gone.parquet")
    gone = pl.scan_parquet(tmp_path / "gone.parquet")
    gone.collect_schema()
    (tmp_path / "gone.parquet").unlink()
    broken = table().lazy().with_columns(when=pl.col("job").str.to_date("%Y"))
    for frame, column in ((gone, "age"), (broken, "when")):
        with pytest.raises(ValueError, match=r"X, a polars LazyFrame cannot be read \(.*collect"):
            CorruptMissing(column).corrupt(frame)

    def batches(columns):
        yield from ds.dataset(table().to_arrow()).to_batches(columns=columns or ["age"])
        raise OSError("the disk is gone")

    source = _sources.ArrowBatches("X, a table", lambda columns: SCHEMA, ordered=True)
    source._open = batches
    with pytest.raises(ValueError, match=r"X, a table cannot be read \(OSError: the disk is gone"):
        CorruptMissing("age").corrupt(source)


SCHEMA = table().to_arrow().schema


def test_versions_of_polars_that_lose_rows_in_silence_are_refused(monkeypatch):
    monkeypatch.setattr(pl, "__version__", "1.36.1")
    with pytest.raises(ValueError, match=r"upgrade to polars 1\.37 or later, or write"):
        CorruptMissing("age").corrupt(table().lazy())


def test_relations_of_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    frame = table()
    frame.write_parquet(tmp_path / "people.parquet")
    relation = duckdb.connect().read_parquet(str(tmp_path / "people.parquet"))
    error = CorruptMissing("job", pattern="age >= 40", rate=0.3, random_state=0)
    with pytest.raises(ValueError, match="key="):
        error.corrupt(relation, "y")
    found = error.corrupt(relation, "y", key="id")
    expected = error.corrupt(frame.lazy(), "y", key="id")
    assert found.record.n_corrupted == expected.record.n_corrupted > 0
    assert found.X.collect().sort("id").equals(expected.X.collect().sort("id"))


class Stream:
    """A table of somebody else, of which nothing is known but its Arrow stream."""

    def __init__(self, *turns):
        self._turns = list(turns)

    def __arrow_c_stream__(self, requested_schema=None):
        frame = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        return frame.__arrow_c_stream__(requested_schema)


def test_whatever_gives_an_arrow_stream_is_read_by_key(tmp_path):
    frame = table()
    error = CorruptNoise("weight", pattern="age >= 40", rate=0.3, random_state=0)
    with pytest.raises(ValueError, match=r"X, a Stream has no order of rows.*key="):
        error.corrupt(Stream(frame), "y")
    expected, _ = in_memory(error, frame, key="id")
    turns = [frame.sample(fraction=1.0, shuffle=True, seed=i) for i in range(9)]
    written = corrupt_to_parquet(error, Stream(*turns), tmp_path / "out", y="y", key="id")
    assert written.X.sort("id").collect().equals(expected)
    # frames in memory have such streams as well
    for each in (frame, frame.to_pandas()):
        assert _sources.as_source(each) is None


@pytest.mark.parametrize("error", [CorruptSentinel, CorruptOutliers])
def test_times_of_day_become_texts_where_the_error_is_one(error):
    at = pl.Series([time(8, i) for i in range(20)])
    frame = pl.DataFrame({"at": at, "id": range(20)})
    made = error("at", rate=0.2, random_state=0).fit_transform(frame)["at"]
    assert made.dtype == pl.String
    assert (made != at.cast(pl.String)).sum() == 4


def place(frame, first):
    return first, frame.height


# of Dask itself, with newer versions of pandas
@pytest.mark.many
@pytest.mark.filterwarnings("ignore:The inplace keyword")
@pytest.mark.parametrize("filesystem", ["fsspec", "arrow"])
@pytest.mark.long
def test_partitions_of_a_cluster_stay_whichever_columns_are_read(tmp_path, filesystem):
    """Dask joins files of which few columns are read, where it is free to."""
    frame = table().drop("since")
    path = folder(tmp_path / "clean", frame, [100, 350, 420, 700])
    parts = dd.read_parquet(path, filesystem=filesystem)
    error = CorruptNoise("weight", pattern="y == 'no'", rate=0.3, random_state=0)
    by_key = error.corrupt(frame.lazy(), "y", key="id").X.collect()
    for each in (parts, parts.assign(more=1)[frame.columns], parts[parts["id"] >= 0]):
        source = _sources.as_source(each)
        places = source.run(place, list(frame.columns))
        assert sorted(n for _, n in places) == [70, 100, 200, 250, 280]
        for columns in ([], ["age"], ["job", "y"]):
            assert source.run(place, columns) == places
            heights = [part.height for part in source.checked(columns)]
            assert heights == [n for _, n in places]
        result = corrupt_to_parquet(error, each, tmp_path / "dirty", y="y", key="id")
        assert len(list((tmp_path / "dirty").glob("*.parquet"))) == 5
        assert result.X.sort("id").collect().equals(by_key)


# of Dask itself, with newer versions of pandas
@pytest.mark.filterwarnings("ignore:The inplace keyword")
@pytest.mark.parametrize("filesystem", ["fsspec", "arrow"])
def test_files_that_a_cluster_reads_have_the_types_of_the_files(tmp_path, filesystem):
    """Of some types Dask knows nothing before it has read, others differ by partition."""
    frame = table().with_columns(
        pl.col("job").cast(pl.Categorical),
        pl.col("since").dt.date(),
        small=pl.when(pl.col("id") % 3 > 0).then((pl.col("id") % 100).cast(pl.Int8)),
        owns=pl.when(pl.col("id") < 880).then("owns"),
        large=pl.when(pl.col("id") != 1).then(pl.col("id") + 2**60),
    )
    if filesystem == "arrow":
        # of which older versions of Dask say that they are texts
        frame = frame.drop("since")
    # the first partition has no category
    frame = frame.with_columns(job=pl.when(pl.col("id") >= 500).then("job"))
    parts = dd.read_parquet(folder(tmp_path / "clean", frame, [500]), filesystem=filesystem)
    error = CorruptMissing("age", pattern="job == 'nurse'", rate=0.3, random_state=0)
    # numbers that pandas has rounded are not passed off as those of the file
    # polars has not always handed out an error of a source as it was raised
    wrapped = (ValueError, pl.exceptions.ComputeError)
    with pytest.raises(wrapped, match="holds 'large' as Float64, not as Int64"):
        error.corrupt(parts, "y", key="id").X.collect()
    some = [name for name in frame.columns if name != "large"]
    found = error.corrupt(parts[some], "y", key="id").X.collect()
    expected, _ = in_memory(error, frame.select(some), key="id")
    assert found.schema == expected.schema
    assert found.sort("id").equals(expected)


def test_partitions_of_a_cluster_that_change_are_refused():
    calls = []

    def made(i):
        calls.append(i)
        return table()[: 100 + len(calls)].drop("since").to_pandas()

    parts = dd.from_map(made, [0, 1, 2], meta=table()[:0].drop("since").to_pandas())
    with pytest.raises(ValueError, match=r"partition \d of X, a Dask DataFrame had 1\d\d rows "):
        CorruptMissing("job", random_state=0).corrupt(parts, "y")
    source = _sources.as_source(parts)
    source._lengths = [100, 100]
    for read in (source.stream(place, ["job"]), source.checked(["job"])):
        with pytest.raises(ValueError, match="had 2 partitions when their rows were counted, and"):
            next(read)


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_partitions_of_a_cluster_that_cannot_be_read_are_told_from_errors_of_others(tmp_path):
    frame = table().drop("since")
    path = folder(tmp_path / "clean", frame, [300, 600])
    parts = dd.read_parquet(path)
    (path / "f1.parquet").write_bytes(b"PAR1 and no more")
    error = CorruptMissing("job", random_state=0)
    with pytest.raises(ValueError, match=r"X, a Dask DataFrame cannot be read \(Arrow.*partitions"):
        error.corrupt(parts, "y")
    source = _sources.as_source(parts)
    with pytest.raises(ValueError, match="partition 1 of X, a Dask DataFrame cannot be read"):
        list(source.checked(["job"]))
    # a column is looked for when it is read, not when rows are counted
    frame[300:600].drop("job").write_parquet(path / "f1.parquet")
    with pytest.raises(ValueError, match=r"X, a Dask DataFrame cannot be read \(.*job"):
        error.corrupt(parts, "y")
    frame[300:600].write_parquet(path / "f1.parquet")
    with pytest.raises(ZeroDivisionError):
        source.run(divided, ["job"])


def test_columns_of_several_types_are_named():
    frame = table().drop("since").to_pandas().assign(mixed=[1, "x"] * (N_ROWS // 2))
    with dask.config.set({"dataframe.convert-string": False}):
        parts = dd.from_pandas(frame, npartitions=3)
        with pytest.raises(ValueError, match=r"partition 0 of .* of several types \(.*'x'"):
            CorruptMissing("mixed", random_state=0).corrupt(parts, "y")


def divided(frame, first):
    return 1 / 0


@pytest.mark.parametrize(
    ("group", "parts"), [(190, [190] * 4 + [140]), (130, [260, 260, 260, 120]), (900, [900])]
)
def test_parts_are_as_near_their_size_as_row_groups_end(tmp_path, group, parts):
    table().write_parquet(tmp_path / "a.parquet", row_group_size=group)
    source = _sources.as_source(tmp_path)
    assert [n for _, n in source.parts] == parts
    assert source.run(place, ["age"]) == source.parts


def test_results_of_a_cluster_are_not_all_held():
    frame = table()
    source = _sources.as_source(dd.from_pandas(frame.to_pandas(), npartitions=7))
    running = source.stream(Noted(), ["age"])
    Noted.seen.clear()
    assert next(running) > 0
    assert len(Noted.seen) == 3
    assert len([*running]) == 6 and len(Noted.seen) == 7


class Noted:
    """A job that notes where it was."""

    seen = set()

    def __call__(self, frame, first):
        self.seen.add(first)
        return frame["age"].sum()
