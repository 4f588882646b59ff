"""The one place where backends are known by name; a solver is imported when it is asked for.

A name is ``backend`` or ``backend:option,option``; ``py:package.module:attribute`` is any object
that is a Backend, or that returns one when called without arguments. Other distributions register
theirs under the entry point group ``concord.backends``: a class or function that takes the
option text and returns a Backend; its options are the ``OPTIONS`` that it or its module has.
``spec`` reads a name without making the backend.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from backends.interface.api import Backend
from backends.interface.options import BackendSpec, Option, read
from modelling.errors import BackendUnavailable, UnknownBackend
from modelling.nearest import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

ENTRY_POINT_GROUP = "concord.backends"


@dataclass(frozen=True)
class ShippedBackend:
    """A backend that ships with Concord.

    ``module`` defines ``make(options: str) -> Backend`` and ``OPTIONS``; ``distribution`` is what
    must be installed for it (empty: nothing), imported as ``imports``.
    """

    name: str
    module: str
    about: str
    distribution: str = ""
    imports: str = ""
    install: str = ""


SHIPPED: tuple[ShippedBackend, ...] = (
    ShippedBackend(
        "propagation", "backends.propagation", "hand-written propagate-and-backtrack solver"
    ),
    ShippedBackend(
        "cpsat", "backends.cpsat", "OR-Tools CP-SAT", "ortools", "ortools", "pip install ortools"
    ),
    ShippedBackend(
        "sat",
        "backends.sat",
        "the project's SAT encodings on python-sat engines or pycosat",
        "python-sat",
        "pysat",
        "pip install python-sat",
    ),
    ShippedBackend(
        "python_constraint",
        "backends.python_constraint",
        "the generic CSP library python-constraint",
        "python-constraint2",
        "constraint",
        "pip install python-constraint2",
    ),
    ShippedBackend(
        "compiled",
        "backends.sudoku_kernel",
        "the ladder's top rung: Sudoku and all-different kernels compiled by numba",
        "numba",
        "numba",
        "pip install 'solver-concord[compiled]'",
    ),
    ShippedBackend("brute_force", "backends.brute_force", "the oracle: tries every assignment"),
    ShippedBackend("ladder", "backends.ladder", "the posts' Sudoku solvers, a technique a rung"),
)


@dataclass(frozen=True)
class Info:
    """What ``concord backends`` shows about one backend."""

    name: str
    about: str
    installed: bool
    version: str
    native: tuple[str, ...]
    options: tuple[str, ...]
    hint: str


def get(name: str) -> Backend:
    """The backend called ``name``, options included; its solver is imported here.

    Raises ``UnknownBackend`` for a name or option that is not there, ``BackendUnavailable`` when
    the solver behind it is not installed.
    """
    head, _, options = name.partition(":")
    if head == "py":
        return _from_python(name, options)
    entry = _shipped(head)
    if entry is not None:
        made: Backend = importlib.import_module(entry.module).make(options)
        return made
    maker = _maker(_point(head))
    _read_plug_in(head, maker, options)
    loaded: Backend = maker(options)
    return loaded


def spec(name: str) -> BackendSpec:
    """A backend's name, read; the solver behind it is not imported.

    Raises ``UnknownBackend`` for a name or option that is not there, ``BackendUnavailable`` for
    options of a plug-in that cannot be loaded. An object that ``py:`` names has no options.
    """
    head, _, options = name.partition(":")
    if head == "py":
        return BackendSpec(head, name)
    if _shipped(head) is not None:
        return _shipped_spec(head, options)
    point = _point(head)
    return _read_plug_in(head, _maker(point), options) if options else BackendSpec(head, head)


@lru_cache(maxsize=1024)
def keeps_state(name: str) -> bool:
    """Whether the backend's solver lives on from one problem to the next.

    A record may name a plug-in that is not installed here: its options are taken as they stand.
    """
    try:
        return spec(name).keeps_state
    except (UnknownBackend, BackendUnavailable):
        return _as_written(name).keeps_state


def workers(name: str) -> int:
    """How many threads a backend is told to use by its name, as in ``cpsat:workers=2``; else 1."""
    try:
        return spec(name).workers
    except (UnknownBackend, BackendUnavailable):
        return _as_written(name).workers


def _as_written(name: str) -> BackendSpec:
    head, _, text = name.partition(":")
    pairs = (item.strip().partition("=") for item in text.split(","))
    return BackendSpec(head, name, {key: value for key, equals, value in pairs if equals})


def options_of(head: str) -> tuple[Option, ...]:
    """The options of a backend that ships; none for others."""
    entry = _shipped(head)
    return () if entry is None else tuple(importlib.import_module(entry.module).OPTIONS)


@lru_cache(maxsize=1024)
def _shipped_spec(head: str, text: str) -> BackendSpec:
    return read(head, options_of(head), text)


def _read_plug_in(head: str, maker: Any, text: str) -> BackendSpec:
    """The spec of a plug-in; what declares no options has none."""
    declared = _options_of(maker)
    if text and not declared:
        raise UnknownBackend(
            f"{head} has no options, but {text!r} stands behind the colon; its author declares "
            "them as OPTIONS"
        )
    return read(head, declared, text)


def _shipped(head: str) -> ShippedBackend | None:
    return next((entry for entry in SHIPPED if entry.name == head), None)


def _entry_points() -> EntryPoints:
    """What other distributions have registered."""
    from importlib.metadata import entry_points  # slow, and not needed for what ships

    return entry_points(group=ENTRY_POINT_GROUP)


def _point(head: str) -> EntryPoint:
    """What another distribution has registered under this name; raises ``UnknownBackend``."""
    for point in _entry_points():
        if point.name == head:
            return point
    known = names()
    hint = did_you_mean(head, known)
    raise UnknownBackend(
        f"no backend is called {head!r}{hint} (there are: {', '.join(known)}, "
        "and py:package.module:attribute for your own)"
    )


def names() -> list[str]:
    """Every registered backend's name, without options."""
    points = _entry_points()
    return [entry.name for entry in SHIPPED] + sorted(point.name for point in points)


