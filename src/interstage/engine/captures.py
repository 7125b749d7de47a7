"""Captures: joint rows that become active at an event, with the impulse of a plastic impact."""

from __future__ import annotations

from functools import partial

from ..maths.arrays import jax, jnp, lax
from ..maths.vectors import product, transpose
from ..model.attachments import column
from ..model.drive import drive
from .mechanism import Discrete, Mechanism
from .switches import upright


def apply_captures(mechanism: Mechanism, t, x, before: Discrete, after: Discrete):
    """Return state and switches after captures at an event. Velocities jump as in a plastic impact.

    - t, x: time [s] and state at the event.
    - before, after: switches before and after the event. The rows that become active are the captures.

    New rows constrain the bodies in their pose at the event. If all rotations of a joint become locked, the
    child's joint frame is redefined parallel to the parent's joint frame, including its prescribed rotation.
    The remaining residual of the new rows is stored as the offset of these rows.
    """
    gained = (after.active > 0) & (before.active == 0)

    def capture():
        caught = _caught(mechanism, t, x, before, after, gained)
        return jax.tree.map(partial(jnp.where, jnp.any(gained, 0)), caught, (x, after))

    return lax.cond(jnp.any(gained), capture, lambda: (x, after))


def _caught(whole: Mechanism, t, x, before: Discrete, after: Discrete, gained):
    """State and switches after a capture, computed in every case. Cases without new rows are included."""
    assert before.child_frame is not None
    assert before.offset is not None
    mechanism = whole.at(x, after)  # the centres of mass are those that drops have left
    motion = mechanism.motion(x)
    pairs, frame_a, _ = mechanism.geometry(t, motion, before)
    caught = _joints_of(mechanism, gained)
    wanted = frame_a
    if mechanism.layout.driven:
        wanted = product(frame_a, drive(mechanism.numbers.drives, t).turn)
    aligned = jnp.stack([_align(pairs, wanted, j) for j in range(len(caught))], 2)
    stiff = jnp.stack([some & _all_turns_locked(mechanism, after, j) for j, some in enumerate(caught)])
    frame = jnp.where(stiff[None, None], aligned, before.child_frame)
    found = after._replace(child_frame=frame, offset=jnp.zeros_like(before.active))
    _, frame_a, frame_b = mechanism.geometry(t, motion, found)
    g = mechanism.rows(t, pairs, frame_a, frame_b, found).g
    held = jnp.where(after.active > 0, before.offset, 0.0)
    # With the frame laid anew the rotation rows that held before hold anew, too.
    anew = gained | (stiff[mechanism.table.joint] & upright(~mechanism.table.forces, gained))
    found = found._replace(offset=jnp.where(anew, g, held))
    if mechanism.layout.scenario.solver.elastic:
        # Springs catch the bodies gently, without an impulse, and those that are stretched stay so.
        return x, found._replace(impulse=jnp.zeros_like(before.active))
    x, impulse = mechanism.correct(t, x, found)
    return x, found._replace(impulse=impulse)


def _joints_of(mechanism: Mechanism, gained):
    """Whether each joint has gained a row."""
    table, joints = mechanism.table, len(mechanism.layout.joints)
    return [jnp.any(jnp.stack([gained[k] for k in table.of_joint(j)]), 0) for j in range(joints)]


def _all_turns_locked(mechanism: Mechanism, discrete, j):
    """Whether the present mode of a joint locks all three rotations."""
    locked = jnp.zeros(discrete.mode[j].shape, bool)
    for m, rows in enumerate(mechanism.layout.modes[j], start=1):
        if len(rows.rotations) == 3:
            locked = locked | (discrete.mode[j] == m)
    return locked


def _align(pairs, frame_a, j):
    """Orientation of the child's joint frame in its structural axes that is now parallel to the parent's
    joint frame."""
    return product(transpose(column(pairs.rotation_b, j, 2)), column(frame_a, j, 2))
