"""MiniZinc: a model in a file, ``minizinc --solver gecode``, and what it prints.

The model is written to a file and the program is run for each call; CPU time is that of both
processes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Script, Solutions

HEAD = 'include "alldifferent.mzn";\n'

OUTPUT = 'output [join(" ", [show(v) | v in x])];\n'

SOLUTION = "----------"


def _solutions(text: str, *arguments: str) -> Solutions:
    """Each solution is a line of numbers, and a line of dashes follows it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.mzn"
        path.write_text(text, encoding="utf-8")
        command = ["minizinc", "--solver", "gecode", *arguments, str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    parts = ran.stdout.split(SOLUTION)[:-1]
    return [tuple(map(int, part.split())) for part in parts]


def queens() -> Script:
    """Three ``alldifferent``."""
    last = five.QUEENS - 1
    text = f"{HEAD}array[0..{last}] of var 0..{last}: x;\nconstraint alldifferent(x);\n"
    for sign in "+-":
        text += f"constraint alldifferent([x[i] {sign} i | i in 0..{last}]);\n"
    text += f"solve satisfy;\n{OUTPUT}"
    return lambda: _solutions(text, "--all-solutions")


def sudoku() -> Script:
    """``alldifferent`` for each unit; givens as equations."""
    text = f"{HEAD}array[0..80] of var 1..9: x;\n"
    for unit in five.UNITS:
        text += f"constraint alldifferent([x[i] | i in {unit}]);\n"
    for i, given in five.GIVENS.items():
        text += f"constraint x[{i}] = {given};\n"
    text += f"solve satisfy;\n{OUTPUT}"
    return lambda: _solutions(text, "--num-solutions", str(five.MOST_GRIDS))


def send_more() -> Script:
    """``alldifferent`` and one equation."""
    text = HEAD + "".join([f"var {int(x in five.LEADING)}..9: {x};\n" for x in five.LETTERS])
    text += (
        f"array[int] of var int: x = [{', '.join(five.LETTERS)}];\nconstraint alldifferent(x);\n"
    )
    text += f"constraint {' + '.join(f'{five.WEIGHTS[x]} * {x}' for x in five.LETTERS)} = 0;\n"
    text += f"solve satisfy;\n{OUTPUT}"
    return lambda: _solutions(text)


def golomb() -> Script:
    """A variable for each distance; ``minimize``."""
    last = five.MARKS - 1
    text = f"""{HEAD}array[0..{last}] of var 0..{five.LONGEST}: x;
constraint x[0] = 0;
constraint forall(i in 1..{last})(x[i - 1] < x[i]);
array[int] of var 1..{five.LONGEST}: d = [x[j] - x[i] | i, j in 0..{last} where i < j];
constraint alldifferent(d);
solve minimize x[{last}];
{OUTPUT}"""
    return lambda: _solutions(text)[-1:]


def pigeons() -> Script:
    """``!=`` for each pair."""
    last = five.PIGEONS - 1
    text = f"""array[0..{last}] of var 1..{five.HOLES}: x;
constraint forall(i, j in 0..{last} where i < j)(x[i] != x[j]);
solve satisfy;
{OUTPUT}"""
    return lambda: _solutions(text)
