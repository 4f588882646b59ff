"""Concord: state a problem once, ask many solvers, see whether they agree and how fast they are.

    import concord

    puzzle = concord.read("sudoku")[0]                   # the first puzzle of a set that ships
    result = concord.solve(puzzle, backend="cpsat")      # a Result: status, solutions, statistics
    run = concord.compare(["queens"], ["propagation", "cpsat"], seconds=10)
    run.summary, run.agreement, run.timing, run.jobs     # DataFrames
    print(run)                                           # who won
    run.plot()                                           # a matplotlib Figure

    m = concord.Model()                                  # your own problem
    x = m.ints(3, 1, 9, "x")
    m.add(concord.all_different(x), sum(x) == 15)
    m.solve(backend="cpsat"), m.count(), m.compare()

This file is the public face: it re-exports, and joins the storeys with defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

__path__ = [str(Path(__file__).with_name("harness") / "hunting" / "as_concord")]
"""Where Python looks for ``concord.pytest``: this is a file, and its modules are there."""


def _check_neighbours() -> None:
    """Raise ImportError if a file of the user hides one of the four top-level packages.

    A ``harness.py`` beside a notebook would otherwise be found first, with puzzling errors.
    """
    import importlib.util

    home = Path(__file__).resolve().parent
    for name in ("modelling", "puzzles", "backends", "harness"):
        found = importlib.util.find_spec(name)
        place = Path(found.origin).resolve() if found and found.origin else None
        if place is None or place.parent.parent != home:
            raise ImportError(
                f"concord needs its own package {name!r}, but finds {place or 'nothing'} instead; "
                "rename that file or folder, or start Python elsewhere"
            )


def _as_command() -> None:
    """Run the command line, for ``python -m concord``."""
    import sys

    try:
        _check_neighbours()
    except ImportError as error:
        print(f"concord: {error}", file=sys.stderr)
        sys.exit(2)
    from harness.cli.entry import main

    main()


if __name__ == "__main__":
    _as_command()  # it ends the process: what follows is for those who import this file
_check_neighbours()

from backends.conformance import conform  # noqa: E402
from backends.interface.api import (  # noqa: E402 - after the check, so that its message comes first
    Accepted,
    AllOptima,
    Backend,
    Limits,
    Optimum,
    Refused,
    Result,
    Sink,
    Solutions,
    give_text,
)
from backends.interface.collector import Collector  # noqa: E402
from backends.interface.driver import Driver  # noqa: E402
from backends.interface.evidence.answer import shortfall  # noqa: E402
from backends.interface.registry import get as get_backend  # noqa: E402
from backends.interface.registry import infos as backends  # noqa: E402
from backends.proofs.certify import certified  # noqa: E402
from modelling import constraints as core  # noqa: E402
from modelling.check import violations  # noqa: E402
from modelling.constraints import (  # noqa: E402
    AllDifferent,
    Constraint,
    Linear,
    NotEqual,
    Table,
)
from modelling.errors import (  # noqa: E402
    ConcordError,
    ContradictoryResult,
    FolderTaken,
    InputError,
    ModelError,
    Unfinished,
    Unsupported,
)
from modelling.expressions.arrays import Array, array  # noqa: E402
from modelling.expressions.functions import (  # noqa: E402
    all_,
    all_different,
    all_equal,
    any_,
    bin_packing,
    bind,
    cardinality,
    circuit,
    clauses,
    count,
    cumulative,
    decreasing,
    distance,
    element,
    element_2d,
    global_cardinality,
    if_then_else,
    iff,
    implies,
    increasing,
    inverse,
    lex,
    lex_less,
    lex_less_equal,
    maximum,
    mdd,
    minimum,
    no_overlap,
    no_overlap_2d,
    nvalue,
    precede,
    precedence,
    product,
    regular,
    remainder,
    subcircuit,
    sum_,
    table,
    truncated,
    xor,
)
from modelling.expressions.model import Model as _Model  # noqa: E402
from modelling.expressions.solution import Solution  # noqa: E402
from modelling.problem import Objective, Problem, Structure  # noqa: E402
from modelling.problem import build_problem as problem  # noqa: E402
from modelling.versions import find_version  # noqa: E402
from puzzles.drawing.domains import Domains  # noqa: E402
from puzzles.drawing.search_trees import SearchTree  # noqa: E402
from puzzles.family import Instance, families, family, make_picture, original_text  # noqa: E402
from puzzles.pictures import Svg  # noqa: E402
from puzzles.sets import sets  # noqa: E402

if TYPE_CHECKING:
    from backends.propagation.counting import Counted
    from harness.advise.advice import Advice, Event
    from harness.plan.experiment import Number
    from harness.report.run import Run, Runs
    from harness.runs.progress import RunProgress
    from puzzles.sudoku.grading.path import Graded

Named = str | Path | Mapping[str, Any]
"""A set or a backend: its name, a set's file, or a table as in an experiment's file."""

Given = Named | Problem | _Model | Instance
"""What can be compared: a set, a problem or model that was stated here, or one instance."""

__version__ = find_version() or "0+unknown"


def read(source: str | Path | Sequence[str | Path], family: str | None = None) -> list[Instance]:
    """All instances of a set that ships, a file or ``-``; raises InstanceError for a bad line.

    Of several, of all in their order; files of data that follow a model of MiniZinc are an instance
    of it each: ``read(["model.mzn", "small.dzn", "large.dzn"])``.
    """
    from puzzles.sets.models import read_sources

    names = [source] if isinstance(source, str | Path) else source
    found = []
    for entry in read_sources(map(str, names), family):
        if isinstance(entry, Exception):
            raise entry
        found.append(entry)
    return found


def solve(
    instance: Problem | _Model | Instance | str,
    ask: Solutions | Optimum | AllOptima | None = None,
    *,
    backend: str | Backend = "propagation",
    seconds: float | None = None,
    limits: Limits = Limits(),
    sink: Sink | None = None,
) -> Result:
    """Answer ``ask`` about a Problem, a Model, an Instance, or a Sudoku's text, in this process.

    By default it asks for the optimum where there is an objective, and else for one solution.
    ``seconds`` is short for ``limits=Limits(seconds)``; a model of CPMpy is taken as well.
    Nothing limits the solver from outside here; ``compare`` does that. The answer is checked:
    one that does not show what it claims (``shortfall``), or whose proof is rejected, raises
    ContradictoryResult. ``result.certificate`` says what became of its proofs, if it has any.
    """
    if seconds is not None:
        if limits.seconds is not None:
            raise InputError("give seconds or limits with seconds, not both")
        limits = replace(limits, seconds=seconds)
    given = Instance("sudoku", "puzzle", instance) if isinstance(instance, str) else instance
    instance = _state_problem(given)
    if ask is None:
        ask = Solutions(1) if instance.structure.objective is None else Optimum()
    chosen = get_backend(backend) if isinstance(backend, str) else backend
    if isinstance(given, Instance):
        give_text(chosen, instance, lambda: original_text(family(given.family), given.text))
    result: Result = chosen.solve(instance, ask, limits, sink)
    fault = shortfall(result, ask, instance, sink=sink is not None)
    if not fault and type(chosen) is Driver:  # whose formulas are those that it posed
        result, fault = certified(result, ask, instance)
    if fault:
        raise ContradictoryResult(f"{chosen.name} answered wrongly: {fault}")
    return result


def _state_problem(given: Problem | _Model | Instance | str) -> Problem:
    """The Problem that something is, or states; a text is a Sudoku's. Raises ModelError."""
    from modelling.formats.python_files import as_problem

    if isinstance(given, str):
        given = Instance("sudoku", "puzzle", given)
    if isinstance(given, Instance):
        return family(given.family).problem(given.text)
    found = as_problem(given)
    if found is None:
        raise ModelError(
            f"{type(given).__name__} cannot be solved; give a Problem, a Model, an Instance, a "
            "model of CPMpy, or the text of a Sudoku"
        )
    return found


