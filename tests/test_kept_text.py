"""Scenarios that were found, written into the text of their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from interstage.reading import load, loads
from interstage.studies.kept_text import kept
from interstage.studies.optimization.command import save_scenario

TEXT = """# A stage and what it carries.
title = "Text"
bodies.stage = { mass = "900 kg", inertia = "[400, 400, 150] kg m^2", initial = {} }  # dry
bodies.load = { mass = "220.5 lbm", inertia = [12, 12, 8] }

[joints.band]   # holds until it is cut
kind = "fixed"
parent = "stage"
child = "load"
parent_at = ["1 ft", 0, "12 cm"]  # from drawings
child_at = "[0, 0, -0.4] m"

[[devices]]
name = "spring"
kind = "kickoff_spring"
parent = "stage"
child = "load"
stiffness = "4 kN/m"    # to be found
preload = 400
stroke = "10 cm"

[[phases]]
name = "joined"
until = { time = "1 s" }
"""
HERE = Path()
FOUND = {
    "devices.spring.stiffness": (3500.0, '"4 kN/m" ', '"3.5 kN/m" '),
    "devices.spring.preload": (412.5, "preload = 400", "preload = 412.5"),
    "bodies.stage.mass": (912.25, '"900 kg"', '"912.25 kg"'),
    "joints.band.child_at.z": (-0.5, '"[0, 0, -0.4] m"', '"[0, 0, -0.5] m"'),
    "joints.band.parent_at.z": (0.24, '"12 cm"', '"24 cm"'),
}


def test_only_what_was_found_changes():
    scenario = loads(TEXT, {path: value for path, (value, *_) in FOUND.items()})
    wanted = TEXT
    for _, old, new in FOUND.values():
        assert wanted.count(old) == 1
        wanted = wanted.replace(old, new)
    assert kept(TEXT, scenario, HERE, HERE) == wanted
    assert loads(wanted) == scenario


def test_numbers_go_through_their_units_and_back():
    for mass in (100 / 3, 1e-3, 123456.789):
        scenario = loads(TEXT, {"bodies.load.mass": mass})
        text = kept(TEXT, scenario, HERE, HERE)
        assert text is not None
        assert "lbm" in text
        # Through pounds and back there are two roundings.
        assert float(loads(text).bodies[1].mass) == pytest.approx(mass, rel=4e-16)


def test_what_the_file_does_not_have_is_added_in_si():
    scenario = loads(TEXT, {"solver.tolerance": 1e-9, "bodies.load.mass_centre": [0, 0, 0.5]})
    text = kept(TEXT, scenario, HERE, HERE)
    assert text is not None
    assert loads(text) == scenario
    assert "# to be found" in text


def test_a_text_that_cannot_be_kept_is_written_anew(tmp_path):
    assert kept("[bodies]", loads(TEXT), HERE, HERE) is None
    file, out = tmp_path / "a.toml", tmp_path / "b.toml"
    file.write_text(TEXT)
    found = load(file, {"bodies.stage.mass": 950.0})
    save_scenario(found, out, file)
    assert "# dry" in out.read_text()
    assert load(out) == found
    save_scenario(found, out, tmp_path / "flight.nc")
    assert "# dry" not in out.read_text()
    assert load(out) == found
