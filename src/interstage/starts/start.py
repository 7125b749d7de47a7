"""Compute initial states: place the bodies in inertial axes or through joints, and make them consistent with
the joints.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..engine.answers import switches_of
from ..engine.contract import ChecksStart, HasReference, HasState, HasSwitches
from ..engine.event_table import EventTable
from ..engine.flexible import coupling
from ..engine.flow import active_rows
from ..engine.held import at_rest
from ..engine.here import Here
from ..engine.layout import Layout
from ..engine.lines_of_action import Lines, lines
from ..engine.mechanism import Discrete, Mechanism, Reference
from ..engine.numbers import along_joint_axes, numbers
from ..engine.point import relative_poses
from ..engine.stacks import Stacks, stacks
from ..engine.stacks import ends as stacked_ends
from ..environment import surroundings
from ..environment.flight_path import flight_path
from ..environment.planet import flat_coordinates
from ..environment.world import is_flat
from ..formulations import elimination
from ..maths import rotations
from ..maths.arrays import jax, jnp, lax, tracing
from ..maths.dual import plain
from ..maths.vectors import add_axes, cross, norm, product, rotate_back, transpose
from ..model import attachments
from ..model.drive import drive
from ..quantities.joints import joint_pose
from .events import event_table
from .launch_azimuth import launch_azimuths
from .placement import Pose, placed_state

# Newton corrections of the start's pose at most, each of which squares the error that is left; and of its
# rates, which are linear, and leave what the last correction of the pose does.
CORRECTIONS = 8
CORRECTIONS_OF_RATES = 2
SETTLED = 1000 * np.finfo(float).eps
"""If the relative size of a correction is below this number, no further correction is needed.

