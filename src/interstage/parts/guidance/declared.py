"""Declaration of guidance laws. A guidance law commands the attitude of one body.

A law uses the position and velocity of its body, the time, and the quantities that it names. A law never uses
the attitude of its body. An attitude control law can follow a guidance law (`controls.x.follows`). A guidance
law can also define the attitude of a point-mass body.
"""

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
from ...tree.errors import Refused, Written
from ...tree.names import Name
from ...tree.sentences import count_text
from ...tree.units import si
from ..control.gain_schedule import Gain, Remembers, Scheduled, any_unit, check_increasing
from .functions import ELAPSED, TIME, Angle, DirectionTable, Function

ROTATIONS = {"1": "roll", "2": "pitch", "3": "yaw"}
"""The name of the angle field for each digit of a rotation sequence."""


class GuidanceLaw(Effect):
    """Fields common to all guidance laws."""

    moment_fields: ClassVar[tuple[str, ...]] = ("since", "begins")
    from_start: ClassVar[bool] = True
    body: str
    """Name of the body whose attitude the law commands. Bodies that joints attach to this body follow its
    attitude."""
    since: str | None = None
    """Phase, event or device action at which the time "elapsed" begins. "start": the start of the flight.
    Before this time, "elapsed" is zero. Default: the start of the flight or of the leg."""

    @property
    def begins(self) -> tuple[str, ...]:
        """Names of the events, other than `since`, from which the law measures times."""
        return ()

    @property
    def launch_azimuth(self) -> Any:
        """Launch azimuth of the law [rad]; None for a law without a launch azimuth."""
        return getattr(self, "azimuth", None)


