"""What flights and batches say of clearances: least distances, recontact, requirements and files."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import interstage as ist
import stub_flight
from interstage import open_flight
from interstage.model.settings import Requirement
from interstage.parts.clearance import after
from interstage.parts.clearance.course import Watch, grid, sinking, window, with_least
from interstage.parts.clearance.motion import Poses
from interstage.parts.clearance.recontact import FIRM, recontacts
from interstage.reading import loads
from interstage.record.requirements import evaluate
from interstage.report.figures import figures
from interstage.report.summary import tables
from interstage.studies.sweep.printed import notes
from interstage.tree.errors import BadInput

FAR = np.array([7.0e6, 1.0e6, -2.0e6])
"""Where the bodies are [m]: nothing must be lost far from the origin."""
MEETING = """
title = "A ball meets a plate"
[bodies.plate]
mass = 30.0
inertia = [8.0, 9.0, 10.0]
initial = {{ position = [{0}, {1}, {2}], velocity = [7000.0, 0, 0] }}
[bodies.plate.shapes.slab]
kind = "box"
size = [4.0, 4.0, 0.2]
[bodies.ball]
mass = 5.0
inertia = [0.5, 0.5, 0.5]
initial = {{ position = [{3}, {1}, {4}], velocity = [7000.5, 0, -1.7] }}
[bodies.ball.shapes.skin]
kind = "sphere"
radius = 0.3
[clearance.gap]
between = ["plate", "ball"]
warn_below = "1 cm"
[phases.free]
until = {{ time = "1.5 s" }}
[requirements.clear]
quantity = "clearance.gap.distance"
min = "10 cm"
[requirements.soft]
quantity = "clearance.gap.recontact_energy"
max = "1 kJ"
[requirements.never]
quantity = "clearance.gap.recontacts"
max = 0
at = "end"
"""
ASIDE, ABOVE = 0.25, 1.4


@pytest.fixture(scope="module")
def meeting():
    x, y, z = FAR
    return loads(MEETING.format(x, y, z, x + ASIDE, z + ABOVE)).run()


def test_a_recontact_is_found_in_time_place_speed_and_energy(meeting):
    """The ball comes down on the face of the plate beside its middle; both are free, the plate does not
    turn."""
    (met,) = meeting.record.recontacts
    time = (ABOVE - 0.1 - 0.3) / 1.7
    assert met.time == pytest.approx(time, abs=1e-6)
    assert met.shapes == ("slab", "skin")
    arm = ASIDE + 0.5 * time
    np.testing.assert_allclose(met.point_on_a, [arm, 0, 0.1], rtol=0, atol=1e-6)
    np.testing.assert_allclose(met.point_on_b, [0, 0, -0.3], rtol=0, atol=1e-6)
    np.testing.assert_allclose(met.normal, [0, 0, 1], rtol=0, atol=1e-6)
    assert met.approach_speed == pytest.approx(1.7, rel=1e-8)
    assert met.sliding_speed == pytest.approx(0.5, rel=1e-6)
    mass = 1 / (1 / 30.0 + 1 / 5.0 + arm**2 / 9.0)
    assert met.effective_mass == pytest.approx(mass, rel=1e-6)
    assert met.energy == pytest.approx(0.5 * mass * 1.7**2, rel=1e-6)


def test_distances_of_a_flight_are_those_of_its_bodies(meeting):
    t = meeting.time
    truth = ABOVE - 0.4 - 1.7 * t
    apart = truth > 0
    # The state far from the origin has coordinates of 7e6 m, and this is some of their last bits.
    np.testing.assert_allclose(meeting["clearance.gap.distance"][apart], truth[apart], rtol=0, atol=4e-9)
    np.testing.assert_allclose(meeting["clearance.gap.point_on_a.z"][apart], 0.1, rtol=0, atol=1e-12)
    counts = meeting["clearance.gap.recontacts"]
    np.testing.assert_array_equal(counts, (t >= meeting.record.recontacts[0].time).astype(float))
    # The ball goes through the plate: from then on the flight is what would be without it.
    assert meeting["clearance.gap.distance"].min() < 0


def test_an_overlap_at_the_start_is_said_with_its_depth(meeting):
    """The ball's centre starts 5 cm above that of the slab, of 10 cm on either side, and leaves below."""
    x, y, z = FAR
    inside = loads(MEETING.format(x, y, z, x + ASIDE, z + 0.05)).run()
    (said,) = (
        text for text in inside.record.warnings if text.startswith("clearance.gap: plate and ball overlap")
    )
    assert "overlap by 0.35 m at the start. They move through each other until" in said
    assert not any("overlap" in text for text in meeting.record.warnings)


