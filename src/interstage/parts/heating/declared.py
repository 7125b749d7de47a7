"""Heating of the stagnation point of a nose by convection, as trajectories are limited by it.

The wall is cold, the flow laminar, fast, and in equilibrium; radiation of the hot gas is left out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ...engine.asked import asked
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
    """What is heated by the atmosphere."""

    name: Name
    """Name in paths and tables."""
    body: str
    """The body that it belongs to; it is heated by the atmosphere that this body meets."""


class Nose(Heated):
    """A nose in the atmosphere."""

    nose_radius: Annotated[Any, si("m", positive=True)]
    """Radius of the nose [m]."""


class SuttonGraves(Nose):
    """Heat flux k sqrt(density / nose_radius) airspeed^3.

    K. Sutton, R. A. Graves, A general stagnation-point convective-heating equation for arbitrary gas
    mixtures, NASA TR R-376 (1971), with their 0.1113 kg/(s m^1.5 atm^0.5) of air, for a cold wall behind a
    strong shock."""

    kind: Literal["sutton_graves"] = "sutton_graves"
    """By Sutton and Graves."""
    coefficient: Annotated[Any, si("1", positive=True)] = 1.7415e-4
    """k [kg^0.5/m]: as given of the Earth's air; 1.9027e-4 of that of Mars."""


class Chapman(Nose):
    """Heat flux 17600 Btu/(ft^2 s) sqrt(density / 1.225 kg/m^3) (airspeed / 26000 ft/s)^3.15 at a nose of one
    foot, and as 1/sqrt(nose_radius) at others; of the Earth's air.

    Known as Chapman's equation in trajectory programs (POST: NASA CR-2770, 1977), after R. W. Detra, N. H.
    Kemp, F. R. Riddell, Jet Propulsion 27 (1957), p. 1256. The numbers are as such programs quote them, not
    checked against the papers; 5.16e-5 sqrt(density/nose_radius) airspeed^3.15 in SI, of Detra and Hidalgo,
    ARS Journal 31 (1961), p. 318, is 1 % less."""

    kind: Literal["chapman"] = "chapman"
    """By Chapman's equation."""


class PowerLaw(Heated):
    """Heat flux coefficient density^density_exponent airspeed^speed_exponent, times a polynomial of the angle
    of attack, as models of leading edges are fitted: J. T. Betts, Practical Methods for Optimal Control and
    Estimation Using Nonlinear Programming, 2nd ed., SIAM 2010, section 6.1."""

    kind: Literal["power_law"] = "power_law"
    """By a law of one's own."""
    coefficient: Annotated[Any, si("1", positive=True)]
    """Heat flux [W/m^2] at a density of 1 kg/m^3 and an airspeed of 1 m/s."""
    density_exponent: Annotated[Any, si("1", positive=True)] = 0.5
    """Exponent of the density."""
    speed_exponent: Annotated[Any, si("1", positive=True)] = 3.0
    """Exponent of the airspeed."""
    incidence: Annotated[Any, si("1", ("n",))] = (1.0,)
    """Coefficients of the polynomial of the angle of attack [rad], that of the power zero first."""


KINDS = {"heating": (SuttonGraves, Chapman, PowerLaw)}
READ_ONLY = {"heating": ("heating",)}


def in_flight(scenario: Any) -> tuple[int, ...]:
    """Numbers of those whose heat load the flight itself uses: these are part of its state."""
    if not scenario.heating:
        return ()
    words = asked(scenario)
    return tuple(k for k, one in enumerate(scenario.heating) if f"heating.{one.name}.{LOAD}" in words)


def number_of(scenario: Any, path: str) -> int | None:
    """Which nose a path is the heat load of; none for others."""
    paths = [f"heating.{one.name}.{LOAD}" for one in scenario.heating]
    return paths.index(path) if path in paths else None


def knows(scenario: Any, path: str) -> bool:
    """Whether a quantity is known after the flight: a heat load that is not part of its state."""
    number = number_of(scenario, path)
    return number is not None and number not in in_flight(scenario)


def unit_of(scenario: Any, path: str) -> str:
    """SI unit of a heat load."""
    return METAS[LOAD].unit
