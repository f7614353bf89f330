"""The command itself: help, version, interrupts, and one line for an error."""

import errno
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import skcorrupt
from skcorrupt.adversarial._preflight import LEAVE_OUT
from skcorrupt.cli import main
from skcorrupt.cli._command_error import CommandError
from skcorrupt.cli._output import in_options, warnings_as_lines, write_image
from skcorrupt.cli._unbroken import Unbroken


def test_help_names_the_commands(capsys):
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "demo" in out and "search" in out


@pytest.mark.parametrize("command", ["demo", "search"])
def test_every_command_has_help(command, capsys):
    assert main([command, "--help"]) == 0
    assert "--jobs" in capsys.readouterr().out


def test_version_is_the_package_s(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"skcorrupt {skcorrupt.__version__}"


def test_no_arguments_show_the_help_and_fail():
    result = subprocess.run(
        [sys.executable, "-m", "skcorrupt"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(skcorrupt.__file__).parents[1],
    )
    assert (result.returncode, result.stderr) == (2, "")
    assert "usage: skcorrupt" in result.stdout


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["serach"], "invalid choice: 'serach'"),
        (["search"], "required: data.csv"),
        (["search", "data.csv", "--label"], "--label: expected one argument"),
        (["demo", "--jobs", "many"], "'many' should be a number of workers"),
        (["demo", "--jobs", "0"], "'0' should be a number of workers"),
        (["demo", "--out", "a\0b"], "path='a\\x00b' has a NUL"),
        (["search", "a\0.csv", "--label", "y"], "has a NUL"),
        (["search", "x" * 300, "--label", "y"], "File name too long"),
        (["configure", "data.csv", "--out", "x" * 300], "File name too long"),
        (["search", "d.csv", "--label", "y", "--drop", '"a'], "'\"a' has a double quote that is"),
        (["search", "d.csv", "--label", "y", "--pattern-columns", 'a,"b'], "has a double quote"),
        (["ablate", "d.csv", "--label", "y", "--stages", '"a"b'], "has a double quote"),
        (["audit", "d.csv", "--estimator", "m:m", "--actionable", '"'], "has a double quote"),
        (["profile", "d.csv", "s.json", "--drop", "a\nb"], "or a line break"),
        (["curate", "v.csv", "--drop", '"a,b'], "has a double quote"),
    ],
)
def test_bad_arguments_get_one_line(argv, told, capsys):
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("skcorrupt: error: ") and captured.err.count("\n") == 1
    assert told in captured.err


def test_an_interrupt_gets_one_line_and_its_own_status(folder, capsys):
    argv = ["search", "data.csv", "--label", "churned", "--pipeline", "cli_test_model:interrupts"]
    assert main(argv) == 130
    assert capsys.readouterr().err.strip() == "skcorrupt: interrupted"


def test_a_warning_is_shown_once_as_a_line(capsys):
    with warnings_as_lines():
        warnings.simplefilter("always")
        for _ in range(3):
            warnings.warn("two\nlines", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "skcorrupt: warning: two lines\n"


@pytest.mark.parametrize("seconds", ["9", "12", "0.5", "1e+03"])
def test_messages_name_options_in_place_of_parameters(seconds):
    assert in_options(f"up to 9 s, ended by max_time={seconds} s; less", None) == (
        f"up to 9 s, ended by --max-time {seconds}; less"
    )


def test_a_picture_that_cannot_be_written_gets_one_line(tmp_path):
    from matplotlib.figure import Figure

    (tmp_path / "taken.png").mkdir()
    with pytest.raises(CommandError, match=r"cannot write .*taken.png \(Is a directory\)"):
        write_image(Figure(), tmp_path / "taken.png")


@pytest.mark.parametrize(
    ("argv", "lost", "status"),
    [(["--version"], "stdout", 0), (["curate", "nowhere.csv"], "stderr", 2)],
)
def test_a_lost_reader_changes_no_exit_status(argv, lost, status, tmp_path):
    read, write = os.pipe()
    os.close(read)
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, lost: write}
    command = [sys.executable, "-m", "skcorrupt", *argv]
    # without buffers there is nothing left to lose at the end
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(command, cwd=tmp_path, env=env, check=False, text=True, **given)
    os.close(write)
    assert ended.returncode == status
    assert not ended.stderr and "Broken" not in (ended.stdout or "")


def test_a_stream_without_a_file_opens_none(monkeypatch):
    class Gone:
        def write(self, text):
            raise BrokenPipeError(errno.EPIPE, "gone")

    def refused(*_args):
        raise AssertionError("a file was opened")

    stream = Unbroken(Gone())
    monkeypatch.setattr(os, "open", refused)
    assert stream.write("text") == 4
    assert stream.texts == ["text"]


def test_what_else_goes_wrong_with_a_stream_is_raised():
    class Full:
        def write(self, text):
            raise OSError(errno.ENOSPC, "no space left")

    with pytest.raises(OSError, match="no space left"):
        Unbroken(Full()).write("text")


def test_failures_are_told_without_parameters_that_a_command_has_not():
    said = (
        f"Candidates that hit these columns fail and score error_score. {LEAVE_OUT} First error: "
        "x. "
        "cv_results_ has the others; pass error_score='raise' to see the whole error."
    )
    found = in_options(said, None)
    assert "error_score" not in found and "space=" not in found and "cv_results_" not in found
    assert "name the others with --corrupt-columns. First error: x." in found
