"""How a body starts: in inertial axes, over the ground, in an orbit, through a joint, or from a flight."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si
from .frames import Attitude

Axes = Literal["inertial", "planet", "level", "lvlh"]


class Incidence(Declaration):
    """The attitude over the velocity relative to the atmosphere, of a body with x forward and z down."""

    alpha: Annotated[Any, si("rad")] = 0.0
    """Angle of attack [rad]: atan2(w, u)."""
    beta: Annotated[Any, si("rad", within=(-90, 90))] = 0.0
    """Sideslip [rad]: asin(v/V), -90 to 90 deg, positive with the wind from the right."""
    bank: Annotated[Any, si("rad")] = 0.0
    """Turn about the velocity [rad], to the right, from where z lies in the velocity's vertical plane."""


class _Start(Declaration):
    """What starts in space have in common: the point meant, and how the body stands and turns."""

    of: Literal["mass_centre", "origin"] = "mass_centre"
    """The point of the body that position and velocity are about: its centre of mass or its origin."""
    attitude: Attitude | None = None
    """Orientation of the body's axes in those that `attitude_axes` names. Default: parallel to them."""
    attitude_axes: Axes = "inertial"
    """Axes that the attitude is given in: inertial; planet-fixed; level (north, east, down of the ellipsoid
    or of flat ground); lvlh (z to the planet's centre, y against the orbital angular momentum, x forward)."""
    incidence: Incidence | None = None
    """Attitude over the velocity relative to the atmosphere, in place of `attitude`."""
    angular_velocity: Annotated[Any, si("rad/s", (3,))] = (0.0, 0.0, 0.0)
    """Angular velocity relative to what `angular_velocity_relative_to` names [rad/s], in the axes that
    `angular_velocity_axes` names."""
    angular_velocity_axes: Literal["body", "inertial"] = "body"
    """Axes in which the angular velocity is given."""
    angular_velocity_relative_to: Axes = "inertial"
    """The axes that the body turns against: inertial ones, or others of those that `attitude_axes` knows,
    whose own rate is then added."""

    @model_validator(mode="after")
    def _one_attitude(self) -> _Start:
        if self.incidence is not None and (self.attitude is not None or self.attitude_axes != "inertial"):
            raise Refused(
                (
                    "incidence",
                    "gives the attitude already; leave out attitude and attitude_axes, or this",
                )
            )
        return self


class State(_Start):
    """Where a body starts, and how it moves, in inertial axes."""

    position: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Position of the point named by `of` [m], inertial axes, from the inertial origin."""
    velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Velocity of the same point [m/s], inertial axes."""


