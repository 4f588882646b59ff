"""CP-SAT in every configuration that seems sensible, beside CP-SAT as Concord calls it.

    python -m results.studies.cpsat [--only PART]... [--repeat K] [--out DIR]

Words
-----
part            structures of one kind, a few instances that ship with Concord or that are drawn
                here from fixed seeds
configuration   a formulation and CP-SAT's parameters. All but ``plain`` use Concord's models, built
                once for a structure; nothing of Concord is around their calls
plain           the script that the OR-Tools documentation would have its user write: integer
                variables, add_all_different, the model built for each instance, default parameters,
                one worker; for an enumeration its callback
concord         ``registry.get("cpsat").solve(problem, ask)``: everything that is counted against
                CP-SAT in a comparison, but for stating the problem
cell            a part and an ask

All rows of a cell run in this process, instance by instance, in a turn each, in an order drawn
anew for each turn. A call is made twice and the second is counted, since in a run the calls of one
backend follow one another; where the configurations, which share most of their code, come before
``concord``, it alone would find cold caches. CPU seconds of the process are counted. A row's figure
is the geometric mean over the instances of the median over the turns of its time in proportion to
another row's in the same turn: what else the machine does hits both. The *best* configuration of a
cell is the one with the least such figure beside ``concord``, and all figures that are shown are
beside the best; so each row is compared with one configuration, not with the best for each
instance. What came near the best runs as many turns again as ``--repeat`` says, times ``AGAIN``. At
the end ``concord`` and the best run ``AGAIN`` times as many turns by themselves, and those alone
make Concord's figure: between two turns of a pair lies the same work for both, while among all rows
only ``concord`` has code that no other row shares.
A row that has failed in a cell is not asked again there.

Every answer is checked: solutions by the constraints' definitions, counts and optima against those
of ``propagation`` or what is known of the part. A row with a wrong answer in a cell is no rival
there and is named; so is one that does not end within ``LIMIT`` seconds.
Writes ``cpsat.json`` and ``cpsat.md`` to ``--out``.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import product
from pathlib import Path
from statistics import geometric_mean, median
from time import perf_counter, process_time
from typing import Any

import msgspec

from backends.cpsat.formulations import Model, Read
from backends.cpsat.handlers import formulate
from backends.cpsat.parameters import LEVELS
from backends.interface import registry
from backends.interface.api import AllOptima, Ask, Backend, Limits, Optimum, Solutions
from backends.interface.optimise import bounded, required_objective
from harness.machine import this_machine
from modelling.check import violations
from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Assignment, Objective, Problem, Structure, state
from modelling.versions import find_version
from puzzles.family import Instance, family
from puzzles.sets import instances

LIMIT = 3.0
"""Seconds of wall time for a call; a row that needs more is no rival."""

ASKED = 1.15
"""What Concord's time in proportion to the best should be for each ask, as a mean over parts."""

SLOW = 0.3
"""A call that takes longer is not repeated."""

NEAR, AGAIN = 1.25, 3
"""Rows within so much of the best are near it, and so many times the turns are theirs again."""

ASKS: dict[str, Ask] = {
    "first": Solutions(1),
    "uniqueness": Solutions(2, 2),
    "all": Solutions(None, None),
    "optimum": Optimum(),
    "all optima": AllOptima(None, None),
}

# --- configurations ------------------------------------------------------------------------------

BARE = LEVELS["off"]
THIN = {"cp_model_probing_level": 0, "symmetry_level": 0, "linearization_level": 0}


@dataclass(frozen=True)
class Configuration:
    """A formulation and parameters; ``plain`` is the documentation's script."""

    formulation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    plain: bool = False


