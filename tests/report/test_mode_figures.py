"""Modes over an input and over time: which are which, against closed forms, and as the command saves them."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from interstage.cli.main import main
from interstage.drawing.figure import Line
from interstage.linear.tracks import loci_of
from interstage.reading import loads
from interstage.studies.linearize import Series
from interstage.studies.linearize.mode_files import MOST_MODES, ON_TOP, save_modes
from mechanics import EPS

INERTIA, STIFF = 0.5, 20.0
CRITICAL = 2 * np.sqrt(INERTIA * STIFF)
"""Damping [N m s/rad] from which on it does not swing."""
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
damping = [0.4]
[phases.fly]
until = {{ time = "1 s" }}
"""
LEVELS = "forces.spring.damping[0]=0 N m s/rad:12 N m s/rad:13"


@pytest.fixture(scope="module")
def sprung() -> Any:
    return loads(SPRUNG).linearize()


@pytest.fixture(scope="module")
def damped() -> Any:
    return loads(SPRUNG).linearize(vary=LEVELS)


def over(sprung: Any, matrix: Callable[[float], np.ndarray], levels: Any, names: str = "ab") -> Series:
    """A series over an input x, of matrices of as many states with these things."""
    count = len(matrix(levels[0]))
    states = tuple(
        sprung.states[0]._replace(name=f"{k}", thing=f"body {names[k * len(names) // count]}", unit="")
        for k in range(count)
    )
    how = {"states": states, "x0": np.zeros(count), "rates": np.zeros(count)}
    return Series([replace(sprung, A=matrix(x), varied="x [m]", level=float(x), **how) for x in levels])


def block(*squares: float) -> np.ndarray:
    """The matrix of oscillators with these squares of angular frequencies."""
    found = np.zeros((2 * len(squares),) * 2)
    for k, square in enumerate(squares):
        found[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[0, 1], [-square, 0]]
    return found


def test_a_root_locus(damped):
    """Of J s^2 + c s + k: a pair on a circle that parts into two, which go on."""
    (locus,) = loci_of([*damped])
    levels = np.array([one.level for one in damped])
    truth = np.array([np.roots([INERTIA, c, STIFF]) for c in levels])
    assert locus.values.shape == (2, len(levels))
    for k in range(len(levels)):
        # By sum and product, as each alone is known to the root of a rounding where they part.
        known = 1e4 * EPS * STIFF / INERTIA
        assert np.poly(locus.values[:, k]) == pytest.approx(np.poly(truth[k]), abs=known)
    swings = levels < CRITICAL
    assert np.array_equal(np.isfinite(locus.swinging), swings)
    assert np.abs(locus.swinging[swings]) == pytest.approx(np.sqrt(STIFF / INERTIA), rel=1e4 * EPS)
    # Each goes on: once they are two, the slower one stays so.
    slow, fast = sorted(np.abs(locus.values[:, ~swings]), key=lambda way: way[0])
    assert np.all(np.diff(slow) < 0)
    assert np.all(np.diff(fast) > 0)
    assert not locus.grows


def test_modes_that_pass_each_other(sprung):
    """Frequencies that cross, of what has nothing in common, stay with what they are of."""
    levels = np.linspace(0.0, 1.0, 11)
    series = over(sprung, lambda x: block((1 + 2 * x) ** 2, 4.0), levels)
    rising, level = loci_of([*series])
    assert (rising.thing, level.thing) == ("body a", "body b")
    assert np.abs(rising.swinging) == pytest.approx(1 + 2 * levels, rel=1e4 * EPS)
    assert np.abs(level.swinging) == pytest.approx(np.full(11, 2.0), rel=1e4 * EPS)


def test_a_root_through_zero(sprung):
    """What settles and then grows is one, whose zero is left out; beside one of a pair that stays."""
    levels = np.linspace(-1.0, 1.0, 5)

    def matrix(x: float) -> np.ndarray:
        found = block(9.0, 1.0)[:3, :3]
        found[2, 2] = x
        return found

    growing, pair = loci_of([*over(sprung, matrix, levels)])
    assert growing.values[0] == pytest.approx([-1, -0.5, np.nan, 0.5, 1], nan_ok=True)
    assert growing.grows
    assert not pair.grows
    assert len(growing.values) == 1


def test_what_is_another_mode(sprung):
    """A spring that is released is no longer the mode that it made; half the frequency still is."""
    for square, count in ((1e-8, 2), (0.25, 1)):
        found = loci_of([*over(sprung, lambda x, s=square: block(1.0 if x < 0.5 else s), [0.0, 1.0], "a")])
        assert len(found) == count


