"""Scripts for z3: the formula in SMT-LIB that the backend writes, and z3's own search."""

from __future__ import annotations

from backends.z3.backend import Z3Session
from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The formula as text; a model is read by the literals of the values."""
    task.enumerate_for_optimum()
    texts: list[str] = []
    encode = task.solver.encode

    def watch(structure: object) -> object:
        draft = encode(structure)
        read = draft.read

        def keep(declared: str, formula: str) -> object:
            texts.append(f"{declared} (assert {formula})")
            return read(declared, formula)

        draft.read = keep
        return draft

    task.solver.encode = watch
    draft, call = task.prepare()
    whole = texts[0]
    session = Z3Session(task.solver, draft, call)
    general = session.configuration == "general"
    values = [dict(of) for of in draft.literals[: task.problem.structure.size]]
    build = [
        f"formula = {whole!r}",
        f"values = {values}",
        f"names = {draft.names}",
        "booleans = {name: z3.Bool(name) for name in names}",
        "read = lambda text: z3.parse_smt2_string(f'(assert {text})', decls=booleans)[0]",
        "solver = z3.Solver()" if general else 'solver = z3.SolverFor("QF_FD")',
        *(f"solver.set({k!r}, {v!r})" for k, v in task.solver.parameters.items()),
        "solver.add(z3.parse_smt2_string(formula))",
    ]
    search = [
        "found = []",
        f"while len(found) < {task.most} and solver.check() == z3.sat:",
        "    model = solver.model()",
        "    true = lambda text: z3.is_true(model.eval(read(text), True))",
        "    found.append(tuple(next(v for v, text in of.items() if true(text)) for of in values))",
        "    same = [read(of[v]) for of, v in zip(values, found[-1])]",
        "    solver.add(z3.Not(z3.And(same)))",
    ]
    return Native(("import z3",), tuple(build), tuple(search), ())
