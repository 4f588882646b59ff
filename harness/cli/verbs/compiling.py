"""`concord compile`: the machine code of the project's own engine, before anything waits for it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from harness.cli import options
from harness.cli.bars import show_items
from harness.cli.command import TROUBLE, verb
from harness.cli.screen import Screen
from modelling.wording import format_duration, plural

if TYPE_CHECKING:
    from backends.propagation.everything import Batch


@verb("concord compile", "concord compile --jobs 1", name="compile")
def compile_all(
    jobs: int | None = options.jobs(
        None, "Compile in J processes at the same time (default: one for each core)."
    ),
    quiet: bool = options.QUIET,
) -> int:
    """Compile all of propagation, so that no later search waits.

    A search compiles what it needs, once; what is compiled is kept for later processes. After
    Ctrl-C this command continues where it stopped. It needs the extra `compiled`.
    """
    from backends.propagation.everything import list_batches
    from backends.propagation.forms import machine
    from harness.machine import this_machine
    from harness.streams.side_by_side import do_in_order

    screen, began = Screen(quiet), perf_counter()
    machine()
    batches = list_batches()
    total = sum(map(len, batches))
    done = kept = 0
    compiled = do_in_order(
        min(jobs or this_machine().usable, len(batches)),
        prepare=_prepare,
        works=batches,
        ahead=len(batches),
        describe=_describe,
    )
    with show_items(screen, "functions", total, timed=False) as show:
        for batch, number in zip(batches, compiled, strict=True):
            done, kept = done + len(batch), kept + number
            show(done)
    took = format_duration(perf_counter() - began)
    if kept < total:
        screen.complain(
            f"{plural(total - kept, 'function')} cannot be kept: no folder can be written; let "
            "NUMBA_CACHE_DIR name one that can"
        )
        return TROUBLE
    screen.line(f"propagation: {plural(total, 'function')} compiled in {took}")
    return screen.status


def _prepare() -> Callable[[Batch], int]:
    from backends.propagation.everything import compile_batch

    return compile_batch


def _describe(batch: Batch) -> str:
    return f"compiled {batch[0].module}"
