"""Properties of the elements and segments of one beam."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jax, jnp
from ...maths.rotation_vectors import turning
from ...maths.rotations import matrix_of
from ...maths.vectors import add_axes, rotate
from . import law, sections


class Made(NamedTuple):
    """Properties of the elements and segments of beams. Each array has the shape (component, item, *cases).

    Of elements:

    - along, about (3) [N/m, N m/rad]: stiffnesses K and H of `law`.
    - length [m]; damping [s]: stiffness-proportional damping.
    - unloaded (6) [m, rad]: strains without load; None if all beams are straight without load.
    - shear (3) [m]: offsets of the shear centres from the axis; None if all are on the axis.

    Of segments:

    - mass [kg]; inertia (3) [kg m^2] about the centre of mass.
    - dragged [1/s]: mass-proportional damping.
    - centre (3) [m]: from the middle of a segment on the axis to its centre of mass; None if all are zero.
    - shared [kg]: mass that a segment shares with the preceding segment, see `shared_mass`; None if no beam
      has a consistent mass matrix.
    """

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
    """Return the number of elements of a beam. If the second end is clamped, this number is the number of
    segments plus one; otherwise it is the number of segments.
    """
    return beam.elements + (beam.child is not None)


class Having(NamedTuple):
    """Features that at least one of several beams has.

    - centres: centres of mass of segments away from the middles of the segments.
    - shared: consistent mass matrix.
    - curved: curvature without load.
    - shear: shear centres off the axis.
    """

    centres: bool
    shared: bool
    curved: bool
    shear: bool


def having(beams: Any) -> Having:
    """Return the features of declared beams. The features depend only on which keys are set, because a study
    can change the values of keys.
    """
    shared = any(beam.mass_matrix == "consistent" for beam in beams)
    curved = any(beam.curvature is not None for beam in beams)
    mass, shear = (
        any(sections.off_axis(beam, name) for beam in beams) for name in ("mass_centre", "shear_centre")
    )
    return Having(shared or mass, shared, curved, shear)


def of(beam: Any, lanes: int, has: Having | None = None) -> Made:
    """Return the properties of the elements and segments of one beam.

    - `lanes`: number of case axes of the numbers of the beam, 0 or 1.
    - has: features of all beams. Default: features of this beam.
    """
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
    """Return offsets (3, item, *cases) from their components along y and z. Default: zero."""
    if place is None:
        return jnp.zeros((3, *like.shape))
    return jnp.concatenate([jnp.zeros((1, *place.shape[1:])), place])


def free_curvature(beam: Any, lanes: int) -> Any:
    """Return the twist and the curvatures of the unloaded beam [rad/m] (3, 1, *cases).

    `lanes`: number of case axes of the numbers of the beam, 0 or 1.
    """
    given = np.zeros(3) if beam.curvature is None else beam.curvature
    return jnp.expand_dims(add_axes(jnp.asarray(given, float), 1 + lanes), 1)


def _unloaded_strains(beam: Any, length: Any, lanes: int) -> Any:
    """Return the strains of elements that are arcs without load. The frame half way is the frame in the
    middle of the arc."""
    angle = free_curvature(beam, lanes) * length
    chord = 0.5 * (arc(angle / 2) + arc(-angle / 2))
    return jnp.concatenate([length * (chord - add_axes(ALONG, angle.ndim)), angle])


ALONG = np.array([1.0, 0.0, 0.0])


def arc(angle: Any) -> Any:
    """Return the chord vector of an arc, divided by the arc length, in the section axes at the start of the
    arc.

    angle: rotation vectors (3, ...) [rad] from the start to the end of the arc.
    """
    return turning(angle, add_axes(ALONG, angle.ndim))


SHARED = 1 / 12
"""The mass s of module `shared_mass`, divided by the mean mass of two neighbouring segments. With this
fraction, the error of waves along the segments is of order 4.
"""
OUT = 1 / 24
"""The outward shift of the centres of mass of the first and last segment, divided by the segment length."""


def _consistent(mass: Any, length: Any, centre: Any, inertia: Any) -> tuple[Any, Any, Any]:
    """Return the shared masses, centres and inertias of a beam with a consistent mass matrix.

    A rigid segment has the kinetic energy m h (v.v + h^2/12 v'.v')/2, with the velocity v of its middle and
    the derivative v' along the beam. A beam has the additional term m h^3/24 v.v''. The sum of these terms is
    m h^2/24 times the difference of v.v' between the ends, minus the sum of m h^3/24 v'.v'. The second part
    is subtracted between neighbours: m h/24 times the squared difference of their velocities. The first part
    is added by end segments whose centres of mass are shifted outward by h/24.

    Frequencies therefore have errors of order 4 for slender uniform beams. Shear, rotary inertia and taper
    cause small errors of order 2. The inertia of the end segments is adapted so that mass, centre of mass and
    inertia of the whole are exact for a straight beam."""
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
    """Return the vectors from the middles of segments on the axis to their centres of mass (3, segment,
    *cases) [m], inertial axes. Return None if all vectors are zero.

    `turn`: quaternions of the segments (4, segment, *cases).
    """
    return None if made.centre is None else rotate(matrix_of(turn), made.centre)


def lanes_of(tree: Any, lanes: tuple[int, ...]) -> list[Any]:
    """Return a list with one tree of arrays for each case. Without case axes, the list contains the tree
    itself.

    - tree: arrays (..., *cases). A last axis of size one is shared by all cases.
    - `lanes`: shape of the case axes.
    """
    if not lanes:
        return [tree]
    return [jax.tree.map(lambda one, k=k: one[..., min(k, one.shape[-1] - 1)], tree) for k in range(*lanes)]
