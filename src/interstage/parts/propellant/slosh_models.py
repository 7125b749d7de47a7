"""Liquid that sloshes: a part of a tank's propellant that swings as a pendulum, or on springs, across the
tank's axis.

The liquid of the tank is its slosh mass and the rest, which is fixed to the tank. At rest the two together
have the mass, the centre of mass and the inertia that the tank gives its liquid. `slosh_law` has the numbers,
`interstage.slosh` the equations of motion."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.units import si

ROOT = 1.8411837813406593
"""The first zero of the derivative of the Bessel function J1: the first lateral mode of a circle."""
STANDARD = 9.80665


class Slosh(Declaration):
    """What both kinds have. Without a table the tank must be an upright cylinder, and the numbers are those
    of the first lateral mode of a liquid without viscosity."""

    damping_ratio: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Damping of small free motion in a tank that is held, as a share of the critical one."""
    acceleration: Annotated[Any, si("m/s^2", positive=True)] = STANDARD
    """Apparent acceleration along the tank's axis [m/s^2] at which a pendulum has the damping ratio (the
    damper itself is constant), and for which the spring of a cylinder is made."""
    left: Annotated[Any, si("kg", ("n",), nonnegative=True)] | None = None
    """Propellant left [kg], increasing: the points of the table. None: the same numbers at every level."""
    share: Annotated[Any, si("1", ("n",), nonnegative=True, grow=True)] | None = None
    """Slosh mass over propellant left at each, at most 1."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Between the points: a curve with continuous second derivatives that stays between the two nearest
    values; a cubic spline, which may leave them; or straight lines."""
    displacement: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """How far the slosh mass is from its place of rest at the start [m], structural axes; what is along the
    tank's axis is left out."""
    velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Its velocity relative to the tank at the start [m/s], structural axes; likewise."""

    def columns(self) -> dict[str, Any]:
        """The columns of the table besides `left`, by name, None where there is not a table."""
        raise NotImplementedError

    @property
    def tabulated(self) -> bool:
        """Whether the numbers are given, and not those of a cylinder."""
        return self.share is not None

    def _check_table(self) -> None:
        columns = {"share": self.share, **self.columns()}
        missing = [name for name, column in columns.items() if column is None]
        if missing and len(missing) < len(columns):
            given = next(name for name, column in columns.items() if column is not None)
            raise Refused(
                (missing[0], f"is missing beside {given}; give all of {', '.join(columns)}, or none")
            )
        if missing:
            if self.left is not None:
                raise Refused(("left", f"stands alone; give {', '.join(columns)} with it, or leave it out"))
            return
        rows = 1 if self.left is None else len(self.left)
        for name, column in columns.items():
            if isinstance(column, np.ndarray) and len(column) != rows:
                of = "where there is no left" if self.left is None else f"where left has {rows}"
                raise Refused((name, f"has {len(column)} rows {of}; give one for each propellant left"))
        if isinstance(self.left, np.ndarray) and not (np.diff(self.left, axis=0) > 0).all():
            raise Refused(
                ("left", "must increase from entry to entry; sort the rows, and remove doubled ones")
            )
        if isinstance(self.share, np.ndarray) and (self.share > 1).any():
            most = float(self.share.max())
            raise Refused(("share", f"{most:g} of the propellant left is more than there is; give 1 at most"))


class Pendulum(Slosh):
    """A pendulum that hangs in the tank: its point of suspension moves with the tank, and its frequency with
    the tank's apparent acceleration."""

    kind: Literal["pendulum"] = "pendulum"
    """A pendulum, free to swing in all directions."""
    length: Annotated[Any, si("m", ("n",), positive=True, grow=True)] | None = None
    """Length of the pendulum at each propellant left [m]."""
    hinge: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """Its point of suspension at each [m], drawing coordinates of the body; it hangs from there against the
    tank's axis."""

    def columns(self) -> dict[str, Any]:
        """See `Slosh.columns`."""
        return {"length": self.length, "hinge": self.hinge}

    @model_validator(mode="after")
    def _check(self) -> Pendulum:
        self._check_table()
        if isinstance(self.displacement, np.ndarray) and isinstance(self.length, np.ndarray):
            self.check_displacement(float(self.length.min()))
        return self

    def check_displacement(self, length: float, field: str = "displacement") -> None:
        """Refuse a displacement at the start beyond the length of the pendulum [m]. field: where it
        stands."""
        far = float(np.sqrt((self.displacement**2).sum(0)).max())
        if far >= length:
            reason = f"{far:g} m is more than the pendulum's length of {length:g} m; give less"
            raise Refused((field, reason))


class SpringMass(Slosh):
    """A mass on springs that moves in the plane across the tank's axis: its frequency stays what it is,
    whatever the tank's acceleration."""

    kind: Literal["spring_mass"] = "spring_mass"
    """A mass on springs, free to move in the plane across the tank's axis."""
    frequency: Annotated[Any, si("rad/s", ("n",), nonnegative=True, grow=True)] | None = None
    """Angular frequency in a tank that is held, at each propellant left [rad/s]."""
    place: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """Place of the mass at rest at each [m], drawing coordinates of the body."""

    def columns(self) -> dict[str, Any]:
        """See `Slosh.columns`."""
        return {"frequency": self.frequency, "place": self.place}

    @model_validator(mode="after")
    def _check(self) -> SpringMass:
        self._check_table()
        return self


SloshModel = Annotated[Pendulum | SpringMass, OneOf()]
"""How a part of the liquid moves."""
