"""Does the check of proofs accept what is right, and nothing else?

    python -m results.studies.correctness.proofs [--formulas 1000] [--seed 1] [--engine NAME]...
                                                 [--out FOLDER]

mutants     each of ``--formulas`` small random formulas is given to an engine that writes proofs.
            Where it has no model, its proof is checked, and five mutants of it: proofs with a step
            less, with a literal turned or left out, with a clause made up, cut off in the middle of
            a byte or a word, with a clause deleted that fixes a literal and its negation added,
            with that done to fresh variables, and the proof of the formula with fewer clauses. A
            mutant may be a proof all the same, so each is judged three times: by the program that
            Concord runs, with each of dratify's two engines; by the checker in this file, which
            does by the definition, and slowly, what a checker has to do; and by trying all
            assignments.
forgeries   steps made up for small formulas that have a model, many of them by the two last kinds
            of mutation; ten for each of ``--formulas``.
certified   problems without a solution, one count, and one optimum, by every engine that writes
            proofs: how many are certified, and how long the longest check takes.

Exit status 1 if a proof of a formula that has a model is accepted, or a proof in which the checker
of this file finds a fault; if the two engines of dratify differ; if an engine's own proof is
rejected; or if an answer is not certified. ``proofs.md`` in ``--out``
has the figures.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

import concord
from backends.proofs import checker
from backends.sat.engines.proving import WRITERS
from modelling.constraints import Linear, NotEqual
from modelling.problem import Objective, Problem, build_problem
from modelling.versions import find_version
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, option

Clause = tuple[int, ...]
Step = tuple[str, Clause]

MUTANTS = 5
"""Mutants of each proof."""

FORGERIES = 10
"""Forged proofs for each formula of the mutants."""

ENGINES_WITH_PROOFS = (*WRITERS, "kissat")

LIMITS = concord.Limits(seconds=60)
"""A problem that an engine does not solve in this time needs no certificate."""

# --- what a checker has to do, by the definition --------------------------------------------------


def is_proof(formula: Sequence[Clause], steps: Sequence[Step], deleting: bool = True) -> bool:
    """Return whether each step follows, and then the empty clause.

    A deletion after which propagation fixes less is ignored (so no unit is deleted)."""
    clauses = list(formula)
    if _conflicts(clauses, set()):
        return True
    for kind, clause in (*steps, ("a", ())):
        if kind == "d":
            if deleting:
                _delete(clauses, clause)
        elif _follows(clauses, clause):
            if not clause:
                return True
            clauses.append(clause)
        else:
            return False
    return False


def _delete(clauses: list[Clause], clause: Clause) -> None:
    gone = next((one for one in clauses if set(one) == set(clause)), None)
    if gone is not None:
        before = propagate_units(clauses)
        clauses.remove(gone)
        if propagate_units(clauses) != before:
            clauses.append(gone)


def _follows(clauses: Sequence[Clause], clause: Clause) -> bool:
    """RUP, or RAT by the first literal."""
    false = {-literal for literal in clause}
    if any(literal in false for literal in clause) or _conflicts(clauses, false):
        return True
    if not clause:
        return False
    pivot = clause[0]
    for other in clauses:
        if -pivot in other:
            rest = {-literal for literal in other if literal != -pivot}
            if not any(-literal in false for literal in rest) and not _conflicts(
                clauses, false | rest
            ):
                return False
    return True


def _conflicts(clauses: Sequence[Clause], true: set[int]) -> bool:
    return propagate_units(clauses, true) is None


def propagate_units(clauses: Sequence[Clause], true: Iterable[int] = ()) -> set[int] | None:
    """Return the literals that unit propagation makes true; None if it makes a clause false."""
    true, changed = set(true), True
    while changed:
        changed = False
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            open_ = {literal for literal in clause if -literal not in true}
            if not open_:
                return None
            if len(open_) == 1:
                true |= open_
                changed = True
    return true


def has_model(formula: Sequence[Clause], variables: int) -> bool:
    """Return whether an assignment satisfies the formula; tries all."""
    for signs in product((1, -1), repeat=variables):
        true = {sign * variable for variable, sign in enumerate(signs, 1)}
        if all(any(literal in true for literal in clause) for clause in formula):
            return True
    return False


# --- proofs and mutants ---------------------------------------------------------------------------


def draw_formula(rng: random.Random) -> tuple[int, list[Clause]]:
    """A random formula of 4 to 9 variables; about half of them have no model."""
    variables = rng.randint(4, 9)
    clauses = []
    for _ in range(round(variables * rng.uniform(4, 6))):
        chosen = rng.sample(range(1, variables + 1), rng.choice((2, 3, 3, 3, 4)))
        clauses.append(tuple(rng.choice((1, -1)) * variable for variable in chosen))
    return variables, clauses


def prove(engine: str, formula: Sequence[Clause]) -> bytes | None:
    """The engine's proof that a formula has no model; None if it has one."""
    import pysolvers
    from pysat import solvers

    from backends.sat.engines import PYSAT

    with getattr(solvers, PYSAT[engine])(with_proof=True) as solver:
        for clause in formula:
            solver.add_clause(list(clause))
        if solver.solve():
            return None
        pysolvers.flushpr(solver.prfp)
        solver.prfile.seek(0)
        proof: bytes = solver.prfile.read()
        return proof


