"""Reading an instance: variables, constraints, objective."""

from __future__ import annotations

from modelling.errors import ModelError
from modelling.formats.xcsp3.reader.document import Element, parse, show
from modelling.formats.xcsp3.reader.entities import Reading
from modelling.formats.xcsp3.reader.objectives import read_objective
from modelling.formats.xcsp3.reader.posting import read_constraint
from modelling.formats.xcsp3.reader.variables import GAP
from modelling.problem import Objective, Problem, Structure

PARTS = ("variables", "constraints", "objectives", "annotations")


def read(data: bytes, source: str) -> Problem:
    """The problem of an XCSP3 file; InstanceError, with its place, for what is not supported.

    ``data`` is the whole file, ``source`` what it is called in messages. Variables have the file's
    order and names. Those that neither a constraint nor the objective mentions are not in the
    output: XCSP3 gives them the value ``*``, and solvers ignore them. ``<annotations>`` are advice
    to solvers and are passed over.
    """
    root = parse(data, source)
    root.check_attributes(("format", "type"))
    kind = root.attributes.get("format", "XCSP3").strip()
    if root.tag != "instance" or kind != "XCSP3":
        root.refuse('is no <instance format="XCSP3">, and other formats are not read here')
    framework = root.attributes.get("type", "CSP").strip()
    if framework not in ("CSP", "COP"):
        root.refuse(f"the framework {show(framework)} is not supported, only CSP and COP")
    for child in root.children:
        if child.tag not in PARTS:
            child.refuse(f"has no meaning in an instance, which takes {', '.join(PARTS)}")
    reading = Reading(root.document)
    for declaration in _children(root, "variables"):
        if declaration.tag not in ("var", "array"):
            declaration.refuse("is no <var> and no <array>")
        reading.variables.declare(declaration)
    for constraint in _children(root, "constraints"):
        read_constraint(reading, constraint)
    objective = _objective(reading, root)
    space, posted = reading.space, tuple(reading.posted)
    mentioned = reading.variables.mentioned - {GAP}
    output = tuple(sorted(mentioned)) if len(mentioned) < len(space.names) else None
    try:
        structure = Structure(tuple(space.names), tuple(space.domains), posted, objective, output)
    except ModelError as error:
        root.refuse(str(error))
    return structure.problem()


def _children(root: Element, part: str) -> list[Element]:
    found = root.find(part)
    if found is None:
        return []
    found.check_attributes(("combination",) if part == "objectives" else ())
    if found.text.strip():
        found.refuse("has text between its elements")
    return found.children


def _objective(reading: Reading, root: Element) -> Objective | None:
    found = _children(root, "objectives")
    for one in found:
        if one.tag not in ("minimize", "maximize"):
            one.refuse("is no <minimize> and no <maximize>")
    if len(found) > 1:
        found[1].refuse(
            f"an instance has one objective, and this is the second of {len(found)}; choose one, "
            "or add them with weights"
        )
    try:
        return read_objective(reading, found[0]) if found else None
    except ModelError as error:
        found[0].refuse(str(error))
