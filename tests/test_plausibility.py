"""What is allowed and yet seldom meant is said: no gravity, no ignition, flights below the ground."""

from __future__ import annotations

import pytest

from interstage.scenario import loads

FALL = """
[planet]
kind = "flat"
GRAVITY
[bodies.stone]
mass = 2.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [0, 0, 20.0] }
[engines.motor]
kind = "engine"
body = "stone"
at = [0, 0, 0]
thrust = 1e-3
massless = true
LIT
[phases.fall]
until = { time = "3 s" }
[output]
interval = 0.5
"""
PULL = '[gravity]\nkind = "uniform"\nacceleration = [0, 0, -10.0]'


@pytest.mark.parametrize(
    ("gravity", "lit", "said"),
    [
        (PULL, "ignited = true", ["stone went below the ground, to an altitude of -25 m at 3 s"]),
        ("", "ignited = true", ["There is a planet and no gravity; add [gravity]"]),
        (
            PULL.replace("-10.0", "-1.0"),
            "",
            ['motor is never ignited; say ignited = true, or ignite = ["motor"] in a phase or event.'],
        ),
    ],
)
def test_what_is_seldom_meant_is_said(gravity, lit, said):
    warnings = loads(FALL.replace("GRAVITY", gravity).replace("LIT", lit)).run().record.warnings
    assert len(warnings) == len(said)
    assert all(text.startswith(begin) for text, begin in zip(warnings, said, strict=True))


def test_a_flight_that_ends_as_it_begins_says_so():
    text = FALL.replace("GRAVITY", PULL).replace("LIT", "ignited = true")
    when = '{ quantity = "bodies.stone.altitude", reaches = 30.0, direction = "falling", already = "fire" }'
    warnings = loads(text.replace('{ time = "3 s" }', when)).run().record.warnings
    assert [w.split(":")[0] for w in warnings] == ["The flight ended as it began (fall, end)"]
