"""Mass items of a body in addition to its dry structure: mass items for jettison, tanks, and solid grains.

Positions are in the structural coordinates of the body, directions in its structural axes. Liquid rests on
the bottom of its tank. The surface of the liquid is perpendicular to the axis of the tank, as under thrust
along this axis. `tank_masses` has the equations.
"""

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
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.sentences import count_text
from ...tree.units import si
from .slosh_models import ROOT, Pendulum, SloshModel

FULL = 1 + 1e-9
"""Maximum ratio of the propellant to the capacity of a tank. The ratio exceeds 1 to allow for rounding."""


class RigidItem(Element):
    """An item of constant mass that the body carries and can jettison, like a fairing half."""

    kind: Literal["item"] = "item"
    """A rigid mass item that can be jettisoned."""
    name: Name
    """Name of the mass item in paths and tables."""
    mass: Annotated[Any, si("kg", positive=True)]
    """Mass of the item [kg], in addition to the mass of the body."""
    mass_centre: Annotated[Any, si("m", (3,))]
    """Centre of mass of the item [m], structural coordinates of the body."""
    products: Literal["tensor", "integrals"] | None = None
    """Sign convention of the products of inertia, as for a body. Required with nonzero products."""
    inertia: Annotated[Any, si("kg m^2", (3, 3)), BeforeValidator(tensor), WithJsonSchema(INERTIA_SCHEMA)] = (
        0.0,
        0.0,
        0.0,
    )
    """Inertia about the item's centre of mass [kg m^2], structural axes: three moments of inertia, or a 3 by
    3 matrix. Default: a point mass."""
    allow_unphysical_inertia: StrictBool = False
    """True to accept moments of inertia that violate the triangle inequality."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True

    @property
    def constant_mass(self) -> Any:
        """Mass of the item [kg]. The mass is constant while the item is on the body."""
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
    "Check the moments, which are about the mass item's centre of mass, or set"
    " allow_unphysical_inertia = true"
)


class Container(Element):
    """Base class of mass items with propellant."""

    name: Name
    """Name of the mass item in paths and tables."""
    propellant: Annotated[Any, si("kg", nonnegative=True)]
    """Propellant mass at the start [kg], in addition to the mass of the body."""
    residual: Annotated[Any, si("kg", nonnegative=True)] = 0.0
    """Unusable part of the propellant [kg]. When only this part is left, the tank counts as empty."""
    drains: StrictBool = True
    """False if no engine draws from the mass item. The propellant mass of the mass item is then constant."""

    @property
    def constant_mass(self) -> Any:
        """Part of the mass that is constant while the body carries the mass item [kg]: unusable propellant
        and inert mass.

        If the mass item does not drain, all of its propellant is included.
        """
        stays = self.residual if self.drains else self.propellant
        return stays + getattr(self, "mass_inert", 0.0)

    @model_validator(mode="before")
    @classmethod
    def _still(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("slosh") is not None and not issubclass(cls, Liquid):
            reason = "'slosh' is allowed only for a liquid in a cylinder or a sphere. Remove slosh"
            raise Refused(("slosh", reason))
        return given

    @model_validator(mode="after")
    def _usable(self) -> Container:
        if _concrete(self.residual, self.propellant):
            _refuse(
                "residual",
                self.residual,
                self.propellant,
                "is more than the {limit:g} kg of propellant at the start. Give a smaller residual",
            )
        return self

    def _holds(self, capacity: Any, reason: str) -> None:
        """Raise Refused for more propellant than the `capacity` [kg], which may have cases."""
        text = (
            f"is more than the {{limit:g}} kg that {reason} holds. Give less propellant, or check sizes and"
        )
        _refuse("propellant", self.propellant, capacity * FULL, text + " density")


class Liquid(Container):
    """Base class of tanks with liquid propellant."""

    density: Annotated[Any, si("kg/m^3", positive=True)]
    """Density of the liquid [kg/m^3]."""
    axis: Annotated[Any, si("1", (3,))]
    """Direction from the bottom to the top of the tank, structural axes. The length of the vector is
    arbitrary."""
    radius: Annotated[Any, si("m", positive=True)]
    """Inner radius of the tank [m]."""
    roll_fraction: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Fraction of the liquid's inertia about the tank's axis that rotates with the tank: 1 for frozen liquid,
    0 for inviscid liquid."""
    slosh: SloshModel | None = None
    """Slosh model of the liquid. With a slosh model, the initial and the reported centre of mass of the body
    exclude the slosh mass. Default: no slosh."""

    @property
    def changes(self) -> frozenset[str]:
        """Names of the conserved quantities that the mass item changes. Energy is included if the slosh has
        damping.
        """
        damped = self.slosh is not None and np.any(np.asarray(self.slosh.damping_ratio) != 0)
        return super().changes | ({"energy"} if damped else set())

    @model_validator(mode="after")
    def _check_liquid(self) -> Liquid:
        _direction(self.axis)
        if _concrete(self.roll_fraction):
            _refuse(
                "roll_fraction",
                self.roll_fraction,
                1.0,
                "is out of range. Give 0 (the liquid slips) to 1 (the liquid is frozen)",
                "",
            )
        if self.slosh is not None and self.slosh.left is not None:
            self._check_slosh(self.slosh.left)
        return self

    def _check_slosh(self, left: Any) -> None:
        if _concrete(left, self.propellant, self.residual):
            words = (
                "is more than the last value of 'slosh.left', {limit:g} kg. Extend this table, or give less"
                " propellant"
            )
            _refuse("propellant", self.propellant, left[-1] * FULL, words)
            words = (
                "is the first value of the table, but the tank drains to {limit:g} kg. Begin the table at"
                " this"
                " value"
            )
            _refuse("slosh.left", left[0], self.residual * FULL, words)


