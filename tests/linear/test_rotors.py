"""Rotors: multi-blade coordinates and Floquet multipliers, against closed forms and each other."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import scipy.io
import xarray
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from interstage.cli.main import main
from interstage.reading import loads
from interstage.studies.linearize.multi_blade import labels, transformation
from interstage.tree.errors import BadInput
from mechanics import EPS, shaken_pivot

ROUNDED = 1e5 * EPS
"""Of matrices that are turned to multi-blade coordinates and back: a hundred terms."""
OFFSET, RADIUS, MASS, INERTIA, WIDE, STIFF = 0.5, 2.0, 10.0, 15.0, 0.4, 900.0
"""Of a blade: its hinge from the axis, its centre of mass from the hinge [m], mass, moments about its mass
centre for flap and of its width [kg m^2], and flap spring [N m/rad]."""
SPEED = 6.0
FLAP = INERTIA + MASS * RADIUS**2
NATURAL = np.sqrt(SPEED**2 * (1 + MASS * OFFSET * RADIUS / FLAP) + STIFF / FLAP)
"""Of a blade without thickness [rad/s]: m r e over its moment about the hinge is what an offset adds."""
DRIVEN = """
kind = "generalized"
locked = ["tx", "ty", "tz", "rx", "ry", "rz"]
driven = {{ rz = {{ kind = "ramp", rate = {} }} }}
"""
FREE = 'kind = "revolute"\naxis = "z"'


def rotor(
    count: int,
    *,
    free: bool = False,
    angles: Any = None,
    masses: Any = None,
    tail: str = "",
    speed: float = SPEED,
) -> Any:
    """A rotor about z: driven over the ground, or free on a body that tilts and turns on springs. angles
    [deg] and masses [kg]: of its blades."""
    angles = [360 * k / count for k in range(count)] if angles is None else angles
    base, start = "ground", ""
    text = ""
    if free:
        base, start = "mast", f", relative_angular_velocity = [0, 0, {speed}], rotation = [0, 0, 0.4]"
        text = """
[bodies.mast]
mass = 60
mass_centre = [0.1, 0, 1]
inertia = [40, 50, 12]
initial = { through = "foot" }
[joints.foot]
kind = "universal"
axes = "xy"
parent = "ground"
child = "mast"
[forces.foot]
kind = "torsion_spring"
parent = "ground"
child = "mast"
sequence = "1-2"
stiffness = [6e3, 8e3]
damping = [40, 30]
"""
    text += f"""
[bodies.hub]
mass = 20
inertia = [2, 2, 3]
initial = {{ through = "shaft"{start} }}
[joints.shaft]
{FREE if free else DRIVEN.format(speed)}
parent = "{base}"
child = "hub"
parent_at = [0, 0, 2]
"""
    for k, angle in enumerate(angles, 1):
        along = np.radians(angle)
        frame = f'parent_frame = {{ euler = "3-2-1", angles = "[{angle}, 0, 0] deg" }}'
        text += f"""
