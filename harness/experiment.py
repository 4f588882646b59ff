"""Experiments: which backends answer which question on which sets, under which limits.

An experiment is a TOML file, or an ``Experiment`` made in Python::

    name = "mine"
    about = "what it is to show"
    sets = ["quickstart", { name = "hard.txt", family = "sudoku", limit = 100, count = 2 }]
    backends = ["propagation", "cpsat"]
    count = 1           # solutions to find: a number, or "all"
    seconds = 30        # wall time a job

Every error names the file, the key and the cause. ``expand`` turns an experiment into jobs.
"""

from __future__ import annotations

import importlib
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from backends import options, registry
from backends.api import Limits
from harness import instances
from harness.job import Job, Question
from modelling.errors import ConcordError, ExperimentError, InputError, PuzzleError
from puzzles import sets

SHIPPED = Path(__file__).parent / "experiments"

KEPT = 10
"""So many solutions are kept of those that are counted, unless ``keep`` says otherwise."""

Number = int | Literal["all"]


class SetChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set or file of instances, with what differs for it from the experiment.

    ``family`` is needed where a file does not tell; None elsewhere means: as in the experiment.
    """

    name: str
    family: str | None = None
    limit: int | None = None
    count: Number | None = None
    optimum: bool | None = None
    keep: Number | None = None
    seconds: float | None = None


class Experiment(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What is to be run.

    ``sets``         names of sets, paths of files, or tables with a ``name`` and what differs
    ``backends``     names with options, as ``concord backends`` lists them
    ``count``        solutions to find in each instance: 1 solves, 2 decides uniqueness, "all"
    ``optimum``      ask for the best solution (with ``count`` above 1: for so many best ones)
    ``keep``         solutions that a record keeps; by default ``count``, at most 10
    ``seconds``      wall time for a job, stating the problem included
    ``limit``        the first so many instances of each set
    ``repeat``       how often each job is run
    ``seed``         orders the jobs; the order is the same for equal experiments
    ``jobs``         how many run at a time
    ``mode``         pooled: a warm worker serves many jobs
    ``memory_mb``    resident memory of a worker with all that it starts
    ``solver_seed``, ``threads``  handed to the backends; None leaves the solver's default
    ``tags``         words to find a run by
    """

    name: str
    sets: list[str | SetChoice]
    backends: list[str]
    about: str = ""
    count: Number = 1
    optimum: bool = False
    keep: Number | None = None
    seconds: float = 30.0
    limit: int | None = None
    repeat: int = 1
    seed: int = 0
    jobs: int = 1
    mode: str = "pooled"
    memory_mb: float | None = None
    solver_seed: int | None = None
    threads: int | None = None
    tags: list[str] = []

    def choices(self) -> list[SetChoice]:
        """The sets, each as a table."""
        return [SetChoice(item) if isinstance(item, str) else item for item in self.sets]


# --- reading -------------------------------------------------------------------------------


def shipped() -> list[str]:
    """The names of the experiments that ship."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(source: str | Path) -> Experiment:
    """The experiment in a TOML file, or the one that ships under this name."""
    path = Path(source)
    if not path.is_file() and (SHIPPED / f"{source}.toml").exists():
        path = SHIPPED / f"{source}.toml"
    experiment = read(path)
    check(experiment, path.name)
    experiment.sets = [_beside(path, item) for item in experiment.sets]
    return experiment


def read(path: Path) -> Experiment:
    """What stands in a TOML file, checked for keys and types but not for sense."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = _hint(str(path), shipped())
        raise ExperimentError(f"{path}: no such file, and no experiment that ships{hint}") from None
    except tomllib.TOMLDecodeError as error:
        raise ExperimentError(f"{path.name}: not TOML: {error}") from error
    except (OSError, UnicodeError) as error:
        raise ExperimentError(f"{path} cannot be read: {error}") from error
    data.setdefault("name", path.stem)
    return convert(data, path.name)


def convert(data: dict[str, Any], where: str) -> Experiment:
    """An experiment from plain values; ``where`` opens the messages. ``check`` looks at sense."""
    _check_keys(data, Experiment, f"{where}: ")
    sets = data.get("sets")
    for number, item in enumerate(sets if isinstance(sets, list) else []):
        if isinstance(item, dict):
            _check_keys(item, SetChoice, f"{where}: sets[{number}]: ")
    try:
        return msgspec.convert(data, Experiment)
    except msgspec.ValidationError as error:
        raise ExperimentError(f"{where}: {_readable(error)}") from error