@pytest.mark.long
def test_no_limit_of_bodies_that_overlap_at_the_start_is_kept(meeting, tmp_path):
    """Neither alone, from a file, nor in a sweep; from when they are apart on their distance is one."""
    x, y, z = FAR
    scenario = loads(MEETING.format(x, y, z, x + ASIDE, z + 0.05))
    inside = scenario.run()
    told = "plate and ball overlap by 0.35 m at the start; the requirement is not checked"
    for record in (inside.record, open_flight(inside.save(tmp_path / "flight.nc")).record):
        margins = evaluate(record, scenario.requirements)
        assert [(m.note, m.passed) for m in margins] == [(told, False)] * 3
    found = {table.key: table for table in tables(inside.record)}
    assert found["clearance"].rows[0][-1].endswith("initial overlap")
    assert found["clearance"].bad == {0}
    assert {row[4] for row in found["requirements"].rows} == {"BROKEN"}
    quantity = "clearance.gap.distance"
    later = Requirement(name="later", quantity=quantity, min=0, at="end")  # type: ignore[arg-type]
    (margin,) = evaluate(inside.record, (later,))
    assert margin.note == ""
    assert margin.passed
    swept = scenario.sweep({"bodies.ball.initial.position.z": [z + 0.05, z + ABOVE]})
    assert {m.notes.get(0) for m in swept.measures if m.side} == {told}
    assert not any(m.notes.get(1) for m in swept.measures)
    assert swept.verdict(0) == "BROKEN: clear, soft, never"
    assert swept.verdict(1) == "BROKEN: clear, never"
    (note,) = notes(swept)
    assert "case 0" in note
    assert f"clear, soft, never. Reason: {told}." in note


def test_bodies_that_touch_and_sink_into_one_another_meet():
    """The ball lies on the plate at the start, goes through it, and comes out below."""
    x, y, z = FAR
    scenario = loads(MEETING.format(x, y, z, x + ASIDE, z + 0.4))
    inside = scenario.run()
    (met,) = inside.record.recontacts
    assert met.time == pytest.approx(0, abs=1e-5)
    assert met.approach_speed == pytest.approx(1.7, rel=1e-6)
    np.testing.assert_allclose(met.normal, [0, 0, 1], rtol=0, atol=1e-6)
    (closest,) = inside.record.closest
    assert closest.distance == pytest.approx(-0.4, abs=1e-3)
    assert [m.passed for m in evaluate(inside.record)] == [False, True, False]
    (said,) = (text for text in inside.record.warnings if text.startswith("Recontact"))
    assert "plate and ball touch and penetrate each other at 0.00000" in said
    swept = scenario.sweep({"bodies.ball.initial.position.z": [z + 0.4, z + ABOVE]})
    assert swept.verdict(0) == "BROKEN: clear, never"
    # What a contact holds off sinks in as far as its force needs.
    contact = "[contacts.lip]\nbody = 'plate'\nagainst = ['ball']\npoints = [[0, 0, 0.1]]\nstiffness = 1.0\n"
    held_off = loads(MEETING.format(x, y, z, x + ASIDE, z + 0.4) + contact)
    course: Any = SimpleNamespace(distance=np.array([0.0, -0.1]))
    for flown, row in ((scenario, 1), (held_off, None)):
        assert sinking(Watch(flown.clearance[0], flown, None), course) == row


def test_requirements_warnings_tables_and_plots_speak_of_clearance(meeting):
    margins = {m.name: m for m in evaluate(meeting.record)}
    assert not margins["clear"].passed
    assert margins["soft"].passed
    assert margins["soft"].value == pytest.approx(meeting.record.recontacts[0].energy)
    assert not margins["never"].passed
    assert any(
        text.startswith("Recontact: plate and ball touch at 0.588235 s") for text in meeting.record.warnings
    )
    found = {table.key: table for table in tables(meeting.record)}
    assert found["recontacts"].rows[0][:3] == ["0.588235", "gap", "slab / skin"]
    assert found["clearance"].rows[0][1] == "plate / ball"
    assert found["clearance"].bad == {0}
    captions = [figure.caption for figure in figures(meeting.record)]
    assert any("shapes" in caption for caption in captions)


