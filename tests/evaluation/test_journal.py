"""What a journal says where it cannot be used or written any more: the same in all systems."""

import os
import pickle
import random
import re
import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import ShuffleSplit

import interrupted_search
import interrupted_study
from children import started
from skcorrupt.evaluation import Journal, Outcome, _journal
from skcorrupt.evaluation._settings import settings_of


@dataclass
class System:
    """One that keeps a journal: how it is made, what is kept, and what is compared."""

    make: Any
    n_kept: Any
    same: Any

    def fit(self, path):
        """It, fitted."""
        system, X, y = self.make(path)
        return system.fit(X, y)


def _same_searches(first, second):
    interrupted_search.assert_same_found(*map(interrupted_search.found, (first, second)))


def _same_studies(first, second):
    pd.testing.assert_frame_equal(first.curves_, second.curves_)


SYSTEMS = {
    "search": System(
        interrupted_search.search_and_data,
        interrupted_search.n_kept,
        _same_searches,
    ),
    "profiler": System(interrupted_study.study, interrupted_study.n_kept, _same_studies),
}


@pytest.fixture(params=list(SYSTEMS), scope="module")
def system(request):
    return SYSTEMS[request.param]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite"


@pytest.fixture(scope="module")
def whole(system, tmp_path_factory):
    """The journal of work that has ended, and the system that did it."""
    path = tmp_path_factory.mktemp("whole") / "journal.sqlite"
    return path, system.fit(path)


@pytest.fixture
def ended(whole, path):
    """A copy of it."""
    return shutil.copy(whole[0], path)


def refused(path, said):
    """One line that names the journal, says what is the matter, and what to do."""
    message = (
        rf"\Ajournal={re.escape(repr(str(path)))} is no journal (?=.*{said}).*; .*name a new file"
    )
    return pytest.raises(ValueError, match=message)


def lost(path, said):
    """The same of work under way."""
    message = rf"\Ajournal={re.escape(repr(str(path)))} cannot be written any more: (?=.*{said})"
    return pytest.raises(OSError, match=rf"{message}.*; .*fit again to go on from what is kept\.")


def run_sql(path, sql, *values):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql, values)


def damage(path, start, new):
    content = bytearray(path.read_bytes())
    content[start : start + len(new)] = new
    path.write_bytes(content)


UNUSABLE = {
    "folder": (lambda path: path.mkdir(), "it is a folder"),
    "text": (lambda path: path.write_bytes(b"score,level\n1,2\n" * 99), "no SQLite file"),
    "other tables": (lambda path: run_sql(path, "CREATE TABLE cats (a)"), "holds the tables cats"),
    "header": (lambda path: damage(path, 3, b"\xff"), "damaged"),
    "page size": (lambda path: damage(path, 16, b"\x01"), "damaged"),
    "text of tables": (lambda path: damage(path, 3900, b"\xff" * 150), "damaged"),
    "pages": (lambda path: damage(path, 4096, bytes(4096)), "damaged"),
    "truncated": (lambda path: os.truncate(path, path.stat().st_size // 2), "damaged"),
}


@pytest.mark.long
@pytest.mark.parametrize("kind", UNUSABLE)
def test_what_is_no_journal(system, whole, path, kind):
    """It is refused and left as it was."""
    make, said = UNUSABLE[kind]
    if kind not in ("folder", "text", "other tables"):
        shutil.copy(whole[0], path)
    make(path)
    before = path.is_file() and path.read_bytes()
    with refused(path, said):
        system.fit(path)
    assert (path.is_file() and path.read_bytes()) == before


@pytest.mark.many
def test_a_table_without_one_of_its_columns(system, ended):
    run_sql(ended, "ALTER TABLE outcomes DROP COLUMN outcomes")
    with refused(ended, "holds the tables"):
        system.fit(ended)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="a device of POSIX")
def test_a_device(system):
    with refused("/dev/null", "it is a folder or a device"):
        system.fit("/dev/null")


def test_a_folder_that_is_not_there(system, tmp_path):
    path = tmp_path / "nowhere" / "journal.sqlite"
    with refused(path, "its folder does not exist .*; make the folder"):
        system.fit(path)


@pytest.mark.long
def test_an_empty_file_is_a_new_journal(system, whole, path):
    """As `tempfile` makes them."""
    path.touch()
    system.same(system.fit(path), whole[1])
    assert system.n_kept(path) == system.n_kept(whole[0])


@pytest.mark.parametrize(
    "journal", ["", ":memory:", Path(":memory:"), "file:x.sqlite?mode=memory", "file:///x.sqlite"]
)
def test_what_is_no_file(system, tmp_path, monkeypatch, journal):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"journal='.*' should be the path of a file, as nothing"):
        system.fit(journal)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("journal", ["a\0b", "\ud800"])
