"""Tables by their default stay in the range of the neighbouring points; edges of tables; angles without a
unit."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from interstage.diagnosis.plausibility import remarks
from interstage.environment import atmosphere, wind
from interstage.maths import curves, grid_interpolation, interpolation
from interstage.maths.arrays import jvp
from interstage.parts.air import coefficient_table
from interstage.parts.pushers import law as pushers
from interstage.programs.targets import targets_of
from interstage.reading import load, loads
from interstage.report import summary
from interstage.tree.errors import BadInput
from mechanics import EPS

ROUNDING = 64 * EPS
"""Of sums of up to 1296 terms, relative to the largest value of a table."""


def drawn(rng: Any, sizes: tuple[int, ...], lanes: int) -> tuple[Any, Any]:
    """Points of each axis, unevenly spaced over three decades, and values: noise, noise that rises along all
    axes, and steps."""
    points = tuple(np.cumsum(10 ** rng.uniform(-2, 1, (n, lanes)), 0) for n in sizes)
    noise = rng.standard_normal((*sizes, lanes))
    rising = np.abs(noise)
    for axis in range(len(sizes)):
        rising = np.cumsum(rising, axis)
    kind = np.arange(lanes) % 3
    return points, np.where(kind == 0, noise, np.where(kind == 1, rising, np.round(noise)))


def around(points: Any, values: Any, at: Any) -> tuple[Any, Any]:
    """Least and largest value at the corners of the cells that hold places (axis, place, lane)."""
    lane = np.arange(values.shape[-1])
    cells = [np.clip(np.sum(p[:, None] <= t, 0) - 1, 0, len(p) - 2) for p, t in zip(points, at, strict=True)]
    offsets = itertools.product((0, 1), repeat=len(cells))
    found = [values[(*(i + o for i, o in zip(cells, offset, strict=True)), lane)] for offset in offsets]
    return np.min(found, 0), np.max(found, 0)


def beyond(points: Any, values: Any, at: Any, found: Any) -> float:
    """How far values at places leave those around, relative to the largest of each table."""
    low, high = around(points, values, at)
    size = np.maximum(np.max(np.abs(values), axis=tuple(range(values.ndim - 1))), EPS)
    return float(np.max(np.maximum(low - found, found - high) / size))


SIZES = ((2,), (3,), (7,), (15,), (2, 3), (5, 6), (8, 4), (3, 4, 3), (5, 2, 4), (3, 3, 2, 4))


@pytest.mark.parametrize(
    "sizes", [pytest.param(sizes, marks=[pytest.mark.long] if len(sizes) > 3 else []) for sizes in SIZES]
)
def test_tables_at_random_stay_between_the_corners(sizes):
    """2,000 tables of one to four variables; by cubic splines most of them do not."""
    rng = np.random.default_rng([8, *sizes])
    points, values = drawn(rng, sizes, 200)
    shares = rng.uniform(0, 1, (len(sizes), 40, 1))
    at = [p[0] + share * (p[-1] - p[0]) for p, share in zip(points, shares, strict=True)]
    for kind in ("smooth", "cubic"):
        grid = grid_interpolation.grid(points, values, kind)
        places = [grid_interpolation.place(p, t, "refuse") for p, t in zip(grid.points, at, strict=True)]
        found = beyond(points, values, at, grid_interpolation.look_up(grid, places, kind))
        assert found <= ROUNDING if kind == "smooth" else found > 0.1 or sizes == (2,)


@pytest.mark.parametrize("count", [2, 3, 4, 9, 150])
def test_functions_of_one_variable_stay_between_their_points(count):
    """By altitude and by time, with vectors, inside and beyond the ends; monotone where the points are."""
    rng = np.random.default_rng([9, count])
    (x,), rows = drawn(rng, (count,), 60)
    at = np.sort(rng.uniform(x[0] - 1, x[-1] + 1, (400, 60)), 0)
    found = interpolation.look_up(interpolation.knots(x, rows, "smooth"), at)
    assert beyond((x,), rows, [at], found) <= ROUNDING
    assert np.min(np.diff(found[:, 1::3], axis=0)) >= -ROUNDING * rows.max()  # those that rise
    three = np.stack([rows, np.sin(rows), -rows], 1)
    vector = interpolation.look_up(interpolation.knots(x, three, "smooth", 1), at, 1)
    np.testing.assert_allclose(vector[0], found, rtol=0, atol=ROUNDING * rows.max())
    of_time = curves.curve(x, rows, "smooth")
    held = np.array([curves.look_up_within(of_time, t, True) for t in at[::20]])
    assert beyond((x,), rows, [at[::20]], held) <= ROUNDING


def test_nothing_changes_where_the_spline_keeps_the_range():
    """Smooth data without a peak: value and slope are those of the cubic spline, for one to three
    variables."""
    rng = np.random.default_rng(10)
    x = np.linspace(0, 3, 9)
    smooth, cubic = (interpolation.knots(x, np.exp(-x), kind) for kind in ("smooth", "cubic"))
    at = rng.uniform(0, 3, 50)
    cell = interpolation.cell(cubic, at)
    one, other = (interpolation.piece(points, cell) for points in (smooth, cubic))
    np.testing.assert_allclose(one.at(at), other.at(at), rtol=0, atol=8 * EPS)
    np.testing.assert_allclose(one.slope(at), other.slope(at), rtol=0, atol=64 * EPS)
    np.testing.assert_allclose(
        interpolation.integrals(smooth), interpolation.integrals(cubic), rtol=0, atol=8 * EPS
    )
    for dimensions in (2, 3):
        mesh = np.meshgrid(*[x] * dimensions, indexing="ij")
        values, at = np.exp(sum(mesh) / 5), rng.uniform(0, 3, (dimensions, 50))
        found = []
        for kind in ("smooth", "cubic"):
            grid = grid_interpolation.grid((x,) * dimensions, values, kind)
            places = [grid_interpolation.place(p, t, "refuse") for p, t in zip(grid.points, at, strict=True)]
            found.append(grid_interpolation.look_up(grid, places, kind))
        np.testing.assert_allclose(*found, rtol=0, atol=ROUNDING * values.max())


def test_tables_with_equal_neighbours_are_as_those_with_almost_equal_ones():
    """The curve is continuous in its values, also where two are equal: the range of an interval is then one
    number."""
    rng = np.random.default_rng(12)
    (x,), rows = drawn(rng, (6,), 400)
    equal = rng.integers(0, 5, 400), np.arange(400)
    rows[equal] = rows[equal[0] + 1, equal[1]]
    at, small = x[0] + (x[-1] - x[0]) * np.linspace(0, 1, 200)[:, None], 1e-12
    one = interpolation.look_up(interpolation.knots(x, rows, "smooth"), at)
    changed = interpolation.knots(x, rows + small * rng.normal(size=rows.shape), "smooth")
    # Slopes by values are large near equal ones. Without continuity 1 % of the tables change by 1e-2.
    size = np.ptp(rows, axis=0)
    assert np.all(np.abs(interpolation.look_up(changed, at) - one) < 1e-5 * np.maximum(size, 1e-3))


@pytest.mark.parametrize("sizes", [(2, 4), (4, 2), (3, 4)])
def test_points_of_a_grid_that_differ_between_cases_whose_values_do_not(sizes):
    rng = np.random.default_rng([13, *sizes])
    points, values = drawn(rng, sizes, 5)
    at = [p[0] + rng.uniform(0, 1, 5) * (p[-1] - p[0]) for p in points]

    def found(own: Any, places: Any) -> Any:
        grid = grid_interpolation.grid(own, values[..., 0], "smooth")
        where = [grid_interpolation.place(p, t, "refuse") for p, t in zip(grid.points, places, strict=True)]
        return grid_interpolation.look_up(grid, where, "smooth")

    each = [found([p[:, k] for p in points], [t[k] for t in at]) for k in range(5)]
    np.testing.assert_allclose(found(points, at), each, rtol=0, atol=ROUNDING * np.abs(values).max())


@pytest.mark.long
def test_derivatives_through_tables_that_are_limited():
    """By place, points and values, with dual numbers and with JAX, against central differences."""
    rng = np.random.default_rng(11)
    points = tuple(np.cumsum(rng.uniform(0.5, 2, n)) for n in (6, 5))
    values, at = rng.standard_normal((6, 5)), np.array([points[0].mean(), points[1].mean()])

    def found(values: Any, first: Any, at: Any) -> Any:
        grid = grid_interpolation.grid((first, points[1]), values, "smooth")
        places = [grid_interpolation.place(p, at[k], "refuse") for k, p in enumerate(grid.points)]
        return grid_interpolation.look_up(grid, places, "smooth")

    given = values, points[0], at
    ways = tuple(rng.standard_normal(one.shape) for one in given)
    h = 1e-6
    ahead, behind = (
        found(*(one + sign * h * way for one, way in zip(given, ways, strict=True))) for sign in (1, -1)
    )
    slope = (ahead - behind) / (2 * h)
    # The third derivatives, of order 100, times h^2; and rounding over h.
    assert float(jvp(found, given, ways)[1]) == pytest.approx(slope, abs=1e-8)
    assert float(jax.jvp(found, given, ways)[1]) == pytest.approx(slope, abs=1e-8)


# --- every table that is declared ---------------------------------------------------------------------------

ALTITUDE = np.array([0.0, 800, 1600, 9000, 9500, 16000])


def test_a_wind_table_stays_between_its_levels():
    """Six levels of 4 to 30 m/s; and from 359 to 1 deg the short way."""
    speed = [4.0, 12, 12.5, 30, 29, 8]
    at = np.linspace(-100, 17e3, 2001)
    found = {}
    for kind in ("smooth", "cubic"):
        table = wind.WindTable(altitude=ALTITUDE, speed=speed, direction=[0.0] * 6, interpolation=kind)
        found[kind] = -wind.velocity(wind.prepare(table), at, 0.0)[0]
    assert 4 - 1e-12 <= found["smooth"].min() < found["smooth"].max() <= 30 + 1e-12
    assert found["cubic"].max() > 30.3
    around_north = wind.WindTable(
        altitude=[0, 1e3, 2e3, 3e3], speed=[10] * 4, direction=np.radians([350, 359, 1, 20])
    )
    between = np.linspace(1e3, 2e3, 101)
    north, east, _ = wind.velocity(wind.prepare(around_north), between, 0.0)
    turned = np.degrees(np.arctan2(-east, -north))
    assert np.all(np.abs(turned) <= 1 + 1e-9)
    assert np.all(np.hypot(north, east) >= 10 * np.cos(np.radians(1)) - 1e-12)


def test_a_density_table_stays_between_its_levels():
    density = np.array([1.2, 1.15, 0.4, 0.39, 0.38, 0.1])
    table = atmosphere.TabulatedAtmosphere(altitude=ALTITUDE, density=density, temperature=[280.0] * 6)
    at = np.linspace(0, 16e3, 1001)
    found = atmosphere.air(atmosphere.prepare(table), at).density
    low, high = around((ALTITUDE[:, None],), density[:, None], [at[:, None]])
    assert np.all(found >= low[:, 0] * (1 - ROUNDING))
    assert np.all(found <= high[:, 0] * (1 + ROUNDING))


def test_pushers_of_all_kinds_of_tables_at_once():
    """Each as by itself, though they are looked up together."""
    where, value = np.array([0.0, 0.1, 0.3, 0.35]), np.array([900.0, 880, 300, 0])
    kinds = ["linear", "smooth", "cubic"]
    tables: Any = pushers.tables([(where, value)] * 3, kinds, 0)
    for at in np.linspace(0, 0.35, 36):
        alone = [float(interpolation.look_up(interpolation.knots(where, value, kind), at)) for kind in kinds]
        np.testing.assert_allclose(tables.at(np.full(3, at)), alone, rtol=0, atol=ROUNDING * 900)


DRAG = """
gravity = "none"
planet = { kind = "flat" }
atmosphere = "us76"
[bodies.stage]
mass = "1000 kg"
inertia = "[100, 900, 900] kg m^2"
initial = { altitude = "20 km", velocity_ned = "[1100, 0, 0] m/s" }
[aerodynamics.drag]
body = "stage"
area = "1 m^2"
length = "1 m"
[aerodynamics.drag.coefficients.CD]
axes = [{ variable = "mach", points = [0, 0.8, 0.9, 1.0, 1.1, 1.2, 5] }]
values = [0.3, 0.32, 0.38, 0.52, 0.55, 0.53, 0.27]
[phases.fly]
until = { time = "10 s" }
"""


def test_a_drag_table_of_seven_points():
    """It leaves 929 m/s of 1100, where a cubic spline had accelerated to 1455 m/s: against dense integration
    of the same table, and of straight lines."""
    record = loads(DRAG).run().record
    speed = np.linalg.norm(record.series["bodies.stage.velocity"], axis=1)[-1]
    table: Any = loads(DRAG).aerodynamics[0].coefficients.CD
    ready = coefficient_table.prepare(table)
    still = atmosphere.air(atmosphere.prepare(loads(DRAG).atmosphere), np.array(20e3))

    def end(drag: Any) -> float:
        def slowing(_, v):
            return -0.5 * still.density * v**2 * drag(v / still.speed_of_sound) / 1000

        return solve_ivp(slowing, (0, 10), [1100.0], rtol=1e-11, atol=1e-9).y[0, -1]

    own = end(lambda mach: coefficient_table.look_up(ready, {"mach": mach}))
    lines = end(lambda mach: np.interp(mach, table.axes[0].points, table.values))
    assert speed == pytest.approx(own, rel=1e-9)  # the tolerance of the flight
    assert lines == pytest.approx(928.51, abs=0.01)
    assert speed == pytest.approx(lines, abs=1.0)
    (text,) = remarks(loads(DRAG.replace("values =", 'interpolation = "cubic"\nvalues =')))
    assert text.startswith("aerodynamics.drag.coefficients.CD: the cubic spline of values is -")


# --- edges of tables ----------------------------------------------------------------------------------------

OUTSIDE = """
gravity = "none"
planet = { kind = "flat" }
atmosphere = "us76"
[bodies.rocket]
mass = "20 kg"
inertia = "[0.1, 6, 6] kg m^2"
initial = { altitude = "1000 m", velocity_ned = "[600, 0, 0] m/s", attitude_axes = "level" }
[aerodynamics.all]
body = "rocket"
area = "0.0127 m^2"
length = "0.127 m"
[aerodynamics.all.coefficients.CD]
axes = [{ variable = "mach", points = [0.01, 25] }, { variable = "alpha", points = "[1, 2, 4] deg" }]
values = [[0.3, 0.3, 0.3], [0.2, 0.2, 0.2]]
[phases.up]
until = { elapsed = "5 s" }
"""


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.07), (-0.07, 0.0), (0.0, 1e5), (1e-9, 2e-9)])
def test_rounding_at_the_edge_of_an_axis(low, high):
    """Of an angle by atan2, and of an altitude from positions of the size of the Earth."""
    points, size = np.array([low, high]), high - low
    rounding = 6.4e6 * EPS if high > 1 else 4e-16 if abs(low) + abs(high) > 1e-3 else 1e-11 * size
    for end, sign in ((low, -1), (high, 1)):
        assert grid_interpolation.distance_beyond(points, np.array(end + sign * rounding)) == 0
        assert grid_interpolation.distance_beyond(points, np.array(end + sign * 1e-6 * size)) * sign > 0


def test_a_flight_that_ends_at_its_start():
    """The message names the variable that is outside, and the start is there to be read."""
    record = loads(OUTSIDE).run().record
    assert not record.completed
    assert "CD left its table, because alpha goes below 1 deg" in record.outcome
    assert "mach" not in record.outcome
    assert record.series["bodies.rocket.mach"][0] == pytest.approx(1.783, abs=1e-3)
    assert summary.tables(record)


# --- angles without a unit ----------------------------------------------------------------------------------

BARE = """
gravity = "none"
[bodies.a]
mass = 1
inertia = [1, 1, 1]
initial = { attitude = { euler = "3-2-1", angles = [330, 90, 0] } }
[requirements]
rate = { quantity = "bodies.a.angular_velocity.x", max = 1 }
[phases]
fly = { until = { quantity = "bodies.a.angular_velocity.magnitude", reaches = 2 } }
"""


def test_frequencies_without_a_unit_are_listed_in_turns():
    """Hz may be meant, degrees are not: 8 pi rad/s are 4 Hz."""
    valve = "[controls.zero]\nkind = 'pid'\nmeasured = 'bodies.a.angular_velocity.x'\nkp = 1\ntarget = 0\n"
    valve += "[actuators.valve]\ncommand = 'controls.zero'\nunit = 's^-1'\n"
    valve += "model = { kind = 'second_order', frequency = FREQUENCY, damping = 0.7 }\n"
    bare = BARE + valve.replace("FREQUENCY", repr(8 * np.pi))
    found = [text for text in remarks(loads(bare)) if "requencies" in text]
    assert found == [
        "Frequencies without a unit are read as rad/s: actuators.valve.model.frequency = 25.13 (4 rev/s)."
        ' Write the unit, for example "3 rev/s" or "19 rad/s".'
    ]
    united = BARE + valve.replace("FREQUENCY", '"4 rev/s"')
    assert [text for text in remarks(loads(united)) if "requencies" in text] == []


def test_angles_without_a_unit_are_listed():
    """Vectors of angles, limits, and triggers; not those with a unit, and none of what Interstage writes."""
    (text,) = remarks(loads(BARE))
    assert text.startswith("Angles without a unit are read as radians, but")
    for part in (
        "bodies.a.initial.attitude.angles = [330, 90, 0] (1.891e+04, 5157, 0 deg)",
        "requirements.rate.max = 1 (57.3 deg/s)",
        "phases.fly.until.reaches = 2 (114.6 deg/s)",
    ):
        assert part in text
    united = BARE.replace("[330, 90, 0]", '"[330, 90, 0] deg"').replace("max = 1", 'max = "1 deg/s"')
    united = united.replace("reaches = 2", 'reaches = "2 rad/s"')
    assert remarks(loads(united)) == []
    assert remarks(loads(loads(united).to_toml())) == []
    assert remarks(loads("# Numbers without a unit are in SI, angles in radians.\n" + BARE)) == []


def test_angles_of_the_size_of_radians_are_listed_in_one_line():
    """Each angle without a unit counts once, in the line that its size calls for: drawn at random."""
    rng = np.random.default_rng(6)
    sizes = rng.choice([0.0, 0.3, 0.5, 1.0, 2.1, 7.0, 90.0], 60) * rng.choice([-1, 1], 60)
    of_x = 'quantity = "bodies.a.angular_velocity.x", max ='
    limits = "".join(f"r{k} = {{ {of_x} {float(size)!r} }}\n" for k, size in enumerate(sizes))
    head, _, tail = BARE.replace("[330, 90, 0]", '"[330, 90, 0] deg"').partition("[requirements]\n")
    tail = tail.partition("[phases]\n")[2].replace("reaches = 2", 'reaches = "2 rad/s"')
    doubtful, plain = remarks(loads(f"{head}[requirements]\n{limits}[phases]\n{tail}"))
    assert doubtful.startswith("Angles without a unit are read as radians, but")
    assert plain.startswith("Angles without a unit are read as radians: ")
    seldom = np.isin(np.abs(sizes), [0.5, 1.0, 7.0, 90.0])
    assert doubtful.count(" deg/s)") + _left_out(doubtful) == np.sum(seldom)
    assert plain.count(" deg/s)") + _left_out(plain) == np.sum(~seldom & (sizes != 0))
    one = BARE.replace("[330, 90, 0]", '"[330, 90, 0] deg"').replace("max = 1", "max = 0.3")
    (text,) = remarks(loads(one.replace("reaches = 2", 'reaches = "2 rad/s"')))
    assert "read as radians: requirements.rate.max = 0.3 (17.19 deg/s)." in text


def _left_out(text: str) -> int:
    return int(text.partition(" and ")[2].partition(" more")[0].split(" and ")[-1])


@pytest.mark.parametrize("file", [False, True])
def test_a_statement_of_si_covers_axes_in_place_and_files_state_it_themselves(tmp_path, file):
    """The points of tables in the scenario follow its first line; those of a CSV file follow the file's."""
    states = "# Numbers without a unit are in SI, angles in radians.\n"
    path = tmp_path / "flight.toml"
    if file:
        head, _ = OUTSIDE.split("[aerodynamics.all.coefficients.CD]")
        phase = '[phases.up]\nuntil = { elapsed = "5 s" }'
        path.write_text(f'{states}{head}coefficients.CN = {{ file = "cn.csv" }}\n{phase}')
        (tmp_path / "cn.csv").write_text(COLUMNS.format(unit=""))
        assert len(remarks(load(path))) == 1
        (tmp_path / "cn.csv").write_text(states + COLUMNS.format(unit=""))
    else:
        path.write_text(bare := OUTSIDE.replace('"[1, 2, 4] deg"', "[0.1, 0.2, 0.4]"))
        (text,) = remarks(load(path))
        assert "aerodynamics.all.coefficients.CD: alpha = [0.1, 0.2, 0.4] (5.73, 11.46, 22.92 deg)" in text
        path.write_text(states + bare)
    assert remarks(load(path)) == []


