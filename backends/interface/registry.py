"""What a backend's name means; a solver is imported when it is asked for.

A name is ``backend`` or ``backend:option,option``, of those in ``shipped``;
``py:package.module:attribute`` is any object that is a Backend, or that returns one when called
without arguments, and ``command:FORMAT:PROGRAM`` any program that reads a format. Other
distributions register theirs under the entry point group ``concord.backends``: a class or function
that takes the option text and returns a Backend; its options are the ``OPTIONS`` that it or its
module has. ``spec`` reads a name without making the backend.

``cpsat@9.12:workers=1`` is a backend with its solver at a release: 9.12 itself, or the newest whose
number begins with 9.12 and a point. ``fast=cpsat:workers=2`` is ``cpsat:workers=2``, which tables
call ``fast``. A process has one release of a solver, so such a backend can be
made only where that one is installed; ``harness.environments`` gives each release a place.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

from backends.interface.api import Backend
from backends.interface.evidence.families import (
    claimed_family,
    families_in,
    family_of_name,
    family_of_program,
    is_exact_family,
)
from backends.interface.evidence.identity import identify
from backends.interface.options import BackendSpec, Option, read
from backends.interface.shipped import PROGRAMS, SHIPPED, ShippedBackend
from modelling.errors import BackendUnavailable, HiddenSolver, UnknownBackend
from modelling.versions import find_version
from modelling.wording import did_you_mean
from modelling.working_folder import append_working_folder, find_in_working_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

    from backends.interface.libraries.parameters import Parameter

ENTRY_POINT_GROUP = "concord.backends"

_RELEASE = re.compile(r"[0-9]+(\.[0-9]+)*((a|b|rc)[0-9]+)?(\.post[0-9]+)?(\.dev[0-9]+)?")
"""A release's number as Python's packages have them (PEP 440)."""


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
    solvers: tuple[str, ...] = ()


def get(name: str) -> Backend:
    """The backend called ``name``, options included; its solver is imported here.

    Raises ``UnknownBackend`` for a name or option that is not there, ``BackendUnavailable`` when
    the solver behind it is not installed, or not at the release that the name asks for, or cannot
    be in one process with one that is here.
    """
    head, release, options = split(name)
    if head == "py":
        return _from_python(name, options)
    if release is not None:
        _require_release(name, find_distribution(name), release)
    entry = _provided(head)
    if entry is not None:
        reason = find_clash(entry)
        if reason:
            raise BackendUnavailable(reason)
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
    head, release, options = split(name)
    if head == "py":
        return BackendSpec(head, name)
    if release is not None:
        find_distribution(name)
        plain = _shipped_spec(head, options, is_elsewhere=True)
        text = f"{head}@{release}{plain.text.removeprefix(head)}"
        return replace(plain, text=text, release=release)
    if _provided(head) is not None:
        return _shipped_spec(head, options)
    point = _point(head)
    return _read_plug_in(head, _maker(point), options) if options else BackendSpec(head, head)


_LABEL = re.compile(r"(?P<label>[\w.+-]+)=(?P<name>[\w.-]+(@.*|:.*)?)", re.DOTALL)


def split_label(name: str) -> tuple[str, str]:
    """``fast=cpsat:workers=2`` as the short name, empty without one, and the backend's name."""
    found = _LABEL.fullmatch(name)
    return (found["label"], found["name"]) if found else ("", name)


def label(name: str) -> str:
    """What tables call a backend: its short name, else the name itself."""
    return split_label(name)[0] or name


def without_label(name: str) -> str:
    """The name of a backend without the short name before it."""
    return split_label(name)[1]


def split(name: str) -> tuple[str, str | None, str]:
    """``cpsat@9.12:workers=1`` as head, release and options; the release is None without ``@``.
    A short name is left out."""
    before, _, options = without_label(name).partition(":")
    head, at, release = before.partition("@")
    return head, release if at else None, options


def find_distribution(name: str) -> str:
    """What is installed for a backend whose name asks for a release.

    Raises ``UnknownBackend`` where there can be no such release.
    """
    head, release, _ = split(name)
    entry = _shipped(head)
    if head == PROGRAMS.name:
        raise UnknownBackend(
            f"{name}: a program has no releases that Concord could install; write {head} without "
            "@, and the path of the program that is meant"
        )
    if entry is None:
        _point(head)  # raises another error for an unknown name
        raise UnknownBackend(
            f"{name}: {head} is a plug-in; only backends that ship with Concord run at a release"
        )
    if not entry.imports:
        raise UnknownBackend(
            f"{name}: {head} is no package of which a release could be installed; write {head}"
        )
    if not _RELEASE.fullmatch(release or ""):
        raise UnknownBackend(
            f"{name}: {release!r} is no release; write numbers with points, as in {head}@9.12"
        )
    return entry.distribution


