"""Thrust traces in the RASP format: what is read, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from interstage.parts.propellant import rasp
from interstage.tree.errors import BadInput

FILE = Path(__file__).with_name("invented.eng")
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
        (None, "holds 2 motors; say which by `designation`: INV-A, INV-B"),
        ("INV", "no motor"),
    ):
        with pytest.raises(BadInput, match=text):
            rasp.chosen(motors, name)
    with pytest.raises(BadInput, match="several motors named 'INV-A'"):
        rasp.chosen((motors[0], motors[0]), "INV-A")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "holds no motor; begin with a header of seven"),
        ("; nothing\n\n", 2, "holds no motor"),
        ("INV 54 320 P 0.6 1.1\n0.1 5\n0.2 0\n", 1, "has 6 fields; allowed: a header of seven"),
        (HEADER + "0.1 5 6\n0.2 0\n", 2, "3 fields; .* or a point of time .* behind a semicolon"),
        (HEADER.replace("54", "wide") + "0.1 5\n0.2 0\n", 1, "'wide' is not a diameter"),
        (HEADER.replace("320", "-1") + "0.1 5\n0.2 0\n", 1, "-1 is no length .* more than zero"),
        (HEADER.replace("0.6", "600") + "0.1 5\n0.2 0\n", 1, "600 kg, is more than the loaded motor, 1.1 kg"),
        (HEADER + "0.1 5,5\n0.2 0\n", 2, "'5,5' is not a thrust .* decimal point"),
        (HEADER + "nan 5\n0.2 0\n", 2, "'nan' is not a time"),
        (HEADER + "0.1 -5\n0.2 0\n", 2, "-5 N is negative"),
        (HEADER + "0 5\n0.2 0\n", 2, "at time zero is 5 N; a trace begins at zero .* like 0.001 s"),
        (HEADER + "-0.1 5\n0.2 0\n", 2, "must increase .* -0.1 s follows 0 s"),
        (HEADER + "0.1 5\n0.1 4\n0.2 0\n", 3, "must increase .* 0.1 s follows 0.1 s"),
        (HEADER + "0.1 5\n0.2 1\n; end\n", 4, r"INV \(line 1\) ends at 1 N; .*with thrust 0"),
        (HEADER, 1, "has no points"),
        (HEADER + "0.1 5\n" + HEADER + "0.1 5\n0.2 0\n", 3, r"\(line 1\) ends at 5 N"),
        (HEADER + "0.1 0\n0.2 0\n", 3, "is zero; give a point with thrust"),
    ],
)
def test_malformed(text, line, said):
    with pytest.raises(BadInput, match=said) as caught:
        rasp.parse(text, "some.eng")
    assert caught.value.problems[0].line == line
    assert str(caught.value).startswith(f"some.eng: line {line}: ")


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(
        BadInput, match=r"absent\.eng: there is no such file in .*; there are no \.eng files there"
    ):
        rasp.read(tmp_path / "absent.eng")
