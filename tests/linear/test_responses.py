"""Frequency and step responses, and margins, against closed forms, and as the command saves them."""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.signal
from scipy.optimize import brentq

from burning import throttled
from interstage.cli.main import main
from interstage.drawing.figure import Line
from interstage.linear.responses import common_band, loop_response
from interstage.reading import loads
from interstage.studies.linearize.response_files import figures, margin_table
from interstage.tree.errors import BadInput
from mechanics import EPS

INERTIA, STIFF, DAMPED = 0.5, 20.0, 0.4
ROUNDED = 1e4 * EPS
"""Of solutions with two states, and of a thousand steps of their exponential."""
SPRUNG = f"""
joints.hinge = {{ kind = "revolute", axis = "y", parent = "ground", child = "bob" }}
[bodies.bob]
mass = 1
inertia = [1, {INERTIA}, 1]
initial = {{ through = "hinge" }}
[forces.spring]
kind = "torsion_spring"
parent = "ground"
child = "bob"
sequence = "2"
stiffness = [{STIFF}]
damping = [{DAMPED}]
[phases.fly]
until = {{ time = "1 s" }}
"""


@pytest.fixture(scope="module")
def sprung() -> Any:
    how = {
        "inputs": "bodies.bob.torque.y",
        "outputs": ["joints.hinge.rotation.y", "bodies.bob.angular_velocity.y"],
    }
    return loads(SPRUNG).linearize(**how)


def test_frequency_responses(sprung):
    """1/(k - J w^2 + i c w), as closely as its peak is sharp."""
    found = sprung.bode()
    w = 2 * np.pi * found.frequencies
    truth = 1 / (STIFF - INERTIA * w**2 + 1j * DAMPED * w)
    np.testing.assert_allclose(found.values[:, 0, 0], truth, rtol=ROUNDED)
    np.testing.assert_allclose(found.values[:, 1, 0], 1j * w * truth, rtol=ROUNDED)
    np.testing.assert_allclose(found.gain[:, 0, 0], abs(truth), rtol=ROUNDED)
    np.testing.assert_allclose(found.phase[:, 0, 0], np.unwrap(np.angle(truth)), rtol=0, atol=ROUNDED)
    damping = DAMPED / 2 / np.sqrt(STIFF * INERTIA)
    peak = 1 / (2 * damping * np.sqrt(1 - damping**2) * STIFF)
    # Next to the peak the gain falls by the square of how far a frequency is from it, over the damping.
    assert np.max(found.gain[:, 0, 0]) == pytest.approx(peak, rel=1e-3)
    own = np.sqrt(STIFF / INERTIA) / (2 * np.pi)
    assert found.frequencies[[0, -1]] == pytest.approx([own / 10, own * 10])
    assert sprung.bode("1 Hz:2 Hz").frequencies[[0, -1]] == pytest.approx([1, 2])


def test_the_band_is_of_modes_that_matter(sprung):
    """A lag of 1e6 Hz and one of 1e-4 Hz beside it, which nothing drives or shows, are not in it; where it
    accelerates, so that its equations hold for a while, neither is a slow one that takes part."""
    own, ends = np.sqrt(STIFF / INERTIA) / (2 * np.pi), 2 * np.pi * np.array([1e6, 1e-4])
    a = np.diag([0.0, 0.0, *-ends])
    a[:2, :2] = sprung.A
    states = (sprung.states * 2)[:4]
    b, c = np.concatenate([sprung.B, [[1], [0]]]), np.concatenate([sprung.C, [[0, 1], [0, 1]]], 1)
    beside = replace(sprung, A=a, B=b, C=c, states=states, x0=np.zeros(4), rates=np.zeros(4))
    assert beside.bode().frequencies[[0, -1]] == pytest.approx([own / 10, own * 10])
    both = replace(beside, B=np.ones((4, 1)), C=np.ones((2, 4)))
    assert both.bode().frequencies[[0, -1]] == pytest.approx([1e-5, 1e7])
    moving = replace(both, rates=np.ones(4))
    assert moving.standing.startswith("accelerates")
    assert moving.bode().frequencies[[0, -1]] == pytest.approx([own / 10, 1e7])


