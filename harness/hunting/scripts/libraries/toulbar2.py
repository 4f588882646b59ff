"""Scripts for toulbar2, by pytoulbar2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backends.toulbar2.backend import FROM_FIRST_SOLUTION
from backends.toulbar2.network import Network
from harness.hunting.scripts.recording import Recording
from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The network that the backend makes, and toulbar2's own search for solutions."""
    task.enumerate_for_optimum()
    library, vns = task.solver.library, FROM_FIRST_SOLUTION if task.solver.vns else None
    recording = Recording(note=lambda lines: task.note(write_build(lines, vns)))
    recipe, call = task.prepare()
    made = recording.wrap(library.CFN(1, vns=vns), "network")
    network = Network(made, call.problem)
    for pose, constraint, condition in recipe.posts:
        pose(network, constraint, condition)
    network.finish()
    native = write_build(recording.lines, vns)
    options = [
        f"pytoulbar2.tb2.option.{name} = {value!r}"
        for name, value in task.solver.parameters.items()
    ]
    size = task.problem.structure.size
    domains = [list(domain) for domain in call.problem.structure.domains[:size]]
    search = [
        f"domains = {domains}",
        f"network.Solve(allSolutions={task.most})",
        "rows = [row for _, row in network.GetSolutions()]",
        "found = [tuple(of[k] for of, k in zip(domains, row)) for row in rows]",
    ]
    return replace(native, build=(*native.build, *options), search=tuple(search))


def write_build(lines: Sequence[str], vns: int | None) -> Native:
    """The network alone."""
    made = f"network = pytoulbar2.CFN(1{f', vns={vns}' if vns else ''})"
    return Native(
        ("import pytoulbar2",), (made, *(line.replace("inf", "network.Top") for line in lines))
    )