PARAMETERS: dict[str, Mapping[str, Any]] = {
    "presolve on": {},
    "presolve off": BARE,
    "presolve off, inprocessing on": {**BARE, "use_sat_inprocessing": True},
    "presolve off, fixed search": {**BARE, "search_branching": "FIXED_SEARCH"},
    "presolve light": LEVELS["light"],
    "light, linearization 0": {**LEVELS["light"], "linearization_level": 0},
    "no probing, symmetry, linearization": THIN,
}
ONLY_INTEGERS: dict[str, Mapping[str, Any]] = {
    "linearization 0": {"linearization_level": 0},
    "linearization 2": {"linearization_level": 2},
    "symmetry 0": {"symmetry_level": 0},
    "probing 0": {"cp_model_probing_level": 0},
    "keep all feasible": {"keep_all_feasible_solutions_in_presolve": True},
    "presolve off, not all instantiated": {**BARE, "instantiate_all_variables": False},
}
CONFIGURATIONS: dict[str, Configuration] = {
    "plain": Configuration("alldifferent", plain=True),
    **{f"alldifferent, {k}": Configuration("alldifferent", v) for k, v in PARAMETERS.items()},
    **{f"alldifferent, {k}": Configuration("alldifferent", v) for k, v in ONLY_INTEGERS.items()},
    **{f"booleans, {k}": Configuration("booleans", v) for k, v in PARAMETERS.items()},
}

# --- parts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """Instances and the asks that are put to them; ``count`` is how many solutions each has."""

    name: str
    asks: tuple[str, ...]
    make: Callable[[], list[Problem]]
    count: int | None = None


def of_set(name: str, every: int, most: int) -> Callable[[], list[Problem]]:
    """Instances of a set that ships, ``every`` so many lines one."""

    def make() -> list[Problem]:
        entries = [entry for entry in instances(name) if isinstance(entry, Instance)]
        return [family(e.family).problem(e.text) for e in entries[::every][:most]]

    return make


def queens(sizes: Sequence[int]) -> Callable[[], list[Problem]]:
    return lambda: [family("queens").problem(str(size)) for size in sizes]


def tables(seed: int) -> Problem:
    """Twelve variables of six values under eighteen tables of sixty triples; satisfiable."""
    rng = random.Random(f"tables/{seed}")
    hidden = [rng.randrange(6) for _ in range(12)]
    constraints = []
    for _ in range(18):
        scope = tuple(rng.sample(range(12), 3))
        rows = {tuple(hidden[v] for v in scope)}
        while len(rows) < 60:
            rows.add(tuple(rng.randrange(6) for _ in scope))
        constraints.append(Table(scope, tuple(sorted(rows))))
    names = tuple(f"x{i}" for i in range(12))
    return Structure(names, (tuple(range(6)),) * 12, tuple(constraints)).problem()


def colouring(seed: int) -> Problem:
    """A graph of thirty nodes and 65 edges in three colours, by NotEqual alone."""
    rng = random.Random(f"colouring/{seed}")
    hidden = [rng.randrange(3) for _ in range(30)]
    edges: set[tuple[int, ...]] = set()
    while len(edges) < 65:
        edge = tuple(sorted(rng.sample(range(30), 2)))
        if hidden[edge[0]] != hidden[edge[1]] or seed % 2:
            edges.add(edge)
    names = tuple(f"x{i}" for i in range(30))
    differ = tuple(NotEqual(edge) for edge in sorted(edges))
    return Structure(names, ((1, 2, 3),) * 30, differ).problem()


def equations(seed: int) -> Problem:
    """Two equations over fourteen variables of two values, with coefficients up to 60."""
    rng = random.Random(f"equations/{seed}")
    hidden = [rng.randrange(2) for _ in range(14)]
    constraints = []
    for _ in range(2):
        weights = tuple(rng.randint(1, 60) for _ in hidden)
        total = sum(w * x for w, x in zip(weights, hidden, strict=True))
        constraints.append(Linear(tuple(range(14)), weights, "==", total))
    names = tuple(f"x{i}" for i in range(14))
    return Structure(names, ((0, 1),) * 14, tuple(constraints)).problem()


def golomb(marks: int, longest: int) -> Problem:
    """The shortest ruler with so many marks, all distances different."""
    names = [f"m{i}" for i in range(marks)]
    domains: dict[str, Sequence[int]] = {name: range(longest + 1) for name in names}
    domains["m0"] = [0]
    constraints: list[Any] = []
    distances = [f"d{i}_{j}" for i in range(marks) for j in range(i + 1, marks)]
    domains.update({name: range(1, longest + 1) for name in distances})
    for name in distances:
        i, j = name[1:].split("_")
        constraints.append(Linear((f"m{j}", f"m{i}", name), (1, -1, -1), "==", 0))
    constraints.append(AllDifferent(tuple(distances)))
    constraints.append(Linear(("d0_1", f"d{marks - 2}_{marks - 1}"), (1, -1), "<", 0))
    return state(domains, constraints, objective=Objective("minimize", (names[-1],), (1,)))


