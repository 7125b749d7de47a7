"""Declarations of initial states of bodies: in inertial axes, over the ground, in an orbit, through a joint,
or from a saved flight.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import field_validator, model_validator

from ..tree.declaration import Declaration, OneOf
from ..tree.errors import Refused
from ..tree.units import si
from .frames import Attitude

Axes = Literal["inertial", "planet", "level", "lvlh"]


class Incidence(Declaration):
    """The attitude of a body relative to its velocity through the atmosphere. The body must have x forward
    and z down.
    """

    alpha: Annotated[Any, si("rad")] = 0.0
    """Angle of attack [rad]: atan2(w, u), with u, v, w the velocity relative to the atmosphere in body
    axes."""
    beta: Annotated[Any, si("rad", within=(-90, 90))] = 0.0
    """Sideslip [rad]: asin(v/V), -90 to 90 deg. The angle is positive if the relative wind comes from the
    right."""
    bank: Annotated[Any, si("rad")] = 0.0
    """Rotation about the velocity [rad], positive to the right. At zero, z lies in the vertical plane of the
    velocity."""


class _Start(Declaration):
    """Common fields of initial states in space: reference point, attitude and angular velocity."""

    of: Literal["mass_centre", "origin"] = "mass_centre"
    """Point of the body to which position and velocity refer: its centre of mass or its origin."""
    attitude: Attitude | None = None
    """Orientation of the body's axes in the axes of `attitude_axes`. Default: parallel."""
    attitude_axes: Axes = "inertial"
    """Outer axes of the attitude. "inertial". "planet": planet-fixed. "level": north, east, down of the
    ellipsoid or of flat ground. "lvlh": z to the planet's centre, y against the orbital angular momentum, x
    forward."""
    incidence: Incidence | None = None
    """Attitude relative to the velocity through the atmosphere, in place of `attitude`."""
    angular_velocity: Annotated[Any, si("rad/s", (3,))] = (0.0, 0.0, 0.0)
    """Angular velocity [rad/s] relative to the frame of `angular_velocity_relative_to`, in the axes of
    `angular_velocity_axes`."""
    angular_velocity_axes: Literal["body", "inertial"] = "body"
    """Axes of the components of the angular velocity."""
    angular_velocity_relative_to: Axes = "inertial"
    """Reference frame of the angular velocity: inertial, or another frame of `attitude_axes`. The rate of
    that frame is then added."""

    @model_validator(mode="after")
    def _one_attitude(self) -> _Start:
        if self.incidence is not None and (self.attitude is not None or self.attitude_axes != "inertial"):
            raise Refused(
                (
                    "incidence",
                    "'incidence' sets the attitude, but 'attitude' or 'attitude_axes' is also set. Remove"
                    " incidence, or remove the keys of the attitude",
                )
            )
        return self


class State(_Start):
    """Initial position and motion in inertial axes."""

    position: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Position of the point named by `of` [m], inertial axes, from the inertial origin."""
    velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Velocity of the point named by `of` [m/s], inertial axes."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True


class OverGround(_Start):
    """A start over the planet: a position and a velocity along the local level axes (north, east, down). The
    position is latitude, longitude and altitude, or north, east and altitude over flat ground."""

    latitude: Annotated[Any, si("rad", within=(-90, 90))] | None = None
    """Latitude [rad], geodetic or geocentric according to `latitude_kind`."""
    longitude: Annotated[Any, si("rad")] | None = None
    """Longitude [rad], positive east."""
    altitude: Annotated[Any, si("m")] = 0.0
    """Altitude over the ellipsoid or over flat ground [m]."""
    latitude_kind: Literal["geodetic", "geocentric"] = "geodetic"
    """Kind of latitude. Geodetic: angle between the normal of the ellipsoid and the equator. Geocentric:
    angle between the equator and the line from the planet's centre to the point."""
    north: Annotated[Any, si("m")] | None = None
    """Distance north of the reference point of flat ground [m]. Default: 0."""
    east: Annotated[Any, si("m")] | None = None
    """Distance east of the reference point of flat ground [m]. Default: 0."""
    velocity_ned: Annotated[Any, si("m/s", (3,))] | None = None
    """Velocity components north, east and down [m/s]."""
    speed: Annotated[Any, si("m/s", nonnegative=True)] | None = None
    """Speed [m/s], in place of `velocity_ned`. If both keys are omitted, the body is at rest."""
    flight_path_angle: Annotated[Any, si("rad", within=(-90, 90))] | None = None
    """Angle of the velocity above the local level [rad], -90 to 90 deg. Default: 0."""
    azimuth: Annotated[Any, si("rad")] | None = None
    """Direction of the velocity, clockwise from north [rad]. Default: 0."""
    velocity_relative_to: Literal["planet", "inertial", "air"] = "planet"
    """Reference of the velocity: the rotating planet, inertial space, or the atmosphere. With "air", the wind
    velocity is added to the specified velocity."""

    @property
    def rules_hold_for_cases(self) -> bool:
        """Return whether all rules between fields are applied to each case."""
        return True

    @model_validator(mode="after")
    def _one_place_and_velocity(self) -> OverGround:
        over_flat = self.north is not None or self.east is not None
        over_ellipsoid = self.latitude is not None or self.longitude is not None
        if over_flat and over_ellipsoid:
            raise Refused(
                (
                    "",
                    "'latitude' or 'longitude' is set with 'north' or 'east'. Give 'latitude' and 'longitude'"
                    " over"
                    " a planet, or north and east over flat ground",
                )
            )
        if (self.latitude is None) != (self.longitude is None):
            missing = "latitude" if self.latitude is None else "longitude"
            raise Refused((missing, f"'{missing}' is missing. Set both 'latitude' and 'longitude'"))
        angles = self.flight_path_angle is not None or self.azimuth is not None
        if self.velocity_ned is not None and (self.speed is not None or angles):
            raise Refused(
                (
                    "velocity_ned",
                    "'velocity_ned' cannot be combined with 'speed', 'flight_path_angle' or "
                    "'azimuth'. Keep one"
                    " form of the velocity",
                )
            )
        if angles and self.speed is None:
            raise Refused(
                (
                    "speed",
                    (
                        "'speed' is required with 'flight_path_angle' and 'azimuth'. Give a speed, for "
                        "example 250 m/s"
                    ),
                )
            )
        return self


