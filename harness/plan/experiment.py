"""Experiments: which backends answer which question on which sets, under which limits.

An experiment is a TOML file, or an ``Experiment`` made in Python. Each field declares what a single
value may be. ``harness.plan.checking`` checks what several must be together, and which sets and
backends there are. docs/experiments.md is the reference of the keys, with examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from backends.interface.api import Limits
from backends.interface.options import write_value
from harness.job import Question
from harness.plan.grids import expand
from puzzles import sets
from puzzles.formats import label
from puzzles.sets.models import name_apart
from puzzles.sets.toml_positions import Source

KEPT = 10
"""Solutions that are kept of those that are counted, unless ``keep`` says otherwise."""

MOST_SLOTS = 10_000
"""More jobs at a time no machine has processes and descriptors for."""

# Beyond these bounds machines, solvers or the store could not follow. No family has boards
# of a size beyond; most families end far earlier, and say where.
Name = Annotated[str, Meta(pattern=r"^[\w.+-]+\Z")]
Amount = Annotated[float, Meta(gt=0, le=1e9)]
Seed = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
Size = Annotated[int, Meta(ge=1, le=10**6)]
First = Annotated[int, Meta(ge=1, le=10**12)]
Sample = Annotated[int, Meta(ge=1, le=10**7)]
Number = Annotated[int, Meta(ge=1, le=10**12)] | Literal["all"]
Kept = Annotated[int, Meta(ge=0, le=10**12)] | Literal["all"]
Reuse = Literal["none", "encoding", "solver"]
Mode = Literal["pooled", "isolated", "fresh"]
Order = Literal["random", "listed"]
Optima = bool | Literal["possible"]
"""``possible``: of instances that have an objective; of the others solutions are asked. It is the
default where no ``count`` is given."""

_NUMBERS = ("a number", '"all"')
WORDS = {
    "mode": get_args(Mode),
    "order": get_args(Order),
    "reuse": get_args(Reuse),
    "count": _NUMBERS,
    "keep": _NUMBERS,
    "optimum": ("true", "false", '"possible"'),
    "status": ("satisfiable", "unsatisfiable", "optimal", "unknown"),
    "sense": ("minimize", "maximize"),
}
"""The words that these keys take."""


class SetChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set or file of instances, a family in some sizes, or texts; and what differs for it.

    ``family`` is needed where a file does not tell, with ``sizes``, and with ``texts``. With
    ``sizes`` the empty boards of these sizes are the instances; ``texts`` are instances by their
    names, each as a line of a file would have it. ``name`` is the name of either set.
    ``data`` are files of data for the model ``name``, each for an instance.
    None elsewhere means: as in the experiment.
    """

    name: str = ""
    family: str | None = None
    sizes: Annotated[list[Size], Meta(min_length=1)] | None = None
    texts: Annotated[dict[str, str], Meta(min_length=1)] | None = None
    data: Annotated[list[str], Meta(min_length=1)] | None = None
    limit: First | None = None
    sample: Sample | None = None
    count: Number | None = None
    optimum: Optima | None = None
    keep: Kept | None = None
    seconds: Amount | None = None

    @property
    def called(self) -> str:
        """The name, or for sizes and texts without one, the family's."""
        return self.name or f"{self.family}-{'sizes' if self.texts is None else 'texts'}"

    def sources(self) -> Sequence[str]:
        """The sets and files that it names."""
        is_read = self.sizes is None and self.texts is None
        return sets.members(self.name) if is_read else (self.called,)


Setting = bool | str | Seed | float
Several = Annotated[list[Setting], Meta(min_length=1)]


class BackendChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One backend with options as a table; ``reuse`` says what it keeps from job to job.

    An option with several values makes several backends (``harness.plan.grids``). ``alias`` is what
    tables call it.
    """

    name: str
    options: dict[str, Setting | Several] = {}
    reuse: Reuse | None = None
    alias: Annotated[str, Meta(pattern=r"^[\w.+-]+\Z")] | None = None

    @property
    def text(self) -> str:
        """The backend's name with its options, as everywhere else."""
        given = [f"{key}={_write_setting(value)}" for key, value in self.options.items()]
        if self.reuse is not None:
            given.append(f"reuse={self.reuse}")
        alias = "" if self.alias is None else f"{self.alias}="
        if not given:
            return f"{alias}{self.name}"
        return f"{alias}{self.name}{',' if ':' in self.name else ':'}{','.join(given)}"


def _write_setting(value: Setting | Several) -> str:
    if isinstance(value, list):
        return f"{{{','.join(map(write_value, value))}}}"
    return write_value(value)


