"""Quantities that are zero by constraint: their rounding is no crossing; small drifts are."""

from __future__ import annotations

import numpy as np
import pytest

from hybrid_toy import Toy, fly
from interstage.maths.arrays import jnp
from interstage.reading import loads

pytestmark = pytest.mark.usefixtures("long_flights")

SCALARS = {"separation_speed": "m/s", "closing_speed": "m/s", "tip_off_rate": "rad/s"}
WATCHED = [
    *((f"pairs.a.b.{name}", unit) for name, unit in SCALARS.items()),
    *((f"pairs.a.b.relative_rate.{axis}", "rad/s") for axis in "xyz"),
    *((f"pairs.a.b.relative_velocity.{axis}", "m/s") for axis in "xyz"),
    *((f"joints.{joint}.displacement.{axis}", "m") for joint in ("weld", "hinge") for axis in "xyz"),
    *((f"joints.weld.rotation.{axis}", "rad") for axis in "xyz"),
    *((f"joints.hinge.rotation.{axis}", "rad") for axis in "yz"),
]
"""What a weld holds at zero, and a hinge about x."""
DRAWN = 13
"""Scenarios, with a watch in either direction each: 520 quantities. Three are in the plain tests."""
LATE, DRIFT = 0.4, 1e-6
"""When two free bodies pass each other [s], at a speed of so many m/s."""


def drawn(rng) -> str:
    """A tumbling stack of three bodies under an off-axis push, and two free bodies that drift."""
    vector = lambda size=1.0: "[" + ", ".join(f"{v:.6g}" for v in rng.normal(0, size, 3)) + "]"  # noqa: E731
    big = 10 ** rng.uniform(-1, 3)
    text = f"""
gravity = "none"
[phases.fly]
until = {{ elapsed = "0.8 s" }}
[joints.weld]
kind = "fixed"
parent = "a"
child = "b"
parent_at = {vector()}
child_at = {vector()}
[joints.hinge]
kind = "revolute"
parent = "b"
child = "c"
axis = "x"
parent_at = {vector()}
child_at = {vector()}
[forces.push]
kind = "force"
body = "a"
at = {vector()}
force = {vector(10 * big)}
[events.drift]
when = {{ quantity = "pairs.d.e.separation.y", reaches = "0 m", direction = "rising" }}
"""
    starts = {
        "a": f"position = {vector(big)}, velocity = {vector(big)}, angular_velocity = {vector()}",
        "d": "velocity = [500, 0, 0]",
        "e": f"position = [1, {-LATE * DRIFT}, 0], velocity = [500, {DRIFT}, 0]",
    }
    for name in "abcde":
        inertia = ", ".join(f"{v:.6g}" for v in rng.uniform(2, 3, 3))
        text += f"[bodies.{name}]\nmass = {10 ** rng.uniform(0, 3):.6g}\ninertia = [{inertia}]\n"
        text += f"initial = {{ {starts[name]} }}\n" if name in starts else ""
    for k, (quantity, unit) in enumerate(WATCHED):
        for way in ("rising", "falling"):
            when = f'{{ quantity = "{quantity}", reaches = "0 {unit}", direction = "{way}" }}'
            text += f"[events.{way}_{k}]\nwhen = {when}\nrepeats = true\n"
    return text


@pytest.mark.parametrize("count", [3, pytest.param(DRAWN, marks=pytest.mark.long)])
def test_quantities_that_joints_hold_at_zero_never_cross_it(count):
    rng = np.random.default_rng(29)
    for _ in range(count):
        record = loads(drawn(rng)).run().record
        events = {event.name: event.time for event in record.events if event.kind == "event"}
        # Rounding of 400 m, over the speed.
        assert events == {"drift": pytest.approx(LATE, abs=10 * np.spacing(400.0) / DRIFT)}
        assert record.time[-1] == 0.8


NOISE = 1e-3
WAVES = Toy(
    lambda t, x, s: jnp.stack([x[1], -(s.case**2) * x[0]]),
    end=10.0,
    values=(lambda t, x, s: x[0],),
    rounding=NOISE,
)
"""An oscillator, whose state may be rounded by so much."""


@pytest.mark.parametrize("size", [0.1, 0.9, 1.1, 1e3])
def test_a_value_crosses_only_if_it_has_been_beyond_its_rounding(size):
    """It starts at zero and falls, and rises through zero after half a period."""
    flown = fly(WAVES, [0.0, -size * NOISE * 2.0], case=2.0, compiled=False)
    met = pytest.approx(np.pi / 2, abs=1e-6)
    assert flown.times[0] == (met if size > 1 else np.inf)
