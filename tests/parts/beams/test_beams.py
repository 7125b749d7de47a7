"""Beams: loads against derivatives of the strain energy, sections against textbooks, and what a free beam
between two bodies keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import interstage as ist
from beam_models import BETWEEN, FLOWN, SECTION, TEXT
from interstage.diagnosis.plausibility import notes, remarks
from interstage.maths.rotations import multiply, unit_quaternion
from interstage.parts.beams import law, rest, sections
from interstage.parts.beams import start as starts
from interstage.parts.beams.bound import fastest
from interstage.parts.beams.law import Frames
from interstage.programs.program import configure
from interstage.reading import loads
from interstage.studies.verify import start_as_declared
from interstage.tree.errors import BadInput

COUNT = 6


@pytest.fixture(scope="module")
def random() -> dict[str, Any]:
    """Elements anywhere, with relative rotations from nothing to more than one radian."""
    from_here = np.random.default_rng(4)
    angle = from_here.normal(size=(3, COUNT)) * [1.5, 1.0, 0.1, 1e-2, 1e-3, 0.0]
    size = np.maximum(np.linalg.norm(angle, axis=0), 1e-300)
    turn = np.concatenate([np.cos(size / 2)[None], np.sin(size / 2) * angle / size])
    left = unit_quaternion(from_here.normal(size=(4, COUNT)))
    return {
        "turns": (left, multiply(left, turn) * [1, -1, 1, -1, 1, 1]),
        "places": from_here.normal(size=(2, 3, COUNT)),
        "moved": from_here.normal(size=(4, 3, COUNT)),
        "numbers": (from_here.uniform(0.5, 1, COUNT), *from_here.uniform(1, 3, (2, 3, COUNT))),
    }


def found(random, moved, rates=None, damping=0.0):
    """Elements with ends moved and turned, by small amounts, first the left ones; rates likewise."""
    import jax.numpy as jnp

    frames = []
    rates = np.zeros((4, 3, COUNT)) if rates is None else rates
    for k in (0, 1):
        small = jnp.concatenate([jnp.ones((1, COUNT)), moved[2 * k + 1] / 2])
        turn = unit_quaternion(multiply(small, random["turns"][k]))
        frames.append(Frames(random["places"][k] + moved[2 * k], rates[2 * k], turn, rates[2 * k + 1]))
    length, along, about = random["numbers"]
    left, right = frames
    return law.elements(left, right, length, along, about, damping * np.ones(COUNT))


@pytest.mark.long
def test_loads_are_derivatives_of_the_energy(random):
    import jax

    configure()
    still = np.zeros((4, 3, COUNT))
    slope = jax.grad(lambda moved: found(random, moved).energy.sum())(still)
    now = found(random, still)
    both = [part[rows] for part in (now.on_left, now.on_right) for rows in (slice(3), slice(3, 6))]
    np.testing.assert_allclose(np.stack(both), -slope, rtol=0, atol=1e-13 * np.max(abs(slope)))


@pytest.mark.long
def test_damping_is_by_the_rates_of_the_strains(random):
    import jax

    configure()
    moved, still = random["moved"], np.zeros((4, 3, COUNT))

    def loads_of(share):
        return tuple(getattr(found(random, share * moved), name) for name in LOADS)

    strain = zip(*jax.jvp(loads_of, (0.0,), (1.0,)), strict=True)
    damped = found(random, still, moved, damping=0.3)
    for name, (load, by_rate) in zip(LOADS, strain, strict=True):
        np.testing.assert_allclose(getattr(damped, name), load + 0.3 * by_rate, rtol=0, atol=1e-12)


LOADS = ("force", "moment")


def section(kind: str, **numbers: float) -> Any:
    """The properties of a beam in the middle between two sections."""
    text = BETWEEN + "".join(
        f"[forces.boom.{name}]\nkind = '{kind}'\nyoung = 70e9\nshear_modulus = 26e9\ndensity = 2700.0\n"
        + "".join(f"{key} = {value * size}\n" for key, value in numbers.items())
        for name, size in (("section", 0.5), ("end_section", 1.5))
    )
    beam = loads(text + FLOWN).forces[0]
    return sections.along(beam, [0.5], 0)


def test_sections_are_those_of_textbooks():
    """Roark: 0.1406 of the fourth power of a square's side, 0.229 b h^3 of two to one; a tube's by itself."""
    square = section("rectangle", width=0.1, height=0.1)
    assert float(square.moments[0, 0]) == pytest.approx(26e9 * 0.1406e-4, rel=5e-3)
    flat = section("rectangle", width=0.2, height=0.1)
    assert float(flat.moments[0, 0]) == pytest.approx(26e9 * 0.229 * 0.2 * 1e-3, rel=5e-3)
    assert flat.moments[1:, 0] == pytest.approx(70e9 * 0.02 * np.array([1e-2, 4e-2]) / 12)
    assert flat.inertia[:, 0] == pytest.approx(2700 * 0.02 * np.array([5e-2, 1e-2, 4e-2]) / 12)
    tube = section("tube", radius=0.1, hole=0.08)
    area, polar = np.pi * 0.0036, np.pi / 2 * (1e-4 - 0.08**4)
    assert tube.forces[0] == pytest.approx(70e9 * area)
    assert tube.moments[:, 0] == pytest.approx([26e9 * polar, 35e9 * polar, 35e9 * polar])
    # Cowper: 6 (1 + nu)/(7 + 6 nu) of a full circle, 2 (1 + nu)/(4 + 3 nu) of a thin tube.
    nu = 35 / 26 - 1
    for hole, factor in ((0.0, 6 * (1 + nu) / (7 + 6 * nu)), (0.09999, 2 * (1 + nu) / (4 + 3 * nu))):
        one = section("tube", radius=0.1, hole=hole)
        assert one.forces[1] / one.forces[0] == pytest.approx(26 / 70 * factor, rel=1e-3)


BENDING = "forces.boom.section.bending_stiffness"
END = "forces.boom.end.y"


@pytest.fixture(scope="module")
def flown() -> dict[str, Any]:
    """A beam that begins bent, at rest between two bodies that then tumble."""
    return {"record": loads(TEXT).run().record}


@pytest.fixture(scope="module")
def begun() -> dict[str, Any]:
    """The first instants of it."""
    return {"record": loads(TEXT.replace("until = { time = 0.2 }", "until = { time = 0.002 }")).run().record}


@pytest.mark.long
def test_a_free_beam_keeps_energy_and_momenta(flown):
    series = flown["record"].series
    for name in ("energy", "momentum", "angular_momentum"):
        value = series[f"system.{name}"]
        # The tolerance of a step, 1e-9, of 400 steps, where all of it adds up.
        np.testing.assert_allclose(value, np.broadcast_to(value[0], value.shape), rtol=0, atol=4e-7)
    assert np.ptp(series["forces.boom.energy"]) > 1.0


def test_a_beam_begins_drawn_on_a_cubic_and_moves_as_its_ends_do():
    start = start_as_declared(loads(TEXT.replace("at rest", "drawn")))
    spin, gap, along = np.array([1.0, 2.0, 3.0]), np.array([0.93, 0.1, 0.02]), np.array([1.0, 0, 0])
    base, end = np.cross(spin, [0.02, 0, 0]), np.array([0, 0.5, 0.2])
    total = 1.0 * end  # 1 kg, beside 3 kg at rest and 1 kg between the two
    for k, s in enumerate((1 / 6, 1 / 2, 5 / 6), 1):
        place = (3 - 2 * s) * s**2 * gap + s * (1 - s) * (1 - 2 * s) * along
        assert start[f"forces.boom.segment_{k}.position"] == pytest.approx(place, abs=1e-14)
        total = total + (base + (1 - s) * np.cross(spin, place) + s * (end - base)) / 3
    assert start["system.momentum"] == pytest.approx(total, abs=1e-14)


def test_a_beam_at_rest_sags_by_its_weight():
    text = TEXT.replace('child = "b"\n', "").replace("initial = { angular_velocity = [1, 2, 3] }\n", "")
    ground = """
