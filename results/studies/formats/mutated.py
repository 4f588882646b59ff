"""Does each of 10,000 damaged files of the field's formats end in a problem or an error?

    python -m results.studies.formats.mutated [--number N] [--format NAME]... [--out FOLDER]

A mutant is a sample (``samples``) to which a few things were done: to its bytes
(``results.studies.puzzles.mutants``), to its tokens, to its lines and elements. It must come out
as a problem, or as an error with ``file:line:column``; what else there is, a failure, is said in
``results.studies.puzzles.mutations``, whose children read them. Mutants come in blocks of 1,000;
``mutated.jsonl`` in ``--out`` gets a line when one has ended, and a block that is in it is not read
again, so an interrupted study continues. ``mutated.md`` is the table; exit status 1 if there is a
failure.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

from modelling.errors import InstanceError, ModelError
from modelling.formats import Format, find_format
from puzzles.random_stream import Stream
from results.studies.formats.samples import SAMPLES
from results.studies.puzzles.mutants import MOST_OPERATIONS, OPERATIONS, Operation
from results.studies.puzzles.mutations import (
    FINE,
    has_place,
    measure_mutants,
    parse_child,
    run_child,
    table,
)
from results.studies.runner import Known, Options, Study, option

SEED = 5
BLOCK = 1000
MOST_MB = 1000
ADDRESS_SPACE = 4 << 30
"""A guard only: what counts is the measured peak."""

_TOKEN = re.compile(rb"[A-Za-z_][\w.]*|[+-]?\d+|[^\w\s]")
_ELEMENT = re.compile(rb"<(\w{1,40})\b[^<>]*>[^<]*</\1>")
_LINE = re.compile(rb"[^\n;]+[\n;]?")

WORDS = (
    *(b"0", b"-1", b"1", b"2", b"2147483648", b"-9223372036854775809", b"1e3", b"1.5", b"x", b"x1"),
    *(b"9" * 30, b"9" * 5000, b"0..1000000000", b"0..9999999999999999999", b"1x1000000000"),
    *(b"[1000000][1000000]", b"{}", b"[]", b"[]" * 50, b"(*,*)", b"%0", b"%...", b"true", b"var"),
    *(b"-0", b"+", b"~", b"~x1", b"int", b"set of int", b"1..0", b"not(" * 2000, b"(" * 5000),
    *(b"add(" * 500 + b"1" + b")" * 500, b"add(" * 50_000, b"&lt;", b"&e;", b"<!ENTITY a 'b'>"),
)
"""Replacements of a token: numbers out of all bounds, depth, signs of other formats."""


def _find(data: bytearray, pattern: re.Pattern[bytes], stream: Stream) -> slice:
    """One of the places that match."""
    spans = [found.span() for found in pattern.finditer(data)] or [(0, 0)]
    return slice(*stream.choice(spans))


def _replace_token(data: bytearray, stream: Stream) -> None:
    data[_find(data, _TOKEN, stream)] = stream.choice(WORDS)


def _copy_token(data: bytearray, stream: Stream) -> None:
    data[_find(data, _TOKEN, stream)] = bytes(data[_find(data, _TOKEN, stream)])


def _drop_token(data: bytearray, stream: Stream) -> None:
    del data[_find(data, _TOKEN, stream)]


def _copy_element(data: bytearray, stream: Stream) -> None:
    """An element or line, once more, elsewhere or in place of another one."""
    pattern = _ELEMENT if b"</" in data else _LINE
    part = bytes(data[_find(data, pattern, stream)])
    other = _find(data, pattern, stream)
    data[other.start if stream.below(2) else other.stop : other.stop] = part


def _drop_element(data: bytearray, stream: Stream) -> None:
    del data[_find(data, _ELEMENT if b"</" in data else _LINE, stream)]


STRUCTURAL: tuple[Operation, ...] = (
    *(_replace_token, _replace_token, _copy_token, _drop_token, _copy_element, _drop_element),
)


def make_mutant(name: str, number: int) -> bytes:
    """Mutant ``number`` of a format; it depends on both alone."""
    stream = Stream(SEED, crc32(name.encode()), number)
    data = bytearray(stream.choice(SAMPLES[name]).encode())
    for _ in range(1 + stream.below(MOST_OPERATIONS)):
        kinds = stream.choice((OPERATIONS, STRUCTURAL, STRUCTURAL))
        stream.choice(kinds)(data, stream)
    return bytes(data)


def outcome(form: Format, path: Path) -> str:
    """What becomes of one file: ``puzzles`` for a problem, ``errors``, or a failure."""
    data = path.read_bytes()
    lines = data.count(b"\n") + data.count(b"\r") + 2
    try:
        form.read(data, str(path))
    except InstanceError as error:
        return "errors" if has_place(error, path, lines) else f"placeless: {error}"
    except ModelError as error:  # which whoever reads files gives the place of the file
        return "errors" if str(error) else "placeless: an empty error"
    except Exception as error:  # what is being looked for
        return f"traceback: {type(error).__name__}: {error}"
    return "puzzles"


# --- the measurement ------------------------------------------------------------------------------


def add_up(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a format."""
    by_format: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for block in blocks:
        by_format[block["format"]].append(block)
    return [
        {
            "format": name,
            "files": sum(block["files"] for block in own),
            "outcomes": dict(sum((Counter(block["outcomes"]) for block in own), Counter())),
            "failures": [failure for block in own for failure in block["failures"]],
            "peak_mb": max(block["peak_mb"] for block in own),
            "slowest_s": max(block["slowest_s"] for block in own),
        }
        for name, own in by_format.items()
    ]


