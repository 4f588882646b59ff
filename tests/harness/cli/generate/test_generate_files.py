"""``concord generate --out``: files that are begun, cut, continued; time limits and Ctrl-C."""

import re
import signal
import subprocess
import sys
import time
from functools import partial

import pytest
from within_process import clean, invoke

from harness.cli import output_file
from harness.streams import generating
from harness.streams.generating import GenerateRequest, format_head, generate_portions
from puzzles.grid.family import find_grid_family
from puzzles.grid.layout import Layout
from puzzles.sets import instances
from puzzles.sudoku.specification import PuzzleSpec

NINE = Layout(9, (3, 3))


concord = partial(invoke, "generate")


# --- files ----------------------------------------------------------------------------------------


def test_a_file_is_not_written_over(tmp_path):
    out = tmp_path / "set.txt"
    out.write_text("precious\n")
    done = clean(concord("sudoku", "--order", 4, "--out", out), 2)
    assert "exists already; add --resume" in done.stderr
    done = clean(concord("sudoku", "--order", 4, "--out", out, "--resume"), 2)
    assert "has another head" in done.stderr
    assert out.read_text() == "precious\n"
    other = tmp_path / "other.txt"
    clean(concord("sudoku", "--order", 4, "--out", other))
    done = clean(concord("sudoku", "--order", 4, "--seed", 1, "--out", other, "--resume"), 2)
    assert "was made by another command: concord generate sudoku --number 1 --seed 0" in done.stderr


@pytest.mark.parametrize("cut", [0, 5, 60, 61, 62, 90, 93, 110, 1000])
def test_a_file_that_was_cut_anywhere_is_gone_on_with(tmp_path, cut):
    arguments = ("sudoku", "--order", 4, "-n", 5, "--out")
    whole, part = tmp_path / "whole.txt", tmp_path / "part.txt"
    clean(concord(*arguments, whole))
    part.write_bytes(whole.read_bytes()[:cut])
    clean(concord(*arguments, part, "--resume"))
    assert part.read_bytes() == whole.read_bytes()


def test_a_file_that_is_not_there_is_begun(tmp_path):
    clean(concord("sudoku", "--order", 4, "--out", tmp_path / "set.txt", "--resume"))
    assert len(list(instances(str(tmp_path / "set.txt")))) == 1


def test_a_disk_that_is_full(tmp_path, monkeypatch):
    class Full:
        def write(self, text):
            raise OSError(28, "No space left on device")

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(output_file, "begin_file", lambda *_: Full())
    done = clean(concord("sudoku", "--order", 4, "--out", tmp_path / "set.txt"), 2)
    assert "set.txt cannot be written to its end: No space left on device" in done.stderr


# --- time and Ctrl-C ------------------------------------------------------------------------------


def test_a_time_limit_marks_what_it_left(tmp_path, monkeypatch):
    """The clock stands still for twenty looks, then a day is over."""
    looks = 0

    def clock():
        nonlocal looks
        looks += 1
        return 0.0 if looks < 200 else 86_400.0

    monkeypatch.setattr(generating, "monotonic", clock)
    out, whole = tmp_path / "part.txt", tmp_path / "whole.txt"
    arguments = ("sudoku", "-n", 4000, "--seed", 3, "--out")
    done = clean(concord(*arguments, out, "--seconds", 3600), 1)
    assert "stopped by --seconds 3600 after" in done.stderr
    assert "--resume" in done.stderr
    *_, last = texts = out.read_text().splitlines()
    puzzles = len(texts) - 5
    assert 0 < puzzles < 4000
    assert last == (
        f"# stopped by a limit of 3600 seconds after {puzzles} of 4000 puzzles: how many there "
        "are is not reproducible"
    )
    monkeypatch.undo()
    few = puzzles + 3
    out.write_text(out.read_text().replace("--number 4000", f"--number {few}"))
    clean(concord("sudoku", "-n", few, "--seed", 3, "--out", out, "--resume"))
    clean(concord("sudoku", "-n", few, "--seed", 3, "--out", whole))
    assert out.read_bytes() == whole.read_bytes()


def test_a_time_limit_on_standard_output_says_how_to_go_on(monkeypatch):
    monkeypatch.setattr(generating, "monotonic", iter([0.0, *[1e9] * 99]).__next__)
    done = clean(concord("sudoku", "-n", 9, "--start", 5, "--seconds", 1), 1)
    assert "continue with the same command and --start 5 --number 9" in done.stderr


def test_a_time_limit_reaches_processes():
    request = GenerateRequest("sudoku", Layout(16, (4, 4)), PuzzleSpec())
    assert sum(len(made.items) for made in generate_portions(request, 0, 500, 2, 0.01)) < 500


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_whole_lines_and_resume_goes_on(tmp_path, jobs):
    out = tmp_path / "set.txt"
    arguments = ["sudoku", "-n", "1000000", "--seed", "8", "--out", str(out)]
    call = [sys.executable, "-m", "harness.cli.entry", "generate", *arguments, "--jobs", str(jobs)]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 120
        while not (out.exists() and out.stat().st_size > 3000):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert "continue with the same command and --resume" in stderr
    kept = out.read_bytes()
    assert kept.endswith(b"\n")
    texts = kept.decode().splitlines()[4:]
    told = re.search(r"interrupted after ([\d,]+) of 1,000,000 puzzles", stderr)
    assert int(told[1].replace(",", "")) == len(texts) > 0
    assert all(re.fullmatch(r"[1-9.]{81}", text) for text in texts)
    first = [
        line
        for made in generate_portions(GenerateRequest("sudoku", NINE, PuzzleSpec(), 8), 0, 3)
        for line in made.lines(find_grid_family("sudoku"), NINE, PuzzleSpec()).splitlines()
    ]
    assert texts[:3] == first
    # gone on with, as a file of few more
    number = len(texts) + 2
    request = GenerateRequest("sudoku", NINE, PuzzleSpec(), 8)
    out.write_text(format_head(request, number) + "".join(f"{text}\n" for text in texts))
    clean(concord("sudoku", "-n", number, "--seed", 8, "--out", out, "--resume"))
    assert len(out.read_text().splitlines()) == number + 4


def test_ctrl_c_comes_through_behind_what_is_written():
    seen = []

    def write():
        signal.raise_signal(signal.SIGINT)
        seen.append("written")

    with pytest.raises(KeyboardInterrupt), output_file.whole_lines():
        write()
    assert seen == ["written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_reader_that_leaves_is_no_error():
    call = [sys.executable, "-m", "harness.cli.entry", "generate", "sudoku", "-n", "100000"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert len(process.stdout.readline()) == 82
        process.stdout.close()
        stderr = process.stderr.read()
        assert process.wait(60) == 0
    assert b"Traceback" not in stderr
