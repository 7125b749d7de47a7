"""Impulses on bodies at the release of joints by devices.

A device applies an impulse J along its line of action. The vector e contains the generalized directions of
its force on both bodies. The impulse changes the velocities by J P M^-1 e. P is the projection, in the mass
metric, onto the motions that the remaining constraints allow, as in a plastic impact. Released strain energy
E is the work of the impulses. With the velocities u, w_ij = e_i . P M^-1 e_j and the rates s_i = e_i . u of
the lines before the release, this gives

    sum_i J_i s_i + sum_ij J_i J_j w_ij / 2 = sum_i E_i.

For one device between free bodies without relative motion, the equation is J^2 w / 2 = E. With the reduced
mass mu = 1/w and the relative velocity v, this is mu v^2 / 2 = E. For several simultaneous devices J_i = c
sqrt(2 E_i / w_ii), with the common factor c from the sum of the energies. The common factor preserves
symmetry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...engine.flexible import coupling
from ...formulations import elimination
from ...maths.arrays import jax, jnp, lax
from ...maths.vectors import add_axes, norm, rotate
from ...model import attachments
from ...model.attachments import column
from .law import strain_energy

if TYPE_CHECKING:
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete
    from .flown import Kick


class Answers(NamedTuple):
    """Response of the bodies to a unit impulse of each device at a release. The symbols are from the module.

    - direction (6, kick, body incl. ground, *cases): generalized directions e.
    - jump (6, kick, body incl. ground, *cases): velocity jumps P M^-1 e.
    - rows (row, kick, *cases): impulses of the remaining constraints.
    - pushed, freed (mode, kick, *cases): components of e and P M^-1 e for the flexible modes
      (`engine.flexible.coupling`). None if no joint is at a node.
    """

    direction: jax.Array
    jump: jax.Array
    rows: jax.Array
    pushed: jax.Array | None = None
    freed: jax.Array | None = None


def apply_kicks(
    mechanism: Mechanism, kicks: tuple[Kick, ...], t, x, before: Discrete, after: Discrete, newly
):
    """Return the state and the discrete states after the impulses of new releases.

    `newly`: for each event, whether it occurs now (*cases). If a joint is already free, no impulse is
    applied.
    """
    due = jnp.stack([newly[kick.event] & (before.mode[kick.joint] > 0) for kick in kicks])

    def jump():
        found = _after_impulses(mechanism.at(x, after), kicks, t, x, before, after, due)
        return jax.tree.map(lambda a, b: jnp.where(jnp.any(due, 0), a, b), found, (x, after))

    return lax.cond(jnp.any(due), jump, lambda: (x, after))


def _after_impulses(mechanism, kicks, t, x, before, after, due):
    motion, inertias = mechanism.motion(x), mechanism.numbers.inertias
    answers = _answers(mechanism, kicks, t, x, motion, after)
    size = _sizes(mechanism, kicks, answers, x, motion, due)
    jump = jnp.sum(answers.jump * size[None, :, None], 1)
    r, v, q, w, origin, origin_velocity = mechanism.split(x)
    n, behind = (
        mechanism.layout.count,
        mechanism.trailing_state(mechanism.states_after_impulse(x, after, jump)),
    )
    x = mechanism.pack(r, v + jump[:3, :n], q, w + jump[3:, :n], origin, origin_velocity, behind)
    if answers.freed is not None:
        freed = jnp.sum(answers.freed * size[None], 1)
        x = coupling.change_rates(mechanism, x, freed)
    assert inertias is not None
    after = after.with_own("releases", jnp.where(due, size, after.own["releases"]))
    if after.impulse is not None:
        after = after._replace(impulse=after.impulse + jnp.sum(answers.rows * size[None], 1))
    return x, after


def _answers(mechanism, kicks, t, x, motion, after) -> Answers:
    """Response of the bodies to the kicks, with the remaining constraints."""
    inertias, lanes = mechanism.numbers.inertias, motion.position.shape[2:]
    directions = [coupling.on_joined(mechanism, x, motion, _line(mechanism, kick, motion)) for kick in kicks]
    rows = mechanism.rows_of(t, motion, after)
    constraints = mechanism.constraints(rows, jnp.zeros_like(rows.g), after, x, motion)
    prepared = None
    if not mechanism.layout.scenario.solver.elastic:  # springs transmit a jump when they deform
        prepared = elimination.prepare(inertias, constraints, mechanism.layout.loops)
    found = []
    for direction, pushed in directions:
        free, freed = elimination.times_inverse_mass(inertias, direction), pushed
        lam = jnp.zeros((mechanism.table.count, *lanes))
        if pushed is not None:
            freed = inertias.freedoms.inverse_mass * pushed
            bias = jnp.sum(constraints.on_freedoms * freed[:, None], 0)
            constraints = constraints._replace(bias=bias)
        if prepared is not None:
            free, lam = elimination.nearest(prepared, inertias, free, constraints)
            if freed is not None:
                freed = freed + elimination.freedom_rates(inertias, constraints, lam)
        lam = jnp.broadcast_to(lam, (mechanism.table.count, *lanes))
        found.append((direction, free, lam, *((pushed, freed) if pushed is not None else ())))
    return Answers(*(jnp.stack(each, 1) for each in zip(*found, strict=True)))


def _line(mechanism, kick: Kick, motion):
    """Generalized direction (6, body, *cases) of a unit impulse of a kick, at its point on the parent and the
    coincident point on the child."""
    scenario, numbers = mechanism.scenario, mechanism.numbers
    device, joint = scenario.devices[kick.device], scenario.joints[kick.joint]
    parent, child = (mechanism.layout.columns.end(joint, end) for end in ("parent", "child"))
    lanes = motion.position.ndim - 2
    at = joint.parent_at if device.at is None else device.at
    arm = add_axes(jnp.asarray(at), 1 + lanes)
    if parent != mechanism.layout.count or not mechanism.layout.ground:
        arm = numbers.arm(at, parent)
    turn = column(motion.rotation, parent, 2)
    axis = add_axes(jnp.asarray(device.axis), 1 + lanes)
    along = rotate(turn, jnp.broadcast_to(axis / norm(axis), motion.position[:, 0].shape))
    point = motion.position[:, parent] + rotate(turn, jnp.broadcast_to(arm, along.shape))
    on_child = motion.position[:, child]
    reach = attachments.rotate_back(column(motion.rotation, child, 2), point - on_child)
    pairs = attachments.kinematics(motion, (parent,), (child,), _one(arm, along), _one(reach, along))
    on_a, on_b = attachments.lever(pairs, along[:, None])
    return attachments.sum_by_body(on_a, on_b, (parent,), (child,), motion.position.shape[1])


def _one(vector, like):
    return jnp.broadcast_to(vector, like.shape)[:, None]


def _sizes(mechanism, kicks, answers: Answers, x, motion, due):
    """Impulses (kick, *cases) [N s]; zero for releases that do not occur now."""
    devices = [mechanism.scenario.devices[kick.device] for kick in kicks]
    shape = due.shape[1:]
    given = [d.impulse if d.impulse is not None else 0.0 for d in devices]
    given = jnp.stack([jnp.broadcast_to(g, shape) for g in given]) * due
    if all(device.stiffness is None for device in devices):
        return given
    energies = [
        device.efficiency * strain_energy(device) / len(device.joints)
        if device.stiffness is not None
        else 0.0
        for device in devices
    ]
    energy = jnp.stack([jnp.broadcast_to(e, shape) for e in energies]) * due
    response = jnp.sum(answers.direction[:, :, None] * answers.jump[:, None], (0, 3))
    moving = mechanism.of_bodies(motion)
    velocity = jnp.concatenate([moving.velocity, moving.spin_body])
    velocity = velocity + jnp.sum(answers.jump * given[None, :, None], 1)
    rate = jnp.sum(answers.direction * velocity[:, None], (0, 2))
    if answers.pushed is not None and answers.freed is not None:
        response = response + jnp.sum(answers.pushed[:, :, None] * answers.freed[:, None], 0)
        freed = coupling.rates(mechanism, x) + jnp.sum(answers.freed * given[None], 1)
        rate = rate + jnp.sum(answers.pushed * freed[:, None], 0)
    own = jnp.stack([response[k, k] for k in range(len(devices))])
    some = (energy > 0) & (own > 0)
    alone = jnp.where(some, jnp.sqrt(jnp.where(some, 2 * energy / jnp.where(some, own, 1.0), 1.0)), 0.0)
    square = 0.5 * jnp.sum(alone[:, None] * response * alone[None], (0, 1))
    linear, total = jnp.sum(alone * rate, 0), jnp.sum(energy, 0)
    any_left = square > 0
    square, total = jnp.where(any_left, square, 1.0), jnp.where(any_left, total, 1.0)
    factor = 2 * total / (linear + jnp.sqrt(linear**2 + 4 * square * total))
    return given + jnp.where(any_left, factor, 0.0) * alone