def list_backends(items: Iterable[str | BackendChoice]) -> list[str]:
    """The names of backends, each with its options; a grid is all that it comes to.

    Raises UnknownBackend for a grid that cannot be read.
    """
    texts = [item if isinstance(item, str) else item.text for item in items]
    return [name for text in texts for name in expand(text)]


class Experiment(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The description of a run; docs/experiments.md explains each key.

    In Python ``sets`` and ``backends`` may also hold tables, as in TOML. ``source`` is the file or
    the verb that the experiment comes from. Errors name it; it is not a field.
    """

    name: Name
    sets: Annotated[Sequence[str | SetChoice], Meta(min_length=1)]
    backends: Annotated[Sequence[str | BackendChoice], Meta(min_length=1)]
    about: str = ""
    count: Number | None = None
    optimum: Optima | None = None
    keep: Kept | None = None
    seconds: Amount = 30.0
    cpu_seconds: Amount | None = None
    memory_mb: Amount | None = None
    budget: Amount | None = None
    limit: First | None = None
    sample: Sample | None = None
    repeat: Annotated[int, Meta(ge=1, le=10**6)] = 1
    warm_ups: Annotated[int, Meta(ge=0, le=10**6)] = 0
    seed: Seed = 0
    order: Order = "random"
    jobs: Annotated[int, Meta(ge=1, le=MOST_SLOTS)] = 1
    mode: Mode = "pooled"
    pin: bool = False
    solver_seed: Seed | None = None
    threads: Annotated[int, Meta(ge=1, le=1000)] | None = None
    tags: list[str] = []
    witness: Sequence[str | BackendChoice] = []
    answers: str | None = None
    source = Source()

    def choices(self) -> list[SetChoice]:
        """The sets, each as a table."""
        return [SetChoice(item) if isinstance(item, str) else item for item in self.sets]

    def name_sets(self) -> dict[str, str]:
        """What the sets are called, by their sources: files of one name by their paths, too."""
        return name_apart(source for choice in self.choices() for source in choice.sources())

    def texts(self) -> dict[tuple[str, str], str]:
        """The instances that are written out here, by set and name."""
        written = ((choice.called, choice.texts or {}) for choice in self.choices())
        return {(called, name): text for called, of in written for name, text in of.items()}

    def names(self) -> list[str]:
        """The backends, each as its name with options."""
        return list_backends(self.backends)

    def witnesses(self) -> list[str]:
        """The witnesses, each as its name with options."""
        return list_backends(self.witness)

    def question(self, choice: SetChoice) -> Question:
        """What is asked on one of the sets."""
        count, keep = self.setting(choice, "count"), self.setting(choice, "keep")
        limit = None if count == "all" else count or 1
        kept = min(KEPT, limit or KEPT) if keep is None else keep
        return Question(limit, None if kept == "all" else max(1, kept), bool(self.optima(choice)))

    def optima(self, choice: SetChoice) -> Optima:
        """Whether optima are asked on one of the sets: wherever there is an objective, unless the
        experiment says something else, or gives a number of solutions."""
        said: Optima | None = self.setting(choice, "optimum")
        if said is not None:
            return said
        return "possible" if self.setting(choice, "count") is None else False

    def limits(self, choice: SetChoice) -> Limits:
        """The limits that a backend is given on one of the sets."""
        seconds = self.setting(choice, "seconds")
        return Limits(seconds, seed=self.solver_seed, threads=self.threads)

    def setting(self, choice: SetChoice, key: str) -> Any:
        """What holds for one of the sets: its own setting, else that of the experiment."""
        own = getattr(choice, key)
        return getattr(self, key) if own is None else own

    @property
    def digest(self) -> str:
        """32 hexadecimal digits; equal for experiments with equal jobs.

        How many run at a time, tags and what it is about play no part, nor where a file lies, nor a
        setting that is as by default.
        """
        given = msgspec.to_builtins(self) | {"backends": self.names()}
        for key in ("jobs", "tags", "about", "witness"):
            del given[key]
        defaults = {field.name: field.default for field in msgspec.structs.fields(Experiment)}
        differing = {key: value for key, value in given.items() if value != defaults[key]}
        # Before there was a default, one solution was asked: such experiments keep their digests.
        differing["optimum"] = self.optima(SetChoice())
        if not differing["optimum"]:
            del differing["optimum"]
        if self.count == 1:
            del differing["count"]
        if self.answers is not None:
            differing["answers"] = label(self.answers)
        if self.witness:
            differing["witness"] = self.witnesses()
        differing["sets"] = [
            {key: value for key, value in msgspec.to_builtins(choice).items() if value is not None}
            | {"name": label(choice.called)}
            | ({"data": list(map(label, choice.data))} if choice.data else {})
            for choice in self.choices()
        ]
        return blake2b(msgspec.json.encode(differing, order="sorted"), digest_size=16).hexdigest()
