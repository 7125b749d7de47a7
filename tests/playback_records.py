"""Records of bodies that rotate and shake on an orbit, for tests of the playback."""

from __future__ import annotations

import numpy as np

import interstage as ist
from interstage.playback import motion
from interstage.record.record import Record
from stub_flight import separation_record


def flown(time: np.ndarray, bodies: int = 2, seed: int = 3) -> Record:
    """A record of bodies that turn and shake on a fast orbit, by closed forms."""
    random = np.random.default_rng(seed)
    names = [f"body_{k}" for k in range(bodies)]
    made = tuple(
        ist.Body(name=name, mass=100.0, inertia=[20, 20, 10], initial=ist.State() if k == 0 else None)
        for k, name in enumerate(names)
    )
    scenario = replace_bodies(separation_record().scenario, made)
    radius, rate = 6.8e6, 1.1e-3
    orbit = radius * np.stack([np.cos(rate * time), np.sin(rate * time), 0 * time], axis=1)
    speed = radius * rate * np.stack([-np.sin(rate * time), np.cos(rate * time), 0 * time], axis=1)
    series = {}
    for k, name in enumerate(names):
        axis, own = random.normal(size=3), random.uniform(0.2, 0.6)
        axis /= np.linalg.norm(axis)
        spin = own * axis
        attitude = motion.of_rotation_vector(time[:, None] * spin)
        shake = 0.3 * k * np.stack([np.sin(own * time), np.cos(2 * own * time), own * time], axis=1)
        shaking = (
            0.3 * k * own * np.stack([np.cos(own * time), -2 * np.sin(2 * own * time), 1 + 0 * time], axis=1)
        )
        series |= {
            f"bodies.{name}.position": orbit + shake,
            f"bodies.{name}.velocity": speed + shaking,
            f"bodies.{name}.attitude": attitude,
            f"bodies.{name}.angular_velocity": np.tile(spin, (len(time), 1)),
        }
    known = separation_record().meta
    metas = {path: known[path.replace(path.split(".")[1], "stage")] for path in series}
    return Record(scenario, time, series, [], {}, {}, metas, outcome="Completed.")


def replace_bodies(scenario: ist.Scenario, bodies: tuple[ist.Body, ...]) -> ist.Scenario:
    return scenario.model_copy(update={"bodies": bodies, "joints": (), "devices": (), "requirements": ()})