def test_a_saved_flight_keeps_its_clearances(meeting, tmp_path):
    back = open_flight(meeting.save(tmp_path / "flight.nc")).record
    assert back.closest == meeting.record.closest
    assert back.recontacts == meeting.record.recontacts
    times, values = meeting.record.courses["clearance.gap"]
    np.testing.assert_array_equal(back.courses["clearance.gap"][0], times)
    for name, rows in values.items():
        np.testing.assert_array_equal(back.courses["clearance.gap"][1][name], rows)
        np.testing.assert_array_equal(
            back.series[f"clearance.gap.{name}"], meeting.record.series[f"clearance.gap.{name}"]
        )


def test_without_clearances_nothing_is_loaded(monkeypatch):
    """coal and trimesh take a good part of a second to load."""
    asked = []
    monkeypatch.setattr("interstage.model.convex_pieces.load_coal", lambda: asked.append(1))
    x, y, z = FAR
    text = MEETING.format(x, y, z, x + ASIDE, z + ABOVE)
    head = text.split("[clearance.gap]")[0] + '[phases.free]\nuntil = { time = "0.1 s" }\n'
    record = loads(head).run().record
    assert not record.closest
    assert not asked
    assert not [path for path in record.meta if path.startswith("clearance")]
    flown: Any = SimpleNamespace(scenario=record.scenario)
    after.add(flown)


PASSING = """
[bodies.core]
mass = 500.0
inertia = [100.0, 800.0, 800.0]
initial = { angular_velocity = [0, 0, 0.2] }
[bodies.core.shapes.tube]
kind = "cylinder"
at = [-3, 0, 0]
axis = [1, 0, 0]
length = 6.0
radius = 0.5
[bodies.core.shapes.ring]
kind = "shell"
at = [-3, 0, 0]
axis = [-1, 0, 0]
stations = [0.0, 0.5]
inner = [0.45, 0.45]
outer = [0.5, 0.5]
[bodies.stage]
mass = 50.0
inertia = [5.0, 30.0, 30.0]
[bodies.stage.shapes.plug]
kind = "cylinder"
axis = [1, 0, 0]
length = 1.0
radius = 0.5
[bodies.stage.shapes.pin]
kind = "cylinder"
at = [1, 0, 0]
axis = [1, 0, 0]
length = 0.3
radius = 0.2
[joints.clamp]
kind = "fixed"
parent = "core"
child = "stage"
parent_at = [-3.5, 0, 0]
child_at = [1, 0, 0]
[forces.push]
kind = "force"
body = "stage"
force = [-100.0, 0, 0]
axes = "body"
phases = ["free"]
[clearance.whole]
between = ["core", "stage"]
warn_below = "2 cm"
interval = 0.05
[clearance.far]
between = ["core", "stage"]
warn_below = "50 m"
interval = 0.05
[clearance.inside]
between = ["core.ring", "stage"]
ignore = ["core.ring / stage.plug"]
after = "free"
until = "later"
interval = 0.05
[clearance.late]
between = ["core", "stage"]
after = "later"
warn_below = "100 m"
interval = 0.05
[phases.held]
until = { time = "0.5 s" }
[phases.free]
release = ["clamp"]
until = { elapsed = "0.5 s" }
[phases.last]
until = { elapsed = "0.2 s" }
[events.later]
when = { time = "0.8 s" }
[output]
interval = 0.1
"""


@pytest.fixture(scope="module")
def passing():
    return loads(PASSING).run()


def _table(flight):
    return next(t for t in tables(flight.record) if t.key == "clearance")


def test_what_touches_from_the_start_counts_from_when_it_parts(passing):
    found = {c.name: c for c in passing.record.closest}
    assert 0.5 < found["whole"].touched_until < 0.56  # the interval is 0.05 s
    assert not passing.record.recontacts
    assert found["inside"].start == pytest.approx(0.5)
    assert found["inside"].end == pytest.approx(0.8)
    assert found["late"].start == pytest.approx(0.8)
    assert found["inside"].shapes == ("ring", "pin")
    # Concentric to the release, and aside by then only what the spin and the push make of it.
    assert found["inside"].distance <= 0.25
    assert passing["clearance.inside.distance"][0] == pytest.approx(0.25, abs=1e-9)
    assert [w for w in passing.record.warnings if "clearance.late" in w and "below warn_below = 100 m" in w]
    assert not [w for w in passing.record.warnings if "clearance.whole" in w]
    (far,) = [w for w in passing.record.warnings if "clearance.far" in w]
    assert "the largest distance of" in far
    assert far.endswith("below warn_below = 50 m.")
    assert "initial contact" in _table(passing).rows[0][-1]


