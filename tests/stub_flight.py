"""A flight made by hand: two bodies on a line, joined, released and pushed apart by a spring, in closed form.

For tests of what happens to a flight afterwards (files, tables, plots); nothing is flown to make it. What its
quantities are called and measured in is the engine's own word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import interstage as ist
from interstage.quantities.catalogue import catalogue
from interstage.record.record import EventRecord, Record

STAGE, PAYLOAD, STIFFNESS, STROKE = 6000.0, 1000.0, 5000.0, 0.4
APART = 5.8
"""Distance of the centres of mass while they are joined [m]."""
RELEASE, END = 10.0, 20.0
XYZ = ("x", "y", "z")
REDUCED = STAGE * PAYLOAD / (STAGE + PAYLOAD)
RATE = np.sqrt(STIFFNESS / REDUCED)
PUSHED = RELEASE + 0.5 * np.pi / RATE
"""The spring, free at the end of its stroke, has done its work after a quarter of its period."""
SPEED = STROKE * RATE
"""Separation speed from energy and momentum: 0.5 REDUCED SPEED^2 = 0.5 STIFFNESS STROKE^2."""

BODY = ("position", "velocity", "attitude", "angular_velocity", "mass")
PAIR = ("distance", "relative_velocity", "relative_speed", "separation_speed", "closing_speed")
PAIR += ("relative_rate", "tip_off_rate")
PATHS = (
    *(f"bodies.{body}.{name}" for body in ("stage", "payload") for name in BODY),
    *(f"joints.clamp.{name}" for name in ("force", "torque", "violation", "active")),
    *(f"devices.spring.{name}" for name in ("force", "stroke", "state")),
    *(f"pairs.stage.payload.{name}" for name in PAIR),
    *("system.momentum", "system.energy"),
)
ENDS: dict[str, Any] = {"parent": "stage", "child": "payload"}


def flown_scenario() -> ist.Scenario:
    """What would be flown to give such a flight."""
    held: dict[str, Any] = {"parent_at": [0, APART / 2, 0], "child_at": [0, -APART / 2, 0]}
    bodies = (("stage", STAGE, ist.State()), ("payload", PAYLOAD, None))
    return ist.Scenario(
        bodies=tuple(ist.Body(name=n, mass=m, inertia=[1, 1, 1], initial=start) for n, m, start in bodies),
        joints=(ist.Joint(name="clamp", kind="fixed", **ENDS, **held),),
        devices=(_spring(axis=[0, 1, 0], after="apart", **held),),
        phases=(
            ist.Phase(name="joined", until=ist.Trigger(time=RELEASE)),
            ist.Phase(name="apart", until=ist.Trigger(time=END), release=("clamp",)),
        ),
    )


def _spring(**options: Any) -> ist.KickoffSpring:
    force = {"stiffness": STIFFNESS, "preload": STIFFNESS * STROKE}
    return ist.KickoffSpring(name="spring", **ENDS, stroke=STROKE, **force, **options)


KNOWN = catalogue(flown_scenario())
META = {path: KNOWN[path].meta for path in PATHS}


def _states(time: np.ndarray, joined: np.ndarray, spent: np.ndarray) -> dict[str, np.ndarray]:
    pushing = np.clip(time - RELEASE, 0.0, PUSHED - RELEASE)
    gap = STROKE * (1 - np.cos(RATE * pushing)) + SPEED * np.clip(time - PUSHED, 0.0, None)
    speed = STROKE * RATE * np.sin(RATE * pushing)
    push = np.where(joined | spent, 0.0, STIFFNESS * STROKE * np.cos(RATE * pushing))
    along = np.array([0.0, 1.0, 0.0])
    ones, zeros = np.ones_like(time), np.zeros((len(time), 3))
    series = {
        "joints.clamp.active": joined.astype(float),
        "devices.spring.force": push,
        "devices.spring.stroke": gap,
        "devices.spring.state": np.where(spent, 0.0, 1.0),
    }
    for name, share, mass in (("stage", -PAYLOAD, STAGE), ("payload", STAGE, PAYLOAD)):
        share /= STAGE + PAYLOAD
        place = {"stage": 0.0, "payload": APART}[name]
        body = f"bodies.{name}."
        series |= {
            body + "position": np.outer(place + share * gap, along),
            body + "velocity": np.outer(share * speed, along),
            body + "attitude": np.tile([1.0, 0, 0, 0], (len(time), 1)),
            body + "angular_velocity": zeros,
            body + "mass": mass * ones,
        }
    load = np.where(joined, -STIFFNESS * STROKE, 0.0)
    pair = "pairs.stage.payload."
    series |= {
        "joints.clamp.force": np.outer(load, along),
        "joints.clamp.torque": np.outer(0.1 * load, [1.0, 0, 0]),
        "joints.clamp.violation": np.where(joined, 1e-15, 0.0),
        pair + "distance": APART + gap,
        pair + "relative_velocity": np.outer(speed, along),
        pair + "relative_speed": speed,
        pair + "separation_speed": speed,
        pair + "closing_speed": -speed,
        pair + "relative_rate": np.outer(0.001 * speed, [1.0, 0, 0]),
        pair + "tip_off_rate": 0.001 * speed,
        "system.momentum": zeros + 1e-13 * speed[:, None],
        "system.energy": 0.5 * STIFFNESS * STROKE**2 * (1 + 1e-13 * speed),
    }
    return {path: series[path] for path in META}


def separation_record(scenario: ist.Scenario | None = None, samples: int = 201) -> Record:
    """The stub as a record; `scenario` stands in for the real one."""
    time = np.linspace(0.0, END, samples)
    events = [
        EventRecord("joined", 0.0, "phase", "joined"),
        EventRecord("apart", RELEASE, "phase", "apart"),
        EventRecord("spring spent", PUSHED, "device", "apart"),
    ]
    at = np.array([event.time for event in events])
    return Record(
        scenario=scenario or stub_scenario(),
        time=time,
        series=_states(time, time < RELEASE, time >= PUSHED),
        events=events,
        before=_states(at, at <= RELEASE, at > PUSHED),
        after=_states(at, at < RELEASE, at >= PUSHED),
        meta=dict(META),
        statistics={"steps accepted": 37, "steps rejected": 2, "wall time [s]": 0.012},
        corrections=[],
        warnings=["The inertia of 'stage' breaks the triangle inequality (allowed by the scenario)."],
        outcome="Reached the end of its last phase at 20 s.",
        completed=True,
        phases=[("joined", 0.0, RELEASE), ("apart", RELEASE, END)],
        restart={
            "time": at,
            "discrete.fired": np.eye(3, dtype=bool),
            "reference.turn": np.eye(3)[:, :, None],
        },
    )


def measured_record(scenario: ist.Scenario | None = None) -> Record:
    """The flight made by hand with what a comparison asks for besides."""
    record = separation_record(scenario)
    record.statistics = {"steps accepted": 30, "steps rejected": 10, "stepping time [s]": 0.004}
    for what, size in (("gap", 1e-9), ("misalignment", 0.0)):
        path = f"joints.clamp.{what}"
        record.meta[path] = KNOWN[path].meta
        for values in (record.series, record.before, record.after):
            values[path] = size * values["joints.clamp.active"]
    return record


def stub_scenario(**changes: Any) -> ist.Scenario:
    """What the results need of a scenario: a title, units, what conserves what; no bodies and no phases."""
    known: dict[str, Any] = {
        "title": "Stub separation",
        "output": ist.Output(interval=0.5),
        "joints": (ist.Joint(name="clamp", kind="fixed", **ENDS),),
        "devices": (_spring(),),
    }
    return ist.Scenario(**known | changes)
