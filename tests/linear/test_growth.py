"""What grows in linear equations, what does so slowly, and what is rounding: closed forms, and the words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from interstage.linear.modes import modes
from interstage.linear.responses import span
from interstage.reading import load, loads
from interstage.studies.linearize.printed import series_table
from interstage.studies.linearize.response_files import margin_table
from interstage.studies.linearize.result import Linear, Series
from interstage.studies.verify import find_cases
from interstage.tree.errors import BadInput
from mechanics import EPS

MASS, ARM, INERTIA = 2.0, 0.5, 0.5
UPSIDE_DOWN = f"""
[joints.hinge]
kind = "revolute"
axis = "y"
parent = "ground"
child = "bob"
[bodies.bob]
mass = {MASS}
mass_centre = [0, 0, {ARM}]
inertia = [0.3, {INERTIA}, 0.2]
initial = {{ through = "hinge" }}
[bodies.disk]
mass = 1
inertia = [1, 1, 1]
initial = {{ through = "shaft", relative_angular_velocity = [0, 0, 6] }}
[joints.shaft]
kind = "revolute"
axis = "z"
parent = "ground"
child = "disk"
[phases.stand]
until = {{ time = "1 s" }}
"""


def upside_down(rate: float) -> Any:
    """A pendulum that stands on its hinge, and falls by this rate [1/s], in whatever gravity that takes."""
    weight = rate**2 * (INERTIA + MASS * ARM**2) / (MASS * ARM)
    gravity = f'gravity = {{ kind = "uniform", acceleration = [0, 0, {-weight}] }}\n'
    return loads(gravity + UPSIDE_DOWN)


@pytest.mark.parametrize(
    ("rate", "slow", "word"), [(1.0, None, "unstable"), (0.005, None, "slow"), (0.005, "200 s", "unstable")]
)
def test_what_takes_long_to_double_grows_slowly(rate, slow, word):
    """In log(2) / rate, against 55 s unless another time is asked for."""
    linear: Any = upside_down(rate).linearize(slow=slow)
    (falls,) = [mode for mode in linear.modes if mode.grows]
    assert falls.growth(linear.slow) == word
    _, table = linear.tables()
    place = table.columns.index("doubling time")
    (row,) = [k for k, cells in enumerate(table.rows) if word in cells[place]]
    assert table.rows[row][place] == f"{np.log(2) / rate:.3g} s, {word}"
    assert table.bad == ({row} if word == "unstable" else set())
    assert ("--slow" in table.note) == (word == "slow")
    whole = series_table(Series([linear]))
    assert whole.rows[0][whole.columns.index("growth")] == f"1 {word}"
    assert whole.bad == table.bad - {row} | ({0} if word == "unstable" else set())


def test_what_does_not_grow_has_no_such_column():
    linear: Any = upside_down(1.0).linearize()
    still = replace(linear, A=-np.eye(len(linear.states)))
    assert "doubling time" not in still.tables()[1].columns
    assert "growth" not in series_table(Series([still])).columns


SWING = np.array([[-0.4, 2.0], [-2.0, -0.4]])  # |-0.4 + 2i|/(2 pi) Hz, 0.4/|-0.4 + 2i| of critical


@pytest.mark.parametrize(
    ("matrix", "swings", "others"),
    [
        (np.kron(np.eye(2), SWING), "2 x 0.3246 (0.196)", ""),
        (np.kron(np.diag([1.0, 1.5]), SWING), "0.3246 (0.196), 0.4869 (0.196)", ""),
        (np.diag([-0.5, -0.25, -0.5, -0.5]), "", "-0.25000, 3 x -0.50000"),
    ],
)
def test_modes_that_are_alike_in_a_row_are_counted(matrix, swings, others):
    linear: Any = upside_down(1.0).linearize()
    table = series_table(Series([replace(linear, A=matrix)]))
    row = [
        table.rows[0][table.columns.index(name)]
        for name in ("frequency [Hz] (damping ratio)", "real eigenvalues [1/s]")
    ]
    assert row == [swings, others]


def test_series_state_how_large_modes_may_be_that_are_zero():
    """As the table of one time does. The error of a normal matrix is a few roundings of its largest size."""
    linear: Any = upside_down(1.0).linearize()
    stiff = replace(linear, A=np.diag([-1e6, 0.0, -1e-12, -0.5]))
    table = series_table(Series([stiff, replace(linear, A=-np.eye(4))]))
    hidden, none = (row[table.columns.index("zero eigenvalues [1/s]")] for row in table.rows)
    count, _, size = hidden.partition(" x 0 within ")
    assert (count, none) == ("2", "")
    assert np.finfo(float).eps * 1e6 < float(size) < 10 * np.finfo(float).eps * 1e6
    assert stiff.tables()[1].rows[0][1] == f"0 within {size}"


@pytest.mark.parametrize("slow", ["soon", "-1 s", "0 s"])
def test_a_time_that_is_none(slow):
    with pytest.raises(BadInput, match="slow: "):
        upside_down(1.0).linearize(slow=slow)


@pytest.mark.parametrize("rate", [1.0, 1e-3, 1e-5])
def test_multipliers_near_one(rate):
    """exp(rate * period) and its inverse, also as near to 1 as growth of a day brings them over a second."""
    found: Any = upside_down(rate).linearize(period="turn", shaft="shaft")
    falls = [mode for mode in found.modes if not mode.stays]
    assert [mode.exponent.real for mode in falls] == pytest.approx([rate, -rate], rel=1e-4)
    assert [mode.growth() for mode in falls] == ["unstable" if rate == 1 else "slow", ""]
    still = [mode for mode in found.modes if mode.stays]
    if still:
        row = found.tables()[1].rows[0]
        within = max(mode.within for mode in still)
        # No size is printed if the bound is not finite.
        label = f"1 within {within:.1e}" if np.isfinite(within) else "1"
        assert row[:3] == [str(len(still)), label, "1"]
    assert still or rate == 1.0
    assert sum(mode.stays for mode in found.modes) == 2  # of the disk: its angle and its rate


MU, RADIUS = 3.986004418e14, 7e6
SPEED = np.sqrt(MU / RADIUS)
RATE = SPEED / RADIUS
ORBIT = f"""
gravity = {{ kind = "inverse_square", mu = {MU} }}
[bodies.sat]
mass = 100
inertia = [50, 50, 50]
initial = {{ position = [{RADIUS}, 0, 0], velocity = [0, {SPEED}, 0], angular_velocity = [0, 0, {RATE}] }}
MORE
[phases.fly]
until = {{ time = "2 s" }}
"""
UPPER = """
[bodies.upper]
mass = 30
inertia = [5, 20, 20]
[joints.clamp]
kind = "fixed"
parent = "sat"
child = "upper"
parent_at = [3, 0, 0]
"""


def test_a_circular_orbit_swings_by_its_rate_and_is_not_zero():
    """In axes that turn with it: its radius and its two tilts (Hill's equations and the turning axes), and
    six zeros, though the speed is 7 km/s and the rate 1e-3 per s."""
    linear: Any = loads(ORBIT.replace("MORE", "")).linearize()
    swings = [mode for mode in linear.modes if not mode.zero]
    assert [mode.eigenvalue.imag for mode in swings] == pytest.approx([RATE] * 3, rel=1e-9)
    assert not any(mode.grows for mode in linear.modes)


def test_what_a_flight_leaves_of_a_swing_is_no_growth():
    """A stack whose axes turn once in an orbit, after two seconds: its states are known to some 1e-10 of
    their rates, and so are real parts of what swings undamped."""
    linear: Any = loads(ORBIT.replace("MORE", UPPER)).linearize("2 s")
    assert sum(mode.oscillates for mode in linear.modes) == 4
    assert any(mode.eigenvalue.real > EPS * abs(mode.eigenvalue) for mode in linear.modes if mode.oscillates)
    assert not any(mode.grows for mode in linear.modes)


def test_zeros_are_so_in_any_unit_of_length():
    """A displacement that rounding couples back to its velocity, beside an angle that swings at 1e-3 per s
    and carries it along at 1e4 m/s."""
    units, n = ["m", "m/s", "rad", "rad/s"], 1e-3
    a = np.zeros((4, 4))
    a[0, 1], a[0, 2], a[1, 0], a[2, 3], a[3, 2] = 1.0, 1e4, 2 * EPS, 1.0, -(n**2)
    for length in (1.0, 1e3):
        by = np.array([length, length, 1.0, 1.0])
        found = modes(a * by[:, None] / by, units)
        assert [mode.zero for mode in found] == [True, True, False]
        assert found[-1].eigenvalue.imag == pytest.approx(n, rel=1e-12)


def test_zeros_that_turn_do_not_grow():
    """A displacement and its velocity in axes that turn at 0.2 per s, coupled back by rounding: two pairs
    that it splits by its root, to either side."""
    turning = np.array([[0.0, 0.2], [-0.2, 0.0]])
    a = np.block([[turning, np.eye(2)], [2 * EPS * np.eye(2), turning]])
    found = modes(a, ["m", "m", "m/s", "m/s"])
    # The root, give and take what one more rounding makes of it.
    largest = max(mode.eigenvalue.real for mode in found)
    assert np.sqrt(EPS) < largest < np.sqrt(3 * EPS)
    assert [mode.eigenvalue.imag for mode in found] == pytest.approx([0.2, 0.2], rel=1e-9)
    assert not any(mode.grows for mode in found)


def test_modes_that_are_alike_are_no_pair():
    found = modes(np.array([[-1.058, 2 * EPS], [-2 * EPS, -1.058]]))
    assert [(mode.eigenvalue, mode.oscillates, mode.zero) for mode in found] == [(-1.058, False, False)] * 2


@pytest.mark.parametrize("units", [["m"] * 8 + ["m/s"] * 8, ["rad"] * 8 + ["rad/s"] * 8])
def test_what_swings_fast_or_slowly_beside_stiff_things_is_not_zero(units):
    """From 1 to 1e6 radians a second, mixed, with what damps each by 1e-6 of critical."""
    mixed, _ = np.linalg.qr(np.cos(np.outer(np.arange(1.0, 9), np.arange(1.0, 9) ** 2)))
    rates = 10.0 ** np.linspace(0, 6, 8)
    stiff, damped = ((mixed * own) @ mixed.T for own in (rates**2, 2e-6 * rates))
    found = modes(np.block([[np.zeros((8, 8)), np.eye(8)], [-stiff, -damped]]), units)
    assert [mode.zero for mode in found] == [False] * 8
    # Entries of the largest rate's size are rounded, which is twice a rate times what that is off by.
    known = 8 * EPS * rates[-1] ** 2 / (2 * rates)
    for mode, rate, off in zip(found, rates, known, strict=True):
        assert abs(mode.frequency * 2 * np.pi - rate) < off + EPS * rates[-1]
    assert [mode.damping for mode in found][4:] == pytest.approx([1e-6] * 4, rel=1e-3)
    assert not any(mode.grows for mode in found)


@pytest.mark.long
@pytest.mark.parametrize("case", ["elastica", "flexible-slider-crank"])
def test_what_stiff_beams_hold_is_not_zero(case):
    """A rod in the ground a thousand times as stiff along itself as across, and a crank with a rod that
    bends: all of it swings."""
    linear: Any = load(find_cases()[case] / "scenario.toml").linearize()
    assert [mode.zero for mode in linear.modes] == [False] * len(linear.modes)


ROCKET = """
gravity = { kind = "uniform", acceleration = [-9.81, 0, 0] }
[bodies.core]
mass = "4 t"
inertia = "[3e3, 9e4, 9e4] kg m^2"
[bodies.core.elements.fuel]
kind = "cylinder"
bottom = "[-6, 0, 0] m"
axis = [1, 0, 0]
radius = "0.6 m"
density = "1000 kg/m^3"
propellant = "FUEL kg"
[bodies.core.initial]
attitude = { euler = "3-2-1", angles = [0.003, 0.005, 0.002] }
velocity = [SPEED, 7, -26]
angular_velocity = [7e-20, 2e-18, -1e-24]
[engines.main]
kind = "engine"
body = "core"
at = "[-9.5, 0, 0] m"
thrust = "200 kN"
isp = "300 s"
feeds = { "core.fuel" = 1.0 }
ignited = true
[forces.bends]
kind = "modal_body"
body = "core"
propellant = "[0, 4.5, 8] t"
frequency = "[[6, 6], [4, 4], [3.1, 3.1]] rev/s"
mass = "[[3, 3], [4, 4], [4.2, 4.2]] t"
damping = 0.01
coordinate = [3e-14, 5e-13]
rate = [-7e-12, -2e-12]
[forces.bends.points]
gimbal = { at = "[-9.5, 0, 0] m", shape = [[0, 1, 0], [0, 0, 1]], turn = "[[0, 0, -0.2], [0, 0.2, 0]] rad/m" }
imu = { at = "[8, 0, 0] m", shape = [[0, 0.8, 0], [0, 0, 0.8]], turn = "[[0, 0, 0.18], [0, -0.18, 0]] rad/m" }
[phases.burn]
until = { time = "1 s" }
"""


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(left, marks=[pytest.mark.long] if number % 3 else [])
        for number, left in enumerate(np.linspace(1000, 7800, 8))
    ],
)
def test_a_rocket_that_drains_rolls_faster(left):
    """What leaves on the axis takes no roll along that it does not have, and what is left of the liquid has
    less inertia: growth by m' r^2 / (2 Ixx), beside a dozen zeros that rounding of a flight couples."""
    linear: Any = loads(ROCKET.replace("FUEL", f"{left}").replace("SPEED", f"{0.1 * left}")).linearize()
    flow, square = 200e3 / (300 * 9.80665), 0.6**2
    rate = flow * square / 2 / (3e3 + left * square / 2)
    grows = [mode for mode in linear.modes if mode.grows]
    assert [mode.eigenvalue for mode in grows] == pytest.approx([rate], rel=1e-9)


def falling(values: Any) -> Linear:
    """The equations of a pendulum, with other eigenvalues, each alone or a pair."""
    one: Any = upside_down(1.0).linearize(inputs="bodies.bob.torque.y")
    blocks = [
        np.array([[v]]) if np.isreal(v) else np.array([[v.real, v.imag], [-v.imag, v.real]]) for v in values
    ]
    count = sum(map(len, blocks))
    a, first = np.zeros((count, count)), 0
    for block in blocks:
        a[first : first + len(block), first : first + len(block)] = block
        first += len(block)
    none = np.zeros(count)
    return replace(
        one,
        A=a,
        B=np.ones((count, 1)),
        C=np.eye(count),
        D=none[:, None],
        states=(one.states * count)[:count],
        x0=none,
        rates=none,
        outputs=tuple(f"y{k}" for k in range(count)),
        output_units=("",) * count,
    )


def test_a_row_of_many_modes_shows_those_that_tell():
    """The fastest ones of a dozen grow, or are damped least: no row hides them behind how many more there
    are, and no table of 40."""
    damped = [complex(-k, k) for k in range(1, 12)]
    for other, text in (
        (complex(0.5, 60), "9.5"),
        (complex(-0.5, 60), "9.5"),
        (complex(-0.01, 0.1), "0.015"),
    ):
        linear = falling([*damped, other])
        row = series_table(Series([linear])).rows[0]
        assert text in row[3]
        assert row[3].endswith("6 more")
        if other.real > 0:
            assert row[-1] == "1 unstable"
    many = falling([*(complex(-k, k) for k in range(1, 40)), complex(-0.5, 36)])
    _, table = many.tables()
    assert len(table.rows) < 30
    assert any("36.000i" in cells[1] for cells in table.rows)


def test_slow_growth_makes_no_loop_unstable():
    """And steps are followed as long as what settles asks for."""
    linear = falling([-1.0, 0.001])
    linear = replace(linear, inputs=("hold",), outputs=("hold", "y1"), C=np.array([[-1.0, 0], [0, 1]]))
    slow, fast = linear.margins("hold"), replace(linear, slow=1e4).margins("hold")
    assert (slow.stable, fast.stable) == (True, False)
    table = margin_table([slow, fast])
    assert [cells[-1] for cells in table.rows] == ["stable", "unstable"]
    assert table.bad == {1}
    assert "unstable closed loop" in table.note
    assert span(linear) == pytest.approx(5.0)  # five time constants
    assert span(replace(linear, slow=1e4)) == pytest.approx(4000.0)
