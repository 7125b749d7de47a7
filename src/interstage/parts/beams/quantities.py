"""Output quantities of beams: section loads, positions of segments, and the largest loads of a beam."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.quantity import Items, Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from ...maths.rotations import conjugate, matrix_of, multiply
from ...maths.vectors import add_axes, norm, rotate, rotate_back
from ...model.attachments import pick
from ..bushings.law import rotation_vector
from .segments import arc

if TYPE_CHECKING:
    from .flown import Beams

CLAMP = "axes of the beam at its clamp in the parent"


def beam_quantities(part: Beams) -> Makers:
    """Return the functions that make the quantities of all beams, by path.

    Example: the beam "boom" has the path "forces.boom", with the paths "forces.boom.at_parent",
    "forces.boom.section_3" and "forces.boom.segment_2" for its clamp, section and segment.
    """
    found: dict[str, Any] = {}
    element = segment = 0
    for k, (beam, count, span) in enumerate(zip(part.items, part.counts, part.spans, strict=True)):
        path = f"forces.{beam.name}"
        own = np.arange(element, element + span)
        held = {"at_parent": (element, k)}
        if beam.child is not None:
            held["at_child"] = element + span - 1, len(part.items) + k
        found[path] = partial(_whole, own, [*held.values()], segment + count - 1)
        found |= {f"{path}.{name}": partial(_clamp_loads, *which) for name, which in held.items()}
        for n in range(span):
            found[f"{path}.section_{n + 1}"] = partial(_section, element + n)
        for n in range(count):
            found[f"{path}.segment_{n + 1}"] = partial(_segment, segment + n)
        element, segment = element + span, segment + count
    return found


def _whole(own: np.ndarray, held: list[tuple[int, int]], last: int) -> dict[str, Quantity]:
    """Return the quantities of one beam. own: its elements. held: first and last element, with their clamps.
    last: index of its last segment."""

    def most(name: str, across: bool) -> Any:
        def largest(m: Here) -> Any:
            load = pick(getattr(m["beams"].elements, name), own, 1)
            load = jnp.concatenate([load, HELD[name](m, *np.transpose(held))], 1)
            size = norm(load[1:]) if across else jnp.abs(load[0])
            return jnp.max(size, 0)

        return largest

    at = "segment next to the end"
    return {
        "energy": scalar_quantity(
            "J", "strain energy", lambda m: jnp.sum(pick(m["beams"].elements.energy, own, 0), 0)
        ),
        "axial_force": scalar_quantity("N", "largest axial force (absolute)", most("force", False)),
        "shear_force": scalar_quantity("N", "largest shear force", most("force", True)),
        "torque": scalar_quantity("N m", "largest torque (absolute)", most("moment", False)),
        "bending_moment": scalar_quantity("N m", "largest bending moment", most("moment", True)),
        "end": vector_quantity("m", "middle of the end face", CLAMP, at, partial(_end, last)),
    }


def _section(k: int) -> dict[str, Quantity]:
    return _loads("axes of the section", Items(_force, (k,)), Items(_moment, (k,)))


def _clamp_loads(k: int, clamp: int) -> dict[str, Quantity]:
    return _loads("axes of the clamp", *(Items(load, (k, clamp)) for load in HELD.values()))


def _loads(axes: str, force: Items, moment: Items) -> dict[str, Quantity]:
    text = "on the part before the section: {} along x, {} along y and z"
    return {
        "force": vector_quantity("N", text.format("axial", "shear"), axes, "", force),
        "moment": vector_quantity("N m", text.format("torque", "bending"), axes, "", moment),
    }


def _segment(k: int) -> dict[str, Quantity]:
    return {
        "position": vector_quantity("m", "from the clamp in the parent", CLAMP, "", Items(_position, (k,))),
        "rotation": vector_quantity("rad", "rotation vector", CLAMP, "", Items(_rotation, (k,))),
    }


def _force(m: Here, k: Any) -> Any:
    return pick(m["beams"].elements.force, k, 1)


def _moment(m: Here, k: Any) -> Any:
    return pick(m["beams"].elements.moment, k, 1)


def _on_what_holds(first: int, m: Here, k: Any, clamp: Any) -> Any:
    """Return three rows of the loads of elements k on their clamps, from row `first` on, in clamp axes. At
    the clamp of the child, the loads have the opposite sign. So all loads act on the part before the
    section."""
    found, ends = m["beams"], clamp >= len(m.equations.parts["beams"].items)  # type: ignore[attr-defined]
    beginning, end = (
        pick(load[first : first + 3], k, 1) for load in (found.elements.on_left, found.elements.on_right)
    )
    load = jnp.where(add_axes(ends, end.ndim - 1), -end, beginning)
    return rotate_back(matrix_of(pick(found.clamps.quaternion, clamp, 1)), load)


HELD = {"force": partial(_on_what_holds, 0), "moment": partial(_on_what_holds, 3)}


def _starts(m: Here, k: Any) -> tuple[Any, Any]:
    """Return the positions and quaternions of the clamps in the parents of segments."""
    clamps, owner = m["beams"].clamps, m.equations.parts["beams"].owner[k]  # type: ignore[attr-defined]
    return pick(clamps.position, owner, 1), pick(clamps.quaternion, owner, 1)


def _position(m: Here, k: Any) -> Any:
    place, turn = _starts(m, k)
    return rotate_back(matrix_of(turn), pick(m["beams"].segments.position, k, 1) - place)


def _rotation(m: Here, k: Any) -> Any:
    turn = _starts(m, k)[1]
    return rotation_vector(multiply(conjugate(turn), pick(m["beams"].segments.quaternion, k, 1)))


def _end(last: int, m: Here) -> Any:
    """Return the position of the end face: half a segment beyond the middle of the last segment."""
    k = np.array([last])
    place, turn = _starts(m, k)
    part: Any = m.equations.parts["beams"]
    own, segments = m.numbers.own["beams"], m["beams"].segments
    first = np.cumsum((0, *part.spans[:-1]))[part.owner[k]]
    half, axes = pick(own.made.length, first, 0), matrix_of(pick(segments.quaternion, k, 1))
    reach = half * axes[:, 0]
    if own.made.unloaded is not None:
        reach = half * rotate(axes, arc(pick(own.made.unloaded[3:], first, 1)))
    away = pick(segments.position, k, 1) + reach - place
    return rotate_back(matrix_of(turn), away)[:, 0]
