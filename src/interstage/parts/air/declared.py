"""Aerodynamics of a body as declared: coefficients by name, what they are over, and where they act.

Aerodynamic axes are x forward, y to the right, z down. `airloads` has the equations."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import ALL, Effect
from ...model.frames import Attitude
from ...tree.declaration import ByName, Declaration
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.units import si
from .coefficient_table import Coefficient, variables
from .function_model import FunctionModel


class Coefficients(Declaration):
    """Coefficients of force, of moment, and of damping; what is not given is zero.

    Forces are in body axes (CA, CY, CN or CX, CY, CZ), or along and across the atmosphere's velocity (CD, CY,
    CL). Moments are about the axes that `Aerodynamics.axes` names, by `length` (pitch) or `span` (roll,
    yaw)."""

    CA: Coefficient | None = None
    """Axial force, against x: CA = -CX."""
    CN: Coefficient | None = None
    """Normal force, against z: CN = -CZ."""
    CX: Coefficient | None = None
    """Force along x."""
    CZ: Coefficient | None = None
    """Force along z."""
    CY: Coefficient | None = None
    """Force along y."""
    CD: Coefficient | None = None
    """Drag coefficient."""
    CL: Coefficient | None = None
    """Lift coefficient."""
    Cl: Coefficient | None = None
    """Rolling moment."""
    Cm: Coefficient | None = None
    """Pitching moment."""
    Cn: Coefficient | None = None
    """Yawing moment."""
    CNq: Coefficient | None = None
    """Normal force per pitch rate q length/(2 V)."""
    CYr: Coefficient | None = None
    """Side force per yaw rate r span/(2 V)."""
    Clp: Coefficient | None = None
    """Rolling moment per roll rate p span/(2 V)."""
    Clr: Coefficient | None = None
    """Rolling moment per yaw rate r span/(2 V)."""
    Cmq: Coefficient | None = None
    """Pitching moment per pitch rate q length/(2 V)."""
    Cnr: Coefficient | None = None
    """Yawing moment per yaw rate r span/(2 V)."""
    Cnp: Coefficient | None = None
    """Yawing moment per roll rate p span/(2 V)."""

    def given(self) -> dict[str, Any]:
        """Those that are given, by name."""
        return {name: c for name in type(self).model_fields if (c := getattr(self, name)) is not None}


NAMES = tuple(Coefficients.model_fields)
"""Names of all coefficients."""
BODY_FORCES, WIND_FORCES = ("CA", "CN", "CX", "CZ", "CNq"), ("CD", "CL")
ACROSS = (*BODY_FORCES, "CL", "CY", "CYr")
"""Coefficients of forces, but for that of drag, which is along the velocity."""
DAMPING = ("CNq", "CYr", "Clp", "Clr", "Cmq", "Cnr", "Cnp")
"""Coefficients per dimensionless rate."""


class Link(Declaration):
    """A name of a function model, and what it stands for."""

    name: Name
    """Name in the function model."""
    of: str
    """The variable that an input takes, or the coefficient that an output gives."""


class Blend(Declaration):
    """Where loads act in full, and where they have faded out."""

    over: str
    """The variable that tells: "relative.orbiter.distance", "mach"."""
    full: Annotated[Any, si("1")]
    """Value at which, and before which, they act in full [SI]."""
    none: Annotated[Any, si("1")]
    """Value from which on they do not act at all [SI]. Between the two a smooth step with continuous second
    derivatives."""

    @model_validator(mode="after")
    def _apart(self) -> Blend:
        concrete = isinstance(self.full, np.ndarray) and isinstance(self.none, np.ndarray)
        if concrete and (self.full == self.none).any():
            raise Refused(("none", "must differ from full; loads that end at once are no smooth flight"))
        return self


class Aerodynamics(Effect):
    """Forces and moments of the atmosphere on one body. Several for one body add up, like increments close to
    another body to those of free stream."""

    outside: ClassVar[frozenset[str]] = ALL

    name: Name
    """Name in paths and tables."""
    body: str
    """The body on which they act."""
    area: Annotated[Any, si("m^2", positive=True)]
    """Reference area [m^2]."""
    length: Annotated[Any, si("m", positive=True)]
    """Reference length of pitching moments and pitch rates [m], and in the Reynolds number."""
    span: Annotated[Any, si("m", positive=True)] | None = None
    """Reference length of rolling and yawing moments and rates [m]. Default: `length`."""
    reference: Annotated[Any, si("m", (3,))] | None = None
    """Point about which the moments are given [m], structural axes, drawing coordinates. Default: the centre
    of mass, wherever it is."""
    air_at: Literal["mass_centre", "reference"] = "mass_centre"
    """The point whose velocity and altitude report how the atmosphere streams past: the body's centre of
    mass, or `reference`, which stays as propellant drains, and for whichever body of a joined vehicle has the
    loads."""
    frame: Attitude | None = None
    """Aerodynamic axes (x forward, y right, z down) in the structural axes. Default: parallel."""
    axes: Literal["body", "stability", "wind"] = "body"
    """Axes of CY, moments and rates: aerodynamic body axes; stability axes, turned by alpha about y; or wind
    axes, then turned by beta about z too."""
    coefficients: Coefficients = Coefficients()
    """The coefficients, each a number or a table."""
    functions: FunctionModel | None = None
    """A function model, like a DAVE-ML file, that gives coefficients too."""
    inputs: Annotated[tuple[Link, ...], ByName(short="of")] = ()
    """Variables that the inputs of the function model take, where its names or those of the standard
    (angleOfAttack, mach ...) do not tell."""
    outputs: Annotated[tuple[Link, ...], ByName(short="of")] = ()
    """Coefficients that its outputs give."""
    blend: Blend | None = None
    """Where the loads fade out, as increments close to another body do. Default: nowhere."""
    factor: Annotated[Any, si("1")] = 1.0
    """Factor on all the loads, for dispersions."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which they act. Default: always."""

    @model_validator(mode="after")
    def _check(self) -> Aerodynamics:
        if self.air_at == "reference" and self.reference is None:
            raise Refused(("air_at", "is the reference point, which is not given; give reference too"))
        names = coefficient_names(self)
        if not names and self.functions is not None:
            raise Refused(("outputs", f"is missing; {self._example_of_outputs()}"))
        if not names:
            raise Refused(("coefficients", "gives none; allowed: any of " + ", ".join(NAMES)))
        for k, link in enumerate(self.outputs):
            if link.of not in NAMES:
                text = f"'{link.of}' is no coefficient; allowed: {', '.join(NAMES)}"
                raise Refused((f"outputs.{k}.of", text))
        doubled = sorted({n for n in names if names.count(n) > 1})
        for one, other in (("CA", "CX"), ("CN", "CZ")):
            doubled += [f"{one} and {other}"] if {one, other} <= {*names} else []
        if doubled:
            raise Refused(("coefficients", f"gives {', '.join(doubled)} twice; give each once"))
        mixed = [[n for n in group if n in names] for group in (BODY_FORCES, WIND_FORCES)]
        if all(mixed):
            text = f"mixes forces in body axes ({', '.join(mixed[0])}) and along the air's velocity"
            raise Refused(
                ("coefficients", f"{text} ({', '.join(mixed[1])}); declare them apart, they add up")
            )
        self._check_links()
        return self

    def _example_of_outputs(self) -> str:
        """Which outputs the function model has, and how one of them becomes a coefficient."""
        assert self.functions is not None
        known = [one.name for one in self.functions.outputs]
        same = next((name for name in known if name in NAMES), None)
        example = f'{same or next(iter(known), "drag")} = "{same or "CD"}"'
        text = f"name the outputs of the model that are coefficients, for example outputs = {{ {example} }}"
        return f"{text}. The model has {', '.join(known[:12]) or 'no outputs'}"

    def _check_links(self) -> None:
        if self.functions is None:
            for field in ("inputs", "outputs"):
                if getattr(self, field):
                    raise Refused((field, "names a function model that is not given; give functions"))
            return
        for field, known in (("inputs", self.functions.inputs), ("outputs", self.functions.outputs)):
            names = [part.name for part in known]
            for k, link in enumerate(getattr(self, field)):
                if link.name not in names:
                    text = f"'{link.name}' is none of the model's {field}: {', '.join(names)}"
                    raise Refused((f"{field}.{k}.name", text))
        for part in self.functions.inputs:
            if part.default is None and variable_of(self, part.name) is None:
                text = f"nothing is said of the input '{part.name}'; say which variable it takes, like alpha"
                raise Refused(("inputs", text))


