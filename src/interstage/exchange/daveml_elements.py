"""Read the supported elements of DAVE-ML 2.0 files, with their attributes and texts."""

from __future__ import annotations

import re

from ..tree.similar_names import near
from .mathml import number
from .xml_file import Element, Unfit

_TEXTS = ("description", "provenance", "provenanceRef")
INPUTS = ("isInput", "isControl", "isDisturbance")
"""Names of the elements that mark a variable as an input of the model."""
SKIPPED = "uncertainty"
"""Name of the element with statistics of a value. The element is skipped with a note."""
_VALUES = ("initialValue", "minValue", "maxValue")
_POINTS = ("independentVarPts", "dependentVarPts")
_KNOWN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "DAVEfunc": (
        (),
        ("fileHeader", "variableDef", "breakpointDef", "griddedTableDef", "function", "checkData"),
    ),
    "variableDef": (
        ("name", "varID", "units", "axisSystem", "sign", "alias", "symbol", *_VALUES),
        (*_TEXTS, *INPUTS, SKIPPED, "calculation", "isState", "isStateDeriv", "isOutput", "isStdAIAA"),
    ),
    "breakpointDef": (("name", "bpID", "units"), (*_TEXTS, "bpVals")),
    "griddedTableDef": (("name", "gtID", "units"), (*_TEXTS, SKIPPED, "breakpointRefs", "dataTable")),
    "griddedTable": (("name", "gtID", "units"), (*_TEXTS, SKIPPED, "breakpointRefs", "dataTable")),
    "breakpointRefs": ((), ("bpRef",)),
    "bpRef": (("bpID",), ()),
    "function": (
        ("name",),
        (*_TEXTS, *_POINTS, "independentVarRef", "dependentVarRef", "functionDefn"),
    ),
    "independentVarPts": (("varID", "name", "units", "sign", "extrapolate", "interpolate"), ()),
    "dependentVarPts": (("varID", "name", "units", "sign"), ()),
    "independentVarRef": (("varID", "min", "max", "extrapolate", "interpolate"), ()),
    "dependentVarRef": (("varID",), ()),
    "functionDefn": (("name",), (*_TEXTS, "griddedTableRef", "griddedTableDef", "griddedTable")),
    "griddedTableRef": (("gtID",), ()),
}
"""The supported attributes and child elements of each element."""


def check_known(element: Element) -> None:
    """Reject unsupported attributes and child elements of an element. Raises Unfit."""
    attributes, children = _KNOWN[element.tag]
    for key in element.attributes:
        if key not in attributes and element.tag != "DAVEfunc":
            raise Unfit(
                element.line, f"the attribute {key} of <{element.tag}> is not supported. Remove the attribute"
            )
    for child in element.children:
        if child.tag not in children:
            raise Unfit(child.line, f"<{child.tag}> in <{element.tag}> is not supported. Remove the element")


def optional(element: Element, attribute: str) -> float | None:
    """Return the value of an attribute, or None if the attribute is missing. Raises Unfit if it is not a
    number.
    """
    text = element.attributes.get(attribute)
    if text is None:
        return None
    return number(text, element.line, f"{attribute} of '{element.attributes.get('varID')}'")


def numbers(element: Element) -> list[float]:
    """Return the values in the text of an element, which are separated by commas or blanks. Raises Unfit for
    other texts.
    """
    words = re.split(r"\s*,\s*|\s+", element.text.strip().rstrip(",").rstrip())
    return [number(word, element.line, f"a number of <{element.tag}>") for word in words]


def referred_element(reference: Element, attribute: str, known: dict[str, Element]) -> Element:
    """Return the element that an attribute of `reference` names. Raises Unfit for an unknown name.

    known: elements by name.
    """
    name = reference.required_text(attribute)
    if name not in known:
        raise Unfit(reference.line, f"{attribute} '{name}' is not defined; {near(name, known)}")
    return known[name]
