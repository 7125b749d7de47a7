"""Quantities of beams: section loads of each element, where each segment is, and what is largest along a
beam."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.quantity import Items, Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from ...maths.rotations import conjugate, matrix_of, multiply
from ...maths.vectors import norm, rotate, rotate_back
from ...model.attachments import picked
from ..bushings.law import rotation_vector
from .segments import arc

if TYPE_CHECKING:
    from .flown import Beams

CLAMP = "axes of the beam where it is clamped in its parent"


def beam_quantities(part: Beams) -> Makers:
    """Of all beams by path: "forces.boom", "forces.boom.section_3", "forces.boom.segment_2"."""
    found: dict[str, Any] = {}
    element = segment = 0
    for beam, count, span in zip(part.items, part.counts, part.spans, strict=True):
        path = f"forces.{beam.name}"
        own = np.arange(element, element + span)
        found[path] = partial(_whole, own, segment + count - 1)
        for n in range(span):
            found[f"{path}.section_{n + 1}"] = partial(_section, element + n)
        for n in range(count):
            found[f"{path}.segment_{n + 1}"] = partial(_segment, segment + n)
        element, segment = element + span, segment + count
    return found


def _whole(own: np.ndarray, last: int) -> dict[str, Quantity]:
    def most(name: str, across: bool) -> Any:
        def largest(m: Here) -> Any:
            load = picked(getattr(m["beams"].elements, name), own, 1)
            size = norm(load[1:]) if across else jnp.abs(load[0])
            return jnp.max(size, 0)

        return largest

    at = "segment next to the end"
    return {
        "energy": scalar_quantity(
            "J", "strain energy", lambda m: jnp.sum(picked(m["beams"].elements.energy, own, 0), 0)
        ),
        "axial_force": scalar_quantity("N", "largest axial force, by size", most("force", False)),
        "shear_force": scalar_quantity("N", "largest shear force", most("force", True)),
        "torque": scalar_quantity("N m", "largest torque, by size", most("moment", False)),
        "bending_moment": scalar_quantity("N m", "largest bending moment", most("moment", True)),
        "end": vector_quantity("m", "middle of the face at its end", CLAMP, at, partial(_end, last)),
    }


def _section(k: int) -> dict[str, Quantity]:
    axes = "axes of the section"
    text = "on what is before the section: {} along x, {} along y and z"
    return {
        "force": vector_quantity("N", text.format("axial", "shear"), axes, "", Items(_force, (k,))),
        "moment": vector_quantity("N m", text.format("torque", "bending"), axes, "", Items(_moment, (k,))),
    }


def _segment(k: int) -> dict[str, Quantity]:
    return {
        "position": vector_quantity("m", "from the clamp in the parent", CLAMP, "", Items(_position, (k,))),
        "rotation": vector_quantity("rad", "rotation vector", CLAMP, "", Items(_rotation, (k,))),
    }


def _force(m: Here, k: Any) -> Any:
    return picked(m["beams"].elements.force, k, 1)


def _moment(m: Here, k: Any) -> Any:
    return picked(m["beams"].elements.moment, k, 1)


def _starts(m: Here, k: Any) -> tuple[Any, Any]:
    """Positions and quaternions of the clamps in the parents of segments."""
    clamps, owner = m["beams"].clamps, m.equations.parts["beams"].owner[k]  # type: ignore[attr-defined]
    return picked(clamps.position, owner, 1), picked(clamps.quaternion, owner, 1)


def _position(m: Here, k: Any) -> Any:
    place, turn = _starts(m, k)
    return rotate_back(matrix_of(turn), picked(m["beams"].segments.position, k, 1) - place)


def _rotation(m: Here, k: Any) -> Any:
    turn = _starts(m, k)[1]
    return rotation_vector(multiply(conjugate(turn), picked(m["beams"].segments.quaternion, k, 1)))


def _end(last: int, m: Here) -> Any:
    """Half a segment on from the middle of the last one."""
    k = np.array([last])
    place, turn = _starts(m, k)
    part: Any = m.equations.parts["beams"]
    own, segments = m.numbers.own["beams"], m["beams"].segments
    first = np.cumsum((0, *part.spans[:-1]))[part.owner[k]]
    half, axes = picked(own.made.length, first, 0), matrix_of(picked(segments.quaternion, k, 1))
    reach = half * axes[:, 0]
    if own.made.unloaded is not None:
        reach = half * rotate(axes, arc(picked(own.made.unloaded[3:], first, 1)))
    away = picked(segments.position, k, 1) + reach - place
    return rotate_back(matrix_of(turn), away)[:, 0]