[bodies.blade_{k}]
mass = {MASS if masses is None else masses[k - 1]}
mass_centre = [{RADIUS}, 0, 0]
inertia = [{WIDE}, {INERTIA}, {INERTIA + WIDE}]
initial = {{ through = "flap_{k}" }}
[joints.flap_{k}]
kind = "revolute"
axis = "y"
parent = "hub"
child = "blade_{k}"
parent_at = [{OFFSET * np.cos(along):.17g}, {OFFSET * np.sin(along):.17g}, 0]
{frame}
[forces.spring_{k}]
kind = "torsion_spring"
parent = "hub"
child = "blade_{k}"
sequence = "2"
stiffness = [{STIFF}]
{frame}
"""
    return loads(f'{tail}\n{text}\n[phases.turn]\nuntil = {{ time = "1 s" }}\n')


def hinges(count: int) -> list[str]:
    return [f"flap_{k + 1}" for k in range(count)]


@pytest.mark.parametrize("count", range(3, 10))
def test_the_transformation(count):
    """Its inverse is its transpose with factors, and its derivatives those of it; all azimuths are there."""
    places = 0.3 + 2 * np.pi * np.arange(count) / count
    plain, first, second = transformation(count, places)
    factors = [1.0 if label in ("collective", "differential") else 2.0 for label in labels(count)]
    np.testing.assert_allclose(np.diag(factors) @ plain.T @ plain / count, np.eye(count), atol=20 * EPS)
    step = 1e-5
    ahead, behind = (transformation(count, places + sign * step) for sign in (1, -1))
    # Central differences: off by the square of the step times the third derivative, up to the cube of n/2.
    bound = 2 * step**2 * (count / 2) ** 3 + EPS / step
    np.testing.assert_allclose((ahead[0] - behind[0]) / (2 * step), first, atol=bound)
    np.testing.assert_allclose((ahead[1] - behind[1]) / (2 * step), second, atol=bound * count / 2)


@pytest.mark.parametrize(("count", "order"), [(3, 1), (4, -1)])
def test_blades_on_a_hub_that_is_driven(count, order):
    """They know nothing of each other: their frequency, collective and differential, and with the turn of the
    rotor added and taken off it; named in the order of the turn, and against it."""
    scenario: Any = rotor(count)
    linear = scenario.linearize(blades=hinges(count)[::order], shaft="shaft")
    first = hinges(count)[::order][0]
    assert linear.names[:count] == [f"joints.{first}.rotation.y.{label}" for label in labels(count)]
    assert linear.spread <= ROUNDED
    wanted = sorted([NATURAL] * (count - 2) + [NATURAL - SPEED, NATURAL + SPEED])
    found = sorted(mode.eigenvalue.imag for mode in linear.modes)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    lag, lead = SPEED * np.array([[0, 1], [-1, 0]]), NATURAL**2 - SPEED**2
    cyclic = [linear.names.index(f"joints.{first}.rotation_rate.y.{name}") for name in ("cosine", "sine")]
    # c'' + 2 W s' + (w^2 - W^2) c = 0 and s'' - 2 W c' + (w^2 - W^2) s = 0
    np.testing.assert_allclose(linear.A[np.ix_(cyclic, cyclic)], -2 * lag, atol=ROUNDED * SPEED)
    places = [k - count for k in cyclic]
    np.testing.assert_allclose(linear.A[np.ix_(cyclic, places)], -lead * np.eye(2), atol=ROUNDED * lead)


def test_axes_of_hinges_are_told_apart():
    """Flap and lag of one hinge, which know nothing of each other in a plane: a mode names its axis."""
    text = rotor(3).to_toml().replace('"revolute"\naxis = "y"', '"universal"\naxes = "yz"')
    linear: Any = loads(text).linearize(blades=hinges(3), shaft="shaft")
    lag = SPEED * np.sqrt(MASS * OFFSET * RADIUS / (FLAP + WIDE))
    for axis, own in (("ry", NATURAL), ("rz", lag)):
        for how, wanted in (("collective", [own]), ("cyclic", sorted([abs(own - SPEED), own + SPEED]))):
            modes = [
                m for m in linear.modes if linear.taking_part(m).get(f"joint flap_1 {axis} {how}", 0) > 0.99
            ]
            np.testing.assert_allclose([m.eigenvalue.imag for m in modes], wanted, rtol=1e-9)


def test_a_driven_rate_is_that_of_the_scenario():
    """And not of the one before it, which has the same structure."""
    for speed in (4.0, 8.0):
        turn: Any = rotor(3, speed=speed).linearize(shaft="shaft", period="turn")
        assert turn.period == pytest.approx(2 * np.pi / speed, rel=1e-12)


@pytest.fixture(scope="module")
def tilting():
    return rotor(4, free=True)


@pytest.fixture(scope="module")
def turned(tilting):
    """Its equations over a turn."""
    return tilting.linearize(shaft="shaft", period="turn")


def test_a_rotor_on_a_mast(tilting, turned):
    """Multi-blade coordinates are constant though the rotor's own are not, and their eigenvalues are what the
    multipliers of a turn say; what acts on blades acts on their coordinates."""
    torques = [f"bodies.blade_{k + 1}.torque.y" for k in range(4)]
    linear = tilting.linearize(
        blades="flap_1, flap_2, flap_3, flap_4",
        shaft="shaft",
        inputs=torques,
        outputs=["bodies.mast.torque"][:0],
    )
    assert linear.spread <= ROUNDED
    periods = [one.A for one in turned.series]
    assert np.max(np.abs(periods[5] - periods[0])) > 1e-3 * np.max(np.abs(periods[0]))
    assert linear.inputs[3] == "bodies.blade_1.torque.y.differential"
    assert not any("depend on the azimuth" in note for note in linear.notes)
    alone = tilting.linearize(blades=hinges(4), shaft="shaft", inputs=torques[1])
    assert any("depend on the azimuth" in note for note in alone.notes)
    held = [mode for mode in linear.modes if not mode.zero]
    assert sum(mode.zero for mode in linear.modes) == 2  # the rotor's azimuth and rate
    wanted = np.exp(np.array([mode.eigenvalue for mode in held]) * turned.period)
    wanted = np.where(wanted.imag < 0, wanted.conj(), wanted)
    found = np.array([mode.multiplier for mode in turned.modes if not mode.stays])
    assert len(found) == len(wanted)
    off = np.min(np.abs(wanted[:, None] - found), 1)
    # As the monodromy is known, times the condition of its eigenvalues, some tens.
    assert np.max(off) < 100 * max(turned.accuracy, ROUNDED) * np.max(np.abs(turned.monodromy))
    assert turned.period == pytest.approx(2 * np.pi / SPEED, rel=1e-12)


def test_modes_over_a_period(turned):
    """Rates, frequencies up to half of that of the turn, and what moves."""
    assert turned.order == pytest.approx(6, abs=0.2)
    limit = 1 / (2 * turned.period)
    for mode in turned.modes:
        assert mode.frequency <= limit * (1 + EPS)
        if not (mode.stays or mode.gone):
            assert np.exp(mode.exponent * turned.period) == pytest.approx(mode.multiplier, rel=1e-12)
            assert mode.damping == pytest.approx(-mode.exponent.real / abs(mode.exponent))
    (stays, *_) = [mode for mode in turned.modes if mode.stays]
    assert next(iter(turned.taking_part(stays))) == "joint shaft"
    assert not any(mode.grows for mode in turned.modes)


def test_two_blades_have_a_period():
    """Which multi-blade coordinates do not make constant."""
    two: Any = rotor(2, free=True)
    found = two.linearize(shaft="shaft", period="turn")
    assert len(found.names) == 10
    assert len(found.multipliers) == 10
    with pytest.raises(BadInput, match="2 blades are too few"):
        two.linearize(blades=hinges(2), shaft="shaft")


def test_files(turned, tilting, tmp_path):
    turned.to_netcdf(tmp_path / "turn.nc")
    turned.to_mat(tmp_path / "turn.mat")
    with xarray.open_datatree(tmp_path / "turn.nc", engine="h5netcdf") as tree:
        own: Any = tree.to_dataset()
        np.testing.assert_array_equal(own["monodromy"], turned.monodromy)
        np.testing.assert_allclose(own["multiplier_real"], turned.multipliers.real)
        assert own.attrs["period"] == turned.period
    found = scipy.io.loadmat(tmp_path / "turn.mat", squeeze_me=True)
    assert found["A"].shape == turned.A.shape
    np.testing.assert_allclose(found["multipliers"], turned.multipliers)


def test_the_command(tmp_path, capsys, monkeypatch):
    file = tmp_path / "rotor.toml"
    file.write_text(rotor(3).to_toml())
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["interstage", "linearize", str(file), "--shaft", "shaft", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out + told.err

    code, told = run("--blades", "flap_1,flap_2,flap_3")
    assert code == 0
    assert "flap_1 cyclic" in told
    assert "6 azimuths" in told
    code, told = run("--period", "turn", "-o", str(tmp_path / "turn.nc"))
    assert code == 0
    assert f"{SPEED / (2 * np.pi):.6g} Hz" in " ".join(told.split())
    assert (tmp_path / "turn.nc").is_file()
    code, told = run()
    assert code == 2
    assert "with 'blades' or 'period' only" in told


HINGES = hinges(3)
HEAVY = 'gravity = { kind = "uniform", acceleration = [-3, 0, 0] }'
STIFFER = """
[forces.more]
kind = "torsion_spring"
parent = "hub"
child = "blade_3"
sequence = "2"
stiffness = [100]
parent_frame = { euler = "3-2-1", angles = "[240, 0, 0] deg" }
"""
AXLES = "".join(
    f"""