class AngleGuidance(GuidanceLaw):
    """An attitude that three angles define. Each angle is a number, or a function of time or of any
    quantity."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["angles"] = "angles"
    """Three angles relative to selectable axes."""
    axes: Literal["inertial", "planet", "local_level", "lvlh", "air_velocity", "inertial_velocity"] = (
        "inertial"
    )
    """Reference axes of the angles. "inertial": inertial axes. "planet": planet-fixed axes. "local_level":
    north, east, down. "lvlh": z to the planet's centre, y opposite to the orbital angular momentum.
    "air_velocity": x along the velocity relative to the atmosphere, y horizontal to the right, z down.
    "inertial_velocity": like "air_velocity", but x along the inertial velocity. At rest and in vertical
    flight, "air_velocity" and "inertial_velocity" are the axes for flight to the north."""
    sequence: str = "3-2-1"
    """Order of the body-fixed rotations from the reference axes: "3-2-1" is yaw, pitch, roll."""
    yaw: Angle = 0.0
    """Angle of the rotation about z [rad]."""
    pitch: Angle = 0.0
    """Angle of the rotation about y [rad]."""
    roll: Angle = 0.0
    """Angle of the rotation about x [rad]."""

    @property
    def launch_azimuth(self) -> Any:
        """The yaw angle [rad], if it is the launch azimuth; otherwise None. The yaw angle is the launch
        azimuth if the axes are `local_level`, yaw is a number, and pitch is a function.
        """
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
    """A direction of body x from a table of vectors, for example an optimized thrust direction."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["direction"] = "direction"
    """Direction of body x from a table of inertial vectors."""
    direction: DirectionTable
    """Table of inertial vectors along body x."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """Inertial direction that determines the rotation about body x: body y is as close as possible to this
    direction. Default: the direction of the planet's south pole, so that body z is down in eastward
    flight."""

    @model_validator(mode="after")
    def _check(self) -> DirectionGuidance:
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(
                ("right", ("'right' is a zero vector, which has no direction. Give the direction of body y"))
            )
        return self


class GravityTurn(GuidanceLaw):
    """A vertical ascent, a pitch kick, and then flight along the velocity relative to the atmosphere."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["gravity_turn"] = "gravity_turn"
    """Vertical ascent, pitch kick, and then flight along the velocity relative to the atmosphere."""
    azimuth: Annotated[Any, si("rad")]
    """Azimuth of the pitch kick [rad], from north over east. Body y points to the right of this azimuth."""
    kick: Annotated[Any, si("rad", positive=True)] | None = None
    """Tilt of body x from the vertical at the end of the kick [rad]. Default: no kick. Without a kick, body x
    is along the velocity from the start, and points up at rest."""
    kick_at: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Time of the start of the kick [s], in the time "elapsed". Before the kick, body x points up."""
    kick_rate: Annotated[Any, si("rad/s", positive=True)] = 0.017453292519943295
    """Tilt rate during the kick [rad/s]."""
    settle: Annotated[Any, si("s", positive=True)] = 10.0
    """Time after the kick in which body x moves smoothly to the velocity [s]."""
    plane: Literal["free", "fixed"] = "free"
    """Plane of the flight. "free": body x follows the airspeed vector. Wind and the planet's rotation turn
    this vector away from the azimuth. "fixed": body x follows the projection of the airspeed vector onto the
    vertical plane of the azimuth."""

    @model_validator(mode="after")
    def _above_the_level(self) -> GravityTurn:
        if isinstance(self.kick, np.ndarray) and np.any(self.kick >= np.pi / 2):
            text = (
                "{kick} from the vertical is not above the horizon. Give less than 90 deg, usually a few deg"
            )
            raise Refused(("kick", Written(text)))
        return self


class TangentSteering(GuidanceLaw):
    """Linear or bilinear tangent steering: tan(elevation) = (a + b t)/(c + d t), with t = "elapsed". This
    steering is the optimum in vacuum over flat ground. When the denominator passes through zero, the
    elevation passes through the vertical.

    Source: D. F. Lawden, Optimal Trajectories for Space Navigation (1963); A. E. Bryson and Y.-C. Ho, Applied
    Optimal Control (1975), section 2.7."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["tangent"] = "tangent"
    """Linear or bilinear tangent steering."""
    axes: Literal["local_level", "inertial"] = "local_level"
    """Reference of the elevation. "local_level": the local horizon, in the vertical plane of `azimuth`.
    "inertial": the direction `forward`, in the inertial plane of `forward` and `up`."""
    azimuth: Annotated[Any, si("rad")] | None = None
    """Azimuth [rad], from north over east. Required with local_level axes."""
    forward: Annotated[Any, si("1", (3,))] | None = None
    """Inertial direction of zero elevation; its component along `up` is ignored. Required with inertial
    axes."""
    up: Annotated[Any, si("1", (3,))] | None = None
    """Inertial direction of 90 deg elevation. Required with inertial axes."""
    a: Annotated[Any, si("1")]
    """Numerator a at t = 0."""
    b: Annotated[Any, si("1/s")] = 0.0
    """Rate b of the numerator [1/s]."""
    c: Annotated[Any, si("1")] = 1.0
    """Denominator c at t = 0."""
    d: Annotated[Any, si("1/s")] = 0.0
    """Rate d of the denominator [1/s]. Default: 0, linear tangent steering."""

    @model_validator(mode="after")
    def _check(self) -> TangentSteering:
        level = self.axes == "local_level"
        wanted, others = ("azimuth",), ("forward", "up")
        for name in wanted if level else others:
            if getattr(self, name) is None:
                like = 'an angle like "90 deg"' if name == "azimuth" else "a direction like [1, 0, 0]"
                raise Refused((name, f"'{name}' is required with axes = \"{self.axes}\". Give {like}"))
        for name in others if level else wanted:
            if getattr(self, name) is not None:
                raise Refused(
                    (
                        name,
                        (
                            f"'{name}' cannot be used with axes = \"{self.axes}\". Remove this key, "
                            "or change axes"
                        ),
                    )
                )
        if isinstance(self.forward, np.ndarray) and isinstance(self.up, np.ndarray):
            across = np.linalg.norm(np.cross(self.forward, self.up, axis=0), axis=0)
            if not (across > 1e-9 * np.abs(self.forward).max() * np.abs(self.up).max()).all():
                raise Refused(
                    (
                        "forward",
                        (
                            "'forward' is parallel to up, or one of the two is zero. Give two "
                            "different directions"
                        ),
                    )
                )
        return self


