"""Compute the commanded attitudes of guidance laws, as pure functions of the inputs of a law.

`prepare` prepares a law once. `stance` returns the commanded attitude at one time. `angles_of` returns the
commanded angles for the results.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from ...engine.stance import Stance
from ...environment.flight_path import Incidence, attitude_to_wind
from ...environment.planet import relative_velocity, safe_angle
from ...environment.us76 import G0
from ...maths import interpolation
from ...maths.arrays import jnp
from ...maths.rotations import (
    about,
    matrix_of,
    multiply,
    of_sequence,
    quaternion_of_matrix,
    spin_of_sequence,
)
from ...maths.vectors import add_axes, cross, dot, norm, rotate_back
from ..control import gain_schedule
from ..control.gain_schedule import for_cases, gain_at, overs
from . import drag_tracking, functions, homing, powered, users
from .declared import (
    ROTATIONS,
    AngleGuidance,
    DirectionGuidance,
    EntryGuidance,
    GlideGuidance,
    GravityTurn,
    IncidenceGuidance,
    PoweredGuidance,
    TangentSteering,
    UserGuidance,
    functions_of,
    reversals_of,
)
from .stance import AXES, View

PARALLEL = 1e-9
"""If the sine of the angle between body x and the desired direction of body y is below this number, the two
directions count as parallel.
"""


class Ready(NamedTuple):
    """A guidance law, prepared for evaluation.

    - law: declaration of the law in the scenario.
    - functions: prepared numbers and functions, by name of the field.
    - corridor: prepared half-width of the corridor of bank reversals; None without reversals.
    - plane: fixed steering axes (3, 3, *cases) of inertial tangent steering; otherwise None.
    """

    law: Any
    functions: dict[str, functions.Ready]
    corridor: Any
    plane: Any = None


def prepare(law: Any) -> Ready:
    """Return a guidance law, prepared for evaluation. The numbers of the result can be JAX tracers and can
    have case axes.
    """
    reversals = reversals_of(law)
    held = law if isinstance(law, EntryGuidance) else reversals
    corridor = None if held is None else gain_schedule.prepare(held.corridor)
    plane = _plane(law) if isinstance(law, TangentSteering) and law.axes == "inertial" else None
    return Ready(
        law, {name: functions.prepare(one) for name, one in functions_of(law).items()}, corridor, plane
    )


def stance(ready: Ready, view: View) -> Stance:
    """Return the commanded attitude of a law. view: inputs of the law."""
    return _STANCES[type(ready.law)](ready, view)


def angles_of(ready: Ready, view: View) -> dict[str, Any]:
    """Return the commanded angles of a law [rad] (*cases), by name of their quantities. view: inputs of the
    law.
    """
    return _ASKED.get(type(ready.law), _values)(ready, view)


def _values(ready: Ready, view: View) -> dict[str, Any]:
    return {name: functions.at(one, view)[0] for name, one in ready.functions.items()}


# --- three angles -------------------------------------------------------------------------------------------


def _by_angles(ready: Ready, view: View) -> Stance:
    law = ready.law
    order = [ROTATIONS[digit] for digit in law.sequence.split("-")]
    values, rates = zip(*(functions.at(ready.functions[name], view) for name in order), strict=True)
    base, turning = AXES[law.axes](view)
    known = turning is not None and all(rate is not None for rate in rates)
    spin, turns = spin_of_sequence(law.sequence, jnp.stack(values), jnp.stack(rates if known else values))
    attitude = multiply(base, turns)
    return Stance(attitude, spin + rotate_back(matrix_of(attitude), turning) if known else None)


# --- directions ---------------------------------------------------------------------------------------------


def pointing(direction: Any, right: Any, moving: Any = None) -> Stance:
    """Return the attitude with body x along a direction, and body y as near as possible to `right`.

    - direction: vector (3, *cases), inertial axes.
    - right: desired direction of body y (3, *cases), inertial axes. If this direction is parallel to body x,
      y is perpendicular to the coordinate axis farthest from x.
    - moving: rate of `direction` [1/s] (3, *cases). Default: None, unknown; then the angular velocity is
      None.
    """
    size = norm(direction)
    size = jnp.where(size > 0, size, 1.0)
    x = direction / size
    along = dot(right, x)
    across = right - along * x
    clear = norm(across) > PARALLEL * norm(right)
    farthest = jnp.argmin(jnp.abs(x), 0)
    axis = jnp.stack([(farthest == k).astype(float) for k in range(3)])
    across = jnp.where(clear, across, cross(axis, x))
    y = across / norm(across)
    z = cross(x, y)
    spin = None
    if moving is not None:
        # For body axes with columns x, y, z the rates are z . dy/dt, x . dz/dt and y . dx/dt.
        about_y, about_z = -dot(moving, z) / size, dot(moving, y) / size
        about_x = jnp.where(clear, along * about_y / norm(across), 0.0)
        spin = jnp.stack([about_x, about_y, about_z])
    axes = jnp.stack([x, y, z], 1)
    return Stance(partial(quaternion_of_matrix, axes), spin, axes)


def _by_direction(ready: Ready, view: View) -> Stance:
    right = jnp.broadcast_to(for_cases(ready.law.right, view.time), (3, *view.time.shape))
    direction, moving = functions.at(ready.functions["direction"], view)
    return pointing(direction, right, moving)


# --- gravity turn -------------------------------------------------------------------------------------------


def _gravity_turn(ready: Ready, view: View) -> Stance:
    """Attitude of a gravity turn. The rate of its direction is the rate in free fall, because forces along
    the velocity do not rotate the velocity."""
    law, level, turning = ready.law, view.level, view.level_rate
    north, east, up = level[:, 0], level[:, 1], -level[:, 2]
    c, s = jnp.cos(law.azimuth), jnp.sin(law.azimuth)
    right = c * east - s * north
    direction, moving = _along_velocity(view, up, turning, right if law.plane == "fixed" else None)
    if law.kick is not None:
        kicked, tilting = _kick(law, view, up, c * north + s * east)
        x = (view.elapsed - _kick_end(law)) / law.settle
        share, growing = interpolation.smooth_step(x), _slope_of_step(x) / law.settle
        moving = growing * (direction - kicked) + share * moving + (1 - share) * tilting
        direction = share * direction + (1 - share) * kicked
    found = pointing(direction, right, moving)
    return found.with_spin(found.spin + rotate_back(found.rotation, turning))


def _along_velocity(view: View, up: Any, turning: Any, normal: Any = None) -> tuple[Any, Any]:
    """Direction of the velocity relative to the atmosphere, and its rate relative to rotating axes.

    At rest, the direction is up. The rate applies to free fall through an atmosphere that rotates with the
    planet. normal: normal of a plane in these axes, onto which the velocity is then projected."""
    velocity = view.air_velocity
    pull = relative_velocity(view.planet, view.velocity, view.gravity)
    if normal is not None:
        across = dot(velocity, normal)
        pull = pull - (dot(pull, normal) + dot(velocity, cross(turning, normal))) * normal
        pull = pull - across * cross(turning, normal)
        velocity = velocity - across * normal
    speed = norm(velocity)
    moves = speed > 0
    safe = jnp.where(moves, speed, 1.0)
    along = jnp.where(moves, velocity / safe, up)
    bent = (pull - dot(pull, along) * along) / safe
    return along, jnp.where(moves, bent - cross(turning, along), 0.0)


def _kick_end(law: Any) -> Any:
    return law.kick_at + law.kick / law.kick_rate


def _kick(law: Any, view: View, up: Any, forward: Any) -> tuple[Any, Any]:
    """Direction before and during the kick, and its rate relative to the local level."""
    t = view.elapsed
    tilt = law.kick_rate * (interpolation.clamp(t, law.kick_at, _kick_end(law)) - law.kick_at)
    rate = jnp.where(view.begun & (t >= law.kick_at) & (t < _kick_end(law)), law.kick_rate, 0.0)
    c, s = jnp.cos(tilt), jnp.sin(tilt)
    return c * up + s * forward, rate * (c * forward - s * up)


def _slope_of_step(x: Any) -> Any:
    """Slope of `interpolation.smooth_step`."""
    x = interpolation.clamp(x, 0.0, 1.0)
    return 30 * (x * (1 - x)) ** 2


def _tilt(ready: Ready, view: View) -> dict[str, Any]:
    """Tilt of x from the vertical [rad]."""
    x = _gravity_turn(ready, view).rotation[:, 0]
    up = -view.level[:, 2]
    return {"tilt": safe_angle(norm(cross(up, x)), dot(up, x))}


# --- tangent steering ---------------------------------------------------------------------------------------


def _tangent(ready: Ready, view: View) -> Stance:
    """Attitude of tangent steering.

    The quaternion follows from the angles and is continuous. The axes follow from sines and cosines, which
    are ratios of lengths."""
    law, none = ready.law, jnp.zeros_like(view.time)
    above, ahead, rate = _lengths(law, view)
    size = norm(jnp.stack([above, ahead]))
    safe = jnp.where(size > 0, size, 1.0)
    s, c = above / safe, jnp.where(size > 0, ahead / safe, 1.0)
    if law.axes == "local_level":
        base = view.level
        sa, ca = jnp.sin(law.azimuth), jnp.cos(law.azimuth)
        forward, right = ca * base[:, 0] + sa * base[:, 1], ca * base[:, 1] - sa * base[:, 0]
    else:
        base = jnp.broadcast_to(add_axes(ready.plane, 2 + view.time.ndim), (3, 3, *view.time.shape))
        forward, right = base[:, 0], base[:, 1]
    down = base[:, 2]
    axes = jnp.stack([c * forward - s * down, right, s * forward + c * down], 1)
    own = jnp.stack([none, rate, none])
    if law.axes == "local_level":
        own = own + rotate_back(axes, view.level_rate)
    return Stance(partial(_tangent_quaternion, law, base, safe_angle(above, ahead)), own, axes)


def _tangent_quaternion(law: Any, base: Any, elevation: Any) -> Any:
    turns = about(1, elevation)
    if law.axes == "local_level":
        turns = of_sequence("3-2", jnp.stack(jnp.broadcast_arrays(law.azimuth, elevation)))
    return multiply(quaternion_of_matrix(base), turns)


def _lengths(law: Any, view: View) -> tuple[Any, Any, Any]:
    """Lengths up and forward, whose ratio is the tangent of the elevation, and the elevation rate [rad/s]."""
    t = view.elapsed
    above, ahead = law.a + law.b * t, law.c + law.d * t
    square = above * above + ahead * ahead
    moving = view.begun & (square > 0)
    rate = (law.b * ahead - above * law.d) / jnp.where(moving, square, 1.0)
    return above, ahead, jnp.where(moving, rate, 0.0)


def _elevation(law: Any, view: View) -> Any:
    """The elevation [rad]."""
    above, ahead, _ = _lengths(law, view)
    return safe_angle(above, ahead)


def _plane(law: Any) -> Any:
    """Axes with x forward and z down in an inertial plane (3, 3, *cases)."""
    up, forward = jnp.broadcast_arrays(jnp.asarray(law.up, float), jnp.asarray(law.forward, float))
    up = up / norm(up)
    forward = forward - dot(forward, up) * up
    forward = forward / norm(forward)
    return jnp.stack([forward, cross(forward, up), -up], 1)


# --- powered guidance ---------------------------------------------------------------------------------------


def _powered_stance(ready: Ready, view: View) -> Stance:
    right = jnp.broadcast_to(for_cases(ready.law.right, view.time), (3, *view.time.shape))
    x = powered.direction(view.memory, view.time, view.velocity)
    return pointing(x, right, powered.moving(view.memory, view.time))


# --- incidence ----------------------------------------------------------------------------------------------


def _incidence(ready: Ready, view: View) -> Stance:
    angles = _incidence_angles(ready, view)
    return Stance(attitude_to_wind(view.level, view.air_velocity, Incidence(**angles)), None)


def _incidence_angles(ready: Ready, view: View) -> dict[str, Any]:
    angles = _values(ready, view)
    if ready.law.reversals is not None:
        angles["bank"] = angles["bank"] * side(ready.law.reversals, view.memory, view.time)
    return angles | {"alpha": within_q_alpha(ready.law, view, angles["alpha"])}


def within_q_alpha(law: Any, view: View, alpha: Any) -> Any:
    """Return the angle of attack [rad] (*cases), limited so that its product with the dynamic pressure is
    within the limit of the law.

    - view: inputs of the law.
    - alpha: angle of attack without limit [rad].
    """
    if law.q_alpha_limit is None:
        return alpha
    most = most_alpha(law, view)
    return interpolation.clamp(alpha, -most, most)


def most_alpha(law: Any, view: View) -> Any:
    """Return the maximum angle of attack [rad] (*cases) that the limit of the law allows at the present
    dynamic pressure. The result is at most pi.
    """
    pressure = view.dynamic_pressure
    some = pressure * jnp.pi > law.q_alpha_limit
    return jnp.where(some, law.q_alpha_limit / jnp.where(some, pressure, 1.0), jnp.pi)


# --- glide to a site ----------------------------------------------------------------------------------------


def _glide(ready: Ready, view: View) -> Stance:
    angles = _glide_angles(ready, view)
    at = Incidence(angles["alpha"], jnp.zeros_like(view.time), angles["bank"])
    return Stance(attitude_to_wind(view.level, view.air_velocity, at), None)


def _glide_angles(ready: Ready, view: View) -> dict[str, Any]:
    law = ready.law
    seen = homing.sight(view.site(law.site), view)
    course, moving = homing.field(seen, law.circle, law.turns == "left")
    rate = homing.turn_rate(seen, course, moving, law.course_time)
    alpha, _ = functions.at(ready.functions["alpha"], view)
    if law.glide_ratio is not None:
        other, _ = functions.at(ready.functions["excess_alpha"], view)
        alpha = alpha + excess(law, view, seen) * (other - alpha)
    return {
        "alpha": within_q_alpha(law, view, alpha),
        "bank": homing.bank(view, rate, functions.at(ready.functions["bank_limit"], view)[0]),
    }


def _entry(ready: Ready, view: View) -> Stance:
    angles = _entry_angles(ready, view)
    at = Incidence(angles["alpha"], jnp.zeros_like(view.time), angles["bank"])
    return Stance(attitude_to_wind(view.level, view.air_velocity, at), None)


def _entry_angles(ready: Ready, view: View) -> dict[str, Any]:
    alpha = within_q_alpha(ready.law, view, functions.at(ready.functions["alpha"], view)[0])
    return {"alpha": alpha, "bank": drag_tracking.bank(ready.law, view.memory, view.time)}


def excess(law: Any, view: View, seen: homing.Sight) -> Any:
    """Return the weight of the angle of attack for excess energy, from 0 to 1 (*cases).

    Let H be the energy height that is necessary for the distance to the site. The weight increases from 0 at
    the energy height H to 1 at the energy height H + `band`.

    - view: inputs of the law.
    - seen: direction and distance to the site.
    """
    height = view.altitude - law.altitude + 0.5 * norm(view.air_velocity) ** 2 / G0
    return interpolation.smooth_step((height - seen.distance / law.glide_ratio) / law.band)


class Side(NamedTuple):
    """Side of the bank, each (*cases).

    - goal: commanded side: 1 right, -1 left.
    - since: start of the last reversal [s].
    - start: bank at this time, as a fraction of the commanded magnitude, from -1 to 1.
    """

    goal: Any
    since: Any
    start: Any


def first_side(reversals: Any, time: Any) -> Side:
    """Return the side of the bank at the start of a flight. time: flight time [s] (*cases)."""
    goal = jnp.full(time.shape, 1.0 if reversals.first == "right" else -1.0)
    return Side(goal, time, goal)


def turned_over(reversals: Any, memory: Side, time: Any, left: Any, right: Any) -> Side:
    """Return the side of the bank after a reversal.

    - reversals: declaration of the bank reversals in the scenario.
    - memory: side before the reversal.
    - time: flight time [s] (*cases).
    - left, right: whether a bank to this side is commanded now (*cases), bool.
    """
    turns, now = left | right, side(reversals, memory, time)
    goal = jnp.where(left, -1.0, jnp.where(right, 1.0, memory.goal))
    return Side(goal, jnp.where(turns, time, memory.since), jnp.where(turns, now, memory.start))


def side(reversals: Any, memory: Side, time: Any) -> Any:
    """Return the bank as a fraction of its commanded magnitude, from -1 to 1 (*cases), at a flight time
    [s].
    """
    moved = memory.start + memory.goal * 2 * (time - memory.since) / reversals.duration
    return interpolation.clamp(moved, -1.0, 1.0)


def side_reached(reversals: Any, memory: Side) -> Any:
    """Return the time at which the last reversal ends [s] (*cases)."""
    return memory.since + 0.5 * reversals.duration * (1 - memory.goal * memory.start)


def beyond_corridor(ready: Ready, view: View) -> Any:
    """Return the excess of the bank-reversal quantity above its corridor, and the excess below its corridor
    (2, *cases). A value is negative inside the corridor.
    """
    reversals = ready.law.reversals
    off = view.deviation(reversals.quantity, reversals.about)
    measured = {name: view.read(name) for name in overs(reversals.corridor)}
    half = gain_at(ready.corridor, view.time, measured)
    return jnp.stack([off - half, -off - half])


_STANCES = {
    AngleGuidance: _by_angles,
    DirectionGuidance: _by_direction,
    GravityTurn: _gravity_turn,
    TangentSteering: _tangent,
    IncidenceGuidance: _incidence,
    GlideGuidance: _glide,
    EntryGuidance: _entry,
    PoweredGuidance: _powered_stance,
    UserGuidance: lambda ready, view: Stance(users.attitude(ready, view), None),
}
_ASKED = {
    GravityTurn: _tilt,
    TangentSteering: lambda ready, view: {"elevation": _elevation(ready.law, view)},
    IncidenceGuidance: _incidence_angles,
    GlideGuidance: _glide_angles,
    EntryGuidance: _entry_angles,
}


# --- kinks and times ----------------------------------------------------------------------------------------


def knots_in_time(ready: Ready, begin: Any) -> list[Any]:
    """Return the flight times of the points of all tables over time [s], each (n, *cases). For a gravity
    turn, the list contains the ends of the kick.

    begin: time at which "elapsed" is zero [s] (*cases).
    """
    found = [p for one in ready.functions.values() for p in functions.knots_in_time(one, begin)]
    if isinstance(ready.law, GravityTurn) and ready.law.kick is not None:
        law = ready.law
        ends = (law.kick_at, _kick_end(law), _kick_end(law) + law.settle)
        found.append(jnp.stack([begin + end for end in ends]))
    return found


def features(ready: Ready, view: View) -> list[Any]:
    """Return the interval between table points for each table variable of a law that is a quantity."""
    return [found for one in ready.functions.values() for found in functions.feature(one, view)]


def places(ready: Ready, view: View) -> list[Any]:
    """Return the location of each table variable that is a quantity among the kinks of its table (*cases)."""
    return [p for one in ready.functions.values() for p in functions.place(one, view)]