[bodies.axle_{k}]
mass = 1
inertia = [1, 1, 1]
initial = {{ through = "axle_{k}" }}
[joints.axle_{k}]
kind = "fixed"
parent = "hub"
child = "axle_{k}"
"""
    for k in (1, 2, 3)
)
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "two blades": (
        {},
        {"blades": HINGES[:2]},
        "2 blades are too few: multi-blade coordinates need at least 3",
    ),
    "an unknown blade": (
        {},
        {"blades": [*HINGES[:2], "flap_33"]},
        "no joint or body 'flap_33'; did you mean",
    ),
    "a blade twice": ({}, {"blades": [*HINGES[:2], "flap_1"]}, "'flap_1' is listed twice"),
    "no name": ({}, {"blades": [HINGES, [1, 2, 3]]}, "1 is not a text"),
    "lists of other lengths": ({}, {"blades": [HINGES, ["hub"]]}, "for each blade in each list"),
    "no shaft": ({}, {"shaft": None}, "'blades' need a shaft"),
    "an unknown shaft": ({}, {"shaft": "shft"}, "there is no joint 'shft'; did you mean 'shaft'"),
    "a shaft that is a hinge": ({}, {"shaft": "flap_1"}, "'flap_1' does not turn"),
    "a rotor at rest": ({"free": True, "speed": 0.0}, {}, "'shaft' does not turn at the start"),
    "a blade that is heavier": (
        {"masses": [10, 11, 10]},
        {},
        "blade_2.mass: the mass of this blade is 11 kg, but bodies.blade_1.mass is 10 kg",
    ),
    "a spring that is stiffer": (
        {"tail": STIFFER},
        {},
        "the equations of .*flap_.* differ from the equations of .*flap_.* at the same azimuth",
    ),
    "uneven blades": ({"angles": [0, 110, 240]}, {}, "azimuths 0, 110, 240 deg.* Space the blades evenly"),
    "blades out of order": (
        {"angles": [0, 180, 90, 270]},
        {"blades": hinges(4)},
        "have the azimuths 0, 180, 90, 270 deg",
    ),
    "weight along the disk": ({"tail": HEAVY}, {}, "Set 'period', and remove 'blades'"),
    "weight that speeds it up": (
        {"tail": HEAVY, "free": True, "masses": [10, 11, 12]},
        {"blades": (), "period": "turn"},
        "accelerates by",
    ),
    "blades of two lists that do not go together": (
        {},
        {"blades": [HINGES, ["blade_2", "blade_3", "blade_1"]]},
        "'blade_2' and 'blade_1' are listed for the same blade, but have different azimuths",
    ),
    "bodies on the axis": (
        {"tail": AXLES},
        {"blades": ["axle_1", "axle_2", "axle_3"]},
        "centre of mass of body 'axle_1' is on the axis",
    ),
    "a period with blades": ({}, {"period": "turn"}, "Remove 'along', 'vary' and 'blades'"),
    "a period of no length": ({}, {"blades": (), "period": 0.0}, "Give a time above zero"),
    "a period in metres": ({}, {"blades": (), "period": "3 m"}, "Write 'turn'"),
    "a turn without a shaft": (
        {},
        {"blades": (), "shaft": None, "period": "turn"},
        "Set 'shaft' to the joint",
    ),
    "a shaft alone": ({}, {"blades": ()}, "with 'blades' or 'period' only"),
}


@pytest.mark.parametrize("what", WRONG)
def test_bad_input(what):
    made, asked, text = WRONG[what]
    scenario: Any = rotor(len(made.get("angles", HINGES)), **made)
    with pytest.raises(BadInput, match=text):
        scenario.linearize(**({"blades": HINGES, "shaft": "shaft"} | asked))


def test_a_period_of_a_flight():
    """A pendulum at rest: over any time, the exponential of A; and a time that no motion repeats in."""
    text = """
