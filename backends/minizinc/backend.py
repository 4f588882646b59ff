"""A solver behind MiniZinc, joined with what all programs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from backends.interface.api import Ask, Limits
from backends.interface.libraries.making import maker
from backends.interface.magnitudes import find_too_large, find_wide_function, largest
from backends.interface.options import Option
from backends.interface.programs.answers.flatzinc import FlatZinc
from backends.interface.programs.named import Named
from backends.interface.programs.program import Order, Program
from backends.interface.programs.search import ProgramSearch
from backends.interface.programs.solver import Encoding, ProgramSolver
from backends.interface.programs.texts import Dialect
from backends.interface.session import Call
from backends.minizinc.guards import find_hole, find_native
from backends.minizinc.parameters import PARAMETERS, write_arguments
from backends.minizinc.solvers import find_program, find_release, find_solver
from modelling.constraints import And, Iff, Implies, Linear, Not, Or, Xor
from modelling.errors import BackendUnavailable, Unsupported
from modelling.formats.minizinc.releases import list_flags
from modelling.problem import Problem, Structure

INTERVALS = frozenset({Linear, And, Iff, Implies, Not, Or, Xor})
"""What MiniZinc's solvers take over variables whose values nobody lists."""

VARIABLE_CHOICES = ("input_order", "first_fail", "dom_w_deg")
"""Those of MiniZinc's ``int_search`` that its solvers have in common."""
RESTARTS = {"luby": "restart_luby(100)", "geometric": "restart_geometric(1.5, 100)"}
"""Annotations, with the numbers of failures that Gecode and Chuffed begin with."""

OPTIONS = (
    Option("solver", (), "gecode", "a solver that MiniZinc has", always=True, open=True),
    Option("search", ("default", "free", *VARIABLE_CHOICES), "default", "how to choose a variable"),
    Option("restarts", ("default", *RESTARTS), "default", "when to start again from the root"),
)


class Annotated(Named):
    """A model whose solve item says how to search."""

    annotations = ""

    def pieces(self) -> Iterator[str]:
        for piece in super().pieces():
            if self.annotations and piece.startswith("solve "):
                piece = piece.replace("solve ", f"solve {self.annotations}", 1)
            yield piece


def in_minizinc(problem: Problem, optimum: bool, search: str = "", restarts: str = "") -> Named:
    """A model over ``x0``, ``x1``, ...; the answer is values of these, as FlatZinc has them.

    ``search`` is how variables are chosen, the first value first, and ``restarts`` an annotation.
    """
    structure = problem.structure
    names = tuple([f"x{position}" for position in range(structure.size)])
    renamed = Problem(replace(structure, names=names), problem.masks)
    reader = partial(FlatZinc, frozenset(names), optimum)
    model = Annotated(renamed, optimum, "minizinc", names, reader)
    if search:
        model.annotations = f":: int_search([{', '.join(names)}], {search}, indomain_min) "
    if restarts:
        model.annotations += f":: {restarts} "
    return model


class MiniZinc(ProgramSolver):
    """Complete, but for the solvers of linear programs: their numbers are not exact."""

    def __init__(self, name: str, solver: str, search: str, restarts: str) -> None:
        self.minizinc = find_program()
        self.solver = find_solver(solver)
        self.restarts = restarts
        self.is_free = search == "free"
        if self.is_free and "-f" not in self.solver.flags:
            raise BackendUnavailable(f"{name}: {self.solver.word} has no free search (the flag -f)")
        release = find_release(self.minizinc)
        self.release_flags = list_flags(release)
        write = partial(
            in_minizinc,
            search=search if search in VARIABLE_CHOICES else "",
            restarts=RESTARTS.get(restarts, ""),
        )
        dialect = Dialect("minizinc", ".mzn", True, write, find_native(self.solver, release))
        flags = self.solver.flags
        enumerates = self.solver.is_exact and "-a" in flags
        version = f"{self.solver.version} (MiniZinc {release})"
        super().__init__(Program(self.words, dialect, enumerates), self.solver.word, version)
        self.capabilities = replace(
            self.capabilities,
            proves=self.solver.is_exact,
            threads="-p" in flags,
            intervals=INTERVALS,
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """What its integers do not hold."""
        most = self.solver.largest
        hole = find_hole(structure)
        if hole:
            return hole
        most_of_sum = self.solver.largest_sum
        return find_too_large(structure, most, most_of_sum) or find_wide_function(structure, most)

    def open(self, encoding: Encoding, call: Call) -> ProgramSearch:
        """A run of the program; Unsupported for an objective that its integers do not hold."""
        objective = call.problem.structure.objective
        if call.optimum and objective is not None:
            most = self.solver.largest
            if largest(objective.term, call.problem.structure) > most:
                what = f"an objective that reaches beyond {most}"
                raise Unsupported(self.solver.word, what, "its integers do not hold it")
        return super().open(encoding, call)

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """Solvers of linear programs find one solution; what restarts would repeat solutions."""
        if getattr(ask, "limit", 1) == 1:
            return None
        if self.restarts != "default":
            return "more than one solution", "with restarts it would find the same ones again"
        if self.solver.is_exact:
            return None
        return "more than one solution", f"{self.solver.word} does not enumerate them"

    def words(self, order: Order) -> list[str]:
        """The command line; statistics are on, and repeats are shown."""
        flags = self.solver.flags
        command = [self.minizinc, "--solver", self.solver.identifier, "--output-mode", "dzn"]
        command += ["--non-unique", *self.release_flags, *(["-s"] if "-s" in flags else [])]
        if order.question == "all":
            command.append("-a")
        elif order.question == "optimum":
            command += [flag for flag in ("-i", "-a") if flag in flags][:1]
        if self.is_free:
            command.append("-f")
        if order.seconds is not None:
            command += ["--time-limit", str(max(1, round(1000 * order.seconds)))]
        if order.seed is not None and "-r" in flags:
            command += ["-r", str(order.seed % (1 << 31))]
        if order.threads is not None and order.threads > 1 and "-p" in flags:
            command += ["-p", str(order.threads)]
        return [*command, *write_arguments(self.solver, self.parameters), order.problem]


make = maker("minizinc", OPTIONS, MiniZinc, PARAMETERS)
