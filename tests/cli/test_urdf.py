"""`interstage new --from FILE.urdf`: mechanisms move as in MuJoCo, and as closed forms."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from interstage.cli import main as cli
from interstage.cli.urdf_text import UrdfScenario
from interstage.exchange.urdf import read
from interstage.reading import loads
from interstage.tree.errors import BadInput

GRAVITY = 9.80665
SPHERE = '<inertia ixx="{0}" ixy="0" ixz="0" iyy="{0}" iyz="0" izz="{0}"/>'


def written(tmp_path: Path, text: str) -> UrdfScenario:
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="test">{text}</robot>', encoding="utf-8")
    return UrdfScenario(read(path), path, tmp_path)


def scenario_of(tmp_path: Path, text: str, end: float = 1.0) -> Any:
    made = written(tmp_path, text).text.replace('elapsed = "1 s"', f'elapsed = "{end} s"')
    return loads(made, folder=tmp_path)


def link(name: str, mass: float, centre: Any = (0, 0, 0), inertia: float = 0.01, more: str = "") -> str:
    place = " ".join(map(repr, map(float, centre)))
    own = f'<inertial><origin xyz="{place}"/><mass value="{mass}"/>{SPHERE.format(inertia)}</inertial>'
    return f'<link name="{name}">{own}{more}</link>'


def joint(name: str, kind: str, parent: str, child: str, xyz: str = "0 0 0", more: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{more}</joint>'


# --- closed forms


def test_a_double_pendulum_moves_as_its_equations(tmp_path):
    """Lagrange's equations of two point-like bodies, with moments of inertia J about their centres."""
    a, b, la, lb, m, j = 0.4, 0.3, 0.7, 0.5, (2.0, 1.3), (0.02, 0.015)
    text = (
        '<link name="base"/>'
        + link("upper", m[0], (a, 0, 0), j[0])
        + link("lower", m[1], (b, 0, 0), j[1])
        + joint("one", "continuous", "base", "upper", "0 0 2", '<axis xyz="0 1 0"/>')
        + joint("two", "continuous", "upper", "lower", f"{la} 0 0", '<axis xyz="0 1 0"/>')
    )
    assert lb > b
    flight = scenario_of(tmp_path, text, 0.8).run()

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        """Angles p, q of the links below the horizontal."""
        p, q, dp, dq = y
        c, s = np.cos(p - q), np.sin(p - q)
        mass = np.array(
            [
                [j[0] + m[0] * a * a + m[1] * la * la, m[1] * la * b * c],
                [m[1] * la * b * c, j[1] + m[1] * b * b],
            ]
        )
        force = [
            -m[1] * la * b * s * dq**2 + (m[0] * a + m[1] * la) * GRAVITY * np.cos(p),
            m[1] * la * b * s * dp**2 + m[1] * b * GRAVITY * np.cos(q),
        ]
        return np.concatenate([[dp, dq], np.linalg.solve(mass, force)])

    known = solve_ivp(rates, (0, 0.8), np.zeros(4), rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]
    end = flight.state_at("end")
    place = np.array([np.cos(known[0]), 0, -np.sin(known[0])])
    np.testing.assert_allclose(end["upper"]["position"], [0, 0, 2] + a * place, rtol=0, atol=1e-7)
    elbow = [0, 0, 2] + la * place
    place = elbow + b * np.array([np.cos(known[1]), 0, -np.sin(known[1])])
    # The flight has a tolerance of 1e-9 in each step, of which there are hundreds.
    np.testing.assert_allclose(end["lower"]["position"], place, rtol=0, atol=1e-7)


def test_limits_are_stops_on_the_same_side(tmp_path):
    """A link that falls about +y has a positive angle; it rests on the upper limit only."""
    limit = '<axis xyz="0 1 0"/><limit lower="-0.1" upper="0.5" effort="1000"/><dynamics damping="2"/>'
    text = (
        '<link name="base"/>'
        + link("arm", 1, (0.5, 0, 0))
        + joint("hinge", "revolute", "base", "arm", more=limit)
    )
    flight = scenario_of(tmp_path, text, 4.0).run()
    height = flight.state_at("end")["arm"]["position"][2]
    stiffness = 1000 / np.radians(1.0)
    sag = GRAVITY * 0.5 * np.cos(0.5) / stiffness
    # Damped oscillation: exp(-c t / 2 J) of the swing is below 1e-3 after the first second.
    assert -np.arcsin(height / 0.5) == pytest.approx(0.5 + sag, abs=1e-4)
    slide = '<axis xyz="0 0 -1"/><limit lower="-9" upper="0.2" effort="0"/><dynamics damping="60"/>'
    text = '<link name="base"/>' + link("mass", 1) + joint("guide", "prismatic", "base", "mass", more=slide)
    flight = scenario_of(tmp_path, text, 4.0).run()
    # Terminal speed m g / c = 0.16 m/s reaches the stop of 1e4 N/m after 1.2 s.
    height = flight.state_at("end")["mass"]["position"][2]
    assert height == pytest.approx(-0.2 - GRAVITY / 1e4, abs=1e-6)
    half = scenario_of(tmp_path, text, 1.0).run().state_at("end")["mass"]["position"][2]
    rate = 60.0
    fallen = GRAVITY / rate * (1.0 - (1 - np.exp(-rate)) / rate)
    assert half == pytest.approx(-fallen, abs=1e-8)


