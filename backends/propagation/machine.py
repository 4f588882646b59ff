"""The kernel and the propagators, compiled by numba.

What is compiled is the source of the pure form. Where it calls a function or reads a number of
``kernel.words``, the compiled form has an instruction, and words of 64 bits; ``run_propagator``
calls machine code through its address. Every other function is compiled as it is written, and a
function that it calls likewise (``rebinding``).

The kernel is one piece of machine code. A propagator is compiled when a problem first needs it, and
is called by its address, so that nobody waits for the propagators that a problem does not have.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from backends.machine_code import SourcesCache
from backends.propagation import parts
from backends.propagation.asking import asked_address, raise_kept
from backends.propagation.encode.arena import Form
from backends.propagation.kernel import fixpoint, trail, words
from backends.propagation.kernel.facts import EXPLAIN, LEARNING_HEAD, LEARNING_HEADER
from backends.propagation.kernel.layout import (
    LENGTH,
    M_ASK,
    M_STAMP,
    M_STOPPED,
    M_TRAIL_TOP,
    STAMP,
)
from backends.propagation.kernel.search import search
from backends.propagation.learning import reasons
from backends.propagation.learning.domains import SUBSTITUTES
from backends.propagation.learning.explanations import explanation_of
from backends.propagation.learning.search import search as learning_search
from backends.propagation.parts import compile_as_part
from backends.propagation.rebinding import Binding

CELLS = types.CPointer(types.int64)
PROPAGATE = types.int64(CELLS, CELLS, CELLS, types.int64)
OPTIONS = {
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
COMPILER = Path(__file__).read_bytes() + Path(parts.__file__).read_bytes()
"""What is compiled depends on these files, too."""


@intrinsic
def count_bits(typingctx, word):
    """The processor's instruction."""
    return types.int64(types.int64), lambda context, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def lowest_bit(typingctx, word):
    """The processor's instruction."""

    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@intrinsic
def highest_bit(typingctx, word):
    """The processor's instruction."""

    def codegen(context, builder, sig, args):
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), codegen


@intrinsic
def call_address(typingctx, address, S, T, M, a):
    """Call the machine code of a propagator."""

    def codegen(context, builder, sig, args):
        cell, cells = ir.IntType(64), ir.IntType(64).as_pointer()
        kind = ir.FunctionType(cell, [cells, cells, cells, cell])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return types.int64(types.int64, CELLS, CELLS, CELLS, types.int64), codegen


def run_address(S, T, M, a):
    """Run propagator ``a``; False when its constraint cannot hold."""
    return call_address(T[a], S, T, M, a) != 0


@intrinsic
def call_python(typingctx, address):
    """Call a function of Python that takes nothing and returns a number."""

    def codegen(context, builder, sig, args):
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [])

    return types.int64(types.int64), codegen


def ask_python(M):
    """1 where the search is to stop."""
    return call_python(M[M_ASK])


@intrinsic
def call_explanation(typingctx, address, S, T, M, a, slot, value, place, out):
    """Call the machine code of an explanation."""

    def codegen(context, builder, sig, args):
        cell, cells = ir.IntType(64), ir.IntType(64).as_pointer()
        kind = ir.FunctionType(cell, [cells, cells, cells, *[cell] * 5])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return types.int64(types.int64, *PROPAGATE.args, *[types.int64] * 4), codegen


def explain_by_address(S, T, M, a, slot, value, place, out):
    """Write why propagator ``a`` made a literal true."""
    return call_explanation(T[a + EXPLAIN], S, T, M, a, slot, value, place, out)


def save(S, M, r):
    """``trail.save`` cell by cell."""
    if S[r + STAMP] != M[M_STAMP]:
        S[r + STAMP] = M[M_STAMP]
        top = M[M_TRAIL_TOP]
        length = S[r + LENGTH]
        for k in range(length):
            M[top + k] = S[r + k]
        M[top + length] = r
        M[M_TRAIL_TOP] = top + length + 1


def undo(S, M, mark):
    """``trail.undo`` cell by cell."""
    top = M[M_TRAIL_TOP]
    while top > mark:
        r = M[top - 1]
        length = S[r + LENGTH]
        top -= length + 1
        for k in range(length):
            S[r + k] = M[top + k]
    M[M_TRAIL_TOP] = mark
    M[M_STAMP] += 1


def pop(S, M, top):
    """``trail.pop`` of cells that lie in M."""
    return top - S[M[top - 1] + LENGTH] - 1