def is_of_release(version: str, release: str) -> bool:
    """Whether a version is the release itself, or one whose number continues after it."""
    return version == release or version.startswith(f"{release}.")


def _require_release(name: str, distribution: str, release: str) -> None:
    """Raise ``BackendUnavailable`` where another release, or none, is installed."""
    there = find_version(distribution)
    if not is_of_release(there, release):
        found = f"{there} is installed" if there else "none is installed"
        raise BackendUnavailable(
            f"{name} needs release {release} of {distribution}, and in this process {found}; "
            "`concord compare`, `concord run` and concord.compare run each release in an "
            f"environment of its own, which `concord environments make {name}` makes"
        )


def find_kind(name: str) -> str:
    """How the solver of this name searches (``shipped.KINDS``); empty for others than ours."""
    head, _, options = split(name)
    entry = _shipped(head)
    return "" if entry is None else entry.find_kind(options.partition(",")[0])


def distributions() -> list[str]:
    """The packages in which the solvers of backends that ship are."""
    return sorted({entry.distribution for entry in SHIPPED if entry.imports})


def shipped_for(distribution: str) -> str | None:
    """The first backend that ships whose solver is in this distribution."""
    of = (entry.name for entry in SHIPPED if entry.imports and entry.distribution == distribution)
    return next(of, None)


def list_parameters(name: str) -> list[tuple[Parameter, str]]:
    """The parameters of the solver's own that a backend's name may set, each with why it is
    refused, if it is.

    Raises ``UnknownBackend`` for a backend that takes none.
    """
    head, _, options = split(name)
    entry = _provided(head)
    module = None if entry is None else importlib.import_module(entry.module)
    parameters = getattr(module, "PARAMETERS", None)
    if parameters is None:
        spec(name)  # raises another error for an unknown name
        raise UnknownBackend(f"{name}: {head} sets no parameters of its solver's own")
    found: list[tuple[Parameter, str]] = parameters.describe(_shipped_spec(head, options).options)
    return found


def keeps_state(name: str) -> bool:
    """Whether the backend's solver lives on from one problem to the next.

    A record may name a plug-in that is not installed here: its options are taken as written.
    """
    return _keeps_state(without_label(name))


@lru_cache(maxsize=1024)
def _keeps_state(name: str) -> bool:
    try:
        return spec(name).keeps_state
    except (UnknownBackend, BackendUnavailable):
        return _as_written(name).keeps_state


def workers(name: str) -> int:
    """The number of threads in a backend's name, as in ``cpsat:workers=2``; else 1."""
    try:
        return spec(name).workers
    except (UnknownBackend, BackendUnavailable):
        return _as_written(name).workers


def _as_written(name: str) -> BackendSpec:
    head, release, text = split(name)
    pairs = (item.strip().partition("=") for item in text.split(","))
    options = {key: value for key, equals, value in pairs if equals}
    return BackendSpec(head, name, options, release or "")


def options_of(head: str) -> tuple[Option, ...]:
    """The options of a backend that ships, at a release or not; none for others."""
    entry = _provided(split(head)[0])
    return () if entry is None else tuple(importlib.import_module(entry.module).OPTIONS)


@lru_cache(maxsize=1024)
def _shipped_spec(head: str, text: str, is_elsewhere: bool = False) -> BackendSpec:
    entry = _provided(head)
    assert entry is not None
    module = importlib.import_module(entry.module)
    if hasattr(module, "read_spec"):
        found: BackendSpec = module.read_spec(text)
        return found
    parameters = getattr(module, "PARAMETERS", None)
    if parameters is not None and is_elsewhere:
        parameters = parameters.elsewhere()
    return read(head, module.OPTIONS, text, parameters)


def _read_plug_in(head: str, maker: Any, text: str) -> BackendSpec:
    """The spec of a plug-in; what declares no options has none."""
    declared, parameters = _declared(maker, "OPTIONS"), _declared(maker, "PARAMETERS") or None
    if text and not declared and parameters is None:
        raise UnknownBackend(
            f"{head} has no options, but {text!r} stands after the colon; its author declares "
            "them as OPTIONS"
        )
    return read(head, declared, text, parameters)


def _shipped(head: str) -> ShippedBackend | None:
    return next((entry for entry in SHIPPED if entry.name == head), None)


