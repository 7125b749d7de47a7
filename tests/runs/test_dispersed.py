"""Flights with dispersed numbers: all end, with the same events, in about as many attempts as nominal ones.

Nominal numbers hide what hangs on rounding, and what symmetry cancels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine_door import attempts_of
from interstage import load
from interstage.tree.addresses import get

CASES = Path(__file__).resolve().parents[2] / "validation"
COUNT = 100
TWICE = 2.0
"""Attempts of any case over those of the nominal one. Each point of a motor's trace costs a step, and motors
that burn at rates of their own have them at different times."""


@pytest.mark.long
def test_dispersed_boosters_all_end():
    """Motors that fade with the last of their propellant, off the centres of mass, at rates of their own."""
    scenario, rng = load(CASES / "sts1-srb/as_built.toml"), np.random.default_rng(1)

    def about(path: str, part: float, nominal: np.ndarray) -> np.ndarray:
        values = nominal * (1 + part * rng.uniform(-1, 1, (COUNT, *np.shape(nominal))))
        values[0] = nominal
        return values

    paths = {
        "phases.mated.until.time": 0.05,
        "bodies.orbiter_tank.mass": 0.02,
        "bodies.orbiter_tank.initial.angular_velocity": 0.05,
        "bodies.left.mass": 0.02,
        "bodies.right.elements.front_charges.at": 0.03,
        "engines.rear_left.at": 0.03,
        "engines.front_right.burn_rate_factor": 0.05,
    }
    dispersed = {path: about(path, part, np.asarray(get(scenario, path))) for path, part in paths.items()}
    batch = scenario.run_batch(dispersed, samples=False)
    attempts = attempts_of(batch)
    assert batch.completed.all()
    came = np.isfinite(batch.event_time)
    assert (came == came[:, :1]).all()
    assert attempts.max() <= TWICE * attempts[0], attempts