def dump(experiment: Experiment) -> str:
    """The experiment as TOML; ``load`` reads it back."""
    return "".join(
        f"{key} = {_toml(value)}\n"
        for key, value in msgspec.to_builtins(experiment).items()
        if value is not None
    )


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{key} = {_toml(item)}" for key, item in value.items() if item is not None)
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    # JSON's strings, numbers and truth values are TOML's, but for DEL.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def _beside(path: Path, item: str | SetChoice) -> str | SetChoice:
    """A file that stands beside the experiment is found from anywhere."""
    name = item if isinstance(item, str) else item.name
    neighbour = path.parent / name
    if Path(name).exists() or not neighbour.is_file():
        return item
    if isinstance(item, str):
        return str(neighbour)
    return msgspec.structs.replace(item, name=str(neighbour))


def _check_keys(data: dict[str, Any], kind: type, where: str) -> None:
    known = [field.name for field in msgspec.structs.fields(kind)]
    for key in data:
        if key not in known:
            raise ExperimentError(f"{where}unknown key {key!r}{_hint(key, known)}")


def _hint(given: str, known: Sequence[str]) -> str:
    close = get_close_matches(given, known, n=1)
    nearest = f"; did you mean {close[0]!r}?" if close else ""
    return f"{nearest} (there are: {', '.join(known)})" if known else nearest


def _readable(error: Exception) -> str:
    """``key: cause`` from msgspec's ``Cause - at `$.key` ``."""
    cause, _, path = str(error).partition(" - at `$")
    key = path.rstrip("`").lstrip(".")
    cause = re.sub(r"Object missing required field `(\w+)`", r"the key \1 is missing", cause)
    cause = cause[:1].lower() + cause[1:]
    return f"{key}: {cause}" if key else cause


# --- checking ------------------------------------------------------------------------------


def check(experiment: Experiment, where: str = "") -> None:
    """Raise ExperimentError for settings that have no meaning, or made in Python, no right type."""
    place = f"{where}: " if where else ""
    try:
        msgspec.convert(msgspec.to_builtins(experiment), Experiment)
    except (msgspec.ValidationError, TypeError) as error:
        raise ExperimentError(f"{place}{_readable(error)}") from error
    for key, cause in _faults(experiment):
        raise ExperimentError(f"{place}{key}: {cause}")


def _faults(experiment: Experiment) -> Iterator[tuple[str, str]]:
    if not re.fullmatch(r"[\w.+-]+", experiment.name):
        yield "name", f"{experiment.name!r} must be made of letters, digits and . + - _ alone"
    if not experiment.sets:
        yield "sets", "there are none; name a set or a file"
    if not experiment.backends:
        yield "backends", "there are none; see `concord backends`"
    for name, number in Counter(experiment.backends).items():
        if number > 1:
            yield "backends", f"{name!r} is listed twice; use repeat to run it again"
    for name in experiment.backends:
        try:
            check_backend(name)
        except ConcordError as error:
            yield "backends", str(error)
    if experiment.mode != "pooled":
        planned = experiment.mode in ("isolated", "fresh")
        cause = "is planned but not there yet" if planned else "is unknown"
        yield "mode", f"{experiment.mode!r} {cause}; use 'pooled'"
    yield from _numbers(experiment, "")
    for key in ("repeat", "jobs", "threads"):
        yield from _at_least(key, getattr(experiment, key), 1)
    if experiment.memory_mb is not None and not experiment.memory_mb > 0:
        yield "memory_mb", f"must be above 0, not {experiment.memory_mb:g}"
    asked: set[tuple[str, str]] = set()
    for number, choice in enumerate(experiment.choices()):
        yield from _numbers(choice, f"sets[{number}].")
        pair = choice.name, question(experiment, choice).text
        if pair in asked:
            yield "sets", f"{choice.name!r} is listed twice with the same question"
        asked.add(pair)


