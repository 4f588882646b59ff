"""Samples taken in blocks, with an eye on what else the machine did: a disturbed block is repeated.

Words
-----
outside     cores that others kept busy meanwhile: all CPU time of the machine less that of this
            process and what it started
disturbed   a block of runs with more outside load or steal than ``QUIET`` allows; it is repeated up
            to ``patience`` times. Quiet blocks and disturbed ones are counted separately; the
            figures are those of the quiet ones, or of all when none was quiet
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

QUIET = 0.25
"""Cores kept busy by others, or stolen, up to which a block counts as quiet."""

BLOCK = 100
"""Jobs in a block."""


@dataclass
class Block:
    """Samples of one block, and the cores that others took while it ran."""

    samples: list[Any]
    outside: float
    steal: float

    @property
    def quiet(self) -> bool:
        return self.outside + self.steal <= QUIET


@dataclass
class Sampled:
    """Blocks of one part, repeated where they were disturbed."""

    blocks: list[Block] = field(default_factory=list)

    def best(self) -> list[Any]:
        """The samples of the quiet blocks, or all when none was quiet."""
        chosen = [b for b in self.blocks if b.quiet] or self.blocks
        return [sample for block in chosen for sample in block.samples]

    def everything(self) -> list[Any]:
        """The samples of all blocks."""
        return [sample for block in self.blocks for sample in block.samples]

    def about(self) -> dict[str, Any]:
        """Return the number of quiet blocks, and how disturbed the others were."""
        quiet = sum(block.quiet for block in self.blocks)
        return {
            "blocks_quiet": quiet,
            "blocks_disturbed": len(self.blocks) - quiet,
            "outside_cores_most": round(max(b.outside for b in self.blocks), 2),
            "steal_cores_most": round(max(b.steal for b in self.blocks), 2),
        }


def _busy() -> tuple[float, float]:
    """CPU seconds of all cores since the machine started: in use, and stolen."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, soft, steal = map(int, file.readline().split()[1:9])
    tick = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + soft) / tick, steal / tick


def _own() -> float:
    """CPU seconds of this process and all that it has started and seen end."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def observed(run: Callable[[], list[Any]]) -> Block:
    """Run a block, and note what others did meanwhile."""
    started, (busy, stolen), own = time.perf_counter(), _busy(), _own()
    samples = run()
    took, (busy_then, stolen_then) = time.perf_counter() - started, _busy()
    outside = max(0.0, busy_then - busy - (_own() - own)) / took
    return Block(samples, outside, (stolen_then - stolen) / took)


def sample(number: int, run: Callable[[int], list[Any]], patience: int) -> Sampled:
    """``number`` samples in blocks; disturbed blocks are repeated, in all ``patience`` times."""
    found = Sampled()
    while number > 0:
        size = min(number, BLOCK)
        block = observed(lambda size=size: run(size))  # type: ignore[misc] # bound at once
        found.blocks.append(block)
        if block.quiet or patience <= 0:
            number -= size
        else:
            patience -= 1
    return found
