"""The checker of proofs, a program of its own: ``python checker.py FORMULA PROOF FORM MB SECONDS``.

It imports nothing of this project, so that nothing in the process that solved has a hand in it.
FORMULA is a file of 32-bit integers, each clause ended by a 0; PROOF a file in DRAT, whose FORM is
``binary`` or ``text``. Whether each clause that the proof adds follows (by unit propagation, or as
a resolution asymmetric tautology), and the empty clause after them all, is decided by dratify, with
the engine of ``cdclkit-native`` where that is installed. What it found is written as one line of
JSON.

Words
-----
RUP   a clause that follows by unit propagation: the formula implies it
RAT   a resolution asymmetric tautology: it need not follow, and is only consistent with the clauses
      that are left, so it matters which are
fixed a literal that unit propagation makes true with nothing assumed; its reason is the clause that
      made it so

Why there are two passes
------------------------
dratify 0.1.10 keeps a fixed literal after its reason was deleted, and no longer has the reason when
it looks for clauses that a RAT clause must be consistent with. So it accepts, of the clause ``1``:
``-2 -1 0``, ``d -2 -1 0``, ``2 0``, ``0``. As long as each addition is RUP that does no harm, since
all of it is implied by the formula: so it is asked for RUP alone first. Only a proof that needs RAT
is checked by both rules, and there a reason is not deleted (``without_reasons``), as drat-trim does
by default. All that is fixed is then implied by the clauses that dratify has.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any

Step = tuple[str, tuple[int, ...]]

END: Step = ("a", ())
"""The empty clause."""


def main() -> None:
    """Check one proof."""
    formula, proof, form, memory_mb, seconds = sys.argv[1:]
    limit(int(memory_mb), int(seconds))
    try:
        found = check(formula, proof, form == "binary")
    except MemoryError:
        found = {"state": "unchecked", "said": f"its check needs more than {memory_mb} MB"}
    print(json.dumps(found))


def check(formula_file: str, proof_file: str, binary: bool) -> dict[str, Any]:
    """What there is to say of a proof: ``state``, ``said``, and the number of its ``steps``."""
    import dratify

    by = use_fastest()
    formula = dratify.CNF()
    for clause in _clauses(formula_file):
        formula.add_dimacs(clause)
    with open(proof_file, "rb") as file:
        data = file.read()
    try:
        steps = list(read_binary(data)) if binary else dratify.parse_proof(data.decode("ascii"))
        found = decide(formula, steps)
    except ValueError as error:
        return {"state": "rejected", "said": f"it is no proof: {error}", "steps": 0}
    if found.ok:
        return {"state": "checked", "said": f"by {by}", "steps": len(steps)}
    why = f"step {found.failed_step}: {found.reason}"
    if found.failed_step > len(steps):
        why = "every step follows, and the empty clause is not derived"
    return {"state": "rejected", "said": f"{why} ({by})", "steps": len(steps)}


def use_fastest() -> str:
    """Let dratify use the engine of cdclkit-native if that is installed; who checks then."""
    import dratify

    by = f"dratify {version('dratify')}"
    with suppress(ImportError):
        import cdclkit_native

        dratify.register_native(cdclkit_native)
        by += f" with cdclkit-native {version('cdclkit-native')}"
    return by


def decide(formula: Any, steps: Sequence[Step], engine: str = "auto") -> Any:
    """What dratify finds of a proof, so asked that it accepts none of a formula with a model.

    The empty clause is added where it is missing: some solvers end where propagation finds it. It
    has to follow like any other.
    """
    import dratify

    ended = steps if END in steps else [*steps, END]
    found = dratify.check_proof(formula, ended, check_rat=False, engine=engine)
    if found.ok or found.failed_step > len(steps):
        return found
    kept = list(without_reasons(formula.clauses, ended))
    return dratify.check_proof(formula, kept, engine=engine)


def without_reasons(formula: Iterable[Sequence[int]], steps: Iterable[Step]) -> Iterator[Step]:
    """The same steps; one that would take a reason away deletes a unit, which dratify passes over,
    and is as long as before, since dratify bounds variables by the length of the proof."""
    fixed = Fixed()
    for clause in formula:
        fixed.add(clause)
    for kind, clause in steps:
        if kind == "a":
            fixed.add(clause)
        elif not fixed.delete(clause):
            clause = clause[:1] * len(clause)
        yield kind, clause


class Fixed:
    """Which literals are fixed by the clauses so far, and by which clause each.

    A clause with a fixed literal is not kept, unless it is that one's reason: as fixed literals
    stay, it will never fix another. Two literals of each other clause, not known to be false, are
    watched (its first two). Literals are dratify's: ``k ^ 1`` negates ``k``.
    """

    def __init__(self) -> None:
        self.reasons: dict[int, frozenset[int]] = {}
        self.clauses: dict[frozenset[int], list[list[int]]] = {}
        self.watching: dict[int, list[list[int]]] = {}
        self.refuted = False

    def add(self, literals: Sequence[int]) -> None:
        """A clause more, and what it fixes."""
        whole = frozenset(literals)
        if any(literal in self.reasons for literal in whole):
            if len(whole) == 1:
                self.reasons[min(whole)] = whole  # better than any other: never deleted
            return
        open_ = [literal for literal in whole if literal ^ 1 not in self.reasons]
        clause = open_ + [literal for literal in whole if literal ^ 1 in self.reasons]
        self.clauses.setdefault(whole, []).append(clause)
        for literal in open_[:2]:
            self.watching.setdefault(literal, []).append(clause)
        if not open_:
            self.refuted = True
        elif len(open_) == 1:
            self._fix(open_[0], whole)

    def delete(self, literals: Sequence[int]) -> bool:
        """Delete a clause, unless it is a reason for a literal; return whether that is allowed.

        After a conflict every clause may be deleted.
        """
        whole = frozenset(literals)
        if not self.refuted and any(self.reasons.get(literal) == whole for literal in whole):
            return False
        if same := self.clauses.get(whole):
            same.pop().clear()
        return True

    def _fix(self, literal: int, reason: frozenset[int]) -> None:
        """Make a literal true, and all that follows."""
        self.reasons[literal] = reason
        due = [literal]
        while due and not self.refuted:
            false = due.pop() ^ 1
            for clause in self.watching.pop(false, ()):
                if clause:
                    self._visit(clause, false, due)

    def _visit(self, clause: list[int], false: int, due: list[int]) -> None:
        """Watch another literal of a clause than this one, or fix the only one that is left."""
        if clause[0] == false:
            clause[0], clause[1] = clause[1], false
        only = clause[0]
        if only in self.reasons:
            return
        for place in range(2, len(clause)):
            if clause[place] ^ 1 not in self.reasons:
                clause[1], clause[place] = clause[place], false
                self.watching.setdefault(clause[1], []).append(clause)
                return
        if only ^ 1 in self.reasons:
            self.refuted = True
        else:
            self.reasons[only] = frozenset(clause)
            due.append(only)


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


def limit(memory_mb: int, seconds: int) -> None:
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
