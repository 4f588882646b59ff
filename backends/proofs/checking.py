"""One formula and its proof, checked in a process of its own that is limited in time and memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Any, Literal, NamedTuple

from backends.interface.proofs import MEMORY_MB, Refutation, missing

State = Literal["checked", "rejected", "unchecked"]

CHECKER = Path(__file__).with_name("checker.py")
INFERENCES = "backends.proofs.inferences.program"
CUTTING_PLANES = "backends.proofs.cutting_planes.program"
ROOT = Path(__file__).parents[2]
"""Where this package lies."""


class Checked(NamedTuple):
    """What became of a proof, why, and how many steps it has."""

    state: State
    said: str
    steps: int = 0


def check(refutation: Refutation, seconds: float, memory_mb: int = MEMORY_MB) -> Checked:
    """Whether the proof shows that the formula has no model, found within these limits."""
    if refutation.proof is None:
        return Checked("unchecked", refutation.missing)
    is_own = refutation.model is not None
    if not is_own and missing():
        return Checked("unchecked", missing())
    with tempfile.TemporaryDirectory(prefix="concord-proof-") as folder:
        formula, proof = Path(folder, "formula"), Path(folder, "proof")
        formula.write_bytes(refutation.formula())
        proof.write_bytes(refutation.proof)
        form = "binary" if refutation.binary else "text"
        limits = [str(memory_mb), str(max(1, ceil(seconds)))]
        if is_own:
            module = INFERENCES if refutation.rows is None else CUTTING_PLANES
            program = ["-m", module, str(formula), str(proof)]
        else:
            program = [str(CHECKER), str(formula), str(proof), form]
        return _run([sys.executable, "-P", *program, *limits], seconds)


def _run(words: list[str], seconds: float) -> Checked:
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return Checked("unchecked", f"its check was ended after {round(seconds, 3):g} s")
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        return Checked("unchecked", _describe(process.returncode, errors))
    found: dict[str, Any] = json.loads(output)
    return Checked(**found)


def _describe(status: int, errors: bytes) -> str:
    """How the checker ended without a word about the proof."""
    if -status == getattr(signal, "SIGXCPU", 0):
        return "its check was ended at its limit of CPU time"
    last = errors.decode(errors="replace").strip().rpartition("\n")[2]
    how = f"ended with exit status {status}" if status > 0 else f"was ended by signal {-status}"
    return f"the checker {how}, {last or 'perhaps out of memory'}"
