"""Guidance laws as declared: each gives the attitude that one body should have.

A law uses the position and velocity of its body, the time, and the quantities that it names. It never uses
the attitude of the body. An attitude hold can therefore follow it (`controls.x.follows`), and it can give the
attitude of a point-mass body."""

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
from ...tree.errors import Refused, Written, count_text
from ...tree.names import Name
from ...tree.units import si
from ..control.gain_schedule import Gain, Remembers, Scheduled, any_unit, check_increasing
from .functions import ELAPSED, TIME, Angle, DirectionTable, Function

ROTATIONS = {"1": "roll", "2": "pitch", "3": "yaw"}
"""Fields of the angles by the rotation axis of each."""


class GuidanceLaw(Effect):
    """Fields common to all guidance laws."""

    moment_fields: ClassVar[tuple[str, ...]] = ("since", "begins")
    from_start: ClassVar[bool] = True
    body: str
    """Name of the body whose attitude the law gives. Bodies attached to it by joints follow."""
    since: str | None = None
    """Phase, event or device action at which "elapsed" begins; "start" is the start of the flight. Before
    that time "elapsed" is zero. Default: the start of the flight or, in a mission, of the leg."""

    @property
    def begins(self) -> tuple[str, ...]:
        """Other events from which times of the law count."""
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
    """Three angles relative to selectable axes."""
    axes: Literal["inertial", "planet", "local_level", "lvlh", "air_velocity", "inertial_velocity"] = (
        "inertial"
    )
    """Reference axes of the angles. `inertial`: inertial axes. `planet`: planet-fixed axes. `local_level`:
    north, east, down. `lvlh`: z to the planet's centre, y opposite to the orbital angular momentum.
    `air_velocity`: x along the velocity relative to the atmosphere, y level to the right, z down.
    `inertial_velocity`: likewise along the inertial velocity. In vertical flight and at rest the last two are
    undefined; the axes for flight to the north are used then."""
    sequence: str = "3-2-1"
    """Order of the body-fixed rotations from those axes: "3-2-1" is yaw, pitch, roll."""
    yaw: Angle = 0.0
    """Angle of the rotation about z [rad]."""
    pitch: Angle = 0.0
    """Angle of the rotation about y [rad]."""
    roll: Angle = 0.0
    """Angle of the rotation about x [rad]."""

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
                    f"'{self.sequence[:40]}' is not an order of the three rotations. Allowed: 1 (roll),"
                    " 2 (pitch) and 3 (yaw), each once, like 3-2-1",
                )
            )
        return self


