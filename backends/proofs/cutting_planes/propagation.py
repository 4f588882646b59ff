"""What a set of inequalities implies by unit propagation.

A literal is true where, if it were false, the literals that are not false would not reach the
degree. Each inequality keeps how far they exceed it, its slack, and is looked at when the slack
falls below its largest weight.
"""

from __future__ import annotations

from backends.proofs.cutting_planes.inequality import Inequality


class Propagation:
    """Inequalities, and the literals that they make true. ``contradicted`` says that there are
    none that satisfy all of them."""

    def __init__(self) -> None:
        self.contradicted = False
        self._inequalities: list[Inequality] = []
        self._largest: list[int] = []
        self._slack: list[int] = []
        self._with: dict[int, list[tuple[int, int]]] = {}
        self._true: set[int] = set()
        self._trail: list[int] = []
        self._done = 0

    def add(self, inequality: Inequality) -> None:
        """One more, and what follows from it."""
        self._insert(inequality)
        if not self.contradicted:
            self.contradicted = not self._propagate([len(self._slack) - 1])

    def refutes(self, inequality: Inequality) -> bool:
        """Whether propagation finds a contradiction with this one besides; it is not kept."""
        if self.contradicted:
            return True
        mark = self._done
        self._insert(inequality)
        found = not self._propagate([len(self._slack) - 1])
        while self._done > mark:
            self._undo()
        while len(self._trail) > mark:
            self._true.remove(self._trail.pop())
        self._remove_last()
        return found

    def _insert(self, inequality: Inequality) -> None:
        number = len(self._slack)
        slack = inequality.slack
        for literal, weight in inequality.weights.items():
            self._with.setdefault(literal, []).append((number, weight))
            if -literal in self._true:
                slack -= weight
        self._inequalities.append(inequality)
        self._largest.append(max(inequality.weights.values(), default=0))
        self._slack.append(slack)

    def _remove_last(self) -> None:
        for literal in self._inequalities.pop().weights:
            self._with[literal].pop()
        self._largest.pop()
        self._slack.pop()

    def _undo(self) -> None:
        """Take the last literal back whose consequences were worked out."""
        self._done -= 1
        for number, weight in self._with.get(-self._trail[self._done], ()):
            self._slack[number] += weight

    def _propagate(self, due: list[int]) -> bool:
        """Work out what follows from the inequalities ``due``; False for a contradiction."""
        while True:
            for number in due:
                if self._slack[number] < 0:
                    return False
                if self._slack[number] < self._largest[number]:
                    self._imply(number)
            if self._done == len(self._trail):
                return True
            due = self._falsify(-self._trail[self._done])
            self._done += 1

    def _imply(self, number: int) -> None:
        """Make the literals true without which the inequality cannot hold."""
        slack, true = self._slack[number], self._true
        for literal, weight in self._inequalities[number].weights.items():
            if weight > slack and literal not in true and -literal not in true:
                true.add(literal)
                self._trail.append(literal)

    def _falsify(self, literal: int) -> list[int]:
        """Take a literal's weight from the slacks; return the inequalities to look at."""
        slack, largest, due = self._slack, self._largest, []
        for number, weight in self._with.get(literal, ()):
            slack[number] -= weight
            if slack[number] < largest[number]:
                due.append(number)
        return due
