"""Bars in terminals and notebooks, few whole lines in files and pipes."""

import io
import re
import sys

import pytest
from tqdm import tqdm

from skcorrupt.adversarial.candidates import Progress
from skcorrupt.utils import _progress, progress_bar, telling_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    __module__ = "ipykernel.iostream"


@pytest.fixture
def stream_of(monkeypatch):
    def given(kind, every=1e9):
        monkeypatch.setattr(_progress, "EVERY", every)
        stream = kind()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return given


def counted(lines):
    """Lines without how long it took, which no test can know."""
    return [re.sub(r", (\d\d:\d\d so far|about \d\d:\d\d left)", "", line) for line in lines]


@pytest.mark.parametrize("make", [progress_bar, telling_bar])
def test_a_log_has_a_line_at_the_beginning_and_one_at_the_end(stream_of, make):
    stream = stream_of(io.StringIO)
    with make(1500, 1, "Auditing") as bar:
        for _ in range(1500):
            bar.update()
    text = stream.getvalue()
    assert "\r" not in text and "\x1b" not in text and text.endswith("\n")
    assert counted(text.splitlines()) == ["Auditing: 0 of 1,500", "Auditing: 1,500 of 1,500"]


def test_a_log_has_a_line_every_few_seconds_and_none_twice(stream_of):
    stream = stream_of(io.StringIO, every=0.0)
    with progress_bar(None, 1, "Candidates") as bar:
        for _ in range(3):
            bar.update()
            bar.refresh()
            bar.refresh()
    said = counted(stream.getvalue().splitlines())
    assert said == ["Candidates: 0", "Candidates: 1", "Candidates: 2", "Candidates: 3"]


def test_how_long_is_left_is_told_in_the_middle(stream_of):
    stream = stream_of(io.StringIO, every=0.0)
    with progress_bar(4, 1, "Fits") as bar:
        bar.update()
        bar.refresh()
        bar.update(3)
    first, middle, last = stream.getvalue().splitlines()
    assert first == "Fits: 0 of 4"
    assert re.fullmatch(r"Fits: 1 of 4, \d\d:\d\d so far, about \d\d:\d\d left", middle)
    assert re.fullmatch(r"Fits: 4 of 4, \d\d:\d\d so far", last)


def test_phases_of_a_search_have_a_line_each(stream_of):
    stream = stream_of(io.StringIO)
    with Progress(1) as progress:
        with progress.phase("Searching", 10):
            for k in range(3):
                progress.best(0.5 - k / 10)
                progress.update()
                with progress.phase("Screening", 1000):
                    progress.update(300)
        with progress.phase("Confirming", 2):
            progress.update(2)
    text = stream.getvalue()
    assert "\r" not in text
    assert counted(text.splitlines()) == [
        "Searching: 0 of 10",
        "Screening: 0 of 1,000, worst 0.500",
        "Confirming: 0 of 2, worst 0.300",
        "Confirming: 2 of 2, worst 0.300",
    ]


def test_what_is_written_between_breaks_no_line(stream_of):
    stream = stream_of(io.StringIO)
    with progress_bar(2, 1, "Fits") as bar:
        tqdm.write("a warning", file=stream)
        bar.update(2)
        tqdm.write("another", file=stream)
    said = counted(stream.getvalue().splitlines())
    assert said == ["Fits: 0 of 2", "a warning", "another", "Fits: 2 of 2"]


@pytest.mark.parametrize("kind", [Terminal, Notebook])
def test_terminals_and_notebooks_have_a_bar(stream_of, kind):
    stream = stream_of(kind)
    with progress_bar(2, 1, "Fits") as bar:
        bar.update(2)
        bar.turn_to("Scores", 1, 3)
    said = stream.getvalue().split("\r")
    assert said[1].startswith("Fits:   0%|")
    assert said[-1].startswith("Scores:  33%|") and "1/3" in said[-1]


def test_silent_ones_write_nothing(stream_of):
    stream = stream_of(io.StringIO, every=0.0)
    for make in (progress_bar, telling_bar):
        with make(2, 0, "Fits") as bar:
            bar.update(2)
    assert stream.getvalue() == ""
