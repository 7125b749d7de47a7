"""Scenarios as files and in Python: reading, writing, what the declarations make of their input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from bad_input.cases import BODY, CASES, GOOD, PHASE
from interstage.checks.check import problems
from interstage.model.placement_order import placement_order
from interstage.reading import loads, plain, setting
from interstage.tree import addresses as tree

GOOD_FILE = Path(__file__).parents[1] / "bad_input" / "good.toml"
EPS = np.finfo(float).eps


@pytest.fixture(scope="module")
def good():
    return ist.load(GOOD_FILE)


# --- files


def test_file_and_python_are_the_same():
    by_file = loads(
        BODY
        + PHASE
        + '[joints.peg]\nkind = "revolute"\nparent = "ground"\nchild = "a"\nchild_at = "[1, 0, 0] ft"\n'
    )
    in_python = ist.Scenario(
        bodies=(ist.Body(name="a", mass=1, inertia=[1, 1, 1], initial=ist.State()),),
        joints=(ist.Joint(name="peg", kind="revolute", parent="ground", child="a", child_at="[1, 0, 0] ft"),),
        phases=(ist.Phase(name="coast", until=ist.Trigger(time=1)),),
    )
    assert by_file == in_python
    in_python.check()


def test_tables_by_name_and_lists_of_tables_are_the_same():
    listed = BODY.replace("[bodies.a]", '[[bodies]]\nname = "a"') + PHASE.replace(
        "[phases.coast]", '[[phases]]\nname = "coast"'
    )
    assert loads(listed) == loads(BODY + PHASE)


def test_order_in_the_file_is_kept(good):
    assert [p.name for p in good.phases] == ["joined", "apart", "catch"]
    assert [b.name for b in good.bodies] == ["stage", "payload", "arm"]


def test_written_and_read_back_is_equal_to_the_last_bit(good):
    text = good.to_toml()
    assert loads(text) == good
    assert loads(text).to_toml() == text


ROOT = Path(__file__).parents[2]
FLOWN = [
    pytest.param(file, id="/".join(file.parts[-2:]))
    for file in (*sorted(ROOT.glob("examples/*.toml")), *sorted(ROOT.glob("validation/*/*.toml")))
    if not file.stem.endswith("template") and not re.search("^scenario = ", file.read_text(), re.MULTILINE)
]
"""What can be flown of the files under examples/ and validation/: not studies, nor what others fill in."""


@pytest.mark.parametrize(
    "file",
    [
        *FLOWN[::4],
        *(
            pytest.param(*one.values, id=one.id, marks=pytest.mark.long)
            for k, one in enumerate(FLOWN)
            if k % 4
        ),
    ],
)
def test_every_scenario_is_written_and_read_back(file, tmp_path):
    """Defaults are written out too, and none of them may be refused. It lies elsewhere then, as with -o."""
    scenario = ist.load(file)
    (tmp_path / "written.toml").write_text(text := scenario.to_toml(), encoding="utf-8")
    again = ist.load(tmp_path / "written.toml")
    assert again == scenario
    assert again.to_toml() == text


def test_what_is_written_out_is_not_given_in_vain():
    """Settings without effect are noted where they have values of their own, not where defaults are."""
    plain = loads(BODY + PHASE)
    assert not loads(plain.to_toml()).solver.given_in_vain
    in_vain = loads(BODY + PHASE + "[solver]\neta = 3.0\nstep = 0.1\n").solver.given_in_vain
    assert [*in_vain] == ["step", "eta"]


def test_written_numbers_are_exact(good):
    rng = np.random.default_rng(7)
    for exponent in (-300, -5, 0, 17, 99):
        numbers = rng.standard_normal(3) * 10.0**exponent
        changed = tree.set(good, "bodies.stage.mass_centre", numbers)
        assert (loads(changed.to_toml()).bodies[0].mass_centre == numbers).all()


@pytest.mark.parametrize("title", ['"quoted"', "back\\slash", "line\nbreak\ttab", "ünïcode 火箭", "'", ""])
def test_any_text_survives_writing(good, title):
    assert loads(tree.set(good, "title", title).to_toml()).title == title


def test_control_characters_are_refused(good):
    with pytest.raises(ist.BadInput, match=r"title: has the control character U\+0000"):
        loads(tree.set(good, "title", "\x00\x1f\x7f").to_toml())


def test_quaternions_and_matrices_survive_writing():
    """Normalising must change nothing the second time, or a saved scenario would not be the one that was
    flown."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        q = rng.standard_normal(4)
        first: Any = ist.Attitude(quaternion=q / np.linalg.norm(q) * (1 + 1e-7 * rng.standard_normal()))
        assert ist.Attitude(quaternion=first.quaternion.tolist()) == first
        u, _, vh = np.linalg.svd(rng.standard_normal((3, 3)))
        rotation = u @ np.diag([1, 1, np.linalg.det(u @ vh)]) @ vh
        second: Any = ist.Attitude(matrix=rotation + 1e-8 * rng.standard_normal((3, 3)))
        assert ist.Attitude(matrix=second.matrix.tolist()) == second


