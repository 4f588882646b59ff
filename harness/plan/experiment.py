"""Experiments: which backends answer which question on which sets, under which limits.

An experiment is a TOML file, or an ``Experiment`` made in Python::

    name = "mine"
    about = "what it is to show"
    count = 1           # solutions to find: a number, or "all"
    seconds = 30        # wall time a job
    sets = [
        "quickstart",
        { name = "hard.txt", family = "sudoku", limit = 100, count = 2 },
        { family = "queens", sizes = [8, 10, 12] },
    ]
    backends = ["propagation", { name = "sat", options = { engine = "cadical195" } }]

Every error names the file, line and column, the key and the cause. ``harness.plan.expansion`` turns
an experiment into jobs; docs/experiments.md is the reference of the keys.

Words
-----
sequence    the jobs of a backend with ``reuse=solver``: its solver lives on from job to job, so
            they run one after the other in the order of the sets
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from backends.interface import registry
from backends.interface.registry import known_family
from harness.job import Question
from harness.plan import instances, toml_source
from harness.plan.experiments import FOLDER, STUDIES, study_hint
from harness.plan.importable import ensure_found, unreachable
from harness.plan.toml_places import Path as KeyPath
from harness.plan.toml_source import Source
from modelling.errors import (
    BackendUnavailable,
    ConcordError,
    ExperimentError,
    InputError,
    PuzzleError,
)

KEPT = 10
"""So many solutions are kept of those that are counted, unless ``keep`` says otherwise."""

MOST_SLOTS = 10_000
"""More jobs at a time no machine has processes and descriptors for."""

SECONDS = 10**9
MEMORY_MB = 10**9
BETWEEN = {
    "repeat": (1, 10**6),
    "jobs": (1, MOST_SLOTS),
    "threads": (1, 1000),
    "warm_ups": (0, 10**6),
    "limit": (1, 10**12),
    "sample": (1, 10**7),
    "count": (1, 10**12),
    "keep": (0, 10**12),
    "seed": (-(1 << 63), (1 << 63) - 1),
    "solver_seed": (-(1 << 63), (1 << 63) - 1),
}
"""Least and most of whole numbers: beyond, machines, solvers or the store could not follow."""

MOST_SIZE = 10**6
"""A size beyond is no board of any family; most families end far earlier, and say where."""

Number = int | Literal["all"]
Reuse = Literal["none", "encoding", "solver"]
Mode = Literal["pooled", "isolated", "fresh"]
Order = Literal["random", "listed"]

_NUMBERS = ("a number", '"all"')
WORDS = {
    "mode": get_args(Mode),
    "order": get_args(Order),
    "reuse": get_args(Reuse),
    "count": _NUMBERS,
    "keep": _NUMBERS,
}
"""What may stand for the keys that take one of a few words."""


class SetChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set or file of instances, a family in some sizes, or texts; and what differs for it.

    ``family`` is needed where a file does not tell, with ``sizes``, and with ``texts``. With
    ``sizes`` the empty boards of these sizes are the instances; ``texts`` are instances by their
    names, each as a line of a file would have it. Of both, ``name`` is what the set is called.
    None elsewhere means: as in the experiment.
    """

    name: str = ""
    family: str | None = None
    sizes: list[int] | None = None
    texts: dict[str, str] | None = None
    limit: int | None = None
    sample: int | None = None
    count: Number | None = None
    optimum: bool | None = None
    keep: Number | None = None
    seconds: float | None = None

    @property
    def called(self) -> str:
        """The name, or for sizes and texts without one, the family's."""
        return self.name or f"{self.family}-{'sizes' if self.texts is None else 'texts'}"


class BackendChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One backend with options that are written as a table.

    ``reuse`` says what a backend keeps from job to job: nothing, the encoding of a structure, or
    the solver with all that it has learnt.
    """

    name: str
    options: dict[str, str | int] = {}
    reuse: Reuse | None = None

    @property
    def text(self) -> str:
        """The backend's name with its options, as everywhere else."""
        given = [f"{key}={value}" for key, value in self.options.items()]
        if self.reuse is not None:
            given.append(f"reuse={self.reuse}")
        if not given:
            return self.name
        return f"{self.name}{',' if ':' in self.name else ':'}{','.join(given)}"


