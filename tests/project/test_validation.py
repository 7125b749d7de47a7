"""Every validation case passes, would notice a wrong flight, and its truth stands on its own feet."""

import importlib
import json
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import special
from scipy.integrate import solve_ivp

from interstage.reading import load
from interstage.record.sources import numbers_given
from interstage.studies import verify

CASES = verify.find_cases()
SOURCED = [
    file
    for file in (
        *Path(__file__).parents[2].glob("examples/*.toml"),
        *(c / "scenario.toml" for c in CASES.values()),
    )
    if file.is_file() and "[sources]" in file.read_text()
]
"""Scenarios that say where their numbers come from."""
LONG = (
    *("babyboot", "n-four-bar", "nesc-17-joint", "park-three-link", "prescribed-tip", "redundant-fixed"),
    *("park-crane", "andrews", "bricard", "dlr-composite", "dlr-payload-separation"),
    *("park-double-pendulum", "slider-crank-3d", "lgbb-separation", "bimese-separation"),
    *("hyper-x", "sts1-srb", "clampband-payload", "inline-staging", "spring-sizing", "delta3-replay"),
    *("falling-stage", "delta3-optimum", "linear-tangent", "upfg", "point-rigid", "goddard", "shuttle-entry"),
    *("lgbb-mission", "bimese-tsto", "nesc-17", "draining-stack"),
    *("tp2016-generalized-planar", "tp2016-generalized-spherical", "guest-scipy"),
    *("beam-frequencies", "elastica", "flexible-spin-up", "flexible-slider-crank", "princeton-beam", "twang"),
    "modal-stack",
    "tip-off-campaign",
    *("wind-turbine", "rotorcraft", "aircraft-linear"),
    *("nesc-06", "nesc-08", "nesc-09", "rolling-disk", "knife-edge", "pendulum-linear"),
    *("adams-cylindrical-1", "adams-prismatic-1", "adams-prismatic-2", "adams-revolute-1"),
    *("adams-rotational-spring-2", "adams-spherical-1", "tp2016-generalized-universal"),
    *("tp2016-universal", "adams-cylindrical-2", "tp2016-spherical", "tp2016-revolute", "tp2016-planar"),
    *("tp2016-cylindrical", "tp2016-planar-slider", "adams-universal-1", "adams-universal-2"),
    *("adams-distance-1", "adams-spherical-2", "adams-translational-spring-1", "fixed-nutation"),
    *("tp2016-fixed", "adams-rotational-spring-1", "pendulum", "nesc-02", "jeod-10a", "adams-distance-2"),
    *("adams-translational-spring-2", "nesc-10", "nesc-07", "gravity-turn"),
)
"""Cases of minutes, and those of which another of their kind runs with the ordinary ones: see the marker."""
OTHERS = [
    name for name, folder in CASES.items()
    if any(s in (folder / "case.py").read_text() for s in ("VARIANTS =", "def converge"))
]  # fmt: skip
"""Cases that are flown by several formulations."""


def case(name: str, *others):
    """A parameter, marked where its case is long."""
    return pytest.param(name, *others, marks=[pytest.mark.long] if name in LONG else [])


def module(name: str):
    """A module beside the cases, or a case."""
    verify._module(CASES["pendulum"])
    return importlib.import_module(f"{verify.PACKAGE}.{name}")


flights = {}


def fly(scenario, **changes):
    """Flies each scenario once for all tests of this module."""
    key = str(scenario), repr(changes)
    if key not in flights:
        flights[key] = verify.fly(scenario, **changes)
    return flights[key]


@pytest.fixture
def default_formulation(monkeypatch):
    """The cases as far as they are flown by the default formulation, which most of them are throughout."""
    for name in OTHERS:
        module = verify._module(CASES[name])
        monkeypatch.setattr(module, "VARIANTS", {}, raising=False)
        monkeypatch.delattr(module, "converge", raising=False)


@pytest.mark.parametrize("name", [case(name) for name in CASES])
def test_case(default_formulation, name):
    passes(name)


@pytest.mark.long
@pytest.mark.parametrize("name", OTHERS)
def test_case_by_all_formulations(name):
    passes(name)


def passes(name):
    """All rows of a case stay within their bounds."""
    result = verify.run_case(CASES[name], fly)
    if result.skipped:
        pytest.skip(result.skipped)
    assert not result.problem
    for row in result.rows:
        assert row.passed, f"{row.quantity}: {row.error:.2e}, bound {row.bound:.1e}; {row.note}"


@pytest.mark.parametrize("name", CASES)
def test_case_is_complete(name):
    folder = CASES[name]
    text = (folder / "SOURCE.md").read_text()
    assert "Bounds" in text
    assert "Not verified" in text
    assert (folder / "scenario.toml").is_file() or "without a flight" in text


