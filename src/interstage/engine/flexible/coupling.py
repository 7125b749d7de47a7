"""Nodes and modes of flexible bodies in the equations of bodies and joints.

A node has the velocity T u + P s, where u is the velocity of its body and s are the rates of the modes. A
constraint row A on the node is equivalent to a row A T on the body and a row A P on the modes. The transposed
matrices convert loads. The equations are M u' = f + T^T A^T lam and m s' = k + P^T A^T lam, with generalized
masses m. The relation A (T u' + P s' + b) + gamma = 0 then gives

    (A T M^-1 T^T A^T + A P m^-1 P^T A^T) lam = -(gamma + A (b + P k/m) + A T M^-1 f)

The modes add a compliance to the matrix of the rows, and their free accelerations to gamma.

Without nodes these functions return their arguments, and add no equation to the program.
"""

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
    """Return the reference points of the lever arms (3, column, *cases) [m], structural coordinates.

    The columns are the centres of mass of the bodies (`centre`), zero for the ground, and the undeformed
    positions of the nodes. Without nodes, the result has only the centres of mass.
    """
    if not layout.columns.nodes:
        return centre
    nodes = jnp.asarray(own[layout.flexible.name].place)
    every = [centre, *([jnp.zeros_like(centre[:, :1])] if layout.ground else []), nodes]
    lanes = jnp.broadcast_shapes(*(one.shape[2:] for one in every))
    return jnp.concatenate([jnp.broadcast_to(one, (*one.shape[:2], *lanes)) for one in every], 1)


def with_modes(layout: Layout, own: dict[str, Any], inertias: Inertias) -> Inertias:
    """Return the mass properties with the generalized masses of modes, if joint rows act on modes.

    own: prepared values of models, by name.
    """
    if not layout.columns.joints_at_nodes:
        return inertias
    inverse = 1 / own[layout.flexible.name].mass
    return inertias._replace(freedoms=Freedoms(inverse, layout.flexible.mode_bodies))


def at_mass(mechanism: Mechanism, x: Any) -> Mechanism:
    """Return the mechanism with the modes at the masses of the state x."""
    flexible = mechanism.layout.flexible
    if not flexible.follows_mass:
        return mechanism
    numbers, own = mechanism.numbers, flexible.modes_in(mechanism, x)
    found = {**numbers.own, flexible.name: own}
    inertias = with_modes(mechanism.layout, found, numbers.inertias)
    return mechanism.with_numbers(numbers._replace(own=found, inertias=inertias))


# --- motion