def test_settings_reach_everything():
    changed = ist.load(
        GOOD_FILE,
        set={
            "bodies.payload.mass": "900 kg",
            "phases.catch.until.elapsed": 5,
            "solver.tolerance": 1e-6,
            "output.interval": "1 s",
            "title": "Other",
            "phases.apart.release": [],
        },
    )
    assert changed.bodies[1].mass == 900
    assert changed.phases[2].until.elapsed == 5
    assert (changed.solver.tolerance, changed.output.interval, changed.title) == (1e-6, 1, "Other")
    assert changed.phases[1].release == ()


def test_settings_make_tables_that_are_not_there():
    assert loads(BODY + PHASE, {"solver.tolerance": 1e-6}).solver.tolerance == 1e-6


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.b=3", 3),
        ("a.b = 900 kg", "900 kg"),
        ('a.b="900 kg"', "900 kg"),
        ("a.b=[1, 2]", [1, 2]),
        ("a.b=[1, 2] m", "[1, 2] m"),
        ("a.b=true", True),
        ("a.b={ time = 3 }", {"time": 3}),
        ("a.b=x=y", "x=y"),
    ],
)
def test_settings_on_the_command_line(text, value):
    path, given = setting(text)
    assert (path, plain(given)) == ("a.b", value)


def test_texts_are_set_in_python_as_on_the_command_line():
    """One that reads like a number, in quotes of its own, stays a text."""
    by_text = {"solver.tolerance": "1e-6", "bodies.a.mass_centre": "[0, 0, 1]", "title": '"12"'}
    found = loads(BODY + PHASE, by_text)
    assert (found.solver.tolerance, found.title) == (1e-6, "12")
    np.testing.assert_array_equal(found.bodies[0].mass_centre, [0, 0, 1])
    assert loads(BODY + PHASE, dict(setting(f"{path}={value}") for path, value in by_text.items())) == found


def test_flights_are_found_from_the_files_folder(tmp_path):
    (tmp_path / "before.nc").write_bytes(b"")
    start = 'initial = { flight = "before.nc", event = "apart" }'
    (tmp_path / "after.toml").write_text(BODY.replace("initial = {}", start) + PHASE)
    initial: Any = ist.load(tmp_path / "after.toml").bodies[0].initial
    assert initial.flight == str(tmp_path / "before.nc")
    absolute = start.replace("before.nc", str(tmp_path / "before.nc"))
    assert loads(BODY.replace("initial = {}", absolute) + PHASE, folder=Path("elsewhere"))