def compare(
    sets: Given | Sequence[Given] | Mapping[str, Any] | None = None,
    backends: Named | Sequence[Named] | None = None,
    *,
    count: Number | None = None,
    optimum: bool = False,
    seconds: float | None = None,
    budget: float | None = None,
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    repeat: int = 1,
    jobs: int = 1,
    cold: bool = False,
    witness: Named | Sequence[Named] | None = None,
    answers: str | Path | None = None,
    out: Path | str | None = None,
    sandbox: Literal["auto", "require", "off"] = "auto",
    yes: bool = False,
    progress: bool = True,
    on_progress: Callable[[RunProgress], None] | None = None,
) -> Run:
    """Run backends on sets in worker processes, validate, and return the run.

    ``sets`` are names of sets or files, without them some of each set that ships; also Problems,
    Models, Instances and models of CPMpy, in a list or by their names in a mapping; a mapping or
    list within a mapping is a set of its own. ``backends`` are names or groups (``"all"``,
    ``"installed"``, ``"cp"``, ``"mip"``, ...), also by their short names in a mapping; without them
    one installed solver of each kind is asked, of those that take most of the problem natively.
    Either may be tables as in an experiment's file: ``{"family": "queens", "sizes": [8]}``. Files
    of data follow their model: ``["model.mzn", "small.dzn", "large.dzn"]``. ``limit`` takes the
    first instances of each set, ``sample`` some that ``seed`` draws at random. For instances with
    an objective, the best solution is asked. ``count`` asks for that number of solutions instead,
    or, with ``optimum``, for that number of best ones. ``witness`` names backends of other
    families, asked untimed about what one family alone answered; ``answers`` a file of what is
    known of the instances. All jobs together have ``budget`` seconds, each of them ``seconds``: by
    default 50 for all where neither is given and no backend is named, else 30 for each. ``cold``
    starts the solver anew for each job; ``sandbox`` says whether workers are kept from the run's
    store, from others, and from the network (docs/limits.md). ``run.summary``, ``run.agreement``,
    ``run.timing``, ``run.optima`` and ``run.jobs`` are DataFrames; ``run.plot()`` draws them, and
    ``run.folder`` holds everything.

    ``cpsat@9.12`` is CP-SAT of that release, in an environment of its own; ``yes`` lets missing
    ones be made, with packages from the index that pip uses.

    ``out`` is the folder of the run, which must not hold one yet; ``resume`` finishes one that was
    interrupted. With ``progress`` a bar on a terminal, and elsewhere a line every ten seconds, on
    standard error, says how far the run is; ``on_progress`` takes its place.
    """
    from harness.plan.candidates import settle
    from harness.plan.reading import name_backends, plan_comparison
    from harness.runs.execution import execute_experiment
    from puzzles.sets.toml_positions import Source

    experiment = plan_comparison(
        sets,
        backends,
        witness,
        answers=None if answers is None else str(answers),
        count=count,
        optimum="possible" if optimum else None,
        limit=limit,
        sample=sample,
        seed=seed,
        repeat=repeat,
        jobs=jobs,
        cold=cold,
    )
    experiment.source = Source("compare")
    named = None if backends is None else name_backends(backends)
    settle(experiment, named, seconds, budget)
    try:
        with _show_progress(progress, on_progress) as show:
            folder = execute_experiment(
                experiment, out, on_progress=show, provide=_provide(yes), sandbox=sandbox
            )
    except FolderTaken:
        raise FolderTaken(
            f"{out} holds a run already; choose another out=, read it with "
            f"concord.load({str(out)!r}), or finish it with concord.resume({str(out)!r})"
        ) from None
    from harness.report.run import load_and_write  # not before: pandas would only delay the run

    return load_and_write(folder)


