"""Missions as they are declared: each leg as a scenario of its own, and what can be wrong with legs."""

from __future__ import annotations

from pathlib import Path

import pytest

import interstage as ist
from engine_door import events_of_flight, events_of_mission
from interstage.checks.legs import summary
from interstage.missions.mission import Mission
from interstage.reading import loads
from interstage.tree.addresses import get

MISSION = """
title = "Two stages and a fairing"
bodies.lower = { mass = 4000, inertia = [2000, 40000, 40000], initial = { position = [1, 0, 0] } }
bodies.upper = { mass = 1000, inertia = [500, 900, 900] }
bodies.nose = { mass = 100, inertia = [50, 90, 90] }
joints.band = { kind = "fixed", parent = "lower", child = "upper", parent_at = [4, 0, 0] }
joints.cone = { kind = "fixed", parent = "upper", child = "nose", parent_at = [2, 0, 0] }
joints.dock = { kind = "fixed", parent = "upper", child = "nose", active = false }
forces.tug = { kind = "force", body = "nose", force = [1, 0, 0], phases = ["joined", "fall"] }
forces.pull = { kind = "force", body = "upper", force = [1, 0, 0], phases = ["joined"] }
forces.cord = { kind = "spring", parent = "upper", child = "nose", stiffness = 1.0, free_length = 1.0 }
devices.bolt = { kind = "explosive_bolt", joints = ["cone"] }
requirements.speed = { quantity = "bodies.upper.velocity.x", max = "100 m/s" }
requirements.late = { quantity = "bodies.nose.velocity.x", max = "100 m/s", at = "fairing end" }

[devices.spring]
kind = "kickoff_spring"
parent = "lower"
child = "upper"
stiffness = "4 kN/m"
preload = "400 N"
stroke = "10 cm"
after = "apart"

[devices.push]
kind = "kickoff_spring"
parent = "upper"
child = "nose"
stiffness = "4 kN/m"
preload = "400 N"
stroke = "10 cm"
after = "bolt released"

[legs.ascent]
phases.joined = { until = { elapsed = "1 s" } }
phases.apart = { release = ["band"], until = { elapsed = "1 s" } }

[legs.booster]
after = { leg = "ascent" }
bodies = ["lower"]
phases.down = { until = { elapsed = "1 s" } }
solver = { max_step = "0.1 s" }

[legs.orbit]
after = { leg = "ascent" }
phases.coast = { until = { elapsed = "1 s" } }
phases.open = { fire = ["bolt"], until = { elapsed = "1 s" } }
events.later = { after = "apart", when = { elapsed = "3 s" } }

[legs.fairing]
after = { leg = "orbit", event = "bolt released" }
bodies = ["nose"]
phases.fall = { until = { elapsed = "1 s" } }

[legs.payload]
after = { leg = "orbit", event = "bolt released" }
phases.free = { until = { elapsed = "1 s" } }
output = { interval = "0.5 s" }
"""


def mission_leg(scenario, name):
    """A leg of a mission by name."""
    return Mission.of(scenario).leg(name)


@pytest.fixture(scope="module")
def scenario() -> ist.Scenario:
    return loads(MISSION)


def named(items) -> list[str]:
    return [item.name for item in items]


def test_legs_come_behind_those_that_they_are_after(scenario):
    turned = loads(MISSION, None)
    turned = ist.Scenario(
        **{n: getattr(turned, n) for n in type(turned).model_fields} | {"legs": scenario.legs[::-1]}
    )
    for one in (scenario, turned):
        found = Mission.of(one).order
        assert {*found} == {"ascent", "booster", "orbit", "fairing", "payload"}
        assert all(
            found.index(e) < found.index(leg) for leg in found for e in mission_leg(one, leg).predecessors
        )


def test_bodies_that_no_leg_names_go_on_in_the_one_without(scenario):
    bodies = {leg: mission_leg(scenario, leg).bodies for leg in Mission.of(scenario).order}
    assert bodies == {
        "ascent": ("lower", "upper", "nose"),
        "booster": ("lower",),
        "orbit": ("upper", "nose"),
        "fairing": ("nose",),
        "payload": ("upper",),
    }


