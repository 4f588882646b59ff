"""Advice without running anything, as a value: a guess, and how good such guesses are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.advise.candidates import choose_field
from harness.advise.features import measure_features
from harness.advise.halving import MOST_INSTANCES, choose_places
from harness.advise.neighbours import (
    WITHIN,
    Guess,
    Ranked,
    Validation,
    count_good,
    guess,
    join_guesses,
    load_examples,
    validate,
)
from harness.advise.reading import SOURCE, expand, read_instances
from harness.advise.text import Lines, hang
from harness.report.table_text import format_figure
from harness.statistics import percentiles
from modelling.errors import BackendUnavailable
from modelling.wording import plural
from puzzles.family import Instance, family
from puzzles.sets.toml_positions import Source

MOST_ALIKE = 5
"""Measured instances that are named."""


@dataclass(frozen=True)
class GuessedAdvice:
    """Which solver was fast on measured instances that look like those that are asked about.

    ``ranking`` has the candidates, the best first, each with how many times as long as the best one
    it took there; ``nearest`` names those instances, the nearest first. ``validation`` says how
    good such advice is about families that were not measured. ``asked`` instances were looked at,
    of ``instances``; ``measured`` is the number of those that they are compared with.
    """

    ranking: tuple[Ranked, ...]
    nearest: tuple[str, ...]
    validation: Validation
    asked: int
    instances: int
    measured: int

    @property
    def solver(self) -> str:
        """The first of the ranking."""
        return self.ranking[0].name

    def as_table(self) -> dict[str, Any]:
        """What JSON has of it."""
        found = self.validation
        return {
            "solver": self.solver,
            "ranking": [one._asdict() for one in self.ranking],
            "nearest": list(self.nearest),
            "asked": self.asked,
            "instances": self.instances,
            "measured": self.measured,
            "validation": {
                "families": len(found.factors),
                "within": WITHIN,
                "good": found.good,
                "median": find_median(found),
                "single_best": found.best,
                "single_good": count_good(found.single),
            },
        }

    def __str__(self) -> str:
        return "\n".join(write_guess(self))


def guess_advice(
    sets: Any,
    candidates: Any = None,
    on_fault: Callable[[str], None] = lambda text: None,
    source: Source = SOURCE,
) -> GuessedAdvice:
    """Which solver for the instances of ``sets``, by their features; nothing is run.

    ``candidates`` are by default those that are installed. What was not measured cannot be advised:
    raises BackendUnavailable where nobody is left.
    """
    expansion = expand(sets, candidates, source)
    found, faults = read_instances(expansion)
    for fault in faults:
        on_fault(str(fault))
    named = expansion.experiment.names() if candidates else None
    field, _ = choose_field(found.values(), named)
    examples = load_examples().examples
    field = [name for name in field if name in examples[0].seconds]
    if not field:
        known = ", ".join(examples[0].seconds)
        raise BackendUnavailable(
            f"none of the candidates can be advised without a run: {known} were measured; leave "
            "--from-features out"
        )
    chosen = _choose(list(found.values()))
    guesses = [guess(_measure(one), examples, field) for one in chosen]
    return GuessedAdvice(
        join_guesses(guesses),
        _name_nearest(guesses),
        validate(examples, field),
        len(chosen),
        len(found),
        len(examples),
    )


def _choose(found: list[Instance]) -> list[Instance]:
    sizes = [len(one.text) for one in found]
    return [found[place] for place in choose_places(sizes, min(len(found), MOST_INSTANCES))]


def _measure(one: Instance) -> tuple[float, ...]:
    return measure_features(family(one.family).problem(one.text))


def _name_nearest(guesses: list[Guess]) -> tuple[str, ...]:
    """The measured instances that were nearest to any, each once."""
    near = sorted((pair for one in guesses for pair in one.nearest), key=lambda pair: pair[1])
    return tuple(dict.fromkeys(f"{one.family} {one.instance}" for one, _ in near))


def find_median(found: Validation) -> float:
    """The median factor of the families."""
    return percentiles(list(found.factors.values()), 50)[0]


def write_guess(advice: GuessedAdvice, width: int = 80) -> Lines:
    """Advice without a run in lines of at most ``width`` columns."""
    others = ", ".join(f"{one.name} {format_figure(one.factor)}" for one in advice.ranking[1:])
    found = advice.validation
    families = len(found.factors)
    of = plural(advice.instances, "instance")
    if advice.asked < advice.instances:
        of = f"{advice.asked} of {of}"
    factor = format_figure(advice.ranking[0].factor)
    lines = [f"Use {advice.solver}. This is a guess: nothing was run."]
    lines += hang(
        "expected",
        f"{factor} times the time of the best solver" + (f"; {others}" if others else ""),
        width,
    )
    lines += hang("alike", ", ".join(advice.nearest[:MOST_ALIKE]), width)
    lines += hang(
        "error",
        f"each of {families} families held back: within {WITHIN:g} times the virtual best in "
        f"{found.good} of {families}, median {format_figure(find_median(found))} times; always "
        f"{found.best}: {count_good(found.single)} of {families}",
        width,
    )
    lines += hang("measured", f"{of} compared with {advice.measured} that were measured", width)
    return lines
