"""Light bodies between heavy ones: masses do not decide whether rows repeat each other; and stiffnesses that
some attachments have and others lack."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from interstage.formulations import sharing
from interstage.runs.run import fly
from mechanics import EPS

GYRATION = 0.005
"""Radius of gyration of the pin [m]."""
LIGHT = 0.05
"""Mass of the pin [kg]."""
TORQUE, TURNED = 1e4, 2e7 + 2e6 + 1e5 * 1e4 / 1.1e5 * 8.0**2
"""On the whole [N m], and its moment of inertia about its centre of mass, the pin's left out [kg m^2]: a part
in 1e8."""


def pinned(loop: bool, formulation: Any) -> ist.Scenario:
    """Two stages, fixed to a pin between them; a torque turns the second one from 0.05 s on. loop: a ball
    joint and a rod between two further bodies, which do not touch the others."""
    small = LIGHT * GYRATION**2
    bodies = [
        ist.Body(name="a", mass=1e5, inertia=[1e6, 2e7, 2e7], initial=ist.State()),
        ist.Body(name="pin", mass=LIGHT, inertia=[small] * 3, initial=ist.State(position=[5, 0, 0])),
        ist.Body(name="b", mass=1e4, inertia=[2e5, 2e6, 2e6], initial=ist.State(position=[8, 0, 0])),
    ]
    joints = [
        ist.Joint(name="one", kind="fixed", parent="a", child="pin", parent_at=[5, 0, 0]),
        ist.Joint(name="two", kind="fixed", parent="pin", child="b", child_at=[-3, 0, 0]),
    ]
    if loop:
        for name, y in (("c", 50), ("d", 55)):
            bodies.append(
                ist.Body(name=name, mass=100, inertia=[10, 10, 10], initial=ist.State(position=[0, y, 0]))
            )
        joints += [
            ist.Joint(name="ball", kind="spherical", parent="c", child="d", parent_at=[0, 5, 0]),
            ist.Joint(name="rod", kind="rod", parent="c", child="d", parent_at=[1, 0, 0], child_at=[1, 0, 0]),
        ]
    return ist.Scenario(
        bodies=tuple(bodies),
        joints=tuple(joints),
        forces=(ist.Torque(name="turn", body="b", torque=[0, 0, TORQUE], phases=("turn",)),),
        phases=(
            ist.Phase(name="rest", until=ist.Trigger(time=0.05)),
            ist.Phase(name="turn", until=ist.Trigger(time=0.25)),
        ),
        solver=ist.Solver(formulation=formulation),
    )


@pytest.mark.parametrize(
    ("formulation", "loop"),
    [
        ("lagrange_multiplier", True),
        ("lagrange_multiplier", False),
        ("coordinate_partitioning", True),
    ],
)
@pytest.mark.long
def test_a_pin_between_stages_is_no_repetition(formulation, loop):
    """Its rows are a part of 6e-13 of what they would be without the joint on its other side, so that their
    loads are good to EPS / 6e-13 only. The motion is that of one rigid body."""
    record = fly(pinned(loop, formulation))
    assert record.completed
    assert not record.warnings
    for name in ("a", "b"):
        rate = record.series[f"bodies.{name}.angular_velocity"][-1]
        np.testing.assert_allclose(rate, [0, 0, 0.2 * TORQUE / TURNED], atol=1e-7 * 0.2 * TORQUE / TURNED)
    # What the torque leaves for the first stage, about the pin: its own moment, and its mass at 5 m from
    # there under the acceleration of its mass centre.
    spin = TORQUE / TURNED
    pull = 1e5 * spin * 8 * 1e4 / 1.1e5
    load = 2e7 * spin + 5 * pull
    found = record.series["joints.one.torque"][-1, 2]
    assert abs(abs(found) - load) < 10 * EPS / 6e-13 * load


def test_derivatives_of_determined_loads():
    """No row repeats another, so that sharing leaves loads and their derivatives as they are, however badly
    conditioned they are."""
    rng = np.random.default_rng(7)
    rows = rng.standard_normal((6, 9)) * 10.0 ** np.linspace(0, -4.5, 9)
    matrix, change = jnp.asarray(rows @ rows.T), jnp.asarray(rng.standard_normal((6, 6)))
    lam, dlam = jnp.asarray(rng.standard_normal((2, 6)))
    stiffness = jnp.asarray(rng.uniform(0.5, 2, 6))

    def found(h):
        return sharing.share_loads(matrix + h * (change + change.T) * 1e-3, stiffness, lam + h * dlam)

    value, slope = jax.jvp(found, (0.0,), (1.0,))
    scale = np.sqrt(np.diag(matrix))
    condition = np.linalg.cond(matrix / scale / scale[:, None])
    assert condition > 1e5
    np.testing.assert_allclose(value, lam, atol=10 * EPS * condition)
    # The part outside of the range, a rounding, times the change of the matrix over its least value.
    np.testing.assert_allclose(slope, dlam, atol=10 * EPS * condition**2 * 1e-3)


def test_stiffnesses_are_given_to_all_that_share_or_to_none():
    ends: dict[str, Any] = {"parent": "a", "child": "b", "parent_at": [1, 0, 0], "child_at": [-1, 0, 0]}
    stiff: dict[str, Any] = {"stiffness": [1e7, 1e7, 1e7]}
    scenario = ist.Scenario(
        bodies=(
            ist.Body(name="a", mass=10, inertia=[1, 1, 1], initial=ist.State()),
            ist.Body(name="b", mass=1, inertia=[1, 1, 1]),
        ),
        joints=(
            ist.Joint(name="left", kind="fixed", **ends, **stiff),
            ist.Joint(name="right", kind="fixed", **ends),
        ),
        phases=(ist.Phase(name="fly", until=ist.Trigger(time=0.1)),),
    )
    missing = r"joints\.right\.stiffness: the value is missing, but joint 'left'"
    with pytest.raises(ist.BadInput, match=missing):
        fly(scenario)
