"""`concord backends`: what there is to run, what one command would add, and the details of one.

What an extra brings is read from the metadata of the installed Concord, and which backend needs
what from the registry, so that neither is listed anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen

if TYPE_CHECKING:
    from backends.interface.registry import Info
    from backends.interface.shipped import ShippedBackend

FOR_DEVELOPERS = "dev"
"""The extra that brings everything. Users do not choose it."""


@verb("concord backends", "concord backends choco sat:kissat", "concord backends --json")
def backends(
    names: list[str] | None = options.argument(None, "BACKEND", "Backends to show in full."),
    as_json: bool = options.JSON,
) -> int:
    """List the solvers, and what to install for missing ones.

    With names, options included: what each takes natively, its options, and whose agreement with it
    proves little.
    """
    from backends.interface import registry

    screen = Screen()
    if names:
        chosen = [registry.info(name) for name in dict.fromkeys(names)]
        if as_json:
            return screen.json(list(map(_describe, chosen)))
        for one in chosen:
            _show_details(screen, one)
        return screen.status
    if as_json:
        return screen.json(list(map(_describe, registry.infos())))
    _show_table(screen, list(registry.summaries()))
    return screen.status


def _describe(info: Info) -> dict[str, Any]:
    from backends.interface.registry import known_family

    return asdict(info) | {"family": known_family(info.name), "extras": _extras_with(info.name)}


# --- the table -----------------------------------------------------------------------------------


def _show_table(screen: Screen, found: list[Info]) -> None:
    from backends.interface.shipped import PROGRAMS

    heads = ("backend", "release", "what it is, or what to install")
    rows = [(info.name, _release(info), _about(info)) for info in found]
    names, releases = [row[0] for row in (heads, *rows)], [row[1] for row in (heads, *rows)]
    widths = max(map(len, names)), max(map(len, releases))
    for name, release, about in (heads, *rows):
        screen.hang(f"{name:{widths[0]}}  {release:{widths[1]}}  ", about)
    groups = {
        extra: brought for extra, brought in read_extras().items() if is_group(extra, brought)
    }
    if groups:
        screen.line("")
        screen.line("Groups, pip install 'solver-concord[GROUP]':")
        width = max(map(len, groups)) + 2
        for extra, brought in groups.items():
            screen.hang(f"  {extra:{width}}", ", ".join(brought))
    related = list(_list_related([info.name for info in found]))
    if related:
        screen.line("")
        screen.line("One witness, whose agreement counts once:")
        for line in related:
            screen.hang("  ", line)
    screen.line("")
    screen.hang(
        "",
        f"{PROGRAMS.name}:FORMAT:PROGRAM is {PROGRAMS.about}, py:MODULE:ATTRIBUTE an "
        "object of your own. More on one: concord backends NAME",
    )


def _release(info: Info) -> str:
    return info.version if info.installed else "missing"


def _about(info: Info) -> str:
    """What it is; of a missing one, what to do."""
    if not info.installed:
        return info.hint.rpartition(": ")[2] or info.hint
    return f"{info.about} (here: {', '.join(info.solvers)})" if info.solvers else info.about


def _list_related(names: Iterable[str]) -> Iterator[str]:
    """Backends that share a part which is more than their name."""
    from backends.interface.evidence.families import describe_part, parts_of
    from backends.interface.registry import known_family

    sharing: dict[str, list[str]] = {}
    for name in names:
        for part in parts_of(known_family(name) or ""):
            sharing.setdefault(part, []).append(name)
    for part, those in sorted(sharing.items()):
        if part and len(those) > 1:
            yield f"{', '.join(those)}: {describe_part(part)}"


# --- one backend ---------------------------------------------------------------------------------


def _show_details(screen: Screen, info: Info) -> None:
    from backends.interface.evidence.families import describe_part
    from backends.interface.registry import find_kind, known_family
    from backends.interface.shipped import KINDS
    from harness.report.table_text import wrap

    kind = find_kind(info.name)
    version = f" {info.version}" if info.version else ""
    state = version if info.installed else ", not installed"
    family = known_family(info.name)
    parts = [describe_part(part) for part in family.split("+")] if family else []
    extras = _extras_with(info.name)
    facts = [
        f"{info.name}{state}: {info.about}",
        kind and f"kind: {kind}, {KINDS[kind]}",
        info.native and f"constraints: {', '.join(info.native)}",
        info.options and f"options, by default: {' '.join(info.options)}",
        info.solvers and f"solvers that are here: {', '.join(info.solvers)}",
        parts and f"rests on: {'; '.join(parts)}",
        extras and f"extras that bring it: {', '.join(extras)}",
        info.hint,
    ]
    for fact in filter(None, facts):
        for line in wrap(str(fact), screen.width - 2, "  "):
            screen.line(line if fact is facts[0] else f"  {line}")


# --- extras --------------------------------------------------------------------------------------


def read_extras(requirements: Iterable[str] | None = None) -> Mapping[str, tuple[str, ...]]:
    """The backends that each extra brings, by the metadata of the installed Concord.

    An extra names distributions, or other extras of Concord; both are in requirements such as
    ``pychoco>=0.4; extra == "choco"``.
    """
    from backends.interface.shipped import SHIPPED
    from modelling.versions import read_requirements

    needs: dict[str, set[str]] = {}
    for requirement in read_requirements() if requirements is None else requirements:
        extra = re.search(r"""extra\s*==\s*['"]([\w.-]+)['"]""", requirement)
        wanted = re.match(r"\s*([\w.-]+)\s*(?:\[([^\]]*)\])?", requirement)
        if extra and wanted:
            inner = [f"[{one.strip()}]" for one in (wanted[2] or "").split(",")]
            own = normal(wanted[1]) == "solver-concord"
            needs.setdefault(extra[1], set()).update(inner if own else [normal(wanted[1])])
    return {
        extra: tuple(entry.name for entry in SHIPPED if _brings(extra, entry, needs))
        for extra in sorted(needs)
    }


def _brings(extra: str, entry: ShippedBackend, needs: Mapping[str, set[str]]) -> bool:
    below = needs.get(extra, set())
    if normal(entry.distribution) in below:
        return True
    inner = [one.strip("[]") for one in below if one.startswith("[")]
    return any(_brings(one, entry, needs) for one in inner if one != extra)


def is_group(extra: str, brought: tuple[str, ...]) -> bool:
    """Whether an extra is there to bring several backends, or one by another name than its own."""
    from backends.interface.shipped import SHIPPED

    asked = [(entry.name, re.findall(r"\[([\w-]+)\]", entry.install)) for entry in SHIPPED]
    own = {extra for name, hinted in asked if hinted for extra in (name, *hinted)}
    return bool(brought) and extra not in own | {FOR_DEVELOPERS}


def _extras_with(name: str) -> list[str]:
    from backends.interface.registry import split

    head = split(name)[0]
    return [
        extra
        for extra, brought in read_extras().items()
        if head in brought and extra != FOR_DEVELOPERS
    ]


def normal(distribution: str) -> str:
    """A distribution's name as the index compares it."""
    return re.sub(r"[-_.]+", "-", distribution).lower()
