"""Faults that are planted in our own backends, hunted with guidance and at random.

    python -m results.studies.mutation.planted [--seconds S] [--draw N] [--seed N]... [--first N]
                                               [--number N] [--backend B]... [--way WAY]

Each mutant (``faults``) is hunted as ``concord fuzz`` hunts a backend, in both ways and with the
same seeds, until the first finding or for S seconds of the processor (``planting``). A hunt that is
known is not repeated, but one without a finding is, if it may take longer now. So short limits come
first, and longer ones are for what they leave. A mutant that no answer can show is judged so by
hand, in ``judged.toml``.

``planted.json`` in ``--out`` has a row for each hunt, ``planted.md`` the table. It compares the
mutants that were hunted in both ways within the same limit; a hunt without a finding counts with
its limit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

import msgspec

from results.studies.markdown import join_page, list_table
from results.studies.mutation.planted.faults import (
    FIELDS,
    Planted,
    draw_planted,
    find_reason,
    read_judged,
)
from results.studies.mutation.planted.planting import hunt_planted, preload
from results.studies.runner import Known, Options, Study, option

WAYS = ("guided", "random")


class Hunt(msgspec.Struct):
    """One hunt: of a mutant, or (without a name) of the backend as it is."""

    mutant: str
    backend: str
    file: str
    line: int
    text: str
    change: str
    seed: int
    way: str
    limit: float
    cause: str
    seconds: float
    rounds: int
    comparisons: int

    @property
    def is_found(self) -> bool:
        """Whether there was a finding."""
        return bool(self.cause)

    @property
    def charged(self) -> float:
        """Seconds until the finding; without one, those that it might take."""
        return self.seconds if self.is_found else self.limit


def measure(chosen: Options, known: Known) -> Iterator[Hunt]:
    """A row for each hunt that is missing."""
    preload()
    every = draw_planted(chosen.draw)[chosen.first : chosen.first + chosen.number]
    ways = [chosen.way] if chosen.way else WAYS
    for planted in every:
        if find_reason(planted.mutant) or (
            chosen.backend and planted.backend not in chosen.backend
        ):
            continue
        for seed in chosen.seed or [1]:
            for way in ways:
                if not _is_known(planted, seed, way, chosen.seconds, known):
                    yield _hunt(planted, seed, way, chosen.seconds)


def _is_known(planted: Planted, seed: int, way: str, limit: float, known: Known) -> bool:
    """Whether it was found, or hunted for as long without a finding."""
    name = planted.mutant.name
    return any((name, seed, way, before) in known for before in (0.0, limit))


def find_key(hunt: Hunt) -> tuple[str, int, str, float]:
    """What was hunted and how; the limit only where it was reached."""
    return hunt.mutant, hunt.seed, hunt.way, 0.0 if hunt.is_found else hunt.limit


def _hunt(planted: Planted, seed: int, way: str, limit: float) -> Hunt:
    mutant = planted.mutant
    found = hunt_planted(planted, planted.backend, seed, limit, is_guided=way == "guided")
    return Hunt(
        mutant=mutant.name,
        backend=planted.backend,
        file=mutant.file,
        line=mutant.line,
        text=mutant.text,
        change=mutant.change,
        seed=seed,
        way=way,
        limit=limit,
        cause=found.cause,
        seconds=found.seconds,
        rounds=found.rounds,
        comparisons=found.comparisons,
    )


def order(rows: Iterable[Hunt]) -> list[Hunt]:
    """The last hunt of each mutant, seed and way: the one with a finding, or the longest."""
    last: dict[tuple[str, int, str], Hunt] = {}
    for row in rows:
        key = row.mutant, row.seed, row.way
        before = last.get(key)
        if before is None or (row.is_found, row.limit) > (before.is_found, before.limit):
            last[key] = row
    return list(last.values())


def describe(hunt: Hunt) -> str:
    """A line for a hunt."""
    found = hunt.cause[:60] or f"nothing in {hunt.limit:g} s"
    place = f"{hunt.file}:{hunt.line} {hunt.change}"
    return f"{hunt.seconds:7.2f} s {hunt.way:6} {hunt.backend:10} {place}: {found}"


# --- the table -----------------------------------------------------------------------------------


Pair = tuple[Hunt, Hunt]
"""The two hunts of a mutant with a seed, guided and random."""


def pair_up(rows: Sequence[Hunt], at_most: float) -> list[Pair]:
    """Those of what may be shown, cut at a common limit."""
    judged = read_judged()
    found: dict[tuple[str, int], dict[str, Hunt]] = {}
    for row in rows:
        if (row.file, row.text, row.change) not in judged:
            found.setdefault((row.mutant, row.seed), {})[row.way] = _cut(row, at_most)
    return [(both["guided"], both["random"]) for both in found.values() if len(both) == len(WAYS)]


def any_found(pair: Pair) -> bool:
    """Whether one of the two has found the fault; else neither says anything about the other."""
    return pair[0].is_found or pair[1].is_found


def _cut(row: Hunt, limit: float) -> Hunt:
    """The hunt as it would have been with a lower limit."""
    if row.charged <= limit:
        return row
    return msgspec.structs.replace(row, cause="", seconds=limit, limit=limit)


def report(rows: Sequence[Hunt], chosen: Options) -> str:
    """Return the table."""
    pairs = pair_up(rows, chosen.seconds)
    table = [
        _list_cells(field.backend, [pair for pair in pairs if pair[0].backend == field.backend])
        for field in FIELDS
    ]
    hunted = {row.mutant: row for row in rows}
    caught = {row.mutant for row in rows if row.is_found}
    left = [row for name, row in hunted.items() if name not in caught]
    judged = read_judged()
    equivalent = [one.mutant for one in draw_planted(chosen.draw) if find_reason(one.mutant)]
    valid = [row for row in left if (row.file, row.text, row.change) not in judged]
    return join_page(
        "# Faults planted in our own backends",
        f"Made by `{chosen.command}`. Seconds are those of the processor until the first finding, "
        f"cut at {chosen.seconds:g}; the ratio is that of the sums, guided to random.",
        list_table(
            "backend | hunts: | found, guided: | found, random: | seconds, guided: | "
            "seconds, random: | ratio: | median ratio:",
            [
                *filter(None, table),
                _list_cells("all", pairs),
                _list_cells("found in a way or both", [p for p in pairs if any_found(p)]),
            ],
        ),
        f"{len(hunted)} of {sum(field.number for field in FIELDS)} mutants were hunted yet: "
        f"{len(caught)} were found in some hunt, {len(valid)} were not, and an answer may show "
        f"them; {len(equivalent)} of those drawn are judged equivalent.",
        "## Not found yet",
        [f"- `{r.file}`, `{r.text}`, {r.change}: {r.limit:g} s" for r in valid] or ["None."],
        "## Equivalent",
        [f"- `{m.file}`, `{m.text}`, {m.change}: {find_reason(m)}" for m in equivalent]
        or ["None."],
    )


def _list_cells(name: str, pairs: Sequence[Pair]) -> str:
    if not pairs:
        return ""
    guided, random = zip(*pairs, strict=True)
    sums = [sum(hunt.charged for hunt in hunts) for hunts in (guided, random)]
    ratios = [(one.charged + 0.01) / (other.charged + 0.01) for one, other in pairs]
    cells = (
        *(name, len(pairs), sum(h.is_found for h in guided), sum(h.is_found for h in random)),
        *(f"{sums[0]:.1f}", f"{sums[1]:.1f}", f"{sums[0] / sums[1]:.2f}"),
        f"{median(ratios):.2f}",
    )
    return " | ".join(map(str, cells))


STUDY = Study(
    "mutation.planted",
    __doc__,
    Hunt,
    key=find_key,
    keeps=True,
    resumes=True,
    measure=measure,
    report=report,
    order=order,
    describe=describe,
    options=(
        option("--seconds", 10.0, "seconds of the processor for each hunt", metavar="S"),
        option("--draw", 1, "seed of the mutants", metavar="N"),
        option("--seed", [], "seed of the hunts (default: 1)", type=int, metavar="N"),
        option("--first", 0, "leave out the mutants before this one", metavar="N"),
        option("--number", 200, "how many mutants", metavar="N"),
        option("--backend", [], "mutants of these backends alone", metavar="B"),
        option("--way", None, "hunt in one way alone", choices=WAYS),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
