"""Advice without running anything: a guess from measured instances that look alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.advise.candidates import choose_field
from harness.advise.features import measure_features
from harness.advise.guessed_advice import GuessedAdvice
from harness.advise.halving import MOST_INSTANCES, choose_places
from harness.advise.neighbours import (
    Guess,
    guess,
    join_guesses,
    load_examples,
    validate,
)
from harness.advise.reading import SOURCE, expand, read_instances
from harness.advise.text import PrintedGuess
from modelling.errors import BackendUnavailable
from puzzles.family import Instance, family
from puzzles.sets.toml_positions import Source


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
    return PrintedGuess(
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
