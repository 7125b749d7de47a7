"""Joints between points of bodies that bend: against Lagrange's equations with multipliers, and what is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import instant_as_declared, quantities
from interstage.flight.program import configure
from interstage.scenario import loads
from test_modal import BODIES, MASSES, TEXT, exponential, placed, potential

BUSHING = TEXT[TEXT.index("[forces.flange]") : TEXT.index("[forces.push]")]
JOINT = """[joints.hold]
parent = "core"
child = "top"
parent_at = [1, 0, 0]
child_at = [-0.5, 0, 0]
"""


def with_joint(kind: str, text: str = TEXT) -> str:
    """The scenario with a joint beside its bushing."""
    return text.replace("[forces.flange]", f"{JOINT}kind = {kind}\n[forces.flange]")


# --- Lagrange's equations -------------------------------------------------------------------------------

HELD = {
    "fixed": ("x y z", "xy xz zy"),
    "revolute": ("x y z", "xz yz"),
    "universal": ("x y z", "yz"),
    "spherical": ("x y z", ""),
    "translational": ("x y", "xz yz yx"),
    "cylindrical": ("x y", "xz yz"),
    "planar": ("y", "xy zy"),
    "rod": ("rod", ""),
}
"""Of each kind: along which axes of the parent it holds the child's point; which axes of the parent stay at right
angles to which of the child."""
SLIDES, TURNS = [*"xyz", "rod"], [a + b for a in "xyz" for b in "xyz"]


def possible(y: Any, ground: Any) -> Any:
    """All that joints may keep: displacements along the axes of the parent, half the square of the distance over
    itself, and cosines between axes of both; coordinates as in `placed`."""
    import jax
    import jax.numpy as jnp

    points = placed(y)
    (here, turn), (there, other) = points["top"], points["bottom"]
    here = jnp.where(ground, jnp.array([1.0, 0.0, 0.0]), here)
    turn = jnp.where(ground, jnp.eye(3), turn)
    gap = there - here
    square = gap @ gap
    rod = 0.5 * square / jnp.sqrt(jax.lax.stop_gradient(square))
    return jnp.concatenate([turn.T @ gap, rod[None], (turn.T @ other).ravel()])


def lagrangian(y: Any, rate: Any) -> Any:
    """Of both bodies and their modes."""
    import jax
    import jax.numpy as jnp

    energy = 0.5 * jnp.array(MASSES) @ rate[12:] ** 2
    for k, mass, inertia in BODIES:
        turn, moved = jax.jvp(exponential, (y[k + 3 : k + 6],), (rate[k + 3 : k + 6],))
        crossing = turn.T @ moved
        spin = jnp.array([crossing[2, 1], crossing[0, 2], crossing[1, 0]])
        speed = rate[k : k + 3]
        energy = energy + 0.5 * mass * speed @ speed + 0.5 * spin @ (jnp.array(inertia) * spin)
    return energy - potential(y)


@pytest.fixture(scope="module")
def equations() -> Any:
    """H, dL/dy - d2L/dy'dy y', G and d(G y')/dy y' of all that joints may keep, of y, y' and whether the parent
    is the ground."""
    import jax

    def found(y: Any, rate: Any, ground: Any) -> Any:
        of_rate = jax.grad(lagrangian, 1)
        mass = jax.jacfwd(of_rate, 1)(y, rate)
        force = jax.grad(lagrangian, 0)(y, rate) - jax.jvp(lambda y: of_rate(y, rate), (y,), (rate,))[1]

        def moving(y: Any) -> Any:
            return jax.jvp(lambda y: possible(y, ground), (y,), (rate,))[1]

        gradient = jax.jacfwd(lambda y: possible(y, ground))(y)
        return mass, force, gradient, jax.jvp(moving, (y,), (rate,))[1]

    return jax.jit(found, compiler_options={"xla_backend_optimization_level": 0})


def solved(parts: Any, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Second rates of all coordinates and what the joint does to them, by Lagrange's equations with multipliers:
    H y'' = dL/dy - d2L/dy'dy y' + G^T lam, G y'' + d(G y')/dy y' = 0."""
    mass, force, gradient, bias = (np.asarray(part) for part in parts)
    slides, turns = (one.split() for one in HELD[kind])
    rows = [*map(SLIDES.index, slides), *(len(SLIDES) + TURNS.index(turn) for turn in turns)]
    gradient, bias, count = gradient[rows], bias[rows], len(rows)
    whole = np.block([[mass, -gradient.T], [gradient, np.zeros((count, count))]])
    found = np.linalg.solve(whole, np.concatenate([force, -bias]))
    return found[:-count], gradient.T @ found[-count:]


def state_of(here: Any) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates at an instant; rotation vectors are from the attitude of then."""
    r, v, _, w, _, _ = here.split
    q, rate = here.own("modal")[:3], here.own("modal")[3:]
    none = [0.0] * 3
    place = np.concatenate([r[:, 0], none, r[:, 1], none, q])
    return place, np.concatenate([v[:, 0], w[:, 0], v[:, 1], w[:, 1], rate])


@pytest.mark.parametrize(
    ("kind", "ground"), [*((kind, False) for kind in HELD), ("fixed", True), ("spherical", True)]
)
def test_accelerations_and_loads_are_those_of_lagrange(equations, kind, ground):
    """Bent, turning, and with the joint a little open: rows hold for any pose."""
    configure()
    text = with_joint(f'"{kind}"')
    if ground:
        text = text.replace('[joints.hold]\nparent = "core"', '[joints.hold]\nparent = "ground"')
    here = instant_as_declared(loads(text))
    second, load = solved(equations(*state_of(here), ground), kind)
    size = np.max(np.abs(second))
    for k in (0, 1):
        assert here.acceleration[:, k] == pytest.approx(second[6 * k : 6 * k + 6], abs=1e-12 * size)
    modes = here.equations.parts["modal"].rates(here, here.acceleration)[3:]
    assert modes == pytest.approx(second[12:], abs=1e-12 * size)
    for end, first in (("parent", 0), ("child", 6)):
        for n, what in enumerate(("force", "torque")) if not (ground and end == "parent") else ():
            path = f"joints.hold.reaction_{end}_{what}"
            wanted = load[first + 3 * n : first + 3 * n + 3]
            assert quantities(here, path)[path] == pytest.approx(wanted, abs=1e-12 * np.max(np.abs(load)))
