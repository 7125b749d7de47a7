"""The example of a fairing whose halves open about hinges: clearances against closed forms and a search."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from interstage.reading import load
from interstage.record.results import Flight

EXAMPLE = Path(__file__).parents[3] / "examples" / "fairing.toml"
SIZE = 9.0
"""Extent of the largest shape [m]."""


@pytest.fixture(scope="module")
def flight() -> Flight:
    return load(EXAMPLE).run()


def outline_distance(corners: list[tuple[float, float]], radius: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Distance (n,) of points outside of a convex solid of revolution from its outline (station, radius)."""
    least = np.full(radius.shape, np.inf)
    points = np.stack([x, radius])
    for a, b in pairwise(corners):
        along = (np.array(b) - a)[:, None]
        part = np.clip(((points - np.array(a)[:, None]) * along).sum(0) / (along * along).sum(), 0, 1)
        least = np.minimum(least, np.linalg.norm(points - np.array(a)[:, None] - part * along, axis=0))
    return least


def searched(flight: Flight, time: str) -> float:
    """Least distance of the payload from points of the inner wall, the edges and the base of half_1. Finer
    points about the best of them until their spacing is below a micrometre."""
    at = flight.state_at(time)
    pose = {name: (at[name]["position"], at[name]["attitude"]) for name in ("payload", "half_1")}
    scenario = flight.scenario
    centres = {body.name: np.asarray(body.mass_centre) for body in scenario.bodies}
    half = {name: matrix(q) for name, (_, q) in pose.items()}
    origin = {name: r - half[name] @ centres[name] for name, (r, _) in pose.items()}

    def distances(station: np.ndarray, angle: np.ndarray) -> np.ndarray:
        radius = np.interp(station, [0, 5, 7.5, 9], [1.95, 1.95, 1.05, 0.2])
        wall = np.stack([station, radius * np.cos(angle), radius * np.sin(angle)])
        inertial = half["half_1"] @ wall + origin["half_1"][:, None]
        x, y, z = half["payload"].T @ (inertial - origin["payload"][:, None])
        body = outline_distance([(0.4, 0), (0.4, 1.7), (4.4, 1.7), (4.4, 0)], np.hypot(y, z), x)
        antennas = outline_distance([(4.4, 0), (4.4, 1.7), (6.4, 0.6), (6.4, 0)], np.hypot(y, z), x)
        return np.minimum(body, antennas)

    low, high, best = np.array([0.0, 0.0]), np.array([9.0, np.pi]), np.inf
    for _ in range(9):
        grid = np.meshgrid(*(np.linspace(a, b, 241) for a, b in zip(low, high, strict=True)))
        station, angle = (values.ravel() for values in grid)
        found = distances(station, angle)
        k = int(np.argmin(found))
        best = min(best, float(found[k]))
        step, spot = (high - low) / 40, np.array([station[k], angle[k]])
        low, high = np.maximum(spot - step, [0, 0]), np.minimum(spot + step, [9, np.pi])
    return best


def matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


@pytest.mark.parametrize("event", ["open", "left_1 spent", "free"])
def test_halves_clear_the_payload_as_a_search_finds(flight, event):
    found = float(flight.value("clearance.payload_1.distance", event))
    # The search: its spacing of a micrometre. The clearance: 1e-9 of the size.
    assert found == pytest.approx(searched(flight, event), rel=0, abs=1e-6)


def test_gaps_of_the_closed_forms(flight):
    """At the start, the difference of the radii. At the release, the corner of the wall, 0.15 m from the
    hinge, has turned by 60 deg, with the edge of the tank 0.3 m from the hinge: law of cosines."""
    close = {"rel": 0, "abs": 1e-9 * SIZE}
    assert float(flight.value("clearance.payload_1.distance", "start")) == pytest.approx(0.25, **close)
    turned = np.sqrt(0.15**2 + 0.3**2 - 2 * 0.15 * 0.3 * np.cos(np.pi / 3))
    # The event is located to 1e-9 s, at some 5 m/s.
    assert float(flight.value("clearance.stage_1.distance", "free")) == pytest.approx(turned, abs=1e-8)


def test_the_halves_mirror_each_other(flight):
    one, other = (flight.value(f"clearance.payload_{k}.distance", "end") for k in (1, 2))
    assert float(one) == pytest.approx(float(other), rel=1e-9)  # the tolerance of the integration


def test_the_fixed_hinge_holds_the_inertia_of_the_half(flight):
    """Before the opening: mass times acceleration of the stack, times the arm of the centre of mass."""
    torque = flight.value("joints.hinge_1.torque", "start")
    assert np.linalg.norm(torque) == pytest.approx(450 * 60e3 / 12900 * 0.95, rel=1e-9)  # rounding
