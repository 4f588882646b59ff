"""`concord selftest`: are liars caught here? One line for each that ships."""

from __future__ import annotations

from harness.cli import options
from harness.cli.command import TROUBLE, verb
from harness.cli.screen import Screen
from modelling.wording import plural


@verb("concord selftest", "concord selftest --jobs 2", "concord selftest --json")
def selftest(
    jobs: int = options.jobs(1),
    as_json: bool = options.JSON,
    quiet: bool = options.QUIET,
) -> int:
    """Run every liar that ships, and see whether it is caught.

    Each liar that ships lies in one way: about solutions, counts, optima, times, or by attacking
    rivals and the store. A line names the check that caught it. The exit status is 0 if all were
    caught and no honest solver was harmed, else 1.
    """
    from harness.selftest.hunt import hunt

    screen = Screen(quiet)
    catches = []
    for catch in hunt(jobs):
        catches.append(catch)
        if not as_json:
            screen.line(catch.describe(screen.width))
            screen.flush()
    missed = [catch.liar for catch in catches if not catch.check]
    if as_json:
        screen.json({"caught": len(catches) - len(missed), "liars": [c._asdict() for c in catches]})
    else:
        screen.line("")
        number = plural(len(catches), "liar")
        screen.hang("", f"{len(catches) - len(missed)} of {number} caught")
    for name in missed:
        screen.complain(f"{name} was not caught")
    return TROUBLE if missed else screen.status
