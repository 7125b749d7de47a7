"""Missions as they are flown: a mission is the same flight in one leg; what a leg hands over is what the next
has; what was flown is kept."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interstage as ist
from interstage.cli.exit_codes import ENDED_EARLY
from interstage.cli.flights import _verdict
from interstage.drawing.figure import Line
from interstage.observation.quadrature import TOLERANCE
from interstage.reading import loads
from interstage.record.legs import join_legs
from interstage.record.requirements import evaluate
from interstage.report.figures import figures
from interstage.runs.run import fly
from interstage.tree.declaration import with_values

EXAMPLE = Path(__file__).parents[2] / "examples" / "mission.toml"
STEP = {"solver.method": "rk4", "solver.step": "20 ms"}
"""Fixed steps lie on multiples of their length from flight time zero, in legs too: the same steps in all
flights. Coast and fall take longer ones, whose errors are below rounding."""
SAME = 1e-12
"""Part of the size of a quantity by which flights of the same steps may differ: some thousand roundings, as
programs of different structures sum in different orders."""
STATE = ("position", "velocity", "attitude", "angular_velocity")


APART = """[requirements]
far = { quantity = "pairs.booster.upper.distance", at = "burn end", min = "1 km" }
away = { quantity = "pairs.upper.booster.separation_speed", during = "falling", min = "1 m/s" }
landing = { quantity = "pairs.booster.upper.landing_distance", max = "380 km" }
late = { quantity = "pairs.booster.upper.distance", at = "fall end", min = "1 km" }
"""
"""Requirements of bodies that fly in concurrent legs."""
PAIR = (
    *("distance", "separation", "relative_velocity", "separation_speed", "closing_speed", "relative_speed"),
    *("relative_rate", "tip_off_rate"),
)


@pytest.fixture(scope="module")
def scenario() -> ist.Scenario:
    longer = {
        "legs.coast.solver": {"method": "rk4", "step": "0.25 s"},
        "legs.fall.solver": {"method": "rk4", "step": "0.1 s"},
    }
    return ist.load(EXAMPLE, {**STEP, "legs.staging.solver": {"method": "rk4", "step": "20 ms"}, **longer})


@pytest.fixture(scope="module")
def flight(scenario) -> ist.Flight:
    return scenario.run()


@pytest.fixture(scope="module")
def one(scenario) -> ist.Flight:
    """The same in one leg, until the upper stage has burnt."""
    phases = tuple(leg.phases[0] for leg in scenario.legs[:3])
    whole = with_values(scenario, legs=(), phases=phases, requirements=())
    whole.check()
    return whole.run()


def test_later_legs_are_checked_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Its orbiter and booster are nowhere yet in the legs behind the staging.
        ist.load(EXAMPLE.parents[1] / "validation" / "bimese-tsto" / "scenario.toml")


@pytest.mark.long
def test_a_mission_is_the_same_flight_in_one_leg(flight, one):
    """Before the branch and behind it, as the two bodies do nothing to each other then."""
    assert flight.completed
    for body in ("booster", "upper"):
        through = flight.through(f"bodies.{body}")
        for name in (*STATE, "mass"):
            path = f"bodies.{body}.{name}"
            for event, other in (
                ("release", "release"),
                ("springs spent", "springs spent"),
                ("staging end", "burning"),
            ):
                np.testing.assert_allclose(
                    flight.value(path, event, "before"), one.value(path, other, "before"), **of(one[path])
                )
            late = [t for t in one.time if t > flight.time_of("staging end") and t in through.time]
            assert len(late) > (40 if body == "booster" else 400)
            a, b = (f[path][np.isin(f.time, late)] for f in (through, one))
            np.testing.assert_allclose(a, b, **of(one[path]))
    for mine, other in (("staging end", "burning"), ("burn end", "end"), ("springs spent", "springs spent")):
        assert flight.time_of(mine) == pytest.approx(one.time_of(other), rel=SAME)


@pytest.mark.long
def test_integrals_found_after_the_flight_go_on(flight, one):
    """Each leg finds its own part, by its own samples."""
    for item in ("ideal_velocity", "gravity_loss", "steering_loss"):
        path = f"bodies.upper.{item}"
        through, whole = flight.value(path, "burn end"), one.value(path, "end")
        assert whole > 1.0
        assert through == pytest.approx(whole, abs=len(flight.legs) * TOLERANCE * abs(one[path]).max() * 10)


def of(values: np.ndarray) -> dict[str, Any]:
    return {"rtol": 0.0, "atol": SAME * float(np.max(np.abs(values)))}


@pytest.mark.parametrize(
    ("end", "begins"),
    [
        pytest.param("coast end", ["release"], marks=pytest.mark.long),
        ("staging end", ["burning", "falling"]),
    ],
)
def test_what_a_leg_hands_over_is_what_those_behind_it_have(flight, end, begins):
    """Masses, positions, velocities, attitudes and rates, to the rounding of what is observed of them; so
    momentum, angular momentum and energy stay."""
    after, seen = flight.at(end, "after"), []
    for event in begins:
        before = flight.at(event, "before")
        for path in (
            path for path in before if path.startswith("bodies.") and path.split(".")[2] in (*STATE, "mass")
        ):
            np.testing.assert_allclose(before[path], after[path], err_msg=path, **of(flight[path]))
            seen.append(path)
    assert len(seen) == 10
    assert {path.split(".")[1] for path in seen} == {"booster", "upper"}


def test_steps_and_samples_are_those_of_the_leg(flight):
    assert np.diff(flight.legs["fall"].time).max() == pytest.approx(1.0)
    assert np.diff(flight.legs["staging"].time).max() == pytest.approx(0.02)
    steps = flight.legs["fall"].record.statistics["steps accepted"]
    assert steps == pytest.approx((flight.time_of("fall end") - flight.time_of("staging end")) / 0.1, abs=3)


def test_each_quantity_has_times_of_its_own(flight):
    """As many as samples, also of components and of legs; those of a body that ends early are fewer."""
    single = flight.legs["fall"]
    pairs = [(flight, path) for path in flight.record.meta if not path.startswith("system.")]
    pairs += [(flight, f"legs.fall.{path}") for path in single.record.meta]
    pairs += [(single, path) for path in single.record.meta]
    pairs += [
        (flight, "bodies.upper.velocity.x"),
        (flight, "bodies.upper.velocity.magnitude"),
        (flight, "time"),
    ]
    for one, path in pairs:
        assert len(one.times(path)) == len(one[path]), path
    np.testing.assert_array_equal(single.times("bodies.booster.mass"), single.time)
    dropped, kept = (flight.times(f"bodies.{body}.position") for body in ("booster", "upper"))
    assert {len(dropped), len(kept)}.isdisjoint({len(flight.time)})
    assert np.isin(dropped, flight.time).all()
    row = int(np.searchsorted(dropped, 5.0))
    assert (
        flight["bodies.booster.position"][row].tolist()
        == flight.value("bodies.booster.position", 5.0).tolist()
    )


def test_things_are_followed_through_their_legs(flight):
    upper, booster = flight.through("bodies.upper"), flight.through("bodies.booster")
    assert (np.diff(upper.time) > 0).all()
    assert (np.diff(booster.time) > 0).all()
    assert upper.time[0] == booster.time[0] == 0.0
    assert upper.time[-1] == flight.time_of("burn end")
    assert booster.time[-1] == flight.time_of("fall end")
    np.testing.assert_array_equal(flight["bodies.upper.mass"], upper["bodies.upper.mass"])
    assert flight.value("bodies.upper.mass", "min") == flight.value("bodies.upper.mass", "burn end")
    assert flight.through("pairs.booster.upper.distance").time[-1] == flight.time_of("staging end")
    assert flight["legs.fall.system.momentum"].shape == (len(flight.legs["fall"].time), 3)
    assert {*flight.state_at("falling")} == {"booster"}
    assert {*flight.state_at(5.0)} == {"booster", "upper"}
    booster = flight.value("bodies.booster.position", 5.0)
    assert booster.tolist() == flight.state_at(5.0)["booster"]["position"].tolist()
    assert list(flight.events["leg"])[:2] == ["coast", "coast"]


@pytest.mark.long
def test_pairs_go_on_across_a_branch(flight, one):
    """As in one flight of both bodies, at the samples of the upper stage (0.1 s) as well as those of the
    booster (1 s), between which it is looked by a polynomial of degree 5.

    Its rest, h^6 / 46080 of the sixth derivative of a fall, 2e-11 m/s^6 (gravity times the fourth power of
    the orbital rate), is below rounding; what is left is that of positions from the centre of the planet, and
    of attitudes times speeds."""
    both = flight.across("booster", "upper")
    start, end = flight.time_of("staging end"), flight.time_of("burn end")
    assert (both.time[0], both.time[-1]) == (start, end)
    shared = [t for t in one.time if np.isclose(both.time, t, rtol=0, atol=1e-9).any()]
    assert len(shared) >= len(both.time) - 1 > 500
    rows, whole = ([int(np.argmin(abs(f.time - t))) for t in shared if start < t < end] for f in (both, one))
    size = float(np.abs(one["bodies.upper.position"]).max())
    for name in PAIR:
        path = f"pairs.booster.upper.{name}"
        np.testing.assert_allclose(both[path][rows], one[path][whole], rtol=0, atol=SAME * size)
        for side in ("before", "after"):
            value = flight.value(path, "burn end", side)
            np.testing.assert_allclose(value, one.value(path, "end"), rtol=0, atol=SAME * size)
    assert flight.value("pairs.booster.upper.distance", "burn end") > 3e4


def test_where_two_bodies_end(flight):
    """Against the chord of the two places, raised to their mean height above it: a great circle of the mean
    radius is within the flattening of the geodesic."""
    found = flight.value("pairs.booster.upper.landing_distance", "end")
    ends = [
        [flight.value(f"bodies.{b}.{x}", "end") for x in ("latitude", "longitude")]
        for b in ("booster", "upper")
    ]
    (a, b), (c, d) = ends
    arc = np.arccos(np.sin(a) * np.sin(c) + np.cos(a) * np.cos(c) * np.cos(d - b))
    assert found == pytest.approx(6371008.8 * arc, rel=1 / 298)
    assert found == flight["pairs.upper.booster.landing_distance"][0]


def test_requirements_of_bodies_beside_each_other(flight, scenario):
    whole = loads(EXAMPLE.read_text().replace("[requirements]", APART))
    whole.check()
    far, away, landing, late = evaluate(flight.record, whole.requirements[:4])
    assert far.value == flight.value("pairs.booster.upper.distance", "burn end")
    both = flight.across("upper", "booster")
    assert away.value == both["pairs.upper.booster.separation_speed"].min() > 1.0
    assert (far.passed, away.passed, landing.passed) == (True, True, True)
    assert landing.value == flight.value("pairs.booster.upper.landing_distance", "end")
    assert "but the flight of body 'upper' ends at 66.8" in late.note
    assert not late.passed


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('min = "1 km" }\naway', 'min = "1 kg" }\naway', "far.min: the limit is in kg, but 'pairs.booster"),
        ("landing_distance", "landing_place", "there is no quantity 'pairs.booster.upper.landing_place'"),
        (
            "landing_distance",
            'landing_distance", at = "burn end',
            "landing.quantity: .* the final time of each flight",
        ),
        ('distance", at = "burn end"', 'distanc", at = "burn end"', "far.quantity: .*did you mean|defined"),
    ],
)
def test_bad_requirements_of_bodies_beside_each_other(old, new, words):
    assert old in APART
    with pytest.raises(ist.BadInput, match=f"(?s){words}"):
        loads(EXAMPLE.read_text().replace("[requirements]", APART.replace(old, new, 1))).check()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda f: f.value("pairs.booster.upper.distance", "fall end"),
            "the flight of body 'upper' ends at 66.8",
        ),
        (
            lambda f: f.value("pairs.booster.upper.landing_distance", "burn end"),
            "only at the final time of each flight",
        ),
        (
            lambda f: f.across("booster", "uper"),
            "uper: there is no body 'uper' in this flight; did you mean 'upper'",
        ),
        (lambda f: f.across("upper", "upper"), "never flies without the other"),
        (lambda f: f["system.momentum"], "Select one leg, for example legs.fall.system.momentum"),
        (lambda f: f["bodies.uper.mass"], "did you mean 'bodies.upper.mass'"),
        (lambda f: f["legs.fal.system.momentum"], "there is no leg 'fal'; did you mean 'fall'?"),
        (
            lambda f: f.value("bodies.booster.mass", "burn end"),
            "event 'burn end' occurs in leg 'burn'",
        ),
        (lambda f: f.at("staging over"), "did you mean 'staging end'"),
        (lambda f: f.state_at(1e4), "10000 s is outside this flight"),
    ],
)
def test_what_is_not_known_is_said(flight, ask, words):
    with pytest.raises(ist.BadInput, match=words.replace("?", r"\?")):
        ask(flight)


@pytest.mark.parametrize("when", ['at = "end"', ""])
def test_requirements_of_legs_beside_each_other_are_refused(when):
    """Before the flight, as no value would be the one that is meant."""
    wanted = f'[requirements]\nturn = {{ quantity = "system.momentum.x", max = "1 N s", {when} }}'
    with pytest.raises(ist.BadInput, match=r"requirements.turn.quantity: .* in several concurrent legs"):
        loads(EXAMPLE.read_text().replace("[requirements]", wanted.replace(",  }", " }"))).check()


def test_requirements_are_judged_in_the_legs_that_they_are_about(flight):
    speed, height = evaluate(flight.record)
    assert speed.passed
    assert height.passed
    assert speed.value == flight.value("pairs.booster.upper.closing_speed", "staging end")
    assert height.value == flight.value("bodies.upper.altitude", "burn end")
    always = ist.Requirement(name="mass", quantity="bodies.upper.mass", min="1 kg")
    during = ist.Requirement(name="turn", quantity="system.momentum.x", max="1e9 kg m/s", during="falling")
    never = ist.Requirement(name="gone", quantity="bodies.upper.mass", min="1 kg", at="fall end")
    found = evaluate(flight.record, (always, during, never))
    assert [margin.note for margin in found[:2]] == ["", ""]
    assert found[0].value == flight["bodies.upper.mass"].min()
    assert found[1].value == flight["legs.fall.system.momentum"][:, 0].max()
    assert "did not occur" in found[2].note


def test_a_mission_is_saved_and_read(flight, tmp_path):
    read = ist.open_flight(flight.save(tmp_path / "mission.nc"))
    assert read.outcome == flight.outcome == f"Completed 4 legs at {flight.time_of('fall end'):.6g} s."
    assert [*read.legs] == ["coast", "staging", "burn", "fall"]
    assert read.record.events == flight.record.events
    for path in ("bodies.upper.position", "pairs.booster.upper.distance", "legs.coast.joints.seam.force"):
        np.testing.assert_array_equal(read[path], flight[path])
    for path in ("pairs.booster.upper.landing_distance", "pairs.booster.upper.relative_speed"):
        when = "end" if "landing" in path else "burn end"
        assert read.value(path, when) == flight.value(path, when)
    assert read.legs["burn"].scenario.bodies[0].name == "upper"
    import h5py

    with h5py.File(tmp_path / "mission.nc") as saved:
        file: Any = saved
        mass, fallen = file["bodies/upper/mass"], file["legs/fall/bodies/booster/position"]
        assert mass.dims[0][0] == file["bodies/upper/time"]
        assert mass.shape == flight["bodies.upper.mass"].shape
        assert fallen.dims[0][0] == file["legs/fall/time"]


@pytest.mark.parametrize("part", [lambda f: f.legs["fall"], lambda f: f.through("bodies.upper")])
def test_a_part_of_a_mission_is_saved_with_it(flight, part, tmp_path):
    with pytest.raises(ist.BadInput, match="is a leg of a mission and cannot be saved alone"):
        part(flight).save(tmp_path / "part.nc")


def test_what_is_noticed_of_all_legs_is_said_once(flight):
    said = {leg: record.warnings for leg, record in flight.record.legs.items()}
    assert not any(said.values())  # the engine is ignited in one leg, which is enough for all
    stays = {leg: replace(record, warnings=["Odd."]) for leg, record in flight.record.legs.items()}
    stays["fall"].warnings.append("Low.")
    whole = join_legs(flight.scenario, stays, flight.record.after_leg, {})
    assert whole.warnings == ["Odd.", "leg fall: Low."]


def test_the_tables_of_a_mission(flight):
    from interstage.report.page import html
    from interstage.report.summary import tables

    titles = [table.title for table in tables(flight.record)]
    assert titles[:2] == ["Legs", "Events"]
    # Of each body through all its legs once, and of no leg by itself.
    for what in ("Trajectory summary", "Peak values"):
        assert [one for one in titles if what in one] == [f"{what} of upper", f"{what} of booster"]
    assert titles.index("Requirements") < titles.index("Leg staging: Separation")
    assert "leg ends" in str(tables(flight.record)[1].rows)
    assert "staging: " in html(flight)


def test_figures_of_legs_have_the_numbers_of_the_table_of_events(flight):
    record = flight.record
    found = [
        panel.events for figure in figures(record) for row in figure.rows for panel in row if panel.events
    ]
    assert {number for events in found for _, number in events} > {len(record.events)}
    for time, number in (one for events in found for one in events):
        assert record.events[number - 1].time == time


def test_a_body_is_shown_through_all_its_legs(flight):
    """From where the stack begins to where the body ends, with the events of the legs in which it flies."""
    from interstage.report.summary import tables

    record = flight.record
    shown = {figure.caption: figure for figure in figures(record) if figure.key in ("profile", "track")}
    assert [*shown] == ["Trajectory of upper", "Trajectory of booster", "Ground track. Dots mark events."]
    for body, last in (("upper", "burn"), ("booster", "fall")):
        legs = ("coast", "staging", last)
        side, speed = shown[f"Trajectory of {body}"].rows[0]
        own = [line for line in side.marks if isinstance(line, Line)]
        ends = [flight.value(f"bodies.{body}.altitude", event) / 1e3 for event in ("coasting", f"{last} end")]
        np.testing.assert_allclose(own[0].y[[0, -1]], ends, rtol=SAME)
        numbers = [row for row, event in enumerate(record.events, 1) if event.leg in legs]
        assert [number for _, number in speed.events] == numbers
        course = next(table for table in tables(record) if table.title == f"Trajectory summary of {body}")
        assert [row[1] for row in course.rows] == [record.events[number - 1].name for number in numbers]


# --- what does not come to its end --------------------------------------------------------------------------

BALL = """
bodies.ball = { mass = 1, inertia = [1, 1, 1], initial = { velocity = [1, 0, 0] } }
solver = { method = "rk4", step = "0.1 s" }
legs.first = { phases.one = { until = { elapsed = "1 s" } } }
legs.second = { after = { leg = "first" }, phases.two = { until = { elapsed = "1 s" } } }
legs.third = { after = { leg = "second" }, phases.three = { until = { elapsed = "1 s" } } }
"""


APART_IN_LEGS = """
[bodies.other]
mass = 1
inertia = [1, 1, 1]
initial = { position = [2, 0, 0], velocity = [2, 0, 0] }
shapes.hull = { kind = "sphere", radius = 0.5 }

