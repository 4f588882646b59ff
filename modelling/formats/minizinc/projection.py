"""What tells the solutions of a MiniZinc model apart: the text that MiniZinc would print.

MiniZinc shows two solutions with one text once. FlatZinc only names the variables that the text
rests on, which may differ where the text does not: an absent ``opt`` variable has a hidden value,
and ``show(sum(x))`` is one number for many ``x``. So the text is taken apart into pieces, and for
each it is found out what it shows:

- variables, or arrays of them, as they are: these are the output;
- anything else that rests on few assignments: MiniZinc prints it for each of these. Where texts
  coincide, a further variable is the number of the text, by a table, and is the output;
- an element of a comprehension: the same for each element;
- a number that rests on many assignments: a variable of that value is added to the model, which is
  flattened again.

Pieces are then put together: two different lists of pieces must not make one text. It is enough
that no text of a piece begins another text of the same piece. Where that fails, or a piece is none
of the above, the structure says why its solutions are not counted (``Structure.uncountable``).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod
from pathlib import Path

from modelling.constraint import Constraint
from modelling.constraints import Table
from modelling.formats.minizinc.flat_output import FlatOutput
from modelling.formats.minizinc.output_model import (
    OutputModel,
    Piece,
    Tokens,
    find_loop,
    list_accesses,
    split_list,
)
from modelling.formats.minizinc.texts import Printer, Undecided
from modelling.problem import Structure

MOST_ASSIGNMENTS = 4096
"""A piece that rests on more is not printed for each."""

MOST_PRINTED = 100
"""Pieces that rest on several variables each take a process of MiniZinc, of a twentieth of a second
or more, whenever the model is read."""

MOST_PIECES = 20_000
"""Elements of comprehensions."""

VALUE = "concord_shown_"
MARK = "\x1f"

SHOW = ("show", "format")

_STANDARD = frozenset({"show_indexed", "show2d", "show2d_indexed", "show3d", "show3d_indexed"})
"""What MiniZinc itself prints arrays with, where a model has no output: each element is shown."""

Print = Callable[[str, Sequence[Mapping[str, int]]], list[str]]
"""Prints an expression of a text for assignments of FlatZinc's variables."""


@dataclass(frozen=True)
class ShownPiece:
    """What a piece shows: the ``variables`` that its text determines, and all its ``texts``; these
    are not listed (None) where it shows variables as they are, one number or several in brackets.
    """

    variables: tuple[str, ...]
    texts: frozenset[str] | None = None
    is_number: bool = False


@dataclass(frozen=True)
class Numbered:
    """A further variable: the number of the text that each assignment of ``scope`` makes."""

    name: str
    scope: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]


def project(flat: bytes, output: str, structure: Structure) -> tuple[Structure, list[Tokens]]:
    """The structure of a FlatZinc with the output that the text of its output model determines.

    If expressions come with it, the model has to have their values as variables first
    (``add_values``), and the structure is unchanged. Raises ``Undecided`` with the reason if it
    cannot find out which solutions have different texts.
    """
    declared = FlatOutput(flat.decode("utf-8", "replace"), structure.names)
    with tempfile.TemporaryDirectory() as folder:
        model = OutputModel(output)
        printer = Printer(model, declared, structure, Path(folder))
        projection = Projection(model, declared, structure, printer.print)
        with_output = projection.apply()
        return with_output, projection.values if with_output is structure else []


def add_values(values: Sequence[Tokens]) -> str:
    """Items of MiniZinc that declare variables of these values."""
    return "".join(
        f"var int: {VALUE}{number};\nconstraint {VALUE}{number} = {' '.join(value)};\n"
        f'output ["\\n", show({VALUE}{number})];\n'
        for number, value in enumerate(values, 1)
    )


def name_variables(flat: bytes, structure: Structure) -> Structure:
    """The structure with the names of the model's arrays in place of those that MiniZinc made."""
    declared = FlatOutput(flat.decode("utf-8", "replace"), structure.names)
    return replace(structure, names=declared.called(structure.names))


def explain_uncountable(reason: str) -> str:
    """Why the solutions of a model are not counted."""
    return (
        f"MiniZinc shows two solutions with one text once, and it is not known which have one: "
        f"{reason}; let the model's output show variables, or leave it out"
    )