def known_family(name: str) -> str | None:
    """The solver family that this registry vouches for, by the name in the experiment.

    What a backend says of its own family is its own claim: for ``py:`` objects and for those of
    other distributions this is None, whatever they are called inside.
    """
    head = name.partition(":")[0]
    return head if _shipped(head) is not None else None


def missing(entry: ShippedBackend) -> str:
    """Why a built-in backend cannot be used here, with the remedy; empty when it can."""
    if not entry.imports or importlib.util.find_spec(entry.imports) is not None:
        return ""
    return f"{entry.name} needs {entry.distribution}: {entry.install}"


def infos() -> Iterator[Info]:
    """What there is to run, and for what is missing, what to install."""
    yield from _shipped_infos()
    yield from _plugged_in()


def _shipped_infos() -> Iterator[Info]:
    for entry in SHIPPED:
        module = importlib.import_module(entry.module)
        hint = missing(entry)
        version, native = "", ()
        if not hint:
            try:
                backend = module.make("")
                version = getattr(backend, "version", "")
                native = tuple(sorted(kind.__name__ for kind in backend.native))
            except BackendUnavailable as error:
                hint = str(error)
        options = tuple(f"{o.name}={o.default}" for o in module.OPTIONS)
        yield Info(entry.name, entry.about, not hint, version, native, options, hint)


def _maker(point: EntryPoint) -> Any:
    """What another distribution registered; raises ``BackendUnavailable`` if it cannot be loaded.

    Whatever its import raises: it is code of somebody else, and says why in one line.
    """
    try:
        return point.load()
    except Exception as error:
        cause = f"{type(error).__name__}: {error}".splitlines()[0]
        raise BackendUnavailable(
            f"{point.name} ({point.value}) cannot be loaded: {cause}"
        ) from error


def _plugged_in() -> Iterator[Info]:
    """The backends of other distributions, by name; what does not load says why."""
    shipped = {entry.name for entry in SHIPPED}
    points = _entry_points()
    for point in sorted(points, key=lambda point: point.name):
        about = f"a plug-in of {point.dist.name}" if point.dist else "a plug-in"
        version = point.dist.version if point.dist else ""
        native: tuple[str, ...] = ()
        options: tuple[str, ...] = ()
        hint = ""
        if point.name in shipped:
            hint = f"the plug-in {point.name} ({point.value}) is hidden by the backend that ships"
            yield Info(point.name, about, False, version, native, options, hint)
            continue
        try:
            maker = _maker(point)
            options = tuple(f"{o.name}={o.default}" for o in _options_of(maker))
            backend = maker("")
            version = str(getattr(backend, "version", "")) or version
            native = tuple(sorted(kind.__name__ for kind in backend.native))
        except BackendUnavailable as error:
            hint = str(error)
        except Exception as error:  # as in ``_maker``
            cause = f"{type(error).__name__}: {error}".splitlines()[0]
            hint = f"{point.name} ({point.value}) cannot be made: {cause}"
        yield Info(point.name, about, not hint, version, native, options, hint)


def _options_of(maker: Any) -> Any:
    """The ``OPTIONS`` of a plug-in, or of its module, as the backends that ship have them."""
    module = sys.modules.get(getattr(maker, "__module__", ""))
    return getattr(maker, "OPTIONS", getattr(module, "OPTIONS", ()))


def require(distribution: str, module: str, backend: str, install: str) -> Any:
    """Import ``module`` or raise ``BackendUnavailable`` that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BackendUnavailable(
            f"{backend} needs {distribution}, which cannot be imported ({error}): {install}"
        ) from error


def _from_python(name: str, path: str) -> Backend:
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise UnknownBackend(f"{name!r}: write py:package.module:attribute")
    if os.getcwd() not in sys.path:  # a file beside the user, as `python -m` would find it
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UnknownBackend(f"{name}: cannot import {module_name} ({error})") from error
    try:
        found = getattr(module, attribute)
    except AttributeError:
        raise UnknownBackend(f"{name}: {module_name} has no attribute {attribute!r}") from None
    is_maker = isinstance(found, type) or (callable(found) and not hasattr(found, "solve"))
    made: Backend = found() if is_maker else found
    for needed in ("name", "native", "accepts", "solve"):
        if not hasattr(made, needed):
            raise UnknownBackend(f"{name} is not a Backend: it has no {needed!r}")
    return made