[clearance]
early = { between = ["ball", "other"], after = "one", until = "second end" }
gap = { between = ["ball", "other"], after = "two", until = "second end" }
late = { between = ["ball", "other"], after = "first end" }
never = { between = ["ball", "other"], after = "far" }
"""


def test_clearances_begin_and_end_with_moments_of_other_legs():
    text = BALL.replace("[1, 0, 0] } }", "[1, 0, 0] }, shapes.hull = { kind = 'sphere', radius = 0.5 } }")
    text = text.replace("third = { after", "third = { events.far = { when = { time = 2.95 } }, after")
    record = fly(loads(text + APART_IN_LEGS))
    assert not record.warnings
    spans = {leg: {one.name: (one.start, one.end) for one in own.closest} for leg, own in record.legs.items()}
    assert spans["first"] == {"early": pytest.approx((0, 1))}
    assert spans["second"] == {name: pytest.approx((1, 2)) for name in ("early", "gap", "late")}
    assert spans["third"] == {"late": pytest.approx((2, 3)), "never": pytest.approx((2.95, 3))}
    said = fly(loads(text.replace("2.95", "99") + APART_IN_LEGS))
    assert said.warnings == [
        "clearance.never did not begin: 'far' did not occur in this flight.",
        "leg third: events.far did not occur: the event is due at 99 s, but the flight ended at 3 s.",
    ]


def test_a_leg_whose_event_does_not_come_is_not_flown():
    text = BALL.replace('leg = "first" }', 'leg = "first", event = "far" }').replace(
        "legs.first = {",
        'legs.first = { events.far = { when = { quantity = "bodies.ball.position.x", reaches = "2 m" } },',
    )
    record = fly(loads(text))
    assert [*record.legs] == ["first"]
    assert (
        "Leg 'second' was not flown: event 'far' had not occurred when leg 'first' ended at 1 s."
        in record.outcome
    )
    assert "Leg 'third' was not flown: its preceding leg 'second' was not flown." in record.outcome
    assert record.outcome.endswith("The results contain 1 leg.")
    assert _verdict(record) == ENDED_EARLY
    assert ist.Flight(record)["bodies.ball.position.x"][-1] == pytest.approx(1.0, rel=SAME)
    early = fly(loads(text.replace('reaches = "2 m"', 'reaches = "0.55 m"')))
    assert early.completed
    assert [event.name for event in early.events[:4]] == ["one", "first end", "far", "two"]
    assert early.events[3].time == pytest.approx(0.55, rel=SAME)
    assert early.events[-1].time == pytest.approx(2.55, rel=SAME)


def test_times_count_from_moments_of_earlier_legs():
    """From the end of the first leg and from an event in it, through a leg in which nothing asks for them."""
    text = BALL.replace(
        "legs.first = {", 'legs.first = { events.mark = { when = { time = "0.3 s" } },'
    ).replace(
        "legs.third = {",
        "legs.third = { events.late = { after = 'first end', when = { elapsed = '1.25 s' } },"
        " events.later = { after = 'mark', when = { elapsed = '2.5 s' } },",
    )
    flight = ist.Flight(fly(loads(text)))
    assert flight.completed
    assert flight.time_of("late") == pytest.approx(1.0 + 1.25, rel=SAME)
    assert flight.time_of("later") == pytest.approx(0.3 + 2.5, rel=SAME)
    assert [event.leg for event in flight.record.events if event.name.startswith("late")] == ["third"] * 2


def test_an_interrupt_keeps_the_legs_flown(tmp_path):
    def stop(time: float, end: float | None) -> None:
        if time > 1.5:
            raise KeyboardInterrupt

    record = fly(loads(BALL), stop)
    assert [*record.legs] == ["first", "second"]
    assert record.legs["first"].completed
    assert "Leg 'third' was not flown: the run was interrupted before this leg." in record.outcome
    read = ist.open_flight(ist.Flight(record).save(tmp_path / "part.nc"))
    assert read.record.unflown == record.unflown


def test_bodies_that_a_joint_holds_do_not_fly_apart():
    text = """
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }
bodies.b = { mass = 1, inertia = [1, 1, 1] }
joints.seam = { kind = "fixed", parent = "a", child = "b" }
solver = { method = "rk4", step = "0.1 s" }
legs.both = { phases.joined = { until = { elapsed = "1 s" } } }
legs.one = { after = { leg = "both" }, bodies = ["a"], phases.free = { until = { elapsed = "1 s" } } }
legs.other = { after = { leg = "both" }, phases.alone = { until = { elapsed = "1 s" } } }
"""
    with pytest.raises(ist.BadInput, match=r"legs.one: joint 'seam' connects 'a' to 'b', but"):
        loads(text)
    # Something might let go, and does not.
    late = 'legs.both = { events.late = { when = { time = "99 s" }, release = ["seam"] }, '
    record = fly(loads(text.replace("legs.both = { ", late)))
    assert [*record.legs] == ["both"]
    said = (
        "joint 'seam' still constrains 'a' and 'b', which must separate. Release the joint before 'both end'"
    )
    assert record.unflown == {"one": said, "other": said}


CHAIN = """
gravity = { kind = "uniform", acceleration = [0, 0, -9.80665] }
solver = { method = "rk4", step = "20 ms" }
output = { interval = "0.5 s" }
bodies.b = { mass = 5, inertia = [0.5, 0.7, 0.6] }
bodies.c = { mass = 3, inertia = [0.2, 0.3, 0.25] }
forces.kick = { kind = "torque", body = "b", torque = [0.5, 1.0, -0.4] }
[bodies.a]
mass = 10
inertia = [1, 2, 3]
initial = { angular_velocity = [0.3, 0.2, -0.1], velocity = [1, 2, 3] }
[joints]
j = { kind = "fixed", parent = "a", child = "b", parent_at = [1, 0, 0], child_at = [-0.5, 0.1, 0] }
k = { kind = "spherical", parent = "b", child = "c", parent_at = [0.6, 0, 0.1], child_at = [-0.2, 0, 0.1] }
"""
HINGED = 'replace = { j = { kind = "revolute", axis = "y" } }, until'
STIFF = 'replace = { k = "fixed" }, until'
LOOSE = 'replace = { j = "spherical" }, release = ["k"], until'
AT_ONCE = f"""
[phases]
hinged = {{ {HINGED} = {{ elapsed = "1 s" }} }}
stiff = {{ {STIFF} = {{ elapsed = "1 s" }} }}
loose = {{ {LOOSE} = {{ elapsed = "1 s" }} }}
"""
BY_LEGS = f"""
[legs.first.phases]
hinged = {{ {HINGED} = {{ elapsed = "1 s" }} }}
stiff = {{ {STIFF} = {{ elapsed = "0.6 s" }} }}
[legs.second]
after = {{ leg = "first" }}
phases.still = {{ until = {{ elapsed = "0.4 s" }} }}
phases.loose = {{ {LOOSE} = {{ elapsed = "0.6 s" }} }}
[legs.alone]
after = {{ leg = "second" }}
bodies = ["c"]
phases.away = {{ until = {{ elapsed = "0.4 s" }} }}
[legs.rest]
after = {{ leg = "second" }}
phases.on = {{ until = {{ elapsed = "0.4 s" }} }}
"""


@pytest.mark.long
def test_joints_change_their_kind_over_legs():
    """As in one flight, wherever the legs begin; c flies on apart, and ends when the others do."""
    one, flight = loads(CHAIN + AT_ONCE).run(), loads(CHAIN + BY_LEGS).run()
    assert flight.completed
    for body in ("a", "b", "c"):
        for name in STATE:
            path = f"bodies.{body}.{name}"
            ends = [each.value(path, "end") for each in (flight, one)]
            np.testing.assert_allclose(*ends, err_msg=path, **of(one[path]))


PENDULUM = """
gravity = { kind = "uniform", acceleration = [0, 0, -9.81] }
[bodies.bob]
mass = 2
mass_centre = [0, 0, -0.5]
inertia = [0.3, 0.3, 0.1]
initial = { through = "ball", rotation = [0, 0.5, 0], relative_angular_velocity = [-0.3, 0, 1] }
[joints.ball]
kind = "spherical"
parent = "ground"
child = "bob"
"""


@pytest.mark.long
def test_a_joint_to_the_ground_goes_on_with_its_body():
    """What hangs on the ground does not part from it where a leg ends: two legs are one flight."""
    one = loads('phases = { swing = { until = { time = "2 s" } } }\n' + PENDULUM)
    two = loads(
        'legs = { a = { phases = { swing = { until = { time = "1 s" } } } }, b = {'
        ' after = { leg = "a" }, phases = { on = { until = { elapsed = "1 s" } } } } }\n' + PENDULUM
    )
    whole, parts = one.run(), two.run()
    for path in ("bodies.bob.position.x", "bodies.bob.angular_velocity.y", "joints.ball.force.magnitude"):
        # Steps end elsewhere: what errors of 1e-9 a step come to over some hundred of them.
        assert parts.value(path, "end") == pytest.approx(whole.value(path, "end"), rel=1e-7), path
