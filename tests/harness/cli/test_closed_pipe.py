"""A reader that has left does not hide wrong answers: the exit status is 1 all the same."""

import subprocess
import sys

LIAR = "py:backends.conformance.liars:WrongValue"


def test_wrong_answers_are_told_through_a_closed_pipe(tmp_path):
    words = ["compare", "-s", "latin", "-b", LIAR, "-b", "propagation", "--limit", "3", "--quiet"]
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli.entry", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == 1
    assert "3 of 3 instances wrong" in said