def test_files_are_found_from_the_scenarios_folder(tmp_path, monkeypatch):
    """A motor's file and a gravity field, named as from the scenario's folder, flown from elsewhere; a joint
    that is named 'file' is no file."""
    trace = "; made up\nM1 38 120 P 0.05 0.11 nobody\n0.1 40\n0.9 30\n1.2 0\n"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "motor.eng").write_text(trace)
    field = "radius 6.4e6\nearth_gravity_constant 4e14\nmax_degree 0\nend_of_head\ngfc 0 0 1.0 0.0 0 0\n"
    (tmp_path / "field.gfc").write_text(field)
    motor = (
        '[engines.m]\nkind = "motor"\nbody = "a"\nat = [0, 0, 0]\nmassless = true\nfile = "data/motor.eng"\n'
    )
    gravity = '[gravity]\nkind = "spherical_harmonics"\ncoefficients = "field.gfc"\ndegree = 0\n'
    (tmp_path / "scenario.toml").write_text(BODY + motor + gravity + PHASE)
    monkeypatch.chdir("/")
    scenario: Any = ist.load(tmp_path / "scenario.toml")
    np.testing.assert_array_equal(scenario.engines[0].thrust.value, [0.0, 40, 30, 0])
    assert scenario.gravity.coefficients == str(tmp_path / "field.gfc")
    named = '[joints.file]\nkind = "fixed"\nparent = "ground"\nchild = "a"\nactive = false\n'
    replace = PHASE + '[phases.later]\nuntil = { elapsed = 1 }\nreplace = { file = "spherical" }\n'
    with pytest.raises(ist.BadInput, match="is not active at this time"):  # and nothing else
        loads(BODY + named + replace, folder=tmp_path)


def test_byte_order_mark_and_windows_lines(tmp_path):
    path = tmp_path / "scenario.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert ist.load(path) == ist.load(GOOD_FILE)


def after_loading(folder, asked):
    """What an expression is, as text, in a process that has loaded a scenario of one body."""
    path = folder / "scenario.toml"
    path.write_text(BODY + PHASE)
    code = f"import sys, interstage; interstage.load({str(path)!r}); print({asked})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_check_reads_no_engine_for_a_scenario_without_quantities(tmp_path):
    assert after_loading(tmp_path, "{'jax', 'pint', 'xarray'} & {*sys.modules}") == "set()"


def test_only_whole_scenarios_are_built_to_be_read(tmp_path):
    """Of a declaration within the scenario nothing is built on its own: that took a tenth of a second run."""
    built = "interstage.Body.__pydantic_complete__, interstage.Scenario.__pydantic_complete__"
    assert after_loading(tmp_path, built) == "False True"


def test_class_of_the_user_is_not_imported_by_checking(good):
    assert good.forces[4].class_path == "mypackage.aero:Drag"
    good.check()
    assert "mypackage" not in sys.modules


# --- bodies


def test_moments_make_a_tensor():
    body = ist.Body(name="a", mass=1, inertia="[1, 2, 2.5] kg m^2")
    assert body.inertia.shape == (3, 3)
    assert (body.inertia == np.diag([1, 2, 2.5])).all()


def test_sign_of_products():
    matrix = [[4, 0.5, 0.1], [0.5, 4, -0.2], [0.1, -0.2, 4]]
    tensor = ist.Body(name="a", mass=1, inertia=matrix, products="tensor")
    integrals = ist.Body(name="a", mass=1, inertia=matrix, products="integrals")
    off = ~np.eye(3, dtype=bool)
    assert (tensor.inertia == matrix).all()
    assert (integrals.inertia[off] == -tensor.inertia[off]).all()
    assert (np.diag(integrals.inertia) == 4).all()
    assert integrals.products == "tensor"  # it is one now, and must not be turned again
    assert ist.Body(**{n: getattr(integrals, n) for n in ist.Body.model_fields}) == integrals


def test_diagonal_matrix_needs_no_sign():
    assert ist.Body(name="a", mass=1, inertia=np.diag([1.0, 1, 1])).products is None