gravity = {{ kind = "uniform", acceleration = [0, 0, -9.81] }}
joints.hinge = {{ kind = "revolute", axis = "y", parent = "ground", child = "bob" }}
[bodies.bob]
mass = 2
mass_centre = [0, 0, -0.5]
inertia = [0.3, 0.5, 0.2]
initial = {{ through = "hinge", rotation = [0, {}, 0] }}
[phases.swing]
until = {{ time = "1 s" }}
"""
    still: Any = loads(text.format(0)).linearize(period="0.7 s")
    np.testing.assert_allclose(still.monodromy, expm(0.7 * still.A[0]), rtol=0, atol=1e-9)
    with pytest.raises(BadInput, match="A at the end of the period differs from A at the beginning"):
        loads(text.format(0.6)).linearize(period="0.7 s")


PIVOT, AMPLITUDE, WEIGHT = 0.5, 0.05, 9.81
SWING = np.sqrt(2 * WEIGHT * PIVOT / (0.5 + 2 * PIVOT**2))
SHAKEN = f"""
gravity = {{ kind = "uniform", acceleration = [0, 0, -{WEIGHT}] }}
{shaken_pivot("z", AMPLITUDE, 2 * SWING)}
[joints.hinge]
kind = "revolute"
axis = "y"
parent = "pivot"
child = "bob"
[bodies.bob]
mass = 2
mass_centre = [0, 0, -{PIVOT}]
inertia = [0.3, 0.5, 0.2]
initial = {{ through = "hinge" }}
[bodies.disk]
mass = 1
inertia = [1, 1, 1]
initial = {{ through = "shaft", relative_angular_velocity = [0, 0, {2 * SWING}] }}
[joints.shaft]
kind = "revolute"
axis = "z"
parent = "ground"
child = "disk"
[phases.shake]
until = {{ time = "2 s" }}
"""


def test_parametric_resonance():
    """A pendulum whose pivot shakes at twice its frequency grows: by Mathieu's equation, over the turn of a
    disk that turns by itself as fast."""

    def slope(t: float, phi: np.ndarray) -> np.ndarray:
        lift = -AMPLITUDE * (2 * SWING) ** 2 * np.sin(2 * SWING * t)
        a = np.array([[0, 1], [-(SWING**2) * (1 + lift / WEIGHT), 0]])
        return (a @ phi.reshape(2, 2)).ravel()

    length = np.pi / SWING
    ended = solve_ivp(slope, (0, length), np.eye(2).ravel(), method="DOP853", rtol=1e-12, atol=1e-12)
    wanted = np.sort(np.linalg.eigvals(ended.y[:, -1].reshape(2, 2)))
    found: Any = loads(SHAKEN).linearize(period="turn", shaft="shaft")
    assert found.period == pytest.approx(length, rel=1e-12)
    swings = [mode for mode in found.modes if not mode.stays]
    np.testing.assert_allclose(np.sort([mode.multiplier for mode in swings]), wanted, rtol=0, atol=1e-9)
    assert [mode.grows for mode in swings] == [True, False]
    assert swings[0].frequency == pytest.approx(SWING / (2 * np.pi), rel=1e-9)


def test_what_is_gone_after_a_period():
    """A part that falls below rounding has no frequency and no time constant of rounding."""
    text = SHAKEN.replace(f"amplitude = {AMPLITUDE}", "amplitude = 0")
    text += '[forces.oil]\nkind = "torsion_spring"\nparent = "pivot"\nchild = "bob"\nsequence = "2"\n'
    found: Any = loads(text + "stiffness = [0]\ndamping = [60]\n").linearize(period="turn", shaft="shaft")
    (gone,) = [mode for mode in found.modes if mode.gone]
    assert (gone.time_constant, gone.frequency, gone.grows) == (0.0, 0.0, False)
    assert np.isnan(gone.damping)
    (row,) = [row for row in found.tables()[1].rows if row[1].startswith("0 within")]
    assert row[3:6] == ["", "", "0"]


def test_a_rotor_that_is_driven_does_not_rest():
    """Its blades stand on the hub as they stood, and turn with it."""
    for speed, standing in ((SPEED, "moves because joint shaft is driven"), (0.0, "rests")):
        one = rotor(3, speed=speed)
        linear: Any = one.linearize(outputs=())
        assert linear.standing == standing
        assert linear.tables()[0].title.endswith(f"the mechanism {standing}")
        trimmed: Any = one.trim()
        assert trimmed.standing == standing