class DirectionGuidance(GuidanceLaw):
    """Direction of body x from a table of vectors, for example an optimized thrust direction."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["direction"] = "direction"
    """Inertial directions of body x from a table."""
    direction: DirectionTable
    """Table of the inertial directions."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """Inertial direction to which body y points as closely as x allows. Default: the planet's south, which
    puts z down in flight to the east."""

    @model_validator(mode="after")
    def _check(self) -> DirectionGuidance:
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(("right", "is a zero vector, which has no direction; give that of body y"))
        return self


class GravityTurn(GuidanceLaw):
    """Vertical ascent, pitch kick, then flight along the velocity relative to the atmosphere."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["gravity_turn"] = "gravity_turn"
    """Vertical ascent, pitch kick, then along the velocity relative to the atmosphere."""
    azimuth: Annotated[Any, si("rad")]
    """Azimuth of the kick [rad], from north over east. Body y always points to the right of it."""
    kick: Annotated[Any, si("rad", positive=True)] | None = None
    """Tilt from the vertical at the end of the kick [rad]. Default: no kick; x is along the velocity from the
    beginning, and up at rest."""
    kick_at: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Time at which the kick begins [s], in "elapsed". Until then x points up."""
    kick_rate: Annotated[Any, si("rad/s", positive=True)] = 0.017453292519943295
    """Tilt rate during the kick [rad/s]."""
    settle: Annotated[Any, si("s", positive=True)] = 10.0
    """Time after the kick in which x moves smoothly to the velocity [s]."""
    plane: Literal["free", "fixed"] = "free"
    """`free`: x follows the airspeed vector; wind and the rotation of the planet turn it away from the
    azimuth. `fixed`: x stays in the vertical plane of the azimuth and follows the projection of the airspeed
    vector onto this plane."""

    @model_validator(mode="after")
    def _above_the_level(self) -> GravityTurn:
        if isinstance(self.kick, np.ndarray) and np.any(self.kick >= np.pi / 2):
            text = "{kick} from the vertical is not above the horizon. Give less than 90 deg, usually a few"
            raise Refused(("kick", Written(text)))
        return self


class TangentSteering(GuidanceLaw):
    """Linear or bilinear tangent steering: tan(elevation) = (a + b t)/(c + d t), with t =
    "elapsed". It is the optimum in vacuum over flat ground. If the denominator passes through zero, the
    elevation passes through the vertical.

    Source: D. F. Lawden, Optimal Trajectories for Space Navigation (1963); A. E. Bryson and Y.-C. Ho, Applied
    Optimal Control (1975), section 2.7."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["tangent"] = "tangent"
    """Linear or bilinear tangent steering."""
    axes: Literal["local_level", "inertial"] = "local_level"
    """Reference of the elevation. local_level: the local horizon, in the vertical plane of `azimuth`.
    inertial: the direction `forward`, in the inertial plane of `forward` and `up`."""
    azimuth: Annotated[Any, si("rad")] | None = None
    """Azimuth [rad], from north over east. Required with local_level axes."""
    forward: Annotated[Any, si("1", (3,))] | None = None
    """Inertial direction of zero elevation; its component along `up` is ignored. Required with inertial
    axes."""
    up: Annotated[Any, si("1", (3,))] | None = None
    """Inertial direction of 90 deg elevation. Required with inertial axes."""
    a: Annotated[Any, si("1")]
    """Numerator at t = 0."""
    b: Annotated[Any, si("1/s")] = 0.0
    """Rate of the numerator [1/s]."""
    c: Annotated[Any, si("1")] = 1.0
    """Denominator at t = 0."""
    d: Annotated[Any, si("1/s")] = 0.0
    """Rate of the denominator [1/s]. Default: 0, linear tangent steering."""

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
                    (name, f"cannot be used with {self.axes} axes. Remove it, or choose other axes")
                )
        if isinstance(self.forward, np.ndarray) and isinstance(self.up, np.ndarray):
            across = np.linalg.norm(np.cross(self.forward, self.up, axis=0), axis=0)
            if not (across > 1e-9 * np.abs(self.forward).max() * np.abs(self.up).max()).all():
                raise Refused(
                    ("forward", "is parallel to up, or one of the two is zero. Give two different directions")
                )
        return self


class Reversals(Remembers):
    """Bank reversals: the bank changes its sign when a quantity leaves a corridor."""

    any_units: ClassVar[tuple[str, ...]] = ("about", "corridor")
    quantity: str
    """Quantity to keep in the corridor, as named in results, for example an azimuth or a crossrange. It must
    increase in a bank to the right."""
    about: Annotated[Any, any_unit()] = 0.0
    """Centre of the corridor, in SI or with its unit."""
    corridor: Gain
    """Half-width of the corridor, in SI or with its unit: a number, or a schedule over a quantity. Above the
    corridor the bank is to the left, below it to the right."""
    duration: Annotated[Any, si("s", positive=True)] = 10.0
    """Duration of a reversal [s], at constant rate."""
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
    """Bank angle about the velocity relative to the atmosphere [rad], positive to the right; with `reversals`
    its magnitude."""
    reversals: Reversals | None = None
    """Conditions of bank reversals. Default: no reversals."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Limit of |dynamic pressure times angle of attack| [Pa rad]. Default: no limit."""


