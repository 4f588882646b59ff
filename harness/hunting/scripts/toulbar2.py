"""Scripts for toulbar2, by pytoulbar2."""

from __future__ import annotations

from backends.toulbar2.backend import FROM_FIRST_SOLUTION
from backends.toulbar2.network import Network
from harness.hunting.scripts.recording import Recording
from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The network that the backend makes, and toulbar2's own search for solutions."""
    task.enumerate_for_optimum()
    recording, library = Recording(), task.solver.library
    recipe, call = task.prepare()
    vns = FROM_FIRST_SOLUTION if task.solver.vns else None
    made = recording.wrap(library.CFN(1, vns=vns), "network")
    network = Network(made, call.problem)
    for pose, constraint, condition in recipe.posts:
        pose(network, constraint, condition)
    network.finish()
    build = [f"network = pytoulbar2.CFN(1{f', vns={vns}' if vns else ''})"]
    build += [line.replace("inf", "network.Top") for line in recording.lines]
    build += [
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
    return Native(("import pytoulbar2",), tuple(build), tuple(search), ())