class Experiment(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, dict=True):
    """What is to be run.

    ``sets``         names of sets, paths of files, or tables (see ``SetChoice``)
    ``backends``     names with options, as ``concord backends`` lists them, or tables
    ``count``        solutions to find in each instance: 1 solves, 2 decides uniqueness, "all"
    ``optimum``      ask for the best solution (with ``count`` above 1: for so many best ones)
    ``keep``         solutions that a record keeps, at least one; by default ``count``, at most 10
    ``seconds``      wall time for a job, stating the problem included
    ``cpu_seconds``  CPU time for a job, over all its processes and threads
    ``memory_mb``    resident memory for a job, over all its processes
    ``witness``      backends of other families, asked about what stands unwitnessed when all the
                     rest is done; untimed
    ``limit``        the first so many instances of each set
    ``sample``       so many instances of each set (of the first ``limit``, if that is given), drawn
                     at random with ``seed``, in the order of the set; the same for every backend
    ``repeat``       how often each job is run
    ``warm_ups``     so often a worker warms up for a structure that is new to it, unrecorded
    ``seed``         orders the jobs and draws samples; the same for equal experiments
    ``order``        random: backends interleave; listed: as the sets and backends stand
    ``jobs``         how many run at a time
    ``mode``         pooled: a warm worker serves many jobs; isolated: each job is a child of a
                     process that has loaded the library; fresh: each job has an interpreter of
                     its own
    ``pin``          tie each job to cores of its own
    ``solver_seed``, ``threads``  handed to the backends; None leaves the solver's default
    ``tags``         words to find a run by
    """

    name: str
    sets: Sequence[str | SetChoice]
    backends: Sequence[str | BackendChoice]
    about: str = ""
    count: Number = 1
    optimum: bool = False
    keep: Number | None = None
    seconds: float = 30.0
    cpu_seconds: float | None = None
    memory_mb: float | None = None
    limit: int | None = None
    sample: int | None = None
    repeat: int = 1
    warm_ups: int = 0
    seed: int = 0
    order: Order = "random"
    jobs: int = 1
    mode: Mode = "pooled"
    pin: bool = False
    solver_seed: int | None = None
    threads: int | None = None
    tags: list[str] = []
    witness: Sequence[str | BackendChoice] = []

    def choices(self) -> list[SetChoice]:
        """The sets, each as a table."""
        return [SetChoice(item) if isinstance(item, str) else item for item in self.sets]

    def names(self) -> list[str]:
        """The backends, each as its name with options."""
        return [item if isinstance(item, str) else item.text for item in self.backends]

    def witnesses(self) -> list[str]:
        """The witnesses, each as its name with options."""
        return [item if isinstance(item, str) else item.text for item in self.witness]

    def error(self, path: KeyPath, cause: str) -> ExperimentError:
        """An error about the value that ``path`` leads to; it names the file and the place."""
        return _source_of(self).error(path, cause)


def _source_of(experiment: Experiment) -> Source:
    found: Source = vars(experiment).get("source", Source("", {}))
    return found


def _keep_source(experiment: Experiment, source: Source) -> None:
    """Errors that come later name ``source``; it is no part of the experiment."""
    vars(experiment)["source"] = source


def digest(experiment: Experiment) -> str:
    """32 hexadecimal digits; equal for experiments with equal jobs.

    How many run at a time, tags and what it is about play no part, nor where a file lies, nor a
    setting that is as by default.
    """
    given = msgspec.to_builtins(experiment) | {"backends": experiment.names()}
    for key in ("jobs", "tags", "about", "witness"):
        del given[key]
    defaults = {field.name: field.default for field in msgspec.structs.fields(Experiment)}
    told = {key: value for key, value in given.items() if value != defaults[key]}
    if experiment.witness:
        told["witness"] = experiment.witnesses()
    told["sets"] = [
        {key: value for key, value in msgspec.to_builtins(choice).items() if value is not None}
        | {"name": instances.label(choice.called)}
        for choice in experiment.choices()
    ]
    return blake2b(msgspec.json.encode(told, order="sorted"), digest_size=16).hexdigest()


def in_sequence(backend: str) -> bool:
    """Whether a backend with this name keeps its solver, so that its jobs form a sequence."""
    return registry.keeps_state(backend)


# --- reading -------------------------------------------------------------------------------


