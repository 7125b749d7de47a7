"""Contact between points of one body and surfaces of another: what is declared, and what it names."""

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
"""Fewest and most points of a ring."""
EXPONENTS = (1.0, 3.0)
"""Least and largest power of the depth that a force may grow with: 1.5 is that of two balls (Hertz)."""
CURVED = ("mesh", "ogive")
"""Shapes whose distance is not known in closed form."""


class Ring(Declaration):
    """Points spaced evenly around a circle, like the rim of a nozzle."""

    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Its centre [m], drawing coordinates of the body of the points."""
    axis: Annotated[Any, si("1", (3,))]
    """Direction of its axis, structural axes; its length does not matter."""
    radius: Annotated[Any, si("m", positive=True)]
    """Its radius [m]."""
    count: StrictInt = 72
    """Number of points. Between two of them the rim lies up to radius (pi/count)^2/2 beyond their chord."""

    @model_validator(mode="after")
    def _check(self) -> Ring:
        low, high = POINTS
        if not low <= self.count <= high:
            raise Refused(("count", f"{self.count} is out of range; allowed: {low} to {high}"))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            raise Refused(("axis", "is the zero vector; give a direction like [1, 0, 0]"))
        return self


class Contact(Effect):
    """A contact force between points, or small balls, of one body and surfaces of another: compliant, with
    losses (Hunt and Crossley), and with Coulomb friction."""

    losses: ClassVar[tuple[str, ...]] = ("damping", "friction")

    name: Name
    """Name of the contact in paths and tables."""
    body: str
    """The body that has the points."""
    points: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """The points [m], one row each, drawing coordinates of their body. Give this or `ring`."""
    ring: Ring | None = None
    """Points on a circle, in place of `points`."""
    radius: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Radius of the ball around each point [m]; with some, forces turn smoothly around edges."""
    against: tuple[str, ...]
    """What they touch: shapes of the other body, ["core.interstage"], or all that it has, ["core"]; no
    meshes and no ogives."""
    stiffness: Annotated[Any, si("N/m", positive=True)]
    """Force per depth of each point [N/m]; with an exponent, that of the straight line to the force at
    `reference_depth`."""
    exponent: Annotated[Any, si("1", positive=True)] | None = None
    """Power of the depth that the force grows with, 1 to 3. Default: 1. Needs `reference_depth`."""
    reference_depth: Annotated[Any, si("m", positive=True)] | None = None
    """Depth at which the force is stiffness times depth, whatever the exponent [m]."""
    damping: Annotated[Any, si("s/m", nonnegative=True)] = 0.0
    """Part by which the force is larger per speed of approach, and smaller as they part [s/m]; from a speed v
    they rebound with about (1 - 2/3 damping v) of it. The force never pulls."""
    friction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Coefficient of Coulomb friction."""
    slip_speed: Annotated[Any, si("m/s", positive=True)] = 1e-3
    """Speed of sliding from which friction is fully there [m/s]: it goes as tanh(speed/slip_speed)."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which it acts. Default: always."""

    @model_validator(mode="after")
    def _check(self) -> Contact:
        if (self.points is None) == (self.ring is None):
            raise Refused(("points", "give exactly one of points, like [[1, 0, 0]], and ring"))
        if (self.exponent is None) != (self.reference_depth is None):
            missing, given = "reference_depth", "exponent"
            if self.exponent is None:
                missing, given = given, missing
            raise Refused((missing, f"is required with {given}; give both, or none for a linear spring"))
        _check_exponent(self.exponent)
        if not self.against:
            raise Refused(("against", 'names no surface; give some, like ["core.interstage"]'))
        others = dict.fromkeys(name.partition(".")[0] for name in self.against)
        if self.body in others:
            raise Refused(("against", f"'{self.body}' has the points itself; name another body"))
        if len(others) > 1:
            listed = " and ".join(f"'{name}'" for name in others)
            raise Refused(("against", f"names bodies {listed}; declare a contact with each"))
        return self

    @property
    def ends(self) -> tuple[str, ...]:
        """The two bodies that touch."""
        return self.body, self.other

    @property
    def other(self) -> str:
        """Name of the body that has the surfaces."""
        return self.against[0].partition(".")[0]


def _check_exponent(exponent: Any) -> None:
    low, high = EXPONENTS
    if isinstance(exponent, np.ndarray):
        wrong = (exponent < low) | (exponent > high)
        if wrong.any():
            shown = float(np.ravel(exponent[wrong])[0])
            text = f"{shown:g} is out of range; allowed: {low:g} (a linear spring) to {high:g}"
            raise Refused(("exponent", text))


def touched(declared: Contact, scenario: Any) -> tuple[int, ...]:
    """Numbers of the shapes of the other body that a contact is with, each once. Raises `Refused` for what
    does not exist or cannot be touched."""
    bodies = {body.name: body for body in scenario.bodies}
    for key, name in (("body", declared.body), ("against", declared.other)):
        if name not in bodies:
            raise Refused((key, f"there is no body '{name}'; {near(name, bodies, 'bodies')}"))
    name, shapes = declared.other, bodies[declared.other].shapes
    known = [shape.name for shape in shapes]
    if not known:
        text = f"body '{name}' has no shapes; give it some, like [bodies.{name}.shapes.hull]"
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
            what = f"'{name}.{known[number]}' is of kind {shapes[number].kind}, which no force is known of"
            remedy = (
                f"name others: {', '.join(flat)}" if flat else "put cones, cylinders or boxes in its place"
            )
            raise Refused(("against", f"{what}; {remedy}"))
    return tuple(found)


KINDS = {"contacts": (Contact,)}
