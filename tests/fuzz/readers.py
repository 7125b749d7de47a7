"""Damaged files that a scenario reads: motors, tables, modes, models, gravity fields."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

QUICK = 6
ENGINE = """INV 54 320 P 0.6 1.1 Nobody
0.05 900
0.9 800
1.5 0
"""
MOTOR = """
[bodies.a.elements.grain]
kind = "point"
propellant = 0.6
at = [0, 0, 0]
[engines.m]
kind = "motor"
body = "a"
at = [0, 0, 0]
direction = [1, 0, 0]
grain = "a.grain"
file = "data.eng"
"""
CSV = "mach, alpha [deg], CD\n0, 0, 0.1\n0, 4, 0.2\n2, 0, 0.3\n2, 4, 0.4\n"
MATRIX = "mach \\ alpha [deg], 0, 4\n0, 0.1, 0.2\n2, 0.3, 0.4\n"
AIR = """
[aerodynamics.air]
body = "a"
area = 1
length = 1
"""
DML = """<?xml version="1.0"?>
<DAVEfunc xmlns="http://daveml.org/2010/DAVEML">
<fileHeader name="t"><author name="a" org="b"/><creationDate date="2020-01-01"/></fileHeader>
<variableDef name="mach" varID="mach" units="nd"><isInput/></variableDef>
<variableDef name="CD" varID="CD" units="nd"><isOutput/></variableDef>
<breakpointDef bpID="m" units="nd"><bpVals>0, 1, 2</bpVals></breakpointDef>
<griddedTableDef gtID="t"><breakpointRefs><bpRef bpID="m"/></breakpointRefs><dataTable>1, 2, 3</dataTable>
</griddedTableDef>
<function name="f"><independentVarRef varID="mach" min="0" max="2"/><dependentVarRef varID="CD"/>
<functionDefn><griddedTableRef gtID="t"/></functionDefn></function>
</DAVEfunc>
"""
PUNCH = "\n".join(
    (
        "$TITLE   = T",
        "$EIGENVECTOR",
        "$REAL OUTPUT",
        "$EIGENVALUE =  0.9000000E+03  MODE =     1",
        "        11       G      0.000000E+00      1.000000E+00      0.000000E+00      11",
        "-CONT-                  0.000000E+00      0.000000E+00      0.000000E+00      12",
        "        12       G      0.000000E+00     -1.000000E+00      0.000000E+00      13",
        "-CONT-                  0.000000E+00      0.000000E+00      0.000000E+00      14",
        "",
    )
)
COMPLEX = "\n".join(
    (
        "$EIGENVECTOR",
        "$REAL-IMAGINARY OUTPUT",
        "$EIGENVALUE = (  0.0000000E+00,  0.3000000E+02) MODE =     1",
        "        11       G      0.000000E+00      1.000000E+00      0.000000E+00",
        *3 * ("-CONT-                  0.000000E+00      0.000000E+00      0.000000E+00",),
        "        12       G      0.000000E+00     -1.000000E+00      0.000000E+00",
        *3 * ("-CONT-                  0.000000E+00      0.000000E+00      0.000000E+00",),
        "",
    )
)
MODES_CSV = """mode, frequency [Hz], mass, point, x, y, z, dx, dy, dz, rx, ry, rz
1, 3, 5, p, -1, 0, 0, 0, 1, 0, 0, 0, 0.1
1, 3, 5, q, 1, 0, 0, 0, -1, 0, 0, 0, 0.1
"""
MODES = """
[forces.bends]
kind = "modal_body"
body = "a"
file = "data.pch"
file_length = "1 m"
mass = "1 kg"
points = { p = { grid = 11, at = [-1, 0, 0] }, q = { grid = 12, at = [1, 0, 0] } }
"""
FIELD = """product_type gravity_field
earth_gravity_constant 0.3986004415E+15
radius 0.6378136300E+07
max_degree 2
norm fully_normalized
end_of_head ===
gfc 0 0 1.0 0.0
gfc 2 0 -0.484E-03 0.0
gfc 2 1 -0.2E-09 0.1E-08
"""
BASE = """
{gravity}
planet = "earth"
atmosphere = "us76"
phases.fly = {{ until = {{ time = 1 }} }}
[bodies.a]
mass = 10
inertia = [1, 1, 1]
initial = {{ latitude = 0, longitude = 0, altitude = 1000, velocity_ned = [10, 0, 0] }}
"""
NONE = 'gravity = "none"'
KINDS = {
    "eng": (ENGINE, BASE.format(gravity=NONE) + MOTOR),
    "csv": (CSV, BASE.format(gravity=NONE) + AIR + 'coefficients.CD = { file = "data.csv" }\n'),
    "matrix.csv": (
        MATRIX,
        BASE.format(gravity=NONE) + AIR + 'coefficients.CD = { file = "data.matrix.csv" }\n',
    ),
    "dml": (
        DML,
        BASE.format(gravity=NONE) + AIR + 'functions = { file = "data.dml" }\noutputs.CD = "CD"\n',
    ),
    "pch": (PUNCH, BASE.format(gravity=NONE) + MODES),
    "complex.pch": (COMPLEX, BASE.format(gravity=NONE) + MODES.replace("data.pch", "data.complex.pch")),
    "modes.csv": (
        MODES_CSV,
        BASE.format(gravity=NONE)
        + '[forces.bends]\nkind = "modal_body"\nbody = "a"\nfile = "data.modes.csv"\n',
    ),
    "gfc": (
        FIELD,
        BASE.format(
            gravity='gravity = { kind = "spherical_harmonics", coefficients = "data.gfc", degree = 2 }'
        ),
    ),
}
ODD = (
    "nan",
    "inf",
    "-1",
    "1e400",
    "9" * 5000,
    "1e9",
    "0",
    "",
    ",",
    "\t",
    "\x00",
    "é",
    "$",
    "-CONT-",
    "<a>",
    "]]>",
    "#",
    ";",
)
"""Texts that take the place of a word."""


def cases(rng: np.random.Generator, folder: Path) -> Iterator[tuple[str, Path]]:
    """Scenarios with a damaged file each."""
    kinds = [*KINDS]
    for number in range(10**9):
        kind = kinds[number % len(kinds)]
        text, scenario = KINDS[kind]
        said, data = _damaged(rng, text) if number >= len(kinds) else ("as it is", text.encode())
        (folder / f"data.{kind}").write_bytes(data)
        path = folder / "a.toml"
        path.write_text(scenario)
        yield f"{number} {kind}: {said}", path


def _damaged(rng: np.random.Generator, text: str) -> tuple[str, bytes]:
    lines = text.splitlines(keepends=True)
    at = int(rng.integers(len(lines)))
    way = int(rng.integers(7))
    if way == 0:
        cut = int(rng.integers(len(text)))
        return f"cut at {cut}", text[:cut].encode()
    if way == 1:
        data = bytearray(text.encode())
        for place in rng.integers(len(data), size=3):
            data[int(place)] = int(rng.integers(256))
        return "three bytes changed", bytes(data)
    if way == 2:
        return f"line {at + 1} twice", "".join([*lines[: at + 1], *lines[at:]]).encode()
    if way == 3:
        return f"no line {at + 1}", "".join([*lines[:at], *lines[at + 1 :]]).encode()
    if way == 4:
        return "a long line", text.replace("\n", " " + "1, " * 60_000 + "\n", 1).encode()
    words = lines[at].split(" ")
    odd = str(rng.choice(ODD))
    words[int(rng.integers(len(words)))] = odd
    lines[at] = " ".join(words)
    return f"line {at + 1} has {odd[:20]!r}", "".join(lines).encode("utf-8", "replace")
