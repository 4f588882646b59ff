"""See the package: make the sets that ship again, or check them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from harness.cli.bars import LINE_SECONDS
from harness.cli.command import FINE, TROUBLE, status_of
from results.studies.puzzles.set_making.making import Progress, puzzles_of
from results.studies.puzzles.set_making.recipes import RECIPES, Recipe
from results.studies.puzzles.set_making.writing import text_of

FOLDER = Path("puzzles") / "sets"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make or check the sets that are named; without names all of them."""
    recipes = {recipe.name: recipe for recipe in RECIPES}
    parser = argparse.ArgumentParser(
        prog="python -m results.studies.puzzles.set_making", description=__doc__
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(recipes)}")
    parser.add_argument("--check", action="store_true", help="compare with what ships, only")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help=f"else {FOLDER}")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in recipes]
    if unknown:
        parser.error(f"no recipe is called {unknown[0]!r} (there are: {', '.join(recipes)})")
    wanted = [recipes[name] for name in chosen.names] or list(RECIPES)
    return max(_carry_out(recipe, chosen.out, chosen.check) for recipe in wanted)


def _carry_out(recipe: Recipe, folder: Path, check_only: bool) -> int:
    began = perf_counter()
    text = text_of(recipe, puzzles_of(recipe, _make_progress(recipe.name)))
    path = folder / f"{recipe.name}.txt"
    same = path.exists() and path.read_text(encoding="utf-8") == text
    if not check_only:
        path.write_text(text, encoding="utf-8", newline="\n")
    verdict = "as it was" if same else "different" if check_only else "written"
    print(f"{path}: {verdict} ({perf_counter() - began:.0f} s)", flush=True)
    return TROUBLE if check_only and not same else FINE


def _make_progress(name: str) -> Progress:
    """Progress as a line on standard error now and then."""
    last = perf_counter()

    def tell(done: int, of: int) -> None:
        nonlocal last
        if perf_counter() - last >= LINE_SECONDS:
            last = perf_counter()
            print(f"{name}: {done} of {of}", file=sys.stderr)

    return tell


if __name__ == "__main__":
    sys.exit(status_of(main))
