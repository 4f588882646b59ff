"""Where releases of others are known to differ from the oracle on files of ours, and why.

Each has been followed up to the release that is wrong; ``docs/disagreements.md`` has cases.
``tests/studies/formats/test_outside_readers.py`` asks those programs again that are installed, so
that a release that does better is noticed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec


class Difference(msgspec.Struct):
    """Where a reader does not say what the oracle says, with the file."""

    number: int
    question: str
    fault: str
    text: str
    problem: str


class Known(NamedTuple):
    """The signs of a difference of a release: in the fault, and in the file."""

    reader: str
    version: str
    fault: str
    text: str
    cause: str


_TWICE = r"<list>(?:[^<]* )?(\w+) (?:[^<]* )?\1 [^<]*</list>"

KNOWN = (
    Known("ace", "2.6", "No variable in your model", r"", "crashes where nothing is constrained"),
    Known(
        "ace",
        "2.6",
        "ArrayIndexOutOfBounds",
        r"<allDifferent> [^<(]* </allDifferent>",
        "crashes on an allDifferent of a few variables whose domains differ",
    ),
    Known(
        "ace",
        "2.6",
        "ArrayIndexOutOfBounds",
        rf"<(?:maximum|minimum)>\s*{_TWICE}",
        "crashes on an extreme that has a variable twice",
    ),
    Known("ace", "2.6", "repeats", r"mul\(0,", "shows solutions twice where a factor is 0"),
    Known(
        "ace",
        "2.6",
        "Exception",
        r"<element>\s*<list> \w+ </list>",
        "refuses an element of one variable",
    ),
    Known(
        "ace",
        "2.6",
        'scope" is null',
        r"mul\(0,|eq\(0,1\)",
        "crashes on an expression that is constant",
    ),
    Known("ace", "2.6", "ERROR", r"<condition> \(ne,", "refuses some sums and extremes with ne"),
    Known(
        "ace", "2.6", "ERROR", rf"<nValues>\s*{_TWICE}", "refuses an nValues with a variable twice"
    ),
    Known("ace", "2.6", "ERROR", r"<lex>", "refuses some lists in order with a variable twice"),
    Known("ace", "2.6", "ERROR", r"<element>", "refuses an element whose index may be outside"),
    Known("ace", "2.6", "ERROR", r"div\(", "refuses some quotients of variables"),
    Known(
        "ace",
        "2.6",
        "scope badly formed",
        r"<conflicts>",
        "refuses a table of excluded tuples over variables of one value",
    ),
    Known("ace", "2.6", "fatalError", r"\((?:ge|gt),-", "refuses a count beside a negative number"),
    Known("choco", "4.10.15", "UNSUPPORTED", r"<except>", "refuses nValues with excepted values"),
    Known(
        "choco",
        "4.10.15",
        'scope" is null',
        r"eq\(0,1\)",
        "crashes on an expression without variables",
    ),
    Known(
        "cosoco",
        "2.6.1",
        "UNSUPPORTED",
        r"<except>|<(?:maximum|minimum)>\s*<list> [^<]*\(",
        "refuses nValues with excepted values, and extremes of expressions",
    ),
    Known(
        "cosoco",
        "2.6.1",
        "scope contains variable",
        rf"<(?:maximum|minimum|nValues|(?:max|min)imize[^>]*)>\s*{_TWICE}",
        "refuses constraints that have a variable twice",
    ),
    Known(
        "cosoco",
        "2.6.1",
        "Solution Error|no end within",
        r"imize> -?[0-9]+ <|<coeffs> (?:0 )+</coeffs>|<list> (\w+) \1 </list>\s*<coeffs> 1 -1 <",
        "does not optimise a constant",
    ),
    Known("cosoco", "2.6.1", "nothing", r"<variables>\s*</variables>", "crashes without variables"),
    Known(
        "cosoco",
        "2.6.1",
        "nothing",
        r"<constraints>\s*</constraints>",
        "crashes without constraints",
    ),
    Known("cosoco", "2.6.1", "nothing", r"mul\(0,", "crashes where a factor is 0"),
    Known(
        "cosoco",
        "2.6.1",
        "nothing",
        r"<element>\s*<list> \w+ </list>",
        "crashes on an element of one variable",
    ),
    Known(
        "minizinc",
        "2.6.4",
        "no function or predicate with this signature found: `nvalue",
        r"nvalue_fn.mzn",
        "Debian's library for Gecode 6.2 replaces nvalue.mzn by one that 2.6.4 cannot use",
    ),
    Known(
        "minizinc",
        "2.6.4",
        r"solutions|repeats|optimum",
        r"array[12]d\([^\[]*\[[^\[]*\]\)\[[^\[]*\] (?:div|mod) ",
        "forgets in a division that an index is outside its array",
    ),
)
"""All of them. A release that is not listed here is not excused."""


def find_cause(reader: str, version: str, one: Difference) -> str:
    """Why a release differs there; empty if that is not known."""
    for known in KNOWN:
        same = (known.reader, known.version) == (reader, version.removesuffix("-beta"))
        if same and re.search(known.fault, one.fault) and re.search(known.text, one.text):
            return known.cause
    return ""
