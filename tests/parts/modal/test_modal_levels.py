"""Modes at levels: which modes are one from level to level where frequencies are equal or have changed
places, numbers of several files, what between levels cannot be, and remarks of what may be wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import draining_stack as stack
import interstage as ist
from interstage.diagnosis.plausibility import remarks
from interstage.reading import load, loads
from interstage.runs.cases import together
from test_modal_drain import FILES, THREE, plain, punched, told

# --- which modes are which ------------------------------------------------------------------------------

ALONG = np.array([-2.0, -1.0, 1.0, 2.0])
"""Places of four points on a line [m]."""


def bend(course: list[float], axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Displacements and turns (point, 3) of a mode that bends across an axis."""
    shape, turn = np.zeros((2, 4, 3))
    shape[:, axis] = course
    turn[:, 3 - axis] = np.gradient(course, ALONG) * (1 if axis == 1 else -1)
    return shape, turn


FIRST, SECOND = [1.0, -1.0, -1.0, 1.0], [1.0, -2.0, 2.0, -1.0]
Y1, Z1, Y2, Z2 = bend(FIRST, 1), bend(FIRST, 2), bend(SECOND, 1), bend(SECOND, 2)
AXIAL = np.outer([1.0, 0.5, -0.5, -1.0], [1.0, 0, 0]), np.zeros((4, 3))


def aslant(y: Any, z: Any, angle: float) -> tuple[Any, Any]:
    """Two modes turned in the plane of both."""
    c, s = np.cos(angle), np.sin(angle)
    return tuple(c * a + s * b for a, b in zip(y, z)), tuple(c * b - s * a for a, b in zip(y, z))


TEXT = """
[bodies.core]
mass = 10.0
inertia = [50, 300, 300]
initial = {{}}
elements.fuel = {{ kind = "point", at = [0, 0, 0], propellant = 5.0 }}
[forces.bends]
kind = "modal_body"
body = "core"
propellant = {propellant}
frequency = {frequency}
{more}
[forces.bends.points]
{points}
[[phases]]
name = "go"
until = {{ time = 1 }}
"""


def scenario(modes: list[list[Any]], frequency: Any, more: str = "") -> str:
    """Modes at levels, the lowest first."""
    shapes, turns = ([[mode[k].tolist() for mode in level] for level in modes] for k in (0, 1))
    points = [
        f"p{p} = {{ at = [{x}, 0, 0], shape = {[[mode[p] for mode in level] for level in shapes]}, "
        f"turn = {[[mode[p] for mode in level] for level in turns]} }}"
        for p, x in enumerate(ALONG)
    ]
    left = np.linspace(0, 5, len(modes)).tolist()
    return TEXT.format(propellant=left, frequency=frequency, more=more, points="\n".join(points))


def read(*given: Any, **named: Any) -> Any:
    return loads(scenario(*given, **named)).forces[0]


def is_mode(item: Any, level: int, mode: int, wanted: Any) -> bool:
    found = [(p.shape[level, mode], p.turn[level, mode]) for p in item.points]
    shape, turn = (np.array(one) for one in zip(*found))
    return np.allclose(shape, wanted[0], atol=1e-12) and np.allclose(turn, wanted[1], atol=1e-12)


def test_pairs_that_do_not_follow_each_other_are_turned_as_above():
    """Modes that are listed plane by plane."""
    y1, z1 = aslant(Y1, Z1, 0.6)
    y2, z2 = aslant(Y2, Z2, 1.1)
    high = [Y1, Y2, Z1, Z2]
    item = read([[y1, y2, z1, z2], high], [[20.0, 60, 20, 60], [15.0, 50, 15, 50]])
    assert all(is_mode(item, 0, n, wanted) for n, wanted in enumerate(high))


def test_pairs_that_have_changed_places_are_turned_as_their_own_above():
    """By shape: not as the pair whose numbers they have."""
    y1, z1 = aslant(Y1, Z1, 0.6)
    y2, z2 = aslant(Y2, Z2, 1.1)
    modes, frequency = [[y2, z2, y1, z1], [Y1, Z1, Y2, Z2]], [[20.0, 20, 40, 40], [15.0, 15, 30, 30]]
    found = told(scenario(modes, frequency))
    assert "The order by shape is 3, 4, 1, 2" in found[0].message
    item = read(modes, frequency, more='order = "by shape"')
    assert all(is_mode(item, 0, n, wanted) for n, wanted in enumerate([Y1, Z1, Y2, Z2]))
    assert item.frequency[0] == pytest.approx([40, 40, 20, 20], rel=1e-12)


