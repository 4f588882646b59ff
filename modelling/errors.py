"""Every error that Concord raises on purpose, in one hierarchy.

    ConcordError
    ├── InputError             what the user gave cannot be used as it is
    │   ├── ModelError         a structure, constraint or assignment that has no meaning
    │   ├── InstanceError      an instance text that cannot be read, or whose givens clash
    │   ├── ExperimentError    an experiment or a command's settings
    │   └── StoreError         a run folder or store that cannot be opened, read or written
    │       └── FolderTaken    a new run was to be written where another one is
    ├── BackendError
    │   ├── UnknownBackend     no backend, or no option of it, has this name
    │   ├── BackendUnavailable the solver behind a backend is not installed or not usable
    │   │   └── HiddenSolver   the working folder has a module of the solver's name
    │   ├── Unsupported        a backend cannot express a constraint or answer a question
    │   ├── ProgramFailed      a solver that is a program of its own did not answer as it should
    │   ├── MissingHandler     a constraint reached a solver that has nothing to pose it by
    │   ├── ContradictoryResult a result that says two things that cannot both be true
    │   └── Unfinished         a limit ended a search before it could answer
    ├── FetchError             a public set that could not be fetched
    │   └── Unreachable        no server could be reached at all
    ├── OutOfGuesses           a puzzle that grading by hand could not come to an end with
    ├── NotAsWished            a generated set that did not come out as its recipe says
    └── WorkerError            a worker process that does not speak the protocol

A message names the thing, the place, the cause and the remedy; the command line prints it as it is
and leaves with status 2.
"""

from __future__ import annotations

import warnings


class ConcordError(Exception):
    """Root of the hierarchy: catch this to catch everything that Concord raises on purpose."""


class InputError(ConcordError):
    """Something that the user gave cannot be used as it is."""


class ModelError(InputError):
    """A structure, a constraint or an assignment that has no meaning."""


class InstanceError(InputError):
    """An instance that cannot be read, or whose givens contradict the rules at once.

    ``place`` is ``source:line:column`` (1-based), or as much of it as is known.
    """

    def __init__(self, cause: str, place: str = "") -> None:
        super().__init__(f"{place}: {cause}" if place else cause)
        self.cause = cause
        self.place = place


class ExperimentError(InputError):
    """An experiment file, or settings on the command line, that cannot be run."""


class StoreError(InputError):
    """A run folder or a store that cannot be opened, read or written."""


class StoreAltered(ConcordError):
    """A store that another program has written to, so that nothing of it can be used."""


class StoreBusy(ConcordError):
    """A store that another program has kept locked for too long; what was to be written is kept."""


class FolderTaken(StoreError):
    """A folder that was chosen for a new run holds another one already."""


class BackendError(ConcordError):
    """Something about a backend rather than about a problem."""


class UnknownBackend(BackendError, InputError):
    """No backend, or no option of a backend, has the name that was given."""


class BackendUnavailable(BackendError):
    """The solver behind a backend is missing or unusable; the message says what to install."""


class HiddenSolver(BackendUnavailable):
    """The module of a solver that ships would be imported from the working folder."""


class Unsupported(BackendError):
    """A backend cannot express a constraint of a problem, or cannot answer the question asked."""

    def __init__(self, backend: str, what: str, why: str = "") -> None:
        super().__init__(f"{backend} does not support {what}" + (f": {why}" if why else ""))
        self.backend = backend
        self.what = what
        self.why = why

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str, str, str]]:
        return type(self), (self.backend, self.what, self.why)


class ProgramFailed(BackendError):
    """A solver that runs as a separate program ended without a usable answer.

    The answer is missing, cannot be read or is not a solution. The message contains the command
    and the program's last output.
    """


class MissingHandler(BackendError):
    """A constraint reached a solver that has no handler for it; leaving it out would be another
    problem."""


class ContradictoryResult(BackendError):
    """A result that says two things which cannot both be true; it is never written."""


class Unfinished(BackendError):
    """A limit ended a search before it could answer; ``best`` is the best solution so far, if any.

    ``result`` is the backend's result.
    """

    def __init__(self, message: str, result: object = None, best: object = None) -> None:
        super().__init__(message)
        self.result = result
        self.best = best


class OutOfGuesses(ConcordError):
    """A search took more guesses than it was allowed."""


class FetchError(ConcordError):
    """A set that could not be fetched; the message says why, and what can be done."""


class Unreachable(FetchError):
    """No server could be reached at all: it is likely that none can."""


class NotAsWished(ConcordError):
    """A generated set that did not come out as its recipe says."""


class WorkerError(ConcordError):
    """A worker process that does not speak the protocol."""


def __getattr__(name: str) -> type[InstanceError]:
    """Return ``InstanceError`` under its former name, with a warning."""
    if name == "PuzzleError":
        warnings.warn(
            "modelling.errors.PuzzleError is called InstanceError now",
            DeprecationWarning,
            stacklevel=2,
        )
        return InstanceError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
