"""Malformed scenarios: one clear error with place and remedy, and nothing but `BadInput`."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import interstage as ist
from bad_input.cases import CASES, FILES, GOOD, Case, File
from interstage.reading import loads

PYTHON: Any = ist
"""The package for calls that a type checker would mark."""


@cache
def refusal(text: str) -> ist.BadInput:
    with pytest.raises(ist.BadInput) as caught:
        loads(text, source="scenario.toml")
    return caught.value


def alike(a: list[str], b: list[str]) -> int:
    """How many lines are the same from the beginning on."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def test_the_good_one_is_good():
    assert loads(GOOD).title == "Everything"


def test_there_are_many_and_each_once():
    names = [c.name for c in CASES] + [f.name for f in FILES]
    assert len(names) == len(set(names)) >= 140
    assert len({c.text() for c in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_clear_error(case: Case):
    error = refusal(case.text())
    at_place = [p for p in error.problems if p.place == case.place]
    assert at_place, f"no problem at {case.place} in: {error}"
    assert any(all(word in p.message for word in case.words) for p in at_place), str(error)
    # One fault may show at two places (a misspelt key is missing under its right name), not at many.
    assert len(error.problems) <= 3, str(error)


ELSEWHERE = {
    "option-of-another-kind",  # the edit changes the kind; the option that no longer applies is wrong
    "sequence-and-stiffness-differ",  # the edit shortens the sequence; the stiffnesses are too many
    "aerodynamics-without-air",  # the edit takes the air away; what needs it is named
    "gimbal-in-metres",  # the edit changes the actuator; the engine that turns by it is named
    "draws-from-what-stays",  # the edit lets the tank stay; the engine that draws from it is wrong
    "drop-the-tank-first",  # the edit drops it; the later ignition is wrong
    "fire-twice",  # the edit fires earlier; the later firing is wrong
    "joint-to-itself",  # the edit makes the parent the same; the child is named
    "duplicate-phase",  # the edit renames the last phase; the first of that name is named
}


@pytest.mark.parametrize("case", [c for c in CASES if c.name not in ELSEWHERE], ids=lambda case: case.name)
def test_line_is_that_of_the_edit(case: Case):
    edited, original = case.text().splitlines(), GOOD.splitlines()
    first = 1 + alike(edited, original)
    last = len(edited) - alike(edited[::-1], original[::-1])
    # What is missing has no line of its own: it is reported at its table's.
    table = max((i for i, line in enumerate(edited[:first], start=1) if line.startswith("[")), default=1)
    lines = [p.line for p in refusal(case.text()).problems if p.place == case.place]
    assert any(line is not None and min(first, table) <= line <= max(first, last) for line in lines), lines


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_that_are_no_scenario(file: File, tmp_path):
    path = file.put(tmp_path)
    with pytest.raises(ist.BadInput) as caught:
        ist.load(path)
    text = str(caught.value)
    assert all(word in text for word in file.words), text
    assert text.startswith(str(path))
    assert len(text) < 2000


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_messages_are_short_sentences(case: Case):
    for problem in refusal(case.text()).problems:
        assert 10 < len(problem.message) < 400
        assert "Traceback" not in problem.message
        assert "pydantic" not in problem.message
        assert "\n" not in problem.message


def test_all_errors_at_once():
    """Six independent faults of all sorts: bad values, unknown keys, unknown names, bad order, each
    reported."""
    text = GOOD
    edits = {
        '"1000 kg"': '"1000 lb"',
        "mass = 20": "mas = 20",
        'joints = ["hinge"]': 'joints = ["hing"]',
        'release = ["clamp"]': 'release = ["clam"]',
        '"rising"': '"raising"',
        'at = "apart"': 'at = "aprt"',
    }
    for old, new in edits.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    error = refusal(text)
    assert {p.place for p in error.problems} == {
        "bodies.payload.mass",
        "bodies.arm.mas",
        "bodies.arm.mass",
        "devices.cutter.joints",
        "phases.apart.release",
        "phases.apart.until.any.1.direction",
        "requirements.gentle.at",
    }
    lines = [p.line or 0 for p in error.problems]
    assert 0 < lines[0] <= lines[-1]
    assert lines == sorted(lines)
    assert str(error).splitlines()[0].startswith("scenario.toml: line ")


def test_a_faulty_declaration_does_not_end_the_search():
    """A body that is wrong as a whole leaves the rest to be checked, with its name still known."""
    text = GOOD.replace("[800, 800, 600]", "[800, 200, 100]").replace(
        'release = ["clamp"]', 'release = ["clam"]'
    )
    assert [p.place for p in refusal(text).problems] == ["bodies.payload.inertia", "phases.apart.release"]


def test_a_fault_hides_no_quantity_of_another_body():
    """A quantity is not called unknown because the body it is about has a fault elsewhere."""
    error = refusal(GOOD.replace('"1000 kg"', '"1000 lb"'))
    assert [p.place for p in error.problems] == ["bodies.payload.mass"]
    error = refusal(GOOD.replace('parent = "ground"\nchild = "stage"', 'parent = "ground"\nchild = "stag"'))
    assert [p.place for p in error.problems] == ["forces.tether.child"]


def test_very_many_errors_are_listed_in_part():
    text = "".join(f"[bodies.b{i}]\nmass = -1\ninertia = [1, 1, 1]\ninitial = {{}}\n" for i in range(300))
    error = refusal(text + "[phases.coast]\nuntil = { time = 1 }\n")
    assert len(error.problems) == 300
    assert len(str(error).splitlines()) == 51
    assert str(error).endswith("and 250 more")


@pytest.mark.parametrize(
    ("path", "value", "place", "words"),
    [
        ("bodies.payload.mass", "900 lb", "bodies.payload.mass", "lbf for a force"),
        ("bodies.payload.mas", 900, "bodies.payload.mas", "did you mean 'mass'"),
        ("bodies.paylod.mass", 900, "bodies.paylod.mass", "did you mean 'payload'"),
        ("bodies.payload.mass.x", 900, "bodies.payload.mass.x", "not a table"),
        ("phases.aparts.release", [], "phases.aparts.release", "did you mean 'apart'"),
        ("solvr.step", 1, "solvr", "did you mean 'solver'"),
        ("title", 3, "title", "text in quotes"),
    ],
)
def test_settings_that_do_not_fit(path, value, place, words):
    with pytest.raises(ist.BadInput) as caught:
        loads(GOOD, {path: value})
    assert [p.place for p in caught.value.problems if words in p.message] == [place]


@pytest.mark.parametrize("text", ["", "=3", "bodies.payload.mass", "bodies.payload.mass=", " = "])
def test_settings_that_set_nothing(text):
    from interstage.reading import setting

    with pytest.raises(ist.BadInput, match="PATH=VALUE"):
        setting(text)


@pytest.mark.parametrize(
    ("make", "place", "words"),
    [
        (lambda: PYTHON.Body(name="a", mass="3 lb", inertia=[1, 1, 1]), "mass", "lbf for a force"),
        (lambda: PYTHON.Body(name="a", mas=3, inertia=[1, 1, 1]), "mas", "did you mean 'mass'"),
        (lambda: PYTHON.Joint(name="j", kind="rodd", parent="a", child="b"), "kind", "did you mean 'rod'"),
        (
            lambda: PYTHON.Scenario(bodies=({"name": "a", "mass": -1, "inertia": [1, 1, 1]},)),
            "bodies.a.mass",
            "negative",
        ),
        (lambda: PYTHON.Scenario(bodies=3), "bodies", "table of named tables"),
        (lambda: PYTHON.Attitude(quaternion=[1, 1, 0, 0]), "quaternion", "length"),
        (lambda: PYTHON.Scenario().check(), "bodies", "no body"),
    ],
)
def test_python_says_the_same(make, place, words):
    with pytest.raises(ist.BadInput) as caught:
        make()
    assert [p.place for p in caught.value.problems if words in p.message] == [place]


@pytest.mark.parametrize(
    ("planet", "start"),
    [
        ("", 'initial = { position = "[0, 0, 0] m" }'),
        ('[planet]\nkind = "flat"\n', 'initial = { altitude = "20 m" }'),
        ('[planet]\nkind = "earth"\n', 'initial = { latitude = "28.5 deg"'),
    ],
)
def test_a_start_is_offered_that_the_world_has(planet, start):
    body = "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n"
    (problem,) = refusal(f"{planet}{body}[phases.coast]\nuntil = {{ time = 1 }}\n").problems
    assert problem.place == "bodies.a.initial"
    assert start in problem.message


def test_a_faulty_parachute_is_one_problem():
    """What waits for its deployment is not told that there is no such thing."""
    text = (
        GOOD
        + """
[devices.chute]
kind = "parachute"
body = "payload"
drag_area = "-3 m^2"
after = "start"
[events.open]
after = "chute deployed"
when = { elapsed = "1 ms" }
"""
    )
    assert [p.place for p in refusal(text).problems] == ["devices.chute.drag_area"]


def test_an_impossible_inertia_is_one_problem():
    text = GOOD.replace("[800, 800, 600]", "[800, 200, 100]")
    assert [p.place for p in refusal(text).problems] == ["bodies.payload.inertia"]


def test_a_misspelt_kind_hides_nothing():
    """If it is like one kind only, the rest is judged as one of that; else nobody knows what it is."""
    chute = '\n[devices.chute]\nkind = "{}"\nbody = "payload"\ndrag_area = "-3 m^2"\nafterr = "start"\n'
    found = [p.place for p in refusal(GOOD + chute.format("parachut")).problems]
    assert found == ["devices.chute", *(f"devices.chute.{key}" for key in ("drag_area", "afterr"))]
    assert [p.place for p in refusal(GOOD + chute.format("brolly")).problems] == ["devices.chute"]
    # With the rest right, the kind alone is told.
    right = chute.format("parachut").replace("-3", "3").replace("afterr", "after")
    assert [p.place for p in refusal(GOOD + right).problems] == ["devices.chute"]


TAPERED = """
bodies.hub = { mass = 1, inertia = [1, 1, 1], initial = {} }
phases.free = { until = { time = 1 } }
forces.boom = { kind = "beam", parent = "hub", length = 1, elements = 3, section = ONE, end_section = ONE }
""".replace(
    "ONE",
    '{ kind = "stiffness", axial_stiffness = 1e4, shear_stiffness = [1e3, 1e3], torsional_stiffness = 2,'
    " bending_stiffness = [2, 1], mass = 1, rotary_inertia = [1e-3, 1e-3] }",
)
BY_KEYS = "these keys belong to 'stiffness'"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("end_section.kind", "rectangle", ("has no axial_stiffness, ", "and 3 more", BY_KEYS)),
        ("end_section.kind", "tubes", ("kind 'tubes' is not allowed", BY_KEYS)),
        ("end_section.kind", True, ("kind true is not allowed", BY_KEYS)),
        ("end_section.kind", "stiffnes", ("did you mean 'stiffness'",)),
        ("end_section", "1.5 Pa", ("must be a table", "stiffness, rectangle, tube")),
        ("kind", "beam_spring", ("has no elements", "belong to 'beam'")),
        ("kind", True, ("kind true is not allowed", "belong to 'beam'")),
        ("length", "1.5 Pa", ("is in Pa; allowed: m",)),
        ("elements", "1.5 Pa", ("whole number",)),
    ],
)
def test_one_mistake_is_one_problem(path, value, words):
    assert loads(TAPERED)
    with pytest.raises(ist.BadInput) as caught:
        loads(TAPERED, {f"forces.boom.{path}": value})
    (problem,) = caught.value.problems
    assert all(word in problem.message for word in words), problem
    assert problem.place == f"forces.boom.{path}".removesuffix(".kind")


