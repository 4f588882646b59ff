"""Faults planted in our own backends, hunted by ``concord fuzz``'s rounds, guided and at random.

    python -m results.studies.planted [--seconds S] [--seed N] [--hunts N] [--number N] [--out DIR]

Each mutant (``faults``) is hunted with the same seeds in both ways, until the first finding or for
S CPU seconds. ``hunts.jsonl`` has a line for each hunt as soon as it has ended; one with a finding,
or with as much time as is asked for now, is not repeated. So short limits come first, and a study
that was stopped continues. ``planted.md`` is the report.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from results.studies.planted.faults import ROOT, Planted, draw_planted, why_equivalent
from results.studies.planted.planting import hunt_planted, preload

WAYS = ("guided", "random")


class Lines:
    """The hunts that are known, by mutant, seed and way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[tuple[str, int, str], dict[str, object]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._take(json.loads(line))

    def _take(self, found: dict[str, object]) -> None:
        self.known[str(found["mutant"]), int(str(found["seed"])), str(found["way"])] = found

    def add(self, found: dict[str, object]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
        self._take(found)

    def is_due(self, mutant: str, seed: int, way: str, limit: float) -> bool:
        known = self.known.get((mutant, seed, way))
        return known is None or not (known["cause"] or float(str(known["limit"])) >= limit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--draw", type=int, default=1)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--ways", nargs="+", default=list(WAYS))
    parser.add_argument("--backend", nargs="+")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--out", type=Path, default=ROOT / "results" / "reference" / "planted")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    lines = Lines(args.out / "hunts.jsonl")
    preload()
    every = draw_planted(args.draw)[: args.number]
    for planted in every:
        if args.backend and planted.backend not in args.backend:
            continue
        if why_equivalent(planted.mutant):
            continue
        for seed in args.seeds:
            for way in args.ways:
                if lines.is_due(planted.mutant.name, seed, way, args.seconds):
                    lines.add(_hunt(planted, seed, way, args.seconds))


def _hunt(planted: Planted, seed: int, way: str, limit: float) -> dict[str, object]:
    hunted = hunt_planted(planted, planted.backend, seed, limit, is_guided=way == "guided")
    mutant = planted.mutant
    print(
        f"{planted.backend:10} {way} {seed} {hunted.seconds:6.1f} s {hunted.rounds:5} rounds "
        f"{mutant.file}:{mutant.line} {mutant.change}: {hunted.cause[:60]!r}",
        file=sys.stderr,
        flush=True,
    )
    return {
        "mutant": mutant.name,
        "backend": planted.backend,
        "file": mutant.file,
        "line": mutant.line,
        "text": mutant.text,
        "change": mutant.change,
        "seed": seed,
        "way": way,
        "limit": limit,
        "cause": hunted.cause,
        "seconds": hunted.seconds,
        "rounds": hunted.rounds,
        "comparisons": hunted.comparisons,
    }


if __name__ == "__main__":
    main()
