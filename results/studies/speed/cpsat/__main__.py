"""Measures what ``--only`` names, prints, and writes to ``--out``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from modelling.versions import find_version
from results.studies.runner import write_json, write_text
from results.studies.speed.cpsat.measuring import WORKERS, Cell, Workers, measure, measure_workers
from results.studies.speed.cpsat.parts import PARTS
from results.studies.speed.cpsat.report import report


@dataclass(frozen=True)
class Figures:
    """All that was measured."""

    repeats: int
    cells: Sequence[Cell]
    workers: Sequence[Workers]

    @property
    def text(self) -> str:
        return "\n".join(report(self.cells, self.workers)) + "\n"

    def save(self, folder: Path) -> None:
        """Write ``cpsat.json`` and ``cpsat.md``."""
        figures = {
            "repeats": self.repeats,
            "ortools": find_version("ortools"),
            "cells": self.cells,
            "workers": self.workers,
        }
        write_json(folder / "cpsat.json", figures, indent=1)
        write_text(folder / "cpsat.md", self.text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="CP-SAT's configurations")
    parser.add_argument("--only", action="append", metavar="PART")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    cells: list[Cell] = []
    workers: list[Workers] = []
    for part in PARTS:
        if not chosen.only or part.name in chosen.only:
            for ask in part.asks:
                cell = measure(part, ask, chosen.repeat)
                cells.append(cell)
                best = f"{cell.best} ({cell.best_ms:.2f} ms)"
                print(f"{part.name}, {ask}: {cell.concord:.2f} x {best}", flush=True)
            if chosen.out is not None:  # what is measured so far, should the rest not come
                Figures(chosen.repeat, cells, workers).save(chosen.out)
    if not chosen.only or "workers" in chosen.only:
        workers = [measure_workers(part, ask, chosen.repeat) for part, ask in WORKERS]
    figures = Figures(chosen.repeat, cells, workers)
    if chosen.out is None:
        print(figures.text)
    else:
        figures.save(chosen.out)


if __name__ == "__main__":
    main()
