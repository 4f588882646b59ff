"""Every constraint of FlatZinc that is known, against a predicate written here, by brute force.

A case is a name, the variables with their domains, the arguments as a file writes them, and what
must be true of the values. ``_reif`` and ``_imp`` of each are tried with it.
"""

from collections import Counter
from itertools import combinations, pairwise, product
from math import trunc

import pytest

from modelling.brute_force import solutions
from modelling.errors import InstanceError
from modelling.formats.flatzinc import read
from modelling.formats.flatzinc.builtins import BUILTINS
from modelling.formats.flatzinc.globals import GLOBALS
from modelling.formats.flatzinc.libraries import ALIASES, OWN_ARGUMENTS, find

X2 = "x:-2..2 y:-2..2"
X3 = "x:-3..3 y:-2..2 z:-4..4"
B2 = "a:bool b:bool"
B3 = "a:bool b:bool c:bool"
P3 = "x:0..3 y:0..3 z:0..3"
P4 = "w:1..4 x:1..4 y:1..4 z:1..4"


def divided(x, y):
    return trunc(x / y)


def power(x, y):
    """None where there is none."""
    if y >= 0:
        return x**y
    return None if x == 0 else divided(1, x**-y)


def runs_once_around(nodes):
    """Whether successors, counted from 1, are one circuit of all nodes."""
    if sorted(nodes) != list(range(1, len(nodes) + 1)):
        return False
    node, steps = nodes[0], 1
    while node != 1:
        node, steps = nodes[node - 1], steps + 1
    return steps == len(nodes) and len(nodes) > 1


def is_subcircuit(nodes):
    inside = [k for k, to in enumerate(nodes, 1) if to != k]
    if sorted(nodes) != list(range(1, len(nodes) + 1)):
        return False
    if not inside:
        return True
    node, met = inside[0], []
    while node not in met:
        met.append(node)
        node = nodes[node - 1]
    return sorted(met) == inside


def fits(tasks, capacity):
    """Whether tasks (start, duration, demand) never need more than the capacity."""
    times = range(-10, 30)
    return all(sum(r for s, d, r in tasks if s <= t < s + d) <= capacity for t in times)


def apart(boxes, strict):
    def clear(one, other):
        (x, y, w, h), (x2, y2, w2, h2) = one, other
        if not strict and 0 in (w, h, w2, h2):
            return True
        return x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y

    return all(clear(one, other) for one, other in combinations(boxes, 2))


def precedes(values, chain):
    """Whether each value of the chain that occurs comes after one before it in the chain."""
    first = {v: k for k, v in reversed(list(enumerate(values)))}
    return all(
        later not in first or first.get(before, 99) < first[later]
        for before, later in pairwise(chain)
    )


def accepted(values, moves, start, finals):
    states = {start}
    for value in values:
        states = {to for state in states for to in moves.get((state, value), ())}
    return bool(states & set(finals))


