"""Declaration of contacts between points of one body and surfaces of another."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.effect import Effect
from ...tree.declaration import Declaration
from ...tree.errors import Refused, near
from ...tree.names import Name
from ...tree.units import si

POINTS = (3, 720)
"""Smallest and largest number of points of a ring."""
EXPONENTS = (1.0, 3.0)
"""Smallest and largest exponent of the depth: 1.5 is the exponent for two spheres (Hertz)."""
CURVED = ("mesh", "ogive")
"""Shapes without a closed form of the distance."""


class Ring(Declaration):
    """Points spaced evenly around a circle, like the rim of a nozzle."""

    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Centre [m], drawing coordinates of the body of the points."""
    axis: Annotated[Any, si("1", (3,))]
    """Direction of the axis, structural axes; its length does not matter."""
    radius: Annotated[Any, si("m", positive=True)]
    """Radius of the circle [m]."""
    count: StrictInt = 72
    """Number of points. Between two of them the rim lies up to radius (pi/count)^2/2 beyond their chord."""

    @model_validator(mode="after")
    def _check(self) -> Ring:
        low, high = POINTS
        if not low <= self.count <= high:
            raise Refused(("count", f"{self.count} is out of range. Give {low} to {high}"))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            raise Refused(("axis", "is the zero vector. Give a direction like [1, 0, 0]"))
        return self


class Contact(Effect):
    """A compliant contact force between points, or small spheres, of one body and surfaces of another, with
    damping (Hunt and Crossley) and Coulomb friction."""

    losses: ClassVar[tuple[str, ...]] = ("damping", "friction")

    name: Name
    """Name of the contact in paths and tables."""
    body: str
    """Body with the points."""
    points: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """Points [m], one row each, drawing coordinates of `body`. Give this or `ring`."""
    ring: Ring | None = None
    """Points on a circle, in place of `points`."""
    radius: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Radius of the sphere around each point [m]. A radius above zero makes the direction of forces smooth at
    edges."""
    against: tuple[str, ...]
    """Surfaces: shapes of the other body, ["core.interstage"], or all of its shapes, ["core"]. Meshes and
    ogives are not supported."""
    stiffness: Annotated[Any, si("N/m", positive=True)]
    """Force per depth of each point [N/m]. With an exponent, the secant stiffness at `reference_depth`."""
    exponent: Annotated[Any, si("1", positive=True)] | None = None
    """Exponent of the depth in the force law, 1 to 3. Requires `reference_depth`. Default: 1."""
    reference_depth: Annotated[Any, si("m", positive=True)] | None = None
    """Depth at which the force is stiffness times depth for any exponent [m]."""
    damping: Annotated[Any, si("s/m", nonnegative=True)] = 0.0
    """Relative increase of the force per approach speed, and decrease per separation speed [s/m]. The
    coefficient of restitution for an impact speed v is about 1 - 2/3 damping v. The force is never
    attractive."""
    friction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Coefficient of Coulomb friction."""
    slip_speed: Annotated[Any, si("m/s", positive=True)] = 1e-3
    """Sliding speed scale of friction [m/s]: friction varies as tanh(speed/slip_speed)."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts. Default: always."""

    @model_validator(mode="after")
    def _check(self) -> Contact:
        if (self.points is None) == (self.ring is None):
            raise Refused(("points", "Give exactly one of points, like [[1, 0, 0]], and ring"))
        if (self.exponent is None) != (self.reference_depth is None):
            missing, given = "reference_depth", "exponent"
            if self.exponent is None:
                missing, given = given, missing
            raise Refused((missing, f"is required with {given}. Give both, or neither for a linear spring"))
        _check_exponent(self.exponent)
        if not self.against:
            raise Refused(("against", 'has no surface. Give at least one, for example ["core.interstage"]'))
        others = dict.fromkeys(name.partition(".")[0] for name in self.against)
        if self.body in others:
            raise Refused(("against", f"'{self.body}' is the body with the points. Name another body"))
        if len(others) > 1:
            listed = " and ".join(f"'{name}'" for name in others)
            raise Refused(("against", f"names the bodies {listed}. Declare one contact for each"))
        return self

    @property
    def ends(self) -> tuple[str, ...]:
        """The two bodies that touch."""
        return self.body, self.other

    @property
    def other(self) -> str:
        """Name of the body with the surfaces."""
        return self.against[0].partition(".")[0]


def _check_exponent(exponent: Any) -> None:
    low, high = EXPONENTS
    if isinstance(exponent, np.ndarray):
        wrong = (exponent < low) | (exponent > high)
        if wrong.any():
            shown = float(np.ravel(exponent[wrong])[0])
            text = f"{shown:g} is out of range. Give {low:g} (a linear spring) to {high:g}"
            raise Refused(("exponent", text))


def touched_shapes(declared: Contact, scenario: Any) -> tuple[int, ...]:
    """Indices of the contact shapes of the other body, each once. Raises `Refused` for unknown or unsupported
    shapes."""
    bodies = {body.name: body for body in scenario.bodies}
    for key, name in (("body", declared.body), ("against", declared.other)):
        if name not in bodies:
            raise Refused((key, f"there is no body '{name}'; {near(name, bodies, 'bodies')}"))
    name, shapes = declared.other, bodies[declared.other].shapes
    known = [shape.name for shape in shapes]
    if not known:
        text = f"body '{name}' has no shapes. Add at least one, like [bodies.{name}.shapes.hull]"
        raise Refused(("against", text))
    found: dict[int, None] = {}
    for text in declared.against:
        shape = text.partition(".")[2]
        if shape and shape not in known:
            why = f"body '{name}' has no shape '{shape}'; {near(shape, known, 'shapes')}"
            raise Refused(("against", why))
        found |= dict.fromkeys([known.index(shape)] if shape else range(len(known)))
    for number in found:
        if shapes[number].kind in CURVED:
            flat = [f"{name}.{shape.name}" for shape in shapes if shape.kind not in CURVED]
            what = f"'{name}.{known[number]}' is of kind {shapes[number].kind}, which contacts do not support"
            remedy = (
                f"Name other shapes: {', '.join(flat)}" if flat else "Replace it by cones, cylinders or boxes"
            )
            raise Refused(("against", f"{what}. {remedy}"))
    return tuple(found)


KINDS = {"contacts": (Contact,)}