[gravity]
kind = "uniform"
acceleration = [0, 0, -0.01]
[joints.wall]
kind = "fixed"
parent = "ground"
child = "a"
[[phases]]"""
    start = start_as_declared(loads(text.replace("[[phases]]", ground)))
    # Three weights on a straight beam, of whose deflections at the last one elements are exact: Euler's, and
    # that by shear; the end is half a segment on.
    places, last, weight = np.array([1, 3, 5]) / 6, 5 / 6, 0.01 / 3
    sag = weight * np.sum(places**2 * (3 * last - places) / 12 + places / 1e3)
    turn = weight * np.sum(places**2) / 4
    assert start["forces.boom.end"][2] == pytest.approx(-sag - turn / 6, rel=1e-6)
    # All of its weight hangs on the first section, and in all 4 kg on the wall.
    assert start["forces.boom.section_1.force"] == pytest.approx([0, 0, -0.01], abs=2e-5)
    assert start["joints.wall.force"] == pytest.approx([0, 0, 0.04], abs=1e-12)


def test_a_drawn_beam_may_turn_back():
    """Where the cubic runs against the clamps, segments stand along it all the same."""
    place = "[0.95, 0.1, 0.02]", "[-0.98, 0, 0]"
    start = start_as_declared(loads(TEXT.replace("at rest", "drawn").replace(*place)))
    ends = [start[f"forces.boom.segment_{k}.rotation"] for k in (1, 2, 3)]
    # The cubic's tangents are 1 - 12 s (1 - s) along x, from 1 m ahead of the clamp to 1 m behind.
    turned = [1 - 12 * s * (1 - s) < 0 for s in (1 / 6, 1 / 2, 5 / 6)]
    assert [np.linalg.norm(one) for one in ends] == pytest.approx(np.pi * np.array(turned), abs=1e-12)


def test_a_beam_and_the_body_at_its_end_come_to_rest_by_a_trim():
    """The end goes down by P L^3/(3 EI) and that by shear, which elements have exactly, and that of the
    weight; what is left out is of the order of the square of the slope."""
    pull, stiff = 1e-2, 2.0
    text = TEXT.replace('parent = "a"', 'parent = "ground"').replace("parent_at = [0.02, 0, 0]\n", "")
    place = "position = [0.95, 0.1, 0.02], velocity = [0, 0.5, 0.2]"
    flat = 'position = [1, 0, 0], attitude = { euler = "3-2-1", angles = [0, 0, 0] }'
    down = f'[gravity]\nkind = "uniform"\nacceleration = [0, 0, -{pull}]\n[[phases]]'
    first = text[: text.index("[bodies.a]")] + text[text.index("[bodies.b]") :]
    scenario = loads(first.replace(place, flat).replace("[[phases]]", down))
    path = "bodies.b.initial."
    trimmed = scenario.trim([path + "position.x", path + "position.z", path + "attitude.angles.y"])
    places = np.array([1, 3, 5]) / 6
    shear = (1 + places.sum() / 3) / 1e3
    sag = pull * (1 / (3 * stiff) + np.sum(places**2 * (3 - places)) / 18 / stiff + shear)
    turn = pull * (1 / (2 * stiff) + np.sum(places**2) / 6 / stiff)
    assert trimmed.standing == "rests"
    assert trimmed[path + "position.z"] == pytest.approx(-sag, rel=1e-4)
    assert trimmed[path + "attitude.angles.y"] == pytest.approx(turn, rel=1e-4)


def test_steps_too_long_for_segments_are_told():
    """What they are held to is at least the fastest mode of a clamped beam, and not much more."""
    text = TEXT.replace('parent = "a"\nchild = "b"', 'parent = "ground"').replace('"at rest"', '"drawn"')
    linear: Any = loads(text).linearize()
    rate = linear.modes[-1].eigenvalue.imag
    (beam,) = loads(text).forces
    assert rate < fastest(beam) < 1.2 * rate
    told = ""
    for step, count in ((2.9 / rate, 1), (2.3 / rate, 0)):
        fixed = loads(f'{text}\n[solver]\nmethod = "rk4"\nstep = {step}\n')
        said = [one for one in remarks(fixed) if one.startswith("boom: solver.step = ")]
        assert len(said) == count
        told = told or said[0]
    least = told.split(" s. Reduce")[0].split()[-1]  # which is allowed as it is said
    fixed = loads(f'{text}\n[solver]\nmethod = "rk4"\nstep = {least}\n')
    assert not [one for one in remarks(fixed) if one.startswith("boom: solver.step = ")]


def test_beams_that_begin_strained_or_turn_too_far_for_an_element_are_told(begun):
    record = begun["record"]
    series = dict(record.series) | {"bodies.b.position": np.array([[1.0, 0.1, 0.02]])}  # by 0.8 % too near
    assert not [one for one in notes(replace(record, series=series)) if one.startswith("boom")]
    series["forces.boom.axial_force"] = np.array([600.0])  # of 1e4
    turned = [[0, 0, 3.0]], [[0, 0, -1.6]], [[0, 0, -3.0]]  # by 264 deg, which is 96 the other way, then 80
    series |= {f"forces.boom.segment_{k}.rotation": np.array(one) for k, one in enumerate(turned, 1)}
    told = [one for one in notes(replace(record, series=series)) if one.startswith("boom")]
    assert len(told) == 2
    assert "strain is 6 %" in told[0]
    assert "the relative rotation of segments 1 and 2 reached 96 deg" in told[1]


APART = """[bodies.a]
mass = 1.0
inertia = [1, 1, 1]
mass_centre = [0.5, 0, 0]
initial = {{ attitude = {{ euler = "3-2-1", angles = "[90, 0, 0] deg" }} }}
[forces.boom]
kind = "beam"
parent = "ground"
child = "a"
parent_at = [0, {at}, 0]
parent_frame = {{ euler = "3-2-1", angles = "[{first}, 0, 0] deg" }}
child_frame = {{ euler = "3-2-1", angles = "[{last}, 0, 0] deg" }}
length = 7.0
elements = 4
start = "{start}"
"""


@pytest.mark.parametrize(
    ("at", "start", "tilt", "words"),
    [
        (5.5, "drawn", 0, "6 m, 14 % less than its length of 7 m. The beam starts compressed"),
        (
            5.5,
            "at rest",
            0,
            "6 m, 14 % less than its length of 7 m. The beam starts compressed or bowed",
        ),
        (6.9, "drawn", 0, "7.4 m, 5.7 % more than its length of 7 m. The beam starts stretched"),
        (6.8, "drawn", 0, ""),
        (6.2, "drawn", 0, ""),
        (7 * 2 / np.pi - 0.5, "at rest", 90, ""),  # half a circle
        (0.5, "at rest", 180, "1 m, 86 % less than its length of 7 m"),  # and the wrong way round
    ],
)
def test_beams_that_are_not_as_long_as_their_ends_are_apart_are_told(at, start, tilt, words):
    """To a point 0.5 m below the centre of mass, at y = -0.5 m: 5 % of 7 m are 0.35 m."""
    text = APART.format(at=at, start=start, first=tilt - 90, last=180 - tilt) + SECTION + FLOWN
    said = [one for one in remarks(loads(text)) if one.startswith("boom: the initial distance of its ends")]
    assert [words in one for one in said] == [True] * bool(words)


def test_ends_of_bodies_with_tanks_stand_where_these_move_the_mass_centre():
    """A full sphere of 1 kg about x = -1.3 m brings that of the body from 0.5 m to -0.4 m, and the ends from
    7.4 m to 6.5 m."""
    radius = 0.5
    tank = f"""