def test_responses_of_several_moments_have_one_band_and_colours_of_their_own(sprung):
    """A dozen, by their order in the colour map, of which the legend names some; phases are in multiples of
    45 deg, and no whole turns apart."""
    each = [replace(sprung, varied="stiffness [N m/rad]", level=k, A=sprung.A * k) for k in range(1, 13)]
    low, high = common_band(each)
    found = [one.bode((low, high)) for one in each]
    assert all(one.frequencies[[0, -1]] == pytest.approx([low, high]) for one in found)
    (figure,) = figures(found, "SI")
    for panel in figure.panels:
        lines = [mark for mark in panel.marks if isinstance(mark, Line)]
        assert len({line.colour for line in lines}) == 12
    labels = [line.label for line in figure.legend]
    assert (labels[0], labels[-1], len(labels)) == ("stiffness = 1 N m/rad", "stiffness = 12 N m/rad", 8)
    ends = [[line.y[-1] for line in panel.marks if isinstance(line, Line)] for panel in figure.panels[1::2]]
    assert max(np.ptp(some) for some in ends) < 45
    texts = re.findall(r">(−?\d+)</text>", figure.svg())
    assert {"−90", "−180"} <= set(texts)
    few = figures(found[:3], "SI")[0]
    assert [line.label for line in few.legend] == [f"stiffness = {k} N m/rad" for k in (1, 2, 3)]


def test_they_are_those_of_scipy(sprung):
    system, at = sprung.to_scipy(), sprung.step("4 s")
    times, values = scipy.signal.step(system, T=at.times)
    np.testing.assert_allclose(times, at.times)
    np.testing.assert_allclose(values, at.values[:, :, 0], rtol=0, atol=ROUNDED)


def test_step_responses(sprung):
    """(1 - e^(-z w t) (cos wd t + z w/wd sin wd t))/k, and its rate, until it has settled."""
    found = sprung.step()
    w, z = np.sqrt(STIFF / INERTIA), DAMPED / 2 / np.sqrt(STIFF * INERTIA)
    wd, t = w * np.sqrt(1 - z**2), found.times
    decay = np.exp(-z * w * t)
    truth = (1 - decay * (np.cos(wd * t) + z * w / wd * np.sin(wd * t))) / STIFF
    np.testing.assert_allclose(found.values[:, 0, 0], truth, rtol=0, atol=ROUNDED)
    np.testing.assert_allclose(
        found.values[:, 1, 0], decay * np.sin(wd * t) / INERTIA / wd, rtol=0, atol=ROUNDED
    )
    assert t[-1] == pytest.approx(min(5 / (z * w), 10 * 2 * np.pi / w))
    assert sprung.step("3 s").times[-1] == 3.0


MASS, THRUST, KP, KI, LAG = 500.0, 2000.0, 0.3, 0.07, 0.4


@pytest.fixture(scope="module")
def throttle() -> Any:
    """A throttle that holds a speed, with a lag."""
    text = throttled(MASS, THRUST, "velocity.x").replace('"controls.throttle"', '"actuators.valve"')
    text = text.replace("target = 0", f"target = 2\nkp = {KP}\nki = {KI}\nbias = 0.1")
    return loads(f"""{text}
[actuators.valve]
command = "controls.throttle"
model = {{ kind = "first_order", time_constant = {LAG} }}
[phases.fly]
until = {{ time = "1 s" }}
""")


def test_margins_of_a_loop(throttle):
    """L = (kp + ki/s) F/(m s (T s + 1)): its phase at a gain of one; it never is at -180 deg."""

    def loop(f: float) -> complex:
        s = 2j * np.pi * f
        return (KP + KI / s) * THRUST / MASS / s / (LAG * s + 1)

    linear = throttle.linearize(inputs="controls.throttle", outputs="controls.throttle")
    found = linear.margins("controls.throttle")
    one: Any = brentq(lambda f: abs(loop(f)) - 1, 1e-3, 10.0, xtol=1e-14)
    assert found.stable
    assert found.phase == pytest.approx((np.pi + np.angle(loop(one)), one), rel=1e-9)
    # Its phase begins below -180 deg where ki/kp < 1/T does not hold; here it stays above.
    assert found.grows is None
    assert found.falls is None


@pytest.mark.parametrize("added", [0.0, 1.0])
@pytest.mark.parametrize("gain", [2.0, 9.0])
def test_a_gain_margin(throttle, gain, added):
    """L = K/(s (s + 1) (s + 2)) is real at w^2 = 2, where it is -K/6; whether what is added is in the
    command or beside it. Beyond 6 the loop is unstable, and may fall."""
    linear = throttle.linearize(inputs="controls.throttle", outputs="controls.throttle")
    a, b = np.array([[0, 1, 0], [0, -1, 1], [0, 0, -2.0]]), np.array([[0], [0], [1.0]])
    c = np.array([[-gain, 0, 0]])
    made = {"A": a + b @ c, "B": b, "C": c, "D": np.array([[added]]), "states": linear.states[:3]}
    found = replace(linear, **made).margins("controls.throttle")
    margin = pytest.approx((6 / gain, np.sqrt(2) / (2 * np.pi)), rel=1e-9)
    assert (found.grows, found.falls) == ((margin, None) if gain < 6 else (None, margin))
    assert found.stable == (gain < 6)
    assert (found.phase[0] > 0) == found.stable


