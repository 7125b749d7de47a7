"""Reduced equations in symbols: beside the engine's numbers, the printed patterns of H2, and equations that
are written out by hand."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

from interstage.cli.main import main
from interstage.scenario import load, loads
from interstage.studies.symbols import run
from interstage.studies.symbols.beside import beside
from interstage.studies.symbols.equations import Equations
from interstage.studies.symbols.machine import machine
from interstage.studies.verify import find_cases
from interstage.tree.errors import BadInput
from linkages import KINDS

ROUNDED = 1e-11
"""Of the largest: sums of hundreds of terms, and a mass matrix that the engine solves by, whose condition is
1e3."""
AXES = "xyz"


def body(name: str, start: str) -> str:
    return f"""
[bodies.{name}]
mass = 2
mass_centre = [0.1, -0.2, 0.3]
inertia = [[1.2, 0.1, -0.05], [0.1, 1.0, 0.2], [-0.05, 0.2, 0.8]]
products = "tensor"
initial = {start}
"""


def joint(name: str, parent: str, child: str, kind: str, options: dict[str, Any]) -> str:
    def told(value: Any) -> str:
        return str([*value]).replace("'", '"') if isinstance(value, tuple) else str(value).lower()

    own = {key: f'"{value}"' if isinstance(value, str) else told(value) for key, value in options.items()}
    lines = "\n".join(f"{key} = {value}" for key, value in own.items())
    return f"""
[joints.{name}]
kind = "{kind}"
{lines}
parent = "{parent}"
child = "{child}"
parent_at = [0.4, 0, -0.1]
child_at = [0, 0.5, 0.2]
"""


END = '\n[phases.fly]\nuntil = { time = "1 s" }\n'
HEAVY = "gravity = { kind = 'uniform', acceleration = [0.3, 0, -9.81] }\n"


def made(text: str) -> Any:
    return loads(text + END)


LOOKED_AT = [
    one
    for one in KINDS
    if one[1].get("axis", "y") == "y" and one[1].get("axes", "zx") == "zx" and len(one[3]) < 3
]
"""One of each axis that is turned to another one."""
ROUND = [one for one in KINDS if one[0] == "spherical"]


@pytest.mark.parametrize(("kind", "options", "slides", "turns"), LOOKED_AT + ROUND)
def test_joints_of_all_kinds(kind, options, slides, turns):
    """On a body that flies, which is the joint's child, so that it carries the parent; frames that are turned
    by a right angle and by one that is not."""
    text = body("b", "{}") + body("a", '{ through = "j" }') + joint("j", "a", "b", kind, options)
    if len(turns) == 3:
        text = text.replace("[[1.2, 0.1, -0.05], [0.1, 1.0, 0.2], [-0.05, 0.2, 0.8]]", "[1.2, 1, 0.8]")
        text = text.replace('products = "tensor"\n', "").replace("[0.1, -0.2, 0.3]", "[0, 0, 0.3]")
    text += 'parent_frame = { euler = "3-2-1", angles = "[90, 0, 0] deg" }\n'
    text += 'child_frame = { euler = "1-2-3", angles = "[20, 0, 0] deg" }\nassemble = true\n'
    equations = Equations(machine(made(text)))
    assert len(equations.symbols) == 6 + len(slides) + len(turns)
    assert beside(made(text), equations) < ROUNDED


def test_axes_that_are_held_at_another_angle():
    """A universal joint whose axes are 70 deg apart, on the ground."""
    text = body("a", '{ through = "j" }') + joint("j", "ground", "a", "universal", {"axes": "zx"})
    found = made(text + 'angle = "70 deg"\n').symbols()
    assert found.difference < ROUNDED
    ((name, value),) = [(k, v) for k, v in found.values.items() if str(k).startswith("d_")]
    assert abs(value) == pytest.approx(np.radians(20))
    assert found.M22.has(name)


# --- printed patterns of H2


class Pose:
    """Bodies of a scenario with joints that turn, in a pose that is drawn: turns, mass centres and points of
    joints, inertial axes, and where each body's own rates are."""

    def __init__(self, scenario: Any, rng: np.random.Generator):
        self.bodies = {one.name: one for one in scenario.bodies}
        self.turn, self.centre, self.point = {"ground": np.eye(3)}, {}, {}
        self.axes, self.inner, self.angles = {}, {}, {}
        origin = {"ground": np.zeros(3)}
        for one in scenario.bodies:
            if not any(joint.child == one.name for joint in scenario.joints):
                self.turn[one.name], origin[one.name] = (
                    Rotation.random(rng=rng).as_matrix(),
                    rng.normal(size=3),
                )
                self.inner[one.name] = None
        left = [*scenario.joints]
        while left:
            one = next(joint for joint in left if joint.parent in origin)
            left.remove(one)
            turns = one.universal_axes if one.kind == "universal" else one.free_axis
            angles = rng.uniform(-1, 1, len(turns))
            frame = np.eye(3)
            if one.parent_frame is not None:
                order = "".join(AXES[int(axis) - 1] for axis in one.parent_frame.euler.split("-")).upper()
                frame = Rotation.from_euler(order, one.parent_frame.angles).as_matrix()
            each = [
                Rotation.from_rotvec(angle * np.eye(3)[AXES.index(a)]).as_matrix()
                for a, angle in zip(turns, angles)
            ]
            whole, axes = self.turn[one.parent] @ frame, []
            for axis, turn in zip(turns, each, strict=True):
                axes.append(whole[:, AXES.index(axis)])
                whole = whole @ turn
            self.turn[one.child], self.axes[one.child] = whole, np.stack(axes, 1)
            self.point[one.child] = origin[one.parent] + self.turn[one.parent] @ np.asarray(one.parent_at)
            origin[one.child] = self.point[one.child] - whole @ np.asarray(one.child_at)
            self.inner[one.child] = one.parent
            self.angles |= {f"q_{one.name}_{a}": angle for a, angle in zip(turns, angles, strict=True)}
        for name in self.inner:
            self.centre[name] = origin[name] + self.turn[name] @ np.asarray(self.bodies[name].mass_centre)

    def outward(self, name: str, other: str | None) -> bool:
        """Whether a body is, or is carried by, another one."""
        while other not in (None, "ground"):
            if other == name:
                return True
            other = self.inner[other]
        return False