def with_nodes(mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
    """Return the motion of bodies and ground, extended by the motion of the nodes in the state x."""
    if not mechanism.layout.columns.nodes:
        return motion
    return attachments.append_bodies(motion, mechanism.layout.flexible.node_motion(mechanism, x, motion))


def without_nodes(layout: Layout, motion: Motion) -> Motion:
    """Return the motion of bodies and ground, without nodes."""
    return attachments.first(motion, layout.columns.bodies) if layout.columns.nodes else motion


def moving(here: Here) -> Motion:
    """Return the motion of all columns, including the motion of nodes due to modes that change with mass."""
    layout = here.equations.layout
    if not layout.columns.nodes_follow_mass:
        return here.motion
    return attachments.append_bodies(
        without_nodes(layout, here.motion), layout.flexible.drifting_motion(here)
    )


def moving_at(here: Here, ends: Any) -> Motion:
    """Return the motion of all columns, valid for the columns `ends`. If one of these columns is a node, the
    result is the result of `moving`.
    """
    every = np.concatenate([np.ravel(np.asarray(end, int)) for end in ends])
    return here.moving if np.any(every >= here.equations.layout.columns.bodies) else here.motion


def moving_joints(here: Here) -> Motion:
    """Return the motion of all columns, valid for the ends of joints. If a joint is attached to a node, the
    result is the result of `moving`.
    """
    return here.moving if here.equations.layout.columns.joints_at_nodes else here.motion


def at_rest(mechanism: Mechanism, x: Any) -> Motion | None:
    """Return the motion of all columns in the state x with all bodies at rest at the origin; None if no joint
    is at a node.
    """
    return mechanism.motion(x) if mechanism.layout.columns.joints_at_nodes else None


# --- loads


def on_bodies(mechanism: Mechanism, x: Any, motion: Motion, loads: Any) -> tuple[Any, Any]:
    """Return loads on all columns as loads on bodies and ground (6, body, *cases), and as generalized loads
    on modes (mode, *cases).

    Without nodes, the loads on modes are None. loads: (6, column, *cases).
    """
    columns, flexible = mechanism.layout.columns, mechanism.layout.flexible
    if not columns.nodes:
        return loads, None
    every = np.arange(len(columns.nodes))
    own, pushed = flexible.node_loads(mechanism, x, motion, loads[:, columns.of_nodes], every)
    bodies = flexible.node_bodies
    on_nodes = attachments.sum_by_body(own, jnp.zeros_like(own), bodies, bodies, columns.bodies)
    return loads[:, : columns.bodies] + on_nodes, jnp.sum(pushed, 1)


def on_joined(mechanism: Mechanism, x: Any, motion: Motion, loads: Any) -> tuple[Any, Any]:
    """Return loads of joints as `on_bodies` does. The loads on modes are None if no joint is at a node."""
    columns = mechanism.layout.columns
    if columns.joints_at_nodes:
        return on_bodies(mechanism, x, motion, loads)
    return (loads[:, : columns.bodies] if columns.nodes else loads), None


# --- joints


def on_modes(
    mechanism: Mechanism, x: Any, motion: Motion, rows: Rows, found: Constraints, rigid: bool
) -> Constraints:
    """Return the constraints with rows that act on bodies and modes instead of nodes.

    - rows: constraint rows at the columns of the joints. found: constraints from these rows.
    - rigid: whether nodes are fixed in the bodies. If true, rows do not act on modes.
    """
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
    """Return the row table and the joint kinematics with bodies instead of nodes. The arms begin at the
    centres of mass.
    """
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
    """Return for each pass of a correction at the start whether nodes are fixed in their bodies.

    In the first pass modal coordinates keep their declared values. If joints are at nodes, a second pass
    closes the gaps that need a change of modal coordinates.
    """
    return (True, False) if layout.columns.joints_at_nodes else (False,)


# --- accelerations


def gamma(here: Here) -> Any:
    """Return gamma of the rows (row, *cases). Gamma is the row acceleration if the bodies have zero
    acceleration and the joints apply no loads to modes.
    """
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
    """Return the accelerations of all modes (mode, *cases) without the loads of joints."""
    flexible, pushed = here.equations.layout.flexible, here.loads_on_bodies[1]
    found = flexible.free_acceleration(here)
    return found if pushed is None else found + pushed / flexible.modes(here.mechanism).mass


def modal_accelerations(here: Here, multipliers: Any) -> Any:
    """Return the accelerations of all modes (mode, *cases).

    multipliers: function that returns the multipliers of the rows (row, *cases).
    """
    found = here.free_modal_accelerations
    if not here.equations.layout.columns.joints_at_nodes:
        return found
    return found + elimination.freedom_rates(here.numbers.inertias, here.constraints, multipliers())


def accelerations(here: Here) -> Any:
    """Return the accelerations of all columns (6, column, *cases)."""
    layout = here.equations.layout
    if not layout.columns.nodes:
        return here.acceleration
    nodes = layout.flexible.node_accelerations(here, here.acceleration, here.generalized_accelerations)
    return jnp.concatenate([here.acceleration, nodes], 1)


# --- jumps and corrections


def close(mechanism: Mechanism, x: Any, constraints: Constraints, lam: Any) -> Any:
    """Return the state x with modal coordinates changed by a correction of positions.

    lam (row, *cases): multipliers of the correction.
    """
    if constraints.on_freedoms is None:
        return x
    by = elimination.freedom_rates(mechanism.numbers.inertias, constraints, lam)
    return mechanism.layout.flexible.displace(mechanism, x, by, jnp.zeros_like(by))


def apply_impulses(mechanism: Mechanism, parts: tuple[Any, ...], constraints: Constraints, lam: Any) -> Any:
    """Return the states of models after impulses `lam` (row, *cases) of the rows.

    parts: components of the state, in the order of the arguments of `StateForm.pack`.
    """
    if constraints.on_freedoms is None:
        return parts[-1]
    jump = elimination.freedom_rates(mechanism.numbers.inertias, constraints, lam)
    return mechanism.trailing_state(change_rates(mechanism, mechanism.pack(*parts), jump))


def change_rates(mechanism: Mechanism, x: Any, jump: Any) -> Any:
    """Return the state x with the rates of the modes changed by `jump` (mode, *cases)."""
    return mechanism.layout.flexible.displace(mechanism, x, jnp.zeros_like(jump), jump)


def rates(mechanism: Mechanism, x: Any) -> Any:
    """Return the rates of all modes (mode, *cases) in the state x."""
    return mechanism.layout.flexible.coordinates_in(mechanism, x)[1]