def disturbed(series: str, change):
    """A fly that spoils one quantity of the record: its samples, and its values before each event."""

    def spoiled(scenario, **changes):
        record = fly(scenario, **changes)
        samples = record.series | {series: change(record.series[series])}
        before = record.before | {
            path: change(each) for path, each in record.before.items() if path == series
        }
        return replace(record, series=samples, before=before)

    return spoiled


@pytest.mark.parametrize(
    ("name", "series", "change"),
    [
        ("adams-revolute-2", "joints.joint.force", np.negative),
        ("adams-revolute-2", "joints.joint.torque", np.negative),
        ("adams-revolute-2", "bodies.pendulum.position", lambda x: x + 3e-5),
        case("adams-prismatic-2", "joints.joint.displacement", np.zeros_like),
        ("adams-revolute-2", "bodies.pendulum.attitude", lambda q: q * [1, -1, -1, -1]),
        case("pendulum", "bodies.pendulum.position", lambda x: x + 2e-10),
        ("torque-free", "bodies.body.attitude", lambda q: np.roll(q, 1, axis=0)),
        ("heavy-top", "joints.tip.force", lambda f: f * (1 + 2e-8)),
        case("tp2016-revolute", "joints.joint.torque_child", np.negative),
        case("tp2016-revolute", "bodies.box2.velocity", lambda v: v * (1 + 2e-7)),
        case("tp2016-fixed", "joints.joint.displacement", lambda d: d + 4e-13),
        case("rolling-disk", "joints.wheel.torque", np.zeros_like),
        case("knife-edge", "joints.edge.force", np.negative),
        case("prescribed-tip", "joints.tip.power", lambda p: p * (1 + 2e-10)),
        case("fixed-nutation", "joints.pivot.torque", np.negative),
        case("delta3-replay", "bodies.rocket.velocity", lambda v: v + np.array([2e-5, 0, 0])),
        case("falling-stage", "bodies.stage.altitude", lambda h: h + 1e-6),
        case("falling-stage", "bodies.stage.ground_speed", lambda v: v * (1 + 1e-10)),
        case("upfg", "bodies.stage.mass", lambda m: m * (1 - 2e-4)),
        case("n-four-bar", "bodies.upright2.attitude", lambda q: q * [1, 1, 1, 1 + 3e-8]),
        case("park-three-link", "bodies.link3.attitude", lambda q: q + 1e-9),
        ("nesc-01", "bodies.body.position", lambda x: x * (1 + 1e-12)),
        case("nesc-02", "bodies.body.attitude", lambda q: q * [1, -1, -1, -1]),
        case("nesc-08", "bodies.body.velocity", lambda v: v + np.array([0, 1e-3, 0])),
        case("nesc-17", "bodies.rocket.position", lambda x: x + np.array([0.02, 0, 0])),
        case("nesc-17-joint", "joints.interstage.force", lambda f: f * (1 + 2e-9)),
        case("jeod-10a", "bodies.cylinder.attitude", lambda q: q * [1, 1, 1, 1 + 1e-9]),
        case("lgbb-separation", "bodies.core.position", lambda x: x + np.array([0, 2e-5, 0])),
        case("lgbb-separation", "joints.aft.force", lambda f: f * (1 + 2e-7)),
        case("bimese-separation", "joints.aft.force", lambda f: f * (1 + 2e-5)),
        case("hyper-x", "joints.ball.force", lambda f: f * (1 + 2e-9)),
        case("hyper-x", "bodies.rv.velocity", lambda v: v + np.array([0, 0, 4e-7])),
        case("bimese-separation", "bodies.booster.angular_acceleration", lambda a: a * (1 + 2e-5)),
        case("sts1-srb", "bodies.left.angular_velocity", lambda w: w + np.array([0, 2e-9, 0])),
        case("sts1-srb", "joints.aft_right.reaction_child_force", lambda f: f * (1 + 4e-8)),
        case("sts1-srb", "joints.forward_left.displacement", np.negative),
        case("clampband-payload", "bodies.satellite.velocity", lambda v: v * (1 + 4e-8)),
        case("clampband-payload", "clearance.envelope.distance", lambda d: d + 2e-9),
        case("inline-staging", "bodies.lower.angular_velocity", lambda w: w + 2e-8),
        case("inline-staging", "clearance.nozzle.distance", lambda d: d + 2e-9),
        case("draining-stack", "joints.interstage.reaction_parent_torque", lambda m: m * (1 + 2e-9)),
        case("draining-stack", "bodies.upper.mass", lambda m: m * (1 + 1e-12)),
    ],
)
def test_a_wrong_flight_is_noticed(default_formulation, name, series, change):
    assert not verify.run_case(CASES[name], disturbed(series, change)).passed


