"""Models that a released MiniZinc gets wrong; each fails until a release is repaired."""

from __future__ import annotations

import subprocess

import pytest

from tests.missing_programs import require_program

HALF = """
var 0..1: x; var 0..0: y; var 0..0: z;
constraint (z = 1) <-> (bool2int((2 * x = 0 \\/ y = 0) /\\ (2 * x = 0)) > 0);
"""


@pytest.mark.xfail(strict=True, reason="MiniZinc 2.6 shows x = 0 for Gecode")
def test_a_negated_equality(tmp_path):
    program = require_program("minizinc")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    if "version 2.6" not in version.stdout:
        pytest.skip("this MiniZinc is another release than the one that is wrong")
    (tmp_path / "half.mzn").write_text(HALF, encoding="utf-8")
    words = [program, "--solver", "gecode", "-a", str(tmp_path / "half.mzn")]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ran.stdout.count("x = 1;") == 1
    assert "x = 0;" not in ran.stdout
