"""What does each option of our engine give? The families of the engine's study, an option changed
at a time.

    python -m results.studies.speed.engine.ablation [--limit 4] [--only FAMILY] [--out FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from statistics import fmean

from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, option
from results.studies.speed.engine.__main__ import measure_family
from results.studies.speed.engine.families import FAMILIES
from results.studies.speed.engine.rows import LEAST, OURS, Row

VARIANTS = (
    *(
        "branching=domwdeg",
        "branching=chs",
        "branching=activity",
        "branching=smallest",
        "branching=first",
    ),
    *("values=least", "values=saved"),
    *("restarts=none", "restarts=geometric", "restarts=luby"),
    *("nogoods=none", "restarts=luby,nogoods=none"),
    *("alldifferent=values", "alldifferent=bounds", "alldifferent=domain"),
    *("cumulative=energy", "tasks=starts", "search=learning"),
)
UNSOLVED = 2
"""Times the limit, for what was not solved within it (PAR-2)."""


def name_of(variant: str) -> str:
    """The backend with one option changed."""
    return f"{OURS},{variant}"


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """The rows of each family that the default answers in time."""
    names = [OURS, *map(name_of, VARIANTS)]
    for family, measured in FAMILIES.items():
        missing = [name for name in names if (family, name) not in known]
        if chosen.only in family and missing:
            yield from measure_family(family, missing, measured, chosen)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """A line for each option: how much faster or slower than the default it is."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.family, {})[row.backend] = row
    kept = {
        family: of for family, of in found.items() if OURS in of and of[OURS].search_ms is not None
    }
    lines = [show_variant(variant, kept, chosen.limit) for variant in VARIANTS]
    heads = "option | families: | solved: | time: | at best: | at worst:"
    return join_page(
        "# What each option of the engine gives",
        f"Made by `{chosen.command}`: CPU time of searching, divided by that of `{OURS}`, on the "
        f"{len(kept)} families that this answers in time; more than 1 is slower. A family that was "
        f"not answered within {chosen.limit:g} s counts as {UNSOLVED} times as long. *Time* is the "
        "geometric mean.",
        list_table(heads, lines),
    )


def show_variant(variant: str, kept: Mapping[str, Mapping[str, Row]], limit: float) -> str:
    """The line of one option."""
    ratios: list[tuple[float, str]] = []
    solved = 0
    for family, of in kept.items():
        if name_of(variant) not in of:
            continue
        own, default = of[name_of(variant)].search_ms, of[OURS].search_ms
        assert default is not None  # the families that are kept
        solved += own is not None
        time = UNSOLVED * 1000 * limit if own is None else own
        ratios.append((max(time, LEAST) / max(default, LEAST), family))
    if not ratios:
        return f"`{variant}` | 0 | 0 | - | - | -"
    mean = exp(fmean(log(ratio) for ratio, _ in ratios))
    best, worst = min(ratios), max(ratios)
    return (
        f"`{variant}` | {len(ratios)} | {solved} | {mean:.2f} | {best[0]:.2f} ({best[1]}) | "
        f"{worst[0]:.1f} ({worst[1]})"
    )


STUDY = Study(
    name="speed.engine.ablation",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.family, row.backend),
    measure=measure,
    report=report,
    keeps=True,
    data="ablation.jsonl",
    place="engine",
    options=(
        option("--limit", 4.0, "seconds a problem"),
        option("--rounds", 1, "rounds after the first, which compiles"),
        option("--only", "", "families with this in their names"),
    ),
)

main = STUDY.main

if __name__ == "__main__":
    sys.exit(main())
