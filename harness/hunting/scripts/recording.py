"""What a backend calls of its library is recorded, as lines of Python that call the same.

A ``Recorded`` is in the place of a module or an object of the library. What is called of it is
called of the object itself, and written down with its arguments. So a script says what the backend
has posed: a second translation could differ from the first.

Words
-----
pure    a call without effect on the model, such as a sum of variables: it is an expression, which
        is written where it is used
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby
from typing import Any

PLAIN = (int, float, str, bool, bytes, type(None))
"""Values that are written by ``repr``, and passed on as they are."""

LONGEST_LINE = 100


class Unwritable(Exception):
    """An argument that cannot be written in a script."""


def ignore(lines: Sequence[str]) -> None:
    """Note nothing."""


@dataclass
class Recording:
    """The lines so far; ``pure`` are names of functions and methods whose calls are expressions.

    ``note`` gets the lines and the call that is made next: that may end the process.
    """

    pure: Collection[str] = ()
    note: Callable[[Sequence[str]], None] = ignore
    lines: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def name(self, function: str) -> str:
        """A new name for what a function returns."""
        stem = re.sub(r"[^a-z]", "", function.lower())[:1] or "v"
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem}{self.numbers[stem]}"

    def wrap(self, value: Any, text: str) -> Any:
        """A recorded object that is written as ``text``."""
        return Recorded(self, value, text)


def _binary(sign: str, is_reflected: bool = False) -> Callable[[Any, Any], Any]:
    def operate(self: Recorded, other: Any) -> Any:
        left, right = (other, self) if is_reflected else (self, other)
        value = eval(f"a {sign} b", {"a": unwrap(left), "b": unwrap(right)})
        return self._recording.wrap(value, f"{_enclose(left)} {sign} {_enclose(right)}")

    return operate


class Recorded:
    """An object of the library, its text, and the recording that its calls go to."""

    __hash__ = None  # type: ignore[assignment]  # a comparison is an expression

    def __init__(self, recording: Recording, value: Any, text: str) -> None:
        self._recording, self._value, self._text = recording, value, text

    @property  # type: ignore[misc]  # it is writable elsewhere
    def __class__(self) -> Any:
        """Backends that look at types see those of the library."""
        return type(self._value)

    def __instancecheck__(self, other: Any) -> bool:
        return isinstance(unwrap(other), self._value)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._value, name)
        return (
            value
            if isinstance(value, PLAIN)
            else self._recording.wrap(value, f"{_enclose(self)}.{name}")
        )

    def __call__(self, *given: Any, **named: Any) -> Any:
        arguments = [_listed(one) for one in given]
        keywords = {name: _listed(one) for name, one in named.items()}
        written = [write(one) for one in arguments]
        written += [f"{name}={write(one)}" for name, one in keywords.items()]
        text = f"{self._text}({', '.join(written)})"
        self._recording.note([*self._recording.lines, text])
        value = self._value(*unwrap(arguments), **unwrap(keywords))
        function = self._text.rpartition(".")[2]
        if function in self._recording.pure:
            return value if isinstance(value, PLAIN) else self._recording.wrap(value, text)
        if isinstance(value, PLAIN):
            self._recording.lines.append(text)
            return value
        name = self._recording.name(function)
        self._recording.lines.append(f"{name} = {text}")
        return self._recording.wrap(value, name)

    def __getitem__(self, place: Any) -> Any:
        value = self._value[place]
        return (
            value
            if isinstance(value, PLAIN)
            else self._recording.wrap(value, f"{_enclose(self)}[{write(place)}]")
        )

    def __bool__(self) -> bool:
        return bool(self._value)

    def __len__(self) -> int:
        return len(self._value)

    def __neg__(self) -> Any:
        return self._recording.wrap(-self._value, f"-{_enclose(self)}")

    def __invert__(self) -> Any:
        return self._recording.wrap(~self._value, f"~{_enclose(self)}")

    __add__, __radd__ = _binary("+"), _binary("+", True)
    __sub__, __rsub__ = _binary("-"), _binary("-", True)
    __mul__, __rmul__ = _binary("*"), _binary("*", True)
    __eq__, __ne__ = _binary("=="), _binary("!=")  # type: ignore[assignment]
    __le__, __lt__ = _binary("<="), _binary("<")
    __ge__, __gt__ = _binary(">="), _binary(">")


def unwrap(value: Any) -> Any:
    """The library's own objects, within lists too."""
    if type(value) is Recorded:
        return value._value
    if type(value) in (list, tuple):
        return type(value)(map(unwrap, value))
    if type(value) is dict:
        return {key: unwrap(one) for key, one in value.items()}
    return value


