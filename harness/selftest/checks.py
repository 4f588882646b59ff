"""The name of the check that caught a liar, by what the run says of its answers."""

from __future__ import annotations

import re

CHECKS = (
    ("solutions checked", r"solution \d+ (fails by|does not hold)|on its way .* does not hold"),
    ("proofs checked", r"proof is rejected"),
    ("the system's account", r"the system counted|without a job|no proof of such"),
    ("limits kept", r"killed after the limit"),
    ("times by a clock of our own", r"hides time in"),
    ("what is left behind", r"left behind after job"),
    ("the worker's protocol", r"not the worker's protocol"),
    ("records that cannot be", r"record cannot be true|times out of order"),
    ("records sealed", r"another program"),
    ("phases add up", r"its phases|the phase"),
    ("objectives calculated", r"its objective is"),
    ("bounds against solutions", r"the bound .* is broken"),
    ("optima against solutions", r"is not the best|on its way it reported"),
    ("counts against solutions", r"are known, checked|are not those that are known"),
    ("claims compared", r", against "),
    ("digest of what is shown", r"its digest"),
    ("the question answered", r"does not settle|called it enough|from outside stopped it"),
    (
        "plain values",
        r"(not|be) a plain|of more than|not a Result|a result cannot say|be a tuple|is none of",
    ),
    ("repeats admitted", r"reported more than once"),
    ("what is claimed is shown", r"must be shown|shown more than once"),
)
"""Checks, and what each of them says; the first that fits is the one."""

OTHER = "another check"


def name_check(said: str) -> str:
    """The check that said this of an answer."""
    said = said.partition("; it claims")[0]
    return next((name for name, pattern in CHECKS if re.search(pattern, said)), OTHER)
