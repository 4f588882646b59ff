"""Declarations, domains, arrays and compact forms."""

import pytest

from modelling.brute_force import solutions
from modelling.constraints import AllDifferent

GAPPED = """<array id="t" size="[2][3]"><domain for="t[0][0..1] t[1][2]"> 0..1 </domain>
  <domain for="t[1][0]"> 7 </domain></array>"""


def names_and_domains(problem):
    structure = problem.structure
    return list(zip(structure.names, structure.domains, strict=True))


def test_variables_have_the_files_order_and_names(state):
    problem = state('<var id="b"> 1 </var><array id="a" size="[2]"> 0..2 7 </array>')
    assert names_and_domains(problem) == [
        ("b", (1,)),
        ("a[0]", (0, 1, 2, 7)),
        ("a[1]", (0, 1, 2, 7)),
    ]


def test_domains_are_sets(state):
    problem = state('<var id="x"> 5 -3..-1 +2 5..6 </var>')
    assert problem.structure.domains == ((-3, -2, -1, 2, 5, 6),)


def test_domains_may_be_those_of_others(state):
    problem = state('<var id="x"> 1 2 </var><var id="y" as="x"/><array id="z" size="[1]" as="y"/>')
    assert problem.structure.domains == ((1, 2),) * 3
    assert len(set(map(id, problem.structure.domains))) == 1


def test_a_large_domain_is_a_range(state):
    problem = state('<var id="x"> 0..1000000000 </var>')
    assert problem.structure.domains == (range(1_000_000_001),)


def test_mixed_domains_and_gaps(state):
    assert names_and_domains(state(GAPPED)) == [
        ("t[0][0]", (0, 1)),
        ("t[0][1]", (0, 1)),
        ("t[1][0]", (7,)),
        ("t[1][2]", (0, 1)),
    ]


def test_others(state):
    text = """<array id="x" size="[3]"><domain for="x[1]"> 5 </domain>
      <domain for="others"> 0 1 </domain></array>"""
    assert state(text).structure.domains == ((0, 1), (5,), (0, 1))


def test_mixed_domains_of_another_array(state):
    problem = state(GAPPED + '<array id="u" size="[2][3]" as="t"/>')
    assert problem.structure.names[4:] == ("u[0][0]", "u[0][1]", "u[1][0]", "u[1][2]")
    assert problem.structure.domains[4:] == problem.structure.domains[:4]


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        ("m[][]", range(12)),
        ("m[1][]", range(4, 8)),
        ("m[][2]", (2, 6, 10)),
        ("m[0..1][1..2]", (1, 2, 5, 6)),
        ("m[2][3] m[0][0]", (11, 0)),
        ("m[2..2][3]", (11,)),
        ("m[01][2] v", (6, 12)),
    ],
)
def test_compact_forms(state, words, positions):
    problem = state(
        '<array id="m" size="[3][4]"> 0..20 </array><var id="v"> 0..20 </var>',
        f"<allDifferent> {words} </allDifferent>",
    )
    assert problem.structure.constraints == (AllDifferent(tuple(positions)),)


def test_gaps_stand_in_no_list(state, refuses):
    problem = state(GAPPED, "<allDifferent> t[][] </allDifferent>")
    assert problem.structure.constraints == (AllDifferent((0, 1, 2, 3)),)
    assert "gap" in refuses(GAPPED, "<lex><matrix> t[][] </matrix><operator> le </operator></lex>")
    assert "gap" in refuses(
        GAPPED, "<element><list> t[][] </list><index> t[0][0] </index><value> 1 </value></element>"
    )
    assert "t[0][2]" in refuses(GAPPED, "<intension> eq(t[0][2],1) </intension>")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('<var id="x"> </var>', "no domain"),
        ('<var id="x"> 5..3 </var>', "ends before"),
        ('<var id="x"> red green </var>', "'red'"),
        ('<var id="x" type="symbolic"> red </var>', "symbolic"),
        ('<var id="x" type="real"> [0,1] </var>', "real"),
        ('<var id="x" type="set"> <required/> </var>', "set"),
        ('<var id="x"> 0..+infinity </var>', "infinity"),
        ('<var id="x"> 0..9999999999999999999 </var>', "9999"),
        ('<var id="x"> 0 5..1000000000 </var>', "values in several runs"),
        ("<var> 0 1 </var>", "no id"),
        ('<var id="2x"> 0 1 </var>', "no id"),
        ('<var id="x"> 0 1 </var><var id="x"> 0 1 </var>', "already"),
        ('<var id="x" as="y"/>', "'y'"),
        ('<array id="x" size="[1000000000]"> 0 1 </array>', "1,000,000,000 variables"),
        ('<array id="x" size="[1000][1000][1000]"> 0 1 </array>', "1,000,000,000 variables"),
        ('<array id="x" size="[0]"> 0 1 </array>', "0 variables"),
        ('<array id="x" size="3"> 0 1 </array>', "size"),
        ('<array id="x"> 0 1 </array>', "size"),
        ('<array id="x" size="[2]" startIndex="1"> 0 1 </array>', "startIndex"),
        ('<array id="x" size="[2]"><domain for="x[2]"> 0 1 </domain></array>', "no such place"),
        ('<array id="x" size="[2]"><domain for="y[1]"> 0 1 </domain></array>', "no variables of x"),
        ('<array id="x" size="[2]"><domain for="x[1][0]"> 0 </domain></array>', "2 indices"),
        ('<array id="x" size="[2]"><domain for="x[]"> 0 </domain><domain for="x[1]"> 1 </domain>'
         "</array>", "has a domain already"),
        ('<set id="x"> 0 1 </set>', "no <var>"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(text)


def test_variables_that_stand_nowhere_do_not_tell_solutions_apart(state):
    declared = (
        '<array id="x" size="[3]"> 0 1 </array><var id="y"> 0..8 </var><var id="z"> 0..8 </var>'
    )
    rule = "<intension> ne(x[0],x[2]) </intension>"
    assert state(declared, rule, "<minimize> z </minimize>").structure.output == (0, 2, 4)
    assert len(list(solutions(state(declared, rule)))) == 2
    everywhere = f"{rule}<allEqual> x[] y z </allEqual>"
    assert state(declared, everywhere).structure.output is None


def test_mentioned_is_mentioned_whatever_is_said(state):
    declared = '<var id="x"> 0 1 </var><var id="y"> 0 1 </var>'
    problem = state(declared, "<intension> le(x,x) </intension>")
    assert problem.structure.constraints == ()
    assert problem.structure.output == (0,)
    assert len(list(solutions(problem))) == 2


@pytest.mark.parametrize("word", ["x[5]", "x[1..9]", "x[2..1]", "x[][]", "x", "x[", "x[a]", "y[0]"])
def test_words_that_name_no_variable(refuses, word):
    told = refuses(
        '<array id="x" size="[3]"> 0 1 </array>', f"<allDifferent> {word} </allDifferent>"
    )
    assert repr(word) in told


def test_names_of_arrays_and_ends_of_ranges(refuses):
    half = '<array id="x" size="[2]"><domain for="x[{}]"> 0 1 </domain></array>'
    assert refuses(half.format(0) + half.format(1)) == "<array> 'x': an array is called so already"
    assert "3..1 of a domain ends before it begins" in refuses('<var id="x"> 3..1 5 </var>')