class Reversals(Remembers):
    """Bank reversals: when a quantity leaves a corridor, the bank changes its sign."""

    any_units: ClassVar[tuple[str, ...]] = ("about", "corridor")
    quantity: str
    """Quantity that the reversals keep in the corridor, by its name in the results, for example an azimuth or
    a crossrange. The quantity must increase during a bank to the right."""
    about: Annotated[Any, any_unit()] = 0.0
    """Centre of the corridor, with a unit. A number without a unit is SI."""
    corridor: Gain
    """Half-width of the corridor: a number, or a schedule over a quantity. A number without a unit is SI.
    Above the corridor, the bank is to the left. Below the corridor, the bank is to the right."""
    duration: Annotated[Any, si("s", positive=True)] = 10.0
    """Duration of a reversal [s]. The rate is constant."""
    first: Literal["right", "left"] = "right"
    """Side of the first bank: right or left."""


class IncidenceGuidance(GuidanceLaw):
    """An attitude that angle of attack, sideslip and bank define. Each angle is a number, or a function of
    time or of any quantity."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["incidence"] = "incidence"
    """Angle of attack, sideslip and bank."""
    alpha: Angle = 0.0
    """Angle of attack [rad]."""
    beta: Angle = 0.0
    """Sideslip angle [rad], positive with the wind from the right."""
    bank: Angle = 0.0
    """Bank angle about the velocity relative to the atmosphere [rad], positive to the right. With
    `reversals`, this is the magnitude of the bank."""
    reversals: Reversals | None = None
    """Conditions of bank reversals. Default: no reversals."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Limit of |dynamic pressure times angle of attack| [Pa rad]. Default: no limit."""