CASES = {
    # the built-ins of integers
    "int_eq": (X2, "x, y", lambda x, y: x == y),
    "int_ne": (X2, "x, y", lambda x, y: x != y),
    "int_le": (X2, "x, y", lambda x, y: x <= y),
    "int_lt": (X2, "x, y", lambda x, y: x < y),
    "int_ge": (X2, "x, y", lambda x, y: x >= y),
    "int_gt": (X2, "x, y", lambda x, y: x > y),
    "int_lin_eq": (X3, "[2,-1,3], [x,y,z], 4", lambda x, y, z: 2 * x - y + 3 * z == 4),
    "int_lin_ne": (X3, "[2,-1,3], [x,y,x], 4", lambda x, y, z: 5 * x - y != 4),
    "int_lin_le": (X3, "[2,-1,3], [x,y,z], 4", lambda x, y, z: 2 * x - y + 3 * z <= 4),
    "int_lin_lt": (X3, "[2,-1], [x,y], 4", lambda x, y, z: 2 * x - y < 4),
    "int_lin_ge": (X3, "[2,-1], [x,1], 3", lambda x, y, z: 2 * x - 1 >= 3),
    "int_lin_gt": (X3, "[2,-1], [x,y], 4", lambda x, y, z: 2 * x - y > 4),
    "int_abs": (X2, "x, y", lambda x, y: abs(x) == y),
    "int_plus": (X3, "x, y, z", lambda x, y, z: x + y == z),
    "int_minus": (X3, "x, y, z", lambda x, y, z: x - y == z),
    "int_negate": (X2, "x, y", lambda x, y: -x == y),
    "int_times": (X3, "x, y, z", lambda x, y, z: x * y == z),
    "int_div": (X3, "x, y, z", lambda x, y, z: y != 0 and divided(x, y) == z),
    "int_mod": (X3, "x, y, z", lambda x, y, z: y != 0 and x - y * divided(x, y) == z),
    "int_min": (X3, "x, y, z", lambda x, y, z: min(x, y) == z),
    "int_max": (X3, "x, y, z", lambda x, y, z: max(x, y) == z),
    "int_pow": (X3, "x, y, z", lambda x, y, z: power(x, y) == z),
    "int_pow_fixed": (X3, "x, 2, z", lambda x, y, z: x * x == z),
    "array_int_element": (
        X2,
        "x, [4,1,-2], y",
        lambda x, y: 1 <= x <= 3 and [4, 1, -2][x - 1] == y,
    ),
    "array_bool_element": (
        "x:-1..3 a:bool",
        "x, [true,false], a",
        lambda x, a: 1 <= x <= 2 and a == (x == 1),
    ),
    "array_var_int_element": (
        X3,
        "x, [y,5,z], z",
        lambda x, y, z: 1 <= x <= 3 and [y, 5, z][x - 1] == z,
    ),
    "array_var_bool_element": (
        "x:0..3 a:bool b:bool",
        "x, [a,true,b], b",
        lambda x, a, b: 1 <= x <= 3 and [a, 1, b][x - 1] == b,
    ),
    "array_int_maximum": (X3, "x, [y,z,1]", lambda x, y, z: x == max(y, z, 1)),
    "array_int_minimum": (X3, "x, [y,z,1]", lambda x, y, z: x == min(y, z, 1)),
    "set_in": ("x:-3..9", "x, {1,2,5}", lambda x: x in (1, 2, 5)),
    # those of Booleans
    "bool_eq": (B2, "a, b", lambda a, b: a == b),
    "bool_ne": (B2, "a, b", lambda a, b: a != b),
    "bool_le": (B2, "a, b", lambda a, b: a <= b),
    "bool_lt": (B2, "a, b", lambda a, b: a < b),
    "bool_ge": (B2, "a, b", lambda a, b: a >= b),
    "bool_gt": (B2, "a, b", lambda a, b: a > b),
    "bool_not": (B2, "a, b", lambda a, b: a != b),
    "bool_and": (B3, "a, b, c", lambda a, b, c: c == (a and b)),
    "bool_or": (B3, "a, b, c", lambda a, b, c: c == (a or b)),
    "bool_xor": (B3, "a, b, c", lambda a, b, c: c == (a != b)),
    "bool_xor_reif": (B3, "a, b, c", lambda a, b, c: c == (a != b)),
    "bool_and_imp": (B3, "a, b, c", lambda a, b, c: not c or (a and b)),
    "bool_or_imp": (B3, "a, b, c", lambda a, b, c: not c or a or b),
    "bool_xor_imp": (B3, "a, b, c", lambda a, b, c: not c or a != b),
    "array_bool_and": (B3, "[a, b, true], c", lambda a, b, c: c == (a and b)),
    "array_bool_or": (B3, "[a, b, false], c", lambda a, b, c: c == (a or b)),
    "array_bool_xor": (B3, "[a, b, c, true]", lambda a, b, c: (a + b + c + 1) % 2 == 1),
    "array_bool_and_imp": (B3, "[a, b], c", lambda a, b, c: not c or (a and b)),
    "array_bool_or_imp": (B3, "[a, b], c", lambda a, b, c: not c or a or b),
    "array_bool_xor_imp": (B3, "[a, b], c", lambda a, b, c: not c or a != b),
    "bool_clause": (B3, "[a, b], [c]", lambda a, b, c: a or b or not c),
    "bool2int": ("a:bool x:-1..3", "a, x", lambda a, x: a == x),
    **{
        f"bool_lin_{word}": (
            "a:bool b:bool x:-2..3",
            "[2,-1], [a,b], x",
            lambda a, b, x, holds=holds: holds(2 * a - b, x),
        )
        for word, holds in {
            "eq": int.__eq__,
            "ne": int.__ne__,
            "le": int.__le__,
            "lt": int.__lt__,
            "ge": int.__ge__,
            "gt": int.__gt__,
        }.items()
    },
    # all different, all equal, counting
    "fzn_all_different_int": (P3, "[x,y,z,9]", lambda *v: len(set(v)) == 3),
    "fzn_all_equal_int": (P3, "[x,y,z]", lambda *v: len(set(v)) == 1),
    "fzn_alldifferent_except": (
        P3,
        "[x,y,z], {1,2}",
        lambda *v: all(a != b or a in (1, 2) for a, b in combinations(v, 2)),
    ),
    "fzn_alldifferent_except_0": (
        P3,
        "[x,y,z]",
        lambda *v: all(a != b or a == 0 for a, b in combinations(v, 2)),
    ),
    "fzn_symmetric_all_different": (
        P4,
        "[w,x,y,z]",
        lambda *v: all(v[v[k] - 1] == k + 1 for k in range(4)),
    ),
    "fzn_among": (
        "n:-1..4 " + P3,
        "n, [x,y,z], 1..2",
        lambda n, *v: n == sum(a in (1, 2) for a in v),
    ),
    "fzn_at_least_int": (P3, "2, [x,y,z], 1", lambda *v: v.count(1) >= 2),
    "fzn_at_most_int": (P3, "1, [x,y,z], 1", lambda *v: v.count(1) <= 1),
    "fzn_exactly_int": (P3, "1, [x,y,z], 1", lambda *v: v.count(1) == 1),
    "fzn_nvalue": ("n:0..4 " + P3, "n, [x,y,z]", lambda n, *v: n == len(set(v))),
    "fzn_distribute": (
        "n:0..3 m:0..3 v:0..2 x:0..2 y:0..2",
        "[n,m], [v,1], [x,y]",
        lambda n, m, v, x, y: n == [x, y].count(v) and m == [x, y].count(1),
    ),
    "fzn_global_cardinality": (
        "n:0..3 m:0..3 " + P3,
        "[x,y,z], [1,3], [n,m]",
        lambda n, m, *v: (n, m) == (v.count(1), v.count(3)),
    ),
    "fzn_global_cardinality_closed": (
        "n:0..3 m:0..3 " + P3,
        "[x,y,z], [1,3], [n,m]",
        lambda n, m, *v: (n, m) == (v.count(1), v.count(3)) and n + m == 3,
    ),
    "fzn_global_cardinality_low_up": (
        P3,
        "[x,y,z], [1,3], [0,1], [1,2]",
        lambda *v: v.count(1) <= 1 <= v.count(3) <= 2,
    ),
    "fzn_global_cardinality_low_up_closed": (
        P3,
        "[x,y,z], [1,3], [0,1], [1,3]",
        lambda *v: v.count(1) <= 1 <= v.count(3) and v.count(1) + v.count(3) == 3,
    ),
    **{
        f"fzn_count_{word}{of}{ending}": (
            f"n:-1..4 {'a:bool b:bool c:bool' if of else P3}",
            f"{'[a,b,c], true' if of else '[x,y,z], 1'}, {'2' if ending else 'n'}",
            lambda n, *v, holds=holds, ending=ending: holds(2 if ending else n, v.count(1)),
        )
        for word, holds in {
            "eq": int.__eq__,
            "neq": int.__ne__,
            "leq": int.__le__,
            "lt": int.__lt__,
            "geq": int.__ge__,
            "gt": int.__gt__,
        }.items()
        for of in ("", "_bool")
        for ending in ("", "_par")
    },
    # packing, flows
    "fzn_bin_packing": (
        "x:-1..1 y:-1..1 z:-1..1",
        "4, [x,y,z], [2,3,2]",
        lambda *v: all(
            sum(w for a, w in zip(v, (2, 3, 2), strict=True) if a == b) <= 4 for b in (-1, 0, 1)
        ),
    ),
    "fzn_bin_packing_capa": (
        P3,
        "[4,3], [x,y,z], [2,3,2]",
        lambda *v: (
            set(v) <= {1, 2}
            and all(
                sum(w for a, w in zip(v, (2, 3, 2), strict=True) if a == b) <= most
                for b, most in ((1, 4), (2, 3))
            )
        ),
    ),
    "fzn_bin_packing_load": (
        "k:0..7 m:0..7 x:0..3 y:0..3 z:0..3",
        "[k,m], [x,y,z], [2,3,2]",
        lambda k, m, *v: (
            set(v) <= {1, 2}
            and all(
                sum(w for a, w in zip(v, (2, 3, 2), strict=True) if a == b) == load
                for b, load in ((1, k), (2, m))
            )
        ),
    ),
    "fzn_knapsack": (
        "x:-1..2 y:-1..2 s:-1..9 g:-1..9",
        "[2,3], [1,4], [x,y], s, g",
        lambda x, y, s, g: min(x, y, s, g) >= 0 and s == 2 * x + 3 * y and g == x + 4 * y,
    ),
    "fzn_network_flow": (
        P3,
        "[1,2,2,3,1,3], [2,0,-2], [x,y,z]",
        lambda x, y, z: x + z == 2 and y - x == 0 and -y - z == -2,
    ),
    "fzn_network_flow_cost": (
        P3 + " c:0..9",
        "[1,2,2,3,1,3], [2,0,-2], [1,1,3], [x,y,z], c",
        lambda x, y, z, c: x + z == 2 and y == x and c == x + y + 3 * z,
    ),
    # graphs
    "fzn_circuit": ("w:0..4 x:0..4 y:0..4 z:0..4", "[w,x,y,z]", lambda *v: runs_once_around(v)),
    "fzn_subcircuit": ("w:0..4 x:0..4 y:0..4 z:0..4", "[w,x,y,z]", lambda *v: is_subcircuit(v)),
    "fzn_inverse": (
        "x:0..2 y:0..3 u:0..2 v:0..2",
        "[x,y], [u,v]",
        lambda x, y, u, v: (x, y) == (u, v) and (x, y) in ((1, 2), (2, 1)),
    ),
    # scheduling
    "fzn_cumulative": (
        "x:0..3 y:0..3 d:0..2 n:-1..3",
        "[x,y], [2,d], [1,2], n",
        lambda x, y, d, n: n >= 0 and fits([(x, 2, 1), (y, d, 2)], n),
    ),
    "fzn_disjunctive": (
        "x:0..3 y:0..3 d:-1..2",
        "[x,y], [2,d]",
        lambda x, y, d: d >= 0 and (d == 0 or x + 2 <= y or y + d <= x),
    ),
    "fzn_disjunctive_strict": (
        "x:0..3 y:0..3 d:-1..2",
        "[x,y], [2,d]",
        lambda x, y, d: d >= 0 and (x + 2 <= y or y + d <= x),
    ),
    "fzn_diffn": (
        "x:0..2 y:0..2 w:-1..2",
        "[x,1], [y,1], [w,2], [1,1]",
        lambda x, y, w: apart([(x, y, w, 1), (1, 1, 2, 1)], strict=True),
    ),
    "fzn_diffn_nonstrict": (
        "x:0..2 y:0..2 w:0..2",
        "[x,1], [y,1], [w,2], [1,1]",
        lambda x, y, w: apart([(x, y, w, 1), (1, 1, 2, 1)], strict=False),
    ),
    # order
    "fzn_increasing_int": (P3, "[x,y,z]", lambda x, y, z: x <= y <= z),
    "fzn_increasing_bool": (B3, "[a,b,c]", lambda a, b, c: a <= b <= c),
    "fzn_strictly_increasing_int": (P3, "[x,y,z]", lambda x, y, z: x < y < z),
    "fzn_strictly_increasing_bool": (B3, "[a,b]", lambda a, b, c: a < b),
    "fzn_decreasing_int": (P3, "[x,y,z]", lambda x, y, z: x >= y >= z),
    "fzn_decreasing_bool": (B3, "[a,b,c]", lambda a, b, c: a >= b >= c),
    "fzn_strictly_decreasing_int": (P3, "[x,y,z]", lambda x, y, z: x > y > z),
    "fzn_strictly_decreasing_bool": (B3, "[a,b]", lambda a, b, c: a > b),
    "fzn_lex_less_int": (P4, "[w,x], [y,z]", lambda w, x, y, z: (w, x) < (y, z)),
    "fzn_lex_lesseq_int": (P4, "[w,x], [y,z,1]", lambda w, x, y, z: (w, x) <= (y, z, 1)),
    "fzn_lex_less_bool": (B3, "[a,b], [b,c]", lambda a, b, c: (a, b) < (b, c)),
    "fzn_lex_lesseq_bool": (B3, "[a,b], [b,c]", lambda a, b, c: (a, b) <= (b, c)),
    "fzn_value_precede_int": (P3, "1, 3, [x,y,z]", lambda *v: precedes(v, (1, 3))),
    "fzn_value_precede_chain_int": (P4, "[2,1,4], [w,x,y,z]", lambda *v: precedes(v, (2, 1, 4))),
    "fzn_seq_precede_chain_int": (
        "w:-1..5 x:-1..5 y:-1..5",
        "[w,x,y]",
        lambda *v: precedes((0, *v), (0, 1, 2, 3, 4, 5)),
    ),
    "fzn_sort": (
        "x:0..2 y:0..2 z:0..2 p:0..2 q:0..2 r:0..2",
        "[x,y,z], [p,q,r]",
        lambda x, y, z, p, q, r: sorted((x, y, z)) == [p, q, r],
    ),
    "fzn_arg_sort_int": (
        "x:0..2 y:0..2 z:0..2 p:0..3 q:0..3 r:0..3",
        "[x,y,z], [p,q,r]",
        lambda x, y, z, p, q, r: sorted((1, 2, 3), key=(0, x, y, z).__getitem__) == [p, q, r],
    ),
    "fzn_sliding_sum": (
        P4,
        "3, 5, 2, [w,x,y,z]",
        lambda *v: all(3 <= a + b <= 5 for a, b in pairwise(v)),
    ),
    # the rest
    "fzn_member_int": (P3, "[x,2,y], z", lambda x, y, z: z in (x, 2, y)),
    "fzn_member_bool": (B3, "[a,b], c", lambda a, b, c: c in (a, b)),
    "fzn_maximum_int": (P3, "z, [x,y]", lambda x, y, z: z == max(x, y)),
    "fzn_minimum_int": (P3, "z, [x,y]", lambda x, y, z: z == min(x, y)),
    "fzn_maximum_arg_int": (
        P3 + " i:0..4",
        "[x,y,z], i",
        lambda *v: v[3] == v.index(max(v[:3])) + 1,
    ),
    "fzn_minimum_arg_int": (
        P3 + " i:0..4",
        "[x,y,z], i",
        lambda *v: v[3] == v.index(min(v[:3])) + 1,
    ),
    "fzn_maximum_arg_bool": (
        B3 + " i:0..4",
        "[a,b,c], i",
        lambda *v: v[3] == v.index(max(v[:3])) + 1,
    ),
    "fzn_minimum_arg_bool": (
        B3 + " i:0..4",
        "[a,b,c], i",
        lambda *v: v[3] == v.index(min(v[:3])) + 1,
    ),
    "fzn_regular": (
        "x:0..3 y:0..3 z:0..3",
        "[x,y,z], 2, 2, [1,2,0,1], 1, {1}",
        lambda *v: accepted(v, {(1, 1): (1,), (1, 2): (2,), (2, 2): (1,)}, 1, (1,)),
    ),
    "fzn_regular_nfa": (
        "x:0..3 y:0..3 z:0..3",
        "[x,y,z], 2, 2, [1..2,{2},{},{1,7}], 1, 2..5",
        lambda *v: accepted(v, {(1, 1): (1, 2), (1, 2): (2,), (2, 2): (1,)}, 1, (2,)),
    ),
    **{
        name: (
            "x:0..4 y:0..4",
            "[x,y], 3, [1,2,2], 5, [1,1,2,3,3], [{1},2..3,{4},{1,4},{2}], [2,3,0,0,0]",
            lambda x, y: (x == 1 and y == 4) or (x in (2, 3) and y in (1, 2, 4)),
        )
        for name in ("fzn_mdd", "fzn_mdd_nondet")
    },
    "fzn_table_int": (P3, "[x,y,z], [0,1,2, 3,3,3, 0,0,9]", lambda *v: v in ((0, 1, 2), (3, 3, 3))),
    "fzn_table_bool": (
        B2,
        "[a,b], [true,false, false,true]",
        lambda a, b: (a, b) in ((1, 0), (0, 1)),
    ),
    "fzn_if_then_else_int": (
        B2 + " x:0..9",
        "[a,false,b,true], [4,9,5,6], x",
        lambda a, b, x: x == (4 if a else 5 if b else 6),
    ),
    "fzn_if_then_else_bool": (B3, "[a,true], [false,true], c", lambda a, b, c: c == (not a)),
    "fzn_if_then_else_var_int": (
        "a:bool x:0..3 y:0..3",
        "[a,true], [x,7], y",
        lambda a, x, y: y == (x if a else 7),
    ),
    "fzn_if_then_else_var_bool": (B3, "[a,b], [c,true], b", lambda a, b, c: b == c if a else True),
    # with arguments of their own
    "concord_element_int": (X3, "x, 0, [y,2], z", lambda x, y, z: 0 <= x <= 1 and [y, 2][x] == z),
    "concord_element_bool": (
        "x:0..3 a:bool b:bool",
        "x, 2, [a,true], b",
        lambda x, a, b: 2 <= x <= 3 and [a, 1][x - 2] == b,
    ),
    "concord_element2d_int": (
        "x:-1..3 y:-1..3 z:0..6",
        "x, 0, y, 1, [1,2,3,4,5,6], 2, 3, z",
        lambda x, y, z: 0 <= x <= 1 <= y <= 3 and z == 3 * x + y,
    ),
    "concord_element2d_bool": (
        "x:-1..3 y:-1..3 a:bool",
        "x, 0, y, 1, [true,a,false,false], 2, 2, a",
        lambda x, y, a: 0 <= x <= 1 <= y <= 2 and a == [1, a, 0, 0][2 * x + y - 1],
    ),
    "concord_circuit": (
        "x:-1..3 y:-1..3 z:-1..3",
        "0, [x,y,z]",
        lambda *v: runs_once_around([to + 1 for to in v]),
    ),
    "concord_subcircuit": (
        "x:1..5 y:1..5 z:1..5",
        "2, [x,y,z]",
        lambda *v: is_subcircuit([to - 1 for to in v]),
    ),
    "concord_symmetric_all_different": (
        "x:-1..3 y:-1..3 z:-1..3",
        "0, [x,y,z]",
        lambda *v: set(v) <= {0, 1, 2} and all(v[v[k]] == k for k in range(3)),
    ),
    "concord_inverse": (
        "x:3..6 y:3..6 u:0..2 v:0..2",
        "0, [x,y], 4, [u,v]",
        lambda x, y, u, v: (x, y, u, v) in ((4, 5, 0, 1), (5, 4, 1, 0)),
    ),
    "concord_bin_packing_capa": (
        P3,
        "0, [4,3], [x,y,z], [2,3,2]",
        lambda x, y, z: (x, y, z) == (0, 1, 0),
    ),
    "concord_bin_packing_load": (
        "k:0..7 m:0..7 x:1..4 y:1..4",
        "2, [k,m], [x,y], [2,3]",
        lambda k, m, *v: (
            set(v) <= {2, 3}
            and (k, m)
            == tuple(sum(w for a, w in zip(v, (2, 3), strict=True) if a == b) for b in (2, 3))
        ),
    ),
    **{
        f"concord_{word}_arg_{kind}": (
            f"{P3 if kind == 'int' else B3} i:-1..3",
            f"0, [{'x,y,z' if kind == 'int' else 'a,b,c'}], i",
            lambda *v, extreme=extreme: v[3] == v.index(extreme(v[:3])),
        )
        for word, extreme in (("maximum", max), ("minimum", min))
        for kind in ("int", "bool")
    },
    "concord_regular": (
        "x:-2..2 y:-2..2",
        "-1, [x,y], 2, 3, [1,2,0, 2,2,1], 1, {2}",
        lambda *v: accepted(
            v, {(1, -1): (1,), (1, 0): (2,), (2, -1): (2,), (2, 0): (2,), (2, 1): (1,)}, 1, (2,)
        ),
    ),
    "concord_regular_nfa": (
        "x:-2..2 y:-2..2",
        "0, [x,y], 2, 2, [1..2,{2},{},{1}], 1, {2}",
        lambda *v: accepted(v, {(1, 0): (1, 2), (1, 1): (2,), (2, 1): (1,)}, 1, (2,)),
    ),
    **{
        f"concord_lex_chain_{word}_{kind}": (
            f"{P4 if kind == 'int' else B3 + ' d:bool'}",
            f"3, [{'w,x,y,z,2,x' if kind == 'int' else 'a,b,c,d,true,b'}]",
            lambda w, x, y, z, kind=kind, strict=strict: (
                (w, x) < (y, z) < (2 if kind == "int" else 1, x)
                if strict
                else (w, x) <= (y, z) <= (2 if kind == "int" else 1, x)
            ),
        )
        for word, strict in (("less", True), ("lesseq", False))
        for kind in ("int", "bool")
    },
    "gecode_inverse_offsets": (
        "x:0..2 y:0..3 u:0..3 v:0..3",
        "[x,y], 1, [u,v], 2",
        lambda x, y, u, v: (x, y, u, v) in ((1, 2, 2, 3), (2, 1, 3, 2)),
    ),
    "gecode_schedule_unary": (
        "x:0..3 y:0..3",
        "[x,y], [2,1]",
        lambda x, y: x + 2 <= y or y + 1 <= x,
    ),
}


def declared(variables):
    """The declarations of ``x:0..3 a:bool``, and the domains."""
    lines, domains = [], []
    for one in variables.split():
        name, kind = one.split(":")
        lines.append(f"var {kind}: {name};")
        low, high = (0, 1) if kind == "bool" else map(int, kind.split(".."))
        domains.append(range(low, high + 1))
    return "\n".join(lines), domains


def found(variables, constraint):
    declarations, _ = declared(variables)
    text = f"{declarations}\nconstraint {constraint};\nsolve satisfy;\n"
    return Counter(solutions(read(text.encode(), "a.fzn")))


def meant(variables, predicate):
    _, domains = declared(variables)
    return Counter(values for values in product(*domains) if predicate(*values))


@pytest.mark.parametrize("name", CASES)
def test_it_means_what_the_predicate_says(name):
    variables, arguments, predicate = CASES[name]
    wanted = meant(variables, predicate)
    assert found(variables, f"{name}({arguments})") == wanted
    assert 0 < len(wanted) < len(meant(variables, lambda *v: True))


@pytest.mark.parametrize("name", [name for name in CASES if not name.endswith(("_reif", "_imp"))])
@pytest.mark.parametrize("ending", ["_reif", "_imp"])
def test_reified_and_implied(name, ending):
    variables, arguments, predicate = CASES[name]
    if name + ending in CASES:
        variables, arguments, predicate = CASES[name + ending]
        assert found(variables, f"{name}{ending}({arguments})") == meant(variables, predicate)
        return
    if find(name + ending) is None:
        assert name == "bool_xor"
        return

    def connected(*values):
        *rest, truth = values
        return truth == bool(predicate(*rest)) or (ending == "_imp" and not truth)

    variables = f"{variables} t:bool"
    assert found(variables, f"{name}{ending}({arguments}, t)") == meant(variables, connected)


OTHERWISE = [
    # a value that is listed twice: MiniZinc's counts are then no more than the terms together
    (
        "n:0..2 m:0..2 x:0..1 y:0..1",
        "fzn_global_cardinality([x,y], [1,1], [n,m])",
        lambda n, m, *v: n == m == v.count(1) and n + m <= 2,
    ),
    (
        "n:0..2 m:0..2 x:0..1 y:0..1",
        "fzn_global_cardinality_closed([x,y], [1,1], [n,m])",
        lambda n, m, *v: False,
    ),
    (
        "x:0..1 y:0..2",
        "fzn_global_cardinality_low_up_closed([x,y], [1,1], [0,0], [2,1])",
        lambda *v: False,
    ),
    # a node that no edge leaves is not the end, also after as many edges as there are terms
    (
        "x:0..9 y:0..9",
        "fzn_mdd([x,y], 4, [1,2,2,3], 4, [1,2,2,1], [{1},{3},{5},{5}], [2,4,0,3])",
        lambda *v: v == (1, 5),
    ),
    ("x:0..1", "fzn_mdd([x], 1, [1], 0, [], [], [])", lambda x: False),
    # more choices than are nested
    (
        "x:0..40 y:0..50",
        f"fzn_if_then_else_var_int([{','.join(['false'] * 40)},true],"
        f" [{','.join(map(str, range(40)))},x], y)",
        lambda x, y: x == y,
    ),
    (
        "x:0..2 y:0..2",
        "fzn_seq_precede_chain_int([x,y])",
        lambda *v: v in ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2)),
    ),
]


def test_where_minizinc_says_it_otherwise():
    for variables, constraint, predicate in OTHERWISE:
        assert found(variables, constraint) == meant(variables, predicate), constraint


def test_every_name_has_a_case():
    assert set(CASES) == {*BUILTINS, *GLOBALS, *OWN_ARGUMENTS}


@pytest.mark.parametrize("name", ALIASES)
def test_other_names_mean_a_name_that_has_a_case(name):
    standard = ALIASES[name]
    assert find(name) is not None
    assert standard.removesuffix("_reif") in CASES


def test_names_with_endings_are_known_by_their_other_names_too():
    text = (
        b"var 0..3: x; var bool: t; constraint pumpkin_table_int_reif([x], [2], t); solve satisfy;"
    )
    assert set(solutions(read(text, "a.fzn"))) == {(0, 0), (1, 0), (2, 1), (3, 0)}


def test_exclusive_or_of_two():
    assert found(B2, "bool_xor(a, b)") == Counter([(0, 1), (1, 0)])


@pytest.mark.parametrize(
    ("variables", "constraint", "wanted"),
    [
        ("x:1..3", "int_le_reif(x, 2, true)", {(1,), (2,)}),
        ("x:1..3", "int_le_reif(x, 2, false)", {(3,)}),
        ("x:1..3", "int_le_imp(x, 2, false)", {(1,), (2,), (3,)}),
        ("x:1..3", "set_in(x, {})", set()),
        ("x:1..3", "set_in(x, 2..1)", set()),
        ("x:1..3", "set_in(x, 2..10000000000)", {(2,), (3,)}),
        ("a:bool", "bool_clause([], [])", set()),
        ("a:bool", "bool_clause([a, true], [])", {(0,), (1,)}),
        ("a:bool", "bool_clause([], [a])", {(0,)}),
        ("a:bool", "array_bool_and([], a)", {(1,)}),
        ("a:bool", "array_bool_or([], a)", {(0,)}),
        ("x:0..2", "fzn_all_different_int([])", {(0,), (1,), (2,)}),
        ("x:0..2", "fzn_all_different_int([x,x])", set()),
        ("x:0..1", "fzn_circuit([x])", set()),
        ("x:0..1", "fzn_cumulative([], [], [], -1)", {(0,), (1,)}),
        ("x:0..1", "fzn_regular([], 1, 1, [1], 1, {1})", {(0,), (1,)}),
        ("x:0..1", "fzn_regular([], 1, 1, [1], 1, {})", set()),
        ("x:0..1", "fzn_bin_packing(-1, [], [])", {(0,), (1,)}),
        ("x:0..1", "fzn_count_leq([x], 1, 1)", {(1,)}),
        ("x:0..4", "int_pow(2, 3, 8)", {(0,), (1,), (2,), (3,), (4,)}),
        ("x:0..4", "int_pow(2, -1, x)", {(0,)}),
        ("x:0..4", "int_pow(0, -1, x)", set()),
        ("x:0..4", "array_int_element(1, [3,4], x)", {(3,)}),
        ("x:0..4", "array_int_element(x, [], 1)", set()),
        ("x:0..4", "fzn_member_int([], x)", set()),
        ("x:0..4", "fzn_if_then_else_int([true,true], [1,2], x)", {(1,)}),
        ("x:0..4", "fzn_if_then_else_int([false,true], [1,2], x)", {(2,)}),
        ("x:0..4", "fzn_if_then_else_int([], [], x)", {(0,), (1,), (2,), (3,), (4,)}),
    ],
)
def test_edges(variables, constraint, wanted):
    assert found(variables, constraint) == Counter(wanted)


