"""The study as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import geometric_mean

from results.studies.speed.cpsat.configurations import ASKS, CONFIGURATIONS, LIMIT
from results.studies.speed.cpsat.measuring import Cell, Workers
from results.studies.speed.cpsat.parts import PARTS

ASKED = 1.15
"""What Concord's time in proportion to the best should be for each ask, as a mean over parts."""


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