def crossed(a: np.ndarray) -> np.ndarray:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])


PRINTED = [
    "aircraft-linear",
    "pendulum-linear",
    "four-bodies",
    "connected-joints",
    "rotorcraft",
    "wind-turbine",
]


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_patterns(name):
    """H2 of AIAA 2011-6277, section VI: of body k in the columns of a first body that flies, its velocity
    along its own axes, A_eb and b^(k/b) over 0 and A_kb; in those of the joint that carries j, if k hangs on
    that, b^(k/s) B_j over A_kj B_j; and zeros. b^(k/s) is -tilde of the arm from s to k, inertial axes."""
    scenario: Any = load(find_cases()[name] / "scenario.toml")
    equations = Equations(machine(scenario))
    pose = Pose(scenario, np.random.default_rng(3))
    names = equations.machine.names
    values = {n: v for n, (v, *_) in names.values.items()} | {"root2": 2**0.5, "root3": 3**0.5}
    values |= {rate.symbol: 0.0 for rate in equations.machine.rates}
    for angle, (cosine, sine) in names.angles.items():
        values |= {cosine: np.cos(pose.angles[angle]), sine: np.sin(pose.angles[angle])}
    for k, one in enumerate(equations.machine.hung):
        for other in equations.machine.hung:
            root = equations.roots[k]
            axes = pose.turn[equations.machine.hung[root].body] if root >= 0 else np.eye(3)
            straight, turning = (part[k][:, other.rates] for part in (equations.velocity, equations.spin))
            if not pose.outward(other.body, one.body):
                assert not any(entry for entry in (*straight.ravel(), *turning.ravel()))
                continue
            straight, turning = (equations.algebra.numbers(part, values) for part in (straight, turning))
            own = pose.turn[one.body].T
            if other.hold is None:
                arm, by = pose.centre[one.body] - pose.centre[other.body], pose.turn[other.body]
                np.testing.assert_allclose(axes @ straight[:, :3], by, atol=ROUNDED)
                assert not np.any(turning[:, :3])
                straight, turning = straight[:, 3:], turning[:, 3:]
            else:
                arm, by = pose.centre[one.body] - pose.point[other.body], pose.axes[other.body]
            np.testing.assert_allclose(axes @ straight, -crossed(arm) @ by, atol=100 * ROUNDED)
            np.testing.assert_allclose(turning, own @ by, atol=ROUNDED)


