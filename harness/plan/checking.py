"""Finds what has no meaning in an experiment: it reports the first fault.

Keys, types and what a single value may be are said by the structs (``harness.plan.experiment``).
Here is what several say together, and whether the backends, options and families are there. Those
of the user must be in a file that a worker can find. A worker is a process of its own, and what is
defined in a notebook cell or in the script that is being run does not exist there.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import invalidate_caches
from importlib.machinery import PathFinder
from importlib.util import find_spec

import msgspec

from backends.interface import registry
from backends.interface.evidence.families import main_part, parts_of
from backends.interface.registry import is_exact, keeps_state, known_family
from backends.interface.shipped import PROGRAMS, SHIPPED
from harness.plan.attributes import find_names
from harness.plan.experiment import BackendChoice, Experiment, SetChoice, list_backends
from harness.plan.reading import convert
from modelling.errors import (
    BackendUnavailable,
    ConcordError,
    ExperimentError,
    HiddenSolver,
    InputError,
    InstanceError,
    UnknownBackend,
)
from modelling.wording import did_you_mean
from puzzles.sets.reading import read_sizes
from puzzles.sets.toml_positions import Path

_Fault = tuple[Path, str]

_UNREACHABLE = ("__main__", "__mp_main__")
_NAME = re.compile(r"py:([\w-]+)(\.[\w-]+)*:[^\W\d]\w*")


def check(experiment: Experiment) -> Experiment:
    """The experiment with its tables as structs; sets and backends may be tables as in TOML.

    Raises ExperimentError for settings that have no meaning, or made in Python, no right type.
    """
    source = experiment.source
    for key, kind in (("sets", SetChoice), ("backends", BackendChoice), ("witness", BackendChoice)):
        items = getattr(experiment, key)
        for number, item in enumerate(items if isinstance(items, list | tuple) else ()):
            if not isinstance(item, (str, dict, kind)):  # an object, where its name is meant
                cause = f"name a set or a file, or give a table; not {type(item).__name__}"
                cause = cause if kind is SetChoice else explain_unreachable(item)
                raise source.error((key, number), cause)
    try:
        checked = convert(msgspec.to_builtins(experiment), source)
    except TypeError as error:
        raise source.error((), str(error)) from error
    for path, cause in _find_faults(checked):
        raise source.error(path, cause)
    return checked


def _find_faults(experiment: Experiment) -> Iterator[_Fault]:
    for key in ("backends", "witness"):
        yield from _find_unusable(experiment, key)
    yield from _find_repeated_backends(experiment)
    yield from _find_related_witnesses(experiment)
    if experiment.mode != "pooled" and experiment.warm_ups:
        cause = f"a worker of mode {experiment.mode!r} serves one job only; warm up in 'pooled'"
        yield ("warm_ups",), cause
    for number, choice in enumerate(experiment.choices()):
        for path, cause in _find_set_faults(choice):
            yield ("sets", number, *path), cause
    yield from _find_repeated_questions(experiment)


# --- backends ------------------------------------------------------------------------------


def _find_unusable(experiment: Experiment, key: str) -> Iterator[_Fault]:
    for number, item in enumerate(getattr(experiment, key)):
        path = (key, number)
        try:
            names = list_backends([item])
        except ConcordError as error:
            yield path, str(error)
            continue
        for name in names:
            try:
                check_backend(name)
            except ConcordError as error:
                yield (*path, *_find_wrong_part(item)), str(error)
            if keeps_state(name) and experiment.mode != "pooled":
                cause = f"{name!r} keeps its solver from job to job"
                remedy = f"which mode = 'pooled' alone allows; not {experiment.mode!r}"
                yield path, f"{cause}, {remedy}"


def _find_repeated_backends(experiment: Experiment) -> Iterator[_Fault]:
    """A backend, or a short name, that is listed twice."""
    labels = {registry.split_label(name)[0]: name for name in experiment.names()}
    seen: set[str] = set()
    for number, item in enumerate(experiment.backends):
        for name in list_backends([item]):
            label = registry.split_label(name)[0]
            if name in seen:
                yield ("backends", number), f"{name!r} is listed twice; use repeat to run it again"
            elif label and labels[label] != name:
                cause = f"two backends have the short name {label!r}: {name} and {labels[label]}"
                yield ("backends", number), cause
            seen.add(name)


def _find_wrong_part(item: str | BackendChoice) -> Path:
    """Which key of a table makes its backend one that is not there."""
    if isinstance(item, str):
        return ()
    parts: list[tuple[Path, BackendChoice]] = [(("name",), BackendChoice(item.name))]
    for key, value in item.options.items():
        parts.append((("options", key), BackendChoice(item.name, {key: value})))
    for path, alone in parts:
        try:
            for name in list_backends([alone]):
                check_backend(name)
        except ConcordError:
            return path
    return ()


def check_backend(name: str) -> None:
    """Raise UnknownBackend for a name or option that is not there; the solver is not imported.

    For a user's backend, raise ExperimentError for a module that no worker can find, and
    BackendUnavailable for a program that is missing. If a plug-in cannot be loaded, the
    worker that asks for it reports this.
    """
    label, plain = registry.split_label(name)
    if label in {entry.name for entry in SHIPPED}:
        raise UnknownBackend(f"{name}: {label} is a backend itself, and cannot be a short name")
    head = registry.split(name)[0]
    if head == "py":
        ensure_found(plain, "a backend")
        return
    if head == PROGRAMS.name:
        registry.get(name)
        return
    with suppress(BackendUnavailable):
        registry.spec(name)


def ensure_usable(experiment: Experiment) -> dict[str, str]:
    """The backends and witnesses that cannot be used on this machine, each with the cause.

    Raises BackendUnavailable if no backend can, HiddenSolver where the working folder has a module
    of the name of a solver's, by which it would be replaced.
    """
    causes = find_causes((*experiment.names(), *experiment.witnesses()))
    if experiment.names() and all(name in causes for name in experiment.names()):
        reasons = list(dict.fromkeys(causes.values()))
        head = ["none of the backends can be used here:"] if len(reasons) > 1 else []
        raise BackendUnavailable("\n".join([*head, *reasons]))
    return causes


def find_causes(names: Iterable[str]) -> dict[str, str]:
    """Those of the backends that cannot be used on this machine, each with the cause."""
    return {name: cause for name in names if (cause := _find_cause(name))}


def _find_cause(name: str) -> str:
    """What a backend that ships lacks on this machine; empty if nothing is known to be missing.

    No large solver is imported, since the workers are processes of their own; one that is asked for
    at a release is in an environment.
    """
    head, release, _ = registry.split(name)
    entry = next((one for one in SHIPPED if one.name == head), None)
    if entry is None or release is not None:
        return ""
    if entry.imports:
        registry.ensure_not_of_working_folder(entry.imports, entry.name)
    if cause := registry.missing(entry):
        return cause
    try:  # programs, and engines with packages of their own, are known to the backend alone
        if entry.process or "engine" in registry.spec(name).options:
            registry.get(name)
    except HiddenSolver:
        raise
    except BackendUnavailable as error:
        return str(error)
    except ConcordError:  # another check reports a wrong name, with its place
        return ""
    return ""


def _find_related_witnesses(experiment: Experiment) -> Iterator[_Fault]:
    """A witness is of a known family that none of the others is of: else it proves nothing."""
    taken = {
        part: name for name in experiment.names() for part in parts_of(known_family(name) or "")
    }
    for number, name in enumerate(experiment.witnesses()):
        family = known_family(name)
        parts, main = parts_of(family or ""), main_part(family or "")
        both = parts & taken.keys()
        shared = main if main in both else min(both, default="")
        if family is None:
            cause = f"{name!r} cannot be a witness: it is of no family that Concord knows"
            yield ("witness", number), f"{cause}; name one of those that ship"
        elif not is_exact(name):
            cause = f"{name!r} cannot be a witness: it calculates with doubles, and proves nothing"
            yield ("witness", number), f"{cause}; name an exact solver"
        elif shared:
            cause = f"{name!r} is of the family {shared}, and so is {taken[shared]!r}"
            remedy = "their agreement would prove nothing; name another family"
            yield ("witness", number), f"{cause}: {remedy}"
        taken.update(dict.fromkeys(parts, name))


# --- sets ----------------------------------------------------------------------------------


def _find_set_faults(choice: SetChoice) -> Iterator[_Fault]:
    if choice.sizes is not None and choice.texts is not None:
        yield ("texts",), "a set has either texts or sizes"
    if choice.data is not None and (choice.sizes is not None or choice.texts is not None):
        yield ("data",), "data complete a model, not sizes or texts"
    for key in ("sizes", "texts"):
        if getattr(choice, key) is not None and choice.family is None:
            yield (), f"{key} need the key family"
    if not choice.name and choice.sizes is None and choice.texts is None:
        yield (), "the key name is missing: a set, a file, or a family with sizes"
    yield from _find_size_faults(choice)
    try:
        ensure_found(choice.family or "", "a family")
    except ExperimentError as error:
        yield ("family",), str(error)


def _find_size_faults(choice: SetChoice) -> Iterator[_Fault]:
    sizes = choice.sizes or []
    for size, number in Counter(sizes).items():
        if number > 1:
            yield ("sizes",), f"{size} is listed twice; use repeat to run it again"
    for place, size in enumerate(sizes):
        try:
            list(read_sizes(choice.called, choice.family or "", [size]))
        except InstanceError as error:
            yield ("sizes", place), str(error)
        except InputError as error:
            yield ("family",), str(error)


def _find_repeated_questions(experiment: Experiment) -> Iterator[_Fault]:
    """A set that is asked the same twice, also as one of a collection or by another path."""
    called = experiment.name_sets()
    listed: set[tuple[str, str]] = set()
    asked: set[tuple[str, str]] = set()
    for number, choice in enumerate(experiment.choices()):
        path, question = ("sets", number), experiment.question(choice).text
        if (choice.called, question) in listed:
            yield path, f"{choice.called!r} is listed twice with the same question"
        listed.add((choice.called, question))
        for source in choice.sources():
            name = called[source]
            if (name, question) in asked:
                cause = f"{name!r} is there twice with the same question (as a member of a"
                yield path, f"{cause} collection, or by two paths); leave one out"
            asked.add((name, question))


# --- backends and families of users ---------------------------------------------------------


def ensure_found(name: str, what: str) -> None:
    """Raise ExperimentError for a ``py:`` name that no worker can import.

    Nothing is imported: the package or module at its top is looked for, and the name in its text.
    """
    ensure_importable(name, what)
    if not name.startswith("py:"):
        return
    found = _NAME.fullmatch(name)
    if found is None:
        options = ", which has no options" if "," in name else ""
        raise ExperimentError(f"{name!r}: write py:package.module:attribute{options}")
    invalidate_caches()  # the file may be a moment old
    try:  # beside the user, or among those installed, as a worker does
        is_there = PathFinder.find_spec(found[1], [os.getcwd()]) or find_spec(found[1])
    except ValueError:  # it was made without a file: importing it tells
        return
    if not is_there:
        raise ExperimentError(
            f"{name}: there is no module {found[1]!r} in {os.getcwd()} nor among those installed"
        )
    _, module, attribute = name.split(":")
    names = find_names(module, os.getcwd())
    if names is not None and attribute not in names:
        hint = did_you_mean(attribute, names)
        raise ExperimentError(f"{name}: the module {module} has no {attribute!r}{hint}")


def ensure_importable(name: str, what: str) -> None:
    """Raise ExperimentError for a ``py:`` name of ``what`` that only this process knows."""
    kind, _, path = name.partition(":")
    module, _, attribute = path.partition(":")
    if kind == "py" and module in _UNREACHABLE:
        raise ExperimentError(f"{name}: {_say_remedy(what, attribute or 'Mine')}")


def explain_unreachable(made: object) -> str:
    """Why a backend that was given as an object or a class cannot be run, and what to do."""
    kind = made if isinstance(made, type) else type(made)
    if kind.__module__ in _UNREACHABLE:
        return _say_remedy("a backend", kind.__name__)
    return (
        f"expected the name of a backend, not {kind.__name__} itself, which a worker process "
        f"cannot be given; name it py:{kind.__module__}:{kind.__name__}"
    )


def _say_remedy(what: str, attribute: str) -> str:
    return (
        f"{what} defined in a notebook cell or in the script itself cannot be reached "
        f"by a worker process; write it to a file beside, say mine.py, and name it "
        f"py:mine:{attribute}"
    )
