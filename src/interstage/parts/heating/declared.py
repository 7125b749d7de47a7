"""Declaration of convective heating at a stagnation point, for heating limits of trajectories.

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
    """A point with convective heating by the atmosphere."""

    name: Name
    """The name of the point in paths and tables."""
    body: str
    """The name of the body. Heating is computed from its airspeed and the density of the atmosphere around
    it."""


class Nose(Heated):
    """A spherical nose."""

    nose_radius: Annotated[Any, si("m", positive=True)]
    """The radius of the nose [m]."""


class SuttonGraves(Nose):
    """Stagnation-point heat flux k sqrt(density / nose_radius) airspeed^3, by Sutton and Graves.

    Source: K. Sutton, R. A. Graves, A general stagnation-point convective-heating equation for arbitrary gas
    mixtures, NASA TR R-376 (1971), with 0.1113 kg/(s m^1.5 atm^0.5) for air, a cold wall and a strong
    shock."""

    kind: Literal["sutton_graves"] = "sutton_graves"
    """The equation of Sutton and Graves."""
    coefficient: Annotated[Any, si("1", positive=True)] = 1.7415e-4
    """The coefficient k [kg^0.5/m]. Default: 1.7415e-4, for Earth. For Mars, use 1.9027e-4."""


class Chapman(Nose):
    """Stagnation-point heat flux for Earth, by Chapman's equation.

    For a nose radius of one foot, the flux is 17600 Btu/(ft^2 s) sqrt(density / 1.225 kg/m^3) (airspeed /
    26000 ft/s)^3.15. The flux is proportional to 1/sqrt(nose_radius).

    Source: trajectory programs (POST: NASA CR-2770, 1977), after R. W. Detra, N. H. Kemp, F. R. Riddell, Jet
    Propulsion 27 (1957), p. 1256. The numbers are from such programs. They were not compared with the papers.
    The equation 5.16e-5 sqrt(density/nose_radius) airspeed^3.15 (SI) of Detra and Hidalgo, ARS Journal 31
    (1961), p. 318, gives 1 % less."""

    kind: Literal["chapman"] = "chapman"
    """Chapman's equation."""


class PowerLaw(Heated):
    """A power law of the heat flux: coefficient density^density_exponent airspeed^speed_exponent, times a
    polynomial of the angle of attack. This form is common for leading edges.

    Source: J. T. Betts, Practical Methods for Optimal Control and Estimation Using Nonlinear Programming, 2nd
    ed., SIAM 2010, section 6.1."""

    kind: Literal["power_law"] = "power_law"
    """A power law with coefficients of the user."""
    coefficient: Annotated[Any, si("1", positive=True)]
    """The heat flux [W/m^2] at a density of 1 kg/m^3 and an airspeed of 1 m/s."""
    density_exponent: Annotated[Any, si("1", positive=True)] = 0.5
    """The exponent of the density."""
    speed_exponent: Annotated[Any, si("1", positive=True)] = 3.0
    """The exponent of the airspeed."""
    incidence: Annotated[Any, si("1", ("n",))] = (1.0,)
    """The coefficients of the polynomial of the angle of attack [rad], in ascending powers from zero."""


KINDS = {"heating": (SuttonGraves, Chapman, PowerLaw)}
READ_ONLY = {"heating": ("heating",)}


def in_flight(scenario: Any) -> tuple[int, ...]:
    """Return the indices of the heated points whose heat load is used during the flight. These heat loads are
    states of the equations.
    """
    if not scenario.heating:
        return ()
    words = quantity_words(scenario)
    return tuple(k for k, one in enumerate(scenario.heating) if f"heating.{one.name}.{LOAD}" in words)


def number_of(scenario: Any, path: str) -> int | None:
    """Return the index of the heated point to which the path of a heat load belongs. Return None for all
    other paths.
    """
    paths = [f"heating.{one.name}.{LOAD}" for one in scenario.heating]
    return paths.index(path) if path in paths else None


def knows(scenario: Any, path: str) -> bool:
    """Return whether a path names a heat load that is computed after the flight."""
    number = number_of(scenario, path)
    return number is not None and number not in in_flight(scenario)


def unit_of(scenario: Any, path: str) -> str:
    """Return the SI unit of a heat load, J/m^2."""
    return METAS[LOAD].unit
