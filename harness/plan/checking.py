"""Finds what has no meaning in an experiment: of all faults, the first is told.

Keys, types and the bounds of numbers are those of the structs (``harness.plan.experiment``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from re import fullmatch

import msgspec

from backends.interface import registry
from backends.interface.registry import keeps_state, known_family
from harness.plan import instances
from harness.plan.experiment import BackendChoice, Experiment, SetChoice
from harness.plan.importable import ensure_found, unreachable
from harness.plan.reading import convert, enumerate_items
from harness.plan.toml_positions import Path
from modelling.errors import (
    BackendUnavailable,
    ConcordError,
    ExperimentError,
    InputError,
    PuzzleError,
)

_Fault = tuple[Path, str]


def check(experiment: Experiment) -> Experiment:
    """The experiment with its tables as structs; sets and backends may be tables as in TOML.

    Raises ExperimentError for settings that have no meaning, or made in Python, no right type.
    """
    for path, cause in _find_strangers(experiment):
        raise experiment.error(path, cause)
    try:
        checked = convert(msgspec.to_builtins(experiment), experiment.source)
    except TypeError as error:
        raise experiment.error((), str(error)) from error
    for path, cause in _find_faults(checked):
        raise checked.error(path, cause)
    return checked


def _find_strangers(experiment: Experiment) -> Iterator[_Fault]:
    """Objects where names or tables are meant."""
    for number, item in enumerate_items(experiment.sets):
        if not isinstance(item, str | dict | SetChoice):
            cause = f"name a set or a file, or give a table; not {type(item).__name__}"
            yield ("sets", number), cause
    for key in ("backends", "witness"):
        for number, item in enumerate_items(getattr(experiment, key)):
            if not isinstance(item, str | dict | BackendChoice):
                yield (key, number), unreachable(item)


def _find_faults(experiment: Experiment) -> Iterator[_Fault]:
    if not fullmatch(r"[\w.+-]+", experiment.name):
        cause = f"{experiment.name!r} must be made of letters, digits and . + - _ alone"
        yield ("name",), cause
    if not experiment.backends:
        yield ("backends",), "there are none; see `concord backends`"
    for key in ("backends", "witness"):
        yield from _find_unusable(experiment, key)
    for number, name in enumerate(experiment.names()):
        if name in experiment.names()[:number]:
            yield ("backends", number), f"{name!r} is listed twice; use repeat to run it again"
    yield from _find_related_witnesses(experiment)
    if experiment.mode != "pooled" and experiment.warm_ups:
        cause = f"a worker of mode {experiment.mode!r} serves one job only; warm up in 'pooled'"
        yield ("warm_ups",), cause
    yield from _find_set_faults(experiment)


# --- backends ------------------------------------------------------------------------------


def _find_unusable(experiment: Experiment, key: str) -> Iterator[_Fault]:
    for number, item in enumerate(getattr(experiment, key)):
        path, name = (key, number), item if isinstance(item, str) else item.text
        try:
            check_backend(name)
        except ConcordError as error:
            yield (*path, *_find_wrong_part(item)), str(error)
        if keeps_state(name) and experiment.mode != "pooled":
            cause = f"{name!r} keeps its solver from job to job, which mode = 'pooled' alone allows"
            yield path, f"{cause}; not {experiment.mode!r}"


def _find_related_witnesses(experiment: Experiment) -> Iterator[_Fault]:
    """A witness is of a known family that none of the others is of: else it proves nothing."""
    taken = {known_family(name): name for name in experiment.names()}
    for number, name in enumerate(experiment.witnesses()):
        family = known_family(name)
        if family is None:
            cause = f"{name!r} cannot be a witness: it is of no family that Concord knows"
            yield ("witness", number), f"{cause}; name one of those that ship"
        elif family in taken:
            cause = f"{name!r} is of the family {family}, and so is {taken[family]!r}"
            remedy = "their agreement would prove nothing; name another family"
            yield ("witness", number), f"{cause}: {remedy}"
        taken[family] = name


def _find_wrong_part(item: str | BackendChoice) -> Path:
    """Which key of a table makes its backend one that is not there."""
    if isinstance(item, str):
        return ()
    parts: list[tuple[Path, BackendChoice]] = [(("name",), BackendChoice(item.name))]
    for key, value in item.options.items():
        parts.append((("options", key), BackendChoice(item.name, {key: value})))
    for path, alone in parts:
        try:
            check_backend(alone.text)
        except ConcordError:
            return path
    return ()


def check_backend(name: str) -> None:
    """Raise UnknownBackend for a name or option that is not there; the solver is not imported.

    Of one's own, ExperimentError for a module that no worker can find. A plug-in that cannot be
    loaded is told of by the worker that asks for it.
    """
    if name.partition(":")[0] == "py":
        ensure_found(name, "a backend")
        return
    with suppress(BackendUnavailable):
        registry.spec(name)


# --- sets ----------------------------------------------------------------------------------


def _find_set_faults(experiment: Experiment) -> Iterator[_Fault]:
    if not experiment.sets:
        yield ("sets",), "there are none; name a set or a file"
    asked: set[tuple[str, str]] = set()
    for number, choice in enumerate(experiment.choices()):
        path = ("sets", number)
        yield from _find_faults_of_sizes(choice, path)
        if choice.texts is not None:
            yield from _find_faults_of_texts(choice, path)
        try:
            ensure_found(choice.family or "", "a family")
        except ExperimentError as error:
            yield (*path, "family"), str(error)
        pair = choice.called, experiment.question(choice).text
        if pair in asked:
            yield path, f"{pair[0]!r} is listed twice with the same question"
        asked.add(pair)


def _find_faults_of_sizes(choice: SetChoice, path: Path) -> Iterator[_Fault]:
    if choice.sizes is None:
        if not choice.name and choice.texts is None:
            yield path, "the key name is missing: a set, a file, or a family with sizes"
        return
    if choice.family is None:
        yield path, "sizes need the key family"
        return
    if not choice.sizes:
        yield (*path, "sizes"), "there are none"
    for size, number in Counter(choice.sizes).items():
        if number > 1:
            yield (*path, "sizes"), f"{size} is listed twice; use repeat to run it again"
    for place, size in enumerate(choice.sizes):
        try:
            list(instances.read_sizes(choice.called, choice.family, [size]))
        except PuzzleError as error:
            yield (*path, "sizes", place), str(error)
        except InputError as error:
            yield (*path, "family"), str(error)


def _find_faults_of_texts(choice: SetChoice, path: Path) -> Iterator[_Fault]:
    if choice.sizes is not None:
        yield (*path, "texts"), "a set has either texts or sizes"
    elif choice.family is None:
        yield path, "texts need the key family"
    elif not choice.texts:
        yield (*path, "texts"), "there are none"
