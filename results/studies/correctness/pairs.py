"""Two backends in one process, in both orders: do their libraries bear each other?

    python -m results.studies.correctness.pairs [--only BACKEND]... [--load TEXT] [--out FOLDER]

For each ordered pair a new process loads the first and lets it solve, loads the second and lets it
solve, and asks the first again: six queens with all four solutions, and the shortest Golomb ruler
with four marks, of those who can. With ``--only`` the pairs that have one of these in them.

fine    all answers are right
apart   the registry does not load the second beside the first, and says why
broken  anything else: a crash, a wrong answer, an exception, no end within ``SECONDS``

What is in the folder is not asked again: a study that was stopped continues.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import permutations

import msgspec

from backends.interface import registry
from backends.interface.api import Accepted, Backend, Optimum, Solutions
from modelling.errors import BackendUnavailable
from puzzles.family import family
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

SECONDS = 120.0
APART = 3
"""Exit status of a process in which the registry kept two apart."""


class Pair(msgspec.Struct):
    """The result of two backends, in this order."""

    first: str
    second: str
    outcome: str
    said: str = ""
    load: str = ""

    @property
    def is_broken(self) -> bool:
        """Whether the two cannot be in one process."""
        return self.outcome == "broken"


def ask(backend: Backend) -> None:
    """Put both questions, as far as the backend takes them; raises for a wrong answer."""
    queens = family("queens").problem("6")
    if isinstance(backend.accepts(queens), Accepted):
        result = backend.solve(queens, Solutions(None, None))
        if (result.count, result.exhausted) != (4, True):
            raise AssertionError(f"{backend.name}: six queens: {result}")
    ruler = family("golomb").problem("4")
    can = getattr(backend, "optimises", True) and isinstance(backend.accepts(ruler), Accepted)
    if can and (result := backend.solve(ruler, Optimum())).objective != 6:
        raise AssertionError(f"{backend.name}: a ruler with four marks: {result}")


def measure(first: str, second: str, load: str = "") -> Pair:
    """Start the process of a pair, and say what became of it."""
    command = [sys.executable, "-m", __spec__.name if __spec__ else __name__]
    try:
        done = subprocess.run(
            [*command, "--child", first, second],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Pair(first, second, "broken", f"no end within {SECONDS:g} s", load)
    last = (done.stdout + done.stderr).strip().splitlines()[-1:] or [""]
    if done.returncode == 0:
        return Pair(first, second, "fine", "", load)
    if done.returncode == APART:
        return Pair(first, second, "apart", last[0], load)
    return Pair(first, second, "broken", f"exit status {done.returncode}: {last[0][:200]}", load)


def report(pairs: Sequence[Pair]) -> str:
    """The table as Markdown: the first to be loaded by row, the second by column."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    signs = {"fine": "+", "apart": "apart", "broken": "**broken**"}
    said = {(pair.first, pair.second): signs[pair.outcome] for pair in pairs}
    table = (" | ".join([one, *(said.get((one, other), "") for other in names)]) for one in names)
    fine = sum(pair.outcome == "fine" for pair in pairs)
    apart = sum(pair.outcome == "apart" for pair in pairs)
    return join_page(
        "# Two backends in one process",
        "Made by `python -m results.studies.correctness.pairs`: the backend of the row is loaded\n"
        "first, that of the column second, and each solves; `+` where all answers are right,\n"
        "`apart` where the registry refuses the second.",
        list_table(" | ".join(["first", *names]), table),
        f"{len(pairs)} pairs: {fine} fine, {apart} kept apart, {len(pairs) - fine - apart} broken.",
        [f"- {p.first}, {p.second}: {p.said}" for p in pairs if p.outcome != "fine"],
    )


def be_child(first: str, second: str) -> int:
    """Ask both backends; runs in the process of a pair."""
    one = registry.get(first)
    ask(one)
    try:
        other = registry.get(second)
    except BackendUnavailable as error:
        print(error)
        return APART
    ask(other)
    ask(one)
    return 0


def choose(names: Sequence[str], only: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The ordered pairs, of ``only`` if there are any."""
    return (pair for pair in permutations(names, 2) if not only or set(pair) & set(only))


def measure_pairs(chosen: Options, known: Known) -> Iterator[Pair]:
    """The pairs of installed backends that are not known."""
    names = [info.name for info in registry.summaries() if info.installed]
    for pair in choose(names, chosen.only):
        if pair not in known:
            yield measure(*pair, chosen.load)


STUDY = Study(
    "correctness.pairs",
    __doc__,
    Pair,
    key=lambda pair: (pair.first, pair.second),
    keeps=True,
    measure=measure_pairs,
    report=lambda pairs, chosen: report(pairs),
    describe=lambda pair: f"{pair.first}, {pair.second}: {pair.outcome} {pair.said}".rstrip(),
    faults=lambda pairs: [f"{p.first}, {p.second}: {p.said}" for p in pairs if p.is_broken],
    options=(
        option("--only", [], "pairs with one of these", metavar="BACKEND"),
        option("--load", "", "what else the machine did"),
    ),
    resumes=True,
)


def main(words: Sequence[str] | None = None) -> int:
    """Try the pairs, or, in a process of its own, be one."""
    words = sys.argv[1:] if words is None else words
    return be_child(*words[1:]) if words[:1] == ["--child"] else STUDY.main(words)


if __name__ == "__main__":
    sys.exit(main())
