"""Every one-line mutant of a Python source file.

A mutant is the file with one small change inside one line: a comparison turned or moved by its
boundary, an operator exchanged, a number one more, a condition forced, a statement dropped, another
value returned, two arguments exchanged. What no run can show is left alone: docstrings,
annotations, imports, the texts of errors, ``strict=True``, the order of what ``max`` is given.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

COMPARED = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
COMPUTED = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.Mod: ("%", "+"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}


@dataclass(frozen=True)
class Mutant:
    """One change: in line ``line`` of ``file``, from column ``column``, ``old`` becomes ``new``."""

    file: str
    line: int
    column: int
    kind: str
    old: str
    new: str
    text: str
    """The line as it was, without what surrounds it."""

    @property
    def change(self) -> str:
        """The change in words that stay the same when lines are added above."""
        return f"{self.kind}: {self.old} -> {self.new}"

    @property
    def name(self) -> str:
        """The same for the same change of the same line, wherever the line is in the file."""
        content = f"{self.file}\n{self.text}\n{self.column}\n{self.change}"
        return blake2b(content.encode(), digest_size=6).hexdigest()

    def applied(self, source: str) -> str:
        """The whole file with the change."""
        lines = source.splitlines(keepends=True)
        line = lines[self.line - 1].encode()
        end = self.column + len(self.old.encode())
        assert line[self.column : end].decode() == self.old, f"{self.file}:{self.line} is another"
        changed = line[: self.column] + self.new.encode() + line[end:]
        lines[self.line - 1] = changed.decode()
        return "".join(lines)


def mutants(file: str, source: str) -> list[Mutant]:
    """Return all mutants of a file, in the order of their places; each of them compiles."""
    return [mutant for mutant in list_changes(file, source) if compiles(mutant, source)]


def list_changes(file: str, source: str) -> list[Mutant]:
    """Return the same with those that do not compile, which takes a tenth of the time."""
    found: dict[tuple[int, int, str, str], Mutant] = {}
    lines = source.splitlines()
    for line, column, end, kind, new in _Places(lines).of(ast.parse(source)):
        text = lines[line - 1]
        old = text.encode()[column:end].decode()
        if old != new:
            mutant = Mutant(file, line, column, kind, old, new, text.strip())
            found.setdefault((line, column, old, new), mutant)
    return sorted(found.values(), key=lambda m: (m.line, m.column, m.old, m.new))


def compiles(mutant: Mutant, source: str) -> bool:
    """Return whether the file with the change is Python."""
    try:
        compile(mutant.applied(source), "mutant", "exec")
    except SyntaxError:
        return False
    return True


Place = tuple[int, int, int, str, str]
"""Line, first and last column in bytes, kind, and what is written there."""


class _Places:
    """Walks a file's syntax tree and lists the changes of each line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [line.encode() for line in lines]

    def of(self, node: ast.AST) -> Iterator[Place]:
        make: Callable[[ast.AST], Iterator[Place]] | None
        make = getattr(self, f"_{type(node).__name__}", None)
        if make is not None:
            yield from make(node)
        if isinstance(node, ast.stmt):
            yield from self._dropped(node)
        for child in self._children(node):
            yield from self.of(child)

    def _children(self, node: ast.AST) -> Iterator[ast.AST]:
        """What is run: no annotations, docstrings, imports, decorators or texts."""
        if isinstance(node, (ast.JoinedStr, ast.Raise, ast.Import, ast.ImportFrom, ast.Assert)):
            return
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in (
            "__slots__",
            "__all__",
        ):
            return
        if isinstance(node, ast.FunctionDef):
            yield from [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
            yield from node.body
        elif isinstance(node, ast.ClassDef):
            yield from node.body
        elif isinstance(node, ast.AnnAssign):
            yield from [node.value] if node.value is not None else []
        elif isinstance(node, ast.Call):
            yield from (node.func, *node.args)
            yield from (keyword.value for keyword in node.keywords if keyword.arg != "strict")
        else:
            yield from ast.iter_child_nodes(node)

    # --- places ---

    def _whole(self, node: ast.expr | ast.stmt, kind: str, new: str) -> Iterator[Place]:
        """The text of a node that is in one line."""
        if node.lineno == node.end_lineno and node.end_col_offset is not None:
            yield node.lineno, node.col_offset, node.end_col_offset, kind, new

    def _between(
        self, left: ast.expr, right: ast.expr, old: str, kind: str, new: str
    ) -> Iterator[Place]:
        """An operator between two operands of one line."""
        if left.end_lineno != right.lineno:
            return
        line, start = self.lines[right.lineno - 1], left.end_col_offset
        at = line.find(old.encode(), start, right.col_offset)
        if at >= 0:
            yield right.lineno, at, at + len(old.encode()), kind, new

    # --- expressions ---

    def _Compare(self, node: ast.Compare) -> Iterator[Place]:  # noqa: N802
        operands = [node.left, *node.comparators]
        for left, right, op in zip(operands, operands[1:], node.ops, strict=False):
            old, others = COMPARED[type(op)]
            for new in others:
                yield from self._between(left, right, old, "comparison", new)

    def _BoolOp(self, node: ast.BoolOp) -> Iterator[Place]:  # noqa: N802
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from self._between(left, right, old, "connective", new)

    def _BinOp(self, node: ast.BinOp) -> Iterator[Place]:  # noqa: N802
        if type(node.op) in COMPUTED and not _is_text(node.left):
            old, new = COMPUTED[type(node.op)]
            yield from self._between(node.left, node.right, old, "operator", new)

    def _UnaryOp(self, node: ast.UnaryOp) -> Iterator[Place]:  # noqa: N802
        if isinstance(node.op, (ast.Not, ast.Invert)) and node.lineno == node.operand.lineno:
            yield node.lineno, node.col_offset, node.operand.col_offset, "negation", ""

    def _Constant(self, node: ast.Constant) -> Iterator[Place]:  # noqa: N802
        if isinstance(node.value, bool):
            yield from self._whole(node, "constant", str(not node.value))
        elif isinstance(node.value, int):
            yield from self._whole(node, "constant", str(node.value + 1))

    def _IfExp(self, node: ast.IfExp) -> Iterator[Place]:  # noqa: N802
        yield from self._forced(node.test)

    def _comprehension(self, node: ast.comprehension) -> Iterator[Place]:
        for test in node.ifs:
            yield from self._whole(test, "condition", "True")

    def _Call(self, node: ast.Call) -> Iterator[Place]:  # noqa: N802
        if ast.unparse(node.func) in ("max", "min") or len(node.args) < 2:
            return
        if any(isinstance(a, ast.Starred) for a in node.args[:2]):
            return
        first, second = node.args[:2]
        end = second.end_col_offset
        if end is None or first.lineno != second.end_lineno:
            return
        if ast.dump(first) != ast.dump(second):
            line = self.lines[first.lineno - 1]
            one = line[first.col_offset : first.end_col_offset]
            two = line[second.col_offset : end]
            middle = line[first.end_col_offset : second.col_offset]
            new = (two + middle + one).decode()
            yield first.lineno, first.col_offset, end, "arguments", new

    def _forced(self, test: ast.expr) -> Iterator[Place]:
        for new in ("True", "False"):
            yield from self._whole(test, "condition", new)

    # --- statements ---

    def _If(self, node: ast.If) -> Iterator[Place]:  # noqa: N802
        if ast.unparse(node.test) != "TYPE_CHECKING":
            yield from self._forced(node.test)

    def _Return(self, node: ast.Return) -> Iterator[Place]:  # noqa: N802
        if node.value is not None and not isinstance(node.value, ast.Constant):
            yield from self._whole(node.value, "returned", "None")

    def _dropped(self, node: ast.stmt) -> Iterator[Place]:
        is_call = isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await))
        changes = isinstance(node, ast.Assign) and isinstance(
            node.targets[0], (ast.Attribute, ast.Subscript)
        )
        ends = isinstance(node, (ast.AugAssign, ast.Continue, ast.Break, ast.Raise, ast.Delete))
        slots = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__"
        if (is_call or changes or ends) and not slots:
            yield from self._whole(node, "statement", "pass")


def _is_text(node: ast.expr) -> bool:
    """Return whether it is plainly a text: another operator only raises TypeError."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
