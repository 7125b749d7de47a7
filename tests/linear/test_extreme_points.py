"""Operating points at extremes of quantities: a body thrown upwards, whose motion is known."""

from __future__ import annotations

from typing import Any

import pytest

from interstage.linear.extremes import time_of_extreme
from interstage.linear.moments import moments
from interstage.reading import loads
from interstage.studies import linearize as study
from interstage.tree.errors import BadInput

linearize: Any = study.linearize

G, UP, END = 9.81, 5.0, 1.5
BALL = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, -{G}] }}
phases.fly = {{ until = {{ time = "{END} s" }} }}
output.interval = "0.2 s"
[bodies.ball]
mass = 2
inertia = [1, 1, 1]
initial = {{ velocity = [1, 0, {UP}] }}
"""


@pytest.fixture(scope="module")
def ball():
    return loads(BALL)


@pytest.mark.parametrize(
    ("at", "time"),
    [
        ("max bodies.ball.position.z", UP / G),
        ("min bodies.ball.speed", UP / G),
        ("max bodies.ball.speed", END),
        ("min bodies.ball.velocity.z", END),
        ("max bodies.ball.velocity.magnitude", END),
        ("max bodies.ball.velocity.z", 0.0),
    ],
)
def test_times_of_extremes(ball, at, time):
    """The search ends with places at a distance s of 0.2 s / 4096 or less, and its error is s^2 f'''/(6 f''):
    zero for a height, which is a parabola, and far below 1e-7 s for a speed."""
    record = ball.run().record
    assert time_of_extreme(record, *at.split()) == pytest.approx(time, abs=1e-7)
    assert linearize(ball, at).time == pytest.approx(time, abs=1e-7)


def test_the_operating_point_names_the_extreme(ball):
    first, second = linearize(ball, ["max bodies.ball.position.z", "0.3 s"])
    assert first.moment.endswith("s, max bodies.ball.position.z")
    assert first.moment.startswith("at 0.50968")  # UP / G
    assert second.moment == "at 0.3 s"


def test_extremes_are_ends_of_a_span(ball):
    series = linearize(ball, along="start:max bodies.ball.position.z:3")
    assert [one.time for one in series] == pytest.approx([0, UP / G / 2, UP / G], abs=1e-7)


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("max bodies.ball.positon.z", "position"),
        ("max bodies.ball.position", "Name one, for example max bodies.ball.position.x"),
        ("max spent", "there is no event 'max spent'"),
        ("largest bodies.ball.speed", "there is no event"),
    ],
)
def test_unknown_extremes(ball, at, text):
    with pytest.raises(BadInput, match=text):
        linearize(ball, at)


def test_only_two_words_with_a_path_are_an_extreme():
    (one,) = moments("max bodies.ball.speed")
    assert one.extreme == ("max", "bodies.ball.speed")
    assert [one.extreme for one in moments(["max spent", "before max", "max", "start"])] == 4 * [None]
