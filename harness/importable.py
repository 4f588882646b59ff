"""What a worker can import: backends and families of one's own must stand in a file.

A worker is a process of its own, so that what is defined in a notebook cell or in the script that
is being run does not exist in it: its ``__main__`` is another one.
"""

from __future__ import annotations

from modelling.errors import ExperimentError

_UNREACHABLE = ("__main__", "__mp_main__")


def ensure_importable(name: str, what: str) -> None:
    """Raise ExperimentError for a ``py:`` name that only this process knows.

    ``what`` says in the message what it is: ``a backend`` or ``a family``.
    """
    kind, _, path = name.partition(":")
    module, _, attribute = path.partition(":")
    if kind == "py" and module in _UNREACHABLE:
        raise ExperimentError(f"{name}: {_remedy(what, attribute or 'Mine')}")


def unreachable(made: object) -> str:
    """Why a backend that was given as an object or a class cannot be run, and what to do."""
    kind = made if isinstance(made, type) else type(made)
    if kind.__module__ in _UNREACHABLE:
        return _remedy("a backend", kind.__name__)
    return (
        f"expected the name of a backend, not {kind.__name__} itself, which a worker process "
        f"cannot be given; name it py:{kind.__module__}:{kind.__name__}"
    )


def _remedy(what: str, attribute: str) -> str:
    return (
        f"{what} defined in a notebook cell or in the script itself cannot be reached "
        f"by a worker process; write it to a file beside, say mine.py, and name it "
        f"py:mine:{attribute}"
    )
