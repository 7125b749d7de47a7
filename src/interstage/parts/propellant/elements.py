"""What a body's mass consists of besides its dry structure: items that may be dropped, tanks, solid grains.

Places are in the drawing coordinates of the body that carries them, directions in its structural axes. Liquid
stands on the bottom of its tank, its surface square to the tank's axis, as it does under thrust along it.
`mass_properties` has the equations."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, StrictBool, WithJsonSchema, model_validator

from ...model.effect import Element
from ...model.inertia import (
    INERTIA_ROUNDING,
    INERTIA_SCHEMA,
    INERTIAS_SCHEMA,
    fault,
    principal,
    tensor,
    tensors,
)
from ...tree.errors import Refused, counted
from ...tree.names import Name
from ...tree.units import si
from .slosh_models import ROOT, Pendulum, SloshModel

FULL = 1 + 1e-9
"""How full a tank may be: to the brim, and the rounding of the numbers that say so."""


class RigidItem(Element):
    """Something of constant mass that the body carries and may drop, like a fairing half or a payload
    fitting."""

    kind: Literal["item"] = "item"
    """Something rigid that may be dropped."""
    name: Name
    """Name of the element in paths and tables."""
    mass: Annotated[Any, si("kg", positive=True)]
    """Mass [kg], not contained in the body's own."""
    mass_centre: Annotated[Any, si("m", (3,))]
    """Its centre of mass [m], drawing coordinates of the body."""
    products: Literal["tensor", "integrals"] | None = None
    """Sign of the products of inertia, to be stated when there are any, as for a body."""
    inertia: Annotated[Any, si("kg m^2", (3, 3)), BeforeValidator(tensor), WithJsonSchema(INERTIA_SCHEMA)] = (
        0.0,
        0.0,
        0.0,
    )
    """Inertia about its own centre of mass [kg m^2], structural axes: three moments or a 3 by 3 matrix; none
    is a point mass."""
    allow_unphysical_inertia: StrictBool = False
    """True to fly moments that no real body has (the triangle inequality broken)."""

    @property
    def constant_mass(self) -> Any:
        """Mass [kg] that it keeps while it is carried."""
        return self.mass

    @model_validator(mode="after")
    def _check(self) -> RigidItem:
        if self.products == "integrals":
            self._settle(products="tensor")
        if not self.allow_unphysical_inertia and isinstance(self.inertia, np.ndarray):
            found = fault(principal(self.inertia), INERTIA_ROUNDING * np.abs(self.inertia).max(axis=(0, 1)))
            if found is not None:
                raise Refused(("inertia", f"{found[1]}. {UNPHYSICAL_REMEDY}"))
        return self


UNPHYSICAL_REMEDY = (
    "Check the moments, which are about the element's own centre, or set allow_unphysical_inertia = true"
)


