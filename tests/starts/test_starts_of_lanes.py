"""The start of every lane of a batch is held to what one case is held to."""

from __future__ import annotations

import numpy as np
import pytest

import interstage as ist
from interstage.runs.batch import fly_batch


def pinned() -> ist.Scenario:
    """One body on the ground by a hinge."""
    start = ist.State(attitude=ist.Attitude(quaternion=[1.0, 0, 0, 0]))
    return ist.Scenario(
        bodies=(ist.Body(name="a", mass=2, inertia=[1, 1.2, 1.5], initial=start),),
        joints=(ist.Joint(name="pin", kind="revolute", parent="ground", child="a"),),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=0.05)),),
        solver=ist.Solver(method="rk4", step=0.01),
    )


def test_a_lane_that_is_turned_over_is_refused_wherever_it_stands():
    """Its rows hold: neither a gap nor a correction is larger there than in the others."""
    upright, over = [1.0, 0, 0, 0], [0.0, 1, 0, 0]
    attitudes = np.array([upright, upright, over, upright, over, upright])
    with pytest.raises(ist.BadInput, match=r"joints\.pin: case 2: axis z .* is opposite"):
        fly_batch(pinned(), {"bodies.a.initial.attitude.quaternion": attitudes})