class GlideGuidance(GuidanceLaw):
    """A glide to a site and along a circle around it, until an event ends it.

    The bank steers the course to the circle, see `homing`. The angle of attack follows a schedule; with
    excess energy it follows `excess_alpha`."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["glide"] = "glide"
    """A glide to a site and around it."""
    site: str
    """Name of the site, from `sites`."""
    alpha: Angle
    """Angle of attack for a long glide [rad]."""
    circle: Annotated[Any, si("m", positive=True)]
    """Radius of the circle about the site [m]. It must exceed V^2 / (g sin(bank_limit)), with the speed V of
    the straight glide there."""
    turns: Literal["left", "right"] = "left"
    """Direction in which the circle is flown."""
    bank_limit: Angle = 0.7853981633974483
    """Limit of the bank magnitude [rad], below 90 deg. In a steep descent a lower limit leaves more lift for
    the pull-up."""
    course_time: Annotated[Any, si("s", positive=True)] = 10.0
    """Time constant of the decay of course errors [s]."""
    excess_alpha: Angle | None = None
    """Angle of attack with excess energy [rad], at a lower lift-to-drag ratio. Default: only the circle
    dissipates energy."""
    glide_ratio: Annotated[Any, si("1", positive=True)] | None = None
    """Ratio of distance to the site to energy height; a lower ratio means excess energy. The energy height is
    the altitude above `altitude` plus speed^2 / (2 g0). Set it together with `excess_alpha`."""
    altitude: Annotated[Any, si("m")] = 0.0
    """Altitude at the site [m], zero of the energy height."""
    band: Annotated[Any, si("m", positive=True)] = 1000.0
    """Range of energy height [m] in which the angle of attack changes between the two schedules."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Limit of |dynamic pressure times angle of attack| [Pa rad]. Default: no limit."""

    @model_validator(mode="after")
    def _check(self) -> GlideGuidance:
        _check_bank_limit(self.bank_limit)
        if (self.excess_alpha is None) != (self.glide_ratio is None):
            missing = "excess_alpha" if self.excess_alpha is None else "glide_ratio"
            raise Refused((missing, "is required: excess_alpha and glide_ratio belong together"))
        return self


class DragProfile(Remembers):
    """Drag acceleration over speed or energy: linear interpolation; constant beyond the ends."""

    any_units: ClassVar[tuple[str, ...]] = ("points",)
    over: Literal["speed", "energy"] = "speed"
    """Independent variable: speed V relative to the atmosphere, or energy V^2/2 + g0 h with the altitude
    h."""
    points: Annotated[Any, any_unit(("n",))]
    """Speeds [m/s] or energies [m^2/s^2], increasing. The entry ends at the first."""
    value: Annotated[Any, si("m/s^2", ("n",), positive=True)]
    """Drag acceleration at each point [m/s^2]."""

    @model_validator(mode="after")
    def _check(self) -> DragProfile:
        points, value = self.points, self.value
        if not (isinstance(points, np.ndarray) and isinstance(value, np.ndarray)):
            return self
        if len(points) != len(value) or len(points) < 2:
            counts = f"has {count_text(len(value), 'entries')} for {count_text(len(points), 'points')}"
            raise Refused(("value", f"{counts}; give one drag for each of two points or more"))
        check_increasing(points)
        if not (points[0] > 0).all():
            raise Refused(
                (
                    "points",
                    "must be above zero, because an entry ends at a speed above zero. Raise the first point",
                )
            )
        return self