class Container(Element):
    """What every element that holds propellant has."""

    name: Name
    """Name of the element in paths and tables."""
    propellant: Annotated[Any, si("kg", nonnegative=True)]
    """Propellant at the start [kg], not contained in the body's own mass."""
    residual: Annotated[Any, si("kg", nonnegative=True)] = 0.0
    """The part of it that cannot be used [kg]."""
    drains: StrictBool = True
    """Whether engines draw from it; if not, its propellant stays."""

    @property
    def constant_mass(self) -> Any:
        """Mass [kg] that it keeps while it is carried: what it cannot give, and its case."""
        stays = self.residual if self.drains else self.propellant
        return stays + getattr(self, "mass_inert", 0.0)

    @model_validator(mode="before")
    @classmethod
    def _still(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("slosh") is not None and not issubclass(cls, Liquid):
            reason = "is for a liquid in a tank that has an axis: a cylinder or a sphere; remove it"
            raise Refused(("slosh", reason))
        return given

    @model_validator(mode="after")
    def _usable(self) -> Container:
        if _concrete(self.residual, self.propellant):
            _refuse(
                "residual",
                self.residual,
                self.propellant,
                "is more than the {limit:g} kg of propellant at the start; give less",
            )
        return self

    def _holds(self, capacity: Any, reason: str) -> None:
        """Refuse more propellant than the `capacity` [kg], which may have cases."""
        text = f"is more than the {{limit:g}} kg that {reason} holds; give less, or check the sizes and the"
        _refuse("propellant", self.propellant, capacity * FULL, text + " density")


class Liquid(Container):
    """What every tank of a liquid has."""

    density: Annotated[Any, si("kg/m^3", positive=True)]
    """Density of the liquid [kg/m^3]."""
    axis: Annotated[Any, si("1", (3,))]
    """From the bottom of the tank to its top, structural axes; its length does not matter."""
    radius: Annotated[Any, si("m", positive=True)]
    """Inner radius of the tank [m]."""
    roll_fraction: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Share of the liquid's inertia about the tank's axis that turns with the tank: 1 is frozen, 0 a liquid
    without viscosity."""
    slosh: SloshModel | None = None
    """The part of the liquid that moves across the tank's axis. If not set, nothing does. What is reported of
    the body's centre of mass, where it starts and what is recorded of it, is then of the body without that
    part."""

    @property
    def changes(self) -> frozenset[str]:
        """What of that which a system keeps it changes: its energy, where its motion is damped."""
        damped = self.slosh is not None and np.any(np.asarray(self.slosh.damping_ratio) != 0)
        return super().changes | ({"energy"} if damped else set())

    @model_validator(mode="after")
    def _check_liquid(self) -> Liquid:
        _direction(self.axis)
        if _concrete(self.roll_fraction):
            _refuse("roll_fraction", self.roll_fraction, 1.0, "must be from 0 (slips) to 1 (frozen)", "")
        if self.slosh is not None and self.slosh.left is not None:
            self._check_slosh(self.slosh.left)
        return self

    def _check_slosh(self, left: Any) -> None:
        if _concrete(left, self.propellant, self.residual):
            words = (
                "is more than the table's last, {limit:g} kg; give a table of slosh.left that goes further"
            )
            _refuse("propellant", self.propellant, left[-1] * FULL, words)
            words = "is where the table begins, and the tank drains to {limit:g} kg; begin there"
            _refuse("slosh.left", left[0], self.residual * FULL, words)


class CylinderTank(Liquid):
    """A liquid in an upright cylinder with a flat bottom: a slug whose height falls as it drains."""

    kind: Literal["cylinder"] = "cylinder"
    """A liquid in a cylinder."""
    bottom: Annotated[Any, si("m", (3,))]
    """Centre of the tank's bottom [m], drawing coordinates of the body."""
    height: Annotated[Any, si("m", positive=True)] | None = None
    """Inner height of the tank [m], to check that it holds the propellant; none checks nothing."""

    @model_validator(mode="after")
    def _check(self) -> CylinderTank:
        if _concrete(self.propellant, self.density, self.radius, self.height):
            self._holds(self.density * math.pi * self.radius**2 * self.height, "the cylinder")
        if isinstance(self.slosh, Pendulum) and not self.slosh.tabulated:
            self._check_pendulum(self.slosh)
        return self

    def _check_pendulum(self, slosh: Pendulum) -> None:
        if _concrete(self.propellant, self.density, self.radius, slosh.displacement):
            depth = self.propellant / (self.density * math.pi * self.radius**3)
            length = self.radius / (ROOT * np.tanh(ROOT * np.maximum(depth, 1e-2)))
            slosh.check_displacement(float(np.min(length)), "slosh.displacement")


class SphereTank(Liquid):
    """A liquid in a sphere: a spherical segment whose level falls as it drains."""

    kind: Literal["sphere"] = "sphere"
    """A liquid in a sphere."""
    centre: Annotated[Any, si("m", (3,))]
    """Centre of the sphere [m], drawing coordinates of the body."""

    @model_validator(mode="after")
    def _check(self) -> SphereTank:
        if _concrete(self.propellant, self.density, self.radius):
            self._holds(self.density * (4 / 3 * math.pi) * self.radius**3, "the sphere")
        if self.slosh is not None and not self.slosh.tabulated:
            needed = ", ".join(("share", *self.slosh.columns()))
            raise Refused(("slosh", f"has no closed form in a sphere; give {needed} by the propellant left"))
        return self


class Grain(Container):
    """Solid propellant: a tube that burns on its inner face, evenly along its length."""

    kind: Literal["grain"] = "grain"
    """A tube of solid propellant that burns from inside."""
    density: Annotated[Any, si("kg/m^3", positive=True)]
    """Density of the propellant [kg/m^3]."""
    centre: Annotated[Any, si("m", (3,))]
    """Centre of the tube [m], drawing coordinates of the body."""
    axis: Annotated[Any, si("1", (3,))]
    """Along the tube, structural axes; neither length nor sense matter."""
    length: Annotated[Any, si("m", positive=True)]
    """Length of the tube [m]."""
    outer_radius: Annotated[Any, si("m", positive=True)]
    """Outer radius of the tube [m]; the inner one follows from the propellant left."""

    @model_validator(mode="after")
    def _check(self) -> Grain:
        _direction(self.axis)
        if _concrete(self.propellant, self.density, self.length, self.outer_radius):
            solid = self.density * math.pi * self.outer_radius**2 * self.length
            self._holds(solid, "a solid cylinder of this size")
        return self


class PointTank(Container):
    """Propellant at one place, without inertia of its own."""

    kind: Literal["point"] = "point"
    """Propellant at one place."""
    at: Annotated[Any, si("m", (3,))]
    """The place [m], drawing coordinates of the body."""


class ShiftedTable(Container):
    """Propellant, and what inert mass goes with it, whose centre and inertia are given by the propellant
    left."""

    kind: Literal["table"] = "table"
    """Centre of mass and inertia by a table of the propellant left."""
    left: Annotated[Any, si("kg", ("n",), nonnegative=True)]
    """Propellant left [kg], increasing, from the residual or less to the propellant at the start or more."""
    mass_inert: Annotated[Any, si("kg", nonnegative=True)] = 0.0
    """Constant mass that the table contains besides the propellant [kg], not contained in the body's own."""
    mass_centre: Annotated[Any, si("m", ("n", 3))]
    """Common centre of mass of inert mass and propellant at each [m], drawing coordinates of the body."""
    products: Literal["tensor", "integrals"] | None = None
    """Sign of the products of inertia, to be stated when there are any, as for a body."""
    inertia: Annotated[
        Any, si("kg m^2", ("n", 3, 3)), BeforeValidator(tensors), WithJsonSchema(INERTIAS_SCHEMA)
    ]
    """Inertia of inert mass and propellant about their common centre of mass at each [kg m^2], structural
    axes: rows of three moments, or 3 by 3 matrices."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Between the points: a curve with continuous second derivatives that stays between the two nearest
    values; a cubic spline, which may leave them; or straight lines."""
    allow_unphysical_inertia: StrictBool = False
    """True to fly moments that no real body has (the triangle inequality broken)."""

    @model_validator(mode="after")
    def _check(self) -> ShiftedTable:
        if self.products == "integrals":
            self._settle(products="tensor")
        if isinstance(self.left, np.ndarray):
            self._check_rows()
            if _concrete(self.propellant, self.residual):
                self._check_ends()
        if not self.allow_unphysical_inertia and isinstance(self.inertia, np.ndarray):
            by_row = np.moveaxis(self.inertia, 0, 2)
            found = fault(principal(by_row), INERTIA_ROUNDING * np.abs(by_row).max(axis=(0, 1)))
            if found is not None:
                row, words = found
                raise Refused(("inertia", f"in row {row + 1}, {words}. {UNPHYSICAL_REMEDY}"))
        return self

    def _check_rows(self) -> None:
        rows = len(self.left)
        for name in ("mass_centre", "inertia"):
            column = getattr(self, name)
            if isinstance(column, np.ndarray) and len(column) != rows:
                raise Refused(
                    (name, f"has {counted(len(column), 'rows')} where left has {rows}; give one for each")
                )
        if rows < 2:
            raise Refused(("left", f"has {rows}; a table needs at least 2 masses"))
        wrong = ~(np.diff(self.left, axis=0).reshape(rows - 1, -1) > 0).all(1)
        if wrong.any():
            k = int(np.argmax(wrong))
            low, high = (float(self.left[j].flat[0]) for j in (k, k + 1))
            raise Refused(
                (
                    "left",
                    f"must increase from entry to entry; {high:g} kg follows {low:g} kg. Sort the rows, and"
                    " remove doubled ones",
                )
            )

    def _check_ends(self) -> None:
        _refuse(
            "propellant",
            self.propellant,
            self.left[-1] * FULL,
            "is more than the table's last, {limit:g} kg; give less, or a table that goes further",
        )
        _refuse(
            "left",
            self.left[0],
            self.residual * FULL,
            "is where the table begins, and the tank drains to {limit:g} kg; begin there, or raise the"
            " residual",
        )


def _concrete(*values: Any) -> bool:
    return all(isinstance(v, np.ndarray) for v in values)


def _refuse(field: str, value: Any, limit: Any, words: str, unit: str = " kg") -> None:
    """Refuse the first value above its limit, either of which may have lanes: ``12 kg`` and the words."""
    value, limit = np.broadcast_arrays(value, limit)
    over = value > limit
    if over.any():
        first = tuple(np.argwhere(over)[0])
        raise Refused((field, f"{value[first]:g}{unit} {words.format(limit=float(limit[first]))}"))


def _direction(axis: Any) -> None:
    if isinstance(axis, np.ndarray) and not (np.abs(axis).max(axis=0) > 0).all():
        raise Refused(("axis", "is the zero vector; give a direction like [0, 0, 1]"))
