"""Files that hold no JSON, or none of what is asked for: one line, and status 2."""

import pytest

from skcorrupt.cli import main
from skcorrupt.responsiveness import ActionSet
from skcorrupt.sensitivity import Strategy
from skcorrupt.utils import from_file

COMMANDS = {
    "profile": (["profile", "data.csv", "file.json"], Strategy.from_dict),
    "audit": (
        ["audit", "data.csv", "--estimator", "a:b", "--target", "yes", "--actions", "file.json"],
        ActionSet.from_dict,
    ),
}
SETS = b'{"columns": {"a": {"kind": "integer", "ub": %s}}, "corruptions": [{"params": %s}]}'
FILES = {
    "empty": (b"", "file.json: the file is empty; it should hold JSON"),
    "white": (b" \n\t\n", "the file is empty"),
    "only a mark": (b"\xef\xbb\xbf", "the file is empty"),
    "cut": (b'{"columns": {\n  "a": ', "it is no JSON at line 2, column 8 (Expecting value)"),
    "two": (b"{}\n{}", "it is no JSON at line 2, column 1 (Extra data)"),
    "Latin-1": ('{"ä": 1}'.encode("latin-1"), "byte 2 is no text in UTF-8; save the file"),
    "UTF-16": ("{}".encode("utf-16"), "byte 0 is no text in UTF-8; save the file"),
    "zeros": (b"\0" * 9, "it is no JSON at line 1, column 1"),
    "deep": (b"[" * 1_000_000, "is nested more than 50 deep"),
    "deep and closed": (b"[" * 400 + b"]" * 400, "is nested more than 50 deep"),
    "list": (b"[1]", "file.json: data=[1] should be a"),
    "number": (b"3", "file.json: data=3 should be a"),
    "null": (b"null", "file.json: data=None should be a"),
    "NaN": (SETS % (b"NaN", b"NaN"), "=nan should be finite, which is all that JSON has"),
    "Infinity": (SETS % (b"-Infinity", b"1"), "columns.a.ub=-inf should be finite"),
    "1e999": (SETS % (b"1", b"1e999"), "corruptions[0].params=inf should be finite"),
    "digits": (SETS % (b"9" * 9999, b"1"), "columns.a.ub=9999999"),
    "a key twice": (
        SETS % (b"1", b'{"b": 1, "c": 2, "b": 3}'),
        "corruptions[0].params has the key 'b' twice; take one out",
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_wrong_gets_one_line(command, kind, folder, capsys):
    argv, read = COMMANDS[command]
    content, message = FILES[kind]
    (folder / "file.json").write_bytes(content)
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert message in captured.err
    with pytest.raises(ValueError, match=r"file\.json: "):
        from_file(folder / "file.json", read)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_cannot_be_read_gets_one_line(command, folder, capsys):
    argv, read = COMMANDS[command]
    assert main(argv) == 2
    assert "file.json (No such file or directory); " in capsys.readouterr().err
    with pytest.raises(FileNotFoundError):
        from_file("file.json", read)
    (folder / "file.json").mkdir()
    assert main(argv) == 2
    captured = capsys.readouterr().err
    assert "file.json (Is a directory); " in captured and captured.count("\n") == 1


def test_a_mark_of_the_encoding_is_no_matter(tmp_path):
    path = tmp_path / "strategy.json"
    path.write_bytes('\ufeff{"corruptions": [{"kind": "noise", "name": "ä"}]}'.encode())
    assert Strategy.from_json(path).corruptions == [{"name": "ä", "kind": "noise"}]