[bodies.a.elements.tank]
kind = "sphere"
radius = {radius}
density = {1 / (4 / 3 * np.pi * radius**3)}
propellant = 1.0
centre = [-1.3, 0, 0]
axis = [1, 0, 0]
"""
    text = APART.format(at=6.9, start="drawn", first=-90, last=180) + SECTION + tank + FLOWN
    (told,) = [one for one in remarks(loads(text)) if "its ends" in one]
    assert "6.5 m, 7.1 % less" in told


def test_beams_with_a_curvature_are_told_if_they_are_too_short():
    """No shape reaches farther than it is long; nearer they may be."""
    for at, count in ((6.9, 1), (5.5, 0)):
        text = APART.format(at=at, start="drawn", first=-90, last=180) + "curvature = [0, 0, 0.1]\n"
        said = remarks(loads(text + SECTION + FLOWN))
        assert len([one for one in said if "5.7 % more than its length of 7 m" in one]) == count


def test_a_rest_that_is_not_found_tells_how_the_ends_stand(monkeypatch):
    """As where Newton's steps lead nowhere: of a beam that is to turn back by 178 deg."""

    def nowhere(*_: Any) -> Any:
        raise rest.Restless

    monkeypatch.setattr(starts, "at_rest", nowhere)
    monkeypatch.setattr(starts, "approach", nowhere)
    text = APART.format(at=7.2, start="at rest", first=-90, last=2) + SECTION + FLOWN
    with pytest.raises(ist.BadInput, match=r"'boom' \(7 m long, ends 7.7 m and 178 deg apart\)"):
        start_as_declared(loads(text))


