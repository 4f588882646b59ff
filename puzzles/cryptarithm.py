"""Cryptarithms: a word sum in which every letter is a digit.

Text is the sum, ``SEND+MORE=MONEY``, with any number of words on the left and one on the right;
small letters and spaces are read too. Different letters are different digits, there are at most
ten letters, and the first letter of a word is not zero, however short the word. Variables are the
letters in the order in which they appear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from modelling.constraints import AllDifferent, Linear
from modelling.errors import PuzzleError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside
from puzzles.family import Instance
from puzzles.formats import Locate, entries, in_text

MOST_LETTERS = 10
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class WordSum:
    """The words that are added, and the word that they add up to; capital letters."""

    summands: tuple[str, ...]
    total: str

    @property
    def words(self) -> tuple[str, ...]:
        """Every word, the total last."""
        return (*self.summands, self.total)

    @property
    def letters(self) -> tuple[str, ...]:
        """Every letter once, in the order in which they appear."""
        return tuple(dict.fromkeys("".join(self.words)))

    @property
    def text(self) -> str:
        """Canonical text."""
        return f"{'+'.join(self.summands)}={self.total}"


def parse(text: str, locate: Locate = in_text) -> WordSum:
    """The word sum in ``text``; raises ``PuzzleError``."""
    words, signs = [""], ""
    for column, sign in enumerate(text, 1):
        if sign in "+=":
            if not words[-1]:
                raise PuzzleError(f"there is no word before this {sign!r}", locate(column))
            if "=" in signs:
                raise PuzzleError("there is something behind the total", locate(column))
            signs += sign
            words.append("")
        elif sign.isalpha() and len(sign.upper()) == 1:
            if words[-1] and text[column - 2].isspace():
                raise PuzzleError("there is no '+' or '=' between two words", locate(column))
            words[-1] += sign.upper()
        elif not sign.isspace():
            cause = f"{sign!r} does not belong in a word sum such as SEND+MORE=MONEY"
            raise PuzzleError(cause, locate(column))
    end = locate(len(text.rstrip()) + 1)
    if not signs.endswith("="):
        raise PuzzleError("there is no total; write a sum such as SEND+MORE=MONEY", end)
    if not words[-1]:
        raise PuzzleError("there is no word behind the '='", end)
    found = WordSum(tuple(words[:-1]), words[-1])
    if len(found.letters) > MOST_LETTERS:
        cause = f"{len(found.letters)} different letters, but there are {MOST_LETTERS} digits"
        raise PuzzleError(cause, end)
    if max(map(len, words)) > LONGEST_WORD:
        raise PuzzleError(f"a word of more than {LONGEST_WORD} letters", end)
    return found


@lru_cache(maxsize=256)
def structure(puzzle: WordSum) -> Structure:
    """Different digits, and one linear equation with the place values of each letter added up."""
    letters = puzzle.letters
    weights: Counter[str] = Counter()
    signs = [1] * len(puzzle.summands) + [-1]
    for word, sign in zip(puzzle.words, signs, strict=True):
        for power, letter in enumerate(reversed(word)):
            weights[letter] += sign * 10**power
    first = {word[0] for word in puzzle.words}
    counted = [i for i, letter in enumerate(letters) if weights[letter]]
    return Structure(
        letters,
        tuple(tuple(range(letter in first, 10)) for letter in letters),
        (
            AllDifferent(tuple(range(len(letters)))),
            Linear(tuple(counted), tuple(weights[letters[i]] for i in counted), "==", 0),
        ),
    )


class Cryptarithm:
    """Implements ``puzzles.family.Family``."""

    name = "cryptarithm"
    about = "word sums such as SEND+MORE=MONEY: each letter a digit of its own"

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | PuzzleError]:
        """See ``Family.read``: one sum a line."""
        return entries(lines, source, self.name, lambda body, locate: parse(body, locate).text)

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``; a sum is a structure of its own."""
        return structure(parse(text)).problem()

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``: the words are turned into numbers and added."""
        puzzle = parse(text)
        if len(values) != len(puzzle.letters):
            return [f"{len(values)} values for {len(puzzle.letters)} letters"]
        digits = dict(zip(puzzle.letters, values, strict=True))
        wrong = [f"{k} = {v!r} is no digit" for k, v in digits.items() if v not in range(10)]
        if wrong:
            return wrong
        for digit, times in Counter(values).items():
            if times > 1:
                same = ", ".join(letter for letter in puzzle.letters if digits[letter] == digit)
                wrong.append(f"{same} are all {digit}")
        first = dict.fromkeys(word[0] for word in puzzle.words)
        wrong += [f"{letter} is zero, but begins a word" for letter in first if digits[letter] == 0]
        numbers = [_number(word, digits) for word in puzzle.words]
        if sum(numbers[:-1]) != numbers[-1]:
            wrong.append(f"{self.write(text, values)} is false: it is {sum(numbers[:-1])}")
        return wrong

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``: the words below each other, as one adds by hand."""
        puzzle = parse(text)
        drawn = _drawn(puzzle.words)
        if values is None:
            return drawn
        digits = _digits(puzzle, values)
        return beside(drawn, _drawn([_spelt(word, digits) for word in puzzle.words]))

    def write(self, text: str, values: Sequence[int]) -> str:
        """The sum in digits: ``9567 + 1085 = 10652``."""
        puzzle = parse(text)
        digits = _digits(puzzle, values)
        numbers = [_spelt(word, digits) for word in puzzle.words]
        return f"{' + '.join(numbers[:-1])} = {numbers[-1]}"


def _digits(puzzle: WordSum, values: Sequence[int]) -> Mapping[str, int]:
    if len(values) != len(puzzle.letters):
        raise PuzzleError(f"{len(values)} values for {len(puzzle.letters)} letters")
    return dict(zip(puzzle.letters, values, strict=True))


def _spelt(word: str, digits: Mapping[str, int]) -> str:
    return "".join(str(digits[k]) if digits[k] in range(10) else "?" for k in word)


def _number(word: str, digits: Mapping[str, int]) -> int:
    number = 0
    for letter in word:
        number = 10 * number + digits[letter]
    return number


def _drawn(words: Sequence[str]) -> str:
    """Words right-aligned over a line and the total."""
    width = max(map(len, words)) + 2
    rows = [f"{word:>{width}}" for word in words]
    rows[1:-1] = [f"+ {word:>{width - 2}}" for word in words[1:-1]]
    return "\n".join([*rows[:-1], "-" * width, rows[-1]])


CRYPTARITHM = Cryptarithm()