class Projection:
    """Finds the output of one model."""

    def __init__(
        self, model: OutputModel, flat: FlatOutput, structure: Structure, print_: Print
    ) -> None:
        self.model = model
        self.flat = flat
        self.structure = structure
        self.print = print_
        self.numbered: dict[Tokens, Numbered] = {}
        self.values: list[Tokens] = []
        """Expressions whose values are to be variables of the model, ``VALUE`` and a number."""
        self._printed: dict[Tokens, list[str]] = {}
        self._processes = 0
        self._indices: dict[str, str] = {}
        self._scopes: dict[Tokens, tuple[str, ...]] = {}

    def apply(self) -> Structure:
        """The structure with the output that the text determines, and the variables it takes."""
        shown = self._read_pieces()
        if any(name not in self.flat.positions for name in self._value_names()):
            return self.structure  # the caller flattens the model again
        names = dict.fromkeys(name for _, one in shown for name in one.variables)
        numbered = list(self.numbered.values())
        for scope in {one.scope: None for one in numbered}:
            names, numbered = _join_numbered(scope, names, numbered)
        return _add_output(self.structure, tuple(names), numbered)

    def _value_names(self) -> list[str]:
        return [f"{VALUE}{number}" for number, _ in enumerate(self.values, 1)]

    # --- pieces ---

    def _read_pieces(self) -> list[tuple[Piece, ShownPiece]]:
        """Each piece with what it shows; neighbours that run into each other are one piece."""
        unrolled = (one for piece in self.model.pieces() for one in self._unroll(piece))
        pieces = [piece for piece in unrolled if piece.tokens != ('""',)]
        if len(pieces) > MOST_PIECES:
            raise Undecided(f"the output has more than {MOST_PIECES:,} pieces")
        self._print_ahead(pieces)
        shown = [(piece, self.show(piece)) for piece in pieces]
        k = 0
        while k + 1 < len(shown):
            if _runs_into(shown, k):
                joined = _join(shown[k][0], shown[k + 1][0])
                shown[k : k + 2] = [(joined, self._tabulate(joined))]
                k = max(0, k - 1)
            else:
                k += 1
        return shown

    def show(self, piece: Piece) -> ShownPiece:
        """What one piece shows."""
        if piece.is_literal:
            return ShownPiece((), frozenset({piece.text}))
        inputs = self.model.reach(piece.names)
        if not inputs:
            return self._tabulate(piece)
        argument = piece.argument(*SHOW)
        if argument is not None and len(argument) == 1:
            direct = self._show_name(argument[0])
            if direct is not None:
                return direct
        if piece.tokens[0] == "let" and piece.names & _STANDARD:
            parts = [self._show_name(name) for name in self._list_outer(piece)]
            if None not in parts:
                return ShownPiece(tuple(v for part in parts if part for v in part.variables))
        if self._count_assignments(self._scope(piece)) <= MOST_ASSIGNMENTS:
            return self._tabulate(piece)
        if argument is not None:
            return self._evaluate(argument)
        raise Undecided(f"what {_shorten(piece)} shows of its {len(self._scope(piece))} variables")

    def _list_outer(self, piece: Piece) -> Iterator[str]:
        """The declared names in a piece that rest on inputs."""
        return (n for n in piece.names if n in self.model.declared and self.model.reach([n]))

    def _show_name(self, name: str) -> ShownPiece | None:
        """What ``show`` prints for one name; None if that is not known."""
        declared = self.model.declared.get(name)
        if declared is None:
            return None
        # A derived name may be a variable too: what it is calculated from may be many.
        if not declared.value or name in self.flat.positions:
            return ShownPiece(self.flat.variables(name), is_number=not declared.is_array)
        if not declared.is_array:
            piece = Piece(("show", "(", name, ")"))
            known = self._count_assignments(self._scope(piece)) <= MOST_ASSIGNMENTS
            return self._tabulate(piece) if known else None
        tokens = declared.value
        if tokens[0] != "[" or tokens[-1] != "]":
            return None
        variables: list[str] = []
        for element in split_list(tokens[1:-1]):
            if not self.model.reach(element):
                continue
            one = self._show_name(element[0]) if len(element) == 1 else None
            if one is None:
                return None
            variables += one.variables
        return ShownPiece(tuple(variables))

    # --- comprehensions ---

    def _unroll(self, piece: Piece) -> Iterator[Piece]:
        """The elements of a comprehension whose generators are fixed, each as a piece."""
        loop = find_loop(piece)
        if loop is None or not self.model.reach(piece.names):
            yield piece
            return
        body, generators = loop
        names = list(_list_generated(generators))
        if not names or self.model.reach(frozenset(generators) - set(names)):
            yield piece
            return
        line = ' ++ "," ++ '.join(f"show({name})" for name in names)
        made = f'concat([{line} ++ ";" | {" ".join(generators)}])'
        for numbers in self.print(made, [{}])[0].split(";")[:-1]:
            bound = dict(zip(names, numbers.split(","), strict=True))
            if not all(number.lstrip("-").isdigit() for number in bound.values()):
                raise Undecided(f"what {_shorten(piece)} counts through")
            yield Piece(tuple(f"({bound[token]})" if token in bound else token for token in body))

    def _scope(self, piece: Piece) -> tuple[str, ...]:
        """The FlatZinc variables that the text of a piece rests on."""
        if piece.tokens not in self._scopes:
            self._scopes[piece.tokens] = self._find_scope(piece)
        return self._scopes[piece.tokens]

    def _find_scope(self, piece: Piece) -> tuple[str, ...]:
        model, flat = self.model, self.flat
        inputs = model.reach(piece.names)
        arrays = {name: None for name in inputs if model.declared[name].is_array}
        used: dict[str, None] = {}
        direct = set()
        for name, indices in list_accesses(piece.tokens, arrays):
            direct.add(name)
            known = all(not one.isidentifier() or one in model.declared for one in indices)
            if not (indices and known) or model.reach(frozenset(indices)):
                used |= dict.fromkeys(flat.variables(name))
                continue
            numbers = self._calculate(indices)
            used |= dict.fromkeys(flat.elements(name, numbers))
        for name in inputs - direct:
            used |= dict.fromkeys(flat.variables(name))
        return tuple(used)

    def _calculate(self, indices: Tokens) -> tuple[int, ...]:
        parts = [" ".join(part) for part in split_list(indices)]
        plain = [part.strip("() ") for part in parts]
        if all(part.lstrip("-").isdigit() for part in plain):
            return tuple(map(int, plain))
        text = ' ++ "," ++ '.join(f"show({part})" for part in parts)
        if text not in self._indices:
            self._indices[text] = self.print(text, [{}])[0]
        said = self._indices[text].split(",")
        if not all(number.lstrip("-").isdigit() for number in said):
            raise Undecided(f"which element [{' '.join(indices)}] is")
        return tuple(map(int, said))

    # --- tables ---

    def _count_assignments(self, scope: Sequence[str]) -> int:
        return prod(len(self._domain(name)) for name in scope)

    def _domain(self, name: str) -> Sequence[int]:
        return self.structure.domains[self.flat.positions[name]]

    def _assignments(self, scope: Sequence[str]) -> list[dict[str, int]]:
        domains = [self._domain(name) for name in scope]
        return [dict(zip(scope, row, strict=True)) for row in product(*domains)]

    def _tabulate(self, piece: Piece) -> ShownPiece:
        """What a piece shows, by printing it for every assignment."""
        scope = self._scope(piece)
        if self._count_assignments(scope) > MOST_ASSIGNMENTS:
            raise Undecided(f"what {_shorten(piece)} shows of its {len(scope)} variables")
        rows = self._assignments(scope)
        texts = self._printed.get(piece.tokens) or self._print_alone(piece, rows)
        different = dict.fromkeys(texts)
        if len(different) == len(rows):
            return ShownPiece(scope, frozenset(texts))
        if len(different) == 1:
            return ShownPiece((), frozenset(texts))
        known = self.numbered.get(piece.tokens)
        if known is None:
            numbers = {text: number for number, text in enumerate(different)}
            if all(text.lstrip("-").isdigit() for text in different):
                numbers = {text: int(text) for text in different}
            table = tuple(
                (*row.values(), numbers[text]) for row, text in zip(rows, texts, strict=True)
            )
            name = _shorten(piece)
            values = tuple(sorted(set(numbers.values())))
            known = self.numbered[piece.tokens] = Numbered(name, scope, table, values)
        return ShownPiece((known.name,), frozenset(texts))

    def _print_alone(self, piece: Piece, rows: Sequence[Mapping[str, int]]) -> list[str]:
        self._processes += 1
        if self._processes > MOST_PRINTED:
            raise Undecided(
                f"the text has more than {MOST_PRINTED} pieces such as {_shorten(piece)}, which "
                "rest on several variables each"
            )
        return self.print(piece.text, rows)

    def _print_ahead(self, pieces: Sequence[Piece]) -> None:
        """Print pieces that rest on one small variable or none together: a process takes time."""
        single: dict[Tokens, tuple[Piece, tuple[str, ...]]] = {}
        for piece in pieces:
            if piece.is_literal or piece.tokens in single:
                continue
            scope = self._scope(piece)
            if len(scope) <= 1 and self._count_assignments(scope) <= MOST_ASSIGNMENTS:
                single[piece.tokens] = piece, scope
        if len(single) < 2:
            return
        domains = {name: self._domain(name) for _, scope in single.values() for name in scope}
        rows = [
            {name: domain[min(k, len(domain) - 1)] for name, domain in domains.items()}
            for k in range(max(map(len, domains.values()), default=1))
        ]
        joined = f' ++ "{MARK}" ++ '.join(piece.text for piece, _ in single.values())
        columns = zip(*(text.split(MARK) for text in self.print(joined, rows)), strict=True)
        for (tokens, (_, scope)), column in zip(single.items(), columns, strict=True):
            self._printed[tokens] = list(column[: self._count_assignments(scope)])

    # --- numbers ---

    def _evaluate(self, argument: Tokens) -> ShownPiece:
        """A number that rests on many variables: the model is to have a variable of its value."""
        value = tuple(token for token in argument if token != "fix")
        if value not in self.values:
            self.values.append(value)
        return ShownPiece((f"{VALUE}{self.values.index(value) + 1}",), is_number=True)


