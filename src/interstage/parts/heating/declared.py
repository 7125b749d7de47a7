"""Convective heating of a stagnation point, for heating limits of trajectories.

Assumptions: cold wall, laminar hypersonic flow in equilibrium, no radiation from the hot gas."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ...engine.asked import quantity_words
from ...record.record import QuantityMeta
from ...tree.declaration import Declaration
from ...tree.names import Name
from ...tree.units import si

LOAD = "heat_load"
POINT = "stagnation point"
METAS = {
    "heat_rate": QuantityMeta("W/m^2", "heat flux at the stagnation point", reference=POINT),
    LOAD: QuantityMeta("J/m^2", "heat load at the stagnation point", reference=POINT),
}


class Heated(Declaration):
    """A point that the atmosphere heats."""

    name: Name
    """Name in paths and tables."""
    body: str
    """Name of the body; its airspeed and atmosphere give the heating."""


class Nose(Heated):
    """A spherical nose."""

    nose_radius: Annotated[Any, si("m", positive=True)]
    """Radius of the nose [m]."""


class SuttonGraves(Nose):
    """Stagnation-point heat flux k sqrt(density / nose_radius) airspeed^3, by Sutton and Graves.

    Source: K. Sutton, R. A. Graves, A general stagnation-point convective-heating equation for arbitrary gas
    mixtures, NASA TR R-376 (1971), with 0.1113 kg/(s m^1.5 atm^0.5) for air, a cold wall and a strong
    shock."""

    kind: Literal["sutton_graves"] = "sutton_graves"
    """Equation of Sutton and Graves."""
    coefficient: Annotated[Any, si("1", positive=True)] = 1.7415e-4
    """Coefficient k [kg^0.5/m]. Default: 1.7415e-4, for Earth. For Mars: 1.9027e-4."""


class Chapman(Nose):
    """Stagnation-point heat flux for Earth, by Chapman's equation.

    The flux is 17600 Btu/(ft^2 s) sqrt(density / 1.225 kg/m^3) (airspeed / 26000 ft/s)^3.15 for a nose radius
    of one foot. It is proportional to 1/sqrt(nose_radius).

    Source: Chapman's equation of trajectory programs (POST: NASA CR-2770, 1977), after R. W. Detra, N. H.
    Kemp, F. R. Riddell, Jet Propulsion 27 (1957), p. 1256. The numbers are from such programs and were not
    compared with the papers. The equation 5.16e-5 sqrt(density/nose_radius) airspeed^3.15 (SI) of Detra and
    Hidalgo, ARS Journal 31 (1961), p. 318, gives 1 % less."""

    kind: Literal["chapman"] = "chapman"
    """Chapman's equation."""


class PowerLaw(Heated):
    """Heat flux coefficient density^density_exponent airspeed^speed_exponent, times a polynomial of the angle
    of attack. Models of leading edges often have this form.

    Source: J. T. Betts, Practical Methods for Optimal Control and Estimation Using Nonlinear Programming, 2nd
    ed., SIAM 2010, section 6.1."""

    kind: Literal["power_law"] = "power_law"
    """Power law with user coefficients."""
    coefficient: Annotated[Any, si("1", positive=True)]
    """Heat flux [W/m^2] at a density of 1 kg/m^3 and an airspeed of 1 m/s."""
    density_exponent: Annotated[Any, si("1", positive=True)] = 0.5
    """Exponent of the density."""
    speed_exponent: Annotated[Any, si("1", positive=True)] = 3.0
    """Exponent of the airspeed."""
    incidence: Annotated[Any, si("1", ("n",))] = (1.0,)
    """Coefficients of the polynomial of the angle of attack [rad], in ascending powers from zero."""


KINDS = {"heating": (SuttonGraves, Chapman, PowerLaw)}
READ_ONLY = {"heating": ("heating",)}


def in_flight(scenario: Any) -> tuple[int, ...]:
    """Indices of the declarations whose heat load the flight uses. These loads are part of its state."""
    if not scenario.heating:
        return ()
    words = quantity_words(scenario)
    return tuple(k for k, one in enumerate(scenario.heating) if f"heating.{one.name}.{LOAD}" in words)


def number_of(scenario: Any, path: str) -> int | None:
    """Index of the declaration whose heat load a path names; None for other paths."""
    paths = [f"heating.{one.name}.{LOAD}" for one in scenario.heating]
    return paths.index(path) if path in paths else None


def knows(scenario: Any, path: str) -> bool:
    """Whether a quantity is a heat load that is computed after the flight, and not part of its state."""
    number = number_of(scenario, path)
    return number is not None and number not in in_flight(scenario)


def unit_of(scenario: Any, path: str) -> str:
    """SI unit of a heat load."""
    return METAS[LOAD].unit
