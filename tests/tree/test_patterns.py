"""Several alike by `count` and `circle`: equal to those written out, by member and as a whole."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interstage.programs.targets import targets_of
from interstage.reading import load, loads
from interstage.record.sources import source_of
from interstage.runs.lot import Lot
from interstage.scenario import Scenario
from interstage.starts.by_pattern import of_patterns
from interstage.tree.addresses import get, replace_leaf
from interstage.tree.addresses import set as put
from interstage.tree.declaration import parts
from interstage.tree.errors import BadInput, Problem

EXAMPLE = Path(__file__).parents[2] / "examples" / "clampband_payload.toml"
TEXT = EXAMPLE.read_text(encoding="utf-8")
CORNERS = ((0.18, 0.18), (-0.18, 0.18), (-0.18, -0.18), (0.18, -0.18))
NAMES = [f"spring_{n}" for n in range(1, 5)]
CIRCLE = 'circle = { axis = "x" }'
"""As the example has it."""
SPRING = """
[devices.NAME]
kind = "kickoff_spring"
parent = "stage"
child = "satellite"
parent_at = "[1.56, Y, Z] m"
child_at = "[0, Y, Z] m"
axis = [1, 0, 0]
preload = "25 lbf"
stiffness = "2.2 kN/m"
stroke = "25 mm"
strength = 1.0
"""


def edited(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def springs(scenario: Scenario) -> list[Any]:
    return [device for device in scenario.devices if device.kind == "kickoff_spring"]


def by_hand() -> Scenario:
    """The example with its four springs written out."""
    begin, end = TEXT.index("[devices.spring]"), TEXT.index("# The engine's cut-off")
    four = [
        SPRING.replace("NAME", name).replace("Y", f"{y}").replace("Z", f"{z}")
        for name, (y, z) in zip(NAMES, CORNERS, strict=True)
    ]
    return loads(TEXT[:begin] + "".join(four) + TEXT[end:].replace('"devices.spring', '"devices.spring_*'))


def test_a_pattern_equals_what_is_written_out():
    mine, theirs = springs(load(EXAMPLE)), springs(by_hand())
    assert [device.name for device in mine] == NAMES
    assert {device.pattern for device in mine} == {"spring"}
    for one, other in zip(mine, theirs, strict=True):
        bare = one.model_copy(update={"pattern": None})
        assert bare == other  # to the last bit: quarter turns are exact
        assert parts(bare)[2] == parts(other)[2]


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_circle_of_a_radius_stands_around_the_points(axis):
    """Against complex numbers: the angle zero is along the axis that follows, right-handed."""
    circle = f'circle = {{ axis = "{axis}", radius = "30 cm", first = "20 deg" }}'
    text = edited((CIRCLE, circle), ("count = 4 ", "count = 5 "), ("axis = [1, 0, 0]\npreload", "preload"))
    k = "xyz".index(axis)
    centre = np.array([1.56, 0.18, 0.18])
    for n, device in enumerate(springs(loads(text))):
        out = 0.3 * np.exp(1j * np.radians(20 + 72 * n))
        offset = np.zeros(3)
        offset[(k + 1) % 3], offset[(k + 2) % 3] = out.real, out.imag
        # Rounding of a sine and of a sum.
        assert np.allclose(device.parent_at, centre + offset, rtol=0, atol=4 * np.finfo(float).eps)
        assert np.allclose(device.child_at, centre * [0, 1, 1] + offset, rtol=0, atol=4 * np.finfo(float).eps)


def test_directions_turn_with_the_points():
    """Splayed springs: each leans outwards as the first does."""
    text = edited(("axis = [1, 0, 0]\npreload", "axis = [1, 0.1, 0.1]\npreload"))
    axes = [device.axis for device in springs(loads(text))]
    assert np.array_equal([axis[1:] / 0.1 for axis in axes], np.sign(CORNERS))
    assert [axis[0] for axis in axes] == [1.0] * 4


def test_paths_lead_to_members_and_to_the_whole():
    scenario = load(EXAMPLE, {"devices.spring_2.strength": 0.8, "devices.spring.preload": "100 N"})
    assert [device.strength for device in springs(scenario)] == [1, 0.8, 1, 1]
    assert get(scenario, "devices.spring.preload") == get(scenario, "devices.spring_3.preload") == 100
    with pytest.raises(BadInput, match="differs between the 4 members"):
        get(scenario, "devices.spring.strength")
    assert {d.strength.item() for d in springs(put(scenario, "devices.spring.strength", 0.5))} == {0.5}
    assert len(springs(load(EXAMPLE, {"devices.spring.count": 6}))) == 6
    with pytest.raises(BadInput, match="differs between the"):
        put(scenario, "devices.spring.parent_at", [0, 0, 0])
    with pytest.raises(BadInput, match="did you mean 'spring'"):
        get(scenario, "devices.sprin.preload")


def test_leaves_of_the_whole_are_those_of_all_members():
    """What batches, sweeps and derivatives move."""
    scenario = load(EXAMPLE)
    lanes = np.array([2000.0, 2400.0])
    wide = replace_leaf(scenario, "devices.spring.stiffness", lanes)
    assert all(device.stiffness is lanes for device in springs(wide))
    assert get(wide, "devices.spring.stiffness") is lanes
    (target,) = targets_of(scenario, "devices.spring.stiffness", "vary")
    assert (target.path, target.nominal, target.marker.unit) == ("devices.spring.stiffness", 2200, "N/m")
    members = targets_of(scenario, "devices.spring_*.stiffness", "vary")
    assert [one.path for one in members] == [f"devices.{name}.stiffness" for name in NAMES]


def test_a_file_of_it_reads_back_and_keeps_the_whole():
    scenario = load(EXAMPLE)
    again = loads(scenario.to_toml())
    assert again == scenario
    assert get(again, "devices.spring.stiffness") == 2200


def test_the_whole_is_set_in_a_saved_scenario_too():
    text = loads(TEXT).to_toml()
    assert [d.preload for d in springs(loads(text, {"devices.spring.preload": "70 N"}))] == [70.0] * 4
    for path, value, says in (
        ("devices.spring.count", 3, "is already expanded to 4 members"),
        ("devices.spring.child_at", "[0, 0, 1] m", "between the 4 members"),
        ("devices.sprint.preload", 1, "did you mean 'spring'"),
    ):
        with pytest.raises(BadInput, match=says):
            loads(text, {path: value})


def test_a_value_that_is_refused_is_named_as_files_name_it():
    with pytest.raises(BadInput, match=r"^devices\.spring_1\.stiffness: -1 N/m"):
        put(loads(TEXT), "devices.spring_1.stiffness", -1.0)


def test_sources_of_the_whole_are_those_of_its_members():
    scenario = load(EXAMPLE)
    source = source_of(scenario, "devices.spring_3.preload")
    assert source is not None
    assert source.confidence == "published"


def test_python_takes_tables_and_declarations():
    from interstage import KickoffSpring

    raw = tomllib.loads(TEXT)
    table = raw["devices"].pop("spring")
    base = {key: value for key, value in raw.items() if key != "devices"}
    band = {"name": "band", **raw["devices"]["band"]}
    for spring in ({"name": "spring", **table}, KickoffSpring(name="spring", **table)):
        assert springs(Scenario(**base, devices=(band, spring))) == springs(load(EXAMPLE))


def test_actions_name_all_members_and_texts_hold_their_number():
    text = edited(
        ('fire = ["band"]', 'fire = ["band", "spring"]'),
        (
            '[devices.spring]\nkind = "kickoff_spring"',
            '[devices.spring]\nkind = "kickoff_spring"\ndelay = 0.01',
        ),
    )
    assert [p.fire for p in loads(text).phases][-1] == ("band", *NAMES)
    bolts = """