@pytest.mark.parametrize(
    ("where", "given", "said"),
    [
        ("initial.latitude", "95 deg", "95 deg is out of range; allowed: -90 deg to 90 deg"),
        ("initial.latitude", "100000 arcmin", "100000 arcmin is 1667 deg; allowed: -90 deg to 90 deg"),
        ("initial.latitude", 1.7, "1.7 rad is 97.4 deg; allowed: -90 deg to 90 deg. Angles without a unit"),
        ("initial.latitude", 95, "95 rad is 5443 deg; allowed: -90 deg to 90 deg"),
        ("mass", "-5 lbm", "-5 lbm must not be negative"),
        ("mass", -5, "-5 kg must not be negative"),
    ],
)
def test_numbers_are_said_in_the_units_that_were_written(where, given, said):
    inside, _, key = where.rpartition(".")
    start = {"latitude": "9 deg", "longitude": 0} | ({key: given} if inside else {})
    body = {"name": "a", "mass": 1, "inertia": [1, 1, 1], "initial": start} | ({} if inside else {key: given})
    with pytest.raises(ist.BadInput) as caught:
        PYTHON.Body(**body)
    assert [p.message.startswith(said) for p in caught.value.problems if p.place == where] == [True]


HINGE = """
bodies.hub = { mass = 1, inertia = [1, 1, 1], initial = {} }
bodies.arm = { mass = 1, inertia = [1, 1, 1] }
joints.pin = { kind = "revolute", axis = "z", parent = "hub", child = "arm" }
forces.end = { kind = "hinge_stop", joint = "pin", axis = "z", stiffness = 1, lower = "5 deg", upper = 1 }
phases.free = { until = { time = 1 } }
requirements.slow = { quantity = "bodies.arm.speed", min = "1 ft/s", max = "2 ft/s" }
"""


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("forces.end.upper", "5 deg", "5 deg is equal to lower"),
        ("forces.end.upper", "10 mrad", "10 mrad is less than lower, 5 deg"),
        ("forces.end.upper", 0.01, "0.01 rad is less than lower, 5 deg"),
        ("forces.end.upper", 4, "4 rad is out of range"),
        ("requirements.slow.min", "3 ft/s", "3 ft/s is above max, 2 ft/s. Exchange the two values"),
    ],
)
def test_bounds_are_said_in_the_units_that_were_written(path, value, said):
    with pytest.raises(ist.BadInput) as caught:
        loads(HINGE, {path: value})
    assert [p.message.startswith(said) for p in caught.value.problems if p.place == path] == [True]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"bodies.hub.mass": "3 lb"}, ["--set bodies.hub.mass: unit 'lb'"]),
        ({"bodies.hub.mas": 3}, ["--set bodies.hub.mas: unknown key"]),
        ({"bodies.hub": {"mass": 3}}, ["--set bodies.hub: bodies.hub.inertia: this key is required"]),
        ({"bodies.hub.mass_centre[1]": "3 kg"}, ["--set bodies.hub.mass_centre[1]: '3 kg' is in kg"]),
        ({"forces.end.lower": "90 deg"}, ["--set forces.end.lower: forces.end.upper: 1 rad is less"]),
        (
            {"forces.end.lower": "90 deg", "solver.step": -1},
            ["--set forces.end.lower: ", "--set solver.step: "],
        ),
        ({"joints.pin.child": "arn"}, ["--set joints.pin.child: there is no body 'arn'"]),
        ({"bodies": 3}, ["--set bodies: the value must be a table of named tables"]),
    ],
)
def test_a_fault_of_a_value_that_is_set_is_told_as_such(values, said):
    with pytest.raises(ist.BadInput) as caught:
        loads(HINGE, values, source="a.toml")
    told = str(caught.value).splitlines()
    assert len(told) >= len(said)
    assert all(any(line.startswith(f"a.toml: {one}") for line in told) for one in said)
    assert not any("line " in line for line in told)