def test_section_loads_are_what_the_ends_feel(begun):
    series = begun["record"].series
    places = [*(f"section_{k}" for k in (1, 2, 3, 4)), "at_parent", "at_child"]
    loads_along = [abs(series[f"forces.boom.{place}.force"][:, 0]) for place in places]
    assert series["forces.boom.axial_force"] == pytest.approx(np.max(loads_along, 0))
    assert "forces.boom.section_5.force" not in series


@pytest.mark.long
def test_cases_of_a_batch_are_flights_and_derivatives_their_differences(flown):
    scenario, stiff = loads(TEXT), np.array([[2.0, 1.0], [2.0, 1.001], [2.0, 0.999]])
    middle, more, less = scenario.run_batch({BENDING: stiff}, progress=False).value(END)
    assert middle == pytest.approx(float(flown["record"].series["forces.boom.end"][-1][1]), abs=1e-9)
    slope = scenario.derivatives([END], [BENDING]).by[END][BENDING][1]
    assert slope == pytest.approx((more - less) / 2e-3, rel=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("length = 1.0", "length = 0.0", "forces.boom.length", "0"),
        ("elements = 3", "elements = 0", "forces.boom.elements", "1 to 1000"),
        ("elements = 3", "elements = 2.5", "forces.boom.elements", "whole number"),
        ("mass = 1.0\nrotary", "mass = -1.0\nrotary", "forces.boom.section.mass", "-1"),
        ("[2.0, 1.0]", "[2.0, 0.0]", "forces.boom.section.bending_stiffness", "0"),
        ('child = "b"', 'child = "a"', "forces.boom.child", "differ"),
        ('child = "b"', 'child = "c"', "forces.boom.child", "there is no body 'c'"),
        ('parent = "a"\nchild = "b"', 'parent = "c"', "forces.boom.parent", "there is no body 'c'"),
        ('kind = "stiffness"', 'kind = "beam"', "forces.boom.section", "belong to 'stiffness'"),
        ("length = 1.0", 'length = 1.0\nmass_matrix = "full"', "forces.boom.mass_matrix", "consistent"),
        (
            "length = 1.0",
            "length = 1.0\nend_section = {kind='tube', radius=1, young=1, shear_modulus=1, density=1}",
            "forces.boom.end_section",
            "same kind",
        ),
        ("[[phases]]", "[solver]\nformulation = 'composite'\n[[phases]]", "solver", "boom"),
        (
            "[[phases]]",
            "[solver]\nformulation = { kind = 'null_space', coordinates = 'minimal' }\n[[phases]]",
            "solver",
            "boom",
        ),
        (
            "\n[bodies.a]",
            "coordinates = 'held'\nplanet = { kind = 'flat' }\n[bodies.a]",
            "forces.boom",
            "rigid",
        ),
    ],
)
def test_what_cannot_be_is_told(old, new, place, words):
    assert old in TEXT
    with pytest.raises(ist.BadInput) as caught:
        loads(TEXT.replace(old, new, 1))
    told = [p for p in caught.value.problems if p.place.startswith(place)]
    assert any(words in p.message for p in told), str(caught.value)
    assert len(caught.value.problems) <= 2