# --- by hand


def test_a_pendulum_by_hand():
    """(J + m l^2) beta'' = m g l sin beta, with its spring as a load (eq of section VI)."""
    found = load(find_cases()["pendulum-linear"] / "scenario.toml").symbols()
    m, j, r, g, q = (
        found.symbols[name]
        for name in ("m_pendulum", "J_pendulum_yy", "r_pivot_pendulum_z", "g_z", "q_pivot_y")
    )
    assert sympy.Matrix([[j + m * r**2]]) == found.M22
    assert sympy.zeros(1) == found.N22
    assert sympy.Matrix([[g * m * r * sympy.sin(q)]]) == found.Q2
    assert found.H2[:3, 0] == sympy.Matrix([-r * sympy.cos(q), 0, r * sympy.sin(q)])


def test_two_swing_one_on_the_other():
    """The double pendulum of points without width: M22 and the centrifugal terms of every textbook."""
    text = HEAVY.replace("0.3", "0")
    for name, inner in (("a", "ground"), ("b", "a")):
        at = "[0, 0, 0]" if inner == "ground" else "[0, 0, -1.5]"
        text += f"""
[bodies.{name}]
mass = 2
mass_centre = [0, 0, -1.5]
inertia = [1e-3, 1e-3, 1e-3]
initial = {{ through = "{name}" }}
[joints.{name}]
kind = "revolute"
axis = "y"
parent = "{inner}"
child = "{name}"
parent_at = {at}
"""
    found = made(text).symbols()
    own = found.symbols
    la, lb, p = own["r_a_a_z"], own["r_b_b_z"], own["q_b_y"]
    ma, mb, ja, jb = (own[name] for name in ("m_a", "m_b", "J_a_yy", "J_b_yy"))
    da, db = own["qdot_a_y"], own["qdot_b_y"]
    both = jb + mb * lb**2
    coupled = both + mb * la * lb * sympy.cos(p)
    # The joint of b is at the mass centre of a.
    wanted = sympy.Matrix(
        [[ja + both + (ma + mb) * la**2 + 2 * mb * la * lb * sympy.cos(p), coupled], [coupled, both]]
    )
    assert (found.M22 - wanted).expand() == sympy.zeros(2)
    rates = sympy.Matrix([da, db])
    push = mb * la * lb * sympy.sin(p)
    assert (found.N22 * rates).expand() == sympy.Matrix([-push * db * (2 * da + db), push * da**2]).expand()


def test_gravity_and_gyroscopes():
    """M22 q2'' + N22 q2' = Q2 where nothing else pushes, with the accelerations that the engine has: on the
    ground, and of what flies."""
    start = """{ velocity = [1, 2, 3], angular_velocity = [0.4, -0.5, 0.6],
        attitude = { euler = "3-2-1", angles = "[30, 40, 50] deg" } }""".replace("\n", " ")
    tied = '{ through = "j", rotation = [0, 0, 0.5], relative_angular_velocity = [0, 0, 0.7] }'
    ground = body("a", tied.replace('"j"', '"i"')) + joint("i", "ground", "a", "revolute", {"axis": "z"})
    for text in (body("a", start), ground):
        text += body("b", tied) + joint("j", "a", "b", "revolute", {"axis": "z"})
        scenario = made(HEAVY + text)
        found, linear = scenario.symbols(), scenario.linearize()
        own = {str(symbol): value for symbol, value in found.values.items()}
        paths = {rate.symbol: rate.path for rate in found.rates} | found.equations.machine.places
        own |= {name: float(linear.x0[linear.names.index(path)]) for name, path in paths.items()}
        turn = Rotation.from_euler("ZYX", np.radians([30, 40, 50])).as_matrix()
        own |= {f"A_a_{AXES[i]}{AXES[j]}": turn[i, j] for i, j in np.ndindex(3, 3)}
        own = {name: own[name] for name in found.symbols}
        mass, gyroscopic, pull = (
            np.array(sympy.lambdify([*found.symbols.values()], matrix, "numpy")(*own.values()), float)
            for matrix in (found.M22, found.N22, found.Q2)
        )
        rates = np.array([own[rate.symbol] for rate in found.rates])
        second = np.array([linear.rates[linear.names.index(rate.path)] for rate in found.rates])
        np.testing.assert_allclose(mass @ second + gyroscopic @ rates, pull[:, 0], atol=100 * ROUNDED)


