"""Guidance laws as declared: each gives the attitude that one body should have.

A law knows where its body is, how fast it moves, the time, and the quantities that it names; it never reads
how the body stands. So it can steer a body through an attitude hold that follows it (`controls.x.follows`),
and give the attitude of what flies as a point mass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from ...model import user_class
from ...model.effect import Effect
from ...model.user_class import Call, ClassPath
from ...model.values import Parameters, check_order
from ...tree.declaration import ByName, Declaration
from ...tree.errors import Refused, Written, counted
from ...tree.names import Name
from ...tree.units import si
from ..control.gain_schedule import Gain, Remembers, Scheduled, any_unit, check_increasing
from .functions import ELAPSED, TIME, Angle, DirectionTable, Function

ROTATIONS = {"1": "roll", "2": "pitch", "3": "yaw"}
"""Fields of the angles by the axis that each turns about."""


class GuidanceLaw(Effect):
    """What every guidance law has."""

    moment_fields: ClassVar[tuple[str, ...]] = ("since", "begins")
    from_start: ClassVar[bool] = True
    body: str
    """The body whose attitude it gives; what its joints hold goes with it."""
    since: str | None = None
    """Phase, event, or what a device does, from which "elapsed" counts; "start" is that of the flight, and
    None stands for the start of the flight or, in a mission, of the leg. Before, "elapsed" is zero."""

    @property
    def begins(self) -> tuple[str, ...]:
        """Other moments that it counts from."""
        return ()

    @property
    def launch_azimuth(self) -> Any:
        """Its azimuth, if it has one."""
        return getattr(self, "azimuth", None)


class AngleGuidance(GuidanceLaw):
    """An attitude by three angles, each a number, or a function of time or of any quantity."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["angles"] = "angles"
    """Three angles from axes of one's choice."""
    axes: Literal["inertial", "planet", "local_level", "lvlh", "air_velocity", "inertial_velocity"] = (
        "inertial"
    )
    """The axes that the angles start from: inertial; planet-fixed; north, east and down; local vertical,
    local horizontal (z to the centre, y against the orbital angular momentum); x along the velocity relative
    to the atmosphere, or along the inertial one, y level to the right, z down. The last two are not defined
    in vertical flight and at rest, and are as for flight to the north then."""
    sequence: str = "3-2-1"
    """The order of the body-fixed turns from those axes: "3-2-1" is yaw, pitch, roll."""
    yaw: Angle = 0.0
    """Angle [rad] of the turn about z."""
    pitch: Angle = 0.0
    """Angle [rad] of the turn about y."""
    roll: Angle = 0.0
    """Angle [rad] of the turn about x."""

    @property
    def launch_azimuth(self) -> Any:
        """Its yaw over the local level, if that is a number and the pitch a function."""
        level = self.axes == "local_level" and self.sequence.startswith("3-2")
        steered = isinstance(self.pitch, Declaration) and not isinstance(self.yaw, Declaration)
        return self.yaw if level and steered else None

    @model_validator(mode="after")
    def _check(self) -> AngleGuidance:
        if not re.fullmatch("[123]-[123]-[123]", self.sequence) or len({*self.sequence}) != 4:
            raise Refused(
                (
                    "sequence",
                    f"'{self.sequence[:40]}' is not an order of the three turns; allowed: 1 (roll), 2 (pitch)"
                    " and 3 (yaw), each once, like 3-2-1",
                )
            )
        return self


