"""Flexible bodies by modes: accelerations against Lagrange's equations, what is kept, files, bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interstage as ist
from engine_door import (
    instant_as_declared,
    nearest_shapes,
)
from interstage.diagnosis import bare_angles
from interstage.diagnosis.plausibility import remarks
from interstage.maths import rotation_vectors
from interstage.parts.modal import shown
from interstage.programs.program import configure
from interstage.reading import load, loads

TEXT = """
[bodies.core]
mass = 20.0
inertia = [2.1, 6.7, 5.7]
mass_centre = [0.1, 0, 0]
initial = { position = [0.1, 0, 0], velocity = [0.1, 0.2, 0.3], angular_velocity = [0.3, -0.5, 0.4] }
[bodies.top]
mass = 10.0
inertia = [0.3, 0.9, 0.8]
initial = { position = [1.52, 0.01, 0.02], velocity = [0, 0.1, 0], angular_velocity = [0, 0.1, 0.2] }
[forces.bends]
kind = "modal_body"
body = "core"
frequency = [30.0, 33.0]
mass = [5.0, 4.0]
coordinate = [0.05, -0.03]
rate = [0.5, 1.0]
[forces.bends.points]
tail = { at = [-1, 0, 0], shape = [[0, 2, 0.1], [0.2, 0, 2]], turn = [[0.3, 0, -4], [0, 4, 0.2]] }
top = { at = [1, 0, 0], shape = [[0.1, 2, 0], [0, 0, 2]], turn = [[0, 0.5, 4], [0.4, -4, 0]] }
[forces.waves]
kind = "modal_body"
body = "top"
frequency = [50.0]
mass = 3.0
coordinate = [0.02]
[forces.waves.points]
bottom = { at = [-0.5, 0, 0], shape = [[0, 2, 1]], turn = [[0, 1, -4]] }
[forces.flange]
kind = "bushing"
parent = "core"
child = "top"
parent_at = [1, 0, 0]
child_at = [-0.5, 0, 0]
stiffness = [1e4, 2e4, 3e4]
torsional_stiffness = [1e3, 2e3, 3e3]
phases = ["joined"]
[forces.push]
kind = "force"
body = "core"
at = [-1, 0, 0]
force = [10, 20, 30]
phases = ["apart"]
[devices.spring]
kind = "kickoff_spring"
parent = "core"
child = "top"
parent_at = [1, 0, 0]
child_at = [-0.5, 0, 0]
stiffness = 1000.0
preload = 100.0
stroke = 0.1
after = "apart"
[engines.thruster]
kind = "engine"
body = "core"
at = [-1, 0, 0]
thrust = 50.0
direction = [1, 0.1, 0]
massless = true
[sensors.imu]
body = "core"
at = [-1, 0, 0]
frame = { euler = "3-2-1", angles = [0.3, 0.2, 0.1] }
[[phases]]
name = "joined"
until = { time = 0.1 }
[[phases]]
name = "apart"
ignite = ["thruster"]
until = { elapsed = 0.1 }
[output]
interval = 0.02
"""


def test_rotations_follow_their_vectors():
    """The angular velocity of a rotation vector is that of its rotation, and its work that of the torque."""
    import jax

    from interstage.maths.rotations import matrix_of

    configure()
    drawn = np.random.default_rng(3)
    for size in (0.0, 1e-5, 9e-3, 1.1e-2, 0.5, 2.5):
        way, rate, torque = drawn.normal(size=(3, 3))
        turn = size * way / np.linalg.norm(way)
        matrix, moved = jax.jvp(lambda v: matrix_of(rotation_vectors.attitude(v)), (turn,), (rate,))
        crossing = np.asarray(moved @ matrix.T)
        spin = np.array([crossing[2, 1], crossing[0, 2], crossing[1, 0]])
        assert rotation_vectors.turning(turn, rate) == pytest.approx(spin, abs=1e-14)
        assert np.asarray(matrix) @ matrix.T == pytest.approx(np.eye(3), abs=1e-15)
        assert rotation_vectors.work(turn, torque) @ rate == pytest.approx(torque @ spin, abs=1e-13)


# --- Lagrange's equations -------------------------------------------------------------------------------


def exponential(v: Any) -> Any:
    """The rotation of a rotation vector below 0.3 rad, by its series."""
    import jax.numpy as jnp

    crossing = jnp.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    found = term = jnp.eye(3)
    for k in range(1, 13):
        term = term @ crossing / k
        found = found + term
    return found


CORE = {"tail": ([-1.1, 0, 0], 0), "top": ([0.9, 0, 0], 1)}
BOTH: Any = loads(TEXT)
SHAPES = [[np.stack([p.shape, p.turn]) for p in BOTH.forces[k].points] for k in (0, 1)]
"""Of the points of both bodies (shape or turn, mode, 3)."""


def placed(y: Any) -> dict[str, Any]:
    """Place and rotation of points by coordinates: place and rotation vector of each body, then modes."""
    import jax.numpy as jnp

    found = {}
    core, top, q, w = y[:6], y[6:12], y[12:14], y[14:15]
    for name, body, modes, shapes, arm in (
        ("tail", core, q, SHAPES[0][0], [-1.1, 0, 0]),
        ("top", core, q, SHAPES[0][1], [0.9, 0, 0]),
        ("bottom", top, w, SHAPES[1][0], [-0.5, 0, 0]),
    ):
        turn = exponential(body[3:])
        local = jnp.array(arm, float) + modes @ shapes[0]
        found[name] = body[:3] + turn @ local, turn @ exponential(modes @ shapes[1])
    return found


def logarithm(matrix: Any) -> Any:
    """The rotation vector of a rotation by less than half a turn."""
    import jax.numpy as jnp

    axis = 0.5 * jnp.array(
        [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]
    )
    sine, cosine = jnp.linalg.norm(axis), 0.5 * (jnp.trace(matrix) - 1)
    return axis * jnp.arctan2(sine, cosine) / sine


def potential(y: Any) -> Any:
    """Of modes and bushing."""
    import jax.numpy as jnp

    points = placed(y)
    (here, turn), (there, other) = points["top"], points["bottom"]
    gap, angle = turn.T @ (there - here), logarithm(turn.T @ other)
    bushing = jnp.array([1e4, 2e4, 3e4]) @ gap**2 + jnp.array([1e3, 2e3, 3e3]) @ angle**2
    modes = jnp.array([5.0, 4.0, 3.0]) * jnp.array([30.0, 33.0, 50.0]) ** 2 @ y[12:] ** 2
    return 0.5 * (bushing + modes)


BODIES = ((0, 20.0, np.array([2.1, 6.7, 5.7])), (6, 10.0, np.array([0.3, 0.9, 0.8])))
MASSES = np.array([5.0, 4.0, 3.0])


@pytest.fixture(scope="module")
def lagrange() -> dict[str, Any]:
    """The instant of the start, and accelerations of all coordinates by Lagrange's equations: rotation
    vectors are from the attitude of then, and their accelerations the angular accelerations."""
    import jax

    configure()
    here = instant_as_declared(BOTH)
    r, v, _, w, _, _ = here.split
    q, rate = here.own("modal")[:3], here.own("modal")[3:]
    place = np.concatenate([r[:, 0], [0.0] * 3, r[:, 1], [0.0] * 3, q])
    speed = np.concatenate([v[:, 0], w[:, 0], v[:, 1], w[:, 1], rate])
    load = -np.asarray(jax.jit(jax.grad(potential))(place))
    second = load / np.concatenate([np.ones(12), MASSES])
    for k, mass, inertia in BODIES:
        spin = speed[k + 3 : k + 6]
        second[k : k + 3] /= mass
        second[k + 3 : k + 6] = (second[k + 3 : k + 6] - np.cross(spin, inertia * spin)) / inertia
    return {"here": here, "place": place, "speed": speed, "second": second}


def test_accelerations_are_those_of_lagrange(lagrange):
    here, second = lagrange["here"], lagrange["second"]
    size = np.max(np.abs(second))
    for k in (0, 1):
        assert here.acceleration[:, k] == pytest.approx(second[6 * k : 6 * k + 6], abs=1e-13 * size)
    modes = here.equations.parts["modal"].rates(here, here.acceleration)
    assert modes == pytest.approx(np.concatenate([lagrange["speed"][12:], second[12:]]), abs=1e-13 * size)


STEP = 3e-5
"""Of differences of fourth order [s]: by rounding they leave some 1e-6 of accelerations, of hundreds."""


def test_sensors_feel_the_bending(lagrange):
    """What a point does, twice differentiated along the motion."""
    from interstage.maths.rotations import matrix_of, quaternion_of

    here, place, speed = lagrange["here"], lagrange["place"], lagrange["speed"]
    course = [
        placed(place + speed * t + lagrange["second"] * t * t / 2)["tail"] for t in STEP * np.arange(-2, 3)
    ]
    values = [np.array(part) for part in zip(*course, strict=True)]
    rates = [np.tensordot([1, -8, 0, 8, -1], part, 1) / (12 * STEP) for part in values]
    second = [np.tensordot([-1, 16, -30, 16, -1], part, 1) / (12 * STEP**2) for part in values]
    turn = values[1][2]
    quantities = here.equations.parts["sensors"].quantities()["sensors.imu"]()
    found = {name: np.asarray(one.compute(here)) for name, one in quantities.items()}
    frame = matrix_of(quaternion_of(BOTH.sensors[0].frame))

    def spun(crossing: np.ndarray) -> np.ndarray:
        return np.asarray(frame).T @ [crossing[2, 1], crossing[0, 2], crossing[1, 0]]

    assert found["position"] - here.origin == pytest.approx(values[0][2], abs=1e-14)
    assert found["velocity"] - here.origin_velocity == pytest.approx(rates[0], abs=1e-9)
    assert found["acceleration"] == pytest.approx(second[0], abs=1e-5)
    assert found["sensed_acceleration"] == pytest.approx((turn @ frame).T @ second[0], abs=1e-5)
    assert found["angular_velocity"] == pytest.approx(spun(turn.T @ rates[1]), abs=1e-9)
    changed = spun(rates[1].T @ rates[1] + turn.T @ second[1])
    assert found["angular_acceleration"] == pytest.approx(changed, abs=1e-5)


# --- flights --------------------------------------------------------------------------------------------

STIFF, TIP = "forces.waves.frequency[0]", "forces.waves.point_bottom.deflection.y"


@pytest.mark.long
def test_energy_and_momenta_are_kept():
    """While nothing acts from outside; release, what the bushing held is gone."""
    record = BOTH.run().record
    series, joined = record.series, record.time < 0.0999
    for name in ("energy", "momentum", "angular_momentum"):
        value = series[f"system.{name}"][joined]
        # The tolerance of a step, 1e-9, of some hundred steps, beside 100 J.
        np.testing.assert_allclose(value, np.broadcast_to(value[0], value.shape), rtol=0, atol=1e-6)
    assert np.ptp(series["forces.bends.strain_energy"][joined]) > 1.0


@pytest.mark.long
def test_cases_are_flights_and_derivatives_their_differences():
    batch = BOTH.run_batch({STIFF: [50.0, 50.05, 49.95]}, progress=False)
    middle, more, less = batch.value(TIP)
    assert middle == pytest.approx(float(BOTH.run().record.series[TIP[:-2]][-1][1]), abs=1e-8)
    slope = float(BOTH.derivatives([TIP], [STIFF]).by[TIP][STIFF])
    assert slope == pytest.approx((more - less) / 0.1, rel=1e-3)


NORMALISED = """
bodies.hull = { mass = 20, inertia = [2, 7, 7], initial = {} }
phases.swing = { until = { time = 1 } }
output.interval = 0.1
[forces.bends]
kind = "modal_body"
body = "hull"
frequency = [20.0]
mass = MASS
coordinate = [PLACE]
points.top = { at = [1, 0, 0], shape = [[0, SHAPE, 0]], turn = [[0, 0, SHAPE]] }
"""


def test_steps_do_not_depend_on_how_modes_are_normalised():
    """Shapes a million times as large, or as small, with amplitudes and masses that go with them: the same
    steps, and y = a cos wt to what a hundred of these allow."""
    found = []
    for size in (1.0, 2.0**20, 2.0**-20):  # which change no digit
        numbers = {"MASS": 5 * size**2, "PLACE": 0.02 / size, "SHAPE": size}
        text = NORMALISED
        for name, number in numbers.items():
            text = text.replace(name, repr(number))
        flight = loads(text).run()
        y = flight["forces.bends.point_top.deflection.y"]
        assert y == pytest.approx(0.02 * np.cos(20 * flight.time), abs=100 * 1e-9)
        found.append((flight.record.statistics["steps accepted"], *y))
    assert found[1] == found[0] == found[2]


# --- files ----------------------------------------------------------------------------------------------

HEADER = "mode, frequency [Hz], mass, damping, point, x [mm], y, z, dx, dy, dz, rx, ry [rad/mm], rz"
ROWS = [
    "1, 3, 5, 0.01, tail, -1000, 0, 0, 0, 2, 0.1, 0.3, 0, -4",
    "1, 3, 5, 0.01, top, 1000, 0, 0, 0.1, 2, 0, 0, 0.0005, 4",
    "2, 4, 4, 0.02, tail, -1000, 0, 0, 0.2, 0, 2, 0, 0.004, 0.2",
    "2, 4, 4, 0.02, top, 1000, 0, 0, 0, 0, 2, 0.4, -0.004, 0",
]
INLINE = TEXT[TEXT.index("frequency = [30") : TEXT.index("[forces.waves]")]


def with_file(path: Any, more: str = "") -> str:
    """The scenario with the modes of the core from a file."""
    return TEXT.replace(INLINE, f'file = "{path}"\n{more}\n')


def test_a_table_is_read(tmp_path):
    path = tmp_path / "core.csv"
    path.write_text("\n".join([HEADER, *ROWS]))
    modes = loads(with_file(path)).forces[0]
    assert modes.frequency == pytest.approx(2 * np.pi * np.array([3, 4]))
    assert modes.mass.tolist() == [5, 4]
    assert modes.damping.tolist() == [0.01, 0.02]
    for point, there in zip(modes.points, BOTH.forces[0].points, strict=True):
        assert point.name == there.name
        for field in ("at", "shape", "turn"):
            assert getattr(point, field) == pytest.approx(getattr(there, field), abs=1e-15)
    assert loads(with_file(path, "modes = [2]")).forces[0].damping.tolist() == [0.02]


def punched(modes: Any, output: str = "REAL") -> str:
    """A punch file of (mode, eigenvalue, {grid: numbers}), as Nastran writes them: six numbers, or twelve of
    complex output, whose eigenvalue is complex too (formats of subroutine OFPPUN of NASTRAN-95)."""
    lines = ["$TITLE   = CORE", "$SUBTITLE=", "$LABEL   =", "$EIGENVECTOR", f"${output} OUTPUT"]
    lines += ["$SUBCASE ID =           1"]
    for mode, eigenvalue, grids in modes:
        if isinstance(eigenvalue, complex):
            both = f"({eigenvalue.real:15.7E},{eigenvalue.imag:15.7E})"
            lines.append(f"$EIGENVALUE = {both} MODE ={mode:6d}")
        else:
            lines.append(f"$EIGENVALUE ={eigenvalue:15.7E}  MODE ={mode:6d}")
        for grid, numbers in grids.items():
            fields = [f"{value:18.6E}" for value in numbers]
            rows = ["".join(fields[k : k + 3]) for k in range(0, len(fields), 3)]
            lines += [f"{grid:10d}       G{rows[0]}", *(f"-CONT-            {row}" for row in rows[1:])]
    return "\n".join(f"{line:72s}{n:8d}" for n, line in enumerate(lines, 1)) + "\n"


UNITS = 'file_length = "1 m"\nmass = 1\n'
GRIDS = """
[forces.bends.points]
tail = { grid = 11, at = [-1, 0, 0] }
top = { grid = 12, at = [1, 0, 0] }
"""
RIGID = (1, 1e-5, {11: [1, 0, 0, 0, 0, 0], 12: [1, 0, 0, 0, 0, 0]})
BENDING = (
    (7, 900.0, {11: [0, 2, 0.1, 0.3, 0, -4], 12: [0.1, 2, 0, 0, 0.5, 4]}),
    (8, 1089.0, {11: [0.2, 0, 2, 0, 4, 0.2], 12: [0, 0, 2, 0.4, -4, 0]}),
)


def test_a_punch_file_is_read(tmp_path):
    path = tmp_path / "core.pch"
    path.write_text(punched([RIGID, *BENDING]))
    scenario = loads(with_file(path, 'modes = [7, 8]\nmass = [5, 4]\nfile_length = "1 m"' + GRIDS))
    assert not any("forces.bends.frequency" in text for text in bare_angles.notes(scenario))
    modes = scenario.forces[0]
    assert modes.frequency == pytest.approx([30, 33])
    for point, there in zip(modes.points, BOTH.forces[0].points, strict=True):
        for field in ("at", "shape", "turn"):
            assert getattr(point, field) == pytest.approx(getattr(there, field), abs=1e-15)
    text = with_file(path, 'modes = [7, 8]\nfile_length = "1 mm"\nmass = "1 t"' + GRIDS)
    assert loads(text).forces[0].points[0].turn[0] == pytest.approx([300, 0, -4000])


def test_the_units_of_a_punch_file_are_asked_for(tmp_path):
    path = tmp_path / "core.pch"
    path.write_text(punched(BENDING))
    for given, missing in (("", ("file_length", "mass")), ("mass = 1", ("file_length",)), (UNITS, ())):
        text = with_file(path, given + GRIDS)
        found = told(text) if missing else []
        assert [p.place for p in found] == [f"forces.bends.{field}" for field in missing]
        assert all(p.place.rpartition(".")[2] in p.message for p in found)


def told(text: str) -> Any:
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    return caught.value.problems


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (HEADER, HEADER.replace(", rz", ", tz"), "the columns rz are missing"),
        (HEADER, HEADER.replace("damping", "zeta"), "columns zeta are unknown"),
        (HEADER, HEADER.replace("damping", "mass"), "a column name is repeated"),
        (HEADER, HEADER.replace("[Hz]", "[kg]"), "column frequency has no valid unit"),
        (HEADER, HEADER.replace("[mm]", "[s]"), "column x is in s. Use m"),
        ("1, 3, 5, 0.01, top", "1, 3.5, 5, 0.01, top", "line 3: the values of mode 1"),
        ("1, 3, 5, 0.01, top", "1.5, 3, 5, 0.01, top", "'1.5' is not a whole number"),
        ("2, 4, 4, 0.02, top, 1000", "2, 4, 4, 0.02, top, 999", "line 5: the values of point top"),
        ("2, 4, 4, 0.02, top", "2, 4, 4, 0.02, tail", "the values of point tail"),
        ("0.01, top", "0.01, 101", "line 3: column point: '101' is not a valid name"),
        (ROWS[3], "", "mode 2 has no row for point top"),
        (ROWS[3], ROWS[2], "line 5: mode 2 has two rows for point tail"),
        ("0.2\n", "nan\n", "'nan' is not a finite number"),
        ("\n2, 4, 4,", "\n2, -4, 4,", "frequency is negative"),
        ("\n2, 4, 4,", "\n2, 0, 4,", "mode 2 of"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(tmp_path, old, new, words):
    path = tmp_path / "core.csv"
    text = "\n".join([HEADER, *ROWS])
    assert old in text
    path.write_text(text.replace(old, new))
    assert any(words in p.message for p in told(with_file(path))), told(with_file(path))


def test_a_table_without_rows_is_told_which_header_it_may_have(tmp_path):
    (tmp_path / "core.csv").write_text(HEADER)
    (problem,) = told(with_file(tmp_path / "core.csv"))
    assert "Write a header such as 'mode, frequency [Hz], mass, point, x, y, z, dx" in problem.message


@pytest.mark.parametrize(
    ("modes", "more", "words"),
    [
        ([RIGID, *BENDING], GRIDS, "mode 1 of"),
        ([(1, -5.0, BENDING[0][2]), *BENDING], GRIDS, "rigid-body mode (0 Hz)"),
        (BENDING, "modes = [7, 9]" + GRIDS, "mode 9 is not in"),
        (BENDING, "modes = [7, 7]" + GRIDS, "lists a mode twice"),
        (BENDING, "", "has no positions of grid points"),
        (BENDING, GRIDS.replace("grid = 12, ", ""), "does not name a grid point"),
        (BENDING, GRIDS.replace("grid = 12", "grid = 13"), "grid point 13 is not in"),
        (BENDING, "frequency = [1]" + GRIDS, "is also in the file"),
        (BENDING, UNITS.replace("1 m", "0 m") + GRIDS, "must be more than zero"),
        ([BENDING[0], BENDING[0]], GRIDS, "mode 7 is in the file twice"),
        ([], GRIDS, "has no line $EIGENVALUE"),
        ([(7, 900.0, {})], GRIDS, "mode 7 has no grid points"),
    ],
)
def test_what_is_wrong_with_a_punch_file_is_told(tmp_path, modes, more, words):
    path = tmp_path / "core.pch"
    path.write_text(punched(modes))
    found = told(with_file(path, more if "file_length" in more else UNITS + more))
    assert any(words in p.message for p in found), found


def test_punch_files_that_are_cut_off_are_told(tmp_path):
    path = tmp_path / "core.pch"
    lines = punched(BENDING).splitlines()
    for text, words in (
        ("\n".join(lines[:10]), "has no line -CONT-"),
        ("\n".join(lines).replace("2.000000E+00", "2.0000**E+00"), "is not a number"),
        (
            "\n".join(lines).replace("$REAL OUTPUT", "$REAL-IMAGINARY OUTPUT"),
            "$REAL-IMAGINARY OUTPUT has 3",
        ),
        ("\n".join(lines).replace("$REAL OUTPUT", "$MAGNITUDE-PHASE OUTPUT"), "has 1 lines -CONT-"),
        (punched(_complex(BENDING)), "has 3 lines -CONT-, but $REAL OUTPUT has 1"),
    ):
        path.write_text(text)
        assert any(words in p.message for p in told(with_file(path, GRIDS))), told(with_file(path, GRIDS))
    assert "no such file" in told(with_file(tmp_path / "none.pch", GRIDS))[0].message


def _complex(modes: Any, angle: float = 0.0, damping: float = 0.0) -> list[Any]:
    """Modes as complex output has them. angle: turn of the first grid point [deg]."""
    found = []
    for mode, eigenvalue, grids in modes:
        values: dict[int, Any] = {grid: np.array(six, complex) for grid, six in grids.items()}
        values[11] = values[11] * np.exp(1j * np.radians(angle))
        both = {grid: [*six.real, *six.imag] for grid, six in values.items()}
        found.append((mode, complex(-damping, 1) * np.sqrt(eigenvalue), both))
    return found


def _in_phase(modes: Any) -> list[Any]:
    """Complex output without imaginary parts as magnitudes and phases [deg]."""
    return [
        (
            mode,
            eigenvalue,
            {grid: [*map(abs, six), *(180.0 * (v < 0) for v in six)] for grid, six in of.items()},
        )
        for (mode, eigenvalue, _), (_, _, of) in zip(_complex(modes), modes, strict=True)
    ]


def test_complex_output_of_real_modes_is_read(tmp_path):
    paths = [tmp_path / f"{n}.pch" for n in range(3)]
    paths[0].write_text(punched(BENDING))
    # the largest component is 4: an imaginary part of the last of seven digits is zero
    tiny = _complex(BENDING, damping=1e-7)
    tiny[0][2][12][7] = 3e-6
    paths[1].write_text(punched(tiny, "REAL-IMAGINARY").replace("= CORE", "= COMPLEX, SORT2"))
    paths[2].write_text(punched(_in_phase(BENDING), "MAGNITUDE-PHASE"))
    real, *others = (loads(with_file(path, UNITS + GRIDS)).forces[0] for path in paths)
    assert real.frequency == pytest.approx([30, 33])
    for other in others:
        assert other.frequency == pytest.approx(real.frequency, rel=1e-7)  # digits of the file
        for point, there in zip(other.points, real.points, strict=True):
            assert np.array(point.shape) == pytest.approx(np.array(there.shape), rel=1e-6, abs=1e-15)
            assert np.array(point.turn) == pytest.approx(np.array(there.turn), rel=1e-6, abs=1e-15)


@pytest.mark.parametrize(
    ("modes", "words"),
    [
        (_complex(BENDING, angle=1), "mode 7 is complex: grid point 11 has the imaginary part"),
        (
            _complex(BENDING, damping=0.01),
            "line 7: mode 7 is complex: growth rate -0.3 1/s, angular frequency",
        ),
        ([(7, complex(0, -30), {})], "mode 7 is complex: growth rate 0 1/s, angular frequency -30 rad/s"),
    ],
)
def test_complex_modes_are_refused(tmp_path, modes, words):
    path = tmp_path / "core.pch"
    path.write_text(punched(modes, "REAL-IMAGINARY"))
    (problem,) = told(with_file(path, UNITS + GRIDS))
    assert words in problem.message
    assert "Punch real modes" in problem.message


def test_a_frequency_response_is_refused_by_name(tmp_path):
    path = tmp_path / "core.pch"
    for header in ("$FREQUENCY =   0.1000000E+01", "$POINT ID =           1  IDENTIFIED BY FREQUENCY"):
        text = punched([], "REAL-IMAGINARY").replace("$EIGENVECTOR", "$DISPLACEMENTS")
        path.write_text(f"{text}{header}\n        11       G\n")
        (problem,) = told(with_file(path, UNITS + GRIDS))
        assert "line 7: the file has a frequency response" in problem.message


def _remarks(points: str) -> list[str]:
    from interstage.diagnosis.plausibility import remarks

    table = f'frequency = "3 Hz"\nmass = 5\n[forces.bends.points]\n{points}\n'
    table = table.replace('"3 Hz"', "[18.0]").replace("mass = 5", "mass = [5]")
    return [text for text in remarks(loads(TEXT.replace(INLINE, table))) if "clamped" in text]


def test_modes_of_a_clamped_body_are_warned_of():
    """A cantilever's root is at rest, and its first mode moves all to one side. The middle of the first axial
    mode of a free rod is at rest as well, and its halves move apart."""
    root = "root = { at = [-1, 0, 0], shape = [[0, 0, 0]], turn = [[0, 0, 0]] }"
    cantilever = f"{root}\nmid = {{ at = [0, 0, 0], shape = [[0, 0.34, 0]], turn = [[0, 0, 0.58]] }}\n"
    cantilever += "tip = { at = [1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0.69]] }"
    (warned,) = _remarks(cantilever)
    assert "bends: point 'root' does not move in any mode" in warned
    rod = "\n".join(
        f"p{k} = {{ at = [{x}, 0, 0], shape = [[{x}, 0, 0]], turn = [[0, 0, 0]] }}"
        for k, x in enumerate((-1, 0, 1))
    )
    assert _remarks(rod) == []


# --- bad input ------------------------------------------------------------------------------------------

JOINT = '[joints.hinge]\nkind = "fixed"\nparent = "core"\nchild = "top"\nparent_at = [1, 0, 0]\n'
LUMPS = """
[forces.waves.points]
a = { at = [-0.3, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0]], mass = 2.5 }
b = { at = [0.0, 0, 0], shape = [[0, -1, 0]], turn = [[0, 0, 0]], mass = 5.0 }
c = { at = [0.3, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0]], mass = 2.5 }
bottom = { at = [-0.5, 0, 0], shape = [[0, 2, 1]], turn = [[0, 1, -4]], mass = 0.0 }
"""
CONTACT = """[bodies.top.shapes.box]
kind = "box"
size = [1, 1, 1]
[contacts.touch]
body = "core"
points = [[1, 0, 0]]
against = ["top"]
stiffness = 1e5
"""
TWIN = "again = { at = [-0.5, 0, 0], shape = [[0, 2, 0]], turn = [[0, 1, -4]] }\n"
TABLE = """[forces.waves.points]
bottom = {{ at = [-0.5, 0, 0], shape = {shape}, turn = {turn} }}
end = {{ at = [0.5, 0, 0], shape = {other}, turn = {turn} }}
"""
TWICE = TABLE.format(shape=[[0, 1, 0]] * 2, turn=[[0, 0, 0]] * 2, other=[[0, 2, 0]] * 2)
RIGID_ONE = TABLE.format(shape=[[0, 1, 0]], turn=[[0, 0, 1]], other=[[0, 2, 0]])
SLOW = TABLE.format(shape=[[0, 1, 0], [0, 1, 0]], turn=[[0, 0, 0]] * 2, other=[[0, 1, 0], [0, -1, 0]])
POINTS = TEXT[TEXT.index("[forces.waves.points]") : TEXT.index("[forces.flange]")]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("frequency = [50.0]", "frequency = [0.0]", "forces.waves.frequency", "more than zero"),
        ("frequency = [50.0]", "frequency = [-5.0]", "forces.waves.frequency", "more than zero"),
        ("frequency = [50.0]", 'frequency = "[8] Hz"', "forces.waves.frequency", "rev/s"),
        ("mass = 3.0\n", "mass = 0.0\n", "forces.waves.mass", "more than zero"),
        ("mass = 3.0\n", "mass = [3.0, 3.0]\n", "forces.waves.mass", "has 2 numbers"),
        ("mass = 3.0\n", "damping = -0.1\n", "forces.waves.damping", "negative"),
        (
            "coordinate = [0.02]",
            "coordinate = [0.02, 0]",
            "forces.waves.coordinate",
            "Give one number for each of 1",
        ),
        ("shape = [[0, 2, 1]]", "shape = [[0, 2, 1], [0, 0, 0]]", "forces.waves.points", "has 2 rows"),
        ('body = "top"', 'body = "tip"', "forces.waves.body", "there is no body 'tip'"),
        ('body = "top"', 'body = "core"', "forces.waves.body", "already has the modes"),
        (
            "bottom = { at = [-0.5",
            "bottom = { at = [-0.4",
            "forces.flange.child_at",
            "not a point of the modes",
        ),
        (
            "bottom = { at = [-0.5",
            "bottom = { at = [-0.4",
            "devices.spring.child_at",
            "not a point of the modes",
        ),
        (POINTS, "", "forces.waves.points", "is empty"),
        ("mass = 3.0\n", "modes = [1]\n", "forces.waves.modes", "is set without 'file'"),
        ("[forces.flange]", JOINT + "[forces.flange]", "joints.hinge.child_at", "not a point of the modes"),
        (
            "[forces.push]",
            '[forces.twist]\nkind = "torque"\nbody = "core"\ntorque = [1, 0, 0]\n[forces.push]',
            "forces.twist.body",
            "acts on rigid bodies only",
        ),
        ("at = [-1, 0, 0]\nthrust", "at = [-2, 0, 0]\nthrust", "engines.thruster.at", "not a point"),
        ("at = [-1, 0, 0]\nframe", "at = [0, 1, 0]\nframe", "sensors.imu.at", "not a point of the modes"),
        ("\n[bodies.core]", "coordinates = 'point'\n[bodies.core]", "forces.bends", "rigid"),
        ("[forces.push]", CONTACT + "[forces.push]", "contacts.touch.body", "'core' is flexible"),
        ("[forces.push]", CONTACT + "[forces.push]", "contacts.touch.against", "'top' is flexible"),
        ("bottom = {", TWIN + "bottom = {", "forces.waves.points.bottom.at", "has the position of 'again'"),
        (
            "bottom = { at",
            "bottom = { grid = 3, at",
            "forces.waves.points.bottom.grid",
            "without a punch file",
        ),
        ("frequency = [50.0]", "frequency = [50.0, 50.0]", "forces.waves.points", "has 1 row"),
        (POINTS, RIGID_ONE, "forces.waves.points", "all modes move all points like one rigid body"),
        (POINTS, LUMPS.replace("5.0", "4.0"), "forces.waves.points", "sum to 9 kg"),
        (POINTS, LUMPS, "forces.waves.mass", "give 10 kg, but the generalized mass is 3 kg"),
        (POINTS, LUMPS.replace("-1, 0]]", "1, 0]]"), "forces.waves.points", "moves the centre of mass"),
        (
            POINTS,
            LUMPS.replace("[0.3, 0, 0], shape = [[0, 1", "[0.3, 0, 0], shape = [[0, 3"),
            "forces.waves",
            "angular",
        ),
    ],
)
def test_what_cannot_be_is_told(old, new, place, words):
    assert old in TEXT
    found = told(TEXT.replace(old, new, 1))
    assert any(words in p.message for p in found if p.place.startswith(place)), found


def test_modes_with_the_masses_of_their_body_pass():
    text = TEXT.replace("mass = 3.0\n", "mass = 10.0\n").replace(POINTS, LUMPS)
    assert loads(text).forces[1].points[0].mass == 2.5


def test_air_that_bends_nothing_is_remarked():
    air = "[aerodynamics.drag]\nbody = 'core'\narea = 1\nlength = 1\ncoefficients = { CD = 1 }\n"
    world = "planet = { kind = 'flat' }\natmosphere = 'us76'\n"
    said = remarks(loads(world + TEXT.replace("[forces.flange]", air + "[forces.flange]")))
    assert any("do not excite" in one for one in said), said


def test_what_acts_or_sees_as_on_a_rigid_body_is_remarked():
    """A class of the user's own, whose loads no scenario names, and a law of the body's own rate."""
    own = '[forces.mine]\nkind = "user"\nclass = "mine:Push"\n[forces.push]'
    hold = '[controls.hold]\nkind = "rate"\nbody = "core"\ngain = 1.0\nperiod = 0.01\n[forces.push]'
    plain = remarks(loads(TEXT))
    for more, words in (
        (own, "mine: loads of its class on core and top act as on"),
        (hold, "hold: the law uses the rigid-body attitude of core"),
    ):
        found = [one for one in remarks(loads(TEXT.replace("[forces.push]", more))) if one not in plain]
        assert found[0].startswith(words)
        assert all("has no effect" in one for one in found[1:])


def test_a_number_that_a_file_gives_is_changed_by_its_path(tmp_path):
    """As a sweep's own last line has it; what is about the file is heard as it is read."""
    (tmp_path / "core.csv").write_text("\n".join([HEADER, *ROWS]))
    (tmp_path / "a.toml").write_text(
        "bodies.core = { mass = 3, inertia = [1, 1, 1], initial = {} }\n"
        "phases.go = { until = { time = 1 } }\n"
        'forces.bends = { kind = "modal_body", body = "core", file = "core.csv" }\n'
    )
    bent = "forces.bends"
    there = load(tmp_path / "a.toml").forces[0]
    whole = load(tmp_path / "a.toml", set={f"{bent}.frequency": [3.0] * there.count, f"{bent}.damping": 0.1})
    one = load(tmp_path / "a.toml", set={f"{bent}.frequency[0]": "2 rev/s"}).forces[0]
    few = load(tmp_path / "a.toml", set={f"{bent}.modes": [1], f"{bent}.mass": 7}).forces[0]
    np.testing.assert_array_equal(whole.forces[0].frequency, 3.0)
    np.testing.assert_array_equal(whole.forces[0].damping, 0.1)
    np.testing.assert_array_equal(one.frequency, [4 * np.pi, *there.frequency[1:]])
    assert (few.count, *few.mass) == (1, 7.0)
    for path, value, said in [
        (f"{bent}.frequency", [1.0], "points.tail.shape: 'shape' has .* rows. Give one row for each of 1"),
        (f"{bent}.frequency[9]", 1.0, "has no element .9.. .* list of 2"),
        (f"{bent}.frequancy", 1.0, "did you mean 'frequency'"),
    ]:
        with pytest.raises(ist.BadInput, match=said):
            load(tmp_path / "a.toml", set={path: value})


