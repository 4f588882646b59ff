"""`concord solve` and `concord generate`: puzzles line by line."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import typer

from harness.cli import options
from harness.cli.bars import show_items
from harness.cli.command import FINE, INTERRUPTED, Command, status_of, verb
from harness.cli.screen import Screen
from modelling.errors import InputError

if TYPE_CHECKING:
    from puzzles.family import Family

MOST_SEED = (1 << 64) - 1


@verb(
    "concord solve sudoku --show",
    "concord solve puzzles.txt --count 2        # is each one unique?",
    "concord solve sudoku-several --count all --backend cpsat",
    "concord solve 1.....2..3.....4",
    "concord solve model.mzn small.dzn large.dzn",
    "concord solve queens --picture > queens.html",
)
def solve(
    sources: list[str] | None = options.SOURCES,
    backend: str | None = options.backend(
        "Solver (default: compiled if numba is installed, else propagation)."
    ),
    count: str | None = options.value(
        None,
        "N-or-all",
        "Number of solutions to find for each puzzle (default: the best one where there is an "
        "objective, else 1).",
    ),
    optimum: bool = options.flag(
        "--optimum",
        "With --count: that many of the best, where there is an objective.",
    ),
    family: str | None = options.value(
        None, "F", "Puzzle family of the lines, if the file does not name it."
    ),
    seconds: float | None = options.seconds(None, "Limit in seconds for each puzzle."),
    jobs: int = options.jobs(1),
    show: bool = options.flag("--show", "Draw each puzzle with its solution."),
    picture: bool = options.flag("--picture", "Write each solution as a picture (SVG)."),
    quiet: bool = options.QUIET,
) -> int:
    """Solve puzzles: line i of the output belongs to puzzle i.

    A line is a solution, `# unsatisfiable`, `# unknown` (out of time) or `# error`; standard error
    has the cause. With --count above 1 each solution is preceded by the puzzle's number and a tab.
    Where the best solution is asked, a comment after it says what it is worth, and if that is
    proven.
    """
    from harness.streams.solving import SolveRequest
    from harness.streams.solving import solve as answers

    screen = Screen(quiet)
    limit = options.parse_count("1" if count is None else count)
    number = None if limit == "all" else limit
    seeks = optimum or count is None
    request = SolveRequest(backend, number, seconds, show, picture, seeks)
    named = sources or ["-"]
    for source in named:
        screen.await_input(source)
    for answer in answers(named, family, request, jobs):
        for line in answer.lines:
            screen.line(line)
        if answer.trouble:
            screen.report_fault(answer.trouble)
    return screen.status


class _ByFamily(Command):
    """The options of grids; where the words name another family, those of its generator."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As if the command of that family had been called."""
        named = _find_named_family(args)
        kind = named if named and _is_drawn(named, args) else None
        if kind is None:
            if named and not {"-h", "--help"}.isdisjoint(args):
                status = status_of(partial(_ensure_generated, named))
                if status:
                    raise typer.Exit(status)
            return list(super().parse_args(ctx, args))
        ctx.command = typer.main.get_command(_make_app(kind))
        return list(ctx.command.parse_args(ctx, args))


def _find_named_family(words: list[str]) -> Family | None:
    """The family that the words name, if it is there."""
    from puzzles.family import family, is_own, is_shipped

    named = (word.removeprefix("--family=") for word in words)
    name = next((word for word in named if is_shipped(word) or is_own(word)), None)
    try:
        return family(name) if name else None
    except InputError:  # which the verb will say itself
        return None


def _is_drawn(kind: Family, words: list[str]) -> bool:
    """Whether the instances of a family are drawn by parameters.

    Of grids only where a parameter is told: without one they are made to a wish.
    """
    from puzzles.family import Generated, Sized
    from puzzles.grid.family import GridFamily

    if not isinstance(kind, Generated):
        return isinstance(kind, Sized) and not isinstance(kind, GridFamily)
    own = {one.option for one in kind.parameters} - {"--order"}
    return any(word.partition("=")[0] in own for word in words) or not isinstance(kind, GridFamily)