class OrbitStart(_Start):
    """Initial state on a Keplerian orbit about the planet's centre, from the orbital elements at the start of
    the flight. The reference plane is the equator. Angles of nodes are measured from inertial x."""

    semi_major_axis: Annotated[Any, si("m")] | None = None
    """Semi-major axis [m], negative for a hyperbola. The semi-major axis requires `eccentricity`."""
    semi_latus_rectum: Annotated[Any, si("m", positive=True)] | None = None
    """Semi-latus rectum [m], in place of the semi-major axis, for any conic. The semi-latus rectum requires
    `eccentricity`."""
    perigee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the perigee above the equatorial radius [m], in place of the semi-major axis and the
    eccentricity. The perigee altitude requires `apogee_altitude`."""
    apogee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the apogee above the equatorial radius [m]. The apogee altitude requires
    `perigee_altitude`."""
    eccentricity: Annotated[Any, si("1", nonnegative=True)] | None = None
    """Eccentricity. Default: computed from the altitudes of perigee and apogee, if these are set; otherwise
    0."""
    inclination: Annotated[Any, si("rad", within=(0, 180))] = 0.0
    """Inclination to the equator [rad], 0 to 180 deg."""
    node: Annotated[Any, si("rad")] = 0.0
    """Longitude of the ascending node [rad], from inertial x."""
    argument_of_periapsis: Annotated[Any, si("rad")] = 0.0
    """Angle from the ascending node to the periapsis [rad]."""
    true_anomaly: Annotated[Any, si("rad")] | None = None
    """True anomaly [rad], from periapsis. Default: 0 (at periapsis)."""
    mean_anomaly: Annotated[Any, si("rad")] | None = None
    """Mean anomaly [rad], in place of the true anomaly. A parabola does not accept it."""

    @model_validator(mode="after")
    def _an_orbit(self) -> OrbitStart:
        apsides = self.perigee_altitude is not None, self.apogee_altitude is not None
        sizes = self.semi_major_axis is not None, self.semi_latus_rectum is not None, any(apsides)
        if sum(sizes) != 1:
            fault = "is set more than once" if any(sizes) else "is not set"
            raise Refused(
                (
                    "",
                    f"the size of the orbit {fault}. Give either 'semi_major_axis', or "
                    "'semi_latus_rectum', or"
                    " 'perigee_altitude' with 'apogee_altitude'",
                )
            )
        if any(apsides) and not all(apsides):
            missing = "apogee_altitude" if apsides[0] else "perigee_altitude"
            raise Refused(
                (missing, f"'{missing}' is missing. Set both 'perigee_altitude' and 'apogee_altitude'")
            )
        if any(apsides) and self.eccentricity is not None:
            raise Refused(
                (
                    "eccentricity",
                    (
                        "'eccentricity' already follows from 'perigee_altitude' and "
                        "'apogee_altitude'. Remove 'eccentricity'"
                    ),
                )
            )
        if self.true_anomaly is not None and self.mean_anomaly is not None:
            raise Refused(
                ("mean_anomaly", "'mean_anomaly' and 'true_anomaly' are both set. Remove one of these keys")
            )
        self._numbers_fit()
        return self

    def _numbers_fit(self) -> None:
        low, high, axis = self.perigee_altitude, self.apogee_altitude, self.semi_major_axis
        e = np.zeros(()) if self.eccentricity is None else self.eccentricity
        f = self.true_anomaly
        if isinstance(low, np.ndarray) and isinstance(high, np.ndarray) and (high < low).any():
            raise Refused(
                ("apogee_altitude", "'apogee_altitude' is below 'perigee_altitude'. Exchange the two values")
            )
        if not isinstance(e, np.ndarray):
            return
        if isinstance(axis, np.ndarray) and (axis * (1 - e) <= 0).any():
            raise Refused(
                (
                    "semi_major_axis",
                    "'semi_major_axis' must be positive for an eccentricity below 1, and negative for an "
                    "eccentricity above 1. A parabola needs 'semi_latus_rectum'",
                )
            )
        if self.mean_anomaly is not None and (e == 1).any():
            raise Refused(
                ("mean_anomaly", "'mean_anomaly' is not supported for a parabola. Give 'true_anomaly'")
            )
        if isinstance(f, np.ndarray) and (1 + e * np.cos(f) <= 0).any():
            raise Refused(
                (
                    "true_anomaly",
                    "'true_anomaly' is beyond the asymptote of this hyperbola. Give a smaller angle",
                )
            )


