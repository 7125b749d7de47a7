"""Input that is much longer than anything that can be meant: one short sentence, at once."""

from __future__ import annotations

from pathlib import Path

import pytest

import interstage as ist
from interstage.linear.moments import MOST_TIMES
from interstage.linear.points import course_of
from interstage.reading import load, loads

FIRST = Path(__file__).parents[2] / "examples" / "first.toml"
DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a." * 5000 + "b", "the path has 5001 steps"),
        ("bodies.stage." + "a." * 5000 + "b", "the path has 5003 steps"),
        (f"bodies.stage.inertia[{DIGITS}]", "inertia[9999"),
    ],
)
def test_a_long_path_is_refused_in_a_short_message(path, words):
    with pytest.raises(ist.BadInput) as caught:
        load(FIRST, {path: 1.0})
    text = str(caught.value)
    assert words in text
    assert len(text) < 4000


@pytest.mark.parametrize("count", ["1000000000", str(MOST_TIMES + 1)])
def test_more_times_than_can_be_waited_for_are_refused(count):
    course = course_of(load(FIRST), None)
    with pytest.raises(ist.BadInput, match=f"the count {count} is out of range. Allowed: 2 to {MOST_TIMES}"):
        course.between(f"start:end:{count}")
    with pytest.raises(ist.BadInput, match=r"cannot be read\. Write FROM:TO:COUNT"):
        course.between(f"start:end:{DIGITS}")


def test_a_key_like_one_that_is_given_is_no_other_key():
    """`mas` beside `mass` was taken for the centre of mass, whose unit is m."""
    with pytest.raises(ist.BadInput) as caught:
        load(FIRST, {"bodies.stage.mas": "100 kg"})
    (problem,) = caught.value.problems
    assert (problem.setting, problem.message) == ("bodies.stage.mas", "unknown key; did you mean 'mass'?")


def test_a_misspelt_key_still_shows_what_else_is_wrong():
    text = FIRST.read_text().replace('mass = "900 kg"', 'mas = "900 m"')
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    assert {"unknown key; did you mean 'mass'?"} < {problem.message for problem in caught.value.problems}


def test_a_flight_in_another_format_names_what_reads_flights(tmp_path):
    from interstage.cli.command_files import FLIGHTS, check_target

    for name in ("x.csv", "x.mat"):
        with pytest.raises(
            ist.BadInput, match=r"Allowed: \.nc, for example x\.nc\. A flight is saved as NetCDF"
        ):
            check_target(tmp_path / name, None, FLIGHTS)
