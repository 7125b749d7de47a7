"""Output quantities of aerodynamic forces and moments."""

from __future__ import annotations

from typing import Any

from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from .airloads import conditions, distances_beyond
from .declared import coefficient_names


def air_quantities(k: int, declared: Any) -> dict[str, Quantity]:
    """Return the quantities of one aerodynamics entry by name: force, torque, outside and coefficients.

    - k: index of the entry (not used).
    - declared: the entry.
    """
    name, axes = declared.name, f"{declared.body} structural axes"
    found = {
        "force": vector_quantity(
            "N",
            f"aerodynamic force on {declared.body}",
            axes,
            "centre of mass",
            lambda m: load(m, name).force,
        ),
        "torque": vector_quantity(
            "N m",
            f"aerodynamic torque on {declared.body}",
            axes,
            "centre of mass",
            lambda m: load(m, name).torque,
        ),
        "outside": scalar_quantity("1", "state (1 outside a table, 0 inside)", lambda m: _outside(m, name)),
    }
    coefficients = {c: _coefficient(name, c) for c in coefficient_names(declared)}
    return found | coefficients


def load(m: Here, name: str) -> Any:
    """Return the load (`airloads.Airload`) of the aerodynamics entry `name` at one time."""
    return m["air"][name]


def _coefficient(name: str, coefficient: str) -> Quantity:
    text = f"aerodynamic coefficient {coefficient}"
    return scalar_quantity("1", text, lambda m: load(m, name).coefficients[coefficient])


def _outside(m: Here, name: str):
    far = jnp.zeros_like(m.t)
    for distance in distances_beyond(conditions(m)[name]).values():
        far = far + jnp.abs(distance)
    return jnp.where(far > 0, 1.0, 0.0)
