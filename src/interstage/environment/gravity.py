"""Declarations of gravity: none, uniform, inverse-square, zonal harmonics, or spherical harmonics.

The module `gravity_field` evaluates these models.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import StrictBool, StrictInt, model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.errors import BadInput, Refused
from ..tree.units import si
from .coefficients import load
from .world import WGS84_MU

EGM96_MU = 3.986004415e14
"""Geocentric gravitational constant [m^3/s^2] of EGM96 (NASA/TP-1998-206861)."""
EGM96_RADIUS = 6378136.3
"""Reference radius [m] of the coefficients of EGM96 (NASA/TP-1998-206861)."""
EGM96_J2 = 0.484165371736e-3 * 5**0.5
"""J2 = -sqrt(5) C_20 of EGM96, tide free (NASA/TP-1998-206861)."""
EGM96_J3 = -0.957254173792e-6 * 7**0.5
"""J3 = -sqrt(7) C_30 of EGM96 (NASA/TP-1998-206861)."""
EGM96_J4 = -0.539873863789e-6 * 3
"""J4 = -3 C_40 of EGM96 (NASA/TP-1998-206861)."""


class NoGravity(Declaration):
    """No gravity: free space."""

    kind: Literal["none"] = "none"
    """No gravity."""


class UniformGravity(Declaration):
    """Gravity with the same acceleration at every position."""

    kind: Literal["uniform"] = "uniform"
    """The same acceleration everywhere."""
    acceleration: Annotated[Any, si("m/s^2", (3,))]
    """Acceleration of free fall [m/s^2], inertial axes."""


class Uneven(Declaration):
    """Base class of nonuniform gravity fields."""

    gradient_torque: StrictBool = False
    """Whether the gravity-gradient torque acts on bodies."""


class InverseSquareGravity(Uneven):
    """The field of a point mass or of a sphere of spherically symmetric density."""

    kind: Literal["inverse_square"] = "inverse_square"
    """The field of one spherical centre."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] = WGS84_MU
    """Gravitational constant times mass of the attracting centre [m^3/s^2]. Default: the Earth (WGS 84)."""
    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Position of the attracting centre [m], inertial axes, from the inertial origin."""


class ZonalGravity(Uneven):
    """The field of an oblate planet: the central term and zonal harmonics to degree 4. The pole is inertial
    z."""

    kind: Literal["zonal"] = "zonal"
    """Central term and zonal harmonics J2 to J4."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] = EGM96_MU
    """Gravitational constant times mass [m^3/s^2]. Default: EGM96."""
    radius: Annotated[Any, si("m", positive=True)] = EGM96_RADIUS
    """Reference radius of the coefficients [m]. Default: EGM96."""
    j2: Annotated[Any, si("1")] = EGM96_J2
    """Zonal coefficient of degree 2, not normalized. Default: EGM96."""
    j3: Annotated[Any, si("1")] = EGM96_J3
    """Zonal coefficient of degree 3, not normalized. Default: EGM96."""
    j4: Annotated[Any, si("1")] = EGM96_J4
    """Zonal coefficient of degree 4, not normalized. Default: EGM96."""
    centre: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Position of the attracting centre [m], inertial axes, from the inertial origin."""


class HarmonicGravity(Uneven):
    """A field in spherical harmonics. The field rotates with the planet about its centre."""

    kind: Literal["spherical_harmonics"] = "spherical_harmonics"
    """A field in spherical harmonics."""
    coefficients: str = "EGM96"
    """Name of a field in the package, or a .gfc file. The package has EGM96, tide free, to degree and order
    70."""
    degree: StrictInt = 20
    """Highest degree of the harmonics. 0 is the central term only."""
    order: StrictInt | None = None
    """Highest order of the harmonics. 0 is the zonal terms only. Default: the degree."""
    mu: Annotated[Any, si("m^3/s^2", positive=True)] | None = None
    """Gravitational constant times mass [m^3/s^2]. Default: from the file."""
    radius: Annotated[Any, si("m", positive=True)] | None = None
    """Reference radius of the coefficients [m]. Default: from the file."""

    def from_elsewhere(self) -> str:
        """Return a text that identifies the coefficients, which come from a file and not from the
        scenario.
        """
        return load(self.coefficients).checksum

    @model_validator(mode="after")
    def _within_the_file(self) -> HarmonicGravity:
        try:
            known = load(self.coefficients)
        except BadInput as error:
            raise Refused(("coefficients", error.problems[0].message)) from None
        if not 0 <= self.degree <= known.degree:
            raise Refused(
                (
                    "degree",
                    f"the degree {self.degree} is out of range. Give a degree from 0 to {known.degree}, "
                    f"the highest degree of {self.coefficients}",
                )
            )
        if self.order is not None and not 0 <= self.order <= self.degree:
            raise Refused(
                (
                    "order",
                    (
                        f"the order {self.order} is out of range. Give an order from 0 to the degree, "
                        f"{self.degree}"
                    ),
                )
            )
        return self


Gravity = Annotated[
    NoGravity | UniformGravity | InverseSquareGravity | ZonalGravity | HarmonicGravity, OneOf(short=True)
]