def shipped() -> list[str]:
    """The names of the experiments that ship."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(source: str | Path) -> Experiment:
    """The experiment in a TOML file, or the one that ships under this name."""
    path = Path(source)
    if not path.is_file() and (FOLDER / f"{source}.toml").exists():
        path = FOLDER / f"{source}.toml"
    if not path.is_file() and source in STUDIES:
        raise ExperimentError(study_hint(str(source)))
    data, place = _parsed(path)
    experiment = _converted(data, place)
    _keep_source(experiment, place)
    _check(experiment)
    experiment.sets = [_beside(path, item) for item in experiment.sets]
    return experiment


def read(path: Path) -> Experiment:
    """What stands in a TOML file, checked for keys and types but not for sense."""
    return _converted(*_parsed(path))


def _parsed(path: Path) -> tuple[dict[str, Any], Source]:
    try:
        data, source = toml_source.parsed(path)
    except FileNotFoundError:
        hint = toml_source.hint(str(path), shipped())
        raise ExperimentError(f"{path}: no such file, and no experiment that ships{hint}") from None
    data.setdefault("name", path.stem)
    return data, source


def _converted(data: dict[str, Any], source: Source) -> Experiment:
    toml_source.check_keys(data, Experiment, source)
    kinds = (("sets", SetChoice), ("backends", BackendChoice), ("witness", BackendChoice))
    for key, kind in kinds:
        for number, item in _numbered(data.get(key)):
            if isinstance(item, dict):
                within = _options_of(item) if kind is BackendChoice else {}
                toml_source.check_keys(item, kind, source, (key, number), within)
    try:
        return msgspec.convert(data, Experiment)
    except msgspec.ValidationError as error:
        raise source.error(*toml_source.readable(error, WORDS)) from error


def _options_of(item: dict[str, Any]) -> dict[str, str]:
    """The options of the backend in a table, and how they are written there."""
    known = registry.options_of(str(item.get("name")))
    return {option.name: f"options = {{ {option.name} = ... }}" for option in known}


def dump(experiment: Experiment) -> str:
    """The experiment as TOML; ``load`` reads it back."""
    return "".join(
        f"{key} = {toml_source.written(value)}\n"
        for key, value in msgspec.to_builtins(experiment).items()
        if value is not None
    )


def _beside(path: Path, item: str | SetChoice) -> str | SetChoice:
    """A file that stands beside the experiment is found from anywhere."""
    name = item if isinstance(item, str) else item.name
    neighbour = path.parent / name
    if Path(name).exists() or not neighbour.is_file():
        return item
    if isinstance(item, str):
        return str(neighbour)
    return msgspec.structs.replace(item, name=str(neighbour))


# --- checking ------------------------------------------------------------------------------

_Fault = tuple[KeyPath, str]


def check(experiment: Experiment, where: str = "") -> None:
    """Raise ExperimentError for settings that have no meaning, or made in Python, no right type.

    ``where`` opens this message and later ones; an experiment that was read names its file.
    """
    if where:
        _keep_source(experiment, Source(where, {}))
    _check_types(experiment)
    _check(experiment)


def _check_types(experiment: Experiment) -> None:
    """Sets and backends may be tables as in TOML; they become structs."""
    for path, cause in _strangers(experiment):
        raise experiment.error(path, cause)
    try:
        made = _converted(msgspec.to_builtins(experiment), _source_of(experiment))
    except TypeError as error:
        raise experiment.error((), str(error)) from error
    experiment.sets, experiment.backends = made.sets, made.backends
    experiment.witness = made.witness


def _strangers(experiment: Experiment) -> Iterator[_Fault]:
    """Objects where names or tables are meant."""
    for number, item in _numbered(experiment.sets):
        if not isinstance(item, str | dict | SetChoice):
            cause = f"name a set or a file, or give a table; not {type(item).__name__}"
            yield ("sets", number), cause
    for key in ("backends", "witness"):
        for number, item in _numbered(getattr(experiment, key)):
            if not isinstance(item, str | dict | BackendChoice):
                yield (key, number), unreachable(item)


def _numbered(items: Any) -> Iterator[tuple[int, Any]]:
    """The items of a list; what is none is told where types are checked."""
    return enumerate(items if isinstance(items, list | tuple) else ())


def _check(experiment: Experiment) -> None:
    for path, cause in _faults(experiment):
        raise experiment.error(path, cause)


def _faults(experiment: Experiment) -> Iterator[_Fault]:
    if not re.fullmatch(r"[\w.+-]+", experiment.name):
        cause = f"{experiment.name!r} must be made of letters, digits and . + - _ alone"
        yield ("name",), cause
    yield from _backend_faults(experiment)
    yield from _witness_faults(experiment)
    if experiment.mode != "pooled" and experiment.warm_ups:
        cause = f"a worker of mode {experiment.mode!r} serves one job only; warm up in 'pooled'"
        yield ("warm_ups",), cause
    yield from _numbers(experiment, ())
    yield from _set_faults(experiment)


def _backend_faults(experiment: Experiment) -> Iterator[_Fault]:
    if not experiment.backends:
        yield ("backends",), "there are none; see `concord backends`"
    yield from _option_numbers(experiment)
    used: Counter[str] = Counter()
    for number, (item, name) in enumerate(
        zip(experiment.backends, experiment.names(), strict=True)
    ):
        path = ("backends", number)
        used[name] += 1
        if used[name] > 1:
            yield path, f"{name!r} is listed twice; use repeat to run it again"
        try:
            check_backend(name)
        except ConcordError as error:
            yield (*path, *_wrong_part(item)), str(error)
        if in_sequence(name) and experiment.mode != "pooled":
            cause = f"{name!r} keeps its solver from job to job, which mode = 'pooled' alone allows"
            yield path, f"{cause}; not {experiment.mode!r}"


def _witness_faults(experiment: Experiment) -> Iterator[_Fault]:
    """A witness is of a known family that none of the others is of: else it proves nothing."""
    taken = {known_family(name): name for name in experiment.names()}
    for number, (item, name) in enumerate(
        zip(experiment.witness, experiment.witnesses(), strict=True)
    ):
        path = ("witness", number)
        try:
            check_backend(name)
        except ConcordError as error:
            yield (*path, *_wrong_part(item)), str(error)
            continue
        family = known_family(name)
        if family is None:
            cause = f"{name!r} cannot be a witness: it is of no family that Concord knows"
            yield path, f"{cause}; name one of those that ship"
        elif family in taken:
            cause = f"{name!r} is of the family {family}, and so is {taken[family]!r}"
            yield path, f"{cause}: their agreement would prove nothing; name another family"
        elif in_sequence(name) and experiment.mode != "pooled":
            yield path, f"{name!r} keeps its solver, which mode = 'pooled' alone allows"
        taken[family] = name


def _option_numbers(experiment: Experiment) -> Iterator[_Fault]:
    chosen = [
        (key, number, item)
        for key in ("backends", "witness")
        for number, item in enumerate(getattr(experiment, key))
    ]
    for owner, number, item in chosen:
        for key, value in () if isinstance(item, str) else item.options.items():
            if isinstance(value, int):
                yield from _between((owner, number, "options", key), value, *BETWEEN["seed"])


def _wrong_part(item: str | BackendChoice) -> KeyPath:
    """Which key of a table makes its backend one that is not there."""
    if isinstance(item, str):
        return ()
    parts: list[tuple[KeyPath, BackendChoice]] = [(("name",), BackendChoice(item.name))]
    for key, value in item.options.items():
        parts.append((("options", key), BackendChoice(item.name, {key: value})))
    for path, alone in parts:
        try:
            check_backend(alone.text)
        except ConcordError:
            return path
    return ()


def _set_faults(experiment: Experiment) -> Iterator[_Fault]:
    if not experiment.sets:
        yield ("sets",), "there are none; name a set or a file"
    asked: set[tuple[str, str]] = set()
    for number, choice in enumerate(experiment.choices()):
        path = ("sets", number)
        yield from _numbers(choice, path)
        yield from _size_faults(choice, path)
        yield from _text_faults(choice, path)
        try:
            ensure_found(choice.family or "", "a family")
        except ExperimentError as error:
            yield (*path, "family"), str(error)
        pair = choice.called, question(experiment, choice).text
        if pair in asked:
            yield path, f"{pair[0]!r} is listed twice with the same question"
        asked.add(pair)


def _size_faults(choice: SetChoice, path: KeyPath) -> Iterator[_Fault]:
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
        if size > MOST_SIZE:
            yield from _between((*path, "sizes", place), size, 1, MOST_SIZE)
        try:
            list(instances.of_sizes(choice.called, choice.family, [size]))
        except PuzzleError as error:
            yield (*path, "sizes", place), str(error)
        except InputError as error:
            yield (*path, "family"), str(error)


def _text_faults(choice: SetChoice, path: KeyPath) -> Iterator[_Fault]:
    if choice.texts is None:
        return
    if choice.sizes is not None:
        yield (*path, "texts"), "a set has either texts or sizes"
    elif choice.family is None:
        yield path, "texts need the key family"
    elif not choice.texts:
        yield (*path, "texts"), "there are none"


def _numbers(owner: Experiment | SetChoice, path: KeyPath) -> Iterator[_Fault]:
    for key, most in (("seconds", SECONDS), ("cpu_seconds", SECONDS), ("memory_mb", MEMORY_MB)):
        value = getattr(owner, key, None)
        if value is not None and not 0 < value < float("inf"):
            yield (*path, key), f"must be a number above 0, not {value:g}"
        if value is not None and value > most:
            yield (*path, key), f"must be a number above 0 and at most {most}, not {value:g}"
    for key, (least, most) in BETWEEN.items():
        yield from _between((*path, key), getattr(owner, key, None), least, most)


def _between(path: KeyPath, value: Number | None, least: int, most: int) -> Iterator[_Fault]:
    if value == "all" or value is None or least <= value <= most:
        return
    given = f", not {value}" if abs(value) < 10**20 else ""  # no page of digits
    limits = f"from {least} to {most}" if value > most else f"at least {least}"
    yield path, f"must be {limits}{given}"


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


def question(experiment: Experiment, choice: SetChoice) -> Question:
    """What is asked on one set."""
    count = experiment.count if choice.count is None else choice.count
    optimum = experiment.optimum if choice.optimum is None else choice.optimum
    keep = experiment.keep if choice.keep is None else choice.keep
    limit = None if count == "all" else count
    kept = min(KEPT, limit or KEPT) if keep is None else keep
    return Question(limit, None if kept == "all" else max(1, kept), optimum)