def _ensure_generated(kind: Family) -> int:
    """Raise ``InputError`` for a family without a generator: it has no options to list."""
    from puzzles.generators import find_parameters
    from puzzles.grid.family import GridFamily

    if not isinstance(kind, GridFamily):
        find_parameters(kind)
    return FINE


def _make_app(kind: Family) -> typer.Typer:
    """The command that draws instances of one family, with an option for each parameter."""
    from puzzles.generators import find_parameters
    from puzzles.parameters import format_value

    def draw(**words: Any) -> int:
        return _draw(kind, **words)

    usual = inspect.signature(_draw, eval_str=True)
    own = []
    for one in find_parameters(kind):
        of = bool if one.default is False else str
        if of is bool:
            option = options.flag(one.option, one.about)
        else:
            words = f"{', '.join(one.words)}; " if one.words else ""
            text = f"{one.about[:-1]} ({words}default: {format_value(one.default)})."
            sort = "WORD" if one.words else "N" if type(one.default) is int else "X"
            option = options.value(None, sort, text, one.option)
        keyword = inspect.Parameter.KEYWORD_ONLY
        own.append(inspect.Parameter(one.name, keyword, default=option, annotation=of))
    shared = [one for one in usual.parameters.values() if one.name not in ("chosen", "told")]
    keywords = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in shared]
    fields = [*keywords[:2], *own, *keywords[2:]]
    draw.__doc__ = _draw.__doc__
    draw.__signature__ = usual.replace(parameters=fields)  # type: ignore[attr-defined]
    draw.__annotations__ = {one.name: one.annotation for one in fields}
    made = typer.Typer(rich_markup_mode=None, add_completion=False)
    verb(f"concord generate {kind.name} --number 5 --seed 7", group=made)(draw)
    return made


FAMILY = options.argument(None, "FAMILY", "Puzzle family, from `concord families`.")
OF = options.value(None, "FAMILY", "The same as FAMILY.", "--family")
START = options.value(0, "ITEM", "First item of the sequence that belongs to the seed.", min=0)
NEW_FILE = options.file("File to write; its first lines say how it was made.")
RESUME = options.flag("--resume", "Continue the file where it stopped.")


def _number(things: str) -> Any:
    return options.value(1, "N", f"Number of {things} to generate.", "--number", "-n", min=1)


def _seed(things: str) -> Any:
    about = f"Random seed; the same seed gives the same {things}."
    return options.value(0, "S", about, min=0, max=MOST_SEED)


def _show(things: str) -> Any:
    return options.flag("--show", f"Draw the {things}.")


