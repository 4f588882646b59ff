"""`concord generate FAMILY`: a command for each family, with the options of its generator.

Grids that are made to a specification (``generate_grids``) have options of their own; instances of
every other family are drawn from its parameters (``generate_instances``). Latin squares are
generated in both ways.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import typer
from typer.core import TyperGroup

from harness.cli import options
from harness.cli.bars import show_items
from harness.cli.command import FINE, INTERRUPTED, Command, app, format_examples, status_of, verb
from harness.cli.screen import Screen
from modelling.errors import InputError

if TYPE_CHECKING:
    from puzzles.family import Family
    from puzzles.parameters import Parameter

MOST_SEED = (1 << 64) - 1


class FamilyGroup(TyperGroup):
    """The commands of all families with a generator; each is built when it is needed."""

    def __init__(self, **settings: Any) -> None:
        settings["options_metavar"] = ""
        super().__init__(
            **settings, invoke_without_command=True, subcommand_metavar="FAMILY [OPTIONS]"
        )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the family first, wherever it is named."""
        named, rest = _split_family(args)
        if len(named) == 1:
            args = [*named, *rest]
        elif not ctx.resilient_parsing and (named or {"-h", "--help"}.isdisjoint(args)):
            raise typer.Exit(status_of(_require_family))
        return list(super().parse_args(ctx, args))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """The command for the family and the options in ``args``."""
        name, *rest = args
        found: list[Family] = []
        status = status_of(partial(_find_family, name, found))
        if status:
            raise typer.Exit(status)
        return name, _make_command(found[0], rest), rest

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the families."""
        from puzzles.generators import list_generated

        return [one.name for one in list_generated()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a family that ships; None for any other name."""
        from puzzles.family import family

        return _make_command(family(cmd_name)) if cmd_name in self.list_commands(ctx) else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List each family with what it is."""
        from puzzles.generators import list_generated

        with formatter.section("Families"):
            formatter.write_dl([(one.name, one.about) for one in list_generated()])


@app.command(
    cls=FamilyGroup,  # type: ignore[arg-type]
    epilog=format_examples(
        "concord generate sudoku --number 5",
        "concord generate sudoku --number 1000 --seed 7 --out minimal.txt",
        "concord generate sudoku --clues 26 --symmetry half-turn --grade x-wing",
        "concord generate latin --order 7",
        "concord generate knapsack --items 40 --kind strong",
        "concord generate model_rb --phase 0.9 --number 3",
    ),
)
def generate() -> None:
    """Generate puzzles, one line each.

    `concord generate FAMILY --help` lists the options of a family; `--family FAMILY` names it as
    well. Sudoku and Latin squares are minimal and have one solution, unless options say otherwise.
    The same seed and options give the same puzzles, on any machine.
    """


def _split_family(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """What the words name as families, and the other words."""
    from puzzles.family import is_own, is_shipped

    named: list[str] = []
    rest: list[str] = []
    left = iter(words)
    for word in left:
        option, equals, value = word.partition("=")
        if option == "--family":
            named.append(value if equals else next(left, ""))
        else:
            rest.append(word)
    if rest and not rest[0].startswith("-"):
        named.append(rest.pop(0))
    elif not named:
        known = (k for k, word in enumerate(rest) if is_shipped(word) or is_own(word))
        named += [rest.pop(k) for k in list(known)[:1]]
    return named, rest


def _require_family() -> int:
    raise InputError("name one FAMILY to generate instances of, such as sudoku or knapsack")


def _find_family(name: str, found: list[Family]) -> int:
    """Append the family; raises ``InputError`` for one without a generator."""
    from puzzles.generators import find_generated

    found.append(find_generated(name))
    return FINE


def _make_command(kind: Family, words: Sequence[str] = ()) -> Any:
    """The command that generates instances of a family, given these options.

    Grids are drawn from parameters only if one of them is given.
    """
    from puzzles.family import Generated
    from puzzles.generators import find_parameters
    from puzzles.grid.family import GridFamily

    own = {one.option for one in kind.parameters} if isinstance(kind, Generated) else set()
    given = {word.partition("=")[0] for word in words}
    made = typer.Typer(rich_markup_mode=None, add_completion=False)
    call = f"concord generate {kind.name}"
    if isinstance(kind, GridFamily) and not given & (own - {"--order"}):
        more = f"{call} --number 1000 --seed 7 --out minimal.txt"
        clues = f"{call} --order 9 --clues 40 --symmetry half-turn"
        verb(f"{call} --number 5", more, clues, group=made)(generate_grids)
        return typer.main.get_command(made)
    verb(f"{call} --number 5 --seed 7", group=made, cls=_DrawCommand)(generate_instances)
    command = typer.main.get_command(made)
    command.params[:0] = map(_make_option, find_parameters(kind))
    return command


class _DrawCommand(Command):
    """A command whose context holds the values of the parameters."""

    def invoke(self, ctx: Any) -> Any:
        """Move the values that the function does not take as arguments into ``ctx.obj``."""
        from puzzles.generators import find_generated, find_parameters

        names = [one.name for one in find_parameters(find_generated(ctx.info_name))]
        ctx.obj = {name: ctx.params.pop(name) for name in names}
        return super().invoke(ctx)


def _make_option(one: Parameter) -> Any:
    """The option of the command line for a parameter."""
    from puzzles.parameters import format_value

    made = typer.Typer(add_completion=False)
    if one.default is False:

        @made.command()
        def declare_flag(value: bool = options.flag(one.option, one.about)) -> None: ...

    else:
        words = f"{', '.join(one.words)}; " if one.words else ""
        about = f"{one.about[:-1]} ({words}default: {format_value(one.default)})."
        metavar = "WORD" if one.words else "N" if type(one.default) is int else "X"

        @made.command()
        def declare(
            value: str | None = options.value(None, metavar, about, one.option),
        ) -> None: ...

    (option,) = typer.main.get_command(made).params
    option.name = one.name
    return option


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


def generate_grids(
    context: typer.Context,
    number: int = _number("puzzles"),
    seed: int = _seed("puzzles"),
    box: str | None = options.value(None, "RxC", "Rows by columns of a box (default: 3x3)."),
    order: int | None = options.value(None, "N", "Number of rows of the grid (default: 9)."),
    clues: int | None = options.value(
        None, "C", "Exact number of clues (default: no clue can be removed)."
    ),
    symmetry: str = options.value(
        "none", "S", "Symmetry of the clues: none, half-turn, mirror, diagonal, quarter-turn, full."
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
    or is a comment. Latin squares with holes have other options: see `concord generate latin
    --holes 0.42 --help`.
    """
    from harness.streams import generating
    from puzzles.grid.family import find_grid_family, make_layout
    from puzzles.sudoku.generating import MOST_ITEM
    from puzzles.sudoku.specification import ATTEMPTS, PuzzleSpec

    name = str(context.info_name)
    if unsatisfiable and solutions is not None:
        raise InputError("--unsatisfiable cannot be combined with --solutions")
    _check_file(out, resume, force)
    spec = PuzzleSpec(
        clues=clues,
        symmetry=symmetry,
        grade=grade,
        solutions=0 if unsatisfiable else 1 if solutions is None else solutions,
        attempts=ATTEMPTS if attempts is None else attempts,
    )
    layout = make_layout(name, order, None if box is None else _parse_shape(box))
    request = generating.GenerateRequest(name, layout, spec, seed, backend)
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
                    made.lines(kind, layout, spec),
                    made.draw(kind, layout) if show else "",
                    len(made.items),
                    int((~made.met).sum()),
                    int((made.kept & ~made.sure).sum()),
                )

    screen = Screen(quiet)
    head = generating.format_head(request, number, start)
    task = _Task(number, start, out, resume, force, show, seconds)
    done = _write_portions(screen, make_portions, head, task)
    if done is None:
        return INTERRUPTED
    if done.unsure:
        screen.note(
            f"{done.unsure:,} of the puzzles may hold clues that are not needed: it took too "
            "long to find out"
        )
    if done.poor:
        screen.report_fault(
            f"{done.poor:,} are not as asked for after {spec.attempts:,} attempts, as "
            "their lines say: try more --attempts"
        )
    if done.items < number:
        screen.report_fault(
            f"stopped by --seconds {seconds:g} after {done.items:,} of {number:,} puzzles"
        )
        screen.complain(_explain_resuming(task, done.items))
    return screen.status


