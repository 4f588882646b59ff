"""What whole searches count, and the solutions that they find first: the same as ever.

``conftest`` compares the numbers with those in ``counts.json``. So a search that visits other
nodes, restarts another time, or learns other clauses is noticed, though its answers are right.
"""

import zlib

import pytest

from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.driver import Driver
from backends.propagation import make, solver, trace_search
from backends.propagation.encode import arena
from backends.propagation.learning import memory
from backends.propagation.tree import RecordingPropagation
from modelling.constraints import (
    AllDifferent,
    Circuit,
    Cumulative,
    Iff,
    Linear,
    NoOverlap,
    Or,
    Table,
)
from modelling.problem import Objective, build_problem
from modelling.terms import constant, constants
from puzzles.family import family
from tests.backends.propagation.propagator_checks import counts

EVERY = Solutions(None, None)


def note(result):
    """Keep what a search has counted, and a checksum of its solutions."""
    solutions = zlib.crc32(repr((result.solutions, result.objective)).encode())
    counts.append([1, 1, *result.statistics.values(), solutions])


def knapsack(count):
    """The most valuable of some things, of which two sums are limited."""
    names = [f"x{k}" for k in range(count)]
    rows = [tuple(7 + 5 * k * k % (11 + r) for k in range(count)) for r in range(3)]
    limits = [Linear(names, row, "<=", sum(row) // 3) for row in rows[:2]]
    objective = Objective("maximize", tuple(names), rows[2])
    return build_problem(dict.fromkeys(names, (0, 1)), limits, objective=objective)


def shop(jobs, machines):
    """Jobs on machines, one after the other; the last end is least."""
    names, precedences, on = [], [], {}
    longest = 0
    for job in range(jobs):
        for step in range(machines):
            machine, length = (job + step * (1 + job % 2)) % machines, 1 + (3 * job + 5 * step) % 7
            names.append(f"j{job}s{step}")
            on.setdefault(machine, []).append((names[-1], length))
            longest += length
            after = names[-1] if step + 1 == machines else None
            ends = (f"j{job}s{step + 1}" if after is None else "end", names[-1])
            precedences.append(Linear(ends, (1, -1), ">=", length))
    domains = dict.fromkeys([*names, "end"], range(longest + 1))
    disjoint = [
        NoOverlap(tuple(name for name, _ in tasks), constants(*[length for _, length in tasks]))
        for tasks in on.values()
    ]
    objective = Objective("minimize", ("end",), (1,))
    return build_problem(domains, [*precedences, *disjoint], objective=objective)


def project(tasks):
    """Tasks that share a resource and come after one another."""
    names = [f"t{k}" for k in range(tasks)]
    durations = [1 + 3 * k % 5 for k in range(tasks)]
    demands = [1 + 2 * k % 3 for k in range(tasks)]
    before = [
        Linear((names[k], names[k // 2]), (1, -1), ">=", durations[k // 2]) for k in range(1, tasks)
    ]
    ends = [
        Linear(("end", name), (1, -1), ">=", d) for name, d in zip(names, durations, strict=True)
    ]
    resource = Cumulative(names, constants(*durations), constants(*demands), constant(4))
    domains = dict.fromkeys([*names, "end"], range(sum(durations) + 1))
    objective = Objective("minimize", ("end",), (1,))
    return build_problem(domains, [*before, *ends, resource], objective=objective)


def tour(count):
    """A shortest tour; a table says how long each step is."""
    names, lengths, tables = [f"n{k}" for k in range(count)], [f"d{k}" for k in range(count)], []
    for k, (name, length) in enumerate(zip(names, lengths, strict=True)):
        rows = [(to, 1 + (7 * k + 5 * to * to + k * to) % 23) for to in range(count) if to != k]
        tables.append(Table((name, length), tuple(rows)))
    domains = dict.fromkeys(names, range(count)) | dict.fromkeys(lengths, range(24))
    objective = Objective("minimize", tuple(lengths), (1,) * count)
    return build_problem(domains, [Circuit(names), *tables], objective=objective)


def mixed(count):
    """Formulas over sums of variables, some of which differ."""
    names = [f"x{k}" for k in range(count)]
    domains = {name: range(-k, 4 + k % 3) for k, name in enumerate(names)}
    parts = [AllDifferent(names[::2]), Linear(names, [1, -2, 3, -1, 2, 1][:count], "==", 3)]
    for k in range(count - 2):
        x, y, z = names[k : k + 3]
        low = Linear((x, y), (1, 1), "<=", k)
        same = Linear((y, z), (1, -1), "==", 1)
        parts += [Or((low, same)), Iff(Linear((x,), (1,), ">=", 1), Linear((z,), (1,), "!=", 2))]
    return build_problem(domains, parts)


FAMILIES = (
    *("all_interval 7", "costas 5", "langford 7", "latin 5", "magic_sequence 6", "magic_square 3"),
    *("number_partition 8", "quasigroup 5", "queens 7", "schur 3", "still_life 4"),
)


def problem_of(name):
    """A problem of a family, or one of those above."""
    maker, _, size = name.partition(" ")
    if maker in OWN:
        return OWN[maker](*map(int, size.split("x")))
    of = family(maker)
    return of.problem(of.of_size(int(size)))


OWN = {"knapsack": knapsack, "shop": shop, "project": project, "tour": tour, "mixed": mixed}
OPTIMA = ("knapsack 12", "shop 4x3", "project 9", "tour 6", "golomb 6")
EACH = (*FAMILIES, "mixed 5", "mixed 6")


@pytest.mark.parametrize("search", ["backtracking", "learning"])
@pytest.mark.parametrize("name", EACH)
def test_solutions(name, search):
    ask = Solutions(12, None)
    note(make(f"form=pure,search={search}").solve(problem_of(name), ask, Limits(nodes=1500)))


@pytest.mark.parametrize("search", ["backtracking", "learning"])
@pytest.mark.parametrize("name", OPTIMA)
def test_optima(name, search):
    problem = problem_of(name)
    note(make(f"form=pure,search={search}").solve(problem, Optimum(), Limits(nodes=3000)))


@pytest.mark.parametrize("branching", ["turns", "domwdeg", "chs", "smallest", "first"])
@pytest.mark.parametrize("values", ["least", "saved"])
@pytest.mark.parametrize("restarts", ["none", "geometric", "luby"])
def test_ways_of_searching(branching, values, restarts, monkeypatch):
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {restarts: 4})
    way = f"form=pure,branching={branching},values={values},restarts={restarts}"
    for name in ("golomb 6", "shop 4x3"):
        note(make(way).solve(problem_of(name), Optimum(), Limits(nodes=700)))


@pytest.mark.parametrize("search", ["backtracking", "learning"])
def test_all_optima(search):
    note(make(f"form=pure,search={search}").solve(problem_of("knapsack 10"), AllOptima(None)))


@pytest.mark.parametrize("most_nodes", [12, 5000])
def test_the_tree_of_a_search(most_nodes):
    for name, ask in (("queens 5", EVERY), ("golomb 5", Optimum())):
        nodes, is_cut = trace_search(problem_of(name), ask, "domwdeg", most_nodes)
        counts.append([1, 1, len(nodes), is_cut, zlib.crc32(repr(nodes).encode())])


@pytest.mark.parametrize("recorded", [1, 12])
def test_what_is_recorded_does_not_change_a_search(recorded):
    problem = problem_of("queens 6")
    plain = make("form=pure").solve(problem, EVERY)
    recording = RecordingPropagation(recorded, "domwdeg")
    found = Driver("propagation", recording, keep=False).solve(problem, EVERY)
    assert found.solutions == plain.solutions
    assert found.statistics == plain.statistics
    assert len(recording.nodes()) == recorded


@pytest.mark.parametrize("room", [64, 1 << 14])
def test_learning_forgets_restarts_and_grows(room, monkeypatch):
    monkeypatch.setattr(memory, "FIRST_MOST_LEARNED", 20)
    monkeypatch.setattr(memory, "FIRST_ROOM", room)
    for name in ("golomb 6", "shop 4x3", "knapsack 14"):
        note(make("form=pure,search=learning").solve(problem_of(name), Optimum()))
    note(make("form=pure,search=learning").solve(problem_of("queens 6"), EVERY))


@pytest.mark.parametrize("decisions", [4, 256])
@pytest.mark.parametrize("trail", [8, 4096])
def test_memory_grows_as_it_is_needed(decisions, trail, monkeypatch):
    monkeypatch.setattr(arena, "FIRST_DECISIONS", decisions)
    monkeypatch.setattr(arena, "FIRST_TRAIL", trail)
    for name, ask in (("knapsack 10", Optimum()), ("queens 6", EVERY), ("mixed 5", EVERY)):
        note(make("form=pure").solve(problem_of(name), ask))
