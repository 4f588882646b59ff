"""Scripts for the SAT solvers of python-sat, and for pycosat: clauses, and models one by one."""

from __future__ import annotations

from backends.sat.encode import Encoding
from harness.hunting.scripts.recording import Unwritable
from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The clauses, and for each variable the literals of its values."""
    task.enumerate_for_optimum()
    encoding, call = task.prepare()
    engine = task.solver.engine
    is_pycosat = type(engine).__name__ == "Pycosat"
    engine = getattr(engine, "library", engine)
    clauses = [list(clause) for clause in encoding.every_clause()]
    clauses += [[literal] for literal in encoding.given(call.problem)[0]]
    values = _list_values(encoding, call.problem.domains())[: task.problem.structure.size]
    build = [f"clauses = {clauses}", f"values = {values}", "found = []"]
    read = [
        "model = set({model})",
        "row = [next(v for v, x in of.items() if x in model) for of in values]",
        "found.append(tuple(row))",
    ]
    exclude = "[-of[v] for of, v in zip(values, row)]"
    if is_pycosat:
        search = [
            f"while len(found) < {task.most}:",
            f"    answer = pycosat.solve(clauses, vars={encoding.top})",
            '    if answer == "UNSAT":',
            "        break",
            *(f"    {line.format(model='answer')}" for line in read),
            f"    clauses.append({exclude})",
        ]
        return Native(("import pycosat",), tuple(build), tuple(search), ())
    kind = getattr(engine, "solver", None)
    if kind is None or not kind.__module__.startswith("pysat"):
        raise Unwritable("its engine is called otherwise than those of python-sat")
    search = [
        f"solver = {kind.__name__}(bootstrap_with=clauses)",
        f"while len(found) < {task.most} and solver.solve():",
        *(f"    {line.format(model='solver.get_model()')}" for line in read),
        f"    solver.add_clause({exclude})",
    ]
    return Native((f"from pysat.solvers import {kind.__name__}",), tuple(build), tuple(search), ())


def _list_values(encoding: Encoding, domains: tuple[tuple[int, ...], ...]) -> list[dict[int, int]]:
    """For each variable the literal of each value."""
    if type(encoding) is Encoding:
        firsts = zip(encoding.first, domains, strict=False)
        return [{v: first + k for k, v in enumerate(domain)} for first, domain in firsts]
    if type(encoding).__name__ == "Booleans":
        pairs = enumerate(domains, 1)
        return [{domain[0]: -k, domain[-1]: k} for k, domain in pairs]
    raise Unwritable("an integer is not direct; use the option integers=direct")