def _provided(head: str) -> ShippedBackend | None:
    """A backend of ours, with what a user brings along."""
    return PROGRAMS if head == PROGRAMS.name else _shipped(head)


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
    hint = did_you_mean(head, [*known, PROGRAMS.name])
    raise UnknownBackend(
        f"no backend is called {head!r}{hint} (there are: {', '.join(known)}, "
        "py:package.module:attribute for your own, and command:FORMAT:PROGRAM for any program)"
    )


def names() -> list[str]:
    """Every registered backend's name, without options."""
    points = _entry_points()
    return [entry.name for entry in SHIPPED] + sorted(point.name for point in points)


def known_family(name: str, recorded: str = "") -> str | None:
    """The family of agreement that this registry vouches for, by the name in the experiment.

    What a backend says of its own family is its own claim: for ``py:`` objects and for those of
    other distributions this is None, whatever they are called inside. ``command:`` programs are
    of the given family, or else of the one that they name themselves: ``recorded`` has what they
    named when they answered; without a record they are asked now. See ``families``.
    """
    if split(name)[0] != PROGRAMS.name:
        return _known_family(without_label(name))
    try:
        options = spec(name).options
    except (UnknownBackend, BackendUnavailable):
        return None
    if recorded or options["family"]:
        return family_of_program(options, families_in(recorded))
    return family_of_program(options, identify(options["program"]))


@lru_cache(maxsize=1024)
def _known_family(name: str) -> str | None:
    head, _, text = split(name)  # whatever the release: two of them are one family
    if _provided(head) is None:
        return None
    plain = f"{head}:{text}" if text else head
    try:
        options = spec(plain).options
    except (UnknownBackend, BackendUnavailable):
        options = _as_written(plain).options  # an option of an earlier version
    return family_of_name(plain, options)


def evidence_family(name: str, recorded: str = "") -> str | None:
    """As ``known_family``, for claims about all solutions or the best one; None for a solver that
    is not exact, since its claims are not evidence. The solutions that it shows are checked."""
    return known_family(name, recorded) if is_exact(name) else None


def is_exact(name: str) -> bool:
    """Whether a backend is exact, as far as this registry knows; a program is what it is called."""
    if split(name)[0] == PROGRAMS.name:
        try:
            family = claimed_family(spec(name).options)
        except (UnknownBackend, BackendUnavailable):
            return True
    else:
        family = known_family(name)
    return family is None or is_exact_family(family)


def find_clash(entry: ShippedBackend) -> str:
    """Why a backend cannot come into this process, for what is here already; empty if it can."""
    pairs = [(entry, clash, _shipped(other)) for clash in entry.clashes for other in clash.others]
    pairs += [
        (other, clash, other)
        for other in SHIPPED
        for clash in other.clashes
        if entry.name in clash.others
    ]
    for owner, clash, other in pairs:
        if other is None or other.imports not in sys.modules or entry.imports in sys.modules:
            continue
        if clash.since and numbers_of(find_version(owner.distribution)) < numbers_of(clash.since):
            continue
        return (
            f"{entry.name} cannot be loaded into this process, where {other.imports} is: "
            f"{clash.why}; use another process, as each backend of a run has"
        )
    return ""


def numbers_of(version: str) -> tuple[int, ...]:
    """``1.15.1rc1`` as (1, 15, 1), to compare by."""
    return tuple(int(part) for part in re.findall(r"(?:^|\.)(\d+)", version))


def missing(entry: ShippedBackend) -> str:
    """Why a built-in backend cannot be used here, with the remedy; empty when it can."""
    if entry.process and not list_solvers(entry):
        return f"{entry.name} needs {entry.distribution}: {entry.install}"
    if not entry.imports:
        return ""
    try:
        ensure_not_of_working_folder(entry.imports, entry.name)
    except HiddenSolver as error:
        return str(error)
    if importlib.util.find_spec(entry.imports) is not None:
        return ""
    return f"{entry.name} needs {entry.distribution}: {entry.install}"


def infos() -> Iterator[Info]:
    """What there is to run, and for what is missing, what to install."""
    yield from _shipped_infos()
    yield from _plugged_in()


def summaries() -> Iterator[Info]:
    """As ``infos``, without what is native and the options; no solver that ships is imported."""
    for entry in SHIPPED:
        hint, solvers = missing(entry), list_solvers(entry)
        version = "" if hint else find_version(entry.distribution) if entry.distribution else ""
        yield Info(entry.name, entry.about, not hint, version, (), (), hint, solvers)
    yield from _plugged_in()


