"""Scenarios that were found, written into the text of their file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from interstage.reading import load, loads
from interstage.studies.kept_text import updated_text
from interstage.studies.presentation.files import save_scenario

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
    assert updated_text(TEXT, scenario, HERE, HERE) == wanted
    assert loads(wanted) == scenario


def test_numbers_go_through_their_units_and_back():
    for mass in (100 / 3, 1e-3, 123456.789):
        scenario = loads(TEXT, {"bodies.load.mass": mass})
        text = updated_text(TEXT, scenario, HERE, HERE)
        assert text is not None
        assert "lbm" in text
        # Through pounds and back there are two roundings.
        assert float(loads(text).bodies[1].mass) == pytest.approx(mass, rel=4e-16)


def test_what_the_file_does_not_have_is_added_in_si():
    """In tables that it does not have, too."""
    scenario = loads(TEXT, {"solver.tolerance": 1e-10, "bodies.load.mass_centre": [0, 0, 0.5]})
    assert scenario.solver.tolerance != loads(TEXT).solver.tolerance
    text = updated_text(TEXT, scenario, HERE, HERE)
    assert text is not None
    assert loads(text) == scenario
    assert text.endswith("\n[solver]\ntolerance = 1e-10\n")
    assert "# to be found" in text


def test_a_text_that_cannot_be_kept_is_written_anew(tmp_path):
    assert updated_text("[bodies]", loads(TEXT), HERE, HERE) is None
    file, out = tmp_path / "a.toml", tmp_path / "b.toml"
    file.write_text(TEXT)
    found = load(file, {"bodies.stage.mass": 950.0})
    save_scenario(found, out, file)
    assert "# dry" in out.read_text()
    assert load(out) == found
    save_scenario(found, out, tmp_path / "flight.nc")
    assert "# dry" not in out.read_text()
    assert load(out) == found


POUND = 0.45359237
"""Of mass [kg], exact by definition."""


@pytest.mark.parametrize("pounds", ["26.4", "169.26", "221.15854853"])
def test_numbers_in_units_have_no_more_digits_than_they_need(pounds):
    """Divided by the pound these have a last digit that they did not have before."""
    mass = float(pounds) * POUND
    assert mass / POUND != float(pounds)
    assert updated_text(TEXT, loads(TEXT, {"bodies.load.mass": mass}), HERE, HERE) == TEXT.replace(
        "220.5", pounds
    )


def test_a_number_that_no_text_in_the_unit_gives_is_the_nearest():
    mass = 255.55888768794284
    nearest = [np.nextafter(mass / POUND, side) for side in (-np.inf, mass / POUND, np.inf)]
    assert all(one * POUND != mass for one in nearest)
    text = updated_text(TEXT, loads(TEXT, {"bodies.load.mass": mass}), HERE, HERE)
    assert text == TEXT.replace("220.5", repr(mass / POUND))


def test_what_another_entry_of_a_list_has_stays():
    more = TEXT + '\n[[phases]]\nname = "apart"\nrelease = ["band"]\nuntil = { elapsed = "1 s" }  # or two\n'
    wanted = more.replace('{ elapsed = "1 s" }  # or two', '{ elapsed = "3 s" }  # or two')
    assert updated_text(more, loads(more, {"phases.apart.until.elapsed": 3.0}), HERE, HERE) == wanted


def test_what_is_not_there_any_more_is_taken_out():
    less = TEXT + '\n[requirements.slow]\nquantity = "bodies.load.speed"\nmax = "3 ft/s"  # or two\n'
    more = less + 'at = "end"\n'
    assert updated_text(more, loads(less), HERE, HERE) == less
    assert updated_text(less, loads(more), HERE, HERE) == more


def test_a_choice_that_the_text_does_not_name_is_added():
    scenario = loads(TEXT, {"solver.method": "rk4", "solver.step": 0.001})
    text = updated_text(TEXT, scenario, HERE, HERE)
    assert text is not None
    assert loads(text) == scenario


def test_what_follows_from_what_is_written_is_not_written():
    """Of a matrix of inertia without products it does not matter what these would be."""
    matrix = [[12.0, 0.0, 0.0], [0.0, 12.0, 0.0], [0.0, 0.0, 9.0]]
    scenario = loads(TEXT, {"bodies.load.inertia": matrix})
    text = updated_text(TEXT, scenario, HERE, HERE)
    assert text is not None
    assert "products" not in text
    assert loads(text) == scenario


def test_no_change_is_left_out_however_small():
    """Of one member of a pattern by itself, which the text has no key for."""
    more = TEXT.replace('name = "spring"\n', 'name = "spring"\ncount = 2\n')
    for factor in (1 - 1e-9, 0.5):
        scenario = loads(more, {"devices.spring_2.stiffness": 4000.0 * factor})
        text = updated_text(more, scenario, HERE, HERE)
        assert text is None or loads(text) == scenario


def test_files_are_found_from_where_the_text_is_written(tmp_path):
    """Else it is written anew, with the places of its files."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "hull.csv").write_text("mach, CD\n0, 0.3\n1, 0.5\n")
    air = 'planet = { kind = "earth" }\natmosphere = { kind = "us76" }\n'
    text = air + TEXT.replace("initial = {}", "initial = { altitude = 9000, latitude = 0, longitude = 0 }")
    text += '\n[aerodynamics.hull]\nbody = "load"\narea = 1\nlength = 1\n'
    text += 'coefficients.CD = { file = "hull.csv" }\n'
    source = here / "a.toml"
    source.write_text(text)
    found = load(source, {"bodies.stage.mass": 950.0})
    assert updated_text(text, found, here, here) == text.replace('"900 kg"', '"950 kg"')
    assert updated_text(text, found, here, there) is None
    save_scenario(found, there / "b.toml", source)
    assert load(there / "b.toml").bodies[0].mass == 950.0
