"""Vector words for numba: one 128-bit word a digit, all nine digits as one value.

numba has no vector type. This file gives it two, lowered to plain LLVM vectors, so that a kernel
reads like arithmetic and yet runs in vector registers. Only generic LLVM operations are used (and,
or, shift, select, shufflevector, ctpop, vector.reduce), no instruction of one machine: what a
machine lacks LLVM replaces.

* ``Digits``: for each digit a *word* of four 32-bit *lanes*, in registers of ``LAYOUT[r]`` words.
* ``Word``: one word, repeated over a register: what is the same for all digits.

Operators: ``& | ^ ~`` between Digits and Digits, Digits and Word, Word and Word; ``<<`` and ``>>``
by an integer or, lane by lane, by a Word. The named operations below come in three kinds: inside
words (``shuffle``, ``turner``, ``popcount``), over the digits (``any_digit``, ``one_two``, ...; the
result is a Word), and in or out of memory.

The type machinery is that of numba's manual, "Low-level extension API". The idea of a Sudoku state
in vector registers is tdoku's (T. Dillon); what the words hold is the kernel's business
(bitboard.py).
"""

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model
from numba.np.arrayobj import make_array

LANES = 4
DIGITS = 9
# Words held by each register, the widest first. Two words (256 bits) a register were the fastest on
# a machine that has 512-bit registers too: there the wide operations take twice as long, and folds
# over the digits are longer.
LAYOUT = (2, 2, 2, 2, 1)
REGISTERS = len(LAYOUT)
WIDTH = LANES * LAYOUT[0]  # lanes of the widest register: a Word fills it
STARTS = [LANES * sum(LAYOUT[:r]) for r in range(REGISTERS)]
STATE_LANES = LANES * sum(LAYOUT)  # lanes of Digits in memory

ONES = 0xFFFFFFFF
I1, I8, I16, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
VECTORS = [ir.VectorType(I32, LANES * words) for words in LAYOUT]
VECTOR = VECTORS[0]


class DigitsType(types.Type):
    def __init__(self):
        super().__init__(name="Digits")


class WordType(types.Type):
    def __init__(self):
        super().__init__(name="Word")


digits_type = DigitsType()
word_type = WordType()
KINDS = (DigitsType, WordType)


@register_model(DigitsType)
class DigitsModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, ir.LiteralStructType(VECTORS))


@register_model(WordType)
class WordModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, VECTOR)


# --- helpers for lowering -------------------------------------------------------------------------


def vector_constant(values, element=I32):
    modulus = 1 << element.width
    return ir.Constant(
        ir.VectorType(element, len(values)), [ir.Constant(element, v % modulus) for v in values]
    )


def undefined(vector_type):
    return ir.Constant(vector_type, ir.Undefined)