@pytest.mark.parametrize(
    ("moments", "legal"),
    [
        ([1, 1, 2], True),  # a lamina: equality
        ([0, 1, 1], True),  # a thin rod
        ([0, 0, 0], True),  # a point
        ([1, 1, 2 + 1e-12], True),  # rounding
        ([1, 1, 2.001], False),
        ([-1e-3, 1, 1], False),
    ],
)
def test_triangle_inequality(moments, legal):
    rng = np.random.default_rng(5)
    q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    for inertia, products in [(moments, None), (q @ np.diag(moments) @ q.T, "tensor")]:
        if legal:
            ist.Body(name="a", mass=1, inertia=inertia, products=products)
        else:
            with pytest.raises(ist.BadInput, match="moment"):
                ist.Body(name="a", mass=1, inertia=inertia, products=products)
        assert ist.Body(name="a", mass=1, inertia=inertia, products=products, allow_unphysical_inertia=True)


def test_inertia_about_another_point_is_judged_about_the_mass_centre():
    """A thin rod of mass 3 and length 2 about its end: 4 about two axes (m L^2 / 3), 0 about the third."""
    rod = {"name": "rod", "mass": 3, "inertia": [4, 4, 0], "mass_centre": [0, 0, 1]}
    assert ist.Body(**rod, inertia_about=[0, 0, 0]).inertia[0, 0] == 4  # kept as given
    with pytest.raises(ist.BadInput, match="negative"):
        ist.Body(**rod, inertia_about=[0, 0, -1.1])


@pytest.mark.parametrize(
    ("kind", "at", "wrong"), [("spherical", 1.0, 0), ("spherical", 1.1, 1), ("fixed", 1.0, 1)]
)
def test_no_joint_turns_a_rod_about_its_axis(kind, at, wrong):
    """It would hold the other body's turn as if the rod had an infinite moment there."""
    rod = ist.Body(
        name="rod", mass=1.0, inertia=[0.0, 0.3, 0.3], mass_centre=[0, 1.0, 0], initial=ist.State()
    )
    other = ist.Body(name="a", mass=2.0, inertia=[1, 1.2, 1.5])
    phases = (ist.Phase(name="coast", until=ist.Trigger(time=1.0)),)
    joint = ist.Joint(name="j", kind=kind, parent="a", child="rod", child_at=[-1.0, at, 0])
    found = problems(ist.Scenario(bodies=(other, rod), joints=(joint,), phases=phases))
    assert sum("zero moment of inertia" in p.message for p in found) == wrong


def test_lanes_and_tracers_pass_the_checks():
    import jax
    import jax.numpy as jnp

    masses = np.linspace(1, 2, 5)
    body = ist.Body(name="a", mass=masses, inertia=np.broadcast_to(np.eye(3)[..., None], (3, 3, 5)))
    assert body.inertia.shape == (3, 3, 5)
    wrong = np.stack([np.eye(3), np.diag([1.0, 1, 3])], axis=-1)
    with pytest.raises(ist.BadInput, match="sum of the other two"):
        ist.Body(name="a", mass=1, inertia=wrong)

    def energy(mass, moments):
        made = ist.Body(name="a", mass=mass, inertia=jnp.diag(moments), mass_centre=jnp.zeros(3))
        return (
            made.mass * made.inertia[2, 2]
            + ist.TorsionSpring(
                name="s", parent="a", child="b", stiffness=moments, sequence="1-2-3"
            ).stiffness[0]
        )

    gradient = jax.grad(energy)(2.0, jnp.array([1.0, 2.0, 9.0]))  # unphysical: a tracer has no value to judge
    assert gradient == 9
    assert (
        jax.jit(lambda m: ist.Body(name="a", mass=1, inertia=m).inertia[1, 1])(jnp.array([1.0, 2.0, 2.0]))
        == 2
    )


# --- the other declarations


def test_matrix_given_the_other_way_round():
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    given = ist.Attitude(matrix=turn.T, inertial_to_body=True)
    assert given == ist.Attitude(matrix=turn)


