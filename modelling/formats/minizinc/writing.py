"""A Problem as a MiniZinc model that people can read.

Variables whose names look like elements are arrays (``x[0,1]``). Functions and formulas keep their
places. What MiniZinc cannot express, or treats differently within formulas, is rewritten
(``profile``), with variables ``aux`` that are functions of the others. The model includes only the
files of MiniZinc's library that it uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.minizinc.names import Grid, Names
from modelling.formats.minizinc.predicates import WORDS, clauses
from modelling.formats.minizinc.printer import MiniZincPrinter
from modelling.formats.minizinc.profile import PROFILE
from modelling.problem import Objective, Problem, Structure
from modelling.rewriting import Declined, Rewritten, normalise, rewrite
from modelling.terms import Function, constant
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.linear import Sum
from modelling.vocabulary.functions.define import Define

WIDTH = 100
"""A list of values that is longer is broken into lines."""


def write(problem: Problem) -> Iterator[str]:
    """The problem as MiniZinc, in pieces; ModelError for what it cannot printer."""
    rewritten = _rewritten(problem.structure)
    lifted = rewritten.lift(problem)
    structure = lifted.structure
    names = Names(structure.names, rewritten.declared)
    printer = MiniZincPrinter(names, structure.domains, WORDS)
    declarations = list(_declarations(printer, lifted, rewritten.declared))
    constraints = [
        f"constraint {condition};\n"
        for constraint in structure.constraints
        for condition in _conditions(printer, constraint)
    ]
    question = _question(printer, structure)
    for name, replaced in names.replaced:
        yield f"% {' '.join(name.split())} is called {replaced}\n"
    for file in sorted(printer.included):
        yield f'include "{file}";\n'
    first = not (names.replaced or printer.included)
    for part in (declarations, constraints, [question], _output(names, structure, rewritten)):
        if part:
            yield "" if first else "\n"
            yield from part
            first = False


def _conditions(printer: MiniZincPrinter, constraint: Constraint) -> Iterator[str]:
    """A constraint as one condition, or as one for each of its clauses."""
    if type(constraint) is Clauses:
        yield from clauses(printer, constraint)
    else:
        yield printer.formula(constraint, nested=False)


def _rewritten(structure: Structure) -> Rewritten:
    """The structure in what MiniZinc says; an objective that it says stays as it is.

    Empty lists and the like are folded away: of an empty array MiniZinc does not know the type.
    """
    structure = normalise(structure)
    objective = structure.objective
    kept = None
    if objective is not None and not objective.is_linear:
        term = objective.term
        whole = Define(constant(0), term)
        if not isinstance(term, Function) or PROFILE.takes(whole, "root", structure):
            kept = objective
    found = rewrite(structure if kept is None else replace(structure, objective=None), PROFILE)
    if isinstance(found, Declined):
        raise ModelError(f"MiniZinc: {found.reason}")
    if kept is None:
        return found
    return replace(found, structure=replace(found.structure, objective=kept))


# --- variables -----------------------------------------------------------------------------------


def _declarations(printer: MiniZincPrinter, problem: Problem, declared: int) -> Iterator[str]:
    in_grids = {variable: grid for grid in printer.names.grids for variable in grid.variables}
    done: set[str] = set()
    for variable in range(problem.structure.size):
        grid = in_grids.get(variable)
        if grid is None:
            values = problem.values(variable)
            name = printer.names.called[variable]
            yield f"var {_domain(printer, name, values)}: {name};\n"
            if not len(values):
                yield "constraint false;\n"
        elif grid.name not in done:
            done.add(grid.name)
            yield from _declare_grid(printer, problem, grid)


def _declare_grid(printer: MiniZincPrinter, problem: Problem, grid: Grid) -> Iterator[str]:
    """An array over the base domain that most of its elements have; others are narrowed."""
    common = _common([problem.structure.domains[variable] for variable in grid.variables])
    yield f"array[{grid.places()}] of var {_domain(printer, grid.name, common)}: {grid.name};\n"
    for variable in grid.variables:
        values = problem.values(variable)
        name = printer.names.called[variable]
        if not len(values):
            yield "constraint false;\n"
        elif len(values) == 1:
            yield f"constraint {name} = {printer.number(values[0])};\n"
        elif len(values) != len(common):
            yield f"constraint {name} in {_domain(printer, name, values)};\n"


def _common(domains: Sequence[Sequence[int]]) -> Sequence[int]:
    """A domain of which all are parts: one of them, or else all integers between their ends.

    Equal domains are one object as a rule, and may be large: each object is looked at once.
    """
    once = {id(domain): domain for domain in domains}
    most = once[Counter(map(id, domains)).most_common(1)[0][0]]
    if all(other is most or _is_part(other, most) for other in once.values()):
        return most
    ends = [end for domain in once.values() if len(domain) for end in (domain[0], domain[-1])]
    return range(min(ends), max(ends) + 1)


def _is_part(part: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether a domain surely is a part of another; ranges are not gone through."""
    if not len(part):
        return True
    if not len(whole) or part[0] < whole[0] or part[-1] > whole[-1]:
        return False
    without_gaps = whole[-1] - whole[0] == len(whole) - 1
    listed = isinstance(part, tuple) and isinstance(whole, tuple)
    return without_gaps or (listed and set(part) <= set(whole))