# --- putting pieces together ----------------------------------------------------------------------


def _runs_into(shown: Sequence[tuple[Piece, ShownPiece]], k: int) -> bool:
    """Whether a text of piece ``k`` may begin another one of it, what follows included."""
    one = shown[k][1]
    if not one.variables and len(one.texts or ()) == 1:
        return False
    after = shown[k + 1][0]
    literal = after.tokens[0][1:-1] if after.is_literal else ""
    if one.is_number:
        return not literal or literal[0].isdigit()
    if one.texts is None:  # arrays end in a bracket
        return False
    texts = sorted(text + literal for text in one.texts)
    return any(after.startswith(before) for before, after in pairwise(texts))


def _join(one: Piece, other: Piece) -> Piece:
    return Piece(("(", *one.tokens, ")", "++", "(", *other.tokens, ")"))


def _join_numbered(
    scope: tuple[str, ...], names: dict[str, None], numbered: list[Numbered]
) -> tuple[dict[str, None], list[Numbered]]:
    """The texts that one scope determines together: its variables themselves where no two of its
    assignments make the same texts."""
    of_scope = [one for one in numbered if one.scope == scope]
    texts = [[row[-1] for row in one.rows] for one in of_scope]
    together = set(zip(*texts, strict=True))
    if len(together) < len(of_scope[0].rows):
        return names, numbered
    gone = {one.name for one in of_scope}
    kept = dict.fromkeys([*(name for name in names if name not in gone), *scope])
    return kept, [one for one in numbered if one.scope != scope]


def _list_generated(generators: Tokens) -> Iterator[str]:
    """The names that generators bind: those before each ``in``."""
    names: list[str] = []
    for part in split_list(generators):
        if not part[0].isidentifier():
            return
        names.append(part[0])
        if len(part) > 1 and part[1] == "in":
            yield from names
            names = []
            if "where" in part:
                return


def _shorten(piece: Piece) -> str:
    argument = piece.argument(*SHOW)
    text = "".join(argument or piece.tokens)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _add_output(
    structure: Structure, names: Sequence[str], numbered: Sequence[Numbered]
) -> Structure:
    """The structure whose output are these variables, numbered texts among them."""
    constraints: list[Constraint] = list(structure.constraints)
    called, domains = list(structure.names), list(structure.domains)
    positions = {name: k for k, name in enumerate(called)}
    for one in numbered:
        scope = tuple(positions[name] for name in one.scope)
        constraints.append(Table((*scope, len(called)), one.rows))
        positions[one.name] = len(called)
        called.append(one.name)
        domains.append(one.values)
    output = tuple(positions[name] for name in names)
    return replace(
        structure,
        names=tuple(called),
        domains=tuple(domains),
        constraints=tuple(constraints),
        output=output,
    )