def test_floating_and_free_links_fall(tmp_path):
    text = (
        link("base", 3)
        + link("free", 1, (0.1, 0, 0))
        + '<joint name="f" type="floating"><parent link="base"/><child link="free"/>'
        + '<origin xyz="1 2 3" rpy="0.3 -0.2 0.5"/></joint>'
    )
    scenario = scenario_of(tmp_path, text, 0.5)
    assert scenario.joints == ()
    end = scenario.run().state_at("end")
    fall = 0.5 * GRAVITY * 0.5**2
    turn = Rotation.from_euler("xyz", [0.3, -0.2, 0.5])  # fixed axes
    np.testing.assert_allclose(end["base"]["position"], [0, 0, -fall], atol=1e-12)
    place = np.array([1, 2, 3 - fall]) + turn.apply([0.1, 0, 0])
    np.testing.assert_allclose(end["free"]["position"], place, atol=1e-12)


# --- MuJoCo


def drawn(seed: int, count: int = 5) -> str:
    """A random tree of links on a fixed base, with joints of all kinds that MuJoCo has too."""
    random = np.random.default_rng(seed)

    def numbers(scale: float, size: int = 3) -> str:
        return " ".join(f"{x!r}" for x in map(float, random.uniform(-scale, scale, size)))

    text = '<mujoco><compiler fusestatic="false"/></mujoco><link name="base"/>'
    for k in range(count):
        edges = random.uniform(0.1, 0.5, 3)
        mass = float(random.uniform(0.5, 3))
        xx, yy, zz = (float(mass / 12 * (edges @ edges - edges[i] ** 2)) for i in range(3))
        own = f'<inertia ixx="{xx!r}" ixy="0" ixz="0" iyy="{yy!r}" iyz="0" izz="{zz!r}"/>'
        place = f'<origin xyz="{numbers(0.3)}" rpy="{numbers(3)}"/>'
        text += f'<link name="l{k}"><inertial>{place}<mass value="{mass!r}"/>{own}</inertial></link>'
        kinds = ("continuous", "revolute", "prismatic", "fixed")
        kind = kinds[int(random.choice(4, p=[0.4, 0.2, 0.2, 0.2]))] if k else "continuous"
        parent = f"l{random.integers(k)}" if k else "base"
        more = f'<axis xyz="{numbers(1)}"/>' + (
            f'<dynamics damping="{random.uniform(0, 0.3)}"/>' if kind != "fixed" else ""
        )
        if kind in ("revolute", "prismatic"):
            more += '<limit lower="-3" upper="3" effort="10" velocity="9"/>'
        text += f'<joint name="j{k}" type="{kind}"><parent link="{parent}"/><child link="l{k}"/>'
        text += f'<origin xyz="{numbers(0.5)}" rpy="{numbers(3)}"/>{more}</joint>'
    return text


@pytest.mark.parametrize("seed", range(4))
def test_random_trees_move_as_in_mujoco(tmp_path, seed):
    mujoco = pytest.importorskip("mujoco")
    text, end = drawn(seed), 0.4
    model = mujoco.MjModel.from_xml_string(f'<robot name="test">{text}</robot>')
    model.opt.timestep, model.opt.integrator = 2e-4, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.gravity[:] = [0, 0, -GRAVITY]
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data = mujoco.MjData(model)
    for _ in range(round(end / model.opt.timestep)):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    state = scenario_of(tmp_path, text, end).run().state_at("end")
    assert len(state) == model.nbody - 2 == 5  # without the world and the base
    for name, own in state.items():
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        # Both have local errors below 1e-9, over up to 2000 steps with rates of up to 30 rad/s.
        np.testing.assert_allclose(own["position"], data.xipos[number], rtol=0, atol=1e-6)
        theirs = Rotation.from_quat(data.xquat[number][[1, 2, 3, 0]])
        ours = Rotation.from_quat(np.asarray(own["attitude"])[[1, 2, 3, 0]])
        assert (ours.inv() * theirs).magnitude() < 1e-6
    moved = max(np.linalg.norm(data.xipos[k] - np.zeros(3)) for k in range(1, model.nbody))
    assert moved > 0.05  # the control: the mechanism is not at rest