def test_a_fault_of_the_file_keeps_its_line():
    text = HINGE.replace("stiffness = 1", "stiffness = -1")
    with pytest.raises(ist.BadInput) as caught:
        loads(text, {"bodies.hub.mass": "3 lb"})
    assert [str(p).partition(":")[0] for p in caught.value.problems] == ["--set bodies.hub.mass", "line 5"]


def test_settings_are_refused_all_at_once():
    from interstage.cli.command_files import settings

    with pytest.raises(ist.BadInput) as caught:
        settings(["a", "b.c=3", "b.c = 4", "=5"])
    assert [p.place for p in caught.value.problems] == ["--set", "--set b.c", "--set"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("negative-mass", "release-twice"),
        ("unknown-unit", "event-after-itself"),
        ("requirement-turned-round", "ignite-a-motor-twice"),
        ("interval-zero", "shut-down-a-motor"),
        ("interval-zero", "drop-the-tank-first"),
        ("boolean-for-number", "azimuth-over-nobody"),
        ("rk4-without-step", "no-start"),
        ("site-nowhere", "rate-without-tanks"),
    ],
)
def test_a_fault_hides_none_that_has_nothing_to_do_with_it(one, other):
    first, second = (next(case for case in CASES if case.name == name) for name in (one, other))
    text = first.text()
    text = text.replace(second.old, second.new) if second.old else text + second.new
    assert {first.place, second.place} <= {p.place for p in refusal(text).problems}