class OverGround(_Start):
    """A start over the planet: latitude, longitude and altitude, or north, east and altitude over flat
    ground, and a velocity along the local level axes (north, east, down)."""

    latitude: Annotated[Any, si("rad", within=(-90, 90))] | None = None
    """Latitude [rad], geodetic unless `latitude_kind` says otherwise."""
    longitude: Annotated[Any, si("rad")] | None = None
    """Longitude [rad], to the east."""
    altitude: Annotated[Any, si("m")] = 0.0
    """Altitude over the ellipsoid or over flat ground [m]."""
    latitude_kind: Literal["geodetic", "geocentric"] = "geodetic"
    """Geodetic: against the normal of the ellipsoid. Geocentric: against the line from the planet's centre to
    the point itself."""
    north: Annotated[Any, si("m")] | None = None
    """Distance to the north of the declared point of flat ground [m]. Default: 0."""
    east: Annotated[Any, si("m")] | None = None
    """Distance to the east of it [m]. Default: 0."""
    velocity_ned: Annotated[Any, si("m/s", (3,))] | None = None
    """Velocity to north, east and down [m/s]."""
    speed: Annotated[Any, si("m/s", nonnegative=True)] | None = None
    """Speed [m/s], in place of `velocity_ned`; neither means at rest."""
    flight_path_angle: Annotated[Any, si("rad", within=(-90, 90))] | None = None
    """Angle of the velocity over the local level [rad], -90 to 90 deg. Default: 0."""
    azimuth: Annotated[Any, si("rad")] | None = None
    """Direction of the velocity from north over east [rad]. Default: 0."""
    velocity_relative_to: Literal["planet", "inertial", "air"] = "planet"
    """What the velocity is relative to: the turning planet, inertial space, or the atmosphere (the wind is
    added)."""

    @model_validator(mode="after")
    def _one_place_and_velocity(self) -> OverGround:
        over_flat = self.north is not None or self.east is not None
        over_ellipsoid = self.latitude is not None or self.longitude is not None
        if over_flat and over_ellipsoid:
            raise Refused(
                ("", "give latitude and longitude (over a planet), or north and east (over flat ground)")
            )
        if (self.latitude is None) != (self.longitude is None):
            missing = "latitude" if self.latitude is None else "longitude"
            raise Refused((missing, "is required; latitude and longitude belong together"))
        angles = self.flight_path_angle is not None or self.azimuth is not None
        if self.velocity_ned is not None and (self.speed is not None or angles):
            raise Refused(("velocity_ned", "give it, or speed with flight_path_angle and azimuth; not both"))
        if angles and self.speed is None:
            raise Refused(("speed", "is required with flight_path_angle and azimuth, for example 250 m/s"))
        return self


class OrbitStart(_Start):
    """A start in the orbit of two bodies about the planet's centre, by its elements at the start of the
    flight. The reference plane is the equator, and nodes count from inertial x."""

    semi_major_axis: Annotated[Any, si("m")] | None = None
    """Semi-major axis [m], negative on a hyperbola; with `eccentricity`."""
    semi_latus_rectum: Annotated[Any, si("m", positive=True)] | None = None
    """Semi-latus rectum [m], in place of the axis, for any conic; with `eccentricity`."""
    perigee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the perigee over the equatorial radius [m]; with `apogee_altitude`, in place of axis and
    eccentricity."""
    apogee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the apogee over the equatorial radius [m]."""
    eccentricity: Annotated[Any, si("1", nonnegative=True)] | None = None
    """Eccentricity. Default: 0, or what perigee and apogee make it."""
    inclination: Annotated[Any, si("rad", within=(0, 180))] = 0.0
    """Inclination to the equator [rad], 0 to 180 deg."""
    node: Annotated[Any, si("rad")] = 0.0
    """Longitude of the ascending node [rad], from inertial x."""
    argument_of_periapsis: Annotated[Any, si("rad")] = 0.0
    """Argument of periapsis [rad], from the ascending node."""
    true_anomaly: Annotated[Any, si("rad")] | None = None
    """True anomaly [rad], from periapsis. Default: 0, at periapsis."""
    mean_anomaly: Annotated[Any, si("rad")] | None = None
    """Mean anomaly [rad], in place of the true one; not on a parabola."""

    @model_validator(mode="after")
    def _an_orbit(self) -> OrbitStart:
        apsides = self.perigee_altitude is not None, self.apogee_altitude is not None
        sizes = self.semi_major_axis is not None, self.semi_latus_rectum is not None, any(apsides)
        if sum(sizes) != 1:
            raise Refused(
                (
                    "",
                    "give the size of the orbit by exactly one of semi_major_axis, semi_latus_rectum, and"
                    " perigee_altitude with apogee_altitude",
                )
            )
        if any(apsides) and not all(apsides):
            missing = "apogee_altitude" if apsides[0] else "perigee_altitude"
            raise Refused((missing, "is required; perigee_altitude and apogee_altitude belong together"))
        if any(apsides) and self.eccentricity is not None:
            raise Refused(("eccentricity", "follows from perigee and apogee already; leave it out"))
        if self.true_anomaly is not None and self.mean_anomaly is not None:
            raise Refused(("mean_anomaly", "give the true anomaly or the mean one; not both"))
        self._numbers_fit()
        return self

    def _numbers_fit(self) -> None:
        low, high, axis = self.perigee_altitude, self.apogee_altitude, self.semi_major_axis
        e = np.zeros(()) if self.eccentricity is None else self.eccentricity
        f = self.true_anomaly
        if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and (high < low).any():
            raise Refused(("apogee_altitude", "must not be below perigee_altitude; exchange them"))
        if not isinstance(e, np.ndarray):
            return
        if isinstance(axis, np.ndarray) and (axis * (1 - e) <= 0).any():
            raise Refused(
                (
                    "semi_major_axis",
                    "must be positive with an eccentricity below 1 and negative above; a parabola needs"
                    " semi_latus_rectum",
                )
            )
        if self.mean_anomaly is not None and (e == 1).any():
            raise Refused(("mean_anomaly", "a parabola has none; give true_anomaly"))
        if isinstance(f, np.ndarray) and (1 + e * np.cos(f) <= 0).any():
            raise Refused(("true_anomaly", "is beyond the asymptote of this hyperbola, where no orbit is"))