def generate_instances(
    context: typer.Context,
    number: int = _number("instances"),
    seed: int = _seed("instances"),
    start: int = START,
    out: Path | None = NEW_FILE,
    resume: bool = RESUME,
    force: bool = options.FORCE,
    show: bool = _show("instances"),
    quiet: bool = options.QUIET,
) -> int:
    """Generate instances of this family, one line each.

    The same seed and options give the same instances on any machine. Item k depends on the seed, k
    and the options alone.
    """
    from backends.counting import count_solutions
    from harness.streams import generating
    from puzzles.generators import find_generated, find_parameters, make_instance
    from puzzles.parameters import complete

    name = str(context.info_name)
    kind = find_generated(name)
    _check_file(out, resume, force)
    given = {key: value for key, value in context.obj.items() if value is not None}
    values = complete(find_parameters(kind), given, name)
    make = partial(make_instance, kind, seed, values=values, count=count_solutions)
    make(start)  # an instance that cannot be made is an error before a file is begun

    def make_portions(done: int) -> Iterator[_Portion]:
        for item in range(start + done, start + number):
            one = make(item)
            drawing = f"{kind.render(one.text)}\n\n" if show else ""
            yield _Portion(f"{one.text}  # {one.name}\n", drawing)

    head = generating.format_head(generating.DrawRequest(name, values, seed), number, start)
    screen, task = (
        Screen(quiet),
        _Task(number, start, out, resume, force, show, things="instances"),
    )
    done = _write_portions(screen, make_portions, head, task)
    return INTERRUPTED if done is None else screen.status


