"""A structure as formulas of z3 over one-hot Booleans, written in SMT-LIB.

z3 reads text many times faster than its Python functions build the same formulas.

Words
-----
literal  a Boolean, or its negation: that a variable has a value
weighed  literals with what each adds to a sum
binary   a term as a bit-vector, each bit of which is a disjunction of literals
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from backends.interface.libraries.formulas import Builders, TermBuilder
from backends.interface.libraries.literals import ClauseBuilder
from modelling.problem import Structure
from modelling.terms import Domains, Term

Formula = str
Weighed = list[tuple[Formula, int]]
TRUE, FALSE = "true", "false"


class Z3Draft(TermBuilder[Formula], ClauseBuilder[Formula, Formula]):
    """What is kept of a structure. A context of z3 is shared: one takes 16 MB and some 10 ms."""

    true, false = TRUE, FALSE

    def __init__(self, z3: Any, context: Any, structure: Structure, builders: Builders) -> None:
        super().__init__(builders)
        self.z3 = z3
        self.domains: Domains = structure.domains
        self.context = context
        self.parser = z3.ParserContext(context)
        self.formulas: list[Formula] = []
        self.names: list[str] = []
        self.literals = [self._variable(v, domain) for v, domain in enumerate(structure.domains)]
        self.whole: Any = None
        self._declared: dict[str, Any] = {}

    def _variable(self, number: int, domain: Sequence[int]) -> dict[int, Formula]:
        """A literal for each value, of which one is true; of two values one is not the other."""
        if len(domain) < 2:
            return dict.fromkeys(domain, TRUE)
        if len(domain) == 2:
            self.names.append(f"x{number}")
            return {domain[0]: f"(not x{number})", domain[1]: f"x{number}"}
        literals = [f"x{number}_{place}" for place in range(len(domain))]
        self.names += literals
        self.formulas.append(self.compare([(literal, 1) for literal in literals], "==", 1))
        return dict(zip(domain, literals, strict=True))

    def finish(self) -> None:
        """All formulas as one, which a solver is given at once."""
        declared = " ".join(f"(declare-const {name} Bool)" for name in self.names)
        self.whole = self.read(declared, self.all_of(self.formulas))
        self.formulas.clear()

    def add(self, formula: Formula) -> None:
        self.formulas.append(formula)

    def read(self, declared: str, formula: Formula) -> Any:
        """A formula as z3 has it."""
        return self.parser.from_string(f"{declared}(assert {formula})")

    def declared(self, name: str) -> Any:
        """A Boolean as models know it."""
        found = self._declared.get(name)
        if found is None:
            found = self._declared[name] = self.z3.Bool(name, self.context).decl()
        return found.ast

    # --- formulas ---

    def known(self, value: bool) -> Formula:
        return TRUE if value else FALSE

    def all_of(self, parts: Iterable[Formula]) -> Formula:
        known = list(parts)
        return f"(and {' '.join(known)})" if len(known) > 1 else known[0] if known else TRUE

    def any_of(self, literals: Iterable[Formula]) -> Formula:
        known = list(literals)
        return f"(or {' '.join(known)})" if len(known) > 1 else known[0] if known else FALSE

    def denied(self, literal: Formula) -> Formula:
        return literal[5:-1] if literal.startswith("(not ") else f"(not {literal})"

    opposite = denied

    def implied(self, condition: Formula, literal: Formula) -> Formula:
        return f"(=> {condition} {literal})"

    def same(self, one: Formula, other: Formula) -> Formula:
        return f"(= {one} {other})"

    def odd(self, literals: Iterable[Formula]) -> Formula:
        return reduce(lambda one, other: f"(xor {one} {other})", literals, FALSE)

    def partnered(self, pairs: Iterable[tuple[Formula, Iterable[Formula]]]) -> Formula:
        return self.all_of(self.implied(first, self.any_of(others)) for first, others in pairs)

    def none_of(self, rows: Iterable[Iterable[Formula]]) -> Formula:
        return self.all_of(self.any_of(map(self.opposite, row)) for row in rows)

    def one_of(self, rows: Iterable[Iterable[Formula]]) -> Formula:
        return self.any_of(map(self.all_of, rows))

    # --- sums ---

    def compare(self, weighed: Weighed, relation: str, bound: int) -> Formula:
        """How the literals that are true weigh beside ``bound``: a pseudo-Boolean constraint."""
        if relation == "!=":
            return self.opposite(self.compare(weighed, "==", bound))
        if relation in ("<", ">"):
            bound += 1 if relation == ">" else -1
        most = sum(weight for _, weight in weighed)
        if relation == "==":
            if not 0 <= bound <= most:
                return FALSE
            operator = "pbeq"
        elif relation in (">=", ">"):
            if bound <= 0 or bound > most:
                return TRUE if bound <= 0 else FALSE
            operator = "pbge"
        else:
            if bound < 0 or bound >= most:
                return FALSE if bound < 0 else TRUE
            operator = "pble"
        if not weighed:
            return TRUE
        weights = " ".join(str(weight) for _, weight in weighed)
        return f"((_ {operator} {bound} {weights}) {' '.join([x for x, _ in weighed])})"

    def equates(self, terms: Sequence[Term], factors: Sequence[int], total: int) -> Formula:
        """Whether a sum is ``total``, by the addition of binaries."""
        least, most, sums = 0, 0, []
        for term, factor in zip(terms, factors, strict=True):
            weights = {factor * value: literal for value, literal in self.values(term).items()}
            lowest = min(weights, default=0)
            sums.append({weight - lowest: literal for weight, literal in weights.items()})
            least, most = least + lowest, most + max(sums[-1], default=0)
        if not 0 <= total - least <= most:
            return FALSE
        width = most.bit_length()
        if not width:
            return TRUE
        added = " ".join(self._binary(weights, width) for weights in sums)
        return f"(= (bvadd {added}) (_ bv{total - least} {width}))"

    def _binary(self, weights: dict[int, Formula], width: int) -> str:
        """The weight whose literal is true."""
        bits = [
            self.any_of(literal for weight, literal in weights.items() if weight >> bit & 1)
            for bit in reversed(range(width))
        ]
        digits = " ".join("#b0" if bit == FALSE else f"(ite {bit} #b1 #b0)" for bit in bits)
        return f"(concat {digits})" if width > 1 else digits


def name_of(literal: Formula) -> str:
    """What a literal, or its negation, is called."""
    return literal[5:-1] if literal.startswith("(not ") else literal
