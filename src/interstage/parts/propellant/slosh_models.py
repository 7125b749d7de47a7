"""Slosh models: a part of a tank's liquid is a pendulum or a spring mass that moves perpendicular to the
tank's axis.

The liquid consists of the slosh mass and of liquid fixed to the tank. At rest, both together have the mass,
centre of mass and inertia of the liquid. `slosh_law` has the parameters, and `slosh` the equations of
motion."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ...tree.declaration import Declaration, OneOf
from ...tree.errors import Refused
from ...tree.units import si

ROOT = 1.8411837813406593
"""First zero of the derivative of the Bessel function J1. This zero determines the first lateral mode of a
circular tank.
"""
STANDARD = 9.80665


class Slosh(Declaration):
    """Base class of the two slosh models.

    Without a table, the tank must be a cylinder. The parameters are then the parameters of the first lateral
    mode of an inviscid liquid.
    """

    damping_ratio: Annotated[Any, si("1", nonnegative=True)] = 0.0
    """Damping ratio of small free motion in a fixed tank, relative to critical damping."""
    acceleration: Annotated[Any, si("m/s^2", positive=True)] = STANDARD
    """Reference apparent acceleration (acceleration minus gravity) along the tank's axis [m/s^2]. At this
    acceleration, a pendulum (with a constant damper) has the ratio `damping_ratio`, and the springs in a
    cylinder have the slosh frequency."""
    left: Annotated[Any, si("kg", ("n",), nonnegative=True)] | None = None
    """Propellant left at each point of the table [kg], increasing. Default: constant parameters."""
    share: Annotated[Any, si("1", ("n",), nonnegative=True, grow=True)] | None = None
    """Ratio of slosh mass to propellant left at each point, at most 1."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Interpolation between the points. "smooth": a curve with continuous second derivatives that stays
    between the two nearest values. "cubic": a cubic spline, which can overshoot the two nearest values.
    "linear": straight lines."""
    displacement: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Displacement of the slosh mass from its rest position at the start [m], structural axes. The component
    along the tank's axis has no effect."""
    velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Velocity of the slosh mass relative to the tank at the start [m/s], structural axes. The component
    along the tank's axis has no effect."""

    def columns(self) -> dict[str, Any]:
        """Return the columns of the table by name, without `left` and `share`. Without a table, each column
        is None.
        """
        raise NotImplementedError

    @property
    def is_tabulated(self) -> bool:
        """True if a table gives the parameters. False if the parameters follow from the dimensions of the
        cylinder.
        """
        return self.share is not None

    def _check_table(self) -> None:
        columns = {"share": self.share, **self.columns()}
        missing = [name for name, column in columns.items() if column is None]
        if missing and len(missing) < len(columns):
            given = next(name for name, column in columns.items() if column is not None)
            raise Refused(
                (
                    missing[0],
                    (
                        f"'{missing[0]}' is missing, but {given} is set. Set all of "
                        f"{', '.join(columns)}, or none of them"
                    ),
                )
            )
        if missing:
            if self.left is not None:
                raise Refused(
                    ("left", f"'left' is set without {', '.join(columns)}. Set these keys, or remove 'left'")
                )
            return
        rows = 1 if self.left is None else len(self.left)
        for name, column in columns.items():
            if isinstance(column, np.ndarray) and len(column) != rows:
                of = "but 'left' is missing" if self.left is None else f"but 'left' has {rows} values"
                raise Refused(
                    (name, f"'{name}' has {len(column)} rows, {of}. Give one row for each value of 'left'")
                )
        if isinstance(self.left, np.ndarray) and not (np.diff(self.left, axis=0) > 0).all():
            raise Refused(
                ("left", ("'left' must be in increasing order. Sort the rows, and remove duplicates"))
            )
        if isinstance(self.share, np.ndarray) and (self.share > 1).any():
            most = float(self.share.max())
            raise Refused(("share", f"the share {most:g} is more than 1. Give a share of at most 1"))


class Pendulum(Slosh):
    """A pendulum in the tank. The hinge moves with the tank. The frequency of the pendulum depends on the
    apparent acceleration of the tank."""

    kind: Literal["pendulum"] = "pendulum"
    """A spherical pendulum."""
    length: Annotated[Any, si("m", ("n",), positive=True, grow=True)] | None = None
    """Length of the pendulum at each point [m]."""
    hinge: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """Hinge of the pendulum at each point [m], structural coordinates of the body. At rest the pendulum
    points opposite to the tank's axis."""

    def columns(self) -> dict[str, Any]:
        """Return the columns of the table by name. See `Slosh.columns`."""
        return {"length": self.length, "hinge": self.hinge}

    @model_validator(mode="after")
    def _check(self) -> Pendulum:
        self._check_table()
        if isinstance(self.displacement, np.ndarray) and isinstance(self.length, np.ndarray):
            self.check_displacement(float(self.length.min()))
        return self

    def check_displacement(self, length: float, field: str = "displacement") -> None:
        """Check that the initial displacement is below the `length` [m] of the pendulum.

        Raises Refused for a larger displacement. `field`: path of the displacement for the message.
        """
        far = float(np.sqrt((self.displacement**2).sum(0)).max())
        if far >= length:
            reason = (
                f"the displacement {far:g} m is not less than the pendulum length, {length:g} m. Give a "
                "smaller value"
            )
            raise Refused((field, reason))


class SpringMass(Slosh):
    """A mass on springs in the plane perpendicular to the tank's axis. The frequency of the mass does not
    depend on the acceleration of the tank."""

    kind: Literal["spring_mass"] = "spring_mass"
    """A mass on springs in the plane perpendicular to the tank's axis."""
    frequency: Annotated[Any, si("rad/s", ("n",), nonnegative=True, grow=True)] | None = None
    """Angular frequency of the mass in a fixed tank at each point [rad/s]."""
    place: Annotated[Any, si("m", ("n", 3), grow=True)] | None = None
    """Rest position of the mass at each point [m], structural coordinates of the body."""

    def columns(self) -> dict[str, Any]:
        """Return the columns of the table by name. See `Slosh.columns`."""
        return {"frequency": self.frequency, "place": self.place}

    @model_validator(mode="after")
    def _check(self) -> SpringMass:
        self._check_table()
        return self


SloshModel = Annotated[Pendulum | SpringMass, OneOf()]
"""Slosh model of a tank: a pendulum or a spring mass."""
