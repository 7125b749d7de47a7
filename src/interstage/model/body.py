"""Rigid bodies: mass, centre of mass, inertia, and where they start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BeforeValidator, StrictBool, WithJsonSchema, model_validator

from ..tree import packages
from ..tree.declaration import ByName, Declaration
from ..tree.errors import Refused
from ..tree.names import Name
from ..tree.units import si
from .geometry import Shapes
from .inertia import INERTIA_ROUNDING, INERTIA_SCHEMA, fault, principal, tensor
from .initial import Initial

if TYPE_CHECKING:
    AnyElement = Any
else:
    AnyElement = packages.union("elements")


def _distinct(elements: tuple[Any, ...]) -> tuple[Any, ...]:
    names = [e.name for e in elements]
    for name in names:
        if names.count(name) > 1:
            raise Refused((name, "is the name of two elements of this body; rename one of them"))
    return elements


MassElements = Annotated[tuple[AnyElement, ...], ByName(), AfterValidator(_distinct)]
"""The elements of one body, by name."""


class Body(Declaration):
    """A rigid body. Its points are given in structural axes: the drawing's coordinates (stations), which turn
    with it."""

    name: Name
    """Name of the body in paths and tables."""
    mass: Annotated[Any, si("kg", nonnegative=True)]
    """Dry mass [kg]: without that of the elements. The quantity `mass` of the body is the total, with what is
    left in them. It may be zero only where the mass of an element stays."""
    mass_centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Centre of mass [m], structural axes, in drawing coordinates. Moving it moves no joint."""
    products: Literal["tensor", "integrals"] | None = None
    """Sign of the products of inertia, to be stated when there are any: "tensor" (element xy is minus the
    integral of x y dm) or "integrals" (plus; the signs are then turned on entry, and this reads "tensor")."""
    inertia: Annotated[Any, si("kg m^2", (3, 3)), BeforeValidator(tensor), WithJsonSchema(INERTIA_SCHEMA)]
    """Inertia [kg m^2], structural axes, about the centre of mass or about `inertia_about`: three moments or
    a 3 by 3 matrix. Kept as the tensor (3, 3), its off-diagonal elements minus the integrals."""
    inertia_about: Annotated[Any, si("m", (3,))] | None = None
    """The point that `inertia` is about [m], drawing coordinates. Default: the centre of mass."""
    origin: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """The body's origin [m], drawing coordinates: the point that state and output may speak of as the body's
    own."""
    elements: MassElements = ()
    """What else its mass consists of: tanks that drain, solid propellant, parts that it may drop. `mass`,
    `mass_centre` and `inertia` are those without them."""
    inertia_rate: Annotated[Any, si("1", nonnegative=True)] | None = None
    """Coefficient k of the empirical model J w' + k J' w + w x J w = M of a body whose mass changes, as
    single-body trajectory programs have it, whose centre of mass obeys m r'' = F. None: the momentum of the
    gas is followed to the nozzles, which gives jet damping and Coriolis forces."""
    allow_unphysical_inertia: StrictBool = False
    """True to fly moments that no real body has (the triangle inequality broken); the run then says so."""
    shapes: Shapes = ()
    """Its geometry, for clearance only: its mass and what the atmosphere does to it do not depend on it."""
    initial: Initial | None = None
    """How the body starts. Default: through the first joint listed that connects it to a placed body."""

    @model_validator(mode="after")
    def _has_mass(self) -> Body:
        if isinstance(self.mass, np.ndarray) and not (self.mass > 0).all() and not self._something_stays():
            remedy = "; or give an element whose mass stays" if self.elements else ""
            raise Refused(("mass", f"{float(np.min(self.mass)):g} kg must be more than zero{remedy}"))
        return self

    @property
    def changing(self) -> bool:
        """Whether elements add to its mass."""
        return bool(self.elements)

    def _something_stays(self) -> bool:
        """Whether an element has some mass throughout, as far as is known."""
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
            else " (or say inertia_about, if it is about another point)"
        )
        return f" Check the moments{about}, or set allow_unphysical_inertia = true"


def principal_moments(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """(principal moments about the centre of mass in rising order [kg m^2], the rounding allowance); cases
    come first."""
    size = np.abs(np.asarray(body.inertia)).max(axis=(0, 1))
    if body.inertia_about is not None:
        arm = np.asarray(body.mass_centre) - np.asarray(body.inertia_about)
        size = size + body.mass * (arm * arm).sum(axis=0)
    return principal(central_inertia(body)), INERTIA_ROUNDING * size


def central_inertia(body: Body) -> np.ndarray:
    """Inertia tensor (3, 3, *cases) about the centre of mass [kg m^2], without elements."""
    inertia = np.asarray(body.inertia)
    if body.inertia_about is None:
        return inertia
    arm = np.asarray(body.mass_centre) - np.asarray(body.inertia_about)
    eye = np.eye(3).reshape((3, 3) + (1,) * (arm.ndim - 1))
    return inertia - body.mass * ((arm * arm).sum(axis=0) * eye - arm[:, None] * arm[None, :])