@pytest.mark.parametrize("path", ["gap", "gap_rate", "joints.slider.force", "joints.slider.torque"])
def test_a_wrong_row_is_noticed(path):
    case, folder = module("tp2016-planar-slider.case"), CASES["tp2016-planar-slider"]
    table = tomllib.loads((folder / "scenario.toml").read_text())
    state = json.loads((folder / "truth.json").read_text())["cases"][0]
    found = verify.start_as_declared(case.scenario(table, state))
    assert max(case.errors(found, state).values()) < case.BOUND
    assert max(case.errors(found | {path: -found[path]}, state).values()) > case.BOUND


@pytest.mark.parametrize("m1", [1.0, 0.9, 0.5, 0.1, 1e-3])
def test_elliptic_functions(m1):
    elliptic = module("elliptic")
    u = np.linspace(-60, 60, 601)
    # Both codes lose some 60 roundings of the argument, and dn of SciPy a few more.
    for ours, theirs in zip(elliptic.jacobi(u, m1), special.ellipj(u, 1 - m1)):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    assert elliptic.complete(m1) == pytest.approx(special.ellipkm1(m1), rel=1e-14)
    for phi in np.linspace(-1.5, 1.5, 7):
        ours = elliptic.incomplete(np.sin(phi), np.cos(phi), m1)
        assert ours == pytest.approx(special.ellipkinc(phi, 1 - m1), rel=1e-13, abs=1e-15)


def integrated(rate, start, times):
    """States at the times by SciPy's DOP853 at its tightest."""
    return solve_ivp(rate, (times[0], times[-1]), start, "DOP853", times, rtol=3e-14, atol=1e-15).y.T


def test_pendulum_closed_form_is_a_solution():
    case = module("pendulum.case")
    angle, rate = case.swing(case.TIMES)
    states = integrated(lambda t, y: [y[1], -9.81 * np.sin(y[0])], [np.pi / 2, 0], case.TIMES)
    np.testing.assert_allclose(np.stack([angle, rate], axis=1), states, rtol=0, atol=1e-11)


def test_torque_free_closed_form_is_a_solution():
    case = module("torque-free.case")
    times = np.linspace(0, 20, 41)

    def rate(t, y):
        q, w = y[:4], y[4:]
        spin = -np.cross(w, case.INERTIA * w) / case.INERTIA
        turn = np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)]) / 2
        return np.concatenate([turn, spin])

    states = integrated(rate, [1, 0, 0, 0, *case.START], times)
    np.testing.assert_allclose(case.body_rates(times), states[:, 4:], rtol=0, atol=1e-11)
    signs = np.sign(np.sum(case.attitudes(times) * states[:, :4], axis=1))
    np.testing.assert_allclose(case.attitudes(times), states[:, :4] * signs[:, None], rtol=0, atol=1e-11)


def test_sleigh_closed_form_is_a_solution():
    """v' = a w^2, (I + m a^2) w' = -m a v w, and the path of the edge; the centre of mass is 0.25 m ahead."""
    case, times = module("knife-edge.case"), np.linspace(0, 5, 51)
    found = case.sleigh(times)

    def rate(t, y):
        v, w, heading = y[:3]
        return [
            0.25 * w * w,
            -2 * 0.25 * v * w / (0.3 + 2 * 0.25**2),
            w,
            v * np.cos(heading),
            v * np.sin(heading),
        ]

    v, _, heading, x, y = integrated(rate, [-0.4, 3.0, 0, 0, 0], times).T
    ahead = np.stack([np.cos(heading), np.sin(heading), 0 * x], axis=1)
    np.testing.assert_allclose(found["heading"], ahead, rtol=0, atol=1e-11)
    place = np.stack([x, y, 0 * x], axis=1) + 0.25 * ahead
    np.testing.assert_allclose(found["position"], place, rtol=0, atol=1e-11)
    np.testing.assert_allclose(np.sum(found["velocity"] * ahead, axis=1), v, rtol=0, atol=1e-11)


def test_circle_of_the_disk_is_a_solution():
    """Newton's and Euler's laws with the force at the contact, from differences of the closed form."""
    case, h = module("rolling-disk.case"), 1e-4
    found = case.circle(np.linspace(0, 1, 10001))
    middle = slice(1, -1)

    def slope(name):
        return (found[name][2:] - found[name][:-2]) / (2 * h)

    def held(name):
        return found[name][middle]

    contact = held("contact") - held("position")
    standing = held("velocity") + np.cross(held("angular_velocity"), contact)
    spin = np.sum(found["angular_velocity"] * found["axle"], axis=1)[:, None] * found["axle"]
    found["spin"] = case.ACROSS * (found["angular_velocity"] - spin) + case.ALONG * spin
    # Differences over 2e-4 s leave (rate)^3 h^2/6 of each, rates up to 2.6 rad/s, forces of 20 N.
    close = {"rtol": 0, "atol": 1e-6}
    np.testing.assert_allclose(standing, np.zeros_like(standing), rtol=0, atol=1e-14)
    np.testing.assert_allclose(slope("position"), held("velocity"), **close)
    np.testing.assert_allclose(slope("axle"), np.cross(held("angular_velocity"), held("axle")), **close)
    np.testing.assert_allclose(slope("x_axis"), np.cross(held("angular_velocity"), held("x_axis")), **close)
    push = case.MASS * slope("velocity") + [0, 0, case.MASS * case.G]
    np.testing.assert_allclose(push, held("force"), **close)
    np.testing.assert_allclose(slope("spin"), held("torque"), **close)