def made(linear: Any, num: Any, den: Any) -> Any:
    """The equations of a loop num/den that is closed, with its command as input and output."""
    a, b, c, _ = scipy.signal.tf2ss(num, den)
    states = (linear.states * 9)[: len(a)]
    return replace(linear, A=a - b @ c, B=b, C=-c, D=np.zeros((1, 1)), states=states)


def of_polynomials(num: Any, den: Any) -> tuple[Any, Any, Any]:
    """Margins of num/den by roots of |num|^2 = |den|^2 and of the imaginary part, over w, and at rest."""

    def along(p: Any) -> np.poly1d:
        return np.poly1d([c * 1j ** (len(p) - 1 - k) for k, c in enumerate(p)])

    def roots(p: np.poly1d) -> list[float]:
        found = p.roots
        return [w.real for w in found if abs(w.imag) < 1e-7 * abs(w) and w.real > 0]

    def loop(w: float) -> complex:
        return complex(np.polyval(num, 1j * w) / np.polyval(den, 1j * w))

    n, d = along(num), along(den)
    ones = roots(np.poly1d(np.real((n * np.conj(n) - d * np.conj(d)).coeffs)))
    reals = [(loop(w).real, w) for w in roots(np.poly1d(np.imag((n * np.conj(d)).coeffs)))]
    if den[-1] != 0:
        reals.append((num[-1] / den[-1], 0.0))
    gains = [(-1 / real, w / 2 / np.pi) for real, w in reals if real < 0]
    phases = [(np.remainder(np.angle(loop(w)), 2 * np.pi) - np.pi, w / 2 / np.pi) for w in ones]
    return (
        min((one for one in gains if one[0] > 1), default=None),
        max((one for one in gains if one[0] < 1), default=None),
        min(phases, key=lambda one: abs(one[0]), default=None),
    )