COLUMNS = "mach, alpha{unit}, CN\n0.5, 0, 0\n0.5, 2, 0.2\n2, 0, 0\n2, 2, 0.2\n"


def test_columns_of_angles_and_headers(tmp_path):
    path = tmp_path / "flight.toml"
    head, _ = OUTSIDE.split("[aerodynamics.all.coefficients.CD]")
    path.write_text(
        f'{head}coefficients.CN = {{ file = "cn.csv" }}\n[phases.up]\nuntil = {{ elapsed = "5 s" }}'
    )
    (tmp_path / "cn.csv").write_text(COLUMNS.format(unit=""))
    (text,) = remarks(load(path))
    assert "aerodynamics.all.coefficients.CN: alpha = [0, 2] (0, 114.6 deg)" in text
    (tmp_path / "cn.csv").write_text(COLUMNS.format(unit=" [deg]"))
    assert remarks(load(path)) == []
    (tmp_path / "cn.csv").write_text(COLUMNS.partition("\n")[2])
    with pytest.raises(BadInput, match=r"line 1: the first line, '0.5, 0, 0', has numbers .* Write a header"):
        load(path)


def test_an_entry_of_a_list_is_set_by_its_number_in_brackets():
    """In settings and in inputs of studies: `axes[1].points` is `axes.1.points`."""
    axes = "aerodynamics.all.coefficients.CD.axes"
    for path, value in ((f"{axes}[1].points", "[1, 2, 5] deg"), (f"{axes}[1].points[2]", np.radians(5))):
        scenario: Any = loads(OUTSIDE, {path: value})
        points = scenario.aerodynamics[0].coefficients.CD.axes[1].points
        assert points == pytest.approx(np.radians([1, 2, 5]), rel=1e-15)
    (target,) = targets_of(loads(OUTSIDE), f"{axes}[1].points[2]", "x")
    assert target.nominal == pytest.approx(np.radians(4), rel=1e-15)


def test_after_in_a_trigger_has_a_hint():
    text = BARE.replace("reaches = 2 }", 'reaches = 2 } }\nnext = { until = { after = "fly" }')
    with pytest.raises(
        BadInput, match=r"phases\.next\.until\.after: is not a key of a trigger\..*elapsed"
    ) as found:
        loads(text)
    assert len(found.value.problems) == 1
    assert '[events.next] with after = "fly"' in str(found.value)
