"""Problems as CPMpy's models, and as Python source that makes such a model.

Domains with gaps are stated by ``InDomain``. A variable of which nothing is said that CPMpy surely
keeps is stated to equal itself, so that CPMpy knows of it; where a domain is empty, False is
stated. Auxiliaries are determined by the declared variables and called ``_1``, ``_2``, ..., so that
solutions correspond one to one. CPMpy cannot tell solutions apart by some of the variables: such a
problem is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from modelling.constraint import Constraint
from modelling.definedness import never_in
from modelling.errors import ModelError
from modelling.formats.cpmpy.saying import SaidForCPMpy, names_for_cpmpy, rewrite_for_cpmpy
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
from modelling.formats.saying import is_boolean
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
    said = SaidForCPMpy(structure, variables, cp)
    model = cp.Model()
    for condition in _conditions(said):
        model += condition
    objective = structure.objective
    if objective is not None:
        aim = model.minimize if objective.sense == "minimize" else model.maximize
        aim(said.aim(objective.term))
    return model


def write_source(problem: Problem) -> Iterator[str]:
    """A program whose ``model`` is a CPMpy model of the problem."""
    structure, declared = rewrite_for_cpmpy(problem)
    names = names_for_cpmpy(structure)
    words = find_words(names, ("cp", "model"))
    rows = words.rows | {row: f"{one.called}.flatten()" for row, one in words.matrices.items()}
    said = SaidForCPMpy(structure, words.variables, Library("cp", rows), rows)
    blocks = [(block, block.variables[0] >= declared) for block in words.blocks]
    own = [_declared(block, structure, names) for block, added in blocks if not added]
    added = [_declared(block, structure, names) for block, added in blocks if added]
    objective = structure.objective
    asked = []
    if objective is not None:
        asked = [statement(f"model.{objective.sense}({render(said.aim(objective.term), rows)})")]
    yield from sections(
        ["import cpmpy as cp\n"],
        own,
        ["# auxiliary variables\n", *added] if added else [],
        ["model = cp.Model()\n"],
        (statement(f"model += {render(condition)}") for condition in _conditions(said)),
        asked,
    )


def _conditions(said: SaidForCPMpy) -> Iterator[Any]:
    """Gaps in domains, what the structure says, and variables of which it says nothing."""
    structure = said.structure
    for variable, domain in zip(said.variables, structure.domains, strict=True):
        if not domain:
            yield said.constant(False)
        elif domain[-1] - domain[0] >= len(domain):
            if len(domain) > LISTED:
                raise ModelError(
                    "CPMpy lists the values of a domain with gaps, and one here has "
                    f"{len(domain):,}: narrow it"
                )
            yield said.cp.InDomain(variable, list(domain))
    yield from said.conditions()
    spoken = {v for c in structure.constraints if _stays(c, structure) for v in c.scope}
    for position, variable in enumerate(said.variables):
        if position not in spoken:
            yield variable == variable


def _stays(constraint: Constraint, structure: Structure) -> bool:
    """Whether CPMpy keeps all variables of a constraint: it drops a comparison that the bounds of
    its sides decide, and what such a one decides. Bounds of functions are its own affair."""
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


def _declared(block: Declared, structure: Structure, names: Sequence[str]) -> str:
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