class GlideGuidance(GuidanceLaw):
    """A glide to a site, and then along a circle around the site, until an event ends the law.

    The bank angle steers the course to the circle, see `homing`. The angle of attack follows `alpha`, and
    with excess energy `excess_alpha`."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["glide"] = "glide"
    """A glide to a site and along a circle around it."""
    site: str
    """Name of the site in `sites`."""
    alpha: Angle
    """Angle of attack for a long glide [rad]."""
    circle: Annotated[Any, si("m", positive=True)]
    """Radius of the circle about the site [m]. The radius must exceed V^2 / (g sin(bank_limit)), where V is
    the speed at the transition from the straight glide to the circle."""
    turns: Literal["left", "right"] = "left"
    """Direction of the turn on the circle: left or right."""
    bank_limit: Angle = 0.7853981633974483
    """Maximum magnitude of the bank [rad], below 90 deg. In a steep descent, a lower limit gives more lift to
    the pull-up."""
    course_time: Annotated[Any, si("s", positive=True)] = 10.0
    """Time constant of the decay of course errors [s]."""
    excess_alpha: Angle | None = None
    """Angle of attack for excess energy [rad], with a lower lift-to-drag ratio. Default: only the circle
    dissipates energy."""
    glide_ratio: Annotated[Any, si("1", positive=True)] | None = None
    """Ratio of the distance to the site to the energy height. Below this ratio, the energy is in excess. The
    energy height is the height above `altitude` plus speed^2 / (2 g0). Set it together with
    `excess_alpha`."""
    altitude: Annotated[Any, si("m")] = 0.0
    """Altitude of the site [m]. The energy height is zero at rest at this altitude."""
    band: Annotated[Any, si("m", positive=True)] = 1000.0
    """Range of energy height [m] over which the angle of attack changes from `alpha` to `excess_alpha`."""
    q_alpha_limit: Annotated[Any, si("Pa rad", positive=True)] | None = None
    """Limit of |dynamic pressure times angle of attack| [Pa rad]. Default: no limit."""

    @model_validator(mode="after")
    def _check(self) -> GlideGuidance:
        _check_bank_limit(self.bank_limit)
        if (self.excess_alpha is None) != (self.glide_ratio is None):
            missing = "excess_alpha" if self.excess_alpha is None else "glide_ratio"
            raise Refused(
                (
                    missing,
                    f"'{missing}' is missing. Set 'excess_alpha' and 'glide_ratio' together, or remove both",
                )
            )
        return self


class DragProfile(Remembers):
    """Drag acceleration over speed or energy, with linear interpolation; constant beyond the ends."""

    any_units: ClassVar[tuple[str, ...]] = ("points",)
    over: Literal["speed", "energy"] = "speed"
    """Independent variable: the speed V relative to the atmosphere, or the energy V^2/2 + g0 h with the
    altitude h."""
    points: Annotated[Any, any_unit(("n",))]
    """Speeds [m/s] or energies [m^2/s^2], increasing. The entry ends at the first point."""
    value: Annotated[Any, si("m/s^2", ("n",), positive=True)]
    """Drag acceleration at each point [m/s^2]."""

    @model_validator(mode="after")
    def _check(self) -> DragProfile:
        points, value = self.points, self.value
        if not (isinstance(points, np.ndarray) and isinstance(value, np.ndarray)):
            return self
        if len(points) != len(value) or len(points) < 2:
            counts = f"has {count_text(len(value), 'entries')} for {count_text(len(points), 'points')}"
            raise Refused(("value", f"{counts}. Give at least two points, and one drag value for each point"))
        check_increasing(points)
        if not (points[0] > 0).all():
            raise Refused(
                (
                    "points",
                    "'points' must be above zero, because the final speed of an entry is above zero. Raise "
                    "the first point",
                )
            )
        return self


class EntryGuidance(GuidanceLaw):
    """An entry to a site along a profile of drag over speed or energy, see `drag_tracking`.

    The magnitude of the bank angle is controlled so that the drag follows the profile. The law scales the
    profile to the remaining distance. Bank reversals control the course."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["entry"] = "entry"
    """An entry to a site along a drag profile."""
    site: str
    """Name of the site in `sites`."""
    alpha: Angle
    """Angle of attack [rad]."""
    drag: DragProfile
    """Drag profile that the law tracks."""
    ends_at: Annotated[Any, si("m", nonnegative=True)] = 0.0
    """Distance to the site at the first point of the profile [m]."""
    corridor: Gain
    """Half-width of the corridor of the course about the direction to the site: a number, or a schedule over
    a quantity. A number without a unit is SI. Outside of the corridor the bank reverses."""
    bank_least: Annotated[Any, si("rad", nonnegative=True)] = 0.0
    """Minimum magnitude of the bank [rad]."""
    bank_most: Annotated[Any, si("rad", positive=True)] = 1.3962634015954636
    """Maximum magnitude of the bank [rad]."""
    bank_rate: Annotated[Any, si("rad/s", positive=True)] = 0.08726646259971647
    """Rate of the bank angle during changes [rad/s]."""
    first_bank: Annotated[Any, si("rad", nonnegative=True)] = 0.0
    """Magnitude of the bank before the drag reaches `begins_at` [rad]."""
    begins_at: Annotated[Any, si("m/s^2", positive=True)] = 0.5
    """Drag acceleration at which the tracking begins [m/s^2]."""
    response: Annotated[Any, si("s", positive=True)] = 25.0
    """Time constant of drag errors [s]: the inverse of their natural angular frequency."""
    damping: Annotated[Any, si("1", positive=True)] = 0.9
    """Damping ratio of drag errors."""
    factors: Annotated[Any, si("1", (2,), positive=True)] = (0.5, 2.0)
    """Minimum and maximum of the factor on the profile."""
    keep: Annotated[Any, si("m", nonnegative=True)] = 20e3
    """Remaining range below which the factor stays constant [m], because late corrections have little
    effect."""
    within: Annotated[Any, si("1", positive=True)] = 0.2
    """Relative drag error above which the law counts as failed if the bank is at a limit."""
    give_up_after: Annotated[Any, si("s", positive=True)] = 60.0
    """Duration of a failure, or of a factor at its limit, after which the law gives up [s]. The run prints a
    warning, and the law continues at its limits."""
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
        text = (
            "{bank_limit} is not between 0 and 90 deg. At 90 deg the lift has no vertical part. Give a"
            " smaller angle"
        )
        raise Refused(("bank_limit", Written(text)))


