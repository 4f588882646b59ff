"""The checker of proofs, a program of its own: ``python checker.py FORMULA PROOF FORM MB SECONDS``.

It imports nothing of this project, so that nothing in the process that solved has a hand in it.
FORMULA is a file of 32-bit integers, each clause ended by a 0; PROOF a file in DRAT, whose FORM is
``binary`` or ``text``. Whether each clause that the proof adds follows (by unit propagation, or as
a resolution asymmetric tautology), and whether the empty clause is among them, is decided by
dratify, with the engine of ``cdclkit-native`` where that is installed. What it found is written as
one line of JSON.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from typing import Any

Step = tuple[str, tuple[int, ...]]


def main() -> None:
    """Check one proof."""
    formula, proof, form, memory_mb, seconds = sys.argv[1:]
    _limit(int(memory_mb), int(seconds))
    try:
        found = check(formula, proof, form == "binary")
    except MemoryError:
        found = {"state": "unchecked", "said": f"its check needs more than {memory_mb} MB"}
    print(json.dumps(found))


def check(formula_file: str, proof_file: str, binary: bool) -> dict[str, Any]:
    """What there is to say of a proof: ``state``, ``said``, and the number of its ``steps``."""
    import dratify

    by = f"dratify {version('dratify')}"
    with suppress(ImportError):
        import cdclkit_native

        dratify.register_native(cdclkit_native)
        by += f" with cdclkit-native {version('cdclkit-native')}"
    formula = dratify.CNF()
    for clause in _clauses(formula_file):
        formula.add_dimacs(clause)
    with open(proof_file, "rb") as file:
        data = file.read()
    try:
        steps = list(read_binary(data)) if binary else dratify.parse_proof(data.decode("ascii"))
        found = dratify.check_proof(formula, steps)
    except ValueError as error:
        return {"state": "rejected", "said": f"it is no proof: {error}", "steps": 0}
    if found.ok:
        return {"state": "checked", "said": f"by {by}", "steps": len(steps)}
    place = f"step {found.failed_step}: " if found.failed_step > 0 else ""
    return {"state": "rejected", "said": f"{place}{found.reason} ({by})", "steps": len(steps)}


def _clauses(file_name: str) -> Iterator[tuple[int, ...]]:
    numbers = array("i")
    with open(file_name, "rb") as file:
        numbers.frombytes(file.read())
    begin = 0
    for end, number in enumerate(numbers):
        if not number:
            yield tuple(numbers[begin:end])
            begin = end + 1


def read_binary(data: bytes) -> Iterator[Step]:
    """The steps of a proof in binary DRAT, in dratify's literals.

    A step is ``a`` or ``d``, numbers of seven bits a byte with the lowest first, and a 0; the
    literal ``k`` is the number ``2 |k|``, one more where it is negated. dratify's literals are two
    less.
    """
    at, size = 0, len(data)
    while at < size:
        kind = data[at]
        if kind not in (0x61, 0x64):
            raise ValueError(f"byte {at} begins neither an addition nor a deletion")
        at += 1
        literals = []
        while True:
            number = shift = 0
            while True:
                if at >= size:
                    raise ValueError("its last step is not ended")
                byte = data[at]
                at += 1
                number |= (byte & 0x7F) << shift
                if byte < 0x80:
                    break
                shift += 7
            if not number:
                break
            if number < 2:
                raise ValueError(f"byte {at - 1} ends a literal of no variable")
            literals.append(number - 2)
        yield "a" if kind == 0x61 else "d", tuple(literals)


def _limit(memory_mb: int, seconds: int) -> None:
    with suppress(ImportError):  # Windows has none; the process is ended from outside all the same
        import resource

        for which, most in (
            (resource.RLIMIT_AS, memory_mb << 20),
            (resource.RLIMIT_CPU, seconds + 1),
            (resource.RLIMIT_CORE, 0),
        ):
            _, hard = resource.getrlimit(which)
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (least, hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")  # should memory run out, it is this process that ends


if __name__ == "__main__":
    main()