def test_a_misspelt_key_hides_nothing():
    """What stands under it is judged as that of the key that is meant, at its own place and line."""
    text = HINGE.replace("bodies.", "bodis.").replace("bodis.arm.speed", "bodies.arm.sped")
    text = text.replace("upper = 1", 'uper = "4 deg"')
    text += 'solver = { formulaton = "penalty", tolerance = 1 }\n'
    told = [str(problem) for problem in refusal(text).problems]
    for said in (
        "line 2: bodis: unknown key; did you mean 'bodies'?",
        "line 5: forces.end.uper: unknown key; did you mean 'upper'?",
        "line 5: forces.end.uper: 4 deg is less than lower, 5 deg",
        "line 8: solver.tolerance: tolerance = 1 is out of range",
    ):
        assert any(line.startswith(said) for line in told), told
    assert not any("has no body" in line for line in told)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "stage.csv",
            b"t, x\n0, 1\n",
            "the file is not a scenario: its name ends in .csv, and the text is not valid TOML (Expected",
        ),
        ("stage.bin", bytes(range(256)), "the file is a binary file, not a scenario. A scenario is"),
        (
            "stage.nc",
            b"CDF\x01" + bytes(60),
            "the file is a NetCDF file in the classic format, which saved flights do not use",
        ),
        ("stage.toml", b"t, x\n", "the file is not valid TOML: Expected"),
        ("stage", b"t, x\n", "the file is not valid TOML: Expected"),
    ],
)
def test_files_of_other_kinds(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ist.BadInput) as caught:
        ist.load(path)
    (problem,) = caught.value.problems
    assert problem.message.startswith(said)
    other = name not in ("stage.toml", "stage")
    assert problem.message.endswith("A saved flight is a .nc file") == other


def test_files_are_meant_by_their_names_without_endings(tmp_path):
    for name in ("one.toml", "drop.toml"):
        (tmp_path / name).write_text("")
    with pytest.raises(ist.BadInput, match=r"no such file; did you mean 'drop\.toml'\?$"):
        ist.load(tmp_path / "drp.toml")
    with pytest.raises(
        ist.BadInput, match=r"no such file; scenario files in this folder: drop\.toml, one\.toml$"
    ):
        ist.load(tmp_path / "two.toml")


def test_one_is_told_in_the_singular():
    from interstage.tree.sentences import count_text

    told = [count_text(1, things) for things in ("bodies", "axes", "devices", "aerodynamics", "numbers")]
    assert told == ["1 body", "1 axis", "1 device", "1 aerodynamics", "1 number"]
    assert count_text(0, "entries") == "0 entries"
    assert "expected 3 numbers, got a list of one number" in str(
        refusal(GOOD.replace("[0, 0, 10] m", "[10] m"))
    )
