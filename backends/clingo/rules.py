"""Ground rules of clingo, written in its format aspif (Kaminski, Schaub and Wanko, "A tutorial on
hybrid answer set solving with clingo", 2017, appendix), and literals that are defined by them.

Words
-----
literal  a number: an atom, or with a minus its negation
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Rules:
    """Lines of a program, and what is made of literals."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.at_root = False
        """Whether what is being made must hold, so that it takes no literal to say so."""
        self._atoms = 0
        self.true = self.atom()
        self.false = -self.true
        self.rule([self.true], [])

    def atom(self) -> int:
        """A new one."""
        self._atoms += 1
        return self._atoms

    def rule(self, head: Sequence[int], body: Sequence[int], choice: bool = False) -> None:
        """The head holds where all of the body does; without a head, that must not be."""
        self.lines.append(f"1 {choice:d} {_listed(head)} 0 {_listed(body)}")

    def weight_rule(
        self, head: Sequence[int], bound: int, weighed: Sequence[tuple[int, int]]
    ) -> None:
        """The head holds where the true literals weigh at least ``bound`` together."""
        self.lines.append(f"1 0 {_listed(head)} 1 {bound} {_weighed(weighed)}")

    def show(self, atom: int) -> None:
        """Tell solutions apart by an atom, as its number."""
        self.lines.append(f"4 {len(str(atom))} {atom} 1 {atom}")

    def least(self, weighed: Sequence[tuple[int, int]]) -> None:
        """Find the least that literals weigh together."""
        self.lines.append(f"2 0 {_weighed(weighed)}")

    def written(self) -> str:
        """All of it."""
        return "\n".join([*self.lines, "0", ""])

    # --- literals ---

    def defined_by(self, bodies: Iterable[Sequence[int]]) -> int:
        """Whether of some conjunctions one at least holds."""
        atom = self.atom()
        head = f"1 0 1 {atom} 0 "
        for body in bodies:
            self.lines.append(head + _listed(body))
        return atom

    def none_of(self, bodies: Iterable[Sequence[int]]) -> list[int]:
        """No conjunction holds: a literal, or rules that say it."""
        if not self.at_root:
            return [-self.defined_by(bodies)]
        for body in bodies:
            self.lines.append("1 0 0 0 " + _listed(body))
        return []

    def below(self, weighed: Sequence[tuple[int, int]], bound: int) -> list[int]:
        """Literals weigh less together: a literal, or a rule that says it."""
        if not self.at_root or bound <= 0:
            return [-self.at_least(weighed, bound)]
        kept = [(literal, weight) for literal, weight in weighed if weight]
        if sum(weight for _, weight in kept) >= bound:
            self.weight_rule([], bound, kept)
        return []

    def at_least(self, weighed: Sequence[tuple[int, int]], bound: int) -> int:
        """Whether the true literals weigh at least ``bound`` together; no weight is negative."""
        kept = [(literal, weight) for literal, weight in weighed if weight]
        if bound <= 0:
            return self.true
        if sum(weight for _, weight in kept) < bound:
            return self.false
        atom = self.atom()
        self.weight_rule([atom], bound, kept)
        return atom


def _listed(literals: Sequence[int]) -> str:
    return f"{len(literals)} {' '.join(map(str, literals))}" if literals else "0"


def _weighed(weighed: Sequence[tuple[int, int]]) -> str:
    pairs = [f"{literal} {weight}" for literal, weight in weighed]
    return " ".join([str(len(pairs)), *pairs])