def test_nearly_unit_quaternion_is_made_unit():
    q: Any = ist.Attitude(quaternion=[0.7071068, 0.7071068, 0, 0]).quaternion
    assert np.linalg.norm(q) == pytest.approx(1, abs=2 * EPS)


def test_nearly_orthogonal_matrix_is_made_orthogonal():
    m: Any = ist.Attitude(matrix=[[0.8660254, -0.5, 0], [0.5, 0.8660254, 0], [0, 0, 1]]).matrix
    assert np.abs(m.T @ m - np.eye(3)).max() < 4 * EPS


@pytest.mark.parametrize(
    ("kind", "axis", "expected"),
    [("revolute", None, "z"), ("cylindrical", "x", "x"), ("translational", None, "z"), ("planar", None, "y")],
)
def test_what_no_axis_means(kind, axis, expected):
    assert ist.Joint(name="j", kind=kind, parent="a", child="b", axis=axis).free_axis == expected


def test_one_locked_rotation_has_a_pair():
    def pair(**options):
        return ist.Joint(name="j", kind="generalized", parent="a", child="b", **options).pair

    assert pair(locked=("rx",)) == ("y", "z")
    assert pair(locked=("tx", "ry")) == ("z", "x")
    assert pair(locked=("rz",)) == ("x", "y")
    assert pair(locked=("rx",), rotation_pair="az.by") == ("z", "y")


def test_torsion_spring_fills_in_zeros():
    spring = ist.TorsionSpring(name="s", parent="a", child="b", sequence="3-1", stiffness=[1, 2])
    assert spring.damping.shape == spring.free_angles.shape == (2,)
    single = ist.TorsionSpring(name="s", parent="a", child="b", stiffness="3 N m/deg")
    assert single.stiffness.shape == single.damping.shape == (1,)


def test_replacements_in_short_and_in_full():
    short = GOOD.replace('fire = ["cutter"]', 'replace = { hinge = "spherical" }')
    full = GOOD.replace('fire = ["cutter"]', 'replace = { hinge = { kind = "spherical" } }')
    listed = GOOD.replace('fire = ["cutter"]', 'replace = [{ joint = "hinge", kind = "spherical" }]')
    assert loads(short) == loads(full) == loads(listed)
    assert tree.get(loads(short), "phases.catch.replace.hinge.kind") == "spherical"


def test_sampling_is_by_interval_unless_times_are_given():
    assert ist.Output().interval == 0.1
    assert ist.Output(times=[0, 1]).interval is None


def test_one_element_of_an_array_is_set():
    """In what is given, in a default, in members of patterns and in the whole; all before anything is
    checked."""
    spring = """
[devices.spring]
kind = "kickoff_spring"
count = 2
circle = { axis = "z" }
parent = "a"
child = "b"
parent_at = [0.3, 0, 0]
child_at = [0.3, 0, 0]
axis = [0, 0, 1]
preload = 10
stiffness = 100
stroke = 0.05
"""
    text = BODY + PHASE + BODY.replace("bodies.a", "bodies.b") + spring
    changes = {
        "bodies.a.mass_centre.z": "2 mm",
        "bodies.a.initial.velocity[0]": "3 km/s",
        "devices.spring.axis.z": 0,
        "devices.spring.axis.x": 1,
        "devices.spring_2.child_at.z": "1 cm",
        "devices.spring.parent_at": "[0.2, 0, 0] m",
    }
    changed = loads(text, changes)
    assert changed.bodies[0].mass_centre.tolist() == [0, 0, 0.002]
    start: Any = changed.bodies[0].initial
    assert start.velocity.tolist() == [3000, 0, 0]
    assert [d.axis.tolist() for d in changed.devices] == [[1, 0, 0], [-1, 0, 0]]
    assert [d.child_at.tolist() for d in changed.devices] == [[0.3, 0, 0], [-0.3, 0, 0.01]]
    assert [d.parent_at.tolist() for d in changed.devices] == [[0.2, 0, 0], [-0.2, 0, 0]]


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("bodies.a.mass_centre.z", "3 kg", "--set bodies.a.mass_centre.z: '3 kg' is in kg; allowed: m"),
        ("bodies.a.mass_centre[3]", 1, "--set .*has no element .3.*a list of 3 numbers"),
        ("bodies.a.mass_centre.w", 1, "bodies.a.mass_centre: the value has no component 'w'"),
        ("bodies.c.mass_centre.z", 1, "there is no 'c' in bodies"),
        ("bodies.a.mass.x", 1, "'bodies.a.mass' is not a table"),
    ],
)
def test_no_other_element_is_set(path, value, says):
    with pytest.raises(ist.BadInput, match=says):
        loads(BODY + PHASE, {path: value})


