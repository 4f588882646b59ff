"""The kernel and the propagators, compiled by numba.

What is compiled is the source of the pure form. Where it calls a function or reads a number of
``kernel.words``, the compiled form has an instruction, and words of 64 bits; ``run_propagator``
calls machine code through its address. Every other function is compiled as it is written, and a
function that it calls likewise.

The kernel is one piece of machine code. A propagator is compiled when a problem first needs it, and
is called by its address, so that nobody waits for the propagators that a problem does not have.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from backends.machine_code import SourcesCache, sources_digest
from backends.propagation.encode.arena import Form
from backends.propagation.kernel import fixpoint, words
from backends.propagation.kernel.search import search

CELLS = types.CPointer(types.int64)
PROPAGATE = types.int64(CELLS, CELLS, CELLS, types.int64)
OPTIONS = {"error_model": "numpy", "_nrt": False}
ROOM = __name__.rpartition(".")[0]
DIGEST = sources_digest(Path(__file__).parent)


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


INSTRUCTIONS: dict[Any, Any] = {
    words.count_bits: count_bits,
    words.lowest_bit: lowest_bit,
    words.highest_bit: highest_bit,
    fixpoint.run_propagator: njit(forceinline=True, **OPTIONS)(run_address),
}
CONSTANTS = {"WORD_BITS": 64, "WORD_SHIFT": 6, "WORD_MASK": 63}
INLINED = 12
"""Functions with at most so many lines become part of what calls them."""

_COMPILED: dict[Any, Any] = {}


def rebound(function: Callable[..., Any]) -> Any:
    """``function`` with what it calls and reads in the compiled form."""
    names: dict[str, Any] = {"__name__": function.__module__, "__builtins__": __builtins__}
    for name in function.__code__.co_names:
        if name in function.__globals__:
            value = function.__globals__[name]
            names[name] = CONSTANTS.get(name, value)
            if isinstance(value, FunctionType) and value.__module__.startswith(ROOM):
                names[name] = compiled(value)
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    return made


def compiled(function: Callable[..., Any]) -> Any:
    """A function as compiled code may call it."""
    if function in INSTRUCTIONS:
        return INSTRUCTIONS[function]
    if function not in _COMPILED:
        lines = [line for _, _, line in function.__code__.co_lines() if line]
        is_short = max(lines) - min(lines) <= INLINED
        _COMPILED[function] = njit(forceinline=is_short, **OPTIONS)(rebound(function))
    return _COMPILED[function]


@cache
def machine_code(function: Callable[..., Any]) -> Any:
    """A function of (S, T, M, number) as machine code with an address, kept on disk."""
    source = rebound(function)
    made: Any = CFunc(source, (PROPAGATE.args, PROPAGATE.return_type), {}, dict(OPTIONS))
    with suppress(RuntimeError):  # numba: no folder in which it could keep anything
        made._cache = SourcesCache(source, DIGEST)
    made.compile()
    return made


def address(function: Callable[..., Any]) -> int:
    """Where the machine code of a propagator lies."""
    found: int = machine_code(function).address
    return found


def run_search(S: Any, T: Any, M: Any, nodes: int) -> int:
    """``search`` over arrays of 64-bit integers."""
    found: int = search_at(address(search))(S.ctypes.data, T.ctypes.data, M.ctypes.data, nodes)
    return found


@cache
def search_at(place: int) -> Any:
    """The machine code of a search as a function of Python, without Python's lock."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_int64)(place)


def compiled_form() -> Form:
    """The compiled form."""
    return Form(
        "compiled",
        64,
        lambda cells: np.array(cells, np.int64),
        lambda cells, number: np.concatenate((cells, np.zeros(number, np.int64))),
        address,
        run_search,
        lambda: machine_code(search),
    )
