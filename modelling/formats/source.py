"""Python source against ``concord.Model``: a program that states a problem, to continue with.

Every class of the vocabulary has its function there, so that nothing is rewritten. Variables whose
names are those of an array are made as one; domains that are narrowed by givens are written as they
are. A constraint of a class of one's own is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields
from typing import Any

from modelling.expressions.functions import FUNCTIONS, spell
from modelling.formats.expression_printer import (
    ExpressionPrinter,
    Operations,
    is_boolean,
    open_domains,
    refuse,
)
from modelling.formats.python_text import (
    Declared,
    Library,
    Text,
    Words,
    declare,
    find_words,
    quote,
    render,
    sections,
    statement,
)
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Kind, fields_of
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.formulas.clauses import Block

_CALLED = {kind: name for kind in VOCABULARY for name in spell(kind)[:1] if name in FUNCTIONS}
"""The function of each class; operators write the others."""


def write(problem: Problem) -> Iterator[str]:
    """A program whose ``m`` is a model of the problem; ModelError for what it cannot say."""
    given = problem.structure
    structure = Structure(
        given.names, open_domains(problem), given.constraints, given.objective, given.output
    )
    words = find_words(structure.names, ("concord", "m"))
    printer = _SourcePrinter(structure, words)
    yield from sections(
        ["import concord\n"],
        ["m = concord.Model()\n", *(_declaration(block, structure) for block in words.blocks)],
        (statement(f"m.add({render(condition)})") for condition in printer.conditions()),
        _objective_lines(printer, structure.objective),
        _output_lines(printer, structure.output),
    )


def _declaration(block: Declared, structure: Structure) -> str:
    """The line that makes an array or a variable."""
    domains = [structure.domains[v] for v in block.variables]
    if not block.shape:
        return f"{block.called} = {_variable(domains[0], block.name)}\n"
    if any(domain != domains[0] for domain in domains[1:]):
        made = [
            _variable(d, structure.names[v]) for d, v in zip(domains, block.variables, strict=True)
        ]
        return declare(block, "concord.array", made)
    shape = render(block.shape[0]) if len(block.shape) == 1 else repr(block.shape)
    if is_boolean(domains[0]):
        return f"{block.called} = m.bools({shape}, {quote(block.name)})\n"
    return f"{block.called} = m.ints({shape}, {_domain(domains[0], block.name)})\n"


def _variable(domain: Sequence[int], name: str) -> str:
    if is_boolean(domain):
        return f"m.bool({quote(name)})"
    return f"m.int({_domain(domain, name)})"


def _domain(domain: Sequence[int], name: str) -> str:
    """Least and greatest value, or a list, and a name."""
    if domain and domain[-1] - domain[0] == len(domain) - 1:
        return f"{domain[0]}, {domain[-1]}, {quote(name)}"
    values = repr(domain) if isinstance(domain, range) else repr(list(domain))
    return f"{values}, name={quote(name)}"


def _objective_lines(printer: ExpressionPrinter, objective: Objective | None) -> Iterator[str]:
    if objective is not None:
        yield statement(f"m.{objective.sense}({render(printer.term(objective.term))})")


def _output_lines(printer: _SourcePrinter, output: tuple[int, ...] | None) -> Iterator[str]:
    if output is not None:
        names = render([printer.variables[v] for v in output], printer.lists)
        yield statement(f"m.output({names})")


class _SourcePrinter(ExpressionPrinter):
    """What a structure says, by operators and ``concord``'s functions."""

    def __init__(self, structure: Structure, words: Words) -> None:
        self.lists = words.rows | {row: block.called for row, block in words.matrices.items()}
        self._library = library = Library("concord", self.lists)
        operations = Operations(
            total=lambda items: Text(f"sum({render(items, words.rows)})"),
            every=library.all_,
            some=library.any_,
            odd=library.xor,
            constant=lambda truth: library.all_([]) if truth else library.any_([]),
            iff=lambda one, other: one.iff(other),
        )
        super().__init__(structure, words.variables, operations, words.rows)

    def other(self, item: Any) -> Any:
        """A call of the class's function; fields of their default are left out."""
        kind = type(item)
        if kind not in _CALLED:
            raise refuse(item, "Python source")
        defaults = {field.name: field.default for field in fields(kind)}
        arguments: list[Any] = []
        named: dict[str, Any] = {}
        for field in fields_of(kind):
            value = getattr(item, field.name)
            default = defaults[field.name]
            if default is MISSING:
                arguments.append(self._argument(field.kind, value))
            elif value != default:
                named[field.name] = self._argument(field.kind, value)
        return getattr(self._library, _CALLED[kind])(*arguments, **named)

    def _argument(self, kind: Kind, value: Any) -> Any:
        match kind:
            case Kind.TERM:
                return self.term(value)
            case Kind.TERMS:
                return self.terms(value)
            case Kind.MATRIX:
                return [self.terms(row) for row in value]
            case Kind.FORMULA:
                return self.formula(value)
            case Kind.FORMULAS:
                return list(map(self.formula, value))
        return [list(clause) for clause in value] if isinstance(value, Block) else value