class DirectionGuidance(GuidanceLaw):
    """A direction of body x by a table of vectors, as an optimized thrust direction is given."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["direction"] = "direction"
    """Inertial directions of body x from a table."""
    direction: DirectionTable
    """The directions."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """The inertial direction to which body y points as nearly as x allows: the planet's south if not set,
    so that z is down in flight to the east."""

    @model_validator(mode="after")
    def _check(self) -> DirectionGuidance:
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(("right", "is a zero vector, which has no direction; give that of body y"))
        return self


class GravityTurn(GuidanceLaw):
    """Vertical flight, over by a kick, and then along the velocity relative to the atmosphere."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["gravity_turn"] = "gravity_turn"
    """Up, a kick, and then along the velocity."""
    azimuth: Annotated[Any, si("rad")]
    """Direction of the kick over the ground [rad], from north over east; body y is to its right all the
    time."""
    kick: Annotated[Any, si("rad", positive=True)] | None = None
    """Tilt from the vertical that the kick ends with [rad]. Default: along the velocity from the beginning
    on, up at rest."""
    kick_at: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """When the kick begins [s], in "elapsed"; x is up until then."""
    kick_rate: Annotated[Any, si("rad/s", positive=True)] = 0.017453292519943295
    """Rate of the tilt in the kick [rad/s]."""
    settle: Annotated[Any, si("s", positive=True)] = 10.0
    """Time behind the kick [s] over which x goes from there to the velocity, smoothly."""
    plane: Literal["free", "fixed"] = "free"
    """Free: x follows the airspeed vector, which wind and the rotation of the planet turn away from the
    azimuth. Fixed: x stays in the vertical plane of the azimuth, and follows the part of the airspeed vector
    in this plane."""

    @model_validator(mode="after")
    def _above_the_level(self) -> GravityTurn:
        if isinstance(self.kick, np.ndarray) and np.any(self.kick >= np.pi / 2):
            text = "{kick} from the vertical is not above the level; give less than 90 deg, mostly a few"
            raise Refused(("kick", Written(text)))
        return self


class TangentSteering(GuidanceLaw):
    """Linear or bilinear tangent steering: tan(elevation) = (a + b t)/(c + d t), t being "elapsed". It is the
    optimum without air over flat ground: D. F. Lawden, Optimal Trajectories for Space Navigation (1963), and
    A. E. Bryson and Y.-C. Ho, Applied Optimal Control (1975), section 2.7. The elevation goes on through the
    vertical where the denominator goes through zero."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["tangent"] = "tangent"
    """Linear or bilinear tangent steering."""
    axes: Literal["local_level", "inertial"] = "local_level"
    """What the elevation is over: the level of the place where the body is, in the plane of `azimuth`; or an
    inertial plane, that of `forward` and `up`."""
    azimuth: Annotated[Any, si("rad")] | None = None
    """Direction over the ground [rad], from north over east; for local_level axes."""
    forward: Annotated[Any, si("1", (3,))] | None = None
    """Inertial direction of elevation zero, as far as it is across `up`; for inertial axes."""
    up: Annotated[Any, si("1", (3,))] | None = None
    """Inertial direction of an elevation of 90 deg; for inertial axes."""
    a: Annotated[Any, si("1")]
    """Numerator at the beginning."""
    b: Annotated[Any, si("1/s")] = 0.0
    """Rate of the numerator [1/s]."""
    c: Annotated[Any, si("1")] = 1.0
    """Denominator at the beginning."""
    d: Annotated[Any, si("1/s")] = 0.0
    """Rate of the denominator [1/s]; zero is linear tangent steering."""

    @model_validator(mode="after")
    def _check(self) -> TangentSteering:
        level = self.axes == "local_level"
        wanted, others = ("azimuth",), ("forward", "up")
        for name in wanted if level else others:
            if getattr(self, name) is None:
                like = '"90 deg"' if name == "azimuth" else "a direction, [x, y, z]"
                raise Refused((name, f"is required with {self.axes} axes; give {like}"))
        for name in others if level else wanted:
            if getattr(self, name) is not None:
                raise Refused(
                    (name, f"does not go with {self.axes} axes; leave it out, or choose other axes")
                )
        if isinstance(self.forward, np.ndarray) and isinstance(self.up, np.ndarray):
            across = np.linalg.norm(np.cross(self.forward, self.up, axis=0), axis=0)
            if not (across > 1e-9 * np.abs(self.forward).max() * np.abs(self.up).max()).all():
                raise Refused(
                    ("forward", "is parallel to up, or one of the two is zero; give two directions")
                )
        return self


class Reversals(Remembers):
    """Bank to the other side whenever a quantity leaves a corridor."""

    any_units: ClassVar[tuple[str, ...]] = ("about", "corridor")
    quantity: str
    """What is to stay in the corridor and grows in a bank to the right, as named in results: an azimuth, a
    crossrange."""
    about: Annotated[Any, any_unit()] = 0.0
    """Middle of the corridor, in SI or with its unit."""
    corridor: Gain
    """Half of its width, in SI or with its unit: a number, or a schedule over a quantity. Above it the bank
    is to the left, below it to the right."""
    duration: Annotated[Any, si("s", positive=True)] = 10.0
    """Time that a reversal takes [s], from one side to the other at an even rate."""
    first: Literal["right", "left"] = "right"
    """Side of the first bank."""


class IncidenceGuidance(GuidanceLaw):
    """Angle of attack, sideslip and bank, each a number, or a function of time or of any quantity."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["incidence"] = "incidence"
    """Angle of attack, sideslip and bank."""
    alpha: Angle = 0.0
    """Angle of attack [rad]."""
    beta: Angle = 0.0
    """Sideslip [rad], positive with the wind from the right."""
    bank: Angle = 0.0
    """Bank about the velocity relative to the atmosphere [rad], positive to the right; with `reversals` its
    size."""
    reversals: Reversals | None = None
    """When the bank changes its side. Default: never."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Greatest product of dynamic pressure and angle of attack [Pa rad], to either side. Default: any."""


