"""Answers in DIMACS: a model is the literals that are true or false, with a 0 at its end."""

from __future__ import annotations

from collections.abc import Mapping

from backends.interface.programs.answers.reader import (
    MOST_SIGNS,
    Garbled,
    Reader,
    refuse_both,
    shorten,
)


class Dimacs(Reader):
    """A model is literals, the last of them 0; a literal that is not named is false."""

    def __init__(self) -> None:
        super().__init__()
        self._true: set[int] = set()
        self._false: set[int] = set()
        self._named = 0

    def line(self, text: str) -> set[int] | None:
        kind, words = text[:2], text[2:]
        if kind in ("s ", "s\t"):
            self.say(words)
        elif kind in ("o ", "o\t"):
            self.value(words)
        elif kind in ("v ", "v\t", "V "):
            return self.literals(words)
        return None

    def literals(self, words: str) -> set[int] | None:
        """The next ones of a model."""
        try:
            numbers = list(map(int, words.split()))
        except ValueError:
            numbers = None
        if numbers is None or "_" in words or not words.isascii():  # int takes these, too
            raise Garbled(f"a model has literals, not {shorten(words)}")
        if not numbers:
            return None
        self.open = True
        last = numbers[-1] == 0
        if 0 in (numbers[:-1] if last else numbers):
            raise Garbled(f"a model has one 0, at its end, not {shorten(words)}")
        self._true.update(number for number in numbers if number > 0)
        self._false.update(-number for number in numbers if number < 0)
        self._named += len(numbers)
        if self._named * 4 > MOST_SIGNS:
            raise Garbled(f"a model has more than {self._named:,} literals")
        if not last:
            return None
        refuse_both(self._true, self._false)
        found, self._true, self._false = self._true, set(), set()
        self._named, self.open = 0, False
        return found


class DimacsFile(Dimacs):
    """What a solver writes to a file, as minisat does: ``SAT`` and the literals after it."""

    WORDS: Mapping[str, str] = {"SAT": "SATISFIABLE", "UNSAT": "UNSATISFIABLE"}

    def line(self, text: str) -> set[int] | None:
        words = text.strip()
        if words in self.WORDS or words == "INDET":
            self.say(self.WORDS.get(words, words))
            return None
        if words and not words.lstrip("-")[:1].isdigit():
            return super().line(text)
        return self.literals(words)
