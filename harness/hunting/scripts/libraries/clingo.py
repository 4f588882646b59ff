"""Scripts for clingo: the ground program that the backend writes, and clingo's own search."""

from __future__ import annotations

from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The program in clingo's own format; atoms that are shown are numbered."""
    task.enumerate_for_optimum()
    program, call = task.prepare()
    made = program.instance(call.problem)
    defaults = [domain[-1] for domain in made.domains]
    size = task.problem.structure.size
    arguments = [one for one in task.solver.arguments(call) if one]
    build = [
        f"program = {made.written()!r}",
        f"shown = {made.shown}",
        "path = tempfile.mkstemp('.aspif')[1]",
        "pathlib.Path(path).write_text(program)",
        f"control = clingo.Control({arguments})",
        "control.load_aspif([path])",
    ]
    search = [
        "found = []",
        "with control.solve(yield_=True) as handle:",
        "    for model in handle:",
        f"        values = {defaults}",
        "        for symbol in model.symbols(shown=True):",
        "            values[shown[symbol.number][0]] = shown[symbol.number][1]",
        f"        found.append(tuple(values[:{size}]))",
    ]
    imports = ("import pathlib", "import tempfile", "", "import clingo")
    return Native(imports, tuple(build), tuple(search), ())