# --- what is written, and what is refused


def test_what_is_written(tmp_path, monkeypatch, capsys):
    """Text is read back by SymPy; the document has every matrix; the command says how far the numbers are."""
    file = tmp_path / "arm.toml"
    tied = body("b", '{ through = "k" }') + joint("k", "a", "b", "universal", {})
    file.write_text(made(HEAVY + TIED + tied).to_toml())
    found = load(file).symbols()
    lines = [line.strip() for line in found.text().splitlines() if line.strip().startswith("M22[")]
    names = [rate.symbol for rate in found.rates]
    for line in lines:
        where, _, entry = line.partition(" = ")
        row, column = where.removeprefix("M22[").removesuffix("]").split(", ")
        read = sympy.sympify(entry, locals=dict(found.symbols))  # type: ignore[call-overload]
        assert (read - found.M22[names.index(row), names.index(column)]).expand() == 0
    assert found.H2.shape == (12, 3)
    monkeypatch.setattr(sys, "argv", ["interstage", "symbols", str(file), "-o", str(tmp_path / "arm.tex")])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr().out
    assert not ended.value.code
    assert "numbers differ by" in told
    assert "joints.k.rotation_rate.z" in told
    document = (tmp_path / "arm.tex").read_text()
    matrices = ("H2", "M22", "N22", "Q2")
    assert document.count(r"\entry{") == sum(len([*found.entries(name)]) for name in matrices)
    assert document.count("{") == document.count("}")
    assert document.count("$") % 2 == 0
    # TeX breaks what it is not told to keep together, and indices keep their spaces.
    assert r"\left" not in document
    assert r"\dot{q}_{\mathrm{k\,z}}" in document
    assert r"c_{\mathrm{k\,y}}" in document
    with pytest.raises(BadInput, match=r"let it end in .tex or .txt"):
        found.save(tmp_path / "arm.pdf")


TIED = body("a", '{ through = "j" }') + joint("j", "ground", "a", "revolute", {})
LOCKED = {"locked": ("tx", "ty", "tz", "rx", "ry", "rz")}
REFUSED = {
    "loops": (
        body("b", "{}") + TIED + joint("k", "a", "b", "spherical", {})
        + joint("l", "ground", "b", "spherical", {}),
        "joints.k: closes a loop",
    ),
    "rods": (
        TIED + body("b", "{}") + joint("k", "a", "b", "rod", {}),
        "joints.k.kind: a rod joint has no coordinates",
    ),
    "driven joints": (
        body("a", "{}") + body("b", '{ through = "j" }') + joint("j", "a", "b", "generalized", LOCKED)
        + 'driven = { rz = { kind = "ramp", rate = 1 } }\n',
        "joints.j.driven: moves as it is told",
    ),
    "nothing that moves": (
        body("a", '{ through = "j" }') + joint("j", "ground", "a", "fixed", {}),
        "leave no body free",
    ),
    "tanks": (
        body("a", "{}") + '[bodies.a.elements.tank]\nkind = "item"\nmass = 3\nmass_centre = [0, 0, 1]\n',
        "bodies.a.elements: has masses that change or move",
    ),
    "chains that are too long": (
        "".join(
            body(f"b{k}", f'{{ through = "j{k}" }}')
            + joint(f"j{k}", f"b{k - 1}" if k else "ground", f"b{k}", "spherical", {})
            for k in range(4)
        ),
        "4 bodies and 12 rates are too many",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what, monkeypatch):
    monkeypatch.setattr("interstage.studies.symbols.algebra.MOST", 100_000)
    text, said = REFUSED[what]
    scenario = made(text)
    with pytest.raises(BadInput, match=said):
        run.symbols(scenario)


def test_without_sympy(monkeypatch):
    monkeypatch.setattr(run, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'interstage\[symbols\]'"):
        made(TIED).symbols()
