"""Declaration of contacts between points of one body and surfaces of another body."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.effect import Effect
from ...tree.declaration import Declaration
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.similar_names import near
from ...tree.units import si

POINTS = (3, 720)
"""The minimum and the maximum number of points of a ring."""
EXPONENTS = (1.0, 3.0)
"""The minimum and the maximum exponent of the depth in the force law. For two spheres, the exponent is 1.5
(Hertz).
"""
CURVED = ("mesh", "ogive")
"""The kinds of shapes that contacts do not support, because their distance has no closed form."""


class Ring(Declaration):
    """Points with equal spacing on a circle, for example on the rim of a nozzle."""

    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """The centre of the circle [m], in the structural coordinates of the body with the points."""
    axis: Annotated[Any, si("1", (3,))]
    """The direction of the axis of the circle, in structural axes. The length of this vector has no
    effect."""
    radius: Annotated[Any, si("m", positive=True)]
    """The radius of the circle [m]."""
    count: StrictInt = 72
    """The number of points. Between two neighbouring points, the rim is up to radius (pi/count)^2/2 outside
    of the chord between the points."""

    @model_validator(mode="after")
    def _check(self) -> Ring:
        low, high = POINTS
        if not low <= self.count <= high:
            raise Refused(("count", f"count = {self.count} is out of range. Give {low} to {high} points"))
        if isinstance(self.axis, np.ndarray) and not (np.abs(self.axis).max(axis=0) > 0).all():
            raise Refused(("axis", "the vector is zero. Give a direction like [1, 0, 0]"))
        return self


class Contact(Effect):
    """A compliant contact between points of one body and surfaces of another body. The points can be small
    spheres. The contact has damping (Hunt and Crossley) and Coulomb friction."""

    losses: ClassVar[tuple[str, ...]] = ("damping", "friction")

    name: Name
    """The name of the contact in paths and tables."""
    body: str
    """The body with the points."""
    points: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """The points [m], one row each, in the structural coordinates of `body`. Give either `points` or
    `ring`."""
    ring: Ring | None = None
    """Points on a circle. Give either `points` or `ring`."""
    radius: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """The radius of the sphere around each point [m]. With a radius above zero, the direction of the force
    changes smoothly at edges."""
    against: tuple[str, ...]
    """The surfaces: shapes of the other body, like ["core.interstage"], or all of its shapes, like ["core"].
    Meshes, ogives and sectors are not supported."""
    stiffness: Annotated[Any, si("N/m", positive=True)]
    """The force per depth at each point [N/m]. With `exponent`, the secant stiffness at `reference_depth`."""
    exponent: Annotated[Any, si("1", positive=True)] | None = None
    """The exponent of the depth in the force law, 1 to 3. Requires `reference_depth`. Default: 1, a linear
    force."""
    reference_depth: Annotated[Any, si("m", positive=True)] | None = None
    """The depth at which the force is `stiffness` times the depth for any exponent [m]. Required with
    `exponent`."""
    damping: Annotated[Any, si("s/m", nonnegative=True)] = 0.0
    """The damping [s/m]: the relative increase of the force per approach speed, and its relative decrease per
    separation speed. For an impact speed v, the coefficient of restitution is about 1 - 2/3 damping v. The
    force is never attractive."""
    friction: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """The coefficient of Coulomb friction."""
    slip_speed: Annotated[Any, si("m/s", positive=True)] = 1e-3
    """The scale of the sliding speed in the friction law [m/s]. Friction is proportional to
    tanh(speed/slip_speed)."""
    phases: tuple[str, ...] | None = None
    """The names of the phases in which the contact acts. Default: all phases."""

    @model_validator(mode="after")
    def _check(self) -> Contact:
        if (self.points is None) == (self.ring is None):
            fault = (
                "neither 'points' nor 'ring' is set"
                if self.ring is None
                else "'points' and 'ring' are both set"
            )
            raise Refused(("points", f"{fault}. Set either 'points', like [[1, 0, 0]], or 'ring'"))
        if (self.exponent is None) != (self.reference_depth is None):
            missing, given = "reference_depth", "exponent"
            if self.exponent is None:
                missing, given = given, missing
            raise Refused(
                (
                    missing,
                    (
                        f"'{missing}' is required with '{given}'. Set both keys, or remove both keys for a "
                        "linear force"
                    ),
                )
            )
        _check_exponent(self.exponent)
        if not self.against:
            raise Refused(
                (
                    "against",
                    "'against' is empty. Name at least one surface, for example [\"core.interstage\"]",
                )
            )
        others = dict.fromkeys(name.partition(".")[0] for name in self.against)
        if self.body in others:
            raise Refused(
                (
                    "against",
                    f"'{self.body}' is the body with the contact points. Name surfaces of another body",
                )
            )
        if len(others) > 1:
            listed = " and ".join(f"'{name}'" for name in others)
            raise Refused(
                ("against", (f"'against' lists surfaces of {listed}. Declare one contact for each body"))
            )
        return self

    @property
    def ends(self) -> tuple[str, ...]:
        """The names of the two bodies of the contact."""
        return self.body, self.other

    @property
    def other(self) -> str:
        """The name of the body with the surfaces."""
        return self.against[0].partition(".")[0]


def _check_exponent(exponent: Any) -> None:
    low, high = EXPONENTS
    if isinstance(exponent, np.ndarray):
        wrong = (exponent < low) | (exponent > high)
        if wrong.any():
            shown = float(np.ravel(exponent[wrong])[0])
            text = f"{shown:g} is out of range. Give an exponent from {low:g} (linear force) to {high:g}"
            raise Refused(("exponent", text))


def _has_surface(shape: Any) -> bool:
    """Whether contacts can use the surface of a shape."""
    return shape.kind not in CURVED and getattr(shape, "sector", None) is None


def touched_shapes(declared: Contact, scenario: Any) -> tuple[int, ...]:
    """Return the indices of the shapes with contact surfaces, among the shapes of the other body. Each index
    occurs once.

    Raises `Refused` for unknown and for unsupported shapes.
    """
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
        if not _has_surface(shapes[number]):
            flat = [f"{name}.{shape.name}" for shape in shapes if _has_surface(shape)]
            kind = f"of kind {shapes[number].kind}" if shapes[number].kind in CURVED else "a sector"
            what = f"'{name}.{known[number]}' is {kind}, which contacts do not support"
            remedy = f"Name other shapes: {', '.join(flat)}" if flat else "Use cones, cylinders or boxes"
            raise Refused(("against", f"{what}. {remedy}"))
    return tuple(found)


KINDS = {"contacts": (Contact,)}
