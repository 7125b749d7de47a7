"""Declaration of the aerodynamics of a body: coefficients, their variables, and the reference point.

The aerodynamic axes are x forward, y to the right, z down. The equations are in module `airloads`.
"""

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
    """The coefficients of force, moment and damping. Default: zero.

    Forces are in body axes (CA, CY, CN or CX, CY, CZ), or along and across the relative velocity (CD, CY,
    CL). Moments are about the axes of `Aerodynamics.axes`. The reference length of moments is `length` for
    pitch and `span` for roll and yaw."""

    CA: Coefficient | None = None
    """The axial force coefficient, along -x: CA = -CX."""
    CN: Coefficient | None = None
    """The normal force coefficient, along -z: CN = -CZ."""
    CX: Coefficient | None = None
    """The force coefficient along x."""
    CZ: Coefficient | None = None
    """The force coefficient along z."""
    CY: Coefficient | None = None
    """The side force coefficient, along y."""
    CD: Coefficient | None = None
    """The drag coefficient, along the negative relative velocity."""
    CL: Coefficient | None = None
    """The lift coefficient, perpendicular to the relative velocity, in the x-z plane."""
    Cl: Coefficient | None = None
    """The rolling moment coefficient, about x."""
    Cm: Coefficient | None = None
    """The pitching moment coefficient, about y."""
    Cn: Coefficient | None = None
    """The yawing moment coefficient, about z."""
    CNq: Coefficient | None = None
    """The derivative of CN with respect to the pitch rate q length/(2 V)."""
    CYr: Coefficient | None = None
    """The derivative of CY with respect to the yaw rate r span/(2 V)."""
    Clp: Coefficient | None = None
    """The derivative of Cl with respect to the roll rate p span/(2 V)."""
    Clr: Coefficient | None = None
    """The derivative of Cl with respect to the yaw rate r span/(2 V)."""
    Cmq: Coefficient | None = None
    """The derivative of Cm with respect to the pitch rate q length/(2 V)."""
    Cnr: Coefficient | None = None
    """The derivative of Cn with respect to the yaw rate r span/(2 V)."""
    Cnp: Coefficient | None = None
    """The derivative of Cn with respect to the roll rate p span/(2 V)."""

    def by_name(self) -> dict[str, Any]:
        """Return the coefficients that are set, by name of the coefficient."""
        return {name: c for name in type(self).model_fields if (c := getattr(self, name)) is not None}


NAMES = tuple(Coefficients.model_fields)
"""The names of all coefficients."""
BODY_FORCES, WIND_FORCES = ("CA", "CN", "CX", "CZ", "CNq"), ("CD", "CL")
ACROSS = (*BODY_FORCES, "CL", "CY", "CYr")
"""The names of all force coefficients except drag. These forces have a component perpendicular to the
velocity.
"""
DAMPING = ("CNq", "CYr", "Clp", "Clr", "Cmq", "Cnr", "Cnp")
"""The names of the coefficients that are derivatives with respect to a dimensionless angular rate."""


class Link(Declaration):
    """A connection of an input or output of a function model with a variable or coefficient."""

    name: Name
    """The name of the input or output in the function model."""
    of: str
    """The variable of an input, or the coefficient of an output."""


class Blend(Declaration):
    """The range of a variable in which the loads fade out."""

    over: str
    """The variable, for example "relative.orbiter.distance" or "mach"."""
    full: Annotated[Any, si("1")]
    """The last value with full loads [SI unit of the variable]."""
    none: Annotated[Any, si("1")]
    """The value at which the loads reach zero [SI unit of the variable]. Between both values, the factor on
    the loads is a smooth step with continuous second derivatives."""

    @model_validator(mode="after")
    def _check_range(self) -> Blend:
        concrete = isinstance(self.full, np.ndarray) and isinstance(self.none, np.ndarray)
        if concrete and (self.full == self.none).any():
            raise Refused(
                (
                    "none",
                    (
                        "'none' is equal to 'full', so the loads would jump at this value. Give "
                        "two different values"
                    ),
                )
            )
        return self


