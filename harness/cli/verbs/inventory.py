"""`concord constraints`, `families` and `sets`: what there is to say, and to run on.

Public sets are fetched, your own are added.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from harness.cli import options
from harness.cli.bars import show_downloads
from harness.cli.command import INTERRUPTED, app, format_examples, status_of, verb
from harness.cli.screen import Screen
from modelling.errors import FetchError, InputError, Unreachable
from modelling.wording import plural

if TYPE_CHECKING:
    from puzzles.sets.catalogue import Listing


WAYS = {"full": "F", "half": "H", "root": "R", "rewritten": "+", "refused": "-"}
"""How a cell of `concord constraints` shows what a backend does."""

NAMES = {"constraint": "constraint", "XCSP3": "xcsp3", "MiniZinc": "minizinc"}
"""The columns of names, by their heads; the last ones give way to backends."""

CELL = 3
"""Columns that a backend takes in the table: its number, or a sign, to the right."""

LEGEND = (
    "F, H, R: native. F also equivalent to a condition, H also implied by one.",
    "f, h, r: native or rewritten, as the instance is.  +: rewritten.  -: refused.",
)


@verb(
    "concord constraints",
    "concord constraints cpsat sat:reuse=solver",
    "concord constraints --json",
)
def constraints(
    names: list[str] | None = options.argument(
        None, "BACKEND", "Names of backends (default: all that are installed)."
    ),
    as_json: bool = options.JSON,
) -> int:
    """List the constraints, and what each backend does with them.

    A backend takes a constraint natively, or a rewrite of it, or refuses it.
    """
    from backends.coverage import coverage
    from backends.interface import registry
    from harness.report.table_text import fill, to_text
    from modelling.vocabulary import VOCABULARY

    screen = Screen()
    chosen = names or [info.name for info in registry.infos() if info.installed]
    backends = {name: registry.get(name) for name in dict.fromkeys(chosen)}
    found = [
        {
            "constraint": kind.__name__,
            "xcsp3": kind.xcsp3,
            "minizinc": kind.minizinc,
            "backends": {name: coverage(b, kind)._asdict() for name, b in backends.items()},
        }
        for kind in VOCABULARY
    ]
    if as_json:
        return screen.json(found)
    for line in [*fill([f"{n}: {name}" for n, name in enumerate(backends, 1)], screen.width), ""]:
        screen.line(line)
    for line in LEGEND:
        screen.line(line)
    heads = _choose_names(found, len(backends), screen.width)
    if len(heads) < len(NAMES):
        screen.line(f"With --json also the names in {' and '.join(list(NAMES)[len(heads) :])}.")
    names = to_text([{head: one[NAMES[head]] for head in heads} for one in found]).splitlines()
    abreast = max(1, (screen.width - len(names[1])) // CELL)
    for first in range(0, len(backends), abreast):
        numbers = range(first, min(first + abreast, len(backends)))
        heading = ["".join(f"{n + 1:>{CELL}}" for n in numbers), "  -" * len(numbers)]
        signs = [_draw_signs(one)[first : first + abreast] for one in found]
        body = ["".join(f"{sign:>{CELL}}" for sign in row) for row in signs]
        screen.line("")
        for name, cells in zip(names, [*heading, *body], strict=True):
            screen.line(f"{name:{len(names[1])}}{cells}")
    return screen.status


def _choose_names(found: list[dict[str, Any]], backends: int, width: int) -> list[str]:
    """The columns of names that leave room for all backends; the first one in any case."""
    widths = [max(len(head), *(len(one[key]) for one in found)) for head, key in NAMES.items()]
    heads = list(NAMES)
    while len(heads) > 1 and sum(widths[: len(heads)]) + 2 * (len(heads) - 1) > (
        width - CELL * backends
    ):
        heads.pop()
    return heads


def _draw_signs(row: dict[str, Any]) -> list[str]:
    """What each backend does with a constraint, as one sign."""
    return [
        WAYS[one["way"]].lower() if one["guarded"] else WAYS[one["way"]]
        for one in row["backends"].values()
    ]


@verb("concord families", "concord families --json")
def families(as_json: bool = options.JSON) -> int:
    """List the puzzle families, with their numbers in CSPLib."""
    from puzzles.family import Ending
    from puzzles.family import families as list_families

    screen = Screen()
    found = [
        {
            "family": one.name,
            "csplib": getattr(one, "csplib", None),
            "about": one.about,
            "endings": list(one.endings) if isinstance(one, Ending) else [],
        }
        for one in list_families()
    ]
    if as_json:
        return screen.json(found)
    longest = max(len(str(one["family"])) for one in found)
    screen.line(f"{'family':{longest}}  CSPLib  about")
    for one in found:
        start = f"{one['family']:{longest}}  {one['csplib'] or '':>6}  "
        ends = f"; files end in {', '.join(one['endings'])}" if one["endings"] else ""
        screen.hang(start, f"{one['about']}{ends}")
    return screen.status


group = typer.Typer(
    name="sets",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog=format_examples("concord sets", "concord sets --json", "concord sets fetch --all"),
)
app.add_typer(group)

NAME = options.argument(..., "NAME", "Name of a set, as `concord sets` lists it.")


@group.callback()
def list_sets(context: typer.Context, as_json: bool = options.JSON) -> None:
    """List the puzzle sets; fetch public ones, add your own.

    Without a command it lists them. SET:small has the small puzzles of a set alone.
    """
    if context.invoked_subcommand is None or as_json:
        command = context.invoked_subcommand
        raise typer.Exit(status_of(partial(_list_sets, as_json, command)))


def _list_sets(as_json: bool, command: str | None) -> int:
    from harness.report.table_text import to_text
    from puzzles.sets.describing import describe_sets

    if command is not None:
        corrected = f"concord sets {command} ... --json"
        raise InputError(f"--json belongs after the command: {corrected}")
    screen, found = Screen(), describe_sets()
    if as_json:
        return screen.json(found)
    heads = {"set": "name", "state": "state", "puzzles": "number"}
    rows = [{head: one.get(key) or "" for head, key in heads.items()} for one in found]
    lines = to_text(rows).splitlines()
    abouts = [str(one.get("about") or f"{one['family']} puzzles") for one in found]
    abouts = ["about", "-----", *abouts]
    for line, about in zip(lines, abouts, strict=True):
        screen.hang(f"{line:{len(lines[1])}}  ", about)
    return screen.status


@verb("concord sets fetch sudoku17", "concord sets fetch --all", group=group)
def fetch(
    names: list[str] | None = options.argument(None, "NAME", "Names of sets of the catalogue."),
    everything: bool = options.flag("--all", "Fetch every set that can be fetched."),
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Fetch public sets onto this machine.

    Afterwards every verb takes them by name. A fetch that was interrupted continues where it
    stopped. A set that is on this machine is not fetched again.
    """
    from puzzles.sets.describing import describe_listing
    from puzzles.sets.fetch import fetch as fetch_set

    screen = Screen(quiet)
    listings = _choose_listings(names or [], everything, screen)
    done: list[Listing] = []
    failures: list[FetchError | InputError] = []
    try:
        with show_downloads(screen) as show:
            for listing in listings:
                try:
                    path = fetch_set(listing, show)
                except (FetchError, InputError) as error:
                    failures.append(error)
                    if isinstance(error, Unreachable):
                        break  # the others cannot be reached either
                else:
                    done.append(listing)
                    if not as_json:
                        screen.line(f"{listing.name}: {path}")
    except KeyboardInterrupt:
        left = " ".join(listing.name for listing in listings[len(done) + len(failures) :])
        screen.complain(f"interrupted; continue with: concord sets fetch {left}")
        return INTERRUPTED
    if as_json:
        screen.json([describe_listing(listing) for listing in done])
    return screen.report_faults(f"concord: {failure}" for failure in failures)