INSTRUCTIONS: dict[Any, Any] = {
    trail.save: compile_as_part(save, **OPTIONS),
    trail.undo: compile_as_part(undo, **OPTIONS),
    trail.pop: compile_as_part(pop, **OPTIONS),
    words.count_bits: count_bits,
    words.lowest_bit: lowest_bit,
    words.highest_bit: highest_bit,
    fixpoint.ask: compile_as_part(ask_python, **OPTIONS),
    fixpoint.run_propagator: compile_as_part(run_address, forceinline=True, **OPTIONS),
    reasons.run_explanation: compile_as_part(explain_by_address, **OPTIONS),
}
CONSTANTS = {"WORD_BITS": 64, "WORD_SHIFT": 6, "WORD_MASK": 63}
INLINED = 12
"""A function of fewer lines becomes part of what calls it."""


def compile_part(function: Callable[..., Any], made: Callable[..., Any]) -> Any:
    """A function as compiled code may call it."""
    lines = [line for _, _, line in function.__code__.co_lines() if line]
    is_short = max(lines) - min(lines) <= INLINED
    return compile_as_part(made, forceinline=is_short, **OPTIONS)


COMPILED = Binding(INSTRUCTIONS, {}, CONSTANTS, compile_part)
LEARNING = Binding(INSTRUCTIONS, SUBSTITUTES, CONSTANTS, compile_part, COMPILED)


@cache
def machine_code(function: Callable[..., Any], binding: Binding = COMPILED, more: int = 0) -> Any:
    """A function of (S, T, M, number), and ``more`` numbers, as machine code with an address, kept
    on disk."""
    arguments = PROPAGATE.args + (types.int64,) * more
    source = binding.rebound(function)
    made: Any = CFunc(source, (arguments, PROPAGATE.return_type), {}, dict(OPTIONS))
    with suppress(RuntimeError):  # numba: no folder in which it could keep anything
        made._cache = SourcesCache(source, binding.digest(function, COMPILER), is_plain=True)
    made.compile()
    return made


def is_kept(function: Callable[..., Any], learns: bool, more: int = 0) -> bool:
    """Compile a function unless that has been done; whether later processes will find it."""
    made = machine_code(function, LEARNING if learns else COMPILED, more)
    return isinstance(made._cache, SourcesCache)


def address(function: Callable[..., Any]) -> int:
    """Where the machine code of a propagator lies."""
    found: int = machine_code(function).address
    return found


def learning_address(function: Callable[..., Any]) -> int:
    """Where the machine code of a propagator that learns lies."""
    found: int = machine_code(function, LEARNING).address
    return found


def explanation_address(function: Callable[..., Any]) -> int:
    """Where the machine code of a propagator's explanation lies; 0 if it has none."""
    explain = explanation_of(function)
    if explain is None:
        return 0
    found: int = machine_code(explain, LEARNING, 4).address
    return found


def run_search(S: Any, T: Any, M: Any, nodes: int) -> int:
    """``search`` over arrays of 64-bit integers."""
    return run_at(address(search), S, T, M, nodes)


def run_learning_search(S: Any, T: Any, M: Any, nodes: int) -> int:
    """``learning.search`` over arrays of 64-bit integers."""
    return run_at(learning_address(learning_search), S, T, M, nodes)


def run_at(place: int, S: Any, T: Any, M: Any, nodes: int) -> int:
    """Run a search whose machine code lies at ``place``, and raise what was raised meanwhile."""
    found: int = search_at(place)(S.ctypes.data, T.ctypes.data, M.ctypes.data, nodes)
    if M[M_STOPPED]:
        raise_kept()
    return found


@cache
def search_at(place: int) -> Any:
    """The machine code of a search as a function of Python, without Python's lock."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_int64)(place)


def array(cells: list[int]) -> Any:
    """An array of 64-bit integers."""
    return np.array(cells, np.int64)


def extend(cells: Any, number: int) -> Any:
    """A copy with ``number`` zeros at its end."""
    return np.concatenate((cells, np.zeros(number, np.int64)))


def zeros(size: int) -> Any:
    """An array of zeros."""
    return np.zeros(size, np.int64)


def compiled_form() -> Form:
    """The compiled form."""
    return Form(
        "compiled",
        64,
        array,
        extend,
        address,
        run_search,
        lambda: machine_code(search),
        zeros,
        ask=asked_address,
    )


def compiled_learning_form() -> Form:
    """The compiled form of the search that learns."""
    return Form(
        "compiled",
        64,
        array,
        extend,
        learning_address,
        run_learning_search,
        lambda: machine_code(learning_search, LEARNING),
        zeros,
        explanation_address,
        LEARNING_HEADER,
        LEARNING_HEAD,
        ask=asked_address,
    )