def test_damping_and_frequency_go_with_the_shapes_of_a_pair():
    """Two modes within a thousandth of each other that the lower level has the other way round."""
    more = "damping = [[0.03, 0.01], [0.01, 0.03]]\nmass = [[4, 4], [1, 1]]"
    twice = [tuple(2 * one for one in mode) for mode in (Z1, Y1)]
    item = read([twice, [Y1, Z1]], [[20.0, 20.01], [15.0, 15]], more)
    assert item.damping == pytest.approx(np.array([[0.01, 0.03], [0.01, 0.03]]), rel=1e-9)
    assert item.frequency[0] == pytest.approx([20.01, 20.0], rel=1e-12)
    assert is_mode(item, 0, 0, twice[1])


def test_the_highest_levels_of_one_frequency_take_the_planes_of_one_below_with_two():
    """Through a level in between, and with coordinates that keep the body bent as it was."""
    y, z = aslant(Y1, Z1, 0.7)
    inner = aslant(Y1, Z1, -0.3)
    modes = [[Y1, Z1], [*inner], [y, z]]
    frequency = [[20.0, 25], [17.0, 17], [15.0, 15]]
    item = read(modes, frequency, "coordinate = [0.1, -0.2]\nrate = [1, 2]")
    assert all(is_mode(item, k, 0, Y1) and is_mode(item, k, 1, Z1) for k in range(3))
    for field, given in (("coordinate", [0.1, -0.2]), ("rate", [1.0, 2.0])):
        wanted = given[0] * y[0] + given[1] * z[0]
        own = getattr(item, field)
        found = np.array([own @ p.shape[-1] for p in item.points])
        assert found == pytest.approx(wanted, abs=1e-12)
    # A level above with two frequencies tells the planes itself.
    item = read(modes, [[20.0, 25], [17.0, 17], [15.0, 16]])
    assert all(is_mode(item, k, 0, y) and is_mode(item, k, 1, z) for k in (1, 2))


def test_numbers_stay_where_modes_of_one_frequency_part_below():
    """Two modes that cross at the highest level keep their numbers: those below have changed places."""
    modes, frequency = [[AXIAL, Y1], [Y1, AXIAL]], [[20.0, 30], [25.0, 25.01]]
    assert "the order of the modes differs" in told(scenario(modes, frequency))[0].message
    item = read(modes, frequency, more='order = "by shape"')
    assert is_mode(item, 1, 0, Y1)
    assert item.frequency == pytest.approx(np.array([[30.0, 20], [25, 25.01]]), rel=1e-9)


def test_modes_that_displace_points_by_rounding_only_are_told_by_their_turns():
    """Torsion of a stage with its points on the axis, with masses: not compared by noise."""
    drawn = np.random.default_rng(1)
    turn = np.outer([1.0, 0.5, -0.5, -1.0], [1.0, 0, 0])
    noise = [(1e-13 * drawn.normal(size=(4, 3)), turn) for _ in range(2)]
    text = scenario([[one] for one in noise], [[20.0], [15.0]])
    for p in range(4):
        text = text.replace(f"p{p} = {{", f"p{p} = {{ mass = [2.5, 3.75],")
    # What is told is that these masses carry no such mode.
    assert all("the masses and shapes give" in p.message for p in told(text))


# --- numbers between levels -----------------------------------------------------------------------------


def test_damping_is_not_negative_between_levels():
    rows = "damping = [[0, 0, 0], [0, 0, 0], [0.05, 0.05, 0.05]]"
    found = told(plain(THREE, f'{rows}\ninterpolation = "cubic"'))
    assert found[0].place == "forces.bends.damping"
    assert "of mode 1 is negative at" in found[0].message
    assert loads(plain(THREE, rows))
    assert loads(plain(THREE, f'{rows}\ninterpolation = "linear"'))
    assert loads(plain(THREE, "damping = [[0, 0, 0], [0.01, 0.01, 0.01], [0.02, 0.02, 0.02]]"))


def test_damping_beyond_the_levels_ends_at_zero():
    """Below a level without damping from which it rises: the modes there are not driven."""
    from engine_door import instant, instant_as_declared, mechanism_of

    text = stack.scenario(
        1.0, [0.3, 0.2, 0.1], ends=1.0, modes=stack.tabled([60.0, 150.0]), more="damping = [[0.0], [0.5]]"
    )
    text = text.replace("ignited = true\n", "").replace("propellant = 150.0", "propellant = 57.0")
    here = instant_as_declared(loads(text))
    assert here.own("streams")[0] == 57.0
    assert np.max(np.abs(here.generalized_accelerations)) < 1e-12
    full = loads(text.replace("propellant = 57.0", "propellant = 63.0"))
    there = instant(mechanism_of(full), 0.0, instant_as_declared(full).x)
    assert np.min(np.abs(there.generalized_accelerations)) > 1e-3