def _choose_listings(names: list[str], everything: bool, screen: Screen) -> list[Listing]:
    """The listings to fetch; a wrong name is an error before anything is fetched."""
    from puzzles.sets import read_catalogues, ships
    from puzzles.sets.describing import find_listing

    public = [listing for listing in read_catalogues().values() if listing.urls]
    if bool(names) == everything:
        known = ", ".join(listing.name for listing in public)
        raise InputError(f"name the sets to fetch, or --all (there are: {known})")
    if everything:
        return public
    for name in filter(ships, names):
        screen.note(f"{name} ships with Concord: there is nothing to fetch")
    return [find_listing(name) for name in dict.fromkeys(names) if not ships(name)]


@verb(
    "concord sets add puzzles.txt --name mine --about 'from the evening paper'",
    "concord sets add sums.txt --family py:my_family:Sums",
    "concord sets add --url https://example.org/a.gz --sha256 01...ef --name a",
    group=group,
)
def add(
    file: Path | None = options.argument(None, "FILE", "File of puzzles; it stays where it is."),
    name: str | None = options.value(None, "N", "Name of the set (default: the name of the file)."),
    about: str | None = options.value(None, "TEXT", "Description of the set, in one line."),
    family: str | None = options.value(None, "F", "Puzzle family of the lines."),
    url: list[str] | None = options.value(
        None, "U", "Address to fetch the set from, instead of FILE; may be given several times."
    ),
    sha256: str | None = options.value(None, "H", "SHA-256 of the file at --url."),
    size: int | None = options.value(
        None, "B", "Size in bytes of the file at --url.", "--bytes", min=1
    ),
    licence: str | None = options.value(None, "TEXT", "Licence of the file at --url, in one line."),
    as_json: bool = options.JSON,
) -> int:
    """Add your own file, or an address, as a set with a name.

    The file is not copied. If it changes later, using the set is an error until you add it again.
    """
    from puzzles.sets import adding
    from puzzles.sets.describing import describe_listing

    if (file is None) == (not url):
        raise InputError("name either a FILE, or an address to fetch the set from with --url")
    bad: list[object] = []
    if file is None:
        if sha256 is None:
            raise InputError(
                "--sha256 is missing: it says which bytes are meant (`sha256sum FILE` prints it)"
            )
        listing = adding.add_address(
            url or [], sha256, name, size=size, family=family, about=about, licence=licence
        )
        result = f"fetch it with: concord sets fetch {listing.name}"
    else:
        for named, given in (("--sha256", sha256), ("--bytes", size), ("--licence", licence)):
            if given is not None:
                raise InputError(f"{named} needs --url; for a FILE it is computed")
        listing, content = adding.add_file(file, name, family=family, about=about)
        result = plural(content.puzzles, "puzzle")
        bad += content.first_errors
        if content.bad > len(bad):
            bad.append(f"{content.bad} lines cannot be read; these are the first {len(bad)}")
    screen = Screen()
    if as_json:
        screen.json(describe_listing(listing))
    else:
        screen.line(f"{listing.name}: {result}")
    return screen.report_faults(bad)