class Insertion(Declaration):
    """Target orbit of powered guidance, and the point of the cut-off on this orbit."""

    altitude: Annotated[Any, si("m")]
    """Altitude of the cut-off [m] above a sphere with the planet's equatorial radius."""
    perigee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the perigee of the orbit [m] above the same sphere. Set it together with `apogee_altitude`.
    The cut-off is on the part of the orbit from perigee to apogee."""
    apogee_altitude: Annotated[Any, si("m")] | None = None
    """Altitude of the apogee of the orbit [m] above the same sphere."""
    speed: Annotated[Any, si("m/s", positive=True)] | None = None
    """Inertial speed at the cut-off [m/s], in place of perigee and apogee."""
    flight_path_angle: Annotated[Any, si("rad")] | None = None
    """Inertial flight-path angle at the cut-off [rad], with `speed`. Default: 0."""
    inclination: Annotated[Any, si("rad", nonnegative=True, within=(0, 180))] | None = None
    """Inclination of the orbit [rad]. Default: the orbit plane at the start of guidance. Without `node`, two
    planes of this inclination contain the initial position; the law uses the plane with the course nearest to
    the initial course."""
    node: Annotated[Any, si("rad")] | None = None
    """Longitude of the ascending node [rad], measured from inertial x. Requires `inclination`."""

    @model_validator(mode="after")
    def _check(self) -> Insertion:
        ends = self.perigee_altitude, self.apogee_altitude
        if (ends[0] is None) != (ends[1] is None):
            missing = "perigee_altitude" if ends[0] is None else "apogee_altitude"
            raise Refused(
                (
                    missing,
                    (
                        f"'{missing}' is missing. Set 'perigee_altitude' and 'apogee_altitude' together, "
                        "or neither"
                    ),
                )
            )
        if (ends[0] is None) == (self.speed is None):
            text = "'speed' is missing. Set 'speed', or set 'perigee_altitude' and 'apogee_altitude'"
            both = (
                "'speed' is set together with 'perigee_altitude' and 'apogee_altitude'. Remove 'speed' or "
                "these altitudes"
            )
            raise Refused(("speed", text if self.speed is None else both))
        if self.flight_path_angle is not None and self.speed is None:
            text = (
                "'flight_path_angle' already follows from 'perigee_altitude' and 'apogee_altitude'. Remove "
                "'flight_path_angle'"
            )
            raise Refused(("flight_path_angle", text))
        if self.node is not None and self.inclination is None:
            raise Refused(
                ("inclination", ("'inclination' is required with node. Give a value like \"51.6 deg\""))
            )
        if all(isinstance(end, np.ndarray) for end in (*ends, self.altitude)):
            low, high = map(np.asarray, ends)
            if not ((low <= self.altitude) & (self.altitude <= high)).all():
                text = (
                    f"the altitude {float(np.ravel(self.altitude)[0]) / 1000.0:g} km is not between the "
                    "perigee and the apogee altitude"
                )
                raise Refused(("altitude", f"{text}. Change one of these three altitudes"))
        return self


class Burn(Declaration):
    """A burn of powered guidance. The guidance uses only these data of engines and masses."""

    name: Name
    """Name of the burn."""
    thrust: Annotated[Any, si("N", positive=True)]
    """Thrust in vacuum [N]."""
    isp: Annotated[Any, si("s", positive=True)]
    """Specific impulse in vacuum [s]."""
    duration: Annotated[Any, si("s", positive=True)]
    """Maximum burn time [s]."""
    mass: Annotated[Any, si("kg", positive=True)] | None = None
    """Mass of the stack at the start of the burn [kg]. Required for all burns after the first. During a burn,
    the guidance uses the mass of the simulated stack."""
    begins: str | None = None
    """Phase, event or device action that begins the burn. Required for all burns after the first. The first
    burn begins with the law."""
    coast: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Coast time between the end of the previous burn and the start of this burn [s]."""