def test_cases_above_the_highest_level_are_refused():
    base = loads(plain())
    with pytest.raises(ist.BadInput, match=r"case 1.* 20 kg below the initial propellant mass of 'core'"):
        base.run_batch({"bodies.core.elements.fuel.propellant": np.array([150.0, 170.0])}, progress=False)
    with pytest.raises(ist.BadInput, match=r"case 1.* 10 kg below"):
        base.run_batch({"forces.bends.propellant[2]": np.array([150.0, 140.0])}, progress=False)
    with pytest.raises(ist.BadInput, match="150 kg follows 155 kg"):
        base.run_batch({"forces.bends.propellant[1]": np.array([60.0, 155.0])}, progress=False)


def test_cases_are_refused_for_what_a_single_body_is():
    """Curves that dip, and modes of which none knows which they are; other numbers pass."""
    text = plain(THREE._replace(propellant=np.array([0.0, 130, 150])), 'interpolation = "cubic"')
    base = loads(text)
    for path, values, words in (
        ("mass[2, 0]", [1.0, 40.0], "mode 1 is not positive at 2.03125 kg"),
        ("damping[0, 1]", [0.0, 0.5], "of mode 2 is negative at"),
        (
            "points.n0.shape[0, 1, 1]",
            [0.1, -5.0],
            "points: case 1: mode 2 at 0 kg does not match mode 2 at 130 kg",
        ),
    ):
        with pytest.raises(ist.BadInput) as caught:
            base.run_batch({f"forces.bends.{path}": np.array(values)}, progress=False)
        assert words in str(caught.value)
    paths = {f"forces.bends.points.{p.name}": p for p in base.forces[0].points}
    lower = np.array([[1.0, -1.0], [1, 1], [1, 1]])[:, None, None]
    turned = {
        f"{path}.{f}": getattr(p, f)[..., None] * lower
        for path, p in paths.items()
        for f in ("shape", "turn")
    }
    with pytest.raises(ist.BadInput, match="case 1: the shape of mode 1 changes its sign between 0 kg"):
        together(base, turned)


def test_numbers_of_points_may_differ_from_case_to_case():
    """Of any count of modes, by the axes of the levels; places and masses, too."""
    base = loads(scenario([[Y1], [Y1]], [[20.0], [15.0]]).replace("[-2.0, 0, 0],", "[-2.0, 0, 0], mass = 5,"))
    point = base.forces[0].points[0]
    for field, cases in (
        ("shape", [1.0, 1.1]),
        ("turn", [1.0, 0.9]),
        ("at", [1.0, 1.2]),
        ("mass", [1.0, 2.0]),
    ):
        several = getattr(point, field)[..., None] * np.array(cases)
        found = together(base, {f"forces.bends.points.p0.{field}": several})
        np.testing.assert_array_equal(getattr(found.forces[0].points[0], field), several)


# --- files ----------------------------------------------------------------------------------------------


def test_rows_beside_files_go_with_their_files(tmp_path):
    """Damping, generalized masses and masses of points, in the order in which the files are listed."""
    for level in range(3):
        (tmp_path / f"{level}.pch").write_text(punched(level))
    text = plain(FILES).replace('mass = "1 kg"', 'mass = "[[3], [1], [2]] t"')
    text = text.replace(
        'propellant = "[', 'damping = [[0.3, 0.3, 0.3], [0.1, 0.1, 0.1], [0.2, 0.2, 0.2]]\npropellant = "['
    )
    text = text.replace("grid = 11,", 'grid = 11, mass = "[30, 10, 20] kg",')
    (tmp_path / "a.toml").write_text(text)
    item = load(tmp_path / "a.toml").forces[0]
    assert item.propellant.tolist() == [0, 60, 150]
    assert item.damping[:, 0].tolist() == [0.1, 0.2, 0.3]
    assert item.mass[:, 1] == pytest.approx([1000, 2000, 3000], rel=1e-15)
    assert item.points[0].mass.tolist() == [10, 20, 30]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ('"1.pch"', '"0.pch"', "forces.bends.file", "0.pch is listed twice"),
        ('["2.pch", "0.pch", "1.pch"]', '{ a = "2.pch" }', "forces.bends.file", "must be a path or a list"),
        (
            'propellant = "',
            'modes = [[7], 8]\npropellant = "',
            "forces.bends.modes",
            "or one list of numbers for each",
        ),
    ],
)
def test_what_is_wrong_with_lists_of_files_is_told(tmp_path, old, new, place, words):
    for level in range(3):
        (tmp_path / f"{level}.pch").write_text(punched(level))
    (tmp_path / "a.toml").write_text(plain(FILES).replace(old, new))
    with pytest.raises(ist.BadInput) as caught:
        load(tmp_path / "a.toml")
    assert [p.place for p in caught.value.problems] == [place]
    assert words in caught.value.problems[0].message