def test_parameters_are_reached_by_name(good):
    parameters = good.forces[4].parameters
    assert list(parameters.keys()) == ["area", "table", "model", "on"]
    assert (parameters["area"], parameters["model"], parameters["on"]) == (2.5, "flat", True)
    with pytest.raises(ist.BadInput, match="did you mean 'area'"):
        _ = parameters["aria"]


# --- placement


def body(name, initial=None):
    return ist.Body(name=name, mass=1, inertia=[1, 1, 1], initial=initial)


def joint(name, parent, child, **options):
    return ist.Joint(**{"name": name, "kind": "spherical", "parent": parent, "child": child, **options})


def test_placement_goes_from_body_to_body():
    bodies = (body("c"), body("b"), body("a", ist.State()))
    order, lost = placement_order(bodies, (joint("bc", "b", "c"), joint("ab", "b", "a")))
    assert [tuple(p) for p in order] == [("b", "ab", "a"), ("c", "bc", "b")]
    assert lost == ()


def test_placement_takes_the_first_joint_listed_that_can_place():
    bodies = (body("a", ist.State()), body("b"))
    joints = (
        joint("rod", "a", "b", kind="rod"),
        joint("waiting", "a", "b", active=False),
        joint("first", "ground", "b"),
        joint("second", "a", "b"),
    )
    assert [tuple(p) for p in placement_order(bodies, joints)[0]] == [("b", "first", "ground")]
    assert placement_order(bodies, joints[:2]) == ((), ("b",))


def test_placement_through_a_named_joint_waits_for_it():
    bodies = (body("a", ist.State()), body("b", ist.ThroughJoint(through="bc")), body("c"))
    joints = (joint("ab", "a", "b"), joint("bc", "b", "c"), joint("ac", "a", "c"))
    assert [tuple(p) for p in placement_order(bodies, joints)[0]] == [("c", "ac", "a"), ("b", "bc", "c")]


# --- legal things that a check could be tempted to refuse


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('at = "apart"', 'at = "apart"\n[events.again]\nattach = ["clamp"]\nwhen = { time = 20 }'),
        ('release = ["clamp"]', 'replace = { clamp = "revolute" }'),
        ('until = { elapsed = "1 min" }', 'until = { all = [{ time = "5 s" }, { elapsed = 3 }] }'),
        ('after = "joined"', 'after = "start_up"\n[events.start_up]\nwhen = { time = 0 }'),
        ('reaches = "20 ft"', "reaches = 0"),
        ('max = "0.5 deg/s"', "max = 0.01\nmin = -1"),
        ('at = "apart"', 'at = "end"'),
        ('at = "apart"', 'during = "catch"'),
    ],
)
def test_legal(old, new):
    assert GOOD.count(old) == 1
    loads(GOOD.replace(old, new))


# --- schema


@pytest.fixture(scope="module")
def schema():
    from interstage.cli.schema import schema

    return schema()