class PoweredGuidance(GuidanceLaw):
    """Unified powered flight guidance (UPFG) to an orbit, with the thrust along body x, see `upfg`.

    At each sample, the law computes the steering again from the state and the remaining burns. To cut off the
    engines, use a trigger on guidance.<name>.time_to_go that falls to zero."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["upfg"] = "upfg"
    """Powered explicit guidance to an orbit."""
    orbit: Insertion
    """Target orbit."""
    burns: Annotated[tuple[Burn, ...], ByName()]
    """Burns in the order of flight."""
    period: Annotated[Any, si("s", positive=True)] = 1.0
    """Time between samples [s]. The first sample is taken when the law begins."""
    keep: Annotated[Any, si("s", positive=True)] = 3.0
    """Time to go below which the law keeps its last steering [s], because late corrections have little
    effect."""
    within: Annotated[Any, si("1", positive=True)] = 0.01
    """Convergence limit: relative change of the velocity-to-be-gained between two passes. The first sample
    has at most thirty passes, all other samples have at most five."""
    give_up_after: Annotated[Any, si("s", positive=True)] = 20.0
    """Duration of failed convergence, or of insufficient burns, after which the law gives up and keeps its
    last steering [s]."""
    right: Annotated[Any, si("1", (3,))] = (0.0, 0.0, -1.0)
    """Inertial direction that determines the rotation about body x: body y is as close as possible to this
    direction. Default: the direction of the planet's south pole, so that body z is down in eastward
    flight."""

    @property
    def begins(self) -> tuple[str, ...]:
        """Names of the events at which burns begin."""
        return tuple(burn.begins for burn in self.burns if burn.begins is not None)

    @model_validator(mode="after")
    def _check(self) -> PoweredGuidance:
        if not self.burns:
            raise Refused(("burns", "'burns' is empty. Give at least one burn with thrust, isp and duration"))
        for burn in self.burns[1:]:
            for field in ("mass", "begins"):
                if getattr(burn, field) is None:
                    raise Refused(
                        (
                            f"burns.{burn.name}.{field}",
                            f"'{field}' is required for all burns except the first burn. Add this key",
                        )
                    )
        for field in ("mass", "begins"):
            if getattr(self.burns[0], field) is not None:
                text = (
                    f"'{field}' is not allowed for the first burn, because this burn begins with the law. "
                    "Remove this key"
                )
                raise Refused((f"burns.{self.burns[0].name}.{field}", text))
        if isinstance(self.right, np.ndarray) and not (np.linalg.norm(self.right, axis=0) > 0).all():
            raise Refused(
                ("right", ("'right' is a zero vector, which has no direction. Give the direction of body y"))
            )
        return self


CALLS = {
    "__call__": Call(("t", "seen", "state"), "a quaternion (4, *cases)"),
    "start": Call(("t",), "the values stored between samples"),
    "sample": Call(("t", "seen", "state"), "the new values stored between samples"),
    "begin": Call(("t",), "the integrated state"),
    "rates": Call(("t", "seen", "state"), "its rates"),
}
"""The methods of a user's Python class, by name, with their arguments and their result."""


