"""Nodes and modes of flexible bodies in the equations of bodies and joints.

A node moves with T u + P s, where u is the velocity of its body and s has the rates of the modes. A row A on
the node is A T on the body and A P on the modes; the transposes take loads. The equations are M u' = f + T^T
A^T lam and m s' = k + P^T A^T lam, with generalized masses m. With A (T u' + P s' + b) + gamma = 0 they give

    (A T M^-1 T^T A^T + A P m^-1 P^T A^T) lam = -(gamma + A (b + P k/m) + A T M^-1 f):

modes are in the matrix of the rows as a compliance, and in gamma as their free accelerations.

Without nodes these functions return their arguments, and a program has no additional equation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...formulations import elimination
from ...formulations.contract import Freedoms
from ...maths.arrays import jnp
from ...model import attachments
from ...model.attachments import Motion, pick, select

if TYPE_CHECKING:
    from ...formulations.contract import Constraints, Inertias
    from ...model.attachments import Pairs
    from ...model.constraint_rows import Rows, RowTable
    from ..here import Here
    from ..layout import Layout
    from ..mechanism import Mechanism

# --- masses


def centres(layout: Layout, own: dict[str, Any], centre: Any) -> Any:
    """Origins of arms (3, column, *cases): the centres of mass (3, body, *cases), and after the origin of the
    ground the undeformed positions of the nodes. Without nodes: the centres of mass alone."""
    if not layout.columns.nodes:
        return centre
    nodes = jnp.asarray(own[layout.flexible.name].place)
    every = [centre, *([jnp.zeros_like(centre[:, :1])] if layout.ground else []), nodes]
    lanes = jnp.broadcast_shapes(*(one.shape[2:] for one in every))
    return jnp.concatenate([jnp.broadcast_to(one, (*one.shape[:2], *lanes)) for one in every], 1)


def with_modes(layout: Layout, own: dict[str, Any], inertias: Inertias) -> Inertias:
    """Inertias with the generalized masses, if joint rows move modes."""
    if not layout.columns.joints_at_nodes:
        return inertias
    inverse = 1 / own[layout.flexible.name].mass
    return inertias._replace(freedoms=Freedoms(inverse, layout.flexible.mode_bodies))


def at_mass(mechanism: Mechanism, x: Any) -> Mechanism:
    """The mechanism with the modes at the masses of a state."""
    flexible = mechanism.layout.flexible
    if not flexible.follows_mass:
        return mechanism
    numbers, own = mechanism.numbers, flexible.modes_in(mechanism, x)
    found = {**numbers.own, flexible.name: own}
    inertias = with_modes(mechanism.layout, found, numbers.inertias)
    return mechanism.with_numbers(numbers._replace(own=found, inertias=inertias))


# --- motion


def with_nodes(mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
    """Motion of bodies and ground, followed by the motion of the nodes."""
    if not mechanism.layout.columns.nodes:
        return motion
    return attachments.append_bodies(motion, mechanism.layout.flexible.node_motion(mechanism, x, motion))


def without_nodes(layout: Layout, motion: Motion) -> Motion:
    """Motion of bodies and ground alone."""
    return attachments.first(motion, layout.columns.bodies) if layout.columns.nodes else motion


def moving(here: Here) -> Motion:
    """Motion of all columns, including motion by the change of shapes if masses change."""
    layout = here.equations.layout
    if not layout.columns.nodes_follow_mass:
        return here.motion
    return attachments.append_bodies(
        without_nodes(layout, here.motion), layout.flexible.drifting_motion(here)
    )


def moving_at(here: Here, ends: Any) -> Motion:
    """Motion of the points at some columns. If any of these columns is a node, this is `moving`."""
    every = np.concatenate([np.ravel(np.asarray(end, int)) for end in ends])
    return here.moving if np.any(every >= here.equations.layout.columns.bodies) else here.motion


def moving_joints(here: Here) -> Motion:
    """Motion of the ends of joints. If any joint is at a node, this is `moving`."""
    return here.moving if here.equations.layout.columns.joints_at_nodes else here.motion


def at_rest(mechanism: Mechanism, x: Any) -> Motion | None:
    """Motion of all columns in a state of bodies at rest at the origin; None if no joint is at a node."""
    return mechanism.motion(x) if mechanism.layout.columns.joints_at_nodes else None


# --- loads


def on_bodies(mechanism: Mechanism, x: Any, motion: Motion, loads: Any) -> tuple[Any, Any]:
    """Loads on all columns (6, column, *cases) as loads on bodies and ground (6, body, *cases), and on modes
    (mode, *cases), None without nodes."""
    columns, flexible = mechanism.layout.columns, mechanism.layout.flexible
    if not columns.nodes:
        return loads, None
    every = np.arange(len(columns.nodes))
    own, pushed = flexible.node_loads(mechanism, x, motion, loads[:, columns.of_nodes], every)
    bodies = flexible.node_bodies
    on_nodes = attachments.sum_by_body(own, jnp.zeros_like(own), bodies, bodies, columns.bodies)
    return loads[:, : columns.bodies] + on_nodes, jnp.sum(pushed, 1)


def on_joined(mechanism: Mechanism, x: Any, motion: Motion, loads: Any) -> tuple[Any, Any]:
    """Loads at joints, distributed as by `on_bodies`. The loads on modes are None if no joint is at a
    node."""
    columns = mechanism.layout.columns
    if columns.joints_at_nodes:
        return on_bodies(mechanism, x, motion, loads)
    return (loads[:, : columns.bodies] if columns.nodes else loads), None


# --- joints


def on_modes(
    mechanism: Mechanism, x: Any, motion: Motion, rows: Rows, found: Constraints, rigid: bool
) -> Constraints:
    """The constraints with rows on bodies and on modes, in place of rows on nodes. rigid: whether nodes are
    fixed in the bodies."""
    if not mechanism.layout.columns.joints_at_nodes:
        return found
    joint = mechanism.table.joint
    sides = (rows.on_a, mechanism.table.parent), (rows.on_b, mechanism.table.child)
    (on_a, a), (on_b, b) = (_rows(mechanism, x, motion, on, np.array(ends)[joint]) for on, ends in sides)
    return found._replace(on_a=on_a, on_b=on_b, on_freedoms=None if rigid else a + b)


def _rows(mechanism: Mechanism, x: Any, motion: Motion, on: Any, ends: np.ndarray) -> tuple[Any, Any]:
    """Sides (6, row, *cases) of rows at the columns `ends` (row,) as sides on bodies and ground, and on modes
    (mode, row, *cases)."""
    columns, flexible = mechanism.layout.columns, mechanism.layout.flexible
    plain, mine = (np.flatnonzero(which) for which in (ends < columns.bodies, ends >= columns.bodies))
    sides, order = [pick(on, plain, 1)], [plain]
    pushed: Any = np.zeros((len(flexible.mode_bodies), 0, *on.shape[2:]))
    if len(mine):
        which = ends[mine] - columns.bodies
        side, pushed = flexible.node_loads(mechanism, x, motion, pick(on, mine, 1), which)
        sides.append(side)
        order.append(mine)
    whole = jnp.concatenate(sides, 1)
    return select(whole, np.argsort(np.concatenate(order)), 1), _among(pushed, mine, len(ends))


def _among(pushed: Any, mine: np.ndarray, count: int) -> Any:
    """Columns of some rows in an array of all rows, (mode, row, *cases); zero in the other rows."""
    padded = jnp.concatenate([pushed, jnp.zeros((pushed.shape[0], 1, *pushed.shape[2:]))], 1)
    places = np.full(count, len(mine))
    places[mine] = np.arange(len(mine))
    return pick(padded, places, 1)


def joints_on_bodies(layout: Layout, table: RowTable, motion: Motion, pairs: Pairs) -> tuple[RowTable, Pairs]:
    """The table and the pairs of joints at the bodies of their nodes, with arms from the centres of mass."""
    if not layout.columns.joints_at_nodes:
        return table, pairs
    ends = [np.array(one, int) for one in (table.parent, table.child)]
    bodies = [layout.columns.bodies_of(one) for one in ends]
    arms = [
        arm + select(motion.position, end, 1) - select(motion.position, body, 1)
        for arm, end, body in zip((pairs.arm_a, pairs.arm_b), ends, bodies, strict=True)
    ]
    spins, turns = (
        [select(field, body, axis) for body in bodies]
        for field, axis in ((motion.spin, 1), (motion.rotation, 2))
    )
    parent, child = (tuple(body.tolist()) for body in bodies)
    moved = pairs._replace(arm_a=arms[0], arm_b=arms[1], spin_a=spins[0], spin_b=spins[1])
    return replace(table, parent=parent, child=child), moved._replace(
        rotation_a=turns[0], rotation_b=turns[1]
    )


def correction_passes(layout: Layout) -> tuple[bool, ...]:
    """Whether nodes are rigid in their bodies, for each pass of a correction at the start. Modal coordinates
    stay as declared. Exception: gaps that only a change of modal coordinates can close."""
    return (True, False) if layout.columns.joints_at_nodes else (False,)


# --- accelerations


def gamma(here: Here) -> Any:
    """Accelerations of the rows (row, *cases) while the bodies are not accelerated, and no joint loads the
    modes."""
    mechanism, rows, layout = here.equations, here.rows, here.equations.layout
    if not layout.columns.joints_at_nodes:
        return rows.gamma
    still = jnp.zeros_like(here.motion.position[:, : layout.columns.bodies])
    still = jnp.concatenate([still, still])
    nodes = layout.flexible.node_accelerations(here, still, here.free_modal_accelerations)
    whole, joint = jnp.concatenate([still, nodes], 1), mechanism.table.joint
    on_a, on_b = (
        on * select(whole, np.array(ends)[joint], 1)
        for on, ends in ((rows.on_a, mechanism.table.parent), (rows.on_b, mechanism.table.child))
    )
    return rows.gamma + jnp.sum(on_a + on_b, 0)


def free_accelerations(here: Here) -> Any:
    """Accelerations of all modes (mode, *cases) without the loads of joints."""
    flexible, pushed = here.equations.layout.flexible, here.loads_on_bodies[1]
    found = flexible.free_acceleration(here)
    return found if pushed is None else found + pushed / flexible.modes(here.mechanism).mass


def modal_accelerations(here: Here, multipliers: Any) -> Any:
    """Accelerations of all modes (mode, *cases). multipliers: function that returns the multipliers of the
    rows."""
    found = here.free_modal_accelerations
    if not here.equations.layout.columns.joints_at_nodes:
        return found
    return found + elimination.freedom_rates(here.numbers.inertias, here.constraints, multipliers())


def accelerations(here: Here) -> Any:
    """Accelerations of all columns (6, column, *cases)."""
    layout = here.equations.layout
    if not layout.columns.nodes:
        return here.acceleration
    nodes = layout.flexible.node_accelerations(here, here.acceleration, here.generalized_accelerations)
    return jnp.concatenate([here.acceleration, nodes], 1)


# --- jumps and corrections


def close(mechanism: Mechanism, x: Any, constraints: Constraints, lam: Any) -> Any:
    """The state with modal coordinates moved by the multipliers of a correction of positions."""
    if constraints.on_freedoms is None:
        return x
    by = elimination.freedom_rates(mechanism.numbers.inertias, constraints, lam)
    return mechanism.layout.flexible.displace(mechanism, x, by, jnp.zeros_like(by))


def apply_impulses(mechanism: Mechanism, parts: tuple[Any, ...], constraints: Constraints, lam: Any) -> Any:
    """States of parts after impulses `lam` of the rows. parts: of the state, as in `StateForm.pack`, with
    the states of parts last."""
    if constraints.on_freedoms is None:
        return parts[-1]
    jump = elimination.freedom_rates(mechanism.numbers.inertias, constraints, lam)
    return mechanism.trailing_state(change_rates(mechanism, mechanism.pack(*parts), jump))


def change_rates(mechanism: Mechanism, x: Any, jump: Any) -> Any:
    """The state with rates of modes changed by `jump` (mode, *cases)."""
    return mechanism.layout.flexible.displace(mechanism, x, jnp.zeros_like(jump), jump)


def rates(mechanism: Mechanism, x: Any) -> Any:
    """Rates of all modes (mode, *cases)."""
    return mechanism.layout.flexible.coordinates_in(mechanism, x)[1]
