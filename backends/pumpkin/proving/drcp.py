"""Proofs of Pumpkin in the lines that the checker of inferences reads.

DRCP as Pumpkin 0.5 writes it (Flippo, Sidorov, Marijnissen, Smits and Demirović, "A Multi-Stage
Proof Logging Framework to Certify the Correctness of CP Solvers", CP 2024)::

    a 1 [x0 >= 3]                       a literal has a number, negated for its opposite
    i 7 1 2 0 -3 c:4 l:linear_bounds    by constraint 4, literals 1 and 2 imply the opposite of 3
    i 8 0 3 l:initial_domain            literal 3 is true of the domain
    i 9 1 0 3 c:12 l:nogood             by nogood 12
    n 12 1 2 0 7 8                      literals 1 and 2 exclude each other, as lines 7 and 8 show
    c UNSAT                             a contradiction; or a literal, the bound of the objective
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

ATOM = re.compile(r"a ([0-9]+) \[x([0-9]+) (==|!=|<=|>=) (-?[0-9]+)\]$")
OPPOSITES = {">=": ("<=", -1), "<=": (">=", 1), "==": ("!=", 0), "!=": ("==", 0)}


class UnknownLine(Exception):
    """A line that the checker of inferences has no words for."""


def translate(proof: Iterable[str], sources: Mapping[int, str]) -> list[str]:
    """The lines of a proof; ``sources`` has the names of constraints by Pumpkin's numbers.

    Raises ``UnknownLine`` where a line is not as above.
    """
    reader = _Reader(sources)
    for line in proof:
        reader.read(line)
    return reader.lines


class _Reader:
    def __init__(self, sources: Mapping[int, str]) -> None:
        self.sources = sources
        self.lines: list[str] = []
        self.literals: dict[int, str] = {}
        self.nogoods: set[str] = set()
        self.known: set[str] = set()

    def read(self, line: str) -> None:
        """One line."""
        kind, *words = line.split() or ["c"]
        try:
            if kind == "a":
                self._name(line.strip())
            elif kind == "i":
                self._infer(words)
            elif kind == "n":
                self._learn(words)
            elif kind != "c":
                raise UnknownLine(f"Pumpkin writes a line unknown here: {line.strip()}")
        except (KeyError, ValueError):
            raise UnknownLine(f"Pumpkin writes a line unknown here: {line.strip()}") from None

    def _name(self, line: str) -> None:
        found = ATOM.match(line)
        if found is None:
            raise ValueError
        code, variable, relation, value = found.groups()
        opposite, shift = OPPOSITES[relation]
        self.literals[int(code)] = f"x{variable}{relation}{value}"
        self.literals[-int(code)] = f"x{variable}{opposite}{int(value) + shift}"

    def _infer(self, words: list[str]) -> None:
        name, *rest = words
        end = rest.index("0")
        premises, after = list(map(int, rest[:end])), rest[end + 1 :]
        conclusion = [int(word) for word in after if ":" not in word]
        labels = dict(word.split(":") for word in after if ":" in word)
        if "c" not in labels:
            return  # the domains are known
        self.known.add(name)
        if labels["c"] in self.nogoods:
            literals = [self.literals[-k] for k in premises] + [
                self.literals[k] for k in conclusion
            ]
            self.lines.append(" ".join(["n", name, *literals, ":", labels["c"]]))
            return
        source = self.sources[int(labels["c"])]
        before, then = ([self.literals[k] for k in part] for part in (premises, conclusion))
        self.lines.append(" ".join(["i", name, source, *before, ">", *then]))

    def _learn(self, words: list[str]) -> None:
        name, *rest = words
        end = rest.index("0")
        literals = [self.literals[-int(word)] for word in rest[:end]]
        hints = [word for word in rest[end + 1 :] if word in self.known]
        if not literals and not hints:
            return  # where the bound of the objective contradicts its domain; nothing shows it
        self.nogoods.add(name)
        self.known.add(name)
        self.lines.append(" ".join(["n", name, *literals, ":", *hints]))
