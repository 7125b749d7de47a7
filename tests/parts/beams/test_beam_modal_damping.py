"""Beams that are damped by their modes: how each decays, in linear equations, and the derivatives of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from beam_models import FLOWN, SECTION, Y, Z, arm, arm_text, changed
from engine_door import start_of
from interstage.maths.arrays import jax, jnp
from interstage.maths.dual import jvp, plain
from interstage.parts.beams import own_modes, segments
from interstage.reading import loads


@pytest.mark.parametrize("more", [pytest.param("", marks=pytest.mark.long), 'mass_matrix = "consistent"'])
def test_modes_decay_with_the_ratios_that_are_given_and_others_do_not(more):
    ratios = [0.01, 0.03, 0.02]
    declared = arm(8, f"modal_damping = {ratios}\n{more}", section="shear_centre = [0.06, -0.05]")
    modes: Any = declared.linearize(outputs=()).modes
    found = [-mode.eigenvalue.real / abs(mode.eigenvalue) for mode in modes]
    # Linear equations come by derivatives, without differences; 1e-5 is what a load of rounding leaves.
    np.testing.assert_allclose(found[:3], ratios, rtol=1e-5)
    np.testing.assert_allclose(found[3:], 0.0, rtol=0, atol=1e-5)


ENDS = """
[bodies.a]
mass = 3.0
products = "tensor"
inertia = [[0.2, 0.01, 0], [0.01, 0.2, 0.02], [0, 0.02, 0.3]]
initial = { position = [0, 0, 0] }
[bodies.b]
mass = 1.0
mass_centre = [0.1, 0.05, 0]
inertia = [0.1, 0.1, 0.1]
initial = { position = [1.12, 0.05, 0.1] }
[forces.boom]
kind = "beam"
parent = "a"
child = "b"
parent_at = [0.02, 0, 0.1]
length = 1.0
elements = 6
modal_damping = 0.05
damped_modes = 30
modal_ends = "free"
"""


def test_modes_of_a_free_beam_with_bodies_at_its_ends_decay_alike():
    """All that is not motion as a rigid body, where nothing is held."""
    linear: Any = loads(ENDS + SECTION + FLOWN).linearize(outputs=())
    found = [-m.eigenvalue.real / abs(m.eigenvalue) for m in linear.modes if abs(m.eigenvalue) > 1e-2]
    np.testing.assert_allclose(found[:30], 0.05, rtol=1e-4)


ROUND = "modal_damping = 0.1\ndamped_modes = 4"


def test_damping_by_modes_has_derivatives():
    """Beside differences: of a round rod, each bending mode of which is there twice, in a direction in which
    the two part."""
    beam: Any = loads(changed(arm_text(5, ROUND, Y, Z), {"[2.0, 1.0]": "[1.0, 1.0]"})).forces[0]
    made = segments.of(beam, 0)
    turn = {
        "about": made.about * np.array([[0.3], [1.0], [-0.4]]),
        "mass": 0.2 * made.mass,
        "length": 0.1 * made.length,
    }

    def damping(t: Any) -> Any:
        moved = made._replace(**{name: getattr(made, name) + t * rate for name, rate in turn.items()})
        straight = own_modes.straight(moved, (None, None))
        plain_one = jax.tree.map(plain, straight)
        modes = own_modes.modes_of(plain_one, np.array([False, *[True] * 5]))
        found = own_modes.modal_damper(straight, modes, np.full(4, 0.1))
        return jnp.sum(found.given[:, :, None, None] * found.felt[None, None], -1)

    value, slope = jvp(damping, (0.0,), (1.0,))
    step = 1e-4
    by_difference = (damping(step) - damping(-step)) / (2 * step)
    np.testing.assert_allclose(slope, by_difference, rtol=0, atol=1e-6 * np.max(np.abs(value)))


def test_modes_of_one_frequency_are_damped_alike():
    text = changed(
        arm_text(4, "modal_damping = [0.1, 0.2]", 0, 0),
        {"[2.0, 1.0]": "[1.0, 1.0]", "[200.0, 150.0]": "[200.0, 200.0]", "[1e-3, 2e-3]": "[1e-3, 1e-3]"},
    )
    with pytest.raises(
        ist.BadInput, match=r"forces\.arm\.modal_damping: 'modal_damping' damps mode 1 and mode 2 differently"
    ):
        start_of(loads(text))
    with pytest.raises(ist.BadInput, match=r"damps mode 1, but not mode 2.*. Damp 2 modes$"):
        start_of(loads(text.replace("[0.1, 0.2]", "0.1\ndamped_modes = 1")))