The error after a correction is about the square of the correction, which is below the rounding error.
"""


class Start(NamedTuple):
    """Initial state of a flight, and the corrections that made it consistent with the joints.

    - x, discrete, reference: state, states of switches and events, and values of the start that the
      flight keeps.
    - gap, gap_rate: (row,), constraint error g and its rate as declared. A row is one constraint of a
      joint.
    - left, left_rate: (row,), constraint error and its rate after the corrections.
    - moved [m], turned [rad], sped [m/s], spun [rad/s]: (body,), size of the corrections of position,
      attitude, velocity and angular velocity.
    - facing: (3, 3, joint), rotation of the child's joint frame from its declared attitude relative
      to the parent's frame.
    - unmet_rate, unmet_acceleration: (row,), rates of g that no motion can remove, because
      constraints are redundant.
    - rate_size, acceleration_size: (row,), sum of the absolute values of the terms of each rate and
      acceleration.
    - held_placed, held: matrix A M^-1 A^T (row, row) or an equivalent matrix, as declared and after
      the corrections. The matrix shows redundant constraints.
    - rods: lines between the ends of rods as declared; None without rods.
    - own: results of models by name; see `Part.start_values`.
    """

    x: jax.Array
    discrete: Discrete
    reference: Reference
    gap: jax.Array
    gap_rate: jax.Array
    left: jax.Array
    left_rate: jax.Array
    unmet_rate: jax.Array
    unmet_acceleration: jax.Array
    rate_size: jax.Array
    acceleration_size: jax.Array
    moved: jax.Array
    turned: jax.Array
    sped: jax.Array
    spun: jax.Array
    facing: jax.Array
    held_placed: jax.Array | elimination.Holding
    held: jax.Array | elimination.Holding
    rods: Lines | None
    own: dict[str, Any]


def begin(
    mechanism: Mechanism, table: EventTable, lanes: tuple[int, ...], t0, given: Stacks | None = None
) -> Start:
    """Return the start of a flight: state, switches and references, consistent with the active joints.

    - table: event table.
    - `lanes`: shape of the case axes.
    - t0: start time [s].
    - given: stacked values of the scenario, if they are already computed.
    """
    t = jnp.full(lanes, t0, float)
    mechanism, x, discrete = _declared_state(mechanism, table, lanes, t, given)
    spans = rod_lines(mechanism, x)
    corrected, held = _held_state(mechanism, t, x, discrete)
    _settle(mechanism, t, corrected, discrete)
    if mechanism.layout.pad:
        corrected = at_rest(mechanism, t, corrected)
    corrected = parts_begun(mechanism, t, corrected, discrete)
    unmet = _unmet(mechanism, t, corrected, discrete)
    change = *_change(mechanism, x, corrected), mechanism.reference.turn
    if mechanism.layout.driven:
        turned = drive(mechanism.numbers.drives, t).turn
        change = *change[:-1], product(transpose(turned), mechanism.reference.turn)
    (gap, gap_rate, held_placed), (gap_left, rate_left, held_then) = held
    found: tuple[Any, ...] = gap, gap_rate, gap_left, rate_left, *unmet, *change, held_placed, held_then
    found = *found, spans
    motion, parts = mechanism.motion(corrected), mechanism.layout.having(ChecksStart)
    found = *found, {part.name: part.start_values(mechanism, motion) for part in parts}
    return Start(corrected, discrete, mechanism.reference, *found)


def consistent_start(scenario: Any) -> Start:
    """Return the consistent initial state of a scenario. The state is computed without a compiled program."""
    mechanism, given = _mechanism(scenario)
    return begin(mechanism, event_table(mechanism.layout), (), 0.0, given)


def instant_as_declared(scenario: Any) -> Here:
    """Return the initial state of a scenario as declared, without corrections for the joints."""
    (mechanism, given), t = _mechanism(scenario), jnp.zeros(())
    layout = mechanism.layout
    # Bodies of later legs of a mission are nowhere yet, which is at the centre of the planet.
    with np.errstate(all="ignore"):
        mechanism, x, discrete = _declared_state(mechanism, event_table(layout), (), t, given)
        _settle(mechanism, t, x, discrete)
    return Here(mechanism, t, x, discrete)


def _mechanism(scenario: Any) -> tuple[Mechanism, Stacks]:
    """The mechanism of a scenario with one case, and its numbers in stacked form."""
    layout = Layout(scenario)
    given = stacks(layout, scenario)
    return Mechanism(layout, scenario, numbers(layout, scenario, 0, given)), given


def _declared_state(mechanism, table, lanes, t, given):
    """The mechanism with its masses and lengths, the state and the switches, as declared."""
    discrete = first_switches(mechanism, table, lanes, t)
    own = {
        part.name: part.initial_states(mechanism, discrete, lanes)
        for part in mechanism.layout.having(HasState)
    }
    nowhere = _empty_state(mechanism, lanes, own)
    mechanism = mechanism.at(nowhere, discrete)
    stood = coupling.at_rest(mechanism, nowhere)
    x = mechanism.with_own(placed_state(mechanism, lanes, t, given, stood), own, "initial_states")
    mechanism.settled = lengths(mechanism, x, lanes)
    return mechanism, x, discrete


def _empty_state(mechanism, lanes, own):
    """A state whose bodies are not placed yet, with the states of parts."""
    n = mechanism.layout.count
    none, still = jnp.zeros((3, n, *lanes)), jnp.zeros((3, *lanes))
    turn = jnp.broadcast_to(add_axes(jnp.asarray(rotations.IDENTITY), 2 + len(lanes)), (4, n, *lanes))
    return mechanism.with_own(mechanism.pack(none, none, turn, none, still, still), own, "initial_states")


def parts_begun(mechanism, t, x, discrete):
    """Add the model states to a consistent state of the bodies, and return the complete state."""
    here = mechanism.here(t, x, discrete)
    found = {part.name: part.consistent_states(here) for part in mechanism.layout.having(HasState)}
    return mechanism.with_own(
        x, {name: own for name, own in found.items() if own is not None}, "consistent_states"
    )


def _settle(mechanism, t, x, discrete) -> None:
    """Reference poses and positions from which displacements and distances of the flight are measured."""
    references = joint_poses(mechanism, t, x, mechanism.reference, discrete)
    mechanism.settled = _course(mechanism, t, x, references)
    if mechanism.layout.point:
        mechanism.settled = mechanism.reference._replace(joined=relative_poses(mechanism, x, discrete))


def _held_state(mechanism, t, x, discrete):
    """The state after projection on the constraints, and `violation` before and after the projection."""
    if not mechanism.table.count:
        none = jnp.zeros((0, *t.shape))
        nothing = none, none, jnp.zeros((0, 0, *t.shape))
        return x, (nothing, nothing)

    corrected = x
    if mechanism.layout.scenario.solver.stabilization == "projection":
        for rigid in coupling.correction_passes(mechanism.layout):
            corrected = _put_on(mechanism, t, corrected, discrete, rigid)
    # As a loop over both states, so that it is compiled once.
    both = lax.map(lambda x: violation(mechanism, t, x, discrete), jnp.stack([x, corrected]))
    return corrected, tuple(jax.tree.map(lambda a, k=k: a[k], both) for k in range(2))


def _put_on(mechanism, t, x, discrete, rigid) -> Any:
    """The state with its pose and its velocities projected on the constraints."""
    x = _close_pose(mechanism, t, x, discrete, rigid)

    def correct(_, x):
        return mechanism.correct(t, x, discrete, rigid)[0]

    if tracing():
        return lax.fori_loop(0, CORRECTIONS_OF_RATES, correct, x)
    for k in range(CORRECTIONS_OF_RATES):
        before, x = x, correct(k, x)
        if np.all(np.abs(plain(x - before)) <= SETTLED * np.maximum(np.abs(plain(x)), 1.0)):
            break
    return x


def _close_pose(mechanism, t, x, discrete, rigid):
    """The state with its pose projected on the constraints."""
    if tracing():
        return lax.fori_loop(0, CORRECTIONS, lambda _, x: mechanism.close_loops(t, x, discrete, rigid), x)
    moving = np.ones(t.shape, bool)
    for _ in range(CORRECTIONS):
        ahead = np.where(moving, mechanism.close_loops(t, x, discrete, rigid), x)
        (r, _, q, *_), (r0, _, q0, *_) = mechanism.split(ahead), mechanism.split(x)
        x, most = ahead, SETTLED * np.maximum(np.max(np.abs(r), (0, 1)), 1.0)
        moving = ~((np.max(np.abs(r - r0), (0, 1)) < most) & (np.max(np.abs(q - q0), (0, 1)) < SETTLED))
        if not np.any(moving):
            break
    return x


def violation(mechanism, t, x, discrete):
    """Return the errors of the active constraints, their rates, and the matrix that shows redundant
    constraints.
    """
    mechanism = mechanism.at(x, discrete)
    motion = mechanism.moving(t, x, discrete)
    rows = mechanism.rows_of(t, motion, discrete)
    constraints = mechanism.constraints(rows, rows.gamma, discrete, x, motion)
    active = 1.0 if constraints.active is None else constraints.active
    held = elimination.holding(mechanism.numbers.inertias, constraints)
    return rows.g * active, rows.gdot * active, held


def load_directions(mechanism, t, x, discrete):
    """Return the load on the child for a unit multiplier of each constraint (6, row, *cases), in axes of the
    parent's joint frame.

    The components are force [1] and torque about the joint point [m]. For a constraint of rotation, the load
    is a torque [1] only.
    """
    mechanism = mechanism.at(x, discrete)
    motion = mechanism.motion(x)
    pairs, frame_a, frame_b = mechanism.geometry(t, motion, discrete)
    rows = mechanism.rows(t, pairs, frame_a, frame_b, discrete)
    force = rows.direction * add_axes(jnp.asarray(mechanism.table.forces, float), rows.g.ndim)
    torque = rows.direction - force
    if rows.arm is not None:
        torque = torque + cross(rows.arm, force)
    return jnp.concatenate([along_joint_axes(mechanism.table, part, frame_a) for part in (force, torque)])


def _unmet(mechanism, t, x, discrete) -> tuple[Any, Any, Any, Any]:
    """Values of gdot and gddot in the active rows that remain for the nearest allowed motion, and the sizes
    of their terms: see `Start`. Without closed loops the result is empty."""
    if not mechanism.layout.loops:
        none = jnp.zeros((0, *t.shape))
        return none, none, none, none
    # Velocities that nothing corrects in flight do not show the demands of the rows.
    x = mechanism.correct(t, x, discrete)[0]
    mechanism = mechanism.at(x, discrete)
    here = mechanism.here(t, x, discrete)
    motion, rows = here.motion, here.rows
    constraints = mechanism.constraints(rows, here.gamma, discrete, x, motion)
    inertias = mechanism.numbers.inertias
    free = elimination.times_inverse_mass(inertias, here.wrench)
    prepared = elimination.prepare(inertias, constraints, True)
    found, lam = elimination.nearest(prepared, inertias, free, constraints)
    active = 1.0 if constraints.active is None else constraints.active
    left = (here.gamma + elimination.whole_rates(inertias, constraints, found, lam)) * active
    moving = mechanism.of_bodies(motion)
    velocity = jnp.concatenate([moving.velocity, moving.spin_body])
    prescribed = rows.gdot - elimination.row_rates(constraints, velocity)
    rate_size = elimination.row_terms(constraints, velocity) + jnp.abs(prescribed)
    # gamma is the remainder of products of rates.
    size = jnp.abs(here.gamma) + elimination.row_terms(constraints, free)
    size = size + rate_size * jnp.max(norm(motion.spin_body), 0)
    return rows.gdot * active, left, rate_size * active, size * active


def _change(mechanism, x, corrected):
    """The distances and angles by which bodies were moved and rotated, and the changes of their
    velocities."""
    r0, v0, q0, w0, *_ = mechanism.split(x)
    r1, v1, q1, w1, *_ = mechanism.split(corrected)
    turn = rotations.multiply(rotations.conjugate(q0), q1)
    return norm(r1 - r0), 2 * norm(turn[1:]), norm(v1 - v0), norm(w1 - w0)


def first_switches(mechanism, table: EventTable, lanes, t) -> Discrete:
    """Return the states of all switches and events at the start. `lanes`: shape of the case axes. t: start
    time [s].
    """
    layout = mechanism.layout
    held = np.array([int(j.active) for j in layout.scenario.joints], int)
    mode = jnp.broadcast_to(add_axes(held, 1 + len(lanes)), (len(held), *lanes))
    capturing = layout.capturing
    frame = mechanism.numbers.frame_b
    if capturing and frame is None:
        eye = jnp.eye(3).reshape(3, 3, 1, *(1,) * len(lanes))
        frame = jnp.broadcast_to(eye, (3, 3, len(layout.joints), *lanes))
    elif capturing:
        frame = jnp.broadcast_to(frame, (*frame.shape[:3], *lanes))
    rows = mechanism.table.count
    events, conditions = len(table.events), len(table.conditions)
    return Discrete(
        fired=jnp.zeros((events, *lanes), bool),
        event_time=jnp.full((events, *lanes), jnp.inf),
        latched=jnp.zeros((conditions, *lanes), bool),
        mode=mode,
        active=active_rows(layout, mode),
        phase=jnp.zeros(lanes, int),
        over=jnp.zeros(lanes, bool),
        late=jnp.zeros(lanes, bool),
        child_frame=frame if capturing else None,
        offset=jnp.zeros((rows, *lanes)) if capturing else None,
        impulse=jnp.zeros((rows, *lanes)) if layout.jolting else None,
        own={
            part.name: switches_of(part, part.switches(mechanism, t), lanes)
            for part in layout.having(HasSwitches)
        },
    )


def lengths(mechanism, x, lanes) -> Reference:
    """Return the references with the lengths that follow from the initial pose, because they are not
    declared.
    """
    motion, joints = mechanism.motion(x), len(mechanism.layout.joints)
    rods = _rods(mechanism, motion)
    return Reference(
        rod_length=jnp.stack(rods) if rods else jnp.zeros((0, *lanes)),
        displacement=jnp.zeros((3, joints, *lanes)),
        turn=jnp.zeros((3, 3, joints, *lanes)),
        own={
            part.name: part.reference_values(mechanism, motion)
            for part in mechanism.layout.having(HasReference)
        },
    )


def _rods(mechanism, motion):
    """Lengths of the rods."""
    table, numbers = mechanism.table, mechanism.numbers
    if not table.rods:
        return []
    pairs = attachments.kinematics(motion, table.parent, table.child, numbers.arm_a, numbers.arm_b)
    distances = [norm(attachments.column(pairs.gap, j, 1)) for j in table.rods]
    modes = table.modes[len(table.translations) :][: len(table.rods)]
    declared = [
        mechanism.layout.joint_type(mechanism.scenario, j, m).length if m else None
        for j, m in zip(table.rods, modes, strict=True)
    ]
    return [_declared_or(length, found) for length, found in zip(declared, distances, strict=True)]


def rod_lines(mechanism, x) -> Lines | None:
    """Return the lines between the ends of all rods; None without rods."""
    table, numbers = mechanism.table, mechanism.numbers
    if not table.rods:
        return None
    motion, rods = mechanism.motion(x), list(table.rods)
    ends = [[end[j] for j in rods] for end in (table.parent, table.child)]
    joints = [mechanism.layout.scenario.joints[j] for j in rods]
    arms = [attachments.pick(arm, rods, 1) for arm in (numbers.arm_a, numbers.arm_b)]
    points = stacked_ends(joints, len(x.shape) - 1)
    return lines(mechanism.layout, motion, attachments.kinematics(motion, *ends, *arms), ends, points)


def _declared_or(declared, found):
    return found if declared is None else jnp.broadcast_to(declared, found.shape)


def joint_poses(mechanism, t, x, reference: Reference, discrete) -> Reference:
    """Return the references with the joint poses from which displacements and rotations are measured."""
    if not mechanism.layout.joints:
        return reference
    displacement, turn = joint_pose(
        mechanism, Pose(mechanism, t, x, discrete), np.arange(len(mechanism.layout.joints))
    )
    return reference._replace(displacement=displacement, turn=turn)


LEVEL_SPEED = 1e-9
"""A horizontal speed below this fraction of the inertial speed counts as a rounding error of the planet's
rotation.
"""


def _course(mechanism, t, x, reference: Reference) -> Reference:
    """Positions and azimuths from which downrange is measured. The azimuth is the direction of the first
    velocity over the ground.

    At rest and in vertical flight the launch azimuth is used, or else the azimuth of the inertial velocity,
    which is east on the pad of a rotating planet.
    """
    motion, (origin, origin_velocity) = mechanism.motion(x), mechanism.split(x)[4:]
    n, world = mechanism.layout.count, mechanism.scenario.planet
    if world is None:
        return reference
    position = origin[:, None] + motion.position[:, :n]
    speed = origin_velocity[:, None] + motion.velocity[:, :n]
    around = surroundings.around(mechanism.numbers.surroundings, t, position, speed)
    north, east, _ = rotate_back(around.level, around.ground_velocity)
    moving = norm(jnp.stack([north, east])) > LEVEL_SPEED * norm(speed)
    over_ground, inertial = (flight_path(around.level, v).azimuth for v in (around.ground_velocity, speed))
    if is_flat(world):
        place = flat_coordinates(world, position)[:2]
    else:
        place = jnp.stack([around.latitude, around.longitude])
    launch = launch_azimuths(mechanism.scenario, around.level, motion.rotation[:, :, :n], inertial)
    azimuth = jnp.where(moving, over_ground, launch)
    return reference._replace(start_place=place, start_azimuth=azimuth)