class EntryGuidance(GuidanceLaw):
    """An entry to a site along a drag profile over speed or energy, see `drag_tracking`.

    The bank magnitude tracks the drag, the profile is scaled to the remaining distance, and bank reversals
    control the course."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["entry"] = "entry"
    """An entry to a site along a drag profile."""
    site: str
    """Name of the site, from `sites`."""
    alpha: Angle
    """Angle of attack [rad]."""
    drag: DragProfile
    """Drag profile to track."""
    ends_at: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Distance to the site at the first point of the profile [m]."""
    corridor: Gain
    """Half-width of the corridor of the course about the direction to the site, in SI or with its unit: a
    number, or a schedule over a quantity. Outside the corridor the bank reverses."""
    bank_least: Annotated[Any, si("rad", nonnegative=True)] = 0.0
    """Minimum bank magnitude [rad]."""
    bank_most: Annotated[Any, si("rad", positive=True)] = 1.3962634015954636
    """Maximum bank magnitude [rad]."""
    bank_rate: Annotated[Any, si("rad/s", positive=True)] = 0.08726646259971647
    """Rate at which the bank changes [rad/s]."""
    first_bank: Annotated[Any, si("rad", nonnegative=True)] = 0.0
    """Bank magnitude before the drag reaches `begins_at` [rad]."""
    begins_at: Annotated[Any, si("m/s^2", positive=True)] = 0.5
    """Drag acceleration at which tracking begins [m/s^2]."""
    response: Annotated[Any, si("s", positive=True)] = 25.0
    """Time constant of drag errors [s]: the inverse of their natural frequency."""
    damping: Annotated[Any, si("1", positive=True)] = 0.9
    """Damping ratio of drag errors."""
    factors: Annotated[Any, si("1", (2,), positive=True)] = (0.5, 2.0)
    """Minimum and maximum factor on the profile."""
    keep: Annotated[Any, si("m", nonnegative=True)] = 20e3
    """Range below which the factor stays constant [m], because little can be corrected near the end."""
    within: Annotated[Any, si("1", positive=True)] = 0.2
    """Relative drag error above which a bank at its limit counts as a failure."""
    give_up_after: Annotated[Any, si("s", positive=True)] = 60.0
    """Duration of such a failure, or of a factor at its limit, after which the law reports that it gave up
    [s]. It continues at the limits."""
    period: Annotated[Any, si("s", positive=True)] = 1.0
    """Time between samples [s]. The first sample is taken when the law begins."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Limit of |dynamic pressure times angle of attack| [Pa rad]. Default: no limit."""

    @model_validator(mode="after")
    def _check(self) -> EntryGuidance:
        check_order("bank_least", self.bank_least, self.bank_most, "bank_least", "bank_most")
        if isinstance(self.bank_most, np.ndarray) and not (self.bank_most <= np.pi).all():
            text = Written("{bank_most} is more than 180 deg. Give at most 180 deg")
            raise Refused(("bank_most", text))
        if isinstance(self.factors, np.ndarray) and not (self.factors[0] < self.factors[1]).all():
            raise Refused(("factors", "the minimum is not below the maximum. Give the minimum first"))
        return self


def _check_bank_limit(limit: Any) -> None:
    limit = getattr(limit, "value", limit)
    if isinstance(limit, np.ndarray) and not ((limit > 0) & (limit < np.pi / 2)).all():
        text = "{bank_limit} is not between 0 and 90 deg. At 90 deg no lift carries the weight; give less"
        raise Refused(("bank_limit", Written(text)))


class Insertion(Declaration):
    """Target orbit of powered guidance and the cut-off point on it."""

    altitude: Annotated[Any, si("m")]
    """Altitude of the cut-off [m] above a sphere of the planet's equatorial radius."""
    perigee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the orbit's perigee [m] above the same sphere. Set it together with `apogee_altitude`. The
    cut-off is on the way from perigee to apogee."""
    apogee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the orbit's apogee [m] above the same sphere."""
    speed: Annotated[Any, si("m/s", positive=True)] | None = None
    """Inertial speed at the cut-off [m/s], in place of perigee and apogee."""
    flight_path_angle: Annotated[Any, si("rad")] | None = None
    """Inertial flight-path angle at the cut-off [rad], with `speed`. Default: 0."""
    inclination: Annotated[Any, si("rad", nonnegative=True, within=(0, 180))] | None = None
    """Inclination of the orbit [rad]. Without `node`, two planes of this inclination contain the position at
    which guidance begins; the plane with the course nearest to the present course is used. Default: the orbit
    plane at the begin of guidance."""
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
            both = "is set together with perigee_altitude and apogee_altitude. Keep speed or the altitudes"
            raise Refused(("speed", text if self.speed is None else both))
        if self.flight_path_angle is not None and self.speed is None:
            raise Refused(("flight_path_angle", "follows from perigee and apogee. Remove it, or give speed"))
        if self.node is not None and self.inclination is None:
            raise Refused(("inclination", 'is required with node; give it, like "51.6 deg"'))
        if all(isinstance(end, np.ndarray) for end in (*ends, self.altitude)):
            low, high = map(np.asarray, ends)
            if not ((low <= self.altitude) & (self.altitude <= high)).all():
                text = f"{float(np.ravel(self.altitude)[0]) / 1e3:g} km is not between perigee and apogee"
                raise Refused(("altitude", f"{text}. The orbit does not reach it; change one of the three"))
        return self