class CylinderTank(Liquid):
    """A liquid in a cylinder with a flat bottom. As the tank drains, the height of the liquid decreases."""

    kind: Literal["cylinder"] = "cylinder"
    """A liquid in a cylinder."""
    bottom: Annotated[Any, si("m", (3,))]
    """Centre of the tank's bottom [m], structural coordinates of the body."""
    height: Annotated[Any, si("m", positive=True)] | None = None
    """Inner height of the tank [m], for a check of its capacity. Default: no check."""

    @model_validator(mode="after")
    def _check(self) -> CylinderTank:
        if _concrete(self.propellant, self.density, self.radius, self.height):
            self._holds(self.density * math.pi * self.radius**2 * self.height, "the cylinder")
        if isinstance(self.slosh, Pendulum) and not self.slosh.is_tabulated:
            self._check_pendulum(self.slosh)
        return self

    def _check_pendulum(self, slosh: Pendulum) -> None:
        if _concrete(self.propellant, self.density, self.radius, slosh.displacement):
            depth = self.propellant / (self.density * math.pi * self.radius**3)
            length = self.radius / (ROOT * np.tanh(ROOT * np.maximum(depth, 1e-2)))
            slosh.check_displacement(float(np.min(length)), "slosh.displacement")


class SphereTank(Liquid):
    """A liquid in a sphere. The liquid has the shape of a spherical segment. As the tank drains, its level
    decreases.
    """

    kind: Literal["sphere"] = "sphere"
    """A liquid in a sphere."""
    centre: Annotated[Any, si("m", (3,))]
    """Centre of the sphere [m], structural coordinates of the body."""

    @model_validator(mode="after")
    def _check(self) -> SphereTank:
        if _concrete(self.propellant, self.density, self.radius):
            self._holds(self.density * (4 / 3 * math.pi) * self.radius**3, "the sphere")
        if self.slosh is not None and not self.slosh.is_tabulated:
            needed = ", ".join(("share", *self.slosh.columns()))
            raise Refused(
                (
                    "slosh",
                    f"'slosh' has no closed-form model in a sphere. Give {needed} as tables over the "
                    "remaining propellant",
                )
            )
        return self


class Grain(Container):
    """A solid propellant grain: a tube that burns on its inner surface, uniformly along its length."""

    kind: Literal["grain"] = "grain"
    """A tubular solid propellant grain that burns from the inside."""
    density: Annotated[Any, si("kg/m^3", positive=True)]
    """Density of the propellant [kg/m^3]."""
    centre: Annotated[Any, si("m", (3,))]
    """Centre of the tube [m], structural coordinates of the body."""
    axis: Annotated[Any, si("1", (3,))]
    """Direction of the tube's axis, structural axes. The length and the sense of the vector are arbitrary."""
    length: Annotated[Any, si("m", positive=True)]
    """Length of the tube [m]."""
    outer_radius: Annotated[Any, si("m", positive=True)]
    """Outer radius of the tube [m]. The inner radius follows from the propellant left."""

    @model_validator(mode="after")
    def _check(self) -> Grain:
        _direction(self.axis)
        if _concrete(self.propellant, self.density, self.length, self.outer_radius):
            solid = self.density * math.pi * self.outer_radius**2 * self.length
            self._holds(solid, "a solid cylinder of this size")
        return self


