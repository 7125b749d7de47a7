"""Atmosphere models: none, the U.S. Standard Atmosphere 1976, exponential, a profile, or NRLMSIS.

The density and the temperature of a model can have factors. `prepare` prepares the tables of a model once.
`air` evaluates the model at altitudes. All results depend on the geometric altitude only.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from ..maths.arrays import jnp
from ..tree.declaration import Declaration, OneOf
from ..tree.errors import InterstageError, Refused
from ..tree.units import si
from . import us76
from .columns import check_columns


class FactorTable(Declaration):
    """A factor that depends on altitude."""

    altitude: Annotated[Any, si("m", ("n",))]
    """Geometric altitudes [m], increasing."""
    factor: Annotated[Any, si("1", ("n",), positive=True)]
    """Factor at each altitude. Outside the table the nearest value applies."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Interpolation between the points. "smooth": a curve with continuous second derivatives that stays
    between the two nearest values. "cubic": a cubic spline, which can overshoot the two nearest values.
    "linear": straight lines."""

    @model_validator(mode="after")
    def _check(self) -> FactorTable:
        check_columns(self.altitude, {"factor": self.factor})
        return self


def _number_or_table(value: Any) -> str:
    return "FactorTable" if isinstance(value, (dict, Declaration)) else "number"


Factor = Annotated[
    Annotated[Any, si("1", positive=True)] | FactorTable,
    OneOf(_number_or_table),
]


class Dispersed(Declaration):
    """Base class of atmosphere models with dispersion factors. The pressure follows from the gas law, so
    that both factors multiply it. The atmosphere may then not be in hydrostatic balance.
    """

    density_factor: Factor = 1.0
    """Factor on the density: a number, or a table by altitude."""
    temperature_factor: Factor = 1.0
    """Factor on the temperature: a number, or a table by altitude."""


class NoAtmosphere(Declaration):
    """No atmosphere."""

    kind: Literal["none"] = "none"
    """No atmosphere."""


class USStandard1976(Dispersed):
    """The U.S. Standard Atmosphere 1976, from -5 to 1000 km."""

    kind: Literal["us76"] = "us76"
    """The U.S. Standard Atmosphere 1976."""
    top: Annotated[Any, si("m", positive=True)] = us76.TOP_OF_ALL
    """Upper end of the model [m], at most 1000 km. Many other programs end at 86 km."""
    above: Literal["zero", "hold"] = "zero"
    """Atmosphere above the top. "zero": no atmosphere. "hold": the values at 1000 km. Below -5 km the values
    at -5 km apply."""

    @model_validator(mode="after")
    def _within(self) -> USStandard1976:
        if isinstance(self.top, np.ndarray) and (self.top > us76.TOP_OF_ALL).any():
            raise Refused(
                (
                    "top",
                    (
                        f"the altitude {float(self.top.max()):g} m is above the top of the model. Give "
                        "1000 km or less"
                    ),
                )
            )
        return self


class Gas(Declaration):
    """Gas properties for speed of sound and viscosity. Default: the values of the U.S. Standard Atmosphere
    1976."""

    molar_mass: Annotated[Any, si("kg/mol", positive=True)] = us76.M0
    """Mean molar mass [kg/mol]. The molar mass has no effect if temperature, pressure and density are all
    given."""
    heat_ratio: Annotated[Any, si("1", positive=True)] = 1.4
    """Ratio of the specific heats."""
    viscosity: Annotated[Any, si("Pa s", positive=True)] = 1.458e-6 * 288.15**1.5 / (288.15 + 110.4)
    """Dynamic viscosity [Pa s] at the temperature `viscosity_at`."""
    viscosity_at: Annotated[Any, si("K", positive=True)] = 288.15
    """Reference temperature of the viscosity [K]."""
    sutherland: Annotated[Any, si("K", positive=True)] = 110.4
    """Sutherland's temperature S [K]. The viscosity is proportional to T^1.5 / (T + S) (US 1976, equation
    51)."""


class ExponentialAtmosphere(Dispersed):
    """An isothermal atmosphere without an upper end. The density decreases as exp(-altitude/scale_height)."""

    kind: Literal["exponential"] = "exponential"
    """Exponentially decreasing density."""
    scale_height: Annotated[Any, si("m", positive=True)]
    """Altitude difference [m] over which the density decreases to 1/e of its value."""
    density: Annotated[Any, si("kg/m^3", positive=True)] = 1.225
    """Density [kg/m^3] at `altitude`."""
    altitude: Annotated[Any, si("m")] = 0.0
    """Geometric altitude of the reference density [m]."""
    temperature: Annotated[Any, si("K", positive=True)] | None = None
    """Temperature [K], which determines the pressure and the speed of sound. Default: g0 M H/R*, which gives
    hydrostatic balance at standard gravity (246 K for a scale height of 7200 m)."""
    gas: Gas = Field(default_factory=Gas)
    """Properties of the gas."""


class TabulatedAtmosphere(Dispersed):
    """A profile of temperature, pressure or density by altitude, for example the profile of the day of
    flight. One, two or three of these columns can be given. Two columns give the third column by the gas law.
    Three columns are used without change. With one column, a second column follows from hydrostatic balance:
    pressure from temperature and `base_pressure`, density from pressure, or pressure from density. If only
    density is given, the hydrostatic pressure needs the density above the profile. This density decreases
    with the last scale height of the profile.
    """

    kind: Literal["table"] = "table"
    """A profile by altitude."""
    altitude: Annotated[Any, si("m", ("n",))]
    """Geometric altitudes [m], increasing."""
    temperature: Annotated[Any, si("K", ("n",), positive=True)] | None = None
    """Temperature at each altitude [K]."""
    pressure: Annotated[Any, si("Pa", ("n",), positive=True)] | None = None
    """Pressure at each altitude [Pa]."""
    density: Annotated[Any, si("kg/m^3", ("n",), positive=True)] | None = None
    """Density at each altitude [kg/m^3]."""
    base_pressure: Annotated[Any, si("Pa", positive=True)] | None = None
    """Pressure at the first altitude [Pa]. A profile of temperature alone requires this pressure. Other
    profiles do not accept it."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Interpolation of temperature, ln(pressure) and ln(density). "smooth": continuous second derivatives,
    and values between the two nearest points. "cubic": a cubic spline, which can overshoot the points.
    "linear": straight lines."""
    outside: Literal["hold", "zero", "us76"] = "hold"
    """Atmosphere outside the profile. "hold": the values at its end. "zero": no atmosphere. "us76": the U.S.
    Standard Atmosphere 1976. With "us76", the ratios of the profile to the standard at the end fade to 1 over
    `blend`."""
    blend: Annotated[Any, si("m", positive=True)] = 10e3
    """Altitude range beyond each end of the profile over which its ratios to the standard fade to 1 [m]."""
    gas: Gas = Field(default_factory=Gas)
    """Properties of the gas."""
    gravity: Annotated[Any, si("m/s^2", positive=True)] = us76.G0
    """Gravity at altitude zero [m/s^2], for hydrostatics."""
    radius: Annotated[Any, si("m", positive=True)] = us76.R0
    """Planet radius [m] for the inverse-square decrease of gravity, for hydrostatics."""

    @model_validator(mode="after")
    def _check(self) -> TabulatedAtmosphere:
        columns = {name: getattr(self, name) for name in ("temperature", "pressure", "density")}
        check_columns(self.altitude, columns)
        given = self.column_names()
        if not given:
            raise Refused(
                (
                    "",
                    (
                        "the table has no columns. Give at least one of the columns temperature, pressure "
                        "and density"
                    ),
                )
            )
        if (self.base_pressure is not None) != (given == ("temperature",)):
            raise Refused(
                (
                    "base_pressure",
                    (
                        "'base_pressure' is required for a table with temperature only. Give the pressure at "
                        "the first altitude"
                    )
                    if self.base_pressure is None
                    else "'base_pressure' applies only to a table with temperature only. Remove "
                    "'base_pressure'",
                )
            )
        if given == ("pressure",) and self.interpolation == "linear":
            raise Refused(
                (
                    "interpolation",
                    "the density would jump at every altitude of a linear table of pressure alone. Add"
                    ' temperature or density, or set interpolation = "smooth"',
                )
            )
        if len(given) == 1 and given != ("temperature",):
            _check_falling(given[0], columns[given[0]])
        if len(given) == 3:
            _check_molar_mass(*columns.values())
        return self

    def column_names(self) -> tuple[str, ...]:
        """Return the names of the columns that the table has: temperature, pressure, density, in this
        order.
        """
        names = ("temperature", "pressure", "density")
        return tuple(name for name in names if getattr(self, name) is not None)


def _check_falling(name: str, column: Any) -> None:
    if isinstance(column, np.ndarray) and not (np.diff(column, axis=0) < 0).all():
        raise Refused(
            (name, f"the {name} must decrease with altitude in hydrostatic equilibrium. Correct this column")
        )


LIGHTEST, HEAVIEST = 1e-3, 50e-3
"""Minimum and maximum molar mass [kg/mol] of a gas in a table: atomic hydrogen and carbon dioxide.

