"""An evaluator of DAVE-ML files that shares nothing with the package: Python floats, and numpy.interp along
one axis after the other."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from interstage.parts.air import function_model as fm

FOLDER = Path(__file__).parents[1] / "validation" / "nesc_models"


def outputs(model: fm.FunctionModel, **inputs) -> dict[str, float]:
    """The outputs of a model of the package."""
    return {k: float(v) for k, v in fm.evaluate(fm.prepare(model), inputs).items()}


def children(element, tag):
    return [child for child in element if child.tag.rpartition("}")[2] == tag]


def local(element):
    return element.tag.rpartition("}")[2]


class Walker:
    """Values of the variables of a file for inputs by name, found by asking backwards."""

    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.variables = {v.attrib["varID"]: v for v in children(root, "variableDef")}
        self.points = {
            b.attrib["bpID"]: floats(children(b, "bpVals")[0]) for b in children(root, "breakpointDef")
        }
        self.functions = {
            children(f, "dependentVarRef")[0].attrib["varID"]: f for f in children(root, "function")
        }
        tables = [e for e in root.iter() if local(e) == "griddedTableDef"]
        self.tables = {t.attrib["gtID"]: t for t in tables}

    def outputs(self):
        return [n for n, v in self.variables.items() if children(v, "isOutput")]

    def value(self, name, inputs):
        variable = self.variables[name]
        if name in inputs:
            found = inputs[name]
        elif children(variable, "calculation"):
            found = self.math(children(variable, "calculation")[0][0][0], inputs)
        elif name in self.functions:
            found = self.function(self.functions[name], inputs)
        else:
            found = float(variable.attrib["initialValue"])
        low, high = (float(variable.get(k, d)) for k, d in (("minValue", "-inf"), ("maxValue", "inf")))
        return min(max(found, low), high)

    def function(self, function, inputs):
        definition = children(function, "functionDefn")[0][0]
        table = self.tables[definition.attrib["gtID"]]
        values = np.array(floats(children(table, "dataTable")[0]))
        axes = [self.points[r.attrib["bpID"]] for r in children(table, "breakpointRefs")[0]]
        values = values.reshape([len(a) for a in axes])
        for axis, reference in reversed(
            list(zip(axes, children(function, "independentVarRef"), strict=True))
        ):
            at = self.value(reference.attrib["varID"], inputs)
            at = min(max(at, float(reference.get("min", "-inf"))), float(reference.get("max", "inf")))
            ends = {"neither": "", "min": "<", "max": ">", "both": "<>"}[
                reference.get("extrapolate", "neither")
            ]
            values = np.apply_along_axis(line, -1, values, at, axis, ends)
        return float(values)

    def math(self, node, inputs):
        if local(node) == "cn":
            return float(node.text)
        if local(node) == "ci":
            return self.value(node.text.strip(), inputs)
        if local(node) == "piecewise" or local(node[0]) == "piecewise":
            for piece in node if local(node) == "piecewise" else node[0]:
                if local(piece) == "otherwise" or self.math(piece[1], inputs):
                    return self.math(piece[0], inputs)
        of = [self.math(part, inputs) for part in node[1:]]
        return OPERATIONS[local(node[0])](*of)


def line(values, at, axis, ends):
    """Straight lines between the points; beyond an end held, or on straight."""
    if at < axis[0] and "<" in ends:
        return values[0] + (at - axis[0]) * (values[1] - values[0]) / (axis[1] - axis[0])
    if at > axis[-1] and ">" in ends:
        return values[-1] + (at - axis[-1]) * (values[-1] - values[-2]) / (axis[-1] - axis[-2])
    return np.interp(at, axis, values)


def floats(element):
    return [float(word) for word in "".join(element.itertext()).replace(",", " ").split()]


OPERATIONS = {
    "plus": lambda *a: sum(a),
    "times": lambda *a: math.prod(a),
    "minus": lambda a, *b: a - b[0] if b else -a,
    "divide": lambda a, b: a / b,
    "power": lambda a, b: a**b,
    "root": math.sqrt,
    "abs": abs,
    "exp": math.exp,
    "ln": math.log,
    "log": math.log10,
    "arctan": math.atan,
    "sin": math.sin,
    "cos": math.cos,
    "csymbol": math.atan2,
    "min": min,
    "max": max,
    "lt": lambda a, b: a < b,
    "leq": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "geq": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "neq": lambda a, b: a != b,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "not": lambda a: not a,
}
