"""`concord sets`: what there is to run on; public sets are fetched, your own are added."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.command import (
    FINE,
    INTERRUPTED,
    TROUBLE,
    Json,
    Quiet,
    app,
    examples_text,
    report_bad_lines,
    status_of,
    verb,
    write_json,
)
from modelling.errors import InputError

if TYPE_CHECKING:
    from puzzles.sets import PuzzleSet
    from puzzles.sets.catalogue import Entry

group = typer.Typer(
    name="sets",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog=examples_text(["concord sets", "concord sets --json", "concord sets fetch --all"]),
)
app.add_typer(group)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of a set, as `concord sets` lists it.")
]


@group.callback()
def list_sets(context: typer.Context, as_json: Json = False) -> None:
    """List the puzzle sets; fetch public ones, add your own.

    Without a command it lists them.
    """
    if context.invoked_subcommand is None:
        raise typer.Exit(status_of(partial(_list, as_json)))
    if as_json:
        corrected = f"concord sets {context.invoked_subcommand} ... --json"
        raise typer.Exit(
            status_of(partial(_refuse, f"--json belongs after the command: {corrected}"))
        )


def _refuse(cause: str) -> int:
    raise InputError(cause)


def _list(as_json: bool) -> int:
    from puzzles.sets import listed, sets

    found = [_of_shipped(one) for one in sets()]
    found += [_of_listed(entry) for entry in sorted(listed().values(), key=lambda one: one.name)]
    if as_json:
        return write_json(found)
    import pandas as pd

    from harness.cli.screen import Screen

    columns = {"name": "set", "state": "state", "family": "family", "number": "puzzles"}
    columns["about"] = "about"
    screen = Screen()
    rows = [{shown: fact.get(key) or "" for key, shown in columns.items()} for fact in found]
    screen.table(pd.DataFrame(rows))
    return FINE


@verb("concord sets fetch 17clue", "concord sets fetch --all", group=group)
def fetch(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Names of sets of the catalogue."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Fetch every set that can be fetched.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Fetch public sets onto this machine.

    Afterwards every verb takes them by name. A fetch that was interrupted continues where it
    stopped. A set that is on this machine is not fetched again.
    """
    from harness.cli.bars import show_downloads
    from harness.cli.screen import Screen
    from modelling.errors import FetchError, Unreachable
    from puzzles.sets.fetch import fetch as fetched

    screen = Screen(quiet)
    entries = _wanted(names or [], everything, screen)
    done: list[dict[str, Any]] = []
    failures: list[str] = []
    try:
        with show_downloads(screen) as show:
            for entry in entries:
                try:
                    path = fetched(entry, show)
                except Unreachable as error:
                    failures.append(str(error))
                    break  # the others cannot be reached either
                except (FetchError, InputError) as error:
                    failures.append(str(error))
                    continue
                done.append(_of_listed(entry))
                if not as_json:
                    screen.line(f"{entry.name}: {path}")
    except KeyboardInterrupt:
        left = " ".join(entry.name for entry in entries[len(done) + len(failures) :])
        screen.complain(f"interrupted; continue with: concord sets fetch {left}")
        return INTERRUPTED
    if as_json:
        write_json(done)
    for failure in failures:
        screen.complain(f"concord: {failure}")
    return TROUBLE if failures else FINE


