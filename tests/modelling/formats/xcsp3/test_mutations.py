"""Damaged files: whatever happens to an instance, it is read, or refused with a place."""

import random
import re

import pytest

from modelling.errors import InstanceError
from modelling.formats.xcsp3 import read

WHOLE = """<instance format="XCSP3" type="COP">
<variables>
 <var id="v" note="a"> 0..3 7 </var> <var id="w" as="v"/>
 <array id="x" size="[3]"> 0..2 </array>
 <array id="m" size="[2][3]"><domain for="m[0][] m[1][0]"> 0 1 </domain>
  <domain for="m[1][1..2]"> 0..4 </domain></array>
</variables>
<constraints>
 <intension> or(le(add(x[0],2),x[1]),in(v,set(1,3))) </intension>
 <extension><list> x[0] x[1] </list><supports> (0,1)(*,2)(1..2,0) </supports></extension>
 <regular><list> x[] </list><transitions> (a,0,a)(a,1,b)(b,2,a) </transitions>
  <start> a </start><final> a b </final></regular>
 <mdd><list> x[0..1] </list><transitions> (r,0,a)(a,1,t) </transitions></mdd>
 <block><allDifferent><list> x[] v </list><except> 0 </except></allDifferent></block>
 <group><sum><list> %... </list><coeffs> 1 2x2 </coeffs><condition> (in,1..9) </condition></sum>
  <args> m[0][] </args><args> m[1][] </args></group>
 <cardinality><list> m[][] </list><values closed="false"> 0 1 </values><occurs> 1..3 v </occurs>
 </cardinality>
 <element><matrix> m[][] </matrix><index> v w </index><value> 1 </value></element>
 <cumulative><origins> x[] </origins><lengths> 1 2 1 </lengths><heights> 1 1 v </heights>
  <condition> (le,4) </condition></cumulative>
 <slide circular="true"><list offset="1"> x[] </list><intension> ne(%0,%1) </intension></slide>
 <maximumArg rank="first"><list> x[] </list><condition> (lt,v) </condition></maximumArg>
 <noOverlap><origins> m[][0..1] </origins><lengths> (1,1)(2,v) </lengths></noOverlap>
 <circuit><list startIndex="0"> x[] </list><size> 2 </size></circuit>
</constraints>
<objectives><minimize type="sum"><list> x[] </list><coeffs> 1 -2 3 </coeffs></minimize></objectives>
</instance>
"""
SIGNS = "<>/()[]{}%.,*=\"' 0123456789-+abxvms\n\x00é"


WORDS = [
    *[
        "0",
        "-1",
        "7",
        "99",
        "1..4",
        "2x3",
        "*",
        "x[]",
        "m[1][]",
        "m[][]",
        "v",
        "%0",
        "%...",
        "(le,3)",
        "{1,2}",
        "eq(v,1)",
        "add(x[0],2)",
    ],
    *("le", "in", "true", "", "()", "9" * 12, "9" * 30),
]
WORD = re.compile(r"(?<![</\w])[A-Za-z0-9_.%*-]+(?:\[[0-9.]*\])*(?!=)")
"""Of texts and attributes, not of tags."""


def mutated(rng):
    """The instance with one or two words exchanged for others, or with a few signs changed, taken
    out, put in, doubled, or cut off."""
    text = WHOLE
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 2)):
            words = list(WORD.finditer(text))
            at = rng.choice(words)
            other = rng.choice(WORDS) if rng.random() < 0.6 else rng.choice(words)[0]
            text = text[: at.start()] + other + text[at.end() :]
        return text
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 5, 30)))
        inserted = "".join(rng.choice(SIGNS) for _ in range(rng.choice((0, 1, 1, 2))))
        if rng.random() < 0.1:
            inserted = text[end : end + 40] * 2
        text = text[:start] + inserted + text[end:]
    return text[: rng.randrange(len(text))] if rng.random() < 0.05 else text


def refusal(text):
    """The error with which a text is refused; any other is one of the test."""
    try:
        read(text.encode(), "in.xml")
    except InstanceError as error:
        return error
    return None


def test_the_whole_instance_is_read():
    assert len(read(WHOLE.encode(), "in.xml").structure.constraints) == 19


@pytest.mark.parametrize("part", range(4))
def test_damaged_instances(part):
    rng = random.Random(f"xcsp3/{part}")
    texts = [mutated(rng) for _ in range(100)]
    refused = [(text, refusal(text)) for text in texts]
    told = [(text, error) for text, error in refused if error is not None]
    assert [text for text, error in told if not error.place.startswith("in.xml:")] == []
    assert 30 < len(told) < 100