VARIABLES = {
    "mach": "1",
    "alpha": "rad",
    "beta": "rad",
    "total_alpha": "rad",
    "aerodynamic_roll": "rad",
    "altitude": "m",
    "airspeed": "m/s",
    "dynamic_pressure": "Pa",
    "reynolds": "1",
    "roll_rate": "rad/s",
    "pitch_rate": "rad/s",
    "yaw_rate": "rad/s",
    "time": "s",
}
"""What coefficients may be over, with SI units; `RELATIVE` and the signals of controls and actuators too."""
RELATIVE = {"x": "m", "y": "m", "z": "m", "distance": "m", "roll": "rad", "pitch": "rad", "yaw": "rad"}
"""What of another body's place and turn coefficients may be over, as relative.<body>.<what>."""
STANDARD_NAMES = {
    "alpha": "alpha",
    "angleOfAttack": "alpha",
    "beta": "beta",
    "angleOfSideslip": "beta",
    "mach": "mach",
    "machNumber": "mach",
    "altitude": "altitude",
    "altitudeMSL": "altitude",
    "trueAirspeed": "airspeed",
    "vt": "airspeed",
    "vrw": "airspeed",
    "totalAlpha": "total_alpha",
    "reynolds": "reynolds",
    "p": "roll_rate",
    "q": "pitch_rate",
    "r": "yaw_rate",
    "pb": "roll_rate",
    "qb": "pitch_rate",
    "rb": "yaw_rate",
    "PB": "roll_rate",
    "QB": "pitch_rate",
    "RB": "yaw_rate",
    "VRW": "airspeed",
}
"""Variables that inputs of function models stand for by their names."""


def variable_of(aerodynamics: Aerodynamics, name: str) -> str | None:
    """The variable that an input of the function model takes; none where nothing tells."""
    for link in aerodynamics.inputs:
        if link.name == name:
            return link.of
    return STANDARD_NAMES.get(name)


def coefficient_names(aerodynamics: Aerodynamics) -> tuple[str, ...]:
    """Names of the coefficients that are given, as numbers, as tables, or by the function model."""
    return (*aerodynamics.coefficients.given(), *(link.of for link in aerodynamics.outputs))


def needs(aerodynamics: Aerodynamics) -> tuple[str, ...]:
    """Names of the variables that the coefficients, the function model and the blend are over."""
    found = [v for c in aerodynamics.coefficients.given().values() for v in variables(c)]
    if aerodynamics.functions is not None:
        named = [variable_of(aerodynamics, part.name) for part in aerodynamics.functions.inputs]
        found += [v for v in named if v is not None]
    if aerodynamics.blend is not None:
        found.append(aerodynamics.blend.over)
    return tuple(dict.fromkeys(found))


KINDS = {"aerodynamics": (Aerodynamics,)}