class GlideGuidance(GuidanceLaw):
    """A glide to a site, and around it until something ends it: bank turns the course to a circle about the
    site and along it, see `homing`; the angle of attack is a schedule, with too much energy another one."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["glide"] = "glide"
    """A glide to a site and around it."""
    site: str
    """The site, of `sites`."""
    alpha: Angle
    """Angle of attack [rad], of a long glide."""
    circle: Annotated[Any, si("m", positive=True)]
    """Radius of the circle about the site [m]: more than V^2 / (g sin(bank_limit)), V that of the straight
    glide there."""
    turns: Literal["left", "right"] = "left"
    """To which side the circle is flown."""
    bank_limit: Angle = 0.7853981633974483
    """Greatest bank to either side [rad], below a right angle: with less of it in steep descent more lift is
    left to pull up."""
    course_time: Annotated[Any, si("s", positive=True)] = 10.0
    """Time constant [s] with which errors of the course die out."""
    excess_alpha: Angle | None = None
    """Angle of attack [rad] with too much energy, of less lift over drag. If not set, only the circle
    takes energy away."""
    glide_ratio: Annotated[Any, si("1", positive=True)] | None = None
    """Distance to the site over energy height (altitude above `altitude`, and speed^2 / (2 g0)) below which
    there is too much energy; with `excess_alpha`."""
    altitude: Annotated[Any, si("m")] = 0.0
    """Altitude at the site [m] from which the energy height counts."""
    band: Annotated[Any, si("m", positive=True)] = 1000.0
    """Energy height [m] over which the angle of attack goes from one to the other."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Greatest product of dynamic pressure and angle of attack [Pa rad], to either side. Default: any."""

    @model_validator(mode="after")
    def _check(self) -> GlideGuidance:
        _check_bank_limit(self.bank_limit)
        if (self.excess_alpha is None) != (self.glide_ratio is None):
            missing = "excess_alpha" if self.excess_alpha is None else "glide_ratio"
            raise Refused((missing, "is required: excess_alpha and glide_ratio belong together"))
        return self


class DragProfile(Remembers):
    """Drag over speed or energy, by straight lines; beyond the ends that of the nearest point."""

    any_units: ClassVar[tuple[str, ...]] = ("points",)
    over: Literal["speed", "energy"] = "speed"
    """Speed relative to the atmosphere, or V^2/2 + g0 h with the altitude h."""
    points: Annotated[Any, any_unit(("n",))]
    """Values of it, increasing, [m/s] or [m^2/s^2]. The first is where the profile ends."""
    value: Annotated[Any, si("m/s^2", ("n",), positive=True)]
    """Drag over mass at each point [m/s^2]."""

    @model_validator(mode="after")
    def _check(self) -> DragProfile:
        points, value = self.points, self.value
        if not (isinstance(points, np.ndarray) and isinstance(value, np.ndarray)):
            return self
        if len(points) != len(value) or len(points) < 2:
            counts = f"has {counted(len(value), 'entries')} for {counted(len(points), 'points')}"
            raise Refused(("value", f"{counts}; give one drag for each of two points or more"))
        check_increasing(points)
        if not (points[0] > 0).all():
            raise Refused(("points", "must be more than zero: an entry ends while it still moves"))
        return self