@pytest.mark.parametrize(
    ("frequency", "points", "words"),
    [("[50, 50]", TWICE, "mode 2 is equal to mode 1"), ("[0.1, 50]", SLOW, "mode 1 is a rigid-body mode")],
)
def test_modes_that_are_none_of_their_own_are_told(frequency, points, words):
    text = TEXT.replace("frequency = [50.0]", f"frequency = {frequency}").replace(POINTS, points)
    found = told(text.replace("coordinate = [0.02]\n", ""))
    assert any(words in p.message for p in found if p.place == "forces.waves.frequency"), found


def test_what_sees_bodies_unbent_is_remarked_and_trims_say_what_they_leave():
    more = """[interfaces.ring]
forces = ["flange"]
at = [0, 0, 0]
[pairs.gap]
parent = "core"
child = "top"
parent_at = [1, 0, 0]
child_at = [-0.5, 0, 0]
[forces.push]"""
    scenario = loads(TEXT.replace("[forces.push]", more))
    said = [one for one in remarks(scenario) if "deformation" in one]
    assert [one.partition(":")[0] for one in said] == ["ring", "gap", "gap"]
    assert "coordinate" in scenario.forces[0].trim_limitation


def test_points_that_are_held_to_the_ground_are_held():
    """By a bushing to the ground as by one to a body at rest, which a joint holds on the ground or none."""
    moor = """[forces.moor]
kind = "bushing"
parent = "{parent}"
child = "core"
child_at = [-1, 0, 0]
parent_at = [-1, 0, 0]
stiffness = [1e4, 2e4, 3e4]
torsional_stiffness = [1e3, 2e3, 3e3]
[forces.push]"""
    hut = "[bodies.hut]\nmass = 1.0\ninertia = [1, 1, 1]\ninitial = {}\n"
    joint = '[joints.hold]\nkind = "fixed"\nparent = "ground"\nchild = "hut"\n'
    bare = instant_as_declared(loads(TEXT))
    texts = [("ground", ""), ("ground", hut + joint), ("hut", hut), ("hut", hut + joint)]
    found = [
        instant_as_declared(loads(TEXT.replace("[forces.push]", more + moor.format(parent=parent))))
        for parent, more in texts
    ]
    for one in found:
        assert one.acceleration[:, :2] == pytest.approx(found[2].acceleration[:, :2], rel=1e-12, abs=1e-9)
        assert one.generalized_accelerations == pytest.approx(
            found[2].generalized_accelerations, rel=1e-12, abs=1e-9
        )
    assert np.max(np.abs(found[0].generalized_accelerations - bare.generalized_accelerations)) > 1.0