def report(rows: Sequence[dict[str, Any]], seconds: float) -> str:
    """The table with what it means, as Markdown."""
    failures = [
        f"- {row['format']} {one['mutant']}: {one['outcome'][:300]}"
        for row in rows
        for one in row["failures"]
    ]
    return f"""# Damaged files of the formats of problems

Written by `python -m results.studies.formats.mutated` (seed {SEED}). Every file ends in a problem
({FINE[0]}) or in an error with `file:line:column`; a failure would be a traceback, an error without
a place, more than {seconds:g} s of CPU time for a file, or more than {MOST_MB} MB. Peak memory is
that of the process that read a block of {BLOCK:,} files one after the other, interpreter included.

{table(rows)}
""" + "".join(f"\n{line}" for line in failures)


def measure(chosen: Options, known: Known) -> Iterator[dict[str, Any]]:
    """The blocks that are not known, of all formats in turn."""
    for first in range(0, chosen.number, BLOCK):
        last = min(first + BLOCK, chosen.number)
        for name in chosen.format or SAMPLES:
            if (name, first, last - first) not in known:
                yield {"first": first} | measure_mutants(
                    name, last, chosen.seconds, first=first, module=MODULE, most_mb=MOST_MB
                )


MODULE = __spec__.name
"""The module's name, also where it is run as a program."""

STUDY = Study(
    "formats.mutated",
    __doc__,
    dict[str, Any],
    key=lambda block: (block["format"], block["first"], block["files"]),
    measure=measure,
    report=lambda blocks, chosen: report(add_up(blocks), chosen.seconds),
    describe=lambda block: table([block]).splitlines()[-1],
    faults=lambda blocks: [str(one) for block in blocks for one in block["failures"]],
    data="mutated.jsonl",
    place="formats",
    resumes=True,
    options=(
        option("--number", 10_000, "mutants of each format"),
        option("--format", [], "this one alone", choices=tuple(SAMPLES)),
        option("--seconds", 10.0, "of CPU time for a file at most"),
    ),
)


def main(words: Sequence[str] | None = None) -> int:
    """Measure, or, in a process of its own, read a block of damaged files."""
    child = parse_child(words)
    if child is None:
        return STUDY.main(words)
    form = find_format(child.format)
    make, judge = partial(make_mutant, form.name), partial(outcome, form)
    run_child(child, form.endings[0], make, judge, ADDRESS_SPACE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