def _listed(value: Any) -> Any:
    """An argument that can be read once as a list."""
    if type(value) is Recorded or isinstance(value, (*PLAIN, list, tuple, dict, range, Enum)):
        return value
    return list(value) if hasattr(value, "__iter__") else value


def write(value: Any) -> str:
    """A value as Python; raises Unwritable for an object that has no literal."""
    if type(value) is Recorded:
        return value._text
    if isinstance(value, str):
        return f'"{value}"' if value.isprintable() and not {*value} & {*'"\\'} else repr(value)
    if isinstance(value, PLAIN) or type(value) is range:
        return repr(value)
    if isinstance(value, Sequence):
        inside = ", ".join(map(write, value))
        if type(value) is tuple:
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        return f"[{inside}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{write(k)}: {write(v)}" for k, v in value.items()) + "}"
    raise Unwritable(f"{value!r} cannot be written in a script")


def _enclose(value: Any) -> str:
    """In parentheses where it is an expression of several words."""
    text = write(value)
    return text if re.fullmatch(r"-?[\w.]+|[\w.]+[(\[].*[)\]]", text) else f"({text})"


# --- what is written, shorter ---------------------------------------------------------------------


def tidy(lines: Sequence[str], keep: Collection[str]) -> list[str]:
    """The same program in fewer lines: what is used in the next line alone is written there, and a
    name that is never used is left out. The names in ``keep`` remain."""
    kept = list(lines)
    place = len(kept) - 1
    while place >= 0:
        name, text = _split(kept[place])
        later = "\n".join(kept[place + 1 :])
        uses = len(re.findall(rf"\b{name}\b", later)) if name and name not in keep else 2
        if uses == 0:
            kept[place] = text
        elif uses == 1 and place + 1 < len(kept):
            after = re.sub(rf"\b{name}\b", text.replace("\\", r"\\"), kept[place + 1])
            if after != kept[place + 1] and len(after) <= LONGEST_LINE:
                kept[place : place + 2] = [after]
        place -= 1
    return kept


def _split(line: str) -> tuple[str, str]:
    """The name that a line gives, and what is called; no name where it gives none."""
    found = re.fullmatch(r"([a-z]\w*) = (.*)", line)
    return (found[1], found[2]) if found else ("", line)


def rename(lines: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """The lines with other names; a new name that is taken gives way."""
    used = {word for line in lines for word in re.findall(r"\b[a-zA-Z_]\w*\b", line)}
    taken = {new: f"{new}_" for new in names.values() if new in used and new not in names}
    both = {**taken, **names}
    pattern = re.compile(r"(?<![\w.'\"])(" + "|".join(map(re.escape, both)) + r")\b(?!=[^=])")
    return [pattern.sub(lambda found: both[found[1]], line) for line in lines] if both else [*lines]


LEAST_FOLDED = 3
"""Calls of one function after another become a loop from this number on."""

CALL = re.compile(r"([a-z][\w.]*)\(([^a-z()]*)\)")
"""A call with plain numbers."""


def fold(lines: Sequence[str]) -> list[str]:
    """Calls of one function after another, with numbers alone, as a loop."""
    folded: list[str] = []
    for function, group in groupby(lines, _function_of):
        calls = list(group)
        if not function or len(calls) < LEAST_FOLDED:
            folded += calls
            continue
        arguments = [CALL.fullmatch(call)[2] for call in calls]  # type: ignore[index]
        if not any(arguments):
            folded += [f"for _ in range({len(calls)}):", f"    {function}()"]
        else:
            rows = ", ".join(f"({text}{'' if ',' in text else ','})" for text in arguments)
            folded += [f"for row in [{rows}]:", f"    {function}(*row)"]
    return folded


def _function_of(line: str) -> str:
    found = CALL.fullmatch(line)
    return found[1] if found else ""
