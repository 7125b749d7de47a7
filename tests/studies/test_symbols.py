"""Reduced equations in symbols: beside the engine's numbers, the printed patterns of H2, and equations that
are written out by hand."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

from interstage.cli.main import main
from interstage.reading import load, loads
from interstage.studies.symbols import run
from interstage.studies.symbols.beside import ALIKE, largest_difference
from interstage.studies.symbols.equations import Equations
from interstage.studies.symbols.machine import machine
from interstage.studies.symbols.numbers import Numbers, draw_states
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


def scaled(text: str, size: float) -> str:
    """Bodies whose masses are this many times as large."""
    inertia = [[1.2, 0.1, -0.05], [0.1, 1.0, 0.2], [-0.05, 0.2, 0.8]]
    text = text.replace("mass = 2\n", f"mass = {2 * size}\n")
    return text.replace(str(inertia), str((size * np.array(inertia)).tolist()))


def made(text: str) -> Any:
    return loads(text + END)


LOOKED_AT = [
    one
    for one in KINDS
    if one[1].get("axis", "y") == "y" and one[1].get("axes", "zx") == "zx" and len(one[3]) < 3
]
"""One of each axis that is turned to another one."""
ROUND = [one for one in KINDS if one[0] == "spherical"]


@pytest.mark.parametrize(
    ("kind", "options", "slides", "turns"),
    [
        pytest.param(*one, marks=[pytest.mark.long] if one[0] == "spherical" or one[2] == "xy" else [])
        for one in LOOKED_AT + ROUND
    ],
)
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
    assert max(largest_difference(equations, draw_states(made(text), equations)).values()) < ROUNDED


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


# --- what is wrong is seen

TIED = body("a", '{ through = "j" }') + joint("j", "ground", "a", "revolute", {})
SIZES = (1.0, 1e-11, 1e9)
WEAK = "gravity = { kind = 'uniform', acceleration = [3e-12, 2e-12, -9.81e-11] }\n"
TWO = TIED + body("b", '{ through = "k" }') + joint("k", "a", "b", "cylindrical", {"axis": "x"})
FLIES = body("a", "{}") + body("b", '{ through = "k" }') + joint("k", "a", "b", "revolute", {"axis": "x"})


def entries(equations: Equations) -> dict[str, list[np.ndarray]]:
    """All that is handed out, by what it is held beside as."""
    return {
        "H2": [*equations.velocity, *equations.spin],
        "M22": [equations.mass],
        "N22": [equations.gyroscopic],
        "Q2": [equations.loads, *equations.weights.values()],
    }


def wrong(equations: Equations, states: list[Numbers], names: tuple[str, ...], factor: float) -> int:
    """See that each entry that is wrong by a factor is seen where it is. How many there were."""
    by, count = equations.algebra.ring(sympy.Rational(str(factor))), 0
    for name in names:
        for array in entries(equations)[name]:
            for place in [place for place in np.ndindex(array.shape) if array[place]]:
                kept = array[place]
                array[place] = kept * by
                found = largest_difference(equations, states)
                array[place] = kept
                assert found[name] > ALIKE, (name, place)
                count += 1
    return count


@pytest.mark.parametrize(
    ("pull", "size"),
    [
        pytest.param(pull, size, marks=[pytest.mark.long] if pull != HEAVY and size != SIZES[-1] else [])
        for pull in ("", HEAVY, WEAK)
        for size in SIZES
    ],
)
def test_entries_that_are_wrong(size, pull):
    """Each by a factor of two or by a millionth of itself, at any scale of masses, without gravity, and with
    some that is small beside what turning does. Right ones differ by rounding."""
    scenario = made(pull + scaled(TWO, size))
    equations = Equations(machine(scenario))
    states = draw_states(scenario, equations)
    assert max(largest_difference(equations, states).values()) < ROUNDED
    factors = (2, 1.000001) if pull == HEAVY else (2,)
    for factor in factors:
        assert wrong(equations, states, ("H2", "M22", "N22", "Q2"), factor) == (30 if pull else 29)


def test_entries_that_are_wrong_of_what_flies():
    """Weights by the attitude, and gyroscopes; and rounding of a heavy body on a light one is none."""
    scenario = made(HEAVY + FLIES)
    equations = Equations(machine(scenario))
    states = draw_states(scenario, equations)
    assert wrong(equations, states, ("Q2",), 1.000001) > 10
    first, second = FLIES.split("[bodies.b]")
    for text in (scaled(first, 1e6) + "[bodies.b]" + second, first + "[bodies.b]" + scaled(second, 1e6)):
        equations = Equations(machine(made(HEAVY + text)))
        assert (
            max(largest_difference(equations, draw_states(made(HEAVY + text), equations)).values()) < ROUNDED
        )


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9])
def test_rods_without_width(width):
    """Rounding of their arms is none of their equations."""
    rod = body("a", '{ through = "j" }') + joint("j", "ground", "a", "spherical", {})
    rod = rod.replace("child_at = [0, 0.5, 0.2]", "").replace("[0.1, -0.2, 0.3]", "[0, 0, 0.5]")
    rod = rod.replace("[[1.2, 0.1, -0.05], [0.1, 1.0, 0.2], [-0.05, 0.2, 0.8]]", f"[1, 1, {width}]")
    assert made(HEAVY + rod.replace('products = "tensor"\n', "")).symbols().difference < ROUNDED


def test_an_engine_that_moves_otherwise():
    """As if its masses, or its loads, were larger by a millionth."""
    scenario = made(HEAVY + TWO)
    equations = Equations(machine(scenario))
    states = draw_states(scenario, equations)
    for name in ("second", "loads", "answers"):
        changed = [now._replace(**{name: getattr(now, name) * 1.000001}) for now in states]
        found = largest_difference(equations, changed)
        assert found["motion"] > ALIKE
        assert all(value < ROUNDED for what, value in found.items() if what != "motion")


@pytest.mark.parametrize("size", SIZES)
def test_wrong_equations_are_not_handed_out(size, monkeypatch):
    """M22 with half of the inertia that is turned, without gravity, by which nothing moves."""
    assert made(scaled(TIED, size)).symbols().difference < ROUNDED
    right = Equations._sum

    def summed(self: Equations, straight: list[np.ndarray], turning: list[np.ndarray]) -> np.ndarray:
        half = sympy.Rational(1, 2)
        return right(self, straight, [self.algebra.each(one * self.algebra.ring(half)) for one in turning])

    monkeypatch.setattr(Equations, "_sum", summed)
    with pytest.raises(BadInput, match=r"M22 by 0\.\d+.*Report this scenario"):
        made(scaled(TIED, size)).symbols()


# --- names

PANELS = (
    body("hub", "{}")
    + body("left_panel", '{ through = "hinge" }')
    + body("panel", '{ through = "hinge_left" }')
    + joint("hinge", "hub", "left_panel", "revolute", {})
    + joint("hinge_left", "hub", "panel", "revolute", {})
)


def test_different_things_have_different_symbols():
    """Arms of joints and bodies whose names run into each other, and a ball that is named like a body that
    flies; all others are plain."""
    balls = body("arm", '{ through = "hub" }') + joint("hub", "hub", "arm", "spherical", {})
    own = machine(
        made(HEAVY + PANELS.replace("child_at = [0, 0.5, 0.2]", "child_at = [0, 0.6, 0.2]", 1) + balls)
    )
    arms = {name: what for name, (_, _, what) in own.names.values.items() if name.startswith("r_hinge")}
    assert "left_panel to the joint point of hinge" in arms["r_hinge__left_panel_y"]
    assert "of panel to the joint point of hinge_left" in arms["r_hinge_left__panel_y"]
    lengths = [own.names.values[f"r_{name}_y"][0] for name in ("hinge__left_panel", "hinge_left__panel")]
    np.testing.assert_allclose(lengths, [0.8, 0.7])
    assert {"r_hinge_hub_x", "r_hinge_left_hub_x", "m_left_panel"} <= {*own.names.values}
    paths = {rate.symbol: rate.path for rate in own.rates}
    assert len(paths) == 6 + 2 + 3
    assert paths["w_body_hub_x"] == "bodies.hub.angular_velocity.x"
    assert paths["w_joint_hub_x"] == "joints.hub.rotation_rate.x"
    assert paths["v_hub_x"] == "bodies.hub.velocity.x"


def test_names_that_no_symbol_can_have(tmp_path):
    """Text reads back, whatever names have in them."""
    text = PANELS.replace('"panel"', '"left-panel"').replace("bodies.panel", "bodies.left-panel")
    found = made(HEAVY + text).symbols()
    assert "m_left_panel_2 = 2.0 kg: mass of left-panel" in found.text()
    assert "m_left_panel = 2.0 kg: mass of left_panel" in found.text()
    read_back(found)


def read_back(found: Any) -> None:
    """See that each entry of M22, Q2 and H2 is what the text says, read without knowing the symbols."""
    lines = [line.strip().partition(" = ") for line in found.text().splitlines()]
    told = {where: entry for where, _, entry in lines if where.endswith("]")}
    real = {symbol.name: symbol for symbol in found.symbols.values()}
    for name in ("H2", "M22", "Q2"):
        for row, column, entry in found.entries(name):
            read = sympy.sympify(told[f"{name}[{', '.join(filter(None, (row, column)))}]"])
            assert {symbol.name for symbol in read.free_symbols} <= {*real}
            assert read.subs({symbol: real[symbol.name] for symbol in read.free_symbols}) == entry


# --- what is written, and what is refused


def test_what_is_written(tmp_path, monkeypatch, capsys):
    """Text is read back by SymPy; the document has every matrix; the command says how far the numbers are."""
    file = tmp_path / "arm.toml"
    tied = body("b", '{ through = "k" }') + joint("k", "a", "b", "universal", {})
    file.write_text(made(HEAVY + TIED + tied).to_toml())
    found = load(file).symbols()
    read_back(found)
    assert "r_j_a_x = -0.1 m: vector from" in found.text()
    assert found.H2.shape == (12, 3)
    monkeypatch.setattr(sys, "argv", ["interstage", "symbols", str(file), "-o", str(tmp_path / "arm.tex")])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr().out
    assert not ended.value.code
    assert "symbolic and numerical equations were compared" in told
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
    with pytest.raises(BadInput, match=r"Allowed endings: .tex or .txt"):
        found.save(tmp_path / "arm.pdf")
    with pytest.raises(BadInput, match=r"cannot write '.*arm.txt': No such file"):
        found.save(tmp_path / "nowhere" / "arm.txt")
    (tmp_path / "small.tex").write_text(made(TIED.replace("mass = 2", "mass = 2e-8")).symbols().latex())
    assert r"$2 \cdot 10^{-8}$ kg" in (tmp_path / "small.tex").read_text()


def test_what_is_shown():
    """Entries of up to some lines as they are, and of longer ones how they are seen."""
    tables = {table.key: table for table in made(HEAVY + TWO).symbols().tables()}
    shown = [entry for name in ("H2", "M22", "N22", "Q2") for *_, entry in tables[name].rows]
    long = [entry for entry in shown if "terms" in entry]
    assert 0 < len(long) < len(shown)
    assert all(re.fullmatch(r"\(\d+ terms; save all terms with -o equations.txt\)", entry) for entry in long)
    assert max(map(len, shown)) > 300


def test_ctrl_c(tmp_path, monkeypatch, capsys):
    """Ends like other commands, with a word."""
    file = tmp_path / "arm.toml"
    file.write_text(made(TIED).to_toml())

    def interrupted(self: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("interstage.scenario.Scenario.symbols", interrupted)
    monkeypatch.setattr(sys, "argv", ["interstage", "symbols", str(file), "-o", str(tmp_path / "arm.tex")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 4
    assert capsys.readouterr().err == "Interrupted. Nothing was written.\n"
    assert not (tmp_path / "arm.tex").exists()


LOCKED = {"locked": ("tx", "ty", "tz", "rx", "ry", "rz")}
REFUSED = {
    "loops": (
        body("b", "{}") + TIED + joint("k", "a", "b", "spherical", {})
        + joint("l", "ground", "b", "spherical", {}),
        "joints.k: the joint closes a loop",
    ),
    "rods": (
        TIED + body("b", "{}") + joint("k", "a", "b", "rod", {}),
        "joints.k.kind: a rod joint has no coordinates",
    ),
    "driven joints": (
        body("a", "{}") + body("b", '{ through = "j" }') + joint("j", "a", "b", "generalized", LOCKED)
        + 'driven = { rz = { kind = "ramp", rate = 1 } }\n',
        "joints.j.driven: joint 'j' has a prescribed motion",
    ),
    "nothing that moves": (
        body("a", '{ through = "j" }') + joint("j", "ground", "a", "fixed", {}),
        "no body can move",
    ),
    "tanks": (
        body("a", "{}") + '[bodies.a.elements.tank]\nkind = "item"\nmass = 3\nmass_centre = [0, 0, 1]\n',
        "bodies.a.elements: .* has masses that change or move",
    ),
    "beams": (
        TIED + """