def knapsack(seed: int) -> Problem:
    """Up to two of each of ten things."""
    rng = random.Random(f"knapsack/{seed}")
    names = tuple(f"x{i}" for i in range(10))
    weights = tuple(rng.randint(5, 40) for _ in names)
    values = tuple(weight + rng.randint(-3, 6) for weight in weights)
    room = Linear(names, weights, "<=", sum(weights) * 2 // 3)
    objective = Objective("maximize", names, values)
    return state({name: range(3) for name in names}, [room], objective=objective)


def ordering(seed: int) -> Problem:
    """Seven jobs in an order, some before others, with weights on their places."""
    rng = random.Random(f"ordering/{seed}")
    names = tuple(f"x{i}" for i in range(7))
    constraints: list[Any] = [AllDifferent(names)]
    for _ in range(4):
        before, after = sorted(rng.sample(range(7), 2))
        constraints.append(Linear((names[before], names[after]), (1, -1), "<", 0))
    objective = Objective("minimize", names, tuple(rng.randint(1, 20) for _ in names))
    return state({name: range(1, 8) for name in names}, constraints, objective=objective)


def drawn(draw: Callable[[int], Problem], number: int) -> Callable[[], list[Problem]]:
    return lambda: [draw(seed) for seed in range(number)]


ONE = ("first", "uniqueness", "all")
BEST = ("optimum", "all optima")
PARTS = (
    Part("sudoku-easy", ONE, of_set("sudoku-easy", 160, 6), 1),
    Part("sudoku-minimal", ONE, of_set("sudoku-minimal", 160, 6), 1),
    Part("sudoku-hard", ONE, of_set("sudoku-hard", 160, 6), 1),
    Part("sudoku-no-solution", ONE, of_set("sudoku-no-solution", 80, 6), 0),
    Part("sudoku-several", ONE, of_set("sudoku-several", 1, 9)),
    Part("sudoku-many-solutions", ONE, of_set("sudoku-many-solutions", 25, 8)),
    Part("sudoku-4x4", ONE, of_set("sudoku-4x4", 6, 6), 1),
    Part("sudoku-6x6", ONE, of_set("sudoku-6x6", 30, 6), 1),
    Part("sudoku-12x12", ONE[:2], of_set("sudoku-12x12", 18, 5), 1),
    Part("sudoku-16x16", ONE[:2], of_set("sudoku-16x16", 18, 5), 1),
    Part("sudoku-25x25", ONE[:2], of_set("sudoku-25x25", 6, 4), 1),
    Part("queens", ONE, queens((4, 5, 6, 7, 8, 9))),
    Part("queens, large", ONE[:2], queens((12, 16, 20, 28))),
    Part("latin", ONE, of_set("latin", 1, 8)),
    Part("cryptarithm", ONE, of_set("cryptarithm", 1, 8)),
    Part("tables", ONE, drawn(tables, 6)),
    Part("colouring", ONE[:2], drawn(colouring, 6)),
    Part("equations", ONE, drawn(equations, 6)),
    Part("golomb", BEST, lambda: [golomb(4, 8), golomb(5, 13), golomb(6, 19)]),
    Part("knapsack", BEST, drawn(knapsack, 5)),
    Part("ordering", BEST, drawn(ordering, 5)),
)

# --- bare calls ----------------------------------------------------------------------------------


@dataclass
class Answer:
    """What a row says: solutions found, whether the search was exhausted, the optimum."""

    solutions: list[Assignment]
    ended: bool
    objective: int | None = None


Call = Callable[[Problem], Answer]


class Bare:
    """CP-SAT with nothing around it."""

    def __init__(self, configuration: Configuration, ask: str) -> None:
        from ortools.sat.python import cp_model

        self._cp = cp_model
        self._configuration = configuration
        self._ask = ask
        self._models: dict[str, Model] = {}

    def __call__(self, problem: Problem) -> Answer:
        if self._ask == "optimum":
            return self._optimum(problem)
        if self._ask == "all optima":
            best = self._optimum(problem)
            if best.objective is None or not best.ended:
                return best
            every = self._search(bounded(problem, "==", best.objective), None)
            return Answer(every.solutions, every.ended, best.objective)
        limit = ASKS[self._ask].limit  # type: ignore[union-attr] # the other asks are above
        return self._search(problem, limit)

    def _model(self, problem: Problem) -> Model:
        key = problem.structure.digest
        if self._configuration.plain or key not in self._models:
            formulation = self._configuration.formulation
            self._models[key] = formulate(self._cp, formulation, problem.structure)
        return self._models[key]

    def _solver(self) -> Any:
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = LIMIT
        if not self._configuration.plain:
            solver.parameters.presolve_inclusion_work_limit = 0
        for name, value in self._configuration.parameters.items():
            if name == "search_branching":
                value = getattr(type(solver.parameters.search_branching), value)
            setattr(solver.parameters, name, value)
        return solver

    def _search(self, problem: Problem, limit: int | None) -> Answer:
        model, solver = self._model(problem), self._solver()
        found: list[Assignment] = []
        model.narrow(problem)
        read = model.reader(problem)
        callback = None
        if limit != 1:
            solver.parameters.enumerate_all_solutions = True
            callback = _collect(self._cp)(read, found, limit)
        status = solver.solve(model.model, callback)
        model.widen(problem)
        if limit == 1 and status in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            found.append(read(solver.response_proto.solution))
        ended = status in (self._cp.OPTIMAL, self._cp.INFEASIBLE) or len(found) == limit
        return Answer(found, ended)

    def _optimum(self, problem: Problem) -> Answer:
        model, solver, objective = self._model(problem), self._solver(), required_objective(problem)
        model.narrow(problem)
        terms = [model.expressions[v] for v in objective.scope]
        total = self._cp.LinearExpr.weighted_sum(terms, objective.coefficients)
        getattr(model.model, objective.sense)(total)
        status = solver.solve(model.model)
        model.model.clear_objective()
        model.widen(problem)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return Answer([], status == self._cp.INFEASIBLE)
        best = model.reader(problem)(solver.response_proto.solution)
        return Answer([best], status == self._cp.OPTIMAL, objective.value(best))


@lru_cache(maxsize=1)
def _collect(cp: Any) -> Any:
    """A callback that collects; its class is made once, for that takes as long as a small call."""

    class Collect(cp.CpSolverSolutionCallback):  # type: ignore[misc]  # cp is imported lazily
        def __init__(self, read: Read, found: list[Assignment], limit: int | None) -> None:
            super().__init__()
            self.read, self.found, self.limit = read, found, limit

        def on_solution_callback(self) -> None:
            if self.limit is not None and len(self.found) >= self.limit:
                return
            self.found.append(self.read(self.response_proto.solution))
            if len(self.found) == self.limit:
                self.stop_search()

    return Collect


def through_concord(name: str, ask: str) -> Call:
    """CP-SAT as Concord calls it, keeping what the ask lets it keep."""
    backend: Backend = registry.get(name)

    def call(problem: Problem) -> Answer:
        result = backend.solve(problem, ASKS[ask], Limits(seconds=LIMIT))
        ended = result.stopped_by in ("exhausted", "enough")
        return Answer(list(result.solutions), ended, result.objective)

    return call


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """What was measured of a part and an ask.

    ``best`` is the best configuration, ``best_ms`` its geometric mean; ``ratios`` are to it.
    ``concord`` is Concord's ratio, ``chosen`` what its ``auto`` took.
    """

    part: str
    ask: str
    instances: int
    best: str
    best_ms: float
    concord: float
    chosen: tuple[str, ...]
    ratios: dict[str, float]
    wrong: dict[str, str]
    unfinished: tuple[str, ...]
    times_ms: dict[str, list[float]]


def fault(problem: Problem, ask: str, answer: Answer, known: Answer) -> str:
    """What is wrong with an answer; empty when nothing is."""
    for values in answer.solutions[:50]:
        if found := violations(problem, values):
            return f"{values}: {found[0]}"
    if len(set(answer.solutions)) != len(answer.solutions):
        return "a solution twice"
    if answer.objective != known.objective:
        return f"optimum {answer.objective}, not {known.objective}"
    wanted = len(known.solutions)
    if ask in ("first", "optimum"):
        wanted = min(1, wanted)
    elif ask == "uniqueness":
        wanted = min(2, wanted)
    if len(answer.solutions) != wanted:
        return f"{len(answer.solutions)} solutions, not {wanted}"
    return ""


def known_answer(part: Part, problem: Problem, ask: str) -> Answer:
    """The answer by an independent solver, or by what the set says of itself."""
    if part.count is not None:
        return Answer([()] * part.count, True)
    oracle = registry.get("propagation")
    wanted = ASKS["all optima"] if ask in BEST else ASKS["uniqueness" if ask == "first" else ask]
    result = oracle.solve(problem, wanted)
    return Answer(list(result.solutions), True, result.objective)


def measure(part: Part, ask: str, repeats: int) -> Cell:
    """All rows over all instances of a part."""
    problems = part.make()
    rows: dict[str, Call] = {name: Bare(c, ask) for name, c in CONFIGURATIONS.items()}
    rows["concord"] = through_concord("cpsat", ask)
    wrong: dict[str, str] = {}
    unfinished: set[str] = set()
    turns: list[list[dict[str, float]]] = [[] for _ in problems]
    slow: list[dict[str, float]] = [{} for _ in problems]
    for at, problem in enumerate(problems):
        known = known_answer(part, problem, ask)
        for name, call in rows.items():  # encodings, and whether the answers are right
            if name in wrong or name in unfinished:
                continue  # no rival any more; its time limits would be most of the study
            started = process_time()
            answer = call(problem)
            took = process_time() - started
            if not answer.ended:
                unfinished.add(name)
            elif said := fault(problem, ask, answer, known):
                wrong.setdefault(name, f"instance {at}: {said}")
            if took > SLOW:
                slow[at][name] = took
    rng = random.Random(0)
    if "concord" in wrong or "concord" in unfinished:
        raise SystemExit(f"{part.name}, {ask}: Concord's own row failed: {wrong or unfinished}")
    sound = [name for name in rows if name not in wrong and name not in unfinished]
    take_turns(rows, sound, problems, turns, slow, repeats, rng)
    rivals = [name for name in sound if name != "concord"]
    beside = {name: ratio(name, "concord", turns, slow) for name in rivals}
    near = [name for name in rivals if beside[name] <= NEAR * min(beside.values())]
    take_turns(rows, [*near, "concord"], problems, turns, slow, AGAIN * repeats, rng)
    best = min(near, key=lambda name: ratio(name, "concord", turns, slow))
    ratios = {name: ratio(name, best, turns, slow) for name in sound}
    pairs: list[list[dict[str, float]]] = [[] for _ in problems]
    take_turns(rows, [best, "concord"], problems, pairs, slow, AGAIN * repeats, rng)
    ratios["concord"] = ratio("concord", best, pairs, slow)
    backend = registry.get("cpsat")
    chosen = {backend.solve(p, ASKS[ask], Limits(seconds=LIMIT)).configuration for p in problems}
    return Cell(
        part.name,
        ask,
        len(problems),
        best,
        round(1e3 * geometric_mean(times_of(best, turns, slow)), 3),
        round(ratios["concord"], 3),
        tuple(sorted(chosen - {""})),
        {name: round(number, 3) for name, number in ratios.items()},
        wrong,
        tuple(sorted(unfinished)),
        {n: [round(1e3 * s, 4) for s in times_of(n, turns, slow)] for n in sound},
    )


def take_turns(
    rows: Mapping[str, Call],
    names: Sequence[str],
    problems: Sequence[Problem],
    turns: list[list[dict[str, float]]],
    slow: Sequence[Mapping[str, float]],
    number: int,
    rng: random.Random,
) -> None:
    """Add turns: for each instance the CPU seconds of every row that is not slow there."""
    for _, (at, problem) in product(range(number), enumerate(problems)):
        due = [name for name in names if name not in slow[at]]
        rng.shuffle(due)
        turn = {}
        for name in due:
            rows[name](problem)  # not counted: it finds the caches as the row before left them
            started = process_time()
            rows[name](problem)
            turn[name] = process_time() - started
        turns[at].append(turn)


def times_of(
    name: str, turns: Sequence[Sequence[Mapping[str, float]]], slow: Sequence[Mapping[str, float]]
) -> list[float]:
    """The median seconds of a row on each instance."""
    return [
        slow[at][name] if name in slow[at] else median(t[name] for t in of if name in t)
        for at, of in enumerate(turns)
    ]


def ratio(
    name: str,
    best: str,
    turns: Sequence[Sequence[Mapping[str, float]]],
    slow: Sequence[Mapping[str, float]],
) -> float:
    """A row's time in proportion to that of another, ``best``, in the same turn; see the head."""
    found = []
    for at, of in enumerate(turns):
        pairs = [turn[name] / turn[best] for turn in of if name in turn and best in turn]
        if pairs:
            found.append(median(pairs))
        else:
            times = (times_of(n, turns, slow)[at] for n in (name, best))
            found.append(next(times) / next(times))
    return geometric_mean(found)


# --- several workers -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Workers:
    """``cpsat`` and ``cpsat:workers=2`` over the instances of a part: sums of medians."""

    part: str
    ask: str
    instances: int
    wall_ms: float
    wall_ms_of_two: float
    cpu_ms: float
    cpu_ms_of_two: float


WORKERS = (
    (Part("sudoku-hard", (), of_set("sudoku-hard", 160, 6), 1), "first"),
    (Part("sudoku-25x25", (), of_set("sudoku-25x25", 6, 4), 1), "first"),
    (Part("queens, large", (), queens((20, 28, 40))), "first"),
    (Part("golomb", (), lambda: [golomb(7, 26), golomb(8, 36)]), "optimum"),
    (Part("knapsack", (), drawn(knapsack, 5)), "optimum"),
)


def measure_workers(part: Part, ask: str, repeats: int) -> Workers:
    """One worker and two in turn."""
    problems = part.make()
    calls = [through_concord(name, ask) for name in ("cpsat", "cpsat:workers=2")]
    sums = [[0.0, 0.0], [0.0, 0.0]]
    for problem in problems:
        taken: list[list[tuple[float, float]]] = [[], []]
        for call in calls:
            call(problem)
        for turn in range(repeats):
            for which in (0, 1) if turn % 2 else (1, 0):
                wall, cpu = perf_counter(), process_time()
                calls[which](problem)
                taken[which].append((perf_counter() - wall, process_time() - cpu))
        for which, pairs in enumerate(taken):
            for kind in (0, 1):
                sums[which][kind] += 1e3 * median(pair[kind] for pair in pairs)
    (wall, cpu), (wall_of_two, cpu_of_two) = sums
    figures = (round(ms, 3) for ms in (wall, wall_of_two, cpu, cpu_of_two))
    return Workers(part.name, ask, len(problems), *figures)


# --- report --------------------------------------------------------------------------------------


def report(cells: Sequence[Cell], workers: Sequence[Workers]) -> Iterator[str]:
    """The study as Markdown."""
    yield "# CP-SAT as Concord calls it, and in its other configurations\n"
    yield "Milliseconds of CPU; ratios to the best configuration of each row of the table.\n"
    if missing := [part.name for part in PARTS if part.name not in {c.part for c in cells}]:
        yield f"Not measured in this run: {'; '.join(missing)}.\n"
    if cells:
        yield from _overview(cells)
        yield from _matrix(cells)
        yield from _objections(cells)
    if workers:
        yield "\n## One worker and two\n"
        yield "Sums over the instances, milliseconds.\n"
        yield "| part | ask | wall, 1 | wall, 2 | CPU, 1 | CPU, 2 |"
        yield "|---|---|---|---|---|---|"
        for w in workers:
            yield (
                f"| {w.part} | {w.ask} | {w.wall_ms:.1f} | {w.wall_ms_of_two:.1f} "
                f"| {w.cpu_ms:.1f} | {w.cpu_ms_of_two:.1f} |"
            )


def _overview(cells: Sequence[Cell]) -> Iterator[str]:
    yield "| part | ask | n | best configuration | ms | Concord | plain | Concord takes |"
    yield "|---|---|---|---|---|---|---|---|"
    for cell in cells:
        yield (
            f"| {cell.part} | {cell.ask} | {cell.instances} | {cell.best} | {cell.best_ms:.2f} "
            f"| {cell.concord:.2f} | {_ratio(cell, 'plain')} | {', '.join(cell.chosen)} |"
        )
    yield "\n## Concord beside the best, for each ask\n"
    yield "The geometric mean, over the parts, of Concord's time in proportion to that of the best"
    yield f"configuration in each; asked is at most {ASKED}. The worst part beside it, and how many"
    yield "parts are within what is asked. Last, the one configuration that would be the best for"
    yield "the ask over all parts, and Concord's mean time in proportion to that.\n"
    yield "| ask | mean | worst | in | parts within | best for all parts | beside it |"
    yield "|---|---|---|---|---|---|---|"
    for ask in ASKS:
        of = [cell for cell in cells if cell.ask == ask]
        if of:
            worst = max(of, key=lambda cell: cell.concord)
            mean = geometric_mean(cell.concord for cell in of)
            within = sum(cell.concord <= ASKED for cell in of)
            one, its_mean = best_for_all(of)
            yield (
                f"| {ask} | {mean:.2f} | {worst.concord:.2f} | {worst.part} "
                f"| {within} of {len(of)} | {one} | {mean / its_mean:.2f} |"
            )


def best_for_all(cells: Sequence[Cell]) -> tuple[str, float]:
    """The configuration with the least geometric mean over the cells, of those that end in all."""
    means = {
        name: geometric_mean(cell.ratios[name] for cell in cells)
        for name in CONFIGURATIONS
        if all(name in cell.ratios for cell in cells)
    }
    best = min(means, key=means.__getitem__)
    return best, means[best]


def _matrix(cells: Sequence[Cell]) -> Iterator[str]:
    yield "\n## Every configuration\n"
    for number, name in enumerate(CONFIGURATIONS, 1):
        yield f"{number}. {name}"
    yield ""
    yield "| part, ask | " + " | ".join(map(str, range(1, len(CONFIGURATIONS) + 1))) + " |"
    yield "|---" * (len(CONFIGURATIONS) + 1) + "|"
    for cell in cells:
        shown = [_ratio(cell, name) for name in CONFIGURATIONS]
        yield f"| {cell.part}, {cell.ask} | " + " | ".join(shown) + " |"
    yield f"\n`-`: an instance took longer than {LIMIT:g} s."


def _ratio(cell: Cell, name: str) -> str:
    if name in cell.wrong:
        return "wrong"
    return "-" if name in cell.unfinished else f"{cell.ratios[name]:.2f}"


def _objections(cells: Sequence[Cell]) -> Iterator[str]:
    found = [(cell, name, said) for cell in cells for name, said in cell.wrong.items()]
    if not found:
        yield "\nNo configuration gave a wrong answer."
        return
    yield "\nWrong answers:\n"
    for cell, name, said in found:
        yield f"- {cell.part}, {cell.ask}: {name}, {said}"


@dataclass(frozen=True)
class Figures:
    """All that was measured."""

    repeats: int
    cells: Sequence[Cell]
    workers: Sequence[Workers]

    @property
    def text(self) -> str:
        return "\n".join(report(self.cells, self.workers)) + "\n"

    def save(self, folder: Path) -> None:
        """Write ``cpsat.json`` and ``cpsat.md``."""
        figures = {
            "repeats": self.repeats,
            "ortools": find_version("ortools"),
            "cells": [asdict(cell) for cell in self.cells],
            "workers": [asdict(of) for of in self.workers],
            "machine": msgspec.to_builtins(this_machine()),
        }
        folder.mkdir(parents=True, exist_ok=True)
        encoded = msgspec.json.format(msgspec.json.encode(figures), indent=1)
        (folder / "cpsat.json").write_bytes(encoded + b"\n")
        (folder / "cpsat.md").write_text(self.text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="CP-SAT's configurations")
    parser.add_argument("--only", action="append", metavar="PART")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    cells: list[Cell] = []
    workers: list[Workers] = []
    for part in PARTS:
        if not chosen.only or part.name in chosen.only:
            for ask in part.asks:
                cell = measure(part, ask, chosen.repeat)
                cells.append(cell)
                best = f"{cell.best} ({cell.best_ms:.2f} ms)"
                print(f"{part.name}, {ask}: {cell.concord:.2f} x {best}", flush=True)
            if chosen.out is not None:  # what is measured so far, should the rest not come
                Figures(chosen.repeat, cells, workers).save(chosen.out)
    if not chosen.only or "workers" in chosen.only:
        workers = [measure_workers(part, ask, chosen.repeat) for part, ask in WORKERS]
    figures = Figures(chosen.repeat, cells, workers)
    if chosen.out is None:
        print(figures.text)
    else:
        figures.save(chosen.out)


if __name__ == "__main__":
    main()