def test_what_no_file_can_be_called(system, journal):
    with pytest.raises(ValueError, match=r"journal='.*' (has a NUL|cannot be a path)"):
        system.fit(journal)


@pytest.mark.parametrize("journal", [3, True, b"journal.sqlite", ["journal.sqlite"]])
def test_what_is_no_path(system, journal):
    with pytest.raises(ValueError, match="'journal' parameter of"):
        system.fit(journal)


def test_what_is_no_path_is_refused_by_a_journal_too():
    with pytest.raises(TypeError, match="journal=3 should be a str or Path"):
        Journal(3)


class Home:
    """A path that is neither text nor a Path."""

    def __fspath__(self):
        return os.path.join("~", "journal.sqlite")


@pytest.mark.parametrize("journal", [Home(), "~/journal.sqlite", Path("~/journal.sqlite")])
def test_the_home_folder(tmp_path, monkeypatch, journal):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    Journal(journal)
    assert (tmp_path / "journal.sqlite").is_file()


def test_a_process_that_goes_to_another_folder(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    journal = study_in("journal.sqlite")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    write(journal, 0)
    assert list(study_in(path).read("some")) == [b"0"]


class Opened:
    """Leaves a file behind where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("value", ["excellent", None, 0.123, 9e300, "pickle", b"\xff\x00"])
def test_a_score_that_was_changed(system, ended, tmp_path, value):
    if value == "pickle":
        value = pickle.dumps(Opened(tmp_path / "opened"))
    n_kept = system.n_kept(ended)
    run_sql(ended, "UPDATE outcomes SET outcomes = ? WHERE rowid = 3", value)
    with refused(ended, "damaged.*a row of 'outcomes' is not as it was written"):
        system.fit(ended)
    assert not (tmp_path / "opened").exists()
    # what is kept is left to whoever can mend it
    assert system.n_kept(ended) == n_kept


def study_in(path, text="x" * 300):
    """A journal, at a study."""
    journal = Journal(path)
    journal.seed({"text": text}, 3, drawn=False)
    journal.begin(None, [])
    return journal


def write(journal, *keys):
    """Outcomes, all at once."""
    found = [(b"%d" % k, "missing", [Outcome(k / 7, 1.0, 0.5)]) for k in keys]
    journal.write("some", found)


def read_and_write(path):
    """Outcomes of a journal, one more written."""
    journal = study_in(path)
    found = journal.read("some")
    write(journal, 500)
    return found


def check_flips(n, read, path):
    """Flip bits, overwrite parts and cut the end: nothing is read that was not written."""
    content, expected = path.read_bytes(), read(path)
    assert len(expected) >= 40
    draw, n_refused = random.Random(0), 0
    for _ in range(n):
        damaged, place = bytearray(content), draw.randrange(len(content))
        length = draw.choice([0, 1, 1, 30, len(content)])
        if length == 0:
            damaged[place] ^= 1 << draw.randrange(8)
        elif length == len(content):
            del damaged[place:]
        else:
            damaged[place : place + length] = draw.randbytes(len(damaged[place : place + length]))
        for left in path.parent.glob(f"{path.name}*"):
            left.unlink()
        path.write_bytes(damaged)
        try:
            found = read(path)
        except (ValueError, OSError) as error:
            assert str(error).startswith(f"journal={str(path)!r} ")
            n_refused += 1
        else:
            assert all(repr(expected[key]) == repr(found[key]) for key in found)
    assert n_refused > n / 4


@pytest.mark.parametrize("n", [60, pytest.param(1500, marks=pytest.mark.slow)])
def test_flipped_bytes(path, n):
    journal = study_in(path)
    for k in range(60):
        write(journal, k)
    check_flips(n, read_and_write, path)


@contextmanager
def held(path):
    """By another connection, as by another process."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_a_file_that_another_process_holds(system, ended, monkeypatch):
    assert _journal.START_PATIENCE <= 10 <= _journal.PATIENCE
    monkeypatch.setattr(_journal, "START_PATIENCE", 0.1)
    with held(ended), refused(ended, r"another process has held it for 0\.1 s"):
        system.fit(ended)


@contextmanager
def no_administrator():
    """What others may do, in a folder that they may enter, as an administrator may do all."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        user = os.geteuid()
        path = Path(folder) / "journal.sqlite"
        write(study_in(path), 0)
        try:
            yield path
        finally:
            os.seteuid(user)
            os.chmod(folder, 0o755)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("which", ["file", "folder", "new"])
def test_a_file_that_may_not_be_written(which):
    with no_administrator() as path:
        if which == "new":
            path.unlink()
        else:
            path.chmod(0o444 if which == "file" else 0o666)
        path.parent.chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(65534)
        with refused(path, "it may not be written .*; give permission"):
            Journal(path)


def hold(path, connection, stack):
    connection.execute("ROLLBACK")
    stack.append(held(path))
    stack[0].__enter__()
    # what is to come waits for it
    connection.execute("BEGIN IMMEDIATE")


def fill(path, connection, stack):
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    connection.execute("CREATE TABLE more AS SELECT randomblob(9999)")


def forbid(path, connection, stack):
    connection.execute("PRAGMA query_only = 1")


@pytest.mark.many
@pytest.mark.parametrize(
    ("happen", "said"),
    [
        (hold, r"another process has held it for 0\.1 s .*; let that one end"),
        (fill, "the disk is full .*; make room"),
        (forbid, "it may not be written .*; give permission"),
        ("truncate", "it is damaged"),
        ("delete", "it has been deleted .*; put it back"),
        ("folder", "its folder does not exist .*; make the folder"),
    ],
)
def test_what_happens_while_running(system, whole, tmp_path, monkeypatch, happen, said):
    """What was finished before is kept, where the file is, and a second fit goes on."""
    path = tmp_path / "folder" / "journal.sqlite"
    path.parent.mkdir()
    transaction, calls, stack = Journal.transaction, [], []

    @contextmanager
    def happening(self, *, running=False):
        calls.append(running)
        last = calls.count(True) == 4
        if last and happen == "truncate":
            os.truncate(path, 4096)
        elif last and happen == "delete":
            path.unlink()
        elif last and happen == "folder":
            shutil.rmtree(path.parent)
        with transaction(self, running=running) as connection:
            if last and callable(happen):
                happen(path, connection, stack)
            yield connection

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "transaction", happening)
        patch.setattr(_journal, "PATIENCE", 0.1)
        with lost(path, said):
            system.fit(path)
    for each in stack:
        each.__exit__(None, None, None)
    if happen in ("delete", "folder"):
        # a file with nothing in it would be taken for the journal
        assert not path.exists()
    elif happen != "truncate":
        assert system.n_kept(path) == 3
        if happen is fill:
            system.same(system.fit(path), whole[1])
            assert system.n_kept(path) == system.n_kept(whole[0])


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_disk_with_no_more_room(path):
    """Here the system refuses to let the file grow."""
    import resource

    journal = study_in(path)
    write(journal, 0)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, before[1]))
    try:
        with lost(path, "the disk .*full.*; make room"):
            write(journal, *range(1, 2000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(study_in(path).read("some")) == [b"0"]


@pytest.mark.long
def test_a_kill_in_the_middle_of_writing(path):
    """Half of the rows are on the disk already, and are taken back."""
    code = """
import os, signal, sys
from skcorrupt.evaluation import Journal, Outcome
journal = Journal(sys.argv[1])
journal.seed({"text": "x" * 300}, 3, drawn=False)
journal.begin(None, [])
journal.write("some", [(b"0", "", [Outcome(0.0)])])
with journal.transaction() as connection:
    connection.execute("PRAGMA cache_size = 1")
    rows = ((journal._study, "some", b"%d" % k, "", 0.5, "[]") for k in range(1, 3000))
    journal.add(connection, "outcomes", rows)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    with started(code, path) as child:
        assert child.wait() == -9
    assert path.stat().st_size > 100_000
    assert path.with_name(f"{path.name}-journal").exists()
    assert list(study_in(path).read("some")) == [b"0"]


def test_what_is_read_is_what_was_written(path):
    """Text that cannot be encoded too, as the message of a failing fit may have it."""
    scores = [float("inf"), -0.0, 5e-324, 0.1 + 0.2, 3.0, float("nan")]
    outcomes = [Outcome(score, 1.5, 0.5, 0.1, error="\ud800") for score in scores]
    study_in(path).write("some", [(b"key", "\ud800", outcomes)])
    assert repr(study_in(path).read("some")) == repr({b"key": outcomes})


@pytest.mark.slow
def test_studies_share_a_file_and_nothing_else(path):
    """Searches and profiles, too."""
    for name, system in SYSTEMS.items():
        before = {each.n_kept(path) for each in SYSTEMS.values()}
        system.same(system.fit(path), system.fit(None))
        assert {each.n_kept(path) for each in SYSTEMS.values()} != before, name
    other, here = study_in(path, "other"), study_in(path)
    write(other, 1)
    assert not here.read("some") and list(study_in(path, "other").read("some")) == [b"1"]
    assert not other.read("of another kind")
    counts = [system.n_kept(path) for system in SYSTEMS.values()]
    for system in SYSTEMS.values():
        system.fit(path)
    assert [system.n_kept(path) for system in SYSTEMS.values()] == counts


def test_processes_that_begin_at_the_same_moment_have_one_seed(path):
    """Each asks before any has scored; a seed that somebody chose is another study."""
    settings = {"n": 1}
    first, second = Journal(path), Journal(path)
    assert first.seed(settings, 11, drawn=True) == second.seed(settings, 22, drawn=True) == 11
    for journal in (first, second):
        journal.begin(None, [])
        write(journal, 0)
    assert len(first.read("some")) == 1
    assert Journal(path).seed(settings, 33, drawn=True) == 11
    assert Journal(path).seed({"n": 2}, 33, drawn=True) == 33
    chosen = Journal(path)
    assert chosen.seed(settings, 7, drawn=False) == 7
    chosen.begin(None, [])
    assert not chosen.read("some")


@pytest.mark.slow
def test_a_splitter_that_splits_anew_every_time(system, path):
    made, X, y = system.make(path)
    made.set_params(cv=ShuffleSplit(2)).fit(X, y)
    with pytest.raises(ValueError, match=r"cv=ShuffleSplit.* draws other splits every time"):
        made.fit(X, y)
    made.set_params(cv=ShuffleSplit(2, random_state=0)).fit(X, y)
    kept = system.n_kept(path)
    made.fit(X, y)
    assert system.n_kept(path) == kept


@pytest.mark.slow
def test_a_seed_that_was_drawn_is_kept(system, path):
    made, X, y = system.make(path)
    first = clone(made.set_params(random_state=None)).fit(X, y)
    kept = system.n_kept(path)
    system.same(first, clone(made).fit(X, y))
    assert system.n_kept(path) == kept


def test_evaluations_without_the_settings_they_are_of(system, ended):
    run_sql(ended, "DELETE FROM studies")
    with refused(ended, "the settings of some evaluations are missing"):
        system.fit(ended)


def test_who_has_not_the_table_cannot_try_out_labels():
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0]}), [0, 1, 1]
    of_two = [settings_of(table, y, y, {}, {}) for table in (X, X + 1)]
    for name in ("y", "groups"):
        assert of_two[0][name]["content"] != of_two[1][name]["content"]
    assert of_two[0]["y"] == settings_of(X.copy(), y, None, {}, {})["y"]