class ThroughJoint(Declaration):
    """A start relative to the other body of a joint."""

    through: str
    """Name of the joint that connects this body to one that is placed."""
    displacement: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """From the parent's joint point to the child's [m], parent's joint frame."""
    rotation: Annotated[Any, si("rad", (3,))] = (0.0, 0.0, 0.0)
    """Body-fixed 1-2-3 angles of the child's joint frame in the parent's [rad], counted from the turn at
    which the joint holds or drives it."""
    relative_velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Velocity of the child's joint point as seen from the parent [m/s], parent's joint frame."""
    relative_angular_velocity: Annotated[Any, si("rad/s", (3,))] = (0.0, 0.0, 0.0)
    """Angular velocity of the child relative to the parent [rad/s], parent's joint frame."""


class FromFlight(Declaration):
    """A start taken from a saved flight, at a time or at an event. Elements of mass that have the same names
    in both have the propellant that was left then, and the planet is turned as it was then. All else begins
    anew: times, engines, devices, controls, and what displacements and downrange count from."""

    flight: str
    """The saved flight: path of its NetCDF file, as seen from the scenario file."""
    body: str | None = None
    """Name of the body in that flight. Default: the same name."""
    time: Annotated[Any, si("s", nonnegative=True)] | None = None
    """Time in that flight [s]."""
    event: str | None = None
    """Event of that flight; the state just after it is taken."""

    @model_validator(mode="after")
    def _one_moment(self) -> FromFlight:
        if (self.time is None) == (self.event is None):
            raise Refused(
                ("", "give exactly one of time and event, the moment of the saved flight to start from")
            )
        return self

    @property
    def when(self) -> str | float:
        """The event, or the time [s]."""
        return float(self.time) if self.time is not None else str(self.event)


_OWN_KEYS = {cls: {*cls.model_fields} - {*_Start.model_fields} for cls in (OverGround, OrbitStart)}


def _choose_initial(value: Any) -> str | None:
    if isinstance(value, Declaration):
        return type(value).__name__
    if not isinstance(value, dict):
        return None
    if "through" in value or "flight" in value:
        return "ThroughJoint" if "through" in value else "FromFlight"
    return next((cls.__name__ for cls, keys in _OWN_KEYS.items() if keys & value.keys()), "State")


Initial = Annotated[State | OverGround | OrbitStart | ThroughJoint | FromFlight, OneOf(_choose_initial)]
Placing = (State, OverGround, OrbitStart)
"""The starts that place a body by themselves, in the order of their simplicity."""


def is_plain(initial: Any) -> bool:
    """Whether a start is given in inertial axes throughout, so that all such starts are computed as one
    array."""
    return (
        isinstance(initial, State)
        and initial.incidence is None
        and initial.attitude_axes == "inertial"
        and initial.angular_velocity_relative_to == "inertial"
    )