class EntryGuidance(GuidanceLaw):
    """An entry to a site along a profile of drag over speed or energy: the bank holds the drag, the profile
    is scaled to the distance that is left, and reversals hold the course, see `drag_tracking`."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["entry"] = "entry"
    """An entry to a site along a profile of drag."""
    site: str
    """The site, of `sites`."""
    alpha: Angle
    """Angle of attack [rad]."""
    drag: DragProfile
    """The profile of drag."""
    ends_at: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Distance to the site [m] at which the first point of the profile is to be reached."""
    corridor: Gain
    """Half of the corridor of the course about the direction to the site, in SI or with its unit: a number,
    or a schedule over a quantity. Beyond it the bank goes to the other side."""
    bank_least: Annotated[Any, si("rad", nonnegative=True)] = 0.0
    """Least size of the bank [rad]."""
    bank_most: Annotated[Any, si("rad", positive=True)] = 1.3962634015954636
    """Greatest size of the bank [rad]."""
    bank_rate: Annotated[Any, si("rad/s", positive=True)] = 0.08726646259971647
    """Rate at which the bank changes [rad/s]."""
    first_bank: Annotated[Any, si("rad", nonnegative=True)] = 0.0
    """Size of the bank [rad] before there is enough drag."""
    begins_at: Annotated[Any, si("m/s^2", positive=True)] = 0.5
    """Drag over mass [m/s^2] from which it is held."""
    response: Annotated[Any, si("s", positive=True)] = 25.0
    """Time constant [s] of errors of the drag: one over the natural frequency with which they die out."""
    damping: Annotated[Any, si("1", positive=True)] = 0.9
    """Their damping ratio."""
    factors: Annotated[Any, si("1", (2,), positive=True)] = (0.5, 2.0)
    """Least and greatest factor on the profile."""
    keep: Annotated[Any, si("m", nonnegative=True)] = 20e3
    """Range [m] below which the factor stays as it is: near the end less and less can be corrected."""
    within: Annotated[Any, si("1", positive=True)] = 0.2
    """Error of the drag, as a part of it, from which on a bank at its limit counts as a failure."""
    give_up_after: Annotated[Any, si("s", positive=True)] = 60.0
    """Time [s] of such a failure, or with the factor at its limit, after which it states that it gives up; it
    flies on at the limits."""
    period: Annotated[Any, si("s", positive=True)] = 1.0
    """Time between samples [s], the first of which is taken as the law begins."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Greatest product of dynamic pressure and angle of attack [Pa rad], to either side. Default: any."""

    @model_validator(mode="after")
    def _check(self) -> EntryGuidance:
        check_order("bank_least", self.bank_least, self.bank_most, "bank_least", "bank_most")
        if isinstance(self.bank_most, np.ndarray) and not (self.bank_most <= np.pi).all():
            text = Written("{bank_most} is more than half a turn; give at most 180 deg")
            raise Refused(("bank_most", text))
        if isinstance(self.factors, np.ndarray) and not (self.factors[0] < self.factors[1]).all():
            raise Refused(("factors", "the least is not below the greatest; give the least first"))
        return self


def _check_bank_limit(limit: Any) -> None:
    limit = getattr(limit, "value", limit)
    if isinstance(limit, np.ndarray) and not ((limit > 0) & (limit < np.pi / 2)).all():
        text = "{bank_limit} must be between 0 and 90 deg, where no lift is left for the weight"
        raise Refused(("bank_limit", Written(text)))


class Insertion(Declaration):
    """The orbit in which powered guidance ends, and where on it."""

    altitude: Annotated[Any, si("m")]
    """Altitude of the cut-off [m], over the planet's equatorial radius everywhere."""
    perigee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the orbit's perigee [m], counted likewise; with `apogee_altitude`, and the cut-off on the
    way from perigee to apogee."""
    apogee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the orbit's apogee [m]."""
    speed: Annotated[Any, si("m/s", positive=True)] | None = None
    """Inertial speed at the cut-off [m/s], in place of the two."""
    flight_path_angle: Annotated[Any, si("rad")] | None = None
    """Inertial flight-path angle at the cut-off [rad], with `speed`. Default: level."""
    inclination: Annotated[Any, si("rad", nonnegative=True, within=(0, 180))] | None = None
    """Inclination of the orbit [rad]. Default: in the plane in which guidance begins. By itself, that of
    the planes through the place where guidance begins of which the course there is nearest."""
    node: Annotated[Any, si("rad")] | None = None
    """Longitude of the ascending node [rad] from inertial x, with `inclination`."""

    @model_validator(mode="after")
    def _check(self) -> Insertion:
        ends = self.perigee_altitude, self.apogee_altitude
        if (ends[0] is None) != (ends[1] is None):
            missing = "perigee_altitude" if ends[0] is None else "apogee_altitude"
            raise Refused((missing, "is required: perigee_altitude and apogee_altitude belong together"))
        if (ends[0] is None) == (self.speed is None):
            text = "is required, or perigee_altitude and apogee_altitude"
            both = "is given beside perigee_altitude and apogee_altitude; give either"
            raise Refused(("speed", text if self.speed is None else both))
        if self.flight_path_angle is not None and self.speed is None:
            raise Refused(
                ("flight_path_angle", "follows from perigee and apogee; leave it out, or give speed")
            )
        if self.node is not None and self.inclination is None:
            raise Refused(("inclination", 'is required with node; give it, like "51.6 deg"'))
        if all(isinstance(end, np.ndarray) for end in (*ends, self.altitude)):
            low, high = map(np.asarray, ends)
            if not ((low <= self.altitude) & (self.altitude <= high)).all():
                text = f"{float(np.ravel(self.altitude)[0]) / 1e3:g} km is not between perigee and apogee"
                raise Refused(("altitude", f"{text}; the orbit does not come there"))
        return self


