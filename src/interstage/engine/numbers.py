"""Values of a scenario as arrays, stacked over bodies and joints.

The first axes of an array are the components. The last axis is the case; its size is one if all cases share
the value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..environment import surroundings
from ..formulations import attachment_stiffness
from ..formulations.carried_mass import carried_by_joints
from ..formulations.contract import Inertias
from ..maths import curves as tables
from ..maths.arrays import jax, jnp, lax
from ..maths.rotations import matrix_of
from ..maths.vectors import add_axes, dot, outer_identity, product
from ..model.attachments import pick, select
from .contract import ChangesMass
from .flexible import coupling
from .layout import Layout
from .stacks import Ends, Stacks, quaternions, stack_items, stacks


class Totals(NamedTuple):
    """Mass properties of the bodies.

    - mass (body, *cases): masses [kg].
    - centre (3, body, *cases): centres of mass [m], structural coordinates.
    - inertia (3, 3, body, *cases): inertia tensors about the centres of mass [kg m^2], structural axes.

    For a single body, the body axis is absent.
    """

    mass: Any
    centre: Any
    inertia: Any


class Numbers(NamedTuple):
    """Values of a scenario as arrays (component..., item, *cases).

    - mass (body) [kg], inertia (3, 3, body) [kg m^2]: mass properties about the centres of mass, without the
      ground.
    - inertias: inverse mass properties, with the ground.
    - centre (3, body) [m]: centres of mass in structural coordinates.
    - arm_a, arm_b (3, joint) [m]: vectors from the centres of mass to the joint points, body axes.
    - frame_a, frame_b (3, 3, joint): joint frames, axes as columns in structural axes; None if all are
      parallel to the structural axes.
    - drives, rates: prescribed motions and velocities of the axes of each joint.
    - cosine (rotation row): cosines of the constrained angles; None if all are right angles.
    - radius (contact) [m]: radii of rolling disks; None without disks.
    - dry: declared mass properties of the bodies, to which models may add.
    - ends: joint points in structural coordinates, to update the arms if centres of mass move.
    - centres (3, column) [m]: reference points of the lever arms, see `flexible.coupling.centres`.
    - carried (row) [kg or kg m^2]: carried mass or inertia, see `formulations.carried_mass`; None if the
      formulation uses no springs.
    - surroundings: prepared planet, atmosphere and wind; None without a planet.
    - own: prepared values of models, by name.
    """

    mass: jax.Array
    inertia: jax.Array
    inertias: Inertias
    centre: jax.Array
    arm_a: jax.Array
    arm_b: jax.Array
    frame_a: jax.Array | None
    frame_b: jax.Array | None
    drives: tuple
    rates: tuple
    cosine: jax.Array | None
    radius: jax.Array | None
    dry: Totals
    ends: Ends
    centres: jax.Array
    carried: jax.Array | None = None
    surroundings: surroundings.Ready | None = None
    own: dict[str, Any] = {}  # noqa: RUF012 - never changed

    def arm(self, point, body: int):
        """Return the vector from the centre of mass of a body, or from a node, to a point (3, *cases) [m],
        structural axes.

        - point (3, *cases): point in structural coordinates [m].
        - body: column of the body or node.

        The case axes have size one if neither the point nor the centre of mass depends on the case.
        """
        centre = self.centres[:, body]
        return add_axes(jnp.asarray(point), centre.ndim) - centre


def numbers(layout: Layout, scenario: Any, lanes: int = 0, stacked_numbers: Stacks | None = None) -> Numbers:
    """Return the values of a scenario as arrays.

    - scenario: scenario with the structure of `layout`. The values have `lanes` (0 or 1) case axes.
    - stacked_numbers: stacked values of the same scenario, if they already exist.
    """
    found = stacks(layout, scenario, lanes) if stacked_numbers is None else stacked_numbers
    mass, centre = jnp.asarray(found.mass), jnp.asarray(found.centre)
    inertia = central_tensor(mass, centre, found.inertia, found.about)
    declared = layout.scenario.joints
    own = {name: part.numbers(scenario, found.own.get(name), lanes) for name, part in layout.parts.items()}
    centres = coupling.centres(layout, own, centre)
    arm_a, arm_b = arms(layout, declared, found.joint, centres)
    ready = Numbers(
        mass=mass,
        inertia=inertia,
        inertias=coupling.with_modes(layout, own, invert_masses(mass, inertia, layout.ground)),
        centre=centre,
        arm_a=arm_a,
        arm_b=arm_b,
        frame_a=_frames([j.parent_frame for j in declared], found.parent_frame, lanes),
        frame_b=_frames([j.child_frame for j in declared], found.child_frame, lanes),
        drives=tuple(_drive(j.driven) for j in scenario.joints),
        rates=tuple(_drive(j.rates) for j in scenario.joints),
        cosine=_cosines(layout, scenario, lanes),
        radius=_radii(layout, scenario, lanes),
        surroundings=surroundings.prepare(scenario.planet, scenario.atmosphere, scenario.wind, found.wind),
        dry=Totals(mass, centre, inertia),
        ends=found.joint,
        centres=centres,
        own=_with_centres(layout, own, centres),
    )
    return ready._replace(carried=_carried_masses(layout, scenario, lanes, ready))


def _with_centres(layout: Layout, own: dict[str, Any], centre) -> dict[str, Any]:
    return {name: part.with_centres(own[name], centre) for name, part in layout.parts.items()}


def with_masses(layout: Layout, ready: Numbers, now: Totals) -> Numbers:
    """Return the values `ready` with the mass properties `now`, and with updated values that depend on the
    centres of mass.
    """
    centres = coupling.centres(layout, ready.own, now.centre)
    arm_a, arm_b = arms(layout, layout.scenario.joints, ready.ends, centres)
    return ready._replace(
        mass=now.mass,
        inertia=now.inertia,
        inertias=coupling.with_modes(layout, ready.own, invert_masses(now.mass, now.inertia, layout.ground)),
        centre=now.centre,
        arm_a=arm_a,
        arm_b=arm_b,
        centres=centres,
        own=_with_centres(layout, ready.own, centres),
    )


def central_tensor(mass, centre, tensor, about):
    """Return the inertia tensor (3, 3, ...) about the centre of mass, by the parallel-axis theorem.

    - mass [kg], centre (3, ...) [m]: mass and centre of mass.
    - tensor (3, 3, ...) [kg m^2]: inertia about the point `about` (3, ...) [m]. None: about the centre of
      mass.
    """
    if about is None:
        return jnp.asarray(tensor)
    d = centre - about
    return tensor - mass * (dot(d, d) * outer_identity(d) - d[:, None] * d[None])


def row_stiffness(layout: Layout, scenario: Any, direction, lanes: int = 0):
    """Return the attachment stiffness of each row (row, *cases) [N/m or N m/rad]; see
    `formulations.attachment_stiffness.of_rows`.

    direction (3, row, *cases): load for a unit multiplier, in axes of the parent's joint frame.
    """
    found = attachment_stiffness.compliances(scenario.joints, scenario.solver.sharing_length, lanes)
    along, about = (stack_items(each, lanes, (3,)) for each in found)
    return attachment_stiffness.of_rows(layout.table, along, about, direction)


def invert_masses(mass, inertia, ground: bool) -> Inertias:
    """Return the inverse masses and inertias of the bodies. If `ground` is true, the last entry has the zero
    inverse mass and inertia of the ground.

    mass (body, *cases) [kg], inertia (3, 3, body, *cases) [kg m^2].
    """
    inverse_mass, inverse = 1 / mass, inverse_3x3(inertia)
    if ground:
        inverse_mass = jnp.concatenate([inverse_mass, jnp.zeros_like(inverse_mass[:1])])
        inverse = jnp.concatenate([inverse, jnp.zeros_like(inverse[:, :, :1])], 2)
    return Inertias(inverse_mass, inverse, mass, _fill_axes(inertia, inverse[:, :, : mass.shape[0]]))


def _fill_axes(inertia, inverse):
    """The tensors with a substitute inertia about axes without inertia, for which `inverse_3x3` returns zero.
    No torque acts about these axes, so any value is valid, and formulations can divide by it."""
    lacking = outer_identity(inertia[0]) - product(inertia, inverse)
    size = inertia[0, 0] + inertia[1, 1] + inertia[2, 2]
    some = jnp.where(jnp.max(jnp.abs(lacking), (0, 1)) > 1e-3, jnp.where(size > 0, size, 1.0), 0.0)
    return inertia + some * lacking


def inverse_3x3(matrix):
    """Return the inverse of positive (semi)definite matrices (3, 3, ...) by Cholesky's elimination.

    In a direction without inertia (the axis of a thin rod) the inverse is zero, so a torque does not change
    the spin about this axis. For an off-axis rod, J = a (1 - u u^T) has the pseudo-inverse J / a^2.
    """
    scale = matrix[0, 0] + matrix[1, 1] + matrix[2, 2]
    lower: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    inverse_pivot = []
    for k in range(3):
        for i in range(k + 1):
            value = matrix[k, i] - sum(lower[k][m] * lower[i][m] for m in range(i))
            if k == i:
                solid = value > 1e-12 * scale
                root = jnp.sqrt(jnp.where(solid, value, 1.0))
                lower[k][k] = jnp.where(solid, root, 0.0)
                inverse_pivot.append(jnp.where(solid, 1 / root, 0.0))
            else:
                lower[k][i] = value * inverse_pivot[i]
    eye = outer_identity(matrix[0])
    columns = []
    for c in range(3):
        x = [eye[r, c] for r in range(3)]
        for k in range(3):
            x[k] = (x[k] - sum(lower[k][i] * x[i] for i in range(k))) * inverse_pivot[k]
        for k in reversed(range(3)):
            x[k] = (x[k] - sum(lower[i][k] * x[i] for i in range(k + 1, 3))) * inverse_pivot[k]
        columns.append(jnp.stack(x))
    inverse = jnp.stack(columns, 1)
    lacking = inverse_pivot[2] * inverse_pivot[1] * inverse_pivot[0] == 0

    def of_rods():
        half = jnp.where(scale > 0, 0.5 * scale, 1.0)
        rod = jnp.max(jnp.abs(product(matrix, matrix) - half * matrix), (0, 1)) < 1e-9 * half * half
        return jnp.where(rod & lacking, matrix / half**2, inverse)

    return lax.cond(jnp.any(lacking), of_rods, lambda: inverse)


def arms(layout: Layout, pairs: Any, ends: Ends, centre, of_bodies: bool = False) -> tuple[Any, Any]:
    """Return the vectors from the centres of mass to the points on parents and on children (3, item, *cases)
    [m].

    - pairs: declared attachments. ends: their points in structural coordinates.
    - centre: reference points of the lever arms, see `flexible.coupling.centres`.
    - of_bodies: true for arms from the centres of mass also at nodes; false for arms from the nodes.

    Points on the ground are returned as declared.
    """
    a, b = (jnp.asarray(points) for points in ends)
    if not pairs:
        return a, b
    parent, child = layout.columns.ends(pairs)
    if of_bodies:
        parent, child = layout.columns.bodies_of(parent), layout.columns.bodies_of(child)
    whole = jnp.concatenate([centre, jnp.zeros_like(centre[:, :1])], 1)
    return a - select(whole, parent, 1), b - select(whole, child, 1)


def _frames(attitudes, stack, lanes):
    return matrix_of(quaternions(attitudes, stack, lanes)) if stack else None


def _drive(driven):
    """Motions of the six axes of one joint, tables prepared."""
    if driven is None:
        return None
    return {axis: _prepare(getattr(driven, axis)) for axis in driven.axes()}


def _cosines(layout, scenario, lanes):
    """Cosines of the angles that rotation rows constrain; None if all are right angles."""
    table = layout.table
    modes = table.modes[table.first_rotation :][: len(table.rotations)]
    if not any(modes):
        return None
    found = [
        jnp.cos(layout.joint_type(scenario, j, m).angle) if m else 0.0
        for (j, _, _), m in zip(table.rotations, modes, strict=True)
    ]
    return stack_items(found, lanes)


def _radii(layout, scenario, lanes):
    """Radii of rolling disks; None if there are no disks."""
    table = layout.table
    modes = [table.modes[k] for k in table.contact_rows[: len(table.contacts)]]
    found = [layout.joint_type(scenario, j, m).radius for j, m in zip(table.contacts, modes, strict=True)]
    return stack_items(found, lanes) if found else None


def _carried_masses(layout, scenario, lanes: int, ready: Numbers):
    """Mass or inertia that each row carries at the start, with all that the bodies carry; None if joints are
    not springs."""
    table = layout.table
    if not layout.scenario.solver.elastic or not table.count:
        return None
    holding = [bool(table.of_joint(j)) for j in range(len(table.parent))]
    first = ready.dry
    for part in layout.having(ChangesMass):
        laden = part.initial_mass(scenario, ready._replace(dry=first), lanes)
        first = first if laden is None else laden
    levers = arms(layout, layout.scenario.joints, ready.ends, first.centre, of_bodies=True)
    parent, child = layout.columns.bodies_of(table.parent), layout.columns.bodies_of(table.child)
    found = carried_by_joints(parent, child, holding, layout.ground, first.mass, first.inertia, *levers)
    along, about = (pick(own, table.joint, 0) for own in found)
    return jnp.where(add_axes(table.forces, along.ndim), along, about)


def _prepare(motion):
    return tables.curve(motion.time, motion.value, "cubic") if motion.kind == "table" else motion


def joint_frames(rotation, frame):
    """Return the axes of joint frames in inertial components, as columns (3, 3, joint, *cases).

    rotation: rotation matrices of the bodies. frame: joint frames in structural axes; None if they are
    parallel.
    """
    return rotation if frame is None else product(rotation, frame)


def along_joint_axes(table, vectors, frame_a):
    """Return inertial vectors of rows (3, row, *cases) as components along the axes of the parents' joint
    frames.

    frame_a (3, 3, joint, *cases): joint frames on the parents. Joint loads are reported in these axes.
    """
    return in_frame(frame_a if frame_a.shape[2] == 1 else select(frame_a, table.joint, 2), vectors)


def in_frame(frame, vector):
    """Return the components of inertial vectors (3, ...) along the axes (columns) of frames (3, 3, ...)."""
    return jnp.sum(frame * vector[:, None], 0)
