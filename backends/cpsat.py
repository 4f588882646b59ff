"""OR-Tools CP-SAT behind the common interface.

Formulations (option ``formulation``):

alldifferent   one integer variable a variable, constraints posed as CP-SAT has them
booleans       one Boolean a value with exactly-one for each variable, and for AllDifferent
               exactly-one (as many values as variables) or at-most-one for each value

``presolve=off`` also turns off probing, symmetry detection and linearisation: on problems of a few
milliseconds that work costs more than it saves.

The model of a structure is built once; the givens of an instance narrow its variables' domains in
place and are taken back after the call. One worker unless ``Limits.threads`` says otherwise, and
enumeration with more than one is refused: CP-SAT then returns wrong counts under status OPTIMAL
(in 9.15, two workers find 80 of the 92 solutions of the 8 queens).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

from backends.api import (
    Accepted,
    Ask,
    Limits,
    Phases,
    Refused,
    Result,
    Sink,
    Solutions,
    StoppedBy,
    ensure_accepted,
    statistics_of,
)
from backends.collector import Collector
from backends.encoding_cache import EncodingCache
from backends.optimise import optimise, required_objective
from backends.options import Option, canonical, parse
from backends.registry import distribution_version, require
from modelling.check import refuted
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.errors import BackendError, Unsupported
from modelling.problem import Assignment, Problem, Structure
from modelling.rewrite import inexpressible

NATIVE: frozenset[type[Constraint]] = frozenset({AllDifferent, NotEqual, Linear, Table})
LARGEST = 1 << 53
"""Values beyond this are refused, far below where CP-SAT's 64-bit sums overflow."""

OPTIONS = (
    Option("formulation", ("alldifferent", "booleans"), "alldifferent", "how to pose it"),
    Option("presolve", ("on", "off"), "on", "presolve, probing, symmetry, linearisation"),
    Option("reuse", ("none", "encoding"), "encoding", "keep the model of a structure"),
)


def make(options: str = "") -> CpSat:
    """The backend with its options, e.g. ``booleans,presolve=off``."""
    return CpSat(**parse("cpsat", OPTIONS, options))


@dataclass(frozen=True)
class Model:
    """A structure as a CpModel.

    ``narrow(variable, values)`` sets what is open for a variable; ``decode`` maps CP-SAT's
    solution vector to an assignment; ``expressions[v]`` is variable ``v`` in linear expressions.
    """

    model: Any
    narrow: Callable[[int, Sequence[int]], None]
    decode: Callable[[list[int]], Assignment]
    expressions: tuple[Any, ...]