class Burn(Declaration):
    """A burn as powered guidance expects it. The guidance uses only these data of engines and masses."""

    name: Name
    """Name of the burn."""
    thrust: Annotated[Any, si("N", positive=True)]
    """Thrust [N], in vacuum."""
    isp: Annotated[Any, si("s", positive=True)]
    """Specific impulse [s], in vacuum."""
    duration: Annotated[Any, si("s", positive=True)]
    """Maximum burn time [s]."""
    mass: Annotated[Any, si("kg", positive=True)] | None = None
    """Mass of the stack when the burn begins [kg]. Required for all burns after the first. During a burn the
    mass of the simulated stack is used."""
    begins: str | None = None
    """Phase, event or device action that begins the burn. Required for all burns after the first, which
    begins with the law."""
    coast: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Coast time between the end of the previous burn and this burn [s]."""


class PoweredGuidance(GuidanceLaw):
    """Unified powered flight guidance (UPFG) to an orbit, with the thrust along body x, see `upfg`.

    The law computes the steering again at each sample from the state and the remaining burns. To cut the
    engines off, use a trigger on guidance.<name>.time_to_go, falling to zero."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["upfg"] = "upfg"
    """Powered explicit guidance to an orbit."""
    orbit: Insertion
    """Target orbit."""
    burns: Annotated[tuple[Burn, ...], ByName()]
    """Burns in the order of flight."""
    period: Annotated[Any, si("s", positive=True)] = 1.0
    """Time between samples [s]. The first sample is taken when the law begins."""
    keep: Annotated[Any, si("s", positive=True)] = 3.0
    """Time to go below which the last steering is kept [s], because little can be corrected near the end."""
    within: Annotated[Any, si("1", positive=True)] = 0.01
    """Convergence limit: relative change of the velocity to be gained from pass to pass. A sample has at most
    five passes, the first sample thirty."""
    give_up_after: Annotated[Any, si("s", positive=True)] = 20.0
    """Time without convergence, or with insufficient burns, after which the law gives up and keeps its last
    steering [s]."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """Inertial direction to which body y points as closely as x allows. Default: the planet's south, which
    puts z down in flight to the east."""

    @property
    def begins(self) -> tuple[str, ...]:
        """Events with which burns begin."""
        return tuple(burn.begins for burn in self.burns if burn.begins is not None)

    @model_validator(mode="after")
    def _check(self) -> PoweredGuidance:
        if not self.burns:
            raise Refused(("burns", "is empty. Give at least one burn with thrust, isp and duration"))
        for burn in self.burns[1:]:
            for field in ("mass", "begins"):
                if getattr(burn, field) is None:
                    raise Refused((f"burns.{burn.name}.{field}", "is required for all burns after the first"))
        for field in ("mass", "begins"):
            if getattr(self.burns[0], field) is not None:
                text = "is not allowed for the first burn, which begins with the law. Remove it"
                raise Refused((f"burns.{self.burns[0].name}.{field}", text))
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(("right", "is a zero vector, which has no direction; give that of body y"))
        return self


CALLS = {
    "__call__": Call(("t", "seen", "state"), "a quaternion (4, *cases)"),
    "start": Call(("t",), "the values kept between samples"),
    "sample": Call(("t", "seen", "state"), "the new values kept between samples"),
    "begin": Call(("t",), "the integrated state"),
    "rates": Call(("t", "seen", "state"), "its rates"),
}
"""Methods of a user's class, by name."""