class ThroughJoint(Declaration):
    """Initial state relative to the other body of a joint."""

    through: str
    """Name of the joint that connects this body to a placed body."""
    displacement: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Vector from the parent's joint point to the child's joint point [m], parent's joint frame."""
    rotation: Annotated[Any, si("rad", (3,))] = (0.0, 0.0, 0.0)
    """Body-fixed 1-2-3 angles of the child's joint frame in the parent's joint frame [rad]. These angles are
    added to the orientation that the joint constrains or drives."""
    relative_velocity: Annotated[Any, si("m/s", (3,))] = (0.0, 0.0, 0.0)
    """Velocity of the child's joint point relative to the parent [m/s], parent's joint frame."""
    relative_angular_velocity: Annotated[Any, si("rad/s", (3,))] = (0.0, 0.0, 0.0)
    """Angular velocity of the child relative to the parent [rad/s], parent's joint frame."""


class FromFlight(Declaration):
    """Initial state from a saved flight, at a time or an event. Mass items with the same names in both
    flights keep the propellant mass of that time. The planet keeps its rotation angle. All other states are
    reset: times, engines, devices, controls, and the references of displacements and downrange.
    """

    flight: str
    """Path of the NetCDF file of the saved flight, relative to the scenario file."""
    body: str | None = None
    """Name of the body in the saved flight. Default: the name of this body."""
    time: Annotated[Any, si("s", nonnegative=True)] | None = None
    """Flight time of the saved flight at which the state is read [s]."""
    event: str | None = None
    """Event of the saved flight. The state just after the event is used."""

    @model_validator(mode="after")
    def _one_moment(self) -> FromFlight:
        if (self.time is None) == (self.event is None):
            fault = (
                "neither 'time' nor 'event' is set"
                if self.time is None
                else "'time' and 'event' are both set"
            )
            raise Refused(("", f"{fault}. Set exactly one of these keys"))
        return self

    @property
    def when(self) -> str | float:
        """Name of the event, or time [s], in the saved flight."""
        return float(self.time) if self.time is not None else str(self.event)


class FromOrbitMessage(_Start):
    """Initial position and velocity from an orbit ephemeris message of the CCSDS (OEM), at a date. The
    attitude is declared, as for other initial states.

    If the message has an inertial frame (EME2000, GCRF, ICRF, TEME), inertial x and z are the true equinox
    and pole of the date, and the planet's `angle` is the sidereal time.
    """

    file: str
    """Path of the message as keyword text (.oem), relative to the scenario file."""
    epoch: str
    """UTC date of time zero of the flight, for example "2026-11-29T12:00:00Z". States between the dates of
    the message are interpolated as the message specifies."""

    @field_validator("epoch", mode="before")
    @classmethod
    def _text(cls, value: Any) -> Any:
        return value.isoformat() if isinstance(value, datetime) else value


_OWN_KEYS = {cls: {*cls.model_fields} - {*_Start.model_fields} for cls in (OverGround, OrbitStart)}


def _choose_initial(value: Any) -> str | None:
    if isinstance(value, Declaration):
        return type(value).__name__
    if not isinstance(value, dict):
        return None
    for key, name in (("through", "ThroughJoint"), ("flight", "FromFlight"), ("file", "FromOrbitMessage")):
        if key in value:
            return name
    return next((cls.__name__ for cls, keys in _OWN_KEYS.items() if keys & value.keys()), "State")


Initial = Annotated[
    State | OverGround | OrbitStart | ThroughJoint | FromFlight | FromOrbitMessage, OneOf(_choose_initial)
]
FromFile = (FromFlight, FromOrbitMessage)
"""Classes of initial states that are read from a file before a flight."""
Placing = (State, OverGround, OrbitStart)
"""Classes of initial states that give the position of a body without a joint, simplest first."""


def is_plain(initial: Any) -> bool:
    """Return whether an initial state is given in inertial axes only. All such states are computed as one
    array.
    """
    return (
        isinstance(initial, State)
        and initial.incidence is None
        and initial.attitude_axes == "inertial"
        and initial.angular_velocity_relative_to == "inertial"
    )
