"""Problems as CPMpy's models, and as Python source that makes such a model.

Domains with gaps become ``InDomain``. CPMpy drops a variable that no kept constraint mentions;
such a variable is written as equal to itself. An empty domain is written as False. Auxiliaries are
called ``_1``, ``_2``, ...; the declared variables determine them, so that solutions correspond one
to one.
CPMpy cannot project solutions to some of the variables: such a problem is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from modelling.constraint import Constraint
from modelling.definedness import never_in
from modelling.errors import ModelError
from modelling.formats.cpmpy.printer import CPMpyPrinter, names_for_cpmpy, rewrite_for_cpmpy
from modelling.formats.expression_printer import is_boolean
from modelling.formats.python_text import (
    Declared,
    Library,
    declare,
    find_words,
    quote,
    render,
    sections,
    statement,
)
from modelling.problem import LISTED, Problem, Structure
from modelling.terms import bounds
from modelling.vocabulary.comparisons import OPPOSITES
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.table import Table


def make_model(problem: Problem) -> Any:
    """A CPMpy model of the problem; ModelError for what CPMpy cannot say."""
    import cpmpy as cp

    structure, _ = rewrite_for_cpmpy(problem)
    variables = [
        cp.boolvar(name=name) if boolean else cp.intvar(low, high, name=name)
        for name, (low, high, boolean) in zip(
            names_for_cpmpy(structure), map(_ends, structure.domains), strict=True
        )
    ]
    printer = CPMpyPrinter(structure, variables, cp)
    model = cp.Model()
    for condition in _conditions(printer):
        model += condition
    objective = structure.objective
    if objective is not None:
        aim = model.minimize if objective.sense == "minimize" else model.maximize
        aim(printer.aim(objective.term))
    return model


def write_source(problem: Problem) -> Iterator[str]:
    """A program whose ``model`` is a CPMpy model of the problem."""
    structure, declared = rewrite_for_cpmpy(problem)
    names = names_for_cpmpy(structure)
    words = find_words(names, ("cp", "model"))
    rows = words.rows | {row: f"{one.called}.flatten()" for row, one in words.matrices.items()}
    printer = CPMpyPrinter(structure, words.variables, Library("cp", rows), rows)
    blocks = [(block, block.variables[0] >= declared) for block in words.blocks]
    own = [_declaration(block, structure, names) for block, added in blocks if not added]
    added = [_declaration(block, structure, names) for block, added in blocks if added]
    objective = structure.objective
    asked = []
    if objective is not None:
        asked = [statement(f"model.{objective.sense}({render(printer.aim(objective.term), rows)})")]
    yield from sections(
        ["import cpmpy as cp\n"],
        own,
        ["# auxiliary variables\n", *added] if added else [],
        ["model = cp.Model()\n"],
        (statement(f"model += {render(condition)}") for condition in _conditions(printer)),
        asked,
    )


def _conditions(printer: CPMpyPrinter) -> Iterator[Any]:
    """Gaps in domains, what the structure says, and variables of which it says nothing."""
    structure = printer.structure
    for variable, domain in zip(printer.variables, structure.domains, strict=True):
        if not domain:
            yield printer.cp.BoolVal(False)
        elif domain[-1] - domain[0] >= len(domain):
            if len(domain) > LISTED:
                raise ModelError(
                    "CPMpy lists the values of a domain with gaps, and one here has "
                    f"{len(domain):,}: narrow it"
                )
            yield printer.cp.InDomain(variable, list(domain))
    yield from printer.conditions()
    spoken = {v for c in structure.constraints if _stays(c, structure) for v in c.scope}
    for position, variable in enumerate(printer.variables):
        if position not in spoken:
            yield variable == variable


def _stays(constraint: Constraint, structure: Structure) -> bool:
    """Whether CPMpy certainly keeps all variables of a constraint.

    It drops a comparison that the bounds of its sides decide, and what such a comparison decides.
    How it computes bounds of functions is not known here, so a comparison with one may be dropped.
    """
    match constraint:
        case And() | Or() | Xor() | Not() | Implies() | Iff():
            parts = constraint.parts()
            return bool(parts) and all(_stays(part, structure) for part in parts)
        case Linear():
            low, high = bounds(Sum(constraint.terms, constraint.coefficients), structure.domains)
            relation, right = constraint.relation, constraint.constant
            opposite = OPPOSITES[relation]
            decided = any(never_in(low, high, r, right) for r in (relation, opposite))
            return not (decided or constraint.parts())
        case NotEqual(terms=(one, other)):
            return _stays(Linear((one, other), (1, -1), "!=", 0), structure)
        case Table(tuples=rows) if not rows:
            return False
    return not constraint.parts()


def _ends(domain: Sequence[int]) -> tuple[int, int, bool]:
    """Least and greatest value, and whether it is a Boolean; an empty domain is stated apart."""
    if not domain:
        return 0, 0, False
    return domain[0], domain[-1], is_boolean(domain)


def _declaration(block: Declared, structure: Structure, names: Sequence[str]) -> str:
    """The line that makes an array or a variable."""
    ends = [_ends(structure.domains[v]) for v in block.variables]
    if not block.shape:
        return f"{block.called} = {_variable(ends[0], block.name)}\n"
    if any(one != ends[0] for one in ends):
        made = [_variable(one, names[v]) for one, v in zip(ends, block.variables, strict=True)]
        return declare(block, "cp.cpm_array", made)
    shape = render(block.shape[0]) if len(block.shape) == 1 else repr(block.shape)
    if block.shape == (1,):  # CPMpy makes no array of one variable
        return declare(block, "cp.cpm_array", [_variable(ends[0], names[block.variables[0]])])
    return f"{block.called} = {_variable(ends[0], block.name, f'shape={shape}, ')}\n"


def _variable(ends: tuple[int, int, bool], name: str, shape: str = "") -> str:
    low, high, boolean = ends
    if boolean:
        return f"cp.boolvar({shape}name={quote(name)})"
    return f"cp.intvar({low}, {high}, {shape}name={quote(name)})"