def _numbers(owner: Experiment | SetChoice, prefix: str) -> Iterator[tuple[str, str]]:
    seconds = owner.seconds
    if seconds is not None and not 0 < seconds < float("inf"):
        yield f"{prefix}seconds", f"must be a number above 0, not {seconds:g}"
    yield from _at_least(f"{prefix}limit", owner.limit, 1)
    yield from _at_least(f"{prefix}count", owner.count, 1)
    yield from _at_least(f"{prefix}keep", owner.keep, 0)


def _at_least(key: str, value: Number | None, least: int) -> Iterator[tuple[str, str]]:
    if value == "all" or value is None:
        return
    if value < least:
        yield key, f"must be at least {least}, not {value}"


def check_backend(name: str) -> None:
    """Raise UnknownBackend for a name or option that is not there; the solver is not imported."""
    head, _, behind = name.partition(":")
    entry = next((entry for entry in registry.ENTRIES if entry.name == head), None)
    if entry is not None:
        options.parse(head, importlib.import_module(entry.module).OPTIONS, behind)
    elif head == "py":
        if not all(behind.partition(":")[::2]):
            raise InputError(f"{name!r}: write py:package.module:attribute")
    elif head not in registry.names():
        registry.get(name)  # raises, and names the nearest


# --- expanding -----------------------------------------------------------------------------


def question(experiment: Experiment, choice: SetChoice) -> Question:
    """What is asked on one set."""
    count = experiment.count if choice.count is None else choice.count
    optimum = experiment.optimum if choice.optimum is None else choice.optimum
    keep = experiment.keep if choice.keep is None else choice.keep
    limit = None if count == "all" else count
    kept = min(KEPT, limit or KEPT) if keep is None else keep
    return Question(limit, None if kept == "all" else kept, optimum)


def expand(experiment: Experiment) -> tuple[list[Job], list[PuzzleError]]:
    """The jobs in their order of execution, and the lines that could not be read.

    The order is a seeded shuffle of instance x backend x repeat, so that backends interleave and
    a slow hour of the machine falls on all of them alike. A set that cannot be read at all is an
    ExperimentError.
    """
    check(experiment)
    bad: list[PuzzleError] = []
    plans: list[_Plan] = []
    for choice in experiment.choices():
        limits = Limits(
            experiment.seconds if choice.seconds is None else choice.seconds,
            seed=experiment.solver_seed,
            threads=experiment.threads,
        )
        most = experiment.limit if choice.limit is None else choice.limit
        asked = question(experiment, choice)
        for item in _chosen(choice, most):
            if isinstance(item, PuzzleError):
                bad.append(item)
            else:
                plans.append(_Plan(item, asked, limits))
    _check_distinct(plans)
    work = [
        (plan, backend, repeat)
        for plan in plans
        for backend in experiment.backends
        for repeat in range(1, experiment.repeat + 1)
    ]
    random.Random(experiment.seed).shuffle(work)
    jobs = [
        _job(number, plan, backend, repeat)
        for number, (plan, backend, repeat) in enumerate(work, 1)
    ]
    return jobs, bad


class _Plan(NamedTuple):
    instance: instances.Named
    question: Question
    limits: Limits


def _chosen(choice: SetChoice, most: int | None) -> Iterator[instances.Named | PuzzleError]:
    """The first ``most`` instances of each set of ``choice``, and the bad lines up to there."""
    try:
        for name in sets.members(choice.name):
            taken = 0
            for item in instances.of(name, choice.family):
                if not isinstance(item, PuzzleError):
                    if taken == most:
                        break
                    taken += 1
                yield item
    except (InputError, OSError) as error:
        raise ExperimentError(f"sets: {choice.name}: {error}") from error


def _check_distinct(plans: list[_Plan]) -> None:
    seen: set[tuple[str, str, str]] = set()
    for plan in plans:
        key = plan.instance.set, plan.instance.name, plan.question.text
        if key in seen:
            raise ExperimentError(
                f"sets: {key[0]!r} is there twice with the same question (as a member of a "
                "collection, or as two files of one name); leave one out, or rename the file"
            )
        seen.add(key)


def _job(number: int, plan: _Plan, backend: str, repeat: int) -> Job:
    named = plan.instance
    return Job(
        number=number,
        set=named.set,
        instance=named.name,
        family=named.family,
        text=named.text,
        backend=backend,
        question=plan.question,
        limits=plan.limits,
        repeat=repeat,
        source=named.source,
    )