def test_other_states(sprung):
    """Where states are others, as after a release, what moves and how fast tells which mode goes on."""
    first, second = over(sprung, lambda x: block(1.0, 9.0), [0.0, 1.0])
    other = over(sprung, lambda x: block(1.1), [1.0], "a")[0]
    other = replace(other, states=tuple(state._replace(name=f"other {state.name}") for state in other.states))
    loci = loci_of([first, second, other])
    assert [int(np.sum(np.isfinite(one.swinging))) for one in loci] == [3, 2]
    assert loci[0].thing == "body a"


def drawn(panel: Any) -> list[Line]:
    return [mark for mark in panel.marks if isinstance(mark, Line)]


def test_the_figures(sprung, damped):
    """The plane, frequency and damping over an input; over time without the plane, and with what does not
    swing; of many modes few, unless all are wanted."""
    plane, frequency, damping = damped.figure().panels
    assert len(drawn(plane)) == 2
    assert "Cross: first level, 0; ring: last level, 12" in plane.title
    (line,) = drawn(damping)
    levels = np.array([one.level for one in damped])
    assert line.y[levels < CRITICAL] == pytest.approx(levels[levels < CRITICAL] / CRITICAL, rel=1e-9)
    assert np.all(np.isnan(line.y[levels > CRITICAL]))
    assert frequency.x.label == damped[0].varied
    later = Series([replace(one, varied="", time=one.level) for one in damped])
    titles = [panel.title for panel in later.figure().panels]
    assert titles == ["Frequency", "Damping", "Modes without oscillation"]
    undamped = over(sprung, lambda x: block(*np.arange(1.0, MOST_MODES + 5) ** 2 + x), [0.0, 1.0], "a")
    _, frequency, damping = undamped.figure().panels
    assert len(drawn(frequency)) == MOST_MODES
    assert (damping.marks, damping.note) == ((), "no mode is damped")
    assert f"{MOST_MODES} of {MOST_MODES + 4} modes" in undamped.figure().panels[0].title
    assert len(drawn(undamped.figure(whole=True).panels[1])) == MOST_MODES + 4


MIXED = np.array([[1, 0.2, 0, 0.1], [0, 1, 0.3, 0], [0.2, 0, 1, 0.1], [0, 0.1, 0, 1]])
"""States of a quartic in others."""
BACK = np.linspace(0.0, 12.0, 25)
"""Levels over which the damping of `there_and_back` falls and rises twice."""


def quartic(x: float, coupling: float) -> np.ndarray:
    """Two pairs that slow down, a slow and a fast one, as of an aeroplane whose centre of mass moves aft."""
    return np.polyadd(np.polymul([1, 2, 4 - 6 * x], [1, 0.5, 0.09 - 0.1 * x]), [coupling, 0])


def of_quartic(x: float, coupling: float) -> np.ndarray:
    companion = np.eye(4, k=-1)
    companion[0] = -quartic(x, coupling)[1:]
    return MIXED @ companion @ np.linalg.inv(MIXED)


def there_and_back(x: float, square: float = STIFF) -> np.ndarray:
    """A pair that is two real ones where x is about 0, 2 pi and 4 pi."""
    return np.array([[0, 1], [-square, -6 - 6 * np.cos(x)]])


