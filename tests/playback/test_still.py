"""The still picture of a playback shows the direction in which the bodies move apart."""

from __future__ import annotations

import re

import numpy as np
import pytest

import interstage as ist
from interstage.playback.scene import scene_of
from interstage.playback.still import still

RADIUS, SPEED, END = 1.0, 0.3, 1.0
"""Radius of the cylinders [m], relative speed [m/s] and end of the flight [s]."""


def centres(length: float, direction: tuple[float, ...]) -> np.ndarray:
    """Centre of the drawing of the second of two cylinders at the first and last time (2, 2) [radius]."""
    axis, where = np.eye(3)[int(np.argmax(np.abs(direction)))], np.array(direction)
    shape = ist.Cylinder(name="body", radius=RADIUS, length=length, axis=axis, at=-0.5 * length * axis)
    given = {"mass": 10.0, "inertia": [2, 2, 2], "shapes": (shape,)}
    moving = ist.State(position=length * where, velocity=SPEED * where)
    scenario = ist.Scenario(
        bodies=(
            ist.Body(name="base", initial=ist.State(), **given),
            ist.Body(name="lid", initial=moving, **given),
        ),
        phases=(ist.Phase(name="apart", until=ist.Trigger(time=END)),),
    )
    picture = still(scene_of(scenario.run().record))
    found = re.findall(r'<polygon points="([^"]+)"[^>]*><title>(\w+)<', picture)
    rows = [(name, np.array([one.split(",") for one in text.split()], float)) for text, name in found]
    middles = {name: [0.5 * (p.max(0) + p.min(0)) for n, p in rows if n == name] for name in ("base", "lid")}
    relative = np.array(middles["lid"]) - np.array(middles["base"])
    scale = max(np.ptp(p, axis=0).max() for _, p in rows) / (2 * RADIUS)
    return relative[[0, -1]] / scale


@pytest.mark.parametrize("length", [0.1, 0.5, 1.9])
@pytest.mark.parametrize("direction", [(1, 0, 0), (0, -1, 0), (0, 0, 1)])
def test_bodies_that_part_along_their_short_side_are_seen_from_the_side(length, direction):
    first, last = centres(length, direction)
    # Points of the picture are rounded to 0.1 px, in a picture of 98 px and more for the bodies.
    assert np.linalg.norm(last - first) == pytest.approx(SPEED * END, abs=4 * 0.1 / 49)
    assert np.linalg.norm(first) == pytest.approx(length, abs=4 * 0.1 / 49)
