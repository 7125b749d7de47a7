"""The crane to begin from in docs/studies/park_crane.md, as it stands there, beside Lagrange's equations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "park_crane.md"
BOOM, JIB = (200.0, 4.0, 2.0, 300.0), (80.0, 2.0, 1.0, 30.0)
"""Mass [kg], length, centre of mass from the hinge [m], moment about it [kg m^2]."""
G, W = 9.81, np.pi / 2
SPEED = np.array([-0.3, 0.2])


def path(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place, velocity and acceleration of the tip (2, time), along x and z."""
    up = np.radians([45.0, -30.0])
    begin = BOOM[1] * np.array([np.cos(up[0]), np.sin(up[0])]) + JIB[1] * np.array(
        [np.cos(up[1]), np.sin(up[1])]
    )
    way, speed, second = t - np.sin(W * t) / W, 1 - np.cos(W * t), W * np.sin(W * t)
    return begin[:, None] + SPEED[:, None] * way, SPEED[:, None] * speed, SPEED[:, None] * second


def torques(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of the drives of boom and jib [N m] (time,), positive upward, by angles over the level: Lagrange's
    equations of two links."""
    (m, a, c, own), (n, b, d, other) = BOOM, JIB
    place, speed, second = path(t)
    reach = np.sum(place**2, 0)
    inner = np.arccos((reach + a * a - b * b) / (2 * a * np.sqrt(reach)))
    first = np.arctan2(place[1], place[0]) + inner
    last = np.arctan2(place[1] - a * np.sin(first), place[0] - a * np.cos(first))
    along = np.array([[-a * np.sin(first), -b * np.sin(last)], [a * np.cos(first), b * np.cos(last)]])
    rates = np.linalg.solve(along.T.swapaxes(1, 2), speed.T[..., None])[..., 0].T
    turning = np.array([a * np.cos(first), a * np.sin(first)]) * rates[0] ** 2
    turning = turning + np.array([b * np.cos(last), b * np.sin(last)]) * rates[1] ** 2
    faster = np.linalg.solve(along.T.swapaxes(1, 2), (second + turning).T[..., None])[..., 0].T
    beside, across = n * a * d * np.cos(first - last), n * a * d * np.sin(first - last)
    on_boom = (own + m * c * c + n * a * a) * faster[0] + beside * faster[1] + across * rates[1] ** 2
    on_boom = on_boom + (m * c + n * a) * G * np.cos(first)
    on_jib = beside * faster[0] + (other + n * d * d) * faster[1] - across * rates[0] ** 2
    on_jib = on_jib + n * d * G * np.cos(last)
    return on_boom + on_jib, on_jib


@pytest.mark.long
def test_the_crane_to_begin_from(tmp_path, monkeypatch):
    text = PAGE.read_text(encoding="utf-8").partition("## A crane of your own")[2]
    (scenario,), (script,) = (re.findall(rf"```{kind}\n(.*?)```", text, re.S) for kind in ("toml", "python"))
    (tmp_path / "crane.toml").write_text(scenario)
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(script, found)
    luff, knee = torques(found["moved"].time)
    # A hundred tolerances of the flight, of numbers of this size: what its steps add up to.
    np.testing.assert_allclose(found["luff"], np.stack([0 * luff, -luff, 0 * luff], 1), atol=1e-7 * 6e3)
    np.testing.assert_allclose(found["knee"], np.stack([0 * knee, -knee, 0 * knee], 1), atol=1e-7 * 6e3)
    assert 1e-9 < found["off"] < 1e-6  # as the page says, to a factor of ten
