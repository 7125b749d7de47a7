"""Elements and segments of one beam as numbers, and the fastest motion that they have."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import widened
from . import law, sections


class Made(NamedTuple):
    """Of one beam, (component, item, *lanes). Of elements: along, about (3) [N/m, N m/rad]: K and H of `law`;
    length [m], damping [s]. Of segments: mass [kg], inertia (3) [kg m^2], dragged [1/s]: damping by mass."""

    along: Any
    about: Any
    length: Any
    damping: Any
    mass: Any
    inertia: Any
    dragged: Any


def span(beam: Any) -> int:
    """Elements of a beam: one more than segments where it ends in a body."""
    return beam.elements + (beam.child is not None)


def of(beam: Any, lanes: int) -> Made:
    """The numbers of a beam whose leaves have `lanes` lane axes."""
    count = beam.elements
    length = widened(jnp.asarray(beam.length, float), lanes)[None] / count
    whole = np.array([0.5, *[1.0] * (count - 1), 0.5])[: span(beam)]
    middle = (np.array([0.25, *np.arange(1, count), count - 0.25]) / count)[: span(beam)]
    own = length * widened(whole, 1 + lanes)
    along, about = law.stiffness(sections.along(beam, middle, lanes), own)
    segments = sections.along(beam, (np.arange(count) + 0.5) / count, lanes)
    mass = segments.mass * length
    slab = mass * length**2 / 12
    inertia = segments.inertia * length + jnp.stack([0 * slab, slab, slab])
    damping, dragged = (
        widened(jnp.asarray(one, float), lanes)[None] * np.ones((number, *(1,) * lanes))
        for one, number in ((beam.damping, span(beam)), (beam.mass_damping, count))
    )
    return Made(along, about, own, damping, mass, inertia, dragged)


def fastest(beam: Any) -> float:
    """An angular frequency [1/s] that no motion of a straight beam exceeds between clamps that stay where
    they are, as heavy bodies do: the highest of any element with its share of the segments at its ends (B. M.
    Irons and S. Ahmad, Techniques of Finite Elements, 1980). Shares are halves, but next to clamps, where the
    element is half as long, those that bound it best."""
    made = of(beam, 0)
    return min(_highest(made, share) for share in SHARES)


SHARES = np.linspace(0.5, 0.9, 9)
"""Of segments next to clamps, in the element on the clamp's side."""


def _highest(made: Made, share: float) -> float:
    """The bound with a share of the segments next to clamps in the elements there."""
    count, clamp = len(made.mass), np.zeros((4, 1))
    inverse = 1 / np.concatenate([made.mass[None], made.inertia])
    before, behind = np.full(count, 0.5), np.full(count, 0.5)  # on the element before a segment, and behind
    if count > 1:
        before[0], behind[0] = share, 1 - share
        if len(made.length) > count:
            before[-1], behind[-1] = 1 - share, share
    left = np.concatenate([clamp, inverse / behind], 1)[:, : len(made.length)]
    right = np.concatenate([inverse / before, clamp], 1)[:, : len(made.length)]
    total = left + right
    squares = [made.along[0] * total[0], made.about[0] * total[1]]
    for across, about in ((1, 2), (2, 1)):
        k, h, arm = made.along[across], made.about[about], made.length / 2
        sheared, bent = total[0] + arm**2 * total[1 + about], total[1 + about]
        mixed = arm * (left - right)[1 + about]
        mean, product = (k * sheared + h * bent) / 2, k * h * (sheared * bent - mixed**2)
        squares.append(mean + np.sqrt(np.maximum(mean**2 - product, 0.0)))
    return float(np.sqrt(np.max(squares)))