class PointTank(Container):
    """A point mass of propellant."""

    kind: Literal["point"] = "point"
    """A point mass of propellant."""
    at: Annotated[Any, si("m", (3,))]
    """Position of the point mass [m], structural coordinates of the body."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True


class ShiftedTable(Container):
    """A mass item whose common centre of mass and inertia of propellant and inert mass follow from a table
    over the propellant left.
    """

    kind: Literal["table"] = "table"
    """Centre of mass and inertia from a table over the propellant left."""
    left: Annotated[Any, si("kg", ("n",), nonnegative=True)]
    """Propellant left at each point [kg], increasing. The first value is at most the residual. The last value
    is at least the propellant at the start."""
    mass_inert: Annotated[Any, si("kg", nonnegative=True)] = 0.0
    """Constant mass that the table includes in addition to the propellant [kg], not included in the mass of
    the body."""
    mass_centre: Annotated[Any, si("m", ("n", 3))]
    """Common centre of mass of inert mass and propellant at each point [m], structural coordinates of the
    body."""
    products: Literal["tensor", "integrals"] | None = None
    """Sign convention of the products of inertia, as for a body. Required with nonzero products."""
    inertia: Annotated[
        Any, si("kg m^2", ("n", 3, 3)), BeforeValidator(tensors), WithJsonSchema(INERTIAS_SCHEMA)
    ]
    """Inertia of inert mass and propellant about their common centre of mass at each point [kg m^2],
    structural axes: rows of three moments of inertia, or 3 by 3 matrices."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Interpolation between the points. "smooth": a curve with continuous second derivatives that stays
    between the two nearest values. "cubic": a cubic spline, which can overshoot the two nearest values.
    "linear": straight lines."""
    allow_unphysical_inertia: StrictBool = False
    """True to accept moments of inertia that violate the triangle inequality."""

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
                    (
                        name,
                        f"'{name}' has {count_text(len(column), 'rows')}, but 'left' has {rows} values. "
                        "Give one row for each value of 'left'",
                    )
                )
        if rows < 2:
            raise Refused(("left", f"'left' has {count_text(rows, 'entries')}. Give at least 2 entries"))
        wrong = ~(np.diff(self.left, axis=0).reshape(rows - 1, -1) > 0).all(1)
        if wrong.any():
            k = int(np.argmax(wrong))
            low, high = (float(self.left[j].flat[0]) for j in (k, k + 1))
            raise Refused(
                (
                    "left",
                    f"'left' must be in increasing order, but {high:g} kg follows {low:g} kg. Sort "
                    "the rows, and remove duplicates",
                )
            )

    def _check_ends(self) -> None:
        _refuse(
            "propellant",
            self.propellant,
            self.left[-1] * FULL,
            "is more than the last value of the table, {limit:g} kg. Give less propellant, or extend the"
            " table",
        )
        _refuse(
            "left",
            self.left[0],
            self.residual * FULL,
            "is the first value of the table, but the tank drains to {limit:g} kg. Begin the table"
            " at this value, or raise the residual",
        )


def _concrete(*values: Any) -> bool:
    return all(isinstance(v, np.ndarray) for v in values)


def _refuse(field: str, value: Any, limit: Any, words: str, unit: str = " kg") -> None:
    """Raise Refused for the first value above its limit, with the text ``12 kg`` and the words. Value and
    limit can have cases."""
    value, limit = np.broadcast_arrays(value, limit)
    over = value > limit
    if over.any():
        first = tuple(np.argwhere(over)[0])
        raise Refused((field, f"{value[first]:g}{unit} {words.format(limit=float(limit[first]))}"))


def _direction(axis: Any) -> None:
    if isinstance(axis, np.ndarray) and not (np.abs(axis).max(axis=0) > 0).all():
        raise Refused(("axis", "the vector is zero. Give a direction like [0, 0, 1]"))