# --- shapes, names and contents that are not used


def test_shapes_names_and_omitted_contents(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    (tmp_path / "meshes").mkdir()
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "meshes" / "hull.stl")
    shapes = "".join(
        f"<collision>{origin}<geometry>{one}</geometry></collision>"
        for origin, one in (
            ('<origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/>', '<cylinder radius="0.1" length="2"/>'),
            ("", '<box size="1 2 3"/>'),
            ("", '<mesh filename="package://robot/meshes/hull.stl" scale="0.5 0.5 0.5"/>'),
            ("", '<mesh filename="part.dae"/>'),
            ("", '<mesh filename="lost.stl"/>'),
            ("", '<mesh filename="meshes/hull.stl" scale="1 1 2"/>'),
        )
    )
    text = (
        link(
            "2nd link",
            1,
            more=shapes + "<visual><geometry><sphere radius='9'/></geometry></visual><self_collide/>",
        )
        + '<link name="tool"><visual><origin xyz="0 0 0.5"/>'
        + '<geometry><sphere radius="0.2"/></geometry></visual></link>'
        + joint("hand", "fixed", "2nd link", "tool", "0 1 0", '<mimic joint="x"/>')
        + "<gazebo/><material name='red'/>"
    )
    made = written(tmp_path, text)
    scenario = loads(made.text, folder=tmp_path)
    (body,) = scenario.bodies
    assert body.name == "link_2nd_link"
    kinds: dict[str, Any] = {shape.name: shape for shape in body.shapes}
    assert [*kinds] == ["cylinder_1", "box_2", "mesh_3", "sphere_4"]
    # Rotated by 90 deg about x: z of the cylinder is -y of the link.
    np.testing.assert_allclose(kinds["cylinder_1"].axis, [0, -1, 0], atol=1e-12)
    np.testing.assert_allclose(kinds["cylinder_1"].at, [0, 1, 1], atol=1e-12)
    np.testing.assert_allclose(kinds["sphere_4"].at, [0, 1, 0.5])
    assert float(kinds["mesh_3"].unit) == 0.5
    assert Path(kinds["mesh_3"].file).is_file()
    for words in (
        "<self_collide> of link 2nd link",
        "<mimic> of joint hand",
        "<gazebo>",
        "mesh part.dae of link 2nd link. Convert it to one of .stl, .obj, .glb, .gltf",
        "mesh lost.stl of link 2nd link, because there is no such file next to robot.urdf",
        "mesh meshes/hull.stl of link 2nd link, whose three scale factors differ",
        "mesh package://robot/meshes/hull.stl of link 2nd link: cavities. The shape is its convex hull",
        "the name '2nd link' of a link, which is 'link_2nd_link' here",
        "the fixture of the root link 2nd link, which is free here. To fix it, add a fixed joint with"
        ' parent = "ground"',
    ):
        assert [one for one in made.omitted if one.endswith(words)], (words, made.omitted)
    assert not [one for one in made.omitted if "material" in one]
    assert all(f"# - {one}" in made.text for one in made.omitted)