def drawn(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A loop with integrators, roots on both sides and modes hardly damped, over six decades."""
    num, den = np.ones(1) * 10 ** rng.uniform(-1, 3) * rng.choice([1, 1, -1]), np.ones(1)
    for _ in range(rng.integers(0, 3)):
        den = np.polymul(den, [1, 0.0])
    for _ in range(rng.integers(1, 3)):
        den = np.polymul(den, [1, rng.choice([-1, 1, 1]) * 10 ** rng.uniform(-2, 2)])
    for _ in range(rng.integers(0, 2)):
        w, damping = 10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-3, 0)
        den = np.polymul(den, [1, 2 * damping * w, w * w])
    for _ in range(rng.integers(0, len(den) - 1)):
        num = np.polymul(num, [1, rng.choice([-1, 1, 1]) * 10 ** rng.uniform(-2, 2)])
    return num, den


@pytest.fixture(scope="module")
def any_loop(throttle) -> Any:
    return throttle.linearize(inputs="controls.throttle", outputs="controls.throttle")


def test_margins_are_found_wherever_they_are(any_loop):
    """Beyond all poles, between them, and at rest, of 60 loops."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        num, den = drawn(rng)
        found = made(any_loop, num, den).margins("controls.throttle")
        for one, truth in zip((found.grows, found.falls, found.phase), of_polynomials(num, den), strict=True):
            # Roots of polynomials of six decades are known to some six places.
            assert one == (None if truth is None else pytest.approx(truth, rel=1e-5, abs=1e-9)), (num, den)


@pytest.mark.parametrize("bandwidth", [0.01, 300.0])
def test_the_margin_of_an_attitude_hold_of_a_rigid_body(any_loop, bandwidth):
    """(2 z w s + w^2)/s^2, all of whose poles are zero: |L| = 1 at w sqrt(2 z^2 + sqrt(4 z^4 + 1)), with the
    phase of atan(2 z w'/w) above -180 deg. The figure of the loop has that frequency in it."""
    z, w = 0.7, bandwidth
    linear = made(any_loop, [2 * z * w, w**2], [1.0, 0.0, 0.0])
    found = linear.margins("controls.throttle")
    one = np.sqrt(2 * z**2 + np.sqrt(4 * z**4 + 1))
    assert found.phase == pytest.approx((np.arctan(2 * z * one), one * w / 2 / np.pi), rel=1e-9)
    assert (found.grows, found.falls) == (None, None)
    ends = loop_response(linear, "controls.throttle").frequencies[[0, -1]]
    assert ends[0] < one * w / 2 / np.pi < ends[1]


def test_a_law_that_does_not_answer_has_no_loop(any_loop):
    """As one at its limit: there is nothing to cut, which the table says, with the moment."""
    none = replace(made(any_loop, [1.0], [1.0, 1.0]), A=-np.eye(1), C=np.zeros((1, 1))).margins(
        "controls.throttle"
    )
    other = replace(none, moment="at 3 s", nothing=False)
    assert none.nothing
    table = margin_table([none, other])
    assert table.columns[0] == "event"
    assert "The loop controls.throttle at the start is not closed" in table.note
    assert "event" not in margin_table([other]).columns
    varied = [replace(other, varied="gain [1]", level=k) for k in (0.5, 2.0)]
    table = margin_table([*varied, replace(varied[0], nothing=True, level=3.0)])
    assert table.columns[0] == "gain [1]"
    assert [cells[0] for cells in table.rows] == ["0.5", "2", "3"]
    assert "The loop controls.throttle at gain [1] 3 is not closed" in table.note


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bob.toml").write_text(SPRUNG)

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["interstage", "linearize", "bob.toml", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        assert ended.value.code == (2 if told.err else 0)
        return told.out or told.err

    names = ["--input", "bodies.bob.torque.y", "--output-of", "joints.hinge.rotation.y"]
    told = run(*names, "--bode", "bode.csv", "--step", "step.csv", "--duration", "2 s", "--units", "SI")
    assert "Wrote bode.csv and step.csv." in told
    with (tmp_path / "bode.csv").open() as file:
        head, first, *_ = csv.reader(file)
    title = "joints.hinge.rotation.y by bodies.bob.torque.y"
    assert head == ["frequency [Hz]", f"{title}: gain [deg / (N m)]", f"{title}: phase [deg]"]
    f, gain, phase = map(float, first)
    w = 2 * np.pi * f
    truth = 180 / np.pi * (1 / (STIFF - INERTIA * w**2 + 1j * DAMPED * w))
    assert gain == pytest.approx(abs(truth), rel=1e-9)
    assert phase == pytest.approx(np.degrees(np.angle(truth)), rel=1e-9)
    with (tmp_path / "step.csv").open() as file:
        head, *rows = csv.reader(file)
    assert head == ["time [s]", f"{title} [deg / (N m)]"]
    assert float(rows[-1][0]) == 2.0
    run(*names, "--bode", "bode.svg", "--step", "step.html")
    assert "due to bodies.bob.torque.y" in (tmp_path / "bode.svg").read_text()
    assert "Step responses" in (tmp_path / "step.html").read_text()
    run(*names, "--vary", "forces.spring.damping[0]=1 N m s/rad:2 N m s/rad:2", "--step", "vary.csv")
    with (tmp_path / "vary.csv").open() as file:
        head, *rows = csv.reader(file)
    assert head[0] == "spring.damping[0] [N m s/rad]"
    assert {row[0] for row in rows} == {"1", "2"}
    assert "have no inputs" in run("--bode", "bode.svg")
    assert "Allowed" in run(*names, "--bode", "bode.txt")
    assert "is not a frequency range" in run(*names, "--bode", "bode.csv", "--band", "3")
    assert "is also the file of --bode" in run(*names, "--bode", "one.svg", "--step", "one.svg")
    assert "with --step only" in run(*names, "--duration", "3 s")
    assert "LOW is above HIGH" in run("--bode", "bode.csv", "--band", "50 Hz:0.1 Hz")
    assert "'controls.hold' is not a control command" in run(*names, "--loop", "controls.hold")


def test_python_control(sprung):
    control = pytest.importorskip("control.statesp")
    system = control.ss(sprung.A, sprung.B, sprung.C, sprung.D)
    w = np.array([0.5, 5.0])
    np.testing.assert_allclose(
        np.moveaxis(system(1j * w), -1, 0), sprung.transfer(w / (2 * np.pi)), rtol=1e-9
    )


def sprung_without_inputs() -> Any:
    return loads(SPRUNG).linearize()


def test_bad_input(sprung):
    with pytest.raises(
        BadInput, match=r"have no inputs. Set an input, for example --input bodies\.bob\.torque\.y, and"
    ):
        sprung_without_inputs().bode()
    with pytest.raises(BadInput, match="'2 Hz:1 Hz': LOW is above HIGH"):
        sprung.bode("2 Hz:1 Hz")
    with pytest.raises(BadInput, match="Give a time above zero"):
        sprung.step(0.0)
    for linear in (sprung, replace(sprung, A=np.array([[0.0, 1.0], [0.0, 0.1]]))):
        with pytest.raises(BadInput, match="overflows"):
            linear.step(1e100)
    with pytest.raises(BadInput, match="frequency of an undamped mode"):
        replace(sprung, A=np.array([[0.0, 1.0], [0.0, 0.0]])).transfer([1.0, 0.0])
    assert sprung.bode("1e-99 Hz:1e99 Hz").values[0, 0, 0].real == pytest.approx(1 / STIFF)
    with pytest.raises(BadInput, match="Give a command"):
        sprung.margins("controls.hold")