def test_the_chain_of_a_thing(scenario):
    assert Mission.of(scenario).chain("bodies.upper.mass") == ("ascent", "orbit", "payload")
    assert Mission.of(scenario).chain("pairs.upper.nose.distance") == ("ascent", "orbit")
    assert Mission.of(scenario).chain("joints.band.force") == ("ascent",)
    assert Mission.of(scenario).chain("system.mass") == Mission.of(scenario).order
    assert Mission.of(scenario).leg_of("bolt released") == "ascent"  # the first leg that has the bolt
    assert Mission.of(scenario).leg_of("open") == Mission.of(scenario).leg_of("orbit end") == "orbit"
    assert Mission.of(scenario).consecutive(("ascent", "orbit", "payload"))
    assert not Mission.of(scenario).consecutive(("ascent", "booster", "orbit"))


def test_a_leg_has_what_names_its_bodies_only(scenario):
    orbit = mission_leg(scenario, "orbit").scenario
    assert named(orbit.bodies) == ["upper", "nose"]
    assert named(orbit.joints) == ["cone", "dock"]
    assert named(orbit.devices) == ["bolt", "push"]  # push waits for what the bolt does; moments are no words
    assert named(orbit.forces) == ["cord"]  # tug and pull act in phases of other legs
    fairing = mission_leg(scenario, "fairing").scenario
    assert named(fairing.forces) == ["tug"]
    assert fairing.forces[0].phases == ("fall",)
    assert (fairing.joints, fairing.devices, fairing.legs) == ((), (), ())
    ascent = mission_leg(scenario, "ascent").scenario
    assert named(ascent.forces) == ["tug", "pull", "cord"]
    assert ascent.forces[0].phases == ("joined",)


def test_what_goes_is_closed():
    """Without the bolt, or by a joint that is not in the leg, what names these is out, too; what counts from
    them is not."""
    less = loads(
        MISSION.replace("[legs.orbit]", '[legs.orbit]\njoints = ["dock"]', 1)
        .replace('fire = ["bolt"], ', "")
        .replace('event = "bolt released"', 'event = "open"')
    )
    orbit = mission_leg(less, "orbit").scenario
    assert named(orbit.joints) == ["dock"]
    assert named(orbit.devices) == ["push"]
    assert "devices.bolt" in mission_leg(less, "orbit").left_out
    assert "bolt released" in named(orbit.events)


def test_numbers_are_the_same_objects(scenario):
    """So lanes and tracers pass through, and nothing is validated again."""
    for leg in Mission.of(scenario).order:
        part = mission_leg(scenario, leg).scenario
        whole = {body.name: body for body in scenario.bodies}
        assert all(
            body.mass is whole[body.name].mass and body.inertia is whole[body.name].inertia
            for body in part.bodies
        )
        assert part.gravity is scenario.gravity
    ascent = mission_leg(scenario, "ascent").scenario
    assert ascent.bodies == scenario.bodies
    assert ascent.devices[0] is scenario.devices[0]
    assert mission_leg(scenario, "ascent").scenario_at_rest.bodies[0].initial != scenario.bodies[0].initial
    assert mission_leg(scenario, "booster").scenario.solver is scenario.legs[1].solver
    assert mission_leg(scenario, "orbit").scenario.solver is scenario.solver


def test_where_legs_end(scenario):
    assert mission_leg(scenario, "orbit").scenario.ends_at == ("bolt released",)
    assert (
        mission_leg(scenario, "ascent").scenario.ends_at
        == mission_leg(scenario, "payload").scenario.ends_at
        == ()
    )


def test_moments_of_other_legs_are_events_that_do_not_come(scenario):
    """Only where something counts from them, or they act on what the leg has; what counts in legs behind goes
    through those before."""

    def memories(leg):
        own = named(next(one for one in scenario.legs if one.name == leg).events)
        return {
            event.name: event for event in mission_leg(scenario, leg).scenario.events if event.name not in own
        }

    orbit = memories("orbit")
    assert {*orbit} == {"apart"}
    assert float(orbit["apart"].when.time) == float("inf")
    assert orbit["apart"].release == ()  # the band is not in it
    assert {*memories("ascent")} == {"open"}
    assert memories("ascent")["open"].fire == ("bolt",)
    assert memories("booster") == memories("fairing") == memories("payload") == {}


