"""Sweeps with the sign # in paths: each member of a pattern, and each copy of a body, varies on its own."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from interstage.reading import load
from interstage.studies.sweep.run import plan_cases
from interstage.tree.errors import BadInput

EXAMPLE = load(Path(__file__).parents[2] / "examples" / "three_satellites.toml")
MASSES = [f"bodies.sat_{n}.mass" for n in (1, 2, 3)]


def test_corners_of_all_copies_in_one_variation():
    plan = plan_cases(EXAMPLE, {"bodies.sat_#.mass": "70 kg, 90 kg"}, "corners")
    found = np.stack([plan.inputs[path] for path in MASSES], 1)
    corners = {*product((70.0, 90.0), repeat=3)}
    assert {*map(tuple, found.tolist())} == corners | {(80.0, 80.0, 80.0)}
    assert len(found) == 9


def test_it_equals_one_variation_for_each_member():
    one = plan_cases(EXAMPLE, {"devices.spring_#.strength": "+-5 %", "bodies.stage.mass": "+-1 %"}, "grid")
    each = {f"devices.spring_{n}.strength": "+-5 %" for n in (1, 2, 3)}
    other = plan_cases(EXAMPLE, {**each, "bodies.stage.mass": "+-1 %"}, "grid")
    assert one.inputs.keys() == other.inputs.keys()
    assert all(np.array_equal(one.inputs[key], other.inputs[key]) for key in one.inputs)


def test_linked_inputs_of_one_member_vary_together():
    vary = {"bodies.sat_#.mass, devices.spring_#.stiffness": "90 %, 110 %"}
    plan = plan_cases(EXAMPLE, vary, "corners")
    for n in (1, 2, 3):
        mass = plan.inputs[f"bodies.sat_{n}.mass"] / 80
        assert np.array_equal(mass, plan.inputs[f"devices.spring_{n}.stiffness"] / 4000)
    assert len(mass) == 9


@pytest.mark.parametrize("path", ["bodies.stage#.mass", "bodies.sat_1#.mass"])
def test_a_path_without_numbers_is_refused(path):
    with pytest.raises(BadInput) as caught:
        plan_cases(EXAMPLE, {path: "+-5 %"}, "corners")
    (problem,) = caught.value.problems
    assert problem.place == path
    assert problem.message == "no input has a number in place of #. Write the path of one input, or use *"
