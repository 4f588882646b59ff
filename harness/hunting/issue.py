"""A finding as the text of an issue, for the author of the solver: Markdown without any Concord."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harness.hunting.findings import FORKED, Answer, Fault, Finding
from harness.hunting.judging.truth import Truth, find_truth
from modelling.check import violations
from modelling.errors import ModelError
from modelling.formats import source
from modelling.problem import Assignment, Problem
from modelling.wording import plural

MOST_LISTED = 24

MOST_LINES = 8
"""Lines of what a script prints that are shown: those after them are of its trace."""

TITLES: dict[Fault, str] = {
    "wrong solution": "a solution violates a constraint",
    "false unsatisfiable": "a problem with solutions is said to have none",
    "false optimum": "the optimum is wrong",
    "wrong count": "the number of solutions is wrong",
    "duplicate solution": "a solution is found more than once",
    "missing solution": "solutions are missing",
    "crash": "the process ends on a small problem",
    "hang": "a small problem is not answered",
}

AUTHORITIES = {
    "oracle": "Every assignment was tried.",
    "check": "The constraints were checked, one by one, for the assignments below.",
    "agreement": "An independent solver gives the right answer below.",
    "relation": "The solver contradicts itself: the same problem, put in another way, gives the "
    "right answer below.",
}


def write_issue(finding: Finding, name: str, version: str, evidence: Sequence[str] = ()) -> str:
    """The Markdown; ``name`` and ``version`` are the library's, ``evidence`` are the paragraphs of
    ``describe_script`` or ``describe_program``."""
    called = f"{name} {version}".strip()
    parts = [
        f"# {called}: {TITLES[finding.fault]}",
        *_describe_problem(finding.problem),
        *_describe_answers(finding),
        *evidence,
        f"Version: {called}\\\nPlatform: {finding.platform or 'not recorded'}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def describe_script(finding: Finding, script: str, said: str) -> Iterator[str]:
    """A script, and what it prints."""
    prints = "" if finding.fault in FORKED else "prints the right and the wrong answer, and "
    yield f"The script {prints}ends with status 1 while the fault is there:"
    yield f"```python\n{script.rstrip()}\n```"
    yield from _describe_output(said)


def describe_program(command: str, files: Mapping[str, bytes], said: str) -> Iterator[str]:
    """What a program reads, how it is called, and what it prints."""
    for name, data in files.items():
        yield f"The file `{name}`:"
        yield f"```text\n{data.decode('utf-8', 'replace').rstrip()}\n```"
    yield f"It is called by:\n\n```sh\n{command}\n```"
    yield from _describe_output(said)


def _describe_output(said: str) -> Iterator[str]:
    shown = "\n".join(said.strip().splitlines()[:MOST_LINES])
    if shown:
        yield f"It prints:\n\n```text\n{shown}\n```"


def write_summary(finding: Finding) -> str:
    """Some lines: who is wrong about what, and the right answer."""
    head = f"{finding.backend} {finding.version}".strip()
    parts = [
        f"{head}: {TITLES[finding.fault]}",
        *_describe_problem(finding.problem),
        *_describe_answers(finding),
    ]
    return "\n".join(parts).replace("**", "").replace("`", "")


def _describe_problem(problem: Problem) -> Iterator[str]:
    structure = problem.structure
    names = structure.names
    domains = [f"* `{name}` in {_write_domain(problem.values(v))}" for v, name in enumerate(names)]
    yield "The variables:"
    yield "\n".join(domains)
    yield "The constraints:"
    yield "\n".join(f"* `{text}`" for text in _list_constraints(problem)) or "There are none."
    if structure.objective is not None:
        yield f"The objective: {structure.objective.sense} `{_write_objective(problem)}`"


def _write_domain(values: Sequence[int]) -> str:
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))


def _list_constraints(problem: Problem) -> list[str]:
    """Each constraint as an expression, or as its class is written where there is none."""
    try:
        lines = [line.strip() for line in source.write(problem)]
    except ModelError:
        return [repr(constraint) for constraint in problem.structure.constraints]
    return [
        line.removeprefix("m.add(")[:-1].replace("concord.", "")
        for line in lines
        if line.startswith("m.add(")
    ]


def _write_objective(problem: Problem) -> str:
    lines = [line.strip() for line in source.write(problem)]
    found = (line for line in lines if line.startswith(("m.minimize(", "m.maximize(")))
    return next(found).partition("(")[2][:-1]


def _describe_answers(finding: Finding) -> Iterator[str]:
    claimed, fault = finding.claimed, finding.fault
    if fault in ("crash", "hang"):
        yield f"The process ends: `{claimed.note}`" if claimed.note else TITLES[fault].capitalize()
        return
    yield f"**Right**: {_describe_right(finding)} {AUTHORITIES[finding.authority]}"
    yield f"**Found**: {_describe_answer(claimed, finding)}"
    yield from _explain(finding)


def _describe_answer(answer: Answer, finding: Finding) -> str:
    if answer.objective is not None:
        return f"{answer.objective}, as {answer.status}."
    if answer.status == "UNSATISFIABLE":
        return "no solution."
    if finding.question.limit == 1 or answer.count is None:
        return answer.status.lower() + "."
    return f"{plural(answer.count, 'solution')}."


def _describe_right(finding: Finding) -> str:
    if finding.fault == "false optimum":
        return f"the optimum is {finding.right.objective}."
    truth = find_truth(finding.problem)
    if truth.is_complete and len(truth.solutions) <= MOST_LISTED:
        return f"{plural(len(truth.solutions), 'solution')}{_list_solutions(truth)}"
    return _describe_answer(finding.right, finding)


def _list_solutions(truth: Truth) -> str:
    if not truth.solutions:
        return "."
    names = truth.problem.structure.names
    listed = "; ".join(_write_solution(names, values) for values in truth.solutions)
    return f": {listed}."


def _write_solution(names: Sequence[str], values: Assignment) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))


def _explain(finding: Finding) -> Iterator[str]:
    """Why the answer is wrong, by the first assignment that shows it."""
    names, problem = finding.problem.structure.names, finding.problem
    if finding.fault == "wrong solution":
        for values in finding.claimed.solutions[:1]:
            why = "; ".join(map(str, violations(problem, values)))
            yield f"It shows {_write_solution(names, values)}, where {why}."
    elif finding.fault == "duplicate solution":
        for values in finding.claimed.solutions[:1]:
            yield f"It shows {_write_solution(names, values)} more than once."
    else:
        for values in finding.right.solutions[:1]:
            objective = problem.structure.objective
            worth = ""
            if finding.fault == "false optimum" and objective is not None:
                worth = f", and the objective is {objective.value(values)} there"
            yield f"{_write_solution(names, values)} satisfies every constraint{worth}."
