"""Does advice name a solver that is nearly as fast as the best one on each instance?

    python -m results.studies.advice --out results/reference/advise [--run RUN]
    python -m results.studies.advice --run results/reference/advise/run   # advice alone, anew

All candidates answer all questions once, with a limit of CPU time (``measured``). Then ``concord
advise`` is asked about each family by itself: by running, within ``--seconds``, and by features,
with the family held back from the data. What it names is compared with the virtual best: on each
instance the fastest candidate of all. The examples that advice by features needs are made of the
same run; ``--ship`` writes them to where they ship.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from harness.advise.advising import advise
from harness.advise.neighbours import (
    DATA,
    WITHIN,
    Example,
    count_good,
    guess,
    join_guesses,
    measure_factor,
    validate,
)
from harness.plan.experiment import SetChoice
from harness.report.run import save_reference
from results.studies.advice.instances import list_sets
from results.studies.advice.measured import (
    CANDIDATES,
    LIMIT,
    make_examples,
    measure,
    write_examples,
)
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option, write_text

REFERENCE = Path("results") / "reference" / "advise"
RUN = Path("results") / "runs" / "advise-study"
SHIPPED = Path("harness") / "advise" / "data" / DATA
SECONDS = 60.0


class Row(msgspec.Struct, frozen=True):
    """Advice about a family: whom it named by running, in how many seconds, and by features.

    The factors are how many times as long as the virtual best that candidate takes for the
    instances together (PAR-2 in seconds of CPU time), none where nobody was named; ``best`` is
    the candidate with the least factor. ``virtual_best_s`` is what the virtual best takes for one
    instance, on the mean.
    """

    family: str
    instances: int
    virtual_best_s: float
    best: str
    best_factor: float
    run: str
    run_factor: float | None
    run_seconds: float
    given_seconds: float
    excluded: dict[str, str]
    guessed: str
    guessed_factor: float


def ask(chosen: Options, known: Known) -> Iterator[Row]:
    """Measure what is missing, and ask for advice about each family."""
    run = measure(chosen.run)
    found = make_examples(run)
    if chosen.out is not None and run.folder.resolve() != (chosen.out / "run").resolve():
        save_reference(run, chosen.out / "run")
    if chosen.ship:
        write_text(SHIPPED, write_examples(found))
    for one in list_sets():
        if one.called not in known and chosen.only in ("", one.called):
            yield ask_about(one, found.examples, chosen.seconds)


def ask_about(one: SetChoice, examples: Sequence[Example], seconds: float) -> Row:
    """Ask for both kinds of advice about a family."""
    own = [example for example in examples if example.family == one.family]
    others = [example for example in examples if example.family != one.family]
    factors = {name: measure_factor(own, name, CANDIDATES) for name in CANDIDATES}
    best = min(CANDIDATES, key=lambda name: factors[name])
    with tempfile.TemporaryDirectory() as folder:
        begun = perf_counter()
        advice = advise([one], CANDIDATES, seconds=seconds, out=Path(folder) / "advice")
        taken = perf_counter() - begun
    if advice.interrupted:
        raise KeyboardInterrupt
    guesses = [guess(example.features, others, CANDIDATES) for example in own]
    guessed = join_guesses(guesses)[0].name
    return Row(
        family=str(one.family),
        instances=len(own),
        virtual_best_s=sum(min(each.seconds.values()) for each in own) / len(own),
        best=best,
        best_factor=factors[best],
        run=advice.solver,
        run_factor=factors.get(advice.solver),
        run_seconds=taken,
        given_seconds=seconds,
        excluded=dict(advice.excluded),
        guessed=guessed,
        guessed_factor=factors[guessed],
    )


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The table, and how often advice was good."""
    if not rows:
        return "No row.\n"
    kinds = {
        "by running": {row.family: count_factor(row) for row in rows},
        "by features, the family held back": {row.family: row.guessed_factor for row in rows},
        "the best single candidate of each family": {row.family: row.best_factor for row in rows},
    }
    found = make_examples(measure(chosen.run)).examples
    checked = validate(found, CANDIDATES)
    kinds[f"{checked.best} always"] = dict(checked.single)
    late = sum(row.run_seconds > row.given_seconds for row in rows)
    longest = max(row.run_seconds for row in rows)
    return join_page(
        "# Advice beside the virtual best",
        f"Made by `{chosen.command}`. The virtual best is on each instance the fastest of "
        f"{len(CANDIDATES)} candidates ({', '.join(CANDIDATES)}). Factors are of PAR-2 in seconds "
        f"of CPU time with a limit of {LIMIT:g} s, summed over the three instances of a family.",
        list_table(
            f"advice | families | within {WITHIN:g} of the virtual best: | median factor: | most:",
            [_write_kind(name, factors) for name, factors in kinds.items()],
        ),
        f"Within the {rows[0].given_seconds:g} s given: {len(rows) - late} of {len(rows)}; the "
        f"longest took {longest:.1f} s.",
        list_table(
            "family | virtual best, s: | best | factor: | by running | factor: | s: "
            "| by features | factor:",
            [_write_row(row) for row in rows],
        ),
    )


def count_factor(row: Row) -> float:
    """The factor of the advice by running; infinite where nobody was named."""
    return float("inf") if row.run_factor is None else row.run_factor


def _write_kind(name: str, factors: dict[str, float]) -> str:
    values = list(factors.values())
    good = count_good(factors)
    share = f"{good} of {len(values)} ({100 * good / len(values):.0f}%)"
    return f"{name} | {len(values)} | {share} | {median(values):.2f} | {max(values):.1f}"


def _write_row(row: Row) -> str:
    return (
        f"{row.family} | {row.virtual_best_s:.4f} | {row.best} | {row.best_factor:.2f} "
        f"| {row.run or 'nobody'} | {count_factor(row):.2f} | {row.run_seconds:.1f} "
        f"| {row.guessed} | {row.guessed_factor:.2f}"
    )


STUDY = Study(
    name="advice",
    about=str(__doc__),
    row=Row,
    key=lambda row: row.family,
    measure=ask,
    report=report,
    options=(
        option("--run", RUN, "folder of the run of all candidates"),
        option("--seconds", SECONDS, "seconds for each advice"),
        option("--only", "", "the family that is asked about"),
        option("--ship", False, "write the examples to where they ship"),
    ),
    data="advise.json",
    place="advise",
    out=REFERENCE,
)

if __name__ == "__main__":
    sys.exit(STUDY.main())
