"""Declaration of bodies: mass, centre of mass, inertia and initial state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BeforeValidator, StrictBool, StrictInt, WithJsonSchema, model_validator

from ..exchange import mass_table
from ..tree import packages
from ..tree.declaration import ByName
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si
from .geometry import Shapes
from .inertia import INERTIA_ROUNDING, INERTIA_SCHEMA, fault, principal, tensor
from .initial import Initial, State, ThroughJoint, is_plain
from .pattern import Circle, Placement, Repeatable, off_axis

if TYPE_CHECKING:
    AnyElement = Any
else:
    AnyElement = packages.union("elements")


def _distinct(elements: tuple[Any, ...]) -> tuple[Any, ...]:
    names = [e.name for e in elements]
    for name in names:
        if names.count(name) > 1:
            raise Refused((name, "two mass items of this body have the same name. Rename one mass item"))
    return elements


FROM_ROW = ("mass", "mass_centre", "products", "inertia", "inertia_about")
"""Fields of a body that a row of a table of mass properties gives."""

MassElements = Annotated[tuple[AnyElement, ...], ByName(), AfterValidator(_distinct)]
"""Type of the mass items of one body, by name."""


class Body(Repeatable):
    """A rigid body. The points of a body are given in its body-fixed structural frame: structural coordinates
    (stations)."""

    name: Name
    """Name of the body in paths and tables."""
    count: StrictInt | None = None
    """Number of equal bodies (copies). The copies of "sat" have the names sat_1, sat_2 and so on. A joint,
    device, engine, pair or clearance that refers to "sat" has one member for each copy. In paths and in the
    lists of legs, the name "sat" refers to all copies. In texts, # stands for the number of the copy.
    Default: a single body."""
    circle: Circle | None = None
    """Circle on which the copies have equal angular spacing. Each copy is rotated with its structural frame,
    so that its mass properties, shapes and points are the same in its own frame. If `initial` is an
    inertial state, the circle rotates the state about the axis through the inertial origin. Joints and
    devices between copies and another body take this circle if they have no circle of their own. Default:
    no rotation."""
    file: str | None = None
    """Path of a CSV table with a row of mass properties for this body, relative to the folder of the
    scenario. The row gives `mass`, `mass_centre`, `products`, `inertia` and `inertia_about`. When the file is
    read, this field becomes empty."""
    row: str | None = None
    """Name of the row in `file`. Default: the name of the body; for copies, the name without the number. When
    the file is read, this field becomes empty."""
    mass: Annotated[Any, si("kg", nonnegative=True)]
    """Dry mass [kg], without mass items. The quantity `mass` of the body is the dry mass plus the present
    mass of the mass items. Zero is allowed only if a mass item has mass throughout the flight."""
    mass_centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Centre of mass [m], structural coordinates. A change of this value does not move the
    joint points."""
    products: Literal["tensor", "integrals"] | None = None
    """Sign convention of the products of inertia, required if any product is not zero. "tensor": element xy
    is minus the integral of x y dm. "integrals": plus the integral. Integrals are converted on input. After
    this conversion, this field is "tensor"."""
    inertia: Annotated[Any, si("kg m^2", (3, 3)), BeforeValidator(tensor), WithJsonSchema(INERTIA_SCHEMA)]
    """Inertia [kg m^2], structural axes, about the centre of mass or about `inertia_about`: three moments or
    a 3 by 3 matrix. The inertia is stored as the tensor (3, 3), whose off-diagonal elements are minus the
    integrals."""
    inertia_about: Annotated[Any, si("m", (3,))] | None = None
    """Reference point of `inertia` [m], structural coordinates. Default: the centre of mass."""
    origin: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Origin of the body [m], structural coordinates. The origin is a reference point for the initial state
    and the output."""
    elements: MassElements = ()
    """Mass items in addition to the dry mass: tanks that drain, solid propellant, items that can be
    jettisoned. `mass`, `mass_centre` and `inertia` exclude these items."""
    inertia_rate: Annotated[Any, si("1", nonnegative=True)] | None = None
    """Coefficient k of J w' + k J' w + w x J w = M. Many trajectory programs use this empirical equation for
    variable mass, with m r'' = F. Default: the momentum of the gas flow to the nozzles, which gives jet
    damping and Coriolis forces."""
    allow_unphysical_inertia: StrictBool = False
    """Whether principal moments that violate the triangle inequality are accepted. If true, a body with such
    an inertia causes a warning in place of an error."""
    shapes: Shapes = ()
    """Geometry of the body, for clearances and contacts. Mass properties and aerodynamic forces do not depend
    on this point."""
    initial: Initial | None = None
    """Initial state. Default: the state relative to the placed body at the other end of the first listed
    joint."""

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, data: Any) -> Any:
        return _with_row(data) if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _has_mass(self) -> Body:
        if isinstance(self.mass, np.ndarray) and not (self.mass > 0).all() and not self._something_stays():
            remedy = ", or add a mass item of constant mass" if self.elements else ""
            raise Refused(
                (
                    "mass",
                    (
                        f"the mass {float(np.min(self.mass)):g} kg is not above zero. Give a mass "
                        f"above zero{remedy}"
                    ),
                )
            )
        return self

    def _on_circle(self, circle: Circle) -> None:
        """Raise `Refused` if the circle cannot rotate the initial state."""
        if self.initial is None or isinstance(self.initial, ThroughJoint):
            if circle.radius is not None:
                text = (
                    "'radius' applies to an inertial initial state only. Set 'circle' with 'radius' on the"
                    " joint of the copies, or remove 'radius'"
                )
                raise Refused(("circle.radius", text))
            return
        if not isinstance(self.initial, State) or not is_plain(self.initial):
            raise Refused(
                (
                    "circle",
                    "'circle' rotates initial states in inertial axes, but 'initial' is not in inertial axes."
                    " Remove 'circle' and place the copies by joints, or give 'initial' in inertial axes",
                )
            )
        centred = self.initial.of == "mass_centre"
        axis = "xyz".index(circle.axis)
        if circle.radius is None and centred and not off_axis(self.initial.position, axis):
            text = (
                f"the position of 'initial' is on the axis of the circle ({circle.axis}), so that all copies"
            )
            raise Refused(("circle", f"{text} coincide. Set 'radius', or move the position off the axis"))

    def values_of_member(self, placement: Placement, on_copies: Callable[[str], bool]) -> dict[str, Any]:
        """Return the initial state of one copy. A state relative to a joint does not differ."""
        state = self.initial
        if not isinstance(state, State):
            return {}
        given = {name: getattr(state, name) for name in state.model_fields_set} | {
            "position": placement.point(state.position),
            "velocity": placement.direction(state.velocity),
            "attitude": placement.frame(state.attitude),
        }
        if state.angular_velocity_axes == "inertial":
            given["angular_velocity"] = placement.direction(state.angular_velocity)
        return {"initial": given}

    @classmethod
    def fields_of_place(cls) -> tuple[str, ...]:
        """Return the name of the field that a circle can change."""
        return ("initial",)

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True

    @property
    def changing(self) -> bool:
        """True if the body has mass items."""
        return bool(self.elements)

    def _something_stays(self) -> bool:
        """Whether a mass item keeps a known constant mass above zero."""
        stays = [element.constant_mass for element in self.elements]
        known = np.ndarray, np.floating, float
        return any(not isinstance(m, known) or bool(np.all(m > 0)) for m in stays)

    @model_validator(mode="after")
    def _physical(self) -> Body:
        if self.products == "integrals":
            self._settle(products="tensor")
        if self.allow_unphysical_inertia or not all(
            isinstance(v, np.ndarray) for v in (self.mass, self.mass_centre, self.inertia)
        ):
            return self
        found = fault(*principal_moments(self))
        if found is not None:
            raise Refused(("inertia", f"{found[1]}.{self._remedy()}"))
        return self

    def _remedy(self) -> str:
        about = (
            " and inertia_about"
            if self.inertia_about is not None
            else ", set 'inertia_about' if the moments are about another point"
        )
        return f" Check the moments{about}, or set allow_unphysical_inertia = true"


def _with_row(data: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a body, with the row of its file. Raises Refused."""
    file, row = data.get("file"), data.get("row")
    if file is None:
        if row is not None:
            raise Refused(("row", "is set without file. Set file, or remove row"))
        return data
    if not isinstance(file, str):
        raise Refused(("file", 'must be the path of a CSV table, for example "mass.csv"'))
    both = [key for key in FROM_ROW if data.get(key) is not None]
    if both:
        raise Refused(*((key, f"'{key}' and 'file' are both set. Remove one of them") for key in both))
    found = mass_table.row_of(
        file, str(next(text for text in (row, data.get("pattern"), data.get("name")) if text is not None))
    )
    fields: dict[str, Any] = {
        "mass": found.mass,
        "mass_centre": found.mass_centre.tolist(),
        "products": found.products,
        "inertia": found.inertia.tolist(),
    }
    if found.about == "origin":
        fields["inertia_about"] = [0.0, 0.0, 0.0]
    return {key: value for key, value in data.items() if key not in ("file", "row")} | fields


def principal_moments(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Return the principal moments of inertia about the centre of mass [kg m^2], and a tolerance for rounding
    errors [kg m^2].

    The moments are in ascending order. The case axis is the first axis.
    """
    size = np.abs(np.asarray(body.inertia)).max(axis=(0, 1))
    if body.inertia_about is not None:
        arm = np.asarray(body.mass_centre) - np.asarray(body.inertia_about)
        size = size + body.mass * (arm * arm).sum(axis=0)
    return principal(central_inertia(body)), INERTIA_ROUNDING * size


def central_inertia(body: Body) -> np.ndarray:
    """Return the inertia tensor about the centre of mass [kg m^2] (3, 3, *cases), without mass items."""
    inertia = np.asarray(body.inertia)
    if body.inertia_about is None:
        return inertia
    arm = np.asarray(body.mass_centre) - np.asarray(body.inertia_about)
    eye = np.eye(3).reshape((3, 3) + (1,) * (arm.ndim - 1))
    return inertia - body.mass * ((arm * arm).sum(axis=0) * eye - arm[:, None] * arm[None, :])