def _domain(printer: MiniZincPrinter, name: str, values: Sequence[int]) -> str:
    if not len(values):
        return "0..0"
    if isinstance(values, range) and values.step != 1:
        raise ModelError(
            f"MiniZinc: the domain of {name} has too many gaps to be written; state it by a "
            "variable without gaps, times a factor"
        )
    if values[-1] - values[0] == len(values) - 1:
        return f"{printer.number(values[0])}..{printer.number(values[-1])}"
    return printer.set(values)


# --- the question --------------------------------------------------------------------------------


def _question(printer: MiniZincPrinter, structure: Structure) -> str:
    objective = structure.objective
    if objective is None:
        return "solve satisfy;\n"
    term = objective.term
    said = printer.sum(term.terms, term.coefficients) if type(term) is Sum else printer.term(term)
    return f"solve {_search(printer, structure, objective)}{objective.sense} {said};\n"


def _search(printer: MiniZincPrinter, structure: Structure, objective: Objective) -> str:
    """How to search where domains are too large to be listed: the better half of each first.

    Without it, solvers that try one value after the other improve an objective by 1 at a time. A
    domain is moved to lie around 0: Gecode 6.2 adds its two ends to halve it, and where their sum
    is beyond 32 bits it searches without end.
    """
    if not structure.ranges or not objective.is_linear:
        return ""
    more_is_better = objective.sense == "maximize"
    parts = []
    for variable, factor in zip(objective.scope, objective.coefficients, strict=True):
        domain = structure.domains[variable]
        if len(domain) > 1:
            way = "reverse_split" if (factor > 0) is more_is_better else "split"
            middle = (domain[0] + domain[-1]) // 2
            moved = printer.sum((variable,), (1,), -middle)
            parts.append(f"int_search([{moved}], input_order, indomain_{way}, complete)")
    if len(parts) < 2:
        return "".join(f":: {part} " for part in parts)
    return f":: seq_search([{', '.join(parts)}]) "


def _output(names: Names, structure: Structure, rewritten: Rewritten) -> list[str]:
    """What is printed, where it is not everything."""
    declared = rewritten.declared
    if structure.output is None and declared == structure.size:
        return []
    shown = range(declared) if structure.output is None else structure.output
    left = set(shown)
    items = []
    in_grids = {variable: grid for grid in names.grids for variable in grid.variables}
    for variable in shown:
        grid = in_grids.get(variable)
        if variable not in left:
            continue
        if grid is not None and left >= set(grid.variables):
            left -= set(grid.variables)
            items.append(grid.name)
        else:
            left.discard(variable)
            items.append(names.called[variable])
    lines = "".join(f'  "{name} = \\({name});\\n",\n' for name in items)
    return [f"output [\n{lines}];\n"]