A table that implies a molar mass outside of this range is rejected.
"""


def _check_molar_mass(temperature: Any, pressure: Any, density: Any) -> None:
    if not all(isinstance(column, np.ndarray) for column in (temperature, pressure, density)):
        return
    mass = density * us76.R_STAR * temperature / pressure
    wrong = (mass < LIGHTEST) | (mass > HEAVIEST)
    if wrong.any():
        raise Refused(
            (
                "density",
                "temperature, pressure and density give a molar mass of"
                f" {float(mass[wrong].flat[0]) * 1e3:.3g};"
                f" allowed: {LIGHTEST * 1e3:g} to {HEAVIEST * 1e3:g} g/mol. Check the units of these columns",
            )
        )


class NRLMSIS(Dispersed):
    """A profile of the empirical model NRLMSIS for one location and time, from the ground to 1000 km. The
    package pymsis computes the profile before the flight (``pip install interstage[msis]``)."""

    kind: Literal["nrlmsis"] = "nrlmsis"
    """NRLMSIS profile for one location and time."""
    time: str
    """Date and time of the profile, UTC: "2024-03-20T12:00"."""
    latitude: Annotated[Any, si("rad", within=(-90, 90))]
    """Geodetic latitude of the profile [rad]."""
    longitude: Annotated[Any, si("rad")]
    """Longitude of the profile [rad], positive east."""
    f107: Annotated[Any, si("1", positive=True)]
    """Solar flux at 10.7 cm on the preceding day [1e-22 W/(m^2 Hz)]."""
    f107_average: Annotated[Any, si("1", positive=True)]
    """Mean solar flux at 10.7 cm over the 81 days around the day [1e-22 W/(m^2 Hz)]."""
    ap: Annotated[Any, si("1", nonnegative=True)]
    """Daily geomagnetic index Ap."""
    version: Literal["2.1", "2.0", "00"] = "2.1"
    """Version of the model: NRLMSIS 2.1 (Emmert et al. 2022), 2.0 (Emmert et al. 2021), or NRLMSISE-00
    (Picone et al. 2002)."""
    outside: Literal["hold", "zero"] = "zero"
    """Atmosphere above 1000 km. "hold": the values at 1000 km. "zero": no atmosphere. Below the ground the
    values at the ground apply."""

    @model_validator(mode="after")
    def _check(self) -> NRLMSIS:
        try:
            np.datetime64(self.time)
        except ValueError:
            raise Refused(
                ("time", 'the value is not a date and time. Write the time like "2024-03-20T12:00"')
            ) from None
        return self


Atmosphere = Annotated[
    NoAtmosphere | USStandard1976 | ExponentialAtmosphere | TabulatedAtmosphere | NRLMSIS, OneOf(short=True)
]


class Air(NamedTuple):
    """State of the atmosphere at altitudes of any shape: temperature [K], pressure [Pa], density [kg/m^3],
    speed of sound [m/s], dynamic viscosity [Pa s].

    Outside the range of a model that ends, pressure and density are zero. Temperature, speed of sound and
    viscosity keep their values at the edge of the model, so that divisions by them remain possible. Without
    an atmosphere, temperature, speed of sound and viscosity have the sea-level values of the U.S. Standard
    Atmosphere 1976.
    """

    temperature: Any
    pressure: Any
    density: Any
    speed_of_sound: Any
    viscosity: Any


class Ready(NamedTuple):
    """Prepared atmosphere model.

    - model: the declaration.
    - table: prepared profile (see `tabulated`), or None.
    - density_factor, temperature_factor: a number, or the interpolation knots of a table.
    """

    model: Any
    table: Any
    density_factor: Any
    temperature_factor: Any


def resolve(model: Any) -> Any:
    """Return the model that the flight uses. An NRLMSIS declaration is replaced by its profile; other models
    are returned unchanged.

    The profile is computed before the flight, outside of compiled code. Raises InterstageError if the package
    pymsis is not installed.
    """
    if isinstance(model, NRLMSIS):
        from .msis import profile

        return profile(model)
    return model


def prepare(model: Any) -> Ready:
    """Return the model with its tables prepared for interpolation. The numeric fields can be JAX tracers and
    can have case axes.

    Raises InterstageError for an NRLMSIS declaration, which `resolve` must replace first.
    """
    from . import tabulated

    if isinstance(model, NRLMSIS):
        raise InterstageError(
            "an NRLMSIS atmosphere must be computed before the flight. Call `resolve` first"
        )
    if isinstance(model, NoAtmosphere):
        return Ready(model, None, None, None)
    table = tabulated.prepare(model) if isinstance(model, TabulatedAtmosphere) else None
    return Ready(model, table, _factor(model.density_factor), _factor(model.temperature_factor))


def _factor(factor):
    from ..maths import interpolation

    if isinstance(factor, FactorTable):
        return interpolation.knots(factor.altitude, factor.factor, factor.interpolation)
    return factor


def air(ready: Ready, altitude: Any) -> Air:
    """Return the state of the atmosphere at geometric altitudes [m] (..., *cases)."""
    from . import tabulated

    z = jnp.asarray(altitude, float)
    model = ready.model
    if isinstance(model, NoAtmosphere):
        return _no_air(z)
    if isinstance(model, USStandard1976):
        logs, gas = us76.logs(z), Gas()
        present = (z <= model.top) | (model.above == "hold")
    elif isinstance(model, ExponentialAtmosphere):
        return _exponential(ready, z)
    else:
        logs, present = tabulated.logs(model, ready.table, z)
        gas = model.gas
    thin, warm = (_at(f, z) for f in (ready.density_factor, ready.temperature_factor))
    temperature = logs.temperature * warm
    there = jnp.where(present, 1.0, 0.0)
    # Logarithms avoid the division of a pressure by a density of zero.
    specific = jnp.exp(logs.ln_pressure - logs.ln_density) * warm
    return Air(
        temperature,
        jnp.exp(logs.ln_pressure) * thin * warm * there,
        jnp.exp(logs.ln_density) * thin * there,
        jnp.sqrt(gas.heat_ratio * specific),
        _viscosity(gas, temperature),
    )


def _exponential(ready: Ready, z: Any) -> Air:
    """State of an isothermal atmosphere, whose pressure and density decrease by the same exponential."""
    model: Any = ready.model
    gas, constant = model.gas, us76.R_STAR / model.gas.molar_mass
    given = model.temperature
    still = us76.G0 * model.scale_height / constant if given is None else given
    thin, warm = (_at(f, z) for f in (ready.density_factor, ready.temperature_factor))
    temperature = still * warm + jnp.zeros_like(z)
    density = model.density * jnp.exp((model.altitude - z) * (1 / model.scale_height)) * thin
    specific = constant * temperature
    return Air(
        temperature,
        density * specific,
        density,
        jnp.sqrt(gas.heat_ratio * specific),
        _viscosity(gas, temperature),
    )


def _at(factor, z):
    from ..maths import interpolation

    return interpolation.look_up(factor, z) if isinstance(factor, interpolation.Knots) else factor


def _viscosity(gas, temperature):
    """Dynamic viscosity [Pa s] by Sutherland's law."""
    ratio = temperature / gas.viscosity_at
    fall = (gas.viscosity_at + gas.sutherland) / (temperature + gas.sutherland)
    return gas.viscosity * ratio * ratio**0.5 * fall


