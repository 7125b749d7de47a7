"""Elements and segments of one beam as numbers, and the fastest motion that they have."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jax, jnp
from ...maths.rotation_vectors import turning
from ...maths.rotations import matrix_of
from ...maths.vectors import add_axes, rotate
from . import law, sections


class Made(NamedTuple):
    """Of one beam, (component, item, *cases). Of elements: along, about (3) [N/m, N m/rad]: K and H of `law`.
    `length` [m], `damping` [s]. Of segments: mass [kg], inertia (3) [kg m^2] about the centre of mass,
    dragged [1/s]: damping by mass. `centre` (3) [m]: the centre of mass from the middle on the axis, None
    where no beam has one elsewhere. `shared` [kg]: see `shared_mass`, with the segment before, None where no
    beam has a consistent mass matrix. Of elements again: unloaded (6) [m, rad]: stretches and turns without
    load, None where all beams are straight then. `shear` (3) [m]: shear centres from the axis, None where all
    are on it."""

    along: Any
    about: Any
    length: Any
    damping: Any
    mass: Any
    inertia: Any
    dragged: Any
    centre: Any = None
    shared: Any = None
    unloaded: Any = None
    shear: Any = None


def span(beam: Any) -> int:
    """Elements of a beam: one more than segments where it ends in a body."""
    return beam.elements + (beam.child is not None)


class Having(NamedTuple):
    """What any of some beams have: centres of mass of segments off their middles, consistent mass matrices,
    curvature without load, shear centres off the axis."""

    centres: bool
    shared: bool
    curved: bool
    shear: bool


def having(beams: Any) -> Having:
    """By declarations, whose numbers may change."""
    shared = any(beam.mass_matrix == "consistent" for beam in beams)
    curved = any(beam.curvature is not None for beam in beams)
    mass, shear = (
        any(sections.off_axis(beam, name) for beam in beams) for name in ("mass_centre", "shear_centre")
    )
    return Having(shared or mass, shared, curved, shear)


def of(beam: Any, lanes: int, has: Having | None = None) -> Made:
    """The numbers of a beam whose leaves have `lanes` case axes. has: of all beams. Default: this one."""
    count = beam.elements
    length = add_axes(jnp.asarray(beam.length, float), lanes)[None] / count
    whole = np.array([0.5, *[1.0] * (count - 1), 0.5])[: span(beam)]
    middle = (np.array([0.25, *np.arange(1, count), count - 0.25]) / count)[: span(beam)]
    own = length * add_axes(whole, 1 + lanes)
    elements = sections.along(beam, middle, lanes)
    along, about = law.stiffness(elements, own)
    segments = sections.along(beam, (np.arange(count) + 0.5) / count, lanes)
    mass = segments.mass * length
    slab = mass * length**2 / 12
    inertia = segments.inertia * length + jnp.stack([0 * slab, slab, slab])
    damping, dragged = (
        add_axes(jnp.asarray(one, float), lanes)[None] * np.ones((number, *(1,) * lanes))
        for one, number in ((beam.damping, span(beam)), (beam.mass_damping, count))
    )
    centre = share = None
    has = having((beam,)) if has is None else has
    if has.centres:
        centre = _offset(segments.centre, mass)
    if has.shared:
        share = jnp.zeros_like(mass)
    if beam.mass_matrix == "consistent" and count > 1:
        share, centre, inertia = _consistent(mass, length, centre, inertia)
    unloaded = _unloaded_strains(beam, own, lanes) if has.curved else None
    shear = _offset(elements.shear, elements.mass) if has.shear else None
    return Made(along, about, own, damping, mass, inertia, dragged, centre, share, unloaded, shear)


def _offset(place: Any, like: Any) -> Any:
    """Places (3, item, *cases) by those along y and z. Default: on the axis."""
    if place is None:
        return jnp.zeros((3, *like.shape))
    return jnp.concatenate([jnp.zeros((1, *place.shape[1:])), place])


def free_curvature(beam: Any, lanes: int) -> Any:
    """Its curvature without load (3, 1, *cases) [rad/m]."""
    given = np.zeros(3) if beam.curvature is None else beam.curvature
    return jnp.expand_dims(add_axes(jnp.asarray(given, float), 1 + lanes), 1)


def _unloaded_strains(beam: Any, length: Any, lanes: int) -> Any:
    """Stretches and turns of elements that are arcs: the frame half way is that in their middle."""
    angle = free_curvature(beam, lanes) * length
    chord = 0.5 * (arc(angle / 2) + arc(-angle / 2))
    return jnp.concatenate([length * (chord - add_axes(ALONG, angle.ndim)), angle])


ALONG = np.array([1.0, 0.0, 0.0])


def arc(angle: Any) -> Any:
    """From the beginning to the end of an arc that turns by rotation vectors (3, ...) [rad], over its length,
    axes of the section at the beginning."""
    return turning(angle, add_axes(ALONG, angle.ndim))


SHARED = 1 / 12
"""Part of the mean mass of two segments that is taken off each and added to both for the mean of their
velocities. It makes the error of a wave that segments carry one of order 4."""
OUT = 1 / 24
"""By how much of their length the centres of mass of the first and last segments are farther out."""


def _consistent(mass: Any, length: Any, centre: Any, inertia: Any) -> tuple[Any, Any, Any]:
    """shared, centres and inertias of a beam with a consistent mass matrix.

    Rigid segments have the kinetic energy m h (v.v + h^2/12 v'.v')/2, with the velocity v of the middle and
    v' along the beam. A beam has m h^3/24 v.v'' besides, whose sum is m h^2/24 of the difference of v.v'
    between the ends, less the sum of m h^3/24 v'.v'. The second is taken off between neighbours, as m h/24 of
    the square of the difference of their velocities. The first belongs to segments at the ends whose centres
    of mass are h/24 farther out. So frequencies are of order 4 where the beam is slender and even: shear,
    rotary inertia and taper leave errors of order 2, as small as they are. The inertia of the segments at the
    ends sees to it that mass, centre of mass and inertia of the whole stay those of a straight beam."""
    mean = 0.5 * (mass[1:] + mass[:-1])
    share = jnp.concatenate([jnp.zeros_like(mass[:1]), SHARED * mean])
    count = mass.shape[0]
    side = add_axes(np.array([-1.0, *[0.0] * (count - 2), 1.0]), mass.ndim)
    out = OUT * length * side
    more = mass * (2 * SHARED * length * jnp.abs(out) - (1 - SHARED) * out**2)
    along = jnp.broadcast_to(out, (1, *jnp.broadcast_shapes(out.shape, centre.shape[1:])))
    across = jnp.broadcast_to(centre[1:], (2, *along.shape[1:]))
    return share, jnp.concatenate([along, across]), inertia + jnp.stack([0 * more, more, more])


def arms(made: Made, turn: Any) -> Any:
    """From the middles of segments on the axis to their centres of mass (3, segment, *cases) [m], inertial
    axes; None where these are all on it."""
    return None if made.centre is None else rotate(matrix_of(turn), made.centre)


def lanes_of(tree: Any, lanes: tuple[int, ...]) -> list[Any]:
    """Trees of arrays for each case, which all cases may share; the tree alone where there are none."""
    if not lanes:
        return [tree]
    return [jax.tree.map(lambda one, k=k: one[..., min(k, one.shape[-1] - 1)], tree) for k in range(*lanes)]