@verb(
    "concord generate sudoku --number 5",
    "concord generate sudoku --number 1000 --seed 7 --out minimal.txt",
    "concord generate sudoku --clues 26 --symmetry half-turn --grade x-wing",
    "concord generate latin --order 7",
    "concord generate knapsack --items 40 --kind strong",
    "concord generate model_rb --phase 0.9 --number 3",
    cls=_ByFamily,
)
def generate(
    family: str | None = FAMILY,
    of: str | None = OF,
    number: int = _number("puzzles"),
    seed: int = _seed("puzzles"),
    box: str | None = options.value(None, "RxC", "Rows by columns of a box (default: 3x3)."),
    order: int | None = options.value(None, "N", "Number of rows of the grid (default: 9)."),
    clues: int | None = options.value(
        None, "C", "Exact number of clues (default: no clue can be removed)."
    ),
    symmetry: str = options.value(
        "none",
        "S",
        "Symmetry of the clues: none, half-turn, mirror, diagonal, quarter-turn, full.",
    ),
    grade: str | None = options.value(
        None, "G", "Hardest technique that is needed, as naked-single or x-wing."
    ),
    solutions: int | None = options.value(
        None, "K", "Exact number of solutions (default: 1).", min=1
    ),
    unsatisfiable: bool = options.flag(
        "--unsatisfiable", "Generate puzzles that look valid and have no solution."
    ),
    attempts: int | None = options.value(
        None, "A", "Maximum number of attempts for each puzzle (default: 1000).", min=1
    ),
    seconds: float | None = options.seconds(None, "Stop after T seconds."),
    start: int = START,
    jobs: int = options.jobs(1, "Number of processes that work at the same time."),
    backend: str | None = options.backend(
        "Solver that counts solutions (default: compiled if numba is installed)."
    ),
    out: Path | None = NEW_FILE,
    resume: bool = RESUME,
    force: bool = options.FORCE,
    show: bool = _show("puzzles"),
    quiet: bool = options.QUIET,
) -> int:
    """Generate puzzles, one line each.

    Sudoku and Latin squares are minimal and have one solution, unless options say otherwise. The
    same seed gives the same puzzles, on any machine and with any number of --jobs. If no puzzle
    with the clues asked for is found after all --attempts, the line ends in a comment that says so,
    or is a comment. Each other family has options of its own, which `concord generate FAMILY
    --help` lists.
    """
    from harness.streams import generating
    from puzzles.grid.family import find_grid_family, make_layout
    from puzzles.sudoku.generating import MOST_ITEM
    from puzzles.sudoku.wish import ATTEMPTS, Wish

    name = _choose_family(family, of)
    if unsatisfiable and solutions is not None:
        raise InputError("--unsatisfiable cannot be combined with --solutions")
    _check_file(out, resume, force)
    wish = Wish(
        clues=clues,
        symmetry=symmetry,
        grade=grade,
        solutions=0 if unsatisfiable else 1 if solutions is None else solutions,
        attempts=ATTEMPTS if attempts is None else attempts,
    )
    layout = make_layout(name, order, None if box is None else _parse_shape(box))
    request = generating.GenerateRequest(name, layout, wish, seed, backend)
    request.check()
    if start + number - 1 > MOST_ITEM:
        raise InputError(f"--start {start} --number {number}: the last item is {MOST_ITEM}")
    kind = find_grid_family(name)

    def make_portions(done: int) -> Iterator[_Portion]:
        left = number - done
        with closing(
            generating.generate_portions(request, start + done, left, jobs, seconds)
        ) as portions:
            for made in portions:
                yield _Portion(
                    made.lines(kind, layout, wish),
                    made.drawn(kind, layout) if show else "",
                    len(made.items),
                    int((~made.met).sum()),
                    int((made.kept & ~made.sure).sum()),
                )

    screen = Screen(quiet)
    head = generating.format_head(request, number, start)
    asked = _Asked(number, start, out, resume, force, show, seconds)
    done = _write_portions(screen, make_portions, head, asked)
    if done is None:
        return INTERRUPTED
    if done.unsure:
        screen.note(
            f"{done.unsure:,} of the puzzles may hold clues that are not needed: it took too "
            "long to find out"
        )
    if done.poor:
        screen.report_fault(
            f"{done.poor:,} are not as asked for after {wish.attempts:,} attempts, as "
            "their lines say: try more --attempts"
        )
    if done.items < number:
        screen.report_fault(
            f"stopped by --seconds {seconds:g} after {done.items:,} of {number:,} puzzles"
        )
        screen.complain(_tell_how_to_continue(asked, done.items))
    return screen.status


def _draw(
    chosen: Any,
    /,
    family: str | None = FAMILY,
    of: str | None = OF,
    number: int = _number("instances"),
    seed: int = _seed("instances"),
    start: int = START,
    out: Path | None = NEW_FILE,
    resume: bool = RESUME,
    force: bool = options.FORCE,
    show: bool = _show("instances"),
    quiet: bool = options.QUIET,
    **told: Any,
) -> int:
    """Generate instances of this family, one line each.

    The same seed and options give the same instances on any machine. Item k depends on the seed, k
    and the options alone.
    """
    from backends.counting import count_solutions
    from harness.streams import generating
    from puzzles.generators import find_parameters, make_instance
    from puzzles.parameters import complete

    name = _choose_family(family, of)
    _check_file(out, resume, force)
    given = {key: value for key, value in told.items() if value is not None}
    values = complete(find_parameters(chosen), given, name)
    make = partial(make_instance, chosen, seed, values=values, count=count_solutions)
    make(start)  # what cannot be made is told before a file is begun

    def make_portions(done: int) -> Iterator[_Portion]:
        for item in range(start + done, start + number):
            one = make(item)
            drawing = f"{chosen.render(one.text)}\n\n" if show else ""
            yield _Portion(f"{one.text}  # {one.name}\n", drawing)

    head = generating.format_head(generating.DrawRequest(name, values, seed), number, start)
    screen, asked = (
        Screen(quiet),
        _Asked(number, start, out, resume, force, show, things="instances"),
    )
    done = _write_portions(screen, make_portions, head, asked)
    return INTERRUPTED if done is None else screen.status


