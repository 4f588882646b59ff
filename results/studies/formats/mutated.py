"""What becomes of 10,000 damaged files of each format in which the field states problems.

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

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from modelling.errors import ModelError, PuzzleError
from modelling.formats import Format, find_format
from puzzles.random_stream import Stream
from results.studies.formats.samples import SAMPLES
from results.studies.puzzles.mutants import MOST_OPERATIONS, OPERATIONS, Operation
from results.studies.puzzles.mutations import FINE, has_place, measured, run_child, table

SEED = 5
BLOCK = 1000
MOST_MB = 1000
ADDRESS_SPACE = 4 << 30
"""A guard only: what counts is the peak that is measured."""

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
"""What a token is replaced by: numbers out of all bounds, depth, signs of other formats."""


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
    except PuzzleError as error:
        return "errors" if has_place(error, path, lines) else f"placeless: {error}"
    except ModelError as error:  # which whoever reads files gives the place of the file
        return "errors" if str(error) else "placeless: an empty error"
    except Exception as error:  # what is being looked for
        return f"traceback: {type(error).__name__}: {error}"
    return "puzzles"


# --- the measurement ------------------------------------------------------------------------------


def read_blocks(path: Path | None) -> list[dict[str, Any]]:
    """The blocks that have ended; a last line that was cut off is not one."""
    if path is None or not path.is_file():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [msgspec.json.decode(line) for line in lines if line.endswith(b"\n")]


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write to ``--out``; 1 if there is a failure."""
    parser = argparse.ArgumentParser(description="what becomes of damaged files")
    parser.add_argument("--number", type=int, default=10_000)
    parser.add_argument("--format", action="append", choices=tuple(SAMPLES))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    names = chosen.format or list(SAMPLES)
    if chosen.child is not None:
        form, numbers = find_format(names[0]), range(chosen.first, chosen.number)
        path = chosen.child / f"mutant{form.endings[0]}"
        make, judge = partial(make_mutant, form.name), partial(outcome, form)
        run_child(numbers, path, chosen.seconds, make, judge, ADDRESS_SPACE)
        return 0
    path = None if chosen.out is None else chosen.out / "mutated.jsonl"
    blocks = read_blocks(path)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(msgspec.json.encode(block) + b"\n" for block in blocks))
    known = {(block["format"], block["first"], block["files"]) for block in blocks}
    for first in range(0, chosen.number, BLOCK):
        last = min(first + BLOCK, chosen.number)
        for name in names:
            if (name, first, last - first) in known:
                continue
            found = measured(
                name, last, chosen.seconds, first=first, module=__spec__.name, most_mb=MOST_MB
            )
            block = {"first": first} | found
            blocks.append(block)
            if path is not None:
                with path.open("ab") as file:
                    file.write(msgspec.json.encode(block) + b"\n")
            print(table([block]).splitlines()[-1], file=sys.stderr, flush=True)
            for failure in block["failures"][:5]:
                print(failure, file=sys.stderr, flush=True)
    rows = add_up(blocks)
    page = report(rows, chosen.seconds)
    print(page)
    if chosen.out is not None:
        (chosen.out / "mutated.md").write_text(page, encoding="utf-8")
    return 1 if any(row["failures"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