def advise(
    sets: Given | Sequence[Given] | Mapping[str, Problem | _Model | Instance],
    backends: Named | Sequence[Named] | None = None,
    *,
    seconds: float = 60.0,
    count: Number | None = None,
    jobs: int = 1,
    out: Path | str | None = None,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Advice:
    """Recommend a solver for ``sets``, within ``seconds`` in all; ``print`` shows why.

    ``sets`` and ``count`` are as for ``compare``. All ``backends`` (by default those that are
    installed and take the problem) run for a short time, the better half of them for longer, until
    two are left: successive halving, after Jamieson and Talwalkar (2016). A solver with a wrong
    answer is out. ``on_event`` hears of each round. The result has ``solver``, ``runner_up``,
    ``ratio`` with its interval, ``standings``, ``excluded``, and ``experiment``, which repeats the
    comparison. Ctrl-C ends it with what is known so far: ``interrupted`` is then True.
    """
    from harness.advise.advising import advise as find_advice

    return find_advice(
        sets, backends, seconds=seconds, count=count, jobs=jobs, out=out, on_event=on_event
    )


@contextmanager
def _show_progress(
    progress: bool, own: Callable[[RunProgress], None] | None
) -> Iterator[Callable[[RunProgress], None] | None]:
    """What is called as a run goes forward, for as long as the block lasts."""
    if own is not None or not progress:
        yield own
        return
    from harness.cli.bars import show_run
    from harness.cli.screen import Screen

    with show_run(Screen()) as show:
        yield show


def _provide(yes: bool) -> Callable[[Sequence[str]], object]:
    """Return a function that makes missing environments of releases, or refuses to."""
    from functools import partial

    from harness.environments.making import make_missing

    return partial(make_missing, agree=lambda missing: yes)


AGREEING = ("propagation", "sat")
"""The backends that ``assert_agrees`` asks by default: two families that share no search."""


def assert_agrees(
    problem: Problem | _Model | Instance | str,
    backends: str | Sequence[str] = AGREEING,
    *,
    count: Number | None = None,
    optimum: bool = False,
    seconds: float = 10.0,
) -> None:
    """Raise AssertionError if a backend answers wrongly, with the smallest problem that shows it.

    All solutions are asked for, or ``count`` of them, or the ``optimum``. A small problem is
    enumerated by brute force; of others the backends are witnesses of each other, a family once.
    Each backend is asked in a process of its own, for ``seconds``; one that comes to no answer
    contradicts nobody. Raises InputError where none comes to one.
    """
    from harness.hunting.agreement import describe_smallest, find_disagreements
    from harness.hunting.shrinking import MOST_KEPT
    from harness.job import Question

    __tracebackhide__ = True
    named = [backends] if isinstance(backends, str) else list(backends)
    limit = count if isinstance(count, int) else None
    question = Question(1, 1, True) if optimum else Question(limit, limit or MOST_KEPT)
    found = list(find_disagreements(_state_problem(problem), named, question, seconds))
    if found:
        raise AssertionError("\n\n".join(map(describe_smallest, found)))


class Model(_Model):
    """Variables, constraints and an objective, written as expressions, and what solvers say of it.

    >>> m = Model()
    >>> x = m.ints(3, 1, 9, "x")
    >>> m.add(sum(x) == 15, x[0] > x[1], concord.all_different(x))

    Answers are checked as ``solve`` does. Each method takes ``backend``, ``seconds`` and, by name,
    the other ``Limits``; one whose search a limit ended before it could answer raises Unfinished.
    ``concord.solve(m, ask)`` gives the whole ``Result``.
    """

    def solve(
        self,
        *,
        backend: str | Backend = "propagation",
        seconds: float | None = None,
        **limits: int | None,
    ) -> Solution | None:
        """A solution, or None if there is none; with an objective, a best one, as ``optimum``."""
        if self.problem().structure.objective is not None:
            return self.optimum(backend=backend, seconds=seconds, **limits)
        found = self.solutions(1, backend=backend, seconds=seconds, **limits)
        return found[0] if found else None

    def solutions(
        self,
        limit: int | None = None,
        *,
        backend: str | Backend = "propagation",
        seconds: float | None = None,
        **limits: int | None,
    ) -> list[Solution]:
        """All solutions, or the first ``limit`` that are found; an objective is ignored."""
        result = self._ask(Solutions(limit, keep=None), backend, seconds, limits)
        return [self.solution(values) for values in result.solutions]

    def count(
        self,
        *,
        backend: str | Backend = "propagation",
        seconds: float | None = None,
        **limits: int | None,
    ) -> int:
        """How many solutions there are; an objective is ignored."""
        return self._ask(Solutions(None), backend, seconds, limits).count

    def optimum(
        self,
        *,
        backend: str | Backend = "propagation",
        seconds: float | None = None,
        **limits: int | None,
    ) -> Solution | None:
        """A best solution, proven to be one, with its ``objective``; None if there is no solution.

        ``Unfinished.best`` is the best that was found where a limit came before the proof.
        """
        if self.problem().structure.objective is None:
            raise ModelError("the model has no objective; call minimize or maximize first")
        result = self._ask(Optimum(), backend, seconds, limits)
        return self.solution(result.solutions[0]) if result.solutions else None

    def compare(self, backends: Named | Sequence[Named] | None = None, **settings: Any) -> Run:
        """Run backends on the model in worker processes, as ``concord.compare`` does."""
        return compare(self, backends, **settings)

    def _ask(
        self,
        ask: Solutions | Optimum,
        backend: str | Backend,
        seconds: float | None,
        limits: Mapping[str, Any],
    ) -> Result:
        result = solve(self, ask, backend=backend, limits=Limits(seconds, **limits))
        enough = isinstance(ask, Solutions) and result.count == ask.limit
        if not (result.exhausted or enough):
            best = self.solution(result.solutions[0]) if result.solutions else None
            raise Unfinished(
                f"{backend if isinstance(backend, str) else backend.name} stopped before it could "
                f"answer ({result.stopped_by}); it had found {result.count} solutions. Give it "
                "more seconds, or try another backend",
                result,
                best,
            )
        return result


def from_cpmpy(model: Any) -> Problem:
    """A CPMpy model as a Problem: its variables under their names, its constraints and objective.

    Raises ModelError for what Concord cannot express. ``pip install 'solver-concord[cpmpy]'``.
    """
    from modelling.formats.cpmpy import from_cpmpy

    return from_cpmpy(model)


def to_cpmpy(problem: Problem | _Model) -> Any:
    """A Problem or Model as a CPMpy model, with its variables under their names.

    What CPMpy cannot express is rewritten; the others determine the auxiliary variables.
    Raises ModelError for what no rewrite can express. ``pip install 'solver-concord[cpmpy]'``.
    """
    from modelling.formats.cpmpy import to_cpmpy

    return to_cpmpy(problem.problem() if isinstance(problem, _Model) else problem)


def register_cpmpy() -> None:
    """Let CPMpy know every backend as a solver: ``model.solve(solver="concord:cpsat")``."""
    from modelling.formats.cpmpy import require_cpmpy

    require_cpmpy()
    from backends.cpmpy_solver import register

    register()


def resume(
    run: Path | str = "latest",
    *,
    jobs: int | None = None,
    yes: bool = False,
    progress: bool = True,
    on_progress: Callable[[RunProgress], None] | None = None,
) -> Run:
    """Run what is missing in a run that was interrupted, and return the whole run.

    ``run`` is its folder, its name or ``latest``; ``jobs`` run at a time, by default as before.
    ``yes`` lets missing environments of releases be made, and ``progress`` shows how far the run
    is, as for ``compare``.
    """
    from harness.report.run import run_experiment

    with _show_progress(progress, on_progress) as show:
        return run_experiment(
            None, run, resume=True, jobs=jobs, on_progress=show, provide=_provide(yes)
        )


def instance(problem: Problem, name: str = "problem") -> Instance:
    """A Problem as an Instance of the family ``problem``, whose ``text`` is one line.

    The line can be kept in a file, which ``--family problem`` reads, or sent to another process.
    Raises ModelError for a constraint that no other process could import.
    """
    from puzzles.problem import instance

    return instance(problem, name)


_as_instance = instance


def generate(
    number: int = 1,
    *,
    family: str = "sudoku",
    seed: int = 0,
    box: tuple[int, int] = (3, 3),
    **spec: Any,
) -> list[Instance]:
    """Generate Sudoku as ``concord generate`` does; the same seed gives the same puzzles.

    With another ``family`` its instances are drawn, and ``spec`` are the parameters of its
    generator: ``generate(3, family="knapsack", items=20)``.

    ``spec`` is ``clues``, ``symmetry``, ``grade``, ``solutions``, ``attempts``, as in
    ``puzzles.sudoku.specification.PuzzleSpec``; by default the puzzles are minimal. Puzzles that
    do not meet it after all attempts are left out.
    """
    if family != "sudoku":
        from backends.counting import count_solutions
        from puzzles.family import family as find_family
        from puzzles.generators import generate as draw

        found = find_family(family)
        return list(draw(found, number, seed=seed, count=count_solutions, **spec))
    from harness.streams.generating import GenerateRequest, generate_instances
    from puzzles.sudoku import sudoku_layout
    from puzzles.sudoku.specification import PuzzleSpec

    request = GenerateRequest(
        "sudoku", sudoku_layout(box[0] * box[1], box), PuzzleSpec(**spec), seed
    )
    return [
        replace(one, name=f"seed {seed}, item {one.name.removeprefix('item-')}")
        for one in generate_instances(request, number, only_met=True)
    ]


def picture(
    instance: Instance | Problem | _Model | str,
    solution: Result | Solution | Sequence[int] | None = None,
) -> Svg:
    """The picture of an Instance, a Problem, a Model or a Sudoku's text, or of its solution: a
    Result's first, a Solution, or values.

    A notebook shows it, ``save(path)`` writes a file. Families that nobody looks at are drawn as
    text. Raises InputError for a Result without a solution, and InstanceError for another number of
    values than there are variables.
    """
    if isinstance(instance, str):
        instance = Instance("sudoku", "puzzle", instance)
    elif not isinstance(instance, Instance):
        instance = _as_instance(_state_problem(instance))
    if isinstance(solution, Solution):
        solution = solution.values_in_order
    values = solution.solutions[:1] if isinstance(solution, Result) else (solution,)
    if not values:
        raise InputError("the result shows no solution, so there is none to draw")
    return make_picture(family(instance.family), instance.text, values[0])


def propagate(problem: Problem | _Model | Instance | str, *, alldifferent: str = "auto") -> Domains:
    """The values of each variable that the backend ``propagation`` leaves open before it branches.

    What is printed has a column for each value and a dot where one was removed. Where a
    contradiction is found all domains are empty. ``alldifferent`` is the consistency of these
    constraints: ``values``, ``bounds``, ``domain``, or what pays. See docs/propagators.md. Raises
    InputError for another.
    """
    from backends.propagation import CONSISTENCIES
    from backends.propagation import propagate as find_open_values

    if alldifferent not in (known := ("auto", *CONSISTENCIES)):
        raise InputError(f"alldifferent must be one of {', '.join(known)}, not {alldifferent!r}")
    stated = _state_problem(problem)
    names, domains = stated.structure.names, stated.structure.domains
    found = find_open_values(stated, alldifferent)
    return Domains(dict(zip(names, found, strict=True)), domains)


def count_solutions(
    problem: Problem | _Model | Instance | str, *, seconds: float | None = None
) -> Counted:
    """How many solutions a problem has, counted by components, which multiply.

    For problems that fall apart once some variables have a value, and have more solutions than can
    be listed. ``count`` is None if the ``seconds`` were not enough. It is exact, and it is not an
    answer that ``compare`` judges: no solution is shown. Raises Unsupported for a problem with an
    output, or with domains that are too large to be listed.
    """
    from backends.propagation.counting import count_solutions as count_components

    return count_components(_state_problem(problem), seconds)


def search_tree(
    instance: Problem | _Model | Instance | str,
    ask: Solutions | Optimum | None = None,
    *,
    branching: str = "domwdeg",
    most_nodes: int = 500,
) -> SearchTree:
    """The tree that the backend ``propagation`` searches, which a notebook shows as a picture.

    ``ask`` is as for ``solve``, ``branching`` a rule of that backend: ``turns``, ``domwdeg``,
    ``chs``, ``activity``, ``smallest`` or ``first``. After ``most_nodes`` nodes the search is
    cut off. ``SearchTree`` makes such a picture of the nodes of any search. Raises InputError for
    a rule that is not there.
    """
    from backends.propagation import trace_search
    from backends.propagation.solver import RULES
    from backends.propagation.trace import name_variable

    if branching not in RULES:
        raise InputError(f"branching must be one of {', '.join(RULES)}, not {branching!r}")
    stated = _state_problem(instance)
    if ask is None:
        ask = Solutions(1) if stated.structure.objective is None else Optimum()
    found, is_cut = trace_search(stated, ask, branching, most_nodes)
    names = stated.structure.names
    nodes = [
        (
            node.parent,
            ""
            if node.variable is None
            else f"{name_variable(names, node.variable)}"
            f"{'≠' if node.is_excluded else '='}{node.value}",
            node.fate,
        )
        for node in found
    ]
    return SearchTree(nodes, is_cut)


def grade(puzzle: Instance | str) -> Graded:
    """How hard a Sudoku is for a person: ``grade``, ``score``, and the ``steps`` that it takes."""
    from puzzles.sudoku.grading.path import grade

    return grade(puzzle if isinstance(puzzle, str) else puzzle.text)


@overload
def load(run: Path | str = "latest") -> Run: ...
@overload
def load(run: Path | str, second: Path | str, /, *more: Path | str) -> Runs: ...
def load(run: Path | str = "latest", *more: Path | str) -> Run | Runs:
    """A run by folder, name or ``latest``; a folder of results/reference as well.

    Several are read together: ``load(a, b).data.jobs`` is one DataFrame with a column ``run``.
    ``.data`` has tidy tables, also of one run; docs/data.md describes them. A warning says what
    must not be compared: times of different machines, different releases of a solver.
    """
    from harness.report.run import load, load_all

    return load_all([run, *more]) if more else load(run)


backend = get_backend

__all__ = [
    "Accepted",
    "AllDifferent",
    "AllOptima",
    "Array",
    "Backend",
    "Collector",
    "ConcordError",
    "Constraint",
    "Domains",
    "Instance",
    "Limits",
    "Linear",
    "Model",
    "ModelError",
    "NotEqual",
    "Objective",
    "Optimum",
    "Problem",
    "Refused",
    "Result",
    "SearchTree",
    "Solution",
    "Solutions",
    "Structure",
    "Table",
    "Unfinished",
    "Unsupported",
    "advise",
    "all_",
    "all_different",
    "all_equal",
    "any_",
    "array",
    "assert_agrees",
    "backend",
    "backends",
    "bin_packing",
    "bind",
    "cardinality",
    "circuit",
    "clauses",
    "compare",
    "conform",
    "core",
    "count",
    "count_solutions",
    "cumulative",
    "decreasing",
    "distance",
    "element",
    "element_2d",
    "families",
    "family",
    "from_cpmpy",
    "generate",
    "global_cardinality",
    "grade",
    "if_then_else",
    "iff",
    "implies",
    "increasing",
    "instance",
    "inverse",
    "lex",
    "lex_less",
    "lex_less_equal",
    "load",
    "maximum",
    "mdd",
    "minimum",
    "no_overlap",
    "no_overlap_2d",
    "nvalue",
    "picture",
    "precede",
    "precedence",
    "problem",
    "product",
    "propagate",
    "read",
    "register_cpmpy",
    "regular",
    "remainder",
    "resume",
    "search_tree",
    "sets",
    "solve",
    "subcircuit",
    "sum_",
    "table",
    "to_cpmpy",
    "truncated",
    "violations",
    "xor",
]


def __dir__() -> list[str]:
    """The public names alone, for editors and notebooks."""
    return [*__all__, "__version__"]
