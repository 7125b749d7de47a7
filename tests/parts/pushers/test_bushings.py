"""Bushings and massless beams: what the pair as a whole feels, frequencies and deflections, and
what is refused."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation

import interstage as ist
from interstage.parts.bushings.law import Deflection, load, rotation_vector, torque_of
from interstage.programs.program import configure
from interstage.reading import loads
from interstage.report.summary import separations_table
from interstage.runs.run import fly
from interstage.tree.errors import BadInput

pytestmark = pytest.mark.usefixtures("long_flights")

configure()
TOLERANCE = 1e-12
CLOSED = 1e-8
"""Of a closed form, relative: a hundred steps or so of this tolerance."""
MASS, INERTIA = 4.0, np.array([0.3, 0.5, 0.4])
ACTS: Any = {"parent": "a", "child": "b"}


def two(forces, until=0.5, ground=False, state=None, free=0.0, **more) -> ist.Scenario:
    """A body b beside a body a or the ground, with some forces, and a phase "free" afterwards."""
    phases = [ist.Phase(name="swing", until=ist.Trigger(time=until))]
    phases += [ist.Phase(name="free", until=ist.Trigger(elapsed=free))] if free else []
    start = ist.State(**(state or {}))
    b = ist.Body(name="b", mass=MASS, inertia=INERTIA, initial=start)
    a = ist.Body(name="a", mass=6.0, inertia=[0.9, 0.7, 0.8], initial=ist.State())
    return ist.Scenario(
        bodies=(b,) if ground else (a, b),
        forces=tuple(forces),
        phases=tuple(phases),
        solver=ist.Solver(tolerance=TOLERANCE),
        output=ist.Output(interval=until / 20),
        **more,
    )


GROUNDED: Any = {"parent": "ground", "child": "b"}


# --- the pair as a whole


def drawn_matrix(seed):
    """A symmetric positive definite stiffness that couples everything [SI]."""
    root = np.random.default_rng(seed).standard_normal((6, 6))
    return 200 * (root @ root.T + np.eye(6))


BUSHING = ist.Bushing(
    name="mount",
    **ACTS,
    parent_at=[0.3, -0.1, 0.2],
    child_at=[-0.2, 0.1, 0.3],
    parent_frame=ist.Attitude(euler="3-2-1", angles=[0.4, -0.3, 0.8]),
    child_frame=ist.Attitude(euler="3-2-1", angles=[-0.2, 0.5, 0.1]),
    matrix=drawn_matrix(1),
    preload=[3.0, -5.0, 2.0],
    preload_torque=[0.5, 0.2, -0.4],
)
BEAM: Any = {
    "name": "mount", **ACTS, "parent_at": [0.2, 0, 0], "child_at": [-0.3, 0.1, 0],
    "length": 0.5, "bending_stiffness": 40.0, "torsional_stiffness": 30.0,
}  # fmt: skip
TURNED: Any = {
    "position": [0.9, 0.1, -0.05],
    "velocity": [0.4, -0.2, 0.3],
    "attitude": ist.Attitude(euler="3-2-1", angles=[0.5, -0.7, 0.9]),
    "angular_velocity": [1.0, -2.0, 1.5],
}
PAIRS = {
    "bushing": BUSHING,
    "pinned": ist.BeamSpring(**BEAM, axial_stiffness=500.0),
    "clamped": ist.BeamSpring(**BEAM, axial_stiffness=500.0, tip="clamped"),
    "sliding": ist.BeamSpring(**BEAM, slides=True, tip="clamped"),
}


@pytest.mark.parametrize(
    "kind",
    ["sliding", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("bushing", "pinned", "clamped"))],
)
def test_the_pair_feels_neither_force_nor_torque_and_keeps_its_energy(kind):
    """At turns of a radian and more, and far out of its rest: momentum, angular momentum, and the energy that
    the spring's own belongs to, stay."""
    record = fly(two([PAIRS[kind]], state=TURNED))
    size = MASS * np.linalg.norm(TURNED["velocity"])
    momentum = record.series["system.momentum"]
    assert np.abs(momentum - momentum[0]).max() < 1e-11 * size
    spin = record.series["system.angular_momentum"]
    assert np.abs(spin - spin[0]).max() < 1e-10 * np.abs(spin).max()
    energy, kinetic = record.series["system.energy"], record.series["system.kinetic_energy"]
    assert np.ptp(kinetic) > 1e-2 * kinetic[0]  # control: the spring is at work
    assert np.ptp(energy) < 1e-9 * max(np.abs(energy).max(), kinetic.max())
    stored = record.series["forces.mount.energy"]
    assert energy - kinetic == pytest.approx(stored, abs=1e-12 * np.abs(stored).max())


@pytest.mark.parametrize("out", [0.0, 0.04])
def test_a_beam_that_starts_in_its_guide_is_refused(out):
    """At its guide nothing is left of it that bends: the steps would follow a frequency without end."""
    turn = Rotation.from_euler("ZYX", TURNED["attitude"].angles).as_matrix()
    place = np.add(BEAM["parent_at"], [out * BEAM["length"], 0, 0]) - turn @ BEAM["child_at"]
    with pytest.raises(
        BadInput, match=rf"forces\.mount: the beam starts with {100 * out:g} % .* allowed: 5 %"
    ):
        fly(two([PAIRS["sliding"]], state=TURNED | {"position": place}))


def test_damping_takes_energy_and_no_momentum():
    damped = BUSHING.model_copy(
        update={"damping": np.array([5.0, 2.0, 9.0]), "torsional_damping": np.array([0.5, 0.2, 0.1])}
    )
    record = fly(two([damped], state=TURNED))
    spin, energy = record.series["system.angular_momentum"], record.series["system.energy"]
    assert np.abs(spin - spin[0]).max() < 1e-10 * np.abs(spin).max()
    assert (np.diff(energy) < 0).all()


def test_rotation_vectors_are_those_of_another_code():
    turns = Rotation.random(40, rng=np.random.default_rng(3)).as_rotvec()
    sizes = np.concatenate([[1.0] * 36, [1e-3, 1e-6, 1e-12, 0.0]])
    turns = turns * sizes[:, None]
    found = rotation_vector(Rotation.from_rotvec(turns).as_quat(scalar_first=True).T)
    assert pytest.approx(turns, abs=1e-14) == np.asarray(found).T


@pytest.mark.parametrize("size", [2.5, 0.3, 1e-3, 1e-4, 3e-5, 0.0])
def test_torque_does_the_work(size):
    """torque . w = work . dtheta/dt for the turn that a small step w dt makes of it, by differences."""
    rng = np.random.default_rng(8)
    turn, work, spin = size * np.array([0.48, -0.6, 0.64]), rng.standard_normal(3), rng.standard_normal(3)
    dt = 1e-5

    def later(step):
        return (Rotation.from_rotvec(spin * step) * Rotation.from_rotvec(turn)).as_rotvec()

    rate = (later(dt) - later(-dt)) / (2 * dt)
    # Differences err by dt^2 and by the rounding over dt.
    assert np.asarray(torque_of(turn, work)) @ spin == pytest.approx(work @ rate, abs=1e-9)


def test_derivatives_are_finite_where_frames_coincide():
    rate = jax.jacfwd(rotation_vector)(np.array([1.0, 0, 0, 0]))
    assert np.asarray(rate)[:, 1:] == pytest.approx(2 * np.eye(3), abs=1e-14)


# --- frequencies


def test_two_bodies_on_a_bushing_swing_with_their_reduced_mass():
    """Along x through both centres of mass: x = x0 cos(w t), w^2 = k (1/m1 + 1/m2), while its phase lasts."""
    stretch = 0.1
    spring = ist.Bushing(name="mount", **ACTS, stiffness=[900.0, 100.0, 100.0], phases=("swing",))
    record = fly(two([spring], until=1.0, state={"position": [stretch, 0, 0]}, free=0.2))
    rate = np.sqrt(900.0 * (1 / MASS + 1 / 6.0))
    held = record.time < 1.0
    found = record.series["forces.mount.displacement"][held, 0]
    assert found == pytest.approx(stretch * np.cos(rate * record.time[held]), abs=CLOSED * stretch)
    force = record.series["forces.mount.force"]
    assert force[held, 0] == pytest.approx(-900.0 * found, rel=1e-13)
    assert (force[record.time > 1.0] == 0).all()
    table = separations_table(record, "SI")
    (row,) = (dict(zip(table.columns, cells, strict=True)) for cells in table.rows)
    assert (row["pair"], row["released [s]"], row["devices spent [s]"]) == ("a / b", "1", "1")
    speed = stretch * rate * abs(np.sin(rate))
    assert float(row["speed [m/s]"]) == pytest.approx(speed, rel=1e-4)  # of five digits


def test_a_bushing_turns_back_with_its_inertia():
    """About z of the ground: theta = theta0 cos(w t), w^2 = k/J, exact at any angle; damped as it should."""
    angle, k, c = 1.2, 8.0, 0.7
    spring = ist.Bushing(
        name="mount", **GROUNDED, torsional_stiffness=[1.0, 2.0, k], torsional_damping=[0, 0, c]
    )
    state = {"attitude": ist.Attitude(euler="3-2-1", angles=[angle, 0, 0])}
    record = fly(two([spring], until=1.5, ground=True, state=state))
    decay = c / (2 * INERTIA[2])
    rate = np.sqrt(k / INERTIA[2] - decay**2)
    t = record.time
    wanted = angle * np.exp(-decay * t) * (np.cos(rate * t) + decay / rate * np.sin(rate * t))
    assert record.series["forces.mount.rotation"][:, 2] == pytest.approx(wanted, abs=CLOSED * angle)


EI, LENGTH = 60.0, 0.8


def beam(**options) -> ist.BeamSpring:
    return ist.BeamSpring(name="beam", **GROUNDED, length=LENGTH, bending_stiffness=EI, **options)


def test_a_mass_on_a_pinned_tip_swings_with_three_ei():
    """w^2 = 3 EI/(m L^3) across, k/m along, at any amplitude: the law is linear."""
    state = {"position": [LENGTH + 0.02, 0.05, -0.03]}
    record = fly(two([beam(axial_stiffness=700.0)], until=1.0, ground=True, state=state))
    across, along = np.sqrt(3 * EI / (MASS * LENGTH**3)), np.sqrt(700.0 / MASS)
    t, found = record.time, record.series["forces.beam.displacement"]
    wanted = [LENGTH + 0.02 * np.cos(along * t), 0.05 * np.cos(across * t), -0.03 * np.cos(across * t)]
    assert found == pytest.approx(np.transpose(wanted), abs=CLOSED * 0.05)


def test_a_body_on_a_clamped_tip_has_the_two_modes_of_the_cantilever():
    """In a plane, deflection and slope of the tip: K = EI/L^3 [[12, -6 L], [-6 L, 4 L^2]], M = diag(m, J)."""
    start = np.array([0.04, -0.1])
    state = {
        "position": [LENGTH, start[0], 0],
        "attitude": ist.Attitude(euler="3-2-1", angles=[start[1], 0, 0]),
    }
    record = fly(two([beam(tip="clamped", axial_stiffness=300.0)], until=1.0, ground=True, state=state))
    stiffness = EI / LENGTH**3 * np.array([[12, -6 * LENGTH], [-6 * LENGTH, 4 * LENGTH**2]])
    squares, modes = eigh(stiffness, np.diag([MASS, INERTIA[2]]))
    parts = modes.T @ np.diag([MASS, INERTIA[2]]) @ start
    t = record.time
    wanted = np.cos(np.sqrt(squares) * t[:, None]) * parts @ modes.T
    found = np.stack(
        [record.series["forces.beam.displacement"][:, 1], record.series["forces.beam.rotation"][:, 2]], 1
    )
    assert found == pytest.approx(wanted, abs=CLOSED * np.abs(start).max())


# --- deflections


def deflected(displacement, turn=(0.0, 0.0, 0.0)) -> Deflection:
    still = jnp.zeros(3)
    return Deflection(jnp.asarray(displacement), still, jnp.asarray(turn), still)


@pytest.mark.parametrize("axis", ["y", "z"])
@pytest.mark.parametrize("tip", ["pinned", "clamped"])
def test_a_loaded_cantilever_rests_at_its_deflection(tip, axis):
    """Tip force P and moment Q: P L^3/(3 EI) + Q L^2/(2 EI) and P L^2/(2 EI) + Q L/(EI), about -y in the
    plane of z; there the beam puts -P and -Q on the tip. A pinned tip takes no moment."""
    force, moment = 7.0, 3.0 if tip == "clamped" else 0.0
    side, about, sign = (1, 2, 1.0) if axis == "y" else (2, 1, -1.0)
    place, turn = np.array([LENGTH, 0, 0]), np.zeros(3)
    place[side] = force * LENGTH**3 / (3 * EI) + moment * LENGTH**2 / (2 * EI)
    turn[about] = sign * (force * LENGTH**2 / (2 * EI) + moment * LENGTH / EI)
    wanted = np.zeros((2, 3))
    wanted[0, side], wanted[1, about] = -force, -sign * moment
    found = load(beam(tip=tip), deflected(place, turn))
    assert np.stack([found.force, found.torque]) == pytest.approx(wanted, abs=1e-13 * force)
    # Clapeyron: the energy is half of what the lasting load does on its way.
    work = 0.5 * (force * place[side] + sign * moment * turn[about])
    assert found.energy == pytest.approx(work, rel=1e-13)


def test_a_tip_that_slides_out_bends_more_easily():
    """The length that bends is that of the place: 3 EI/x^3; and the bent beam is pushed out by -dU/dx."""
    x, y = 1.3, 0.1
    found = load(beam(slides=True), deflected([x, y, 0]))
    assert found.force == pytest.approx([4.5 * EI * y**2 / x**4, -3 * EI * y / x**3, 0], rel=1e-13)


def test_three_numbers_and_the_diagonal_of_a_matrix_are_one():
    along, about = [900.0, 300.0, 500.0], [40.0, 20.0, 30.0]
    ways = (
        ist.Bushing(name="mount", **ACTS, stiffness=along, torsional_stiffness=about),
        ist.Bushing(name="mount", **ACTS, matrix=np.diag([*along, *about])),
    )
    one, other = (load(way, deflected([0.1, -0.2, 0.3], [0.4, 0.5, -0.6])) for way in ways)
    for a, b in zip(one, other, strict=True):
        assert np.asarray(a) == pytest.approx(np.asarray(b), rel=1e-15)


def test_an_interface_sums_bushings_like_joints():
    """Two mounts and the station between them: force and moment are those of the two by hand."""
    mounts = [
        ist.Bushing(
            name=name, **ACTS, parent_at=[0, y, 0], child_at=[0, y, 0], stiffness=[400.0, 300.0, 200.0]
        )
        for name, y in (("left", 0.5), ("right", -0.3))
    ]
    ring = ist.Interface(
        name="ring", forces=("left", "right"), at=[0.1, 0, 0.2], at_body="parent", axes="parent"
    )
    state = {"position": [0.02, -0.01, 0.03]}
    record = fly(two(mounts, until=0.05, state=state, interfaces=(ring,)))
    force = -np.array([400.0, 300.0, 200.0]) * [0.02, -0.01, 0.03]
    points = [np.array([0, y, 0]) + state["position"] - [0.1, 0, 0.2] for y in (0.5, -0.3)]
    assert record.series["interfaces.ring.force"][0] == pytest.approx(2 * force, rel=1e-12)
    wanted = sum(np.cross(point, force) for point in points)
    assert record.series["interfaces.ring.moment"][0] == pytest.approx(wanted, rel=1e-11)
    assert record.series["interfaces.ring.axial_force"][0] == pytest.approx(-2 * force[0], rel=1e-12)


# --- what is refused


SCENARIO = """
[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = {{ position = [0, 0, 0] }}
[bodies.b]
mass = 1
inertia = [1, 1, 1]
initial = {{ position = [1, 0, 0] }}
[phases.coast]
until = {{ time = 1.0 }}
[forces.mount]
{lines}
"""
ENDS = 'parent = "a"\nchild = "b"\n'
BUSH, BEAMS = f'kind = "bushing"\n{ENDS}', f'kind = "beam_spring"\n{ENDS}'
LIKE_BEAM = BEAMS + "length = 1\nbending_stiffness = 1\n"
ASKEW = "[" + ", ".join(str([1.0 * (r == c) + (r == 0 and c == 1) for c in range(6)]) for r in range(6)) + "]"
NEGATIVE = "[" + ", ".join(str([-1.0 * (r == c) for c in range(6)]) for r in range(6)) + "]"


@pytest.mark.parametrize(
    ("lines", "place", "message"),
    [
        (BUSH, "stiffness", "is missing"),
        (
            BUSH + "stiffness = [1, 1, 1]\nmatrix = " + NEGATIVE,
            "stiffness",
            "cannot be combined with matrix",
        ),
        (BUSH + "matrix = " + ASKEW, "matrix", "is not symmetric"),
        (BUSH + "matrix = " + NEGATIVE, "matrix", "negative eigenvalue"),
        (BUSH + "stiffness = [1, 1]", "stiffness", "expected 3 numbers, got 2"),
        (BUSH + "stiffness = [1, -1, 1]", "stiffness", "must not be negative"),
        (BUSH + 'stiffness = "[1, 1, 1] N"', "stiffness", "is in N"),
        (BUSH + "stiffness = [1, 1, 1]\nphases = ['climb']", "phases", "there is no phase 'climb'"),
        (BUSH.replace('"b"', '"c"') + "stiffness = [1, 1, 1]", "child", "there is no body 'c'"),
        (BUSH.replace('"b"', '"a"') + "stiffness = [1, 1, 1]", "child", "both 'a'"),
        (BEAMS + "length = 0\nbending_stiffness = 1", "length", "must be more than zero"),
        (BEAMS + "length = 1\nbending_stiffness = -1", "bending_stiffness", "must not be negative"),
        (LIKE_BEAM + "slides = true\naxial_stiffness = 3", "axial_stiffness", "slides = true"),
        (LIKE_BEAM + 'tip = "welded"', "tip", "welded"),
    ],
)
def test_faulty_ones_are_refused(lines, place, message):
    with pytest.raises(BadInput) as error:
        loads(SCENARIO.format(lines=lines))
    found = [p for p in error.value.problems if p.place.startswith(f"forces.mount.{place}")]
    assert any(message in p.message for p in found), str(error.value)
