"""Stations, frames that parts move within bodies: what loads them, and what joint rows on them ask for.

A station moves with T u + P s, u being the velocity of its body and s the rates of the degrees of freedom of
its part. A row A on it is A T on the body and A P on the degrees of freedom; and their transposes take loads.
With the masses m of the degrees of freedom, M u' = f + T^T A^T lam and m s' = k + P^T A^T lam under A (T u' +
P s' + b) + gamma = 0 give

    (A T M^-1 T^T A^T + A P m^-1 P^T A^T) lam = -(gamma + A (b + P k/m) + A T M^-1 f):

degrees of freedom are in the matrix of the rows as a yielding of these, and in gamma as what they do by
themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..formulations import elimination
from ..maths.arrays import jnp
from ..model import attachments
from ..model.attachments import Motion, Pairs, picked, select
from . import answers
from .contract import Flexible

if TYPE_CHECKING:
    from ..formulations.contract import Constraints
    from ..model.constraint_rows import RowTable
    from .here import Here
    from .layout import Layout
    from .mechanism import Mechanism


def moving(mechanism: Mechanism) -> Iterator[tuple[Flexible, slice]]:
    """Parts that have stations, and which of all columns these are."""
    first = mechanism.layout.columns
    for part in mechanism.layout.having(Flexible):
        if part.nodes:
            yield part, slice(first, first + len(part.nodes))
            first += len(part.nodes)


def drifting(here: Here) -> Motion:
    """Motion of the bodies, the ground and the stations, of which those that do so move as masses change."""
    motion, found = here.motion, []
    for part, among in moving(here.equations):
        found.append(
            part.node_motion_with_mass_flow(here)
            if part.nodes_follow_mass
            else attachments.between(motion, among)
        )
    return attachments.behind(here.equations.of_bodies(motion), *found)


def on_bodies(mechanism: Mechanism, x: Any, motion: Motion, loads: Any) -> tuple[Any, Any]:
    """Loads on bodies, ground and stations (6, column, *cases) as loads on bodies and ground (6, column,
    *cases), and on all degrees of freedom (freedom, *cases)."""
    layout = mechanism.layout
    total, pushes = loads[:, : layout.columns], []
    for part, among in moving(mechanism):
        own, felt = _felt(part, mechanism, x, motion, loads[:, among], np.arange(len(part.nodes)))
        bodies = layout.carriers[among]
        total = total + attachments.gathered(own, jnp.zeros_like(own), bodies, bodies, layout.columns)
        pushes += [jnp.sum(felt, 1)] if part.degrees_of_freedom else []
    none = jnp.zeros((0, *loads.shape[2:]))
    return total, jnp.concatenate(pushes) if pushes else none


def rows_on_bodies(mechanism: Mechanism, x: Any, motion: Motion, on: Any, ends: Any) -> tuple[Any, Any]:
    """Sides (6, row, *cases) of rows on columns `ends` (row,) as those on bodies and ground, and on all
    degrees of freedom (freedom, row, *cases)."""
    ends = np.asarray(ends)
    lanes, count = on.shape[2:], len(ends)
    plain = np.flatnonzero(ends < mechanism.layout.columns)
    sides, order, pushes = [picked(on, plain, 1)], [plain], []
    for part, among in moving(mechanism):
        mine = np.flatnonzero((ends >= among.start) & (ends < among.stop))
        felt: Any = np.zeros((len(part.degrees_of_freedom), 0, *lanes))
        if len(mine):
            own = picked(on, mine, 1)
            side, felt = _felt(part, mechanism, x, motion, own, ends[mine] - among.start)
            sides.append(side)
            order.append(mine)
        pushes.append(_among(felt, mine, count))
    whole = jnp.concatenate(sides, 1)
    return select(whole, np.argsort(np.concatenate(order)), 1), jnp.concatenate(pushes)


def _felt(part: Flexible, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Any) -> Any:
    """What loads on stations of a part do to bodies and to its degrees of freedom. Raises BadInput for other
    shapes."""
    on_body, pushes = part.node_loads(mechanism, x, motion, loads, which)
    lanes, count = x.shape[1:], len(which)
    answers.shaped(part, "node_loads", "a load on a body for each on a station", on_body, (6, count), lanes)
    shape = len(part.degrees_of_freedom), count
    return on_body, answers.shaped(
        part, "node_loads", "that of each on each of its freedoms", pushes, shape, lanes
    )


def _among(felt: Any, mine: np.ndarray, count: int) -> Any:
    """Columns of some rows among those of all, (freedom, row, *cases)."""
    padded = jnp.concatenate([felt, jnp.zeros((felt.shape[0], 1, *felt.shape[2:]))], 1)
    places = np.full(count, len(mine))
    places[mine] = np.arange(len(mine))
    return picked(padded, places, 1)


def joints_on_bodies(layout: Layout, table: RowTable, motion: Motion, pairs: Pairs) -> tuple[RowTable, Pairs]:
    """The table and the pairs of joints as those of the bodies that their stations are in: with arms from the
    centres of mass."""
    ends = [np.array(one, int) for one in (table.parent, table.child)]
    bodies = [layout.carrying(one) for one in ends]
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


def bias(here: Here) -> Any:
    """What rows are accelerated by (row, *cases) while the bodies are not, and no joint pushes the
    degrees of freedom."""
    mechanism, rows, layout = here.equations, here.rows, here.equations.layout
    still = jnp.zeros_like(here.motion.position[:, : layout.columns])
    still = jnp.concatenate([still, still])
    found = [still]
    for part, _ in moving(mechanism):
        found.append(part.node_accelerations(here, still, of_part(mechanism, part, here.unjoined)))
    whole, joint = jnp.concatenate(found, 1), mechanism.table.joint
    on_a, on_b = (
        on * select(whole, np.array(ends)[joint], 1)
        for on, ends in ((rows.on_a, mechanism.table.parent), (rows.on_b, mechanism.table.child))
    )
    return jnp.sum(on_a + on_b, 0)


def of_part(mechanism: Mechanism, part: Flexible, freedoms: Any) -> Any:
    """Those of one part among all degrees of freedom (freedom, *cases)."""
    first, count = mechanism.layout.degrees_of_freedom.get(part.name, (0, 0))
    return freedoms[first : first + count]


def moved(mechanism: Mechanism, x: Any, by: Any, jump: Any) -> Any:
    """The state with all degrees of freedom moved by `by`, and rates that have jumped by `jump` (freedom,
    *cases)."""
    parts = [part for part in mechanism.layout.having(Flexible) if part.degrees_of_freedom]
    found = {
        part.name: part.displace(
            mechanism.own(part.name, x), *(of_part(mechanism, part, each) for each in (by, jump))
        )
        for part in parts
    }
    return mechanism.with_own(x, found, "displace")


def rates(mechanism: Mechanism, x: Any) -> Any:
    """Rates of all degrees of freedom (freedom, *cases)."""
    parts = [part for part in mechanism.layout.having(Flexible) if part.degrees_of_freedom]
    return jnp.concatenate([part.generalized_rates(mechanism.own(part.name, x)) for part in parts])


def closed(mechanism: Mechanism, x: Any, constraints: Constraints, lam: Any) -> Any:
    """The state with its degrees of freedom moved as multipliers of a correction of positions ask for."""
    if constraints.on_freedoms is None:
        return x
    by = elimination.freedom_rates(mechanism.numbers.inertias, constraints, lam)
    return moved(mechanism, x, by, jnp.zeros_like(by))


def jumped(mechanism: Mechanism, x: Any, constraints: Constraints, lam: Any) -> Any:
    """The state with rates of its degrees of freedom that have jumped by impulses of the rows."""
    if constraints.on_freedoms is None:
        return x
    jump = elimination.freedom_rates(mechanism.numbers.inertias, constraints, lam)
    return moved(mechanism, x, jnp.zeros_like(jump), jump)
