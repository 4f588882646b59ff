"""Texts that MiniZinc prints for given solutions, without solving anything."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from modelling.formats.minizinc.flat_output import FlatOutput
from modelling.formats.minizinc.output_model import OutputModel
from modelling.problem import Structure

BUILTINS = {"int_eq": "=", "int_ne": "!=", "int_le": "<=", "int_lt": "<", "bool_eq": "="}
"""Functions that MiniZinc writes to output models and cannot call there, as operators."""

_DEFINITIONS = "".join(
    f"function bool: concord_{name}({kind}: a, {kind}: b) = a {operator} b;\n"
    for name, operator in BUILTINS.items()
    for kind in [name.split("_")[0]]
)
_BUILTIN = re.compile(rf"\b({'|'.join(BUILTINS)})\b(?= *\()")

END = "\x1e"
AFTER = "\n----------\n"


SECONDS = 60.0


class Undecided(Exception):
    """The reason why it is not known which solutions have different texts."""


class Printer:
    """Prints expressions of an output model; files are written to ``folder``."""

    def __init__(
        self, model: OutputModel, flat: FlatOutput, structure: Structure, folder: Path
    ) -> None:
        self._model = model
        self._flat = flat
        self._folder = folder
        self._least = {
            name: domain[0] if domain else 0
            for name, domain in zip(structure.names, structure.domains, strict=True)
        }
        self._inputs = [name for name, one in model.declared.items() if not one.value]

    def print(self, expression: str, rows: Sequence[Mapping[str, int]]) -> list[str]:
        """The text of an expression for each row of values; other variables have their least
        value. Raises ``Undecided`` where MiniZinc cannot printer."""
        path = self._folder / "printed.ozn"
        items = f'{self._model.rest}output [{expression}, "{END}"];\n'
        text = _DEFINITIONS + _BUILTIN.sub(r"concord_\1", items)
        path.write_text(text, encoding="utf-8")
        stream = "".join(
            line for row in rows for line in self._flat.write({**self._least, **row}, self._inputs)
        )
        try:
            done = subprocess.run(
                ["minizinc", "--non-unique", "--ozn-file", str(path)],
                input=stream.encode(),
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Undecided(f"what MiniZinc prints: {error}") from error
        texts = done.stdout.decode("utf-8", "replace").split(END)[:-1]
        if done.returncode or len(texts) != len(rows):
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[-200:]
            raise Undecided(f"what {expression[:60]} is for every value: MiniZinc says {said!r}")
        return [text.removeprefix(AFTER) for text in texts]