class Passing:
    """Poses of a ball of 0.5 m that passes another one at 100 m/s, at 0.999 m, and later comes back through
    it."""

    def __init__(self, again: float):
        self.again = again

    def __call__(self, times: np.ndarray) -> Poses:
        position, velocity, still = np.zeros((3, 3, 2, len(times)))
        turned = times > 2.0
        position[0, 1] = 100 * np.where(turned, 2 * 2.0 - times - 0.5033, times - 0.5033)
        position[1, 1] = np.where(turned, self.again, 0.999)
        velocity[0, 1] = np.where(turned, -100.0, 100.0)
        turn = np.broadcast_to(np.eye(3)[:, :, None, None], (3, 3, 2, len(times)))
        return Poses(position, velocity, turn, still, still, np.ones((2, len(times))), turn)


def test_a_graze_is_not_hidden_by_a_deep_overlap_later():
    """Samples are 1 m of the way apart, and the balls graze over 0.09 m of it."""
    ball = """
mass = 1
inertia = [1, 1, 1]
initial = { position = [0, 0, 0] }
shapes.skin = { kind = "sphere", radius = 0.5 }
"""
    text = f'[bodies.a]{ball}[bodies.b]{ball}[clearance.gap]\nbetween = ["a", "b"]\n'
    scenario = loads(text + "[phases.free]\nuntil = { time = 1 }\n")
    half = np.sqrt(1 - 0.999**2) / 100
    for again, count in ((5.0, 1), (0.2, 2)):
        watch = Watch(scenario.clearance[0], scenario, Passing(again))
        course, _ = with_least(watch, watch.at(grid(0.0, 4.0, 0.01)))
        met = recontacts(watch, course)
        assert len(met) == count
        assert met[0].time == pytest.approx(0.5033 - half, rel=0, abs=1e-7)


