"""What scenarios may say of engines and motors: what is refused and how, files, short forms."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pytest

from interstage.tree import packages, toml_file
from interstage.tree.declaration import ByName, Declaration
from interstage.tree.errors import BadInput

FILE = str(Path(__file__).parents[2] / "invented.eng")
ENGINE = {"kind": "engine", "body": "s", "at": [0, 0, 0], "thrust": 1e6, "isp": 300, "feeds": {"s.lox": 1}}
MOTOR = {
    "kind": "motor",
    "body": "s",
    "at": [0, 0, 0],
    "thrust": {"time": [0, 1, 2], "value": [0, 900, 0]},
    "grain": "s.grain",
}


if TYPE_CHECKING:
    AnyEngine = Any
else:
    AnyEngine = packages.union("engines")


class Vehicle(Declaration):
    """As a scenario has them."""

    engines: Annotated[tuple[AnyEngine, ...], ByName()] = ()


def declared(base: dict, changes: dict) -> Any:
    given: dict[str, Any] = {key: value for key, value in (base | changes).items() if value is not None}
    made: Any = Vehicle
    return made(engines={"a": given}).engines[0]


TIMES = {"time": [0, 1, 2], "value": [0, 0.5, 1]}
FALL = {"time": [0, 1, 2], "value": [1, 0.5, 0]}
RATIO = {"feeds": None, "mixture_ratio": 2, "oxidizer": "s.lox", "fuel": "s.fuel"}


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"thrust": -1}, "thrust", "must not be negative"),
        ({"thrust": {"time": [0, 1], "value": [1, -1]}}, "thrust.value", "must not be negative"),
        (
            {"thrust": {"time": [0, 1], "value": [1, 2, 3]}},
            "thrust.value",
            "3 rows, but 'time' has 2",
        ),
        ({"thrust": {"time": [0], "value": [1]}}, "thrust.time", "fewer than 2 points"),
        ({"thrust": {"time": [0, 0], "value": [1, 2]}}, "thrust.time", "do not increase.* duplicates"),
        (
            {"isp": {"throttle": [1, 0.5], "value": [1, 2]}},
            "isp.throttle",
            "must increase from row to row.* Sort",
        ),
        (
            {"thrust": {"time": [0, 1, 1.1, 3, 4], "value": [9, 9, 0, 0, 0], "interpolation": "cubic"}},
            "thrust.value",
            'cubic spline .* falls below zero, to -.* interpolation = "smooth"',
        ),
        ({"mass_flow": 300}, "isp", "'isp' and 'mass_flow' are both set"),
        ({"isp": None}, "isp", "neither 'isp' nor 'mass_flow'"),
        ({"isp": 0}, "isp", "more than zero"),
        ({"feeds": None}, "feeds", "neither 'feeds' nor 'mixture_ratio' .* massless = true"),
        ({"feeds": {"s.lox": 0.7, "s.fuel": 0.2}}, "feeds", "sum of the shares is 0.9"),
        ({"feeds": {"s.lox": 1.2, "s.fuel": -0.2}}, "feeds.s.fuel.share", "must not be negative"),
        ({"feeds": [{"tank": "s.lox", "share": 0.5}] * 2}, "feeds", "'s.lox' twice"),
        (RATIO | {"feeds": {"s.lox": 1}}, "feeds", "'feeds' and 'mixture_ratio' are both set"),
        (RATIO | {"fuel": None}, "mixture_ratio", "'fuel' must be set together"),
        (RATIO | {"fuel": "s.lox"}, "fuel", "same tank as oxidizer"),
        ({"massless": True}, "isp", "cannot be set with massless"),
        ({"thrust_sea_level": 9e5, "exit_area": 1}, "thrust_sea_level", "are both set"),
        ({"thrust_sea_level": 2e6}, "thrust_sea_level", "above 'thrust'"),
        (
            {"thrust_sea_level": 1, "thrust": {"time": [0, 1], "value": [2, 2]}},
            "thrust_sea_level",
            "with a table of thrust. Give 'exit_area'",
        ),
        ({"start": TIMES, "rise_time": 1}, "start", "start and rise_time are both set"),
        ({"start": FALL}, "start.value", "last value is 0. Set the last value to 1"),
        ({"shutdown": FALL, "tail_off_time": 1}, "shutdown", "shutdown and tail_off_time are both set"),
        ({"shutdown": TIMES}, "shutdown.value", "last value is 1. Set the last value to 0"),
        ({"throttle": 0.3, "min_throttle": 0.5}, "throttle", "0.3 is below 'min_throttle'"),
        ({"throttle": TIMES, "max_throttle": 0.9}, "throttle", "1 is above max_throttle"),
        ({"min_throttle": 1, "max_throttle": 0.9}, "min_throttle", "is more than 'max_throttle'"),
        ({"throttle": "50 kg"}, "throttle", "kg"),
        ({"direction": [0, 0, 0]}, "direction", r"vector is zero. Give a direction like \[1, 0, 0\]"),
        ({"gimbal_about": [-3, 0, 0]}, "gimbal_about", "parallel to the thrust direction. .* perpendicular"),
    ],
)
def test_engines_refused(changes, place, said):
    with pytest.raises(BadInput, match=said) as caught:
        declared(ENGINE, changes)
    assert caught.value.problems[0].place == f"engines.a.{place}"


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"thrust": None}, "thrust", "Give the thrust trace, or set file to the path of a RASP file"),
        ({"thrust": {"time": [0, 1], "value": [0, 0]}}, "thrust.value", "zero at all points"),
        ({"grain": None}, "grain", "neither 'grain' nor 'massless'"),
        ({"massless": True}, "grain", "'grain' and 'massless' are both set"),
        ({"mass_flow": TIMES, "slag": 0.1}, "mass_flow", "cannot be set with slag"),
        ({"mass_flow": TIMES, "massless": True, "grain": None}, "mass_flow", "cannot be set with massless"),
        ({"designation": "X"}, "designation", "is set without a file"),
        ({"burn_rate_factor": 0}, "burn_rate_factor", "more than zero"),
        ({"works": 0.5}, "works", "0.5 is not a valid flag"),
        ({"throttle": 0.5}, "throttle", "unknown key"),
        ({"file": FILE}, "thrust", "is also in the file"),
        ({"thrust": None, "file": FILE}, "file", "invented.eng: the file has 2 motors.* INV-A, INV-B"),
        ({"thrust": None, "file": FILE, "designation": "INV-C"}, "file", "no motor with the name 'INV-C'"),
        (
            {"thrust": None, "file": FILE, "designation": "INV-B", "slag": 0.02},
            "slag",
            "not less than the propellant",
        ),
        (
            {"thrust": None, "file": "absent.eng"},
            "file",
            "absent.eng: there is no such file in .*; there are no .eng files there",
        ),
    ],
)
def test_motors_refused(changes, place, said):
    with pytest.raises(BadInput, match=said) as caught:
        declared(MOTOR, changes)
    assert caught.value.problems[0].place == f"engines.a.{place}"


def test_malformed_file_is_told_with_its_line(tmp_path):
    path = tmp_path / "wrong.eng"
    path.write_text("INV 54 320 P 0.6 1.1 Nobody\n0.1 5\n0.2 -1\n")
    with pytest.raises(BadInput, match=r"wrong\.eng: line 3: the thrust -1 N is negative"):
        declared(MOTOR, {"thrust": None, "file": str(path)})


def test_motor_of_a_file():
    """The trace and the header stand in the declaration, in SI, and the file is forgotten."""
    motor = declared(MOTOR, {"thrust": None, "file": FILE, "designation": "INV-A"})
    assert (motor.file, motor.designation, motor.thrust.interpolation) == (None, None, "linear")
    np.testing.assert_array_equal(motor.thrust.value, [0, 900, 1100, 800, 750, 0])
    header = motor.header
    assert (header.designation, header.maker, header.delays) == ("INV-A", "Nobody", ("6", "10", "14"))
    np.testing.assert_allclose(
        [header.diameter, header.length, header.propellant, header.loaded],
        [0.054, 0.3205, 0.6, 1.15],
        rtol=1e-15,
    )


def test_written_and_read_again():
    """Whatever was given, the file that is written of it says the same."""
    given = [
        declared(MOTOR, {"thrust": None, "file": FILE, "designation": "INV-B", "slag": 0.001, "cut": True}),
        declared(ENGINE, RATIO | {"throttle": "v.main", "gimbal": ["a.pitch", None], "start": TIMES}),
        declared(ENGINE, {"throttle": TIMES, "isp": {"throttle": [0, 1], "value": [280, 300]}}),
        declared(
            ENGINE, {"thrust": "200000 lbf", "mass_flow": TIMES, "isp": None, "tail_off_time": "100 ms"}
        ),
    ]
    for engine in given:
        vehicle: Any = Vehicle(engines=(engine,))
        again: Any = Vehicle
        assert again(**tomllib.loads(toml_file.dumps(vehicle))) == vehicle


def test_short_forms():
    engine = declared(ENGINE, {"throttle": "v.main", "gimbal": ["a.pitch", "a.yaw"]})
    assert engine.throttle.signal == "v.main"
    assert (engine.gimbal.pitch, engine.gimbal.yaw) == ("a.pitch", "a.yaw")
    assert engine.feeds[0].tank == "s.lox"
    assert 'throttle = "v.main"' in toml_file.dumps(engine)
    assert declared(ENGINE, {"throttle": {"signal": "v.main"}}) == declared(ENGINE, {"throttle": "v.main"})
    assert declared(ENGINE, {"throttle": 0.5}).throttle == 0.5
