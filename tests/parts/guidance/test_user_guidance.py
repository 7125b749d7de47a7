"""Guidance laws of the user's own, with states that change at samples and that move on: against closed forms,
in one flight and in lanes, and what is refused."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from interstage.parts.guidance.users import State
from interstage.reading import loads
from interstage.tree.errors import BadInput


class Sweep:
    """Pitch by a state that moves on, roll by the number of samples, yaw by what the samples have seen."""

    def __init__(self, rate: Any):
        self.rate = rate

    def start(self, t: Any) -> Any:
        return {"count": jnp.zeros(()), "seen": [jnp.zeros((2, 3, *t.shape)), t]}

    def sample(self, t: Any, seen: Any, state: Any) -> Any:
        table, first = state.kept["seen"]
        table = jnp.stack([table[1], seen["velocity"]])
        return {"count": state.kept["count"] + 1 + 0 * seen["bodies.b.load_factor"], "seen": [table, first]}

    def begin(self, t: Any) -> Any:
        return jnp.stack([jnp.stack([0 * t, 0 * t]), jnp.stack([1 + 0 * t, 0 * t])])

    def rates(self, t: Any, seen: Any, state: Any) -> Any:
        wave = state.moving[1]
        return jnp.stack(
            [jnp.stack([self.rate + 0 * t, seen["bodies.b.speed"]]), jnp.stack([-wave[1], wave[0]])]
        )

    def __call__(self, t: Any, seen: Any, state: Any) -> Any:
        half = 0.5 * state.moving[0, 0]
        nought = jnp.zeros_like(half)
        pitch = jnp.stack([jnp.cos(half), nought, jnp.sin(half), nought])
        roll = 0.005 * state.kept["count"] + nought
        c, s = jnp.cos(roll), jnp.sin(roll)
        return jnp.stack([c * pitch[0], s * pitch[0], c * pitch[2], s * pitch[2]])


class Bad(Sweep):
    """Wrong in one way."""

    def __init__(self, way: str):
        super().__init__(1.0)
        self.way = way

    def start(self, t: Any) -> Any:
        return super().start(t) | ({"count": jnp.zeros(3)} if self.way == "start" else {})

    def sample(self, t: Any, seen: Any, state: Any) -> Any:
        if self.way == "start":
            return state.kept | {"count": jnp.zeros(2)}
        found = super().sample(t, seen, state)
        return found["seen"] if self.way == "structure" else found

    def begin(self, t: Any) -> Any:
        return jnp.zeros(3) if self.way == "begin" else super().begin(t)

    def __call__(self, t: Any, seen: Any, state: Any) -> Any:
        own = State(state.kept | {"count": jnp.zeros(())}, state.moving)
        return jnp.zeros(3) if self.way == "attitude" else super().__call__(t, seen, own)


class Bare:
    """Without any other method."""

    def __init__(self, rate: Any):
        self.rate = rate

    def __call__(self, t: Any, seen: Any, state: Any) -> Any:
        return jnp.stack([jnp.ones_like(t), *[jnp.zeros_like(t)] * 3])


FLIGHT = """
coordinates = "point"
attitude = "own"
planet = { kind = "flat", up = [0, 0, 1], north = [1, 0, 0] }
gravity = { kind = "uniform", acceleration = [0, 0, -2.0] }
[bodies.b]
mass = 10.0
inertia = [4.0, 5.0, 6.0]
initial = { position = [0, 0, 5000], velocity = [30.0, 0.0, 40.0] }
[guidance.own]
kind = "user"
class = "test_user_guidance:Sweep"
parameters = { rate = 0.01 }
body = "b"
measures = ["bodies.b.speed"]
samples = ["bodies.b.load_factor"]
period = "2.5 s"
moving = [2, 2]
[phases.fall]
until = { time = "11 s" }
[output]
interval = "1 s"
[solver]
tolerance = 1e-11
"""


def wanted(t: np.ndarray, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """What moves on, and the attitude, in closed form."""
    fall = np.linspace(0, 1, 2001)[:, None] * t
    speed = np.hypot(30.0, 40.0 - 2.0 * fall)
    way = np.trapezoid(speed, fall, axis=0)
    moving = np.stack([rate * t, way, np.cos(t), np.sin(t)], 1)
    pitch, roll = 0.5 * rate * t, 0.005 * (np.floor(t / 2.5) + 1)
    c, s = np.cos(roll), np.sin(roll)
    return moving, np.stack([c * np.cos(pitch), s * np.cos(pitch), c * np.sin(pitch), s * np.sin(pitch)], 1)


@pytest.mark.long
def test_states_of_any_shape_against_closed_forms():
    flight = loads(FLIGHT).run(progress=False)
    t = flight.record.time
    moving, attitude = wanted(t, 0.01)
    # The trapezes' own error is 1e-7 of the way; the flight's tolerance is 1e-11.
    np.testing.assert_allclose(flight.record.series["guidance.own.moving"], moving, rtol=1e-6, atol=1e-9)
    asked = flight.record.series["bodies.b.attitude"]
    before = np.isclose(np.mod(t, 2.5), 0) & (t > 0)  # a sample is recorded on either side of its event
    sign = np.sign(np.sum(asked * attitude, 1, keepdims=True))
    np.testing.assert_allclose((sign * asked)[~before], attitude[~before], atol=1e-10)


def test_lanes_have_states_of_their_own():
    rates = np.array([0.01, 0.03])
    batch = loads(FLIGHT).run_batch({"guidance.own.parameters.rate": rates}, together=True)
    np.testing.assert_allclose(batch.value("guidance.own.moving.0"), 11 * rates, rtol=1e-9)
    np.testing.assert_allclose(batch.value("guidance.own.moving.3"), np.sin(11.0), rtol=1e-8)


REFUSED = [
    ("test_user_guidance:Sweep", "test_user_guidance:Swep", "cannot import 'test_user_guidance:Swep'"),
    ("test_user_guidance:Sweep", "test_user_guidance:Bare", "has no method `"),
    ("parameters = { rate = 0.01 }", "parameters = { rat = 0.01 }", "does not accept its parameters"),
    *(
        ('Sweep"\nparameters = { rate = 0.01 }', f'Bad"\nparameters = {{ way = "{way}" }}', words)
        for way, words in (
            ("start", "returned an array (2,) from sample, but (3,) from start"),
            ("structure", "returned one structure from sample and another from start"),
            ("begin", "returned an array (3,) from begin"),
            ("attitude", "returned an array (3,), but an array (4,) is expected"),
        )
    ),
    ('period = "2.5 s"\n', "", "samples: 'samples' requires a sample period"),
    ("moving = [2, 2]", "moving = [2, 0]", "moving: [2, 0] is not the shape"),
    ('["bodies.b.speed"]', '["bodies.b.sped"]', "measures: there is no quantity 'bodies.b.sped'"),
    (
        '["bodies.b.load_factor"]',
        '["bodies.b.load_facto"]',
        "samples: there is no quantity 'bodies.b.load_facto'",
    ),
    ('["bodies.b.speed"]', '["bodies.b.alpha"]', "depends on the attitude that this law commands"),
]


@pytest.mark.parametrize(("old", "new", "words"), REFUSED, ids=lambda text: None)
def test_one_clear_error(old, new, words):
    assert old in FLIGHT
    with pytest.raises(BadInput) as caught:
        loads(FLIGHT.replace(old, new, 1)).run(progress=False)
    assert "guidance.own" in str(caught.value)
    assert words in str(caught.value)
