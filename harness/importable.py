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
        attribute = attribute or "Mine"
        raise ExperimentError(
            f"{name}: {what} defined in a notebook cell or in the script itself cannot be reached "
            f"by a worker process; write it to a file beside, say mine.py, and name it "
            f"py:mine:{attribute}"
        )