def check_drawn(series: Series, truth: list[np.ndarray], known: float, tmp_path: Any) -> None:
    """Whether curves of frequency and damping, and of real parts over time, have the eigenvalues (moment,)
    [1/s], and rows of a table each once. known: how far [1/s] these are."""
    later = Series([replace(one, varied="", time=one.level) for one in series])
    for panels, over_time in ((series.figure().panels[1:], False), (later.figure().panels, True)):
        values = [np.array([line.y for line in drawn(panel)]) for panel in panels]
        for k, roots in enumerate(truth):
            upper, real = roots[np.imag(roots) > 0], np.real(roots[np.imag(roots) == 0])
            found = [np.sort(each[:, k][np.isfinite(each[:, k])]) for each in values]
            assert found[0] == pytest.approx(np.sort(np.abs(upper)) / (2 * np.pi), abs=known)
            assert found[1] == pytest.approx(
                np.sort(-np.real(upper) / np.abs(upper)), abs=known / min([1.0, *abs(upper)])
            )
            if over_time and len(values) > 2:
                assert found[2] == pytest.approx(np.sort(real), abs=known)
    save_modes(tmp_path / "modes.csv", series, False)
    with (tmp_path / "modes.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    for one, roots in zip(series, truth, strict=True):
        own = np.array([[float(row[3]), float(row[4])] for row in rows if row[0] == f"{one.level:.12g}"])
        above = roots[np.imag(roots) >= 0]
        for part, real in zip(own.T, (np.real(above), np.imag(above)), strict=True):
            assert np.sort(part) == pytest.approx(np.sort(real), abs=known)


@pytest.mark.parametrize("coupling", [0.02, 0.005, -0.02])
@pytest.mark.parametrize("count", [12, 67])
@pytest.mark.parametrize("turned", [False, True])
def test_pairs_that_exchange(sprung, tmp_path, coupling, count, turned):
    """Two pairs become two real ones each, of which one and one swing again: each is drawn wherever it
    swings, in both orders of the levels, and with few of them, where modes are not found again."""
    levels = np.linspace(0.0, 0.66, count)

    def at(x: float) -> float:
        return 0.66 - x if turned else x

    series = over(sprung, lambda x: of_quartic(at(x), coupling), levels, "abcd")
    truth = [np.roots(quartic(at(x), coupling)) for x in levels]
    # Two that nearly meet are known to the root of a rounding.
    check_drawn(series, truth, 10 * np.sqrt(EPS), tmp_path)
    if count > 12:
        loci = loci_of([*series])
        assert [one.values.shape for one in loci] == [(2, count)] * 2
        assert all(np.all(np.isfinite(one.values)) for one in loci)


def test_a_pair_that_parts_and_is_one_again(sprung, tmp_path):
    """It is one locus, beside one that it crosses."""
    zero = np.zeros((2, 2))
    series = over(
        sprung, lambda x: np.block([[there_and_back(x), zero], [zero, block(x**2 + 1)]]), BACK, "ab"
    )
    known = 10 * np.sqrt(EPS)
    truth = [
        np.concatenate([np.roots([1, *-there_and_back(x)[1, ::-1]]), np.sqrt(x**2 + 1) * np.array([1j, -1j])])
        for x in BACK
    ]
    check_drawn(series, truth, known, tmp_path)
    one, other = sorted(loci_of([*series]), key=lambda locus: locus.thing)
    assert (one.thing, one.values.shape) == ("body a", (2, len(BACK)))
    assert np.abs(other.swinging) == pytest.approx(np.sqrt(BACK**2 + 1), rel=1e4 * EPS)


@pytest.mark.parametrize("names", ["aab", "abc"])
def test_twins(sprung, names):
    """Modes on each other are one line, and their number is told; those that a line's width parts are two."""

    def figure(square: float) -> Any:
        parts = there_and_back, (lambda x: there_and_back(x, square)), (lambda x: block(100 + x))

        def matrix(x: float) -> np.ndarray:
            found = np.zeros((6, 6))
            for k, part in enumerate(parts):
                found[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = part(x)
            return found

        return over(sprung, matrix, BACK, names).figure()

    twins = figure(STIFF)
    hertz = f"{np.sqrt(STIFF) / (2 * np.pi):.3g} Hz"
    told = {"aab": "2 x body a", "abc": "body a, body b"}[names]
    assert twins.legend[0].label == f"{told}, {hertz}"
    assert len(twins.legend) == 2
    assert [len(drawn(panel)) for panel in twins.panels] == [4, 2, 2]
    assert len(figure(STIFF * (1 + 20 * ON_TOP)).legend) == 3


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bob.toml").write_text(SPRUNG)

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["interstage", "linearize", "bob.toml", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        assert ended.value.code == (2 if told.err else 0)
        return told.out or told.err

    assert "Wrote modes.csv." in run("--vary", LEVELS, "--modes", "modes.csv")
    with (tmp_path / "modes.csv").open() as file:
        head, *rows = csv.reader(file)
    assert head[:3] == ["spring.damping[0] [N m s/rad]", "mode", "largest participation"]
    c, real, imaginary = (np.array([float(row[k]) for row in rows]) for k in (0, 3, 4))
    s = real + 1j * imaginary
    # Of twelve digits.
    size = INERTIA * np.abs(s) ** 2 + c * np.abs(s) + STIFF
    assert np.all(np.abs(INERTIA * s**2 + c * s + STIFF) <= 2e-12 * size)
    assert len(rows) == sum(1 if one < CRITICAL else 2 for one in range(13))
    run("--vary", LEVELS, "--modes", "modes.svg", "--bode", "bode.svg", "--input", "bodies.bob.torque.y")
    assert "real part [1/s]" in (tmp_path / "modes.svg").read_text()
    run("--vary", LEVELS, "--modes", "modes.html")
    assert "Root locus over" in (tmp_path / "modes.html").read_text()
    assert "--modes: --modes needs several operating points" in run("--modes", "modes.svg")
    assert "is also the file of --bode" in run("--vary", LEVELS, "--modes", "one.svg", "--bode", "one.svg")
