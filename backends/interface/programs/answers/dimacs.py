"""Answers in DIMACS: a model is the literals that are true or false, with a 0 at its end."""

from __future__ import annotations

from collections.abc import Mapping

from backends.interface.programs.answers.reader import Garbled, LiteralsReader, shorten


class Dimacs(LiteralsReader):
    """A model is literals, the last of them 0; a literal that is not named is false."""

    def line(self, text: str) -> set[int] | None:
        if text[:2] in ("v ", "v\t", "V "):
            return self.literals(text[2:])
        return super().line(text)

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
        self.positive.update(number for number in numbers if number > 0)
        self.negative.update(-number for number in numbers if number < 0)
        self.named += len(numbers)
        self.check_size()
        return self.end_model() if last else None


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
