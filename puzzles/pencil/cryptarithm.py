"""Cryptarithms: a word sum in which every letter is a digit.

Text is the sum, ``SEND+MORE=MONEY``, with any number of words on the left and one on the right;
small letters and spaces are read too. Different letters are different digits, there are at most as
many letters as digits, and the first letter of a word is not zero, however short the word. Digits
are those of base ten, unless another base follows: ``FIVE+FIVE=TEN base 12``. Variables are
the letters in the order in which they appear. In bases of any size the problem is NP-complete
(Eppstein, "On the NP-completeness of cryptarithms", SIGACT News 18, 1987).
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import perm

from modelling.constraints import AllDifferent, Linear
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside
from puzzles.family import Count, Instance
from puzzles.formats import Locate, entries, in_text
from puzzles.lines import read_number
from puzzles.parameters import Parameter
from puzzles.pencil.uniqueness import is_unique
from puzzles.random_stream import Stream

DIGITS = string.digits + string.ascii_uppercase
TEN, LARGEST_BASE = 10, len(DIGITS)
LETTERS = len(string.ascii_uppercase)
LONGEST_WORD = 40
MOST_GENERATED = 12
"""Letters of a word of a sum that is generated."""
DRAWN, COUNTED, MOST_EXPECTED = 100_000, 2000, 100
"""Most sums that are drawn for one with one solution, and most that are counted; those of which
more solutions are to be expected are not."""

_BASE = re.compile(r"\s+base\s+(\S+)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WordSum:
    """The words that are added, and the word that they add up to; capital letters."""

    summands: tuple[str, ...]
    total: str
    base: int = TEN

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
        given = f"{'+'.join(self.summands)}={self.total}"
        return given if self.base == TEN else f"{given} base {self.base}"


def parse(text: str, locate: Locate = in_text) -> WordSum:
    """The word sum in ``text``; raises ``InstanceError``."""
    base, behind = TEN, _BASE.search(text)
    if behind:
        where = locate(behind.start(1) + 1)
        base = read_number(behind[1], "the base", 2, LARGEST_BASE, where)
        text = text[: behind.start()]
    words, signs = [""], ""
    for column, sign in enumerate(text, 1):
        if sign in "+=":
            if not words[-1]:
                raise InstanceError(f"there is no word before this {sign!r}", locate(column))
            if "=" in signs:
                raise InstanceError("there is something after the total", locate(column))
            signs += sign
            words.append("")
        elif sign.isalpha() and len(sign.upper()) == 1:
            if words[-1] and text[column - 2].isspace():
                raise InstanceError("there is no '+' or '=' between two words", locate(column))
            words[-1] += sign.upper()
        elif not sign.isspace():
            cause = f"{sign!r} does not belong in a word sum such as SEND+MORE=MONEY"
            raise InstanceError(cause, locate(column))
    end = locate(len(text.rstrip()) + 1)
    if not signs.endswith("="):
        raise InstanceError("there is no total; write a sum such as SEND+MORE=MONEY", end)
    if not words[-1]:
        raise InstanceError("there is no word after the '='", end)
    found = WordSum(tuple(words[:-1]), words[-1], base)
    if len(found.letters) > base:
        cause = f"{len(found.letters)} different letters, but there are {base} digits"
        raise InstanceError(cause, end)
    if max(map(len, words)) > LONGEST_WORD:
        raise InstanceError(f"a word of more than {LONGEST_WORD} letters", end)
    return found


@lru_cache(maxsize=256)
def structure(puzzle: WordSum) -> Structure:
    """Different digits, and one linear equation with the place values of each letter added up."""
    letters = puzzle.letters
    weights: Counter[str] = Counter()
    signs = [1] * len(puzzle.summands) + [-1]
    for word, sign in zip(puzzle.words, signs, strict=True):
        for power, letter in enumerate(reversed(word)):
            weights[letter] += sign * puzzle.base**power
    first = {word[0] for word in puzzle.words}
    counted = [i for i, letter in enumerate(letters) if weights[letter]]
    return Structure(
        letters,
        tuple(tuple(range(letter in first, puzzle.base)) for letter in letters),
        (
            AllDifferent(tuple(range(len(letters)))),
            Linear(tuple(counted), tuple(weights[letters[i]] for i in counted), "==", 0),
        ),
    )


class Cryptarithm:
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "cryptarithm"
    about = "word sums such as SEND+MORE=MONEY: each letter a digit of its own"
    unit = "letters"
    parameters = (
        Parameter("summands", 2, "Number of words that are added.", 1, 9),
        Parameter(
            "length",
            6,
            "Letters of the longest of them; with fewer, few sums are unique.",
            1,
            MOST_GENERATED,
        ),
        Parameter("letters", 8, "Number of different letters; the more, the harder.", 1, LETTERS),
        Parameter("base", TEN, "Base of the digits.", 2, LARGEST_BASE),
        Parameter(
            "kind",
            "letters",
            "Words of any letters, or English words, of which few sums have one solution.",
            words=("letters", "words"),
        ),
    )
    asks_solver = True

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``: one sum a line."""
        return entries(lines, source, self.name, lambda body, locate: parse(body, locate).text)

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``; a sum is a structure of its own."""
        return structure(parse(text)).problem()

    def size_of(self, text: str) -> int:
        """See ``Measured``: the different letters."""
        return len(parse(text).letters)

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``: the words are turned into numbers and added."""
        puzzle = parse(text)
        if len(values) != len(puzzle.letters):
            return [f"{len(values)} values for {len(puzzle.letters)} letters"]
        digits = dict(zip(puzzle.letters, values, strict=True))
        every = range(puzzle.base)
        wrong = [f"{k} = {v!r} is no digit" for k, v in digits.items() if v not in every]
        if wrong:
            return wrong
        for digit, times in Counter(values).items():
            if times > 1:
                same = ", ".join(letter for letter in puzzle.letters if digits[letter] == digit)
                wrong.append(f"{same} are all {digit}")
        first = dict.fromkeys(word[0] for word in puzzle.words)
        wrong += [f"{letter} is zero, but begins a word" for letter in first if digits[letter] == 0]
        numbers = [_number(word, digits, puzzle.base) for word in puzzle.words]
        if sum(numbers[:-1]) != numbers[-1]:
            found = "".join(DIGITS[k] for k in _find_digits(sum(numbers[:-1]), puzzle.base))
            wrong.append(f"{self.write(text, values)} is false: it is {found}")
        return wrong

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``: the words below each other, as one adds by hand."""
        puzzle = parse(text)
        drawn = _draw_sum(puzzle.words)
        if values is None:
            return drawn
        digits = _digits(puzzle, values)
        return beside(
            drawn, _draw_sum([_spell(word, digits, puzzle.base) for word in puzzle.words])
        )

    def write(self, text: str, values: Sequence[int]) -> str:
        """The sum in digits: ``9567 + 1085 = 10652``."""
        puzzle = parse(text)
        digits = _digits(puzzle, values)
        numbers = [_spell(word, digits, puzzle.base) for word in puzzle.words]
        given = f"{' + '.join(numbers[:-1])} = {numbers[-1]}"
        return given if puzzle.base == TEN else f"{given} base {puzzle.base}"

    def generate(self, draws: Stream, *, count: Count, kind: str, **given: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, english=kind == "words", **given)


def _digits(puzzle: WordSum, values: Sequence[int]) -> Mapping[str, int]:
    if len(values) != len(puzzle.letters):
        raise InstanceError(f"{len(values)} values for {len(puzzle.letters)} letters")
    return dict(zip(puzzle.letters, values, strict=True))


def _spell(word: str, digits: Mapping[str, int], base: int) -> str:
    return "".join(DIGITS[digits[k]] if digits[k] in range(base) else "?" for k in word)


def _number(word: str, digits: Mapping[str, int], base: int) -> int:
    number = 0
    for letter in word:
        number = base * number + digits[letter]
    return number


def _find_digits(number: int, base: int) -> list[int]:
    """The digits of a number, the largest place first."""
    found: list[int] = []
    while number or not found:
        number, digit = divmod(number, base)
        found.append(digit)
    return found[::-1]


def _draw_sum(words: Sequence[str]) -> str:
    """Words right-aligned over a line and the total."""
    width = max(map(len, words)) + 2
    rows = [f"{word:>{width}}" for word in words]
    rows[1:-1] = [f"+ {word:>{width - 2}}" for word in words[1:-1]]
    return "\n".join([*rows[:-1], "-" * width, rows[-1]])


CRYPTARITHM = Cryptarithm()


def generate(
    draws: Stream,
    *,
    count: Count,
    summands: int = 2,
    length: int = 6,
    letters: int = 8,
    base: int = TEN,
    english: bool = False,
) -> str:
    """A sum with one solution, this many different letters, and a longest summand of this length.

    Letters stand for the digits of a sum of random numbers, which is then a solution; ``english``
    words are drawn from ``WORDS``, and mostly there is none or there are several. ``count`` is
    asked. To be expected are about as many as there are ways to give digits to the letters,
    divided by the numbers of as many places as the total has.
    """
    asked = f"{letters} letters in base {base} and {summands} summands of up to {length} letters"
    if letters > base:
        raise InputError(f"no sum of {asked}: there are {base} digits")
    ways = perm(base, letters)
    if ways > MOST_EXPECTED * base ** (length + len(_find_digits(summands, base))):
        raise InputError(f"no sum of {asked} has one solution: ask for longer words")
    counted = 0
    for _ in range(DRAWN):
        made = (_draw_words if english else _draw_numbers)(draws, summands, length, letters, base)
        if made is None or len(made.letters) != letters:
            continue
        if ways > MOST_EXPECTED * base ** len(made.total):
            continue
        if is_unique(structure(made).problem(), count):
            return made.text
        counted += 1
        if counted == COUNTED:
            break
    raise InputError(f"no sum of {asked} was found that has one solution; ask for another length")


def _draw_numbers(
    draws: Stream, summands: int, length: int, letters: int, base: int
) -> WordSum | None:
    """Random numbers of this many different digits, and their sum, if it has no other digit."""
    digits = draws.shuffled(range(base))[:letters]
    first = [digit for digit in digits if digit]
    if not first:
        return None
    numbers = []
    for k in range(summands):
        size = length if k == 0 else max(1, length - draws.below(2))
        rest = [draws.choice(digits) for _ in range(size - 1)]
        numbers.append([draws.choice(first), *rest])
    places = (enumerate(reversed(number)) for number in numbers)
    total = sum(digit * base**k for k, digit in chain.from_iterable(places))
    numbers.append(_find_digits(total, base))
    if set(chain.from_iterable(numbers)) != set(digits):
        return None
    named = dict(zip(digits, draws.shuffled(string.ascii_uppercase), strict=False))
    words = ["".join(named[digit] for digit in number) for number in numbers]
    return WordSum(tuple(words[:-1]), words[-1], base)


def _draw_words(
    draws: Stream, summands: int, length: int, letters: int, base: int
) -> WordSum | None:
    """English words, the longest summand so long, the total as long or longer by one."""
    longest = [word for word in WORDS if len(word) == length]
    near = [word for word in WORDS if length - 1 <= len(word) <= length]
    totals = [word for word in WORDS if length <= len(word) <= length + 1]
    if not longest:
        return None
    words = [draws.choice(longest), *(draws.choice(near) for _ in range(summands - 1))]
    total = draws.choice(totals)
    return None if total in words else WordSum(tuple(draws.shuffled(words)), total, base)


_ENGLISH = """
ACE ACT AGE AID AIM AIR ANT APE ARC ARM ART ASH BAG BAR BAT BAY BED BEE BIG BOX BOY BUS CAP CAR CAT
COW CUP DAY DOG EAR EEL EGG ELM EYE FAN FIG FIR FOX FUN GAP GAS HAT HEN HUT ICE INK IVY JAM JAR KEY
LEG LID MAP MAT NET NUT OAK OAR OIL ONE OWL PAN PEA PEN PIE PIG RAT RED RUG SAW SEA SIX SKY SUN TEA
TEN TIE TOE TOY TWO VAN WAX WEB YAK ACID ACRE ATOM BABY BALL BAND BARN BASE BEAM BEAN BEAR BELL BIRD
BLUE BOAT BONE BOOK CAKE CALM CAVE CITY CLAY COAL COAT CODE COIN COLD CORN CREW CROW DATE DAWN DEAL
DEER DESK DISH DOOR DOVE DUCK DUNE DUST EAST ECHO EDGE FACE FACT FARM FERN FIRE FISH FIVE FLAG FOOD
FOUR FROG GATE GOAT GOLD HAND HARE HERB HILL HOME HORN IDEA IRON ISLE JAZZ KELP KITE KNOT LAKE LAMP
LEAF LIME LION LOAF MAST MILK MINT MOON MOSS MOTH NEST NEWS NINE NOON NOTE ONCE OVEN PALM PEAR PINE
PLUM POND POST RAIN REED RICE RING ROAD ROOT ROSE SAIL SALT SAND SEED SHIP SILK SNOW SOIL STAR STEM
SWAN TIDE TILE TIME TREE TUNE VASE VEIL WAVE WEST WIND WING WOLF WOOD WOOL WREN YARN ZERO ZINC ALDER
AMBER APPLE APRIL ARROW ASPEN BEACH BEECH BIRCH BLACK BREAD BRICK BROOK CABIN CEDAR CHAIR CHALK
CHESS CLOCK CLOUD COAST CORAL CRANE CREAM CROWN DAISY DRIFT EAGLE EARTH EIGHT EMBER FABLE FIELD
FINCH FLAME FLOOD FLOUR FROST FRUIT GLASS GLOVE GOOSE GRAIN GRAPE GRASS GREEN HAZEL HEART HERON
HONEY HORSE HOTEL HOUSE ISLET IVORY JUICE KNIFE LARCH LEMON LIGHT LILAC LINEN LOTUS MAPLE MARCH
MARSH METAL MONEY MOUSE MUSIC NIGHT NORTH OCEAN OLIVE ONION ORBIT OTTER PAPER PEACH PEARL PETAL
PIANO PLAIN PLANE PLANT PRISM QUAIL QUILT RADIO RAVEN RIVER ROBIN ROUND SALAD SCALE SEVEN SHARK
SHEEP SHELL SHORE SLATE SMOKE SOUTH SPICE SPOON STEAM STONE STORM SUGAR TABLE THORN THREE TIGER
TOAST TOWER TRAIN TULIP VIOLA WATER WHALE WHEAT WHITE WOMAN WORLD YEAST ZEBRA ACACIA ALMOND ANCHOR
AUGUST AUTUMN BADGER BARLEY BASKET BRANCH BRIDGE BUTTER CANDLE CANYON CARROT CASTLE CHERRY CIRCLE
COFFEE COPPER COTTON DESERT DONKEY DRAGON ELEVEN FALCON FOREST GARDEN GINGER GRAVEL HAMMER HARBOR
ISLAND JACKET JASPER KERNEL LADDER LAUREL LETTER MARBLE MARKET MEADOW MIRROR NEEDLE NUMBER ORANGE
ORCHID OYSTER PARROT PEBBLE PENCIL PEPPER PLANET POCKET POTATO PUZZLE RABBIT RIBBON ROCKET SADDLE
SALMON SECOND SHADOW SILVER SPIDER SPRING SQUARE STREAM SUMMER SUNSET TEMPLE THREAD TIMBER TOMATO
TRAVEL TUNNEL TURTLE TWELVE TWENTY VALLEY VIOLET WALNUT WILLOW WINDOW WINTER YELLOW
"""
WORDS = tuple(_ENGLISH.split())
"""English words of three to six letters."""
