"""Output quantities of flexible bodies: modal coordinates and energies, and displacements and rotations of
points.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from ...maths.vectors import add_axes
from . import interpolated

if TYPE_CHECKING:
    from .flown import ModalBodies


def modal_quantities(part: ModalBodies) -> Makers:
    """Return the functions that make the quantities of all flexible bodies, by path.

    Example: the modes "bending" have the paths "forces.bending", "forces.bending.mode_2" and
    "forces.bending.point_top".
    """
    found: dict[str, Any] = {}
    first = np.cumsum((0, *part.counts))
    for k, item in enumerate(part.items):
        path, modes = f"forces.{item.name}", slice(int(first[k]), int(first[k + 1]))
        found[path] = partial(_whole, part, modes)
        for n in range(part.counts[k]):
            found[f"{path}.mode_{n + 1}"] = partial(_mode, part, int(first[k]) + n, k in part.draining)
        for p, point in enumerate(item.points):
            found[f"{path}.point_{point.name}"] = partial(_point, part, k, modes, p)
    return found


def _whole(part: ModalBodies, modes: slice) -> dict[str, Quantity]:
    def energy(number: int) -> Any:
        return lambda m: jnp.sum(part.energies(m)[number][modes], 0)

    return {
        "strain_energy": scalar_quantity("J", "strain energy", energy(0)),
        "kinetic_energy": scalar_quantity("J", "kinetic energy of the modes", energy(1)),
    }


def _mode(part: ModalBodies, n: int, drains: bool) -> dict[str, Quantity]:
    def of(number: int) -> Any:
        return lambda m: part.coordinates(m.own(part.name))[number][n]

    def frequency(m: Here) -> Any:
        return m.numbers.own[part.name].frequency[n]

    following = {"frequency": scalar_quantity("rad/s", "angular frequency", frequency)} if drains else {}
    return following | {
        "coordinate": scalar_quantity("m", "coordinate", of(0)),
        "rate": scalar_quantity("m/s", "rate of change of the coordinate", of(1)),
        "energy": scalar_quantity(
            "J", "strain and kinetic energy", lambda m: jnp.stack(part.energies(m)).sum(0)[n]
        ),
    }


def _shape(part: ModalBodies, m: Here, k: int, p: int, field: str) -> Any:
    """Return the shape or rotation of a point (mode, 3, *cases)."""
    if k not in part.draining:
        point = part.of(m.equations.scenario)[k].points[p]
        return add_axes(jnp.asarray(getattr(point, field)), 2 + m.t.ndim)
    points = m.equations.numbers.own[part.name].tables[k].points
    found = m.compute_once(
        f"{part.name} points {k}",
        lambda: interpolated.look_up_rows(points, part.propellant_left(m.equations, m.x, k)),
    )
    return interpolated.of_point(found, p, field, part.counts[k])


def _point(part: ModalBodies, k: int, modes: slice, p: int) -> dict[str, Quantity]:
    item = part.items[k]
    axes, at = f"{item.body} structural axes", item.points[p].name

    def of(field: str) -> Any:
        def value(m: Here) -> Any:
            shape = _shape(part, m, k, p, field)
            q = part.coordinates(m.own(part.name))[0][modes]
            return jnp.sum(shape * q[:, None], 0)

        return value

    return {
        "deflection": vector_quantity("m", "elastic displacement", axes, at, of("shape")),
        "rotation": vector_quantity("rad", "elastic rotation vector", axes, at, of("turn")),
    }