@pytest.mark.parametrize("field", ["shape", "turn"])
def test_shapes_of_several_cases_are_those_of_each(field):
    """Of cases side by side, by NumPy."""
    item = loads(TEXT).forces[0]
    point = item.points[0]
    several = np.stack([(1 + k) * getattr(point, field) for k in range(3)], -1)
    lanes = item.model_copy(update={"points": (point.model_copy(update={field: several}), *item.points[1:])})
    at = np.array([-1.0, 0.0, 0.0])
    _, found = nearest_shapes(lanes, at[:, None], 1)
    for k in range(3):
        own = point.model_copy(update={field: several[..., k]})
        _, single = nearest_shapes(item.model_copy(update={"points": (own, *item.points[1:])}), at, 0)
        assert np.asarray(found)[..., k] == pytest.approx(np.asarray(single), abs=0)


def test_cases_out_of_reach_are_refused():
    """As a single flight is, of each case of a batch."""
    with pytest.raises(ist.BadInput, match=r"case 1.* from the nearest point .* above 'reach'"):
        loads(TEXT).run_batch({"sensors.imu.at[0]": [-1.0, -0.5]}, progress=False)


def test_bending_and_turning_that_go_too_far_are_said():
    """At the start by the check; of a flight by what adds to its record."""
    from interstage.parts.modal import limits

    far = TEXT.replace("coordinate = [0.02]", "coordinate = [0.2]")
    said = remarks(loads(far.replace("[0, 0.1, 0.2]", "[0, 0, 20]")))
    assert any("waves: bending rotated point bottom by 0.825 rad at the start" in one for one in said), said
    assert any("top rotated at 20 rad/s" in one for one in said), said
    assert not any(one.startswith("waves") for one in remarks(loads(TEXT)))
    core = loads(TEXT).forces[0]  # 2 m long, displaced by twice its coordinate
    courses = np.array([[0.0, 0.0], [0.2, 0.0], [0.1, 0.0]])
    found = list(limits.excesses(core, courses, np.array([0.0, 8.0, 9.5])))
    assert [n for n, *_ in found] == [1, 1, 2]
    assert "moved elastically by 0.4" in found[1][1]