def _parse_shape(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", text)
    if found is None:
        raise InputError(f"--box must be rows by columns, as 3x3 or 2x3, not {text!r}")
    return int(found[1]), int(found[2])


def _check_file(out: Path | None, resume: bool, force: bool) -> None:
    if resume and out is None:
        raise InputError("--resume continues a file: name it with --out")
    if resume and force:
        raise InputError("--resume continues the file, --force replaces it: give one of them")


class _Task(NamedTuple):
    """The items to make, and their output."""

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
    screen: Screen, make_portions: Callable[[int], Iterator[_Portion]], head: str, task: _Task
) -> _Portion | None:
    """Write the items, whole line by whole line; ``make_portions`` gets the number already written.

    Return how many items were made, and how many of them are poor or unsure; None if it was
    interrupted, after a message.
    """
    from harness.cli.output_file import STOPPED, begin_file, resume_file, whole_lines

    out, number = task.out, task.number
    file, done, poor, unsure = None, 0, 0, 0
    if out is not None:
        begun = resume_file(out, head) if task.resume else (begin_file(out, head, task.force), 0)
        file, done = begun
    # puzzles that go to the terminal themselves show how far it is
    hidden = screen.err.is_terminal and screen.out.is_terminal
    with file or nullcontext():
        if done > number:
            raise InputError(f"{out} holds {done} {task.things}, more than --number {number}")
        portions = make_portions(done)
        try:
            with show_items(screen, task.things, number, done, hidden) as progress:
                for made in portions:
                    with whole_lines(out):
                        _write(made, file, task.show)
                        done += made.items
                    poor += made.poor
                    unsure += made.unsure
                    progress(done)
        except KeyboardInterrupt:
            screen.complain(f"interrupted after {done:,} of {number:,} {task.things}")
            screen.complain(_explain_resuming(task, done))
            return None
        if done < number and file is not None:
            with whole_lines(out):
                file.write(
                    f"{STOPPED}by a limit of {task.seconds:g} seconds after {done} of "
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


def _explain_resuming(task: _Task, done: int) -> str:
    if task.out is not None:
        return f"continue with the same command and --resume: {task.out} holds whole lines"
    left = f"--start {task.start + done} --number {task.number - done}"
    return f"continue with the same command and {left}"