@verb(
    "concord sets add puzzles.txt --name mine --about 'from the evening paper'",
    "concord sets add sums.txt --family py:my_family:Sums",
    "concord sets add --url https://example.org/a.txt.gz --sha256 0123...cdef --name a",
    group=group,
)
def add(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="File of puzzles; it stays where it is.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(metavar="N", help="Name of the set (default: the name of the file)."),
    ] = None,
    about: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Description of the set, in one line.")
    ] = None,
    family: Annotated[
        str | None, typer.Option(metavar="F", help="Puzzle family of the lines.")
    ] = None,
    url: Annotated[
        list[str] | None,
        typer.Option(
            metavar="U",
            help="Address to fetch the set from, instead of FILE; may be given several times.",
        ),
    ] = None,
    sha256: Annotated[
        str | None, typer.Option(metavar="H", help="SHA-256 of the file at --url.")
    ] = None,
    size: Annotated[
        int | None,
        typer.Option("--bytes", min=1, metavar="B", help="Size in bytes of the file at --url."),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Licence of the file at --url, in one line."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Add your own file, or an address, as a set with a name.

    The file is not copied. If it changes later, using the set is an error until you add it again.
    """
    from puzzles.sets import adding

    if (file is None) == (not url):
        raise InputError("name either a FILE, or an address to fetch the set from with --url")
    screen_lines: list[str] = []
    bad: list[Any] = []
    if url:
        if sha256 is None:
            raise InputError(
                "--sha256 is missing: it says which bytes are meant (`sha256sum FILE` prints it)"
            )
        facts = {"size": size, "family": family, "about": about, "licence": licence}
        entry = adding.add_address(url, sha256, name, **facts)  # type: ignore[arg-type]
        screen_lines.append(f"{entry.name}: fetch it with: concord sets fetch {entry.name}")
    else:
        assert file is not None
        for option, value in (("--sha256", sha256), ("--bytes", size), ("--licence", licence)):
            if value is not None:
                raise InputError(f"{option} needs --url; for a FILE it is computed")
        from harness.wording import plural

        entry, content = adding.add_file(file, name, family=family, about=about)
        screen_lines.append(f"{entry.name}: {plural(content.puzzles, 'puzzle')}")
        bad = [*content.told]
        if content.bad > len(bad):
            bad.append(f"{content.bad} lines cannot be read; these are the first {len(bad)}")
    if as_json:
        write_json(_of_listed(entry))
    from harness.cli.screen import Screen

    screen = Screen()
    for line in [] if as_json else screen_lines:
        screen.line(line)
    return report_bad_lines(screen, bad)


@verb("concord sets remove mine", group=group)
def remove(name: Name) -> int:
    """Remove a set that you added, or delete a fetched one.

    Your own file is not deleted.
    """
    from harness.cli.screen import Screen
    from puzzles.sets import adding, cache, catalogue

    own = adding.remove(name)
    entry = own or _entry(name)
    try:
        deleted = cache.forget(entry)
    except OSError as error:
        raise InputError(f"{error.filename} cannot be deleted: {error.strerror}") from error
    if own is None and not deleted:
        raise InputError(f"{name!r} is not on this machine: there is nothing to delete")
    if own is not None and own.file is not None:
        said = f"removed; {own.file} stays as it is"
    elif own is not None:
        said = f"removed from {catalogue.users_file()}"
    else:
        said = "the fetched file is deleted"
    Screen().line(f"{name}: {said}")
    return FINE


@verb("concord sets show sudoku-hard", "concord sets show 17clue --json", group=group)
def show(name: Name, as_json: Json = False) -> int:
    """Show all that is known about a set, and where it is."""
    from harness.cli.screen import Screen
    from puzzles.sets import sets

    shipped = next((one for one in sets() if one.name == name), None)
    facts = _of_listed(_entry(name)) if shipped is None else _of_shipped(shipped)
    if as_json:
        return write_json(facts)
    screen = Screen()
    width = max(10, *map(len, facts)) + 2
    for key, value in facts.items():
        for item in value if isinstance(value, list | tuple) else [value]:
            if item not in (None, ""):
                screen.line(f"{key + ':':{width}}{item}")
    return FINE


# --- what is told about a set --------------------------------------------------------------------


def _of_shipped(one: PuzzleSet) -> dict[str, Any]:
    from importlib import resources

    from puzzles.sets import facts

    told = {
        "name": one.name,
        "state": "ships",
        "family": one.family,
        "number": one.number,
        "about": one.about,
        "members": list(one.members),
        "path": str(resources.files("puzzles.sets") / f"{one.name}.txt"),
    }
    return told | {k: v for k, v in facts(one.name).items() if k not in (*told, "sets", "puzzles")}


def _of_listed(entry: Entry) -> dict[str, Any]:
    from puzzles.sets import cache

    return {
        "name": entry.name,
        "state": _state(entry),
        "family": entry.family,
        "number": entry.puzzles,
        "about": entry.about,
        "members": [],
        "path": str(cache.path_of(entry)),
        "bytes": entry.bytes,
        "sha256": entry.sha256,
        "licence": entry.licence,
        "url": list(entry.urls),
        "catalogue": str(entry.catalogue),
    }


def _state(entry: Entry) -> str:
    from puzzles.sets import cache

    try:
        found = cache.state(entry)
    except InputError:
        return "unreadable"
    if entry.file is not None:
        return {"ready": "added", "absent": "gone", "damaged": "changed"}[found]
    return {"ready": "fetched", "absent": "to fetch", "damaged": "damaged"}[found]


def _entry(name: str) -> Entry:
    """The entry of a set that does not ship."""
    from modelling.nearest import did_you_mean
    from puzzles.sets import listed, sets

    entries = listed()
    if name in entries:
        return entries[name]
    shipped = [one.name for one in sets()]
    if name in shipped:
        raise InputError(f"{name!r} ships with Concord: it is always there")
    hint = did_you_mean(name, [*shipped, *entries])
    raise InputError(f"no set is called {name!r}{hint} (see `concord sets`)")


def _wanted(names: list[str], everything: bool, screen: Any) -> list[Entry]:
    """The entries to fetch; a wrong name is an error before anything is fetched."""
    from puzzles.sets import listed, sets

    if bool(names) == everything:
        known = ", ".join(name for name, entry in listed().items() if entry.urls)
        raise InputError(f"name the sets to fetch, or --all (there are: {known})")
    if everything:
        return [entry for entry in listed().values() if entry.urls]
    shipped = {one.name for one in sets()}
    for name in names:
        if name in shipped:
            screen.note(f"{name} ships with Concord: there is nothing to fetch")
    return [_entry(name) for name in dict.fromkeys(names) if name not in shipped]