def test_what_is_beside_a_file_and_does_not_go_with_it_is_told(tmp_path):
    table, punch = tmp_path / "core.csv", tmp_path / "core.pch"
    table.write_text("\n".join([HEADER, *ROWS]))
    assert "applies to punch files only" in told(with_file(table, 'file_length = "1 mm"'))[0].message
    punch.write_text(punched(BENDING))
    number = GRIDS[GRIDS.index("grid = ") :].split(",")[0]
    for more, words in (
        (f"{number}, shape = [[0, 0, 0]]", "is also in the file"),
        (f"{number}, at = [9, 0, 0] }}\nother = {{ {number}", "is already used for another point"),
    ):
        found = told(with_file(punch, UNITS + GRIDS.replace(number, more, 1)))
        assert any(words in p.message for p in found), found


def test_legs_without_attitude_refuse_modes():
    text = """planet = "earth"
[bodies.a]
mass = 1000.0
inertia = [100, 1000, 1000]
initial = { latitude = "0 deg", longitude = "0 deg", altitude = "100 km", speed = "3 km/s" }
[forces.b]
kind = "modal_body"
body = "a"
frequency = [30.0]
[guidance.g]
kind = "angles"
body = "a"
yaw = 0
pitch = 0
roll = 0
[legs.one]
phases.x = { until = { elapsed = "1 s" } }
[legs.two]
after = { leg = "one" }
coordinates = "point"
attitude = "g"
phases.y = { until = { elapsed = "1 s" } }
"""
    found = told(text)
    assert any(
        "does not support flexible bodies" in p.message for p in found if p.place == "legs.two.coordinates"
    ), found
    assert loads(text.replace('attitude = "g"', 'attitude = "g"\nwithout = ["forces.b"]'))


