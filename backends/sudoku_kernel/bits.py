"""Counting bits and finding the lowest one: an instruction each, which numba does not offer."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def popcount(typingctx, x):
    """Number of set bits (uint64 -> int64)."""
    return types.int64(types.uint64), lambda context, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def lowest(typingctx, x):
    """Number of the lowest set bit of a uint64 that is not zero (-> int64)."""

    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen
