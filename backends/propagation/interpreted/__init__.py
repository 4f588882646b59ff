"""What the interpreted form runs in place of some functions of the kernel: the same steps, faster.

The functions of the kernel are written for a compiler, which makes one loop of small functions over
numbers. In Python each call, and each number that is read by its place, costs as much as all that
is done with it. So the few functions in which the interpreter spends its time have a second form
here. They take a domain of one word as one number, which it nearly always is where a word has 4096
bits, and leave the others to the kernel. They iterate over tuples, which they keep in T or M.
"""

from __future__ import annotations

from typing import Any

from backends.propagation.interpreted import search
from backends.propagation.interpreted.branching import best_open
from backends.propagation.interpreted.different import take_every_value
from backends.propagation.interpreted.domains import (
    assign,
    keep_words,
    remove,
    set_lower,
    set_upper,
)
from backends.propagation.interpreted.fixpoint import propagate_to_fixpoint, remove_fixed_values
from backends.propagation.interpreted.layers import on_way
from backends.propagation.interpreted.linear import (
    at_most,
    equal,
    narrow_equation,
    objective_at_most,
)
from backends.propagation.interpreted.neighbours import neighbours_of, occurrences
from backends.propagation.interpreted.queue import empty_queues, notify, watchers_of
from backends.propagation.interpreted.trail import undo
from backends.propagation.kernel import branching, domains, fixpoint, queue, stated, trail, words
from backends.propagation.kernel import search as kernel_search
from backends.propagation.propagators import linear
from backends.propagation.propagators.counting import different_tight
from backends.propagation.propagators.extension import layers

__all__ = ["INTERPRETER", "NODES", "neighbours_of", "watchers_of"]

INTERPRETER: dict[Any, Any] = {
    words.count_bits: int.bit_count,
    branching.best_open: best_open,
    queue.notify: notify,
    queue.empty_queues: empty_queues,
    fixpoint.remove_fixed_values: remove_fixed_values,
    fixpoint.propagate_to_fixpoint: propagate_to_fixpoint,
    trail.undo: undo,
    domains.remove: remove,
    domains.set_lower: set_lower,
    domains.set_upper: set_upper,
    domains.assign: assign,
    domains.keep_words: keep_words,
    stated.occurrences: occurrences,
    different_tight.take_every_value: take_every_value,
    layers.on_way: on_way,
    linear.at_most: at_most,
    linear.objective_at_most: objective_at_most,
    linear.equal: equal,
    linear.narrow_equation: narrow_equation,
}
"""What takes the place of what."""
NODES: dict[Any, Any] = {kernel_search.branch: search.branch, kernel_search.refute: search.refute}
"""The same, of functions that call some of the kernel."""