class CpSat:
    """Complete; statistics: nodes (branches), failures (conflicts), propagations."""

    family = "cpsat"
    native = NATIVE

    def __init__(
        self, formulation: str = "alldifferent", presolve: str = "on", reuse: str = "encoding"
    ) -> None:
        values = {"formulation": formulation, "presolve": presolve, "reuse": reuse}
        self.name = canonical("cpsat", OPTIONS, values)
        self._cp = require("ortools", "ortools.sat.python.cp_model", "cpsat", "pip install ortools")
        self.version = distribution_version("ortools")
        self._formulate = integers if formulation == "alldifferent" else booleans
        self._presolve = presolve == "on"
        self._models = EncodingCache[Model](0 if reuse == "none" else 8)

    def accepts(self, problem: Problem) -> Accepted | Refused:
        structure = problem.structure
        for constraint in inexpressible(structure, NATIVE):
            return Refused(f"CP-SAT has no {type(constraint).__name__}")
        for name, domain in zip(structure.names, structure.domains, strict=True):
            if domain and max(-domain[0], domain[-1]) > LARGEST:
                return Refused(f"{name} reaches beyond {LARGEST}")
        return Accepted()

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        ensure_accepted(self, problem)
        if not isinstance(ask, Solutions):
            return optimise(self._solutions, problem, ask, limits, sink, self._optimum)
        return self._solutions(problem, ask, limits, sink)

    def _solutions(
        self, problem: Problem, ask: Solutions, limits: Limits, sink: Sink | None
    ) -> Result:
        if ask.limit != 1 and (limits.threads or 1) > 1:
            raise Unsupported(
                self.name,
                f"enumeration with {limits.threads} workers",
                "CP-SAT returns wrong counts under status OPTIMAL; use one worker",
            )
        collector = Collector(ask, sink)
        if refuted(problem):
            return collector.result("exhausted")
        phases = Phases()
        with phases("encode"):
            model, reused = self._models.get(problem.structure, self._encode)
            solver = self._solver(limits)
            # Only enumeration is exhaustive; a single solution may use CP-SAT's full presolve.
            solver.parameters.enumerate_all_solutions = ask.limit != 1
        callback = None
        if ask.limit != 1:
            callback = self._callback(lambda solution: collector.add(model.decode(solution)))
        with phases("solve"):
            status = self._run(solver, model, problem, callback)
        if ask.limit == 1 and status in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            with phases("decode"):
                collector.add(model.decode(list(solver.response_proto.solution)))
        return collector.result(
            self._stopped_by(status, limits),
            native_status=solver.status_name(status),
            statistics=statistics(solver),
            phases=phases,
            encoding_reused=reused,
        )

    def _optimum(
        self, problem: Problem, ask: Solutions, limits: Limits, sink: Sink | None
    ) -> Result:
        objective = required_objective(problem)
        if refuted(problem):
            return Result(count=0, stopped_by="exhausted", optimising=True)
        phases = Phases()
        with phases("encode"):
            model, reused = self._models.get(problem.structure, self._encode)
            solver = self._solver(limits)
            total = self._cp.LinearExpr.weighted_sum(
                [model.expressions[v] for v in objective.scope], objective.coefficients
            )
            getattr(model.model, objective.sense)(total)
        callback = None
        if sink is not None:
            callback = self._callback(lambda solution: sink(model.decode(solution)))
        try:
            with phases("solve"):
                status = self._run(solver, model, problem, callback)
        finally:
            model.model.clear_objective()
        found = status in (self._cp.OPTIMAL, self._cp.FEASIBLE)
        best = model.decode(list(solver.response_proto.solution)) if found else None
        stopped_by = self._stopped_by(status, limits)
        if callback is not None and callback.stopped:
            stopped_by = "sink"
        return Result(
            count=int(found),
            stopped_by=stopped_by,
            solutions=() if best is None else (best,),
            objective=None if best is None else objective.value(best),
            bound=round(solver.best_objective_bound) if found else None,
            optimising=True,
            native_status=solver.status_name(status),
            statistics=statistics(solver),
            phases=phases,
            encoding_reused=reused,
        )

    def _encode(self, structure: Structure) -> Model:
        return self._formulate(self._cp, structure)

    def _solver(self, limits: Limits) -> Any:
        solver = self._cp.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = limits.threads or 1
        # Presolve otherwise loses solutions where at-most-ones meet linear constraints, at least
        # in 9.15 (docs/disagreements.md); without it these problems are also solved faster.
        parameters.presolve_inclusion_work_limit = 0
        if limits.seconds is not None:
            parameters.max_time_in_seconds = limits.seconds
        if limits.conflicts is not None:
            parameters.max_number_of_conflicts = limits.conflicts
        if limits.seed is not None:
            parameters.random_seed = limits.seed % (1 << 31)
        if not self._presolve:
            parameters.cp_model_presolve = False
            parameters.cp_model_probing_level = 0
            parameters.symmetry_level = 0
            parameters.linearization_level = 0
        return solver

    def _run(self, solver: Any, model: Model, problem: Problem, callback: Any) -> Any:
        narrowed = problem.narrowed()
        try:
            for variable in narrowed:
                model.narrow(variable, problem.domain(variable))
            status = solver.solve(model.model, callback)
        finally:
            for variable in narrowed:
                model.narrow(variable, problem.structure.domains[variable])
        if callback is not None and callback.error is not None:
            raise callback.error
        if status == self._cp.MODEL_INVALID:
            raise BackendError(f"{self.name}: {model.model.validate() or 'invalid model'}")
        return status

    def _callback(self, take: Callable[[list[int]], bool]) -> Any:
        return _callback_class(self._cp)(take)

    def _stopped_by(self, status: Any, limits: Limits) -> StoppedBy:
        if status in (self._cp.OPTIMAL, self._cp.INFEASIBLE):
            return "exhausted"
        return "gave_up" if limits.seconds is None else "time"


def _callback_class(cp: Any) -> Any:
    """A solution callback; defined here because its base class is imported lazily."""

    class Callback(cp.CpSolverSolutionCallback):  # type: ignore[misc]  # cp is imported lazily
        def __init__(self, take: Callable[[list[int]], bool]) -> None:
            super().__init__()
            self.take = take
            self.stopped = False
            self.error: BaseException | None = None

        def on_solution_callback(self) -> None:
            # CP-SAT may deliver further solutions after stop_search(): they are not ours any more.
            if self.stopped:
                return
            try:
                go_on = self.take(list(self.response_proto.solution))
            except BaseException as error:  # carried out of the C++ frames and raised again
                self.error = error
                go_on = False
            if not go_on:
                self.stopped = True
                self.stop_search()

    return Callback


def statistics(solver: Any) -> dict[str, int | float]:
    """CP-SAT's counters under MiniZinc's names."""
    return statistics_of(
        nodes=solver.num_branches,
        failures=solver.num_conflicts,
        booleans=solver.num_booleans,
        propagations=solver.num_binary_propagations + solver.num_integer_propagations,
    )