def test_rotations_of_links_without_mass_are_combined(tmp_path):
    """z of the cylinder is -y of the tool after 90 deg about x, and x of the link after 90 deg about z."""
    quarter = "1.5707963267948966"
    drawn = '<geometry><cylinder radius="0.1" length="2"/></geometry>'
    text = (
        link("a", 1)
        + f'<link name="tool"><visual><origin rpy="{quarter} 0 0"/>{drawn}</visual></link>'
        + '<joint name="j" type="fixed"><parent link="a"/><child link="tool"/>'
        + f'<origin xyz="0 0 1" rpy="0 0 {quarter}"/></joint>'
    )
    (shape,) = scenario_of(tmp_path, text).bodies[0].shapes
    np.testing.assert_allclose(shape.axis, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(shape.at, [-1, 0, 1], atol=1e-12)


def test_an_inertia_that_is_not_physical_is_kept(tmp_path):
    tensor = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/>'
    text = f'<link name="a"><inertial><mass value="1"/>{tensor}</inertial></link>'
    assert scenario_of(tmp_path, text).bodies[0].allow_unphysical_inertia


def test_equal_names_after_changes_stay_distinct(tmp_path):
    text = link("a b", 1) + link("a/b", 1) + joint("j k", "fixed", "a b", "a/b")
    scenario = scenario_of(tmp_path, text)
    assert [body.name for body in scenario.bodies] == ["a_b", "a_b_2"]
    assert scenario.joints[0].child == "a_b_2"


# --- the command and bad input


def run_command(*words: object) -> int:
    before, sys.argv = sys.argv, ["interstage", *map(str, words)]
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.argv = before
    return 0


def test_the_command_writes_a_scenario_and_lists_the_rest(tmp_path, capsys):
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{link("a", 1)}<gazebo/></robot>')
    assert run_command("new", "--from", path, "-o", tmp_path / "robot.toml") == 0
    out, err = capsys.readouterr()
    assert out == f"Wrote {tmp_path}/robot.toml. Fly it with: interstage run {tmp_path}/robot.toml\n"
    assert "Not used: line 1: <gazebo>.\n" in err
    assert run_command("check", tmp_path / "robot.toml") == 0
    assert run_command("new", "--from", path, "--diameter", "2 m") != 0
    assert f"--diameter has no effect with --from {path}. Remove --diameter" in " ".join(
        capsys.readouterr().err.split()
    )


def faults(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    with pytest.raises(BadInput) as error:
        read(path)
    return [f"{one.line}: {one.message}" for one in error.value.problems]


def test_all_faults_at_once(tmp_path):
    text = """<robot>
    <link name="a"><inertial><mass value="-1"/></inertial></link>
    <link name="a"><visual><geometry><box size="1 2"/></geometry></visual></link>
    <link name="b"><inertial><mass value="x"/><inertia ixx="1" iyy="1"/></inertial></link>
    <link><collision><geometry><cone/></geometry></collision></link>
    <joint name="j" type="ball"><parent link="c"/><axis xyz="0 0 0"/></joint>
    <joint name="k" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/>
    <limit lower="1" upper="-1"/><dynamics damping="-1"/></joint>
    </robot>"""
    assert faults(tmp_path, text) == [
        "2: the link 'a' occurs 2 times. Use each name once",
        "2: <inertial> of 'a' has no <inertia>. Give one",
        "2: the mass -1 kg is negative. Give a mass of 0 or more",
        "3: the link 'a' occurs 2 times. Use each name once",
        "3: the attribute size of <box> is '1 2'. Give 3 numbers",
        "4: the attribute value of <mass> is 'x'. Give one number",
        "4: the attribute izz of <inertia> is missing. Give one number",
        "5: <link> has no name. Add the attribute",
        "5: <geometry> needs one of box, cylinder, sphere, mesh. Give one shape",
        "6: the joint type 'ball' is unknown. Allowed: fixed, revolute, continuous, prismatic, planar,"
        " floating",
        "6: there is no link 'c'. Allowed: a, b",
        "6: <joint> of 'j' has no <child>. Give one",
        "7: the damping -1 is negative. Give a value of 0 or more",
        "7: the axis is zero. Give a direction, for example 0 0 1",
        "8: the lower limit 1 is above the upper limit -1",
    ]


def test_faults_of_the_tree(tmp_path):
    links = "".join(link(name, 1) for name in "abcd")
    loop = joint("x", "fixed", "b", "c") + joint("y", "fixed", "c", "b")
    assert faults(tmp_path, f"<robot>{links}{loop}{joint('z', 'fixed', 'a', 'd')}</robot>") == [
        "1: no joints connect the link 'b' to the root 'a'",
        "1: no joints connect the link 'c' to the root 'a'",
    ]
    twice = joint("x", "fixed", "a", "b") + joint("y", "fixed", "c", "b")
    assert faults(tmp_path, f"<robot>{links}{twice}</robot>") == [
        "1: the link 'b' is the child of 2 joints. Closed loops are not allowed in URDF. Keep one joint",
        "1: the link 'b' is the child of 2 joints. Closed loops are not allowed in URDF. Keep one joint",
        "1: the file has 3 root links (a, c, d). Connect all links to one root by joints",
    ]
    moved = '<link name="a"/><link name="b"/>' + joint("j", "continuous", "a", "b")
    assert faults(tmp_path, f"<robot>{moved}</robot>") == [
        "1: the link 'b' has no mass, but moves by the joint 'j'. Add <inertial> with a mass"
    ]
    assert faults(tmp_path, "<robot/>") == ["1: the file has no <link>. Add links"]
    assert faults(tmp_path, "<sdf/>") == [
        "1: the root element is <sdf>. Give a URDF file, whose root is <robot>"
    ]