@pytest.mark.parametrize(
    ("constraint", "cause"),
    [
        ("int_lin_eq([1,2], [x], 3)", "int_lin_eq: Linear: 1 variables but 2 coefficients"),
        ("array_int_maximum(x, [])", "Maximum of no terms"),
        ("fzn_table_int([x,x], [1,2,3])", "3 cells make no rows of 2"),
        ("fzn_regular([x], 2, 2, [1,2,3], 1, {1})", "2 states and 2 values take 4 transitions"),
        ("fzn_regular_nfa([x], 9, 9, [], 1, {1})", "take 81 transitions, not 0"),
        ("fzn_mdd([x], 2, [1], 1, [1], [{1}], [0])", "2 nodes and 1 edges take as many levels"),
        ("fzn_mdd([x], 1, [1], 1, [1], [1..2000000], [0])", "it would take 2,000,000 terms"),
        ("fzn_network_flow([1,2], [0], [x])", "node 2 has no balance; there are 1"),
        ("fzn_network_flow([1], [0], [x])", "1 flows take as many pairs"),
        ("fzn_sliding_sum(0, 1, 0, [x])", "a window of 0 terms is none"),
        ("fzn_diffn([x], [x], [x], [])", "equally many, and are 1, 1, 1, 0"),
        ("int_pow(x, y, x)", "exponents must be declared to lie below 64"),
        ("fzn_bin_packing(3, [y], [1])", "it would take 2,000,001 terms"),
        ("fzn_alldifferent_except([x], 1..2000000)", "it would take 2,000,000 terms"),
        ("gecode_circuit(0, [x], 3)", "')' must stand here, not ','"),
        ("choco_array_int_element2d_nonshifted(x,1,x,1,[1,2],2,2,x)", "2 terms are no 2 rows of 2"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(constraint, cause):
    text = f"var 0..9: x;\nvar -1000000..1000000: y;\nconstraint {constraint};\nsolve satisfy;\n"
    with pytest.raises(InstanceError) as caught:
        read(text.encode(), "a.fzn")
    assert cause in caught.value.cause
    assert caught.value.place.startswith("a.fzn:3:")