def test_requirements_go_to_the_legs_that_they_are_about(scenario):
    legs = Mission.of(scenario).legs
    asked = {name: named(leg.scenario.requirements) for name, leg in legs.items()}
    assert asked == {
        "ascent": ["speed"],
        "booster": [],
        "orbit": ["speed"],
        "fairing": ["late"],
        "payload": ["speed"],
    }
    assert mission_leg(scenario, "fairing").scenario.requirements[0].at == "end"


def test_a_leg_is_written_and_read_and_changed(scenario):
    assert loads(scenario.to_toml()) == scenario
    changed = loads(
        MISSION, {"legs.orbit.phases.coast.until.elapsed": "2 s", "legs.booster.solver.max_step": 0.2}
    )
    assert get(changed, "legs.orbit.phases.coast.until.elapsed") == 2.0
    assert get(changed, "legs.booster.solver.max_step") == 0.2
    with pytest.raises(ist.BadInput, match="there is no 'cost'"):
        loads(MISSION, {"legs.orbit.phases.cost.until.elapsed": "2 s"})


CASES = [
    (
        "circle",
        "[legs.ascent]",
        '[legs.ascent]\nafter = { leg = "payload" }',
        "legs.ascent.after",
        "in a circle: ascent after payload after orbit after ascent",
    ),
    (
        "no-first",
        "[legs.ascent]",
        '[legs.ascent]\nafter = { leg = "payload" }',
        "legs",
        "no leg begins the mission",
    ),
    (
        "two-first",
        'after = { leg = "ascent" }\nbodies = ["lower"]',
        'bodies = ["lower"]',
        "legs.booster",
        "leg 'ascent' have no key 'after', but only one leg can begin the mission",
    ),
    (
        "no-such-leg",
        'after = { leg = "ascent" }\nphases.coast',
        'after = { leg = "ascnet" }\nphases.coast',
        "legs.orbit.after.leg",
        "there is no leg 'ascnet'; did you mean 'ascent'?",
    ),
    (
        "no-such-event",
        '{ leg = "ascent" }\nphases.coast',
        '{ leg = "ascent", event = "staging" }\nphases.coast',
        "legs.orbit.after.event",
        "'ascent' has no event 'staging'; its events: joined, apart",
    ),
    (
        "event-elsewhere",
        '{ leg = "ascent" }\nphases.coast',
        '{ leg = "ascent", event = "fall" }\nphases.coast',
        "legs.orbit.after.event",
        "an event of leg 'fairing', not of leg 'ascent'",
    ),
    (
        "over-at-once",
        '{ leg = "ascent" }',
        '{ leg = "ascent", event = "joined" }',
        "legs.booster.after.event",
        "begins leg 'ascent', so leg 'ascent' would end at its start",
    ),
    (
        "two-moments",
        '{ leg = "ascent" }\nphases.coast',
        '{ leg = "ascent", event = "apart" }\nphases.coast',
        "legs.orbit.after.event",
        "leg 'booster' begins at 'ascent end'",
    ),
    (
        "two-at-once",
        'after = { leg = "ascent" }\nphases.coast',
        'after = { leg = "ascent" }\nbodies = ["lower", "upper", "nose"]\nphases.coast',
        "legs.orbit.bodies",
        "'lower' flies in leg 'booster' at the same time",
    ),
    (
        "not-there",
        'bodies = ["nose"]',
        'bodies = ["lower"]',
        "legs.fairing.bodies",
        "body 'lower' does not fly in the preceding leg 'orbit'. Bodies of 'orbit': upper, nose",
    ),
    (
        "unknown-body",
        'bodies = ["nose"]',
        'bodies = ["nse"]',
        "legs.fairing.bodies",
        "there is no body 'nse'; did you mean 'nose'?",
    ),
    (
        "none-left",
        'bodies = ["nose"]',
        'bodies = ["nose", "upper"]',
        "legs.payload",
        "the leg has no body: 'fairing' takes all bodies of 'orbit'",
    ),
    (
        "body-twice",
        'bodies = ["nose"]',
        'bodies = ["nose", "nose"]',
        "legs.fairing.bodies",
        "'nose' is listed twice",
    ),
    (
        "phases-at-the-top",
        "title = ",
        "phases.up = { until = { elapsed = 1 } }\ntitle = ",
        "phases",
        "cannot be set at the top level of a mission",
    ),
    (
        "events-at-the-top",
        "title = ",
        "events.up = { when = { elapsed = 1 } }\ntitle = ",
        "events",
        "cannot be set at the top level of a mission",
    ),
    (
        "coordinates-at-the-top",
        "title = ",
        'coordinates = "point"\ntitle = ',
        "coordinates",
        "cannot be set at the top level of a mission",
    ),
    (
        "end-at-the-top",
        "title = ",
        'ends_at = ["apart"]\ntitle = ',
        "ends_at",
        "'ends_at' has no effect in a mission with legs",
    ),
    (
        "no-phase",
        'phases.fall = { until = { elapsed = "1 s" } }',
        "",
        "legs.fairing.phases",
        "the leg has no phase",
    ),
    (
        "name-twice",
        "phases.fall =",
        "phases.coast =",
        "legs.fairing.phases.coast",
        "leg 'orbit' uses the same name",
    ),
    (
        "reserved",
        "phases.fall =",
        "phases.end =",
        "legs.fairing.phases.end",
        "are reserved for the start and end of the mission",
    ),
    ("name-of-a-body", "[legs.fairing]", "[legs.upper]", "legs.upper", "a body has the same name"),
    (
        "joint-of-others",
        "phases.free",
        'joints = ["cone"]\nphases.free',
        "legs.payload.joints",
        "joint 'cone' connects 'nose', which does not fly in this leg",
    ),
    (
        "joint-unknown",
        "phases.free",
        'joints = ["con"]\nphases.free',
        "legs.payload.joints",
        "there is no joint 'con'; did you mean 'cone'?",
    ),
    (
        "joint-twice",
        "[legs.ascent]",
        '[legs.ascent]\njoints = ["band", "band", "cone"]',
        "legs.ascent.joints",
        "'band' is listed twice",
    ),
    ("name-of-joint", "[devices.push]", "[devices.cone]", "devices.cone", "a joint has the same name"),
    ("name-of-body", "forces.tug = {", "forces.nose = {", "forces.nose", "a body has the same name"),
    (
        "not-to-leave-out",
        "phases.fall",
        'without = ["forces.tgu"]\nphases.fall',
        "legs.fairing.without",
        "'forces.tgu' is not in this leg; did you mean 'forces.tug'?",
    ),
    (
        "minimal",
        "[legs.ascent]",
        '[legs.ascent]\ncoordinates = "minimal"',
        "legs.ascent.coordinates",
        "need the formulation null_space",
    ),
    (
        "watched",
        'phases.fall = { until = { elapsed = "1 s" } }',
        'phases.fall = { until = { quantity = "bodies.lower.velocity.x", reaches = 1 } }',
        "legs.fairing.phases.fall.until.quantity",
        "belongs to a body that flies in 'ascent' or 'booster'. Use a body of this leg: nose",
    ),
    (
        "awaited",
        'events.later = { after = "apart"',
        'events.later = { after = "fall"',
        "legs.orbit.events.later.after",
        "'fall' occurs in leg 'fairing'",
    ),
    (
        "awaited-unknown",
        'events.later = { after = "apart"',
        'events.later = { after = "aprt"',
        "legs.orbit.events.later.after",
        "did you mean 'apart'?",
    ),
    (
        "requirement-apart",
        'quantity = "bodies.nose.velocity.x"',
        'quantity = "joints.band.force.x"',
        "requirements.late.quantity",
        "is defined in leg 'ascent' only, but 'fairing end' is in leg 'fairing'",
    ),
    (
        "requirement-when",
        'at = "fairing end"',
        'at = "fairing over"',
        "requirements.late.at",
        "there is no phase or event 'fairing over'",
    ),
    (
        "requirement-during",
        'at = "fairing end"',
        'during = "flal"',
        "requirements.late.during",
        "there is no phase 'flal'; did you mean 'fall'?",
    ),
    (
        "requirement-unknown",
        "bodies.nose.velocity.x",
        "bodies.nose.velocty.x",
        "requirements.late.quantity",
        "did you mean",
    ),
    (
        "releases-what-is-gone",
        "phases.fall = {",
        'phases.fall = { release = ["cone"],',
        "legs.fairing.phases.fall.release",
        "joint 'cone' is not in this leg, but in 'ascent' and 'orbit'",
    ),
    ("unknown-word", 'bodies = ["nose"]', 'body = ["nose"]', "legs.fairing.body", "did you mean 'bodies'?"),
    (
        "wrong-body-of-force",
        'body = "nose", force',
        'body = "nsoe", force',
        "forces.tug.body",
        "there is no body 'nsoe'",
    ),
    (
        "after-itself",
        "[legs.ascent]",
        '[legs.ascent]\nafter = { leg = "ascent" }',
        "legs.ascent.after",
        "in a circle: ascent after ascent",
    ),
    (
        "after-as-text",
        'after = { leg = "orbit", event = "bolt released" }\nbodies',
        'after = "orbit"\nbodies',
        "legs.fairing.after",
        'must be a table, like { leg = "orbit" }',
    ),
    (
        "after-nothing",
        'after = { leg = "orbit", event = "bolt released" }\nbodies',
        "after = {}\nbodies",
        "legs.fairing.after.leg",
        "is required",
    ),
    (
        "event-as-number",
        'event = "bolt released" }\nbodies',
        "event = 3 }\nbodies",
        "legs.fairing.after.event",
        "must be a text in quotes",
    ),
    (
        "bodies-as-text",
        'bodies = ["nose"]',
        'bodies = "nose"',
        "legs.fairing.bodies",
        "must be a list, like ['nose']",
    ),
    (
        "two-without-bodies",
        'bodies = ["nose"]\n',
        "",
        "legs.payload",
        "legs 'fairing' and ",
    ),
    (
        "no-such-coordinates",
        "[legs.ascent]",
        '[legs.ascent]\ncoordinates = "3dof"',
        "legs.ascent.coordinates",
        "allowed: rigid, point, minimal, held",
    ),
    (
        "held-later",
        "phases.free",
        'coordinates = "held"\nphases.free',
        "legs.payload.coordinates",
        "first leg only",
    ),
    (
        "point-without-attitude",
        "phases.free",
        'coordinates = "point"\nphases.free',
        "legs.payload.attitude",
        "a point-mass flight needs a guidance law",
    ),
    (
        "attitude-of-no-point",
        "phases.free",
        'attitude = "turn"\nphases.free',
        "legs.payload.attitude",
        'but this leg has coordinates = "rigid"',
    ),
    (
        "own-tolerance",
        'solver = { max_step = "0.1 s" }',
        "solver = { tolerance = -1 }",
        "legs.booster.solver.tolerance",
        "must be more than zero",
    ),
    (
        "own-interval",
        'output = { interval = "0.5 s" }',
        'output = { interval = "0.5 m" }',
        "legs.payload.output.interval",
        "allowed: s",
    ),
    (
        "time-that-is-over",
        'phases.coast = { until = { elapsed = "1 s" } }',
        'phases.coast = { until = { time = "1 s" } }',
        "legs.orbit.phases.coast.until.time",
        "cannot occur: 1 s is not after 2 s",
    ),
    (
        "time-of-an-event-that-is-over",
        'when = { elapsed = "3 s" } }',
        'when = { time = "0.5 s" } }',
        "legs.orbit.events.later.when.time",
        "cannot occur: 0.5 s is not after 2 s",
    ),
    (
        "fires-what-is-elsewhere",
        "phases.down = {",
        'phases.down = { fire = ["bolt"],',
        "legs.booster.phases.down.fire",
        "device 'bolt' is not in this leg, but in 'ascent' and 'orbit'",
    ),
    (
        "attaches-what-is-elsewhere",
        "phases.down = {",
        'phases.down = { attach = ["dock"],',
        "legs.booster.phases.down.attach",
        "joint 'dock' is not in this leg",
    ),
    (
        "released-before",
        "phases.coast = {",
        'phases.coast = { release = ["band"],',
        "legs.orbit.phases.coast.release",
        "joint 'band' is not in this leg, but in 'ascent'",
    ),
    (
        "held-apart",
        'release = ["band"], ',
        "",
        "legs.booster",
        "but only one of these two bodies flies in this leg",
    ),
    (
        "late-before-it-begins",
        'events.later = { after = "apart", when',
        'events.later = { before = "joined", after = "apart", when',
        "legs.orbit.events.later.before",
        "has already occurred when",
    ),
    (
        "too-late-with-nothing",
        'events.later = { after = "apart", when',
        'events.later = { before = "nevr", after = "apart", when',
        "legs.orbit.events.later.before",
        "there is no phase or event 'nevr'",
    ),
    (
        "event-called-like-a-phase",
        "events.later = {",
        "events.coast = {",
        "legs.orbit.events.coast",
        "a phase has the same name",
    ),
    (
        "watched-by-an-event",
        'when = { elapsed = "3 s" } }',
        'when = { quantity = "bodies.lower.speed", reaches = 3 } }',
        "legs.orbit.events.later.when.quantity",
        "belongs to a body that flies in 'ascent' or 'booster'",
    ),
    (
        "after-a-moment-elsewhere",
        'after = "bolt released"\n\n[legs',
        'after = "down"\n\n[legs',
        "devices.push.after",
        "'push' is in 'ascent' and 'orbit' and cannot wait for 'down'",
    ),
    (
        "until-the-end-of-no-leg",
        'after = "bolt released"\n\n[legs',
        'after = "orbit ende"\n\n[legs',
        "devices.push.after",
        "there is no phase, event or device's event 'orbit ende'; did you mean 'orbit end'",
    ),
    (
        "requirement-of-no-leg",
        "bodies.nose.velocity.x",
        "legs.fairng.system.momentum.x",
        "requirements.late.quantity",
        "there is no leg 'fairng'; did you mean 'fairing'?",
    ),
    (
        "of-one-flight",
        "[legs.ascent]",
        "[legs.ascent]\nplanet = 3",
        "legs.ascent.planet",
        "unknown key; allowed",
    ),
    (
        "legs-in-legs",
        "[legs.ascent]",
        "[legs.ascent]\nlegs.a = {}",
        "legs.ascent.legs",
        "unknown key; allowed",
    ),
    (
        "null-space",
        "[legs.ascent]",
        '[legs.ascent]\ncoordinates = "minimal"\nsolver = { formulation = "composite" }',
        "legs.ascent.coordinates",
        "need the formulation null_space, but this leg has the formulation composite",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_is_wrong_with_legs(old, new, place, words):
    assert old in MISSION
    with pytest.raises(ist.BadInput) as caught:
        loads(MISSION.replace(old, new, 1))
    at_place = [problem.message for problem in caught.value.problems if problem.place == place]
    assert any(words in text for text in at_place), str(caught.value)
    assert len(caught.value.problems) <= 3, str(caught.value)
    assert all("\n" not in one.message and len(one.message) < 400 for one in caught.value.problems)


def test_the_quantities_of_a_body_are_all_told_the_likest_first():
    with pytest.raises(ist.BadInput) as caught:
        loads(MISSION.replace('quantity = "bodies.upper.velocity.x"', 'quantity = "bodies.upper.potential"'))
    assert "'bodies.upper' has position, " in str(caught.value)
    assert "angular_velocity" in str(caught.value)
    assert "..." not in str(caught.value)


def test_a_body_that_is_not_there_is_told_once():
    """What the leg watches may be of the body that was meant."""
    watched = 'phases.fall = { until = { quantity = "bodies.nose.velocity.x", reaches = 1 } }'
    text = MISSION.replace('phases.fall = { until = { elapsed = "1 s" } }', watched)
    with pytest.raises(ist.BadInput) as caught:
        loads(text.replace('bodies = ["nose"]\n' + watched, 'bodies = ["nos"]\n' + watched))
    assert "there is no body 'nos'; did you mean 'nose'?" in str(caught.value)
    assert "a body of this leg" not in str(caught.value)


def test_bodies_that_no_leg_has():
    with pytest.raises(ist.BadInput) as caught:
        loads(MISSION.replace("[legs.ascent]", '[legs.ascent]\nbodies = ["lower", "upper"]', 1))
    assert "flies in no leg. Add 'nose' to legs.ascent.bodies" in str(caught.value)


def test_all_at_once():
    """Faults of several legs, and of what they share, each once."""
    text = MISSION.replace("phases.fall =", "phases.coast =").replace('joints = ["cone"]', 'joints = ["cne"]')
    with pytest.raises(ist.BadInput) as caught:
        loads(text)
    places = [problem.place for problem in caught.value.problems]
    assert "legs.fairing.phases.coast" in places
    assert places.count("devices.bolt.joints") == 1


def test_one_flight_ends_at_a_moment_that_is_there():
    one = (
        "bodies.a = { mass = 1, inertia = [1, 1, 1], initial = {} }\nphases.p = { until = { elapsed = 1 } }\n"
    )
    assert loads('ends_at = ["q"]\n' + one + "events.q = { when = { elapsed = 0.5 } }").ends_at == ("q",)
    with pytest.raises(ist.BadInput, match="ends_at: there is no phase or event 'q'"):
        loads('ends_at = ["q"]\n' + one)
    with pytest.raises(ist.BadInput, match='coordinates: "held" needs a planet'):
        loads('coordinates = "held"\n' + one)


def test_bodies_that_no_leg_goes_on_with_end(scenario):
    assert all(mission_leg(scenario, leg).ending_bodies == () for leg in Mission.of(scenario).order)
    text = MISSION[: MISSION.index("[legs.fairing]")] + MISSION[MISSION.index("[legs.payload]") :]
    text = text.replace("fairing end", "open").replace("[legs.payload]", '[legs.payload]\nbodies = ["upper"]')
    left = loads(text)
    assert mission_leg(left, "orbit").ending_bodies == ("nose",)
    said = [*summary(left, lambda count, group: f"{count} {group}")]
    assert "    nose ends with this leg: no later leg has it" in said
    assert said[0].startswith("  leg ascent (rigid), begins the mission: with lower, upper, nose, 3 joints")


def test_what_is_joined_to_the_ground_goes_on():
    """The ground flies in no leg, so that no leg parts a body from it."""
    text = """
legs.a = { phases.swing = { until = { time = "1 s" } } }
legs.b = { after = { leg = "a" }, phases.on = { until = { elapsed = "1 s" } } }
bodies.bob = { mass = 2, inertia = [1, 1, 1], initial = { through = "ball" } }
joints.ball = { kind = "spherical", parent = "ground", child = "bob", child_at = [0, 0, 1] }
"""
    loads(text).check()


# --- a scenario without legs is a mission with one leg


EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_event_names_of_a_leg_are_those_that_its_flight_knows(file):
    mission = Mission.of(ist.load(file))
    for leg in mission.legs.values():
        known = events_of_flight(leg.scenario)
        assert {*leg.event_names} - {leg.end_event} <= known
        assert leg.end_event == ("end" if mission.order == ("",) else f"{leg.name} end")
        assert mission.has_legs or known == {*events_of_mission(mission)} - {"start"}


def test_a_scenario_without_legs_is_the_scenario_of_its_only_leg():
    scenario = ist.load(EXAMPLES[0].with_name("first.toml"))
    mission = Mission.of(scenario)
    assert mission.parents == {"": ""}
    assert mission.first is mission.leg("")
    leg = mission.first
    assert leg.scenario is leg.scenario_at_rest is scenario
    assert leg.bodies == tuple(body.name for body in scenario.bodies)
    assert leg.predecessors == leg.successors == leg.ending_bodies == ()
    assert not leg.left_out
    assert all(leg.concerns(wanted) for wanted in scenario.requirements)


def test_the_mission_of_a_scenario_is_made_once(scenario):
    mission = Mission.of(scenario)
    assert Mission.of(scenario) is mission
    assert all(leg.scenario is mission_leg(scenario, name).scenario for name, leg in mission.legs.items())
    assert not any(leg.scenario.legs for leg in mission.legs.values())