class UserGuidance(GuidanceLaw):
    """A guidance law from a user's Python class in an installed package, see docs/guidance.md. The class may
    have a state of any shape. It is imported when a scenario is checked as a whole or run."""

    name: Name
    """Name of the law; its quantities are guidance.<name>."""
    kind: Literal["user"] = "user"
    """A user's Python class."""
    class_path: ClassPath = Field(alias="class")
    """Path of the class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """Arguments of the class: numbers (SI), lists of numbers, strings, true or false."""
    measures: tuple[str, ...] = ()
    """Names of the quantities passed to the class at every call, as in results. They must not depend on the
    attitude that the law gives."""
    samples: tuple[str, ...] = ()
    """Names of additional quantities passed at samples. All quantities are allowed, including loads."""
    period: Annotated[Any, si("s", positive=True)] | None = None
    """Time between samples [s]. The first sample is taken when the law begins. Default: no sampled values."""
    moving: tuple[int, ...] | None = None
    """Shape of the integrated state, with derivatives by `rates`; [] for a scalar. Default: no integrated
    state."""

    def from_elsewhere(self) -> str | None:
        """Description of the values that the class returns."""
        return user_class.fingerprint(self.class_path, self.parameters, CALLS["__call__"])

    @model_validator(mode="after")
    def _check(self) -> UserGuidance:
        if self.samples and self.period is None:
            raise Refused(
                ("samples", "are taken every `period`, which is not set. Give `period`, or use measures")
            )
        if self.moving is not None and not all(0 < n <= 1000 for n in self.moving):
            raise Refused(
                ("moving", f"{list(self.moving)} is not a shape. Give 1 to 1000 entries for each axis")
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
"""Angles of the laws, as in the names of their quantities."""


def functions_of(law: Any) -> dict[str, Any]:
    """Fields of a law that are numbers or functions of a quantity, with their values."""
    named = ((name, getattr(law, name)) for name in _FUNCTIONS.get(type(law), ()))
    return {name: function for name, function in named if function is not None}


def reads(law: Any) -> Iterator[tuple[str, str]]:
    """(field, quantity) of all quantities that a law uses, except time."""
    for path in getattr(law, "measures", ()):
        yield "measures", path
    for name, schedule in schedules(law):
        if schedule.over not in (TIME, ELAPSED):
            yield f"{name}.over", schedule.over
    reversals = reversals_of(law)
    if reversals is not None:
        yield "reversals.quantity", reversals.quantity


def schedules(law: Any) -> Iterator[tuple[str, Any]]:
    """(field, declaration) of all functions and schedules of a law."""
    corridors = {"corridor": getattr(law, "corridor", None)}
    if (reversals := reversals_of(law)) is not None:
        corridors["reversals.corridor"] = reversals.corridor
    for name, one in (functions_of(law) | corridors).items():
        if isinstance(one, (Function, Scheduled)):
            yield name, one


def reversals_of(law: Any) -> Reversals | None:
    """Bank reversals of a law, or None."""
    return getattr(law, "reversals", None)


def needs(law: Any) -> tuple[str, ...]:
    """Names of the quantities that a law uses, each once. The attitude depends on these, on position and
    velocity of its body, and on time."""
    return tuple(dict.fromkeys(path for _, path in reads(law)))


def needs_planet(law: Any) -> tuple[str, str] | None:
    """(field, value) that needs a planet, or None."""
    if isinstance(law, (GravityTurn, IncidenceGuidance, GlideGuidance, EntryGuidance, PoweredGuidance)):
        return "kind", law.kind
    axes = getattr(law, "axes", "inertial")
    return None if axes in ("inertial", "lvlh") else ("axes", axes)


BY_TIME = ("guidance",)
"""Groups that may contain functions of flight time, see `starts.saved`."""
KINDS = {
    "guidance": (
        *(AngleGuidance, DirectionGuidance, GravityTurn, TangentSteering, IncidenceGuidance),
        *(GlideGuidance, EntryGuidance, PoweredGuidance, UserGuidance),
    ),
}