def line_of_points(sizes: list[float], coordinate: float, more: str = "") -> Any:
    """The record of a body with one mode of these displacements at points a metre apart."""
    points = "\n".join(
        f'p{k} = {{ at = "[{k}, 0, 0] m", shape = [[0, {size}, 0]], turn = "[[0, 0, 0]] rad/m" }}'
        for k, size in enumerate(sizes)
    )
    scenario = loads(
        "[bodies.beam]\nmass = 1\ninertia = [1, 2, 2]\ninitial = {}\n"
        f'[forces.bends]\nkind = "modal_body"\nbody = "beam"\nfrequency = "[1] rev/s"\n'
        f"coordinate = [{coordinate}]\n[forces.bends.points]\n{points}\n{more}\n"
        '[phases.free]\nuntil = { time = "0.3 s" }\n'
    )
    return scenario.run().record


NINE = [-0.1, 0.5, 0.2, 0.9, 0.3, -0.7, 0.4, 0.8, 0.6]


def test_reports_show_points_that_tell_of_the_bending_and_how_many_are_left_out():
    """One mode with the coordinate q: each point is displaced by its shape times q, the most at the start;
    drawn are the ends, the one that moves most and that which moves most the other way, and points with a
    sensor, here those that move most of three."""
    sensors = "".join(f"[sensors.s{k}]\nbody = 'beam'\nat = [{k}, 0, 0]\n" for k in (4, 2, 1))
    record = line_of_points(NINE, 0.01, sensors)
    (table,) = [table for table in shown.tables(record, "SI") if table.key == "deflections"]
    assert table.rows == [["beam", "p3", "0.0090000", "0"]]
    (figure,) = shown.figures(record, "SI")
    titles = [panel.title for row in figure.rows for panel in row]
    assert titles == ["beam", "p0", "p1", "p3", "p5", "p8"]
    few = line_of_points(NINE[:2], 0.01)
    (both,) = shown.figures(few, "SI")
    said = "beam: elastic deformation"
    assert figure.caption.startswith(f"{said} of 5 of 9 points")
    assert both.caption == said