def test_separation_closed_form_is_a_solution():
    case = module("dlr-payload-separation.case")
    times = np.linspace(case.RELEASE, case.RELEASE + case.PUSH, 21)
    way, speed = case.travel(times)
    push = lambda t, y: [y[1], (case.PRELOAD - case.STIFFNESS * y[0]) / case.REDUCED]  # noqa: E731
    states = integrated(push, [0, 0], times)
    np.testing.assert_allclose(np.stack([way, speed], axis=1), states, rtol=0, atol=1e-13)
    assert way[-1] == pytest.approx(case.STROKE, rel=1e-14)
    assert speed[-1] == pytest.approx(case.SPEED, rel=1e-14)


def test_the_rocket_of_two_stages_is_that_of_the_files():
    made = module("nesc-17.make_scenario").scenario()
    assert made == (CASES["nesc-17"] / "scenario.toml").read_text()
    made = module("delta3-replay.make_scenario").scenario()
    assert made == (CASES["delta3-replay"] / "scenario.toml").read_text()
    for name, text in module("nesc-17-joint.make_scenario").texts().items():
        assert text == (CASES["nesc-17-joint"] / name).read_text()


@pytest.mark.parametrize(
    "name",
    ["lgbb-separation", "lgbb-mission", "bimese-separation", "bimese-tsto", "sts1-srb", "inline-staging"],
)
def test_scenarios_of_staging_are_those_of_the_template(name):
    assert module(f"{name}.make_scenario").scenario() == (CASES[name] / "scenario.toml").read_text()


def test_boosters_as_built_are_those_of_the_template():
    made = module("sts1-srb.make_scenario").scenario(built=True)
    assert made == (CASES["sts1-srb"] / "as_built.toml").read_text()


def test_scenarios_of_the_piston_are_those_of_the_estimate():
    for file, text in module("hyper-x.make_scenario").scenarios().items():
        assert text == (CASES["hyper-x"] / file).read_text()
        for number in numbers_given(load(CASES["hyper-x"] / file)):
            assert number.source is not None, number.path


@pytest.mark.parametrize("file", SOURCED, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_who_names_sources_names_them_all(file):
    for number in numbers_given(load(file)):
        assert number.source is not None, number.path


def test_geodetic_coordinates_lead_back():
    """With the prime vertical's radius N a point is at (N + h) cos, (N (1 - e^2) + h) sin of its latitude."""
    nesc = module("nesc")
    longitude, latitude, altitude = (
        np.linspace(-3, 3, 25),
        np.linspace(-1.5, 1.5, 25),
        np.geomspace(1, 1e6, 25),
    )
    e2 = nesc.FLATTENING * (2 - nesc.FLATTENING)
    n = nesc.RADIUS / np.sqrt(1 - e2 * np.sin(latitude) ** 2)
    across, up = (n + altitude) * np.cos(latitude), (n * (1 - e2) + altitude) * np.sin(latitude)
    found = nesc.geodetic(np.stack([across * np.cos(longitude), across * np.sin(longitude), up], axis=1))
    np.testing.assert_allclose(found[0], longitude, rtol=0, atol=1e-15)
    np.testing.assert_allclose(found[1], latitude, rtol=0, atol=1e-15)
    np.testing.assert_allclose(found[2], altitude, rtol=0, atol=1e-8)  # roundings of 6e6 m


def test_angles_between_quaternions():
    comparison = module("comparison")
    q = np.array([[1.0, 0, 0, 0]])
    for angle in (1e-9, 0.3, 3.0):
        p = np.array([[np.cos(angle / 2), 0, np.sin(angle / 2), 0]])
        assert comparison.angle_between(q, p)[0] == pytest.approx(angle, rel=1e-9)
        assert comparison.angle_between(q, -p)[0] == pytest.approx(angle, rel=1e-9)
    np.testing.assert_allclose(
        comparison.turned(p, np.array([[0.0, 0, 1]])), [[np.sin(3), 0, np.cos(3)]], atol=1e-15
    )
