"""XML that is refused before anything is read: entities, depth, sizes, and what is no XCSP3."""

import re

import pytest

from modelling.errors import InstanceError
from modelling.formats.xcsp3 import read
from modelling.formats.xcsp3.reader import document

LAUGHS = """<?xml version="1.0"?><!DOCTYPE instance [<!ENTITY a "0 1 2 3 4 5 6 7 8 9 ">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<instance format="XCSP3" type="CSP"><variables><var id="x"> &b; </var></variables></instance>"""
EXTERNAL = """<!DOCTYPE instance SYSTEM "file:///etc/passwd">
<instance format="XCSP3" type="CSP"/>"""


def refused(data, source="in.xml"):
    with pytest.raises(InstanceError) as told:
        read(data if isinstance(data, bytes) else data.encode(), source)
    assert told.value.place.startswith(f"{source}:")
    return str(told.value)


@pytest.mark.parametrize("text", [LAUGHS, EXTERNAL])
def test_document_types_are_refused(text):
    assert "DOCTYPE" in refused(text)


def test_entities_that_are_not_declared():
    text = '<instance format="XCSP3" type="CSP"><variables>&b;</variables></instance>'
    assert "undefined entity" in refused(text)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "no element found"),
        ("x", "syntax error"),
        ("<instance>", "no element found"),
        ("<instance></a>", "mismatched tag"),
        ("<a/>", "format"),
        ('<instance format="XCSP 2.1" type="CSP"/>', "format"),
        ('<instance format="XCSP3" type="WCSP"/>', "WCSP"),
        ('<instance format="XCSP3" type="CSP"><foo/></instance>', "<foo>"),
        ('<instance format="XCSP3" type="CSP"><variables/><variables/></instance>', "twice"),
        ('<?xml version="1.0" encoding="utf-7"?><instance/>', ""),
        ('<?xml version="1.0" encoding="no-such"?><instance/>', "encoding"),
        ('<instance format="XCSP3" type="CSP" x="1"/>', "x='1'"),
    ],
)
def test_what_is_no_instance(text, cause):
    assert cause in refused(text)


@pytest.mark.parametrize(
    "data", [b"\x00", b"\xff\xfe\x00", b"PK\x03\x04", b"\xef\xbb\xbf", bytes(99)]
)
def test_bytes_that_are_no_xml(data):
    assert "no XML" in refused(data)


def test_other_encodings_are_read():
    text = '<?xml version="1.0" encoding="{}"?><instance format="XCSP3" type="CSP"><variables>' \
        '<var id="x" note="größe"> 0 1 </var></variables></instance>'  # fmt: skip
    for encoding in ("utf-8", "utf-16", "iso-8859-1"):
        assert read(text.format(encoding).encode(encoding), "in.xml").structure.names == ("x",)


def test_places_are_lines_and_columns():
    text = '<instance format="XCSP3">\n <variables>\n  <var id="x"/>\n</variables></instance>'
    assert refused(text).startswith("in.xml:3:3: <var> 'x': ")


def test_elements_are_bounded_in_depth():
    text = "<block>" * 100_000
    assert "nested more deeply" in refused(
        f'<instance format="XCSP3" type="CSP"><constraints>{text}'
    )


def test_an_instance_of_nothing_has_one_solution():
    assert read(b'<instance format="XCSP3" type="CSP"/>', "in.xml").structure.size == 0


X = '<array id="x" size="[1000]"> 0 1 </array>'


@pytest.mark.parametrize(
    "constraint",
    [
        "<count><list> x[] </list><values> 0..1000000000 </values>"
        "<condition> (le,5) </condition></count>",
        "<sum><list> x[] </list><coeffs> 1x999999999 </coeffs>"
        "<condition> (le,5) </condition></sum>",
        "<extension><list> x[0] x[1] </list>"
        "<supports> (0..99999999,0..99999999) </supports></extension>",
        "<extension><list> x[0..5] </list>"
        "<supports> (0..99,0..99,0..99,0..99,0..99,0..99) </supports></extension>",
        "<channel><list> x[0..998] </list><list> " + "x[] " * 300 + "</list></channel>",
        "<group><allDifferent> %... " + "x[] " * 20 + "</allDifferent>"
        + "<args> x[] </args>" * 10 + "</group>",
    ],
)  # fmt: skip
def test_few_signs_that_stand_for_much(monkeypatch, refuses, constraint):
    """It is refused with its size and the bound, in little time and memory."""
    monkeypatch.setattr(document, "MOST_WRITTEN", 100_000)
    assert re.search("comes to [0-9,]+ terms .*, more than [12]..,...;", refuses(X, constraint))


def test_an_element_that_many_refer_to_is_written_out_each_time(monkeypatch, refuses):
    monkeypatch.setattr(document, "MOST_WRITTEN", 100_000)
    text = '<allDifferent><list id="l"> ' + "x[] " * 10 + "</list></allDifferent>"
    text += '<allDifferent><list as="l"/></allDifferent>' * 30
    assert "more than 10" in refuses(X, text)


ONE = '<var id="x"> 0 1 </var>'
INSTANCE = (
    '<instance format="XCSP3" type="CSP"><variables>{}</variables>'
    "<constraints>{}</constraints></instance>"
)


@pytest.mark.parametrize(
    "expression",
    [
        "sqr(" * 60 + "x" + ")" * 60,
        "pow(" * 9 + "x" + ",9)" * 9,
        "pow(10,pow(10,9))",
        "iff(" * 60 + "x" + ",1,1)" * 60,
    ],
)
def test_what_stands_twice_in_itself_does_not_double_without_bounds(expression):
    told = refused(INSTANCE.format(ONE, f"<intension> eq({expression},1) </intension>"))
    assert "written out here" in told or "exponent" in told


def test_arguments_of_groups_count_as_what_they_come_to():
    twelve = "sqr(" * 11 + "{}" + ")" * 11
    group = (
        f"<group><intension> eq({twelve.format('%0')},1) </intension>"
        f"<args> {twelve.format('x')} </args></group>"
    )
    assert "written out here" in refused(INSTANCE.format(ONE, group))


def test_many_variables_of_large_domains_share_a_mask():
    array = '<array id="x" size="[2000]"> 0..1000000 </array>'
    structure = read(INSTANCE.format(array, "").encode(), "in.xml").structure
    assert len(set(map(id, structure.full_masks))) == 1
