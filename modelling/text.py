"""A problem as one line of text, from which any process can state the same problem again.

    structure masks

``structure`` is JSON without blanks, or where that is long, ``z`` and the same JSON compressed
(zlib, then base64). ``masks`` are those of the variables whose domain is narrowed, as
``position=mask`` with the mask in hexadecimal digits, and are absent where there are none::

    {"names":["x","y"],"domains":[[1,4],[1,4]],"constraints":[["NotEqual",{"scope":[0,1]}]]} 0=2

A size that the problem declares is the last word, ``size=12``.

A domain is written by its runs: ``[1,4,7,7]`` is 1 to 4, and 7. Constraints are written by their
fields and attributes, the field ``terms`` as ``scope``; those of the vocabulary by their name, any
other class as ``module:Class``. So a text that names another class imports its module: read such
texts only from those you trust. Within a field, an affine term is ``{"Affine":[variable,factor,
offset]}``, a function or a formula an object of one key, its class, and the clauses of a ``Block``
``{"Block":[1,-2,0,2,0]}``, each ended by a 0.

The signs that open a comment in a file of instances never occur: within JSON they are escaped.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import re
import zlib
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.problem import LISTED, Objective, Problem, Structure, runs_of
from modelling.terms import Affine, Fielded, Function, fields_of
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.formulas.clauses import Block
from modelling.working_folder import append_working_folder

OWN: dict[str, type[Any]] = {kind.__name__: kind for kind in VOCABULARY}
"""The constraints and functions that are written by their name alone."""

LONG = 400
"""JSON of more characters than this is compressed."""

MOST_BYTES = 1 << 28
MOST_VALUES = 1 << 24
"""Text that grows beyond this when it is decompressed, or a domain of more values, is refused."""

_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in " #;/"}
"""Outside of the strings, JSON as it is written here has none of these signs."""

_MASK = re.compile(r"[0-9]{1,9}=[0-9a-f]+")
_SIZE = re.compile(r"\ssize=([0-9]{1,309}(?:\.[0-9]{1,309})?(?:e[-+]?[0-9]{1,3})?)\s*$")
_UNREACHABLE = ("__main__", "__mp_main__")


def to_text(problem: Problem) -> str:
    """The line; raises ``ModelError`` where another process could not read it back."""
    structure = _structure_text(problem.structure)
    narrowed = ",".join(f"{i}={problem.masks[i]:x}" for i in problem.narrowed())
    text = f"{structure} {narrowed}" if narrowed else structure
    text += write_size(problem.size)
    again = from_text(text)
    if (again.structure.digest, again.masks) != (problem.structure.digest, problem.masks):
        raise ModelError(
            "the problem is another one once it has been written and read: a field of a constraint "
            "is not a plain number, text, None, or a tuple of such"
        )
    return text


def from_text(text: str) -> Problem:
    """The problem that ``to_text`` wrote; raises ``ModelError`` for any other text."""
    size = read_size(text)
    words = text.split()[: None if size is None else -1]
    if not 1 <= len(words) <= 2:
        raise ModelError(f"the text of a problem has one or two words, not {len(words)}")
    structure = _structure(words[0])
    return Problem(structure, _masks(structure, words[1] if len(words) == 2 else ""), size)


def write_size(size: float | None) -> str:
    """The end of a text that declares a size: a blank and ``size=12``; empty without one."""
    if size is None:
        return ""
    return f" size={int(size) if size == int(size) else float(size)!r}"


def read_size(text: str) -> float | None:
    """The size at the end of a text; None if it declares none."""
    found = _SIZE.search(text)
    return None if found is None else int(found[1]) if found[1].isdigit() else float(found[1])


# --- structures ----------------------------------------------------------------------------------


def _structure_text(structure: Structure) -> str:
    content: dict[str, Any] = {
        "names": structure.names,
        "domains": [[*chain.from_iterable(runs_of(domain))] for domain in structure.domains],
        "constraints": [[_name(type(c)), _fields(c)] for c in structure.constraints],
    }
    if structure.objective is not None:
        content["objective"] = _objective_text(structure.objective)
    if structure.output is not None:
        content["output"] = structure.output
    if structure.uncountable:
        content["uncountable"] = structure.uncountable
    plain = json.dumps(content, separators=(",", ":")).translate(_ESCAPES)
    if len(plain) <= LONG:
        return plain
    return "z" + base64.urlsafe_b64encode(zlib.compress(plain.encode("ascii"), 9)).decode("ascii")


@lru_cache(maxsize=16)
def _structure(word: str) -> Structure:
    """Texts with the same first word share one structure, and what backends keep for it."""
    try:
        content = json.loads(_decompressed(word[1:]) if word.startswith("z") else word)
        constraints = [_constraint(name, kept) for name, kept in content["constraints"]]
        objective, output = content.get("objective"), content.get("output")
        return Structure(
            tuple(map(str, content["names"])),
            tuple(_domain(runs) for runs in content["domains"]),
            tuple(constraints),
            Objective(**_values(objective)) if objective else None,
            None if output is None else tuple(output),
            str(content.get("uncountable", "")),
        )
    except ModelError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ModelError(f"this is not the text of a problem: {_describe_error(error)}") from error


def _decompressed(word: str) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(base64.urlsafe_b64decode(word), MOST_BYTES)
    except zlib.error as error:
        raise ModelError(f"the text of the problem is damaged: {error}") from error
    if not unpacking.eof:
        raise ModelError("the text of the problem is cut short, or too large")
    return found


def _describe_error(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


def _domain(runs: Sequence[int]) -> Any:
    pairs = list(zip(runs[::2], runs[1::2], strict=True))
    if len(pairs) == 1 and pairs[0][1] - pairs[0][0] >= LISTED:
        return range(pairs[0][0], pairs[0][1] + 1)
    if sum(last - first + 1 for first, last in pairs) > MOST_VALUES:
        raise ModelError(f"a domain has more than {MOST_VALUES} values")
    return tuple(value for first, last in pairs for value in range(first, last + 1))


def _masks(structure: Structure, word: str) -> tuple[int, ...]:
    masks = list(structure.full_masks)
    for item in word.split(",") if word else ():
        position, _, mask = item.partition("=")
        if not (_MASK.fullmatch(item) and int(position) < len(masks)):
            cause = f"{item[:40]!r} is no position and mask of one of the {len(masks)} variables"
            raise ModelError(cause)
        masks[int(position)] = int(mask, 16)
    return tuple(masks)


# --- constraints ---------------------------------------------------------------------------------


def _objective_text(objective: Objective) -> dict[str, Any]:
    if objective.is_linear:
        kept = objective.scope, objective.coefficients
        return dict(zip(("sense", "scope", "coefficients"), (objective.sense, *kept), strict=True))
    return {"sense": objective.sense, "term": _plain(objective.term, "Objective", "term")}


def _fields(item: Any) -> dict[str, Any]:
    """The fields from which ``item`` is made, and what else it keeps in plain attributes."""
    kind = type(item)
    derived = {field.name for field in fields(item) if not field.init}
    absent = _fields_at_default(item)
    names = dict.fromkeys(field.name for field in fields(item) if field.init)
    names |= dict.fromkeys(
        name
        for name in sorted(getattr(item, "__dict__", {}))
        if name not in derived and not isinstance(getattr(kind, name, None), cached_property)
    )
    written = _written_names(kind)
    return {
        written.get(name, name): _plain(getattr(item, name), kind.__name__, name)
        for name in names
        if name not in absent
    }


def _written_names(kind: type[Any]) -> dict[str, str]:
    """Fields that are written by another name: terms were called a scope before they were terms."""
    if issubclass(kind, Constraint) and "terms" in {f.name for f in fields(kind)}:
        return {"terms": "scope"}
    return {}


def _fields_at_default(item: Any) -> set[str]:
    """The fields that came later and hold what was meant before."""
    if not isinstance(item, Fielded):
        return set()
    return {f.name for f in fields_of(type(item)) if getattr(item, f.name) == f.later}


def _constraint(name: str, kept: dict[str, Any]) -> Constraint:
    found = _construct(_class(name), _values(kept))
    if not isinstance(found, Constraint):
        raise ModelError(f"{name} is a function, where a constraint must stand")
    return found


def _construct(kind: type[Any], values: dict[str, Any]) -> Any:
    """The constraint or function of a class that keeps these; a class of somebody else's need not
    be a dataclass that is made from its fields."""
    names = {told: name for name, told in _written_names(kind).items()}
    values = {names.get(name, name): value for name, value in values.items()}
    if kind in OWN.values():
        return kind(**values)
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    made.__post_init__()
    return made


def _plain(value: Any, owner: str, field: str) -> Any:
    """What JSON holds for a field, if that can be read back as it was."""
    if value is None or type(value) in (int, float, str, bool):
        return value
    if type(value) is Affine:
        return {"Affine": list(value)}
    if type(value) is Block:
        return {"Block": value.numbers_listed()}
    if isinstance(value, (Function, Constraint)):
        return {_name(type(value)): _fields(value)}
    if type(value) is tuple:
        return [_plain(item, owner, field) for item in value]
    raise ModelError(
        f"{owner}.{field} holds a {type(value).__name__}, which cannot be handed to a worker "
        "process; use numbers, texts, truth values, None, tuples of these, terms and constraints"
    )


def _values(kept: dict[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in kept.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_value, value))
    if not isinstance(value, dict):
        return value
    ((name, kept),) = value.items()
    if name == "Block":
        return Block.of_numbers(kept)
    return Affine(*kept) if name == "Affine" else _construct(_class(name), _values(kept))


def _name(kind: type[Any]) -> str:
    """How another process finds the class of a constraint."""
    if OWN.get(kind.__name__) is kind:
        return kind.__name__
    if kind.__module__ in _UNREACHABLE or "<" in kind.__qualname__:
        raise ModelError(
            f"the constraint {kind.__name__} is defined in a notebook cell, in the script itself "
            "or within a function, where a worker process cannot find it; write it to a file "
            f"beside, say mine.py, and use it with: from mine import {kind.__name__}"
        )
    return f"{kind.__module__}:{kind.__qualname__}"


def _class(name: str) -> type[Any]:
    if name in OWN:
        return OWN[name]
    module, _, path = name.partition(":")
    if not (module and path):
        raise ModelError(f"no constraint is called {name!r} (there are: {', '.join(OWN)})")
    append_working_folder()
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ModelError(
            f"the constraint {name!r} cannot be imported from {os.getcwd()}: {error}"
        ) from error
    if not (isinstance(found, type) and issubclass(found, (Constraint, Function))):
        raise ModelError(f"{name!r} is not a subclass of concord.Constraint")
    return found