class Aerodynamics(Effect):
    """Aerodynamic forces and moments on one body. The loads of several entries for one body add up, for
    example free-stream loads and proximity increments."""

    outside: ClassVar[frozenset[str]] = ALL

    name: Name
    """The name of the aerodynamics in paths and tables."""
    body: str
    """The body on which the loads act."""
    area: Annotated[Any, si("m^2", positive=True)]
    """The reference area [m^2]."""
    length: Annotated[Any, si("m", positive=True)]
    """The reference length of pitching moments, pitch rates and the Reynolds number [m]."""
    span: Annotated[Any, si("m", positive=True)] | None = None
    """The reference length of rolling and yawing moments and rates [m]. Default: `length`."""
    reference: Annotated[Any, si("m", (3,))] | None = None
    """The moment reference point [m], in the structural coordinates of the body. Default: the present centre
    of mass."""
    air_at: Literal["mass_centre", "reference"] = "mass_centre"
    """The point whose velocity and altitude define the flow: the centre of mass of the body, or `reference`.
    The point `reference` does not move when propellant drains, or when another body of a joined vehicle
    carries the loads."""
    frame: Attitude | None = None
    """The aerodynamic axes (x forward, y right, z down), relative to the structural axes. Default:
    parallel."""
    axes: Literal["body", "stability", "wind"] = "body"
    """The axes of CY, moments and rates. "body": the aerodynamic axes of the body. "stability": rotated about
    y, so that x is along the projection of the relative velocity on the x-z plane. "wind": also rotated about
    z, so that x is along the relative velocity."""
    coefficients: Coefficients = Coefficients()
    """The coefficients. Each coefficient is a number or a table."""
    functions: FunctionModel | None = None
    """A function model with additional coefficients, for example from a DAVE-ML file."""
    inputs: Annotated[tuple[Link, ...], ByName(short="of")] = ()
    """The variable for each input of the function model. Default: the variables of the standard names
    (angleOfAttack, mach ...)."""
    outputs: Annotated[tuple[Link, ...], ByName(short="of")] = ()
    """The coefficient for each output of the function model."""
    blend: Blend | None = None
    """The range in which the loads fade out, for example for proximity increments. Default: no fading."""
    factor: Annotated[Any, si("1")] = 1.0
    """The factor on all loads, for dispersions."""
    phases: tuple[str, ...] | None = None
    """The names of the phases in which the loads act. Default: all phases."""

    @model_validator(mode="after")
    def _check(self) -> Aerodynamics:
        if self.air_at == "reference" and self.reference is None:
            raise Refused(
                (
                    "air_at",
                    '"reference" needs a reference point. Set the key reference to the position of this'
                    " point",
                )
            )
        names = coefficient_names(self)
        if not names and self.functions is not None:
            raise Refused(("outputs", f"'outputs' is missing. {self._example_of_outputs()}"))
        if not names:
            raise Refused(("coefficients", "no coefficient is set. Set at least one of " + ", ".join(NAMES)))
        for k, link in enumerate(self.outputs):
            if link.of not in NAMES:
                text = f"'{link.of}' is not a coefficient. Give one of {', '.join(NAMES)}"
                raise Refused((f"outputs.{k}.of", text))
        doubled = sorted({n for n in names if names.count(n) > 1})
        for one, other in (("CA", "CX"), ("CN", "CZ")):
            doubled += [f"{one} and {other}"] if {one, other} <= {*names} else []
        if doubled:
            raise Refused(
                (
                    "coefficients",
                    f"the same coefficient is set twice: {', '.join(doubled)}. Remove one of the two",
                )
            )
        mixed = [[n for n in group if n in names] for group in (BODY_FORCES, WIND_FORCES)]
        if all(mixed):
            text = (
                f"this table of coefficients mixes forces in body axes ({', '.join(mixed[0])}) "
                "with forces in wind axes"
            )
            raise Refused(
                (
                    "coefficients",
                    f"{text} ({', '.join(mixed[1])}). Declare two tables. Interstage adds their loads",
                )
            )
        self._check_links()
        return self

    def _example_of_outputs(self) -> str:
        """Return the text with the outputs of the function model and an example of one as a coefficient."""
        assert self.functions is not None
        known = [one.name for one in self.functions.outputs]
        same = next((name for name in known if name in NAMES), None)
        example = f'{same or next(iter(known), "drag")} = "{same or "CD"}"'
        text = f"Name the outputs of the model that are coefficients, for example outputs = {{ {example} }}"
        return f"{text}. Outputs of the model: {', '.join(known[:12]) or 'none'}"

    def _check_links(self) -> None:
        if self.functions is None:
            for field in ("inputs", "outputs"):
                if getattr(self, field):
                    raise Refused(
                        (
                            field,
                            f"'{field}' is set without a function model. Set 'functions', or "
                            f"remove '{field}'",
                        )
                    )
            return
        for field, known in (("inputs", self.functions.inputs), ("outputs", self.functions.outputs)):
            names = [part.name for part in known]
            for k, link in enumerate(getattr(self, field)):
                if link.name not in names:
                    text = (
                        f"'{link.name}' is not one of the {field} of the model. Allowed: {', '.join(names)}"
                    )
                    raise Refused((f"{field}.{k}.name", text))
        for part in self.functions.inputs:
            if part.default is None and variable_of(self, part.name) is None:
                text = (
                    f"the input '{part.name}' of the model has no variable. Name a variable, for example"
                    " alpha"
                )
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
"""The variables of coefficients, with their SI units. The other variables are the variables of `RELATIVE`,
and the signals of controls and actuators.
"""
RELATIVE = {"x": "m", "y": "m", "z": "m", "distance": "m", "roll": "rad", "pitch": "rad", "yaw": "rad"}
"""The variables for the position and attitude of another body relative to this body, with their SI units. The
path of a variable is relative.<body>.<variable>.
"""
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
"""The variable for each standard name of a function-model input."""


def variable_of(aerodynamics: Aerodynamics, name: str) -> str | None:
    """Return the variable that supplies the input `name` of the function model. Return None if there is no
    such variable in the table.
    """
    for link in aerodynamics.inputs:
        if link.name == name:
            return link.of
    return STANDARD_NAMES.get(name)


def coefficient_names(aerodynamics: Aerodynamics) -> tuple[str, ...]:
    """Return the names of the coefficients that an entry sets directly or as outputs of its function
    model.
    """
    return (*aerodynamics.coefficients.by_name(), *(link.of for link in aerodynamics.outputs))


def needs(aerodynamics: Aerodynamics) -> tuple[str, ...]:
    """Return the names of the variables that the coefficients, the function model and the blend range
    read.
    """
    found = [v for c in aerodynamics.coefficients.by_name().values() for v in variables(c)]
    if aerodynamics.functions is not None:
        named = [variable_of(aerodynamics, part.name) for part in aerodynamics.functions.inputs]
        found += [v for v in named if v is not None]
    if aerodynamics.blend is not None:
        found.append(aerodynamics.blend.over)
    return tuple(dict.fromkeys(found))


KINDS = {"aerodynamics": (Aerodynamics,)}
