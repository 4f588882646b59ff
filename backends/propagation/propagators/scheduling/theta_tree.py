"""The Theta-Lambda tree: when a set of tasks can end at the earliest, in O(log n) for each change.

The leaves are the tasks by their earliest starts. Each node knows, for the tasks below it, the sum
of their lengths and the earliest end of all; and the same with at most one *gray* task besides
(Vilím, *Global constraints in scheduling*, thesis, Prague 2007, chapter 2).

A tree is at a place of M. Node v, from 1 (the root) on, has four cells at ``tree + 4 * v``; the
leaves are the nodes from ``leaves``, a power of two, on.
"""

from __future__ import annotations

LENGTH_SUM, EARLIEST_END, GRAY_SUM, GRAY_END = range(4)
NODE = 4
NEVER = -(1 << 60)
"""The earliest end of no tasks: less than any time, also after some lengths are added."""


def clear_tree(M, tree, leaves):
    """A tree without tasks; the gray cells are not used."""
    for node in range(tree + NODE, tree + 2 * NODE * leaves, NODE):
        M[node] = 0
        M[node + EARLIEST_END] = NEVER


def put_task(M, tree, node, length, end):
    """Put a task of ``length`` that ends at ``end`` into a leaf; 0 and NEVER take it out."""
    M[tree + NODE * node] = length
    M[tree + NODE * node + EARLIEST_END] = end
    while node > 1:
        node >>= 1
        left = tree + 2 * NODE * node
        right = left + NODE
        length = M[right]
        end = M[left + EARLIEST_END] + length
        if M[right + EARLIEST_END] > end:
            end = M[right + EARLIEST_END]
        M[tree + NODE * node] = M[left] + length
        M[tree + NODE * node + EARLIEST_END] = end


def put_coloured(M, tree, node, length, end, gray_length, gray_end):
    """Set all cells of a leaf: a task has its length and end in the gray cells, and in the others
    too unless it is gray."""
    v = tree + NODE * node
    M[v] = length
    M[v + EARLIEST_END] = end
    M[v + GRAY_SUM] = gray_length
    M[v + GRAY_END] = gray_end
    while node > 1:
        node >>= 1
        combine(M, tree, node)


def combine(M, tree, node):
    """The cells of a node from those of its children."""
    left = tree + 2 * NODE * node
    right = left + NODE
    v = tree + NODE * node
    sum_left, sum_right = M[left], M[right]
    end_left = M[left + EARLIEST_END]
    M[v] = sum_left + sum_right
    end = end_left + sum_right
    if M[right + EARLIEST_END] > end:
        end = M[right + EARLIEST_END]
    M[v + EARLIEST_END] = end
    gray_left, gray_right = M[left + GRAY_SUM] + sum_right, sum_left + M[right + GRAY_SUM]
    M[v + GRAY_SUM] = gray_left if gray_left > gray_right else gray_right
    end = M[right + GRAY_END]
    other = end_left + M[right + GRAY_SUM]
    if other > end:
        end = other
    other = M[left + GRAY_END] + sum_right
    if other > end:
        end = other
    M[v + GRAY_END] = end


def find_gray(M, tree, leaves):
    """The leaf of the gray task without which all could end earlier than with it."""
    node = 1
    by_end = True
    while node < leaves:
        left = tree + 2 * NODE * node
        right = left + NODE
        v = tree + NODE * node
        if by_end:
            end = M[v + GRAY_END]
            if end == M[right + GRAY_END]:
                node = 2 * node + 1
            elif end == M[left + EARLIEST_END] + M[right + GRAY_SUM]:
                node = 2 * node + 1
                by_end = False
            else:
                node = 2 * node
        elif M[v + GRAY_SUM] == M[left + GRAY_SUM] + M[right]:
            node = 2 * node
        else:
            node = 2 * node + 1
    return node