def info(name: str) -> Info:
    """All about one backend, with its options and at its release.

    Raises UnknownBackend for a name or an option that is not there.
    """
    head, release, options = split(name)
    if release is not None or options:
        spec(name)
    entry = _provided(head)
    if entry is None:
        _point(head)
        return replace(next(one for one in _plugged_in() if one.name == head), name=name)
    found = _shipped_info(entry, options)
    if release is not None and found.installed:
        try:
            _require_release(name, entry.distribution, release)
        except BackendUnavailable as error:
            found = replace(found, installed=False, version="", hint=str(error))
    return replace(found, name=name)


def _shipped_infos() -> Iterator[Info]:
    return map(_shipped_info, SHIPPED)


def _shipped_info(entry: ShippedBackend, text: str = "") -> Info:
    """With the options of ``text``; UnknownBackend where these name what is not there."""
    module = importlib.import_module(entry.module)
    hint = missing(entry) or find_clash(entry)
    version, native = "", ()
    if not hint and (text or entry is not PROGRAMS):
        try:
            backend = module.make(text)
            version = getattr(backend, "version", "")
            native = tuple(sorted(kind.__name__ for kind in backend.native))
        except BackendUnavailable as error:
            hint = str(error)
        except UnknownBackend as error:
            if text:
                raise
            hint = str(error)
    options = tuple(f"{o.name}={o.default}" for o in module.OPTIONS)
    solvers = list_solvers(entry)
    return Info(entry.name, entry.about, not hint, version, native, options, hint, solvers)


def list_solvers(entry: ShippedBackend) -> tuple[str, ...]:
    """The solvers that are here of a backend that is a way to several."""
    if not entry.process:
        return ()
    try:
        return tuple(importlib.import_module(entry.module).list_found())
    except BackendUnavailable:
        return ()


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
            options = tuple(f"{o.name}={o.default}" for o in _declared(maker, "OPTIONS"))
            backend = maker("")
            version = str(getattr(backend, "version", "")) or version
            native = tuple(sorted(kind.__name__ for kind in backend.native))
        except BackendUnavailable as error:
            hint = str(error)
        except Exception as error:  # as in ``_maker``
            cause = f"{type(error).__name__}: {error}".splitlines()[0]
            hint = f"{point.name} ({point.value}) cannot be made: {cause}"
        yield Info(point.name, about, not hint, version, native, options, hint)


def _declared(maker: Any, name: str) -> Any:
    """The ``OPTIONS`` or ``PARAMETERS`` of a plug-in, or of its module, as the backends that ship
    have them; empty without them."""
    module = sys.modules.get(getattr(maker, "__module__", ""))
    return getattr(maker, name, getattr(module, name, ()))


def require(distribution: str, module: str, backend: str, install: str) -> Any:
    """Import ``module`` or raise ``BackendUnavailable`` that says what to install.

    Raises ``HiddenSolver`` for one that the working folder provides.
    """
    ensure_not_of_working_folder(module, backend)
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BackendUnavailable(
            f"{backend} needs {distribution}, which cannot be imported ({error}): {install}"
        ) from error


def ensure_not_of_working_folder(module: str, backend: str) -> None:
    """Raise ``HiddenSolver`` where the working folder provides the module of a solver."""
    place = find_in_working_folder(module)
    if place:
        raise HiddenSolver(
            f"{backend}: the module {module.partition('.')[0]!r} of its solver would come from "
            f"{place}, in the working folder, and not from what is installed; rename it, or start "
            "concord in another folder"
        )


def _explain_hidden(name: str, module: Any) -> str:
    """That a file beside the user is not the module that was imported, if so it is."""
    top = name.partition(".")[0]
    if PathFinder.find_spec(top, [os.getcwd()]) is None or find_in_working_folder(top):
        return ""
    found = getattr(module, "__file__", None) or "a module of Python itself"
    return f" (it is {found}, which comes before the one in {os.getcwd()}; rename yours)"


def _from_python(name: str, path: str) -> Backend:
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise UnknownBackend(f"{name!r}: write py:package.module:attribute")
    append_working_folder()
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise UnknownBackend(f"{name}: cannot import {module_name} ({error})") from error
    try:
        found = getattr(module, attribute)
    except AttributeError:
        hint = _explain_hidden(module_name, module) or did_you_mean(attribute, vars(module))
        raise UnknownBackend(
            f"{name}: {module_name} has no attribute {attribute!r}{hint}"
        ) from None
    is_maker = isinstance(found, type) or (callable(found) and not hasattr(found, "solve"))
    made: Backend = found() if is_maker else found
    for needed in ("name", "native", "accepts", "solve"):
        if not hasattr(made, needed):
            raise UnknownBackend(f"{name} is not a Backend: it has no {needed!r}")
    return made
