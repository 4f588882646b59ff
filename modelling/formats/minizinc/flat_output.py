"""The output of a FlatZinc file: its variables by their names in the model, and MiniZinc's input.

FlatZinc annotates what the output model needs: ``var 1..2: c :: output_var`` and
``array [1..4] of var int: x :: output_array([1..2,0..1]) = [a, b, 1, c]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

_BOOLEAN = re.compile(r"^var bool\s*:\s*(\w+)", re.MULTILINE)
_ARRAY = re.compile(
    r"^array\s*\[[^\]]*\]\s*of var [^:;]*:\s*(\w+)\s*::[^=]*?output_array\(\[([^\]]*)\]\)[^=]*="
    r"\s*\[([^\]]*)\]",
    re.MULTILINE,
)
_INTRODUCED = re.compile(r"X_INTRODUCED_[0-9]+_")


class FlatOutput:
    """The output of a FlatZinc; ``positions`` are those of its variables in the structure."""

    def __init__(self, flat: str, names: Sequence[str]) -> None:
        self.positions = {name: k for k, name in enumerate(names)}
        self._booleans = frozenset(_BOOLEAN.findall(flat))
        self._arrays: dict[str, tuple[tuple[range, ...], tuple[str, ...]]] = {}
        self._places: dict[str, dict[tuple[int, ...], str]] = {}
        for name, sets, elements in _ARRAY.findall(flat):
            shape = tuple(map(_read_range, sets.split(",")))
            self._arrays[name] = shape, tuple(filter(None, map(str.strip, elements.split(","))))

    def variables(self, name: str) -> tuple[str, ...]:
        """The variables that a name of the output model means."""
        if name in self._arrays:
            return tuple(one for one in self._arrays[name][1] if one in self.positions)
        return (name,) if name in self.positions else ()

    def elements(self, name: str, index: tuple[int, ...]) -> tuple[str, ...]:
        """The variable at an index; empty for a number, or if the array has no such element."""
        if name not in self._arrays:
            return self.variables(name)
        if name not in self._places:
            shape, elements = self._arrays[name]
            self._places[name] = dict(zip(product(*shape), elements, strict=True))
        element = self._places[name].get(index)
        return (element,) if element in self.positions else ()

    def called(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names of a structure, with ``x[1,2]`` for what MiniZinc has introduced."""
        taken = set(names)
        better: dict[str, str] = {}
        for array, (shape, elements) in self._arrays.items():
            for place, element in zip(product(*shape), elements, strict=True):
                name = f"{array}[{','.join(map(str, place))}]"
                if _INTRODUCED.fullmatch(element) and element not in better and name not in taken:
                    better[element] = name
        return tuple(better.get(name, name) for name in names)

    def write(self, values: Mapping[str, int], inputs: Sequence[str]) -> Iterator[str]:
        """A solution as MiniZinc reads it: each input of the output model with its value."""
        for name in inputs:
            if name not in self._arrays:
                yield f"{name} = {self._write_value(name, values)};\n"
                continue
            shape, elements = self._arrays[name]
            sets = ",".join(f"{one.start}..{one.stop - 1}" for one in shape)
            listed = ",".join(self._write_value(element, values) for element in elements)
            yield f"{name} = array{len(shape)}d({sets},[{listed}]);\n"
        yield "----------\n"

    def _write_value(self, name: str, values: Mapping[str, int]) -> str:
        if name not in self.positions:
            return name
        if name in self._booleans:
            return "true" if values[name] else "false"
        return str(values[name])


def _read_range(text: str) -> range:
    low, _, high = text.partition("..")
    return range(int(low), int(high) + 1)