def lanes_constant(values, like=VECTOR):
    """One value a lane, repeated over the words of a register."""
    return vector_constant(list(values) * (like.count // LANES))


def lanes_of(r):
    """The lanes of register r, counted through all words; lane i belongs to digit i // LANES."""
    return range(STARTS[r], STARTS[r] + VECTORS[r].count)


def resized(builder, register, count, fill=0):
    """The first ``count`` lanes; lanes that the register lacks are ``fill``."""
    have = register.type.count
    if have == count:
        return register
    index = [i if i < have else have for i in range(count)]
    return builder.shuffle_vector(register, vector_constant([fill] * have), vector_constant(index))


def spread_integer(builder, value, vector_type):
    vector = undefined(vector_type)
    for i in range(vector_type.count):
        vector = builder.insert_element(vector, value, ir.Constant(I32, i))
    return vector


def parts(builder, value, kind):
    """The registers of a value; a Word stands for the same register again and again."""
    if isinstance(kind, DigitsType):
        return [builder.extract_value(value, r) for r in range(REGISTERS)]
    return [resized(builder, value, vector.count) for vector in VECTORS]


def joined(builder, registers):
    value = ir.Constant(ir.LiteralStructType(VECTORS), ir.Undefined)
    for r, register in enumerate(registers):
        value = builder.insert_value(value, register, r)
    return value


def widened(builder, registers, fill=0):
    """Registers of one width."""
    return [resized(builder, register, WIDTH, fill) for register in registers]


def words_rotated(builder, register, by):
    index = [(i + LANES * by) % WIDTH for i in range(WIDTH)]
    return builder.shuffle_vector(register, undefined(VECTOR), vector_constant(index))


def rotations():
    """The rotations by which a fold over a register visits all its words (a power of two of
    them)."""
    by = LAYOUT[0] // 2
    while by:
        yield by
        by //= 2


def folded(builder, registers, combine, neutral=0):
    """The words of all digits combined into one, repeated over the register."""
    total, *rest = widened(builder, registers, neutral)
    for register in rest:
        total = combine(total, register)
    for by in rotations():
        total = combine(total, words_rotated(builder, total, by))
    return total


def majority(builder, a, b, c):
    return builder.or_(builder.and_(a, builder.or_(b, c)), builder.and_(b, c))


def vector_call(builder, name, result, vector):
    suffix = f"v{vector.type.count}i{vector.type.element.width}"
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(result, [vector.type]), f"llvm.{name}.{suffix}"
    )
    return builder.call(function, [vector])


# --- operators ------------------------------------------------------------------------------------


def binary(op, method):
    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and all(isinstance(a, KINDS) for a in args):
                wide = any(isinstance(a, DigitsType) for a in args)
                return signature(digits_type if wide else word_type, *args)
            return None

    def lower(context, builder, sig, args):
        combine = getattr(builder, method)
        if sig.return_type == word_type:
            return combine(*args)
        each = [parts(builder, value, kind) for value, kind in zip(args, sig.args, strict=True)]
        return joined(builder, [combine(a, b) for a, b in zip(*each, strict=True)])

    for a in KINDS:
        for b in KINDS:
            lower_builtin(op, a, b)(lower)


def shift_by_integer(op, method):
    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and isinstance(args[0], KINDS) and isinstance(args[1], types.Integer):
                return signature(args[0], args[0], types.int64)
            return None

    def lower(context, builder, sig, args):
        count = builder.trunc(args[1], I32)

        def shifted(register):
            return getattr(builder, method)(register, spread_integer(builder, count, register.type))

        if sig.return_type == word_type:
            return shifted(args[0])
        return joined(builder, [shifted(r) for r in parts(builder, args[0], sig.args[0])])

    for kind in KINDS:
        lower_builtin(op, kind, types.Integer)(lower)


def inversion():
    @infer_global(operator.invert)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 1 and isinstance(args[0], KINDS):
                return signature(args[0], args[0])
            return None

    def lower(context, builder, sig, args):
        if sig.return_type == word_type:
            return builder.not_(args[0])
        return joined(builder, [builder.not_(r) for r in parts(builder, args[0], sig.args[0])])

    for kind in KINDS:
        lower_builtin(operator.invert, kind)(lower)


for _op, _method in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.rshift, "lshr"),
    (operator.lshift, "shl"),
):
    binary(_op, _method)
shift_by_integer(operator.rshift, "lshr")
shift_by_integer(operator.lshift, "shl")
inversion()


# --- inside words ---------------------------------------------------------------------------------


def each_register(make):
    """An operation on Digits or a Word that applies ``make(builder, register)`` to every
    register."""

    @intrinsic
    def operation(typingctx, x):
        if not isinstance(x, KINDS):
            return None

        def codegen(context, builder, sig, args):
            if isinstance(x, WordType):
                return make(builder, args[0])
            return joined(builder, [make(builder, r) for r in parts(builder, args[0], x)])

        return x(x), codegen

    return operation