[devices.bolt]
kind = "explosive_bolt"
count = 3
joints = ["foot_#"]
after = "apart"
"""
    feet = "".join(
        f'[joints.foot_{n}]\nkind = "spherical"\nparent = "stage"\nchild = "satellite"\n' for n in (1, 2, 3)
    )
    devices: list[Any] = [d for d in loads(TEXT + bolts + feet).devices if d.name.startswith("bolt")]
    assert [d.joints for d in devices] == [("foot_1",), ("foot_2",), ("foot_3",)]


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("count = 4 ", "count = 0 ", "count", "0 is out of range. Give 1 to 1000"),
        ("count = 4 ", "count = 2.5 ", "count", "must be a whole number, got 2.5"),
        ("count = 4 ", 'count = "4" ', "count", "must be a whole number, got '4'"),
        ("count = 4 ", "", "count", "is required with circle"),
        (CIRCLE, 'circle = { axis = "w" }', "circle.axis", "'w' is not allowed; allowed: x, y, z"),
        (CIRCLE, 'circle = { radius = "1 m" }', "circle.axis", "is required"),
        (CIRCLE, 'circle = { axis = "x", radius = "1 kg" }', "circle.radius", "is in kg; allowed: m"),
        (CIRCLE, 'circle = { axis = "x", radius = 0 }', "circle.radius", "must be more than zero"),
        ('parent_at = "[1.56, 0.18, 0.18] m"', "parent_at = nan", "parent_at", "expected 3 numbers"),
        ('stiffness = "2.2 kN/m"', "stiffness = nan", "stiffness", "not a finite number"),
        (
            'child = "satellite"\nparent_at = "[1.56',
            'child = "sat"\nparent_at = "[1.56',
            "child",
            "no body 'sat'",
        ),
    ],
)
def test_a_faulty_one_is_refused_once(old, new, place, message):
    with pytest.raises(BadInput) as caught:
        loads(edited((old, new)))
    (problem,) = caught.value.problems
    assert problem.place == f"devices.spring.{place}"
    assert message in problem.message
    assert problem.line is not None


def test_points_on_the_axis_are_refused():
    text = TEXT.replace("0.18, 0.18] m", "0, 0] m")
    with pytest.raises(BadInput, match=r"rotates points about its axis \(x through the origin\)"):
        loads(text)


def test_two_of_one_name_are_told():
    with pytest.raises(BadInput, match="used 2 times in devices") as caught:
        loads(TEXT + SPRING.replace("NAME", "spring_2").replace("Y, Z", "0, 0"))
    assert [p.place for p in caught.value.problems] == ["devices.spring_2"]


def test_derivatives_by_a_whole_and_its_member_at_once_are_refused():
    whole, member = "devices.spring.stiffness", "devices.spring_2.stiffness"
    with pytest.raises(BadInput, match=f"'{member}' and '{whole}' lead to the same value"):
        load(EXAMPLE).derivatives(["time"], [whole, member])


def test_members_that_differ_are_moved_together():
    """A batch and a sweep take the whole as `set` does: all members get the value."""
    scenario = load(EXAMPLE, {"devices.spring_2.strength": 0.8})
    lot = Lot(scenario, {"devices.spring.strength": [0.5, 0.6]})
    assert [device.strength for device in springs(lot.case(1))] == [0.6] * 4
    targets = targets_of(scenario, "devices.spring.strength", "vary")
    assert [float(one.nominal) for one in targets] == [1, 0.8, 1, 1]


@pytest.mark.parametrize(
    ("dispersed", "says"),
    [
        (
            "devices.spring.stiffness devices.spring_2.stiffness",
            "spring_2.stiffness: .* by 'devices.s",
        ),
        ("devices.spring_*.stiffness devices.spring.stiffness", r"by 'devices\.spring_\*"),
        ("devices.spring_2.child_at.x devices.spring_2.child_at[0]", "also dispersed by"),
        ("devices.spring.child_at.x", "differs between the 4 members"),
        ("devices.spring.stifness", "^devices.spring.stifness: unknown path; did you mean 'stiffness'"),
    ],
)
def test_paths_that_no_batch_takes(dispersed, says):
    with pytest.raises(BadInput, match=says):
        Lot(load(EXAMPLE), {path: [2000.0, 2100.0] for path in dispersed.split()})


@pytest.mark.long
def test_the_whole_flies_as_its_members():
    """Derivatives by the whole are the sums of those by its members; cases of a batch by the whole those by
    all members."""
    scenario = load(EXAMPLE)
    speed, paths = "pairs.stage.satellite.separation_speed", [f"devices.{name}.stiffness" for name in NAMES]
    whole = scenario.derivatives([speed], ["devices.spring.stiffness"]).by[speed]["devices.spring.stiffness"]
    each = scenario.derivatives([speed], paths).by[speed]
    assert float(whole) == pytest.approx(
        sum(map(float, each.values())), rel=1e-9
    )  # five sums of rounding, over 1e5 operations
    lanes = np.array([2000.0, 2200.0])
    one = scenario.run_batch({"devices.spring.stiffness": lanes})
    other = scenario.run_batch(dict.fromkeys(paths, lanes))
    assert np.array_equal(one.value(speed), other.value(speed))


def test_how_many_there_are_is_no_number_to_vary():
    with pytest.raises(BadInput, match=r"the number of members of a pattern.* with --set"):
        targets_of(loads(TEXT), "devices.spring.count", "vary")


@pytest.mark.parametrize(
    ("changes", "values"),
    [
        ((), {"devices.sprng.preload": "3 N"}),
        ((), {"devices.sprng.count": "3"}),
        ((('fire = ["band"]', 'fire = ["band", "sprng"]'),), {}),
        ((('fire = ["band"]', 'fire = ["band"]\nignite = ["sprng"]'),), {}),
    ],
)
def test_patterns_are_among_the_names_that_are_suggested(changes, values):
    motor = '[engines.spring]\nkind = "engine"\nbody = "stage"\nat = [0, 0, 0]\nthrust = 1\nmassless = true\n'
    with pytest.raises(BadInput) as caught:
        loads(edited(*changes) + motor + "count = 2\n", values)
    assert "did you mean 'spring'" in str(caught.value)


def test_phases_of_legs_fire_all_members_by_one_name():
    text = """
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }
bodies.b = { mass = 1, inertia = [1, 1, 1] }
joints.seam = { kind = "fixed", parent = "a", child = "b" }
legs.both.phases.joined = { until = { elapsed = "1 s" } }
legs.both.phases.apart = { release = ["seam"], fire = ["push"], until = { elapsed = "1 s" } }
legs.one = { after = { leg = "both" }, bodies = ["a"], phases.free = { until = { elapsed = "1 s" } } }
[devices.push]
kind = "kickoff_spring"
count = 2
parent = "a"
child = "b"
parent_at = [0, 0.1, 0]
stiffness = 100
preload = 10
stroke = 0.1
circle = { axis = "x" }
"""
    apart = loads(text).legs[0].phases[1]
    assert apart.fire == ("push_1", "push_2")


ENDS_MEET = """
gravity = "none"
bodies.stage = { mass = "10 kg", inertia = "[1, 1, 1] kg m^2", initial = {} }
bodies.sat = { mass = "10 kg", inertia = "[1, 1, 1] kg m^2" }
joints.band = { kind = "fixed", parent = "stage", child = "sat", parent_at = "[0, 0, 1] m" }
[devices.spring]
kind = "kickoff_spring"
count = 8
circle = { axis = "z", radius = "0.3 m" }
parent = "stage"
child = "sat"
parent_at = "[0, 0, 1] m"
stiffness = "4 kN/m"
preload = "400 N"
stroke = "0.1 m"
[phases]
joined = { until = { time = "1 s" } }
apart = { release = ["band"], until = { elapsed = "1 s" } }
"""


def test_a_problem_of_all_members_at_the_start_is_one_line_with_their_names():
    with pytest.raises(BadInput) as found:
        loads(ENDS_MEET).run()
    (problem,) = found.value.problems
    assert problem.place == "devices.spring.axis"
    assert "coincide" in problem.message
    assert problem.message.endswith(f"(of {', '.join(f'spring_{k}' for k in range(1, 9))})")


def test_problems_that_differ_in_numbers_are_joined_and_others_are_not():
    """Also of members of another pattern, and of declarations without a pattern."""
    scenario = loads(ENDS_MEET)
    texts = {"spring_1": "gap 1e-17 m", "spring_2": "gap 2.5 m", "spring_3": "another gap", "bolt": "gap 1 m"}
    found = of_patterns(scenario, [Problem(f"devices.{name}.axis", text) for name, text in texts.items()])
    assert [(problem.place, problem.message) for problem in found] == [
        (
            "devices.spring.axis",
            "gap 1e-17 m (of spring_1, spring_2; the values in this message are for spring_1)",
        ),
        ("devices.spring_3.axis", "another gap"),
        ("devices.bolt.axis", "gap 1 m"),
    ]
