"""cosoco: an instance in XCSP3 in a file, the program, and the values that it prints.

The file is written and the program is run for each call; CPU time is that of both processes. Sums
and comparisons are spelt as in the format's specification (Boussemart et al., 2022).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Script, Solutions

VALUES = re.compile(r"<values>(.*?)</values>", re.DOTALL)


def _instance(variables: str, constraints: Iterable[str], objective: str = "") -> str:
    """A whole file."""
    kind = "COP" if objective else "CSP"
    return (
        f'<instance format="XCSP3" type="{kind}">\n<variables>\n{variables}\n</variables>\n'
        f"<constraints>\n{chr(10).join(constraints)}\n</constraints>\n{objective}</instance>\n"
    )


def _array(name: str, size: int, domain: str) -> str:
    return f'<array id="{name}" size="[{size}]"> {domain} </array>'


def _all_different(terms: Iterable[str]) -> str:
    return f"<allDifferent> {' '.join(terms)} </allDifferent>"


def _program() -> str:
    """The executable itself: the command that the package installs starts Python first."""
    import cosoco_bin

    return str(Path(next(iter(cosoco_bin.__path__))) / "cosoco")


def _solutions(program: str, text: str, variables: int, *arguments: str) -> Solutions:
    """The values of the first variables in each solution that is printed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "problem.xml"
        path.write_text(text, encoding="utf-8")
        command = [program, str(path), "-model=2", "-colors=0", *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [tuple(map(int, values.split())) for values in VALUES.findall(ran.stdout)]
    return [values[:variables] for values in found]


def queens() -> Script:
    """Three ``allDifferent``, two of them over sums."""
    columns = range(five.QUEENS)
    lines = [[f"{sign}(x[{i}],{i})" for i in columns] for sign in ("add", "sub")]
    groups = [[f"x[{i}]" for i in columns], *lines]
    text = _instance(_array("x", five.QUEENS, f"0..{five.QUEENS - 1}"), map(_all_different, groups))
    program = _program()
    return lambda: list(dict.fromkeys(_solutions(program, text, five.QUEENS, "-nbsols=0")))


def sudoku() -> Script:
    """``allDifferent`` for each unit; givens as an ``instantiation``."""
    units = [_all_different(f"x[{i}]" for i in unit) for unit in five.UNITS]
    cells = " ".join(f"x[{i}]" for i in five.GIVENS)
    digits = " ".join(map(str, five.GIVENS.values()))
    given = f"<instantiation> <list> {cells} </list> <values> {digits} </values> </instantiation>"
    text = _instance(_array("x", 81, "1..9"), [*units, given])
    program, most = _program(), f"-nbsols={five.MOST_GRIDS}"
    return lambda: list(dict.fromkeys(_solutions(program, text, 81, most)))


def send_more() -> Script:
    """``allDifferent`` and one ``sum``."""
    variables = "\n".join(
        f'<var id="{x}"> {int(x in five.LEADING)}..9 </var>' for x in five.LETTERS
    )
    weights = " ".join(str(five.WEIGHTS[x]) for x in five.LETTERS)
    letters = " ".join(five.LETTERS)
    total = (
        f"<sum> <list> {letters} </list> <coeffs> {weights} </coeffs> "
        "<condition> (eq,0) </condition> </sum>"
    )
    text = _instance(variables, [_all_different(five.LETTERS), total])
    program = _program()
    return lambda: _solutions(program, text, len(five.LETTERS), "-nbsols=1")


def golomb() -> Script:
    """A variable for each distance; ``minimize``."""
    pairs = list(combinations(range(five.MARKS), 2))
    marks = _array("x", five.MARKS, f"0..{five.LONGEST}")
    variables = f"{marks}\n{_array('d', len(pairs), f'1..{five.LONGEST}')}"
    ascending = " ".join(f"x[{i}]" for i in range(five.MARKS))
    constraints = [
        "<intension> eq(x[0],0) </intension>",
        f"<ordered> <list> {ascending} </list> <operator> lt </operator> </ordered>",
        *[
            f"<intension> eq(d[{k}],sub(x[{j}],x[{i}])) </intension>"
            for k, (i, j) in enumerate(pairs)
        ],
        _all_different(f"d[{k}]" for k in range(len(pairs))),
    ]
    last = f"<objectives>\n<minimize> x[{five.MARKS - 1}] </minimize>\n</objectives>\n"
    text = _instance(variables, constraints, last)
    program = _program()
    return lambda: _solutions(program, text, five.MARKS)[-1:]


def pigeons() -> Script:
    """``ne`` for each pair."""
    apart = [
        f"<intension> ne(x[{i}],x[{j}]) </intension>"
        for i, j in combinations(range(five.PIGEONS), 2)
    ]
    text = _instance(_array("x", five.PIGEONS, f"1..{five.HOLES}"), apart)
    program = _program()
    return lambda: _solutions(program, text, five.PIGEONS, "-nbsols=1")