def steps_of(proof: bytes, binary: bool) -> list[Step]:
    """The steps of a proof, in literals of DIMACS; ValueError for what is none."""
    import dratify

    steps = checker.read_binary(proof) if binary else dratify.parse_proof(proof.decode())
    return [(kind, tuple(map(dratify.to_dimacs, clause))) for kind, clause in steps]


def as_text(steps: Sequence[Step]) -> bytes:
    """Steps as a proof in text."""
    lines = ("d " * (kind == "d") + " ".join(map(str, (*clause, 0))) for kind, clause in steps)
    return "\n".join(lines).encode()


def mutate(
    rng: random.Random, variables: int, formula: list[Clause], proof: bytes, binary: bool
) -> tuple[str, list[Clause], bytes, bool]:
    """Return the kind of mutation, and a formula with a proof; one of them is changed."""
    steps = steps_of(proof, binary)
    kind = rng.choice(MUTATIONS)
    if kind == "cut off":
        return kind, formula, proof[: rng.randrange(len(proof))], binary
    if kind == "another formula":
        kept = sorted(rng.sample(range(len(formula)), len(formula) * rng.randint(50, 99) // 100))
        return kind, [formula[k] for k in kept], proof, binary
    place = rng.randrange(len(steps))
    sign, clause = steps[place]
    if kind == "step left out":
        del steps[place]
    elif kind == "steps exchanged":
        other = rng.randrange(len(steps))
        steps[place], steps[other] = steps[other], steps[place]
    elif kind == "clause made up":
        chosen = rng.sample(range(1, variables + 1), rng.randint(0, 3))
        steps.insert(place, ("a", tuple(rng.choice((1, -1)) * v for v in chosen)))
    elif kind == "reason deleted":
        before = [*formula, *(clause for sign, clause in steps[:place] if sign == "a")]
        steps[place:place] = delete_reason(rng, before)
    elif kind == "fresh variable":
        steps[place:place] = add_fresh_variable(rng, variables)
    elif clause:
        at = rng.randrange(len(clause))
        new = {
            "literal left out": (),
            "literal turned": (-clause[at],),
            "literal exchanged": (rng.choice((1, -1)) * rng.randint(1, variables),),
        }[kind]
        steps[place] = sign, (*clause[:at], *new, *clause[at + 1 :])
    return kind, formula, as_text(steps), False


MUTATIONS = (
    *("step left out", "steps exchanged", "clause made up", "literal left out"),
    *("literal turned", "literal exchanged", "cut off", "another formula"),
    *("reason deleted", "fresh variable"),
)


def delete_reason(rng: random.Random, clauses: Sequence[Clause]) -> list[Step]:
    """Delete a clause by which propagation fixes a literal, and add that literal's negation: as a
    resolution asymmetric tautology, if what was deleted was all that spoke against it."""
    true = propagate_units(clauses) or set()
    reasons = [
        (literal, clause)
        for clause in clauses
        for literal in clause
        if literal in true and all(-other in true for other in clause if other != literal)
    ]
    if not reasons:
        return []
    literal, clause = rng.choice(reasons)
    return [("d", clause), ("a", (-literal,))]


def add_fresh_variable(rng: random.Random, variables: int) -> list[Step]:
    """Do the same with two variables that no clause has: this refutes every formula."""
    one, other = (rng.choice((1, -1)) * (variables + k) for k in rng.sample((1, 2), 2))
    clause = (-other, one)
    return [("a", (-one,)), ("a", clause), ("d", clause), ("a", (other,)), ("a", ())]


def draw_forgery(rng: random.Random) -> tuple[list[Clause], list[Step]]:
    """Return a formula of up to 4 variables that has a model, and up to 8 steps with up to 3 more
    variables. Many steps deceive a checker that has fixed a literal."""
    formula: list[Clause] = [()]
    variables = 1
    while not has_model(formula, variables):
        variables = rng.randint(1, 4)
        formula = [_draw_clause(rng, variables) for _ in range(rng.randint(0, 7))]
    steps: list[Step] = []
    for _ in range(rng.randint(1, 4)):
        clauses = [*formula, *(clause for sign, clause in steps if sign == "a")]
        some = rng.choice(clauses or [(1,)])
        steps += rng.choice(
            (
                [("a", _draw_clause(rng, variables + 3))],
                [("d", tuple(rng.sample(some, len(some))))],
                delete_reason(rng, clauses),
                add_fresh_variable(rng, variables + rng.randint(-1, 1))[:-1],
            )
        )
        if rng.random() < 0.2 and steps:
            del steps[rng.randrange(len(steps))]
    return formula, steps


def _draw_clause(rng: random.Random, variables: int) -> Clause:
    chosen = rng.sample(range(1, variables + 1), rng.randint(1, min(3, variables)))
    return tuple(rng.choice((1, -1)) * variable for variable in chosen)


def try_forgeries(number: int, seed: int) -> tuple[int, list[str], int]:
    """How many were tried, those that were accepted by either of dratify's engines, asked as
    Concord asks it, and how many dratify accepts if it is asked for everything at once."""
    rng, accepted, fooled = random.Random(seed), [], 0
    checker.use_fastest()
    for _ in range(number):
        formula, steps = draw_forgery(rng)
        said = [_decided(formula, steps, engine) for engine in ENGINES]
        if any(ok for ok, _ in said):
            accepted.append(f"accepted, and there is a model: {formula} {as_text(steps)!r}")
        fooled += any(alone for _, alone in said)
    return number, accepted, fooled


ENGINES = ("auto", "python")
"""dratify's, the fastest that is installed first."""


def _decided(formula: Sequence[Clause], steps: Sequence[Step], engine: str) -> tuple[bool, bool]:
    """Return whether Concord's calls of dratify accept a proof, and whether one call does."""
    import dratify

    made = dratify.CNF()
    for clause in formula:
        made.add_dimacs(clause)
    inner = [(kind, tuple(map(dratify.from_dimacs, clause))) for kind, clause in steps]
    try:
        with_end = [*inner, checker.END]
        alone = dratify.check_proof(made, with_end, engine=engine)
        return checker.decide(made, inner, engine).ok, alone.ok
    except ValueError:  # a variable that it finds too large
        return False, False


def check_proof(folder: Path, formula: Sequence[Clause], proof: bytes, binary: bool) -> bool:
    """Return whether Concord's program accepts a proof; assert that dratify's engines agree."""
    import dratify

    numbers = array("i", chain.from_iterable((*clause, 0) for clause in formula))
    (folder / "formula").write_bytes(numbers.tobytes())
    (folder / "proof").write_bytes(proof)
    said = checker.check(str(folder / "formula"), str(folder / "proof"), binary)
    assert said["state"] != "unchecked", said
    is_accepted: bool = said["state"] == "checked"
    try:
        steps = list(checker.read_binary(proof)) if binary else dratify.parse_proof(proof.decode())
    except ValueError:
        assert not is_accepted, said
        return False
    made = dratify.CNF()
    for clause in formula:
        made.add_dimacs(clause)
    slow: bool = checker.decide(made, steps, "python").ok
    assert slow == is_accepted, f"dratify's engines differ: {formula} {proof!r}"
    return is_accepted


def try_mutants(formulas: int, seed: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Return the numbers of proofs and mutants, of the rejected ones by kind, and the faults."""
    rng, faults = random.Random(seed), []
    found: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(formulas):
            variables, formula = draw_formula(rng)
            engine = WRITERS[number % len(WRITERS)]
            proof, binary = prove(engine, formula), engine.startswith("cadical")
            if (proof is None) != has_model(formula, variables):
                faults.append(f"{engine} is wrong about {formula}")
            if proof is None:
                continue
            found["proofs"] += 1
            if not check_proof(folder, formula, proof, binary):
                faults.append(f"the proof of {engine} is rejected: {formula} {proof!r}")
            for _ in range(MUTANTS):
                kind, changed, mutant, form = mutate(rng, variables, formula, proof, binary)
                found["mutants"] += 1
                found[kind] += 1
                accepted = check_proof(folder, changed, mutant, form)
                rejected[kind] += not accepted
                found["rejected"] += not accepted
                if not accepted:
                    found["rejected though it is one"] += is_valid(changed, mutant, form)
                elif has_model(changed, variables):
                    faults.append(f"accepted, and there is a model: {changed} {mutant!r}")
                elif not is_valid(changed, mutant, form):
                    faults.append(f"accepted, and it is no proof: {changed} {mutant!r}")
    return found, rejected, faults


def is_valid(formula: Sequence[Clause], proof: bytes, binary: bool) -> bool:
    """Return whether it is a proof, with its deletions or without."""
    try:
        steps = steps_of(proof, binary)
    except ValueError:
        return False
    return is_proof(formula, steps) or is_proof(formula, steps, deleting=False)


# --- problems -------------------------------------------------------------------------------------


def pigeons(holes: int) -> Problem:
    """One pigeon more than holes, pair by pair."""
    pairs = combinations(range(holes + 1), 2)
    return build_problem(
        {f"p{i}": range(holes) for i in range(holes + 1)}, [NotEqual(p) for p in pairs]
    )


def mycielski(colours: int) -> Problem:
    """The Mycielski graph that needs one colour more, without triangles."""
    edges, size = [(0, 1)], 2
    for _ in range(colours - 1):
        more = [(a, size + b) for one, other in edges for a, b in ((one, other), (other, one))]
        edges = [*edges, *more, *((size + v, 2 * size) for v in range(size))]
        size = 2 * size + 1
    variables = {f"v{i}": range(colours) for i in range(size)}
    return build_problem(variables, [NotEqual(edge) for edge in edges])


def queens(n: int) -> Problem:
    """All ways to put n queens."""
    apart = [
        Linear((a, b), (1, -1), "!=", shift)
        for a, b in combinations(range(n), 2)
        for shift in (0, a - b, b - a)
    ]
    return build_problem({f"q{i}": range(n) for i in range(n)}, apart)


def knapsack(items: int) -> Problem:
    """A knapsack half as large as all items together."""
    rng = random.Random(items)
    weights = tuple(rng.randint(5, 40) for _ in range(items))
    values = tuple(weight + rng.randint(-4, 4) for weight in weights)
    room = Linear(tuple(range(items)), weights, "<=", sum(weights) // 2)
    return build_problem(
        {f"x{i}": (0, 1) for i in range(items)},
        [room],
        objective=Objective("maximize", tuple(range(items)), values),
    )


def squares(number: int, order: int, holes: str) -> Iterator[Problem]:
    """Latin squares that cannot be completed, nor are refuted by propagation alone."""
    seed = 0
    while number:
        spec: dict[str, Any] = {"order": order, "holes": holes, "kind": "completion"}
        (square,) = concord.generate(1, family="latin", seed=seed, **spec)
        problem = concord.family("latin").problem(square.text)
        seed += 1
        if concord.solve(problem, backend="sat:cadical195").status == "UNSATISFIABLE":
            yield problem
            number -= 1


def problems() -> Iterator[tuple[str, Problem, Any]]:
    """Yield the problems to certify: a name, a problem, and the ask."""
    one = concord.Solutions(1)
    for holes in (6, 7, 8):
        yield f"pigeonhole {holes}", pigeons(holes), one
    for place, sudoku in enumerate(concord.generate(10, solutions=0, seed=1), 1):
        yield f"Sudoku {place}", concord.family("sudoku").problem(sudoku.text), one
    yield "Mycielski graph, 4 colours", mycielski(4), one
    for place, graph in enumerate(
        concord.generate(5, family="graph_colouring", vertices=150, colours=3, degree=5.2), 1
    ):
        yield f"colouring {place}", concord.family("graph_colouring").problem(graph.text), one
    for place, square in enumerate(squares(5, 15, "0.55"), 1):
        yield f"QWH {place}", square, one
    yield "8 queens, all", queens(8), concord.Solutions(None)
    yield "knapsack of 20, optimum", knapsack(20), concord.Optimum()
    yield "knapsack of 12, all optima", knapsack(12), concord.AllOptima()


def name_of(engine: str) -> str:
    """The backend; a check may take longer than usual, since this machine may be busy."""
    return f"sat:{engine},proof=check,proof_seconds=300"


class Certified(msgspec.Struct):
    """The problems that one engine certified, did not certify, did not solve in time; the longest
    check, in seconds and of which problem, the largest proof in bytes, and why some failed."""

    engine: str
    certified: int = 0
    failed: int = 0
    unsolved: int = 0
    longest: tuple[float, str] = (0.0, "")
    largest: int = 0
    faults: list[str] = []


def certify(engine: str, asked: Sequence[tuple[str, Problem, Any]]) -> Certified:
    """Let one engine answer all problems."""
    row = Certified(engine)
    for name, problem, ask in asked:
        result = concord.solve(problem, ask, backend=name_of(engine), limits=LIMITS)
        found = result.certificate
        row.certified += found.state == "checked"
        row.unsolved += found.state == ""
        row.longest = max(row.longest, (found.seconds, name))
        row.largest = max(row.largest, found.size)
        print(f"  {engine}, {name}: {result.status} {result.count}, {found}", flush=True)
        if found.state not in ("checked", ""):
            row.failed += 1
            row.faults.append(f"{engine}, {name}: {result.status}, {found}")
    return row


def measure(chosen: Options, known: Known) -> Iterator[Certified | Fault]:
    """Try the mutants and forgeries, then certify; a row for each engine."""
    found, rejected, faults = try_mutants(chosen.formulas, chosen.seed)
    found["forgeries"], accepted, found["fooled"] = try_forgeries(
        FORGERIES * chosen.formulas, chosen.seed
    )
    chosen.tried = found, rejected, [*faults, *accepted]
    yield from map(Fault, chosen.tried[2])
    asked = list(problems())
    for engine in chosen.engine or ENGINES_WITH_PROOFS:
        if engine not in known:
            yield certify(engine, asked)


def report(rows: Sequence[Certified], chosen: Options) -> str:
    """The figures as Markdown, those of ``measure`` included."""
    found, rejected, faults = chosen.tried
    every = [*faults, *(fault for row in rows for fault in row.faults)]
    return describe(chosen.formulas, found, rejected, rows, every)


def describe(
    formulas: int,
    found: Counter[str],
    rejected: Counter[str],
    rows: Sequence[Certified],
    faults: Sequence[str],
) -> str:
    """The figures as Markdown."""
    version: Callable[[str], str] = find_version
    names = ("python-sat", "dratify", "cdclkit-native")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    said = (
        f"{found['proofs']:,} of {formulas:,} random formulas have no model; the proofs of the "
        f"engines were accepted. Of {found['mutants']:,} mutants {found['rejected']:,} were "
        f"rejected, {found['rejected though it is one']:,} of them proofs by the slow checker, "
        "with their deletions or without. None was accepted that is no proof by the slow checker, "
        "nor for a formula with a model; dratify's two engines agreed on each. Of "
        f"{found['forgeries']:,} forged proofs of formulas with a model none was accepted; dratify "
        f"alone, asked for both rules at once, accepts {found['fooled']:,}."
    )
    mutants = (f"{kind} | {found[kind]:,} | {rejected[kind]:,}" for kind in MUTATIONS)
    engines = (
        f"{row.engine} | {row.certified} | {row.failed} | {row.unsolved} "
        f"| {row.longest[0]:.1f} s | {row.longest[1]} | {row.largest:,}"
        for row in rows
    )
    figures = "certified: | not: | not solved in 60 s: | longest check: | of | largest proof:"
    return join_page(
        "# Proofs, and proofs that are none",
        f"Made by `python -m results.studies.correctness.proofs --formulas {formulas} --out "
        f"results/reference/proofs`, with {versions}.",
        said if not faults else f"**{len(faults)} faults.**",
        list_table("mutation | mutants: | rejected:", mutants),
        list_table(f"engine | {figures}", engines),
        [f"- {fault}" for fault in faults[:50]],
    )


STUDY = Study(
    "correctness.proofs",
    __doc__,
    Certified,
    key=lambda row: row.engine,
    keeps=True,
    measure=measure,
    report=report,
    faults=lambda rows: [fault for row in rows for fault in row.faults],
    order=lambda rows: sorted(rows, key=lambda row: ENGINES_WITH_PROOFS.index(row.engine)),
    options=(
        option("--formulas", 1000, "formulas whose proofs are mutated"),
        option("--seed", 1),
        option("--engine", [], "this one alone", choices=ENGINES_WITH_PROOFS),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