def fits(value, rule, root):
    """Whether a value fits a JSON Schema: the part of draft 2020-12 that ours uses."""
    if isinstance(rule, bool):
        return rule
    if "$ref" in rule and not fits(value, root["$defs"][rule["$ref"].rpartition("/")[2]], root):
        return False
    if "anyOf" in rule and not any(fits(value, r, root) for r in rule["anyOf"]):
        return False
    if "oneOf" in rule and sum(fits(value, r, root) for r in rule["oneOf"]) != 1:
        return False
    if "const" in rule and value != rule["const"]:
        return False
    if "enum" in rule and value not in rule["enum"]:
        return False
    types = {"number": (int, float), "string": str, "array": list, "object": dict, "boolean": bool}
    names = rule.get("type", list(types))
    allowed = [types[n] for n in ([names] if isinstance(names, str) else names)]
    if not any(isinstance(value, t) and (t is bool or not isinstance(value, bool)) for t in allowed):
        return False
    if isinstance(value, list):
        sizes = rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value))
        return sizes and all(fits(item, rule.get("items", {}), root) for item in value)
    if isinstance(value, dict):
        known, others = rule.get("properties", {}), rule.get("additionalProperties", {})
        if not {*rule.get("required", ())} <= value.keys():
            return False
        for key, item in value.items():
            if key not in known and others is False:
                return False
            if not fits(item, known.get(key, others or {}), root):
                return False
    return True


def test_schema_fits_good_scenarios(schema, good):
    assert fits(tomllib.loads(GOOD), schema, schema)
    assert fits(tomllib.loads(good.to_toml()), schema, schema)
    json.dumps(schema)


@pytest.mark.parametrize(
    "name",
    [
        "unknown-key",
        "unknown-table",
        "ragged-list",
        "boolean-for-number",
        "no-mass",
        "axis-letter",
        "unknown-kind-of-force",
        "no-kind",
        "locked-is-a-text",
        "unknown-method",
        "title-is-a-number",
        "trigger-is-a-text",
        "phase-without-end",
        "unknown-gravity",
    ],
)
def test_schema_marks_mistakes(schema, name):
    (case,) = [c for c in CASES if c.name == name]
    assert not fits(tomllib.loads(case.text()), schema, schema)


def test_schema_explains_every_key_with_its_unit(schema):
    for name, definition in {**schema["$defs"], "Scenario": schema}.items():
        assert definition["description"], name
        for key, rule in definition.get("properties", {}).items():
            if name == "Value":
                continue
            assert len(rule["description"]) > 5, f"{name}.{key}"
            if rule.get("unit", "1") != "1":
                assert f"[{rule['unit']}]" in rule["description"], f"{name}.{key}"


def test_schema_has_defaults_and_no_null(schema):
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["$defs"]["Solver"]["properties"]["tolerance"]["default"] == 1e-9
    assert schema["properties"]["gravity"]["default"] == {"kind": "none"}
    text = json.dumps(schema)
    assert '"null"' not in text
    assert ": null" not in text


def test_a_kind_by_itself_stands_for_a_table_of_it(schema):
    """Where all its other keys have defaults; else what is missing is told."""
    text = """
    TITLE
    [bodies.stone]
    mass = 1
    inertia = [1, 1, 1]
    initial = {}
    [phases.fall]
    until = { time = 1 }
    """
    alone = 'gravity = "zonal"\nplanet = "earth"\natmosphere = "us76"\nwind = "none"'
    whole = '[gravity]\nkind = "zonal"\n[planet]\nkind = "earth"\n[atmosphere]\nkind = "us76"'
    assert loads(text.replace("TITLE", alone)) == loads(text.replace("TITLE", whole))
    for written, says in (
        ("uniform", "gravity.acceleration: this key is required"),
        ("zonl", "did you mean 'zonal'"),
    ):
        with pytest.raises(ist.BadInput, match=says):
            loads(text.replace("TITLE", f'gravity = "{written}"'))
    choices = schema["properties"]["gravity"]["anyOf"]
    assert choices[0] == {"enum": ["none", "inverse_square", "zonal", "spherical_harmonics"]}