class Burn(Declaration):
    """A burn as powered guidance expects it: it knows of engines and masses what is reported here."""

    name: Name
    """Name of the burn."""
    thrust: Annotated[Any, si("N", positive=True)]
    """Thrust [N], in vacuum."""
    isp: Annotated[Any, si("s", positive=True)]
    """Specific impulse [s], in vacuum."""
    duration: Annotated[Any, si("s", positive=True)]
    """The longest that it can burn [s]."""
    mass: Annotated[Any, si("kg", positive=True)] | None = None
    """Mass of all that it drives, as it begins [kg]; required of all but the first: of a burn that has begun
    the mass is the one that the stack has."""
    begins: str | None = None
    """Phase, event, or what a device does, with which it begins; required of all but the first, which begins
    with the law."""
    coast: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Time between the end of the burn before and this one [s]."""


class PoweredGuidance(GuidanceLaw):
    """Unified powered flight guidance (UPFG) to an orbit: thrust along body x, computed anew at each sample
    from the state and from the burns that are left, see `upfg`. It ends what it is reported to end by a
    trigger on guidance.<name>.time_to_go, falling to zero."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["upfg"] = "upfg"
    """Powered explicit guidance to an orbit."""
    orbit: Insertion
    """What is to be reached."""
    burns: Annotated[tuple[Burn, ...], ByName()]
    """The burns, in their order."""
    period: Annotated[Any, si("s", positive=True)] = 1.0
    """Time between samples [s], the first of which is taken as the law begins."""
    keep: Annotated[Any, si("s", positive=True)] = 3.0
    """Time to go [s] below which the last steering is kept: near the end less and less can be corrected."""
    within: Annotated[Any, si("1", positive=True)] = 0.01
    """Change of the velocity to be gained from pass to pass, as a part of it, up to which the guidance counts
    as converged; a sample has five passes, the first one thirty."""
    give_up_after: Annotated[Any, si("s", positive=True)] = 20.0
    """Time [s] without convergence, or with burns that do not suffice, after which it gives up and keeps its
    last steering."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """The inertial direction to which body y points as nearly as x allows: the planet's south if not set,
    so that z is down in flight to the east."""

    @property
    def begins(self) -> tuple[str, ...]:
        """Moments with which burns begin."""
        return tuple(burn.begins for burn in self.burns if burn.begins is not None)

    @model_validator(mode="after")
    def _check(self) -> PoweredGuidance:
        if not self.burns:
            raise Refused(("burns", "has none; give at least one, with thrust, isp and duration"))
        for burn in self.burns[1:]:
            for field in ("mass", "begins"):
                if getattr(burn, field) is None:
                    raise Refused((f"burns.{burn.name}.{field}", "is required of all burns but the first"))
        for field in ("mass", "begins"):
            if getattr(self.burns[0], field) is not None:
                text = "is not for the first burn, which begins with the law; leave it out"
                raise Refused((f"burns.{self.burns[0].name}.{field}", text))
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(("right", "is a zero vector, which has no direction; give that of body y"))
        return self


CALLS = {
    "__call__": Call(("t", "seen", "state"), "a quaternion (4, *lanes)"),
    "start": Call(("t",), "the values kept between samples"),
    "sample": Call(("t", "seen", "state"), "the values kept from then on"),
    "begin": Call(("t",), "the state that moves on"),
    "rates": Call(("t", "seen", "state"), "its rates"),
}
"""Methods of a user's class, by name."""


