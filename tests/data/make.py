"""Makes the samples of this folder again, bit for bit: ``python tests/data/make.py FOLDER``.

Most are what ``concord generate`` makes with the seeds below. The puzzles of the posts come in with
their sources, and with disguises drawn from a seed. README.md says what each file is for.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from subprocess import PIPE

import numpy as np

from puzzles.random_stream import Streams
from puzzles.sudoku import SUDOKU, sudoku_layout
from puzzles.sudoku.symmetries import draw_images

NINE = sudoku_layout(9)

FEW = (
    ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
    ".......12.5.4............3.7..6..4....1..........8....92....8.....51.7.......3...",
)
"""17 givens: "Fast Sudoku Solver in Haskell #3: Picking the Right Data Structures"."""

TWELVE = "...456789679813245548927136...594678857361492964782513...648957796135824485279361"
"""12 solutions: "Sudoku Solver and Generator", where it is solved for two of them."""

CLASHING = "5.3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
"""The puzzle of the same post with one given more, which is wrong, and which no given contradicts:
its first cell holds 4."""

HARDEST = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""A. Inkala's of 2012, known from newspapers: needs guesses inside guesses."""

SEVERAL = {2: 6, 3: 4, 5: 4, 12: 4, 37: 3, 100: 3, 250: 2}
"""Solutions: how many puzzles."""


def generated(*arguments: str) -> list[str]:
    """The puzzles that ``concord generate sudoku`` writes."""
    command = [
        sys.executable,
        "-m",
        "harness.cli.entry",
        "generate",
        "sudoku",
        "--quiet",
        *arguments,
    ]
    lines = subprocess.run(command, check=True, stdout=PIPE, text=True).stdout.splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


def disguised(texts: Iterable[str], copies: int, seed: int) -> list[str]:
    """Images of each puzzle under symmetries of Sudoku drawn with the seed."""
    found = []
    for number, text in enumerate(texts):
        grid = np.array([list(SUDOKU.parse(text)[1])], np.uint8)
        items = range(number * copies, (number + 1) * copies)
        images = draw_images(NINE, Streams(seed, items), grid)
        found += ["".join(map(str, image)).replace("0", ".") for image in images.tolist()]
    return found


def several() -> Iterator[str]:
    """With the number of solutions after each."""
    for text in (TWELVE, *disguised([TWELVE], 5, 107)):
        yield f"{text}  # 12 solutions"
    for solutions, number in SEVERAL.items():
        made = generated("-n", str(number), "--seed", "104", "--solutions", str(solutions))
        yield from (f"{text}  # {solutions} solutions" for text in made)


def files() -> Iterator[tuple[str, list[str]]]:
    """Name and lines of each."""
    yield "easy.txt", generated("-n", "60", "--seed", "101", "--clues", "36")
    yield "minimal.txt", generated("-n", "200", "--seed", "102")
    yield "few-clues.txt", [*FEW, *disguised(FEW, 19, 106)]
    yield "hardest.txt", [HARDEST, *disguised([HARDEST], 19, 108)]
    yield "several.txt", list(several())
    yield "none.txt", [*generated("-n", "59", "--seed", "103", "--unsatisfiable"), CLASHING]


def main() -> None:
    """Writes every file into the folder that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/data/make.py FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in files():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
