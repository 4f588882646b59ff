"""Runs the cases in both checkouts by turns, and writes the ratios."""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import fmean, median

import msgspec

from harness.machine import this_machine
from results.studies.markdown import join_page, list_table

MEASURED = Path(__file__).with_name("measured.py")
CASES = (
    *("quickstart", "families", "counting", "kernel", "ladder"),
    *("dispatch", "calls", "direct", "batch", "ruler"),
)

Item = tuple[str, str]
"""A row and one item of it."""

Times = Mapping[Item, Sequence[float]]
"""Seconds of each item, as often as it was measured: once a round and case that has it."""


@dataclass(frozen=True)
class Ratio:
    """Throughput of this checkout over the other's, of one row."""

    row: str
    items: int
    this_ms: float
    other_ms: float
    ratio: float
    least: float
    greatest: float


def measure(python: Path, folder: Path, case: str) -> list[tuple[str, str, float]]:
    """One case once, in a process of its own in the checkout at ``folder``."""
    done = subprocess.run(
        [str(python), "-P", str(MEASURED), case],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{case} in {folder}: exit status {done.returncode}\n{done.stderr}")
    return [(row, item, seconds) for row, item, seconds in json.loads(done.stdout)]


def compare(
    this: tuple[Path, Path], other: tuple[Path, Path], cases: Iterable[str], rounds: int
) -> tuple[Times, Times]:
    """Times of both checkouts; each is its interpreter and its folder."""
    times: tuple[defaultdict[Item, list[float]], ...] = (defaultdict(list), defaultdict(list))
    for turn in range(rounds):
        for case in cases:
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                print(f"round {turn + 1} of {rounds}: {case}", file=sys.stderr)
                for row, item, seconds in measure(*(this, other)[which], case):
                    times[which][row, item].append(seconds)
    return times[0], times[1]


def find_ratios(this: Times, other: Times) -> list[Ratio]:
    """One for each row that both have, over the items that both have as often as any of the row."""
    times: defaultdict[str, int] = defaultdict(int)
    for (row, _), seconds in this.items():
        times[row] = max(times[row], len(seconds))
    items: defaultdict[str, list[Item]] = defaultdict(list)
    for item, seconds in this.items():
        if len(seconds) == len(other.get(item, ())) == times[item[0]]:
            items[item[0]].append(item)
    return [_ratio(row, of, this, other, times[row]) for row, of in items.items()]


def _ratio(row: str, items: Sequence[Item], this: Times, other: Times, rounds: int) -> Ratio:
    def over(pick: int | None) -> float:
        return exp(fmean(log(_one(other[i], pick) / _one(this[i], pick)) for i in items))

    single = [over(turn) for turn in range(rounds)]
    return Ratio(
        row,
        len(items),
        1e3 * median(median(this[item]) for item in items),
        1e3 * median(median(other[item]) for item in items),
        over(None),
        min(single),
        max(single),
    )


def _one(seconds: Sequence[float], turn: int | None) -> float:
    """A round's time, or the median; the clock resolves a tenth of a microsecond."""
    return max(median(seconds) if turn is None else seconds[turn], 1e-7)


def write(folder: Path, this: Times, other: Times, ratios: Sequence[Ratio]) -> None:
    """The files that the head of the package names."""
    folder.mkdir(parents=True, exist_ok=True)
    raw = [[*item, this[item], other.get(item, [])] for item in this]
    machine = msgspec.to_builtins(this_machine())
    with gzip.open(folder / "times.json.gz", "wt", encoding="utf-8") as file:
        json.dump({"machine": machine, "times": raw}, file)
    with (folder / "ratios.csv").open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(Ratio.__dataclass_fields__)
        writer.writerows(
            [r.row, r.items, *(f"{x:.4g}" for x in (r.this_ms, r.other_ms))]
            + [f"{x:.3f}" for x in (r.ratio, r.least, r.greatest)]
            for r in ratios
        )
    (folder / "ratios.md").write_text(as_markdown(ratios), encoding="utf-8")


def as_markdown(ratios: Sequence[Ratio]) -> str:
    rows = (
        f"{r.row} | {r.items} | {r.this_ms:.4g} | {r.other_ms:.4g} | {r.ratio:.2f} "
        f"| {r.least:.2f} to {r.greatest:.2f}"
        for r in ratios
    )
    heads = "row | items | this, ms | other, ms | throughput, this / other | single rounds"
    return join_page(list_table(heads, rows))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="this Concord beside another checkout of it")
    parser.add_argument("other", type=Path)
    parser.add_argument("--python", type=Path, help="of the other checkout")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", choices=CASES)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    other = chosen.other.absolute()
    pythons = (Path(sys.executable), chosen.python or other / ".venv" / "bin" / "python")
    times = compare(
        (pythons[0], Path(__file__).parents[4]),
        (pythons[1].absolute(), other),
        chosen.only or CASES,
        chosen.rounds,
    )
    ratios = find_ratios(*times)
    if chosen.out is not None:
        write(chosen.out, *times, ratios)
    sys.stdout.write(as_markdown(ratios))


if __name__ == "__main__":
    main()