SEVEN = stack.tabled(7)


def test_what_is_wrong_at_all_levels_is_told_once():
    """In the words of the first, although numbers differ from level to level."""
    lumped = np.array([stack.masses(left) for left in SEVEN.propellant])
    shape, turn, frequency = (np.array(one) for one in (SEVEN.shape, SEVEN.turn, SEVEN.frequency))
    for one in (shape, turn):
        one[:, :, 1] = one[:, :, 0]
    frequency[:, 1] = frequency[:, 0]
    (twice,) = told(plain(SEVEN._replace(shape=shape, turn=turn, frequency=frequency)))
    others = "at 6 other levels, the last at 150 kg."
    assert twice.message.startswith("at 0 kg of propellant, mode 2 is equal to mode 1. ")
    assert others in twice.message
    (longer,) = told(plain(SEVEN._replace(shape=1.05 * SEVEN.shape, lumped=lumped)))
    also = f"{stack.COUNT - 1} more checks fail by more than 1 %"
    assert f" kg; {also}. " in longer.message
    assert f"{others} Give modes" in longer.message
    (over,) = said_of(plain(SEVEN, f"damping = {[[1.2 + k / 10] * 3 for k in range(7)]}"), "damping ratio")
    assert "at 0 kg of propellant, mode 1 has a damping ratio of 1.2, and does not oscillate" in over


def said_of(text: str, words: str) -> list[str]:
    return [one for one in remarks(loads(text)) if words in one]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("grid = 12", "grid = 92", ["grid point 92 is not in {0}. "]),
        (
            'propellant = "',
            'modes = [7, 8, 10, 11]\npropellant = "',
            ["modes 10, 11 are not in {0}. "],
        ),
        ('file_length = "1 m"', "", ["{0} has no unit of length"]),
    ],
)
def test_what_is_wrong_with_all_files_is_told_once(tmp_path, old, new, said):
    for level in range(3):
        (tmp_path / f"{level}.pch").write_text(punched(level))
    (tmp_path / "a.toml").write_text(plain(FILES).replace(old, new))
    with pytest.raises(ist.BadInput) as caught:
        load(tmp_path / "a.toml")
    first, last = tmp_path / "2.pch", tmp_path / "1.pch"
    others = f" (the same fault in 2 other files, the last {last})"
    for problem, words in zip(caught.value.problems, said, strict=True):
        assert problem.message.startswith(words.format(first))
        assert problem.message.endswith(others)


def test_what_is_wrong_with_one_file_each_is_told_of_each(tmp_path):
    for level in range(3):
        (tmp_path / f"{level}.pch").write_text(punched(level))
    (tmp_path / "0.pch").write_text(punched(0).replace("MODE =     9", "MODE =     6"))
    (tmp_path / "1.pch").write_text(punched(1).replace("        12       G", "        22       G"))
    (tmp_path / "a.toml").write_text(plain(FILES.replace("propellant =", "modes = [7, 8, 9]\npropellant =")))
    with pytest.raises(ist.BadInput) as caught:
        load(tmp_path / "a.toml")
    assert sorted(p.message.partition(". ")[0] for p in caught.value.problems) == [
        f"grid point 12 is not in {tmp_path / '1.pch'}",
        f"mode 9 is not in {tmp_path / '0.pch'}",
    ]


# --- remarks --------------------------------------------------------------------------------------------

MORE = stack.tabled([0, 20, 60, 150])
"""Levels that are near enough to each other for nothing to be said of them."""


def said(modes: stack.Tabled) -> list[str]:
    lines = 'interpolation = "linear"'
    return [one for one in remarks(loads(plain(modes, lines))) if one.startswith("bends: ")]


def test_tables_that_change_as_no_body_does_are_remarked():
    assert said(MORE) == []
    falling = said(MORE._replace(frequency=MORE.frequency[::-1]))
    (once,) = falling
    assert "at 2 other levels, the last at 60 kg. Check" in once
    thousandfold = np.array([1000.0, 1, 1, 1])[:, None, None, None]
    otherwise = said(MORE._replace(shape=thousandfold * MORE.shape, turn=thousandfold * MORE.turn))
    assert len(otherwise) == stack.COUNT
    assert all("have the same normalization" in one for one in otherwise)
    # Normalized so, with the generalized masses that go with it, they are the same modes.
    right = MORE._replace(mass=MORE.mass * thousandfold[:, :, 0, 0] ** 2)
    assert said(right._replace(shape=thousandfold * MORE.shape, turn=thousandfold * MORE.turn)) == []
    assert any("have a MAC of 0.75" in one for one in said(THREE))
    tons = said(MORE._replace(propellant=1000 * MORE.propellant))
    assert any("Check the units of both" in one for one in tons)