[forces.boom]
kind = "beam"
parent = "a"
length = 1
elements = 2
[forces.boom.section]
kind = "stiffness"
axial_stiffness = 1e6
shear_stiffness = [1e6, 1e6]
torsional_stiffness = 1
bending_stiffness = [1, 1]
mass = 1
rotary_inertia = [1e-3, 1e-3]
""",
        "forces.boom: boom has moving mass",
    ),
    "chains that are too long": (
        "".join(
            body(f"b{k}", f'{{ through = "j{k}" }}')
            + joint(f"j{k}", f"b{k - 1}" if k else "ground", f"b{k}", "spherical", {})
            for k in range(4)
        ),
        "4 bodies and 12 rates give too many terms",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what, monkeypatch):
    monkeypatch.setattr("interstage.studies.symbols.algebra.MOST_PRODUCTS", 100_000)
    text, said = REFUSED[what]
    scenario = made(text)
    with pytest.raises(BadInput, match=said):
        run.symbols(scenario)


def test_bodies_that_bend_are_refused():
    """By what an effect says of itself, whichever it is."""
    bends = """
[forces.bends]
kind = "modal_body"
body = "a"
frequency = 30
mass = 5
[forces.bends.points]
tip = { at = [1, 0, 0], shape = [[0, 2, 0.1]], turn = [[0.3, 0, -4]] }
"""
    with pytest.raises(
        BadInput,
        match=r"forces\.bends: bends makes a body flexible, but symbolic equations need rigid bodies",
    ):
        made(body("a", "{}") + bends).symbols()


def test_without_sympy(monkeypatch):
    monkeypatch.setattr(run, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'interstage\[symbols\]'"):
        made(TIED).symbols()