def _parse_shape(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", text)
    if found is None:
        raise InputError(f"--box must be rows by columns, as 3x3 or 2x3, not {text!r}")
    return int(found[1]), int(found[2])


def _choose_family(family: str | None, of: str | None) -> str:
    """The family that was named in one of two ways."""
    if (family is None) == (of is None):
        raise InputError("name one FAMILY to generate instances of, such as sudoku or knapsack")
    return family or of or ""


def _check_file(out: Path | None, resume: bool, force: bool) -> None:
    if resume and out is None:
        raise InputError("--resume continues a file: name it with --out")
    if resume and force:
        raise InputError("--resume continues the file, --force replaces it: give one of them")


class _Asked(NamedTuple):
    """How many items from which on are to be made, and where to."""

    number: int
    start: int
    out: Path | None
    resume: bool
    force: bool
    show: bool
    seconds: float | None = None
    things: str = "puzzles"


class _Portion(NamedTuple):
    """Some items: their lines, their drawings, and how many of them are poor or unsure."""

    lines: str = ""
    drawing: str = ""
    items: int = 1
    poor: int = 0
    unsure: int = 0


def _write_portions(
    screen: Screen, make_portions: Callable[[int], Iterator[_Portion]], head: str, asked: _Asked
) -> _Portion | None:
    """Write what is made, whole line by whole line; ``make_portions`` is told how much is there.

    It returns how many items were made, and how many of them are poor or unsure; None if it was
    interrupted, which is told.
    """
    from harness.cli.output_file import STOPPED, begin_file, resume_file, whole_lines

    out, number = asked.out, asked.number
    file, done, poor, unsure = None, 0, 0, 0
    if out is not None:
        begun = resume_file(out, head) if asked.resume else (begin_file(out, head, asked.force), 0)
        file, done = begun
    # puzzles that go to the terminal themselves show how far it is
    hidden = screen.err.is_terminal and screen.out.is_terminal
    with file or nullcontext():
        if done > number:
            raise InputError(f"{out} holds {done} {asked.things}, more than --number {number}")
        portions = make_portions(done)
        try:
            with show_items(screen, asked.things, number, done, hidden) as progress:
                for made in portions:
                    with whole_lines(out):
                        _write(made, file, asked.show)
                        done += made.items
                    poor += made.poor
                    unsure += made.unsure
                    progress(done)
        except KeyboardInterrupt:
            screen.complain(f"interrupted after {done:,} of {number:,} {asked.things}")
            screen.complain(_tell_how_to_continue(asked, done))
            return None
        if done < number and file is not None:
            with whole_lines(out):
                file.write(
                    f"{STOPPED}by a limit of {asked.seconds:g} seconds after {done} of "
                    f"{number} puzzles: how many there are is not reproducible\n"
                )
                file.flush()
    return _Portion(items=done, poor=poor, unsure=unsure)


def _write(made: _Portion, file: TextIO | None, show: bool) -> None:
    """Into the file, and as drawings to standard output; without a file only one of both."""
    sys.stdout.write(made.drawing)
    if file is not None or not show:
        (file or sys.stdout).write(made.lines)
    for stream in filter(None, (file, sys.stdout)):
        stream.flush()


def _tell_how_to_continue(asked: _Asked, done: int) -> str:
    if asked.out is not None:
        return f"continue with the same command and --resume: {asked.out} holds whole lines"
    left = f"--start {asked.start + done} --number {asked.number - done}"
    return f"continue with the same command and {left}"