# --- batches ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_least_distances_of_a_batch_are_those_of_its_flights(monkeypatch):
    """A ball that passes another one at different speeds and sizes."""
    text = """
[bodies.one]
mass = 3.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [0, 0, 0] }
[bodies.one.shapes.skin]
kind = "sphere"
radius = 0.5
[bodies.two]
mass = 3.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [-2.0, 1.0, 0], velocity = [1.0, 0, 0] }
[bodies.two.shapes.skin]
kind = "capsule"
axis = [0, 0, 1]
at = [0, 0, -0.5]
length = 1.0
radius = 0.2
[bodies.three]
mass = 3.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [0, 0, -2.0], velocity = [0, 0, -0.1] }
[bodies.three.shapes.skin]
kind = "sphere"
radius = 1.5
[bodies.four]
mass = 3.0
inertia = [1.0, 1.0, 1.0]
initial = { position = [-2.0, -3.0, 0], velocity = [1.0, 0, 0] }
shapes.ahead = { kind = "sphere", radius = 0.3 }
shapes.behind = { kind = "sphere", radius = 0.2, at = [-0.9, 0, 0] }
[clearance.gap]
between = ["one", "two"]
[clearance.knobs]
between = ["four", "one"]
[clearance.late]
between = ["one", "two"]
after = "last"
[clearance.parting]
between = ["one", "three"]
[phases.first]
until = { time = "3 s" }
[phases.last]
until = { time = "4 s" }
"""
    flown = loads(text)
    rng = np.random.default_rng(2)
    start = np.array([-2.0, 1.0, 0.0]) + 0.3 * rng.normal(size=(5, 3)) * [1, 1, 0]
    radius = rng.uniform(0.2, 0.6, 5)
    batch = flown.run_batch({"bodies.two.initial.position": start, "bodies.one.shapes.skin.radius": radius})
    told: list[tuple[float, float | None]] = []
    distance, when = batch.clearance("gap", lambda *far: told.append(far))
    assert told == [(0, 5), (5, 5)]
    # Only what is between the steps of these five is stepped to, not their copies in a chunk of 64.
    assert 0 < batch.flown_lanes[0].program.by_numpy < 5 * 200
    # Where a distance that curves by 1 / s^2 or more has risen by 1e-12 of the size.
    np.testing.assert_allclose(when, -start[:, 0], rtol=0, atol=2e-6)
    np.testing.assert_allclose(distance, start[:, 1] - radius - 0.2, rtol=0, atol=1e-9)
    late, when = batch.clearance("late")
    truth = np.hypot(start[:, 0] + np.maximum(3.0, -start[:, 0]), start[:, 1]) - radius - 0.2
    np.testing.assert_allclose(late, truth, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(batch.value("clearance.gap.distance", "min"), distance)
    # What the whole course tells: how often they meet, and where they are at the end.
    np.testing.assert_array_equal(batch.value("clearance.gap.recontacts"), distance < 0)
    ahead = np.stack([start[:, 0] + 4.0, start[:, 1], start[:, 2]], -1)
    apart = np.linalg.norm(ahead, axis=1)
    found = batch.value("clearance.gap.distance", "end")
    np.testing.assert_allclose(found, apart - radius - 0.2, rtol=0, atol=1e-9)
    points = batch.value("clearance.gap.point_on_a", "end")
    np.testing.assert_allclose(points, ahead * (radius / apart)[:, None], rtol=0, atol=1e-9)
    with pytest.raises(BadInput, match="did you mean 'recontacts'"):
        batch.value("clearance.gap.recontact")
    alone = batch.record(3).closest[0]
    assert alone.distance == pytest.approx(distance[3], rel=0, abs=1e-9)
    assert alone.time == pytest.approx(-start[3, 0], rel=0, abs=2e-5)
    # Both knobs pass between two steps, the further one next to a step.
    least, when = batch.clearance("knobs")
    np.testing.assert_allclose(least, 3 - radius - 0.3, rtol=0, atol=1e-9)
    np.testing.assert_allclose(when, 2.0, rtol=0, atol=2e-5)
    # A smaller ball is apart from the beginning; one of 0.5 m touches, and counts from the first step on.
    least, when = batch.clearance("parting")
    np.testing.assert_allclose(least, 0.5 - radius + 0.1 * when, rtol=0, atol=1e-9)
    assert ((least > 0) & ((when == 0) == (radius < 0.5))).all()
    with pytest.raises(BadInput, match="did you mean 'gap'"):
        batch.clearance("gab")
    # A sweep searches the whole course of the one case in which they meet, and of what is asked for.
    searched, add = [], after.add
    monkeypatch.setattr(after, "add", lambda *given: (searched.append(given[-1]), add(*given)))
    ways = {
        "bodies.two.initial.position": [[-2.0, 0.6, 0.0], [-2.0, 1.0, 0.0]],
        "bodies.one.shapes.skin.radius": [0.3, 0.5],
    }
    asked = [
        "clearance.gap.recontacts@end",
        "clearance.gap.recontact_speed@max",
        "clearance.gap.distance@min",
        "clearance.gap.distance@start",
        "clearance.gap.distance@last",
        "clearance.gap.distance@end",
    ]
    found = flown.sweep(ways, responses=asked)
    assert searched == [["gap"]]
    met, speed, least, *at = (found[name.replace("@", " ")] for name in asked)
    np.testing.assert_array_equal(met, [0, 1, 0, 0])
    # The normal is that of the last instant looked at in which they are `FIRM` of 1.4 m apart, and since
    # then it turns by the way aside over 0.7 m. Instants are up to as long again apart.
    along, aside = np.sqrt(0.7**2 - 0.6**2) / 0.7, 0.6 / 0.7
    turned = 2 * FIRM * 1.4 / along * aside / 0.7
    np.testing.assert_allclose(speed, [0, along, 0, 0], rtol=0, atol=turned * aside)
    # Capsules that overlap are searched by coal, which ends within 1e-7 of the size.
    np.testing.assert_allclose(least, [0.1, -0.1, 0.5, 0.3], rtol=0, atol=1.4e-7)
    aside, size = np.array([0.6, 0.6, 1.0, 1.0]), np.array([0.5, 0.7, 0.5, 0.7])
    for time, values in zip((0.0, 3.0, 4.0), at, strict=True):
        np.testing.assert_allclose(values, np.hypot(time - 2, aside) - size, rtol=0, atol=1e-9)


def test_clearances_of_a_flight_that_goes_on_count_from_there():
    record = stub_flight.separation_record()
    record.time, record.events = record.time[record.time >= 10], []
    record.phases, record.earlier = [("last", 10.0, 20.0)], ("apart", "far")
    ends = {"name": "c", "between": ("stage", "payload")}
    assert window(ist.Clearance(**ends, after="apart"), record) == (10.0, 20.0)
    assert window(ist.Clearance(**ends, after="last"), record) == (10.0, 20.0)
    assert window(ist.Clearance(**ends, after="never"), record) is None
    assert window(ist.Clearance(**ends, after="apart", until="far"), record) is None
    assert window(ist.Clearance(**ends, after="last", until="far"), record) == (10.0, 20.0)
