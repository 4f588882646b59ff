"""Where a verb writes: standard output, or a file that is there only when it is whole."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, cast

from modelling.errors import InputError


@contextmanager
def opened(out: Path | None) -> Iterator[IO[str]]:
    """Standard output without a path; compressed if the path ends in ``.gz``.

    Raises ``InputError`` for a file that cannot be written.
    """
    if out is None:
        if isinstance(sys.stdout, TextIOWrapper):  # the same bytes on every system
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        return
    part = out.with_name(f".{out.name}.part")
    packed: Any = gzip.open if out.name.endswith(".gz") else open
    try:
        with packed(part, "wt", encoding="utf-8", newline="\n") as stream:
            yield cast(IO[str], stream)
        part.replace(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error}") from error
    finally:
        part.unlink(missing_ok=True)