class UserGuidance(GuidanceLaw):
    """A guidance law from a user's Python class in an installed package, see docs/guidance.md. The class can
    have a state of any shape. The class is imported when a whole scenario is checked, or when it runs."""

    name: Name
    """Name of the law, which other declarations refer to. The quantities of the law are guidance.<name>."""
    kind: Literal["user"] = "user"
    """A Python class of the user, such as class = "mylaws:Drag"."""
    class_path: ClassPath = Field(alias="class")
    """Path of the class, as "package.module:Class"."""
    parameters: Parameters = Parameters()
    """Arguments of the class: numbers (SI units), lists of numbers, texts, true or false."""
    measures: tuple[str, ...] = ()
    """Quantities that the class receives at every call, by their names in the results, for example
    "bodies.rocket.mach". The quantities must not depend on the attitude that the law commands."""
    samples: tuple[str, ...] = ()
    """Names of additional quantities that the class receives at samples. All quantities are allowed,
    including loads."""
    period: Annotated[Any, si("s", positive=True)] | None = None
    """Time between samples [s]. The first sample is taken when the law begins. Default: no samples."""
    moving: tuple[int, ...] | None = None
    """Shape of the integrated state; [] for a scalar. The method `rates` returns its derivatives. Default: no
    integrated state."""

    def from_elsewhere(self) -> str | None:
        """A fingerprint of the Python class; None if it cannot be determined."""
        return user_class.fingerprint(self.class_path, self.parameters, CALLS["__call__"])

    @model_validator(mode="after")
    def _check(self) -> UserGuidance:
        if self.samples and self.period is None:
            raise Refused(
                (
                    "samples",
                    (
                        "'samples' requires a sample period. Set `period`, or list the quantities in "
                        "`measures`"
                    ),
                )
            )
        if self.moving is not None and not all(0 < n <= 1000 for n in self.moving):
            raise Refused(
                (
                    "moving",
                    f"{list(self.moving)} is not the shape of an array. Give a size from 1 to 1000 for"
                    " each axis",
                )
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
"""The names of the commanded angles that are output quantities, by class of the law."""


def functions_of(law: Any) -> dict[str, Any]:
    """Return the fields of a law that are numbers or functions of a quantity, by name of the field."""
    named = ((name, getattr(law, name)) for name in _FUNCTIONS.get(type(law), ()))
    return {name: function for name, function in named if function is not None}


def reads(law: Any) -> Iterator[tuple[str, str]]:
    """Yield (field, path of a quantity) for all quantities that a law reads. The flight time is not
    included.
    """
    for path in getattr(law, "measures", ()):
        yield "measures", path
    for name, schedule in schedules(law):
        if schedule.over not in (TIME, ELAPSED):
            yield f"{name}.over", schedule.over
    reversals = reversals_of(law)
    if reversals is not None:
        yield "reversals.quantity", reversals.quantity


def schedules(law: Any) -> Iterator[tuple[str, Any]]:
    """Yield (field, declaration) for all functions and gain schedules of a law."""
    corridors = {"corridor": getattr(law, "corridor", None)}
    if (reversals := reversals_of(law)) is not None:
        corridors["reversals.corridor"] = reversals.corridor
    for name, one in (functions_of(law) | corridors).items():
        if isinstance(one, (Function, Scheduled)):
            yield name, one


def reversals_of(law: Any) -> Reversals | None:
    """Return the bank reversals of a law. Return None for a law without reversals."""
    return getattr(law, "reversals", None)


def needs(law: Any) -> tuple[str, ...]:
    """Return the paths of the quantities that a law reads, each once.

    The commanded attitude depends only on these quantities, on the position and velocity of the body, and on
    time.
    """
    return tuple(dict.fromkeys(path for _, path in reads(law)))


def needs_planet(law: Any) -> tuple[str, str] | None:
    """Return (field, value) of the first setting that requires a planet. Return None if no setting requires a
    planet.
    """
    if isinstance(law, (GravityTurn, IncidenceGuidance, GlideGuidance, EntryGuidance, PoweredGuidance)):
        return "kind", law.kind
    axes = getattr(law, "axes", "inertial")
    return None if axes in ("inertial", "lvlh") else ("axes", axes)


BY_TIME = ("guidance",)
"""The groups of a scenario that can contain functions of flight time; see `starts.saved`."""
KINDS = {
    "guidance": (
        *(AngleGuidance, DirectionGuidance, GravityTurn, TangentSteering, IncidenceGuidance),
        *(GlideGuidance, EntryGuidance, PoweredGuidance, UserGuidance),
    ),
}