@verb("concord sets remove mine", group=group)
def remove(name: str = NAME) -> int:
    """Remove a set that you added, or delete a fetched one.

    Your own file is not deleted.
    """
    from puzzles.sets import adding, cache, catalogue
    from puzzles.sets.describing import find_listing

    own = adding.remove(name)
    try:
        deleted = cache.forget(own or find_listing(name))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be deleted: {error.strerror}") from error
    if own is None and not deleted:
        raise InputError(f"{name!r} is not on this machine: there is nothing to delete")
    result = "the fetched file is deleted"
    if own is not None:
        kept = f"; {own.file} stays as it is" if own.file else f" from {catalogue.users_file()}"
        result = f"removed{kept}"
    return Screen().line(f"{name}: {result}")


@verb("concord sets show sudoku-hard", "concord sets show sudoku17 --json", group=group)
def show(name: str = NAME, as_json: bool = options.JSON) -> int:
    """Show all that is known about a set, and where it is."""
    from puzzles.sets.describing import describe_set

    screen, known = Screen(), describe_set(name)
    if as_json:
        return screen.json(known)
    width = max(10, *map(len, known)) + 2
    for key, fact in known.items():
        for item in fact if isinstance(fact, list | tuple) else [fact]:
            if item not in (None, ""):
                screen.hang(f"{key + ':':{width}}", str(item))
    return screen.status