def integers(cp: Any, structure: Structure) -> Model:
    """One integer variable for each variable; variable ``v`` has index ``v`` in the model."""
    model = cp.CpModel()
    variables = [
        model.new_int_var_from_domain(cp.Domain.from_values(list(domain) or [0]), name)
        for name, domain in zip(structure.names, structure.domains, strict=True)
    ]
    for constraint in structure.constraints:
        scope = [variables[v] for v in constraint.scope]
        if isinstance(constraint, AllDifferent):
            model.add_all_different(scope)
        elif isinstance(constraint, NotEqual):
            model.add(scope[0] != scope[1])
        elif isinstance(constraint, Linear):
            _add_linear(cp, model, scope, constraint)
        elif isinstance(constraint, Table):
            _add_table(model, scope, constraint)

    size = structure.size
    protos = model.proto.variables

    def narrow(variable: int, values: Sequence[int]) -> None:
        domain = protos[variable].domain
        domain.clear()
        domain.extend(intervals(values))

    return Model(model, narrow, lambda solution: tuple(solution[:size]), tuple(variables))


def booleans(cp: Any, structure: Structure) -> Model:
    """One Boolean for each value of each variable, and nothing but Booleans.

    Channelling to integers for tables is what one would try first; that is where CP-SAT 9.15 lost
    solutions in presolve (docs/disagreements.md), so tables are posed row by row.
    """
    model = cp.CpModel()
    flat = [value for domain in structure.domains for value in domain]
    literals = [
        {value: model.new_bool_var(f"{name}={value}") for value in domain}
        for name, domain in zip(structure.names, structure.domains, strict=True)
    ]
    expressions = tuple(
        cp.LinearExpr.weighted_sum(list(of.values()), list(of)) if of else 0 for of in literals
    )
    for of in literals:
        model.add_exactly_one(of.values())
    for constraint in structure.constraints:
        if isinstance(constraint, AllDifferent | NotEqual):
            _add_one_each(model, [literals[v] for v in constraint.scope])
        elif isinstance(constraint, Linear):
            _add_linear(cp, model, [expressions[v] for v in constraint.scope], constraint)
        elif isinstance(constraint, Table):
            _add_rows(model, [literals[v] for v in constraint.scope], constraint)

    protos = model.proto.variables

    def narrow(variable: int, values: Sequence[int]) -> None:
        kept = set(values)
        for value, literal in literals[variable].items():
            domain = protos[literal.index].domain
            domain.clear()
            domain.extend([0, 1] if value in kept else [0, 0])

    return Model(model, narrow, lambda solution: tuple(compress(flat, solution)), expressions)


def _add_one_each(model: Any, literals: Sequence[dict[int, Any]]) -> None:
    """Each value at most once; exactly once where there are as many values as variables."""
    values = {value for of in literals for value in of}
    post = model.add_exactly_one if len(values) == len(literals) else model.add_at_most_one
    for value in sorted(values):
        post([of[value] for of in literals if value in of])


def _add_rows(model: Any, literals: Sequence[dict[int, Any]], constraint: Table) -> None:
    """A table over one-hot Booleans: a clause for each conflict, a selector for each support.

    An assignment matches exactly one selector, so selectors do not multiply solutions.
    """
    if not literals:
        return  # a constant: `refuted` has looked at it
    rows = [
        [of[value] for of, value in zip(literals, row, strict=True)]
        for row in dict.fromkeys(constraint.tuples)
        if all(value in of for of, value in zip(literals, row, strict=True))
    ]
    if not constraint.allowed:
        for row in rows:
            model.add_bool_or([literal.negated() for literal in row])
        return
    selectors = [model.new_bool_var("") for _ in rows]
    model.add_exactly_one(selectors)
    for selector, row in zip(selectors, rows, strict=True):
        model.add_bool_and(row).only_enforce_if(selector)


def _add_linear(cp: Any, model: Any, terms: Sequence[Any], constraint: Linear) -> None:
    if not terms:
        return  # a constant: `refuted` has looked at it
    total = cp.LinearExpr.weighted_sum(list(terms), list(constraint.coefficients))
    post = {
        "==": lambda: total == constraint.constant,
        "!=": lambda: total != constraint.constant,
        "<": lambda: total < constraint.constant,
        "<=": lambda: total <= constraint.constant,
        ">": lambda: total > constraint.constant,
        ">=": lambda: total >= constraint.constant,
    }
    model.add(post[constraint.relation]())


def _add_table(model: Any, scope: Sequence[Any], constraint: Table) -> None:
    if not scope:
        return  # a constant: `refuted` has looked at it
    if constraint.allowed and not constraint.tuples:
        model.add_bool_or([])  # CP-SAT takes an empty table for no constraint at all
    elif constraint.allowed:
        model.add_allowed_assignments(list(scope), list(constraint.tuples))
    elif constraint.tuples:
        model.add_forbidden_assignments(list(scope), list(constraint.tuples))


def intervals(values: Sequence[int]) -> list[int]:
    """Ascending values as CP-SAT writes a domain: [1, 2, 5] -> [1, 2, 5, 5]."""
    flat: list[int] = []
    for value in values:
        if flat and value == flat[-1] + 1:
            flat[-1] = value
        else:
            flat += [value, value]
    return flat
