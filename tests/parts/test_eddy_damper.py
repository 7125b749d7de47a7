"""The part of `examples/own_part`, as if it had been installed: in a process of its own, as the kinds of a
scenario are settled once in each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine_door import layout_of
from interstage.cli.flights import write_report
from interstage.engine.contract import without_law
from interstage.reading import load
from interstage.record.results import open_flight
from interstage.tree.errors import BadInput
from other_packages import announce, python

HOME = Path(__file__).parents[2] / "examples" / "own_part"


def test_without_the_package_it_is_named():
    with pytest.raises(BadInput, match="pip install examples/own_part") as error:
        load(HOME / "deployment.toml")
    assert len(error.value.problems) == 1


@pytest.fixture(scope="module")
def flown(tmp_path_factory) -> dict:
    """What `eddy_damper_flights.py` found."""
    place = tmp_path_factory.mktemp("packages")
    announce(place, "eddy_damper", "interstage-eddy-damper", "eddy_damper")
    (place / "eddy_damper").symlink_to(HOME / "eddy_damper")
    script = Path(__file__).parents[1] / "eddy_damper_flights.py"
    done = python(place, str(script), str(HOME / "deployment.toml"), str(place / "flight.nc"))
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "file": place / "flight.nc"}


@pytest.mark.long
def test_a_saved_flight_is_shown_without_the_package(flown, tmp_path, capsys):
    """With all that the record has, and who would add what."""
    write_report(flown["file"], tmp_path / "flight.html")
    said = capsys.readouterr().out
    for text in ((tmp_path / "flight.html").read_text(), said):
        assert "brake left" in text
        assert "devices.brake (eddy_damper)" in text
        assert "pip install examples/own_part" in " ".join(text.split())  # a line may end within it
        assert "drift of" not in text
    saved = open_flight(flown["file"])
    saved.read_to_show()
    (problem,) = without_law(layout_of(saved.record.scenario))
    assert problem.place == "devices.brake"
    with pytest.raises(BadInput, match="is not installed"):
        _ = saved.scenario


P, C, MASS, OTHER, START = 60.0, 4.0, 8.0, 80.0, 6.0
REDUCED = MASS * OTHER / (MASS + OTHER)


def passed(start, v):
    """Travel from the speed `start` to v: REDUCED v dv/dx = -F(v), F = 2 P (v/C) / (1 + (v/C)^2)."""
    return REDUCED * C / (2 * P) * (start - v + (start**3 - v**3) / (3 * C**2))


def test_the_speed_at_which_the_plate_leaves_is_that_of_the_closed_form(flown):
    alone = flown["alone"]
    assert passed(START, alone["rate"]) == pytest.approx(0.15, rel=1e-9)
    # By (ln v + v^2/(2 C^2)) REDUCED = -2 P t/C + constant.
    v = alone["rate"]
    time = REDUCED * C / (2 * P) * (np.log(START / v) + (START**2 - v**2) / (2 * C**2))
    assert alone["time"] == pytest.approx(time, rel=1e-9)
    assert alone["heat"] == pytest.approx(0.5 * REDUCED * (START**2 - v**2), rel=1e-9)
    assert alone["after"] == 0.0
    assert alone["events"] == ["out", "brake left", "end"]


def test_momentum_is_kept_and_energy_is_not_judged(flown):
    assert flown["drifts"] == ["linear momentum", "angular momentum"]


def test_each_case_of_a_batch_is_that_of_the_closed_form(flown):
    assert flown["batch"] == pytest.approx([passed_to(start) for start in (5.0, 6.0, 7.0)], rel=1e-8)


def passed_to(start: float) -> float:
    """Speed at which the plate leaves, by bisection of the closed form."""
    low, high = 0.0, start
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if passed(start, middle) > 0.15 else (low, middle)
    return low


def test_derivatives_are_those_of_the_closed_form(flown):
    """Of `passed`, which is the overlap whatever the speed at the start and the peak."""
    v = passed_to(START)
    by_start = (1 + (START / C) ** 2) / (1 + (v / C) ** 2)
    by_peak = -passed(START, v) / (REDUCED * C / (2 * P)) / P / (1 + (v / C) ** 2)
    assert flown["derivatives"] == pytest.approx([by_start, by_peak], rel=1e-6)


def test_what_is_shown_and_saved(flown):
    assert "Eddy-current dampers" in flown["tables"]
    assert "Force and heat of the eddy-current dampers" in flown["figures"]
    assert flown["saved"] == ["interstage-eddy-damper"]
    assert flown["notes"] == []
    assert flown["kept"]
    assert flown["imported by check"] == []