def shuffle(*pattern):
    """An operation that gives lane i of every word the lane ``pattern[i]``."""

    def make(builder, register):
        index = [LANES * w + p for w in range(register.type.count // LANES) for p in pattern]
        return builder.shuffle_vector(register, undefined(register.type), vector_constant(index))

    return each_register(make)


def turner(right, left, kept):
    """An operation that turns the bits inside groups, in each lane by its own amount:
    ``(x >> right) & kept | (x << left) & ~kept``."""

    def make(builder, x):
        shifted_right = builder.lshr(x, lanes_constant(right, x.type))
        shifted_left = builder.shl(x, lanes_constant(left, x.type))
        return builder.or_(
            builder.and_(shifted_right, lanes_constant(kept, x.type)),
            builder.and_(shifted_left, lanes_constant([~k for k in kept], x.type)),
        )

    return each_register(make)


popcount = each_register(
    lambda builder, register: vector_call(builder, "ctpop", register.type, register)
)


def constant_word(*lanes):
    """A function without arguments that returns the Word with these lanes."""

    @intrinsic
    def word(typingctx):
        return word_type(), lambda context, builder, sig, args: lanes_constant(lanes)

    return word


@intrinsic
def only_digit(typingctx, digit):
    """Digits with all bits set for one digit (0..8) and none for the others."""

    def codegen(context, builder, sig, args):
        wanted = builder.trunc(args[0], I32)
        registers = []
        for r, vector in enumerate(VECTORS):
            own = vector_constant([i // LANES for i in lanes_of(r)])
            registers.append(
                builder.sext(
                    builder.icmp_unsigned("==", spread_integer(builder, wanted, vector), own),
                    vector,
                )
            )
        return joined(builder, registers)

    return digits_type(types.int64), codegen


# --- over the digits ------------------------------------------------------------------------------


def fold(method, neutral):
    @intrinsic
    def operation(typingctx, x):
        def codegen(context, builder, sig, args):
            return folded(builder, parts(builder, args[0], x), getattr(builder, method), neutral)

        return word_type(digits_type), codegen

    return operation


any_digit = fold("or_", 0)
all_digits = fold("and_", ONES)
sum_digits = fold("add", 0)


@intrinsic
def one_two(typingctx, x):
    """Bits set in at least one digit, and bits set in at least two."""

    def codegen(context, builder, sig, args):
        registers = widened(builder, parts(builder, args[0], x))
        one, two = registers[0], vector_constant([0] * WIDTH)
        # two registers a step: the majority of three is a single operation on machines with a
        # ternary one
        for i in range(1, len(registers), 2):
            a = registers[i]
            b = registers[i + 1] if i + 1 < len(registers) else None
            two = builder.or_(two, majority(builder, one, a, b) if b else builder.and_(one, a))
            one = builder.or_(one, builder.or_(a, b) if b else a)
        for by in rotations():
            other_one, other_two = words_rotated(builder, one, by), words_rotated(builder, two, by)
            two = builder.or_(builder.or_(two, other_two), builder.and_(one, other_one))
            one = builder.or_(one, other_one)
        return context.make_tuple(builder, sig.return_type, (one, two))

    return types.UniTuple(word_type, 2)(digits_type), codegen


@intrinsic
def exactly_three(typingctx, x):
    """Bits set in exactly three digits."""

    def codegen(context, builder, sig, args):
        # a binary counter for every bit: units, pairs, and fours, which stay set from four on
        def full_add(a, b, c):
            return builder.xor(builder.xor(a, b), c), majority(builder, a, b, c)

        zero = vector_constant([0] * WIDTH)
        units, *rest = widened(builder, parts(builder, args[0], x))
        pairs = fours = zero
        while rest:
            a = rest.pop(0)
            b = rest.pop(0) if rest else zero
            units, carry = full_add(units, a, b)
            fours = builder.or_(fours, builder.and_(pairs, carry))
            pairs = builder.xor(pairs, carry)
        for by in rotations():
            u, p, f = (words_rotated(builder, v, by) for v in (units, pairs, fours))
            carry = builder.and_(units, u)
            units = builder.xor(units, u)
            pairs, over = full_add(pairs, p, carry)
            fours = builder.or_(builder.or_(fours, f), over)
        return builder.and_(builder.and_(units, pairs), builder.not_(fours))

    return word_type(digits_type), codegen


@intrinsic
def difference(typingctx, x, y):
    """A Word that is zero if and only if two Digits are equal."""

    def codegen(context, builder, sig, args):
        pairs = zip(parts(builder, args[0], x), parts(builder, args[1], y), strict=True)
        total, *rest = (resized(builder, builder.xor(a, b), WIDTH) for a, b in pairs)
        for other in rest:
            total = builder.or_(total, other)
        return total

    return word_type(digits_type, digits_type), codegen


# Counts are held in 16-bit halves of lanes: eight a word, half 2 * i in the low part of lane i.


def keyed(builder, halves, bound, shift, names):
    """``halves << shift | names`` where ``halves > bound``, elsewhere the greatest key."""
    kind = halves.type
    key = builder.or_(
        builder.shl(halves, vector_constant([shift] * kind.count, I16)), vector_constant(names, I16)
    )
    above = builder.icmp_unsigned(
        ">", halves, spread_integer(builder, builder.trunc(bound, I16), kind)
    )
    return builder.select(above, key, vector_constant([0xFFFF] * kind.count, I16))


@intrinsic
def least_half(typingctx, x, bound):
    """The number (0..7) of the least half of a word that is above ``bound``, the first of
    equals."""

    def codegen(context, builder, sig, args):
        halves = builder.bitcast(resized(builder, args[0], LANES), ir.VectorType(I16, 2 * LANES))
        key = vector_call(
            builder, "vector.reduce.umin", I16, keyed(builder, halves, args[1], 3, range(2 * LANES))
        )
        return builder.zext(builder.and_(key, ir.Constant(I16, 7)), I64)

    return types.int64(word_type, types.int64), codegen


@intrinsic
def digit_of_least(typingctx, x, half, bound):
    """The digit (0..8) whose half number ``half`` is the least above ``bound``, the first of
    equals."""

    def codegen(context, builder, sig, args):
        total = vector_constant([0xFFFF] * (2 * WIDTH), I16)
        for r, register in enumerate(parts(builder, args[0], digits_type)):
            halves = builder.bitcast(register, ir.VectorType(I16, 2 * register.type.count))
            key = keyed(
                builder, halves, args[2], 4, [i // LANES for i in lanes_of(r) for _ in range(2)]
            )
            key = resized(builder, builder.bitcast(key, register.type), WIDTH, ONES)
            key = builder.bitcast(key, ir.VectorType(I16, 2 * WIDTH))
            total = least(total, key, builder)
        for by in rotations():
            other = words_rotated(builder, builder.bitcast(total, VECTOR), by)
            total = least(total, builder.bitcast(other, total.type), builder)
        key = builder.extract_element(total, builder.trunc(args[1], I32))
        return builder.zext(builder.and_(key, ir.Constant(I16, 15)), I64)

    def least(a, b, builder):
        return builder.select(builder.icmp_unsigned("<", a, b), a, b)

    return types.int64(digits_type, types.int64, types.int64), codegen


# --- tests and memory -----------------------------------------------------------------------------


@intrinsic
def is_zero(typingctx, x):
    def codegen(context, builder, sig, args):
        whole = builder.bitcast(args[0], ir.IntType(32 * WIDTH))
        return builder.icmp_unsigned("==", whole, ir.Constant(whole.type, 0))

    return types.boolean(word_type), codegen


@intrinsic
def trailing_zeros(typingctx, x):
    """The number of the lowest set bit of an integer that is not zero."""

    def codegen(context, builder, sig, args):
        return builder.zext(builder.cttz(args[0], ir.Constant(I1, 1)), I64)

    return types.int64(types.uint32), codegen


def pointer_to(context, builder, array_type, array, index):
    return builder.gep(make_array(array_type)(context, builder, array).data, [index])


def vector_at(builder, pointer, offset, vector_type):
    return builder.bitcast(
        builder.gep(pointer, [ir.Constant(I64, offset)]), vector_type.as_pointer()
    )


def with_align(instruction, align):
    instruction.align = align
    return instruction


def is_array(kind, dtype, ndim):
    return (
        isinstance(kind, types.Array)
        and kind.dtype == dtype
        and kind.ndim == ndim
        and kind.layout == "C"
    )


@intrinsic
def load(typingctx, array, index):
    """Digits from ``array[index : index + STATE_LANES]`` (uint32)."""
    if not is_array(array, types.uint32, 1):
        return None

    def codegen(context, builder, sig, args):
        pointer = pointer_to(context, builder, sig.args[0], args[0], args[1])
        return joined(
            builder,
            [
                with_align(builder.load(vector_at(builder, pointer, start, vector)), 4)
                for start, vector in zip(STARTS, VECTORS, strict=True)
            ],
        )

    return digits_type(array, types.int64), codegen


@intrinsic
def store(typingctx, array, index, x):
    """Digits into ``array[index : index + STATE_LANES]`` (uint32)."""
    if not is_array(array, types.uint32, 1):
        return None

    def codegen(context, builder, sig, args):
        pointer = pointer_to(context, builder, sig.args[0], args[0], args[1])
        for start, register in zip(STARTS, parts(builder, args[2], digits_type), strict=True):
            with_align(
                builder.store(register, vector_at(builder, pointer, start, register.type)), 4
            )
        return context.get_dummy_value()

    return types.void(array, types.int64, digits_type), codegen


@intrinsic
def load_word(typingctx, array, index):
    """A Word from ``array[index : index + LANES]`` (uint32)."""

    def codegen(context, builder, sig, args):
        pointer = pointer_to(context, builder, sig.args[0], args[0], args[1])
        word = with_align(
            builder.load(vector_at(builder, pointer, 0, ir.VectorType(I32, LANES))), 4
        )
        return builder.shuffle_vector(
            word, undefined(word.type), vector_constant([i % LANES for i in range(WIDTH)])
        )

    return word_type(array, types.int64), codegen


# --- grids <-> Digits -----------------------------------------------------------------------------
# A grid is 81 bytes, row by row. Bits 0..3 of the digit 1..9 in every cell are four *planes*: all
# nine digits come from the planes by and, and the planes from the nine digits by or, without a loop
# over cells.


def cell_of(lane, bit):
    """The cell of a bit: lanes are the columns of a box, bits are (row of the band, band, box of
    the band)."""
    row, band, box = bit // 9, bit // 3 % 3, bit % 3
    return (3 * band + row) * 9 + 3 * box + lane


def plane_masks(plane):
    """Registers of ones where the digit of a word has the plane's bit."""
    return [
        vector_constant([ONES * ((i // LANES + 1) >> plane & 1) for i in lanes_of(r)])
        for r in range(REGISTERS)
    ]


@intrinsic
def read_grid(typingctx, grids, row):
    """The givens of ``grids[row]`` (uint8, C order; 0 is a blank) as Digits; lane 3 copies lane
    2."""
    if not is_array(grids, types.uint8, 2):
        return None

    def codegen(context, builder, sig, args):
        pointer = pointer_to(
            context, builder, sig.args[0], args[0], builder.mul(args[1], ir.Constant(I64, 81))
        )
        # two loads that together cover the 81 bytes and no other
        head = with_align(builder.load(vector_at(builder, pointer, 0, ir.VectorType(I8, 64))), 1)
        tail = with_align(builder.load(vector_at(builder, pointer, 49, ir.VectorType(I8, 32))), 1)
        tail = builder.shuffle_vector(
            tail, undefined(tail.type), vector_constant(list(range(32)) + [0] * 32)
        )
        planes = [vector_constant([0] * LANES)] * 4
        for lane in range(LANES):
            cells = [cell_of(min(lane, 2), bit) for bit in range(27)]
            index = [cell if cell < 64 else 64 + cell - 49 for cell in cells] + [0] * 5
            values = builder.shuffle_vector(head, tail, vector_constant(index))
            for plane in range(4):
                bit = builder.and_(values, vector_constant([1 << plane] * 32, I8))
                flags = builder.icmp_unsigned("!=", bit, vector_constant([0] * 32, I8))
                planes[plane] = builder.insert_element(
                    planes[plane], builder.bitcast(flags, I32), ir.Constant(I32, lane)
                )
        registers = [lanes_constant([(1 << 27) - 1] * LANES, vector) for vector in VECTORS]
        for plane in range(4):
            word = builder.shuffle_vector(
                planes[plane],
                undefined(planes[plane].type),
                vector_constant([i % LANES for i in range(WIDTH)]),
            )
            for r, mask in enumerate(plane_masks(plane)):
                same = builder.not_(builder.xor(resized(builder, word, mask.type.count), mask))
                registers[r] = builder.and_(registers[r], same)
        return joined(builder, registers)

    return digits_type(grids, types.int64), codegen


@intrinsic
def write_grid(typingctx, x, grids, row):
    """Digits with one digit a cell into ``grids[row]`` (uint8, C order)."""
    if not is_array(grids, types.uint8, 2):
        return None

    def codegen(context, builder, sig, args):
        pointer = pointer_to(
            context, builder, sig.args[1], args[1], builder.mul(args[2], ir.Constant(I64, 81))
        )
        registers = parts(builder, args[0], digits_type)
        zeros = vector_constant([0] * 32, I8)
        values = [zeros] * 3
        for plane in range(4):
            word = folded(
                builder,
                [builder.and_(r, m) for r, m in zip(registers, plane_masks(plane), strict=True)],
                builder.or_,
            )
            for lane in range(3):
                bits = builder.extract_element(word, ir.Constant(I32, lane))
                flags = builder.bitcast(bits, ir.VectorType(I1, 32))
                value = builder.select(flags, vector_constant([1 << plane] * 32, I8), zeros)
                values[lane] = builder.or_(values[lane], value)
        low = builder.shuffle_vector(values[0], values[1], vector_constant(range(64)))
        high = builder.shuffle_vector(values[2], values[2], vector_constant(list(range(32)) * 2))
        place = {cell_of(lane, bit): 32 * lane + bit for lane in range(3) for bit in range(27)}
        for start, size in ((0, 64), (64, 16), (80, 1)):
            part = builder.shuffle_vector(
                low, high, vector_constant([place[start + i] for i in range(size)])
            )
            with_align(builder.store(part, vector_at(builder, pointer, start, part.type)), 1)
        return context.get_dummy_value()

    return types.void(digits_type, grids, types.int64), codegen
