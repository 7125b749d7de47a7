"""Equations of motion of a scenario at one time: bodies, joints, and the models that act on them.

The module `state` describes the state.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from ..environment import gravity_field
from ..environment.surroundings import Surroundings, around
from ..formulations import baumgarte, catalogue, elimination, sharing
from ..formulations.contract import Constraints, Joints
from ..maths import rotations
from ..maths.arrays import jnp, lax
from ..maths.vectors import add_axes, cross, rotate
from ..model import attachments, constraint_rows
from ..model.attachments import Motion
from ..model.constraint_rows import Rows, Sizes
from ..model.drive import drive, rates
from ..tree.errors import BadInput
from . import answers
from .contract import ChangesMass, HasState, MovingMass
from .flexible import coupling
from .held import HeldHere
from .here import Here
from .layout import Layout
from .numbers import Numbers, Totals, along_joint_axes, joint_frames, row_stiffness, with_masses
from .own_steps import own_steps
from .point import PointHere
from .state import Discrete, Reference, StateForm


class Mechanism(StateForm):
    """Equations of motion of one scenario.

    - layout: structure of the scenario. scenario, numbers: its values, as declared and as arrays.
    - reference: reference values from the start, or None before the bodies are placed.
    """

    def __init__(self, layout: Layout, scenario: Any, numbers: Numbers, reference: Reference | None = None):
        solver = layout.scenario.solver
        tail = own_steps(solver.formulation.kind).tail(layout) if solver.own_steps else 0
        super().__init__(layout, tail)
        self.scenario, self.numbers, self.settled = scenario, numbers, reference
        self.table = layout.table
        joint = self.table.joint
        self.row_parent = layout.columns.bodies_of(self.table.parent)[joint]
        self.row_child = layout.columns.bodies_of(self.table.child)[joint]
        self.projecting = solver.stabilization == "projection" and not solver.elastic
        self.damped = solver.stabilization == "baumgarte" and not solver.own_steps
        self.formulation = catalogue.equations(solver.formulation.kind)
        self.parts = layout.parts

    @property
    def reference(self) -> Reference:
        """Return the reference values from the start of the flight. The initial states must be known."""
        assert self.settled is not None
        return self.settled

    # --- state

    def at(self, x, discrete: Discrete) -> Mechanism:
        """Return the mechanism with the masses of the bodies in the state x. If masses are constant, the
        result is this mechanism.
        """
        found = self
        for part in self.layout.having(ChangesMass):
            found = part.with_mass(found, x, discrete)
        return coupling.at_mass(found, x)

    def weighing(self, now: Totals) -> Mechanism:
        """Return the mechanism with the mass properties `now`."""
        return self.with_numbers(with_masses(self.layout, self.numbers, now))

    def with_numbers(self, numbers: Numbers) -> Mechanism:
        """Return a copy of the mechanism with other values of the scenario."""
        other = copy(self)
        other.numbers = numbers
        return other

    def motion(self, x, parts: tuple[Any, ...] | None = None) -> Motion:
        """Return the motion of all columns in the state x: bodies, the ground if anything is attached to it,
        and nodes.

        parts: components of the state, if they are already known (see `split`).
        """
        r, v, q, w, _, _ = self.split(x) if parts is None else parts
        return coupling.with_nodes(self, x, attachments.motion_of(r, v, q, w, self.layout.ground))

    def moving(self, t, x, discrete: Discrete) -> Motion:
        """Return the motion of the joint ends; see `here.Here.moving`."""
        return coupling.moving_joints(self.here(t, x, discrete))

    def of_bodies(self, motion: Motion) -> Motion:
        """Return the motion of the bodies and the ground, without nodes."""
        return coupling.without_nodes(self.layout, motion)

    def surroundings(self, t, origin, speed, motion: Motion) -> Surroundings | None:
        """Return altitude, atmosphere and other surroundings at the centres of mass of all bodies; None
        without a planet.

        origin, speed (3, *cases): position [m] and velocity [m/s] of the local origin.
        """
        ready, n = self.numbers.surroundings, self.layout.count
        if ready is None:
            return None
        position = origin[:, None] + motion.position[:, :n]
        return around(ready, t, position, speed[:, None] + motion.velocity[:, :n])

    # --- joints

    def geometry(self, t, motion: Motion, discrete):
        """Return the kinematics of the joint points (`Pairs`), and the joint frames on parents and children
        (3, 3, joint, *cases).
        """
        n = self.numbers
        pairs = attachments.kinematics(motion, self.table.parent, self.table.child, n.arm_a, n.arm_b)
        frame_a = joint_frames(pairs.rotation_a, n.frame_a)
        own = n.frame_b if discrete.child_frame is None else discrete.child_frame
        frame_b = joint_frames(pairs.rotation_b, own)
        return pairs, frame_a, frame_b

    def rows(self, t, pairs, frame_a, frame_b, discrete) -> Rows:
        """Return the constraint rows of the joints from the result of `geometry` at time t [s]."""
        driving = drive(self.numbers.drives, t) if self.layout.driven else None
        moving = rates(self.numbers.rates, t) if self.layout.prescribes_motion else None
        length = None if self.settled is None else self.settled.rod_length
        sizes = Sizes(length, self.numbers.cosine, self.numbers.radius)
        offset = discrete.offset
        return constraint_rows.rows(self.table, pairs, frame_a, frame_b, sizes, offset, driving, moving)

    def rows_of(self, t, motion: Motion, discrete) -> Rows:
        """Return the constraint rows of the joints for a motion of the bodies at time t [s]."""
        return self.rows(t, *self.geometry(t, motion, discrete), discrete)

    def constraints(self, rows: Rows, bias, discrete, x, motion: Motion, rigid: bool = False) -> Constraints:
        """Return constraint rows in the form for a formulation.

        - bias (row, *cases): gamma, or another right-hand side with the opposite sign.
        - x, motion: state and motion in which the rows are computed.
        - rigid: true if the rows do not act on modes of flexible bodies.
        """
        active = discrete.active if self.layout.switching else None
        ends = self.row_parent, self.row_child
        order = self.layout.elimination
        found = Constraints(*ends, rows.on_a, rows.on_b, bias, active, rows.g, rows.gdot, order)
        return coupling.on_modes(self, x, motion, rows, found, rigid)

    def fed_back(self, rows: Rows):
        """Return gamma' of the rows with Baumgarte feedback (row, *cases)."""
        return baumgarte.fed_back(rows, self.table.holonomic, self.scenario.solver.eta)

    def joints(self, motion: Motion, pairs, frame_a, frame_b, discrete) -> Joints:
        """Return the joints of the rows in the form for a formulation."""
        layout = self.layout
        mode = discrete.mode if layout.switching else None
        table, pairs = coupling.joints_on_bodies(layout, self.table, motion, pairs)
        found = self.of_bodies(motion), pairs, frame_a, frame_b, layout.reachable, layout.active
        return Joints(layout.loops, table, layout.modes, mode, *found, self.numbers.carried)

    # --- flow

    def here(self, t, x, discrete: Discrete, multipliers=None) -> Here:
        """Return the values at one time (`Here`) for time t [s] and state x.

        multipliers (row, *cases): multipliers of the rows, if they are known. A formulation with its own
        steps stores the multipliers in the state.
        """
        if multipliers is None and self.tail:
            multipliers = self.tail_of(x)[: self.table.count]
        kind = PointHere if self.layout.point else HeldHere if self.layout.pad else Here
        return kind(self, t, x, discrete, multipliers)

    def share_loads(self, here: Here, lam):
        """Return the multipliers (row, *cases) with statically indeterminate loads distributed by stiffness.

        lam: multipliers of the formulation. The distribution does not change the accelerations.
        """
        if (
            not self.layout.loops
            or not catalogue.ENTRIES[self.layout.scenario.solver.formulation.kind].shares
        ):
            return lam
        inertias, constraints = self.numbers.inertias, here.constraints

        def by_stiffness():
            matrix = elimination.response(elimination.without_masses(inertias), constraints)
            direction = along_joint_axes(self.table, here.rows.direction, here.frame_a)
            stiffness = row_stiffness(self.layout, self.scenario, direction, lam.ndim - 1)
            return sharing.share_loads(matrix, jnp.broadcast_to(stiffness, lam.shape), lam)

        if constraints.order is None:
            return by_stiffness()
        # Many rows, and seldom any that repeat others: whether they do costs far less than to share.
        return lax.cond(elimination.repeating(inertias, constraints), by_stiffness, lambda: lam)

    def derivative(self, t, x, discrete: Discrete):
        """Return dx/dt (n, *cases) at time t [s]."""
        return self.here(t, x, discrete).slope

    def slope(self, here: Here, acceleration):
        """Return dx/dt for given accelerations (6, body, *cases). Entries of the tail are zero.

        The velocity is the velocity of the material point at the centre of mass. Let c' be the rate of the
        centre of mass in the structure, with the rotation R. The rate of the position is then v + R c', and
        the rate of the velocity is a + R (w x c')."""
        _, v, q, w, origin, origin_velocity = here.split
        udot = acceleration[:, : self.layout.count]
        speed, second, behind = v, udot[:3], self.rates_behind(here, acceleration)
        for part in self.layout.having(ChangesMass):
            shift = part.centre_velocity(here)
            if shift is not None:
                what = "velocities of the centres of mass of all bodies"
                answers.check_shape(
                    part, "centre_velocity", what, shift, (3, self.layout.count), here.x.shape[1:]
                )
                turn = here.motion.rotation[:, :, : self.layout.count]
                speed = speed + rotate(turn, shift)
                second = second + rotate(turn, cross(w, shift))
        rates = speed, second, rotations.rate(q, w), udot[3:], origin_velocity, self.fall(here.t, origin)
        return self.pack(*rates, behind)

    def rates_behind(self, here: Here, acceleration):
        """Return the rates of the states of models (model state and tail, *cases), which follow the states of
        the bodies in x. None if there are no such states.
        """
        if not self.layout.extra:
            return None
        parts = [
            self._rates(part, here, acceleration) for part in self.layout.having(HasState) if part.states
        ]
        return jnp.concatenate([*parts, jnp.zeros((self.tail, *here.t.shape))])

    def _rates(self, part: HasState, here: Here, acceleration):
        """Rates of the states of a part."""
        found = part.rates(here, acceleration)
        try:
            return self.check_own(part.name, "rates", found, here.t.shape)
        except BadInput as error:
            hint = answers.hint_of_switches(part, found, here.discrete.own)
            raise BadInput(f"{error}{hint}") from None

    def fall(self, t, origin):
        """Return the acceleration of the local origin [m/s^2] (3, *cases) at time t [s]: the gravity at its
        position `origin`, or zero if anything is attached to the ground.
        """
        if self.layout.ground:
            return jnp.zeros_like(origin)
        return gravity_field.acceleration(self.scenario.gravity, self.scenario.planet, t, origin)

    # --- constraints

    def project(self, t, x, discrete: Discrete):
        """Return the state x with unit quaternions. With the stabilization "projection", positions and
        velocities are also projected on the active rows.

        The projection makes one mass-weighted Newton correction of the positions and one of the velocities.
        If all rows are holonomic, the corrections of positions and velocities use the same factorization.
        """
        x = self.normalize_state(x)
        if not self.projecting or not self.table.count:
            return x

        def correct():
            return self.correct(t, x, discrete)[0]

        if not self.layout.switching:
            return correct()
        return lax.cond(jnp.any(discrete.active > 0), correct, lambda: x)

    def normalize_state(self, x):
        """Return the state x with unit quaternions and with normalized states of models."""
        r, v, q, w, origin, origin_velocity = self.split(x)
        kept = {part.name: part.normalize(self, x) for part in self.layout.having(HasState)}
        kept = {name: own for name, own in kept.items() if own is not None}
        behind = self.trailing_state(self.with_own(x, kept, "normalize"))
        return self.pack(r, v, rotations.unit_quaternion(q), w, origin, origin_velocity, behind)

    def correct(self, t, x, discrete: Discrete, rigid: bool = False):
        """Correct positions and velocities once. Return the corrected state, and the impulses (row, *cases)
        [N s, N m s] of the velocity correction.

        rigid: whether nodes are fixed in the bodies.
        """
        return self.at(x, discrete)._correct(t, x, discrete, rigid)

    def close_loops(self, t, x, discrete: Discrete, rigid: bool = False):
        """Return the state after a single correction of the positions. rigid: whether nodes are fixed in the
        bodies.
        """
        return self.pack(*self.at(x, discrete)._close_loops(t, x, discrete, rigid)[0])

    def _close_loops(self, t, x, discrete, rigid):
        """The parts of the state (`pack`) after one correction of positions, the active rows, and the
        factorization of these rows. The factorization is None if some rows restrict velocities."""
        motion, inertias = self.motion(x), self.numbers.inertias
        rows = self.rows_of(t, motion, discrete)
        constraints = self.constraints(rows, rows.g, discrete, x, motion, rigid)
        closing = self.closing(constraints)
        prepared = elimination.prepare(inertias, closing, self.layout.loops)
        still = jnp.zeros((6, *self.of_bodies(motion).position.shape[1:]))
        step, lam = elimination.nearest(prepared, inertias, still, closing)
        r, v, q, w, origin, origin_velocity = self.split(x)
        n = self.layout.count
        r, q = r + step[:3, :n], rotations.rotate_slightly(q, step[3:, :n])
        behind = self.trailing_state(coupling.close(self, x, closing, lam))
        parts = r, v, q, w, origin, origin_velocity, behind
        return parts, constraints, prepared if closing is constraints else None

    def _correct(self, t, x, discrete, rigid):
        parts, constraints, prepared = self._close_loops(t, x, discrete, rigid)
        r, v, q, w, origin, origin_velocity, behind = parts
        x, inertias, n = self.pack(*parts), self.numbers.inertias, self.layout.count
        if prepared is None:
            prepared = elimination.prepare(inertias, constraints, self.layout.loops)
        motion = self.moving(t, x, discrete)
        rows = self.rows_of(t, motion, discrete)
        moving = self.of_bodies(motion)
        speed = jnp.concatenate([moving.velocity, moving.spin_body])
        constraints = self.constraints(rows, rows.gdot, discrete, x, motion, rigid)
        constraints = constraints._replace(bias=rows.gdot - elimination.row_rates(constraints, speed))
        before = speed
        speed, impulse = elimination.nearest(prepared, inertias, speed, constraints)
        if self.layout.having(MovingMass):
            behind = self.trailing_state(self.states_after_impulse(x, discrete, speed - before))
        parts = r, v, q, w, origin, origin_velocity, behind
        behind = coupling.apply_impulses(self, parts, constraints, impulse)
        return self.pack(r, speed[:3, :n], q, speed[3:, :n], origin, origin_velocity, behind), impulse

    def states_after_impulse(self, x, discrete: Discrete, change):
        """Return the state x with the states of models after a velocity jump `change` (6, body, *cases) of
        the bodies.

        The velocities of the bodies in x are the velocities before the jump. This method does not change the
        velocities.
        """
        found = {
            one.name: one.states_after_impulse(self, x, discrete, change)
            for one in self.layout.having(MovingMass)
        }
        return self.with_own(
            x, {name: own for name, own in found.items() if own is not None}, "states_after_impulse"
        )

    def closing(self, constraints: Constraints) -> Constraints:
        """Return the constraints without velocity-level rows, for the correction of positions.

        A velocity-level row may be redundant to a position-level row. If the factorization kept the
        velocity-level row in place of the position-level row, the position error would remain.
        """
        holonomic = self.table.holonomic
        if holonomic.all():
            return constraints
        positions = add_axes(jnp.asarray(holonomic, float), constraints.bias.ndim)
        held = jnp.ones_like(constraints.bias) if constraints.active is None else constraints.active
        return constraints._replace(active=held * positions)

    # --- errors

    def error_norm(self, x, error):
        """Return the largest error of any body divided by its tolerance (*cases).

        Offsets, velocities, attitudes, angular velocities, the local origin and the states of models have
        separate tolerances.
        """
        tolerance = self.scenario.solver.tolerance
        length, speed, rate = self.scales()
        r, v, _, w, o, vo = self.split(x)
        er, ev, eq, ew, eo, evo = self.split(error)
        worst = jnp.maximum(_farthest(er, r, length), _farthest(ev, v, speed))
        worst = jnp.maximum(worst, jnp.maximum(jnp.max(_size(eq), 0), _farthest(ew, w, rate)))
        if not self.layout.ground:
            # The origin is shared by all bodies: it may err by a millionth of its distance,
            # scaled like the rest.
            worst = jnp.maximum(worst, _size(eo) / (length + 1e-6 * _size(o)))
            worst = jnp.maximum(worst, _size(evo) / (speed + 1e-6 * _size(vo)))
        if self.layout.extra:
            here, amiss = (
                self.trailing_state(x)[: self.layout.extra],
                self.trailing_state(error)[: self.layout.extra],
            )
            worst = jnp.maximum(worst, jnp.max(jnp.abs(amiss) / (self.sizes_behind(x) + jnp.abs(here)), 0))
        return worst / tolerance

    def shaken(self, x):
        """Return the state x plus its possible rounding error; see `ROUNDED`."""
        length, speed, rate = self.scales()
        r, v, q, w, o, vo = self.split(x)

        def sizes(vectors, scale):
            return jnp.broadcast_to(scale + jnp.max(_size(vectors), 0), vectors.shape)

        r, v, q, w = (sizes(*each) for each in ((r, length), (v, speed), (q, 0.0), (w, rate)))
        o, vo = (jnp.broadcast_to(scale + _size(p), p.shape) for p, scale in ((o, length), (vo, speed)))
        return x + rounding_change(self.pack(r, v, q, w, o, vo, self.sizes_of(self.trailing_state(x))))

    def sizes_of(self, behind):
        """Return the magnitudes of the values that follow the states of the bodies. The rounding errors of
        these values are proportional to these magnitudes.

        behind: these values (value, *cases).
        """
        size, own = jnp.abs(behind), self.layout.extra
        if not own:
            return size + 1.0
        first = self.sizes_behind(behind) + size[:own]
        return jnp.concatenate([first, size[own:] + 1.0])

    def sizes_behind(self, x):
        """Return the magnitudes of model states below which the tolerance is absolute (state, *cases).
        Default: 1."""
        found = {part.name: part.sizes(self) for part in self.layout.having(HasState)}
        found = {name: own for name, own in found.items() if own is not None}
        if not found:
            return 1.0
        what, lanes = "one size for each state of the model (`states`)", x.shape[1:]
        parts = []
        for name, (_, count) in self.layout.places.items():
            own = found.get(name, jnp.ones((count, *(1,) * len(lanes))))
            answers.check_shape(self.layout.parts[name], "sizes", what, own, (count,), lanes)
            parts.append(jnp.broadcast_to(own, (count, *lanes)))
        return jnp.concatenate(parts)

    def scales(self):
        """Return length [m], speed [m/s] and rate [rad/s] below which the integration tolerance is
        absolute.
        """
        solver = self.scenario.solver
        given = solver.position_scale, solver.velocity_scale, solver.rate_scale
        return tuple(1.0 if scale is None else scale for scale in given)


ROUNDED = 2.0**-40
"""Possible rounding error of a state relative to its magnitude: 4096 units in the last place. This error is a
thousandth of the default tolerance of a step.

For an offset, a velocity or a rate, the magnitude is the largest magnitude of all bodies, plus the scale
below which the tolerance is absolute. Joints and rotated axes transfer the rounding error of one component
and body to all others.

A step has a rounding error of a few units. In n steps the error grows like the square root of n, or like n if
velocities integrate it.
"""


def rounding_change(sizes):
    """Return a perturbation of a state (n, *cases) between 0.5 and 1 times `ROUNDED` times its magnitudes
    `sizes`.

    Signs and fractions are irregular, so that perturbations do not cancel.
    """
    part = np.modf(np.arange(1, sizes.shape[0] + 1) * 0.5 * (np.sqrt(5) - 1))[0]
    part = np.where(part < 0.5, part - 1, part)
    return ROUNDED * add_axes(part, sizes.ndim) * sizes


def _size(vector):
    return jnp.sqrt(jnp.sum(vector * vector, 0))


def _farthest(error, value, scale):
    """The largest error of any body, relative to a scale plus the body's own value."""
    return jnp.max(_size(error) / (scale + _size(value)), 0)
