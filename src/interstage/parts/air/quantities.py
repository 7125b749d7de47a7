"""Quantities of the forces and moments of the atmosphere."""

from __future__ import annotations

from typing import Any

from ...engine.here import Here
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp
from .airloads import conditions, left
from .declared import coefficient_names


def air_quantities(k: int, declared: Any) -> dict[str, Quantity]:
    """Quantities of one declaration of aerodynamics: what it does to its body, and its coefficients."""
    name, axes = declared.name, f"{declared.body} structural axes"
    found = {
        "force": vector_quantity(
            "N", f"force of the air on {declared.body}", axes, "centre of mass", lambda m: load(m, name).force
        ),
        "torque": vector_quantity(
            "N m",
            f"torque of the air on {declared.body}",
            axes,
            "centre of mass",
            lambda m: load(m, name).torque,
        ),
        "outside": scalar_quantity("1", "state (1 beyond a table, 0 not)", lambda m: _outside(m, name)),
    }
    coefficients = {c: _coefficient(name, c) for c in coefficient_names(declared)}
    return found | coefficients


def load(m: Here, name: str) -> Any:
    """What a declaration of aerodynamics does, see `airloads.Airload`."""
    return m["air"][name]


def _coefficient(name: str, coefficient: str) -> Quantity:
    text = f"aerodynamic coefficient {coefficient}"
    return scalar_quantity("1", text, lambda m: load(m, name).coefficients[coefficient])


def _outside(m: Here, name: str):
    far = jnp.zeros_like(m.t)
    for distance in left(conditions(m)[name]).values():
        far = far + jnp.abs(distance)
    return jnp.where(far > 0, 1.0, 0.0)