def _no_air(z):
    """State without atmosphere. Temperature, speed of sound and viscosity have sea-level values, so that
    divisions by them are possible."""
    gas, zero = Gas(), jnp.zeros_like(z)
    temperature = zero + 288.15
    sound = math.sqrt(1.4 * us76.R_STAR / us76.M0 * 288.15)
    return Air(temperature, zero, zero, zero + sound, _viscosity(gas, temperature))


def molar_mass(air: Air) -> Any:
    """Return the mean molar mass [kg/mol] from the gas law. The density must be above zero."""
    return air.density * us76.R_STAR * air.temperature / air.pressure


def outside(model: Any, altitude: Any) -> Any:
    """Return whether altitudes [m] (..., *cases) are outside the range of the model.

    Outside of this range, the field `above` or `outside` of the declaration applies.
    """
    z = jnp.asarray(altitude, float)
    if isinstance(model, USStandard1976):
        return (z < us76.BOTTOM) | (z > model.top)
    if isinstance(model, TabulatedAtmosphere):
        table = jnp.asarray(model.altitude)
        return (z < table[0]) | (z > table[-1])
    return jnp.zeros(z.shape, bool)


def kinks(model: Any) -> list[Any]:
    """Return the altitudes [m] at which the atmosphere is not smooth: jumps of the slope of temperature,
    pressure or density, and jumps at the ends of the model.

    Each array in the list is (n) or (n, *cases), increasing.
    """
    from ..maths import interpolation

    return _standard(model) + [
        interpolation.kinks(t.altitude, t.interpolation == "linear") for t in _tables(model)
    ]


def points(model: Any) -> list[Any]:
    """Return the altitudes [m] of the layer boundaries of the standard atmosphere and of the points of
    tables.

    Each array in the list is (n) or (n, *cases), increasing.
    """
    return _standard(model) + [jnp.asarray(table.altitude) for table in _tables(model)]


def _standard(model: Any) -> list[Any]:
    """Bounds of the layers of the standard atmosphere [m], if a model uses it."""
    found: list[Any] = []
    if isinstance(model, USStandard1976) or getattr(model, "outside", "") == "us76":
        found.append(np.array([us76.BOTTOM, *us76.KINKS, us76.TOP_OF_ALL]))
    if isinstance(model, USStandard1976):
        found.append(jnp.asarray(model.top)[None])
    return found


def _tables(model: Any) -> list[Any]:
    """The tables over altitude that a model uses."""
    tables = [model] if isinstance(model, TabulatedAtmosphere) else []
    if isinstance(model, Dispersed):
        factors = model.density_factor, model.temperature_factor
        tables += [factor for factor in factors if isinstance(factor, FactorTable)]
    return tables