class UserGuidance(GuidanceLaw):
    """A law of the user's own: a Python class of an installed package, which may have a state of any shape,
    see docs/guidance.md. It is imported when a scenario is checked as a whole, or run."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["user"] = "user"
    """A class of the user's own."""
    class_path: ClassPath = Field(alias="class")
    """The class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """What is handed to the class: numbers (SI), lists of numbers, texts, true or false."""
    measures: tuple[str, ...] = ()
    """Names of the quantities that it is handed at every moment, as in results; none that follow from the
    attitude that it gives."""
    samples: tuple[str, ...] = ()
    """Names of those that it is handed at samples as well: any, loads, too."""
    period: Annotated[Any, si("s", positive=True)] | None = None
    """Time between samples [s], the first of which is taken as the law begins. If not set, nothing is
    kept from sample to sample."""
    moving: tuple[int, ...] | None = None
    """Shape of the state that moves on by `rates`, [] of one number. If not set, there is none."""

    def from_elsewhere(self) -> str | None:
        """What the class computes."""
        return user_class.described(self.class_path, self.parameters, CALLS["__call__"])

    @model_validator(mode="after")
    def _check(self) -> UserGuidance:
        if self.samples and self.period is None:
            raise Refused(
                ("samples", "are taken every `period`, which is not given; give it, or use measures")
            )
        if self.moving is not None and not all(0 < n <= 1000 for n in self.moving):
            raise Refused(
                ("moving", f"{list(self.moving)} is no shape; give the number of entries of each axis")
            )
        return self


_FUNCTIONS: dict[type, tuple[str, ...]] = {
    AngleGuidance: tuple(ROTATIONS.values()),
    DirectionGuidance: ("direction",),
    IncidenceGuidance: ("alpha", "beta", "bank"),
    GlideGuidance: ("alpha", "excess_alpha", "bank_limit"),
    EntryGuidance: ("alpha",),
}
ASKED: dict[type, tuple[str, ...]] = {
    AngleGuidance: tuple(ROTATIONS.values()),
    GravityTurn: ("tilt",),
    TangentSteering: ("elevation",),
    IncidenceGuidance: ("alpha", "beta", "bank"),
    GlideGuidance: ("alpha", "bank"),
    EntryGuidance: ("alpha", "bank"),
}
"""Angles that laws use, as their quantities are named."""


def functions_of(law: Any) -> dict[str, Any]:
    """What of a law is a number or a function of a quantity, by field."""
    named = ((name, getattr(law, name)) for name in _FUNCTIONS.get(type(law), ()))
    return {name: function for name, function in named if function is not None}


def reads(law: Any) -> Iterator[tuple[str, str]]:
    """(field, quantity) of all that a law uses, time left out."""
    for path in getattr(law, "measures", ()):
        yield "measures", path
    for name, schedule in schedules(law):
        if schedule.over not in (TIME, ELAPSED):
            yield f"{name}.over", schedule.over
    reversals = reversals_of(law)
    if reversals is not None:
        yield "reversals.quantity", reversals.quantity


def schedules(law: Any) -> Iterator[tuple[str, Any]]:
    """(field, declaration) of all of a law that is over something."""
    corridors = {"corridor": getattr(law, "corridor", None)}
    if (reversals := reversals_of(law)) is not None:
        corridors["reversals.corridor"] = reversals.corridor
    for name, one in (functions_of(law) | corridors).items():
        if isinstance(one, (Function, Scheduled)):
            yield name, one


def reversals_of(law: Any) -> Reversals | None:
    """When the bank of a law changes its side."""
    return getattr(law, "reversals", None)


def needs(law: Any) -> tuple[str, ...]:
    """Names of the quantities that a law uses, each once. With place and velocity of its body and the time
    they are all that its attitude follows from."""
    return tuple(dict.fromkeys(path for _, path in reads(law)))


def needs_planet(law: Any) -> tuple[str, str] | None:
    """Field, and what of it needs a planet; none where it needs none."""
    if isinstance(law, (GravityTurn, IncidenceGuidance, GlideGuidance, EntryGuidance, PoweredGuidance)):
        return "kind", law.kind
    axes = getattr(law, "axes", "inertial")
    return None if axes in ("inertial", "lvlh") else ("axes", axes)


BY_TIME = ("guidance",)
"""Groups in which functions of flight time may stand, see `flight.saved_starts`."""
KINDS = {
    "guidance": (
        *(AngleGuidance, DirectionGuidance, GravityTurn, TangentSteering, IncidenceGuidance),
        *(GlideGuidance, EntryGuidance, PoweredGuidance, UserGuidance),
    ),
}
