"""Thrust traces in the RASP format: what is read, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interstage
from interstage.exchange import rasp
from interstage.tree.errors import BadInput

FILE = Path(__file__).parents[1] / "invented.eng"
HEADER = "INV 54 320 P 0.6 1.1 Nobody\n"


def test_motors_of_a_file():
    first, second = rasp.read(FILE)
    assert (first.name, first.delays, first.maker) == ("INV-A", ("6", "10", "14"), "Nobody")
    np.testing.assert_allclose([first.diameter, first.length], [54.0e-3, 320.5e-3], rtol=1e-15)
    assert (first.propellant, first.loaded) == (0.6, 1.15)
    np.testing.assert_array_equal(first.time, [0, 0.05, 0.2, 0.9, 1.4, 1.55])
    np.testing.assert_array_equal(first.thrust, [0, 900, 1100, 800, 750, 0])
    assert (second.name, second.delays, second.maker) == ("INV-B", ("P",), "Nobody & Sons")
    np.testing.assert_array_equal(second.time, [0, 0.1, 0.5, 0.8])
    np.testing.assert_array_equal(second.thrust, [0, 20, 12, 0])


def test_lines_of_other_systems():
    """Carriage returns, tabs, a byte order mark."""
    (motor,) = rasp.parse("\ufeff" + HEADER.replace("\n", "\r\n") + "\t0.1\t5\r\n\t0.2\t0\r\n")
    np.testing.assert_array_equal(motor.thrust, [0, 5, 0])
    assert motor.name == "INV"


def test_choice():
    motors = rasp.read(FILE)
    assert rasp.chosen(motors, "INV-B") is motors[1]
    assert rasp.chosen(motors[:1], None) is motors[0]
    for name, text in (
        (None, "has 2 motors. Select one motor by `designation`: INV-A, INV-B"),
        ("INV", "no motor"),
    ):
        with pytest.raises(BadInput, match=text):
            rasp.chosen(motors, name)
    with pytest.raises(BadInput, match="several motors with the name 'INV-A'"):
        rasp.chosen((motors[0], motors[0]), "INV-A")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "has no motor. Begin with a header of seven"),
        ("; nothing\n\n", 2, "has no motor"),
        ("INV 54 320 P 0.6 1.1\n0.1 5\n0.2 0\n", 1, "has 6 fields. Allowed: a header of seven"),
        (HEADER + "0.1 5 6\n0.2 0\n", 2, "3 fields. .* or a point of time .* after a semicolon"),
        (HEADER.replace("54", "wide") + "0.1 5\n0.2 0\n", 1, "'wide' is not a diameter"),
        (HEADER.replace("320", "-1") + "0.1 5\n0.2 0\n", 1, "-1 is not a valid length"),
        (
            HEADER.replace("0.6", "600") + "0.1 5\n0.2 0\n",
            1,
            "600 kg, exceeds the mass of the loaded motor, 1.1 kg",
        ),
        (HEADER + "0.1 5,5\n0.2 0\n", 2, "'5,5' is not a thrust"),
        (HEADER + "nan 5\n0.2 0\n", 2, "'nan' is not a time"),
        (HEADER + "0.1 -5\n0.2 0\n", 2, "-5 N is negative"),
        (HEADER + "-0.1 5\n0.2 0\n", 2, "must increase .* -0.1 s follows 0 s"),
        (HEADER + "0.1 5\n0.1 4\n0.2 0\n", 3, "must increase .* 0.1 s follows 0.1 s"),
        (HEADER, 1, "has no points"),
        (HEADER + HEADER + "0.1 5\n0.2 0\n", 2, r"\(line 1\) has no points"),
        (
            HEADER.replace("0.6", "0") + "0.1 5\n0.2 0\n",
            1,
            "0 is not a valid mass of propellant",
        ),
        (HEADER + "0.1 0\n0.2 0\n", 3, "is zero"),
    ],
)
def test_malformed(text, line, said):
    with pytest.raises(BadInput, match=said) as caught:
        rasp.parse(text, "some.eng")
    assert caught.value.problems[0].line == line
    assert str(caught.value).startswith(f"some.eng: line {line}: ")


def test_measured_traces_start_and_end_above_zero():
    """Files of test stands: nothing is added to the impulse, and the notes give the values."""
    (motor,) = rasp.parse("INV 0 0 P 0.6 1.1 Nobody\n0 5\n0.1 9\n0.4 2.5\n")
    np.testing.assert_array_equal(motor.time, [0, 0.1, 0.4])
    np.testing.assert_array_equal(motor.thrust, [5, 9, 2.5])
    assert motor.notes == (
        "the diameter in the file is 0 and counts as unknown",
        "the length in the file is 0 and counts as unknown",
        "the thrust curve begins with 5 N. The thrust jumps to this value at time zero",
        "the thrust curve ends with 2.5 N. The thrust drops to zero at 0.4 s",
    )
    assert [motor.notes for motor in rasp.read(FILE)] == [(), ()]


STAND = """
gravity = "none"
phases.burn = { ignite = ["m"], until = { elapsed = "1 s" } }
[bodies.r]
mass = 1
inertia = [1, 1, 1]
initial = {}
elements.grain = { kind = "point", propellant = 0.6, at = [0, 0, 0] }
[engines.m]
kind = "motor"
body = "r"
at = [0, 0, 0]
direction = [1, 0, 0]
grain = "r.grain"
file = "m.eng"
"""


def test_notes_of_a_motor_reach_the_user_and_its_impulse_is_that_of_the_trace(tmp_path):
    """Impulse of the trace by trapezoids: (5 + 9) / 2 x 0.1 + (9 + 2.5) / 2 x 0.3 = 2.425 N s. The speed is
    that of a rocket whose exhaust velocity is the impulse over the propellant: c ln(1.6 / 1)."""
    from interstage.diagnosis.plausibility import remarks

    (tmp_path / "m.eng").write_text("INV 54 320 P 0.6 1.1 Nobody\n0 5\n0.1 9\n0.4 2.5\n")
    (tmp_path / "a.toml").write_text(STAND)
    scenario = interstage.load(tmp_path / "a.toml")
    noted = [text for text in remarks(scenario) if "INV" in text]
    assert noted == [
        "m: motor INV: the thrust curve begins with 5 N. The thrust jumps to this value at time zero.",
        "m: motor INV: the thrust curve ends with 2.5 N. The thrust drops to zero at 0.4 s.",
    ]
    flight = scenario.run()
    # ten digits: the trace is integrated step by step at the default tolerance of 1e-9
    speed = 2.425 / 0.6 * np.log(1.6)
    np.testing.assert_allclose(flight["bodies.r.velocity"][-1], [speed, 0, 0], rtol=1e-8, atol=1e-12)


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(
        BadInput, match=r"absent\.eng: there is no such file in .*; there are no \.eng files there"
    ):
        rasp.read(tmp_path / "absent.eng")