def test_a_hole_leaves_something_of_a_tube():
    with pytest.raises(ist.BadInput, match="smaller than the radius"):
        section("tube", radius=0.1, hole=0.1)


def test_legs_do_not_part_the_bodies_of_a_beam():
    """Its mass would be gone, and what it did."""
    mission = TEXT.replace('[[phases]]\nname = "free"\nuntil = { time = 0.2 }\n', "")
    mission += (
        '[legs.both]\nphases.free = { until = { elapsed = 0.1 } }\n[legs.one]\nafter = { leg = "both" }\n'
    )
    mission += 'bodies = ["b"]\nphases.alone = { until = { elapsed = 0.1 } }\n'
    with pytest.raises(BadInput, match=r"legs\.one: 'forces\.boom' has mass and connects 'b' to 'a'"):
        loads(mission)
    # Sites are no effects, and do not weigh.
    site = '[sites.pad]\nlatitude = "1 deg"\nlongitude = "2 deg"\n[planet]\nkind = "earth"\n'
    loads(mission.replace('bodies = ["b"]\n', "") + site)


@pytest.mark.parametrize("start", ["drawn", "at rest"])
def test_a_trim_says_of_beams_that_begin_drawn_that_they_may_swing(start):
    lone = TEXT[: TEXT.index("[bodies.b]")] + TEXT[TEXT.index("[forces.boom]") :]
    lone = lone.replace('child = "b"\n', "").replace("[1, 2, 3]", "[0, 0, 0]", 1)
    trimmed = loads(lone.replace('"at rest"', f'"{start}"')).trim()
    assert trimmed.standing == "rests"
    said = [
        note.startswith("The trim does not include the model boom: boom begins as drawn")
        for note in trimmed.notes
    ]
    assert said == ([True] if start == "drawn" else [])