@pytest.mark.parametrize("size", [0.99, 1.01])
def test_reports_show_nothing_of_bending_that_is_rounding(size):
    """16 roundings of the 8 m from the centre of mass to the last point."""
    least = 16 * 2.0**-52 * 8
    record = line_of_points(NINE, size * least / max(1.0, *NINE))
    bending, deflection = shown.tables(record, "SI")
    (figure,) = shown.figures(record, "SI")
    seen = size > 1
    # With 1 kg of 1 kg the mode displaces the whole by its coordinate, which is more than any point.
    assert (bending.rows[0][3:] == ["0", "0", "-"]) != seen
    assert deflection.rows == [["beam", "-", "0", "-"]]
    assert bool(figure.rows[0][0].marks) == seen


def test_linear_analysis_names_the_mode_that_moves():
    """Of a free body at rest each mode swings by itself."""
    body, bends = TEXT[TEXT.index("[bodies.core]") : TEXT.index("[bodies.top]")], TEXT.index("[forces.bends]")
    still = body.replace(", velocity = [0.1, 0.2, 0.3], angular_velocity = [0.3, -0.5, 0.4]", "")
    text = still + TEXT[bends : TEXT.index("[forces.waves]")] + "[phases.free]\nuntil = { time = 0.1 }\n"
    text = text.replace("coordinate = [0.05, -0.03]\nrate = [0.5, 1.0]\n", "")
    linear: Any = loads(text).linearize(outputs=())
    most = ((one.frequency, next(iter(linear.taking_part(one)))) for one in linear.modes)
    moving = {round(2 * np.pi * frequency, 6): thing for frequency, thing in most}
    assert moving == {0.0: "body core", 30.0: "mode 1 of bends", 33.0: "mode 2 of bends"}
    (table,) = (one for one in linear.tables() if one.key == "modes")
    assert [row[-1] for row in table.rows][-2:] == ["mode 1 of bends", "mode 2 of bends"]
